/* single.c: the implicit equation of one mode, by a plain elimination.
 *
 * The rows are those of implicit.c with every guard true: the storages' rows of S, which are only
 * updated, and Din − L·(row of S) = 0 for the resistors, by which Din is eliminated. */
#include <stdlib.h>

#include "implicit_internal.h"
#include "junct/plain.h"

typedef struct {
    jn_implicit *f;
    const jn_junction *j;
    jn_field *k;
    jn_ratfun *law;
    jn_plain *p; /* columns: those of S; rows too, in the same order */
} builder;

static void write_rows(builder *b)
{
    for (int i = 0; i < b->j->nrows; i++) {
        bool storage = i < b->f->n;
        int row = jn_plain_row(b->p, storage);
        const jn_row *s = &b->j->S.row[i];
        jn_ratfun factor = storage ? JN_RATFUN_ONE : jn_ratfun_neg(b->k, b->law[i]);
        for (int e = 0; e < s->n; e++)
            jn_plain_add(b->p, row, s->e[e].col,
                         jn_ratfun_mul(b->k, factor, s->e[e].value.c[0].value));
        if (!storage)
            jn_plain_add(b->p, row, i, JN_RATFUN_ONE);
    }
}

static void note_singular(jn_implicit *f, int resistor)
{
    f->singular = jn_guard_true();
    f->singular_at =
        jn_realloc(f->singular_at, (size_t)(f->nsingular + 1) * sizeof *f->singular_at);
    f->singular_at[f->nsingular++] = (struct jn_singular){jn_guard_true(), resistor};
}

static void eliminate_resistors(builder *b)
{
    int n = b->j->nrows - b->f->n;
    int *cols = jn_alloc((size_t)n * sizeof *cols);
    bool *solved = jn_alloc((size_t)n * sizeof *solved);
    for (int i = 0; i < n; i++)
        cols[i] = b->f->n + i;
    jn_plain_solve_all(b->p, cols, n, false, solved);
    b->f->singular = jn_guard_false();
    for (int i = 0; i < n; i++)
        if (!solved[i] && !jn_guard_is_false(b->j->allowed))
            note_singular(b->f, b->j->row[cols[i]].element);
    free(cols);
    free(solved);
}

/* ---- E, A, B --------------------------------------------------------------------------------- */

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

/* A state has its own derivative in E, a pseudo-state its own law in A. Nothing else falls on these
 * places: a state's row has other columns of E only where there are pseudo-states, and a
 * pseudo-state's row columns of A only where there are states. */
static void place_row(builder *b, int i)
{
    jn_implicit *f = b->f;
    jn_term *t = sorted(b->p, i);
    bool own = false, state = f->x[i].form == JN_STATE;
    jn_row *owner = state ? &f->E.row[i] : &f->A.row[i];
    jn_ratfun c = state ? JN_RATFUN_ONE : jn_ratfun_neg(b->k, b->law[i]);
    for (int e = 0; e < jn_plain_entries(b->p, i); e++) {
        if (!own && t[e].col >= i) {
            append(owner, i, c);
            own = true;
        }
        jn_form form = b->j->col[t[e].col].form;
        if (form == JN_STATE)
            append(&f->A.row[i], t[e].col, jn_ratfun_mul(b->k, t[e].c, b->law[t[e].col]));
        else if (form == JN_PSEUDO)
            append(&f->E.row[i], t[e].col, jn_ratfun_neg(b->k, t[e].c));
        else if (form == JN_INPUT)
            append(&f->B.row[i], t[e].col - b->j->nrows, t[e].c);
    }
    if (!own)
        append(owner, i, c);
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

/* ---- the equation ---------------------------------------------------------------------------- */

static void solve(builder *b, jn_diags *d)
{
    const jn_graph *g = b->j->graph;
    const jn_ratfun *divisor;
    jn_vanishing *v = b->j->numeric ? NULL : jn_vanishing_new(b->k, g->param_value, g->nparams);
    b->p = jn_plain_new(b->k, b->j->ncols, v);
    write_rows(b);
    eliminate_resistors(b);
    place_rows(b);
    int n = jn_plain_vanishing(&divisor, b->p);
    b->f->special = jn_guard_or(b->j->ring.guards, b->j->special,
                                jn_junction_special_values(b->j, divisor, n, d));
    jn_plain_free(b->p);
    jn_vanishing_free(v);
}

jn_status jn_implicit_derive_single(jn_implicit **out, const jn_junction *j, jn_diags *d)
{
    builder b = {.f = jn_alloc(sizeof(jn_implicit)), .j = j, .k = j->ring.field};
    *out = NULL;
    jn_implicit_start(b.f, j);
    jn_status s = jn_implicit_laws(&b.law, j, d);
    if (s == JN_OK)
        solve(&b, d);
    if (s == JN_OK)
        s = jn_junction_check_limits(j, "the equations were", d);
    if (s == JN_OK)
        s = jn_implicit_check_blocks(b.f, d);
    if (s == JN_OK)
        *out = b.f;
    else
        jn_implicit_free(b.f);
    free(b.law);
    return s;
}
