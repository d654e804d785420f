/* parse_expr.c: expressions, conditions, names.
 *
 *     or      = and { "or" and }                    loosest
 *     and     = not { "and" not }
 *     not     = "not" not | compare
 *     compare = sum [ ("<" | "<=" | "=" | ">=" | ">") sum ]
 *     sum     = product { ("+" | "-") product }
 *     product = sign { ("*" | "/") sign }
 *     sign    = ("-" | "+") sign | power
 *     power   = primary [ "^" sign ]                tightest, to the right: -a^2 = -(a^2)
 *     primary = number | name | name "(" arguments ")" | "(" or ")"
 *
 * Values and conditions share one grammar; which is wanted where is a question of meaning, and
 * the graph stage's. */
#include <string.h>

#include "junct/unit.h"
#include "syntax_internal.h"

/* Every tree that is handed out has a bounded height, so that later stages may walk it by
 * recursion. A node knows its height until parsing is over. */
typedef struct {
    jn_ast_expr expr;
    int height;
} node;

static int height_of(const jn_ast_expr *e)
{
    return ((const node *)e)->height;
}

static const jn_ast_expr *parse_or(parser *p);
static const jn_ast_expr *parse_sign(parser *p);

static jn_ast_expr *new_expr(parser *p, jn_ast_op op, size_t start)
{
    node *x = jn_arena_alloc(p->arena, sizeof *x);
    x->expr.op = op;
    x->expr.place = jni_place_from(p, start);
    x->height = 0;
    return &x->expr;
}

/* The expression above what is below; false, and reported, when it becomes too high. */
static bool lift(parser *p, jn_ast_expr *e, const jn_ast_expr *below)
{
    node *x = (node *)e;
    if (height_of(below) >= x->height)
        x->height = height_of(below) + 1;
    if (x->height <= HEIGHT_MAX)
        return true;
    jn_diag_add(p->diags, JN_D_NESTING_DEEP, e->place, "this expression has too many operations",
                HEIGHT_MAX, "split it with 'signal' or 'param' statements");
    return false;
}

static const jn_ast_expr *join(parser *p, jn_ast_op op, const jn_ast_expr *a, const jn_ast_expr *b)
{
    if (!a || !b)
        return NULL;
    jn_ast_expr *e = new_expr(p, op, a->place.offset);
    e->arg = jn_arena_alloc(p->arena, 2 * sizeof *e->arg);
    e->nargs = 2;
    e->arg[0] = a;
    e->arg[1] = b;
    return lift(p, e, a) && lift(p, e, b) ? e : NULL;
}

static const jn_ast_expr *apply(parser *p, jn_ast_op op, size_t start, const jn_ast_expr *a)
{
    if (!a)
        return NULL;
    jn_ast_expr *e = new_expr(p, op, start);
    e->arg = jn_arena_alloc(p->arena, sizeof *e->arg);
    e->nargs = 1;
    e->arg[0] = a;
    return lift(p, e, a) ? e : NULL;
}

static bool nest_expr(parser *p)
{
    return jni_nest(p, &p->nesting, NESTING_MAX, "this expression is nested too deeply",
                    "split it with 'signal' or 'param' statements");
}

/* ---- names --------------------------------------------------------------------------------- */

static bool at_reserved(const parser *p)
{
    return p->tok.type == T_AND || p->tok.type == T_OR || p->tok.type == T_NOT ||
           (p->tok.type == T_NAME && jni_word_reserved(p->tok.text));
}

bool jni_parse_word(parser *p, const char **out, jn_place *place, const char *what)
{
    if (at_reserved(p))
        return p->tok.text ? jni_fail_reserved(p, &p->tok) : jni_fail_expected(p, what, "");
    *out = p->tok.text;
    *place = jni_token_place(p, &p->tok);
    return jni_expect(p, T_NAME, what, "");
}

/* The closing bracket; the error points at the opening one when the line ends before it. */
static bool close_bracket(parser *p, token_type close, const token *open)
{
    char opened = open->type == T_OPEN ? '(' : '[', closing = close == T_CLOSE ? ')' : ']';
    if (jni_accept(p, close))
        return true;
    if (p->tok.type == T_NEWLINE || p->tok.type == T_END || p->tok.type == T_OPEN_BLOCK) {
        jn_diag_add(p->diags, JN_D_BRACKET_OPEN, jni_token_place(p, open), opened, closing);
        return false;
    }
    return jni_fail_expected(p, close == T_CLOSE ? "an operator, ',' or ')'" : "an operator or ']'",
                             "");
}

static bool parse_index(parser *p, const jn_ast_expr **out)
{
    token open = p->tok;
    if (p->units_follow && open.offset > p->last_end)
        return true;
    if (!jni_accept(p, T_OPEN_INDEX))
        return true;
    *out = jni_parse_expr(p);
    return *out && close_bracket(p, T_CLOSE_INDEX, &open);
}

/* What follows a name's first word: indices and dotted parts. */
static bool name_rest(parser *p, jn_ast_name *out, const char *first, size_t start)
{
    *out = (jn_ast_name){0};
    const char *word = first;
    for (;;) {
        PUSH(p, out->part, out->nparts);
        struct jn_ast_name_part *part = &out->part[out->nparts++];
        part->text = word;
        part->index = NULL;
        if (!parse_index(p, &part->index))
            return false;
        out->place = jni_place_from(p, start);
        jn_place ignored;
        if (!jni_accept(p, T_DOT))
            return true;
        if (!jni_parse_word(p, &word, &ignored, "a name after '.'"))
            return false;
    }
}

bool jni_parse_name(parser *p, jn_ast_name *out, const char *what)
{
    const char *first = NULL;
    jn_place place = {0};
    return jni_parse_word(p, &first, &place, what) && name_rest(p, out, first, place.offset);
}

/* ---- primaries ----------------------------------------------------------------------------- */

/* A text stands only as an argument: table("file.csv", "column"). */
static const jn_ast_expr *parse_argument(parser *p)
{
    if (p->tok.type != T_TEXT)
        return jni_parse_expr(p);
    token t = p->tok;
    jni_advance(p);
    jn_ast_expr *e = new_expr(p, JN_AST_STRING, t.offset);
    e->text = t.text;
    return e;
}

bool jni_parse_arguments(parser *p, const jn_ast_expr ***args, int *n)
{
    token open = p->tok;
    jni_advance(p);
    *args = NULL;
    *n = 0;
    if (jni_accept(p, T_CLOSE))
        return true;
    do {
        const jn_ast_expr *e = parse_argument(p);
        if (!e)
            return false;
        PUSH(p, *args, *n);
        (*args)[(*n)++] = e;
    } while (jni_accept(p, T_COMMA));
    return close_bracket(p, T_CLOSE, &open);
}

static const jn_ast_expr *parse_call(parser *p)
{
    token function = p->tok;
    jni_advance(p);
    const jn_ast_expr **args;
    int n;
    if (!jni_parse_arguments(p, &args, &n))
        return NULL;
    jn_ast_expr *e = new_expr(p, JN_AST_CALL, function.offset);
    e->text = function.text;
    e->arg = args;
    e->nargs = n;
    for (int i = 0; i < n; i++)
        if (!lift(p, e, args[i]))
            return NULL;
    return e;
}

static const jn_ast_expr *parse_name_expr(parser *p)
{
    token first = p->tok;
    bool constant = jni_at_word(p, "t") || jni_at_word(p, "pi");
    if (at_reserved(p) && !constant) {
        jni_fail_reserved(p, &p->tok);
        return NULL;
    }
    if (p->ahead.type == T_OPEN)
        return parse_call(p);
    jni_advance(p);
    jn_ast_name name;
    if (!name_rest(p, &name, first.text, first.offset))
        return NULL;
    jn_ast_expr *e = new_expr(p, JN_AST_NAME, first.offset);
    e->name = name;
    for (int i = 0; i < name.nparts; i++)
        if (name.part[i].index && !lift(p, e, name.part[i].index))
            return NULL;
    return e;
}

/* Brackets leave no node; they count in the place of what is inside. */
static const jn_ast_expr *parse_bracket(parser *p)
{
    token open = p->tok;
    jni_advance(p);
    jn_ast_expr *e = (jn_ast_expr *)parse_or(p);
    if (!e || !close_bracket(p, T_CLOSE, &open))
        return NULL;
    e->place = jni_place_from(p, open.offset);
    return e;
}

/* Whether the word behind a number was meant as a unit: it does not go on with the statement. */
static bool at_unknown_unit(const parser *p)
{
    static const char *const following[] = {"to", "every", "on", "off", "at", "initial"};
    const word_list goes_on = {following, sizeof following / sizeof *following};
    jn_kind kind;
    const char *word = p->tok.text;
    if (p->tok.type != T_NAME || p->tok.first || p->ahead.type == T_OPEN ||
        jni_word_reserved(word) || jni_word_in(jni_option_words, word) ||
        jni_kind_of(&kind, word) || jni_word_in(goes_on, word))
        return false;
    return p->ahead.type != T_NAME || jni_word_in(goes_on, p->ahead.text);
}

/* The unit that differs in the case of some letters: kOhm for KOhm, mH for mh; NULL: none. */
static const char *unit_in_other_case(const parser *p)
{
    enum { LETTERS = 6 };
    size_t n = p->tok.length;
    jn_unit u;
    char word[LETTERS + 1];
    for (unsigned flips = 1; n <= LETTERS && flips < 1u << n; flips++) {
        for (size_t i = 0; i < n; i++) {
            char c = p->tok.text[i];
            bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            word[i] = letter && (flips >> i & 1) ? (char)(c ^ 0x20) : c;
        }
        word[n] = 0;
        if (jn_unit_scan(&u, word, n) == n)
            return jn_arena_strndup(p->arena, word, n);
    }
    return NULL;
}

static const jn_ast_expr *fail_unit(parser *p)
{
    const char *words[100];
    int n = 0;
    while (n < 100 && jn_unit_word(n))
        words[n] = jn_unit_word(n), n++;
    int ten;
    bool prefix = jn_prefix_scan(&ten, p->tok.text, p->tok.length) == p->tok.length;
    const char *near = prefix ? NULL : unit_in_other_case(p);
    if (!prefix && !near)
        near = jni_nearest(p, p->tok.text, (word_list){words, n});
    const char *advice =
        "the manual lists the units; a product needs '*', a further option a comma before it; "
        "one statement a line";
    jn_unit u;
    if (jn_unit_scan(&u, p->tok.text, p->tok.length) == p->tok.length)
        advice = "units are joined by '*' and '/', without spaces: 2 V*s";
    else if (prefix)
        advice = "a prefix stands right behind its number, as in 10k; a product needs '*'";
    else if (near)
        advice = jn_arena_printf(p->arena, "did you mean '%s'? A product needs '*'", near);
    jn_diag_add(p->diags, JN_D_UNIT_UNKNOWN, jni_token_place(p, &p->tok),
                jni_clipped(p->arena, p->tok.text, p->tok.length), advice);
    return NULL;
}

static const jn_ast_expr *parse_number(parser *p)
{
    token t = p->tok;
    jni_advance(p);
    if (at_unknown_unit(p))
        return fail_unit(p);
    jn_ast_expr *e = new_expr(p, JN_AST_NUMBER, t.offset);
    e->text = t.text;
    return e;
}

static const jn_ast_expr *parse_primary(parser *p)
{
    if (p->tok.type == T_NUMBER)
        return parse_number(p);
    if (p->tok.type == T_NAME)
        return parse_name_expr(p);
    if (p->tok.type == T_OPEN)
        return parse_bracket(p);
    jni_fail_expected(p, "a value", p->tok.type == T_NOT ? "put 'not …' in brackets" : "");
    return NULL;
}

/* ---- operators ----------------------------------------------------------------------------- */

static const jn_ast_expr *parse_power(parser *p)
{
    const jn_ast_expr *a = parse_primary(p);
    if (!a || !jni_accept(p, T_POWER))
        return a;
    return join(p, JN_AST_POW, a, parse_sign(p));
}

/* All recursion passes through here, so here it is counted. */
static const jn_ast_expr *parse_sign(parser *p)
{
    const jn_ast_expr *e;
    size_t start = p->tok.offset;
    if (!nest_expr(p))
        e = NULL;
    else if (jni_accept(p, T_MINUS))
        e = apply(p, JN_AST_NEG, start, parse_sign(p));
    else if (jni_accept(p, T_PLUS))
        e = parse_sign(p);
    else
        e = parse_power(p);
    p->nesting--;
    return e;
}

static const jn_ast_expr *parse_product(parser *p)
{
    const jn_ast_expr *a = parse_sign(p);
    while (a && (p->tok.type == T_TIMES || p->tok.type == T_OVER)) {
        jn_ast_op op = p->tok.type == T_TIMES ? JN_AST_MUL : JN_AST_DIV;
        jni_advance(p);
        a = join(p, op, a, parse_sign(p));
    }
    return a;
}

const jn_ast_expr *jni_parse_sum(parser *p)
{
    const jn_ast_expr *a = parse_product(p);
    while (a && (p->tok.type == T_PLUS || p->tok.type == T_MINUS)) {
        jn_ast_op op = p->tok.type == T_PLUS ? JN_AST_ADD : JN_AST_SUB;
        jni_advance(p);
        a = join(p, op, a, parse_product(p));
    }
    return a;
}

static bool is_comparison(token_type type)
{
    return type >= T_LT && type <= T_GT;
}

static const jn_ast_expr *parse_compare(parser *p)
{
    const jn_ast_expr *a = jni_parse_sum(p);
    if (!a || !is_comparison(p->tok.type))
        return a;
    jn_ast_op op = JN_AST_LT + (p->tok.type - T_LT);
    jni_advance(p);
    a = join(p, op, a, jni_parse_sum(p));
    if (a && is_comparison(p->tok.type)) {
        jn_diag_add(p->diags, JN_D_COMPARISON_CHAIN, jni_token_place(p, &p->tok));
        return NULL;
    }
    return a;
}

static const jn_ast_expr *parse_not(parser *p)
{
    size_t start = p->tok.offset;
    if (!jni_accept(p, T_NOT))
        return parse_compare(p);
    const jn_ast_expr *e = nest_expr(p) ? apply(p, JN_AST_NOT, start, parse_not(p)) : NULL;
    p->nesting--;
    return e;
}

static const jn_ast_expr *parse_and(parser *p)
{
    const jn_ast_expr *a = parse_not(p);
    while (a && jni_accept(p, T_AND))
        a = join(p, JN_AST_AND, a, parse_not(p));
    return a;
}

static const jn_ast_expr *parse_or(parser *p)
{
    const jn_ast_expr *a = parse_and(p);
    while (a && jni_accept(p, T_OR))
        a = join(p, JN_AST_OR, a, parse_and(p));
    return a;
}

const jn_ast_expr *jni_parse_expr(parser *p)
{
    return parse_or(p);
}
