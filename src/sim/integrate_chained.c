/* integrate_chained.c: sizes of resistors that give to each other; see integrate_noise.c.
 *
 * The linear resistors take part, and laws that cannot be taken one after the other. Those that
 * have nothing to do with each other stay apart, by the pattern of the mode's equations. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrate.h"

struct chained {
    int n, *which;
    inverse_size *by; /* of I − L·S33 with rows of one scale; NULL: there is none */
    double *scale;    /* that of each row */
    bool varies;      /* it is another one at every point */
};

void jni_chained_free(chained *c)
{
    if (!c)
        return;
    jni_inverse_size_free(c->by);
    free(c->scale);
    free(c->which);
    free(c);
}

size_t jni_chained_bytes(const chained *c)
{
    return c ? (size_t)c->n * (sizeof *c->which + sizeof *c->scale) + jni_inverse_size_bytes(c->by)
             : 0;
}

/* ---- I − L·S33 ----------------------------------------------------------------------------- */

typedef struct {
    integrate *n;
    mode *m;
    const chained *c;
    structure *of; /* of all of the mode's equations */
    int *place;    /* per resistor: in the chain; −1: not there */
    sparse_pattern pattern;
    double *value;
} chain_matrix;

static void find_places(chain_matrix *a)
{
    int nr = a->n->s->model.nr;
    a->place = jn_alloc((size_t)nr * sizeof *a->place);
    for (int r = 0; r < nr; r++)
        a->place[r] = -1;
    for (int i = 0; i < a->c->n; i++)
        a->place[a->c->which[i]] = i;
}

/* Of an equation: its resistor's place. */
static int place_of_row(const chain_matrix *a, int row)
{
    int first = a->n->k.first_r;
    return row >= first && row < first + a->n->s->model.nr ? a->place[row - first] : -1;
}

static void find_entries(chain_matrix *a)
{
    const sparse_pattern *all = jni_structure_pattern(a->of);
    int count = 0, cap = 0;
    a->pattern.n = a->c->n;
    a->pattern.start = jn_alloc((size_t)(a->c->n + 1) * sizeof *a->pattern.start);
    for (int j = 0; j < a->c->n; j++) {
        int unknown = a->n->k.first_r + a->c->which[j];
        a->pattern.start[j] = count;
        for (int e = all->start[unknown]; e < all->start[unknown + 1]; e++) {
            int i = place_of_row(a, all->row[e]);
            if (i < 0)
                continue;
            JN_GROW(a->pattern.row, count, cap);
            a->pattern.row[count++] = i;
        }
    }
    a->pattern.start[a->c->n] = count;
    a->value = jni_doubles(count);
}

/* The columns of those that share no equation at once. */
static void find_values(chain_matrix *a)
{
    const model *k = &a->n->s->model;
    const program *p = jni_program(a->m);
    int columns = a->m->solved->ncols, first = a->n->k.first_r;
    double *sum = jni_doubles(columns), *size = jni_doubles(columns);
    for (int g = 0; g < jni_structure_groups(a->of); g++) {
        memset(sum, 0, (size_t)columns * sizeof *sum);
        for (int j = 0; j < a->c->n; j++)
            if (jni_structure_group(a->of, first + a->c->which[j]) == g)
                sum[p->in[k->nx + a->c->which[j]]] = 1;
        jni_program_sums(p, sum, size);
        for (int j = 0; j < a->c->n; j++) {
            if (jni_structure_group(a->of, first + a->c->which[j]) != g)
                continue;
            for (int e = a->pattern.start[j]; e < a->pattern.start[j + 1]; e++) {
                int i = a->pattern.row[e], r = a->c->which[i];
                a->value[e] = (i == j) - jni_slope_like(a->n, a->m, r) * sum[p->out[k->nx + r]];
            }
        }
    }
    free(sum);
    free(size);
}

/* A diode that blocks has a row of 10⁹⁰ beside those of ohms. */
static void scale_rows(chain_matrix *a, double *scale)
{
    int n = a->c->n;
    for (int e = 0; e < a->pattern.start[n]; e++)
        scale[a->pattern.row[e]] = fmax(scale[a->pattern.row[e]], fabs(a->value[e]));
    for (int i = 0; i < n; i++)
        scale[i] = scale[i] > 0 && isfinite(scale[i]) ? 1 / scale[i] : 1;
    for (int e = 0; e < a->pattern.start[n]; e++)
        a->value[e] *= scale[a->pattern.row[e]];
}

static chained *chain(integrate *n, mode *m, double t)
{
    chained *c = jn_alloc(sizeof *c);
    c->which = jn_alloc((size_t)n->s->model.nr * sizeof *c->which);
    c->varies = jni_program(m)->nvarying;
    for (int r = 0; r < n->s->model.nr; r++) {
        if (jni_is_linear_resistor(n, r) || n->loses[r])
            c->which[c->n++] = r;
        c->varies |= !jni_is_linear_resistor(n, r) && n->loses[r];
    }
    chain_matrix a = {.n = n, .m = m, .c = c, .of = jni_slopes_of(n, m, t)};
    find_places(&a);
    find_entries(&a);
    find_values(&a);
    c->scale = jni_doubles(c->n);
    scale_rows(&a, c->scale);
    c->by = jni_inverse_size_new(&a.pattern, a.value); /* active elements may leave none */
    free(a.place);
    free(a.pattern.start);
    free(a.pattern.row);
    free(a.value);
    return c;
}

/* Factors that vary are others at every point. */
static bool has_new_chain(const integrate *n, const chained *c)
{
    bool found = !c || c->varies;
    for (int r = 0; r < n->s->model.nr && !found; r++)
        found = !jni_is_linear_resistor(n, r) && n->loses[r];
    return found;
}

/* ---- sizes --------------------------------------------------------------------------------- */

void jni_size_chained(integrate *n, mode *m, double t)
{
    const model *k = &n->s->model;
    program *p = jni_program(m);
    if (has_new_chain(n, p->chained)) {
        jni_chained_free(p->chained);
        p->chained = chain(n, m, t);
    }
    const chained *c = p->chained;
    double *own = jni_doubles(c->n), *all = jni_doubles(c->n);
    for (int i = 0; i < c->n; i++)
        n->w.size[p->in[k->nx + c->which[i]]] = 0;
    jni_program_sums(p, n->w.sum, n->w.size);
    for (int i = 0; i < c->n; i++)
        own[i] = all[i] = jni_input_size(n, m, c->which[i], jni_slope_like(n, m, c->which[i]));
    for (int i = 0; i < c->n && c->by; i++)
        own[i] *= c->scale[i];
    if (c->by)
        jni_inverse_size_of(all, c->by, own);
    for (int i = 0; i < c->n; i++)
        n->w.size[p->in[k->nx + c->which[i]]] = all[i];
    free(own);
    free(all);
}
