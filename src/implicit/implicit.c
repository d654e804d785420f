/* implicit.c: the single implicit equation E(Λ)ẋ = A(Λ)x + B(Λ)u.
 *
 * The junction structure gives, with Λ and S as in junction.h,
 *
 *     Λ11·Ẋi   =  S11·Zi + S12·Ẋd + S13·Din + S14·U
 *     Λ22·Zd   = −S12ᵀ·Zi                   + S24·U
 *     Λ33·Dout = −S13ᵀ·Zi          + S33·Din + S34·U
 *
 * The laws of the elements close it: Din = L·Dout, Zi = Fi·Xi, Zd = Fd·Xd. Instead of forming
 * H = L(I − S33·L)⁻¹, the third line is written as rows Λ33·Din − L·(…) = 0 and Din is eliminated
 * from the first: the same thing, but sparse, in all modes at once, and where it is impossible
 * the guard says in which modes. Then
 *
 *     E = [Λ11 −S12; 0 0],  A = [K·Fi 0; −S12ᵀ·Fi −Λ22·Fd],  B = [S14 + S13·H·S34; S24]. */
#include <stdlib.h>

#include "implicit_internal.h"

typedef struct {
    jn_implicit *f;
    const jn_junction *j;
    jn_ring ring;
    jn_guard where;       /* the modes that are wanted */
    jn_elimination *elim; /* columns: those of S */
    int *passive;         /* per row of x: its row in the elimination */
    jn_ratfun *law;       /* per row of S: 1/I, 1/C, or L */
} builder;

static bool is_storage_row(const jn_junction *j, int i)
{
    return j->row[i].form == JN_STATE || j->row[i].form == JN_PSEUDO;
}

static jn_status element_law(jn_ratfun *law, const jn_junction *j, jn_variable v, jn_diags *d)
{
    const jn_element *x = &j->graph->element[v.element];
    jn_ratfun value = x->value;
    jn_status s = JN_OK;
    if (j->numeric)
        s = jn_graph_number(&value, j->graph, v.element);
    if (s == JN_OK && v.form != JN_FLOW_IN)
        s = jn_ratfun_inv(law, j->ring.field, value);
    else
        *law = value;
    if (s != JN_OK)
        jn_diag_add(d, JN_D_VALUE_DIVIDES, x->place, x->name);
    return s;
}

jn_status jn_implicit_laws(jn_ratfun **law, const jn_junction *j, jn_diags *d)
{
    jn_status s = JN_OK;
    *law = jn_alloc((size_t)j->nrows * sizeof **law);
    for (int i = 0; i < j->nrows && s == JN_OK; i++)
        s = element_law(&(*law)[i], j, j->row[i], d);
    return s;
}

/* The modes, of those that are wanted, in which row i of S is active. */
static jn_guard active(const builder *b, int i)
{
    return jn_guard_and(b->ring.guards, b->j->Lambda[i], b->where);
}

void jn_implicit_start(jn_implicit *f, const jn_junction *j)
{
    const jn_graph *g = j->graph;
    f->junction = j;
    f->x = jn_alloc((size_t)j->nrows * sizeof *f->x);
    f->state = jn_alloc((size_t)g->nstorages * sizeof *f->state);
    f->pseudo = jn_alloc((size_t)g->nstorages * sizeof *f->pseudo);
    for (int i = 0; i < g->nstorages; i++)
        f->state[i] = f->pseudo[i] = -1;
    while (f->n < j->nrows && is_storage_row(j, f->n)) {
        jn_variable v = j->row[f->n];
        int number = g->element[v.element].number;
        *(v.form == JN_STATE ? &f->state[number] : &f->pseudo[number]) = f->n;
        f->x[f->n++] = v;
    }
    f->ninputs = g->nsources;
}

/* ---- eliminating Din ------------------------------------------------------------------------- */

/* factor·(row i of S), in the modes that are wanted */
static void structure_row(jn_row *out, const builder *b, int i, jn_ratfun factor)
{
    const jn_row *s = &b->j->S.row[i];
    jn_guarded v;
    jn_guarded_init(&v);
    for (int k = 0; k < s->n; k++) {
        jn_guarded_restrict(&v, &s->e[k].value, b->where, b->ring);
        jn_guarded_scale(&v, &v, factor, b->ring);
        jn_row_add(out, s->e[k].col, &v, b->ring);
    }
    jn_guarded_clear(&v);
}

static void write_rows(builder *b)
{
    jn_guarded v;
    jn_guarded_init(&v);
    b->elim = jn_elimination_new(b->ring, b->j->ncols);
    if (!b->j->numeric)
        jn_elimination_values(b->elim, b->j->graph->param_value, b->j->graph->nparams);
    b->passive = jn_alloc((size_t)b->f->n * sizeof *b->passive);
    for (int i = 0; i < b->j->nrows; i++) {
        jn_row row;
        jn_row_init(&row);
        if (i < b->f->n) {
            structure_row(&row, b, i, JN_RATFUN_ONE);
            b->passive[i] = jn_elimination_add(b->elim, &row, true);
        } else {
            structure_row(&row, b, i, jn_ratfun_neg(b->ring.field, b->law[i]));
            jn_guarded_set_case(&v, active(b, i), JN_RATFUN_ONE);
            jn_row_add(&row, i, &v, b->ring);
            jn_elimination_add(b->elim, &row, false);
        }
    }
    jn_guarded_clear(&v);
}

static void note_singular(builder *b, int resistor, jn_guard g)
{
    jn_implicit *f = b->f;
    g = jn_guard_and(b->ring.guards, g, b->j->allowed);
    if (jn_guard_is_false(g))
        return;
    f->singular = jn_guard_or(b->ring.guards, f->singular, g);
    f->singular_at =
        jn_realloc(f->singular_at, (size_t)(f->nsingular + 1) * sizeof *f->singular_at);
    f->singular_at[f->nsingular++] = (struct jn_singular){g, resistor};
}

static void eliminate_resistors(builder *b)
{
    int n = b->j->nrows - b->f->n;
    int *cols = jn_alloc((size_t)n * sizeof *cols);
    jn_guard *unsolved = jn_alloc((size_t)n * sizeof *unsolved);
    for (int i = 0; i < n; i++)
        cols[i] = b->f->n + i;
    jn_eliminate_all(b->elim, cols, n, unsolved);
    b->f->singular = jn_guard_false();
    for (int i = 0; i < n; i++)
        note_singular(b, b->j->row[cols[i]].element,
                      jn_guard_and(b->ring.guards, unsolved[i], active(b, cols[i])));
    free(cols);
    free(unsolved);
}

/* ---- E, A, B --------------------------------------------------------------------------------- */

/* One coefficient of a solved row goes where its column belongs. */
static void place_coefficient(builder *b, int i, const jn_entry *e)
{
    jn_implicit *f = b->f;
    jn_guarded v;
    jn_guarded_init(&v);
    switch (b->j->col[e->col].form) {
    case JN_STATE:
        jn_guarded_scale(&v, &e->value, b->law[e->col], b->ring);
        jn_matrix_add(&f->A, i, e->col, &v, b->ring);
        break;
    case JN_PSEUDO:
        jn_guarded_neg(&v, &e->value, b->ring);
        jn_matrix_add(&f->E, i, e->col, &v, b->ring);
        break;
    case JN_INPUT:
        jn_matrix_add(&f->B, i, e->col - b->j->nrows, &e->value, b->ring);
        break;
    default: /* Din: eliminated, but for singular modes */
        break;
    }
    jn_guarded_clear(&v);
}

static void place_rows(builder *b)
{
    jn_implicit *f = b->f;
    jn_guarded v;
    jn_guarded_init(&v);
    jn_matrix_init(&f->E, f->n, f->n);
    jn_matrix_init(&f->A, f->n, f->n);
    jn_matrix_init(&f->B, f->n, f->ninputs);
    for (int i = 0; i < f->n; i++) {
        const jn_row *row = jn_elimination_row(b->elim, b->passive[i]);
        for (int k = 0; k < row->n; k++)
            place_coefficient(b, i, &row->e[k]);
        if (f->x[i].form == JN_STATE) {
            jn_guarded_set_case(&v, active(b, i), JN_RATFUN_ONE);
            jn_matrix_add(&f->E, i, i, &v, b->ring);
        } else {
            jn_guarded_set_case(&v, active(b, i), jn_ratfun_neg(b->ring.field, b->law[i]));
            jn_matrix_add(&f->A, i, i, &v, b->ring);
        }
    }
    jn_guarded_clear(&v);
    if (!jn_guard_is_true(b->where))
        return; /* nothing to be shown as a function of the mode */
    jn_guard care = jn_guard_minus(b->ring.guards, b->j->allowed, f->singular);
    jn_matrix_tidy(&f->E, care, b->j->Lambda, b->ring);
    jn_matrix_tidy(&f->A, care, b->j->Lambda, b->ring);
    jn_matrix_tidy(&f->B, care, b->j->Lambda, b->ring);
}

/* S22 = S23 = 0: what a storage in derivative causality depends on is never another one, nor a
 * resistor. So the rows of pseudo-states have nothing in E. */
jn_status jn_implicit_check_blocks(const jn_implicit *f, jn_diags *d)
{
    for (int i = 0; i < f->n; i++)
        if (f->x[i].form == JN_PSEUDO && f->E.row[i].n) {
            jn_diag_add(d, JN_D_INTERNAL, (jn_place){0}, "S22 is not zero");
            return JN_BUG;
        }
    return JN_OK;
}

/* ---- the stage ------------------------------------------------------------------------------- */

jn_status jn_implicit_derive(jn_implicit **out, const jn_junction *j, jn_diags *d)
{
    return jn_implicit_derive_where(out, j, jn_guard_true(), d);
}

jn_status jn_implicit_derive_where(jn_implicit **out, const jn_junction *j, jn_guard where,
                                   jn_diags *d)
{
    if (j->single)
        return jn_implicit_derive_single(out, j, d);
    builder b = {.f = jn_alloc(sizeof(jn_implicit)), .j = j, .ring = j->ring, .where = where};
    *out = NULL;
    jn_implicit_start(b.f, j);
    jn_status s = jn_implicit_laws(&b.law, j, d);
    if (s == JN_OK) {
        write_rows(&b);
        eliminate_resistors(&b);
        place_rows(&b);
        s = jn_junction_check_limits(j, "the equations were", d);
    }
    if (s == JN_OK)
        s = jn_implicit_check_blocks(b.f, d);
    if (s == JN_OK)
        b.f->special = jn_guard_or(b.ring.guards, j->special, jn_junction_special(j, b.elim, d));
    if (s == JN_OK)
        s = jn_junction_check_limits(j, "the equations were", d);
    if (s == JN_OK)
        *out = b.f;
    else
        jn_implicit_free(b.f);
    jn_elimination_free(b.elim);
    free(b.passive);
    free(b.law);
    return s;
}

void jn_implicit_free(jn_implicit *f)
{
    if (!f)
        return;
    free(f->x);
    free(f->state);
    free(f->pseudo);
    jn_matrix_clear(&f->E);
    jn_matrix_clear(&f->A);
    jn_matrix_clear(&f->B);
    free(f->singular_at);
    free(f);
}
