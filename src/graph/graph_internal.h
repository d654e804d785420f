/* graph_internal.h: what the files of the graph stage share while a graph is built.
 *
 * The steps, in this order, each in its file:
 *     flatten.c   loops and submodels become a list of statements, each with its scope
 *     ready_made.c  laws of switches, spelt out as conditions
 *     booleans.c  switches that belong to no junction
 *     bonds.c     bonds; elements without any are left out
 *     states.c    which states the switches have
 *     params.c    parameters and their numbers
 *     elements.c  values, laws and options
 *     fields.c    matrices of elements with several ports
 *     signals.c   signals, outputs, simulate
 *     discrete.c  discrete variables
 *     automata.c  switches
 *     claims.c    assert and bound
 *     domains.c   which domain each part belongs to
 *     cases.c     values that switches choose; needs a graph without errors
 *     units.c     whether units fit; likewise
 *     check.c     what is odd about the whole
 * names.c finds names, scope.c what a name means where it stands, resolve.c and functions.c turn
 * expressions of the tree into those of the graph; later.c does so when the graph is built. */
#ifndef GRAPH_INTERNAL_H
#define GRAPH_INTERNAL_H

#include "junct/graph.h"

/* ---- names --------------------------------------------------------------------------------- */

typedef enum {
    NAME_ELEMENT = 1,
    NAME_PARAM = 2,
    NAME_SIGNAL = 4,
    NAME_INSTANCE = 8,
    NAME_SUBMODEL = 16,
    NAME_BOND = 32,
    NAME_STATE = 64, /* of an automaton, in a table of its own */
    NAME_DISCRETE = 128,
    NAME_FIELD = 256,
    /* What a value may be called by; a submodel sees those of the file. */
    NAME_VALUE = NAME_PARAM | NAME_SIGNAL | NAME_DISCRETE
} name_kind;

typedef struct {
    const char *text; /* in full: "c[3].C0" */
    name_kind kind;
    int index; /* within its kind, in the order of declaration */
    jn_place place;
} name_entry;

typedef struct {
    int n, cap, nslots;
    name_entry *entry;
    int *slot; /* numbers of entries + 1, by hash; 0: free */
} name_table;

void jni_names_clear(name_table *t);
const name_entry *jni_names_find(const name_table *t, const char *text);
/* The text is not copied. It must not be in the table yet. */
void jni_names_add(name_table *t, const char *text, name_kind kind, int index, jn_place place);
/* The entry of one of these kinds that is nearest to what was written, without its prefix. */
const char *jni_names_closest(const name_table *t, const char *prefix, const char *text,
                             unsigned kinds);

/* ---- scopes -------------------------------------------------------------------------------- */

typedef struct scope scope;

/* An argument of a submodel. It is resolved once, where the caller stands. */
typedef struct {
    const char *name;
    const jn_ast_expr *arg;
    const scope *caller;
    bool resolved, has_integer;
    const jn_expr *expr; /* NULL: it has an error */
    long integer;
} binding;

/* Where a statement stands: in the file, in one turn of a loop, or in one instance. */
struct scope {
    const scope *up;    /* NULL: the file itself */
    const char *prefix; /* of the names declared here: "", "c[3]." */
    int depth;
    const char *var; /* a loop: its variable, now */
    long value;
    const jn_ast *submodel; /* an instance: of this */
    int nbindings;
    binding *binding;
};

typedef struct {
    const jn_ast *ast;
    const scope *scope;
    const char *name; /* in full, of what the statement declares; else NULL */
    bool twice;       /* the name is declared once more elsewhere: it may mean either */
    int sw;           /* of a switch or automaton statement: the switch; −1: it has an error */
    int field, port;  /* of a port of a field; −1: it is none */
} statement;

typedef struct {
    int n, cap;
    statement *item;
} statement_list;

typedef struct {
    const char *name;
    jn_place place;
} port;

typedef struct {
    const jn_ast *ast;
    int nports, cap;
    port *port;
    bool used;
} submodel;

typedef struct {
    int submodel; /* −1: it has errors, nothing is known about its names */
    const scope *scope;
} instance;

/* An I-, C- or R-field. Its ports are elements, each with a statement of its own in the list. */
typedef struct {
    const jn_ast *ast;
    const scope *scope;
    const char *name;
    int first; /* in the list of elements */
    int *element;
    jn_value *entry;
    const jn_expr **given;      /* per entry, as it is written; NULL: it is not */
    const jn_expr **modulation; /* per entry: what is not rational in the parameters, else NULL */
} field;

/* What a switch statement with a ready-made law stands for. */
typedef struct {
    const jn_ast *from;
    jn_ast_block to;
} expansion;

/* ---- the graph being built ----------------------------------------------------------------- */

typedef struct {
    jn_graph *g;
    const jn_source *source;
    jn_diags *diags;
    int errors_before;
    jn_arena *scratch; /* what only building needs */
    jn_str text;       /* for names under construction */
    name_table names, bond_names, reported;
    statement_list list[JN_AST_COMMENT]; /* by kind of statement */
    const jn_ast *model, *simulate;
    int nsubmodels, submodels_cap;
    submodel *submodel;
    int ninstances, instances_cap;
    instance *instance;
    int nfields, fields_cap;
    field *field;
    int nstatements;
    bool stopped;        /* a limit was reached */
    bool indices_broken; /* names with indices may be missing */
    bool bonds_broken;   /* bonds may be missing */
    bool division_reported; /* in the value that is being read */
    bool field_failed;   /* reported: a value is too long, and none can be computed any more */
    int *element_of;     /* by order of declaration: number in the graph; −1: left out. As long as
                          * bonds may be missing nothing is left out. */
    bool *discrete_set; /* by some transition */
    int tables_cap;
    jn_table *table;
    bool *switch_read;         /* some expression asks for its state */
    jn_arena *spelt_out;       /* for what laws stand for */
    int nexpansions, expansions_cap;
    expansion *expansion;
} builder;

/* Reports, unless the same was already said about the same place: a statement in a loop stands
 * for many. True when it was added, for notes. */
#define REPORT(b, ...)                                                                             \
    (REPORT_NEW(b, __VA_ARGS__, 0) ? (jn_diag_add((b)->diags, __VA_ARGS__), true) : false)
#define REPORT_NEW(b, code, place, ...) jni_build_is_new((b), (code), (place))
bool jni_build_is_new(builder *b, jn_code code, jn_place place);
bool jni_build_failed(const builder *b); /* an error was reported */

/* ---- steps --------------------------------------------------------------------------------- */

void jni_build_flatten(builder *b, const jn_ast_block *model);
void jni_build_laws(builder *b);
void jni_build_booleans(builder *b);
void jni_build_bonds(builder *b);
void jni_build_states(builder *b);
void jni_build_params(builder *b);
void jni_build_elements(builder *b);
void jni_build_field(builder *b, field *f); /* its values: in turn with those of other elements, */
void jni_build_fields(builder *b);          /* and what is made of all of them then */
void jni_build_check_fields(builder *b); /* needs a graph without errors */
void jni_build_check_stops(builder *b); /* stops.c */
void jni_build_signals(builder *b);
void jni_build_discretes(builder *b);
void jni_build_automata(builder *b);
void jni_build_claims(builder *b);
void jni_build_domains(builder *b);
void jni_build_cases(builder *b);
void jni_build_units(builder *b);
void jni_build_check_booleans(builder *b);
void jni_build_check(builder *b);
void jni_build_extents(builder *b); /* needs a graph without errors */

/* fields.c: how many symbols they may need besides those of their ports. */
int jni_build_field_symbols(const builder *b);
void jni_build_field_cases(builder *b, field *f);
/* cases.c: the cases of an expression; false: it has none. Whether two values are equal in all modes. */
bool jni_build_value_cases(builder *b, jn_value *v, const jn_expr *e);
bool jni_build_same_cases(builder *b, jn_value x, jn_value y);
/* elements.c: a symbol that stands for a value. */
jn_ratfun jni_build_symbol(jn_graph *g, int element, const char *name, const jn_expr *given,
                          int value_id);

/* One more statement, as if it stood in this scope (flatten.c). */
void jni_build_statement(builder *b, const jn_ast *ast, const scope *s);

/* ---- names and indices (scope.c) ----------------------------------------------------------- */

/* A whole number without parameters: the bound of a loop, an index. */
bool jni_build_integer(builder *b, long *out, const scope *s, const jn_ast_expr *e);
/* The name in full; NULL when an index is wrong (reported). In b->text. */
const char *jni_build_full_name(builder *b, const scope *s, const jn_ast_name *name);
/* A name that was declared as one of these kinds, here or (parameters and signals) in the file;
 * else reported, once a name: "there is no <wanted> named …". */
const name_entry *jni_build_find(builder *b, const scope *s, const jn_ast_name *name, unsigned kinds,
                                const char *wanted);
const char *jni_build_kind_text(const builder *b, const name_entry *e); /* "an element I" */
/* The argument a plain name stands for; NULL: none. */
binding *jni_build_binding(const scope *s, const jn_ast_name *name);
/* The loop variable a plain name stands for. */
bool jni_build_loop_value(long *value, const scope *s, const jn_ast_name *name);

/* ---- states (states.c) --------------------------------------------------------------------- */

enum { OFF, ON }; /* the states of a switch statement */
/* The number of a state; −1: there is none of that name, reported. */
int jni_build_state(builder *b, const jn_automaton *a, const char *name, jn_place place);
void jni_build_state_names(name_table *names, const jn_automaton *a);

/* ---- expressions --------------------------------------------------------------------------- */

typedef struct {
    const scope *scope;
    bool in_when; /* the condition of a transition: within and impulse make sense */
    int law;      /* the element whose law this is, or −1 */
    char law_of, law_in;
    char law_rate; /* of a storage: the rate of its state, if the law may read it, or 0 */
} context;

/* NULL: it has an error, which has been reported. */
const jn_expr *jni_build_value(builder *b, const context *c, const jn_ast_expr *e);
const jn_expr *jni_build_condition(builder *b, const context *c, const jn_ast_expr *e);
/* A value that does not change in time; what: "an initial value". */
const jn_expr *jni_build_constant(builder *b, const scope *s, const jn_ast_expr *e,
                                 const char *what);
/* The same for a condition or a value; text is refused. */
const jn_expr *jni_build_expr(builder *b, const context *c, const jn_ast_expr *e);
const jn_expr *jni_build_call(builder *b, const context *c, const jn_ast_expr *e);
const char *jni_function_name(jn_expr_op op); /* NULL: it is no function */
/* A node; NULL when an argument is NULL or the tree becomes too large (reported). */
const jn_expr *jni_build_node(builder *b, jn_expr_op op, jn_place place, int index, int nargs,
                             const jn_expr *const *arg);
const jn_expr *jni_build_number(builder *b, jn_place place, jn_ratfun value);
/* Those of all instances, used or not: their errors are reported. Afterwards a name that stands
 * for one costs nothing, and no recursion passes from one instance to the next. */
void jni_build_arguments(builder *b);
/* Its number when all parameters in it have one; false else, or when it is not rational. */
bool jni_build_known(fmpq_t out, builder *b, const jn_expr *e);

/* A value that cannot be computed: by zero, or too long. False: it is just not rational. */
bool jni_build_report_value(builder *b, jn_status status, jn_place place);

/* ---- numbers ------------------------------------------------------------------------------- */

/* Computes a declared parameter from its definition; *where it went wrong. */
jn_status jni_param_evaluate(jn_graph *g, int param, const jn_expr **where) JN_CHECKED;
bool jni_param_is_missing(const jn_graph *g, int param); /* graph.c: it has no number, and needs one */
/* What there is to say about a value of this sign; JN_D_COUNT: nothing. */
jn_code jni_value_objection(jn_kind kind, int sign);

/* ---- dependencies (order.c) ---------------------------------------------------------------- */

/* Orders 0 … n−1 so that each comes after those it needs: nodes of op `op` in its expression,
 * except behind int and prior. Calls on_cycle for each cycle. */
typedef void cycle_fn(builder *b, const int *cycle, int n);
const int *jni_build_order(builder *b, int n, const jn_expr *const *expr, jn_expr_op op,
                          cycle_fn *on_cycle);

#endif
