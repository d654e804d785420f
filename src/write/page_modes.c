/* page_modes.c: forbidden modes, causality and truth tables as a page; a row per mode. */
#include <stdlib.h>
#include <string.h>

#include "write_internal.h"

void jni_page_add_reasons(jn_page *p, jn_listing *l)
{
    const jn_junction *j = l->junction;
    if (j->nreasons == 0)
        return;
    jn_line_text(p, jn_page_heading(p, 2), "Why modes are forbidden");
    jn_table_item *t = jn_page_table(p, 3, true);
    jn_line *row = jn_table_row(p, t);
    jn_line_text(p, &row[0], "needs");
    jn_line_text(p, &row[1], "modes");
    jn_line_text(p, &row[2], "where");
    for (int i = 0; i < j->nreasons; i++) {
        row = jn_table_row(p, t);
        jni_line_reason(p, &row[0], j->graph, &j->reason[i]);
        jni_line_count(p, &row[1], j, j->reason[i].guard);
        jn_line_formula(p, &row[2], jn_formula_of(l->formulas, j->reason[i].guard));
    }
}

/* ---- causality ----------------------------------------------------------------------------- */

static const char *const words[] = {"integral", "derivative", "resistance", "conductance"};
enum { NWORDS = sizeof words / sizeof words[0] };

/* The elements with the same causality in all modes, by that causality. */
static void add_static(jn_page *p, const jn_listing *l)
{
    const jn_graph *g = jni_listing_graph(l);
    int *element = jn_alloc((size_t)l->npassive * sizeof *element);
    jn_table_item *t = NULL;
    for (int w = 0; w < NWORDS; w++) {
        int n = 0;
        for (int i = 0; i < l->npassive; i++) {
            const jn_causality *c = &l->passive[i];
            if (c->is_static && strcmp(c->usual ? c->yes : c->no, words[w]) == 0)
                element[n++] = c->element;
        }
        if (n == 0)
            continue;
        if (!t) {
            jn_line_text(p, jn_page_heading(p, 2), "Static causality");
            t = jn_page_table(p, 2, false);
        }
        jni_line_names(p, jni_table_field(p, t, words[w]), g, element, n);
    }
    free(element);
}

static void add_dynamic(jn_page *p, jn_listing *l)
{
    const jn_graph *g = jni_listing_graph(l);
    if (l->ndynamic == 0)
        return;
    jn_line_text(p, jn_page_heading(p, 2), "Dynamic causality");
    jn_table_item *t = jn_page_table(p, 3, true);
    jn_line *row = jn_table_row(p, t);
    jn_line_text(p, &row[0], "element");
    jn_line_text(p, &row[1], "causality");
    jn_line_text(p, &row[2], "where");
    for (int i = 0; i < l->ndynamic; i++) {
        const jn_causality *c = l->dynamic[i];
        row = jn_table_row(p, t);
        jn_line_name(p, &row[0], g->element[c->element].name);
        jn_line_text(p, &row[1], "%s, else %s", c->yes, c->no);
        jn_line_formula(p, &row[2], jni_causality_formula(l, c));
    }
}

/* ---- truth tables -------------------------------------------------------------------------- */

enum { TABLE_SWITCHES = 6 };

/* One table for all elements whose causality depends on the same switches. */
typedef struct {
    jn_page *page;
    jn_listing *l;
    jn_table_item *t;
    int nswitches;
    int sw[TABLE_SWITCHES];
    int nelements;
    const jn_causality **c;
    char digits[TABLE_SWITCHES];
} truth;

static void add_truth_head(truth *t)
{
    const jn_graph *g = jni_listing_graph(t->l);
    t->t = jn_page_table(t->page, t->nswitches + t->nelements, true);
    jn_line *row = jn_table_row(t->page, t->t);
    for (int s = 0; s < t->nswitches; s++)
        jn_line_name(t->page, &row[s], g->element[g->sw[t->sw[s]]].name);
    for (int i = 0; i < t->nelements; i++)
        jn_line_name(t->page, &row[t->nswitches + i], g->element[t->c[i]->element].name);
}

static bool is_constant(jn_guard g)
{
    return jn_guard_is_true(g) || jn_guard_is_false(g);
}

/* A row for the combination reached; `possible` and the elements' guards are constant there. */
static void add_truth_row(truth *t, jn_guard possible, const jn_guard *guard)
{
    jn_line *row = jn_table_row(t->page, t->t);
    for (int s = 0; s < t->nswitches; s++)
        jn_line_text(t->page, &row[s], "%c", t->digits[s]);
    for (int i = 0; i < t->nelements; i++) {
        const char *word = jn_guard_is_true(guard[i]) ? t->c[i]->yes : t->c[i]->no;
        jn_line_text(t->page, &row[t->nswitches + i], "%s",
                     jn_guard_is_false(possible) ? "conflict" : word);
    }
}

/* Fixes one switch after the other, as long as it makes a difference. possible: some mode with
 * these switches is allowed. */
static void add_truth_rows(truth *t, int depth, jn_guard possible, const jn_guard *guard)
{
    jn_guards *g = t->l->junction->ring.guards;
    bool settled = is_constant(possible);
    for (int i = 0; i < t->nelements && !jn_guard_is_false(possible); i++)
        settled = settled && is_constant(guard[i]);
    if (settled || depth == t->nswitches) {
        memset(t->digits + depth, '-', (size_t)(t->nswitches - depth));
        add_truth_row(t, possible, guard);
        return;
    }
    jn_guard *fixed = jn_alloc((size_t)t->nelements * sizeof *fixed);
    for (int on = 0; on < 2; on++) {
        int s = t->sw[depth];
        for (int i = 0; i < t->nelements; i++)
            fixed[i] = jn_guard_cofactor(g, guard[i], s, on);
        t->digits[depth] = (char)('0' + on);
        add_truth_rows(t, depth + 1, jn_guard_cofactor(g, possible, s, on), fixed);
    }
    free(fixed);
}

/* The table of the elements from `first` on that depend on the switches `member`. */
static void add_truth_table(jn_page *p, jn_listing *l, const bool *member, int first, bool *done)
{
    jn_guards *g = l->junction->ring.guards;
    int n = jn_guards_size(g);
    truth t = {.page = p, .l = l, .c = jn_alloc((size_t)l->ndynamic * sizeof *t.c)};
    jn_guard *guard = jn_alloc((size_t)l->ndynamic * sizeof *guard);
    bool *support = jn_alloc((size_t)n * sizeof *support);
    for (int s = 0; s < n; s++)
        if (member[s])
            t.sw[t.nswitches++] = s;
    for (int i = first; i < l->ndynamic; i++) {
        jn_guard_support(support, g, l->dynamic[i]->guard);
        if (memcmp(support, member, (size_t)n * sizeof *support) != 0)
            continue;
        done[i] = true;
        guard[t.nelements] = l->dynamic[i]->guard;
        t.c[t.nelements++] = l->dynamic[i];
    }
    for (int s = 0; s < n; s++)
        support[s] = !member[s];
    add_truth_head(&t);
    add_truth_rows(&t, 0, jn_guard_exists(g, l->junction->allowed, support), guard);
    free(support);
    free(guard);
    free(t.c);
}

static void add_truth_tables(jn_page *p, jn_listing *l)
{
    jn_guards *g = l->junction->ring.guards;
    int n = jn_guards_size(g), left_out = 0;
    bool *member = jn_alloc((size_t)n * sizeof *member);
    bool *done = jn_alloc((size_t)l->ndynamic * sizeof *done);
    if (l->ndynamic)
        jn_line_text(p, jn_page_heading(p, 2), "Truth tables");
    for (int i = 0; i < l->ndynamic; i++) {
        if (done[i])
            continue;
        jn_guard_support(member, g, l->dynamic[i]->guard);
        int size = 0;
        for (int s = 0; s < n; s++)
            size += member[s];
        if (size <= TABLE_SWITCHES)
            add_truth_table(p, l, member, i, done);
        else
            left_out++;
    }
    if (left_out)
        jn_line_text(p, jn_page_paragraph(p),
                     "No table for %d element%s whose causality depends on more than %d switches: "
                     "see the formulas above.",
                     left_out, left_out == 1 ? "" : "s", TABLE_SWITCHES);
    free(done);
    free(member);
}

void jni_page_add_causality(jn_page *p, jn_listing *l)
{
    add_static(p, l);
    add_dynamic(p, l);
    add_truth_tables(p, l);
}

static jn_page *build_page(jn_listing *l)
{
    jn_page *p = jni_listing_page(l);
    jni_page_title(p, jni_listing_graph(l));
    jni_page_add_modes(p, jn_page_table(p, 2, false), l);
    jni_page_add_reasons(p, l);
    jni_page_add_causality(p, l);
    if (l->assume_allowed)
        jn_line_text(p, jn_page_paragraph(p),
                     "The formulas of dynamic causality hold in the allowed modes; in the "
                     "forbidden ones they may say anything.");
    jn_page_lets(p, l->formulas);
    return p;
}

/* ---- a row per mode ------------------------------------------------------------------------ */

enum { COLUMNS_MAX = 10 }; /* elements with a column of their own */

/* mode, status, a column for each element in dynamic causality or one for all, reason */
static int row_columns(const jn_listing *l)
{
    return 3 + (l->ndynamic <= COLUMNS_MAX ? l->ndynamic : 1);
}

/* A table that goes on where the last one ended has the same columns, known beforehand. */
static jn_table_item *begin_rows(jn_page *p, const jn_listing *l)
{
    const jn_graph *g = jni_listing_graph(l);
    int ncols = row_columns(l);
    jn_table_item *t = jn_page_table(p, ncols, true);
    int *widths = jn_arena_alloc(p->arena, (size_t)ncols * sizeof *widths);
    widths[0] = g->nswitches;
    widths[1] = (int)strlen("forbidden");
    for (int i = 2; i < ncols - 1 && l->ndynamic <= COLUMNS_MAX; i++)
        widths[i] = (int)strlen("conductance");
    t->widths = widths;
    t->continues = l->written > 0;
    return t;
}

static void add_row_heads(jn_page *p, const jn_listing *l, jn_table_item *t)
{
    const jn_graph *g = jni_listing_graph(l);
    jn_line *row = jn_table_row(p, t);
    jn_line_text(p, &row[0], "mode");
    jn_line_text(p, &row[1], "status");
    if (l->ndynamic > COLUMNS_MAX)
        jn_line_text(p, &row[2], "not as in the reference mode");
    for (int i = 0; i < l->ndynamic && l->ndynamic <= COLUMNS_MAX; i++)
        jn_line_name(p, &row[2 + i], g->element[l->dynamic[i]->element].name);
    if (!jn_guard_is_false(l->junction->forbidden))
        jn_line_text(p, &row[t->ncols - 1], "needs");
}

/* "L1, L3 derivative" for the elements whose causality differs from the reference mode. */
static void add_differences(jn_page *p, jn_line *line, const jn_listing *l, const jn_onoff *m)
{
    int n = 0;
    for (int i = 0; i < l->ndynamic; i++) {
        const jn_causality *c = l->dynamic[i];
        const char *word = jni_causality_in(l, c, m);
        if (strcmp(word, c->usual ? c->yes : c->no) == 0)
            continue;
        if (n++)
            jn_line_text(p, line, ", ");
        jn_line_name(p, line, jni_listing_graph(l)->element[c->element].name);
        jn_line_text(p, line, " %s", word);
    }
}

static void add_mode_row(jn_page *p, const jn_listing *l, jn_table_item *t, const jn_onoff *m)
{
    const jn_junction *j = l->junction;
    jn_line *row = jn_table_row(p, t);
    bool forbidden = jn_junction_is_forbidden(j, m);
    jn_str mode;
    jn_str_init(&mode);
    jni_listing_mode(&mode, l, m);
    jn_line_text(p, &row[0], "%s", jn_str_c(&mode));
    jn_str_clear(&mode);
    jn_line_text(p, &row[1], "%s", forbidden ? "forbidden" : "ok");
    if (forbidden)
        jni_line_reason(p, &row[t->ncols - 1], j->graph, jn_junction_reason(j, m));
    else if (l->ndynamic > COLUMNS_MAX)
        add_differences(p, &row[2], l, m);
    for (int i = 0; i < l->ndynamic && l->ndynamic <= COLUMNS_MAX; i++)
        jn_line_text(p, &row[2 + i], "%s", forbidden ? "-" : jni_causality_in(l, l->dynamic[i], m));
}

/* ---- one mode ------------------------------------------------------------------------------ */

/* The elements of one causality in a mode, if there are any. */
static void add_those(jn_page *p, jn_table_item *t, const jn_listing *l, const jn_onoff *m,
                      const char *word)
{
    int *element = jn_alloc((size_t)l->npassive * sizeof *element), n = 0;
    for (int i = 0; i < l->npassive; i++)
        if (strcmp(jni_causality_in(l, &l->passive[i], m), word) == 0)
            element[n++] = l->passive[i].element;
    if (n)
        jni_line_names(p, jni_table_field(p, t, word), jni_listing_graph(l), element, n);
    free(element);
}

static void add_only_mode(jn_page *p, const jn_listing *l, const jn_onoff *m)
{
    const jn_junction *j = l->junction;
    jn_table_item *t = jn_page_table(p, 2, false);
    bool forbidden = jn_junction_is_forbidden(j, m);
    jn_str mode;
    jn_str_init(&mode);
    jni_listing_mode(&mode, l, m);
    jn_line_text(p, jni_table_field(p, t, "mode"), "%s", jn_str_c(&mode));
    jn_str_clear(&mode);
    jn_line_text(p, jni_table_field(p, t, "status"), "%s", forbidden ? "forbidden" : "ok");
    if (forbidden)
        jni_line_reason(p, jni_table_field(p, t, "needs"), j->graph, jn_junction_reason(j, m));
    for (int w = 0; w < NWORDS && !forbidden; w++)
        add_those(p, t, l, m, words[w]);
}

/* ---- the writers --------------------------------------------------------------------------- */

typedef void page_writer(jn_listing *l, const jn_page *p);

static void as_text(jn_listing *l, const jn_page *p)
{
    jn_page_text(&l->out, p, l->width);
}

static void as_latex(jn_listing *l, const jn_page *p)
{
    jn_page_latex(&l->out, p);
}

static void flush(jn_listing *l, page_writer *write)
{
    if (l->page)
        write(l, l->page);
    jn_page_free(l->page);
    l->page = NULL;
}

static void begin(jn_listing *l, page_writer *write)
{
    if (l->by_mode)
        return;
    l->page = build_page(l);
    flush(l, write);
}

/* Rows are gathered before they are written, as many as workers are given at a time. */

static void mode(jn_listing *l, const jn_onoff *m, page_writer *write)
{
    if (l->one_mode) {
        l->page = jni_listing_page(l);
        add_only_mode(l->page, l, m);
        return;
    }
    if (!l->page) {
        l->page = jni_listing_page(l);
        l->rows = begin_rows(l->page, l);
        add_row_heads(l->page, l, l->rows);
    }
    add_mode_row(l->page, l, l->rows, m);
    l->written++;
    if (l->rows->nrows > JN_MODES_TABLE)
        flush(l, write);
}

static void begin_text(jn_listing *l)
{
    begin(l, as_text);
}

static void begin_latex(jn_listing *l)
{
    begin(l, as_latex);
}

static void mode_text(jn_listing *l, const jn_onoff *m)
{
    mode(l, m, as_text);
}

static void mode_latex(jn_listing *l, const jn_onoff *m)
{
    mode(l, m, as_latex);
}

static void end_text(jn_listing *l)
{
    flush(l, as_text);
}

static void end_latex(jn_listing *l)
{
    flush(l, as_latex);
}

const jn_writer jni_modes_text = {begin_text, mode_text, end_text};
const jn_writer jni_modes_latex = {begin_latex, mode_latex, end_latex};
