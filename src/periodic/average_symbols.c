/* average_symbols.c: the averaged model over the parameters: the exact matrices of the modes, weighted
 * by durations that are fractions of the period. */
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

/* The durations as fractions that add up to 1. */
static bool add_all(response *r, jn_str *shares)
{
    const jn_graph *g = r->q.g;
    const jn_steady *o = r->to->orbit;
    fmpq_t sum, share;
    fmpq_init(sum);
    fmpq_init(share);
    bool ok = true;
    for (int i = 0; i < o->nmodes && ok; i++) {
        long p, q;
        const jn_steady_mode *m = &o->mode[i];
        ok = jni_fraction((m->to - m->from) / o->period, &p, &q) && q <= 1000;
        if (!ok)
            break;
        fmpq_set_si(share, p, (unsigned long)q);
        fmpq_add(sum, sum, share);
        jn_str_addf(shares, q == 1 ? "%s%ld of " : "%s%ld/%ld of ", i ? ", " : "", p, q);
        jn_mode_print(shares, g, m->mode);
        ok = add_mode(r->to, g, m->mode, jn_ratfun_fmpq(g->field, share));
    }
    ok = ok && fmpq_is_one(sum);
    fmpq_clear(sum);
    fmpq_clear(share);
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
