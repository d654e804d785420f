/* sensitivity.c: what the means of an orbit do when a value changes, by differences of orbits. Each
 * orbit closes to rounding, so that differences of the fourth order are good to many digits. */
#include <stdlib.h>
#include <string.h>

#include "periodic_internal.h"

typedef struct {
    jn_graph *g;
    const jn_steady_options *o;
    const char *name;
    fmpq_t value;
    int source; /* an element; −1: it is a parameter */
} knob;

/* The mean of each value with the knob at value·(1 + k/1000). */
static jn_status means_at(double *mean, const knob *k, int step)
{
    const char *why;
    jn_diags *d = jn_diags_new();
    jn_steady *o = NULL;
    fmpq_t x;
    fmpq_init(x);
    fmpq_set_si(x, 1000 + step, 1000);
    fmpq_mul(x, x, k->value);
    jn_status st = jn_graph_set(k->g, k->name, x, &why);
    if (st == JN_OK)
        st = jn_steady_find(&o, k->g, k->o, d);
    for (int i = 0; st == JN_OK && i < o->nvalues; i++)
        mean[i] = o->value[i].mean;
    jn_steady_free(o);
    jn_diags_free(d);
    fmpq_clear(x);
    return st;
}

static jn_status slope_of(double *slope, double *error, const knob *k, int nvalues)
{
    double *y = jni_room(4 * nvalues), h = jn_number_get_d(k->value) / 1000;
    static const int step[] = {1, -1, 2, -2};
    jn_status st = JN_OK;
    const jn_expr *input = k->source >= 0 ? k->g->element[k->source].input : NULL;
    const char *why;
    for (int i = 0; i < 4 && st == JN_OK; i++)
        st = means_at(y + i * nvalues, k, step[i]);
    jn_status back = jn_graph_set(k->g, k->name, k->value, &why);
    if (input)
        k->g->element[k->source].input = input;
    for (int v = 0; v < nvalues && st == JN_OK; v++) {
        double near = y[v] - y[nvalues + v], far = y[2 * nvalues + v] - y[3 * nvalues + v];
        slope[v] = (8 * near - far) / (12 * h);
        error[v] = fabs(slope[v] - near / (2 * h));
    }
    free(y);
    return st != JN_OK ? st : back;
}

static bool mentions_params(const jn_expr *e)
{
    if (e->op == JN_X_PARAM)
        return true;
    for (int i = 0; i < e->nargs; i++)
        if (mentions_params(e->arg[i]))
            return true;
    return false;
}

/* A parameter or source whose value is a number of its own, other than 0. */
static bool turn_to(knob *k, int i)
{
    const jn_graph *g = k->g;
    bool is_param = i < g->nparams;
    const jn_expr *e;
    jn_ratfun r;
    k->source = is_param ? -1 : g->source[i - g->nparams];
    k->name = is_param ? g->param[i].name : g->element[k->source].name;
    e = is_param ? g->param[i].given : g->element[k->source].input;
    if (!e || mentions_params(e) || jn_expr_ratfun(&r, g->field, e) != JN_OK)
        return false;
    if (is_param)
        r = g->param[i].value;
    return jn_ratfun_get_fmpq(k->value, g->field, r) && !fmpq_is_zero(k->value);
}

static void add(jn_sensitivity *s, const knob *k)
{
    int nv = s->orbit->nvalues, i = s->n;
    jn_status st = slope_of(s->slope + i * nv, s->error + i * nv, k, nv);
    s->name[i] = k->name;
    s->at[i] = jn_number_get_d(k->value);
    for (int v = 0; v < nv && st != JN_OK; v++)
        s->slope[i * nv + v] = s->error[i * nv + v] = NAN;
    s->n++;
}

jn_status jn_sensitivity_find(jn_sensitivity **out, jn_graph *g, const jn_steady_options *o,
                              jn_diags *d)
{
    jn_steady *orbit;
    *out = NULL;
    jn_status st = jn_steady_find(&orbit, g, o, d);
    if (!orbit)
        return st;
    jn_sensitivity *s = *out = jn_alloc(sizeof *s);
    int most = g->nparams + g->nsources;
    knob k = {.g = g, .o = o};
    s->orbit = orbit;
    s->name = jn_alloc((size_t)most * sizeof *s->name);
    s->at = jni_room(most);
    s->slope = jni_room(most * orbit->nvalues);
    s->error = jni_room(most * orbit->nvalues);
    fmpq_init(k.value);
    for (int i = 0; i < most && st == JN_OK; i++)
        if (turn_to(&k, i))
            add(s, &k);
    fmpq_clear(k.value);
    return st;
}

void jn_sensitivity_free(jn_sensitivity *s)
{
    if (!s)
        return;
    jn_steady_free(s->orbit);
    free(s->name);
    free(s->at);
    free(s->slope);
    free(s->error);
    free(s->message);
    free(s);
}
