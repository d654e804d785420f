/* build.c: from the tree of a model file to its bond graph.
 *
 * Statements come in any order, and a name may be used before it is declared. So the model is
 * read in steps: first what there is (flatten), then how it is connected (bonds), then what it
 * is worth (parameters, elements) and how it behaves (signals, automata). A step reports what it
 * finds and goes on; what follows from an error already reported is not reported again. Only a
 * limit stops at once.
 *
 * Every step is linear in the size of the flattened model; names are found by hash. */
#include <stdlib.h>
#include <string.h>

#include "graph_internal.h"

bool jni_build_is_new(builder *b, jn_code code, jn_place place)
{
    const char *key =
        jn_arena_printf(b->scratch, "%d %zu %zu", (int)code, place.offset, place.length);
    if (jni_names_find(&b->reported, key))
        return false;
    jni_names_add(&b->reported, key, 0, 0, place);
    return true;
}

bool jni_build_failed(const builder *b)
{
    return jn_diags_errors(b->diags) > b->errors_before;
}

/* "models/chopper.hbg" is the model chopper, unless it says otherwise. */
static const char *base_name(jn_arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    size_t len = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    bool standard_input = base[0] == '<' || len == 0;
    return standard_input ? "model" : jn_arena_shown(a, base, len);
}

static void name_model(builder *b)
{
    jn_arena *a = b->g->arena;
    if (!b->model) {
        b->g->name = base_name(a, b->source->name);
        return;
    }
    const char *name = b->model->u.model.name, *title = b->model->u.model.title;
    b->g->name = jn_arena_strndup(a, name, strlen(name));
    b->g->title = title ? jn_arena_shown(a, title, strlen(title)) : NULL;
}

static void build(builder *b, const jn_ast_block *model)
{
    jni_build_flatten(b, model);
    if (b->stopped)
        return;
    name_model(b);
    jni_build_laws(b);
    jni_build_booleans(b);
    if (b->stopped)
        return;
    jni_build_bonds(b);
    if (b->stopped)
        return;
    jni_build_domains(b);
    jni_build_states(b);
    jni_build_params(b);
    jni_build_discretes(b);
    jni_build_elements(b);
    jni_build_signals(b);
    jni_build_automata(b);
    jni_build_claims(b);
    jni_build_check(b);
    b->g->table = jn_arena_dup(b->g->arena, b->table, (size_t)b->g->ntables * sizeof *b->table);
}

static void clear(builder *b)
{
    for (int i = 0; i < JN_AST_COMMENT; i++)
        free(b->list[i].item);
    for (int i = 0; i < b->nsubmodels; i++)
        free(b->submodel[i].port);
    free(b->submodel);
    free(b->instance);
    free(b->field);
    free(b->table);
    free(b->expansion);
    jni_names_clear(&b->names);
    jni_names_clear(&b->bond_names);
    jni_names_clear(&b->reported);
    jn_str_clear(&b->text);
    jn_arena_free(b->scratch);
}

static builder new_builder(const jn_source *source, jn_diags *d)
{
    builder b = {.g = jn_alloc(sizeof *b.g),
                 .source = source,
                 .diags = d,
                 .errors_before = jn_diags_errors(d),
                 .scratch = jn_arena_new()};
    b.g->arena = jn_arena_new();
    b.g->field = jn_field_new();
    b.spelt_out = b.scratch;
    return b;
}

jn_status jn_graph_build(jn_graph **out, const jn_ast_block *model, const jn_source *source,
                         jn_diags *d)
{
    builder b = new_builder(source, d);
    jn_graph *g = b.g;
    build(&b, model);
    bool failed = jni_build_failed(&b);
    clear(&b);
    if (failed) {
        jn_graph_free(g);
        g = NULL;
    }
    *out = g;
    return failed ? JN_INVALID : JN_OK;
}

/* ---- ready-made laws spelt out ------------------------------------------------------------- */

static const jn_ast_block *expansion_of(const builder *b, const jn_ast *ast)
{
    for (int i = 0; i < b->nexpansions; i++)
        if (b->expansion[i].from == ast)
            return &b->expansion[i].to;
    return NULL;
}

static jn_ast_block spelt_out(const builder *b, const jn_ast_block *block);

/* A block with what is inside it spelt out, anything else as it is. */
static jn_ast *copied(const builder *b, jn_ast *ast)
{
    bool loop = ast->kind == JN_AST_FOR;
    if (!loop && ast->kind != JN_AST_SUBMODEL)
        return ast;
    jn_ast *copy = jn_arena_dup(b->spelt_out, ast, sizeof *ast);
    if (loop)
        copy->u.loop.body = spelt_out(b, &ast->u.loop.body);
    else
        copy->u.submodel.body = spelt_out(b, &ast->u.submodel.body);
    return copy;
}

static jn_ast_block spelt_out(const builder *b, const jn_ast_block *block)
{
    jn_ast_block out = {0};
    size_t room = (size_t)block->n;
    for (int i = 0; i < block->n; i++) {
        const jn_ast_block *to = expansion_of(b, block->item[i]);
        room += to ? (size_t)to->n : 0;
    }
    out.item = jn_arena_alloc(b->spelt_out, room * sizeof *out.item);
    for (int i = 0; i < block->n; i++) {
        const jn_ast_block *to = expansion_of(b, block->item[i]);
        for (int k = 0; to && k < to->n; k++)
            out.item[out.n++] = to->item[k];
        if (!to)
            out.item[out.n++] = copied(b, block->item[i]);
    }
    return out;
}

jn_status jn_graph_expand(jn_ast_block *out, jn_arena *a, const jn_ast_block *model,
                          const jn_source *source, jn_diags *d)
{
    builder b = new_builder(source, d);
    b.spelt_out = a;
    build(&b, model);
    bool failed = jni_build_failed(&b);
    *out = failed ? *model : spelt_out(&b, model);
    jn_graph_free(b.g);
    clear(&b);
    return failed ? JN_INVALID : JN_OK;
}

/* ---- what else is wrong, in a file with errors of syntax ----------------------------------- */

/* Whether the text of a place stands in a line that has an error: what is not known may have been
 * declared there. */
static bool stands_in_broken_line(jn_place word, const jn_diags *d)
{
    const char *text = word.source->text;
    for (int i = 0; i < jn_diags_count(d); i++) {
        jn_place at = jn_diags_get(d, i)->place;
        size_t from = at.offset < word.source->len ? at.offset : word.source->len, to = from;
        while (from > 0 && text[from - 1] != '\n')
            from--;
        while (to < word.source->len && text[to] != '\n')
            to++;
        for (; from + word.length <= to; from++)
            if (!memcmp(text + from, text + word.offset, word.length))
                return true;
    }
    return false;
}

/* Whether an error of the graph may only follow from a statement that was given up. */
static bool may_be_a_consequence(const jn_diag *x, const jn_diags *syntax)
{
    switch (x->code) {
    case JN_D_NAME_UNKNOWN:
        return stands_in_broken_line(x->place, syntax);
    case JN_D_NAME_TWICE:
    case JN_D_VALUE_SIGN:
    case JN_D_VALUE_ZERO:
    case JN_D_VALUE_ZERO_R:
    case JN_D_VALUE_OF_JUNCTION:
    case JN_D_VALUE_AND_LAW:
    case JN_D_LAW_KIND:
    case JN_D_LAW_OF:
    case JN_D_OPTION_KIND:
    case JN_D_OPTION_TWICE:
    case JN_D_OPTION_BOTH:
    case JN_D_DIVISION_BY_ZERO:
    case JN_D_NUMBER_LARGE:
    case JN_D_VALUE_EXPECTED:
    case JN_D_CONDITION_EXPECTED:
    case JN_D_FUNCTION_UNKNOWN:
    case JN_D_FUNCTION_ARGUMENTS:
    case JN_D_BOND_SELF:
    case JN_D_SWITCH_TWICE:
    case JN_D_OUTPUT_TWICE:
    case JN_D_STATE_TWICE:
    case JN_D_SET_TWICE:
    case JN_D_STATEMENT_TWICE:
    case JN_D_PARAM_CYCLE:
    case JN_D_SIGNAL_CYCLE:
    case JN_D_SUBMODEL_RECURSIVE:
        return false;
    default:
        return true;
    }
}

/* The statements that could be read are checked all the same, so that all errors come at once. */
static void report_the_rest(const jn_ast_block *model, const jn_source *source, jn_diags *d)
{
    jn_diags *more = jn_diags_new(), *found = jn_diags_new();
    jn_graph *g;
    if (jn_graph_build(&g, model, source, more) == JN_OK)
        jn_graph_free(g);
    for (int i = 0; i < jn_diags_count(more); i++)
        if (!may_be_a_consequence(jn_diags_get(more, i), d))
            jn_diag_copy(found, jn_diags_get(more, i));
    for (int i = 0; i < jn_diags_count(found); i++)
        jn_diag_copy(d, jn_diags_get(found, i));
    jn_diags_free(more);
    jn_diags_free(found);
    jn_diags_sort(d);
}

jn_status jn_graph_read(jn_graph **out, const jn_source *source, jn_diags *d)
{
    jn_ast_block model;
    jn_arena *tree = jn_arena_new();
    *out = NULL;
    jn_status status = jn_syntax_parse(&model, tree, source, d);
    if (status == JN_OK)
        status = jn_graph_build(out, &model, source, d);
    else
        report_the_rest(&model, source, d);
    jn_arena_free(tree);
    return status;
}

void jn_graph_free(jn_graph *g)
{
    if (!g)
        return;
    jn_field_free(g->field);
    jn_arena_free(g->arena);
    free(g);
}
