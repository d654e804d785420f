/* analyse_impulses.c: the impulses of a jump, and what it loses, by brute force.
 *
 * For one state before and one value of the inputs: the state after solves E x⁺ = E x⁻ and the rows
 * of A x⁺ + B u = 0 that E does not have. The areas of all efforts and flows then satisfy the laws
 * of the junctions on all bonds; a momentum that jumps is the area of an I's effort, a charge that
 * of a C's flow, and the flow of the I, the effort of the C and the values of sources have none.
 * What the sources give, less what the storages gain, is lost. */
#include "analyse_subject.h"

/* Initialises dx. */
static void change_of(fmpq_mat_t dx, const fmpq_mat_t before, const fmpq_mat_t u,
                      const fmpq_mat_t E, const fmpq_mat_t A, const fmpq_mat_t B)
{
    slong n = fmpq_mat_nrows(E);
    fmpq_mat_t M, rhs, Bu;
    fmpq_mat_init(M, n, n);
    fmpq_mat_init(rhs, n, 1);
    fmpq_mat_init(Bu, n, 1);
    fmpq_mat_init(dx, n, 1);
    fmpq_mat_mul(rhs, E, before);
    fmpq_mat_mul(Bu, B, u);
    for (slong i = 0; i < n; i++) {
        bool differential = false;
        for (slong j = 0; j < n; j++)
            differential = differential || !fmpq_is_zero(fmpq_mat_entry(E, i, j));
        for (slong j = 0; j < n; j++)
            fmpq_set(fmpq_mat_entry(M, i, j), fmpq_mat_entry(differential ? E : A, i, j));
        if (!differential)
            fmpq_neg(fmpq_mat_entry(rhs, i, 0), fmpq_mat_entry(Bu, i, 0));
    }
    if (!fmpq_mat_solve(dx, M, rhs)) /* index 0 or 1 */
        abort();
    fmpq_mat_sub(dx, dx, before);
    fmpq_mat_clear(M);
    fmpq_mat_clear(rhs);
    fmpq_mat_clear(Bu);
}

/* column = value; the values stand in the last column of the laws */
static void fix(tableau *t, int col, const fmpq_t value)
{
    int row = tableau_row(t), last = (int)fmpq_mat_ncols(t->a) - 1;
    tableau_set(t, row, col, 1);
    if (value)
        tableau_set_fmpq(t, row, last, value);
}

static void element_areas(tableau *t, const subject *x, const oracle *o, const fmpq_mat_t dx)
{
    fmpq_t v;
    int storage = 0;
    fmpq_init(v);
    for (int k = 0; k < o->nports; k++) {
        int e = oracle_port_col(&x->m, k, false), f = oracle_port_col(&x->m, k, true);
        jn_kind kind = x->m.element[o->port[k]].kind;
        if (kind == JN_R) {
            int row = tableau_row(t);
            model_value(v, &x->m, o->port[k], x->numeric, x->mode);
            tableau_set(t, row, e, -1);
            tableau_set_fmpq(t, row, f, v);
            for (int i = 0; i < x->m.nlinks; i++)
                if (x->m.link[i].a == o->port[k]) {
                    model_link_value(v, &x->m, &x->m.link[i], x->numeric, x->mode);
                    tableau_set_fmpq(t, row,
                                     oracle_port_col(&x->m, o->port_of[x->m.link[i].b], true), v);
                }
        } else if (kind == JN_SE || kind == JN_SF) {
            fix(t, kind == JN_SE ? e : f, NULL);
        } else {
            fix(t, kind == JN_I ? e : f, fmpq_mat_entry(dx, storage++, 0));
            fix(t, kind == JN_I ? f : e, NULL);
        }
    }
    fmpq_clear(v);
}

/* Solves the laws and reads the areas off: known[c] where column c has one value only. False: the
 * laws contradict each other. */
static bool solve_areas(fmpq_mat_t area, bool *known, const subject *x, const oracle *o,
                        const fmpq_mat_t dx)
{
    int cols = 2 * x->m.nbonds + 2 * o->nports;
    bool good = true;
    tableau t;
    tableau_init(&t, oracle_law_count(&x->m) + 2 * o->nports, cols + 1);
    oracle_laws(&t, &x->m, x->numeric, x->mode);
    element_areas(&t, x, o, dx);
    slong rank = fmpq_mat_rref(t.a, t.a);
    for (slong i = 0; i < rank; i++) {
        int lead = 0, others = 0;
        while (fmpq_is_zero(fmpq_mat_entry(t.a, i, lead)))
            lead++;
        good = good && lead < cols;
        for (int j = lead + 1; j < cols; j++)
            others += !fmpq_is_zero(fmpq_mat_entry(t.a, i, j));
        if (lead >= 2 * x->m.nbonds || others)
            continue;
        known[lead] = true;
        fmpq_set(fmpq_mat_entry(area, lead, 0), fmpq_mat_entry(t.a, i, cols));
    }
    tableau_clear(&t);
    return good;
}

/* The area that was found, at this x⁻ and u. */
static bool area_at(fmpq_t v, const subject *x, const jn_impulse *p, const fmpq_mat_t before,
                    const fmpq_mat_t u)
{
    fmpq_t c;
    bool good = true;
    fmpq_init(c);
    fmpq_zero(v);
    for (int i = 0; i < x->graph->nstorages && good; i++) {
        good = subject_number(c, x, p->area.x[i]);
        fmpq_addmul(v, c, fmpq_mat_entry(before, i, 0));
    }
    for (int i = 0; i < x->graph->nsources && good; i++) {
        good = subject_number(c, x, p->area.u[i]);
        fmpq_addmul(v, c, fmpq_mat_entry(u, i, 0));
    }
    fmpq_clear(c);
    return good;
}

/* Takes every impulse that was found away from what it should be: nothing may be left. */
static bool compare(fmpq_mat_t area, const bool *known, const subject *x, const jn_impulses *p,
                    const fmpq_mat_t before, const fmpq_mat_t u)
{
    bool good = true;
    fmpq_t v;
    fmpq_init(v);
    for (int i = 0; i < p->n && good; i++) {
        int c = oracle_bond_col(p->impulse[i].bond, !p->impulse[i].effort);
        good = known[c] && area_at(v, x, &p->impulse[i], before, u);
        fmpq_sub(fmpq_mat_entry(area, c, 0), fmpq_mat_entry(area, c, 0), v);
    }
    fmpq_clear(v);
    return good && fmpq_mat_is_zero(area);
}

/* x = M·z of all storages. */
static void storage_matrix(fmpq_mat_t M, const subject *x)
{
    for (int i = 0; i < x->graph->nstorages; i++)
        model_value(fmpq_mat_entry(M, i, i), &x->m, x->graph->storage[i], x->numeric, x->mode);
    for (int i = 0; i < x->m.nlinks; i++) {
        const model_link *l = &x->m.link[i];
        if (model_is_storage(&x->m, l->a))
            model_link_value(
                fmpq_mat_entry(M, x->graph->element[l->a].number, x->graph->element[l->b].number),
                &x->m, l, x->numeric, x->mode);
    }
}

/* x⁻ᵀ F x⁻ − x⁺ᵀ F x⁺ = −Δxᵀ F (2 x⁻ + Δx), F = M⁻¹ */
static void released(fmpq_t r, const subject *x, const fmpq_mat_t before, const fmpq_mat_t dx)
{
    slong n = x->graph->nstorages;
    fmpq_mat_t M, y;
    fmpq_mat_init(M, n, n);
    fmpq_mat_init(y, n, 1);
    storage_matrix(M, x);
    fmpq_mat_add(y, before, before);
    fmpq_mat_add(y, y, dx);
    if (n > 0 && !fmpq_mat_solve(y, M, y))
        abort();
    fmpq_zero(r);
    for (slong i = 0; i < n; i++)
        fmpq_submul(r, fmpq_mat_entry(dx, i, 0), fmpq_mat_entry(y, i, 0));
    fmpq_mat_clear(M);
    fmpq_mat_clear(y);
}

/* Twice what is lost, from the areas and the change of the states. */
static void balance(fmpq_t lost, const subject *x, const fmpq_mat_t area, const fmpq_mat_t before,
                    const fmpq_mat_t u, const fmpq_mat_t dx)
{
    int source = 0;
    fmpq_t w;
    fmpq_init(w);
    released(lost, x, before, dx);
    for (int e = 0; e < x->m.nelements; e++) {
        if (!model_is_source(&x->m, e))
            continue;
        int b = model_port_bond(&x->m, e);
        fmpq_mul(w, fmpq_mat_entry(u, source++, 0),
                 fmpq_mat_entry(area, oracle_bond_col(b, x->m.element[e].kind == JN_SE), 0));
        fmpq_add(w, w, w);
        if (x->m.bond[b].tail == e)
            fmpq_add(lost, lost, w);
        else
            fmpq_sub(lost, lost, w);
    }
    fmpq_clear(w);
}

/* (x⁻, u)ᵀ Q (x⁻, u) */
static bool form_at(fmpq_t r, const subject *x, const jn_dense *Q, const fmpq_mat_t before,
                    const fmpq_mat_t u)
{
    int n = x->graph->nstorages;
    bool good = Q->nrows == n + x->graph->nsources;
    fmpq_t c;
    fmpq_init(c);
    fmpq_zero(r);
    for (int i = 0; i < Q->nrows; i++)
        for (int j = 0; j < Q->ncols && good; j++) {
            good = subject_number(c, x, jn_dense_get(Q, i, j));
            fmpq_mul(c, c, i < n ? fmpq_mat_entry(before, i, 0) : fmpq_mat_entry(u, i - n, 0));
            fmpq_mul(c, c, j < n ? fmpq_mat_entry(before, j, 0) : fmpq_mat_entry(u, j - n, 0));
            fmpq_add(r, r, c);
        }
    fmpq_clear(c);
    return good;
}

static bool check_loss(const subject *x, const jn_dynamics *d, const fmpq_mat_t area,
                       const fmpq_mat_t before, const fmpq_mat_t u, const fmpq_mat_t dx)
{
    fmpq_t expected, got;
    if (!d->loss_known && !x->numeric && x->m.nlinks > 0)
        return true; /* the inverse of a field in symbols may be too long to be squared */
    fmpq_init(expected);
    fmpq_init(got);
    balance(expected, x, area, before, u, dx);
    bool good = d->loss_known && form_at(got, x, &d->loss, before, u) && fmpq_equal(expected, got);
    fmpq_clear(expected);
    fmpq_clear(got);
    return good;
}

static void random_vector(fmpq_mat_t v, int n, test_rng *r)
{
    fmpq_mat_init(v, n, 1);
    for (int i = 0; i < n; i++)
        fmpq_set_si(fmpq_mat_entry(v, i, 0), test_rng_int(r, -1000, 1000), 1);
}

bool check_impulses(const subject *x, const oracle *o, const jn_mode_analysis *m,
                    const fmpq_mat_t E, const fmpq_mat_t A, const fmpq_mat_t B)
{
    test_rng r = test_rng_new(9800000 + (uint64_t)x->index);
    bool known[2 * MODEL_BONDS] = {false};
    fmpq_mat_t before, u, dx, area;
    if (!m->impulses.known)
        return subject_fails(x, "no impulses");
    random_vector(before, x->graph->nstorages, &r);
    random_vector(u, x->graph->nsources, &r);
    change_of(dx, before, u, E, A, B);
    fmpq_mat_init(area, 2 * x->m.nbonds, 1);
    const char *wrong = NULL;
    if (!solve_areas(area, known, x, o, dx))
        wrong = "the laws of the impulses contradict each other";
    else if (!check_loss(x, jn_mode_dynamics(m), area, before, u, dx))
        wrong = "the energy lost";
    else if (!compare(area, known, x, &m->impulses, before, u))
        wrong = "the impulses";
    fmpq_mat_clear(before);
    fmpq_mat_clear(u);
    fmpq_mat_clear(dx);
    fmpq_mat_clear(area);
    return !wrong || subject_fails(x, wrong);
}
