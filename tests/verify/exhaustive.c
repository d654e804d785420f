/* exhaustive.c: what a small model can do at an instant, by going through all cases.
 *
 * An instant begins in a mode that lasts, in a state that fits it. All numbers are v + ε·v' with ε as
 * small as you like: before the instant v' leads to where the mode has lasted, from then on to where
 * the state goes. Then clocks may turn switches and bounded sources may jump. From there:
 *
 *   1. candidate m; x⁺ = the jump of x_s into m; conflict, impulse and finite part of all values.
 *   2. Something fires: next candidate, from x_s as it was. What a conflict decides goes alone; else
 *      what an impulse decides; else the rest. What reads only prior values waits.
 *   3. Nothing fires. m is forbidden: a dead end. Else x_s := x⁺, prior values are those of m.
 *      Something fires: next candidate. Nothing does: the instant ends in m.
 *
 * What has moved at this instant is not moved on by a comparison of equal sides. The same automata with
 * the same x_s, and the same of them moved: it never ends. */
#include "exhaustive.h"

#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "exhaustive_mode.h"

enum {
    MOST_SWITCHES = 12,
    MOST_STATES = 4,
    MOST_SOURCES = 4,
    MOST_PASSES = 48,
};
enum { CONFLICT, IMPULSE, FINITE, PARTS };
enum { NOW, SLOW, LEVELS };
typedef enum { NO, YES, UNKNOWN } truth;

typedef fmpq *form; /* affine in the unknowns of the cells */

/* A point: a mode, entered from x_s with inputs and their rates. */
typedef struct point {
    const exhaustive_mode *m;
    const jn_onoff *on;
    form given[LEVELS][MOST_STATES + 2 * MOST_SOURCES];
    bool is_committed; /* no impulses any more */
    const struct point *prior;
} point;

/* Of the switches that a clock moves: before and after. */
typedef struct {
    int before[MOST_SWITCHES], after[MOST_SWITCHES];
} pattern;

typedef struct {
    const jn_graph *g;
    cells *c;
    int width, nx, nu, nrow; /* nrow: what a mode is given */
    bool is_free[MOST_SOURCES];
    fmpq_t says[MOST_SOURCES];
    exhaustive_mode **mode; /* per mode, the first switch its highest digit; NULL: not met yet */
    jn_onoff (*onoff)[MOST_SWITCHES];
    int npatterns, cap_patterns;
    pattern *pattern;
    form *pool; /* forms made on the way */
    int npool, cap_pool;
    int at_start[MOST_SWITCHES]; /* of those that are modulated */
    bool agrees;                 /* sources do that are tied to each other in some mode */
    int most;
    bool is_able;
    const char *why;
} search;

typedef struct {
    int automaton[MOST_SWITCHES];
    bool fresh[MOST_SWITCHES];
    form x[LEVELS][MOST_STATES]; /* x_s */
} candidate;

/* ---- forms --------------------------------------------------------------------------------- */

static form new_form(search *o)
{
    if (o->npool == o->cap_pool) {
        o->cap_pool = o->cap_pool ? 2 * o->cap_pool : 256;
        o->pool = realloc(o->pool, (size_t)o->cap_pool * sizeof *o->pool);
        for (int i = o->npool; i < o->cap_pool; i++) {
            o->pool[i] = malloc((size_t)o->width * sizeof **o->pool);
            for (int k = 0; k < o->width; k++)
                fmpq_init(o->pool[i] + k);
        }
    }
    form f = o->pool[o->npool++];
    for (int k = 0; k < o->width; k++)
        fmpq_zero(f + k);
    return f;
}

static form unknown(search *o, int k)
{
    form f = new_form(o);
    fmpq_one(f + k);
    return f;
}

static form constant(search *o, const fmpq_t c)
{
    form f = new_form(o);
    fmpq_set(f + o->width - 1, c);
    return f;
}

static void add(const search *o, form to, const fmpq_t c, const fmpq *f)
{
    for (int k = 0; k < o->width; k++)
        if (!fmpq_is_zero(f + k))
            fmpq_addmul(to + k, c, f + k);
}

static form minus(search *o, const fmpq *a, const fmpq *b)
{
    form f = new_form(o);
    for (int k = 0; k < o->width; k++)
        fmpq_sub(f + k, a + k, b + k);
    return f;
}

/* A row of a mode at a point. */
static form applied(search *o, const fmpq *row, const point *p, int level)
{
    form f = new_form(o);
    for (int k = 0; k < o->nrow; k++)
        if (!fmpq_is_zero(row + k))
            add(o, f, row + k, p->given[level][k]);
    return f;
}

/* ---- values -------------------------------------------------------------------------------- */

typedef struct {
    form part[PARTS][LEVELS];
} worth;

static worth zero(search *o)
{
    worth w;
    for (int p = 0; p < PARTS; p++)
        for (int l = 0; l < LEVELS; l++)
            w.part[p][l] = new_form(o);
    return w;
}

static void add_worth(search *o, worth *to, slong c, const worth *w)
{
    fmpq_t f;
    fmpq_init(f);
    fmpq_set_si(f, c, 1);
    for (int p = 0; p < PARTS; p++)
        for (int l = 0; l < LEVELS; l++)
            add(o, to->part[p][l], f, w->part[p][l]);
    fmpq_clear(f);
}

static worth bond_worth(search *o, const point *p, bool effort, int bond)
{
    worth w = zero(o);
    int row = (2 * bond + !effort) * o->nrow;
    for (int l = 0; l < LEVELS; l++) {
        w.part[FINITE][l] = applied(o, p->m->finite + row, p, l);
        if (p->is_committed)
            continue;
        w.part[IMPULSE][l] = applied(o, p->m->impulse + row, p, l);
        w.part[CONFLICT][l] = applied(o, p->m->conflict + row, p, l);
    }
    return w;
}

static worth common_worth(search *o, const point *p, const jn_expr *e)
{
    worth w = zero(o);
    const jn_element *x = &o->g->element[e->index];
    bool zero_junction = x->kind == JN_0 || x->kind == JN_X0;
    bool effort = e->op == JN_X_COMMON_EFFORT;
    for (int i = 0; i < (effort == zero_junction ? 1 : x->nbonds); i++) {
        worth one = bond_worth(o, p, effort, x->bond[i]);
        bool arrives = o->g->bond[x->bond[i]].head == e->index;
        add_worth(o, &w, effort == zero_junction || !arrives ? 1 : -1, &one);
    }
    return w;
}

/* By the first part that is not 0; *rank: that part. */
static int sign_of(search *o, const worth *w, int *rank)
{
    for (int p = 0; p < PARTS; p++)
        for (int l = 0; l < LEVELS; l++) {
            *rank = p;
            int s = cells_sign(o->c, w->part[p][l]);
            if (s)
                return s;
        }
    return 0;
}

static void number_of(fmpq_t out, const search *o, const jn_expr *e)
{
    jn_ratfun r = e->op == JN_X_PARAM ? o->g->param[e->index].value : e->number;
    fmpq_zero(out);
    jn_ratfun_get_fmpq(out, o->g->field, r);
}

static worth value(search *o, const point *p, const jn_expr *e);

static worth product(search *o, const point *p, const jn_expr *e)
{
    int by = e->arg[0]->op == JN_X_NUMBER ? 0 : 1;
    worth w = zero(o), a = value(o, p, e->arg[1 - by]);
    fmpq_t c;
    fmpq_init(c);
    if (e->arg[by]->op != JN_X_NUMBER) {
        o->is_able = false;
        o->why = "a product";
    } else {
        number_of(c, o, e->arg[by]);
    }
    for (int q = 0; q < PARTS; q++)
        for (int l = 0; l < LEVELS; l++)
            add(o, w.part[q][l], c, a.part[q][l]);
    fmpq_clear(c);
    return w;
}

static worth state_worth(search *o, const point *p, int storage)
{
    worth w = zero(o);
    for (int l = 0; l < LEVELS; l++)
        w.part[FINITE][l] = applied(o, p->m->after + storage * o->nrow, p, l);
    return w;
}

static worth value(search *o, const point *p, const jn_expr *e)
{
    worth w = zero(o), a, b;
    fmpq_t c;
    int rank;
    switch (e->op) {
    case JN_X_NUMBER:
    case JN_X_PARAM:
        fmpq_init(c);
        number_of(c, o, e);
        w.part[FINITE][NOW] = constant(o, c);
        fmpq_clear(c);
        return w;
    case JN_X_EFFORT:
    case JN_X_FLOW:
        return bond_worth(o, p, e->op == JN_X_EFFORT, e->index);
    case JN_X_COMMON_EFFORT:
    case JN_X_COMMON_FLOW:
        return common_worth(o, p, e);
    case JN_X_MOMENTUM:
    case JN_X_DISPLACEMENT:
        return state_worth(o, p, o->g->element[e->index].number);
    case JN_X_PRIOR:
        return value(o, p->prior ? p->prior : p, e->arg[0]);
    case JN_X_NEG:
    case JN_X_ADD:
    case JN_X_SUB:
        a = value(o, p, e->arg[0]);
        add_worth(o, &w, e->op == JN_X_NEG ? -1 : 1, &a);
        if (e->nargs > 1) {
            b = value(o, p, e->arg[1]);
            add_worth(o, &w, e->op == JN_X_ADD ? 1 : -1, &b);
        }
        return w;
    case JN_X_ABS:
        a = value(o, p, e->arg[0]);
        add_worth(o, &w, sign_of(o, &a, &rank) < 0 ? -1 : 1, &a);
        return w;
    case JN_X_MUL:
        return product(o, p, e);
    default:
        o->is_able = false;
        o->why = "an expression";
        return w;
    }
}

/* ---- conditions ---------------------------------------------------------------------------- */

static bool reads(const jn_expr *e, bool below_prior)
{
    if (e->op == JN_X_PRIOR && !below_prior)
        return false;
    if (e->op >= JN_X_EFFORT && e->op <= JN_X_DISPLACEMENT)
        return true;
    for (int i = 0; i < e->nargs; i++)
        if (reads(e->arg[i], below_prior))
            return true;
    return false;
}

static truth by_sign(jn_expr_op op, int s)
{
    return op == JN_X_LT   ? s < 0
           : op == JN_X_LE ? s <= 0
           : op == JN_X_GE ? s >= 0
           : op == JN_X_GT ? s > 0
                           : s == 0;
}

static truth holds(search *o, const point *p, const jn_expr *e, bool fresh, int *rank)
{
    int ra = FINITE, rb = FINITE;
    *rank = FINITE;
    if (e->op == JN_X_ON)
        return p->on[o->g->element[e->index].number];
    if (e->op == JN_X_NOT) {
        truth a = holds(o, p, e->arg[0], fresh, rank);
        return a == UNKNOWN ? a : a == YES ? NO : YES;
    }
    if (e->op == JN_X_AND || e->op == JN_X_OR) {
        truth a = holds(o, p, e->arg[0], fresh, &ra), b = holds(o, p, e->arg[1], fresh, &rb);
        truth decides = e->op == JN_X_OR ? YES : NO;
        *rank = ra < rb ? ra : rb;
        if (e->op == JN_X_OR && a != b && a != UNKNOWN && b != UNKNOWN)
            *rank = a == YES ? ra : rb;
        return a == decides || b == decides ? decides : a == UNKNOWN ? a : b;
    }
    worth a = value(o, p, e->arg[0]), b = value(o, p, e->arg[1]);
    add_worth(o, &a, -1, &b);
    int s = sign_of(o, &a, rank);
    return s == 0 && fresh && reads(e, true) ? UNKNOWN : by_sign(e->op, s);
}

/* ---- candidates ---------------------------------------------------------------------------- */

static int number_of_mode(const search *o, const int *automaton)
{
    int n = 0;
    for (int k = 0; k < o->g->nswitches; k++)
        n = 2 * n + o->g->automaton[k].state[automaton[k]].on;
    return n;
}

/* Whether sources are tied to each other, but constants that agree: nothing is driven without bound. */
static bool sources_agree(const search *o, const exhaustive_mode *m)
{
    int n = o->nx + 2 * o->nu;
    bool agree = m->is_forbidden;
    fmpq_t sum;
    fmpq_init(sum);
    for (int b = 0; b < 2 * o->g->nbonds && agree; b++) {
        const fmpq *row = m->conflict + b * n + o->nx;
        fmpq_zero(sum);
        for (int k = 0; k < o->nu; k++) {
            agree = agree && (fmpq_is_zero(row + k) || !o->is_free[k]);
            fmpq_addmul(sum, row + k, o->says[k]);
        }
        agree = agree && fmpq_is_zero(sum);
    }
    fmpq_clear(sum);
    return agree;
}

/* Whether something is driven without bound: not where sources that may change are equal just now. */
static bool is_driven(search *o, const point *p)
{
    for (int b = 0; b < 2 * o->g->nbonds; b++) {
        worth w = bond_worth(o, p, b % 2, b / 2);
        for (int l = 0; l < LEVELS; l++)
            if (cells_sign(o->c, w.part[CONFLICT][l]))
                return true;
    }
    return false;
}

/* A mode is eliminated when it is met. */
static const exhaustive_mode *mode_of(search *o, int n)
{
    if (o->mode[n])
        return o->mode[n];
    exhaustive_mode *m = o->mode[n] = malloc(sizeof *m);
    exhaustive_mode_find(m, o->g, o->onoff[n], false);
    if (m->is_able && sources_agree(o, m)) {
        exhaustive_mode_clear(m, o->g);
        exhaustive_mode_find(m, o->g, o->onoff[n], true);
        o->agrees = true;
    }
    return m;
}

static void stand(search *o, point *p, const int *automaton)
{
    int n = number_of_mode(o, automaton);
    p->on = o->onoff[n];
    p->m = mode_of(o, n);
    if (!p->m->is_able) {
        o->is_able = false;
        o->why = "a mode that is not determined";
        cells_give_up(o->c);
    }
}

/* What fires, per automaton; −1: nothing. False: nothing at all. */
static bool find_firing(search *o, int *due, const point *p, const candidate *c, bool renewed)
{
    int best = PARTS, rank[MOST_SWITCHES];
    for (int k = 0; k < o->g->nswitches; k++) {
        const jn_automaton *a = &o->g->automaton[k];
        due[k] = -1;
        rank[k] = PARTS;
        for (int t = 0; t < a->ntransitions; t++) {
            const jn_transition *one = &a->transition[t];
            int decided;
            bool past = reads(one->when, true) && !reads(one->when, false);
            if (one->from != c->automaton[k] || (past && !renewed))
                continue;
            if (holds(o, p, one->when, c->fresh[k], &decided) == YES && decided < rank[k]) {
                due[k] = t;
                rank[k] = decided;
            }
        }
        best = rank[k] < best ? rank[k] : best;
    }
    for (int k = 0; k < o->g->nswitches && !renewed; k++)
        if (rank[k] != best)
            due[k] = -1;
    return best < PARTS;
}

/* Leaves one of those that are due, whichever. */
static void choose_one(search *o, int *due)
{
    int n = 0, which[MOST_SWITCHES];
    for (int k = 0; k < o->g->nswitches; k++)
        if (due[k] >= 0)
            which[n++] = k;
    int chosen = which[cells_choose(o->c, n)];
    for (int k = 0; k < o->g->nswitches; k++)
        if (k != chosen)
            due[k] = -1;
}

/* True: several moved at once. */
static bool move(const search *o, candidate *c, const int *due)
{
    int moved = 0;
    for (int k = 0; k < o->g->nswitches; k++)
        if (due[k] >= 0) {
            c->automaton[k] = o->g->automaton[k].transition[due[k]].to;
            c->fresh[k] = true;
            moved++;
        }
    return moved > 1;
}

static bool is_same(search *o, const candidate *a, const candidate *b)
{
    size_t n = (size_t)o->g->nswitches;
    if (memcmp(a->automaton, b->automaton, n * sizeof *a->automaton) != 0 ||
        memcmp(a->fresh, b->fresh, n * sizeof *a->fresh) != 0)
        return false;
    for (int l = 0; l < LEVELS; l++)
        for (int i = 0; i < o->nx; i++)
            if (a->x[l][i] != b->x[l][i] && cells_sign(o->c, minus(o, a->x[l][i], b->x[l][i])))
                return false;
    return true;
}

typedef enum { ENDS, NEVER_ENDS, ENDS_DEAD, MEETS, TOO_LONG } ending;

typedef struct {
    ending how;
    int changes;
    bool together; /* somewhere several changes came together */
    candidate end; /* where it ends */
} course;

/* From the candidate `c`, the inputs standing in `first`. */
static course go(search *o, candidate c, const point *first, const point *before, bool one_by_one)
{
    course r = {.how = TOO_LONG};
    candidate seen[MOST_PASSES];
    point *made[MOST_PASSES];
    const point *prior = before;
    int n = 0, due[MOST_SWITCHES];
    for (; r.how == TOO_LONG && r.changes <= o->most && !cells_is_empty(o->c); n++) {
        bool same = false;
        for (int i = n - 1; i >= 0 && !same; i--)
            same = is_same(o, &seen[i], &c);
        if (same) {
            r.how = NEVER_ENDS;
            break;
        }
        seen[n] = c;
        point *p = made[n] = malloc(sizeof *p);
        *p = *first;
        p->prior = prior;
        for (int l = 0; l < LEVELS; l++)
            memcpy(p->given[l], c.x[l], (size_t)o->nx * sizeof(form));
        stand(o, p, c.automaton);
        bool fired = find_firing(o, due, p, &c, false);
        if (!fired && p->m->is_forbidden) {
            r.how = is_driven(o, p) ? ENDS_DEAD : MEETS;
        } else if (!fired) {
            for (int l = 0; l < LEVELS; l++)
                for (int i = 0; i < o->nx; i++)
                    c.x[l][i] = applied(o, p->m->after + i * o->nrow, p, l);
            p->is_committed = true;
            p->prior = NULL;
            prior = p;
            fired = find_firing(o, due, p, &c, true);
            if (!fired) {
                r.how = ENDS;
                r.end = c;
            }
        }
        if (fired) {
            if (one_by_one)
                choose_one(o, due);
            r.together |= move(o, &c, due);
            r.changes++;
        }
    }
    for (int i = 0; i < n; i++)
        free(made[i]);
    return r;
}

/* ---- where it begins ----------------------------------------------------------------------- */

/* The unknowns: x, x' before, x' after, then of each free source what follows. */
enum {
    BEFORE,
    BEFORE_SLOW,
    PRIOR_SLOW,
    AFTER,
    AFTER_SLOW,
    RATE, /* before */
    RATE_SLOW,
    PRIOR_RATE_SLOW,
    NEXT_RATE, /* after */
    NEXT_RATE_SLOW,
    OF_SOURCE
};

static form of_source(search *o, int k, int what)
{
    int at = 3 * o->nx;
    for (int i = 0; i < k; i++)
        at += o->is_free[i] ? OF_SOURCE : 0;
    if (o->is_free[k])
        return unknown(o, at + what);
    return what == BEFORE || what == AFTER ? constant(o, o->says[k]) : new_form(o);
}

static void give(search *o, point *p, int slow_x, int u, int slow_u, int rate, int slow_rate)
{
    for (int i = 0; i < o->nx; i++) {
        p->given[NOW][i] = unknown(o, i);
        p->given[SLOW][i] = unknown(o, slow_x * o->nx + i);
    }
    for (int k = 0; k < o->nu; k++) {
        p->given[NOW][o->nx + k] = of_source(o, k, u);
        p->given[SLOW][o->nx + k] = of_source(o, k, slow_u);
        p->given[NOW][o->nx + o->nu + k] = of_source(o, k, rate);
        p->given[SLOW][o->nx + o->nu + k] = of_source(o, k, slow_rate);
    }
}

/* The state obeys the laws of the mode. */
static void fit(search *o, const point *p, int level)
{
    for (int i = 0; i < o->nx; i++)
        cells_require_zero(
            o->c, minus(o, applied(o, p->m->after + i * o->nrow, p, level), p->given[level][i]));
}

/* low ≤ x ≤ high, also a hair away. */
static void keep_within(search *o, const point *p, const jn_bound *b, form x, form slow)
{
    const jn_expr *end[] = {b->low, b->high};
    for (int s = 0; s < 2; s++) {
        if (!end[s])
            continue;
        worth at = value(o, p, end[s]);
        form apart = minus(o, s ? at.part[FINITE][NOW] : x, s ? x : at.part[FINITE][NOW]);
        form next = s ? minus(o, new_form(o), slow) : slow;
        cells_require_not_negative(o->c, apart);
        if (cells_sign(o->c, apart) == 0)
            cells_require_not_negative(o->c, next);
    }
}

static void keep_bounds(search *o, const point *p)
{
    for (int i = 0; i < o->g->nbounds; i++) {
        worth x = value(o, p, o->g->bound[i].x);
        keep_within(o, p, &o->g->bound[i], x.part[FINITE][NOW], x.part[FINITE][SLOW]);
    }
}

/* What the sources say from the instant on. */
static void keep_input_bounds(search *o, const point *p, bool slow)
{
    for (int k = 0; k < o->nu; k++)
        for (int i = 0; i < o->g->nbounds && o->is_free[k]; i++) {
            const jn_bound *b = &o->g->bound[i];
            const jn_element *x = &o->g->element[o->g->source[k]];
            if (b->x->op == (x->kind == JN_SE ? JN_X_EFFORT : JN_X_FLOW) &&
                b->x->index == x->bond[0])
                keep_within(o, p, b, of_source(o, k, AFTER),
                            slow ? of_source(o, k, AFTER_SLOW) : new_form(o));
        }
}

/* A free source goes where its rate says. */
static void link_rates(search *o)
{
    for (int k = 0; k < o->nu; k++)
        for (int side = -1; side <= 1 && o->is_free[k]; side += 2) {
            int s = cells_sign(o->c, of_source(o, k, side < 0 ? RATE : NEXT_RATE));
            int to = s ? cells_sign(o->c, of_source(o, k, side < 0 ? BEFORE_SLOW : AFTER_SLOW)) : 0;
            if (s && to != s * side)
                cells_give_up(o->c);
        }
}

static void nothing_fires(search *o, const point *p, const int *automaton)
{
    int rank;
    for (int k = 0; k < o->g->nswitches; k++)
        for (int t = 0; t < o->g->automaton[k].ntransitions; t++) {
            const jn_transition *one = &o->g->automaton[k].transition[t];
            if (one->from == automaton[k] && holds(o, p, one->when, false, &rank) == YES)
                cells_give_up(o->c);
        }
}

/* ---- clocks -------------------------------------------------------------------------------- */

static void add_pattern(search *o, const pattern *p)
{
    if (o->npatterns == o->cap_patterns) {
        o->cap_patterns = o->cap_patterns ? 2 * o->cap_patterns : 256;
        o->pattern = realloc(o->pattern, (size_t)o->cap_patterns * sizeof *o->pattern);
    }
    o->pattern[o->npatterns++] = *p;
}

/* A modulation, in pieces of time: see clock_patterns. */
typedef struct {
    slong period, width, shift;
} pulse;

static bool is_on(const pulse *p, slong t, bool after)
{
    slong at = (t - p->shift) % p->period;
    at += at < 0 ? p->period : 0;
    return after ? at < p->width : at == 0 ? p->width == p->period : at <= p->width;
}

static bool piece(slong *out, search *o, const jn_expr *e, slong unit)
{
    jn_ratfun r;
    fmpq_t v;
    fmpq_init(v);
    bool ok = !e || (jn_expr_ratfun(&r, o->g->field, e) == JN_OK &&
                     jn_ratfun_get_fmpq(v, o->g->field, r));
    fmpq_mul_si(v, v, unit);
    ok = ok && fmpz_is_one(fmpq_denref(v));
    *out = fmpz_get_si(fmpq_numref(v));
    fmpq_clear(v);
    return ok;
}

static int state_that_is(const jn_automaton *a, bool on)
{
    int s = 0;
    while (a->state[s].on != on)
        s++;
    return s;
}

/* The modulations at the time t; false: as at an earlier one. */
static bool modulated_pattern(pattern *p, const search *o, const pulse *modulated, slong t)
{
    memset(p, 0, sizeof *p);
    for (int k = 0; k < o->g->nswitches; k++)
        if (o->g->automaton[k].pwm_period) {
            p->before[k] = state_that_is(&o->g->automaton[k], is_on(&modulated[k], t, false));
            p->after[k] = state_that_is(&o->g->automaton[k], is_on(&modulated[k], t, true));
        }
    for (int i = 0; i < o->npatterns; i++)
        if (!memcmp(&o->pattern[i], p, sizeof *p))
            return false;
    return true;
}

/* Every state of an automaton that no modulation moves, and every way in which a time that is written
 * moves it from there, for each of the patterns so far. */
static void other_patterns(search *o, int k)
{
    const jn_automaton *a = &o->g->automaton[k];
    int n = o->npatterns;
    for (int i = 0; i < n; i++)
        for (int from = 0; from < a->nstates; from++)
            for (int to = 0; to < a->nstates; to++) {
                bool can = to == from;
                for (int t = 0; t < a->ntimes; t++)
                    can |= a->timed[t].to == to;
                if (!can || (!from && !to)) /* which it is already */
                    continue;
                pattern p = o->pattern[i];
                p.before[k] = from;
                p.after[k] = to;
                add_pattern(o, &p);
            }
}

static slong gcd(slong a, slong b)
{
    return b ? gcd(b, a % b) : a;
}

/* All times of the common period, in pieces so small that edges are whole numbers of them, and between. */
static void clock_patterns(search *o)
{
    enum { UNIT = 840 }; /* of which any of 1 … 8 is a divisor */
    pulse modulated[MOST_SWITCHES] = {{0}};
    slong whole = 1;
    pattern p;
    for (int k = 0; k < o->g->nswitches; k++) {
        const jn_automaton *a = &o->g->automaton[k];
        slong duty;
        if (!a->pwm_period)
            continue;
        pulse *m = &modulated[k];
        if (!piece(&m->period, o, a->pwm_period, UNIT) ||
            !piece(&m->shift, o, a->pwm_phase, UNIT) || !piece(&duty, o, a->pwm_duty, UNIT) ||
            m->period * duty % UNIT) {
            o->is_able = false;
            o->why = "a modulation";
            return;
        }
        m->width = m->period * duty / UNIT;
        whole = whole / gcd(whole, m->period) * m->period;
        o->at_start[k] = state_that_is(a, is_on(m, 0, true));
    }
    for (slong t = 0; t < whole; t++)
        if (modulated_pattern(&p, o, modulated, t))
            add_pattern(o, &p);
    for (int k = 0; k < o->g->nswitches; k++)
        if (!o->g->automaton[k].pwm_period)
            other_patterns(o, k);
}

/* ---- questions ----------------------------------------------------------------------------- */

static void merge(exhaustive_verdict *v, exhaustive_verdict with)
{
    if (*v != EXHAUSTIVE_FAILS && with != EXHAUSTIVE_HOLDS)
        *v = with;
}

static void take(exhaustive_answer *a, const course *r)
{
    a->cells++;
    if (r->how == NEVER_ENDS)
        merge(&a->settling, EXHAUSTIVE_FAILS);
    if (r->how == ENDS_DEAD)
        merge(&a->dead_ends, EXHAUSTIVE_FAILS);
    if (r->how == MEETS)
        merge(&a->dead_ends, EXHAUSTIVE_UNDECIDED);
    if (r->how == TOO_LONG) {
        merge(&a->settling, EXHAUSTIVE_UNDECIDED);
        merge(&a->dead_ends, EXHAUSTIVE_UNDECIDED);
    }
    if (r->changes > a->changes)
        a->changes = r->changes;
}

/* Both end with the same automata and the same state. */
static bool end_alike(search *o, const course *a, const course *b)
{
    if (memcmp(a->end.automaton, b->end.automaton,
               (size_t)o->g->nswitches * sizeof *a->end.automaton) != 0)
        return false;
    for (int i = 0; i < o->nx; i++)
        if (cells_sign(o->c, minus(o, a->end.x[NOW][i], b->end.x[NOW][i])))
            return cells_is_empty(o->c);
    return true;
}

/* Once as a run does it, and once more one by one. */
static void both_ways(search *o, exhaustive_answer *a, const candidate *c, const point *first,
                      const point *before, bool races)
{
    course r = go(o, *c, first, before, false);
    if (cells_is_empty(o->c) || !o->is_able)
        return;
    take(a, &r);
    if (!races || r.how != ENDS || !r.together)
        return;
    course other = go(o, *c, first, before, true);
    if (cells_is_empty(o->c))
        return;
    if (other.how == ENDS && !end_alike(o, &r, &other))
        merge(&a->races, EXHAUSTIVE_FAILS);
    else if (other.how == NEVER_ENDS || other.how == TOO_LONG)
        merge(&a->races, EXHAUSTIVE_UNDECIDED);
}

/* One cell of the instants that begin with this pattern. */
static void one_instant(search *o, exhaustive_answer *a, const pattern *w, bool races)
{
    point lasting = {.is_committed = true}, begun, first = {0};
    candidate c = {.fresh = {0}};
    give(o, &lasting, 1, BEFORE, BEFORE_SLOW, RATE, RATE_SLOW);
    stand(o, &lasting, w->before);
    if (lasting.m->is_forbidden)
        cells_give_up(o->c);
    fit(o, &lasting, NOW);
    fit(o, &lasting, SLOW);
    keep_bounds(o, &lasting);
    nothing_fires(o, &lasting, w->before);
    if (cells_is_empty(o->c))
        return;
    a->is_vacuous = false;
    begun = lasting;
    give(o, &begun, 2, BEFORE, PRIOR_SLOW, RATE, PRIOR_RATE_SLOW);
    fit(o, &begun, SLOW);
    keep_bounds(o, &begun);
    give(o, &first, 2, AFTER, AFTER_SLOW, NEXT_RATE, NEXT_RATE_SLOW);
    keep_input_bounds(o, &lasting, true);
    link_rates(o);
    memcpy(c.automaton, w->after, sizeof c.automaton);
    for (int l = 0; l < LEVELS; l++)
        memcpy(c.x[l], begun.given[l], (size_t)o->nx * sizeof(form));
    if (!cells_is_empty(o->c))
        both_ways(o, a, &c, &first, &begun, races);
}

static void ask_instants(search *o, exhaustive_answer *a, const exhaustive_options *q)
{
    for (int i = 0; i < o->npatterns && o->is_able; i++)
        do {
            cells_begin(o->c);
            o->npool = 0;
            one_instant(o, a, &o->pattern[i], q->races);
            if (cells_asked(o->c) > q->most_asked) {
                o->is_able = false;
                o->why = "too many cells";
            }
        } while (o->is_able && cells_next(o->c));
}

/* The instant in which the model starts. */
static void ask_start(search *o, exhaustive_answer *a, bool races)
{
    const jn_graph *g = o->g;
    fmpq_t x;
    fmpq_init(x);
    do {
        point first = {0};
        candidate c = {.fresh = {0}};
        cells_begin(o->c);
        o->npool = 0;
        give(o, &first, 2, AFTER, AFTER_SLOW, NEXT_RATE, NEXT_RATE_SLOW);
        for (int k = 0; k < g->nswitches; k++)
            c.automaton[k] = g->automaton[k].pwm_period ? o->at_start[k] : g->automaton[k].initial;
        for (int i = 0; i < o->nx; i++) {
            jn_ratfun r;
            const jn_expr *initial = g->element[g->storage[i]].initial;
            fmpq_zero(x);
            if (initial && jn_expr_ratfun(&r, g->field, initial) == JN_OK)
                jn_ratfun_get_fmpq(x, g->field, r);
            c.x[NOW][i] = constant(o, x);
            c.x[SLOW][i] = new_form(o);
        }
        for (int k = 0; k < o->nrow; k++)
            first.given[SLOW][k] = new_form(o);
        keep_input_bounds(o, &first, false);
        both_ways(o, a, &c, &first, NULL, races);
    } while (o->is_able && cells_next(o->c));
    fmpq_clear(x);
}

/* Along the flow of its mode, for a time however short, on or back: within the bounds, and nothing fires. */
static void last_a_while(search *o, point *p, const int *automaton)
{
    bool back = cells_choose(o->c, 2);
    for (int i = 0; i < o->nx; i++) {
        form rate = applied(o, p->m->rate + i * o->nrow, p, NOW);
        p->given[SLOW][i] = back ? minus(o, new_form(o), rate) : rate;
    }
    for (int k = 0; k < o->nu; k++) {
        form rate = p->given[NOW][o->nx + o->nu + k];
        p->given[SLOW][o->nx + k] = back ? minus(o, new_form(o), rate) : rate;
    }
    keep_bounds(o, p);
    nothing_fires(o, p, automaton);
}

static void ask_assert(search *o, exhaustive_verdict *v, const jn_assert *claim)
{
    for (int i = 0; i < o->npatterns && o->is_able; i++) {
        const pattern *w = &o->pattern[i];
        if (memcmp(w->before, w->after, sizeof w->before) != 0)
            continue;
        do {
            point p = {.is_committed = true};
            int rank;
            cells_begin(o->c);
            o->npool = 0;
            give(o, &p, 0, BEFORE, BEFORE, RATE, RATE);
            for (int k = 0; k < o->nrow; k++)
                p.given[SLOW][k] = new_form(o);
            stand(o, &p, w->before);
            bool about_values = reads(claim->condition, true);
            if (p.m->is_forbidden && about_values)
                cells_give_up(o->c);
            fit(o, &p, NOW);
            keep_bounds(o, &p);
            nothing_fires(o, &p, w->before);
            bool fails =
                !cells_is_empty(o->c) && holds(o, &p, claim->condition, false, &rank) != YES;
            if (fails && !p.m->is_forbidden)
                last_a_while(o, &p, w->before);
            if (fails && !cells_is_empty(o->c))
                merge(v, EXHAUSTIVE_FAILS);
        } while (o->is_able && cells_next(o->c));
    }
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void read_sources(search *o)
{
    const jn_graph *g = o->g;
    for (int k = 0; k < o->nu; k++) {
        const jn_element *x = &g->element[g->source[k]];
        jn_ratfun r;
        fmpq_init(o->says[k]);
        if (!x->input || jn_expr_ratfun(&r, g->field, x->input) != JN_OK ||
            !jn_ratfun_get_fmpq(o->says[k], g->field, r)) {
            o->is_able = false;
            o->why = "a source";
        }
        for (int i = 0; i < g->nbounds; i++)
            if (g->bound[i].x->op == (x->kind == JN_SE ? JN_X_EFFORT : JN_X_FLOW) &&
                g->bound[i].x->index == x->bond[0])
                o->is_free[k] = true;
    }
}

static void name_modes(search *o)
{
    int n = o->g->nswitches;
    o->mode = calloc((size_t)1 << n, sizeof(exhaustive_mode *));
    o->onoff = malloc(((size_t)1 << n) * sizeof *o->onoff);
    for (int m = 0; m < 1 << n; m++)
        for (int k = 0; k < n; k++)
            o->onoff[m][k] = m >> (n - 1 - k) & 1;
}

static void end(search *o)
{
    for (int m = 0; m < 1 << o->g->nswitches; m++) {
        if (o->mode[m])
            exhaustive_mode_clear(o->mode[m], o->g);
        free(o->mode[m]);
    }
    for (int i = 0; i < o->cap_pool; i++) {
        for (int k = 0; k < o->width; k++)
            fmpq_clear(o->pool[i] + k);
        free(o->pool[i]);
    }
    for (int k = 0; k < o->nu; k++)
        fmpq_clear(o->says[k]);
    free(o->pool);
    free(o->mode);
    free(o->onoff);
    free(o->pattern);
    cells_free(o->c);
}

void exhaustive_ask(exhaustive_answer *out, const jn_graph *g, const exhaustive_options *q)
{
    search o = {.g = g, .nx = g->nstorages, .nu = g->nsources, .is_able = true};
    int unknowns = 3 * o.nx;
    *out = (exhaustive_answer){.is_vacuous = true, .nasserts = g->nasserts};
    out->assertion = calloc((size_t)g->nasserts + 1, sizeof *out->assertion);
    if (g->nswitches > MOST_SWITCHES || o.nx > MOST_STATES || o.nu > MOST_SOURCES ||
        g->nintegrals || g->ndiscretes) {
        out->why = "it is too large";
        return;
    }
    o.nrow = o.nx + 2 * o.nu;
    o.most = q->most_changes;
    read_sources(&o);
    for (int k = 0; k < o.nu; k++)
        unknowns += o.is_free[k] ? OF_SOURCE : 0;
    o.c = cells_new(unknowns);
    o.width = cells_width(o.c);
    name_modes(&o);
    clock_patterns(&o);
    if (o.is_able)
        ask_start(&o, out, q->races);
    ask_instants(&o, out, q);
    for (int i = 0; i < g->nasserts; i++)
        ask_assert(&o, &out->assertion[i], &g->assertion[i]);
    out->is_able = o.is_able;
    out->why = o.why;
    out->agrees = o.agrees;
    end(&o);
}

void exhaustive_clear(exhaustive_answer *a)
{
    free(a->assertion);
}
