/* test_periodic_orbits.c: periodic orbits against closed forms, phasors, and the plain run. */
#include <complex.h>
#include <math.h>

#include "orbits.h"

#define PI 3.14159265358979323846
#define T 1e-4

static const jn_steady_options radau = {.method = JN_METHOD_RADAU};
static const double loads[CONVERTERS][2] = {{1, 10}, {5, 50}, {2, 40}, {2, 40}};

/* ---- closed forms -------------------------------------------------------------------------- */

/* Of the method page. */
static void check_buck(double load, const jn_steady_options *o, const double *expected, bool pair)
{
    jn_str text;
    orbit b;
    jn_str_init(&text);
    orbit_converter(&text, BUCK, "1/2", 1e-4, load);
    orbit_find(&b, jn_str_c(&text), o);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    const jn_steady *x = b.orbit;
    CLOSE(x->start[0] / 1e-4, expected[0], 10, 1e-10);
    CLOSE_REL(x->start[1] / 1e-4, expected[1], 1e-10);
    CU_ASSERT_EQUAL_FATAL(x->nmultipliers, 2);
    CLOSE(x->multiplier[0].re, expected[2], 1, 1e-10);
    CLOSE(fabs(x->multiplier[0].im), pair ? expected[3] : 0, 1, 1e-10);
    CLOSE(x->multiplier[1].re, pair ? expected[2] : 0, 1, 1e-10);
    CLOSE_REL(orbit_value(&b, "v")->mean, expected[4], 1e-10);
    CLOSE_REL(x->period, T, 1e-15);
    CU_ASSERT_EQUAL(x->verdict, JN_ORBIT_STABLE);
    CU_ASSERT(x->residue < 1e-12);
    CU_ASSERT_EQUAL(x->nmodes, pair ? 2 : 3);
    CLOSE_REL(x->energy.supplied, x->energy.dissipated, 1e-11);
    orbit_clear(&b);
    jn_str_clear(&text);
}

static void bucks_have_the_known_orbits(void)
{
    static const double with[] = {8.93754052797692, 11.9359385264470, 0.392946555834,
                                  0.462030784070, 12};
    static const double without[] = {0, 15.7141292555792, 0.650674626017, 0, 15.8464153423221};
    check_buck(1, NULL, with, true);
    check_buck(10, NULL, without, false);
    check_buck(1, &radau, with, true);
    check_buck(10, &radau, without, false);
}

/* What the switch gives is a rectangle. */
static void a_rectangle_has_its_known_harmonics(void)
{
    orbit b;
    orbit_find(&b,
               "model m\nSe V = 24\nSe G = 0\nI L = 100u\nR r = 1\n0 n\n1 c\nX1 s\nX1 d\n"
               "V -> s -> n\nG -> d -> n\nn -> c -> L\nc -> r\nswitch s pwm(100u, 3/10)\n"
               "switch d diode\noutput u = e(n), p = e(n)*f(L)\n",
               NULL);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    const jn_steady_value *u = orbit_value(&b, "u");
    CLOSE_REL(u->mean, 24 * 0.3, 1e-13);
    CLOSE_REL(u->rms, 24 * sqrt(0.3), 1e-13);
    CLOSE(u->min, 0, 24, 1e-13);
    CLOSE_REL(u->max, 24, 1e-13);
    for (int h = 1; h <= 10; h++)
        CLOSE(u->amplitude[h - 1], fabs(48 / (PI * h) * sin(PI * h * 0.3)), 24, 1e-13);
    CLOSE(u->phase[0], -PI * 0.3, 1, 1e-12);
    double first = u->amplitude[0] * u->amplitude[0] / 2;
    CLOSE_REL(u->thd, sqrt((24.0 * 24 * 0.3 * 0.7 - first) / first), 1e-12);
    /* the power of the source is that into the coil and the resistor */
    CLOSE_REL(orbit_value(&b, "p")->mean, b.orbit->power[0].power, 1e-12);
    orbit_clear(&b);
}

static void sines_agree_with_phasors(void)
{
    orbit b;
    double w = 2 * PI * 50;
    double complex Z = 3 + I * w * 0.01 + 1 / (I * w * 2e-4), i = 10 / Z;
    for (int method = 0; method < 2; method++) {
        orbit_find(&b,
                   "model m\nSe V = 10*cos(2*pi*50*t) + 1\nI L = 10m\nC C1 = 200u\nR r = 3\n1 n\n"
                   "V -> n\nn -> L\nn -> C1\nn -> r\noutput i = f(L), u = e(C1)\n",
                   method ? &radau : NULL);
        CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
        CLOSE_REL(b.orbit->period, 0.02, 1e-13);
        CLOSE_REL(orbit_value(&b, "i")->amplitude[0], cabs(i), 1e-10);
        CLOSE(orbit_value(&b, "i")->phase[0], carg(i), 1, 1e-9);
        CLOSE_REL(orbit_value(&b, "i")->max, cabs(i), 1e-10);
        CLOSE_REL(orbit_value(&b, "u")->mean, 1, 1e-10);
        CLOSE_REL(orbit_value(&b, "u")->amplitude[0], cabs(i / (I * w * 2e-4)), 1e-10);
        CLOSE_REL(b.orbit->energy.dissipated, 0.02 * 1.5 * cabs(i) * cabs(i), 1e-9);
        /* multipliers are those of the circuit by itself */
        double complex s = -150 + csqrt(150 * 150 - 1 / (0.01 * 2e-4));
        CLOSE(hypot(b.orbit->multiplier[0].re, b.orbit->multiplier[0].im), cabs(cexp(s * 0.02)), 1,
              1e-9);
        orbit_clear(&b);
    }
}

/* V = sin(w·t) on a coil of 1 and a capacitor of 1 without a loss: i = w/(w² − 1)·cos(w·t) turned by
 * 180 degrees, but for w = 1, where it grows without end; of w = 1/2 any oscillation of its own may be
 * added. */
static void undamped(orbit *b, const char *w, const jn_steady_options *o)
{
    char text[200];
    snprintf(text, sizeof text,
             "model m\nSe V = sin(%s*t)\nI L = 1\nC C1 = 1\n1 n\nV -> n\nn -> L\nn -> C1\n"
             "output i = f(L)\n",
             w);
    orbit_find(b, text, o);
}

static bool says(const orbit *b, const char *what)
{
    return b->orbit && b->orbit->message && strstr(b->orbit->message, what);
}

static void resonance_has_no_orbit(void)
{
    orbit b;
    for (int method = 0; method < 2; method++) {
        const jn_steady_options *o = method ? &radau : NULL;
        undamped(&b, "1", o);
        CU_ASSERT_EQUAL(b.status, JN_UNABLE);
        CU_ASSERT(says(&b, "singular"));
        orbit_clear(&b);
        undamped(&b, "1.0001", o);
        CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
        CU_ASSERT_EQUAL(b.orbit->verdict, JN_ORBIT_NEUTRAL);
        CLOSE_REL(orbit_value(&b, "i")->max, 1.0001 / (1.0001 * 1.0001 - 1), method ? 1e-6 : 1e-10);
        orbit_clear(&b);
    }
    undamped(&b, "0.5", NULL);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    CU_ASSERT(says(&b, "side by side"));
    CLOSE_REL(orbit_value(&b, "i")->amplitude[0], 0.5 / 0.75, 1e-10);
    orbit_clear(&b);
    undamped(&b, "1.00000000001", NULL); /* nearly */
    CU_ASSERT_EQUAL(b.status, JN_UNABLE);
    orbit_clear(&b);
}

/* ---- against the plain run ----------------------------------------------------------------- */

static void converters_settle_on_their_orbits(void)
{
    enum { PERIODS = 10000 };
    for (int kind = 0; kind < CONVERTERS; kind++)
        for (int c = 0; c < 2; c++) {
            jn_str text;
            orbit b;
            rig r;
            jn_str_init(&text);
            orbit_converter(&text, kind, "1/2", 1e-4, loads[kind][c]);
            orbit_find(&b, jn_str_c(&text), NULL);
            CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
            CU_ASSERT_EQUAL(b.orbit->nmodes, 2 + c);
            jn_str_add(&text, "output area = int(e(out), 0)\n");
            CU_ASSERT_FATAL(rig_new(&r, jn_str_c(&text), NULL));
            rig_to(&r, PERIODS * T);
            double before = rig_output(&r, "area");
            for (int i = 0; i < b.orbit->nstates; i++)
                CLOSE(jn_sim_state(r.sim)[i], b.orbit->start[i], fabs(b.orbit->start[1]), 1e-11);
            rig_to(&r, (PERIODS + 1) * T);
            CLOSE_REL(orbit_value(&b, "v")->mean, (rig_output(&r, "area") - before) / T, 1e-9);
            rig_clear(&r);
            orbit_clear(&b);
            jn_str_clear(&text);
        }
}

/* The sum of the k-th powers of the multipliers is the trace of J^k; J by differences of plain runs
 * from states set at the start of a period. */
static void check_multipliers(const orbit *b, const char *text, double bound)
{
    rig r;
    const jn_steady *x = b->orbit;
    int n = x->nstates;
    double t0 = x->start_time, *J = calloc((size_t)(n * n), sizeof *J);
    double *y = calloc((size_t)n, sizeof *y), *P = calloc((size_t)(n * n), sizeof *P);
    double size = 0;
    for (int i = 0; i < n; i++)
        size = fmax(size, fabs(x->start[i]));
    for (int k = 0; k < n; k++)
        for (int side = -1; side <= 1; side += 2) {
            double h = side * 1e-5 * fmax(fabs(x->start[k]), 0.1 * size);
            CU_ASSERT_FATAL(rig_new(&r, text, NULL));
            rig_to(&r, t0);
            memcpy(y, x->start, (size_t)n * sizeof *y);
            y[k] += h;
            CU_ASSERT_EQUAL(jn_sim_set_state(r.sim, y, &r.stop), JN_OK);
            rig_to(&r, t0 + x->period);
            for (int i = 0; i < n; i++)
                J[i * n + k] += jn_sim_state(r.sim)[i] / (2 * h);
            rig_clear(&r);
        }
    for (int i = 0; i < n; i++)
        P[i * n + i] = 1;
    for (int k = 1; k <= n; k++) {
        double *Q = calloc((size_t)(n * n), sizeof *Q), trace = 0;
        double complex sum = 0;
        for (int i = 0; i < n; i++)
            for (int m = 0; m < n; m++)
                for (int j = 0; j < n; j++)
                    Q[i * n + j] += P[i * n + m] * J[m * n + j];
        memcpy(P, Q, (size_t)(n * n) * sizeof *P);
        free(Q);
        for (int i = 0; i < n; i++)
            trace += P[i * n + i];
        for (int i = 0; i < x->nmultipliers; i++)
            sum += cpow(x->multiplier[i].re + I * x->multiplier[i].im, k);
        CLOSE(creal(sum), trace, 1, bound);
    }
    free(J);
    free(y);
    free(P);
}

static void multipliers_of_converters_agree_with_differences(void)
{
    for (int kind = 0; kind < CONVERTERS; kind++)
        for (int c = 0; c < 2; c++) {
            jn_str text;
            orbit b;
            jn_str_init(&text);
            orbit_converter(&text, kind, "1/2", 1e-4, loads[kind][c]);
            orbit_find(&b, jn_str_c(&text), NULL);
            CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
            check_multipliers(&b, jn_str_c(&text), 1e-7);
            orbit_clear(&b);
            jn_str_clear(&text);
        }
}

/* ---- random models ------------------------------------------------------------------------- */

/* A step-down stage with a diode; behind it, as chance has it, another filter, a capacitor that a
 * second switch joins (its charge jumps), a coil that a third one joins to the first (its current
 * jumps), a source that swings with the clock. */
static void random_model(jn_str *text, test_rng *r)
{
    int swings = test_rng_chance(r, 30), volts = test_rng_int(r, 10, 40);
    jn_str_addf(text, "model m\nSe V = %d", volts);
    if (swings)
        jn_str_addf(text, " + %d*sin(2*pi*%d*10000*t)", test_rng_int(r, 1, 5),
                    test_rng_int(r, 1, 3));
    int load = test_rng_int(r, 5, 300), duty = test_rng_int(r, 15, 85);
    jn_str_addf(
        text,
        "\nSe G = 0\nI L = %du\nC C1 = %du\nR load = %d/10\n0 n\n0 out\n1 coil\nX1 s\nX1 d\n"
        "V -> s -> n\nG -> d -> n\nn -> coil -> L\ncoil -> out -> C1\nout -> load\n"
        "switch s pwm(100u, %d/100, %du)\nswitch d diode\n",
        test_rng_int(r, 30, 300), test_rng_int(r, 20, 200), load, duty, test_rng_int(r, 0, 30));
    if (test_rng_chance(r, 50))
        jn_str_addf(text,
                    "1 coil2\n0 far\nI L2 = %du\nC C2 = %du\nR r2 = %d/10\nR load2 = %d\n"
                    "out -> coil2 -> L2\ncoil2 -> r2\ncoil2 -> far -> C2\nfar -> load2\n",
                    test_rng_int(r, 20, 200), test_rng_int(r, 10, 100), test_rng_int(r, 1, 20),
                    test_rng_int(r, 2, 40));
    if (test_rng_chance(r, 50)) {
        jn_str_addf(text,
                    "X1 k\n0 other\nC C3 = %du\nR load3 = %d\nout -> k -> other -> C3\n"
                    "other -> load3\n",
                    test_rng_int(r, 5, 80), test_rng_int(r, 1, 30));
        if (test_rng_chance(r, 30)) /* a jump whose instant the state decides */
            jn_str_addf(text, "switch k off, on when f(L) > %d/%d, off when f(L) < %d/%d\n",
                        volts * duty, 10 * load, volts * duty, 10 * load);
        else
            jn_str_addf(text, "switch k pwm(%du, %d/100, %du)\n", test_rng_chance(r, 20) ? 50 : 100,
                        test_rng_int(r, 20, 80), test_rng_int(r, 1, 47));
    }
    if (test_rng_chance(r, 40))
        jn_str_addf(text,
                    "X0 j\nI L4 = %du\nR r4 = %d\n1 last\ncoil -> j -> last -> L4\nlast -> r4\n"
                    "switch j pwm(100u, %d/100, %du)\n",
                    test_rng_int(r, 20, 100), test_rng_int(r, 1, 5), test_rng_int(r, 20, 80),
                    test_rng_int(r, 3, 90));
    if (test_rng_chance(r, 50)) /* the state decides when: a deviation moves that */
        jn_str_addf(text,
                    "X1 z\nR rz = %d/10\nout -> z -> rz\n"
                    "switch z off, on when f(L) > f(load), off when f(L) < f(load)\n",
                    test_rng_int(r, 10, 100));
    jn_str_add(text, "output v = e(out), i = f(L)\n");
}

/* The same orbit by the other engine, whose Jacobian is found in another way. */
static void compare_engines(const orbit *b, const char *text)
{
    orbit other;
    double size = 0;
    orbit_find(&other, text, &radau);
    CU_ASSERT_EQUAL_FATAL(other.status, JN_OK);
    for (int i = 0; i < b->orbit->nstates; i++)
        size = fmax(size, fabs(b->orbit->start[i]));
    for (int i = 0; i < b->orbit->nstates; i++)
        CLOSE(other.orbit->start[i], b->orbit->start[i], size, 1e-9);
    CU_ASSERT_EQUAL_FATAL(other.orbit->nmultipliers, b->orbit->nmultipliers);
    for (int i = 0; i < b->orbit->nmultipliers; i++)
        CLOSE(hypot(other.orbit->multiplier[i].re, other.orbit->multiplier[i].im),
              hypot(b->orbit->multiplier[i].re, b->orbit->multiplier[i].im), 1, 1e-6);
    CLOSE_REL(other.orbit->value[0].rms, b->orbit->value[0].rms, 1e-9);
    CU_ASSERT_EQUAL(other.orbit->nmodes, b->orbit->nmodes);
    orbit_clear(&other);
}

/* Two wheels that touch for an instant once a period: a jump that lasts no time. */
#define BUMP                                                                                       \
    "I J1 = 2\nI J2 = 3\nR b1 = 1/10\nR b2 = 1/2\n1 a\n1 b\nX0 x\ntorque -> a -> J1\na -> b1\n"    \
    "a -> x\ntouch: x -> b\nb -> J2\nb -> b2\nswitch clk pwm(1, 1/2)\nautomaton x {\n"             \
    "open off initial\nhit on\nover off\nopen -> hit when on(clk)\n"                               \
    "hit -> over when prior(f(J1)) > -1000\nover -> open when not on(clk)\n}\noutput w = f(J1)\n"

/* Their momenta are shared, w = (p1 + p2)/5, and each goes on by itself. */
static void a_jump_may_last_no_time(void)
{
    static const char text[] = "model bump\nSe torque = 1\n" BUMP;
    /* what the impulse adds to y slows the first one down */
    static const char counted[] = "model bump\nSe torque = 1 - y/10\nSe more = y\nI fade = 1\nR rf "
                                  "= 1\n1 c\nmore -> c -> fade\n"
                                  "c -> rf\nsignal y = int(e(touch) - f(fade), 0)\n" BUMP;
    /* by the state: whenever one is ahead by 0.67; in step with the torque */
    static const char decided[] =
        "model lock\nSe torque = 1 + sin(2*pi*t)/2\nI J1 = 2\nI J2 = 3\nR b1 = 1/10\nR b2 = 1/2\n"
        "1 a\n1 b\nX0 x\ntorque -> a -> J1\na -> b1\na -> x -> b\nb -> J2\nb -> b2\n"
        "automaton x {\nopen off initial\nhit on\nover off\nopen -> hit when f(J1) - f(J2) > 0.67\n"
        "hit -> over when prior(f(J1)) > -1000\nover -> open when f(J1) - f(J2) < 0.3\n}\n"
        "output w = f(J1)\n";
    orbit b;
    double d1 = exp(-0.05), d2 = exp(-1 / 6.0), w = 4 * (1 - d1) / (1 - 0.4 * d1 - 0.6 * d2);
    orbit_find(&b, text, NULL);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    CU_ASSERT_EQUAL(b.orbit->multiplier_error, 0);
    CLOSE_REL(b.orbit->start[0], 2 * w, 1e-12);
    CLOSE_REL(b.orbit->start[1], 3 * w, 1e-12);
    CLOSE_REL(b.orbit->multiplier[0].re, 0.4 * d1 + 0.6 * d2, 1e-12);
    check_multipliers(&b, text, 1e-7);
    orbit_clear(&b);
    orbit_find(&b, counted, NULL);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    CU_ASSERT_EQUAL(b.orbit->multiplier_error, 0);
    CU_ASSERT(fabs(b.orbit->multiplier[0].re - (0.4 * d1 + 0.6 * d2)) > 1e-3);
    compare_engines(&b, counted);
    orbit_clear(&b);
    orbit_find(&b, decided, NULL);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    CU_ASSERT_EQUAL(b.orbit->multiplier_error, 0);
    check_multipliers(&b, decided, 1e-7);
    orbit_clear(&b);
}

static void multipliers_of_random_models_agree_with_differences(void)
{
    enum { MODELS = 100 };
    int jumps = 0, dry = 0;
    for (int k = 0; k < MODELS; k++) {
        test_rng r = test_rng_new(7000 + (uint64_t)k);
        jn_str text;
        orbit b;
        jn_str_init(&text);
        random_model(&text, &r);
        orbit_find(&b, jn_str_c(&text), NULL);
        CU_ASSERT_EQUAL(b.status, JN_OK);
        if (b.status == JN_OK) {
            CU_ASSERT(b.orbit->multiplier_error == 0);
            check_multipliers(&b, jn_str_c(&text), 1e-6);
            if (k % 8 == 0)
                compare_engines(&b, jn_str_c(&text));
            jumps += b.orbit->energy.lost > 0;
            for (int i = 0; i < b.orbit->nmodes; i++)
                dry += !b.orbit->mode[i].mode[0] && !b.orbit->mode[i].mode[1];
        } else {
            printf("\nno orbit: %s\n%s\n", b.orbit ? b.orbit->message : "", jn_str_c(&text));
        }
        orbit_clear(&b);
        jn_str_clear(&text);
    }
    CU_ASSERT(jumps > 20);
    CU_ASSERT(dry > 20);
}

/* ---- orbits of several periods, and of none ------------------------------------------------ */

static const char doubled[] =
    "model boost\nSe V = 10\nSe G = 0\nI L = 1m\nC C1 = 12u\nR load = 20\n0 n\n0 out\n1 coil\nX1 "
    "s\n"
    "X1 d\nV -> coil -> L\ncoil -> n\nn -> s -> G\nn -> d -> out\nout -> C1\nout -> load\n"
    "switch clk pwm(100u, 1/100)\nautomaton s {\n on1 on initial\n off1 off\n"
    " on1 -> off1 when f(L) > 2 and not on(clk)\n off1 -> on1 when on(clk)\n}\nswitch d diode\n"
    "output v = e(out), i = f(L)\n";

static void a_doubled_period_is_found(void)
{
    orbit one, two;
    rig r;
    jn_steady_options twice = {.times = 2};
    orbit_find(&one, doubled, NULL);
    orbit_find(&two, doubled, &twice);
    CU_ASSERT_EQUAL_FATAL(one.status, JN_OK);
    CU_ASSERT_EQUAL_FATAL(two.status, JN_OK);
    CU_ASSERT_EQUAL(one.orbit->verdict, JN_ORBIT_FLIP);
    CU_ASSERT(one.orbit->multiplier[0].re < -1);
    CU_ASSERT_EQUAL(two.orbit->verdict, JN_ORBIT_STABLE);
    CU_ASSERT_PTR_NULL(two.orbit->message);
    CLOSE_REL(two.orbit->period, 2 * T, 1e-14);
    check_multipliers(&one, doubled, 1e-6);
    check_multipliers(&two, doubled, 1e-6);
    /* the run goes to the second, in one of its two phases */
    CU_ASSERT_FATAL(rig_new(&r, doubled, NULL));
    rig_to(&r, 4000 * T);
    if (fabs(jn_sim_state(r.sim)[0] - two.orbit->start[0]) > 1e-5)
        rig_to(&r, 4001 * T);
    for (int i = 0; i < 2; i++)
        CLOSE_REL(jn_sim_state(r.sim)[i], two.orbit->start[i], 1e-9);
    rig_clear(&r);
    orbit_clear(&one);
    orbit_clear(&two);
}

/* A mass on a belt: it sticks while the spring pulls up to 3/2, then slips by a law of its own. */
static void stick_slip_has_its_period(void)
{
    orbit b;
    jn_steady_options free_run = {.is_free = true};
    char *text = test_read_file("examples/stickslip.hbg");
    for (int method = 0; method < 2; method++) {
        free_run.method = method ? JN_METHOD_RADAU : JN_METHOD_AUTO;
        orbit_find(&b, text, &free_run);
        CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
        /* slipping: x = 1 + cos(t)/2 + sin(t)/10 until the speed is 1/10 again */
        double slip = 2 * PI - 2 * atan2(0.5, 0.1), stick = 2 * 0.5 / 0.1;
        CLOSE_REL(b.orbit->period, slip + stick, 1e-9);
        CU_ASSERT_EQUAL(b.orbit->nmodes, 2);
        CLOSE_REL(b.orbit->mode[0].to - b.orbit->mode[0].from, slip, 1e-9);
        CU_ASSERT_EQUAL(b.orbit->verdict, JN_ORBIT_STABLE);
        orbit_clear(&b);
    }
    free(text);
}

/* Wherever the run is when it has settled, shortly before it sticks or after: all deviations are gone once it has
 * stuck, so the only multiplier is 0. While it slips the friction falls with the speed. */
static void what_sticks_forgets_its_deviations(void)
{
    orbit b;
    jn_steady_options free_run = {.is_free = true};
    for (int k = 0; k < 8; k++) {
        free_run.settle = 18 + k;
        orbit_find(
            &b,
            "model belt\nSf belt = 0.1\nI m = 1\nC k = 1/10\n1 v\n0 rel\nbelt -> rel\nv -> m\n"
            "v -> k\nrel -> v\nR fr : e = 3*sign(f)*(1 + 0.5*exp(-abs(f)/0.05))\nrel -> fr\n",
            &free_run);
        CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
        CU_ASSERT_EQUAL(b.orbit->verdict, JN_ORBIT_STABLE);
        CU_ASSERT_EQUAL_FATAL(b.orbit->nmultipliers, 1);
        CLOSE(b.orbit->multiplier[0].re, 0, 1, 1e-6);
        CU_ASSERT(b.orbit->multiplier_error < 1e-6);
        CLOSE_REL(b.orbit->period, 4.332348843, 1e-8);
        orbit_clear(&b);
    }
}

static void van_der_pol_has_its_period(void)
{
    orbit b;
    jn_steady_options free_run = {.is_free = true, .settle = 60};
    orbit_find(&b,
               "model vdp\nI L = 1, f0 = 0.1\nC c = 1\nR r : e = f^3/3 - f\n1 n\nn -> L\nn -> c\n"
               "n -> r\noutput i = f(L)\n",
               &free_run);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    CLOSE_REL(b.orbit->period, 6.6632868593231302, 1e-9);
    CLOSE(orbit_value(&b, "i")->mean, 0, 2, 1e-9);
    CLOSE_REL(orbit_value(&b, "i")->max, 2.00861986087484313650940188, 1e-8);
    CU_ASSERT_EQUAL_FATAL(b.orbit->nmultipliers, 1);
    CLOSE(b.orbit->multiplier[0].re, 0.000859695, 1, 1e-6);
    orbit_clear(&b);
}

/* Between 2 and 3 V, through 1 kohm and beside 10 kohm. */
static void a_relay_has_its_period(void)
{
    orbit b;
    jn_steady_options free_run = {.is_free = true, .settle = 10};
    orbit_find(&b,
               "model relay\nSe U = 5\nSe Z = 0\nC c = 1m\nR r = 1k\nR ld = 10k\n1 in\n0 out\n0 n\n"
               "X1 s\nX1 z\nU -> s -> n\nZ -> z -> n\nn -> in\nin -> r\nin -> out\nout -> c\n"
               "out -> ld\nswitch s on, off when e(c) > 3, on when e(c) < 2\n"
               "switch z off, on when not on(s), off when on(s)\noutput v = e(c)\n",
               &free_run);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    double tau = 1 / 1.1, top = 5 / 1.1;
    CLOSE_REL(b.orbit->period, tau * (log((top - 2) / (top - 3)) + log(3.0 / 2)), 1e-12);
    CLOSE_REL(orbit_value(&b, "v")->max, 3, 1e-12);
    CLOSE_REL(orbit_value(&b, "v")->min, 2, 1e-12);
    orbit_clear(&b);
}

/* However long the run was before: a run of 10 ms ends where its first three turns are passed unseen. */
static void an_oscillation_is_one_turn(void)
{
    static const double settle[] = {1e-3, 2e-3, 5e-3, 8e-3, 10e-3, 12e-3, 0.1};
    for (int i = 0; i < 7; i++) {
        orbit b;
        jn_steady_options free_run = {.is_free = true, .settle = settle[i]};
        orbit_find(
            &b,
            "model osc\nSe V = 10\nSe G = 0\nR r = 1k\nC c = 1u\n0 n\n1 l\nX1 hi\nX1 lo\n0 x\n"
            "V -> hi -> x\nx -> lo -> G\nx -> l -> n -> c\nl -> r\n"
            "switch hi on, off when e(c) > 6.6, on when e(c) < 3.3\n"
            "switch lo off, on when e(c) > 6.6, off when e(c) < 3.3\noutput u = e(c)\n",
            &free_run);
        CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
        CLOSE_REL(b.orbit->period, 1e-3 * (log(6.7 / 3.4) + log(2)), 1e-9);
        CU_ASSERT_EQUAL(b.orbit->nmodes, 2);
        orbit_clear(&b);
    }
}

/* ---- all that a run carries on ------------------------------------------------------------- */

static const char loop[] = "model loop\nSe V = 24\nSe G = 0\nI L = 100u\nC C1 = 100u\nR load = "
                           "1\n0 n\n0 out\n1 coil\nX1 s\n"
                           "X1 d\nV -> s -> n\nG -> d -> n\nn -> coil -> L\ncoil -> out -> C1\nout "
                           "-> load\nswitch d diode\n"
                           "output v = e(out)\n";

static void compose(jn_str *text, const char *more)
{
    jn_str_reset(text);
    jn_str_add(text, loop);
    jn_str_add(text, more);
}

/* A controller with an integral brings the mean of what it reads to where it should be. */
static void controllers_are_part_of_the_orbit(void)
{
    jn_str text;
    orbit b;
    jn_str_init(&text);
    compose(&text, "signal err = 12 - e(out)\n"
                   "switch s pwm(100u, min(0.9, max(0.05, 0.4 + 0.005*err + 20*int(err, 0))))\n");
    orbit_find(&b, jn_str_c(&text), NULL);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    CLOSE_REL(orbit_value(&b, "v")->mean, 12, 1e-10);
    CU_ASSERT_EQUAL(b.orbit->nmultipliers, 3);
    CU_ASSERT(b.orbit->multiplier_error > 0 && b.orbit->multiplier_error < 1e-9);
    orbit_clear(&b);
    /* a number that is set once in each period */
    compose(&text,
            "discrete d0 = 0.3\nswitch clk pwm(100u, 1/2, 90u)\nautomaton smp {\n a on initial\n"
            " b off\n a -> b when on(clk) { d0 = d0 + 0.002*(12 - e(out)) }\n"
            " b -> a when not on(clk)\n}\nswitch s pwm(100u, d0)\noutput d0\n");
    orbit_find(&b, jn_str_c(&text), NULL);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    CLOSE_REL(orbit_value(&b, "v")->mean, 24 * b.orbit->discrete[0], 1e-10);
    CLOSE(orbit_value(&b, "d0")->max - orbit_value(&b, "d0")->min, 0, 1, 1e-12);
    CU_ASSERT_EQUAL(b.orbit->nmultipliers, 3);
    rig r;
    CU_ASSERT_FATAL(rig_new(&r, jn_str_c(&text), NULL));
    rig_to(&r, 3000 * T);
    CLOSE_REL(rig_output(&r, "d0"), b.orbit->discrete[0], 1e-10);
    rig_clear(&r);
    orbit_clear(&b);
    jn_str_clear(&text);
}

/* What only counts need not come back. */
static void meters_agree_with_long_runs(void)
{
    jn_str text;
    orbit b;
    jn_str_init(&text);
    compose(&text, "switch s pwm(100u, 1/2)\noutput area = int(e(out), 0)\n");
    orbit_find(&b, jn_str_c(&text), NULL);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    CU_ASSERT_EQUAL(b.orbit->nmultipliers, 2);
    CU_ASSERT(b.orbit->message && strstr(b.orbit->message, "grows by 0.0012 in each period"));
    orbit_clear(&b);
    jn_str_clear(&text);
}

/* Dry friction by its sign: the mass rests part of the time. */
static void orbits_may_slide(void)
{
    static const char text[] = "model m\nSe F = 2*sin(2*pi*t)\nI m = 1\nC k = 0.1\nR fr : e = "
                               "1.5*sign(f)\n1 v\nF -> v -> m\n"
                               "v -> k\nv -> fr\noutput x = q(k), vel = f(m)\n";
    orbit b;
    rig r;
    orbit_find(&b, text, NULL);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    CU_ASSERT(b.orbit->residue < 1e-9);
    CU_ASSERT_EQUAL(b.orbit->verdict, JN_ORBIT_STABLE);
    CLOSE(orbit_value(&b, "x")->mean, 0, 0.01, 1e-8);
    CLOSE_REL(b.orbit->energy.supplied, b.orbit->energy.dissipated, 1e-8);
    CU_ASSERT_FATAL(rig_new(&r, text, NULL));
    double at = b.orbit->start_time - floor(b.orbit->start_time);
    rig_to(&r, 100 + at);
    CLOSE(rig_output(&r, "x"), b.orbit->start[1], 0.01, 1e-7);
    rig_clear(&r);
    orbit_clear(&b);
}

/* ---- no orbit ------------------------------------------------------------------------------ */

/* A relay that keeps a capacitor at 2·sin(2πt): the run slides along e(C1) = 2·sin(2πt) for ever, and the
 * current is i = C·v̇ + v/R. */
static void an_orbit_may_slide_all_the_time(void)
{
    static const char text[] =
        "model m\nSe V = if(e(C1) < 2*sin(2*pi*t), 5, -5)\nR r = 1/10\nC C1 = 1/10\nR load = 1\n"
        "1 j\n0 n\nV -> j -> r\nj -> n -> C1\nn -> load\noutput v = e(C1), i = f(r)\n";
    for (int method = 0; method < 2; method++) {
        orbit b;
        double i = 2 * hypot(1, 2 * PI / 10);
        orbit_find(&b, text, method ? &radau : NULL);
        CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
        CU_ASSERT_EQUAL(b.orbit->verdict, JN_ORBIT_UNKNOWN);
        CU_ASSERT(says(&b, "slides all the time"));
        CLOSE_REL(orbit_value(&b, "v")->max, 2, 1e-9);
        CLOSE_REL(orbit_value(&b, "i")->max, i, 1e-7);
        CLOSE_REL(orbit_value(&b, "i")->min, -i, 1e-7);
        CLOSE_REL(b.orbit->energy.dissipated, 2 + 0.1 * i * i / 2, 1e-8);
        CU_ASSERT_EQUAL(b.orbit->nmodes, 1);
        CU_ASSERT(b.orbit->mode[0].slides);
        orbit_clear(&b);
    }
}

/* A mass on a belt, with a friction that falls with the speed: it sticks, that is, slides along v = vb. By
 * quadrature (DOP853, 1e-12) it slips for 4.3088698379 s to x = 0.5465800429260. */
static void a_free_orbit_may_slide(void)
{
    static const char text[] =
        "model belt\nparam vb = 0.1\nI m = 1\nC k = 1\nR d = 1/100\n1 n\n"
        "Se F = (1 + 0.5*exp(-5*abs(vb - f(m))))*sign(vb - f(m))\nF -> n\nn -> m\nn -> k\nn -> d\n"
        "output v = f(m), x = q(k)\nsimulate to 100 every 0.01\n";
    orbit b;
    orbit_find(&b, text, &(jn_steady_options){.is_free = true});
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    CLOSE_REL(b.orbit->period, 13.8330694087, 1e-9);
    double sticks = 0;
    for (int i = 0; i < b.orbit->nmodes; i++)
        sticks += b.orbit->mode[i].slides ? b.orbit->mode[i].to - b.orbit->mode[i].from : 0;
    CLOSE_REL(sticks, 13.8330694087 - 4.3088698379, 1e-6);
    CU_ASSERT_EQUAL(b.orbit->verdict, JN_ORBIT_STABLE);
    orbit_clear(&b);
}

/* at: what the message points to; "": nothing. */
/* A ball that bounces once in each period of a table, A·sin(w·t), with restitution 1/2. The table moves up with
 * W = (1 - e)/(1 + e)·g·T/2 where they meet, once on its way to the top and once before; the derivative of the map from one
 * impact to the next is known (Holmes, without taking the table's height for nothing). One of the two is stable from
 * A·w = W up to where the period doubles. */
static void a_ball_on_a_table_bounces_as_known(void)
{
    static const double amplitude[] = {0.0115, 0.0138, 0.0166, 0.0167, 0.02};
    const double g = 9.81, w = 30, e = 0.5, period = 2 * acos(-1) / w, v = g * period / 2;
    const double W = v * (1 - e) / (1 + e), D = period / (W + v);
    for (size_t i = 0; i < sizeof amplitude / sizeof *amplitude; i++) {
        double A = amplitude[i], phase = acos(W / (A * w)), since = period - phase / w;
        char text[700];
        orbit b;
        snprintf(
            text, sizeof text,
            "model m\nparam A = %.17g\nSe weight = -9.81\nSf rebound = W + (W - prior(f(v)))/2\n"
            "I m = 1, f0 = %.4f\n1 v\nX0 floor\nweight -> v -> m\nrebound -> floor -> v\n"
            "signal W = A*30*cos(30*t)\nsignal height = int(f(v), %.5f)\n"
            "switch floor off, on when height <= A*sin(30*t) and f(v) < W, "
            "off when prior(f(v)) > W\noutput v = f(v)\n",
            A, v - g * since, A * sin(phase) + v * since - g * since * since / 2);
        orbit_find(&b, text, NULL);
        CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
        CLOSE_REL(orbit_value(&b, "v")->max, v, 1e-10);
        CU_ASSERT_EQUAL_FATAL(b.orbit->nmultipliers, 2);
        jn_complex first = b.orbit->multiplier[0];
        bool before = first.re > 1; /* the other one of the two */
        double c = (1 + e) * A * w * w * sin(before ? -phase : phase);
        double middle = (1 - e + e * g * D - c * D) / 2, root = middle * middle + e - e * g * D;
        CLOSE(first.re, root < 0 ? middle : middle + (before ? 1 : -1) * sqrt(root), 1, 1e-7);
        CLOSE(fabs(first.im), root < 0 ? sqrt(-root) : 0, 1, 1e-7);
        CU_ASSERT_EQUAL(b.orbit->verdict, before  ? JN_ORBIT_FOLD
                                          : i < 3 ? JN_ORBIT_STABLE
                                                  : JN_ORBIT_FLIP);
        CU_ASSERT(i == 4 || !before);
        orbit_clear(&b);
    }
}

static void refused(const char *text, const char *slug, bool is_free, const char *at)
{
    orbit b;
    rig errors = {0};
    jn_steady_options o = {.is_free = is_free};
    orbit_find(&b, text, &o);
    CU_ASSERT_EQUAL(b.status, JN_INVALID);
    CU_ASSERT_PTR_NULL(b.orbit);
    errors.diags = b.diags;
    CU_ASSERT(rig_has_error(&errors, slug));
    const jn_diag *last = jn_diags_get(b.diags, jn_diags_count(b.diags) - 1);
    CU_ASSERT_EQUAL(last->place.length, strlen(at));
    CU_ASSERT_NSTRING_EQUAL(text + last->place.offset, at, last->place.length);
    orbit_clear(&b);
}

#define RC "I L = 1\nR r = 1\n1 n\nV -> n\nn -> L\nn -> r\n"

static void models_without_a_period_say_so(void)
{
    refused("model m\nSe V = 1\n" RC, "steady-timeless", false, "");
    refused("model m\nSe V = t\n" RC, "steady-aperiodic", false, "t");
    refused("model m\nSe V = sin(t) + sin(sqrt(2)*t)\n" RC, "steady-periods", false,
            "sin(sqrt(2)*t)");
    refused("model m\nSe V = sin(t)\n" RC, "steady-clocked", true, "sin(t)");
}

static bool soon(void *ctx)
{
    return ++*(int *)ctx > 1000;
}

/* More periods than a long counts: no orbit of the time before is taken for that after it. */
static void what_happens_late_is_waited_for(void)
{
    static const char text[] =
        "model m\nSe V = 1\nI L = 1\nR r = 1\nX1 s\nX1 k\nV -> s -> k -> L\nk -> r\n"
        "switch s pwm(1m, 1/2)\nswitch k on, off when t > 1e25\n";
    orbit b;
    int asked = 0;
    orbit_find(&b, text, &(jn_steady_options){.interrupted = soon, .ctx = &asked});
    CU_ASSERT_NOT_EQUAL(b.status, JN_OK);
    orbit_clear(&b);
}

/* What happens once is over when the orbit is looked for. */
static void what_happens_once_is_no_part_of_the_orbit(void)
{
    orbit b;
    orbit_find(&b,
               "model m\nSe V = min(t/2, 1)*sin(2*pi*t) + if(t < 3, t, 1)\n" RC "output i = f(L)\n",
               NULL);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    CLOSE_REL(b.orbit->period, 1, 1e-14);
    CLOSE_REL(orbit_value(&b, "i")->mean, 1, 1e-11);
    CLOSE_REL(orbit_value(&b, "i")->amplitude[0], 1 / hypot(1, 2 * PI), 1e-11);
    orbit_clear(&b);
}

/* A divider of the clock: after one period of the clock its numbers are where they were, it is not. */
static void a_divider_of_the_clock_is_noticed(void)
{
    static const char *const text =
        "model divider\nSe V = 1\nSe G = 0\nI L = 1\nR r = 1\n0 n\n1 j\nX1 s\nX1 d\n"
        "V -> s -> n\nG -> d -> n\nn -> j -> L\nj -> r\nswitch clk pwm(1, 1/2)\n"
        "automaton ff {\na off initial\nb off\nc on\ne on\na -> b when on(clk)\n"
        "b -> c when not on(clk)\nc -> e when on(clk)\ne -> a when not on(clk)\n}\n"
        "switch s off, on when on(ff), off when not on(ff)\n"
        "switch d on, on when not on(ff), off when on(ff)\noutput i = f(L)\n";
    orbit b;
    jn_steady_options two = {.times = 2};
    orbit_find(&b, text, NULL);
    CU_ASSERT_EQUAL(b.status, JN_UNABLE);
    orbit_clear(&b);
    orbit_find(&b, text, &two);
    CU_ASSERT_EQUAL(b.status, JN_OK);
    CLOSE(orbit_value(&b, "i")->mean, 0.5, 1, 1e-10);
    CLOSE(orbit_value(&b, "i")->max, (1 - exp(-1)) / (1 - exp(-2)), 1, 1e-10);
    orbit_clear(&b);
}

/* Pulses made by mod: the steps of its level are none of the orbit's numbers. */
static void pulses_by_mod_have_orbits(void)
{
    orbit b;
    orbit_find(&b,
               "model m\nSf J = if(mod(t, 1) < 3/10, 1, 0)\nC c = 1\nR r = 1\n0 n\n"
               "J -> n -> c\nn -> r\noutput v = e(c)\n",
               NULL);
    CU_ASSERT_EQUAL(b.status, JN_OK);
    CU_ASSERT_EQUAL(b.orbit->nmultipliers, 1);
    CU_ASSERT_EQUAL(b.orbit->ndiscretes, 0);
    CLOSE(b.orbit->multiplier[0].re, exp(-1), 1, 1e-10);
    CLOSE(orbit_value(&b, "v")->mean, 0.3, 1, 1e-10);
    orbit_clear(&b);
}

static void what_has_no_orbit_is_told(void)
{
    orbit b;
    orbit_find(&b,
               "model m\nSe V = 1 + sin(2*pi*t)\nI L = 1\n1 n\nV -> n\nn -> L\noutput i = f(L)\n",
               NULL);
    CU_ASSERT_EQUAL(b.status, JN_UNABLE);
    CU_ASSERT_PTR_NOT_NULL_FATAL(b.orbit);
    CU_ASSERT_EQUAL(b.orbit->status, JN_STEADY_NONE);
    CU_ASSERT_PTR_NOT_NULL(b.orbit->message);
    orbit_clear(&b);
    /* two sines that do not fit, over the period of one of them */
    jn_steady_options one = {.period = 2 * PI};
    orbit_find(&b, "model m\nSe V = sin(t) + sin(sqrt(2)*t)\nR r = 1\n1 n\nV -> n -> r\n", &one);
    CU_ASSERT_EQUAL(b.status, JN_UNABLE);
    orbit_clear(&b);
    jn_steady_options free_run = {.is_free = true, .settle = 50};
    orbit_find(&b, "model m\nSe V = 1\n" RC, &free_run);
    CU_ASSERT_EQUAL(b.status, JN_UNABLE);
    CU_ASSERT(b.orbit->message && strstr(b.orbit->message, "comes to rest"));
    orbit_clear(&b);
}

void suite_periodic_orbits(void)
{
    TEST_SUITE("periodic_orbits");
    TEST_ADD(bucks_have_the_known_orbits);
    TEST_ADD(a_rectangle_has_its_known_harmonics);
    TEST_ADD(sines_agree_with_phasors);
    TEST_ADD(resonance_has_no_orbit);
    TEST_ADD(converters_settle_on_their_orbits);
    TEST_ADD(multipliers_of_converters_agree_with_differences);
    TEST_ADD(multipliers_of_random_models_agree_with_differences);
    TEST_ADD(a_jump_may_last_no_time);
    TEST_ADD(a_doubled_period_is_found);
    TEST_ADD(stick_slip_has_its_period);
    TEST_ADD(what_sticks_forgets_its_deviations);
    TEST_ADD(a_ball_on_a_table_bounces_as_known);
    TEST_ADD(van_der_pol_has_its_period);
    TEST_ADD(a_relay_has_its_period);
    TEST_ADD(an_oscillation_is_one_turn);
    TEST_ADD(controllers_are_part_of_the_orbit);
    TEST_ADD(meters_agree_with_long_runs);
    TEST_ADD(orbits_may_slide);
    TEST_ADD(an_orbit_may_slide_all_the_time);
    TEST_ADD(a_free_orbit_may_slide);
    TEST_ADD(models_without_a_period_say_so);
    TEST_ADD(what_happens_once_is_no_part_of_the_orbit);
    TEST_ADD(what_happens_late_is_waited_for);
    TEST_ADD(a_divider_of_the_clock_is_noticed);
    TEST_ADD(pulses_by_mod_have_orbits);
    TEST_ADD(what_has_no_orbit_is_told);
}
