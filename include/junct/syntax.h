/* syntax.h: a model file as a tree, and back to text.
 *
 * The tree holds what was written, nothing more: numbers as spelled, names unresolved, loops
 * and submodels not yet expanded, comments where they stood. It lives in an arena.
 *
 * jn_syntax_parse reports every error it can find and goes on with the next line; the tree is
 * only good to use when it returned JN_OK. */
#ifndef JUNCT_SYNTAX_H
#define JUNCT_SYNTAX_H

#include "junct/diag.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- expressions --------------------------------------------------------------------------- */

typedef enum {
    JN_AST_NUMBER, /* text: as spelled */
    JN_AST_STRING, /* text: without the quotes, escapes resolved */
    JN_AST_NAME,   /* name */
    JN_AST_CALL,   /* text: the function; arg */
    JN_AST_NEG,    /* arg[0] */
    JN_AST_ADD, JN_AST_SUB, JN_AST_MUL, JN_AST_DIV, JN_AST_POW,
    JN_AST_LT, JN_AST_LE, JN_AST_EQ, JN_AST_GE, JN_AST_GT,
    JN_AST_NOT, JN_AST_AND, JN_AST_OR
} jn_ast_op;

typedef struct jn_ast_expr jn_ast_expr;

/* A name as written: c1, name[k], c[k+1].a — parts joined by dots, each with an optional index. */
typedef struct {
    jn_place place;
    int nparts;
    struct jn_ast_name_part {
        const char *text;
        const jn_ast_expr *index; /* NULL: none */
    } *part;
} jn_ast_name;

struct jn_ast_expr {
    jn_ast_op op;
    jn_place place;
    const char *text;
    jn_ast_name name;
    int nargs;
    const jn_ast_expr **arg;
};

/* ---- statements ---------------------------------------------------------------------------- */

typedef enum {
    JN_AST_MODEL, JN_AST_PARAM, JN_AST_ELEMENT, JN_AST_BONDS, JN_AST_SWITCH, JN_AST_AUTOMATON,
    JN_AST_SIGNAL, JN_AST_DISCRETE, JN_AST_ASSERT, JN_AST_BOUND,
    JN_AST_DOMAIN, JN_AST_OUTPUT, JN_AST_SIMULATE, JN_AST_SUBMODEL, JN_AST_PORTS,
    JN_AST_INSTANCE, JN_AST_FOR,
    JN_AST_COMMENT /* lines of comment (or one blank line) on their own, kept for the formatter */
} jn_ast_kind;

/* The kinds of element, in the order of the language's table. */
typedef enum {
    JN_SE, JN_SF, JN_I, JN_C, JN_R, JN_TF, JN_GY, JN_0, JN_1, JN_X0, JN_X1,
    JN_BOOLEAN /* never written: a switch that belongs to no junction */
} jn_kind;
const char *jn_kind_name(jn_kind kind); /* "Se" … "X1", "Boolean" */

typedef struct { /* "[2, 1; 1, 3]" */
    jn_place place;
    int nrows;
    struct jn_ast_row { int n; const jn_ast_expr **item; } *row;
} jn_ast_matrix;

typedef struct { /* "priority 3", "p0 = 1/2", "detachable" */
    jn_place place;
    const char *key;
    const jn_ast_expr *value; /* NULL: none */
    const jn_ast_matrix *list; /* "p0 = [1, 2]" of a field, in place of the value */
} jn_ast_option;

typedef struct { /* one clause of a switch: "on when C", "off at T" */
    jn_place place;
    bool on;
    bool at;                 /* else when */
    const jn_ast_expr *expr; /* the condition or the time */
} jn_ast_clause;

typedef struct { /* comment lines that stand before something; NULL: a blank line */
    int n;
    const char **line;
} jn_ast_remarks;

typedef struct { /* a state of an automaton: "open off initial" */
    jn_place place;
    const char *name;
    bool on, initial;
    const char *comment;
    jn_ast_remarks before;
} jn_ast_state;

typedef struct { /* "n = n + 1" of a transition */
    jn_place place;
    jn_ast_name name;
    const jn_ast_expr *value;
} jn_ast_set;

typedef struct { /* "open -> closed when C { n = n + 1; m = 2 }" */
    jn_place place;
    const char *from, *to;
    jn_place from_place, to_place;
    const jn_ast_expr *when;
    int nsets;
    jn_ast_set *set;
    const char *comment;
    jn_ast_remarks before;
} jn_ast_transition;

typedef struct jn_ast jn_ast;

typedef struct { /* a block of statements */
    int n;
    jn_ast **item;
} jn_ast_block;

struct jn_ast {
    jn_ast_kind kind;
    jn_place place;
    const char *comment; /* after the statement on its line, without '#', or NULL; */
    const char *end_comment; /* of a block: that after its '}' (the other is after its '{') */
    union {
        struct { const char *name, *title; /* NULL: none */ } model;
        struct { jn_ast_name name; const jn_ast_expr *value; } param, signal, discrete;
        struct {
            jn_kind kind;
            jn_ast_name name;
            int nports; const char **port; jn_place *port_place; /* "M(a, b)": a field */
            const jn_ast_expr *value; /* after '=', or NULL */
            const jn_ast_matrix *matrix; /* in place of it */
            /* a non-linear law ": e = …": the variable on its left, e, f, p or q, or 0 */
            char law_of;
            const jn_ast_expr *law;
            int noptions;
            jn_ast_option *option;
        } element;
        struct { const char *label; /* NULL: none */ jn_place label_place; int nnames; jn_ast_name *name; } bonds;
        struct {
            jn_ast_name name;
            bool is_pwm;
            int npwm; const jn_ast_expr **pwm; /* period, duty, phase */
            bool on; /* at the start */
            /* "diode(0.7)", "transistor(on(g)) reverse diode"; NULL: spelt out */
            const char *law; int nlaw; const jn_ast_expr **law_arg; bool reverse;
            bool is_stop; /* a stop that was spelt out */
            int nclauses; jn_ast_clause *clause;
        } sw;
        struct {
            jn_ast_name name;
            int nstates; jn_ast_state *state;
            int ntransitions; jn_ast_transition *transition;
            jn_ast_remarks end; /* before the '}' */
        } automaton;
        struct {
            int n;
            struct jn_ast_output { jn_ast_name name; /* no parts: none */ jn_place place; const jn_ast_expr *expr; const char *unit; /* NULL: none */ jn_place unit_place; } *item;
        } output;
        /* "domain electrical", "domain rotational : shaft, load" */
        struct { const char *domain; jn_place domain_place; int nnames; jn_ast_name *name; } domain;
        struct { const jn_ast_expr *condition; const char *text; /* NULL: none */ } assertion;
        /* "0 <= x <= 2", "x >= 1": two or three parts, rising or falling */
        struct { int n; const jn_ast_expr *part[3]; bool falling; } bound;
        struct { const jn_ast_expr *to, *every; /* NULL: not given */ } simulate;
        struct { const char *name; int nparams; const char **param; jn_place *param_place; jn_ast_block body; } submodel;
        struct { int n; const char **name; jn_place *name_place; } ports;
        struct { const char *submodel; jn_place submodel_place; jn_ast_name name; int nargs; const jn_ast_expr **arg; } instance;
        struct { const char *var; const jn_ast_expr *from, *to; jn_ast_block body; } loop;
        struct { const char *text; /* one line, without '#'; NULL: a blank line */ } comment_line;
    } u;
};

/* ---- reading and writing ------------------------------------------------------------------- */

jn_status jn_syntax_parse(jn_ast_block *out, jn_arena *a, const jn_source *s,
                          jn_diags *d) JN_CHECKED;
/* A text that is one expression and nothing else. */
jn_status jn_syntax_parse_expr(const jn_ast_expr **out, jn_arena *a, const jn_source *s,
                               jn_diags *d) JN_CHECKED;
/* Canonical layout: parse(format(parse(x))) = parse(x), and format is idempotent. */
void jn_syntax_format(jn_str *out, const jn_ast_block *model);
void jn_syntax_format_expr(jn_str *out, const jn_ast_expr *e);

#ifdef __cplusplus
}
#endif

#endif
