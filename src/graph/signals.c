/* signals.c: signals, outputs, and how long to simulate. */
#include <string.h>

#include "graph_internal.h"

/* ---- signals ------------------------------------------------------------------------------- */

static void report_cycle(builder *b, const int *cycle, int n)
{
    const jn_signal *s = b->g->signal;
    if (!REPORT(b, JN_D_SIGNAL_CYCLE, s[cycle[0]].place, s[cycle[0]].name))
        return;
    for (int i = 0; i < n && n > 1; i++)
        jn_diag_note(b->diags, s[cycle[i]].expr->place, "%s needs %s here", s[cycle[i]].name,
                     s[cycle[(i + 1) % n]].name);
}

static void read_signals(builder *b)
{
    jn_graph *g = b->g;
    const statement_list *l = &b->list[JN_AST_SIGNAL];
    jn_signal *signal = jn_arena_alloc(g->arena, (size_t)l->n * sizeof *signal);
    const jn_expr **expr = jn_arena_alloc(b->scratch, (size_t)l->n * sizeof *expr);
    for (int i = 0; i < l->n; i++) {
        context c = {.scope = l->item[i].scope, .law = -1};
        expr[i] = jni_build_value(b, &c, l->item[i].ast->u.signal.value);
        signal[i] = (jn_signal){
            .name = l->item[i].name, .expr = expr[i], .place = l->item[i].ast->u.signal.name.place};
    }
    g->nsignals = l->n;
    g->signal = signal;
    g->signal_order = jni_build_order(b, l->n, expr, JN_X_SIGNAL, report_cycle);
}

/* ---- outputs ------------------------------------------------------------------------------- */

/* As given; else a signal or parameter goes by its name, anything else by how it is written. NULL:
 * its index is no number. */
static const char *output_name(builder *b, const scope *s, const struct jn_ast_output *item,
                               const jn_expr *expr)
{
    jn_str text;
    if (item->name.nparts > 1)
        REPORT(b, JN_D_NAME_DOTTED, item->name.place);
    if (item->name.nparts > 0) {
        const char *full = jni_build_full_name(b, s, &item->name);
        return full ? jn_arena_strndup(b->g->arena, full, strlen(full)) : NULL;
    }
    jn_str_init(&text);
    b->g->table = b->table;
    jn_expr_print(&text, b->g, expr);
    const char *name = jn_arena_strndup(b->g->arena, jn_str_c(&text), text.len);
    jn_str_clear(&text);
    return name;
}

/* A unit that is written is known and coherent: what is shown is not converted. */
static void check_unit(builder *b, const struct jn_ast_output *item)
{
    jn_unit u;
    size_t len = item->unit ? strlen(item->unit) : 0;
    if (!item->unit)
        return;
    if (len == 0 || jn_unit_scan(&u, item->unit, len) != len)
        REPORT(b, JN_D_UNIT_UNKNOWN, item->unit_place, item->unit, "the manual lists the units");
    else if (u.ten != 0 || u.pi != 0 || u.over != u.under) {
        jn_str coherent;
        jn_str_init(&coherent);
        jn_unit_print(&coherent, &u);
        REPORT(b, JN_D_UNIT_SCALED, item->unit_place, jn_str_c(&coherent));
        jn_str_clear(&coherent);
    }
}

/* The same item once more is another turn of the loop around it. */
static void report_twice(builder *b, const scope *s, const struct jn_ast_output *item,
                         const char *name, jn_place first)
{
    const char *advice = "give one of them another name: 'name = …'";
    bool again = s->var && first.offset == item->place.offset;
    if (again)
        advice = jn_arena_printf(b->scratch,
                                 "in a loop an output needs a name with an index: "
                                 "'%s[%s] = …'",
                                 item->name.nparts ? item->name.part[0].text : "y", s->var);
    if (REPORT(b, JN_D_OUTPUT_TWICE, item->place, name, advice) && !again)
        jn_diag_note(b->diags, first, "the first is here");
}

static void read_output(builder *b, name_table *names, jn_signal *out, const scope *s,
                        const struct jn_ast_output *item)
{
    context c = {.scope = s, .law = -1};
    const jn_expr *expr = jni_build_value(b, &c, item->expr);
    if (!expr)
        return;
    *out = (jn_signal){.name = output_name(b, s, item, expr), .expr = expr, .place = item->place};
    if (item->unit)
        out->unit = jn_arena_strndup(b->g->arena, item->unit, strlen(item->unit));
    check_unit(b, item);
    const name_entry *first = out->name ? jni_names_find(names, out->name) : NULL;
    if (first)
        report_twice(b, s, item, out->name, first->place);
    else if (out->name)
        jni_names_add(names, out->name, NAME_SIGNAL, 0, item->place);
}

static void read_outputs(builder *b)
{
    const statement_list *l = &b->list[JN_AST_OUTPUT];
    name_table names = {0};
    long n = 0;
    for (int i = 0; i < l->n; i++)
        n += l->item[i].ast->u.output.n;
    if (n > JN_GRAPH_MAX_ELEMENTS) {
        REPORT(b, JN_D_TOO_LARGE, l->item[l->n - 1].ast->place, JN_GRAPH_MAX_ELEMENTS, "outputs");
        return;
    }
    jn_signal *output = jn_arena_alloc(b->g->arena, (size_t)n * sizeof *output);
    b->g->output = output;
    for (int i = 0; i < l->n; i++)
        for (int j = 0; j < l->item[i].ast->u.output.n; j++)
            read_output(b, &names, &output[b->g->noutputs++], l->item[i].scope,
                        &l->item[i].ast->u.output.item[j]);
    jni_names_clear(&names);
}

/* ---- simulate ------------------------------------------------------------------------------ */

static const jn_expr *read_time(builder *b, const jn_ast_expr *e, const char *what)
{
    const scope file = {.prefix = ""};
    if (!e)
        return NULL;
    const jn_expr *x = jni_build_constant(b, &file, e, what);
    fmpq_t c;
    fmpq_init(c);
    if (x && jni_build_known(c, b, x) && fmpq_sgn(c) <= 0)
        REPORT(b, JN_D_NOT_POSITIVE, e->place, what);
    fmpq_clear(c);
    return x;
}

void jni_build_signals(builder *b)
{
    read_signals(b);
    read_outputs(b);
    if (!b->simulate)
        return;
    b->g->to = read_time(b, b->simulate->u.simulate.to, "the end of a simulation");
    b->g->every = read_time(b, b->simulate->u.simulate.every, "the step of a simulation");
}
