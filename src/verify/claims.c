/* claims.c: what may be taken for granted (bound), and what is claimed (assert). */
#include "question.h"

/* ---- bounds -------------------------------------------------------------------------------- */

/* The source whose own value a bound is about; −1: it is about something else. */
static int bounded_source(const question *q, const jn_bound *b)
{
    for (int k = 0; k < q->g->nsources; k++) {
        const jn_element *x = &q->g->element[q->g->source[k]];
        if (b->x->op == (x->kind == JN_SE ? JN_X_EFFORT : JN_X_FLOW) && b->x->index == x->bond[0])
            return k;
    }
    return -1;
}

/* A source that does not read the model and whose value is bounded may be anything within. */
void jni_find_free_sources(question *q)
{
    q->is_free = jni_room(q, (size_t)q->g->nsources + 1);
    for (int i = 0; i < q->g->nbounds; i++) {
        int k = bounded_source(q, &q->g->bound[i]);
        const jn_expr *e = k < 0 ? NULL : q->g->element[q->g->source[k]].input;
        if (e && !jni_expr_reads_model(q, e))
            q->is_free[k] = true;
    }
}

/* low ≤ x ≤ high, and so it stays a hair away: slow says where it goes; NULL: nowhere. */
static void keep_within(question *q, const jn_bound *b, const view *v, term x, term slow)
{
    const jn_expr *end[2] = {b->low, b->high};
    logic *l = q->l;
    for (int i = 0; i < 2; i++) {
        if (!end[i])
            continue;
        value of = jni_value_of(v, end[i]);
        term at = jni_finite(v, &of), zero = jni_zero(l);
        jni_assert(l, jni_not(l, i ? jni_less(l, at, x) : jni_less(l, x, at)));
        if (slow)
            jni_assert(
                l, jni_implies(l, jni_equal(l, at, x),
                               jni_not(l, i ? jni_less(l, zero, slow) : jni_less(l, slow, zero))));
    }
}

void jni_bounds_of(const view *v)
{
    question *q = v->q;
    for (int i = 0; i < q->g->nbounds; i++) {
        const jn_bound *b = &q->g->bound[i];
        value x = jni_value_of(v, b->x);
        keep_within(q, b, v, jni_finite(v, &x), v->slow ? jni_finite_slow(v, &x) : NULL);
    }
}

void jni_bounds_of_inputs(question *q, term *input, term *slow)
{
    view nowhere = {.q = q, .fresh = jni_false(q->l)};
    for (int i = 0; i < q->g->nbounds; i++) {
        int k = bounded_source(q, &q->g->bound[i]);
        if (k >= 0 && q->is_free[k])
            keep_within(q, &q->g->bound[i], &nowhere, input[k], slow ? slow[k] : NULL);
    }
}

/* ---- asserts ------------------------------------------------------------------------------- */

/* Whether a law that is not linear leaves values open that only a run finds. */
static bool has_bent_laws(const jn_graph *g)
{
    for (int i = 0; i < g->nelements; i++)
        if (g->element[i].nonlinear)
            return true;
    return false;
}

/* Whether the claim fails in a mode that lasts, at a moment with which it ends, or begins: where it lasts no time at all it
 * does not count. What was found is refuted. */
static answer fails_while(session *s, jn_finding *f, const jn_assert *claim, phase when)
{
    session own = {.o = s->o, .v = s->v, .replayer = s->replayer};
    question *q = own.q = jni_question_new(s->q->j, s->until, NEAR);
    if (!q)
        return LOGIC_UNKNOWN;
    q->folder = s->q->folder;
    view *v = jni_lasting_while(q, when), now = jni_going_nowhere(v);
    if (jni_expr_reads_model(q, claim->condition))
        jni_assert(q->l, jni_guard_term(q, q->allowed, v->lambda));
    jni_assert(q->l, jni_not(q->l, jni_truth_of(&now, claim->condition).yes));
    answer a = jni_ask_true(q);
    if (a == LOGIC_YES)
        jni_refute_lasting(f, &own, v, !jni_expr_reads_model(q, claim->condition));
    jni_question_free(q);
    return a;
}

static void refute(session *s, jn_finding *f, const jn_assert *claim)
{
    answer a = fails_while(s, f, claim, PHASE_AFTER);
    if (a == LOGIC_NO)
        a = fails_while(s, f, claim, PHASE_BEFORE);
    if (a == LOGIC_NO)
        f->verdict = JN_PROVED;
    else if (a == LOGIC_UNKNOWN)
        jni_open(f, s);
    if (f->verdict == JN_REFUTED && f->witness)
        jni_witness_note_values(f->witness, s->replayer, claim->condition);
}

/* Claims about switches alone are held against every pattern that lasts or that the clock makes, also
 * where sources are in conflict; those about values need a mode that has some. */
static void ask(session *s, jn_finding *f, const view *v, const jn_assert *claim)
{
    question *q = s->q;
    logic *l = q->l;
    jni_push(l);
    int before = q->vague_values;
    bool reads = jni_expr_reads_model(q, claim->condition);
    truth holds = jni_truth_of(v, claim->condition);
    bool is_vague = q->vague_values > before || (reads && has_bent_laws(q->g));
    if (reads)
        jni_assert(l, jni_guard_term(q, q->allowed, v->lambda));
    jni_assert(l, jni_not(l, holds.yes));
    answer a = jni_ask_true(q);
    f->place = claim->place;
    if (a == LOGIC_YES && is_vague) {
        f->verdict = JN_OPEN;
        f->why =
            jni_text("%s", q->nvague ? q->vague[q->nvague - 1].why : "what it reads is not linear");
    } else if (a == LOGIC_YES)
        refute(s, f, claim);
    else if (a == LOGIC_NO)
        f->verdict = JN_PROVED;
    else
        jni_open(f, s);
    jni_pop(l);
}

void jni_verify_asserts(session *s)
{
    question *q = s->q;
    s->v->nasserts = q->g->nasserts;
    s->v->assertion = jn_alloc((size_t)q->g->nasserts * sizeof *s->v->assertion);
    if (!q->g->nasserts)
        return;
    jni_push(q->l);
    view *v = jni_lasting(q);
    for (int i = 0; i < q->g->nasserts; i++)
        ask(s, &s->v->assertion[i], v, &q->g->assertion[i]);
    jni_pop(q->l);
}
