/* margins.c: what is read off a response between the frequencies that were asked for.
 *
 * A response is followed from each frequency to the next: where it turns or grows by much, or does not go
 * straight, the step is halved. The frequencies at which the orbit itself swings, those of its multipliers,
 * are points of their own, so that no resonance falls between two others. Along that path the phase is one
 * curve, and crossings are found on the response itself. */
#include <stdlib.h>
#include <string.h>

#include "periodic_internal.h"

enum { MOST_HALVED = 24, MOST_OWN = 400 };
#define TURN (PI / 6) /* between neighbours on the path */
#define GROWTH 0.5    /* of the logarithm of the size */
#define STRAIGHT 0.1  /* off the middle of both ends, in the logarithm */

typedef struct {
    double f;
    int asked;         /* which of the frequencies that were asked for; −1: none */
    double complex *y; /* per value */
} point;

typedef struct {
    response *r;
    int nv, n, cap, budget;
    point *at;
    bool looks; /* for what neighbours do not show */
    bool failed;
} path;

/* ---- points -------------------------------------------------------------------------------- */

static point look_at(path *p, double f)
{
    point to = {.f = f, .asked = -1, .y = jn_alloc((size_t)p->nv * sizeof *to.y)};
    jn_complex *y = jn_alloc((size_t)p->nv * sizeof *y);
    if (!p->r->at(y, p->r, &f, 1))
        p->failed = true;
    for (int v = 0; v < p->nv; v++)
        to.y[v] = y[v].re + I * y[v].im;
    p->budget--;
    free(y);
    return to;
}

static void append(path *p, point x)
{
    JN_GROW(p->at, p->n, p->cap);
    p->at[p->n++] = x;
}

static void free_path(path *p)
{
    for (int i = 0; i < p->n; i++)
        free(p->at[i].y);
    free(p->at);
}

/* At a frequency of its own, something without losses answers without end. */
static bool is_finite(const path *p, const point *x)
{
    for (int v = 0; v < p->nv; v++)
        if (!isfinite(creal(x->y[v])) || !isfinite(cimag(x->y[v])))
            return false;
    return true;
}

static bool turns(const path *p, const point *a, const point *b)
{
    for (int v = 0; v < p->nv; v++) {
        double complex ratio = b->y[v] / a->y[v];
        if (fabs(carg(ratio)) > TURN || fabs(log(cabs(ratio))) > GROWTH)
            return true;
    }
    return false;
}

static bool bends(const path *p, const point *a, const point *m, const point *b)
{
    for (int v = 0; v < p->nv; v++)
        if (cabs(clog(m->y[v] / a->y[v]) - clog(b->y[v] / m->y[v])) > 2 * STRAIGHT)
            return true;
    return false;
}

/* From the last point to b, which is appended. */
static void go_to(path *p, point b, int halved)
{
    if (!is_finite(p, &b)) {
        free(b.y);
        return;
    }
    if (!p->n) {
        append(p, b);
        return;
    }
    point a = p->at[p->n - 1];
    bool must = turns(p, &a, &b);
    if (p->failed || p->budget <= 0 || halved == MOST_HALVED || (!must && !p->looks)) {
        append(p, b);
        return;
    }
    point m = look_at(p, sqrt(a.f * b.f));
    if (must || bends(p, &a, &m, &b)) {
        go_to(p, m, halved + 1);
        go_to(p, b, halved + 1);
        return;
    }
    free(m.y);
    append(p, b);
}

/* ---- the frequencies of its own ------------------------------------------------------------ */

static int add_own(double *list, int n, double f, double low, double high)
{
    if (f > low * (1 + 1e-9) && f < high * (1 - 1e-9) && n < MOST_OWN)
        list[n++] = f;
    return n;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* In ascending order, between two of those that were asked for. */
static int own_frequencies(double *list, const response *r, double low, double high)
{
    const jn_steady *o = r->to->orbit;
    int n = 0;
    for (int i = 0; o && i < o->nmultipliers; i++) {
        double turn = atan2(o->multiplier[i].im, o->multiplier[i].re) / (2 * PI);
        for (double k = fmax(0, floor(low * o->period)); k <= high * o->period + 1 && n < MOST_OWN;
             k++)
            n = add_own(list, n, (k + turn) / o->period, low, high);
    }
    const jn_linearised *m = r->linear;
    if (m && m->n) {
        jn_complex *pole = jn_alloc((size_t)m->n * sizeof *pole);
        if (jni_eigenvalues(pole, m->A, m->n) == JN_OK)
            for (int i = 0; i < m->n; i++)
                n = add_own(list, n, fabs(pole[i].im) / (2 * PI), low, high);
        free(pole);
    }
    qsort(list, (size_t)n, sizeof *list, by_size);
    return n;
}

static void follow_path(path *p)
{
    const jn_bode *b = p->r->to;
    double own[MOST_OWN];
    for (int f = 0; f < b->nfrequencies; f++) {
        point to = {b->frequency[f], f, jn_alloc((size_t)p->nv * sizeof *to.y)};
        for (int v = 0; v < p->nv; v++) {
            const jn_complex *y = &b->response[f * p->nv + v];
            to.y[v] = y->re + I * y->im;
        }
        int n = f && p->looks ? own_frequencies(own, p->r, b->frequency[f - 1], to.f) : 0;
        for (int i = 0; i < n && p->budget > 0; i++)
            if (!p->n || own[i] > p->at[p->n - 1].f)
                go_to(p, look_at(p, own[i]), 0);
        go_to(p, to, 0);
    }
}

/* ---- phases -------------------------------------------------------------------------------- */

static double degrees(double complex y)
{
    return carg(y) * 180 / PI;
}

/* In degrees at every point of the path. Half a turn at once, at a pole or zero without losses, is one
 * backwards. */
static double *phase_along(const path *p, int v)
{
    double *phase = jni_room(p->n);
    for (int i = 0; i < p->n; i++) {
        double complex y = p->at[i].y[v], before = i ? p->at[i - 1].y[v] : 1;
        double turn = y != 0 && before != 0 ? degrees(y / before) : 0;
        if (i && turn > 180 - 1e-6)
            turn -= 360;
        phase[i] = i ? phase[i - 1] + turn : turn;
    }
    return phase;
}

static void keep_phases(const path *p, int v, const double *phase)
{
    jn_bode *b = p->r->to;
    for (int f = 0; f < b->nfrequencies; f++)
        b->phase[f * p->nv + v] = NAN; /* unless it has one */
    for (int i = 0; i < p->n; i++)
        if (p->at[i].asked >= 0)
            b->phase[p->at[i].asked * p->nv + v] = phase[i];
}

/* ---- crossings ----------------------------------------------------------------------------- */

/* 0 where the size is 1, or where the phase is −180 degrees. */
static double miss(double complex y, bool of_size)
{
    return of_size ? log(cabs(y)) : carg(-y);
}

/* Between two neighbours, in the logarithm of the frequency: false position, the end that stays being
 * given half its weight (Illinois). */
static point cross(path *p, int v, bool of_size, const point *a, const point *b)
{
    double x0 = log(a->f), x1 = log(b->f);
    double g0 = miss(a->y[v], of_size), g1 = miss(b->y[v], of_size);
    point m = {0};
    for (int i = 0; i < 80; i++) {
        double x = i % 8 == 7 ? 0.5 * (x0 + x1) : x0 - g0 * (x1 - x0) / (g1 - g0);
        free(m.y);
        m = look_at(p, exp(x));
        double g = miss(m.y[v], of_size);
        if (g == 0 || fabs(x1 - x0) <= 1e-13 * fmax(1, fabs(x)) || fabs(g) < 1e-14 || p->failed)
            break;
        if ((g > 0) == (g1 > 0)) {
            x1 = x;
            g1 = g;
            g0 *= 0.5;
        } else {
            x0 = x1;
            g0 = g1;
            x1 = x;
            g1 = g;
        }
    }
    return m;
}

static void add_crossing(jn_crossings *to, double f, double margin)
{
    to->at = jn_realloc(to->at, (size_t)(to->n + 1) * sizeof *to->at);
    to->at[to->n++] = (jn_crossing){f, margin};
}

/* Turns of the phase beyond −180 degrees. On the line itself, a response that is real tells nothing: NaN. */
static double turns_of(double phase)
{
    double turn = (phase + 180) / 360;
    return fabs(turn - round(turn)) < 1e-6 ? NAN : floor(turn);
}

static void find_crossings(path *p, int v, const double *phase)
{
    jn_margins *to = &p->r->to->margins[v];
    int clear = -1; /* the last point beside the line */
    for (int i = 0; i < p->n && !p->failed; i++) {
        const point *b = &p->at[i], *a = i ? &p->at[i - 1] : NULL;
        if (a && (cabs(a->y[v]) > 1) != (cabs(b->y[v]) > 1)) {
            point m = cross(p, v, true, a, b);
            add_crossing(&to->gain, m.f, degrees(-m.y[v]));
            free(m.y);
        }
        if (isnan(turns_of(phase[i])))
            continue;
        if (clear >= 0 && turns_of(phase[clear]) != turns_of(phase[i])) {
            point m = cross(p, v, false, &p->at[clear], b);
            add_crossing(&to->phase, m.f, -20 * log10(cabs(m.y[v])));
            free(m.y);
        }
        clear = i;
    }
}

bool jni_respond_between(response *r, bool margins)
{
    jn_bode *b = r->to;
    path p = {.r = r, .nv = b->nvalues, .looks = margins, .budget = r->is_cheap ? 50000 : 300};
    b->phase = jni_room(b->nfrequencies * b->nvalues);
    if (margins)
        b->margins = jn_alloc((size_t)b->nvalues * sizeof *b->margins);
    follow_path(&p);
    for (int v = 0; v < b->nvalues; v++) {
        double *phase = phase_along(&p, v);
        keep_phases(&p, v, phase);
        if (margins && p.at)
            find_crossings(&p, v, phase);
        free(phase);
    }
    bool ok = !p.failed;
    free_path(&p);
    return ok;
}

const jn_crossing *jn_crossings_tightest(const jn_crossings *c)
{
    const jn_crossing *best = NULL;
    for (int i = 0; i < c->n; i++)
        if (!best || fabs(c->at[i].margin) < fabs(best->margin))
            best = &c->at[i];
    return best;
}
