/* ports.c: the efforts and flows of bonds in one mode.
 *
 * The steps of the mode (solved.h) give every variable in terms of earlier ones. So one pass
 * backwards finds what a wanted variable rests on, and one pass forwards puts the values in. What
 * no step gives is the input of a port, or left open by a redundant loop; the open ones are carried
 * along as unknowns, for they may cancel: around such a loop a flow is open, but not what the loop
 * as a whole takes. */
#include <stdlib.h>

#include "analyse_internal.h"
#include "junct/solved.h"

/* The place of a port's input among all inputs; −1 where the element is no port. */
static int place_of(const jn_graph *g, int element)
{
    const jn_element *e = &g->element[element];
    if (jn_kind_is_storage(e->kind))
        return e->number;
    if (e->kind == JN_R)
        return g->nstorages + e->number;
    return jn_kind_is_source(e->kind) ? g->nstorages + g->nresistors + e->number : -1;
}

/* Marks what wanted columns need: a step refers to earlier ones. */
static void mark(bool *needed, const jn_solved *s)
{
    for (int i = s->nsteps - 1; i >= 0; i--)
        for (int t = s->step[i].first; t < s->step[i].end && needed[s->step[i].col]; t++)
            needed[s->term[t].col] = true;
}

/* value of the step's column = Σ coefficient·value */
static jn_ratfun *evaluate(const jn_ports *p, const jn_solved *s, const jn_step *step)
{
    jn_field *k = s->graph->field;
    jn_ratfun *sum = jn_alloc((size_t)p->width * sizeof *sum);
    for (int t = step->first; t < step->end; t++) {
        const jn_ratfun *v = p->of[s->term[t].col];
        for (int x = 0; x < p->width; x++)
            if (!jn_ratfun_is_zero(v[x]))
                sum[x] = jn_ratfun_add(k, sum[x], jn_ratfun_mul(k, s->term[t].c, v[x]));
    }
    return sum;
}

/* The place of each needed column that no step gives, else −1: the inputs of the ports, then the
 * open ones. Returns how many places there are. */
static int place_columns(int *place, const jn_ports *p, const jn_solved *s, const bool *needed)
{
    int width = p->size;
    for (int c = 0; c < p->ncols; c++)
        place[c] = -1;
    for (int e = 0; e < s->graph->nelements; e++) {
        int input = s->gives_effort[e] ? s->port_flow[e] : s->port_effort[e];
        if (input >= 0 && needed[input])
            place[input] = place_of(s->graph, e);
    }
    for (int c = 0; c < p->ncols; c++)
        if (needed[c] && s->is_free[c])
            place[c] = width++;
    return width;
}

bool jni_ports_is_open(const jn_ports *p, const jn_ratfun *row)
{
    for (int x = p->size; x < p->width; x++)
        if (!jn_ratfun_is_zero(row[x]))
            return true;
    return false;
}

static void follow_steps(jn_ports *p, const jn_solved *s, const bool *wanted)
{
    bool *needed = jn_alloc((size_t)p->ncols * sizeof *needed);
    int *place = jn_alloc((size_t)p->ncols * sizeof *place);
    for (int c = 0; c < 2 * s->graph->nbonds; c++)
        needed[c] = wanted[c];
    mark(needed, s);
    p->width = place_columns(place, p, s, needed);
    for (int c = 0; c < p->ncols; c++)
        if (place[c] >= 0) {
            p->of[c] = jn_alloc((size_t)p->width * sizeof *p->of[c]);
            p->of[c][place[c]] = JN_RATFUN_ONE;
        }
    for (int i = 0; i < s->nsteps; i++)
        if (needed[s->step[i].col])
            p->of[s->step[i].col] = evaluate(p, s, &s->step[i]);
    free(needed);
    free(place);
}

/* Past the limits of the field every value is zero. */
static void give_up(jn_ports *p, const jn_graph *g, const bool *wanted)
{
    for (int c = 0; c < 2 * g->nbonds; c++)
        if (wanted[c])
            p->of[c] = jn_alloc((size_t)p->width * sizeof *p->of[c]);
}

void jni_ports_solve(jn_ports *p, const jn_junction *j, const jn_onoff *m, const bool *wanted)
{
    const jn_graph *g = j->graph;
    int size = g->nstorages + g->nresistors + g->nsources;
    jn_solver *k = NULL;
    jn_solved *s = NULL;
    jn_diags *unsaid = jn_diags_new();
    bool solved = jn_solver_of(&k, j, unsaid) == JN_OK && jn_solver_mode(&s, k, m) == JN_OK;
    *p = (jn_ports){.size = size, .width = size, .ncols = s ? s->ncols : 2 * g->nbonds};
    p->of = jn_alloc((size_t)p->ncols * sizeof *p->of);
    if (solved)
        follow_steps(p, s, wanted);
    else
        give_up(p, g, wanted);
    jn_solved_free(s);
    jn_solver_free(k);
    jn_diags_free(unsaid);
}

void jni_ports_clear(jn_ports *p)
{
    for (int c = 0; c < p->ncols; c++)
        free(p->of[c]);
    free(p->of);
}

/* ---- S in a mode --------------------------------------------------------------------------- */

int jni_structure_row(const jn_junction *j, const jn_mode *mode, int element)
{
    const jn_element *e = &j->graph->element[element];
    for (int i = 0; i < j->nrows; i++) {
        if (j->row[i].element != element)
            continue;
        bool first = j->row[i].form == JN_STATE || j->row[i].form == JN_FLOW_IN;
        if (first == (e->kind == JN_R ? mode->resistance : mode->integral)[e->number])
            return i;
    }
    return -1;
}

jn_ratfun jni_structure_at(const jn_junction *j, const jn_onoff *m, int row, int col)
{
    const jn_guarded *v = row >= 0 && col >= 0 ? jn_matrix_get(&j->S, row, col) : NULL;
    return v ? jn_guarded_at(v, m, j->ring) : JN_RATFUN_ZERO;
}
