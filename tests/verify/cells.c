/* cells.c: see cells.h.
 *
 * The signs that were found to be possible are kept in the order in which they were asked for; the
 * next cell is the first one that differs from there on. */
#include "cells.h"

#include <stdlib.h>
#include <string.h>

typedef enum { IS_ZERO, IS_POSITIVE, NOT_NEGATIVE } relation;

/* Equations are solved: each for its pivot, which stands in no other constraint. */
typedef struct {
    relation is;
    fmpq *form;
    int pivot; /* of an equation; its coefficient is 1 */
} constraint;

typedef struct {
    int left[3], n; /* what is still to come, the present one last */
} choice;

struct cells {
    int unknowns, width;
    int nconstraints, cap_constraints;
    constraint *constraint;
    int nchoices, cap_choices, at;
    choice *choice;
    bool empty;
    long asked;
};

/* ---- rows of numbers ----------------------------------------------------------------------- */

static fmpq *row(int n)
{
    fmpq *r = malloc((size_t)n * sizeof *r + 1);
    for (int i = 0; i < n; i++)
        fmpq_init(r + i);
    return r;
}

static void free_row(fmpq *r, int n)
{
    for (int i = 0; i < n; i++)
        fmpq_clear(r + i);
    free(r);
}

/* a += c·b */
static void add_multiple(fmpq *a, const fmpq_t c, const fmpq *b, int n)
{
    for (int i = 0; i < n; i++)
        if (!fmpq_is_zero(b + i))
            fmpq_addmul(a + i, c, b + i);
}

/* ---- linear programs ----------------------------------------------------------------------- */

/* Are there numbers y ≥ 0 with Σ y_j·column_j = 0 whose sum over the first `strict` columns is 1?
 * The first phase of the simplex method, with Bland's rule. a: rows × (columns + 1). */
typedef struct {
    int rows, columns, width; /* width: columns, artificial ones, right-hand side */
    fmpq **a;
    int *basis;
} tableau;

static void pivot(tableau *t, fmpq *cost, int r, int k)
{
    fmpq_t c;
    fmpq_init(c);
    fmpq_inv(c, t->a[r] + k);
    for (int i = 0; i < t->width; i++)
        fmpq_mul(t->a[r] + i, t->a[r] + i, c);
    for (int i = 0; i <= t->rows; i++) {
        fmpq *to = i < t->rows ? t->a[i] : cost;
        if (i == r || fmpq_is_zero(to + k))
            continue;
        fmpq_neg(c, to + k);
        add_multiple(to, c, t->a[r], t->width);
    }
    t->basis[r] = k;
    fmpq_clear(c);
}

static int leaving(const tableau *t, int k)
{
    int best = -1;
    fmpq_t ratio, least;
    fmpq_init(ratio);
    fmpq_init(least);
    for (int i = 0; i < t->rows; i++) {
        if (fmpq_sgn(t->a[i] + k) <= 0)
            continue;
        fmpq_div(ratio, t->a[i] + t->width - 1, t->a[i] + k);
        int order = best < 0 ? -1 : fmpq_cmp(ratio, least);
        if (order < 0 || (order == 0 && t->basis[i] < t->basis[best])) {
            best = i;
            fmpq_set(least, ratio);
        }
    }
    fmpq_clear(ratio);
    fmpq_clear(least);
    return best;
}

/* All right-hand sides are 0, but the last, which is 1. */
static bool has_solution(tableau *t)
{
    fmpq *cost = row(t->width);
    fmpq_t minus;
    fmpq_init(minus);
    fmpq_set_si(minus, -1, 1);
    for (int i = 0; i < t->rows; i++) {
        t->basis[i] = t->columns + i;
        fmpq_one(t->a[i] + t->columns + i);
        add_multiple(cost, minus, t->a[i], t->width);
    }
    for (int i = 0; i < t->rows; i++)
        fmpq_zero(cost + t->columns + i);
    for (;;) {
        int k = 0;
        while (k < t->columns && fmpq_sgn(cost + k) >= 0)
            k++;
        int r = k < t->columns ? leaving(t, k) : -1;
        if (r < 0)
            break;
        pivot(t, cost, r, k);
    }
    bool found = fmpq_is_zero(cost + t->width - 1);
    fmpq_clear(minus);
    free_row(cost, t->width);
    return found;
}

/* ---- whether a cell is empty --------------------------------------------------------------- */

/* The first unknown that a form has; −1: it is a constant. */
static int first_unknown(const fmpq *form, int width)
{
    for (int k = 0; k < width - 1; k++)
        if (!fmpq_is_zero(form + k))
            return k;
    return -1;
}

/* Removes an unknown by an equation that has it with the coefficient 1. */
static void substitute(fmpq *form, const fmpq *equation, int pivot, int width)
{
    fmpq_t c;
    if (fmpq_is_zero(form + pivot))
        return;
    fmpq_init(c);
    fmpq_neg(c, form + pivot);
    add_multiple(form, c, equation, width);
    fmpq_clear(c);
}

static void divide(fmpq *form, int by, int width)
{
    fmpq_t c;
    fmpq_init(c);
    fmpq_inv(c, form + by);
    for (int k = 0; k < width; k++)
        fmpq_mul(form + k, form + k, c);
    fmpq_clear(c);
}

/* A form without the unknowns that equations give. */
static fmpq *reduced(const cells *c, const fmpq *form)
{
    fmpq *r = row(c->width);
    for (int k = 0; k < c->width; k++)
        fmpq_set(r + k, form + k);
    for (int i = 0; i < c->nconstraints; i++)
        if (c->constraint[i].is == IS_ZERO)
            substitute(r, c->constraint[i].form, c->constraint[i].pivot, c->width);
    return r;
}

/* The forms, and 1 > 0, have no combination that says 0 > 0. */
static bool is_possible(fmpq **form, const relation *is, int n, int width)
{
    int columns = 1;
    int *of = malloc((size_t)(n + 1) * sizeof *of);
    for (int i = 0; i < n; i++)
        if (is[i] != IS_ZERO)
            of[columns++] = i;
    tableau t = {width + 1, columns, columns + width + 2, NULL, NULL};
    t.a = malloc((size_t)t.rows * sizeof *t.a);
    t.basis = malloc((size_t)t.rows * sizeof *t.basis);
    for (int r = 0; r < t.rows; r++)
        t.a[r] = row(t.width);
    fmpq_one(t.a[width - 1]); /* 1 > 0 */
    fmpq_one(t.a[width]);
    for (int k = 1; k < columns; k++) {
        for (int r = 0; r < width; r++)
            fmpq_set(t.a[r] + k, form[of[k]] + r);
        if (is[of[k]] == IS_POSITIVE)
            fmpq_one(t.a[width] + k);
    }
    fmpq_one(t.a[width] + t.width - 1);
    bool contradiction = has_solution(&t);
    for (int r = 0; r < t.rows; r++)
        free_row(t.a[r], t.width);
    free(t.a);
    free(t.basis);
    free(of);
    return !contradiction;
}

static bool number_is(const fmpq_t a, relation is)
{
    return is == IS_ZERO ? fmpq_is_zero(a) : is == IS_POSITIVE ? fmpq_sgn(a) > 0 : fmpq_sgn(a) >= 0;
}

/* With one more constraint on a form that is reduced. */
static bool can(cells *c, const fmpq *form, relation is)
{
    int n = 0, pivot = first_unknown(form, c->width);
    if (pivot < 0)
        return number_is(form + c->width - 1, is);
    fmpq **all = malloc((size_t)(c->nconstraints + 1) * sizeof *all);
    relation *of = malloc((size_t)(c->nconstraints + 1) * sizeof *of);
    fmpq *equation = reduced(c, form);
    divide(equation, pivot, c->width);
    for (int i = 0; i <= c->nconstraints; i++) {
        bool last = i == c->nconstraints;
        if (last ? is == IS_ZERO : c->constraint[i].is == IS_ZERO)
            continue;
        of[n] = last ? is : c->constraint[i].is;
        all[n] = row(c->width);
        for (int k = 0; k < c->width; k++)
            fmpq_set(all[n] + k, (last ? form : c->constraint[i].form) + k);
        if (is == IS_ZERO)
            substitute(all[n], equation, pivot, c->width);
        n++;
    }
    c->asked++;
    bool ok = is_possible(all, of, n, c->width);
    for (int i = 0; i < n; i++)
        free_row(all[i], c->width);
    free_row(equation, c->width);
    free(all);
    free(of);
    return ok;
}

/* ---- life ---------------------------------------------------------------------------------- */

cells *cells_new(int unknowns)
{
    cells *c = calloc(1, sizeof *c);
    c->unknowns = unknowns;
    c->width = unknowns + 1;
    return c;
}

static void forget_constraints(cells *c)
{
    for (int i = 0; i < c->nconstraints; i++)
        free_row(c->constraint[i].form, c->width);
    c->nconstraints = 0;
}

void cells_free(cells *c)
{
    forget_constraints(c);
    free(c->constraint);
    free(c->choice);
    free(c);
}

int cells_width(const cells *c)
{
    return c->width;
}

void cells_begin(cells *c)
{
    forget_constraints(c);
    c->at = 0;
    c->empty = false;
}

bool cells_next(cells *c)
{
    c->nchoices = c->at;
    while (c->nchoices && c->choice[c->nchoices - 1].n == 1)
        c->nchoices--;
    if (!c->nchoices)
        return false;
    c->choice[c->nchoices - 1].n--;
    return true;
}

void cells_give_up(cells *c)
{
    c->empty = true;
}

bool cells_is_empty(const cells *c)
{
    return c->empty;
}

long cells_asked(const cells *c)
{
    return c->asked;
}

/* ---- constraints and choices --------------------------------------------------------------- */

/* Of a form that is reduced, which it takes. */
static void keep(cells *c, fmpq *form, relation is)
{
    if (c->nconstraints == c->cap_constraints) {
        c->cap_constraints = c->cap_constraints ? 2 * c->cap_constraints : 32;
        c->constraint = realloc(c->constraint, (size_t)c->cap_constraints * sizeof *c->constraint);
    }
    int pivot = first_unknown(form, c->width);
    if (pivot < 0) { /* it says nothing */
        free_row(form, c->width);
        return;
    }
    if (is == IS_ZERO) {
        divide(form, pivot, c->width);
        for (int i = 0; i < c->nconstraints; i++)
            substitute(c->constraint[i].form, form, pivot, c->width);
    }
    c->constraint[c->nconstraints++] = (constraint){is, form, pivot};
}

/* What is known of a form's sign because a multiple of it is positive; 0: nothing. */
static int known_sign(const cells *c, const fmpq *form)
{
    int first = first_unknown(form, c->width), sign = 0;
    fmpq_t a, b;
    fmpq_init(a);
    fmpq_init(b);
    for (int i = 0; i < c->nconstraints && !sign; i++) {
        const fmpq *of = c->constraint[i].form;
        bool same = c->constraint[i].is == IS_POSITIVE && first_unknown(of, c->width) == first;
        for (int k = first + 1; k < c->width && same; k++) {
            fmpq_mul(a, form + k, of + first);
            fmpq_mul(b, of + k, form + first);
            same = fmpq_equal(a, b);
        }
        if (same)
            sign = fmpq_sgn(of + first) * fmpq_sgn(form + first);
    }
    fmpq_clear(a);
    fmpq_clear(b);
    return sign;
}

/* The present choice, made now where it is a new one. */
static int choose(cells *c, const choice *anew)
{
    if (c->at == c->nchoices) {
        if (c->nchoices == c->cap_choices) {
            c->cap_choices = c->cap_choices ? 2 * c->cap_choices : 32;
            c->choice = realloc(c->choice, (size_t)c->cap_choices * sizeof *c->choice);
        }
        c->choice[c->nchoices++] = *anew;
    }
    const choice *one = &c->choice[c->at++];
    return one->left[one->n - 1];
}

static fmpq *negative(const cells *c, const fmpq *form)
{
    fmpq *r = row(c->width);
    for (int k = 0; k < c->width; k++)
        fmpq_neg(r + k, form + k);
    return r;
}

/* Chooses the sign of a form that is reduced, which it takes. */
static int choose_sign(cells *c, fmpq *form)
{
    choice one = {.n = 0};
    fmpq *minus = negative(c, form);
    if (c->at == c->nchoices)
        for (int sign = -1; sign <= 1; sign++)
            if (can(c, sign < 0 ? minus : form, sign ? IS_POSITIVE : IS_ZERO))
                one.left[one.n++] = sign;
    if (c->at == c->nchoices && !one.n)
        abort(); /* the cell was not empty */
    int sign = choose(c, &one);
    keep(c, sign < 0 ? minus : form, sign ? IS_POSITIVE : IS_ZERO);
    free_row(sign < 0 ? form : minus, c->width);
    return sign;
}

int cells_sign(cells *c, const fmpq *form)
{
    if (c->empty)
        return 0;
    fmpq *r = reduced(c, form);
    int known = first_unknown(r, c->width) < 0 ? fmpq_sgn(r + c->unknowns) : known_sign(c, r);
    if (!known && first_unknown(r, c->width) >= 0)
        return choose_sign(c, r);
    free_row(r, c->width);
    return known;
}

static void require(cells *c, const fmpq *form, relation is)
{
    if (c->empty)
        return;
    choice one = {.n = 1};
    fmpq *r = reduced(c, form);
    if (c->at == c->nchoices)
        one.left[0] = can(c, r, is);
    c->empty = !choose(c, &one);
    if (c->empty)
        free_row(r, c->width);
    else
        keep(c, r, is);
}

void cells_require_zero(cells *c, const fmpq *form)
{
    require(c, form, IS_ZERO);
}

void cells_require_not_negative(cells *c, const fmpq *form)
{
    require(c, form, NOT_NEGATIVE);
}

int cells_choose(cells *c, int n)
{
    for (int i = 0; i < n - 1; i++) /* this one, or a later one */
        if (choose(c, &(choice){{0, 1}, 2}))
            return i;
    return n - 1;
}
