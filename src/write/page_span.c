/* page_span.c: the spans of a line, in one notation or another. */
#include "page_span.h"

/* The sign of a term in a sum; returns the value that is left to write. */
static jn_ratfun add_sign(jn_str *out, jn_field *k, jn_ratfun value, bool first,
                          const jni_notation *n)
{
    bool negative = jn_ratfun_is_negative(k, value);
    if (first)
        jn_str_add(out, negative ? "-" : "");
    else
        jn_str_add(out, negative ? n->minus : n->plus);
    return negative ? jn_ratfun_neg(k, value) : value;
}

void jni_span_case(jn_str *out, const jn_page *p, jn_page_case c, bool first, bool alone,
                   const jni_notation *n)
{
    bool always = c.guard->op == JN_FORMULA_CONST && c.guard->value;
    if (always && first) {
        jn_ratfun_print(out, p->field, c.value, p->params, n->ratfun);
        return;
    }
    if (n->bare_condition && alone && jn_ratfun_is_one(c.value)) {
        jn_formula_print(out, c.guard, p->switches, n->formula);
        return;
    }
    jn_ratfun size = add_sign(out, p->field, c.value, first, n);
    if (!jn_ratfun_is_one(size) || always)
        jn_ratfun_print_factor(out, p->field, size, p->params, n->ratfun);
    if (!always)
        n->condition(out, p, c.guard, !jn_ratfun_is_one(size));
}

static void add_term(jn_str *out, const jn_page *p, const jn_span *s, const jni_notation *n)
{
    jn_ratfun size = add_sign(out, p->field, s->value, s->first, n);
    if (!jn_ratfun_is_one(size)) {
        jn_ratfun_print_factor(out, p->field, size, p->params, n->ratfun);
        jn_str_add(out, n->times);
    }
    n->symbol(out, s->symbol);
}

void jni_span(jn_str *out, const jn_page *p, const jn_span *s, const jni_notation *n)
{
    switch (s->kind) {
    case JN_SPAN_TEXT:
    case JN_SPAN_MATH:
        n->text(out, s);
        break;
    case JN_SPAN_SYMBOL:
        n->symbol(out, s->symbol);
        break;
    case JN_SPAN_FORMULA:
        jn_formula_print(out, s->formula, p->switches, n->formula);
        break;
    case JN_SPAN_VALUE:
        for (int i = 0; i < s->ncases; i++)
            jni_span_case(out, p, s->cases[i], i == 0, s->ncases == 1, n);
        if (s->ncases == 0)
            jn_str_addc(out, '0');
        break;
    case JN_SPAN_TERM:
        add_term(out, p, s, n);
        break;
    }
}
