/* run_slide_kinks.c: kinks and steps of what is slid on.
 *
 * A relay may follow a reference, e(n) > 2 + max(0, t − 1), and slide along it. What is followed has
 * to be smooth: so the ways of `if`, `abs`, `min`, `max` and `sign` in what is compared are held along a
 * stretch, as those of laws are, and their own surfaces are watched as long as the run slides. An
 * instant settles them. A kink bends the slide; where the reference steps away, the slide is over.
 * Points of a table over time are such instants too. */
#include <math.h>

#include "instant.h"
#include "slide.h"

int jni_slide_count(const slide *d)
{
    return d->n;
}

int jni_slide_surface(const slide *d, int i)
{
    return d->on[i].surface;
}

static const surface *surface_of(const slide *d, int i)
{
    return &d->s->watch.surface[d->on[i].surface];
}

bool jni_kinks_settle(slide *d, const view *v)
{
    branches *b = d->s->watch.kinks;
    bool changed = false;
    for (int i = 0; i < d->n; i++) {
        const int_list *kinks = &surface_of(d, i)->kinks;
        for (int k = 0; k < kinks->n; k++) {
            int number = kinks->item[k];
            double before = jni_branch_share(b, number);
            double share = jni_settled_share(v, jni_branch_condition(b, number), before);
            jni_branch_set(b, number, share);
            changed = changed || share != before;
        }
    }
    return changed;
}

bool jni_kinks_step(slide *d, const view *v, const double *x, const double *integral, bool *changed)
{
    double before[SLIDE_MOST];
    for (int i = 0; i < d->n; i++)
        before[i] = d->mix.gap[i];
    *changed = jni_kinks_settle(d, v);
    if (!*changed)
        return false;
    if (!jni_mix(d, v->t, x, integral))
        return true;
    for (int i = 0; i < d->n; i++) {
        triple g = jni_surface_value(&(view){.s = v->s,
                                             .m = v->m,
                                             .z = v->z,
                                             .state = v->state,
                                             .discrete = v->discrete,
                                             .t = v->t,
                                             .prior = v->prior},
                                     surface_of(d, i));
        if (!(fabs(d->mix.gap[i] - before[i]) <= 2 * g.noise[FINITE]))
            return true;
    }
    return false;
}

double jni_slide_next_time(const slide *d, double t)
{
    double first = INFINITY;
    for (int i = 0; i < d->n; i++)
        first = fmin(first, jni_tables_next(&d->s->model, surface_of(d, i)->e, t));
    return first;
}
