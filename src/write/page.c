/* page.c: the page tree. */
#include <string.h>

#include "junct/page.h"

jn_page *jn_page_new(jn_field *field, const char *const *params, const char *const *switches)
{
    jn_page *p = jn_alloc(sizeof *p);
    p->arena = jn_arena_new();
    p->field = field;
    p->params = params;
    p->switches = switches;
    return p;
}

void jn_page_free(jn_page *p)
{
    if (!p)
        return;
    jn_arena_free(p->arena);
    free(p);
}

/* ---- items --------------------------------------------------------------------------------- */

static jn_item *add_item(jn_page *p, jn_item_kind kind)
{
    jn_item *item = jn_arena_alloc(p->arena, sizeof *item);
    item->kind = kind;
    if (p->last)
        p->last->next = item;
    else
        p->first = item;
    p->last = item;
    return item;
}

jn_line *jn_page_heading(jn_page *p, int level)
{
    jn_item *item = add_item(p, JN_ITEM_HEADING);
    item->level = level;
    return &item->line;
}

jn_line *jn_page_paragraph(jn_page *p)
{
    return &add_item(p, JN_ITEM_PARAGRAPH)->line;
}

jn_line *jn_page_remark(jn_page *p, jn_item_for who)
{
    jn_item *item = add_item(p, JN_ITEM_PARAGRAPH);
    item->who = who;
    return &item->line;
}

jn_table_item *jn_page_table(jn_page *p, int ncols, bool headed)
{
    jn_table_item *t = &add_item(p, JN_ITEM_TABLE)->table;
    t->ncols = ncols;
    t->headed = headed;
    return t;
}

jn_matrix_item *jn_page_matrix(jn_page *p, int nrows, int ncols)
{
    jn_matrix_item *m = &add_item(p, JN_ITEM_MATRIX)->matrix;
    m->nrows = nrows;
    m->ncols = ncols;
    m->row_label = jn_arena_alloc(p->arena, (size_t)nrows * sizeof *m->row_label);
    m->col_label = jn_arena_alloc(p->arena, (size_t)ncols * sizeof *m->col_label);
    m->rule_above = jn_arena_alloc(p->arena, (size_t)nrows * sizeof *m->rule_above);
    m->rule_before = jn_arena_alloc(p->arena, (size_t)ncols * sizeof *m->rule_before);
    m->row = jn_arena_alloc(p->arena, (size_t)nrows * sizeof *m->row);
    return m;
}

/* Growing arrays stay in the arena: what they outgrow is released with it. */
static void *more(jn_arena *a, void *items, int count, int *cap, size_t size)
{
    if (count < *cap)
        return items;
    *cap = *cap ? 2 * *cap : 8;
    void *bigger = jn_arena_alloc(a, (size_t)*cap * size);
    if (count)
        memcpy(bigger, items, (size_t)count * size);
    return bigger;
}

jn_line *jn_table_row(jn_page *p, jn_table_item *t)
{
    t->row = more(p->arena, t->row, t->nrows, &t->cap, sizeof *t->row);
    t->row[t->nrows] = jn_arena_alloc(p->arena, (size_t)t->ncols * sizeof **t->row);
    return t->row[t->nrows++];
}

jn_line *jn_matrix_cell(jn_page *p, jn_matrix_item *m, int row, int col)
{
    jn_cell_row *r = &m->row[row];
    r->cell = more(p->arena, r->cell, r->n, &r->cap, sizeof *r->cell);
    r->cell[r->n] = (jn_cell){.col = col};
    return &r->cell[r->n++].line;
}

/* ---- spans --------------------------------------------------------------------------------- */

static jn_span *add_span(jn_page *p, jn_line *l, jn_span_kind kind)
{
    jn_span *s = jn_arena_alloc(p->arena, sizeof *s);
    s->kind = kind;
    if (l->last)
        l->last->next = s;
    else
        l->first = s;
    l->last = s;
    return s;
}

static const char *copy(jn_page *p, const char *s)
{
    return jn_arena_strndup(p->arena, s, strlen(s));
}

void jn_line_text(jn_page *p, jn_line *l, const char *fmt, ...)
{
    jn_str text;
    jn_str_init(&text);
    va_list args;
    va_start(args, fmt);
    jn_str_vaddf(&text, fmt, args);
    va_end(args);
    add_span(p, l, JN_SPAN_TEXT)->text = copy(p, jn_str_c(&text));
    jn_str_clear(&text);
}

void jn_line_math(jn_page *p, jn_line *l, const char *text, const char *latex)
{
    jn_span *s = add_span(p, l, JN_SPAN_MATH);
    s->text = copy(p, text);
    s->latex = copy(p, latex);
}

void jn_line_symbol(jn_page *p, jn_line *l, jn_symbol symbol)
{
    symbol.name = copy(p, symbol.name);
    add_span(p, l, JN_SPAN_SYMBOL)->symbol = symbol;
}

void jn_line_name(jn_page *p, jn_line *l, const char *name)
{
    jn_line_symbol(p, l, (jn_symbol){.name = name});
}

void jn_line_formula(jn_page *p, jn_line *l, const jn_formula *f)
{
    add_span(p, l, JN_SPAN_FORMULA)->formula = f;
}

/* ---- names of long formulas ---------------------------------------------------------------- */

enum { LONG_FORMULA = 32, FEW_LITERALS = 2 };

/* A formula of two switches with long names is still a short one. */
static bool is_long(const jn_page *p, const jn_formula *f)
{
    if (jn_formula_literals(f) <= FEW_LITERALS)
        return false;
    jn_str text;
    jn_str_init(&text);
    jn_formula_print(&text, f, p->switches, JN_FORMULA_TEXT);
    bool is = jn_utf8_width(jn_str_c(&text)) > LONG_FORMULA;
    jn_str_clear(&text);
    return is;
}

/* Equal guards are the same formula: its address tells whether it has a name. */
static const jn_formula *name_if_long(jn_page *p, const jn_formula *f)
{
    for (int i = 0; i < p->nnames; i++)
        if (p->name[i]->formula == f)
            return &p->name[i]->name;
    if (!is_long(p, f))
        return f;
    p->name = more(p->arena, p->name, p->nnames, &p->names_cap, sizeof *p->name);
    jn_page_name *n = jn_arena_alloc(p->arena, sizeof *n);
    *n = (jn_page_name){f, {.op = JN_FORMULA_NAME}};
    p->name[p->nnames++] = n;
    return &n->name;
}

static void add_let(jn_page *p, jn_table_item *t, const jn_formula *name, const jn_formula *f)
{
    jn_line *row = jn_table_row(p, t);
    jn_line_formula(p, &row[0], name);
    jn_line_math(p, &row[1], "=", "=");
    jn_line_formula(p, &row[2], f);
}

void jn_page_lets(jn_page *p, const jn_formulas *f)
{
    int nlets = jn_formulas_lets(f);
    if (nlets + p->nnames == 0)
        return;
    jn_line_text(p, jn_page_heading(p, 2), "where");
    jn_table_item *t = jn_page_table(p, 3, false);
    for (int i = 0; i < nlets; i++) {
        const jn_formula name = {.op = JN_FORMULA_NAME, .value = i};
        add_let(p, t, jn_arena_dup(p->arena, &name, sizeof name), jn_formulas_let(f, i));
    }
    for (int i = 0; i < p->nnames; i++) {
        p->name[i]->name.value = nlets + i;
        add_let(p, t, &p->name[i]->name, p->name[i]->formula);
    }
}

/* ---- values -------------------------------------------------------------------------------- */

static const jn_formula always = {.op = JN_FORMULA_CONST, .value = 1};

void jn_line_value(jn_page *p, jn_line *l, jn_ratfun value)
{
    jn_span *s = add_span(p, l, JN_SPAN_VALUE);
    const jn_page_case only = {&always, value};
    s->ncases = !jn_ratfun_is_zero(value);
    s->cases = jn_arena_dup(p->arena, &only, sizeof only);
}

void jn_line_cases(jn_page *p, jn_line *l, const jn_guarded *v, jn_formulas *f)
{
    jn_page_case *cases = jn_arena_alloc(p->arena, (size_t)v->n * sizeof *cases);
    for (int i = 0; i < v->n; i++) {
        const jn_formula *guard = name_if_long(p, jn_formula_of(f, v->c[i].guard));
        cases[i] = (jn_page_case){guard, v->c[i].value};
    }
    jn_span *s = add_span(p, l, JN_SPAN_VALUE);
    s->ncases = v->n;
    s->cases = cases;
}

void jn_line_term(jn_page *p, jn_line *l, jn_ratfun value, jn_symbol symbol, bool first)
{
    symbol.name = copy(p, symbol.name);
    jn_span *s = add_span(p, l, JN_SPAN_TERM);
    s->value = value;
    s->symbol = symbol;
    s->first = first;
}
