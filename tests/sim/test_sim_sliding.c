/* test_sim_sliding.c: relays without hysteresis, and jumps that are cut short.
 *
 * A relay charges a capacitor (1 F, through 1 Ω, with a leak of 1 Ω) while it is below 3 V. At 3 V
 * both modes point at the threshold, and Filippov's solution stays on it: the charging current is
 * on the mean what the leak takes. */
#include <math.h>

#include "junct.h"
#include "testing.h"

typedef struct {
    jn_arena *arena;
    jn_diags *diags;
    jn_graph *graph;
    jn_sim *sim;
    const jn_probe *output[4];
    int nslides;
    double slide_t[8];
} run;

static void note_event(const jn_event *e, void *ctx)
{
    run *r = ctx;
    if (e->kind == JN_EVENT_SLIDING && r->nslides < 8)
        r->slide_t[r->nslides++] = e->t;
}

static bool start(run *r, const char *text)
{
    *r = (run){.arena = jn_arena_new(), .diags = jn_diags_new()};
    jn_sim_options o = {.on_event = note_event, .ctx = r};
    const jn_source *source = jn_source_of(r->arena, "test.hbg", text, strlen(text));
    bool ok = jn_graph_read(&r->graph, source, r->diags) == JN_OK &&
              jn_sim_new(&r->sim, r->graph, &o, r->diags) == JN_OK;
    for (int i = 0; ok && i < r->graph->noutputs; i++)
        ok = jn_sim_probe(&r->output[i], r->sim, r->graph->output[i].expr) == JN_OK;
    CU_ASSERT_TRUE(ok);
    return ok;
}

static void stop(run *r)
{
    jn_sim_free(r->sim);
    jn_graph_free(r->graph);
    jn_diags_free(r->diags);
    jn_arena_free(r->arena);
}

static double value_at(run *r, int output, double t)
{
    jn_stopped why;
    CU_ASSERT_EQUAL(jn_sim_advance(r->sim, t, &why), JN_OK);
    return output < 0 ? 0 : jn_sim_value(r->sim, r->output[output]);
}

static void check_ledger(run *r)
{
    jn_ledger l = jn_sim_ledger(r->sim);
    double residue = l.supplied - l.stored - l.dissipated - l.lost;
    CU_ASSERT(fabs(residue) <= 1e-9 * l.moved);
}

#define RELAY(source)                                                                              \
    "Se V = " source "\nC c = 1\nR r = 1\nR leak = 1\n0 n\n1 feed\nX1 s\n"                         \
    "V -> s -> feed -> n -> c\nfeed -> r\nn -> leak\n"                                             \
    "switch s on, off when e(n) > 3, on when e(n) < 3\n"                                           \
    "output v = e(n), i = f(feed)\n"

static void a_relay_slides_along_its_threshold(void)
{
    run r;
    if (start(&r, RELAY("10"))) {
        /* v = 5(1 − exp(−2t)) up to 3 */
        double reached = 0.5 * log(2.5);
        for (int k = 1; k <= 20; k++) {
            double t = reached + 0.05 * k;
            CU_ASSERT_DOUBLE_EQUAL(value_at(&r, 0, t), 3, 1e-9);
            CU_ASSERT_DOUBLE_EQUAL(jn_sim_value(r.sim, r.output[1]), 3, 1e-9);
        }
        CU_ASSERT_EQUAL(r.nslides, 1);
        CU_ASSERT_DOUBLE_EQUAL(r.slide_t[0], reached, 1e-9);
        /* the mean power of the source: 10 V for 3/7 of the time at 7 A */
        jn_ledger before = jn_sim_ledger(r.sim);
        value_at(&r, 0, jn_sim_time(r.sim) + 1);
        CU_ASSERT_DOUBLE_EQUAL(jn_sim_ledger(r.sim).supplied - before.supplied, 30, 1e-8);
        check_ledger(&r);
    }
    stop(&r);
}

/* A relay that does nothing but choose a source's value: i = 3/2·(1 − exp(−2t)) up to 1, and then 4 of
 * its 6 V on the mean. */
static void a_relay_may_move_a_source_alone(void)
{
    static const char *const law[] = {"e = 4*f", "e = 4*f + 0*f^3"};
    for (int i = 0; i < 2; i++) {
        run r;
        char text[400];
        snprintf(text, sizeof text,
                 "Se V = if(on(s), 6, 0)\nI L = 2\nR r : %s\n1 loop\nV -> loop -> L\nloop -> r\n"
                 "switch s on, off when f(L) > 1, on when f(L) < 1\noutput i = f(L), u = e(V)\n",
                 law[i]);
        if (start(&r, text)) {
            CU_ASSERT_DOUBLE_EQUAL(value_at(&r, 0, 0.25), 1.5 * (1 - exp(-0.5)), 1e-9);
            CU_ASSERT_DOUBLE_EQUAL(value_at(&r, 0, 2), 1, 1e-9);
            CU_ASSERT_DOUBLE_EQUAL(value_at(&r, 1, 3), 4, 1e-8);
            CU_ASSERT_EQUAL(r.nslides, 1);
            CU_ASSERT_DOUBLE_EQUAL(r.slide_t[0], 0.5 * log(3), 1e-9);
            check_ledger(&r);
        }
        stop(&r);
    }
}

/* Dry friction of 1 under 1.2·sin t: it holds until sin t = 1/1.2, however far one looks ahead. */
static void a_slide_ends_where_its_share_does(void)
{
    run r;
    if (start(&r, "Se F = 6/5*sin(t)\nI m = 1\nR b : e = sign(f)\n1 v\nF -> v -> m\nv -> b\n")) {
        value_at(&r, -1, 20);
        CU_ASSERT(r.nslides > 4);
        for (int k = 0; k < 2; k++) { /* what begins again at a stop lies between */
            bool seen = false;
            for (int i = 0; i < r.nslides; i++)
                seen |= fabs(r.slide_t[i] - asin(1 / 1.2) - JN_PI * k) < 1e-9;
            CU_ASSERT_TRUE(seen);
        }
    }
    stop(&r);
}

/* A pull that comes and goes as ±2/(1 + 25·(t − 1)²) has a peak that no series of few terms follows to
 * rounding: friction of 1 holds it until it is ±1, at t = 4/5, to the last digits. Until then friction
 * bears all of it. */
static void a_slide_ends_to_rounding_at_either_bound(void)
{
    static const char *const pull[] = {"2", "-2"};
    for (int i = 0; i < 2; i++) {
        run r;
        char text[200];
        snprintf(text, sizeof text,
                 "Se F = %s/(1 + 25*(t - 1)^2)\nI m = 1\nR b : e = sign(f)\n1 v\nF -> v -> m\n"
                 "v -> b\noutput e = e(b)\n",
                 pull[i]);
        if (start(&r, text)) {
            jn_meter *m;
            jn_status status = jn_sim_meter(&m, r.sim, r.graph->output[0].expr, JN_METER_INTEGRAL);
            CU_ASSERT_EQUAL(status, JN_OK);
            CU_ASSERT_DOUBLE_EQUAL(value_at(&r, 0, 0.6), i ? -0.4 : 0.4, 1e-12);
            value_at(&r, -1, 0.9);
            CU_ASSERT_EQUAL(r.nslides, 2);
            CU_ASSERT_DOUBLE_EQUAL(r.slide_t[1], 0.8, 1e-14);
            /* ∫F = 2/5·arctan(5·(t − 1)) up to 4/5, then 1 to 9/10; integrated to 1e-11 */
            double held = 0.4 * (atan(5) - atan(1)) + 0.1;
            CU_ASSERT_DOUBLE_EQUAL(jn_sim_meter_read(r.sim, m).integral, i ? -held : held, 1e-11);
        }
        stop(&r);
    }
}

/* The series of a share is off by 1e-10 there: its end is sharpened, whichever bound it leaves by. */
static void ends_of_slides_are_sharpened(void)
{
    static const struct {
        const char *pull;
        double end;
    } each[] = {{"2/(1 + 100/9*(t - 1)^2)", 0.7}, {"2*exp(-25*(t - 1)^2)", 0.8334890777684605}};
    for (size_t i = 0; i < 2 * sizeof each / sizeof *each; i++) {
        run r;
        char text[200];
        snprintf(text, sizeof text,
                 "Se F = %s%s\nI m = 1\nR b : e = sign(f)\n1 v\nF -> v -> m\nv -> b\n",
                 i % 2 ? "-" : "", each[i / 2].pull);
        if (start(&r, text)) {
            value_at(&r, -1, 0.999);
            CU_ASSERT_EQUAL(r.nslides, 2);
            CU_ASSERT_DOUBLE_EQUAL(r.slide_t[1], each[i / 2].end, 1e-12);
        }
        stop(&r);
    }
}

static void a_slide_ends_when_one_side_lets_go(void)
{
    run r;
    if (start(&r, RELAY("20*exp(-t)"))) {
        /* it slides while 20·exp(−t) − 3 > 3; then v' = 20·exp(−t) − 2v again */
        double ends = log(20.0 / 6);
        CU_ASSERT_DOUBLE_EQUAL(value_at(&r, 0, 1), 3, 1e-9);
        double v = value_at(&r, 0, 2);
        CU_ASSERT_DOUBLE_EQUAL(v, 20 * exp(-2) - 3 * exp(2 * (ends - 2)), 1e-8);
        CU_ASSERT_EQUAL(r.nslides, 2);
        CU_ASSERT_DOUBLE_EQUAL(r.slide_t[1], ends, 1e-7);
        CU_ASSERT_EQUAL(jn_sim_mode(r.sim)[0], 1);
        check_ledger(&r);
    }
    stop(&r);
}

/* It would change for ever; what counts its changes counts the slide as one of them, and e stays at 3. With a
 * condition that reads the count there is no such mean. */
static void a_slide_counts_once(void)
{
#define COUNTING(more, load)                                                                       \
    "discrete n = 0\nSe V = 10\nR r = 1\nC c = 1\n" load "1 line\nX1 s\n0 a\nV -> line -> r\n"     \
    "line -> s -> a -> c\na -> loss\nautomaton s {\nclosed on initial\nopen off\n"                 \
    "closed -> open when e(c) > 3" more " { n = n + 1 }\n"                                         \
    "open -> closed when e(c) < 3 { n = n + 1 }\n}\noutput n = n, e = e(c)\n"
    run r;
    if (start(&r, COUNTING("", "R loss = 1\n"))) {
        CU_ASSERT_DOUBLE_EQUAL(value_at(&r, 0, 2), 1, 0);
        CU_ASSERT_DOUBLE_EQUAL(jn_sim_value(r.sim, r.output[1]), 3, 1e-12);
    }
    stop(&r);
    if (start(&r, COUNTING("", "R loss : f = e + 0*e^3\n"))) {
        CU_ASSERT_DOUBLE_EQUAL(value_at(&r, 0, 2), 1, 0);
        CU_ASSERT_DOUBLE_EQUAL(jn_sim_value(r.sim, r.output[1]), 3, 1e-10);
    }
    stop(&r);
    if (start(&r, COUNTING(" and n < 1000000", "R loss = 1\n"))) {
        jn_stopped why;
        CU_ASSERT_EQUAL(jn_sim_advance(r.sim, 2, &why), JN_UNABLE);
    }
    stop(&r);
}

/* Joined, the speeds 4 and 0 would meet at 2; the coupling tears when the second reaches 1. */
static void a_jump_stops_where_within_holds(void)
{
    run r;
    if (start(&r, "I a = 1, f0 = 4\nI b = 1\n1 ja\n1 jb\nX0 c\nja -> a\nja -> c -> jb -> b\n"
                  "automaton c {\nopen off initial\nclosed on\ntorn off\n"
                  "open -> closed when t >= 1\nclosed -> torn when within(f(b)) >= 1\n}\n"
                  "output va = f(a), vb = f(b)\n")) {
        CU_ASSERT_DOUBLE_EQUAL(value_at(&r, 0, 2), 3, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(jn_sim_value(r.sim, r.output[1]), 1, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(jn_sim_ledger(r.sim).lost, 3, 1e-12);
        CU_ASSERT_EQUAL(jn_sim_mode(r.sim)[0], 0);
    }
    stop(&r);
}

void suite_sim_sliding(void)
{
    TEST_SUITE("sim_sliding");
    TEST_ADD(a_relay_slides_along_its_threshold);
    TEST_ADD(a_relay_may_move_a_source_alone);
    TEST_ADD(a_slide_ends_where_its_share_does);
    TEST_ADD(a_slide_ends_to_rounding_at_either_bound);
    TEST_ADD(ends_of_slides_are_sharpened);
    TEST_ADD(a_slide_ends_when_one_side_lets_go);
    TEST_ADD(a_slide_counts_once);
    TEST_ADD(a_jump_stops_where_within_holds);
}
