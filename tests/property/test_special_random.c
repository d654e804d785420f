/* test_special_random.c: random models with ratios of 1, -1 and 2, for which coefficients cancel
 * that do not for others. What a symbolic analysis says of the values given must be what the
 * numeric one says; and where the values are not special, the symbolic equation with numbers put
 * in must be the numeric one. */
#include "junct.h"
#include "oracle.h"

enum { SWITCHES = 8 };

static struct {
    int models, modes, special, other_status, other_order, none_allowed;
} tally;

typedef struct {
    int index;
    model m;
    jn_str text;
    jn_arena *arena;
    jn_diags *diags;
    jn_graph *graph;
    struct side {
        jn_junction *junction;
        jn_implicit *implicit;
        jn_analysis *analysis;
        jn_mode_analysis mode;
    } symbolic, numeric;
    jn_across *across; /* of the symbolic side */
    jn_onoff mode[SWITCHES];
} pair;

static bool pair_fails(const pair *x, const char *what)
{
    printf("\nspecial values: JUNCT_SEED=%llu, model %d, mode ", (unsigned long long)test_seed(),
           x->index);
    for (int s = 0; s < x->graph->nswitches; s++)
        printf("%d", x->mode[s]);
    printf(": %s\n%s", what, jn_str_c(&x->text));
    CU_assertImplementation(CU_FALSE, 0, "the model above", "special values", "", CU_FALSE);
    return false;
}

/* ---- a model ------------------------------------------------------------------------------- */

static bool is_junction(const model *m, int element)
{
    jn_kind k = m->element[element].kind;
    return k == JN_0 || k == JN_1 || k == JN_X0 || k == JN_X1;
}

/* A transformer beside each of some connections of junctions. */
static void add_transformers(model *m, test_rng *r)
{
    for (int b = 0, n = m->nbonds, added = 0; b < n && added < 3; b++) {
        int tail = m->bond[b].tail, head = m->bond[b].head;
        if (!is_junction(m, tail) || !is_junction(m, head) || test_rng_chance(r, 50))
            continue;
        char name[MODEL_NAME];
        snprintf(name, sizeof name, "beside%d", added++);
        int t = model_add_element(m, JN_TF, name);
        model_add_bond(m, tail, t);
        model_add_bond(m, t, head);
    }
}

static void choose_values(model *m, test_rng *r)
{
    static const int ratio[] = {1, 1, 1, -1, 2};
    bool active = test_rng_chance(r, 30); /* negative resistors, whose loops may be singular */
    for (int i = 0; i < m->nsymbols; i++) {
        m->symbol[i].given = true;
        fmpq_set_si(m->symbol[i].value, test_rng_int(r, 1, 2), 1);
    }
    for (int e = 0; e < m->nelements; e++) {
        model_symbol *s = m->element[e].symbol >= 0 ? &m->symbol[m->element[e].symbol] : NULL;
        jn_kind kind = m->element[e].kind;
        bool may = kind == JN_TF || kind == JN_GY || (kind == JN_R && active);
        if (s && may && !s->is_param)
            fmpq_set_si(s->value, ratio[test_rng_int(r, 0, 4)], 1);
    }
}

/* What a junction has in common: some of them lie in loops. */
static void add_outputs(pair *x, test_rng *r)
{
    for (int e = 0; e < x->m.nelements; e++) {
        jn_kind kind = x->m.element[e].kind;
        bool effort = kind == JN_0 || kind == JN_X0, flow = kind == JN_1 || kind == JN_X1;
        if ((effort || flow) && test_rng_chance(r, 40))
            jn_str_addf(&x->text, "\noutput y__%d = %c(%s)\n", e, effort ? 'e' : 'f',
                        x->m.element[e].name);
    }
}

static bool build(struct side *s, pair *x, bool numeric)
{
    jn_mode_analysis_init(&s->mode);
    if (jn_junction_build(&s->junction, x->graph, numeric, x->diags) != JN_OK ||
        jn_implicit_derive(&s->implicit, s->junction, x->diags) != JN_OK)
        return false;
    s->analysis = jn_analysis_new(s->implicit);
    return true;
}

static bool pair_init(pair *x, int index)
{
    test_rng r = test_rng_new(7100000 + (uint64_t)index);
    *x = (pair){.index = index, .arena = jn_arena_new(), .diags = jn_diags_new()};
    jn_str_init(&x->text);
    model_init(&x->m);
    model_random_of(&x->m, &r, index);
    add_transformers(&x->m, &r);
    choose_values(&x->m, &r);
    model_text(&x->text, &x->m, &r);
    add_outputs(x, &r);
    const jn_source *source = jn_source_of(x->arena, "random", jn_str_c(&x->text), x->text.len);
    return jn_graph_read(&x->graph, source, x->diags) == JN_OK && build(&x->symbolic, x, false) &&
           build(&x->numeric, x, true) &&
           jn_analyse_across(&x->across, x->symbolic.analysis) == JN_OK;
}

static void clear_side(struct side *s)
{
    jn_mode_analysis_clear(&s->mode);
    jn_analysis_free(s->analysis);
    jn_implicit_free(s->implicit);
    jn_junction_free(s->junction);
}

static void pair_clear(pair *x)
{
    jn_across_free(x->across);
    clear_side(&x->symbolic);
    clear_side(&x->numeric);
    jn_graph_free(x->graph);
    jn_diags_free(x->diags);
    jn_arena_free(x->arena);
    jn_str_clear(&x->text);
    model_clear(&x->m);
}

/* ---- comparing: both sides have their values in one field ---------------------------------- */

static bool same_poly(const jn_poly *a, const jn_poly *b)
{
    bool same = a->degree == b->degree;
    for (int i = 0; i <= a->degree && same; i++)
        same = jn_ratfun_equal(a->c[i], b->c[i]);
    return same;
}

static bool same_matrix(const jn_dense *a, const jn_dense *b)
{
    bool same = a->nrows == b->nrows && a->ncols == b->ncols;
    for (int i = 0; i < a->nrows * a->ncols && same; i++)
        same = jn_ratfun_equal(jn_dense_get(a, i / a->ncols, i % a->ncols),
                               jn_dense_get(b, i / b->ncols, i % b->ncols));
    return same;
}

static bool same_poles(const jn_mode_analysis *a, const jn_mode_analysis *b)
{
    bool same = a->npoles == b->npoles && a->stable == b->stable &&
                a->halves.left == b->halves.left && a->halves.axis == b->halves.axis;
    for (int i = 0; i < a->npoles && same; i++)
        same = a->pole[i].re == b->pole[i].re && a->pole[i].im == b->pole[i].im;
    return same;
}

static bool same_reachability(const jn_reachability *a, const jn_reachability *b)
{
    return a->exact == b->exact && a->complete == b->complete && a->rank == b->rank;
}

static bool same_outputs(const jn_mode_analysis *a, const jn_mode_analysis *b, int ninputs)
{
    const jn_dynamics *d = &a->valued, *e = &b->valued;
    bool same = same_reachability(&d->observe, &e->observe) && same_poly(&d->zeros, &e->zeros) &&
                d->rank == e->rank && d->transfer_known == e->transfer_known;
    for (int i = 0; d->transfer_known && i < a->noutputs * ninputs && same; i++)
        same = jn_ratfun_equal(d->transfer[i], e->transfer[i]);
    return same;
}

static bool compare_valued(const pair *x)
{
    const jn_mode_analysis *a = &x->symbolic.mode, *b = &x->numeric.mode;
    const jn_dynamics *d = &a->valued, *e = &b->valued;
    if (d->known != e->known || d->regular != e->regular)
        return pair_fails(x, "regularity");
    if (!d->regular)
        return true;
    if (d->order != e->order || d->index != e->index)
        return pair_fails(x, "order or index");
    tally.other_order += a->generic.regular && a->generic.order != d->order;
    if (!same_poly(&d->charpoly, &e->charpoly))
        return pair_fails(x, "the characteristic polynomial");
    if (!same_poles(a, b))
        return pair_fails(x, "poles or stability");
    if (!same_reachability(&d->control, &e->control))
        return pair_fails(x, "controllability");
    if (!same_matrix(&d->jump, &e->jump) || !same_matrix(&d->loss, &e->loss))
        return pair_fails(x, "the jump");
    return a->noutputs != b->noutputs || same_outputs(a, b, x->graph->nsources) ||
           pair_fails(x, "outputs");
}

/* What follows for all modes at once holds for the values too. */
static bool compare_across(const pair *x)
{
    jn_guards *g = x->symbolic.junction->ring.guards;
    const jn_across *c = x->across;
    jn_answer stable = x->numeric.mode.stable;
    if ((jn_guard_at(g, c->stable, x->mode) && stable != JN_YES) ||
        (jn_guard_at(g, c->unstable, x->mode) && stable != JN_NO))
        return pair_fails(x, "stability of all modes");
    return true;
}

static bool same_with_numbers(const pair *x, const jn_ratfun *a, const jn_ratfun *b, int n)
{
    const jn_graph *g = x->graph;
    bool same = true;
    for (int i = 0; i < n && same; i++) {
        jn_ratfun v;
        same = jn_ratfun_put(&v, g->field, a[i], g->param_value, g->nparams) == JN_OK &&
               jn_ratfun_equal(v, b[i]);
    }
    return same;
}

static bool compare_equations(const pair *x)
{
    jn_mode a, b;
    jn_mode_init(&a);
    jn_mode_init(&b);
    jn_implicit_mode(&a, x->symbolic.implicit, x->mode);
    jn_implicit_mode(&b, x->numeric.implicit, x->mode);
    bool same = a.status == b.status && same_with_numbers(x, a.E, b.E, a.n * a.n) &&
                same_with_numbers(x, a.A, b.A, a.n * a.n) &&
                same_with_numbers(x, a.B, b.B, a.n * a.ninputs);
    jn_mode_clear(&a);
    jn_mode_clear(&b);
    return same || pair_fails(x, "the equation, though the values are not special");
}

static bool compare_mode(pair *x)
{
    jn_guards *g = x->symbolic.junction->ring.guards;
    bool special = jn_guard_at(g, x->symbolic.implicit->special, x->mode);
    if (!special && !compare_equations(x))
        return false;
    jn_analyse_mode(&x->symbolic.mode, x->symbolic.analysis, x->mode);
    jn_analyse_mode(&x->numeric.mode, x->numeric.analysis, x->mode);
    jn_mode_status numeric = x->numeric.mode.equation.status;
    tally.modes++;
    tally.special += special;
    tally.other_status +=
        x->symbolic.mode.equation.status != numeric ||
        (numeric == JN_MODE_OK && jn_junction_is_forbidden(x->symbolic.junction, x->mode));
    if (x->symbolic.mode.status_at_values != numeric)
        return pair_fails(x, "the status");
    return numeric != JN_MODE_OK || (compare_valued(x) && compare_across(x));
}

static void values_that_fit_are_found(void)
{
    bool good = true;
    for (int i = 0; i < 400 && good; i++) {
        pair x;
        if (pair_init(&x, i)) {
            int n = x.graph->nswitches;
            for (int k = 0; k < 1 << n && good; k++) {
                for (int s = 0; s < n; s++)
                    x.mode[s] = k >> s & 1;
                good = compare_mode(&x);
            }
            tally.models++;
            tally.none_allowed += jn_guard_is_false(x.symbolic.junction->allowed) &&
                                  !jn_guard_is_false(x.numeric.junction->allowed);
        }
        pair_clear(&x);
    }
    CU_ASSERT(good);
    /* a test that meets no special values tests nothing */
    CU_ASSERT(!good || (tally.special > 0 && tally.other_status > 0 && tally.other_order > 0));
}

static int finish(void)
{
    printf("\n  special values: %d models, %d modes, special in %d; another status in %d, another "
           "order in %d; models that only the values allow: %d",
           tally.models, tally.modes, tally.special, tally.other_status, tally.other_order,
           tally.none_allowed);
    return 0;
}

void suite_special_random(void)
{
    CU_pSuite suite_ = CU_add_suite("special_random", NULL, finish);
    TEST_ADD(values_that_fit_are_found);
}
