/* run_slide_rest.c: kinks on which a slide keeps the run.
 *
 * A body rubs on another one, which sticks to the ground, until a brake stops it. From then on the two are at
 * rest together, but nothing has been crossed to and fro: the speed of one on the other is 0 whichever way
 * its friction goes, since the brake and the other friction see to that. So what it bears is not the ±limit
 * that it had while it rubbed, but as open as that of any friction in a loop: it joins the slide, and the shares of
 * least norm are taken (run_slide_shares.c).
 *
 * A kink joins only where its rate follows from those of the surfaces that are slid on. Any other one is left or
 * slid on by what comes of it. */
#include <math.h>
#include <stdlib.h>

#include "instant.h"
#include "slide.h"

/* Whether the present is on the kink of a law that jumps there, and keeps to no side of it. */
static bool is_on_kink(const jn_sim *s, const view *now, int branch)
{
    const branches *b = s->branches;
    const comparison *c = jni_watched(s, jni_branch_condition(b, branch));
    int part;
    if (!c || c->reads_past || c->other >= 0 || !jni_branch_jumps(b, branch) ||
        jni_branch_is_seamless(b, branch) || !jni_branch_is_simple(b, branch) ||
        jni_branch_is_free(b, branch) || jni_slide_turns(s->slide, branch) ||
        jni_slide_has(s->slide, c->surface))
        return false;
    const surface *g = &s->watch.surface[c->surface];
    if (g->kind == SURFACE_TIME)
        return false;
    triple x = jni_surface_value(now, g);
    return !jni_triple_sign(&x, &part) && jni_branch_matters(s, branch);
}

/* With one more surface, and all that turns on it. */
static slide *join(jn_sim *s, int number)
{
    const branches *b = s->branches;
    slide *d = jni_slide_copy(s, s->slide);
    slid *p = jni_slide_on(d, number);
    for (int k = 0; k < jni_branches_count(b) && p; k++) {
        const jn_expr *e = jni_branch_condition(b, k);
        const comparison *c = jni_watched(s, e);
        if (!c || c->surface != number || c->other >= 0 || jni_slide_turns(d, k))
            continue;
        int above = (e->op == JN_X_GT || e->op == JN_X_GE) == (c->sign > 0);
        jni_slide_turn(p, k, 1 - above, above, 1);
    }
    if (p)
        return d;
    jni_slide_drop(d);
    return NULL;
}

/* Whether it is slid on with all the others, and leaves one more direction open. */
static bool keeps_to_all(slide *d)
{
    const jn_sim *s = d->s;
    int before = s->slide->mix.shares.nnull;
    if (!jni_slide_pattern(d, s->now.x, s->now.integral))
        return false;
    for (int i = 0; i < d->n; i++)
        if (d->on[i].fixed >= 0)
            return false;
    return d->mix.shares.nnull > before;
}

/* NULL: it does not. */
static slide *joined(jn_sim *s, int number)
{
    branches *b = s->branches;
    int nb = jni_branches_count(b);
    slide *d = join(s, number);
    if (!d)
        return NULL;
    double *share = jni_doubles(nb);
    for (int k = 0; k < nb; k++)
        share[k] = jni_branch_share(b, k);
    bool ok = keeps_to_all(d);
    for (int k = 0; k < nb; k++)
        jni_branch_set(b, k, share[k]);
    free(share);
    if (ok)
        return d;
    jni_slide_drop(d);
    return NULL;
}

/* Takes the place of the slide of the present. */
static jn_status replace(slide *d, jn_stopped *stop)
{
    jn_sim *s = d->s;
    jn_onoff *from = jn_alloc((size_t)s->model.g->nswitches);
    for (int k = 0; k < s->model.g->nswitches; k++)
        from[k] = s->now.onoff[k];
    jni_close_stretch(s);
    jni_instants_tell(s);
    jni_slide_free(s);
    jn_status st = jni_slide_stay(d, stop);
    if (st == JN_OK)
        jni_slide_tell(d, from, "goes on along");
    free(from);
    return st;
}

jn_status jni_slide_rest(jn_sim *s, bool *found, jn_stopped *stop)
{
    view now = jni_present(s);
    slide *d = NULL;
    for (int k = 0; s->slide && k < jni_branches_count(s->branches) && !d; k++)
        if (is_on_kink(s, &now, k))
            d = joined(s, jni_watched(s, jni_branch_condition(s->branches, k))->surface);
    *found = d;
    return d ? replace(d, stop) : JN_OK;
}
