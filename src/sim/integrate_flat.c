/* integrate_flat.c: laws without slope at 0 that have to be inverted.
 *
 * y = L(x) with y given. The unknown x is then found here, law by law, and not by the Newton's method
 * around it: that would work with slopes that vanish, or hold e = f·|f| on one side as e = f², which
 * has a second solution or none. A little is added to the law,
 *
 *     y = L(x) + ρ(x),     ρ(x) = δ·(x/x₀/√(1 + (x/x₀)²) + x/X) / (1 + (L(x)/4δ)²),     L(x₀) ≈ δ
 *
 * where y is not known better than δ, and X is as large as x gets. So there is one x: where nothing
 * determines it, it is 0. Where the law gives more than that, what is added fades: it would move the
 * solution by δ all the way. (It fades more slowly than L grows, so their sum grows.) What L does not give,
 * a flow against a check valve, is not to be had from ρ: where δ·x/X would make up for it there is no x.
 *
 * A law that jumps or stays the same for a while (model_pieces.c) is inverted piece by piece, as it is held: on the
 * piece that lies between two knots, and at a step that is slid on with a share of what is on either side. There
 * nothing is added but where a piece has no slope. */
#include <math.h>
#include <stdlib.h>

#include "integrate.h"

dual jni_law_at(integrate *n, const mode *m, const moment *at, const jn_element *x, dual value)
{
    int own = jni_law_reads(x);
    dual keep = n->w.col[own];
    moment stands = *at;
    stands.branching = BRANCH_ROUNDED;
    stands.rounds = false;
    n->w.col[own] = jni_scaled(value, own % 2 ? m->solved->flow_sign[own / 2] : 1);
    dual y = jni_tangent(&stands, x->law);
    n->w.col[own] = keep;
    return y;
}

/* ---- on a piece ---------------------------------------------------------------------------- */

/* What is to be inverted: a law as it stands, or one piece of it. */
typedef struct {
    integrate *n;
    const mode *m;
    const moment *at; /* with nothing that changes */
    const jn_element *x;
    const law_piece *piece;         /* NULL: all of it */
    const struct in_series *others; /* inverted together with it */
    double part, near, size;        /* δ, x₀, X */
    double centre, base;            /* what is added is odd about this point of the law */
    double y;
} inversion;

/* Without those in series what is given is less. */
static dual law_and_others(const inversion *v, double x)
{
    dual L = jni_law_at(v->n, v->m, v->at, v->x, (dual){x, 1});
    dual z = jni_series_gives(v->n, v->m, v->others, v->at, x);
    return (dual){L.v + z.v, L.d + z.d};
}

static dual law_inside(const inversion *v, double x)
{
    return law_and_others(v, jni_piece_inside(v->piece, x));
}

/* Beyond its ends a piece goes on as an odd function, and further out straight. */
static dual law_on(const inversion *v, double x)
{
    const law_piece *p = v->piece;
    if (!p)
        return law_and_others(v, x);
    if (x >= p->low && x <= p->high)
        return law_inside(v, x);
    double end = x < p->low ? p->low : p->high, other = 2 * end - x;
    dual at_end = law_inside(v, end);
    if (other >= p->low && other <= p->high) {
        dual there = law_inside(v, other);
        return (dual){2 * at_end.v - there.v, there.d};
    }
    double rise = (law_inside(v, p->high).v - law_inside(v, p->low).v) / (p->high - p->low);
    return (dual){at_end.v + rise * (x - end), rise};
}

/* ---- what is added to a law ---------------------------------------------------------------- */

/* How large a law is beside what it is in its centre. */
static double law_size(const inversion *v, double value)
{
    double up = fabs(law_on(v, v->centre + value).v - v->base);
    double down = fabs(law_on(v, v->centre - value).v - v->base);
    return isfinite(up) && isfinite(down) ? fmax(up, down) : INFINITY;
}

/* The first power of 2, from 1 on, for which a law is about as large as y. With others in series each value takes an
 * inverse, and a law that goes like a root of a root gets there at 10⁻⁶⁰: so exponents go by strides. */
static double reach(const inversion *v, double y)
{
    enum { MOST = 500, LEAST = -1000, STRIDE = 8 };
    int k = 0;
    while (k < MOST && law_size(v, ldexp(1, k)) < y)
        k += STRIDE;
    while (k > LEAST && law_size(v, ldexp(1, k - STRIDE)) > y)
        k -= STRIDE;
    while (k > LEAST && law_size(v, ldexp(1, k - 1)) > y)
        k--;
    return ldexp(1, k);
}

static inversion begin(integrate *n, const mode *m, const moment *at, int r)
{
    const model *k = &n->s->model;
    return (inversion){.n = n,
                       .m = m,
                       .at = at,
                       .x = &k->g->element[k->g->resistor[r]],
                       .others = jni_in_series(n, m, r)};
}

/* Those in series may give something at 0, where they are held to a piece that does not hold it. */
static inversion whole_law(integrate *n, const mode *m, const moment *at, int r)
{
    inversion v = begin(n, m, at, r);
    v.base = v.others->n ? jni_series_gives(n, m, v.others, at, 0).v : 0;
    return v;
}

static inversion one_piece(integrate *n, const mode *m, const moment *at, int r, int piece)
{
    const struct flat *f = &n->flat[r];
    inversion v = begin(n, m, at, r);
    v.piece = &n->s->model.pieces[r].piece[piece];
    v.centre = v.piece->centre;
    v.part = f->part;
    v.near = f->near_on[piece];
    v.size = f->size;
    v.base = isnan(v.centre) ? 0 : law_inside(&v, v.centre).v;
    return v;
}

static void find_near(struct flat *to, integrate *n, const mode *m, const moment *at, int r)
{
    const law_pieces *p = &n->s->model.pieces[r];
    inversion v = whole_law(n, m, at, r);
    if (!to->by_pieces)
        to->near = reach(&v, to->part);
    if (to->by_pieces && !to->near_on)
        to->near_on = jni_doubles(p->n + 1);
    for (int k = 0; k <= p->n && to->by_pieces; k++)
        if (!isnan(p->piece[k].centre)) {
            v = one_piece(n, m, at, r, k);
            to->near_on[k] = reach(&v, to->part);
            to->near = fmax(to->near, to->near_on[k]);
        }
}

/* The largest effort or flow there is in the model, up to a power of 2, so that it hardly ever changes. What other
 * candidates had is no measure: they may have asked for more than there is. */
static double largest_of_kind(const integrate *n, const double *x, int kind)
{
    const model *k = &n->s->model;
    double most = 0;
    int exponent;
    for (int c = kind; c < 2 * k->g->nbonds; c += 2)
        most = fmax(most, n->size.largest[c]);
    for (int i = 0; i < k->nu; i++)
        if ((k->g->element[k->g->source[i]].kind == JN_SF) == kind)
            most = fmax(most, fabs(n->w.u[i]));
    for (int i = 0; i < k->nx; i++)
        if ((k->g->element[k->g->storage[i]].kind == JN_I) == kind)
            most = fmax(most, fabs(x[i] / k->storage[i]));
    frexp(isfinite(most) ? most : 0, &exponent);
    return most > 0 ? ldexp(1, exponent) : 1;
}

/* Whether neither storages nor other resistors have a part in what a law is given: then it is a function of time, and
 * no state can be kept on a step of the law. */
static bool is_given_by_sources(const model *k, const mode *m, int r)
{
    const program *p = jni_program(m);
    double *sum = jni_doubles(m->solved->ncols), *size = jni_doubles(m->solved->ncols);
    for (int i = 0; i < k->nx + k->nr; i++)
        size[p->in[i]] = 1;
    jni_program_sums(p, sum, size);
    bool alone = size[p->out[k->nx + r]] == 0;
    free(sum);
    free(size);
    return alone;
}

bool jni_flat_by_pieces(const jn_sim *s, const mode *m, int r)
{
    const model *k = &s->model;
    enum { NOT_ASKED_YET, BY_PIECES, AS_A_WHOLE };
    if (!k->pieces[r].n || m->engine != &jni_integrate_engine || !jni_mode_inverts(m, k, r))
        return false;
    program *p = jni_program(m);
    if (!p->pieces)
        p->pieces = jn_alloc((size_t)k->nr);
    if (p->pieces[r] == NOT_ASKED_YET)
        p->pieces[r] = k->is_flat[r] && is_given_by_sources(k, m, r) ? AS_A_WHOLE : BY_PIECES;
    return p->pieces[r] == BY_PIECES;
}

static void find_size(struct flat *to, integrate *n, const mode *m, const moment *at, int r,
                      const double *state, double off)
{
    const jn_element *x = &n->s->model.g->element[n->s->model.g->resistor[r]];
    int own = jni_law_reads(x), given = own ^ 1;
    inversion v = whole_law(n, m, at, r);
    double y = fmax(fabs(n->w.col[given].v), fmax(n->size.largest[given], n->size.beside[given]));
    double size = fmax(n->size.largest[own], n->size.beside[own]);
    to->is_inverted = true;
    to->by_pieces = jni_flat_by_pieces(n->s, m, r);
    to->has_row = jni_mode_inverts(m, &n->s->model, r);
    to->part = fmax(FLAT_PART * (y > 0 ? y : 1), STEEP_TOLERANCE * off);
    to->near = 0;
    to->beyond = fmax(to->beyond, BEYOND_ALL * largest_of_kind(n, state, own % 2));
    to->span = fmax(to->span, largest_of_kind(n, state, given % 2));
    find_near(to, n, m, at, r);
    to->size = fmax(size > 0 ? size : reach(&v, to->part / FLAT_PART), 1e3 * to->near);
}

/* What tolerances of the unknowns make of what a law is given. */
static double how_far_off(integrate *n, mode *m, double t, const double *y, int given)
{
    double most = 0;
    jni_follower_tolerance(n->follower, y, n->trial);
    for (int k = 0; k < MIXTURES; k++) {
        jni_residual_disturb(n, n->trial, k);
        jni_carry(n, m, (dual){t, 0});
        most = fmax(most, fabs(n->w.col[given].d));
    }
    jni_residual_disturb(n, NULL, 0);
    return most;
}

static void enter_one(integrate *n, mode *m, double t, const double *x_before, int r)
{
    const model *k = &n->s->model;
    jni_residual_at(n, n->y, n->yp);
    for (int i = 0; i < k->nx; i++)
        n->w.Y[i].v = x_before[i];
    double off = how_far_off(n, m, t, n->y, jni_law_reads(&k->g->element[k->g->resistor[r]]) ^ 1);
    moment at = jni_carry(n, m, (dual){t, 0});
    find_size(&n->flat[r], n, m, &at, r, x_before, off);
}

void jni_flat_enter(integrate *n, mode *m, double t, const double *x_before)
{
    const model *k = &n->s->model;
    n->flat_mode = m;
    for (int r = 0; r < k->nr; r++)
        n->flat[r].is_inverted = false;
    for (int others = 0; others < 2; others++) /* first those that may be in series with others */
        for (int r = 0; r < k->nr; r++)
            if (jni_mode_may_invert(m, k, r) && (jni_in_series(n, m, r)->n > 0) == others)
                enter_one(n, m, t, x_before, r);
}

/* A law that was entered with small values meets larger ones: levels of 1.5 are known less well than those of
 * tanks that were empty. */
void jni_flat_widen(integrate *n, mode *m, double t, const double *y, const double *yp)
{
    const model *k = &n->s->model;
    for (int r = 0; r < k->nr; r++) {
        const jn_element *x = &k->g->element[k->g->resistor[r]];
        struct flat *f = &n->flat[r];
        if (!f->is_inverted)
            continue;
        jni_residual_at(n, y, yp);
        double part = STEEP_TOLERANCE * how_far_off(n, m, t, y, jni_law_reads(x) ^ 1);
        if (!(part > f->part && isfinite(part)))
            continue;
        moment at = jni_carry(n, m, (dual){t, 0});
        f->part = part;
        find_near(f, n, m, &at, r);
        f->size = fmax(f->size, 1e3 * f->near);
    }
}

typedef struct {
    double v, by_x, by_law;
} addition;

/* What is added at x, where the law itself gives so much. */
static addition added(const inversion *f, double x, double law)
{
    enum { FADES = 4 };
    double part = x / f->near, root = sqrt(1 + part * part);
    double share = fmax(fmin(law / (FADES * f->part), 1e100), -1e100);
    double left = 1 / (1 + share * share), whole = f->part * (x / f->size + part / root);
    return (addition){.v = left * whole,
                      .by_x = left * f->part * (1 / f->size + 1 / (f->near * root * root * root)),
                      .by_law = -2 * share / (FADES * f->part) * left * left * whole};
}

/* ---- inverting it -------------------------------------------------------------------------- */

static double gap_at(const inversion *v, double x, double *slope)
{
    dual L = law_on(v, x);
    if (isnan(v->centre)) {
        *slope = L.d;
        return L.v - v->y;
    }
    addition rho = added(v, x - v->centre, L.v - v->base);
    *slope = L.d * (1 + rho.by_law) + rho.by_x;
    return L.v + rho.v - v->y;
}

/* Another end beyond which the gap has the other sign. */
static bool find_other_end(const inversion *v, double from, double gap, double *to)
{
    double slope, step = fmax(fabs(from), v->near > 0 ? v->near : 1);
    for (int k = 0; k < 1000; k++, step *= 2) {
        *to = gap > 0 ? from - step : from + step;
        double other = gap_at(v, *to, &slope);
        if (!isfinite(other))
            return false;
        if ((other > 0) != (gap > 0))
            return true;
    }
    return false;
}

/* The root may be nearer to the centre than both ends by many decades. */
static double halve(const inversion *v, double low, double high)
{
    double c = isnan(v->centre) ? 0 : v->centre, a = low - c, b = high - c;
    if (a <= 0 && b > 4 * v->near && v->near > 0)
        return c + v->near;
    if (b >= 0 && a < -4 * v->near && v->near > 0)
        return c - v->near;
    if (a > 0 && b > 4 * a)
        return c + sqrt(a) * sqrt(b);
    if (b < 0 && a < 4 * b)
        return c - sqrt(-a) * sqrt(-b);
    return 0.5 * (low + high);
}

/* From a guess, by Newton's method between two ends that come closer. To f³ = 0 it takes a third off each time: where steps
 * hardly become shorter, the ends are halved now and then. */
static double invert(const inversion *v, double x)
{
    enum { PATIENCE = 3 };
    double slope, gap = gap_at(v, x, &slope), end, last = INFINITY;
    if (gap == 0)
        return x;
    if (!isfinite(gap) || !find_other_end(v, x, gap, &end))
        return NAN;
    double low = gap > 0 ? end : x, high = gap > 0 ? x : end;
    for (int k = 0, slow = 0; k < 2000 && gap != 0; k++) {
        double next = x - gap / slope;
        bool is_out = !(next > low && next < high);
        slow = is_out || fabs(next - x) <= 0.5 * last ? 0 : slow + 1;
        last = fabs(next - x);
        if (is_out || slow == PATIENCE)
            next = halve(v, low, high);
        if (slow == PATIENCE)
            slow = 0;
        if (next == x || next <= low || next >= high || high - low <= DBL_EPSILON * v->near)
            break;
        bool is_close = fabs(next - x) <= 2 * DBL_EPSILON * fabs(next);
        x = next;
        if (is_close)
            break;
        gap = gap_at(v, x, &slope);
        *(gap > 0 ? &high : &low) = x;
    }
    return x;
}

/* Whether what was added makes up for what the law does not give. */
static bool is_overdone(const struct flat *f, double x, double y)
{
    return f->part * fabs(x) / f->size > FLAT_MOST * fmax(fabs(y), f->part / FLAT_PART);
}

/* On all of a law that is flat at 0. */
static dual whole_inverse(integrate *n, const mode *m, int r, const moment *at, dual given,
                          double guess)
{
    const struct flat *f = &n->flat[r];
    inversion v = whole_law(n, m, at, r);
    v.part = f->part;
    v.near = f->near;
    v.size = f->size;
    given = jni_series_given(n, v.others, given);
    v.y = given.v;
    double slope, root = invert(&v, guess);
    if (is_overdone(f, root, given.v))
        return (dual){NAN, 0};
    gap_at(&v, root, &slope);
    dual L = jni_law_at(n, m, at, v.x, (dual){root, 0});
    double others = L.d * (1 + added(&v, root, law_on(&v, root).v).by_law);
    return (dual){root, (given.d - others) / (slope - others)};
}

/* ---- piece by piece ------------------------------------------------------------------------ */

/* Where the law has come to its end there is no x. What is said there drives the run back, or keeps it on the step
 * that leads there with a share of it: while that is looked for, `given` may be anywhere. */
static dual beyond_end(const struct flat *f, const law_piece *p, const law_knot *knot,
                       const moment *at, dual given)
{
    double slope = f->beyond / f->span, end = knot->given;
    bool is_free = jni_branch_is_free(at->branches, jni_branch_of(at->branches, knot->node));
    if (!is_free && p->end * (given.v - end) > MOST_BEYOND * f->span)
        return (dual){NAN, 0};
    return (dual){p->low + p->end * f->beyond + slope * (given.v - end), slope * given.d};
}

static dual piece_inverse(integrate *n, const mode *m, int r, const moment *at, int k, dual given,
                          double guess)
{
    const law_pieces *all = &n->s->model.pieces[r];
    const law_piece *p = &all->piece[k];
    if (p->end)
        return beyond_end(&n->flat[r], p, &all->knot[p->end < 0 ? 0 : all->n - 1], at, given);
    if (p->low == p->high)
        return (dual){p->low, 0};
    inversion v = one_piece(n, m, at, r, k);
    double slope, root;
    given = jni_series_given(n, v.others, given);
    v.y = given.v;
    root = invert(&v, fmin(fmax(guess, p->low), p->high));
    gap_at(&v, root, &slope);
    return (dual){root, given.d == 0 ? 0 : given.d / slope};
}

/* 1 above a knot, 0 below, or the share of a step that is slid on. */
static dual above(const moment *at, const law_knot *k, dual given)
{
    if (at->branching > (k->is_step ? BRANCH_JUMPS_HELD : BRANCH_HELD))
        return (dual){k->is_step ? given.v > k->given : given.v >= k->given, 0};
    if (k->is_step)
        return jni_tangent(at, k->node);
    return (dual){jni_branch_share(at->branches, jni_branch_of(at->branches, k->node)), 0};
}

/* Each piece counts with what is above the knot before it, and not above the one after it. As knots are tried one by
 * one they need not be in order: what is not above one of them is not above those that follow. */
static dual inverse_of_pieces(integrate *n, const mode *m, int r, const moment *at, dual given,
                              double guess)
{
    const law_pieces *all = &n->s->model.pieces[r];
    dual sum = {0, 0}, left = {1, 0};
    for (int k = 0; k <= all->n; k++) {
        dual beyond = k < all->n ? jni_times(left, above(at, &all->knot[k], given)) : (dual){0, 0};
        dual weight = jni_minus(left, beyond);
        if (weight.v != 0 || weight.d != 0) {
            dual x = jni_times(weight, piece_inverse(n, m, r, at, k, given, guess));
            sum = (dual){sum.v + x.v, sum.d + x.d};
        }
        left = beyond;
    }
    return sum;
}

static dual inverse(integrate *n, const mode *m, int r, const moment *at, dual given, double guess)
{
    return n->flat[r].by_pieces ? inverse_of_pieces(n, m, r, at, given, guess)
                                : whole_inverse(n, m, r, at, given, guess);
}

/* What is asked for again and again is near what it was. */
dual jni_flat_inverse(integrate *n, const mode *m, int r, const moment *at, dual given)
{
    dual x = inverse(n, m, r, at, given, n->flat[r].last);
    n->flat[r].last = isfinite(x.v) ? x.v : 0;
    return x;
}

dual jni_flat_row(integrate *n, const mode *m, int r, const moment *at, dual given)
{
    dual own = n->w.Y[n->k.first_r + r];
    return jni_minus(own, inverse(n, m, r, at, given, own.v));
}

static double share_of(const moment *at, const law_knot *k)
{
    return jni_branch_share(at->branches, jni_branch_of(at->branches, k->node));
}

bool jni_flat_ends(const integrate *n, const moment *at, int r)
{
    const jn_element *x = &n->s->model.g->element[n->s->model.g->resistor[r]];
    const law_pieces *p = &n->s->model.pieces[r];
    dual given = n->w.col[jni_law_reads(x) ^ 1];
    if (!n->flat[r].is_inverted || !n->flat[r].by_pieces)
        return false;
    if (jni_law_reads(x) % 2 == 0)
        given = jni_scaled(given, at->flow_sign[(jni_law_reads(x) ^ 1) / 2]);
    const law_knot *low = &p->knot[0], *high = &p->knot[p->n - 1];
    return (p->piece[0].end && share_of(at, low) == 0 && given.v <= low->given && given.d < 0) ||
           (p->piece[p->n].end && share_of(at, high) == 1 && given.v >= high->given && given.d > 0);
}

double jni_flat_shares(const integrate *n, int r, const moment *at)
{
    const law_pieces *all = &n->s->model.pieces[r];
    double sum = 0;
    for (int k = 0; k < all->n; k++)
        if (all->knot[k].is_step)
            sum += jni_tangent(at, all->knot[k].node).d;
    return sum;
}

void jni_flat_clear(integrate *n)
{
    for (int r = 0; r < n->s->model.nr; r++)
        free(n->flat[r].near_on);
    free(n->flat);
}
