/* witness.c: reading a solution of the solver, and trying it in a run.
 *
 * Nothing is called refuted before a run has done the same: the state goes, as doubles, through the
 * run's own iteration of the instant. */
#include "question.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ------------------------------------------------------------------------------- */

static fmpq *numbers(int n)
{
    fmpq *a = jn_alloc((size_t)n * sizeof *a + 1);
    for (int i = 0; i < n; i++)
        fmpq_init(a + i);
    return a;
}

static fmpq *told_numbers(logic *l, term *of, int n)
{
    fmpq *a = numbers(n);
    for (int i = 0; i < n; i++)
        jni_told_number(a + i, l, of[i]);
    return a;
}

/* a + ε·b */
static fmpq *told_moved(logic *l, term *of, term *slow, const fmpq_t epsilon, int n)
{
    fmpq *a = told_numbers(l, of, n), *b = slow ? told_numbers(l, slow, n) : NULL;
    for (int i = 0; i < n && b; i++) {
        fmpq_addmul(a + i, epsilon, b + i);
        fmpq_clear(b + i);
    }
    free(b);
    return a;
}

static void free_numbers(fmpq *a, int n)
{
    for (int i = 0; a && i < n; i++)
        fmpq_clear(a + i);
    free(a);
}

static int *told_states(const question *q, term **state)
{
    int *to = jn_alloc((size_t)q->g->nswitches * sizeof *to + 1);
    for (int k = 0; k < q->g->nswitches; k++)
        for (int s = 0; s < q->g->automaton[k].nstates; s++)
            if (jni_told(q->l, state[k][s]))
                to[k] = s;
    return to;
}

static jn_onoff *mode_of(const jn_graph *g, const int *state)
{
    jn_onoff *m = jn_alloc((size_t)g->nswitches + 1);
    for (int k = 0; k < g->nswitches; k++)
        m[k] = g->automaton[k].state[state[k]].on;
    return m;
}

static void read_fired(struct jn_witness_step *to, const question *q, const pass *p)
{
    int cap = 0;
    for (int k = 0; k < q->g->nswitches; k++)
        for (int t = 0; t < q->g->automaton[k].ntransitions; t++)
            if (jni_told(q->l, p->fires[k][t]) || jni_told(q->l, p->fires_after[k][t])) {
                JN_GROW(to->fired, to->nfired, cap);
                to->fired[to->nfired++] = (jn_fired){k, t};
            }
}

static bool reads_anything(const question *q, const jn_expr *e)
{
    return jni_expr_reads_model(q, e) || jn_expr_mentions(q->g, e, JN_X_DISCRETE) ||
           jn_expr_mentions(q->g, e, JN_X_ON) || jn_expr_mentions(q->g, e, JN_X_IN);
}

/* Of sources that time moves; where nothing depends on it: 0. */
static fmpq *told_rates(const view *at, const fmpq *epsilon)
{
    const question *q = at->q;
    fmpq *rate = numbers(q->g->nsources);
    fmpq_t slow;
    fmpq_init(slow);
    for (int k = 0; k < q->g->nsources && q->jumps && at->rate; k++) {
        if (!at->rate[k])
            continue;
        jni_told_number(rate + k, q->l, at->rate[k]);
        if (!epsilon || !at->slow || !at->slow->rate[k])
            continue;
        jni_told_number(slow, q->l, at->slow->rate[k]);
        fmpq_addmul(rate + k, epsilon, slow);
    }
    fmpq_clear(slow);
    return rate;
}

/* Expressions of time as they are in one of their phases. */
static jn_witness *read_start(const view *v, phase when)
{
    question *q = v->q;
    const jn_graph *g = q->g;
    jn_witness *w = jn_alloc(sizeof *w);
    w->nx = g->nstorages;
    w->ns = g->nintegrals;
    w->nd = g->ndiscretes;
    w->nu = g->nsources;
    w->nswitches = g->nswitches;
    w->cycle = -1;
    w->is_start = q->is_first;
    fmpq_init(w->t);
    fmpq_init(w->factor);
    jni_told_number(w->t, q->l, q->t);
    w->x = told_numbers(q->l, v->x, w->nx);
    w->integral = told_numbers(q->l, v->integral, w->ns);
    w->discrete = told_numbers(q->l, v->discrete, w->nd);
    w->before = told_numbers(q->l, v->input, w->nu);
    w->input = told_numbers(q->l, v->input, w->nu);
    w->rate = told_rates(v, NULL);
    w->rate_before = told_rates(v, NULL);
    w->start = told_states(q, v->state);
    w->is_free = jn_alloc((size_t)w->nu + 1);
    memcpy(w->is_free, q->is_free, (size_t)w->nu);
    w->follows = jn_alloc((size_t)w->nu + 1);
    for (int k = 0; k < w->nu; k++)
        w->follows[k] = reads_anything(q, g->element[g->source[k]].input);
    w->time = jn_alloc((size_t)q->ntimes * sizeof *w->time + 1);
    w->ntimes = q->ntimes;
    for (int i = 0; i < q->ntimes; i++) {
        w->time[i].e = q->times[i].e;
        fmpq_init(w->time[i].value);
        jni_told_number(w->time[i].value, q->l, q->times[i].is[when]);
    }
    return w;
}

jn_witness *jni_witness_lasting(const view *v)
{
    jn_witness *w = read_start(v, v->phase);
    w->nsteps = 1;
    w->step = jn_alloc(sizeof *w->step);
    w->step[0].state = told_states(v->q, v->state);
    w->step[0].mode = mode_of(v->q->g, w->step[0].state);
    w->step[0].commits = true;
    w->step[0].x = told_numbers(v->q->l, v->x, w->nx);
    return w;
}

/* To where the instant begins. */
static void move_start(jn_witness *w, const unrolled *u, const fmpq_t epsilon)
{
    const question *q = u->q;
    const view *v = &u->begun, *first = &u->pass[0]->at;
    fmpq_t slow;
    if (!q->is_near) {
        free_numbers(w->input, w->nu);
        w->input = told_numbers(q->l, first->input, w->nu);
        return;
    }
    free_numbers(w->x, w->nx);
    free_numbers(w->integral, w->ns);
    free_numbers(w->input, w->nu);
    free_numbers(w->rate, w->nu);
    free_numbers(w->rate_before, w->nu);
    w->rate = told_rates(first, epsilon);
    w->rate_before = told_rates(&u->start, epsilon);
    w->x = told_moved(q->l, v->x, v->slow->x, epsilon, w->nx);
    w->integral = told_moved(q->l, v->integral, v->slow->integral, epsilon, w->ns);
    w->input = told_moved(q->l, first->input, first->slow->input, epsilon, w->nu);
    fmpq_init(slow);
    jni_told_number(slow, q->l, v->slow_t);
    fmpq_addmul(w->t, epsilon, slow);
    for (int i = 0; i < w->ntimes; i++) {
        jni_told_number(slow, q->l, q->times[i].slow[PHASE_AFTER]);
        fmpq_addmul(w->time[i].value, epsilon, slow);
    }
    fmpq_clear(slow);
}

jn_witness *jni_witness_read(const unrolled *u, int n, int cycle, const fmpq_t epsilon)
{
    const question *q = u->q;
    jn_witness *w = read_start(&u->start, PHASE_AFTER);
    move_start(w, u, epsilon);
    w->cycle = cycle;
    w->nsteps = n;
    w->step = jn_alloc((size_t)n * sizeof *w->step);
    for (int i = 0; i < n; i++) {
        const pass *p = u->pass[i];
        w->step[i].state = told_states(q, p->at.state);
        w->step[i].mode = mode_of(q->g, w->step[i].state);
        w->step[i].commits = !jni_told(q->l, p->mythical) && !jni_told(q->l, p->dead);
        w->step[i].x = told_moved(q->l, p->from, p->slow_from, epsilon, w->nx);
        read_fired(&w->step[i], q, p);
    }
    return w;
}

void jn_witness_free(jn_witness *w)
{
    if (!w)
        return;
    free_numbers(w->x, w->nx);
    free_numbers(w->integral, w->ns);
    free_numbers(w->discrete, w->nd);
    free_numbers(w->before, w->nu);
    free_numbers(w->input, w->nu);
    free_numbers(w->rate, w->nu);
    free_numbers(w->rate_before, w->nu);
    fmpq_clear(w->t);
    fmpq_clear(w->factor);
    for (int i = 0; i < w->nsteps; i++) {
        free(w->step[i].state);
        free(w->step[i].mode);
        free(w->step[i].fired);
        free_numbers(w->step[i].x, w->nx);
    }
    free(w->step);
    free(w->start);
    for (int i = 0; i < w->ntimes; i++)
        fmpq_clear(w->time[i].value);
    free(w->time);
    free(w->value);
    for (int i = 0; i < w->nranges; i++) {
        fmpq_clear(w->range[i].low);
        fmpq_clear(w->range[i].high);
    }
    free(w->range);
    free(w->is_free);
    free(w->follows);
    free(w->replay);
    free(w);
}

/* ---- cycles that shrink -------------------------------------------------------------------- */

/* The state at one step is `factor` times that at another. */
static bool is_multiple(fmpq_t factor, const jn_witness *w, int from, int to)
{
    const fmpq *a = w->step[from].x, *b = w->step[to].x;
    bool found = false, same = true;
    fmpq_t r;
    fmpq_init(r);
    for (int i = 0; i < w->nx && same; i++) {
        if (fmpq_is_zero(a + i)) {
            same = fmpq_is_zero(b + i);
            continue;
        }
        fmpq_div(r, b + i, a + i);
        if (!found)
            fmpq_set(factor, r);
        same = !found || fmpq_equal(factor, r);
        found = true;
    }
    fmpq_clear(r);
    return same && found && !fmpq_is_zero(factor);
}

bool jni_witness_shrinks(jn_witness *w)
{
    int last = w->nsteps - 1;
    size_t bytes = (size_t)w->nswitches * sizeof(int);
    for (int i = last - 1; i >= 0; i--)
        if (!memcmp(w->step[i].state, w->step[last].state, bytes) &&
            is_multiple(w->factor, w, i, last)) {
            w->cycle = i;
            w->shrinks = true;
            return true;
        }
    return false;
}

/* ---- trying -------------------------------------------------------------------------------- */

/* A witness in doubles. */
typedef struct {
    double *x, *integral, *discrete, *before, *input;
    double *rate_before, *rate;
    struct jn_known *known;
    jn_instant_from from;
} instant_of;

struct replayer {
    const jn_graph *g;
    jn_sim_options o;
    jn_sim *sim;
    bool *given; /* per source: it does not read the model */
};

static bool has_bound(const jn_graph *g, int source)
{
    const jn_element *x = &g->element[g->source[source]];
    for (int i = 0; i < g->nbounds; i++)
        if (g->bound[i].x->op == (x->kind == JN_SE ? JN_X_EFFORT : JN_X_FLOW) &&
            g->bound[i].x->index == x->bond[0])
            return true;
    return false;
}

jn_status jni_replayer_new(replayer **out, const jn_graph *g, const char *folder, jn_diags *d)
{
    question q = {.g = g};
    jn_sim *sim;
    jn_sim_options o = {.idle = true, .folder = folder};
    jn_status st = jn_sim_new(&sim, g, &o, d);
    if (st != JN_OK)
        return st;
    replayer *r = *out = jn_alloc(sizeof *r);
    r->g = g;
    r->o = o;
    r->sim = sim;
    r->given = jn_alloc((size_t)g->nsources + 1);
    for (int k = 0; k < g->nsources; k++) /* a constant has its value by itself */
        r->given[k] = (jn_expr_varies(g->element[g->source[k]].input) || has_bound(g, k)) &&
                      !reads_anything(&q, g->element[g->source[k]].input);
    return JN_OK;
}

void jni_replayer_free(replayer *r)
{
    if (!r)
        return;
    jn_sim_free(r->sim);
    free(r->given);
    free(r);
}

const jn_sim *jni_replayer_sim(const replayer *r)
{
    return r->sim;
}

/* A run that knows nothing of what was tried before. */
static void renew(replayer *r)
{
    jn_diags *said = jn_diags_new();
    jn_sim *fresh;
    if (jn_sim_new(&fresh, r->g, &r->o, said) == JN_OK) {
        jn_sim_free(r->sim);
        r->sim = fresh;
    }
    jn_diags_free(said);
}

static double *doubles(const fmpq *a, int n)
{
    double *to = jn_alloc((size_t)n * sizeof *to + 1);
    for (int i = 0; i < n; i++)
        to[i] = jn_number_get_d(a + i);
    return to;
}

static outcome outcome_of(jn_status st, const jn_stopped *stop)
{
    return st == JN_OK                      ? ENDS
           : stop->why == JN_STOP_FORBIDDEN ? ENDS_DEAD
           : stop->why == JN_STOP_LOOP      ? NEVER_ENDS
                                            : (outcome)-1;
}

/* Where the instant ends is where the witness says. */
static bool ends_there(const jn_witness *w, jn_sim *sim)
{
    const jn_onoff *mode = w->step[w->nsteps - 1].mode;
    return !memcmp(jn_sim_mode(sim), mode, (size_t)w->nswitches);
}

static void instant_from(instant_of *to, const jn_witness *w, const bool *given)
{
    to->x = doubles(w->x, w->nx);
    to->integral = doubles(w->integral, w->ns);
    to->discrete = doubles(w->discrete, w->nd);
    to->before = doubles(w->before, w->nu);
    to->input = doubles(w->input, w->nu);
    to->rate_before = doubles(w->rate_before, w->nu);
    to->rate = doubles(w->rate, w->nu);
    to->known = jn_alloc((size_t)w->ntimes * sizeof *to->known + 1);
    for (int i = 0; i < w->ntimes; i++)
        to->known[i] = (struct jn_known){w->time[i].e, jn_number_get_d(w->time[i].value)};
    /* As a model starts its sources are what they are, and go where they go. */
    const bool *own = w->is_start ? w->is_free : given;
    to->from = (jn_instant_from){.lasting = w->is_start ? NULL : w->start,
                                 .left = w->step[0].state,
                                 .x = to->x,
                                 .integral = to->integral,
                                 .discrete = to->discrete,
                                 .before = to->before,
                                 .input = to->input,
                                 .rate_before = to->rate_before,
                                 .rate = to->rate,
                                 .given = own,
                                 .nknown = w->is_start ? 0 : w->ntimes,
                                 .known = to->known,
                                 .t = jn_number_get_d(w->t)};
}

static void instant_clear(instant_of *o)
{
    free(o->x);
    free(o->integral);
    free(o->discrete);
    free(o->before);
    free(o->input);
    free(o->rate_before);
    free(o->rate);
    free(o->known);
}

bool jni_witness_try(jn_witness *w, replayer *r, outcome expected)
{
    instant_of o;
    jn_stopped stop;
    instant_from(&o, w, r->given);
    renew(r);
    jn_status st = jn_sim_instant(r->sim, &o.from, &stop);
    w->is_dead = expected == ENDS_DEAD;
    w->is_replayed =
        outcome_of(st, &stop) == expected && (expected != ENDS || ends_there(w, r->sim));
    if (st != JN_OK) {
        w->replay = jn_strdup(stop.message);
    } else {
        jn_str text;
        jn_str_init(&text);
        jn_str_add(&text, "it ends in mode ");
        jn_mode_print(&text, r->g, jn_sim_mode(r->sim));
        w->replay = text.s;
    }
    instant_clear(&o);
    return w->is_replayed;
}

/* Whether it is worth telling: once, and only what can be otherwise. */
static bool is_told(const jn_witness *w, const jn_expr *e)
{
    for (int i = 0; i < w->nvalues; i++)
        if (jn_expr_same(w->value[i].e, e))
            return true;
    return !jn_expr_varies(e);
}

static void note_value(jn_witness *w, replayer *r, const jn_expr *e)
{
    const jn_probe *p;
    bool reads_clock = w->ntimes && jn_expr_mentions(r->g, e, JN_X_TIME); /* not the witness's */
    if (reads_clock || is_told(w, e) || w->nvalues == MOST_VALUES ||
        jn_sim_probe(&p, r->sim, e) != JN_OK)
        return;
    double now = jn_sim_value(r->sim, p);
    if (isfinite(now))
        w->value[w->nvalues++] = (struct jn_witness_value){e, now};
}

static void note_compared(jn_witness *w, replayer *r, const jn_expr *e)
{
    bool compares = e->op >= JN_X_LT && e->op <= JN_X_GT;
    for (int i = 0; i < e->nargs; i++)
        if (compares)
            note_value(w, r, e->arg[i]);
        else if (jn_expr_is_condition(e->arg[i]))
            note_compared(w, r, e->arg[i]);
}

void jni_witness_note_values(jn_witness *w, replayer *r, const jn_expr *claim)
{
    if (!w->is_replayed || w->is_dead)
        return;
    w->value = jn_alloc(MOST_VALUES * sizeof *w->value);
    note_compared(w, r, claim);
}

/* ---- a plane of states --------------------------------------------------------------------- */

enum { PLANE_POINTS = 121 };

static int mode_number(jn_plane *p, const jn_onoff *m)
{
    size_t n = (size_t)p->graph->nswitches;
    for (int i = 0; i < p->nmodes; i++)
        if (!memcmp(p->mode + (size_t)i * n, m, n))
            return i;
    p->mode = jn_realloc(p->mode, (size_t)(p->nmodes + 1) * n + 1);
    memcpy(p->mode + (size_t)p->nmodes * n, m, n);
    return p->nmodes++;
}

static int cell_of(jn_plane *p, replayer *r, const jn_instant_from *from)
{
    jn_stopped stop;
    jn_status st = jn_sim_instant(r->sim, from, &stop);
    switch (outcome_of(st, &stop)) {
    case ENDS:
        return mode_number(p, jn_sim_mode(r->sim));
    case NEVER_ENDS:
        return JN_PLANE_LOOP;
    case ENDS_DEAD:
        return JN_PLANE_DEAD;
    default:
        return JN_PLANE_OTHER;
    }
}

/* Both states to the same scale, the origin in the middle, the witness in sight. */
static void choose_range(jn_plane *p)
{
    double half = 2 * fmax(fabs(p->x_at), fabs(p->y_at));
    p->x_high = p->y_high = half > 0 ? half : 1;
    p->x_low = p->y_low = -p->x_high;
}

static void fill_plane(jn_plane *p, replayer *r, const jn_witness *w, const fmpq *state)
{
    instant_of o;
    instant_from(&o, w, r->given);
    for (int i = 0; i < w->nx; i++)
        o.x[i] = jn_number_get_d(state + i);
    for (int k = 0; k < p->nx * p->ny; k++) {
        int column = k % p->nx, row = k / p->nx;
        o.x[p->x] = p->x_low + (p->x_high - p->x_low) * (column + 0.5) / p->nx;
        o.x[p->y] = p->y_low + (p->y_high - p->y_low) * (row + 0.5) / p->ny;
        p->cell[k] = cell_of(p, r, &o.from);
    }
    instant_clear(&o);
}

jn_status jn_plane_new(jn_plane **out, const jn_graph *g, const jn_witness *w, const fmpq *state,
                       int x, int y, const char *folder, jn_diags *d)
{
    replayer *r;
    *out = NULL;
    jn_diags *known = jn_diags_new(); /* warnings have been given with the witness */
    jn_status st = jni_replayer_new(&r, g, folder, known);
    jn_diags_free(known);
    if (st != JN_OK) /* once more, to say why */
        return jni_replayer_new(&r, g, folder, d);
    jn_plane *p = *out = jn_alloc(sizeof *p);
    *p = (jn_plane){.graph = g, .x = x, .y = y, .nx = PLANE_POINTS, .ny = PLANE_POINTS};
    state = state ? state : w->x;
    p->x_at = jn_number_get_d(state + x);
    p->y_at = jn_number_get_d(state + y);
    choose_range(p);
    p->cell = jn_alloc((size_t)(p->nx * p->ny) * sizeof *p->cell);
    fill_plane(p, r, w, state);
    jni_replayer_free(r);
    return JN_OK;
}

bool jn_plane_choose(const jn_witness **w, int *x, int *y, const jn_verification *v)
{
    const jn_finding *in_turn[] = {&v->settling, &v->dead_ends, &v->races};
    int axis[2] = {0, 1}, n = 0;
    *w = NULL;
    for (size_t i = 0; i < sizeof in_turn / sizeof *in_turn && !*w; i++)
        if (in_turn[i]->verdict == JN_REFUTED && !in_turn[i]->witness->is_start)
            *w = in_turn[i]->witness;
    if (!*w || (*w)->nx < 2)
        return false;
    for (int i = 0; i < (*w)->nranges && n < 2; i++)
        if ((*w)->range[i].number < (*w)->nx)
            axis[n++] = (*w)->range[i].number;
    if (n == 1)
        axis[1] = axis[0] ? 0 : 1;
    *x = axis[0];
    *y = axis[1];
    return true;
}

void jn_plane_free(jn_plane *p)
{
    if (!p)
        return;
    free(p->cell);
    free(p->mode);
    free(p);
}
