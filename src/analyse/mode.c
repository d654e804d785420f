/* mode.c: one mode, over ℚ(params) and at the values given.
 *
 * The second follows from the first by putting in the numbers, unless they are special in the mode:
 * then its equation is derived anew from the structure with numbers. */
#include <stdlib.h>

#include "analyse_internal.h"

/* ---- with numbers -------------------------------------------------------------------------- */

enum { ISOLATE_MAX = 48 }; /* degree up to which roots are isolated exactly */

static void find_poles(jn_mode_analysis *m, const jn_analysis *a)
{
    const jn_dynamics *d = &m->valued;
    m->pole = jn_alloc((size_t)d->order * sizeof *m->pole);
    if (!jn_poly_halves(&m->halves, a->field, &d->charpoly))
        return;
    m->stable = m->halves.left == d->order ? JN_YES : JN_NO;
    jn_status s = d->order <= ISOLATE_MAX
                      ? jni_roots_counted(m->pole, a->field, &d->charpoly, &m->halves)
                      : jni_poles(m->pole, &d->J, &d->charpoly, &m->halves);
    m->npoles = s == JN_OK ? d->order : 0;
}

static void find_zeros(jn_mode_analysis *m, const jn_analysis *a)
{
    const jn_dynamics *d = &m->valued;
    int entries = d->transfer_known ? d->C.nrows * d->Bz.ncols : 0;
    m->nzeros = jn_alloc((size_t)entries * sizeof *m->nzeros);
    m->zero = jn_alloc((size_t)entries * sizeof *m->zero);
    for (int e = 0; e < entries; e++) {
        const jn_poly *p = &d->numerator[e];
        if (p->degree < 1 || p->degree > ISOLATE_MAX)
            continue;
        m->zero[e] = jn_alloc((size_t)p->degree * sizeof *m->zero[e]);
        if (jn_poly_roots(m->zero[e], a->field, p) == JN_OK)
            m->nzeros[e] = p->degree;
    }
}

static void find_invariant_zeros(jn_mode_analysis *m, const jn_analysis *a)
{
    const jn_poly *p = &m->valued.zeros;
    if (!m->valued.zeros_known || p->degree < 1 || p->degree > ISOLATE_MAX)
        return;
    m->invariant = jn_alloc((size_t)p->degree * sizeof *m->invariant);
    if (jn_poly_roots(m->invariant, a->field, p) == JN_OK)
        m->ninvariant = p->degree;
}

static void answer_with_numbers(jn_mode_analysis *m, const jn_analysis *a)
{
    if (!m->valued.regular)
        return;
    find_poles(m, a);
    find_zeros(m, a);
    find_invariant_zeros(m, a);
    m->smith_known = jni_smith_of(&m->smith, &m->valued.J, &m->valued.charpoly);
}

/* ---- a mode -------------------------------------------------------------------------------- */

void jn_mode_analysis_init(jn_mode_analysis *m)
{
    *m = (jn_mode_analysis){0};
    jn_mode_init(&m->equation);
}

void jn_mode_analysis_clear(jn_mode_analysis *m)
{
    int entries = m->nzeros ? m->valued.C.nrows * m->valued.Bz.ncols : 0;
    for (int e = 0; e < entries && m->valued.transfer_known; e++)
        free(m->zero[e]);
    for (int i = 0; i < m->smith.nfactors; i++)
        jni_poly_clear(&m->smith.factor[i]);
    jn_mode_clear(&m->equation);
    jni_dynamics_clear(&m->generic);
    jni_dynamics_clear(&m->valued);
    jni_impulses_clear(&m->impulses);
    free(m->output);
    free(m->open);
    free(m->invariant);
    free(m->control.unreached);
    free(m->observe.unreached);
    free(m->pole);
    free(m->smith.factor);
    free(m->nzeros);
    free(m->zero);
    jn_mode_analysis_init(m);
}

static bool all_constant(const jn_mode *q, jn_field *k)
{
    bool constant = true;
    for (int i = 0; i < q->n * q->n && constant; i++)
        constant = jn_ratfun_is_const(k, q->E[i]) && jn_ratfun_is_const(k, q->A[i]);
    for (int i = 0; i < q->n * q->ninputs && constant; i++)
        constant = jn_ratfun_is_const(k, q->B[i]);
    return constant;
}

static void note_outputs(jn_mode_analysis *m, const jn_outputs *o)
{
    m->noutputs = o->n;
    m->nopen = o->nopen;
    m->output = jn_alloc((size_t)o->n * sizeof *m->output);
    m->open = jn_alloc((size_t)o->nopen * sizeof *m->open);
    for (int i = 0; i < o->n; i++)
        m->output[i] = o->number[i];
    for (int i = 0; i < o->nopen; i++)
        m->open[i] = o->open[i];
}

/* Both answers. `values` is the analysis of an equation with numbers where that is another one, of
 * which `valued` is the mode; otherwise NULL. */
static void answer(jn_mode_analysis *out, const jn_analysis *a, const jn_onoff *onoff,
                   const jn_analysis *values, const jn_mode *valued)
{
    const jn_ratfun *numbers = a->graph->param_value;
    jn_outputs o, at;
    jni_outputs_of(&o, a, onoff, &out->equation);
    if (values) {
        jni_outputs_of(&at, values, onoff, valued);
        jni_outputs_common(&o, &at, a->graph);
    }
    note_outputs(out, &o);
    jni_structural_of(out, a, onoff, &o);
    if (!a->implicit->junction->numeric || a->nconstants > 0 ||
        !all_constant(&out->equation, a->field))
        jni_dynamics_of(&out->generic, &out->equation, &o, a, NULL, false);
    if (values)
        jni_dynamics_of(&out->valued, valued, &at, values, numbers, true);
    else if (out->status_at_values == JN_MODE_OK)
        jni_dynamics_of(&out->valued, &out->equation, &o, a, numbers, true);
    else
        jni_dynamics_unknown(&out->valued, "the values given do not allow the mode");
    answer_with_numbers(out, a);
    if (values)
        jni_outputs_clear(&at);
    jni_outputs_clear(&o);
    const jn_dynamics *d = jn_mode_dynamics(out);
    if (d->regular)
        jni_impulses_of(&out->impulses, d, &out->equation, a, onoff,
                        d == &out->valued ? numbers : NULL);
}

/* The values are special in the mode: f is its equation with numbers. */
static void answer_special(jn_mode_analysis *out, const jn_analysis *a, const jn_onoff *onoff,
                           const jn_implicit *f)
{
    jn_analysis values = *a;
    jn_mode valued;
    values.implicit = f;
    jn_mode_init(&valued);
    jn_implicit_mode(&valued, f, onoff);
    out->status_at_values = valued.status;
    if (valued.status != JN_MODE_OK && out->equation.status == JN_MODE_OK) {
        answer(out, a, onoff, NULL, NULL);
    } else if (valued.status == JN_MODE_OK && out->equation.status == JN_MODE_OK) {
        answer(out, a, onoff, &values, &valued);
    } else if (valued.status == JN_MODE_OK) {
        jn_implicit_mode(&out->equation, f, onoff);
        answer(out, &values, onoff, NULL, NULL);
    }
    jn_mode_clear(&valued);
}

static bool is_special(const jn_analysis *a, const jn_onoff *onoff)
{
    jn_guards *g = a->implicit->junction->ring.guards;
    return a->with_values && jn_guard_at(g, a->implicit->special, onoff);
}

void jn_analyse_mode(jn_mode_analysis *out, const jn_analysis *a, const jn_onoff *onoff)
{
    jn_implicit *f = NULL;
    jn_mode_analysis_clear(out);
    jn_implicit_mode(&out->equation, a->implicit, onoff);
    out->status_at_values = out->equation.status;
    out->stable = out->control.holds = out->observe.holds = JN_UNKNOWN;
    if (is_special(a, onoff)) {
        jn_diags *unsaid = jn_diags_new();
        jn_guard here = jn_guard_mode(a->with_values->ring.guards, onoff);
        if (jn_implicit_derive_where(&f, a->with_values, here, unsaid) == JN_OK)
            answer_special(out, a, onoff, f);
        jn_diags_free(unsaid);
        jn_implicit_free(f);
    } else if (out->equation.status == JN_MODE_OK) {
        answer(out, a, onoff, NULL, NULL);
    }
}

/* ---- asking -------------------------------------------------------------------------------- */

const jn_dynamics *jn_mode_dynamics(const jn_mode_analysis *m)
{
    return m->generic.known ? &m->generic : &m->valued;
}

bool jn_mode_dependence(jn_combination *c, const jn_mode_analysis *m, const jn_analysis *a,
                        int storage)
{
    const jn_dynamics *d = jn_mode_dynamics(m);
    *c = (jn_combination){0};
    if (!d->regular)
        return false;
    for (int i = 0; i < d->order; i++)
        if (d->state[i] == storage)
            return false;
    c->x = jn_alloc((size_t)m->equation.n * sizeof *c->x);
    c->u = jn_alloc((size_t)m->equation.ninputs * sizeof *c->u);
    for (int i = 0; i < d->order; i++) {
        jn_ratfun v = jn_dense_get(&d->V, storage, i);
        c->x[d->state[i]] = v;
        /* z = xs − Us u */
        for (int j = 0; j < m->equation.ninputs && d->index; j++)
            c->u[j] =
                jn_ratfun_sub(a->field, c->u[j],
                              jn_ratfun_mul(a->field, v, jn_dense_get(&d->U[0], d->state[i], j)));
    }
    for (int j = 0; j < m->equation.ninputs && d->index; j++)
        c->u[j] = jn_ratfun_add(a->field, c->u[j], jn_dense_get(&d->U[0], storage, j));
    return true;
}

const char *jn_reachability_differs(const jn_mode_analysis *m, bool control)
{
    const jn_structural *s = control ? &m->control : &m->observe;
    const jn_reachability *generic = control ? &m->generic.control : &m->generic.observe;
    const jn_reachability *valued = control ? &m->valued.control : &m->valued.observe;
    bool both = m->generic.known && m->valued.known;
    if (both && generic->exact == JN_YES && valued->exact == JN_NO)
        return "the values given cancel: for nearly all others the answer is yes";
    const jn_reachability *r = m->generic.known ? generic : valued;
    if (s->holds == JN_YES && r->exact == JN_NO)
        return m->generic.known
                   ? "elements share parameters or fixed numbers, which cancel for all values"
                   : "the numbers cancel: causality alone does not see values";
    return NULL;
}
