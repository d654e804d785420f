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
    int ncols = column_count(s);
    r->width = width;
    r->base = jn_alloc((size_t)jn_port_count(s) * (size_t)width * sizeof *r->base);
    r->made = jn_alloc((size_t)ncols * sizeof *r->made);
    return r;
}

void jn_rows_free(rows *r, const jn_sim *s)
{
    if (!r)
        return;
    int ncols = column_count(s);
    for (int c = 0; c < ncols; c++)
        free(r->made[c]);
    free(r->made);
    free(r->base);
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

const double *jn_rows_of(jn_sim *s, const mode_table *m, rows *r, int col)
{
    if (r->made[col])
        return r->made[col];
    double *row = r->made[col] = jn_alloc((size_t)r->width * sizeof *row);
    int pivot = m->pivot_at[col], port = ports_of_columns(s)[col];
    if (pivot < 0) {
        /* a port's input, or a variable that nothing determines */
        for (int k = 0; k < r->width; k++)
            row[k] = port < 0 ? NAN : r->base[(size_t)port * (size_t)r->width + (size_t)k];
        return row;
    }
    const jn_row *e =
        jn_elimination_row(s->j->elimination, jn_elimination_pivot(s->j->elimination, pivot)->row);
    for (int i = 0; i < e->n; i++) {
        if (e->e[i].col == col)
            continue;
        double c = jn_number_of(s, jn_guarded_at(&e->e[i].value, m->onoff, s->j->ring));
        if (c == 0)
            continue;
        const double *other = jn_rows_of(s, m, r, e->e[i].col);
        for (int k = 0; k < r->width; k++)
            row[k] -= c * other[k];
    }
    return row;
}
