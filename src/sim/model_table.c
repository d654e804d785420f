/* model_table.c: signals from CSV files, linear between their points, constant beyond them. */
#include <stdlib.h>
#include <string.h>

#include "junct/csv.h"
#include "model.h"

/* A file is looked for beside the model. What is read lives as long as the graph, and so as long as
 * diagnostics that point into it. */
static const char *path_of(const jn_graph *g, const char *folder, const char *file)
{
    if (!folder || file[0] == '/')
        return file;
    return jn_arena_printf(g->arena, "%s/%s", folder, file);
}

/* What has been read for an earlier table, or said about it, is not read again: the first table of
 * the same file, with the same points, of the same column. */
static int first_of_file(const jn_graph *g, int i)
{
    int first = 0;
    while (strcmp(g->table[first].file, g->table[i].file) != 0)
        first++;
    return first;
}

static const char *points_of(const jn_table *t, const jn_csv *file)
{
    return t->over_time ? "t" : file->name[0];
}

static int first_with_points(const jn_graph *g, int i, const jn_csv *file)
{
    const char *points = points_of(&g->table[i], file);
    int first = first_of_file(g, i);
    while (strcmp(g->table[first].file, g->table[i].file) != 0 ||
           strcmp(points_of(&g->table[first], file), points) != 0)
        first++;
    return first;
}

static int first_of_column(const jn_graph *g, int i)
{
    int first = first_of_file(g, i);
    while (strcmp(g->table[first].file, g->table[i].file) != 0 ||
           strcmp(g->table[first].column, g->table[i].column) != 0)
        first++;
    return first;
}

static jn_status read_columns(table_data *to, const jn_graph *g, int i, const jn_csv *file,
                              jn_diags *d)
{
    const jn_table *t = &g->table[i];
    int like = first_with_points(g, i, file), same = first_of_column(g, i);
    jn_status order = JN_OK, values = JN_OK;
    to[i] = (table_data){file->nrows, to[like].t, to[same].value};
    if (like == i)
        order = jn_csv_ascending(&to[i].t, g->arena, file, points_of(t, file), d);
    if (same == i)
        values = jn_csv_numbers(&to[i].value, g->arena, file, t->column, d);
    return order == JN_OK ? values : order;
}

static bool was_unreadable(const jn_diags *d)
{
    return jn_diags_get(d, jn_diags_count(d) - 1)->code == JN_D_CSV_UNREADABLE;
}

/* All of them, so that all that is wrong is said in one go. */
static jn_status read_tables(table_data *to, const jn_graph *g, const char *folder, jn_diags *d)
{
    jn_status worst = JN_OK;
    const jn_csv **file = jn_alloc((size_t)g->ntables * sizeof *file);
    for (int i = 0; i < g->ntables; i++) {
        const jn_table *t = &g->table[i];
        int first = first_of_file(g, i);
        jn_status st = JN_OK;
        if (first == i)
            st = jn_csv_read(&file[i], g->arena, path_of(g, folder, t->file), d);
        file[i] = file[first];
        if (file[i])
            st = read_columns(to, g, i, file[i], d);
        if (st != JN_OK && was_unreadable(d))
            jn_diag_note(d, t->place, "the table is read here: its file is looked for in the %s",
                         folder ? "folder of the model" : "working directory");
        else if (st != JN_OK)
            jn_diag_note(d, t->place, "the table is read here");
        worst = st == JN_OK ? worst : st;
    }
    free(file);
    return worst;
}

jn_status jni_tables_read(model *m, jn_diags *d)
{
    m->table = jn_alloc((size_t)m->g->ntables * sizeof *m->table);
    return read_tables(m->table, m->g, m->folder, d);
}

jn_status jn_sim_check_tables(const jn_graph *g, const char *folder, jn_diags *d)
{
    table_data *unused = jn_alloc((size_t)g->ntables * sizeof *unused);
    jn_status st = read_tables(unused, g, folder, d);
    free(unused);
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
