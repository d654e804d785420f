/* json_modes.c: causality and forbidden modes as JSON. */
#include "write_internal.h"

static void write_causality(jn_listing *l)
{
    const jn_graph *g = jni_listing_graph(l);
    jn_str_add(&l->out, ",\n \"causality\": [");
    for (int i = 0; i < l->npassive; i++) {
        const jn_causality *c = &l->passive[i];
        jn_str_add(&l->out, i ? ",\n  {\"element\": " : "\n  {\"element\": ");
        jn_json_string(&l->out, g->element[c->element].name);
        jn_str_addf(&l->out, ", \"%s\": \"", c->yes);
        jni_listing_formula(&l->out, l, jni_causality_formula(l, c));
        jn_str_addf(&l->out, "\", \"static\": %s}", c->is_static ? "true" : "false");
    }
    jn_str_addc(&l->out, ']');
}

static void begin(jn_listing *l)
{
    const jn_junction *j = l->junction;
    jni_json_head(l);
    jn_str_add(&l->out, ",\n ");
    jni_json_forbidden(l);
    if (jni_json_is_alone(l)) {
        jn_str_add(&l->out, ",\n \"allowed\": null,\n \"causality\": null,\n \"modes\": [");
        return;
    }
    jn_str_add(&l->out, ",\n \"allowed\": \"");
    jn_write_count(&l->out, j->ring.guards, j->allowed);
    jn_str_add(&l->out, "\"");
    if (!jn_guard_is_false(j->allowed)) {
        jn_str_add(&l->out, ",\n \"reference\": \"");
        jni_listing_mode(&l->out, l, j->reference);
        jn_str_addc(&l->out, '"');
    }
    write_causality(l);
    jni_json_lets(l);
    jn_str_add(&l->out, l->by_mode ? ",\n \"modes\": [" : "");
}

static void mode(jn_listing *l, const jn_onoff *m)
{
    const jn_junction *j = l->junction;
    jn_str_add(&l->out, l->written++ ? ",\n  {\"mode\": \"" : "\n  {\"mode\": \"");
    jni_listing_mode(&l->out, l, m);
    if (jn_junction_is_forbidden(j, m)) {
        jn_str_add(&l->out, "\", \"status\": \"forbidden\", \"reason\": \"");
        jn_reason_print(&l->out, j, jn_junction_reason(j, m));
        jn_str_addc(&l->out, '"');
    } else {
        jn_str_add(&l->out, "\", \"status\": \"ok\"");
        jni_json_causality(l, m);
    }
    jn_str_addc(&l->out, '}');
}

static void end(jn_listing *l)
{
    jn_str_add(&l->out, l->by_mode ? "]}\n" : "}\n");
}

const jn_writer jni_modes_json = {begin, mode, end};
