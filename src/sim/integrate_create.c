/* integrate_create.c: what the engine has of its own: its unknowns, and room for them. */
#include "integrate.h"

#include <stdlib.h>
#include <string.h>

/* ---- what is unknown ----------------------------------------------------------------------- */

static quantity make_quantity(const model *m, const jn_expr *e, int *next)
{
    return (quantity){e, jni_reads_model(m, e) ? (*next)++ : -1};
}

static void add_modulated(unknowns *k, const model *m, int element, int *next)
{
    const jn_element *x = &m->g->element[element];
    const int *param;
    jn_ratfun_params(&param, m->g->field, x->value);
    k->modulated[k->nmodulated] =
        (modulated){element, param[0], make_quantity(m, x->modulation, next), {1, 0}};
    if (jn_kind_is_storage(x->kind) || x->kind == JN_R)
        k->value_of[x->kind == JN_R ? m->nx + x->number : x->number] = k->nmodulated;
    k->nmodulated++;
}

static bool is_modulated(const model *m, int element)
{
    return m->g->element[element].modulated && !jni_is_switched_element(m, element);
}

static void find_unknowns(unknowns *k, const model *m, const branches *b)
{
    const jn_graph *g = m->g;
    int next = m->nx + m->nr;
    k->source = jn_alloc((size_t)m->nu * sizeof *k->source);
    k->modulated = jn_alloc((size_t)g->nelements * sizeof *k->modulated);
    k->value_of = jn_alloc((size_t)(m->nx + m->nr) * sizeof *k->value_of);
    k->co_state = jn_alloc((size_t)m->nx * sizeof *k->co_state);
    k->first_r = m->nx;
    k->first_a = next;
    for (int i = 0; i < m->nx; i++) {
        bool own = g->element[g->storage[i]].nonlinear || is_modulated(m, g->storage[i]);
        k->co_state[i] = own ? next++ : -1;
    }
    for (int i = 0; i < m->nx + m->nr; i++)
        k->value_of[i] = -1;
    for (int i = 0; i < g->nelements; i++)
        if (is_modulated(m, i))
            add_modulated(k, m, i, &next);
    for (int i = 0; i < m->nu; i++)
        k->source[i] = make_quantity(m, g->element[g->source[i]].input, &next);
    k->share = jn_alloc((size_t)jni_branches_count(b) * sizeof *k->share);
    for (int i = 0; i < jni_branches_count(b); i++)
        k->share[i] = jni_branch_is_simple(b, i) ? next++ : -1;
    k->first_s = next;
    k->n = next + m->ns;
    k->bends = k->first_a < k->first_s || k->nmodulated;
    for (int r = 0; r < m->nr; r++)
        k->bends |= g->element[g->resistor[r]].nonlinear;
}

static dual *duals(int n)
{
    return jn_alloc((size_t)n * sizeof(dual));
}

static void make_workspace(workspace *w, const model *m, int n)
{
    int columns = 2 * m->g->nbonds + 2 * jni_port_count(m);
    w->param = jni_doubles(m->g->nparams);
    w->change = jni_doubles(m->g->nparams);
    w->col = duals(columns);
    w->jump = duals(columns);
    w->Y = duals(n);
    w->Yp = duals(n);
    w->F = duals(n);
    w->u = jni_doubles(m->nu);
    w->sum = jni_doubles(columns);
    w->size = jni_doubles(columns);
}

static int kind_of(const model *m, int storage)
{
    return m->g->element[m->g->storage[storage]].kind;
}

/* Energy goes to and fro between I and C; where there is one kind, between one and the rest. */
static bool is_partner(const model *m, int storage)
{
    bool both = false;
    for (int i = 1; i < m->nx; i++)
        both = both || kind_of(m, i) != kind_of(m, 0);
    return storage == 0 || (both && kind_of(m, storage) == kind_of(m, 0));
}

/* Where another engine has come so far, states that are nothing now may be what is left of large ones. */
static void remember(integrate *n)
{
    double energy = 2 * fmax(n->s->ledger.most_stored, 0);
    for (int i = 0; i < n->s->model.nx && energy < MOST_STATE; i++)
        n->size.peak[i] = NOISE_OF_PAST * sqrt(energy * fabs(n->s->model.storage[i]));
}

static void make_sizes(integrate *n)
{
    const model *m = &n->s->model;
    n->size.peak = jni_doubles(n->k.n);
    n->size.largest = jni_doubles(2 * m->g->nbonds);
    n->size.around = jni_doubles(n->k.n);
    n->size.floor = jni_doubles(n->k.n);
    n->size.beside = jni_doubles(2 * m->g->nbonds);
    n->size.at_element = jni_doubles(m->g->nelements);
    n->size.tied = jni_doubles(m->nx);
}

static void make_energies(integrate *n)
{
    const model *m = &n->s->model;
    n->energy.is_driven = jn_alloc((size_t)m->nx * sizeof *n->energy.is_driven);
    n->energy.is_damped = jn_alloc((size_t)m->nx * sizeof *n->energy.is_damped);
    n->energy.is_partner = jn_alloc((size_t)m->nx * sizeof *n->energy.is_partner);
    for (int i = 0; i < m->nx; i++) {
        n->energy.is_driven[i] = jni_is_driven(m, i);
        n->energy.is_damped[i] = jni_is_damped(m, i);
        n->energy.is_partner[i] = is_partner(m, i);
    }
}

void jni_integrate_begin(jn_sim *s)
{
    const model *m = &s->model;
    integrate *n = s->own = jn_alloc(sizeof *n);
    n->s = s;
    find_unknowns(&n->k, m, s->branches);
    make_workspace(&n->w, m, n->k.n);
    n->rhs = jni_doubles(n->k.n);
    n->trial = jni_doubles(n->k.n);
    n->y = jni_doubles(n->k.n);
    n->yp = jni_doubles(n->k.n);
    n->kept = jni_doubles(3 * n->k.n);
    make_sizes(n);
    n->came = (struct given_states){.t = s->clock.t,
                                    .faded = s->clock.t,
                                    .x = jni_doubles(m->nx),
                                    .off = jni_doubles(m->nx),
                                    .peak = jni_doubles(m->nx),
                                    .seen = jni_doubles(m->nx)};
    n->flat = jn_alloc((size_t)m->nr * sizeof *n->flat);
    n->faint = jni_doubles(m->nr);
    n->is_of_others = jn_alloc((size_t)n->k.n * sizeof *n->is_of_others);
    n->like = jni_doubles(m->nr);
    n->loses = jn_alloc((size_t)m->nr * sizeof *n->loses);
    n->is_read = jn_alloc((size_t)m->nx * sizeof *n->is_read);
    n->look = jni_doubles(2 * jni_obs_count(m));
    n->put.z = jni_doubles(2 * jni_obs_count(m));
    n->put.discrete = jni_doubles(m->nd);
    n->put.state = jn_alloc((size_t)m->g->nswitches * sizeof *n->put.state);
    n->put.onoff = jn_alloc((size_t)m->g->nswitches);
    make_energies(n);
    remember(n);
    n->follower = jni_follower_new(n);
    n->sampler = jni_sampler_new(n);
}

void jni_integrate_end(jn_sim *s)
{
    integrate *n = s->own;
    if (!n)
        return;
    double *each[] = {
        n->rhs,          n->trial,    n->y,           n->yp,          n->size.peak,
        n->size.largest, n->put.z,    n->w.param,     n->w.change,    n->w.u,
        n->w.sum,        n->w.size,   n->size.around, n->size.beside, n->size.at_element,
        n->look,         n->kept,     n->size.tied,   n->like,        n->size.floor,
        n->came.x,       n->came.off, n->came.peak,   n->came.seen,   n->faint};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        free(each[i]);
    dual *pairs[] = {n->w.col, n->w.jump, n->w.Y, n->w.Yp, n->w.F};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        free(pairs[i]);
    jni_follower_free(n->follower);
    jni_sampler_free(n->sampler);
    jn_str_clear(&n->explanation);
    free(n->k.source);
    free(n->k.modulated);
    free(n->k.value_of);
    free(n->k.co_state);
    free(n->k.share);
    free(n->energy.is_driven);
    free(n->is_of_others);
    jni_flat_clear(n);
    free(n->loses);
    free(n->is_read);
    free(n->energy.is_damped);
    free(n->energy.is_partner);
    free(n->put.state);
    free(n->put.discrete);
    free(n->put.onoff);
    free(n);
    s->own = NULL;
}

double jni_integrate_tolerance(const integrate *n)
{
    return n->s->o.rtol > 0 ? n->s->o.rtol : STEP_RTOL;
}
