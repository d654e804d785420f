/* run_sequence.c: a sequence of modes from its file.
 *
 * A column t, ascending, and one of 0 and 1 for each switch. All that is wrong in it is said before
 * the run starts: a mode whose sources are in conflict, too. */
#include <stdlib.h>
#include <string.h>

#include "junct/csv.h"
#include "junct/solved.h"
#include "run.h"

typedef struct {
    const jn_csv *csv;
    const jn_graph *graph;
    jn_diags *diags;
    int *column;       /* per switch */
    jn_solver *solver; /* of single modes: a sequence asks for those that it has, not for all */
} reader;

static bool is_switch(const jn_graph *g, const char *name)
{
    for (int i = 0; i < g->nswitches; i++)
        if (strcmp(g->switch_name[i], name) == 0)
            return true;
    return false;
}

static void check_columns(reader *r)
{
    const jn_graph *g = r->graph;
    for (int i = 0; i < r->csv->ncolumns; i++) {
        const char *name = r->csv->name[i];
        if (strcmp(name, "t") == 0 || is_switch(g, name))
            continue;
        const char *closest = jn_closest(name, g->switch_name, g->nswitches);
        jn_str advice;
        jn_str_init(&advice);
        if (closest)
            jn_str_addf(&advice, "did you mean '%s'?", closest);
        else
            jn_str_add(&advice, "a sequence has the column t and one for each switch");
        jn_diag_add(r->diags, JN_D_SEQUENCE_COLUMN, jn_csv_place(r->csv, -1, i), name, advice.s);
        jn_str_clear(&advice);
    }
    for (int i = 0; i < g->nswitches; i++)
        if (jn_csv_column(&r->column[i], r->csv, g->switch_name[i], r->diags) != JN_OK)
            r->column[i] = -1;
}

static bool read_mode(jn_onoff *mode, const reader *r, int row)
{
    bool good = true;
    for (int i = 0; i < r->graph->nswitches; i++) {
        const char *text = r->column[i] < 0 ? "0" : jn_csv_text(r->csv, row, r->column[i]);
        mode[i] = strcmp(text, "1") == 0;
        if (mode[i] || strcmp(text, "0") == 0)
            continue;
        jn_diag_add(r->diags, JN_D_SEQUENCE_VALUE, jn_csv_place(r->csv, row, r->column[i]), text);
        good = false;
    }
    return good;
}

static jn_status check_mode(const reader *r, const jn_onoff *mode, int row)
{
    jn_solved *m = NULL;
    jn_status status = jn_solver_mode(&m, r->solver, mode);
    if (status == JN_OK && m->forbidden && !jn_sim_lasts(r->graph, m)) {
        jn_str text, reason;
        jn_str_init(&text);
        jn_str_init(&reason);
        jn_mode_print(&text, r->graph, mode);
        jn_reason_text(&reason, r->graph, &m->reason[0]);
        jn_place place = jn_csv_place(r->csv, row, r->column[0]);
        jn_diag_add(r->diags, JN_D_SEQUENCE_FORBIDDEN, place, jn_str_c(&text), jn_str_c(&reason));
        jn_str_clear(&reason);
        jn_str_clear(&text);
    }
    jn_solved_free(m);
    return status;
}

static jn_status read_modes(run_plan *p, reader *r)
{
    size_t nswitches = (size_t)r->graph->nswitches;
    int errors = jn_diags_errors(r->diags);
    jn_status status = JN_OK;
    for (int row = 0; row < r->csv->nrows && status == JN_OK; row++) {
        jn_onoff *mode = p->sequence_mode + (size_t)row * nswitches;
        if (read_mode(mode, r, row) && errors == 0)
            status = check_mode(r, mode, row);
    }
    return status;
}

static void read_times(run_plan *p, reader *r, jn_arena *a)
{
    const double *t;
    if (jn_csv_ascending(&t, a, r->csv, "t", r->diags) != JN_OK)
        return;
    memcpy(p->sequence_t, t, (size_t)r->csv->nrows * sizeof *t);
    if (t[0] < 0) {
        int column = jn_csv_find(r->csv, "t");
        jn_diag_add(r->diags, JN_D_SEQUENCE_EARLY, jn_csv_place(r->csv, 0, column),
                    jn_csv_text(r->csv, 0, column));
    }
}

static jn_status read_sequence(run_plan *p, cli_model *m, const char *path)
{
    reader r = {.graph = m->graph, .diags = m->diags};
    jn_status status = jn_csv_read(&r.csv, m->arena, path, m->diags);
    if (status == JN_OK)
        status = jn_solver_new(&r.solver, m->graph,
                               &(jn_solver_options){.numeric = true, .follow = true}, m->diags);
    if (status == JN_OK) {
        int nswitches = m->graph->nswitches;
        r.column = jn_alloc((size_t)nswitches * sizeof *r.column);
        p->sequence_t = jn_alloc((size_t)r.csv->nrows * sizeof *p->sequence_t);
        p->sequence_mode = jn_alloc((size_t)r.csv->nrows * (size_t)nswitches);
        read_times(p, &r, m->arena);
        check_columns(&r);
        status = read_modes(p, &r);
        p->sim.nsequence = r.csv->nrows;
        p->sim.sequence_t = p->sequence_t;
        p->sim.sequence_mode = p->sequence_mode;
        if (jn_diags_errors(m->diags) > 0)
            status = JN_INVALID;
    }
    free(r.column);
    jn_solver_free(r.solver);
    return status;
}

int run_plan_sequence(run_plan *p, cli_model *m, const char *path)
{
    if (m->graph->nswitches == 0) {
        cli_complain("--sequence %s: the model has no switches", path);
        return CLI_WRONG_USAGE;
    }
    return cli_model_report(m, read_sequence(p, m, path));
}
