/* expr.h: expressions with every name resolved.
 *
 * Loops are unrolled, submodel arguments put in, names turned into numbers of elements, bonds,
 * parameters and signals. Trees in the graph's arena; one subtree may be part of several. */
#ifndef JUNCT_EXPR_H
#define JUNCT_EXPR_H

#include "junct/ratfun.h"
#include "junct/unit.h"
#include "junct/diag.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    /* values */
    JN_X_NUMBER, /* number */
    JN_X_PARAM,  /* index: a parameter */
    JN_X_TIME,
    JN_X_SIGNAL,   /* index: a signal */
    JN_X_DISCRETE, /* index: a discrete variable */
    /* index: a bond; e(x), f(x) of a 1-port are those of its bond, but f(x) of an I, C, R whose
     * bond leaves it is the negative: its power is counted into it. */
    JN_X_EFFORT,
    JN_X_FLOW,
    /* index: a junction, its common variable. Of an X1 also the effort, of an X0 the flow, across
     * it: Σ of the bonds that leave − Σ of those that arrive; 0 when it is ON. */
    JN_X_COMMON_EFFORT,
    JN_X_COMMON_FLOW,
    /* index: an element */
    JN_X_MOMENTUM,
    JN_X_DISPLACEMENT,
    JN_X_NEG,
    JN_X_ADD,
    JN_X_SUB,
    JN_X_MUL,
    JN_X_DIV,
    JN_X_POW,
    JN_X_SIN,
    JN_X_COS,
    JN_X_TAN,
    JN_X_EXP,
    JN_X_LOG,
    JN_X_SQRT,
    JN_X_ABS,
    JN_X_SIGN,
    JN_X_ATAN,
    JN_X_TANH,
    JN_X_FLOOR,
    JN_X_ATAN2, /* atan2(y, x) */
    JN_X_MOD,   /* mod(x, y) = x − y·floor(x/y) */
    JN_X_MIN,
    JN_X_MAX,
    JN_X_PI,
    JN_X_INT,   /* int(x, x0); index: the integral's number */
    JN_X_TABLE, /* index: the table's number; arg[0]: its argument (t) */
    JN_X_IF,    /* condition, then, else */
    JN_X_PRIOR,
    JN_X_WITHIN,
    JN_X_IMPULSE,
    /* conditions */
    JN_X_LT,
    JN_X_LE,
    JN_X_EQ,
    JN_X_GE,
    JN_X_GT,
    JN_X_NOT,
    JN_X_AND,
    JN_X_OR,
    JN_X_ON, /* index: a controlled junction that is ON */
    JN_X_IN  /* index: the number of a switch; state: that of the state its automaton is in */
} jn_expr_op;

typedef struct jn_expr {
    jn_expr_op op;
    jn_place place;
    int index;
    int state;
    jn_ratfun number;
    /* A number of the model file, as it was written, and its unit; else NULL. "1500 rpm" is the
     * product 50*pi, with the text and the unit. */
    const char *text;
    const jn_unit *unit;
    int nargs;
    const struct jn_expr **arg;
    int size, depth; /* of the tree below, itself included */
} jn_expr;

/* Larger trees are refused when the graph is built: one may walk a tree by recursion. */
#define JN_EXPR_MAX_SIZE 20000
#define JN_EXPR_MAX_DEPTH 4000
/* So are those that are larger, or deeper, with their signals written out. */
#define JN_SIGNALS_MAX_SIZE 100000

bool jn_expr_is_condition(const jn_expr *e);
/* Whether its value can change in time: it mentions t, a signal, a bond variable, a table … */
bool jn_expr_varies(const jn_expr *e);
struct jn_graph;
/* Walks an expression, signals being followed, until `look` has found what it looks for; whether it has. What is
 * integrated is left out: a signal may read itself there. */
typedef enum { JN_LOOK_ON, JN_LOOK_NOT_BELOW, JN_LOOK_FOUND } jn_look;
bool jn_expr_find(const struct jn_graph *g, const jn_expr *e,
                  jn_look look(const jn_expr *e, void *with), void *with);
/* Whether it mentions an operation. */
bool jn_expr_mentions(const struct jn_graph *g, const jn_expr *e, jn_expr_op op);
/* Whether two are written the same, wherever they stand. */
bool jn_expr_same(const jn_expr *a, const jn_expr *b);
/* The exact value over the parameters when it is rational in them (+ − × ÷ and integer powers of
 * numbers and parameters). INVALID: division by zero. UNABLE: not rational, or it varies. */
jn_status jn_expr_ratfun(jn_ratfun *r, jn_field *k, const jn_expr *e) JN_CHECKED;
/* The same; *where is the subtree that divides by zero or is not rational. */
jn_status jn_expr_ratfun_at(jn_ratfun *r, jn_field *k, const jn_expr *e,
                            const jn_expr **where) JN_CHECKED;

/* The bonds that e(x) or f(x) of a junction (JN_X_COMMON_…) is the signed sum of, i = 0, 1, …: one
 * where it is the common variable, else all of them. False: there is no such one. */
bool jn_expr_term(int *bond, int *sign, const struct jn_graph *g, const jn_expr *e, int i);

typedef enum { JN_REST_NONE, JN_REST_CONSTANT, JN_REST_VARIES } jn_rest;

/* Σ c·(effort or flow of a bond, p or q of a storage), and what is added to it. */
typedef struct {
    int n, cap;
    struct jn_linear_term {
        int bond, storage; /* of the two one is −1; storage: its number */
        bool effort;       /* of a bond: else its flow */
        jn_ratfun c;       /* over the parameters */
    } *term;
    jn_rest rest;
    bool (*symbol)(jn_ratfun *r, const void *ctx, const struct jn_expr *e); /* as given below */
    const void *ctx;
} jn_linear;
/* Reads an expression as such a sum; signals are followed. prior(x) is x, as it is between events.
 * What is added reads nothing of the model but time, switches and discrete variables. False: it is no
 * such sum. Clear it either way. */
bool jn_expr_linear(jn_linear *out, const struct jn_graph *g, const jn_expr *e);
/* The same with a symbol for constants that are not rational, as pi; false: it has none. */
bool jn_expr_linear_in(jn_linear *out, const struct jn_graph *g, const jn_expr *e,
                       bool (*symbol)(jn_ratfun *r, const void *ctx, const jn_expr *e),
                       const void *ctx);
void jn_linear_clear(jn_linear *l);
/* Whether a variable of a bond or a state stands in it, or in a signal or an integral that it reads. */
bool jn_expr_reads_model(const struct jn_graph *g, const jn_expr *e);

/* As one would write it in a model file, with full names: "f(c[3].L) > 1/2". */
void jn_expr_print(jn_str *out, const struct jn_graph *g, const jn_expr *e);

#ifdef __cplusplus
}
#endif

#endif
