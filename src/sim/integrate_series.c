/* integrate_series.c: laws in series that are inverted together.
 *
 * A square law behind a dead zone: one of them is given the flow that the other one's inverse says, and
 * takes its effort from what that is given. Where both have no slope, or infinite ones, Newton's method
 * around them goes to and fro. But what is given to both of them together is their sum at one flow,
 *
 *     y + Σ s·z(s·x) = L(x) + Σ s·z(s·x)
 *
 * with z what the others give when they are given s·x and nothing else. So an inverse is one of this sum, and no
 * loop is left. */
#include <math.h>
#include <stdlib.h>

#include "integrate.h"

/* Whether what a resistor gives is one continuous function of what it is given. */
static bool is_one_function(const integrate *n, const mode *m, int r)
{
    const model *k = &n->s->model;
    const jn_element *x = &k->g->element[k->g->resistor[r]];
    int own = jni_law_reads(x);
    if (x->multiport || n->k.value_of[k->nx + r] >= 0)
        return false;
    if (!x->nonlinear)
        return m->resistor[r] > 0;
    return jni_reads_only(k, x->law, own, own) && !jni_pieces_have_steps(&k->pieces[r]) &&
           ((jni_mode_may_invert(m, k, r) && !jni_in_series(n, m, r)->n) ||
            (!k->pieces[r].n && (x->law_of == 'e') != m->solved->gives_effort[k->g->resistor[r]]));
}

/* What one input makes of all columns, and how large the others could make them. */
typedef struct {
    double *by_it, *by_others;
} influence;

static influence influence_of(const model *k, const mode *m, int in)
{
    const program *p = jni_program(m);
    int n = m->solved->ncols;
    influence of = {jni_doubles(n), jni_doubles(n)};
    for (int i = 0; i < jni_port_count(k); i++)
        of.by_others[p->in[i]] = p->in[i] != in;
    of.by_it[in] = 1;
    jni_program_sums(p, of.by_it, of.by_others);
    return of;
}

static void influence_clear(influence *of)
{
    free(of->by_it);
    free(of->by_others);
}

static void add(struct in_series *to, const model *k, const mode *m, int r, int other, double s)
{
    const program *p = jni_program(m);
    influence back = influence_of(k, m, p->in[k->nx + other]);
    double c = back.by_it[p->out[k->nx + r]];
    influence_clear(&back);
    if (!(fabs(c + s) <= SAME_LAW * fabs(s)))
        return;
    JN_GROW(to->item, to->n, to->cap);
    to->item[to->n++] = (struct one_in_series){other, s};
}

static void find(struct in_series *to, const integrate *n, const mode *m, int r)
{
    const model *k = &n->s->model;
    const program *p = jni_program(m);
    if (p->nvarying)
        return;
    influence it = influence_of(k, m, p->in[k->nx + r]);
    for (int a = 0; a < k->nr; a++) {
        int out = p->out[k->nx + a];
        bool jumps = k->pieces[r].n && k->pieces[a].n && !jni_mode_inverts(m, k, a) &&
                     !jni_pieces_have_steps(&k->pieces[r]) && !jni_pieces_have_steps(&k->pieces[a]);
        if (a != r && it.by_it[out] != 0 && it.by_others[out] == 0 && jumps)
            to->other = a + 1;
        if (a != r && it.by_it[out] != 0 && it.by_others[out] == 0 && is_one_function(n, m, a))
            add(to, k, m, r, a, it.by_it[out]);
    }
    influence_clear(&it);
}

const struct in_series *jni_in_series(const integrate *n, const mode *m, int r)
{
    program *p = jni_program(m);
    if (!p->series)
        p->series = jn_alloc((size_t)n->s->model.nr * sizeof *p->series);
    struct in_series *to = &p->series[r];
    if (!to->is_found) {
        to->is_found = true;
        find(to, n, m, r);
    }
    return to;
}

void jni_in_series_free(program *p, int nr)
{
    for (int r = 0; r < nr && p->series; r++)
        free(p->series[r].item);
    free(p->series);
}

dual jni_series_gives(integrate *n, const mode *m, const struct in_series *all, const moment *at,
                      double x)
{
    const model *k = &n->s->model;
    dual sum = {0, 0};
    for (int i = 0; i < all->n; i++) {
        int r = all->item[i].r, element = k->g->resistor[r];
        double s = all->item[i].s;
        const jn_element *e = &k->g->element[element];
        dual given = {s * x, s}, z;
        if (!e->nonlinear)
            z = jni_scaled(given,
                           m->solved->gives_effort[element] ? 1 / m->resistor[r] : m->resistor[r]);
        else if (n->flat[r].is_inverted)
            z = jni_flat_inverse(n, m, r, at, given);
        else
            z = jni_law_at(n, m, at, e, given);
        sum.v += s * z.v;
        sum.d += s * z.d;
    }
    return sum;
}

dual jni_series_given(const integrate *n, const struct in_series *all, dual given)
{
    for (int i = 0; i < all->n; i++) {
        dual z = jni_scaled(n->w.Y[n->k.first_r + all->item[i].r], all->item[i].s);
        given = (dual){given.v + z.v, given.d + z.d};
    }
    return given;
}
