/* stability.c: asymptotic stability of all modes at once, as far as structure decides it.
 *
 * With positive I, C and R the stored energy never grows. Three facts hold for all such values:
 *
 * - Not stable: storages that no chain of couplings joins to a resistor are lossless; their poles
 *   lie on the imaginary axis.
 * - Not stable: where [S11; S31] loses rank on the states, there are z with S11 z = 0 and
 *   S31 z = 0: nothing moves and nothing dissipates, a pole at zero. And only there.
 * - Stable: a motion that never ends dissipates nothing, so all variables of resistors vanish on
 *   it. A resistor's row of S that joins only one storage then makes this storage's z vanish, for
 *   all time; its own row makes those it is joined with vanish where only one is left, and so on.
 *   Where every state is shown to vanish the mode is stable. In a row with Ẋd this shows only that
 *   ẋd vanishes; but motions without dissipation on which some xd neither moves nor vanishes have a
 *   pole at zero, and where there is none, that is enough.
 *
 * All of this is said of nearly all ratios of TF and GY. Where those given are special, because
 * something that was divided by vanishes with them, nothing is said.
 *
 * The third is not always found though true, hence there are modes left undecided. Elements that
 * are negative, modulated or non-linear make the argument void, and so do sources that read the
 * model. */
#include <stdlib.h>

#include "reach.h"

/* ---- what is assumed ----------------------------------------------------------------------- */

static bool is_positive(const jn_graph *g, jn_ratfun value)
{
    jn_ratfun v;
    fmpq_t c;
    if (jn_ratfun_put(&v, g->field, value, g->param_value, g->nparams) != JN_OK)
        return false;
    fmpq_init(c);
    bool positive = !jn_ratfun_get_fmpq(c, g->field, v) || fmpq_sgn(c) > 0;
    fmpq_clear(c);
    return positive;
}

/* In every case that switches choose. */
static bool is_always_positive(const jn_graph *g, const jn_element *x)
{
    bool positive = x->ncases > 0 || is_positive(g, x->value);
    for (int i = 0; i < x->ncases && positive; i++)
        positive = is_positive(g, x->cases[i].value);
    return positive;
}

/* Whether the ports of some field are coupled: the argument is not made for these. */
static bool has_coupling(const jn_graph *g)
{
    for (int i = 0; i < g->nmultiports; i++) {
        const jn_multiport *f = &g->multiport[i];
        for (int k = 0; k < f->nports * f->nports; k++)
            if (k % (f->nports + 1) && (f->entry[k].ncases || !jn_ratfun_is_zero(f->entry[k].one)))
                return true;
    }
    return false;
}

static bool is_passive(const jn_graph *g)
{
    for (int e = 0; e < g->nelements; e++) {
        const jn_element *x = &g->element[e];
        bool varies = x->nonlinear || (x->modulated && x->ncases == 0);
        if (!jn_kind_is_source(x->kind) && varies)
            return false;
        if ((jn_kind_is_storage(x->kind) || x->kind == JN_R) && !is_always_positive(g, x))
            return false;
    }
    return !has_coupling(g) && !jn_graph_has_feedback(g);
}

/* ---- lossless parts ------------------------------------------------------------------------ */

static bool is_storage_form(jn_form f)
{
    return f == JN_STATE || f == JN_PSEUDO;
}

static jn_guard find_lossless(const jn_across *c)
{
    const jn_junction *j = c->analysis->implicit->junction;
    const jn_graph *graph = j->graph;
    jn_guards *g = j->ring.guards;
    jn_guard lossless = jn_guard_false();
    jn_reach r;
    jni_reach_init(&r, j->ring, graph->nstorages);
    for (int i = 0; i < j->nrows; i++)
        for (int k = 0; k < j->S.row[i].n; k++) {
            jn_variable row = j->row[i], col = j->col[j->S.row[i].e[k].col];
            jn_guard here = jn_guarded_support(&j->S.row[i].e[k].value, j->ring);
            int a = graph->element[row.element].number, b = graph->element[col.element].number;
            if (!is_storage_form(col.form))
                continue;
            if (is_storage_form(row.form)) {
                jni_reach_couple(&r, a, b, here);
                jni_reach_couple(&r, b, a, here);
            } else {
                jni_reach_seed(&r, b, here);
            }
        }
    jni_reach_solve(&r);
    for (int i = 0; i < graph->nstorages; i++)
        lossless = jn_guard_or(g, lossless, jn_guard_minus(g, j->integral[i], r.reached[i]));
    jni_reach_clear(&r);
    return jn_guard_and(g, lossless, c->good);
}

/* ---- poles at zero ------------------------------------------------------------------------- */

/* Adds to *special the modes in which the values given are. */
static jn_guard find_pole_at_zero(const jn_across *c, jn_guard *special)
{
    const jn_junction *j = c->analysis->implicit->junction;
    jn_guards *g = j->ring.guards;
    jn_elimination *e = jn_elimination_new(j->ring, j->ncols);
    if (!j->numeric)
        jn_elimination_values(e, j->graph->param_value, j->graph->nparams);
    int *cols = jn_alloc((size_t)j->nrows * sizeof *cols), n = 0;
    jn_guard *unsolved = jn_alloc((size_t)j->nrows * sizeof *unsolved);
    for (int i = 0; i < j->nrows; i++) {
        jn_row row;
        jn_row_init(&row);
        if (j->row[i].form == JN_STATE)
            cols[n++] = i;
        for (int k = 0; k < j->S.row[i].n && j->row[i].form != JN_PSEUDO; k++)
            if (j->col[j->S.row[i].e[k].col].form == JN_STATE)
                jn_row_add(&row, j->S.row[i].e[k].col, &j->S.row[i].e[k].value, j->ring);
        if (row.n)
            jn_elimination_add(e, &row, false);
        jn_row_clear(&row);
    }
    jn_eliminate_all(e, cols, n, unsolved);
    jn_guard zero = jn_guard_false();
    for (int i = 0; i < n; i++)
        zero = jn_guard_or(g, zero, jn_guard_and(g, unsolved[i], j->Lambda[cols[i]]));
    *special = jn_guard_or(g, *special, jn_junction_special(j, e, NULL));
    jn_elimination_free(e);
    free(cols);
    free(unsolved);
    return jn_guard_and(g, zero, c->good);
}

/* ---- vanishing motions --------------------------------------------------------------------- */

/* Where `active`, and for a state's row where that state vanishes: Σ terms = 0. */
typedef struct {
    jn_guard active;
    int owner; /* the storage of a state's row; −1: the equation holds anyway */
    int n;
    struct term {
        int storage;
        jn_guard guard;   /* where it stands */
        jn_guard lasting; /* where it does with the values given as well */
    } * term;
} equation;

/* Where a coefficient is not zero, nor with the values given. */
static jn_guard lasting_support(const jn_guarded *v, const jn_junction *j)
{
    const jn_graph *g = j->graph;
    jn_guard support = jn_guard_false();
    for (int i = 0; i < v->n; i++)
        if (!jn_ratfun_vanishes(g->field, v->c[i].value, g->param_value, g->nparams))
            support = jn_guard_or(j->ring.guards, support, v->c[i].guard);
    return support;
}

static void write_equation(equation *q, const jn_junction *j, int i)
{
    const jn_row *row = &j->S.row[i];
    const jn_graph *g = j->graph;
    int own = g->element[j->row[i].element].number;
    *q = (equation){.active = j->Lambda[i], .owner = j->row[i].form == JN_STATE ? own : -1};
    q->term = jn_alloc((size_t)(row->n + 1) * sizeof *q->term);
    if (j->row[i].form == JN_PSEUDO)
        q->term[q->n++] = (struct term){own, j->Lambda[i], j->Lambda[i]};
    for (int k = 0; k < row->n; k++) {
        jn_variable v = j->col[row->e[k].col];
        if (is_storage_form(v.form))
            q->term[q->n++] = (struct term){g->element[v.element].number,
                                            jn_guarded_support(&row->e[k].value, j->ring),
                                            lasting_support(&row->e[k].value, j)};
    }
}

/* Where all terms but one vanish, that one does. rest[k]: those from k on vanish. */
static bool apply(jn_guard *vanishes, const equation *q, jn_guards *g)
{
    bool grown = false;
    jn_guard *rest = jn_alloc((size_t)(q->n + 1) * sizeof *rest);
    rest[q->n] = jn_guard_true();
    for (int k = q->n - 1; k >= 0; k--)
        rest[k] = jn_guard_minus(g, rest[k + 1],
                                 jn_guard_minus(g, q->term[k].guard, vanishes[q->term[k].storage]));
    jn_guard before = q->active;
    if (q->owner >= 0)
        before = jn_guard_and(g, before, vanishes[q->owner]);
    for (int k = 0; k < q->n && !jn_guard_is_false(before); k++) {
        jn_guard *z = &vanishes[q->term[k].storage];
        jn_guard open = jn_guard_minus(g, q->term[k].guard, *z);
        jn_guard more = jn_guard_or(
            g, *z, jn_guard_and(g, jn_guard_and(g, before, rest[k + 1]), q->term[k].lasting));
        grown = grown || !jn_guard_equal(more, *z);
        *z = more;
        before = jn_guard_minus(g, before, open);
    }
    free(rest);
    return grown;
}

static jn_guard find_stable(const jn_across *c)
{
    const jn_junction *j = c->analysis->implicit->junction;
    jn_guards *g = j->ring.guards;
    int n = j->graph->nstorages;
    equation *q = jn_alloc((size_t)j->nrows * sizeof *q);
    jn_guard *vanishes = jn_alloc((size_t)n * sizeof *vanishes), stable = c->good;
    for (int i = 0; i < n; i++)
        vanishes[i] = jn_guard_false();
    for (int i = 0; i < j->nrows; i++)
        write_equation(&q[i], j, i);
    for (bool grown = true; grown && !jn_guards_failed(g);) {
        grown = false;
        for (int i = j->nrows - 1; i >= 0; i--) /* resistors first */
            grown |= apply(vanishes, &q[i], g);
    }
    for (int i = 0; i < n; i++)
        stable = jn_guard_minus(g, stable, jn_guard_minus(g, j->integral[i], vanishes[i]));
    for (int i = 0; i < j->nrows; i++)
        free(q[i].term);
    free(q);
    free(vanishes);
    return stable;
}

void jni_across_stability(jn_across *c)
{
    jn_guards *g = c->analysis->implicit->junction->ring.guards;
    c->stable = c->unstable = c->pole_at_zero = c->lossless = jn_guard_false();
    c->stability_decided = is_passive(c->analysis->graph);
    if (!c->stability_decided)
        return;
    jn_guard special = c->analysis->implicit->special;
    c->pole_at_zero = find_pole_at_zero(c, &special);
    c->pole_at_zero = jn_guard_minus(g, c->pole_at_zero, special);
    c->lossless = jn_guard_minus(g, find_lossless(c), special);
    c->unstable = jn_guard_or(g, c->lossless, c->pole_at_zero);
    c->stable = jn_guard_minus(g, find_stable(c), jn_guard_or(g, c->pole_at_zero, special));
}
