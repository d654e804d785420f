/* cases.c: values that switches choose, R r = if(on(hot), 2, k).
 *
 * Such a value is no function of time: it is one exact value in each of finitely many cases. Where
 * several choices meet in one expression, every combination that can hold is a case. */
#include <stdlib.h>

#include "graph_internal.h"

typedef struct {
    int n;
    jn_value_case item[JN_GRAPH_MAX_CASES];
} case_list;

static bool cases_of(builder *b, case_list *out, const jn_expr *e);

static bool is_choice(const jn_expr *c)
{
    if (c->op == JN_X_ON)
        return true;
    if (c->op != JN_X_NOT && c->op != JN_X_AND && c->op != JN_X_OR)
        return false;
    for (int i = 0; i < c->nargs; i++)
        if (!is_choice(c->arg[i]))
            return false;
    return true;
}

/* Both; NULL stands for always. */
static const jn_expr *both(builder *b, const jn_expr *x, const jn_expr *y)
{
    const jn_expr *pair[2] = {x, y};
    return !x ? y : !y ? x : jni_build_node(b, JN_X_AND, y->place, 0, 2, pair);
}

/* ---- whether a condition can hold ---------------------------------------------------------- */

enum { TRIED = 12 }; /* switches in one condition; with more it is taken to */

static int place_of(const int *sw, int n, int element)
{
    int i = 0;
    while (i < n && sw[i] != element)
        i++;
    return i;
}

/* The switches it asks for; TRIED + 1: too many. */
static int switches_of(int *sw, int n, const jn_expr *c)
{
    if (c->op == JN_X_ON) {
        bool is_new = place_of(sw, n, c->index) == n;
        if (is_new && n < TRIED)
            sw[n] = c->index;
        return n + is_new;
    }
    for (int i = 0; i < c->nargs && n <= TRIED; i++)
        n = switches_of(sw, n, c->arg[i]);
    return n;
}

static bool holds(const int *sw, int n, unsigned on, const jn_expr *c)
{
    switch (c->op) {
    case JN_X_ON:
        return on >> place_of(sw, n, c->index) & 1;
    case JN_X_NOT:
        return !holds(sw, n, on, c->arg[0]);
    case JN_X_AND:
        return holds(sw, n, on, c->arg[0]) && holds(sw, n, on, c->arg[1]);
    default: /* JN_X_OR */
        return holds(sw, n, on, c->arg[0]) || holds(sw, n, on, c->arg[1]);
    }
}

static bool can_hold(const jn_expr *c)
{
    int sw[TRIED], n = c ? switches_of(sw, 0, c) : 0;
    if (!c || n > TRIED)
        return true;
    for (unsigned on = 0; on < 1u << n; on++)
        if (holds(sw, n, on, c))
            return true;
    return false;
}

/* ---- cases --------------------------------------------------------------------------------- */

static bool add_case(case_list *l, const jn_expr *when, jn_ratfun value)
{
    if (!can_hold(when))
        return true;
    if (l->n == JN_GRAPH_MAX_CASES)
        return false;
    l->item[l->n++] = (jn_value_case){when, value};
    return true;
}

/* Each way of the choice with what it leads to. */
static bool choose(builder *b, case_list *out, const jn_expr *e)
{
    if (!is_choice(e->arg[0]))
        return false;
    const jn_expr *way[2] = {e->arg[0],
                             jni_build_node(b, JN_X_NOT, e->arg[0]->place, 0, 1, &e->arg[0])};
    case_list *part = jn_alloc(sizeof *part);
    bool ok = true;
    for (int k = 0; k < 2 && ok; k++) {
        ok = cases_of(b, part, e->arg[k + 1]);
        for (int i = 0; i < part->n && ok; i++)
            ok = add_case(out, both(b, way[k], part->item[i].when), part->item[i].value);
    }
    free(part);
    return ok;
}

/* The operation on two values that are known exactly. */
static bool combine(builder *b, jn_ratfun *r, const jn_expr *e, jn_ratfun x, jn_ratfun y)
{
    jn_expr left = {.op = JN_X_NUMBER, .number = x}, right = {.op = JN_X_NUMBER, .number = y};
    const jn_expr *arg[2] = {&left, &right};
    jn_expr copy = *e;
    copy.arg = arg;
    return jn_expr_ratfun(r, b->g->field, &copy) == JN_OK;
}

/* Once: what follows is beside the point. */
static void report_division(builder *b, const jn_expr *e)
{
    if (!b->division_reported)
        REPORT(b, JN_D_DIVISION_BY_ZERO, e->place);
    b->division_reported = true;
}

static bool combinations(builder *b, case_list *out, const jn_expr *e)
{
    case_list *part = jn_alloc(2 * sizeof *part);
    bool ok = cases_of(b, &part[0], e->arg[0]);
    if (e->nargs > 1)
        ok = ok && cases_of(b, &part[1], e->arg[1]);
    else
        add_case(&part[1], NULL, JN_RATFUN_ZERO);
    for (int i = 0; i < part[0].n && ok; i++) {
        for (int k = 0; k < part[1].n && ok; k++) {
            const jn_value_case *x = &part[0].item[i], *y = &part[1].item[k];
            jn_ratfun r;
            const jn_expr *when = both(b, x->when, y->when);
            if (!can_hold(when))
                continue;
            if (e->op == JN_X_DIV && jn_ratfun_is_zero(y->value))
                report_division(b, e);
            ok = combine(b, &r, e, x->value, y->value) && add_case(out, when, r);
        }
    }
    free(part);
    return ok;
}

/* False: it depends on something else, is not rational, or has too many cases. */
static bool cases_of(builder *b, case_list *out, const jn_expr *e)
{
    jn_ratfun r;
    out->n = 0;
    if (e->op == JN_X_SIGNAL)
        return cases_of(b, out, b->g->signal[e->index].expr);
    if (jn_expr_ratfun(&r, b->g->field, e) == JN_OK)
        return add_case(out, NULL, r);
    if (e->op == JN_X_IF)
        return choose(b, out, e);
    return e->op >= JN_X_NEG && e->op <= JN_X_POW && combinations(b, out, e);
}

/* In a mode a ratio or a resistance may well be zero, a storage not. */
static void check_cases(builder *b, const jn_element *e)
{
    jn_graph *g = b->g;
    fmpq_t c;
    fmpq_init(c);
    for (int i = 0; i < e->ncases; i++) {
        jn_ratfun r;
        if (jn_ratfun_put(&r, g->field, e->cases[i].value, g->param_value, g->nparams) != JN_OK)
            REPORT(b, JN_D_DIVISION_BY_ZERO, e->modulation->place);
        else if (jn_ratfun_get_fmpq(c, g->field, r)) {
            jn_code objection = jni_value_objection(e->kind, fmpq_sgn(c));
            if (objection != JN_D_COUNT && (fmpq_sgn(c) != 0 || jn_kind_is_storage(e->kind)))
                REPORT(b, objection, e->modulation->place, jn_kind_name(e->kind), e->name);
        }
    }
    fmpq_clear(c);
}

bool jni_build_value_cases(builder *b, jn_value *v, const jn_expr *e)
{
    case_list *found = jn_alloc(sizeof *found);
    b->division_reported = false;
    bool ok = cases_of(b, found, e);
    if (ok) {
        v->ncases = found->n;
        v->cases = jn_arena_dup(b->g->arena, found->item, (size_t)found->n * sizeof *found->item);
    }
    free(found);
    return ok;
}

static int count_cases(const jn_value *v)
{
    return v->ncases ? v->ncases : 1;
}

static jn_value_case case_of(const jn_value *v, int i)
{
    return v->ncases ? v->cases[i] : (jn_value_case){NULL, v->one};
}

/* No two cases that can hold together differ. */
bool jni_build_same_cases(builder *b, jn_value x, jn_value y)
{
    for (int i = 0; i < count_cases(&x); i++)
        for (int k = 0; k < count_cases(&y); k++) {
            jn_value_case c = case_of(&x, i), d = case_of(&y, k);
            if (!jn_ratfun_equal(c.value, d.value) && can_hold(both(b, c.when, d.when)))
                return false;
        }
    return true;
}

/* Signals are followed: their extents have been limited. */
void jni_build_cases(builder *b)
{
    for (int i = 0; i < b->g->nelements; i++) {
        jn_element *e = &b->g->element[i];
        jn_value v = {.one = e->value};
        if (!e->modulated || e->multiport || !jni_build_value_cases(b, &v, e->modulation))
            continue;
        e->ncases = v.ncases;
        e->cases = v.cases;
        check_cases(b, e);
    }
    for (int i = 0; i < b->nfields; i++)
        jni_build_field_cases(b, &b->field[i]);
}
