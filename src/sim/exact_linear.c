/* exact_linear.c: a linear mode for what is small beside its solution. The inputs of the model do not
 * deviate, but for one source: so of z = (w, s, v) there remain w and s, and of the columns u and u̇ of
 * the equations those of that source. */
#include <stdlib.h>

#include "tangent.h"

typedef struct {
    jn_linearised *to;
    jn_sim *s;
    mode *m;
    const equations *q;
    int source; /* −1: none */
} maker;

/* Adds c·row, over (w, s, u, u̇), to a row of two matrices. */
static void put_row(const maker *k, double *over_w, double *over_u, double c, const srow *r)
{
    int n = k->to->n, nu = k->s->model.nu;
    for (int i = 0; i < r->n; i++) {
        int u = r->col[i] - n;
        if (u < 0)
            over_w[r->col[i]] += c * r->a[i];
        else if (k->source >= 0 && (u == k->source || u == nu + k->source))
            over_u[u >= nu] += c * r->a[i];
    }
}

static void make_states(const maker *k)
{
    jn_linearised *l = k->to;
    const exact_mode *e = jni_exact(k->m);
    const model *d = &k->s->model;
    for (int i = 0; i < e->n; i++) {
        put_row(k, l->A + i * l->n, l->B + 2 * i, 1, &k->q->dw[i]);
        for (int c = e->w_of_x.start[i]; c < e->w_of_x.start[i + 1]; c++)
            l->in[i * l->nzeta + e->w_of_x.col[c]] = e->w_of_x.a[c];
    }
    for (int i = 0; i < k->q->ni; i++) {
        int row = k->q->integral[i];
        put_row(k, l->out + row * l->n, l->out_u + 2 * row, 1, &k->q->Xi[i]);
    }
    for (int i = 0; i < k->q->nd; i++) {
        int row = k->q->derivative[i];
        put_row(k, l->out + row * l->n, l->out_u + 2 * row, 1, &k->q->Xd[i]);
    }
    for (int i = 0; i < d->ns; i++) {
        int w = e->n + i, zeta = d->nx + i;
        put_row(k, l->A + w * l->n, l->B + 2 * w, 1, &k->q->ds[i]);
        l->in[w * l->nzeta + zeta] = 1;
        l->out[zeta * l->n + w] = 1;
    }
}

void jni_linear_form(double *over_w, double *over_u, jn_sim *s, mode *m, const jn_linearised *l,
                     const linear_form *f, int source)
{
    const model *d = &s->model;
    const maker k = {(jn_linearised *)l, s, m, NULL, source};
    int bonds = 2 * d->g->nbonds;
    for (int t = 0; t < f->n; t++) {
        int obs = f->term[t].obs;
        double c = f->term[t].c;
        if (obs < bonds)
            put_row(&k, over_w, over_u, c * jni_bond_sign(m, obs),
                    jni_rows_of(s, m, jni_exact(m)->finite, obs));
        else if (obs < jni_obs_count(d)) { /* states, then integrals: as in ζ */
            int zeta = obs - bonds;
            for (int i = 0; i < l->n; i++)
                over_w[i] += c * l->out[zeta * l->n + i];
            for (int i = 0; i < 2; i++)
                over_u[i] += c * l->out_u[2 * zeta + i];
        }
    }
}

static void make_values(const maker *k, const jn_disturbance *what)
{
    jn_linearised *l = k->to;
    for (int i = 0; what && i < l->nvalues; i++) {
        const linear_form *f = jni_probe_form(what->value[i]);
        if (f)
            jni_linear_form(l->C + i * l->n, l->D + 2 * i, k->s, k->m, l, f, k->source);
    }
}

jn_linearised *jni_linear_new(jn_sim *s, mode *m, const jn_disturbance *what)
{
    equations q;
    jn_linearised *l = jn_alloc(sizeof *l);
    l->n = jni_exact(m)->n + s->model.ns;
    l->nzeta = s->model.nx + s->model.ns;
    l->nvalues = what ? what->nvalues : 0;
    l->A = jni_doubles(l->n * l->n);
    l->B = jni_doubles(2 * l->n);
    l->in = jni_doubles(l->n * l->nzeta);
    l->out = jni_doubles(l->nzeta * l->n);
    l->out_u = jni_doubles(2 * l->nzeta);
    l->C = jni_doubles(l->nvalues * l->n);
    l->D = jni_doubles(2 * l->nvalues);
    jni_equations_read(&q, s, m);
    if (jni_equations_close(&q, s, m)) {
        maker k = {l, s, m, &q, what ? what->source : -1};
        make_states(&k);
        make_values(&k, what);
    }
    jni_equations_clear(&q, s, m);
    return l;
}

void jni_linear_free(jn_linearised *l)
{
    if (!l)
        return;
    double *each[] = {l->A, l->B, l->in, l->out, l->out_u, l->C, l->D};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        free(each[i]);
    free(l);
}
