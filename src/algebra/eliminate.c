/* eliminate.c: Gaussian elimination in all modes at once.
 *
 * To solve for a column x under a guard N ("need") take a row whose coefficient of x is not zero
 * under some part G of N. Under G, that row becomes a pivot: divided by the coefficient it reads
 * x + … = 0, and a multiple of it removes x from every other row, under G only. Outside G the
 * row has not been used and stays available. What remains of N is served by further rows.
 *
 * In any single mode this is ordinary elimination, so every result restricted to a mode is what
 * elimination in that mode would give; only the choice of pivots is shared between modes.
 *
 * A row holds in the modes of its domain. Outside of it its entries mean nothing, so that splitting
 * a row changes the domains of the parts and not one entry, and a row whose domain lies within that
 * of a pivot is reduced without a thought of guards. Entries thus keep the guards they were written
 * with, mostly of a switch or two, where entries that are 0 outside the domain would have guards of
 * its length each: n of length n, at every step. Restricted to the domain are results only.
 *
 * Where two rows share a column both become pivots before anything is reduced: what is left of each
 * then lies within the domain of the other. Among more rows the next pivot is better chosen once they
 * have been reduced by the last: in grids and clamped legs that makes a fifth less of guards.
 *
 * A row with one entry says x = 0. All such rows of a column are one, which holds where any of them
 * does: n cells that each may block a current are one condition for it, and not n.
 *
 * With numbers for the parameters at hand, a coefficient that is not zero as a function of them may
 * be zero with these numbers. Such a pivot is the last choice: it is taken in the modes where all
 * others vanish as well, so that exactly there the rank with numbers is lower.
 *
 * Cost is fill-in times the size of guards. Rows are chosen to cover the whole need first (a
 * split doubles the work), then to be short; columns by Markowitz's count. */
#include <stdlib.h>
#include <string.h>

#include "column_heap.h"
#include "junct/eliminate.h"

typedef enum { AVAILABLE, PASSIVE, PIVOT, FROZEN } line_role; /* FROZEN: a pivot not updated */

typedef struct {
    line_role role;
    jn_guard domain;  /* where it holds; entries mean nothing elsewhere */
    bool is_confined; /* they are 0 elsewhere, but for the column of a pivot */
    jn_row row;
} line;

typedef struct { /* the lines in which a column may stand: no line is missing, some may be stale */
    int n, cap;
    int *line;
} occurrences;

struct jn_elimination {
    jn_ring ring;
    int ncols;
    occurrences *in;
    const int *rank; /* per column; NULL: all alike */
    int *null; /* per column: the line that says it is 0, from 1; 0: none, or it says more by now */
    int nlines, cap_lines;
    line *line;
    int npivots, cap_pivots;
    jn_pivot *pivot;
    const jn_ratfun *value; /* per parameter; NULL: none are known */
    int nvalues;
    int nverdicts;
    signed char *verdict; /* by number of a coefficient: whether it vanishes; 0: not yet asked */
    int nvanishing, cap_vanishing;
    jn_case *vanishing;
};

jn_elimination *jn_elimination_new(jn_ring ring, int ncols)
{
    jn_elimination *e = jn_alloc(sizeof *e);
    e->ring = ring;
    e->ncols = ncols;
    e->in = jn_alloc((size_t)ncols * sizeof *e->in);
    e->null = jn_alloc((size_t)ncols * sizeof *e->null);
    return e;
}

void jn_elimination_free(jn_elimination *e)
{
    if (!e)
        return;
    for (int i = 0; i < e->nlines; i++)
        jn_row_clear(&e->line[i].row);
    for (int j = 0; j < e->ncols; j++)
        free(e->in[j].line);
    free(e->in);
    free(e->null);
    free(e->line);
    free(e->pivot);
    free(e->verdict);
    free(e->vanishing);
    free(e);
}

void jn_elimination_values(jn_elimination *e, const jn_ratfun *value, int n)
{
    e->value = value;
    e->nvalues = n;
}

void jn_elimination_ranks(jn_elimination *e, const int *rank)
{
    e->rank = rank;
}

int jn_elimination_vanishing(const jn_case **c, const jn_elimination *e)
{
    *c = e->vanishing;
    return e->nvanishing;
}

static void note_occurrence(jn_elimination *e, int col, int l)
{
    occurrences *o = &e->in[col];
    JN_GROW(o->line, o->n, o->cap);
    o->line[o->n++] = l;
}

static int add_line(jn_elimination *e, jn_row *row, line_role role, jn_guard domain)
{
    JN_GROW(e->line, e->nlines, e->cap_lines);
    int l = e->nlines++;
    e->line[l] = (line){.role = role, .domain = domain, .row = *row};
    jn_row_init(row);
    for (int k = 0; k < e->line[l].row.n; k++)
        note_occurrence(e, e->line[l].row.e[k].col, l);
    return l;
}

int jn_elimination_add(jn_elimination *e, jn_row *row, bool passive)
{
    return add_line(e, row, passive ? PASSIVE : AVAILABLE, jn_guard_true());
}

const jn_row *jn_elimination_row(const jn_elimination *e, int row)
{
    return &e->line[row].row;
}

void jn_elimination_pivot_row(jn_row *row, const jn_elimination *e, const jn_pivot *p)
{
    jn_row_copy(row, &e->line[p->row].row);
    jn_row_restrict(row, p->guard, e->ring);
}

int jn_elimination_pivots(const jn_elimination *e)
{
    return e->npivots;
}

const jn_pivot *jn_elimination_pivot(const jn_elimination *e, int i)
{
    return &e->pivot[i];
}

/* Drops the stale entries of a column's list. */
static void refresh(jn_elimination *e, int col)
{
    occurrences *o = &e->in[col];
    int n = 0;
    for (int k = 0; k < o->n; k++) {
        const line *l = &e->line[o->line[k]];
        if (l->role != FROZEN && jn_row_get(&l->row, col))
            o->line[n++] = o->line[k];
    }
    o->n = n;
}

/* ---- coefficients that vanish with numbers ------------------------------------------------- */

enum { VANISHES = 1, REMAINS = -1 };

static bool vanishes(jn_elimination *e, jn_ratfun a)
{
    if (!e->value)
        return false;
    if (a.id >= e->nverdicts) {
        int n = 2 * a.id + 64;
        e->verdict = jn_realloc(e->verdict, (size_t)n);
        memset(e->verdict + e->nverdicts, 0, (size_t)(n - e->nverdicts));
        e->nverdicts = n;
    }
    signed char *v = &e->verdict[a.id];
    if (*v == 0)
        *v = jn_ratfun_vanishes(e->ring.field, a, e->value, e->nvalues) ? VANISHES : REMAINS;
    return *v == VANISHES;
}

/* The modes of g in which a coefficient is not zero with numbers either. */
static jn_guard remaining(jn_elimination *e, const jn_guarded *c, jn_guard g)
{
    for (int i = 0; i < c->n; i++)
        if (vanishes(e, c->c[i].value))
            g = jn_guard_minus(e->ring.guards, g, c->c[i].guard);
    return g;
}

static void note_vanishing(jn_elimination *e, const jn_guarded *c, jn_guard where)
{
    for (int i = 0; i < c->n; i++) {
        if (!vanishes(e, c->c[i].value))
            continue;
        JN_GROW(e->vanishing, e->nvanishing, e->cap_vanishing);
        jn_guard g = jn_guard_and(e->ring.guards, c->c[i].guard, where);
        e->vanishing[e->nvanishing++] = (jn_case){g, c->c[i].value};
    }
}

/* ---- rows that say that a column is 0 ------------------------------------------------------- */

/* The modes of `within` in which a coefficient is not zero; no diagram is made where it never is or
 * always. */
static jn_guard where_not_zero(jn_elimination *e, const jn_guarded *c, jn_guard within)
{
    jn_guard support = jn_guarded_support(c, e->ring);
    if (jn_guard_implies(e->ring.guards, within, support))
        return within;
    return jn_guard_and(e->ring.guards, within, support);
}

static bool vanishes_somewhere(jn_elimination *e, const jn_guarded *c)
{
    for (int i = 0; i < c->n; i++)
        if (vanishes(e, c->c[i].value))
            return true;
    return false;
}

/* An available row with a single entry says that its column is 0: the row of the column that says so
 * takes over its domain. */
static void unite_null(jn_elimination *e, int l)
{
    line *x = &e->line[l];
    if (x->role != AVAILABLE || x->row.n != 1 || vanishes_somewhere(e, &x->row.e[0].value))
        return;
    int col = x->row.e[0].col, other = e->null[col] - 1;
    x->domain = where_not_zero(e, &x->row.e[0].value, x->domain);
    x->is_confined = false;
    jn_guarded_set_case(&x->row.e[0].value, jn_guard_true(), JN_RATFUN_ONE);
    line *first = other >= 0 ? &e->line[other] : NULL;
    if (first && other != l && first->role == AVAILABLE && first->row.n == 1 &&
        first->row.e[0].col == col) {
        first->domain = jn_guard_or(e->ring.guards, first->domain, x->domain);
        jn_row_clear(&x->row);
    } else {
        e->null[col] = l + 1;
    }
}

void jn_elimination_add_where(jn_elimination *e, jn_row *row, jn_guard where)
{
    if (jn_guard_is_false(where))
        jn_row_clear(row);
    else
        unite_null(e, add_line(e, row, AVAILABLE, where));
}

/* ---- choosing ------------------------------------------------------------------------------ */

typedef struct {
    int line; /* −1: none */
    jn_guard guard;
    long cost;
} choice;

/* What a row costs as a pivot: its length, and the terms of a coefficient one has to divide by. */
static long cost_of(jn_elimination *e, const jn_row *row, const jn_guarded *coefficient)
{
    long cost = row->n;
    for (int i = 0; i < coefficient->n; i++)
        cost += jn_ratfun_terms(e->ring.field, coefficient->c[i].value) - 1;
    return cost;
}

static long rank_of(const jn_elimination *e, const jn_row *row)
{
    long rank = 0;
    for (int k = 0; k < row->n && e->rank; k++)
        rank = e->rank[row->e[k].col] > rank ? e->rank[row->e[k].col] : rank;
    return rank;
}

/* What speaks against a row as a pivot, the weightiest first: that it vanishes with numbers; that it
 * has columns of a higher rank, unless it merely renames this one in all modes; that it does not
 * cover the need; its length. */
static long weigh(jn_elimination *e, const jn_row *row, const jn_guarded *c, bool covers,
                  bool vanishing)
{
    long against = cost_of(e, row, c);
    if (!covers || row->n > 2)
        against += rank_of(e, row) << 36;
    if (!covers)
        against += 1L << 35;
    return against + (vanishing ? 1L << 60 : 0);
}

/* The best available row for a column under a need; of equal ones the oldest. */
static choice choose(jn_elimination *e, int col, jn_guard need)
{
    choice best = {-1, jn_guard_false(), 0};
    const occurrences *o = &e->in[col];
    for (int k = 0; k < o->n; k++) {
        const line *l = &e->line[o->line[k]];
        const jn_guarded *c = l->role == AVAILABLE ? jn_row_get(&l->row, col) : NULL;
        if (!c)
            continue;
        jn_guard within = jn_guard_and(e->ring.guards, l->domain, need);
        jn_guard g = where_not_zero(e, c, within);
        if (jn_guard_is_false(g))
            continue;
        jn_guard safe = remaining(e, c, g);
        bool vanishing = jn_guard_is_false(safe);
        g = vanishing ? g : safe;
        long cost = weigh(e, &l->row, c, jn_guard_equal(g, need), vanishing);
        if (best.line < 0 || cost < best.cost)
            best = (choice){o->line[k], g, cost};
    }
    return best;
}

/* ---- pivoting ------------------------------------------------------------------------------ */

/* Drops the cases, and the entries, that a row has outside its domain only. */
static void clean(jn_elimination *e, line *l)
{
    int n = 0;
    for (int k = 0; k < l->row.n; k++) {
        jn_guarded *v = &l->row.e[k].value;
        jn_guarded_confine(v, l->domain, e->ring);
        if (!jn_guarded_is_zero(v))
            l->row.e[n++] = l->row.e[k];
    }
    l->row.n = n;
}

/* Divides a row by one of its coefficients, which is not zero wherever the row holds. */
static void normalise(line *l, int col, jn_ring ring)
{
    jn_guarded inverse;
    jn_guarded_init(&inverse);
    jn_guarded_inv(&inverse, jn_row_get(&l->row, col), ring);
    for (int k = 0; k < l->row.n; k++) {
        jn_guarded *v = &l->row.e[k].value;
        if (l->row.e[k].col == col)
            jn_guarded_set_case(v, jn_guard_true(), JN_RATFUN_ONE);
        else if (inverse.n == 1) /* guards stay as they are */
            jn_guarded_scale(v, v, inverse.c[0].value, ring);
        else
            jn_guarded_mul(v, v, &inverse, ring);
    }
    jn_guarded_clear(&inverse);
}

/* Splits the chosen row: under the guard it becomes a pivot, the rest stays where it was. −1 when
 * the guards have failed: nothing may be left of the coefficient then. */
static int make_pivot(jn_elimination *e, int col, choice c, bool keep_solved)
{
    line_role role = keep_solved ? PIVOT : FROZEN;
    int l = c.line;
    jn_guard rest = jn_guard_minus(e->ring.guards, e->line[l].domain, c.guard);
    if (jn_guard_is_false(rest)) {
        e->line[l].role = role;
        e->line[l].domain = c.guard;
    } else {
        jn_row part;
        jn_row_init(&part);
        jn_row_copy(&part, &e->line[l].row);
        e->line[l].domain = rest;
        e->line[l].is_confined = false;
        clean(e, &e->line[l]);
        unite_null(e, l);
        l = add_line(e, &part, role, c.guard);
    }
    clean(e, &e->line[l]);
    const jn_guarded *coefficient = jn_row_get(&e->line[l].row, col);
    if (!coefficient || jn_guards_failed(e->ring.guards))
        return -1;
    note_vanishing(e, coefficient, c.guard);
    normalise(&e->line[l], col, e->ring);
    JN_GROW(e->pivot, e->npivots, e->cap_pivots);
    e->pivot[e->npivots++] = (jn_pivot){col, c.guard, l};
    return l;
}

/* Removes a column from line l, under the guard of pivot line p. Where that splits the domain of the
 * line, its guards grow in any case: what is outside of the domain goes before it grows as well. Once is
 * enough, since multiples of an entry that is 0 there are 0 there. */
static void reduce(jn_elimination *e, int l, int p, int col)
{
    line *x = &e->line[l];
    const line *pivot = &e->line[p];
    const jn_guarded *there = jn_row_get(&x->row, col);
    if (!there || jn_guard_disjoint(e->ring.guards, x->domain, pivot->domain))
        return;
    jn_guarded c;
    jn_guarded_init(&c);
    bool within = jn_guard_implies(e->ring.guards, x->domain, pivot->domain);
    if (within)
        jn_guarded_set(&c, there);
    else
        jn_guarded_restrict(&c, there, pivot->domain, e->ring);
    if (!jn_guarded_is_zero(&c)) {
        for (int k = 0; k < pivot->row.n; k++)
            if (!jn_row_get(&x->row, pivot->row.e[k].col))
                note_occurrence(e, pivot->row.e[k].col, l);
        jn_row_submul(&x->row, &c, &pivot->row, e->ring);
        if (!within && !x->is_confined) {
            jn_row_restrict(&x->row, x->domain, e->ring);
            x->is_confined = true;
        }
        unite_null(e, l);
    }
    jn_guarded_clear(&c);
}

/* Removes a column from all lines but the pivot's own, under the pivot's guard. */
static void reduce_others(jn_elimination *e, int col, int pivot)
{
    int n = e->in[col].n, own = e->pivot[pivot].row; /* its fill-in is never in the column itself */
    for (int k = 0; k < n; k++)
        if (e->in[col].line[k] != own)
            reduce(e, e->in[col].line[k], own, col);
}

jn_guard jn_eliminate(jn_elimination *e, int col, jn_guard need, bool keep_solved)
{
    jn_guard got = jn_guard_false();
    int first = e->npivots;
    refresh(e, col);
    bool pair = e->in[col].n <= 2;
    while (!jn_guard_is_false(need)) {
        refresh(e, col);
        choice c = choose(e, col, need);
        if (c.line < 0 || make_pivot(e, col, c, keep_solved) < 0)
            break;
        if (!pair)
            reduce_others(e, col, e->npivots - 1);
        need = jn_guard_minus(e->ring.guards, need, c.guard);
        got = jn_guard_or(e->ring.guards, got, c.guard);
    }
    for (int p = first; p < e->npivots && pair; p++)
        reduce_others(e, col, p);
    return got;
}

bool jn_eliminate_possible(const jn_elimination *e, int col, const jn_onoff *m)
{
    const occurrences *o = &e->in[col];
    for (int k = 0; k < o->n; k++) {
        const line *l = &e->line[o->line[k]];
        const jn_guarded *c = l->role == AVAILABLE ? jn_row_get(&l->row, col) : NULL;
        if (c && jn_guard_at(e->ring.guards, l->domain, m) &&
            !jn_ratfun_is_zero(jn_guarded_at(c, m, e->ring)))
            return true;
    }
    return false;
}

/* ---- many columns: a heap by cost, brought up to date as columns are taken from it --------- */

/* Markowitz: (shortest row − 1)·(rows − 1) bounds the fill-in. A column that no single row can
 * serve in all modes comes later. */
static long markowitz(jn_elimination *e, int col)
{
    const long splits = 1L << 20;
    refresh(e, col);
    choice c = choose(e, col, jn_guard_true());
    if (c.line < 0)
        return 0;
    long cost = (long)(e->line[c.line].row.n - 1) * (e->in[col].n - 1);
    return jn_guard_is_true(c.guard) ? cost : cost + splits;
}

void jn_eliminate_all(jn_elimination *e, const int *cols, int ncols, jn_guard *unsolved)
{
    int *place =
        jn_alloc((size_t)e->ncols * sizeof *place); /* in cols, from 1; 0: not or no longer */
    jni_column_heap h = {0};
    for (int i = 0; i < ncols; i++) {
        place[cols[i]] = i + 1;
        jni_column_push(&h, (jni_task){markowitz(e, cols[i]), cols[i]});
    }
    while (h.n && !jn_guards_failed(e->ring.guards)) {
        jni_task t = jni_column_pop(&h);
        if (!place[t.col])
            continue;
        long now = markowitz(e, t.col);
        if (now > t.cost) {
            jni_column_push(&h, (jni_task){now, t.col});
            continue;
        }
        int first = e->npivots;
        jn_guard got = jn_eliminate(e, t.col, jn_guard_true(), false);
        unsolved[place[t.col] - 1] = jn_guard_not(e->ring.guards, got);
        place[t.col] = 0;
        for (int p = first; p < e->npivots; p++) {
            const jn_row *row = &e->line[e->pivot[p].row].row;
            for (int k = 0; k < row->n; k++)
                if (place[row->e[k].col])
                    jni_column_push(&h, (jni_task){markowitz(e, row->e[k].col), row->e[k].col});
        }
    }
    free(h.t);
    free(place);
}
