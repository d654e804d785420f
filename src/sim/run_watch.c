/* run_watch.c: the comparisons that can make something happen, and when they do next.
 *
 * Of all surfaces (run_surface.c) only those are watched that stand in a transition out of an
 * automaton's present state, or in a branch; while the run slides, also the kinks of what it slides on.
 * One of time alone is a time event. One that is linear in the observables is a series of its own on
 * every stretch; any other is sampled at the points of an interpolation, on a shorter stretch where the
 * samples are not smooth.
 *
 * Each surface remembers the side on which the run is. What is within rounding of it is on neither;
 * it has come to a side when it is clear. */
#include <stdlib.h>
#include <string.h>

#include "instant.h"

/* ---- all that is watched now --------------------------------------------------------------- */

/* Every surface once. */
typedef struct {
    const jn_sim *s;
    int at_switch, item; /* −1: the branches; −2: the claims; before: kinks of what is slid on */
    bool is_other;       /* the other state of an automaton that slides */
} walk;

static walk begin_walk(jn_sim *s)
{
    s->watch.searches++;
    return (walk){.s = s, .at_switch = -2 - (s->slide ? jni_slide_count(s->slide) : 0)};
}

/* NULL: there is none. */
static const int_list *walked(const walk *w)
{
    const jn_sim *s = w->s;
    const watch *all = &s->watch;
    if (w->at_switch < -2)
        return w->is_other ? NULL
                           : &all->surface[jni_slide_surface(s->slide, -3 - w->at_switch)].inner;
    if (w->at_switch < 0)
        return w->is_other ? NULL : w->at_switch < -1 ? &all->of_asserts : &all->of_branches;
    if (s->o.nsequence) /* a sequence overrides the automata */
        return NULL;
    int state = s->now.state[w->at_switch];
    if (w->is_other)
        state = s->slide ? jni_slide_other_state(s->slide, w->at_switch, state) : -1;
    return state < 0 ? NULL : &all->of_state[w->at_switch][state];
}

static int next_watched(walk *w)
{
    const watch *all = &w->s->watch;
    for (;;) {
        const int_list *list = walked(w);
        while (list && w->item < list->n) {
            surface *g = &all->surface[list->item[w->item++]];
            bool known = g->mark == all->searches, is_sole = w->at_switch == -1;
            g->is_sole = is_sole && (g->is_sole || !known);
            if (known || g->kind == SURFACE_INSTANT)
                continue;
            g->mark = all->searches;
            return list->item[w->item - 1];
        }
        w->item = 0;
        w->at_switch += w->is_other;
        w->is_other = !w->is_other;
        if (w->at_switch >= w->s->model.g->nswitches)
            return -1;
    }
}

/* A run comes back to few states of its automata again and again. */
static struct watch_list *list_for(jn_sim *s)
{
    unsigned hash = 0;
    for (int k = 0; k < s->model.g->nswitches; k++)
        hash = 31 * hash + (unsigned)s->now.state[k];
    return &s->watch.list[hash % WATCH_LISTS];
}

static void push(int_list *list, int item)
{
    JN_GROW(list->item, list->n, list->cap);
    list->item[list->n++] = item;
}

static bool is_list_for(const jn_sim *s, const struct watch_list *l)
{
    return l->is_made && !s->slide && jni_same_ints(l->state, s->now.state, s->model.g->nswitches);
}

static const struct watch_list *watched_lists(jn_sim *s)
{
    int n = s->model.g->nswitches;
    struct watch_list *l = s->watch.last;
    if (l && is_list_for(s, l))
        return l;
    s->watch.last = l = list_for(s);
    if (is_list_for(s, l))
        return l;
    if (!l->state)
        l->state = jn_alloc((size_t)n * sizeof *l->state);
    walk w = begin_walk(s);
    l->surfaces.n = l->sole.n = 0;
    for (int i; (i = next_watched(&w)) >= 0;)
        push(&l->surfaces, i);
    for (int k = 0; k < l->surfaces.n; k++)
        push(&l->sole, s->watch.surface[l->surfaces.item[k]].is_sole);
    jni_copy_ints(l->state, s->now.state, n);
    l->is_made = !s->slide;
    return l;
}

static const int_list *watched_now(jn_sim *s)
{
    return &watched_lists(s)->surfaces;
}

/* Constants and discrete variables of a form. */
double jni_form_constant(const jn_sim *s, const linear_form *f, const double *discrete)
{
    double sum = f->c0;
    int first = jni_obs_count(&s->model);
    for (int i = f->n - 1; i >= 0 && f->term[i].obs >= first; i--)
        sum += f->term[i].c * discrete[f->term[i].obs - first];
    return sum;
}

void jni_surface_read(triple *x, const view *v, const surface *g)
{
    if (v->slid && jni_slide_has(v->slid, (int)(g - v->s->watch.surface))) {
        *x = (triple){{0}, {0}}; /* that is what it is to slide on it */
        return;
    }
    if (g->kind <= SURFACE_LINEAR) {
        jni_form_read(x, v, &g->form);
        return;
    }
    triple a = jni_evaluate_triple(v, g->e->arg[0]), b = jni_evaluate_triple(v, g->e->arg[1]);
    for (int p = 0; p < PARTS; p++) {
        x->part[p] = a.part[p] - b.part[p];
        x->noise[p] = a.noise[p] + b.noise[p];
    }
}

triple jni_surface_value(const view *v, const surface *g)
{
    triple x;
    jni_surface_read(&x, v, g);
    return x;
}

int jni_ways_side(const jn_sim *s, const surface *g)
{
    int side = 0;
    for (int i = 0; i < g->turns.n; i++) {
        if (jni_branch_place(s->branches, g->turns.item[i]) == BRANCH_OF_INVERSE &&
            !jni_branch_matters(s, g->turns.item[i]))
            continue;
        double share = jni_branch_share(s->branches, g->turns.item[i]);
        const jn_expr *e = jni_branch_condition(s->branches, g->turns.item[i]);
        const comparison *c = jni_watched(s, e);
        bool above = e->op == JN_X_GT || e->op == JN_X_GE;
        bool is_simple = c && c->other < 0 && (share == 0 || share == 1) && e->op != JN_X_EQ;
        int own = is_simple ? (above == (share == 1) ? 1 : -1) * c->sign : 0;
        if (!own || (side && own != side))
            return 0;
        side = own;
    }
    return side;
}

/* g at the present, if it has not been read there yet. Engines that see more at instants are asked again, and slides:
 * they only learn when they begin how well it is known. */
static const triple *look_at(const view *v, surface *g)
{
    bool is_lasting = g->kind == SURFACE_LINEAR && !v->slid && !v->m->engine->see;
    if (!is_lasting || g->noted_at != v->s->watch.point) {
        jni_surface_read(&g->noted, v, g);
        g->noted_at = v->s->watch.point;
    }
    return &g->noted;
}

void jni_watch_note(jn_sim *s)
{
    view v = jni_present(s);
    const int_list *all = watched_now(s);
    for (int k = 0; k < all->n; k++) {
        int part, i = all->item[k];
        surface *g = &s->watch.surface[i];
        if (g->kind == SURFACE_TIME)
            continue;
        int side = jni_triple_sign(look_at(&v, g), &part);
        if (side)
            g->side = (signed char)side;
        if (s->watch.crossed[i]) {
            g->crossed_at = s->clock.t;
        }
        bool is_open = s->watch.crossed[i] == ON_SURFACE || s->instants.last->firing.side_once;
        if (!side && s->watch.crossed[i]) /* else it stays where it came from */
            g->side = is_open ? 0 : s->watch.crossed[i];
        if (!side && !s->watch.crossed[i] && g->side && g->side == -jni_ways_side(s, g))
            g->side = (signed char)-g->side; /* in another mode, where these ways were no matter */
    }
}

void jni_watch_forget(jn_sim *s)
{
    if (s->watch.ncrossed)
        memset(s->watch.crossed, 0, (size_t)s->watch.nsurfaces * sizeof *s->watch.crossed);
    s->watch.ncrossed = 0;
}

/* ---- time ---------------------------------------------------------------------------------- */

static bool holds_by(jn_expr_op op, double apart)
{
    return jni_holds_by_sign(op, (apart > 0) - (apart < 0));
}

/* The first double after now at which a comparison of c + ct·t with 0 says something else than now. */
static double change_time(const jn_sim *s, jn_expr_op op, const linear_form *f)
{
    double c = jni_form_constant(s, f, s->now.discrete), now = s->clock.t;
    if (f->ct == 0)
        return INFINITY;
    double t = -c / f->ct;
    bool before = holds_by(op, c + f->ct * now);
    if (t < now)
        return INFINITY;
    t = nextafter(nextafter(t, -INFINITY), -INFINITY);
    for (int i = 0; i < 6; i++, t = nextafter(t, INFINITY))
        if (t > now && holds_by(op, c + f->ct * t) != before)
            return t;
    return INFINITY;
}

double jni_watch_next_time(const jn_sim *s)
{
    double first = INFINITY;
    const int_list *all = watched_now((jn_sim *)s);
    for (int k = 0; k < all->n; k++) {
        const surface *g = &s->watch.surface[all->item[k]];
        if (g->kind == SURFACE_TIME)
            first = fmin(first, change_time(s, g->e->op, &g->form));
    }
    return first;
}

/* ---- on a stretch -------------------------------------------------------------------------- */

#define NOWHERE (-1.0)

/* Where a series leaves the side on which the run is; 0: at once. *to: where it comes to be, *clear:
 * from when on there is no doubt of it. The sign of now: 0 within rounding. */
static double leaves_side(const surface *g, crossing *c, int now, bool is_brief,
                          struct watch_due *due)
{
    int side;
    due->clear = 0;
    due->noise = c->noise;
    due->passes = false;
    if (now && now != g->side) {
        due->to = now;
        return 0;
    }
    c->from = 0;
    c->start = now;
    if (!now) {
        double clear = jni_series_leave(c, &side);
        due->to = clear < 0 ? 0 : side;
        due->passes = due->to && due->to == -g->side && g->crossed_at != c->t0;
        if (due->passes) { /* it came here along a stretch: where it gets to the other side */
            c->start = g->side;
            double tau = jni_series_crossing(c, &due->clear);
            return tau > 0 ? tau : clear;
        }
        bool rests = !due->to && g->side && !is_brief; /* it has come to rest on it */
        if (rests || (due->to && due->to != g->side))
            return 0;
        if (clear < 0)
            return NOWHERE;
        due->is_doubtful = true;
        c->from = clear;
        c->start = side;
    }
    due->to = -c->start;
    return jni_series_crossing(c, &due->clear);
}

/* Whether it is on one side, by rounding, while its ways are those of the other one, and goes further away. */
static bool goes_astray(jn_sim *s, const surface *g, const crossing *c, int side)
{
    return side && g->turns.n && jni_ways_side(s, g) == -side && jni_turns_matter(s, g) &&
           side * jni_series_slope(c->a, c->n, -1) > 0 &&
           side * jni_series_at(c->a, c->n, 2 * c->end / c->length - 1) >
               side * jni_series_at(c->a, c->n, -1) + c->noise;
}

/* What is on no side of a surface as far as the stretch knows it may be clear of it as an instant sees it, which has just
 * been asked: else the run would come to rest there, and be seen beside it, without end. */
static void see_now(triple *now, jn_sim *s, const surface *g)
{
    int part;
    bool was_asked = g->crossed_at > 0 && s->clock.t - g->crossed_at <= SAME_TIME * s->clock.t;
    if (!was_asked || !g->side || jni_triple_sign(now, &part))
        return;
    double *z = jni_doubles(s->now.m->nz);
    view v = jni_present(s);
    v.z = z;
    s->now.m->engine->see(z, s, s->now.m, 0);
    triple seen;
    jni_form_read(&seen, &v, &g->form);
    free(z);
    if (jni_triple_sign(&seen, &part) == g->side)
        *now = seen;
}

static double linear_crossing(jn_sim *s, surface *g, double end, struct watch_due *due)
{
    double a[SERIES_TERMS], noise;
    const stretch *p = &s->course.stretch;
    view v = jni_present(s);
    look_at(&v, g);
    if (s->now.m->engine->see)
        see_now(&g->noted, s, g);
    int part, side = jni_triple_sign(&g->noted, &part);
    double now = g->noted.part[FINITE];
    if (!s->now.m->engine->series(a, &noise, s, s->now.m, &g->form) || isnan(a[0]))
        return NOWHERE; /* nothing determines it in this mode */
    double c0 = jni_form_constant(s, &g->form, s->now.discrete), ct = g->form.ct;
    noise += NOISE_OF_SUM * (fabs(c0) + fabs(ct) * (fabs(s->clock.t) + p->length));
    a[0] += c0 + ct * (s->clock.t + 0.5 * p->length);
    a[1] += ct * 0.5 * p->length;
    if (!s->now.m->engine->see && !isnan(now)) /* it begins where the present is */
        a[0] += now - jni_series_at(a, p->n, -1);
    if (side && fabs(now) <= noise && g->side == side)
        noise = 0.5 * fabs(now); /* it was clear where it started */
    crossing c = {
        .a = a, .n = p->n, .length = p->length, .end = end, .noise = noise, .t0 = s->clock.t};
    if (goes_astray(s, g, &c, side)) {
        due->passes = false;
        due->to = side;
        return due->clear = 0;
    }
    /* what has just been asked, again and again, has not come to rest there: the stretch is too short to tell */
    bool is_tired = g->crossed_at == s->clock.t && s->course.crowd > CROWD_TIRED;
    return leaves_side(g, &c, side, s->course.is_brief || is_tired, due);
}

/* ---- sampled ------------------------------------------------------------------------------- */

typedef struct {
    double a[SERIES_TERMS];
    double noise; /* also what rounding of the time alone may do to a value */
    double low, high;
} samples;

static double sample(jn_sim *s, const surface *g, double *z, double tau, double *noise)
{
    view v = jni_present(s);
    if (g->reads_model) {
        s->now.m->engine->glance(z, s, s->now.m, tau);
        v.z = z;
    }
    v.t = s->clock.t + tau;
    triple x = jni_surface_value(&v, g);
    *noise = fmax(*noise, x.noise[FINITE]);
    return x.part[FINITE];
}

static void take_samples(samples *to, jn_sim *s, surface *g, double *z, double end)
{
    double values[SERIES_TERMS], largest = 0;
    to->noise = 0;
    to->low = INFINITY;
    to->high = -INFINITY;
    for (int i = 0; i < SERIES_TERMS; i++) {
        double u = cos(PI * i / SERIES_DEGREE);
        values[i] = sample(s, g, z, 0.5 * end * (1 + u), &to->noise);
        largest = fmax(largest, fabs(values[i]));
        to->low = fmin(to->low, values[i]);
        to->high = fmax(to->high, values[i]);
    }
    jni_series_fit(to->a, values, SERIES_TERMS);
    g->scale = fmax(g->scale, largest);
    double late = s->clock.t + end;
    to->noise += 8 * (to->high - to->low) / end * (nextafter(late, INFINITY) - late);
}

static bool is_smooth(const samples *p, double scale)
{
    double tail = 0;
    if (isnan(p->a[0]))
        return false;
    for (int k = SERIES_DEGREE - 2; k <= SERIES_DEGREE; k++)
        tail = fmax(tail, fabs(p->a[k]));
    return tail <= SMOOTH_TAIL * scale + p->noise;
}

/* How far the samples over [0, end] can be trusted: half of it where they are not smooth, and up to where a
 * comparison of time alone does something that lies between them. */
static double trusted(const samples *p, jn_sim *s, const surface *g, double end)
{
    if (!is_smooth(p, g->scale))
        return 0.5 * end;
    if (g->reads_model)
        return end;
    const jn_expr apart = {.op = JN_X_SUB, .nargs = 2, .arg = g->e->arg};
    double more = BRIEF_BEYOND * (p->high - p->low) + p->noise;
    view v = jni_present(s);
    v.m = NULL;
    double t = s->clock.t;
    return jni_range_leaves(&v, t, t + end, &apart, (range){p->low - more, p->high + more}) - t;
}

/* Samples over [0, *end], shortening it until they are smooth; not below a small part of what was
 * smooth before, for there it must be a kink. */
static void shorten(samples *p, jn_sim *s, surface *g, double *z, double *end)
{
    double least = g->smooth / 4096;
    bool halved = false;
    if (g->smooth > 0)
        *end = fmin(*end, 4 * g->smooth);
    for (;;) {
        take_samples(p, s, g, z, *end);
        double far = trusted(p, s, g, *end);
        if (far >= *end || *end <= least || *end <= SAME_TIME * fabs(s->clock.t))
            break; /* shorter ones would hardly move the state */
        *end = fmax(far, 0.125 * *end);
        halved = true;
    }
    if (halved || *end > g->smooth)
        g->smooth = fmax(*end, least);
}

static double sampled_crossing(jn_sim *s, surface *g, double *end, struct watch_due *due)
{
    view v = jni_present(s);
    triple now = jni_surface_value(&v, g);
    int part, side = jni_triple_sign(&now, &part);
    samples p;
    if (isnan(now.part[FINITE])) {
        *end = fmin(*end, g->smooth > 0 ? g->smooth : *end);
        return NOWHERE;
    }
    double *z = jni_doubles(s->now.m->nz);
    shorten(&p, s, g, z, end);
    free(z);
    if (isnan(p.a[0])) { /* it loses its value on the way: look at the conditions there */
        due->to = 0;
        due->noise = 0;
        due->passes = false;
        return due->clear = *end;
    }
    crossing c = {.a = p.a,
                  .n = SERIES_TERMS,
                  .length = *end,
                  .end = *end,
                  .noise = p.noise + SMOOTH_NOISE * g->scale,
                  .t0 = s->clock.t};
    return leaves_side(g, &c, side, false, due);
}

/* ---- as an instant sees it ----------------------------------------------------------------- */

/* Beyond zero: +, at most its noise before it: 0. */
static double seen(jn_sim *s, const struct watch_due *due, double tau, double *z)
{
    view v = jni_present(s);
    v.t = s->clock.t + tau;
    v.z = z;
    s->now.m->engine->see(z, s, s->now.m, tau);
    triple x = jni_surface_value(&v, &s->watch.surface[due->surface]);
    double beyond = due->to * x.part[FINITE];
    return beyond > 0 || !(-beyond > x.noise[FINITE]) ? fmax(beyond, 0) : beyond;
}

/* Between a point before the crossing and one beyond it, as near as doubles allow. */
static double close_in(jn_sim *s, const struct watch_due *due, double near, double far, double *z)
{
    double late = s->clock.t + far, resolution = nextafter(late, INFINITY) - late;
    while (far - near > resolution) {
        double mid = 0.5 * (near + far);
        if (mid <= near || mid >= far)
            break;
        *(seen(s, due, mid, z) < 0 ? &near : &far) = mid;
    }
    return far;
}

/* Moves a crossing of the stretch to where an instant would see it: the stretch is known less well
 * than the equations are. False: not on this stretch. */
static bool confirm(jn_sim *s, struct watch_due *due, double end)
{
    double late = s->clock.t + due->tau, *z = jni_doubles(s->now.m->nz);
    double step = fmax(due->clear - due->tau, nextafter(late, INFINITY) - late);
    double near = due->tau, far = near;
    bool found = seen(s, due, near, z) >= 0;
    bool is_first = found;
    for (; !found && far < end; step *= 4) {
        far = fmin(due->tau + step, end);
        found = seen(s, due, far, z) >= 0;
        if (!found)
            near = far;
    }
    if (found && !is_first)
        due->tau = close_in(s, due, near, far, z);
    due->clear = fmax(due->clear, due->tau);
    free(z);
    return found;
}

/* The first of n crossings; where an engine sees more at an instant, as seen there. */
static double first_of(jn_sim *s, int *n, double end)
{
    watch *w = &s->watch;
    for (;;) {
        int best = -1;
        for (int k = 0; k < *n; k++)
            if (best < 0 || w->due[k].tau < w->due[best].tau)
                best = k;
        if (best < 0)
            return NOWHERE;
        struct watch_due *due = &w->due[best];
        double tau = due->tau;
        if (tau <= 0 || tau > end || !due->to || due->is_confirmed || !s->now.m->engine->see)
            return tau;
        due->is_confirmed = true;
        if (!confirm(s, due, end))
            *due = w->due[--*n];
    }
}

/* All that is crossed at the same moment, as far as times can be told apart: by doubles, and by how
 * well the sides of the surfaces are known. */
static void note_crossed(jn_sim *s, int n, double first)
{
    watch *w = &s->watch;
    double late = s->clock.t + first, same = first + 2 * (nextafter(late, INFINITY) - late);
    for (int k = 0; k < n && first > 0; k++)
        if (w->due[k].tau == first)
            same = fmax(same, w->due[k].clear);
    jni_watch_forget(s);
    w->passes = false;
    for (int k = 0; k < n; k++) {
        const struct watch_due *d = &w->due[k];
        if (d->tau <= same && !(first > 0 && d->tau == 0)) {
            w->passes |= d->passes;
            w->surface[d->surface].found_noise = d->noise;
            w->crossed[d->surface] = (signed char)(d->to ? d->to : ON_SURFACE);
            w->ncrossed++;
        }
    }
}

/* What all that is watched now reads. */
static void note_read(jn_sim *s)
{
    watch *w = &s->watch;
    int bonds = 2 * s->model.g->nbonds;
    memset(w->is_read, 0, (size_t)bonds * sizeof *w->is_read);
    w->reads_sampled = false;
    const int_list *all = watched_now(s);
    for (int i = 0; i < all->n; i++) {
        const surface *g = &w->surface[all->item[i]];
        w->reads_sampled |= g->kind == SURFACE_SAMPLED && g->reads_model;
        for (int k = 0; k < g->form.n && g->kind == SURFACE_LINEAR; k++)
            if (g->form.term[k].obs < bonds)
                w->is_read[g->form.term[k].obs] = true;
    }
}

double jni_watch_search(jn_sim *s, double *end, const bool *passed_over)
{
    watch *w = &s->watch;
    int n = 0;
    w->is_doubtful = false;
    if (!s->engine->is_exact)
        note_read(s);
    const struct watch_list *all = watched_lists(s);
    for (int k = 0; k < all->surfaces.n; k++) {
        int i = all->surfaces.item[k];
        surface *g = &w->surface[i];
        struct watch_due *due = &w->due[n];
        bool is_idle =
            (all->sole.item[k] && !jni_turns_matter(s, g)) || (passed_over && passed_over[i]);
        if (is_idle || g->kind == SURFACE_TIME || (s->slide && jni_slide_has(s->slide, i)))
            continue;
        due->surface = i;
        due->is_confirmed = due->is_doubtful = false;
        due->tau = g->kind == SURFACE_LINEAR ? linear_crossing(s, g, *end, due)
                                             : sampled_crossing(s, g, end, due);
        w->is_doubtful |= due->is_doubtful;
        n += due->tau >= 0;
    }
    double first = first_of(s, &n, *end);
    if (first < 0 || first > *end) { /* what lies beyond is looked at later */
        jni_watch_forget(s);
        return NOWHERE;
    }
    note_crossed(s, n, first);
    return first;
}
