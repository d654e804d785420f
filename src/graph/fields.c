/* fields.c: I-, C- and R-fields, "I M(a, b) = [2, 1; 1, 3]".
 *
 * Each port is an element of its own, M.a and M.b, so that bonds, causality and states need not
 * know of fields; what makes one of them is the matrix that couples the laws of its ports. A plain
 * number in it is a symbol, M.a on the diagonal and M.a.b beside it; other entries stand as they
 * are written. */
#include <stdlib.h>
#include <string.h>

#include <flint/fmpq_mat.h>

#include "graph_internal.h"

/* ---- the matrix as it is written ----------------------------------------------------------- */

typedef struct {
    builder *b;
    field *f;
    jn_kind kind;
    int n;
    const jn_ast_matrix *matrix;
    bool half; /* only the lower half is written */
    jn_value *entry;
    const jn_expr **given; /* as they are written */
} reader;

static bool has_shape(const jn_ast_matrix *m, int n, bool half)
{
    bool fits = m->nrows == n;
    for (int i = 0; i < n && fits; i++)
        fits = m->row[i].n == (half ? i + 1 : n);
    return fits;
}

static jn_value symbol(reader *r, int i, int k, const jn_expr *given, int value_id)
{
    jn_graph *g = r->b->g;
    const char *const *names = r->f->ast->u.element.port;
    int element = r->f->element[i];
    const char *name = g->element[element].name;
    if (i != k)
        name = jn_arena_printf(g->arena, "%s.%s.%s", r->f->name, names[i], names[k]);
    return (jn_value){.one = jni_build_symbol(g, element, name, given, value_id)};
}

/* An entry that is not rational in the parameters may be one that switches choose: cases.c. */
static jn_value value_of(reader *r, int i, int k, const jn_expr *x)
{
    jn_graph *g = r->b->g;
    const jn_expr *where;
    jn_ratfun v;
    jn_status status = jn_expr_ratfun_at(&v, g->field, x, &where);
    if (status == JN_OK && jn_ratfun_is_const(g->field, v) && !jn_ratfun_is_zero(v))
        return symbol(r, i, k, x, v.id);
    if (status != JN_OK && !jni_build_report_value(r->b, status, where->place))
        r->f->modulation[i * r->n + k] = x;
    return (jn_value){.one = status == JN_OK ? v : JN_RATFUN_ZERO};
}

static const jn_expr *entry_expr(reader *r, int i, int k)
{
    context c = {.scope = r->f->scope, .law = -1};
    return jni_build_value(r->b, &c, r->matrix->row[i].item[k]);
}

static void note_diagonal(reader *r, int i, const jn_expr *x)
{
    jn_element *e = &r->b->g->element[r->f->element[i]];
    e->given = x;
    e->value = r->entry[i * r->n + i].one;
    e->modulation = r->f->modulation[i * r->n + i];
    e->modulated = e->modulation != NULL;
}

static bool same_value(const jn_graph *g, const jn_expr *x, const jn_expr *y)
{
    jn_ratfun v, w;
    return jn_expr_ratfun(&v, g->field, x) == JN_OK && jn_expr_ratfun(&w, g->field, y) == JN_OK &&
           jn_ratfun_equal(v, w);
}

static void report_asymmetric(builder *b, const field *f, int i, int k, jn_place place)
{
    REPORT(b, JN_D_FIELD_ASYMMETRIC, place, f->name, i + 1, k + 1, k + 1, i + 1);
}

/* Entry (i, k) above the diagonal, and its mirror image below. */
static void read_pair(reader *r, int i, int k)
{
    bool storage = jn_kind_is_storage(r->kind);
    const jn_expr *x = entry_expr(r, k, i), *y = r->half ? x : entry_expr(r, i, k);
    jn_value *upper = &r->entry[i * r->n + k], *lower = &r->entry[k * r->n + i];
    if (!x || !y)
        return;
    r->given[i * r->n + k] = y;
    r->given[k * r->n + i] = x;
    *upper = value_of(r, i, k, y);
    if (r->half || (storage && same_value(r->b->g, x, y))) {
        *lower = *upper;
        r->f->modulation[k * r->n + i] = r->f->modulation[i * r->n + k];
        return;
    }
    *lower = value_of(r, k, i, x);
    bool chosen = r->f->modulation[i * r->n + k] && r->f->modulation[k * r->n + i];
    if (storage && !chosen)
        report_asymmetric(r->b, r->f, i, k, y->place);
}

static void read_entries(reader *r)
{
    for (int i = 0; i < r->n; i++) {
        const jn_expr *x = entry_expr(r, i, i);
        if (x) {
            r->given[i * r->n + i] = x;
            r->entry[i * r->n + i] = value_of(r, i, i, x);
            note_diagonal(r, i, x);
        }
    }
    for (int i = 0; i < r->n; i++)
        for (int k = i + 1; k < r->n; k++)
            read_pair(r, i, k);
}

/* Without a matrix every entry is a symbol. */
static void make_symbols(reader *r)
{
    for (int i = 0; i < r->n; i++)
        for (int k = i; k < r->n; k++)
            r->entry[i * r->n + k] = r->entry[k * r->n + i] = symbol(r, i, k, NULL, -1);
    for (int i = 0; i < r->n; i++)
        note_diagonal(r, i, NULL);
}

static void read_matrix(reader *r)
{
    const jn_ast *ast = r->f->ast;
    if (ast->u.element.value || ast->u.element.law)
        REPORT(r->b, JN_D_FIELD_VALUE,
               ast->u.element.value ? ast->u.element.value->place : ast->u.element.law->place,
               r->f->name);
    else if (!r->matrix)
        make_symbols(r);
    else if (has_shape(r->matrix, r->n, r->half))
        read_entries(r);
    else
        REPORT(r->b, JN_D_FIELD_MATRIX, r->matrix->place, r->f->name, r->n, r->n, r->n);
}

void jni_build_field(builder *b, field *f)
{
    reader r = {.b = b,
                .f = f,
                .kind = f->ast->u.element.kind,
                .n = f->ast->u.element.nports,
                .matrix = f->ast->u.element.matrix};
    size_t entries = (size_t)r.n * (size_t)r.n;
    r.half = r.matrix && !has_shape(r.matrix, r.n, false) && has_shape(r.matrix, r.n, true);
    r.entry = f->entry = jn_arena_alloc(b->g->arena, entries * sizeof *r.entry);
    r.given = f->given = jn_arena_alloc(b->g->arena, entries * sizeof *r.given);
    f->modulation = jn_arena_alloc(b->scratch, entries * sizeof *f->modulation);
    f->element = jn_arena_alloc(b->g->arena, (size_t)r.n * sizeof *f->element);
    for (int i = 0; i < r.n; i++)
        f->element[i] = b->element_of[f->first + i];
    read_matrix(&r);
}

void jni_build_fields(builder *b)
{
    jn_graph *g = b->g;
    jn_multiport *all = jn_arena_alloc(g->arena, (size_t)b->nfields * sizeof *all);
    for (int i = 0; i < b->nfields; i++) {
        field *f = &b->field[i];
        if (!f->element)
            jni_build_field(b, f);
        all[i] = (jn_multiport){.kind = f->ast->u.element.kind,
                                .name = f->name,
                                .place = f->ast->u.element.name.place,
                                .nports = f->ast->u.element.nports,
                                .element = f->element,
                                .entry = f->entry,
                                .given = f->given};
        for (int k = 0; k < all[i].nports; k++) {
            g->element[f->element[k]].multiport = &all[i];
            g->element[f->element[k]].port = k;
        }
    }
    g->multiport = all;
    g->nmultiports = b->nfields;
}

int jni_build_field_symbols(const builder *b)
{
    int n = 0;
    for (int i = 0; i < b->nfields; i++)
        n += b->field[i].ast->u.element.nports * (b->field[i].ast->u.element.nports - 1);
    return n;
}

/* ---- values that switches choose ----------------------------------------------------------- */

void jni_build_field_cases(builder *b, field *f)
{
    int n = f->ast->u.element.nports;
    for (int i = 0; i < n * n; i++) {
        const jn_expr *x = f->modulation[i];
        if (x && !jni_build_value_cases(b, &f->entry[i], x))
            REPORT(b, JN_D_FIELD_VARIES, x->place);
    }
    for (int i = 0; i < n; i++) {
        jn_element *e = &b->g->element[f->element[i]];
        e->ncases = f->entry[i * n + i].ncases;
        e->cases = f->entry[i * n + i].cases;
    }
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++)
            if (jn_kind_is_storage(f->ast->u.element.kind) && f->modulation[i * n + k] &&
                !jni_build_same_cases(b, f->entry[i * n + k], f->entry[k * n + i]))
                report_asymmetric(b, f, i, k, f->modulation[i * n + k]->place);
}

/* ---- singular and indefinite ones ---------------------------------------------------------- */

/* A value where the switches stand as in m, which is NULL where no switch chooses. */
static jn_ratfun value_in(const jn_graph *g, jn_value v, const jn_onoff *m)
{
    return m ? jn_graph_value_in(g, v, m) : v.one;
}

/* The matrix with the numbers given; false: not all are known. */
static bool numbers_of(fmpq_mat_t m, const jn_graph *g, const jn_multiport *f, const jn_onoff *on)
{
    bool known = true;
    for (int i = 0; i < f->nports * f->nports && known; i++) {
        jn_ratfun v = value_in(g, f->entry[i], on);
        known = jn_ratfun_put(&v, g->field, v, g->param_value, g->nparams) == JN_OK &&
                jn_ratfun_get_fmpq(fmpq_mat_entry(m, i / f->nports, i % f->nports), g->field, v);
    }
    return known;
}

static void make_symmetric(fmpq_mat_t m)
{
    fmpq_mat_t t;
    fmpq_mat_init(t, fmpq_mat_ncols(m), fmpq_mat_nrows(m));
    fmpq_mat_transpose(t, m);
    fmpq_mat_add(m, m, t);
    fmpq_mat_clear(t);
}

/* Row k, multiples of which leave nothing below its pivot. */
static void clear_below(fmpq_mat_t m, slong k)
{
    fmpq_t c;
    fmpq_init(c);
    for (slong i = k + 1; i < fmpq_mat_nrows(m); i++) {
        fmpq_div(c, fmpq_mat_entry(m, i, k), fmpq_mat_entry(m, k, k));
        for (slong j = k; j < fmpq_mat_ncols(m); j++)
            fmpq_submul(fmpq_mat_entry(m, i, j), c, fmpq_mat_entry(m, k, j));
    }
    fmpq_clear(c);
}

/* Whether xᵀ m x is never negative, of a symmetric matrix, which is spent; *definite: only 0 for
 * x = 0. Its pivots in order are then positive, or 0 with all of their row. */
static bool is_passive(bool *definite, fmpq_mat_t m)
{
    *definite = true;
    for (slong k = 0; k < fmpq_mat_nrows(m); k++) {
        int sign = fmpq_sgn(fmpq_mat_entry(m, k, k));
        *definite &= sign > 0;
        for (slong j = k; j < fmpq_mat_ncols(m) && sign == 0; j++)
            if (!fmpq_is_zero(fmpq_mat_entry(m, k, j)))
                return false;
        if (sign < 0)
            return false;
        if (sign > 0)
            clear_below(m, k);
    }
    return true;
}

typedef enum { FINE, INDEFINITE, SINGULAR } worth;

static worth worth_of(const jn_graph *g, const jn_multiport *f, const jn_onoff *on)
{
    bool storage = jn_kind_is_storage(f->kind), definite;
    worth w = FINE;
    fmpq_mat_t m;
    fmpq_t det;
    fmpq_mat_init(m, f->nports, f->nports);
    fmpq_init(det);
    if (numbers_of(m, g, f, on)) {
        fmpq_mat_det(det, m);
        if (!storage)
            make_symmetric(m);
        bool passive = is_passive(&definite, m);
        if (storage && fmpq_is_zero(det))
            w = SINGULAR;
        else if (!passive || (storage && !definite))
            w = INDEFINITE;
    }
    fmpq_clear(det);
    fmpq_mat_clear(m);
    return w;
}

/* ---- in all modes -------------------------------------------------------------------------- */

enum { CHOOSERS = 10 }; /* switches that choose entries of one field; with more the first modes */

static void note_switches(bool *chooses, const jn_expr *c)
{
    if (c->op == JN_X_ON)
        chooses[c->index] = true;
    for (int i = 0; i < c->nargs; i++)
        note_switches(chooses, c->arg[i]);
}

static bool *choosers_of(const jn_graph *g, const jn_multiport *f)
{
    bool *chooses = jn_alloc((size_t)g->nelements * sizeof *chooses);
    for (int i = 0; i < f->nports * f->nports; i++)
        for (int k = 0; k < f->entry[i].ncases; k++)
            if (f->entry[i].cases[k].when)
                note_switches(chooses, f->entry[i].cases[k].when);
    return chooses;
}

static void report_worth(builder *b, const jn_multiport *f, worth w)
{
    if (w == SINGULAR)
        REPORT(b, JN_D_FIELD_SINGULAR, f->place, f->name);
    else if (w == INDEFINITE)
        REPORT(b, JN_D_FIELD_INDEFINITE, f->place, f->name);
}

/* "where hot is ON, wet is OFF" */
static void note_mode(builder *b, const jn_multiport *f, const int *sw, int n, const jn_onoff *on)
{
    jn_str text;
    jn_str_init(&text);
    for (int i = 0; i < n; i++) {
        const jn_element *x = &b->g->element[sw[i]];
        jn_str_addf(&text, "%s%s is %s", i ? ", " : "where ", x->name,
                    on[x->number] ? "ON" : "OFF");
    }
    jn_diag_note(b->diags, f->place, "%s", jn_str_c(&text));
    jn_str_clear(&text);
}

/* The worst of all modes, and one in which it is that. */
static void check_modes(builder *b, const jn_multiport *f)
{
    const jn_graph *g = b->g;
    int n = 0, sw[CHOOSERS];
    bool *chooses = choosers_of(g, f);
    jn_onoff *on = jn_alloc((size_t)g->nswitches * sizeof *on);
    jn_onoff *at = jn_alloc((size_t)g->nswitches * sizeof *at);
    worth worst = FINE;
    for (int i = 0; i < g->nelements && n < CHOOSERS; i++)
        if (chooses[i])
            sw[n++] = i;
    for (unsigned mode = 0; mode < 1u << n; mode++) {
        for (int i = 0; i < n; i++)
            on[g->element[sw[i]].number] = mode >> i & 1;
        worth w = worth_of(g, f, on);
        if (w > worst) {
            worst = w;
            memcpy(at, on, (size_t)g->nswitches * sizeof *at);
        }
    }
    report_worth(b, f, worst);
    if (worst != FINE)
        note_mode(b, f, sw, n, at);
    free(chooses);
    free(on);
    free(at);
}

/* Whether switches choose some entry; *failed: one of them could not be read. */
static bool varies(bool *failed, const field *f)
{
    int n = f->ast->u.element.nports;
    bool any = false;
    *failed = false;
    for (int i = 0; i < n * n; i++) {
        any |= f->modulation[i] != NULL;
        *failed |= f->modulation[i] && !f->entry[i].ncases;
    }
    return any;
}

void jni_build_check_fields(builder *b)
{
    for (int i = 0; i < b->g->nmultiports; i++) {
        const jn_multiport *f = &b->g->multiport[i];
        bool failed, in_modes = varies(&failed, &b->field[i]);
        if (in_modes && !failed)
            check_modes(b, f);
        else if (!in_modes)
            report_worth(b, f, worth_of(b->g, f, NULL));
    }
}

static bool is_chosen(const jn_multiport *f)
{
    for (int i = 0; i < f->nports * f->nports; i++)
        for (int k = 0; k < f->entry[i].ncases; k++)
            if (f->entry[i].cases[k].when)
                return true;
    return false;
}

const char *jn_graph_bad_field(const jn_graph *g, bool *is_singular)
{
    for (int i = 0; i < g->nmultiports; i++) {
        const jn_multiport *f = &g->multiport[i];
        worth w = is_chosen(f) ? FINE : worth_of(g, f, NULL);
        *is_singular = w == SINGULAR;
        if (w != FINE)
            return f->name;
    }
    return NULL;
}
