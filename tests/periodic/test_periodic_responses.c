/* test_periodic_responses.c: frequency responses against closed forms and disturbed runs. */
#include <complex.h>
#include <math.h>

#include "orbits.h"

#define PI 3.14159265358979323846

static const jn_steady_options radau = {.method = JN_METHOD_RADAU};
static const double loads[CONVERTERS][2] = {{1, 10}, {5, 50}, {2, 40}, {2, 40}};

static void near(jn_complex got, double re, double im, double bound)
{
    CLOSE(got.re, re, hypot(re, im), bound);
    CLOSE(got.im, im, hypot(re, im), bound);
}

/* Of the method page. */
static void bucks_have_the_known_responses(void)
{
    static const double expected[2][2] = {{12.0283231983775, -24.7416303924699},
                                          {1.76525610201585, -8.91858296435376}};
    for (int c = 0; c < 2; c++)
        for (int method = 0; method < 2; method++) {
            jn_str text;
            jn_str_init(&text);
            orbit_converter(&text, BUCK, "1/2", 1e-4, loads[BUCK][c]);
            jn_complex y =
                orbit_response(jn_str_c(&text), "s", true, "v", 1000, method ? &radau : NULL);
            near(y, expected[c][0], expected[c][1], method ? 1e-9 : 1e-11);
            jn_str_clear(&text);
        }
}

/* ---- around one orbit of a family ----------------------------------------------------------- */

/* ẋ = v, v̇ = −sin x, with a deviation (dx, dv) from it that is driven by e^{iωt}, and ∫ dx e^{−iωt} dt. */
typedef struct {
    double x, v;
    double complex dx, dv, sum;
} swing;

static swing swing_rate(const swing *s, double t, double omega, bool driven)
{
    double complex drive = driven ? cexp(I * omega * t) : 0;
    return (swing){s->v, -sin(s->x), s->dv, -cos(s->x) * s->dx + drive,
                   s->dx * cexp(-I * omega * t)};
}

static swing swing_on(const swing *s, double h, const swing *k)
{
    return (swing){s->x + h * k->x, s->v + h * k->v, s->dx + h * k->dx, s->dv + h * k->dv,
                   s->sum + h * k->sum};
}

/* Over one period, by the classical method of Runge and Kutta. */
static swing swing_over(swing s, double period, double omega, bool driven)
{
    enum { STEPS = 4000 };
    double h = period / STEPS;
    for (int i = 0; i < STEPS; i++) {
        double t = i * h;
        swing a = swing_rate(&s, t, omega, driven), at = swing_on(&s, h / 2, &a);
        swing b = swing_rate(&at, t + h / 2, omega, driven);
        at = swing_on(&s, h / 2, &b);
        swing c = swing_rate(&at, t + h / 2, omega, driven);
        at = swing_on(&s, h, &c);
        swing d = swing_rate(&at, t + h, omega, driven);
        s = swing_on(&s, h / 6, &a);
        s = swing_on(&s, h / 3, &b);
        s = swing_on(&s, h / 3, &c);
        s = swing_on(&s, h / 6, &d);
    }
    return s;
}

/* The deviation that is multiplied by e^{iωT} in each period: (e^{iωT} − M) w = what one period adds. */
static double complex pendulum_response(double v0, double f)
{
    double omega = 2 * PI * f, a = 1, b = sqrt(1 - v0 * v0 / 4); /* the period by Gauss's mean */
    for (int i = 0; i < 8; i++) {
        double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    double period = 2 * PI / a;
    swing first = swing_over((swing){0, v0, 1, 0, 0}, period, omega, false);
    swing second = swing_over((swing){0, v0, 0, 1, 0}, period, omega, false);
    swing added = swing_over((swing){0, v0, 0, 0, 0}, period, omega, true);
    double complex turn = cexp(I * omega * period);
    double complex m11 = turn - first.dx, m12 = -second.dx, m21 = -first.dv, m22 = turn - second.dv;
    double complex det = m11 * m22 - m12 * m21;
    swing w = {0, v0, (m22 * added.dx - m12 * added.dv) / det,
               (m11 * added.dv - m21 * added.dx) / det, 0};
    return swing_over(w, period, omega, true).sum / period;
}

/* Nothing dies away there: the response is the part of the answer that has the frequency of the disturbance. */
static void a_family_has_responses(void)
{
    static const char linear[] =
        "model lc\nI m = 2\nC k = 1/8\nSe F = 3/2\n1 v\nF -> v\nv -> m\nv -> k\n"
        "output x = e(k)\nsimulate to 60 every 0.01\n";
    static const char pendulum[] =
        "model p\nI J = 1, f0 = 1.2\nC g : e = sin(q)\nSe F = 0\n1 a\nF -> a -> J\n"
        "a -> g\noutput x = q(g)\nsimulate to 60 every 0.01\n";
    static const double f[] = {0.05, 0.3, 1.1};
    jn_steady_options exact = {.is_free = true};
    jn_steady_options integrated = {.is_free = true, .method = JN_METHOD_RADAU};
    for (int i = 0; i < 3; i++) {
        double w = PI * f[i]; /* over the 2 of the circuit */
        near(orbit_response(linear, "F", false, "x", f[i], &exact), 1 / (1 - w * w), 0, 1e-11);
        near(orbit_response(linear, "F", false, "x", f[i], &integrated), 1 / (1 - w * w), 0, 1e-8);
        double complex y = pendulum_response(1.2, f[i]);
        near(orbit_response(pendulum, "F", false, "x", f[i], &exact), creal(y), cimag(y), 1e-8);
    }
}

/* ---- disturbed runs ------------------------------------------------------------------------ */

/* The first harmonic, over one turn of the disturbance, of an orbit that is disturbed for good. */
static double complex harmonic(const char *text, double f, int h)
{
    orbit b;
    jn_steady_options o = {.period = 1 / f};
    double complex y = NAN;
    orbit_find(&b, text, &o);
    CU_ASSERT_EQUAL(b.status, JN_OK);
    if (b.status == JN_OK) {
        const jn_steady_value *v = orbit_value(&b, "v");
        /* phases count from the start of the orbit, those of the disturbance from t = 0 */
        double turns = b.orbit->start_time * f;
        y = v->amplitude[h - 1] * cexp(I * (v->phase[h - 1] - 2 * PI * h * turns));
    }
    orbit_clear(&b);
    return y;
}

/* (Y(ε) − Y(−ε))/2ε and the same for 2ε, extrapolated. write: the model with a disturbance ε. */
static double complex slope(void (*write)(jn_str *text, converter_kind k, int c, double epsilon),
                            converter_kind k, int c, double f)
{
    const double epsilon[] = {1e-3, -1e-3, 2e-3, -2e-3};
    double complex y[4];
    for (int i = 0; i < 4; i++) {
        jn_str text;
        jn_str_init(&text);
        write(&text, k, c, epsilon[i]);
        y[i] = harmonic(jn_str_c(&text), f, 1);
        jn_str_clear(&text);
    }
    return (8 * (y[0] - y[1]) - (y[2] - y[3])) / (12e-3);
}

#define MODULATION 1000.0 /* ten periods of the clock make one turn */

static void disturbed_duty(jn_str *text, converter_kind k, int c, double epsilon)
{
    char duty[80];
    snprintf(duty, sizeof duty, "1/2 + (%.17g)*cos(2*pi*1000*t)", epsilon);
    orbit_converter(text, k, duty, 1e-4, loads[k][c]);
}

static void disturbed_source(jn_str *text, converter_kind k, int c, double epsilon)
{
    jn_str plain;
    jn_str_init(&plain);
    orbit_converter(&plain, k, "1/2", 1e-4, loads[k][c]);
    const char *at = strstr(jn_str_c(&plain), "Se V = 24");
    jn_str_addn(text, plain.s, (size_t)(at - plain.s));
    jn_str_addf(text, "Se V = 24 + (%.17g)*cos(2*pi*1000*t)%s", 24 * epsilon,
                at + strlen("Se V = 24"));
    jn_str_clear(&plain);
}

static void converters_answer_as_disturbed_runs_do(void)
{
    for (int k = 0; k < CONVERTERS; k++)
        for (int c = 0; c < 2; c++) {
            jn_str text;
            jn_str_init(&text);
            orbit_converter(&text, k, "1/2", 1e-4, loads[k][c]);
            jn_complex duty = orbit_response(jn_str_c(&text), "s", true, "v", MODULATION, NULL);
            jn_complex source = orbit_response(jn_str_c(&text), "V", false, "v", MODULATION, NULL);
            double complex expected = slope(disturbed_duty, k, c, MODULATION);
            near(duty, creal(expected), cimag(expected), 1e-6);
            expected = slope(disturbed_source, k, c, MODULATION) / 24;
            near(source, creal(expected), cimag(expected), 1e-6);
            jn_str_clear(&text);
        }
}

/* The two ways of finding it know nothing of each other. What the source is taken jumps at events. */
static void compare_ways(const char *text, double f)
{
    static const char *const to[] = {"i", "taken"};
    for (int duty = 0; duty < 2; duty++)
        for (int k = 0; k < 2; k++) {
            const char *from = duty ? "s" : "V";
            jn_complex a = orbit_response(text, from, duty, to[k], f, NULL);
            jn_complex b = orbit_response(text, from, duty, to[k], f, &radau);
            near(a, b.re, b.im, 1e-7);
        }
}

static void exact_responses_agree_with_differences(void)
{
    static const double at[] = {170, 1300, 13000};
    for (int k = 0; k < CONVERTERS; k++)
        for (int c = 0; c < 2; c++)
            for (int i = 0; i < 3; i++) {
                jn_str text;
                jn_str_init(&text);
                orbit_converter(&text, k, "2/5", 1e-4, loads[k][c]);
                compare_ways(jn_str_c(&text), at[i]);
                jn_str_clear(&text);
            }
}

/* A capacitor that a diode ties to a source that swings: a state comes and goes, and jumps of a second
 * capacitor are in the way of the disturbance. */
static void a_response_may_be_tied_to_the_source(void)
{
    static const char text[] =
        "model m\nSe V = 10 + 5*sin(2*pi*1000*t)\nC C1 = 10u\nR r1 = 500\nI L = 5m\nR r2 = 200\nC "
        "C2 "
        "= 4u\n"
        "R r3 = 1k\n0 a\n0 b\n1 c\nX1 d\nX1 s\nV -> d -> a\na -> C1\na -> r1\na -> c -> L\nc -> "
        "r2\n"
        "a -> s -> b\nb -> C2\nb -> r3\nswitch d diode\nswitch s pwm(1m, 3/10, 350u)\n"
        "output i = f(L), taken = f(V)\n";
    compare_ways(text, 230);
    compare_ways(text, 4700);
}

/* ---- closed forms -------------------------------------------------------------------------- */

/* A capacitor on the source itself: its current has the rate of the source in it. */
static void responses_in_a_mode_are_transfer_functions(void)
{
    static const char text[] =
        "model m\nSe V = 5\nI L = 1m\nC C1 = 2u\nC C2 = 3u\nR r = 10\n0 a\n1 n\n0 b\n"
        "V -> a\na -> C2\na -> n\nn -> L\nn -> r\nn -> b\nb -> C1\n"
        "output v = e(C1), i = f(V)\n";
    orbit o;
    jn_bode *b;
    double f = 1234;
    double complex s = I * 2 * PI * f, Z = 10 + 1e-3 * s + 1 / (2e-6 * s);
    jn_onoff none[1] = {0};
    orbit_read(&o, text);
    jn_bode_options q = {.mode = none,
                         .source = jn_graph_find(o.graph, "V"),
                         .pwm = -1,
                         .nfrequencies = 1,
                         .frequency = &f};
    CU_ASSERT_EQUAL_FATAL(jn_bode_find(&b, o.graph, &q, o.diags), JN_OK);
    double complex v = 1 / (2e-6 * s) / Z, i = 1 / Z + 3e-6 * s;
    near(b->response[0], creal(v), cimag(v), 1e-12);
    near(b->response[1], creal(i), cimag(i), 1e-12);
    jn_bode_free(b);
    orbit_clear(&o);
}

/* Around an orbit that a sine makes of a linear circuit the response is that of the circuit. */
static void responses_around_a_sine_are_found(void)
{
    static const char text[] =
        "model m\nSe V = 10*sin(2*pi*50*t)\nI L = 10m\nR r = 3\nC C1 = 200u\n"
        "1 n\nV -> n\nn -> L\nn -> r\nn -> C1\noutput i = f(L)\n";
    double complex s = I * 2 * PI * 77.7, y = 1 / (3 + 0.01 * s + 1 / (2e-4 * s));
    near(orbit_response(text, "V", false, "i", 77.7, NULL), creal(y), cimag(y), 1e-11);
    near(orbit_response(text, "V", false, "i", 77.7, &radau), creal(y), cimag(y), 1e-8);
}

/* The averaged buck is a filter: V/(1 + sL/R + s²LC). */
static void the_averaged_buck_is_known(void)
{
    jn_str text;
    orbit o;
    jn_bode *b;
    double f[] = {10, 1000};
    jn_str_init(&text);
    orbit_converter(&text, BUCK, "1/2", 1e-4, 1);
    orbit_read(&o, jn_str_c(&text));
    jn_bode_options q = {.source = -1, .pwm = 0, .nfrequencies = 2, .frequency = f};
    CU_ASSERT_EQUAL_FATAL(jn_bode_find(&b, o.graph, &q, o.diags), JN_OK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(b->averaged);
    for (int i = 0; i < 2; i++) {
        double complex s = I * 2 * PI * f[i], v = 24 / (1 + 1e-4 * s + 1e-8 * s * s);
        near(b->averaged[i * b->nvalues], creal(v), cimag(v), 1e-10);
    }
    CU_ASSERT(b->deviation[0] > 0.1 && b->deviation[0] < 0.5);
    /* exactly: half of each mode */
    static const char *const A[] = {"0", "-1/C1", "1/L", "-1/(C1*load)"}, *const B[] = {"1/2",
                                                                                        "1/2"};
    CU_ASSERT_PTR_NOT_NULL_FATAL(b->mean_A);
    TEST_TEXT("1/2 of 10, 1/2 of 01", b->shares);
    for (int i = 0; i < 6; i++) {
        jn_str value;
        jn_str_init(&value);
        jn_ratfun_print(&value, o.graph->field, i < 4 ? b->mean_A[i] : b->mean_B[i - 4],
                        jn_graph_param_names(o.graph), JN_RATFUN_TEXT);
        TEST_TEXT(i < 4 ? A[i] : B[i - 4], jn_str_c(&value));
        jn_str_clear(&value);
    }
    jn_bode_free(b);
    orbit_clear(&o);
    jn_str_clear(&text);
    jn_str_init(&text);
    orbit_converter(&text, BUCK, "1/2", 1e-4, 10);
    orbit_read(&o, jn_str_c(&text));
    CU_ASSERT_EQUAL_FATAL(jn_bode_find(&b, o.graph, &q, o.diags), JN_OK);
    CU_ASSERT_PTR_NULL(b->averaged);
    CU_ASSERT_PTR_NOT_NULL(b->why_not_averaged);
    jn_bode_free(b);
    orbit_clear(&o);
    jn_str_clear(&text);
}

/* With a duty cycle that is a parameter the averaged equations hold for all of its values. Its response to the
 * duty cycle is the one around the means v and i: s·p = −(1 − D)·q/C + v, s·q = (1 − D)·p/L − q/(R·C) − i. */
static void the_averaged_boost_has_its_duty_as_a_symbol(void)
{
    static const char *const A[] = {"0", "(D - 1)/C1", "(1 - D)/L", "-1/(C1*load)"};
    jn_str text;
    orbit o;
    jn_bode *b;
    double f = 500;
    jn_str_init(&text);
    orbit_converter(&text, BOOST, "D", 1e-4, 5);
    jn_str_add(&text, "param D = 2/5\n");
    orbit_read(&o, jn_str_c(&text));
    jn_bode_options q = {.source = -1, .pwm = 0, .nfrequencies = 1, .frequency = &f};
    CU_ASSERT_EQUAL_FATAL(jn_bode_find(&b, o.graph, &q, o.diags), JN_OK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(b->mean_A);
    TEST_TEXT("D of 10, 1 - D of 01", b->shares);
    double complex w = I * 2 * PI * f;
    double v = b->orbit->value[0].mean, i = b->orbit->value[1].mean, L = 1e-4, C = 1e-4;
    double complex q_hat = (0.6 / L * v / w - i) / (w + 1 / (5 * C) + 0.36 / (L * C * w));
    near(b->averaged[0], creal(q_hat / C), cimag(q_hat / C), 1e-10);
    for (int k = 0; k < 4; k++) {
        jn_str value;
        jn_str_init(&value);
        jn_ratfun_print(&value, o.graph->field, b->mean_A[k], jn_graph_param_names(o.graph),
                        JN_RATFUN_TEXT);
        TEST_TEXT(A[k], jn_str_c(&value));
        jn_str_clear(&value);
    }
    jn_bode_free(b);
    orbit_clear(&o);
    jn_str_clear(&text);
}

/* One crossing, where it is known. */
static void one_crossing(const jn_crossings *c, double f, double margin, double bound)
{
    CU_ASSERT_EQUAL(c->n, 1);
    if (c->n != 1)
        return;
    CLOSE_REL(c->at[0].frequency, f, bound);
    CLOSE(c->at[0].margin, margin, fmax(fabs(margin), 1), bound);
}

static jn_bode *respond_in_mode(orbit *o, const char *text, int n, const double *f)
{
    jn_bode *b = NULL;
    jn_onoff none[1] = {0};
    orbit_read(o, text);
    jn_bode_options q = {.mode = none,
                         .source = jn_graph_find(o->graph, "V"),
                         .pwm = -1,
                         .nfrequencies = n,
                         .frequency = f,
                         .margins = true};
    CU_ASSERT_EQUAL_FATAL(jn_bode_find(&b, o->graph, &q, o->diags), JN_OK);
    return b;
}

/* 100/(1 + s)³ has size 1 and phase −180° at places that can be written down: they do not depend on the
 * frequencies that are asked for. */
static void margins_are_known(void)
{
    static const char text[] = "model m\nSe V = 0\nI a = 1\nI b = 1\nI c = 1\nR ra = 1\nR rb = "
                               "1\nR rc = 1\n1 na\n1 nb\n1 nc\n"
                               "V -> na\nna -> a\nna -> ra\nSe W = f(a)\nW -> nb\nnb -> b\nnb -> "
                               "rb\nSe X = f(b)\nX -> nc\n"
                               "nc -> c\nnc -> rc\noutput y = 100*f(c), small = f(c)/10\n";
    static const double f[] = {0.01, 10};
    orbit o;
    jn_bode *b = respond_in_mode(&o, text, 2, f);
    double w = sqrt(pow(100, 2.0 / 3) - 1);
    one_crossing(&b->margins[0].gain, w / (2 * PI), 180 - 3 * atan(w) * 180 / PI, 1e-11);
    one_crossing(&b->margins[0].phase, sqrt(3) / (2 * PI), -20 * log10(100 / 8.0), 1e-11);
    CU_ASSERT_EQUAL(b->margins[1].gain.n, 0);
    one_crossing(&b->margins[1].phase, sqrt(3) / (2 * PI), 20 * log10(80), 1e-11);
    /* the phase is followed: −270° at the end, not 90° */
    CLOSE(b->phase[2], -3 * atan(2 * PI * 10) * 180 / PI, 270, 1e-12);
    jn_bode_free(b);
    orbit_clear(&o);
}

/* A coil and a capacitor with hardly a loss: its size is above 1 only beside the resonance, a part in a
 * million of the frequency, and it falls through 1 once more. y = 1/10/(s² + ds + 1), d = 1e-6. */
static void a_narrow_resonance_has_its_crossings(void)
{
    static const char text[] = "model m\nSe V = 0\nI L = 1\nC C1 = 1\nR r = 1u\n1 n\nV -> n\n"
                               "n -> L\nn -> C1\nn -> r\noutput y = e(C1)/10\n";
    static const double f[] = {0.01, 0.1, 1, 10};
    orbit o;
    jn_bode *b = respond_in_mode(&o, text, 4, f);
    const jn_crossings *c = &b->margins[0].gain;
    CU_ASSERT_EQUAL_FATAL(c->n, 2);
    for (int i = 0; i < 2; i++) { /* (1 − w²)² + d²·w² = 1/100 */
        double d = 1e-6, mid = 1 - d * d / 2, x = mid + (i ? 1 : -1) * sqrt(mid * mid - 0.99);
        double w = sqrt(x), angle = atan2(d * w, 1 - x);
        CLOSE_REL(c->at[i].frequency, w / (2 * PI), 1e-11);
        CLOSE(c->at[i].margin, (PI - angle) * 180 / PI, 180, 1e-10);
    }
    CLOSE(b->phase[3], -180, 180, 1e-5);
    jn_bode_free(b);
    orbit_clear(&o);
}

/* A resonance of which nothing is seen beside it: 1/2 + 10/(1 + ix) with x = (w² − 1)/(d·w), d = 1e-8. */
static void a_hidden_resonance_is_found(void)
{
    static const char text[] = "model m\nSe V = 0\nI L = 1\nC C1 = 1\nR r = 1e-8\n1 n\nV -> n\n"
                               "n -> L\nn -> C1\nn -> r\noutput y = e(V)/2 + f(L)/1e7\n";
    static const double f[] = {0.01, 0.1, 1, 10};
    orbit o;
    jn_bode *b = respond_in_mode(&o, text, 4, f);
    const jn_crossings *c = &b->margins[0].gain;
    CU_ASSERT_EQUAL(c->n, 2);
    for (int i = 0; i < c->n && i < 2; i++) {
        double x = (i ? 1 : -1) * sqrt(110 / 0.75 - 1), half = x * 1e-8 / 2;
        CLOSE(2 * PI * c->at[i].frequency - 1, half, fabs(half), 1e-6);
    }
    jn_bode_free(b);
    orbit_clear(&o);
}

/* Without a loss: 1/(s² + 1), around an orbit that a sine makes. Its phase steps by half a turn at the pole, where
 * it has no response, and stays on the line: no crossing of it. */
static void a_pole_without_losses_is_no_response(void)
{
    static const char text[] =
        "model m\nSe V = 0\nSe W = sin(3*t)\nI L = 1\nC C1 = 1\n1 n\nV -> n\n"
        "W -> n\nn -> L\nn -> C1\noutput y = e(C1)\n";
    const double f[] = {0.1 / (2 * PI), 1 / (2 * PI), 2 / (2 * PI)};
    orbit o;
    jn_bode *b = NULL;
    orbit_read(&o, text);
    jn_bode_options q = {.source = jn_graph_find(o.graph, "V"),
                         .pwm = -1,
                         .nfrequencies = 3,
                         .frequency = f,
                         .margins = true};
    CU_ASSERT_EQUAL_FATAL(jn_bode_find(&b, o.graph, &q, o.diags), JN_OK);
    near(b->response[0], 1 / 0.99, 0, 1e-11);
    CU_ASSERT(isnan(b->response[1].re));
    near(b->response[2], -1 / 3.0, 0, 1e-11);
    CLOSE(fabs(b->phase[2]), 180, 180, 1e-9);
    one_crossing(&b->margins[0].gain, sqrt(2) / (2 * PI), 0, 1e-9);
    CU_ASSERT_EQUAL(b->margins[0].phase.n, 0);
    jn_bode_free(b);
    orbit_clear(&o);
}

/* Around an orbit: the crossings are those of the response itself. */
static void margins_around_an_orbit_are_those_of_the_response(void)
{
    static const double f[] = {100, 20000};
    for (int method = 0; method < 2; method++) {
        jn_str text;
        orbit o;
        jn_bode *b = NULL;
        jn_str_init(&text);
        orbit_converter(&text, BUCK, "1/2", 1e-4, 1);
        orbit_read(&o, jn_str_c(&text));
        jn_bode_options q = {.source = -1,
                             .pwm = 0,
                             .nfrequencies = 2,
                             .frequency = f,
                             .margins = true,
                             .orbit = method ? radau : (jn_steady_options){0}};
        CU_ASSERT_EQUAL_FATAL(jn_bode_find(&b, o.graph, &q, o.diags), JN_OK);
        const jn_crossing *x = jn_crossings_tightest(&b->margins[0].gain);
        CU_ASSERT_PTR_NOT_NULL_FATAL(x);
        jn_complex y =
            orbit_response(jn_str_c(&text), "s", true, "v", x->frequency, method ? &radau : NULL);
        CLOSE_REL(hypot(y.re, y.im), 1, 1e-9);
        CLOSE(x->margin, atan2(-y.im, -y.re) * 180 / PI, 180, 1e-8);
        jn_bode_free(b);
        orbit_clear(&o);
        jn_str_clear(&text);
    }
}

/* ---- loops that are closed ----------------------------------------------------------------- */

/* Of two sources in one loop, one of them a feedback; a duty that reads the model, integrated. */
static void feedback_is_part_of_the_response(void)
{
    static const char text[] =
        "model m\nSe V = 24\nSe G = 0\nI L = 100u\nC C1 = 100u\nR load = 1\n0 n\n0 out\n1 coil\n"
        "X1 s\nX1 d\nV -> s -> n\nG -> d -> n\nn -> coil -> L\ncoil -> out -> C1\nout -> load\n"
        "signal err = 12 - e(out)\nswitch d diode\noutput v = e(out)\n"
        "switch s pwm(100u, min(0.9, max(0.05, 0.4 + 0.005*err + 20*int(err, 0))))\n";
    /* an integral in the loop: what is slow is kept out of the mean */
    jn_complex slow = orbit_response(text, "V", false, "v", 0.01, NULL);
    CU_ASSERT(hypot(slow.re, slow.im) < 1e-4);
    jn_complex a = orbit_response(text, "s", true, "v", 700, NULL);
    jn_complex b = orbit_response(text, "s", true, "v", 700, &radau);
    near(a, b.re, b.im, 1e-7);
}

/* ---- sensitivities ------------------------------------------------------------------------- */

/* The mean of the first value of the orbit, found anew with another value. */
static double mean_with(orbit *o, const char *name, double value, const jn_steady_options *options)
{
    const char *why;
    jn_steady *found = NULL;
    double mean = NAN;
    char text[40];
    fmpq_t x;
    fmpq_init(x);
    int length = snprintf(text, sizeof text, "%.15g", fabs(value));
    CU_ASSERT_EQUAL(jn_number_parse(x, text, (size_t)length), JN_OK);
    if (value < 0)
        fmpq_neg(x, x);
    CU_ASSERT_EQUAL(jn_graph_set(o->graph, name, x, &why), JN_OK);
    if (jn_steady_find(&found, o->graph, options, o->diags) == JN_OK)
        mean = found->value[0].mean;
    jn_steady_free(found);
    fmpq_clear(x);
    return mean;
}

/* Against orbits on both sides; so many are by the linearisation along the orbit. */
static void compare_slopes(const char *text, const jn_steady_options *options, int least,
                           int linearised, double bound)
{
    orbit o;
    jn_sensitivity *s = NULL;
    static const double step[] = {1e-3, -1e-3, 2e-3, -2e-3};
    orbit_read(&o, text);
    CU_ASSERT_EQUAL_FATAL(jn_sensitivity_find(&s, o.graph, options, o.diags), JN_OK);
    CU_ASSERT(s->n >= least);
    for (int i = 0; i < s->n; i++)
        linearised -= s->way[i] == JN_SLOPE_LINEARISED;
    CU_ASSERT_EQUAL(linearised, 0);
    double size = fmax(fabs(s->orbit->value[0].max), fabs(s->orbit->value[0].min));
    for (int i = 0; i < s->n; i++) {
        double y[4], slope = s->slope[i * s->orbit->nvalues];
        for (int k = 0; k < 4; k++)
            y[k] = mean_with(&o, s->name[i], s->at[i] * (1 + step[k]), options);
        mean_with(&o, s->name[i], s->at[i], options);
        double expected = (8 * (y[0] - y[1]) - (y[2] - y[3])) / 12e-3;
        if (!(fabs(slope * s->at[i] - expected) <= bound * size))
            printf("\n    %s: %.12g, by orbits %.12g", s->name[i], slope * s->at[i], expected);
        CLOSE(slope * s->at[i], expected, size, bound);
    }
    jn_sensitivity_free(s);
    orbit_clear(&o);
}

static void sensitivities_of_converters_agree_with_orbits(void)
{
    for (int k = 0; k < CONVERTERS; k++)
        for (int c = 0; c < 2; c++) {
            jn_str text;
            jn_str_init(&text);
            orbit_converter(&text, (converter_kind)k, "1/2", 1e-4, loads[k][c]);
            compare_slopes(jn_str_c(&text), &(jn_steady_options){0}, 4, k == CUK ? 6 : 4, 1e-8);
            if (k == BUCK)
                compare_slopes(jn_str_c(&text), &radau, 4, 0, 1e-7);
            jn_str_clear(&text);
        }
}

/* A threshold, around an orbit that does not attract; two phases whose edges are pending when the period
 * begins; a period that is a parameter; a storage that is not independent; a transformer; a value that jumps
 * and one that slides. */
static void sensitivities_of_all_kinds_agree_with_orbits(void)
{
    static const char boost[] =
        "model peak\nparam Iref = 2\nparam T = 100u\nSe V = 10\nSe G = 0\nI L = 1m\nC C1 = 12u\n"
        "R load = 20\n0 n\n0 out\n1 coil\nX1 s\nX1 d\nV -> coil -> L\ncoil -> n -> s -> G\n"
        "n -> d -> out -> C1\nout -> load\nswitch clk pwm(T, 1/100)\nautomaton s {\n"
        "charge on initial\nfree off\ncharge -> free when f(L) > Iref and not on(clk)\n"
        "free -> charge when on(clk)\n}\nswitch d diode\noutput v = e(out)\n";
    static const char phases[] =
        "model two\nparam d = 0.7\nparam n = 3/2\nSe V = 10\nSe G = 0\nI a = 1m\nI b = 2m\nC C1 = "
        "20u\n"
        "C C2 = 1u\nR load = 5\nR rb = 1/10\nTF tf = n\n1 ca\n1 cb\n1 cap\n0 na\n0 nb\n0 vin\n0 "
        "zero\n"
        "0 out\nX1 s1\nX1 s2\nX1 d1\nX1 d2\nV -> vin\nG -> zero\nvin -> s1 -> na\nvin -> s2 -> nb\n"
        "zero -> d1 -> na\nzero -> d2 -> nb\nna -> ca -> a\nnb -> cb -> b\ncb -> rb\nca -> out\n"
        "cb -> tf -> out\nout -> C1\nout -> cap -> C2\nout -> load\nswitch s1 pwm(100u, d)\n"
        "switch s2 pwm(100u, d, 50u)\nswitch d1 diode\nswitch d2 diode\noutput v = e(out)\n";
    static const char relay[] =
        "model relay\nparam high = 1.2\nparam low = 1\nSe V = 3\nSe G = 0\nC C1 = 1\nR r = 1\nR "
        "load = 2\n"
        "0 n\n0 m\n1 j\nX1 s\nV -> s -> m\nX1 o\nG -> o -> m\nm -> j -> r\nj -> n -> C1\nn -> "
        "load\n"
        "automaton s {\nup on initial\ndown off\nup -> down when e(C1) > high\n"
        "down -> up when e(C1) < low\n}\nswitch o off, on when not on(s), off when on(s)\n"
        "output v = e(C1)\nsimulate to 20 every 1\n";
    static const char friction[] =
        "model drag\nparam k = 3/2\nSe F = 2*sin(2*pi*t)\nI m = 1\nC c = 1/20\nR r : e = "
        "sign(f)*k\n"
        "R l = 1/10\n1 n\nF -> n\nn -> m\nn -> c\nn -> r\nn -> l\noutput x = abs(f(m))\n";
    /* Jumps through a transformer whose impulses a filter sees, an output with values in it, and a second phase that is one. */
    static const char charge_pump[] =
        "model pump\nparam d = 0.4\nparam later = 30u\nparam gain = 2\nSe V = 10\nC C1 = 1u\n"
        "param n = 3/2\nTF tf = n\nC C2 = 2u\nR load = 100\nR leak = 50\n0 a\n0 b\nX1 s1\nX1 s2\n1 "
        "l\nV -> s1 -> a\na -> C1\n"
        "a -> l -> leak\na -> s2 -> tf -> b\nb -> C2\nb -> load\nswitch s1 pwm(100u, 0.2)\n"
        "switch s2 pwm(100u, d, later)\nsignal z = int(f(s2) - 20000*z, 0)\n"
        "output v = gain*e(b) + gain + e(a)/gain + 200000*z\n";
    /* A limit of power: a condition that is not linear. */
    static const char power[] =
        "model power\nparam most = 30\nSe G = 0\nSe V = 10\nI L = 1m\nC C1 = 500u, e0 = 12\nR load "
        "= 5\n"
        "1 coil\n0 n\n0 out\nX1 s\nX1 d\nV -> coil -> L\ncoil -> n -> s -> G\nn -> d -> out -> C1\n"
        "out -> load\nswitch clk pwm(100u, 1/100)\nswitch s on, on when on(clk), "
        "off when f(L)*e(out) >= most and not on(clk)\nswitch d diode\noutput v = e(out)\n";
    compare_slopes(power, &(jn_steady_options){0}, 5, 5, 1e-9);
    compare_slopes(boost, &(jn_steady_options){0}, 6, 5, 1e-7);
    compare_slopes(phases, &(jn_steady_options){0}, 9, 9, 1e-8);
    compare_slopes(relay, &(jn_steady_options){.is_free = true}, 6, 6, 1e-7);
    compare_slopes(friction, &(jn_steady_options){0}, 4, 0, 1e-6);
    compare_slopes(charge_pump, &(jn_steady_options){0}, 9, 9, 1e-9);
}

/* The slope by one value, which is by the linearisation. */
static void known_slope(const char *text, const char *by, double expected)
{
    orbit o;
    jn_sensitivity *s = NULL;
    orbit_read(&o, text);
    CU_ASSERT_EQUAL_FATAL(jn_sensitivity_find(&s, o.graph, &(jn_steady_options){0}, o.diags),
                          JN_OK);
    bool found = false;
    for (int i = 0; i < s->n; i++)
        if (!strcmp(s->name[i], by)) {
            found = true;
            CU_ASSERT_EQUAL(s->way[i], JN_SLOPE_LINEARISED);
            CLOSE(s->slope[i] * s->at[i], expected * s->at[i], s->orbit->value[0].max, 1e-11);
        }
    CU_ASSERT(found);
    jn_sensitivity_free(s);
    orbit_clear(&o);
}

/* Closed forms: of a duty cycle, a threshold, and the level of a sine. */
static void slopes_are_known(void)
{
    static const char buck[] = "model m\nparam D = 0.3\nSe V = 10\nSe G = 0\nI L = 100u\nC C1 = "
                               "10u\nR load = 1\n0 n\n0 out\n"
                               "1 coil\nX1 s\nX1 d\nV -> s -> n\nG -> d -> n\nn -> coil -> L\ncoil "
                               "-> out -> C1\nout -> load\n"
                               "switch s pwm(10u, D)\nswitch d diode\noutput v = e(out)\n";
    static const char peak[] = /* between V and W: i = top - V/L*(1 - V/W)*T/2 in the mean */
        "model m\nparam top = 2\nSe V = 10\nSe W = 16\nSe G = 0\nI L = 1m\n1 coil\n0 n\nX1 s\nX1 "
        "d\n"
        "V -> coil -> L\ncoil -> n -> s -> G\nn -> d -> W\nswitch clk pwm(100u, 1/100)\n"
        "switch s on, on when on(clk), off when f(L) >= top and not on(clk)\nswitch d "
        "diode\noutput i = f(L)\n";
    static const char level[] = /* ON for a share 1/2 - asin(a)/pi */
        "model m\nparam a = 0.6\nSe V = 1\nR r = 1\nX1 s\nV -> s -> r\n"
        "switch s off, on when sin(2*pi*t) > a, off when sin(2*pi*t) < a\noutput u = e(r)\n";
    known_slope(buck, "D", 10);
    known_slope(buck, "load", 0);
    known_slope(peak, "top", 1);
    known_slope(peak, "L", 10 * (1 - 10 / 16.0) * 100e-6 / 2 / 1e-6);
    known_slope(level, "a", -1 / (acos(-1) * 0.8));
}

/* A resonant converter whose coils are in series while its rectifier is off: they have one current, and other coils at
 * the same start are none. What the values of all parts do together is known all the same: with all times k times as
 * long, and with all impedances k times as large, the voltages stay as they are. */
static void slopes_have_their_dimensions(void)
{
    static const char text[] =
        "model llc\nparam f = 90k\nparam T = 1/f\nSe V = 400\nSe G = 0\nC Cr = 24n\nI Lr = 60u\nI "
        "Lm = 240u\n"
        "R rr = 1/5\nTF n = 4\nC Co = 100u\nR load = 12\n0 leg\n0 pri\n0 plus\n0 gnd\n1 res\n1 "
        "sec\n0 a\n0 b\n"
        "X1 h\nX1 l\nX1 d1\nX1 d2\nX1 d3\nX1 d4\nV -> h -> leg -> l -> G\nleg -> res -> Cr\nres -> "
        "Lr\n"
        "res -> rr\nres -> pri -> Lm\npri -> n -> sec\nsec -> a\nb -> sec\nSe G2 = 0\nG2 -> gnd\n"
        "a -> d1 -> plus\nb -> d2 -> plus\ngnd -> d3 -> a\ngnd -> d4 -> b\nplus -> Co\nplus -> "
        "load\n"
        "switch h pwm(T, 1/2)\nswitch l off, on when not on(h), off when on(h)\nswitch d1 "
        "diode\nswitch d2 diode\n"
        "switch d3 diode\nswitch d4 diode\noutput v = e(plus)\n";
    static const struct {
        const char *name;
        int time, impedance;
    } part[] = {{"f", -1, 0}, {"Cr", 1, -1}, {"Lr", 1, 1},  {"Lm", 1, 1},
                {"rr", 0, 1}, {"Co", 1, -1}, {"load", 0, 1}};
    orbit o;
    jn_sensitivity *s = NULL;
    double time = 0, impedance = 0;
    int found = 0;
    orbit_read(&o, text);
    CU_ASSERT_EQUAL_FATAL(jn_sensitivity_find(&s, o.graph, &(jn_steady_options){0}, o.diags),
                          JN_OK);
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < 7; k++)
            if (!strcmp(s->name[i], part[k].name)) {
                double all = s->slope[i] * s->at[i] / s->orbit->value[0].mean;
                CU_ASSERT_NOT_EQUAL(s->way[i], JN_SLOPE_NONE);
                CU_ASSERT(k == 4 || k == 5 || fabs(all) > 0.04);
                time += part[k].time * all;
                impedance += part[k].impedance * all;
                found++;
            }
    CU_ASSERT_EQUAL(found, 7);
    CLOSE(time, 0, 1, 1e-8);
    CLOSE(impedance, 0, 1, 1e-8);
    jn_sensitivity_free(s);
    orbit_clear(&o);
}

void suite_periodic_responses(void)
{
    TEST_SUITE("periodic_responses");
    TEST_ADD(bucks_have_the_known_responses);
    TEST_ADD(a_family_has_responses);
    TEST_ADD(converters_answer_as_disturbed_runs_do);
    TEST_ADD(exact_responses_agree_with_differences);
    TEST_ADD(a_response_may_be_tied_to_the_source);
    TEST_ADD(responses_in_a_mode_are_transfer_functions);
    TEST_ADD(responses_around_a_sine_are_found);
    TEST_ADD(the_averaged_buck_is_known);
    TEST_ADD(the_averaged_boost_has_its_duty_as_a_symbol);
    TEST_ADD(margins_are_known);
    TEST_ADD(a_narrow_resonance_has_its_crossings);
    TEST_ADD(a_hidden_resonance_is_found);
    TEST_ADD(a_pole_without_losses_is_no_response);
    TEST_ADD(margins_around_an_orbit_are_those_of_the_response);
    TEST_ADD(feedback_is_part_of_the_response);
    TEST_ADD(sensitivities_of_converters_agree_with_orbits);
    TEST_ADD(sensitivities_of_all_kinds_agree_with_orbits);
    TEST_ADD(slopes_are_known);
    TEST_ADD(slopes_have_their_dimensions);
}
