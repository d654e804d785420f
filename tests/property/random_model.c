/* random_model.c: making up hybrid bond graphs.
 *
 * A tree of junctions, often with further links that close loops (redundant ones among them),
 * some of the links through TF and GY; then 1-port elements on the junctions, now and then one
 * directly on another. Bonds point either way. */
#include "random_model.h"

/* ---- junctions and links ------------------------------------------------------------------- */

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

/* ---- 1-port elements ----------------------------------------------------------------------- */

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

/* ---- values and options -------------------------------------------------------------------- */

/* With any sign mostly ±1: a loop of resistors may then be singular. */
static void random_small(fmpq_t v, test_rng *r, bool any_sign)
{
    static const int num[] = {1, 1, 1, 2, 1, 3, 3, 1, 5, 1},
                     den[] = {1, 1, 1, 1, 2, 1, 2, 4, 3, 10};
    int i = test_rng_int(r, 0, any_sign ? 4 : 9);
    fmpq_set_si(v, any_sign && test_rng_chance(r, 50) ? -num[i] : num[i], (ulong)den[i]);
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
    bool active = test_rng_chance(r, 25);
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
    int k = test_rng_chance(r, 30) ? model_add_param(m, "k") : -1;
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

/* ---- values that switches choose ----------------------------------------------------------- */

static void random_choice(model_choice *c, test_rng *r, const int *sw, int nsw, int param)
{
    static const int num[] = {1, 1, 2, 3, 1, 5}, den[] = {1, 2, 1, 1, 3, 4};
    int a = test_rng_int(r, 0, nsw - 1), b = test_rng_int(r, 0, nsw - 1), v = test_rng_int(r, 0, 5);
    *c = (model_choice){.join = a == b                   ? CHOICE_ONE
                                : test_rng_chance(r, 50) ? CHOICE_AND
                                                         : CHOICE_OR,
                        .sw = {sw[a], sw[b]},
                        .negated = {test_rng_chance(r, 40), test_rng_chance(r, 40)},
                        .num = num[v],
                        .den = den[v],
                        .symbol = test_rng_chance(r, 40) ? param : -1};
}

static void random_choices(model *m, test_rng *r, int param)
{
    int nsw = 0, sw[MODEL_ELEMENTS];
    for (int i = 0; i < m->nelements; i++)
        if (model_is_switch(m, i))
            sw[nsw++] = i;
    int percent = test_rng_int(r, 10, 80);
    for (int i = 0; i < m->nelements && nsw > 0; i++) {
        model_element *x = &m->element[i];
        if (x->symbol < 0 || !test_rng_chance(r, percent))
            continue;
        x->nchoices = test_rng_int(r, 2, MODEL_CHOICES);
        for (int k = 0; k < x->nchoices; k++) {
            model_choice *c = &x->choice[k];
            random_choice(c, r, sw, nsw, param);
            if (!model_is_storage(m, i) && test_rng_chance(r, 25))
                c->num = 0;
            else if (!model_is_storage(m, i) && test_rng_chance(r, 15))
                c->num = -c->num;
        }
        x->choice[x->nchoices - 1].join = CHOICE_ALWAYS;
    }
}

static void add_booleans(model *m, test_rng *r)
{
    static const char *const name[] = {"hot", "wet"};
    int n = test_rng_chance(r, 40) ? test_rng_int(r, 1, 2) : 0;
    for (int i = 0; i < n && model_count(m, model_is_switch) < 6; i++)
        model_add_element(m, JN_BOOLEAN, name[i]);
}

/* ---- the models ---------------------------------------------------------------------------- */

static void random_graph(model *m, test_rng *r)
{
    m->nelements = m->nbonds = m->nsymbols = m->nfields = m->nlinks = 0;
    int n = add_junctions(m, r);
    add_ports(m, r, test_rng_int(r, 0, test_rng_chance(r, 50) ? 2 : 4), JN_SE, JN_SF, n);
    add_ports(m, r, test_rng_int(r, 0, 6), JN_I, JN_C, n);
    add_ports(m, r, test_rng_int(r, 0, 5), JN_R, JN_R, n);
    if (test_rng_chance(r, 8))
        add_pair(m, r);
    fill_bare_junctions(m, r, n);
}

void model_random(model *m, test_rng *r)
{
    int from[MODEL_ELEMENTS];
    random_graph(m, r);
    share_symbols(m, r);
    random_values(m, r);
    random_options(m, r);
    model_permute(m, from, r);
}

void model_random_switched(model *m, test_rng *r)
{
    int from[MODEL_ELEMENTS];
    random_graph(m, r);
    add_booleans(m, r);
    share_symbols(m, r);
    random_choices(m, r, model_add_param(m, "h"));
    random_values(m, r);
    random_options(m, r);
    model_permute(m, from, r);
}

/* ---- fields -------------------------------------------------------------------------------- */

/* Off the diagonal values are small, so that no matrix is singular: the least on the diagonal is
 * 1/40. */
static void random_link(model *m, test_rng *r, int a, int b, const int *sw, int nsw)
{
    model_link *l = &m->link[m->nlinks++];
    *l = (model_link){.a = a, .b = b, .symbol = -1};
    if (nsw > 0 && test_rng_chance(r, 30)) {
        random_choice(&l->choice[0], r, sw, nsw, -1);
        l->choice[1] = (model_choice){.join = CHOICE_ALWAYS, .num = -1, .den = 89, .symbol = -1};
        l->choice[0].num = test_rng_int(r, 0, 1);
        l->choice[0].den = 97;
        return;
    }
    char name[MODEL_NAME];
    int first = m->element[a].kind != JN_R && b < a ? b : a, second = first == a ? b : a;
    snprintf(name, sizeof name, "%.10s.%c", m->element[first].name, 'a' + m->element[second].port);
    l->symbol = model_add_param(m, name);
    model_symbol *s = &m->symbol[l->symbol];
    s->is_param = false;
    s->given = true;
    fmpq_set_si(s->value, test_rng_chance(r, 50) ? 1 : -1, 97);
    random_generic(s->generic, r);
}

static void couple(model *m, test_rng *r, int first, int n)
{
    int nsw = 0, sw[MODEL_ELEMENTS];
    bool storage = model_is_storage(m, first);
    for (int i = 0; i < m->nelements; i++)
        if (model_is_switch(m, i))
            sw[nsw++] = i;
    for (int a = first; a < first + n; a++)
        for (int b = first; b < first + n; b++) {
            if (b == a || (storage && b < a) || test_rng_chance(r, 25))
                continue;
            random_link(m, r, a, b, sw, nsw);
            if (storage) {
                m->link[m->nlinks] = m->link[m->nlinks - 1];
                m->link[m->nlinks].a = b;
                m->link[m->nlinks++].b = a;
            }
        }
}

static bool can_join(const model *m, int x, int first)
{
    const model_element *e = &m->element[x];
    return e->kind == m->element[first].kind && !e->field && !m->symbol[e->symbol].is_param;
}

/* Up to three elements of a kind, moved together, become a field. */
static void add_field(model *m, test_rng *r, int first)
{
    int from[MODEL_ELEMENTS], n = 0, most = test_rng_int(r, 2, 3), rest = 0, part[3];
    for (int i = first; i < m->nelements && n < most; i++)
        if (can_join(m, i, first))
            part[n++] = i;
    if (n < 2)
        return;
    for (int i = 0; i < m->nelements; i++) {
        bool joins = i == part[0] || i == part[1] || (n > 2 && i == part[2]);
        for (int k = 0; k < n && i == first; k++)
            from[rest++] = part[k];
        if (!joins)
            from[rest++] = i;
    }
    model_reorder(m, from);
    m->nfields++;
    for (int k = 0; k < n; k++) {
        model_element *x = &m->element[first + k];
        x->field = m->nfields;
        x->port = k;
        x->priority = m->element[first].priority;
        snprintf(x->name, sizeof x->name, "F%d.%c", m->nfields, 'a' + k);
        memcpy(m->symbol[x->symbol].name, x->name, sizeof x->name);
        m->symbol[x->symbol].given = true;
    }
}

void model_random_fields(model *m, test_rng *r)
{
    model_random_switched(m, r);
    for (int i = 0; i < m->nelements && m->nfields < 3; i++) {
        jn_kind kind = m->element[i].kind;
        if ((kind == JN_I || kind == JN_C || kind == JN_R) && can_join(m, i, i) &&
            test_rng_chance(r, 60))
            add_field(m, r, i);
    }
    for (int i = 0; i < m->nelements; i++) {
        int n = 1;
        while (m->element[i].field && i + n < m->nelements &&
               m->element[i + n].field == m->element[i].field)
            n++;
        if (n > 1)
            couple(m, r, i, n);
        i += n - 1;
    }
}

/* ---------------------------------------------------------------------------------------------- */

void model_add_feedback(model *m, test_rng *r)
{
    int port[MODEL_ELEMENTS], n = 0;
    for (int x = 0; x < m->nelements; x++)
        if (model_is_port(m, x))
            port[n++] = x;
    for (int x = 0; x < m->nelements; x++) {
        model_element *e = &m->element[x];
        if (!model_is_source(m, x) || test_rng_chance(r, 30))
            continue;
        e->nreads = test_rng_int(r, 1, MODEL_READS);
        e->beside = test_rng_chance(r, 40);
        for (int i = 0; i < e->nreads; i++) {
            int from = port[test_rng_int(r, 0, n - 1)];
            bool state = model_is_storage(m, from) && test_rng_chance(r, 30);
            bool inertia = m->element[from].kind == JN_I;
            char what = state ? inertia ? 'p' : 'q' : test_rng_chance(r, 50) ? 'e' : 'f';
            int factor = test_rng_int(r, 1, 7);
            e->read[i] = (model_read){from, what, factor};
        }
    }
}

void model_random_of(model *m, test_rng *r, int index)
{
    if (index % 3 == 2)
        model_random_fields(m, r);
    else if (index % 3 == 1)
        model_random_switched(m, r);
    else
        model_random(m, r);
}
