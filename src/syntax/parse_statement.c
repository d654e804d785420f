/* parse_statement.c: which statement a line is, and the short ones. */
#include <string.h>

#include "syntax_internal.h"

/* ---- bonds --------------------------------------------------------------------------------- */

static const char *const bond_advice = "a bond is written 'a -> b', power is positive from a to b";

/* "V -> s1 -> n", "b9: load -> R2" */
static bool parse_bonds(parser *p, jn_ast *s)
{
    s->kind = JN_AST_BONDS;
    if (p->ahead.type == T_COLON) {
        if (!jni_parse_word(p, &s->u.bonds.label, &s->u.bonds.label_place, "a label"))
            return false;
        jni_advance(p);
    }
    do {
        jn_ast_name name;
        if (!jni_parse_name(p, &name, "the name of an element"))
            return false;
        PUSH(p, s->u.bonds.name, s->u.bonds.nnames);
        s->u.bonds.name[s->u.bonds.nnames++] = name;
    } while (jni_accept(p, T_ARROW));
    if (s->u.bonds.nnames < 2)
        return jni_fail_expected(p, "'->'",
                                 p->tok.type == T_COLON ? "a label is a plain name" : bond_advice);
    if (s->u.bonds.label && s->u.bonds.nnames > 2) {
        jn_diag_add(p->diags, JN_D_LABEL_CHAIN, s->u.bonds.label_place, s->u.bonds.nnames - 1,
                    s->u.bonds.label);
        return false;
    }
    return true;
}

/* ---- model, param, signal, output, simulate ------------------------------------------------ */

static bool parse_model(parser *p, jn_ast *s)
{
    s->kind = JN_AST_MODEL;
    jni_advance(p);
    jn_place place;
    if (!jni_parse_word(p, &s->u.model.name, &place, "the model's name"))
        return false;
    if (p->tok.type == T_TEXT) {
        s->u.model.title = p->tok.text;
        jni_advance(p);
    }
    return true;
}

static bool parse_param(parser *p, jn_ast *s)
{
    s->kind = JN_AST_PARAM;
    jni_advance(p);
    if (!jni_parse_name(p, &s->u.param.name, "the parameter's name"))
        return false;
    if (!jni_accept(p, T_EQ))
        return true; /* only a symbol */
    s->u.param.value = jni_parse_expr(p);
    return s->u.param.value;
}

/* "NAME = value", both of which there must be */
static bool parse_definition(parser *p, jn_ast *s, const char *what, const char *advice)
{
    jni_advance(p);
    if (!jni_parse_name(p, &s->u.signal.name, what) || !jni_expect(p, T_EQ, "'='", advice))
        return false;
    s->u.signal.value = jni_parse_expr(p);
    return s->u.signal.value;
}

static bool parse_signal(parser *p, jn_ast *s)
{
    s->kind = JN_AST_SIGNAL;
    return parse_definition(p, s, "the signal's name",
                            "a signal is written 'signal speed = f(L2)', for example");
}

static bool parse_discrete(parser *p, jn_ast *s)
{
    s->kind = JN_AST_DISCRETE;
    return parse_definition(p, s, "the discrete variable's name",
                            "a discrete variable begins with a value: 'discrete n = 0'");
}

/* "[m/s^2]", if there is one: what stands between the brackets */
static bool parse_output_unit(parser *p, struct jn_ast_output *o)
{
    size_t start = p->tok.offset;
    if (!jni_accept(p, T_OPEN_INDEX))
        return true;
    while (p->tok.type == T_NAME || p->tok.type == T_NUMBER || p->tok.type == T_TIMES ||
           p->tok.type == T_OVER || p->tok.type == T_POWER || p->tok.type == T_MINUS)
        jni_advance(p);
    if (!jni_expect(p, T_CLOSE_INDEX, "a unit and ']'",
                    "an output's unit is written 'v = e(c) [V]'"))
        return false;
    o->unit_place = jni_place_from(p, start);
    o->unit = jn_arena_strndup(p->arena, p->source->text + start + 1, o->unit_place.length - 2);
    return true;
}

/* Whether a name with its indices is followed by '=': tokens do not reach so far ahead. Of two
 * sides that are the same no output could be made. */
static bool is_named(const parser *p)
{
    static const char name_bytes[] =
        "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.[";
    const char *at = p->source->text + p->tok.offset + p->tok.length;
    int open = 0;
    if (p->tok.type != T_NAME || p->ahead.type == T_EQ)
        return p->tok.type == T_NAME;
    if (*at != '[' && *at != '.')
        return false;
    for (; *at && *at != '\n' && (open || strchr(name_bytes, *at)); at++)
        open += (*at == '[') - (*at == ']');
    return at[strspn(at, " \t")] == '=';
}

/* "torque = e(b9)", "i[k] = f(L[k])", or an expression that is shown as it is written */
static bool parse_output_item(parser *p, struct jn_ast_output *o)
{
    size_t start = p->tok.offset;
    *o = (struct jn_ast_output){0};
    if (is_named(p) &&
        (!jni_parse_name(p, &o->name, "the output's name") || !jni_expect(p, T_EQ, "'='", "")))
        return false;
    p->units_follow = true;
    o->expr = jni_parse_expr(p);
    p->units_follow = false;
    o->place = jni_place_from(p, start);
    return o->expr && parse_output_unit(p, o);
}

static bool parse_output(parser *p, jn_ast *s)
{
    s->kind = JN_AST_OUTPUT;
    jni_advance(p);
    do {
        struct jn_ast_output o;
        if (!parse_output_item(p, &o))
            return false;
        PUSH(p, s->u.output.item, s->u.output.n);
        s->u.output.item[s->u.output.n++] = o;
    } while (jni_accept(p, T_COMMA));
    return true;
}

/* "e(C1) < 100 "the capacitor holds"" */
static bool parse_assert(parser *p, jn_ast *s)
{
    s->kind = JN_AST_ASSERT;
    jni_advance(p);
    s->u.assertion.condition = jni_parse_expr(p);
    if (s->u.assertion.condition && p->tok.type == T_TEXT) {
        s->u.assertion.text = p->tok.text;
        jni_advance(p);
    }
    return s->u.assertion.condition;
}

/* "electrical", "rotational : shaft, load" */
static bool parse_domain(parser *p, jn_ast *s)
{
    s->kind = JN_AST_DOMAIN;
    jni_advance(p);
    if (!jni_parse_word(p, &s->u.domain.domain, &s->u.domain.domain_place, "the name of a domain"))
        return false;
    if (!jni_accept(p, T_COLON))
        return true;
    do {
        jn_ast_name name;
        if (!jni_parse_name(p, &name, "the name of an element"))
            return false;
        PUSH(p, s->u.domain.name, s->u.domain.nnames);
        s->u.domain.name[s->u.domain.nnames++] = name;
    } while (jni_accept(p, T_COMMA));
    return true;
}

static const char *const bound_advice = "a bound is written 'bound 0 <= e(C1) <= 100' or 'bound "
                                        "e(C1) >= 0', for example";

static bool accept_bound_sign(parser *p, jn_ast *s)
{
    bool falling = p->tok.type == T_GE;
    if ((p->tok.type != T_LE && !falling) || (s->u.bound.n > 1 && falling != s->u.bound.falling))
        return jni_fail_expected(p,
                                 s->u.bound.n < 2     ? "'<=' or '>='"
                                 : s->u.bound.falling ? "'>='"
                                                      : "'<='",
                                 bound_advice);
    s->u.bound.falling = falling;
    jni_advance(p);
    return true;
}

static bool parse_bound(parser *p, jn_ast *s)
{
    s->kind = JN_AST_BOUND;
    jni_advance(p);
    for (;;) {
        const jn_ast_expr *part = jni_parse_sum(p);
        if (!part)
            return false;
        s->u.bound.part[s->u.bound.n++] = part;
        bool more = s->u.bound.n == 1 || (p->tok.type >= T_LT && p->tok.type <= T_GT);
        if (s->u.bound.n == 3 || !more)
            return true;
        if (!accept_bound_sign(p, s))
            return false;
    }
}

static bool parse_simulate(parser *p, jn_ast *s)
{
    s->kind = JN_AST_SIMULATE;
    jni_advance(p);
    while (jni_at_word(p, "to") || jni_at_word(p, "every")) {
        token word = p->tok;
        const jn_ast_expr **part = jni_at_word(p, "to") ? &s->u.simulate.to : &s->u.simulate.every;
        if (*part) {
            jn_diag_add(p->diags, JN_D_CLAUSE_TWICE, jni_token_place(p, &word), word.text);
            return false;
        }
        jni_advance(p);
        *part = jni_parse_expr(p);
        if (!*part)
            return false;
    }
    if (s->u.simulate.to || s->u.simulate.every)
        return true;
    return jni_fail_expected(p, "'to' or 'every'", "write 'simulate to 1 every 1e-4', for example");
}

/* ---- submodels and loops ------------------------------------------------------------------- */

typedef struct {
    int n;
    const char **name;
    jn_place *place;
} word_row;

/* "a, b" */
static bool parse_words(parser *p, word_row *row, const char *what)
{
    do {
        const char *word;
        jn_place place;
        if (!jni_parse_word(p, &word, &place, what))
            return false;
        PUSH(p, row->name, row->n);
        PUSH(p, row->place, row->n);
        row->name[row->n] = word;
        row->place[row->n++] = place;
    } while (jni_accept(p, T_COMMA));
    return true;
}

static bool parse_ports(parser *p, jn_ast *s)
{
    s->kind = JN_AST_PORTS;
    jni_advance(p);
    word_row row = {0};
    if (!parse_words(p, &row, "the name of a port"))
        return false;
    s->u.ports.n = row.n;
    s->u.ports.name = row.name;
    s->u.ports.name_place = row.place;
    return true;
}

/* "Cell(C0, R0)" */
static bool parse_submodel_head(parser *p, jn_ast *s)
{
    jn_kind kind;
    jn_place place;
    word_row row = {0};
    if (p->tok.type == T_NAME && jni_kind_of(&kind, p->tok.text))
        return jni_fail_reserved(p, &p->tok);
    if (!jni_parse_word(p, &s->u.submodel.name, &place, "the submodel's name"))
        return false;
    if (jni_accept(p, T_OPEN) && !jni_accept(p, T_CLOSE)) {
        if (!parse_words(p, &row, "the name of a parameter") ||
            !jni_expect(p, T_CLOSE, "',' or ')'",
                        "parameters are written 'submodel Cell(C0, R0) {'"))
            return false;
    }
    s->u.submodel.nparams = row.n;
    s->u.submodel.param = row.name;
    s->u.submodel.param_place = row.place;
    return true;
}

/* The lines of a submodel or a loop, after a head that was good or not. */
static bool parse_body(parser *p, jn_ast *s, jn_ast_block *body, bool good, const char *what)
{
    jn_place brace;
    if (!jni_find_block(p, s, good, &brace))
        return false;
    bool deep = !jni_nest(p, &p->blocks, BLOCKS_MAX, "blocks are nested too deeply",
                          "use fewer loops and submodels inside each other");
    if (deep)
        jni_skip_block(p);
    else
        jni_parse_block(p, body);
    p->blocks--;
    return !deep && jni_close_block(p, brace, what) && good;
}

static bool parse_submodel(parser *p, jn_ast *s)
{
    s->kind = JN_AST_SUBMODEL;
    jni_advance(p);
    bool good = parse_submodel_head(p, s);
    return parse_body(p, s, &s->u.submodel.body, good, "the submodel");
}

/* "k in 1..64" */
static bool parse_for_head(parser *p, jn_ast *s)
{
    static const char *const advice = "a loop is written 'for k in 1..64 {', for example";
    jn_place place;
    if (!jni_parse_word(p, &s->u.loop.var, &place, "the loop's variable"))
        return false;
    if (!jni_accept_word(p, "in"))
        return jni_fail_expected(p, "'in'", advice);
    s->u.loop.from = jni_parse_expr(p);
    if (!s->u.loop.from || !jni_expect(p, T_DOTS, "'..'", advice))
        return false;
    s->u.loop.to = jni_parse_expr(p);
    return s->u.loop.to;
}

static bool parse_for(parser *p, jn_ast *s)
{
    s->kind = JN_AST_FOR;
    jni_advance(p);
    bool good = parse_for_head(p, s);
    return parse_body(p, s, &s->u.loop.body, good, "the loop");
}

/* ---- instances, and lines that are nothing ------------------------------------------------- */

static const char *did_you_mean(parser *p, const char *word)
{
    return jn_arena_printf(p->arena, "did you mean '%s'?", word);
}

/* A line "WORD NAME …" whose first word is no kind. */
/* Letters of circuits and mechanics, for those who expect them; NULL: none of these. */
static const char *usual_letter(const char *text)
{
    static const struct {
        const char *letter, *kind;
    } usual[] = {
        {"L", "an inductor is an I"},
        {"M", "a mass is an I"},
        {"J", "an inertia is an I"},
        {"V", "a source of voltage, force or pressure is an Se, one of current or speed an Sf"},
        {"U", "a source of voltage, force or pressure is an Se, one of current or speed an Sf"},
        {"K", "a spring is a C, whose value is 1/stiffness"},
        {"B", "a damper is an R"},
        {"D", "a diode is an X1, with 'switch NAME diode'"},
        {"S", "a switch is an X1 or X0, with 'switch NAME off, on when …'"}};
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        if (strcmp(text, usual[i].letter) == 0)
            return usual[i].kind;
    return NULL;
}

static bool unknown_kind(parser *p, const token *t)
{
    static const char kinds[] = "kinds are Se Sf I C R TF GY 0 1 X0 X1";
    const char *usual = usual_letter(t->text);
    const char *kind = jni_nearest(p, t->text, jni_kind_words);
    if (!kind)
        kind = jni_nearest(p, t->text, (word_list){p->submodel, p->nsubmodels});
    const char *word = jni_nearest(p, t->text, jni_statement_words);
    jn_place place = jni_token_place(p, t);
    if (word && !kind)
        jn_diag_add(p->diags, JN_D_STATEMENT_UNKNOWN, place, jni_token_shown(p, t),
                    did_you_mean(p, word));
    else
        jn_diag_add(p->diags, JN_D_KIND_UNKNOWN, place, jni_clipped(p->arena, t->text, t->length),
                    kind    ? did_you_mean(p, kind)
                    : usual ? jn_arena_printf(p->arena, "%s; %s", usual, kinds)
                            : kinds);
    return false;
}

/* "Cell c1(1e-3, 5)"; the brackets may be left away when the submodel is known */
static bool parse_instance(parser *p, jn_ast *s)
{
    token first = p->tok;
    bool known = jni_is_submodel(p, first.text);
    s->kind = JN_AST_INSTANCE;
    s->u.instance.submodel = first.text;
    s->u.instance.submodel_place = jni_token_place(p, &first);
    jni_advance(p);
    if (!known && jni_word_reserved(p->tok.text))
        return unknown_kind(p, &first);
    if (!jni_parse_name(p, &s->u.instance.name, "the instance's name"))
        return false;
    if (p->tok.type == T_OPEN)
        return jni_parse_arguments(p, &s->u.instance.arg, &s->u.instance.nargs);
    return known || unknown_kind(p, &first);
}

static bool unknown_statement(parser *p)
{
    const token *t = &p->tok;
    token_type next = p->ahead.type;
    if (t->type == T_BAD || next == T_BAD)
        return false;
    if (t->type == T_NAME && (next == T_MINUS || next == T_LT || next == T_GT)) {
        jni_advance(p);
        return jni_fail_expected(p, "'->'", bond_advice);
    }
    const char *advice = "a line declares an element ('R R1 = 5'), draws bonds ('a -> b') or "
                         "begins with a word such as 'switch'";
    if (t->type == T_NAME) {
        const char *word = jni_nearest(p, t->text, jni_statement_words);
        if (word)
            advice = did_you_mean(p, word);
        else if (next == T_EQ)
            advice = jn_arena_printf(p->arena, "write 'param %s = …', or a kind before the name",
                                     jni_clipped(p->arena, t->text, t->length));
    }
    jn_diag_add(p->diags, JN_D_STATEMENT_UNKNOWN, jni_token_place(p, t), jni_token_shown(p, t),
                advice);
    return false;
}

/* ---- which one? ---------------------------------------------------------------------------- */

static bool (*const statement_parser[])(parser *p, jn_ast *s) = {
    parse_model,    parse_param,    jni_parse_switch, jni_parse_automaton, parse_signal,
    parse_output,   parse_simulate, parse_submodel,   parse_ports,         parse_for,
    parse_discrete, parse_assert,   parse_bound,      parse_domain};

/* The word that begins a line decides, with the token after it: kinds may also be names, so
 * "I -> n" is a bond and "I I = 3" an element. */
static bool parse_line_of_word(parser *p, jn_ast *s)
{
    token_type next = p->ahead.type;
    jn_kind kind;
    bool bond = next == T_ARROW || next == T_COLON || next == T_DOT || next == T_OPEN_INDEX;
    if (bond)
        return parse_bonds(p, s);
    for (int i = 0; i < jni_statement_words.n; i++)
        if (jni_at_word(p, jni_statement_words.word[i]))
            return statement_parser[i](p, s);
    if (jni_kind_of(&kind, p->tok.text))
        return jni_parse_element(p, s);
    return next == T_NAME ? parse_instance(p, s) : unknown_statement(p);
}

bool jni_parse_statement(parser *p, jn_ast *s)
{
    if (p->tok.type == T_NAME)
        return parse_line_of_word(p, s);
    jn_kind kind;
    bool number = p->tok.type == T_NUMBER;
    if (number && jni_kind_of(&kind, p->tok.text))
        return jni_parse_element(p, s);
    if (number && p->ahead.type == T_NAME)
        return unknown_kind(p, &p->tok);
    return unknown_statement(p);
}
