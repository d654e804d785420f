/* model.c: the plain description of a bond graph, told in other ways, and as text. */
#include "random_model.h"

/* ---- the description ----------------------------------------------------------------------- */

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
    to->nfields = from->nfields;
    to->nlinks = from->nlinks;
    memcpy(to->link, from->link, sizeof to->link);
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

int model_add_param(model *m, const char *name)
{
    return add_symbol(m, name, true);
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
    return k == JN_X0 || k == JN_X1 || k == JN_BOOLEAN;
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

static int switch_number(const model *m, int element)
{
    int n = 0;
    for (int i = 0; i < element; i++)
        n += model_is_switch(m, i);
    return n;
}

static bool choice_holds(const model *m, const model_choice *c, const jn_onoff *mode)
{
    bool holds[2] = {true, true};
    for (int k = 0; k < 2 && c->join != CHOICE_ALWAYS; k++)
        holds[k] = mode[switch_number(m, c->sw[k])] != c->negated[k];
    return c->join == CHOICE_OR ? holds[0] || holds[1]
                                : holds[0] && (c->join == CHOICE_ONE || holds[1]);
}

static void choice_value(fmpq_t v, const model *m, const model_choice *c, bool numeric)
{
    fmpq_set_si(v, c->num, (ulong)c->den);
    if (c->symbol >= 0) {
        const model_symbol *s = &m->symbol[c->symbol];
        fmpq_mul(v, v, numeric && s->given ? s->value : s->generic);
    }
}

void model_value(fmpq_t v, const model *m, int element, bool numeric, const jn_onoff *mode)
{
    const model_element *x = &m->element[element];
    const model_symbol *s = &m->symbol[x->symbol];
    for (int i = 0; i < x->nchoices; i++)
        if (choice_holds(m, &x->choice[i], mode)) {
            choice_value(v, m, &x->choice[i], numeric);
            return;
        }
    fmpq_t c;
    fmpq_init(c);
    fmpq_set_si(c, x->coefficient, 1);
    fmpq_pow_si(v, numeric && s->given ? s->value : s->generic, x->power);
    fmpq_mul(v, v, c);
    fmpq_clear(c);
}

void model_link_value(fmpq_t v, const model *m, const model_link *l, bool numeric,
                      const jn_onoff *mode)
{
    const model_symbol *s = l->symbol < 0 ? NULL : &m->symbol[l->symbol];
    if (s)
        fmpq_set(v, numeric && s->given ? s->value : s->generic);
    else
        choice_value(v, m, &l->choice[!choice_holds(m, &l->choice[0], mode)], numeric);
}

static bool link_asks(const model *m, int sw)
{
    for (int i = 0; i < m->nlinks; i++) {
        const model_choice *c = &m->link[i].choice[0];
        if (m->link[i].symbol < 0 && (c->sw[0] == sw || c->sw[1] == sw))
            return true;
    }
    return false;
}

bool model_asks(const model *m, int sw)
{
    if (link_asks(m, sw))
        return true;
    for (int i = 0; i < m->nelements; i++)
        for (int k = 0; k < m->element[i].nchoices; k++) {
            const model_choice *c = &m->element[i].choice[k];
            if (c->join != CHOICE_ALWAYS && (c->sw[0] == sw || c->sw[1] == sw))
                return true;
        }
    return false;
}

/* ---- the same graph, told otherwise -------------------------------------------------------- */

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

void model_reorder(model *m, const int *from)
{
    model_element element[MODEL_ELEMENTS];
    int to[MODEL_ELEMENTS];
    memcpy(element, m->element, sizeof element);
    for (int i = 0; i < m->nelements; i++) {
        m->element[i] = element[from[i]];
        to[from[i]] = i;
    }
    for (int i = 0; i < m->nelements; i++)
        for (int k = 0; k < m->element[i].nchoices; k++)
            for (int w = 0; w < 2; w++) {
                int *sw = &m->element[i].choice[k].sw[w];
                *sw = to[*sw];
            }
    for (int i = 0; i < m->nbonds; i++)
        m->bond[i] = (model_bond){to[m->bond[i].tail], to[m->bond[i].head]};
}

void model_permute(model *m, int *from, test_rng *r)
{
    model_bond bond[MODEL_BONDS];
    int bond_from[MODEL_BONDS], n = m->nelements;
    memcpy(bond, m->bond, sizeof bond);
    /* switches of no junction are last in the graph */
    while (n > 0 && m->element[n - 1].kind == JN_BOOLEAN)
        n--;
    shuffle(from, n, r);
    for (int i = n; i < m->nelements; i++)
        from[i] = i;
    shuffle(bond_from, m->nbonds, r);
    for (int i = 0; i < m->nbonds; i++)
        m->bond[i] = bond[bond_from[i]];
    model_reorder(m, from);
}

void model_distinct_priorities(model *m, test_rng *r)
{
    int rank[MODEL_ELEMENTS];
    shuffle(rank, m->nelements, r);
    for (int i = 0; i < m->nelements; i++)
        if (model_is_storage(m, i))
            m->element[i].priority = rank[i] + 1;
}

/* ---- text ---------------------------------------------------------------------------------- */

/* One rational has many spellings. */
static void put_number(jn_str *out, const fmpq_t v, test_rng *r)
{
    fmpq_t hundred;
    fmpq_init(hundred);
    fmpq_set_si(hundred, 100, 1);
    fmpq_mul(hundred, hundred, v);
    bool decimal = fmpz_is_one(fmpq_denref(hundred)) && test_rng_chance(r, 30);
    char *s = fmpq_get_str(NULL, 10, decimal ? hundred : v);
    jn_str_addf(out, "%s%s", s, decimal ? "e-2" : "");
    flint_free(s);
    fmpq_clear(hundred);
}

static void put_value(jn_str *out, const model *m, const model_element *x, test_rng *r)
{
    const model_symbol *s = &m->symbol[x->symbol];
    if (!s->is_param && s->given) {
        jn_str_add(out, " = ");
        put_number(out, s->value, r);
    } else if (s->is_param) {
        jn_str_addf(out, " = %d%s%s", x->coefficient, x->power > 0 ? "*" : "/", s->name);
    }
}

static void put_choice(jn_str *out, const model *m, const model_choice *c)
{
    static const char *const join[] = {"", " and ", " or "};
    for (int k = 0; k < (c->join == CHOICE_ONE ? 1 : 2); k++)
        jn_str_addf(out, "%s%son(%s)", k ? join[c->join] : "", c->negated[k] ? "not " : "",
                    m->element[c->sw[k]].name);
}

static void put_choices(jn_str *out, const model *m, const model_choice *choice, int n)
{
    for (int i = 0; i < n; i++) {
        const model_choice *c = &choice[i];
        bool last = c->join == CHOICE_ALWAYS;
        if (!last) {
            jn_str_add(out, "if(");
            put_choice(out, m, c);
            jn_str_add(out, ", ");
        }
        jn_str_addf(out, "%d/%d", c->num, c->den);
        if (c->symbol >= 0)
            jn_str_addf(out, "*%s", m->symbol[c->symbol].name);
        jn_str_add(out, last ? "" : ", ");
    }
    for (int i = 1; i < n; i++)
        jn_str_addc(out, ')');
}

/* An entry of a field's matrix, on the diagonal or beside it. */
static void put_entry(jn_str *out, const model *m, int a, int b, test_rng *r)
{
    const model_element *x = &m->element[a];
    if (a == b && x->nchoices)
        put_choices(out, m, x->choice, x->nchoices);
    else if (a == b)
        put_number(out, m->symbol[x->symbol].value, r);
    for (int i = 0; i < m->nlinks && a != b; i++) {
        const model_link *l = &m->link[i];
        if (l->a != a || l->b != b)
            continue;
        if (l->symbol >= 0)
            put_number(out, m->symbol[l->symbol].value, r);
        else
            put_choices(out, m, l->choice, 2);
        return;
    }
    if (a != b)
        jn_str_addc(out, '0');
}

/* Element i is its first port; returns how many there are. */
static int put_field(jn_str *out, const model *m, int i, test_rng *r)
{
    int n = 1;
    while (i + n < m->nelements && m->element[i + n].field == m->element[i].field)
        n++;
    bool half = m->element[i].kind != JN_R && test_rng_chance(r, 50);
    jn_str_addf(out, "%s F%d(", jn_kind_name(m->element[i].kind), m->element[i].field);
    for (int k = 0; k < n; k++)
        jn_str_addf(out, "%s%c", k ? ", " : "", 'a' + k);
    jn_str_add(out, ") = [");
    for (int k = 0; k < n; k++)
        for (int c = 0; c < (half ? k + 1 : n); c++) {
            jn_str_add(out, c ? ", " : k ? "; " : "");
            put_entry(out, m, i + k, i + c, r);
        }
    jn_str_addc(out, ']');
    if (m->element[i].priority)
        jn_str_addf(out, ", priority %d", m->element[i].priority);
    jn_str_addc(out, '\n');
    return n;
}

static void write_reads(jn_str *out, const model *m, const model_element *x)
{
    jn_str_add(out, " =");
    for (int i = 0; i < x->nreads; i++)
        jn_str_addf(out, "%s%d*%c(%s)", i ? " + " : " ", x->read[i].factor, x->read[i].what,
                    m->element[x->read[i].element].name);
    jn_str_add(out, x->beside ? " + sin(t)" : "");
}

static void put_element(jn_str *out, const model *m, int i, test_rng *r)
{
    const model_element *x = &m->element[i];
    if (x->kind == JN_BOOLEAN) {
        jn_str_addf(out, "switch %s off\n", x->name);
        return;
    }
    jn_str_addf(out, "%s %s", jn_kind_name(x->kind), x->name);
    if (x->nchoices) {
        jn_str_add(out, " = ");
        put_choices(out, m, x->choice, x->nchoices);
    } else if (x->symbol >= 0)
        put_value(out, m, x, r);
    else if (x->nreads)
        write_reads(out, m, x);
    else if (x->input[0])
        jn_str_addf(out, " = %s", x->input);
    if (x->initial[0])
        jn_str_addf(out, ", %s", x->initial);
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

static void put_params(jn_str *out, const model *m, test_rng *r)
{
    for (int i = 0; i < m->nsymbols; i++) {
        if (!m->symbol[i].is_param)
            continue;
        jn_str_addf(out, "param %s", m->symbol[i].name);
        if (m->symbol[i].given) {
            jn_str_add(out, " = ");
            put_number(out, m->symbol[i].value, r);
        }
        jn_str_addc(out, '\n');
    }
}

void model_text(jn_str *out, const model *m, test_rng *r)
{
    bool params_first = test_rng_chance(r, 50), mixed = test_rng_chance(r, 30);
    jn_str_add(out, "model random\n");
    if (params_first)
        put_params(out, m, r);
    for (int i = 0, b = 0; i < m->nelements || b < m->nbonds;) {
        bool bond_next = i == m->nelements || (mixed && b < m->nbonds && test_rng_chance(r, 50));
        if (bond_next)
            b = put_bonds(out, m, b, r);
        else if (m->element[i].field)
            i += put_field(out, m, i, r);
        else
            put_element(out, m, i++, r);
    }
    if (!params_first)
        put_params(out, m, r);
}
