/* mode_held.c: signs of what a mode itself keeps at 0.
 *
 * On the surface x = 0 it is for the model to say what sign(x) is: friction holds with any force
 * between its two. But where an open switch, a brake or a source of 0 keeps x at 0, whatever the
 * inputs of the other ports are, no value of sign(x) does, and none follows from the model: there it
 * is 0, as it is written. */
#include <math.h>
#include <stdlib.h>

#include "run.h"

typedef struct {
    jn_sim *s;
    const mode *m;
    rows *r; /* over the inputs of all ports */
} work;

/* A source that is 0, by the model or fixed by hand, gives nothing. */
static bool is_null_source(jn_sim *s, int source)
{
    model *k = &s->model;
    const jn_expr *input = k->g->element[k->g->source[source]].input;
    double value;
    if (jni_generator_fixed(&value, s->gen, source))
        return value == 0;
    return input && jni_is_constant(k, input) && jni_constant(k, input) == 0;
}

static rows *over_inputs(const mode *m, jn_sim *s)
{
    const model *k = &s->model;
    int ports = jni_port_count(k), first = k->nx + k->nr;
    rows *r = jni_rows_new(m, k, ports);
    for (int p = 0; p < ports; p++)
        if (p < first || !is_null_source(s, p - first))
            jni_rows_unit(r, p, p);
    return r;
}

/* Whether nothing is left of a sum but rounding; the factor of a modulated TF or GY is NaN. */
static bool is_empty(const srow *r, double size)
{
    for (int k = 0; k < r->n; k++)
        if (!(fabs(r->a[k]) <= HELD_ROUNDING * size))
            return false;
    return true;
}

/* Whether what bonds have adds up to 0. */
static bool cancels(const work *w, const linear_form *f)
{
    srow left;
    double size = 0;
    for (int i = 0; i < f->n; i++) /* those first, one sum at a time */
        jni_rows_of(w->s, w->m, w->r, f->term[i].obs);
    for (int i = 0; i < f->n; i++) {
        const srow *one = &w->r->made[f->term[i].obs];
        double c = f->term[i].c * jni_bond_sign(w->m, f->term[i].obs);
        for (int k = 0; k < one->n; k++)
            size = fmax(size, fabs(c * one->a[k]));
        jni_gather_add(&w->r->sum, c, one);
    }
    jni_gather_take(&left, &w->r->sum);
    bool is_zero = is_empty(&left, size);
    jni_srow_clear(&left);
    return is_zero;
}

/* The state of a storage as what it gives its bond: p = I·f, q = C·e. False: it has a law. */
static bool as_bond(struct form_term *t, const work *w)
{
    const model *k = &w->s->model;
    int storage = t->obs - 2 * k->g->nbonds;
    if (storage < 0 || storage >= k->nx)
        return storage < 0;
    int element = k->g->storage[storage];
    const jn_element *x = &k->g->element[element];
    bool is_inertia = x->kind == JN_I, is_tail = k->g->bond[x->bond[0]].tail == element;
    t->obs = is_inertia ? jni_obs_flow(x->bond[0]) : jni_obs_effort(x->bond[0]);
    t->c *= w->m->storage[storage] * (is_inertia && is_tail ? -1 : 1);
    return !x->nonlinear && !x->multiport && (!x->modulated || jni_is_switched_element(k, element));
}

static bool form_vanishes(const work *w, const linear_form *f)
{
    linear_form bonds = {0};
    bool ok = f->c0 == 0 && f->ct == 0;
    jni_form_add(&bonds, 1, f);
    for (int i = 0; i < bonds.n && ok; i++)
        ok = as_bond(&bonds.term[i], w);
    ok = ok && cancels(w, &bonds);
    jni_form_clear(&bonds);
    return ok;
}

/* Whether an expression is 0 in the mode, by its linear parts. */
static bool vanishes(const work *w, const jn_expr *e)
{
    linear_form f;
    if (jni_form_of(&f, &w->s->model, e)) {
        bool is_zero = form_vanishes(w, &f);
        jni_form_clear(&f);
        return is_zero;
    }
    switch (e->op) {
    case JN_X_SIGNAL:
        return vanishes(w, w->s->model.g->signal[e->index].expr);
    case JN_X_MUL:
        return vanishes(w, e->arg[0]) || vanishes(w, e->arg[1]);
    case JN_X_ADD:
    case JN_X_SUB:
        return vanishes(w, e->arg[0]) && vanishes(w, e->arg[1]);
    case JN_X_NEG:
    case JN_X_ABS:
    case JN_X_SIGN:
    case JN_X_SIN:
    case JN_X_TANH:
    case JN_X_ATAN:
        return vanishes(w, e->arg[0]);
    default:
        return false;
    }
}

/* What reads the past is not the mode's to keep. */
static bool is_held(const work *w, const jn_expr *node)
{
    const model *k = &w->s->model;
    return node->op == JN_X_SIGN && jni_reads_model(k, node->arg[0]) &&
           !jni_mentions(k, node, JN_X_PRIOR) && !jni_mentions(k, node, JN_X_WITHIN) &&
           !jni_mentions(k, node, JN_X_IMPULSE) && vanishes(w, node->arg[0]);
}

static bool has_sign(const branches *b)
{
    for (int i = 0; i < jni_branches_count(b); i++)
        if (jni_branch_node(b, i)->op == JN_X_SIGN)
            return true;
    return false;
}

bool jni_source_holds(jn_sim *s, int source)
{
    return has_sign(s->branches) && is_null_source(s, source);
}

void jni_mode_hold(jn_sim *s, mode *m)
{
    const branches *b = s->branches;
    int n = jni_branches_count(b);
    bool any = false;
    if (!has_sign(b))
        return;
    work w = {s, m, over_inputs(m, s)};
    bool *held = jn_alloc((size_t)n * sizeof *held);
    for (int i = 0; i < n; i++)
        any |= held[i] = is_held(&w, jni_branch_node(b, i));
    jni_rows_free(w.r, m, &s->model);
    if (any)
        m->is_held = held;
    else
        free(held);
}
