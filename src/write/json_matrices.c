/* json_matrices.c: Λ, S, E, A, B as JSON, over λ and of single modes. */
#include "write_internal.h"

typedef enum { STATE, ROW, COLUMN } place; /* of E and A; of S */

/* Whether a row of S is an effort: of an I in integral causality its rate is one. A column is the
 * other variable of its port; an input is that of its source. */
static char letter_of(jn_kind kind, jn_form form, place where)
{
    if (where == STATE)
        return kind == JN_I ? 'p' : 'q';
    if (form == JN_INPUT)
        return kind == JN_SE ? 'e' : 'f';
    bool effort = form == JN_STATE    ? kind == JN_I
                  : form == JN_PSEUDO ? kind == JN_C
                                      : form == JN_EFFORT_IN;
    return effort == (where == ROW) ? 'e' : 'f';
}

static void write_variable(jn_listing *l, jn_variable v, place where)
{
    const jn_graph *g = jni_listing_graph(l);
    jn_str_add(&l->out, "{\"element\": ");
    jn_json_string(&l->out, g->element[v.element].name);
    jn_str_addf(&l->out, ", \"form\": \"%s\"", jn_form_name(v.form));
    char letter = letter_of(g->element[v.element].kind, v.form, where);
    jni_json_unit(l, jn_graph_variable_unit(g, v.element, letter));
}

static void write_variables(jn_listing *l, const char *key, const jn_variable *v, int n,
                            place where)
{
    jn_str_addf(&l->out, "\"%s\": [", key);
    for (int i = 0; i < n; i++) {
        jn_str_add(&l->out, i ? ", " : "");
        write_variable(l, v[i], where);
        jn_str_addc(&l->out, '}');
    }
    jn_str_addc(&l->out, ']');
}

static void write_value(jn_listing *l, jn_ratfun v)
{
    jn_str_addc(&l->out, '"');
    jni_listing_value(&l->out, l, v);
    jn_str_addc(&l->out, '"');
}

/* "entries": [[row, column, [[guard, value], …]], …] */
static void write_entries(jn_listing *l, const jn_matrix *m)
{
    const char *separator = "";
    jn_str_add(&l->out, "\"entries\": [");
    for (int i = 0; i < m->nrows; i++)
        for (int k = 0; k < m->row[i].n; k++) {
            const jn_entry *e = &m->row[i].e[k];
            jn_str_addf(&l->out, "%s\n  [%d, %d, [", separator, i, e->col);
            separator = ",";
            for (int c = 0; c < e->value.n; c++) {
                jn_str_add(&l->out, c ? ", [" : "[");
                jni_json_guard(l, e->value.c[c].guard);
                jn_str_add(&l->out, ", ");
                write_value(l, e->value.c[c].value);
                jn_str_addc(&l->out, ']');
            }
            jn_str_add(&l->out, "]]");
        }
    jn_str_addc(&l->out, ']');
}

static void write_lambda(jn_listing *l)
{
    const jn_junction *j = l->junction;
    jn_str_add(&l->out, ",\n \"Lambda\": [");
    for (int i = 0; i < j->nrows; i++) {
        jn_str_add(&l->out, i ? ",\n  " : "\n  ");
        write_variable(l, j->row[i], ROW);
        jn_str_add(&l->out, ", \"guard\": ");
        jni_json_guard(l, j->Lambda[i]);
        jn_str_addc(&l->out, '}');
    }
    jn_str_addc(&l->out, ']');
}

static void write_singular(jn_listing *l)
{
    const jn_implicit *f = l->implicit;
    if (f->nsingular == 0)
        return;
    jn_str_add(&l->out, ",\n \"singular\": {\"guard\": ");
    jni_json_guard(l, f->singular);
    jn_str_add(&l->out, ", \"at\": [");
    for (int i = 0; i < f->nsingular; i++) {
        jn_str_add(&l->out, i ? ", {\"guard\": " : "{\"guard\": ");
        jni_json_guard(l, f->singular_at[i].guard);
        jn_str_add(&l->out, ", \"element\": ");
        jn_json_string(&l->out, jni_listing_graph(l)->element[f->singular_at[i].element].name);
        jn_str_addc(&l->out, '}');
    }
    jn_str_add(&l->out, "]}");
}

static void begin(jn_listing *l)
{
    const jn_junction *j = l->junction;
    const jn_implicit *f = l->implicit;
    jni_json_head(l);
    jn_str_add(&l->out, ",\n ");
    if (jni_json_is_alone(l)) {
        jni_json_forbidden(l);
        jn_str_add(&l->out,
                   ",\n \"Lambda\": null, \"S\": null, \"E\": null, \"A\": null, \"B\": null"
                   ",\n \"modes\": [");
        return;
    }
    write_variables(l, "states", f->x, f->n, STATE);
    jn_str_add(&l->out, ",\n ");
    jni_json_forbidden(l);
    write_singular(l);
    write_lambda(l);
    jn_str_add(&l->out, ",\n \"S\": {");
    write_variables(l, "rows", j->row, j->nrows, ROW);
    jn_str_add(&l->out, ",\n  ");
    write_variables(l, "cols", j->col, j->ncols, COLUMN);
    jn_str_add(&l->out, ",\n  ");
    write_entries(l, &j->S);
    jn_str_add(&l->out, "},\n \"E\": {");
    write_entries(l, &f->E);
    jn_str_add(&l->out, "},\n \"A\": {");
    write_entries(l, &f->A);
    jn_str_add(&l->out, "},\n \"B\": {");
    write_entries(l, &f->B);
    jn_str_addc(&l->out, '}');
    jni_json_lets(l);
    jn_str_add(&l->out, l->by_mode ? ",\n \"modes\": [" : "");
}

/* , "name": [["1", "0"], …] */
static void write_dense(jn_listing *l, const char *name, const jn_ratfun *v, int nrows, int ncols)
{
    jn_str_addf(&l->out, ",\n   \"%s\": [", name);
    for (int i = 0; i < nrows; i++) {
        jn_str_add(&l->out, i ? ", [" : "[");
        for (int j = 0; j < ncols; j++) {
            jn_str_add(&l->out, j ? ", " : "");
            write_value(l, v[i * ncols + j]);
        }
        jn_str_addc(&l->out, ']');
    }
    jn_str_addc(&l->out, ']');
}

static void mode(jn_listing *l, const jn_onoff *m)
{
    const jn_graph *g = jni_listing_graph(l);
    const jn_mode *mode = &l->mode;
    jn_implicit_mode(&l->mode, l->implicit, m);
    jn_str_add(&l->out, l->written++ ? ",\n  {\"mode\": \"" : "\n  {\"mode\": \"");
    jni_listing_mode(&l->out, l, m);
    jn_str_addf(&l->out, "\", \"status\": \"%s\"", jn_mode_status_name(mode->status));
    if (mode->reason) {
        jn_str_add(&l->out, ", \"reason\": ");
        jn_json_string(&l->out, mode->reason);
    }
    if (mode->status != JN_MODE_FORBIDDEN)
        jni_json_causality(l, m);
    if (mode->status == JN_MODE_OK) {
        jn_str_add(&l->out, ", \"states\": ");
        jni_json_names(l, g->storage, g->nstorages);
        write_dense(l, "E", mode->E, mode->n, mode->n);
        write_dense(l, "A", mode->A, mode->n, mode->n);
        write_dense(l, "B", mode->B, mode->n, mode->ninputs);
    }
    jn_str_addc(&l->out, '}');
}

static void end(jn_listing *l)
{
    jn_str_add(&l->out, l->by_mode ? "]}\n" : "}\n");
}

const jn_writer jni_matrices_json = {begin, mode, end};
