/* numeric_program.c: the junction structure of one mode as a list of sums.
 *
 * Each pivot of the elimination that holds in the mode gives one column as a sum over others. Put
 * in order, they carry the ports' inputs to every bond, without S ever being multiplied out.
 * Factors that contain a modulated TF or GY are computed anew whenever its value changes. */
#include <math.h>
#include <stdlib.h>

#include "numeric.h"

int jn_program_columns(const jn_sim *s)
{
    return 2 * s->g->nbonds + 2 * jn_port_count(s);
}

typedef struct {
    program *p;
    jn_sim *s;
    const mode_table *m;
    bool *is_input, *placed;
} maker;

/* A row's factor in this mode; false where it is zero. */
static bool read_factor(struct program_product *to, maker *k, const jn_entry *entry)
{
    jn_ratfun f = jn_guarded_at(&entry->value, k->m->onoff, k->s->j->ring);
    if (jn_ratfun_is_zero(f))
        return false;
    *to = (struct program_product){entry->col, -1, 0};
    if (jn_ratfun_is_const(k->s->j->ring.field, f)) {
        to->c = jn_number_of(k->s, f);
        return true;
    }
    program *p = k->p;
    JN_GROW(p->varying, p->nvarying, p->cap_varying);
    p->varying[p->nvarying] = (struct program_varying){f, {0, 0}};
    to->varying = p->nvarying++;
    return true;
}

static void place(maker *k, int col);

/* The row of a pivot: its terms first, so that their sums are there. */
static void place_sum(maker *k, int col, const jn_row *row)
{
    program *p = k->p;
    struct program_product *term = jn_alloc((size_t)row->n * sizeof *term);
    int n = 0;
    for (int i = 0; i < row->n; i++)
        if (row->e[i].col != col && read_factor(&term[n], k, &row->e[i]))
            n++;
    for (int i = 0; i < n; i++) {
        place(k, term[i].col);
        p->open[col] |= p->open[term[i].col];
    }
    if (!p->open[col]) {
        JN_GROW(p->step, p->nsteps, p->cap_steps);
        p->step[p->nsteps++] = (struct program_step){col, p->nproducts, p->nproducts + n};
        for (int i = 0; i < n; i++) {
            JN_GROW(p->product, p->nproducts, p->cap_products);
            p->product[p->nproducts++] = term[i];
        }
    }
    free(term);
}

static void place(maker *k, int col)
{
    const jn_elimination *elimination = k->s->j->elimination;
    if (k->placed[col])
        return;
    k->placed[col] = true;
    int pivot = k->m->pivot_at[col];
    if (pivot >= 0)
        place_sum(k, col,
                  jn_elimination_row(elimination, jn_elimination_pivot(elimination, pivot)->row));
    else
        k->p->open[col] = !k->is_input[col];
}

static void read_ports(maker *k)
{
    jn_sim *s = k->s;
    for (int i = 0; i < jn_port_count(s); i++) {
        int element = jn_port_element(s, i);
        int e = s->j->port_effort[element], f = s->j->port_flow[element];
        bool effort_out = k->m->pivot_at[e] >= 0;
        k->p->out[i] = effort_out ? e : f;
        k->p->in[i] = effort_out ? f : e;
        k->is_input[k->p->in[i]] = true;
        if (i < s->N) {
            k->p->integral[i] = effort_out == (s->g->element[element].kind == JN_I);
            k->p->is_dependent |= !k->p->integral[i];
        }
    }
}

program *jn_program_new(jn_sim *s, const mode_table *m)
{
    program *p = jn_alloc(sizeof *p);
    size_t ncols = (size_t)jn_program_columns(s), ports = (size_t)jn_port_count(s);
    p->in = jn_alloc(ports * sizeof *p->in);
    p->out = jn_alloc(ports * sizeof *p->out);
    p->integral = jn_alloc((size_t)s->N * sizeof *p->integral);
    p->open = jn_alloc(ncols * sizeof *p->open);
    maker k = {p, s, m, jn_alloc(ncols), jn_alloc(ncols)};
    read_ports(&k);
    for (size_t c = 0; c < ncols; c++)
        place(&k, (int)c);
    free(k.is_input);
    free(k.placed);
    return p;
}

void jn_program_free(program *p)
{
    if (!p)
        return;
    free(p->in);
    free(p->out);
    free(p->integral);
    free(p->open);
    free(p->step);
    free(p->product);
    free(p->varying);
    jn_structure_free(p->structure);
    free(p);
}

void jn_program_vary(program *p, const jn_sim *s, const double *param, const double *change)
{
    for (int i = 0; i < p->nvarying; i++) {
        dual *now = &p->varying[i].now;
        now->v = jn_ratfun_eval_d(&now->d, s->j->ring.field, p->varying[i].f, param, change);
    }
}

void jn_program_run(const program *p, dual *col)
{
    for (int i = 0; i < p->nsteps; i++) {
        dual sum = {0, 0};
        for (int k = p->step[i].first; k < p->step[i].end; k++) {
            const struct program_product *q = &p->product[k];
            dual a = col[q->col];
            if (q->varying < 0) {
                sum.v -= q->c * a.v;
                sum.d -= q->c * a.d;
            } else {
                dual c = p->varying[q->varying].now;
                sum.v -= c.v * a.v;
                sum.d -= c.d * a.v + c.v * a.d;
            }
        }
        col[p->step[i].col] = sum;
    }
}

void jn_program_sums(const program *p, double *sum, double *size)
{
    for (int i = 0; i < p->nsteps; i++) {
        double total = 0, most = 0;
        for (int k = p->step[i].first; k < p->step[i].end; k++) {
            const struct program_product *q = &p->product[k];
            double c = q->varying < 0 ? q->c : p->varying[q->varying].now.v;
            total -= c * sum[q->col];
            most += fabs(c) * size[q->col];
        }
        sum[p->step[i].col] = total;
        size[p->step[i].col] = most;
    }
}
