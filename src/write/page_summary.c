/* page_summary.c: what a model has, in a few lines. */
#include "write_internal.h"

/* The further ports of a field are no elements of their own. */
static bool is_further_port(const jn_element *e)
{
    return e->multiport && e->port > 0;
}

/* How many there are of each kind, fields apart. */
typedef struct {
    int all, plain[JN_BOOLEAN + 1], field[JN_BOOLEAN + 1];
} census;

static census count_elements(const jn_graph *g)
{
    census c = {0};
    for (int i = 0; i < g->nelements; i++) {
        const jn_element *e = &g->element[i];
        if (is_further_port(e))
            continue;
        c.all++;
        (e->multiport ? c.field : c.plain)[e->kind]++;
    }
    return c;
}

static void add_count(jn_page *p, jn_line *line, int n, const char *kind, const char *suffix,
                      bool plural, const char **separator)
{
    if (n == 0)
        return;
    jn_line_text(p, line, "%s%d %s%s%s", *separator, n, kind, suffix, plural && n > 1 ? "s" : "");
    *separator = ", ";
}

/* "14: 2 Se, 3 I, 1 I-field, …", in the order of the language's table of kinds. */
static void add_elements(jn_page *p, jn_line *line, const jn_graph *g)
{
    census c = count_elements(g);
    const char *separator = ": ";
    jn_line_text(p, line, "%d", c.all);
    for (int k = 0; k <= JN_BOOLEAN; k++) {
        bool junction = k == JN_0 || k == JN_1;
        const char *name = jn_kind_name((jn_kind)k);
        add_count(p, line, c.plain[k], name, junction ? "-junction" : "",
                  junction || k == JN_BOOLEAN, &separator);
        add_count(p, line, c.field[k], name, "-field", true, &separator);
    }
}

/* What a law or a modulation gives the element is its value, though not a number. */
static bool is_without_value(const jn_graph *g, const jn_param *p)
{
    const jn_element *e = p->element < 0 ? NULL : &g->element[p->element];
    return p->value.id < 0 && !(e && (e->modulated || e->nonlinear));
}

static void add_parameters(jn_page *p, jn_line *line, const jn_graph *g)
{
    int without = 0, shown = 0;
    for (int i = 0; i < g->nparams; i++)
        without += is_without_value(g, &g->param[i]);
    jn_line_text(p, line, "%d", g->nparams);
    if (g->nparams && !without)
        jn_line_text(p, line, ", all with values");
    if (!without)
        return;
    jn_line_text(p, line, ", %d without a value: ", without);
    for (int i = 0; i < g->nparams && shown < 20; i++)
        if (is_without_value(g, &g->param[i])) {
            if (shown++)
                jn_line_text(p, line, ", ");
            jn_line_name(p, line, g->param[i].name);
        }
    if (shown < without)
        jn_line_text(p, line, " and %d more", without - shown);
}

/* "electrical 8, rotational 3": elements that belong to each. */
static void add_domains(jn_page *p, jn_table_item *t, const jn_graph *g)
{
    int count[JN_DOMAIN_THERMAL + 1] = {0};
    for (int i = 0; i < g->nelements; i++)
        count[g->element[i].domain] += !is_further_port(&g->element[i]);
    jn_line *line = jni_table_field(p, t, "domains");
    const char *separator = "";
    for (int d = JN_DOMAIN_NONE; d <= JN_DOMAIN_THERMAL; d++) {
        if (!count[d])
            continue;
        jn_line_text(p, line, "%s%s %d", separator, jn_domain_name((jn_domain)d), count[d]);
        separator = ", ";
    }
}

void jni_page_add_graph(jn_page *p, jn_table_item *t, const jn_graph *g)
{
    add_elements(p, jni_table_field(p, t, "elements"), g);
    jn_line_text(p, jni_table_field(p, t, "bonds"), "%d", g->nbonds);
    jni_line_counted(p, jni_table_field(p, t, "states"), g, g->storage, g->nstorages);
    jni_line_counted(p, jni_table_field(p, t, "inputs"), g, g->source, g->nsources);
    add_parameters(p, jni_table_field(p, t, "parameters"), g);
    if (g->has_domains)
        add_domains(p, t, g);
}

void jn_write_summary(jn_str *out, const jn_graph *g, const jn_junction *j, int width)
{
    jn_page *p = jn_page_new(g->field, jn_graph_param_names(g), jn_graph_switch_names(g));
    jni_page_title(p, g);
    jn_table_item *t = jn_page_table(p, 2, false);
    jni_page_add_graph(p, t, g);
    jn_listing l;
    if (j) {
        jn_listing_init(&l, j, NULL);
        jni_page_add_modes(p, t, &l);
        jn_page_lets(p, l.formulas);
    }
    jn_page_text(out, p, width);
    if (j)
        jn_listing_clear(&l);
    jn_page_free(p);
}
