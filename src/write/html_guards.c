/* html_guards.c: the guards of a page as one table of nodes, and as formulas to be read. */
#include <stdlib.h>

#include "html_internal.h"

void jn_html_guards_init(html_guards *t, jn_guards *g)
{
    *t = (html_guards){.guards = g, .formulas = jn_formulas_new(g), .n = 2};
}

void jn_html_guards_clear(html_guards *t)
{
    jn_keymap_clear(&t->number);
    jn_keymap_clear(&t->is_shown);
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
int jn_html_guard(html_guards *t, jn_guard g)
{
    if (jn_guard_is_true(g) || jn_guard_is_false(g))
        return jn_guard_is_true(g);
    void *known = jn_keymap_get(&t->number, (uint64_t)g.node);
    if (known)
        return (int)(intptr_t)known;
    int low = jn_html_guard(t, jn_guard_low(t->guards, g)), high = jn_html_guard(t, jn_guard_high(t->guards, g));
    int number = add_node(t, jn_guard_top(t->guards, g), low, high);
    jn_keymap_put(&t->number, (uint64_t)g.node, (void *)(intptr_t)number);
    return number;
}

int jn_html_guard_shown(html_guards *t, jn_guard g)
{
    int number = jn_html_guard(t, g);
    if (number > 1 && !jn_keymap_get(&t->is_shown, (uint64_t)g.node)) {
        jn_keymap_put(&t->is_shown, (uint64_t)g.node, t);
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

void jn_html_guards_write(jn_str *out, html_guards *t)
{
    jn_str_add(out, "\"nodes\":[");
    for (int i = 0; i < 3 * (t->n - 2); i++)
        jn_str_addf(out, i ? ",%d" : "%d", t->node[i]);
    jn_str_add(out, "],\n\"formulas\":{");
    for (int i = 0; i < t->nshown; i++) {
        jn_str_addf(out, i ? ",\n\"%d\":" : "\"%d\":", jn_html_guard(t, t->shown[i]));
        write_formula(out, jn_formula_of(t->formulas, t->shown[i]));
    }
    jn_str_add(out, "},\n\"lets\":[");
    for (int i = 0; i < jn_formulas_lets(t->formulas); i++) {
        jn_str_add(out, i ? "," : "");
        write_formula(out, jn_formulas_let(t->formulas, i));
    }
    jn_str_addc(out, ']');
}
