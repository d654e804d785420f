/* write.c: what the writers have in common.
 *
 * Text and LaTeX are two walks over one page tree (page.h), built once from the results by
 * page_modes.c, page_matrices.c and page_summary.c. JSON, CSV and Octave are for programs and
 * come straight from the results. */
#include <stdlib.h>
#include <string.h>

#include "write_internal.h"

const jn_writer *jn_writer_find(jn_write_what what, const char *form)
{
    static const struct {
        jn_write_what what;
        const char *form;
        const jn_writer *writer;
    } table[] = {
        {JN_WRITE_MODES, "text", &jni_modes_text},
        {JN_WRITE_MODES, "latex", &jni_modes_latex},
        {JN_WRITE_MODES, "json", &jni_modes_json},
        {JN_WRITE_MODES, "csv", &jni_modes_csv},
        {JN_WRITE_MATRICES, "text", &jni_matrices_text},
        {JN_WRITE_MATRICES, "latex", &jni_matrices_latex},
        {JN_WRITE_MATRICES, "json", &jni_matrices_json},
        {JN_WRITE_MATRICES, "csv", &jni_matrices_csv},
        {JN_WRITE_MATRICES, "octave", &jni_matrices_octave},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].what == what && strcmp(table[i].form, form) == 0)
            return table[i].writer;
    return NULL;
}

/* ---- a listing ----------------------------------------------------------------------------- */

/* As it stands in Λ: the forbidden modes are settled there. */
static jn_guard shown_guard(const jn_junction *j, int element, jn_guard computed)
{
    for (int i = 0; i < j->nrows; i++)
        if (j->row[i].element == element &&
            (j->row[i].form == JN_STATE || j->row[i].form == JN_FLOW_IN))
            return j->Lambda[i];
    return computed;
}

static jn_causality causality_of(const jn_junction *j, int element)
{
    const jn_element *e = &j->graph->element[element];
    bool storage = jn_kind_is_storage(e->kind);
    jn_guard computed = storage ? j->integral[e->number] : j->resistance[e->number];
    jn_causality c = {
        .element = element,
        .yes = storage ? "integral" : "resistance",
        .no = storage ? "derivative" : "conductance",
        .is_static = jn_junction_is_static(j, element),
        .usual = jn_guard_at(j->ring.guards, computed, j->reference),
    };
    if (c.is_static)
        c.guard = c.usual ? jn_guard_true() : jn_guard_false();
    else
        c.guard = shown_guard(j, element, computed);
    return c;
}

static void find_causality(jn_listing *l)
{
    const jn_graph *g = l->junction->graph;
    size_t most = (size_t)g->nstorages + (size_t)g->nresistors;
    l->passive = jn_alloc(most * sizeof *l->passive);
    l->dynamic = jn_alloc(most * sizeof *l->dynamic);
    for (int e = 0; e < g->nelements; e++)
        if (jn_kind_is_storage(g->element[e].kind) || g->element[e].kind == JN_R)
            l->passive[l->npassive++] = causality_of(l->junction, e);
    for (int i = 0; i < l->npassive; i++)
        if (!l->passive[i].is_static)
            l->dynamic[l->ndynamic++] = &l->passive[i];
}

void jn_listing_init(jn_listing *l, const jn_junction *j, const jn_implicit *f)
{
    *l = (jn_listing){.junction = j, .implicit = f, .width = 100};
    jn_str_init(&l->out);
    jn_mode_init(&l->mode);
    l->formulas = jn_formulas_new(j->ring.guards);
    find_causality(l);
}

void jn_listing_clear(jn_listing *l)
{
    jn_str_clear(&l->out);
    jn_mode_clear(&l->mode);
    jn_formulas_free(l->formulas);
    jn_page_free(l->page);
    free(l->dynamic);
    free(l->passive);
}

const jn_graph *jni_listing_graph(const jn_listing *l)
{
    return l->junction->graph;
}

void jni_listing_formula(jn_str *out, const jn_listing *l, const jn_formula *f)
{
    jn_formula_print(out, f, jn_graph_switch_names(jni_listing_graph(l)), JN_FORMULA_TEXT);
}

void jni_listing_guard(jn_str *out, jn_listing *l, jn_guard g)
{
    jni_listing_formula(out, l, jn_formula_of(l->formulas, g));
}

void jni_listing_value(jn_str *out, const jn_listing *l, jn_ratfun v)
{
    const jn_graph *g = jni_listing_graph(l);
    jn_ratfun_print(out, g->field, v, jn_graph_param_names(g), JN_RATFUN_TEXT);
}

void jni_listing_mode(jn_str *out, const jn_listing *l, const jn_onoff *m)
{
    jn_mode_print(out, jni_listing_graph(l), m);
}

const jn_formula *jni_causality_formula(jn_listing *l, const jn_causality *c)
{
    if (l->assume_allowed)
        return jn_formula_of_care(l->formulas, c->guard, l->junction->allowed);
    return jn_formula_of(l->formulas, c->guard);
}

const char *jni_causality_in(const jn_listing *l, const jn_causality *c, const jn_onoff *m)
{
    return jn_guard_at(l->junction->ring.guards, c->guard, m) ? c->yes : c->no;
}

/* ---- variables ----------------------------------------------------------------------------- */

jn_symbol jn_symbol_state(const jn_graph *g, jn_variable v, bool dot)
{
    const jn_element *e = &g->element[v.element];
    return (jn_symbol){.letter = e->kind == JN_I ? 'p' : 'q',
                       .dot = dot,
                       .pseudo = v.form == JN_PSEUDO,
                       .name = e->name};
}

/* The conjugate of the state's derivative: f of an I, e of a C. */
static jn_symbol symbol_conjugate(const jn_graph *g, jn_variable v)
{
    const jn_element *e = &g->element[v.element];
    return (jn_symbol){
        .letter = e->kind == JN_I ? 'f' : 'e', .pseudo = v.form == JN_PSEUDO, .name = e->name};
}

jn_symbol jn_symbol_output(const jn_graph *g, jn_variable v)
{
    const char *name = g->element[v.element].name;
    switch (v.form) {
    case JN_STATE:
        return jn_symbol_state(g, v, true);
    case JN_PSEUDO:
        return symbol_conjugate(g, v);
    case JN_FLOW_IN:
        return (jn_symbol){.letter = 'f', .name = name};
    case JN_EFFORT_IN:
        return (jn_symbol){.letter = 'e', .name = name};
    default:
        return (jn_symbol){.name = name};
    }
}

jn_symbol jn_symbol_input(const jn_graph *g, jn_variable v)
{
    const char *name = g->element[v.element].name;
    switch (v.form) {
    case JN_STATE:
        return symbol_conjugate(g, v);
    case JN_PSEUDO:
        return jn_symbol_state(g, v, true);
    case JN_FLOW_IN:
        return (jn_symbol){.letter = 'e', .name = name};
    case JN_EFFORT_IN:
        return (jn_symbol){.letter = 'f', .name = name};
    default:
        return (jn_symbol){.name = name};
    }
}

bool jni_same_block(jn_variable a, jn_variable b)
{
    bool resistors = (a.form == JN_FLOW_IN || a.form == JN_EFFORT_IN) &&
                     (b.form == JN_FLOW_IN || b.form == JN_EFFORT_IN);
    return resistors || a.form == b.form;
}

/* ---- counts and modes ---------------------------------------------------------------------- */

void jn_write_count(jn_str *out, jn_guards *g, jn_guard a)
{
    fmpz_t count;
    fmpz_init(count);
    jn_guard_count(count, g, a);
    char *s = fmpz_get_str(NULL, 10, count);
    jn_str_add(out, s);
    flint_free(s);
    fmpz_clear(count);
}

enum { SPELLED_SWITCHES = 8 };

void jn_write_onoff(jn_str *out, const jn_graph *g, const jn_onoff *m)
{
    int on = 0;
    for (int s = 0; s < g->nswitches; s++)
        on += m[s];
    if (g->nswitches > SPELLED_SWITCHES) {
        jn_str_addf(out, "%d of %d switches on", on, g->nswitches);
        return;
    }
    for (int s = 0; s < g->nswitches; s++)
        jn_str_addf(out, "%s%s %s", s ? ", " : "", g->element[g->sw[s]].name, m[s] ? "on" : "off");
}
