/* tableau.c: the junction structure of a mode from that of the last.
 *
 * A controlled junction is a plain one with one more bond, its gate: ON the gate has e = 0 (X1) or
 * f = 0 (X0), OFF the conjugate is 0. So the rows are the same in all modes, and all internal bonds
 * are eliminated once. What is left is a relation between ports and gates, solved for as many columns
 * as it has rows: a tableau, whose solved columns are its basis. A mode only says which column of each
 * gate is imposed, and so what is to be solved for first:
 *
 *     of each gate the column that is not imposed     (where that is impossible, it is free)
 *     of each port, in the order of service, what it wants as its output
 *     the conjugates, in the reverse order
 *     what is imposed                                 (in rows that say 0 = 0 in this mode)
 *
 * A port that cannot have what it wants has its conjugate by a row in which, since the structure conserves
 * power, nothing else stands but conjugates of ports that were served before it, and what is imposed. So
 * the last conjugate of such a row is the one to be solved for, and all of them may come after the rest.
 *
 * Elimination in this order finds the basis that comes first in it, and there is only one such: it does not
 * matter which rows were chosen, nor how it was come by. When a switch turns, two columns change their
 * places in the order. A column that comes forward takes the place of the last in the order that can be
 * expressed by it; one that goes back gives its place to the first that it is expressed by: at most two
 * exchanges, each of which costs the entries of a row times those of a column. So a mode costs the switches
 * that differ from the last one, and what comes out is the same whichever that was.
 *
 * All of the tableau is kept solved, which for long chains of closed switches is long, as each current is the
 * sum of all that follow. Models whose tableau is much longer than their rows in the two simplest
 * modes are eliminated mode by mode (solved.c). */
#include <stdlib.h>
#include <string.h>

#include "solved_internal.h"

enum { LENGTHS = 16, SHORT = 4096 }; /* times as long as the rows; what is short in any case */

struct tableau {
    const jn_solver *k;
    jn_plain *p;
    jn_onoff *mode; /* that it stands in */
    int *place;     /* per column: in the order above; −1: internal */
    int *row_of;    /* per column: the row that is solved for it; −1: none */
    int *col_of;    /* per row */
    int imposed;    /* the first place of what is imposed */
};

/* ---- the basis ----------------------------------------------------------------------------- */

static int wanted(const gate *g, bool on)
{
    return on ? g->when_off : g->when_on;
}

static int imposed(const gate *g, bool on)
{
    return on ? g->when_on : g->when_off;
}

static void exchange(tableau *t, int row, int col)
{
    t->row_of[t->col_of[row]] = -1;
    t->row_of[col] = row;
    t->col_of[row] = col;
    jn_plain_exchange(t->p, row, col);
}

/* It has come forward: it takes the place of the last that can be expressed by it. */
static void bring_forward(tableau *t, int col, int place)
{
    int last = -1;
    t->place[col] = place;
    if (t->row_of[col] >= 0)
        return;
    for (int i = 0; i < jn_plain_rows_with(t->p, col); i++) {
        int row = jn_plain_row_with(t->p, col, i);
        if (last < 0 || t->place[t->col_of[row]] > t->place[t->col_of[last]])
            last = row;
    }
    if (last >= 0 && t->place[t->col_of[last]] > place)
        exchange(t, last, col);
}

/* It has gone back: the first that it is expressed by takes its place. */
static void send_back(tableau *t, int col, int place)
{
    int row = t->row_of[col], first = col;
    t->place[col] = place;
    for (int i = 0; row >= 0 && i < jn_plain_entries(t->p, row); i++) {
        int other = jn_plain_entry(t->p, row, i).col;
        if (t->place[other] < t->place[first])
            first = other;
    }
    if (first != col)
        exchange(t, row, first);
}

static void turn(tableau *t, bool on, const jn_onoff *m)
{
    for (int i = 0; i < t->k->ngates; i++) {
        const gate *g = &t->k->gate[i];
        if (t->mode[g->sw] == m[g->sw] || (m[g->sw] != 0) != on)
            continue;
        bring_forward(t, wanted(g, on), i);
        send_back(t, imposed(g, on), t->imposed + i);
    }
}

/* What comes on goes first: cells of converters then never open the circuit on the way. */
static void go_to(tableau *t, const jn_onoff *m)
{
    size_t n = (size_t)t->k->g->nswitches;
    turn(t, true, m);
    turn(t, false, m);
    memcpy(t->mode, m, n * sizeof *m);
}

/* ---- the first mode ------------------------------------------------------------------------ */

static void place_columns(tableau *t)
{
    const jn_solver *k = t->k;
    for (int c = 0; c < k->c.ncols; c++)
        t->place[c] = t->row_of[c] = -1;
    t->imposed = k->ngates + 2 * k->c.nports;
    for (int i = 0; i < k->ngates; i++) {
        t->place[wanted(&k->gate[i], true)] = i;
        t->place[imposed(&k->gate[i], true)] = t->imposed + i;
    }
    for (int i = 0; i < k->c.nports; i++) {
        const port *p = &k->c.port[i];
        bool effort = jni_solver_wants_effort(k, p->element);
        t->place[effort ? p->effort : p->flow] = k->ngates + i;
        t->place[effort ? p->flow : p->effort] = k->ngates + 2 * k->c.nports - 1 - i;
    }
}

/* Solves for all columns in their order, as far as the tableau stays short. */
static bool solve_in_order(tableau *t, long most)
{
    int n = t->imposed + t->k->ngates, *at = jn_alloc((size_t)n * sizeof *at), i = 0;
    for (int c = 0; c < t->k->c.ncols; c++)
        if (t->place[c] >= 0)
            at[t->place[c]] = c;
    for (; i < n && jn_plain_size(t->p) <= most; i++) {
        int row;
        if (!jn_plain_solve(t->p, at[i], true))
            continue;
        jn_plain_pivot(t->p, jn_plain_pivots(t->p) - 1, &row);
        t->row_of[at[i]] = row;
        t->col_of[row] = at[i];
    }
    free(at);
    return i == n;
}

/* All ON, then all OFF. */
static bool is_short(tableau *t)
{
    size_t n = (size_t)t->k->g->nswitches;
    jn_onoff *off = jn_alloc(n * sizeof *off);
    long most = LENGTHS * jn_plain_size(t->p) + SHORT;
    memset(t->mode, 1, n * sizeof *t->mode);
    bool ok = solve_in_order(t, most);
    if (ok)
        go_to(t, off);
    free(off);
    return ok && jn_plain_size(t->p) <= most;
}

tableau *jni_tableau_new(jn_solver *k)
{
    tableau *t = jn_alloc(sizeof *t);
    *t = (tableau){.k = k, .p = k->fixed};
    t->mode = jn_alloc((size_t)k->g->nswitches * sizeof *t->mode);
    t->place = jn_alloc((size_t)k->c.ncols * sizeof *t->place);
    t->row_of = jn_alloc((size_t)k->c.ncols * sizeof *t->row_of);
    t->col_of = jn_alloc((size_t)jn_plain_rows(t->p) * sizeof *t->col_of);
    place_columns(t);
    if (is_short(t))
        return t;
    jni_tableau_free(t);
    return NULL;
}

void jni_tableau_free(tableau *t)
{
    if (!t)
        return;
    free(t->mode);
    free(t->place);
    free(t->row_of);
    free(t->col_of);
    free(t);
}

/* ---- steps --------------------------------------------------------------------------------- */

/* In the order of columns, for the tableau's own depends on what came before. */
static void sort_terms(jn_term *term, int n)
{
    for (int i = 1; i < n; i++) {
        jn_term x = term[i];
        int k = i;
        for (; k > 0 && term[k - 1].col > x.col; k--)
            term[k] = term[k - 1];
        term[k] = x;
    }
}

static int by_column(const void *a, const void *b)
{
    return ((const jn_term *)a)->col - ((const jn_term *)b)->col;
}

/* x_col = −Σ of the rest of its row, without what is 0. */
static void write_step(jn_solved *out, const tableau *t, int col)
{
    int row = t->row_of[col], first = out->nterms;
    for (int i = 0; i < jn_plain_entries(t->p, row); i++) {
        jn_term x = jn_plain_entry(t->p, row, i);
        if (x.col != col && t->place[x.col] < t->imposed)
            out->term[out->nterms++] = (jn_term){x.col, jn_ratfun_neg(t->k->g->field, x.c)};
    }
    int n = out->nterms - first;
    if (n <= 16)
        sort_terms(out->term + first, n);
    else
        qsort(out->term + first, (size_t)n, sizeof *out->term, by_column);
    out->step[out->nsteps++] = (jn_step){col, first, out->nterms};
}

static jn_status write_ports(jn_solved *out, const tableau *t)
{
    for (int i = 0; i < t->k->c.nports; i++) {
        const port *p = &t->k->c.port[i];
        bool effort = t->row_of[p->effort] >= 0;
        if (effort == (t->row_of[p->flow] >= 0))
            return JN_BUG;
        jni_solved_note_port(out, t->k, p->element, effort);
        write_step(out, t, effort ? p->effort : p->flow);
    }
    return JN_OK;
}

static void write_gates(jn_solved *out, const tableau *t)
{
    for (int i = 0; i < t->k->ngates; i++) {
        const gate *g = &t->k->gate[i];
        bool on = t->mode[g->sw];
        int follows = wanted(g, on);
        out->step[out->nsteps++] = (jn_step){imposed(g, on), out->nterms, out->nterms};
        if (t->row_of[follows] >= 0)
            write_step(out, t, follows);
        else
            out->is_free[follows] = true;
    }
}

jn_status jni_tableau_mode(jn_solved *out, tableau *t, const jn_onoff *m)
{
    const jn_solver *k = t->k;
    go_to(t, m);
    int nsteps = k->c.nports + 2 * k->ngates + k->nsteps;
    out->step = jn_alloc((size_t)nsteps * sizeof *out->step);
    out->term = jn_alloc((size_t)jn_plain_size(t->p) * sizeof *out->term); /* at most */
    for (int i = 0; i < k->nvaried; i++)
        out->is_free[k->varied[i]] = true;
    jn_status s = write_ports(out, t);
    if (s == JN_OK)
        write_gates(out, t);
    out->term = jn_realloc(out->term, (size_t)(out->nterms + k->nterms) * sizeof *out->term);
    return s;
}
