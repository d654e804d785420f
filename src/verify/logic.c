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
#include "linear.h"

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

/* Without memory it has no result, and what is made of none has no meaning. All else is told by the
 * results. */
static void note_error(Z3_context c, Z3_error_code e)
{
    (void)c;
    if (e == Z3_MEMOUT_FAIL)
        jn_memory_exhausted(0);
}

/* ---- terms --------------------------------------------------------------------------------- */

static term new_term(logic *l)
{
    JN_GROW(l->term, l->nterms, l->cap_terms);
    return l->term[l->nterms++] = jn_alloc(sizeof(struct jni_term));
}

/* Z3 has one formula where the same is written twice; so have we. */
static term *place_of(logic *l, Z3_ast a)
{
    int id = (int)z3.get_ast_id(l->c, a);
    if (id >= l->cap_by_id) {
        int cap = 2 * id + 64;
        l->by_id = jn_realloc(l->by_id, (size_t)cap * sizeof(term));
        memset(l->by_id + l->cap_by_id, 0, (size_t)(cap - l->cap_by_id) * sizeof(term));
        l->cap_by_id = cap;
    }
    return &l->by_id[id];
}

static term boolean(logic *l, Z3_ast a)
{
    term *at = place_of(l, a);
    if (!*at) {
        *at = new_term(l);
        (*at)->formula = a;
    }
    return *at;
}

/* The term of a form, which it takes. */
static term number_of(logic *l, linear *f)
{
    term *bucket = &l->bucket[jni_linear_hash(f) % BUCKETS];
    for (term a = *bucket; a; a = a->next)
        if (jni_linear_equal(&a->of, f)) {
            jni_linear_clear(f);
            return a;
        }
    term a = new_term(l);
    a->of = *f;
    a->next = *bucket;
    return *bucket = a;
}

static term new_unknown(logic *l, Z3_ast a)
{
    linear f;
    jni_linear_init(&f);
    jni_linear_unknown(&f, l->nunknowns);
    JN_GROW(l->unknown, l->nunknowns, l->cap_unknowns);
    l->unknown[l->nunknowns++] = (unknown){.formula = a, .scope = l->scope[l->nscopes - 1].id};
    return number_of(l, &f);
}

/* ---- what equalities have solved ----------------------------------------------------------- */

static int first_solved(const logic *l, const linear *f)
{
    for (int i = 0; i < f->n; i++)
        if (l->unknown[f->part[i].unknown].is)
            return i;
    return -1;
}

/* A number, in unknowns that are not solved. */
static void resolve(linear *out, const logic *l, const linear *f)
{
    fmpq_t c;
    linear nothing;
    jni_linear_init(&nothing);
    fmpq_init(c);
    jni_linear_combine(out, f, c, &nothing);
    for (int i; (i = first_solved(l, out)) >= 0;) {
        linear without;
        linear *is = l->unknown[out->part[i].unknown].is, alone;
        jni_linear_init(&alone);
        jni_linear_unknown(&alone, out->part[i].unknown);
        fmpq_neg(c, &out->part[i].c);
        jni_linear_combine(&without, out, c, &alone);
        jni_linear_clear(out);
        jni_linear_clear(&alone);
        fmpq_neg(c, c);
        jni_linear_combine(out, &without, c, is);
        jni_linear_clear(&without);
    }
    fmpq_clear(c);
}

/* a + c·b */
static void combine(linear *out, const logic *l, term a, slong c, term b)
{
    linear f, g;
    fmpq_t k;
    fmpq_init(k);
    fmpq_set_si(k, c, 1);
    resolve(&f, l, &a->of);
    resolve(&g, l, &b->of);
    jni_linear_combine(out, &f, k, &g);
    jni_linear_clear(&f);
    jni_linear_clear(&g);
    fmpq_clear(k);
}

/* f = 0 is solved for the newest unknown that no formula has yet, and that ends with this scope. */
static bool solve(logic *l, linear *f)
{
    int i = f->n - 1;
    while (i >= 0 && (l->unknown[f->part[i].unknown].is_used ||
                      l->unknown[f->part[i].unknown].scope != l->scope[l->nscopes - 1].id))
        i--;
    if (i < 0)
        return false;
    int which = f->part[i].unknown;
    linear alone, *is = jn_alloc(sizeof *is);
    fmpq_t c;
    fmpq_init(c);
    jni_linear_init(&alone);
    jni_linear_unknown(&alone, which);
    fmpq_inv(c, &f->part[i].c);
    fmpq_neg(c, c);
    jni_linear_scale(f, c);
    fmpq_one(c);
    jni_linear_combine(is, f, c, &alone);
    jni_linear_clear(&alone);
    fmpq_clear(c);
    l->unknown[which].is = is;
    JN_GROW(l->solved, l->nsolved, l->cap_solved);
    l->solved[l->nsolved++] = which;
    return true;
}

static void begin_scope(logic *l)
{
    JN_GROW(l->scope, l->nscopes, l->cap_scopes);
    l->scope[l->nscopes++] = (scope){l->last_scope++, l->nsolved};
}

static void end_scope(logic *l)
{
    for (int last = l->scope[--l->nscopes].nsolved; l->nsolved > last;) {
        unknown *u = &l->unknown[l->solved[--l->nsolved]];
        jni_linear_clear(u->is);
        free(u->is);
        u->is = NULL;
    }
}

/* ---- formulas ------------------------------------------------------------------------------ */

static Z3_ast constant(logic *l, const fmpq_t c)
{
    char *text = fmpq_get_str(NULL, 10, c);
    Z3_ast a = z3.mk_numeral(l->c, text, l->reals);
    flint_free(text);
    return a;
}

/* Without its constant. */
static Z3_ast sum(logic *l, const linear *f)
{
    Z3_ast *a = jn_alloc((size_t)f->n * sizeof *a);
    for (int i = 0; i < f->n; i++) {
        unknown *u = &l->unknown[f->part[i].unknown];
        const fmpq *c = &f->part[i].c;
        u->is_used = true;
        a[i] = fmpq_is_one(c) ? u->formula
                              : z3.mk_mul(l->c, 2, (Z3_ast[]){constant(l, c), u->formula});
    }
    Z3_ast all = f->n == 1 ? a[0] : z3.mk_add(l->c, (unsigned)f->n, a);
    free(a);
    return all;
}

static Z3_ast ast(logic *l, term a)
{
    if (a->formula)
        return a->formula;
    linear f;
    resolve(&f, l, &a->of);
    Z3_ast known = constant(l, &f.constant), all = known;
    if (f.n)
        all = sum(l, &f);
    if (f.n && !fmpq_is_zero(&f.constant))
        all = z3.mk_add(l->c, 2, (Z3_ast[]){all, known});
    jni_linear_clear(&f);
    return all;
}

/* Scaled so that its first coefficient is 1, which sign it had, and what the sum is compared with. */
static int normalise(linear *f, fmpq_t with)
{
    fmpq_t c;
    fmpq_init(c);
    int sign = fmpq_sgn(&f->part[0].c);
    fmpq_inv(c, &f->part[0].c);
    jni_linear_scale(f, c);
    fmpq_neg(with, &f->constant);
    fmpq_clear(c);
    return sign;
}

/* f > 0, or f = 0: the same sum is one term of Z3, whatever it is compared with. */
static term compare(logic *l, linear *f, bool equal)
{
    term r;
    if (!f->n) {
        r = (equal ? fmpq_is_zero(&f->constant) : fmpq_sgn(&f->constant) > 0) ? l->yes : l->no;
    } else {
        fmpq_t with;
        fmpq_init(with);
        int sign = normalise(f, with);
        Z3_ast k = constant(l, with), n = sum(l, f);
        term less = boolean(l, z3.mk_lt(l->c, n, k)), more = boolean(l, z3.mk_lt(l->c, k, n));
        r = equal ? jni_and(l, jni_not(l, less), jni_not(l, more)) : sign > 0 ? more : less;
        fmpq_clear(with);
    }
    jni_linear_clear(f);
    return r;
}

term jni_true(logic *l)
{
    return l->yes;
}

term jni_false(logic *l)
{
    return l->no;
}

bool jni_is_true(const logic *l, term a)
{
    return a == l->yes;
}

bool jni_is_false(const logic *l, term a)
{
    return a == l->no;
}

term jni_bool(logic *l)
{
    return boolean(l, z3.mk_fresh_const(l->c, "b", l->bools));
}

term jni_real(logic *l)
{
    return new_unknown(l, z3.mk_fresh_const(l->c, "r", l->reals));
}

term jni_number(logic *l, const fmpq_t c)
{
    linear f;
    jni_linear_init(&f);
    fmpq_set(&f.constant, c);
    return number_of(l, &f);
}

term jni_zero(logic *l)
{
    return l->zero;
}

term jni_not(logic *l, term a)
{
    return a == l->yes ? l->no : a == l->no ? l->yes : boolean(l, z3.mk_not(l->c, a->formula));
}

term jni_and(logic *l, term a, term b)
{
    if (a == l->no || b == l->yes || a == b)
        return a;
    if (a == l->yes || b == l->no)
        return b;
    return boolean(l, z3.mk_and(l->c, 2, (Z3_ast[]){a->formula, b->formula}));
}

term jni_or(logic *l, term a, term b)
{
    if (a == l->yes || b == l->no || a == b)
        return a;
    if (a == l->no || b == l->yes)
        return b;
    return boolean(l, z3.mk_or(l->c, 2, (Z3_ast[]){a->formula, b->formula}));
}

term jni_implies(logic *l, term a, term b)
{
    return jni_or(l, jni_not(l, a), b);
}

term jni_iff(logic *l, term a, term b)
{
    if (a == b)
        return l->yes;
    if (a == l->yes || b == l->yes)
        return a == l->yes ? b : a;
    if (a == l->no || b == l->no)
        return jni_not(l, a == l->no ? b : a);
    return boolean(l, z3.mk_iff(l->c, a->formula, b->formula));
}

term jni_choose(logic *l, term when, term a, term b)
{
    if (a == b || when == l->yes)
        return a;
    if (when == l->no)
        return b;
    Z3_ast one = z3.mk_ite(l->c, when->formula, ast(l, a), ast(l, b));
    if (a->formula)
        return boolean(l, one);
    term *at = place_of(l, one);
    if (!*at)
        *at = new_unknown(l, one);
    return *at;
}

term jni_add(logic *l, term a, term b)
{
    linear f;
    combine(&f, l, a, 1, b);
    return number_of(l, &f);
}

term jni_scale(logic *l, const fmpq_t c, term a)
{
    if (fmpq_is_zero(c))
        return l->zero;
    linear f;
    resolve(&f, l, &a->of);
    jni_linear_scale(&f, c);
    return number_of(l, &f);
}

term jni_less(logic *l, term a, term b)
{
    linear f;
    combine(&f, l, b, -1, a);
    return compare(l, &f, false);
}

term jni_equal(logic *l, term a, term b)
{
    linear f;
    combine(&f, l, a, -1, b);
    return compare(l, &f, true);
}

/* ---- a logic ------------------------------------------------------------------------------- */

logic *jni_logic_new(double until)
{
    if (!load())
        return NULL;
    logic *l = jn_alloc(sizeof *l);
    linear nothing;
    jni_linear_init(&nothing);
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
    z3.params_set_uint(l->c, l->p, z3.mk_string_symbol(l->c, "arith.solver"), 2);
    z3.params_set_bool(l->c, l->p, z3.mk_string_symbol(l->c, "ctrl_c"), false);
    z3.solver_set_params(l->c, l->s, l->p);
    l->bools = z3.mk_bool_sort(l->c);
    l->reals = z3.mk_real_sort(l->c);
    l->until = until;
    begin_scope(l);
    l->yes = boolean(l, z3.mk_true(l->c));
    l->no = boolean(l, z3.mk_false(l->c));
    l->zero = number_of(l, &nothing);
    return l;
}

static void forget_model(logic *l)
{
    if (l->m)
        z3.model_dec_ref(l->c, l->m);
    l->m = NULL;
}

/* To make a model takes longer than to find that there is one, and few are read. */
void jni_hold(logic *l)
{
    if (!l->has_told)
        return;
    forget_model(l);
    l->has_told = false;
    l->m = z3.solver_get_model(l->c, l->s);
    if (l->m)
        z3.model_inc_ref(l->c, l->m);
}

void jni_logic_free(logic *l)
{
    if (!l)
        return;
    forget_model(l);
    while (l->nscopes)
        end_scope(l);
    for (int i = 0; i < l->nterms; i++) {
        if (!l->term[i]->formula)
            jni_linear_clear(&l->term[i]->of);
        free(l->term[i]);
    }
    free(l->term);
    free(l->by_id);
    free(l->unknown);
    free(l->solved);
    free(l->scope);
    z3.params_dec_ref(l->c, l->p);
    z3.solver_dec_ref(l->c, l->s);
    z3.del_context(l->c);
    free(l);
}

/* ---- asking -------------------------------------------------------------------------------- */

void jni_assert(logic *l, term a)
{
    jni_hold(l);
    if (a != l->yes)
        z3.solver_assert(l->c, l->s, a->formula);
}

void jni_assert_equal(logic *l, term a, term b)
{
    linear f;
    combine(&f, l, a, -1, b);
    if (solve(l, &f))
        jni_linear_clear(&f);
    else
        jni_assert(l, compare(l, &f, true));
}

void jni_push(logic *l)
{
    jni_hold(l);
    begin_scope(l);
    z3.solver_push(l->c, l->s);
}

void jni_pop(logic *l)
{
    l->has_told = false;
    end_scope(l);
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
    if (jn_interrupted() || jni_logic_is_late(l))
        return LOGIC_UNKNOWN;
    pthread_mutex_init(&w.lock, NULL);
    pthread_cond_init(&w.over, NULL);
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
    l->has_told = r == Z3_L_TRUE;
    if (l->has_told &&
        (jn_interrupted() || jni_logic_is_late(l))) { /* the watch may have come late */
        jni_hold(l);
        r = l->m ? r : Z3_L_UNDEF;
    }
    return r == Z3_L_FALSE ? LOGIC_NO : r == Z3_L_TRUE ? LOGIC_YES : LOGIC_UNKNOWN;
}

static Z3_ast told(logic *l, Z3_ast a)
{
    Z3_ast value = NULL;
    jni_hold(l);
    return l->m && z3.model_eval(l->c, l->m, a, true, &value) ? value : NULL;
}

bool jni_told(logic *l, term a)
{
    Z3_ast value = told(l, a->formula);
    return value && z3.get_bool_value(l->c, value) == Z3_L_TRUE;
}

static void told_unknown(fmpq_t out, logic *l, int which)
{
    Z3_ast value = told(l, l->unknown[which].formula);
    fmpq_zero(out);
    if (value && fmpq_set_str(out, z3.get_numeral_string(l->c, value), 10) == 0)
        fmpq_canonicalise(out);
}

void jni_told_number(fmpq_t out, logic *l, term a)
{
    linear f;
    fmpq_t one;
    fmpq_init(one);
    resolve(&f, l, &a->of);
    fmpq_set(out, &f.constant);
    for (int i = 0; i < f.n; i++) {
        told_unknown(one, l, f.part[i].unknown);
        fmpq_addmul(out, one, &f.part[i].c);
    }
    jni_linear_clear(&f);
    fmpq_clear(one);
}
