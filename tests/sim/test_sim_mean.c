/* test_sim_mean.c: what is read while a run slides is the mean of both sides.
 *
 * A relay feeds a capacitor (1 F) through 1 Ω from 4 V while it is below 2 V; a leak of 2.5 Ω and a
 * load of t/10 A empty it. From v = 2 on the relay is ON for a share of the time, at 2 A:
 *
 *     i = 0.8 + t/10 = 2·share,   e·f of the resistor: 4·share = 2·i
 *
 * Every answer below follows from that; the slide begins at t0 with v(t0) = 2. */
#include <math.h>

#include "rig.h"

#define RELAY                                                                                      \
    "Se V = 4\nR r = 1\nC c = 1, e0 = 1.9\nR leak = 2.5\nSf w = -t/10\n1 in\n0 n\nX1 s\n"          \
    "V -> s -> in -> n -> c\nin -> r\nn -> leak\nw -> n\n"                                         \
    "switch s on, off when e(n) > 2, on when e(n) < 2\n"

static const jn_method methods[] = {JN_METHOD_AUTO, JN_METHOD_RADAU};
enum { METHODS = 2 };

static bool start(rig *r, const char *text, int k)
{
    bool ok = rig_new(r, text, &(jn_sim_options){.method = methods[k]});
    CU_ASSERT_TRUE(ok);
    return ok;
}

/* v = 4 − … : v' = 4 − 1.4 v − t/10, v(0) = 1.9, up to 2. */
static double begins(void)
{
    double near = 0, far = 0.2;
    for (int i = 0; i < 100; i++) {
        double t = 0.5 * (near + far), b = -0.1 / 1.4, a = (4 - b) / 1.4;
        *(a + b * t + (1.9 - a) * exp(-1.4 * t) < 2 ? &near : &far) = t;
    }
    return near;
}

static const rig_event *event_to(const rig *r, const char *words)
{
    for (int i = 0; i < r->nevents; i++)
        if (strstr(r->event[i].cause, words))
            return &r->event[i];
    return NULL;
}

/* ---- values -------------------------------------------------------------------------------- */

static void outputs_and_integrals_are_means(void)
{
    for (int k = 0; k < METHODS; k++) {
        rig r;
        if (start(&r,
                  RELAY "output i = f(r), q = int(f(r), 0), P = e(r)*f(r), W = int(e(r)*f(r), 0)\n"
                        "output g = if(on(s), 6, 0), h = if(e(n) < 2, 6, 0), m = abs(f(r) - 2)\n",
                  k)) {
            rig_to(&r, 1);
            double q = rig_output(&r, "q"), W = rig_output(&r, "W");
            rig_to(&r, 3);
            CLOSE_REL(rig_output(&r, "i"), 1.1L, 1e-10);
            CLOSE_REL(rig_output(&r, "P"), 2.2L, 1e-10);
            CLOSE_REL(rig_output(&r, "g"), 3.3L, 1e-10);
            CLOSE_REL(rig_output(&r, "h"), 3.3L, 1e-10);
            CLOSE_REL(rig_output(&r, "m"), 0.9L, 1e-10);
            CLOSE_REL(rig_output(&r, "q") - q, 2, 1e-9); /* 0.8·2 + (9 − 1)/20 */
            CLOSE_REL(rig_output(&r, "W") - W, 4, 1e-9);
        }
        rig_clear(&r);
    }
}

static void meters_read_means(void)
{
    for (int k = 0; k < METHODS; k++) {
        rig r;
        jn_meter *m;
        if (start(&r, RELAY "output P = e(r)*f(r)\n", k)) {
            rig_to(&r, 1);
            CU_ASSERT_EQUAL_FATAL(jn_sim_meter(&m, r.sim, r.graph->output[0].expr,
                                               JN_METER_INTEGRAL | JN_METER_RANGE),
                                  JN_OK);
            rig_to(&r, 3);
            jn_reading x = jn_sim_meter_read(r.sim, m);
            CLOSE_REL(x.integral, 4, 1e-9);
            CLOSE_REL(x.min, 1.8L, 1e-9);
            CLOSE_REL(x.max, 2.2L, 1e-9);
        }
        rig_clear(&r);
    }
}

/* ---- what acts on them --------------------------------------------------------------------- */

static void transitions_and_what_they_set_read_means(void)
{
    for (int k = 0; k < METHODS; k++) {
        rig r;
        if (start(&r,
                  RELAY "discrete y = 0\ndiscrete z = 0\n"
                        "automaton tick {\na off initial\nb on\na -> b when t > 2 { y = f(r) }\n}\n"
                        "automaton over {\na off initial\nb on\n"
                        "a -> b when f(r) > 1.05 and t > 1 { z = prior(f(r)) }\n}\n"
                        "automaton low {\na off initial\nb on\na -> b when f(r) < 0.5\n}\n"
                        "automaton late {\na off initial\nb on\na -> b when prior(f(r)) < 0.9\n}\n"
                        "output y = y, z = z\n",
                  k)) {
            rig_to(&r, 4);
            CLOSE_REL(rig_output(&r, "y"), 1, 1e-9);
            CLOSE_REL(rig_output(&r, "z"), 1.05L, 1e-9);
            CLOSE_REL(event_to(&r, "over b")->t, 2.5L, 1e-9);
            CU_ASSERT_PTR_NULL(event_to(&r, "low b")); /* 0 A on one side are no current */
            CLOSE_REL(event_to(&r, "late b")->t, begins(), 1e-9);
            CLOSE_REL(event_to(&r, "neither side")->t, begins(), 1e-9);
        }
        rig_clear(&r);
    }
}

/* One that slides may leave both of its states for a third. */
static void an_automaton_leaves_a_slide_by_another_condition(void)
{
    static const char *const leaves[] = {"f(r) > 1.05 and t > 1", "t > 2.5"};
    for (int k = 0; k < METHODS; k++)
        for (int l = 0; l < 2; l++) {
            rig r;
            char text[900];
            snprintf(text, sizeof text,
                     "Se V = 4\nR r = 1\nC c = 1, e0 = 1.9\nR leak = 2.5\nSf w = -t/10\n1 in\n0 n\n"
                     "X1 s\nV -> s -> in -> n -> c\nin -> r\nn -> leak\nw -> n\n"
                     "automaton s {\nfeeds on initial\nwaits off\ntired off\n"
                     "feeds -> waits when e(n) >= 2\nwaits -> feeds when e(n) < 2\n"
                     "%s -> tired when %s\n}\noutput v = e(n)\n",
                     l ? "waits" : "feeds", leaves[l]);
            if (start(&r, text, k)) {
                rig_to(&r, 3);
                CLOSE_REL(event_to(&r, "s tired")->t, 2.5L, 1e-9);
                /* v' = −v/2.5 − t/10 from 2 on */
                CLOSE_REL(rig_output(&r, "v"), 0.625L - 0.25L * 3 + 2 * expl(-0.2L), 1e-9);
            }
            rig_clear(&r);
        }
}

/* The duty of a modulation; one that follows the relay goes with it. */
static void duties_and_followers_go_with_the_slide(void)
{
    for (int k = 0; k < METHODS; k++) {
        rig r;
        if (start(
                &r,
                RELAY
                "switch p pwm(1/4, f(r)/2)\n"
                "automaton b {\na off initial\nb on\na -> b when on(s)\nb -> a when not on(s)\n}\n"
                "output on = int(if(on(p), 1, 0), 0), g = if(on(b), 1, 0)\n",
                k)) {
            rig_to(&r, 1);
            double before = rig_output(&r, "on"), sum = 0;
            rig_to(&r, 3);
            for (int n = 4; n < 12; n++)
                sum += 0.25 * 0.5 * (0.8 + 0.1 * 0.25 * n);
            CLOSE_REL(rig_output(&r, "on") - before, sum, 1e-9);
            CLOSE_REL(rig_output(&r, "g"), 0.55L, 1e-9);
        }
        rig_clear(&r);
    }
}

/* A current of 2 A that flows for a share of the time is none above 1.5; nor is v ever above 2. */
static void claims_are_judged_on_means(void)
{
    for (int k = 0; k < METHODS; k++) {
        rig r;
        if (start(&r, RELAY "assert e(n) <= 2 \"level\"\nassert t < 0.1 or f(r) < 1.5 \"mean\"\n",
                  k))
            rig_to(&r, 4);
        rig_clear(&r);
        if (start(&r, RELAY "assert t < 0.1 or f(r) < 1.05 \"mean\"\n", k)) {
            CU_ASSERT_EQUAL(rig_try(&r, 4), JN_STOP_ASSERT);
            CLOSE_REL(r.stop.t, 2.5L, 1e-9);
        }
        rig_clear(&r);
    }
}

/* i rises to 2 and is switched off there: it never is above. */
static void a_claim_at_its_own_event_is_not_judged_by_rounding(void)
{
    for (int k = 0; k < METHODS; k++) {
        rig r;
        if (start(
                &r,
                "Se V = if(on(s), 7/3, 0)\nI L = 3/10\nR r = 1/7\n1 j\nV -> j -> L\nj -> r\n"
                "automaton s {\na on initial\nb off\na -> b when f(L) > 2\n"
                "b -> a when f(L) < 1\n}\nassert f(L) <= 2 \"above\"\nassert f(L) >= 0 \"below\"\n",
                k))
            rig_to(&r, 3);
        rig_clear(&r);
    }
}

/* ---- instants ------------------------------------------------------------------------------ */

typedef struct {
    int before, events;
} told;

static void note_before(void *ctx)
{
    ((told *)ctx)->before++;
}

static void note_event(const jn_event *e, void *ctx)
{
    ((told *)ctx)->events += e->kind != JN_EVENT_START;
}

static void count(told *n, const char *text, jn_method method, double to)
{
    jn_arena *arena = jn_arena_new();
    jn_diags *d = jn_diags_new();
    jn_graph *g;
    jn_sim *s = NULL;
    jn_stopped stop;
    *n = (told){0};
    jn_sim_options o = {
        .method = method, .before_event = note_before, .on_event = note_event, .ctx = n};
    const jn_source *source = jn_source_of(arena, "test.hbg", text, strlen(text));
    CU_ASSERT_EQUAL_FATAL(jn_graph_read(&g, source, d), JN_OK);
    CU_ASSERT_EQUAL(jn_sim_new(&s, g, &o, d), JN_OK);
    if (s)
        CU_ASSERT_EQUAL(jn_sim_advance(s, to, &stop), JN_OK);
    jn_sim_free(s);
    jn_graph_free(g);
    jn_diags_free(d);
    jn_arena_free(arena);
}

/* Kinks of sources, and a slide's start, make no rows but those of the slide itself. */
static void a_slide_is_one_event_whatever_sources_do(void)
{
    for (int k = 0; k < METHODS; k++) {
        told n;
        count(&n, RELAY "Sf k = abs(t - 1)/20 + max(0, t - 2)/30 + if(t < 3, 0, 1/50)\nk -> n\n",
              methods[k], 4);
        CU_ASSERT_EQUAL(n.events, 1);
        CU_ASSERT_EQUAL(n.before, 1);
        count(&n,
              "Se F = 3/10 + abs(t - 1)/20\nI m = 1, f0 = 1\nR b : e = sign(f)\n1 v\nF -> v -> m\n"
              "v -> b\n",
              methods[k], 4);
        CU_ASSERT_EQUAL(n.events, 1); /* comes to rest */
        CU_ASSERT_EQUAL(n.before, 1);
    }
}

/* At rest from the start it holds what pulls. */
static void friction_at_rest_balances_from_the_start(void)
{
    for (int k = 0; k < METHODS; k++) {
        rig r;
        if (start(&r,
                  "Se F = 3/10 + t\nI m = 1\nR b : e = sign(f)\n1 v\nF -> v -> m\nv -> b\n"
                  "output e = e(b), v = f(m)\n",
                  k)) {
            CLOSE_REL(rig_output(&r, "e"), 0.3L, 1e-12);
            rig_to(&r, 0.5);
            CLOSE_REL(rig_output(&r, "e"), 0.8L, 1e-9);
            rig_to(&r, 1.7); /* it slips from 0.7 on */
            CLOSE_REL(rig_output(&r, "v"), 0.5L, 1e-8);
        }
        rig_clear(&r);
    }
}

/* A step of a reference moves the surface away: the slide is over, and begins on the new one. */
static void a_reference_that_steps_takes_the_slide_along(void)
{
    for (int k = 0; k < METHODS; k++) {
        rig r;
        if (start(&r,
                  "discrete ref = 2\nSe V = 4\nR r = 1\nC c = 1, e0 = 2\nR leak = 2.5\n1 in\n0 "
                  "n\nX1 s\n"
                  "V -> s -> in -> n -> c\nin -> r\nn -> leak\n"
                  "switch s on, off when e(n) > ref, on when e(n) < ref\n"
                  "automaton step {\na off initial\nb on\na -> b when t >= 1 { ref = 1 }\n}\n"
                  "output v = e(n), i = f(r)\n",
                  k)) {
            rig_to(&r, 0.9);
            CLOSE_REL(rig_output(&r, "i"), 0.8L, 1e-9);
            rig_to(&r, 2); /* v = 2·exp(−(t − 1)/2.5) */
            CLOSE_REL(rig_output(&r, "v"), 2 * expl(-0.4L), 1e-9);
            CLOSE(rig_output(&r, "i"), 0, 1, 1e-12);
            rig_to(&r, 4);
            CLOSE_REL(rig_output(&r, "v"), 1, 1e-9);
            CLOSE_REL(rig_output(&r, "i"), 0.4L, 1e-9);
        }
        rig_clear(&r);
    }
}

/* Elsewhere something jumps: two capacitors are joined, and the slide goes on. */
static void a_jump_elsewhere_does_not_end_a_slide(void)
{
    for (int k = 0; k < METHODS; k++) {
        rig r;
        if (start(
                &r,
                RELAY
                "C a = 1, e0 = 10\nC b = 3, e0 = 2\n0 na\n0 nb\nX1 j\nna -> a\nna -> j -> nb -> b\n"
                "switch j off, on at 1.5\noutput i = f(r), va = e(a)\n",
                k)) {
            rig_to(&r, 3);
            CLOSE_REL(rig_output(&r, "va"), 4, 1e-10);
            CLOSE_REL(rig_output(&r, "i"), 1.1L, 1e-9);
            CU_ASSERT_EQUAL(r.nevents, 3);
            CLOSE_REL(rig_at(&r, 2)->lost, 24, 1e-9); /* ½·¾·8² */
        }
        rig_clear(&r);
    }
}

/* A ball bounces beside it, from 1 m with a restitution of 0.7, and comes to rest. */
static void events_accumulate_beside_a_slide(void)
{
    for (int k = 0; k < METHODS; k++) {
        rig r;
        if (start(&r,
                  RELAY "Se w2 = -981/100\nSf u = -7/10*prior(f(v))\nI m = 1\n1 v\nX0 k\n"
                        "w2 -> v -> m\nu -> k -> v\nsignal h = int(f(v), 1)\n"
                        "switch k off, on when h <= 0 and f(v) < 0, off when prior(f(v)) > 0\n"
                        "output i = f(r), h = h\n",
                  k)) {
            rig_to(&r, 3);
            CLOSE_REL(rig_output(&r, "i"), 1.1L, 1e-9);
            CLOSE(rig_output(&r, "h"), 0, 1, 1e-9);
            CLOSE_REL(event_to(&r, "accumulate")->t, 2.558633966L, 1e-8);
        }
        rig_clear(&r);
    }
}

/* ---- steps --------------------------------------------------------------------------------- */

/* e = floor(f) under 2.75: f rises to 3, and stays there with a mean of 2.75. */
static void the_edge_of_a_step_is_slid_on(void)
{
    for (int k = 0; k < METHODS; k++) {
        rig r;
        if (start(&r,
                  "Se V = 11/4 + max(0, t - 4)/8\nI m = 1\nR b : e = floor(f)\n1 v\nV -> v -> m\nv "
                  "-> b\n"
                  "output f = f(m), e = e(b), n = floor(f(b)), q = int(e(b), 0)\n",
                  k)) {
            rig_to(&r, 3);
            double q = rig_output(&r, "q");
            CLOSE_REL(rig_output(&r, "f"), 3, 1e-10);
            CLOSE_REL(rig_output(&r, "e"), 2.75L, 1e-10);
            CLOSE_REL(rig_output(&r, "n"), 2.75L, 1e-10);
            rig_to(&r, 4);
            CLOSE_REL(rig_output(&r, "q") - q, 2.75L, 1e-9);
            CU_ASSERT_EQUAL(r.nevents, 2);
            CLOSE_REL(rig_at(&r, 1)->t, 1 / 2.75L + 1 / 1.75L + 1 / 0.75L, 1e-9);
            rig_to(&r, 8); /* from t = 6 on it rises again, by (t − 6)²/16 */
            CLOSE_REL(rig_output(&r, "f"), 3.25L, 1e-8);
        }
        rig_clear(&r);
    }
}

/* A controller that goes up in steps: u = 4 − floor(8·f)/2 + t/10 against 1/2·f: at f = 1 its level
 * is 7 + t/5 on the mean until that is 8. */
static void a_staircase_controller_slides(void)
{
    for (int k = 0; k < METHODS; k++) {
        rig r;
        if (start(
                &r,
                "Se V = 4 - floor(8*f(m))/2 + t/10\nI m = 1\nR b = 1/2\n1 v\nV -> v -> m\nv -> b\n"
                "output f = f(m), u = e(V), n = floor(8*f(m))\n",
                k)) {
            rig_to(&r, 4);
            CLOSE_REL(rig_output(&r, "f"), 1, 1e-10);
            CLOSE_REL(rig_output(&r, "u"), 0.5L, 1e-10);
            CLOSE_REL(rig_output(&r, "n"), 7.8L, 1e-10);
            rig_to(&r, 5.5);
            CU_ASSERT(rig_output(&r, "f") > 1.001);
            CLOSE_REL(rig_at(&r, r.nevents - 1)->t, 5, 1e-9);
        }
        rig_clear(&r);
    }
}

/* ---- frictions that are on their kink when a brake is asked --------------------------------- */

#define BLOCKS "I a = 1\nI b = 1\n1 u\n1 v\nX0 grip\nu -> a\nu -> grip -> v\nswitch grip brake(2)\n"
#define ON_FLOOR                                                                                   \
    BLOCKS "Se pull = 2*t\nX1 floor\npull -> v -> floor -> b\nR s : e = %s\nv -> s\n"              \
           "R k : e = %s\n0 j\nu -> j -> v\nj -> k\nswitch floor brake(5)\n"

/* Two blocks, one on the other; the lower one is pulled by 2t and held up to 5, the grip holds up to 2:
 * what the floor bears at rest is not known before it moves. Both speeds at t = 5, by hand. */
static void a_brake_waits_for_what_frictions_bear(void)
{
    static const struct {
        const char *floor, *rub;
        double upper, lower;
    } cases[] = {{"4*sign(f)", "0.5*sign(f)", 2.375, 6.375}, {"5*sign(f)", "2*sign(f)", 3, 3.25}};
    for (int i = 0; i < 2 * METHODS; i++) {
        char text[1000];
        rig r;
        snprintf(text, sizeof text, ON_FLOOR, cases[i / 2].floor, cases[i / 2].rub);
        if (start(&r, text, i % 2)) {
            rig_to(&r, 5);
            CLOSE_REL(jn_sim_state(r.sim)[0], cases[i / 2].upper, 1e-9);
            CLOSE_REL(jn_sim_state(r.sim)[1], cases[i / 2].lower, 1e-9);
        }
        rig_clear(&r);
    }
}

/* (5 − 4)/2 for both: the grip carries 1/2, however the friction is read before anything moves. */
static void a_brake_holds_from_the_start(void)
{
    for (int k = 0; k < METHODS; k++) {
        rig r;
        if (start(&r, BLOCKS "Se pull = 5\npull -> v -> b\nR s : e = 4*sign(f)\nv -> s\n", k)) {
            rig_to(&r, 5);
            CLOSE_REL(jn_sim_state(r.sim)[0], 2.5L, 1e-9);
            CLOSE_REL(jn_sim_state(r.sim)[1], 2.5L, 1e-9);
        }
        rig_clear(&r);
    }
}

void suite_sim_mean(void)
{
    TEST_SUITE("sim_mean");
    TEST_ADD(outputs_and_integrals_are_means);
    TEST_ADD(meters_read_means);
    TEST_ADD(transitions_and_what_they_set_read_means);
    TEST_ADD(an_automaton_leaves_a_slide_by_another_condition);
    TEST_ADD(duties_and_followers_go_with_the_slide);
    TEST_ADD(claims_are_judged_on_means);
    TEST_ADD(a_claim_at_its_own_event_is_not_judged_by_rounding);
    TEST_ADD(a_slide_is_one_event_whatever_sources_do);
    TEST_ADD(friction_at_rest_balances_from_the_start);
    TEST_ADD(a_reference_that_steps_takes_the_slide_along);
    TEST_ADD(a_jump_elsewhere_does_not_end_a_slide);
    TEST_ADD(events_accumulate_beside_a_slide);
    TEST_ADD(the_edge_of_a_step_is_slid_on);
    TEST_ADD(a_staircase_controller_slides);
    TEST_ADD(a_brake_waits_for_what_frictions_bear);
    TEST_ADD(a_brake_holds_from_the_start);
}
