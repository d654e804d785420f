/* map.c: the run of one period as a map y ↦ P(y) of the numbers that a run carries on, and its
 * Jacobian: the product of the chain that the run leaves where it is followed exactly, else
 * differences of the map itself. */
#include <stdlib.h>
#include <string.h>

#include "periodic_internal.h"

/* ---- the run ------------------------------------------------------------------------------- */

/* The mode, unless it is still the last one. */
static void note_mode(orbit_map *m)
{
    size_t n = (size_t)m->g->nswitches;
    const jn_onoff *mode = jn_sim_mode(m->s);
    char last = jn_sim_slides(m->s) ? '~' : ' ';
    const char *before = jn_str_c(&m->modes) + m->modes.len - (m->modes.len ? n + 1 : 0);
    bool same = m->modes.len > 0 && before[n] == last;
    for (size_t i = 0; i < n && same; i++)
        same = before[i] == (mode[i] ? '1' : '0');
    if (same)
        return;
    for (size_t i = 0; i < n; i++)
        jn_str_addf(&m->modes, "%c", mode[i] ? '1' : '0');
    jn_str_addf(&m->modes, "%c", last);
}

static void note_peaks(orbit_map *m, double t)
{
    int n = m->c.nstates + m->c.nintegrals;
    double *y = jni_room(n);
    jn_sim_peek_state(y, m->s, t);
    for (int i = 0; i < n; i++) {
        m->peak[i] = fmax(m->peak[i], fabs(y[i]));
        m->low[i] = fmin(m->low[i], y[i]);
        m->high[i] = fmax(m->high[i], y[i]);
    }
    free(y);
}

static void passed(void *ctx, double from, double to)
{
    orbit_map *m = ctx;
    note_mode(m);
    note_peaks(m, from);
    note_peaks(m, 0.5 * (from + to));
    note_peaks(m, to);
    if (m->measure)
        jni_measure_passed(m->measure, from, to);
}

void jni_map_init(orbit_map *m, jn_sim *s, const jn_graph *g)
{
    *m = (orbit_map){.s = s, .g = g, .c = jn_sim_numbers(s)};
    m->scale = jni_room(m->c.n);
    m->turn = jni_room(m->c.n);
    jni_turns_find(m->turn, s, g, &m->c);
    m->peak = jni_room(m->c.n);
    m->low = jni_room(m->c.n);
    m->high = jni_room(m->c.n);
    m->counts = jn_alloc((size_t)m->c.n * sizeof *m->counts);
    m->is_read = jn_alloc((size_t)m->c.n * sizeof *m->is_read);
    jni_reads_find(m->is_read, g, &m->c);
    memcpy(m->counts, m->is_read, (size_t)m->c.n * sizeof *m->counts);
    jn_str_init(&m->modes);
}

void jni_map_clear(orbit_map *m)
{
    if (m->s)
        jn_sim_listen(m->s, NULL);
    jn_chain_free(m->chain);
    jn_mark_free(m->mark);
    free(m->scale);
    free(m->turn);
    free(m->peak);
    free(m->low);
    free(m->high);
    free(m->is_read);
    free(m->counts);
    jn_str_clear(&m->modes);
}

void jni_map_mark(orbit_map *m, double length)
{
    jn_mark_free(m->mark);
    m->mark = jn_sim_mark(m->s);
    m->t0 = jn_sim_time(m->s);
    m->t1 = m->t0 + length;
}

static void begin_run(orbit_map *m, const double *y0)
{
    m->listener = (jn_listener){passed, m};
    jn_str_reset(&m->modes);
    for (int i = 0; i < m->c.n; i++) {
        m->peak[i] = fabs(y0[i]);
        m->low[i] = m->high[i] = y0[i];
    }
}

/* From where the run stands. */
static jn_status run_period(orbit_map *m, double *y1)
{
    m->before = jn_sim_ledger(m->s);
    m->order = jn_sim_order(m->s);
    m->length = m->t1 - jn_sim_time(m->s);
    jn_sim_listen(m->s, &m->listener);
    if (m->measure)
        jni_measure_restart(m->measure);
    if (m->chain)
        jn_chain_restart(m->chain);
    jn_status st = jn_sim_advance(m->s, m->t1, &m->stop);
    if (st == JN_OK)
        jn_sim_flush(m->s);
    jn_sim_listen(m->s, NULL);
    jn_sim_nudge(m->s, NULL);
    if (st != JN_OK)
        return st;
    if (m->measure)
        jni_measure_finish(m->measure);
    jn_sim_read(y1, m->s);
    m->after = jn_sim_ledger(m->s);
    return JN_OK;
}

jn_status jni_map_go_on(orbit_map *m, double *y0, double *y1)
{
    jn_sim_read(y0, m->s);
    begin_run(m, y0);
    jn_status st = run_period(m, y1);
    jni_map_scale(m);
    return st;
}

jn_status jni_map_run(orbit_map *m, const double *y0, double *y1)
{
    jn_sim_listen(m->s, NULL);
    begin_run(m, y0);
    jn_nudge source = {.pwm = -1, .source = -1};
    if (m->nudge && m->nudge->pwm < 0)
        source = *m->nudge;
    jn_sim_nudge(m->s, &source);
    jn_status st = jn_sim_return(m->s, m->mark, y0, &m->stop);
    if (st != JN_OK)
        return st;
    if (m->nudge && m->nudge->pwm >= 0) /* an edge that may be due already */
        jn_sim_nudge(m->s, m->nudge);
    return run_period(m, y1);
}

/* What a number is compared with: the largest that it was; or where that is nothing, a part of what
 * it would be if all energy were there. An angle is compared with its turn, a time with the period. */
void jni_map_scale(orbit_map *m)
{
    jn_sim_sizes(m->scale, m->s);
    for (int i = 0; i < m->c.n; i++) {
        double size = fmax(m->peak[i], 1e-3 * m->scale[i]);
        if (m->turn[i] != 0)
            size = m->turn[i] > 0 ? m->turn[i] : m->length;
        m->scale[i] = size > 0 ? size : 1;
    }
}

double jni_map_change(const orbit_map *m, const double *y0, const double *y1, int i)
{
    return jni_turned(m->turn[i], y1[i] - y0[i], m->length);
}

void jni_map_rates(double *rate, const orbit_map *m)
{
    jn_sim_rates(rate, m->s);
    for (int i = 0; i < m->c.n; i++)
        if (m->turn[i] == TURNS_WITH_TIME)
            rate[i] -= 1;
}

double jni_map_distance(const orbit_map *m, const double *y0, const double *y1)
{
    double largest = 0;
    for (int i = 0; i < m->c.n; i++)
        if (m->counts[i])
            largest = fmax(largest, fabs(jni_map_change(m, y0, y1, i)) / m->scale[i]);
    return isnan(largest) ? INFINITY : largest;
}

/* ---- its Jacobian by the chain ------------------------------------------------------------- */

/* X := a·X, with X of n columns. */
static void apply(double *X, const double *a, int rows, int n, int columns)
{
    double *to = jni_room(rows * columns);
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < n; k++) {
            double x = a[i * n + k];
            for (int j = 0; j < columns && x != 0; j++)
                to[i * columns + j] += x * X[k * columns + j];
        }
    memcpy(X, to, (size_t)(rows * columns) * sizeof *X);
    free(to);
}

static void follow_stretch(double *X, const jn_link *l, int n)
{
    const jn_linearised *m = l->mode;
    double complex *E = jn_alloc((size_t)(m->n * m->n) * sizeof *E);
    double *real = jni_room(m->n * m->n);
    for (int i = 0; i < m->n * m->n; i++)
        E[i] = m->A[i] * l->length;
    jni_expm(E, m->n);
    for (int i = 0; i < m->n * m->n; i++)
        real[i] = creal(E[i]);
    apply(X, m->in, m->n, n, n);
    apply(X, real, m->n, m->n, n);
    apply(X, m->out, n, m->n, n);
    free(E);
    free(real);
}

static void follow_event(double *X, const jn_link *l, int n)
{
    double *late = jni_room(n); /* δt of each column */
    for (int k = 0; k < n && l->normal; k++)
        for (int j = 0; j < n; j++)
            late[j] -= l->normal[k] * X[k * n + j];
    apply(X, l->J, n, n, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            X[i * n + j] += l->shift[i] * late[j];
    free(late);
}

static void product_of_chain(double *J, const jn_chain *c, int n)
{
    memset(J, 0, (size_t)(n * n) * sizeof *J);
    for (int i = 0; i < n; i++)
        J[i * n + i] = 1;
    for (int i = 0; i < jn_chain_links(c); i++) {
        const jn_link *l = jn_chain_link(c, i);
        if (l->mode)
            follow_stretch(J, l, n);
        else
            follow_event(J, l, n);
    }
}

/* ---- by differences ------------------------------------------------------------------------ */

#define GOOD_ENOUGH 1e-11 /* of the difference between the orders */

bool jni_differentiate_by(double *out, double *off, int n, jni_vary eval, void *ctx, double step)
{
    static const double six[] = {0.75, -0.15, 1 / 60.0}, four[] = {2 / 3.0, -1 / 12.0, 0};
    double *plus = jni_room(2 * n), *minus = plus + n;
    bool ok = true;
    memset(out, 0, (size_t)n * sizeof *out);
    memset(off, 0, (size_t)n * sizeof *off);
    for (int k = 1; k <= 3 && ok; k++) {
        ok = eval(plus, k * step, ctx) && eval(minus, -k * step, ctx);
        for (int i = 0; i < n && ok; i++) {
            double slope = (plus[i] - minus[i]) / step;
            out[i] += six[k - 1] * slope;
            off[i] += (six[k - 1] - four[k - 1]) * slope;
        }
    }
    free(plus);
    return ok;
}

/* A large step errs by what the sixth order leaves out, a small one by rounding: of several the one is
 * taken that the fourth order contradicts least. */
bool jni_differentiate(double *out, double *error, int n, const double *size, jni_vary eval,
                       void *ctx)
{
    static const double steps[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7};
    double *slope = jni_room(2 * n), *off = slope + n, best = INFINITY;
    for (size_t k = 0; k < sizeof steps / sizeof *steps && best > GOOD_ENOUGH; k++) {
        double largest = 0;
        if (!jni_differentiate_by(slope, off, n, eval, ctx, steps[k]))
            continue;
        for (int i = 0; i < n; i++)
            if (size[i] > 0)
                largest = fmax(largest, fabs(off[i]) / size[i]);
        if (largest > best) /* rounding has begun */
            break;
        best = largest;
        memcpy(out, slope, (size_t)n * sizeof *out);
    }
    *error = best;
    free(slope);
    return isfinite(best);
}

typedef struct {
    orbit_map *m;
    const double *y0;
    double *y;
    int which;
    const char *modes;
} variation;

static bool varied(double *out, double epsilon, void *ctx)
{
    variation *v = ctx;
    memcpy(v->y, v->y0, (size_t)v->m->c.n * sizeof *v->y);
    v->y[v->which] += epsilon * v->m->scale[v->which];
    return jni_map_run(v->m, v->y, out) == JN_OK && !strcmp(jn_str_c(&v->m->modes), v->modes);
}

static jn_status vary_one(variation *v, double *J, double *error)
{
    int n = v->m->c.n;
    double *column = jni_room(2 * n), *size = column + n, off;
    for (int i = 0; i < n; i++)
        size[i] = v->m->counts[i] ? v->m->scale[i] : 0;
    bool ok = jni_differentiate(column, &off, n, size, varied, v);
    for (int i = 0; i < n && ok; i++)
        J[i * n + v->which] = column[i] / v->m->scale[v->which];
    *error = fmax(*error, off);
    free(column);
    return ok ? JN_OK : JN_UNABLE;
}

static void fill_column(const variation *v, double *J, double value)
{
    for (int i = 0, n = v->m->c.n; i < n; i++)
        J[i * n + v->which] = value;
}

/* What the run itself has left stays. */
static jn_status by_differences(orbit_map *m, const double *y0, double *J, double *error)
{
    measure *measured = m->measure;
    jn_ledger before = m->before, after = m->after;
    int order = m->order;
    char *modes = jn_alloc(m->modes.len + 1);
    memcpy(modes, jn_str_c(&m->modes), m->modes.len);
    variation v = {.m = m, .y0 = y0, .y = jni_room(m->c.n), .modes = modes};
    double *low = jni_room(2 * m->c.n), *high = low + m->c.n;
    jn_status st = JN_OK;
    m->measure = NULL;
    jn_sim_limits(low, high, m->s);
    for (v.which = 0; v.which < m->c.n && m->stop.why != JN_STOP_INTERRUPTED; v.which++) {
        bool is_free = y0[v.which] > low[v.which] && y0[v.which] < high[v.which];
        if (!is_free)
            fill_column(&v, J, 0); /* a duty at a bound stays there whatever deviates */
        else if (vary_one(&v, J, error) != JN_OK) {
            fill_column(&v, J, NAN);
            st = JN_UNABLE;
        }
    }
    m->has_kink = st != JN_OK && m->stop.why != JN_STOP_INTERRUPTED;
    free(low);
    m->measure = measured;
    m->before = before;
    m->after = after;
    m->order = order;
    jn_str_reset(&m->modes);
    jn_str_add(&m->modes, modes);
    free(v.y);
    free(modes);
    return st;
}

jn_status jni_map_jacobian(orbit_map *m, const double *y0, double *y1, double *J, double *error)
{
    *error = 0;
    m->has_kink = false;
    jn_status st = jni_map_run(m, y0, y1);
    if (st != JN_OK)
        return st;
    jni_map_scale(m);
    if (m->chain && !jn_chain_missing(m->chain)) {
        product_of_chain(J, m->chain, m->c.n);
        return JN_OK;
    }
    return by_differences(m, y0, J, error);
}
