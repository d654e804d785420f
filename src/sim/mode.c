/* mode.c: the modes that a run has met, each made when it is first asked for.
 *
 * A source whose value follows the model imposes it like any other. But where it reads the rate of
 * a storage that it determines itself, e = −2·q̇ say, that would be a differential equation for the
 * source. There it comes late: after the storages, as a resistor would, and its value is one more
 * equation between the variables. */
#include "mode.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "instant.h"
#include "limits.h"

/* ---- which sources come late --------------------------------------------------------------- */

typedef struct {
    const jn_solved *m;
    const int *step_of;
    bool *seen; /* per column */
} walk;

static void reach(walk *w, int col)
{
    if (w->seen[col])
        return;
    w->seen[col] = true;
    int k = w->step_of[col];
    for (int i = k < 0 ? 0 : w->m->step[k].first; k >= 0 && i < w->m->step[k].end; i++)
        reach(w, w->m->term[i].col);
}

/* Marks the columns that a source's value depends on; false: it reads none. */
static bool reach_source(walk *w, jn_sim *s, const mode *m, int source)
{
    const model *k = &s->model;
    int bonds = 2 * k->g->nbonds;
    const linear_form *f =
        s->engine->is_exact ? jni_generator_feedback(s->gen, source, m->flows) : NULL;
    const jn_expr *e = k->g->element[k->g->source[source]].input;
    memset(w->seen, 0, (size_t)w->m->ncols * sizeof *w->seen);
    if (s->engine->is_exact) {
        for (int i = 0; f && i < f->n; i++)
            if (f->term[i].obs < bonds)
                reach(w, f->term[i].obs);
        return f;
    }
    if (!jni_reads_model(k, e) || (m->is_given && jni_reads_only_past(k, e)))
        return false;
    bool *is_read = jn_alloc((size_t)(jni_obs_count(k) + k->nd) * sizeof *is_read);
    jni_mark_read(is_read, k, e);
    for (int c = 0; c < bonds; c++)
        if (is_read[c])
            reach(w, c);
    free(is_read);
    return true;
}

static bool is_conflicting(const jn_solved *m, int element)
{
    for (int i = 0; i < m->nreasons; i++) {
        if (m->reason[i].source == element)
            return true;
        for (int k = 0; k < m->reason[i].nterms; k++)
            if (m->reason[i].term[k].source == element)
                return true;
    }
    return false;
}

/* Whether a source reads the rate of a storage that it determines, or is in conflict. */
static bool comes_late(walk *w, jn_sim *s, const mode *m, int source)
{
    const model *k = &s->model;
    int element = k->g->source[source], own = jni_mode_in(m, k, k->nx + k->nr + source);
    bool late = false;
    if (!reach_source(w, s, m, source))
        return false;
    if (m->solved->forbidden)
        return is_conflicting(m->solved, element);
    bool *rates = jn_alloc((size_t)k->nx * sizeof *rates);
    for (int i = 0; i < k->nx; i++)
        rates[i] = !m->integral[i] && w->seen[jni_mode_in(m, k, i)];
    for (int i = 0; i < k->nx && !late; i++) {
        if (!rates[i])
            continue;
        memset(w->seen, 0, (size_t)w->m->ncols * sizeof *w->seen);
        reach(w, jni_mode_out(m, k, i));
        late = w->seen[own];
    }
    free(rates);
    return late;
}

static bool find_late(bool *late, jn_sim *s, const mode *m)
{
    walk w = {m->solved, m->step_of, jn_alloc((size_t)m->solved->ncols * sizeof *w.seen)};
    bool any = false;
    for (int k = 0; k < s->model.nu; k++)
        any |= late[k] = comes_late(&w, s, m, k);
    free(w.seen);
    return any;
}

/* ---- a mode -------------------------------------------------------------------------------- */

void jni_mode_fail(mode *m, const char *fmt, ...)
{
    jn_str why;
    va_list args;
    jn_str_init(&why);
    va_start(args, fmt);
    jn_str_vaddf(&why, fmt, args);
    va_end(args);
    free(m->reason);
    m->reason = why.s;
    m->status = JN_MODE_SINGULAR;
}

int jni_mode_out(const mode *m, const model *k, int port)
{
    int element = jni_port_element(k, port);
    return m->solved->gives_effort[element] ? m->solved->port_effort[element]
                                            : m->solved->port_flow[element];
}

int jni_mode_in(const mode *m, const model *k, int port)
{
    int element = jni_port_element(k, port);
    return m->solved->gives_effort[element] ? m->solved->port_flow[element]
                                            : m->solved->port_effort[element];
}

static void read_causality(mode *m, const model *k)
{
    const jn_solved *d = m->solved;
    m->step_of = jn_realloc(m->step_of, (size_t)d->ncols * sizeof *m->step_of);
    for (int c = 0; c < d->ncols; c++)
        m->step_of[c] = -1;
    for (int i = 0; i < d->nsteps; i++)
        m->step_of[d->step[i].col] = i;
    m->port_of = jn_realloc(m->port_of, (size_t)d->ncols * sizeof *m->port_of);
    for (int c = 0; c < d->ncols; c++)
        m->port_of[c] = -1;
    for (int p = 0; p < jni_port_count(k); p++)
        m->port_of[jni_mode_in(m, k, p)] = p;
    for (int i = 0; i < k->nx; i++) {
        int element = k->g->storage[i];
        m->integral[i] = d->gives_effort[element] == (k->g->element[element].kind == JN_I);
    }
    for (int i = 0; i < k->nu; i++) {
        int element = k->g->source[i];
        m->is_lost[i] =
            !m->is_late[i] && d->gives_effort[element] == (k->g->element[element].kind == JN_SE);
    }
}

/* The value of a source that keeps it for good; NaN: it may have another, or none is said. s: NULL, as the model has it. */
static double constant_of(model *k, jn_sim *s, int element)
{
    const jn_element *x = &k->g->element[element];
    double value;
    if (!x->input || jn_expr_varies(x->input) ||
        (s && jni_generator_fixed(&value, s->gen, x->number)))
        return NAN;
    return jni_constant(k, x->input);
}

bool jn_sim_sources_agree(double gap, double size)
{
    return fabs(gap) <= NOISE_OF_CONFLICT * size;
}

/* Whether sources that are tied to each other have the values that this takes. */
static bool sources_agree(const jn_solved *m, model *k, jn_sim *s)
{
    for (int i = 0; i < m->nreasons; i++) {
        const jn_reason *r = &m->reason[i];
        double gap = constant_of(k, s, r->source), size = fabs(gap);
        for (int t = 0; t < r->nterms; t++) {
            double c = jni_number_of(k, r->term[t].coefficient);
            double part = c * constant_of(k, s, r->term[t].source);
            gap -= part;
            size += fabs(part);
        }
        if (!jn_sim_sources_agree(gap, size))
            return false;
    }
    return true;
}

bool jn_sim_lasts(const jn_graph *g, const jn_solved *m)
{
    model k = {.g = g};
    bool lasts = sources_agree(m, &k, NULL);
    free(k.number);
    return lasts;
}

/* Equal drops of two diodes side by side: one of the sources is as good as not there. What passes it
 * is as open as the current of an ideal switch beside another. */
static void free_agreeing(mode *m, const model *k)
{
    size_t n = (size_t)m->solved->ncols;
    m->own_free = jn_alloc(n * sizeof *m->own_free);
    for (size_t c = 0; c < n; c++)
        m->own_free[c] = m->solved->is_free[c];
    for (int i = 0; i < k->nu; i++)
        if (m->is_lost[i])
            m->own_free[jni_mode_in(m, k, k->nx + k->nr + i)] = true;
    m->is_free = m->own_free;
}

static void read_reason(mode *m, jn_sim *s)
{
    const model *k = &s->model;
    jn_str why;
    m->is_free = m->solved->is_free;
    if (!m->solved->forbidden)
        return;
    if (sources_agree(m->solved, &s->model, s)) {
        free_agreeing(m, k);
        return;
    }
    jn_str_init(&why);
    jn_reason_text(&why, k->g, &m->solved->reason[0]);
    m->status = JN_MODE_FORBIDDEN;
    m->reason = why.s;
}

/* Solves it with the sources that come late; false: it cannot be. */
static bool solve(mode *m, jn_sim *s, const bool *late)
{
    if (m->solved)
        jni_structure_leave(s->structures, m->solved, m->is_late);
    m->solved = jni_structure_of(s->structures, &s->model, late, s->engine->is_exact, m->onoff,
                                 &m->is_late);
    if (!m->solved) {
        jni_mode_fail(m, "its junction structure cannot be solved");
        return false;
    }
    read_causality(m, &s->model);
    return true;
}

/* Which storages would be in integral causality if no resistor came early. */
static void find_hastened(mode *m, jn_sim *s, const bool *late)
{
    model *k = &s->model;
    const bool *is_late;
    signed char *early = k->early;
    k->early = jn_alloc((size_t)k->nr);
    const jn_solved *plain = jni_structure_of(s->structures, k, late, false, m->onoff, &is_late);
    m->hastens = jn_alloc((size_t)k->nx * sizeof *m->hastens);
    for (int i = 0; i < k->nx && plain; i++) {
        int element = k->g->storage[i];
        bool is_integral = plain->gives_effort[element] == (k->g->element[element].kind == JN_I);
        m->hastens[i] = is_integral && !m->integral[i];
    }
    if (plain)
        jni_structure_leave(s->structures, plain, is_late);
    free(k->early);
    k->early = early;
}

static bool has_early(const model *k)
{
    for (int r = 0; r < k->nr; r++)
        if (k->early[r])
            return true;
    return false;
}

/* Which sources come late in a mode is found from the mode without any. */
static bool structure(mode *m, jn_sim *s)
{
    bool *late = jn_alloc((size_t)s->model.nu * sizeof *late);
    bool ok = solve(m, s, late);
    if (ok && find_late(late, s, m))
        ok = solve(m, s, late);
    if (ok && has_early(&s->model))
        find_hastened(m, s, late);
    free(late);
    return ok;
}

static mode *mode_new(jn_sim *s, const jn_onoff *onoff, bool flows, bool is_given)
{
    size_t n = (size_t)s->model.g->nswitches;
    mode *m = jn_alloc(sizeof *m);
    m->onoff = jn_alloc(n);
    memcpy(m->onoff, onoff, n);
    m->flows = flows;
    m->is_given = is_given;
    m->engine = s->engine;
    return m;
}

/* A law of state and rate gives the rate, if anything: were its state made to follow from what the mode
 * gives it, it would jump to where the rate is 0. */
static bool damped_storages_fit(mode *m, jn_sim *s)
{
    const jn_graph *g = s->model.g;
    for (int i = 0; i < s->model.nx; i++) {
        const jn_element *x = &g->element[g->storage[i]];
        if (m->integral[i] || !jni_is_damped(&s->model, i))
            continue;
        bool is_inertia = x->kind == JN_I;
        jni_mode_fail(m,
                      "the law of '%s' reads the %s, its own rate, while the mode gives it its %s; "
                      "let a resistor on a %s-junction beside it have that part of the law",
                      x->name, is_inertia ? "effort" : "flow", is_inertia ? "flow" : "effort",
                      is_inertia ? "0" : "1");
        return false;
    }
    return true;
}

static void solve_and_make(mode *m, jn_sim *s)
{
    if (!structure(m, s) || !damped_storages_fit(m, s))
        return;
    read_reason(m, s);
    jni_mode_float(s, m);
    if (!jni_mode_reads_known(s, m))
        return;
    jni_mode_hold(s, m);
    m->engine->make(s, m);
    if (m->own && m->engine->teach)
        m->engine->teach(m, &m->cached.learned);
}

static void make(mode *m, jn_sim *s)
{
    model *k = &s->model;
    m->cached.is_made = true;
    m->integral = jn_alloc((size_t)k->nx * sizeof *m->integral);
    m->is_lost = jn_alloc((size_t)k->nu * sizeof *m->is_lost);
    jni_switched_values(m, k);
    jni_mode_fields(m, k);
    solve_and_make(m, s);
}

/* Only what the run must know of it stays. */
static void forget(mode *m, jn_sim *s)
{
    jni_mode_learned(&m->cached.learned, m);
    if (m->own)
        m->engine->drop(s, m);
    jni_mode_float_clear(m);
    free(m->is_held);
    jni_mode_fields_clear(m, &s->model);
    if (m->own_values) {
        free(m->storage);
        free(m->resistor);
    }
    free(m->step_of);
    free(m->port_of);
    free(m->integral);
    free(m->hastens);
    free(m->is_lost);
    free(m->own_free);
    free(m->reason);
    if (m->solved)
        jni_structure_leave(s->structures, m->solved, m->is_late);
    *m = (mode){.onoff = m->onoff,
                .flows = m->flows,
                .is_given = m->is_given,
                .entered = m->entered,
                .engine = m->engine,
                .cached.learned = m->cached.learned,
                .cached.used = m->cached.used};
}

void jni_mode_learned(lessons *l, const mode *m)
{
    *l = m->cached.learned;
    if (m->own && m->engine->learned)
        m->engine->learned(l, m);
}

void jni_mode_free(mode *m, jn_sim *s)
{
    if (!m)
        return;
    if (m->cached.is_made)
        forget(m, s);
    free(m->onoff);
    free(m);
}

/* ---- all of them --------------------------------------------------------------------------- */

void jni_modes_clear(jn_sim *s)
{
    mode_cache *c = &s->modes;
    for (int i = 0; i < c->n; i++)
        jni_mode_free(c->mode[i], s);
    free(c->mode);
    free(c->bucket);
    *c = (mode_cache){0};
}

uint64_t jni_hash_mode(const jn_onoff *m, int n, int kind)
{
    uint64_t h = 14695981039346656037u + (uint64_t)kind;
    for (int i = 0; i < n; i++)
        h = (h ^ m[i]) * 1099511628211u;
    return h ^ (h >> 29);
}

static int kind_of(bool flows, bool is_given)
{
    return 2 * is_given + flows;
}

static bool is_one(const mode *m, const jn_onoff *onoff, int n, bool flows, bool is_given)
{
    return m->flows == flows && m->is_given == is_given && !memcmp(m->onoff, onoff, (size_t)n);
}

static void rehash(mode_cache *c, int nswitches)
{
    c->nbuckets = c->nbuckets ? 2 * c->nbuckets : 64;
    free(c->bucket);
    c->bucket = jn_alloc((size_t)c->nbuckets * sizeof *c->bucket);
    for (int i = 0; i < c->n; i++) {
        const mode *m = c->mode[i];
        uint64_t h = jni_hash_mode(m->onoff, nswitches, kind_of(m->flows, m->is_given));
        while (c->bucket[h & (uint64_t)(c->nbuckets - 1)])
            h++;
        c->bucket[h & (uint64_t)(c->nbuckets - 1)] = i + 1;
    }
}

static size_t size_of(const jn_sim *s, const mode *m)
{
    size_t n = sizeof *m;
    if (!m->solved)
        return n;
    n += (size_t)m->solved->ncols * (sizeof *m->step_of + sizeof *m->port_of);
    n += jni_structure_size(m->solved);
    for (int c = 0; m->floating.row && c < m->solved->ncols; c++)
        n +=
            sizeof *m->floating.row + (size_t)m->floating.row[c].n * (sizeof(int) + sizeof(double));
    return n + (m->own ? m->engine->size(s, m) : 0);
}

static void weigh(mode_cache *c, jn_sim *s, mode *m)
{
    size_t bytes = size_of(s, m);
    c->bytes += bytes - m->cached.bytes;
    m->cached.bytes = bytes;
}

static mode *known(jn_sim *s, mode *m)
{
    mode_cache *c = &s->modes;
    if (!m->cached.is_made) {
        make(m, s);
        weigh(c, s, m);
    }
    m->cached.used = ++c->asked;
    return c->last = m;
}

static mode *get(jn_sim *s, const jn_onoff *onoff, bool flows, bool is_given)
{
    mode_cache *c = &s->modes;
    int n = s->model.g->nswitches;
    if (c->last && is_one(c->last, onoff, n, flows, is_given))
        return known(s, c->last);
    if (2 * (c->n + 1) > c->nbuckets)
        rehash(c, n);
    uint64_t h = jni_hash_mode(onoff, n, kind_of(flows, is_given));
    int *slot;
    while (*(slot = &c->bucket[h & (uint64_t)(c->nbuckets - 1)])) {
        mode *m = c->mode[*slot - 1];
        if (is_one(m, onoff, n, flows, is_given))
            return known(s, m);
        h++;
    }
    JN_GROW(c->mode, c->n, c->cap);
    c->mode[c->n++] = mode_new(s, onoff, flows, is_given);
    *slot = c->n;
    return known(s, c->mode[c->n - 1]);
}

mode *jni_mode_get(jn_sim *s, const jn_onoff *onoff, bool flows)
{
    return get(s, onoff, flows, false);
}

mode *jni_mode_given(jn_sim *s, const mode *m)
{
    const model *k = &s->model;
    bool any = false;
    for (int i = 0; i < k->nu && !m->is_given && !s->engine->is_exact; i++)
        any |= m->is_late[i] && jni_reads_only_past(k, k->g->element[k->g->source[i]].input);
    return any ? get(s, m->onoff, m->flows, true) : NULL;
}

/* ---- forgetting ---------------------------------------------------------------------------- */

static int by_use(const void *a, const void *b)
{
    const mode *x = *(mode *const *)a, *y = *(mode *const *)b;
    return (x->cached.used > y->cached.used) - (x->cached.used < y->cached.used);
}

/* Modes that the present is in, that it came from, and that an instant passed which waits to be told. */
static bool is_needed(const jn_sim *s, const mode *m)
{
    const instant_queue *q = &s->instants;
    bool needed = m == s->now.m || (q->is_arrived && m == q->before.m);
    for (int k = 0; k <= q->pending && !needed; k++)
        needed = q->item[k]->m == m;
    return needed;
}

static void forget_oldest(mode_cache *c, jn_sim *s, size_t most)
{
    mode **list = jn_alloc((size_t)c->n * sizeof *list);
    int n = 0;
    for (int i = 0; i < c->n; i++)
        if (c->mode[i]->cached.is_made && !is_needed(s, c->mode[i]))
            list[n++] = c->mode[i];
    qsort(list, (size_t)n, sizeof(mode *), by_use);
    for (int i = 0; i < n && c->bytes > most; i++) {
        c->bytes -= list[i]->cached.bytes;
        forget(list[i], s);
    }
    free(list);
    jni_structures_trim(s->structures);
}

/* Much of a mode is made on demand: it is weighed the first times that it is the present one. A
 * slide, which may be over but not told yet, and a chain refer to other modes than the present one. */
void jni_modes_trim(jn_sim *s)
{
    mode_cache *c = &s->modes;
    mode *m = s->now.m;
    if (s->slide || s->instants.slid || s->aside.chain)
        return;
    m->cached.visits++;
    if (m->cached.visits & (m->cached.visits - 1))
        return;
    weigh(c, s, m);
    double megabytes = s->o.modes_megabytes > 0 ? s->o.modes_megabytes : MODES_MEGABYTES;
    if ((double)c->bytes > megabytes * 1e6)
        forget_oldest(c, s, (size_t)(MODES_KEPT * megabytes * 1e6));
}
