/* html_guards.c: the guards of a page as one table of nodes, and as formulas to be read. */
#include <stdlib.h>

#include "html_internal.h"

enum { READABLE = 24 }; /* switches and names; nobody reads a longer formula in a matrix */

void jni_html_guards_init(html_guards *t, jn_guards *g)
{
    *t = (html_guards){.guards = g, .formulas = jn_formulas_new(g), .n = 2};
}

void jni_html_guards_clear(html_guards *t)
{
    jni_keymap_clear(&t->number);
    jni_keymap_clear(&t->is_shown);
    jn_formulas_free(t->formulas);
    free(t->node);
    free(t->shown);
}

/* ---- nodes --------------------------------------------------------------------------------- */

static int add_node(html_guards *t, int sw, int low, int high)
{
    int at = 3 * (t->n - 2), *node;
    for (int i = 0; i < 3; i++)
        JN_GROW(t->node, at + i, t->cap);
    node = t->node + at;
    node[0] = sw;
    node[1] = low;
    node[2] = high;
    return t->n++;
}

/* The branches first; a diagram is no deeper than there are switches. */
int jni_html_guard(html_guards *t, jn_guard g)
{
    if (jn_guard_is_true(g) || jn_guard_is_false(g))
        return jn_guard_is_true(g);
    void *known = jni_keymap_get(&t->number, (uint64_t)g.node);
    if (known)
        return (int)(intptr_t)known;
    int low = jni_html_guard(t, jni_guard_low(t->guards, g)),
        high = jni_html_guard(t, jni_guard_high(t->guards, g));
    int number = add_node(t, jni_guard_top(t->guards, g), low, high);
    jni_keymap_put(&t->number, (uint64_t)g.node, (void *)(intptr_t)number);
    return number;
}

int jni_html_guard_shown(html_guards *t, jn_guard g)
{
    int number = jni_html_guard(t, g);
    if (number > 1 && !jni_keymap_get(&t->is_shown, (uint64_t)g.node)) {
        jni_keymap_put(&t->is_shown, (uint64_t)g.node, t);
        JN_GROW(t->shown, t->nshown, t->shown_cap);
        t->shown[t->nshown++] = g;
    }
    return number;
}

/* ---- formulas ------------------------------------------------------------------------------ */

/* A switch is its number, a name "_1", anything else a list: its sign and its parts. */
static void write_formula(jn_str *out, const jn_formula *f)
{
    static const char *const sign[] = {
        [JN_FORMULA_NOT] = "!",
        [JN_FORMULA_AND] = "&",
        [JN_FORMULA_OR] = "|",
        [JN_FORMULA_XOR] = "^",
    };
    if (f->op == JN_FORMULA_CONST)
        jn_str_add(out, f->value ? "true" : "false");
    else if (f->op == JN_FORMULA_SWITCH)
        jn_str_addf(out, "%d", f->value);
    else if (f->op == JN_FORMULA_NAME)
        jn_str_addf(out, "\"_%d\"", f->value + 1);
    else {
        jn_str_addf(out, "[\"%s\"", sign[f->op]);
        for (int i = 0; i < f->nparts; i++) {
            jn_str_addc(out, ',');
            write_formula(out, f->part[i]);
        }
        jn_str_addc(out, ']');
    }
}

/* The switches and names in a formula. */
static int length_of(const jn_formula *f)
{
    int n = f->nparts == 0;
    for (int i = 0; i < f->nparts; i++)
        n += length_of(f->part[i]);
    return n;
}

/* Seven bits a byte, the lowest first; the last byte has no eighth. */
static unsigned char *put_number(unsigned char *to, unsigned x)
{
    for (; x > 127; x >>= 7)
        *to++ = (unsigned char)(x | 128);
    *to++ = (unsigned char)x;
    return to;
}

/* A branch is a constant, or so many nodes back, and one. */
static unsigned steps_back(int from, int to)
{
    return to < 2 ? (unsigned)to : (unsigned)(from - to + 1);
}

/* Most branches lead to a node just before: as steps back they are short. */
static void write_nodes(jn_str *out, const html_guards *t)
{
    unsigned char *bytes = jn_alloc((size_t)t->n * 15 + 1), *end = bytes;
    for (int i = 2; i < t->n; i++) {
        const int *node = t->node + 3 * (i - 2);
        end = put_number(end, (unsigned)node[0]);
        end = put_number(end, steps_back(i, node[1]));
        end = put_number(end, steps_back(i, node[2]));
    }
    jn_str_add(out, "\"nodes\":");
    jni_html_bytes(out, bytes, (size_t)(end - bytes));
    free(bytes);
}

void jni_html_guards_write(jn_str *out, html_guards *t)
{
    write_nodes(out, t);
    jn_str_add(out, ",\n\"formulas\":{");
    for (int i = 0; i < t->nshown; i++) {
        const jn_formula *f = jn_formula_of(t->formulas, t->shown[i]);
        int length = length_of(f);
        jn_str_addf(out, i ? ",\n\"%d\":" : "\"%d\":", jni_html_guard(t, t->shown[i]));
        if (length > READABLE)
            jn_str_addf(out, "{\"length\":%d}", length);
        else
            write_formula(out, f);
    }
    jn_str_add(out, "},\n\"lets\":[");
    for (int i = 0; i < jn_formulas_lets(t->formulas); i++) {
        jn_str_add(out, i ? "," : "");
        write_formula(out, jn_formulas_let(t->formulas, i));
    }
    jn_str_addc(out, ']');
}
