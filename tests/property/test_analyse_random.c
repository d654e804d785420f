/* test_analyse_random.c: the analysis of random models, mode by mode, against brute force over ℚ.
 *
 * The oracle gives E, A and B of a mode from all its equations. With a number s0 that is no pole,
 * Ê = (s0 E − A)⁻¹ E is nilpotent on the infinite part and invertible on the finite one: the ranks
 * of its powers are order and index, those of Ê^n applied to what B generates the controllable
 * part, and so on. Transfer functions are compared with the laws of all elements solved at one s.
 * Wong sequences, reduced equations and characteristic polynomials play no part in it. */
#include <lapacke.h>
#include <math.h>

#include "analyse/analyse_internal.h"
#include "analyse_subject.h"

enum { MODES = 6 };

static struct {
    int models, modes, higher, uncontrollable, unobservable, irregular, stable, open, zeros,
        impulses, too_long, open_outputs;
} tally;

/* Initialises r. */
static bool matrix_of(fmpq_mat_t r, const subject *x, const jn_dense *m)
{
    bool good = true;
    fmpq_mat_init(r, m->nrows, m->ncols);
    for (int i = 0; i < m->nrows && good; i++)
        for (int j = 0; j < m->ncols && good; j++)
            good = subject_number(fmpq_mat_entry(r, i, j), x, jn_dense_get(m, i, j));
    return good;
}

/* ---- brute force --------------------------------------------------------------------------- */

typedef struct {
    fmpq_mat_t E, A, B;
    fmpq_mat_t hat, power; /* Ê, Ê^n */
    fmpq_mat_t inverse;    /* (s0 E − A)⁻¹ */
    bool regular;
    int n, order, index;
} brute;

static void pencil_at(fmpq_mat_t r, const brute *b, slong s)
{
    fmpz_t c;
    fmpz_init_set_si(c, s);
    fmpq_mat_scalar_mul_fmpz(r, b->E, c);
    fmpq_mat_sub(r, r, b->A);
    fmpz_clear(c);
}

static int rank_of(const fmpq_mat_t a)
{
    fmpq_mat_t t;
    fmpq_mat_init(t, fmpq_mat_nrows(a), fmpq_mat_ncols(a));
    int rank = (int)fmpq_mat_rref(t, a);
    fmpq_mat_clear(t);
    return rank;
}

static void brute_powers(brute *b)
{
    int before = b->n;
    fmpq_mat_one(b->power);
    for (int k = 0; k < b->n; k++) {
        fmpq_mat_mul(b->power, b->power, b->hat);
        int rank = rank_of(b->power);
        b->index += rank < before;
        before = rank;
    }
    b->order = before;
}

/* Takes E, A, B over. */
static void brute_init(brute *b)
{
    fmpq_mat_t M;
    b->n = (int)fmpq_mat_nrows(b->E);
    b->order = b->index = 0;
    b->regular = false;
    fmpq_mat_init(M, b->n, b->n);
    fmpq_mat_init(b->hat, b->n, b->n);
    fmpq_mat_init(b->power, b->n, b->n);
    fmpq_mat_init(b->inverse, b->n, b->n);
    for (slong s = 1; s <= b->n + 1 && !b->regular; s++) { /* det has at most n roots */
        pencil_at(M, b, s);
        b->regular = fmpq_mat_inv(b->inverse, M);
    }
    if (b->regular) {
        fmpq_mat_mul(b->hat, b->inverse, b->E);
        brute_powers(b);
    }
    fmpq_mat_clear(M);
}

static void brute_clear(brute *b)
{
    fmpq_mat_clear(b->E);
    fmpq_mat_clear(b->A);
    fmpq_mat_clear(b->B);
    fmpq_mat_clear(b->hat);
    fmpq_mat_clear(b->power);
    fmpq_mat_clear(b->inverse);
}

/* The rank of Ê^n [V, ÊV, …, Ê^{n−1}V]. */
static int brute_generated(const fmpq_mat_t power, const fmpq_mat_t hat, const fmpq_mat_t V)
{
    slong n = fmpq_mat_nrows(V), m = fmpq_mat_ncols(V);
    fmpq_mat_t all, part;
    fmpq_mat_init(all, n, n * m);
    fmpq_mat_init(part, n, m);
    fmpq_mat_mul(part, power, V);
    for (slong k = 0; k < n; k++) {
        for (slong i = 0; i < n; i++)
            for (slong j = 0; j < m; j++)
                fmpq_set(fmpq_mat_entry(all, i, k * m + j), fmpq_mat_entry(part, i, j));
        fmpq_mat_mul(part, hat, part);
    }
    int rank = rank_of(all);
    fmpq_mat_clear(all);
    fmpq_mat_clear(part);
    return rank;
}

static int brute_controllable(const brute *b)
{
    fmpq_mat_t V;
    fmpq_mat_init(V, b->n, fmpq_mat_ncols(b->B));
    fmpq_mat_mul(V, b->inverse, b->B);
    int rank = brute_generated(b->power, b->hat, V);
    fmpq_mat_clear(V);
    return rank;
}

/* Outputs are states: rows of the identity. */
static int brute_observable(const brute *b, const subject *x)
{
    fmpq_mat_t C, hat, power;
    fmpq_mat_init(C, b->n, x->noutputs);
    fmpq_mat_init(hat, b->n, b->n);
    fmpq_mat_init(power, b->n, b->n);
    fmpq_mat_transpose(hat, b->hat);
    fmpq_mat_transpose(power, b->power);
    for (int i = 0; i < x->noutputs; i++)
        fmpq_one(fmpq_mat_entry(C, x->graph->element[x->output[i].element].number, i));
    int rank = brute_generated(power, hat, C);
    fmpq_mat_clear(C);
    fmpq_mat_clear(hat);
    fmpq_mat_clear(power);
    return rank;
}

/* ---- checks -------------------------------------------------------------------------------- */

static bool evaluate(fmpq_t r, const subject *x, const jn_poly *p, slong s)
{
    fmpq_t c, at;
    bool good = true;
    fmpq_init(c);
    fmpq_init(at);
    fmpq_set_si(at, s, 1);
    fmpq_zero(r);
    for (int i = p->degree; i >= 0 && good; i--) {
        good = subject_number(c, x, p->c[i]);
        fmpq_mul(r, r, at);
        fmpq_add(r, r, c);
    }
    fmpq_clear(c);
    fmpq_clear(at);
    return good;
}

/* det(sE − A) = c·p(s) with one c at all s; p is monic of the right degree. */
static bool check_charpoly(const subject *x, const brute *b, const jn_dynamics *d)
{
    fmpq_mat_t M;
    fmpq_t det, p, ratio, first;
    if (d->charpoly.degree < 0 && !x->numeric) { /* over the parameters it may be too long */
        tally.too_long++;
        return true;
    }
    bool good =
             d->charpoly.degree == b->order && jn_ratfun_is_one(d->charpoly.c[d->charpoly.degree]),
         some = false;
    fmpq_mat_init(M, b->n, b->n);
    fmpq_init(det);
    fmpq_init(p);
    fmpq_init(ratio);
    fmpq_init(first);
    for (slong s = -3; s <= b->n + 3 && good; s++) {
        pencil_at(M, b, 7 * s + 1);
        fmpq_mat_det(det, M);
        good = evaluate(p, x, &d->charpoly, 7 * s + 1) && fmpq_is_zero(p) == fmpq_is_zero(det);
        if (!good || fmpq_is_zero(p))
            continue;
        fmpq_div(ratio, det, p);
        good = !some || fmpq_equal(ratio, first);
        fmpq_set(first, ratio);
        some = true;
    }
    fmpq_mat_clear(M);
    fmpq_clear(det);
    fmpq_clear(p);
    fmpq_clear(ratio);
    fmpq_clear(first);
    return good || subject_fails(x, "the characteristic polynomial");
}

/* Π² = Π, E Π = E for index ≤ 1, and states after the jump satisfy the algebraic rows. */
static bool check_jump(const subject *x, const brute *b, const jn_dynamics *d)
{
    fmpq_mat_t P, t, u;
    bool good = matrix_of(P, x, &d->jump);
    fmpq_mat_init(t, b->n, b->n);
    fmpq_mat_init(u, b->n, fmpq_mat_ncols(b->B));
    fmpq_mat_mul(t, P, P);
    good = good && fmpq_mat_equal(t, P) && rank_of(P) == b->order;
    fmpq_mat_mul(t, b->E, P);
    if (good && b->index <= 1)
        good = fmpq_mat_equal(t, b->E);
    fmpq_mat_clear(t);
    fmpq_mat_init(t, b->n, b->n);
    fmpq_mat_mul(t, b->A, P);
    if (good && b->index == 1) { /* 0 = A x⁺ + B u in the rows that E does not have */
        fmpq_mat_t U;
        good = matrix_of(U, x, &d->U[0]);
        fmpq_mat_mul(u, b->A, U);
        fmpq_mat_add(u, u, b->B);
        for (int i = 0; i < b->n && good; i++) {
            bool algebraic = true;
            for (int j = 0; j < b->n; j++)
                algebraic = algebraic && fmpq_is_zero(fmpq_mat_entry(b->E, i, j));
            for (int j = 0; j < b->n && algebraic; j++)
                good = good && fmpq_is_zero(fmpq_mat_entry(t, i, j));
            for (int j = 0; j < fmpq_mat_ncols(u) && algebraic; j++)
                good = good && fmpq_is_zero(fmpq_mat_entry(u, i, j));
        }
        fmpq_mat_clear(U);
    }
    fmpq_mat_clear(P);
    fmpq_mat_clear(t);
    fmpq_mat_clear(u);
    return good || subject_fails(x, "the jump");
}

/* What a rank says, and the combinations that are left. With fields in symbols these may be too
 * long to be found; the rank stands all the same. */
static bool same_rank(const subject *x, const jn_reachability *r, int rank, int order)
{
    bool open = !r->certified && !x->numeric && x->m.nlinks > 0;
    tally.too_long += open;
    return r->rank == rank && (open || (r->certified && r->ncombinations == order - rank));
}

static bool check_reachability(const subject *x, const brute *b, const jn_dynamics *d,
                               const jn_mode_analysis *m)
{
    int rank = brute_controllable(b);
    tally.uncontrollable += rank < b->order;
    if (!same_rank(x, &d->control, rank, b->order) ||
        (d->control.certified && (d->control.exact == JN_YES) != (rank == b->order)))
        return subject_fails(x, "controllability");
    if (m->control.holds == JN_NO && rank == b->order)
        return subject_fails(x, "structurally uncontrollable, but controllable");
    if (x->noutputs == 0 || !x->states_read)
        return true;
    rank = brute_observable(b, x);
    tally.unobservable += rank < b->order;
    if (!same_rank(x, &d->observe, rank, b->order))
        return subject_fails(x, "observability");
    return m->observe.holds != JN_NO || rank < b->order ||
           subject_fails(x, "structurally unobservable, but observable");
}

/* The short way and Wong sequences come to the same. */
static bool check_wong(const subject *x, const brute *b)
{
    jn_dynamics d = {.algebra = {.field = x->graph->field, .numeric = true}};
    jn_pencil p;
    jn_algebra_renew(&d.algebra, JN_ALGEBRA_BUDGET);
    jn_dense_init(&p.E, b->n, b->n, &d.algebra);
    jn_dense_init(&p.A, b->n, b->n, &d.algebra);
    jn_dense_init(&p.B, b->n, (int)fmpq_mat_ncols(b->B), &d.algebra);
    fmpq_mat_set(p.E.q, b->E);
    fmpq_mat_set(p.A.q, b->A);
    fmpq_mat_set(p.B.q, b->B);
    jni_pencil_wong(&d, &p);
    int sum = 0;
    for (int i = 0; i < d.nblocks; i++)
        sum += d.block[i];
    bool good =
        d.regular == b->regular &&
        (!b->regular || (d.order == b->order && d.index == b->index && sum == b->n - b->order &&
                         (d.nblocks == 0 || d.block[0] == b->index)));
    jn_dense_clear(&p.E);
    jn_dense_clear(&p.A);
    jn_dense_clear(&p.B);
    jni_dynamics_clear(&d); /* and with it the algebra of the others */
    return good || subject_fails(x, "the Wong sequences");
}

/* ---- transfer functions -------------------------------------------------------------------- */

/* All laws at one s with one source at 1: efforts and flows of the ports. False: no unique
 * solution. */
static bool solve_ports(fmpq_mat_t y, const subject *x, const oracle *o, int source, slong s)
{
    int n = o->nports;
    fmpq_mat_t M, rhs;
    fmpq_t v;
    fmpq_mat_init(M, 2 * n, 2 * n);
    fmpq_mat_init(rhs, 2 * n, 1);
    fmpq_init(v);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2 * n; j++)
            fmpq_set(fmpq_mat_entry(M, i, j), fmpq_mat_entry(o->relation, i, j));
    for (int k = 0; k < n; k++) {
        int e = o->port[k];
        jn_kind kind = x->m.element[e].kind;
        if (kind == JN_SE || kind == JN_SF) {
            fmpq_one(fmpq_mat_entry(M, n + k, 2 * k + (kind == JN_SF)));
            fmpq_set_si(fmpq_mat_entry(rhs, n + k, 0), e == source, 1);
            continue;
        }
        /* e = R f, e = s I f, f = s C e */
        model_value(v, &x->m, e, x->numeric, x->mode);
        if (kind != JN_R)
            fmpq_mul_si(v, v, s);
        fmpq_one(fmpq_mat_entry(M, n + k, 2 * k + (kind == JN_C)));
        fmpq_neg(fmpq_mat_entry(M, n + k, 2 * k + (kind != JN_C)), v);
        subject_links(M, n + k, x, o, e, kind == JN_R ? 1 : s);
    }
    bool good = fmpq_mat_solve(y, M, rhs);
    fmpq_mat_clear(M);
    fmpq_mat_clear(rhs);
    fmpq_clear(v);
    return good;
}

/* Adds what the z of other ports of its field contribute to a state. */
static void add_linked(fmpq_t r, const subject *x, const oracle *o, const fmpq_mat_t y, int e)
{
    fmpq_t v;
    fmpq_init(v);
    for (int i = 0; i < x->m.nlinks; i++) {
        const model_link *l = &x->m.link[i];
        if (l->a != e)
            continue;
        model_link_value(v, &x->m, l, x->numeric, x->mode);
        fmpq_addmul(r, v,
                    fmpq_mat_entry(y, 2 * o->port_of[l->b] + (x->m.element[e].kind == JN_I), 0));
    }
    fmpq_clear(v);
}

/* The flow on the bond of a resistor that is 0 is no variable of its port. */
static bool reads_short(const subject *x, int output)
{
    return !x->states_read && !x->output[output].effort &&
           oracle_is_shorted(&x->m, x->output[output].element, x->numeric, x->mode);
}

/* It follows from what all ports have, by the laws of the junctions. */
static void read_short(fmpq_t r, const subject *x, const oracle *o, const fmpq_mat_t y, int element)
{
    tableau t;
    int ports = 2 * o->nports, last = 2 * x->m.nbonds + ports, b = model_port_bond(&x->m, element);
    tableau_init(&t, oracle_law_count(&x->m) + ports, last + 1);
    oracle_laws(&t, &x->m, x->numeric, x->mode);
    for (int c = 0; c < ports; c++) {
        int row = tableau_row(&t);
        tableau_set(&t, row, oracle_port_col(&x->m, c / 2, c % 2), 1);
        tableau_set_fmpq(&t, row, last, fmpq_mat_entry(y, c, 0));
    }
    for (int c = last - 1; c >= 0; c--)
        if (c != oracle_bond_col(b, true))
            tableau_solve(&t, c);
    int row = tableau_solve(&t, oracle_bond_col(b, true));
    fmpq_set(r, fmpq_mat_entry(t.a, row, last));
    if (x->m.bond[b].tail == element)
        fmpq_neg(r, r);
    tableau_clear(&t);
}

static int outputs_left_open(const subject *x, const oracle *o)
{
    int n = 0;
    for (int i = 0; i < x->noutputs; i++)
        n += reads_short(x, i) && o->undetermined[model_port_bond(&x->m, x->output[i].element)];
    return n;
}

/* The effort or flow of a port, flow counted into I, C and R; or p, q. */
static void read_output(fmpq_t r, const subject *x, const oracle *o, const fmpq_mat_t y, int output)
{
    int e = x->output[output].element, k = o->port_of[e];
    if (x->states_read) {
        model_value(r, &x->m, e, x->numeric, x->mode);
        fmpq_mul(r, r, fmpq_mat_entry(y, 2 * k + (x->m.element[e].kind == JN_I), 0));
        add_linked(r, x, o, y, e);
        return;
    }
    if (reads_short(x, output)) {
        read_short(r, x, o, y, e);
        return;
    }
    fmpq_set(r, fmpq_mat_entry(y, 2 * k + !x->output[output].effort, 0));
}

static bool check_transfer(subject *x, const oracle *o, const jn_dynamics *d)
{
    const slong s = 11;
    bool good = true;
    fmpq_mat_t y;
    fmpq_t expected, got;
    if (!d->transfer_known && !x->numeric) {
        tally.too_long++;
        return true;
    }
    if (!d->transfer_known)
        return subject_fails(x, "no transfer functions");
    fmpq_mat_init(y, 2 * o->nports, 1);
    fmpq_init(expected);
    fmpq_init(got);
    x->value[x->graph->nparams] = jn_ratfun_int(x->graph->field, s);
    for (int j = 0; j < x->graph->nsources && good; j++) {
        if (!solve_ports(y, x, o, x->graph->source[j], s))
            continue; /* s is a pole */
        for (int i = 0; i < x->noutputs && good; i++) {
            read_output(expected, x, o, y, i);
            good = !subject_number(got, x, d->transfer[i * x->graph->nsources + j]) ||
                   fmpq_equal(got, expected);
        }
    }
    x->value[x->graph->nparams].id = -1;
    fmpq_mat_clear(y);
    fmpq_clear(expected);
    fmpq_clear(got);
    return good || subject_fails(x, "a transfer function");
}

/* ---- poles and stability ------------------------------------------------------------------- */

/* The generalised eigenvalues of A·v = λ·E·v as pairs alpha/beta (beta = 0: infinite). */
static bool generalised_eigenvalues(double *re, double *im, double *beta, double *A, double *E,
                                    int n)
{
    return n == 0 || LAPACKE_dggev(LAPACK_ROW_MAJOR, 'N', 'N', n, A, n, E, n, re, im, beta, NULL, n,
                                   NULL, n) == 0;
}

/* Every pole that stands alone is near a finite generalised eigenvalue. */
static bool check_poles(const subject *x, const brute *b, const jn_mode_analysis *m)
{
    int n = b->n;
    double *A = jn_alloc((size_t)(n * n) * sizeof *A), *E = jn_alloc((size_t)(n * n) * sizeof *E);
    double *beta = jn_alloc((size_t)n * sizeof *beta);
    double *re = jn_alloc((size_t)n * sizeof *re), *im = jn_alloc((size_t)n * sizeof *im);
    for (int i = 0; i < n * n; i++) {
        A[i] = jn_number_get_d(fmpq_mat_entry(b->A, i / n, i % n));
        E[i] = jn_number_get_d(fmpq_mat_entry(b->E, i / n, i % n));
    }
    bool good = generalised_eigenvalues(re, im, beta, A, E, n) && m->npoles == b->order;
    for (int k = 0; k < m->npoles && good; k++) {
        double nearest = INFINITY, neighbour = INFINITY, size = 1 + m->pole[k].frequency;
        for (int i = 0; i < n; i++)
            if (beta[i] != 0)
                nearest = fmin(nearest, hypot(re[i] / beta[i] - m->pole[k].re,
                                              im[i] / beta[i] - m->pole[k].im));
        for (int i = 0; i < m->npoles; i++)
            if (i != k)
                neighbour = fmin(
                    neighbour, hypot(m->pole[i].re - m->pole[k].re, m->pole[i].im - m->pole[k].im));
        good = nearest < 1e-6 * size || neighbour < 1e-2 * size;
    }
    free(A);
    free(E);
    free(beta);
    free(re);
    free(im);
    return good || subject_fails(x, "the poles");
}

static bool check_stability(const subject *x, const jn_mode_analysis *m)
{
    int right = 0, left = 0;
    for (int i = 0; i < m->npoles; i++) {
        right += m->pole[i].re > 0;
        left += m->pole[i].re < 0;
    }
    if (right != m->halves.right || left != m->halves.left)
        return subject_fails(x, "the poles left and right of the axis");
    return (m->stable == JN_YES) == (left == m->npoles) || subject_fails(x, "stability");
}

/* ---- across modes -------------------------------------------------------------------------- */

static bool at(const subject *x, jn_guard g)
{
    return jn_guard_at(x->junction->ring.guards, g, x->mode);
}

static bool check_across(const subject *x, const jn_mode_analysis *m, const jn_dynamics *d)
{
    const jn_across *c = x->across;
    int integral = 0, unreached = 0;
    for (int i = 0; i < m->equation.n; i++) {
        integral += m->equation.integral[i];
        unreached += at(x, c->unreached[i]);
        if (at(x, c->dependent[i]) == m->equation.integral[i])
            return subject_fails(x, "a dependent storage");
    }
    if (!at(x, c->good))
        return subject_fails(x, "an allowed mode");
    for (int k = 0; k < c->norders; k++)
        if (at(x, c->modes[k]) != (c->min_order + k == integral))
            return subject_fails(x, "the order");
    if (unreached != m->control.nunreached || at(x, c->some_unreached) != (unreached > 0))
        return subject_fails(x, "states without a causal path");
    for (int i = 0, listed = 0; i < m->equation.n && c->outputs_known; i++) {
        bool unobserved = listed < m->observe.nunreached && m->observe.unreached[listed] == i;
        listed += unobserved;
        if (at(x, c->unobserved[i]) != unobserved)
            return subject_fails(x, "a state without a causal path to an output");
    }
    if (c->outputs_known != (x->noutputs > 0) ||
        (c->outputs_known && at(x, c->some_unobserved) != (m->observe.nunreached > 0)))
        return subject_fails(x, "states without a causal path to an output");
    if (!c->stability_decided || !x->numeric)
        return true;
    bool zero = d->order > 0 && jn_ratfun_is_zero(d->charpoly.c[0]);
    if (at(x, c->pole_at_zero) != zero)
        return subject_fails(x, "a pole at zero");
    if ((at(x, c->stable) && m->stable != JN_YES) || (at(x, c->unstable) && m->stable != JN_NO))
        return subject_fails(x, "stability of all modes");
    tally.stable++;
    tally.open += !at(x, c->stable) && !at(x, c->unstable);
    return true;
}

/* ---- one mode, all modes ------------------------------------------------------------------- */

/* Minors by brute force take most of the time: the zeros of every third model. */
static bool check_outputs(subject *x, const oracle *o, const jn_dynamics *d)
{
    if (!check_transfer(x, o, d))
        return false;
    if (x->numeric && !d->zeros_known)
        return subject_fails(x, "no zeros");
    bool shorts = false;
    for (int i = 0; i < x->noutputs; i++)
        shorts = shorts || reads_short(x, i);
    if (!d->zeros_known || x->index % 3 || shorts)
        return true;
    tally.zeros += d->zeros.degree > 0;
    return check_zeros(x, o, d);
}

static bool check_regular(subject *x, const brute *b, const oracle *o, const jn_mode_analysis *m,
                          const jn_dynamics *d)
{
    tally.higher += b->index > 1;
    tally.impulses += m->impulses.n > 0;
    int open = outputs_left_open(x, o);
    tally.open_outputs += open;
    if (m->nopen != open || m->noutputs != x->noutputs - open)
        return subject_fails(x, "a port that is not determined");
    if (d->order != b->order || d->index != b->index)
        return subject_fails(x, "order or index");
    return check_charpoly(x, b, d) && check_jump(x, b, d) && check_reachability(x, b, d, m) &&
           (x->noutputs == 0 || open || check_outputs(x, o, d)) &&
           (b->index > 1 || check_impulses(x, o, m, b->E, b->A, b->B)) &&
           (!x->numeric || (check_poles(x, b, m) && check_stability(x, m))) &&
           check_across(x, m, d);
}

static bool check_mode(subject *x)
{
    oracle o;
    brute b;
    jn_mode_analysis m;
    bool good = true;
    oracle_init(&o, &x->m, x->numeric, x->mode, NULL);
    jn_mode_analysis_init(&m);
    jn_analyse_mode(&m, x->analysis, x->mode);
    const jn_dynamics *d = jn_mode_dynamics(&m);
    if (!o.forbidden) {
        bool solved = oracle_equations(b.E, b.A, b.B, &o, &x->m, x->numeric, x->mode);
        brute_init(&b);
        if (solved && m.equation.status != JN_MODE_OK)
            good = subject_fails(x, "it has an equation");
        else if (solved && d->regular != b.regular)
            good = subject_fails(x, "regularity");
        else if (solved)
            good = check_wong(x, &b) && (!b.regular || check_regular(x, &b, &o, &m, d));
        tally.modes += solved;
        tally.irregular += solved && !b.regular;
        brute_clear(&b);
    }
    jn_mode_analysis_clear(&m);
    oracle_clear(&o);
    return good;
}

static void against_brute_force(bool numeric, const char *test, uint64_t stream, int models)
{
    bool good = true;
    for (int i = 0; i < models && good; i++) {
        subject x;
        test_rng r = test_rng_new(stream + 77777777 + (uint64_t)i);
        if (subject_init(&x, test, i, stream, numeric)) {
            int n = x.graph->nswitches, all = 1 << n;
            for (int k = 0; k < (all < MODES ? all : MODES) && good; k++) {
                int number = all <= MODES ? k : test_rng_int(&r, 0, all - 1);
                for (int s = 0; s < n; s++)
                    x.mode[s] = number >> s & 1;
                good = check_mode(&x);
            }
            tally.models++;
        }
        subject_clear(&x);
    }
    CU_ASSERT(good);
}

/* ---- pencils of any index ------------------------------------------------------------------ */

/* A matrix with determinant ±1: products of elementary ones. */
static void random_unimodular(fmpq_mat_t m, test_rng *r)
{
    slong n = fmpq_mat_nrows(m);
    fmpq_mat_one(m);
    for (int k = 0; k < 3 * n && n > 1; k++) {
        slong i = test_rng_int(r, 0, (int)n - 1), j = test_rng_int(r, 0, (int)n - 1);
        slong c = test_rng_int(r, -2, 2);
        for (slong col = 0; col < n && i != j; col++) {
            fmpq_t t;
            fmpq_init(t);
            fmpq_mul_si(t, fmpq_mat_entry(m, j, col), c);
            fmpq_add(fmpq_mat_entry(m, i, col), fmpq_mat_entry(m, i, col), t);
            fmpq_clear(t);
        }
    }
}

/* E = P diag(1, N) Q, A = P diag(J, 1) Q with N made of blocks of the sizes given. */
static void random_pencil(jn_pencil *p, int order, const int *block, int nblocks, test_rng *r)
{
    int n = p->E.nrows;
    fmpq_mat_t P, Q;
    fmpq_mat_init(P, n, n);
    fmpq_mat_init(Q, n, n);
    random_unimodular(P, r);
    random_unimodular(Q, r);
    for (int i = 0; i < order; i++) {
        fmpq_one(fmpq_mat_entry(p->E.q, i, i));
        for (int j = 0; j < order; j++)
            fmpq_set_si(fmpq_mat_entry(p->A.q, i, j), test_rng_int(r, -2, 2), 1);
    }
    for (int b = 0, at = order; b < nblocks; at += block[b++])
        for (int i = 0; i < block[b]; i++) {
            fmpq_one(fmpq_mat_entry(p->A.q, at + i, at + i));
            if (i + 1 < block[b])
                fmpq_one(fmpq_mat_entry(p->E.q, at + i, at + i + 1));
        }
    fmpq_mat_mul(p->E.q, P, p->E.q);
    fmpq_mat_mul(p->E.q, p->E.q, Q);
    fmpq_mat_mul(p->A.q, P, p->A.q);
    fmpq_mat_mul(p->A.q, p->A.q, Q);
    fmpq_mat_clear(P);
    fmpq_mat_clear(Q);
}

/* Wong sequences find the order, the index and the blocks that were put in; P V = 1. */
static bool check_pencil(test_rng *r)
{
    int order = test_rng_int(r, 0, 4), nblocks = test_rng_int(r, 0, 3), block[3], n = order;
    for (int b = 0; b < nblocks; b++) { /* largest first */
        block[b] = test_rng_int(r, 1, b ? block[b - 1] : 4);
        n += block[b];
    }
    jn_field *k = jn_field_new();
    jn_dynamics d = {.algebra = {.field = k, .numeric = true}};
    jn_algebra_renew(&d.algebra, JN_ALGEBRA_BUDGET);
    jn_pencil p;
    jn_dense_init(&p.E, n, n, &d.algebra);
    jn_dense_init(&p.A, n, n, &d.algebra);
    jn_dense_init(&p.B, n, 1, &d.algebra);
    random_pencil(&p, order, block, nblocks, r);
    jni_pencil_wong(&d, &p);
    bool good = d.regular && d.order == order && d.nblocks == nblocks &&
                d.index == (nblocks ? block[0] : 0);
    for (int b = 0; b < nblocks && good; b++)
        good = d.block[b] == block[b];
    if (good) {
        jn_dense one;
        jn_dense_init(&one, order, order, &d.algebra);
        jn_dense_mul(&one, &d.P, &d.V);
        good = fmpq_mat_is_one(one.q);
        jn_dense_clear(&one);
    }
    jn_dense_clear(&p.E);
    jn_dense_clear(&p.A);
    jn_dense_clear(&p.B);
    jni_dynamics_clear(&d); /* and with it the algebra of the others */
    jn_field_free(k);
    return good;
}

static void pencils_agree_with_the_oracle(void)
{
    for (int i = 0; i < 300; i++) {
        test_rng r = test_rng_new(9500000 + (uint64_t)i);
        bool good = check_pencil(&r);
        CU_ASSERT(good);
        if (!good) {
            printf("\nJUNCT_SEED=%llu, pencil %d\n", (unsigned long long)test_seed(), i);
            break;
        }
    }
}

/* ---- suite --------------------------------------------------------------------------------- */

static void numbers_agree_with_the_oracle(void)
{
    against_brute_force(true, "analyse, numeric", 8000000, 500);
}

static void symbols_agree_with_the_oracle(void)
{
    against_brute_force(false, "analyse, symbolic", 9000000, 250);
}

static int finish(void)
{
    printf("\n  analysis: %d models, %d modes; index above 1: %d, uncontrollable: %d, "
           "unobservable: %d, irregular: %d; stability open: %d of %d; with zeros: %d, impulses: "
           "%d; too long: %d",
           tally.models, tally.modes, tally.higher, tally.uncontrollable, tally.unobservable,
           tally.irregular, tally.open, tally.stable, tally.zeros, tally.impulses, tally.too_long);
    return 0;
}

void suite_analyse_random(void)
{
    CU_pSuite suite_ = CU_add_suite("analyse_random", NULL, finish);
    TEST_ADD(numbers_agree_with_the_oracle);
    TEST_ADD(symbols_agree_with_the_oracle);
    TEST_ADD(pencils_agree_with_the_oracle);
}
