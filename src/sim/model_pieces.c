/* model_pieces.c: laws that jump, or stay the same for a while, and rise elsewhere.
 *
 *     e = 2·f·|f| + 0.4·sign(f)             a wall at f = 0
 *     f = max(e − 1, 0) + min(e + 1, 0)     a step from e = −1 to e = 1
 *     f = max(e − 1, 0)                     a step without end below e = 1
 *
 * The graph of such a law is one line that goes up and to the right, of pieces on which it rises, walls
 * and steps. Where the junction structure gives the variable that the law gives, the line is read the
 * other way round: the inverse stands still on a wall and jumps at a step. Both happen at values of
 * that variable, the knots, which are found here, and become branches of the model: a wall has a kink
 * on either side, and a step is a surface that can be slid on, as that of dry friction is. The run
 * locates them as it does with any others (integrate_flat.c has the inverse).
 *
 * This is for laws that read nothing but their variable; others are inverted as they stand. */
#include <flint/fmpq.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pieces.h"
#include "value.h"

enum { MOST_TURNS = 32, SAMPLES = 16, DOUBLINGS = 40 };

typedef struct {
    model *m;
    const jn_element *x;
    dual *col;
    int n;
    double turn[MOST_TURNS]; /* where an expression goes another way, ascending */
    bool ok;
} search;

static dual at(const search *w, const jn_expr *e, double x)
{
    moment here = {.model = w->m, .col = w->col};
    w->col[jni_law_reads(w->x)] = (dual){x, 1};
    return jni_tangent(&here, e);
}

static double law(const search *w, double x)
{
    return at(w, w->x->law, x).v;
}

/* ---- where it turns ------------------------------------------------------------------------ */

static void add_turn(search *w, double x)
{
    int i = w->n;
    for (int k = 0; k < w->n; k++)
        if (fabs(w->turn[k] - x) <= 8 * DBL_EPSILON * fabs(x))
            return;
    w->ok = w->ok && w->n < MOST_TURNS;
    if (!w->ok)
        return;
    for (; i > 0 && w->turn[i - 1] > x; i--)
        w->turn[i] = w->turn[i - 1];
    w->turn[i] = x;
    w->n++;
}

/* Points between two turns, or beyond the first or the last, ascending; how many. */
static int ladder(double *to, double low, double high)
{
    bool left = !isfinite(low), right = !isfinite(high);
    double from_high = right ? 0 : high, from_low = left ? 0 : low;
    int n = 0;
    for (int k = 0; k < SAMPLES && !left && !right; k++)
        to[n++] = low + (high - low) * (k + 0.5) / SAMPLES;
    for (int k = DOUBLINGS; k >= -DOUBLINGS && left; k--)
        to[n++] = from_high - ldexp(1, k);
    if (left && right)
        to[n++] = 0;
    for (int k = -DOUBLINGS; k <= DOUBLINGS && right; k++)
        to[n++] = from_low + ldexp(1, k);
    return n;
}

enum { LADDER = 2 * (2 * DOUBLINGS + 1) + 1 };

static double gap(const search *w, const jn_expr *a, const jn_expr *b, double x)
{
    return at(w, a, x).v - (b ? at(w, b, x).v : 0);
}

/* Straight ones at once. */
static double root_between(const search *w, const jn_expr *a, const jn_expr *b, double low,
                           double high)
{
    double g0 = gap(w, a, b, low), g1 = gap(w, a, b, high), x = low - g0 * (high - low) / (g1 - g0);
    double size = fabs(at(w, a, x).v) + (b ? fabs(at(w, b, x).v) : 0);
    if (fabs(gap(w, a, b, x)) <= 4 * DBL_EPSILON * size)
        return x;
    for (int k = 0; k < 200 && low < high; k++) {
        x = 0.5 * (low + high);
        if (x <= low || x >= high)
            break;
        *((gap(w, a, b, x) > 0) == (g0 > 0) ? &low : &high) = x;
    }
    return x;
}

static void roots_on(search *w, const jn_expr *a, const jn_expr *b, double low, double high)
{
    double x[LADDER], before = 0;
    int n = ladder(x, low, high), nroots = 0;
    double root[LADDER];
    for (int k = 0; k < n; k++) {
        double g = gap(w, a, b, x[k]);
        if (g == 0 && before != 0)
            root[nroots++] = x[k];
        else if (k && g * before < 0)
            root[nroots++] = root_between(w, a, b, x[k - 1], x[k]);
        before = g;
    }
    for (int k = 0; k < nroots; k++)
        add_turn(w, root[k]);
}

/* Where two sides are equal; NULL: 0. */
static void compare(search *w, const jn_expr *a, const jn_expr *b)
{
    double turn[MOST_TURNS];
    int n = w->n;
    for (int k = 0; k < n; k++)
        turn[k] = w->turn[k];
    for (int k = 0; k <= n; k++)
        roots_on(w, a, b, k ? turn[k - 1] : -INFINITY, k < n ? turn[k] : INFINITY);
}

static void find_turns(search *w, const jn_expr *e)
{
    if (e->op == JN_X_SIGNAL)
        find_turns(w, w->m->g->signal[e->index].expr);
    for (int i = 0; i < e->nargs; i++)
        find_turns(w, e->arg[i]);
    bool compares =
        (e->op >= JN_X_LT && e->op <= JN_X_GT) || e->op == JN_X_MIN || e->op == JN_X_MAX;
    if (compares)
        compare(w, e->arg[0], e->arg[1]);
    else if (e->op == JN_X_ABS || e->op == JN_X_SIGN)
        compare(w, e->arg[0], NULL);
}

/* ---- what it does in between --------------------------------------------------------------- */

#define STILL_A_JUMP 1.5

double jni_piece_inside(const law_piece *p, double x)
{
    double least = isfinite(p->low) ? p->low + 8 * DBL_EPSILON * fabs(p->low) + DBL_MIN : p->low;
    double most = isfinite(p->high) ? p->high - 8 * DBL_EPSILON * fabs(p->high) - DBL_MIN : p->high;
    return fmin(fmax(x, least), most);
}

typedef enum { FALLS, RISES, STAYS } course_of_law;

static course_of_law course_on(const search *w, double low, double high)
{
    double x[LADDER], least = INFINITY, most = -INFINITY, before = -INFINITY;
    int n = ladder(x, low, high);
    for (int k = 0; k < n; k++) {
        double y = law(w, x[k]);
        if (!isfinite(y) || y < before - SAME_LAW * fabs(before))
            return FALLS;
        least = fmin(least, y);
        most = fmax(most, y);
        before = y;
    }
    return most - least <= SAME_LAW * fmax(fabs(most), fabs(least)) ? STAYS : RISES;
}

static double slope(const search *w, double x)
{
    return fabs(at(w, w->x->law, x).d);
}

/* How far a piece goes from one of its ends, or from 0 if it has none. */
static double width_of(const law_piece *p)
{
    return isfinite(p->high - p->low) ? p->high - p->low : 1;
}

/* Where a piece has no slope: at an end, or at 0. */
static double find_centre(const search *w, const law_piece *p)
{
    double width = 0.5 * width_of(p);
    double low = jni_piece_inside(p, p->low), high = jni_piece_inside(p, p->high);
    if (isfinite(low) && slope(w, low) <= FLAT_SLOPE * slope(w, low + width))
        return p->low;
    if (isfinite(high) && slope(w, high) <= FLAT_SLOPE * slope(w, high - width))
        return p->high;
    if (p->low < 0 && p->high > 0 && slope(w, FLAT_NEAR) <= FLAT_SLOPE * slope(w, 0.5 * width))
        return 0;
    return p->centre;
}

/* Whether the law is odd about a turn: then it is one function on both sides of it, however it is written. */
static bool is_odd_about(const search *w, const law_piece *before, const law_piece *after)
{
    static const double part[] = {0.97, 0.4, 0.03, 1e-4};
    double c = before->high, here = law(w, jni_piece_inside(after, c));
    double width = fmin(width_of(before), width_of(after));
    bool endless = !isfinite(before->low) && !isfinite(after->high);
    for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
        double by = part[k] * width * (endless ? 16 : 1);
        double up = law(w, c + by), down = law(w, c - by);
        if (!(fabs(up + down - 2 * here) <= SAME_LAW * (fabs(up) + fabs(down) + fabs(here))))
            return false;
    }
    return true;
}

/* A root is as steep as a wall where it begins, but what it rises by grows further away. */
static bool jumps_between(const search *w, const law_piece *before, const law_piece *after,
                          double *from, double *to)
{
    enum { FURTHER = 10000 };
    double x0 = jni_piece_inside(before, before->high), x1 = jni_piece_inside(after, after->low);
    double by0 = FURTHER * (before->high - x0), by1 = FURTHER * (x1 - after->low);
    *from = law(w, x0);
    *to = law(w, x1);
    double rise = *to - *from, further = law(w, x1 + by1) - law(w, x0 - by0);
    double size = fmax(fabs(*from), fabs(*to)) + slope(w, x0) * fabs(x0) + slope(w, x1) * fabs(x1);
    return isfinite(size) && fabs(rise) > NOISE_OF_CONFLICT * size &&
           fabs(further) < STILL_A_JUMP * fabs(rise);
}

/* ---- the line ------------------------------------------------------------------------------ */

typedef struct {
    search *w;
    law_pieces *to;
    int npieces;
    bool steps;    /* there is a step before the next piece, */
    double at;     /* where the law gives this, */
    double begins; /* and begins to do so */
    bool ok;
} line;

/* The number as an expression: a double is a fraction. */
static jn_expr *make_number(model *m, double v)
{
    jn_expr *e = jn_arena_alloc(m->arena, sizeof *e);
    int exponent;
    fmpq_t r;
    fmpq_init(r);
    fmpz_set_d(fmpq_numref(r), ldexp(frexp(v, &exponent), 53));
    exponent -= 53;
    if (exponent > 0)
        fmpz_mul_2exp(fmpq_numref(r), fmpq_numref(r), (ulong)exponent);
    else
        fmpz_mul_2exp(fmpq_denref(r), fmpq_denref(r), (ulong)-exponent);
    fmpq_canonicalise(r);
    char text[40];
    jn_format(text, sizeof text, "%.15g", v);
    *e = (jn_expr){.op = JN_X_NUMBER, .size = 1, .depth = 1};
    e->text = jn_arena_strndup(m->arena, text, strlen(text));
    e->number = jn_ratfun_fmpq(m->g->field, r);
    fmpq_clear(r);
    return e;
}

static jn_expr *make_node(model *m, jn_expr_op op, const jn_expr *a, const jn_expr *b,
                          const jn_expr *c)
{
    jn_expr *e = jn_arena_alloc(m->arena, sizeof *e);
    const jn_expr **arg = jn_arena_alloc(m->arena, 3 * sizeof *arg);
    arg[0] = a;
    arg[1] = b;
    arg[2] = c;
    *e = (jn_expr){.op = op, .place = a->place, .nargs = c ? 3 : 2, .arg = arg};
    for (int i = 0; i < e->nargs; i++)
        e->depth = arg[i]->depth >= e->depth ? arg[i]->depth + 1 : e->depth;
    e->size = 1 + a->size + b->size + (c ? c->size : 0);
    return e;
}

static jn_expr *make_variable(model *m, const jn_element *x, bool of_effort)
{
    jn_expr *v = jn_arena_alloc(m->arena, sizeof *v);
    *v = (jn_expr){.op = of_effort ? JN_X_EFFORT : JN_X_FLOW,
                   .index = x->bond[0],
                   .place = x->law->place,
                   .size = 1,
                   .depth = 1};
    return v;
}

/* How much the law rises beside the end of a wall, on the whole. */
static double rise_beside(const search *w, const law_piece *before, const law_piece *after,
                          double at)
{
    bool is_before = before->low < before->high;
    const law_piece *p = is_before ? before : after;
    double width = width_of(p), end = is_before ? p->high : p->low;
    double rise = fabs(law(w, jni_piece_inside(p, is_before ? end - width : end + width)) - at);
    return rise > 0 && isfinite(rise) ? rise / width : 1;
}

/* if(y > at, 1, 0) of a step. Where a wall ends max(y + k*(x - end), at): along the law that grows all the way, and with x
 * where y hardly does, as beside the wall of f*abs(f) + sign(f). */
static const jn_expr *make_branch(const search *w, const law_knot *to, const law_piece *before,
                                  const law_piece *after)
{
    model *m = w->m;
    const jn_element *x = w->x;
    jn_expr *y = make_variable(m, x, x->law_of == 'e'), *number = make_number(m, to->given);
    if (to->is_step) {
        const jn_expr *above = make_node(m, JN_X_GT, y, number, NULL);
        return make_node(m, JN_X_IF, above, make_number(m, 1), make_number(m, 0));
    }
    double k = rise_beside(w, before, after, to->given);
    jn_expr *own = make_variable(m, x, x->law_of != 'e');
    jn_expr *beyond = make_node(m, JN_X_SUB, own, make_number(m, after->low), NULL);
    jn_expr *more = make_node(m, JN_X_MUL, make_number(m, k), beyond, NULL);
    return make_node(m, JN_X_MAX, make_node(m, JN_X_ADD, y, more, NULL), number, NULL);
}

/* A piece, and the knot before it, where the law gives this unless there was a step. */
static void add_piece(line *l, law_piece p, double given)
{
    law_pieces *to = l->to;
    if (l->npieces) {
        law_knot *k = &to->knot[to->n++];
        k->is_step = l->steps;
        k->given = l->steps ? l->at : given;
        k->node = make_branch(l->w, k, &to->piece[l->npieces - 1], &p);
        l->ok = l->ok && (to->n < 2 || k->given >= k[-1].given);
    }
    l->steps = false;
    to->piece[l->npieces++] = p;
}

static void add_step(line *l, law_piece stays, double given)
{
    if (!l->npieces)
        add_piece(l, (law_piece){stays.high, stays.high, NAN, -1}, 0);
    l->steps = true;
    l->at = given;
    l->begins = stays.low;
}

/* From one turn to the next, and the wall that may be there. */
static void add_stretch(line *l, law_piece p, course_of_law course, const law_piece *next)
{
    const search *w = l->w;
    double from, to, begins = law(w, jni_piece_inside(&p, isfinite(p.low) ? p.low : p.high));
    if (course == STAYS)
        add_step(l, p, begins);
    else
        add_piece(l, (law_piece){p.low, p.high, find_centre(w, &p), 0}, begins);
    if (!next || !jumps_between(w, &p, next, &from, &to))
        return;
    l->ok = l->ok && to > from;
    add_piece(l, (law_piece){p.high, p.high, NAN, 0}, from);
}

/* Whether nothing happens between two pieces. */
static bool are_one(const search *w, const law_piece *p, course_of_law a, const law_piece *q,
                    course_of_law b)
{
    double from, to;
    return !jumps_between(w, p, q, &from, &to) && a == b && (a == STAYS || is_odd_about(w, p, q));
}

/* Where they are odd about the turn between them they may have no slope there. */
static double centre_between(const search *w, const law_piece *p, const law_piece *q)
{
    double x = jni_piece_inside(q, q->low), beyond = x + 0.5 * width_of(q);
    return slope(w, x) <= FLAT_SLOPE * slope(w, beyond) ? q->low : p->centre;
}

static void draw(line *l)
{
    search *w = l->w;
    law_piece p = {.low = -INFINITY, .centre = NAN};
    course_of_law course = RISES;
    for (int k = 0; k <= w->n && l->ok; k++) {
        law_piece next = {.low = k + 1 <= w->n ? w->turn[k] : 0,
                          .high = k + 1 < w->n ? w->turn[k + 1] : INFINITY};
        p.high = k < w->n ? w->turn[k] : INFINITY;
        course = course_on(w, p.low, p.high);
        l->ok = course != FALLS;
        if (k < w->n && l->ok && are_one(w, &p, course, &next, course_on(w, next.low, next.high))) {
            p.centre = centre_between(w, &p, &next);
            continue; /* it is one piece with what follows */
        }
        if (l->ok)
            add_stretch(l, p, course, k < w->n ? &next : NULL);
        p = (law_piece){.low = next.low, .centre = NAN};
    }
    if (l->ok && l->steps)
        add_piece(l, (law_piece){l->begins, l->begins, NAN, 1}, 0);
}

/* ---- all of a model ------------------------------------------------------------------------ */

bool jni_pieces_have_steps(const law_pieces *p)
{
    for (int k = 0; k < p->n; k++)
        if (p->knot[k].is_step)
            return true;
    return false;
}

static bool has_walls(const law_pieces *p)
{
    for (int k = 0; k <= p->n && p->n; k++)
        if (p->piece[k].low == p->piece[k].high)
            return true;
    return false;
}

static bool is_plain(const model *m, const jn_element *x)
{
    static const jn_expr_op odd[] = {JN_X_FLOOR, JN_X_MOD, JN_X_IMPULSE, JN_X_WITHIN, JN_X_INT};
    int own = jni_law_reads(x);
    bool ok = x->nonlinear && jni_reads_only(m, x->law, own, own);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        ok = ok && !jni_mentions(m, x->law, odd[i]);
    return ok;
}

static void free_pieces(law_pieces *p)
{
    free(p->piece);
    free(p->knot);
    *p = (law_pieces){0};
}

static void find_one(law_pieces *to, model *m, const jn_element *x, dual *col)
{
    search w = {.m = m, .x = x, .col = col, .ok = true};
    find_turns(&w, x->law);
    if (!w.ok || !w.n)
        return;
    to->piece = jn_alloc((size_t)(2 * w.n + 3) * sizeof *to->piece);
    to->knot = jn_alloc((size_t)(2 * w.n + 3) * sizeof *to->knot);
    line l = {.w = &w, .to = to, .ok = true};
    draw(&l);
    if (!l.ok || !(has_walls(to) || jni_pieces_have_steps(to)))
        free_pieces(to);
}

void jni_pieces_find(model *m)
{
    dual *col = jn_alloc(2 * (size_t)m->g->nbonds * sizeof *col);
    m->pieces = jn_alloc((size_t)m->nr * sizeof *m->pieces);
    for (int r = 0; r < m->nr; r++) {
        const jn_element *x = &m->g->element[m->g->resistor[r]];
        if (is_plain(m, x))
            find_one(&m->pieces[r], m, x, col);
    }
    free(col);
}

void jni_pieces_clear(model *m)
{
    for (int r = 0; r < m->nr && m->pieces; r++)
        free_pieces(&m->pieces[r]);
    free(m->pieces);
}

void jni_pieces_branch(branches *b)
{
    const model *m = jni_branches_model(b);
    for (int r = 0; r < m->nr; r++)
        for (int k = 0; k < m->pieces[r].n; k++) {
            int branch = jni_branch_add(b, m->pieces[r].knot[k].node);
            jni_branch_own(b, branch, r, BRANCH_OF_INVERSE);
        }
}
