/* integrate_program.c: the junction structure of one mode as a list of sums of numbers.
 *
 * The steps of the structure carry the ports' inputs to every bond, without S ever being multiplied
 * out. Factors that contain a modulated TF or GY are computed anew whenever its value changes. */
#include "integrate.h"

#include <math.h>
#include <stdlib.h>

static void add_product(program *p, model *k, int col, jn_ratfun f)
{
    JN_GROW(p->product, p->nproducts, p->cap_products);
    struct program_product *to = &p->product[p->nproducts++];
    *to = (struct program_product){col, -1, 0};
    if (jn_ratfun_is_const(k->g->field, f)) {
        to->c = jni_number_of(k, f);
        return;
    }
    JN_GROW(p->varying, p->nvarying, p->cap_varying);
    p->varying[p->nvarying] = (struct program_varying){.f = f};
    to->varying = p->nvarying++;
}

static void add_step(program *p, int col, int first)
{
    JN_GROW(p->step, p->nsteps, p->cap_steps);
    p->step[p->nsteps++] = (struct program_step){col, first, p->nproducts};
}

/* What is known by least norm comes first: it is a sum of inputs. */
static void add_floating(program *p, const mode *m, const model *k)
{
    for (int c = 0; m->floating.row && c < m->solved->ncols; c++) {
        const srow *r = &m->floating.row[c];
        int first = p->nproducts;
        if (!m->is_free[c])
            continue;
        for (int i = 0; i < r->n; i++) {
            if (r->col[i] >= jni_port_count(k))
                continue;
            JN_GROW(p->product, p->nproducts, p->cap_products);
            p->product[p->nproducts++] = (struct program_product){p->in[r->col[i]], -1, r->a[i]};
        }
        add_step(p, c, first);
    }
}

void jni_program_make(jn_sim *s, mode *m)
{
    model *k = &s->model;
    const jn_solved *d = m->solved;
    program *p = m->own = jn_alloc(sizeof *p);
    size_t ports = (size_t)jni_port_count(k);
    p->in = jn_alloc(ports * sizeof *p->in);
    p->out = jn_alloc(ports * sizeof *p->out);
    for (int i = 0; i < (int)ports; i++) {
        p->in[i] = jni_mode_in(m, k, i);
        p->out[i] = jni_mode_out(m, k, i);
        p->is_dependent |= i < k->nx && !m->integral[i];
    }
    add_floating(p, m, k);
    for (int i = 0; i < d->nsteps; i++) {
        int first = p->nproducts;
        for (int t = d->step[i].first; t < d->step[i].end; t++)
            add_product(p, k, d->term[t].col, d->term[t].c);
        add_step(p, d->step[i].col, first);
    }
    m->nz = 2 * jni_obs_count(k);
}

void jni_program_drop(jn_sim *s, mode *m)
{
    program *p = jni_program(m);
    if (s->own) {
        jni_follower_leave(jni_integrate(s)->follower, m);
        jni_integrate(s)->flat_mode = NULL;
    }
    free(p->in);
    free(p->out);
    free(p->step);
    free(p->product);
    free(p->varying);
    jni_chained_free(p->chained);
    free(p->is_nothing);
    free(p->pieces);
    jni_in_series_free(p, s->model.nr);
    jni_structure_free(p->structure);
    free(p);
}

size_t jni_program_size(const jn_sim *s, const mode *m)
{
    const program *p = jni_program(m);
    size_t n = sizeof *p + 2 * (size_t)jni_port_count(&s->model) * sizeof *p->in;
    n += (size_t)p->cap_steps * sizeof *p->step + (size_t)p->cap_products * sizeof *p->product +
         (size_t)p->cap_varying * sizeof *p->varying;
    return n + jni_chained_bytes(p->chained) +
           (p->structure ? jni_structure_bytes(p->structure) : 0);
}

void jni_program_vary(program *p, const model *k, const double *param, const double *change)
{
    for (int i = 0; i < p->nvarying; i++) {
        dual *now = &p->varying[i].now;
        now->v = jn_ratfun_eval_d(&now->d, k->g->field, p->varying[i].f, param, change);
    }
}

bool jni_program_passes_pole(program *p)
{
    bool passes = false;
    for (int i = 0; i < p->nvarying; i++) {
        struct program_varying *f = &p->varying[i];
        double size = fabs(f->now.v), most = RATIO_OF_POLE * f->least;
        passes |= f->last * f->now.v < 0 && f->least > 0 && size > most && fabs(f->last) > most;
        if (size > 0 && isfinite(size))
            f->least = f->least > 0 ? fmin(f->least, size) : size;
        f->last = f->now.v;
    }
    return passes;
}

void jni_program_forget_poles(program *p)
{
    for (int i = 0; i < p->nvarying; i++)
        p->varying[i].last = 0;
}

void jni_program_run(const program *p, dual *col)
{
    for (int i = 0; i < p->nsteps; i++) {
        dual sum = {0, 0};
        for (int k = p->step[i].first; k < p->step[i].end; k++) {
            const struct program_product *q = &p->product[k];
            dual a = col[q->col];
            if (q->varying < 0) {
                sum.v += q->c * a.v;
                sum.d += q->c * a.d;
            } else {
                dual c = p->varying[q->varying].now;
                sum.v += c.v * a.v;
                sum.d += c.d * a.v + c.v * a.d;
            }
        }
        col[p->step[i].col] = sum;
    }
}

void jni_program_sums(const program *p, double *sum, double *size)
{
    for (int i = 0; i < p->nsteps; i++) {
        double total = 0, most = 0;
        for (int k = p->step[i].first; k < p->step[i].end; k++) {
            const struct program_product *q = &p->product[k];
            double c = q->varying < 0 ? q->c : p->varying[q->varying].now.v;
            total += c * sum[q->col];
            most += fabs(c) * size[q->col];
        }
        sum[p->step[i].col] = total;
        size[p->step[i].col] = most;
    }
}
