/* multipliers.c: the eigenvalues of the map's Jacobian, how far they may be off, and what they say.
 *
 * Where two of them are equal they are known only to about the square root of what J is known to, but their
 * mean is known as J is. That matters near 1: a free orbit has a multiplier 1 of its own, and where
 * something is conserved it has another one. */
#include <stdlib.h>
#include <string.h>

#include "periodic_internal.h"

typedef struct {
    int n; /* −1: they were not found */
    jn_complex *list;
    double error; /* at most; 0: to rounding */
} multipliers;

/* J without what nothing depends on; returns its size. */
static int counted(double *to, const search *q)
{
    int n = q->map.c.n, size = 0, *list = jn_alloc((size_t)n * sizeof *list);
    for (int i = 0; i < n; i++)
        if (q->map.counts[i])
            list[size++] = i;
    for (int i = 0; i < size; i++)
        for (int k = 0; k < size; k++)
            to[i * size + k] =
                q->J[list[i] * n + list[k]] * q->map.scale[list[k]] / q->map.scale[list[i]];
    free(list);
    return size;
}

/* How many there are at most: independent states, and what else counts. */
static int most_of(const search *q)
{
    const jn_numbers *c = &q->map.c;
    int most = q->map.order;
    for (int i = c->nstates; i < c->nstates + c->nintegrals + c->ndiscretes; i++)
        most += q->map.counts[i];
    return most;
}

/* How far an entry of J may be off. */
static double doubt_of(const double *J, int n, double error)
{
    double largest = 1;
    for (int i = 0; i < n * n; i++)
        largest = fmax(largest, fabs(J[i]));
    return fmax(4 * error, 1e-15 * n * largest);
}

static double from_one(jn_complex x)
{
    return hypot(x.re - 1, x.im);
}

/* Those that may be 1, as they come from a J that is off by so much: they are put last. Returns how many. */
static int sort_ones(jn_complex *list, int n, const double *J, int size, double doubt)
{
    double norm = 1;
    int left = 0, count = 0;
    for (int i = 0; i < size * size; i++)
        norm = fmax(norm, fabs(J[i]));
    jn_complex *ones = jn_alloc((size_t)n * sizeof *ones + 1);
    for (int i = 0; i < n; i++)
        if (from_one(list[i]) > 10 * sqrt(doubt * norm))
            list[left++] = list[i];
        else
            ones[count++] = list[i];
    for (int i = 0; i < count; i++)
        list[left + i] = ones[i];
    free(ones);
    return count;
}

static int by_size(const void *a, const void *b)
{
    const jn_complex *x = a, *y = b;
    double dx = hypot(x->re, x->im), dy = hypot(y->re, y->im);
    return dx < dy ? 1 : dx > dy ? -1 : (x->im < y->im) - (x->im > y->im);
}

static int nearest_to_one(const jn_complex *list, int n)
{
    int nearest = 0;
    for (int i = 1; i < n; i++)
        if (from_one(list[i]) < from_one(list[nearest]))
            nearest = i;
    return nearest;
}

/* Without the one along a free orbit, which is always 1. Where others cannot be told from it, it is their sum
 * that is known. */
static int drop_own(jn_complex *list, int n, const double *J, int size, double doubt)
{
    if (n == 0)
        return 0;
    int ones = sort_ones(list, n, J, size, doubt), own = nearest_to_one(list, n);
    double sum = 0;
    for (int i = n - ones; i < n; i++)
        sum += list[i].re;
    if (ones > 1 && (list[own].im != 0 || from_one(list[own]) > 10 * doubt))
        for (int i = n - ones; i < n; i++)
            list[i] = (jn_complex){(sum - 1) / (ones - 1), 0};
    list[own] = list[n - 1];
    qsort(list, (size_t)n - 1, sizeof *list, by_size);
    return n - 1;
}

/* Returns how many; −1: they were not found. */
static int find_list(jn_complex *list, const double *J, int n, const search *q, double doubt)
{
    double *copy = jni_room(n * n);
    memcpy(copy, J, (size_t)(n * n) * sizeof *J);
    bool ok = jni_eigenvalues(list, copy, n) == JN_OK;
    free(copy);
    if (!ok)
        return -1;
    int most = most_of(q), found = n < most ? n : most;
    return q->o->is_free ? drop_own(list, found, J, n, doubt) : found;
}

static double farthest(const jn_complex *a, const jn_complex *b, int n)
{
    double largest = 0;
    for (int i = 0; i < n; i++) {
        double nearest = INFINITY;
        for (int k = 0; k < n; k++)
            nearest = fmin(nearest, hypot(a[i].re - b[k].re, a[i].im - b[k].im));
        largest = fmax(largest, nearest);
    }
    return largest;
}

/* How far they move when J does by what it may be off; a bad direction may be missed, hence the factor. */
static double spread(const multipliers *x, const double *J, int n, const search *q, double doubt)
{
    enum { TRIES = 8 };
    jn_complex *other = jn_alloc((size_t)n * sizeof *other + 1);
    double *near = jni_room(n * n), largest = 0;
    unsigned random = 1;
    for (int k = 0; k < TRIES; k++) {
        for (int i = 0; i < n * n; i++) {
            random = random * 1664525u + 1013904223u;
            near[i] = J[i] + (random >> 31 ? doubt : -doubt);
        }
        if (find_list(other, near, n, q, doubt) == x->n)
            largest = fmax(largest, farthest(x->list, other, x->n));
    }
    free(other);
    free(near);
    return 4 * largest;
}

static multipliers find_all(const search *q)
{
    int size = q->map.c.n;
    double *J = jni_room(size * size);
    int n = counted(J, q);
    double doubt = doubt_of(J, n, q->error);
    multipliers x = {.list = jn_alloc((size_t)n * sizeof *x.list + 1), .error = q->error};
    x.n = find_list(x.list, J, n, q, doubt);
    double off = x.n > 0 ? spread(&x, J, n, q, doubt) : 0;
    if (q->error > 0 || off > 1e-9) /* else it is rounding */
        x.error = fmax(q->error, off);
    free(J);
    return x;
}

/* What is not more than this from the unit circle may be on it; from NEAR_ENOUGH on that says nothing. */
#define NEAR_ENOUGH 0.1

static double slack_of(double error)
{
    return fmax(1e-9, 10 * error);
}

static jn_verdict verdict_of(const jn_steady *o)
{
    double slack = slack_of(o->multiplier_error);
    for (int i = 0; i < o->nmultipliers; i++) {
        const jn_complex *x = &o->multiplier[i];
        double size = hypot(x->re, x->im);
        if (size > 1 + slack)
            return fabs(x->im) > 1e-9 * size ? JN_ORBIT_NEIMARK_SACKER
                   : x->re > 0               ? JN_ORBIT_FOLD
                                             : JN_ORBIT_FLIP;
        if (size > 1 - slack)
            return slack < NEAR_ENOUGH ? JN_ORBIT_NEUTRAL : JN_ORBIT_UNKNOWN;
    }
    return JN_ORBIT_STABLE;
}

void jni_multipliers_of(jn_steady *o, const search *q)
{
    o->norder = q->map.order;
    o->verdict = JN_ORBIT_UNKNOWN;
    if (q->slides || q->kinked)
        return;
    multipliers x = find_all(q);
    o->multiplier = x.list;
    o->multiplier_error = x.error;
    if (x.n >= 0) {
        o->nmultipliers = x.n;
        o->verdict = verdict_of(o);
    }
}

bool jni_is_one_of_many(const search *q)
{
    multipliers x = find_all(q);
    double slack = slack_of(x.error);
    bool any = false;
    for (int i = 0; i < x.n && slack < NEAR_ENOUGH; i++)
        any |= from_one(x.list[i]) <= slack;
    free(x.list);
    return any;
}
