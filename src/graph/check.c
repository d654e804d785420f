/* check.c: what is wrong or odd about the structure: how many bonds an element has and which way
 * they point, parts that are connected to nothing, parameters nobody uses. */
#include <stdlib.h>

#include "graph_internal.h"

/* ---- bonds of one element ------------------------------------------------------------------ */

static const char *count_text(builder *b, int n)
{
    static const char *const few[] = {"no bonds", "one bond", "two bonds", "three bonds"};
    return n < 4 ? few[n] : jn_arena_printf(b->scratch, "%d bonds", n);
}

/* Too many, or too few where none can be missing because of another error. */
static bool has_bonds(builder *b, const jn_element *e, int wanted)
{
    if (e->nbonds == wanted)
        return true;
    if (e->nbonds < wanted && (b->bonds_broken || e->multiport))
        return false;
    jn_place place = e->nbonds > wanted ? b->g->bond[e->bond[wanted]].place : e->place;
    if (!REPORT(b, JN_D_BOND_COUNT, place, jn_kind_name(e->kind), e->name, count_text(b, e->nbonds),
                wanted == 1 ? "one" : "two",
                wanted == 1 ? "join several at a 0- or 1-junction"
                            : "one bond arrives and one leaves"))
        return false;
    for (int i = 0; i < wanted && i < e->nbonds; i++)
        if (b->g->bond[e->bond[i]].place.offset != place.offset)
            jn_diag_note(b->diags, b->g->bond[e->bond[i]].place, "bonded here");
    return false;
}

/* An X1 that is OFF has no flow, an X0 no effort: a source beside it that imposes one contradicts. */
static void check_source(builder *b, int i)
{
    const jn_element *e = &b->g->element[i];
    const jn_bond *bond = &b->g->bond[e->bond[0]];
    const jn_element *at = &b->g->element[bond->tail == i ? bond->head : bond->tail];
    bool zero = e->input && e->input->op == JN_X_NUMBER && jn_ratfun_is_zero(e->input->number);
    if (at->kind == (e->kind == JN_SF ? JN_X1 : JN_X0) && !e->detachable && !zero)
        REPORT(b, JN_D_SOURCE_SWITCHED, bond->place, at->name, e->kind == JN_SF ? "flow" : "effort",
               jn_kind_name(e->kind), e->name, jn_kind_name(e->kind), e->name);
}

static void check_port(builder *b, int i)
{
    const jn_element *e = &b->g->element[i];
    if (!has_bonds(b, e, 1))
        return;
    if (jn_kind_is_source(e->kind)) {
        check_source(b, i);
        return;
    }
    const jn_bond *bond = &b->g->bond[e->bond[0]];
    if (bond->tail == i && !e->nonlinear)
        REPORT(b, JN_D_BOND_AWAY, bond->place, jn_kind_name(e->kind), e->name);
}

static void check_two_port(builder *b, int i)
{
    const jn_element *e = &b->g->element[i];
    if (!has_bonds(b, e, 2))
        return;
    const jn_bond *first = &b->g->bond[e->bond[0]], *second = &b->g->bond[e->bond[1]];
    if ((first->head == i) != (second->head == i))
        return;
    if (REPORT(b, JN_D_BOND_DIRECTION, second->place, jn_kind_name(e->kind), e->name,
               first->head == i ? "arrive" : "leave"))
        jn_diag_note(b->diags, first->place, "the other one");
}

/* A controlled junction with one bond is a switch to the reference. */
static void check_junction(builder *b, int i)
{
    const jn_element *e = &b->g->element[i];
    if (e->nbonds == 1 && !jn_kind_is_switch(e->kind) && !b->bonds_broken)
        REPORT(b, JN_D_JUNCTION_ONE_BOND, e->place, jn_kind_name(e->kind), e->name);
}

static void check_elements(builder *b)
{
    const statement_list *l = &b->list[JN_AST_ELEMENT];
    for (int i = 0; i < l->n; i++) {
        jn_kind kind = l->item[i].ast->u.element.kind;
        int element = b->element_of[i];
        if (element < 0 || l->item[i].twice)
            continue;
        if (jn_kind_is_port(kind))
            check_port(b, element);
        else if (kind == JN_TF || kind == JN_GY)
            check_two_port(b, element);
        else
            check_junction(b, element);
    }
}

/* ---- pieces -------------------------------------------------------------------------------- */

static int root_of(int *parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* Several pieces are legal (a signal may couple them), but mostly a bond was forgotten. */
static void check_pieces(builder *b)
{
    const jn_graph *g = b->g;
    int *parent = jn_alloc((size_t)g->nelements * sizeof *parent);
    for (int i = 0; i < g->nelements; i++)
        parent[i] = i;
    int pieces = g->nelements, booleans = 0;
    while (booleans < pieces && g->element[pieces - 1 - booleans].kind == JN_BOOLEAN)
        booleans++; /* they are no part of the graph */
    pieces -= booleans;
    for (int i = 0; i < g->nbonds; i++) {
        int x = root_of(parent, g->bond[i].tail), y = root_of(parent, g->bond[i].head);
        pieces -= x != y;
        parent[x > y ? x : y] = x > y ? y : x; /* a root is the first of its piece */
    }
    for (int i = 0; i < g->nelements; i++) {
        const jn_multiport *f = g->element[i].multiport;
        int x = root_of(parent, i), y = f ? root_of(parent, f->element[0]) : x;
        pieces -= x != y;
        parent[x > y ? x : y] = x > y ? y : x;
    }
    int second = 1;
    while (pieces > 1 && root_of(parent, second) != second)
        second++;
    if (pieces > 1 && REPORT(b, JN_D_MODEL_PIECES, g->element[second].place, pieces,
                             g->element[second].name, g->element[0].name))
        jn_diag_note(b->diags, g->element[0].place, "%s is here", g->element[0].name);
    free(parent);
}

/* ---- the whole ----------------------------------------------------------------------------- */

static void check_params(builder *b)
{
    for (int i = 0; i < b->g->nparams; i++)
        if (!b->g->param[i].used)
            REPORT(b, JN_D_PARAM_UNUSED, b->g->param[i].place, b->g->param[i].name);
}

static void check_discretes(builder *b)
{
    for (int i = 0; i < b->g->ndiscretes; i++)
        if (!b->discrete_set[i])
            REPORT(b, JN_D_DISCRETE_UNSET, b->g->discrete[i].place, b->g->discrete[i].name,
                   b->g->discrete[i].name);
}

void jni_build_check(builder *b)
{
    check_elements(b);
    jni_build_check_booleans(b);
    if (b->g->nbonds == 0 && !b->bonds_broken) {
        jn_place start = {b->source, 0, 0};
        REPORT(b, JN_D_MODEL_EMPTY, start);
    }
    if (!b->bonds_broken && b->g->nbonds > 0)
        check_pieces(b);
    if (!jni_build_failed(b)) {
        check_params(b);
        check_discretes(b);
        jni_build_extents(b);
    }
    if (!jni_build_failed(b)) {
        jni_build_cases(b);
        jni_build_check_fields(b);
        jni_build_check_stops(b);
        jni_build_units(b);
    }
}
