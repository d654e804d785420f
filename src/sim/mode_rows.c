/* mode_rows.c: the variables of one mode as rows of numbers.
 *
 * Each step of the junction structure gives one variable in terms of others; what has no step is
 * an input of a port, or free. Following the steps, every variable becomes a row over whatever the
 * inputs are made of: states and sources, impulses, or what a conflict drives. */
#include <math.h>
#include <stdlib.h>

#include "run.h"

rows *jni_rows_new(const mode *m, const model *k, int width)
{
    rows *r = jn_alloc(sizeof *r);
    r->base = jn_alloc((size_t)jni_port_count(k) * sizeof *r->base);
    r->width = width;
    jni_gather_init(&r->sum, width + m->floating.nnull + 1);
    return r;
}

void jni_rows_free(rows *r, const mode *m, const model *k)
{
    if (!r)
        return;
    for (int p = 0; p < jni_port_count(k); p++)
        jni_srow_clear(&r->base[p]);
    for (int c = 0; r->made && c < m->solved->ncols; c++)
        jni_srow_clear(&r->made[c]);
    free(r->base);
    free(r->made);
    free(r->is_made);
    jni_gather_clear(&r->sum);
    free(r);
}

void jni_rows_unit(rows *r, int port, int col)
{
    jni_gather_put(&r->sum, col, 1);
    jni_gather_take(&r->base[port], &r->sum);
}

/* A port's input, or what is free: by least norm, as far as that goes. */
static void sum_input(const mode *m, int np, rows *r, int col)
{
    if (!m->is_free[col]) {
        jni_gather_add(&r->sum, 1, &r->base[m->port_of[col]]);
        return;
    }
    const srow *f = &m->floating.row[col];
    for (int i = 0; i < f->n; i++)
        if (f->col[i] < np)
            jni_gather_add(&r->sum, f->a[i], &r->base[f->col[i]]);
        else
            jni_gather_put(&r->sum, r->width + f->col[i] - np, f->a[i]);
}

/* What stays open may cancel, but for rounding. */
static void drop_rounding(srow *r, int width)
{
    int n = 0;
    for (int i = 0; i < r->n; i++)
        if (r->col[i] < width || fabs(r->a[i]) > OPEN_PART) {
            r->col[n] = r->col[i];
            r->a[n++] = r->a[i];
        }
    r->n = n;
}

const srow *jni_rows_of(jn_sim *s, const mode *m, rows *r, int col)
{
    const jn_solved *d = m->solved;
    int k = m->step_of[col];
    if (!r->made) { /* of many modes that are only asked, no variable is */
        r->made = jn_alloc((size_t)d->ncols * sizeof *r->made);
        r->is_made = jn_alloc((size_t)d->ncols * sizeof *r->is_made);
    }
    if (r->is_made[col])
        return &r->made[col];
    if (k < 0) {
        sum_input(m, jni_port_count(&s->model), r, col);
    } else {
        const jn_step *step = &d->step[k];
        for (int i = step->first; i < step->end; i++) /* those first, one sum at a time */
            jni_rows_of(s, m, r, d->term[i].col);
        for (int i = step->first; i < step->end; i++)
            jni_gather_add(&r->sum, jni_number_of(&s->model, d->term[i].c),
                           &r->made[d->term[i].col]);
    }
    jni_gather_take(&r->made[col], &r->sum);
    if (m->floating.nnull)
        drop_rounding(&r->made[col], r->width);
    r->is_made[col] = true;
    return &r->made[col];
}
