/* page_matrices.c: Λ, S, E, A, B over λ as a page, and those of one mode with its equations. */
#include <stdlib.h>

#include "write_internal.h"

/* ---- over λ -------------------------------------------------------------------------------- */

/* Which variable stands for a row or a column. */
typedef jn_symbol labeller(const jn_graph *g, jn_variable v);

static jn_symbol label_state(const jn_graph *g, jn_variable v)
{
    return jn_symbol_state(g, v, false);
}

static jn_symbol label_derivative(const jn_graph *g, jn_variable v)
{
    return jn_symbol_state(g, v, true);
}

/* A row of the implicit equation is called after its element. */
static jn_symbol label_equation(const jn_graph *g, jn_variable v)
{
    return (jn_symbol){.pseudo = v.form == JN_PSEUDO, .name = g->element[v.element].name};
}

typedef struct {
    const jn_variable *v;
    int n;
    labeller *label;
} axis;

static void add_matrix(jn_page *p, jn_listing *l, const char *name, const jn_matrix *m, axis rows,
                       axis cols)
{
    const jn_graph *g = jni_listing_graph(l);
    jn_matrix_item *item = jn_page_matrix(p, rows.n, cols.n);
    jn_line_math(p, &item->label, name, name);
    for (int i = 0; i < rows.n; i++) {
        jn_line_symbol(p, &item->row_label[i], rows.label(g, rows.v[i]));
        item->rule_above[i] = i > 0 && !jni_same_block(rows.v[i - 1], rows.v[i]);
        for (int k = 0; k < m->row[i].n; k++) {
            const jn_entry *e = &m->row[i].e[k];
            jn_line_cases(p, jn_matrix_cell(p, item, i, e->col), &e->value, l->formulas);
        }
    }
    for (int j = 0; j < cols.n; j++) {
        jn_line_symbol(p, &item->col_label[j], cols.label(g, cols.v[j]));
        item->rule_before[j] = j > 0 && !jni_same_block(cols.v[j - 1], cols.v[j]);
    }
}

enum { VECTOR_MAX = 40 }; /* longer ones are not spelled out */

/* y = (ṗ_L1, …), for matrices without labels. */
static void add_vector(jn_page *p, const jn_graph *g, const char *name, axis a)
{
    if (a.n > VECTOR_MAX)
        return;
    jn_line *line = jn_page_remark(p, JN_FOR_LATEX);
    jn_line_math(p, line, name, name);
    jn_line_math(p, line, " = (", " = (");
    for (int i = 0; i < a.n; i++) {
        if (i)
            jn_line_text(p, line, ", ");
        jn_line_symbol(p, line, a.label(g, a.v[i]));
    }
    jn_line_math(p, line, ")", ")");
}

void jni_page_add_structure(jn_page *p, jn_listing *l)
{
    const jn_junction *j = l->junction;
    axis rows = {j->row, j->nrows, jn_symbol_output}, cols = {j->col, j->ncols, jn_symbol_input};
    jn_line_text(p, jn_page_heading(p, 2), "Junction structure");
    jn_line *line = jn_page_paragraph(p);
    jn_line_math(p, line, "Λ(λ) y = S(λ) z", "\\Lambda(\\lambda)\\, y = S(\\lambda)\\, z");
    add_vector(p, j->graph, "y", rows);
    add_vector(p, j->graph, "z", cols);
    line = jn_page_paragraph(p);
    jn_line_math(p, line, "Λ", "\\Lambda");
    jn_line_text(p, line, ", diagonal:");
    jn_table_item *t = jn_page_table(p, 2, false);
    for (int i = 0; i < j->nrows; i++) {
        jn_line *row = jn_table_row(p, t);
        jn_line_symbol(p, &row[0], jn_symbol_output(j->graph, j->row[i]));
        jn_line_formula(p, &row[1], jn_formula_of(l->formulas, j->Lambda[i]));
    }
    add_matrix(p, l, "S", &j->S, rows, cols);
}

void jni_page_add_equation(jn_page *p, jn_listing *l)
{
    const jn_implicit *f = l->implicit;
    const jn_graph *g = jni_listing_graph(l);
    jn_variable *inputs = jn_arena_alloc(p->arena, (size_t)f->ninputs * sizeof *inputs);
    for (int i = 0; i < f->ninputs; i++)
        inputs[i] = (jn_variable){g->source[i], JN_INPUT};
    axis rows = {f->x, f->n, label_equation}, x = {f->x, f->n, label_state};
    axis derivative = {f->x, f->n, label_derivative}, u = {inputs, f->ninputs, jn_symbol_input};
    jn_line_text(p, jn_page_heading(p, 2), "Implicit equation");
    jn_line *line = jn_page_paragraph(p);
    jn_line_math(p, line, "E(λ) ẋ = A(λ) x + B(λ) u",
                 "E(\\lambda)\\,\\dot{x} = A(\\lambda)\\,x + B(\\lambda)\\,u");
    jni_page_feedback(p, g);
    add_vector(p, g, "x", x);
    add_vector(p, g, "u", u);
    add_matrix(p, l, "E", &f->E, rows, derivative);
    add_matrix(p, l, "A", &f->A, rows, x);
    add_matrix(p, l, "B", &f->B, rows, u);
}

/* In which modes all this says nothing. */
void jni_page_add_exceptions(jn_page *p, jn_listing *l)
{
    const jn_junction *j = l->junction;
    const jn_implicit *f = l->implicit;
    for (int i = 0; i < j->nreasons; i++) {
        jn_line *line = jn_page_paragraph(p);
        jn_line_text(p, line, "Forbidden where ");
        jn_line_formula(p, line, jn_formula_of(l->formulas, j->reason[i].guard));
        jn_line_text(p, line, ": that needs ");
        jni_line_reason(p, line, j->graph, &j->reason[i]);
        jn_line_text(p, line, ".");
    }
    for (int i = 0; i < f->nsingular; i++) {
        jn_line *line = jn_page_paragraph(p);
        jn_line_text(p, line, "Singular where ");
        jn_line_formula(p, line, jn_formula_of(l->formulas, f->singular_at[i].guard));
        const jn_element *x = &j->graph->element[f->singular_at[i].element];
        jn_line_text(p, line,
                     jn_kind_is_source(x->kind) ? ": the feedback through "
                                                : ": a loop of resistors with ");
        jn_line_name(p, line, x->name);
        jn_line_text(p, line, " has no unique solution.");
    }
}

static jn_page *build_page(jn_listing *l)
{
    jn_page *p = jni_listing_page(l);
    jni_page_title(p, jni_listing_graph(l));
    jn_line_text(p, jn_page_remark(p, JN_FOR_TEXT),
                 "[g] is 1 in the modes where g holds and 0 in the others; a dot is 0; (d) marks "
                 "derivative causality.");
    jni_page_add_structure(p, l);
    jni_page_add_equation(p, l);
    jni_page_add_exceptions(p, l);
    jn_page_lets(p, l->formulas);
    return p;
}

/* ---- one mode ------------------------------------------------------------------------------ */

static void add_values(jn_page *p, const jn_listing *l, const char *name, const jn_ratfun *value,
                       axis rows, axis cols)
{
    const jn_graph *g = jni_listing_graph(l);
    jn_matrix_item *item = jn_page_matrix(p, rows.n, cols.n);
    jn_line_math(p, &item->label, name, name);
    for (int i = 0; i < rows.n; i++) {
        jn_line_symbol(p, &item->row_label[i], rows.label(g, rows.v[i]));
        for (int j = 0; j < cols.n; j++)
            if (!jn_ratfun_is_zero(value[i * cols.n + j]))
                jn_line_value(p, jn_matrix_cell(p, item, i, j), value[i * cols.n + j]);
    }
    for (int j = 0; j < cols.n; j++)
        jn_line_symbol(p, &item->col_label[j], cols.label(g, cols.v[j]));
}

/* Σ value·symbol; returns whether anything was added. */
static bool add_sum(jn_page *p, jn_line *line, const jn_graph *g, const jn_ratfun *value, axis a,
                    bool first)
{
    for (int j = 0; j < a.n; j++)
        if (!jn_ratfun_is_zero(value[j])) {
            jn_line_term(p, line, value[j], a.label(g, a.v[j]), first);
            first = false;
        }
    return !first;
}

static void add_equations(jn_page *p, const jn_listing *l, axis derivative, axis x, axis u)
{
    const jn_mode *m = &l->mode;
    const jn_graph *g = jni_listing_graph(l);
    jn_line_text(p, jn_page_heading(p, 2), "Equations");
    jn_table_item *t = jn_page_table(p, 1, false);
    for (int i = 0; i < m->n; i++) {
        jn_line *line = jn_table_row(p, t);
        if (!add_sum(p, line, g, m->E + i * x.n, derivative, true))
            jn_line_math(p, line, "0", "0");
        jn_line_math(p, line, " = ", " = ");
        bool some = add_sum(p, line, g, m->A + i * x.n, x, true);
        if (!add_sum(p, line, g, m->B + i * u.n, u, !some))
            jn_line_math(p, line, "0", "0");
    }
}

/* The elements of one causality, if there are any. */
static void add_causality(jn_page *p, jn_table_item *t, const jn_graph *g, const char *word,
                          const int *element, const bool *yes, int n, bool wanted)
{
    int count = 0;
    int *found = jn_alloc((size_t)n * sizeof *found);
    for (int i = 0; i < n; i++)
        if (yes[i] == wanted)
            found[count++] = element[i];
    if (count) {
        jn_line *row = jn_table_row(p, t);
        jn_line_text(p, &row[0], "%s", word);
        jni_line_names(p, &row[1], g, found, count);
    }
    free(found);
}

static void add_mode_head(jn_page *p, const jn_listing *l, const jn_onoff *m)
{
    const jn_graph *g = jni_listing_graph(l);
    jn_str text;
    jn_str_init(&text);
    jn_str_add(&text, "mode ");
    jni_listing_mode(&text, l, m);
    if (g->nswitches) {
        jn_str_add(&text, " (");
        jn_write_onoff(&text, g, m);
        jn_str_addc(&text, ')');
    }
    jn_line_text(p, jn_page_heading(p, 1), "%s: %s", g->name, jn_str_c(&text));
    jn_str_clear(&text);
}

static void add_mode_equation(jn_page *p, const jn_listing *l)
{
    const jn_graph *g = jni_listing_graph(l);
    const jn_mode *mode = &l->mode;
    jn_variable *states = jn_arena_alloc(p->arena, (size_t)mode->n * sizeof *states);
    jn_variable *inputs = jn_arena_alloc(p->arena, (size_t)mode->ninputs * sizeof *inputs);
    for (int i = 0; i < mode->n; i++)
        states[i] = (jn_variable){g->storage[i], JN_STATE};
    for (int i = 0; i < mode->ninputs; i++)
        inputs[i] = (jn_variable){g->source[i], JN_INPUT};
    axis rows = {states, mode->n, label_equation}, x = {states, mode->n, label_state};
    axis derivative = {states, mode->n, label_derivative};
    axis u = {inputs, mode->ninputs, jn_symbol_input};

    jn_line *line = jn_page_paragraph(p);
    jn_line_math(p, line, "E ẋ = A x + B u", "E\\,\\dot{x} = A\\,x + B\\,u");
    jni_page_feedback(p, g);
    add_vector(p, g, "x", x);
    add_vector(p, g, "u", u);
    add_values(p, l, "E", mode->E, rows, derivative);
    add_values(p, l, "A", mode->A, rows, x);
    add_values(p, l, "B", mode->B, rows, u);
    if (mode->n > 0)
        add_equations(p, l, derivative, x, u);
}

void jni_page_add_mode(jn_page *p, jn_listing *l, const jn_onoff *m)
{
    const jn_graph *g = jni_listing_graph(l);
    const jn_mode *mode = &l->mode;
    jn_implicit_mode(&l->mode, l->implicit, m);
    if (mode->status == JN_MODE_FORBIDDEN) {
        jn_line *line = jn_page_paragraph(p);
        jn_line_text(p, line, "Forbidden: the sources would have to satisfy ");
        jni_line_reason(p, line, g, jn_junction_reason(l->junction, m));
        jn_line_text(p, line, ".");
        return;
    }
    jn_table_item *t = jn_page_table(p, 2, false);
    add_causality(p, t, g, "integral", g->storage, mode->integral, g->nstorages, true);
    add_causality(p, t, g, "derivative", g->storage, mode->integral, g->nstorages, false);
    add_causality(p, t, g, "resistance", g->resistor, mode->resistance, g->nresistors, true);
    add_causality(p, t, g, "conductance", g->resistor, mode->resistance, g->nresistors, false);
    if (mode->status == JN_MODE_SINGULAR)
        jn_line_text(p, jn_page_paragraph(p), "Singular: %s.", mode->reason ? mode->reason : "");
    else
        add_mode_equation(p, l);
}

static jn_page *build_mode_page(jn_listing *l, const jn_onoff *m)
{
    jn_page *p = jni_listing_page(l);
    add_mode_head(p, l, m);
    jni_page_add_mode(p, l, m);
    return p;
}

/* ---- the writers --------------------------------------------------------------------------- */

static jn_page *begin_page(jn_listing *l)
{
    return l->by_mode ? NULL : build_page(l);
}

static void begin_text(jn_listing *l)
{
    jn_page *p = begin_page(l);
    if (p)
        jn_page_text(&l->out, p, l->width);
    jn_page_free(p);
}

static void begin_latex(jn_listing *l)
{
    jn_page *p = begin_page(l);
    if (p)
        jn_page_latex(&l->out, p);
    jn_page_free(p);
}

static void mode_text(jn_listing *l, const jn_onoff *m)
{
    jn_page *p = build_mode_page(l, m);
    jn_str_add(&l->out, l->written++ ? "\n" : "");
    jn_page_text(&l->out, p, l->width);
    jn_page_free(p);
}

static void mode_latex(jn_listing *l, const jn_onoff *m)
{
    jn_page *p = build_mode_page(l, m);
    jn_page_latex(&l->out, p);
    jn_page_free(p);
}

static void end(jn_listing *l)
{
    (void)l;
}

const jn_writer jni_matrices_text = {begin_text, mode_text, end};
const jn_writer jni_matrices_latex = {begin_latex, mode_latex, end};
