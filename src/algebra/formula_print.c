/* formula_print.c: formulas as text and in LaTeX.
 *
 * NOT binds most tightly, then AND, XOR, OR. Only an AND in an OR goes without brackets; an
 * XOR next to another operator always has them, as few people know its rank by heart. */
#include <ctype.h>
#include <string.h>

#include "formula_internal.h"
#include "junct/ratfun.h"

typedef struct {
    jn_str *out;
    const char *const *names;
    jn_formula_style style;
} printer;

static void print(const printer *p, const jn_formula *a);

static bool latex(const printer *p)
{
    return p->style == JN_FORMULA_LATEX;
}

/* λ with the name as its index: s1 as it is, anything longer upright. */
static void print_switch(const printer *p, const char *name)
{
    if (!latex(p)) {
        jn_str_add(p->out, name);
        return;
    }
    size_t digits = name[0] ? strspn(name + 1, "0123456789") : 0;
    if (isalpha((unsigned char)name[0]) && strlen(name) == 1 + digits) {
        jn_str_addf(p->out, "\\lambda_{%s}", name);
        return;
    }
    jn_str_add(p->out, "\\lambda_{\\mathrm{");
    jn_latex_text(p->out, name);
    jn_str_add(p->out, "}}");
}

static void print_not(const printer *p, const jn_formula *a)
{
    if (latex(p)) {
        jn_str_add(p->out, "\\overline{");
        print(p, a);
        jn_str_addc(p->out, '}');
        return;
    }
    bool bracket = a->nparts > 1;
    jn_str_add(p->out, bracket ? "!(" : "!");
    print(p, a);
    if (bracket)
        jn_str_addc(p->out, ')');
}

static const char *sign(const printer *p, jn_formula_op op)
{
    switch (op) {
    case JN_FORMULA_AND:
        return latex(p) ? " \\wedge " : " & ";
    case JN_FORMULA_OR:
        return latex(p) ? " \\vee " : " | ";
    default:
        return latex(p) ? " \\oplus " : " ^ ";
    }
}

static void print_joined(const printer *p, const jn_formula *a)
{
    for (int i = 0; i < a->nparts; i++) {
        const jn_formula *part = a->part[i];
        bool bracket = part->nparts > 1 && !(a->op == JN_FORMULA_OR && part->op == JN_FORMULA_AND);
        if (i)
            jn_str_add(p->out, sign(p, a->op));
        if (bracket)
            jn_str_addc(p->out, '(');
        print(p, part);
        if (bracket)
            jn_str_addc(p->out, ')');
    }
}

static void print(const printer *p, const jn_formula *a)
{
    switch (a->op) {
    case JN_FORMULA_CONST:
        jn_str_addc(p->out, a->value ? '1' : '0');
        break;
    case JN_FORMULA_SWITCH:
        print_switch(p, p->names[a->value]);
        break;
    case JN_FORMULA_NAME:
        jn_str_addf(p->out, latex(p) ? "g_{%d}" : "_%d", a->value + 1);
        break;
    case JN_FORMULA_NOT:
        print_not(p, a->part[0]);
        break;
    case JN_FORMULA_AND:
    case JN_FORMULA_OR:
    case JN_FORMULA_XOR:
        print_joined(p, a);
        break;
    }
}

void jn_formula_print(jn_str *out, const jn_formula *a, const char *const *names,
                      jn_formula_style style)
{
    print(&(printer){out, names, style}, a);
}

void jn_formula_print_factor(jn_str *out, const jn_formula *a, const char *const *names,
                             jn_formula_style style)
{
    bool bracket = a->op == JN_FORMULA_OR || a->op == JN_FORMULA_XOR;
    if (bracket)
        jn_str_addc(out, '(');
    jn_formula_print(out, a, names, style);
    if (bracket)
        jn_str_addc(out, ')');
}
