/* test_sim_api.c: driving a run from a program: sequences, inputs, events one by one, callbacks. */
#include "beside.h"

#include <math.h>

static bool start(rig *r, const char *text)
{
    bool made = rig_new(r, text, NULL);
    CU_ASSERT(made);
    return made;
}

static const char two_sources[] =
    "model two\nSe V = 12\nSe G = 0\nI L = 1\nR r = 1\n0 n\n1 coil\nX1 s\nX1 d\n"
    "V -> s -> n\nG -> d -> n\nn -> coil -> L\ncoil -> r\n";

static void sequences_are_played(void)
{
    static const double times[] = {0, 0.5, 1.25};
    static const jn_onoff modes[] = {0, 1, 1, 0, 0, 1};
    char text[500];
    rig r;
    snprintf(text, sizeof text, "%sswitch s pwm(1/100, 1/2)\nswitch d off, on when e(n) < 0\n",
             two_sources);
    jn_sim_options o = {.nsequence = 3, .sequence_t = times, .sequence_mode = modes};
    bool made = rig_new(&r, text, &o);
    CU_ASSERT(made);
    if (made) {
        TEST_TEXT("01", rig_mode(&r));
        rig_to(&r, 1);
        TEST_TEXT("10", rig_mode(&r));
        CLOSE_REL(rig_state(&r, "L"), 12 * -expm1l(-0.5L), 1e-13);
        rig_to(&r, 2);
        CU_ASSERT_EQUAL(r.nevents, 3);
        CU_ASSERT_EQUAL(rig_at(&r, 1)->t, 0.5);
        CU_ASSERT_EQUAL(rig_at(&r, 2)->t, 1.25);
        CLOSE_REL(rig_state(&r, "L"), 12 * -expm1l(-0.75L) * expl(-0.75L), 1e-13);
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* A forbidden mode in it is refused at the start, or ends the run where it would begin. */
static void forbidden_modes_end_a_sequence(void)
{
    static const double times[] = {0, 0.5};
    static const jn_onoff modes[] = {0, 1, 1, 1};
    rig r;
    jn_sim_options o = {.nsequence = 2, .sequence_t = times, .sequence_mode = modes};
    if (rig_new(&r, two_sources, &o)) {
        CU_ASSERT_EQUAL(rig_try(&r, 1), JN_STOP_FORBIDDEN);
        CU_ASSERT_EQUAL(r.stop.t, 0.5);
    } else {
        CU_ASSERT_EQUAL(r.status, JN_INVALID);
        CU_ASSERT(jn_diags_errors(r.diags) > 0);
    }
    rig_clear(&r);
}

static void inputs_can_be_set(void)
{
    rig r;
    if (start(&r, "model rc\nSe V = 5\nR r = 1\nC c = 1\n1 loop\nX1 s\nR q = 1\nSe u = 1\n"
                  "V -> loop -> r\nloop -> c\nu -> s -> q\nswitch s off, on when e(V) < 0\n")) {
        rig_to(&r, 1);
        jn_status status = jn_sim_set_input(r.sim, 0, -2, &r.stop);
        CU_ASSERT_EQUAL(status, JN_OK);
        long double v = 5 * -expm1l(-1);
        CLOSE_REL(rig_state(&r, "c"), v, 1e-13);
        TEST_TEXT("1", rig_mode(&r)); /* the switch has seen it at once */
        CU_ASSERT_EQUAL(rig_at(&r, r.nevents - 1)->t, 1);
        rig_to(&r, 2.5);
        CLOSE_REL(rig_state(&r, "c"), -2 + (v + 2) * expl(-1.5L), 1e-12);
        LEDGER(&r);
    }
    rig_clear(&r);
}

static void a_run_can_stop_at_events(void)
{
    rig r;
    if (start(&r, "model clock\nSe u = 1\nI m = 1\nX1 s\nu -> s -> m\n"
                  "switch s on, off at 1, on at 2\n")) {
        double expected[] = {1, 2, 5};
        for (int i = 0; i < 3; i++) {
            jn_stopped stop = {0};
            jn_status status = jn_sim_advance_event(r.sim, 5, &stop);
            CU_ASSERT_EQUAL(status, JN_OK);
            CU_ASSERT_EQUAL(stop.why, i < 2 ? JN_STOP_EVENT : JN_STOP_NONE);
            CU_ASSERT_EQUAL(jn_sim_time(r.sim), expected[i]);
        }
        CLOSE_REL(rig_state(&r, "m"), 3, 1e-14);
        CU_ASSERT_EQUAL(jn_sim_events(r.sim), 2);
        CU_ASSERT_EQUAL(jn_sim_modes_seen(r.sim), 2);
        rig_to(&r, 5); /* nothing more to do */
        CU_ASSERT_EQUAL(r.nevents, 3);
    }
    rig_clear(&r);
}

/* ---- the two sides of an event ------------------------------------------------------------- */

typedef struct {
    jn_sim *sim;
    const jn_probe *probe;
    double before, after, at;
} sides;

static void see_before(void *context)
{
    sides *s = context;
    s->before = jn_sim_value(s->sim, s->probe);
    s->at = jn_sim_time(s->sim);
}

static void see_after(const jn_event *e, void *context)
{
    sides *s = context;
    if (e->kind != JN_EVENT_START)
        s->after = jn_sim_value(s->sim, s->probe);
}

/* Runs to 2 and keeps the model's first output on either side of the last event. */
static sides run_sides(const char *text)
{
    jn_arena *arena = jn_arena_new();
    jn_diags *diags = jn_diags_new();
    jn_graph *g = NULL;
    sides s = {0};
    jn_stopped stop;
    jn_sim_options o = {.before_event = see_before, .on_event = see_after, .ctx = &s};
    bool good = jn_graph_read(&g, jn_source_of(arena, "m", text, strlen(text)), diags) == JN_OK &&
                jn_sim_new(&s.sim, g, &o, diags) == JN_OK &&
                jn_sim_probe(&s.probe, s.sim, g->output[0].expr) == JN_OK &&
                jn_sim_advance(s.sim, 2, &stop) == JN_OK;
    CU_ASSERT(good);
    jn_sim_free(s.sim);
    jn_graph_free(g);
    jn_diags_free(diags);
    jn_arena_free(arena);
    return s;
}

static void both_sides_of_an_event_are_read(void)
{
    sides s = run_sides("model join\nC C1 = 1, e0 = 10\nC C2 = 3, e0 = 2\n0 a\n0 b\nX1 s\n"
                        "a -> C1\na -> s -> b -> C2\nswitch s off, on at 1\noutput a = e(a)\n");
    CU_ASSERT_EQUAL(s.at, 1);
    CLOSE_REL(s.before, 10, 1e-14);
    CLOSE_REL(s.after, 4, 1e-14);
}

/* What the condition asks for holds where it is reported. */
static void events_are_on_the_far_side(void)
{
    sides s = run_sides("model rc\nSe V = 1\nR r = 1\nC c = 1\nX1 s\nV -> s -> r\ns -> c\n"
                        "switch s on, off when e(c) > 1/3\noutput v = e(c)\n");
    CLOSE_REL(s.at, logl(1.5L), 1e-13);
    CU_ASSERT(s.before > 1 / 3.0L);
    CLOSE_REL(s.before, 1 / 3.0L, 1e-13);
    s = run_sides("model rc\nR r = 1\nC c = 1, q0 = 1\nX1 s\ns -> r\ns -> c\n"
                  "switch s on, off when e(c) < 1/3\noutput v = e(c)\n");
    CLOSE_REL(s.at, logl(3), 1e-13);
    CU_ASSERT(s.before < 1 / 3.0L);
    CLOSE_REL(s.before, 1 / 3.0L, 1e-13);
}

/* ---- reading by text ----------------------------------------------------------------------- */

static const char tank[] =
    "model tank\nparam k = 3\nSe V = 12\nR r = 2\nI L = 4\nC c = 1, e0 = 5\n1 loop\n"
    "X1 s\nV -> s -> loop -> r\nout: loop -> c\nloop -> L\nswitch s on, off at 9\n"
    "signal power = e(V)*f(V)\ndiscrete n = 4\noutput p2 = 2*power\n";

static double read_text(rig *r, const char *text)
{
    const jn_probe *p = NULL;
    jn_status status = jn_sim_probe_text(&p, r->sim, text, r->diags);
    CU_ASSERT_EQUAL(status, JN_OK);
    return status == JN_OK ? jn_sim_value(r->sim, p) : NAN;
}

static void values_are_read_by_text(void)
{
    rig r;
    if (start(&r, tank)) {
        rig_to(&r, 1);
        double i = rig_state(&r, "L") / 4, v = rig_state(&r, "c");
        CLOSE_REL(read_text(&r, "e(c) - 2*f(L)"), v - 2 * i, 1e-14);
        CLOSE_REL(read_text(&r, "p2"), 24 * i, 1e-14);
        CLOSE_REL(read_text(&r, "power/12 + k + n"), i + 7, 1e-14);
        CLOSE_REL(read_text(&r, "  e(out) "), v, 1e-14);
        CLOSE_REL(read_text(&r, "1 mV*f(r)"), 1e-3L * i, 1e-14);
        CLOSE_REL(read_text(&r, "if(on(s) and t > 0.5, sqrt(e(c)), -1)"), sqrt(v), 1e-14);
        CU_ASSERT_EQUAL(jn_diags_errors(r.diags), 0);
    }
    rig_clear(&r);
}

static void wrong_texts_are_explained(void)
{
    static const struct {
        const char *text, *slug;
    } wrong[] = {{"e(d) + 1", "name-unknown"},
                 {"e(c) >", "expected"},
                 {"e(c) e(c)", "expected"},
                 {"", "expected"},
                 {"e(c) > 1", "value-expected"},
                 {"int(e(c))", "expression-adds"},
                 {"table(\"a.csv\", \"x\")", "expression-adds"},
                 {"p(c)", "variable-kind"},
                 {"foo(1)", "function-unknown"},
                 {"in(s, ajar)", "state-unknown"},
                 {"e(c)\nf(c)", "expected"},
                 {"within(e(c))", "reading-outside"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        rig r;
        const jn_probe *p;
        if (start(&r, tank)) {
            jn_status status = jn_sim_probe_text(&p, r.sim, wrong[i].text, r.diags);
            CU_ASSERT_EQUAL(status, JN_INVALID);
            if (!rig_has_error(&r, wrong[i].slug))
                printf("\n'%s' has not said %s\n", wrong[i].text, wrong[i].slug);
            CU_ASSERT(rig_has_error(&r, wrong[i].slug));
            CU_ASSERT_EQUAL(r.graph->nintegrals, 0);
        }
        rig_clear(&r);
    }
}

/* L f' = V − r f − v, v' = f; with the switch off p stays 0. */
static void matrices_of_the_mode_are_given(void)
{
    static const double on[] = {-2 / 4.0, -1, 1 / 4.0, 0};
    rig r;
    jn_mode_numbers m;
    if (start(&r, tank)) {
        CU_ASSERT_EQUAL_FATAL(jn_sim_matrices(&m, r.sim, NULL, r.diags), JN_OK);
        CU_ASSERT_EQUAL(m.status, JN_MODE_OK);
        CU_ASSERT(m.n == 2 && m.ninputs == 1);
        for (int i = 0; i < 4; i++) {
            CU_ASSERT_EQUAL(m.A[i], on[i]);
            CU_ASSERT_EQUAL(m.E[i], i % 3 == 0);
        }
        CU_ASSERT(m.B[0] == 1 && m.B[1] == 0);
        jn_mode_numbers_clear(&m);
        jn_onoff off[] = {0};
        CU_ASSERT_EQUAL_FATAL(jn_sim_matrices(&m, r.sim, off, r.diags), JN_OK);
        CU_ASSERT(m.E[0] == 0 && m.A[0] == -1 / 4.0 && m.B[0] == 0);
        jn_mode_numbers_clear(&m);
    }
    rig_clear(&r);
    if (start(&r, "model m\nSe u = 1\nR r : e = f^3\nI m = 1\n1 n\nu -> n -> r\nn -> m\n")) {
        CU_ASSERT_EQUAL(jn_sim_matrices(&m, r.sim, NULL, r.diags), JN_INVALID);
        CU_ASSERT(rig_has_error(&r, "value-missing"));
    }
    rig_clear(&r);
}

/* ---- the controller of examples/api -------------------------------------------------------- */

/* The same converter and controller, step by step: transistor, diode and neither are three sets of two
 * equations, followed by the method of Runge and Kutta. */
typedef struct {
    long double i, v, V, wanted, integral, duty;
} closed_loop;

static void buck_rates(long double *di, long double *dv, const closed_loop *b, long double i,
                       long double v, bool on)
{
    bool blocked = !on && b->i <= 0;
    *di = blocked ? 0 : ((on ? b->V : 0) - v) / 100e-6L;
    *dv = ((blocked ? 0 : i) - v / 2) / 100e-6L;
}

static void buck_follow(closed_loop *b, long double time, bool on)
{
    enum { STEPS = 1000 };
    static const long double at[] = {0, 0.5L, 0.5L, 1}, weight[] = {1, 2, 2, 1};
    long double h = time / STEPS;
    for (int n = 0; n < STEPS; n++) {
        long double di = 0, dv = 0, sum_i = 0, sum_v = 0;
        for (int k = 0; k < 4; k++) {
            buck_rates(&di, &dv, b, b->i + at[k] * h * di, b->v + at[k] * h * dv, on);
            sum_i += weight[k] * di;
            sum_v += weight[k] * dv;
        }
        b->i += h / 6 * sum_i;
        b->v += h / 6 * sum_v;
        b->i = b->i < 0 ? 0 : b->i; /* the diode */
    }
}

static void buck_periods(closed_loop *b, int n)
{
    const long double period = 20e-6L;
    for (int k = 0; k < n; k++) {
        long double error = b->wanted - b->i;
        b->duty = 0.05L * error + b->integral;
        if (b->duty >= 0 && b->duty <= 1)
            b->integral += 0.01L * error;
        b->duty = b->duty < 0 ? 0 : b->duty > 1 ? 1 : b->duty;
        buck_follow(b, b->duty * period, true);
        buck_follow(b, (1 - b->duty) * period, false);
    }
}

static void check_line(char **at, const closed_loop *b, const char *end)
{
    double t, i, v, duty;
    char rest[40] = "";
    *at = strstr(*at, "t = ");
    CU_ASSERT_PTR_NOT_NULL_FATAL(*at);
    int found = sscanf(*at, "t = %lf ms  i = %lf A  v = %lf V  duty = %lf%39[^\n]", &t, &i, &v,
                       &duty, rest);
    CU_ASSERT_FATAL(found >= 4);
    TEST_TEXT(end, rest);
    CLOSE(i, b->i, 1, 1e-6);
    CLOSE(v, b->v, 1, 1e-6);
    CLOSE(duty, b->duty, 1, 1e-6);
    ++*at;
}

static void a_controller_in_c_closes_the_loop(void)
{
    char *text = test_read_file("examples/api/controller.c"), *at = strstr(text, "It prints");
    closed_loop b = {.V = 24, .wanted = 5};
    for (int k = 0; k < 10; k++) {
        if (k == 5) {
            closed_loop other = b;
            other.wanted = 8;
            buck_periods(&other, 100);
            check_line(&at, &other, "  with 8 A");
            b.V = 30;
        }
        buck_periods(&b, 20);
        check_line(&at, &b, "");
    }
    free(text);
}

/* Rates of 1e23 beside 1 and charges of 1e28: the run changes to the integrator, which finds no
 * point there. What has stopped so has no values, and may be asked for them. */
static void a_run_that_stops_as_it_changes_engines_has_no_values(void)
{
    static const char text[] =
        "model m\nX1 a\n0 n\na -> n\nR r4 = 1e-3\na -> r4\nR r5 = 4\na -> r5\n"
        "R r6 = if(on(a) and not on(a), 0, 1)\nn -> r6\nR r7 = 1e-3\na -> r7\nC c = 1e-20\n"
        "n -> c\nI i = 1e-3, p0 = 123456789012345678901234567890/7, priority 6\na -> i\n"
        "R r8 = 1\na -> r8\nC d(x, y) = [2; 1/8, 1], q0 = [1, 123456789012345678901234567890/7]\n"
        "n -> d.x\na -> d.y\nX1 gate\nC store = 1e-3\nn -> gate -> store\n"
        "switch a on, off at 1/3\nswitch gate on\noutput y = e(r4)\n";
    rig r;
    if (!start(&r, text))
        return;
    CU_ASSERT_NOT_EQUAL(rig_try(&r, 1), JN_STOP_NONE);
    CU_ASSERT(isnan(rig_output(&r, "y")));
    CU_ASSERT(isfinite(jn_sim_residue(r.sim)));
    rig_clear(&r);
}

/* ---- where there is no run, or none any more ------------------------------------------------ */

/* At the start the diode beside the exponential one is tried at rest; whoever is told what was before that
 * would look at a run that is not there yet. The run may begin or not. */
static void start_the_diodes(const void *context)
{
    static const char text[] =
        "J4 -> j4\nj2 -> R2\nSf J4 = 2*abs(sin(0.5*t+2))\n1 j7\nswitch D8 diode\n"
        "R xdD9 : f = 1e-9*(exp(e/0.05)-1)\nR R2 = 20\n0 n2\nR R1 : f = e/20 + 0.05*e*abs(e)\n"
        "n3 -> j2\nR rV3 = 2\n1 D9\nn2 -> D9\n1 j2\nn2 -> D8\nn2 -> j3\n0 n3\n"
        "Se V3 = 3.3*abs(sin(3*t+1))\nj3 -> rV3\nj7 -> n2\nV3 -> j3\nD8 -> n3\n1 j3\nn2 -> j1\n"
        "j4 -> n2\n1 j4\n1 j1\nD9 -> xdD9\nj1 -> R1\nj7 -> L7\nI L7 = 2, f0 = 1\nn3 -> j4\nX1 D8\n";
    rig r;
    (void)context;
    if (rig_new(&r, text, NULL))
        CU_ASSERT(isfinite(rig_state(&r, "L7")));
    rig_clear(&r);
}

static void nobody_is_told_before_there_is_a_run(void)
{
    CU_ASSERT(beside_passes(start_the_diodes, NULL, 20));
}

/* The impacts accumulate while the friction holds: the slide is over when no mode is found to go on in. */
static void end_a_slide_at_a_limit(const void *context)
{
    static const char text[] =
        "1 v2\nI m2 : f = p/0.3 + 0.01*p^3, p0 = -0.15\nv2 -> m2\nsignal x2 = int(f(m2), 0)\n"
        "Se F2 = 1 - 2*x2\nF2 -> v2\n1 v3\nI m3 = 0.3, f0 = 0\nv3 -> m3\nsignal x3 = int(f(m3), "
        "0)\n"
        "R q3 : e = 0.2*f*abs(f)\nv3 -> q3\nX0 r2\nv3 -> r2\nSf rb2 = -0.6*prior(f(m3))\nr2 -> "
        "rb2\n"
        "switch r2 off, on when x3 > 0.2 and f(m3) > 0, off when prior(f(m3)) < 0\n0 j4\nv3 -> j4\n"
        "j4 -> v2\nR C4 : e = 1*sign(f)\nj4 -> C4\n";
    rig r;
    (void)context;
    if (start(&r, text)) {
        rig_try(&r, 4);
        CU_ASSERT(fabs(jn_sim_residue(r.sim)) < 1e-9);
    }
    rig_clear(&r);
}

static void what_stops_beyond_a_slide_is_read(void)
{
    CU_ASSERT(beside_passes(end_a_slide_at_a_limit, NULL, 20));
}

void suite_sim_api(void)
{
    TEST_SUITE("sim_api");
    TEST_ADD(sequences_are_played);
    TEST_ADD(forbidden_modes_end_a_sequence);
    TEST_ADD(inputs_can_be_set);
    TEST_ADD(a_run_can_stop_at_events);
    TEST_ADD(both_sides_of_an_event_are_read);
    TEST_ADD(events_are_on_the_far_side);
    TEST_ADD(values_are_read_by_text);
    TEST_ADD(wrong_texts_are_explained);
    TEST_ADD(matrices_of_the_mode_are_given);
    TEST_ADD(a_controller_in_c_closes_the_loop);
    TEST_ADD(a_run_that_stops_as_it_changes_engines_has_no_values);
    TEST_ADD(nobody_is_told_before_there_is_a_run);
    TEST_ADD(what_stops_beyond_a_slide_is_read);
}
