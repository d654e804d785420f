/* byhand.c: steps, the instants within them, and comparing. */
#include "byhand.h"

#include <math.h>

/* Changes that are closer than this are at one instant. */
#define INSTANT 1e-13L

/* ---- following ----------------------------------------------------------------------------- */

static void rates_of(real *dx, real t, const real *x, const void *context)
{
    const byhand *h = context;
    h->net->rates(dx, t, x, h->on);
}

static void state_after(real *x, const byhand *h, real step)
{
    memcpy(x, h->x, sizeof h->x);
    case_follow(x, h->net->nstates, rates_of, h, h->t, h->t + step, 1);
}

/* The diode whose margin is negative after a step of that length; −1: none. */
static int changes_after(const byhand *h, real step)
{
    real x[BYHAND_STATES];
    state_after(x, h, step);
    for (int k = 0; k < h->net->ndiodes; k++)
        if (h->net->margin(k, h->t + step, x, h->on) < 0)
            return k;
    return -1;
}

static void keep_change(byhand *h)
{
    bool again = h->nchanges && h->t - h->change[h->nchanges - 1].t <= INSTANT * (1 + h->t);
    CHECK(h->nchanges < BYHAND_CHANGES);
    byhand_change *c = &h->change[again ? h->nchanges - 1 : h->nchanges++];
    c->t = h->t;
    memcpy(c->on, h->on, sizeof h->on);
}

/* As far as nothing changes, but at most one step; then the change. */
static void go(byhand *h, real step)
{
    real x[BYHAND_STATES], lo = 0, hi = step;
    int k = changes_after(h, hi);
    for (int i = 0; i < 80 && k >= 0; i++) {
        real middle = (lo + hi) / 2;
        int sooner = changes_after(h, middle);
        *(sooner >= 0 ? &hi : &lo) = middle;
        k = sooner >= 0 ? sooner : k;
    }
    state_after(x, h, hi);
    memcpy(h->x, x, sizeof x);
    h->t += hi;
    if (k >= 0) {
        h->on[k] = !h->on[k];
        keep_change(h);
    }
}

void byhand_to(byhand *h, real t)
{
    while (h->t < t && h->nchanges < BYHAND_CHANGES) {
        real left = t - h->t;
        go(h, left < h->step * 1.0001L ? left : h->step);
        if (left < h->step * 1.0001L && t - h->t < 1e-15L * t)
            h->t = t;
    }
}

/* ---- comparing ----------------------------------------------------------------------------- */

static bool is_on(const rig *r, const rig_event *e, const char *diode)
{
    int x = jn_graph_find(r->graph, diode);
    CHECK(x >= 0);
    return x >= 0 && e->to[r->graph->element[x].number] == '1';
}

/* The last event of the instant that begins with the i-th; that number, or −1: no more. */
static int next_instant(const rig *r, int i)
{
    while (i < r->nevents && r->event[i].t == 0)
        i++;
    if (i >= r->nevents)
        return -1;
    while (i + 1 < r->nevents && r->event[i + 1].t - r->event[i].t <= 1e-12 * r->event[i].t)
        i++;
    return i;
}

static bool same_modes(const byhand *h, const rig *r, const rig_event *e, const bool *on)
{
    for (int k = 0; k < h->net->ndiodes; k++)
        if (is_on(r, e, h->net->diode[k]) != on[k]) {
            printf("\n    t = %.9g: %s is %s", e->t, h->net->diode[k], on[k] ? "OFF" : "ON");
            return false;
        }
    return true;
}

void byhand_changes(const byhand *h, const rig *r, double bound)
{
    int i = -1;
    CHECK(h->nchanges > 0);
    for (int k = 0; k < h->nchanges; k++) {
        i = next_instant(r, i + 1);
        CHECK(i >= 0);
        if (i < 0)
            return;
        CLOSE_REL(r->event[i].t, h->change[k].t, bound);
        CHECK(same_modes(h, r, &r->event[i], h->change[k].on));
    }
    CHECK(next_instant(r, i + 1) < 0);
}
