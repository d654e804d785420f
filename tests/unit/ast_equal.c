/* ast_equal.c: whether two trees say the same. Comments count, places and blank lines do not. */
#include <string.h>

#include "ast_equal.h"

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_texts(const char *const *a, int na, const char *const *b, int nb)
{
    if (na != nb)
        return false;
    for (int i = 0; i < na; i++)
        if (!same_text(a[i], b[i]))
            return false;
    return true;
}

/* ---- expressions --------------------------------------------------------------------------- */

static bool same_expr(const jn_ast_expr *a, const jn_ast_expr *b);

static bool same_name(const jn_ast_name *a, const jn_ast_name *b)
{
    if (a->nparts != b->nparts)
        return false;
    for (int i = 0; i < a->nparts; i++)
        if (!same_text(a->part[i].text, b->part[i].text) ||
            !same_expr(a->part[i].index, b->part[i].index))
            return false;
    return true;
}

static bool same_exprs(const jn_ast_expr *const *a, int na, const jn_ast_expr *const *b, int nb)
{
    if (na != nb)
        return false;
    for (int i = 0; i < na; i++)
        if (!same_expr(a[i], b[i]))
            return false;
    return true;
}

static bool same_expr(const jn_ast_expr *a, const jn_ast_expr *b)
{
    if (!a || !b)
        return a == b;
    return a->op == b->op && same_text(a->text, b->text) && same_name(&a->name, &b->name) &&
           same_exprs(a->arg, a->nargs, b->arg, b->nargs);
}

/* ---- statements ---------------------------------------------------------------------------- */

static bool same_matrix(const jn_ast_matrix *a, const jn_ast_matrix *b)
{
    if (!a || !b)
        return a == b;
    for (int i = 0; i < a->nrows && i < b->nrows; i++)
        if (!same_exprs(a->row[i].item, a->row[i].n, b->row[i].item, b->row[i].n))
            return false;
    return a->nrows == b->nrows;
}

static bool same_ports(const jn_ast *a, const jn_ast *b)
{
    for (int i = 0; i < a->u.element.nports && i < b->u.element.nports; i++)
        if (!same_text(a->u.element.port[i], b->u.element.port[i]))
            return false;
    return a->u.element.nports == b->u.element.nports;
}

static bool same_element(const jn_ast *a, const jn_ast *b)
{
    if (a->u.element.kind != b->u.element.kind ||
        !same_name(&a->u.element.name, &b->u.element.name) ||
        !same_expr(a->u.element.value, b->u.element.value) ||
        !same_matrix(a->u.element.matrix, b->u.element.matrix) || !same_ports(a, b) ||
        a->u.element.law_of != b->u.element.law_of ||
        !same_expr(a->u.element.law, b->u.element.law) ||
        a->u.element.noptions != b->u.element.noptions)
        return false;
    for (int i = 0; i < a->u.element.noptions; i++) {
        const jn_ast_option *x = &a->u.element.option[i], *y = &b->u.element.option[i];
        if (!same_text(x->key, y->key) || !same_expr(x->value, y->value) ||
            !same_matrix(x->list, y->list))
            return false;
    }
    return true;
}

static bool same_bonds(const jn_ast *a, const jn_ast *b)
{
    if (!same_text(a->u.bonds.label, b->u.bonds.label) || a->u.bonds.nnames != b->u.bonds.nnames)
        return false;
    for (int i = 0; i < a->u.bonds.nnames; i++)
        if (!same_name(&a->u.bonds.name[i], &b->u.bonds.name[i]))
            return false;
    return true;
}

static bool same_switch(const jn_ast *a, const jn_ast *b)
{
    if (!same_name(&a->u.sw.name, &b->u.sw.name) || a->u.sw.is_pwm != b->u.sw.is_pwm ||
        !same_exprs(a->u.sw.pwm, a->u.sw.npwm, b->u.sw.pwm, b->u.sw.npwm) ||
        !same_text(a->u.sw.law, b->u.sw.law) || a->u.sw.reverse != b->u.sw.reverse ||
        !same_exprs(a->u.sw.law_arg, a->u.sw.nlaw, b->u.sw.law_arg, b->u.sw.nlaw) ||
        a->u.sw.on != b->u.sw.on || a->u.sw.nclauses != b->u.sw.nclauses)
        return false;
    for (int i = 0; i < a->u.sw.nclauses; i++) {
        const jn_ast_clause *x = &a->u.sw.clause[i], *y = &b->u.sw.clause[i];
        if (x->on != y->on || x->at != y->at || !same_expr(x->expr, y->expr))
            return false;
    }
    return true;
}

/* The next line of a remark that is not blank; NULL: none. */
static const char *next_remark(const jn_ast_remarks *r, int *i)
{
    while (*i < r->n && !r->line[*i])
        ++*i;
    return *i < r->n ? r->line[(*i)++] : NULL;
}

static bool same_remarks(const jn_ast_remarks *a, const jn_ast_remarks *b)
{
    for (int i = 0, j = 0;;) {
        const char *x = next_remark(a, &i), *y = next_remark(b, &j);
        if (!same_text(x, y))
            return false;
        if (!x)
            return true;
    }
}

static bool same_state(const jn_ast_state *a, const jn_ast_state *b)
{
    return same_text(a->name, b->name) && a->on == b->on && a->initial == b->initial &&
           same_text(a->comment, b->comment) && same_remarks(&a->before, &b->before);
}

static bool same_sets(const jn_ast_transition *a, const jn_ast_transition *b)
{
    if (a->nsets != b->nsets)
        return false;
    for (int i = 0; i < a->nsets; i++)
        if (!same_name(&a->set[i].name, &b->set[i].name) ||
            !same_expr(a->set[i].value, b->set[i].value))
            return false;
    return true;
}

static bool same_transition(const jn_ast_transition *a, const jn_ast_transition *b)
{
    return same_sets(a, b) && same_text(a->from, b->from) && same_text(a->to, b->to) &&
           same_expr(a->when, b->when) && same_text(a->comment, b->comment) &&
           same_remarks(&a->before, &b->before);
}

static bool same_automaton(const jn_ast *a, const jn_ast *b)
{
    if (!same_name(&a->u.automaton.name, &b->u.automaton.name) ||
        a->u.automaton.nstates != b->u.automaton.nstates ||
        a->u.automaton.ntransitions != b->u.automaton.ntransitions ||
        !same_remarks(&a->u.automaton.end, &b->u.automaton.end))
        return false;
    for (int i = 0; i < a->u.automaton.nstates; i++)
        if (!same_state(&a->u.automaton.state[i], &b->u.automaton.state[i]))
            return false;
    for (int i = 0; i < a->u.automaton.ntransitions; i++)
        if (!same_transition(&a->u.automaton.transition[i], &b->u.automaton.transition[i]))
            return false;
    return true;
}

static bool same_output(const jn_ast *a, const jn_ast *b)
{
    if (a->u.output.n != b->u.output.n)
        return false;
    for (int i = 0; i < a->u.output.n; i++) {
        const struct jn_ast_output *x = &a->u.output.item[i], *y = &b->u.output.item[i];
        if (!same_name(&x->name, &y->name) || !same_expr(x->expr, y->expr) ||
            !same_text(x->unit, y->unit))
            return false;
    }
    return true;
}

static bool same_domain(const jn_ast *a, const jn_ast *b)
{
    if (!same_text(a->u.domain.domain, b->u.domain.domain) ||
        a->u.domain.nnames != b->u.domain.nnames)
        return false;
    for (int i = 0; i < a->u.domain.nnames; i++)
        if (!same_name(&a->u.domain.name[i], &b->u.domain.name[i]))
            return false;
    return true;
}

static bool same_bound(const jn_ast *a, const jn_ast *b)
{
    return a->u.bound.falling == b->u.bound.falling &&
           same_exprs(a->u.bound.part, a->u.bound.n, b->u.bound.part, b->u.bound.n);
}

static bool same_statement(const jn_ast *a, const jn_ast *b)
{
    if (a->kind != b->kind || !same_text(a->comment, b->comment) ||
        !same_text(a->end_comment, b->end_comment))
        return false;
    switch (a->kind) {
    case JN_AST_MODEL:
        return same_text(a->u.model.name, b->u.model.name) &&
               same_text(a->u.model.title, b->u.model.title);
    case JN_AST_PARAM:
    case JN_AST_SIGNAL:
    case JN_AST_DISCRETE:
        return same_name(&a->u.param.name, &b->u.param.name) &&
               same_expr(a->u.param.value, b->u.param.value);
    case JN_AST_ELEMENT:
        return same_element(a, b);
    case JN_AST_BONDS:
        return same_bonds(a, b);
    case JN_AST_SWITCH:
        return same_switch(a, b);
    case JN_AST_AUTOMATON:
        return same_automaton(a, b);
    case JN_AST_ASSERT:
        return same_expr(a->u.assertion.condition, b->u.assertion.condition) &&
               same_text(a->u.assertion.text, b->u.assertion.text);
    case JN_AST_BOUND:
        return same_bound(a, b);
    case JN_AST_DOMAIN:
        return same_domain(a, b);
    case JN_AST_OUTPUT:
        return same_output(a, b);
    case JN_AST_SIMULATE:
        return same_expr(a->u.simulate.to, b->u.simulate.to) &&
               same_expr(a->u.simulate.every, b->u.simulate.every);
    case JN_AST_SUBMODEL:
        return same_text(a->u.submodel.name, b->u.submodel.name) &&
               same_texts(a->u.submodel.param, a->u.submodel.nparams, b->u.submodel.param,
                          b->u.submodel.nparams) &&
               ast_equal(&a->u.submodel.body, &b->u.submodel.body);
    case JN_AST_PORTS:
        return same_texts(a->u.ports.name, a->u.ports.n, b->u.ports.name, b->u.ports.n);
    case JN_AST_INSTANCE:
        return same_text(a->u.instance.submodel, b->u.instance.submodel) &&
               same_name(&a->u.instance.name, &b->u.instance.name) &&
               same_exprs(a->u.instance.arg, a->u.instance.nargs, b->u.instance.arg,
                          b->u.instance.nargs);
    case JN_AST_FOR:
        return same_text(a->u.loop.var, b->u.loop.var) &&
               same_expr(a->u.loop.from, b->u.loop.from) && same_expr(a->u.loop.to, b->u.loop.to) &&
               ast_equal(&a->u.loop.body, &b->u.loop.body);
    case JN_AST_COMMENT:
        return same_text(a->u.comment_line.text, b->u.comment_line.text);
    }
    return false;
}

static const jn_ast *next_item(const jn_ast_block *b, int *i)
{
    while (*i < b->n && b->item[*i]->kind == JN_AST_COMMENT && !b->item[*i]->u.comment_line.text)
        ++*i;
    return *i < b->n ? b->item[(*i)++] : NULL;
}

bool ast_equal(const jn_ast_block *a, const jn_ast_block *b)
{
    for (int i = 0, j = 0;;) {
        const jn_ast *x = next_item(a, &i), *y = next_item(b, &j);
        if (!x || !y)
            return x == y;
        if (!same_statement(x, y))
            return false;
    }
}
