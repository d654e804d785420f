/* oracle_equations.c: E, A, B of one mode from all its equations.
 *
 * To the laws of the junction structure come those of the elements: ẋ = e and f = x/I for an I,
 * ẋ = f and e = x/C for a C, e = R f, and the values of the sources. Everything but ẋ, x and u is
 * solved for. What is left is one equation per storage; solved for ẋ of the integral ones and x
 * of the others it can be written in only one way. */
#include "oracle.h"

typedef struct {
    int rate, state, input; /* first column of ẋ, x, u */
    int n, ninputs;
    int storage[MODEL_ELEMENTS], source[MODEL_ELEMENTS];
} layout;

static void lay_out(layout *y, const oracle *o, const model *m)
{
    y->n = y->ninputs = 0;
    for (int x = 0; x < m->nelements; x++) {
        if (model_is_storage(m, x))
            y->storage[y->n++] = x;
        if (model_is_source(m, x))
            y->source[y->ninputs++] = x;
    }
    y->rate = 2 * m->nbonds + 2 * o->nports;
    y->state = y->rate + y->n;
    y->input = y->state + y->n;
}

/* x = y */
static void equal(tableau *t, int x, int y)
{
    int row = tableau_row(t);
    tableau_set(t, row, x, 1);
    tableau_set(t, row, y, -1);
}

/* x = v·y */
static void times(tableau *t, int x, const fmpq_t v, int y)
{
    int row = tableau_row(t);
    tableau_set(t, row, x, -1);
    tableau_set_fmpq(t, row, y, v);
}

/* Adds what the other ports of its field contribute to a row. flow: of their flows. */
static void add_links(tableau *t, const oracle *o, const model *m, int element, bool flow,
                      bool numeric, const jn_onoff *mode)
{
    fmpq_t v;
    fmpq_init(v);
    for (int i = 0; i < m->nlinks; i++) {
        const model_link *l = &m->link[i];
        if (l->a != element)
            continue;
        model_link_value(v, m, l, numeric, mode);
        tableau_set_fmpq(t, t->nrows - 1, oracle_port_col(m, o->port_of[l->b], flow), v);
    }
    fmpq_clear(v);
}

/* x = Σ factor·(what it reads) + its own part */
static void reads(tableau *t, const layout *y, const oracle *o, const model *m, int x, int own)
{
    const model_element *e = &m->element[o->port[x]];
    int row = tableau_row(t);
    fmpq_t sum;
    fmpq_init(sum);
    for (int i = 0; i < e->nreads; i++) {
        int from = e->read[i].element, bond = model_port_bond(m, from), storage = 0;
        while (storage < y->n && y->storage[storage] != from)
            storage++;
        bool state = e->read[i].what == 'p' || e->read[i].what == 'q';
        bool flow = e->read[i].what == 'f'; /* of its bond, counted into I, C and R */
        bool turned = flow && m->bond[bond].tail == from && !model_is_source(m, from);
        int col = state ? y->state + storage : oracle_bond_col(bond, flow);
        fmpq_sub_si(sum, fmpq_mat_entry(t->a, row, col),
                    turned ? -e->read[i].factor : e->read[i].factor);
        tableau_set_fmpq(t, row, col, sum);
    }
    int self = oracle_port_col(m, x, e->kind == JN_SF);
    fmpq_add_si(sum, fmpq_mat_entry(t->a, row, self), 1);
    tableau_set_fmpq(t, row, self, sum);
    if (e->beside)
        tableau_set(t, row, own, -1);
    fmpq_clear(sum);
}

static void element_laws(tableau *t, const layout *y, const oracle *o, const model *m, bool numeric,
                         const jn_onoff *mode)
{
    fmpq_t v;
    int storage = 0, source = 0;
    fmpq_init(v);
    for (int k = 0; k < o->nports; k++) {
        int x = o->port[k];
        int e = oracle_port_col(m, k, false), f = oracle_port_col(m, k, true);
        jn_kind kind = m->element[x].kind;
        if ((kind == JN_SE || kind == JN_SF) && m->element[x].nreads) {
            reads(t, y, o, m, k, y->input + source++);
            continue;
        }
        if (kind == JN_SE || kind == JN_SF) {
            equal(t, kind == JN_SE ? e : f, y->input + source++);
            continue;
        }
        model_value(v, m, x, numeric, mode);
        if (kind == JN_R) {
            times(t, e, v, f);
            add_links(t, o, m, x, true, numeric, mode);
            continue;
        }
        equal(t, kind == JN_I ? e : f, y->rate + storage);
        times(t, y->state + storage++, v, kind == JN_I ? f : e);
        add_links(t, o, m, x, kind == JN_I, numeric, mode);
    }
    fmpq_clear(v);
}

/* Solves for everything but the states that can be chosen freely, their pseudo-states' rates and
 * the inputs; row[i] is then the equation of storage i. */
static bool solve(tableau *t, int *row, const layout *y, const oracle *o, const model *m)
{
    for (int c = 0; c < 2 * m->nbonds; c++)
        tableau_solve(t, c); /* around a redundant loop not all of them are determined */
    for (int c = 2 * m->nbonds; c < y->rate; c++)
        if (tableau_solve(t, c) < 0)
            return false;
    for (int i = 0; i < y->n; i++) {
        bool integral = oracle_as_wished(o, m, y->storage[i]);
        row[i] = tableau_solve(t, (integral ? y->rate : y->state) + i);
        if (row[i] < 0)
            return false;
    }
    return true;
}

/* Row i as it is written: ẋ + … = … of an integral storage; 0 = … − x/v of another. */
static void write_row(fmpq_mat_t E, fmpq_mat_t A, fmpq_mat_t B, int i, const tableau *t, int row,
                      const layout *y, const fmpq_t scale)
{
    for (int j = 0; j < y->n; j++) {
        fmpq_mul(fmpq_mat_entry(E, i, j), fmpq_mat_entry(t->a, row, y->rate + j), scale);
        fmpq_mul(fmpq_mat_entry(A, i, j), fmpq_mat_entry(t->a, row, y->state + j), scale);
        fmpq_neg(fmpq_mat_entry(A, i, j), fmpq_mat_entry(A, i, j));
    }
    for (int j = 0; j < y->ninputs; j++) {
        fmpq_mul(fmpq_mat_entry(B, i, j), fmpq_mat_entry(t->a, row, y->input + j), scale);
        fmpq_neg(fmpq_mat_entry(B, i, j), fmpq_mat_entry(B, i, j));
    }
}

bool oracle_equations(fmpq_mat_t E, fmpq_mat_t A, fmpq_mat_t B, const oracle *o, const model *m,
                      bool numeric, const jn_onoff *mode)
{
    tableau t;
    layout y;
    int row[MODEL_ELEMENTS];
    fmpq_t scale;
    lay_out(&y, o, m);
    fmpq_mat_init(E, y.n, y.n);
    fmpq_mat_init(A, y.n, y.n);
    fmpq_mat_init(B, y.n, y.ninputs);
    fmpq_init(scale);
    tableau_init(&t, oracle_law_count(m) + o->nports + y.n, y.input + y.ninputs);
    oracle_laws(&t, m, numeric, mode);
    element_laws(&t, &y, o, m, numeric, mode);
    bool solved = solve(&t, row, &y, o, m);
    for (int i = 0; i < y.n && solved; i++) {
        fmpq_one(scale);
        if (!oracle_as_wished(o, m, y.storage[i])) {
            model_value(scale, m, y.storage[i], numeric, mode);
            fmpq_inv(scale, scale);
        }
        write_row(E, A, B, i, &t, row[i], &y, scale);
    }
    tableau_clear(&t);
    fmpq_clear(scale);
    return solved;
}

bool oracle_space(fmpq_mat_t space, const oracle *o, const model *m, bool numeric,
                  const jn_onoff *mode)
{
    tableau t;
    layout y;
    int row[MODEL_ELEMENTS];
    lay_out(&y, o, m);
    fmpq_mat_init(space, y.n, 2 * y.n + y.ninputs);
    tableau_init(&t, oracle_law_count(m) + o->nports + y.n, y.input + y.ninputs);
    oracle_laws(&t, m, numeric, mode);
    element_laws(&t, &y, o, m, numeric, mode);
    bool regular = solve(&t, row, &y, o, m);
    for (int i = 0; i < y.n && regular; i++)
        for (int c = 0; c < 2 * y.n + y.ninputs; c++)
            fmpq_set(fmpq_mat_entry(space, i, c), fmpq_mat_entry(t.a, row[i], y.rate + c));
    fmpq_mat_rref(space, space);
    tableau_clear(&t);
    return regular;
}
