/* mode_structure.c: the junction structures of the modes that were met.
 *
 * The steps of a mode depend on the graph, on the ratios of TF and GY, on which sources come late
 * and which resistors early; not on the values of storages, resistors and sources. So they outlive a restart of the run,
 * and copies of a run share them. */
#include "mode_structure.h"

#include <stdlib.h>
#include <string.h>

/* The structures with one set of sources that come late and of resistors that come early. */
typedef struct {
    bool *late;         /* per source */
    signed char *early; /* as in the model */
    bool follow;        /* from mode to mode */
    jn_solver *solver;
    int n, cap, nslots;
    struct kept {
        jn_solved *steps;
        int users;
    } * solved;
    int *slot; /* hash of modes: index + 1 */
} family;

struct structures {
    int owners;
    model *model; /* of the run that asks */
    int n;
    family **family;
    int nratios;
    int *ratio; /* ids of the numbers that they hold for */
};

structures *jni_structures_new(void)
{
    structures *k = jn_alloc(sizeof *k);
    k->owners = 1;
    return k;
}

structures *jni_structures_share(structures *k)
{
    k->owners++;
    return k;
}

static void free_family(family *f)
{
    for (int i = 0; i < f->n; i++)
        jn_solved_free(f->solved[i].steps);
    jn_solver_free(f->solver);
    free(f->solved);
    free(f->slot);
    free(f->late);
    free(f->early);
    free(f);
}

void jni_structures_release(structures *k)
{
    if (!k || --k->owners)
        return;
    for (int i = 0; i < k->n; i++)
        free_family(k->family[i]);
    free(k->family);
    free(k->ratio);
    free(k);
}

/* ---- what they hold for -------------------------------------------------------------------- */

static bool has_ratio(const jn_element *x)
{
    return x->kind == JN_TF || x->kind == JN_GY;
}

/* The number of every ratio; where switches change one, all parameters. */
static int *ratios_of(int *n, model *m)
{
    const jn_graph *g = m->g;
    int *id = jn_alloc((size_t)(g->nelements + g->nparams) * sizeof *id);
    bool switched = false;
    *n = 0;
    for (int i = 0; i < g->nelements; i++) {
        jn_ratfun r;
        if (!has_ratio(&g->element[i]))
            continue;
        switched |= jni_is_switched_element(m, i);
        id[(*n)++] = jn_graph_number(&r, g, i) == JN_OK ? r.id : -1;
    }
    for (int i = 0; i < g->nparams && switched; i++)
        id[(*n)++] = g->param[i].value.id;
    return id;
}

structures *jni_structures_fit(structures *k, model *m)
{
    int n, *ratio = ratios_of(&n, m);
    bool same = n == k->nratios && (!n || !memcmp(ratio, k->ratio, (size_t)n * sizeof *ratio));
    if (same || !k->n) {
        free(same ? ratio : k->ratio);
        k->ratio = same ? k->ratio : ratio;
        k->nratios = n;
        return k;
    }
    jni_structures_release(k);
    k = jni_structures_new();
    k->ratio = ratio;
    k->nratios = n;
    return k;
}

/* ---- solvers ------------------------------------------------------------------------------- */

static jn_ratfun ratio_in(void *ctx, int element, const jn_onoff *on)
{
    structures *k = ctx;
    model *m = k->model;
    jn_ratfun r;
    const jn_expr *e = m->g->element[element].modulation;
    if (!jni_is_switched_element(m, element) || !jni_switched_value(&r, m, e, on))
        r.id = -1;
    return r;
}

/* A law that jumps has one inverse, which stands still there, and two values: it is given what it gives, if that can
 * be. One without slope at 0 is given what it reads, if that can be: the other way round it has no value there, or is so
 * steep that a step cannot pass. */
static bool is_better_inverted(const model *m, int r)
{
    return m->is_steep[r] || (m->pieces[r].n && !jni_pieces_have_steps(&m->pieces[r]));
}

static bool reads_effort(const model *m, int r)
{
    bool is_of_flow = m->g->element[m->g->resistor[r]].law_of == 'f';
    return is_better_inverted(m, r) ? !is_of_flow : m->is_flat[r] && is_of_flow;
}

/* Of those in series the flattest is the one that is best inverted as it stands. */
static signed char comes_first(const model *m, int r)
{
    bool has_steps = jni_pieces_have_steps(&m->pieces[r]);
    if (is_better_inverted(m, r))
        return m->pieces[r].n ? 4 : 3;
    return m->is_flat[r] ? 1 + has_steps : 0;
}

static jn_solver *make_solver(structures *k, const bool *late, bool follow)
{
    const jn_graph *g = k->model->g;
    bool *switched = jn_alloc((size_t)g->nelements * sizeof *switched);
    bool *early = jn_alloc((size_t)g->nresistors), *effort = jn_alloc((size_t)g->nresistors);
    signed char *first = jn_alloc((size_t)g->nresistors);
    for (int i = 0; i < g->nelements; i++)
        switched[i] = jni_is_switched_element(k->model, i);
    for (int r = 0; r < g->nresistors; r++) {
        early[r] = k->model->early[r] != 0;
        first[r] = comes_first(k->model, r);
        effort[r] = early[r] ? k->model->early[r] > 0 : reads_effort(k->model, r);
    }
    jn_solver_options o = {.numeric = true,
                           .late = late,
                           .effort_first = effort,
                           .first = first,
                           .early = early,
                           .value = ratio_in,
                           .switched = switched,
                           .ctx = k,
                           .follow = follow};
    jn_solver *solver = NULL;
    jn_diags *unsaid = jn_diags_new(); /* values that divide by zero have been said */
    if (jn_solver_new(&solver, g, &o, unsaid) != JN_OK)
        solver = NULL;
    jn_diags_free(unsaid);
    free(switched);
    free(early);
    free(effort);
    free(first);
    return solver;
}

static family *family_of(structures *k, const bool *late, bool follow)
{
    size_t bytes = (size_t)k->model->nu * sizeof *late, nr = (size_t)k->model->nr;
    for (int i = 0; i < k->n; i++)
        if (k->family[i]->follow == follow && !memcmp(k->family[i]->late, late, bytes) &&
            !memcmp(k->family[i]->early, k->model->early, nr))
            return k->family[i];
    family *f = jn_alloc(sizeof *f);
    f->early = jn_alloc(nr);
    memcpy(f->early, k->model->early, nr);
    f->late = jn_alloc(bytes);
    memcpy(f->late, late, bytes);
    f->follow = follow;
    f->solver = make_solver(k, late, follow);
    k->family = jn_realloc(k->family, (size_t)(k->n + 1) * sizeof(family *));
    return k->family[k->n++] = f;
}

/* ---- modes --------------------------------------------------------------------------------- */

static int *slot_of(const family *f, const jn_onoff *onoff, size_t n)
{
    uint64_t h = jni_hash_mode(onoff, (int)n, 0);
    int *slot;
    while (*(slot = &f->slot[h & (uint64_t)(f->nslots - 1)]) &&
           memcmp(f->solved[*slot - 1].steps->mode, onoff, n) != 0)
        h++;
    return slot;
}

static void rehash(family *f, size_t n)
{
    free(f->slot);
    f->slot = jn_alloc((size_t)f->nslots * sizeof *f->slot);
    for (int i = 0; i < f->n; i++)
        *slot_of(f, f->solved[i].steps->mode, n) = i + 1;
}

static void make_room(family *f, size_t n)
{
    JN_GROW(f->solved, f->n, f->cap);
    if (2 * (f->n + 1) <= f->nslots)
        return;
    f->nslots = f->nslots ? 2 * f->nslots : 64;
    rehash(f, n);
}

const jn_solved *jni_structure_of(structures *k, model *m, const bool *late, bool follow,
                                  const jn_onoff *onoff, const bool **is_late)
{
    size_t n = (size_t)m->g->nswitches;
    k->model = m;
    family *f = family_of(k, late, follow);
    *is_late = f->late;
    make_room(f, n);
    int *slot = slot_of(f, onoff, n);
    if (!*slot) {
        jn_solved *made = NULL;
        if (!f->solver || jn_solver_mode(&made, f->solver, onoff) != JN_OK)
            return NULL;
        f->solved[f->n++] = (struct kept){made, 0};
        *slot = f->n;
    }
    f->solved[*slot - 1].users++;
    return f->solved[*slot - 1].steps;
}

void jni_structure_leave(structures *k, const jn_solved *m, const bool *is_late)
{
    size_t n = (size_t)m->graph->nswitches;
    for (int i = 0; i < k->n; i++)
        if (k->family[i]->late == is_late)
            k->family[i]->solved[*slot_of(k->family[i], m->mode, n) - 1].users--;
}

static void trim(family *f)
{
    int n = 0;
    for (int i = 0; i < f->n; i++) {
        if (f->solved[i].users)
            f->solved[n++] = f->solved[i];
        else
            jn_solved_free(f->solved[i].steps);
    }
    f->n = n;
}

void jni_structures_trim(structures *k)
{
    size_t n = (size_t)k->model->g->nswitches;
    for (int i = 0; i < k->n; i++) {
        trim(k->family[i]);
        if (k->family[i]->nslots)
            rehash(k->family[i], n);
    }
}

size_t jni_structure_size(const jn_solved *m)
{
    return (size_t)m->nsteps * sizeof *m->step + (size_t)m->nterms * sizeof *m->term +
           (size_t)m->ncols * sizeof *m->is_free +
           (size_t)m->graph->nelements * sizeof *m->gives_effort;
}
