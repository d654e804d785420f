/* analyse_json_across.c: what all modes have in common, as JSON. */
#include "analyse_internal.h"

enum { FORMULA_NODES = 300 };

/* {"count": "6", "guard": "s1 ^ s2"}; a guard that would be very long is null. */
static void put_guard(jn_listing *l, const jn_across *c, jn_guard g)
{
    jn_guards *guards = c->analysis->implicit->junction->ring.guards;
    jn_str_add(&l->out, "{\"count\": \"");
    jn_write_count(&l->out, guards, g);
    jn_str_add(&l->out, "\", \"guard\": ");
    if (jn_guard_nodes(guards, g) <= FORMULA_NODES)
        jni_json_guard(l, g);
    else
        jn_str_add(&l->out, "null");
    jn_str_addc(&l->out, '}');
}

static void put_per_storage(jn_listing *l, const jn_across *c, const char *name,
                            const jn_guard *guard)
{
    const jn_graph *g = c->analysis->graph;
    jn_str_addf(&l->out, ",\n \"%s\": {", name);
    for (int i = 0; i < g->nstorages; i++) {
        jn_str_add(&l->out, i ? ",\n  " : "\n  ");
        jn_json_string(&l->out, g->element[g->storage[i]].name);
        jn_str_add(&l->out, ": ");
        put_guard(l, c, guard[i]);
    }
    jn_str_addc(&l->out, '}');
}

static void put_orders(jn_listing *l, const jn_across *c)
{
    jn_str_add(&l->out, ",\n \"orders\": ");
    if (!c->orders_known) {
        jn_str_add(&l->out, "null");
        return;
    }
    jn_str_addc(&l->out, '{');
    for (int k = 0; k < c->norders; k++) {
        jn_str_addf(&l->out, "%s\n  \"%d\": ", k ? "," : "", c->min_order + k);
        put_guard(l, c, c->modes[k]);
    }
    jn_str_addc(&l->out, '}');
}

static void put_stability(jn_listing *l, const jn_across *c)
{
    jn_str_add(&l->out, ",\n \"stability\": ");
    if (!c->stability_decided) {
        jn_str_add(&l->out, "null");
        return;
    }
    jn_str_add(&l->out, "{\"stable\": ");
    put_guard(l, c, c->stable);
    jn_str_add(&l->out, ", \"unstable\": ");
    put_guard(l, c, c->unstable);
    jn_str_add(&l->out, ",\n  \"pole_at_zero\": ");
    put_guard(l, c, c->pole_at_zero);
    jn_str_add(&l->out, ", \"lossless\": ");
    put_guard(l, c, c->lossless);
    jn_str_addc(&l->out, '}');
}

static void put_classes(jn_listing *l, const char *name, const jn_classes *k)
{
    jn_str_addf(&l->out, ",\n \"%s\": {\"different\": ", name);
    if (k->known) {
        char *count = fmpz_get_str(NULL, 10, k->count);
        jn_str_addf(&l->out, "\"%s\"", count);
        flint_free(count);
    } else {
        jn_str_add(&l->out, "null");
    }
    jn_str_add(&l->out, k->nlisted ? ", \"class_of\": [" : "");
    for (int m = 0; m < k->nlisted; m++)
        if (k->of[m] < 0)
            jn_str_add(&l->out, m ? ", null" : "null");
        else
            jn_str_addf(&l->out, "%s%d", m ? ", " : "", k->of[m]);
    jn_str_add(&l->out, k->nlisted ? "]}" : "}");
}

static void put_switches(jn_listing *l, const jn_graph *g, const int *sw, int n)
{
    jn_str_addc(&l->out, '[');
    for (int i = 0; i < n; i++) {
        jn_str_add(&l->out, i ? ", " : "");
        jn_json_string(&l->out, g->element[g->sw[sw[i]]].name);
    }
    jn_str_addc(&l->out, ']');
}

static void put_flagged(jn_listing *l, const jn_graph *g, const char *name, const int *element,
                        const bool *flag, int n)
{
    bool first = true;
    jn_str_addf(&l->out, ",\n \"%s\": [", name);
    for (int i = 0; i < n; i++)
        if (flag[i]) {
            jn_str_add(&l->out, first ? "" : ", ");
            jn_json_string(&l->out, g->element[element[i]].name);
            first = false;
        }
    jn_str_addc(&l->out, ']');
}

static void put_sanity(jn_listing *l, const jn_across *c)
{
    const jn_graph *g = c->analysis->graph;
    jn_str_add(&l->out, ",\n \"exclusive\": [");
    for (int i = 0; i < c->nexclusive; i++) {
        jn_str_addf(&l->out, "%s{\"position\": \"%s\", \"switches\": ", i ? ", " : "",
                    c->exclusive[i].on ? "on" : "off");
        put_switches(l, g, c->exclusive[i].sw, c->exclusive[i].n);
        jn_str_addc(&l->out, '}');
    }
    jn_str_add(&l->out, "],\n \"complementary\": [");
    for (int i = 0; i < c->ncomplementary; i++) {
        const int pair[] = {c->complementary[i].first, c->complementary[i].second};
        jn_str_add(&l->out, i ? ", " : "");
        put_switches(l, g, pair, 2);
    }
    jn_str_addc(&l->out, ']');
    put_flagged(l, g, "idle_switches", g->sw, c->idle, g->nswitches);
    put_flagged(l, g, "storages_alone", g->storage, c->storage_alone, g->nstorages);
    put_flagged(l, g, "sources_alone", g->source, c->source_alone, g->nsources);
}

void jni_json_across(jn_listing *l, const jn_across *c)
{
    put_orders(l, c);
    put_per_storage(l, c, "dependent", c->dependent);
    put_per_storage(l, c, "unreached", c->unreached);
    jn_str_add(&l->out, ",\n \"some_unreached\": ");
    put_guard(l, c, c->some_unreached);
    if (c->outputs_known) {
        put_per_storage(l, c, "unobserved", c->unobserved);
        jn_str_add(&l->out, ",\n \"some_unobserved\": ");
        put_guard(l, c, c->some_unobserved);
    }
    put_stability(l, c);
    put_classes(l, "equations", &c->equations);
    put_classes(l, "dynamics", &c->dynamics);
    put_sanity(l, c);
    jni_json_lets(l);
}
