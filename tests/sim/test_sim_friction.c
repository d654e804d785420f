/* test_sim_friction.c: random chains of masses with dry friction between them and on the ground.
 *
 * Every row must keep the law of every friction: sliding, the force is the limit against the
 * motion; at rest, it is at most the limit. And the speeds are those of a second opinion: Moreau's
 * time stepping, which takes the velocity after each short step as the one that satisfies all laws
 * at once (a projection by Gauss and Seidel) and never looks for an event.
 *
 * JUNCT_FRICTION=N runs N models of each kind, without and with loops of frictions; JUNCT_FRICTION=N,K
 * the K-th alone. A thousand have been run; a few are enough from day to day. */
#include "beside.h"

#include <math.h>

enum { MASSES = 4, FRICTIONS = 5, MODELS = 250, LOOPS = 60, STEPS = 4000, SECONDS = 20 };

typedef struct {
    int from, to; /* masses; to = −1: the ground */
    double limit;
} friction;

typedef struct {
    int n, nfrictions, nsprings;
    double mass[MASSES], speed[MASSES], force[MASSES], wave[MASSES], damping[MASSES];
    friction f[FRICTIONS], spring[MASSES]; /* of a spring: its stiffness */
    bool redundant;                        /* frictions around a loop share a force in open ways */
} chain;

/* ---- choosing ------------------------------------------------------------------------------ */

static double eighths(test_rng *r, int lo, int hi)
{
    return test_rng_int(r, lo, hi) / 8.0;
}

/* Whether two masses (or the ground, n) are joined by what is there. */
static bool joined(const chain *c, int a, int b)
{
    bool reached[MASSES + 1] = {false};
    reached[a] = true;
    for (int round = 0; round < MASSES; round++)
        for (int i = 0; i < c->nfrictions; i++) {
            int x = c->f[i].from, y = c->f[i].to < 0 ? c->n : c->f[i].to;
            reached[x] = reached[y] = reached[x] || reached[y];
        }
    return reached[b];
}

static void add_friction(chain *c, test_rng *r, bool loops)
{
    int from = test_rng_int(r, 0, c->n - 1);
    int to = from + 1 < c->n && test_rng_chance(r, 60) ? from + 1 : -1;
    for (int i = 0; i < c->nfrictions; i++)
        if (c->f[i].from == from && c->f[i].to == to)
            return;
    bool loop = joined(c, from, to < 0 ? c->n : to);
    if (loop && !loops)
        return;
    c->redundant |= loop;
    c->f[c->nfrictions++] = (friction){from, to, eighths(r, 1, 48)};
}

static void choose(chain *c, test_rng *r, bool many)
{
    bool loops = test_rng_chance(r, 10) || many;
    *c = (chain){.n = test_rng_int(r, 1, MASSES)};
    for (int i = 0; i < c->n; i++) {
        c->mass[i] = eighths(r, 4, 24);
        c->speed[i] = test_rng_chance(r, 60) ? eighths(r, -16, 16) : 0;
        c->force[i] = test_rng_chance(r, 60) ? eighths(r, -40, 40) : 0;
        c->wave[i] = test_rng_chance(r, 40) ? test_rng_int(r, 1, 9) : 0;
        c->damping[i] = test_rng_chance(r, 30) ? eighths(r, 1, 16) : 0;
    }
    int wanted = many ? test_rng_int(r, 3, FRICTIONS) : test_rng_int(r, 1, MASSES);
    for (int tries = 0; tries < 40 && c->nfrictions < wanted; tries++)
        add_friction(c, r, loops);
    for (int i = 0; i + 1 < c->n; i++)
        if (test_rng_chance(r, 30))
            c->spring[c->nsprings++] = (friction){i, i + 1, test_rng_int(r, 1, 30)};
}

/* ---- the model ----------------------------------------------------------------------------- */

static void put_link(jn_str *t, const friction *f, const char *name, int k)
{
    if (f->to < 0)
        jn_str_addf(t, "v%d -> %s%d\n", f->from, name, k);
    else
        jn_str_addf(t, "0 %sj%d\nv%d -> %sj%d -> v%d\n%sj%d -> %s%d\n", name, k, f->from, name, k,
                    f->to, name, k, name, k);
}

static void put_mass(jn_str *t, const chain *c, int i)
{
    jn_str_addf(t, "I m%d = %.3f, f0 = %.3f\n1 v%d\nv%d -> m%d\n", i, c->mass[i], c->speed[i], i, i,
                i);
    if (c->wave[i] > 0)
        jn_str_addf(t, "Se F%d = %.3f*sin(%g*t)\n", i, c->force[i], c->wave[i]);
    else
        jn_str_addf(t, "Se F%d = %.3f\n", i, c->force[i]);
    jn_str_addf(t, "F%d -> v%d\n", i, i);
    if (c->damping[i] > 0)
        jn_str_addf(t, "R d%d = %.3f\nv%d -> d%d\n", i, c->damping[i], i, i);
}

/* Outputs: flow and effort of each friction, then the speeds. */
static void write_chain(jn_str *t, const chain *c)
{
    for (int i = 0; i < c->n; i++)
        put_mass(t, c, i);
    for (int k = 0; k < c->nfrictions; k++) {
        jn_str_addf(t, "R r%d : e = %.3f*sign(f)\n", k, c->f[k].limit);
        put_link(t, &c->f[k], "r", k);
    }
    for (int k = 0; k < c->nsprings; k++) {
        jn_str_addf(t, "C c%d = 1/%g\n", k, c->spring[k].limit);
        put_link(t, &c->spring[k], "c", k);
    }
    jn_str_add(t, "output ");
    for (int k = 0; k < c->nfrictions; k++)
        jn_str_addf(t, "f(r%d), e(r%d), ", k, k);
    for (int i = 0; i < c->n; i++)
        jn_str_addf(t, "%sf(m%d)", i ? ", " : "", i);
    jn_str_addc(t, '\n');
}

/* ---- Moreau's steps ------------------------------------------------------------------------ */

static double relative(const friction *f, const double *v)
{
    return v[f->from] - (f->to < 0 ? 0 : v[f->to]);
}

static void push(const chain *c, const friction *f, double *v, double impulse)
{
    v[f->from] -= impulse / c->mass[f->from];
    if (f->to >= 0)
        v[f->to] += impulse / c->mass[f->to];
}

static void project(const chain *c, double *v, double h)
{
    double given[FRICTIONS] = {0}, change = 1;
    for (int round = 0; round < 200 && change > 1e-12; round++) {
        change = 0;
        for (int k = 0; k < c->nfrictions; k++) {
            const friction *f = &c->f[k];
            double weight = 1 / c->mass[f->from] + (f->to < 0 ? 0 : 1 / c->mass[f->to]);
            double next = given[k] + relative(f, v) / weight;
            next = fmax(-h * f->limit, fmin(h * f->limit, next));
            push(c, f, v, next - given[k]);
            change = fmax(change, fabs(next - given[k]));
            given[k] = next;
        }
    }
}

static void step(const chain *c, double *v, double *q, double t, double h)
{
    double pull[MASSES];
    for (int i = 0; i < c->n; i++)
        pull[i] = c->force[i] * (c->wave[i] > 0 ? sin(c->wave[i] * (t + h / 2)) : 1) -
                  c->damping[i] * v[i];
    for (int i = 0; i < c->n; i++)
        v[i] += h * pull[i] / c->mass[i];
    for (int k = 0; k < c->nsprings; k++)
        push(c, &c->spring[k], v, h * c->spring[k].limit * q[k]);
    project(c, v, h);
    for (int k = 0; k < c->nsprings; k++)
        q[k] += h * relative(&c->spring[k], v);
}

/* ---- checking ------------------------------------------------------------------------------ */

static bool check_law(const chain *c, const run *x, int row)
{
    for (int k = 0; k < c->nfrictions; k++) {
        double f = x->row[row][2 * k], e = x->row[row][2 * k + 1], limit = c->f[k].limit;
        bool holds = fabs(f) > 1e-6 ? fabs(e - copysign(limit, f)) <= 1e-6 * limit
                                    : fabs(e) <= limit * (1 + 1e-9);
        if (!holds)
            printf("\n    t = %.6g: r%d has e = %.12g at f = %.3g", beside_time(row), k, e, f);
        CU_ASSERT(holds);
        if (!holds)
            return false;
    }
    return true;
}

static void check_speeds(const chain *c, const run *x)
{
    double v[MASSES], q[MASSES] = {0}, h = BESIDE_END / STEPS;
    memcpy(v, c->speed, sizeof v);
    for (int i = 0; i < STEPS; i++)
        step(c, v, q, i * h, h);
    for (int i = 0; i < c->n; i++) {
        double got = x->row[BESIDE_ROWS - 1][2 * c->nfrictions + i];
        bool near = fabs(got - v[i]) <= 0.03 * (1 + fabs(v[i]));
        if (!near)
            printf("\n    m%d ends at %.9g, with time stepping at %.4g", i, got, v[i]);
        CU_ASSERT(near);
    }
}

/* Whatever rows are asked for: the same events, and the same end. */
static void check_without_rows(const run *x, const char *text)
{
    static run one;
    beside_run(&one, "in one go", text, NULL, false);
    beside_compare(x, &one, BESIDE_ROWS - 1, 1e-9);
    rig_clear(&one.r);
}

static void check_chain(const void *context)
{
    const chain *c = context;
    static run x;
    jn_str text;
    jn_str_init(&text);
    write_chain(&text, c);
    unsigned before = CU_get_number_of_failure_records();
    beside_run(&x, "auto", jn_str_c(&text), NULL, true);
    if (x.ran) {
        for (int k = 0; k < BESIDE_ROWS && check_law(c, &x, k); k++)
            ;
        check_speeds(c, &x);
        beside_ledger(&x);
        if (c->redundant)
            check_without_rows(&x, jn_str_c(&text));
    }
    if (CU_get_number_of_failure_records() > before)
        printf("\n%s", jn_str_c(&text));
    rig_clear(&x.r);
    jn_str_clear(&text);
}

/* ---- many of them -------------------------------------------------------------------------- */

static void check_models(int models, bool loops)
{
    const char *asked = getenv("JUNCT_FRICTION");
    int only = asked && strchr(asked, ',') ? atoi(strchr(asked, ',') + 1) : -1, broken = 0;
    models = asked ? atoi(asked) : models;
    for (int k = 0; k < models; k++) {
        test_rng r = test_rng_new((uint64_t)((loops ? 800000 : 700000) + k));
        chain c;
        choose(&c, &r, loops);
        if (only >= 0 && k != only)
            continue;
        bool passes = beside_passes(check_chain, &c, SECONDS);
        if (!passes)
            printf("\n  ^^ model %d", k);
        broken += !passes;
    }
    if (broken)
        printf("\n%d of %d models fail\n", broken, models);
    CU_ASSERT_EQUAL(broken, 0);
}

static void laws_hold_in_every_row(void)
{
    check_models(MODELS, false);
}

/* Around a loop the forces at rest are open; how the masses move is not. */
static void laws_hold_in_loops_of_frictions(void)
{
    check_models(LOOPS, true);
}

/* ---- by hand ------------------------------------------------------------------------------- */

/* Two blocks that rub on the ground and on each other; the first is pulled. */
static void write_blocks(jn_str *t, const char *pull)
{
    jn_str_addf(t,
                "I a = 1\nI b = 1\n1 va\n1 vb\n0 j\nSe F = %s\nF -> va -> a\nvb -> b\n"
                "R ra : e = 2*sign(f)\nR rb : e = 3*sign(f)\nR rub : e = 2*sign(f)\n"
                "va -> ra\nvb -> rb\nva -> j -> vb\nj -> rub\n"
                "output v = f(a), w = f(b), ea = e(ra), eb = e(rb), ej = e(rub)\n",
                pull);
}

/* 2·x + 2·z = F, 3·y = 2·z: of x² + y² + z², with x = F/2 − z and y = 2/3·z, the least has z = 9/22·F/2,
 * as long as x = 13/22·F/2 is not above 1. */
static void forces_at_rest_are_those_of_least_norm(void)
{
    static const double pulls[] = {2.2, 3.6}, x[] = {0.65 * 2, 2}, z[] = {0.45 * 2, 1.6};
    for (int k = 0; k < 2; k++) {
        jn_str text, pull;
        rig r;
        jn_str_init(&text);
        jn_str_init(&pull);
        jn_str_addf(&pull, "%g", pulls[k]);
        write_blocks(&text, jn_str_c(&pull));
        if (rig_new(&r, jn_str_c(&text), NULL)) {
            rig_to(&r, 1);
            CLOSE(rig_output(&r, "v"), 0, 1, 1e-12);
            CLOSE(rig_output(&r, "ea"), x[k], 1, 1e-12);
            CLOSE(rig_output(&r, "eb"), z[k], 1, 1e-12);
            CLOSE(rig_output(&r, "ej"), z[k], 1, 1e-12);
            CU_ASSERT_PTR_NOT_NULL(jn_sim_shared(r.sim));
        }
        rig_clear(&r);
        jn_str_clear(&text);
        jn_str_clear(&pull);
    }
}

/* At F = 4 the first block lets go of the ground and of the second, which stays: v = (t − 4)²/2. */
static void what_holds_a_loop_lets_go_at_once(void)
{
    jn_str text;
    rig r;
    jn_str_init(&text);
    write_blocks(&text, "t");
    if (rig_new(&r, jn_str_c(&text), &(jn_sim_options){.strict = true})) {
        rig_to(&r, 3);
        CU_ASSERT(isnan(rig_output(&r, "ea")));
        rig_to(&r, 5);
        CLOSE(rig_output(&r, "v"), 0.5L, 1, 1e-12);
        CLOSE(rig_output(&r, "w"), 0, 1, 1e-12);
        CLOSE(rig_output(&r, "eb"), 2, 1, 1e-12);
        CLOSE(rig_at(&r, r.nevents - 1)->t, 4, 1, 1e-12);
    }
    rig_clear(&r);
    jn_str_clear(&text);
}

/* Two blocks of mass 1 at rest, joined by a brake that holds up to 2 and then passes nothing on; the first is
 * pulled. Frictions decide together with the brake, and what they bear is not known from one side. */
static void a_brake_decides_together_with_frictions(void)
{
    static const struct {
        const char *frictions;
        double pull, v, w; /* speeds after 1 s */
    } c[] = {
        {"R r : e = 5*sign(f)\nva -> r\n", 0, 0, 0}, /* holds all, the brake nothing */
        {"R r : e = 5*sign(f)\nva -> r\n", 3, 0, 0},
        {"R r : e = 5*sign(f)\nva -> r\n", 6, 0.5, 0.5}, /* the brake: 1/2 */
        {"R r : e = 5*sign(f)\nva -> r\n", 10, 5, 0},    /* it would take 5/2 */
        {"R r : e = 5*sign(f)\nvb -> r\n", 1, 0, 0},     /* both hold 1 */
        {"R r : e = 5*sign(f)\nvb -> r\n", 3, 3, 0},     /* too much for the brake */
        {"R r : e = 5*sign(f)\n0 j\nva -> j -> vb\nj -> r\n", 3, 1.5, 1.5},
        {"R r : e = 5*sign(f)\n0 j\nva -> j -> vb\nj -> r\n", 6, 3, 3}, /* without the brake */
        {"R r : e = 5*sign(f)\nva -> r\nR q : e = 3*sign(f)\n0 j\nva -> j -> vb\nj -> q\n", 3, 0,
         0},
        {"R r : e = 5*sign(f)\nva -> r\nR q : e = 3*sign(f)\n0 j\nva -> j -> vb\nj -> q\n", 10, 2.5,
         2.5},
        {"R r : e = 5*sign(f)\nva -> r\nR q : e = 3*sign(f)\nvb -> q\n", 3, 0, 0},
        {"R r : e = 5*sign(f)\nva -> r\nR q : e = 3*sign(f)\nvb -> q\n", 10, 5, 0},
    };
    for (size_t k = 0; k < sizeof c / sizeof *c; k++) {
        jn_str text;
        rig r;
        jn_str_init(&text);
        jn_str_addf(&text,
                    "I a = 1\nI b = 1\n1 va\n1 vb\nX0 k\nSe F = %g\nF -> va -> a\nvb -> b\n"
                    "va -> k -> vb\nswitch k brake(2)\noutput v = f(a), w = f(b)\n%s",
                    c[k].pull, c[k].frictions);
        bool begun = rig_new(&r, jn_str_c(&text), NULL);
        CU_ASSERT(begun);
        if (begun) {
            rig_to(&r, 1);
            CLOSE(rig_output(&r, "v"), c[k].v, 1, 1e-12);
            CLOSE(rig_output(&r, "w"), c[k].w, 1, 1e-12);
        }
        rig_clear(&r);
        jn_str_clear(&text);
    }
}

/* The brake holds up to 3, and a friction of 2 remains while it slips: pulled with 4 for 1 s, a mass of 1 slips, stands at
 * t = 2 by that friction, and is held again: 2.5 does not move it, 3.5 does from t = 7 on, with 1.5. */
static void a_brake_holds_again_after_friction(void)
{
    static const char *const joined[] = {
        "X1 k\nv -> a\nF -> k -> v\nv -> r\n", /* to the ground */
        "X0 k\n0 j\n1 g\nSf o = 0\no -> g\nv -> a\nF -> v\ng -> k -> v\ng -> j -> v\nj -> r\n"};
    for (size_t i = 0; i < sizeof joined / sizeof *joined; i++) {
        jn_str text;
        rig r;
        jn_str_init(&text);
        jn_str_addf(&text,
                    "Se F = if(t < 1, 4, if(t < 5, 0, if(t < 7, 2.5, 3.5)))\nI a = 1\n1 v\n"
                    "R r : e = 2*sign(f)\nswitch k brake(3)\noutput v = f(a), e = e(r)\n%s",
                    joined[i]);
        CU_ASSERT_FATAL(rig_new(&r, jn_str_c(&text), NULL));
        rig_to(&r, 1);
        CLOSE(rig_output(&r, "v"), 2, 1, 1e-12);
        rig_to(&r, 6);
        CLOSE(rig_output(&r, "v"), 0, 1, 1e-12);
        rig_to(&r, 7);
        CLOSE(fabs(rig_output(&r, "e")), 2, 1, 1e-12);
        CU_ASSERT_EQUAL(rig_output(&r, "e") > 0, i == 0); /* as it goes on */
        rig_to(&r, 10);
        CLOSE(rig_output(&r, "v"), 4.5L, 1, 1e-11);
        LEDGER(&r);
        rig_clear(&r);
        jn_str_clear(&text);
    }
}

void suite_sim_friction(void)
{
    TEST_SUITE("sim_friction");
    TEST_ADD(laws_hold_in_every_row);
    TEST_ADD(laws_hold_in_loops_of_frictions);
    TEST_ADD(forces_at_rest_are_those_of_least_norm);
    TEST_ADD(what_holds_a_loop_lets_go_at_once);
    TEST_ADD(a_brake_decides_together_with_frictions);
    TEST_ADD(a_brake_holds_again_after_friction);
}
