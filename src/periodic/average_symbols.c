/* average_symbols.c: the averaged model over the parameters: the exact matrices of the modes, weighted by their
 * durations as parts of the period. Where an edge of a modulation begins or ends a mode, that part follows
 * from its duty and phase, over the parameters in them; else it is the fraction that it is a number of. */
#include <stdlib.h>
#include <string.h>

#include "junct/junction.h"
#include "periodic_internal.h"

/* A and B of a mode in which all storages are independent, times a weight, are added. */
static bool add_mode(jn_bode *b, const jn_graph *g, const jn_onoff *onoff, jn_ratfun weight)
{
    jn_diags *d = jn_diags_new();
    jn_junction *j = NULL;
    jn_implicit *f = NULL;
    jn_mode m;
    int n = g->nstorages;
    jn_mode_init(&m);
    bool ok = jn_junction_build_mode(&j, g, false, onoff, d) == JN_OK &&
              jn_implicit_derive(&f, j, d) == JN_OK;
    if (ok)
        jn_implicit_mode(&m, f, onoff);
    ok = ok && m.status == JN_MODE_OK;
    for (int i = 0; i < n && ok; i++)
        ok = m.integral[i];
    for (int i = 0; i < n * n && ok; i++)
        b->mean_A[i] =
            jn_ratfun_add(g->field, b->mean_A[i], jn_ratfun_mul(g->field, weight, m.A[i]));
    for (int i = 0; i < n * g->nsources && ok; i++)
        b->mean_B[i] =
            jn_ratfun_add(g->field, b->mean_B[i], jn_ratfun_mul(g->field, weight, m.B[i]));
    jn_mode_clear(&m);
    jn_implicit_free(f);
    jn_junction_free(j);
    jn_diags_free(d);
    return ok && !jn_field_failed(g->field);
}

/* ---- when modes begin ---------------------------------------------------------------------- */

static jn_ratfun fraction(jn_field *k, long p, unsigned long q)
{
    fmpq_t x;
    fmpq_init(x);
    fmpq_set_si(x, p, q);
    jn_ratfun r = jn_ratfun_fmpq(k, x);
    fmpq_clear(x);
    return r;
}

/* Over the parameters; false: it is not rational in them, or varies. */
static bool symbol(jn_ratfun *to, const jn_graph *g, const jn_expr *e)
{
    *to = fraction(g->field, 0, 1);
    return !e || jn_expr_ratfun(to, g->field, e) == JN_OK;
}

static double number(const jn_graph *g, jn_ratfun r)
{
    return jn_ratfun_put(&r, g->field, r, g->param_value, g->nparams) == JN_OK
               ? jn_ratfun_get_d(g->field, r)
               : NAN;
}

/* An edge of a modulation that comes `share` after the start of the orbit, both in parts of its period: as
 * (phase − start)/period + duty, some of its periods later; false: it has none there. */
static bool edge_at(jn_ratfun *to, const response *r, const jn_automaton *a, jn_ratfun start,
                    double share)
{
    const jn_graph *g = r->q.g;
    jn_field *k = g->field;
    jn_ratfun period, phase, duty;
    if (!symbol(&period, g, a->pwm_period) || !symbol(&phase, g, a->pwm_phase) ||
        !symbol(&duty, g, a->pwm_duty))
        return false;
    double many = round(r->to->orbit->period / number(g, period));
    if (!(many >= 1 && many <= 1000) ||
        fabs(many * number(g, period) / r->to->orbit->period - 1) > 1e-12 ||
        jn_ratfun_div(to, k, jn_ratfun_sub(k, phase, start), period) != JN_OK)
        return false;
    for (int off = 0; off < 2; off++) {
        if (off)
            *to = jn_ratfun_add(k, *to, duty);
        double later = share * many - number(g, *to), whole = round(later);
        if (fabs(later - whole) > 1e-9 * many)
            continue;
        *to = jn_ratfun_add(k, *to, fraction(k, (long)whole, 1));
        *to = jn_ratfun_mul(k, *to, fraction(k, 1, (unsigned long)many));
        return true;
    }
    return false;
}

static bool boundary_at(jn_ratfun *to, const response *r, double share)
{
    const jn_graph *g = r->q.g;
    const jn_automaton *first = NULL;
    jn_ratfun start;
    long p, q;
    if (share <= 1e-12 || share >= 1 - 1e-12) {
        *to = fraction(g->field, share > 0.5, 1);
        return true;
    }
    for (int i = 0; i < g->nswitches && r->q.aside == 0; i++) {
        const jn_automaton *a = &g->automaton[i];
        if (!a->pwm_period)
            continue;
        first = first ? first : a;
        if (symbol(&start, g, first->pwm_phase) && edge_at(to, r, a, start, share))
            return true;
    }
    if (!jni_fraction(share, &p, &q) || q > 1000)
        return false;
    *to = fraction(g->field, p, (unsigned long)q);
    return true;
}

static bool add_all(response *r, jn_str *shares)
{
    const jn_graph *g = r->q.g;
    const jn_steady *o = r->to->orbit;
    jn_ratfun from, to;
    bool ok = true;
    for (int i = 0; i < o->nmodes && ok; i++) {
        const jn_steady_mode *m = &o->mode[i];
        ok = boundary_at(&from, r, m->from / o->period) &&
             boundary_at(&to, r, i + 1 < o->nmodes ? m->to / o->period : 1);
        if (!ok)
            break;
        jn_ratfun weight = jn_ratfun_sub(g->field, to, from);
        jn_str_add(shares, i ? ", " : "");
        jn_ratfun_print(shares, g->field, weight, jn_graph_param_names(g), JN_RATFUN_TEXT);
        jn_str_add(shares, " of ");
        jn_mode_print(shares, g, m->mode);
        ok = add_mode(r->to, g, m->mode, weight);
    }
    return ok;
}

void jni_respond_symbols(response *r)
{
    enum { MOST_STATES = 12, MOST_MODES = 12 };
    const jn_graph *g = r->q.g;
    jn_bode *b = r->to;
    jn_str shares;
    if (g->nstorages > MOST_STATES || b->orbit->nmodes > MOST_MODES)
        return;
    jn_str_init(&shares);
    b->mean_A = jn_alloc((size_t)(g->nstorages * g->nstorages) * sizeof *b->mean_A);
    b->mean_B = jn_alloc((size_t)(g->nstorages * g->nsources) * sizeof *b->mean_B);
    if (add_all(r, &shares)) {
        b->shares = jn_strdup(jn_str_c(&shares));
    } else {
        free(b->mean_A);
        free(b->mean_B);
        b->mean_A = b->mean_B = NULL;
    }
    jn_str_clear(&shares);
}
