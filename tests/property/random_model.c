/* random_model.c: making up hybrid bond graphs.
 *
 * A tree of junctions, often with further links that close loops (redundant ones among them),
 * some of the links through TF and GY; then 1-port elements on the junctions, now and then one
 * directly on another. Bonds point either way. */
#include "random_model.h"

/* ---- the description ------------------------------------------------------------------------- */

void model_init(model *m)
{
    memset(m, 0, sizeof *m);
    for (int i = 0; i < MODEL_SYMBOLS; i++) {
        fmpq_init(m->symbol[i].value);
        fmpq_init(m->symbol[i].generic);
    }
}

void model_clear(model *m)
{
    for (int i = 0; i < MODEL_SYMBOLS; i++) {
        fmpq_clear(m->symbol[i].value);
        fmpq_clear(m->symbol[i].generic);
    }
}

static void copy_symbol(model_symbol *to, const model_symbol *from)
{
    memcpy(to->name, from->name, sizeof to->name);
    to->is_param = from->is_param;
    to->given = from->given;
    fmpq_set(to->value, from->value);
    fmpq_set(to->generic, from->generic);
}

void model_copy(model *to, const model *from)
{
    to->nelements = from->nelements;
    to->nbonds = from->nbonds;
    to->nsymbols = from->nsymbols;
    memcpy(to->element, from->element, sizeof to->element);
    memcpy(to->bond, from->bond, sizeof to->bond);
    for (int i = 0; i < from->nsymbols; i++)
        copy_symbol(&to->symbol[i], &from->symbol[i]);
}

static int add_symbol(model *m, const char *name, bool is_param)
{
    model_symbol *s = &m->symbol[m->nsymbols];
    snprintf(s->name, sizeof s->name, "%s", name);
    s->is_param = is_param;
    return m->nsymbols++;
}

int model_add_element(model *m, jn_kind kind, const char *name)
{
    model_element *x = &m->element[m->nelements];
    *x = (model_element){.kind = kind, .symbol = -1, .coefficient = 1, .power = 1};
    snprintf(x->name, sizeof x->name, "%s", name);
    if (kind == JN_I || kind == JN_C || kind == JN_R || kind == JN_TF || kind == JN_GY)
        x->symbol = add_symbol(m, name, false);
    return m->nelements++;
}

int model_add_bond(model *m, int tail, int head)
{
    m->bond[m->nbonds] = (model_bond){tail, head};
    return m->nbonds++;
}

bool model_is_storage(const model *m, int element)
{
    jn_kind k = m->element[element].kind;
    return k == JN_I || k == JN_C;
}

bool model_is_source(const model *m, int element)
{
    jn_kind k = m->element[element].kind;
    return k == JN_SE || k == JN_SF;
}

bool model_is_switch(const model *m, int element)
{
    jn_kind k = m->element[element].kind;
    return k == JN_X0 || k == JN_X1;
}

bool model_is_port(const model *m, int element)
{
    return model_is_storage(m, element) || model_is_source(m, element) ||
           m->element[element].kind == JN_R;
}

int model_count(const model *m, bool (*is)(const model *m, int element))
{
    int n = 0;
    for (int i = 0; i < m->nelements; i++)
        n += is(m, i);
    return n;
}

int model_port_bond(const model *m, int element)
{
    for (int b = 0; b < m->nbonds; b++)
        if (m->bond[b].tail == element || m->bond[b].head == element)
            return b;
    abort();
}

void model_value(fmpq_t v, const model *m, int element, bool numeric)
{
    const model_element *x = &m->element[element];
    const model_symbol *s = &m->symbol[x->symbol];
    fmpq_t c;
    fmpq_init(c);
    fmpq_set_si(c, x->coefficient, 1);
    fmpq_pow_si(v, numeric && s->given ? s->value : s->generic, x->power);
    fmpq_mul(v, v, c);
    fmpq_clear(c);
}

/* ---- junctions and links --------------------------------------------------------------------- */

static int new_element(model *m, jn_kind kind)
{
    char name[MODEL_NAME];
    snprintf(name, sizeof name, "%s_%d", jn_kind_name(kind), m->nelements);
    if (kind == JN_0 || kind == JN_1)
        snprintf(name, sizeof name, "j%d_%d", kind == JN_1, m->nelements);
    return model_add_element(m, kind, name);
}

static void bond_either_way(model *m, test_rng *r, int a, int b)
{
    if (test_rng_chance(r, 50))
        model_add_bond(m, a, b);
    else
        model_add_bond(m, b, a);
}

/* Joins a and b, sometimes through one or two TF or GY. */
static void link_up(model *m, test_rng *r, int a, int b)
{
    int between = test_rng_chance(r, 70) ? 0 : test_rng_chance(r, 75) ? 1 : 2;
    if (test_rng_chance(r, 50)) {
        int c = a;
        a = b;
        b = c;
    }
    for (; between > 0; between--) {
        int x = new_element(m, test_rng_chance(r, 50) ? JN_TF : JN_GY);
        model_add_bond(m, a, x);
        a = x;
    }
    model_add_bond(m, a, b);
}

static jn_kind junction_kind(test_rng *r, int switch_percent, int *switches_left)
{
    if (*switches_left > 0 && test_rng_chance(r, switch_percent)) {
        --*switches_left;
        return test_rng_chance(r, 50) ? JN_X0 : JN_X1;
    }
    return test_rng_chance(r, 50) ? JN_0 : JN_1;
}

/* The junctions are elements 0 … n − 1. */
static int add_junctions(model *m, test_rng *r)
{
    int n = test_rng_int(r, 1, 8);
    int switches = test_rng_int(r, 0, 6), percent = test_rng_int(r, 30, 90);
    for (int i = 0; i < n; i++)
        new_element(m, junction_kind(r, percent, &switches));
    for (int i = 1; i < n; i++)
        if (!test_rng_chance(r, 5))
            link_up(m, r, i, test_rng_int(r, test_rng_chance(r, 50) && i > 2 ? i - 2 : 0, i - 1));
    int loops = n > 1 && test_rng_chance(r, 35) ? test_rng_int(r, 1, 3) : 0;
    for (int i = 0; i < loops; i++) {
        int a = test_rng_int(r, 0, n - 1), b = test_rng_int(r, 0, n - 2);
        link_up(m, r, a, b + (b >= a));
    }
    return n;
}

/* ---- 1-port elements ------------------------------------------------------------------------- */

static void attach(model *m, test_rng *r, int port, int njunctions)
{
    int at = test_rng_int(r, 0, njunctions - 1);
    if (test_rng_chance(r, 8)) {
        link_up(m, r, port, at);
        return;
    }
    /* mostly as people draw them: from a source, into the others */
    bool leaves = model_is_source(m, port) != test_rng_chance(r, 25);
    model_add_bond(m, leaves ? port : at, leaves ? at : port);
}

static void add_ports(model *m, test_rng *r, int n, jn_kind a, jn_kind b, int njunctions)
{
    for (int i = 0; i < n; i++)
        attach(m, r, new_element(m, test_rng_chance(r, 50) ? a : b), njunctions);
}

/* Two 1-port elements and nothing else. */
static void add_pair(model *m, test_rng *r)
{
    static const jn_kind kinds[] = {JN_SE, JN_SF, JN_I, JN_C, JN_R};
    int a = new_element(m, kinds[test_rng_int(r, 0, 4)]);
    int b = new_element(m, kinds[test_rng_int(r, 0, 4)]);
    if (test_rng_chance(r, 70))
        bond_either_way(m, r, a, b);
    else
        link_up(m, r, a, b);
}

static bool has_bond(const model *m, int element)
{
    for (int b = 0; b < m->nbonds; b++)
        if (m->bond[b].tail == element || m->bond[b].head == element)
            return true;
    return false;
}

static void fill_bare_junctions(model *m, test_rng *r, int njunctions)
{
    for (int i = 0; i < njunctions; i++)
        if (!has_bond(m, i))
            bond_either_way(m, r, i, new_element(m, test_rng_chance(r, 50) ? JN_R : JN_C));
}

/* ---- values and options ---------------------------------------------------------------------- */

static void random_small(fmpq_t v, test_rng *r, bool any_sign)
{
    static const int num[] = {1, 1, 1, 2, 1, 3, 3, 1, 5, 1},
                     den[] = {1, 1, 1, 1, 2, 1, 2, 4, 3, 10};
    int i = test_rng_int(r, 0, 9);
    fmpq_set_si(v, any_sign && test_rng_chance(r, 30) ? -num[i] : num[i], (ulong)den[i]);
}

static void random_generic(fmpq_t v, test_rng *r)
{
    int num = test_rng_int(r, 1000, 99999);
    fmpq_set_si(v, test_rng_chance(r, 20) ? -num : num, (ulong)test_rng_int(r, 1000, 99999));
}

/* Only an element that is not a storage: those must have a positive value. */
static bool may_be_negative(const model *m, int symbol)
{
    for (int i = 0; i < m->nelements; i++)
        if (m->element[i].symbol == symbol && model_is_storage(m, i))
            return false;
    return !m->symbol[symbol].is_param;
}

static void random_values(model *m, test_rng *r)
{
    int given = test_rng_chance(r, 60) ? 100 : test_rng_chance(r, 50) ? 0 : 50;
    bool active = test_rng_chance(r, 15);
    for (int i = 0; i < m->nsymbols; i++) {
        model_symbol *s = &m->symbol[i];
        s->given = test_rng_chance(r, given);
        random_small(s->value, r, active && may_be_negative(m, i));
        random_generic(s->generic, r);
    }
}

/* Lets some elements have an expression of a common parameter for their value. */
static void share_symbols(model *m, test_rng *r)
{
    int k = test_rng_chance(r, 30) ? add_symbol(m, "k", true) : -1;
    for (int i = 0; k >= 0 && i < m->nelements; i++) {
        model_element *x = &m->element[i];
        if (x->symbol < 0 || !test_rng_chance(r, 40))
            continue;
        static const int coefficient[] = {1, 1, -1, 2};
        x->symbol = k;
        x->coefficient = coefficient[test_rng_int(r, 0, 3)];
        if (model_is_storage(m, i))
            x->coefficient = abs(x->coefficient);
        x->power = test_rng_chance(r, 50) ? 1 : -1;
    }
}

static void random_options(model *m, test_rng *r)
{
    static const char *const inputs[] = {"", "12", "-1/3", "2*sin(3*t)", "if(t < 1, 0, 5)", "1e-3"};
    int priorities = test_rng_chance(r, 50) ? 5 : 0;
    int detachable = test_rng_chance(r, 30) ? 50 : 0;
    for (int i = 0; i < m->nelements; i++) {
        model_element *x = &m->element[i];
        if (model_is_storage(m, i))
            x->priority = test_rng_int(r, 0, priorities);
        if (!model_is_source(m, i))
            continue;
        x->detachable = test_rng_chance(r, detachable);
        snprintf(x->input, sizeof x->input, "%s", inputs[test_rng_int(r, 0, 5)]);
    }
}

void model_random(model *m, test_rng *r)
{
    m->nelements = m->nbonds = m->nsymbols = 0;
    int n = add_junctions(m, r);
    add_ports(m, r, test_rng_int(r, 0, test_rng_chance(r, 50) ? 2 : 4), JN_SE, JN_SF, n);
    add_ports(m, r, test_rng_int(r, 0, 6), JN_I, JN_C, n);
    add_ports(m, r, test_rng_int(r, 0, 5), JN_R, JN_R, n);
    if (test_rng_chance(r, 8))
        add_pair(m, r);
    fill_bare_junctions(m, r, n);
    share_symbols(m, r);
    random_values(m, r);
    random_options(m, r);
    int from[MODEL_ELEMENTS];
    model_permute(m, from, r);
}

/* ---- the same graph, told otherwise ---------------------------------------------------------- */

static void shuffle(int *a, int n, test_rng *r)
{
    for (int i = 0; i < n; i++)
        a[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = test_rng_int(r, 0, i), t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
}

void model_rename(model *m, test_rng *r)
{
    int number[MODEL_ELEMENTS + MODEL_SYMBOLS];
    shuffle(number, m->nelements + m->nsymbols, r);
    for (int i = 0; i < m->nsymbols; i++)
        snprintf(m->symbol[i].name, MODEL_NAME, "N_%d", number[m->nelements + i]);
    for (int i = 0; i < m->nelements; i++) {
        model_element *x = &m->element[i];
        snprintf(x->name, MODEL_NAME, "%cx%d", 'A' + number[i] % 26, number[i]);
        if (x->symbol >= 0 && !m->symbol[x->symbol].is_param)
            memcpy(m->symbol[x->symbol].name, x->name, MODEL_NAME);
    }
}

void model_permute(model *m, int *from, test_rng *r)
{
    model_element element[MODEL_ELEMENTS];
    model_bond bond[MODEL_BONDS];
    int to[MODEL_ELEMENTS], bond_from[MODEL_BONDS];
    memcpy(element, m->element, sizeof element);
    memcpy(bond, m->bond, sizeof bond);
    shuffle(from, m->nelements, r);
    shuffle(bond_from, m->nbonds, r);
    for (int i = 0; i < m->nelements; i++) {
        m->element[i] = element[from[i]];
        to[from[i]] = i;
    }
    for (int i = 0; i < m->nbonds; i++)
        m->bond[i] = (model_bond){to[bond[bond_from[i]].tail], to[bond[bond_from[i]].head]};
}

void model_distinct_priorities(model *m, test_rng *r)
{
    int rank[MODEL_ELEMENTS];
    shuffle(rank, m->nelements, r);
    for (int i = 0; i < m->nelements; i++)
        if (model_is_storage(m, i))
            m->element[i].priority = rank[i] + 1;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void put_number(jn_str *out, const fmpq_t v)
{
    char *s = fmpq_get_str(NULL, 10, v);
    jn_str_add(out, s);
    flint_free(s);
}

static void put_value(jn_str *out, const model *m, const model_element *x)
{
    const model_symbol *s = &m->symbol[x->symbol];
    if (!s->is_param && s->given) {
        jn_str_add(out, " = ");
        put_number(out, s->value);
    } else if (s->is_param) {
        jn_str_addf(out, " = %d%s%s", x->coefficient, x->power > 0 ? "*" : "/", s->name);
    }
}

static void put_element(jn_str *out, const model *m, int i)
{
    const model_element *x = &m->element[i];
    jn_str_addf(out, "%s %s", jn_kind_name(x->kind), x->name);
    if (x->symbol >= 0)
        put_value(out, m, x);
    else if (x->input[0])
        jn_str_addf(out, " = %s", x->input);
    if (x->priority)
        jn_str_addf(out, ", priority %d", x->priority);
    if (x->detachable)
        jn_str_add(out, ", detachable");
    jn_str_addc(out, '\n');
}

/* Bond b, and those after it that continue the chain; returns the next one. */
static int put_bonds(jn_str *out, const model *m, int b, test_rng *r)
{
    if (test_rng_chance(r, 10))
        jn_str_addf(out, "bond_%d: ", b);
    else
        while (b + 1 < m->nbonds && m->bond[b].head == m->bond[b + 1].tail &&
               test_rng_chance(r, 80))
            jn_str_addf(out, "%s -> ", m->element[m->bond[b++].tail].name);
    const model_bond *last = &m->bond[b];
    jn_str_addf(out, "%s -> %s\n", m->element[last->tail].name, m->element[last->head].name);
    return b + 1;
}

static void put_params(jn_str *out, const model *m)
{
    for (int i = 0; i < m->nsymbols; i++) {
        if (!m->symbol[i].is_param)
            continue;
        jn_str_addf(out, "param %s", m->symbol[i].name);
        if (m->symbol[i].given) {
            jn_str_add(out, " = ");
            put_number(out, m->symbol[i].value);
        }
        jn_str_addc(out, '\n');
    }
}

void model_text(jn_str *out, const model *m, test_rng *r)
{
    bool params_first = test_rng_chance(r, 50), mixed = test_rng_chance(r, 30);
    jn_str_add(out, "model random\n");
    if (params_first)
        put_params(out, m);
    for (int i = 0, b = 0; i < m->nelements || b < m->nbonds;) {
        bool bond_next = i == m->nelements || (mixed && b < m->nbonds && test_rng_chance(r, 50));
        if (bond_next)
            b = put_bonds(out, m, b, r);
        else
            put_element(out, m, i++);
    }
    if (!params_first)
        put_params(out, m);
}
