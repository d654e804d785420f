/* strokes.c: the causal strokes of all bonds, in all allowed modes at once.
 *
 * The ports' causalities are known; the strokes of internal bonds follow from the rules of the
 * elements they join: exactly one bond brings an effort into a 0-junction, exactly one brings a
 * flow into a 1-junction, a TF passes the stroke on, a GY turns it round, an OFF junction imposes
 * its zero on every bond. Each rule is applied to guards, so a conclusion is drawn in all the
 * modes in which it follows.
 *
 * The order of conclusions does not matter for the result, but it does for the work: a guard that
 * grows in many steps is handled as often. So the elements are gone through along the graph, from
 * its ends to its root and back: without loops, two passes draw every conclusion once.
 *
 * Around loops of junctions the rules may leave a bond open. Then one direction is tried in all
 * the modes left open, the other one in those where that led to a contradiction.
 *
 * In a redundant loop the elimination left the flow (or the effort) of some bond free. It may be
 * set to zero there: the bond then is a null source to both of its ends, and the rest of the loop
 * has its strokes as usual. */
#include <stdlib.h>
#include <string.h>

#include "junction_internal.h"

typedef struct {
    builder *b;
    jn_guards *guards;
    jn_guard care;     /* the modes in question */
    jn_guard conflict; /* those that turned out contradictory */
    int nbonds;
    jn_guard *tail, *head; /* per bond: who imposes the effort */
    /* per bond: cut, a null source of flow or of effort to both ends */
    jn_guard *no_flow, *no_effort;
    jn_guard *zero;     /* per element: the modes in which a ratio is zero */
    const int *element; /* by place: ends of the graph first */
    int *place;         /* of an element */
    int ndue;
    bool *due;       /* by place: elements whose rules have to be looked at again */
    int first, last; /* no place before or after them is due */
} state;

static void enqueue(state *s, int element)
{
    int at = s->place[element];
    if (!s->due[at]) {
        s->due[at] = true;
        s->ndue++;
    }
    s->first = at < s->first ? at : s->first;
    s->last = at > s->last ? at : s->last;
}

static bool at_head(const state *s, int element, int bond)
{
    return s->b->g->bond[bond].head == element;
}

/* The modes in which a bond brings its effort into the element, and those in which it takes it out.
 */
static jn_guard in(const state *s, int element, int bond)
{
    jn_guard g = at_head(s, element, bond) ? s->tail[bond] : s->head[bond];
    return jn_guard_or(s->guards, g, s->no_effort[bond]);
}

static jn_guard out(const state *s, int element, int bond)
{
    jn_guard g = at_head(s, element, bond) ? s->head[bond] : s->tail[bond];
    return jn_guard_or(s->guards, g, s->no_flow[bond]);
}

static jn_guard cut(const state *s, int bond)
{
    return jn_guard_or(s->guards, s->no_flow[bond], s->no_effort[bond]);
}

/* Concludes that in the modes g the effort comes from the tail (or from the head). */
static void conclude(state *s, int bond, bool from_tail, jn_guard g)
{
    jn_guard *to = from_tail ? &s->tail[bond] : &s->head[bond];
    jn_guard other = from_tail ? s->head[bond] : s->tail[bond];
    g = jn_guard_and(s->guards, g, s->care);
    g = jn_guard_minus(s->guards, g, cut(s, bond));
    if (jn_guard_implies(s->guards, g, *to))
        return;
    *to = jn_guard_or(s->guards, *to, g);
    s->conflict = jn_guard_or(s->guards, s->conflict, jn_guard_and(s->guards, g, other));
    enqueue(s, s->b->g->bond[bond].tail);
    enqueue(s, s->b->g->bond[bond].head);
}

static void conclude_at(state *s, int element, int bond, bool in_effort, jn_guard g)
{
    conclude(s, bond, at_head(s, element, bond) == in_effort, g);
}

/* Exactly one bond brings in the common variable: where one does, the others do not; where all
 * others do not, the last one does. `effort`: the common variable is the effort. */
static void junction_rule(state *s, int element, bool effort, jn_guard on)
{
    const jn_element *x = &s->b->g->element[element];
    int n = x->nbonds;
    /* prefix[i], suffix[i]: over the bonds before i, and from i on */
    jn_guard *work = jn_alloc((size_t)(4 * (n + 1)) * sizeof *work);
    jn_guard *some_before = work, *all_before = work + n + 1;
    jn_guard *some_after = work + 2 * (n + 1), *all_after = work + 3 * (n + 1);
    some_before[0] = some_after[n] = jn_guard_false();
    all_before[0] = all_after[n] = jn_guard_true();
    for (int i = 0; i < n; i++) {
        int bond = x->bond[i];
        jn_guard brings = effort ? in(s, element, bond) : out(s, element, bond);
        jn_guard takes = effort ? out(s, element, bond) : in(s, element, bond);
        some_before[i + 1] = jn_guard_or(s->guards, some_before[i], brings);
        all_before[i + 1] = jn_guard_and(s->guards, all_before[i], takes);
    }
    for (int i = n - 1; i >= 0; i--) {
        int bond = x->bond[i];
        jn_guard brings = effort ? in(s, element, bond) : out(s, element, bond);
        jn_guard takes = effort ? out(s, element, bond) : in(s, element, bond);
        some_after[i] = jn_guard_or(s->guards, some_after[i + 1], brings);
        all_after[i] = jn_guard_and(s->guards, all_after[i + 1], takes);
    }
    for (int i = 0; i < n; i++) {
        jn_guard some = jn_guard_or(s->guards, some_before[i], some_after[i + 1]);
        jn_guard all = jn_guard_and(s->guards, all_before[i], all_after[i + 1]);
        conclude_at(s, element, x->bond[i], !effort, jn_guard_and(s->guards, some, on));
        conclude_at(s, element, x->bond[i], effort, jn_guard_and(s->guards, all, on));
    }
    /* where every bond takes it out, nobody brings it in */
    jn_guard nobody = jn_guard_and(s->guards, all_before[n], on);
    nobody = jn_guard_and(s->guards, nobody, s->care);
    s->conflict = jn_guard_or(s->guards, s->conflict, nobody);
    free(work);
}

/* An OFF junction imposes zero on every bond, but lets a detachable source go. */
static void off_rule(state *s, int element, bool effort, jn_guard off)
{
    const jn_graph *g = s->b->g;
    const jn_element *x = &g->element[element];
    for (int i = 0; i < x->nbonds; i++) {
        bool let_go = jn_graph_lets_go(g, element, x->bond[i]);
        conclude_at(s, element, x->bond[i], effort == let_go, off);
    }
}

/* With a ratio of zero nothing passes: the effort of the first bond is 0, and the flow of the
 * second (TF) or its effort (GY). */
static void two_port_rule(state *s, int element, bool turns)
{
    const jn_element *x = &s->b->g->element[element];
    jn_guard zero = s->zero[element], passes = jn_guard_not(s->guards, zero);
    for (int i = 0; i < 2; i++) {
        int from = x->bond[i], to = x->bond[1 - i];
        conclude_at(s, element, to, turns, jn_guard_and(s->guards, in(s, element, from), passes));
        conclude_at(s, element, to, !turns, jn_guard_and(s->guards, out(s, element, from), passes));
    }
    conclude_at(s, element, x->bond[0], false, zero);
    conclude_at(s, element, x->bond[1], !turns, zero);
}

static void apply_rules(state *s, int element)
{
    const jn_element *x = &s->b->g->element[element];
    bool effort = x->kind == JN_0 || x->kind == JN_X0;
    switch (x->kind) {
    case JN_X0:
    case JN_X1: {
        jn_guard on = jni_switch_on(s->b, x->number);
        off_rule(s, element, effort, jn_guard_not(s->guards, on));
        junction_rule(s, element, effort, on);
        break;
    }
    case JN_0:
    case JN_1:
        junction_rule(s, element, effort, jn_guard_true());
        break;
    case JN_TF:
    case JN_GY:
        two_port_rule(s, element, x->kind == JN_GY);
        break;
    default: /* a port has said what it has to say at the start */
        break;
    }
}

static void look_at(state *s, int at)
{
    if (!s->due[at])
        return;
    s->due[at] = false;
    s->ndue--;
    apply_rules(s, s->element[at]);
}

static void propagate(state *s)
{
    while (s->ndue) {
        int at = s->first;
        for (s->first = s->b->g->nelements; at <= s->last; at++)
            look_at(s, at);
        for (at = s->last, s->last = -1; at >= s->first; at--)
            look_at(s, at);
    }
}

/* ---- where the rules leave a bond open ----------------------------------------------------- */

static int open_bond(jn_guard *open, const state *s)
{
    for (int i = 0; i < s->nbonds; i++) {
        jn_guard known = jn_guard_or(s->guards, s->tail[i], s->head[i]);
        known = jn_guard_or(s->guards, known, cut(s, i));
        *open = jn_guard_minus(s->guards, s->care, jn_guard_or(s->guards, known, s->conflict));
        if (!jn_guard_is_false(*open))
            return i;
    }
    return -1;
}

static void complete(state *s);

/* Tries one direction of a bond in the modes g; on return s holds the outcome there, and
 * s->conflict tells where it failed. */
static void attempt(state *s, int bond, bool from_tail, jn_guard g)
{
    size_t bytes = (size_t)s->nbonds * sizeof(jn_guard);
    jn_guard *tail = jn_alloc(bytes), *head = jn_alloc(bytes);
    memcpy(tail, s->tail, bytes);
    memcpy(head, s->head, bytes);
    jn_guard care = s->care, conflict = s->conflict;
    s->care = g;
    s->conflict = jn_guard_false();
    conclude(s, bond, from_tail, g);
    complete(s);
    /* where it failed, as it was before */
    for (int i = 0; i < s->nbonds; i++) {
        s->tail[i] = jn_guard_ite(s->guards, s->conflict, tail[i], s->tail[i]);
        s->head[i] = jn_guard_ite(s->guards, s->conflict, head[i], s->head[i]);
    }
    jn_guard failed = s->conflict;
    s->care = care;
    s->conflict = jn_guard_or(s->guards, conflict, failed);
    free(tail);
    free(head);
}

static void complete(state *s)
{
    jn_guard open;
    int bond;
    propagate(s);
    while ((bond = open_bond(&open, s)) >= 0 && !jn_guards_failed(s->guards)) {
        jn_guard before = s->conflict;
        attempt(s, bond, true, open);
        jn_guard failed = jn_guard_minus(s->guards, s->conflict, before);
        s->conflict = before;
        if (!jn_guard_is_false(failed))
            attempt(s, bond, false, failed);
    }
}

/* ---- the ports' own strokes ---------------------------------------------------------------- */

/* The modes in which the junction structure imposes the effort on a port. */
static jn_guard effort_from_structure(const builder *b, int element)
{
    const jn_junction *j = b->j;
    const jn_element *x = &b->g->element[element];
    switch (x->kind) {
    case JN_I:
        return j->integral[x->number];
    case JN_C:
        return jn_guard_not(b->ring.guards, j->integral[x->number]);
    case JN_R:
        return jn_guard_not(b->ring.guards, j->resistance[x->number]);
    case JN_SF:
        return jn_guard_true();
    default:
        return jn_guard_false();
    }
}

static void start_from_ports(state *s)
{
    for (int i = 0; i < s->b->nports; i++) {
        int element = s->b->port[i].element;
        int bond = s->b->g->element[element].bond[0];
        jn_guard g = effort_from_structure(s->b, element);
        conclude_at(s, element, bond, true, g);
        conclude_at(s, element, bond, false, jn_guard_not(s->guards, g));
    }
    for (int i = 0; i < s->b->g->nelements; i++)
        enqueue(s, i);
}

static void list_places(state *s, const int *elements)
{
    int n = s->b->g->nelements;
    s->element = elements;
    s->place = jn_alloc((size_t)n * sizeof *s->place);
    s->due = jn_alloc((size_t)n * sizeof *s->due);
    for (int at = 0; at < n; at++)
        s->place[elements[at]] = at;
    s->first = n;
    s->last = -1;
}

/* Nothing has a stroke yet; what the elimination left open says where there is no effort or flow. */
static state state_new(builder *b)
{
    int n = b->g->nbonds;
    size_t bytes = (size_t)n * sizeof(jn_guard);
    state s = {.b = b, .guards = b->ring.guards, .care = b->j->allowed, .nbonds = n};
    s.conflict = jn_guard_false();
    s.tail = jn_alloc(bytes);
    s.head = jn_alloc(bytes);
    s.no_flow = jn_alloc(bytes);
    s.no_effort = jn_alloc(bytes);
    list_places(&s, jni_elements_ends_first(b->g));
    for (int i = 0; i < n; i++) {
        jn_guard e = b->unsolved[effort_col(i)], f = b->unsolved[flow_col(i)];
        s.tail[i] = s.head[i] = jn_guard_false();
        s.no_flow[i] = jn_guard_minus(s.guards, f, e);
        s.no_effort[i] = jn_guard_minus(s.guards, e, f);
    }
    s.zero = jn_alloc((size_t)b->g->nelements * sizeof *s.zero);
    for (int i = 0; i < b->g->nelements; i++)
        s.zero[i] = b->g->element[i].kind == JN_TF || b->g->element[i].kind == JN_GY
                        ? jn_junction_zero(b->j, i)
                        : jn_guard_false();
    return s;
}

static void state_clear(state *s)
{
    free(s->tail);
    free(s->head);
    free(s->no_flow);
    free(s->no_effort);
    free(s->zero);
    free((int *)s->element);
    free(s->place);
    free(s->due);
}

static void keep_strokes(const state *s, int nstrokes)
{
    const builder *b = s->b;
    for (int i = 0; i < nstrokes; i++) {
        jn_guard drop = b->j->undetermined[i];
        jn_stroke *k = &b->j->stroke[i];
        jn_guard tail = jn_guard_minus(s->guards, s->tail[i], drop);
        jn_guard head = jn_guard_minus(s->guards, s->head[i], drop);
        k->tail = jn_guard_tidy(s->guards, tail, b->j->allowed, jn_guard_false());
        k->head = jn_guard_tidy(s->guards, head, b->j->allowed, k->tail);
    }
}

void jni_assign_strokes(builder *b)
{
    int nstrokes = b->j->graph->nbonds; /* those of trees are nobody's */
    b->j->stroke = jn_alloc((size_t)nstrokes * sizeof *b->j->stroke);
    state s = state_new(b);
    start_from_ports(&s);
    complete(&s);
    keep_strokes(&s, nstrokes);
    state_clear(&s);
}
