/* json.c: JSON, and the parts that all results have in it. Numbers that are exact are strings. */
#include <string.h>

#include "junct/diag.h"
#include "write_internal.h"

/* The bytes of the UTF-8 character at s; 0 when it is malformed. */
static int utf8_bytes(const char *s)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *p = (const unsigned char *)s;
    int len = p[0] < 0x80 ? 1 : p[0] < 0xC2 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
    unsigned code = len == 1 ? p[0] : p[0] & (0x7Fu >> len);
    for (int i = 1; i < len; i++) {
        if ((p[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (p[i] & 0x3F);
    }
    bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < least[len] || code > 0x10FFFF || surrogate ? 0 : len;
}

/* One that no terminal may see, of those that a number of four digits names; 0: no such. */
static unsigned hidden(const char *s, int len)
{
    const unsigned char *p = (const unsigned char *)s;
    unsigned code = len == 1   ? p[0]
                    : len == 2 ? (p[0] & 0x1Fu) << 6 | (p[1] & 0x3Fu)
                    : len == 3 ? (p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu)
                               : 0;
    return code && jn_utf8_shown(s, s + len) == 0 ? code : 0;
}

void jn_json_string(jn_str *out, const char *s)
{
    jn_str_addc(out, '"');
    while (*s) {
        int len = utf8_bytes(s);
        unsigned code = hidden(s, len);
        if (len == 0)
            jn_str_add(out, "\xEF\xBF\xBD");
        else if (*s == '"' || *s == '\\')
            jn_str_addf(out, "\\%c", *s);
        else if (*s == '\n' || *s == '\t')
            jn_str_add(out, *s == '\n' ? "\\n" : "\\t");
        else if (code)
            jn_str_addf(out, "\\u%04x", code);
        else
            jn_str_addn(out, s, (size_t)len);
        s += len ? len : 1;
    }
    jn_str_addc(out, '"');
}

void jni_json_guard(jn_listing *l, jn_guard g)
{
    jn_str_addc(&l->out, '"');
    jni_listing_guard(&l->out, l, g);
    jn_str_addc(&l->out, '"');
}

void jni_json_names(jn_listing *l, const int *element, int n)
{
    jn_str_addc(&l->out, '[');
    for (int i = 0; i < n; i++) {
        jn_str_add(&l->out, i ? ", " : "");
        jn_json_string(&l->out, jni_listing_graph(l)->element[element[i]].name);
    }
    jn_str_addc(&l->out, ']');
}

void jni_json_unit(jn_listing *l, const char *unit)
{
    if (!unit)
        return;
    jn_str_add(&l->out, ", \"unit\": ");
    jn_json_string(&l->out, unit);
}

/* One more name with its unit in an object; *n are there already. */
static void add_named_unit(jn_listing *l, const char *key, int *n, const char *name,
                           const char *unit)
{
    if (!unit)
        return;
    if ((*n)++)
        jn_str_add(&l->out, ", ");
    else
        jn_str_addf(&l->out, ",\n \"%s\": {", key);
    jn_json_string(&l->out, name);
    jn_str_add(&l->out, ": ");
    jn_json_string(&l->out, unit);
}

/* Of inputs and symbols by their names, and of outputs; where they are known. */
static void write_units(jn_listing *l)
{
    const jn_graph *g = jni_listing_graph(l);
    int n = 0, outputs = 0;
    for (int i = 0; i < g->nsources; i++)
        add_named_unit(l, "units", &n, g->element[g->source[i]].name,
                       jn_graph_value_unit(g, g->source[i]));
    for (int i = 0; i < g->nparams; i++)
        add_named_unit(l, "units", &n, g->param[i].name, jn_graph_param_unit(g, i));
    jn_str_add(&l->out, n ? "}" : "");
    for (int i = 0; i < g->noutputs; i++)
        add_named_unit(l, "output_units", &outputs, g->output[i].name, g->output[i].unit);
    jn_str_add(&l->out, outputs ? "}" : "");
}

void jni_json_head(jn_listing *l)
{
    const jn_graph *g = jni_listing_graph(l);
    jn_str_add(&l->out, "{\"schema\": 1,\n \"model\": ");
    jn_json_string(&l->out, g->name);
    if (g->title) {
        jn_str_add(&l->out, ",\n \"title\": ");
        jn_json_string(&l->out, g->title);
    }
    jn_str_add(&l->out, ",\n \"switches\": ");
    jni_json_names(l, g->sw, g->nswitches);
    jn_str_add(&l->out, ",\n \"inputs\": ");
    jni_json_names(l, g->source, g->nsources);
    jni_json_feedback(l);
    if (g->has_domains)
        write_units(l);
}

bool jni_json_is_alone(const jn_listing *l)
{
    return l->junction->single && l->junction->graph->nswitches > 0;
}

void jni_json_forbidden(jn_listing *l)
{
    const jn_junction *j = l->junction;
    if (jni_json_is_alone(l)) {
        jn_str_add(&l->out, "\"forbidden\": null");
        return;
    }
    jn_str relation;
    jn_str_init(&relation);
    jn_str_add(&l->out, "\"forbidden\": {\"guard\": ");
    jni_json_guard(l, j->forbidden);
    jn_str_add(&l->out, ", \"count\": \"");
    jn_write_count(&l->out, j->ring.guards, j->forbidden);
    jn_str_add(&l->out, "\", \"reasons\": [");
    for (int i = 0; i < j->nreasons; i++) {
        jn_str_add(&l->out, i ? ",\n  {\"guard\": " : "{\"guard\": ");
        jni_json_guard(l, j->reason[i].guard);
        jn_str_reset(&relation);
        jn_reason_print(&relation, j, &j->reason[i]);
        jn_str_add(&l->out, ", \"relation\": ");
        jn_json_string(&l->out, jn_str_c(&relation));
        jn_str_addc(&l->out, '}');
    }
    jn_str_add(&l->out, "]}");
    jn_str_clear(&relation);
}

void jni_json_lets(jn_listing *l)
{
    int n = jn_formulas_lets(l->formulas);
    for (int i = 0; i < n; i++) {
        jn_str_addf(&l->out, i ? ",\n  [\"_%d\", \"" : ",\n \"let\": [[\"_%d\", \"", i + 1);
        jni_listing_formula(&l->out, l, jn_formulas_let(l->formulas, i));
        jn_str_add(&l->out, "\"]");
    }
    jn_str_add(&l->out, n ? "]" : "");
}

void jni_json_causality(jn_listing *l, const jn_onoff *m)
{
    jn_str_add(&l->out, ", \"causality\": {");
    for (int i = 0; i < l->npassive; i++) {
        const jn_causality *c = &l->passive[i];
        jn_str_add(&l->out, i ? ", " : "");
        jn_json_string(&l->out, jni_listing_graph(l)->element[c->element].name);
        jn_str_addf(&l->out, ": \"%s\"", jni_causality_in(l, c, m));
    }
    jn_str_addc(&l->out, '}');
}
