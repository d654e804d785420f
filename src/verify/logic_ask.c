/* logic_ask.c: what is asserted and asked, and what makes it hold. */
#include <pthread.h>
#include <time.h>

#include "junct/limits.h"
#include "logic_internal.h"

/* ---- the model of a yes -------------------------------------------------------------------- */

void jni_logic_forget_model(logic *l)
{
    if (l->m)
        z3.model_dec_ref(l->c, l->m);
    l->m = NULL;
}

/* To make a model takes longer than to find that there is one, and few are read. */
bool jni_hold(logic *l)
{
    if (!l->has_told)
        return l->m;
    jni_logic_forget_model(l);
    l->has_told = false;
    l->m = z3.solver_get_model(l->c, l->s);
    if (l->m)
        z3.model_inc_ref(l->c, l->m);
    return l->m;
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
    jni_logic_combine(&f, l, a, -1, b);
    if (jni_logic_solve(l, &f))
        jni_linear_clear(&f);
    else
        jni_assert(l, jni_logic_compare(l, &f, true));
}

void jni_push(logic *l)
{
    jni_hold(l);
    jni_logic_begin_scope(l);
    z3.solver_push(l->c, l->s);
}

void jni_pop(logic *l)
{
    l->has_told = false;
    jni_logic_end_scope(l);
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

void jni_logic_take_time(logic *l, double until)
{
    l->until = until;
}

void jni_logic_interrupt(logic *l)
{
    z3.interrupt(l->c);
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
            jni_logic_interrupt(w->l);
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
        r = jni_hold(l) ? r : Z3_L_UNDEF;
    }
    return r == Z3_L_FALSE ? LOGIC_NO : r == Z3_L_TRUE ? LOGIC_YES : LOGIC_UNKNOWN;
}

static Z3_ast told(logic *l, Z3_ast a)
{
    Z3_ast value = NULL;
    return jni_hold(l) && z3.model_eval(l->c, l->m, a, true, &value) ? value : NULL;
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
    jni_logic_resolve(&f, l, &a->of);
    fmpq_set(out, &f.constant);
    for (int i = 0; i < f.n; i++) {
        told_unknown(one, l, f.part[i].unknown);
        fmpq_addmul(out, one, &f.part[i].c);
    }
    jni_linear_clear(&f);
    fmpq_clear(one);
}
