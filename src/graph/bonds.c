/* bonds.c: who is bonded to whom. Elements get their numbers here: one without a bond takes no
 * part in the model and is left out, with a warning. */
#include <stdlib.h>
#include <string.h>

#include "graph_internal.h"

/* ---- the ends of a bond -------------------------------------------------------------------- */

static bool has_port(const submodel *m, const char *name)
{
    for (int i = 0; i < m->nports; i++)
        if (strcmp(m->port[i].name, name) == 0)
            return true;
    return false;
}

/* From outside, only the ports of a submodel can be bonded to. */
static bool is_reachable(builder *b, const jn_ast_name *name, const name_entry *e)
{
    if (name->nparts == 1)
        return true;
    const char *last = strrchr(e->text, '.') + 1;
    const char *owner = jn_arena_strndup(b->scratch, e->text, (size_t)(last - 1 - e->text));
    const name_entry *in = jni_names_find(&b->names, owner);
    if (in->kind == NAME_FIELD)
        return true;
    const submodel *m = &b->submodel[b->instance[in->index].submodel];
    if (has_port(m, last))
        return true;
    const char *type = m->ast->u.submodel.name;
    REPORT(b, JN_D_PORT_MISSING, name->place, last, type, last, type);
    return false;
}

/* The element by order of declaration; −1: none, reported. */
static int end_of_bond(builder *b, const scope *s, const jn_ast_name *name)
{
    const name_entry *e = jni_build_find(b, s, name, NAME_ELEMENT, "element");
    if (e && b->list[JN_AST_ELEMENT].item[e->index].ast->u.element.kind == JN_BOOLEAN) {
        REPORT(b, JN_D_BOND_BOOLEAN, name->place, e->text, e->text, e->text);
        return -1;
    }
    return e && is_reachable(b, name, e) ? e->index : -1;
}

/* ---- bonds --------------------------------------------------------------------------------- */

/* A label may be the name of a parameter or signal, not that of an element: e(x) takes both. */
static const char *declare_bond(builder *b, const statement *st)
{
    const char *full =
        jn_arena_printf(b->g->arena, "%s%s", st->scope->prefix, st->ast->u.bonds.label);
    const name_entry *first = jni_names_find(&b->bond_names, full);
    const name_entry *same = jni_names_find(&b->names, full);
    if (same && same->kind == NAME_ELEMENT)
        first = same;
    jn_place place = st->ast->u.bonds.label_place;
    if (!first) {
        jni_names_add(&b->bond_names, full, NAME_BOND, b->g->nbonds, place);
        return full;
    }
    bool again = first->place.offset == place.offset;
    const char *advice = again ? "a bond in a loop cannot have a name, except inside a submodel"
                               : "choose another name for one of them";
    if (REPORT(b, JN_D_NAME_TWICE, place, full, advice) && !again)
        jn_diag_note(b->diags, first->place, "first declared here");
    return NULL;
}

static void add_bond(builder *b, int *cap, const statement *st, int i, const int end[2])
{
    const jn_ast_name *name = st->ast->u.bonds.name;
    jn_place place = jn_place_join(name[i].place, name[i + 1].place);
    if (end[0] == end[1]) {
        REPORT(b, JN_D_BOND_SELF, place, b->list[JN_AST_ELEMENT].item[end[0]].name);
        return;
    }
    const char *label = st->ast->u.bonds.label ? declare_bond(b, st) : NULL;
    jn_graph *g = b->g;
    JN_GROW(g->bond, g->nbonds, *cap);
    g->bond[g->nbonds++] = (jn_bond){
        .name = label, .named = label != NULL, .tail = end[0], .head = end[1], .place = place};
}

static void add_chain(builder *b, int *cap, const statement *st)
{
    const jn_ast_name *name = st->ast->u.bonds.name;
    int n = st->ast->u.bonds.nnames;
    if (n > JN_GRAPH_MAX_BONDS - b->g->nbonds) {
        REPORT(b, JN_D_TOO_LARGE, st->ast->place, JN_GRAPH_MAX_BONDS, "bonds");
        b->stopped = true;
        return;
    }
    int end[2] = {-1, end_of_bond(b, st->scope, &name[0])};
    for (int i = 0; i + 1 < n; i++) {
        end[0] = end[1];
        end[1] = end_of_bond(b, st->scope, &name[i + 1]);
        if (end[0] >= 0 && end[1] >= 0)
            add_bond(b, cap, st, i, end);
    }
}

/* b1, b2, … by number, unless that is taken. */
static void name_bonds(builder *b)
{
    int spare = b->g->nbonds;
    for (int i = 0; i < b->g->nbonds; i++) {
        jn_bond *bond = &b->g->bond[i];
        if (bond->name)
            continue;
        bond->name = jn_arena_printf(b->g->arena, "b%d", i + 1);
        while (jni_names_find(&b->bond_names, bond->name) || jni_names_find(&b->names, bond->name))
            bond->name = jn_arena_printf(b->g->arena, "b%d", ++spare);
    }
}

static void read_bonds(builder *b)
{
    jn_graph *g = b->g;
    const statement_list *l = &b->list[JN_AST_BONDS];
    int cap = 0;
    for (int i = 0; i < l->n && !b->stopped; i++)
        add_chain(b, &cap, &l->item[i]);
    jn_bond *grown = g->bond;
    g->bond = jn_arena_dup(g->arena, grown, (size_t)g->nbonds * sizeof *grown);
    free(grown);
    name_bonds(b);
    b->bonds_broken = jni_build_failed(b);
}

/* ---- elements ------------------------------------------------------------------------------ */

static void add_element(builder *b, const statement *st, int nbonds)
{
    jn_element *e = &b->g->element[b->g->nelements++];
    e->kind = st->ast->u.element.kind;
    e->name = st->name;
    e->place = st->ast->u.element.name.place;
    e->nbonds = nbonds;
    e->number = -1;
    if (st->field >= 0)
        e->place = st->ast->u.element.port_place[st->port];
}

/* A field has all of its ports, or its matrix would not fit. */
static void report_open_port(builder *b, const statement *st)
{
    REPORT(b, JN_D_FIELD_PORT_OPEN, st->ast->u.element.port_place[st->port],
           st->ast->u.element.port[st->port], b->field[st->field].name, st->name);
}

static void number_elements(builder *b)
{
    jn_graph *g = b->g;
    const statement_list *l = &b->list[JN_AST_ELEMENT];
    int *degree = jn_alloc((size_t)l->n * sizeof *degree);
    for (int i = 0; i < g->nbonds; i++) {
        degree[g->bond[i].tail]++;
        degree[g->bond[i].head]++;
    }
    g->element = jn_arena_alloc(g->arena, (size_t)l->n * sizeof *g->element);
    b->element_of = jn_arena_alloc(b->scratch, (size_t)l->n * sizeof *b->element_of);
    for (int i = 0; i < l->n; i++) {
        bool boolean = l->item[i].ast->u.element.kind == JN_BOOLEAN;
        bool stays = degree[i] > 0 || b->bonds_broken || boolean || l->item[i].field >= 0;
        if (degree[i] == 0 && !b->bonds_broken && l->item[i].field >= 0)
            report_open_port(b, &l->item[i]);
        b->element_of[i] = stays ? g->nelements : -1;
        if (stays)
            add_element(b, &l->item[i], degree[i]);
        else
            REPORT(b, JN_D_ELEMENT_UNCONNECTED, l->item[i].ast->u.element.name.place,
                   l->item[i].name);
    }
    free(degree);
    for (int i = 0; i < g->nbonds; i++) {
        g->bond[i].tail = b->element_of[g->bond[i].tail];
        g->bond[i].head = b->element_of[g->bond[i].head];
    }
}

static void link_bonds(jn_graph *g)
{
    int *all = jn_arena_alloc(g->arena, 2 * (size_t)g->nbonds * sizeof *all);
    int **next = jn_alloc((size_t)g->nelements * sizeof *next);
    for (int i = 0; i < g->nelements; i++) {
        g->element[i].bond = next[i] = all;
        all += g->element[i].nbonds;
    }
    for (int i = 0; i < g->nbonds; i++) {
        *next[g->bond[i].tail]++ = i;
        *next[g->bond[i].head]++ = i;
    }
    /* TF and GY: the bond that arrives is [0]. */
    for (int i = 0; i < g->nelements; i++) {
        const jn_element *e = &g->element[i];
        bool two_port = e->kind == JN_TF || e->kind == JN_GY;
        if (two_port && e->nbonds == 2 && g->bond[e->bond[1]].head == i &&
            g->bond[e->bond[0]].head != i) {
            int *pair = next[i] - 2;
            int in = pair[1];
            pair[1] = pair[0];
            pair[0] = in;
        }
    }
    free(next);
}

/* ---- classes ------------------------------------------------------------------------------- */

static const int *collect_class(jn_graph *g, int *count, bool (*belongs)(jn_kind))
{
    *count = 0;
    for (int i = 0; i < g->nelements; i++)
        if (belongs(g->element[i].kind))
            g->element[i].number = (*count)++;
    int *list = jn_arena_alloc(g->arena, (size_t)*count * sizeof *list);
    for (int i = 0; i < g->nelements; i++)
        if (belongs(g->element[i].kind))
            list[g->element[i].number] = i;
    return list;
}

static bool is_resistor(jn_kind k)
{
    return k == JN_R;
}

void jni_build_bonds(builder *b)
{
    jn_graph *g = b->g;
    read_bonds(b);
    number_elements(b);
    link_bonds(g);
    g->storage = collect_class(g, &g->nstorages, jn_kind_is_storage);
    g->resistor = collect_class(g, &g->nresistors, is_resistor);
    g->source = collect_class(g, &g->nsources, jn_kind_is_source);
    g->sw = collect_class(g, &g->nswitches, jn_kind_is_switch);
    const char **name = jn_arena_alloc(g->arena, (size_t)g->nswitches * sizeof *name);
    for (int i = 0; i < g->nswitches; i++)
        name[i] = g->element[g->sw[i]].name;
    g->switch_name = name;
}
