/* single.c: the implicit equation of one mode, by a plain elimination.
 *
 * The rows are those of implicit.c with every guard true: the storages' rows of S, which are only
 * updated, and the laws of the resistors, by which Din is eliminated. */
#include <stdlib.h>

#include "implicit_internal.h"
#include "junct/plain.h"

typedef struct {
    jn_implicit *f;
    const jn_junction *j;
    jn_field *k;
    int *slot;   /* per element: its row of S */
    jn_plain *p; /* columns: those of S, then what sources have of their own beside feedback */
    bool *fed;   /* per source: it reads the model linearly */
    jn_diags *d;
} builder;

/* Adds factor·(row i of S). */
static void add_structure(builder *b, int row, int i, jn_ratfun factor)
{
    const jn_row *s = &b->j->S.row[i];
    for (int e = 0; e < s->n; e++)
        jn_plain_add(b->p, row, s->e[e].col, jn_ratfun_mul(b->k, factor, s->e[e].value.c[0].value));
}

/* factor·(effort or flow of a resistor): its input to the junction structure, or its row of S. */
static void add_variable(builder *b, int row, int resistor, bool effort, jn_ratfun factor)
{
    int i = b->slot[b->j->graph->resistor[resistor]];
    if (effort == (b->j->row[i].form == JN_FLOW_IN))
        jn_plain_add(b->p, row, i, factor);
    else
        add_structure(b, row, i, factor);
}

/* e − R·f = 0; with Din alone on the left where a resistor is on its own. */
static void write_law(builder *b, int number)
{
    const jn_row *law = &b->f->R.row[number];
    const jn_guarded *alone = jni_law_alone(law, number);
    jn_ratfun scale = JN_RATFUN_ONE;
    int row = jn_plain_row(b->p, false), i = b->slot[b->j->graph->resistor[number]];
    if (alone && b->j->row[i].form == JN_EFFORT_IN &&
        jn_ratfun_inv(&scale, b->k, jn_ratfun_neg(b->k, alone->c[0].value)) != JN_OK)
        scale = JN_RATFUN_ONE;
    add_variable(b, row, number, true, scale);
    for (int k = 0; k < law->n; k++) {
        jn_ratfun R = jn_ratfun_mul(b->k, scale, law->e[k].value.c[0].value);
        add_variable(b, row, law->e[k].col, false, jn_ratfun_neg(b->k, R));
    }
}

static void write_rows(builder *b)
{
    for (int i = 0; i < b->j->nrows; i++)
        b->slot[b->j->row[i].element] = i;
    for (int i = 0; i < b->f->n; i++)
        add_structure(b, jn_plain_row(b->p, true), i, JN_RATFUN_ONE);
    for (int i = 0; i < b->j->graph->nresistors; i++)
        write_law(b, i);
}

static void note_singular(jn_implicit *f, int element)
{
    f->singular = jn_guard_true();
    f->singular_at =
        jn_realloc(f->singular_at, (size_t)(f->nsingular + 1) * sizeof *f->singular_at);
    f->singular_at[f->nsingular++] = (struct jn_singular){jn_guard_true(), element};
}

/* u − K·(…) − u° = 0; the columns of u° follow those of S. */
static jn_status write_source(builder *b, int number)
{
    const jn_junction *j = b->j;
    jn_guard open;
    jn_row row;
    jn_ratfun minus = jn_ratfun_int(b->k, -1);
    jn_row_init(&row);
    jn_status s = jni_feedback_row(&row, &open, b->f, number, jn_guard_true(), b->d);
    b->f->binds |= jni_feedback_binds(&row, b->f, number);
    int to = jn_plain_row(b->p, false);
    for (int i = 0; i < row.n; i++)
        jn_plain_add(b->p, to, row.e[i].col, jn_ratfun_neg(b->k, row.e[i].value.c[0].value));
    jn_plain_add(b->p, to, j->nrows + number, JN_RATFUN_ONE);
    if (jn_source_role(j->graph, number) == JN_ROLE_BOTH)
        jn_plain_add(b->p, to, j->ncols + number, minus);
    if (!jn_guard_is_false(open) && !jn_guard_is_false(j->allowed))
        note_singular(b->f, j->graph->source[number]);
    jn_row_clear(&row);
    return s;
}

static jn_status write_sources(builder *b)
{
    jn_status s = JN_OK;
    b->fed = jn_alloc((size_t)b->f->ninputs * sizeof *b->fed);
    for (int k = 0; k < b->f->ninputs && s == JN_OK; k++)
        if ((b->fed[k] = jn_source_is_fed(b->j->graph, k)))
            s = write_source(b, k);
    return s;
}

static void eliminate_inputs(builder *b)
{
    const jn_junction *j = b->j;
    int most = j->ncols - b->f->n;
    int *cols = jn_alloc((size_t)most * sizeof *cols);
    bool *solved = jn_alloc((size_t)most * sizeof *solved);
    int n = jni_implicit_unknowns(cols, b->fed, b->f);
    jn_plain_solve_all(b->p, cols, n, false, solved);
    for (int i = 0; i < n; i++)
        if (!solved[i] && !jn_guard_is_false(j->allowed))
            note_singular(b->f, j->col[cols[i]].element);
    free(cols);
    free(solved);
}

/* ---- E, A, B ------------------------------------------------------------------------------- */

static void append(jn_row *row, int col, jn_ratfun c)
{
    JN_GROW(row->e, row->n, row->cap);
    jn_entry *e = &row->e[row->n++];
    e->col = col;
    jn_guarded_init(&e->value);
    jn_guarded_set_case(&e->value, jn_guard_true(), c);
}

static int by_column(const void *a, const void *b)
{
    return ((const jn_term *)a)->col - ((const jn_term *)b)->col;
}

/* The entries of a solved row in the order of their columns. */
static jn_term *sorted(const jn_plain *p, int row)
{
    int n = jn_plain_entries(p, row);
    jn_term *t = jn_alloc((size_t)n * sizeof *t);
    for (int i = 0; i < n; i++)
        t[i] = jn_plain_entry(p, row, i);
    qsort(t, (size_t)n, sizeof *t, by_column);
    return t;
}

static void add_entry(jn_row *row, int col, jn_ratfun c, jn_ring ring)
{
    jn_guarded v;
    jn_guarded_init(&v);
    jn_guarded_set_case(&v, jn_guard_true(), c);
    jn_row_add(row, col, &v, ring);
    jn_guarded_clear(&v);
}

/* Adds factor·(z of the storage with row `at`) to row i of A. */
static void add_output(builder *b, int i, int at, jn_ratfun factor)
{
    const jn_graph *g = b->j->graph;
    jn_row *row = &b->f->A.row[i];
    const jn_row *law = &b->f->F.row[g->element[b->f->x[at].element].number];
    for (int k = 0; k < law->n; k++) {
        int col = b->slot[g->storage[law->e[k].col]];
        jn_ratfun c = jn_ratfun_mul(b->k, factor, law->e[k].value.c[0].value);
        if (row->n == 0 || row->e[row->n - 1].col < col)
            append(row, col, c);
        else
            add_entry(row, col, c, b->j->ring);
    }
}

/* A state has its own derivative in E, a pseudo-state its own law in A. */
static void place_row(builder *b, int i)
{
    jn_implicit *f = b->f;
    jn_term *t = sorted(b->p, i);
    bool state = f->x[i].form == JN_STATE;
    if (state)
        append(&f->E.row[i], i, JN_RATFUN_ONE);
    for (int e = 0; e < jn_plain_entries(b->p, i); e++) {
        if (t[e].col >= b->j->ncols) {
            add_entry(&f->B.row[i], t[e].col - b->j->ncols, t[e].c, b->j->ring);
            continue;
        }
        jn_form form = b->j->col[t[e].col].form;
        if (form == JN_STATE)
            add_output(b, i, t[e].col, t[e].c);
        else if (form == JN_PSEUDO) /* after all states */
            append(&f->E.row[i], t[e].col, jn_ratfun_neg(b->k, t[e].c));
        else if (form == JN_INPUT && !b->fed[t[e].col - b->j->nrows])
            append(&f->B.row[i], t[e].col - b->j->nrows, t[e].c);
    }
    if (!state)
        add_output(b, i, i, jn_ratfun_int(b->k, -1));
    free(t);
}

static void place_rows(builder *b)
{
    jn_implicit *f = b->f;
    jn_matrix_init(&f->E, f->n, f->n);
    jn_matrix_init(&f->A, f->n, f->n);
    jn_matrix_init(&f->B, f->n, f->ninputs);
    for (int i = 0; i < f->n; i++)
        place_row(b, i);
}

/* ---- the equation -------------------------------------------------------------------------- */

static jn_status solve(builder *b, jn_diags *d)
{
    const jn_graph *g = b->j->graph;
    const jn_ratfun *divisor;
    jn_vanishing *v = b->j->numeric ? NULL : jn_vanishing_new(b->k, g->param_value, g->nparams);
    b->p = jn_plain_new(b->k, b->j->ncols + b->f->ninputs, v);
    b->slot = jn_alloc((size_t)g->nelements * sizeof *b->slot);
    b->f->singular = jn_guard_false();
    write_rows(b);
    jn_status s = write_sources(b);
    eliminate_inputs(b);
    place_rows(b);
    int n = jn_plain_vanishing(&divisor, b->p);
    b->f->special = jn_guard_or(b->j->ring.guards, b->j->special,
                                jn_junction_special_values(b->j, divisor, n, d));
    jn_plain_free(b->p);
    jn_vanishing_free(v);
    free(b->slot);
    free(b->fed);
    return s;
}

jn_status jni_implicit_derive_single(jn_implicit **out, const jn_junction *j, jn_diags *d)
{
    builder b = {.f = jn_alloc(sizeof(jn_implicit)), .j = j, .k = j->ring.field, .d = d};
    *out = NULL;
    jni_implicit_start(b.f, j);
    jn_status s = jni_implicit_laws(b.f, j, d);
    if (s == JN_OK)
        s = solve(&b, d);
    if (s == JN_OK)
        s = jn_junction_check_limits(j, "the equations were", d);
    if (s == JN_OK)
        s = jni_implicit_check_blocks(b.f, d);
    if (s == JN_OK)
        *out = b.f;
    else
        jn_implicit_free(b.f);
    return s;
}
