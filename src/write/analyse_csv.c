/* analyse_csv.c: the analysis as rows of comma-separated values.
 *
 * One mode: mode, quantity, row, column, value. Across modes: quantity, of, count, guard. */
#include <stdio.h>

#include "analyse_internal.h"

/* ---- one mode ------------------------------------------------------------------------------ */

typedef struct {
    jn_listing *l;
    const jn_analysis *a;
    const jn_onoff *m;
} writer;

/* mode,quantity,row,column, */
static void begin_row(const writer *w, const char *quantity, const char *row, const char *col)
{
    jni_listing_mode(&w->l->out, w->l, w->m);
    jn_str_addf(&w->l->out, ",%s,", quantity);
    jn_csv_field(&w->l->out, row);
    jn_str_addc(&w->l->out, ',');
    jn_csv_field(&w->l->out, col);
    jn_str_addc(&w->l->out, ',');
}

static void put_word(const writer *w, const char *quantity, const char *value)
{
    begin_row(w, quantity, "", "");
    jn_csv_field(&w->l->out, value);
    jn_str_addc(&w->l->out, '\n');
}

static void put_int(const writer *w, const char *quantity, int value)
{
    begin_row(w, quantity, "", "");
    jn_str_addf(&w->l->out, "%d\n", value);
}

static const char *storage_name(const writer *w, const int *state, int i)
{
    const jn_graph *g = w->a->graph;
    return g->element[g->storage[state ? state[i] : i]].name;
}

static const char *source_name(const writer *w, int i)
{
    return w->a->graph->element[w->a->graph->source[i]].name;
}

static void put_value(const writer *w, const char *quantity, const char *row, const char *col,
                      jn_ratfun v)
{
    if (jn_ratfun_is_zero(v))
        return;
    begin_row(w, quantity, row, col);
    jni_print_value(&w->l->out, w->a, v);
    jn_str_addc(&w->l->out, '\n');
}

static void put_poly(const writer *w, const char *quantity, const jn_poly *p)
{
    char power[16];
    for (int i = 0; i <= p->degree; i++) {
        snprintf(power, sizeof power, "s^%d", i);
        put_value(w, quantity, power, "", p->c[i]);
    }
}

static void put_roots(const writer *w, const char *quantity, const char *row, const char *col,
                      const jn_pole *p, int n)
{
    for (int i = 0; i < n; i++) {
        begin_row(w, quantity, row, col);
        jni_print_double(&w->l->out, p[i].re);
        if (p[i].im != 0) {
            jn_str_add(&w->l->out, p[i].im > 0 ? "+" : "");
            jni_print_double(&w->l->out, p[i].im);
            jn_str_addc(&w->l->out, 'i');
        }
        jn_str_addc(&w->l->out, '\n');
    }
}

static void put_combinations(const writer *w, const char *quantity, const jn_reachability *r)
{
    for (int i = 0; i < r->ncombinations; i++) {
        begin_row(w, quantity, "", "");
        jni_print_combination(&w->l->out, w->a, &r->combination[i]);
        jn_str_addc(&w->l->out, '\n');
    }
}

static void put_dependent(const writer *w, const jn_mode_analysis *r)
{
    for (int i = 0; i < r->equation.n; i++) {
        jn_combination c;
        if (!jn_mode_dependence(&c, r, w->a, i))
            continue;
        begin_row(w, "dependent", storage_name(w, NULL, i), "");
        jni_print_combination(&w->l->out, w->a, &c);
        jn_str_addc(&w->l->out, '\n');
        jn_combination_clear(&c);
    }
}

static void put_matrices(const writer *w, const jn_dynamics *d)
{
    for (int i = 0; i < d->order; i++) {
        for (int j = 0; j < d->order; j++)
            put_value(w, "M", storage_name(w, d->state, i), storage_name(w, d->state, j),
                      jn_dense_get(&d->J, i, j));
        for (int k = 0; k <= d->index; k++)
            for (int j = 0; j < d->N[k].ncols; j++)
                put_value(w, k ? k == 1 ? "N_1" : "N_k" : "N", storage_name(w, d->state, i),
                          source_name(w, j), jn_dense_get(&d->N[k], i, j));
    }
    for (int i = 0; i < d->jump.nrows; i++)
        for (int j = 0; j < d->jump.ncols; j++)
            put_value(w, "jump", storage_name(w, NULL, i), storage_name(w, NULL, j),
                      jn_dense_get(&d->jump, i, j));
}

static void put_outputs(const writer *w, const jn_mode_analysis *r)
{
    const jn_dynamics *d = jn_mode_dynamics(r);
    int nu = d->Bz.ncols;
    for (int e = 0; d->transfer_known && e < d->C.nrows * nu; e++) {
        const char *output = w->a->graph->output[r->output[e / nu]].name;
        const char *input = source_name(w, e % nu);
        put_value(w, "transfer", output, input, d->transfer[e]);
        if (d->gain[e].id >= 0)
            put_value(w, "gain", output, input, d->gain[e]);
        if (r->valued.transfer_known)
            put_roots(w, "zero", output, input, r->zero[e], r->nzeros[e]);
    }
}

static void put_impulses(const writer *w, const jn_impulses *p)
{
    for (int i = 0; i < p->n; i++) {
        begin_row(w, "impulse", w->a->graph->bond[p->impulse[i].bond].name,
                  p->impulse[i].effort ? "e" : "f");
        jni_print_combination(&w->l->out, w->a, &p->impulse[i].area);
        jn_str_addc(&w->l->out, '\n');
    }
}

static void mode(jn_listing *l, const jn_analysis *a, const jn_onoff *m, const jn_mode_analysis *r)
{
    const writer w = {l, a, m};
    const jn_dynamics *d = jn_mode_dynamics(r);
    if (l->written++ == 0)
        jn_str_add(&l->out, "mode,quantity,row,column,value\n");
    put_word(&w, "status", jn_mode_status_name(r->equation.status));
    if (r->equation.reason)
        put_word(&w, "reason", r->equation.reason);
    if (!d->regular)
        return;
    put_int(&w, "order", d->order);
    put_int(&w, "index", d->index);
    if (r->valued.regular && (r->valued.order != d->order || r->valued.index != d->index)) {
        put_int(&w, "order at the values", r->valued.order);
        put_int(&w, "index at the values", r->valued.index);
    }
    put_poly(&w, "charpoly", &d->charpoly);
    put_roots(&w, "pole", "", "", r->pole, r->npoles);
    put_word(&w, "stable", jni_answer_word(r->stable));
    put_word(&w, "controllable", jni_answer_word(d->control.exact));
    put_word(&w, "controllable by causal paths", jni_answer_word(r->control.holds));
    put_combinations(&w, "uncontrollable", &d->control);
    if (d->outputs) {
        put_word(&w, "observable", jni_answer_word(d->observe.exact));
        put_word(&w, "observable by causal paths", jni_answer_word(r->observe.holds));
        put_combinations(&w, "unobservable", &d->observe);
    }
    put_dependent(&w, r);
    put_matrices(&w, d);
    put_impulses(&w, &r->impulses);
    for (int i = 0; i < r->nopen; i++)
        put_word(&w, "output left open", a->graph->output[r->open[i]].name);
    put_outputs(&w, r);
    put_poly(&w, "zeros", r->generic.zeros_known ? &r->generic.zeros : &r->valued.zeros);
    put_roots(&w, "invariant zero", "", "", r->invariant, r->ninvariant);
}

/* ---- across modes, and between two --------------------------------------------------------- */

enum { FORMULA_NODES = 300 };

static void put_guard(jn_listing *l, const jn_across *c, const char *quantity, const char *of,
                      jn_guard g)
{
    jn_guards *guards = c->analysis->implicit->junction->ring.guards;
    jn_str_addf(&l->out, "%s,", quantity);
    jn_csv_field(&l->out, of);
    jn_str_addc(&l->out, ',');
    jn_write_count(&l->out, guards, g);
    jn_str_addc(&l->out, ',');
    if (jn_guard_nodes(guards, g) <= FORMULA_NODES)
        jni_listing_guard(&l->out, l, g);
    jn_str_addc(&l->out, '\n');
}

static void put_lets(jn_listing *l)
{
    for (int i = 0; i < jn_formulas_lets(l->formulas); i++) {
        jn_str_addf(&l->out, "let,_%d,,", i + 1);
        jn_formula_print(&l->out, jn_formulas_let(l->formulas, i),
                         jn_graph_switch_names(jni_listing_graph(l)), JN_FORMULA_TEXT);
        jn_str_addc(&l->out, '\n');
    }
}

static void put_classes(jn_listing *l, const char *quantity, const jn_classes *k)
{
    char *count = k->known ? fmpz_get_str(NULL, 10, k->count) : NULL;
    jn_str_addf(&l->out, "%s,,%s,\n", quantity, count ? count : "");
    flint_free(count);
}

static void across(jn_listing *l, const jn_across *c)
{
    const jn_graph *g = c->analysis->graph;
    char order[16];
    jn_str_add(&l->out, "quantity,of,count,guard\n");
    put_guard(l, c, "forbidden", "", l->junction->forbidden);
    for (int k = 0; k < c->norders; k++) {
        snprintf(order, sizeof order, "%d", c->min_order + k);
        put_guard(l, c, "order", order, c->modes[k]);
    }
    for (int i = 0; i < g->nstorages; i++) {
        put_guard(l, c, "dependent", g->element[g->storage[i]].name, c->dependent[i]);
        put_guard(l, c, "unreached", g->element[g->storage[i]].name, c->unreached[i]);
        if (c->outputs_known)
            put_guard(l, c, "unobserved", g->element[g->storage[i]].name, c->unobserved[i]);
    }
    put_guard(l, c, "some_unreached", "", c->some_unreached);
    if (c->outputs_known)
        put_guard(l, c, "some_unobserved", "", c->some_unobserved);
    if (c->stability_decided) {
        put_guard(l, c, "stable", "", c->stable);
        put_guard(l, c, "unstable", "", c->unstable);
    }
    put_classes(l, "different E A B", &c->equations);
    put_classes(l, "different E A", &c->dynamics);
    put_lets(l);
}

static void passage(jn_listing *l, const jn_analysis *a, const jn_onoff *from, const jn_onoff *to,
                    const jn_passage *t)
{
    jn_str_add(&l->out, "from,to,impulse free,condition\n");
    for (int i = 0; i < (t->nconditions ? t->nconditions : 1); i++) {
        jni_listing_mode(&l->out, l, from);
        jn_str_addc(&l->out, ',');
        jni_listing_mode(&l->out, l, to);
        jn_str_addf(&l->out, ",%s,",
                    t->known ? t->impulse_free ? "yes" : "where zero" : "not known");
        if (t->nconditions)
            jni_print_combination(&l->out, a, &t->condition[i]);
        jn_str_addc(&l->out, '\n');
    }
}

static void begin(jn_listing *l, const jn_analysis *a)
{
    (void)l;
    (void)a;
}

static void end(jn_listing *l)
{
    (void)l;
}

const jn_analysis_writer jni_analysis_csv = {begin, across, mode, passage, end};
