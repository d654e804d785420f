/* test_verify_lost.c: what was not asked to its end, and what the solver lost, is nobody's proof. */
#include "bench_of_proofs.h"
#include "verify/question.h"

static const jn_verify_options usual = {.seconds = 60};

/* ---- one session --------------------------------------------------------------------------- */

typedef struct {
    proof_rig r;
    jn_verification v;
    replayer *run;
    session s;
} session_rig;

static void session_new(session_rig *t, const char *text, kind_of_question kind)
{
    jn_junction_options numeric = {.numeric = true};
    *t = (session_rig){0};
    proof_read(&t->r, text);
    CU_ASSERT_EQUAL_FATAL(jn_junction_build_with(&t->r.junction, t->r.graph, &numeric, t->r.diags),
                          JN_OK);
    t->s = (session){.o = &usual, .v = &t->v};
    CU_ASSERT_EQUAL_FATAL(jni_session_begin(&t->s, t->r.junction, kind, &t->run, t->r.diags),
                          JN_OK);
}

static void finding_clear(jn_finding *f)
{
    jn_witness_free(f->witness);
    free(f->why);
}

static void session_clear(session_rig *t)
{
    finding_clear(&t->v.settling);
    finding_clear(&t->v.dead_ends);
    jni_session_end(&t->s);
    jni_replayer_free(t->run);
    proof_clear(&t->r);
}

/* ---- the time is up ------------------------------------------------------------------------ */

/* b closes onto a in the model's first instant, after one change: where the time is up before that is asked, there is no
 * dead end so far, and no proof that there is none. */
static void a_time_out_proves_no_dead_ends(void)
{
    static const char text[] =
        "model m\nSe V = 1\nSe W = 2\n0 n\nR q = 1\nX1 a\nX1 b\nV -> a -> n\nW -> b -> n\nn -> q\n"
        "switch a on, off at 2\nswitch b off, on when on(a), off at 1\n";
    session_rig t;
    for (int is_late = 0; is_late < 2; is_late++) {
        session_new(&t, text, FIRST);
        if (is_late)
            jni_logic_hurry(t.s.q->l, 0);
        jni_verify_settling(&t.s);
        CU_ASSERT_EQUAL(t.v.dead_ends.verdict, is_late ? JN_OPEN : JN_REFUTED);
        CU_ASSERT_EQUAL(t.v.settling.verdict, is_late ? JN_OPEN : JN_PROVED);
        CU_ASSERT_EQUAL(t.s.is_complete, !is_late);
        session_clear(&t);
    }
}

/* ---- a solution that is lost --------------------------------------------------------------- */

/* Between the answer and what makes it hold the solver is stopped. All numbers are 0 then, and a run from there
 * ends, as it should: nothing but the loss itself tells that this is no state in which the claim fails. */
static void a_lost_state_refutes_no_claim(void)
{
    static const char text[] = "model m\nSe V = 1\nC c = 1\nR r = 1\n1 i\nX1 s\nV -> s -> i -> c\n"
                               "i -> r\nswitch s off, on at 1\nassert q(c) <= 1\n";
    session_rig t;
    for (int is_lost = 0; is_lost < 2; is_lost++) {
        jn_finding f = {0};
        session_new(&t, text, WIDE);
        logic *l = t.s.q->l;
        view *v = jni_lasting(t.s.q);
        truth holds = jni_truth_of(v, t.r.graph->assertion[0].condition);
        jni_assert(l, jni_not(l, holds.yes));
        CU_ASSERT_EQUAL_FATAL(jni_ask(l), LOGIC_YES);
        if (is_lost)
            jni_logic_interrupt(l);
        jni_refute_lasting(&f, &t.s, v, false);
        CU_ASSERT_EQUAL(f.verdict, is_lost ? JN_OPEN : JN_REFUTED);
        CU_ASSERT_EQUAL(f.witness == NULL, is_lost);
        CU_ASSERT_EQUAL(f.why != NULL, is_lost);
        finding_clear(&f);
        session_clear(&t);
    }
}

/* The same for an instant: from 0 a run takes no change at all, and ends. */
static void a_lost_instant_is_no_race(void)
{
    static const char text[] =
        "model m\nSe V = 1\nC c = 1\nR r = 1\n1 i\nX1 s\nV -> s -> i -> c\ni -> r\n"
        "switch s off, on when q(c) > 2, off when q(c) < -1\n";
    session_rig t;
    for (int is_lost = 0; is_lost < 2; is_lost++) {
        jn_finding f = {.verdict = JN_OPEN};
        session_new(&t, text, NEAR);
        jni_unroll_more(t.s.u);
        jni_unroll_more(t.s.u);
        CU_ASSERT_EQUAL_FATAL(jni_ask_at(&t.s, 1, t.s.u->pass[1]->settles), LOGIC_YES);
        if (is_lost)
            jni_logic_interrupt(t.s.q->l);
        jni_refute_told(&f, &t.s, 0, -1, ENDS);
        CU_ASSERT_EQUAL(f.verdict, is_lost ? JN_OPEN : JN_REFUTED);
        CU_ASSERT_EQUAL(f.witness == NULL, is_lost);
        CU_ASSERT_EQUAL(f.why != NULL, is_lost);
        finding_clear(&f);
        session_clear(&t);
    }
}

/* ---- what one question knows of another ---------------------------------------------------- */

/* The clock sets n to 0, then a goes to and fro until n is 3: no order of moves proves that, following them does, and the
 * exact question takes over from the wide one how many there are. Only the last candidate meets n = 3. */
static void the_last_change_is_followed(void)
{
    static const char text[] =
        "model m\nSe V = 1\nR q = 1\nX1 s\nV -> s -> q\nswitch s off, on at 1, off at 2\n"
        "discrete n = 3\nbound 0 <= n <= 3\n"
        "automaton r {\n  no off initial\n  yes on\n  no -> yes when on(s) { n = 0 }\n"
        "  yes -> no when not on(s)\n}\n"
        "automaton a {\n  x off initial\n  y on\n  x -> y when n < 3 and on(r) { n = n + 1 }\n"
        "  y -> x when n < 3 and on(r) { n = n + 1 }\n}\n";
    proof_rig r;
    proof_new(&r, text, &usual);
    CU_ASSERT_EQUAL(r.v->settling.verdict, JN_PROVED);
    CU_ASSERT_EQUAL(r.v->changes, 4);
    CU_ASSERT_EQUAL(r.v->changes_found, 4);
    CU_ASSERT(r.v->never_known);
    proof_clear(&r);
}

/* ---- beside instants that never end -------------------------------------------------------- */

/* For V between 54/5 and 11 the contact buzzes, and comes back with its third change. */
#define BUZZES                                                                                     \
    "model m\nSe V = 0\nR Ri = 2\nR load = 10\nR coil = 10\n0 n\n1 line\nX1 contact\n"             \
    "V -> line -> n\nline -> Ri\nn -> load\nn -> contact -> coil\nbound 0 <= e(V) <= 12\n"         \
    "switch contact off, on when e(n) > 9, off when e(n) < 7.8\nswitch s off, on at 1\n"

/* Both turn on with the clock, or only the first of them: after one change, and the instant has ended. */
static void short_instants_are_left_over(void)
{
    proof_rig r;
    proof_new(&r,
              BUZZES "switch a off, on when on(s) and not on(b), off when not on(s)\n"
                     "switch b off, on when on(s) and not on(a), off when not on(s)\n",
              &usual);
    CU_ASSERT_EQUAL(r.v->settling.verdict, JN_REFUTED);
    CU_ASSERT_EQUAL(r.v->races.verdict, JN_REFUTED);
    CU_ASSERT(r.v->never_known);
    proof_clear(&r);
}

/* After s come c, d and h, and then g closes onto f: a conflict after more changes than the contact needs to come back. */
static void long_instants_are_left_over(void)
{
    proof_rig r;
    proof_new(&r,
              BUZZES "Se U = 1\nSe W = 2\n0 m\nR q = 1\nX1 f\nX1 g\nU -> f -> m\nW -> g -> m\n"
                     "m -> q\nswitch f on\nswitch c off, on when on(s), off when not on(s)\n"
                     "switch d off, on when on(c), off when not on(c)\n"
                     "switch h off, on when on(d), off when not on(d)\n"
                     "switch g off, on when on(h), off when not on(h)\n",
              &usual);
    CU_ASSERT_EQUAL(r.v->settling.verdict, JN_REFUTED);
    CU_ASSERT_EQUAL(r.v->dead_ends.verdict, JN_REFUTED);
    proof_clear(&r);
}

void suite_verify_lost(void)
{
    TEST_SUITE("verify_lost");
    TEST_ADD(a_time_out_proves_no_dead_ends);
    TEST_ADD(a_lost_state_refutes_no_claim);
    TEST_ADD(a_lost_instant_is_no_race);
    TEST_ADD(the_last_change_is_followed);
    TEST_ADD(short_instants_are_left_over);
    TEST_ADD(long_instants_are_left_over);
}
