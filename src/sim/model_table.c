/* model_table.c: signals from CSV files, linear between their points, constant beyond them. */
#include "junct/csv.h"
#include "model.h"

/* A file is looked for beside the model. What is read lives as long as the graph, and so as long as
 * diagnostics that point into it. */
static const char *path_of(const model *m, const char *file)
{
    if (!m->folder || file[0] == '/')
        return file;
    return jn_arena_printf(m->g->arena, "%s/%s", m->folder, file);
}

jn_status jni_tables_read(model *m, jn_diags *d)
{
    jn_status st = JN_OK;
    m->table = jn_alloc((size_t)m->g->ntables * sizeof *m->table);
    for (int i = 0; i < m->g->ntables && st == JN_OK; i++) {
        const jn_table *t = &m->g->table[i];
        table_data *to = &m->table[i];
        const jn_csv *file;
        st = jn_csv_read(&file, m->g->arena, path_of(m, t->file), d);
        if (st == JN_OK)
            st = jn_csv_ascending(&to->t, m->g->arena, file, t->over_time ? "t" : file->name[0], d);
        if (st == JN_OK)
            st = jn_csv_numbers(&to->value, m->g->arena, file, t->column, d);
        if (st == JN_OK)
            to->n = file->nrows;
        else
            jn_diag_note(d, t->place, "the table is read here");
    }
    return st;
}

/* The last point that is not after t; −1: all are. */
static int last_before(const table_data *d, double t)
{
    int lo = -1, hi = d->n;
    while (hi - lo > 1) {
        int mid = (lo + hi) / 2;
        if (d->t[mid] <= t)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

double jni_table_at(const model *m, int table, double t)
{
    const table_data *d = &m->table[table];
    int lo = last_before(d, t);
    if (lo < 0)
        return d->value[0];
    if (lo == d->n - 1)
        return d->value[lo];
    double share = (t - d->t[lo]) / (d->t[lo + 1] - d->t[lo]);
    return d->value[lo] + share * (d->value[lo + 1] - d->value[lo]);
}

double jni_table_slope(const model *m, int table, double t)
{
    const table_data *d = &m->table[table];
    int lo = last_before(d, t);
    if (lo < 0 || lo == d->n - 1)
        return 0;
    return (d->value[lo + 1] - d->value[lo]) / (d->t[lo + 1] - d->t[lo]);
}

/* The first point of a table after t; infinity: none. */
static double next_point(const table_data *d, double t)
{
    int next = last_before(d, t) + 1;
    return next < d->n ? d->t[next] : INFINITY;
}

double jni_tables_next(const model *m, const jn_expr *e, double t)
{
    double first = INFINITY;
    if (e->op == JN_X_TABLE && e->arg[0]->op == JN_X_TIME)
        return next_point(&m->table[e->index], t);
    if (e->op == JN_X_SIGNAL)
        return jni_tables_next(m, m->g->signal[e->index].expr, t);
    for (int i = 0; i < e->nargs && e->op != JN_X_INT; i++) /* integrands are live themselves */
        first = fmin(first, jni_tables_next(m, e->arg[i], t));
    return first;
}
