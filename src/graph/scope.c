/* scope.c: what a name means where it stands.
 *
 * A submodel sees its arguments, what it declares itself, and the parameters and signals of the
 * file; a loop adds its variable to what is around it. */
#include <string.h>

#include "graph_internal.h"

/* ---- loop variables and arguments ---------------------------------------------------------- */

static bool is_plain(const jn_ast_name *name)
{
    return name->nparts == 1 && !name->part[0].index;
}

/* Out through the loops to the instance, or to the file. */
static const scope *body_of(const scope *s)
{
    while (s->var)
        s = s->up;
    return s;
}

bool jni_build_loop_value(long *value, const scope *s, const jn_ast_name *name)
{
    if (!is_plain(name))
        return false;
    for (; s->var; s = s->up) {
        if (strcmp(s->var, name->part[0].text) == 0) {
            *value = s->value;
            return true;
        }
    }
    return false;
}

/* ---- whole numbers ------------------------------------------------------------------------- */

/* Bounds and indices stay below this, so that sums and products of two fit into a long. */
enum { INTEGER_MAX = 2000000000 };

enum { INTEGER_DEPTH = 1000 };
static bool integer_of(long *out, const scope *s, const jn_ast_expr *e, int depth);

static bool passes(const char **text, const char *part)
{
    size_t n = strlen(part);
    bool same = strncmp(*text, part, n) == 0;
    *text += same ? n : 0;
    return same;
}

/* Arguments are plain names; an output, "leg.i[2]", may have indices and dots. */
static bool is_called(const char *text, const scope *s, const jn_ast_name *name)
{
    for (int i = 0; i < name->nparts; i++) {
        char index[24];
        long k;
        if ((i > 0 && !passes(&text, ".")) || !passes(&text, name->part[i].text))
            return false;
        if (!name->part[i].index)
            continue;
        if (*text != '[' || !integer_of(&k, s, name->part[i].index, 0))
            return false;
        jn_format(index, sizeof index, "[%ld]", k);
        if (!passes(&text, index))
            return false;
    }
    return !*text;
}

binding *jni_build_binding(const scope *s, const jn_ast_name *name)
{
    s = body_of(s);
    for (int i = 0; i < s->nbindings; i++)
        if (is_called(s->binding[i].name, s, name))
            return &s->binding[i];
    return NULL;
}

static bool literal(long *out, const char *text)
{
    jn_unit unit;
    bool has_unit;
    fmpq_t c;
    fmpq_init(c);
    bool ok = jn_quantity_parse(c, &unit, &has_unit, text, strlen(text)) == JN_OK && !has_unit &&
              fmpz_is_one(fmpq_denref(c)) && fmpz_cmp_si(fmpq_numref(c), INTEGER_MAX) <= 0;
    if (ok)
        *out = fmpz_get_si(fmpq_numref(c));
    fmpq_clear(c);
    return ok;
}

/* An argument is computed once: arguments of arguments could else cost 2^depth. */
static bool named_integer(long *out, const scope *s, const jn_ast_expr *e, int depth)
{
    if (jni_build_loop_value(out, s, &e->name))
        return true;
    binding *arg = jni_build_binding(s, &e->name);
    if (!arg)
        return false;
    if (!arg->has_integer && !integer_of(&arg->integer, arg->caller, arg->arg, depth))
        return false;
    arg->has_integer = true;
    *out = arg->integer;
    return true;
}

static bool power(long *out, long base, long exponent)
{
    if (exponent < 0 || exponent > 64)
        return false;
    *out = 1;
    for (; exponent > 0; exponent--) {
        *out *= base;
        if (*out > INTEGER_MAX || *out < -(long)INTEGER_MAX)
            return false;
    }
    return true;
}

static bool combine(long *out, jn_ast_op op, long x, long y)
{
    switch (op) {
    case JN_AST_ADD:
        *out = x + y;
        return true;
    case JN_AST_SUB:
        *out = x - y;
        return true;
    case JN_AST_MUL:
        *out = x * y;
        return true;
    case JN_AST_DIV:
        if (y == 0 || x % y != 0)
            return false;
        *out = x / y;
        return true;
    case JN_AST_POW:
        return power(out, x, y);
    default:
        return false;
    }
}

static bool integer_of(long *out, const scope *s, const jn_ast_expr *e, int depth)
{
    long x, y;
    bool ok = false;
    if (++depth > INTEGER_DEPTH)
        return false;
    if (e->op == JN_AST_NUMBER) {
        ok = literal(out, e->text);
    } else if (e->op == JN_AST_NAME) {
        ok = named_integer(out, s, e, depth);
    } else if (e->op == JN_AST_NEG) {
        ok = integer_of(&x, s, e->arg[0], depth);
        *out = ok ? -x : 0;
    } else if (e->nargs == 2 && e->op != JN_AST_CALL) {
        ok = integer_of(&x, s, e->arg[0], depth) && integer_of(&y, s, e->arg[1], depth) &&
             combine(out, e->op, x, y);
    }
    return ok && *out <= INTEGER_MAX && *out >= -(long)INTEGER_MAX;
}

bool jni_build_integer(builder *b, long *out, const scope *s, const jn_ast_expr *e)
{
    if (integer_of(out, s, e, 0))
        return true;
    REPORT(b, JN_D_INTEGER, e->place);
    return false;
}

/* ---- names --------------------------------------------------------------------------------- */

const char *jni_build_full_name(builder *b, const scope *s, const jn_ast_name *name)
{
    jn_str_reset(&b->text);
    jn_str_add(&b->text, s->prefix);
    for (int i = 0; i < name->nparts; i++) {
        if (i > 0)
            jn_str_addc(&b->text, '.');
        jn_str_add(&b->text, name->part[i].text);
        long index;
        if (!name->part[i].index)
            continue;
        if (!jni_build_integer(b, &index, s, name->part[i].index))
            return NULL;
        jn_str_addf(&b->text, "[%ld]", index);
    }
    return jn_str_c(&b->text);
}

/* In a graph that is built there are no statements any more. */
static jn_kind kind_of(const builder *b, int declared)
{
    const statement_list *l = &b->list[JN_AST_ELEMENT];
    return l->n ? l->item[declared].ast->u.element.kind : b->g->element[declared].kind;
}

const char *jni_build_kind_text(const builder *b, const name_entry *e)
{
    static const char *const element[] = {
        [JN_SE] = "a source Se",   [JN_SF] = "a source Sf",
        [JN_I] = "an element I",   [JN_C] = "an element C",
        [JN_R] = "an element R",   [JN_TF] = "a transformer",
        [JN_GY] = "a gyrator",     [JN_0] = "a 0-junction",
        [JN_1] = "a 1-junction",   [JN_X0] = "a junction X0",
        [JN_X1] = "a junction X1", [JN_BOOLEAN] = "a switch that belongs to no junction"};
    switch (e->kind) {
    case NAME_ELEMENT:
        return element[kind_of(b, e->index)];
    case NAME_PARAM:
        return "a parameter";
    case NAME_SIGNAL:
        return "a signal";
    case NAME_INSTANCE:
        return "an instance of a submodel";
    case NAME_SUBMODEL:
        return "a submodel";
    case NAME_BOND:
        return "a bond";
    case NAME_STATE:
        return "a state";
    case NAME_DISCRETE:
        return "a discrete variable";
    case NAME_FIELD:
        return "a field";
    case NAME_VALUE:
        break;
    }
    return "";
}

static const name_entry *lookup(const builder *b, const char *full, unsigned kinds)
{
    const name_entry *e = jni_names_find(&b->names, full);
    if (!e || !(e->kind & kinds)) {
        const name_entry *bond = kinds & NAME_BOND ? jni_names_find(&b->bond_names, full) : NULL;
        e = bond ? bond : e;
    }
    return e;
}

/* Whether a name may be unknown only because of an error that has been reported: in the loop
 * that would declare it, or in the instance it belongs to. */
static bool follows_from_errors(const builder *b, const scope *s, char *full)
{
    if (b->indices_broken && strchr(full, '['))
        return true;
    for (char *p = full + strlen(s->prefix); (p = strchr(p, '.')); p++) {
        *p = 0;
        const name_entry *e = jni_names_find(&b->names, full);
        *p = '.';
        if (e && e->kind == NAME_INSTANCE && b->instance[e->index].submodel < 0)
            return true;
    }
    return false;
}

static bool is_first_mention(builder *b, const char *name)
{
    const char *key = jn_arena_printf(b->scratch, "name %s", name);
    if (jni_names_find(&b->reported, key))
        return false;
    jni_names_add(&b->reported, key, 0, 0, (jn_place){0});
    return true;
}

static const char *closest_name(const builder *b, const scope *s, const char *name, unsigned kinds)
{
    const char *found = jni_names_closest(&b->names, s->prefix, name, kinds);
    if (!found && s->prefix[0])
        found = jni_names_closest(&b->names, "", name, kinds & NAME_VALUE);
    if (!found && (kinds & NAME_BOND))
        found = jni_names_closest(&b->bond_names, s->prefix, name, kinds);
    return found;
}

static void report_unknown(builder *b, const scope *s, jn_place place, const char *name,
                           unsigned kinds, const char *wanted)
{
    if (!is_first_mention(b, name))
        return;
    const char *closest = NULL, *advice = "";
    /* Further errors are only counted: no advice is needed. */
    if (jn_diags_errors(b->diags) < JN_DIAGS_MAX)
        closest = closest_name(b, s, name, kinds);
    jn_unit unit;
    bool is_unit = (kinds & NAME_PARAM) && jn_unit_scan(&unit, name, strlen(name)) == strlen(name);
    if ((kinds & NAME_PARAM) && (strcmp(name, "PI") == 0 || strcmp(name, "Pi") == 0))
        closest = "pi";
    if (closest)
        advice = jn_arena_printf(b->scratch, "did you mean '%s'?", closest);
    else if (is_unit)
        advice = jn_arena_printf(
            b->scratch,
            "as a unit it stands right behind a number, without brackets or spaces: "
            "'20 N*h/km'; else declare 'param %s = …'",
            name);
    else if (strcmp(wanted, "controlled junction") == 0 && !strchr(name, '.'))
        advice =
            jn_arena_printf(b->scratch, "declare it, 'X1 %s' or 'X0 %s', and bond it", name, name);
    else if (kinds == NAME_DISCRETE)
        advice = jn_arena_printf(b->scratch, "declare it: 'discrete %s = 0'", name);
    else if ((kinds & NAME_PARAM) && !strchr(name, '.'))
        advice = jn_arena_printf(b->scratch, "declare it: 'param %s = …' or 'signal %s = …'", name,
                                 name);
    REPORT(b, JN_D_NAME_UNKNOWN, place, wanted, name, advice);
}

/* What the author of the wrong kind of name may have meant. */
static const char *advice_on_kind(builder *b, const name_entry *e, unsigned kinds, const char *name)
{
    if (e->kind == NAME_ELEMENT && (kinds & NAME_PARAM))
        return jn_arena_printf(b->scratch, "write e(%s) or f(%s) for one of its variables", name,
                               name);
    if (kinds == NAME_DISCRETE)
        return "a transition sets what is declared by 'discrete n = 0', for example";
    if (e->kind == NAME_FIELD && (kinds & NAME_ELEMENT))
        return jn_arena_printf(b->scratch, "name one of its ports: %s.%s", name,
                               b->field[e->index].ast->u.element.port[0]);
    if (e->kind == NAME_INSTANCE && (kinds & NAME_ELEMENT)) {
        int i = b->instance[e->index].submodel;
        if (i >= 0 && b->submodel[i].nports > 0)
            return jn_arena_printf(b->scratch, "name one of its ports: %s.%s", name,
                                   b->submodel[i].port[0].name);
    }
    return "";
}

const name_entry *jni_build_find(builder *b, const scope *s, const jn_ast_name *name,
                                 unsigned kinds, const char *wanted)
{
    if (!jni_build_full_name(b, s, name))
        return NULL;
    char *full = b->text.s;
    const char *brief = full + strlen(s->prefix);
    const name_entry *e = lookup(b, full, kinds);
    if (!e && s->prefix[0]) {
        e = lookup(b, brief, kinds);
        if (e && !(e->kind & kinds & NAME_VALUE))
            e = NULL;
    }
    if (e && (e->kind & kinds))
        return e;
    if (e)
        REPORT(b, JN_D_NAME_KIND, name->place, brief, jni_build_kind_text(b, e),
               wanted[0] == 'e' ? "an" : "a", wanted, advice_on_kind(b, e, kinds, brief));
    else if (!follows_from_errors(b, s, full))
        report_unknown(b, s, name->place, brief, kinds, wanted);
    return NULL;
}
