/* laws.c: the laws of the elements.
 *
 * Storages have z = F·x, resistors e = R·f. An element has a row of F or R, whose coefficients may
 * differ between modes; ports of a field have a block of it. F is the inverse of what is written,
 * x = M·z: of a field it comes from an elimination of its own, in all modes at once. */
#include <stdlib.h>

#include "implicit_internal.h"

typedef struct {
    jn_implicit *f;
    const jn_junction *j;
    jn_diags *d;
} reader;

/* Adds the value between two elements to a row. */
static jn_status add_value(jn_row *row, int col, const reader *r, int a, int b)
{
    jn_guarded v;
    jn_guarded_init(&v);
    jn_status s = jn_junction_value(&v, r->j, jn_graph_between(r->j->graph, a, b));
    if (s == JN_OK)
        jn_row_add(row, col, &v, r->j->ring);
    jn_guarded_clear(&v);
    return jn_graph_report_number(s, r->j->graph, a, r->d);
}

/* ---- elements on their own ----------------------------------------------------------------- */

/* A storage's value is zero in no mode: its law would divide by it. */
static jn_status read_storage(const reader *r, int number)
{
    int element = r->j->graph->storage[number];
    jn_row *row = &r->f->F.row[number];
    jn_status s = add_value(row, number, r, element, element);
    if (s != JN_OK)
        return s;
    bool good = row->n && jn_guard_is_true(jn_guarded_support(&row->e[0].value, r->j->ring));
    if (good)
        jn_guarded_inv(&row->e[0].value, &row->e[0].value, r->j->ring);
    s = good ? JN_OK : jn_interrupted() ? JN_UNABLE : JN_INVALID;
    return jn_graph_report_number(s, r->j->graph, element, r->d);
}

/* A resistor's row is what is written, of a field too. */
static jn_status read_resistor(const reader *r, int number)
{
    const jn_graph *g = r->j->graph;
    int element = g->resistor[number];
    const jn_multiport *field = g->element[element].multiport;
    jn_row *row = &r->f->R.row[number];
    jn_status s = JN_OK;
    if (!field)
        return add_value(row, number, r, element, element);
    for (int k = 0; k < field->nports && s == JN_OK; k++)
        s = add_value(row, g->element[field->element[k]].number, r, element, field->element[k]);
    return s;
}

/* ---- fields of storages -------------------------------------------------------------------- */

/* M·z − x = 0: columns of z first, then those of x. */
static jn_status write_field(jn_elimination *e, const reader *r, const jn_multiport *field)
{
    int n = field->nports;
    jn_status s = JN_OK;
    jn_guarded minus;
    jn_guarded_init(&minus);
    jn_guarded_set_case(&minus, jn_guard_true(), jn_ratfun_int(r->j->ring.field, -1));
    for (int i = 0; i < n && s == JN_OK; i++) {
        jn_row row;
        jn_row_init(&row);
        for (int k = 0; k < n && s == JN_OK; k++)
            s = add_value(&row, k, r, field->element[i], field->element[k]);
        jn_row_add(&row, n + i, &minus, r->j->ring);
        jn_elimination_add(e, &row, false);
    }
    jn_guarded_clear(&minus);
    return s;
}

/* z = −(the rest of its row), pivot by pivot. */
static void take_field(const reader *r, const jn_multiport *field, const jn_elimination *e)
{
    const jn_graph *g = r->j->graph;
    int n = field->nports;
    jn_guarded v;
    jn_row row;
    jn_guarded_init(&v);
    jn_row_init(&row);
    for (int i = 0; i < jn_elimination_pivots(e); i++) {
        const jn_pivot *pv = jn_elimination_pivot(e, i);
        jn_elimination_pivot_row(&row, e, pv);
        jn_row *to = &r->f->F.row[g->element[field->element[pv->col]].number];
        for (int k = 0; k < row.n; k++) {
            if (row.e[k].col < n)
                continue;
            jn_guarded_neg(&v, &row.e[k].value, r->j->ring);
            jn_row_add(to, g->element[field->element[row.e[k].col - n]].number, &v, r->j->ring);
        }
    }
    jn_row_clear(&row);
    jn_guarded_clear(&v);
}

/* Its matrix has no inverse, or nobody waits for it. */
static jn_status report_field(const reader *r, const jn_multiport *field)
{
    if (jn_interrupted())
        return jn_graph_report_number(JN_UNABLE, r->j->graph, field->element[0], r->d);
    jn_diag_add(r->d, JN_D_FIELD_SINGULAR, field->place, field->name);
    return JN_INVALID;
}

static jn_status read_field(const reader *r, const jn_multiport *field)
{
    jn_elimination *e = jn_elimination_new(r->j->ring, 2 * field->nports);
    jn_status s = write_field(e, r, field);
    for (int k = 0; k < field->nports && s == JN_OK; k++)
        if (!jn_guard_is_true(jn_eliminate(e, k, jn_guard_true(), true)))
            s = report_field(r, field);
    if (s == JN_OK)
        take_field(r, field, e);
    jn_elimination_free(e);
    return s;
}

/* ---- all of them --------------------------------------------------------------------------- */

jn_status jni_implicit_laws(jn_implicit *f, const jn_junction *j, jn_diags *d)
{
    const jn_graph *g = j->graph;
    reader r = {f, j, d};
    jn_status s = JN_OK;
    jn_matrix_init(&f->F, g->nstorages, g->nstorages);
    jn_matrix_init(&f->R, g->nresistors, g->nresistors);
    for (int i = 0; i < g->nstorages && s == JN_OK; i++)
        if (!g->element[g->storage[i]].multiport)
            s = read_storage(&r, i);
    for (int i = 0; i < g->nmultiports && s == JN_OK; i++)
        if (jn_kind_is_storage(g->multiport[i].kind))
            s = read_field(&r, &g->multiport[i]);
    for (int i = 0; i < g->nresistors && s == JN_OK; i++)
        s = read_resistor(&r, i);
    return s;
}

const jn_guarded *jni_law_alone(const jn_row *row, int number)
{
    if (row->n != 1 || row->e[0].col != number || row->e[0].value.n != 1 ||
        !jn_guard_is_true(row->e[0].value.c[0].guard))
        return NULL;
    return &row->e[0].value;
}
