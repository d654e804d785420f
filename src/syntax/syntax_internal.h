/* syntax_internal.h: what the files of the syntax stage share. */
#ifndef SYNTAX_INTERNAL_H
#define SYNTAX_INTERNAL_H

#include "junct/syntax.h"

/* ---- words (words.c) ----------------------------------------------------------------------- */

typedef struct {
    const char *const *word;
    int n;
} word_list;

extern const word_list jni_statement_words, jni_option_words, jni_kind_words, jni_law_words;

bool jni_word_in(word_list list, const char *word);
/* Names that would make a text ambiguous: statement words, and, or, not, when, t, pi. */
bool jni_word_reserved(const char *word);
bool jni_kind_of(jn_kind *kind, const char *word);

/* ---- tokens (lex.c) ------------------------------------------------------------------------ */

typedef enum {
    T_END,
    T_NEWLINE, /* the end of a line, with the comment before it */
    T_SEMICOLON,
    T_BAD, /* already reported */
    T_NAME,
    T_NUMBER,
    T_TEXT,
    T_ARROW,
    T_DOTS,
    T_DOT,
    T_COMMA,
    T_COLON,
    T_OPEN,
    T_CLOSE, /* ( ) */
    T_OPEN_INDEX,
    T_CLOSE_INDEX,
    T_OPEN_BLOCK,
    T_CLOSE_BLOCK,
    T_PLUS,
    T_MINUS,
    T_TIMES,
    T_OVER,
    T_POWER,
    T_LT,
    T_LE,
    T_EQ,
    T_GE,
    T_GT,
    T_NOT,
    T_AND,
    T_OR
} token_type;

typedef struct {
    token_type type;
    bool first; /* on its line */
    size_t offset, length;
    const char *text; /* names and numbers: as written; texts: escapes resolved;
                         line ends: the comment, or NULL */
} token;

typedef struct {
    const jn_source *source;
    jn_arena *arena;
    jn_diags *diags;
    bool quiet;      /* while the parser skips: no errors */
    size_t at;       /* the next byte */
    size_t last_end; /* where the last token ended */
    bool line_start;
    int brackets; /* '[' that are open on this line: in them ';' ends a row */
    bool statement_start; /* there 0 and 1 are kinds of elements */
} lexer;

void jni_lexer_init(lexer *l, jn_arena *a, const jn_source *s, jn_diags *d);
token jni_lexer_next(lexer *l);

/* ---- the parser (parse.c) ------------------------------------------------------------------ */

enum {
    NESTING_MAX = 200, /* brackets and signs inside each other */
    BLOCKS_MAX = 100,
    HEIGHT_MAX = 2000 /* operations of an expression inside each other: a sum has so many terms */
};

typedef struct {
    lexer lex;
    jn_arena *arena;
    jn_diags *diags;
    const jn_source *source;
    token tok, ahead;
    size_t last_end;     /* where the token before tok ended */
    int nesting, blocks; /* how deep it is in expressions, in blocks */
    bool units_follow;   /* in an output: "speed [m/s]" has a unit, no index */
    int nsubmodels;
    const char **submodel; /* names declared anywhere in the file, sorted */
} parser;

void jni_advance(parser *p);
bool jni_accept(parser *p, token_type type);
bool jni_at_word(const parser *p, const char *word);
bool jni_accept_word(parser *p, const char *word);
/* Consumes the token, or reports: expected what, found …. Advice may be "". */
bool jni_expect(parser *p, token_type type, const char *what, const char *advice);

jn_place jni_token_place(const parser *p, const token *t);
jn_place jni_place_from(const parser *p, size_t start); /* to the end of the last token */

/* Reporting. A token that the lexer has reported already is not reported again. */
bool jni_fail_expected(parser *p, const char *what, const char *advice); /* always false */
bool jni_fail_reserved(parser *p, const token *t);                       /* always false */
const char *jni_token_shown(const parser *p, const token *t); /* "'->'", "the end of the line" */
/* jn_closest, but NULL once no more errors are kept: a long file may have very many. */
const char *jni_nearest(const parser *p, const char *word, word_list list);
const char *jni_clipped(jn_arena *a, const char *s, size_t n); /* not too long for a message */

/* One more level, to be undone by --*levels; false, and reported, when there are too many. */
bool jni_nest(parser *p, int *levels, int most, const char *what, const char *advice);

/* Room for one more item of a list in the arena: capacities are powers of two. */
#define PUSH(p, items, n) ((items) = jni_list_more((p)->arena, (items), (n), sizeof *(items)))
void *jni_list_more(jn_arena *a, const void *items, int n, size_t item_size);

/* ---- expressions and names (parse_expr.c) -------------------------------------------------- */

const jn_ast_expr *jni_parse_expr(parser *p); /* NULL: failed, and reported */
const jn_ast_expr *jni_parse_sum(parser *p);  /* one side of a comparison */
bool jni_parse_name(parser *p, jn_ast_name *out, const char *what);
/* A name without index or dots. */
bool jni_parse_word(parser *p, const char **out, jn_place *place, const char *what);
/* "(a, b)", the opening bracket being the current token. */
bool jni_parse_arguments(parser *p, const jn_ast_expr ***args, int *n);

/* ---- statements ---------------------------------------------------------------------------- */

/* Each consumes its statement up to the end of the line. False: failed, and reported. */
bool jni_parse_element(parser *p, jn_ast *s);   /* parse_element.c */
bool jni_parse_switch(parser *p, jn_ast *s);    /* parse_switch.c */
bool jni_parse_automaton(parser *p, jn_ast *s); /* parse_switch.c */
bool jni_parse_statement(parser *p, jn_ast *s); /* parse_statement.c */

bool jni_is_submodel(const parser *p, const char *name); /* parse.c */

/* parse.c: the lines between '{' and '}'. */
bool jni_find_block(parser *p, jn_ast *s, bool head_good, jn_place *brace);
void jni_skip_block(parser *p);
void jni_leave_braces(parser *p);
bool jni_close_block(parser *p, jn_place brace, const char *what);
bool jni_end_statement(parser *p, const char **comment);
void jni_recover(parser *p, size_t start);
void jni_parse_block(parser *p, jn_ast_block *out);

#endif
