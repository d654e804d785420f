/* solved.c: the junction structure of one mode, by a plain elimination.
 *
 * The rules are those of junction.c, in one mode at a time: the laws are rows over all bond
 * variables, internal bonds go first, then every port pivots on the variable it wants as the
 * junction structure's output, or else on the conjugate. Without guards this costs nearly in
 * proportion to the size of the model; what it cannot tell is anything about other modes.
 *
 * Most of a model is the same in all modes. Rows of junctions that no switch controls are written
 * once, and the internal columns that stand in no other row are eliminated once: in a mode only
 * what is near its switches, and the ports, are left to do.
 *
 * Where many modes follow each other even that is not done anew: see tableau.c.
 *
 * The result is a list of steps. The ports come first, solved for in terms of their inputs alone.
 * Internal columns follow in the reverse order of their elimination, for a pivot refers to columns
 * that were still there when it was found: those that went later, and the ports. */
#include <stdlib.h>
#include <string.h>

#include "solved_internal.h"

/* ---- what no switch changes ---------------------------------------------------------------- */

static bool is_two_port(jn_kind kind)
{
    return kind == JN_TF || kind == JN_GY;
}

static bool is_shorted(const jn_solver *k, int element)
{
    return k->shorted && k->shorted[element];
}

static bool is_switched(const jn_solver *k, int element)
{
    return is_shorted(k, element) || jn_kind_is_switch(k->g->element[element].kind) ||
           (is_two_port(k->g->element[element].kind) &&
            (k->g->element[element].ncases > 0 || (k->switched && k->switched[element])));
}

static bool has_switched_ratios(const jn_solver *k)
{
    for (int i = 0; i < k->g->nelements; i++)
        if (is_two_port(k->g->element[i].kind) && is_switched(k, i))
            return true;
    return false;
}

static bool *copy_flags(const bool *from, int n)
{
    if (!from)
        return NULL;
    bool *to = jn_alloc((size_t)n * sizeof *to);
    memcpy(to, from, (size_t)n * sizeof *to);
    return to;
}

/* With numbers, those of modulated elements are 0 at worst; without, all are as they are given. */
static void read_values(jn_solver *k)
{
    const jn_graph *g = k->g;
    k->values = jn_alloc((size_t)g->nparams * sizeof *k->values);
    for (int i = 0; i < g->nparams; i++) {
        int element = g->param[i].element;
        bool modulated = element >= 0 && g->element[element].modulated;
        k->values[i] = !k->o.numeric ? g->param_value[i]
                       : modulated   ? JN_RATFUN_ZERO
                                     : (jn_ratfun){-1};
    }
    k->vanishing = jn_vanishing_new(g->field, k->values, g->nparams);
}

static jn_status number_of_ratio(jn_solver *k, int element)
{
    const jn_graph *g = k->g;
    const jn_element *x = &g->element[element];
    jn_status s = jn_graph_number(&k->ratio[element], g, element);
    for (int i = 0; i < x->ncases && s == JN_OK; i++) {
        jn_ratfun r;
        s = jn_ratfun_put(&r, g->field, x->cases[i].value, g->param_value, g->nparams);
    }
    return s;
}

static jn_status read_ratios(jn_solver *k, jn_diags *d)
{
    const jn_graph *g = k->g;
    jn_status s = JN_OK;
    k->ratio = jn_alloc((size_t)g->nelements * sizeof *k->ratio);
    for (int i = 0; i < g->nelements && s == JN_OK; i++) {
        const jn_element *x = &g->element[i];
        if (!is_two_port(x->kind))
            continue;
        k->ratio[i] = x->value;
        if (k->o.numeric)
            s = jn_graph_report_number(number_of_ratio(k, i), g, i, d);
    }
    return s;
}

/* That its numbers do not divide by zero has been checked. */
static jn_ratfun case_in(const jn_solver *k, int element, const jn_onoff *m)
{
    const jn_graph *g = k->g;
    jn_ratfun r = jn_graph_value_in(g, jn_graph_value(g, element), m), number;
    if (k->o.numeric && jn_ratfun_put(&number, g->field, r, g->param_value, g->nparams) == JN_OK)
        r = number;
    return r;
}

/* What the caller knows of a value; id < 0: nothing. */
static jn_ratfun told(const jn_solver *k, int element, const jn_onoff *m)
{
    return k->o.value ? k->o.value(k->o.ctx, element, m) : (jn_ratfun){-1};
}

static bool is_zero_in(const jn_solver *k, int element, const jn_onoff *m)
{
    const jn_element *x = &k->g->element[element];
    if (x->ncases || x->multiport)
        return jni_shorted_in(k->g, element, k->o.numeric, m);
    jn_ratfun r = told(k, element, m);
    return r.id >= 0 && jn_ratfun_is_zero(r);
}

static jn_ratfun ratio_in(const jn_solver *k, int element, const jn_onoff *m)
{
    if (is_two_port(k->g->element[element].kind)) {
        jn_ratfun r = told(k, element, m);
        if (r.id >= 0)
            return r;
    }
    return k->g->element[element].ncases ? case_in(k, element, m) : k->ratio[element];
}

static bool has_own_columns(const jn_solver *k, const port *p)
{
    return p->effort >= 2 * k->g->nbonds;
}

/* What is the same in all modes is asked for in one of them; with gates that is everything. */
static void write_fixed(jn_solver *k)
{
    for (int i = 0; i < k->ngates;)
        i += jni_solver_write_gates(k, k->fixed, &k->gate[i]);
    jn_onoff *off = jn_alloc((size_t)k->g->nswitches * sizeof *off);
    for (int i = 0; i < k->g->nelements; i++)
        if (!is_switched(k, i))
            jni_solver_write_law(k, k->fixed, i, true, ratio_in(k, i, off));
    for (int i = 0; i < k->c.nports; i++)
        if (has_own_columns(k, &k->c.port[i]) && !is_shorted(k, k->c.port[i].element))
            jni_solver_write_own(k, k->fixed, &k->c.port[i], false);
    free(off);
}

/* Internal columns, divided into those that stand in fixed rows only and the others. */
static int list_internal(jn_solver *k, int *fixed)
{
    int n = 0;
    for (int b = 0; b < k->g->nbonds; b++) {
        if (k->c.port_at[effort_col(b)] >= 0)
            continue;
        bool varies = !k->ngates &&
                      (is_switched(k, k->g->bond[b].tail) || is_switched(k, k->g->bond[b].head));
        for (int c = effort_col(b); c <= flow_col(b); c++)
            *(varies ? &k->varied[k->nvaried++] : &fixed[n++]) = c;
    }
    return n;
}

static void solve_fixed(jn_solver *k)
{
    int *fixed = jn_alloc((size_t)k->c.ncols * sizeof *fixed);
    bool *solved = jn_alloc((size_t)k->c.ncols * sizeof *solved);
    k->varied = jn_alloc((size_t)k->c.ncols * sizeof *k->varied);
    k->solved = jn_alloc((size_t)k->c.ncols * sizeof *k->solved);
    int n = list_internal(k, fixed);
    jn_plain_solve_all(k->fixed, fixed, n, true, solved);
    for (int i = 0; i < n; i++)
        if (!solved[i])
            k->varied[k->nvaried++] = fixed[i];
    free(fixed);
    free(solved);
}

/* ---- steps --------------------------------------------------------------------------------- */

static int count_terms(const jn_plain *p, int from, int to)
{
    int n = 0, row;
    for (int i = from; i < to; i++) {
        jn_plain_pivot(p, i, &row);
        n += jn_plain_entries(p, row) - 1;
    }
    return n;
}

/* x_col = −Σ of the rest of its pivot row. */
static void write_step(jn_step *step, jn_term *term, int *nterms, const jn_plain *p, int pivot,
                       jn_field *field)
{
    int row;
    step->col = jn_plain_pivot(p, pivot, &row);
    step->first = *nterms;
    for (int i = 0; i < jn_plain_entries(p, row); i++) {
        jn_term t = jn_plain_entry(p, row, i);
        if (t.col != step->col)
            term[(*nterms)++] = (jn_term){t.col, jn_ratfun_neg(field, t.c)};
    }
    step->end = *nterms;
}

static void write_fixed_steps(jn_solver *k)
{
    int n = jn_plain_pivots(k->fixed);
    k->step = jn_alloc((size_t)n * sizeof *k->step);
    k->term = jn_alloc((size_t)count_terms(k->fixed, 0, n) * sizeof *k->term);
    for (int i = n - 1; i >= 0; i--)
        write_step(&k->step[k->nsteps++], k->term, &k->nterms, k->fixed, i, k->g->field);
}

/* The steps that all modes have come last. */
static void write_common_steps(jn_solved *out, const jn_solver *k)
{
    for (int i = 0; i < k->nsteps; i++) {
        const jn_step *s = &k->step[i];
        out->step[out->nsteps++] = (jn_step){s->col, s->first + out->nterms, s->end + out->nterms};
    }
    if (k->nterms)
        memcpy(out->term + out->nterms, k->term, (size_t)k->nterms * sizeof *k->term);
    out->nterms += k->nterms;
}

static void write_steps(jn_solved *out, const jn_solver *k, int first_port)
{
    const jn_plain *p = k->work;
    int first = k->nsteps, n = jn_plain_pivots(p);
    out->step = jn_alloc((size_t)n * sizeof *out->step);
    out->term = jn_alloc((size_t)(count_terms(p, first, n) + k->nterms) * sizeof *out->term);
    for (int i = first_port; i < n; i++)
        write_step(&out->step[out->nsteps++], out->term, &out->nterms, p, i, k->g->field);
    for (int i = first_port - 1; i >= first; i--)
        write_step(&out->step[out->nsteps++], out->term, &out->nterms, p, i, k->g->field);
}

/* ---- one mode ------------------------------------------------------------------------------ */

static void write_mode(jn_solver *k, const jn_onoff *m)
{
    const jn_graph *g = k->g;
    jn_plain_copy(k->work, k->fixed);
    for (int i = 0; i < g->nswitches; i++)
        jni_solver_write_law(k, k->work, g->sw[i], m[i], JN_RATFUN_ZERO);
    for (int i = 0; k->has_switched && i < g->nelements; i++)
        if (is_switched(k, i) && is_two_port(g->element[i].kind))
            jni_solver_write_law(k, k->work, i, true, ratio_in(k, i, m));
    for (int i = 0; k->shorted && i < k->c.nports; i++)
        if (is_shorted(k, k->c.port[i].element))
            jni_solver_write_own(k, k->work, &k->c.port[i], is_zero_in(k, k->c.port[i].element, m));
}

static bool is_late(const jn_solver *k, const jn_element *x)
{
    return k->late && k->late[x->number];
}

bool jni_solver_wants_effort(const jn_solver *k, int element)
{
    const jn_element *x = &k->g->element[element];
    if (x->kind == JN_R)
        return k->effort_first && k->effort_first[x->number];
    return jni_wants_effort(x->kind);
}

void jni_solved_note_port(jn_solved *out, const jn_solver *k, int element, bool effort)
{
    const jn_element *x = &k->g->element[element];
    out->gives_effort[element] = effort;
    if (jn_kind_is_source(x->kind) && !is_late(k, x))
        out->forbidden |= effort != jni_wants_effort(x->kind);
}

static jn_status serve(jn_solved *out, jn_solver *k, const port *p)
{
    bool effort = jni_solver_wants_effort(k, p->element);
    if (!jn_plain_solve(k->work, effort ? p->effort : p->flow, true)) {
        effort = !effort;
        if (!jn_plain_solve(k->work, effort ? p->effort : p->flow, true))
            return JN_BUG;
    }
    jni_solved_note_port(out, k, p->element, effort);
    return JN_OK;
}

static int by_column(const void *a, const void *b)
{
    return ((const jn_term *)a)->col - ((const jn_term *)b)->col;
}

/* Why a mode is forbidden: a step that gives what a source imposes. */
static void note_reason(jn_solved *out, const jn_solver *k, const jn_step *s)
{
    jn_reason r = {jn_guard_true(), k->c.port[k->c.port_at[s->col]].element, 0, NULL};
    int n = s->end - s->first;
    qsort(out->term + s->first, (size_t)n, sizeof *out->term, by_column);
    r.term = jn_alloc((size_t)n * sizeof *r.term);
    for (int i = s->first; i < s->end; i++)
        r.term[r.nterms++] = (struct jn_reason_term){
            k->c.port[k->c.port_at[out->term[i].col]].element, out->term[i].c};
    out->reason = jn_realloc(out->reason, (size_t)(out->nreasons + 1) * sizeof *out->reason);
    out->reason[out->nreasons++] = r;
}

static void find_reasons(jn_solved *out, const jn_solver *k)
{
    for (int i = 0; out->forbidden && i < k->c.nports; i++) {
        const port *p = &k->c.port[k->c.port_at[out->step[i].col]];
        const jn_element *x = &k->g->element[p->element];
        if (jn_kind_is_source(x->kind) && !is_late(k, x) &&
            out->gives_effort[p->element] != jni_wants_effort(x->kind))
            note_reason(out, k, &out->step[i]);
    }
}

static jn_solved *new_result(const jn_solver *k, const jn_onoff *m)
{
    jn_solved *out = jn_alloc(sizeof *out);
    size_t n = (size_t)k->g->nswitches;
    out->graph = k->g;
    out->ncols = k->c.ncols;
    for (int i = 0; k->shorted && i < k->c.nports; i++) {
        int element = k->c.port[i].element;
        if (!is_shorted(k, element) || !is_zero_in(k, element, m))
            continue;
        if (!out->shorted)
            out->shorted = jn_alloc((size_t)k->g->nresistors * sizeof *out->shorted);
        out->shorted[out->nshorted++] = element;
    }
    out->flow_sign = k->c.flow_sign;
    out->port_effort = k->c.port_effort;
    out->port_flow = k->c.port_flow;
    out->mode = jn_alloc(n * sizeof *out->mode);
    if (n)
        memcpy(out->mode, m, n * sizeof *out->mode);
    out->gives_effort = jn_alloc((size_t)k->g->nelements * sizeof *out->gives_effort);
    out->is_free = jn_alloc((size_t)out->ncols * sizeof *out->is_free);
    return out;
}

static void note_vanishing(jn_solved *out, const jn_solver *k)
{
    const jn_ratfun *c;
    int n = k->o.numeric ? 0 : jn_plain_vanishing(&c, k->work);
    if (n == 0)
        return;
    out->nvanishing = n;
    out->vanishing = jn_alloc((size_t)n * sizeof *c);
    memcpy(out->vanishing, c, (size_t)n * sizeof *c);
}

/* The steps of a mode, but for those that all modes have in common. */
static jn_status eliminate(jn_solved *out, jn_solver *k, const jn_onoff *m)
{
    jn_status s = JN_OK;
    write_mode(k, m);
    jn_plain_solve_all(k->work, k->varied, k->nvaried, false, k->solved);
    for (int i = 0; i < k->nvaried; i++)
        out->is_free[k->varied[i]] = !k->solved[i];
    int first_port = jn_plain_pivots(k->work);
    for (int i = 0; i < k->c.nports && s == JN_OK; i++)
        s = serve(out, k, &k->c.port[i]);
    if (s == JN_OK)
        write_steps(out, k, first_port);
    return s;
}

jn_status jn_solver_mode(jn_solved **out, jn_solver *k, const jn_onoff *m)
{
    jn_solved *r = new_result(k, m);
    *out = NULL;
    jn_status s = k->tableau ? jni_tableau_mode(r, k->tableau, m) : eliminate(r, k, m);
    if (jn_field_failed(k->g->field))
        s = JN_UNABLE;
    if (s != JN_OK) {
        jn_solved_free(r);
        return s;
    }
    write_common_steps(r, k);
    find_reasons(r, k);
    note_vanishing(r, k);
    *out = r;
    return JN_OK;
}

void jn_solved_free(jn_solved *m)
{
    if (!m)
        return;
    for (int i = 0; i < m->nreasons; i++)
        free(m->reason[i].term);
    free(m->reason);
    free(m->mode);
    free(m->gives_effort);
    free(m->shorted);
    free(m->is_free);
    free(m->step);
    free(m->term);
    free(m->vanishing);
    free(m);
}

/* ---- the solver ---------------------------------------------------------------------------- */

/* Whether switches are all that tells one mode from another, and coefficients never vanish. */
static bool can_follow(const jn_solver *k)
{
    bool can = k->o.follow && k->o.numeric && !k->has_switched && !k->shorted && k->g->nswitches;
    for (int i = 0; i < k->g->nelements && can; i++)
        can = !is_two_port(k->g->element[i].kind) || !k->g->element[i].modulated;
    return can;
}

static void place_gates(jn_solver *k)
{
    const jn_graph *g = k->g;
    int most = 0, first = k->c.ncols;
    for (int i = 0; i < g->nswitches; i++)
        most += 1 + g->element[g->sw[i]].nbonds;
    k->gate = jn_alloc((size_t)most * sizeof *k->gate);
    for (int i = 0; i < g->nswitches; i++) /* some stand for themselves alone, without a junction */
        if (g->element[g->sw[i]].kind == JN_X0 || g->element[g->sw[i]].kind == JN_X1)
            k->ngates += jni_solver_make_gates(&k->gate[k->ngates], g, i, &k->c.ncols);
    k->c.port_at = jn_realloc(k->c.port_at, (size_t)k->c.ncols * sizeof *k->c.port_at);
    for (int c = first; c < k->c.ncols; c++)
        k->c.port_at[c] = -1;
}

static void prepare(jn_solver *k)
{
    if (can_follow(k))
        place_gates(k);
    k->fixed = jn_plain_new(k->g->field, k->c.ncols, k->vanishing);
    k->work = jn_plain_new(k->g->field, k->c.ncols, k->vanishing);
    write_fixed(k);
    solve_fixed(k);
    write_fixed_steps(k);
    if (k->ngates)
        k->tableau = jni_tableau_new(k);
}

jn_status jn_solver_new(jn_solver **out, const jn_graph *g, const jn_solver_options *options,
                        jn_diags *d)
{
    jn_solver *k = jn_alloc(sizeof *k);
    *out = NULL;
    k->g = g;
    if (options)
        k->o = *options;
    k->late = copy_flags(k->o.late, g->nsources);
    k->effort_first = copy_flags(k->o.effort_first, g->nresistors);
    k->switched = copy_flags(k->o.value ? k->o.switched : NULL, g->nelements);
    k->has_switched = has_switched_ratios(k);
    k->shorted = jni_shorted_somewhere(g, k->o.numeric, k->switched);
    jni_place_columns(&k->c, g, k->late, k->o.early, k->o.first, k->shorted);
    read_values(k);
    jn_status s = read_ratios(k, d);
    if (s == JN_OK)
        prepare(k);
    if (s == JN_OK && jn_field_failed(g->field)) {
        if (jn_interrupted())
            jn_diag_add(d, JN_D_INTERRUPTED, (jn_place){0}, JN_MODE_WAS);
        else
            jn_diag_add(d, JN_D_TERMS_LIMIT, (jn_place){0});
        s = JN_UNABLE;
    }
    bool again = s == JN_OK && k->ngates && !k->tableau;
    if (s == JN_OK && !again)
        *out = k;
    else
        jn_solver_free(k);
    if (!again)
        return s;
    jn_solver_options each = *options;
    each.follow = false;
    return jn_solver_new(out, g, &each, d);
}

jn_status jn_solver_of(jn_solver **out, const jn_junction *j, jn_diags *d)
{
    const jn_graph *g = j->graph;
    bool *effort_first = jn_alloc((size_t)g->nresistors * sizeof *effort_first);
    for (int i = 0; i < g->nresistors; i++)
        effort_first[i] = !jn_guard_at(j->ring.guards, j->resistance[i], j->reference);
    jn_solver_options o = {.numeric = j->numeric, .effort_first = effort_first};
    jn_status s = jn_solver_new(out, g, &o, d);
    free(effort_first);
    return s;
}

void jn_solver_free(jn_solver *k)
{
    if (!k)
        return;
    free(k->late);
    free(k->effort_first);
    free(k->switched);
    free(k->shorted);
    jni_columns_clear(&k->c);
    jni_tableau_free(k->tableau);
    free(k->gate);
    free(k->ratio);
    free(k->values);
    jn_vanishing_free(k->vanishing);
    jn_plain_free(k->fixed);
    jn_plain_free(k->work);
    free(k->varied);
    free(k->solved);
    free(k->step);
    free(k->term);
    free(k);
}
