/* report_properties.c: order, index, stability, controllability of the modes in two tables. */
#include <string.h>

#include "analyse_internal.h"
#include "report_internal.h"

enum { POLES_MAX = 8 };

typedef struct {
    jn_page *page;
    const jn_analysis *analysis;
    jn_table_item *answers, *polynomials;
    jn_mode_analysis mode;
} table;

/* Conjugate poles as one entry. */
static void add_poles(jn_page *p, jn_line *line, const jn_mode_analysis *r)
{
    int shown = 0;
    for (int i = 0; i < r->npoles && shown < POLES_MAX; i++) {
        const jn_pole *s = &r->pole[i];
        if (s->im < 0)
            continue;
        if (shown++)
            jn_line_text(p, line, ", ");
        jni_line_complex(p, line, 4, s->re, s->im, true);
    }
    if (shown == POLES_MAX && r->npoles > POLES_MAX)
        jn_line_text(p, line, ", ...");
}

enum { COEFFICIENT_MAX = 110, POLYNOMIAL_MAX = 600 }; /* characters */

/* A polynomial that can be read, with coefficients that fit on a line. */
static bool is_short(const jn_analysis *a, const jn_poly *q)
{
    size_t all = 0;
    bool fits = q->degree >= 0;
    jn_str text;
    jn_str_init(&text);
    for (int i = 0; i <= q->degree && fits; i++) {
        jn_str_reset(&text);
        if (jn_ratfun_terms(a->field, q->c[i]) <= COEFFICIENT_MAX) /* else not worth printing */
            jn_ratfun_print(&text, a->field, q->c[i], a->names, JN_RATFUN_TEXT);
        else
            fits = false;
        all += text.len;
        fits = fits && text.len <= COEFFICIENT_MAX && all <= POLYNOMIAL_MAX;
    }
    jn_str_clear(&text);
    return fits;
}

static const char *mode_name(jn_page *p, const jn_graph *g, const jn_onoff *m)
{
    jn_str text;
    jn_str_init(&text);
    if (g->nswitches > JN_REPORT_MODE_DIGITS)
        jn_str_add(&text, "as above");
    else if (g->nswitches > 0)
        jn_mode_print(&text, g, m);
    else
        jn_str_add(&text, "the only one");
    const char *name = jn_arena_strndup(p->arena, jn_str_c(&text), text.len);
    jn_str_clear(&text);
    return name;
}

static jn_table_item *begin_polynomials(jn_page *p)
{
    jn_line_text(p, jn_page_heading(p, 2), "Characteristic polynomials");
    jn_table_item *t = jn_page_table(p, 2, true);
    jn_line *row = jn_table_row(p, t);
    jn_line_text(p, &row[0], "mode");
    jni_report_marked(p, &row[1], "$\\det(sE - A)$, made monic");
    return t;
}

static bool add_mode(const jn_onoff *m, void *context)
{
    table *t = context;
    jn_page *p = t->page;
    jn_mode_analysis *r = &t->mode;
    jn_analyse_mode(r, t->analysis, m);
    const char *name = mode_name(p, t->analysis->graph, m);
    jn_line *row = jn_table_row(p, t->answers);
    jn_line_text(p, &row[0], "%s", name);
    if (r->equation.status != JN_MODE_OK) {
        jn_line_text(p, &row[1], "%s", jn_mode_status_name(r->equation.status));
        return true;
    }
    const jn_dynamics *d = jn_mode_dynamics(r);
    if (!d->known || !d->regular) {
        jn_line_text(p, &row[1], "not known");
        return true;
    }
    jn_line_text(p, &row[1], "%d", d->order);
    jn_line_text(p, &row[2], "%d", d->index);
    if (r->valued.regular && r->valued.order != d->order)
        jn_line_text(p, &row[1], " (%d at the values)", r->valued.order);
    if (r->valued.regular && r->valued.index != d->index)
        jn_line_text(p, &row[2], " (%d at the values)", r->valued.index);
    jn_line_text(p, &row[3], "%s", jni_answer_word(r->stable));
    jn_line_text(p, &row[4], "%s", jni_answer_word(d->control.exact));
    jn_line_text(p, &row[5], "%s", jni_answer_word(d->observe.exact));
    add_poles(p, &row[6], r);
    if (is_short(t->analysis, &d->charpoly)) {
        if (!t->polynomials)
            t->polynomials = begin_polynomials(p);
        row = jn_table_row(p, t->polynomials);
        jn_line_text(p, &row[0], "%s", name);
        jni_line_poly(p, &row[1], t->analysis, &d->charpoly);
    }
    return true;
}

static void explain(jn_page *p)
{
    jni_report_marked(p, jn_page_paragraph(p),
                      "Order: independent states. Index: of the pencil $(E, A)$, 0 where $E$ is "
                      "invertible. Stable: all finite poles have negative real part, at the values "
                      "given. Controllable from the inputs, observable at the outputs: generically "
                      "in the parameters where that could be decided.");
}

void jni_report_properties(jn_page *p, const jn_analysis *a, jn_guard modes)
{
    static const char *const head[] = {"mode",         "order",      "index", "stable",
                                       "controllable", "observable", "poles"};
    table t = {.page = p, .analysis = a};
    jni_report_section(p, "Properties of the modes");
    explain(p);
    t.answers = jni_report_table(p, 7, head);
    jn_mode_analysis_init(&t.mode);
    jn_guard_each_mode(a->implicit->junction->ring.guards, modes, add_mode, &t);
    jn_mode_analysis_clear(&t.mode);
}
