/* bench_families.c: how the form of all modes grows, family by family.
 *
 * A family is a kind of network of any size. The exponent of its growth says more than seconds do,
 * and is guarded; so is the time of one size, as a ratio to a loop of fixed work that is measured
 * in the same run, so that a slow machine changes nothing. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "junct.h"

/* ---- models -------------------------------------------------------------------------------- */

/* Full bridges in series, each around a capacitor. */
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

/* A chain of 2·steps switches from the highest source to the lowest, clamped to those between. */
static void write_clamped(jn_str *out, int steps)
{
    int m = steps;
    jn_str_addf(out, "model clamped\nfor k in 0..%d {\n  Se V[k] = k\n  0 tap[k]\n", m);
    jn_str_addf(out, "  V[k] -> tap[k]\n}\nfor k in 1..%d {\n  0 x[k]\n}\n", 2 * m - 1);
    jn_str_addf(out, "for k in 1..%d {\n  X1 s[k]\n}\n", 2 * m);
    jn_str_addf(out, "tap[%d] -> s[1] -> x[1]\nx[%d] -> s[%d] -> tap[0]\n", m, 2 * m - 1, 2 * m);
    jn_str_addf(out, "for k in 2..%d {\n  x[k - 1] -> s[k] -> x[k]\n}\n", 2 * m - 1);
    jn_str_addf(out,
                "for k in 1..%d {\n  X1 up[k]\n  X1 low[k]\n  tap[%d - k] -> up[k] -> x[k]\n"
                "  x[%d + k] -> low[k] -> tap[%d - k]\n}\n",
                m - 1, m, m, m);
    jn_str_addf(out, "1 load\nI L = 1/100\nR r = 5\nx[%d] -> load -> L\nload -> r\n", m);
}

/* A switch from each of n sources to each of n loads. */
static void write_matrix(jn_str *out, int n)
{
    jn_str_addf(out,
                "model matrix\nfor i in 1..%d {\n"
                "  Se u[i] = i\n  0 in[i]\n  u[i] -> in[i]\n"
                "  0 out[i]\n  1 load[i]\n  R r[i] = 1\n  I L[i] = 1/100\n"
                "  out[i] -> load[i] -> L[i]\n  load[i] -> r[i]\n}\n",
                n);
    for (int i = 1; i <= n; i++)
        for (int k = 1; k <= n; k++)
            jn_str_addf(out, "X1 s%d_%d\nin[%d] -> s%d_%d -> out[%d]\n", i, k, i, i, k, k);
}

/* Nodes with a capacitor and, between neighbours, a resistor; a switch at each capacitor. */
static void write_grid(jn_str *out, int width)
{
    jn_str_add(out, "model grid\nSe V = 10\nR r0 = 1\n1 src\nV -> src\nsrc -> r0\n");
    for (int i = 0; i < width; i++)
        for (int k = 0; k < width; k++)
            jn_str_addf(out,
                        "0 n%d_%d\nC c%d_%d = 1/100\nX1 s%d_%d\nR q%d_%d = 1\n"
                        "n%d_%d -> s%d_%d -> c%d_%d\ns%d_%d -> q%d_%d\n",
                        i, k, i, k, i, k, i, k, i, k, i, k, i, k, i, k, i, k);
    jn_str_add(out, "src -> n0_0\n");
    for (int i = 0; i < width; i++)
        for (int k = 0; k < width; k++)
            for (int down = 0; down < 2; down++)
                if (i + down < width && k + !down < width)
                    jn_str_addf(out,
                                "1 l%d_%d_%d\nR r%d_%d_%d = 1\n"
                                "n%d_%d -> l%d_%d_%d -> n%d_%d\nl%d_%d_%d -> r%d_%d_%d\n",
                                down, i, k, down, i, k, i, k, down, i, k, i + down, k + !down, down,
                                i, k, down, i, k);
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
    void (*write)(jn_str *out, int n);
    int first, last; /* sizes, each twice the one before, or `step` more */
    int step;        /* 0: twice */
    double exponent; /* the growth from the last size but one may not be above; 0: no guard */
    double ratio;    /* nor the last size, in calibration loops; 0: no guard */
} family;

static const family families[] = {
    {"arm", bench_write_arm, 16, 128, 0, 3.3, 40},
    {"bridges", write_bridges, 8, 64, 0, 3.3, 100},
    {"clamped leg", write_clamped, 2, 8, 0, 0, 80},
    {"matrix converter", write_matrix, 2, 4, 1, 0, 0},
    {"grid", write_grid, 4, 6, 1, 0, 0},
    {"star", write_star, 1000, 16000, 0, 1.5, 30},
    {"ladder", bench_write_ladder, 1024, 8192, 0, 1.5, 30},
};

static bool build(const void *arg, double *count)
{
    (void)count;
    const jn_str *text = arg;
    jn_arena *arena = jn_arena_new();
    jn_diags *d = jn_diags_new();
    jn_graph *g = NULL;
    jn_junction *j = NULL;
    bool ok = jn_graph_read(&g, jn_source_of(arena, "bench", text->s, text->len), d) == JN_OK &&
              jn_junction_build(&j, g, false, d) == JN_OK;
    jn_junction_free(j);
    jn_graph_free(g);
    jn_diags_free(d);
    jn_arena_free(arena);
    return ok;
}

enum { TABLE = 1 << 20, STEPS = 1 << 22 };

/* Looks at random places of a table of 8 MB: much like looking for nodes. */
static bool calibrate(const void *arg, double *count)
{
    (void)arg;
    uint64_t *table = jn_alloc(TABLE * sizeof *table), x = 1, sum = 0;
    for (long i = 0; i < STEPS; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        sum ^= table[x >> 44];
        table[x >> 44] += x;
    }
    *count = sum ? STEPS : 0;
    free(table);
    return true;
}

static void bench_family(const family *f, double loop)
{
    double before = 0;
    int n_before = 0;
    char room[80];
    for (int n = f->first; n <= f->last; n = f->step ? n + f->step : 2 * n) {
        jn_str text;
        jn_str_init(&text);
        f->write(&text, n);
        bench_result r = bench_run(build, &text);
        jn_str_clear(&text);
        snprintf(room, sizeof room, "\"n\": %d", n);
        bench_report(f->name, room, &r, 0);
        bool last = (f->step ? n + f->step : 2 * n) > f->last;
        if (n_before) {
            snprintf(room, sizeof room, "\"from\": %d, \"to\": %d", n_before, n);
            bench_report_guard(f->name, room, "exponent",
                               log(r.seconds / before) / log((double)n / n_before),
                               last ? f->exponent : 0);
        }
        if (last) {
            snprintf(room, sizeof room, "\"n\": %d", n);
            bench_report_guard(f->name, room, "loops", r.seconds / loop, f->ratio);
        }
        before = r.seconds;
        n_before = n;
    }
}

void bench_by_family(void)
{
    bench_result loop = bench_run(calibrate, NULL);
    bench_report("calibration loop", "", &loop, 0);
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        bench_family(&families[i], loop.seconds);
}
