/* page_parts.c: parts that several pages have. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "write_internal.h"

/* ---- lines --------------------------------------------------------------------------------- */

jn_page *jni_listing_page(const jn_listing *l)
{
    const jn_graph *g = jni_listing_graph(l);
    return jn_page_new(g->field, jn_graph_param_names(g), jn_graph_switch_names(g));
}

void jni_page_title(jn_page *p, const jn_graph *g)
{
    jn_line *line = jn_page_heading(p, 1);
    jn_line_text(p, line, g->title ? "%s: %s" : "%s", g->name, g->title);
}

void jni_line_reason(jn_page *p, jn_line *line, const jn_graph *g, const jn_reason *r)
{
    jn_line_name(p, line, g->element[r->source].name);
    jn_line_math(p, line, " = ", " = ");
    for (int i = 0; i < r->nterms; i++)
        jn_line_term(p, line, r->term[i].coefficient,
                     (jn_symbol){.name = g->element[r->term[i].source].name}, i == 0);
    if (r->nterms == 0)
        jn_line_math(p, line, "0", "0");
}

enum { COUNT_DIGITS = 45 };

/* In full, unless it has very many digits. */
void jni_line_count(jn_page *p, jn_line *line, const jn_junction *j, jn_guard g)
{
    jn_str count;
    jn_str_init(&count);
    jn_write_count(&count, j->ring.guards, g);
    const char *s = jn_str_c(&count);
    if (count.len <= COUNT_DIGITS)
        jn_line_text(p, line, "%s", s);
    else
        jn_line_text(p, line, "%c.%.5s...e%zu", s[0], s + 1, count.len - 1);
    jn_str_clear(&count);
}

enum { NAMES_MAX = 30, NAMES_SHOWN = 20 };

void jni_line_names(jn_page *p, jn_line *line, const jn_graph *g, const int *element, int n)
{
    int shown = n > NAMES_MAX ? NAMES_SHOWN : n;
    for (int i = 0; i < shown; i++) {
        if (i)
            jn_line_text(p, line, ", ");
        jn_line_name(p, line, g->element[element[i]].name);
    }
    if (shown < n)
        jn_line_text(p, line, " and %d more", n - shown);
    if (n == 0)
        jn_line_text(p, line, "none");
}

void jni_line_counted(jn_page *p, jn_line *line, const jn_graph *g, const int *element, int n)
{
    if (n)
        jn_line_text(p, line, "%d: ", n);
    jni_line_names(p, line, g, element, n);
}

/* ---- rounded numbers ----------------------------------------------------------------------- */

/* 1.5e-05 as 1.5·10⁻⁵. */
static void add_latex_number(jn_str *out, int digits, double x)
{
    char text[64];
    jn_format(text, sizeof text, "%.*g", digits, x);
    const char *e = strchr(text, 'e');
    if (!e) {
        jn_str_add(out, text);
        return;
    }
    bool one = strncmp(text, "1e", 2) == 0;
    jn_str_addf(out, "%.*s%s10^{%ld}", one ? 0 : (int)(e - text), text, one ? "" : "\\cdot ",
                strtol(e + 1, NULL, 10));
}

void jni_line_number(jn_page *p, jn_line *line, int digits, double x)
{
    if (!isfinite(x)) {
        jn_line_text(p, line, "not finite");
        return;
    }
    jn_str latex;
    jn_str_init(&latex);
    add_latex_number(&latex, digits, x);
    jn_line_math(p, line, jn_arena_printf(p->arena, "%.*g", digits, x), latex.s);
    jn_str_clear(&latex);
}

void jni_line_complex(jn_page *p, jn_line *line, int digits, double re, double im, bool pair)
{
    if (im == 0) {
        jni_line_number(p, line, digits, re);
        return;
    }
    const char *sign = pair ? "+-" : im < 0 ? "-" : re != 0 ? "+" : "";
    jn_str latex;
    jn_str_init(&latex);
    if (re != 0)
        jni_line_number(p, line, digits, re);
    jn_str_add(&latex, pair ? "\\pm " : sign);
    add_latex_number(&latex, digits, fabs(im));
    jn_str_add(&latex, "\\,\\mathrm{i}");
    jn_line_math(p, line, jn_arena_printf(p->arena, "%s%.*gi", sign, digits, fabs(im)), latex.s);
    jn_str_clear(&latex);
}

/* ---- fields -------------------------------------------------------------------------------- */

jn_line *jni_table_field(jn_page *p, jn_table_item *t, const char *name)
{
    jn_line *row = jn_table_row(p, t);
    jn_line_text(p, &row[0], "%s", name);
    return &row[1];
}

static void add_reference(jn_page *p, jn_line *line, const jn_junction *j)
{
    jn_str mode;
    jn_str_init(&mode);
    jn_mode_print(&mode, j->graph, j->reference);
    if (j->graph->nswitches) {
        jn_str_add(&mode, " (");
        jn_write_onoff(&mode, j->graph, j->reference);
        jn_str_addc(&mode, ')');
    }
    jn_line_text(p, line, "%s", jn_str_c(&mode));
    jn_str_clear(&mode);
}

static void add_counts(jn_page *p, jn_line *line, const jn_junction *j)
{
    if (jn_guard_is_false(j->forbidden)) {
        jn_line_text(p, line, ", %s", j->graph->nswitches ? "all allowed" : "allowed");
        return;
    }
    jn_line_text(p, line, ": ");
    jni_line_count(p, line, j, j->allowed);
    jn_line_text(p, line, " allowed, ");
    jni_line_count(p, line, j, j->forbidden);
    jn_line_text(p, line, " forbidden");
}

void jni_page_add_modes(jn_page *p, jn_table_item *t, jn_listing *l)
{
    const jn_junction *j = l->junction;
    const jn_graph *g = j->graph;
    jn_line *line = jni_table_field(p, t, "switches");
    jni_line_counted(p, line, g, g->sw, g->nswitches);
    line = jni_table_field(p, t, "modes");
    jn_line_math(p, line, jn_arena_printf(p->arena, "2^%d", g->nswitches),
                 jn_arena_printf(p->arena, "2^{%d}", g->nswitches));
    if (j->single && g->nswitches) {
        jn_line_text(p, line, ", of which one was examined");
        return;
    }
    jn_line_text(p, line, " = ");
    jni_line_count(p, line, j, jn_guard_true());
    add_counts(p, line, j);
    if (!jn_guard_is_false(j->forbidden))
        jn_line_formula(p, jni_table_field(p, t, "forbidden"),
                        jn_formula_of(l->formulas, j->forbidden));
    if (!jn_guard_is_false(j->allowed) && g->nswitches)
        add_reference(p, jni_table_field(p, t, "reference"), j);
}
