/* exhaustive_mode.c: one mode of a small model, eliminated by itself.
 *
 * All laws of the mode are written down as equations between its variables and what is given, and
 * solved by Gauss and Jordan. The variables, for each bond its effort and flow in four families:
 *
 *     finite    the values after the jump
 *     rates     their derivatives
 *     impulse   what turns the state before into the one after
 *     conflict  what sources drive that had to give way
 *
 * and the state after the jump. */
#include "exhaustive_mode.h"

#include <stdlib.h>

enum { FINITE, RATES, IMPULSE, CONFLICT, FAMILIES };

typedef struct {
    const jn_graph *g;
    const jn_onoff *on;
    int unknowns, width; /* width: unknowns, then what is given */
    int n, cap;
    fmpq **row; /* Σ coefficient·unknown − Σ coefficient·given = 0 */
    bool *lost; /* per source */
    bool agree; /* those that are lost say what they have to */
} laws;

/* ---- rows ---------------------------------------------------------------------------------- */

static fmpq *new_row(int n)
{
    fmpq *r = malloc((size_t)n * sizeof *r + 1);
    for (int i = 0; i < n; i++)
        fmpq_init(r + i);
    return r;
}

static void free_row(fmpq *r, int n)
{
    for (int i = 0; r && i < n; i++)
        fmpq_clear(r + i);
    free(r);
}

static fmpq *add_row(laws *l)
{
    if (l->n == l->cap) {
        l->cap = l->cap ? 2 * l->cap : 64;
        l->row = realloc(l->row, (size_t)l->cap * sizeof *l->row);
    }
    return l->row[l->n++] = new_row(l->width);
}

static void add_multiple(fmpq *a, const fmpq_t c, const fmpq *b, int n)
{
    for (int i = 0; i < n; i++)
        if (!fmpq_is_zero(b + i))
            fmpq_addmul(a + i, c, b + i);
}

/* Gauss and Jordan over the first `columns`; the pivots' rows come first. Returns their number. */
static int reduce(fmpq **row, int n, int columns, int width, int *pivot)
{
    int rank = 0;
    fmpq_t c;
    fmpq_init(c);
    for (int k = 0; k < columns && rank < n; k++) {
        int at = rank;
        while (at < n && fmpq_is_zero(row[at] + k))
            at++;
        if (at == n)
            continue;
        fmpq *swap = row[at];
        row[at] = row[rank];
        row[rank] = swap;
        fmpq_inv(c, swap + k);
        for (int j = 0; j < width; j++)
            fmpq_mul(swap + j, swap + j, c);
        for (int i = 0; i < n; i++)
            if (i != rank && !fmpq_is_zero(row[i] + k)) {
                fmpq_neg(c, row[i] + k);
                add_multiple(row[i], c, swap, width);
            }
        pivot[rank++] = k;
    }
    fmpq_clear(c);
    return rank;
}

/* ---- variables ----------------------------------------------------------------------------- */

static int variable(const laws *l, int family, bool effort, int bond)
{
    return (2 * family + !effort) * l->g->nbonds + bond;
}

static int after(const laws *l, int storage)
{
    return 2 * FAMILIES * l->g->nbonds + storage;
}

static int given_state(const laws *l, int storage)
{
    return l->unknowns + storage;
}

static int given_input(const laws *l, int source)
{
    return l->unknowns + l->g->nstorages + source;
}

static int given_rate(const laws *l, int source)
{
    return l->unknowns + l->g->nstorages + l->g->nsources + source;
}

static void put(fmpq *row, int k, slong c)
{
    fmpq_add_si(row + k, row + k, c);
}

static int bond_of(const laws *l, int element)
{
    return l->g->element[element].bond[0];
}

/* +1: the bond's arrow points to the element. */
static int towards(const laws *l, int element)
{
    return l->g->bond[bond_of(l, element)].head == element ? 1 : -1;
}

/* Adds c times the effort, or the flow into, an element of one port. */
static void put_port(const laws *l, fmpq *row, int family, bool effort, int element, const fmpq_t c)
{
    int k = variable(l, family, effort, bond_of(l, element));
    if (effort || towards(l, element) > 0)
        fmpq_add(row + k, row + k, c);
    else
        fmpq_sub(row + k, row + k, c);
}

static void number_of(fmpq_t out, const laws *l, int element)
{
    jn_ratfun r;
    fmpq_zero(out);
    if (jn_graph_number(&r, l->g, element) == JN_OK)
        jn_ratfun_get_fmpq(out, l->g->field, r);
}

/* ---- the structure ------------------------------------------------------------------------- */

static void junction(laws *l, int family, int element, bool on)
{
    const jn_element *x = &l->g->element[element];
    bool zero = x->kind == JN_0 || x->kind == JN_X0;
    fmpq *sum = on ? add_row(l) : NULL;
    for (int i = 0; i < x->nbonds; i++) {
        int b = x->bond[i];
        if (on)
            put(sum, variable(l, family, !zero, b), l->g->bond[b].head == element ? 1 : -1);
        if (on && i == 0)
            continue;
        fmpq *equal = add_row(l);
        put(equal, variable(l, family, zero, b), 1);
        if (on)
            put(equal, variable(l, family, zero, x->bond[0]), -1);
    }
}

static void two_port(laws *l, int family, int element)
{
    const jn_element *x = &l->g->element[element];
    int in = x->bond[0], out = x->bond[1];
    bool tf = x->kind == JN_TF;
    fmpq_t c;
    fmpq_init(c);
    number_of(c, l, element);
    fmpq *one = add_row(l), *two = add_row(l);
    put(one, variable(l, family, true, in), 1);
    fmpq_sub(one + variable(l, family, tf, out), one + variable(l, family, tf, out), c);
    put(two, variable(l, family, !tf, out), 1);
    fmpq_sub(two + variable(l, family, false, in), two + variable(l, family, false, in), c);
    fmpq_clear(c);
}

static void structure(laws *l, int family)
{
    const jn_graph *g = l->g;
    for (int i = 0; i < g->nelements; i++) {
        jn_kind kind = g->element[i].kind;
        if (kind == JN_0 || kind == JN_1)
            junction(l, family, i, true);
        else if (kind == JN_X0 || kind == JN_X1)
            junction(l, family, i, l->on[g->element[i].number]);
        else if (kind == JN_TF || kind == JN_GY)
            two_port(l, family, i);
    }
}

/* ---- sources that give way ----------------------------------------------------------------- */

/* A source has to give way if the structure makes its variable a combination of those before it: if
 * some combination of the structure's rows holds nothing but variables of sources. */
static void find_lost(laws *l)
{
    const jn_graph *g = l->g;
    int nb = g->nbonds, rank, n;
    laws only = {.g = g, .on = l->on, .unknowns = l->unknowns, .width = l->width};
    structure(&only, FINITE);
    int *pivot = malloc((size_t)(2 * nb + 1) * sizeof *pivot);
    int *order = malloc((size_t)(2 * nb + 1) * sizeof *order);
    bool *is_source = calloc((size_t)(2 * nb + 1), sizeof *is_source);
    for (int k = 0; k < g->nsources; k++)
        is_source[variable(l, FINITE, g->element[g->source[k]].kind == JN_SE,
                           bond_of(l, g->source[k]))] = true;
    n = 0;
    for (int v = 0; v < 2 * nb; v++)
        if (!is_source[v])
            order[n++] = v;
    for (int k = g->nsources - 1; k >= 0; k--) /* the later one gives way: it comes first */
        order[n++] =
            variable(l, FINITE, g->element[g->source[k]].kind == JN_SE, bond_of(l, g->source[k]));
    fmpq **row = malloc((size_t)(only.n + 1) * sizeof *row);
    for (int i = 0; i < only.n; i++) {
        row[i] = new_row(2 * nb);
        for (int v = 0; v < 2 * nb; v++)
            fmpq_set(row[i] + v, only.row[i] + order[v]);
    }
    rank = reduce(row, only.n, 2 * nb, 2 * nb, pivot);
    for (int i = 0; i < rank; i++)
        if (pivot[i] >= 2 * nb - g->nsources)
            l->lost[2 * nb - 1 - pivot[i]] = true;
    for (int i = 0; i < only.n; i++) {
        free_row(row[i], 2 * nb);
        free_row(only.row[i], only.width);
    }
    free(row);
    free(only.row);
    free(pivot);
    free(order);
    free(is_source);
}

/* ---- ports --------------------------------------------------------------------------------- */

static void storage_laws(laws *l, int s)
{
    int element = l->g->storage[s];
    bool is_I = l->g->element[element].kind == JN_I;
    fmpq_t M, one, minus;
    fmpq_init(M);
    fmpq_init(one);
    fmpq_init(minus);
    number_of(M, l, element);
    fmpq_one(one);
    fmpq_set_si(minus, -1, 1);
    fmpq *state = add_row(l), *rate = add_row(l), *still = add_row(l), *jump = add_row(l);
    put_port(l, state, FINITE, !is_I, element, M); /* x⁺ = M·z */
    put(state, after(l, s), -1);
    put_port(l, rate, RATES, !is_I, element, M); /* ẋ = M·ż */
    put_port(l, rate, FINITE, is_I, element, minus);
    put_port(l, still, IMPULSE, !is_I, element, one); /* z has no impulse, ẋ has Δx */
    put_port(l, jump, IMPULSE, is_I, element, one);
    put(jump, after(l, s), -1);
    put(jump, given_state(l, s), 1);
    put_port(l, add_row(l), CONFLICT, true, element, one);
    put_port(l, add_row(l), CONFLICT, false, element, one);
    fmpq_clear(M);
    fmpq_clear(one);
    fmpq_clear(minus);
}

static void resistor_laws(laws *l, int element)
{
    fmpq_t R, one;
    fmpq_init(R);
    fmpq_init(one);
    number_of(R, l, element);
    fmpq_neg(R, R);
    fmpq_one(one);
    fmpq *law = add_row(l);
    put_port(l, law, FINITE, true, element, one);
    put_port(l, law, FINITE, false, element, R);
    for (int family = IMPULSE; family <= CONFLICT; family++) {
        put_port(l, add_row(l), family, true, element, one);
        put_port(l, add_row(l), family, false, element, one);
    }
    fmpq_clear(R);
    fmpq_clear(one);
}

static void source_laws(laws *l, int k)
{
    int element = l->g->source[k], b = bond_of(l, element);
    bool effort = l->g->element[element].kind == JN_SE;
    for (int family = 0; family < FAMILIES; family++) {
        if (l->lost[k] && (family == RATES || (l->agree && family != CONFLICT)))
            continue;
        fmpq *row = add_row(l);
        put(row, variable(l, family, effort != l->lost[k], b), 1);
        if (!l->lost[k] && family == FINITE)
            put(row, given_input(l, k), -1);
        if (!l->lost[k] && family == RATES)
            put(row, given_rate(l, k), -1);
        if (l->lost[k] && !l->agree &&
            family == CONFLICT) { /* out of the source: what it says, less what is */
            int out = towards(l, element) < 0 ? 1 : -1;
            put(row, given_input(l, k), -out);
            put(row, variable(l, FINITE, effort, b), out);
        }
    }
}

/* ---- least norm ---------------------------------------------------------------------------- */

/* Of a closed X1 its flow counts, of an open one the effort across it; an X0 is the dual. */
static void norm_row(const laws *l, fmpq *row, int family, int k)
{
    int element = l->g->sw[k];
    const jn_element *x = &l->g->element[element];
    bool is_X1 = x->kind == JN_X1;
    if (l->on[k]) {
        put(row, variable(l, family, !is_X1, x->bond[0]), 1);
        return;
    }
    for (int i = 0; i < x->nbonds; i++)
        put(row, variable(l, family, is_X1, x->bond[i]),
            l->g->bond[x->bond[i]].head == element ? 1 : -1);
}

/* The laws hold in w0 + N·α. Further rows for α: (C·N)ᵀ·C·w = 0. */
static void least_norm(laws *l, int rank, const int *pivot)
{
    static const int families[] = {FINITE, IMPULSE, CONFLICT};
    int n = l->unknowns, nfree = 0;
    bool *is_pivot = calloc((size_t)n + 1, sizeof *is_pivot);
    int *column = malloc((size_t)(n + 1) * sizeof *column);
    for (int i = 0; i < rank; i++)
        is_pivot[pivot[i]] = true;
    for (int v = 0; v < n; v++)
        if (!is_pivot[v])
            column[nfree++] = v;
    fmpq **direction = malloc((size_t)(nfree + 1) * sizeof *direction);
    for (int j = 0; j < nfree; j++) {
        direction[j] = new_row(n);
        fmpq_one(direction[j] + column[j]);
        for (int i = 0; i < rank; i++)
            fmpq_neg(direction[j] + pivot[i], l->row[i] + column[j]);
    }
    fmpq_t c;
    fmpq_init(c);
    for (int j = 0; j < nfree; j++) {
        fmpq *row = add_row(l);
        for (size_t f = 0; f < sizeof families / sizeof *families; f++)
            for (int k = 0; k < l->g->nswitches; k++) {
                fmpq *norm = new_row(l->width);
                norm_row(l, norm, families[f], k);
                fmpq_zero(c);
                for (int v = 0; v < n; v++)
                    fmpq_addmul(c, norm + v, direction[j] + v);
                add_multiple(row, c, norm, n);
                free_row(norm, l->width);
            }
    }
    fmpq_clear(c);
    for (int j = 0; j < nfree; j++)
        free_row(direction[j], n);
    free(direction);
    free(column);
    free(is_pivot);
}

/* ---- the mode ------------------------------------------------------------------------------ */

static void write_laws(laws *l)
{
    for (int family = 0; family < FAMILIES; family++)
        structure(l, family);
    find_lost(l);
    for (int s = 0; s < l->g->nstorages; s++)
        storage_laws(l, s);
    for (int r = 0; r < l->g->nresistors; r++)
        resistor_laws(l, l->g->resistor[r]);
    for (int k = 0; k < l->g->nsources; k++)
        source_laws(l, k);
}

/* A variable as it follows from what is given; false: it does not. */
static bool solved(fmpq *to, const laws *l, int rank, const int *pivot, int v)
{
    int at = 0, n = l->width - l->unknowns;
    while (at < rank && pivot[at] != v)
        at++;
    if (at == rank)
        return false;
    for (int k = 0; k < l->unknowns; k++)
        if (k != v && !fmpq_is_zero(l->row[at] + k))
            return false;
    for (int k = 0; k < n; k++)
        fmpq_neg(to + k, l->row[at] + l->unknowns + k);
    return true;
}

static bool read_mode(exhaustive_mode *out, const laws *l, int rank, const int *pivot)
{
    int n = l->width - l->unknowns, nx = l->g->nstorages, nb = l->g->nbonds;
    fmpq *family[] = {out->finite, NULL, out->impulse, out->conflict};
    for (int i = rank; i < l->n; i++) /* 0 = what is given? */
        for (int k = l->unknowns; k < l->width; k++)
            if (!fmpq_is_zero(l->row[i] + k))
                return false;
    for (int s = 0; s < nx; s++) {
        int element = l->g->storage[s];
        bool effort = l->g->element[element].kind == JN_I;
        int v = variable(l, FINITE, effort, bond_of(l, element));
        if (!solved(out->after + s * n, l, rank, pivot, after(l, s)) ||
            !solved(out->rate + s * n, l, rank, pivot, v))
            return false;
        for (int k = 0; k < n && !effort && towards(l, element) < 0; k++)
            fmpq_neg(out->rate + s * n + k, out->rate + s * n + k);
    }
    for (int f = 0; f < FAMILIES; f++)
        for (int b = 0; b < 2 * nb && family[f]; b++)
            if (!solved(family[f] + b * n, l, rank, pivot, variable(l, f, b % 2 == 0, b / 2)))
                return false;
    return true;
}

void exhaustive_mode_find(exhaustive_mode *out, const jn_graph *g, const jn_onoff *onoff,
                          bool agree)
{
    int n = g->nstorages + 2 * g->nsources, nb = g->nbonds;
    laws l = {.g = g, .on = onoff, .agree = agree, .unknowns = 2 * FAMILIES * nb + g->nstorages};
    l.width = l.unknowns + n;
    l.lost = calloc((size_t)g->nsources + 1, sizeof *l.lost);
    *out = (exhaustive_mode){.after = new_row(g->nstorages * n),
                             .rate = new_row(g->nstorages * n),
                             .finite = new_row(2 * nb * n),
                             .impulse = new_row(2 * nb * n),
                             .conflict = new_row(2 * nb * n)};
    write_laws(&l);
    int *pivot = malloc((size_t)(l.unknowns + 1) * sizeof *pivot);
    int rank = reduce(l.row, l.n, l.unknowns, l.width, pivot);
    least_norm(&l, rank, pivot);
    rank = reduce(l.row, l.n, l.unknowns, l.width, pivot);
    out->is_able = read_mode(out, &l, rank, pivot);
    for (int k = 0; k < g->nsources; k++)
        out->is_forbidden |= l.lost[k] && !agree;
    for (int i = 0; i < l.n; i++)
        free_row(l.row[i], l.width);
    free(l.row);
    free(l.lost);
    free(pivot);
}

void exhaustive_mode_clear(exhaustive_mode *m, const jn_graph *g)
{
    int n = g->nstorages + 2 * g->nsources;
    free_row(m->after, g->nstorages * n);
    free_row(m->rate, g->nstorages * n);
    free_row(m->finite, 2 * g->nbonds * n);
    free_row(m->impulse, 2 * g->nbonds * n);
    free_row(m->conflict, 2 * g->nbonds * n);
}
