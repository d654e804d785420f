/* exact_panel.c: following a linear mode exactly.
 *
 * On 0 ≤ τ ≤ H the propagator exp(A·τ) is a polynomial in τ to rounding, once ‖A‖·H is small
 * enough: with Chebyshev coefficients P_k, z(τ) = Σ T_k(2τ/H − 1)·P_k·z(0). The matrices P_k are
 * made once for a mode and a length, from the Taylor series, or for a long one from exp(A·τ_i) at
 * the points of an interpolation; after that a stretch of solution costs one product per
 * coefficient, and is a polynomial that can be looked at anywhere, so that events are found on the
 * solution itself.
 *
 * Lengths are H_0·2^level. Level 0 is short enough for any z, and so are the levels below it,
 * which need fewer coefficients and know better what is near their start. A longer panel holds as
 * well once the fast parts of a stiff mode have died out; each time, the size of the last
 * coefficients tells. Doubling a length squares the propagators, so stiffness costs its
 * logarithm. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exact.h"

struct panel {
    double length, share; /* of level 0 */
    int n;                /* coefficients that count */
    double *node; /* exp(A·τ_i) − 1, SERIES_TERMS matrices; from level 0 up, where it was doubled */
    double *P;     /* coefficients, n matrices */
    double *drive; /* what inputs that are constant add to them, n × moving, and those inputs */
};

enum { LEVELS = 60 }; /* below 0, and places for those above */

/* Squaring doubles what rounding does to the slow parts beside the fast: 2^MOST_LEVEL of it leaves
 * them twelve digits. */
enum { MOST_LEVEL = 18 };

/* An entry that is the same at all points is constant: what does not move must not move at all. */
static void keep_constants(panel *p, int nz)
{
    size_t size = (size_t)nz * (size_t)nz;
    for (size_t l = 0; l < size; l++) {
        bool constant = true;
        for (size_t i = 1; i < SERIES_TERMS && constant; i++)
            constant = p->node[i * size + l] == p->node[l];
        for (size_t k = 0; k < (size_t)p->n && constant; k++)
            p->P[k * size + l] = k ? 0 : p->node[l];
    }
}

/* P_k from the propagators at the points. */
static void fit(panel *p, int nz)
{
    int d = SERIES_DEGREE;
    size_t size = (size_t)nz * (size_t)nz;
    p->P = jn_alloc((size_t)p->n * size * sizeof *p->P);
    for (int k = 0; k < p->n; k++)
        for (int i = 0; i <= d; i++) {
            double w = cos(PI * i * k / d) / d;
            w *= (k == 0 || k == d ? 1 : 2) * (i == 0 || i == d ? 0.5 : 1);
            for (size_t l = 0; l < size; l++)
                p->P[(size_t)k * size + l] += w * p->node[(size_t)i * size + l];
        }
    keep_constants(p, nz);
    for (size_t i = 0; i < (size_t)nz; i++)
        p->P[i * (size_t)nz + i] += 1;
}

/* (A·H)^j/j! for j = 1, 2, …, one after the other. */
typedef struct {
    const exact_mode *m;
    double length;
    double *term, *next;
    int j;
} taylor;

static void taylor_begin(taylor *t, const exact_mode *m, double length)
{
    size_t size = (size_t)m->A.nrows * (size_t)m->A.nrows;
    *t = (taylor){.m = m, .length = length, .j = 1};
    t->term = jn_alloc(size * sizeof *t->term);
    t->next = jn_alloc(size * sizeof *t->next);
    for (int i = 0; i < m->A.nrows; i++)
        jni_sparse_row(t->term + (size_t)i * (size_t)m->A.nrows, &m->A, i);
    for (size_t l = 0; l < size; l++)
        t->term[l] *= length;
}

static void taylor_step(taylor *t)
{
    int nz = t->m->A.nrows;
    t->j++;
    jni_sparse_mul_dense(t->next, &t->m->A, t->term, nz);
    for (size_t l = 0; l < (size_t)nz * (size_t)nz; l++)
        t->term[l] = t->next[l] * t->length / t->j;
}

static void taylor_end(taylor *t)
{
    free(t->term);
    free(t->next);
}

/* Where all begins at nothing the first term that is there counts, however small it is: behind coils and
 * capacitors that a source has just begun to fill, values go as the third power of time or the fourth. */
enum { LEAST_ORDER = 6 };

/* How many of x^j/j!, x = ‖A‖·H, are not lost in rounding. */
static int terms_for(double x)
{
    double c = x;
    int j = 1;
    while (c > 1e-18)
        c *= x / ++j;
    return j > LEAST_ORDER ? j : LEAST_ORDER;
}

/* How many coefficients 2·(x/4)^k/k! of exp on a length x = ‖A‖·H are not lost in rounding. */
static int coefficients_for(double x)
{
    int k = 0;
    for (double c = 2; c > 1e-18 && k < SERIES_TERMS; c *= 0.25 * x / k)
        k++;
    return k > LEAST_ORDER ? k : LEAST_ORDER + 1;
}

static void add_scaled(double *to, double c, const double *from, size_t n)
{
    for (size_t l = 0; l < n; l++)
        to[l] += c * from[l];
}

/* With u = cos θ,
 *
 *     (τ/H)^j = cos²ʲ(θ/2) = 4⁻ʲ·(C(2j, j) + 2·Σ C(2j, j − k)·T_k(u)):
 *
 * the factors of T_0 … T_j, n at most. Returns their number. */
static int chebyshev_of_power(double *factor, int j, int n)
{
    double c = 1;
    for (int i = 1; i <= j; i++)
        c *= (2 * i - 1.0) / (2 * i); /* 4⁻ʲ·C(2j, j) */
    int k = 0;
    for (; k < n && k <= j; k++) {
        factor[k] = k ? 2 * c : c;
        c *= (double)(j - k) / (j + k + 1);
    }
    return k;
}

/* P_k from the Taylor series, ‖A‖·H <= 3. The 1 is added last: so what is slow in a stiff mode
 * keeps all its digits. */
static panel *short_panel(const exact_mode *m, double length, int level)
{
    size_t nz = (size_t)m->A.nrows, size = nz * nz;
    double x = ldexp(3, level), factor[SERIES_TERMS];
    panel *p = jn_alloc(sizeof *p);
    p->share = ldexp(1, level);
    p->length = ldexp(length, level);
    p->n = coefficients_for(x);
    p->P = jn_alloc((size_t)p->n * size * sizeof *p->P);
    int terms = terms_for(x);
    taylor t;
    for (taylor_begin(&t, m, p->length); t.j <= terms; taylor_step(&t)) {
        int n = chebyshev_of_power(factor, t.j, p->n);
        for (int k = 0; k < n; k++)
            add_scaled(p->P + (size_t)k * size, factor[k], t.term, size);
    }
    taylor_end(&t);
    for (size_t i = 0; i < nz; i++)
        p->P[i * nz + i] += 1;
    return p;
}

/* exp(A·τ) − 1 at the points of level 0, to be squared. */
static void make_nodes(panel *p, const exact_mode *m)
{
    size_t size = (size_t)m->A.nrows * (size_t)m->A.nrows;
    double fraction[SERIES_TERMS], scale[SERIES_TERMS];
    int terms = terms_for(3);
    taylor t;
    p->node = jn_alloc(SERIES_TERMS * size * sizeof *p->node);
    for (int i = 0; i < SERIES_TERMS; i++)
        scale[i] = fraction[i] = 0.5 * (1 + cos(PI * i / SERIES_DEGREE));
    for (taylor_begin(&t, m, p->length); t.j <= terms; taylor_step(&t))
        for (size_t i = 0; i < SERIES_TERMS; i++) {
            add_scaled(p->node + i * size, scale[i], t.term, size);
            scale[i] *= fraction[i];
        }
    taylor_end(&t);
}

static panel *doubled_panel(panel *half, const exact_mode *m)
{
    int nz = m->A.nrows;
    size_t size = (size_t)nz * (size_t)nz;
    if (!half->node)
        make_nodes(half, m);
    panel *p = jn_alloc(sizeof *p);
    p->n = SERIES_TERMS;
    p->length = 2 * half->length;
    p->share = 2 * half->share;
    p->node = jn_alloc(SERIES_TERMS * size * sizeof *p->node);
    for (size_t i = 0; i < SERIES_TERMS; i++) { /* exp(2a) − 1 = 2(exp a − 1) + (exp a − 1)² */
        const double *h = half->node + i * size;
        jni_dense_mul(p->node + i * size, h, h, nz, nz, nz);
        for (size_t l = 0; l < size; l++)
            p->node[i * size + l] += 2 * h[l];
    }
    fit(p, nz);
    return p;
}

/* How fast things go: the 1-norm of the parts of A that couple states, as roots of energies,
 * integrals, and inputs among themselves. How strongly inputs drive states, and both drive
 * integrals, is of no matter: those series converge with that of what drives them. */
static double rate_of(const exact_mode *m, const jn_sim *s)
{
    const int end[] = {m->n, m->n + s->model.ns, m->A.nrows};
    double most = 0, *sum = jn_alloc((size_t)m->A.nrows * sizeof *sum);
    for (int part = 0, i = 0; part < 3; part++) {
        int first = i;
        for (; i < end[part]; i++)
            for (int k = m->A.start[i]; k < m->A.start[i + 1]; k++) {
                int col = m->A.col[k];
                if (col >= first && col < end[part])
                    sum[col] += fabs(m->A.a[k]) * (part ? 1 : m->unit[i] / m->unit[col]);
            }
    }
    for (int i = 0; i < m->A.nrows; i++)
        most = fmax(most, sum[i]);
    free(sum);
    return most;
}

/* More states than this: nothing is squared, and no matrix is dense that has zeros. */
enum { DENSE_STATES = 200 };

static bool has_many_states(const exact_mode *m)
{
    return m->A.nrows > DENSE_STATES;
}

enum { FACTORS = 20, MOST_PRICE = 100000 };

/* How many stretches cost as much as squaring the propagators of a longer one, counted in instructions
 * (0.6 M and 741 M for 201 states and inputs); with many states, as factoring what a longer one needs. */
static int price_of_doubling(const exact_mode *m)
{
    enum { FEW = 24 };
    return m->A.nrows < FEW ? 0 : has_many_states(m) ? FACTORS : m->A.nrows * m->A.nrows / 33;
}

/* Operations of a stretch without matrices. */
static double expanded_flops(const exact_mode *m)
{
    return terms_for(3) * (2 * jni_sparse_count(&m->A) + 10.0 * m->A.nrows);
}

/* The same of many states, once it is known how full the factors will be: those of a mesh are. */
static int price_of_factors(exact_mode *m)
{
    double factors;
    jni_implicit_flops(&factors, m);
    double price = factors / expanded_flops(m);
    return price < FACTORS ? FACTORS : price < MOST_PRICE ? (int)price : MOST_PRICE;
}

/* The first level above 0 that pays: one long stretch of many states takes as much as several short ones. */
static int least_level(exact_mode *m)
{
    double factors;
    if (!has_many_states(m))
        return 1;
    int level = (int)ceil(log2(jni_implicit_flops(&factors, m) / expanded_flops(m)));
    return level < 1 ? 1 : level;
}

static int level_below(exact_mode *m)
{
    return m->level - 1 < least_level(m) ? 0 : m->level - 1;
}

/* Where nothing moves, any length will do. Longer ones are tried when they would pay. */
static double first_length(exact_mode *m, const jn_sim *s)
{
    if (m->first_length == 0) {
        double rate = rate_of(m, s), length = rate > 0 ? 3 / rate : 1;
        m->first_length = fmin(fmax(length, 1e-290), 1e290);
        m->wait = price_of_doubling(m);
    }
    return m->first_length;
}

/* The panel of a level, made when it is first asked for; the long ones by doubling. */
static panel *panel_at(exact_mode *m, const jn_sim *s, int level)
{
    if (!m->panel)
        m->panel = jn_alloc((2 * LEVELS + 1) * sizeof *m->panel);
    panel **p = &m->panel[LEVELS + level];
    if (!*p)
        *p = level > 0 ? doubled_panel(panel_at(m, s, level - 1), m)
                       : short_panel(m, first_length(m, s), level);
    return *p;
}

void jni_panels_free(exact_mode *m)
{
    for (int i = 0; m->panel && i <= 2 * LEVELS; i++)
        if (m->panel[i]) {
            free(m->panel[i]->node);
            free(m->panel[i]->P);
            free(m->panel[i]->drive);
            free(m->panel[i]);
        }
    free(m->panel);
    m->panel = NULL;
}

size_t jni_panels_size(const exact_mode *m)
{
    size_t matrices = 0, nz = (size_t)m->A.nrows;
    for (int i = 0; m->panel && i <= 2 * LEVELS; i++)
        if (m->panel[i])
            matrices += (size_t)m->panel[i]->n + (m->panel[i]->node ? SERIES_TERMS : 0);
    return matrices * nz * nz * sizeof(double);
}

/* ---- stretches ----------------------------------------------------------------------------- */

/* What the constant part of z adds to each coefficient: mostly the same as the last time. */
static const double *drive_of(panel *p, const double *z, const exact_mode *m)
{
    int nz = m->A.nrows, moving = m->moving, count = p->n * moving;
    size_t bytes = (size_t)(nz - moving) * sizeof *z;
    bool is_known = p->drive;
    for (int i = moving; i < nz && is_known; i++)
        is_known = p->drive[count + i - moving] == z[i];
    if (is_known)
        return p->drive;
    if (!p->drive)
        p->drive = jn_alloc((size_t)(count + nz - moving) * sizeof *p->drive);
    memcpy(p->drive + count, z + moving, bytes);
    for (int k = 0; k < p->n; k++)
        for (int i = 0; i < moving; i++)
            p->drive[k * moving + i] =
                jni_dot(p->P + ((size_t)k * (size_t)nz + (size_t)i) * (size_t)nz + moving,
                        z + moving, nz - moving);
    return p->drive;
}

/* With so many states and moving inputs; it is inlined where the number is known. */
static inline void apply_to(stretch *p, const double *P, const double *drive, const double *z,
                            int moving)
{
    double *q = p->q;
    for (int k = 0; k < p->n; k++, q += p->nz, P += (size_t)p->nz * (size_t)p->nz)
        for (int i = 0; i < moving; i++)
            q[i] = *drive++ + jni_dot(P + (size_t)i * (size_t)p->nz, z, moving);
}

/* From the matrices of a panel. */
static void apply(stretch *p, panel *from, const double *z, const exact_mode *m)
{
    int nz = m->A.nrows, moving = m->moving;
    const double *drive = drive_of(from, z, m);
    p->length = from->length;
    p->share = from->share;
    p->n = from->n;
    switch (moving) { /* converters have few of them */
    case 1:
        apply_to(p, from->P, drive, z, 1);
        break;
    case 2:
        apply_to(p, from->P, drive, z, 2);
        break;
    case 3:
        apply_to(p, from->P, drive, z, 3);
        break;
    default:
        apply_to(p, from->P, drive, z, moving);
    }
    jni_copy(p->q + moving, z + moving, nz - moving);
}

/* Coefficient k of some columns: the sum of factor_jk·term_j over j = 1, 2, … */
static void sum_terms(double *q, const double *factor, const double *term, int terms, size_t nz,
                      int columns)
{
    enum { AT_ONCE = 4 };
    int c = 0;
    for (; c + AT_ONCE <= columns; c += AT_ONCE) {
        double sum[AT_ONCE] = {0};
        const double *from = term + c;
        for (int j = 0; j < terms; j++, from += nz)
            for (int l = 0; l < AT_ONCE; l++)
                sum[l] += factor[j * SERIES_TERMS] * from[l];
        for (int l = 0; l < AT_ONCE; l++)
            q[c + l] = sum[l];
    }
    for (; c < columns; c++)
        for (int j = 0; j < terms; j++)
            q[c] += factor[j * SERIES_TERMS] * term[(size_t)j * nz + (size_t)c];
}

/* The same without them, from (A·H)^j/j!·z. */
static void expand(stretch *p, double length, int level, const double *z, const exact_mode *m)
{
    size_t nz = (size_t)m->A.nrows;
    double x = ldexp(3, level);
    int terms = terms_for(x);
    double *term = jn_alloc((size_t)terms * (nz + SERIES_TERMS) * sizeof *term);
    double *factor = term + (size_t)terms * nz;
    p->share = ldexp(1, level);
    p->length = ldexp(length, level);
    p->n = coefficients_for(x);
    memset(p->q, 0, (size_t)p->n * nz * sizeof *p->q);
    for (int j = 1; j <= terms; j++) {
        double *next = term + (size_t)(j - 1) * nz;
        jni_sparse_mul(next, &m->A, j > 1 ? next - nz : z);
        for (size_t i = 0; i < nz; i++)
            next[i] = next[i] * p->length / j;
        chebyshev_of_power(factor + (j - 1) * SERIES_TERMS, j, p->n);
    }
    for (int k = 0; k < p->n; k++) { /* the first term that has it is k */
        int first = k > 1 ? k - 1 : 0;
        sum_terms(p->q + (size_t)k * nz, factor + first * SERIES_TERMS + k,
                  term + (size_t)first * nz, terms - first, nz, m->moving);
    }
    add_scaled(p->q, 1, z, nz);
    free(term);
}

/* Whether a stretch is made without matrices: where there are many states, as long as these would
 * not pay for themselves. */
static bool is_expanded(const exact_mode *m, int level)
{
    enum { FEW = 24 };
    if (m->A.nrows < FEW || level > 0)
        return false;
    double n = coefficients_for(ldexp(3, level)), terms = terms_for(ldexp(3, level));
    double one = 2.5 * terms * (jni_sparse_count(&m->A) + 0.75 * n * m->A.nrows);
    return one < n * m->A.nrows * m->A.nrows || m->expanded < terms;
}

/* The stretch of a level from z. */
static void make_level(stretch *p, const jn_sim *s, exact_mode *m, const double *z)
{
    jni_stretch_reserve(p, m->A.nrows);
    p->moving = m->moving;
    if (m->level > 0 && has_many_states(m) &&
        !jni_implicit_stretch(p, m, ldexp(first_length(m, s), m->level), z))
        m->level = 0;
    if (m->level > 0 && has_many_states(m)) {
        p->share = ldexp(1, m->level);
        return;
    }
    if (is_expanded(m, m->level)) {
        m->expanded++;
        expand(p, first_length(m, s), m->level, z, m);
    } else {
        apply(p, panel_at(m, s, m->level), z, m);
    }
}

/* Whether the last coefficients of some components of z are down to rounding, or to what is known of them. */
static bool is_smooth(const stretch *p, int from, int to, const double *unit, double noise)
{
    double largest = 0, tail = 0;
    for (int i = from; i < to; i++)
        for (int k = 0, terms = jni_stretch_terms(p, i); k < terms; k++) {
            double size = fabs(p->q[k * p->nz + i]) * (unit ? unit[i] : 1);
            largest = fmax(largest, size);
            if (k >= p->n - 2)
                tail = fmax(tail, size);
        }
    return tail <= 4e-15 * largest + noise;
}

/* Whether some components keep their size from end to end: rounding is that of the largest value,
 * and what grows from it, or decays to it, would be known less well. */
static bool keeps_size(const stretch *p, int from, int to, const double *unit, double decay)
{
    double start = 0, end = 0;
    for (int i = from; i < to; i++) {
        double a = 0, b = 0;
        for (int k = 0, terms = jni_stretch_terms(p, i); k < terms; k++) {
            double q = p->q[k * p->nz + i] * (unit ? unit[i] : 1);
            a += k % 2 ? -q : q;
            b += q;
        }
        start = fmax(start, fabs(a));
        end = fmax(end, fabs(b));
    }
    return end <= 20 * start && end >= decay * start;
}

/* What rounding leaves of an integral: the effort at a leak is a small difference of large currents. */
static double noise_of_integral(const stretch *p, const exact_mode *m, int row)
{
    double size = 0;
    for (int k = m->A.start[row]; k < m->A.start[row + 1]; k++)
        size += fabs(m->A.a[k] * p->q[m->A.col[k]]);
    return NOISE_OF_SUM * size * p->length;
}

/* States are compared with each other as roots of energies; integrals and inputs each by
 * themselves. */
static bool is_resolved(const stretch *p, const jn_sim *s, const exact_mode *m)
{
    if (!is_smooth(p, 0, m->n, m->unit, 0) ||
        !is_smooth(p, m->n + s->model.ns, m->A.nrows, NULL, 0) ||
        !keeps_size(p, 0, m->n, m->unit, 0.2))
        return false;
    for (int i = m->n; i < m->n + s->model.ns; i++)
        if (!is_smooth(p, i, i + 1, NULL, noise_of_integral(p, m, i)) ||
            !keeps_size(p, i, i + 1, NULL, 0))
            return false;
    return true;
}

/* Tries the next longer panel, less and less often while that fails. */
static void try_longer(stretch *p, jn_sim *s, exact_mode *m, const double *z)
{
    enum { MOST_PATIENCE = 255 };
    if (m->level >= MOST_LEVEL || m->wait-- > 0)
        return;
    bool is_first = has_many_states(m) && !m->implicit;
    int price = has_many_states(m) ? price_of_factors(m) : price_of_doubling(m);
    if (is_first && price > FACTORS) {
        m->wait = price - FACTORS;
        return;
    }
    stretch longer = {0};
    int before = m->level;
    m->level = before > 0 ? before + 1 : least_level(m);
    make_level(&longer, s, m, z);
    if (is_resolved(&longer, s, m)) {
        jni_stretch_clear(p);
        *p = longer;
        m->patience = 0;
        m->wait = price;
    } else {
        jni_stretch_clear(&longer);
        m->level = before;
        m->patience = m->patience < MOST_PATIENCE ? 2 * m->patience + 1 : m->patience;
        m->wait = m->patience + price;
    }
}

/* The level whose panel is just as long as wanted: where something grows, a longer one would know
 * it less well near the start. At most 0, or the level that held last. */
static int level_for(exact_mode *m, const jn_sim *s, double wanted)
{
    int exponent;
    frexp(wanted / first_length(m, s), &exponent);
    int most = m->level > 0 ? m->level : 0;
    return exponent > most ? most : exponent < -LEVELS ? -LEVELS : exponent;
}

double jni_panel_rate(mode *m, const jn_sim *s)
{
    return 3 / first_length(jni_exact(m), s);
}

/* A stretch begins where it was asked to, to the last digit: one that is off by the rounding of its
 * coefficients would take back what a short way along it gains. */
static void anchor(stretch *p, const double *z)
{
    for (int c = 0; c < p->moving; c++) {
        const double *q = p->q + c;
        double sum = *q;
        for (int k = 1; k + 1 < p->n; k += 2, q += 2 * p->nz)
            sum = sum - q[p->nz] + q[2 * p->nz];
        if (p->n % 2 == 0)
            sum -= q[p->nz];
        p->q[c] += z[c] - sum;
    }
}

void jni_panel_stretch(stretch *p, jn_sim *s, mode *of, const double *z, double wanted)
{
    exact_mode *m = jni_exact(of);
    m->level = level_for(m, s, wanted);
    if (m->level > 0 && m->level < least_level(m))
        m->level = 0;
    make_level(p, s, m, z);
    while (m->level > 0 && !is_resolved(p, s, m)) {
        m->level = level_below(m);
        make_level(p, s, m, z);
    }
    while (m->level <= 0 && m->level > -2 && !keeps_size(p, 0, m->n, m->unit, 0.2)) {
        m->level--;
        make_level(p, s, m, z);
    }
    if (p->length < wanted && m->level >= 0)
        try_longer(p, s, m, z);
    anchor(p, z);
}

/* ---- points of a stretch ------------------------------------------------------------------- */

/* T_k at two points, for k = 1, 2, … one after the other. */
typedef struct {
    pair now, before, twice;
} wave;

/* From u on: −1 is the start of a stretch, 1 its end. */
static inline wave begin_wave(pair u)
{
    return (wave){.now = u, .before = {1, 1}, .twice = 2 * u};
}

static inline void next_wave(wave *w)
{
    pair next = w->twice * w->now - w->before;
    w->before = w->now;
    w->now = next;
}

static inline pair pair_at(const double *q)
{
    return *(const pair *)q;
}

/* Some columns at one point, from one on: two pairs of them, a pair, a single one. */
static inline void four_columns_at(double *z, const stretch *p, const double *q, pair u)
{
    pair a = pair_at(q), b = pair_at(q + 2);
    wave T = begin_wave(u);
    for (int k = 1; k < p->n; k++, next_wave(&T)) {
        q += p->nz;
        a += T.now * pair_at(q);
        b += T.now * pair_at(q + 2);
    }
    *(pair *)z = a;
    *(pair *)(z + 2) = b;
}

static inline void two_columns_at(double *z, const stretch *p, const double *q, pair u)
{
    pair a = pair_at(q);
    wave T = begin_wave(u);
    for (int k = 1; k < p->n; k++, next_wave(&T))
        a += T.now * pair_at(q += p->nz);
    *(pair *)z = a;
}

/* One column at two points. */
static inline void column_at_two(pair *z, const stretch *p, const double *q, pair u)
{
    pair a = {*q, *q};
    wave T = begin_wave(u);
    for (int k = 1; k < p->n; k++, next_wave(&T))
        a += T.now * *(q += p->nz);
    *z = a;
}

void jni_stretch_at(double *z, const stretch *p, double tau)
{
    double along = 2 * tau / p->length - 1;
    pair u = {along, along}, last;
    int c = 0;
    for (; c + 4 <= p->moving; c += 4)
        four_columns_at(z + c, p, p->q + c, u);
    for (; c + 2 <= p->moving; c += 2)
        two_columns_at(z + c, p, p->q + c, u);
    if (c < p->moving) {
        column_at_two(&last, p, p->q + c, u);
        z[c++] = last[0];
    }
    for (; c < p->nz; c++)
        z[c] = p->q[c];
}

/* Likewise four columns, and two of them. */
static inline void four_columns_at_two(pair *z, const stretch *p, const double *q, pair u)
{
    pair a = {q[0], q[0]}, b = {q[1], q[1]}, c = {q[2], q[2]}, d = {q[3], q[3]};
    wave T = begin_wave(u);
    for (int k = 1; k < p->n; k++, next_wave(&T)) {
        q += p->nz;
        a += T.now * q[0];
        b += T.now * q[1];
        c += T.now * q[2];
        d += T.now * q[3];
    }
    z[0] = a;
    z[1] = b;
    z[2] = c;
    z[3] = d;
}

static inline void two_columns_at_two(pair *z, const stretch *p, const double *q, pair u)
{
    pair a = {q[0], q[0]}, b = {q[1], q[1]};
    wave T = begin_wave(u);
    for (int k = 1; k < p->n; k++, next_wave(&T)) {
        q += p->nz;
        a += T.now * q[0];
        b += T.now * q[1];
    }
    z[0] = a;
    z[1] = b;
}

void jni_stretch_at_two(pair *z, const stretch *p, pair tau)
{
    pair u = 2 * tau / p->length - 1;
    int c = 0;
    for (; c + 4 <= p->moving; c += 4)
        four_columns_at_two(z + c, p, p->q + c, u);
    for (; c + 2 <= p->moving; c += 2)
        two_columns_at_two(z + c, p, p->q + c, u);
    if (c < p->moving) {
        column_at_two(z + c, p, p->q + c, u);
        c++;
    }
    for (; c < p->nz; c++)
        z[c] = (pair){p->q[c], p->q[c]};
}
