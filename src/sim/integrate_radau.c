/* integrate_radau.c: step by step through a mode by Radau's method.
 *
 * Each step is a polynomial. A stretch that is given up halfway (something is too wild to be
 * followed that far) leaves the rest of the step to the next one; only an event begins anew. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrate.h"

follower *jni_follower_new(integrate *n)
{
    follower *f = jn_alloc(sizeof *f);
    f->n = n;
    f->y = jni_doubles(n->k.n);
    f->yp = jni_doubles(n->k.n);
    f->before = jni_doubles(n->k.n);
    f->given = jni_doubles(n->k.n);
    return f;
}

void jni_follower_free(follower *f)
{
    if (!f)
        return;
    free(f->y);
    free(f->yp);
    free(f->before);
    free(f->given);
    jni_collocation_free(f->collocation);
    free(f);
}

void jni_follower_restart(follower *f)
{
    f->is_running = false;
}

void jni_follower_forget(follower *f)
{
    jni_collocation_free(f->collocation);
    f->collocation = NULL;
    f->is_running = false;
}

void jni_follower_carry(follower *to, const follower *from)
{
    int n = from->n->k.n;
    to->longest = from->longest;
    to->is_scaled = from->is_scaled;
    jni_copy(to->before, from->before, n);
    jni_copy(to->given, from->given, n);
}

void jni_follower_leave(follower *f, const mode *m)
{
    const program *p = jni_program(m);
    if (f->m == m)
        f->is_running = false;
    if (f->collocation && p->structure)
        jni_collocation_leave(f->collocation, jni_structure_pattern(p->structure));
}

/* ---- the equations, as they stand ---------------------------------------------------------- */

static bool residual(void *ctx, double t, const double *y, const double *yp, double *F)
{
    follower *f = ctx;
    integrate *n = f->n;
    jni_residual_at(n, y, yp);
    jni_residual(n, f->m, (dual){t, 0}, NULL);
    bool ok = true;
    for (int i = 0; i < n->k.n; i++) {
        F[i] = n->w.F[i].v;
        ok = ok && isfinite(F[i]);
    }
    return ok;
}

static bool jacobian(void *ctx, double t, const double *y, const double *yp, double *by_y,
                     double *by_yp)
{
    follower *f = ctx;
    return jni_structure_jacobian(jni_program(f->m)->structure, f->n, f->m, t, y, yp, by_y, by_yp);
}

static double highest_peak(const integrate *n)
{
    double highest = 0;
    for (int i = 0; i < n->k.n; i++)
        highest = fmax(highest, n->size.peak[i]);
    return highest;
}

/* The largest state there was, of those that would store as much with a value of 1. */
static double common_root(const integrate *n)
{
    double most = 0;
    for (int i = 0; i < n->s->model.nx; i++)
        most = fmax(most, n->size.peak[i] / sqrt(fabs(n->s->model.storage[i])));
    return isfinite(most) ? most : 0;
}

/* Whether the equations leave the state where it is, but for rounding: also for that of one that stores as much as any
 * has. */
static bool stays(const integrate *n)
{
    const jn_sim *s = n->s;
    double root = 1e-6 * common_root(n);
    for (int i = 0; i < s->model.nx; i++) {
        double size =
            fmax(fmax(n->size.peak[i], n->size.tied[i]), root * sqrt(fabs(s->model.storage[i])));
        if (fabs(n->y[i] - s->now.x[i]) > 1e-9 * size)
            return false;
    }
    return true;
}

/* Relative to each unknown, but not to less than a thousandth of the largest it has been. */
static void tolerance(void *ctx, const double *y, double *tol)
{
    const integrate *n = ((follower *)ctx)->n;
    const jn_sim_options *o = &n->s->o;
    double rtol = jni_integrate_tolerance(n), highest = highest_peak(n), root = common_root(n);
    double least = highest > LEAST_STATE ? 1e-6 * highest : 1;
    for (int i = 0; i < n->k.n; i++) {
        bool is_state = i < n->s->model.nx && root > 0; /* whatever the units of the others are */
        double own =
            is_state ? fmin(least, 1e-6 * root * sqrt(fabs(n->s->model.storage[i]))) : least;
        n->size.floor[i] = STEP_FLOOR * fmax(n->size.peak[i], n->size.around[i]);
        double floor = fmax(n->size.floor[i], STEP_FLOOR * own);
        tol[i] = rtol * fmax(fabs(y[i]), o->atol > 0 ? 0 : floor) + o->atol;
    }
}

void jni_follower_tolerance(follower *f, const double *y, double *tol)
{
    tolerance(f, y, tol);
}

/* ---- steps --------------------------------------------------------------------------------- */

/* How large the same variable is at the other bonds of a junction. */
static double around_bond(const integrate *n, int element, int bond, bool effort)
{
    const jn_graph *g = n->s->model.g;
    int other = g->bond[bond].tail == element ? g->bond[bond].head : g->bond[bond].tail;
    double most = 0;
    for (int k = 0; k < g->element[other].nbonds; k++)
        most = fmax(most, n->size.largest[2 * g->element[other].bond[k] + !effort]);
    return most;
}

/* What passes through a resistor may begin at nothing: it counts beside what passes around it. */
static void look_around(follower *f)
{
    integrate *n = f->n;
    const model *k = &n->s->model;
    for (int r = 0; r < k->nr; r++) {
        int element = k->g->resistor[r];
        bool effort = !f->m->solved->gives_effort[element]; /* it is given its effort */
        n->size.around[n->k.first_r + r] =
            around_bond(n, element, k->g->element[element].bond[0], effort);
    }
}

/* The largest of what adds up to the rate of a storage now. */
static double summands(const jn_sim *s, int storage)
{
    const jn_graph *g = s->model.g;
    const jn_element *x = &g->element[g->storage[storage]];
    const jn_bond *b = &g->bond[x->bond[0]];
    const jn_element *at = &g->element[b->tail == g->storage[storage] ? b->head : b->tail];
    double most = 0;
    for (int k = 0; k < at->nbonds; k++)
        most = fmax(most, fabs(s->now.z[2 * at->bond[k] + (x->kind != JN_I)]));
    return most;
}

/* How fast an unknown changes. Where a diode with a drop begins to conduct, nothing is left of the sum that
 * drives the current but how well the time of the crossing is known: then it is none. */
static double rate_of(const integrate *n, int i)
{
    double rate = fabs(n->yp[i]);
    bool adds_up = i < n->s->model.nx;
    return adds_up && rate <= NOISE_OF_STEP * STEP_RTOL * summands(n->s, i) ? 0 : rate;
}

/* How far things stay about as they are. */
static double first_step(const follower *f)
{
    const integrate *n = f->n;
    double h = f->longest;
    for (int i = 0; i < n->k.n; i++) {
        double rate = rate_of(n, i);
        if (rate > 0 && n->size.peak[i] > 0)
            h = fmin(h, fmax(n->size.peak[i] / rate, 1e-6 * f->longest));
    }
    return h;
}

/* From the states there; the rates of dependent ones are those of the last step. */
static void settle(void *ctx, double t, double *y)
{
    follower *f = ctx;
    integrate *n = f->n;
    int first = n->k.first_r, count = n->k.first_s - first;
    if (f->to > f->from) {
        jni_follower_at(f, f->to, true);
        memcpy(n->yp, f->yp, (size_t)n->k.n * sizeof *n->yp);
    }
    if (jni_integrate_jump(n, f->m, t, y, y + n->k.first_s, y))
        memcpy(y + first, n->y + first, (size_t)count * sizeof *y);
}

/* By rounding of the time, and of what laws compute: (1 + q)² − 1 is known to that of 1. */
static void drift(void *ctx, double t, const double *y, const double *yp, double *off)
{
    follower *f = ctx;
    integrate *n = f->n;
    jni_residual_at(n, y, yp);
    n->w.drifts = true;
    jni_residual(n, f->m, (dual){t, t}, NULL);
    n->w.drifts = false;
    for (int i = 0; i < n->k.n; i++)
        off[i] = fabs(n->w.F[i].d);
    jni_add_sources(off, n, f->m, true);
    for (int i = 0; i < n->k.n; i++)
        off[i] *= 8 * DBL_EPSILON;
    n->w.rounds = true;
    jni_residual(n, f->m, (dual){t, 0}, NULL);
    n->w.rounds = false;
    for (int i = 0; i < n->k.first_s; i++)
        if (i >= n->s->model.nx || !f->m->integral[i])
            off[i] += fabs(n->w.F[i].d);
}

/* A root is infinitely steep where it begins, and nowhere else; so is the inverse of a law without slope there. */
static bool has_roots(const integrate *n)
{
    const model *k = &n->s->model;
    for (int r = 0; r < k->nr; r++)
        if (n->flat[r].is_inverted)
            return true;
    for (int i = 0; i < k->steep.n; i++) {
        const jn_expr *e = k->steep.item[i].e;
        bool is_power = e->op == JN_X_POW && e->arg[1]->op == JN_X_NUMBER &&
                        jni_number_of((model *)k, e->arg[1]->number) >= 1;
        if (!is_power)
            return true;
    }
    return false;
}

/* How far unknowns get in a short while sets their scale where there is none yet. A capacitor that is full after 1e-12 s
 * gets no further than that; an empty tank, whose outlet would seem to hold all of it back, does. */
static bool get_ahead(double *moved, follower *f, const sparse_pattern *pattern, const double *yp)
{
    const integrate *n = f->n;
    return f->collocation && !has_roots(n) &&
           jni_collocation_ahead(moved, f->collocation, pattern, n->s->clock.t, n->y, yp,
                                 SCALE_OF_WHILE * f->longest);
}

/* What sources will make of them is held back likewise. */
static void trim_scale(follower *f, const sparse_pattern *pattern)
{
    integrate *n = f->n;
    bool ok = f->is_scaled && get_ahead(n->trial, f, pattern, f->given);
    for (int i = 0; i < n->s->model.nx && ok; i++)
        if (isfinite(n->trial[i]))
            n->size.peak[i] = fmax(f->before[i], fmin(n->size.peak[i], n->trial[i]));
    f->is_scaled = false;
}

static void scale_by_rates(follower *f, const sparse_pattern *pattern)
{
    integrate *n = f->n;
    double ahead = SCALE_OF_WHILE * f->longest;
    trim_scale(f, pattern);
    bool ok = get_ahead(n->trial, f, pattern, n->yp);
    for (int i = 0; i < n->k.n; i++) { /* what is found at once has rates that may be anything */
        double moved = ahead * rate_of(n, i);
        if (ok && isfinite(n->trial[i]))
            moved = fmin(moved, n->trial[i]);
        if (i < n->s->model.nx || i >= n->k.first_s)
            n->size.peak[i] = fmax(n->size.peak[i], moved);
    }
}

static bool may_settle(void *ctx)
{
    const integrate *n = ((const follower *)ctx)->n;
    bool has_pieces =
        false; /* a law that is inverted piece by piece: else it only asks for shorter steps */
    for (int r = 0; r < n->s->model.nr; r++) {
        if (n->s->model.early[r] || n->loses[r])
            return false;
        has_pieces |= n->s->model.pieces[r].n > 0;
    }
    return has_pieces;
}

static void begin(follower *f)
{
    integrate *n = f->n;
    double t = n->s->clock.t;
    const sparse_pattern *pattern = jni_structure_pattern(jni_slopes_of(n, f->m, t));
    jni_program(f->m)->is_followed = true;
    if (!f->collocation) {
        collocation_problem q = {f,
                                 n->k.n,
                                 residual,
                                 jacobian,
                                 tolerance,
                                 n->k.bends,
                                 jni_integrate_tolerance(n),
                                 n->size.floor,
                                 n->is_of_others,
                                 drift,
                                 may_settle,
                                 settle,
                                 n->s};
        f->collocation = jni_collocation_new(&q);
    }
    look_around(f);
    jni_faint_find(n, f->m);
    scale_by_rates(f, pattern);
    if (f->collocation)
        jni_collocation_start(f->collocation, pattern, t, n->y, n->yp, first_step(f));
}

/* What the sources will have made of each storage a short while later, as it is now. */
static void look_ahead(follower *f, double *x)
{
    integrate *n = f->n;
    double t = n->s->clock.t, ahead = fmin(f->longest, n->s->course.until - t);
    memset(n->trial, 0, (size_t)n->k.n * sizeof *n->trial);
    jni_residual_at(n, n->y, n->trial);
    jni_residual(n, f->m, (dual){t + ahead, 0}, NULL);
    memset(f->given, 0, (size_t)n->k.n * sizeof *f->given);
    for (int i = 0; i < n->s->model.nx; i++) {
        double rate = f->m->integral[i] ? fabs(n->w.F[i].v) : 0;
        x[i] = isfinite(rate) ? SCALE_OF_WHILE * ahead * rate : 0;
        f->given[i] = isfinite(rate) && rate > 0 ? -n->w.F[i].v : 0;
        f->before[i] = n->size.peak[i];
    }
    f->is_scaled = true;
}

/* Where all is at nothing, as an empty tank is when a pump starts, that says what is little. Else the root
 * of its outlet would be rounded off, and its level known, by a unit, or by what a pump gives after 1e-16 s. */
static void scale_by_sources(follower *f)
{
    integrate *n = f->n;
    int nx = n->s->model.nx;
    double most = 0, highest = 0, *x = n->trial;
    if (!n->s->model.steep.n)
        return;
    look_ahead(f, x);
    for (int i = 0; i < nx; i++) {
        most = fmax(most, x[i]);
        highest = fmax(highest, n->size.peak[i]);
    }
    for (int i = 0; i < nx && highest <= NOTHING_BESIDE * most; i++)
        n->size.peak[i] = fmax(n->size.peak[i], x[i]);
}

static void note_steep(follower *f, double t, const double *y, const double *yp)
{
    integrate *n = f->n;
    jni_follower_tolerance(f, y, n->trial);
    if (highest_peak(n) <= LEAST_STATE) /* a unit is no measure of what will be */
        memset(n->trial, 0, (size_t)n->k.n * sizeof *n->trial);
    for (int i = 0; i < n->s->model.nx;
         i++) /* what happens within the rounding of times cannot be followed */
        if (isfinite(yp[i]))
            n->trial[i] = fmax(n->trial[i], SAME_TIME * fabs(t * yp[i]));
    jni_note_steep(n, f->m, t, y, yp, n->trial);
}

/* A law that goes no further, and is driven on. */
static bool is_at_an_end(follower *f)
{
    integrate *n = f->n;
    const model *k = &n->s->model;
    jni_residual_at(n, n->y, n->yp);
    for (int i = 0; i < n->k.n; i++)
        n->w.Y[i].d = n->yp[i];
    moment at = jni_carry(n, f->m, (dual){n->s->clock.t, 1});
    for (int r = 0; r < k->nr; r++) {
        int other = n->flat[r].is_inverted ? jni_in_series(n, f->m, r)->other : 0;
        jn_str_reset(&n->explanation);
        if (other) {
            jn_str_addf(&n->explanation,
                        "the laws of '%s' and '%s' jump in series, and nothing determines how they "
                        "share what they bear where both stand still: write them as one law",
                        k->g->element[k->g->resistor[r]].name,
                        k->g->element[k->g->resistor[other - 1]].name);
            n->s->trouble.why = jn_str_c(&n->explanation);
            return true;
        }
        if (!jni_flat_ends(n, &at, r))
            continue;
        jn_str_addf(&n->explanation,
                    "the law of '%s' has come to its end, and what it is given goes on beyond that",
                    k->g->element[k->g->resistor[r]].name);
        n->s->trouble.why = jn_str_c(&n->explanation);
        return true;
    }
    return false;
}

/* Values for which prior(x) is x. They may not move the state. */
static bool start(follower *f, mode *m, double wanted)
{
    integrate *n = f->n;
    jn_sim *s = n->s;
    f->m = m;
    n->w.at = NULL;
    jni_flat_enter(n, m, s->clock.t, s->now.x);
    jni_faint_widen(n);
    if (!jni_integrate_solve(n, m, s->clock.t, s->now.x, s->now.integral, BRANCH_HELD)) {
        s->trouble.why = "the equations of the mode have no solution that could be found";
        return false;
    }
    jni_integrate_observe(s->now.z, n, m, s->clock.t, n->y, n->yp, FROM_EQUATIONS);
    if (is_at_an_end(f))
        return false;
    if (!stays(n)) {
        s->trouble.why =
            "a source that follows prior values moves the state while the mode goes on";
        return false;
    }
    f->from = f->to = s->clock.t;
    f->longest = fmax(f->longest, fmax(jni_short_while(s, wanted), 1e-9 * fabs(s->clock.t)));
    scale_by_sources(f);
    note_steep(f, s->clock.t, n->y, n->yp);
    begin(f);
    f->is_running = f->collocation;
    s->trouble.why = "the integrator could not be started";
    return f->is_running;
}

/* The element whose law is to blame: one that is not linear, if there is one that was hard. */
static int blamed(const follower *f)
{
    const jn_graph *g = f->n->s->model.g;
    int suspect = jni_unknown_element(f->n, jni_collocation_suspect(f->collocation)), worst = -1;
    double most = -1;
    for (int k = 0; k < f->n->k.n; k++) {
        int element = jni_unknown_element(f->n, k);
        double blame = jni_collocation_blame(f->collocation, k);
        bool bends =
            element >= 0 && (g->element[element].nonlinear || g->element[element].modulated);
        if (bends && blame > most) {
            most = blame;
            worst = element;
        }
    }
    return worst >= 0 ? worst : suspect;
}

/* Whether a function of time has a pole there. */
static bool explain_pole(follower *f)
{
    integrate *n = f->n;
    const double near = 1e-9; /* of the time: steps end that far before it at most */
    int element = -1;
    double pole = jni_brief_pole(&element, n->s, f->to, near * fabs(f->to));
    if (isinf(pole) || element < 0)
        return false;
    jn_str_addf(&n->explanation, "'%s' grows without bound: it has a pole at t = %.15g",
                n->s->model.g->element[element].name, pole);
    n->s->trouble.why = jn_str_c(&n->explanation);
    return true;
}

static void explain(follower *f)
{
    integrate *n = f->n;
    int element = blamed(f);
    jn_str_reset(&n->explanation);
    if (explain_pole(f))
        return;
    jn_str_add(&n->explanation, "the integrator finds no way on");
    const jn_element *x = element >= 0 ? &n->s->model.g->element[element] : NULL;
    if (x && !x->nonlinear && !x->modulated)
        jn_str_addf(&n->explanation,
                    "; look at '%s': what happens there takes less time than doubles can tell from "
                    "this one, or grows without bound, as before the pole of a source",
                    x->name);
    else if (x)
        jn_str_addf(&n->explanation,
                    "; look at '%s': has its law a value there, and is it not so steep that it "
                    "should be written for its other variable?",
                    x->name);
    n->s->trouble.why = jn_str_c(&n->explanation);
}

static bool step(follower *f)
{
    integrate *n = f->n;
    if (f->to > f->from) { /* what the end of a step is like counts once the run has come to it */
        jni_follower_at(f, f->to, true);
        for (int i = 0; i < n->k.n; i++)
            n->size.peak[i] = fmax(n->size.peak[i], fabs(f->y[i]));
        note_steep(f, f->to, f->y, f->yp);
        jni_flat_widen(n, f->m, f->to, f->y, f->yp);
        if (jni_faint_widen(n))
            jni_collocation_unsettle(f->collocation);
    }
    f->from = f->to;
    bool ok = jni_collocation_step(f->collocation, &f->to, n->s->course.until);
    if (!ok)
        explain(f);
    return ok;
}

void jni_follower_at(follower *f, double t, bool with_rates)
{
    jni_collocation_at(f->collocation, t, f->y, with_rates ? f->yp : NULL);
}

/* What the equations say from the states there; the step is a good first guess. */
static bool solve_there(follower *f, double t)
{
    integrate *n = f->n;
    memcpy(n->y, f->y, (size_t)n->k.n * sizeof *n->y);
    memcpy(n->yp, f->yp, (size_t)n->k.n * sizeof *n->yp);
    return jni_integrate_solve(n, f->m, t, f->y, f->y + n->k.first_s, BRANCH_HELD);
}

/* The rate of a dependent storage is that of the polynomial. This is known less well than its values
 * by the square of its degree, and mostly rounding over points that are very close together: there,
 * where expressions read it, and where the caller wants to know, it is taken from the equations. */
static bool find_rates(follower *f, double t, bool wanted)
{
    integrate *n = f->n;
    if (n->reads_rates)
        return solve_there(f, t);
    if (!wanted && f->to - f->from >= 1e-5 * f->longest)
        return false;
    memcpy(n->y, f->y, (size_t)n->k.n * sizeof *n->y);
    memcpy(n->yp, f->yp, (size_t)n->k.n * sizeof *n->yp);
    return jni_integrate_rates(n, f->m, t);
}

void jni_follower_observe(double *z, follower *f, double t, bool with_noise, bool with_rates)
{
    integrate *n = f->n;
    bool depends = jni_program(f->m)->is_dependent;
    jni_follower_at(f, t, depends);
    bool solved = depends && find_rates(f, t, with_rates);
    jni_integrate_observe(z, n, f->m, t, solved ? n->y : f->y, solved ? n->yp : f->yp,
                          with_noise ? FROM_STEP : NOT_ASKED);
}

/* Without dependent storages no rate is read. */
void jni_follower_see(double *z, follower *f, double t)
{
    integrate *n = f->n;
    jni_follower_at(f, t, true);
    bool solved = jni_program(f->m)->is_dependent
                      ? solve_there(f, t)
                      : jni_integrate_jump(n, f->m, t, f->y, f->y + n->k.first_s, f->y);
    jni_integrate_observe(z, n, f->m, t, solved ? n->y : f->y, solved ? n->yp : f->yp,
                          solved ? FROM_EQUATIONS : FROM_STEP);
}

double jni_follower_step(follower *f, mode *m, double wanted)
{
    double now = f->n->s->clock.t;
    f->n->w.at = NULL;
    if (!f->is_running && !start(f, m, wanted))
        return now;
    /* what is left of the last step may be nothing but rounding, unless something is due there */
    bool is_due = f->to >= f->n->s->course.until;
    bool is_short = f->to - now <= 1e-9 * (f->to - f->from) && !is_due;
    bool is_over = is_short || f->to <= (is_due ? now : nextafter(now, INFINITY));
    if (is_over && !step(f)) {
        f->is_running = false;
        return now;
    }
    return f->to;
}
