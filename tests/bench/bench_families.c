/* bench_families.c: how the form of all modes grows, family by family.
 *
 * A family is a kind of network of any size. The exponent of its growth says more than seconds do.
 * Two are given: of the time, which also depends on how much of the machine's memory is near the
 * processor, and of the nodes of guards that were made, which is the same everywhere and guarded. The
 * time of the largest size is guarded as a ratio to a loop of fixed work in the same run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_models.h"

/* ---- models -------------------------------------------------------------------------------- */

/* Full bridges in series, each around a capacitor, that meet at the junction of their current; those
 * of bench_models.c meet at nodes, each between two others. */
static void write_bridges(jn_str *out, int cells)
{
    jn_str_addf(out,
                "model bridges\n"
                "submodel Cell(C0) {\n"
                "  ports p\n"
                "  C c = C0\n"
                "  0 plus\n  0 a\n  0 b\n  1 p\n"
                "  X1 s1\n  X1 s2\n  X1 s3\n  X1 s4\n"
                "  plus -> c\n"
                "  plus -> s1 -> a\n"
                "  a -> s2\n"
                "  plus -> s3 -> b\n"
                "  b -> s4\n"
                "  p -> a\n"
                "  b -> p\n"
                "}\n"
                "Se V = 400\nI L = 1/100\nR r = 5\n1 current\n"
                "V -> current -> L\ncurrent -> r\n"
                "for k in 1..%d {\n"
                "  Cell cell[k](1/100)\n"
                "  current -> cell[k].p\n"
                "}\n",
                cells);
}

/* As many resistors at one junction. */
static void write_star(jn_str *out, int n)
{
    jn_str_addf(out,
                "model star\nSe V = 10\nI L = 1\n1 j\nV -> j -> L\n"
                "for k in 1..%d {\n  R r[k] = 1/k\n  j -> r[k]\n}\n",
                n);
}

/* ---- measurements -------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    void (*write)(jn_str *out, int n); /* NULL: as in bench_models.c */
    int first, last;                   /* sizes, each twice the one before, or `step` more */
    int step;                          /* 0: twice */
    double exponent; /* the growth of nodes to the last size may not be above; 0: no guard */
    double ratio;    /* nor the last size, in calibration loops; 0: no guard */
} family;

static const family families[] = {
    {"arm", NULL, 16, 256, 0, 2.05, 15},
    {"bridges in series", write_bridges, 8, 64, 0, 2.05, 10},
    {"cascaded bridges", NULL, 2, 8, 0, 0, 0},
    {"clamped leg", NULL, 3, 7, 2, 0, 60},
    {"matrix converter", NULL, 2, 4, 1, 0, 0},
    {"grid of switched cells", NULL, 3, 6, 1, 0, 0},
    {"grid of switched links", NULL, 2, 3, 1, 0, 0},
    {"star", write_star, 1000, 16000, 0, 0, 30},
    {"ladder", bench_write_ladder, 1024, 8192, 0, 0, 30},
};

/* The writer of a family that bench_models.c has under this name. */
static void write_family(const family *f, jn_str *out, int n)
{
    if (f->write)
        f->write(out, n);
    for (const bench_family *b = bench_families; b->name && !f->write; b++)
        if (strcmp(b->name, f->name) == 0)
            b->write(out, n);
}

static bool build(const void *arg, double *count)
{
    const jn_str *text = arg;
    jn_arena *arena = jn_arena_new();
    jn_diags *d = jn_diags_new();
    jn_graph *g = NULL;
    jn_junction *j = NULL;
    const jn_junction_options asked = {.no_bonds = true}; /* as check, modes and matrices ask */
    bool ok = jn_graph_read(&g, jn_source_of(arena, "bench", text->s, text->len), d) == JN_OK &&
              jn_junction_build_with(&j, g, &asked, d) == JN_OK;
    if (ok)
        *count = (double)jn_guards_made(j->ring.guards);
    jn_junction_free(j);
    jn_graph_free(g);
    jn_diags_free(d);
    jn_arena_free(arena);
    return ok;
}

static void report_growth(const family *f, int from, const bench_result *a, int to,
                          const bench_result *b, bool last)
{
    char room[80];
    double ratio = log((double)to / from);
    snprintf(room, sizeof room, "\"from\": %d, \"to\": %d", from, to);
    bench_report_guard(f->name, room, "exponent", log(b->seconds / a->seconds) / ratio, 0);
    if (a->count > 0)
        bench_report_guard(f->name, room, "exponent of nodes", log(b->count / a->count) / ratio,
                           last ? f->exponent : 0);
}

static void measure_family(const family *f)
{
    bench_result before = {0};
    int n_before = 0;
    char room[80];
    for (int n = f->first, next; n <= f->last; n = next) {
        next = f->step ? n + f->step : 2 * n;
        jn_str text;
        jn_str_init(&text);
        write_family(f, &text, n);
        bench_result r = bench_run(build, &text);
        jn_str_clear(&text);
        snprintf(room, sizeof room, "\"n\": %d", n);
        bench_report(f->name, room, &r, 0);
        bench_point("all-modes", f->name, n, r.seconds);
        if (n_before)
            report_growth(f, n_before, &before, n, &r, next > f->last);
        if (next > f->last)
            bench_report_guard(f->name, room, "loops", bench_loops(r.seconds), f->ratio);
        before = r;
        n_before = n;
    }
}

void bench_by_family(void)
{
    bench_axes("all-modes", "size n", "seconds for the form of all modes");
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        measure_family(&families[i]);
}
