/* value.c: what expressions are worth at a point.
 *
 * The same as src/sim/value_evaluate.c says in doubles, in exact terms: a value is a triple of what
 * a conflict drives, an impulse's area and a finite part, and a comparison is decided by the first
 * part in which its sides differ. abs, sign, min, max and if make a value one of several linear
 * forms. What is not linear is a new number that may be anything; so a proof stands, and a witness
 * has to show in a run that it is one. */
#include "question.h"

/* ---- values -------------------------------------------------------------------------------- */

static value several(question *q, int n)
{
    return (value){n, jni_room(q, (size_t)n * sizeof(way))};
}

static value exactly(question *q, jn_ratfun c)
{
    value r = several(q, 1);
    r.way[0] = (way){.when = jni_true(q->l), .number = c};
    r.way[0].part[FINITE] = jni_constant_term(q, c);
    return r;
}

static value finitely(question *q, term a)
{
    value r = several(q, 1);
    r.way[0] = (way){.when = jni_true(q->l), .number = {-1}};
    r.way[0].part[FINITE] = a;
    return r;
}

static value moving(question *q, term a, term slow)
{
    value r = finitely(q, a);
    r.way[0].part[FINITE_SLOW] = slow;
    return r;
}

/* why: as it goes on after the expression's name. */
enum { LONGEST_NAMED = 60 };

static value anything(question *q, const jn_expr *e, const char *why)
{
    jn_str text;
    jn_str_init(&text);
    jn_expr_print(&text, q->g, e);
    jni_vague(q, e->place,
              text.len > LONGEST_NAMED
                  ? jn_arena_printf(q->arena, "an expression %s", why)
                  : jn_arena_printf(q->arena, "'%s' %s", jn_str_c(&text), why));
    jn_str_clear(&text);
    return finitely(q, jni_real(q->l));
}

static term add_parts(question *q, term a, term b)
{
    return !a ? b : !b ? a : jni_add(q->l, a, b);
}

static way scaled_way(question *q, way a, jn_ratfun c)
{
    for (int p = 0; p < PARTS; p++)
        if (a.part[p])
            a.part[p] = jn_ratfun_is_zero(c) ? NULL : jni_times(q, c, a.part[p]);
    if (a.number.id >= 0)
        a.number = jn_ratfun_mul(q->g->field, a.number, c);
    return a;
}

static way sum_way(question *q, way a, way b)
{
    for (int p = 0; p < PARTS; p++)
        a.part[p] = add_parts(q, a.part[p], b.part[p]);
    bool known = a.number.id >= 0 && b.number.id >= 0;
    a.number = known ? jn_ratfun_add(q->g->field, a.number, b.number) : (jn_ratfun){-1};
    if (known)
        a.part[FINITE] = jni_constant_term(q, a.number);
    return a;
}

way jni_minus_way(question *q, way a, way b)
{
    return sum_way(q, a, scaled_way(q, b, jn_ratfun_int(q->g->field, -1)));
}

/* One way of both operands; false: it is not linear. */
typedef bool combine(way *out, question *q, jn_expr_op op, way a, way b);

static bool arithmetic(way *out, question *q, jn_expr_op op, way a, way b)
{
    jn_ratfun inverse;
    switch (op) {
    case JN_X_ADD:
        *out = sum_way(q, a, b);
        return true;
    case JN_X_SUB:
        *out = jni_minus_way(q, a, b);
        return true;
    case JN_X_MUL:
        if (b.number.id < 0 && a.number.id < 0)
            return false;
        *out = b.number.id >= 0 ? scaled_way(q, a, b.number) : scaled_way(q, b, a.number);
        return true;
    case JN_X_DIV:
        if (b.number.id < 0 || jn_ratfun_inv(&inverse, q->g->field, b.number) != JN_OK)
            return false;
        *out = scaled_way(q, a, inverse);
        return true;
    default:
        if (a.number.id < 0 || b.number.id < 0)
            return false;
        *out = a;
        out->number = jni_function_of(q, op, a.number, b.number);
        if (out->number.id < 0)
            return false;
        out->part[FINITE] = jni_constant_term(q, out->number);
        return true;
    }
}

static const char *const not_linear = "is not linear";

/* Whether it may jump although time does not. */
static bool may_jump(const question *q, const jn_expr *e)
{
    static const jn_expr_op jumps[] = {JN_X_DIV, JN_X_POW, JN_X_TAN, JN_X_SIGN,  JN_X_FLOOR,
                                       JN_X_MOD, JN_X_IF,  JN_X_LOG, JN_X_ATAN2, JN_X_TABLE};
    for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++)
        if (jn_expr_mentions(q->g, e, jumps[i]))
            return true;
    return false;
}

/* What a function never leaves, whatever it is of: exp(x) > 0, 0 ≤ mod(x, 4) ≤ 4 (4 just before it jumps). */
static void keep_to_values(question *q, const jn_expr *e, term is)
{
    logic *l = q->l;
    term zero = jni_zero(l);
    jn_ratfun most = e->op == JN_X_MOD ? jni_expr_constant(q, e->arg[1]) : (jn_ratfun){-1};
    if (e->op == JN_X_EXP)
        jni_assert(l, jni_less(l, zero, is));
    if (e->op == JN_X_SQRT)
        jni_assert(l, jni_not(l, jni_less(l, is, zero)));
    if (most.id < 0 || jn_ratfun_get_d(q->g->field, most) <= 0)
        return;
    jni_assert(l, jni_not(l, jni_less(l, is, zero)));
    jni_assert(l, jni_not(l, jni_less(l, jni_constant_term(q, most), is)));
}

/* Between −1 and 1; from the ends it goes back. */
static void keep_in_range(question *q, const jn_expr *e, term is, term slow)
{
    logic *l = q->l;
    term zero = jni_zero(l), one = jni_constant_term(q, JN_RATFUN_ONE);
    term least = jni_constant_term(q, jn_ratfun_int(q->g->field, -1));
    keep_to_values(q, e, is);
    if (e->op != JN_X_SIN && e->op != JN_X_COS)
        return;
    jni_assert(l, jni_not(l, jni_less(l, one, is)));
    jni_assert(l, jni_not(l, jni_less(l, is, least)));
    jni_assert(l, jni_implies(l, jni_equal(l, is, one), jni_less(l, slow, zero)));
    jni_assert(l, jni_implies(l, jni_equal(l, is, least), jni_less(l, zero, slow)));
}

/* An expression of time alone is an input like any other: a number between its ends, the same one
 * wherever the same is written. */
static value of_time(const view *v, const jn_expr *e)
{
    question *q = v->q;
    for (int i = 0; i < q->ntimes; i++) {
        const struct time_term *known = &q->times[i];
        if (known->sample == v->sample && jn_expr_same(known->e, e))
            return moving(q, known->is[v->phase], v->slow ? known->slow[v->phase] : NULL);
    }
    struct time_term anew = {.e = e, .sample = v->sample};
    for (int i = 0; i < 2; i++) {
        anew.is[i] = i && !may_jump(q, e) ? anew.is[0] : jni_real(q->l);
        anew.slow[i] = jni_real(q->l);
    }
    if (jni_is_wave(q, e))
        jni_wave_of(&anew, q, e);
    for (int i = 0; i < 2; i++)
        keep_in_range(q, e, anew.is[i], anew.slow[i]);
    JN_GROW(q->times, q->ntimes, q->cap_times);
    q->times[q->ntimes++] = anew;
    return of_time(v, e);
}

enum { MOST_WAYS = 256 };

static value with_both(const view *v, const jn_expr *e, const value *a, const value *b)
{
    question *q = v->q;
    if (a->n * b->n > MOST_WAYS)
        return anything(q, e, "has too many cases");
    value r = several(q, a->n * b->n);
    r.n = 0;
    for (int i = 0; i < a->n; i++)
        for (int k = 0; k < b->n; k++) {
            way *to = &r.way[r.n];
            term when = jni_and(q->l, a->way[i].when, b->way[k].when);
            if (jni_is_false(q->l, when))
                continue;
            if (!arithmetic(to, q, e->op, a->way[i], b->way[k]))
                return jni_expr_is_of_time(q, e) ? of_time(v, e) : anything(q, e, not_linear);
            to->when = when;
            r.n++;
        }
    return r;
}

/* ---- signs --------------------------------------------------------------------------------- */

signs jni_signs_of(question *q, const way *a)
{
    logic *l = q->l;
    signs s = {jni_false(l), jni_true(l), jni_false(l)};
    fmpq_t c;
    fmpq_init(c);
    if (a->number.id >= 0 && jn_ratfun_get_fmpq(c, q->g->field, a->number)) {
        int sign = fmpq_sgn(c);
        s = (signs){sign < 0 ? jni_true(l) : jni_false(l), sign ? jni_false(l) : jni_true(l),
                    sign > 0 ? jni_true(l) : jni_false(l)};
    } else {
        for (int p = 0; p < PARTS; p++) {
            if (!a->part[p])
                continue;
            term less = jni_less(l, a->part[p], jni_zero(l));
            term more = jni_less(l, jni_zero(l), a->part[p]);
            s.negative = jni_or(l, s.negative, jni_and(l, s.zero, less));
            s.positive = jni_or(l, s.positive, jni_and(l, s.zero, more));
            s.zero = jni_and(l, s.zero, jni_equal(l, a->part[p], jni_zero(l)));
        }
    }
    fmpq_clear(c);
    return s;
}

/* Splits every way of a value by the sign of another: first where it is not negative. */
static value split(const view *v, const value *a, const value *by,
                   way (*pick)(question *, way, int))
{
    question *q = v->q;
    value r = several(q, 3 * a->n);
    r.n = 0;
    for (int i = 0; i < a->n; i++) {
        signs s = jni_signs_of(q, &by->way[i]);
        term when[3] = {s.negative, s.zero, s.positive};
        for (int k = 0; k < 3; k++) {
            term both = jni_and(q->l, a->way[i].when, when[k]);
            if (jni_is_false(q->l, both))
                continue;
            r.way[r.n] = pick(q, a->way[i], k - 1);
            r.way[r.n++].when = both;
        }
    }
    return r;
}

static way absolute(question *q, way a, int sign)
{
    return sign < 0 ? scaled_way(q, a, jn_ratfun_int(q->g->field, -1)) : a;
}

static way sign_alone(question *q, way a, int sign)
{
    a.number = jn_ratfun_int(q->g->field, sign);
    for (int p = 0; p < PARTS; p++)
        a.part[p] = NULL;
    a.part[FINITE] = jni_constant_term(q, a.number);
    return a;
}

/* The greater, or the smaller, of two. */
static value chosen(const view *v, const value *a, const value *b, bool greater)
{
    question *q = v->q;
    value r = several(q, 2 * a->n * b->n);
    r.n = 0;
    for (int i = 0; i < a->n; i++)
        for (int k = 0; k < b->n; k++) {
            way apart = jni_minus_way(q, a->way[i], b->way[k]);
            signs s = jni_signs_of(q, &apart);
            term when = jni_and(q->l, a->way[i].when, b->way[k].when);
            term first = jni_not(q->l, greater ? s.negative : s.positive);
            r.way[r.n] = a->way[i];
            r.way[r.n++].when = jni_and(q->l, when, first);
            r.way[r.n] = b->way[k];
            r.way[r.n++].when = jni_and(q->l, when, jni_not(q->l, first));
        }
    return r;
}

/* A value of several ways as one term. */
static term one_term(const view *v, const value *x, int part)
{
    question *q = v->q;
    term r = jni_zero(q->l);
    for (int i = x->n - 1; i >= 0; i--) {
        term one = x->way[i].part[part] ? x->way[i].part[part] : jni_zero(q->l);
        r = i == x->n - 1 ? one : jni_choose(q->l, x->way[i].when, one, r);
    }
    return r;
}

term jni_finite(const view *v, const value *x)
{
    return one_term(v, x, FINITE);
}

term jni_finite_slow(const view *v, const value *x)
{
    return one_term(v, x, FINITE_SLOW);
}

/* ---- what is read -------------------------------------------------------------------------- */

static const view *speed(const view *v, bool slow)
{
    return slow ? v->slow : v;
}

/* NULL: 0. */
static term bond_at(const view *v, int part, bool effort, int bond)
{
    if (v->when) {
        term a = bond_at(v->yes, part, effort, bond), b = bond_at(v->no, part, effort, bond);
        term zero = jni_zero(v->q->l);
        return a || b ? jni_choose(v->q->l, v->when, a ? a : zero, b ? b : zero) : NULL;
    }
    const view *at = speed(v, part % 2);
    const bonds *of = !at               ? NULL
                      : part >= FINITE  ? at->value
                      : part >= IMPULSE ? at->impulse
                                        : at->conflict;
    return !of ? NULL : effort ? of->e[bond] : of->f[bond];
}

static term area_at(const view *v, bool slow, bool effort, int bond)
{
    if (v->when)
        return jni_choose(v->q->l, v->when, area_at(v->yes, slow, effort, bond),
                          area_at(v->no, slow, effort, bond));
    const view *at = speed(v, slow);
    const bonds *of = !at ? NULL : at->impulse ? at->impulse : at->area;
    return !of ? jni_zero(v->q->l) : effort ? of->e[bond] : of->f[bond];
}

typedef enum { READ_X, READ_INTEGRAL, READ_DISCRETE } read_kind;

static term held_at(const view *v, bool slow, read_kind kind, int i)
{
    if (v->when)
        return jni_choose(v->q->l, v->when, held_at(v->yes, slow, kind, i),
                          held_at(v->no, slow, kind, i));
    const view *at = speed(v, slow);
    if (!at)
        return jni_zero(v->q->l);
    return kind == READ_X ? at->x[i] : kind == READ_INTEGRAL ? at->integral[i] : at->discrete[i];
}

static value held_value(const view *v, read_kind kind, int i)
{
    return moving(v->q, held_at(v, false, kind, i), held_at(v, true, kind, i));
}

static value bond_value(const view *v, bool effort, int bond)
{
    value r = finitely(v->q, NULL);
    for (int p = 0; p < PARTS; p++)
        r.way[0].part[p] = bond_at(v, p, effort, bond);
    return r;
}

static value common(const view *v, const jn_expr *e)
{
    question *q = v->q;
    int bond, sign;
    value r = exactly(q, JN_RATFUN_ZERO);
    for (int i = 0; jn_expr_term(&bond, &sign, q->g, e, i); i++) {
        value one = bond_value(v, e->op == JN_X_COMMON_EFFORT, bond);
        r.way[0] =
            sign > 0 ? sum_way(q, r.way[0], one.way[0]) : jni_minus_way(q, r.way[0], one.way[0]);
        r.way[0].when = jni_true(q->l);
    }
    return r;
}

/* The same point, of which only the areas of impulses are read. */
static void look_at_areas(view *to, const view *v, bool slow)
{
    question *q = v->q;
    int nb = q->g->nbonds, n = q->g->nstorages + q->g->nintegrals + q->g->ndiscretes;
    bonds *areas = jni_room(q, sizeof *areas);
    term *none = jni_terms(q, n + 1);
    areas->e = jni_terms(q, nb);
    areas->f = jni_terms(q, nb);
    for (int b = 0; b < nb; b++) {
        areas->e[b] = area_at(v, slow, true, b);
        areas->f[b] = area_at(v, slow, false, b);
    }
    for (int i = 0; i <= n; i++)
        none[i] = jni_zero(q->l);
    *to = *v;
    to->when = NULL;
    to->value = areas;
    to->impulse = to->conflict = to->area = NULL;
    to->x = to->integral = to->discrete = none;
    to->slow = NULL;
}

static value area_of(const view *v, const jn_expr *e)
{
    view at, slow;
    look_at_areas(&at, v, false);
    look_at_areas(&slow, v, true);
    at.slow = &slow;
    return jni_value_of(&at, e);
}

/* What prior(x) reads: before anything has counted, as a model starts, x itself. */
static const view *prior_of(const view *v, const view *prior)
{
    if (!prior || (!prior->when && prior->is_own))
        return v;
    if (!prior->when || !v->q->is_first)
        return prior;
    view *to = jni_room(v->q, sizeof *to);
    *to = *prior;
    to->yes = prior_of(v, prior->yes);
    to->no = prior_of(v, prior->no);
    return to;
}

/* t */
static value the_time(const view *v, const jn_expr *e)
{
    question *q = v->q;
    if (q->is_first)
        return exactly(q, JN_RATFUN_ZERO);
    return v->sample ? of_time(v, e) : moving(q, q->t, v->slow_t);
}

static value leaf(const view *v, const jn_expr *e)
{
    question *q = v->q;
    jn_ratfun c;
    switch (e->op) {
    case JN_X_NUMBER:
    case JN_X_PARAM:
        c = jni_known_number(q, e->op == JN_X_NUMBER ? e->number : q->g->param[e->index].value);
        return c.id >= 0 ? exactly(q, c) : anything(q, e, "has no value");
    case JN_X_PI:
        return exactly(q, jni_of_double(q, JN_PI));
    case JN_X_TIME:
        return the_time(v, e);
    case JN_X_SIGNAL:
        return jni_value_of(v, q->g->signal[e->index].expr);
    case JN_X_DISCRETE:
        return held_value(v, READ_DISCRETE, e->index);
    case JN_X_EFFORT:
    case JN_X_FLOW:
        return bond_value(v, e->op == JN_X_EFFORT, e->index);
    case JN_X_COMMON_EFFORT:
    case JN_X_COMMON_FLOW:
        return common(v, e);
    case JN_X_MOMENTUM:
    case JN_X_DISPLACEMENT:
        return held_value(v, READ_X, q->g->element[e->index].number);
    case JN_X_INT:
        return held_value(v, READ_INTEGRAL, e->index);
    case JN_X_PRIOR:
        return jni_value_of(prior_of(v, v->prior), e->arg[0]);
    case JN_X_IMPULSE:
        return area_of(v, e->arg[0]);
    case JN_X_TABLE:
        if (jni_expr_is_of_time(q, e->arg[0]))
            return of_time(v, e);
        return anything(q, e, not_linear);
    default:
        return anything(q, e, e->op == JN_X_WITHIN ? "is read along a jump" : not_linear);
    }
}

static value branch(const view *v, const jn_expr *e)
{
    question *q = v->q;
    truth c = jni_truth_of(v, e->arg[0]);
    value a = jni_value_of(v, e->arg[1]), b = jni_value_of(v, e->arg[2]);
    value r = several(q, a.n + b.n);
    r.n = 0;
    for (int i = 0; i < a.n + b.n; i++) {
        way one = i < a.n ? a.way[i] : b.way[i - a.n];
        one.when = jni_and(q->l, one.when, i < a.n ? c.yes : jni_not(q->l, c.yes));
        if (!jni_is_false(q->l, one.when))
            r.way[r.n++] = one;
    }
    return r;
}

value jni_value_of(const view *v, const jn_expr *e)
{
    question *q = v->q;
    if (e->op == JN_X_IF)
        return branch(v, e);
    if (e->op < JN_X_NEG || e->op > JN_X_MAX)
        return leaf(v, e);
    value a = jni_value_of(v, e->arg[0]);
    if (e->op == JN_X_NEG || e->op == JN_X_ABS || e->op == JN_X_SIGN) {
        if (e->op == JN_X_NEG)
            for (int i = 0; i < a.n; i++)
                a.way[i] = scaled_way(q, a.way[i], jn_ratfun_int(q->g->field, -1));
        return e->op == JN_X_NEG ? a : split(v, &a, &a, e->op == JN_X_ABS ? absolute : sign_alone);
    }
    value b = e->nargs > 1 ? jni_value_of(v, e->arg[1]) : exactly(q, JN_RATFUN_ZERO);
    if (e->op == JN_X_MIN || e->op == JN_X_MAX) {
        if (2 * a.n * b.n > MOST_WAYS)
            return anything(q, e, "has too many cases");
        return chosen(v, &a, &b, e->op == JN_X_MAX);
    }
    return with_both(v, e, &a, &b);
}

jn_ratfun jni_expr_constant(question *q, const jn_expr *e)
{
    jn_ratfun none = (jn_ratfun){-1};
    if (!e || jni_expr_reads_model(q, e) || jn_expr_mentions(q->g, e, JN_X_TIME) ||
        jn_expr_mentions(q->g, e, JN_X_DISCRETE) || jn_expr_mentions(q->g, e, JN_X_ON) ||
        jn_expr_mentions(q->g, e, JN_X_IN) || jn_expr_mentions(q->g, e, JN_X_TABLE))
        return none;
    view nowhere = {.q = q, .fresh = jni_false(q->l)};
    value v = jni_value_of(&nowhere, e);
    return v.n == 1 ? v.way[0].number : none;
}
