/* test_sim_together.c: many surfaces at once, in networks.
 *
 * Masses on springs, dampers and dry frictions, friction in series with a spring and a damper, and relays on
 * speeds, on places, and on sums of both; linear ones with frictions written as sources (followed exactly),
 * and ones with frictions as laws and a spring that stiffens (integrated). The second opinion is Euler's
 * implicit method with the laws of all surfaces in every short step, solved by Gauss and Seidel: it looks
 * for no event.
 *
 * JUNCT_TOGETHER=N runs N models of each kind, JUNCT_TOGETHER=N,K the K-th alone. */
#include "beside.h"

#include <math.h>

enum { MASSES = 3, NODES = 5, LINKS = 12, MODELS = 40, STEPS = 20000, SECONDS = 20 };

typedef struct {
    int from, to; /* nodes; to = −1: the ground */
    double value; /* stiffness, damping, or limit */
    double cubic; /* of a spring */
    int spring;   /* of a relay: on the length of that; −1: none */
    double speed; /* of a relay: how much of the relative speed it adds */
} link;

typedef struct {
    int masses, nodes; /* the other nodes have no mass */
    bool exact;
    double mass[NODES], begins[NODES], force[NODES], wave[NODES];
    int nsprings, ndampers, nlimits;
    link spring[LINKS], damper[LINKS], limit[LINKS];
} network;

/* ---- choosing ------------------------------------------------------------------------------ */

static double eighths(test_rng *r, int lo, int hi)
{
    return test_rng_int(r, lo, hi) / 8.0;
}

static int other_end(const network *w, test_rng *r, int from)
{
    return from + 1 < w->masses && test_rng_chance(r, 50) ? from + 1 : -1;
}

static bool has_limit(const network *w, int from, int to, int spring)
{
    for (int i = 0; i < w->nlimits; i++)
        if (w->limit[i].from == from && w->limit[i].to == to &&
            (w->limit[i].spring == spring || w->limit[i].spring < 0 || spring < 0))
            return true;
    return false;
}

static void add_mass(network *w, test_rng *r, bool rests)
{
    int i = w->nodes++;
    w->masses++;
    w->mass[i] = eighths(r, 4, 20);
    w->begins[i] = rests ? 0 : eighths(r, -16, 16);
    w->force[i] = test_rng_chance(r, 60) ? eighths(r, -40, 40) : 0;
    w->wave[i] = test_rng_chance(r, 50) ? test_rng_int(r, 1, 6) : 0;
}

/* A friction that is reached by a spring beside a damper. */
static void add_slider(network *w, test_rng *r)
{
    int node = w->nodes++, from = test_rng_int(r, 0, w->masses - 1);
    w->spring[w->nsprings++] = (link){from, node, test_rng_int(r, 1, 20), 0, -1, 0};
    w->damper[w->ndampers++] = (link){from, node, eighths(r, 2, 16), 0, -1, 0};
    w->limit[w->nlimits++] = (link){node, -1, eighths(r, 1, 24), 0, -1, 1};
}

static void add_surface(network *w, test_rng *r)
{
    int from = test_rng_int(r, 0, w->masses - 1), to = other_end(w, r, from), spring = -1;
    if (w->nsprings && test_rng_chance(r, 40)) {
        spring = test_rng_int(r, 0, w->nsprings - 1);
        from = w->spring[spring].from;
        to = w->spring[spring].to;
    }
    if (to >= w->masses || has_limit(w, from, to, spring))
        return;
    double speed = spring < 0 || test_rng_chance(r, 60) ? 1 : 0;
    w->limit[w->nlimits++] = (link){from, to, eighths(r, 2, 28), 0, spring, speed};
}

static void choose(network *w, test_rng *r, bool exact)
{
    bool rests = test_rng_chance(r, 40);
    *w = (network){.exact = exact};
    int masses = test_rng_int(r, 1, MASSES), surfaces = test_rng_int(r, 1, 4);
    for (int i = 0; i < masses; i++)
        add_mass(w, r, rests);
    for (int i = 0; i < masses; i++) {
        double cubic = !exact && test_rng_chance(r, 40) ? test_rng_int(r, 1, 6) : 0;
        if (test_rng_chance(r, 70))
            w->spring[w->nsprings++] =
                (link){i, other_end(w, r, i), test_rng_int(r, 1, 30), cubic, -1, 0};
        if (test_rng_chance(r, 40))
            w->damper[w->ndampers++] = (link){i, other_end(w, r, i), eighths(r, 1, 16), 0, -1, 0};
    }
    for (int i = 0; i < surfaces; i++)
        add_surface(w, r);
    for (int i = 0; i < 2 && !exact; i++)
        if (test_rng_chance(r, 40))
            add_slider(w, r);
}

/* ---- the model ----------------------------------------------------------------------------- */

static void put_link(jn_str *t, const link *l, const char *name, int k)
{
    if (l->to < 0)
        jn_str_addf(t, "v%d -> %s%d\n", l->from, name, k);
    else
        jn_str_addf(t, "0 %sj%d\nv%d -> %sj%d -> v%d\n%sj%d -> %s%d\n", name, k, l->from, name, k,
                    l->to, name, k, name, k);
}

static void put_nodes(jn_str *t, const network *w)
{
    for (int i = 0; i < w->nodes; i++)
        jn_str_addf(t, "1 v%d\n", i);
    for (int i = 0; i < w->masses; i++) {
        jn_str_addf(t, "I m%d = %.3f, f0 = %.3f\nv%d -> m%d\n", i, w->mass[i], w->begins[i], i, i);
        if (w->wave[i] > 0)
            jn_str_addf(t, "Se F%d = %.3f*sin(%g*t)\nF%d -> v%d\n", i, w->force[i], w->wave[i], i,
                        i);
        else
            jn_str_addf(t, "Se F%d = %.3f\nF%d -> v%d\n", i, w->force[i], i, i);
    }
}

/* A source, against what it reads: into a mass, or between two. */
static void put_relay(jn_str *t, const link *l, int k)
{
    jn_str_addf(t, "Se d%d = %s%.3f*sign(", k, l->to < 0 ? "-" : "", l->value);
    if (l->speed > 0)
        jn_str_addf(t, "f(m%d)", l->from);
    if (l->speed > 0 && l->to >= 0)
        jn_str_addf(t, " - f(m%d)", l->to);
    if (l->spring >= 0)
        jn_str_addf(t, "%sq(c%d)", l->speed > 0 ? " + " : "", l->spring);
    jn_str_add(t, ")\n");
    if (l->to < 0)
        jn_str_addf(t, "d%d -> v%d\n", k, l->from);
    else
        jn_str_addf(t, "0 dj%d\nv%d -> dj%d -> v%d\nd%d -> dj%d\n", k, l->from, k, l->to, k, k);
}

static void write_network(jn_str *t, const network *w)
{
    put_nodes(t, w);
    for (int k = 0; k < w->nsprings; k++) {
        const link *l = &w->spring[k];
        if (l->cubic > 0)
            jn_str_addf(t, "C c%d : e = %g*q + %g*q^3\n", k, l->value, l->cubic);
        else
            jn_str_addf(t, "C c%d = 1/%g\n", k, l->value);
        put_link(t, l, "c", k);
    }
    for (int k = 0; k < w->ndampers; k++) {
        jn_str_addf(t, "R r%d = %.3f\n", k, w->damper[k].value);
        put_link(t, &w->damper[k], "r", k);
    }
    for (int k = 0; k < w->nlimits; k++) {
        const link *l = &w->limit[k];
        if (w->exact || l->spring >= 0) {
            put_relay(t, l, k);
            continue;
        }
        jn_str_addf(t, "R d%d : e = %.3f*sign(f)\n", k, l->value);
        put_link(t, l, "d", k);
    }
    jn_str_add(t, "output ");
    for (int i = 0; i < w->masses; i++)
        jn_str_addf(t, "%sf(m%d)", i ? ", " : "", i);
    jn_str_addc(t, '\n');
}

/* ---- Euler's steps ------------------------------------------------------------------------- */

typedef struct {
    const network *w;
    double h;
    double inverse[NODES][NODES]; /* of what a step takes speeds by */
    double v[NODES], q[LINKS], given[LINKS];
} stepping;

static double apart(const link *l, const double *v)
{
    return v[l->from] - (l->to < 0 ? 0 : v[l->to]);
}

static void add_stiffness(double a[NODES][NODES], const link *l, double value)
{
    a[l->from][l->from] += value;
    if (l->to < 0)
        return;
    a[l->to][l->to] += value;
    a[l->from][l->to] -= value;
    a[l->to][l->from] -= value;
}

/* Gauss and Jordan; the matrix is positive. */
static void invert(double inverse[NODES][NODES], double a[NODES][NODES], int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            inverse[i][j] = i == j;
    for (int k = 0; k < n; k++) {
        double scale = 1 / a[k][k];
        for (int j = 0; j < n; j++) {
            a[k][j] *= scale;
            inverse[k][j] *= scale;
        }
        for (int i = 0; i < n; i++) {
            double by = a[i][k];
            for (int j = 0; j < n && i != k; j++) {
                a[i][j] -= by * a[k][j];
                inverse[i][j] -= by * inverse[k][j];
            }
        }
    }
}

static void set_up(stepping *s, const network *w, double h)
{
    double a[NODES][NODES] = {{0}};
    *s = (stepping){.w = w, .h = h};
    for (int i = 0; i < w->nodes; i++) {
        a[i][i] = w->mass[i] / h;
        s->v[i] = w->begins[i];
    }
    for (int k = 0; k < w->nsprings; k++)
        add_stiffness(a, &w->spring[k], h * w->spring[k].value);
    for (int k = 0; k < w->ndampers; k++)
        add_stiffness(a, &w->damper[k], w->damper[k].value);
    invert(s->inverse, a, w->nodes);
}

/* The speeds that a force along a link gives. */
static void pull(stepping *s, const link *l, double force, double *v)
{
    for (int i = 0; i < s->w->nodes; i++)
        v[i] -= force * (s->inverse[i][l->from] - (l->to < 0 ? 0 : s->inverse[i][l->to]));
}

/* What a surface reads at the end of the step, and how that falls with its force. */
static double reading(const stepping *s, const link *l, const double *v, double *falls)
{
    double v_of_one[NODES] = {0}, weight = l->speed + (l->spring < 0 ? 0 : s->h);
    pull((stepping *)s, l, 1, v_of_one);
    *falls = -weight * apart(l, v_of_one);
    return weight * apart(l, v) + (l->spring < 0 ? 0 : s->q[l->spring]);
}

static void satisfy_all(stepping *s, double *v)
{
    const network *w = s->w;
    double change = 1, falls;
    for (int k = 0; k < w->nlimits; k++)
        pull(s, &w->limit[k], s->given[k], v);
    for (int round = 0; round < 300 && change > 1e-10; round++) {
        change = 0;
        for (int k = 0; k < w->nlimits; k++) {
            const link *l = &w->limit[k];
            double read = reading(s, l, v, &falls);
            double next = fmin(fmax(s->given[k] + read / falls, -l->value), l->value);
            pull(s, l, next - s->given[k], v);
            change = fmax(change, fabs(next - s->given[k]));
            s->given[k] = next;
        }
    }
}

static void step(stepping *s, double t)
{
    const network *w = s->w;
    double v[NODES] = {0};
    for (int i = 0; i < w->nodes; i++) {
        double force =
            w->mass[i] / s->h * s->v[i] + w->force[i] * (w->wave[i] > 0 ? sin(w->wave[i] * t) : 1);
        for (int j = 0; j < w->nodes; j++)
            v[j] += s->inverse[j][i] * force;
    }
    for (int k = 0; k < w->nsprings; k++) {
        double q = s->q[k];
        pull(s, &w->spring[k], w->spring[k].value * q + w->spring[k].cubic * q * q * q, v);
    }
    satisfy_all(s, v);
    memcpy(s->v, v, sizeof v);
    for (int k = 0; k < w->nsprings; k++)
        s->q[k] += s->h * apart(&w->spring[k], v);
}

/* ---- checking ------------------------------------------------------------------------------ */

static void check_speeds(const network *w, const run *x)
{
    static stepping s;
    set_up(&s, w, BESIDE_END / STEPS);
    for (int i = 1; i <= STEPS; i++)
        step(&s, i * s.h);
    for (int i = 0; i < w->masses; i++) {
        double got = x->row[BESIDE_ROWS - 1][i];
        bool near = fabs(got - s.v[i]) <= 0.01 * (1 + fabs(s.v[i]));
        if (!near)
            printf("\n    m%d ends at %.9g, with time stepping at %.4g", i, got, s.v[i]);
        CU_ASSERT(near);
    }
}

static void check_network(const void *context)
{
    const network *w = context;
    static run x;
    jn_str text;
    jn_str_init(&text);
    write_network(&text, w);
    unsigned before = CU_get_number_of_failure_records();
    beside_run(&x, w->exact ? "exact" : "radau", jn_str_c(&text),
               &(jn_sim_options){.method = w->exact ? JN_METHOD_EXACT : JN_METHOD_AUTO}, true);
    if (x.ran) {
        check_speeds(w, &x);
        beside_ledger(&x);
    }
    if (CU_get_number_of_failure_records() > before)
        printf("\n%s", jn_str_c(&text));
    rig_clear(&x.r);
    jn_str_clear(&text);
}

static void check_models(bool exact)
{
    const char *asked = getenv("JUNCT_TOGETHER");
    int only = asked && strchr(asked, ',') ? atoi(strchr(asked, ',') + 1) : -1, broken = 0;
    int models = asked ? atoi(asked) : MODELS;
    for (int k = 0; k < models; k++) {
        test_rng r = test_rng_new((uint64_t)((exact ? 910000 : 900000) + k));
        network w;
        choose(&w, &r, exact);
        if (only >= 0 && k != only)
            continue;
        bool passes = beside_passes(check_network, &w, SECONDS);
        if (!passes)
            printf("\n  ^^ model %d", k);
        broken += !passes;
    }
    if (broken)
        printf("\n%d of %d models fail\n", broken, models);
    CU_ASSERT_EQUAL(broken, 0);
}

static void networks_that_are_followed_exactly(void)
{
    check_models(true);
}

static void networks_that_are_integrated(void)
{
    check_models(false);
}

/* ---- by hand ------------------------------------------------------------------------------- */

/* Blocks of mass 1 on friction 1, on springs of stiffness 1 one behind the other; the first spring is pulled
 * with 1/10. The first block lets go at t = 10 and moves by x'' = (t − 10)/10 − 2·x, until it pulls the
 * second by 1. */
static void write_row(jn_str *t, int n, bool exact)
{
    jn_str_add(t, "Sf belt = 1/10\n");
    for (int i = 1; i <= n; i++) {
        jn_str_addf(t, "I m%d = 1\n1 v%d\nv%d -> m%d\n0 s%d\nC k%d = 1\ns%d -> k%d\n", i, i, i, i,
                    i, i, i, i);
        if (exact)
            jn_str_addf(t, "Se d%d = -1*sign(f(m%d))\nd%d -> v%d\n", i, i, i, i);
        else
            jn_str_addf(t, "R d%d : e = sign(f)\nv%d -> d%d\n", i, i, i);
        jn_str_addf(t, i == 1 ? "belt -> s%d -> v%d\n" : "s%d -> v%d\n", i, i);
        if (i > 1)
            jn_str_addf(t, "v%d -> s%d\n", i - 1, i);
    }
    jn_str_addf(t, "output v = f(m1), w = f(m2), u = f(m%d)", n);
    jn_str_add(t, ", rub = ");
    for (int i = 1; i <= n; i++)
        jn_str_addf(t, exact ? "%sabs(sign(f(m%d)))" : "%sabs(f(d%d))", i > 1 ? " + " : "", i);
    jn_str_addc(t, '\n');
}

static void a_row_of_blocks_rests_on_friction(void)
{
    static const int blocks[] = {7, 20, 50};
    for (int k = 0; k < 6; k++) {
        jn_str text;
        rig r;
        bool exact = k % 2;
        jn_str_init(&text);
        write_row(&text, blocks[k / 2], exact);
        bool begun = rig_new(&r, jn_str_c(&text), NULL);
        CU_ASSERT(begun);
        if (begun) {
            rig_to(&r, 9);
            CLOSE(rig_output(&r, "v"), 0, 1, 1e-12);
            CLOSE(rig_output(&r, "rub"), exact ? blocks[k / 2] : 0, 1, 1e-9);
            rig_to(&r, 12);
            CLOSE(rig_output(&r, "v"), (1 - cosl(2 * sqrtl(2))) / 20, 1, 1e-9);
            CLOSE(rig_output(&r, "w"), 0, 1, 1e-12);
            CLOSE(rig_output(&r, "u"), 0, 1, 1e-12);
            CU_ASSERT_EQUAL(r.nevents, 3);
            CLOSE(rig_at(&r, 2)->t, 10, 1, 1e-9);
        }
        rig_clear(&r);
        jn_str_clear(&text);
    }
}

/* A relay of 3 against the place, friction 1: from 1 on, each half swing is half as long as the one before, and takes
 * 3/2 of the root of what it begins with; all is over at 3/2/(1 − √½). */
static void what_twists_comes_to_rest(void)
{
    static const char *const texts[] = {
        "Se F = -3*sign(q(k))\nR d : e = sign(f)\nv -> d\n",
        "Se F = -3*sign(q(k))\nSe d = -1*sign(f(m))\nd -> v\n",
        "Se F = -3*sign(q(k)) - sign(f(m))\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        jn_str text;
        rig r;
        jn_str_init(&text);
        jn_str_addf(&text,
                    "I m = 1\n1 v\nv -> m\nC k = 1e9, q0 = 1\nv -> k\n%sF -> v\n"
                    "output q = q(k), v = f(m)\n",
                    texts[i]);
        bool begun = rig_new(&r, jn_str_c(&text), NULL);
        CU_ASSERT(begun);
        if (begun) {
            rig_to(&r, 1);
            CLOSE(rig_output(&r, "v"), -2, 1, 1e-6);
            rig_to(&r, 5.0);
            CU_ASSERT(fabs(rig_output(&r, "v")) > 1e-3);
            rig_to(&r, 5.13); /* when its swings are taken to have died down */
            CLOSE(rig_output(&r, "q"), 0, 1, 1e-8);
            rig_to(&r, 20);
            CLOSE(rig_output(&r, "q"), 0, 1, 1e-8);
            CLOSE(rig_output(&r, "v"), 0, 1, 1e-9);
        }
        rig_clear(&r);
        jn_str_clear(&text);
    }
}

/* What it compares is its place: it rests there, held by the relay against 2 and 2·sin(t). */
static void a_relay_holds_what_rests_on_its_surface(void)
{
    static const char *const pulls[] = {"2", "2*sin(t)"};
    for (int i = 0; i < 2; i++) {
        jn_str text;
        rig r;
        jn_str_init(&text);
        jn_str_addf(&text,
                    "Se F = %s\nSe G = -3*sign(q(k))\nI m = 1\n1 v\nC k = 1\nF -> v -> m\nG -> v\n"
                    "v -> k\noutput q = q(k), v = f(m), e = e(G)\n",
                    pulls[i]);
        bool begun = rig_new(&r, jn_str_c(&text), NULL);
        CU_ASSERT(begun);
        if (begun) {
            rig_to(&r, 1);
            CLOSE(rig_output(&r, "q"), 0, 1, 1e-9);
            CLOSE(rig_output(&r, "v"), 0, 1, 1e-9);
            CLOSE(rig_output(&r, "e"), i ? -2 * sinl(1) : -2, 1, 1e-6);
        }
        rig_clear(&r);
        jn_str_clear(&text);
    }
}

/* A mass is braked through two dampers, of 7/4 and 2, each in series with a friction, of 5/4 and 1/4: both slip, then
 * only the second, then none. */
static void frictions_behind_dampers_give_way_together(void)
{
    long double t1 = (0.75L - 5 / 7.0L) / 1.5L, end = 1.0L / 7;
    long double t2 = t1 + logl((5 / 7.0L + end) / (0.125L + end)) / 1.75L;
    rig r;
    bool begun = rig_new(&r,
                         "I m = 1, f0 = 3/4\n1 v\nv -> m\n0 a\n0 b\n1 x\n1 y\nv -> a -> x\n"
                         "v -> b -> y\nR c = 7/4\nR d = 2\na -> c\nb -> d\nR f : e = 5/4*sign(f)\n"
                         "R g : e = 1/4*sign(f)\nx -> f\ny -> g\noutput v = f(m)\n",
                         NULL);
    CU_ASSERT_FATAL(begun);
    rig_to(&r, 0.01);
    CLOSE(rig_output(&r, "v"), 0.735L, 1, 1e-9);
    rig_to(&r, 0.5);
    CLOSE(rig_output(&r, "v"), (5 / 7.0L + end) * expl(-1.75L * (0.5L - t1)) - end, 1, 1e-9);
    rig_to(&r, 1.5);
    CLOSE(rig_output(&r, "v"), 0.125L * expl(-3.75L * (1.5L - t2)), 1, 1e-9);
    rig_clear(&r);
}

/* At rest, a friction of 3/10 bears t/10 until t = 3, whatever else is joined at t = 1: another one, on a
 * capacitor behind a resistor, where nothing moves either. */
static void a_friction_that_is_joined_at_rest_rests(void)
{
    rig r;
    bool begun =
        rig_new(&r,
                "Se F = t/10\nI m = 1\nR d : e = 3/10*sign(f) + f/10\nR g : e = 3/10*sign(f)\n"
                "1 v\n1 u\n0 j\nX1 s\nF -> v -> m\nv -> d\nv -> j\nj -> s -> g\nj -> u -> c\n"
                "C c = 1/10\nu -> r\nR r = 1\nswitch s off, on at 1\n"
                "output v = f(m), c = e(c)\n",
                NULL);
    CU_ASSERT_FATAL(begun);
    rig_to(&r, 2.9);
    CLOSE(rig_output(&r, "v"), 0, 1, 1e-12);
    CLOSE(rig_output(&r, "c"), 0, 1, 1e-12);
    rig_to(&r, 3.1);
    CU_ASSERT(rig_output(&r, "v") > 1e-4);
    CLOSE(rig_at(&r, r.nevents - 1)->t, 3, 1, 1e-9);
    rig_clear(&r);
}

void suite_sim_together(void)
{
    TEST_SUITE("sim_together");
    TEST_ADD(networks_that_are_followed_exactly);
    TEST_ADD(networks_that_are_integrated);
    TEST_ADD(a_row_of_blocks_rests_on_friction);
    TEST_ADD(what_twists_comes_to_rest);
    TEST_ADD(a_relay_holds_what_rests_on_its_surface);
    TEST_ADD(frictions_behind_dampers_give_way_together);
    TEST_ADD(a_friction_that_is_joined_at_rest_rests);
}
