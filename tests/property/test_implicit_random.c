/* test_implicit_random.c: E, A, B of random models in every mode, against the oracle, which has
 * them from all equations of the mode and knows no S, H or K. */
#include "trial.h"

static trial_tally tally;

/* ---- one mode ------------------------------------------------------------------------------ */

static bool check_matrix(trial *t, int k, const char *name, const jn_ratfun *got,
                         const fmpq_mat_t expected)
{
    slong ncols = fmpq_mat_ncols(expected);
    for (slong i = 0; i < fmpq_mat_nrows(expected); i++)
        for (slong j = 0; j < ncols; j++)
            if (!trial_is(t, got[i * ncols + j], fmpq_mat_entry(expected, i, j)))
                return trial_fails(t, k, "%s[%ld, %ld]", name, (long)i + 1, (long)j + 1);
    return true;
}

static void put_rows(fmpq_mat_t to, slong first, const fmpq_mat_t from)
{
    for (slong i = 0; i < fmpq_mat_nrows(from); i++)
        for (slong j = 0; j < fmpq_mat_ncols(from); j++)
            fmpq_set(fmpq_mat_entry(to, i, first + j), fmpq_mat_entry(from, i, j));
}

static bool read_matrix(fmpq_mat_t to, trial *t, const jn_ratfun *v)
{
    bool finite = true;
    for (slong i = 0; i < fmpq_mat_nrows(to); i++)
        for (slong j = 0; j < fmpq_mat_ncols(to); j++)
            finite &= trial_number_of(fmpq_mat_entry(to, i, j), t, v[i * fmpq_mat_ncols(to) + j]);
    return finite;
}

/* With fields the same equations can be written in several ways: those that follow from one form
 * follow from the other. */
static bool check_space(trial *t, int k, const jn_mode *got, fmpq_mat_t E, fmpq_mat_t A,
                        fmpq_mat_t B)
{
    slong n = fmpq_mat_nrows(E), m = fmpq_mat_ncols(B);
    fmpq_mat_t expected, found, E1, A1, B1;
    fmpq_mat_init(expected, n, 2 * n + m);
    fmpq_mat_init(found, n, 2 * n + m);
    fmpq_mat_init_set(E1, E);
    fmpq_mat_init_set(A1, A);
    fmpq_mat_init_set(B1, B);
    put_rows(expected, 0, E);
    put_rows(expected, n, A);
    put_rows(expected, 2 * n, B);
    bool finite =
        read_matrix(E1, t, got->E) && read_matrix(A1, t, got->A) && read_matrix(B1, t, got->B);
    put_rows(found, 0, E1);
    put_rows(found, n, A1);
    put_rows(found, 2 * n, B1);
    slong rank = fmpq_mat_rref(expected, expected);
    bool same = finite && rank == n && fmpq_mat_rref(found, found) == n &&
                fmpq_mat_equal(expected, found) && fmpq_mat_equal(E, E1);
    fmpq_mat_clear(expected);
    fmpq_mat_clear(found);
    fmpq_mat_clear(E1);
    fmpq_mat_clear(A1);
    fmpq_mat_clear(B1);
    return same || trial_fails(t, k, "the equations are others");
}

static bool check_causality(trial *t, int k, const jn_mode *got)
{
    for (int i = 0; i < t->graph->nstorages; i++)
        if (got->integral[i] != oracle_as_wished(&t->oracle[k], t->model, t->graph->storage[i]))
            return trial_fails(t, k, "the causality of storage %d", i + 1);
    for (int i = 0; i < t->graph->nresistors; i++)
        if (got->resistance[i] != oracle_as_wished(&t->oracle[k], t->model, t->graph->resistor[i]))
            return trial_fails(t, k, "the causality of resistor %d", i + 1);
    return true;
}

/* ---- the single equation, put into one mode ------------------------------------------------ */

/* Which storage's row and column a variable is in this mode; −1: it is not active. */
static int place_of(const trial *t, int k, const jn_variable *v)
{
    bool integral = oracle_as_wished(&t->oracle[k], t->model, v->element);
    return integral == (v->form == JN_STATE) ? t->graph->element[v->element].number : -1;
}

static jn_ratfun entry_at(const trial *t, const jn_matrix *m, int i, int j, const jn_onoff *mode)
{
    const jn_guarded *v = jn_matrix_get(m, i, j);
    return v ? jn_guarded_at(v, mode, t->junction->ring) : JN_RATFUN_ZERO;
}

/* The active rows and columns are the mode's matrix, the others zero. */
static bool check_guarded(trial *t, int k, const char *name, const jn_matrix *m,
                          const jn_ratfun *of_mode, bool inputs, const jn_onoff *mode)
{
    const jn_implicit *f = t->implicit;
    int ncols = inputs ? t->graph->nsources : t->graph->nstorages;
    for (int i = 0; i < f->n; i++)
        for (int j = 0; j < m->ncols; j++) {
            int row = place_of(t, k, &f->x[i]), col = inputs ? j : place_of(t, k, &f->x[j]);
            jn_ratfun expected = row >= 0 && col >= 0 ? of_mode[row * ncols + col] : JN_RATFUN_ZERO;
            if (!jn_ratfun_equal(entry_at(t, m, i, j, mode), expected))
                return trial_fails(t, k, "%s(λ)[%d, %d]", name, i + 1, j + 1);
        }
    return true;
}

static bool check_ok(trial *t, int k, const jn_mode *got, const jn_onoff *mode, fmpq_mat_t E,
                     fmpq_mat_t A, fmpq_mat_t B)
{
    bool same = t->model->nlinks
                    ? check_space(t, k, got, E, A, B)
                    : check_matrix(t, k, "E", got->E, E) && check_matrix(t, k, "A", got->A, A) &&
                          check_matrix(t, k, "B", got->B, B);
    return same && check_causality(t, k, got) &&
           check_guarded(t, k, "E", &t->implicit->E, got->E, false, mode) &&
           check_guarded(t, k, "A", &t->implicit->A, got->A, false, mode) &&
           check_guarded(t, k, "B", &t->implicit->B, got->B, true, mode);
}

/* ---- all modes ----------------------------------------------------------------------------- */

static bool check_allowed(trial *t, int k, const jn_mode *got, const jn_onoff *mode)
{
    fmpq_mat_t E, A, B;
    bool regular = oracle_equations(E, A, B, &t->oracle[k], t->model, t->numeric, mode), good;
    jn_mode_status expected = regular ? JN_MODE_OK : JN_MODE_SINGULAR;
    tally.singular += !regular;
    if (got->status != expected ||
        jn_guard_at(t->junction->ring.guards, t->implicit->singular, mode) == regular)
        good = trial_fails(t, k, "it is %s", jn_mode_status_name(expected));
    else if ((got->reason == NULL) != regular)
        good = trial_fails(t, k, "the reason is %s", got->reason ? got->reason : "missing");
    else
        good = !regular || check_ok(t, k, got, mode, E, A, B);
    fmpq_mat_clear(E);
    fmpq_mat_clear(A);
    fmpq_mat_clear(B);
    return good;
}

static bool check_modes(trial *t)
{
    jn_mode got;
    bool good = true;
    jn_mode_init(&got);
    for (int k = 0; k < t->nmodes && good; k++) {
        jn_onoff mode[TRIAL_SWITCHES];
        trial_mode(mode, t, k);
        jn_implicit_mode(&got, t->implicit, mode);
        if (!t->oracle[k].forbidden)
            good = check_allowed(t, k, &got, mode);
        else if (got.status != JN_MODE_FORBIDDEN || !got.reason)
            good = trial_fails(t, k, "it is forbidden");
    }
    jn_mode_clear(&got);
    return good;
}

static bool same_values(const jn_ratfun *a, const jn_ratfun *b, int n)
{
    bool same = true;
    for (int i = 0; i < n && same; i++)
        same = jn_ratfun_equal(a[i], b[i]);
    return same;
}

/* The equation of one mode alone is that mode of the equation of all. */
static bool check_one(trial *t)
{
    int k = t->index % t->nmodes;
    jn_onoff mode[TRIAL_SWITCHES];
    jn_implicit *alone;
    jn_mode of_all, of_one;
    trial_mode(mode, t, k);
    jn_guard where = jn_guard_mode(t->junction->ring.guards, mode);
    if (jn_implicit_derive_where(&alone, t->junction, where, t->diags) != JN_OK)
        return trial_fails(t, k, "alone it is refused");
    jn_mode_init(&of_all);
    jn_mode_init(&of_one);
    jn_implicit_mode(&of_all, t->implicit, mode);
    jn_implicit_mode(&of_one, alone, mode);
    int n = of_all.n;
    bool good = of_one.status == of_all.status && same_values(of_one.E, of_all.E, n * n) &&
                same_values(of_one.A, of_all.A, n * n) &&
                same_values(of_one.B, of_all.B, n * of_all.ninputs);
    jn_mode_clear(&of_all);
    jn_mode_clear(&of_one);
    jn_implicit_free(alone);
    return good || trial_fails(t, k, "alone it is another");
}

static bool check_equation(trial *t, test_rng *r)
{
    (void)r;
    return trial_derive(t) && check_modes(t) && check_one(t);
}

static void against_oracle(bool numeric, const char *test, uint64_t stream, int usual)
{
    trial_each(&(trial_plan){test, numeric, stream, usual, NULL, check_equation, &tally});
}

static void symbols_agree_with_the_oracle(void)
{
    against_oracle(false, "implicit, symbolic", 4000000, 1000);
}

static void numbers_agree_with_the_oracle(void)
{
    against_oracle(true, "implicit, numeric", 5000000, 1500);
}

static int finish(void)
{
    trial_tally_print("implicit equation", &tally);
    return 0;
}

void suite_implicit_random(void)
{
    CU_pSuite suite_ = CU_add_suite("implicit_random", NULL, finish);
    TEST_ADD(symbols_agree_with_the_oracle);
    TEST_ADD(numbers_agree_with_the_oracle);
}
