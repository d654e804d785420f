/* simple.c: a witness with numbers that can be read.
 *
 * The solver's own numbers are corners of polyhedra. One state after the other is asked to be a
 * simple number near to what was found, with those before it as they are: nearer numbers come last. */
#include "question.h"

enum { SECONDS = 3 }; /* of processor time, for all of it */

/* One more condition; true: it can be met, and stays. */
bool jni_also(logic *l, term a)
{
    jni_push(l);
    jni_assert(l, a);
    if (jni_ask(l) == LOGIC_YES)
        return true;
    jni_pop(l);
    return false;
}

/* The multiple of 1/n that is nearest. */
static void round_to(fmpq_t out, const fmpq_t x, slong n)
{
    fmpq_t half;
    fmpz_t k;
    fmpq_init(half);
    fmpz_init(k);
    fmpq_set_si(half, 1, 2);
    fmpq_mul_si(out, x, n);
    fmpq_add(out, out, half);
    fmpz_fdiv_q(k, fmpq_numref(out), fmpq_denref(out));
    fmpq_set_fmpz(out, k);
    fmpq_set_si(half, n, 1);
    fmpq_div(out, out, half);
    fmpq_clear(half);
    fmpz_clear(k);
}

static int make_simple(question *q, term x, double until)
{
    static const slong part[] = {0, 1, 2, 4, 10, 100, 1000, 1000000};
    int kept = 0;
    fmpq_t was, c;
    fmpq_init(was);
    fmpq_init(c);
    jni_told_number(was, q->l, x);
    for (size_t i = 0; i < sizeof part / sizeof *part && !kept; i++) {
        if (jn_processor_seconds() > until)
            break;
        fmpq_zero(c);
        if (part[i])
            round_to(c, was, part[i]);
        kept = jni_also(q->l, jni_equal(q->l, x, jni_number(q->l, c)));
    }
    fmpq_clear(was);
    fmpq_clear(c);
    return kept;
}

/* Where something goes: one way or the other, by 1. */
static int make_one(question *q, term x)
{
    for (int sign = -1; sign <= 1; sign += 2)
        if (jni_also(q->l,
                     jni_equal(q->l, x, jni_constant_term(q, jn_ratfun_int(q->g->field, sign)))))
            return 1;
    return 0;
}

static term is_still(question *q, const view *slow)
{
    term still = jni_true(q->l);
    for (int i = 0; i < q->g->nstorages; i++)
        still = jni_and(q->l, still, jni_equal(q->l, slow->x[i], jni_zero(q->l)));
    return still;
}

bool jni_simplify(session *s)
{
    question *q = s->q;
    double until = jn_processor_seconds() + SECONDS;
    int kept = 0;
    bool is_true = jni_pin_circles(q, &kept);
    if (!s->any_direction) {
        s->flows = jni_prefer_flow(q);
        kept += s->flows;
    }
    kept += q->is_near && jni_also(q->l, is_still(q, s->u->begun.slow));
    for (int i = 0; i < q->g->nstorages; i++)
        kept += make_simple(q, s->u->start.x[i], until);
    for (int i = 0; i < q->g->nstorages && q->is_near && !q->ncircles; i++)
        kept += make_simple(q, s->u->begun.slow->x[i], until);
    for (int i = 0; i < q->g->nintegrals; i++)
        kept += make_simple(q, s->u->start.integral[i], until);
    for (int i = 0; i < q->g->nintegrals && q->is_near; i++)
        kept += make_one(q, s->u->begun.slow->integral[i]);
    for (int k = 0; k < q->g->nsources && q->is_near; k++)
        if (q->is_free[k])
            kept += make_simple(q, s->u->slow_input[k], until);
    for (int k = 0; k < q->g->nsources; k++)
        if (q->is_free[k])
            kept +=
                make_simple(q, s->u->input[k], until) + make_simple(q, s->u->start.input[k], until);
    for (int k = 0; k < q->g->nsources && q->jumps && q->is_near; k++) {
        const term rate[] = {s->u->rate[k], s->u->start.rate[k], s->u->slow_rate[k],
                             s->u->start.slow->rate[k]};
        for (size_t i = 0; i < sizeof rate / sizeof *rate; i++)
            kept += rate[i] && rate[i] != jni_zero(q->l) && make_simple(q, rate[i], until);
    }
    jni_hold(q->l);
    for (; kept; kept--)
        jni_pop(q->l);
    return is_true;
}
