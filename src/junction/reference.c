/* reference.c: what resistors want, without the structure of all modes where that can be.
 *
 * Where a resistor may have either causality, it has that of the reference mode, which is a matter
 * of all modes: of those allowed the one with the most storages in integral causality, then with
 * the most switches ON, then the greatest. Mostly it does not matter: in the mode that is asked for
 * every resistor has its causality whether its flow or its effort comes first. Otherwise the modes
 * are tried from all ON downwards, and the first that is allowed and has all storages in integral
 * causality is the reference. If it does not show soon, the structure of all modes has to tell. */
#include <stdlib.h>
#include <string.h>

#include "solved_internal.h"

enum { MODES_TRIED = 1000 };

static jn_status solve(jn_solved **out, const jn_graph *g, bool numeric, const bool *effort_first,
                       const jn_onoff *m, jn_diags *d)
{
    jn_solver *k;
    jn_solver_options o = {.numeric = numeric, .effort_first = effort_first};
    jn_status s = jn_solver_new(&k, g, &o, d);
    *out = NULL;
    if (s == JN_OK)
        s = jn_solver_mode(out, k, m);
    jn_solver_free(k);
    return s;
}

/* ---- no choice ----------------------------------------------------------------------------- */

static bool same_resistors(const jn_graph *g, const jn_solved *a, const jn_solved *b)
{
    for (int i = 0; i < g->nresistors; i++)
        if (a->gives_effort[g->resistor[i]] != b->gives_effort[g->resistor[i]])
            return false;
    return true;
}

/* In their order, each is the first that could differ: so if none does, none has a choice. */
static jn_status choice_matters(bool *matters, const jn_graph *g, bool numeric, const jn_onoff *m,
                                jn_diags *d)
{
    jn_solved *flow = NULL, *effort = NULL;
    bool *all = jn_alloc((size_t)g->nresistors * sizeof *all);
    memset(all, true, (size_t)g->nresistors * sizeof *all);
    jn_status s = solve(&flow, g, numeric, NULL, m, d);
    if (s == JN_OK)
        s = solve(&effort, g, numeric, all, m, d);
    *matters = s == JN_OK && !same_resistors(g, flow, effort);
    jn_solved_free(flow);
    jn_solved_free(effort);
    free(all);
    return s;
}

/* ---- the reference mode -------------------------------------------------------------------- */

static bool is_best(const jn_graph *g, const jn_solved *m)
{
    for (int i = 0; i < g->nstorages; i++) {
        jn_kind kind = g->element[g->storage[i]].kind;
        if (m->gives_effort[g->storage[i]] != jni_wants_effort(kind))
            return false;
    }
    return !m->forbidden;
}

/* The next mode with as many OFF, else the greatest with one more. off[0] < off[1] < … are the
 * switches that are OFF: the greatest mode has them last. False: there is none. */
static bool advance(int *off, int *noff, int n)
{
    int i = *noff - 1;
    while (i >= 0 && off[i] == (i > 0 ? off[i - 1] + 1 : 0))
        i--;
    if (i >= 0)
        off[i++]--;
    else if ((*noff)++ < n)
        i = 0;
    else
        return false;
    for (; i < *noff; i++)
        off[i] = n - *noff + i;
    return true;
}

/* The causality of the resistors in the reference mode, if it is soon found. */
static bool search(bool *effort_first, const jn_graph *g, jn_solver *k)
{
    int n = g->nswitches, noff = 0;
    int *off = jn_alloc((size_t)n * sizeof *off);
    jn_onoff *m = jn_alloc((size_t)n * sizeof *m);
    bool found = false, more = true;
    for (int i = 0; i < MODES_TRIED && more && !found; i++) {
        jn_solved *r;
        memset(m, 1, (size_t)n * sizeof *m);
        for (int x = 0; x < noff; x++)
            m[off[x]] = 0;
        if (jn_solver_mode(&r, k, m) != JN_OK)
            break;
        found = is_best(g, r);
        for (int x = 0; x < g->nresistors && found; x++)
            effort_first[x] = r->gives_effort[g->resistor[x]];
        jn_solved_free(r);
        more = advance(off, &noff, n);
    }
    free(off);
    free(m);
    return found;
}

/* From the structure of all modes; what it has to say is not asked for, but why it failed. */
static jn_status ask_all_modes(bool *effort_first, const jn_graph *g,
                               const jn_junction_options *options, jn_diags *d)
{
    jn_junction *j;
    jn_diags *unsaid = jn_diags_new();
    jn_junction_options all = {.numeric = options->numeric, .limits = options->limits};
    jn_status s = jn_junction_build_with(&j, g, &all, unsaid);
    for (int i = 0; s != JN_OK && i < jn_diags_count(unsaid); i++)
        if (jn_diags_get(unsaid, i)->severity == JN_ERROR)
            jn_diag_copy(d, jn_diags_get(unsaid, i));
    for (int i = 0; s == JN_OK && i < g->nresistors; i++)
        effort_first[i] = !jn_guard_at(j->ring.guards, j->resistance[i], j->reference);
    jn_junction_free(j);
    jn_diags_free(unsaid);
    return s;
}

jn_status jni_reference_resistors(bool **effort_first, const jn_graph *g,
                                  const jn_junction_options *options, const jn_onoff *m,
                                  jn_diags *d)
{
    bool matters = false, numeric = options->numeric;
    jn_status s = JN_OK;
    *effort_first = NULL;
    if (g->nswitches > 0 && g->nresistors > 0)
        s = choice_matters(&matters, g, numeric, m, d);
    if (s != JN_OK || !matters)
        return s;
    jn_solver *k;
    jn_solver_options o = {.numeric = numeric};
    *effort_first = jn_alloc((size_t)g->nresistors * sizeof **effort_first);
    s = jn_solver_new(&k, g, &o, d);
    if (s == JN_OK && !search(*effort_first, g, k))
        s = ask_all_modes(*effort_first, g, options, d);
    jn_solver_free(k);
    return s;
}
