/* format.c: a tree as text in its canonical layout.
 *
 * One statement a line, blocks indented by two, one blank line where there were some, comments
 * kept. In a run of element statements the names and the '=' stand below each other, and so do
 * comments behind short lines:
 *
 *     Se V  = 12
 *     I  L1 = 1/1000               # the coil
 *     0  n
 */
#include <string.h>

#include "format_internal.h"

enum {
    INDENT = 2,
    ALIGNED_MAX = 24, /* a longer name does not push its neighbours' '=' away */
    COMMENT_COLUMN = 33,
    COMMENT_GAP = 2 /* at least, behind a statement */
};

static void format_block(jn_str *out, const jn_ast_block *b, int indent);

/* ---- comments ------------------------------------------------------------------------------ */

/* A rule of "####" or a "#!" line stays what it is. */
static void format_comment(jn_str *out, const char *text)
{
    bool joined = text[0] == 0 || text[0] == '#' || text[0] == '!';
    jn_str_add(out, joined ? "#" : "# ");
    jn_str_add(out, text);
}

static void format_line_end(jn_str *out, const char *comment)
{
    if (comment) {
        size_t start = out->len;
        while (start > 0 && out->s[start - 1] != '\n')
            start--;
        int room = COMMENT_COLUMN - jn_utf8_width(out->s + start);
        jn_str_fill(out, ' ', room > COMMENT_GAP ? room : COMMENT_GAP);
        format_comment(out, comment);
    }
    jn_str_addc(out, '\n');
}

static void format_comment_line(jn_str *out, const char *text, int indent)
{
    if (text) {
        jn_str_fill(out, ' ', indent);
        format_comment(out, text);
    }
    jn_str_addc(out, '\n');
}

/* A blank line does not begin a block. */
static void format_remarks(jn_str *out, const jn_ast_remarks *r, int indent, bool first)
{
    for (int i = first && r->n > 0 && !r->line[0]; i < r->n; i++)
        format_comment_line(out, r->line[i], indent);
}

/* ---- elements ------------------------------------------------------------------------------ */

/* The columns that a run of element statements has in common. */
typedef struct {
    int kind, name;
} columns;

/* The column that has room for a name of this length as well. */
static int wider(int column, size_t length)
{
    return length <= ALIGNED_MAX && (int)length > column ? (int)length : column;
}

/* The name, with the ports of a field. */
static void format_declared(jn_str *out, const jn_ast *s)
{
    jni_format_name(out, &s->u.element.name);
    for (int i = 0; i < s->u.element.nports; i++)
        jn_str_addf(out, "%s%s", i ? ", " : "(", s->u.element.port[i]);
    if (s->u.element.nports)
        jn_str_addc(out, ')');
}

static size_t name_width(const jn_ast *s)
{
    jn_str text;
    jn_str_init(&text);
    format_declared(&text, s);
    size_t width = text.len;
    jn_str_clear(&text);
    return width;
}

static columns columns_of_run(jn_ast *const *item, int n)
{
    columns c = {0, 0};
    for (int i = 0; i < n && item[i]->kind == JN_AST_ELEMENT; i++) {
        c.kind = wider(c.kind, strlen(jn_kind_name(item[i]->u.element.kind)));
        if (item[i]->u.element.value || item[i]->u.element.matrix)
            c.name = wider(c.name, name_width(item[i]));
    }
    return c;
}

static void format_matrix(jn_str *out, const jn_ast_matrix *m)
{
    jn_str_addc(out, '[');
    for (int i = 0; i < m->nrows; i++)
        for (int k = 0; k < m->row[i].n; k++) {
            jn_str_add(out, k ? ", " : i ? "; " : "");
            jn_syntax_format_expr(out, m->row[i].item[k]);
        }
    jn_str_addc(out, ']');
}

static void format_option(jn_str *out, const jn_ast_option *o)
{
    jn_str_addf(out, ", %s", o->key);
    if (!o->value && !o->list)
        return;
    jn_str_add(out, strcmp(o->key, "priority") == 0 ? " " : " = ");
    if (o->list)
        format_matrix(out, o->list);
    else
        jn_syntax_format_expr(out, o->value);
}

static void format_element(jn_str *out, const jn_ast *s, columns c)
{
    jn_str_addf(out, "%-*s ", c.kind, jn_kind_name(s->u.element.kind));
    size_t start = out->len;
    format_declared(out, s);
    if (s->u.element.value || s->u.element.matrix) {
        jn_str_fill(out, ' ', c.name - (int)(out->len - start));
        jn_str_add(out, " = ");
    }
    if (s->u.element.matrix)
        format_matrix(out, s->u.element.matrix);
    else if (s->u.element.value)
        jn_syntax_format_expr(out, s->u.element.value);
    if (s->u.element.law) {
        jn_str_addf(out, " : %c = ", s->u.element.law_of);
        jn_syntax_format_expr(out, s->u.element.law);
    }
    for (int i = 0; i < s->u.element.noptions; i++)
        format_option(out, &s->u.element.option[i]);
}

/* ---- the other statements ------------------------------------------------------------------ */

static void format_definition(jn_str *out, const char *word, const jn_ast_name *name,
                              const jn_ast_expr *value)
{
    jn_str_addf(out, "%s ", word);
    jni_format_name(out, name);
    if (value) {
        jn_str_add(out, " = ");
        jn_syntax_format_expr(out, value);
    }
}

static void format_bonds(jn_str *out, const jn_ast *s)
{
    if (s->u.bonds.label)
        jn_str_addf(out, "%s: ", s->u.bonds.label);
    for (int i = 0; i < s->u.bonds.nnames; i++) {
        if (i)
            jn_str_add(out, " -> ");
        jni_format_name(out, &s->u.bonds.name[i]);
    }
}

static void format_switch(jn_str *out, const jn_ast *s)
{
    jn_str_add(out, "switch ");
    jni_format_name(out, &s->u.sw.name);
    if (s->u.sw.is_pwm) {
        jn_str_add(out, " pwm");
        jni_format_arguments(out, s->u.sw.pwm, s->u.sw.npwm);
        return;
    }
    if (s->u.sw.law) {
        jn_str_addf(out, " %s", s->u.sw.law);
        if (s->u.sw.nlaw)
            jni_format_arguments(out, s->u.sw.law_arg, s->u.sw.nlaw);
        jn_str_add(out, s->u.sw.reverse ? " reverse diode" : "");
        return;
    }
    jn_str_add(out, s->u.sw.on ? " on" : " off");
    for (int i = 0; i < s->u.sw.nclauses; i++) {
        const jn_ast_clause *c = &s->u.sw.clause[i];
        jn_str_addf(out, ", %s %s ", c->on ? "on" : "off", c->at ? "at" : "when");
        jn_syntax_format_expr(out, c->expr);
    }
}

static void format_state(jn_str *out, const jn_ast_state *state, int name_column)
{
    size_t start = out->len;
    jn_str_add(out, state->name);
    jn_str_fill(out, ' ', name_column - (int)(out->len - start));
    jn_str_add(out, state->on ? " on" : " off");
    jn_str_add(out, state->initial ? " initial" : "");
    format_line_end(out, state->comment);
}

static void format_transition(jn_str *out, const jn_ast_transition *t)
{
    jn_str_addf(out, "%s -> %s when ", t->from, t->to);
    jn_syntax_format_expr(out, t->when);
    for (int i = 0; i < t->nsets; i++) {
        jn_str_add(out, i ? "; " : " { ");
        jni_format_name(out, &t->set[i].name);
        jn_str_add(out, " = ");
        jn_syntax_format_expr(out, t->set[i].value);
    }
    jn_str_add(out, t->nsets ? " }" : "");
    format_line_end(out, t->comment);
}

/* The states, then the transitions. */
static void format_automaton(jn_str *out, const jn_ast *s, int indent)
{
    int inside = indent + INDENT, column = 0;
    int nstates = s->u.automaton.nstates, ntransitions = s->u.automaton.ntransitions;
    jn_str_add(out, "automaton ");
    jni_format_name(out, &s->u.automaton.name);
    jn_str_add(out, " {");
    format_line_end(out, s->comment);
    for (int i = 0; i < nstates; i++)
        column = wider(column, strlen(s->u.automaton.state[i].name));
    for (int i = 0; i < nstates; i++) {
        format_remarks(out, &s->u.automaton.state[i].before, inside, i == 0);
        jn_str_fill(out, ' ', inside);
        format_state(out, &s->u.automaton.state[i], column);
    }
    for (int i = 0; i < ntransitions; i++) {
        format_remarks(out, &s->u.automaton.transition[i].before, inside, i + nstates == 0);
        jn_str_fill(out, ' ', inside);
        format_transition(out, &s->u.automaton.transition[i]);
    }
    format_remarks(out, &s->u.automaton.end, inside, nstates + ntransitions == 0);
    jn_str_fill(out, ' ', indent);
    jn_str_addc(out, '}');
}

/* An item "a = b …" without a name would be read as one with the name a. */
static bool looks_named(const jn_ast_expr *e)
{
    while (e->op == JN_AST_AND || e->op == JN_AST_OR)
        e = e->arg[0];
    if (e->op != JN_AST_EQ)
        return false;
    return e->arg[0]->op == JN_AST_NAME;
}

static void format_output(jn_str *out, const jn_ast *s)
{
    jn_str_add(out, "output");
    for (int i = 0; i < s->u.output.n; i++) {
        const struct jn_ast_output *o = &s->u.output.item[i];
        bool named = o->name.nparts > 0, brackets = !named && looks_named(o->expr);
        jn_str_add(out, i ? ", " : " ");
        if (named)
            jni_format_name(out, &o->name);
        jn_str_add(out, named ? " = " : "");
        jn_str_add(out, brackets ? "(" : "");
        jn_syntax_format_expr(out, o->expr);
        jn_str_add(out, brackets ? ")" : "");
        if (o->unit)
            jn_str_addf(out, " [%s]", o->unit);
    }
}

static void format_assert(jn_str *out, const jn_ast *s)
{
    jn_str_add(out, "assert ");
    jn_syntax_format_expr(out, s->u.assertion.condition);
    if (s->u.assertion.text) {
        jn_str_addc(out, ' ');
        jni_format_text(out, s->u.assertion.text);
    }
}

static void format_domain(jn_str *out, const jn_ast *s)
{
    jn_str_addf(out, "domain %s", s->u.domain.domain);
    for (int i = 0; i < s->u.domain.nnames; i++) {
        jn_str_add(out, i ? ", " : " : ");
        jni_format_name(out, &s->u.domain.name[i]);
    }
}

static void format_bound(jn_str *out, const jn_ast *s)
{
    for (int i = 0; i < s->u.bound.n; i++) {
        jn_str_add(out, i == 0 ? "bound " : s->u.bound.falling ? " >= " : " <= ");
        jni_format_sum(out, s->u.bound.part[i]);
    }
}

static void format_simulate(jn_str *out, const jn_ast *s)
{
    jn_str_add(out, "simulate");
    if (s->u.simulate.to) {
        jn_str_add(out, " to ");
        jn_syntax_format_expr(out, s->u.simulate.to);
    }
    if (s->u.simulate.every) {
        jn_str_add(out, " every ");
        jn_syntax_format_expr(out, s->u.simulate.every);
    }
}

static void format_words(jn_str *out, const char *const *word, int n)
{
    for (int i = 0; i < n; i++)
        jn_str_addf(out, "%s%s", i ? ", " : "", word[i]);
}

/* Between a number that ends in a dot and "..", or "..", and one that begins with a dot, a
 * space keeps the dots apart. */
static void format_range(jn_str *out, const jn_ast_expr *from, const jn_ast_expr *to)
{
    jn_str bound;
    jn_str_init(&bound);
    jn_syntax_format_expr(&bound, from);
    bool dot = bound.s[bound.len - 1] == '.';
    jn_str_add(out, bound.s);
    jn_str_reset(&bound);
    jn_syntax_format_expr(&bound, to);
    dot = dot || bound.s[0] == '.';
    jn_str_addf(out, "%s%s", dot ? " .. " : "..", bound.s);
    jn_str_clear(&bound);
}

static void format_body(jn_str *out, const jn_ast *s, const jn_ast_block *body, int indent)
{
    jn_str_add(out, " {");
    format_line_end(out, s->comment);
    format_block(out, body, indent + INDENT);
    jn_str_fill(out, ' ', indent);
    jn_str_addc(out, '}');
}

static void format_submodel(jn_str *out, const jn_ast *s, int indent)
{
    jn_str_addf(out, "submodel %s(", s->u.submodel.name);
    format_words(out, s->u.submodel.param, s->u.submodel.nparams);
    jn_str_addc(out, ')');
    format_body(out, s, &s->u.submodel.body, indent);
}

static void format_for(jn_str *out, const jn_ast *s, int indent)
{
    jn_str_addf(out, "for %s in ", s->u.loop.var);
    format_range(out, s->u.loop.from, s->u.loop.to);
    format_body(out, s, &s->u.loop.body, indent);
}

static void format_model(jn_str *out, const jn_ast *s)
{
    jn_str_addf(out, "model %s", s->u.model.name);
    if (s->u.model.title) {
        jn_str_addc(out, ' ');
        jni_format_text(out, s->u.model.title);
    }
}

static void format_instance(jn_str *out, const jn_ast *s)
{
    jn_str_addf(out, "%s ", s->u.instance.submodel);
    jni_format_name(out, &s->u.instance.name);
    jni_format_arguments(out, s->u.instance.arg, s->u.instance.nargs);
}

static void format_ports(jn_str *out, const jn_ast *s)
{
    jn_str_add(out, "ports ");
    format_words(out, s->u.ports.name, s->u.ports.n);
}

/* ---- all of them --------------------------------------------------------------------------- */

static void format_nesting(jn_str *out, const jn_ast *s, int indent)
{
    if (s->kind == JN_AST_AUTOMATON)
        format_automaton(out, s, indent);
    else if (s->kind == JN_AST_SUBMODEL)
        format_submodel(out, s, indent);
    else
        format_for(out, s, indent);
}

/* Without the end of its line. */
static void format_statement(jn_str *out, const jn_ast *s, columns c, int indent)
{
    static void (*const plain[])(jn_str *, const jn_ast *) = {
        [JN_AST_MODEL] = format_model,   [JN_AST_BONDS] = format_bonds,
        [JN_AST_SWITCH] = format_switch, [JN_AST_ASSERT] = format_assert,
        [JN_AST_BOUND] = format_bound,   [JN_AST_DOMAIN] = format_domain,
        [JN_AST_OUTPUT] = format_output, [JN_AST_SIMULATE] = format_simulate,
        [JN_AST_PORTS] = format_ports,   [JN_AST_INSTANCE] = format_instance};
    switch (s->kind) {
    case JN_AST_PARAM:
        format_definition(out, "param", &s->u.param.name, s->u.param.value);
        break;
    case JN_AST_SIGNAL:
        format_definition(out, "signal", &s->u.signal.name, s->u.signal.value);
        break;
    case JN_AST_DISCRETE:
        format_definition(out, "discrete", &s->u.discrete.name, s->u.discrete.value);
        break;
    case JN_AST_ELEMENT:
        format_element(out, s, c);
        break;
    case JN_AST_AUTOMATON:
    case JN_AST_SUBMODEL:
    case JN_AST_FOR:
        format_nesting(out, s, indent);
        break;
    case JN_AST_COMMENT:
        break;
    default:
        plain[s->kind](out, s);
    }
}

static bool is_block(jn_ast_kind kind)
{
    return kind == JN_AST_AUTOMATON || kind == JN_AST_SUBMODEL || kind == JN_AST_FOR;
}

static void format_block(jn_str *out, const jn_ast_block *b, int indent)
{
    columns c = {0, 0};
    for (int i = 0; i < b->n; i++) {
        const jn_ast *s = b->item[i];
        if (s->kind == JN_AST_COMMENT) {
            format_comment_line(out, s->u.comment_line.text, indent);
            continue;
        }
        bool run_begins = i == 0 || b->item[i - 1]->kind != JN_AST_ELEMENT;
        if (s->kind == JN_AST_ELEMENT && run_begins)
            c = columns_of_run(b->item + i, b->n - i);
        jn_str_fill(out, ' ', indent);
        format_statement(out, s, c, indent);
        format_line_end(out, is_block(s->kind) ? s->end_comment : s->comment);
    }
}

void jn_syntax_format(jn_str *out, const jn_ast_block *model)
{
    format_block(out, model, 0);
}
