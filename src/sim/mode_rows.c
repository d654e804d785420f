/* mode_columns.c: the variables of one mode as rows of numbers.
 *
 * A column of the guarded elimination is a variable: the effort or flow of a bond, or the input or
 * output of a port. In a mode some pivots hold; each gives its column in terms of others, and what
 * has no pivot is an input. Following the pivots, every variable becomes a row over whatever the
 * inputs are made of: states and sources, impulses, or unbounded values. */
#include <math.h>
#include <stdlib.h>

#include "mode.h"

/* ---- ports ----------------------------------------------------------------------------------- */

int jn_port_count(const jn_sim *s)
{
    return s->N + s->nr + s->m;
}

int jn_port_element(const jn_sim *s, int p)
{
    if (p < s->N)
        return s->g->storage[p];
    if (p < s->N + s->nr)
        return s->g->resistor[p - s->N];
    return s->g->source[p - s->N - s->nr];
}

/* ---- pivots ---------------------------------------------------------------------------------- */

static int column_count(const jn_sim *s)
{
    return 2 * s->g->nbonds + 2 * jn_port_count(s);
}

void jn_mode_pivots(jn_sim *s, mode_table *m)
{
    int ncols = column_count(s);
    m->pivot_at = jn_alloc((size_t)ncols * sizeof *m->pivot_at);
    for (int c = 0; c < ncols; c++)
        m->pivot_at[c] = -1;
    for (int i = 0; i < jn_elimination_pivots(s->j->elimination); i++) {
        const jn_pivot *p = jn_elimination_pivot(s->j->elimination, i);
        if (jn_guard_at(s->j->ring.guards, p->guard, m->onoff))
            m->pivot_at[p->col] = i;
    }
}

bool jn_port_gives_effort(const jn_sim *s, const mode_table *m, int port)
{
    return m->pivot_at[s->j->port_effort[jn_port_element(s, port)]] >= 0;
}

/* ---- rows ------------------------------------------------------------------------------------ */

double jn_number_of(jn_sim *s, jn_ratfun a)
{
    if (a.id >= s->nnumbers) {
        int n = 2 * a.id + 64;
        s->number = jn_realloc(s->number, (size_t)n * sizeof *s->number);
        for (int i = s->nnumbers; i < n; i++)
            s->number[i] = NAN;
        s->nnumbers = n;
    }
    if (isnan(s->number[a.id]))
        s->number[a.id] = jn_ratfun_get_d(s->j->ring.field, a);
    return s->number[a.id];
}

rows *jn_rows_new(const jn_sim *s, int width)
{
    rows *r = jn_alloc(sizeof *r);
    size_t ncols = (size_t)column_count(s);
    r->base = jn_alloc((size_t)jn_port_count(s) * sizeof *r->base);
    r->made = jn_alloc(ncols * sizeof *r->made);
    r->is_made = jn_alloc(ncols * sizeof *r->is_made);
    r->width = width;
    jn_gather_init(&r->sum, width + column_count(s));
    return r;
}

void jn_rows_free(rows *r, const jn_sim *s)
{
    if (!r)
        return;
    for (int p = 0; p < jn_port_count(s); p++)
        jn_srow_clear(&r->base[p]);
    for (int c = 0; c < column_count(s); c++)
        jn_srow_clear(&r->made[c]);
    free(r->base);
    free(r->made);
    free(r->is_made);
    jn_gather_clear(&r->sum);
    free(r);
}

/* Per column: the port whose variable it is, −1 for internal bonds. */
static const int *ports_of_columns(jn_sim *s)
{
    if (!s->column_port) {
        int ncols = column_count(s);
        s->column_port = jn_alloc((size_t)ncols * sizeof *s->column_port);
        for (int c = 0; c < ncols; c++)
            s->column_port[c] = -1;
        for (int p = 0; p < jn_port_count(s); p++) {
            int element = jn_port_element(s, p);
            s->column_port[s->j->port_effort[element]] = p;
            s->column_port[s->j->port_flow[element]] = p;
        }
    }
    return s->column_port;
}

/* The factor of an entry in this mode. */
static double factor(jn_sim *s, const mode_table *m, const jn_entry *e)
{
    return jn_number_of(s, jn_guarded_at(&e->value, m->onoff, s->j->ring));
}

/* A port's input, or a variable that nothing determines. */
static void sum_input(jn_sim *s, rows *r, int col)
{
    int port = ports_of_columns(s)[col];
    if (port >= 0)
        jn_gather_add(&r->sum, 1, &r->base[port]);
    else
        jn_gather_put(&r->sum, r->width + col, 1);
}

const srow *jn_rows_of(jn_sim *s, const mode_table *m, rows *r, int col)
{
    const jn_elimination *all = s->j->elimination;
    int pivot = m->pivot_at[col];
    if (r->is_made[col])
        return &r->made[col];
    if (pivot < 0) {
        sum_input(s, r, col);
    } else {
        const jn_row *e = jn_elimination_row(all, jn_elimination_pivot(all, pivot)->row);
        for (int i = 0; i < e->n; i++) /* those first, one sum at a time */
            if (e->e[i].col != col && factor(s, m, &e->e[i]) != 0)
                jn_rows_of(s, m, r, e->e[i].col);
        for (int i = 0; i < e->n; i++) {
            double c = e->e[i].col != col ? factor(s, m, &e->e[i]) : 0;
            if (c != 0)
                jn_gather_add(&r->sum, -c, &r->made[e->e[i].col]);
        }
    }
    jn_gather_take(&r->made[col], &r->sum);
    r->is_made[col] = true;
    return &r->made[col];
}
