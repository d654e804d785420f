/* bode.c: frequency responses: around an orbit, or in a mode. */
#include <stdlib.h>
#include <string.h>

#include "periodic_internal.h"

int jni_disturbed_source(const response *r)
{
    return r->o->pwm >= 0 ? -1 : r->q.g->element[r->o->source].number;
}

static double number_of(jn_sim *s, const jn_expr *e)
{
    const jn_probe *p;
    return e && jn_sim_probe(&p, s, e) == JN_OK ? jn_sim_value(s, p) : 0;
}

double jni_period_of(const response *r)
{
    return number_of(r->q.sim, r->q.g->automaton[r->o->pwm].pwm_period);
}

double jni_period_start(const response *r, double t)
{
    double period = jni_period_of(r);
    double phase = number_of(r->q.sim, r->q.g->automaton[r->o->pwm].pwm_phase);
    return phase + (ceil((t - phase) / period - 1e-9) - 1) * period;
}

/* ---- in a mode ----------------------------------------------------------------------------- */

static void respond_in(jn_bode *b, const jn_linearised *m, int f)
{
    double complex iw = I * 2 * PI * b->frequency[f];
    double complex *A = jn_alloc((size_t)(m->n * m->n + m->n) * sizeof *A), *w = A + m->n * m->n;
    for (int i = 0; i < m->n; i++) {
        for (int c = 0; c < m->n; c++)
            A[i * m->n + c] = (i == c) * iw - m->A[i * m->n + c];
        w[i] = m->B[2 * i] + iw * m->B[2 * i + 1];
    }
    bool ok = jni_solve_complex(A, w, m->n);
    for (int v = 0; v < b->nvalues; v++) {
        double complex y = ok ? m->D[2 * v] + iw * m->D[2 * v + 1] : NAN;
        for (int i = 0; i < m->n; i++)
            y += m->C[v * m->n + i] * w[i];
        b->response[f * b->nvalues + v] = (jn_complex){creal(y), cimag(y)};
    }
    free(A);
}

static jn_status respond_mode(response *r)
{
    search *q = &r->q;
    jn_disturbance what = {jni_disturbed_source(r), r->to->nvalues, q->measure.probe};
    q->map.chain = jn_sim_chain(q->sim, &what);
    const jn_linearised *m = jn_chain_mode(q->map.chain, r->o->mode);
    bool linear = m != NULL;
    for (int v = 0; v < r->to->nvalues; v++)
        linear = linear && jn_probe_is_linear(q->measure.probe[v]);
    if (!linear) {
        jn_str_add(&q->message,
                   m ? "an output is not linear"
                   : jn_sim_is_linear(q->sim)
                       ? "the mode is forbidden, or has no unique solution"
                       : "the model is not linear: ask for the response around an orbit");
        return JN_UNABLE;
    }
    for (int f = 0; f < r->to->nfrequencies; f++)
        respond_in(r->to, m, f);
    return JN_OK;
}

/* ---- around an orbit ----------------------------------------------------------------------- */

/* Differences know of a disturbed source only where the model is integrated. */
static bool needs_integration(const response *r)
{
    return r->o->pwm < 0 && jn_sim_is_linear(r->q.sim);
}

static jn_status respond_around(response *r)
{
    const char *why;
    search *q = &r->q;
    if (jni_respond_chain(r, &why)) {
        jni_respond_average(r);
        if (r->to->averaged)
            jni_respond_symbols(r);
        return JN_OK;
    }
    r->to->why_not_averaged = jn_strdup(why);
    if (needs_integration(r)) {
        jn_str_addf(&q->message,
                    "the response of a source is not known exactly, because %s: leave "
                    "the choice of the method to junct",
                    why);
        r->integrate = r->o->orbit.method == JN_METHOD_AUTO;
        return JN_UNABLE;
    }
    jn_status st = jni_respond_differences(r);
    if (st != JN_OK && q->map.stop.why == JN_STOP_INTERRUPTED)
        jn_str_add(&q->message, "it was asked to end");
    else if (st != JN_OK)
        jn_str_add(&q->message, "the orbit changes its modes with the smallest disturbance");
    return st;
}

static void make_result(response *r)
{
    const jn_bode_options *o = r->o;
    jn_bode *b = r->to;
    const search *q = &r->q;
    b->graph = q->g;
    b->nvalues = q->nvalues;
    b->nfrequencies = o->nfrequencies;
    b->name = jn_alloc((size_t)b->nvalues * sizeof *b->name);
    for (int i = 0; i < b->nvalues; i++)
        b->name[i] = q->own             ? q->own_name[i]
                     : o->orbit.nvalues ? o->orbit.name[i]
                                        : q->g->output[i].name;
    b->frequency = jni_room(o->nfrequencies);
    memcpy(b->frequency, o->frequency, (size_t)o->nfrequencies * sizeof *b->frequency);
    b->response = jn_alloc((size_t)(b->nfrequencies * b->nvalues) * sizeof *b->response);
}

static jn_status find(jn_bode **out, const jn_graph *g, const jn_bode_options *o, bool *integrate,
                      jn_diags *d)
{
    response r = {.o = o};
    *out = NULL;
    jn_status st = jni_search_begin(&r.q, g, &o->orbit, o->mode, d);
    if (st == JN_OK) {
        r.to = *out = jn_alloc(sizeof *r.to);
        make_result(&r);
        if (o->mode) {
            st = respond_mode(&r);
        } else {
            st = jni_search_run(&r.q);
            r.to->orbit = jni_steady_of(&r.q);
            jn_str_reset(&r.q.message);
            if (st == JN_OK)
                st = respond_around(&r);
        }
        if (st != JN_OK && r.q.message.len)
            r.to->message = jn_strdup(jn_str_c(&r.q.message));
    }
    *integrate = r.integrate;
    jni_search_end(&r.q);
    return st;
}

jn_status jn_bode_find(jn_bode **out, const jn_graph *g, const jn_bode_options *o, jn_diags *d)
{
    bool integrate;
    jn_status st = find(out, g, o, &integrate, d);
    if (!integrate)
        return st;
    jn_bode_options other = *o;
    other.orbit.method = JN_METHOD_RADAU;
    jn_bode_free(*out);
    return find(out, g, &other, &integrate, d);
}

void jn_bode_free(jn_bode *b)
{
    if (!b)
        return;
    jn_steady_free(b->orbit);
    free(b->message);
    free(b->name);
    free(b->frequency);
    free(b->response);
    free(b->averaged);
    free(b->why_not_averaged);
    free(b->deviation);
    free(b->mean_A);
    free(b->mean_B);
    free(b->shares);
    free(b);
}
