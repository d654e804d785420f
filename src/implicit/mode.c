/* mode.c: one mode of the implicit equation.
 *
 * Rows and variables that are not active in the mode drop out, and E and A are square: one row
 * and one column per storage element, in whichever form it has there. */
#include <stdlib.h>
#include <string.h>

#include "junct/implicit.h"

const char *jn_mode_status_name(jn_mode_status s)
{
    static const char *const name[] = {"ok", "forbidden", "singular"};
    return name[s];
}

void jn_mode_init(jn_mode *m)
{
    *m = (jn_mode){0};
}

void jn_mode_clear(jn_mode *m)
{
    free(m->reason);
    free(m->E);
    free(m->A);
    free(m->B);
    free(m->F);
    free(m->integral);
    free(m->resistance);
    *m = (jn_mode){0};
}

static void *zeroed(void *p, size_t bytes)
{
    p = jn_realloc(p, bytes);
    memset(p, 0, bytes); /* the number 0 is the value zero */
    return p;
}

static void resize(jn_mode *out, const jn_implicit *f)
{
    const jn_graph *g = f->junction->graph;
    size_t n = (size_t)g->nstorages, m = (size_t)g->nsources;
    out->n = g->nstorages;
    out->ninputs = g->nsources;
    out->E = zeroed(out->E, n * n * sizeof *out->E);
    out->A = zeroed(out->A, n * n * sizeof *out->A);
    out->F = zeroed(out->F, n * n * sizeof *out->F);
    out->B = zeroed(out->B, n * m * sizeof *out->B);
    out->integral = zeroed(out->integral, n * sizeof *out->integral);
    out->resistance = zeroed(out->resistance, (size_t)g->nresistors * sizeof *out->resistance);
    free(out->reason);
    out->reason = NULL;
}

static void find_status(jn_mode *out, const jn_implicit *f, const jn_onoff *m)
{
    const jn_junction *j = f->junction;
    jn_str why;
    jn_str_init(&why);
    out->status = JN_MODE_OK;
    if (jn_junction_is_forbidden(j, m)) {
        out->status = JN_MODE_FORBIDDEN;
        jn_reason_print(&why, j, jn_junction_reason(j, m));
    }
    for (int i = 0; i < f->nsingular && out->status == JN_MODE_OK; i++)
        if (jn_guard_at(j->ring.guards, f->singular_at[i].guard, m)) {
            out->status = JN_MODE_SINGULAR;
            const jn_element *x = &j->graph->element[f->singular_at[i].element];
            jn_str_addf(&why, "the %s through %s has no unique solution",
                        jn_kind_is_source(x->kind) ? "feedback" : "resistor loop", x->name);
        }
    out->reason = why.s;
}

static void find_causality(jn_mode *out, const jn_implicit *f, const jn_onoff *m)
{
    const jn_junction *j = f->junction;
    for (int i = 0; i < out->n; i++)
        out->integral[i] = jn_guard_at(j->ring.guards, j->integral[i], m);
    for (int i = 0; i < j->graph->nresistors; i++)
        out->resistance[i] = jn_guard_at(j->ring.guards, j->resistance[i], m);
}

/* Row i of one matrix in the mode; its columns are storages in the form they have there. */
static void read_states(jn_ratfun *to, const jn_row *row, const jn_mode *out, const jn_implicit *f,
                        const jn_onoff *m)
{
    const jn_junction *j = f->junction;
    for (int k = 0; k < row->n; k++) {
        jn_variable v = f->x[row->e[k].col];
        int c = j->graph->element[v.element].number;
        if ((v.form == JN_STATE) == out->integral[c])
            to[c] = jn_guarded_at(&row->e[k].value, m, j->ring);
    }
}

static void read_inputs(jn_ratfun *to, const jn_row *row, const jn_implicit *f, const jn_onoff *m)
{
    for (int k = 0; k < row->n; k++)
        to[row->e[k].col] = jn_guarded_at(&row->e[k].value, m, f->junction->ring);
}

void jn_implicit_mode(jn_mode *out, const jn_implicit *f, const jn_onoff *m)
{
    resize(out, f);
    find_status(out, f, m);
    find_causality(out, f, m);
    if (out->status != JN_MODE_OK)
        return;
    for (int i = 0; i < out->n; i++) {
        const jn_row *law = &f->F.row[i];
        for (int k = 0; k < law->n; k++)
            out->F[(size_t)i * (size_t)out->n + (size_t)law->e[k].col] =
                jn_guarded_at(&law->e[k].value, m, f->junction->ring);
        int r = out->integral[i] ? f->state[i] : f->pseudo[i];
        read_states(out->E + (size_t)i * (size_t)out->n, &f->E.row[r], out, f, m);
        read_states(out->A + (size_t)i * (size_t)out->n, &f->A.row[r], out, f, m);
        read_inputs(out->B + (size_t)i * (size_t)out->ninputs, &f->B.row[r], f, m);
    }
}
