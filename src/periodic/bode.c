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

static void respond_in(jn_complex *to, const jn_linearised *m, double frequency)
{
    double complex iw = I * 2 * PI * frequency;
    double complex *A = jn_alloc((size_t)(m->n * m->n + m->n) * sizeof *A), *w = A + m->n * m->n;
    for (int i = 0; i < m->n; i++) {
        for (int c = 0; c < m->n; c++)
            A[i * m->n + c] = (i == c) * iw - m->A[i * m->n + c];
        w[i] = m->B[2 * i] + iw * m->B[2 * i + 1];
    }
    bool ok = jni_solve_complex(A, w, m->n);
    for (int v = 0; v < m->nvalues; v++) {
        double complex y = ok ? m->D[2 * v] + iw * m->D[2 * v + 1] : NAN;
        for (int i = 0; i < m->n; i++)
            y += m->C[v * m->n + i] * w[i];
        to[v] = (jn_complex){creal(y), cimag(y)};
    }
    free(A);
}

static bool respond_of_mode(jn_complex *to, response *r, const double *frequency, int n)
{
    for (int f = 0; f < n; f++)
        respond_in(to + f * r->linear->nvalues, r->linear, frequency[f]);
    return true;
}

static jn_status prepare_mode(response *r)
{
    search *q = &r->q;
    jn_disturbance what = {jni_disturbed_source(r), r->to->nvalues, q->measure.probe};
    q->map.chain = jn_sim_chain(q->sim, &what);
    const jn_linearised *m = r->linear = jn_chain_mode(q->map.chain, r->o->mode);
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
    r->at = respond_of_mode;
    r->is_cheap = true;
    return JN_OK;
}

/* ---- around an orbit ----------------------------------------------------------------------- */

/* Differences know of a disturbed source only where the model is integrated. */
static bool needs_integration(const response *r)
{
    return r->o->pwm < 0 && jn_sim_is_linear(r->q.sim);
}

/* At a duty of 0 or 1 the switch has no edge that could move, and could move one way only. */
static bool has_edges(const response *r)
{
    const jn_steady *o = r->to->orbit;
    for (int i = 1; i < o->nmodes; i++)
        if (o->mode[i].mode[r->o->pwm] != o->mode[0].mode[r->o->pwm])
            return true;
    return false;
}

static jn_status prepare_orbit(response *r)
{
    const char *why;
    if (r->q.slides) {
        jn_str_add(&r->q.message, "the orbit slides all the time, and what a disturbance does to "
                                  "it is not known");
        return JN_UNABLE;
    }
    if (r->o->pwm >= 0 && !has_edges(r)) {
        jn_str_addf(
            &r->q.message,
            "the duty cycle of '%s' is at its end, %d, where it can change one way only: it has "
            "no response there",
            r->q.g->switch_name[r->o->pwm], r->to->orbit->mode[0].mode[r->o->pwm] ? 1 : 0);
        return JN_UNABLE;
    }
    r->is_cheap = jni_chain_tells(r, &why);
    r->at = r->is_cheap ? jni_respond_chain : jni_respond_differences;
    if (r->is_cheap)
        return JN_OK;
    r->to->why_not_averaged = jn_strdup(why);
    if (!needs_integration(r))
        return JN_OK;
    jn_str_addf(&r->q.message,
                "the response of a source is not known exactly, because %s: leave "
                "the choice of the method to junct",
                why);
    r->integrate = r->o->orbit.method == JN_METHOD_AUTO;
    return JN_UNABLE;
}

static jn_status prepare(response *r)
{
    if (r->o->mode)
        return prepare_mode(r);
    jn_status st = jni_search_run(&r->q);
    r->to->orbit = jni_steady_of(&r->q);
    jn_str_reset(&r->q.message);
    if (st == JN_OK)
        return prepare_orbit(r);
    if (r->q.map.stop.message)
        jn_str_add(&r->q.message, r->q.map.stop.message);
    return st;
}

static jn_status respond(response *r)
{
    search *q = &r->q;
    jn_bode *b = r->to;
    bool ok = r->at(b->response, r, b->frequency, b->nfrequencies) &&
              jni_respond_between(r, r->o->margins);
    if (!ok) {
        jn_str_add(&q->message, q->map.stop.why == JN_STOP_INTERRUPTED
                                    ? "it was asked to end"
                                    : "the orbit changes its modes with the smallest disturbance");
        return JN_UNABLE;
    }
    if (r->at != jni_respond_chain || b->orbit->nmodes < 2) /* of one mode it is the response */
        return JN_OK;
    jni_respond_average(r);
    if (b->averaged)
        jni_respond_symbols(r);
    return JN_OK;
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
        st = prepare(&r);
        if (st == JN_OK)
            st = respond(&r);
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
    if (!integrate || !*out)
        return st;
    jn_bode_options other = *o;
    char *why = (*out)->why_not_averaged; /* that it is integrated now is no reason */
    (*out)->why_not_averaged = NULL;
    other.orbit.method = JN_METHOD_RADAU;
    jn_bode_free(*out);
    st = find(out, g, &other, &integrate, d);
    if (*out) {
        free((*out)->why_not_averaged);
        (*out)->why_not_averaged = why;
    } else {
        free(why);
    }
    return st;
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
    free(b->phase);
    for (int v = 0; b->margins && v < b->nvalues; v++) {
        free(b->margins[v].gain.at);
        free(b->margins[v].phase.at);
    }
    free(b->margins);
    free(b->averaged);
    free(b->why_not_averaged);
    free(b->deviation);
    free(b->mean_A);
    free(b->mean_B);
    free(b->shares);
    free(b);
}
