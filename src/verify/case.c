/* case.c: a model that begins where a witness stands.
 *
 * The tree of the model is taken as it was written, with its ready-made laws spelt out, and only what
 * says where a run begins is put anew: initial values, starts of integrals, states of automata, and
 * sources that stand still at that instant. A state of something within a loop or a submodel has no
 * statement of its own that could be changed; then it must be right already. What comes out is read
 * again and run: it is only handed over if it does what the witness says. */
#include "junct/verify.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    jn_arena *arena;
    const jn_graph *g;     /* the model as it was verified, */
    const jn_graph *given; /* and as it was written */
    const jn_witness *w;
    bool *storage, *source, *automaton, *integral, *discrete, *param; /* has been put */
    const jn_expr **integrals;                                        /* int(…) by number */
} writing;

/* ---- numbers ------------------------------------------------------------------------------- */

/* A value that fills its place: nothing binds it more tightly. */
static const jn_ast_expr *number(const writing *c, const fmpq *value)
{
    char *text = fmpq_get_str(NULL, 10, value);
    jn_ast_expr *e = jn_arena_alloc(c->arena, sizeof *e);
    *e = (jn_ast_expr){.op = JN_AST_NUMBER, .text = jn_arena_strndup(c->arena, text, strlen(text))};
    flint_free(text);
    return e;
}

static const jn_ast_expr *with_two(const writing *c, jn_ast_op op, const jn_ast_expr *a,
                                   const jn_ast_expr *b)
{
    jn_ast_expr *e = jn_arena_alloc(c->arena, sizeof *e);
    const jn_ast_expr **arg = jn_arena_alloc(c->arena, 2 * sizeof *arg);
    arg[0] = a;
    arg[1] = b;
    *e = (jn_ast_expr){.op = op, .nargs = 2, .arg = arg};
    return e;
}

/* What a source says from the instant on: it begins at t = 0. */
static const jn_ast_expr *line(const writing *c, const fmpq *value, const fmpq *rate)
{
    if (fmpq_is_zero(rate))
        return number(c, value);
    jn_ast_expr *t = jn_arena_alloc(c->arena, sizeof *t);
    struct jn_ast_name_part *part = jn_arena_alloc(c->arena, sizeof *part);
    *part = (struct jn_ast_name_part){.text = "t"};
    *t = (jn_ast_expr){.op = JN_AST_NAME, .name = {.nparts = 1, .part = part}};
    return with_two(c, JN_AST_ADD, number(c, value), with_two(c, JN_AST_MUL, number(c, rate), t));
}

/* Whether an expression of the model is a constant with this value; NULL is 0. */
static bool is_worth(const jn_graph *g, const jn_expr *e, const fmpq *value)
{
    jn_ratfun r;
    fmpq_t c;
    if (!e)
        return fmpq_is_zero(value);
    fmpq_init(c);
    bool same = jn_expr_ratfun(&r, g->field, e) == JN_OK &&
                jn_ratfun_put(&r, g->field, r, g->param_value, g->nparams) == JN_OK &&
                jn_ratfun_get_fmpq(c, g->field, r) && fmpq_equal(c, value);
    fmpq_clear(c);
    return same;
}

/* A number that the model had written differently: it was set for this proof. */
static bool is_set(fmpq_t value, const writing *c, int param)
{
    jn_ratfun now = c->g->param[param].value, before = c->given->param[param].value;
    fmpq_t old;
    if (now.id < 0 || !jn_ratfun_get_fmpq(value, c->g->field, now))
        return false;
    fmpq_init(old);
    bool same = before.id >= 0 && jn_ratfun_get_fmpq(old, c->given->field, before) &&
                fmpq_equal(old, value);
    fmpq_clear(old);
    return !same;
}

/* ---- starts of integrals ------------------------------------------------------------------- */

static void note_integrals(writing *c, const jn_expr *e)
{
    if (e && e->op == JN_X_INT)
        c->integrals[e->index] = e;
    for (int i = 0; e && i < e->nargs; i++)
        note_integrals(c, e->arg[i]);
}

static const jn_ast_expr *with_starts(writing *c, const jn_ast_expr *e);

static const jn_ast_expr *with_start(writing *c, const jn_ast_expr *e, int integral)
{
    jn_ast_expr *copy = jn_arena_dup(c->arena, e, sizeof *e);
    copy->nargs = 2;
    copy->arg = jn_arena_alloc(c->arena, 2 * sizeof *copy->arg);
    copy->arg[0] = with_starts(c, e->arg[0]);
    copy->arg[1] = number(c, c->w->integral + integral);
    c->integral[integral] = true;
    return copy;
}

static const jn_ast_expr *with_starts(writing *c, const jn_ast_expr *e)
{
    if (!e)
        return NULL;
    for (int i = 0; i < c->g->nintegrals; i++)
        if (e->op == JN_AST_CALL && c->integrals[i] && !strcmp(e->text, "int") &&
            c->integrals[i]->place.offset == e->place.offset)
            return with_start(c, e, i);
    jn_ast_expr *copy = jn_arena_dup(c->arena, e, sizeof *e);
    copy->arg = jn_arena_alloc(c->arena, (size_t)e->nargs * sizeof *copy->arg + 1);
    for (int i = 0; i < e->nargs; i++)
        copy->arg[i] = with_starts(c, e->arg[i]);
    return copy;
}

/* ---- statements ---------------------------------------------------------------------------- */

/* A statement as it was, to be kept as a comment. */
static const char *line_of(const writing *c, jn_ast *s)
{
    jn_str text;
    jn_str_init(&text);
    jn_syntax_format(&text, &(jn_ast_block){1, &s});
    size_t n = strcspn(jn_str_c(&text), "#\n");
    while (n > 0 && jn_str_c(&text)[n - 1] == ' ')
        n--;
    const char *line = jn_arena_printf(c->arena, "was: %.*s", (int)n, jn_str_c(&text));
    jn_str_clear(&text);
    return line;
}

static bool is_start(const jn_ast_option *o)
{
    return !strcmp(o->key, "p0") || !strcmp(o->key, "q0") || !strcmp(o->key, "f0") ||
           !strcmp(o->key, "e0");
}

static void put_start(writing *c, jn_ast *s, jn_ast_option start)
{
    int n = 0, before = s->u.element.noptions;
    jn_ast_option *option = jn_arena_alloc(c->arena, (size_t)(before + 1) * sizeof *option);
    start.key = s->u.element.kind == JN_I ? "p0" : "q0";
    for (int i = 0; i < before; i++)
        if (!is_start(&s->u.element.option[i]))
            option[n++] = s->u.element.option[i];
    option[n++] = start;
    s->u.element.option = option;
    s->u.element.noptions = n;
}

static void put_storage(writing *c, jn_ast *s, int element)
{
    int k = c->g->element[element].number;
    c->storage[k] = true;
    if (c->g->element[element].initial || !fmpq_is_zero(c->w->x + k))
        put_start(c, s, (jn_ast_option){.value = number(c, c->w->x + k)});
}

static void put_field(writing *c, jn_ast *s, const jn_multiport *f)
{
    jn_ast_matrix *list = jn_arena_alloc(c->arena, sizeof *list);
    list->nrows = 1;
    list->row = jn_arena_alloc(c->arena, sizeof *list->row);
    list->row->n = f->nports;
    list->row->item = jn_arena_alloc(c->arena, (size_t)f->nports * sizeof *list->row->item);
    for (int i = 0; i < f->nports; i++) {
        int k = c->g->element[f->element[i]].number;
        c->storage[k] = true;
        list->row->item[i] = number(c, c->w->x + k);
    }
    put_start(c, s, (jn_ast_option){.list = list});
}

/* What may change within an instant: the model says what it is. */
static bool reads_anything(const jn_graph *g, const jn_expr *e)
{
    if (e->op == JN_X_DISCRETE || e->op == JN_X_ON || e->op == JN_X_IN)
        return true;
    if (e->op == JN_X_SIGNAL && reads_anything(g, g->signal[e->index].expr))
        return true;
    for (int i = 0; i < e->nargs; i++)
        if (reads_anything(g, e->arg[i]))
            return true;
    return jn_expr_reads_model(g, e);
}

static bool is_held(const writing *c, int source)
{
    const jn_element *x = &c->g->element[c->g->source[source]];
    const jn_expr *written = c->given->element[c->g->source[source]].input;
    return !reads_anything(c->g, x->input) && !(written && fmpq_is_zero(c->w->rate + source) &&
                                                is_worth(c->given, written, c->w->input + source));
}

static void put_source(writing *c, jn_ast *s, int source)
{
    c->source[source] = true;
    if (!is_held(c, source))
        return;
    if (jn_expr_varies(c->g->element[c->g->source[source]].input))
        s->comment = line_of(c, s);
    s->u.element.value = line(c, c->w->input + source, c->w->rate + source);
}

static void put_param(writing *c, const jn_ast_expr **value, const char *name)
{
    fmpq_t now;
    fmpq_init(now);
    for (int i = 0; i < c->g->nparams; i++)
        if (!strcmp(c->g->param[i].name, name)) {
            c->param[i] = true;
            if (is_set(now, c, i))
                *value = number(c, now);
        }
    fmpq_clear(now);
}

static void put_element(writing *c, jn_ast *s, const char *name)
{
    int element = jn_graph_find(c->g, name);
    s->u.element.value = with_starts(c, s->u.element.value);
    for (int i = 0; i < c->g->nmultiports; i++)
        if (!strcmp(c->g->multiport[i].name, name) && c->g->multiport[i].kind != JN_R)
            put_field(c, s, &c->g->multiport[i]);
    if (element < 0)
        return;
    const jn_element *x = &c->g->element[element];
    put_param(c, &s->u.element.value, name);
    if (jn_kind_is_storage(x->kind))
        put_storage(c, s, element);
    else if (jn_kind_is_source(x->kind))
        put_source(c, s, x->number);
}

/* A modulation stands still: its phase is not that of a run that begins at 0. */
static void put_switch(writing *c, jn_ast *s, int k)
{
    const jn_state *to = &c->g->automaton[k].state[c->w->step[0].state[k]];
    c->automaton[k] = true;
    if (s->u.sw.is_pwm)
        s->comment = line_of(c, s);
    s->u.sw.is_pwm = false;
    s->u.sw.on = to->on;
}

static void put_automaton(writing *c, jn_ast *s, int k)
{
    int n = s->u.automaton.nstates;
    jn_ast_state *state = jn_arena_dup(c->arena, s->u.automaton.state, (size_t)n * sizeof *state);
    const char *to = c->g->automaton[k].state[c->w->step[0].state[k]].name;
    c->automaton[k] = true;
    for (int i = 0; i < n; i++)
        state[i].initial = !strcmp(state[i].name, to);
    s->u.automaton.state = state;
}

static void put_discrete(writing *c, jn_ast *s, const char *name)
{
    for (int i = 0; i < c->g->ndiscretes; i++)
        if (!strcmp(c->g->discrete[i].name, name)) {
            c->discrete[i] = true;
            s->u.discrete.value = number(c, c->w->discrete + i);
        }
}

static const char *plain_name(const jn_ast_name *n)
{
    return n->nparts == 1 && !n->part[0].index ? n->part[0].text : "";
}

static jn_ast *changed(writing *c, const jn_ast *from)
{
    jn_ast *s = jn_arena_dup(c->arena, from, sizeof *from);
    int k;
    switch (s->kind) {
    case JN_AST_PARAM:
        put_param(c, &s->u.param.value, plain_name(&s->u.param.name));
        break;
    case JN_AST_ELEMENT:
        put_element(c, s, plain_name(&s->u.element.name));
        break;
    case JN_AST_SIGNAL:
        s->u.signal.value = with_starts(c, s->u.signal.value);
        break;
    case JN_AST_DISCRETE:
        put_discrete(c, s, plain_name(&s->u.discrete.name));
        break;
    case JN_AST_SWITCH:
        k = jn_graph_find(c->g, plain_name(&s->u.sw.name));
        if (k >= 0)
            put_switch(c, s, c->g->element[k].number);
        break;
    case JN_AST_AUTOMATON:
        k = jn_graph_find(c->g, plain_name(&s->u.automaton.name));
        if (k >= 0)
            put_automaton(c, s, c->g->element[k].number);
        break;
    default:
        break;
    }
    return s;
}

static jn_ast *remark(const writing *c, const char *text)
{
    jn_ast *s = jn_arena_alloc(c->arena, sizeof *s);
    *s = (jn_ast){.kind = JN_AST_COMMENT, .u.comment_line.text = text};
    return s;
}

static jn_ast_block changed_model(writing *c, const jn_ast_block *model)
{
    jn_ast_block out = {0};
    out.item = jn_arena_alloc(c->arena, (size_t)(model->n + 2) * sizeof(jn_ast *));
    out.item[out.n++] = remark(c, "Begins in a state that junct verify found.");
    out.item[out.n++] = remark(c, NULL);
    for (int i = 0; i < model->n; i++)
        out.item[out.n++] = changed(c, model->item[i]);
    return out;
}

/* ---- what has no statement of its own ------------------------------------------------------ */

static const char *left_storage(const writing *c)
{
    for (int i = 0; i < c->g->nstorages; i++) {
        const jn_element *x = &c->g->element[c->g->storage[i]];
        bool right =
            (x->initial_is_state || !x->initial) && is_worth(c->g, x->initial, c->w->x + i);
        if (!c->storage[i] && !right)
            return x->name;
    }
    return NULL;
}

static const char *left_over(const writing *c)
{
    const jn_graph *g = c->g;
    const char *storage = left_storage(c);
    if (storage)
        return storage;
    for (int i = 0; i < g->nsources; i++)
        if (!c->source[i] && is_held(c, i))
            return g->element[g->source[i]].name;
    for (int i = 0; i < g->nswitches; i++)
        if (!c->automaton[i] && g->automaton[i].given &&
            (g->automaton[i].pwm_period || g->automaton[i].initial != c->w->step[0].state[i]))
            return g->switch_name[i];
    for (int i = 0; i < g->ndiscretes; i++)
        if (!c->discrete[i] && !is_worth(g, g->discrete[i].initial, c->w->discrete + i))
            return g->discrete[i].name;
    for (int i = 0; i < g->nintegrals; i++)
        if (!c->integral[i] &&
            !(c->integrals[i] && is_worth(g, c->integrals[i]->arg[1], c->w->integral + i)))
            return "an integral";
    return NULL;
}

static const char *left_param(const writing *c)
{
    const char *name = NULL;
    fmpq_t now;
    fmpq_init(now);
    for (int i = 0; i < c->g->nparams && !name; i++)
        if (!c->param[i] && is_set(now, c, i))
            name = c->g->param[i].name;
    fmpq_clear(now);
    return name;
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void note_all_integrals(writing *c)
{
    const jn_graph *g = c->g;
    for (int i = 0; i < g->nsignals; i++)
        note_integrals(c, g->signal[i].expr);
    for (int i = 0; i < g->nelements; i++) {
        note_integrals(c, g->element[i].input);
        note_integrals(c, g->element[i].modulation);
    }
}

static void open_writing(writing *c, const jn_graph *g, const jn_graph *given, const jn_witness *w)
{
    *c = (writing){.arena = jn_arena_new(), .g = g, .given = given, .w = w};
    c->storage = jn_arena_alloc(c->arena, (size_t)g->nstorages + 1);
    c->source = jn_arena_alloc(c->arena, (size_t)g->nsources + 1);
    c->automaton = jn_arena_alloc(c->arena, (size_t)g->nswitches + 1);
    c->integral = jn_arena_alloc(c->arena, (size_t)g->nintegrals + 1);
    c->discrete = jn_arena_alloc(c->arena, (size_t)g->ndiscretes + 1);
    c->param = jn_arena_alloc(c->arena, (size_t)g->nparams + 1);
    c->integrals = jn_arena_alloc(c->arena, (size_t)(g->nintegrals + 1) * sizeof(const jn_expr *));
    note_all_integrals(c);
}

static const jn_diag *run_start(const jn_diags *d)
{
    for (int i = 0; i < jn_diags_count(d); i++)
        if (jn_diags_get(d, i)->code == JN_D_RUN_START)
            return jn_diags_get(d, i);
    return NULL;
}

/* A run does not get past its first instant, and says why. */
static bool stops_at_once(jn_str *says, const jn_graph *g, const char *folder, jn_diags *d)
{
    jn_sim *s = NULL;
    jn_stopped stop;
    const char *message = NULL;
    if (jn_sim_new(&s, g, &(jn_sim_options){.folder = folder}, d) != JN_OK)
        message = run_start(d) ? run_start(d)->message : NULL;
    else if (jn_sim_advance(s, 0, &stop) != JN_OK)
        message = stop.message;
    jn_str_add(says, message ? message : "");
    jn_sim_free(s);
    return message;
}

/* Other claims may fail as well, with inputs that are held: that would confirm nothing. */
static void keep_claim(jn_graph *g, int claim)
{
    g->assertion += claim ? claim - 1 : 0;
    g->nasserts = claim ? 1 : 0;
}

static bool is_confirmed(jn_str *says, jn_arena *a, const char *text, const jn_case_options *o)
{
    jn_diags *d = jn_diags_new();
    jn_graph *g = NULL;
    const jn_source *source = jn_source_of(a, "case", text, strlen(text));
    bool stops = jn_graph_read(&g, source, d) == JN_OK;
    if (stops)
        keep_claim(g, o->claim);
    stops = stops && stops_at_once(says, g, o->folder, d);
    jn_graph_free(g);
    jn_diags_free(d);
    return stops;
}

static jn_status write_case(jn_str *out, jn_str *says, writing *c, const jn_ast_block *model,
                            const jn_case_options *o)
{
    jn_ast_block to = changed_model(c, model);
    const char *left = left_over(c), *param = left_param(c);
    if (left || param) {
        jn_str_addf(says, "%s has no statement of its own in which it could be set",
                    left ? left : param);
        return JN_UNABLE;
    }
    jn_syntax_format(out, &to);
    if (!o->ends && !is_confirmed(says, c->arena, jn_str_c(out), o)) {
        jn_str_clear(out);
        jn_str_init(out);
        jn_str_add(says, "a run that begins there goes on: the state needs what was before it, or "
                         "another time than t = 0");
        return JN_UNABLE;
    }
    return JN_OK;
}

jn_status jn_verify_case(jn_str *out, jn_str *says, const jn_graph *g, const jn_source *source,
                         const jn_witness *w, const jn_case_options *o, jn_diags *d)
{
    writing c;
    jn_graph *given = NULL;
    jn_ast_block model;
    jn_status st = jn_graph_read(&given, source, d);
    if (st != JN_OK)
        return st;
    open_writing(&c, g, given, w);
    st = jn_syntax_parse(&model, c.arena, source, d);
    if (st == JN_OK)
        st = jn_graph_expand(&model, c.arena, &model, source, d);
    if (st == JN_OK)
        st = write_case(out, says, &c, &model, o);
    jn_graph_free(given);
    jn_arena_free(c.arena);
    return st;
}
