/* discrete.c: variables that keep their value until a transition sets them. */
#include "graph_internal.h"

void jni_build_discretes(builder *b)
{
    jn_graph *g = b->g;
    const statement_list *l = &b->list[JN_AST_DISCRETE];
    jn_discrete *discrete = jn_arena_alloc(g->arena, (size_t)l->n * sizeof *discrete);
    b->discrete_set = jn_arena_alloc(b->scratch, (size_t)l->n * sizeof *b->discrete_set);
    g->ndiscretes = l->n;
    g->discrete = discrete;
    for (int i = 0; i < l->n; i++) {
        const jn_ast *ast = l->item[i].ast;
        discrete[i] = (jn_discrete){.name = l->item[i].name, .place = ast->u.discrete.name.place};
        discrete[i].initial = jni_build_constant(b, l->item[i].scope, ast->u.discrete.value,
                                                 "the first value of a discrete variable");
    }
}
