/* orbit_told.c: what is said of an orbit that was found, and of a search that found none.
 *
 * An orbit is measured in one more run of its period, which has to take the same way: then it is told what does
 * not come back in it, which values do not have its period, and what is not known of its multipliers. */
#include <stdlib.h>

#include "periodic_internal.h"

/* A k-fold orbit may be one of fewer periods. */
static void find_divisor(search *q)
{
    double t1 = q->map.t1;
    long k = lround((q->map.t0 - q->clock.start) / q->clock.period);
    for (int d = 1; d < q->times; d++) {
        if (q->times % d)
            continue;
        q->map.t1 = jni_clock_time(&q->clock, k + d);
        if (jni_map_run(&q->map, q->y, q->y1) == JN_OK &&
            jni_map_distance(&q->map, q->y, q->y1) <= CLOSED) {
            jn_str_addf(&q->message, "It closes after %d period%s already. ", d, d == 1 ? "" : "s");
            break;
        }
    }
    q->map.t1 = t1;
}

void jni_tell_singular(search *q)
{
    if (q->is_one_of_many)
        jn_str_add(&q->message,
                   "It is one of a family of orbits, the one that the run is on: nothing "
                   "draws a deviation back to it. ");
    else if (q->found && q->open)
        jn_str_add(&q->message,
                   "Newton's matrix is singular, because a multiplier is 1: orbits lie "
                   "side by side, and the run came to this one. ");
    else if (!q->found && !q->o->is_free && (q->open || (q->unsure > SURE && q->pivot < 1e-6)))
        jn_str_add(
            &q->message,
            "Newton's matrix is singular, because a multiplier is 1 to rounding: the clock may "
            "drive the model at a frequency of its own, without damping, or something may be "
            "conserved. ");
    else if (q->found && q->unsure > 1e-8)
        jn_str_addf(&q->message,
                    "Newton's matrix is nearly singular: the states may be off by %.0e of their "
                    "sizes. ",
                    q->unsure);
}

static void name_number(search *q, int i)
{
    const jn_numbers *c = &q->map.c;
    if (i < c->nstates + c->nintegrals)
        jn_str_addf(&q->message, "Integral %d", i - c->nstates + 1);
    else
        jn_str_addf(&q->message, "'%s'", q->g->discrete[i - c->nstates - c->nintegrals].name);
}

/* How an angle turns. */
static void tell_turns(search *q)
{
    const orbit_map *m = &q->map;
    for (int i = m->c.nstates; i < m->c.nstates + m->c.nintegrals; i++) {
        double turns = m->turn[i] > 0 ? round((q->y1[i] - q->y[i]) / m->turn[i]) : 0;
        if (turns == 0 || !m->counts[i])
            continue;
        name_number(q, i);
        jn_str_addf(&q->message, " is an angle: it goes round %.15g time%s, by %.10g in all. ",
                    fabs(turns), fabs(turns) == 1 ? "" : "s", q->y1[i] - q->y[i]);
    }
}

/* What need not come back is told. */
static void tell_rest(search *q)
{
    const jn_numbers *c = &q->map.c;
    for (int i = c->nstates; i < c->nstates + c->nintegrals + c->ndiscretes; i++) {
        double grows = q->y1[i] - q->y[i];
        bool stands = fabs(grows) <= 1e-12 * q->map.scale[i];
        if (q->map.counts[i] || (stands && !q->map.is_read[i]))
            continue;
        name_number(q, i);
        if (!q->map.is_read[i])
            jn_str_addf(&q->message,
                        " only counts (nothing depends on it): it grows by %.10g in each period. ",
                        grows);
        else if (stands)
            jn_str_add(&q->message, " stands still, and a small change of it would not be felt: "
                                    "what reads it is at a bound. ");
        else
            jn_str_addf(
                &q->message,
                " never comes back: it grows by %.10g in each period for ever. What reads it "
                "is at a bound and goes further beyond it, so that all the rest is an orbit; "
                "outputs that read it are shown in one of its periods. ",
                grows);
    }
}

/* Where two conditions are met at once, rounding may decide which way the run takes: another one each time. */
static jn_status check_measured(search *q)
{
    if (jni_map_distance(&q->map, q->y, q->y1) <= jni_accuracy(q))
        return JN_OK;
    q->found = false;
    jn_str_add(
        &q->message,
        "A period closes, but when it was run once more to be measured it took another way from "
        "the same start: two conditions are met at the same instant, and rounding decides "
        "between them. A slightly different value of the model may help. ");
    return JN_UNABLE;
}

/* An output may have another period, or none, where it reads time or what does not come back: over two periods it is
 * not what it is over one. two: its integral, and that of its square, over two; NaN: it need not be asked. */
static void measure_two(search *q, double *two)
{
    bool asked = false;
    for (int i = 0; i < q->nvalues; i++) {
        two[2 * i] = two[2 * i + 1] = NAN;
        asked |= jni_reads_beyond_states(q->g, jni_search_value(q, i));
    }
    if (!asked)
        return;
    q->map.measure = &q->measure;
    bool ok = jni_run_over(q, 2) && jni_map_distance(&q->map, q->y, q->y1) < 1e-8;
    q->map.measure = NULL;
    for (int i = 0; i < q->nvalues && ok; i++)
        if (jni_reads_beyond_states(q->g, jni_search_value(q, i))) {
            two[2 * i] = q->measure.reading[i].integral;
            two[2 * i + 1] = q->measure.reading[i].square;
        }
}

static void find_drifting(search *q, const double *two)
{
    double T = q->map.t1 - q->map.t0, largest = 0;
    for (int i = 0; i < q->measure.nprobes; i++)
        largest = fmax(largest, q->measure.largest[i]);
    q->drifts = jn_alloc((size_t)q->nvalues * sizeof *q->drifts + 1);
    for (int i = 0; i < q->nvalues; i++) {
        const jn_reading *one = &q->measure.reading[i];
        double mean = fabs(two[2 * i] - 2 * one->integral) / T;
        double square = fabs(two[2 * i + 1] - 2 * one->square) / T, size = two[2 * i + 1] / T;
        bool is_rounding = sqrt(size) < 1e-13 * largest;
        q->drifts[i] = !is_rounding && (mean > 1e-6 * sqrt(size) || square > 1e-6 * size);
        if (q->drifts[i])
            jn_str_addf(&q->message,
                        "'%s' does not have the period of the orbit, and is not measured. ",
                        jni_value_name(q, i));
    }
}

jn_status jni_tell_orbit(search *q)
{
    if (q->slides) {
        jn_str_add(&q->message,
                   "It slides all the time: the run came to it by itself, and its multipliers are "
                   "not known. ");
        return JN_OK;
    }
    if (q->times > 1)
        find_divisor(q);
    jni_tell_singular(q);
    jn_status st = jni_search_add_meters(q);
    if (st != JN_OK)
        return st;
    double *two = jni_room(2 * q->nvalues);
    measure_two(q, two);
    q->map.measure = &q->measure;
    st = jni_map_jacobian(&q->map, q->y, q->y1, q->J, &q->error);
    q->map.measure = NULL;
    if (st == JN_OK)
        st = check_measured(q);
    if (st == JN_OK)
        find_drifting(q, two);
    free(two);
    if (!q->found)
        return st;
    if (q->kinked) {
        jn_str_add(&q->message, "The smallest change of its start takes another way through the "
                                "modes: its multipliers are not known. ");
        st = JN_OK;
    }
    tell_turns(q);
    tell_rest(q);
    if (q->aside > 0)
        jn_str_addf(&q->message,
                    "It is shown from %.6g after the beginning of the clock's period on, because "
                    "the run slides there. ",
                    q->aside);
    return st;
}

void jni_tell_failure(search *q)
{
    if (q->never_back) {
        name_number(q, q->never_back - 1);
        jn_str_add(
            &q->message,
            " changes from period to period, and is read through mod, floor, sin, a table or "
            "'=': all may come back after several periods (--times), or never. ");
    }
    if (q->closes_once)
        jn_str_add(&q->message,
                   q->o->is_free
                       ? "One turn closes, but the next ones do not. "
                       : "One period closes, but the next ones do not: the model does not "
                         "have that period; it may have a multiple (--times). ");
}
