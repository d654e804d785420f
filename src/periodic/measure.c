/* measure.c: what is measured along an orbit.
 *
 * Means, rms and extrema of values are those of meters of the run. For waves, powers and pictures the values
 * themselves are kept: between events values are smooth: on each piece they are known at the points cos(π·i/32) of
 * Clenshaw and Curtis, which say all of a polynomial of degree 32; a stretch that is followed exactly
 * is one of degree 16, a power on it one of 32. Where that is not enough for a value, the piece is cut
 * in two, and so on towards a jump or a corner of it. Integrals over a piece are exact for what those points say. */
#include <stdlib.h>
#include <string.h>

#include "periodic_internal.h"

enum {
    DEGREE = PIECE_NODES - 1,
    MANY_CUTS = 10,   /* what is rough all over is cut into no more than 2 to the power of these */
    MOST_CUTS = 36,   /* towards a single jump: what is left beside it is 1e-11 of the stretch */
    MOST_DEEP = 4000, /* of those beyond MANY_CUTS, on one stretch */
};

void jni_measure_init(measure *m, jn_sim *s, const jn_graph *g)
{
    *m = (measure){.s = s, .g = g};
    jn_numbers c = jn_sim_numbers(s);
    m->nstates = c.nstates + c.nintegrals;
    m->jump_work = jni_room(g->nsources);
}

static const jn_probe **next_probe(measure *m)
{
    size_t n = (size_t)m->nprobes + 1;
    m->probe = jn_realloc(m->probe, n * sizeof *m->probe);
    m->largest = jn_realloc(m->largest, n * sizeof *m->largest);
    m->largest[m->nprobes] = 0;
    return &m->probe[m->nprobes];
}

jn_status jni_measure_probe(measure *m, const jn_expr *e)
{
    jn_status st = jn_sim_probe(next_probe(m), m->s, e);
    m->nprobes += st == JN_OK;
    return st;
}

jn_status jni_measure_bond(measure *m, int bond, bool effort)
{
    jn_status st = jn_sim_probe_bond(next_probe(m), m->s, bond, effort);
    m->nprobes += st == JN_OK;
    return st;
}

static void clear_piece(piece *p)
{
    free(p->mode);
    free(p->start);
    free(p->value);
}

jn_status jni_measure_meter(measure *m, const jn_expr *e)
{
    size_t n = (size_t)m->nmeters + 1;
    m->meter = jn_realloc(m->meter, n * sizeof *m->meter);
    m->reading = jn_realloc(m->reading, n * sizeof *m->reading);
    jn_status st = jn_sim_meter(&m->meter[m->nmeters], m->s, e,
                                JN_METER_INTEGRAL | JN_METER_SQUARE | JN_METER_RANGE);
    m->nmeters += st == JN_OK;
    return st;
}

static void forget_pieces(measure *m)
{
    for (int i = 0; i < m->n; i++)
        clear_piece(&m->piece[i]);
    m->n = 0;
}

void jni_measure_restart(measure *m)
{
    forget_pieces(m);
    for (int i = 0; i < m->nmeters; i++)
        jn_sim_meter_begin(m->s, m->meter[i]);
    for (int i = 0; i < m->g->nsources; i++)
        m->jump_work[i] = -jn_sim_jump_work(m->s, i);
}

void jni_measure_finish(measure *m)
{
    for (int i = 0; i < m->nmeters; i++)
        m->reading[i] = jn_sim_meter_read(m->s, m->meter[i]);
    for (int i = 0; i < m->g->nsources; i++)
        m->jump_work[i] += jn_sim_jump_work(m->s, i);
}

void jni_measure_clear(measure *m)
{
    forget_pieces(m);
    free(m->piece);
    free(m->probe);
    free(m->largest);
    free(m->meter);
    free(m->reading);
    free(m->jump_work);
}

/* ---- pieces -------------------------------------------------------------------------------- */

/* Shares of the piece, from 0 to 1. */
static double node(int i)
{
    static double at[PIECE_NODES];
    if (at[DEGREE] == 0)
        for (int k = 0; k <= DEGREE; k++)
            at[k] = 0.5 * (1 - cos(PI * k / DEGREE));
    return at[i];
}

/* Interpolation through the nodes, in the barycentric form. */
double jni_piece_at(const piece *p, int nprobes, int probe, double share)
{
    double above = 0, below = 0;
    for (int i = 0; i < PIECE_NODES; i++) {
        double distance = share - node(i), y = p->value[i * nprobes + probe];
        if (distance == 0)
            return y;
        double w = (i % 2 ? -1 : 1) * (i == 0 || i == DEGREE ? 0.5 : 1) / distance;
        above += w * y;
        below += w;
    }
    return above / below;
}

/* How far off a value may be between the nodes: also by what rounding of the time makes of it, and by that of what it
 * is a difference of, as the voltage at the resistor of a snubber that has settled. */
static double allowed(const measure *m, const piece *p, int probe)
{
    double low = INFINITY, high = -INFINITY;
    for (int n = 0; n < PIECE_NODES; n++) {
        double y = p->value[n * m->nprobes + probe];
        low = fmin(low, y);
        high = fmax(high, y);
    }
    double step = nextafter(fabs(p->to), INFINITY) - fabs(p->to);
    return 1e-11 * fmax(fabs(low), fabs(high)) + 1e-13 * m->largest[probe] +
           8 * (high - low) * step / (p->to - p->from);
}

static void note_largest(measure *m, const double *y)
{
    for (int i = 0; i < m->nprobes; i++)
        if (fabs(y[i]) > m->largest[i] && isfinite(y[i]))
            m->largest[i] = fabs(y[i]);
}

static bool is_smooth(const measure *m, const piece *p)
{
    static const double between[] = {0.0131, 0.377, 0.8243};
    double *y = jni_room(m->nprobes);
    bool smooth = true;
    for (size_t k = 0; k < sizeof between / sizeof *between && smooth; k++) {
        jn_sim_peek(y, m->s, m->probe, m->nprobes, p->from + between[k] * (p->to - p->from));
        for (int i = 0; i < m->nprobes && smooth; i++) {
            double off = fabs(jni_piece_at(p, m->nprobes, i, between[k]) - y[i]);
            smooth = !(off > allowed(m, p, i));
        }
    }
    free(y);
    return smooth;
}

/* deep: how many more may be cut more than MANY_CUTS times. */
static void add_piece(measure *m, double from, double to, int cuts, int *deep)
{
    const jn_onoff *mode = jn_sim_mode(m->s);
    size_t nswitches = (size_t)m->g->nswitches;
    piece p = {.from = from, .to = to, .slides = jn_sim_slides(m->s)};
    p.mode = jn_alloc(nswitches);
    memcpy(p.mode, mode, nswitches);
    p.start = jni_room(m->nstates);
    p.value = jni_room(PIECE_NODES * m->nprobes);
    for (int i = 0; i < PIECE_NODES; i++) {
        double *y = p.value + i * m->nprobes;
        jn_sim_peek(y, m->s, m->probe, m->nprobes, from + node(i) * (to - from));
        note_largest(m, y);
    }
    double middle = 0.5 * (from + to);
    bool may_cut = cuts < MANY_CUTS || (cuts<MOST_CUTS && * deep> 0);
    if (may_cut && middle > from && middle < to && !is_smooth(m, &p)) {
        *deep -= cuts >= MANY_CUTS;
        clear_piece(&p);
        add_piece(m, from, middle, cuts + 1, deep);
        add_piece(m, middle, to, cuts + 1, deep);
        return;
    }
    jn_sim_peek_state(p.start, m->s, from);
    JN_GROW(m->piece, m->n, m->cap);
    m->piece[m->n++] = p;
}

void jni_measure_passed(measure *m, double from, double to)
{
    int deep = MOST_DEEP;
    add_piece(m, from, to, 0, &deep);
}

/* What lasts no longer than the time is rounded is no piece. */
void jni_measure_drop_short(measure *m)
{
    int n = 0;
    for (int i = 0; i < m->n; i++) {
        piece *p = &m->piece[i];
        double step = nextafter(fabs(p->to), INFINITY) - fabs(p->to);
        if (p->to - p->from <= 4 * step && m->n > 1)
            clear_piece(p);
        else
            m->piece[n++] = *p;
    }
    m->n = n;
}

/* ---- integrals ----------------------------------------------------------------------------- */

/* The rule of Clenshaw and Curtis over [0, 1] with n + 1 points; n is even. cosine: cos(2π·k/n). */
typedef struct {
    int n;
    double *cosine, *weight;
} rule;

static rule make_rule(int n)
{
    rule r = {n, jni_room(n), jni_room(n + 1)};
    for (int k = 0; k < n; k++)
        r.cosine[k] = cos(2 * PI * k / n);
    for (int i = 0; i <= n; i++) {
        double sum = 1;
        for (int k = 1; k <= n / 2; k++)
            sum -= (2 * k == n ? 1.0 : 2.0) * r.cosine[(long)k * i % n] / (4.0 * k * k - 1);
        r.weight[i] = sum * (i == 0 || i == n ? 0.5 : 1) / n;
    }
    return r;
}

static void free_rule(rule *r)
{
    free(r->cosine);
    free(r->weight);
}

double jni_measure_product(const measure *m, int a, int b)
{
    double sum = 0;
    rule r = make_rule(DEGREE);
    for (int k = 0; k < m->n; k++) {
        const piece *p = &m->piece[k];
        for (int i = 0; i < PIECE_NODES; i++) {
            const double *y = p->value + i * m->nprobes;
            sum += (p->to - p->from) * r.weight[i] * y[a] * (b >= 0 ? y[b] : 1);
        }
    }
    free_rule(&r);
    return sum;
}

/* The degree that exp(iωt) has on a piece, to rounding: x^m/m! with x = ω·length/4 is how far off one of degree m is. */
static int wave_degree(double omega, double length)
{
    double x = fmin(fabs(omega) * length / 4, 5e4), left = 1;
    int m = 0;
    while (left > 1e-17 && m < 32 + 4 * x) {
        m++;
        left *= x / m;
    }
    return m;
}

/* As many points as the wave needs beside what the value is made of. */
static double complex wave_of_piece(rule *r, const piece *p, int nprobes, int probe, double omega,
                                    double t0)
{
    double length = p->to - p->from;
    int n = DEGREE + wave_degree(omega, length);
    double complex sum = 0;
    n += n % 2;
    if (!r->weight || r->n != n) { /* else that of the piece before */
        free_rule(r);
        *r = make_rule(n);
    }
    for (int i = 0; i <= n; i++) {
        double share = 0.5 * (1 - cos(PI * i / n)), t = p->from - t0 + share * length;
        double y =
            n == DEGREE ? p->value[i * nprobes + probe] : jni_piece_at(p, nprobes, probe, share);
        sum += r->weight[i] * y * cexp(-I * omega * t);
    }
    return length * sum;
}

double complex jni_measure_wave(const measure *m, int probe, double omega, double t0)
{
    double complex sum = 0;
    rule r = {0};
    for (int k = 0; k < m->n; k++)
        sum += wave_of_piece(&r, &m->piece[k], m->nprobes, probe, omega, t0);
    free_rule(&r);
    return sum;
}
