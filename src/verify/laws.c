/* laws.c: the laws of the model, as they stand, between the variables of its bonds.
 *
 * Nothing is solved for. A controlled junction puts its λ before its laws: λ → they are those of a
 * 0 or a 1, ¬λ → its common variable is 0 on every bond. That is one set of formulas for all modes,
 * as large as the model. Together with the laws of the ports they say what a value is, in four
 * families:
 *
 *     finite     x = M·z of storages, e = R·f, sources as they are
 *     rates      the same, differentiated: they tell ẋ of a dependent storage
 *     impulses   z = 0 of storages, ẋ = Δx; resistors and sources give nothing
 *     conflicts  only the sources that lost their input to others give something: their difference
 *
 * A jump conserves what the junction structure conserves: that there are impulses which turn x⁻ into
 * x⁺ says just this, and the finite family says where it ends. */
#include "question.h"

/* ---- variables ----------------------------------------------------------------------------- */

bonds *jni_any_bonds(question *q)
{
    bonds *to = jni_room(q, sizeof *to);
    to->e = jni_terms(q, q->g->nbonds);
    to->f = jni_terms(q, q->g->nbonds);
    for (int b = 0; b < q->g->nbonds; b++) {
        to->e[b] = jni_real(q->l);
        to->f[b] = jni_real(q->l);
    }
    return to;
}

/* Flow into an element of one port. */
static term port_flow(question *q, const bonds *v, int element)
{
    int b = q->g->element[element].bond[0];
    bool arrives = q->g->bond[b].head == element;
    return arrives ? v->f[b] : jni_minus(q, jni_zero(q->l), v->f[b]);
}

static term port_effort(question *q, const bonds *v, int element)
{
    return v->e[q->g->element[element].bond[0]];
}

/* The variable whose integral is the state, and the one that the state gives. */
term jni_rate_of(question *q, const bonds *v, int storage)
{
    int x = q->g->storage[storage];
    return q->g->element[x].kind == JN_I ? port_effort(q, v, x) : port_flow(q, v, x);
}

static term output_of(question *q, const bonds *v, int storage)
{
    int x = q->g->storage[storage];
    return q->g->element[x].kind == JN_I ? port_flow(q, v, x) : port_effort(q, v, x);
}

/* ---- junctions ----------------------------------------------------------------------------- */

static void junction_law(question *q, const bonds *v, int element, term on)
{
    const jn_graph *g = q->g;
    const jn_element *x = &g->element[element];
    bool zero = x->kind == JN_0 || x->kind == JN_X0;
    const term *common = zero ? v->e : v->f, *summed = zero ? v->f : v->e;
    int first = jn_graph_leading_bond(g, element);
    bool first_let_go = jn_graph_lets_go(g, element, first);
    term sum = jni_zero(q->l), off = jni_not(q->l, on);
    for (int i = 0; i < x->nbonds; i++) {
        int b = x->bond[i];
        sum = g->bond[b].head == element ? jni_add(q->l, sum, summed[b])
                                         : jni_minus(q, sum, summed[b]);
        bool let_go = jn_graph_lets_go(g, element, b);
        bool as_first = !let_go && !first_let_go && b != first; /* ON and OFF alike */
        jni_equal_if(q, as_first ? jni_true(q->l) : on, common[b], common[first]);
        if (!as_first)
            jni_zero_if(q, off, let_go ? summed[b] : common[b]);
    }
    jni_zero_if(q, on, sum);
}

/* Calls a law for each value that an element may have, under its condition. */
typedef void law_of_value(question *q, term when, const bonds *v, int element, jn_ratfun c);

static term case_term(question *q, const jn_expr *when, term *lambda)
{
    return when ? jni_guard_term(q, jn_junction_condition(q->j, when), lambda) : jni_true(q->l);
}

static bool is_known_value(question *q, jn_value v)
{
    if (!v.ncases)
        return jni_known_number(q, v.one).id >= 0;
    for (int i = 0; i < v.ncases; i++)
        if (jni_known_number(q, v.cases[i].value).id < 0)
            return false;
    return true;
}

static void vague_element(question *q, const jn_element *x)
{
    jni_vague(q, x->place,
              jn_arena_printf(q->arena,
                              x->nonlinear ? "the law of '%s' is not linear"
                                           : "the value of '%s' is not constant in a mode",
                              x->name));
}

/* A value that is modulated, but constant: sqrt(2)*k. */
static jn_ratfun constant_value(question *q, const jn_element *x)
{
    return x->modulated && x->modulation ? jni_expr_constant(q, x->modulation) : (jn_ratfun){-1};
}

static void with_value(question *q, const bonds *v, int element, term *lambda, law_of_value *law)
{
    const jn_element *x = &q->g->element[element];
    jn_value worth = jn_graph_value(q->g, element);
    jn_ratfun c = constant_value(q, x);
    if (c.id >= 0)
        law(q, jni_true(q->l), v, element, c);
    else if (!is_known_value(q, worth) || x->nonlinear)
        vague_element(q, x);
    else if (!worth.ncases)
        law(q, jni_true(q->l), v, element, jni_known_number(q, worth.one));
    else
        for (int i = 0; i < worth.ncases; i++)
            law(q, case_term(q, worth.cases[i].when, lambda), v, element,
                jni_known_number(q, worth.cases[i].value));
}

static void two_port_law(question *q, term when, const bonds *v, int element, jn_ratfun c)
{
    const jn_element *x = &q->g->element[element];
    int in = x->bond[0], out = x->bond[1];
    bool tf = x->kind == JN_TF;
    term right1 = tf ? v->e[out] : v->f[out], left2 = tf ? v->f[out] : v->e[out];
    jni_equal_if(q, when, v->e[in], jni_times(q, c, right1));
    jni_equal_if(q, when, left2, jni_times(q, c, v->f[in]));
}

/* All but the ports. */
static void structure(question *q, const bonds *v, term *lambda)
{
    const jn_graph *g = q->g;
    for (int i = 0; i < g->nelements; i++)
        switch (g->element[i].kind) {
        case JN_0:
        case JN_1:
            junction_law(q, v, i, jni_true(q->l));
            break;
        case JN_X0:
        case JN_X1:
            junction_law(q, v, i, lambda[g->element[i].number]);
            break;
        case JN_TF:
        case JN_GY:
            with_value(q, v, i, lambda, two_port_law);
            break;
        default:
            break;
        }
}

/* ---- ports --------------------------------------------------------------------------------- */

static void resistor_law(question *q, term when, const bonds *v, int element, jn_ratfun R)
{
    jni_equal_if(q, when, port_effort(q, v, element), jni_times(q, R, port_flow(q, v, element)));
}

/* Σ_k M_ik·z_k, or R_ik·f_k, for a port of a field; false: an entry is not a number. */
static bool row_of_field(term *out, question *q, int element, const bonds *v)
{
    const jn_multiport *m = q->g->element[element].multiport;
    *out = jni_zero(q->l);
    for (int i = 0; i < m->nports; i++) {
        int other = m->element[i];
        jn_ratfun c = jni_only_number(q, jn_graph_between(q->g, element, other));
        if (c.id < 0)
            return false;
        term z =
            m->kind == JN_R ? port_flow(q, v, other) : output_of(q, v, q->g->element[other].number);
        *out = jni_add(q->l, *out, jni_times(q, c, z));
    }
    return true;
}

static void resistors(question *q, const bonds *v, term *lambda)
{
    for (int r = 0; r < q->g->nresistors; r++) {
        int element = q->g->resistor[r];
        term sum;
        if (!q->g->element[element].multiport)
            with_value(q, v, element, lambda, resistor_law);
        else if (row_of_field(&sum, q, element, v))
            jni_assert_equal(q->l, port_effort(q, v, element), sum);
        else
            vague_element(q, &q->g->element[element]);
    }
}

/* x = M·z for every storage: state[i] is x, or what it is at any other rate. */
static void storages(question *q, const bonds *v, term *lambda, term *state)
{
    const jn_graph *g = q->g;
    for (int i = 0; i < g->nstorages; i++) {
        const jn_element *x = &g->element[g->storage[i]];
        term z = output_of(q, v, i), sum;
        jn_value worth = jn_graph_value(g, g->storage[i]);
        if (x->multiport) {
            if (row_of_field(&sum, q, g->storage[i], v))
                jni_assert_equal(q->l, state[i], sum);
            else
                vague_element(q, x);
            continue;
        }
        jn_ratfun own = constant_value(q, x);
        if (own.id < 0 && (x->nonlinear || !is_known_value(q, worth))) {
            vague_element(q, x);
            continue;
        }
        for (int c = 0; c < (worth.ncases && own.id < 0 ? worth.ncases : 1); c++) {
            bool cased = worth.ncases && own.id < 0;
            jn_ratfun M =
                own.id >= 0 ? own : jni_known_number(q, cased ? worth.cases[c].value : worth.one);
            term when = cased ? case_term(q, worth.cases[c].when, lambda) : jni_true(q->l);
            jni_equal_if(q, when, state[i], jni_times(q, M, z));
        }
    }
}

static term source_variable(question *q, const bonds *v, int source, bool own)
{
    int element = q->g->source[source], b = q->g->element[element].bond[0];
    return (q->g->element[element].kind == JN_SE) == own ? v->e[b] : v->f[b];
}

static term imposes(question *q, int source, term *lambda)
{
    return jni_guard_term(q, q->j->imposed[source], lambda);
}

static term gives_way(question *q, int source, term *lambda)
{
    return jni_guard_term(q, q->gives_way[source], lambda);
}

/* ---- the families -------------------------------------------------------------------------- */

/* What a source says. One that is free may be anything. */
static void source_laws(const view *v, const bonds *of)
{
    question *q = v->q;
    for (int k = 0; k < q->g->nsources; k++) {
        term u = source_variable(q, of, k, true);
        jni_zero_if(q, gives_way(q, k, v->lambda), source_variable(q, of, k, false));
        jni_equal_if(q, imposes(q, k, v->lambda), u, v->input[k]);
    }
}

/* At a view whose values are known as variables; slow: what its slow inputs are. */
static void read_inputs(view *v, bool slow)
{
    question *q = v->q;
    for (int k = 0; k < q->g->nsources; k++) {
        if (q->is_free[k])
            continue;
        value says = jni_value_of(v, q->g->element[q->g->source[k]].input);
        if (slow)
            v->slow->input[k] = jni_finite_slow(v, &says);
        else
            v->input[k] = jni_finite(v, &says);
    }
}

/* ẋ as the rates make it must fit the laws, differentiated. */
static const bonds *rates(view *v, const bonds *finite)
{
    question *q = v->q;
    bonds *r = jni_any_bonds(q);
    term *dx = jni_terms(q, q->g->nstorages);
    structure(q, r, v->lambda);
    for (int i = 0; i < q->g->nstorages; i++)
        dx[i] = jni_rate_of(q, finite, i);
    storages(q, r, v->lambda, dx);
    for (int k = 0; k < q->g->nsources && v->rate; k++)
        if (v->rate[k])
            jni_equal_if(q, imposes(q, k, v->lambda), source_variable(q, r, k, true), v->rate[k]);
    return r;
}

static void finite_laws(view *v, bonds *to)
{
    question *q = v->q;
    structure(q, to, v->lambda);
    jni_least_norm(q, to, v->lambda);
    resistors(q, to, v->lambda);
    storages(q, to, v->lambda, v->x);
    source_laws(v, to);
    if (q->jumps)
        rates(v, to);
}

void jni_laws_slow(view *v)
{
    bonds *slow = jni_any_bonds(v->q);
    v->slow->value = slow;
    read_inputs(v, true);
    finite_laws(v->slow, slow);
}

/* A source goes where its rate says: back, until the instant. */
static void link_rates(const view *v)
{
    question *q = v->q;
    logic *l = q->l;
    term zero = jni_zero(l);
    for (int k = 0; k < q->g->nsources && q->jumps; k++) {
        if (!v->rate[k] || v->rate[k] == zero)
            continue;
        term up = jni_less(l, zero, v->rate[k]), down = jni_less(l, v->rate[k], zero);
        term more = jni_less(l, zero, v->slow->input[k]),
             less = jni_less(l, v->slow->input[k], zero);
        bool after = v->phase == PHASE_AFTER;
        jni_assert(l, jni_implies(l, up, after ? more : less));
        jni_assert(l, jni_implies(l, down, after ? less : more));
    }
}

void jni_laws_finite(view *v)
{
    bonds *to = jni_any_bonds(v->q);
    v->value = to;
    if (v->slow)
        v->slow->value = NULL;
    read_inputs(v, false);
    finite_laws(v, to);
    if (v->slow)
        jni_laws_slow(v);
    if (v->slow && v->rate)
        link_rates(v);
}

const bonds *jni_laws_impulse(const view *v, term *from, term *to)
{
    question *q = v->q;
    const jn_graph *g = q->g;
    bonds *i = jni_any_bonds(q);
    structure(q, i, v->lambda);
    jni_least_norm(q, i, v->lambda);
    for (int r = 0; r < g->nresistors; r++) {
        jni_zero_if(q, jni_true(q->l), port_effort(q, i, g->resistor[r]));
        jni_zero_if(q, jni_true(q->l), port_flow(q, i, g->resistor[r]));
    }
    for (int s = 0; s < g->nstorages; s++) {
        jni_zero_if(q, jni_true(q->l), output_of(q, i, s));
        jni_assert_equal(q->l, jni_rate_of(q, i, s), jni_minus(q, to[s], from[s]));
    }
    for (int k = 0; k < g->nsources; k++) {
        jni_zero_if(q, imposes(q, k, v->lambda), source_variable(q, i, k, true));
        jni_zero_if(q, gives_way(q, k, v->lambda), source_variable(q, i, k, false));
    }
    return i;
}

/* What a source is off by: positive along the bond's arrow where the source is its tail. */
static term off_by(const view *v, int source, term says)
{
    question *q = v->q;
    int element = q->g->source[source], b = q->g->element[element].bond[0];
    term is = source_variable(q, v->value, source, true);
    return q->g->bond[b].head == element ? jni_minus(q, is, says) : jni_minus(q, says, is);
}

const bonds *jni_laws_conflict(const view *v)
{
    question *q = v->q;
    const jn_graph *g = q->g;
    bonds *c = jni_any_bonds(q);
    structure(q, c, v->lambda);
    jni_least_norm(q, c, v->lambda);
    for (int i = 0; i < g->nelements; i++)
        if (jn_kind_is_storage(g->element[i].kind) || g->element[i].kind == JN_R) {
            jni_zero_if(q, jni_true(q->l), port_effort(q, c, i));
            jni_zero_if(q, jni_true(q->l), port_flow(q, c, i));
        }
    term agreed = jni_guard_term(q, q->agreed, v->lambda);
    for (int k = 0; k < g->nsources; k++) {
        term conjugate = source_variable(q, c, k, false);
        jni_zero_if(q, agreed, conjugate);
        jni_zero_if(q, imposes(q, k, v->lambda), source_variable(q, c, k, true));
        jni_equal_if(q, gives_way(q, k, v->lambda), conjugate, off_by(v, k, v->input[k]));
    }
    return c;
}
