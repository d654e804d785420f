/* html_model.c: the model for its page: the drawing, causality, and the matrices under guards.
 *
 * Names and values stand in tables and are numbers elsewhere: a converter arm has few values in
 * thousands of entries. */
#include <stdlib.h>
#include <string.h>

#include "html_internal.h"
#include "junct/write.h"

typedef struct {
    jn_str *out;
    const jn_html *h;
    const jn_graph *graph;
    const jn_junction *junction;
    html_guards guards;
    jn_keymap number; /* of a value in the table, as a pointer */
    int nvalues, cap;
    jn_ratfun *value;
} writer;

static void add(writer *w, const char *s)
{
    jn_str_add(w->out, s);
}

/* ---- the drawing --------------------------------------------------------------------------- */

static void write_box(writer *w, const char *key, jn_box b)
{
    jn_str_addf(w->out, ",\"%s\":[%.1f,%.1f,%.1f,%.1f]", key, b.left, b.top, b.right, b.bottom);
}

static void write_text(writer *w, const char *key, const char *s)
{
    if (!s)
        return;
    jn_str_addf(w->out, ",\"%s\":", key);
    jni_html_string(w->out, s);
}

static void write_element(writer *w, int i)
{
    const jn_element *e = &w->graph->element[i];
    const jn_drawn_element *x = &w->h->drawing->element[i];
    add(w, i ? ",\n{\"name\":" : "{\"name\":");
    jni_html_string(w->out, e->name);
    write_text(w, "kind", jn_kind_name(e->kind));
    write_text(w, "shown", x->kind);
    if (e->kind != JN_0 && e->kind != JN_1)
        write_text(w, "below", x->own);
    write_text(w, "unit", jn_graph_value_unit(w->graph, i));
    if (jn_kind_is_switch(e->kind))
        jn_str_addf(w->out, ",\"switch\":%d", e->number);
    if (e->multiport && e->port > 0) /* the box that stands in is that of its field */
        jn_str_addf(w->out, ",\"in\":%d", e->multiport->element[0]);
    else if (e->multiport)
        write_text(w, "field", e->multiport->name);
    if (x->in == i)
        write_box(w, "box", x->box);
    add(w, "}");
}

static void write_segment(writer *w, const char *key, jn_segment s)
{
    jn_str_addf(w->out, ",\"%s\":[%.1f,%.1f,%.1f,%.1f]", key, s.from.x, s.from.y, s.to.x, s.to.y);
}

static void write_line(writer *w, const jn_drawn_bond *x)
{
    add(w, ",\"points\":[");
    for (int i = 0; i < x->npoints; i++)
        jn_str_addf(w->out, "%s%.1f,%.1f", i ? "," : "", x->point[i].x, x->point[i].y);
    add(w, "]");
    write_segment(w, "barb", jn_drawn_barb(x));
    write_segment(w, "at_tail", jn_drawn_bar(x, false));
    write_segment(w, "at_head", jn_drawn_bar(x, true));
    if (x->label) {
        write_text(w, "said", x->label);
        write_box(w, "label", x->label_box);
    }
}

static void write_bond(writer *w, int b)
{
    const jn_bond *bond = &w->graph->bond[b];
    const jn_drawn_bond *x = &w->h->drawing->bond[b];
    const jn_stroke *s = &w->junction->stroke[b];
    add(w, b ? ",\n{\"name\":" : "{\"name\":");
    jni_html_string(w->out, bond->name);
    jn_str_addf(w->out, ",\"tail\":%d,\"head\":%d,\"effort\":[%d,%d]", bond->tail, bond->head,
                jni_html_guard(&w->guards, s->tail), jni_html_guard(&w->guards, s->head));
    jn_str_addf(w->out, ",\"open\":%d", jni_html_guard(&w->guards, w->junction->undetermined[b]));
    if (x->as == b)
        write_line(w, x);
    add(w, "}");
}

/* Per part the numbers of its elements or bonds. */
static void write_parts(writer *w, const char *key, const int *number, int count, int n)
{
    jn_str_addf(w->out, ",\"%s\":[", key);
    for (int k = 0; k < count; k++) {
        add(w, k ? ",[" : "[");
        for (int i = 0; i < n; i++)
            jn_str_addf(w->out, i ? ",%d" : "%d", number[k * n + i]);
        add(w, "]");
    }
    add(w, "]");
}

static void write_folds(writer *w)
{
    const jn_drawing *d = w->h->drawing;
    add(w, "],\n\"folds\":[");
    for (int f = 0; f < d->nfolds; f++) {
        const jn_fold *x = &d->fold[f];
        jn_str_addf(w->out, "%s{\"count\":%d", f ? ",\n" : "", x->count);
        write_box(w, "box", x->box);
        write_parts(w, "elements", x->element, x->count, x->nelements);
        write_parts(w, "bonds", x->bond, x->count, x->nbonds);
        add(w, "}");
    }
    add(w, "]");
}

static void write_drawing(writer *w)
{
    jn_str_addf(w->out, ",\n\"size\":[%.1f,%.1f],\n\"elements\":[", w->h->drawing->width,
                w->h->drawing->height);
    for (int i = 0; i < w->graph->nelements; i++)
        write_element(w, i);
    add(w, "],\n\"bonds\":[");
    for (int b = 0; b < w->graph->nbonds; b++)
        write_bond(w, b);
    write_folds(w);
}

/* ---- numbers of elements ------------------------------------------------------------------- */

static void write_class(writer *w, const char *key, const int *element, int n)
{
    jn_str_addf(w->out, ",\n\"%s\":[", key);
    for (int i = 0; i < n; i++)
        jn_str_addf(w->out, i ? ",%d" : "%d", element[i]);
    add(w, "]");
}

static void write_guards_of(writer *w, const char *key, const jn_guard *g, int n)
{
    jn_str_addf(w->out, ",\n\"%s\":[", key);
    for (int i = 0; i < n; i++)
        jn_str_addf(w->out, i ? ",%d" : "%d", jni_html_guard_shown(&w->guards, g[i]));
    add(w, "]");
}

static void write_mode(writer *w, const char *key, const jn_onoff *m)
{
    jn_str_addf(w->out, ",\n\"%s\":\"", key);
    jn_mode_print(w->out, w->graph, m);
    add(w, "\"");
}

/* ---- forbidden and singular modes ---------------------------------------------------------- */

static void write_count(writer *w, const char *key, jn_guard g)
{
    jn_str_addf(w->out, ",\"%s\":\"", key);
    jn_write_count(w->out, w->junction->ring.guards, g);
    add(w, "\"");
}

static void write_forbidden(writer *w)
{
    const jn_junction *j = w->junction;
    jn_str relation;
    jn_str_init(&relation);
    jn_str_addf(w->out, ",\n\"forbidden\":%d", jni_html_guard_shown(&w->guards, j->forbidden));
    write_count(w, "forbiddenCount", j->forbidden);
    add(w, ",\n\"reasons\":[");
    for (int i = 0; i < j->nreasons; i++) {
        jn_str_reset(&relation);
        jn_reason_print(&relation, j, &j->reason[i]);
        jn_str_addf(w->out, "%s[%d,", i ? "," : "", jni_html_guard(&w->guards, j->reason[i].guard));
        jni_html_string(w->out, jn_str_c(&relation));
        add(w, "]");
    }
    add(w, "]");
    jn_str_clear(&relation);
}

static void write_singular(writer *w)
{
    const jn_implicit *f = w->h->implicit;
    jn_str_addf(w->out, ",\n\"singular\":[");
    for (int i = 0; i < f->nsingular; i++)
        jn_str_addf(w->out, "%s[%d,%d]", i ? "," : "",
                    jni_html_guard(&w->guards, f->singular_at[i].guard), f->singular_at[i].element);
    add(w, "]");
}

/* ---- matrices ------------------------------------------------------------------------------ */

static int value_number(writer *w, jn_ratfun v)
{
    void *known = jni_keymap_get(&w->number, (uint64_t)v.id);
    if (known)
        return (int)(intptr_t)known - 1;
    JN_GROW(w->value, w->nvalues, w->cap);
    w->value[w->nvalues++] = v;
    jni_keymap_put(&w->number, (uint64_t)v.id, (void *)(intptr_t)w->nvalues);
    return w->nvalues - 1;
}

static void write_values(writer *w)
{
    jn_str text;
    jn_str_init(&text);
    add(w, ",\n\"values\":[");
    for (int i = 0; i < w->nvalues; i++) {
        jn_str_reset(&text);
        jn_ratfun_print(&text, w->graph->field, w->value[i], jn_graph_param_names(w->graph),
                        JN_RATFUN_TEXT);
        add(w, i ? ",\n" : "");
        jni_html_string(w->out, jn_str_c(&text));
    }
    add(w, "]");
    jn_str_clear(&text);
}

/* [element, form] of each */
static void write_variables(writer *w, const char *key, const jn_variable *v, int n)
{
    jn_str_addf(w->out, ",\n\"%s\":[", key);
    for (int i = 0; i < n; i++)
        jn_str_addf(w->out, "%s[%d,\"%s\"]", i ? "," : "", v[i].element, jn_form_name(v[i].form));
    add(w, "]");
}

/* [row, column, guard, value, guard, value, …] of each entry */
static void write_matrix(writer *w, const char *key, const jn_matrix *m)
{
    const char *separator = "";
    jn_str_addf(w->out, ",\n\"%s\":[", key);
    for (int i = 0; i < m->nrows; i++)
        for (int k = 0; k < m->row[i].n; k++) {
            const jn_entry *e = &m->row[i].e[k];
            jn_str_addf(w->out, "%s[%d,%d", separator, i, e->col);
            separator = ",";
            for (int c = 0; c < e->value.n; c++)
                jn_str_addf(w->out, ",%d,%d", jni_html_guard_shown(&w->guards, e->value.c[c].guard),
                            value_number(w, e->value.c[c].value));
            add(w, "]");
        }
    add(w, "]");
}

static void write_matrices(writer *w)
{
    const jn_junction *j = w->junction;
    const jn_implicit *f = w->h->implicit;
    write_variables(w, "rows", j->row, j->nrows);
    write_variables(w, "cols", j->col, j->ncols);
    write_variables(w, "x", f->x, f->n);
    write_guards_of(w, "Lambda", j->Lambda, j->nrows);
    write_matrix(w, "S", &j->S);
    write_matrix(w, "E", &f->E);
    write_matrix(w, "A", &f->A);
    write_matrix(w, "B", &f->B);
    write_values(w);
}

/* ---- the model ----------------------------------------------------------------------------- */

/* The model's text is shown as it is written, but for what must not be seen. */
static void write_model_text(writer *w, const char *s)
{
    jn_str text;
    jn_str_init(&text);
    while (s && *s) {
        size_t n = strcspn(s, "\n\r\t"), more = s[n] != 0;
        jn_str_add_shown(&text, s, n);
        jn_str_addn(&text, s + n, more);
        s += n + more;
    }
    jni_html_string(w->out, s ? jn_str_c(&text) : NULL);
    jn_str_clear(&text);
}

static void write_names(writer *w)
{
    const jn_graph *g = w->graph;
    add(w, "\"model\":");
    jni_html_string(w->out, g->name);
    add(w, ",\"title\":");
    jni_html_string(w->out, g->title);
    add(w, ",\n\"text\":");
    write_model_text(w, w->h->source ? w->h->source->text : NULL);
    bool known =
        g->has_domains; /* Sums of energies have a unit where all parts have: no heat is among them. */
    for (int i = 0; i < g->nbonds; i++)
        known = known && g->bond[i].domain > JN_DOMAIN_NONE;
    add(w, ",\n\"powerUnit\":");
    jni_html_string(w->out, known ? "W" : "");
    add(w, ",\"energyUnit\":");
    jni_html_string(w->out, jn_graph_energy_unit(g) ? jn_graph_energy_unit(g) : "");
    write_class(w, "switches", g->sw, g->nswitches);
    write_class(w, "storages", g->storage, g->nstorages);
    write_class(w, "resistors", g->resistor, g->nresistors);
    write_class(w, "sources", g->source, g->nsources);
}

void jni_html_model(jn_str *out, const jn_html *h)
{
    const jn_junction *j = h->implicit->junction;
    writer w = {.out = out, .h = h, .junction = j, .graph = j->graph};
    jni_html_guards_init(&w.guards, j->ring.guards);
    write_names(&w);
    write_mode(&w, "reference", j->reference);
    write_count(&w, "allowedCount", j->allowed);
    jn_str_addf(out, ",\"allowed\":%d", jni_html_guard(&w.guards, j->allowed));
    write_guards_of(&w, "integral", j->integral, w.graph->nstorages);
    write_guards_of(&w, "resistance", j->resistance, w.graph->nresistors);
    write_forbidden(&w);
    write_singular(&w);
    write_drawing(&w);
    write_matrices(&w);
    add(&w, ",\n");
    jni_html_guards_write(out, &w.guards);
    jni_html_guards_clear(&w.guards);
    jni_keymap_clear(&w.number);
    free(w.value);
}
