/* test_solved_random.c: the junction structure of single modes of random models, against the form
 * of all modes put into that mode, and against the oracle. */
#include "trial.h"

static trial_tally tally;

typedef struct {
    trial *t;
    int k; /* the mode */
    const jn_solved *m;
    jn_onoff mode[TRIAL_SWITCHES];
} look;

static int port_of_column(const look *l, int col)
{
    const oracle *o = &l->t->oracle[l->k];
    for (int p = 0; p < o->nports; p++)
        if (l->m->port_effort[o->port[p]] == col || l->m->port_flow[o->port[p]] == col)
            return p;
    return -1;
}

static int input_column(const look *l, int port)
{
    int element = l->t->oracle[l->k].port[port];
    return l->m->gives_effort[element] ? l->m->port_flow[element] : l->m->port_effort[element];
}

/* ---- causality ----------------------------------------------------------------------------- */

static bool guard_says_effort(const trial *t, int element, const jn_onoff *mode)
{
    const jn_junction *j = t->junction;
    const jn_element *x = &t->graph->element[element];
    jn_guard g = jn_kind_is_source(x->kind)    ? j->imposed[x->number]
                 : jn_kind_is_storage(x->kind) ? j->integral[x->number]
                                               : j->resistance[x->number];
    bool wished = jn_guard_at(j->ring.guards, g, mode);
    return (x->kind == JN_SF || x->kind == JN_I) == wished;
}

static bool check_causality(const look *l)
{
    const oracle *o = &l->t->oracle[l->k];
    if (l->m->forbidden != o->forbidden)
        return trial_fails(l->t, l->k, "single: it is %s", o->forbidden ? "forbidden" : "allowed");
    for (int p = 0; p < o->nports; p++) {
        bool effort = l->m->gives_effort[o->port[p]];
        if (effort != o->effort_out[p] || effort != guard_says_effort(l->t, o->port[p], l->mode))
            return trial_fails(l->t, l->k, "single: the output of %s",
                               l->t->model->element[o->port[p]].name);
    }
    return true;
}

/* ---- S ------------------------------------------------------------------------------------- */

/* What the form of all modes says in this one. */
static jn_ratfun guarded_entry(const look *l, int row, int col)
{
    const jn_junction *j = l->t->junction;
    for (int a = 0; a < j->nrows; a++)
        for (int b = 0; b < j->ncols; b++) {
            const jn_guarded *v = jn_matrix_get(&j->S, a, b);
            if (j->row[a].element != row || j->col[b].element != col || !v)
                continue;
            jn_ratfun value = jn_guarded_at(v, l->mode, j->ring);
            if (!jn_ratfun_is_zero(value))
                return value;
        }
    return JN_RATFUN_ZERO;
}

static jn_ratfun term_of(const look *l, const jn_step *s, int port)
{
    for (int i = s->first; i < s->end; i++)
        if (port_of_column(l, l->m->term[i].col) == port)
            return l->m->term[i].c;
    return JN_RATFUN_ZERO;
}

/* The step of a port has inputs only, and they are those of the oracle. */
static bool check_row(const look *l, const jn_step *s, int p)
{
    trial *t = l->t;
    const oracle *o = &t->oracle[l->k];
    for (int i = s->first; i < s->end; i++) {
        int q = port_of_column(l, l->m->term[i].col);
        if (q < 0 || (l->m->term[i].col == l->m->port_effort[o->port[q]]) == o->effort_out[q])
            return trial_fails(t, l->k, "single: a term of %s is no input",
                               t->model->element[o->port[p]].name);
    }
    for (int q = 0; q < o->nports; q++) {
        jn_ratfun c = term_of(l, s, q);
        if (!trial_is(t, c, fmpq_mat_entry(o->S, p, q)))
            return trial_fails(t, l->k, "single: S of %s and %s",
                               t->model->element[o->port[p]].name,
                               t->model->element[o->port[q]].name);
        bool passive = !model_is_source(t->model, o->port[p]);
        if (passive && !o->forbidden && !t->numeric &&
            !jn_ratfun_equal(c, guarded_entry(l, o->port[p], o->port[q])))
            return trial_fails(t, l->k, "single: S of %s and %s is not as with guards",
                               t->model->element[o->port[p]].name,
                               t->model->element[o->port[q]].name);
    }
    return true;
}

static bool check_S(const look *l)
{
    int nports = l->t->oracle[l->k].nports;
    for (int i = 0; i < nports; i++) {
        const jn_step *s = &l->m->step[i];
        int p = port_of_column(l, s->col);
        if (p < 0)
            return trial_fails(l->t, l->k, "single: step %d is no port", i);
        if (!check_row(l, s, p))
            return false;
    }
    return true;
}

/* ---- bonds --------------------------------------------------------------------------------- */

/* Every column is an input, free, or given by one step, and steps refer to what is known. */
static bool check_order(const look *l)
{
    const jn_solved *m = l->m;
    const oracle *o = &l->t->oracle[l->k];
    bool *known = jn_alloc((size_t)m->ncols), good = true;
    memcpy(known, m->is_free, (size_t)m->ncols);
    for (int p = 0; p < o->nports; p++)
        known[input_column(l, p)] = true;
    for (int i = 0; i < m->nsteps && good; i++) {
        for (int k = m->step[i].first; k < m->step[i].end; k++)
            good = good && known[m->term[k].col];
        good = good && !known[m->step[i].col];
        known[m->step[i].col] = true;
    }
    for (int c = 0; c < m->ncols; c++)
        good = good && known[c];
    free(known);
    return good || trial_fails(l->t, l->k, "single: the steps are not in order");
}

/* The laws of the mode hold for what the steps say: the efforts and flows of the bonds put into
 * the oracle's own equations, for every port's input set to one in turn. */
static void follow(jn_ratfun *x, const look *l, int input)
{
    const jn_solved *m = l->m;
    jn_field *k = l->t->graph->field;
    for (int c = 0; c < m->ncols; c++)
        x[c] = c == input ? JN_RATFUN_ONE : JN_RATFUN_ZERO;
    for (int i = 0; i < m->nsteps; i++) {
        jn_ratfun sum = JN_RATFUN_ZERO;
        for (int t = m->step[i].first; t < m->step[i].end; t++)
            sum = jn_ratfun_add(k, sum, jn_ratfun_mul(k, m->term[t].c, x[m->term[t].col]));
        x[m->step[i].col] = sum;
    }
}

static bool law_holds(const look *l, const tableau *laws, int row, const jn_ratfun *x)
{
    const jn_graph *g = l->t->graph;
    const oracle *o = &l->t->oracle[l->k];
    fmpq_t sum, v;
    fmpq_init(sum);
    fmpq_init(v);
    bool finite = true;
    for (int b = 0; b < g->nbonds; b++)
        for (int flow = 0; flow < 2 && finite; flow++) {
            finite = trial_number_of(v, l->t, x[2 * b + flow]);
            if (flow && l->m->flow_sign[b] < 0)
                fmpq_neg(v, v);
            fmpq_addmul(sum, v, fmpq_mat_entry(laws->a, row, oracle_bond_col(b, flow)));
        }
    for (int p = 0; p < o->nports; p++)
        for (int flow = 0; flow < 2 && finite; flow++) {
            const int *col = flow ? l->m->port_flow : l->m->port_effort;
            finite = trial_number_of(v, l->t, x[col[o->port[p]]]);
            fmpq_addmul(sum, v,
                        fmpq_mat_entry(laws->a, row, oracle_port_col(l->t->model, p, flow)));
        }
    bool holds = finite && fmpq_is_zero(sum);
    fmpq_clear(sum);
    fmpq_clear(v);
    return holds;
}

static bool check_laws(const look *l)
{
    const jn_solved *m = l->m;
    const oracle *o = &l->t->oracle[l->k];
    jn_ratfun *x = jn_alloc((size_t)m->ncols * sizeof *x);
    tableau laws;
    bool good = true;
    tableau_init(&laws, oracle_law_count(l->t->model), oracle_port_col(l->t->model, o->nports, 0));
    oracle_laws(&laws, l->t->model, l->t->numeric, l->mode);
    for (int c = 0; c < m->ncols && good; c++) {
        int p = port_of_column(l, c);
        bool input = p >= 0 && c == input_column(l, p);
        if (!input && !m->is_free[c])
            continue;
        follow(x, l, c);
        for (int row = 0; row < laws.nrows && good; row++)
            good = law_holds(l, &laws, row, x);
    }
    tableau_clear(&laws);
    free(x);
    return good || trial_fails(l->t, l->k, "single: a law does not hold");
}

/* A bond is undetermined when it depends on a column that is free. */
static bool check_free(const look *l)
{
    const jn_solved *m = l->m;
    const oracle *o = &l->t->oracle[l->k];
    int n = l->t->graph->nbonds;
    bool *depends = jn_alloc((size_t)n), good = true;
    jn_ratfun *x = jn_alloc((size_t)m->ncols * sizeof *x);
    for (int c = 0; c < m->ncols; c++) {
        if (!m->is_free[c])
            continue;
        follow(x, l, c);
        for (int b = 0; b < n; b++)
            depends[b] |= !jn_ratfun_is_zero(x[2 * b]) || !jn_ratfun_is_zero(x[2 * b + 1]);
    }
    for (int b = 0; b < n && good; b++)
        good = depends[b] == o->undetermined[b];
    free(x);
    free(depends);
    return good || trial_fails(l->t, l->k, "single: a bond is undetermined or is not");
}

/* ---- reasons ------------------------------------------------------------------------------- */

static bool check_reason(const look *l)
{
    const jn_reason *theirs = jn_junction_reason(l->t->junction, l->mode);
    const jn_reason *mine = l->m->nreasons ? &l->m->reason[0] : NULL;
    if (!theirs || !mine)
        return theirs == mine || trial_fails(l->t, l->k, "single: a reason more or less");
    bool same = mine->source == theirs->source && mine->nterms == theirs->nterms;
    for (int i = 0; same && i < mine->nterms; i++)
        same = mine->term[i].source == theirs->term[i].source &&
               jn_ratfun_equal(mine->term[i].coefficient, theirs->term[i].coefficient);
    return same || trial_fails(l->t, l->k, "single: another reason");
}

/* ---- tests --------------------------------------------------------------------------------- */

static bool check_mode(trial *t, jn_solver *s, int k)
{
    look l = {.t = t, .k = k};
    jn_solved *m;
    trial_mode(l.mode, t, k);
    if (jn_solver_mode(&m, s, l.mode) != JN_OK)
        return trial_fails(t, k, "single: it cannot be solved");
    l.m = m;
    bool good = check_causality(&l) && check_S(&l) && check_order(&l) && check_laws(&l) &&
                check_free(&l) && check_reason(&l);
    jn_solved_free(m);
    return good;
}

/* follow: each from the last. */
static bool check_modes(trial *t, test_rng *r, bool follow)
{
    bool effort_first[MODEL_ELEMENTS] = {false}, good = true;
    const jn_graph *g = t->graph;
    jn_solver_options o = {.numeric = t->numeric, .effort_first = effort_first, .follow = follow};
    jn_solver *s;
    for (int i = 0; i < g->nresistors; i++)
        effort_first[i] = t->conductance[g->resistor[i]];
    if (jn_solver_new(&s, g, &o, t->diags) != JN_OK)
        return trial_fails(t, -1, "single: there is no solver");
    for (int k = 0; k < t->nmodes && good; k++)
        good = check_mode(t, s, k);
    for (int k = 0; k < (follow ? 16 : 4) && good; k++) /* and again, from another one */
        good = check_mode(t, s, test_rng_int(r, 0, t->nmodes - 1));
    jn_solver_free(s);
    return good;
}

/* ---- sources that follow the model --------------------------------------------------------- */

/* In conflict are only those that are not late. */
static bool check_conflict(const look *l, const bool *late)
{
    const jn_graph *g = l->t->graph;
    bool conflict = false;
    for (int i = 0; i < g->nsources; i++) {
        bool wants_effort = g->element[g->source[i]].kind == JN_SF;
        conflict |= !late[i] && l->m->gives_effort[g->source[i]] != wants_effort;
    }
    bool good = conflict == l->m->forbidden && conflict == (l->m->nreasons > 0) &&
                (!conflict || l->t->oracle[l->k].forbidden);
    return good || trial_fails(l->t, l->k, "late sources: forbidden or not");
}

/* The laws hold whatever comes first, and what is undetermined is so. */
static bool check_late(trial *t, test_rng *r, bool follow)
{
    bool late[MODEL_ELEMENTS], good = true;
    jn_solver_options o = {.numeric = t->numeric, .late = late, .follow = follow};
    jn_solver *s;
    for (int i = 0; i < t->graph->nsources; i++)
        late[i] = test_rng_chance(r, 50);
    if (jn_solver_new(&s, t->graph, &o, t->diags) != JN_OK)
        return trial_fails(t, -1, "late sources: there is no solver");
    for (int k = 0; k < t->nmodes && good; k++) {
        jn_solved *m = NULL;
        look l = {.t = t, .k = k};
        trial_mode(l.mode, t, k);
        good = jn_solver_mode(&m, s, l.mode) == JN_OK;
        l.m = m;
        good = good
                   ? check_order(&l) && check_laws(&l) && check_free(&l) && check_conflict(&l, late)
                   : trial_fails(t, k, "late sources: it cannot be solved");
        jn_solved_free(m);
    }
    jn_solver_free(s);
    return good;
}

/* ---- what came before ---------------------------------------------------------------------- */

static bool same_steps(const jn_solved *a, const jn_solved *b)
{
    bool same = a->nsteps == b->nsteps && a->nterms == b->nterms && a->ncols == b->ncols &&
                !memcmp(a->is_free, b->is_free, (size_t)a->ncols * sizeof *a->is_free);
    for (int i = 0; same && i < a->nsteps; i++)
        same = a->step[i].col == b->step[i].col && a->step[i].first == b->step[i].first &&
               a->step[i].end == b->step[i].end;
    for (int i = 0; same && i < a->nterms; i++)
        same = a->term[i].col == b->term[i].col && jn_ratfun_equal(a->term[i].c, b->term[i].c);
    return same;
}

/* A mode from the last is, to the last step, what it is by a solver that was in no other. */
static bool check_history(trial *t, test_rng *r)
{
    jn_solver_options o = {.numeric = t->numeric, .follow = true};
    jn_solver *old;
    bool good = true;
    if (jn_solver_new(&old, t->graph, &o, t->diags) != JN_OK)
        return trial_fails(t, -1, "from the last: there is no solver");
    for (int i = 0; i < 12 && good; i++) {
        jn_solver *fresh = NULL;
        jn_solved *a = NULL, *b = NULL;
        jn_onoff mode[TRIAL_SWITCHES];
        int k = test_rng_int(r, 0, t->nmodes - 1);
        trial_mode(mode, t, k);
        good = jn_solver_new(&fresh, t->graph, &o, t->diags) == JN_OK &&
               jn_solver_mode(&a, old, mode) == JN_OK && jn_solver_mode(&b, fresh, mode) == JN_OK &&
               same_steps(a, b);
        if (!good)
            trial_fails(t, k, "from the last: other steps than from none");
        jn_solved_free(a);
        jn_solved_free(b);
        jn_solver_free(fresh);
    }
    jn_solver_free(old);
    return good;
}

static bool check_steps(trial *t, test_rng *r)
{
    return check_modes(t, r, false) && check_late(t, r, false) && check_modes(t, r, true) &&
           check_late(t, r, true) && check_history(t, r);
}

static void against_both(bool numeric, const char *test, uint64_t stream, int usual)
{
    trial_each(&(trial_plan){test, numeric, stream, usual, NULL, check_steps, &tally});
}

static void symbols_agree_with_the_guards(void)
{
    against_both(false, "single modes, symbolic", 3000000, 400);
}

static void numbers_agree_with_the_guards(void)
{
    against_both(true, "single modes, numeric", 4000000, 400);
}

static int finish(void)
{
    trial_tally_print("single modes", &tally);
    return 0;
}

void suite_solved_random(void)
{
    CU_pSuite suite_ = CU_add_suite("solved_random", NULL, finish);
    TEST_ADD(symbols_agree_with_the_guards);
    TEST_ADD(numbers_agree_with_the_guards);
}
