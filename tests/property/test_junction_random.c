/* test_junction_random.c: causality, Λ(λ), S(λ) and forbidden modes of random models, put into
 * every mode, against the oracle; and what the theory says of them. */
#include "trial.h"

static trial_tally tally;

/* ---- causality ----------------------------------------------------------------------------- */

static const jn_guard *wish_guard(const trial *t, int element)
{
    const jn_element *x = &t->graph->element[element];
    if (jn_kind_is_source(x->kind))
        return &t->junction->imposed[x->number];
    if (jn_kind_is_storage(x->kind))
        return &t->junction->integral[x->number];
    return &t->junction->resistance[x->number];
}

static bool check_causality(trial *t, int k, const jn_onoff *mode)
{
    const oracle *o = &t->oracle[k];
    jn_guards *guards = t->junction->ring.guards;
    if (jn_junction_is_forbidden(t->junction, mode) != o->forbidden ||
        jn_guard_at(guards, t->junction->forbidden, mode) != o->forbidden ||
        jn_guard_at(guards, t->junction->allowed, mode) == o->forbidden)
        return trial_fails(t, k, "it is %s", o->forbidden ? "forbidden" : "allowed");
    for (int p = 0; p < o->nports; p++) {
        bool wished = oracle_as_wished(o, t->model, o->port[p]);
        if (jn_guard_at(guards, *wish_guard(t, o->port[p]), mode) != wished)
            return trial_fails(t, k, "the guard of %s is %d", t->model->element[o->port[p]].name,
                               wished);
    }
    return true;
}

static bool check_count(trial *t)
{
    int n = 0;
    fmpz_t count;
    for (int k = 0; k < t->nmodes; k++)
        n += t->oracle[k].forbidden;
    fmpz_init(count);
    jn_guard_count(count, t->junction->ring.guards, t->junction->forbidden);
    bool same = fmpz_equal_si(count, n);
    fmpz_clear(count);
    return same || trial_fails(t, -1, "%d modes are forbidden", n);
}

/* ---- Λ and S ------------------------------------------------------------------------------- */

/* The form an element has in a mode. */
static jn_form form_in(const trial *t, int k, int element)
{
    bool wished =
        t->oracle[k].port_of[element] >= 0 && oracle_as_wished(&t->oracle[k], t->model, element);
    if (model_is_source(t->model, element))
        return JN_INPUT;
    if (model_is_storage(t->model, element))
        return wished ? JN_STATE : JN_PSEUDO;
    return wished ? JN_FLOW_IN : JN_EFFORT_IN;
}

static bool active(const trial *t, int k, const jn_variable *v)
{
    return form_in(t, k, v->element) == v->form;
}

static bool check_Lambda(trial *t, int k, const jn_onoff *mode)
{
    const jn_junction *j = t->junction;
    int nactive = 0;
    for (int i = 0; i < j->nrows; i++) {
        bool on = active(t, k, &j->row[i]);
        nactive += on;
        if (jn_guard_at(j->ring.guards, j->Lambda[i], mode) != on)
            return trial_fails(t, k, "Λ of %s (%s) is %d",
                               t->model->element[j->row[i].element].name,
                               jn_form_name(j->row[i].form), on);
        if (j->col[i].element != j->row[i].element || j->col[i].form != j->row[i].form)
            return trial_fails(t, k, "column %d of S is not as row %d", i, i);
    }
    int passive = t->oracle[k].nports - t->graph->nsources;
    return nactive == passive ||
           trial_fails(t, k, "%d active rows for %d elements", nactive, passive);
}

static bool check_S(trial *t, int k, const jn_onoff *mode)
{
    const jn_junction *j = t->junction;
    const oracle *o = &t->oracle[k];
    for (int a = 0; a < j->nrows; a++)
        for (int b = 0; b < j->ncols; b++) {
            const jn_variable *row = &j->row[a], *col = &j->col[b];
            const jn_guarded *entry = jn_matrix_get(&j->S, a, b);
            jn_ratfun value = entry ? jn_guarded_at(entry, mode, j->ring) : JN_RATFUN_ZERO;
            bool on = active(t, k, row) && active(t, k, col);
            const fmpq *expected =
                fmpq_mat_entry(o->S, o->port_of[row->element], o->port_of[col->element]);
            if (on ? !trial_is(t, value, expected) : !jn_ratfun_is_zero(value))
                return trial_fails(t, k, "S of %s (%s) and %s (%s)",
                                   t->model->element[row->element].name, jn_form_name(row->form),
                                   t->model->element[col->element].name, jn_form_name(col->form));
        }
    return true;
}

/* Skew-symmetric on the passive ports; S22, S23, S32 vanish. The oracle's S: the library's is the
 * same. */
static bool check_structure_of_S(trial *t, int k)
{
    const oracle *o = &t->oracle[k];
    fmpq_t sum;
    bool good = true;
    fmpq_init(sum);
    for (int a = 0; a < o->nports && good; a++)
        for (int b = 0; b < o->nports && good; b++) {
            jn_form fa = form_in(t, k, o->port[a]), fb = form_in(t, k, o->port[b]);
            if (fa == JN_INPUT || fb == JN_INPUT)
                continue;
            fmpq_add(sum, fmpq_mat_entry(o->S, a, b), fmpq_mat_entry(o->S, b, a));
            bool vanishes =
                (fa == JN_PSEUDO && fb != JN_STATE) || (fb == JN_PSEUDO && fa != JN_STATE);
            good = fmpq_is_zero(sum) && !(vanishes && !fmpq_is_zero(fmpq_mat_entry(o->S, a, b)));
        }
    fmpq_clear(sum);
    return good || trial_fails(t, k, "S has not the structure it should have");
}

/* ---- reasons ------------------------------------------------------------------------------- */

static const struct jn_reason_term *find_term(const jn_reason *r, int source)
{
    for (int i = 0; i < r->nterms; i++)
        if (r->term[i].source == source)
            return &r->term[i];
    return NULL;
}

static bool check_reason(trial *t, int k, const jn_onoff *mode)
{
    const oracle *o = &t->oracle[k];
    const jn_reason *r = jn_junction_reason(t->junction, mode);
    if (!r)
        return trial_fails(t, k, "there is no reason");
    if (!jn_guard_at(t->junction->ring.guards, r->guard, mode))
        return trial_fails(t, k, "the reason does not hold");
    if (!model_is_source(t->model, r->source) || oracle_as_wished(o, t->model, r->source))
        return trial_fails(t, k, "%s imposes its value", t->model->element[r->source].name);
    for (int p = 0; p < o->nports; p++) {
        const struct jn_reason_term *term = find_term(r, o->port[p]);
        const fmpq *expected = fmpq_mat_entry(o->S, o->port_of[r->source], p);
        if (!trial_is(t, term ? term->coefficient : JN_RATFUN_ZERO, expected))
            return trial_fails(t, k, "why %s: the term of %s", t->model->element[r->source].name,
                               t->model->element[o->port[p]].name);
    }
    return true;
}

/* ---- over all modes ------------------------------------------------------------------------ */

/* The storages in integral causality; −1 where the mode is forbidden. */
static int merit(const trial *t, int k)
{
    return t->oracle[k].forbidden ? -1 : oracle_integral(&t->oracle[k], t->model);
}

static int ones(int k)
{
    int n = 0;
    for (; k; k >>= 1)
        n += k & 1;
    return n;
}

static bool check_reference(trial *t)
{
    int best = 0;
    jn_onoff mode[TRIAL_SWITCHES];
    for (int k = 1; k < t->nmodes; k++) {
        int more = merit(t, k) - merit(t, best);
        if (more > 0 || (more == 0 && ones(k) >= ones(best)))
            best = k;
    }
    trial_mode(mode, t, best);
    if (merit(t, best) < 0 || memcmp(mode, t->junction->reference, (size_t)t->nswitches) == 0)
        return true;
    return trial_fails(t, best, "this should be the reference mode");
}

/* The greedy choice is the best there is. */
static bool check_most_integral(trial *t, int k)
{
    return merit(t, k) == oracle_most_integral(&t->oracle[k], t->model) ||
           trial_fails(t, k, "more storages could be integral");
}

static bool check_static(trial *t)
{
    for (int x = 0; x < t->model->nelements; x++) {
        bool seen[2] = {false, false};
        if (!model_is_port(t->model, x) || model_is_source(t->model, x))
            continue;
        for (int k = 0; k < t->nmodes; k++)
            if (!t->oracle[k].forbidden)
                seen[oracle_as_wished(&t->oracle[k], t->model, x)] = true;
        if (jn_junction_is_static(t->junction, x) != !(seen[0] && seen[1]))
            return trial_fails(t, -1, "static: %s", t->model->element[x].name);
    }
    return true;
}

/* Whether two modes are both forbidden, or have the same causality and S. */
static bool same_mode(const trial *t, int k, int l)
{
    const oracle *a = &t->oracle[k], *b = &t->oracle[l];
    if (a->forbidden || b->forbidden)
        return a->forbidden == b->forbidden;
    for (int p = 0; p < a->nports; p++) {
        if (a->effort_out[p] != b->effort_out[p])
            return false;
        for (int q = 0; q < a->nports && !model_is_source(t->model, a->port[p]); q++)
            if (!fmpq_equal(fmpq_mat_entry(a->S, p, q), fmpq_mat_entry(b->S, p, q)))
                return false;
    }
    return true;
}

static bool check_idle(trial *t)
{
    bool idle[TRIAL_SWITCHES];
    jn_junction_idle_switches(idle, t->junction);
    for (int s = 0; s < t->nswitches; s++) {
        bool same = true;
        for (int k = 0; k < t->nmodes; k++)
            same &= same_mode(t, k, k ^ (1 << (t->nswitches - 1 - s)));
        int element = t->graph->sw[s];
        if (t->graph->element[element].kind == JN_BOOLEAN || model_asks(t->model, element))
            continue; /* it makes a difference to values */
        if (idle[s] != same)
            return trial_fails(t, -1, "switch %d is %sidle", s, same ? "" : "not ");
    }
    return true;
}

/* ---- tests --------------------------------------------------------------------------------- */

static bool check_mode(trial *t, int k)
{
    jn_onoff mode[TRIAL_SWITCHES];
    trial_mode(mode, t, k);
    if (!check_causality(t, k, mode))
        return false;
    if (t->oracle[k].forbidden)
        return check_reason(t, k, mode);
    if (jn_junction_reason(t->junction, mode))
        return trial_fails(t, k, "an allowed mode has a reason");
    return check_Lambda(t, k, mode) && check_S(t, k, mode) && check_structure_of_S(t, k) &&
           (k % 4 != 0 || check_most_integral(t, k));
}

static bool check_junction(trial *t)
{
    for (int k = 0; k < t->nmodes; k++)
        if (!check_mode(t, k))
            return false;
    return check_count(t) && check_reference(t) && check_static(t) && check_idle(t);
}

static bool check_structure(trial *t, test_rng *r)
{
    (void)r;
    return check_junction(t);
}

static void against_oracle(bool numeric, const char *test, uint64_t stream, int usual)
{
    trial_each(&(trial_plan){test, numeric, stream, usual, NULL, check_structure, &tally});
}

static void symbols_agree_with_the_oracle(void)
{
    against_oracle(false, "junction, symbolic", 1000000, 1500);
}

static void numbers_agree_with_the_oracle(void)
{
    against_oracle(true, "junction, numeric", 2000000, 1500);
}

static int finish(void)
{
    trial_tally_print("junction structure", &tally);
    return 0;
}

void suite_junction_random(void)
{
    CU_pSuite suite_ = CU_add_suite("junction_random", NULL, finish);
    TEST_ADD(symbols_agree_with_the_oracle);
    TEST_ADD(numbers_agree_with_the_oracle);
}
