/* mode_held.c: signs of what a mode itself keeps at 0.
 *
 * On the surface x = 0 it is for the model to say what sign(x) is: friction holds with any force
 * between its two. But where an open switch or a brake keeps x at 0, whatever the inputs of ports
 * are, no value of sign(x) does, and none follows from the model: there it is 0, as it is written. */
#include <math.h>
#include <stdlib.h>

#include "run.h"

typedef struct {
    jn_sim *s;
    const mode *m;
    rows *r; /* over the inputs of all ports */
} work;

static rows *over_inputs(const mode *m, const model *k)
{
    int ports = jni_port_count(k);
    rows *r = jni_rows_new(m, k, ports);
    for (int p = 0; p < ports; p++)
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

static bool form_vanishes(const work *w, const linear_form *f)
{
    bool ok = f->c0 == 0 && f->ct == 0;
    for (int i = 0; i < f->n && ok; i++)
        ok = f->term[i].obs < 2 * w->s->model.g->nbonds;
    return ok && cancels(w, f);
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

void jni_mode_hold(jn_sim *s, mode *m)
{
    const branches *b = s->branches;
    int n = jni_branches_count(b);
    bool any = false;
    if (!has_sign(b))
        return;
    work w = {s, m, over_inputs(m, &s->model)};
    bool *held = jn_alloc((size_t)n * sizeof *held);
    for (int i = 0; i < n; i++)
        any |= held[i] = is_held(&w, jni_branch_node(b, i));
    jni_rows_free(w.r, m, &s->model);
    if (any)
        m->is_held = held;
    else
        free(held);
}
