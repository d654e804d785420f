/* converter.c: buck, boost and Ćuk, their equations by hand. */
#include "converter.h"

static const real L = 1e-4L, C = 1e-4L; /* of all coils, and of the buck's and boost's capacitor */

/* ---- buck ---------------------------------------------------------------------------------- */

static const char buck_text[] = "Se V = 24\nSe G = 0\nI L = 1e-4\nC C1 = 1e-4\nR load = ohms\n"
                                "0 n\n0 out\n1 coil\nX1 s\nX1 d\n"
                                "V -> s -> n\nG -> d -> n\nn -> coil -> L\n"
                                "coil -> out -> C1\nout -> load\n"
                                "switch s pwm(T, 1/2)\n"
                                "switch d off, on when e(n) < 0, off when f(d) < 0\n";

static real coil_current(const real *x)
{
    return x[0];
}

/* With nothing conducting the node before the coil is at the output's voltage. */
static real buck_blocking(const real *x)
{
    return x[1] / C;
}

static converter common(const char *body, int period_us, int load)
{
    return (converter){.body = body,
                       .period_us = period_us,
                       .load = load,
                       .period = period_us / 1e6L,
                       .current = coil_current};
}

converter converter_buck(int period_us, int load)
{
    converter c = common(buck_text, period_us, load);
    c.blocking = buck_blocking;
    c.off = (ref_mode){2, {{0, -1 / C}, {1 / L, -1 / (load * C)}}, {0}};
    c.on = c.off;
    c.on.b[0] = 24;
    c.dry = (ref_mode){2, {{0}, {0, -1 / (load * C)}}, {0}};
    return c;
}

/* ---- boost --------------------------------------------------------------------------------- */

static const char boost_text[] = "Se V = 12\nI L = 1e-4\nC C1 = 1e-4\nR load = ohms\n"
                                 "0 n\n0 out\n1 coil\nX1 s\nX1 d\n"
                                 "V -> coil -> L\ncoil -> n -> s\nn -> d -> out -> C1\n"
                                 "out -> load\n"
                                 "switch s pwm(T, 1/2)\n"
                                 "switch d off, on when e(n) > e(out), off when f(d) < 0\n";

static real boost_blocking(const real *x)
{
    return x[1] / C - 12;
}

converter converter_boost(int period_us, int load)
{
    converter c = common(boost_text, period_us, load);
    c.blocking = boost_blocking;
    c.on = (ref_mode){2, {{0}, {0, -1 / (load * C)}}, {12}};
    c.off = (ref_mode){2, {{0, -1 / C}, {1 / L, -1 / (load * C)}}, {12}};
    c.dry = (ref_mode){2, {{0}, {0, -1 / (load * C)}}, {0}};
    return c;
}

/* ---- Ćuk: p1, p2, q1, q2 ------------------------------------------------------------------- */

static const char cuk_text[] = "Se V = 12\nI L1 = 1e-4\nI L2 = 1e-4\nC C1 = 1e-5\nC C2 = 5e-5\n"
                               "R load = ohms\n0 a\n0 b\n0 out\n1 input\n1 bridge\n1 coil\n"
                               "X1 s\nX1 d\n"
                               "V -> input -> L1\ninput -> a -> bridge -> C1\n"
                               "bridge -> b -> coil -> L2\ncoil -> out -> C2\nout -> load\n"
                               "a -> s\nb -> d\n"
                               "switch s pwm(T, 1/2)\n"
                               "switch d off, on when e(b) > 0, off when f(d) < 0\n";

static const real C1 = 1e-5L, C2 = 5e-5L;

static real cuk_current(const real *x)
{
    return (x[0] - x[1]) / L;
}

/* e(b) = L2·di/dt + v2 with (L1 + L2)·di/dt = V − v1 − v2. */
static real cuk_blocking(const real *x)
{
    real v1 = x[2] / C1, v2 = x[3] / C2;
    return -((12 - v1 - v2) / 2 + v2);
}

converter converter_cuk(int period_us, int load)
{
    converter c = common(cuk_text, period_us, load);
    const real leak = 1 / (load * C2), half = 0.5L;
    c.current = cuk_current;
    c.blocking = cuk_blocking;
    c.on = (ref_mode){4, {{0}, {0, 0, -1 / C1, -1 / C2}, {0, 1 / L}, {0, 1 / L, 0, -leak}}, {12}};
    c.off =
        (ref_mode){4, {{0, 0, -1 / C1}, {0, 0, 0, -1 / C2}, {1 / L}, {0, 1 / L, 0, -leak}}, {12}};
    /* each coil takes half of the voltage, and their current is the mean of the two */
    c.dry = (ref_mode){4,
                       {{0, 0, -half / C1, -half / C2},
                        {0, 0, -half / C1, -half / C2},
                        {half / L, half / L},
                        {half / L, half / L, 0, -leak}},
                       {6, 6}};
    return c;
}

/* ---- all of them --------------------------------------------------------------------------- */

void converter_model(jn_str *text, const converter *c)
{
    jn_str_addf(text, "model converter\nparam T = %de-6\nparam ohms = %d\n%s", c->period_us,
                c->load, c->body);
}

void converter_charge(real *x, const converter *c)
{
    ref_flow(x, &c->on, c->period / 2);
}

int converter_freewheel(real *x, const converter *c, real t, real *when)
{
    real left = c->period / 2, used;
    bool conducts = c->current(x) > 0;
    int n = 0;
    while (n < CONVERTER_EVENTS && ref_until(&used, x, conducts ? &c->off : &c->dry,
                                             conducts ? c->current : c->blocking, left, 8)) {
        left -= used;
        t += used;
        when[n++] = t;
        conducts = !conducts;
    }
    return n;
}
