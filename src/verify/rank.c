/* rank.c: settling by the order in which automata move.
 *
 * To unroll an instant as far as it goes is costly where many switches follow each other. Often it need not be: ideal diodes that
 * have begun to turn on do not turn off any more, whatever the mode and the state. Asked is not of an
 * instant from its beginning, but of any candidate in the middle of any instant (is_within), and of the
 * few that follow it:
 *
 *     which transitions can be taken in the j-th candidate from there?
 *     which of them can be taken in one candidate, and which in the next?
 *
 * The second is a graph. Its strong components are passed in one direction only; so if in none of them an
 * automaton can come back to where it was, every instant ends, and takes no more changes than the
 * automata have ways to go. Both answers also hold for every instant that is unrolled, from its j-th
 * candidate on, and spare the solver what cannot be.
 *
 * Asked one by one these are as many questions as there are pairs of moves. So first all moves that turn
 * a switch on are taken for one, and all that turn one off; then those apart that come once a jump
 * counts: capacitors joined by diodes turn these off by impulses, then on, and off again only when
 * charges have been shared. Only where no such order is found each move is asked for by itself. */
#include "question.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 3 };

struct jni_order {
    int n;                   /* moves: a transition in a candidate, or once its jump counts */
    int *automaton, *number; /* per move: the transition */
    bool *counts;            /* per move: once the jump counts */
    int depth; /* what is known, for the candidates 0 … depth − 1 and all later ones: */
    bool *can[DEEPEST + 1]; /* per move: it can be taken there */
    bool *leads;            /* n × n, its closure: one after the other, from the last depth on */
    int *rank;              /* per move: of its component, −1: it is not taken; NULL: not known */
};

static struct jni_order *new_order(const jn_graph *g)
{
    struct jni_order *o = jn_alloc(sizeof *o);
    for (int k = 0; k < g->nswitches; k++)
        o->n += 2 * g->automaton[k].ntransitions;
    size_t n = (size_t)o->n;
    o->automaton = jn_alloc((n + 1) * sizeof *o->automaton);
    o->number = jn_alloc((n + 1) * sizeof *o->number);
    o->counts = jn_alloc(n + 1);
    o->leads = jn_alloc(n * n + 1);
    for (int j = 0; j <= DEEPEST; j++) {
        o->can[j] = jn_alloc(n + 1);
        memset(o->can[j], true, n);
    }
    for (int k = 0, i = 0; k < g->nswitches; k++)
        for (int t = 0; t < 2 * g->automaton[k].ntransitions; t++, i++) {
            o->automaton[i] = k;
            o->number[i] = t / 2;
            o->counts[i] = t % 2;
        }
    return o;
}

void jni_order_free(struct jni_order *o)
{
    if (!o)
        return;
    for (int i = 0; i <= DEEPEST; i++)
        free(o->can[i]);
    free(o->automaton);
    free(o->number);
    free(o->counts);
    free(o->leads);
    free(o->rank);
    free(o);
}

static term is_taken(const struct jni_order *o, const pass *p, int i)
{
    int k = o->automaton[i], t = o->number[i];
    return o->counts[i] ? p->fires_after[k][t] : p->fires[k][t];
}

/* ---- which can be taken -------------------------------------------------------------------- */

/* Of the transitions that are (or are not) among some, any in a candidate. */
static term any_taken(const struct jni_order *o, const pass *p, const bool *among, bool is)
{
    term some = jni_false(p->at.q->l);
    for (int i = 0; i < o->n; i++)
        if (among[i] == is)
            some = jni_or(p->at.q->l, some, is_taken(o, p, i));
    return some;
}

/* After j changes; false: it cannot be told, and any may be. */
static bool find_taken(session *s, struct jni_order *o, int j)
{
    logic *l = s->q->l;
    const pass *p = s->u->pass[j];
    bool *can = o->can[j];
    answer a = LOGIC_YES;
    memset(can, false, (size_t)o->n);
    while (a == LOGIC_YES) {
        jni_push(l);
        a = jni_ask_at(s, j, any_taken(o, p, can, false));
        for (int i = 0; i < o->n && a == LOGIC_YES; i++)
            can[i] |= jni_told(l, is_taken(o, p, i));
        jni_pop(l);
    }
    if (a != LOGIC_NO)
        memset(can, true, (size_t)o->n);
    return a == LOGIC_NO;
}

/* ---- which after which --------------------------------------------------------------------- */

/* One more way: whatever leads to a leads to all that b leads to. */
static void add_way(struct jni_order *o, int a, int b)
{
    size_t n = (size_t)o->n;
    if (o->leads[(size_t)a * n + (size_t)b])
        return;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n && ((int)i == a || o->leads[i * n + (size_t)a]); k++)
            o->leads[i * n + k] |= (int)k == b || o->leads[(size_t)b * n + k];
}

/* What is led to comes after; of those that do not lead to each other the first one first. */
static void sort(struct jni_order *o, const bool *can)
{
    size_t n = (size_t)o->n;
    int next = 0;
    for (size_t i = 0; i < n; i++)
        o->rank[i] = -1;
    for (;;) {
        size_t at = n; /* one that nothing but its own component leads to, of those left */
        for (size_t i = 0; i < n && at == n; i++) {
            bool is_first = can[i] && o->rank[i] < 0;
            for (size_t k = 0; k < n && is_first; k++)
                is_first =
                    !can[k] || o->rank[k] >= 0 || !o->leads[k * n + i] || o->leads[i * n + k];
            if (is_first)
                at = i;
        }
        if (at == n)
            return;
        o->rank[at] = next;
        for (size_t k = 0; k < n; k++)
            if (o->leads[at * n + k] && o->leads[k * n + at])
                o->rank[k] = next;
        next++;
    }
}

/* Something is taken in p and something of a lower rank in the one after it. */
static term goes_back(const struct jni_order *o, const pass *p, const pass *after)
{
    logic *l = p->at.q->l;
    int last = 0;
    for (int i = 0; i < o->n; i++)
        last = o->rank[i] > last ? o->rank[i] : last;
    term back = jni_false(l), lower = jni_false(l);
    for (int r = 1; r <= last; r++) {
        term here = jni_false(l);
        for (int i = 0; i < o->n; i++) {
            if (o->rank[i] == r - 1)
                lower = jni_or(l, lower, is_taken(o, after, i));
            if (o->rank[i] == r)
                here = jni_or(l, here, is_taken(o, p, i));
        }
        back = jni_or(l, back, jni_and(l, here, lower));
    }
    return back;
}

/* The longest way of an automaton by transitions of one rank that move it; as long as it has states: for
 * ever. */
static int longest_way(const struct jni_order *o, const jn_automaton *a, int k, int rank)
{
    size_t n = (size_t)a->nstates;
    bool *at = jn_alloc(2 * n), *next = at + n, goes = true; /* after so many */
    int length = -1;
    memset(at, true, n);
    while (goes && length < a->nstates) {
        length++;
        goes = false;
        memset(next, false, n);
        for (int i = 0; i < o->n; i++) {
            if (o->automaton[i] != k || o->rank[i] != rank)
                continue;
            const jn_transition *t = &a->transition[o->number[i]];
            if (t->to != t->from && at[t->from])
                next[t->to] = goes = true;
        }
        memcpy(at, next, n);
    }
    free(at);
    return length;
}

/* It sets something, once in an instant. */
static bool moves_nowhere(const struct jni_order *o, const jn_automaton *a, int k, int rank)
{
    for (int i = 0; i < o->n; i++) {
        if (o->automaton[i] != k || o->rank[i] != rank)
            continue;
        const jn_transition *t = &a->transition[o->number[i]];
        if (t->from == t->to)
            return true;
    }
    return false;
}

/* How many changes there can be from the last depth on; −1: for ever. */
static int count_ways(const struct jni_order *o, const jn_graph *g)
{
    int all = 0, last = -1;
    for (int i = 0; i < o->n; i++)
        last = o->rank[i] > last ? o->rank[i] : last;
    for (int r = 0; r <= last; r++)
        for (int k = 0; k < g->nswitches; k++) {
            const jn_automaton *a = &g->automaton[k];
            int longest = longest_way(o, a, k, r);
            if (longest >= a->nstates)
                return -1;
            all += longest + moves_nowhere(o, a, k, r);
        }
    return all;
}

/* Both turn their switch on, or both off; apart: and both in a candidate, or once its jump counts. */
static bool turn_alike(const struct jni_order *o, const jn_graph *g, int a, int b, bool apart)
{
    const jn_automaton *x = &g->automaton[o->automaton[a]], *y = &g->automaton[o->automaton[b]];
    const jn_transition *t = &x->transition[o->number[a]], *u = &y->transition[o->number[b]];
    bool to = x->state[t->to].on;
    if (apart && o->counts[a] != o->counts[b])
        return false;
    return x->state[t->from].on != to && y->state[u->to].on == to && y->state[u->from].on != to;
}

/* From candidate j on, beyond what is taken to lead to what; −1: it does not show that instants end. */
static int find_order(session *s, struct jni_order *o, int j)
{
    logic *l = s->q->l;
    const pass *p = s->u->pass[j], *after = s->u->pass[j + 1];
    size_t n = (size_t)o->n;
    int ways = 0;
    o->rank = jn_alloc((n + 1) * sizeof *o->rank);
    for (answer a = LOGIC_YES; a == LOGIC_YES;) {
        sort(o, o->can[j]);
        ways = count_ways(o, s->q->g);
        if (ways < 0)
            break;
        jni_push(l);
        a = jni_ask_at(s, j, goes_back(o, p, after));
        for (int i = 0; i < o->n && a == LOGIC_YES; i++)
            for (int k = 0; k < o->n && jni_told(l, is_taken(o, p, i)); k++)
                if (jni_told(l, is_taken(o, after, k)))
                    add_way(o, i, k);
        jni_pop(l);
        if (a == LOGIC_UNKNOWN)
            ways = -1;
    }
    if (ways < 0) {
        free(o->rank);
        o->rank = NULL;
    }
    return ways;
}

/* All that turn off in one phase, all that turn on in another: few questions, whatever the number of
 * switches. */
static int find_coarse_order(session *s, struct jni_order *o, int j)
{
    size_t n = (size_t)o->n;
    int ways = -1;
    for (int apart = 0; apart < 2 && ways < 0; apart++) {
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < n; k++)
                o->leads[i * n + k] = turn_alike(o, s->q->g, (int)i, (int)k, apart);
        ways = find_order(s, o, j);
    }
    if (ways >= 0)
        o->depth = j + 1;
    return ways;
}

/* Each by itself, of those that can be taken at all. */
static int find_fine_order(session *s, struct jni_order *o, int j)
{
    if (!find_taken(s, o, j))
        return -1;
    o->depth = j + 1;
    jni_assume_order(s->u, o, j);
    jni_assume_order(s->u, o, j + 1);
    memset(o->leads, 0, (size_t)o->n * (size_t)o->n);
    return find_order(s, o, j);
}

/* From which candidate on there is an order, and which; −1: none was found. */
static int find_at_any(session *s, struct jni_order *o,
                       int find(session *, struct jni_order *, int))
{
    for (int j = 0; j <= DEEPEST; j++) {
        while (s->u->n < j + 2)
            jni_unroll_more(s->u);
        int ways = find(s, o, j);
        if (ways >= 0)
            return j + ways;
    }
    return -1;
}

struct jni_order *jni_find_order(session *s, int *most)
{
    struct jni_order *o = new_order(s->q->g);
    *most = find_at_any(s, o, find_coarse_order);
    if (*most < 0)
        *most = find_at_any(s, o, find_fine_order);
    return o;
}

/* ---- what it says about an instant --------------------------------------------------------- */

void jni_assume_order(unrolled *u, const struct jni_order *o, int i)
{
    logic *l = u->q->l;
    if (!o || !o->depth)
        return;
    int j = i < o->depth ? i : o->depth - 1;
    term reached = jni_true(l);
    for (int k = 0; k < i; k++)
        reached = jni_and(l, reached, u->pass[k]->changes);
    term never = any_taken(o, u->pass[i], o->can[j], false);
    if (o->rank && i > j)
        never = jni_or(l, never, goes_back(o, u->pass[i - 1], u->pass[i]));
    jni_assert(l, jni_not(l, jni_and(l, reached, never)));
}
