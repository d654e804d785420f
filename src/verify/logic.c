/* logic.c: the fence around Z3.
 *
 * The library is large, and only proofs need it: it is loaded when the first logic is made, under
 * the name that the build found. Its seed is fixed, so that a question has one answer and one
 * witness; its time is limited, and what it leaves unknown is unknown to us. */
#include "logic.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <z3.h>

#include "junct/limits.h"
#include "libraries.h"

/* clang-format off */
#define EACH_FUNCTION(X)                                                                          \
    X(mk_config) X(del_config) X(mk_context) X(del_context) X(set_error_handler) X(interrupt)     \
    X(mk_solver_for_logic) X(mk_string_symbol) X(mk_simple_solver)                                \
    X(solver_inc_ref) X(solver_dec_ref) X(solver_assert) X(solver_push) X(solver_pop)             \
    X(solver_check) X(solver_get_model) X(solver_set_params) X(mk_params) X(params_inc_ref)       \
    X(params_dec_ref) X(params_set_uint) X(params_set_bool) X(model_inc_ref) X(model_dec_ref)     \
    X(model_eval) X(get_numeral_string) X(get_bool_value) X(mk_bool_sort) X(mk_real_sort)         \
    X(mk_fresh_const) X(mk_true) X(mk_false) X(mk_not) X(mk_and) X(mk_or) X(mk_implies)           \
    X(simplify) X(mk_iff) X(mk_ite) X(mk_add) X(mk_mul) X(mk_lt) X(mk_eq) X(mk_numeral)
/* clang-format on */

static struct {
    bool tried, found;
#define X(name) __typeof__(Z3_##name) *name;
    EACH_FUNCTION(X)
#undef X
} z3;

static bool load(void)
{
    if (z3.tried)
        return z3.found;
    z3.tried = true;
    void *library = dlopen(JN_Z3_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    z3.found = library;
#define X(name)                                                                                    \
    *(void **)&z3.name = library ? dlsym(library, "Z3_" #name) : NULL;                             \
    z3.found = z3.found && z3.name;
    EACH_FUNCTION(X)
#undef X
    return z3.found;
}

struct logic {
    Z3_context c;
    Z3_solver s;
    Z3_params p;
    Z3_model m;
    Z3_sort bools, reals;
    Z3_ast yes, no, zero;
    double until;
};

static Z3_ast ast(term a)
{
    return (Z3_ast)a;
}

static term of(Z3_ast a)
{
    return (term)a;
}

/* Without memory it has no result, and what is made of none has no meaning. All else is told by the
 * results. */
static void note_error(Z3_context c, Z3_error_code e)
{
    (void)c;
    if (e == Z3_MEMOUT_FAIL)
        jn_memory_exhausted(0);
}

logic *jni_logic_new(double until)
{
    if (!load())
        return NULL;
    logic *l = jn_alloc(sizeof *l);
    Z3_config config = z3.mk_config();
    l->c = z3.mk_context(config);
    z3.del_config(config);
    if (!l->c)
        jn_memory_exhausted(0);
    z3.set_error_handler(l->c, note_error);
    l->s = z3.mk_solver_for_logic(l->c, z3.mk_string_symbol(l->c, "QF_LRA"));
    z3.solver_inc_ref(l->c, l->s);
    l->p = z3.mk_params(l->c);
    z3.params_inc_ref(l->c, l->p);
    z3.params_set_uint(l->c, l->p, z3.mk_string_symbol(l->c, "random_seed"), 1);
    l->bools = z3.mk_bool_sort(l->c);
    l->reals = z3.mk_real_sort(l->c);
    l->yes = z3.mk_true(l->c);
    l->no = z3.mk_false(l->c);
    l->zero = z3.mk_numeral(l->c, "0", l->reals);
    l->until = until;
    return l;
}

static void forget_model(logic *l)
{
    if (l->m)
        z3.model_dec_ref(l->c, l->m);
    l->m = NULL;
}

void jni_logic_free(logic *l)
{
    if (!l)
        return;
    forget_model(l);
    z3.params_dec_ref(l->c, l->p);
    z3.solver_dec_ref(l->c, l->s);
    z3.del_context(l->c);
    free(l);
}

/* ---- terms --------------------------------------------------------------------------------- */

term jni_true(logic *l)
{
    return of(l->yes);
}

term jni_false(logic *l)
{
    return of(l->no);
}

bool jni_is_true(const logic *l, term a)
{
    return ast(a) == l->yes;
}

bool jni_is_false(const logic *l, term a)
{
    return ast(a) == l->no;
}

term jni_bool(logic *l)
{
    return of(z3.mk_fresh_const(l->c, "b", l->bools));
}

term jni_real(logic *l)
{
    return of(z3.mk_fresh_const(l->c, "r", l->reals));
}

term jni_number(logic *l, const fmpq_t c)
{
    char *text = fmpq_get_str(NULL, 10, c);
    Z3_ast a = z3.mk_numeral(l->c, text, l->reals);
    flint_free(text);
    return of(a);
}

term jni_zero(logic *l)
{
    return of(l->zero);
}

term jni_not(logic *l, term a)
{
    return ast(a) == l->yes  ? of(l->no)
           : ast(a) == l->no ? of(l->yes)
                             : of(z3.mk_not(l->c, ast(a)));
}

term jni_and(logic *l, term a, term b)
{
    if (ast(a) == l->no || ast(b) == l->yes || a == b)
        return a;
    if (ast(a) == l->yes || ast(b) == l->no)
        return b;
    return of(z3.mk_and(l->c, 2, (Z3_ast[]){ast(a), ast(b)}));
}

term jni_or(logic *l, term a, term b)
{
    if (ast(a) == l->yes || ast(b) == l->no || a == b)
        return a;
    if (ast(a) == l->no || ast(b) == l->yes)
        return b;
    return of(z3.mk_or(l->c, 2, (Z3_ast[]){ast(a), ast(b)}));
}

term jni_implies(logic *l, term a, term b)
{
    return jni_or(l, jni_not(l, a), b);
}

term jni_iff(logic *l, term a, term b)
{
    return a == b ? of(l->yes) : of(z3.mk_iff(l->c, ast(a), ast(b)));
}

term jni_choose(logic *l, term when, term a, term b)
{
    if (a == b || ast(when) == l->yes)
        return a;
    return ast(when) == l->no ? b : of(z3.mk_ite(l->c, ast(when), ast(a), ast(b)));
}

term jni_add(logic *l, term a, term b)
{
    if (ast(a) == l->zero)
        return b;
    if (ast(b) == l->zero)
        return a;
    return of(z3.mk_add(l->c, 2, (Z3_ast[]){ast(a), ast(b)}));
}

term jni_scale(logic *l, const fmpq_t c, term a)
{
    if (fmpq_is_zero(c) || ast(a) == l->zero)
        return of(l->zero);
    if (fmpq_is_one(c))
        return a;
    return of(z3.mk_mul(l->c, 2, (Z3_ast[]){ast(jni_number(l, c)), ast(a)}));
}

term jni_less(logic *l, term a, term b)
{
    return a == b ? of(l->no) : of(z3.mk_lt(l->c, ast(a), ast(b)));
}

term jni_equal(logic *l, term a, term b)
{
    return a == b ? of(l->yes) : of(z3.mk_eq(l->c, ast(a), ast(b)));
}

term jni_simple(logic *l, term a)
{
    return of(z3.simplify(l->c, ast(a)));
}

/* ---- asking -------------------------------------------------------------------------------- */

void jni_assert(logic *l, term a)
{
    if (ast(a) != l->yes)
        z3.solver_assert(l->c, l->s, ast(a));
}

void jni_push(logic *l)
{
    z3.solver_push(l->c, l->s);
}

void jni_pop(logic *l)
{
    z3.solver_pop(l->c, l->s, 1);
}

static double left(const logic *l)
{
    return l->until > 0 ? l->until - jn_processor_seconds() : 1e6;
}

bool jni_logic_is_late(const logic *l)
{
    return left(l) <= 0;
}

void jni_logic_hurry(logic *l, double seconds)
{
    double until = jn_processor_seconds() + seconds;
    if (l->until <= 0 || until < l->until)
        l->until = until;
}

/* While Z3 is at work, another thread sees whether anybody wants it to stop. */
typedef struct {
    logic *l;
    pthread_mutex_t lock;
    pthread_cond_t over;
    bool is_over;
} watch;

static void *keep_watch(void *context)
{
    enum { EVERY = 50000000 }; /* nanoseconds */
    watch *w = context;
    pthread_mutex_lock(&w->lock);
    while (!w->is_over) {
        struct timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        t.tv_nsec += EVERY;
        t.tv_sec += t.tv_nsec / 1000000000;
        t.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&w->over, &w->lock, &t);
        if (!w->is_over && (jn_interrupted() || jni_logic_is_late(w->l)))
            z3.interrupt(w->l->c);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

answer jni_ask(logic *l)
{
    watch w = {.l = l};
    pthread_t thread;
    forget_model(l);
    if (jn_interrupted() || jni_logic_is_late(l))
        return LOGIC_UNKNOWN;
    pthread_mutex_init(&w.lock, NULL);
    pthread_cond_init(&w.over, NULL);
    z3.params_set_bool(l->c, l->p, z3.mk_string_symbol(l->c, "ctrl_c"), false);
    z3.solver_set_params(l->c, l->s, l->p);
    bool watched = pthread_create(&thread, NULL, keep_watch, &w) == 0;
    Z3_lbool r = z3.solver_check(l->c, l->s);
    pthread_mutex_lock(&w.lock);
    w.is_over = true;
    pthread_cond_signal(&w.over);
    pthread_mutex_unlock(&w.lock);
    if (watched)
        pthread_join(thread, NULL);
    pthread_mutex_destroy(&w.lock);
    pthread_cond_destroy(&w.over);
    if (r == Z3_L_TRUE) {
        l->m = z3.solver_get_model(l->c, l->s);
        if (l->m)
            z3.model_inc_ref(l->c, l->m);
    }
    return r == Z3_L_FALSE ? LOGIC_NO : r == Z3_L_TRUE && l->m ? LOGIC_YES : LOGIC_UNKNOWN;
}

static Z3_ast told(logic *l, term a)
{
    Z3_ast value = NULL;
    return l->m && z3.model_eval(l->c, l->m, ast(a), true, &value) ? value : NULL;
}

bool jni_told(logic *l, term a)
{
    Z3_ast value = told(l, a);
    return value && z3.get_bool_value(l->c, value) == Z3_L_TRUE;
}

void jni_told_number(fmpq_t out, logic *l, term a)
{
    Z3_ast value = told(l, a);
    fmpq_zero(out);
    if (value && fmpq_set_str(out, z3.get_numeral_string(l->c, value), 10) == 0)
        fmpq_canonicalise(out);
}
