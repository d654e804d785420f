/* test_single_random.c: what is derived for one mode alone, against what all modes have there:
 * causality, strokes, E, A, B, reasons, in models made up at random. */
#include "trial.h"

static trial_tally tally;

/* ---- strokes --------------------------------------------------------------------------------- */

static bool check_strokes(trial *t, int k, const jn_onoff *mode, const jn_junction *one)
{
    const jn_junction *all = t->junction;
    jn_guards *g = all->ring.guards;
    if (t->oracle[k].forbidden)
        return true;
    for (int b = 0; b < t->graph->nbonds; b++) {
        bool open = jn_guard_at(g, all->undetermined[b], mode);
        if (open != jn_guard_is_true(one->undetermined[b]) || open != t->oracle[k].undetermined[b])
            return trial_fails(t, k, "one mode: bond %d is undetermined or is not", b);
        if (!open &&
            (jn_guard_at(g, all->stroke[b].tail, mode) != jn_guard_is_true(one->stroke[b].tail) ||
             jn_guard_at(g, all->stroke[b].head, mode) != jn_guard_is_true(one->stroke[b].head)))
            return trial_fails(t, k, "one mode: the stroke of bond %d", b);
    }
    return true;
}

/* ---- equations ------------------------------------------------------------------------------- */

static bool same_values(const jn_ratfun *a, const jn_ratfun *b, int n)
{
    for (int i = 0; i < n; i++)
        if (!jn_ratfun_equal(a[i], b[i]))
            return false;
    return true;
}

static bool same_equation(const jn_mode *a, const jn_mode *b)
{
    return same_values(a->E, b->E, a->n * a->n) && same_values(a->A, b->A, a->n * a->n) &&
           same_values(a->B, b->B, a->n * a->ninputs);
}

static bool same_causality(const jn_mode *a, const jn_mode *b, const jn_graph *g)
{
    return memcmp(a->integral, b->integral, (size_t)g->nstorages) == 0 &&
           memcmp(a->resistance, b->resistance, (size_t)g->nresistors) == 0;
}

static bool check_equation(trial *t, int k, const jn_onoff *mode, const jn_implicit *one)
{
    jn_mode a, b;
    bool good = true;
    jn_mode_init(&a);
    jn_mode_init(&b);
    jn_implicit_mode(&a, t->implicit, mode);
    jn_implicit_mode(&b, one, mode);
    if (a.status != b.status)
        good = trial_fails(t, k, "one mode: it is %s, not %s", jn_mode_status_name(a.status),
                           jn_mode_status_name(b.status));
    else if (a.status == JN_MODE_FORBIDDEN && strcmp(a.reason, b.reason) != 0)
        good = trial_fails(t, k, "one mode: %s, not %s", a.reason, b.reason);
    else if (!same_causality(&a, &b, t->graph))
        good = trial_fails(t, k, "one mode: another causality");
    else if (!same_equation(&a, &b))
        good = trial_fails(t, k, "one mode: another equation");
    else if (a.status == JN_MODE_OK && jn_guard_at(t->junction->ring.guards, t->implicit->special,
                                                   mode) != jn_guard_is_true(one->special))
        good = trial_fails(t, k, "one mode: special or not");
    jn_mode_clear(&a);
    jn_mode_clear(&b);
    return good;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static bool check_mode(trial *t, int k)
{
    jn_onoff mode[TRIAL_SWITCHES];
    jn_junction *one;
    jn_implicit *f = NULL;
    jn_diags *said = jn_diags_new();
    trial_mode(mode, t, k);
    bool good = jn_junction_build_mode(&one, t->graph, t->numeric, mode, said) == JN_OK &&
                jn_implicit_derive(&f, one, said) == JN_OK;
    if (!good)
        trial_fails(t, k, "one mode: it is refused");
    good = good && check_strokes(t, k, mode, one) && check_equation(t, k, mode, f);
    jn_implicit_free(f);
    jn_junction_free(one);
    jn_diags_free(said);
    return good;
}

static bool check_modes(trial *t)
{
    for (int k = 0; k < t->nmodes; k++)
        if (!check_mode(t, k))
            return false;
    return true;
}

static void against_all_modes(bool numeric, const char *test, uint64_t stream, int usual)
{
    bool good = true;
    for (int i = 0, n = trial_models(usual); i < n && good; i++) {
        test_rng r = test_rng_new(stream + (uint64_t)i);
        model m;
        trial t;
        model_init(&m);
        model_random(&m, &r);
        good = trial_run(&t, &m, numeric, &r, test, i) && trial_derive(&t) && check_modes(&t);
        if (good)
            trial_count(&tally, &t);
        trial_clear(&t);
        model_clear(&m);
    }
    CU_ASSERT(good);
}

static void test_symbolic(void)
{
    against_all_modes(false, "one mode, symbolic", 5000000, 300);
}

static void test_numeric(void)
{
    against_all_modes(true, "one mode, numeric", 6000000, 300);
}

static int finish(void)
{
    trial_tally_print("one mode at a time", &tally);
    return 0;
}

void suite_single_random(void)
{
    CU_pSuite suite_ = CU_add_suite("single_random", NULL, finish);
    TEST_ADD(test_symbolic);
    TEST_ADD(test_numeric);
}
