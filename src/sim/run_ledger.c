/* ledger.c: where the energy goes.
 *
 * Along a stretch the effort and flow of every source and resistor are polynomials in time, so
 * their powers are integrated by a Gauss rule that is exact for the product: by its own way, not
 * from the change of what is stored; so the sum is a check. */
#include <math.h>
#include <stdlib.h>

#include "sim_internal.h"

double jn_stored_energy(const jn_sim *s, const double *x)
{
    double sum = 0;
    for (int i = 0; i < s->N; i++)
        sum += s->numeric ? jn_numeric_energy(s, i, x[i]) : 0.5 * x[i] * x[i] / s->storage[i];
    return sum;
}

/* Gauss–Legendre on [0, 1], found by Newton's method on the Legendre polynomial. */
enum { MOST_POINTS = PANEL_POINTS };

typedef struct {
    double x[MOST_POINTS], w[MOST_POINTS];
} rule;

static void make_rule(rule *r, int n)
{
    for (int i = 0; i < n; i++) {
        double x = cos(3.14159265358979323846 * (i + 0.75) / (n + 0.5)), slope = 1;
        for (int k = 0; k < 100; k++) {
            double p0 = 1, p1 = x;
            for (int j = 2; j <= n; j++) {
                double p2 = ((2 * j - 1) * x * p1 - (j - 1) * p0) / j;
                p0 = p1;
                p1 = p2;
            }
            slope = n * (x * p1 - p0) / (x * x - 1);
            double step = p1 / slope;
            x -= step;
            if (fabs(step) < 1e-16)
                break;
        }
        r->x[i] = 0.5 * (1 - x);
        r->w[i] = 1 / ((1 - x * x) * slope * slope);
    }
}

/* Over a share of the longest stretch that always holds, powers are sums of (6·share)^k/k! or less,
 * so a rule of n points errs by (n!)⁴·(6·share)²ⁿ/((2n + 1)·(2n)!³): less than 1e-17 up to the
 * shares given here. MOST_POINTS are exact for the product of any two series. */
static int points_for(double share)
{
    static const double up_to[] = {0,    0,    7e-5, 2.7e-3, 0.017, 0.057, 0.13,
                                   0.23, 0.38, 0.55, 0.76,   0.99,  1.25};
    for (int n = 2; n < (int)(sizeof up_to / sizeof *up_to); n++)
        if (share <= up_to[n])
            return n;
    return MOST_POINTS;
}

static const rule *rule_of(jn_sim *s, int n)
{
    if (!s->rules[n]) {
        s->rules[n] = jn_alloc(sizeof(rule));
        make_rule(s->rules[n], n);
    }
    return s->rules[n];
}

/* Effort and flow of the bonds of sources, then resistors, over z; the flow so that their product
 * is what a source supplies and a resistor dissipates; nothing where there is no power. */
static void make_ports(mode_table *m, jn_sim *s)
{
    int count = s->m + s->nr;
    srow *effort = jn_alloc((size_t)count * sizeof *effort);
    srow *flow = jn_alloc((size_t)count * sizeof *flow);
    for (int k = 0; k < count; k++) {
        int element = k < s->m ? s->g->source[k] : s->g->resistor[k - s->m];
        int bond = s->g->element[element].bond[0];
        bool into = s->g->bond[bond].head == element;
        jn_mode_table_srow(&effort[k], s, m, jn_obs_effort(s, bond));
        jn_mode_table_srow(&flow[k], s, m, jn_obs_flow(s, bond));
        for (int i = 0; i < flow[k].n && into == (k < s->m); i++)
            flow[k].a[i] = -flow[k].a[i];
        if (effort[k].n == 0 || flow[k].n == 0)
            effort[k].n = flow[k].n = 0;
    }
    jn_sparse_of(&m->effort, effort, count, m->nz);
    jn_sparse_of(&m->flow, flow, count, m->nz);
    for (int k = 0; k < count; k++) {
        jn_srow_clear(&effort[k]);
        jn_srow_clear(&flow[k]);
    }
    free(effort);
    free(flow);
}

static double *room_for(jn_sim *s, int n)
{
    if (!s->powers || s->cap_powers < n) {
        s->cap_powers = n;
        s->powers = jn_realloc(s->powers, (size_t)n * sizeof *s->powers);
    }
    return s->powers;
}

static void integrate(double *supplied, double *dissipated, jn_sim *s, double tau)
{
    mode_table *m = s->now;
    int n = points_for(s->stretch.share * tau / s->stretch.length), count = s->m + s->nr;
    const rule *r = rule_of(s, n);
    if (!m->effort.start)
        make_ports(m, s);
    double *z = room_for(s, m->nz + 2 * count), *effort = z + m->nz, *flow = effort + count;
    *supplied = *dissipated = 0;
    for (int i = 0; i < n; i++) {
        jn_stretch_at(z, &s->stretch, tau * r->x[i]);
        jn_sparse_mul(effort, &m->effort, z);
        jn_sparse_mul(flow, &m->flow, z);
        *supplied += tau * r->w[i] * jn_reals_dot(effort, flow, s->m);
        *dissipated += tau * r->w[i] * jn_reals_dot(effort + s->m, flow + s->m, s->nr);
    }
}

void jn_ledger_add(jn_ledger *l, jn_sim *s, double tau)
{
    double supplied = 0, dissipated = 0, exchanged = 0;
    if (s->slide)
        jn_slide_energies(&supplied, &dissipated, s, tau);
    else if (s->numeric)
        jn_numeric_energies(&supplied, &dissipated, &exchanged, s, tau);
    else
        integrate(&supplied, &dissipated, s, tau);
    l->supplied += supplied;
    l->dissipated += dissipated;
    l->moved += fabs(supplied) + fabs(dissipated) + exchanged;
}
