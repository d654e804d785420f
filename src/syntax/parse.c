/* parse.c: tokens into a tree, and what happens when that fails.
 *
 * Recursive descent with one token of lookahead. Every error of a file should come in one go
 * and none should be the echo of another, so:
 *   - a statement reports at most one error of syntax and is given up: jni_recover() goes to the
 *     end of its line, silently. A line that ends in '{' takes its whole block along;
 *   - an error in the head of a block gives up the head only, the lines inside are read;
 *   - what the lexer has reported (T_BAD) is not reported again.
 * A statement given up leaves nothing in the tree; the tree is then not to be used. */
#include <stdlib.h>
#include <string.h>

#include "syntax_internal.h"

/* ---- tokens -------------------------------------------------------------------------------- */

void jni_advance(parser *p)
{
    p->last_end = p->tok.offset + p->tok.length;
    p->tok = p->ahead;
    p->ahead = jni_lexer_next(&p->lex);
}

bool jni_accept(parser *p, token_type type)
{
    if (p->tok.type != type)
        return false;
    jni_advance(p);
    return true;
}

bool jni_at_word(const parser *p, const char *word)
{
    return p->tok.type == T_NAME && strcmp(p->tok.text, word) == 0;
}

bool jni_accept_word(parser *p, const char *word)
{
    if (!jni_at_word(p, word))
        return false;
    jni_advance(p);
    return true;
}

jn_place jni_token_place(const parser *p, const token *t)
{
    return (jn_place){p->source, t->offset, t->length};
}

jn_place jni_place_from(const parser *p, size_t start)
{
    return (jn_place){p->source, start, p->last_end > start ? p->last_end - start : 0};
}

/* ---- reporting ----------------------------------------------------------------------------- */

const char *jni_clipped(jn_arena *a, const char *s, size_t n)
{
    enum { SHOWN = 40 };
    if (n <= SHOWN)
        return jn_arena_strndup(a, s, n);
    return jn_arena_printf(a, "%.*s…", SHOWN, s);
}

const char *jni_token_shown(const parser *p, const token *t)
{
    if (t->type == T_END)
        return "the end of the file";
    if (t->type == T_NEWLINE)
        return "the end of the line";
    if (t->type == T_TEXT)
        return "a text";
    const char *s = jni_clipped(p->arena, p->source->text + t->offset, t->length);
    return jn_arena_printf(p->arena, "'%s'", s);
}

bool jni_fail_expected(parser *p, const char *what, const char *advice)
{
    if (p->tok.type != T_BAD)
        jn_diag_add(p->diags, JN_D_EXPECTED, jni_token_place(p, &p->tok), what,
                    jni_token_shown(p, &p->tok), advice);
    return false;
}

bool jni_fail_reserved(parser *p, const token *t)
{
    jn_diag_add(p->diags, JN_D_NAME_RESERVED, jni_token_place(p, t), t->text, t->text, t->text);
    return false;
}

const char *jni_nearest(const parser *p, const char *word, word_list list)
{
    bool kept = jn_diags_errors(p->diags) < JN_DIAGS_MAX;
    return kept ? jn_closest(word, list.word, list.n) : NULL;
}

bool jni_expect(parser *p, token_type type, const char *what, const char *advice)
{
    return jni_accept(p, type) || jni_fail_expected(p, what, advice);
}

bool jni_nest(parser *p, int *levels, int most, const char *what, const char *advice)
{
    if ((*levels)++ < most)
        return true;
    jn_diag_add(p->diags, JN_D_NESTING_DEEP, jni_token_place(p, &p->tok), what, most, advice);
    return false;
}

void *jni_list_more(jn_arena *a, const void *items, int n, size_t item_size)
{
    if (n & (n - 1))
        return (void *)items;
    void *more = jn_arena_alloc(a, (n ? 2 * (size_t)n : 1) * item_size);
    if (n)
        memcpy(more, items, (size_t)n * item_size);
    return more;
}

/* ---- recovery ------------------------------------------------------------------------------ */

static bool ends_line(token_type type)
{
    return type == T_NEWLINE || type == T_END;
}

/* Goes past one token; what the lexer sees on the line that is given up is not reported. */
static void skip(parser *p, bool in_block)
{
    p->lex.quiet = in_block || !(ends_line(p->ahead.type) || p->ahead.type == T_SEMICOLON);
    jni_advance(p);
    p->lex.quiet = false;
}

/* From behind a '{' to behind its '}'. */
void jni_skip_block(parser *p)
{
    for (int depth = 1; depth > 0 && p->tok.type != T_END; skip(p, depth > 0)) {
        if (p->tok.type == T_OPEN_BLOCK)
            depth++;
        else if (p->tok.type == T_CLOSE_BLOCK)
            depth--;
    }
}

/* From an error between braces to behind the '}', unless that is missing on the line. */
void jni_leave_braces(parser *p)
{
    if (ends_line(p->tok.type)) {
        if (p->source->text[p->last_end - 1] == '{')
            jni_skip_block(p);
        return;
    }
    while (p->tok.type != T_CLOSE_BLOCK && !ends_line(p->tok.type))
        skip(p, false);
    if (p->tok.type == T_CLOSE_BLOCK)
        skip(p, false);
}

/* From an error to the next statement, for one that began at start. */
void jni_recover(parser *p, size_t start)
{
    if (p->tok.first && p->tok.offset > start)
        return;    /* the error was met at the start of a new line */
    int depth = 0; /* of braces opened and closed on this line */
    while (p->tok.type != T_END && !(p->tok.type == T_CLOSE_BLOCK && depth == 0)) {
        if (jni_accept(p, T_NEWLINE) || (depth <= 0 && jni_accept(p, T_SEMICOLON)))
            return;
        bool block = p->tok.type == T_OPEN_BLOCK && ends_line(p->ahead.type);
        if (!block)
            depth += (p->tok.type == T_OPEN_BLOCK) - (p->tok.type == T_CLOSE_BLOCK);
        skip(p, block);
        if (block)
            jni_skip_block(p);
    }
}

/* ---- lines and blocks ---------------------------------------------------------------------- */

static const char *advice_after(const parser *p)
{
    const token *t = &p->tok;
    if (t->type == T_NAME && jni_word_in(jni_option_words, t->text))
        return "options follow a comma";
    if (t->type == T_NAME || t->type == T_NUMBER || t->type == T_OPEN)
        return "one statement a line; a product needs '*'";
    return "one statement a line";
}

/* A statement ends with its line, with ';', or before the '}' of its block. */
bool jni_end_statement(parser *p, const char **comment)
{
    bool separated = false;
    while (jni_accept(p, T_SEMICOLON))
        separated = true;
    if (p->tok.type == T_NEWLINE) {
        *comment = p->tok.text;
        jni_advance(p);
        return true;
    }
    if (separated || p->tok.type == T_END || p->tok.type == T_CLOSE_BLOCK)
        return true;
    if (p->tok.type != T_BAD)
        jn_diag_add(p->diags, JN_D_STATEMENT_TRAILING, jni_token_place(p, &p->tok),
                    jni_token_shown(p, &p->tok), advice_after(p));
    return false;
}

/* The '{', at the end of the head's line or at the start of the next; the comment after it is
 * the statement's. */
static bool open_block(parser *p, jn_ast *s, jn_place *brace)
{
    if (p->tok.type == T_NEWLINE && p->ahead.type == T_OPEN_BLOCK) {
        s->comment = p->tok.text;
        jni_advance(p);
    }
    *brace = jni_token_place(p, &p->tok);
    if (!jni_expect(p, T_OPEN_BLOCK, "'{'", "a block begins with '{' and ends with '}'"))
        return false;
    if (p->tok.type == T_NEWLINE) {
        s->comment = p->tok.text ? p->tok.text : s->comment;
        jni_advance(p);
    }
    return true;
}

/* The block that belongs to a head: after one with an error, the '{' is looked for on its line,
 * so that the lines inside are read. */
bool jni_find_block(parser *p, jn_ast *s, bool head_good, jn_place *brace)
{
    while (!head_good && p->tok.type != T_OPEN_BLOCK) {
        if (ends_line(p->tok.type) || p->tok.type == T_CLOSE_BLOCK)
            return false;
        skip(p, false);
    }
    return open_block(p, s, brace);
}

bool jni_close_block(parser *p, jn_place brace, const char *what)
{
    if (jni_accept(p, T_CLOSE_BLOCK))
        return true;
    jn_diag_add(p->diags, JN_D_BLOCK_OPEN, brace, what);
    return false;
}

static void add(parser *p, jn_ast_block *block, jn_ast *s)
{
    PUSH(p, block->item, block->n);
    block->item[block->n++] = s;
}

static bool is_blank(const jn_ast *s)
{
    return s->kind == JN_AST_COMMENT && !s->u.comment_line.text;
}

/* A line without a statement. Of several blank lines one is kept, at the ends of a block none. */
static void comment_line(parser *p, jn_ast_block *block)
{
    jn_ast *s = jn_arena_alloc(p->arena, sizeof *s);
    s->kind = JN_AST_COMMENT;
    s->place = jni_token_place(p, &p->tok);
    s->u.comment_line.text = p->tok.text;
    jni_advance(p);
    bool after_blank = block->n == 0 || is_blank(block->item[block->n - 1]);
    if (!(is_blank(s) && after_blank))
        add(p, block, s);
}

static bool is_block(jn_ast_kind kind)
{
    return kind == JN_AST_AUTOMATON || kind == JN_AST_SUBMODEL || kind == JN_AST_FOR;
}

static void statement(parser *p, jn_ast_block *block)
{
    jn_ast *s = jn_arena_alloc(p->arena, sizeof *s);
    size_t start = p->tok.offset;
    bool good = jni_parse_statement(p, s);
    s->place = jni_place_from(p, start);
    if (good && jni_end_statement(p, is_block(s->kind) ? &s->end_comment : &s->comment))
        add(p, block, s);
    else
        jni_recover(p, start);
}

/* Statements up to a '}' or the end of the file. */
void jni_parse_block(parser *p, jn_ast_block *out)
{
    *out = (jn_ast_block){0};
    while (p->tok.type != T_END && p->tok.type != T_CLOSE_BLOCK) {
        if (p->tok.type == T_NEWLINE)
            comment_line(p, out);
        else if (!jni_accept(p, T_SEMICOLON))
            statement(p, out);
    }
    if (out->n > 0 && is_blank(out->item[out->n - 1]))
        out->n--;
}

/* ---- a file -------------------------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool jni_is_submodel(const parser *p, const char *name)
{
    return p->nsubmodels &&
           bsearch(&name, p->submodel, (size_t)p->nsubmodels, sizeof *p->submodel, by_text);
}

/* The names of submodels are needed before they are declared: in "Tank t1", Tank may be one, or
 * a kind that does not exist. */
static void find_submodels(parser *p)
{
    const char *at = p->source->text;
    while ((at = strstr(at, "submodel"))) {
        at += strlen("submodel");
        at += strspn(at, " \t");
        size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        if (n == 0)
            continue;
        PUSH(p, p->submodel, p->nsubmodels);
        p->submodel[p->nsubmodels++] = jn_arena_strndup(p->arena, at, n);
    }
    if (p->nsubmodels)
        qsort(p->submodel, (size_t)p->nsubmodels, sizeof *p->submodel, by_text);
}

/* Texts in the tree end with a NUL: none may stand inside. */
static bool has_nul(const jn_source *s, jn_diags *d)
{
    const char *nul = memchr(s->text, 0, s->len);
    if (nul)
        jn_diag_add(d, JN_D_CHARACTER_UNEXPECTED, (jn_place){s, (size_t)(nul - s->text), 1},
                    "byte 0x00", "a model file is plain text in UTF-8");
    return nul;
}

jn_status jn_syntax_parse(jn_ast_block *out, jn_arena *a, const jn_source *s, jn_diags *d)
{
    int errors_before = jn_diags_errors(d);
    *out = (jn_ast_block){0};
    if (has_nul(s, d))
        return JN_INVALID;
    parser p = {.arena = a, .diags = d, .source = s};
    jni_lexer_init(&p.lex, a, s, d);
    find_submodels(&p);
    p.tok = jni_lexer_next(&p.lex);
    p.ahead = jni_lexer_next(&p.lex);
    jni_parse_block(&p, out);
    while (p.tok.type != T_END) {
        jn_diag_add(d, JN_D_BLOCK_STRAY, jni_token_place(&p, &p.tok));
        jni_advance(&p);
        jni_recover(&p, 0);
        jn_ast_block rest; /* not in the tree: it has an error anyway */
        jni_parse_block(&p, &rest);
    }
    jn_diags_sort(d); /* the lexer is a token ahead of the parser */
    return jn_diags_errors(d) > errors_before ? JN_INVALID : JN_OK;
}

jn_status jn_syntax_parse_expr(const jn_ast_expr **out, jn_arena *a, const jn_source *s,
                               jn_diags *d)
{
    int errors_before = jn_diags_errors(d);
    *out = NULL;
    if (has_nul(s, d))
        return JN_INVALID;
    parser p = {.arena = a, .diags = d, .source = s};
    jni_lexer_init(&p.lex, a, s, d);
    p.lex.statement_start = false;
    p.tok = jni_lexer_next(&p.lex);
    p.ahead = jni_lexer_next(&p.lex);
    *out = jni_parse_expr(&p);
    jni_accept(&p, T_NEWLINE);
    if (*out && p.tok.type != T_END)
        jni_fail_expected(&p, "an operator or the end of the expression", "");
    jn_diags_sort(d);
    return jn_diags_errors(d) > errors_before ? JN_INVALID : JN_OK;
}
