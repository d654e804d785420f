/* logic_internal.h: what the files of the fence around Z3 share.
 *
 *     logic.c            the library, a logic and its terms
 *     logic_equality.c   unknowns that equalities have solved
 *     logic_formula.c    formulas
 *     logic_ask.c        asking, and reading what was told */
#ifndef LOGIC_INTERNAL_H
#define LOGIC_INTERNAL_H

#include <z3.h>

#include "linear.h"
#include "logic.h"

/* clang-format off */
#define EACH_FUNCTION(X)                                                                          \
    X(mk_config) X(del_config) X(mk_context) X(del_context) X(set_error_handler) X(interrupt)     \
    X(mk_solver_for_logic) X(mk_string_symbol) X(mk_simple_solver)                                \
    X(solver_inc_ref) X(solver_dec_ref) X(solver_assert) X(solver_push) X(solver_pop)             \
    X(solver_check) X(solver_get_model) X(solver_set_params) X(mk_params) X(params_inc_ref)       \
    X(params_dec_ref) X(params_set_uint) X(params_set_bool) X(model_inc_ref) X(model_dec_ref)     \
    X(model_eval) X(get_numeral_string) X(get_bool_value) X(mk_bool_sort) X(mk_real_sort)         \
    X(mk_fresh_const) X(mk_true) X(mk_false) X(mk_not) X(mk_and) X(mk_or) X(mk_implies)           \
    X(get_ast_id) X(mk_iff) X(mk_ite) X(mk_add) X(mk_mul) X(mk_lt) X(mk_numeral)
/* clang-format on */

extern struct jni_z3 {
    bool tried, found;
#define X(name) __typeof__(Z3_##name) *name;
    EACH_FUNCTION(X)
#undef X
} jni_z3;
#define z3 jni_z3

/* A Boolean is its formula. A number is a linear form, and becomes a formula when it is compared. */
struct jni_term {
    Z3_ast formula; /* of a Boolean; NULL: it is a number */
    linear of;      /* of a number */
    term next;      /* of numbers with the same hash */
};

/* Something that a formula may be about. */
typedef struct {
    Z3_ast formula;
    bool is_used; /* some formula has it */
    int scope;    /* in which it was made */
    linear *is;   /* an equality has solved it; NULL: none has */
} unknown;

typedef struct {
    int id;      /* no other scope has had it */
    int nsolved; /* how many unknowns were solved before it began */
} scope;

enum { BUCKETS = 1 << 14 };

struct logic {
    Z3_context c;
    Z3_solver s;
    Z3_params p;
    Z3_model m;
    bool has_told; /* it has a model that nobody has asked for yet */
    Z3_sort bools, reals;
    term yes, no, zero;
    double until;
    int nterms, cap_terms;
    term *term; /* all of them */
    int cap_by_id;
    term *by_id; /* of formulas that are not made of numbers */
    term bucket[BUCKETS];
    int nunknowns, cap_unknowns;
    unknown *unknown;
    int nsolved, cap_solved;
    int *solved; /* in the order in which they were */
    int nscopes, cap_scopes, last_scope;
    scope *scope;
};

/* The term of a formula; of a form, which it takes; of something new that formulas may be about. */
term jni_logic_boolean(logic *l, Z3_ast a);
term jni_logic_number_of(logic *l, linear *f);
term jni_logic_new_unknown(logic *l, Z3_ast a);
/* Where the term of a formula is kept. */
term *jni_logic_place_of(logic *l, Z3_ast a);

/* A number, in unknowns that are not solved. */
void jni_logic_resolve(linear *out, const logic *l, const linear *f);
/* a + c·b, likewise. */
void jni_logic_combine(linear *out, const logic *l, term a, slong c, term b);
/* f = 0 is solved for the newest unknown that no formula has yet, and that ends with this scope; f is used up for it. */
bool jni_logic_solve(logic *l, linear *f);
void jni_logic_begin_scope(logic *l);
void jni_logic_end_scope(logic *l);

/* f > 0, or f = 0; f is cleared. */
term jni_logic_compare(logic *l, linear *f, bool equal);
void jni_logic_forget_model(logic *l);

#endif
