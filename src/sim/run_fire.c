/* run_fire.c: which transitions fire in a candidate, and what they set.
 *
 * Every automaton takes its transition, all together. What has just moved does not move on by rounding: the
 * current of a diode that turns on begins at zero, on one side or the other. The same states of the automata with
 * the same x_s twice, and the same of them moved by then, are a loop without end. */
#include <stdlib.h>

#include "instant.h"
#include "slide.h"

/* Whether only rounding leaves a condition of what has just moved undecided. */
static bool is_vague(instant *i, const jn_expr *when)
{
    int rank;
    bool fresh = i->here.fresh;
    i->here.fresh = false;
    bool decided = fresh && jni_truth(&i->here, when, &rank) != UNKNOWN;
    i->here.fresh = fresh;
    return decided;
}

/* Whether a transition need not be asked: it waits until prior values are this candidate's, or it said
 * no before they were, and does not read them. */
static bool is_passed_over(const instant *i, int k, int transition, bool renewed)
{
    int past = i->s->watch.past[k][transition];
    return renewed ? i->firing.is_asked && past == READS_NO_PAST : past == READS_ONLY_PAST;
}

const jn_transition *jni_instant_fires(instant *i, int k, int state, int not_to, bool renewed,
                                       int *rank)
{
    const jn_automaton *a = &i->s->model.g->automaton[k];
    const jn_transition *best = NULL;
    i->here.fresh = i->firing.fresh[k];
    for (int l = 0; l < a->ntransitions; l++) {
        const jn_transition *t = &a->transition[l];
        int decided;
        if (t->from != state || t->to == not_to || (t->to == t->from && i->firing.once[k]) ||
            is_passed_over(i, k, l, renewed))
            continue;
        verdict holds = jni_truth_somewhere(&i->here, t->when, YES, &decided);
        if (holds == UNKNOWN && !is_vague(i, t->when)) {
            i->firing.unknown = t;
            i->firing.unknown_at = k;
        }
        if (holds == YES && (!best || decided < *rank) && !jni_instant_waits(i, t->when)) {
            best = t;
            *rank = decided;
        }
    }
    i->here.fresh = false;
    return best;
}

/* All values are read before any of them is set. */
static void set_discretes(instant *i)
{
    const jn_graph *g = i->s->model.g;
    double *value = jni_doubles(i->s->model.nd);
    bool *is_set = jn_alloc((size_t)i->s->model.nd * sizeof *is_set);
    for (int k = 0; k < g->nswitches; k++)
        for (int l = 0; i->firing.due[k] && l < i->firing.due[k]->nsets; l++) {
            const jn_set *one = &i->firing.due[k]->set[l];
            value[one->discrete] = jni_evaluate(&i->here, one->value);
            is_set[one->discrete] = true;
        }
    for (int d = 0; d < i->s->model.nd; d++)
        if (is_set[d]) {
            i->seen.version += i->discrete[d] != value[d];
            i->discrete[d] = value[d];
        }
    free(value);
    free(is_set);
}

bool jni_instant_fire(instant *i, bool renewed)
{
    const jn_graph *g = i->s->model.g;
    int best = PARTS;
    i->firing.unknown = NULL;
    if (i->s->o.nsequence || (renewed && i->firing.is_asked && !i->s->watch.has.past))
        return false;
    for (int k = 0; k < g->nswitches; k++) {
        int rank = PARTS;
        i->firing.due[k] = i->slide ? jni_slide_fires(i, k, renewed, &rank)
                                    : jni_instant_fires(i, k, i->state[k], -1, renewed, &rank);
        if (i->firing.due[k] && rank < best)
            best = rank;
        i->firing.rank[k] = rank;
    }
    if (best == PARTS)
        return false;
    for (int k = 0; k < g->nswitches && !renewed; k++)
        if (i->firing.rank[k] != best)
            i->firing.due[k] = NULL;
    if (i->s->model.nd)
        set_discretes(i);
    for (int k = 0; k < g->nswitches; k++) {
        if (!i->firing.due[k])
            continue;
        i->firing.once[k] |= i->firing.due[k]->to == i->firing.due[k]->from;
        i->state[k] = i->firing.due[k]->to;
        i->firing.fresh[k] = true;
        jni_log_fired(i, k, i->firing.due[k]);
    }
    i->seen.changes++;
    return true;
}

/* ---- the loop that never ends -------------------------------------------------------------- */

/* The states of the automata, and whether each has moved: one that has may do otherwise. */
static void describe(int *e, const instant *i)
{
    int n = i->s->model.g->nswitches;
    for (int k = 0; k < n; k++)
        e[k] = 2 * i->state[k] + i->firing.fresh[k];
    e[n] = i->seen.version;
}

bool jni_instant_seen(instant *i)
{
    int n = i->s->model.g->nswitches, width = n + 1;
    if (i->seen.n == i->seen.cap) {
        i->seen.cap = i->seen.cap ? 2 * i->seen.cap : 8;
        i->seen.item =
            jn_realloc(i->seen.item, (size_t)i->seen.cap * (size_t)width * sizeof *i->seen.item);
    }
    int *e = i->seen.item + (size_t)i->seen.n * (size_t)width;
    describe(e, i);
    for (int k = 0; k < i->seen.n; k++)
        if (jni_same_ints(e, i->seen.item + (size_t)k * (size_t)width, width))
            return true;
    i->seen.n++;
    return false;
}
