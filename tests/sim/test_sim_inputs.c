/* test_sim_inputs.c: sources that change in time, on a coil, an RC and an LC in resonance.
 *
 * What a linear circuit does with an input is an integral over it; here that is taken by Gauss's
 * quadrature in long double, piece by piece between the input's kinks. */
#include "rig.h"

#include <math.h>
#include <unistd.h>

#define PI 3.141592653589793238462643383279502884L

typedef long double real;
typedef real (*input)(real t);

/* ---- quadrature ---------------------------------------------------------------------------- */

enum { NODES = 12 };

/* Nodes and weights of Gauss and Legendre on [−1, 1], by Newton's method. */
static void gauss(real *x, real *weight)
{
    for (int i = 0; i < NODES; i++) {
        real z = cosl(PI * (i + 0.75L) / (NODES + 0.5L)), slope = 1;
        for (int k = 0; k < 20; k++) {
            real p = 1, before = 0;
            for (int j = 1; j <= NODES; j++) {
                real next = ((2 * j - 1) * z * p - (j - 1) * before) / j;
                before = p;
                p = next;
            }
            slope = NODES * (z * p - before) / (z * z - 1);
            z -= p / slope;
        }
        x[i] = z;
        weight[i] = 2 / ((1 - z * z) * slope * slope);
    }
}

typedef enum { COIL, RC, LC } circuit;

/* What is left at time t of a unit impulse at time s. */
static real response(circuit c, real t, real s)
{
    return c == COIL ? 1 : c == RC ? expl(s - t) : sinl(t - s);
}

static real integral(circuit c, input u, real from, real to, real t)
{
    static real x[NODES], weight[NODES];
    if (weight[0] == 0)
        gauss(x, weight);
    int pieces = 1 + (int)((to - from) * 20);
    real h = (to - from) / pieces, sum = 0;
    for (int k = 0; k < pieces; k++)
        for (int i = 0; i < NODES; i++) {
            real s = from + h * (k + (1 + x[i]) / 2);
            sum += h / 2 * weight[i] * response(c, t, s) * u(s);
        }
    return sum;
}

/* kinks: ascending, at most 8, ended by a 0. */
static real expected(circuit c, input u, const real *kinks, real t)
{
    real from = 0, sum = 0;
    for (int i = 0; i < 8 && kinks[i] > 0 && kinks[i] < t; i++) {
        sum += integral(c, u, from, kinks[i], t);
        from = kinks[i];
    }
    return sum + integral(c, u, from, t, t);
}

/* ---- one input ----------------------------------------------------------------------------- */

static void compare(rig *r, input u, const real *kinks, double bound)
{
    static const double times[] = {0.3, 0.7, 1.9, 2.6, 4.4, 5.7};
    for (int i = 0; i < 6; i++) {
        double t = times[i];
        rig_to(r, t);
        CLOSE(rig_output(r, "u"), u(t), fmax(1, fabs((double)u(t))), 1e-13);
        CLOSE(rig_state(r, "m"), expected(COIL, u, kinks, t), 5, bound);
        CLOSE(rig_state(r, "c"), expected(RC, u, kinks, t), 5, bound);
        CLOSE(rig_state(r, "d"), expected(LC, u, kinks, t), 5, bound);
    }
}

static void run_with(const char *text, input u, const real *kinks, const char *folder,
                     jn_method method)
{
    static const real none[8];
    rig r;
    if (rig_new(&r, text, &(jn_sim_options){.folder = folder, .method = method})) {
        CU_ASSERT_EQUAL(jn_sim_is_linear(r.sim), method == JN_METHOD_EXACT);
        compare(&r, u, kinks ? kinks : none, method == JN_METHOD_EXACT ? 1e-13 : 1e-11);
        LEDGER(&r);
    } else {
        CU_ASSERT(!"the input can be run");
    }
    rig_clear(&r);
}

/* Exactly, if it can be, and integrated. */
static void run_any(const char *value, input u, const real *kinks, const char *folder, bool exact)
{
    jn_str text;
    jn_str_init(&text);
    jn_str_addf(&text,
                "model inputs\nSe u = %s\nI m = 1\nR r = 1\nC c = 1\nI k = 1\nC d = 1\n"
                "0 n\n1 rc\n1 lc\n"
                "u -> n -> m\nn -> rc -> r\nrc -> c\nn -> lc -> k\nlc -> d\noutput u = e(u)\n",
                value);
    unsigned failed = CU_get_number_of_failures();
    if (exact)
        run_with(jn_str_c(&text), u, kinks, folder, JN_METHOD_EXACT);
    run_with(jn_str_c(&text), u, kinks, folder, JN_METHOD_RADAU);
    if (CU_get_number_of_failures() > failed)
        printf("\n  with u = %s\n", value);
    jn_str_clear(&text);
}

static void run_input(const char *value, input u, const real *kinks, const char *folder)
{
    run_any(value, u, kinks, folder, true);
}

/* ---- smooth inputs ------------------------------------------------------------------------- */

static real cubic(real t)
{
    return t * t * t / 10 - 2 * t + 1;
}

static real power6(real t)
{
    return powl(t, 6) / 1000;
}

static real falling(real t)
{
    return 3 * expl(-t / 2);
}

static real rising(real t)
{
    return expl(t / 3);
}

static real own_decay(real t) /* the RC's own time constant */
{
    return expl(-t);
}

static real sine(real t)
{
    return 2 * sinl(3 * t + 1) + 1;
}

static real resonant(real t) /* the LC's own frequency */
{
    return sinl(t);
}

static real fast(real t)
{
    return cosl(40 * t);
}

static real product(real t)
{
    return t * expl(-t) * sinl(3 * t);
}

static real beat(real t)
{
    return sinl(2 * t) * cosl(3 * t) - sinl(t) * sinl(t);
}

static real wide_product(real t)
{
    return (1 + t) * (1 + t) * expl(-t / 3) * cosl(t) * 0.3L;
}

static void polynomials_are_followed(void)
{
    run_input("t^3/10 - 2*t + 1", cubic, NULL, NULL);
    run_input("t^6/1000", power6, NULL, NULL);
}

static void exponentials_are_followed(void)
{
    run_input("3*exp(-t/2)", falling, NULL, NULL);
    run_input("exp(t/3)", rising, NULL, NULL);
    run_input("exp(-t)", own_decay, NULL, NULL);
}

static void sinusoids_are_followed(void)
{
    run_input("2*sin(3*t + 1) + 1", sine, NULL, NULL);
    run_input("sin(t)", resonant, NULL, NULL);
    run_input("cos(40*t)", fast, NULL, NULL);
}

static void products_are_followed(void)
{
    run_input("t*exp(-t)*sin(3*t)", product, NULL, NULL);
    run_input("sin(2*t)*cos(3*t) - sin(t)^2", beat, NULL, NULL);
    run_input("0.3*(1 + t)^2*exp(-t/3)*cos(t)", wide_product, NULL, NULL);
}

/* What only constant signals make of it is still a constant, and a product with one linear. */
static void constant_signals_are_constants(void)
{
    run_input("two*sin(w*t + one) + one\nsignal w = 3*one\nsignal one = twice/2\n"
              "signal two = one + one\nparam twice = 2",
              sine, NULL, NULL);
    run_input("t^three/10 - t*2/one + one\nsignal three = 3\nsignal one = 1", cubic, NULL, NULL);
    run_input("three*exp(-t/two)\nsignal three = 3\nsignal two = three - 1", falling, NULL, NULL);
}

/* ---- inputs with kinks --------------------------------------------------------------------- */

static real step(real t)
{
    return t < 1 ? 0 : 5;
}

static real pieces(real t)
{
    return t < 1 ? t * t : t < 5.0L / 2 ? expl(1 - t) : -sinl(t);
}

static real square_wave(real t)
{
    return sinl(3 * t) > 0 ? 1 : -0.5L;
}

static real rectified(real t)
{
    return fabsl(sinl(2 * t));
}

static real clipped(real t)
{
    return fminl(fmaxl(2 * sinl(t), -0.5L), 1);
}

static void branches_turn_where_they_should(void)
{
    run_input("if(t < 1, 0, 5)", step, (real[8]){1}, NULL);
    run_input("if(t < 1, t^2, if(t < 5/2, exp(1 - t), -sin(t)))", pieces, (real[8]){1, 2.5L}, NULL);
    run_input("if(sin(3*t) > 0, 1, -1/2)", square_wave,
              (real[8]){PI / 3, 2 * PI / 3, PI, 4 * PI / 3, 5 * PI / 3}, NULL);
}

static real ramp(real t)
{
    return fminl(1, t / 2);
}

static real turning(real t)
{
    return cosl(2 * t) > 0 ? t : -t;
}

/* Linear between the kinks. */
static void inputs_may_have_kinks(void)
{
    real low = asinl(0.25L), high = asinl(0.5L);
    run_input("abs(sin(2*t))", rectified, (real[8]){PI / 2, PI, 3 * PI / 2}, NULL);
    run_input("min(max(2*sin(t), -1/2), 1)", clipped,
              (real[8]){high, PI - high, PI + low, 2 * PI - low}, NULL);
    run_input("min(1, t/2)", ramp, (real[8]){2}, NULL);
    run_input("t*sign(cos(2*t))", turning, (real[8]){PI / 4, 3 * PI / 4, 5 * PI / 4, 7 * PI / 4},
              NULL);
    run_input("5*sign(if(t < 1, 0, t))", step, (real[8]){1}, NULL); /* sign(0) is 0 */
}

/* ---- tables -------------------------------------------------------------------------------- */

static real interpolated(real t)
{
    static const real at[] = {0, 1, 1.5L, 4, 6}, value[] = {0, 2, -1, 3, 3};
    int i = 0;
    while (i < 3 && t >= at[i + 1])
        i++;
    return value[i] + (value[i + 1] - value[i]) * (t - at[i]) / (at[i + 1] - at[i]);
}

/* Writes text to NAME in the folder, or removes it when text is NULL. */
static void put_file(const char *folder, const char *name, const char *text)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = text ? fopen(path, "w") : NULL;
    if (f) {
        fputs(text, f);
        fclose(f);
    } else {
        unlink(path);
    }
}

static void refuse_table(const char *folder, const char *text, const char *slug)
{
    rig r;
    put_file(folder, "bad.csv", text);
    bool made = rig_new(&r, "model m\nSe u = table(\"bad.csv\", \"u\")\nI m = 1\nu -> m\n",
                        &(jn_sim_options){.folder = folder});
    CU_ASSERT(!made && r.status == JN_INVALID && rig_has_error(&r, slug));
    rig_clear(&r);
    put_file(folder, "bad.csv", NULL);
}

static void tables_are_followed(void)
{
    char folder[] = "/tmp/junct-tables-XXXXXX";
    CU_ASSERT_FATAL(mkdtemp(folder) != NULL);
    put_file(folder, "u.csv", "t,other,u\n0,9,0\n1,9,2\n1.5,9,-1\n4,9,3\n6,9,3\n");
    run_input("table(\"u.csv\", \"u\")", interpolated, (real[8]){1, 1.5L, 4}, folder);
    put_file(folder, "u.csv", "turns,u,t\n0,0,9\n3,2,9\n4.5,-1,9\n12,3,9\n18,3,9\n");
    run_any("table(\"u.csv\", \"u\", 3*t)", interpolated, (real[8]){1, 1.5L, 4}, folder, false);
    put_file(folder, "u.csv", NULL);
    refuse_table(folder, NULL, "csv-unreadable");
    refuse_table(folder, "t,v\n0,1\n1,2\n", "csv-column");
    refuse_table(folder, "t,u\n0,1\n1,two\n", "csv-number");
    refuse_table(folder, "t,u\n0,1\n2,2\n1,3\n", "csv-order");
    refuse_table(folder, "t,u\n0,1\n2\n", "csv-ragged");
    rmdir(folder);
}

/* ---- an input that turns as the run begins ------------------------------------------------- */

static real after_ramp(real f, real slope, real t) /* ḟ = slope·t − f */
{
    return slope * (t - 1) + (f + slope) * expl(-t);
}

/* All is at rest, and the first double after 0 is an event. */
static void begin_on_kink(const char *source, real slope, const char *law)
{
    rig r;
    char text[200];
    snprintf(text, sizeof text,
             "model m\nSf u = %s\nI L%s\nR r = 1\n0 j\nu -> j -> L\nj -> r\noutput i = f(L)\n",
             source, law);
    if (rig_new(&r, text, NULL)) {
        rig_to(&r, 2.5);
        CLOSE_REL(rig_output(&r, "i"), after_ramp(0, slope, 2.5L), 1e-11);
        rig_to(&r, 4);
        rig_to(&r, 6);
        bool starts_again = strstr(source, "mod");
        real f =
            starts_again ? after_ramp(after_ramp(0, slope, 4), slope, 2) : after_ramp(0, slope, 6);
        CLOSE_REL(rig_output(&r, "i"), f, 1e-11);
        CU_ASSERT(jn_sim_residue(r.sim) < 1e-10);
    } else {
        CU_FAIL("it does not begin");
    }
    rig_clear(&r);
}

static void inputs_may_begin_on_a_kink(void)
{
    static const char *const law[] = {" = 1", " : f = p + 0*p^3"};
    for (int i = 0; i < 2; i++) {
        begin_on_kink("2*abs(t)", 2, law[i]);
        begin_on_kink("max(t, 0)", 1, law[i]);
        begin_on_kink("mod(t, 4)", 1, law[i]);
    }
}

/* ∫u = 5 + 2 + 9/2 + 4. Where a source turns, nothing switches: what follows it closely is no event. */
static void kinks_are_no_events(void)
{
    static const jn_method methods[] = {JN_METHOD_AUTO, JN_METHOD_RADAU};
    for (int k = 0; k < 2; k++) {
        rig r;
        if (rig_new(&r,
                    "Se u = abs(t - 1) + max(0, t - 2) + if(t < 3, t, 2*t - 3)\nI L = 1\nu -> L\n"
                    "output p(L)\n",
                    &(jn_sim_options){.method = methods[k]})) {
            rig_to(&r, 4);
            CLOSE(rig_output(&r, "p(L)"), 15.5L, 1, 1e-9);
            for (int i = 0; i < r.nevents; i++)
                CU_ASSERT_EQUAL(r.event[i].kind, JN_EVENT_START);
        }
        rig_clear(&r);
    }
}

/* ---- what lasts but a short while ---------------------------------------------------------- */

/* A coil that holds nothing takes what the pulse is in all, between t = 0 and 100. */
static void take_pulse(const char *pulse, long double area)
{
    char text[200];
    rig r;
    snprintf(text, sizeof text, "Se u = %s\nI L = 1\nR r : e = 0*f^3\n1 n\nu -> n -> L\nn -> r\n",
             pulse);
    bool runs = rig_new(&r, text, NULL);
    CU_ASSERT(runs);
    if (runs) {
        rig_to(&r, 100);
        CLOSE_REL(rig_state(&r, "L"), area, 1e-9);
    }
    rig_clear(&r);
}

/* At rest steps grow beyond all that is short, and no node of them sees it. */
static void pulses_are_not_stepped_over(void)
{
    long double root = sqrtl(PI);
    take_pulse("12*exp(-((t - 60)/0.03)^2)", 0.36L * root);
    take_pulse("12*exp(-((t - 60)/0.3)^2)", 3.6L * root);
    take_pulse("exp(-((t - 99.5)/1e-6)^2)", 1e-6L * root);
    take_pulse("exp(-((t - 1)/0.01)^2) - 2*exp(-((t - 30)/1e-4)^2)", (0.01L - 2e-4L) * root);
    take_pulse("(1 - cos(2*pi*t/50))/2 + exp(-((t - 70)/0.001)^2)", 50 + 0.001L * root);
    take_pulse("1/(1 + ((t - 40)/0.001)^2)", 0.001L * (atanl(6e4L) + atanl(4e4L)));
    take_pulse("tanh((t - 20)/0.001) - tanh((t - 20.1)/0.001)", 0.2L);
    take_pulse("if(t < 10, 0, exp(-((t - 60)/0.03)^2))", 0.03L * root);
    take_pulse("max(0, 1 - ((t - 80)/0.01)^2)", 0.04L / 3);
}

/* A comparison of time alone that holds for 50 ms of 100 s. */
static void short_conditions_are_seen(void)
{
    static const char *const law[] = {"= 1", ": e = f + f^3"};
    double half = 0.03 * sqrt(log(2));
    for (int k = 0; k < 2; k++) {
        char text[300];
        rig r;
        snprintf(text, sizeof text,
                 "Se V = 1\nR r %s\nC c = 1\nX1 s\n0 n\nV -> s -> n -> c\nn -> r\n"
                 "switch s off, on when exp(-((t - 60)/0.03)^2) > 0.5, off when exp(-((t - "
                 "60)/0.03)^2) < 0.5\n",
                 law[k]);
        bool runs = rig_new(&r, text, NULL);
        CU_ASSERT(runs);
        if (runs) {
            rig_to(&r, 100);
            CU_ASSERT_EQUAL_FATAL(r.nevents, 3);
            CLOSE(r.event[1].t, 60 - half, 1, 1e-12);
            CLOSE(r.event[2].t, 60 + half, 1, 1e-12);
        }
        rig_clear(&r);
    }
}

void suite_sim_inputs(void)
{
    TEST_SUITE("sim_inputs");
    TEST_ADD(kinks_are_no_events);
    TEST_ADD(polynomials_are_followed);
    TEST_ADD(exponentials_are_followed);
    TEST_ADD(sinusoids_are_followed);
    TEST_ADD(products_are_followed);
    TEST_ADD(constant_signals_are_constants);
    TEST_ADD(branches_turn_where_they_should);
    TEST_ADD(inputs_may_have_kinks);
    TEST_ADD(inputs_may_begin_on_a_kink);
    TEST_ADD(tables_are_followed);
    TEST_ADD(pulses_are_not_stepped_over);
    TEST_ADD(short_conditions_are_seen);
}
