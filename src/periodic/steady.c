/* steady.c: what is told of an orbit. */
#include <stdlib.h>
#include <string.h>

#include "periodic_internal.h"

enum { HARMONICS = 10 };

const char *jn_verdict_name(jn_verdict v)
{
    static const char *const name[] = {"stable",         "fold",    "flip",
                                       "Neimark-Sacker", "neutral", "unknown"};
    return name[v];
}

/* ---- the start of a free orbit ------------------------------------------------------------- */

static bool same_mode(const search *q, const piece *a, const piece *b)
{
    return a->slides == b->slides && !memcmp(a->mode, b->mode, (size_t)q->g->nswitches);
}

/* It has none of its own: it is shown from its first change of mode on. */
static void turn_pieces(search *q, double period)
{
    measure *m = &q->measure;
    int first = 0;
    for (int i = 1; i < m->n && !first; i++)
        if (!same_mode(q, &m->piece[i - 1], &m->piece[i]))
            first = i;
    piece *turned = jn_alloc((size_t)m->n * sizeof *turned);
    for (int i = 0; i < m->n; i++) {
        turned[i] = m->piece[(first + i) % m->n];
        if (first + i >= m->n) {
            turned[i].from += period;
            turned[i].to += period;
        }
    }
    memcpy(m->piece, turned, (size_t)m->n * sizeof *turned);
    free(turned);
}

/* ---- values -------------------------------------------------------------------------------- */

/* On the orbit as it is shown, from the start of its first piece on. */
static double shown_at(double t, double t0, double period)
{
    return t < t0 ? t - t0 + period : t - t0;
}

static void measure_value(jn_steady_value *v, const search *q, int probe, int nharmonics,
                          double period)
{
    const measure *m = &q->measure;
    const jn_reading *r = &m->reading[probe];
    double t0 = m->n ? m->piece[0].from : 0;
    v->mean = r->integral / period;
    v->rms = sqrt(r->square / period);
    bool has_impulses = !(r->impulses <= 1e-9 * v->rms * period); /* below it is rounding */
    v->impulse = has_impulses ? r->impulse : 0;
    v->impulses = has_impulses ? r->impulses : 0;
    v->min = r->min;
    v->max = r->max;
    v->t_min = shown_at(r->min_at, t0, period);
    v->t_max = shown_at(r->max_at, t0, period);
    v->amplitude = jni_room(nharmonics);
    v->phase = jni_room(nharmonics);
    double size = fmax(fabs(v->min), fabs(v->max));
    for (int h = 1; h <= nharmonics; h++) {
        double complex c = 2 * jni_measure_wave(m, probe, 2 * PI * h / period, t0) / period;
        v->amplitude[h - 1] = cabs(c) > 1e-15 * size ? cabs(c) : 0;
        v->phase[h - 1] = v->amplitude[h - 1] > 0 ? carg(c) : 0;
    }
    double first = v->amplitude[0] * v->amplitude[0] / 2;
    double rest = v->rms * v->rms - v->mean * v->mean - first;
    rest = rest > 1e-14 * v->rms * v->rms ? rest : 0; /* below it is rounding */
    v->thd = first > 1e-24 * v->rms * v->rms ? sqrt(rest / first) : NAN;
}

const char *jni_value_name(const search *q, int i)
{
    return q->own ? q->own_name[i] : q->o->nvalues ? q->o->name[i] : q->g->output[i].name;
}

static void name_value(jn_steady_value *v, const search *q, int i)
{
    bool is_output = !q->own && !q->o->nvalues;
    v->name = jni_value_name(q, i);
    v->unit = is_output ? q->g->output[i].unit : jn_graph_unit(q->g, jni_search_value(q, i));
}

/* Nothing is said of what has another period. */
static void leave_out(jn_steady_value *v, int nharmonics)
{
    v->drifts = true;
    v->mean = v->rms = v->min = v->max = v->t_min = v->t_max = v->thd = NAN;
    v->impulse = v->impulses = 0;
    for (int h = 0; h < nharmonics; h++)
        v->amplitude[h] = v->phase[h] = NAN;
}

static void tell_unknown(search *q, const jn_steady_value *v)
{
    if (!isfinite(v->mean) || !isfinite(v->rms))
        jn_str_addf(
            &q->message,
            "'%s' is not measured: for some time nothing determines it, or it is no number. ",
            v->name);
}

static void tell_impulses(search *q, const jn_steady_value *v, double period)
{
    if (v->impulses == 0)
        return;
    jn_str_addf(&q->message, "'%s' has impulses", v->name);
    if (isfinite(v->impulse))
        jn_str_addf(&q->message, ", of area %.8g in each period", v->impulse);
    jn_str_add(&q->message, ": mean, rms, extrema and harmonics are of what lies between them");
    if (isfinite(v->impulse))
        jn_str_addf(&q->message, "; with them its mean is %.8g", v->mean + v->impulse / period);
    jn_str_add(&q->message, ". ");
}

static void find_values(jn_steady *o, search *q)
{
    o->nvalues = q->nvalues;
    o->nharmonics = q->o->nharmonics > 0 ? q->o->nharmonics : HARMONICS;
    o->value = jn_alloc((size_t)o->nvalues * sizeof *o->value);
    for (int i = 0; i < o->nvalues; i++) {
        name_value(&o->value[i], q, i);
        measure_value(&o->value[i], q, i, o->nharmonics, o->period);
        if (q->drifts && q->drifts[i]) {
            leave_out(&o->value[i], o->nharmonics);
            continue;
        }
        tell_impulses(q, &o->value[i], o->period);
        tell_unknown(q, &o->value[i]);
    }
}

/* Positive: given by a source, also in jumps; taken by a resistor. */
static void find_powers(jn_steady *o, const search *q)
{
    const jn_graph *g = q->g;
    o->npowers = g->nsources + g->nresistors;
    o->power = jn_alloc((size_t)o->npowers * sizeof *o->power);
    for (int i = 0; i < o->npowers; i++) {
        bool gives = i < g->nsources;
        int e = gives ? g->source[i] : g->resistor[i - g->nsources], probe = q->nvalues + 2 * i;
        bool into = g->bond[g->element[e].bond[0]].head == e;
        double power = jni_measure_product(&q->measure, probe, probe + 1) / o->period;
        power = into == gives ? -power : power;
        power += gives ? q->measure.jump_work[i] / o->period : 0;
        o->power[i] = (jn_steady_power){e, power};
    }
}

static void find_energy(jn_steady *o, const search *q)
{
    const jn_ledger *a = &q->map.before, *b = &q->map.after;
    jn_ledger *e = &o->energy;
    *e = (jn_ledger){.supplied = b->supplied - a->supplied,
                     .stored = b->stored - a->stored,
                     .dissipated = b->dissipated - a->dissipated,
                     .lost = b->lost - a->lost};
    e->moved = fabs(e->supplied) + fabs(e->dissipated) + fabs(e->lost);
}

/* ---- modes and pieces ---------------------------------------------------------------------- */

static void find_modes(jn_steady *o, const search *q)
{
    const measure *m = &q->measure;
    size_t n = (size_t)q->g->nswitches;
    o->mode = jn_alloc((size_t)m->n * sizeof *o->mode);
    for (int i = 0; i < m->n; i++) {
        const piece *p = &m->piece[i];
        double t0 = m->piece[0].from;
        if (i && same_mode(q, p, &m->piece[i - 1])) {
            o->mode[o->nmodes - 1].to = p->to - t0;
            continue;
        }
        jn_onoff *mode = jn_alloc(n);
        memcpy(mode, p->mode, n);
        o->mode[o->nmodes++] = (jn_steady_mode){mode, p->from - t0, p->to - t0, p->slides};
    }
}

static void find_pieces(jn_steady *o, const search *q)
{
    const measure *m = &q->measure;
    int at = 0;
    o->piece = jn_alloc((size_t)m->n * sizeof *o->piece);
    for (int i = 0; i < m->n; i++) {
        const piece *p = &m->piece[i];
        jn_steady_piece *to = &o->piece[o->npieces++];
        to->n = PIECE_NODES;
        to->t = jni_room(to->n);
        to->value = jni_room(to->n * o->nvalues);
        at += i && !same_mode(q, p, &m->piece[i - 1]);
        to->mode = o->mode[at].mode;
        for (int k = 0; k < to->n; k++) {
            double share = (double)k / (to->n - 1);
            to->t[k] = p->from + share * (p->to - p->from) - m->piece[0].from;
            for (int v = 0; v < o->nvalues; v++)
                to->value[k * o->nvalues + v] = jni_piece_at(p, m->nprobes, v, share);
        }
    }
}

static double *copy_of(const double *from, int n)
{
    double *to = jni_room(n);
    memcpy(to, from, (size_t)n * sizeof *to);
    return to;
}

/* Where a period of the clock begins, and how much later the orbit does. */
static double first_start(const search *q)
{
    const clock_of_model *c = &q->clock;
    double t = fmod(c->start + q->aside, c->period);
    t += t < 0 ? c->period : 0;
    return t < c->period * (1 - 1e-12) ? t : 0;
}

static void find_start(jn_steady *o, const search *q)
{
    const jn_numbers *c = &q->map.c;
    const double *y = q->y;
    const double *at = o->is_free && q->measure.n ? q->measure.piece[0].start : y;
    o->nstates = c->nstates;
    o->nintegrals = c->nintegrals;
    o->ndiscretes = c->ndiscretes;
    o->start = copy_of(at, c->nstates);
    o->integral = copy_of(at + c->nstates, c->nintegrals);
    o->discrete = copy_of(y + c->nstates + c->nintegrals, c->ndiscretes);
    o->start_time = q->measure.n ? q->measure.piece[0].from : q->map.t0;
    o->offset = o->is_free ? 0 : first_start(q);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void describe(jn_steady *o, search *q)
{
    jni_measure_drop_short(&q->measure);
    o->period = q->map.t1 - q->map.t0;
    o->residue = q->residue;
    o->newton_steps = q->steps;
    if (!o->is_free)
        o->period = q->clock.is_exact ? q->clock.period * q->times : o->period;
    else
        turn_pieces(q, o->period);
    find_start(o, q);
    find_modes(o, q);
    jni_multipliers_of(o, q);
    find_values(o, q);
    find_powers(o, q);
    find_energy(o, q);
    find_pieces(o, q);
}

jn_steady *jni_steady_of(search *q)
{
    jn_steady *o = jn_alloc(sizeof *o);
    bool stopped = !q->found && q->map.stop.why != JN_STOP_NONE && q->map.stop.message;
    o->graph = q->g;
    o->status = q->found ? JN_STEADY_FOUND : stopped ? JN_STEADY_STOPPED : JN_STEADY_NONE;
    o->is_free = q->o->is_free;
    o->is_exact = jn_sim_is_linear(q->sim);
    o->times = q->times;
    o->clock = q->clock.period;
    if (q->found)
        describe(o, q);
    else if (stopped && q->map.stop.why == JN_STOP_INTERRUPTED)
        jn_str_addf(
            &q->message,
            "The search was ended (its time was over, or someone asked for it) at t = %.10g.",
            q->map.stop.t);
    else if (stopped && strstr(q->map.stop.message, "t = "))
        jn_str_addf(&q->message, "The run stopped: %s", q->map.stop.message);
    else if (stopped)
        jn_str_addf(&q->message, "The run stopped at t = %.10g: %s", q->map.stop.t,
                    q->map.stop.message);
    else if (!o->is_free && q->residue > CLOSED)
        jn_str_addf(&q->message,
                    "The nearest that a period came to closing was %.1e of the states.",
                    q->residue);
    while (q->message.len && q->message.s[q->message.len - 1] == ' ')
        q->message.s[--q->message.len] = 0;
    o->message = q->message.len ? jn_strdup(jn_str_c(&q->message)) : NULL;
    return o;
}

jn_status jn_steady_find(jn_steady **out, const jn_graph *g, const jn_steady_options *o,
                         jn_diags *d)
{
    search q;
    *out = NULL;
    jn_status st = jni_search_begin(&q, g, o, false, d);
    if (st == JN_OK) {
        st = jni_search_run(&q);
        *out = jni_steady_of(&q);
    }
    jni_search_end(&q);
    return st;
}

void jn_steady_free(jn_steady *o)
{
    if (!o)
        return;
    for (int i = 0; i < o->nmodes; i++)
        free((void *)o->mode[i].mode);
    for (int i = 0; i < o->nvalues; i++) {
        free(o->value[i].amplitude);
        free(o->value[i].phase);
    }
    for (int i = 0; i < o->npieces; i++) {
        free(o->piece[i].t);
        free(o->piece[i].value);
    }
    free(o->message);
    free(o->start);
    free(o->integral);
    free(o->discrete);
    free(o->mode);
    free(o->multiplier);
    free(o->value);
    free(o->power);
    free(o->piece);
    free(o);
}
