/* bench_verify.c: how long proofs about switching take, against switches and against changes. */
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "junct.h"

/* A chain of capacitors through ideal diodes, the first one fed by a clock: n switches. */
static void write_ladder(jn_str *out, int n)
{
    jn_str_addf(out,
                "model ladder\nSe V = 10\n0 node[0]\nV -> node[0]\n"
                "for k in 1..%d {\n  0 node[k]\n  X1 d[k]\n  C c[k] = 1\n  R r[k] = 1 + k\n"
                "  node[k - 1] -> d[k] -> node[k]\n  node[k] -> c[k]\n  node[k] -> r[k]\n}\n"
                "switch d[1] off, on at 1, off at 2\nfor k in 2..%d {\n  switch d[k] diode\n}\n",
                n, n);
}

/* n/2 half-bridge cells in series with a coil; each is bypassed by a clock or fed through its diode. */
static void write_arm(jn_str *out, int n)
{
    jn_str_addf(
        out,
        "model arm\nSe V = 100\nI L = 1/100\nR r = 1\n1 current\nV -> current -> L\ncurrent -> r\n"
        "for k in 1..%d {\n  0 a[k]\n  0 plus[k]\n  X1 low[k]\n  X1 d[k]\n  C c[k] = 1/100\n"
        "  current -> a[k]\n  a[k] -> low[k]\n  a[k] -> d[k] -> plus[k] -> c[k]\n"
        "  switch low[k] off, on at k, off at k + 1/2\n  switch d[k] diode\n}\n",
        n / 2);
}

/* Booleans that follow each other: one change after the other, n of them. */
static void write_cascade(jn_str *out, int n)
{
    jn_str_addf(
        out,
        "model cascade\nSe V = 1\nR r = 1\nX1 s\nV -> s -> r\nswitch s off, on at 1, off at 2\n"
        "switch b[1] off, on when on(s), off when not on(s)\n"
        "for k in 2..%d {\n  switch b[k] off, on when on(b[k - 1]), off when not on(b[k - 1])\n}\n",
        n);
}

typedef struct {
    const char *name, *varied;
    void (*write)(jn_str *out, int n);
    int first, last;
    int limited_at; /* this size within `limit` seconds; 0: none */
    double limit;
} proof_family;

static const proof_family families[] = {
    {"verify ladder", "switches", write_ladder, 4, 64, 0, 0},
    {"verify arm", "switches", write_arm, 4, 64, 16, 10},
    {"verify cascade", "changes", write_cascade, 2, 32, 0, 0},
};

typedef struct {
    const char *text;
} proof_work;

static bool prove(const void *arg, double *count)
{
    const proof_work *w = arg;
    jn_arena *arena = jn_arena_new();
    jn_diags *d = jn_diags_new();
    jn_graph *g = NULL;
    jn_junction *j = NULL;
    jn_verification *v = NULL;
    jn_junction_options numeric = {.numeric = true};
    jn_verify_options o = {.seconds = 60, .most_changes = 64, .only_settling = true};
    const jn_source *s = jn_source_of(arena, "bench", w->text, strlen(w->text));
    bool ok = jn_graph_read(&g, s, d) == JN_OK &&
              jn_junction_build_with(&j, g, &numeric, d) == JN_OK &&
              jn_verify(&v, j, &o, d) == JN_OK;
    *count = ok && v->settling.verdict == JN_PROVED ? v->changes : -1;
    jn_verification_free(v);
    jn_junction_free(j);
    jn_graph_free(g);
    jn_diags_free(d);
    jn_arena_free(arena);
    return ok;
}

/* A size that is not proved within its time ends the row: larger ones will not be either. */
void bench_verify(void)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        const proof_family *f = &families[i];
        for (int n = f->first; n <= f->last; n *= 2) {
            char fields[80];
            jn_str text;
            jn_str_init(&text);
            f->write(&text, n);
            proof_work w = {jn_str_c(&text)};
            bench_result r = bench_run(prove, &w);
            jn_format(fields, sizeof fields, "\"%s\": %d, \"proved_changes\": %g", f->varied, n,
                      r.count);
            bench_report(f->name, fields, &r, n == f->limited_at ? f->limit : 0);
            jn_str_clear(&text);
            if (r.count < 0)
                break;
        }
    }
}
