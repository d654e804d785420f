/* test_single_random.c: what is derived for one mode alone, against what all modes have there:
 * causality, strokes, E, A, B, reasons, in models made up at random. */
#include "trial.h"

static trial_tally tally;

/* ---- strokes ------------------------------------------------------------------------------- */

static bool has_open_bond(const trial *t, int k)
{
    for (int b = 0; b < t->graph->nbonds; b++)
        if (t->oracle[k].undetermined[b])
            return true;
    return false;
}

/* Which variable of a redundant loop is the free one is a convention, and strokes around it follow:
 * test_stroke_random.c looks at those. */
static bool check_strokes(trial *t, int k, const jn_onoff *mode, const jn_junction *one)
{
    const jn_junction *all = t->junction;
    jn_guards *g = all->ring.guards;
    bool any_open = has_open_bond(t, k);
    if (t->oracle[k].forbidden)
        return true;
    for (int b = 0; b < t->graph->nbonds; b++) {
        bool open = jn_guard_at(g, all->undetermined[b], mode);
        if (open != jn_guard_is_true(one->undetermined[b]) || open != t->oracle[k].undetermined[b])
            return trial_fails(t, k, "one mode: bond %d is undetermined or is not", b);
        if (!any_open &&
            (jn_guard_at(g, all->stroke[b].tail, mode) != jn_guard_is_true(one->stroke[b].tail) ||
             jn_guard_at(g, all->stroke[b].head, mode) != jn_guard_is_true(one->stroke[b].head)))
            return trial_fails(t, k, "one mode: the stroke of bond %d", b);
    }
    return true;
}

/* ---- equations ----------------------------------------------------------------------------- */

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
    else if (jn_guard_is_true(one->special) &&
             !jn_guard_at(t->junction->ring.guards, t->implicit->special, mode))
        good = trial_fails(t, k, "one mode: it is not special");
    jn_mode_clear(&a);
    jn_mode_clear(&b);
    return good;
}

/* ---- values -------------------------------------------------------------------------------- */

static bool put_values(jn_ratfun *v, int n, const jn_graph *g)
{
    for (int i = 0; i < n; i++)
        if (jn_ratfun_put(&v[i], g->field, v[i], g->param_value, g->nparams) != JN_OK)
            return false;
    return true;
}

/* Where the values are not special, the equation with numbers put in is that of an elimination with
 * numbers. */
static bool check_values(trial *t, int k, const jn_onoff *mode, const jn_implicit *symbolic)
{
    jn_junction *j;
    jn_implicit *f = NULL;
    jn_mode a, b;
    jn_diags *said = jn_diags_new();
    jn_mode_init(&a);
    jn_mode_init(&b);
    bool good = jn_junction_build_mode(&j, t->graph, true, mode, said) == JN_OK &&
                jn_implicit_derive(&f, j, said) == JN_OK;
    if (good) {
        jn_implicit_mode(&a, symbolic, mode);
        jn_implicit_mode(&b, f, mode);
        good = a.status == b.status && same_causality(&a, &b, t->graph) &&
               put_values(a.E, a.n * a.n, t->graph) && put_values(a.A, a.n * a.n, t->graph) &&
               put_values(a.B, a.n * a.ninputs, t->graph) && same_equation(&a, &b);
    }
    jn_mode_clear(&a);
    jn_mode_clear(&b);
    jn_implicit_free(f);
    jn_junction_free(j);
    jn_diags_free(said);
    return good || trial_fails(t, k, "one mode: it is special, and nobody says so");
}

/* ---- tests --------------------------------------------------------------------------------- */

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
    good = good && check_strokes(t, k, mode, one) && check_equation(t, k, mode, f) &&
           (t->numeric || jn_guard_is_true(f->special) || check_values(t, k, mode, f));
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

/* Most storages become resistors: then many of them may have either causality, and have that of the
 * reference mode. */
static void make_resistive(model *m, test_rng *r)
{
    for (int i = 0; i < m->nelements; i++)
        if (model_is_storage(m, i) && test_rng_chance(r, 75)) {
            m->element[i].kind = JN_R;
            m->element[i].initial[0] = '\0';
            m->element[i].priority = 0;
        }
}

static void with_resistors(model *m, test_rng *r, int index)
{
    model_random_of(m, r, index % 2);
    make_resistive(m, r);
}

static bool check_each_mode(trial *t, test_rng *r)
{
    (void)r;
    return trial_derive(t) && check_modes(t);
}

static void against_all_modes(bool numeric, bool resistive, const char *test, uint64_t stream,
                              int usual)
{
    trial_each(&(trial_plan){test, numeric, stream, usual, resistive ? with_resistors : NULL,
                             check_each_mode, &tally});
}

static void symbols_agree_with_the_guards(void)
{
    against_all_modes(false, false, "one mode, symbolic", 5000000, 300);
}

static void numbers_agree_with_the_guards(void)
{
    against_all_modes(true, false, "one mode, numeric", 6000000, 300);
}

static void resistors_have_the_causality_of_the_reference(void)
{
    against_all_modes(false, true, "one mode, resistors", 7000000, 600);
}

static int finish(void)
{
    trial_tally_print("one mode at a time", &tally);
    return 0;
}

void suite_single_random(void)
{
    CU_pSuite suite_ = CU_add_suite("single_random", NULL, finish);
    TEST_ADD(symbols_agree_with_the_guards);
    TEST_ADD(numbers_agree_with_the_guards);
    TEST_ADD(resistors_have_the_causality_of_the_reference);
}
