/* order.c: an order in which each thing comes after what it needs, and the cycles that make one
 * impossible. Depth first, with a stack of its own: chains may be as long as the model. */
#include <stdlib.h>

#include "graph_internal.h"

typedef struct {
    int n, cap;
    int *item;
} int_list;

static void push(int_list *l, int i)
{
    JN_GROW(l->item, l->n, l->cap);
    l->item[l->n++] = i;
}

/* What an expression needs at the same instant. */
static void collect(int_list *needs, const jn_expr *e, jn_expr_op op)
{
    if (e->op == op)
        push(needs, e->index);
    if (e->op == JN_X_INT) /* a state; prior(…) is computed anew from the values there were */
        return;
    for (int i = 0; i < e->nargs; i++)
        collect(needs, e->arg[i], op);
}

typedef struct {
    int *first; /* of node i: needs.item[first[i]] … needs.item[first[i + 1] − 1] */
    int_list needs;
    int *next;   /* where node i goes on */
    char *state; /* NEW, OPEN: on the stack, DONE */
    int_list stack;
} search;

enum { NEW, OPEN, DONE };

static void report_cycle(builder *b, const search *s, int again, cycle_fn *on_cycle)
{
    int start = s->stack.n - 1;
    while (s->stack.item[start] != again)
        start--;
    on_cycle(b, s->stack.item + start, s->stack.n - start);
}

static void visit(builder *b, search *s, int root, int *order, int *count, cycle_fn *on_cycle)
{
    s->stack.n = 0;
    push(&s->stack, root);
    s->state[root] = OPEN;
    while (s->stack.n > 0) {
        int at = s->stack.item[s->stack.n - 1];
        if (s->next[at] == s->first[at + 1]) {
            s->state[at] = DONE;
            order[(*count)++] = at;
            s->stack.n--;
            continue;
        }
        int need = s->needs.item[s->next[at]++];
        if (s->state[need] == OPEN) {
            report_cycle(b, s, need, on_cycle);
        } else if (s->state[need] == NEW) {
            s->state[need] = OPEN;
            push(&s->stack, need);
        }
    }
}

const int *jni_build_order(builder *b, int n, const jn_expr *const *expr, jn_expr_op op,
                           cycle_fn *on_cycle)
{
    int *order = jn_arena_alloc(b->g->arena, (size_t)n * sizeof *order);
    search s = {.first = jn_alloc(((size_t)n + 1) * sizeof *s.first),
                .next = jn_alloc((size_t)n * sizeof *s.next),
                .state = jn_alloc((size_t)n)};
    for (int i = 0; i < n; i++) {
        s.next[i] = s.first[i] = s.needs.n;
        if (expr[i])
            collect(&s.needs, expr[i], op);
    }
    s.first[n] = s.needs.n;
    int count = 0;
    for (int i = 0; i < n; i++)
        if (s.state[i] == NEW)
            visit(b, &s, i, order, &count, on_cycle);
    free(s.first);
    free(s.needs.item);
    free(s.next);
    free(s.state);
    free(s.stack.item);
    return order;
}
