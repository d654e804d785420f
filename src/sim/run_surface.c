/* run_surface.c: what is compared with what.
 *
 * A comparison changes where its sides meet, on a surface g = 0. However it is written, one surface
 * is one: x > y, y < x, x − y > 0. What is linear in the observables is known by its form, anything else
 * by its two sides. Only surfaces are found that can make something happen: those of transitions, of
 * branches and steps, of claims; and the kinks of what is compared there. */
#include <stdlib.h>
#include <string.h>

#include "run.h"

static void push(int_list *list, int number)
{
    JN_GROW(list->item, list->n, list->cap);
    list->item[list->n++] = number;
}

static void push_once(int_list *list, int number)
{
    for (int i = 0; i < list->n; i++)
        if (list->item[i] == number)
            return;
    push(list, number);
}

/* ---- surfaces ------------------------------------------------------------------------------ */

/* left − right as a linear form, where it is one. An absolute value counts with the given sign. */
static bool difference(linear_form *f, model *m, const jn_expr *e, int sign)
{
    linear_form right;
    const jn_expr *side[2] = {e->arg[0], e->arg[1]};
    for (int i = 0; i < 2; i++)
        if (side[i]->op == JN_X_ABS)
            side[i] = side[i]->arg[0];
    if (!jni_form_of(f, m, side[0]))
        return false;
    if (!jni_form_of(&right, m, side[1])) {
        jni_form_clear(f);
        return false;
    }
    linear_form *turned = e->arg[0]->op == JN_X_ABS ? f : e->arg[1]->op == JN_X_ABS ? &right : NULL;
    for (int i = 0; turned && i < turned->n; i++)
        turned->term[i].c *= sign;
    if (turned) {
        turned->c0 *= sign;
        turned->ct *= sign;
    }
    jni_form_add(f, -1, &right);
    jni_form_clear(&right);
    int n = 0;
    for (int i = 0; i < f->n; i++)
        if (f->term[i].c != 0)
            f->term[n++] = f->term[i];
    f->n = n;
    return true;
}

static bool is_multiple(double a, double b, double ratio)
{
    return fabs(a - ratio * b) <= 4 * DBL_EPSILON * fabs(a);
}

/* The sign of f/g where it is a number; 0: it is none. */
static int same_surface(const linear_form *f, const linear_form *g)
{
    if (f->n != g->n || !f->n)
        return 0;
    double ratio = f->term[0].c / g->term[0].c;
    if (!is_multiple(f->c0, g->c0, ratio) || !is_multiple(f->ct, g->ct, ratio))
        return 0;
    for (int i = 0; i < f->n; i++)
        if (f->term[i].obs != g->term[i].obs || !is_multiple(f->term[i].c, g->term[i].c, ratio))
            return 0;
    return ratio > 0 ? 1 : -1;
}

/* The same sides, perhaps the other way round. */
static int same_sides(const jn_expr *a, const jn_expr *b)
{
    if (jn_expr_same(a->arg[0], b->arg[0]) && jn_expr_same(a->arg[1], b->arg[1]))
        return 1;
    return jn_expr_same(a->arg[0], b->arg[1]) && jn_expr_same(a->arg[1], b->arg[0]) ? -1 : 0;
}

static bool reads_instant(const model *m, const jn_expr *e)
{
    return jni_mentions(m, e, JN_X_IMPULSE) || jni_mentions(m, e, JN_X_WITHIN);
}

static bool reads_past(const model *m, const jn_expr *e)
{
    return jni_mentions(m, e, JN_X_PRIOR) || reads_instant(m, e);
}

static bool is_moving(const jn_sim *s, const linear_form *f)
{
    return f->n && f->term[0].obs < jni_obs_count(&s->model);
}

/* Finds the surface, or adds it; *sign: how the comparison lies on it. Takes over the form. */
static int find_surface(jn_sim *s, surface *g, int *sign)
{
    watch *w = &s->watch;
    for (int i = 0; i < w->nsurfaces; i++) {
        const surface *old = &w->surface[i];
        if (old->kind != g->kind || g->kind == SURFACE_TIME)
            continue;
        *sign = g->kind == SURFACE_LINEAR ? same_surface(&g->shape, &old->shape)
                                          : same_sides(g->e, old->e);
        if (*sign) {
            jni_form_clear(&g->form);
            jni_form_clear(&g->shape);
            return i;
        }
    }
    *sign = 1;
    JN_GROW(w->surface, w->nsurfaces, w->cap_surfaces);
    w->surface[w->nsurfaces] = *g;
    w->has.time |= g->kind == SURFACE_TIME;
    return w->nsurfaces++;
}

static int surface_of(jn_sim *s, const jn_expr *e, int half, int *sign)
{
    surface g = {
        .e = e, .crossed_at = -1, .noted_at = -1, .reads_model = jni_reads_model(&s->model, e)};
    bool both = e->arg[0]->op == JN_X_ABS && e->arg[1]->op == JN_X_ABS;
    if (reads_instant(&s->model, e))
        g.kind = SURFACE_INSTANT;
    else if (!both && difference(&g.form, &s->model, e, half))
        g.kind = is_moving(s, &g.form) ? SURFACE_LINEAR : SURFACE_TIME;
    else
        g.kind = SURFACE_SAMPLED;
    if (g.kind == SURFACE_LINEAR)
        jni_form_reduce(&g.shape, &s->model, &g.form);
    return find_surface(s, &g, sign);
}

/* How the difference of two sides, or of one and 0, lies on a surface: 1, −1; 0: it does not. */
int jni_surface_lies(jn_sim *s, int number, const jn_expr *left, const jn_expr *right)
{
    const surface *g = &s->watch.surface[number];
    const jn_expr zero = {.op = JN_X_NUMBER, .size = 1, .depth = 1};
    const jn_expr *arg[] = {left, right ? right : &zero};
    const jn_expr e = {.op = JN_X_GT, .nargs = 2, .arg = arg};
    linear_form f, shape = {0};
    if (g->kind != SURFACE_LINEAR)
        return g->kind == SURFACE_SAMPLED ? same_sides(&e, g->e) : 0;
    if (!difference(&f, &s->model, &e, 1))
        return 0;
    jni_form_reduce(&shape, &s->model, &f);
    int sign = same_surface(&shape, &g->shape);
    jni_form_clear(&f);
    jni_form_clear(&shape);
    return sign;
}

/* ---- comparisons --------------------------------------------------------------------------- */

static size_t slot_of(const watch *w, const jn_expr *e)
{
    size_t slot = ((size_t)e >> 4) & (size_t)(w->nslots - 1);
    while (w->slot[slot] && w->comparison[w->slot[slot] - 1].e != e)
        slot = (slot + 1) & (size_t)(w->nslots - 1);
    return slot;
}

const comparison *jni_watched(const jn_sim *s, const jn_expr *e)
{
    const watch *w = &s->watch;
    int i = w->nslots ? w->slot[slot_of(w, e)] : 0;
    return i ? &w->comparison[i - 1] : NULL;
}

static void index_comparisons(watch *w)
{
    if (2 * (w->ncomparisons + 1) > w->nslots) {
        w->nslots = w->nslots ? 2 * w->nslots : 32;
        free(w->slot);
        w->slot = jn_alloc((size_t)w->nslots * sizeof *w->slot);
        for (int i = 0; i < w->ncomparisons; i++)
            w->slot[slot_of(w, w->comparison[i].e)] = i + 1;
    }
}

static const comparison *add_comparison(jn_sim *s, const jn_expr *e)
{
    watch *w = &s->watch;
    const comparison *known = jni_watched(s, e);
    if (known)
        return known;
    comparison c = {.e = e, .other = -1};
    bool absolute = (e->arg[0]->op == JN_X_ABS) != (e->arg[1]->op == JN_X_ABS);
    c.reads_past = reads_past(&s->model, e);
    c.surface = surface_of(s, e, 1, &c.sign);
    if (absolute && w->surface[c.surface].kind <= SURFACE_LINEAR)
        c.other = surface_of(s, e, -1, &c.other_sign);
    index_comparisons(w);
    JN_GROW(w->comparison, w->ncomparisons, w->cap_comparisons);
    w->comparison[w->ncomparisons++] = c;
    w->slot[slot_of(w, e)] = w->ncomparisons;
    return &w->comparison[w->ncomparisons - 1];
}

/* The comparisons in a condition. Those inside an `if` of a value are part of a sampled one. */
static void watch_condition(int_list *list, jn_sim *s, const jn_expr *e)
{
    if (e->op >= JN_X_LT && e->op <= JN_X_GT) {
        const comparison *c = add_comparison(s, e);
        push_once(list, c->surface);
        if (c->other >= 0)
            push_once(list, c->other);
        return;
    }
    for (int i = 0; i < e->nargs; i++)
        watch_condition(list, s, e->arg[i]);
}

/* ---- all of a model ------------------------------------------------------------------------ */

/* The branches in what is compared on a surface. */
static void list_kinks(int_list *list, const jn_sim *s, const jn_expr *e)
{
    int k = jni_is_branching(e->op) ? jni_branch_of(s->watch.kinks, e) : -1;
    if (k >= 0)
        push_once(list, k);
    if (e->op == JN_X_SIGNAL)
        list_kinks(list, s, s->model.g->signal[e->index].expr);
    for (int i = 0; i < e->nargs && e->op != JN_X_INT; i++)
        list_kinks(list, s, e->arg[i]);
}

/* Kinks have surfaces of their own, which may have kinks. */
static void find_kinks(jn_sim *s)
{
    watch *w = &s->watch;
    w->kinks = jni_branches_new(&s->model);
    for (int i = 0; i < w->nsurfaces; i++) {
        int_list kinks = {0}, inner = {0};
        const jn_expr *e = w->surface[i].e;
        jni_branches_collect(w->kinks, e);
        list_kinks(&kinks, s, e);
        for (int k = 0; k < kinks.n; k++)
            watch_condition(&inner, s, jni_branch_condition(w->kinks, kinks.item[k]));
        w->surface[i].kinks = kinks;
        w->surface[i].inner = inner;
    }
}

static void watch_automaton(jn_sim *s, int number)
{
    const jn_automaton *a = &s->model.g->automaton[number];
    watch *w = &s->watch;
    w->of_state[number] = jn_alloc((size_t)a->nstates * sizeof **w->of_state);
    w->past[number] = jn_alloc((size_t)a->ntransitions * sizeof **w->past);
    for (int k = 0; k < a->ntransitions; k++) {
        const jn_expr *when = a->transition[k].when;
        int_list *list = &w->of_state[number][a->transition[k].from];
        watch_condition(list, s, when);
        for (int i = 0; i < list->n; i++)
            w->has.sampled |= w->surface[list->item[i]].kind == SURFACE_SAMPLED;
        w->has.within |= jni_mentions(&s->model, when, JN_X_WITHIN);
        w->past[number][k] = jni_reads_only_past(&s->model, when) ? READS_ONLY_PAST
                             : reads_past(&s->model, when)        ? READS_PAST
                                                                  : READS_NO_PAST;
        w->has.past |= w->past[number][k] != READS_NO_PAST;
    }
}

/* Those that jump on one comparison, on one surface. */
static void lead(jn_sim *s, const surface *g)
{
    int leader = -1, first = 0;
    for (int i = 0; i < g->turns.n; i++) {
        const jn_expr *e = jni_branch_condition(s->branches, g->turns.item[i]);
        const comparison *c = jni_watched(s, e);
        if (!c || c->other >= 0 || !jni_branch_is_simple(s->branches, g->turns.item[i]))
            continue;
        int side = (e->op == JN_X_GT || e->op == JN_X_GE ? 1 : -1) * c->sign;
        if (leader < 0) {
            leader = g->turns.item[i];
            first = side;
        }
        jni_branch_follow(s->branches, g->turns.item[i], leader, side != first);
    }
}

/* Branches and steps; each surface knows which. */
static void watch_branches(jn_sim *s)
{
    watch *w = &s->watch;
    for (int i = 0; i < jni_branches_count(s->branches); i++) {
        int_list on = {0};
        watch_condition(&on, s, jni_branch_condition(s->branches, i));
        for (int k = 0; k < on.n; k++) {
            push_once(&w->of_branches, on.item[k]);
            push(&w->surface[on.item[k]].turns, i);
        }
        free(on.item);
    }
    for (int g = 0; g < w->nsurfaces; g++)
        lead(s, &w->surface[g]);
    for (int i = 0; i < s->model.steps.n; i++) {
        int_list ends = {0};
        watch_condition(&ends, s, s->model.steps.item[i].reaches_next);
        watch_condition(&ends, s, s->model.steps.item[i].reaches_own);
        for (int k = 0; k < ends.n; k++) {
            push_once(&w->of_branches, ends.item[k]);
            w->surface[ends.item[k]].bounds_step = true;
        }
        free(ends.item);
    }
}

/* ---- what matters now ---------------------------------------------------------------------- */

bool jni_branch_matters_in(const jn_sim *s, const mode *m, int branch)
{
    int law = jni_branch_law(s->branches, branch);
    branch_place where = jni_branch_place(s->branches, branch);
    if (law < 0)
        return true;
    if (where >= BRANCH_OF_PIECES)
        return jni_flat_by_pieces(s, m, law) == (where == BRANCH_OF_INVERSE);
    return !jni_mode_inverts(m, &s->model, law);
}

bool jni_branch_matters(const jn_sim *s, int branch)
{
    int law = jni_branch_law(s->branches, branch);
    if (law < 0 || !s->now.m)
        return true;
    if (jni_branch_is_seamless(s->branches, branch))
        return false;
    return s->slide ? jni_slide_reads(s->slide, branch)
                    : jni_branch_matters_in(s, s->now.m, branch);
}

bool jni_turns_matter(const jn_sim *s, const surface *g)
{
    for (int i = 0; i < g->turns.n; i++)
        if (jni_branch_matters(s, g->turns.item[i]))
            return true;
    return g->bounds_step;
}

void jni_watch_init(jn_sim *s)
{
    const jn_graph *g = s->model.g;
    watch *w = &s->watch;
    w->of_state = jn_alloc((size_t)g->nswitches * sizeof *w->of_state);
    w->past = jn_alloc((size_t)g->nswitches * sizeof *w->past);
    for (int i = 0; i < g->nswitches; i++)
        watch_automaton(s, i);
    watch_branches(s);
    for (int i = 0; i < g->nasserts; i++)
        watch_condition(&w->of_asserts, s, g->assertion[i].condition);
    find_kinks(s);
    w->crossed = jn_alloc((size_t)w->nsurfaces * sizeof *w->crossed);
    w->is_read = jn_alloc(2 * (size_t)s->model.g->nbonds * sizeof *w->is_read);
    w->due = jn_alloc((size_t)(w->nsurfaces + 1) * sizeof *w->due);
    jni_tallies_find(s);
}

void jni_watch_clear(jn_sim *s)
{
    watch *w = &s->watch;
    free(w->is_tally);
    free(w->is_read);
    for (int i = 0; i < s->model.g->nswitches && w->of_state; i++) {
        for (int k = 0; k < s->model.g->automaton[i].nstates; k++)
            free(w->of_state[i][k].item);
        free(w->of_state[i]);
        free(w->past[i]);
    }
    free(w->of_state);
    free(w->past);
    free(w->of_branches.item);
    free(w->of_asserts.item);
    for (int i = 0; i < w->nsurfaces; i++) {
        jni_form_clear(&w->surface[i].form);
        jni_form_clear(&w->surface[i].shape);
        free(w->surface[i].turns.item);
        free(w->surface[i].kinks.item);
        free(w->surface[i].inner.item);
    }
    jni_branches_free(w->kinks);
    free(w->surface);
    free(w->comparison);
    free(w->slot);
    free(w->crossed);
    free(w->due);
    for (int i = 0; i < WATCH_LISTS; i++) {
        free(w->list[i].state);
        free(w->list[i].surfaces.item);
        free(w->list[i].sole.item);
    }
    *w = (watch){0};
}
