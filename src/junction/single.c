/* single.c: the junction structure of one mode, in the shape of that of all modes.
 *
 * What reads a junction structure (equations, analysis, writers, drawings) reads guards. In one
 * mode each of them is true or false, and all that is asked of a single mode is answered from here,
 * at the cost of that mode. */
#include <stdlib.h>
#include <string.h>

#include "solved_internal.h"

typedef struct {
    jn_junction *j;
    const jn_solved *m;
    const columns *c;
    int *slot; /* per element that is a port: its column of S */
} filler;

static jn_guard constant(bool holds)
{
    return holds ? jn_guard_true() : jn_guard_false();
}

/* ---- causality ----------------------------------------------------------------------------- */

static void fill_causality(const filler *f)
{
    jn_junction *j = f->j;
    const jn_graph *g = j->graph;
    for (int i = 0; i < f->c->nports; i++) {
        const jn_element *x = &g->element[f->c->port[i].element];
        bool effort = f->m->gives_effort[f->c->port[i].element];
        if (jn_kind_is_source(x->kind))
            j->imposed[x->number] = constant(effort == jni_wants_effort(x->kind));
        else if (jn_kind_is_storage(x->kind))
            j->integral[x->number] = constant(effort == jni_wants_effort(x->kind));
        else
            j->resistance[x->number] = constant(!effort);
    }
    if (g->nswitches)
        memcpy(j->reference, f->m->mode, (size_t)g->nswitches * sizeof *j->reference);
    j->forbidden = constant(f->m->forbidden);
    j->allowed = constant(!f->m->forbidden);
}

static void fill_reasons(jn_junction *j, const jn_solved *m)
{
    j->reason = jn_alloc((size_t)m->nreasons * sizeof *j->reason);
    for (; j->nreasons < m->nreasons; j->nreasons++) {
        const jn_reason *from = &m->reason[j->nreasons];
        jn_reason *to = &j->reason[j->nreasons];
        *to = *from;
        to->term = jn_alloc((size_t)from->nterms * sizeof *to->term);
        memcpy(to->term, from->term, (size_t)from->nterms * sizeof *to->term);
    }
}

/* ---- Λ and S ------------------------------------------------------------------------------- */

static void add_row(const filler *f, int element)
{
    jn_junction *j = f->j;
    jn_form form = jni_form_of_output(j->graph->element[element].kind, f->m->gives_effort[element]);
    f->slot[element] = j->nrows;
    j->Lambda[j->nrows] = jn_guard_true();
    j->row[j->nrows++] = (jn_variable){element, form};
}

static void list_variables(const filler *f)
{
    jn_junction *j = f->j;
    const jn_graph *g = j->graph;
    int most = g->nstorages + g->nresistors;
    j->row = jn_alloc((size_t)most * sizeof *j->row);
    j->Lambda = jn_alloc((size_t)most * sizeof *j->Lambda);
    for (int pass = 0; pass < 2; pass++) /* states, then pseudo-states */
        for (int i = 0; i < g->nstorages; i++)
            if (jn_guard_is_true(j->integral[i]) == (pass == 0))
                add_row(f, g->storage[i]);
    for (int i = 0; i < g->nresistors; i++)
        add_row(f, g->resistor[i]);
    j->ncols = j->nrows + g->nsources;
    j->col = jn_alloc((size_t)j->ncols * sizeof *j->col);
    memcpy(j->col, j->row, (size_t)j->nrows * sizeof *j->col);
    for (int i = 0; i < g->nsources; i++) {
        f->slot[g->source[i]] = j->nrows + i;
        j->col[j->nrows + i] = (jn_variable){g->source[i], JN_INPUT};
    }
}

static int by_column(const void *a, const void *b)
{
    return ((const jn_entry *)a)->col - ((const jn_entry *)b)->col;
}

static void fill_row(const filler *f, const jn_step *s)
{
    int element = f->c->port[f->c->port_at[s->col]].element;
    if (jn_kind_is_source(f->j->graph->element[element].kind))
        return;
    jn_row *row = &f->j->S.row[f->slot[element]];
    row->cap = s->end - s->first;
    row->e = jn_alloc((size_t)row->cap * sizeof *row->e);
    for (int i = s->first; i < s->end; i++) {
        jn_entry *e = &row->e[row->n++];
        e->col = f->slot[f->c->port[f->c->port_at[f->m->term[i].col]].element];
        jn_guarded_set_case(&e->value, jn_guard_true(), f->m->term[i].c);
    }
    qsort(row->e, (size_t)row->n, sizeof *row->e, by_column);
}

/* In a forbidden mode a source's column stands for what it imposes; S is a convention there. */
static void fill_structure(const filler *f)
{
    list_variables(f);
    jn_matrix_init(&f->j->S, f->j->nrows, f->j->ncols);
    for (int i = 0; i < f->c->nports && !f->m->forbidden; i++)
        fill_row(f, &f->m->step[i]);
}

/* ---- bonds --------------------------------------------------------------------------------- */

/* Adds c times what column `from` is in free columns to a row; makes the row when it is needed. */
static void add_dependence(jn_plain *p, int *row, int from, jn_ratfun c, jn_field *k)
{
    int n = from < 0 ? 0 : jn_plain_entries(p, from);
    if (n > 0 && *row < 0)
        *row = jn_plain_row(p, true);
    for (int i = 0; i < n; i++) {
        jn_term t = jn_plain_entry(p, from, i);
        jn_plain_add(p, *row, t.col, jn_ratfun_mul(k, c, t.c));
    }
}

/* A bond is undetermined where its effort or flow depends on a column that is free: each column is
 * expressed in the free ones, step by step, the inputs of the ports left out. */
void jni_solved_undetermined(bool *bond, const jn_solved *m)
{
    jn_field *field = m->graph->field;
    jn_plain *p = jn_plain_new(field, m->ncols, NULL);
    int *row = jn_alloc((size_t)m->ncols * sizeof *row);
    for (int c = 0; c < m->ncols; c++) {
        row[c] = m->is_free[c] ? jn_plain_row(p, true) : -1;
        if (m->is_free[c])
            jn_plain_add(p, row[c], c, JN_RATFUN_ONE);
    }
    for (int i = 0; i < m->nsteps; i++)
        for (int t = m->step[i].first; t < m->step[i].end; t++)
            add_dependence(p, &row[m->step[i].col], row[m->term[t].col], m->term[t].c, field);
    for (int b = 0; b < m->graph->nbonds; b++) {
        int e = row[effort_col(b)], f = row[flow_col(b)];
        bond[b] = (e >= 0 && jn_plain_entries(p, e) > 0) || (f >= 0 && jn_plain_entries(p, f) > 0);
    }
    jn_plain_free(p);
    free(row);
}

static void fill_undetermined(jn_junction *j, const jn_solved *m)
{
    int n = j->graph->nbonds;
    j->undetermined = jn_alloc((size_t)n * sizeof *j->undetermined);
    bool *bond = jn_alloc((size_t)n * sizeof *bond);
    jni_solved_undetermined(bond, m);
    for (int b = 0; b < n; b++)
        j->undetermined[b] = constant(bond[b]);
    free(bond);
}

static void fill_strokes(const filler *f)
{
    int n = 2 * f->j->graph->nbonds;
    builder b = {.j = f->j,
                 .g = f->j->graph,
                 .ring = f->j->ring,
                 .nports = f->c->nports,
                 .port = f->c->port,
                 .only = f->m->mode};
    b.unsolved = jn_alloc((size_t)n * sizeof *b.unsolved);
    for (int c = 0; c < n; c++)
        b.unsolved[c] = constant(f->m->is_free[c]);
    jni_assign_strokes(&b);
    free(b.unsolved);
}

/* ---- what the user is told ----------------------------------------------------------------- */

/* Whether the mode is allowed with the values given, though it is not for others. */
static bool values_allow(jn_junction *j)
{
    jn_junction *with_values = NULL;
    if (jn_guard_is_false(j->special))
        return false;
    jn_diags *said = jn_diags_new();
    if (jn_junction_build_mode(&with_values, j->graph, true, j->reference, said) != JN_OK)
        with_values = NULL;
    return jni_junction_keep_values(j, with_values, said);
}

/* Of a model with switches only what concerns this mode. */
static void report(jn_junction *j, const jn_solved *m, jn_diags *d)
{
    j->special =
        jn_guard_or(j->ring.guards, jn_junction_special_values(j, m->vanishing, m->nvanishing, d),
                    jni_special_resistors(j, d));
    if (j->graph->nswitches > 0)
        return;
    jni_warn_loops(j, d);
    if (jn_guard_is_false(j->allowed) && !values_allow(j))
        jni_complain_of_reasons(j, d);
}

/* ---- the structure ------------------------------------------------------------------------- */

static int *copy_numbers(const int *from, int n)
{
    int *to = jn_alloc((size_t)n * sizeof *to);
    memcpy(to, from, (size_t)n * sizeof *to);
    return to;
}

static jn_junction *fill(const jn_solver *k, const jn_solved *m)
{
    const jn_graph *g = k->g;
    filler f = {.j = jn_alloc(sizeof *f.j), .m = m, .c = &k->c};
    f.slot = jn_alloc((size_t)g->nelements * sizeof *f.slot);
    jni_junction_start(f.j, g, k->o.numeric, NULL);
    f.j->single = true;
    f.j->flow_sign = copy_numbers(k->c.flow_sign, g->nbonds);
    f.j->port_effort = copy_numbers(k->c.port_effort, g->nelements);
    f.j->port_flow = copy_numbers(k->c.port_flow, g->nelements);
    fill_causality(&f);
    fill_reasons(f.j, m);
    fill_structure(&f);
    fill_undetermined(f.j, m);
    fill_strokes(&f);
    free(f.slot);
    return f.j;
}

/* Why it failed, where that has not been said. */
static void explain(jn_status s, const jn_graph *g, jn_diags *d)
{
    jn_place nowhere = {0};
    if (jn_interrupted())
        jn_diag_add(d, JN_D_INTERRUPTED, nowhere, JN_MODE_WAS);
    else if (jn_field_failed(g->field))
        jn_diag_add(d, JN_D_TERMS_LIMIT, nowhere);
    else if (s == JN_BUG)
        jn_diag_add(d, JN_D_INTERNAL, nowhere, "a port has neither its effort nor its flow");
    else
        jn_diag_add(d, JN_D_GUARDS_LIMIT, nowhere, g->nswitches);
}

jn_status jn_junction_build_mode(jn_junction **out, const jn_graph *g, bool numeric,
                                 const jn_onoff *m, jn_diags *d)
{
    return jn_junction_build_mode_with(out, g, &(jn_junction_options){.numeric = numeric}, m, d);
}

jn_status jn_junction_build_mode_with(jn_junction **out, const jn_graph *g,
                                      const jn_junction_options *options, const jn_onoff *m,
                                      jn_diags *d)
{
    bool *effort_first = NULL;
    jn_solver *k = NULL;
    jn_solved *solved = NULL;
    int errors = jn_diags_errors(d);
    *out = NULL;
    jn_status s = jni_reference_resistors(&effort_first, g, options, m, d);
    jn_solver_options o = {.numeric = options->numeric, .effort_first = effort_first};
    if (s == JN_OK)
        s = jn_solver_new(&k, g, &o, d);
    if (s == JN_OK)
        s = jn_solver_mode(&solved, k, m);
    if (s == JN_OK) {
        *out = fill(k, solved);
        report(*out, solved, d);
    } else if (jn_diags_errors(d) == errors) {
        explain(s, g, d);
    }
    jn_solved_free(solved);
    jn_solver_free(k);
    free(effort_first);
    return s;
}
