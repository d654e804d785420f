/* model_branch.c: expressions that go on in another way when something crosses something.
 *
 *     if(c, a, b)      a where c holds, else b
 *     abs(a)           a where a >= 0, else −a
 *     min(a, b)        a where a <= b, else b
 *     max(a, b)        a where a >= b, else b
 *     sign(a)          1 where a > 0, −1 where a < 0, else 0: two branches; but one, and never 0,
 *                      where a reads the model: what it is on the surface is for the model to say,
 *                      unless the mode keeps a at 0 (mode_held.c)
 *
 * Which way they take is settled at events and held in between, so that what is followed in between
 * is smooth; the conditions are watched as those of switches are. */
#include <stdlib.h>

#include "model.h"

struct branches {
    model *m;
    int n, cap;
    struct branch {
        const jn_expr *node, *condition;
        double share;
        bool is_free;
        int law; /* of a resistor: see jni_branch_own */
        branch_place where;
        int leader; /* of those that turn on one surface, the first; itself: it is alone, or that */
        bool is_turned; /* its condition holds where that of the leader does not */
    } * branch;
    long version;
    expr_places first; /* of a node: its first branch */
};

branches *jni_branches_new(model *m)
{
    branches *b = jn_alloc(sizeof *b);
    b->m = m;
    return b;
}

void jni_branches_free(branches *b)
{
    if (!b)
        return;
    free(b->branch);
    jni_places_clear(&b->first);
    free(b);
}

/* ---- finding them -------------------------------------------------------------------------- */

int jni_branch_of(const branches *b, const jn_expr *node)
{
    return jni_place_of(&b->first, node);
}

static void add(branches *b, const jn_expr *node, const jn_expr *condition)
{
    JN_GROW(b->branch, b->n, b->cap);
    b->branch[b->n] =
        (struct branch){.node = node, .condition = condition, .law = -1, .leader = b->n};
    b->n++;
}

/* left OP right; without right it is 0. */
static const jn_expr *comparison(const branches *b, jn_expr_op op, const jn_expr *left,
                                 const jn_expr *right)
{
    jn_expr *c = jn_arena_alloc(b->m->arena, sizeof *c);
    const jn_expr **arg = jn_arena_alloc(b->m->arena, 2 * sizeof *arg);
    jn_expr *zero = jn_arena_alloc(b->m->arena, sizeof *zero);
    *zero = (jn_expr){.op = JN_X_NUMBER, .place = left->place, .size = 1, .depth = 1};
    arg[0] = left;
    arg[1] = right ? right : zero;
    *c = (jn_expr){.op = op, .place = left->place, .nargs = 2, .arg = arg};
    c->size = 1 + arg[0]->size + arg[1]->size;
    c->depth = 1 + (arg[0]->depth > arg[1]->depth ? arg[0]->depth : arg[1]->depth);
    return c;
}

bool jni_is_branching(jn_expr_op op)
{
    return op == JN_X_IF || op == JN_X_ABS || op == JN_X_SIGN || op == JN_X_MIN || op == JN_X_MAX;
}

int jni_branch_add(branches *b, const jn_expr *node)
{
    int known = jni_branch_of(b, node), first = b->n;
    if (known >= 0)
        return known;
    switch (node->op) {
    case JN_X_IF:
        add(b, node, node->arg[0]);
        break;
    case JN_X_ABS:
        add(b, node, comparison(b, JN_X_GE, node->arg[0], NULL));
        break;
    case JN_X_MIN:
        add(b, node, comparison(b, JN_X_LE, node->arg[0], node->arg[1]));
        break;
    case JN_X_MAX:
        add(b, node, comparison(b, JN_X_GE, node->arg[0], node->arg[1]));
        break;
    default: /* JN_X_SIGN */
        add(b, node, comparison(b, JN_X_GT, node->arg[0], NULL));
        if (!jni_reads_model(b->m, node->arg[0]))
            add(b, node, comparison(b, JN_X_LT, node->arg[0], NULL));
    }
    jni_place_put(&b->first, node, first);
    return first;
}

void jni_branches_collect(branches *b, const jn_expr *e)
{
    if (jni_is_branching(e->op) && jn_expr_varies(e))
        jni_branch_add(b, e);
    if (e->op == JN_X_SIGNAL)
        jni_branches_collect(b, b->m->g->signal[e->index].expr);
    for (int i = 0; i < e->nargs && e->op != JN_X_INT;
         i++) /* integrands are looked at themselves */
        jni_branches_collect(b, e->arg[i]);
}

/* ---- which way they take ------------------------------------------------------------------- */

int jni_branches_count(const branches *b)
{
    return b->n;
}

const jn_expr *jni_branch_node(const branches *b, int i)
{
    return b->branch[i].node;
}

const jn_expr *jni_branch_condition(const branches *b, int i)
{
    return b->branch[i].condition;
}

bool jni_branch_jumps(const branches *b, int i)
{
    return b->branch[i].node->op == JN_X_IF || b->branch[i].node->op == JN_X_SIGN;
}

double jni_branch_share(const branches *b, int i)
{
    return b->branch[i].share;
}

void jni_branch_set(branches *b, int i, double share)
{
    b->version += b->branch[i].share != share;
    b->branch[i].share = share;
}

long jni_branches_version(const branches *b)
{
    return b->version;
}

/* sign of time alone has two branches: its second says that it is negative. */
static double sign_of(const branches *b, int i, bool truth)
{
    bool two = i + 1 < b->n && b->branch[i + 1].node == b->branch[i].node;
    if (two)
        return truth - b->branch[i + 1].share;
    return truth ? 1 : -1;
}

const jn_expr *jni_branch_way(const branches *b, int i, bool truth, double *scale)
{
    const jn_expr *node = b->branch[i].node;
    *scale = 1;
    switch (node->op) {
    case JN_X_IF:
        return node->arg[truth ? 1 : 2];
    case JN_X_ABS:
        *scale = truth ? 1 : -1;
        return node->arg[0];
    case JN_X_SIGN:
        *scale = sign_of(b, i, truth);
        return NULL;
    default:
        return node->arg[truth ? 0 : 1];
    }
}

bool jni_branch_is_free(const branches *b, int i)
{
    return b->branch[i].is_free;
}

void jni_branch_free(branches *b, int i, bool is_free)
{
    for (int k = 0; k < b->n; k++)
        if (b->branch[k].leader == b->branch[i].leader)
            b->branch[k].is_free = is_free;
}

void jni_branch_follow(branches *b, int i, int leader, bool is_turned)
{
    b->branch[i].leader = leader;
    b->branch[i].is_turned = is_turned;
}

int jni_branch_leader(const branches *b, int i, bool *is_turned)
{
    *is_turned = b->branch[i].is_turned;
    return b->branch[i].leader;
}

void jni_branch_set_all(branches *b, int i, double share)
{
    double leads = b->branch[i].is_turned ? 1 - share : share;
    for (int k = 0; k < b->n; k++)
        if (b->branch[k].leader == b->branch[i].leader)
            jni_branch_set(b, k, b->branch[k].is_turned ? 1 - leads : leads);
}

void jni_branch_own(branches *b, int i, int law, branch_place where)
{
    b->branch[i].law = law;
    b->branch[i].where = where;
}

int jni_branch_law(const branches *b, int i)
{
    return b->branch[i].law;
}

bool jni_branch_is_seamless(const branches *b, int i)
{
    return b->branch[i].where == BRANCH_SEAMLESS;
}

branch_place jni_branch_place(const branches *b, int i)
{
    return b->branch[i].where;
}

model *jni_branches_model(const branches *b)
{
    return b->m;
}

bool jni_branch_is_simple(const branches *b, int i)
{
    const jn_expr *c = b->branch[i].condition;
    return jni_branch_jumps(b, i) && c->op >= JN_X_LT && c->op <= JN_X_GT && c->op != JN_X_EQ &&
           jni_reads_model(b->m, c);
}
