/* structure.c: Λ(λ) and S(λ) from the solved rows.
 *
 * A port's pivots say, each under its guard, output = −Σ coefficient·input. The output decides
 * the row (the form the element has there), every input the column. Forms that no allowed mode
 * uses have no row and no column. */
#include <stdlib.h>

#include "junction_internal.h"

/* Row and column numbers per port: [0] its output is the flow, [1] its output is the effort. */
typedef struct {
    int index[2];
} slots;

static void add_row(jn_junction *j, slots *s, int element, bool effort, jn_kind kind, jn_guard g)
{
    if (jn_guard_is_false(g))
        return;
    s->index[effort] = j->nrows;
    j->row[j->nrows] = (jn_variable){element, jni_form_of_output(kind, effort)};
    j->Lambda[j->nrows++] = g;
}

/* The rows of one form (or, for resistors, both forms of one after the other). */
static void list_rows(builder *b, slots *slot, int n, const int *elements, const jn_guard *wanted,
                      const int *port_of, int pass)
{
    jn_junction *j = b->j;
    for (int i = 0; i < n; i++) {
        jn_kind kind = b->g->element[elements[i]].kind;
        /* wanted: integral causality, or resistance causality (output: flow) */
        bool effort = kind == JN_I;
        jn_guard g = jn_guard_tidy(b->ring.guards, wanted[i], j->allowed, jn_guard_false());
        jn_guard other = jn_guard_not(b->ring.guards, g);
        slots *s = &slot[port_of[elements[i]]];
        if (pass != 1)
            add_row(j, s, elements[i], effort, kind, g);
        if (pass != 0)
            add_row(j, s, elements[i], !effort, kind, other);
    }
}

static void list_variables(builder *b, slots *slot)
{
    jn_junction *j = b->j;
    const jn_graph *g = b->g;
    int most = 2 * (g->nstorages + g->nresistors);
    int *port_of = jn_alloc((size_t)g->nelements * sizeof *port_of);
    for (int i = 0; i < b->nports; i++) {
        port_of[b->port[i].element] = i;
        slot[i].index[0] = slot[i].index[1] = -1;
    }
    j->row = jn_alloc((size_t)most * sizeof *j->row);
    j->Lambda = jn_alloc((size_t)most * sizeof *j->Lambda);
    list_rows(b, slot, g->nstorages, g->storage, j->integral, port_of, 0);
    list_rows(b, slot, g->nstorages, g->storage, j->integral, port_of, 1);
    list_rows(b, slot, g->nresistors, g->resistor, j->resistance, port_of, 2);

    j->ncols = j->nrows + g->nsources;
    j->col = jn_alloc((size_t)j->ncols * sizeof *j->col);
    for (int i = 0; i < j->nrows; i++)
        j->col[i] = j->row[i];
    for (int i = 0; i < g->nsources; i++) {
        j->col[j->nrows + i] = (jn_variable){g->source[i], JN_INPUT};
        /* the input of a source is what it imposes: output flow for Se */
        slot[port_of[g->source[i]]].index[jni_wants_effort(g->element[g->source[i]].kind)] =
            j->nrows + i;
    }
    free(port_of);
}

/* The S row of one pivot: its output in terms of the inputs. */
static void add_pivot(builder *b, const slots *slot, const jn_pivot *pv)
{
    jn_junction *j = b->j;
    int p = b->port_at[pv->col];
    if (jn_kind_is_source(b->g->element[b->port[p].element].kind))
        return;
    int i = slot[p].index[pv->col == b->port[p].effort];
    const jn_row *row = jn_elimination_row(b->elim, pv->row);
    jn_guarded v;
    jn_guarded_init(&v);
    for (int k = 0; k < row->n && i >= 0; k++) {
        if (row->e[k].col == pv->col)
            continue;
        int q = b->port_at[row->e[k].col];
        /* this variable of q is its input, so its output is the other one */
        int c = slot[q].index[row->e[k].col != b->port[q].effort];
        if (c < 0)
            continue;
        jn_guarded_restrict(&v, &row->e[k].value, pv->guard, b->ring);
        jn_guarded_neg(&v, &v, b->ring);
        jn_matrix_add(&j->S, i, c, &v, b->ring);
    }
    jn_guarded_clear(&v);
}

void jni_assemble(builder *b)
{
    slots *slot = jn_alloc((size_t)b->nports * sizeof *slot);
    list_variables(b, slot);
    jn_matrix_init(&b->j->S, b->j->nrows, b->j->ncols);
    for (int i = b->j->first_port_pivot; i < jn_elimination_pivots(b->elim); i++)
        add_pivot(b, slot, jn_elimination_pivot(b->elim, i));
    jn_matrix_tidy(&b->j->S, b->j->allowed, b->j->Lambda, b->ring);
    free(slot);
}
