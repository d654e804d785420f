/* average.c: the averaged model of an orbit.
 *
 * State-space averaging puts the mean of the modes' equations, weighted by their durations, in the
 * place of the switched ones: Ā = Σ d_i·A_i, and so on. A duty cycle d moves the weight of the mode
 * before its edge OFF against that of the mode after it: B̄ = f⁻(x̄) − f⁺(x̄) at the mean state x̄. It
 * holds where the same states are independent in all modes, nothing jumps, and the clock decides when
 * modes change. */
#include <stdlib.h>
#include <string.h>

#include "periodic_internal.h"

typedef struct {
    int n, nv;
    double complex *A, *B, *C, *D; /* B, D for the frequency that is looked at */
} averaged;

static const char *why_not(const jn_chain *c, int n)
{
    for (int i = 0; i < jn_chain_links(c); i++) {
        const jn_link *l = jn_chain_link(c, i);
        if (l->mode && l->mode->n < n)
            return "a state is not independent in some mode of the orbit (discontinuous "
                   "conduction, "
                   "for example)";
        if (!l->mode && l->normal)
            return "when some mode begins depends on the state, not on the clock alone";
        for (int z = 0; !l->mode && z < n * n; z++)
            if (fabs(l->J[z] - (z % (n + 1) == 0)) > 1e-12)
                return "the state jumps";
    }
    return NULL;
}

/* In ζ itself: ζ̇ = out·A·in·ζ */
static void add_mode(averaged *a, const jn_linearised *m, double weight, double omega,
                     bool is_source)
{
    int n = a->n;
    double complex iw = I * omega;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m->n; k++) {
            double left = 0;
            for (int j = 0; j < m->n; j++)
                left += m->out[i * m->n + j] * m->A[j * m->n + k];
            for (int c = 0; c < n; c++)
                a->A[i * n + c] += weight * left * m->in[k * n + c];
            a->B[i] +=
                weight * is_source * m->out[i * m->n + k] * (m->B[2 * k] + iw * m->B[2 * k + 1]);
        }
    for (int v = 0; v < a->nv; v++) {
        for (int k = 0; k < m->n; k++)
            for (int c = 0; c < n; c++)
                a->C[v * n + c] += weight * m->C[v * m->n + k] * m->in[k * n + c];
        a->D[v] += weight * is_source * (m->D[2 * v] + iw * m->D[2 * v + 1]);
    }
}

/* out·A·in·x of a mode, and C·in·x. */
static void apply_mode(double *f, double *y, const jn_linearised *m, int n, const double *x)
{
    double *w = jni_room(2 * m->n), *dw = w + m->n;
    for (int i = 0; i < m->n; i++)
        for (int c = 0; c < n; c++)
            w[i] += m->in[i * n + c] * x[c];
    for (int i = 0; i < m->n; i++)
        for (int k = 0; k < m->n; k++)
            dw[i] += m->A[i * m->n + k] * w[k];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m->n; k++)
            f[i] += m->out[i * m->n + k] * dw[k];
    for (int v = 0; v < m->nvalues; v++)
        for (int k = 0; k < m->n; k++)
            y[v] += m->C[v * m->n + k] * w[k];
    free(w);
}

/* The mean state, and the state at each event. */
typedef struct {
    measure of_states;
    jn_expr *expr;
    double *mean;
} states;

static bool find_states(states *s, response *r)
{
    search *q = &r->q;
    const jn_graph *g = q->g;
    jn_numbers *c = &q->map.c;
    double T = q->map.t1 - q->map.t0;
    s->expr = jn_alloc((size_t)c->nstates * sizeof *s->expr);
    s->mean = jni_room(c->n);
    jni_measure_init(&s->of_states, q->sim, g);
    for (int i = 0; i < c->nstates; i++) {
        bool is_i = g->element[g->storage[i]].kind == JN_I;
        s->expr[i] = (jn_expr){.op = is_i ? JN_X_MOMENTUM : JN_X_DISPLACEMENT,
                               .index = g->storage[i],
                               .size = 1,
                               .depth = 1};
        if (jni_measure_probe(&s->of_states, &s->expr[i]) != JN_OK)
            return false;
    }
    q->map.measure = &s->of_states;
    jn_status st = jni_map_run(&q->map, q->y, q->y1);
    q->map.measure = NULL;
    for (int i = 0; i < c->nstates && st == JN_OK; i++)
        s->mean[i] = jni_measure_product(&s->of_states, i, -1) / T;
    return st == JN_OK;
}

static const double *state_at(const states *s, double t)
{
    const measure *m = &s->of_states;
    int best = 0;
    for (int i = 1; i < m->n; i++)
        if (fabs(m->piece[i].from - t) < fabs(m->piece[best].from - t))
            best = i;
    return m->piece[best].start;
}

static const jn_linearised *mode_beside(const jn_chain *c, int i, int step)
{
    int n = jn_chain_links(c);
    for (int k = 1; k < n; k++) {
        const jn_link *l = jn_chain_link(c, ((i + step * k) % n + n) % n);
        if (l->mode)
            return l->mode;
    }
    return NULL;
}

/* B̄ and D̄ of the duty cycle: f⁻ − f⁺ and y⁻ − y⁺, moved from the state at the edge to the mean. */
static void add_duty(averaged *a, const response *r, const jn_chain *c, const states *s)
{
    double period = jni_period_of(r), T = r->q.map.t1 - r->q.map.t0;
    int n = a->n;
    for (int e = 0; e < jn_chain_links(c); e++) {
        const jn_link *l = jn_chain_link(c, e);
        if (l->mode || l->edge != r->o->pwm)
            continue;
        double *room = jni_room(n + 2 * (n + a->nv)), *x = room, *f = x + n, *y = f + n;
        const double *at = state_at(s, l->t);
        for (int i = 0; i < n; i++)
            x[i] = i < r->q.map.c.nstates ? s->mean[i] - at[i] : 0;
        apply_mode(f, y, mode_beside(c, e, -1), n, x);
        for (int i = 0; i < n + a->nv; i++)
            f[i] = -f[i];
        apply_mode(f, y, mode_beside(c, e, 1), n, x);
        for (int i = 0; i < n; i++)
            a->B[i] += (l->shift[i] - f[i]) * period / T;
        for (int v = 0; v < a->nv; v++)
            a->D[v] += (-l->step[v] - y[v]) * period / T;
        free(room);
    }
}

static void respond(response *r, averaged *a, const jn_chain *c, const states *s, int f)
{
    int n = a->n;
    double omega = 2 * PI * r->o->frequency[f], T = r->q.map.t1 - r->q.map.t0;
    memset(a->A, 0, (size_t)(n * n + n + a->nv * n + a->nv) * sizeof *a->A);
    for (int i = 0; i < jn_chain_links(c); i++) {
        const jn_link *l = jn_chain_link(c, i);
        if (l->mode)
            add_mode(a, l->mode, l->length / T, omega, r->o->pwm < 0);
    }
    if (r->o->pwm >= 0)
        add_duty(a, r, c, s);
    for (int i = 0; i < n * n; i++)
        a->A[i] = (i % (n + 1) == 0) * I * omega - a->A[i];
    bool ok = jni_solve_complex(a->A, a->B, n);
    for (int v = 0; v < a->nv; v++) {
        double complex y = ok ? a->D[v] : NAN;
        for (int i = 0; i < n; i++)
            y += a->C[v * n + i] * a->B[i];
        r->to->averaged[f * a->nv + v] = (jn_complex){creal(y), cimag(y)};
    }
}

static void compare(jn_bode *b)
{
    b->deviation = jni_room(b->nvalues);
    for (int v = 0; v < b->nvalues; v++) {
        double largest = 0, apart = 0;
        for (int f = 0; f < b->nfrequencies; f++) {
            const jn_complex *x = &b->response[f * b->nvalues + v],
                             *y = &b->averaged[f * b->nvalues + v];
            largest = fmax(largest, hypot(x->re, x->im));
            apart = fmax(apart, hypot(x->re - y->re, x->im - y->im));
        }
        b->deviation[v] = largest > 0 ? apart / largest : 0;
    }
}

/* r->q.map.chain is that of the orbit, with the disturbance. */
void jni_respond_average(response *r)
{
    jn_chain *c = r->q.map.chain;
    jn_bode *b = r->to;
    states s = {0};
    averaged a = {.n = r->q.map.c.n, .nv = b->nvalues};
    const char *why = why_not(c, a.n);
    if (!why && !find_states(&s, r))
        why = "the run stops";
    if (why) {
        b->why_not_averaged = jn_strdup(why);
    } else {
        a.A = jn_alloc((size_t)(a.n * a.n + a.n + a.nv * a.n + a.nv) * sizeof *a.A);
        a.B = a.A + a.n * a.n;
        a.C = a.B + a.n;
        a.D = a.C + a.nv * a.n;
        b->averaged = jn_alloc((size_t)(b->nfrequencies * b->nvalues) * sizeof *b->averaged);
        for (int f = 0; f < b->nfrequencies; f++)
            respond(r, &a, c, &s, f);
        compare(b);
        free(a.A);
    }
    if (s.expr)
        jni_measure_clear(&s.of_states);
    free(s.expr);
    free(s.mean);
}
