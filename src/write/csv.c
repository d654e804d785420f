/* csv.c: results as rows of comma-separated values.
 *
 * A matrix over λ is one row per entry and case: matrix, row, column, guard, value. Names of
 * parts of guards (let) are rows as well, as are the diagonal entries of Λ. */
#include <string.h>

#include "write_internal.h"

void jn_csv_field(jn_str *out, const char *s)
{
    if (!s[strcspn(s, "\",\r\n")]) {
        jn_str_add(out, s);
        return;
    }
    jn_str_addc(out, '"');
    for (; *s; s++)
        jn_str_add(out, *s == '"' ? "\"\"" : (char[]){*s, 0});
    jn_str_addc(out, '"');
}

/* ---- fields, each with its comma in front -------------------------------------------------- */

static void add_name(jn_listing *l, int element)
{
    jn_str_addc(&l->out, ',');
    jn_csv_field(&l->out, jni_listing_graph(l)->element[element].name);
}

static void add_variable(jn_listing *l, jn_variable v)
{
    add_name(l, v.element);
    jn_str_addf(&l->out, " %s", jn_form_name(v.form));
}

/* Guards and values are free of commas and quotes. */
static void add_guard(jn_listing *l, jn_guard g)
{
    jn_str_addc(&l->out, ',');
    jni_listing_guard(&l->out, l, g);
}

static void add_value(jn_listing *l, jn_ratfun v)
{
    jn_str_addc(&l->out, ',');
    jni_listing_value(&l->out, l, v);
}

static void write_lets(jn_listing *l)
{
    for (int i = 0; i < jn_formulas_lets(l->formulas); i++) {
        jn_str_addf(&l->out, "let,_%d,,", i + 1);
        jni_listing_formula(&l->out, l, jn_formulas_let(l->formulas, i));
        jn_str_add(&l->out, ",\n");
    }
}

/* ---- matrices ------------------------------------------------------------------------------ */

static void write_matrix(jn_listing *l, const char *name, const jn_matrix *m,
                         const jn_variable *rows, const jn_variable *cols)
{
    for (int i = 0; i < m->nrows; i++)
        for (int k = 0; k < m->row[i].n; k++) {
            const jn_entry *e = &m->row[i].e[k];
            for (int c = 0; c < e->value.n; c++) {
                jn_str_add(&l->out, name);
                add_variable(l, rows[i]);
                add_variable(l, cols[e->col]);
                add_guard(l, e->value.c[c].guard);
                add_value(l, e->value.c[c].value);
                jn_str_addc(&l->out, '\n');
            }
        }
}

static void write_lambda(jn_listing *l)
{
    const jn_junction *j = l->junction;
    for (int i = 0; i < j->nrows; i++) {
        jn_str_add(&l->out, "Lambda");
        add_variable(l, j->row[i]);
        add_variable(l, j->row[i]);
        add_guard(l, j->Lambda[i]);
        jn_str_add(&l->out, ",1\n");
    }
}

static void begin_matrices(jn_listing *l)
{
    const jn_junction *j = l->junction;
    const jn_implicit *f = l->implicit;
    if (l->by_mode) {
        jn_str_add(&l->out, "mode,matrix,row,column,value\n");
        return;
    }
    jn_str_add(&l->out, "matrix,row,column,guard,value\n");
    write_lambda(l);
    write_matrix(l, "S", &j->S, j->row, j->col);
    write_matrix(l, "E", &f->E, f->x, f->x);
    write_matrix(l, "A", &f->A, f->x, f->x);
    write_matrix(l, "B", &f->B, f->x, j->col + j->ncols - f->ninputs);
    write_lets(l);
}

static void write_mode_matrix(jn_listing *l, const jn_onoff *m, const char *name,
                              const jn_ratfun *v, const int *cols, int ncols)
{
    for (int i = 0; i < l->mode.n; i++)
        for (int j = 0; j < ncols; j++) {
            if (jn_ratfun_is_zero(v[i * ncols + j]))
                continue;
            jni_listing_mode(&l->out, l, m);
            jn_str_addf(&l->out, ",%s", name);
            add_name(l, jni_listing_graph(l)->storage[i]);
            add_name(l, cols[j]);
            add_value(l, v[i * ncols + j]);
            jn_str_addc(&l->out, '\n');
        }
}

/* A mode begins with a row that gives its status. */
static void mode_matrices(jn_listing *l, const jn_onoff *m)
{
    const jn_graph *g = jni_listing_graph(l);
    const jn_mode *mode = &l->mode;
    jn_implicit_mode(&l->mode, l->implicit, m);
    jni_listing_mode(&l->out, l, m);
    jn_str_addf(&l->out, ",status,,,%s\n", jn_mode_status_name(mode->status));
    if (mode->status == JN_MODE_OK) {
        write_mode_matrix(l, m, "E", mode->E, g->storage, mode->n);
        write_mode_matrix(l, m, "A", mode->A, g->storage, mode->n);
        write_mode_matrix(l, m, "B", mode->B, g->source, mode->ninputs);
    }
    l->written++;
}

/* ---- modes --------------------------------------------------------------------------------- */

static void begin_modes(jn_listing *l)
{
    if (l->by_mode) {
        jn_str_add(&l->out, "mode,status,reason");
        for (int i = 0; i < l->npassive; i++)
            add_name(l, l->passive[i].element);
        jn_str_addc(&l->out, '\n');
        return;
    }
    jn_str_add(&l->out, "element,causality,guard\n");
    for (int i = 0; i < l->npassive; i++) {
        const jn_causality *c = &l->passive[i];
        jn_csv_field(&l->out, jni_listing_graph(l)->element[c->element].name);
        jn_str_addf(&l->out, ",%s,", c->yes);
        jni_listing_formula(&l->out, l, jni_causality_formula(l, c));
        jn_str_addc(&l->out, '\n');
    }
    jn_str_add(&l->out, ",forbidden");
    add_guard(l, l->junction->forbidden);
    jn_str_addc(&l->out, '\n');
    for (int i = 0; i < jn_formulas_lets(l->formulas); i++) {
        jn_str_addf(&l->out, "_%d,let,", i + 1);
        jni_listing_formula(&l->out, l, jn_formulas_let(l->formulas, i));
        jn_str_addc(&l->out, '\n');
    }
}

static void mode_modes(jn_listing *l, const jn_onoff *m)
{
    const jn_junction *j = l->junction;
    bool forbidden = jn_junction_is_forbidden(j, m);
    jni_listing_mode(&l->out, l, m);
    jn_str_add(&l->out, forbidden ? ",forbidden," : ",ok,");
    if (forbidden)
        jn_reason_print(&l->out, j, jn_junction_reason(j, m));
    for (int i = 0; i < l->npassive; i++)
        jn_str_addf(&l->out, ",%s", forbidden ? "" : jni_causality_in(l, &l->passive[i], m));
    jn_str_addc(&l->out, '\n');
    l->written++;
}

static void end(jn_listing *l)
{
    (void)l;
}

const jn_writer jni_matrices_csv = {begin_matrices, mode_matrices, end};
const jn_writer jni_modes_csv = {begin_modes, mode_modes, end};
