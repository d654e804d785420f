/* page_latex_line.c: the lines of a page in LaTeX. */
#include "page_latex.h"
#include "page_span.h"
#include "page_text.h"

/* ---- spans --------------------------------------------------------------------------------- */

static void add_symbol(jn_str *out, jn_symbol s)
{
    if (s.letter)
        jn_str_addf(out, s.dot ? "\\dot{%c}_{" : "%c_{", s.letter);
    jn_latex_symbol(out, s.name);
    if (s.letter)
        jn_str_add(out, s.pseudo ? ",\\mathrm{d}}" : "}");
    else if (s.pseudo)
        jn_str_add(out, "\\,(\\mathrm{d})");
}

static void add_words(jn_str *out, const jn_span *s)
{
    if (s->kind == JN_SPAN_MATH) {
        jn_str_add(out, s->latex);
        return;
    }
    jn_str_add(out, "\\text{");
    jn_latex_text(out, s->text);
    jn_str_addc(out, '}');
}

static void add_condition(jn_str *out, const jn_page *p, const jn_formula *guard, bool has_factor)
{
    if (has_factor)
        jn_str_add(out, "\\,");
    jn_formula_print_factor(out, guard, p->switches, JN_FORMULA_LATEX);
}

static const jni_notation notation = {.ratfun = JN_RATFUN_LATEX,
                                      .formula = JN_FORMULA_LATEX,
                                      .minus = "-",
                                      .plus = "+",
                                      .times = "\\,",
                                      .text = add_words,
                                      .symbol = add_symbol,
                                      .condition = add_condition,
                                      .bare_condition = true};

static void add_span(jn_str *out, const jn_page *p, const jn_span *s)
{
    jni_span(out, p, s, &notation);
}

/* ---- long formulas ------------------------------------------------------------------------- */

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

static void add_short_span(jn_str *out, const jn_page *p, const jn_span *s)
{
    const jn_formula *inner = s->kind == JN_SPAN_FORMULA ? s->formula : NULL;
    bool negated = inner && inner->op == JN_FORMULA_NOT;
    if (negated)
        inner = inner->part[0];
    if (!inner || !is_long(inner)) {
        add_span(out, p, s);
        return;
    }
    jn_str_add(out, negated ? "\\neg(" : "");
    add_long_formula(out, p, inner);
    jn_str_add(out, negated ? ")" : "");
}

/* ---- lines --------------------------------------------------------------------------------- */

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

static void add_wide(jn_str *out, const jn_page *p, const jn_span *s, bool math)
{
    jn_str_add(out, math ? "$ \\fit{$" : "\\fit{$");
    add_span(out, p, s);
    jn_str_add(out, "$} ");
}

void jni_latex_line(jn_str *out, const jn_page *p, const jn_line *l, const jni_latex_form *form)
{
    bool math = false;
    for (const jn_span *s = l->first; s; s = s->next) {
        if (form->fits && is_wide(p, s)) {
            add_wide(out, p, s, math);
            math = false;
            continue;
        }
        bool wanted = s->kind != JN_SPAN_TEXT;
        if (math != wanted)
            jn_str_add(out, wanted ? form->math_on : form->math_off);
        math = wanted;
        if (!math)
            form->text(out, s->text);
        else if (form->shortens)
            add_short_span(out, p, s);
        else
            add_span(out, p, s);
    }
    jn_str_add(out, math ? form->math_off : "");
}

void jni_latex_math(jn_str *out, const jn_page *p, const jn_line *l)
{
    for (const jn_span *s = l->first; s; s = s->next)
        add_span(out, p, s);
}

int jni_latex_width(const jn_page *p, const jn_line *l)
{
    jn_str text;
    jn_str_init(&text);
    jni_text_line(&text, p, l);
    int width = jn_utf8_width(jn_str_c(&text));
    jn_str_clear(&text);
    return width;
}
