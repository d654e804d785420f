/* test_invariance.c: names do not matter, nor does the order of the statements when every storage
 * has a priority of its own. The library is compared with itself. */
#include "trial.h"

static trial_tally tally;

/* Two tellings of one graph: element i of `b` is element from[i] of `a`. */
typedef struct {
    trial *a, *b;
    const int *from;
    bool same_order; /* of the statements: then even the resistors' causality must agree */
} pair;

static int number_in_a(const pair *p, int element_of_b)
{
    return p->a->graph->element[p->from[element_of_b]].number;
}

/* The mode of a that is the mode k of b. */
static void mode_in_a(jn_onoff *mode, const pair *p, const jn_onoff *mode_of_b)
{
    for (int s = 0; s < p->b->nswitches; s++)
        mode[number_in_a(p, p->b->graph->sw[s])] = mode_of_b[s];
}

/* ---- the equations ------------------------------------------------------------------------- */

static bool same_value(const pair *p, jn_ratfun a, jn_ratfun b)
{
    fmpq_t v;
    fmpq_init(v);
    bool same = trial_number_of(v, p->a, a) && trial_is(p->b, b, v);
    fmpq_clear(v);
    return same;
}

static bool same_row(const pair *p, int i, const jn_mode *a, const jn_mode *b)
{
    const jn_graph *g = p->b->graph;
    int n = b->n, u = b->ninputs, row = number_in_a(p, g->storage[i]);
    for (int j = 0; j < n; j++) {
        int col = number_in_a(p, g->storage[j]);
        if (!same_value(p, a->E[row * n + col], b->E[i * n + j]) ||
            !same_value(p, a->A[row * n + col], b->A[i * n + j]))
            return false;
    }
    for (int j = 0; j < u; j++)
        if (!same_value(p, a->B[row * u + number_in_a(p, g->source[j])], b->B[i * u + j]))
            return false;
    return a->integral[row] == b->integral[i];
}

static bool same_equations(const pair *p, int k, const jn_mode *a, const jn_mode *b)
{
    const jn_graph *g = p->b->graph;
    if (a->status != b->status)
        return trial_fails(p->b, k, "it was %s", jn_mode_status_name(a->status));
    for (int i = 0; i < b->n && b->status == JN_MODE_OK; i++)
        if (!same_row(p, i, a, b))
            return trial_fails(p->b, k, "the equation of %s",
                               p->b->model->element[g->storage[i]].name);
    for (int i = 0; i < g->nresistors && p->same_order && b->status == JN_MODE_OK; i++)
        if (a->resistance[i] != b->resistance[i])
            return trial_fails(p->b, k, "the causality of resistor %d", i + 1);
    return true;
}

/* ---- reasons and strokes ------------------------------------------------------------------- */

/* The relation 0 = Σ c·source as its coefficients. */
static void relation(fmpq *c, trial *t, const jn_reason *r)
{
    fmpq_set_si(&c[t->graph->element[r->source].number], -1, 1);
    for (int i = 0; i < r->nterms; i++)
        trial_number_of(&c[t->graph->element[r->term[i].source].number], t, r->term[i].coefficient);
}

static bool proportional(const fmpq *a, const fmpq *b, int n)
{
    fmpq_t x, y;
    bool same = true;
    fmpq_init(x);
    fmpq_init(y);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            fmpq_mul(x, &a[i], &b[j]);
            fmpq_mul(y, &a[j], &b[i]);
            same &= fmpq_equal(x, y);
        }
    fmpq_clear(x);
    fmpq_clear(y);
    return same;
}

static int losers(const trial *t, int k)
{
    int n = 0;
    for (int x = 0; x < t->model->nelements; x++)
        n += model_is_source(t->model, x) && !oracle_as_wished(&t->oracle[k], t->model, x);
    return n;
}

/* Where one source loses there is one relation, whichever source is said to lose. */
static bool same_reason(const pair *p, int k, const jn_onoff *mode_a, const jn_onoff *mode_b)
{
    const jn_graph *g = p->b->graph;
    int n = g->nsources;
    if (!p->same_order && losers(p->b, k) != 1)
        return true;
    fmpq *a = _fmpq_vec_init(n), *b = _fmpq_vec_init(n), *b_as_a = _fmpq_vec_init(n);
    relation(a, p->a, jn_junction_reason(p->a->junction, mode_a));
    relation(b, p->b, jn_junction_reason(p->b->junction, mode_b));
    for (int i = 0; i < n; i++)
        fmpq_set(&b_as_a[number_in_a(p, g->source[i])], &b[i]);
    bool same = proportional(a, b_as_a, n);
    _fmpq_vec_clear(a, n);
    _fmpq_vec_clear(b, n);
    _fmpq_vec_clear(b_as_a, n);
    return same || trial_fails(p->b, k, "the reason why it is forbidden");
}

static bool same_strokes(const pair *p, int k, const jn_onoff *mode)
{
    const jn_junction *a = p->a->junction, *b = p->b->junction;
    for (int i = 0; i < p->b->model->nbonds; i++)
        if (jn_guard_at(a->ring.guards, a->stroke[i].tail, mode) !=
                jn_guard_at(b->ring.guards, b->stroke[i].tail, mode) ||
            jn_guard_at(a->ring.guards, a->stroke[i].head, mode) !=
                jn_guard_at(b->ring.guards, b->stroke[i].head, mode))
            return trial_fails(p->b, k, "the stroke of bond %d", i + 1);
    return true;
}

/* ---- all modes ----------------------------------------------------------------------------- */

static bool same_mode(const pair *p, int k)
{
    jn_onoff mode_a[TRIAL_SWITCHES], mode_b[TRIAL_SWITCHES];
    jn_mode a, b;
    trial_mode(mode_b, p->b, k);
    mode_in_a(mode_a, p, mode_b);
    jn_mode_init(&a);
    jn_mode_init(&b);
    jn_implicit_mode(&a, p->a->implicit, mode_a);
    jn_implicit_mode(&b, p->b->implicit, mode_b);
    bool good = same_equations(p, k, &a, &b);
    if (good && b.status == JN_MODE_FORBIDDEN)
        good = same_reason(p, k, mode_a, mode_b);
    else if (good && p->same_order)
        good = same_strokes(p, k, mode_b);
    jn_mode_clear(&a);
    jn_mode_clear(&b);
    return good;
}

static bool same_results(const pair *p)
{
    for (int k = 0; k < p->b->nmodes; k++)
        if (!same_mode(p, k))
            return false;
    if (p->same_order &&
        memcmp(p->a->junction->reference, p->b->junction->reference, (size_t)p->b->nswitches) != 0)
        return trial_fails(p->b, -1, "the reference mode");
    return true;
}

static bool compare(const model *a, const model *b, const int *from, bool same_order, test_rng *r,
                    int i)
{
    trial ta, tb;
    const char *test = same_order ? "renamed" : "permuted";
    pair p = {&ta, &tb, from, same_order};
    bool numeric = i % 2 == 0;
    bool good = trial_run(&ta, a, numeric, r, test, i) && trial_derive(&ta);
    good = trial_run(&tb, b, numeric, r, test, i) && trial_derive(&tb) && good;
    if (good && !same_results(&p)) {
        printf("---- and, told the other way:\n%s", jn_str_c(&ta.text));
        good = false;
    }
    if (good)
        trial_count(&tally, &tb);
    trial_clear(&tb);
    trial_clear(&ta);
    return good;
}

static void names_do_not_matter(void)
{
    bool good = true;
    for (int i = 0, n = trial_models(250); i < n && good; i++) {
        test_rng r = test_rng_new(6000000 + (uint64_t)i);
        model a, b;
        int from[MODEL_ELEMENTS];
        model_init(&a);
        model_init(&b);
        model_random_of(&a, &r, i % 2);
        model_copy(&b, &a);
        model_rename(&b, &r);
        for (int x = 0; x < MODEL_ELEMENTS; x++)
            from[x] = x;
        good = compare(&a, &b, from, true, &r, i);
        model_clear(&a);
        model_clear(&b);
    }
    CU_ASSERT(good);
}

static void the_order_of_statements_does_not_matter(void)
{
    bool good = true;
    for (int i = 0, n = trial_models(400); i < n && good; i++) {
        test_rng r = test_rng_new(7000000 + (uint64_t)i);
        model a, b;
        int from[MODEL_ELEMENTS];
        model_init(&a);
        model_init(&b);
        model_random_of(&a, &r, i % 2);
        model_distinct_priorities(&a, &r);
        model_copy(&b, &a);
        model_permute(&b, from, &r);
        good = compare(&a, &b, from, false, &r, i);
        model_clear(&a);
        model_clear(&b);
    }
    CU_ASSERT(good);
}

static int finish(void)
{
    trial_tally_print("invariance", &tally);
    return 0;
}

void suite_invariance(void)
{
    CU_pSuite suite_ = CU_add_suite("invariance", NULL, finish);
    TEST_ADD(names_do_not_matter);
    TEST_ADD(the_order_of_statements_does_not_matter);
}
