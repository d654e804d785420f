/* numeric.c: models that are not linear.
 *
 * Elements with laws of their own, values and sources that follow the model, integrals of
 * anything: such a model is followed by steps of an integrator. Everything else of a run stays as
 * it is, because z is then simply all observables (bond variables, states, integrals), and a
 * stretch is one step of the integrator, with a polynomial for each observable that is watched.
 *
 * The equations of a mode have the unknowns
 *
 *     y = (x, Din, a, s)
 *
 * x: all storages, whatever their causality; Din: the inputs of the resistors; a: co-states of
 * storages that are not linear, modulated values and sources whose expressions read the model, and
 * the shares of branches (numeric_slide.c); s: integrals. Where they are in y does not depend on
 * the mode, so the values of one mode are a good first guess in the next. With positive laws the
 * equations have index 1.
 *
 * Between events prior(x) reads x: that is the limit of small steps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numeric.h"

/* ---- what is unknown ------------------------------------------------------------------------- */

static quantity make_quantity(const jn_sim *s, const jn_expr *e, int *next)
{
    return (quantity){e, jn_reads_model(s, e) ? (*next)++ : -1};
}

static void add_modulated(numeric *n, int element, int *next)
{
    const jn_element *x = &n->s->g->element[element];
    const int *param;
    jn_ratfun_params(&param, n->s->g->field, x->value);
    n->modulated[n->nmodulated] =
        (modulated){element, param[0], make_quantity(n->s, x->modulation, next), {1, 0}};
    bool has_place = jn_kind_is_storage(x->kind) || x->kind == JN_R;
    if (has_place)
        n->value_of[x->kind == JN_R ? n->s->N + x->number : x->number] = n->nmodulated;
    n->nmodulated++;
}

static void find_unknowns(numeric *n)
{
    const jn_sim *s = n->s;
    const jn_graph *g = s->g;
    int next = s->N + s->nr;
    n->first_r = s->N;
    n->first_a = next;
    for (int i = 0; i < s->N; i++) {
        const jn_element *x = &g->element[g->storage[i]];
        n->co_state[i] = x->nonlinear || x->modulated ? next++ : -1;
    }
    for (int i = 0; i < s->N + s->nr; i++)
        n->value_of[i] = -1;
    for (int i = 0; i < g->nelements; i++)
        if (g->element[i].modulated)
            add_modulated(n, i, &next);
    for (int k = 0; k < s->m; k++)
        n->source[k] = make_quantity(s, g->element[g->source[k]].input, &next);
    for (int k = 0; k < n->nbranches; k++)
        n->share[k] = jn_branch_can_slide(s, jn_generator_branches(s->gen), k) ? next++ : -1;
    n->first_s = next;
    n->n = next + s->ni;
}

static double *doubles(int n)
{
    return jn_alloc((size_t)n * sizeof(double));
}

static dual *duals(int n)
{
    return jn_alloc((size_t)n * sizeof(dual));
}

numeric *jn_numeric_new(jn_sim *s)
{
    numeric *n = jn_alloc(sizeof *n);
    const jn_graph *g = s->g;
    int columns = jn_program_columns(s);
    n->s = s;
    n->source = jn_alloc((size_t)s->m * sizeof *n->source);
    n->modulated = jn_alloc((size_t)g->nelements * sizeof *n->modulated);
    n->value_of = jn_alloc((size_t)(s->N + s->nr) * sizeof *n->value_of);
    n->co_state = jn_alloc((size_t)s->N * sizeof *n->co_state);
    n->nbranches = jn_branches_count(jn_generator_branches(s->gen));
    n->share = jn_alloc((size_t)n->nbranches * sizeof *n->share);
    n->slide = jn_alloc((size_t)n->nbranches * sizeof *n->slide);
    n->turns = jn_alloc((size_t)n->nbranches * sizeof *n->turns);
    n->held = doubles(n->nbranches);
    n->surface = doubles(n->nbranches);
    find_unknowns(n);
    n->param = doubles(g->nparams);
    n->change = doubles(g->nparams);
    n->col = duals(columns);
    n->jump = duals(columns);
    n->Y = duals(n->n);
    n->Yp = duals(n->n);
    n->F = duals(n->n);
    n->u = doubles(s->m);
    n->matrix = doubles(n->n * n->n);
    n->rhs = doubles(n->n);
    n->trial = doubles(n->n);
    n->y = doubles(n->n);
    n->yp = doubles(n->n);
    n->peak = doubles(n->n);
    n->z = doubles(jn_obs_count(s));
    n->grain = doubles(jn_obs_count(s));
    n->largest = doubles(2 * g->nbonds);
    n->sum = doubles(columns);
    n->size = doubles(columns);
    n->is_driven = jn_alloc((size_t)s->N * sizeof *n->is_driven);
    for (int i = 0; i < s->N; i++)
        n->is_driven[i] = jn_numeric_is_driven(s, i);
    n->follower = jn_follower_new(n);
    n->sampler = jn_sampler_new(n);
    return n;
}

void jn_numeric_free(numeric *n)
{
    if (!n)
        return;
    jn_follower_free(n->follower);
    jn_sampler_free(n->sampler);
    jn_str_clear(&n->explanation);
    free(n->is_driven);
    free(n->share);
    free(n->slide);
    free(n->turns);
    free(n->held);
    free(n->surface);
    free(n->source);
    free(n->modulated);
    free(n->value_of);
    free(n->co_state);
    free(n->param);
    free(n->change);
    free(n->col);
    free(n->jump);
    free(n->Y);
    free(n->Yp);
    free(n->F);
    free(n->u);
    free(n->matrix);
    free(n->rhs);
    free(n->trial);
    free(n->y);
    free(n->yp);
    free(n->peak);
    free(n->z);
    free(n->grain);
    free(n->largest);
    free(n->sum);
    free(n->size);
    free(n);
}

/* ---- a mode's table -------------------------------------------------------------------------- */

/* Nothing but zeros says little of a value: what its expression gives there is the first guess. */
static void guess(numeric *n, double t, const double *x, const double *integrals)
{
    if (n->has_guess)
        return;
    n->has_guess = true;
    for (int i = 0; i < n->s->N; i++)
        n->Y[i] = (dual){x[i], 0};
    for (int k = 0; k < n->s->ni; k++)
        n->Y[n->first_s + k] = (dual){integrals[k], 0};
    moment at = {.s = n->s,
                 .col = n->col,
                 .x = n->Y,
                 .integral = n->Y + n->first_s,
                 .t = {t, 0},
                 .prior = n->prior};
    for (int i = 0; i < n->nmodulated; i++)
        if (n->modulated[i].q.at >= 0) {
            double value = jn_tangent(&at, n->modulated[i].q.e).v;
            n->y[n->modulated[i].q.at] = isfinite(value) && value != 0 ? value : 1;
        }
}

void jn_numeric_enter(double *z, double *x_after, const jn_sim *s, mode_table *m, const double *x,
                      const double *integrals)
{
    numeric *n = s->numeric;
    guess(n, s->t, x, integrals);
    jn_follower_restart(n->follower);
    if (!jn_numeric_solve(n, m, s->t, x, integrals) &&
        !jn_numeric_solve_otherwise(n, m, s->t, x, integrals)) {
        jn_str why;
        m->status = JN_MODE_SINGULAR;
        free(m->reason);
        jn_str_init(&why);
        jn_str_add(&why, "no values were found that satisfy its equations");
        m->reason = why.s;
        return;
    }
    memcpy(x_after, n->y, (size_t)s->N * sizeof *x_after);
    jn_numeric_observe(z, n, m, s->t, n->y, n->yp);
    /* what goes on through the instant must look the same in every mode as on the stretch before:
     * only rounding is added */
    if (m != s->now)
        jn_numeric_raise_grains(n, m, s->now ? 1e-2 : 1);
    memcpy(n->z, z, (size_t)m->nz * sizeof *z);
    n->z_t = s->t;
}

/* What the integrator gives satisfies the algebraic rows as well as it satisfies anything. At an
 * event they should hold to rounding: there, equal efforts are compared. */
static void agree(double *x, numeric *n, mode_table *m, const double *z)
{
    const jn_sim *s = n->s;
    n->prior = NULL;
    if (jn_numeric_solve(n, m, s->t, x, z + 2 * s->g->nbonds + s->N))
        memcpy(x, n->y, (size_t)s->N * sizeof *x);
}

void jn_numeric_state(double *x, const jn_sim *s, mode_table *m, const double *z)
{
    memcpy(x, z + 2 * s->g->nbonds, (size_t)s->N * sizeof *x);
    if (m->program->is_dependent)
        agree(x, s->numeric, m, z);
    memcpy(s->numeric->z, z, (size_t)jn_obs_count(s) * sizeof *z);
    s->numeric->z_t = s->t;
    jn_numeric_shift(s, x);
}

void jn_numeric_prior(jn_sim *s, const view *prior)
{
    s->numeric->prior = prior;
}

void jn_numeric_inputs(double *u, const jn_sim *s)
{
    memcpy(u, s->numeric->u, (size_t)s->m * sizeof *u);
}

double jn_numeric_tolerance(const numeric *n)
{
    bool fixed = n->s->o.method == JN_METHOD_RK4 || n->s->o.method == JN_METHOD_EULER;
    return fixed ? 1e-14 : n->s->o.rtol > 0 ? n->s->o.rtol : 1e-11;
}

/* What an observable is made of sets how well it is known: it may be a small difference. */
void jn_numeric_raise_grains(numeric *n, const mode_table *m, double times)
{
    const jn_sim *s = n->s;
    double unit = times * jn_numeric_unit(s), *grain = n->grain;
    int columns = jn_program_columns(s), bonds = 2 * s->g->nbonds;
    memset(n->size, 0, (size_t)columns * sizeof *n->size);
    for (int i = 0; i < jn_port_count(s); i++)
        n->size[m->program->in[i]] = fabs(n->col[m->program->in[i]].v);
    jn_program_sums(m->program, n->sum, n->size);
    for (int c = 0; c < bonds; c++)
        grain[c] = fmax(grain[c], unit * fmax(n->size[c], 1e-3 * n->largest[c]));
    for (int i = 0; i < s->N + s->ni; i++) {
        int k = i < s->N ? i : n->first_s + i - s->N;
        grain[bonds + i] = fmax(grain[bonds + i], unit * fmax(fabs(n->Y[k].v), 1e-3 * n->peak[k]));
    }
}

double jn_numeric_grain(const jn_sim *s, int obs)
{
    return s->numeric->grain[obs];
}

/* The errors of IDA and of fixed steps add up; Radau's method is well within its tolerance. */
double jn_numeric_unit(const jn_sim *s)
{
    bool radau = s->o.method == JN_METHOD_AUTO || s->o.method == JN_METHOD_RADAU;
    return (radau ? 0.1 : 10) * jn_numeric_tolerance(s->numeric);
}

const char *jn_numeric_why(const jn_sim *s)
{
    return s->numeric && s->numeric->why ? s->numeric->why : "the solution goes no further";
}

/* ---- impulses, and what is driven without bound ---------------------------------------------- */

/* The value of an observable of a bond for given inputs of the ports: exactly zero where it is
 * only rounding. */
static double carry(const jn_sim *s, const mode_table *m, int obs, double *sum, double *size,
                    double rounding)
{
    jn_program_sums(m->program, sum, size);
    double sign = obs % 2 ? s->j->flow_sign[obs / 2] : 1;
    bool is_there = !m->program->open[obs] && fabs(sum[obs]) > rounding * size[obs];
    return is_there ? sign * sum[obs] : 0;
}

static double impulse(const jn_sim *s, const mode_table *m, int obs, const double *from,
                      const double *to, double rounding)
{
    numeric *n = s->numeric;
    size_t bytes = (size_t)jn_program_columns(s) * sizeof(double);
    memset(n->sum, 0, bytes);
    memset(n->size, 0, bytes);
    for (int i = 0; i < s->N; i++)
        if (!m->program->integral[i]) {
            int in = m->program->in[i];
            n->sum[in] = to[i] - from[i];
            n->size[in] =
                fabs(to[i]) + fabs(from[i]) + 1e-2 * sqrt(2 * s->most_stored * fabs(s->storage[i]));
        }
    return carry(s, m, obs, n->sum, n->size, rounding);
}

double jn_numeric_impulse(const jn_sim *s, const mode_table *m, int obs, const double *from,
                          const double *to)
{
    return impulse(s, m, obs, from, to, 1e-14);
}

bool jn_numeric_is_clear(const view *v, int obs)
{
    double rounding = fmax(1e-11, 100 * jn_numeric_tolerance(v->s->numeric));
    return impulse(v->s, v->m, obs, v->from, v->to, rounding) != 0;
}

/* What the sources that lost their input are off by, as inputs of the ports. */
static void put_conflict(double *sum, double *size, const jn_sim *s, const mode_table *m,
                         const double *u)
{
    int columns = jn_program_columns(s), first = s->N + s->nr;
    double *given = doubles(columns), *most = doubles(columns);
    for (int k = 0; k < s->m; k++) {
        int in = m->program->in[first + k];
        given[in] = m->is_lost[k] ? 0 : u[k];
        most[in] = fabs(given[in]);
    }
    jn_program_sums(m->program, given, most);
    for (int k = 0; k < s->m; k++) {
        if (!m->is_lost[k])
            continue;
        int in = m->program->in[first + k], out = m->program->out[first + k];
        int element = s->g->source[k];
        bool tail = s->g->bond[s->g->element[element].bond[0]].tail == element;
        sum[in] = (tail ? 1 : -1) * (u[k] - given[out]);
        size[in] = fabs(u[k]) + most[out];
    }
    free(given);
    free(most);
}

double jn_numeric_infinite(const jn_sim *s, const mode_table *m, int obs, const double *u)
{
    int columns = jn_program_columns(s);
    double *sum = doubles(columns), *size = doubles(columns);
    put_conflict(sum, size, s, m, u);
    double direction = carry(s, m, obs, sum, size, 1e-12);
    free(sum);
    free(size);
    return direction;
}

/* ---- in the middle of a run ------------------------------------------------------------------ */

/* The tables of modes from here on are the integrator's; those entered so far stay known. */
static void change_tables(jn_sim *s)
{
    size_t width = (size_t)s->g->nswitches;
    jn_onoff *entered = jn_alloc((size_t)s->ntables * width);
    int n = 0;
    for (int i = 0; i < s->ntables; i++)
        if (s->table[i]->entered)
            memcpy(entered + (size_t)n++ * width, s->table[i]->onoff, width);
    jn_mode_tables_clear(s);
    s->nv = 0;
    s->numeric = jn_numeric_new(s);
    for (int i = 0; i < n; i++)
        jn_mode_table_get(s, entered + (size_t)i * width)->entered = true;
    free(entered);
}

jn_status jn_numeric_take_over(jn_sim *s, jn_stopped *stop)
{
    generator *old = s->gen;
    s->gen = jn_generator_of_branches(s);
    jn_generator_free(old);
    change_tables(s);
    s->chatter_from = NULL;
    jn_conditions_clear(s); /* the new branches have comparisons of their own */
    jn_conditions_init(s);
    s->now = NULL;
    mode_table *m = jn_mode_table_get(s, s->mode);
    jn_reserve_z(s, m->nz);
    jn_numeric_enter(s->z, s->x, s, m, s->x, s->s);
    s->now = m;
    if (m->status != JN_MODE_OK)
        return jn_stop_run(stop, s, JN_STOP_SINGULAR, "at t = %.17g: %s", s->t, m->reason);
    jn_conditions_note(s);
    return JN_OK;
}
