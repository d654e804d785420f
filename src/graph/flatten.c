/* flatten.c: loops and submodels become a list of statements, each with its scope.
 *
 * Nothing is resolved here but indices, bounds and instances, for that is all one needs to know
 * which names there are. Statements may come in any order, so names are looked up when all have
 * been declared. The work is bounded by the limits in graph.h, whatever a loop asks for. */
#include <stdlib.h>
#include <string.h>

#include "graph_internal.h"

#define CHOOSE_ANOTHER "choose another name for one of them"

static void flatten_block(builder *b, const jn_ast_block *block, const scope *s);

static void stop(builder *b, jn_place place, int limit, const char *what)
{
    if (!b->stopped)
        REPORT(b, JN_D_TOO_LARGE, place, limit, what);
    b->stopped = true;
}

static void push(builder *b, const jn_ast *ast, const scope *s, const char *name)
{
    statement_list *l = &b->list[ast->kind];
    JN_GROW(l->item, l->n, l->cap);
    l->item[l->n++] = (statement){.ast = ast, .scope = s, .name = name, .sw = -1, .field = -1};
}

/* ---- declarations -------------------------------------------------------------------------- */

static void report_twice(builder *b, const scope *s, const jn_ast_name *name, const char *full,
                         const name_entry *first)
{
    const char *advice = CHOOSE_ANOTHER;
    /* The same statement once more: another turn of the loop around it. */
    if (s->var && first->place.offset == name->place.offset)
        advice = jn_arena_printf(b->scratch, "in a loop a name needs an index: %s[%s]",
                                 name->part[0].text, s->var);
    if (REPORT(b, JN_D_NAME_TWICE, name->place, full, advice) &&
        first->place.offset != name->place.offset)
        jn_diag_note(b->diags, first->place, "first declared here");
}

/* The full name, kept; NULL when it cannot be declared. */
static const char *declare(builder *b, const scope *s, const jn_ast_name *name, name_kind kind,
                           int index)
{
    if (name->nparts > 1) {
        REPORT(b, JN_D_NAME_DOTTED, name->place);
        return NULL;
    }
    const char *full = jni_build_full_name(b, s, name);
    if (!full) {
        b->indices_broken = true;
        return NULL;
    }
    const name_entry *first = jni_names_find(&b->names, full);
    if (first) {
        report_twice(b, s, name, full, first);
        if (first->kind == NAME_ELEMENT)
            b->list[JN_AST_ELEMENT].item[first->index].twice = true;
        return NULL;
    }
    full = jn_arena_strndup(b->g->arena, full, strlen(full));
    jni_names_add(&b->names, full, kind, index, name->place);
    return full;
}

static void flatten_declaration(builder *b, const jn_ast *ast, const scope *s,
                                const jn_ast_name *name, name_kind kind)
{
    if (b->list[ast->kind].n >= JN_GRAPH_MAX_ELEMENTS) {
        stop(b, ast->place, JN_GRAPH_MAX_ELEMENTS,
             kind == NAME_ELEMENT ? "elements" : "parameters, signals or discrete variables");
        return;
    }
    const char *full = declare(b, s, name, kind, b->list[ast->kind].n);
    if (full)
        push(b, ast, s, full);
}

/* ---- fields -------------------------------------------------------------------------------- */

static void declare_port(builder *b, const jn_ast *ast, const scope *s, const char *owner, int k)
{
    statement_list *l = &b->list[JN_AST_ELEMENT];
    jn_place place = ast->u.element.port_place[k];
    const char *full = jn_arena_printf(b->g->arena, "%s.%s", owner, ast->u.element.port[k]);
    const name_entry *first = jni_names_find(&b->names, full);
    if (first && REPORT(b, JN_D_NAME_TWICE, place, full, CHOOSE_ANOTHER))
        jn_diag_note(b->diags, first->place, "first declared here");
    if (!first)
        jni_names_add(&b->names, full, NAME_ELEMENT, l->n, place);
    push(b, ast, s, full);
    l->item[l->n - 1].field = b->nfields - 1;
    l->item[l->n - 1].port = k;
}

static void flatten_field(builder *b, const jn_ast *ast, const scope *s)
{
    jn_kind kind = ast->u.element.kind;
    statement_list *l = &b->list[JN_AST_ELEMENT];
    if (l->n + ast->u.element.nports > JN_GRAPH_MAX_ELEMENTS ||
        ast->u.element.nports > JN_GRAPH_MAX_PORTS) {
        bool ports = ast->u.element.nports > JN_GRAPH_MAX_PORTS;
        stop(b, ast->place, ports ? JN_GRAPH_MAX_PORTS : JN_GRAPH_MAX_ELEMENTS,
             ports ? "ports of a field" : "elements");
        return;
    }
    const char *full = declare(b, s, &ast->u.element.name, NAME_FIELD, b->nfields);
    if (!full)
        return;
    if (!jn_kind_is_storage(kind) && kind != JN_R)
        REPORT(b, JN_D_FIELD_KIND, ast->u.element.name.place, jn_kind_name(kind), full);
    JN_GROW(b->field, b->nfields, b->fields_cap);
    b->field[b->nfields++] = (field){.ast = ast, .scope = s, .name = full, .first = l->n};
    for (int k = 0; k < ast->u.element.nports; k++)
        declare_port(b, ast, s, full, k);
}

/* ---- loops --------------------------------------------------------------------------------- */

static bool too_deep(builder *b, jn_place place, const scope *s)
{
    if (s->depth < JN_GRAPH_MAX_NESTING)
        return false;
    stop(b, place, JN_GRAPH_MAX_NESTING, "loops and submodels inside each other");
    return true;
}

static void flatten_loop(builder *b, const jn_ast *ast, const scope *s)
{
    long from = 0, to = 0;
    bool known = jni_build_integer(b, &from, s, ast->u.loop.from);
    known = jni_build_integer(b, &to, s, ast->u.loop.to) && known;
    if (!known || too_deep(b, ast->place, s)) {
        b->indices_broken = true;
        return;
    }
    if (to < from)
        REPORT(b, JN_D_LOOP_EMPTY, ast->place, from, to);
    if (to - from >= JN_GRAPH_MAX_ELEMENTS) {
        stop(b, ast->place, JN_GRAPH_MAX_ELEMENTS, "turns of a loop");
        return;
    }
    for (long k = from; k <= to && !b->stopped; k++) {
        scope *turn = jn_arena_alloc(b->scratch, sizeof *turn);
        *turn = (scope){.up = s,
                        .prefix = s->prefix,
                        .depth = s->depth + 1,
                        .var = ast->u.loop.var,
                        .value = k};
        /* An empty turn counts, too. */
        b->nstatements++;
        flatten_block(b, &ast->u.loop.body, turn);
    }
}

/* ---- submodels ----------------------------------------------------------------------------- */

static void add_ports(submodel *m, const jn_ast *ports)
{
    for (int i = 0; i < ports->u.ports.n; i++) {
        JN_GROW(m->port, m->nports, m->cap);
        m->port[m->nports++] = (port){ports->u.ports.name[i], ports->u.ports.name_place[i]};
    }
}

/* The arguments' names are names of the body: no two may be the same. */
static void check_formals(builder *b, const jn_ast *ast)
{
    name_table formals = {0};
    for (int i = 0; i < ast->u.submodel.nparams; i++) {
        const char *name = ast->u.submodel.param[i];
        jn_place place = ast->u.submodel.param_place[i];
        const name_entry *first = jni_names_find(&formals, name);
        if (!first)
            jni_names_add(&formals, name, NAME_PARAM, i, place);
        else if (REPORT(b, JN_D_NAME_TWICE, place, name, CHOOSE_ANOTHER))
            jn_diag_note(b->diags, first->place, "first declared here");
    }
    jni_names_clear(&formals);
}

static void declare_submodel(builder *b, const jn_ast *ast, const scope *file)
{
    struct jn_ast_name_part part = {ast->u.submodel.name, NULL};
    jn_ast_name name = {ast->place, 1, &part};
    if (!declare(b, file, &name, NAME_SUBMODEL, b->nsubmodels))
        return;
    JN_GROW(b->submodel, b->nsubmodels, b->submodels_cap);
    submodel *m = &b->submodel[b->nsubmodels++];
    *m = (submodel){.ast = ast};
    check_formals(b, ast);
    for (int i = 0; i < ast->u.submodel.body.n; i++)
        if (ast->u.submodel.body.item[i]->kind == JN_AST_PORTS)
            add_ports(m, ast->u.submodel.body.item[i]);
}

/* Whether an instance of A would stand inside an instance of A: "A -> B -> A". */
static bool is_recursive(builder *b, jn_place place, const scope *s, const jn_ast *body)
{
    const scope *outer = s;
    while (outer && outer->submodel != body)
        outer = outer->up;
    if (!outer)
        return false;
    const char *path = body->u.submodel.name;
    for (; s != outer->up; s = s->up)
        if (s->submodel)
            path = jn_arena_printf(b->scratch, "%s -> %s", s->submodel->u.submodel.name, path);
    REPORT(b, JN_D_SUBMODEL_RECURSIVE, place, body->u.submodel.name, path);
    return true;
}

static int find_submodel(builder *b, const jn_ast *ast)
{
    struct jn_ast_name_part part = {ast->u.instance.submodel, NULL};
    jn_ast_name name = {ast->u.instance.submodel_place, 1, &part};
    const scope file = {.prefix = ""};
    const name_entry *e = jni_build_find(b, &file, &name, NAME_SUBMODEL, "submodel");
    return e ? e->index : -1;
}

static bool check_arguments(builder *b, const jn_ast *ast, const jn_ast *body)
{
    if (ast->u.instance.nargs == body->u.submodel.nparams)
        return true;
    if (REPORT(b, JN_D_SUBMODEL_ARGUMENTS, ast->place, body->u.submodel.name,
               body->u.submodel.nparams, ast->u.instance.nargs))
        jn_diag_note(b->diags, body->place, "declared here");
    return false;
}

static const scope *new_instance_scope(builder *b, const jn_ast *ast, const scope *s,
                                       const char *full, const jn_ast *body)
{
    scope *in = jn_arena_alloc(b->scratch, sizeof *in);
    int n = body->u.submodel.nparams;
    *in = (scope){.up = s,
                  .prefix = jn_arena_printf(b->scratch, "%s.", full),
                  .depth = s->depth + 1,
                  .submodel = body,
                  .nbindings = n};
    in->binding = jn_arena_alloc(b->scratch, (size_t)n * sizeof *in->binding);
    for (int i = 0; i < n; i++)
        in->binding[i] = (binding){
            .name = body->u.submodel.param[i], .arg = ast->u.instance.arg[i], .caller = s};
    return in;
}

static void check_ports(builder *b, const submodel *m, const scope *s)
{
    for (int i = 0; i < m->nports; i++) {
        jn_str_reset(&b->text);
        jn_str_addf(&b->text, "%s%s", s->prefix, m->port[i].name);
        const name_entry *e = jni_names_find(&b->names, jn_str_c(&b->text));
        if (!b->stopped && (!e || e->kind != NAME_ELEMENT))
            REPORT(b, JN_D_PORT_UNKNOWN, m->port[i].place, m->port[i].name,
                   m->ast->u.submodel.name);
    }
}

static void flatten_instance(builder *b, const jn_ast *ast, const scope *s)
{
    int number = b->ninstances;
    if (number >= JN_GRAPH_MAX_ELEMENTS) {
        stop(b, ast->place, JN_GRAPH_MAX_ELEMENTS, "instances of submodels");
        return;
    }
    const char *full = declare(b, s, &ast->u.instance.name, NAME_INSTANCE, number);
    if (!full)
        return;
    JN_GROW(b->instance, b->ninstances, b->instances_cap);
    b->instance[b->ninstances++] = (instance){.submodel = -1};
    int m = find_submodel(b, ast);
    if (m < 0)
        return;
    b->submodel[m].used = true;
    const jn_ast *body = b->submodel[m].ast;
    if (!check_arguments(b, ast, body) || is_recursive(b, ast->place, s, body) ||
        too_deep(b, ast->place, s))
        return;
    const scope *in = new_instance_scope(b, ast, s, full, body);
    b->instance[number] = (instance){m, in};
    flatten_block(b, &body->u.submodel.body, in);
    check_ports(b, &b->submodel[m], in);
}

/* ---- statements ---------------------------------------------------------------------------- */

static const char *statement_name(jn_ast_kind kind)
{
    return kind == JN_AST_MODEL ? "model" : kind == JN_AST_SIMULATE ? "simulate" : "submodel";
}

static bool is_nested(builder *b, const jn_ast *ast, const scope *s)
{
    if (!s->up)
        return false;
    REPORT(b, JN_D_STATEMENT_NESTED, ast->place, statement_name(ast->kind));
    return true;
}

static void flatten_once(builder *b, const jn_ast *ast, const scope *s, const jn_ast **first)
{
    if (is_nested(b, ast, s))
        return;
    if (!*first)
        *first = ast;
    else if (REPORT(b, JN_D_STATEMENT_TWICE, ast->place, statement_name(ast->kind)))
        jn_diag_note(b->diags, (*first)->place, "the first is here");
}

/* What stands once, or belongs to what is around it. */
static void flatten_frame(builder *b, const jn_ast *ast, const scope *s)
{
    if (ast->kind == JN_AST_MODEL)
        flatten_once(b, ast, s, &b->model);
    else if (ast->kind == JN_AST_SIMULATE)
        flatten_once(b, ast, s, &b->simulate);
    else if (ast->kind == JN_AST_SUBMODEL) /* declared before all else */
        is_nested(b, ast, s);
    else if (!s->submodel) /* ports are collected with their submodel */
        REPORT(b, JN_D_PORTS_OUTSIDE, ast->place);
}

static void flatten_statement(builder *b, const jn_ast *ast, const scope *s)
{
    switch (ast->kind) {
    case JN_AST_MODEL:
    case JN_AST_SIMULATE:
    case JN_AST_SUBMODEL:
    case JN_AST_PORTS:
        flatten_frame(b, ast, s);
        break;
    case JN_AST_PARAM:
        flatten_declaration(b, ast, s, &ast->u.param.name, NAME_PARAM);
        break;
    case JN_AST_SIGNAL:
        flatten_declaration(b, ast, s, &ast->u.signal.name, NAME_SIGNAL);
        break;
    case JN_AST_DISCRETE:
        flatten_declaration(b, ast, s, &ast->u.discrete.name, NAME_DISCRETE);
        break;
    case JN_AST_ELEMENT:
        if (ast->u.element.nports)
            flatten_field(b, ast, s);
        else
            flatten_declaration(b, ast, s, &ast->u.element.name, NAME_ELEMENT);
        break;
    case JN_AST_INSTANCE:
        flatten_instance(b, ast, s);
        break;
    case JN_AST_FOR:
        flatten_loop(b, ast, s);
        break;
    case JN_AST_COMMENT:
        break;
    default:
        push(b, ast, s, NULL);
    }
}

void jni_build_statement(builder *b, const jn_ast *ast, const scope *s)
{
    flatten_statement(b, ast, s);
}

static void flatten_block(builder *b, const jn_ast_block *block, const scope *s)
{
    for (int i = 0; i < block->n && !b->stopped; i++) {
        if (b->nstatements++ >= JN_GRAPH_MAX_STATEMENTS)
            stop(b, block->item[i]->place, JN_GRAPH_MAX_STATEMENTS, "statements");
        else
            flatten_statement(b, block->item[i], s);
    }
}

void jni_build_flatten(builder *b, const jn_ast_block *model)
{
    scope *file = jn_arena_alloc(b->scratch, sizeof *file);
    file->prefix = "";
    for (int i = 0; i < model->n; i++)
        if (model->item[i]->kind == JN_AST_SUBMODEL)
            declare_submodel(b, model->item[i], file);
    flatten_block(b, model, file);
    for (int i = 0; i < b->nsubmodels; i++)
        if (!b->submodel[i].used && !b->stopped)
            REPORT(b, JN_D_SUBMODEL_UNUSED, b->submodel[i].ast->place,
                   b->submodel[i].ast->u.submodel.name);
}
