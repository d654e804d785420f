/* structural.c: controllability and observability by the criterion of bond graphs.
 *
 * A model is structurally controllable when (1) a causal path leads from some source to every
 * storage in integral causality, and (2) all of them can be put into derivative causality, where
 * sources may be dualised for it. (1) is read off the entries of E, A and B. For (2), derivative
 * causality is preferred: the junction structure is solved for z instead of ẋ wherever possible,
 * and the storages for which it is not are as many as the columns of
 *
 *     [S11; S31; −S14ᵀ]      (the rows of storages, resistors and sources)
 *
 * lack in rank. Each is a pole at zero that no input moves. Observability is the dual, with the
 * paths to the outputs and their rows in place of the sources'. */
#include <stdlib.h>

#include "analyse_internal.h"

/* ---- causal paths -------------------------------------------------------------------------- */

static bool influences(const jn_mode *q, int from, int to)
{
    size_t at = (size_t)to * (size_t)q->n + (size_t)from;
    return from != to && !(jn_ratfun_is_zero(q->E[at]) && jn_ratfun_is_zero(q->A[at]));
}

/* Follows influence from the storages already reached, forwards or backwards. */
static void spread(bool *reached, const jn_mode *q, bool forwards)
{
    int *queue = jn_alloc((size_t)q->n * sizeof *queue), count = 0;
    for (int i = 0; i < q->n; i++)
        if (reached[i])
            queue[count++] = i;
    for (int done = 0; done < count; done++)
        for (int i = 0; i < q->n; i++)
            if (!reached[i] &&
                (forwards ? influences(q, queue[done], i) : influences(q, i, queue[done]))) {
                reached[i] = true;
                queue[count++] = i;
            }
    free(queue);
}

typedef struct {
    const jn_mode *q;
    const jn_analysis *a;
    const jn_onoff *m;
    bool *reached, *resistor; /* storages and resistors that are read */
    int count, *queue;        /* of resistors */
} reading;

static void read_resistor(reading *w, int r)
{
    if (!w->resistor[r]) {
        w->resistor[r] = true;
        w->queue[w->count++] = r;
    }
}

/* z of a storage: the states that its law reads. */
static void read_output(reading *w, int storage)
{
    const jn_row *law = &w->a->implicit->F.row[storage];
    for (int k = 0; k < law->n; k++) {
        size_t at = (size_t)storage * (size_t)w->q->n + (size_t)law->e[k].col;
        w->reached[law->e[k].col] |= !jn_ratfun_is_zero(w->q->F[at]);
    }
}

static bool reads(const reading *w, int row, int element)
{
    const jn_junction *j = w->a->implicit->junction;
    return !jn_ratfun_is_zero(jni_structure_at(j, w->m, row, jni_structure_row(j, w->q, element)));
}

/* What the row of S of a resistor reads, and the other ports of its field. */
static void follow_resistor(reading *w, int r)
{
    const jn_graph *g = w->a->graph;
    const jn_multiport *f = g->element[g->resistor[r]].multiport;
    int row = jni_structure_row(w->a->implicit->junction, w->q, g->resistor[r]);
    for (int i = 0; i < g->nresistors; i++)
        if (reads(w, row, g->resistor[i]))
            read_resistor(w, i);
    for (int k = 0; f && k < f->nports; k++)
        read_resistor(w, g->element[f->element[k]].number);
    for (int i = 0; i < g->nstorages; i++)
        if (reads(w, row, g->storage[i]))
            read_output(w, i);
}

/* The resistors that resistors read, then the storages that those read. */
static void read_resistors(bool *reached, bool *resistor, const jn_mode *q, const jn_analysis *a,
                           const jn_onoff *m)
{
    int n = a->graph->nresistors;
    reading w = {.q = q, .a = a, .m = m, .reached = reached, .resistor = resistor};
    w.queue = jn_alloc((size_t)n * sizeof *w.queue);
    for (int r = 0; r < n; r++)
        if (resistor[r])
            w.queue[w.count++] = r;
    for (int done = 0; done < w.count; done++)
        follow_resistor(&w, w.queue[done]);
    free(w.queue);
}

static void note_unreached(jn_structural *s, const jn_mode *q, const bool *reached)
{
    s->unreached = jn_alloc((size_t)q->n * sizeof *s->unreached);
    for (int i = 0; i < q->n; i++)
        if (q->integral[i] && !reached[i])
            s->unreached[s->nunreached++] = i;
}

/* ---- derivative causality ------------------------------------------------------------------ */

/* Entries with random numbers for the parameters. */
static void set_generic(fmpq_mat_t m, slong i, slong j, const jn_analysis *a, jn_ratfun v)
{
    jn_ratfun number;
    if (jn_ratfun_put(&number, a->field, v, a->generic, a->s) == JN_OK)
        jn_ratfun_get_fmpq(fmpq_mat_entry(m, i, j), a->field, number);
}

/* The states that stay integral; extra rows below those of storages and resistors. */
static int stay_integral(const jn_mode *q, const jn_analysis *a, const jn_onoff *m,
                         const jn_outputs *o)
{
    const jn_junction *j = a->implicit->junction;
    const jn_graph *g = a->graph;
    int extra = o ? o->n : g->nsources, nrows = g->nstorages + g->nresistors + extra, states = 0;
    fmpq_mat_t S;
    fmpq_mat_init(S, nrows, g->nstorages);
    for (int c = 0; c < g->nstorages; c++) {
        if (!q->integral[c])
            continue;
        int column = jni_structure_row(j, q, g->storage[c]);
        for (int i = 0; i < g->nstorages; i++)
            if (q->integral[i])
                set_generic(S, i, states, a,
                            jni_structure_at(j, m, jni_structure_row(j, q, g->storage[i]), column));
        for (int i = 0; i < g->nresistors; i++)
            set_generic(S, g->nstorages + i, states, a,
                        jni_structure_at(j, m, jni_structure_row(j, q, g->resistor[i]), column));
        for (int i = 0; i < extra; i++)
            set_generic(S, g->nstorages + g->nresistors + i, states, a,
                        o ? o->z[i * g->nstorages + c]
                          : jni_structure_at(j, m, column, j->nrows + i));
        states++;
    }
    slong rank = fmpq_mat_rref(S, S);
    fmpq_mat_clear(S);
    return states - (int)rank;
}

/* ---- both ---------------------------------------------------------------------------------- */

static void conclude(jn_structural *s)
{
    s->holds = s->nunreached == 0 && s->nintegral == 0 ? JN_YES : JN_NO;
}

void jni_structural_of(jn_mode_analysis *m, const jn_analysis *a, const jn_onoff *onoff,
                       const jn_outputs *o)
{
    const jn_mode *q = &m->equation;
    m->control.holds = m->observe.holds = JN_UNKNOWN;
    if (a->nfed) /* signals are no causal paths */
        return;
    bool *reached = jn_alloc((size_t)q->n * sizeof *reached);
    for (int i = 0; i < q->n * q->ninputs; i++)
        if (!jn_ratfun_is_zero(q->B[i]))
            reached[i / q->ninputs] = true;
    spread(reached, q, true);
    note_unreached(&m->control, q, reached);
    m->control.nintegral = stay_integral(q, a, onoff, NULL);
    conclude(&m->control);
    if (o->n > 0) {
        int nr = a->graph->nresistors, width = q->n + nr;
        bool *resistor = jn_alloc((size_t)nr * sizeof *resistor);
        for (int i = 0; i < q->n; i++)
            reached[i] = false;
        for (int i = 0; i < o->n * width; i++)
            if (o->reads[i] && i % width < q->n)
                reached[i % width] = true;
            else if (o->reads[i])
                resistor[i % width - q->n] = true;
        read_resistors(reached, resistor, q, a, onoff);
        free(resistor);
        spread(reached, q, false);
        note_unreached(&m->observe, q, reached);
        m->observe.nintegral = stay_integral(q, a, onoff, o);
        conclude(&m->observe);
    }
    free(reached);
}
