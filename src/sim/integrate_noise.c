/* integrate_noise.c: how far what is seen in an integrated run may be off.
 *
 * What an observable is made of sets how well it is known: it may be a small difference of large
 * values. So every column of the junction structure has a *size*, what its terms amount to, and its
 * noise is a small part of that. Sizes begin at the ports:
 *
 *     storage     its state; one that was larger once counts as a part of that
 *     resistor    its law, of what it is given. What that is may come from other resistors: with
 *                 leaks of 10⁹ at the ends of a conducting diode, one of them makes an effort of a small
 *                 difference of currents, the other a current of that effort, and the diode's current is
 *                 known no better than that difference
 *
 * Of resistors that give to each other all depend on each: with d = L·(S33·d + g), d their inputs to the
 * junction structure, g what else they are given, sizes are |(I − L·S33)⁻¹|·|L|·(size of g). Taken one
 * after the other, they would grow without end where two of them form a loop (integrate_chained.c). A law takes part with its slope of
 * now where it is as steep as a leak all over, as 10⁹·f + 0·f³ is; and all do where one of them by itself would be known
 * too badly, or too well.
 *
 * Storages that are tied to each other share the roundings of the largest of them: a coil of no
 * current beside two of 10 A, where the three add up to nothing, has a current of 10⁻¹⁵ A or the
 * like, whatever its own was before.
 *
 * A state is known at an instant as well as the mode knew it that led there, whichever mode is asked; and
 * as well as the time of the crossing is known. What a diode leaves of the current that it cuts off makes an
 * effort of 10⁻⁴ V at a leak of 10⁹, and that is no reason for the next diode to conduct. It stays off by as
 * much until it has moved by more. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrate.h"

bool jni_is_linear_resistor(const integrate *n, int r)
{
    const model *k = &n->s->model;
    return !k->g->element[k->g->resistor[r]].nonlinear && n->k.value_of[k->nx + r] < 0;
}

/* What it makes of what it is given. */
static double slope_of(const mode *m, const model *k, int r)
{
    return m->solved->gives_effort[k->g->resistor[r]] ? 1 / m->resistor[r] : m->resistor[r];
}

double jni_slope_like(const integrate *n, const mode *m, int r)
{
    if (jni_is_linear_resistor(n, r))
        return slope_of(m, &n->s->model, r);
    bool is_given_effort = m->solved->gives_effort[n->s->model.g->resistor[r]];
    return is_given_effort ? 1 / n->like[r] : n->like[r];
}

/* The same of a law that bends, or has a value that varies: where it is now. */
static double slope_now(integrate *n, const mode *m, int r, const moment *at)
{
    const model *k = &n->s->model;
    const jn_element *x = &k->g->element[k->g->resistor[r]];
    const program *p = jni_program(m);
    bool is_given_effort = m->solved->gives_effort[k->g->resistor[r]];
    double value = n->w.col[p->in[k->nx + r]].v, given = n->w.col[p->out[k->nx + r]].v, slope = NAN;
    if (x->nonlinear) {
        double own = n->w.col[jni_law_reads(x)].v;
        if (jni_law_reads(x) % 2)
            own *= m->solved->flow_sign[jni_law_reads(x) / 2];
        slope =
            jni_law_at(n, m, at, x, (dual){own, 1}).d - jni_law_at(n, m, at, x, (dual){own, 0}).d;
        slope += n->faint[r];
        slope = (x->law_of == 'e') == is_given_effort ? 1 / slope : slope;
    } else if (n->k.value_of[k->nx + r] >= 0) {
        double R = n->k.modulated[n->k.value_of[k->nx + r]].now.v;
        slope = is_given_effort ? 1 / R : R;
    }
    if (isfinite(slope))
        return slope;
    if (jni_flat_by_pieces(n->s, m, r)) /* on a step it is what all else makes it */
        return 0;
    return given != 0 ? value / given : 0;
}

double jni_input_size(const integrate *n, const mode *m, int r, double slope)
{
    const model *k = &n->s->model;
    const program *p = jni_program(m);
    double value = fabs(n->w.col[p->in[k->nx + r]].v);
    return fmax(value, fabs(slope) * n->w.size[p->out[k->nx + r]]);
}

/* ---- what is lost -------------------------------------------------------------------------- */

/* size: of what is given by those resistors that depend on one of them, directly or by others, is made 1. */
static void mark_dependent(double *size, double *sum, const integrate *n, const mode *m)
{
    const model *k = &n->s->model;
    const program *p = jni_program(m);
    for (bool found = true; found;) {
        found = false;
        jni_program_sums(p, sum, size);
        for (int r = 0; r < k->nr; r++)
            if (size[p->out[k->nx + r]] > 0 && size[p->in[k->nx + r]] == 0) {
                size[p->in[k->nx + r]] = 1;
                found = true;
            }
    }
}

/* Whether something that is watched depends on what a resistor is given. */
static bool is_watched(const integrate *n, const mode *m, int r)
{
    const model *k = &n->s->model;
    double *sum = jni_doubles(m->solved->ncols), *size = jni_doubles(m->solved->ncols);
    bool found = n->s->watch.reads_sampled;
    size[jni_program(m)->in[k->nx + r]] = 1;
    mark_dependent(size, sum, n, m);
    for (int c = 0; c < 2 * k->g->nbonds && !found; c++)
        found = n->s->watch.is_read[c] && size[c] > 0;
    free(sum);
    free(size);
    return found;
}

/* To which part of what there is elsewhere it must be known. One that has been served early, or cannot be now,
 * is not served again. */
static double limit_of(const jn_sim *s, int r)
{
    return s->model.early[r] || s->slide ? LOST_IN_NOISE : EARLY_IN_NOISE;
}

void jni_find_most(double most[2], const integrate *n)
{
    most[0] = most[1] = 0;
    for (int c = 0; c < 2 * n->s->model.g->nbonds; c++)
        most[c % 2] = fmax(most[c % 2], fmax(fabs(n->w.col[c].v), n->size.largest[c]));
}

/* How far a law goes from what it says of x, by so much either way: at most, and on the side on which it goes less. */
typedef struct {
    double most, least;
} span_of_law;

static span_of_law span_within(integrate *n, const mode *m, const moment *at, const jn_element *x,
                               double value, double by)
{
    double here = jni_law_at(n, m, at, x, (dual){value, 0}).v;
    double up = fabs(jni_law_at(n, m, at, x, (dual){value + by, 0}).v - here);
    double down = fabs(jni_law_at(n, m, at, x, (dual){value - by, 0}).v - here);
    return (span_of_law){fmax(up, down), fmin(up, down)};
}

static double moved_within(integrate *n, const mode *m, const moment *at, const jn_element *x,
                           double value, double by)
{
    return span_within(n, m, at, x, value, by).most;
}

/* Whether a law makes more than `most` of what it is given only to so much. Where it is steep at one point alone, as a
 * root is at 0, that is no reason to serve it early: it must be as steep all over. */
static bool loses_by_law(integrate *n, const mode *m, int r, const moment *at, double unit,
                         double most)
{
    const jn_element *x = &n->s->model.g->element[n->s->model.g->resistor[r]];
    int own = jni_law_reads(x);
    double value = n->w.col[own].v * (own % 2 ? m->solved->flow_sign[own / 2] : 1);
    double size = n->w.size[jni_program(m)->out[n->s->model.nx + r]];
    bool is_given_effort = m->solved->gives_effort[n->s->model.g->resistor[r]];
    bool reads_given = (x->law_of == 'e') != is_given_effort;
    if (reads_given)
        return moved_within(n, m, at, x, value, unit * size) > most &&
               unit * moved_within(n, m, at, x, 0, size) > most;
    double near = moved_within(n, m, at, x, value, most);
    return near > 0 && near < unit * size && moved_within(n, m, at, x, 0, most / unit) < size;
}

bool jni_can_be_early(const jn_sim *s, const mode *m, int r)
{
    return !jni_mode_inverts(m, &s->model, r) && !jni_pieces_have_steps(&s->model.pieces[r]);
}

static bool loses(integrate *n, const mode *m, int r, const moment *at, double unit, double most)
{
    if (n->s->model.g->element[n->s->model.g->resistor[r]].nonlinear)
        return loses_by_law(n, m, r, at, unit, most);
    double slope =
        jni_is_linear_resistor(n, r) ? slope_of(m, &n->s->model, r) : slope_now(n, m, r, at);
    return unit * jni_input_size(n, m, r, slope) > most;
}

/* 10⁹·f + 10²⁵·f³ is not flat where f is small: it is a leak there. */
static bool is_leak(integrate *n, const mode *m, int r, const moment *at, double unit, double most)
{
    const model *k = &n->s->model;
    const jn_element *x = &k->g->element[k->g->resistor[r]];
    if (!k->is_flat[r])
        return false;
    double off = unit * n->w.size[jni_program(m)->out[k->nx + r]];
    double slope =
        jni_law_at(n, m, at, x, (dual){0, 1}).d - jni_law_at(n, m, at, x, (dual){0, 0}).d;
    return fabs(slope) * off > most;
}

/* Whether flows, or efforts, have been no more so far than rounding of what the others would make of any resistor: before a
 * source gets beyond the drop of a diode there is none at all, and nothing is lost beside it. */
static bool is_nothing_yet(const integrate *n, const mode *m, const double most[2], bool of_flows)
{
    const model *k = &n->s->model;
    double least = INFINITY;
    for (int r = 0; r < k->nr; r++) {
        double slope = fabs(jni_slope_like(n, m, r));
        bool is_flow = m->solved->gives_effort[k->g->resistor[r]];
        if (slope > 0 && isfinite(slope))
            least = fmin(least, is_flow == of_flows ? slope : 1 / slope);
    }
    return isfinite(least) && most[of_flows] <= NOISE_OF_NOTHING * least * most[!of_flows];
}

static bool is_stiff(const integrate *n, const mode *m, int r)
{
    return jni_settles_soon(n, !m->solved->gives_effort[n->s->model.g->resistor[r]],
                            fabs(jni_slope_like(n, m, r)));
}

/* A leak of 1e12 beside resistances of 1: its effort is a small difference of large flows, times
 * that. by_steps: by the errors of steps, which say more only of what is stiff. */
static void find_lost(integrate *n, const mode *m, const moment *at, double unit, bool by_steps)
{
    const model *k = &n->s->model;
    double most[2];
    jni_find_most(most, n);
    bool is_nothing = is_nothing_yet(n, m, most, true) || is_nothing_yet(n, m, most, false);
    for (int r = 0; r < k->nr && !is_nothing; r++) {
        int element = k->g->resistor[r];
        double beside = limit_of(n->s, r) * most[m->solved->gives_effort[element] ? 1 : 0];
        if (most[0] > 0 && most[1] > 0 && jni_can_be_early(n->s, m, r) &&
            (!by_steps || is_stiff(n, m, r)) && loses(n, m, r, at, unit, beside) &&
            is_watched(n, m, r)) {
            n->s->trouble.lost = element;
            n->s->trouble.is_leak = is_leak(n, m, r, at, unit, beside);
        }
    }
}

/* ---- resistors ----------------------------------------------------------------------------- */

/* By the way that a law is held to, which at a kink need not be that of its value. */
static double held_slope(integrate *n, const mode *m, const moment *at, const jn_element *x)
{
    int own = jni_law_reads(x);
    dual keep = n->w.col[own];
    double sign = own % 2 ? m->solved->flow_sign[own / 2] : 1;
    n->w.col[own].d = sign;
    double with = jni_tangent(at, x->law).d;
    n->w.col[own].d = 0;
    double without = jni_tangent(at, x->law).d;
    n->w.col[own] = keep;
    return with - without;
}

/* The inverse goes as far as the law has to be moved until it says so much more, and so much less. That of a diode that
 * blocks would go on without end. */
static double steeper_inverse(integrate *n, const mode *m, int r, const moment *at, double slope,
                              double unit)
{
    enum { MOST_DOUBLED = 10 };
    const model *k = &n->s->model;
    const jn_element *x = &k->g->element[k->g->resistor[r]];
    int own = jni_law_reads(x);
    double value = n->w.col[own].v * (own % 2 ? m->solved->flow_sign[own / 2] : 1);
    double off = unit * n->w.size[jni_program(m)->out[k->nx + r]], by = fabs(slope) * off;
    if (k->faint[r] > 0 || k->pieces[r].n || jni_mode_inverts(m, k, r) || !(by > 0 && isfinite(by)))
        return slope;
    double held = fabs(held_slope(n, m, at, x));
    by = held > 0 ? fmax(by, off / held) : by;
    for (int i = 0; i < MOST_DOUBLED; i++, by *= 2)
        if (span_within(n, m, at, x, value, by).least >= 0.5 * off)
            return by / off;
    return slope;
}

/* Close to a kink a law may be as steep as on its other side: the flow over a weir that just begins. */
static double steeper(integrate *n, const mode *m, int r, const moment *at, double slope,
                      double unit)
{
    const model *k = &n->s->model;
    const jn_element *x = &k->g->element[k->g->resistor[r]];
    int own = jni_law_reads(x);
    bool is_given_effort = m->solved->gives_effort[k->g->resistor[r]];
    if (x->nonlinear && (x->law_of == 'e') == is_given_effort)
        return steeper_inverse(n, m, r, at, slope, unit);
    if (!x->nonlinear)
        return slope;
    double value = n->w.col[own].v * (own % 2 ? m->solved->flow_sign[own / 2] : 1);
    double by = unit * n->w.size[jni_program(m)->out[k->nx + r]], most = fabs(slope);
    for (int side = -1; side <= 1; side += 2) {
        double near = value + side * by;
        double beside =
            jni_law_at(n, m, at, x, (dual){near, 1}).d - jni_law_at(n, m, at, x, (dual){near, 0}).d;
        most = isfinite(beside) ? fmax(most, fabs(beside)) : most;
    }
    return most;
}

/* The inverse of a law that is flat is steep at one point alone: what it is given may be off by moves it no further than to
 * where the law says so much more, and so much less: at a kink that is further on one side. */
static double blunted(integrate *n, const mode *m, int r, const moment *at, double slope,
                      double unit)
{
    const model *k = &n->s->model;
    const jn_element *x = &k->g->element[k->g->resistor[r]];
    double off = unit * n->w.size[jni_program(m)->out[k->nx + r]], by = fabs(slope) * off;
    if (!jni_mode_inverts(m, k, r) || !(off > 0 && isfinite(by)))
        return slope;
    int own = jni_law_reads(x);
    double value = n->w.col[own].v * (own % 2 ? m->solved->flow_sign[own / 2] : 1);
    for (int p = 0; p <= k->pieces[r].n && k->pieces[r].n; p++) /* on a wall it goes either way */
        if (k->pieces[r].piece[p].low == value && k->pieces[r].piece[p].high == value)
            return slope;
    for (int i = 0; i < 500 && by > 0 && span_within(n, m, at, x, value, by / 2).least > off; i++)
        by /= 2;
    return by / off;
}

/* Whether a law has a slope that says how it moves with the others: that of one that is inverted since it is flat is what
 * its noise makes of it. */
static bool meets(const integrate *n, const mode *m, int r)
{
    return !jni_is_linear_resistor(n, r) && !jni_mode_inverts(m, &n->s->model, r);
}

/* Laws one after the other, each by what it is given: true where that is not enough. */
static bool size_laws(double *alone, integrate *n, mode *m, const moment *at, double unit)
{
    const model *k = &n->s->model;
    const program *p = jni_program(m);
    double most[2];
    bool any = false;
    jni_find_most(most, n);
    for (int r = 0; r < k->nr; r++) {
        if (jni_is_linear_resistor(n, r))
            continue;
        bool is_given_effort = m->solved->gives_effort[k->g->resistor[r]];
        double slope = blunted(n, m, r, at, slope_now(n, m, r, at), unit);
        double least = EARLY_IN_NOISE * most[is_given_effort ? 1 : 0];
        n->like[r] = is_given_effort ? 1 / slope : slope;
        n->loses[r] = loses(n, m, r, at, unit, least);
        double size = jni_input_size(n, m, r, steeper(n, m, r, at, slope, unit));
        bool is_lost = unit * size > least && meets(n, m, r);
        alone[r] = is_lost ? 0 : size;
        n->w.size[p->in[k->nx + r]] = size;
        any |= is_lost;
    }
    return any;
}

/* Whether some law is given what others give, and known no better: by itself it would count as known to the rounding of
 * its value. */
static bool laws_meet(integrate *n, const mode *m)
{
    enum { MUCH = 2 };
    const model *k = &n->s->model;
    const program *p = jni_program(m);
    bool any = false;
    for (int r = 0; r < k->nr && !any; r++)
        any = meets(n, m, r) &&
              jni_input_size(n, m, r, jni_slope_like(n, m, r)) > MUCH * n->w.size[p->in[k->nx + r]];
    return any;
}

/* The slope of a diode that blocks is 10⁻⁹⁰ of a siemens: its voltage, by itself, is not known at all from its current.
 * What else is there makes it known: so then all laws take part with the slopes that they have. */
static void size_resistors(integrate *n, mode *m, const moment *at, double unit)
{
    const model *k = &n->s->model;
    const program *p = jni_program(m);
    double *alone = jni_doubles(k->nr);
    bool all = size_laws(alone, n, m, at, unit), is_done = false;
    while (!is_done) {
        for (int r = 0; r < k->nr && all; r++)
            n->loses[r] |= meets(n, m, r);
        jni_size_chained(n, m, at->t.v);
        for (int r = 0; r < k->nr; r++)
            n->w.size[p->in[k->nx + r]] = fmax(n->w.size[p->in[k->nx + r]], alone[r]);
        jni_program_sums(p, n->w.sum, n->w.size);
        is_done = all || !laws_meet(n, m);
        all = true;
    }
    free(alone);
}

/* ---- storages that are tied to each other -------------------------------------------------- */

/* n->size.tied: what the dependent ones that a state follows in a jump amount to, as that state. Sizes of
 * columns are known. */
static void find_tied(integrate *n, const mode *m)
{
    const model *k = &n->s->model;
    const program *p = jni_program(m);
    memset(n->size.tied, 0, (size_t)k->nx * sizeof *n->size.tied);
    if (!p->is_dependent)
        return;
    double *sum = jni_doubles(m->solved->ncols), *size = jni_doubles(m->solved->ncols);
    for (int i = 0; i < k->nx; i++)
        if (!m->integral[i]) {
            n->size.tied[i] = fmax(fabs(n->w.Y[i].v), fabs(m->storage[i]) * n->w.size[p->out[i]]);
            size[p->in[i]] = n->size.tied[i];
        }
    jni_program_sums(p, sum, size);
    for (int i = 0; i < k->nx; i++)
        if (m->integral[i])
            n->size.tied[i] = size[p->out[i]];
    free(sum);
    free(size);
}

/* ---- what is nothing ----------------------------------------------------------------------- */

/* Per column: whether the mode makes it 0 whatever the ports give. */
static const bool *find_nothing(const integrate *n, const mode *m)
{
    program *p = jni_program(m);
    int columns = m->solved->ncols;
    if (p->is_nothing)
        return p->is_nothing;
    double *sum = jni_doubles(columns), *size = jni_doubles(columns);
    for (int i = 0; i < jni_port_count(&n->s->model); i++)
        size[p->in[i]] = 1;
    jni_program_sums(p, sum, size);
    p->is_nothing = jn_alloc((size_t)columns * sizeof *p->is_nothing);
    for (int c = 0; c < columns; c++)
        p->is_nothing[c] = size[c] == 0;
    free(sum);
    free(size);
    return p->is_nothing;
}

/* ---- all ----------------------------------------------------------------------------------- */

/* What is small now may have been large. On a step it is no better than its polynomial, which is off by
 * more where all begins at nothing and no size tells what is little. */
static double peak_size(const integrate *n, int unknown, knowledge how, double unit)
{
    double size = NOISE_OF_PEAK *
                  (unknown < n->s->model.nx ? jni_lasting_peak(n, unknown) : n->size.peak[unknown]);
    if (how != FROM_STEP)
        return size;
    return fmax(size, jni_collocation_error(n->follower->collocation, unknown) / unit);
}

/* How long it still takes to be where the mode has it. */
static double settles_for(const integrate *n, double t)
{
    double since = t - n->came.t; /* a run may have gone back to before that */
    return since >= 0 ? fmax(n->came.settles - since, 0) : 0;
}

/* A state may also be tied to one that is large, not have moved from where it was not known any better, or settle
 * beside a leak. */
static double state_size(const integrate *n, int i, double t, knowledge how, double unit)
{
    double size = fmax(peak_size(n, i, how, unit), NOISE_OF_SUM / unit * n->size.tied[i]);
    if (how != BY_ITSELF)
        size = fmax(size, fabs(n->w.Yp[i].v) * settles_for(n, t) / unit);
    bool stays = how != BY_ITSELF && fabs(n->w.Y[i].v - n->came.x[i]) <= n->came.off[i];
    return stays ? fmax(size, n->came.off[i] / unit) : size;
}

/* A source is known as well as the time is, and at an instant as well as its time was found, and as the mode
 * settles. */
static void size_sources(integrate *n, const mode *m, double t, knowledge how, double unit)
{
    const model *k = &n->s->model;
    const program *p = jni_program(m);
    double off = 2 * DBL_EPSILON * fabs(t);
    if (how != BY_ITSELF && t == n->came.t)
        off += n->came.late;
    if (how != BY_ITSELF)
        off += settles_for(n, t);
    for (int i = 0; i < k->nu; i++) {
        int in = p->in[k->nx + k->nr + i];
        double moved = fabs(n->w.col[in].d) * off;
        n->w.size[in] = fmax(n->w.size[in], isfinite(moved) ? moved / unit : 0);
    }
}

/* A source of prior values alone is known no better than these are, which may have been large: what a wall gives back of
 * a speed that is rounding is rounding. */
static void size_prior(integrate *n, const mode *m, knowledge how, double unit)
{
    const model *k = &n->s->model;
    const program *p = jni_program(m);
    for (int i = 0; i < k->nu; i++) {
        int in = p->in[k->nx + k->nr + i], own = n->k.source[i].at;
        if (own >= 0 && jni_reads_only_past(k, k->g->element[k->g->source[i]].input))
            n->w.size[in] = fmax(n->w.size[in], peak_size(n, own, how, unit));
    }
}

/* What is given. A source of time alone is known to rounding, all else as well as steps are: what passes 1e-9 Ohm between
 * two sources is their difference, times 1e9. */
static void size_ports(integrate *n, const mode *m, double unit)
{
    const model *k = &n->s->model;
    const program *p = jni_program(m);
    for (int i = 0; i < jni_port_count(k); i++)
        n->w.size[p->in[i]] = fabs(n->w.col[p->in[i]].v);
    for (int i = 0; i < k->nu; i++)
        if (n->k.source[i].at < 0)
            n->w.size[p->in[k->nx + k->nr + i]] *= fmin(1, NOISE_OF_SUM / unit);
}

/* What the ports give, and what is made of it. */
static void begin_sizes(integrate *n, const mode *m, double unit)
{
    memset(n->w.size, 0, (size_t)m->solved->ncols * sizeof *n->w.size);
    size_ports(n, m, unit);
    jni_program_sums(jni_program(m), n->w.sum, n->w.size);
}

/* The same with what the error of a step amounts to. */
static void size_steps(integrate *n, const mode *m, double unit)
{
    const model *k = &n->s->model;
    const program *p = jni_program(m);
    for (int i = 0; i < k->nx; i++)
        if (m->integral[i]) {
            double error = jni_collocation_error(n->follower->collocation, i);
            n->w.size[p->in[i]] = fmax(n->w.size[p->in[i]], error / unit / fabs(m->storage[i]));
        }
    jni_program_sums(p, n->w.sum, n->w.size);
}

/* Of values that satisfy the equations, sizes are all. Those of the polynomial of a step do so between its
 * nodes to its tolerance only, which counts what is around an unknown as well. */
void jni_find_noise(double *noise, integrate *n, mode *m, const moment *at, knowledge how)
{
    const model *k = &n->s->model;
    const program *p = jni_program(m);
    double unit = NOISE_OF_STEP * jni_integrate_tolerance(n);
    double around = how == FROM_STEP ? NOISE_OF_PEAK : 0;
    int bonds = 2 * k->g->nbonds;
    double *size = n->w.size, *sum = n->w.sum;
    begin_sizes(n, m, unit);
    n->s->trouble.lost = -1; /* how well the time is known has no part in that */
    find_lost(n, m, at, unit, false);
    if (how == FROM_STEP && n->s->trouble.lost < 0 && !jni_has_just_begun(n)) {
        size_steps(n, m, unit);
        find_lost(n, m, at, unit, true);
        begin_sizes(n, m, unit);
    }
    size_sources(n, m, at->t.v, how, unit);
    size_prior(n, m, how, unit);
    jni_program_sums(p, sum, size);
    find_tied(n, m);
    for (int i = 0; i < k->nx; i++)
        if (m->integral[i])
            size[p->in[i]] =
                fmax(size[p->in[i]], state_size(n, i, at->t.v, how, unit) / fabs(m->storage[i]));
    jni_program_sums(p, sum, size);
    size_resistors(n, m, at, unit);
    const bool *is_nothing = find_nothing(n, m);
    for (int c = 0; c < bonds; c++)
        noise[c] = size[c] > 0     ? unit * fmax(size[c], around * n->size.beside[c])
                   : is_nothing[c] ? 0
                                   : NOISE_OF_ANY;
    for (int i = 0; i < k->nx; i++)
        noise[bonds + i] = fmax(
            unit * fmax(fabs(n->w.Y[i].v), state_size(n, i, at->t.v, how, unit)), NOISE_OF_ANY);
    for (int i = 0; i < k->ns; i++) {
        int own = n->k.first_s + i;
        noise[bonds + k->nx + i] =
            fmax(unit * fmax(fabs(n->w.Y[own].v), peak_size(n, own, how, unit)), NOISE_OF_ANY);
    }
}

/* ---- what it hides ------------------------------------------------------------------------- */

enum { KIND_EFFORT, KIND_FLOW, KIND_I, KIND_C, KINDS };

/* The largest value of each kind there has been. */
static void find_kinds(double most[KINDS], const integrate *n)
{
    const model *k = &n->s->model;
    memset(most, 0, KINDS * sizeof *most);
    for (int c = 0; c < 2 * k->g->nbonds; c++)
        most[c % 2] = fmax(most[c % 2], n->size.largest[c]);
    for (int i = 0; i < k->nx; i++) {
        int kind = k->g->element[k->g->storage[i]].kind == JN_I ? KIND_I : KIND_C;
        most[kind] = fmax(most[kind], n->size.peak[i]);
    }
}

/* Of that of an observable; an integral has its own. 0: there is none yet. */
static double kind_size(const integrate *n, const double most[KINDS], int obs)
{
    const model *k = &n->s->model;
    int bonds = 2 * k->g->nbonds;
    if (obs < bonds)
        return most[obs % 2];
    if (obs >= bonds + k->nx)
        return n->size.peak[n->k.first_s + obs - bonds - k->nx];
    return most[k->g->element[k->g->storage[obs - bonds]].kind == JN_I ? KIND_I : KIND_C];
}

bool jni_noise_is_vague(const integrate *n, const double *noise, const int *which, int count)
{
    double most[KINDS];
    find_kinds(most, n);
    for (int i = 0; i < count; i++) {
        double size = kind_size(n, most, which[i]);
        if (size > 0 && noise[which[i]] > HIDDEN_IN_NOISE * size)
            return true;
    }
    return false;
}

void jni_noise_clear_up(double *z, jn_sim *s)
{
    int count = jni_obs_count(&s->model);
    double most[KINDS];
    find_kinds(most, jni_integrate(s));
    for (int obs = 0; obs < count; obs++)
        z[count + obs] =
            fmin(z[count + obs], HIDDEN_IN_NOISE * kind_size(jni_integrate(s), most, obs));
}

/* ---- where the run has come to ------------------------------------------------------------- */

/* Linear, with a value of its own: its co-variable says how far off the state is. */
static bool has_value(const model *k, int storage)
{
    const jn_element *x = &k->g->element[k->g->storage[storage]];
    return !x->nonlinear && !x->modulated && !x->multiport;
}

static double sum_of_noise(const model *k, const linear_form *f, const double *noise)
{
    double sum = 0;
    for (int i = 0; i < f->n && f->term[i].obs < jni_obs_count(k); i++)
        sum += fabs(f->term[i].c) * noise[f->term[i].obs];
    return sum;
}

/* After what time a series is clear of noise: by the first of its derivatives that gets it there. */
static double time_to_clear(const double *series, const stretch *p, double ct, double tau,
                            double noise)
{
    enum { ORDERS = 3 };
    double a[SERIES_TERMS], d[SERIES_TERMS], least = p->length, u = 2 * tau / p->length - 1;
    double term = noise;
    memcpy(a, series, (size_t)p->n * sizeof *a);
    for (int k = 1; k <= ORDERS && p->n > k; k++) {
        jni_series_derivative(d, a, p->n - k + 1);
        double rate = jni_series_at(d, p->n - k, u) * pow(2 / p->length, k) + (k == 1 ? ct : 0);
        term *= k;
        least = fmin(least, pow(term / fabs(rate), 1.0 / k));
        memcpy(a, d, (size_t)(p->n - k) * sizeof *a);
    }
    return least;
}

/* How well the time of what was crossed there is known: as well as the clearest tells. Of two diodes that let go
 * together one may carry 10⁻¹¹ A into a leak, and nothing but noise says when that is over. What comes to rest has no time
 * of its own, nor what is crossed at once and gets clear late or never, as the slip of a friction that is locked: the
 * instant has its own from what came before. */
static double time_off(jn_sim *s, double tau, const double *noise)
{
    const stretch *p = &s->course.stretch;
    double a[SERIES_TERMS], unused, off = INFINITY;
    for (int g = 0; g < s->watch.nsurfaces; g++) {
        const linear_form *f = &s->watch.surface[g].form;
        if (s->watch.crossed[g] && s->watch.crossed[g] != ON_SURFACE &&
            s->watch.surface[g].kind == SURFACE_LINEAR &&
            jni_integrate_series(a, &unused, s, s->now.m, f))
            off = fmin(off, time_to_clear(a, p, f->ct, tau, sum_of_noise(&s->model, f, noise)));
    }
    bool is_timeless = off >= TIMELESS * p->length && s->course.cross == 0;
    return isfinite(off) && !is_timeless ? off : 0;
}

/* The most that a state may be said to be off by: a small part of the largest of its kind. A time that is hardly
 * known, where a leak has lost its effort in rounding, says nothing of how far states are off. */
static double most_off(const integrate *n, const mode *m, int storage)
{
    const model *k = &n->s->model;
    double most = 0;
    for (int i = 0; i < k->nx; i++)
        if (has_value(k, i) &&
            k->g->element[k->g->storage[i]].kind == k->g->element[k->g->storage[storage]].kind)
            most = fmax(most, n->size.peak[i] / fabs(m->storage[i]));
    return OFF_OF_MOST * most * fabs(m->storage[storage]);
}

/* What the stretch says by itself: errors that it was given do not count twice. */
static void find_off(struct given_states *to, integrate *n, const mode *m, double t, double tau)
{
    const model *k = &n->s->model;
    const program *p = jni_program(m);
    const double *noise = n->look + jni_obs_count(k);
    /* what an instant at once is asked for is often noise alone: then no time was found that could be off */
    bool is_found = n->s->course.cross > 0 || (n->s->course.cross == 0 && !jni_noise_matters(n));
    bool crosses = is_found && tau >= n->s->course.cross;
    jni_follower_observe(n->look, n->follower, t, true, false);
    jni_follower_at(n->follower, t, true);
    to->late = crosses ? time_off(n->s, tau, noise) : 0;
    for (int i = 0; i < k->nx; i++) {
        int col = m->integral[i] ? p->in[i] : p->out[i];
        if (has_value(k, i) && col < 2 * k->g->nbonds)
            to->off[i] = fmin(most_off(n, m, i), fmax(fabs(m->storage[i]) * noise[col],
                                                      fabs(n->follower->yp[i]) * to->late));
    }
}

void jni_note_came(integrate *n, double t)
{
    jn_sim *s = n->s;
    const mode *m = s->now.m;
    follower *f = n->follower;
    if (n->came.t == t || n->put.t != t || !m || m->engine != &jni_integrate_engine ||
        !f->is_running || f->m != m || t < f->from || t > f->to)
        return;
    jni_fade(n, s->now.m, t);
    double *before = jni_doubles(s->model.nx);
    jni_copy(before, n->came.off, s->model.nx);
    memset(n->came.off, 0, (size_t)s->model.nx * sizeof *n->came.off);
    find_off(&n->came, n, m, t, t - s->course.t0);
    n->came.t = t;
    for (int i = 0; i < s->model.nx; i++) {
        bool stays = fabs(s->now.x[i] - n->came.x[i]) <= before[i];
        n->came.off[i] = stays ? fmax(n->came.off[i], before[i]) : n->came.off[i];
        n->came.x[i] = s->now.x[i];
    }
    free(before);
}

void jni_hold_came(double *x_after, const integrate *n, const double *x)
{
    for (int i = 0; i < n->s->model.nx; i++)
        if (x_after[i] == 0 && x[i] == n->came.x[i] && fabs(x[i]) <= NO_JUMP * n->came.off[i])
            x_after[i] = x[i];
}
