/* Large systems are solved sparsely, small ones densely: both must say the same. */
#include <glob.h>
#include <math.h>

#include "junct/lapack.h"
#include "sim/integrate.h"
#include "rig.h"

/* ---- systems of equations ------------------------------------------------------------------ */

typedef struct {
    int n;
    sparse_pattern p;
    double *value, *dense; /* by entry; row by row */
} matrix;

static double uniform(test_rng *r)
{
    return (double)(test_rng_next(r) >> 11) / 4503599627370496.0 - 1;
}

static void make_pattern(matrix *a)
{
    int count = 0, n = a->n;
    a->p = (sparse_pattern){.n = n, .start = calloc((size_t)n + 1, sizeof(int))};
    a->p.row = calloc((size_t)(n * n), sizeof(int));
    a->value = calloc((size_t)(n * n), sizeof(double));
    for (int j = 0; j < n; j++) {
        a->p.start[j] = count;
        for (int i = 0; i < n; i++)
            if (i == j || a->dense[i * n + j] != 0) {
                a->p.row[count] = i;
                a->value[count++] = a->dense[i * n + j];
            }
    }
    a->p.start[n] = count;
}

/* A few entries in each row, in different units row by row; half of the diagonals are 0 but for what must be. */
static matrix random_matrix(test_rng *r, int n)
{
    matrix a = {.n = n, .dense = calloc((size_t)(n * n), sizeof(double))};
    for (int i = 0; i < n; i++) {
        double unit = pow(10, test_rng_int(r, -9, 9));
        a.dense[i * n + i] = test_rng_chance(r, 50) ? unit * uniform(r) : 0;
        a.dense[i * n + (i + 7) % n] = unit * (2 + uniform(r));
        for (int k = 0; k < 2; k++)
            a.dense[i * n + test_rng_int(r, 0, n - 1)] += 0.3 * unit * uniform(r);
    }
    make_pattern(&a);
    return a;
}

static void clear_matrix(matrix *a)
{
    free(a->p.start);
    free(a->p.row);
    free(a->value);
    free(a->dense);
}

/* b := A·x */
static void multiply(double *b, const matrix *a, const double *x)
{
    for (int i = 0; i < a->n; i++)
        b[i] = jni_dot(a->dense + i * a->n, x, a->n);
}

static void known_solutions_come_out(void)
{
    static const int size[] = {1, 2, 5, 30, 64, 65, 66, 120, 200};
    test_rng r = test_rng_new(901);
    for (size_t k = 0; k < sizeof size / sizeof *size; k++)
        for (int times = 0; times < 10; times++) {
            matrix a = random_matrix(&r, size[k]);
            linear_system *system = jni_system_new(&a.p);
            double *x = calloc((size_t)a.n, sizeof *x), *b = calloc((size_t)a.n, sizeof *b);
            double *value = calloc((size_t)a.p.start[a.n], sizeof *value);
            for (int again = 0; again < 2; again++) { /* other values, the same pattern */
                for (int i = 0; i < a.n; i++)
                    x[i] = uniform(&r);
                multiply(b, &a, x);
                memcpy(value, a.value, (size_t)a.p.start[a.n] * sizeof *value);
                CU_ASSERT_TRUE_FATAL(jni_system_solve(system, value, b));
                for (int i = 0; i < a.n; i++)
                    CU_ASSERT_DOUBLE_EQUAL(b[i], x[i], 1e-11);
                for (int e = 0; e < a.p.start[a.n]; e++)
                    a.value[e] *= 1 + 0.01 * uniform(&r);
                for (int j = 0; j < a.n; j++)
                    for (int e = a.p.start[j]; e < a.p.start[j + 1]; e++)
                        a.dense[a.p.row[e] * a.n + j] = a.value[e];
            }
            jni_system_free(system);
            free(value);
            free(x);
            free(b);
            clear_matrix(&a);
        }
}

/* Entries of −1, 0 and 1, so that elimination is exact: a row that repeats another, or a column of nothing; and
 * what is not a number. */
static void singular_systems_are_told_in_both(void)
{
    test_rng r = test_rng_new(902);
    for (int n = 40; n <= 90; n += 50)
        for (int how = 0; how < 4; how++) {
            matrix a = {.n = n, .dense = calloc((size_t)(n * n), sizeof(double))};
            for (int i = 0; i < n; i++) {
                a.dense[i * n + i] = 1;
                if (i)
                    a.dense[i * n + test_rng_int(&r, 0, i - 1)] = test_rng_chance(&r, 50) ? 1 : -1;
            }
            for (int j = 0; j < n && how == 1; j++)
                a.dense[(n / 2) * n + j] = a.dense[(n / 3) * n + j];
            for (int i = 0; i < n && how == 2; i++)
                a.dense[i * n + n / 2] = 0;
            if (how == 3)
                a.dense[(n / 2) * n + n / 2] = NAN;
            make_pattern(&a);
            double *b = calloc((size_t)n, sizeof *b);
            b[n / 2] = 1;
            linear_system *system = jni_system_new(&a.p);
            CU_ASSERT_EQUAL(jni_system_solve(system, a.value, b), how == 0);
            jni_system_free(system);
            free(b);
            clear_matrix(&a);
        }
}

/* ---- sizes --------------------------------------------------------------------------------- */

/* I − L·S of a grid of resistors: S is skew, and the resistors are of many sizes. */
static matrix random_chain(test_rng *r, int n, int spread)
{
    matrix a = {.n = n, .dense = calloc((size_t)(n * n), sizeof(double))};
    int wide = 9;
    double *L = calloc((size_t)n, sizeof *L);
    for (int i = 0; i < n; i++) {
        L[i] = pow(10, spread * uniform(r));
        a.dense[i * n + i] = 1;
    }
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k += k == i + 1 ? wide - 1 : n) {
            double S = test_rng_chance(r, 50) ? 1 : -1;
            a.dense[i * n + k] = -L[i] * S;
            a.dense[k * n + i] = L[k] * S;
        }
    free(L);
    make_pattern(&a);
    return a;
}

/* Of what has sizes v: all terms added up, and by their squares. */
static void exact_size(double size[2], const double *inverse, const double *v, int n)
{
    size[0] = size[1] = 0;
    for (int j = 0; j < n; j++) {
        size[0] += fabs(inverse[j]) * v[j];
        size[1] += pow(inverse[j] * v[j], 2);
    }
    size[1] = sqrt(size[1]);
}

static void check_sizes(matrix *a, test_rng *r)
{
    int n = a->n;
    double *inverse = calloc((size_t)(n * n), sizeof *inverse), exact[2];
    double *v = calloc((size_t)n, sizeof *v), *size = calloc((size_t)n, sizeof *size);
    for (int i = 0; i < n; i++) {
        inverse[i * n + i] = 1;
        v[i] = fabs(uniform(r));
    }
    inverse_size *k = jni_inverse_size_new(&a->p, a->value);
    CU_ASSERT_PTR_NOT_NULL_FATAL(k);
    CU_ASSERT_EQUAL_FATAL(jn_lapack_solve(a->dense, inverse, n, n), JN_OK);
    jni_inverse_size_of(size, k, v);
    for (int i = 0; i < n; i++) {
        exact_size(exact, inverse + i * n, v, n);
        CU_ASSERT_TRUE(size[i] <= 2 * exact[0] * (1 + 1e-9));
        CU_ASSERT_TRUE(size[i] >= 0.5 * exact[1]);
    }
    jni_inverse_size_free(k);
    free(inverse);
    free(v);
    free(size);
}

/* What is added beyond what rounding can be would hide events, and what is missing would make some. */
static void sizes_through_an_inverse(void)
{
    test_rng r = test_rng_new(903);
    for (int n = 60; n <= 180; n += 40)
        for (int times = 0; times < 20; times++) {
            matrix a = random_chain(&r, n, times % 4);
            check_sizes(&a, &r);
            clear_matrix(&a);
        }
}

/* ---- models -------------------------------------------------------------------------------- */

/* Each of them has a few unknowns; twenty copies that have nothing to do with each other have more than 64, and
 * each of these is worth what it is alone. %: [k], in a loop, or nothing. */
typedef struct {
    const char *of, *reads, *text;
    double t;
    const char *once; /* beside them */
} part;

static const part parts[] = {
    {"chain with cubic resistors, chopped", "e(a%)",
     "Se V% = 1 + sin(3*t)\nX1 s%\nR r% : e = f + f^3\nC a% = 1\nC b% = 0.5\nR q% : e = 2*f + f^3\n"
     "0 na%\n0 nb%\n1 m%\nV% -> s% -> na% -> a%\ns% -> r%\nna% -> m% -> nb% -> b%\nm% -> q%\n"
     "switch s% pwm(0.7, 0.4)\n",
     5, ""},
    {"diode into a capacitor, with a coil", "e(a%)",
     "Se V% = 3*sin(2*t)\nX1 d%\nI L% = 0.1\nR r% = 0.2\nC a% = 1\nR b% : f = e + e^3\n0 n%\n"
     "V% -> d% -> n%\nd% -> L%\nd% -> r%\nn% -> a%\nn% -> b%\nswitch d% diode\n",
     7, ""},
    {"capacitors that are joined: a jump, then one is dependent", "e(a%)",
     "C a% = 1, q0 = 2\nC b% = 3\n1 x%\n0 na%\n0 nb%\nX1 s%\nR r% : e = f + f^3\nR l% = 4\n"
     "na% -> s% -> nb%\nna% -> a%\nnb% -> b%\nna% -> x% -> r%\nnb% -> l%\n"
     "switch s% off, on at 1, off at 2, on at 3\n",
     4, ""},
    {"a mass with dry friction, which sticks and slides, beside some chains", "f(m)",
     "Se V% = 2*sin(t)\nR r% : e = f + f^3\nC a% = 1\nR b% : f = e + e^3\n1 n%\n0 o%\nV% -> n%\n"
     "n% -> r%\nn% -> o%\no% -> a%\no% -> b%\n",
     6, "Se F = 2*sin(t)\nI m = 1\nR c : e = sign(f) + 0.1*f^3\n1 v\nF -> v -> m\nv -> c\n"},
    {"friction by what a contact carries", "f(a%)",
     "Se F% = 3*sin(2*t)\nSe G% = -5\nI a% = 1\nI y% = 1\nR r% : e = 0.3*abs(e(z%))*sign(f)\nR z% "
     "= 4\n"
     "1 v%\n1 w%\nF% -> v% -> a%\nv% -> r%\nG% -> w% -> y%\nw% -> z%\n",
     5, ""},
};

static void write_name(jn_str *to, const char *text, const char *place)
{
    for (const char *c = text; *c; c++)
        if (*c == '%')
            jn_str_add(to, place);
        else
            jn_str_addc(to, *c);
}

static void write_copies(jn_str *to, const part *p, int copies)
{
    char last[16] = "";
    if (copies > 1) {
        jn_str_addf(to, "for k in 1..%d {\n", copies);
        snprintf(last, sizeof last, "[%d]", copies);
    }
    write_name(to, p->text, copies > 1 ? "[k]" : "");
    jn_str_add(to, copies > 1 ? "}\n" : "");
    jn_str_add(to, p->once);
    jn_str_add(to, "output first = ");
    write_name(to, p->reads, copies > 1 ? "[1]" : "");
    jn_str_add(to, ", last = ");
    write_name(to, p->reads, last);
    jn_str_add(to, "\n");
}

static void open_copies(rig *r, const part *p, int copies)
{
    jn_str text;
    jn_str_init(&text);
    write_copies(&text, p, copies);
    jn_sim_options o = {.method = JN_METHOD_RADAU};
    CU_ASSERT_FATAL(rig_new(r, text.s, &o));
    jn_str_clear(&text);
}

static void copies_are_worth_what_one_is(void)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        rig one, many;
        unsigned before = CU_get_number_of_failure_records();
        open_copies(&one, &parts[i], 1);
        open_copies(&many, &parts[i], 20);
        for (int k = 1; k <= 20; k++) {
            rig_to(&one, parts[i].t * k / 20);
            rig_to(&many, parts[i].t * k / 20);
            double alone = rig_output(&one, "first");
            CLOSE(rig_output(&many, "first"), alone, 1, 1e-9);
            CLOSE(rig_output(&many, "last"), alone, 1, 1e-9);
        }
        LEDGER(&many);
        if (CU_get_number_of_failure_records() > before)
            printf("\n%s", parts[i].of);
        rig_clear(&one);
        rig_clear(&many);
    }
}

/* ---- patterns ------------------------------------------------------------------------------ */

/* Column by column, which needs no pattern: the slopes are the same, and 0 outside of it. */
static void check_slopes(integrate *n, mode *m, double t)
{
    structure *k = jni_slopes_of(n, m, t);
    const sparse_pattern *p = jni_structure_pattern(k);
    double *by_y = jni_doubles(p->start[p->n]), *by_yp = jni_doubles(p->start[p->n]);
    bool ok = true;
    n->w.branching = BRANCH_HELD;
    jni_residual_at(n, n->y, n->yp);
    jni_structure_slopes(k, n, m, t, by_y, by_yp);
    for (int j = 0; j < p->n; j++)
        for (int rate = 0; rate <= jni_is_dependent(n, m, j); rate++) {
            const double *found = rate ? by_yp : by_y;
            double *d = rate ? &n->w.Yp[j].d : &n->w.Y[j].d;
            *d = 1;
            jni_residual(n, m, (dual){t, 0}, NULL);
            *d = 0;
            for (int e = p->start[j]; e < p->start[j + 1]; e++) {
                double *own = &n->w.F[p->row[e]].d;
                ok = ok && (*own == found[e] || (isnan(*own) && isnan(found[e])));
                *own = 0;
            }
            for (int i = 0; i < p->n; i++)
                ok = ok && n->w.F[i].d == 0;
        }
    CU_ASSERT(ok);
    free(by_y);
    free(by_yp);
}

/* All modes that were met, each with the pattern that it had when it was met first, at the values of now. */
static int check_all_slopes(const rig *r)
{
    jn_sim *s = r->sim;
    if (s->engine != &jni_integrate_engine || s->slide)
        return 0;
    int checked = 0;
    for (int i = 0; i < s->modes.n; i++)
        if (s->modes.mode[i]->own && s->modes.mode[i]->status == JN_MODE_OK) {
            check_slopes(jni_integrate(s), s->modes.mode[i], s->clock.t);
            checked++;
        }
    return checked;
}

static void patterns_hold_all_slopes(void)
{
    glob_t found;
    int checked = 0;
    CU_ASSERT_EQUAL_FATAL(glob("tests/sim/cases/*.hbg", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *text = test_read_file(found.gl_pathv[i]);
        jn_sim_options o = {.method = JN_METHOD_RADAU, .folder = "tests/sim/cases"};
        rig r;
        unsigned before = CU_get_number_of_failure_records();
        bool runs = rig_new(&r, text, &o);
        for (int k = 1; k <= 2 && runs && rig_try(&r, 0.05 * k) == JN_STOP_NONE; k++)
            checked += check_all_slopes(&r);
        if (CU_get_number_of_failure_records() > before)
            printf("\n%s\n", found.gl_pathv[i]);
        rig_clear(&r);
        free(text);
    }
    globfree(&found);
    CU_ASSERT(checked > 100);
}

/* ---- a grid of resistors ------------------------------------------------------------------- */

enum { WIDE = 14 };

/* n × n nodes, each joined to its neighbours by 1: between opposite corners it is one resistor. */
static double grid_resistance(void)
{
    enum { ALL = WIDE * WIDE, LAST = ALL - 1 };
    double *G = calloc(LAST * LAST, sizeof *G), *e = calloc(LAST, sizeof *e), R;
    for (int a = 0; a < ALL; a++)
        for (int way = 0; way < 2; way++) {
            bool is_edge = way ? a / WIDE == WIDE - 1 : a % WIDE == WIDE - 1;
            int b = a + (way ? WIDE : 1);
            if (is_edge)
                continue;
            G[a * LAST + a] += 1;
            if (b < LAST) {
                G[b * LAST + b] += 1;
                G[a * LAST + b] -= 1;
                G[b * LAST + a] -= 1;
            }
        }
    e[0] = 1; /* a flow of 1 into the first, out of the last, whose effort is 0 */
    CU_ASSERT_EQUAL_FATAL(jn_lapack_solve(G, e, LAST, 1), JN_OK);
    R = e[0];
    free(G);
    free(e);
    return R;
}

#define AROUND_THE_GRID                                                                            \
    "Se V = sin(t)\n1 j\nR r0 = 1\nV -> j -> r0\nX1 d\n0 out\nC c = 1\nR b : f = e + e^3\n"        \
    "d -> out -> c\nout -> b\nswitch d diode\noutput u = e(c), i = f(d)\n"

static void open_grid(rig *r, bool is_whole)
{
    jn_sim_options o = {.method = JN_METHOD_RADAU};
    jn_str text;
    jn_str_init(&text);
    if (is_whole)
        jn_str_addf(
            &text,
            AROUND_THE_GRID
            "for i in 1..%d {\n0 n[i]\n}\nj -> n[1]\nn[%d] -> d\n"
            "for i in 1..%d {\nfor k in 1..%d {\nR h[(i-1)*%d+k] = 1\n1 x[(i-1)*%d+k]\n"
            "n[(i-1)*%d+k] -> x[(i-1)*%d+k] -> n[(i-1)*%d+k+1]\nx[(i-1)*%d+k] -> h[(i-1)*%d+k]\n"
            "R v[(i-1)*%d+k] = 1\n1 y[(i-1)*%d+k]\n"
            "n[(k-1)*%d+i] -> y[(i-1)*%d+k] -> n[k*%d+i]\ny[(i-1)*%d+k] -> v[(i-1)*%d+k]\n}\n}\n",
            WIDE * WIDE, WIDE * WIDE, WIDE, WIDE - 1, WIDE, WIDE, WIDE, WIDE, WIDE, WIDE, WIDE,
            WIDE, WIDE, WIDE, WIDE, WIDE, WIDE, WIDE);
    else
        jn_str_addf(&text, AROUND_THE_GRID "R g = %.17g\nj -> g\nj -> d\n", grid_resistance());
    CU_ASSERT_FATAL(rig_new(r, text.s, &o));
    jn_str_clear(&text);
}

/* A diode behind a grid of 364 resistors: its current is known as well as behind one. */
static void a_diode_behind_a_grid_opens_and_closes(void)
{
    rig whole, one;
    open_grid(&whole, true);
    open_grid(&one, false);
    for (int k = 1; k <= 40; k++) {
        rig_to(&whole, 0.5 * k);
        rig_to(&one, 0.5 * k);
        CLOSE(rig_output(&whole, "u"), rig_output(&one, "u"), 1, 1e-9);
        CLOSE(rig_output(&whole, "i"), rig_output(&one, "i"), 1, 1e-9);
    }
    CU_ASSERT_EQUAL(whole.nevents, one.nevents);
    CU_ASSERT(one.nevents > 6);
    rig_clear(&whole);
    rig_clear(&one);
}

/* ---- many states, exactly ------------------------------------------------------------------ */

enum { SECTIONS = 250 };

/* Resistors of 1/1000 and capacitors of 1 after a step of 1: eigenvectors are sines, 0 at the source and flat at the
 * end. What place j has by t. */
static long double step_response(int j, long double t)
{
    long double sum = 0, pi = 3.14159265358979323846264338327950288L;
    for (int k = 1; k <= SECTIONS && t > 0; k++) {
        long double theta = (2 * k - 1) * pi / (2 * SECTIONS + 1), half = sinl(theta / 2);
        long double weight = 2 * cosl(theta / 2) / half / (2 * SECTIONS + 1);
        sum += weight * sinl(theta * j) * expl(-4000 * half * half * t);
    }
    return t > 0 ? 1 - sum : 0;
}

/* From 10⁻³ s to 10⁶ times that: a step, and what is left of it when it is taken back. */
static void long_stretches_of_many_states(void)
{
    static const double at[] = {0.01, 1, 10, 60, 100, 110, 111, 150, 300};
    rig r;
    jn_str text;
    jn_str_init(&text);
    jn_str_addf(
        &text,
        "Se V = if(on(s), 1, 0)\nswitch s on, off at 110\nfor k in 1..%d {\n0 n[k]\nC c[k] = 1\n"
        "n[k] -> c[k]\n1 m[k]\nR g[k] = 1/1000\nm[k] -> g[k]\nm[k] -> n[k]\n}\nV -> m[1]\n"
        "for k in 2..%d {\nn[k-1] -> m[k]\n}\noutput first = e(c[1]), last = e(c[%d])\n",
        SECTIONS, SECTIONS, SECTIONS);
    CU_ASSERT_FATAL(rig_new(&r, text.s, NULL));
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        rig_to(&r, at[i]);
        CLOSE(rig_output(&r, "first"), step_response(1, at[i]) - step_response(1, at[i] - 110), 1,
              1e-14);
        CLOSE(rig_output(&r, "last"),
              step_response(SECTIONS, at[i]) - step_response(SECTIONS, at[i] - 110), 1, 1e-14);
    }
    rig_clear(&r);
    jn_str_clear(&text);
}

void suite_sim_sparse(void)
{
    TEST_SUITE("sim_sparse");
    TEST_ADD(known_solutions_come_out);
    TEST_ADD(singular_systems_are_told_in_both);
    TEST_ADD(sizes_through_an_inverse);
    TEST_ADD(copies_are_worth_what_one_is);
    TEST_ADD(patterns_hold_all_slopes);
    TEST_ADD(long_stretches_of_many_states);
    TEST_ADD(a_diode_behind_a_grid_opens_and_closes);
}
