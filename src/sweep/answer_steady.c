/* answer_steady.c: what is asked of a periodic orbit.
 *
 * All values that are metered are measured along one period by jn_steady_find, whose mean, rms and
 * extrema are exact; energies are those of one period. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sweep_internal.h"

#include "junct/periodic.h"

typedef struct {
    const jn_expr **value;
    const char **name;
} orbit;

static jn_steady_options options_of(jn_sweep *s)
{
    const orbit *o = s->own;
    const jn_sim_options *sim = &s->q.sim;
    return (jn_steady_options){.method = sim->method,
                               .rtol = sim->rtol,
                               .atol = sim->atol,
                               .folder = sim->folder,
                               .interrupted = jni_sweep_interrupted,
                               .ctx = s,
                               .period = s->q.period,
                               .times = s->q.times,
                               .is_free = s->q.is_free,
                               .nharmonics = 1,
                               .nvalues = s->measures.nmetered,
                               .value = o->value,
                               .name = o->name};
}

static jn_status find_first(jn_sweep *s, jn_diags *d)
{
    jn_steady *o = NULL;
    jn_steady_options options = options_of(s);
    jn_status st = jn_steady_find(&o, s->g, &options, d);
    jn_steady_free(o);
    return st;
}

static jn_status begin(jn_sweep *s, jn_diags *d)
{
    const measures *m = &s->measures;
    orbit *o = s->own = jn_alloc(sizeof *o);
    o->value = jn_arena_alloc(s->arena, (size_t)m->nmetered * sizeof *o->value);
    o->name = jn_arena_alloc(s->arena, (size_t)m->nmetered * sizeof *o->name);
    for (int i = 0; i < m->nmetered; i++) {
        o->value[i] = m->metered[i].e;
        o->name[i] = m->metered[i].text;
    }
    return jni_sweep_try(s, find_first, d);
}

static void end(jn_sweep *s)
{
    free(s->own);
}

static double size_of(jn_complex x)
{
    return hypot(x.re, x.im);
}

static double of_value(const jn_steady_value *v, leaf_kind kind)
{
    switch (kind) {
    case LEAF_MEAN:
        return v->mean;
    case LEAF_RMS:
        return v->rms;
    case LEAF_MIN:
        return v->min;
    default:
        return v->max;
    }
}

static double stable(const jn_steady *o)
{
    if (o->verdict == JN_ORBIT_UNKNOWN || o->verdict == JN_ORBIT_NEUTRAL)
        return NAN;
    return o->verdict == JN_ORBIT_STABLE;
}

static double leaf_value(const jn_steady *o, const leaf *l)
{
    switch (l->kind) {
    case LEAF_COUNT_MODES:
        return o->nmodes;
    case LEAF_SUPPLIED:
        return o->energy.supplied;
    case LEAF_STORED:
        return o->energy.stored;
    case LEAF_DISSIPATED:
        return o->energy.dissipated;
    case LEAF_LOST:
        return o->energy.lost;
    case LEAF_PERIOD:
        return o->period;
    case LEAF_MULTIPLIER:
        return o->nmultipliers ? size_of(o->multiplier[0]) : NAN;
    case LEAF_STABLE:
        return stable(o);
    default:
        return of_value(&o->value[l->metered], l->kind);
    }
}

static void fill(answer *to, const jn_sweep *s, const jn_steady *o)
{
    for (int i = 0; i < s->measures.nleaves; i++) {
        const leaf *l = &s->measures.leaf[i];
        for (int k = 0; k < o->nmultipliers && k < to->nlist && l->kind == LEAF_MULTIPLIERS; k++) {
            to->list[2 * k] = o->multiplier[k].re;
            to->list[2 * k + 1] = o->multiplier[k].im;
        }
        if (l->kind == LEAF_CONSTANT || l->kind == LEAF_MULTIPLIERS)
            continue;
        to->leaf[i] = leaf_value(o, l);
        bool may_lack = l->kind == LEAF_STABLE || l->kind == LEAF_MULTIPLIER;
        if (isnan(to->leaf[i]) && !may_lack && !to->status.len) {
            to->is_partial = true;
            jn_str_add(&to->status,
                       "nothing determines a value that is measured, or it is no number");
        }
    }
}

static void tell_drifting(answer *to, const jn_sweep *s, const jn_steady *o)
{
    for (int i = 0; i < o->nvalues; i++)
        if (o->value[i].drifts && !to->status.len) {
            to->is_partial = true;
            jn_str_addf(&to->status, "'%s' does not have the period of the orbit",
                        s->measures.metered[i].text);
        }
}

static void tell_impulses(answer *to, const jn_sweep *s, const jn_steady *o)
{
    for (int i = 0; i < o->nvalues; i++)
        if (o->value[i].impulses != 0)
            jni_sweep_tell_impulses(to, &s->measures.metered[i], o->value[i].impulse,
                                    o->value[i].mean * o->period, o->period);
}

static void row(answer *to, jn_sweep *s)
{
    jn_diags *d = jn_diags_new();
    jn_steady *o = NULL;
    jn_steady_options options = options_of(s);
    jn_status st = jn_steady_find(&o, s->g, &options, d);
    if (st == JN_OK) {
        tell_drifting(to, s, o);
        fill(to, s, o);
        tell_impulses(to, s, o);
    } else if (jni_sweep_is_late(s))
        jn_str_addf(&to->status, "it took longer than %g s", s->q.seconds);
    else if (o && o->message)
        jn_str_add(&to->status, o->message);
    else
        jni_sweep_why(&to->status, d);
    if (st != JN_OK && !to->status.len)
        jn_str_add(&to->status, "no periodic orbit was found");
    jn_steady_free(o);
    jn_diags_free(d);
}

const answerer jni_answer_steady = {begin, row, end};
