/* gates.c: pairs of switches that a function sees only through one gate.
 *
 * f depends on u and v through one two-input gate exactly when, of its four cofactors by u and
 * v, only two differ: three alike (an AND or OR of the switches or their negations), or alike
 * crosswise (XOR). Merging such pairs again and again brings out whatever is built of gates
 * inside a function that has no AND, OR or XOR at its own top.
 *
 * Most pairs are ruled out without making their cofactors. AND or OR: one cofactor of f by u
 * does not depend on v. XOR: the two cofactors by u are the same but for the sense of v, so
 * their diagrams have equally many nodes. */
#include <stdlib.h>

#include "formula_internal.h"

enum { MOST_WORK = 20000 }; /* switches times nodes */

typedef struct {
    int s;
    jn_guard by[2];      /* the cofactors of f */
    bool *depends_on[2]; /* their supports */
    int nodes[2];
    bool paired;
} cofactors;

typedef struct {
    int u, v;
    bool u_one, v_one; /* a setting in which the gate's output is 1 */
    bool u_zero;       /* with v at v_one, this setting of u makes it 0 */
    jn_item *formula;
} gate;

static bool same(jn_guard a, jn_guard b)
{
    return jn_guard_equal(a, b);
}

/* The gate on u and v, if c[u][v], the cofactors, have only two values. */
static bool recognise(gate *t, jn_formulas *F, jn_guard c[2][2])
{
    jn_item *u = jni_item_literal(F, t->u, true), *v = jni_item_literal(F, t->v, true);
    if (same(c[0][0], c[1][1]) && same(c[0][1], c[1][0])) {
        *t = (gate){t->u, t->v, true, false, false, jni_item_join2(F, JN_FORMULA_XOR, u, v)};
        return true;
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            jn_guard other = c[!i][!j];
            if (!same(other, c[!i][j]) || !same(other, c[i][!j]))
                continue;
            /* c[i][j] stands alone. With both OFF that is an OR, else an AND. */
            if (i == 0 && j == 0)
                *t = (gate){t->u, t->v, true, false, false, jni_item_join2(F, JN_FORMULA_OR, u, v)};
            else
                *t = (gate){t->u,
                            t->v,
                            i,
                            j,
                            !i,
                            jni_item_join2(F, JN_FORMULA_AND, jni_item_literal(F, t->u, i),
                                           jni_item_literal(F, t->v, j))};
            return true;
        }
    return false;
}

static bool possible(const cofactors *a, const cofactors *b)
{
    bool one_sided = !a->depends_on[0][b->s] || !a->depends_on[1][b->s];
    bool balanced = a->nodes[0] == a->nodes[1] && b->nodes[0] == b->nodes[1];
    return !a->paired && !b->paired && (one_sided || balanced);
}

static bool find_gate(gate *t, jn_formulas *F, const cofactors *a, const cofactors *b)
{
    if (!possible(a, b))
        return false;
    jn_guard c[2][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            c[i][j] = jn_guard_cofactor(F->g, a->by[i], b->s, j);
    *t = (gate){.u = a->s, .v = b->s};
    return recognise(t, F, c);
}

/* f with the switch u in place of the gate. */
static jn_guard replace(jn_guards *g, jn_guard f, const gate *t)
{
    jn_guard with_v = jn_guard_cofactor(g, f, t->v, t->v_one);
    return jn_guard_ite(g, jn_guard_switch(g, t->u), jn_guard_cofactor(g, with_v, t->u, t->u_one),
                        jn_guard_cofactor(g, with_v, t->u, t->u_zero));
}

static void list_cofactors(cofactors *list, jn_formulas *F, jn_guard f, const bool *support)
{
    for (int s = 0; s < jn_guards_size(F->g); s++) {
        if (!support[s])
            continue;
        cofactors *c = list++;
        *c = (cofactors){.s = s};
        for (int on = 0; on < 2; on++) {
            c->by[on] = jn_guard_cofactor(F->g, f, s, on);
            c->nodes[on] = jn_guard_nodes(F->g, c->by[on]);
            c->depends_on[on] = jn_alloc((size_t)jn_guards_size(F->g) + 1);
            jn_guard_support(c->depends_on[on], F->g, c->by[on]);
        }
    }
}

static bool merge_gates(jn_guard *merged, jn_item **by, jn_formulas *F, cofactors *list, int n)
{
    bool any = false;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            gate t;
            if (!find_gate(&t, F, &list[i], &list[j]))
                continue;
            *merged = replace(F->g, *merged, &t);
            by[t.u] = t.formula;
            list[i].paired = list[j].paired = any = true;
        }
    return any;
}

bool jni_gates_merge(jn_guard *merged, jn_item **by, jn_formulas *F, jn_guard f)
{
    jn_guards *g = F->g;
    int nswitches = jn_guards_size(g), n = 0;
    bool *support = jn_alloc((size_t)nswitches + 1);
    jn_guard_support(support, g, f);
    for (int s = 0; s < nswitches; s++)
        n += support[s];
    *merged = f;
    bool any = false;
    if ((long)n * jn_guard_nodes(g, f) <= MOST_WORK) {
        int mark = jni_guards_enter(g);
        cofactors *list = jn_alloc((size_t)(n + 1) * sizeof *list);
        list_cofactors(list, F, f, support);
        any = merge_gates(merged, by, F, list, n);
        for (int i = 0; i < n; i++) {
            free(list[i].depends_on[0]);
            free(list[i].depends_on[1]);
        }
        free(list);
        *merged = jni_guards_leave(g, mark, *merged);
    }
    free(support);
    return any;
}
