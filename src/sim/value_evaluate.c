/* value_evaluate.c: what an expression is worth in a mode at an instant, and whether a condition
 * holds.
 *
 * A triple (ω, δ, v): what a conflict drives without bound, the area of an impulse, the finite
 * part. A number is (0, 0, v), and so is impulse(x), the area alone. The order of sizes decides
 * comparisons; a product of two values that both have parts above v has no order of size, and so no
 * value. */
#include <math.h>

#include "run.h"

/* ---- triples ------------------------------------------------------------------------------- */

static triple number(double v, double noise)
{
    return (triple){.part[FINITE] = v, .noise[FINITE] = noise};
}

/* The first part that is not 0: what it is of the size of. */
static int order_of(const triple *x)
{
    for (int p = 0; p < FINITE; p++)
        if (fabs(x->part[p]) > x->noise[p])
            return p;
    return FINITE;
}

int jni_triple_sign(const triple *x, int *part)
{
    int p = 0;
    while (p < FINITE && fabs(x->part[p]) <= x->noise[p]) /* mostly they are 0 */
        p++;
    for (; p < PARTS; p++) {
        *part = p;
        if (isnan(x->part[p]))
            return 0;
        if (fabs(x->part[p]) > x->noise[p])
            return x->part[p] > 0 ? 1 : -1;
    }
    return 0;
}

static triple scaled(const triple *x, double c)
{
    triple r = *x;
    for (int p = 0; p < PARTS; p++) {
        r.part[p] *= c;
        r.noise[p] *= fabs(c);
    }
    return r;
}

static triple sum(const triple *a, const triple *b, double sign)
{
    triple r;
    for (int p = 0; p < PARTS; p++) {
        r.part[p] = a->part[p] + sign * b->part[p];
        r.noise[p] = a->noise[p] + b->noise[p];
    }
    bool rounds = a->part[FINITE] != 0 && b->part[FINITE] != 0 &&
                  (a->noise[FINITE] > 0 || b->noise[FINITE] > 0);
    if (rounds)
        r.noise[FINITE] += DBL_EPSILON * (fabs(a->part[FINITE]) + fabs(b->part[FINITE]));
    return r;
}

/* What is of the size of an impulse, or more, is beyond every number. */
static double as_number(const triple *x)
{
    int p = order_of(x);
    return p == FINITE ? x->part[p] : copysign(INFINITY, x->part[p]);
}

static triple product(const triple *a, const triple *b)
{
    if (order_of(a) < FINITE && order_of(b) < FINITE)
        return number(NAN, 0);
    const triple *big = order_of(a) < FINITE ? a : b, *small = big == a ? b : a;
    triple r = scaled(big, small->part[FINITE]);
    r.noise[FINITE] +=
        fabs(big->part[FINITE]) * small->noise[FINITE] + DBL_EPSILON * fabs(r.part[FINITE]);
    return r;
}

static triple quotient(const triple *a, const triple *b)
{
    double d = b->part[FINITE];
    if (order_of(b) < FINITE)
        return number(order_of(a) < FINITE ? NAN : 0, 0);
    triple r = scaled(a, 1 / d);
    r.noise[FINITE] += fabs(r.part[FINITE]) * (b->noise[FINITE] / fabs(d) + DBL_EPSILON);
    return r;
}

/* ---- what is read -------------------------------------------------------------------------- */

static double impulse_of(const view *v, const linear_form *f, double *noise)
{
    jump j = {.from = v->jump.from, .to = v->jump.to, .is_sudden = true};
    *noise = 0;
    return j.from ? v->m->engine->impulse(noise, v->s, v->m, f, &j) : 0;
}

static double conflict_of(const view *v, const linear_form *f, double *noise)
{
    *noise = 0;
    return v->u ? v->m->engine->conflict(noise, v->s, v->m, f, v->u) : 0;
}

static bool is_shared(const view *v, int obs)
{
    if (obs >= 2 * v->s->model.g->nbonds)
        return false;
    return (v->m->floating.is_shared && v->m->floating.is_shared[obs]) ||
           (v->slid && jni_slide_shares(v->slid, obs));
}

triple jni_observe(const view *v, int obs)
{
    triple r = {{0}, {0}};
    int first_discrete = jni_obs_count(&v->s->model);
    if (obs >= first_discrete)
        return number(v->discrete ? v->discrete[obs - first_discrete] : NAN, 0);
    if (!v->m)
        return number(NAN, 0);
    if (is_shared(v, obs)) {
        jni_shared_note(v, obs);
        if (v->s->o.strict)
            return number(NAN, 0);
    }
    struct form_term one = {obs, 1};
    linear_form f = {.n = 1, .term = &one};
    r.part[CONFLICT] = conflict_of(v, &f, &r.noise[CONFLICT]);
    r.part[IMPULSE] = impulse_of(v, &f, &r.noise[IMPULSE]);
    r.part[FINITE] = v->m->engine->value(&r.noise[FINITE], v->s, v->m, v->z, obs);
    return r;
}

/* What is held between events counts as a constant: time is added last, as where a comparison of time is
 * looked for, or the rounding of one order would not find what the other does. */
static inline double form_constant(const view *v, const linear_form *f, int *first)
{
    int n = f->n, discrete = jni_obs_count(&v->s->model);
    double sum = f->c0;
    for (; n > 0 && f->term[n - 1].obs >= discrete; n--)
        sum += f->term[n - 1].c * v->discrete[f->term[n - 1].obs - discrete];
    *first = n;
    return sum + f->ct * v->t;
}

/* Notes what is known by least norm only; true: that does not count as known. */
static bool is_withheld(const view *v, const linear_form *f, int n)
{
    bool any = false;
    for (int i = 0; i < n; i++)
        if (is_shared(v, f->term[i].obs)) {
            jni_shared_note(v, f->term[i].obs);
            any = true;
        }
    return any && v->s->o.strict;
}

/* Whether there is more to a form than its constant; its first n terms may be. */
static inline bool reads_point(const view *v, const linear_form *f, int n)
{
    bool has_levels = n < f->n && v->m && v->m->engine->mean; /* that are slid on, perhaps */
    return n || has_levels;
}

void jni_form_read(triple *r, const view *v, const linear_form *f)
{
    int n;
    double constant = form_constant(v, f, &n);
    *r = number(constant, 0);
    if (!reads_point(v, f, n))
        return;
    if (!v->m) {
        r->part[FINITE] = NAN;
        return;
    }
    if (v->u || v->jump.from) {
        r->part[CONFLICT] = conflict_of(v, f, &r->noise[CONFLICT]);
        r->part[IMPULSE] = impulse_of(v, f, &r->noise[IMPULSE]);
    }
    r->part[FINITE] += v->m->engine->form(&r->noise[FINITE], v->s, v->m, v->z, f);
    r->noise[FINITE] += NOISE_OF_SUM * fabs(constant);
    if ((v->m->floating.row || v->slid) && is_withheld(v, f, n))
        r->part[FINITE] = NAN;
}

double jni_form_number(const view *v, const linear_form *f)
{
    int n;
    double constant = form_constant(v, f, &n);
    if (!reads_point(v, f, n))
        return constant;
    if (!v->m || ((v->m->floating.row || v->slid) && is_withheld(v, f, n)))
        return NAN;
    return constant + v->m->engine->form(NULL, v->s, v->m, v->z, f);
}

/* Sums over the bonds of a junction. */
static triple common(const view *v, const jn_expr *e)
{
    int bond, sign;
    triple total = {{0}, {0}};
    for (int i = 0; jn_expr_term(&bond, &sign, v->s->model.g, e, i); i++) {
        int obs = e->op == JN_X_COMMON_EFFORT ? jni_obs_effort(bond) : jni_obs_flow(bond);
        triple one = jni_observe(v, obs);
        total = sum(&total, &one, sign);
    }
    return total;
}

/* The impulse's area of an expression that is linear in bond variables. */
static triple impulse_area(const view *v, const jn_expr *e)
{
    linear_form f;
    triple area = number(0, 0);
    view at = *v;
    if (!v->jump.from && v->committed_in) {
        at.jump = v->committed;
        at.m = v->committed_in;
    }
    if (!at.m || !jni_form_of(&f, &v->s->model, e))
        return number(NAN, 0);
    area.part[FINITE] = impulse_of(&at, &f, &area.noise[FINITE]);
    jni_form_clear(&f);
    if (fabs(area.part[FINITE]) <= area.noise[FINITE])
        area.part[FINITE] = 0;
    return area;
}

/* Along a jump a value goes straight from what it was to what it will be. */
static triple within_jump(const view *v, const jn_expr *e)
{
    view after = *v;
    after.jump = (jump){.from = NULL};
    triple b = jni_evaluate_triple(&after, e);
    if (!v->jump.from || !v->prior || !v->prior->m)
        return b;
    triple a = jni_evaluate_triple(v->prior, e);
    a = scaled(&a, 1 - v->theta);
    b = scaled(&b, v->theta);
    return sum(&a, &b, 1);
}

static triple leaf(const view *v, const jn_expr *e)
{
    model *m = &v->s->model;
    switch (e->op) {
    case JN_X_NUMBER:
        return number(jni_number_of(m, e->number), 0);
    case JN_X_PARAM:
        return number(jni_number_of(m, m->g->param[e->index].value), 0);
    case JN_X_TIME:
        return number(v->t, 0);
    case JN_X_PI:
        return number(PI, 0);
    case JN_X_SIGNAL:
        return jni_evaluate_triple(v, m->g->signal[e->index].expr);
    case JN_X_DISCRETE:
        return jni_observe(v, jni_obs_discrete(m, e->index));
    case JN_X_EFFORT:
        return jni_observe(v, jni_obs_effort(e->index));
    case JN_X_FLOW:
        return jni_observe(v, jni_obs_flow(e->index));
    case JN_X_COMMON_EFFORT:
    case JN_X_COMMON_FLOW:
        return common(v, e);
    case JN_X_MOMENTUM:
    case JN_X_DISPLACEMENT:
        return jni_observe(v, jni_obs_state(m, m->g->element[e->index].number));
    case JN_X_INT:
        return jni_observe(v, jni_obs_integral(m, e->index));
    case JN_X_PRIOR:
        return jni_evaluate_triple(v->prior && v->prior->m ? v->prior : v, e->arg[0]);
    case JN_X_WITHIN:
        return within_jump(v, e->arg[0]);
    case JN_X_IMPULSE:
        return impulse_area(v, e->arg[0]);
    default:
        return number(NAN, 0);
    }
}

/* ---- functions ----------------------------------------------------------------------------- */

static triple chosen(const triple *a, const triple *b, int sign)
{
    triple apart = sum(a, b, -1);
    int part;
    return jni_triple_sign(&apart, &part) * sign >= 0 ? *a : *b;
}

static triple one_argument(jn_expr_op op, const triple *a)
{
    int part, sign = jni_triple_sign(a, &part);
    if (op == JN_X_NEG)
        return scaled(a, -1);
    if (op == JN_X_ABS)
        return scaled(a, order_of(a) == FINITE && a->part[FINITE] < 0 ? -1 : sign < 0 ? -1 : 1);
    if (op == JN_X_SIGN && (order_of(a) < FINITE || !sign) && !isnan(a->part[FINITE]))
        return number(sign, 0);
    dual r = jni_function(op, (dual){as_number(a), a->noise[FINITE]}, (dual){0, 0});
    return number(r.v, fabs(r.d) + DBL_EPSILON * fabs(r.v));
}

static triple two_arguments(jn_expr_op op, const triple *a, const triple *b)
{
    switch (op) {
    case JN_X_ADD:
        return sum(a, b, 1);
    case JN_X_SUB:
        return sum(a, b, -1);
    case JN_X_MUL:
        return product(a, b);
    case JN_X_DIV:
        return quotient(a, b);
    case JN_X_MIN:
        return chosen(a, b, -1);
    case JN_X_MAX:
        return chosen(a, b, 1);
    default:
        break;
    }
    double x = as_number(a), y = as_number(b);
    dual r = jni_function(op, (dual){x, a->noise[FINITE]}, (dual){y, 0});
    dual q = jni_function(op, (dual){x, 0}, (dual){y, b->noise[FINITE]});
    return number(r.v, fabs(r.d) + fabs(q.d) + DBL_EPSILON * fabs(r.v));
}

/* floor or mod on the step that the run is on; false: on whichever they are. */
static bool on_step(triple *out, const view *v, const jn_expr *e)
{
    int step = v->discrete ? jni_step_of(&v->s->model, e) : -1;
    if (step < 0)
        return false;
    double level = v->discrete[jni_step_discrete(&v->s->model, step)];
    *out = number(level, 0);
    if (e->op == JN_X_MOD) {
        triple a = jni_evaluate_triple(v, e->arg[0]), b = jni_evaluate_triple(v, e->arg[1]);
        b = scaled(&b, level);
        *out = sum(&a, &b, -1);
    }
    return true;
}

/* Whether the terms of a sum may be undetermined though the sum is not. */
static inline bool leaves_open(const view *v)
{
    return v->m && v->m->floating.nnull && !v->s->given.n;
}

triple jni_evaluate_triple(const view *v, const jn_expr *e)
{
    const double *known = v->s->given.n ? jni_known(v->s, e) : NULL;
    if (known)
        return number(*known, 0);
    if (v->m && v->m->engine->mean)
        return v->m->engine->mean(v, e);
    const linear_form *f = leaves_open(v) ? jni_sum_of(&v->s->model, e) : NULL;
    if (f) {
        triple sum;
        jni_form_read(&sum, v, f);
        return sum;
    }
    int side;
    if (e->op == JN_X_SIGN && v->slid && jni_slide_side(&side, v, e->arg[0], NULL))
        return number(side, 0);
    triple held;
    if ((e->op == JN_X_FLOOR || e->op == JN_X_MOD) && on_step(&held, v, e))
        return held;
    if (e->op == JN_X_IF)
        return jni_evaluate_triple(v, e->arg[jni_holds(v, e->arg[0]) ? 1 : 2]);
    if (e->op == JN_X_TABLE) {
        triple at = jni_evaluate_triple(v, e->arg[0]);
        double slope = jni_table_slope(&v->s->model, e->index, as_number(&at));
        return number(jni_table_at(&v->s->model, e->index, as_number(&at)),
                      fabs(slope) * at.noise[FINITE]);
    }
    if (e->op < JN_X_NEG || e->op > JN_X_MAX)
        return leaf(v, e);
    triple a = jni_evaluate_triple(v, e->arg[0]);
    if (e->nargs == 1)
        return one_argument(e->op, &a);
    triple b = jni_evaluate_triple(v, e->arg[1]);
    return two_arguments(e->op, &a, &b);
}

double jni_evaluate(const view *v, const jn_expr *e)
{
    triple x = jni_evaluate_triple(v, e);
    return as_number(&x);
}

/* ---- conditions ---------------------------------------------------------------------------- */

bool jni_holds_by_sign(jn_expr_op op, int sign)
{
    switch (op) {
    case JN_X_LT:
        return sign < 0;
    case JN_X_LE:
        return sign <= 0;
    case JN_X_GE:
        return sign >= 0;
    case JN_X_GT:
        return sign > 0;
    default: /* JN_X_EQ */
        return sign == 0;
    }
}

/* 0: the sides are equal as far as can be told. For what has just moved this decides nothing. */
static verdict by_sign(jn_expr_op op, int sign, bool fresh)
{
    return sign == 0 && fresh ? UNKNOWN : jni_holds_by_sign(op, sign) ? YES : NO;
}

static int turned(int side, int sign)
{
    return side * sign;
}

/* Where the sum is, or as the run has come to be. What was followed to a crossing on a stretch is known there
 * no better than the stretch was, however small the terms of the sum have become. What the mode makes 0 is 0,
 * wherever the run came from: the current of a diode that nothing closes a path for. */
static int side_of(const surface *g, const triple *apart, int crossed, bool is_spent, int *rank)
{
    int side = jni_triple_sign(apart, rank);
    if (g->kind == SURFACE_LINEAR && *rank == FINITE && apart->part[FINITE] == 0 &&
        apart->noise[FINITE] == 0)
        return 0;
    if (is_spent)
        return side && *rank == FINITE &&
                       fabs(apart->part[FINITE]) <= CLEAR_OF_LOOP * apart->noise[FINITE]
                   ? 0
                   : side;
    bool is_known = side && (*rank != FINITE || fabs(apart->part[FINITE]) > g->found_noise);
    return crossed && crossed != ON_SURFACE && !is_known ? crossed : side;
}

/* To which side the run has just come, in this instant or in one before it at the same point; 0: to none. */
static int came_to(const view *v, int number_of)
{
    const surface *g = &v->s->watch.surface[number_of];
    if (!v->side || v->side[number_of])
        return v->side ? v->side[number_of] : 0;
    return g->crossed_at == v->t ? g->side : 0;
}

static verdict is_on(const view *v, int number)
{
    if (!v->m)
        return UNKNOWN;
    return v->state ? v->s->model.g->automaton[number].state[v->state[number]].on
                    : v->m->onoff[number];
}

bool jni_reads_another(const view *v, const jn_expr *e)
{
    view now = jni_present(v->s);
    if (e->op == JN_X_ON) {
        int number = v->s->model.g->element[e->index].number;
        return is_on(v, number) != is_on(&now, number);
    }
    if (e->op == JN_X_IN)
        return v->state && (v->state[e->index] == e->state) != (now.state[e->index] == e->state);
    if (e->op == JN_X_SIGNAL)
        return jni_reads_another(v, v->s->model.g->signal[e->index].expr);
    bool is_leaf = e->nargs == 0 || e->op == JN_X_INT;
    if (is_leaf && e->op != JN_X_TIME) {
        triple here = jni_evaluate_triple(v, e), there = jni_evaluate_triple(&now, e);
        int rank;
        triple apart = sum(&here, &there, -1);
        return jni_triple_sign(&apart, &rank) != 0;
    }
    bool is_another = false;
    for (int i = 0; i < e->nargs && !is_leaf; i++)
        is_another |= jni_reads_another(v, e->arg[i]);
    return is_another;
}

/* The sign of left − right on a surface. */
static verdict surface_verdict(const view *v, const jn_expr *e, int number_of, int sign, int *rank)
{
    surface *g = &v->s->watch.surface[number_of];
    bool is_present = v->point && !v->jump.from && !v->u;
    triple own, *apart = is_present ? &g->noted : &own;
    jni_surface_read(apart, v, g);
    if (is_present)
        g->noted_at = v->point;
    if (isnan(apart->part[FINITE]) && order_of(apart) == FINITE)
        return UNKNOWN;
    bool is_spent = v->fresh && v->side_once;
    int came = came_to(v, number_of), side = side_of(g, apart, came, is_spent, rank);
    if (came && side == came && g->kind == SURFACE_SAMPLED && jni_reads_another(v, e))
        side = side_of(g, apart, 0, is_spent, rank);
    return by_sign(e->op, turned(side, sign), v->fresh && !side && g->kind != SURFACE_TIME);
}

/* Where it is watched: by the very sum that is followed in time. */
static bool compare_watched(verdict *out, const view *v, const jn_expr *e, int *rank)
{
    const comparison *c = jni_watched(v->s, e);
    if (!c || c->reads_past || e->op == JN_X_EQ ||
        v->s->watch.surface[c->surface].kind == SURFACE_INSTANT)
        return false;
    *out = surface_verdict(v, e, c->surface, c->sign, rank);
    if (c->other >= 0 && *out != UNKNOWN) { /* |x| < c: x < c and −x < c */
        bool less = e->op == JN_X_LT || e->op == JN_X_LE;
        bool all = less == (e->arg[0]->op == JN_X_ABS);
        int other_rank;
        verdict other = surface_verdict(v, e, c->other, c->other_sign, &other_rank);
        verdict decides = all ? NO : YES;
        if (other == decides)
            *rank = other_rank < *rank ? other_rank : *rank;
        *out = *out == decides || other == decides ? decides : other == UNKNOWN ? UNKNOWN : *out;
    }
    return true;
}

static verdict compare(const view *v, const jn_expr *c, int *rank)
{
    verdict out;
    int slid_side;
    if (v->m && compare_watched(&out, v, c, rank))
        return out;
    triple a = jni_evaluate_triple(v, c->arg[0]), b = jni_evaluate_triple(v, c->arg[1]);
    triple apart = sum(&a, &b, -1);
    int sign = jni_triple_sign(&apart, rank);
    if (isnan(apart.part[*rank]))
        return UNKNOWN;
    if (c->op == JN_X_EQ && *rank == FINITE)
        sign *=
            fabs(apart.part[FINITE]) > EQUAL_SIDES * (fabs(a.part[FINITE]) + fabs(b.part[FINITE]));
    if (*rank == FINITE && jni_mentions(&v->s->model, c, JN_X_IMPULSE))
        *rank = IMPULSE;
    bool is_fresh = v->fresh && v->m && jni_reads_model(&v->s->model, c);
    if (v->slid && jni_slide_side(&slid_side, v, c->arg[0], c->arg[1]))
        return by_sign(c->op, slid_side, is_fresh && !slid_side);
    const comparison *watched = sign == 0 && v->m && v->side ? jni_watched(v->s, c) : NULL;
    int side = watched && watched->other < 0 ? v->side[watched->surface] : 0;
    if (side && side != ON_SURFACE) {
        sign = turned(side, watched->sign);
        is_fresh = false;
    }
    return by_sign(c->op, sign, is_fresh);
}

static verdict both(const view *v, const jn_expr *c, int *rank)
{
    verdict decides = c->op == JN_X_OR ? YES : NO;
    int ra = FINITE, rb = FINITE;
    verdict a = jni_truth(v, c->arg[0], &ra), b = jni_truth(v, c->arg[1], &rb);
    *rank = ra < rb ? ra : rb;
    if (c->op == JN_X_OR && a != b && a != UNKNOWN && b != UNKNOWN)
        *rank = a == YES ? ra : rb;
    if (a == decides || b == decides)
        return decides;
    return a == UNKNOWN ? a : b;
}

verdict jni_truth(const view *v, const jn_expr *c, int *rank)
{
    verdict a;
    *rank = FINITE;
    switch (c->op) {
    case JN_X_NOT:
        a = jni_truth(v, c->arg[0], rank);
        return a == UNKNOWN ? a : a == YES ? NO : YES;
    case JN_X_AND:
    case JN_X_OR:
        return both(v, c, rank);
    case JN_X_ON:
        return is_on(v, v->s->model.g->element[c->index].number);
    case JN_X_IN:
        return v->state ? v->state[c->index] == c->state : UNKNOWN;
    default:
        return compare(v, c, rank);
    }
}

bool jni_holds(const view *v, const jn_expr *condition)
{
    int rank;
    return jni_truth(v, condition, &rank) == YES;
}

const jn_expr *jni_without_value(const view *v, const jn_expr *e)
{
    const jn_expr *within = NULL;
    int rank;
    if (jn_expr_is_condition(e) ? jni_truth(v, e, &rank) != UNKNOWN : !isnan(jni_evaluate(v, e)))
        return NULL;
    for (int i = 0; i < e->nargs && !within; i++)
        within = jni_without_value(v, e->arg[i]);
    return within ? within : e;
}
