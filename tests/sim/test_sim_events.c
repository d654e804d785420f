/* test_sim_events.c: when things happen: none missed, none twice, in the right order, and what is
 * said when they never end. */
#include "rig.h"

#include <math.h>

#define PI 3.141592653589793238462643383279502884L

static bool start(rig *r, const char *text)
{
    bool made = rig_new(r, text, NULL);
    CU_ASSERT(made);
    return made;
}

/* ---- none is missed ------------------------------------------------------------------------ */

/* q = cos t rises above 1 − width for a moment in every period; there is one output point. */
static void run_narrow(const char *level, long double width)
{
    rig r;
    char text[400];
    snprintf(text, sizeof text,
             "model narrow\nI L = 1\nC c = 1, q0 = 1\n1 loop\nX1 s\nR r = 1\nSe u = 1\n"
             "loop -> L\nloop -> c\nu -> s -> r\n"
             "switch s on, on when q(c) > %s, off when q(c) < %s\n",
             level, level);
    if (start(&r, text)) {
        rig_to(&r, 200);
        long double half = 2 * asinl(sqrtl(width / 2)), slope = sinl(half);
        CU_ASSERT_EQUAL(r.nevents, 1 + 63); /* 31 whole periods and the first half of one */
        for (int i = 1; i < r.nevents; i++) {
            bool rises = i % 2 == 0;
            long double t = 2 * PI * (i / 2) + (rises ? -half : half);
            CU_ASSERT_EQUAL(rig_at(&r, i)->to[0], rises ? '1' : '0');
            CLOSE(rig_at(&r, i)->t, t, 1, 1e-12 / (double)slope);
        }
    }
    rig_clear(&r);
}

static void a_level_crossed_twice_is_two_events(void)
{
    run_narrow("1/2", 0.5L);
    run_narrow("0.999", 1e-3L);
    run_narrow("0.999999", 1e-6L);
    run_narrow("0.999999999", 1e-9L);
}

/* Two frequencies; the level is passed again and again. What is counted is what a fine grid sees.
 */
static void two_frequencies_miss_no_event(void)
{
    rig r;
    if (start(&r, "model beat\nSe u = sin(t) + sin(31*t)/2\nX1 s\nR r = 1\nu -> s -> r\n"
                  "switch s off, on when e(u) > 1.2, off when e(u) < 1.2\n")) {
        rig_to(&r, 20);
        bool on = false;
        int n = 0;
        for (int k = 1; k <= 2000000; k++) {
            double t = 1e-5 * k, value = sin(t) + sin(31 * t) / 2;
            if ((value > 1.2) == on)
                continue;
            on = !on;
            const rig_event *e = rig_at(&r, ++n);
            CU_ASSERT(e->t > t - 1.001e-5 && e->t < t + 1e-8);
            CU_ASSERT_EQUAL(e->to[0], on ? '1' : '0');
        }
        CU_ASSERT_EQUAL(r.nevents, n + 1);
        CU_ASSERT(n > 20);
    }
    rig_clear(&r);
}

/* Three comparisons, none of which holds for long. */
static void combined_conditions_are_located(void)
{
    rig r;
    if (start(&r, "model both\nI L = 1\nC c = 1, q0 = 1\n1 loop\nX1 s\nR r = 1\nSe u = 1\n"
                  "loop -> L\nloop -> c\nu -> s -> r\n"
                  "switch s off, on when q(c) > 0.9 and not p(L) > 0 or q(c) < -0.9 and p(L) > 0, "
                  "off when not (q(c) > 0.9 and p(L) <= 0 or q(c) < -0.9 and p(L) > 0)\n")) {
        /* p = −sin t: the first clause holds while t mod 2π is in [0, a), the second in [π, π + a)
         * where cos a = 0.9: p > 0 from π on */
        rig_to(&r, 30);
        long double a = acosl(0.9L);
        for (int i = 1; i < r.nevents; i++)
            CLOSE(rig_at(&r, i)->t, PI * (i / 2) + (i % 2 ? a : 0), 1, 1e-12);
        TEST_TEXT("1", rig_at(&r, 0)->to);
        CU_ASSERT_EQUAL(r.nevents, 1 + 19); /* 9π + a < 30 < 10π */
    }
    rig_clear(&r);
}

/* A condition that one of its comparisons crosses at the very start without making it true. */
static void a_run_may_start_on_a_level(void)
{
    rig r;
    if (start(&r, "model fall\nSe weight = -10\nI m = 1\nX1 v\nweight -> v -> m\n"
                  "signal height = int(f(v), 5)\n"
                  "switch v on, off when height <= 0 and f(v) < 0\n")) {
        rig_to(&r, 2);
        CU_ASSERT_EQUAL(r.nevents, 2);
        CLOSE_REL(rig_at(&r, 1)->t, 1, 1e-12);
        CLOSE_REL(rig_at(&r, 1)->lost, 50, 1e-12);
    }
    rig_clear(&r);
}

/* However a comparison is written, it comes true once, where it should: constants may swallow the
 * last digits of what they are added to. */
static void a_condition_may_be_written_in_many_ways(void)
{
    static const char *const form[] = {
        "e(c) + %d > %d + %d/97", "e(c)/4 - %d > %d/388 - %d",   "%d - e(c) < %d - %d/97",
        "t + %d > %d + %d/97",    "abs(e(c) + %d) > %d + %d/97", "(e(c) + %d)^2 > (%d + %d/97)^2"};
    for (int f = 0; f < 6; f++)
        for (int k = 1; k < 60; k++) {
            char condition[80], text[300];
            int shift = 37 * k % 101, h = 53 * k % 290 + 1;
            snprintf(condition, sizeof condition, form[f], shift, f == 1 ? h : shift,
                     f == 1 ? shift : h);
            snprintf(text, sizeof text,
                     "model written\nSf J = 1\nC c = 1\nJ -> c\nSe u = 1\nR r = 1\nX1 s\n"
                     "u -> s -> r\nswitch s off, on when %s\n",
                     condition);
            rig r;
            if (start(&r, text)) {
                rig_to(&r, 4);
                CU_ASSERT_EQUAL(r.nevents, 2);
                CLOSE_REL(rig_at(&r, 1)->t, h / 97.0L, 3e-12);
            }
            rig_clear(&r);
        }
}

/* ---- at one instant ------------------------------------------------------------------------ */

static void events_at_one_time_are_one(void)
{
    rig r;
    if (start(&r, "model pair\nSe u = 2\nR r1 = 1\nR r2 = 1\nC c1 = 1\nC c2 = 1\n0 n\n"
                  "X1 a\nX1 b\nX1 late\nR q = 1\nu -> n\nn -> a -> r1\na -> c1\nn -> b -> r2\n"
                  "b -> c2\nn -> late -> q\n"
                  "switch a on, off when e(c1) > 1\nswitch b on, off when e(c2) > 1\n"
                  "switch late off, on when f(a) = 0 and f(b) = 0 and t > 0\n")) {
        rig_to(&r, 2);
        CU_ASSERT_EQUAL(r.nevents, 2);
        CLOSE_REL(rig_at(&r, 1)->t, logl(2), 1e-13);
        TEST_TEXT("110", rig_at(&r, 1)->from);
        TEST_TEXT("001", rig_at(&r, 1)->to);
        TEST_TEXT("mythical 000", rig_at(&r, 1)->via);
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* Two generators of the same beat, the second with twice the period. */
static void pulses_at_one_time_are_one_event(void)
{
    rig r;
    if (start(&r, "model pair\nSe u = 2\nR r1 = 1\nR r2 = 1\n0 n\nX1 a\nX1 b\nu -> n\n"
                  "n -> a -> r1\nn -> b -> r2\n"
                  "switch a pwm(1/7, 1/2)\nswitch b pwm(2/7, 1/4)\n")) {
        rig_to(&r, 100);
        int k = 0; /* quarters of 2/7 */
        for (int i = 1; i < r.nevents; i++) {
            k++;
            CU_ASSERT_EQUAL(rig_at(&r, i)->t, k / 14.0);
            TEST_TEXT(k % 4 == 0 ? "11" : k % 4 == 2 ? "10" : "00", rig_at(&r, i)->to);
        }
        CU_ASSERT_EQUAL(k, 1400);
    }
    rig_clear(&r);
}

/* The third beat of a tenth and a switch set to 0.3 are one instant, though 3·0.1 is not 0.3 in
 * binary. */
static void equal_times_are_one_instant(void)
{
    rig r;
    if (start(&r, "model pair\nSe u = 2\nR r1 = 1\nR r2 = 1\n0 n\nX1 a\nX1 b\nu -> n\n"
                  "n -> a -> r1\nn -> b -> r2\n"
                  "switch a pwm(1/10, 1/2)\nswitch b off, on at 0.3\n")) {
        rig_to(&r, 0.31);
        CU_ASSERT_EQUAL(r.nevents, 7);
        CU_ASSERT_EQUAL(rig_at(&r, 6)->t, 0.3);
        TEST_TEXT("00", rig_at(&r, 6)->from);
        TEST_TEXT("11", rig_at(&r, 6)->to);
    }
    rig_clear(&r);
}

/* k·T, rounded once: after a hundred thousand periods not one bit has gone astray. */
static void times_are_exact(void)
{
    rig r;
    if (start(&r, "model clock\nSe u = 1\nR r = 1\nX1 s\nX1 q\nR z = 1\n0 n\n"
                  "u -> n -> s -> r\nn -> q -> z\n"
                  "switch s pwm(1e-5, 1/4)\nswitch q off, on at 0.1, off at 1/3\n")) {
        rig_to(&r, 1);
        int e = 1, wrong = 0;
        for (int k = 0; k <= 100000 && e < r.nevents; k++) {
            if (k > 0)
                wrong += rig_at(&r, e++)->t != k / 100000.0;
            if (k < 100000)
                wrong += rig_at(&r, e++)->t != (4 * k + 1) / 400000.0;
            if (k == 33333)
                wrong += rig_at(&r, e++)->t != 1 / 3.0;
        }
        CU_ASSERT_EQUAL(wrong, 0);
        CU_ASSERT_EQUAL(r.nevents, e);
        CU_ASSERT_EQUAL(jn_sim_events(r.sim), e - 1);
    }
    rig_clear(&r);
}

static void phases_shift_pulses(void)
{
    rig r;
    if (start(&r, "model clock\nSe u = 1\nR r = 1\nX1 s\nu -> s -> r\n"
                  "switch s pwm(1/10, 3/10, 1/40)\n")) {
        rig_to(&r, 0.2);
        /* on from 0.025 to 0.055, and every tenth after */
        static const double times[] = {1 / 40.0, 11 / 200.0, 5 / 40.0, 31 / 200.0};
        CU_ASSERT_EQUAL(r.nevents, 5);
        TEST_TEXT("0", rig_at(&r, 0)->to);
        for (int i = 0; i < 4; i++) {
            CU_ASSERT_EQUAL(rig_at(&r, i + 1)->t, times[i]);
            TEST_TEXT(i % 2 ? "0" : "1", rig_at(&r, i + 1)->to);
        }
    }
    rig_clear(&r);
}

/* A duty that varies is read when a period begins: edges by hand. Beyond 0 and 1 nothing switches
 * in that period. */
static void a_duty_may_vary(void)
{
    rig r;
    if (start(&r, "model wave\nSe u = 1\nR r = 1\nX1 s\nu -> s -> r\n"
                  "switch s pwm(1/8, 1/2 + sin(t)*3/4, -1/32)\n")) {
        rig_to(&r, 12);
        int next = 1;
        bool on = true; /* the period that began before 0 is at its half or before */
        for (int k = 0; k <= 97; k++) {
            double begin = (k - 0.25) / 8, duty = 0.5 + 0.75 * sin(begin);
            double off = begin + fmin(fmax(duty, 0), 1) / 8;
            bool begins_on = duty > 0, changes = duty > 0 && duty < 1;
            if (begin > 0 && begins_on != on && begin <= 12) {
                CLOSE(rig_at(&r, next)->t, begin, 1, 1e-15);
                TEST_TEXT(begins_on ? "1" : "0", rig_at(&r, next++)->to);
                on = begins_on;
            }
            if (changes && off > 0 && off <= 12) {
                CLOSE(rig_at(&r, next)->t, off, 12, 1e-15);
                TEST_TEXT("0", rig_at(&r, next++)->to);
                on = false;
            }
        }
        CU_ASSERT_EQUAL(r.nevents, next);
        CU_ASSERT(next > 50);
    }
    rig_clear(&r);
}

/* The duty reads the coil's current as a period begins: i' = 1 − i while on, −2i while off. */
static void a_duty_may_read_the_model(void)
{
    rig r;
    if (start(&r, "model control\nSe u = 1\nI L = 1\nR r = 1\nR leak = 1\n0 n\n1 c\nX1 s\n"
                  "u -> s -> n -> c -> L\nc -> r\nn -> leak\n"
                  "switch s pwm(1/4, 1 - 2*f(L))\n")) {
        rig_to(&r, 3);
        long double i = 0;
        int next = 1;
        bool on = false;
        for (int k = 0; k < 12; k++) {
            long double duty = fminl(fmaxl(1 - 2 * i, 0), 1), width = duty / 4;
            if (!on)
                CLOSE(rig_at(&r, next++)->t, k / 4.0L, 1, 1e-15);
            i = 1 + (i - 1) * expl(-width); /* u drives it through r */
            on = duty == 1;
            if (on)
                continue;
            CLOSE(rig_at(&r, next++)->t, k / 4.0L + width, 1, 1e-14);
            i *= expl(-2 * (0.25L - width)); /* through r and leak */
        }
        CU_ASSERT_EQUAL(r.nevents, next + 1); /* the next period begins */
        CLOSE_REL(rig_state(&r, "L"), i, 1e-13);
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* A duty that is held from period to period is there from the first one on. */
static void a_held_duty_counts_from_the_start(void)
{
    rig r;
    if (start(&r, "model held\ndiscrete u = 1/4\nSe V = 1\nR r = 1\nX1 s\nV -> s -> r\n"
                  "switch s pwm(1, u)\nautomaton z {\na on initial\nb on\na -> b when t >= 3/2 { u "
                  "= 1/2 }\n"
                  "}\n")) {
        static const double t[] = {0, 0, 0.25, 1, 1.25, 1.5, 2, 2.5};
        rig_to(&r, 2.75);
        CU_ASSERT_EQUAL(r.nevents, 8);
        for (int i = 0; i < 8; i++)
            CLOSE(rig_at(&r, i)->t, t[i], 1, 1e-15);
    }
    rig_clear(&r);
}

/* With a phase, the period that is under way at the start began before it: its duty is read at the
 * start, and here its end is past. */
static void a_phase_may_read_the_model(void)
{
    rig r;
    if (start(&r, "model phase\nSe u = 1\nI L = 1, f0 = 1\nR r = 1\nR leak = 1\n0 n\n1 c\nX1 s\n"
                  "u -> s -> n -> c -> L\nc -> r\nn -> leak\n"
                  "switch s pwm(1/5, f(L)/2, 1/50)\n")) {
        rig_to(&r, 0.2);
        CU_ASSERT_EQUAL(r.nevents, 3);
        CU_ASSERT_EQUAL(rig_at(&r, 1)->t, 0.02);
        TEST_TEXT("1", rig_at(&r, 1)->to);
        CLOSE_REL(rig_at(&r, 2)->t, 0.02L + 0.1L * expl(-0.04L), 1e-14);
    }
    rig_clear(&r);
}

/* Three switches follow a modulated one: ±100 V on 5 mH and 10 ohm, edge by edge. */
static void switches_may_follow_others(void)
{
    rig r;
    if (rig_example(&r, "spwm")) {
        long double i = 0, t = 0, pi = 3.141592653589793238462643383279502884L;
        int next = 1;
        for (int k = 0; k < 80; k++) {
            long double duty = 0.5L + 0.4L * sinl(100 * pi * k / 2000), begin = k / 2000.0L;
            const long double until[2] = {begin + duty / 2000, (k + 1) / 2000.0L};
            for (int half = 0; half < 2; half++) {
                long double steady = half ? -10 : 10;
                i = steady + (i - steady) * expl(-2000 * (until[half] - t));
                t = until[half];
                rig_to(&r, (double)t + 1e-9);
                const rig_event *e = rig_at(&r, next++);
                CLOSE_REL(e->t, t, 1e-14);
                TEST_TEXT(half ? "1001" : "0110", e->to);
                CLOSE(e->state ? e->state[0] : NAN, i / 200, 0.05, 1e-13);
            }
        }
        CU_ASSERT_EQUAL(r.nevents, next);
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* ---- no way on ----------------------------------------------------------------------------- */

/* A diode in parallel to a closed switch: its share of the current is open. The run stops, unless
 * the rest of the condition decides. */
static void what_nothing_determines_is_said(void)
{
    static const char *const law[] = {"f(d) < 0", "f(d) < 0 and t > 3", "on(s) or f(d) < 0",
                                      "f(d) < 0 or on(s)"};
    for (int k = 0; k < 8; k++) {
        char text[300];
        rig r;
        bool strict = k >= 4;
        snprintf(text, sizeof text,
                 "model parallel\nSe u = 1\nI L = 1\n0 a\n0 b\nX1 s\nX1 d\nu -> a\nb -> L\n"
                 "a -> s -> b\na -> d -> b\n"
                 "switch s off, on at 1, off at 2\nswitch d on, off when %s\n",
                 law[k % 4]);
        if (rig_new(&r, text, &(jn_sim_options){.strict = strict})) {
            jn_stop why = rig_try(&r, 1.9);
            CU_ASSERT_EQUAL(why, k == 4 ? JN_STOP_UNDETERMINED : JN_STOP_NONE);
            if (why == JN_STOP_UNDETERMINED) {
                CU_ASSERT_EQUAL(r.stop.t, 1);
                CU_ASSERT(strstr(r.message, "'f(d) < 0' of d") && strstr(r.message, "mode 11"));
            } else {
                CLOSE_REL(rig_state(&r, "L"), 1.9L, 1e-14);
            }
        }
        rig_clear(&r);
    }
}

/* A step of an automaton is an event, whether or not its switch changes. */
static void steps_that_switch_nothing_are_events(void)
{
    rig r;
    if (start(&r, "model armed\nSe u = 1\nI L = 1\nX1 s\nu -> s -> L\n"
                  "automaton s {\n off off initial\n idle on\n armed on\n"
                  " off -> idle when t >= 1 and t < 3\n idle -> armed when f(L) > 1\n"
                  " armed -> off when t >= 4\n}\n")) {
        rig_to(&r, 5);
        CU_ASSERT_EQUAL(r.nevents, 4);
        const rig_event *e = rig_at(&r, 2);
        CLOSE_REL(e->t, 2, 1e-14);
        TEST_TEXT("1", e->from);
        TEST_TEXT("1", e->to);
        TEST_TEXT("s armed: f(L) > 1", e->cause);
    }
    rig_clear(&r);
}

/* Two bonds in parallel share a jump's charge in any way; before and behind them it is known. */
static void an_impulse_beside_a_loop_is_known(void)
{
    rig r;
    if (start(&r, "model joined\nC a = 1, q0 = 1\nC b = 1\n0 n\n0 m\n0 k\nX1 s\n"
                  "n -> a\nbefore: n -> s\nbehind: s -> m\nm -> k\nm -> k\ninto: k -> b\n"
                  "switch s off, on at 1\noutput f(into), e(into)\n")) {
        rig_to(&r, 2);
        CU_ASSERT_EQUAL(r.nevents, 2);
        CLOSE_REL(rig_impulse(&r, 1, "before", false), 0.5L, 1e-14);
        CLOSE_REL(rig_impulse(&r, 1, "behind", false), 0.5L, 1e-14);
        CLOSE_REL(rig_impulse(&r, 1, "into", false), 0.5L, 1e-14);
        CU_ASSERT_EQUAL(rig_output(&r, "f(into)"), 0);
        CLOSE_REL(rig_output(&r, "e(into)"), 0.5L, 1e-14);
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* sqrt(1 − t) loses its value on the way. */
static void a_source_may_lose_its_value(void)
{
    rig r;
    if (start(&r, "model root\nSe u = 1\nI L = 1\nX1 s\nu -> s -> L\n"
                  "switch s on, off when sqrt(1 - f(L)) > 2\n")) {
        CU_ASSERT_EQUAL(rig_try(&r, 2), JN_STOP_UNDETERMINED);
        CLOSE(r.stop.t, 1, 1, 1e-12);
        CU_ASSERT(strstr(r.message, "sqrt(1 - f(L)) is not a number") != NULL);
    }
    rig_clear(&r);
    for (int strict = 0; strict < 2; strict++) { /* a node that floats takes the effort beside it */
        CU_ASSERT_EQUAL(rig_new(&r,
                                "model floating\nSe u = 1\n0 a\n0 b\nX1 s\nu -> a -> s -> b\n"
                                "switch s off, on when e(b) < 0\noutput v = e(b)\n",
                                &(jn_sim_options){.strict = strict}),
                        !strict);
        if (strict)
            CU_ASSERT(rig_has_error(&r, "run-start"));
        if (!strict)
            CLOSE(rig_output(&r, "v"), 1, 1, 1e-15);
        rig_clear(&r);
    }
}

/* Why a run cannot begin, and what the program says might help. */
static void advice_fits_the_reason(void)
{
    static const struct {
        const char *text, *advice;
    } cases[] = {{"Se V = 2\nSe G = 1\nI L = 1\n0 n\nX1 s\nX1 d\nV -> s -> n\nG -> d -> n\nn -> L\n"
                  "switch s on, off when t > 1\nswitch d on, off when t > 1\n",
                  "put a resistor between them"},
                 {"Se u = 1\nR r = 1\nX1 s\nu -> s -> r\nswitch s on, off when f(r) > 1/2, on when "
                  "f(r) < 1/2\n",
                  "states in which these switches start"},
                 {"Se V = 3\nC c : e = 2*q + f\nV -> c\n", "check the initial values and the laws"},
                 {"param k = 1\nSe u = 1/(k - 1)\nR r = 1\nu -> r\n", "each value must be finite"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rig r;
        CU_ASSERT_FALSE(rig_new(&r, cases[i].text, NULL));
        CU_ASSERT(rig_has_error(&r, "run-start"));
        const jn_diag *d = jn_diags_count(r.diags) ? jn_diags_get(r.diags, 0) : NULL;
        bool fits = d && d->advice && strstr(d->advice, cases[i].advice);
        CU_ASSERT(fits);
        if (!fits)
            printf("\n%zu: %s: %s", i, d ? d->message : "", d && d->advice ? d->advice : "");
        rig_clear(&r);
    }
}

/* What stops where numbers are too far apart says which they are. */
static void numbers_too_far_apart_are_named(void)
{
    static const struct {
        const char *text, *part;
    } cases[] = {{"C a = 1, q0 = 1e200\nC b = 1, q0 = 1e-200\nR r = 1\n", "state of 'a'"},
                 {"C a = 1e-200, q0 = 1\nC b = 1e200, q0 = 1\nR r = 1\n",
                  "'a' is 1e-200 and 'b' is 1e+200"}};
    for (int i = 0; i < 2; i++) {
        char text[200];
        rig r;
        snprintf(text, sizeof text, "%s1 n\nn -> a\nn -> b\nn -> r\n", cases[i].text);
        if (start(&r, text)) {
            CU_ASSERT_EQUAL(rig_try(&r, 1), i ? JN_STOP_SINGULAR : JN_STOP_NUMERICS);
            CU_ASSERT(strstr(r.message, cases[i].part) != NULL);
            if (!strstr(r.message, cases[i].part))
                printf("\n%d: %s", i, r.message);
        }
        rig_clear(&r);
    }
}

static void what_is_no_number_stops_a_run(void)
{
    rig r;
    CU_ASSERT(!rig_new(&r, "param k = 1\nSe u = 1/(k - 1)\nR r = 1\nu -> r\n", NULL));
    CU_ASSERT(rig_has_error(&r, "run-start"));
    rig_clear(&r);
    if (start(&r, "Se u = 1\nR r = 1\nX1 s\nu -> s -> r\nswitch s pwm(1, sqrt(5/2 - t))\n")) {
        CU_ASSERT_EQUAL(rig_try(&r, 5), JN_STOP_NUMERICS);
        CU_ASSERT_EQUAL(r.stop.t, 3);
        CU_ASSERT(strstr(r.message, "duty cycle of 's'") != NULL);
    }
    rig_clear(&r);
}

static void endless_switching_is_named(void)
{
    rig r;
    if (start(&r, "model bell\nSe u = 1\nR coil = 1\nX1 s\nu -> s -> coil\n"
                  "switch s off, on when t >= 1 and f(coil) < 1/2, off when f(coil) > 1/2\n")) {
        CU_ASSERT_EQUAL(rig_try(&r, 2), JN_STOP_LOOP);
        CU_ASSERT_EQUAL(r.status, JN_UNABLE);
        CU_ASSERT_EQUAL(r.stop.t, 1);
        CU_ASSERT_EQUAL(jn_sim_time(r.sim), 1);
        TEST_TEXT("0", rig_mode(&r));
        /* the cycle, and both conditions */
        CU_ASSERT(strstr(r.message, "f(coil) < 1/2") && strstr(r.message, "f(coil) > 1/2"));
    }
    rig_clear(&r);
}

static const char two_sources[] =
    "model two\nSe V = 12\nSe G = 0\nI L = 1\nR r = 1\n0 n\n1 coil\nX1 s\nX1 d\n"
    "V -> s -> n\nG -> d -> n\nn -> coil -> L\ncoil -> r\n";

static bool start_two(rig *r, const char *switches)
{
    char text[500];
    snprintf(text, sizeof text, "%s%s", two_sources, switches);
    return start(r, text);
}

static void forbidden_modes_are_named(void)
{
    rig r;
    if (start_two(&r, "switch s on\nswitch d off, on at 1\n")) {
        CU_ASSERT_EQUAL(rig_try(&r, 2), JN_STOP_FORBIDDEN);
        CU_ASSERT_EQUAL(r.status, JN_UNABLE);
        CU_ASSERT_EQUAL(r.stop.t, 1);
        TEST_TEXT("10", rig_mode(&r));
        CLOSE_REL(rig_state(&r, "L"), 12 * -expm1l(-1), 1e-13);
        CU_ASSERT(strstr(r.message, "V") && strstr(r.message, "G"));
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* A transistor closes onto a conducting diode: the current the two sources would drive turns it
 * off. Written the wrong way round the diode holds, and there is no way out. */
static void a_diode_lets_go_of_a_transistor(void)
{
    rig r;
    if (start_two(&r, "switch s on, off at 1, on at 2\n"
                      "switch d off, on when e(n) < 0, off when f(d) < 0\n")) {
        rig_to(&r, 3);
        CU_ASSERT_EQUAL(r.nevents, 3);
        TEST_TEXT("01", rig_at(&r, 1)->to);
        TEST_TEXT("mythical 00", rig_at(&r, 1)->via);
        TEST_TEXT("10", rig_at(&r, 2)->to);
        TEST_TEXT("forbidden 11", rig_at(&r, 2)->via);
        CU_ASSERT_EQUAL(jn_sim_modes_seen(r.sim), 2); /* not those passed through */
        long double i = 12 * -expm1l(-1) * expl(-1);
        CLOSE_REL(rig_state(&r, "L"), 12 + (i - 12) * expl(-1), 1e-13);
        LEDGER(&r);
    }
    rig_clear(&r);
    if (start_two(&r, "switch s on, off at 1, on at 2\n"
                      "switch d off, on when e(n) < 0, off when f(d) > 100\n")) {
        CU_ASSERT_EQUAL(rig_try(&r, 3), JN_STOP_FORBIDDEN);
        CU_ASSERT_EQUAL(r.stop.t, 2);
    }
    rig_clear(&r);
}

/* One source overtakes another: its diode opens onto a conducting one, and the two sources, equal
 * at that instant, are driven apart by how they go on. A coil of 1 H and 1 ohm behind them. */
static void diodes_commutate_by_themselves(void)
{
    rig r;
    const long double pi = 3.141592653589793238462643383279502884L;
    if (!rig_new(&r,
                 "model commute\nSe va = 10 + 5*sin(t)\nSe vb = 10 + 5*cos(t)\n"
                 "I L = 1\nR r = 1\n0 a\n0 b\n0 P\n1 load\nX1 d1\nX1 d2\n"
                 "va -> a -> d1 -> P\nvb -> b -> d2 -> P\nP -> load -> L\nload -> r\n"
                 "switch d1 off, on when e(a) > e(P), off when f(d1) < 0\n"
                 "switch d2 off, on when e(b) > e(P), off when f(d2) < 0\n",
                 NULL))
        CU_FAIL("it starts");
    long double t = 0, i = 0;
    for (int k = 1; k <= 20; k++) {
        bool cosine = k % 2;
        long double next = (k - 0.75L) * pi; /* the steady current is 10 + 2.5·(sin t ± cos t) */
        long double before = 10 + 2.5L * (sinl(t) + (cosine ? cosl(t) : -cosl(t)));
        long double after = 10 + 2.5L * (sinl(next) + (cosine ? cosl(next) : -cosl(next)));
        i = after + (i - before) * expl(t - next);
        t = next;
        rig_to(&r, (double)t + 1e-3);
        CU_ASSERT_EQUAL(r.nevents, k + 1);
        const rig_event *e = rig_at(&r, k);
        CLOSE_REL(e->t, t, 1e-13);
        TEST_TEXT(cosine ? "10" : "01", e->to);
        TEST_TEXT("forbidden 11", e->via);
        if (e->state)
            CLOSE_REL(e->state[0], i, 1e-13);
    }
    LEDGER(&r);
    rig_clear(&r);
}

/* Two phases behind inductances hand over slowly: the current of the diode that turns on begins at
 * zero, with slope zero, beside a leak that multiplies all rounding by 1e5. */
static void commutation_may_overlap(void)
{
    rig r;
    if (start(&r, "model half\nSe v0 = 100*sin(100*pi*t)\nSe v1 = 100*sin(100*pi*t - 2*pi/3)\n"
                  "I L0 = 1/1000\nI L1 = 1/1000\nR r = 10\nI L = 1/50\n1 s0\n1 s1\nX1 u0\nX1 u1\n"
                  "0 P\n1 ld\nv0 -> s0 -> u0 -> P\nv1 -> s1 -> u1 -> P\ns0 -> L0\ns1 -> L1\n"
                  "P -> ld -> r\nld -> L\nR leak = 1e5\nP -> leak\n"
                  "switch u0 off, on when e(u0) < 0, off when f(u0) < 0\n"
                  "switch u1 off, on when e(u1) < 0, off when f(u1) < 0\n")) {
        static const char *const modes[] = {"10", "11", "01", "11", "10", "00"};
        rig_to(&r, 0.1 - 1e-4);
        CU_ASSERT_EQUAL(r.nevents, 1 + 5 * 6);
        for (int i = 1; i < r.nevents; i++)
            TEST_TEXT(modes[(i - 1) % 6], rig_at(&r, i)->to);
        for (int i = 13; i < r.nevents; i++) /* the second period is the steady one */
            CLOSE(rig_at(&r, i)->t - rig_at(&r, i - 6)->t, 0.02L, 1, 1e-11);
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* A bridge behind inductances with resistors to ground: the current of a diode that turns on is
 * zero but for rounding, which must not turn it off again. */
static void a_bridge_commutates_with_overlap(void)
{
    static const int ohms[] = {100, 1000, 10000, 100000, 1000000};
    for (int k = 0; k < 5; k++)
        for (int l = 1; l <= 4; l++) {
            char text[900];
            rig r;
            snprintf(text, sizeof text,
                     "model bridge\n0 P\n0 N\n1 ld\nI L = 1/50\nR r = 10\nP -> ld -> N\nld -> L\n"
                     "ld -> r\nfor k in 0..2 {\n Se v[k] = 325*sin(100*pi*t - k*2*pi/3)\n"
                     " I Ls[k] = %d/2000\n R sn[k] = %d\n 0 a[k]\n 1 s[k]\n X1 u[k]\n X1 d[k]\n"
                     " v[k] -> s[k] -> a[k]\n s[k] -> Ls[k]\n a[k] -> sn[k]\n a[k] -> u[k] -> P\n"
                     " N -> d[k] -> a[k]\n"
                     " switch u[k] off, on when e(a[k]) > e(P), off when f(u[k]) < 0\n"
                     " switch d[k] off, on when e(a[k]) < e(N), off when f(d[k]) < 0\n}\n"
                     "R rp = 1e5\nR rn = 1e5\nP -> rp\nN -> rn\n",
                     l, ohms[k]);
            if (start(&r, text)) {
                rig_to(&r, 0.06);
                CU_ASSERT(r.nevents > 30 && r.nevents < 60);
                LEDGER(&r);
            }
            rig_clear(&r);
        }
}

/* A source that jumps while nothing feels it has jumped when a diode lets it in: 8 V on a capacitor
 * of 2 V lose ½·6². One that is felt all the time charges it without loss. */
static void a_source_jumps_onto_a_diode(void)
{
    static const jn_method methods[] = {JN_METHOD_EXACT, JN_METHOD_RADAU};
    for (int k = 0; k < 2; k++) {
        rig r;
        jn_sim_options o = {.method = methods[k]};
        if (rig_new(
                &r,
                "Se V = if(t < 1, -5, 8)\nSe G = 0\nC c = 1, e0 = 2\nR l = 1e6\n0 n\nX1 d\nX1 z\n"
                "V -> d -> n -> c\nn -> l\nG -> z -> n\nswitch d diode\nswitch z diode\n",
                &o)) {
            rig_to(&r, 2);
            CLOSE(rig_at(&r, 1)->lost, 18, 1, 1e-4);
            CLOSE(rig_state(&r, "c"), 8, 1, 1e-4);
            LEDGER(&r);
        }
        rig_clear(&r);
        if (rig_new(&r, "Se V = if(t < 1, 2, 8)\nC c = 1, e0 = 2\n0 n\nV -> n -> c\n", &o)) {
            rig_to(&r, 2);
            CLOSE(jn_sim_ledger(r.sim).lost, 0, 1, 1e-12);
            CLOSE_REL(jn_sim_ledger(r.sim).supplied, 30, 1e-12);
        }
        rig_clear(&r);
    }
}

/* Sources that never differ leave nothing to decide by. */
static void sources_that_never_differ_decide_nothing(void)
{
    rig r;
    if (rig_new(&r,
                "model equal\nSe va = 1 + t\nSe vb = 1 + t\nI L = 1\n0 P\nX1 d1\nX1 d2\n"
                "va -> d1 -> P\nvb -> d2 -> P\nP -> L\n"
                "switch d1 on, off when f(d1) < 0\nswitch d2 off, on at 1, off when f(d2) < 0\n",
                NULL)) {
        CU_ASSERT_EQUAL(rig_try(&r, 2), JN_STOP_FORBIDDEN);
        CU_ASSERT_EQUAL(r.stop.t, 1);
    } else {
        CU_FAIL("it starts");
    }
    rig_clear(&r);
}

/* A junction that lets its source go is at zero, whichever bond was written first. */
static void detachable_sources_let_go(void)
{
    static const char *const bonds[] = {"V -> x\nx -> j\n", "x -> j\nV -> x\n"};
    for (int k = 0; k < 2; k++) {
        char text[300];
        rig r;
        snprintf(text, sizeof text,
                 "model detached\nSe V = 5, detachable\nI a = 1\nR r = 1\nX0 x\n1 j\n"
                 "%sj -> a\nj -> r\nswitch x on, off at 1\noutput v = e(x)\n",
                 bonds[k]);
        if (start(&r, text)) {
            rig_to(&r, 0.5);
            CU_ASSERT_EQUAL(rig_output(&r, "v"), 5);
            rig_to(&r, 1.5);
            CU_ASSERT_EQUAL(rig_output(&r, "v"), 0);
            CLOSE_REL(rig_state(&r, "a"), -5 * expm1l(-1) * expl(-0.5L), 1e-14);
        }
        rig_clear(&r);
    }
}

static void bounces_that_accumulate_come_to_rest(void)
{
    rig r;
    if (rig_example(&r, "ball")) {
        rig_to(&r, 4); /* it comes to rest in contact */
        const rig_event *last = rig_at(&r, r.nevents - 1);
        CU_ASSERT_EQUAL(last->kind, JN_EVENT_ZENO);
        CU_ASSERT_EQUAL(last->nlimits, 1);
        CLOSE_REL(last->limit, 3, 1e-9);
        TEST_TEXT("1", rig_mode(&r));
        CU_ASSERT_EQUAL(rig_state(&r, "m"), 0);
        CU_ASSERT(r.nevents > 10);
        long double t = 1;
        for (int k = 1; k < r.nevents - 1 && k < 20; k++) {
            CLOSE_REL(rig_at(&r, k)->t, t, 1e-12);
            t += 2 * powl(0.5L, k);
        }
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* ---- on the level -------------------------------------------------------------------------- */

/* Which of < <= = >= > hold for a voltage that is, and stays, exactly one. */
static void equalities_fire_where_they_hold(void)
{
    rig r;
    if (start(&r, "model level\nC c = 1, e0 = 1\n0 n\nn -> c\nSe u = 1\n0 m\nu -> m\n"
                  "for k in 1..5 {\n  X1 s[k]\n  R r[k] = 1\n  m -> s[k] -> r[k]\n}\n"
                  "switch s[1] off, on when e(c) < 1\nswitch s[2] off, on when e(c) <= 1\n"
                  "switch s[3] off, on when e(c) = 1\nswitch s[4] off, on when e(c) >= 1\n"
                  "switch s[5] off, on when e(c) > 1\n")) {
        TEST_TEXT("01110", rig_mode(&r));
        rig_to(&r, 10);
        TEST_TEXT("01110", rig_mode(&r));
        CU_ASSERT_EQUAL(r.nevents, 1);
    }
    rig_clear(&r);
}

/* A voltage that rises to its level, and a clock; > and >= differ by no more than rounding. */
static void a_level_that_is_only_reached_counts(void)
{
    rig r;
    if (start(&r, "model level\nSf i = 1\nC c = 1\ni -> n\n0 n\nn -> c\nSe u = 1\n0 m\nu -> m\n"
                  "for k in 1..4 {\n  X1 s[k]\n  R r[k] = 1\n  m -> s[k] -> r[k]\n}\n"
                  "switch s[1] off, on when e(c) > 1\nswitch s[2] off, on when e(c) >= 1\n"
                  "switch s[3] off, on when t > 2\nswitch s[4] off, on when t >= 2\n")) {
        rig_to(&r, 3);
        TEST_TEXT("1111", rig_mode(&r));
        for (int i = 1; i < r.nevents; i++) {
            double level = rig_at(&r, i)->t < 1.5 ? 1 : 2;
            CU_ASSERT(rig_at(&r, i)->t >= level * (1 - 1e-13));
            CLOSE_REL(rig_at(&r, i)->t, level, 1e-13);
        }
        CU_ASSERT(r.nevents <= 5);
    }
    rig_clear(&r);
}

/* A clock's level is reached exactly. */
static void a_clock_of_events_is_exact(void)
{
    rig r;
    if (start(&r, "model clock\nSe u = 1\nX1 s\nR r = 1\nu -> s -> r\n"
                  "switch s off, on when t >= 0.3\n")) {
        rig_to(&r, 0.3);
        TEST_TEXT("1", rig_mode(&r));
        CU_ASSERT_EQUAL(rig_at(&r, 1)->t, 0.3);
    }
    rig_clear(&r);
}

/* ---- the three readings -------------------------------------------------------------------- */

/* A flywheel is stopped dead. What asks for the speed after the change sees it at once, and the
 * mode is mythical; what asks for the speed before sees it when the change is done: a pinnacle. */
static void prior_values_make_pinnacles(void)
{
    rig r;
    if (start(&r, "model brake\nI J = 2, f0 = 3\nX1 v\nv -> J\nX1 a\nX1 b\nSe u = 1\n0 n\n"
                  "R ra = 1\nR rb = 1\nu -> n\nn -> a -> ra\nn -> b -> rb\n"
                  "switch v on, off at 1\n"
                  "switch a off, on when f(v) < 1\nswitch b off, on when prior(f(v)) < 1\n")) {
        rig_to(&r, 2);
        CU_ASSERT_EQUAL(r.nevents, 2);
        TEST_TEXT("011", rig_at(&r, 1)->to);
        TEST_TEXT("mythical 000, pinnacle 010", rig_at(&r, 1)->via);
        CLOSE_REL(rig_at(&r, 1)->lost, 9, 1e-14);
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* Two flywheels of 100 and 20 on their way to 52; the clutch slips when the first has come down
 * to 60. */
static void jumps_may_be_cut_short(void)
{
    rig r;
    if (start(&r, "model slip\nI J1 = 2, f0 = 100\nI J2 = 3, f0 = 20\n1 motor\n1 wheel\nX0 c\n"
                  "motor -> J1\nin: motor -> c\nc -> wheel -> J2\n"
                  "automaton c {\nopen off initial\nclosed on\nslipped off\n"
                  "open -> closed when t >= 1\nclosed -> slipped when within(f(J1)) < 60\n}\n")) {
        rig_to(&r, 2);
        TEST_TEXT("0", rig_mode(&r));
        CLOSE_REL(rig_state(&r, "J1"), 120, 1e-12);
        CLOSE_REL(rig_state(&r, "J2"), 140, 1e-12);
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* ---- sliding ------------------------------------------------------------------------------- */

/* A heater without hysteresis holds its level while it can. With V = 3 − t the level 1 is held by
 * RC charging from V or decaying to 0 as long as V > 1, until t = 2. */
static void switches_may_slide(void)
{
    rig r;
    if (start(&r, "model heater\nSe V = 3 - t\nR r = 1\nR leak = 1\nC c = 1\n0 n\nX1 s\n"
                  "V -> s -> n\ns -> r\nn -> c\nn -> leak\n"
                  "switch s on, off when e(c) > 1/2, on when e(c) < 1/2\n")) {
        rig_to(&r, 1.5);
        CLOSE_REL(rig_state(&r, "c"), 0.5L, 1e-9);
        CU_ASSERT(r.nevents < 50); /* some to and fro before it is recognised */
        CU_ASSERT_EQUAL(rig_at(&r, r.nevents - 1)->kind, JN_EVENT_SLIDING);
        /* with the switch on: c' = V − 2c, which no longer holds c = 1/2 when V < 1 */
        rig_to(&r, 2.5);
        long double h = 0.5L, v = 1; /* from t = 2: c' = 1 − h − 2c */
        long double c = (v - h) / 2 + 0.25L + (0.5L - v / 2 - 0.25L) * expl(-2 * h);
        CLOSE_REL(rig_state(&r, "c"), c, 1e-9);
        CU_ASSERT(r.nevents < 50);
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* n·T comes out an ulp early or late, the edges of the pulses do not: each period all the same begins
 * with the duty of the sample before, and takes the next one. */
static void a_sampler_and_a_pulse_meet(void)
{
    static const char text[] = "Se V = 1\nR r = 1\n1 l\nX1 s\nV -> s -> l -> r\n"
                               "discrete k = 1\ndiscrete u = 0\nautomaton sample {\n"
                               "a off initial\n"
                               "a -> a when t >= k*70u { u = k/1000; k = k + 1 }\n}\n"
                               "switch s pwm(70u, 1/4 + u)\noutput x = if(in(sample, a), k, 0)\n";
    rig r;
    int pulses = 0;
    CU_ASSERT_FATAL(rig_new(&r, text, NULL));
    rig_to(&r, 200.5 * 70e-6);
    for (int i = 1; i < r.nevents; i++) {
        const rig_event *e = &r.event[i];
        if (e->from[0] != '1' || e->to[0] != '0')
            continue;
        long double duty = 0.25L + (pulses > 0 ? (pulses - 1) / 1000.0L : 0);
        CLOSE(e->t, (pulses + duty) * 70e-6L, 1, 1e-15);
        pulses++;
    }
    CU_ASSERT_EQUAL(pulses, 201);
    rig_clear(&r);
}

/* A delay that is set anew in each period, counted from its beginning: one of some hundred such times is met only
 * where all that looks for it rounds alike. */
static void delays_are_met(void)
{
    static const char text[] =
        "C c = 1\nR r = 1\n1 l\nl -> c\nl -> r\ndiscrete d = 0.3\ndiscrete n = 1\n"
        "automaton clock {\na off initial\n"
        "a -> a when t >= n*10u { d = 0.42 + 0.01*sin(n); n = n + 1 }\n}\n"
        "automaton gate {\nlow off initial\nhigh on\n"
        "low -> high when t - (n - 1)*10u >= d*10u + 200n\n"
        "high -> low when t - (n - 1)*10u < d*10u + 200n\n}\noutput x = if(on(gate), n, 0)\n";
    rig r;
    int met = 0;
    CU_ASSERT_FATAL(rig_new(&r, text, NULL));
    rig_to(&r, 20e-3);
    for (int i = 1; i < r.nevents; i++) {
        const rig_event *e = &r.event[i];
        if (e->to[1] != '1' || e->from[1] != '0')
            continue;
        long double d = met ? 0.42L + 0.01L * sinl(met) : 0.3L;
        CLOSE(e->t, (met + d) * 10e-6L + 200e-9L, 1, 1e-16);
        met++;
    }
    CU_ASSERT_EQUAL(met, 2000);
    rig_clear(&r);
}

/* From exp(t) = 3 on both hold, and the switch is in neither of its states: said in either way of following the run. */
static void transitions_that_undo_each_other_are_seen(void)
{
    static const jn_method methods[] = {JN_METHOD_EXACT, JN_METHOD_RADAU};
    for (int i = 0; i < 2; i++) {
        rig r;
        CU_ASSERT_FATAL(rig_new(&r,
                                "C c = 1, e0 = 1\nR r = 1\n1 l\nl -> c\nl -> r\n"
                                "switch s off, on when t^2 > 0.5, off when exp(t) > 3\n"
                                "output x = if(on(s), 1, 0)\n",
                                &(jn_sim_options){.method = methods[i]}));
        CU_ASSERT_EQUAL(rig_try(&r, 3), JN_STOP_LOOP);
        CLOSE(r.stop.t, logl(3), 1, 1e-12);
        rig_clear(&r);
    }
}

void suite_sim_events(void)
{
    TEST_SUITE("sim_events");
    TEST_ADD(a_level_crossed_twice_is_two_events);
    TEST_ADD(two_frequencies_miss_no_event);
    TEST_ADD(combined_conditions_are_located);
    TEST_ADD(a_condition_may_be_written_in_many_ways);
    TEST_ADD(a_run_may_start_on_a_level);
    TEST_ADD(events_at_one_time_are_one);
    TEST_ADD(pulses_at_one_time_are_one_event);
    TEST_ADD(equal_times_are_one_instant);
    TEST_ADD(times_are_exact);
    TEST_ADD(phases_shift_pulses);
    TEST_ADD(a_duty_may_vary);
    TEST_ADD(a_duty_may_read_the_model);
    TEST_ADD(a_held_duty_counts_from_the_start);
    TEST_ADD(a_phase_may_read_the_model);
    TEST_ADD(switches_may_follow_others);
    TEST_ADD(what_nothing_determines_is_said);
    TEST_ADD(steps_that_switch_nothing_are_events);
    TEST_ADD(an_impulse_beside_a_loop_is_known);
    TEST_ADD(a_source_may_lose_its_value);
    TEST_ADD(advice_fits_the_reason);
    TEST_ADD(numbers_too_far_apart_are_named);
    TEST_ADD(what_is_no_number_stops_a_run);
    TEST_ADD(endless_switching_is_named);
    TEST_ADD(forbidden_modes_are_named);
    TEST_ADD(a_diode_lets_go_of_a_transistor);
    TEST_ADD(diodes_commutate_by_themselves);
    TEST_ADD(commutation_may_overlap);
    TEST_ADD(a_bridge_commutates_with_overlap);
    TEST_ADD(a_source_jumps_onto_a_diode);
    TEST_ADD(sources_that_never_differ_decide_nothing);
    TEST_ADD(detachable_sources_let_go);
    TEST_ADD(bounces_that_accumulate_come_to_rest);
    TEST_ADD(equalities_fire_where_they_hold);
    TEST_ADD(a_level_that_is_only_reached_counts);
    TEST_ADD(a_clock_of_events_is_exact);
    TEST_ADD(prior_values_make_pinnacles);
    TEST_ADD(jumps_may_be_cut_short);
    TEST_ADD(switches_may_slide);
    TEST_ADD(a_sampler_and_a_pulse_meet);
    TEST_ADD(delays_are_met);
    TEST_ADD(transitions_that_undo_each_other_are_seen);
}
