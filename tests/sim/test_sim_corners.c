/* test_sim_corners.c: runs that begin or come to rest where laws have kinks, jumps and roots.
 *
 * All is at 0 there, and rounding has no size that could be told from it. The values are closed forms, or were
 * computed by Runge and Kutta with bisection for events, in programs that know no bond graph. */
#include "cases.h"

#include <math.h>
#include <string.h>

typedef struct {
    const char *text;
    double t;
    const char *output;
    double value;
} corner;

static void check(const corner *c, int n, jn_method method)
{
    jn_sim_options o = {.method = method};
    for (int i = 0; i < n; i++) {
        rig r;
        bool runs = rig_new(&r, c[i].text, &o);
        CHECK(runs);
        if (runs) {
            unsigned before = CU_get_number_of_failure_records();
            rig_to(&r, c[i].t);
            CLOSE(rig_output(&r, c[i].output), c[i].value, 1 + fabs(c[i].value), 2e-9);
            if (CU_get_number_of_failure_records() > before)
                printf("\n%s", c[i].text);
        }
        rig_clear(&r);
    }
}

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

/* ---- kinks --------------------------------------------------------------------------------- */

/* q = 1 - cos(t): two kinks at one place, both taken on the side to which the charge goes. */
#define FILLED "Sf J = sin(t)\n0 n\nJ -> n -> c\noutput e = e(c)\n"

BOTH(kinks_at_one_place_turn_together)
{
    double q = 1 - cos(1);
    const corner each[] = {
        {FILLED "C c : e = 2*max(q, 0) + 0.5*min(q, 0)\n", 1, "e", 2 * q},
        {FILLED "C c : e = if(q > 0, 2*q, 0) + if(q < 0, 0.5*q, 0)\n", 1, "e", 2 * q},
        {FILLED "C c : e = q + abs(q) + 0.5*min(q, 0)\n", 1, "e", 2 * q},
        {FILLED "C c : e = 2*max(q, 0) - 0.5*max(-q, 0)\n", 1, "e", 2 * q},
        {"Se F = 1\nI m = 1\nC k : e = 50*max(q, 0) + 20*min(q, 0)\nR b = 15\n1 v\nF -> v -> m\nv "
         "-> k\n"
         "v -> b\noutput e = q(k)\n",
         2, "e", (1 - 2 * exp(-10) + exp(-20)) / 50}, /* x'' + 15 x' + 50 x = 1 */
    };
    check(each, COUNT(each), method);
}

/* A weir beside a valve that opens where the weir begins, and lets go where it ends. */
BOTH(a_valve_opens_where_its_law_begins)
{
    static const char *const valve[] = {"off, off when f(cv) < 0, on when e(t1) > e(t2) + 1",
                                        "off, off when f(cv) <= 0, on when e(t1) > e(t2) + 1",
                                        "diode"};
    static const char *const law[] = {"max(e - 1, 0)", "if(e > 1, e - 1, 0)"};
    for (int k = 0; k < 6; k++) {
        char text[700];
        snprintf(
            text, sizeof text,
            "Sf in = 2 + 2*sin(t)\nC a1 = 1\nC a2 = 1\nR out1 = 1\nR over : f = %s\nR out2 = 1\n"
            "0 t1\n0 t2\n1 line\nX1 cv\nin -> t1 -> a1\nt1 -> out1\nt1 -> line -> cv -> t2 -> a2\n"
            "line -> over\nt2 -> out2\nswitch cv %s\n"
            "output off = f(cv) - max(e(t1) - e(t2) - 1, 0), e = e(a1)\n",
            law[k / 3], valve[k % 3]);
        const corner each[] = {{text, 3, "off", 0},
                               {text, 5, "off", 0},
                               {text, 9, "off", 0},
                               {text, 12, "e", 0.53989662466}};
        check(each, COUNT(each), method);
    }
}

/* A drag that grows with the square of the speed is the same on both sides of rest. */
BOTH(drags_are_not_slid_on)
{
    static const corner each[] = {
        /* both move together until what they share is 1.5 */
        {"Se F = 2*t\nI m = 1\nR bq : e = 0.4*f*abs(f)\nI m3 = 2\nR rb : e = 1.5*sign(f)\n1 v\n1 "
         "v3\n0 jr\n"
         "F -> v -> m\nv -> bq\nv -> jr -> v3\njr -> rb\nv3 -> m3\noutput v = f(m)\n",
         5, "v", 4.44734193850},
        {"Se F = 3\nI m = 1\nR fr4 : e = 0.7*sign(f)\nR bq : e = 0.4*f*abs(f)\nC ct = 1/8\nR o = "
         "8\n0 nt\n1 v\n"
         "1 v4\nX0 cl\nF -> v -> m\nv -> cl -> v4\nv4 -> fr4\nv -> bq\nv -> nt\nnt -> ct\nnt -> o\n"
         "switch cl off, on at 1.5\noutput v = f(m)\n",
         5, "v", 0.30313580259},
    };
    check(each, COUNT(each), method);
}

/* ---- slides -------------------------------------------------------------------------------- */

/* The integral rests at 0 as long as its output is at a bound; from u = 6 on, at q = 0.7, it rises. */
BOTH(a_slide_ends_where_its_condition_does)
{
    static const corner rests[] = {
        {"signal u = 20*(1 - q(c))\nsignal ki = int(if(u >= 6 and ki > 0, 0, 1), 0)\nSe V = min(6, "
         "u)\n"
         "R r = 1\nC c = 1\n1 l\nV -> l -> r\nl -> c\noutput ki\n",
         1, "ki", 0.87594735128885294}, /* 1 + ln(1 - 0.7/6) */
    };
    check(rests, COUNT(rests), method);
}

#define CHOPPED_MOTOR                                                                              \
    "Se F = 5*sin(3*t)\nI m = 1, f0 = 1\n1 v\nF -> v -> m\nR b = 0.5\nv -> b\nGY gt = 0.5\nSe Vt " \
    "= 6\n"                                                                                        \
    "X1 tq\nI Lt = 0.2\nR Rt = 1\n1 et\n0 nn\nSe Gt = 0\nX1 dd\nVt -> tq -> nn\nGt -> dd -> nn\n"  \
    "nn -> et -> Lt\net -> Rt\net -> gt -> v\nswitch tq on, off when f(Lt) > 2, on when f(Lt) < "  \
    "1.5\n"                                                                                        \
    "switch dd diode\nSe rl = if(f(m) > 0.3, -9, 0)\nrl -> v\n"                                    \
    "output v = f(m), rl = e(rl), must = if(f(m) > 0.3, -9, 0)\n"

/* The current of a chopper is cut off for no time at all: the slide of the load goes on. */
ALONE(a_slide_outlives_what_lasts_no_time)
{
    rig r[2];
    for (int k = 0; k < 2; k++) {
        jn_sim_options o = {.method = k ? JN_METHOD_RADAU : JN_METHOD_EXACT};
        CU_ASSERT_FATAL(rig_new(&r[k], CHOPPED_MOTOR, &o));
    }
    (void)method;
    for (int i = 1; i <= 500; i++) {
        for (int k = 0; k < 2; k++) {
            rig_to(&r[k], 0.02 * i);
            double v = rig_output(&r[k], "v");
            if (fabs(v - 0.3) > 1e-9)
                CLOSE(rig_output(&r[k], "rl"), rig_output(&r[k], "must"), 1, 1e-9);
        }
        CLOSE(rig_output(&r[0], "v"), rig_output(&r[1], "v"), 1, 1e-9);
    }
    CU_ASSERT_EQUAL(r[0].nevents, r[1].nevents);
    rig_clear(&r[0]);
    rig_clear(&r[1]);
}

/* ---- at rest ------------------------------------------------------------------------------- */

/* What is stuck from the start has no size of its own; none of it may be followed in tiny steps. */
BOTH(what_is_stuck_is_followed_in_long_steps)
{
    double t1 = asin(1.0 / 3) / 2;
    const corner each[] = {
        {"Se F = 2*t\nI M = 1\nC c = 1\nR o : f = sign(e)*sqrt(abs(e))\nR fr : e = sign(f)\n0 n\n1 "
         "x\n"
         "F -> x -> M\nx -> fr\nx -> n -> c\nn -> o\noutput p = e(c), v = f(M)\n",
         2, "v", 2.0296836797978},
        {"Se F = 6*sin(2*t)\nI m = 1\nR fr : e = 2*sign(f)\n1 v\nX1 d\nF -> v -> m\nv -> fr\nv -> "
         "d\n"
         "switch d diode\noutput v = f(m)\n",
         1, "v", 3 * (cos(2 * t1) - cos(2)) - 2 * (1 - t1)},
        {"I m = 1, f0 = 2\nR fr : e = 2*sign(f)\nC c = 1\nR o : e = f*abs(f)\n0 n\n1 v\nv -> m\nv "
         "-> fr\n"
         "v -> n -> c\nn -> o\noutput p = e(c)\n",
         5, "p", 0},
        {"Se F = 2*t\nI m = 1\n1 v\nF -> v -> m\nR fr : e = 2*sign(f)\nv -> fr\nX0 st\nC ks = "
         "1/200\nv -> "
         "st -> ks\n"
         "signal xs = int(f(m), 0)\nswitch st stop(0.2 - xs)\nX1 fw\nv -> fw\nswitch fw diode\n"
         "output x = xs\n",
         1.5, "x", 0.041666666666666667}, /* (t - 1)³/3 */
    };
    check(each, COUNT(each), method);
}

/* Friction has held all of it until t = 1: what it holds back is rounding, and opens no valve by an impulse. */
BOTH(what_is_let_go_starts_from_rest)
{
    static const corner each[] = {
        {"Se F = 2*t\nI m = 1\nR fr : e = 2*sign(f)\n1 v\nF -> v -> m\nv -> fr\nTF A = 2\n0 nt\n0 "
         "n2\nX1 cv\n"
         "C ct = 0.5\nC c2 = 0.3\nR o = 2\nv -> A -> nt -> ct\nnt -> cv -> n2 -> c2\nn2 -> o\n"
         "switch cv diode\noutput v = f(m)\n",
         5, "v", 1.43235831535},
        {"Sf V = 1\nC c1 = 1\nC c2 = 1/2\nR ra : e = 2*max(f, 0) + 0.5*min(f, 0)\nR rp = 3\n0 "
         "n1\n0 n2\n1 ln\n"
         "V -> n1 -> c1\nn1 -> rp\nn1 -> ln -> n2 -> c2\nln -> ra\noutput e = e(c1)\n",
         3, "e", 1.52110325635},
    };
    check(each, COUNT(each), method);
}

/* e = f + sign(f)/2: the flow begins the other way where the effort comes to -1/2. */
BOTH(a_yield_stress_gives_way_both_ways)
{
    static const corner each[] = {
        {"C a = 1, e0 = 3\nC b = 1\nR p : e = f + 0.5*sign(f)\n0 na\n0 nb\n1 l\nna -> a\nna -> l "
         "-> nb -> b\n"
         "l -> p\nSf in = 2*sin(t)\nin -> na\nR o = 3\nnb -> o\noutput a = e(a), f = f(l)\n",
         4.5, "f", 0},
        {"C a = 1, e0 = 3\nC b = 1\nR p : e = f + 0.5*sign(f)\n0 na\n0 nb\n1 l\nna -> a\nna -> l "
         "-> nb -> b\n"
         "l -> p\nSf in = 2*sin(t)\nin -> na\nR o = 3\nnb -> o\noutput a = e(a), f = f(l)\n",
         6, "a", -0.36105015580},
    };
    check(each, COUNT(each), method);
}

/* Where steps end is no matter: f = -2/3 + 7/6·exp(-3t) is 0 at ln(7/4)/3, from then on a falls by 2 a second. */
BOTH(a_flow_comes_to_rest_wherever_steps_end)
{
    static const char *const law[] = {"f + 0.5*sign(f)", "if(f > 0, f + 0.5, f - 0.5)"};
    for (int k = 0; k < 2 * 8; k++) {
        jn_sim_options o = {.method = method, .span = 0.4 + 0.1 * (k / 2)};
        char text[300];
        rig r;
        snprintf(text, sizeof text,
                 "C a = 1, e0 = 1\nC b = 1/2\nR p : e = %s\nSf in = -2\n0 na\n0 nb\n1 l\n"
                 "in -> na -> a\nna -> l -> nb -> b\nl -> p\noutput a = e(a)\n",
                 law[k % 2]);
        bool runs = rig_new(&r, text, &o);
        CHECK(runs);
        if (runs) {
            double t1 = log(1.75) / 3,
                   a1 = 1 - 2 * t1 - (-2 * t1 / 3 + 7.0 / 18 * (1 - exp(-3 * t1)));
            rig_to(&r, 0.4);
            CLOSE(rig_output(&r, "a"), a1 - 2 * (0.4 - t1), 1, 1e-10);
        }
        rig_clear(&r);
    }
}

/* ---- units --------------------------------------------------------------------------------- */

/* A tank that starts empty, of 5e-14 m³/Pa and with flows of 1e-5 m³/s, beside a circuit: what is little of one state
 * is not said by the numbers of the others. Computed by Runge and Kutta in steps that grow from the start. */
BOTH(large_numbers_elsewhere_do_not_blur_small_ones)
{
    static const corner each[] = {
        {"Se F = 0\nI m = 1/1000\n1 v\nF -> v -> m\nR fr : e = 2*sign(f)\nv -> fr\n0 nt\nTF A = "
         "1/100000\n"
         "v -> A -> nt\nC ct = 1/20000000000000\nnt -> ct\n"
         "R o : f = (1/100000)*(0.5*sign((e/(100000)))*sqrt(abs((e/(100000)))))\nnt -> o\n1 el\nGY "
         "g = 50000\n"
         "v -> g -> el\nR Ra = 10000000000\nel -> Ra\nI La = 500000\nel -> La\nswitch gg "
         "pwm(3/10000, 0.6)\n"
         "Se Vs = (100000)*(if(on(gg), 6, 0))\nVs -> el\noutput p = 1e4*e(ct)/100000\n",
         1e-4, "p", -2.296045665},
    };
    check(each, COUNT(each), method);
}

/* ---- bounds -------------------------------------------------------------------------------- */

/* A law that has come to its bound before anything was settled: no flow asks it back. */
BOTH(a_law_that_is_bounded_may_be_given_its_flow)
{
    const corner each[] = {
        {"Se V = 5\nR r : f = min(e, 2)\nC c = 1\n0 n\n1 l\nX1 s\nV -> l -> s -> n -> c\nl -> r\n"
         "switch s off, on at 1\noutput e = e(c)\n",
         4, "e", 5 - 2 * exp(-1.5)},
        {"Se V = 5\nR r : f = max(min(e, 2), -2)\nC c = 1\n0 n\n1 l\nX1 s\nV -> l -> s -> n -> "
         "c\nl -> r\n"
         "switch s off, on at 1\noutput e = e(c)\n",
         2, "e", 2},
    };
    check(each, COUNT(each), method);
}

/* ---- what laws store ----------------------------------------------------------------------- */

/* A dead band: the corner of its law lies where no rule of a few points looks. */
BOTH(corners_of_laws_count_in_energies)
{
    jn_sim_options o = {.method = method};
    for (int k = 0; k < 4; k++) {
        char text[300];
        rig r;
        snprintf(text, sizeof text,
                 "Se F = %d*sin(t)\nI m = 1\nC k : e = 100*max(q - 0.1, 0) - 100*max(-0.1 - q, "
                 "0)\nR b = 1\n"
                 "1 v\nF -> v -> m\nv -> k\nv -> b\n",
                 4 + k);
        bool runs = rig_new(&r, text, &o);
        CHECK(runs);
        if (runs) {
            rig_to(&r, 15);
            CU_ASSERT(jn_sim_residue(r.sim) < 1e-9);
        }
        rig_clear(&r);
    }
}

/* A coil and a capacitor swing out, six powers of ten in 10 ms, through a switch and a diode. The switch opens: a
 * current that the diode does not let through ends there, however little it is; what the capacitor still holds goes
 * on from there. */
BOTH(what_has_died_away_may_be_cut_off)
{
    for (int k = 4; k < 33; k++) {
        char text[500];
        rig r;
        snprintf(text, sizeof text,
                 "Se G = 0\nSe V = 0\nI L = 10m, f0 = 1\nC c = 100u, e0 = 5\nR r2 = 5\nR r3 = 5\n"
                 "R r1 = 1\n0 n\n0 out\n1 L1\n1 s1\nX1 q1\nX1 q2\nV -> s1 -> q1 -> n\ns1 -> r1\n"
                 "G -> q2 -> n\nn -> L1 -> out\nL1 -> L\nL1 -> r2\nout -> c\nout -> r3\n"
                 "switch q1 on, off at %dm\nswitch q2 diode\noutput i = f(L), v = e(c)\n",
                 k);
        bool runs = rig_new(&r, text, &(jn_sim_options){.method = method});
        CHECK(runs);
        if (runs) {
            double held = 0.5e-2 + 0.5e-4 * 25, most = method == JN_METHOD_RADAU ? 1e-11 : 1e-16;
            for (int after = 0; after < 6; after++) {
                rig_to(&r, 1e-3 * (k + 0.3 * after));
                double i = rig_output(&r, "i"), v = rig_output(&r, "v");
                double holds = 0.5e-2 * i * i + 0.5e-4 * v * v;
                CHECK(i >= -most && holds <= held * (1 + 1e-9)); /* there is no source */
                held = holds;
            }
        }
        rig_clear(&r);
    }
}

/* A capacitor beside an open diode runs out for a hundred time constants: its voltage, which keeps the diode off, comes
 * to be no more than rounding, and which of the two it is must not be asked without end. */
static void what_runs_out_beside_a_diode(void)
{
    static const char *const text =
        "Se V = 10*sin(100*t)\nSe G = 0\n0 gnd\nG -> gnd\nI L = 10m\nR r1 = 10\nR r2 = 5\n"
        "R r3 = 10\nR r4 : f = 0.1*e + 0.01*e^3\nC c = 100u\nC c2 = 20u\n0 a\n0 out\n0 n\n1 s\n"
        "1 l\n1 m\nX1 q1\nX1 q2\nV -> s -> a\ns -> r1\na -> q1 -> n\ngnd -> q2 -> n\n"
        "n -> l -> out\nl -> L\nl -> r2\nout -> c\nout -> r3\na -> m -> gnd\nm -> c2\nm -> r4\n"
        "switch q1 pwm(3m,0.4)\nswitch q2 diode\noutput o = e(c)\n";
    rig r;
    if (!rig_ends(text, NULL, 0.1) || !rig_new(&r, text, NULL))
        return;
    rig_to(&r, 0.0492);
    double v = rig_output(&r, "o"), t = 0.3e-3;
    rig_to(&r, 0.0492 + t);
    CLOSE(rig_output(&r, "o"), v * exp(-1000 * t), 10, 1e-13);
    rig_to(&r, 0.1);
    CU_ASSERT(jn_sim_residue(r.sim) < 1e-12);
    rig_clear(&r);
}

/* Nothing flows before the source gets beyond the drop: 5·sin(10t) = 0.3. Then i + i³/10 = 5·sin(10t) − 0.3. */
static void nothing_is_lost_where_nothing_has_been(void)
{
    rig r;
    CU_ASSERT_FATAL(
        rig_new(&r,
                "Se V = 5*sin(10*t)\nR r : e = f + 0.1*f^3\n1 s\nX1 d\nSe G = 0\n0 g\n"
                "V -> s -> d -> g\ns -> r\nG -> g\nswitch d diode(0.3)\noutput i = f(d)\n",
                NULL));
    rig_to(&r, 0.2);
    double i = rig_output(&r, "i");
    CLOSE(i + 0.1 * i * i * i, 5 * sin(2) - 0.3, 5, 1e-12);
    rig_to(&r, 0.5);
    CU_ASSERT_EQUAL(r.nevents, 3);
    CLOSE(rig_at(&r, 1)->t, asin(0.06) / 10, 1, 1e-12);
    CLOSE(rig_at(&r, 2)->t, (acos(-1) - asin(0.06)) / 10, 1, 1e-11);
    rig_clear(&r);
}

/* A charge through a resistor and a law that begins at 1 V: where it begins the flow has no size yet, and the voltages have.
 * The values are those of Runge and Kutta's method of order 8 in steps of 5 us. */
static void a_flow_begins_at_a_threshold(void)
{
    static const double t[] = {0.05, 0.1, 0.2, 0.5};
    static const double v[] = {0.427099882303, 0.822855684815, 1.288710247331, 2.671198463033};
    for (int k = 0; k < 4; k++) {
        rig r;
        CU_ASSERT_FATAL(rig_new(&r,
                                "Se V = 10*sin(100*t) + 3*sin(700*t)\nR r1 = 10\n"
                                "R r4 : f = 0.1*max(e - 1, 0)\nC c2 = 20m\n1 s\nV -> s -> r1\n"
                                "s -> r4\ns -> c2\noutput v = e(c2)\n",
                                &(jn_sim_options){.span = t[k]}));
        rig_to(&r, t[k]);
        CLOSE(rig_output(&r, "v"), v[k], 1, 1e-8);
        rig_clear(&r);
    }
}

/* Across a transformer whose ratio passes 0 a source of effort drives V/(n²·r), without bound; one of flow none at all. */
static void a_ratio_may_be_0_where_it_leaves_a_value(void)
{
    rig r;
    CU_ASSERT_FATAL(
        rig_new(&r, "Se V = 1\nTF n = t - 1\nR r = 2\nV -> n -> r\noutput i = f(r)\n", NULL));
    CU_ASSERT_EQUAL(rig_try(&r, 2), JN_STOP_NUMERICS);
    CLOSE(r.stop.t, 1, 1, 1e-9);
    CU_ASSERT_PTR_NOT_NULL(strstr(r.message, "'n'"));
    rig_clear(&r);
    CU_ASSERT_FATAL(
        rig_new(&r, "Sf J = 1\nTF n = t - 1\nR r = 2\nJ -> n -> r\noutput i = f(r)\n", NULL));
    rig_to(&r, 2.5);
    CLOSE(rig_output(&r, "i"), 1.5L, 1, 1e-12);
    rig_clear(&r);
}

/* ---- bounces anywhere --------------------------------------------------------------------------- */

/* A ball falls by h onto a floor somewhere, and rests after sqrt(2h/g)·(1 + e)/(1 − e). How small a bounce can be seen is
 * up to where the floor is; at some of these places the first impact leaves it a rounding below it. */
BOTH(a_ball_rests_wherever_the_floor_is)
{
    static const struct {
        double e, g, h, floor, m;
    } ball[] = {
        {0.6, 10, 1.25, 0, 1},
        {0.6, 10, 1.25, 100, 1},
        {0.6, 10, 1.25, 300, 1},
        {0.6, 10, 1.25, 3000, 1},
        {0.85, 10, 1.25, 30, 1},
        {0.85, 10, 1.25, 1000, 1},
        {0.97, 265.691, 1.07933, 0.0147109, 672.186},
        {0.9, 109.372, 0.0932583, 0, 0.147704},
        {0.8, 698.5546352, 0.05116359814602482, 0, 1.5689800307494555},
        {0.3, 50.9793, 36.7863, 25825.8, 0.314108},
        {0.01, 1.0038030975987673, 0.04222856086602894, 6.107628122514888, 0.262860239001243},
        {0.01, 154.8, 139.806, 12901.4, 122.316},
        {0.05, 21.5997, 0.0567195, -2.73067, 112.701},
        {0.95, 1.86065, 0.00145739, 648.44, 0.0834656},
    };
    for (int i = 0; i < COUNT(ball); i++) {
        double e = ball[i].e, g = ball[i].g, h = ball[i].h, at = ball[i].floor;
        double rests = sqrt(2 * h / g) * (1 + e) / (1 - e);
        char text[500];
        snprintf(text, sizeof text,
                 "Se weight = %.17g\nSf back = -%.17g*prior(f(b))\nI b = %.17g\n1 v\nX0 hit\n"
                 "weight -> v -> b\nv -> hit -> back\nsignal y = int(f(b), %.17g)\n"
                 "switch hit off, on when y < %.17g and f(b) < 0, off when prior(f(b)) > 0\n"
                 "output y, v = f(b)\n",
                 -g * ball[i].m, e, ball[i].m, at + h, at);
        rig r;
        CHECK(rig_new(&r, text, &(jn_sim_options){.method = method}));
        rig_to(&r, 2 * rests);
        TEST_TEXT("1", rig_mode(&r));
        CLOSE(rig_output(&r, "y"), at, h + fabs(at), 1e-9);
        CU_ASSERT_EQUAL(rig_output(&r, "v"), 0);
        CLOSE(rig_at(&r, r.nevents - 1)->t, rests, rests, 3e-6 * (1 + sqrt(1 + fabs(at) / h)));
        rig_clear(&r);
    }
}

/* ---- what happens just before events accumulate ---------------------------------------------- */

/* A ball that rests at t = 3, and a switch that reads a capacitor with e = t: it is not passed over with the last
 * bounces, nor are these lost. */
BOTH(what_takes_no_part_in_accumulation_is_on_time)
{
    static const double before[] = {9e-5, 4e-5, 2e-5, 1e-5, 3e-6, 1e-6, 1e-7, 1e-8, -1e-8, -1e-5};
    for (int i = 0; i < COUNT(before); i++) {
        char text[700];
        snprintf(text, sizeof text,
                 "Se weight = -10\nSf rebound = -prior(f(v))/2\nI m = 1\n1 v\nX0 floor\n"
                 "weight -> v -> m\nrebound -> floor -> v\nsignal h = int(f(v), 5)\n"
                 "switch floor off, on when h <= 0 and f(v) < 0, off when prior(f(v)) > 0\n"
                 "Sf one = 1\nC c = 1\nR r = 1\nX1 s\n0 n\none -> n -> c\nn -> s -> r\n"
                 "switch s off, on when e(n) > %.17g\noutput h = h, e = e(n)\n",
                 3 - before[i]);
        rig r;
        CHECK(rig_new(&r, text, &(jn_sim_options){.method = method}));
        rig_to(&r, 4);
        double on = NAN, rests = NAN;
        for (int k = 1; k < r.nevents; k++) {
            on = strstr(r.event[k].cause, "s on") ? r.event[k].t : on;
            rests = r.event[k].kind == JN_EVENT_ZENO ? r.event[k].t : rests;
        }
        CLOSE(on, 3 - before[i], 1, 1e-12);
        CLOSE(rests, 3, 1, 2e-5); /* that of what comes first, where it is as good as there */
        TEST_TEXT("11", rig_mode(&r));
        CLOSE(rig_output(&r, "h"), 0, 1, 1e-9);
        CLOSE(rig_output(&r, "e"), 1 + (2 - before[i]) * exp(-1 - before[i]), 1, 1e-9);
        rig_clear(&r);
    }
}

/* ---- a crossing that turns round what was crossed --------------------------------------------- */

/* At t = 0.1 something falls below 0, and what that sets makes it rise again. It has not been crossed twice then. */
BOTH(what_an_event_turns_round_is_not_crossed_again)
{
    static const char *const model[] = {
        "discrete side = 1\nautomaton a {\n p off initial\n m on\n w off\n"
        " p -> m when q(x)*side < 0 { side = -1 }\n m -> w when q(x)*side < 0\n}\n",
        "discrete side = 1\nautomaton a {\n p off initial\n m on\n"
        " p -> m when q(x)*side < 0 { side = -1 }\n m -> p when q(x)*side < 0\n}\n",
        "signal g = if(on(a), -q(x), q(x))\nautomaton a {\n p off initial\n m on\n w off\n"
        " p -> m when g < 0\n m -> w when g < 0\n}\n",
        "signal g = q(x)*if(in(a, p), 1, -1)\nautomaton a {\n p off initial\n m on\n w off\n"
        " p -> m when g < 0\n m -> w when g < 0\n}\n",
    };
    for (int i = 0; i < COUNT(model); i++) {
        char text[500];
        snprintf(text, sizeof text,
                 "Sf J = -1\nC x = 1, q0 = 0.1\n0 n\nJ -> n -> x\n%soutput i = if(on(a), 1, 0)\n",
                 model[i]);
        rig r;
        CHECK(rig_new(&r, text, &(jn_sim_options){.method = method}));
        rig_to(&r, 1);
        CU_ASSERT_EQUAL(r.nevents, 2);
        CLOSE(rig_at(&r, 1)->t, 0.1L, 1, 1e-9);
        TEST_TEXT("1", rig_mode(&r));
        rig_clear(&r);
    }
}

/* ---- a slip that is locked ---------------------------------------------------------------------- */

/* A clutch closes across a friction that sticks. Three masses go on as one, and the contact between two of them lets go
 * where 0.3·(0.7 − 4t)/1.8 + 0.3 = 0, however long the run. */
BOTH(a_friction_that_is_locked_blurs_nothing)
{
    static const double length[] = {1, 2, 4, 8};
    for (int i = 0; i < COUNT(length); i++) {
        rig r;
        CHECK(rig_new(&r,
                      "I m1 = 0.3, f0 = 1\nI m2 = 0.5, f0 = 1\nI m3 = 1, f0 = 1\nSe F = 1 - 4*t\n"
                      "1 v1\n1 v2\n1 v3\nv1 -> m1\nv2 -> m2\nv3 -> m3\nF -> v3\n0 j4\n"
                      "R C4 : e = 2*sign(f)\nv3 -> j4\nj4 -> v2\nj4 -> C4\nR C5 : e = 0.3*sign(f)\n"
                      "v1 -> C5\nX0 s6\nv3 -> s6 -> v1\nswitch s6 stop\nX0 b7\nv2 -> b7 -> v3\n"
                      "switch b7 off, on at 0.6, off at 1.9\n",
                      &(jn_sim_options){.method = method}));
        rig_to(&r, length[i]);
        double lets_go = NAN;
        for (int k = 0; k < r.nevents && isnan(lets_go); k++)
            if (strstr(r.event[k].cause, "s6 off"))
                lets_go = r.event[k].t;
        CLOSE(lets_go, 0.625L, 1, 1e-10);
        rig_clear(&r);
    }
}

void suite_sim_corners(void)
{
    TEST_SUITE("sim_corners");
    TEST_ADD(kinks_at_one_place_turn_together);
    TEST_ADD(a_valve_opens_where_its_law_begins);
    TEST_ADD(drags_are_not_slid_on);
    TEST_ADD(a_slide_ends_where_its_condition_does);
    TEST_ADD(a_slide_outlives_what_lasts_no_time);
    TEST_ADD(what_is_stuck_is_followed_in_long_steps);
    TEST_ADD(what_is_let_go_starts_from_rest);
    TEST_ADD(a_yield_stress_gives_way_both_ways);
    TEST_ADD(a_flow_comes_to_rest_wherever_steps_end);
    TEST_ADD(large_numbers_elsewhere_do_not_blur_small_ones);
    TEST_ADD(a_law_that_is_bounded_may_be_given_its_flow);
    TEST_ADD(corners_of_laws_count_in_energies);
    TEST_ADD(what_has_died_away_may_be_cut_off);
    TEST_ADD(what_runs_out_beside_a_diode);
    TEST_ADD(nothing_is_lost_where_nothing_has_been);
    TEST_ADD(a_flow_begins_at_a_threshold);
    TEST_ADD(a_ratio_may_be_0_where_it_leaves_a_value);
    TEST_ADD(a_ball_rests_wherever_the_floor_is);
    TEST_ADD(what_takes_no_part_in_accumulation_is_on_time);
    TEST_ADD(what_an_event_turns_round_is_not_crossed_again);
    TEST_ADD(a_friction_that_is_locked_blurs_nothing);
}
