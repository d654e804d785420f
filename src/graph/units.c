/* units.c: the units of variables, values and expressions, and whether they fit.
 *
 * Units follow from domains and from what is written at numbers. A plain number may stand for
 * anything: V = 2*t is a voltage. So a contradiction is reported only where both sides are certain:
 * 10 V beside an R, e(c) > 3 A. A label may be more generous: 2*e(c) is in volts; but e(tank)/9810 may be
 * a level and 1000*f(L) milliamperes, so that other plain factors leave the unit open. */
#include <stdlib.h>
#include <string.h>

#include "graph_internal.h"

/* ---- domains ------------------------------------------------------------------------------- */

static const struct {
    const char *e, *f, *p, *q, *I, *C, *R;
} units[] = {
    [JN_DOMAIN_ELECTRICAL] = {"V", "A", "Wb", "C", "H", "F", "Ohm"},
    [JN_DOMAIN_TRANSLATIONAL] = {"N", "m/s", "N*s", "m", "kg", "m/N", "N*s/m"},
    [JN_DOMAIN_ROTATIONAL] = {"N*m", "rad/s", "N*m*s", "rad", "kg*m^2", "rad/(N*m)", "N*m*s/rad"},
    [JN_DOMAIN_HYDRAULIC] = {"Pa", "m^3/s", "Pa*s", "m^3", "Pa*s^2/m^3", "m^3/Pa", "Pa*s/m^3"},
    [JN_DOMAIN_THERMAL] = {"K", "W", "K*s", "J", "K*s/W", "J/K", "K/W"},
};

static jn_unit unit_named(const char *text)
{
    jn_unit u = jn_unit_none();
    if (text)
        jn_unit_scan(&u, text, strlen(text));
    return u;
}

/* Every unit of a domain from those of effort and flow. */
static jn_unit derived(jn_domain d, char what)
{
    jn_unit e = unit_named(units[d].e), f = unit_named(units[d].f), s = unit_named("s"), u;
    switch (what) {
    case 'e':
        return e;
    case 'f':
        return f;
    case 'p':
        return jn_unit_times(&e, &s, 1);
    case 'q':
        return jn_unit_times(&f, &s, 1);
    case 'I':
        u = jn_unit_times(&e, &s, 1);
        return jn_unit_times(&u, &f, -1);
    case 'C':
        u = jn_unit_times(&f, &s, 1);
        return jn_unit_times(&u, &e, -1);
    default: /* R */
        return jn_unit_times(&e, &f, -1);
    }
}

const char *jn_domain_unit(jn_unit *u, jn_domain d, char what)
{
    if (d <= JN_DOMAIN_NONE)
        return NULL;
    *u = derived(d, what);
    switch (what) {
    case 'e':
        return units[d].e;
    case 'f':
        return units[d].f;
    case 'p':
        return units[d].p;
    case 'q':
        return units[d].q;
    case 'I':
        return units[d].I;
    case 'C':
        return units[d].C;
    default:
        return units[d].R;
    }
}

static const char *printed(const jn_graph *g, const jn_unit *u)
{
    jn_str text;
    jn_str_init(&text);
    jn_unit_print(&text, u);
    const char *kept = jn_arena_strndup(g->arena, jn_str_c(&text), text.len);
    jn_str_clear(&text);
    return kept;
}

/* The unit of a ratio: e_in/e_out of a TF, e_in/f_out of a GY. */
static const char *ratio_unit(jn_unit *u, const jn_graph *g, const jn_element *e)
{
    jn_unit in, out;
    if (e->nbonds != 2 || !jn_domain_unit(&in, g->bond[e->bond[0]].domain, 'e') ||
        !jn_domain_unit(&out, g->bond[e->bond[1]].domain, e->kind == JN_TF ? 'e' : 'f'))
        return NULL;
    *u = jn_unit_times(&in, &out, -1);
    return printed(g, u);
}

/* That of an element's value; NULL: not known. */
static const char *value_unit(jn_unit *u, const jn_graph *g, const jn_element *e)
{
    switch (e->kind) {
    case JN_SE:
        return jn_domain_unit(u, e->domain, 'e');
    case JN_SF:
        return jn_domain_unit(u, e->domain, 'f');
    case JN_I:
        return jn_domain_unit(u, e->domain, 'I');
    case JN_C:
        return jn_domain_unit(u, e->domain, 'C');
    case JN_R:
        return jn_domain_unit(u, e->domain, 'R');
    case JN_TF:
    case JN_GY:
        return ratio_unit(u, g, e);
    default:
        return NULL;
    }
}

/* A plain number has none. */
static const char *unless_plain(const char *unit)
{
    return unit && strcmp(unit, "1") != 0 ? unit : NULL;
}

const char *jn_graph_value_unit(const jn_graph *g, int element)
{
    jn_unit u;
    return unless_plain(value_unit(&u, g, &g->element[element]));
}

/* Of an entry of a field: p_i/f_k, q_i/e_k or e_i/f_k. */
static const char *entry_unit(jn_unit *u, const jn_graph *g, const jn_multiport *f, int i, int k)
{
    const jn_element *row = &g->element[f->element[i]], *col = &g->element[f->element[k]];
    bool compliance = f->kind == JN_C;
    jn_unit by;
    if (row->domain == col->domain)
        return value_unit(u, g, row);
    if (!jn_domain_unit(u, row->domain,
                        compliance        ? 'q'
                        : f->kind == JN_I ? 'p'
                                          : 'e') ||
        !jn_domain_unit(&by, col->domain, compliance ? 'e' : 'f'))
        return NULL;
    *u = jn_unit_times(u, &by, -1);
    return printed(g, u);
}

const char *jn_graph_param_unit(const jn_graph *g, int param)
{
    const jn_param *p = &g->param[param];
    jn_unit u;
    if (p->element < 0)
        return p->given ? jn_graph_unit(g, p->given) : NULL;
    const jn_element *e = &g->element[p->element];
    jn_ratfun symbol = jn_ratfun_param(g->field, param);
    for (int k = 0; e->multiport && k < e->multiport->nports; k++)
        if (jn_ratfun_equal(e->multiport->entry[e->port * e->multiport->nports + k].one, symbol))
            return unless_plain(entry_unit(&u, g, e->multiport, e->port, k));
    return jn_graph_value_unit(g, p->element);
}

const char *jn_graph_variable_unit(const jn_graph *g, int element, char what)
{
    jn_unit u;
    return unless_plain(jn_domain_unit(&u, g->element[element].domain, what));
}

/* Temperature times heat flow is no power: sums of it are no energy. */
const char *jn_graph_energy_unit(const jn_graph *g)
{
    jn_unit u;
    for (int i = 0; i < g->nbonds; i++)
        if (g->bond[i].domain == JN_DOMAIN_THERMAL || !jn_domain_unit(&u, g->bond[i].domain, 'e'))
            return NULL;
    return g->has_domains ? "J" : NULL;
}

/* ---- expressions --------------------------------------------------------------------------- */

typedef enum { ANY, KNOWN, UNKNOWN } certainty; /* ANY: plain numbers only */

typedef struct {
    certainty is;
    jn_unit unit;
    bool pure; /* ANY: a factor that surely has no unit, 2 or 3/4, but not 0.02 or 1000 */
} measure;

typedef struct {
    const jn_graph *g;
    builder *b;    /* to report contradictions; NULL: do not */
    bool generous; /* pure numbers are factors without a unit */
    int depth, steps;
} asker;

/* Signals and parameters are followed where they are read; beyond so much work, nothing is known.
 */
enum { STEPS = 10000, FOLLOWED = 100 };

static const measure any = {.is = ANY}, pure = {.is = ANY, .pure = true}, unknown = {.is = UNKNOWN};

static measure measure_of(asker *a, const jn_expr *e);

static measure known(const char *text, jn_unit u)
{
    return text ? (measure){.is = KNOWN, .unit = u} : unknown;
}

enum { PURE_MAX = 12 };

/* Other numbers may have lost a unit: the 9810 of e(tank)/9810, the gain of a controller. */
static measure number(const jn_graph *g, jn_ratfun value)
{
    fmpq_t c;
    fmpq_init(c);
    bool small =
        jn_ratfun_get_fmpq(c, g->field, value) && fmpz_cmp_si(fmpq_numref(c), PURE_MAX) <= 0 &&
        fmpz_cmp_si(fmpq_numref(c), -PURE_MAX) >= 0 && fmpz_cmp_si(fmpq_denref(c), PURE_MAX) <= 0;
    fmpq_clear(c);
    return small ? pure : any;
}

static measure product(const asker *a, measure x, measure y, int power)
{
    if (x.is == ANY && y.is == ANY)
        return x.pure && y.pure ? pure : any;
    if (a->generous) {
        x = x.is == ANY && x.pure ? (measure){.is = KNOWN, .unit = jn_unit_none()} : x;
        y = y.is == ANY && y.pure ? (measure){.is = KNOWN, .unit = jn_unit_none()} : y;
    }
    if (x.is != KNOWN || y.is != KNOWN)
        return unknown;
    return (measure){.is = KNOWN, .unit = jn_unit_times(&x.unit, &y.unit, power)};
}

/* Two sides of a sum or a comparison are of the same unit. */
static measure agree(asker *a, jn_place place, measure x, measure y)
{
    if (x.is == UNKNOWN || y.is == UNKNOWN)
        return unknown;
    if (x.is == ANY && y.is == ANY)
        return x.pure && y.pure ? pure : any;
    if (x.is == ANY || y.is == ANY)
        return x.is == ANY ? y : x;
    if (jn_unit_same(&x.unit, &y.unit))
        return x;
    if (a->b)
        REPORT(a->b, JN_D_UNITS_DIFFER, place, printed(a->g, &x.unit), printed(a->g, &y.unit));
    return unknown;
}

static measure power_of(asker *a, const jn_expr *e)
{
    measure base = measure_of(a, e->arg[0]);
    double n = e->arg[1]->op == JN_X_NUMBER ? jn_ratfun_get_d(a->g->field, e->arg[1]->number) : 0.5;
    if (base.is == ANY)
        return any;
    if (base.is != KNOWN || n < -4 || n > 4 || n != (int)n)
        return unknown;
    jn_unit none = jn_unit_none();
    return (measure){.is = KNOWN, .unit = jn_unit_times(&none, &base.unit, (int)n)};
}

static measure variable(const asker *a, const jn_expr *e)
{
    jn_unit u = jn_unit_none();
    const jn_graph *g = a->g;
    switch (e->op) {
    case JN_X_TIME:
        return (measure){.is = KNOWN, .unit = unit_named("s")};
    case JN_X_EFFORT:
        return known(jn_domain_unit(&u, g->bond[e->index].domain, 'e'), u);
    case JN_X_FLOW:
        return known(jn_domain_unit(&u, g->bond[e->index].domain, 'f'), u);
    case JN_X_COMMON_EFFORT:
        return known(jn_domain_unit(&u, g->element[e->index].domain, 'e'), u);
    case JN_X_COMMON_FLOW:
        return known(jn_domain_unit(&u, g->element[e->index].domain, 'f'), u);
    case JN_X_MOMENTUM:
        return known(jn_domain_unit(&u, g->element[e->index].domain, 'p'), u);
    case JN_X_DISPLACEMENT:
        return known(jn_domain_unit(&u, g->element[e->index].domain, 'q'), u);
    default:
        return unknown;
    }
}

static measure followed(asker *a, const jn_expr *e)
{
    const jn_expr *of = e->op == JN_X_SIGNAL  ? a->g->signal[e->index].expr
                        : e->op == JN_X_PARAM ? a->g->param[e->index].given
                                              : NULL;
    if (!of || a->depth >= FOLLOWED)
        return unknown;
    builder *b = a->b;
    a->b = NULL; /* it is checked where it stands */
    a->depth++;
    measure m = measure_of(a, of);
    a->depth--;
    a->b = b;
    return m.is == ANY && e->op == JN_X_PARAM ? any : m;
}

/* All arguments are looked at, for contradictions in them. */
static measure function(asker *a, const jn_expr *e)
{
    measure x[3] = {unknown, unknown, unknown};
    for (int i = 0; i < e->nargs && i < 3; i++)
        x[i] = measure_of(a, e->arg[i]);
    switch (e->op) {
    case JN_X_ADD:
    case JN_X_SUB:
    case JN_X_MIN:
    case JN_X_MAX:
    case JN_X_LT:
    case JN_X_LE:
    case JN_X_EQ:
    case JN_X_GE:
    case JN_X_GT:
        return agree(a, e->place, x[0], x[1]);
    case JN_X_IF:
        return agree(a, e->place, x[1], x[2]);
    case JN_X_MUL:
        return product(a, x[0], x[1], 1);
    case JN_X_DIV:
        return product(a, x[0], x[1], -1);
    case JN_X_NEG:
    case JN_X_ABS:
    case JN_X_PRIOR:
    case JN_X_WITHIN:
        return x[0];
    case JN_X_INT:
        return product(a, x[0], (measure){.is = KNOWN, .unit = unit_named("s")}, 1);
    case JN_X_SIN:
    case JN_X_COS:
    case JN_X_TAN:
    case JN_X_SIGN:
    case JN_X_TANH:
        return pure;
    default:
        return unknown;
    }
}

static measure measure_of(asker *a, const jn_expr *e)
{
    if (a->steps++ > STEPS)
        return unknown;
    if (e->unit)
        return (measure){.is = KNOWN, .unit = *e->unit};
    if (e->op == JN_X_PI)
        return pure;
    if (e->op == JN_X_NUMBER)
        return number(a->g, e->number);
    if (e->op == JN_X_SIGNAL || e->op == JN_X_PARAM)
        return followed(a, e);
    if (e->op == JN_X_POW)
        return power_of(a, e);
    return e->nargs == 0 ? variable(a, e) : function(a, e);
}

/* Of a variable by itself the name that its domain gives the unit. */
static const char *variable_unit(const jn_graph *g, const jn_expr *e)
{
    jn_unit u;
    switch (e->op) {
    case JN_X_EFFORT:
    case JN_X_FLOW:
        return jn_domain_unit(&u, g->bond[e->index].domain, e->op == JN_X_EFFORT ? 'e' : 'f');
    case JN_X_COMMON_EFFORT:
    case JN_X_COMMON_FLOW:
        return jn_domain_unit(&u, g->element[e->index].domain,
                              e->op == JN_X_COMMON_EFFORT ? 'e' : 'f');
    case JN_X_MOMENTUM:
    case JN_X_DISPLACEMENT:
        return jn_domain_unit(&u, g->element[e->index].domain, e->op == JN_X_MOMENTUM ? 'p' : 'q');
    case JN_X_NEG:
    case JN_X_ABS:
    case JN_X_PRIOR:
        return variable_unit(g, e->arg[0]);
    case JN_X_SIGNAL:
        return variable_unit(g, g->signal[e->index].expr);
    default:
        return NULL;
    }
}

bool jn_expr_is_plain(const jn_expr *e)
{
    bool plain = !e->unit && (e->op == JN_X_NUMBER || e->nargs > 0);
    for (int i = 0; i < e->nargs && plain; i++)
        plain = jn_expr_is_plain(e->arg[i]);
    return plain;
}

bool jn_graph_carries_unit(const jn_graph *g, const jn_expr *e)
{
    if (e->unit)
        return true;
    if (e->op == JN_X_PARAM) /* not further: parameters may read others many times */
        return g->param[e->index].given && g->param[e->index].given->unit;
    for (int i = 0; i < e->nargs; i++)
        if (jn_graph_carries_unit(g, e->arg[i]))
            return true;
    return false;
}

const char *jn_graph_unit(const jn_graph *g, const jn_expr *e)
{
    asker a = {.g = g, .generous = true};
    const char *named = g->has_domains ? variable_unit(g, e) : NULL;
    if (named || !g->has_domains)
        return named;
    measure m = measure_of(&a, e);
    const char *text = m.is == KNOWN ? printed(g, &m.unit) : NULL;
    return unless_plain(text);
}

/* ---- checking ------------------------------------------------------------------------------ */

static void check_value(builder *b, const jn_expr *given, const jn_unit *wanted, const char *text,
                        const jn_element *e, const char *what)
{
    asker a = {.g = b->g, .b = b};
    if (!given)
        return;
    measure m = measure_of(&a, given);
    if (wanted && m.is == KNOWN && !jn_unit_same(&m.unit, wanted))
        REPORT(b, JN_D_UNIT_CONTRADICTS, given->place, printed(b->g, &m.unit), what, e->name, text,
               e->name,
               e->kind == JN_TF
                   ? "; e_in = n*e_out, so perhaps 1/n is meant, or both bonds are turned"
               : e->kind == JN_GY ? "; e_in = r*f_out and e_out = r*f_in"
                                  : "");
}

static void check_element(builder *b, const jn_element *e)
{
    jn_unit u;
    const char *text = value_unit(&u, b->g, e);
    const jn_expr *given = jn_kind_is_source(e->kind) ? e->input : e->given;
    check_value(b, given, text ? &u : NULL, text, e, "value");
    if (e->initial) {
        char what =
            e->kind == JN_I ? (e->initial_is_state ? 'p' : 'f') : (e->initial_is_state ? 'q' : 'e');
        text = jn_domain_unit(&u, e->domain, what);
        check_value(b, e->initial, text ? &u : NULL, text, e, "initial value");
    }
    if (e->law) {
        text = jn_domain_unit(&u, e->domain, e->law_of);
        check_value(b, e->law, text ? &u : NULL, text, e, "law");
    }
}

/* The entries beside the diagonal; those on it are the values of the ports. */
static void check_field(builder *b, const jn_multiport *f)
{
    jn_unit u;
    for (int i = 0; i < f->nports; i++)
        for (int k = 0; k < f->nports; k++) {
            const jn_expr *given = f->given[i * f->nports + k];
            const char *text = entry_unit(&u, b->g, f, i, k);
            if (i != k && !(k > i && given == f->given[k * f->nports + i]))
                check_value(b, given, text ? &u : NULL, text, &b->g->element[f->element[i]],
                            "entry");
        }
}

static void check_expr(builder *b, const jn_expr *e)
{
    asker a = {.g = b->g, .b = b};
    if (e)
        measure_of(&a, e);
}

static void check_automata(builder *b)
{
    for (int i = 0; i < b->g->nswitches; i++) {
        const jn_automaton *a = &b->g->automaton[i];
        for (int k = 0; k < a->ntransitions; k++)
            check_expr(b, a->transition[k].when);
        check_expr(b, a->pwm_duty);
    }
}

/* Times are seconds in any model: 5/3 ms divides by 3 ms, and is none. Products of plain numbers
 * are. */
static void check_time(builder *b, const jn_expr *e)
{
    asker a = {.g = b->g, .b = b, .generous = true};
    jn_unit none = jn_unit_none();
    measure m = e ? measure_of(&a, e) : unknown;
    if (m.is == KNOWN && !jn_unit_same(&m.unit, &none))
        agree(&a, e->place, m, (measure){.is = KNOWN, .unit = unit_named("s")});
}

static void check_times(builder *b)
{
    for (int i = 0; i < b->g->nswitches; i++) {
        const jn_automaton *a = &b->g->automaton[i];
        check_time(b, a->pwm_period);
        check_time(b, a->pwm_phase);
        for (int k = 0; k < a->ntimes; k++)
            check_time(b, a->timed[k].at);
    }
}

/* The unit of an output is the one that is written; if one follows, it is the same. */
static void check_output(builder *b, jn_signal *out)
{
    asker a = {.g = b->g, .b = b};
    measure m = measure_of(&a, out->expr);
    if (!out->unit) {
        out->unit = jn_graph_unit(b->g, out->expr);
        return;
    }
    jn_unit u = unit_named(out->unit);
    if (m.is == KNOWN && !jn_unit_same(&m.unit, &u))
        REPORT(b, JN_D_UNITS_DIFFER, out->place, printed(b->g, &m.unit), out->unit);
}

void jni_build_units(builder *b)
{
    const jn_graph *g = b->g;
    check_times(b);
    if (!g->has_domains)
        return;
    for (int i = 0; i < g->nelements; i++)
        check_element(b, &g->element[i]);
    for (int i = 0; i < g->nmultiports; i++)
        check_field(b, &g->multiport[i]);
    for (int i = 0; i < g->nsignals; i++)
        check_expr(b, g->signal[i].expr);
    for (int i = 0; i < g->noutputs; i++)
        check_output(b, (jn_signal *)&g->output[i]);
    check_automata(b);
    for (int i = 0; i < g->nasserts; i++)
        check_expr(b, g->assertion[i].condition);
}
