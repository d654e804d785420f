/* domains.c: which domain each part of the model belongs to.
 *
 * A domain is said of elements and spreads along bonds; it ends at TF and GY. "domain electrical"
 * is that of all that no other reaches. */
#include <stdlib.h>
#include <string.h>

#include "graph_internal.h"

static const char *const names[] = {
    [JN_DOMAIN_UNKNOWN] = "unknown",       [JN_DOMAIN_NONE] = "none",
    [JN_DOMAIN_ELECTRICAL] = "electrical", [JN_DOMAIN_TRANSLATIONAL] = "translational",
    [JN_DOMAIN_ROTATIONAL] = "rotational", [JN_DOMAIN_HYDRAULIC] = "hydraulic",
    [JN_DOMAIN_THERMAL] = "thermal",
};

enum { NDOMAINS = sizeof names / sizeof *names };

const char *jn_domain_name(jn_domain d)
{
    return names[d];
}

static bool find_domain(builder *b, jn_domain *d, const jn_ast *ast)
{
    const char *word = ast->u.domain.domain;
    for (int i = JN_DOMAIN_NONE; i < NDOMAINS; i++) {
        if (strcmp(names[i], word) == 0) {
            *d = (jn_domain)i;
            return true;
        }
    }
    const char *near = jn_closest(word, names + JN_DOMAIN_NONE, NDOMAINS - JN_DOMAIN_NONE);
    REPORT(b, JN_D_DOMAIN_UNKNOWN, ast->u.domain.domain_place, word,
           near ? jn_arena_printf(b->scratch, "did you mean '%s'?", near)
                : "domains are electrical, translational, rotational, hydraulic, thermal, none");
    return false;
}

/* ---- spreading ----------------------------------------------------------------------------- */

typedef struct {
    builder *b;
    int *queue, head, tail;
    jn_place *said; /* by element: where its domain comes from */
} spread;

static bool joins_domains(jn_kind k)
{
    return k == JN_TF || k == JN_GY;
}

static void report_meeting(spread *s, jn_place place, jn_place one, jn_place other, jn_domain a,
                           jn_domain b)
{
    if (!REPORT(s->b, JN_D_DOMAINS_MEET, place, names[a], names[b]))
        return;
    jn_diag_note(s->b->diags, one, "%s from here", names[a]);
    jn_diag_note(s->b->diags, other, "%s from here", names[b]);
}

static void reach(spread *s, int element, jn_domain d, jn_place said, jn_place at)
{
    jn_element *e = &s->b->g->element[element];
    if (e->domain == JN_DOMAIN_UNKNOWN) {
        e->domain = d;
        s->said[element] = said;
        s->queue[s->tail++] = element;
    } else if (e->domain != d) {
        report_meeting(s, at, s->said[element], said, e->domain, d);
    }
}

static void spread_from(spread *s)
{
    jn_graph *g = s->b->g;
    while (s->head < s->tail) {
        int x = s->queue[s->head++];
        const jn_element *e = &g->element[x];
        for (int i = 0; i < e->nbonds; i++) {
            jn_bond *bond = &g->bond[e->bond[i]];
            int y = bond->tail == x ? bond->head : bond->tail;
            if (bond->domain != JN_DOMAIN_UNKNOWN && bond->domain != e->domain)
                continue; /* reported */
            bond->domain = e->domain;
            if (!joins_domains(g->element[y].kind))
                reach(s, y, e->domain, s->said[x], bond->place);
        }
    }
}

/* ---- statements ---------------------------------------------------------------------------- */

static void seed(spread *s, const statement *st, const jn_ast_name *name, jn_domain d)
{
    builder *b = s->b;
    const name_entry *found = jni_build_find(b, st->scope, name, NAME_ELEMENT, "element");
    int element = found ? b->element_of[found->index] : -1;
    if (element < 0)
        return;
    const jn_element *e = &b->g->element[element];
    if (joins_domains(e->kind) || e->kind == JN_BOOLEAN)
        REPORT(b, JN_D_DOMAIN_OF, name->place, e->name, jni_build_kind_text(b, found));
    else
        reach(s, element, d, name->place, name->place);
}

/* A bond between a TF and a GY is reached from neither end. */
static void spread_rest(spread *s, const statement *st, jn_domain d)
{
    jn_graph *g = s->b->g;
    for (int i = 0; i < g->nelements; i++)
        if (g->element[i].domain == JN_DOMAIN_UNKNOWN && !joins_domains(g->element[i].kind) &&
            g->element[i].kind != JN_BOOLEAN)
            reach(s, i, d, st->ast->place, st->ast->place);
    spread_from(s);
    for (int i = 0; i < g->nbonds; i++)
        if (g->bond[i].domain == JN_DOMAIN_UNKNOWN)
            g->bond[i].domain = d;
}

void jni_build_domains(builder *b)
{
    const statement_list *l = &b->list[JN_AST_DOMAIN];
    const statement *rest = NULL;
    jn_domain d, rest_domain = JN_DOMAIN_UNKNOWN;
    size_t n = (size_t)b->g->nelements;
    spread s = {
        .b = b, .queue = jn_alloc(n * sizeof *s.queue), .said = jn_alloc(n * sizeof *s.said)};
    b->g->has_domains = l->n > 0;
    for (int i = 0; i < l->n; i++) {
        const statement *st = &l->item[i];
        if (!find_domain(b, &d, st->ast))
            continue;
        for (int k = 0; k < st->ast->u.domain.nnames; k++)
            seed(&s, st, &st->ast->u.domain.name[k], d);
        if (st->ast->u.domain.nnames > 0)
            continue;
        if (st->scope->up)
            REPORT(b, JN_D_STATEMENT_NESTED, st->ast->place, "domain");
        else if (rest && REPORT(b, JN_D_STATEMENT_TWICE, st->ast->place, "domain"))
            jn_diag_note(b->diags, rest->ast->place, "the first is here");
        else if (!rest) {
            rest = st;
            rest_domain = d;
        }
    }
    spread_from(&s);
    if (rest)
        spread_rest(&s, rest, rest_domain);
    free(s.queue);
    free(s.said);
}
