/* oracle_laws.c: the laws of one mode as linear equations, and solving them. */
#include "oracle.h"

/* ---- tableau ------------------------------------------------------------------------------- */

void tableau_init(tableau *t, int max_rows, int ncols)
{
    fmpq_mat_init(t->a, max_rows, ncols);
    t->nrows = 0;
    t->pivot = jn_alloc((size_t)max_rows * sizeof *t->pivot + 1);
}

void tableau_clear(tableau *t)
{
    fmpq_mat_clear(t->a);
    free(t->pivot);
}

int tableau_row(tableau *t)
{
    if (t->nrows == fmpq_mat_nrows(t->a))
        abort();
    t->pivot[t->nrows] = -1;
    return t->nrows++;
}

void tableau_set(tableau *t, int row, int col, slong c)
{
    fmpq_set_si(fmpq_mat_entry(t->a, row, col), c, 1);
}

void tableau_set_fmpq(tableau *t, int row, int col, const fmpq_t c)
{
    fmpq_set(fmpq_mat_entry(t->a, row, col), c);
}

/* Row i minus a multiple of row p, such that column col of row i vanishes. */
static void clear_column(tableau *t, int i, int p, int col)
{
    fmpq_t c;
    if (fmpq_is_zero(fmpq_mat_entry(t->a, i, col)))
        return;
    fmpq_init(c);
    fmpq_set(c, fmpq_mat_entry(t->a, i, col));
    for (slong j = 0; j < fmpq_mat_ncols(t->a); j++)
        if (!fmpq_is_zero(fmpq_mat_entry(t->a, p, j)))
            fmpq_submul(fmpq_mat_entry(t->a, i, j), c, fmpq_mat_entry(t->a, p, j));
    fmpq_clear(c);
}

static void make_monic(tableau *t, int row, int col)
{
    fmpq_t c;
    fmpq_init(c);
    fmpq_inv(c, fmpq_mat_entry(t->a, row, col));
    for (slong j = 0; j < fmpq_mat_ncols(t->a); j++)
        if (!fmpq_is_zero(fmpq_mat_entry(t->a, row, j)))
            fmpq_mul(fmpq_mat_entry(t->a, row, j), fmpq_mat_entry(t->a, row, j), c);
    fmpq_clear(c);
}

int tableau_solve(tableau *t, int col)
{
    int p = 0;
    while (p < t->nrows && (t->pivot[p] >= 0 || fmpq_is_zero(fmpq_mat_entry(t->a, p, col))))
        p++;
    if (p == t->nrows)
        return -1;
    make_monic(t, p, col);
    for (int i = 0; i < t->nrows; i++)
        if (i != p)
            clear_column(t, i, p, col);
    t->pivot[p] = col;
    return p;
}

/* ---- laws ---------------------------------------------------------------------------------- */

int oracle_bond_col(int bond, bool flow)
{
    return 2 * bond + flow;
}

int oracle_port_col(const model *m, int port, bool flow)
{
    return 2 * m->nbonds + 2 * port + flow;
}

int oracle_law_count(const model *m)
{
    /* every end of a bond brings one, at a junction, TF or GY; the ports two */
    return 2 * m->nbonds + model_count(m, model_is_port);
}

/* The other end of a bond is a source that an OFF junction of this kind lets go. */
static bool lets_go(const model *m, int bond, int junction)
{
    int other = m->bond[bond].tail == junction ? m->bond[bond].head : m->bond[bond].tail;
    jn_kind source = m->element[junction].kind == JN_X0 ? JN_SE : JN_SF;
    return m->element[other].detachable && m->element[other].kind == source;
}

/* Along a junction one variable is common (e of a 0, f of a 1), the other adds up to zero. */
static void junction_on(tableau *t, const model *m, int x, bool common)
{
    int first = -1, sum = -1;
    for (int b = 0; b < m->nbonds; b++) {
        if (m->bond[b].tail != x && m->bond[b].head != x)
            continue;
        if (first < 0) {
            first = b;
            sum = tableau_row(t);
        } else {
            int row = tableau_row(t);
            tableau_set(t, row, oracle_bond_col(b, common), 1);
            tableau_set(t, row, oracle_bond_col(first, common), -1);
        }
        tableau_set(t, sum, oracle_bond_col(b, !common), m->bond[b].head == x ? 1 : -1);
    }
}

static void junction_off(tableau *t, const model *m, int x, bool common)
{
    for (int b = 0; b < m->nbonds; b++)
        if (m->bond[b].tail == x || m->bond[b].head == x)
            tableau_set(t, tableau_row(t), oracle_bond_col(b, common != lets_go(m, b, x)), 1);
}

/* y = v·x */
static void proportional(tableau *t, int y, const fmpq_t v, int x)
{
    int row = tableau_row(t);
    tableau_set_fmpq(t, row, x, v);
    fmpq_neg(fmpq_mat_entry(t->a, row, x), v);
    tableau_set(t, row, y, 1);
}

static void two_port(tableau *t, const model *m, int x, bool numeric, const jn_onoff *mode)
{
    fmpq_t v;
    int in = -1, out = -1;
    for (int b = 0; b < m->nbonds; b++) {
        if (m->bond[b].head == x)
            in = b;
        if (m->bond[b].tail == x)
            out = b;
    }
    fmpq_init(v);
    model_value(v, m, x, numeric, mode);
    if (m->element[x].kind == JN_TF) {
        proportional(t, oracle_bond_col(in, false), v, oracle_bond_col(out, false));
        proportional(t, oracle_bond_col(out, true), v, oracle_bond_col(in, true));
    } else {
        proportional(t, oracle_bond_col(in, false), v, oracle_bond_col(out, true));
        proportional(t, oracle_bond_col(out, false), v, oracle_bond_col(in, true));
    }
    fmpq_clear(v);
}

bool oracle_is_shorted(const model *m, int x, bool numeric, const jn_onoff *mode)
{
    fmpq_t v;
    if (m->element[x].kind != JN_R)
        return false;
    fmpq_init(v);
    model_value(v, m, x, numeric, mode);
    bool zero = fmpq_is_zero(v);
    for (int i = 0; i < m->nlinks && zero; i++) {
        if (m->link[i].a != x && m->link[i].b != x)
            continue;
        model_link_value(v, m, &m->link[i], numeric, mode);
        zero = fmpq_is_zero(v);
    }
    fmpq_clear(v);
    return zero;
}

/* A port has the variables of its bond; I, C and R count flow as coming in. An R that is 0 leaves
 * its bond without effort and has no part in it. */
static void port_on_bond(tableau *t, const model *m, int x, int port, bool shorted)
{
    int b = model_port_bond(m, x);
    bool reversed = m->bond[b].tail == x && !model_is_source(m, x);
    if (shorted) {
        tableau_set(t, tableau_row(t), oracle_bond_col(b, false), 1);
        tableau_set(t, tableau_row(t), oracle_port_col(m, port, true), 1);
        return;
    }
    int row = tableau_row(t);
    tableau_set(t, row, oracle_port_col(m, port, false), 1);
    tableau_set(t, row, oracle_bond_col(b, false), -1);
    row = tableau_row(t);
    tableau_set(t, row, oracle_port_col(m, port, true), 1);
    tableau_set(t, row, oracle_bond_col(b, true), reversed ? 1 : -1);
}

void oracle_laws(tableau *t, const model *m, bool numeric, const jn_onoff *mode)
{
    int port = 0, sw = 0;
    for (int x = 0; x < m->nelements; x++) {
        jn_kind kind = m->element[x].kind;
        bool common = kind == JN_1 || kind == JN_X1; /* its flow */
        if (kind == JN_TF || kind == JN_GY)
            two_port(t, m, x, numeric, mode);
        else if (model_is_port(m, x))
            port_on_bond(t, m, x, port++, oracle_is_shorted(m, x, numeric, mode));
        else if (kind == JN_BOOLEAN)
            sw++;
        else if (model_is_switch(m, x) && !mode[sw++])
            junction_off(t, m, x, common);
        else
            junction_on(t, m, x, common);
    }
}
