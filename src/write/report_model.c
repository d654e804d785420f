/* report_model.c: what a model consists of: elements, parameters, switches. */
#include <string.h>

#include "report_internal.h"
#include "write_internal.h"

void jni_report_summary(jn_page *p, jn_listing *l)
{
    jn_table_item *t = jn_page_table(p, 2, false);
    jni_page_add_graph(p, t, jni_listing_graph(l));
    jni_page_add_modes(p, t, l);
}

jn_table_item *jni_report_table(jn_page *p, int n, const char *const *head)
{
    jn_table_item *t = jn_page_table(p, n, true);
    jn_line *row = jn_table_row(p, t);
    for (int i = 0; i < n; i++)
        jn_line_text(p, &row[i], "%s", head[i]);
    return t;
}

static void add_expr(jn_page *p, jn_line *line, const jn_graph *g, const char *before,
                     const jn_expr *e)
{
    jn_str text;
    jn_str_init(&text);
    jn_expr_print(&text, g, e);
    jn_line_text(p, line, "%s%s", before, jn_str_c(&text));
    jn_str_clear(&text);
}

/* ---- elements ------------------------------------------------------------------------------ */

/* The value as it was written; of a port see add_field. */
static const jn_expr *given_value(const jn_graph *g, int element)
{
    for (int i = 0; i < g->nparams; i++)
        if (g->param[i].element == element)
            return g->param[i].given;
    return NULL;
}

/* The unit that its domain gives a plain value. */
static void add_unit(jn_page *p, jn_line *line, const jn_graph *g, int element)
{
    const jn_element *e = &g->element[element];
    const jn_expr *written = jn_kind_is_source(e->kind) ? e->input : e->given;
    const char *unit = jn_graph_value_unit(g, element);
    if (unit && written && !e->modulated && !jn_graph_carries_unit(g, written))
        jn_line_text(p, line, " %s", unit);
}

static void add_value(jn_page *p, jn_line *line, const jn_graph *g, int element)
{
    const jn_element *e = &g->element[element];
    const jn_expr *given = given_value(g, element);
    if (e->law)
        add_expr(p, line, g, jn_arena_printf(p->arena, "%c = ", e->law_of), e->law);
    else if (e->modulation)
        add_expr(p, line, g, "", e->modulation);
    else if (jn_kind_is_source(e->kind)) {
        if (e->input)
            add_expr(p, line, g, "", e->input);
    } else if (given)
        add_expr(p, line, g, "", given);
    else
        jn_line_value(p, line, e->value);
}

static void add_remarks(jn_page *p, jn_line *line, const jn_graph *g, const jn_element *e)
{
    const char *separator = "";
    if (e->initial) {
        bool state = e->initial_is_state;
        const char *what =
            e->kind == JN_I ? (state ? "p0 = " : "f0 = ") : (state ? "q0 = " : "e0 = ");
        add_expr(p, line, g, what, e->initial);
        separator = ", ";
    }
    if (e->priority) {
        jn_line_text(p, line, "%spriority %d", separator, e->priority);
        separator = ", ";
    }
    if (e->detachable)
        jn_line_text(p, line, "%sdetachable", separator);
}

static const char *kind_meaning(jn_kind k)
{
    switch (k) {
    case JN_SE:
        return "effort source";
    case JN_SF:
        return "flow source";
    case JN_I:
        return "inertia";
    case JN_C:
        return "compliance";
    case JN_R:
        return "resistor";
    case JN_TF:
        return "transformer";
    case JN_GY:
        return "gyrator";
    default:
        return "";
    }
}

/* Junctions have no values: they are in the drawing. */
static bool has_value(jn_kind k)
{
    return jn_kind_is_port(k) || k == JN_TF || k == JN_GY;
}

/* One row: "M(a, b)", its matrix. */
static void add_field(jn_page *p, jn_table_item *t, const jn_graph *g, const jn_multiport *f)
{
    jn_line *row = jn_table_row(p, t);
    jn_str matrix;
    jn_str_init(&matrix);
    jn_graph_print_matrix(&matrix, g, f);
    jn_line_name(p, &row[0], f->name);
    jn_line_text(p, &row[1], "%s, %s, %d ports", jn_kind_name(f->kind), kind_meaning(f->kind),
                 f->nports);
    jn_line_text(p, &row[2], "%s", jn_str_c(&matrix));
    for (int i = 0; i < f->nports; i++) {
        const jn_element *e = &g->element[f->element[i]];
        jn_line_text(p, &row[3], i ? "; " : "");
        jn_line_name(p, &row[3], e->name);
        jn_line_text(p, &row[3], e->initial || e->priority ? ": " : "");
        add_remarks(p, &row[3], g, e);
    }
    jn_str_clear(&matrix);
}

static void add_elements(jn_page *p, const jn_graph *g)
{
    static const char *const head[] = {"element", "kind", "value", ""};
    jn_line_text(p, jn_page_heading(p, 1), "Elements");
    jn_table_item *t = jni_report_table(p, 4, head);
    for (int i = 0; i < g->nelements; i++) {
        const jn_element *e = &g->element[i];
        if (e->multiport && e->port == 0)
            add_field(p, t, g, e->multiport);
        if (!has_value(e->kind) || e->multiport)
            continue;
        jn_line *row = jn_table_row(p, t);
        jn_line_name(p, &row[0], e->name);
        jn_line_text(p, &row[1], "%s, %s", jn_kind_name(e->kind), kind_meaning(e->kind));
        add_value(p, &row[2], g, i);
        add_unit(p, &row[2], g, i);
        add_remarks(p, &row[3], g, e);
    }
}

static void add_parameters(jn_page *p, const jn_graph *g)
{
    static const char *const head[] = {"parameter", "value"};
    jn_table_item *t = NULL;
    for (int i = 0; i < g->nparams; i++) {
        if (g->param[i].element >= 0)
            continue;
        if (!t) {
            jn_line_text(p, jn_page_heading(p, 1), "Parameters");
            t = jni_report_table(p, 2, head);
        }
        jn_line *row = jn_table_row(p, t);
        jn_line_name(p, &row[0], g->param[i].name);
        if (g->param[i].given)
            add_expr(p, &row[1], g, "", g->param[i].given);
    }
}

static void add_discretes(jn_page *p, const jn_graph *g)
{
    static const char *const head[] = {"discrete variable", "at first"};
    if (g->ndiscretes == 0)
        return;
    jn_line_text(p, jn_page_heading(p, 1), "Discrete variables");
    jn_table_item *t = jni_report_table(p, 2, head);
    for (int i = 0; i < g->ndiscretes; i++) {
        jn_line *row = jn_table_row(p, t);
        jn_line_name(p, &row[0], g->discrete[i].name);
        add_expr(p, &row[1], g, "", g->discrete[i].initial);
    }
}

/* ---- switches ------------------------------------------------------------------------------ */

static void add_pwm(jn_page *p, jn_line *line, const jn_graph *g, const jn_automaton *a)
{
    add_expr(p, line, g, "pwm(", a->pwm_period);
    add_expr(p, line, g, ", ", a->pwm_duty);
    if (a->pwm_phase)
        add_expr(p, line, g, ", ", a->pwm_phase);
    jn_line_text(p, line, ")");
}

static void add_sets(jn_page *p, jn_line *line, const jn_graph *g, const jn_transition *t)
{
    for (int i = 0; i < t->nsets; i++) {
        jn_line_text(p, line, i ? ", " : ", setting ");
        jn_line_name(p, line, g->discrete[t->set[i].discrete].name);
        add_expr(p, line, g, " = ", t->set[i].value);
    }
}

static void add_automaton(jn_page *p, jn_line *line, const jn_graph *g, const jn_automaton *a)
{
    const jn_state *initial = &a->state[a->initial];
    jn_line_text(p, line, "%s first", initial->name);
    for (int i = 0; i < a->ntransitions; i++) {
        const jn_transition *t = &a->transition[i];
        const char *to = a->state[t->to].name;
        if (a->nstates > 2)
            jn_line_text(p, line, "; from %s to %s", a->state[t->from].name, to);
        else
            jn_line_text(p, line, "; %s", to);
        add_expr(p, line, g, " when ", t->when);
        add_sets(p, line, g, t);
    }
    for (int i = 0; i < a->ntimes; i++) {
        jn_line_text(p, line, "; %s", a->state[a->timed[i].to].name);
        add_expr(p, line, g, " at ", a->timed[i].at);
    }
}

static void add_switches(jn_page *p, const jn_graph *g)
{
    static const char *const head[] = {"switch", "junction", "law"};
    if (g->nswitches == 0)
        return;
    jn_line_text(p, jn_page_heading(p, 1), "Switches");
    jn_table_item *t = jni_report_table(p, 3, head);
    for (int s = 0; s < g->nswitches; s++) {
        const jn_element *e = &g->element[g->sw[s]];
        const jn_automaton *a = &g->automaton[s];
        jn_line *row = jn_table_row(p, t);
        jn_line_name(p, &row[0], e->name);
        jn_line_text(p, &row[1], "%s", jn_kind_name(e->kind));
        if (a->pwm_period)
            add_pwm(p, &row[2], g, a);
        else if (a->given)
            add_automaton(p, &row[2], g, a);
        else
            jn_line_text(p, &row[2], "always on");
    }
}

void jni_report_elements(jn_page *p, const jn_graph *g)
{
    add_elements(p, g);
    add_parameters(p, g);
    add_discretes(p, g);
    add_switches(p, g);
}

void jni_report_set_values(jn_page *p, const jn_report *r)
{
    jn_line *line = jn_page_paragraph(p);
    jn_line_text(p, line, "Values of this report that differ from the model file: ");
    for (int i = 0; i < r->nset; i++) {
        int name = (int)strcspn(r->set[i], "=");
        const char *value = r->set[i] + name + (r->set[i][name] == '=');
        jn_line_text(p, line, "%s%.*s = %s", i ? ", " : "", name, r->set[i], value);
    }
    jn_line_text(p, line, ".");
}

/* ---- the blocks of S ----------------------------------------------------------------------- */

static int block_of(jn_form f)
{
    switch (f) {
    case JN_STATE:
        return 0;
    case JN_PSEUDO:
        return 1;
    case JN_INPUT:
        return 3;
    default:
        return 2;
    }
}

static const char **name_blocks(jn_page *p, const jn_variable *v, int n, const char *const *name)
{
    const char **block = jn_arena_alloc(p->arena, (size_t)n * sizeof *block);
    for (int i = 0; i < n; i++)
        if (i == 0 || block_of(v[i].form) != block_of(v[i - 1].form))
            block[i] = name[block_of(v[i].form)];
    return block;
}

void jni_report_blocks(jn_page *p, const jn_junction *j)
{
    static const char *const rows[] = {"1\\colon \\dot X_i", "2\\colon Z_d", "3\\colon D_{out}",
                                       ""};
    static const char *const cols[] = {"1\\colon Z_i", "2\\colon \\dot X_d", "3\\colon D_{in}",
                                       "4\\colon U"};
    jn_matrix_item *m = &p->last->matrix;
    m->row_block = name_blocks(p, j->row, j->nrows, rows);
    m->col_block = name_blocks(p, j->col, j->ncols, cols);
    jni_report_marked(
        p, jn_page_paragraph(p),
        "The blocks $S_{11} \\ldots S_{34}$ of $S$: rows of states (1), pseudo-states "
        "(2) and resistors (3), columns of these and of the inputs (4). It is "
        "skew-symmetric on the first three, and $S_{22}, S_{23}, S_{32}$ vanish.");
}
