/* mode_agree.c: sources that are tied to each other, and have the values that this takes.
 *
 * The structure of a mode says how: one source is a sum of multiples of others. Where all of them are
 * sums of constants and of functions of time, each function with a factor, they agree for good if
 * the factors of every function add up to 0, and so do the constants: 2*sin(t) beside sin(t)*2 + 0. */
#include <math.h>
#include <stdlib.h>

#include "run.h"

typedef struct {
    model *k;
    int n, cap;
    struct summand {
        const jn_expr *e; /* NULL: the constant */
        double sum, size; /* of its factors */
    } * item;
    bool is_known;
} summands;

static void add_one(summands *to, double c, const jn_expr *e)
{
    for (int i = 0; i < to->n; i++) {
        struct summand *x = &to->item[i];
        if (e && x->e ? jn_expr_same(e, x->e) : !e && !x->e) {
            x->sum += c;
            x->size += fabs(c);
            return;
        }
    }
    JN_GROW(to->item, to->n, to->cap);
    to->item[to->n++] = (struct summand){e, c, fabs(c)};
}

static bool is_constant(const jn_expr *e)
{
    return !jn_expr_varies(e);
}

/* to += c·e, summand by summand. */
static void add(summands *to, double c, const jn_expr *e)
{
    const jn_expr *const *arg = e->arg;
    if (is_constant(e)) {
        add_one(to, c * jni_constant(to->k, e), NULL);
    } else if (e->op == JN_X_SIGNAL) {
        add(to, c, to->k->g->signal[e->index].expr);
    } else if (e->op == JN_X_NEG) {
        add(to, -c, arg[0]);
    } else if (e->op == JN_X_ADD || e->op == JN_X_SUB) {
        add(to, c, arg[0]);
        add(to, e->op == JN_X_ADD ? c : -c, arg[1]);
    } else if (e->op == JN_X_MUL && (is_constant(arg[0]) || is_constant(arg[1]))) {
        int factor = is_constant(arg[0]) ? 0 : 1;
        add(to, c * jni_constant(to->k, arg[factor]), arg[1 - factor]);
    } else if (e->op == JN_X_DIV && is_constant(arg[1])) {
        add(to, c / jni_constant(to->k, arg[1]), arg[0]);
    } else {
        add_one(to, c, e);
    }
}

/* What follows the model is not known beforehand. */
static void add_source(summands *to, double c, int element)
{
    const jn_expr *input = to->k->g->element[element].input;
    if (jni_reads_model(to->k, input))
        to->is_known = false;
    else
        add(to, c, input);
}

static bool vanishes(model *k, int n, const int *source, const double *factor)
{
    summands gap = {.k = k, .is_known = true};
    for (int i = 0; i < n; i++)
        add_source(&gap, factor[i], source[i]);
    bool agree = gap.is_known;
    for (int i = 0; i < gap.n; i++)
        agree = agree && jn_sim_sources_agree(gap.item[i].sum, gap.item[i].size);
    free(gap.item);
    return agree;
}

bool jn_sim_inputs_agree(const jn_graph *g, int n, const int *source, const double *factor)
{
    model m = {.g = g};
    bool agree = vanishes(&m, n, source, factor);
    free(m.number);
    return agree;
}

bool jn_sim_sources_agree(double gap, double size)
{
    return fabs(gap) <= NOISE_OF_CONFLICT * size;
}

/* One that was given another value may have any. */
static bool is_given(jn_sim *s, int element)
{
    double value;
    return jni_generator_fixed(&value, s->gen, s->model.g->element[element].number);
}

static bool is_met(jn_sim *s, const jn_reason *r)
{
    int n = r->nterms + 1, *source = jn_alloc((size_t)n * sizeof *source);
    double *factor = jni_doubles(n);
    bool is_own = true;
    source[0] = r->source;
    factor[0] = 1;
    for (int t = 0; t < r->nterms; t++) {
        source[t + 1] = r->term[t].source;
        factor[t + 1] = -jni_number_of(&s->model, r->term[t].coefficient);
    }
    for (int i = 0; i < n; i++)
        is_own = is_own && !is_given(s, source[i]);
    bool agree = is_own && vanishes(&s->model, n, source, factor);
    free(source);
    free(factor);
    return agree;
}

bool jni_sources_agree(const mode *m, jn_sim *s)
{
    for (int i = 0; i < m->solved->nreasons; i++)
        if (!is_met(s, &m->solved->reason[i]))
            return false;
    return true;
}
