/* special.c: values given in the model for which it is not like for others.
 *
 * A transformer of ratio 1 beside a direct connection: the elimination divides by 1 − n, and with
 * n = 1 the loop is redundant. The symbolic results hold for all values but such, and the user, who
 * gave just these, is told by which factor and in which modes.
 *
 * A resistor of k − 1 in some mode is another such value, if k is 1: with it the resistor is 0 there
 * and belongs to the structure (shorted.c). */
#include <stdlib.h>

#include "junct/formula.h"
#include "junction_internal.h"

enum {
    FACTORS_SHOWN = 5,
    TERMS_SHOWN = 12,   /* of a factor */
    LITERALS_SHOWN = 24 /* of a formula */
};

typedef struct {
    const jn_junction *j;
    int n;
    jn_case *factor; /* each with the modes in which it matters */
} finding;

/* f and −f are the same factor. */
static void add_factor(finding *s, jn_ratfun f, jn_guard g)
{
    jn_ring ring = s->j->ring;
    jn_ratfun minus = jn_ratfun_neg(ring.field, f);
    for (int i = 0; i < s->n; i++) {
        jn_case *c = &s->factor[i];
        if (jn_ratfun_equal(c->value, f) || jn_ratfun_equal(c->value, minus)) {
            c->guard = jn_guard_or(ring.guards, c->guard, g);
            return;
        }
    }
    s->factor[s->n++] = (jn_case){g, f};
}

/* ---- what the user is told ----------------------------------------------------------------- */

static void print_factor(jn_str *out, const jn_junction *j, jn_ratfun f)
{
    jn_field *k = j->ring.field;
    const char *const *names = jn_graph_param_names(j->graph);
    const int *param;
    if (jn_ratfun_terms(k, f) - 1 <= TERMS_SHOWN) {
        jn_ratfun_print(out, k, f, names, JN_RATFUN_TEXT);
        return;
    }
    int n = jn_ratfun_params(&param, k, f);
    jn_str_addf(out, "a polynomial of %ld terms in %s", jn_ratfun_terms(k, f) - 1, names[param[0]]);
    if (n > 1)
        jn_str_addf(out, " and %d other%s", n - 1, n == 2 ? "" : "s");
}

static void print_modes(jn_str *out, const jn_junction *j, jn_guard g)
{
    if (j->single && j->graph->nswitches > 0)
        jn_str_add(out, "in this mode ");
    if (jn_guard_is_true(g))
        return;
    jn_formulas *f = jn_formulas_new(j->ring.guards);
    const jn_formula *formula = jn_formula_of(f, g);
    if (jn_formulas_lets(f) == 0 && jn_formula_literals(formula) <= LITERALS_SHOWN) {
        jn_str_add(out, "where ");
        jn_formula_print(out, formula, jn_graph_switch_names(j->graph), JN_FORMULA_TEXT);
        jn_str_add(out, ", ");
    } else {
        fmpz_t count;
        fmpz_init(count);
        jn_guard_count(count, j->ring.guards, g);
        char *digits = fmpz_get_str(NULL, 10, count);
        jn_str_addf(out, "in %s of 2^%d modes ", digits, j->graph->nswitches);
        flint_free(digits);
        fmpz_clear(count);
    }
    jn_formulas_free(f);
}

/* Where the first of its parameters is declared. */
static jn_place place_of(const jn_junction *j, jn_ratfun f)
{
    const int *param;
    jn_ratfun_params(&param, j->ring.field, f);
    return j->graph->param[param[0]].place;
}

static void warn(const finding *s, const jn_case *c, jn_diags *d)
{
    jn_str factor, modes;
    jn_str_init(&factor);
    jn_str_init(&modes);
    print_factor(&factor, s->j, c->value);
    print_modes(&modes, s->j, c->guard);
    jn_diag_add(d, JN_D_VALUE_SPECIAL, place_of(s->j, c->value), jn_str_c(&factor),
                jn_str_c(&modes));
    jn_str_clear(&factor);
    jn_str_clear(&modes);
}

static jn_ratfun factor_of(const jn_junction *j, jn_ratfun value)
{
    const jn_graph *g = j->graph;
    return jn_ratfun_vanishing_factor(j->ring.field, value, g->param_value, g->nparams);
}

/* What resistors are in some modes, where that is 0 with the values given only. free() it. */
static jn_case *resistors(int *n, const jn_junction *j)
{
    const jn_graph *g = j->graph;
    jn_case *found = NULL;
    *n = 0;
    for (int i = 0; i < g->nresistors && !j->numeric; i++) {
        const jn_element *x = &g->element[g->resistor[i]];
        for (int k = 0; k < x->ncases && !x->multiport; k++) {
            const jn_value_case *c = &x->cases[k];
            if (jn_ratfun_is_zero(c->value) ||
                !jn_ratfun_vanishes(g->field, c->value, g->param_value, g->nparams))
                continue;
            found = jn_realloc(found, (size_t)(*n + 1) * sizeof *found);
            jn_guard where = c->when ? jn_junction_condition(j, c->when) : jn_guard_true();
            found[(*n)++] = (jn_case){where, c->value};
        }
    }
    return found;
}

static bool is_among(const jn_junction *j, jn_ratfun f, const jn_case *c, int n)
{
    bool found = false;
    for (int i = 0; i < n && !found; i++) {
        jn_ratfun other = factor_of(j, c[i].value);
        found =
            jn_ratfun_equal(f, other) || jn_ratfun_equal(f, jn_ratfun_neg(j->ring.field, other));
    }
    return found;
}

/* Those of resistors have been said with the structure, but for that they are divided by later. */
static jn_guard special_of(const jn_junction *j, const jn_case *c, int n, bool are_resistors,
                           jn_diags *d)
{
    int nsaid = 0;
    jn_case *said = are_resistors || !d || n == 0 ? NULL : resistors(&nsaid, j);
    finding s = {.j = j, .factor = jn_alloc((size_t)n * sizeof *s.factor)};
    jn_guard special = jn_guard_false();
    for (int i = 0; i < n; i++) {
        special = jn_guard_or(j->ring.guards, special, c[i].guard);
        jn_ratfun f = d ? factor_of(j, c[i].value) : JN_RATFUN_ZERO;
        if (d && !is_among(j, f, said, nsaid))
            add_factor(&s, f, c[i].guard);
    }
    free(said);
    for (int i = 0; i < s.n && i < FACTORS_SHOWN; i++)
        warn(&s, &s.factor[i], d);
    if (s.n > FACTORS_SHOWN)
        jn_diag_note(d, place_of(j, s.factor[FACTORS_SHOWN].value), "and %d more",
                     s.n - FACTORS_SHOWN);
    free(s.factor);
    return special;
}

jn_guard jn_junction_special(const jn_junction *j, const jn_elimination *e, jn_diags *d)
{
    const jn_case *c;
    int n = jn_elimination_vanishing(&c, e);
    return special_of(j, c, n, false, d);
}

jn_guard jni_special_resistors(const jn_junction *j, jn_diags *d)
{
    int n;
    jn_case *c = resistors(&n, j);
    jn_guard special = special_of(j, c, n, true, d);
    free(c);
    return special;
}

jn_guard jn_junction_special_values(const jn_junction *j, const jn_ratfun *divisor, int n,
                                    jn_diags *d)
{
    jn_case *c = jn_alloc((size_t)n * sizeof *c);
    for (int i = 0; i < n; i++)
        c[i] = (jn_case){jn_guard_true(), divisor[i]};
    jn_guard special = special_of(j, c, n, false, d);
    free(c);
    return special;
}
