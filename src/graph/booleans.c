/* booleans.c: switches that belong to no junction. A switch or automaton statement that names
 * nothing else declares one; it is then among the model's switches, after those of junctions. */
#include <string.h>

#include "graph_internal.h"

static const jn_ast_name *controlled_name(const jn_ast *ast)
{
    return ast->kind == JN_AST_SWITCH ? &ast->u.sw.name : &ast->u.automaton.name;
}

/* What the law of a switch says of its junction makes no sense without one: those are spelt out
 * by now, or have been reported. */
static void declare_boolean(builder *b, const statement *st)
{
    const jn_ast_name *name = controlled_name(st->ast);
    const char *full = name->nparts == 1 ? jni_build_full_name(b, st->scope, name) : NULL;
    if (!full || jni_names_find(&b->names, full))
        return;
    jn_ast *element = jn_arena_alloc(b->scratch, sizeof *element);
    element->kind = JN_AST_ELEMENT;
    element->place = name->place;
    element->u.element.kind = JN_BOOLEAN;
    element->u.element.name = *name;
    jni_build_statement(b, element, st->scope);
}

void jni_build_booleans(builder *b)
{
    static const jn_ast_kind kinds[] = {JN_AST_SWITCH, JN_AST_AUTOMATON};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < b->list[kinds[k]].n && !b->stopped; i++)
            declare_boolean(b, &b->list[kinds[k]].item[i]);
}

/* ---- those that nothing reads -------------------------------------------------------------- */

static bool sets_something(const jn_automaton *a)
{
    for (int i = 0; i < a->ntransitions; i++)
        if (a->transition[i].nsets > 0)
            return true;
    return false;
}

/* The junction that may have been meant. */
static const char *closest_junction(const builder *b, const char *name)
{
    name_table junctions = {0};
    for (int i = 0; i < b->g->nswitches; i++) {
        const jn_element *e = &b->g->element[b->g->sw[i]];
        if (e->kind != JN_BOOLEAN && !jni_names_find(&junctions, e->name))
            jni_names_add(&junctions, e->name, NAME_ELEMENT, i, e->place);
    }
    const char *closest = jni_names_closest(&junctions, "", name, NAME_ELEMENT);
    jni_names_clear(&junctions);
    return closest;
}

/* Most likely a junction was meant. */
static void check_boolean(builder *b, const jn_automaton *a)
{
    const jn_element *e = &b->g->element[a->element];
    const char *closest = NULL;
    if (jn_diags_errors(b->diags) < JN_DIAGS_MAX) /* further errors are only counted */
        closest = closest_junction(b, e->name);
    if (closest)
        REPORT(b, JN_D_NAME_UNKNOWN, e->place, "controlled junction", e->name,
               jn_arena_printf(b->scratch, "did you mean '%s'?", closest));
    else if (!jni_build_failed(b)) /* what reads it may have an error */
        REPORT(b, JN_D_BOOLEAN_UNREAD, e->place, e->name, e->name, e->name);
}

void jni_build_check_booleans(builder *b)
{
    for (int i = 0; i < b->g->nswitches; i++) {
        const jn_automaton *a = &b->g->automaton[i];
        if (b->g->element[a->element].kind == JN_BOOLEAN && !b->switch_read[i] &&
            !sets_something(a))
            check_boolean(b, a);
    }
}
