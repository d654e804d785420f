/* report_line.c: lines and lengths of a report.
 *
 * What is too long to be read is shortened: long formulas lose their middle, long tables their
 * end. The commands print all of it. */
#include <string.h>

#include "page_latex.h"
#include "report_internal.h"

/* ---- formulas ------------------------------------------------------------------------------ */

enum { PARTS_MAX = 12, PARTS_FIRST = 3 };

static const char *operator_of(jn_formula_op op)
{
    return op == JN_FORMULA_AND ? "\\wedge" : op == JN_FORMULA_OR ? "\\vee" : "\\oplus";
}

static bool is_long(const jn_formula *f)
{
    bool sum = f->op == JN_FORMULA_AND || f->op == JN_FORMULA_OR || f->op == JN_FORMULA_XOR;
    return sum && f->nparts > PARTS_MAX;
}

static void add_part(jn_str *out, const jn_page *p, const jn_formula *f)
{
    jn_formula_print_factor(out, f, p->switches, JN_FORMULA_LATEX);
}

/* a ∧ b ∧ c ∧ … ∧ z (64 terms) */
static void add_long_formula(jn_str *out, const jn_page *p, const jn_formula *f)
{
    const char *op = operator_of(f->op);
    for (int i = 0; i < PARTS_FIRST; i++) {
        add_part(out, p, f->part[i]);
        jn_str_addf(out, " %s ", op);
    }
    jn_str_addf(out, "\\cdots %s ", op);
    add_part(out, p, f->part[f->nparts - 1]);
    jn_str_addf(out, "\\ \\text{(%d terms)}", f->nparts);
}

void jni_report_span(jn_str *out, const jn_page *p, const jn_span *s)
{
    const jn_formula *inner = s->kind == JN_SPAN_FORMULA ? s->formula : NULL;
    bool negated = inner && inner->op == JN_FORMULA_NOT;
    if (negated)
        inner = inner->part[0];
    if (!inner || !is_long(inner)) {
        jni_latex_span(out, p, s);
        return;
    }
    jn_str_add(out, negated ? "\\neg(" : "");
    add_long_formula(out, p, inner);
    jn_str_add(out, negated ? ")" : "");
}

/* ---- text ---------------------------------------------------------------------------------- */

enum { LONG_WORD = 24, BREAK_EVERY = 8 };

/* Words too long for a line, as the digits of a mode, may be broken anywhere. */
static void add_text(jn_str *out, const char *s)
{
    jn_str word;
    jn_str_init(&word);
    while (*s) {
        size_t n = strcspn(s, " "), blanks = strspn(s + n, " ");
        size_t step = n > LONG_WORD ? BREAK_EVERY : n + blanks;
        for (size_t i = 0; i < n + blanks; i += step) {
            size_t left = n + blanks - i;
            while (step < left && (s[i + step] & 0xC0) == 0x80)
                step++; /* not inside of a character */
            jn_str_reset(&word);
            jn_str_addn(&word, s + i, step < left ? step : left);
            jn_latex_text(out, jn_str_c(&word));
            jn_str_add(out, step < left ? "\\allowbreak{}" : "");
        }
        s += n + blanks;
    }
    jn_str_clear(&word);
}

void jni_report_marked(jn_page *p, jn_line *line, const char *s)
{
    for (bool math = false; *s; math = !math) {
        int n = (int)strcspn(s, "$");
        const char *part = jn_arena_printf(p->arena, "%.*s", n, s);
        if (math)
            jn_line_math(p, line, part, part);
        else
            jn_line_text(p, line, "%s", part);
        s += n + (s[n] == '$');
    }
}

enum { WIDE = 80 };

/* Wider than a line, and without a place to break it: most of it is a fraction. */
static bool is_wide(const jn_page *p, const jn_span *s)
{
    if (s->kind != JN_SPAN_VALUE && s->kind != JN_SPAN_TERM)
        return false;
    jn_span alone = *s;
    alone.next = NULL;
    return jni_latex_width(p, &(jn_line){&alone, &alone}) > WIDE;
}

void jni_report_line(jn_str *out, const jn_page *p, const jn_line *l)
{
    bool math = false;
    for (const jn_span *s = l->first; s; s = s->next) {
        if (is_wide(p, s)) {
            jn_str_add(out, math ? "$ \\fit{$" : "\\fit{$");
            jni_report_span(out, p, s);
            jn_str_add(out, "$} ");
            math = false;
            continue;
        }
        bool wanted = s->kind != JN_SPAN_TEXT;
        if (math != wanted)
            jn_str_addc(out, '$');
        math = wanted;
        if (math)
            jni_report_span(out, p, s);
        else
            add_text(out, s->text);
    }
    jn_str_add(out, math ? "$" : "");
}

/* ---- matrices ------------------------------------------------------------------------------ */

static const char *plural(int n, const char *one, const char *many)
{
    return n == 1 ? one : many;
}

void jni_report_count_entries(jn_str *out, const jn_matrix_item *m)
{
    int n = 0;
    for (int i = 0; i < m->nrows; i++)
        n += m->row[i].n;
    jn_str_addf(out, " has %d row%s, %d column%s and %d %s%s\n\n", m->nrows,
                plural(m->nrows, "", "s"), m->ncols, plural(m->ncols, "", "s"), n,
                plural(n, "entry that is not zero", "entries that are not zero"),
                n > JN_REPORT_ENTRIES ? "; the first of them:" : ":");
}

/* ---- pages --------------------------------------------------------------------------------- */

enum { TABLES_MAX = 6 };

static bool is_table(const jn_item *item)
{
    return item && item->kind == JN_ITEM_TABLE;
}

/* A paragraph after an item. */
static jn_line *insert_paragraph(jn_page *p, jn_item *after)
{
    jn_item *note = jn_arena_alloc(p->arena, sizeof *note);
    note->kind = JN_ITEM_PARAGRAPH;
    note->next = after->next;
    after->next = note;
    if (p->last == after)
        p->last = note;
    return &note->line;
}

enum { TERMS_MAX = 20, TERMS_FIRST = 6 };

/* ẋ = a + b + c … + z */
static void shorten_sum(jn_page *p, jn_line *l)
{
    int n = 0, terms = 0;
    for (const jn_span *s = l->first; s; s = s->next)
        terms += s->kind == JN_SPAN_TERM;
    if (terms <= TERMS_MAX)
        return;
    jn_line shorter = {0};
    for (jn_span *s = l->first, *next; s; s = next) {
        next = s->next;
        n += s->kind == JN_SPAN_TERM;
        if (s->kind == JN_SPAN_TERM && n == TERMS_FIRST + 1)
            jn_line_math(p, &shorter, " ... ", "\\ \\cdots\\ ");
        if (s->kind == JN_SPAN_TERM && n > TERMS_FIRST && n < terms)
            continue;
        s->next = NULL;
        if (shorter.last)
            shorter.last->next = s;
        else
            shorter.first = s;
        shorter.last = s;
    }
    *l = shorter;
}

static void shorten_table(jn_page *p, jn_item *item)
{
    jn_table_item *t = &item->table;
    for (int i = 0; i < t->nrows; i++)
        for (int j = 0; j < t->ncols; j++)
            shorten_sum(p, &t->row[i][j]);
    int most = JN_REPORT_ROWS + t->headed, left = t->nrows - most;
    if (left <= 0)
        return;
    t->nrows = most;
    jn_line_text(p, insert_paragraph(p, item), "And %d more.", left);
}

void jni_report_shorten(jn_page *p)
{
    int run = 0;
    for (jn_item *item = p->first, *next; item; item = next) {
        next = item->next;
        run = is_table(item) ? run + 1 : 0;
        if (!is_table(item))
            continue;
        shorten_table(p, item);
        if (run < TABLES_MAX || !is_table(next))
            continue;
        int dropped = 0;
        for (; is_table(next); next = next->next)
            dropped++;
        item->next = next;
        if (!next)
            p->last = item;
        jn_line_text(p, insert_paragraph(p, item), "And %d more tables.", dropped);
    }
}
