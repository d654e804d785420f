/* bench_analyse.c: one mode of 2 … 200 states, and all modes of an arm of 128 switches at once. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "junct.h"
#include "junct/analyse.h"

typedef struct {
    jn_str text;
    bool numeric, across;
} subject;

/* Two states a section. */
static void write_ladder(jn_str *out, int sections)
{
    jn_str_addf(out,
                "model ladder\n"
                "Se V = 10\n"
                "0 node[0]\n"
                "V -> node[0]\n"
                "for k in 1..%d {\n"
                "  1 branch[k]\n"
                "  0 node[k]\n"
                "  I L[k] = k/100\n"
                "  R r[k] = 1/10\n"
                "  C c[k] = 1/(k + 1)\n"
                "  node[k - 1] -> branch[k] -> node[k] -> c[k]\n"
                "  branch[k] -> L[k]\n"
                "  branch[k] -> r[k]\n"
                "}\n"
                "output v = e(c[%d])\n",
                sections, sections);
}

/* Two switches a cell. */
static void write_arm(jn_str *out, int cells)
{
    jn_str_addf(out,
                "model arm\n"
                "Se V = 400\n"
                "I L = 1/100\n"
                "R R1 = 5\n"
                "1 current\n"
                "V -> current -> L\n"
                "current -> R1\n"
                "for k in 1..%d {\n"
                "  C c[k] = 1/100\n"
                "  0 p[k]\n"
                "  1 b[k]\n"
                "  X1 insert[k]\n"
                "  X1 bypass[k]\n"
                "  current -> p[k]\n"
                "  p[k] -> insert[k] -> c[k]\n"
                "  p[k] -> bypass[k] -> b[k]\n"
                "}\n",
                cells);
}

/* ---- the work ------------------------------------------------------------------------------ */

static bool analyse_mode(const jn_analysis *a, double *count)
{
    jn_mode_analysis m;
    jn_onoff none[1] = {0};
    jn_mode_analysis_init(&m);
    jn_analyse_mode(&m, a, none);
    const jn_dynamics *d = jn_mode_dynamics(&m);
    bool good = d->regular && d->control.certified && m.npoles == d->order;
    *count = d->order;
    jn_mode_analysis_clear(&m);
    return good;
}

static bool analyse_across(const jn_analysis *a, double *count)
{
    jn_across *c;
    bool good = jn_analyse_across(&c, a) == JN_OK && c->orders_known && c->equations.known;
    if (good)
        *count = fmpz_get_d(c->equations.count);
    jn_across_free(c);
    return good;
}

static bool work(const void *arg, double *count)
{
    const subject *s = arg;
    jn_arena *arena = jn_arena_new();
    jn_diags *d = jn_diags_new();
    const jn_source *source = jn_source_of(arena, "bench", jn_str_c(&s->text), s->text.len);
    jn_graph *g = NULL;
    jn_junction *j = NULL;
    jn_implicit *f = NULL;
    const jn_onoff none[1] = {0};
    bool good = jn_graph_read(&g, source, d) == JN_OK &&
                (s->across ? jn_junction_build(&j, g, s->numeric, d)
                           : jn_junction_build_mode(&j, g, s->numeric, none, d)) == JN_OK &&
                jn_implicit_derive(&f, j, d) == JN_OK;
    if (good) {
        jn_analysis *a = jn_analysis_new(f);
        good = s->across ? analyse_across(a, count) : analyse_mode(a, count);
        jn_analysis_free(a);
    }
    jn_implicit_free(f);
    jn_junction_free(j);
    jn_graph_free(g);
    jn_diags_free(d);
    jn_arena_free(arena);
    return good;
}

static void measure(subject *s, const char *name, int size, double limit)
{
    char fields[64];
    snprintf(fields, sizeof fields, "\"%s\": %d, \"numeric\": %s",
             s->across ? "switches" : "states", size, s->numeric ? "true" : "false");
    bench_result r = bench_run(work, s);
    bench_report(name, fields, &r, limit);
    jn_str_clear(&s->text);
}

void bench_analyse(void)
{
    static const int numeric[] = {2, 8, 20, 50, 100, 200}, symbolic[] = {2, 4, 8, 12};
    for (size_t i = 0; i < sizeof numeric / sizeof numeric[0]; i++) {
        subject s = {.numeric = true};
        jn_str_init(&s.text);
        write_ladder(&s.text, numeric[i] / 2);
        measure(&s, "analyse-mode", numeric[i], numeric[i] == 200 ? 1 : 0);
    }
    for (size_t i = 0; i < sizeof symbolic / sizeof symbolic[0]; i++) {
        subject s = {.numeric = false};
        jn_str_init(&s.text);
        write_ladder(&s.text, symbolic[i] / 2);
        measure(&s, "analyse-mode", symbolic[i], 0);
    }
    subject s = {.across = true};
    jn_str_init(&s.text);
    write_arm(&s.text, 64);
    measure(&s, "analyse-across", 128, 5);
}
