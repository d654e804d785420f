/* sensitivity.c: what the means of an orbit do when a value changes.
 *
 * An orbit closes: y = P(y, θ). Where θ changes by δθ it closes elsewhere,
 *
 *     (1 − ∂P/∂y)·δy = ∂P/∂θ·δθ,      δmean = (∂I/∂y·δy + ∂I/∂θ·δθ)/T
 *
 * with I = ∫ y dt over one period. ∂P/∂y and ∂I/∂y are those of the chain along the orbit, the linearisation
 * that multipliers and responses come from, and so is what a value does within one period (value_chain.c). Only where
 * the chain does not tell that is a difference of runs of one period. No other orbit is looked for: an orbit that does not
 * attract has slopes like any other.
 *
 * A value that moves the clock moves the start as well, and one that storages tied to each other have in common makes
 * the old start no state of the mode: there orbits on both sides are compared. */
#include <stdlib.h>
#include <string.h>

#include "periodic_internal.h"

#define SLIGHTLY 1e-7 /* parts of a value */

typedef struct {
    jn_graph *g;
    const char *name;
    fmpq_t value;
    int source; /* an element; −1: it is a parameter */
} knob;

typedef struct {
    search q;
    const jn_steady_options *o;
    const jn_steady *orbit;
    int n, nv;
    double T;
    slopes by;
    double *size;  /* n + nv: of what one period says */
    bool is_exact; /* ∂I/∂y is that of the chain */
    char *modes;
    double *rate, *end; /* of a free orbit: of all numbers, and the values, where it closes */
    /* A run of its own, whose values are changed: */
    jn_sim *sim;
    orbit_map map;
    measure measure;
    const knob *knob; /* what is varied: a value, or with NULL the number `which` */
    int which;
} sensing;

/* ---- turning a knob ------------------------------------------------------------------------ */

/* To value·(1 + ε); ε is rounded to parts of 10¹⁰. */
static bool turn_by(const knob *k, double epsilon)
{
    const char *why;
    const long parts = 10000000000;
    fmpq_t x;
    fmpq_init(x);
    fmpq_set_si(x, parts + lround(epsilon * (double)parts), (unsigned long)parts);
    fmpq_mul(x, x, k->value);
    jn_status st = jn_graph_set(k->g, k->name, x, &why);
    fmpq_clear(x);
    return st == JN_OK;
}

/* As it was written. */
static void turn_back(const knob *k, const jn_expr *input)
{
    (void)!turn_by(k, 0);
    if (input)
        k->g->element[k->source].input = input;
}

static const jn_expr *written(const knob *k)
{
    return k->source >= 0 ? k->g->element[k->source].input : NULL;
}

static bool mentions_params(const jn_expr *e)
{
    if (e->op == JN_X_PARAM)
        return true;
    for (int i = 0; i < e->nargs; i++)
        if (mentions_params(e->arg[i]))
            return true;
    return false;
}

/* A parameter or source whose value is a number of its own, other than 0. */
static bool take_knob(knob *k, int i)
{
    const jn_graph *g = k->g;
    bool is_param = i < g->nparams;
    const jn_expr *e;
    jn_ratfun r;
    k->source = is_param ? -1 : g->source[i - g->nparams];
    k->name = is_param ? g->param[i].name : g->element[k->source].name;
    e = is_param ? g->param[i].given : g->element[k->source].input;
    if (!e || mentions_params(e) || jn_expr_ratfun(&r, g->field, e) != JN_OK)
        return false;
    if (is_param)
        r = g->param[i].value;
    return jn_ratfun_get_fmpq(k->value, g->field, r) && !fmpq_is_zero(k->value);
}

/* ---- one period with other values ---------------------------------------------------------- */

static bool run_varied(double *out, double epsilon, void *ctx)
{
    sensing *s = ctx;
    jn_diags *d = jn_diags_new();
    double *y = jni_room(s->n);
    memcpy(y, s->q.y, (size_t)s->n * sizeof *y);
    bool ok = true;
    if (s->knob)
        ok = turn_by(s->knob, epsilon) && jn_sim_restart(s->sim, NULL, d) == JN_OK;
    else
        y[s->which] += epsilon * s->q.map.scale[s->which];
    s->map.measure = &s->measure;
    ok = ok && jni_map_run(&s->map, y, out) == JN_OK && !strcmp(jn_str_c(&s->map.modes), s->modes);
    for (int v = 0; v < s->nv && ok; v++)
        out[s->n + v] = jni_measure_product(&s->measure, v, -1);
    free(y);
    jn_diags_free(d);
    return ok;
}

/* ∂I/∂y where the chain does not tell. */
static bool vary_numbers(sensing *s)
{
    double *column = jni_room(s->n + s->nv), off;
    bool ok = true;
    s->knob = NULL;
    for (s->which = 0; s->which < s->n && ok; s->which++) {
        ok = jni_differentiate(column, &off, s->n + s->nv, s->size, run_varied, s);
        for (int v = 0; v < s->nv && ok; v++)
            s->by.by_y[s->which * s->nv + v] = column[s->n + v] / s->q.map.scale[s->which];
    }
    free(column);
    return ok;
}

/* The links of the orbit's chain with another value. */
static bool links_varied(double *out, double epsilon, void *ctx)
{
    sensing *s = ctx;
    jn_diags *d = jn_diags_new();
    bool ok = turn_by(s->knob, epsilon) && jn_sim_restart(s->sim, NULL, d) == JN_OK &&
              jn_chain_local(out, s->q.map.chain, s->sim, s->measure.probe);
    jn_diags_free(d);
    return ok;
}

/* What a knob does within one period, by the chain of the orbit; per 1 of its value. */
static bool follow_knob(sensing *s, const knob *k, double step)
{
    const jn_expr *input = written(k);
    double value = jn_number_get_d(k->value);
    s->knob = k;
    bool ok = jni_value_slopes(&s->by, &s->q, step, links_varied, s);
    turn_back(k, input);
    for (int i = 0; i < s->n; i++)
        s->by.map[i] /= value;
    for (int v = 0; v < s->nv; v++)
        s->by.integral[v] /= value;
    return ok;
}

/* The same of a source, as responses have it. Where they do not know it, a condition may still be followed as that of a
 * value: the chain is made anew without the source. */
static bool follow_source(sensing *s, const knob *k)
{
    if (!s->is_exact || k->source < 0)
        return false;
    if (jni_chain_slopes(&s->by, &s->q, s->q.g->element[k->source].number))
        return true;
    s->is_exact = jni_chain_slopes(&s->by, &s->q, -1);
    return false;
}

/* The same by differences of runs. */
static bool vary_knob(sensing *s, const knob *k, double *off)
{
    double *both = jni_room(s->n + s->nv), value = jn_number_get_d(k->value);
    const jn_expr *input = written(k);
    s->knob = k;
    bool ok = jni_differentiate(both, off, s->n + s->nv, s->size, run_varied, s);
    turn_back(k, input);
    for (int i = 0; i < s->n; i++)
        s->by.map[i] = both[i] / value;
    for (int v = 0; v < s->nv; v++)
        s->by.integral[v] = both[s->n + v] / value;
    free(both);
    return ok;
}

/* ---- where it closes then ------------------------------------------------------------------ */

/* δy in parts of the scales, and of a free orbit δT behind it; false: nothing determines it. */
static bool close_again(double *delta, double *gain, const sensing *s)
{
    const search *q = &s->q;
    const orbit_map *m = &q->map;
    int n = s->n, size = n + (s->rate != NULL);
    double *A = jni_room(size * size), largest = 1;
    memset(delta, 0, (size_t)(n + 1) * sizeof *delta);
    for (int i = 0; i < n; i++) {
        if (!m->counts[i]) {
            A[i * size + i] = 1;
            continue;
        }
        for (int k = 0; k < n; k++)
            if (m->counts[k]) {
                double a = q->J[i * n + k] * m->scale[k] / m->scale[i];
                largest = fmax(largest, fabs(a));
                A[i * size + k] = (i == k) - a;
            }
        delta[i] = s->by.map[i] / m->scale[i];
        if (s->rate) {
            A[i * size + n] = -s->rate[i] / m->scale[i];
            A[n * size + i] = s->rate[i] / m->scale[i]; /* the phase stays */
        }
    }
    basic_solution x = jni_solve_basic(A, delta, size, fmax(1e-12 * largest, 10 * q->error));
    *gain = 1 / fmin(x.smallest, 1);
    free(A);
    return x.open == 0;
}

static void find_slopes(double *slope, double *error, const sensing *s, double off)
{
    double *delta = jni_room(s->n + 1), gain;
    bool ok = close_again(delta, &gain, s);
    for (int v = 0; v < s->nv; v++) {
        double sum = s->by.integral[v];
        for (int i = 0; i < s->n; i++)
            sum += s->by.by_y[i * s->nv + v] * delta[i] * s->q.map.scale[i];
        if (s->rate) /* a longer period: what comes at its end is added, and the mean is over more */
            sum += delta[s->n] * (s->end[v] - jni_measure_product(&s->q.measure, v, -1) / s->T);
        slope[v] = ok ? sum / s->T : NAN;
        error[v] = off * gain * s->size[s->n + v] / s->T;
    }
    free(delta);
}

/* ---- orbits on both sides ------------------------------------------------------------------- */

static bool moves_the_clock(sensing *s, const knob *k)
{
    clock_of_model c;
    jn_diags *d = jn_diags_new();
    const jn_expr *input = written(k);
    bool ok = turn_by(k, 1e-3) && jn_sim_restart(s->sim, NULL, d) == JN_OK;
    jni_clock_find(&c, s->sim, k->g);
    bool moves = ok && (c.period != s->q.clock.period || c.start != s->q.clock.start);
    jni_clock_clear(&c);
    turn_back(k, input);
    jn_diags_free(d);
    return moves && s->o->period == 0;
}

static bool have_same_modes(const jn_steady *a, const jn_steady *b)
{
    size_t size = (size_t)a->graph->nswitches * sizeof *a->mode[0].mode;
    bool same = a->nmodes == b->nmodes;
    for (int i = 0; i < a->nmodes && same; i++)
        same = memcmp(a->mode[i].mode, b->mode[i].mode, size) == 0;
    return same;
}

/* The mean of each value of the orbit with the knob at value·(1 + ε); false: there is none, or it passes through other
 * modes, and a difference would be one across a corner. */
static bool means_at(double *mean, double epsilon, void *ctx)
{
    const sensing *s = ctx;
    jn_diags *d = jn_diags_new();
    jn_steady *o = NULL;
    bool ok = turn_by(s->knob, epsilon) && jn_steady_find(&o, s->knob->g, s->o, d) == JN_OK;
    ok = ok && have_same_modes(o, s->orbit);
    for (int i = 0; ok && i < o->nvalues; i++)
        mean[i] = o->value[i].mean;
    jn_steady_free(o);
    jn_diags_free(d);
    return ok;
}

static bool compare_orbits(double *slope, double *error, sensing *s, const knob *k)
{
    const jn_expr *input = written(k);
    double value = jn_number_get_d(k->value), off, *size = jni_room(s->nv);
    for (int v = 0; v < s->nv; v++)
        size[v] = s->size[s->n + v] / s->T;
    s->knob = k;
    bool ok = jni_differentiate(slope, &off, s->nv, size, means_at, s);
    turn_back(k, input);
    for (int v = 0; v < s->nv; v++) {
        slope[v] /= value;
        error[v] = off * size[v] / fabs(value);
    }
    free(size);
    return ok;
}

/* ---- all of it ----------------------------------------------------------------------------- */

/* Whether runs with a little more and a little less of the value pass through the same modes as the orbit does. On a corner, where two
 * conditions are met at once, they do not, and the chain tells of one side of it only. */
static bool stays_on_its_way(sensing *s, const knob *k)
{
    double *out = jni_room(s->n + s->nv);
    const jn_expr *input = written(k);
    s->knob = k;
    bool ok = run_varied(out, SLIGHTLY, s) && run_varied(out, -SLIGHTLY, s);
    turn_back(k, input);
    free(out);
    return ok;
}

/* By the chain. With another step all is the same but for rounding: that is how well it is known. */
static bool slopes_by_chain(double *slope, double *error, sensing *s, const knob *k)
{
    double *other = jni_room(2 * s->nv);
    bool ok = s->is_exact && follow_knob(s, k, 2e-3);
    if (ok)
        find_slopes(other, other + s->nv, s, 0);
    ok = ok && follow_knob(s, k, 1e-3);
    if (ok)
        find_slopes(slope, error, s, 0);
    for (int v = 0; v < s->nv && ok; v++)
        error[v] = fabs(slope[v] - other[v]);
    free(other);
    return ok;
}

static jn_slope_way slopes_of(double *slope, double *error, sensing *s, const knob *k)
{
    double off = 0;
    if (moves_the_clock(s, k) || !stays_on_its_way(s, k))
        return compare_orbits(slope, error, s, k) ? JN_SLOPE_ORBITS : JN_SLOPE_NONE;
    if (follow_source(s, k)) {
        find_slopes(slope, error, s, 0);
        return JN_SLOPE_LINEARISED;
    }
    if (slopes_by_chain(slope, error, s, k))
        return JN_SLOPE_LINEARISED;
    if (!vary_knob(s, k, &off))
        return JN_SLOPE_NONE;
    find_slopes(slope, error, s, off / fabs(jn_number_get_d(k->value)));
    return JN_SLOPE_PERIODS;
}

static void add(jn_sensitivity *to, sensing *s, const knob *k)
{
    int nv = s->nv, i = to->n++;
    to->name[i] = k->name;
    to->at[i] = jn_number_get_d(k->value);
    to->way[i] = slopes_of(to->slope + i * nv, to->error + i * nv, s, k);
    if (to->way[i] == JN_SLOPE_NONE)
        for (int v = 0; v < nv; v++)
            to->slope[i * nv + v] = to->error[i * nv + v] = NAN;
}

/* The orbit is there: all that its slopes need. */
static jn_status begin(sensing *s, const jn_graph *g, jn_diags *d)
{
    search *q = &s->q;
    jn_status st = jni_period_begin(&s->sim, &s->map, &s->measure, g, s->o, d);
    if (st != JN_OK)
        return st;
    st = jni_measure_like(&s->measure, q);
    s->map.mark = q->map.mark;
    s->map.t0 = q->map.t0;
    s->map.t1 = q->map.t1;
    s->T = q->map.t1 - q->map.t0;
    s->n = q->map.c.n;
    s->nv = q->nvalues;
    s->modes = jn_strdup(jn_str_c(&q->map.modes));
    s->by = (slopes){jni_room(s->n), jni_room(s->nv), jni_room(s->n * s->nv)};
    s->size = jni_room(s->n + s->nv);
    for (int i = 0; i < s->n; i++)
        s->size[i] = q->map.counts[i] ? q->map.scale[i] : 0;
    for (int v = 0; v < s->nv; v++)
        s->size[s->n + v] = sqrt(s->T * jni_measure_product(&q->measure, v, v));
    return st;
}

/* Of a free orbit: how all goes on where it closes. */
static bool find_end(sensing *s)
{
    search *q = &s->q;
    if (!s->o->is_free)
        return true;
    s->rate = jni_room(s->n);
    s->end = jni_room(s->nv);
    if (jni_map_run(&q->map, q->y, q->y1) != JN_OK)
        return false;
    jni_map_rates(s->rate, &q->map);
    for (int v = 0; v < s->nv; v++)
        s->end[v] = jn_sim_value(q->sim, q->measure.probe[v]);
    return true;
}

static void end(sensing *s)
{
    s->map.mark = NULL; /* that of the orbit */
    jni_period_end(s->sim, &s->map, &s->measure);
    free(s->by.map);
    free(s->by.integral);
    free(s->by.by_y);
    free(s->size);
    free(s->modes);
    free(s->rate);
    free(s->end);
}

static jn_status sense(jn_sensitivity *to, sensing *s, jn_graph *g, jn_diags *d)
{
    knob k = {.g = g};
    int most = g->nparams + g->nsources;
    to->name = jn_alloc((size_t)most * sizeof *to->name);
    to->at = jni_room(most);
    to->way = jn_alloc((size_t)most * sizeof *to->way);
    to->slope = jni_room(most * s->q.nvalues);
    to->error = jni_room(most * s->q.nvalues);
    const char *why_not = s->q.slides ? "the orbit slides all the time"
                          : s->q.is_one_of_many
                              ? "the orbit is one of a family, and nothing says to "
                                "which of them another value leads"
                              : NULL;
    jn_status st = why_not ? JN_UNABLE : begin(s, g, d);
    bool known = st == JN_OK && find_end(s);
    s->is_exact = known && jni_chain_slopes(&s->by, &s->q, -1);
    known = known && (s->is_exact || vary_numbers(s));
    fmpq_init(k.value);
    for (int i = 0; i < most && known; i++)
        if (take_knob(&k, i))
            add(to, s, &k);
    fmpq_clear(k.value);
    end(s);
    if (why_not)
        to->message = jn_strdup(why_not);
    else if (st == JN_OK && !known)
        to->message = jn_strdup(s->q.map.stop.why == JN_STOP_INTERRUPTED ||
                                        s->map.stop.why == JN_STOP_INTERRUPTED
                                    ? "it was asked to end"
                                    : "the orbit changes its modes with the smallest disturbance");
    return known ? JN_OK : st == JN_OK ? JN_UNABLE : st;
}

jn_status jn_sensitivity_find(jn_sensitivity **out, jn_graph *g, const jn_steady_options *o,
                              jn_diags *d)
{
    sensing s = {.o = o};
    *out = NULL;
    jn_status st = jni_search_begin(&s.q, g, o, false, d);
    if (st == JN_OK) {
        jn_sensitivity *to = *out = jn_alloc(sizeof *to);
        st = jni_search_run(&s.q);
        to->orbit = jni_steady_of(&s.q);
        s.orbit = to->orbit;
        if (st == JN_OK)
            st = sense(to, &s, g, d);
    }
    jni_search_end(&s.q);
    return st;
}

void jn_sensitivity_free(jn_sensitivity *s)
{
    if (!s)
        return;
    jn_steady_free(s->orbit);
    free(s->name);
    free(s->at);
    free(s->way);
    free(s->slope);
    free(s->error);
    free(s->message);
    free(s);
}
