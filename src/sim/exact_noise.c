/* exact_noise.c: how far the state is off where a stretch has led.
 *
 * A stretch is a polynomial whose coefficients are rounded. Where it comes by 0, all of them cancel: a current
 * that is cut off just after it began to flow is known to the rounding of what it would have grown to by the
 * end of the stretch. Whatever is made of the state at that instant, in whichever mode, is known no better:
 *
 *     δz_i = ε·Σ_k |q_ki| + ε'·τ·Σ_l |A_il·z_l|,     δx = |X|·δz,     δz⁺ = |W|·δx in a mode that is entered
 *
 * with x = X·z in the mode that was left and z⁺ = W·x in the one that is entered.
 *
 * Where the solution stands still it is no better known a little later: the current of a coil whose voltage
 * passes 0 where the current does is as uncertain as at that instant until it has grown beyond that. */
#include "exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void jni_rounding_clear(rounding *r)
{
    free(r->of_x);
    free(r->of_z);
    free(r->along);
    *r = (rounding){0};
}

static double *room(double **at, int *cap, int n)
{
    if (!*at || *cap < n) { /* of models without states, too */
        *cap = n;
        *at = jn_realloc(*at, (size_t)n * sizeof **at);
    }
    return *at;
}

/* to := |M|·from */
static void spread(double *to, const sparse *M, const double *from)
{
    for (int i = 0; i < M->nrows; i++) {
        double sum = 0;
        for (int k = M->start[i]; k < M->start[i + 1]; k++)
            sum += fabs(M->a[k]) * from[M->col[k]];
        to[i] = sum;
    }
}

/* Of the state and the integrals at the end of the stretch, as far as it was followed; of inputs nothing. */
static void find_of_z(double *of_z, double *rate_z, const jn_sim *s, const exact_mode *e)
{
    const stretch *p = &s->course.stretch;
    double tau = s->clock.t - s->course.t0;
    memset(of_z, 0, 2 * (size_t)p->nz * sizeof *of_z); /* rate_z is behind it */
    for (int i = 0; i < e->n + s->model.ns; i++) {
        double size = 0, rate = 0;
        const double *q = p->q + i;
        for (int k = jni_stretch_terms(p, i); k > 0; k--, q += p->nz)
            size += fabs(*q);
        for (int k = e->A.start[i]; k < e->A.start[i + 1]; k++)
            rate += fabs(e->A.a[k] * s->now.z[e->A.col[k]]);
        of_z[i] = NOISE_OF_SUM * size + NOISE_OF_RATE * tau * rate;
        rate_z[i] = rate;
    }
}

/* Whether what the state was off by at the last instant it still is: that one can hardly be told from this. */
static bool keeps(const rounding *r, const jn_sim *s)
{
    return r->has_x && s->clock.t - r->t <= fmax(SAME_TIME * s->clock.t, SAME_POINT * r->led);
}

/* Leaves what states were off by at the last instant to those that still are: all of them if it is the same instant, or
 * those that have not moved by more in a time in which the mode makes nothing of it. False: to none. */
static bool leave_kept(rounding *r, jn_sim *s, mode *followed, bool is_same)
{
    bool is_any = is_same;
    for (int i = 0; i < s->model.nx && r->has_x && !is_same; i++) {
        if (r->of_x[i] == 0)
            continue;
        bool stays = fabs(s->now.x[i] - r->at_x[i]) <= r->of_x[i] &&
                     jni_panel_rate(followed, s) * (s->clock.t - r->since[i]) < 1;
        r->of_x[i] = stays ? r->of_x[i] : 0;
        is_any |= stays;
    }
    return is_any;
}

static void reserve_x(rounding *r, int nx, int ns)
{
    if (r->of_x)
        return;
    r->of_x = jni_doubles(4 * nx + ns);
    r->of_integral = r->of_x + 4 * nx;
    r->at_x = r->of_x + nx;
    r->since = r->at_x + nx;
    r->late_x = r->since + nx;
}

/* Of a state either what it has just come to, or what it was before. */
static void find_of_x(rounding *r, jn_sim *s, mode *followed)
{
    const exact_mode *e = jni_exact(followed);
    const sparse *X = &e->x_of_z;
    int nz = e->A.nrows;
    double *of_z = room(&r->of_z, &r->cap_z, 2 * nz), *rate_z = of_z + nz;
    double late = 2 * DBL_EPSILON * s->clock.t;
    reserve_x(r, s->model.nx, s->model.ns);
    bool is_same = keeps(r, s), is_kept = leave_kept(r, s, followed, is_same);
    find_of_z(of_z, rate_z, s, e);
    jni_copy(r->of_integral, of_z + e->n, s->model.ns);
    for (int i = 0; i < s->model.nx; i++) {
        double off = 0, rate = 0;
        for (int k = X->start[i]; k < X->start[i + 1]; k++) {
            off += fabs(X->a[k]) * of_z[X->col[k]];
            rate += fabs(X->a[k]) * rate_z[X->col[k]];
        }
        r->late_x[i] = late * rate;
        if (is_kept && r->of_x[i] >= off)
            continue;
        r->of_x[i] = off;
        r->at_x[i] = s->now.x[i];
        r->since[i] = s->clock.t;
    }
    r->led = is_same ? r->led : s->clock.t - s->course.t0;
    r->t = s->clock.t;
    r->is_due = false;
    r->has_x = true;
}

static const mode *same_mode(jn_sim *s, const mode *m)
{
    return m ? jni_mode_get(s, m->onoff, m->flows) : NULL;
}

void jni_rounding_carry(rounding *r, jn_sim *s, const rounding *from)
{
    int nx = s->model.nx, ns = s->model.ns;
    r->followed = same_mode(s, from->followed);
    r->entered = same_mode(s, from->entered);
    r->is_due = from->is_due;
    r->has_x = from->has_x;
    r->t = from->t;
    r->led = from->led;
    if (from->of_x) {
        reserve_x(r, nx, ns);
        memcpy(r->of_x, from->of_x, (size_t)(4 * nx + ns) * sizeof *r->of_x);
    }
    if (from->of_z)
        memcpy(room(&r->of_z, &r->cap_z, from->cap_z), from->of_z,
               (size_t)from->cap_z * sizeof *r->of_z);
}

void jni_rounding_enter(rounding *r, jn_sim *s, const mode *m)
{
    const exact_mode *e = jni_exact(m);
    bool is_led = r->is_due && r->followed == s->now.m && s->clock.t > s->course.t0;
    if (is_led && s->course.stretch.nz == jni_exact(r->followed)->A.nrows)
        find_of_x(r, s, s->now.m);
    r->entered = r->has_x && r->t == s->clock.t ? m : NULL;
    if (r->entered)
        spread(room(&r->of_z, &r->cap_z, e->n), &e->w_of_x, r->of_x);
}

void jni_rounding_follow(rounding *r, jn_sim *s, mode *m)
{
    if (r->has_x && r->t < s->clock.t)
        r->has_x = leave_kept(r, s, m, keeps(r, s));
    if (r->has_x && r->t < s->clock.t) {
        memset(r->of_integral, 0, (size_t)s->model.ns * sizeof *r->of_integral);
        jni_watch_move(&s->watch); /* it is known less well than was thought */
        r->t = s->clock.t;
        r->entered = m;
        spread(room(&r->of_z, &r->cap_z, jni_exact(m)->n), &jni_exact(m)->w_of_x, r->of_x);
    }
    r->followed = m;
    r->is_due = true;
    r->has_along = false;
}

double jni_rounding_of(const rounding *r, const jn_sim *s, const mode *m, const srow *row)
{
    double sum = 0;
    int n = jni_exact(m)->n, integrals = n + s->model.ns, i = 0;
    if (r->entered != m || r->t != s->clock.t)
        return 0;
    for (; i < row->n && row->col[i] < n; i++)
        sum += fabs(row->a[i]) * r->of_z[row->col[i]];
    for (; i < row->n && row->col[i] < integrals; i++)
        sum += fabs(row->a[i]) * r->of_integral[row->col[i] - n];
    return sum;
}

/* How far x_i = Σ_k X_ik·z_k may be off, or what it was before. */
static double noise_of_state(const rounding *r, const exact_mode *e, const double *z, int i)
{
    double size = 0, given = r->entered ? r->of_x[i] : 0;
    for (int k = e->x_of_z.start[i]; k < e->x_of_z.start[i + 1]; k++) {
        int col = e->x_of_z.col[k];
        size += fabs(e->x_of_z.a[k] * z[col]);
        given += r->entered && col < e->n ? fabs(e->x_of_z.a[k]) * r->of_z[col] : 0;
    }
    return NOISE_OF_SUM * size + given;
}

/* What a current does in the rounding of the time beyond its zero is none that is cut off. */
static bool is_late(const rounding *r, double after, double before, int i)
{
    return r->entered && after == 0 && fabs(before) <= r->late_x[i];
}

void jni_rounding_hold(double *x_after, const rounding *r, const mode *m, const double *z,
                       const double *x)
{
    const exact_mode *e = jni_exact(m);
    for (int i = 0; i < e->x_of_z.nrows; i++)
        if (x_after[i] != x[i] && (is_late(r, x_after[i], x[i], i) ||
                                   fabs(x_after[i] - x[i]) <= noise_of_state(r, e, z, i)))
            x_after[i] = x[i];
}

/* ---- from there on ------------------------------------------------------------------------- */

/* An input that moves is known to what it moves in the rounding of the time. */
double jni_rounding_of_input(const jn_sim *s, const exact_mode *e, int col, const double *z)
{
    double rate = 0;
    for (int k = e->A.start[col]; k < e->A.start[col + 1]; k++)
        rate += fabs(e->A.a[k] * z[e->A.col[k]]);
    return 2 * DBL_EPSILON * s->clock.t * rate;
}

/* What is off at the start: states, as the last stretch left them, and inputs. */
static void begin_along(double *d, const rounding *r, const jn_sim *s, const mode *m)
{
    const exact_mode *e = jni_exact(m);
    bool is_known = r->entered == m && r->t == s->clock.t;
    memset(d, 0, (size_t)e->A.nrows * sizeof *d);
    for (int i = 0; i < e->n && is_known; i++)
        d[i] = r->of_z[i];
    for (int i = e->n + s->model.ns; i < e->moving; i++)
        d[i] = jni_rounding_of_input(s, e, i, s->now.z);
}

/* Σ_k |A|^k·d·h^k/k!, over as long a time as the first terms are all there is to it. */
static void find_along(rounding *r, const jn_sim *s, const mode *m, double h)
{
    enum { TERMS = 5 };
    const exact_mode *e = jni_exact(m);
    int n = e->A.nrows;
    double *sum = room(&r->along, &r->cap_along, 3 * n), *term = sum + n, *next = term + n;
    begin_along(sum, r, s, m);
    memcpy(term, sum, (size_t)n * sizeof *term);
    for (int k = 1; k <= TERMS; k++) {
        spread(next, &e->A, term);
        for (int i = 0; i < n; i++)
            sum[i] += term[i] = next[i] * h / k;
    }
    r->has_along = true;
}

double jni_rounding_along(rounding *r, const jn_sim *s, const mode *m, const srow *row, double h)
{
    double sum = 0;
    if (!r->has_along)
        find_along(r, s, m, h);
    for (int i = 0; i < row->n; i++)
        sum += fabs(row->a[i]) * r->along[row->col[i]];
    return sum;
}
