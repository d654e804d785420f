/* build.c: from the tree of a model file to its bond graph.
 *
 * Statements come in any order, and a name may be used before it is declared. So the model is
 * read in steps: first what there is (flatten), then how it hangs together (bonds), then what it
 * is worth (parameters, elements) and how it behaves (signals, automata). A step reports what it
 * finds and goes on; what follows from an error already reported is not reported again. Only a
 * limit stops at once.
 *
 * Every step is linear in the size of the flattened model; names are found by hash. */
#include <stdlib.h>
#include <string.h>

#include "graph_internal.h"

bool jn_build_is_new(builder *b, jn_code code, jn_place place)
{
    const char *key =
        jn_arena_printf(b->scratch, "%d %zu %zu", (int)code, place.offset, place.length);
    if (jn_names_find(&b->reported, key))
        return false;
    jn_names_add(&b->reported, key, 0, 0, place);
    return true;
}

bool jn_build_failed(const builder *b)
{
    return jn_diags_errors(b->diags) > b->errors_before;
}

/* "models/boost.hbg" is the model boost, unless it says otherwise. */
static const char *base_name(jn_arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    size_t len = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    bool standard_input = base[0] == '<' || len == 0;
    return standard_input ? "model" : jn_arena_strndup(a, base, len);
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
    b->g->title = title ? jn_arena_strndup(a, title, strlen(title)) : NULL;
}

static void build(builder *b, const jn_ast_block *model)
{
    jn_build_flatten(b, model);
    if (b->stopped)
        return;
    name_model(b);
    jn_build_bonds(b);
    if (b->stopped)
        return;
    jn_build_params(b);
    jn_build_elements(b);
    jn_build_signals(b);
    jn_build_automata(b);
    jn_build_check(b);
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
    free(b->table);
    jn_names_clear(&b->names);
    jn_names_clear(&b->bond_names);
    jn_names_clear(&b->reported);
    jn_str_clear(&b->text);
    jn_arena_free(b->scratch);
}

jn_status jn_graph_build(jn_graph **out, const jn_ast_block *model, const jn_source *source,
                         jn_diags *d)
{
    jn_graph *g = jn_alloc(sizeof *g);
    g->arena = jn_arena_new();
    g->field = jn_field_new();
    builder b = {.g = g,
                 .source = source,
                 .diags = d,
                 .errors_before = jn_diags_errors(d),
                 .scratch = jn_arena_new()};
    build(&b, model);
    bool failed = jn_build_failed(&b);
    clear(&b);
    if (failed) {
        jn_graph_free(g);
        g = NULL;
    }
    *out = g;
    return failed ? JN_INVALID : JN_OK;
}

jn_status jn_graph_read(jn_graph **out, const jn_source *source, jn_diags *d)
{
    jn_ast_block model;
    jn_arena *tree = jn_arena_new();
    *out = NULL;
    jn_status status = jn_syntax_parse(&model, tree, source, d);
    if (status == JN_OK)
        status = jn_graph_build(out, &model, source, d);
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
