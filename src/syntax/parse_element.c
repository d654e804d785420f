/* parse_element.c: elements.
 *
 *     KIND NAME [(port, …)] [= value] [: v = law] {, option}
 *
 * The value of a field, which has ports, is a matrix: [2, 1; 1, 3]. */
#include <string.h>

#include "syntax_internal.h"

/* ---- fields -------------------------------------------------------------------------------- */

/* "(a, b)" */
static bool parse_ports(parser *p, jn_ast *s)
{
    int *n = &s->u.element.nports;
    jni_advance(p);
    do {
        const char *word;
        jn_place place;
        if (!jni_parse_word(p, &word, &place, "the name of a port"))
            return false;
        PUSH(p, s->u.element.port, *n);
        PUSH(p, s->u.element.port_place, *n);
        s->u.element.port[*n] = word;
        s->u.element.port_place[(*n)++] = place;
    } while (jni_accept(p, T_COMMA));
    return jni_expect(p, T_CLOSE, "',' or ')'", "the ports of a field are written 'M(a, b)'");
}

static bool parse_row(parser *p, struct jn_ast_row *row)
{
    do {
        const jn_ast_expr *e = jni_parse_expr(p);
        if (!e)
            return false;
        PUSH(p, row->item, row->n);
        row->item[row->n++] = e;
    } while (jni_accept(p, T_COMMA));
    return true;
}

/* "[2, 1; 1, 3]", the opening bracket being the current token; NULL: failed, and reported */
static const jn_ast_matrix *parse_matrix(parser *p)
{
    size_t start = p->tok.offset;
    jn_ast_matrix *m = jn_arena_alloc(p->arena, sizeof *m);
    jni_advance(p);
    do {
        struct jn_ast_row row = {0};
        if (!parse_row(p, &row))
            return NULL;
        PUSH(p, m->row, m->nrows);
        m->row[m->nrows++] = row;
    } while (jni_accept(p, T_SEMICOLON));
    if (!jni_expect(p, T_CLOSE_INDEX, "',', ';' or ']'", "a matrix is written '[2, 1; 1, 3]'"))
        return NULL;
    m->place = jni_place_from(p, start);
    return m;
}

static bool parse_value(parser *p, jn_ast *s)
{
    if (p->tok.type == T_OPEN_INDEX) {
        s->u.element.matrix = parse_matrix(p);
        return s->u.element.matrix;
    }
    s->u.element.value = jni_parse_expr(p);
    return s->u.element.value;
}

/* ---- laws and options ---------------------------------------------------------------------- */

/* ": e = k*f*abs(f)" */
static bool parse_law(parser *p, jn_ast *s)
{
    token v = p->tok;
    if (v.type == T_NAME && (v.length != 1 || !strchr("efpq", v.text[0]))) {
        jn_diag_add(p->diags, JN_D_LAW_VARIABLE, jni_token_place(p, &v), v.text);
        return false;
    }
    if (!jni_expect(p, T_NAME, "e, f, p or q", "a law is written ': e = …', for example") ||
        !jni_expect(p, T_EQ, "'='", "a law is written ': e = …', for example"))
        return false;
    s->u.element.law_of = v.text[0];
    s->u.element.law = jni_parse_expr(p);
    return s->u.element.law;
}

static bool unknown_option(parser *p)
{
    const char *near = jni_nearest(p, p->tok.text, jni_option_words);
    const char *advice = near ? jn_arena_printf(p->arena, "did you mean '%s'?", near)
                              : "options are p0 f0 (of I), q0 e0 (of C), priority, detachable";
    jn_diag_add(p->diags, JN_D_OPTION_UNKNOWN, jni_token_place(p, &p->tok), p->tok.text, advice);
    return false;
}

/* "1,5": digits on both sides of the comma before the token, and nothing between. */
static bool is_decimal_comma(const parser *p)
{
    size_t at = p->tok.offset;
    const char *text = p->source->text;
    return p->tok.type == T_NUMBER && at >= 2 && text[at - 1] == ',' && text[at - 2] >= '0' &&
           text[at - 2] <= '9';
}

/* "p0 = 1/2", "priority 3", "detachable" */
static bool parse_option(parser *p, jn_ast_option *o)
{
    token key = p->tok;
    if (key.type == T_NAME && !jni_word_in(jni_option_words, key.text))
        return unknown_option(p);
    if (!jni_expect(p, T_NAME, "an option",
                    is_decimal_comma(p) ? "a decimal has a point: 1.5, not 1,5"
                                        : "options are p0 f0 q0 e0 priority detachable"))
        return false;
    *o = (jn_ast_option){.key = key.text};
    bool priority = strcmp(key.text, "priority") == 0;
    if (strcmp(key.text, "detachable") != 0) {
        if (!jni_accept(p, T_EQ) && !priority)
            return jni_fail_expected(p, "'='", "an initial value is written 'p0 = 1', for example");
        if (p->tok.type == T_OPEN_INDEX)
            o->list = parse_matrix(p);
        else
            o->value = jni_parse_expr(p);
        if (!o->value && !o->list)
            return false;
    }
    o->place = jni_place_from(p, key.offset);
    return true;
}

static bool parse_options(parser *p, jn_ast *s)
{
    while (jni_accept(p, T_COMMA)) {
        jn_ast_option o;
        if (!parse_option(p, &o))
            return false;
        PUSH(p, s->u.element.option, s->u.element.noptions);
        s->u.element.option[s->u.element.noptions++] = o;
    }
    return true;
}

bool jni_parse_element(parser *p, jn_ast *s)
{
    s->kind = JN_AST_ELEMENT;
    jni_kind_of(&s->u.element.kind, p->tok.text);
    const char *what = jn_arena_printf(p->arena, "a name after '%s'", p->tok.text);
    jni_advance(p);
    if (!jni_parse_name(p, &s->u.element.name, what))
        return false;
    if (p->tok.type == T_OPEN && !parse_ports(p, s))
        return false;
    if (jni_accept(p, T_EQ) && !parse_value(p, s))
        return false;
    if (jni_accept(p, T_COLON) && !parse_law(p, s))
        return false;
    return parse_options(p, s);
}
