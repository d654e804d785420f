/* integrate_settle.c: what settles at once, beside resistors that are served early.
 *
 * Beside a leak of R a coil's current becomes what the leak lets pass after some L/R. Where the leak is served early
 * (serve_early in run.c) the mode has it there at once: the coil is tied to what is around it, and jumps by as much. So
 *
 *     the jump is none that conditions see as an impulse, unless the leak would have to take a current that it
 *     cannot;
 *
 *     the values of the mode are those of an instant about L/R later, and each of them is known only to how far it
 *     moves meanwhile: at 10⁶ Ω and 1 mH 10⁻⁵ V, on which no diode turns;
 *
 *     leaks of about one size are served early together. If one of two coils settled at once and the other one did
 *     not, the second would see the first where it gets only together with it, and volts between them that
 *     there never are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrate.h"

/* Whether it is served early, and the mode gives it what it is served early for. */
static bool is_served(const model *k, const mode *m, int r)
{
    return k->early[r] && m->solved->gives_effort[k->g->resistor[r]] == (k->early[r] > 0);
}

/* When a switch cuts off a coil that a leak of 1e11 is beside, the leak would see 1e11 V for each ampere: that is no
 * current which settles, and turns a diode on as an impulse does. So what counts is how large the effort at the leak would
 * be at first, or the flow through a small resistor before a capacitor, beside what there is elsewhere. */
bool jni_relaxes(const integrate *n, const mode *m, int storage, double change)
{
    const model *k = &n->s->model;
    bool is_inertia = k->g->element[k->g->storage[storage]].kind == JN_I;
    double most[2], steepest = 0;
    jni_find_most(most, n);
    for (int r = 0; r < k->nr; r++)
        if (k->early[r] && m->solved->gives_effort[k->g->resistor[r]] == is_inertia)
            steepest = fmax(steepest, 1 / fabs(jni_slope_like(n, m, r)));
    double first = fabs(change / m->storage[storage]) * steepest;
    return first <= SETTLES_WITHIN * most[is_inertia ? 0 : 1];
}

/* The impulses that are left of a mode in which those that are served early have the largest effort or flow of all:
 * of what depends on them, and with that of what follows as these impulses move the rest. Free it. */
static double *find_impulses(const integrate *n, const mode *m, const double most[2], int rounds)
{
    const model *k = &n->s->model;
    const program *p = jni_program(m);
    size_t bytes = (size_t)m->solved->ncols * sizeof(double);
    double *sum = jni_doubles(m->solved->ncols), *size = jni_doubles(m->solved->ncols);
    double *moved = jni_doubles(k->nx);
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < k->nx; i++)
            moved[i] = m->integral[i] ? size[p->out[i]] / fabs(m->storage[i]) : 0;
        memset(size, 0, bytes);
        for (int i = 0; i < k->nx; i++)
            size[p->in[i]] = moved[i];
        for (int r = 0; r < k->nr; r++)
            if (is_served(k, m, r))
                size[p->in[k->nx + r]] =
                    fabs(jni_slope_like(n, m, r)) * most[k->early[r] > 0 ? 0 : 1];
        jni_program_sums(p, sum, size);
        for (int i = 0; i < k->nx; i++)
            moved[i] = m->integral[i] ? 0 : fabs(m->storage[i]) * size[p->out[i]];
        memset(size, 0, bytes);
        for (int i = 0; i < k->nx; i++)
            size[p->in[i]] = moved[i];
        jni_program_sums(p, sum, size);
    }
    free(sum);
    free(moved);
    return size;
}

double jni_relaxed_impulse(integrate *n, const mode *m, int obs)
{
    double most[2];
    jni_find_most(most, n);
    double *size = find_impulses(n, m, most, 2), off = RELAXED_BY * size[obs];
    free(size);
    return off;
}

static bool hastens_any(const integrate *n, const mode *m)
{
    for (int i = 0; i < n->s->model.nx && m->hastens; i++)
        if (m->hastens[i])
            return true;
    return false;
}

/* The impulse that it takes to bring a leak to an effort, by that effort. */
double jni_settling_time(integrate *n, const mode *m)
{
    const model *k = &n->s->model;
    double most[2], longest = 0;
    jni_find_most(most, n);
    if (!hastens_any(n, m) || !(most[0] > 0 && most[1] > 0))
        return 0;
    double *size = find_impulses(n, m, most, 1);
    for (int r = 0; r < k->nr; r++)
        if (is_served(k, m, r))
            longest =
                fmax(longest, size[jni_program(m)->out[k->nx + r]] / most[k->early[r] > 0 ? 0 : 1]);
    free(size);
    return isfinite(longest) ? SETTLED_AFTER * longest : 0;
}

bool jni_settles_soon(const integrate *n, bool is_leak, double slope)
{
    const model *k = &n->s->model;
    jn_kind kind = is_leak ? JN_I : JN_C;
    double most = 0;
    for (int i = 0; i < k->nx; i++)
        if (k->g->element[k->g->storage[i]].kind == kind)
            most = fmax(most, fabs(k->storage[i]));
    return most <= slope * SETTLES_IN * n->follower->longest;
}

void jni_serve_alike(jn_sim *s, const mode *m, int r)
{
    const integrate *n = jni_integrate(s);
    model *k = &s->model;
    double slope = fabs(jni_slope_like(n, m, r));
    for (int q = 0; q < k->nr; q++) {
        double own = fabs(jni_slope_like(n, m, q));
        bool is_served_so = m->solved->gives_effort[k->g->resistor[q]] == (k->early[r] > 0);
        own = is_served_so ? 1 / own : own;
        if (!k->early[q] && own > slope / ALIKE && own < slope * ALIKE &&
            jni_settles_soon(n, k->early[r] > 0, own) && jni_can_be_early(s, m, q))
            k->early[q] = k->early[r];
    }
}
