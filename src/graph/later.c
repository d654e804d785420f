/* later.c: an expression that is read when the graph is built: what a program asks for by its text.
 *
 * The names are those of the finished graph, in full. Nothing may be added to it: a run has a state
 * for every integral and has read every table when it begins. */
#include <stdlib.h>

#include "graph_internal.h"

static void add_names(builder *b)
{
    const jn_graph *g = b->g;
    b->element_of = jn_arena_alloc(b->scratch, (size_t)g->nelements * sizeof *b->element_of);
    for (int i = 0; i < g->nelements; i++) {
        b->element_of[i] = i;
        jni_names_add(&b->names, g->element[i].name, NAME_ELEMENT, i, g->element[i].place);
    }
    for (int i = 0; i < g->nparams; i++)
        if (g->param[i].element < 0)
            jni_names_add(&b->names, g->param[i].name, NAME_PARAM, i, g->param[i].place);
    for (int i = 0; i < g->nsignals; i++)
        jni_names_add(&b->names, g->signal[i].name, NAME_SIGNAL, i, g->signal[i].place);
    for (int i = 0; i < g->ndiscretes; i++)
        jni_names_add(&b->names, g->discrete[i].name, NAME_DISCRETE, i, g->discrete[i].place);
    for (int i = 0; i < g->nbonds; i++)
        if (g->bond[i].named)
            jni_names_add(&b->bond_names, g->bond[i].name, NAME_BOND, i, g->bond[i].place);
    b->switch_read = jn_arena_alloc(b->scratch, (size_t)g->nswitches * sizeof *b->switch_read);
}

static void clear(builder *b)
{
    jni_names_clear(&b->names);
    jni_names_clear(&b->bond_names);
    jni_names_clear(&b->reported);
    jn_str_clear(&b->text);
    free(b->table);
    jn_arena_free(b->scratch);
}

/* In the model an output is no name; to those who ask about it, it is. */
static scope outputs_as_names(builder *b)
{
    const jn_graph *g = b->g;
    scope file = {.prefix = "", .nbindings = g->noutputs};
    file.binding = jn_arena_alloc(b->scratch, (size_t)g->noutputs * sizeof *file.binding);
    for (int i = 0; i < g->noutputs; i++)
        file.binding[i] =
            (binding){.name = g->output[i].name, .resolved = true, .expr = g->output[i].expr};
    return file;
}

typedef const jn_expr *build_fn(builder *b, const context *c, const jn_ast_expr *e);

/* tree: NULL, the source is parsed. */
static jn_status resolve(const jn_expr **out, const jn_graph *g, const jn_ast_expr *tree,
                         const jn_source *source, build_fn *build, jn_diags *d)
{
    jn_graph shown = *g; /* what would be added goes here, and is refused */
    builder b = {.g = &shown,
                 .source = source,
                 .diags = d,
                 .errors_before = jn_diags_errors(d),
                 .scratch = jn_arena_new()};
    const scope file = outputs_as_names(&b);
    const context c = {.scope = &file, .law = -1};
    *out = NULL;
    add_names(&b);
    shown.ntables = 0;
    if (tree || jn_syntax_parse_expr(&tree, b.scratch, source, d) == JN_OK)
        *out = build(&b, &c, tree);
    if (*out && (shown.nintegrals > g->nintegrals || shown.ntables > 0))
        REPORT(&b, JN_D_EXPRESSION_ADDS, (*out)->place);
    bool failed = !*out || jni_build_failed(&b);
    clear(&b);
    if (failed)
        *out = NULL;
    return failed ? JN_INVALID : JN_OK;
}

jn_status jn_graph_expr(const jn_expr **out, const jn_graph *g, const jn_source *source,
                        jn_diags *d)
{
    return resolve(out, g, NULL, source, jni_build_value, d);
}

jn_status jn_graph_resolve(const jn_expr **out, const jn_graph *g, const jn_ast_expr *tree,
                           const jn_source *source, jn_diags *d)
{
    return resolve(out, g, tree, source, jni_build_expr, d);
}
