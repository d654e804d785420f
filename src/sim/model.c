/* model.c: the numbers of a model, and what it integrates. */
#include "limits.h"
#include "model.h"

#include <stdlib.h>
#include <string.h>

#include "pieces.h"
#include "value.h"

double jni_number_of(model *m, jn_ratfun a)
{
    if (a.id >= m->nnumbers) {
        int n = 2 * a.id + 64;
        m->number = jn_realloc(m->number, (size_t)n * sizeof *m->number);
        for (int i = m->nnumbers; i < n; i++)
            m->number[i] = NAN;
        m->nnumbers = n;
    }
    if (isnan(m->number[a.id]))
        m->number[a.id] = jn_ratfun_get_d(m->g->field, a);
    return m->number[a.id];
}

/* ---- values -------------------------------------------------------------------------------- */

double jni_number_in(model *m, int element, const jn_onoff *onoff)
{
    const jn_element *x = &m->g->element[element];
    jn_ratfun r;
    if (!x->multiport)
        return jni_tangent(&(moment){.model = m, .onoff = onoff}, x->modulation).v;
    r = jn_graph_value_in(m->g, jn_graph_between(m->g, element, element), onoff);
    if (jn_ratfun_put(&r, m->g->field, r, m->g->param_value, m->g->nparams) != JN_OK)
        return NAN;
    return jni_number_of(m, r);
}

bool jni_has_choice(const model *m, int element)
{
    const jn_element *x = &m->g->element[element];
    if (x->multiport)
        return jn_graph_between(m->g, element, element).ncases > 0;
    return x->modulated && jni_is_switched(m, x->modulation);
}

/* Where switches choose it: as it is with all of them OFF, to tell how large things are. */
static jn_status element_number(double *out, model *m, int element, jn_diags *d)
{
    jn_ratfun r;
    jn_status s = jn_graph_number(&r, m->g, element);
    if (s == JN_OK)
        *out = jni_number_of(m, r);
    if (s == JN_OK && jni_has_choice(m, element)) {
        jn_onoff *off = jn_alloc((size_t)m->g->nswitches);
        *out = jni_number_in(m, element, off);
        free(off);
    }
    return jn_graph_report_number(s, m->g, element, d);
}

static jn_status read_values(model *m, jn_diags *d)
{
    jn_status st = JN_OK;
    m->storage = jn_alloc((size_t)m->nx * sizeof *m->storage);
    m->resistor = jn_alloc((size_t)m->nr * sizeof *m->resistor);
    for (int i = 0; i < m->nx && st == JN_OK; i++) {
        st = element_number(&m->storage[i], m, m->g->storage[i], d);
        m->has_active |= m->storage[i] < 0;
    }
    for (int i = 0; i < m->nr && st == JN_OK; i++) {
        st = element_number(&m->resistor[i], m, m->g->resistor[i], d);
        m->has_active |= m->resistor[i] < 0;
    }
    return st;
}

/* How the statement begins that would give a value: "C c", "param k". */
static const char *statement_of(const jn_graph *g, int element, const char *name)
{
    if (strchr(name, '.')) /* of a submodel, or an entry of a field */
        return name;
    const char *kind = element < 0 ? "param" : jn_kind_name(g->element[element].kind);
    return jn_arena_printf(g->arena, "%s %s", kind, name);
}

/* Every value that the run needs is a number. */
static jn_status check_values(const jn_graph *g, jn_diags *d)
{
    int before = jn_diags_errors(d);
    for (int i = 0; i < g->nparams; i++) {
        const jn_param *p = &g->param[i];
        bool has_law = p->element >= 0 &&
                       (g->element[p->element].modulated || g->element[p->element].nonlinear);
        if (p->value.id < 0 && p->used && !has_law)
            jn_diag_add(d, JN_D_VALUE_MISSING, p->place, p->name,
                        statement_of(g, p->element, p->name));
    }
    for (int i = 0; i < g->nsources; i++) {
        const jn_element *x = &g->element[g->source[i]];
        if (!x->input)
            jn_diag_add(d, JN_D_VALUE_MISSING, x->place, x->name,
                        statement_of(g, g->source[i], x->name));
    }
    return jn_diags_errors(d) > before ? JN_INVALID : JN_OK;
}

double jni_constant(model *m, const jn_expr *e)
{
    moment at = {.model = m};
    return jni_tangent(&at, e).v;
}

double jn_sim_constant(const jn_graph *g, const jn_expr *e)
{
    model m = {.g = g};
    double value = jni_constant(&m, e);
    free(m.number);
    return value;
}

/* ---- integrals ----------------------------------------------------------------------------- */

/* Finds the int(…) nodes of an expression: their integrands and starts. */
static void read_integrals(model *m, const jn_expr *e)
{
    if (!e)
        return;
    if (e->op == JN_X_INT && !m->integral[e->index].of) {
        m->integral[e->index].of = e->arg[0];
        m->integral[e->index].start = jni_constant(m, e->arg[1]);
    }
    for (int i = 0; i < e->nargs; i++)
        read_integrals(m, e->arg[i]);
}

static void read_automaton(model *m, const jn_automaton *a)
{
    read_integrals(m, a->pwm_duty);
    for (int k = 0; k < a->ntransitions; k++) {
        const jn_transition *t = &a->transition[k];
        read_integrals(m, t->when);
        for (int l = 0; l < t->nsets; l++)
            read_integrals(m, t->set[l].value);
    }
}

/* A source that was given another value may have been the only one to read an integral: nothing is
 * integrated there. */
static void fill_integrals(model *m)
{
    static const jn_expr pi = {.op = JN_X_PI, .size = 1, .depth = 1};
    static const jn_expr *both[] = {&pi, &pi};
    static const jn_expr zero = {.op = JN_X_SUB, .nargs = 2, .arg = both, .size = 3, .depth = 2};
    for (int i = 0; i < m->ns; i++)
        if (!m->integral[i].of)
            m->integral[i].of = &zero;
}

static void all_integrals(model *m)
{
    const jn_graph *g = m->g;
    m->integral = jn_alloc((size_t)m->ns * sizeof *m->integral);
    for (int i = 0; i < g->nsignals; i++)
        read_integrals(m, g->signal[i].expr);
    for (int i = 0; i < g->noutputs; i++)
        read_integrals(m, g->output[i].expr);
    for (int i = 0; i < g->nelements; i++) {
        read_integrals(m, g->element[i].input);
        read_integrals(m, g->element[i].modulation);
        read_integrals(m, g->element[i].law);
    }
    for (int i = 0; i < g->nswitches; i++)
        read_automaton(m, &g->automaton[i]);
    for (int i = 0; i < g->nasserts; i++)
        read_integrals(m, g->assertion[i].condition);
    for (int i = 0; i < g->nbounds; i++)
        read_integrals(m, g->bound[i].x);
    fill_integrals(m);
}

/* What is held between events is no part of a linear integrand: it would have to be put in anew at
 * every event. */
static void linear_integrands(model *m)
{
    for (int i = 0; i < m->ns; i++) {
        linear_form *f = &m->integral[i].form;
        m->integral[i].is_linear = jni_form_of(f, m, m->integral[i].of) &&
                                   !(f->n && f->term[f->n - 1].obs >= jni_obs_count(m));
    }
}

/* ---- roots and powers ---------------------------------------------------------------------- */

static void find_steep(model *m, const jn_expr *e)
{
    if (!e)
        return;
    if (e->op == JN_X_SIGNAL)
        find_steep(m, m->g->signal[e->index].expr);
    if (e->op == JN_X_SQRT || e->op == JN_X_POW) {
        if (jni_place_of(&m->steep.at, e) >= 0)
            return;
        jni_place_put(&m->steep.at, e, m->steep.n);
        JN_GROW(m->steep.item, m->steep.n, m->steep.cap);
        m->steep.item[m->steep.n++] = (struct steep){e, STEEP_LEAST};
    }
    for (int i = 0; i < e->nargs && e->op != JN_X_INT; i++)
        find_steep(m, e->arg[i]);
}

static void all_steep(model *m)
{
    for (int i = 0; i < m->g->nelements; i++) {
        find_steep(m, m->g->element[i].input);
        find_steep(m, m->g->element[i].modulation);
        find_steep(m, m->g->element[i].law);
    }
    for (int i = 0; i < m->ns; i++)
        find_steep(m, m->integral[i].of);
}

/* ---- life ---------------------------------------------------------------------------------- */

jn_status jni_model_init(model *m, const jn_graph *g, const char *folder, table_data *tables,
                         jn_diags *d)
{
    *m = (model){.g = g,
                 .folder = folder,
                 .table = tables,
                 .arena = jn_arena_new(),
                 .nx = g->nstorages,
                 .nu = g->nsources,
                 .nr = g->nresistors,
                 .ns = g->nintegrals,
                 .nd = g->ndiscretes};
    jn_status st = check_values(g, d);
    if (st == JN_OK)
        st = read_values(m, d);
    if (st == JN_OK && !tables)
        st = jni_tables_read(m, d);
    if (st == JN_OK) {
        all_integrals(m);
        jni_common_find(m);
        all_steep(m);
        jni_briefs_find(m);
        jni_flat_find(m);
        jni_pieces_find(m);
        m->early = jn_alloc((size_t)m->nr);
        jni_steps_find(m);
        linear_integrands(m);
        m->is_passive = jni_is_passive(m);
    }
    return st;
}

void jni_model_clear(model *m)
{
    for (int i = 0; i < m->ns && m->integral; i++)
        jni_form_clear(&m->integral[i].form);
    free(m->integral);
    free(m->storage);
    free(m->resistor);
    free(m->table);
    free(m->number);
    free(m->steep.item);
    jni_places_clear(&m->steep.at);
    free(m->brief.item);
    free(m->is_flat);
    free(m->faint);
    free(m->is_steep);
    jni_pieces_clear(m);
    free(m->early);
    free(m->common);
    free(m->steps.item);
    jni_places_clear(&m->steps.at);
    jni_sums_clear(m);
    jn_arena_free(m->arena);
}
