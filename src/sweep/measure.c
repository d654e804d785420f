/* measure.c: what is asked of every row.
 *
 * A measure is an expression of the language, with functions that turn the course of a value into a
 * number: mean(uC), max(uC) - min(uC), energy(dissipated)/energy(supplied). Each use of such a
 * function is a leaf, which the answer to a row fills in; above the leaves there is only arithmetic.
 * A part without any such function is a leaf as well: what it is worth at the end. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sweep_internal.h"

struct node {
    jn_ast_op op; /* JN_AST_CALL: a function; JN_AST_NAME: a leaf */
    int function, leaf;
    int nargs;
    const node **arg;
};

typedef struct {
    measures *to;
    jn_arena *arena;
    const jn_graph *g;
    const jn_source *source;
    jn_sweep_kind kind;
    jn_diags *d;
    bool failed;
} reader;

static void *fail(reader *r, jn_place place, const char *message, const char *advice)
{
    r->failed = true;
    jn_diag_add(r->d, JN_D_SWEEP_MEASURE, place, message, advice);
    return NULL;
}

/* ---- which words there are ----------------------------------------------------------------- */

enum { RUN = 1 << JN_SWEEP_RUN, STEADY = 1 << JN_SWEEP_STEADY, ANALYSE = 1 << JN_SWEEP_ANALYSE };

/* Of an expression over time. */
static const struct over_time {
    const char *name;
    leaf_kind kind;
    unsigned what; /* of a meter */
    unsigned sweeps;
} over_time[] = {{"mean", LEAF_MEAN, JN_METER_INTEGRAL, RUN | STEADY},
                 {"rms", LEAF_RMS, JN_METER_SQUARE, RUN | STEADY},
                 {"min", LEAF_MIN, JN_METER_RANGE, RUN | STEADY},
                 {"max", LEAF_MAX, JN_METER_RANGE, RUN | STEADY},
                 {"first", LEAF_FIRST, JN_METER_FIRST, RUN},
                 {"final", LEAF_FINAL, 0, RUN}};

/* Of a word in brackets. */
static const struct of_word {
    const char *name, *word;
    leaf_kind kind;
    unsigned sweeps;
} of_word[] = {{"count", "events", LEAF_COUNT_EVENTS, RUN},
               {"count", "modes", LEAF_COUNT_MODES, RUN | STEADY},
               {"energy", "supplied", LEAF_SUPPLIED, RUN | STEADY},
               {"energy", "stored", LEAF_STORED, RUN | STEADY},
               {"energy", "dissipated", LEAF_DISSIPATED, RUN | STEADY},
               {"energy", "lost", LEAF_LOST, RUN | STEADY}};

/* Words of their own. */
static const struct alone {
    const char *name;
    leaf_kind kind;
    unsigned sweeps;
} alone[] = {{"period", LEAF_PERIOD, STEADY},
             {"multiplier", LEAF_MULTIPLIER, STEADY},
             {"multipliers", LEAF_MULTIPLIERS, STEADY},
             {"stable", LEAF_STABLE, STEADY | ANALYSE},
             {"order", LEAF_ORDER, ANALYSE},
             {"abscissa", LEAF_ABSCISSA, ANALYSE},
             {"poles", LEAF_POLES, ANALYSE}};

static const struct function {
    const char *name;
    double (*of)(double);
} functions[] = {{"abs", fabs},  {"sqrt", sqrt},   {"exp", exp},  {"log", log},
                 {"sin", sin},   {"cos", cos},     {"tan", tan},  {"atan", atan},
                 {"tanh", tanh}, {"floor", floor}, {"min", NULL}, {"max", NULL}};

#define COUNT(list) ((int)(sizeof(list) / sizeof(list)[0]))

static bool allows(const reader *r, unsigned sweeps)
{
    return sweeps >> r->kind & 1;
}

static const struct over_time *find_over_time(const jn_ast_expr *e)
{
    for (int i = 0; i < COUNT(over_time) && e->op == JN_AST_CALL && e->nargs == 1; i++)
        if (!strcmp(over_time[i].name, e->text))
            return &over_time[i];
    return NULL;
}

static bool is_word_function(const jn_ast_expr *e)
{
    return e->op == JN_AST_CALL && (!strcmp(e->text, "count") || !strcmp(e->text, "energy"));
}

static bool is_plain_name(const jn_ast_expr *e, const char *name)
{
    return e->op == JN_AST_NAME && e->name.nparts == 1 && !e->name.part[0].index &&
           !strcmp(e->name.part[0].text, name);
}

static bool is_declared(const jn_graph *g, const char *name)
{
    for (int i = 0; i < g->noutputs; i++)
        if (!strcmp(g->output[i].name, name))
            return true;
    for (int i = 0; i < g->nsignals; i++)
        if (!strcmp(g->signal[i].name, name))
            return true;
    for (int i = 0; i < g->nparams; i++)
        if (!strcmp(g->param[i].name, name))
            return true;
    return false;
}

/* The model's own names come first. */
static const struct alone *find_alone(const reader *r, const jn_ast_expr *e)
{
    for (int i = 0; i < COUNT(alone); i++)
        if (is_plain_name(e, alone[i].name) && allows(r, alone[i].sweeps) &&
            !is_declared(r->g, alone[i].name))
            return &alone[i];
    return NULL;
}

static bool has_measure(const reader *r, const jn_ast_expr *e)
{
    if (find_over_time(e) || is_word_function(e) || find_alone(r, e))
        return true;
    for (int i = 0; i < e->nargs; i++)
        if (has_measure(r, e->arg[i]))
            return true;
    return false;
}

/* ---- leaves -------------------------------------------------------------------------------- */

static int add_leaf(reader *r, leaf l)
{
    JN_GROW(r->to->leaf, r->to->nleaves, r->to->cap_leaves);
    r->to->leaf[r->to->nleaves] = l;
    return r->to->nleaves++;
}

static const node *leaf_node(reader *r, int number)
{
    node *n = jn_arena_alloc(r->arena, sizeof *n);
    *n = (node){.op = JN_AST_NAME, .leaf = number};
    return n;
}

static const char *text_of(reader *r, const jn_ast_expr *e)
{
    jn_str text;
    jn_str_init(&text);
    jn_syntax_format_expr(&text, e);
    const char *kept = jn_arena_strndup(r->arena, jn_str_c(&text), text.len);
    jn_str_clear(&text);
    return kept;
}

/* The same expression is metered once. */
static int add_metered(reader *r, const jn_ast_expr *e, const jn_expr *resolved, unsigned what)
{
    const char *text = text_of(r, e);
    measures *m = r->to;
    int i = 0;
    while (i < m->nmetered && strcmp(m->metered[i].text, text))
        i++;
    if (i == m->nmetered) {
        JN_GROW(m->metered, m->nmetered, m->cap_metered);
        m->metered[m->nmetered++] = (metered){.e = resolved, .text = text};
    }
    m->metered[i].what |= what;
    return i;
}

static const jn_expr *resolve(reader *r, const jn_ast_expr *e)
{
    const jn_expr *x;
    if (jn_graph_resolve(&x, r->g, e, r->source, r->d) == JN_OK)
        return x;
    r->failed = true;
    return NULL;
}

static const node *read_over_time(reader *r, const jn_ast_expr *e, const struct over_time *f)
{
    if (has_measure(r, e->arg[0]))
        return fail(r, e->arg[0]->place, "a measure cannot stand in a measure",
                    "mean, rms, min and max are of an expression of the model");
    if (!allows(r, f->sweeps))
        return fail(r, e->place, "this measure is one of runs",
                    "leave --steady and --analyse away, or ask for something else");
    const jn_expr *x = resolve(r, e->arg[0]);
    if (!x)
        return NULL;
    if (f->kind == LEAF_FIRST && !jn_expr_is_condition(x))
        return fail(r, e->arg[0]->place, "first(…) is of a condition", "as in first(uC > 11)");
    if (jn_expr_is_condition(x) && (f->kind == LEAF_FINAL || r->kind != JN_SWEEP_RUN))
        return fail(r, e->arg[0]->place, "a value should stand here",
                    "in a run mean(…) of a condition is the share of the time");
    leaf l = {.kind = f->kind, .e = x, .metered = -1};
    if (f->what)
        l.metered = add_metered(r, e->arg[0], x, f->what);
    return leaf_node(r, add_leaf(r, l));
}

/* count(events), energy(lost), count(s1) */
static const node *read_of_word(reader *r, const jn_ast_expr *e)
{
    bool counts = !strcmp(e->text, "count");
    if (e->nargs != 1)
        return fail(r, e->place, counts ? "count(…) takes one word" : "energy(…) takes one word",
                    counts ? "events, modes or the name of a switch"
                           : "supplied, stored, dissipated or lost");
    for (int i = 0; i < COUNT(of_word); i++)
        if (!strcmp(of_word[i].name, e->text) && is_plain_name(e->arg[0], of_word[i].word)) {
            if (!allows(r, of_word[i].sweeps))
                return fail(r, e->place, "this measure is one of runs",
                            "leave --steady and --analyse away, or ask for something else");
            return leaf_node(r, add_leaf(r, (leaf){.kind = of_word[i].kind, .metered = -1}));
        }
    if (!counts)
        return fail(r, e->arg[0]->place, "there is no such energy",
                    "supplied, stored, dissipated or lost");
    int element = e->arg[0]->op == JN_AST_NAME ? jn_graph_find(r->g, text_of(r, e->arg[0])) : -1;
    if (element < 0 || !jn_kind_is_switch(r->g->element[element].kind))
        return fail(r, e->arg[0]->place, "this is neither events nor modes nor a switch", "");
    if (r->kind != JN_SWEEP_RUN)
        return fail(r, e->place, "changes of a switch are counted in runs only", "");
    return leaf_node(r, add_leaf(r, (leaf){.kind = LEAF_COUNT_SWITCH,
                                           .metered = -1,
                                           .sw = r->g->element[element].number}));
}

static bool is_function(const char *name)
{
    static const char *const others[] = {"sign",  "atan2", "mod",   "if",     "int",
                                         "table", "e",     "f",     "p",      "q",
                                         "on",    "in",    "prior", "within", "impulse"};
    for (int i = 0; i < COUNT(functions); i++)
        if (!strcmp(functions[i].name, name))
            return true;
    for (int i = 0; i < COUNT(others); i++)
        if (!strcmp(others[i], name))
            return true;
    return false;
}

/* A call of something that looks like a measure; NULL: there is none. */
static const jn_ast_expr *find_misspelt(const jn_ast_expr *e, const char **meant)
{
    static const char *const names[] = {"mean",  "rms",   "min",   "max",
                                        "first", "final", "count", "energy"};
    if (e->op == JN_AST_CALL && !is_function(e->text) &&
        (*meant = jn_closest(e->text, names, COUNT(names))))
        return e;
    const jn_ast_expr *found = NULL;
    for (int i = 0; i < e->nargs && !found; i++)
        found = find_misspelt(e->arg[i], meant);
    return found;
}

/* A word that other sweeps have; NULL: there is none. */
static const jn_ast_expr *find_elsewhere(const reader *r, const jn_ast_expr *e, unsigned *sweeps)
{
    for (int i = 0; i < COUNT(alone); i++)
        if (is_plain_name(e, alone[i].name) && !is_declared(r->g, alone[i].name)) {
            *sweeps = alone[i].sweeps;
            return e;
        }
    const jn_ast_expr *found = NULL;
    for (int i = 0; i < e->nargs && !found; i++)
        found = find_elsewhere(r, e->arg[i], sweeps);
    return found;
}

/* Without a measure in it: what it is at the end. */
static const node *read_final(reader *r, const jn_ast_expr *e)
{
    unsigned sweeps;
    const jn_ast_expr *elsewhere = find_elsewhere(r, e, &sweeps);
    if (elsewhere)
        return fail(r, elsewhere->place,
                    sweeps & STEADY ? "this is asked of periodic orbits" : "this is asked of modes",
                    sweeps & STEADY ? "add --steady" : "add --analyse");
    const char *meant;
    const jn_ast_expr *misspelt = find_misspelt(e, &meant);
    if (misspelt)
        return fail(r, misspelt->place,
                    jn_arena_printf(r->arena, "there is no measure '%s'", misspelt->text),
                    jn_arena_printf(r->arena, "did you mean '%s'?", meant));
    const jn_expr *x = resolve(r, e);
    if (!x)
        return NULL;
    if (jn_expr_is_condition(x))
        return fail(r, e->place, "this is a condition of the model, not a number",
                    "its first time is first(…), its share of the time mean(…)");
    bool varies = jn_expr_varies(x);
    if (varies && r->kind != JN_SWEEP_RUN)
        return fail(r, e->place, "this changes in time",
                    r->kind == JN_SWEEP_STEADY
                        ? "ask for its mean, rms, min or max over a period"
                        : "of a mode ask for poles, abscissa, stable, order");
    return leaf_node(
        r, add_leaf(r, (leaf){.kind = varies ? LEAF_FINAL : LEAF_CONSTANT, .e = x, .metered = -1}));
}

/* ---- trees --------------------------------------------------------------------------------- */

static const node *read_tree(reader *r, const jn_ast_expr *e);

static const node *read_arguments(reader *r, node *n, const jn_ast_expr *e)
{
    n->nargs = e->nargs;
    n->arg = jn_arena_alloc(r->arena, (size_t)e->nargs * sizeof *n->arg);
    for (int i = 0; i < e->nargs; i++)
        n->arg[i] = read_tree(r, e->arg[i]);
    return n;
}

static const node *read_call(reader *r, const jn_ast_expr *e)
{
    node *n = jn_arena_alloc(r->arena, sizeof *n);
    *n = (node){.op = JN_AST_CALL, .function = -1};
    for (int i = 0; i < COUNT(functions); i++)
        if (!strcmp(functions[i].name, e->text))
            n->function = i;
    bool folds = n->function >= 0 && !functions[n->function].of;
    if (n->function < 0 || (folds ? e->nargs < 2 : e->nargs != 1))
        return fail(
            r, e->place, "this cannot be done with measures",
            "between measures there are + - * / ^, comparisons, abs, sqrt, exp, log, min, max");
    return read_arguments(r, n, e);
}

static const node *read_tree(reader *r, const jn_ast_expr *e)
{
    const struct over_time *f = find_over_time(e);
    const struct alone *word = find_alone(r, e);
    if (f)
        return read_over_time(r, e, f);
    if (is_word_function(e))
        return read_of_word(r, e);
    if (word && (word->kind == LEAF_POLES || word->kind == LEAF_MULTIPLIERS))
        return fail(r, e->place, "this is a list", "let it be a measure of its own");
    if (word)
        return leaf_node(r, add_leaf(r, (leaf){.kind = word->kind, .metered = -1}));
    if (!has_measure(r, e))
        return read_final(r, e);
    if (e->op == JN_AST_CALL)
        return read_call(r, e);
    node *n = jn_arena_alloc(r->arena, sizeof *n);
    *n = (node){.op = e->op};
    return read_arguments(r, n, e);
}

/* ---- a measure ----------------------------------------------------------------------------- */

/* "name = expression": the length of what stands before the expression; 0: nothing does. */
static size_t scan_name(const char *text, size_t *name)
{
    size_t at = strspn(text, " \t");
    size_t len =
        strspn(text + at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    *name = len;
    size_t equals = at + len + strspn(text + at + len, " \t");
    return len && text[equals] == '=' ? equals + 1 : 0;
}

/* Spaces in place of the name, so that places stay as they are. */
static const jn_source *without_name(jn_arena *a, const char *text, size_t skip)
{
    char *copy = jn_arena_strndup(a, text, strlen(text));
    memset(copy, ' ', skip);
    return jn_source_of(a, "--measure", copy, strlen(copy));
}

/* Messages show the text as it was given. */
static void pass_on(jn_diags *to, const jn_diags *from, const jn_source *given)
{
    for (int i = 0; i < jn_diags_count(from); i++) {
        jn_diag x = *jn_diags_get(from, i);
        x.place.source = given;
        jn_diag_copy(to, &x);
    }
}

static void read_parsed(reader *r, measure *m, const jn_ast_expr *e)
{
    const struct alone *word = find_alone(r, e);
    m->list = -1;
    m->ncolumns = 1;
    if (word && (word->kind == LEAF_POLES || word->kind == LEAF_MULTIPLIERS)) {
        m->list = add_leaf(r, (leaf){.kind = word->kind, .metered = -1});
        m->ncolumns = 2 * r->g->nstorages;
    } else {
        m->tree = read_tree(r, e);
    }
}

static bool read_measure(reader *r, measure *m, const char *text)
{
    size_t name, skip = scan_name(text, &name), at = strspn(text, " \t");
    const jn_source *given = jn_source_of(r->arena, "--measure", text, strlen(text));
    jn_diags *said = r->d;
    const jn_ast_expr *e;
    r->source = without_name(r->arena, text, skip);
    r->d = jn_diags_new();
    if (jn_syntax_parse_expr(&e, r->arena, r->source, r->d) != JN_OK)
        r->failed = true;
    else
        read_parsed(r, m, e);
    m->name = skip ? jn_arena_strndup(r->arena, text + at, name) : r->failed ? "" : text_of(r, e);
    pass_on(said, r->d, given);
    jn_diags_free(r->d);
    r->d = said;
    return !r->failed;
}

/* ---- those that nobody named --------------------------------------------------------------- */

static void add_default(const char **to, int *n, jn_arena *a, const char *fmt, const char *name)
{
    to[(*n)++] = jn_arena_printf(a, fmt, name);
}

/* Of a run or an orbit the mean and the extrema of the outputs, else the states. */
static int default_measures(const char **to, jn_arena *a, const jn_graph *g, jn_sweep_kind kind)
{
    static const char *const each[] = {"mean(%s)", "min(%s)", "max(%s)"};
    static const char *const of_mode[] = {"abscissa", "stable", "order"};
    int n = 0;
    for (int k = 0; k < 3 && kind == JN_SWEEP_ANALYSE; k++)
        to[n++] = of_mode[k];
    if (kind == JN_SWEEP_ANALYSE)
        return n;
    for (int i = 0; i < g->noutputs; i++)
        for (int k = 0; k < 3; k++)
            add_default(to, &n, a, each[k], g->output[i].name);
    for (int i = 0; i < g->nstorages && !g->noutputs; i++) {
        const jn_element *x = &g->element[g->storage[i]];
        const char *state = jn_arena_printf(a, x->kind == JN_I ? "p(%s)" : "q(%s)", x->name);
        for (int k = 0; k < 3; k++)
            add_default(to, &n, a, each[k], state);
    }
    if (kind == JN_SWEEP_STEADY)
        to[n++] = "multiplier";
    return n;
}

bool jni_measures_read(measures *m, jn_arena *arena, const jn_graph *g, const jn_sweep_question *q,
                       jn_diags *d)
{
    reader r = {.to = m, .arena = arena, .g = g, .kind = q->kind, .d = d};
    int n = q->nmeasures, lists = 0;
    const char *const *text = q->measure;
    if (!n && !q->each_period) {
        size_t room = 3 * (size_t)(g->noutputs + g->nstorages) + 4;
        const char **usual = jn_arena_alloc(arena, room * sizeof *usual);
        n = default_measures(usual, arena, g, q->kind);
        text = usual;
    }
    m->measure = jn_arena_alloc(arena, (size_t)n * sizeof *m->measure);
    bool good = true;
    for (int i = 0; i < n; i++) {
        r.failed = false;
        good = read_measure(&r, &m->measure[m->nmeasures++], text[i]) && good;
        lists += m->measure[i].list >= 0;
        if (lists > 1 && m->measure[i].list >= 0) {
            fail(&r, (jn_place){0}, "there is one list of poles or multipliers at most", "");
            good = false;
        }
    }
    return good;
}

void jni_measures_clear(measures *m)
{
    free(m->leaf);
    free(m->metered);
}

/* ---- values -------------------------------------------------------------------------------- */

static double call(const node *n, const double *x)
{
    const struct function *f = &functions[n->function];
    double value = x[0];
    if (f->of)
        return f->of(value);
    bool least = !strcmp(f->name, "min");
    for (int i = 1; i < n->nargs; i++)
        value = least ? fmin(value, x[i]) : fmax(value, x[i]);
    return value;
}

static double combine(const node *n, const double *x)
{
    switch (n->op) {
    case JN_AST_CALL:
        return call(n, x);
    case JN_AST_NEG:
        return -x[0];
    case JN_AST_ADD:
        return x[0] + x[1];
    case JN_AST_SUB:
        return x[0] - x[1];
    case JN_AST_MUL:
        return x[0] * x[1];
    case JN_AST_DIV:
        return x[0] / x[1];
    case JN_AST_POW:
        return pow(x[0], x[1]);
    case JN_AST_LT:
        return x[0] < x[1];
    case JN_AST_LE:
        return x[0] <= x[1];
    case JN_AST_EQ:
        return x[0] == x[1];
    case JN_AST_GE:
        return x[0] >= x[1];
    case JN_AST_GT:
        return x[0] > x[1];
    case JN_AST_NOT:
        return x[0] == 0;
    case JN_AST_AND:
        return x[0] != 0 && x[1] != 0;
    case JN_AST_OR:
        return x[0] != 0 || x[1] != 0;
    default:
        return NAN;
    }
}

/* What is not known makes what follows from it unknown, comparisons too. */
double jni_measure_value(const node *n, const double *found, bool *undefined)
{
    double small[4], *x = small, value = NAN;
    if (n->op == JN_AST_NAME)
        return found[n->leaf];
    if (n->nargs > 4)
        x = jn_alloc((size_t)n->nargs * sizeof *x);
    bool known = n->nargs > 0;
    for (int i = 0; i < n->nargs; i++) {
        x[i] = jni_measure_value(n->arg[i], found, undefined);
        known = known && !isnan(x[i]);
    }
    if (known)
        value = combine(n, x);
    if (known && !isfinite(value)) {
        *undefined = true;
        value = NAN;
    }
    if (x != small)
        free(x);
    return value;
}
