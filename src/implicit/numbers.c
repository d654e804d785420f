/* numbers.c: the equations of one mode as plain doubles. */
#include <stdlib.h>

#include "junct/implicit.h"

void jn_mode_numbers_clear(jn_mode_numbers *m)
{
    free(m->E);
    free(m->A);
    free(m->B);
    *m = (jn_mode_numbers){0};
}

/* False: some value is no number. */
static bool read(double **to, jn_field *k, const jn_ratfun *from, int rows, int cols)
{
    size_t n = (size_t)rows * (size_t)cols;
    *to = jn_alloc(n * sizeof **to);
    for (size_t i = 0; i < n; i++) {
        if (!jn_ratfun_is_const(k, from[i]))
            return false;
        (*to)[i] = jn_ratfun_get_d(k, from[i]);
    }
    return true;
}

static void report_missing(const jn_graph *g, jn_diags *d)
{
    int param;
    if (jn_graph_missing_values(&param, g))
        jn_diag_add(d, JN_D_VALUE_MISSING, g->param[param].place, g->param[param].name,
                    g->param[param].name);
    else
        jn_diag_add(d, JN_D_VALUE_MISSING, (jn_place){0}, "what is not linear", "it");
}

static jn_status read_all(jn_mode_numbers *out, const jn_implicit *f, const jn_onoff *onoff,
                          jn_diags *d)
{
    const jn_graph *g = f->junction->graph;
    jn_mode m;
    jn_mode_init(&m);
    jn_implicit_mode(&m, f, onoff);
    *out = (jn_mode_numbers){.status = m.status, .n = m.n, .ninputs = m.ninputs};
    bool good = read(&out->E, g->field, m.E, m.n, m.n) && read(&out->A, g->field, m.A, m.n, m.n) &&
                read(&out->B, g->field, m.B, m.n, m.ninputs);
    jn_mode_clear(&m);
    if (good)
        return JN_OK;
    report_missing(g, d);
    jn_mode_numbers_clear(out);
    return JN_INVALID;
}

jn_status jn_graph_mode_numbers(jn_mode_numbers *out, const jn_graph *g, const jn_onoff *m,
                                jn_diags *d)
{
    jn_junction *j = NULL;
    jn_implicit *f = NULL;
    *out = (jn_mode_numbers){0};
    jn_status s = jn_junction_build_mode(&j, g, true, m, d);
    if (s == JN_OK)
        s = jn_implicit_derive(&f, j, d);
    if (s == JN_OK)
        s = read_all(out, f, m, d);
    jn_implicit_free(f);
    jn_junction_free(j);
    return s;
}
