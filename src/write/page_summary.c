/* page_summary.c: what a model has, in a few lines. */
#include "write_internal.h"

/* "14: 2 Se, 3 I, …", in the order of the language's table of kinds. */
static void add_elements(jn_page *p, jn_line *line, const jn_graph *g)
{
    int count[JN_BOOLEAN + 1] = {0};
    for (int i = 0; i < g->nelements; i++)
        count[g->element[i].kind]++;
    jn_line_text(p, line, "%d", g->nelements);
    const char *separator = ": ";
    for (int k = 0; k <= JN_BOOLEAN; k++) {
        if (!count[k])
            continue;
        bool junction = k == JN_0 || k == JN_1;
        jn_line_text(p, line, "%s%d %s%s%s", separator, count[k], jn_kind_name((jn_kind)k),
                     junction ? "-junction" : "",
                     (junction || k == JN_BOOLEAN) && count[k] > 1 ? "s" : "");
        separator = ", ";
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
        count[g->element[i].domain]++;
    jn_line *line = jn_table_field(p, t, "domains");
    const char *separator = "";
    for (int d = JN_DOMAIN_NONE; d <= JN_DOMAIN_THERMAL; d++) {
        if (!count[d])
            continue;
        jn_line_text(p, line, "%s%s %d", separator, jn_domain_name((jn_domain)d), count[d]);
        separator = ", ";
    }
}

void jn_page_add_graph(jn_page *p, jn_table_item *t, const jn_graph *g)
{
    add_elements(p, jn_table_field(p, t, "elements"), g);
    jn_line_text(p, jn_table_field(p, t, "bonds"), "%d", g->nbonds);
    jn_line_counted(p, jn_table_field(p, t, "states"), g, g->storage, g->nstorages);
    jn_line_counted(p, jn_table_field(p, t, "inputs"), g, g->source, g->nsources);
    add_parameters(p, jn_table_field(p, t, "parameters"), g);
    if (g->has_domains)
        add_domains(p, t, g);
}

void jn_write_summary(jn_str *out, const jn_graph *g, const jn_junction *j, int width)
{
    jn_page *p = jn_page_new(g->field, jn_graph_param_names(g), jn_graph_switch_names(g));
    jn_page_title(p, g);
    jn_table_item *t = jn_page_table(p, 2, false);
    jn_page_add_graph(p, t, g);
    jn_listing l;
    if (j) {
        jn_listing_init(&l, j, NULL);
        jn_page_add_modes(p, t, &l);
        jn_page_lets(p, l.formulas);
    }
    jn_page_text(out, p, width);
    if (j)
        jn_listing_clear(&l);
    jn_page_free(p);
}
