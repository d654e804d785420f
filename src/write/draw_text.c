/* draw_text.c: what stands in the boxes of a drawing, and how much room it takes. */
#include <math.h>
#include <string.h>

#include "draw_internal.h"

/* ---- width --------------------------------------------------------------------------------- */

/* Of Helvetica, in thousandths of its size, from the blank to the tilde. */
static const short helvetica[] = {
    278, 278, 355, 556, 556, 889, 667, 222, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 222, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584,
};
enum { FIRST = ' ', LAST = '~', OTHER = 600, WIDE = 1000 };

double jni_draw_text_width(const char *s, double size)
{
    long sum = 0;
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c >= FIRST && c <= LAST)
            sum += helvetica[c - FIRST];
        else if (c >= 0xE3) /* the first byte of East Asian letters and of signs beyond */
            sum += WIDE;
        else if (c >= 0xC0)
            sum += OTHER;
    }
    return 1.12 * size * (double)sum / 1000;
}

/* ---- text ---------------------------------------------------------------------------------- */

/* Characters of a value: longer ones are cut, longer numbers are rounded. */
enum { VALUE_MAX = 28, MATRIX_MAX = 40, NUMBER_MAX = 12 };

/* The text as it is, or its beginning with an ellipsis. */
static const char *shortened(jn_arena *a, const char *s, int most)
{
    const char *end = s;
    for (int n = 0; *end && n < most; n++)
        do
            end++;
        while ((*end & 0xC0) == 0x80);
    if (!*end)
        return jn_arena_strndup(a, s, strlen(s));
    return jn_arena_printf(a, "%.*s\xE2\x80\xA6", (int)(end - s), s);
}

static const jn_expr *written_value(const jn_graph *g, int element)
{
    const jn_element *e = &g->element[element];
    if (e->law)
        return e->law;
    if (e->modulation)
        return e->modulation;
    if (jn_kind_is_source(e->kind))
        return e->input;
    for (int i = 0; i < g->nparams; i++)
        if (g->param[i].element == element)
            return g->param[i].given;
    return NULL;
}

/* A number with more digits than a reader wants, in a few of them. */
static bool add_rounded(jn_str *out, const jn_graph *g, const jn_expr *e)
{
    if (e->op != JN_X_NUMBER)
        return false;
    jn_expr_print(out, g, e);
    fmpq_t x;
    fmpq_init(x);
    bool rounded = out->len > NUMBER_MAX && jn_ratfun_get_fmpq(x, g->field, e->number);
    jn_str_reset(out);
    if (rounded)
        jn_str_addf(out, "\xE2\x89\x88 %.4g", jn_number_get_d(x));
    fmpq_clear(x);
    return rounded;
}

/* The value as written, else over the parameters; NULL where it is only a symbol. */
static const char *value_text(jn_arena *a, const jn_graph *g, int element, bool symbols)
{
    const jn_element *e = &g->element[element];
    const jn_expr *written = symbols ? NULL : written_value(g, element);
    bool own_symbol = jn_kind_is_source(e->kind);
    for (int i = 0; i < g->nparams; i++)
        own_symbol = own_symbol || g->param[i].element == element;
    if (!written && own_symbol)
        return NULL;
    jn_str text;
    jn_str_init(&text);
    if (written && add_rounded(&text, g, written)) {
        const char *rounded = jn_arena_strndup(a, text.s, text.len);
        jn_str_clear(&text);
        return rounded;
    }
    if (e->law && written)
        jn_str_addf(&text, "%c = ", e->law_of);
    if (written) {
        jn_expr_print(&text, g, written);
        const char *unit = jn_graph_value_unit(g, element);
        if (unit && !e->law && jn_expr_is_plain(written))
            jn_str_addf(&text, " %s", unit);
    } else
        jn_ratfun_print(&text, g->field, e->value, jn_graph_param_names(g), JN_RATFUN_TEXT);
    const char *s = shortened(a, jn_str_c(&text), VALUE_MAX);
    jn_str_clear(&text);
    return s;
}

/* ---- fields -------------------------------------------------------------------------------- */

/* Over the parameters. */
static void add_symbols(jn_str *out, const jn_graph *g, const jn_multiport *f)
{
    for (int i = 0; i < f->nports * f->nports; i++) {
        jn_str_add(out, !i ? "[" : i % f->nports ? ", " : "; ");
        jn_ratfun_print(out, g->field, f->entry[i].one, jn_graph_param_names(g), JN_RATFUN_TEXT);
    }
    jn_str_addc(out, ']');
}

/* The matrix of a field, row by row; NULL where none is written. */
static const char *matrix_text(jn_arena *a, const jn_graph *g, const jn_multiport *f, bool symbols)
{
    jn_str text;
    jn_str_init(&text);
    if (symbols)
        add_symbols(&text, g, f);
    else
        jn_graph_print_matrix(&text, g, f);
    const char *s = text.len ? shortened(a, jn_str_c(&text), MATRIX_MAX) : NULL;
    jn_str_clear(&text);
    return s;
}

const char *jni_draw_port_name(const jn_element *port)
{
    return port->name + strlen(port->multiport->name) + 1;
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void set_field_text(jn_drawing *d, int element, jn_draw_values v)
{
    const jn_multiport *f = d->graph->element[element].multiport;
    jn_drawn_element *x = &d->element[element];
    x->in = f->element[0];
    x->name = f->name;
    if (v != JN_VALUES_NONE && x->in == element)
        x->below = matrix_text(d->arena, d->graph, f, v == JN_VALUES_SYMBOLS);
}

static void set_text(jn_drawing *d, int element, jn_draw_values v)
{
    const jn_element *e = &d->graph->element[element];
    jn_drawn_element *x = &d->element[element];
    x->kind = jn_kind_name(e->kind);
    x->in = element;
    if (e->multiport) {
        set_field_text(d, element, v);
    } else if (jn_kind_is_switch(e->kind)) {
        x->lambda = e->name;
    } else if (e->kind == JN_0 || e->kind == JN_1) {
        x->below = e->name;
    } else {
        if (e->modulated)
            x->kind = jn_arena_printf(d->arena, "M%s", x->kind);
        x->name = e->name;
        if (v != JN_VALUES_NONE)
            x->below = value_text(d->arena, d->graph, element, v == JN_VALUES_SYMBOLS);
    }
}

void jni_draw_texts(jn_drawing *d, jn_draw_values v)
{
    for (int i = 0; i < d->graph->nelements; i++) {
        set_text(d, i, v);
        d->element[i].own = d->element[i].below;
    }
}

/* ---- boxes --------------------------------------------------------------------------------- */

enum { LINE_HEIGHT = 16, LINE_HEIGHT_BELOW = 13 };

static double widest(double a, double b)
{
    return a > b ? a : b;
}

void jni_draw_box_size(double *width, double *height, const jn_drawing *d, int element)
{
    const jn_drawn_element *x = &d->element[element];
    double above = jni_draw_text_width(x->kind, JN_DRAW_SIZE), below = 0;
    if (x->name)
        above +=
            jni_draw_text_width(" : ", JN_DRAW_SIZE) + jni_draw_text_width(x->name, JN_DRAW_SIZE);
    if (x->lambda) { /* in a mode: "Sf : 0" above, "λ name = 0" below */
        above = fmax(above, jni_draw_text_width("Sf : 0", JN_DRAW_SIZE));
        below = jni_draw_text_width("\xCE\xBB = 0", JN_DRAW_SIZE_BELOW) +
                jni_draw_text_width(x->lambda, JN_DRAW_SIZE_BELOW);
    }
    if (x->below)
        below = jni_draw_text_width(x->below, JN_DRAW_SIZE_BELOW);
    *width = widest(above, below) + 4;
    if (x->fold >= 0) /* a page shows longer numbers in place of k */
        *width += 8;
    *height = LINE_HEIGHT + (x->below || x->lambda ? LINE_HEIGHT_BELOW : 0);
}

jn_drawn_text jn_drawn_text_of(const jn_drawn_element *e)
{
    return (jn_drawn_text){
        .x = (e->box.left + e->box.right) / 2,
        .baseline = e->box.top + 0.8 * LINE_HEIGHT,
        .baseline_below = e->box.top + LINE_HEIGHT + 0.75 * LINE_HEIGHT_BELOW,
        .size = JN_DRAW_SIZE,
        .size_below = JN_DRAW_SIZE_BELOW,
    };
}
