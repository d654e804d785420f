/* test_feedback_random.c: E, A, B of random models whose sources read the model, in every mode,
 * over λ and alone, against all equations of the mode solved at once. */
#include "trial.h"

static trial_tally tally;
static int fed_modes, singular_modes, other_modes, bound_models;

/* (E | −A | −B) of the library in reduced form. */
static bool library_space(fmpq_mat_t space, trial *t, const jn_mode *got)
{
    slong n = got->n, m = got->ninputs;
    bool finite = true;
    fmpq_mat_init(space, n, 2 * n + m);
    for (slong i = 0; i < n; i++) {
        for (slong j = 0; j < n; j++) {
            finite &= trial_number_of(fmpq_mat_entry(space, i, j), t, got->E[i * n + j]);
            finite &= trial_number_of(fmpq_mat_entry(space, i, n + j), t, got->A[i * n + j]);
        }
        for (slong j = 0; j < m; j++)
            finite &= trial_number_of(fmpq_mat_entry(space, i, 2 * n + j), t, got->B[i * m + j]);
        for (slong j = n; j < 2 * n + m; j++)
            fmpq_neg(fmpq_mat_entry(space, i, j), fmpq_mat_entry(space, i, j));
    }
    fmpq_mat_rref(space, space);
    return finite;
}

static bool check_mode(trial *t, int k, const jn_onoff *mode, const jn_implicit *f)
{
    fmpq_mat_t expected, found;
    jn_mode got;
    jn_mode_init(&got);
    jn_implicit_mode(&got, f, mode);
    bool regular = oracle_space(expected, &t->oracle[k], t->model, t->numeric, mode);
    bool good = true;
    if (got.status == JN_MODE_SINGULAR) {
        singular_modes++;
        good = !regular || trial_fails(t, k, "it is not singular: %s", got.reason);
    } else if (regular) {
        fed_modes++;
        good = library_space(found, t, &got) && fmpq_mat_equal(expected, found);
        good = good || trial_fails(t, k, "the equations are others");
        fmpq_mat_clear(found);
    } else {
        other_modes++;
    }
    fmpq_mat_clear(expected);
    jn_mode_clear(&got);
    return good;
}

static bool check_alone(trial *t, int k, const jn_onoff *mode)
{
    jn_junction *j = NULL;
    jn_implicit *f = NULL;
    bool good = jn_junction_build_mode(&j, t->graph, t->numeric, mode, t->diags) == JN_OK &&
                jn_implicit_derive(&f, j, t->diags) == JN_OK;
    good = good ? check_mode(t, k, mode, f) : trial_fails(t, k, "alone it is refused");
    jn_implicit_free(f);
    jn_junction_free(j);
    return good;
}

static bool check_modes(trial *t)
{
    bool good = true;
    bound_models += t->implicit->binds;
    for (int k = 0; k < t->nmodes && good; k++) {
        jn_onoff mode[TRIAL_SWITCHES];
        trial_mode(mode, t, k);
        if (!t->oracle[k].forbidden)
            good = check_mode(t, k, mode, t->implicit) && (k % 3 || check_alone(t, k, mode));
    }
    return good;
}

static void with_feedback(model *m, test_rng *r, int index)
{
    model_random_of(m, r, index);
    model_add_feedback(m, r);
}

static bool check_equation(trial *t, test_rng *r)
{
    (void)r;
    return trial_derive(t) && check_modes(t);
}

static void against_oracle(bool numeric, const char *test, uint64_t stream, int usual)
{
    trial_each(&(trial_plan){test, numeric, stream, usual, with_feedback, check_equation, &tally});
}

static void symbols_agree_with_the_oracle(void)
{
    against_oracle(false, "feedback, symbolic", 14000000, 600);
}

static void numbers_agree_with_the_oracle(void)
{
    against_oracle(true, "feedback, numeric", 15000000, 1000);
}

static int finish(void)
{
    trial_tally_print("feedback", &tally);
    printf("  %d modes with feedback compared, %d singular, %d that only the library solves; in %d "
           "models it binds storages\n",
           fed_modes, singular_modes, other_modes, bound_models);
    return 0;
}

void suite_feedback_random(void)
{
    CU_pSuite suite_ = CU_add_suite("feedback_random", NULL, finish);
    TEST_ADD(symbols_agree_with_the_oracle);
    TEST_ADD(numbers_agree_with_the_oracle);
}
