/* analyse_across.c: what all modes have in common, and passages between two, as pages; and the
 * writers of text and LaTeX. */
#include <stdlib.h>

#include "analyse_internal.h"

/* ---- across modes -------------------------------------------------------------------------- */

/* A formula is shown when it is short enough to say something: by its diagram, then by its
 * length; where there are many rows, only short ones. */
enum { NODES_MAX = 300, LITERALS_MAX = 60, LITERALS_MANY = 40, MANY_ROWS = 12 };

static bool is_short(const jn_across *c, jn_guard g, int rows)
{
    jn_guards *guards = c->analysis->implicit->junction->ring.guards;
    if (jn_guard_nodes(guards, g) > NODES_MAX)
        return false;
    jn_formulas *f = jn_formulas_new(guards);
    int length = jn_formula_literals(jn_formula_of_care(f, g, c->good));
    bool shown =
        jn_formulas_lets(f) == 0 && length <= (rows > MANY_ROWS ? LITERALS_MANY : LITERALS_MAX);
    jn_formulas_free(f);
    return shown;
}

/* Count, then the formula. rows: how many the table has. */
static void add_guard(jn_page *p, jn_line *row, jn_listing *l, const jn_across *c, jn_guard g,
                      int rows)
{
    jn_guards *guards = c->analysis->implicit->junction->ring.guards;
    jni_line_count(p, &row[1], c->analysis->implicit->junction, g);
    if (jn_guard_is_false(g))
        jn_line_text(p, &row[2], "none");
    else if (jn_guard_implies(guards, c->good, g))
        jn_line_text(p, &row[2], "all");
    else if (is_short(c, g, rows))
        jn_line_formula(p, &row[2], jn_formula_of_care(l->formulas, g, c->good));
    else
        jn_line_text(p, &row[2], "(a long formula)");
}

static jn_table_item *begin_table(jn_page *p, const char *heading, const char *first)
{
    jn_line_text(p, jn_page_heading(p, 2), "%s", heading);
    jn_table_item *t = jn_page_table(p, 3, true);
    jn_line *row = jn_table_row(p, t);
    jn_line_text(p, &row[0], "%s", first);
    jn_line_text(p, &row[1], "modes");
    jn_line_text(p, &row[2], "where, among the allowed modes");
    return t;
}

static void add_orders(jn_page *p, jn_listing *l, const jn_across *c)
{
    if (!c->orders_known && c->analysis->implicit->binds)
        jn_line_text(
            p, jn_page_paragraph(p),
            "Through the feedback the order does not follow from causality: ask for it mode "
            "by mode.");
    if (!c->orders_known)
        return;
    jn_table_item *t = begin_table(p, "Order", "independent states");
    for (int k = 0; k < c->norders; k++) {
        jn_line *row = jn_table_row(p, t);
        jn_line_text(p, &row[0], "%d", c->min_order + k);
        add_guard(p, row, l, c, c->modes[k], c->norders);
    }
}

/* A row per storage for which the guard is not false. */
static void add_storages(jn_page *p, jn_listing *l, const jn_across *c, const char *heading,
                         const jn_guard *guard)
{
    const jn_graph *g = c->analysis->graph;
    jn_table_item *t = NULL;
    for (int i = 0; i < g->nstorages; i++) {
        if (jn_guard_is_false(guard[i]))
            continue;
        if (!t)
            t = begin_table(p, heading, "storage");
        jn_line *row = jn_table_row(p, t);
        jn_line_name(p, &row[0], g->element[g->storage[i]].name);
        add_guard(p, row, l, c, guard[i], g->nstorages);
    }
}

static void add_properties(jn_page *p, jn_listing *l, const jn_across *c)
{
    jn_guards *g = c->analysis->implicit->junction->ring.guards;
    jn_table_item *t = begin_table(p, "Properties", "");
    jn_line *row = jn_table_row(p, t);
    jn_line_text(p, &row[0], "state no source reaches");
    add_guard(p, row, l, c, c->some_unreached, 1);
    if (c->outputs_known) {
        row = jn_table_row(p, t);
        jn_line_text(p, &row[0], "state no output reads");
        add_guard(p, row, l, c, c->some_unobserved, 1);
    }
    if (c->stability_decided) {
        const struct {
            const char *name;
            jn_guard guard;
        } rows[] = {
            {"stable", c->stable},
            {"not stable", c->unstable},
            {"- pole at zero", c->pole_at_zero},
            {"- lossless part", c->lossless},
            {"stability open",
             jn_guard_minus(g, jn_guard_minus(g, c->good, c->stable), c->unstable)},
        };
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            row = jn_table_row(p, t);
            jn_line_text(p, &row[0], "%s", rows[i].name);
            add_guard(p, row, l, c, rows[i].guard, 1);
        }
        jn_line_text(p, jn_page_paragraph(p), "Stability is decided for all positive I, C and R.");
    } else {
        jn_line_text(p, jn_page_paragraph(p), "Stability is not decided for all modes at once: %s.",
                     jn_graph_has_feedback(c->analysis->graph)
                         ? "a source reads the model"
                         : "an element is negative, modulated or non-linear");
    }
}

/* ---- equal equations ----------------------------------------------------------------------- */

enum { CLASS_ROWS = 64 };

static void print_number_as_mode(jn_str *out, const jn_graph *g, int number)
{
    for (int s = g->nswitches - 1; s >= 0; s--)
        jn_str_addc(out, (number >> s) & 1 ? '1' : '0');
}

static void add_class_count(jn_page *p, jn_line *line, const jn_classes *k, const char *of)
{
    char *count = k->known ? fmpz_get_str(NULL, 10, k->count) : NULL;
    jn_line_text(p, line, "%s different %s", count ? count : "Very many", of);
    flint_free(count);
}

/* The modes of a class of dynamics in a row: 001 = 010, 100 when the last has another B. */
static void add_class(jn_page *p, jn_table_item *t, const jn_across *c, int k)
{
    const jn_classes *d = &c->dynamics, *q = &c->equations;
    bool *done = jn_alloc((size_t)d->nlisted * sizeof *done);
    jn_str text;
    jn_str_init(&text);
    for (int m = 0; m < d->nlisted; m++) {
        if (d->of[m] != k || done[m])
            continue;
        jn_str_add(&text, text.len ? ", " : "");
        for (int same = m; same < d->nlisted; same++) {
            if (q->of[same] != q->of[m])
                continue;
            jn_str_add(&text, same > m ? " = " : "");
            print_number_as_mode(&text, c->analysis->graph, same);
            done[same] = true;
        }
    }
    jn_line_text(p, jn_table_row(p, t), "%s", jn_str_c(&text));
    jn_str_clear(&text);
    free(done);
}

static void add_classes(jn_page *p, const jn_across *c)
{
    jn_line_text(p, jn_page_heading(p, 2), "Different equations");
    jn_line *line = jn_page_paragraph(p);
    add_class_count(p, line, &c->equations, "(E, A, B), ");
    add_class_count(p, line, &c->dynamics, "(E, A).");
    int n = c->dynamics.nlisted ? (int)fmpz_get_si(c->dynamics.count) : 0;
    if (c->dynamics.nlisted < 2 || n > CLASS_ROWS || c->dynamics.nlisted > JN_MODE_GRAPH_MAX)
        return;
    jn_line_text(p, jn_page_paragraph(p),
                 "Modes with the same E and A; = where B is the same too:");
    jn_table_item *t = jn_page_table(p, 1, false);
    for (int k = 0; k < n; k++)
        add_class(p, t, c, k);
}

/* ---- sanity -------------------------------------------------------------------------------- */

static void add_switch_set(jn_page *p, jn_line *line, const jn_graph *g, const int *sw, int n)
{
    for (int k = 0; k < n; k++) {
        jn_line_text(p, line, "%s", k == 0 ? "" : k + 1 < n ? ", " : " and ");
        jn_line_name(p, line, g->element[g->sw[sw[k]]].name);
    }
}

static void add_alone(jn_page *p, jn_table_item *t, const jn_graph *g, const bool *is_alone,
                      const int *element, int n)
{
    for (int i = 0; i < n; i++)
        if (is_alone[i])
            jn_line_text(p, jn_table_row(p, t), "no mode connects %s to anything",
                         g->element[element[i]].name);
}

static void add_sanity(jn_page *p, const jn_across *c)
{
    const jn_graph *g = c->analysis->graph;
    jn_line_text(p, jn_page_heading(p, 2), "Switches and connections");
    jn_table_item *t = jn_page_table(p, 1, false);
    for (int i = 0; i < c->ncomplementary; i++) {
        const int pair[] = {c->complementary[i].first, c->complementary[i].second};
        jn_line *line = jn_table_row(p, t);
        add_switch_set(p, line, g, pair, 2);
        jn_line_text(p, line, " are complementary: one is on exactly when the other is off");
    }
    for (int i = 0; i < c->nexclusive; i++) {
        const jn_exclusive *x = &c->exclusive[i];
        jn_line *line = jn_table_row(p, t);
        add_switch_set(p, line, g, x->sw, x->n);
        if (x->n == 2)
            jn_line_text(p, line, x->on ? " are never both on" : " are never both off");
        else
            jn_line_text(p, line, x->on ? ": never two of them on" : ": never two of them off");
    }
    for (int s = 0; s < g->nswitches; s++) {
        if (c->always[s] < 0 && !c->idle[s])
            continue;
        jn_line *line = jn_table_row(p, t);
        jn_line_name(p, line, g->element[g->sw[s]].name);
        jn_line_text(p, line,
                     c->idle[s]     ? " never matters"
                     : c->always[s] ? " must always be on"
                                    : " must always be off");
    }
    add_alone(p, t, g, c->storage_alone, g->storage, g->nstorages);
    add_alone(p, t, g, c->source_alone, g->source, g->nsources);
    if (t->nrows == 0)
        jn_line_text(p, jn_table_row(p, t), "nothing to remark");
}

void jni_page_across(jn_page *p, jn_listing *l, const jn_across *c)
{
    jni_page_title(p, c->analysis->graph);
    jni_page_add_modes(p, jn_page_table(p, 2, false), l);
    jni_page_feedback(p, c->analysis->graph);
    add_orders(p, l, c);
    add_storages(p, l, c, "Dependent storages", c->dependent);
    add_storages(p, l, c, "States without a causal path from a source", c->unreached);
    if (c->outputs_known)
        add_storages(p, l, c, "States without a causal path to an output", c->unobserved);
    add_properties(p, l, c);
    add_classes(p, c);
    add_sanity(p, c);
    jn_page_lets(p, l->formulas);
}

/* ---- from one mode to another -------------------------------------------------------------- */

void jni_page_passage(jn_page *p, const jn_listing *l, const jn_analysis *a, const jn_onoff *from,
                      const jn_onoff *to, const jn_passage *t)
{
    const char *steady = t->steady ? ", if the inputs do not change just then," : "";
    jn_str text;
    jn_str_init(&text);
    jni_listing_mode(&text, l, from);
    jn_str_add(&text, " to ");
    jni_listing_mode(&text, l, to);
    jn_line_text(p, jn_page_heading(p, 1), "%s: from mode %s", a->graph->name, jn_str_c(&text));
    jn_str_clear(&text);
    if (t->from != JN_MODE_OK || t->to != JN_MODE_OK)
        jn_line_text(p, jn_page_paragraph(p), "The mode %s is %s.",
                     t->from != JN_MODE_OK ? "before" : "after",
                     jn_mode_status_name(t->from != JN_MODE_OK ? t->from : t->to));
    else if (!t->known)
        jn_line_text(p, jn_page_paragraph(p), "Not known: %s.", t->why);
    else if (t->impulse_free)
        jn_line_text(p, jn_page_paragraph(p), "Free of impulses%s from every state.", steady);
    else {
        jn_line_text(p, jn_page_paragraph(p), "Free of impulses%s only where", steady);
        jn_table_item *table = jn_page_table(p, 1, false);
        for (int i = 0; i < t->nconditions; i++) {
            jn_line *line = jn_table_row(p, table);
            jni_line_combination(p, line, a, &t->condition[i]);
            jn_line_math(p, line, " = 0", " = 0");
        }
    }
}

/* ---- the writers --------------------------------------------------------------------------- */

static void as_text(jn_listing *l, jn_page *p)
{
    jn_str_add(&l->out, l->written++ ? "\n" : "");
    jn_page_text(&l->out, p, l->width);
    jn_page_free(p);
}

static void as_latex(jn_listing *l, jn_page *p)
{
    l->written++;
    jn_page_latex(&l->out, p);
    jn_page_free(p);
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

static jn_page *across_page(jn_listing *l, const jn_across *c)
{
    jn_page *p = jni_analysis_page(l, c->analysis);
    jni_page_across(p, l, c);
    return p;
}

static jn_page *mode_page(const jn_listing *l, const jn_analysis *a, const jn_onoff *m,
                          const jn_mode_analysis *r)
{
    jn_page *p = jni_analysis_page(l, a);
    jni_page_mode_analysis(p, l, a, m, r);
    return p;
}

static jn_page *passage_page(const jn_listing *l, const jn_analysis *a, const jn_onoff *from,
                             const jn_onoff *to, const jn_passage *t)
{
    jn_page *p = jni_analysis_page(l, a);
    jni_page_passage(p, l, a, from, to, t);
    return p;
}

static void across_text(jn_listing *l, const jn_across *c)
{
    as_text(l, across_page(l, c));
}

static void across_latex(jn_listing *l, const jn_across *c)
{
    as_latex(l, across_page(l, c));
}

static void mode_text(jn_listing *l, const jn_analysis *a, const jn_onoff *m,
                      const jn_mode_analysis *r)
{
    as_text(l, mode_page(l, a, m, r));
}

static void mode_latex(jn_listing *l, const jn_analysis *a, const jn_onoff *m,
                       const jn_mode_analysis *r)
{
    as_latex(l, mode_page(l, a, m, r));
}

static void passage_text(jn_listing *l, const jn_analysis *a, const jn_onoff *from,
                         const jn_onoff *to, const jn_passage *t)
{
    as_text(l, passage_page(l, a, from, to, t));
}

static void passage_latex(jn_listing *l, const jn_analysis *a, const jn_onoff *from,
                          const jn_onoff *to, const jn_passage *t)
{
    as_latex(l, passage_page(l, a, from, to, t));
}

const jn_analysis_writer jni_analysis_text = {begin, across_text, mode_text, passage_text, end};
const jn_analysis_writer jni_analysis_latex = {begin, across_latex, mode_latex, passage_latex, end};
