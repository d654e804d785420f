/* bench_modes.c: one mode at a time.
 *
 * From the text of a model to E, A and B of a mode, and from mode to mode when two switches change.
 * Cost should follow the size of the model, whatever the number of its modes: so the exponents of
 * growth are given, time as a power of the number of elements. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_models.h"

typedef struct {
    const bench_family *family;
    int n;
    jn_str text;
    jn_arena *arena;
    jn_diags *diags;
    jn_graph *graph;
    jn_onoff *mode;
} subject;

static bool read_subject(subject *s)
{
    const jn_source *text = jn_source_of(s->arena, "bench", jn_str_c(&s->text), s->text.len);
    if (jn_graph_read(&s->graph, text, s->diags) != JN_OK)
        return false;
    s->mode = jn_alloc((size_t)s->graph->nswitches);
    for (int i = 0; i < s->graph->nswitches; i++)
        s->mode[i] = s->family->is_on(i, s->n);
    return true;
}

static void clear_subject(subject *s)
{
    free(s->mode);
    jn_graph_free(s->graph);
    jn_diags_free(s->diags);
    jn_arena_free(s->arena);
}

static subject open_subject(const subject *from)
{
    subject s = *from;
    s.arena = jn_arena_new();
    s.diags = jn_diags_new();
    return s;
}

/* The text to E, A, B of the mode, as `junct matrices --mode` does. */
static bool derive_mode(const void *arg, double *count)
{
    (void)count;
    subject s = open_subject(arg);
    jn_junction *j = NULL;
    jn_implicit *f = NULL;
    bool ok = read_subject(&s) &&
              jn_junction_build_mode(&j, s.graph, true, s.mode, s.diags) == JN_OK &&
              jn_guard_is_true(j->allowed) && jn_implicit_derive(&f, j, s.diags) == JN_OK;
    jn_implicit_free(f);
    jn_junction_free(j);
    clear_subject(&s);
    return ok;
}

enum { MODES = 1000 };

/* From mode to mode: the positions of two neighbours are exchanged, or both turned. */
static bool change_modes(const void *arg, double *count)
{
    subject s = open_subject(arg);
    jn_solver *k = NULL;
    jn_solver_options o = {.numeric = true, .follow = true};
    bool ok = read_subject(&s) && jn_solver_new(&k, s.graph, &o, s.diags) == JN_OK;
    for (int i = 0; i < MODES && ok; i++) {
        jn_solved *m;
        int at = 2 * i % (s.graph->nswitches - 1);
        s.mode[at] ^= 1;
        s.mode[at + 1] ^= 1;
        ok = jn_solver_mode(&m, k, s.mode) == JN_OK;
        jn_solved_free(m);
    }
    jn_solver_free(k);
    clear_subject(&s);
    *count = MODES;
    return ok;
}

/* How many elements the model has: what growth is measured by. */
static double count_elements(const subject *from)
{
    subject s = open_subject(from);
    double n = read_subject(&s) ? s.graph->nelements : NAN;
    clear_subject(&s);
    return n;
}

static void measure_family(const bench_family *f, const char *what, const char *chart,
                           bench_work work)
{
    double before = 0, elements_before = 0;
    char fields[120];
    for (int i = 0; i < BENCH_SIZES; i++) {
        subject s = {.family = f, .n = f->size[i]};
        jn_str_init(&s.text);
        f->write(&s.text, s.n);
        double elements = count_elements(&s);
        bench_result r = bench_run(work, &s);
        double exponent = log(r.seconds / before) / log(elements / elements_before);
        int used = snprintf(fields, sizeof fields, "\"model\": \"%s\", \"n\": %d", f->name, s.n);
        if (i > 0 && isfinite(exponent))
            snprintf(fields + used, sizeof fields - (size_t)used, ", \"exponent\": %.2f", exponent);
        bench_report(what, fields, &r, 0);
        bench_point(chart, f->name, elements, r.count > 0 ? r.seconds / r.count : r.seconds);
        before = r.seconds;
        elements_before = elements;
        jn_str_clear(&s.text);
    }
}

/* ---- many elements ------------------------------------------------------------------------- */

/* 100,002 elements in a row. */
static const char long_ladder[] = "model ladder\n"
                                  "Se V = 10\n"
                                  "0 node[0]\n"
                                  "V -> node[0]\n"
                                  "for k in 1..20000 {\n"
                                  "  1 branch[k]\n"
                                  "  0 node[k]\n"
                                  "  I L[k] = k/1000\n"
                                  "  R r[k] = 1/10\n"
                                  "  C c[k] = 1/(k + 1)\n"
                                  "  node[k - 1] -> branch[k] -> node[k] -> c[k]\n"
                                  "  branch[k] -> L[k]\n"
                                  "  branch[k] -> r[k]\n"
                                  "}\n";

/* 50,000 at one junction. */
static const char star[] = "model star\n"
                           "Se V = 10\n"
                           "R rs = 1\n"
                           "1 in\n"
                           "0 hub\n"
                           "V -> in -> hub\n"
                           "in -> rs\n"
                           "for k in 1..50000 {\n"
                           "  R r[k] = k\n"
                           "  hub -> r[k]\n"
                           "}\n";

/* As `junct check` does without switches. */
static bool check(const void *arg, double *count)
{
    jn_arena *arena = jn_arena_new();
    jn_diags *d = jn_diags_new();
    jn_graph *g = NULL;
    jn_junction *j = NULL;
    const jn_onoff none[1] = {0};
    const jn_source *text = jn_source_of(arena, "bench", arg, strlen(arg));
    bool ok = jn_graph_read(&g, text, d) == JN_OK &&
              jn_junction_build_mode(&j, g, false, none, d) == JN_OK;
    *count = ok ? g->nelements : 0;
    jn_junction_free(j);
    jn_graph_free(g);
    jn_diags_free(d);
    jn_arena_free(arena);
    return ok;
}

static void measure_check(const char *model, const char *text)
{
    char fields[80];
    snprintf(fields, sizeof fields, "\"model\": \"%s\"", model);
    bench_result r = bench_run(check, text);
    bench_report("check", fields, &r, 2);
}

void bench_modes(void)
{
    measure_check("ladder", long_ladder);
    measure_check("star", star);
    bench_axes("one-mode", "elements", "seconds, text to E, A, B of one mode");
    bench_axes("next-mode", "elements", "seconds for a further mode");
    for (const bench_family *f = bench_families; f->name; f++)
        measure_family(f, "one mode", "one-mode", derive_mode);
    for (const bench_family *f = bench_families; f->name; f++)
        measure_family(f, "next mode", "next-mode", change_modes);
}
