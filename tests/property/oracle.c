/* oracle.c: the causality of one mode.
 *
 * The laws are solved for the variables of the bonds; what is left are the equations between the
 * variables of the ports. Those are solved for one variable of every port: sources first, then
 * storages, then resistors, each for the variable it wishes if that is still possible. */
#include "oracle.h"

/* ---- the relation between the ports' variables --------------------------------------------- */

/* Marks the bonds with a variable that is free, or that depends on one that is. */
static void find_undetermined(oracle *o, const model *m, const tableau *t, const bool *is_free)
{
    for (int c = 0; c < 2 * m->nbonds; c++)
        o->undetermined[c / 2] |= is_free[c];
    for (int i = 0; i < t->nrows; i++) {
        int solved = t->pivot[i];
        if (solved < 0)
            continue;
        for (int c = 0; c < 2 * m->nbonds; c++)
            if (is_free[c] && !fmpq_is_zero(fmpq_mat_entry(t->a, i, c)))
                o->undetermined[solved / 2] = true;
    }
}

/* A basis of the rows that are left when the bonds are solved for: as many as there are ports,
 * because the laws conserve power. */
static void take_relation(oracle *o, const model *m, tableau *t)
{
    int n = 0, first = 2 * m->nbonds;
    for (int col = 0; col < 2 * o->nports; col++) {
        int row = tableau_solve(t, first + col);
        if (row < 0)
            continue;
        if (n == o->nports)
            abort();
        for (int c = 0; c < 2 * o->nports; c++)
            fmpq_set(fmpq_mat_entry(o->relation, n, c), fmpq_mat_entry(t->a, row, first + c));
        n++;
    }
    if (n != o->nports)
        abort();
}

static void relate_ports(oracle *o, const model *m, bool numeric, const jn_onoff *mode)
{
    tableau t;
    bool is_free[2 * MODEL_BONDS] = {false};
    tableau_init(&t, oracle_law_count(m), 2 * m->nbonds + 2 * o->nports);
    oracle_laws(&t, m, numeric, mode);
    for (int c = 0; c < 2 * m->nbonds; c++)
        is_free[c] = tableau_solve(&t, c) < 0;
    find_undetermined(o, m, &t, is_free);
    take_relation(o, m, &t);
    tableau_clear(&t);
}

static void relation_tableau(tableau *t, const oracle *o)
{
    tableau_init(t, o->nports, 2 * o->nports);
    for (int i = 0; i < o->nports; i++)
        tableau_row(t);
    fmpq_mat_set(t->a, o->relation);
}

/* ---- choosing the outputs ------------------------------------------------------------------ */

/* The output a port wishes for is its effort. */
static bool wishes_effort(const model *m, int element, const bool *conductance)
{
    switch (m->element[element].kind) {
    case JN_SF:
    case JN_I:
        return true;
    case JN_R:
        return conductance && conductance[element];
    default:
        return false;
    }
}

static int class_of(const model *m, int element)
{
    return model_is_source(m, element) ? 0 : model_is_storage(m, element) ? 1 : 2;
}

/* Whether the port of element a is served before that of b. */
static bool before(const model *m, int a, int b)
{
    if (class_of(m, a) != class_of(m, b))
        return class_of(m, a) < class_of(m, b);
    if (m->element[a].priority != m->element[b].priority)
        return m->element[a].priority > m->element[b].priority;
    return a < b;
}

static void sort_ports(int *order, const oracle *o, const model *m)
{
    for (int k = 0; k < o->nports; k++) {
        int i = k;
        for (; i > 0 && before(m, o->port[k], o->port[order[i - 1]]); i--)
            order[i] = order[i - 1];
        order[i] = k;
    }
}

static int output_col(const oracle *o, int port)
{
    return 2 * port + !o->effort_out[port];
}

static void choose_outputs(oracle *o, const model *m, const bool *conductance)
{
    tableau t;
    int order[MODEL_ELEMENTS], row[MODEL_ELEMENTS];
    sort_ports(order, o, m);
    relation_tableau(&t, o);
    for (int i = 0; i < o->nports; i++) {
        int k = order[i];
        o->effort_out[k] = wishes_effort(m, o->port[k], conductance);
        row[k] = tableau_solve(&t, output_col(o, k));
        if (row[k] >= 0)
            continue;
        o->effort_out[k] = !o->effort_out[k];
        o->forbidden |= class_of(m, o->port[k]) == 0;
        row[k] = tableau_solve(&t, output_col(o, k));
        if (row[k] < 0)
            abort();
    }
    for (int k = 0; k < o->nports; k++)
        for (int l = 0; l < o->nports; l++)
            fmpq_neg(fmpq_mat_entry(o->S, k, l), fmpq_mat_entry(t.a, row[k], output_col(o, l) ^ 1));
    tableau_clear(&t);
}

/* ---- one mode ------------------------------------------------------------------------------ */

void oracle_init(oracle *o, const model *m, bool numeric, const jn_onoff *mode,
                 const bool *conductance)
{
    memset(o, 0, sizeof *o);
    for (int x = 0; x < m->nelements; x++) {
        o->port_of[x] = model_is_port(m, x) ? o->nports : -1;
        if (model_is_port(m, x))
            o->port[o->nports++] = x;
    }
    fmpq_mat_init(o->S, o->nports, o->nports);
    fmpq_mat_init(o->relation, o->nports, 2 * o->nports);
    relate_ports(o, m, numeric, mode);
    choose_outputs(o, m, conductance);
}

void oracle_clear(oracle *o)
{
    fmpq_mat_clear(o->S);
    fmpq_mat_clear(o->relation);
}

bool oracle_as_wished(const oracle *o, const model *m, int element)
{
    return o->effort_out[o->port_of[element]] == wishes_effort(m, element, NULL);
}

int oracle_integral(const oracle *o, const model *m)
{
    int n = 0;
    for (int x = 0; x < m->nelements; x++)
        n += model_is_storage(m, x) && oracle_as_wished(o, m, x);
    return n;
}

/* ---- the most storages in integral causality ----------------------------------------------- */

/* Can all sources, and the storages in the set, have the outputs they wish? */
static bool possible(const oracle *o, const model *m, const int *storage, unsigned set)
{
    tableau t;
    bool can = true;
    relation_tableau(&t, o);
    for (int k = 0; k < o->nports && can; k++)
        if (model_is_source(m, o->port[k]))
            can = tableau_solve(&t, 2 * k + !wishes_effort(m, o->port[k], NULL)) >= 0;
    for (int i = 0; set >> i && can; i++)
        if (set >> i & 1)
            can = tableau_solve(&t, 2 * o->port_of[storage[i]] +
                                        !wishes_effort(m, storage[i], NULL)) >= 0;
    tableau_clear(&t);
    return can;
}

int oracle_most_integral(const oracle *o, const model *m)
{
    int n = 0, best = 0, storage[MODEL_ELEMENTS];
    for (int x = 0; x < m->nelements; x++)
        if (model_is_storage(m, x))
            storage[n++] = x;
    for (unsigned set = 0; set < 1u << n; set++) {
        int size = 0;
        for (int i = 0; i < n; i++)
            size += set >> i & 1;
        if (size > best && possible(o, m, storage, set))
            best = size;
    }
    return best;
}
