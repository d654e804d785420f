/* analyse_jump.c: the jump into a mode as a part of its page: the state after, the energy lost, the
 * impulses. */
#include <stdlib.h>

#include "analyse_internal.h"

static bool row_is_identity(const jn_dynamics *d, int row)
{
    for (int j = 0; j < d->jump.ncols; j++)
        if (!jn_ratfun_equal(jn_dense_get(&d->jump, row, j),
                             row == j ? JN_RATFUN_ONE : JN_RATFUN_ZERO))
            return false;
    for (int k = 0; k < d->index; k++)
        for (int j = 0; j < d->U[k].ncols; j++)
            if (!jn_dense_is_zero_at(&d->U[k], row, j))
                return false;
    return true;
}

/* The name of (x⁻, u)[i]. */
static jn_symbol form_symbol(const jn_graph *g, int i)
{
    if (i < g->nstorages)
        return jni_storage_symbol(g, i, false);
    return (jn_symbol){.name = g->element[g->source[i - g->nstorages]].name};
}

/* One term v·a·b of a quadratic form. */
static void add_product(jn_page *p, jn_line *line, const jn_graph *g, jn_ratfun v, int i, int j,
                        bool first)
{
    jn_line_term(p, line, v, form_symbol(g, i), first);
    if (i == j) {
        jn_line_math(p, line, "^2", "^2");
    } else {
        jn_line_math(p, line, "*", "\\,");
        jn_line_symbol(p, line, form_symbol(g, j));
    }
}

/* ½ (x⁻, u)ᵀ Q (x⁻, u), written out. */
static void add_loss(jn_page *p, const jn_analysis *a, const jn_dynamics *d)
{
    jn_field *k = a->field;
    jn_ratfun half;
    bool first = true;
    if (!d->loss_known || jn_ratfun_inv(&half, k, jn_ratfun_int(k, 2)) != JN_OK)
        return;
    jn_line *line = jn_page_paragraph(p);
    jn_line_text(p, line, d->index > 1 ? "Energy lost, all inputs zero: " : "Energy lost: ");
    for (int i = 0; i < d->loss.nrows; i++)
        for (int j = i; j < d->loss.ncols; j++) {
            if (jn_dense_is_zero_at(&d->loss, i, j))
                continue;
            jn_ratfun v = jn_dense_get(&d->loss, i, j);
            add_product(p, line, a->graph, i == j ? jn_ratfun_mul(k, half, v) : v, i, j, first);
            first = false;
        }
    jn_line_text(p, line, first ? "none." : ", of the values before.");
    if (d->index > 1)
        jn_line_text(
            p, line,
            " With inputs there is no such form: at index %d what a source gives in a jump "
            "is not defined, nor are the areas of impulses.",
            d->index);
}

/* ---- impulses ------------------------------------------------------------------------------ */

static bool same_combination(const jn_graph *g, const jn_combination *a, const jn_combination *b)
{
    bool same = true;
    for (int i = 0; i < g->nstorages && same; i++)
        same = jn_ratfun_equal(a->x[i], b->x[i]);
    for (int i = 0; i < g->nsources && same; i++)
        same = jn_ratfun_equal(a->u[i], b->u[i]);
    return same;
}

enum { IMPULSE_ROWS = 20 };

/* Bonds with the same impulse share a row: impulse of e on shaft -> clutch, clutch -> load: …. */
static void add_impulse(jn_page *p, jn_table_item *t, const jn_analysis *a, const jn_impulses *q,
                        int first, bool *done)
{
    const jn_graph *g = a->graph;
    const jn_impulse *i = &q->impulse[first];
    jn_line *row = jn_table_row(p, t);
    jn_line_text(p, &row[0], i->effort ? "effort" : "flow");
    jni_line_combination(p, &row[1], a, &i->area);
    for (int k = first; k < q->n; k++) {
        const jn_impulse *other = &q->impulse[k];
        if (other->effort != i->effort || !same_combination(g, &other->area, &i->area))
            continue;
        const jn_bond *b = &g->bond[other->bond];
        jn_line_text(p, &row[2], k > first ? ", " : "");
        if (b->named)
            jn_line_text(p, &row[2], "%s", b->name);
        else
            jn_line_text(p, &row[2], "%s -> %s", g->element[b->tail].name,
                         g->element[b->head].name);
        done[k] = true;
    }
}

static void add_impulses(jn_page *p, const jn_analysis *a, const jn_impulses *q)
{
    bool *done = jn_alloc((size_t)q->n * sizeof *done);
    jn_table_item *t = NULL;
    int left = 0;
    for (int i = 0; i < q->n; i++) {
        if (done[i])
            continue;
        if (!t) {
            jn_line_text(p, jn_page_heading(p, 2), "Impulses of the jump");
            t = jn_page_table(p, 3, true);
            jn_line *head = jn_table_row(p, t);
            const char *const names[] = {"of", "area", "on"};
            for (int k = 0; k < 3; k++)
                jn_line_text(p, &head[k], "%s", names[k]);
        }
        if (t->nrows <= IMPULSE_ROWS)
            add_impulse(p, t, a, q, i, done);
        else
            left++;
    }
    if (left)
        jn_line_text(p, jn_page_paragraph(p), "And on %d more; JSON lists all.", left);
    free(done);
}

/* ---- the jump ------------------------------------------------------------------------------ */

void jni_page_jump(jn_page *p, const jn_analysis *a, const jn_mode_analysis *r)
{
    const jn_dynamics *d = jn_mode_dynamics(r);
    jn_table_item *t = NULL;
    for (int i = 0; i < d->jump.nrows; i++) {
        if (row_is_identity(d, i))
            continue;
        if (!t) {
            jn_line_text(p, jn_page_heading(p, 2), "Jump into the mode");
            t = jn_page_table(p, 1, false);
        }
        jn_line *line = jn_table_row(p, t);
        jn_line_symbol(p, line, jni_storage_symbol(a->graph, i, false));
        jn_line_math(p, line, " := ", " := ");
        jni_line_sum(p, line, a, &d->jump, NULL, d->U, d->index, i);
    }
    if (t)
        add_loss(p, a, d);
    add_impulses(p, a, &r->impulses);
}
