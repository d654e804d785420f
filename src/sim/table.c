/* table.c: signals from CSV files, linear between their points, constant beyond them. */
#include <stdlib.h>
#include <string.h>

#include "junct/csv.h"
#include "sim_internal.h"

/* A file is looked for beside the model. What is read lives as long as the graph, and so as long as
 * diagnostics that point into it. */
static const char *path_of(jn_sim *s, const char *file)
{
    if (!s->o.folder || file[0] == '/')
        return file;
    return jn_arena_printf(s->g->arena, "%s/%s", s->o.folder, file);
}

jn_status jn_tables_read(jn_sim *s, jn_diags *d)
{
    jn_status st = JN_OK;
    s->table_data = jn_alloc((size_t)s->g->ntables * sizeof *s->table_data);
    for (int i = 0; i < s->g->ntables && st == JN_OK; i++) {
        const jn_table *t = &s->g->table[i];
        table_data *to = &s->table_data[i];
        const jn_csv *file;
        st = jn_csv_read(&file, s->g->arena, path_of(s, t->file), d);
        if (st == JN_OK)
            st = jn_csv_ascending(&to->t, s->g->arena, file, t->over_time ? "t" : file->name[0], d);
        if (st == JN_OK)
            st = jn_csv_numbers(&to->value, s->g->arena, file, t->column, d);
        if (st == JN_OK)
            to->n = file->nrows;
        else
            jn_diag_note(d, t->place, "the table is read here");
    }
    return st;
}

double jn_table_at(const jn_sim *s, int table, double t)
{
    const table_data *d = &s->table_data[table];
    if (t <= d->t[0])
        return d->value[0];
    if (t >= d->t[d->n - 1])
        return d->value[d->n - 1];
    int lo = 0, hi = d->n - 1;
    while (hi - lo > 1) {
        int mid = (lo + hi) / 2;
        if (d->t[mid] <= t)
            lo = mid;
        else
            hi = mid;
    }
    double share = (t - d->t[lo]) / (d->t[hi] - d->t[lo]);
    return d->value[lo] + share * (d->value[hi] - d->value[lo]);
}

double jn_table_next(const jn_sim *s, int table, double t)
{
    const table_data *d = &s->table_data[table];
    for (int i = 0; i < d->n; i++)
        if (d->t[i] > t)
            return d->t[i];
    return INFINITY;
}
