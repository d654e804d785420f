/* model_seam.c: laws that are one function on both sides of 0.
 *
 *     f = k·sign(e)·√|e|     held with e > 0 it is k·√e, which goes on below 0 as an odd function: what
 *                            it is with e < 0 as well
 *     e = k·f·|f|            where e is given it is inverted as it stands, held on neither side
 *
 * Levels that have met stay within rounding of each other, now on one side and now on the other. Were
 * that crossed, the run would have to slide on a surface whose sides do not differ, and no share would
 * follow from them. So each branch knows the law that alone has it, where it turns at 0 of the
 * variable which that law reads, and whether the law has a seam there. Where it has none, the branch
 * is settled at instants as others are, but nothing happens where it turns. */
#include <stdlib.h>

#include "pieces.h"
#include "value.h"

/* ---- which branches are of one law alone --------------------------------------------------- */

typedef struct {
    branches *b;
    int *users; /* per branch: expressions that have it */
    int *last;  /* the one that was seen last, + 1 */
    int expression;
} census;

static void count(census *c, const jn_expr *e)
{
    int k = jni_is_branching(e->op) ? jni_branch_of(c->b, e) : -1;
    if (k >= 0 && c->last[k] != c->expression + 1) {
        c->last[k] = c->expression + 1;
        c->users[k]++;
    }
    if (e->op == JN_X_SIGNAL)
        count(c, jni_branches_model(c->b)->g->signal[e->index].expr);
    for (int i = 0; i < e->nargs && e->op != JN_X_INT; i++)
        count(c, e->arg[i]);
}

static void count_all(census *c)
{
    const model *m = jni_branches_model(c->b);
    for (int i = 0; i < m->g->nelements; i++) {
        const jn_element *x = &m->g->element[i];
        const jn_expr *each[] = {x->input, x->modulation, x->law};
        for (size_t k = 0; k < sizeof each / sizeof *each; k++, c->expression++)
            if (each[k])
                count(c, each[k]);
    }
    for (int i = 0; i < m->ns; i++, c->expression++)
        if (m->integral[i].of)
            count(c, m->integral[i].of);
}

/* The sign of c in a condition c·own OP 0; 0: it is another one. */
static int turns_at_zero(model *m, const jn_expr *c, int own)
{
    linear_form f, right;
    int sign = 0;
    if (c->op < JN_X_LT || c->op > JN_X_GT || c->op == JN_X_EQ || !jni_form_of(&f, m, c->arg[0]))
        return 0;
    if (jni_form_of(&right, m, c->arg[1])) {
        jni_form_add(&f, -1, &right);
        if (f.n == 1 && f.c0 == 0 && f.ct == 0 && f.term[0].obs == own)
            sign = (f.term[0].c > 0) - (f.term[0].c < 0);
        jni_form_clear(&right);
    }
    jni_form_clear(&f);
    return sign;
}

/* ---- whether a law has a seam -------------------------------------------------------------- */

typedef struct {
    branches *b;
    const jn_element *x;
    int n, *branch, *sign; /* those of the law; how the conditions lie on its variable */
    dual *col, *state, *integral;
    double *discrete;
} probe;

/* No two of them alike: nothing cancels by chance. */
static double some_value(int i)
{
    double part = 0.6180339887498949 * (i + 1);
    return 0.5 + part - floor(part);
}

static double held_on(const probe *p, double value, int side)
{
    model *m = jni_branches_model(p->b);
    moment at = {.model = m,
                 .branches = p->b,
                 .col = p->col,
                 .x = p->state,
                 .integral = p->integral,
                 .discrete = p->discrete,
                 .t = {some_value(0), 0}};
    for (int i = 0; i < p->n; i++) {
        jn_expr_op op = jni_branch_condition(p->b, p->branch[i])->op;
        bool above = op == JN_X_GT || op == JN_X_GE;
        jni_branch_set(p->b, p->branch[i], above == (side * p->sign[i] > 0));
    }
    p->col[jni_law_reads(p->x)] = (dual){value, 0};
    return jni_tangent(&at, p->x->law).v;
}

static bool has_seam(const probe *p)
{
    static const double values[] = {1, -1, 2.9, -2.9, 0.017, -0.017, 1e-9, -1e-9};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        double below = held_on(p, values[i], -1), above = held_on(p, values[i], 1);
        if (!(fabs(above - below) <= SAME_LAW * fabs(above)))
            return true;
    }
    return false;
}

/* ---- all of a model ------------------------------------------------------------------------ */

/* Of a law, the branches that are its own and turn at 0; false: it has others. */
static bool find_own(probe *p, const census *c, int expression)
{
    model *m = jni_branches_model(p->b);
    census law = {.b = c->b,
                  .users = jn_alloc((size_t)jni_branches_count(c->b) * sizeof *law.users),
                  .last = jn_alloc((size_t)jni_branches_count(c->b) * sizeof *law.last),
                  .expression = expression};
    bool all = true;
    count(&law, p->x->law);
    p->n = 0;
    for (int k = 0; k < jni_branches_count(c->b); k++) {
        if (!law.users[k])
            continue;
        const jn_expr *when = jni_branch_condition(c->b, k);
        int sign = c->users[k] == 1 ? turns_at_zero(m, when, jni_law_reads(p->x)) : 0;
        if (c->users[k] == 1 && m->pieces[p->x->number].n) /* its inverse does not read it */
            jni_branch_own(c->b, k, p->x->number, BRANCH_OF_PIECES);
        all = all && sign;
        if (sign) {
            p->branch[p->n] = k;
            p->sign[p->n++] = sign;
        }
    }
    free(law.users);
    free(law.last);
    return all;
}

static dual *some_values(int n)
{
    dual *a = jn_alloc((size_t)n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = (dual){some_value(i), 0};
    return a;
}

static void look_at_laws(probe *p, const census *c)
{
    const model *m = jni_branches_model(p->b);
    for (int r = 0; r < m->nr; r++) {
        p->x = &m->g->element[m->g->resistor[r]];
        if (!p->x->nonlinear)
            continue;
        bool seamless = find_own(p, c, 0) && p->n && !has_seam(p);
        for (int i = 0; i < p->n; i++)
            jni_branch_own(p->b, p->branch[i], r, seamless ? BRANCH_SEAMLESS : BRANCH_OF_LAW);
    }
}

void jni_seams_find(branches *b)
{
    const model *m = jni_branches_model(b);
    size_t n = (size_t)jni_branches_count(b);
    census c = {
        .b = b, .users = jn_alloc(n * sizeof *c.users), .last = jn_alloc(n * sizeof *c.last)};
    probe p = {.b = b,
               .branch = jn_alloc(n * sizeof *p.branch),
               .sign = jn_alloc(n * sizeof *p.sign),
               .col = some_values(2 * m->g->nbonds),
               .state = some_values(m->nx),
               .integral = some_values(m->ns),
               .discrete = jn_alloc((size_t)m->nd * sizeof *p.discrete)};
    for (int i = 0; i < m->nd; i++)
        p.discrete[i] = some_value(i);
    if (n) {
        count_all(&c);
        look_at_laws(&p, &c);
    }
    for (size_t k = 0; k < n; k++)
        jni_branch_set(b, (int)k, 0);
    free(c.users);
    free(c.last);
    free(p.branch);
    free(p.sign);
    free(p.col);
    free(p.state);
    free(p.integral);
    free(p.discrete);
}
