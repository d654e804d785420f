/* parse_element.c: elements.
 *
 *     KIND NAME [= value] [: v = law] {, option} */
#include <string.h>

#include "syntax_internal.h"

/* ": e = k*f*abs(f)" */
static bool parse_law(parser *p, jn_ast *s)
{
    token v = p->tok;
    if (v.type == T_NAME && (v.length != 1 || !strchr("efpq", v.text[0]))) {
        jn_diag_add(p->diags, JN_D_LAW_VARIABLE, token_place(p, &v), v.text);
        return false;
    }
    if (!expect(p, T_NAME, "e, f, p or q", "a law is written ': e = …', for example") ||
        !expect(p, T_EQ, "'='", "a law is written ': e = …', for example"))
        return false;
    s->u.element.law_of = v.text[0];
    s->u.element.law = parse_expr(p);
    return s->u.element.law;
}

static bool unknown_option(parser *p)
{
    const char *near = nearest(p, p->tok.text, option_words);
    const char *advice = near ? jn_arena_printf(p->arena, "did you mean '%s'?", near)
                              : "options are p0 f0 (of I), q0 e0 (of C), priority, detachable";
    jn_diag_add(p->diags, JN_D_OPTION_UNKNOWN, token_place(p, &p->tok), p->tok.text, advice);
    return false;
}

/* "p0 = 1/2", "priority 3", "detachable" */
static bool parse_option(parser *p, jn_ast_option *o)
{
    token key = p->tok;
    if (key.type == T_NAME && !word_in(option_words, key.text))
        return unknown_option(p);
    if (!expect(p, T_NAME, "an option", "options are p0 f0 q0 e0 priority detachable"))
        return false;
    *o = (jn_ast_option){.key = key.text};
    bool priority = strcmp(key.text, "priority") == 0;
    if (strcmp(key.text, "detachable") != 0) {
        if (!accept(p, T_EQ) && !priority)
            return fail_expected(p, "'='", "an initial value is written 'p0 = 1', for example");
        o->value = parse_expr(p);
        if (!o->value)
            return false;
    }
    o->place = place_from(p, key.offset);
    return true;
}

static bool parse_options(parser *p, jn_ast *s)
{
    while (accept(p, T_COMMA)) {
        jn_ast_option o;
        if (!parse_option(p, &o))
            return false;
        PUSH(p, s->u.element.option, s->u.element.noptions);
        s->u.element.option[s->u.element.noptions++] = o;
    }
    return true;
}

bool parse_element(parser *p, jn_ast *s)
{
    s->kind = JN_AST_ELEMENT;
    kind_of(&s->u.element.kind, p->tok.text);
    const char *what = jn_arena_printf(p->arena, "a name after '%s'", p->tok.text);
    advance(p);
    if (!parse_name(p, &s->u.element.name, what))
        return false;
    if (accept(p, T_EQ)) {
        s->u.element.value = parse_expr(p);
        if (!s->u.element.value)
            return false;
    }
    if (accept(p, T_COLON) && !parse_law(p, s))
        return false;
    return parse_options(p, s);
}
