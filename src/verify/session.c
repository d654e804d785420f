/* session.c: a model as a question of some kind, with a run in which its answers are tried. */
#include <stdlib.h>

#include "question.h"

/* ---- the question -------------------------------------------------------------------------- */

static bool any_not_true(const jn_guard *g, int n)
{
    for (int i = 0; i < n; i++)
        if (!jn_guard_is_true(g[i]))
            return true;
    return false;
}

static bool any_not_false(const jn_guard *g, int n)
{
    for (int i = 0; i < n; i++)
        if (!jn_guard_is_false(g[i]))
            return true;
    return false;
}

/* Positive storages and resistors have a solution in every mode; others may not. */
static void find_partial(question *q)
{
    const jn_graph *g = q->g;
    for (int i = 0; i < g->nelements && !q->partial; i++) {
        const jn_element *x = &g->element[i];
        jn_ratfun c = x->kind == JN_I || x->kind == JN_C || x->kind == JN_R
                          ? jni_known_number(q, x->value)
                          : (jn_ratfun){-1};
        bool reads =
            x->input && jni_expr_reads_model(q, x->input) && !jni_expr_reads_only_past(q, x->input);
        if (reads)
            q->partial = jni_text("the source '%s' reads the model: some mode may have no solution",
                                  x->name);
        else if (c.id >= 0 && jn_ratfun_get_d(g->field, c) < 0)
            q->partial = jni_text("'%s' is negative: some mode may have no solution", x->name);
        if (q->partial)
            q->partial_at = x->place;
    }
}

question *jni_question_new(const jn_junction *j, double until, kind_of_question kind)
{
    const jn_graph *g = j->graph;
    question *q = jn_alloc(sizeof *q);
    q->g = g;
    q->j = j;
    q->l = jni_logic_new(until);
    q->is_near = kind == NEAR;
    q->is_first = kind == FIRST;
    q->is_within = kind == WITHIN;
    if (!q->l) {
        free(q);
        return NULL;
    }
    q->arena = jn_arena_new();
    q->jumps = any_not_true(j->integral, g->nstorages);
    q->t = jni_real(q->l);
    q->early = jni_true(q->l);
    jni_assert(q->l, jni_not(q->l, jni_less(q->l, q->t, jni_zero(q->l))));
    jni_find_free_sources(q);
    jni_find_agreeing(q);
    q->conflicts = !jn_guard_is_true(q->allowed);
    q->floats = any_not_false(j->undetermined, g->nbonds) || !jn_guard_is_false(q->agreed);
    find_partial(q);
    q->wave_rate = jni_terms(q, g->nsources);
    q->turning = jni_terms(q, g->nsources);
    jni_meet_waves(q);
    return q;
}

void jni_question_free(question *q)
{
    if (!q)
        return;
    jni_logic_free(q->l);
    jn_arena_free(q->arena);
    free(q->times);
    free(q->circle);
    free(q->hair);
    free(q->waiting);
    free(q->vague);
    free(q->partial);
    free(q);
}

/* ---- sessions ------------------------------------------------------------------------------ */

void jni_session_end(session *s)
{
    jni_unrolled_free(s->u);
    jni_question_free(s->q);
}

jn_status jni_session_begin(session *s, const jn_junction *j, kind_of_question kind, replayer **run,
                            jn_diags *d)
{
    jn_status st = JN_OK;
    s->q = jni_question_new(j, s->until, kind);
    if (!s->q) {
        jn_diag_add(d, JN_D_NO_SOLVER, (jn_place){0});
        return JN_UNABLE;
    }
    s->q->folder = s->o->folder;
    if (!*run)
        st = jni_replayer_new(run, j->graph, s->o->folder, d);
    s->replayer = *run;
    if (st == JN_OK)
        s->u = jni_unroll(s->q, jni_replayer_sim(*run));
    return st;
}
