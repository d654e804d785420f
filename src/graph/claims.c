/* claims.c: what is claimed about the model (assert), and what may be taken for granted (bound). */
#include <string.h>

#include "graph_internal.h"

/* ---- assert -------------------------------------------------------------------------------- */

static const char *condition_text(builder *b, const jn_expr *condition)
{
    jn_str text;
    jn_str_init(&text);
    b->g->table = b->table;
    jn_expr_print(&text, b->g, condition);
    const char *kept = jn_arena_strndup(b->g->arena, jn_str_c(&text), text.len);
    jn_str_clear(&text);
    return kept;
}

static void read_assert(builder *b, jn_assert *out, const statement *st)
{
    context c = {.scope = st->scope, .law = -1};
    const char *text = st->ast->u.assertion.text;
    *out = (jn_assert){.place = st->ast->place};
    out->condition = jni_build_condition(b, &c, st->ast->u.assertion.condition);
    if (out->condition && !jn_expr_varies(out->condition))
        REPORT(b, JN_D_ASSERT_CONSTANT, out->place);
    if (text)
        out->text = jn_arena_shown(b->g->arena, text, strlen(text));
    else if (out->condition)
        out->text = condition_text(b, out->condition);
}

/* ---- bound --------------------------------------------------------------------------------- */

/* Of two sides, that which is bounded: what varies, else what is not a number. */
static bool left_is_bounded(const jn_expr *left, const jn_expr *right)
{
    if (jn_expr_varies(left) || jn_expr_varies(right))
        return jn_expr_varies(left);
    return left->op == JN_X_PARAM || right->op != JN_X_PARAM;
}

static void check_end(builder *b, const jn_expr *end)
{
    if (end && jn_expr_varies(end))
        REPORT(b, JN_D_CONSTANT_EXPECTED, end->place, "the end of a bound");
}

static void check_order(builder *b, const jn_bound *bound)
{
    fmpq_t low, high;
    fmpq_init(low);
    fmpq_init(high);
    if (bound->low && bound->high && jni_build_known(low, b, bound->low) &&
        jni_build_known(high, b, bound->high) && fmpq_cmp(low, high) > 0)
        REPORT(b, JN_D_BOUND_EMPTY, bound->place);
    fmpq_clear(low);
    fmpq_clear(high);
}

static void read_bound(builder *b, jn_bound *out, const statement *st)
{
    const jn_ast *ast = st->ast;
    context c = {.scope = st->scope, .law = -1};
    const jn_expr *part[3] = {NULL, NULL, NULL};
    int n = ast->u.bound.n;
    for (int i = 0; i < n; i++)
        part[ast->u.bound.falling ? n - 1 - i : i] = jni_build_value(b, &c, ast->u.bound.part[i]);
    *out = (jn_bound){.place = ast->place};
    if (!part[0] || !part[1] || (n == 3 && !part[2]))
        return;
    if (n == 3) {
        out->low = part[0];
        out->x = part[1];
        out->high = part[2];
    } else {
        bool left = left_is_bounded(part[0], part[1]);
        out->x = part[left ? 0 : 1];
        *(left ? &out->high : &out->low) = part[left ? 1 : 0];
    }
    check_end(b, out->low);
    check_end(b, out->high);
    if (!jn_expr_varies(out->x) && out->x->op != JN_X_PARAM)
        REPORT(b, JN_D_BOUND_CONSTANT, out->x->place);
    check_order(b, out);
}

void jni_build_claims(builder *b)
{
    jn_graph *g = b->g;
    const statement_list *asserts = &b->list[JN_AST_ASSERT], *bounds = &b->list[JN_AST_BOUND];
    jn_assert *assertion = jn_arena_alloc(g->arena, (size_t)asserts->n * sizeof *assertion);
    jn_bound *bound = jn_arena_alloc(g->arena, (size_t)bounds->n * sizeof *bound);
    for (int i = 0; i < asserts->n; i++)
        read_assert(b, &assertion[i], &asserts->item[i]);
    for (int i = 0; i < bounds->n; i++)
        read_bound(b, &bound[i], &bounds->item[i]);
    g->nasserts = asserts->n;
    g->nbounds = bounds->n;
    g->assertion = assertion;
    g->bound = bound;
}
