/* octave.c: the matrices as a program for Octave or MATLAB.
 *
 * Over λ it is a function, to be saved under its name, that returns a struct: names, the values
 * of the parameters, and handles E(lambda, p), A(lambda, p), B(lambda, p), forbidden(lambda) for
 * a vector lambda of zeros and ones and a struct p of parameters. Single modes are a script that
 * fills p and a struct array `modes`. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "write_internal.h"

/* ---- names --------------------------------------------------------------------------------- */

enum { IDENTIFIER_MAX = 50 }; /* MATLAB stops at 63 */

static bool is_keyword(const char *s)
{
    static const char *const words[] = {
        "break",  "case", "catch",    "classdef", "continue", "do",        "else",   "elseif",
        "end",    "for",  "function", "global",   "if",       "otherwise", "parfor", "persistent",
        "return", "spmd", "switch",   "try",      "until",    "while"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(s, words[i]) == 0)
            return true;
    return strncmp(s, "end", 3) == 0; /* endif, endfunction, … */
}

/* A name as an identifier: c[3].R becomes c_3__R. */
static void add_identifier(jn_str *out, const char *name)
{
    size_t start = out->len;
    if (!isalpha((unsigned char)*name))
        jn_str_addc(out, 'x');
    for (int i = 0; i < IDENTIFIER_MAX && name[i]; i++)
        if (name[i] != ']')
            jn_str_addc(out, isalnum((unsigned char)name[i]) ? name[i] : '_');
    if (is_keyword(out->s + start))
        jn_str_addc(out, '_');
}

static bool is_taken(char *const *names, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (names[i] && strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* The identifier of a parameter that none of the others has. */
static char *unique_name(const char *given, char *const *names, int n)
{
    jn_str name;
    jn_str_init(&name);
    jn_str_add(&name, "p.");
    add_identifier(&name, given);
    size_t len = name.len;
    for (int k = 2; is_taken(names, n, name.s); k++) {
        name.s[name.len = len] = 0;
        jn_str_addf(&name, "_%d", k);
    }
    return name.s;
}

static bool is_identifier(const char *name)
{
    jn_str same;
    jn_str_init(&same);
    add_identifier(&same, name);
    bool is = strcmp(same.s, name) == 0;
    jn_str_clear(&same);
    return is;
}

/* "p.L1" for every parameter, all different: first those that can stay as they are. */
static char **parameter_names(const jn_graph *g)
{
    const char *const *given = jn_graph_param_names(g);
    char **names = jn_alloc((size_t)g->nparams * sizeof *names);
    for (int i = 0; i < g->nparams; i++)
        if (is_identifier(given[i]))
            names[i] = unique_name(given[i], NULL, 0);
    for (int i = 0; i < g->nparams; i++)
        if (!names[i])
            names[i] = unique_name(given[i], names, g->nparams);
    return names;
}

static void free_names(char **names, const jn_graph *g)
{
    for (int i = 0; i < g->nparams; i++)
        free(names[i]);
    free(names);
}

static void add_quoted(jn_str *out, const char *s)
{
    jn_str_addc(out, '\'');
    for (; *s; s++)
        jn_str_add(out, *s == '\'' ? "''" : (char[]){*s, 0});
    jn_str_addc(out, '\'');
}

/* ---- values and guards --------------------------------------------------------------------- */

typedef struct {
    jn_listing *l;
    jn_str *out;
    char **params;
} printer;

static void add_value(const printer *p, jn_ratfun v)
{
    jn_ratfun_print(p->out, jni_listing_graph(p->l)->field, v, (const char *const *)p->params,
                    JN_RATFUN_OCTAVE);
}

static void add_formula(const printer *p, const jn_formula *f)
{
    switch (f->op) {
    case JN_FORMULA_CONST:
        jn_str_add(p->out, f->value ? "true" : "false");
        break;
    case JN_FORMULA_SWITCH:
        jn_str_addf(p->out, "lambda(%d)", f->value + 1);
        break;
    case JN_FORMULA_NAME:
        jn_str_addf(p->out, "g(%d)", f->value + 1);
        break;
    case JN_FORMULA_NOT:
        jn_str_addc(p->out, '~');
        add_formula(p, f->part[0]);
        break;
    case JN_FORMULA_XOR: /* xor(xor(a, b), c): MATLAB's takes two */
        for (int i = 1; i < f->nparts; i++)
            jn_str_add(p->out, "xor(");
        add_formula(p, f->part[0]);
        for (int i = 1; i < f->nparts; i++) {
            jn_str_add(p->out, ", ");
            add_formula(p, f->part[i]);
            jn_str_addc(p->out, ')');
        }
        break;
    case JN_FORMULA_AND:
    case JN_FORMULA_OR:
        jn_str_addc(p->out, '(');
        for (int i = 0; i < f->nparts; i++) {
            jn_str_add(p->out, i == 0 ? "" : f->op == JN_FORMULA_AND ? " && " : " || ");
            add_formula(p, f->part[i]);
        }
        jn_str_addc(p->out, ')');
        break;
    }
}

/* if guard, M(i, j) = value; end */
static void add_case(const printer *p, int i, int j, const jn_case *c)
{
    const jn_formula *f = jn_formula_of(p->l->formulas, c->guard);
    bool always = f->op == JN_FORMULA_CONST && f->value;
    jn_str_add(p->out, always ? "    " : "    if ");
    if (!always) {
        add_formula(p, f);
        jn_str_add(p->out, ", ");
    }
    jn_str_addf(p->out, "M(%d, %d) = ", i + 1, j + 1);
    add_value(p, c->value);
    jn_str_add(p->out, always ? ";\n" : "; end\n");
}

/* ---- the function of λ --------------------------------------------------------------------- */

static void add_names(const printer *p, const char *key, const int *element, int n)
{
    jn_str_addf(p->out, "    model_.%s = {", key);
    for (int i = 0; i < n; i++) {
        jn_str_add(p->out, i ? ", " : "");
        add_quoted(p->out, jni_listing_graph(p->l)->element[element[i]].name);
    }
    jn_str_add(p->out, "};\n");
}

static void add_states(const printer *p)
{
    const jn_implicit *f = p->l->implicit;
    jn_str_add(p->out, "    model_.states = {");
    for (int i = 0; i < f->n; i++) {
        jn_str_add(p->out, i ? ", " : "");
        add_quoted(p->out, jni_listing_graph(p->l)->element[f->x[i].element].name);
    }
    jn_str_add(p->out, "};\n    model_.pseudo = logical([");
    for (int i = 0; i < f->n; i++)
        jn_str_addf(p->out, "%s%d", i ? ", " : "", f->x[i].form == JN_PSEUDO);
    jn_str_add(p->out, "]);\n");
}

/* Only the symbols that can occur; NaN where the model gives no value. */
static void add_parameters(const printer *p, const char *indent)
{
    const jn_graph *g = jni_listing_graph(p->l);
    jn_str_addf(p->out, "%sp = struct();\n", indent);
    for (int i = 0; i < g->nparams; i++) {
        jn_str_addf(p->out, "%s%s = ", indent, p->params[i]);
        if (g->param[i].value.id < 0)
            jn_str_add(p->out, "NaN");
        else
            add_value(p, g->param[i].value);
        jn_str_add(p->out, ";\n");
    }
}

/* The parts that guards name, as far as they are known now; g(k) uses only earlier ones. */
static void add_lets(const printer *p)
{
    for (int i = 0; i < jn_formulas_lets(p->l->formulas); i++) {
        jn_str_addf(p->out, "    g(%d) = ", i + 1);
        add_formula(p, jn_formulas_let(p->l->formulas, i));
        jn_str_add(p->out, ";\n");
    }
}

/* The body is written first: only then all lets are known. */
static void add_matrix(const printer *p, const char *name, const jn_matrix *m)
{
    jn_str body;
    jn_str_init(&body);
    printer inner = {p->l, &body, p->params};
    for (int i = 0; i < m->nrows; i++)
        for (int k = 0; k < m->row[i].n; k++)
            for (int c = 0; c < m->row[i].e[k].value.n; c++)
                add_case(&inner, i, m->row[i].e[k].col, &m->row[i].e[k].value.c[c]);
    jn_str_addf(p->out, "\nfunction M = matrix_%s(lambda, p) %%#ok<INUSD>\n", name);
    add_lets(p);
    jn_str_addf(p->out, "    M = zeros(%d, %d);\n", m->nrows, m->ncols);
    jn_str_add(p->out, jn_str_c(&body));
    jn_str_add(p->out, "end\n");
    jn_str_clear(&body);
}

static void add_forbidden(const printer *p)
{
    const jn_formula *f = jn_formula_of(p->l->formulas, p->l->junction->forbidden);
    jn_str_add(p->out, "\nfunction is = is_forbidden(lambda) %#ok<INUSD>\n");
    add_lets(p);
    jn_str_add(p->out, "    is = ");
    add_formula(p, f);
    jn_str_add(p->out, ";\nend\n");
}

static void add_function(const printer *p)
{
    const jn_graph *g = jni_listing_graph(p->l);
    const jn_implicit *f = p->l->implicit;
    jn_str_add(p->out, "function model_ = ");
    add_identifier(p->out, g->name);
    jn_str_add(p->out, "\n% E(lambda) dx/dt = A(lambda) x + B(lambda) u, written by junct.\n"
                       "% lambda: one value per switch, 1 on, 0 off. p: parameters, as in .p.\n");
    jn_str_add(p->out, "    model_.name = ");
    add_quoted(p->out, g->name);
    jn_str_add(p->out, ";\n");
    add_names(p, "switches", g->sw, g->nswitches);
    add_names(p, "inputs", g->source, g->nsources);
    add_states(p);
    add_parameters(p, "    ");
    jn_str_add(p->out, "    model_.p = p;\n    model_.E = @matrix_E;\n    model_.A = @matrix_A;\n"
                       "    model_.B = @matrix_B;\n    model_.forbidden = @is_forbidden;\nend\n");
    add_matrix(p, "E", &f->E);
    add_matrix(p, "A", &f->A);
    add_matrix(p, "B", &f->B);
    add_forbidden(p);
}

/* ---- single modes -------------------------------------------------------------------------- */

static void add_dense(const printer *p, const char *name, const jn_ratfun *v, int nrows, int ncols)
{
    jn_str_addf(p->out, "modes(%ld).%s = ", p->l->written, name);
    if (nrows == 0 || ncols == 0) {
        jn_str_addf(p->out, "zeros(%d, %d);\n", nrows, ncols);
        return;
    }
    jn_str_addc(p->out, '[');
    for (int i = 0; i < nrows; i++)
        for (int j = 0; j < ncols; j++) {
            jn_str_add(p->out, j ? ", " : i ? "; " : "");
            add_value(p, v[i * ncols + j]);
        }
    jn_str_add(p->out, "];\n");
}

static void add_mode(const printer *p, const jn_onoff *m)
{
    jn_listing *l = p->l;
    const jn_mode *mode = &l->mode;
    jn_implicit_mode(&l->mode, l->implicit, m);
    l->written++;
    jn_str_addf(p->out, "\nmodes(%ld).mode = '", l->written);
    jni_listing_mode(p->out, l, m);
    jn_str_addf(p->out, "';\nmodes(%ld).status = '%s';\n", l->written,
                jn_mode_status_name(mode->status));
    if (mode->reason)
        jn_str_addf(p->out, "%% %s\n", mode->reason);
    if (mode->status != JN_MODE_OK)
        return;
    add_dense(p, "E", mode->E, mode->n, mode->n);
    add_dense(p, "A", mode->A, mode->n, mode->n);
    add_dense(p, "B", mode->B, mode->n, mode->ninputs);
}

static void add_script_head(const printer *p)
{
    const jn_graph *g = jni_listing_graph(p->l);
    jn_str_addf(p->out, "%% E dx/dt = A x + B u of modes of %s, written by junct.\n%% x:", g->name);
    for (int i = 0; i < g->nstorages; i++)
        jn_str_addf(p->out, " %s", g->element[g->storage[i]].name);
    jn_str_add(p->out, "\n% u:");
    for (int i = 0; i < g->nsources; i++)
        jn_str_addf(p->out, " %s", g->element[g->source[i]].name);
    jn_str_addc(p->out, '\n');
    add_parameters(p, "");
    jn_str_add(p->out, "modes = struct('mode', {}, 'status', {}, 'E', {}, 'A', {}, 'B', {});\n");
}

/* ---- the writer ---------------------------------------------------------------------------- */

static void begin(jn_listing *l)
{
    printer p = {l, &l->out, parameter_names(jni_listing_graph(l))};
    if (l->by_mode)
        add_script_head(&p);
    else
        add_function(&p);
    free_names(p.params, jni_listing_graph(l));
}

static void mode(jn_listing *l, const jn_onoff *m)
{
    printer p = {l, &l->out, parameter_names(jni_listing_graph(l))};
    add_mode(&p, m);
    free_names(p.params, jni_listing_graph(l));
}

static void end(jn_listing *l)
{
    (void)l;
}

const jn_writer jni_matrices_octave = {begin, mode, end};
