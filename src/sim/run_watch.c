/* conditions.c: the comparisons that can make something happen, and when they do next.
 *
 * Only those are watched that stand in a transition out of an automaton's present state, or in a
 * branch of a source. A comparison of time alone is a time event. One that is linear in the
 * observables is a series of its own on every stretch; any other is sampled at the points of an
 * interpolation, on a shorter stretch where the samples are not smooth. */
#include <math.h>
#include <stdlib.h>

#include "numeric.h"

/* ---- collecting ------------------------------------------------------------------------------ */

/* What is integrated stands for itself (s->integral): there a signal may read itself. */
bool jn_mentions(const jn_sim *s, const jn_expr *e, jn_expr_op op)
{
    if (e->op == op || e->op == JN_X_INT)
        return e->op == op;
    if (e->op == JN_X_SIGNAL)
        return jn_mentions(s, s->g->signal[e->index].expr, op);
    for (int i = 0; i < e->nargs; i++)
        if (jn_mentions(s, e->arg[i], op))
            return true;
    return false;
}

static bool is_comparison(const jn_expr *e)
{
    return e->op >= JN_X_LT && e->op <= JN_X_GT;
}

/* f -= g */
static void form_subtract(linear_form *f, const linear_form *g)
{
    f->c0 -= g->c0;
    f->ct -= g->ct;
    for (int i = 0; i < g->n; i++) {
        JN_GROW(f->term, f->n, f->cap);
        f->term[f->n++] = (struct form_term){g->term[i].obs, -g->term[i].c};
    }
}

/* left − right as a linear form, where it is one. An absolute value counts with the given sign. */
static bool difference(linear_form *f, const jn_sim *s, const jn_expr *e, int sign)
{
    linear_form right;
    const jn_expr *side[2] = {e->arg[0], e->arg[1]};
    for (int i = 0; i < 2; i++)
        if (side[i]->op == JN_X_ABS)
            side[i] = side[i]->arg[0];
    if (!jn_form_of(f, s, side[0]))
        return false;
    if (!jn_form_of(&right, s, side[1])) {
        jn_form_clear(f);
        return false;
    }
    linear_form *turned = e->arg[0]->op == JN_X_ABS ? f : e->arg[1]->op == JN_X_ABS ? &right : NULL;
    for (int i = 0; turned && i < turned->n; i++)
        turned->term[i].c *= sign;
    if (turned) {
        turned->c0 *= sign;
        turned->ct *= sign;
    }
    form_subtract(f, &right);
    jn_form_clear(&right);
    return true;
}

static void make_atom(atom *a, const jn_sim *s, const jn_expr *e, int sign)
{
    a->e = e;
    a->sign = sign;
    /* x < c and x >= c change sides together; so do x > c and x <= c */
    a->strict = e->op == JN_X_GT || e->op == JN_X_LE || e->op == JN_X_EQ;
    bool both = e->arg[0]->op == JN_X_ABS && e->arg[1]->op == JN_X_ABS;
    if (jn_mentions(s, e, JN_X_IMPULSE) || jn_mentions(s, e, JN_X_WITHIN))
        a->kind = ATOM_INSTANT;
    else if (!both && difference(&a->form, s, e, sign))
        a->kind = a->form.n ? ATOM_LINEAR : ATOM_TIME;
    else
        a->kind = ATOM_SAMPLED;
    a->reads_model = jn_reads_model(s, e);
    a->reads_prior = jn_mentions(s, e, JN_X_PRIOR);
}

static int find_atom(jn_sim *s, const jn_expr *e, int sign)
{
    for (int i = 0; i < s->natoms; i++)
        if (s->atom[i].e == e && s->atom[i].sign == sign)
            return i;
    JN_GROW(s->atom, s->natoms, s->cap_atoms);
    s->atom[s->natoms] = (atom){0};
    make_atom(&s->atom[s->natoms], s, e, sign);
    return s->natoms++;
}

static size_t slot_of(const jn_sim *s, const jn_expr *e)
{
    size_t slot = ((size_t)e >> 4) & (size_t)(s->natom_slots - 1);
    while (s->atom_slot[slot] && s->atom[s->atom_slot[slot] - 1].e != e)
        slot = (slot + 1) & (size_t)(s->natom_slots - 1);
    return slot;
}

/* The first atom of a comparison, −1: it is not watched. */
static int atom_of(const jn_sim *s, const jn_expr *e)
{
    return s->natom_slots ? s->atom_slot[slot_of(s, e)] - 1 : -1;
}

static void index_atoms(jn_sim *s)
{
    s->natom_slots = 16;
    while (s->natom_slots < 2 * s->natoms)
        s->natom_slots *= 2;
    s->atom_slot = jn_alloc((size_t)s->natom_slots * sizeof *s->atom_slot);
    for (int i = 0; i < s->natoms; i++) {
        size_t slot = slot_of(s, s->atom[i].e);
        if (!s->atom_slot[slot])
            s->atom_slot[slot] = i + 1;
    }
}

static void watch(int_list *list, int number)
{
    JN_GROW(list->item, list->n, list->cap);
    list->item[list->n++] = number;
}

/* The comparisons in a condition. Those inside an `if` of a value are part of a sampled one. */
static void watch_condition(int_list *list, jn_sim *s, const jn_expr *e)
{
    if (is_comparison(e)) {
        /* |x| < c is x < c and −x < c: two that are linear where x is */
        bool absolute = (e->arg[0]->op == JN_X_ABS) != (e->arg[1]->op == JN_X_ABS);
        int first = find_atom(s, e, 1);
        watch(list, first);
        if (absolute && s->atom[first].kind <= ATOM_TIME)
            watch(list, find_atom(s, e, -1));
        return;
    }
    for (int i = 0; i < e->nargs; i++)
        watch_condition(list, s, e->arg[i]);
}

void jn_conditions_init(jn_sim *s)
{
    s->watch = jn_alloc((size_t)s->g->nswitches * sizeof *s->watch);
    s->reads = jn_alloc((size_t)s->g->nswitches * sizeof *s->reads);
    for (int i = 0; i < s->g->nswitches; i++) {
        const jn_automaton *a = &s->g->automaton[i];
        s->watch[i] = jn_alloc((size_t)a->nstates * sizeof **s->watch);
        s->reads[i] = jn_alloc((size_t)a->ntransitions * sizeof **s->reads);
        for (int k = 0; k < a->ntransitions; k++) {
            const jn_expr *when = a->transition[k].when;
            watch_condition(&s->watch[i][a->transition[k].from], s, when);
            s->reads[i][k].prior = jn_mentions(s, when, JN_X_PRIOR);
            s->reads[i][k].within = jn_mentions(s, when, JN_X_WITHIN);
            s->has_within |= s->reads[i][k].within;
        }
    }
    const branches *b = jn_generator_branches(s->gen);
    for (int i = 0; i < jn_branches_count(b); i++)
        watch_condition(&s->branch_watch, s, jn_branch_condition(b, i));
    index_atoms(s);
}

void jn_conditions_clear(jn_sim *s)
{
    for (int i = 0; i < s->g->nswitches && s->watch; i++) {
        for (int k = 0; k < s->g->automaton[i].nstates; k++)
            free(s->watch[i][k].item);
        free(s->watch[i]);
        free(s->reads[i]);
    }
    free(s->watch);
    free(s->reads);
    free(s->branch_watch.item);
    for (int i = 0; i < s->natoms; i++)
        jn_form_clear(&s->atom[i].form);
    free(s->atom);
    free(s->atom_slot);
    s->atom_slot = NULL;
    s->natom_slots = 0;
    s->watch = NULL;
    s->reads = NULL;
    s->branch_watch = (int_list){0};
    s->atom = NULL;
    s->crossed = NULL;
    s->natoms = s->cap_atoms = 0;
}

/* ---- all that is watched now ----------------------------------------------------------------- */

typedef struct {
    const jn_sim *s;
    int at_switch, item; /* −1: the branches of sources */
} walk;

static atom *next_watched(walk *w)
{
    const jn_sim *s = w->s;
    for (;;) {
        const int_list *list =
            w->at_switch < 0 ? &s->branch_watch : &s->watch[w->at_switch][s->state[w->at_switch]];
        bool off = w->at_switch >= 0 && s->o.nsequence; /* a sequence overrides the automata */
        if (!off && w->item < list->n)
            return &s->atom[list->item[w->item++]];
        w->item = 0;
        if (++w->at_switch >= s->g->nswitches)
            return NULL;
    }
}

static bool is_strict(const jn_expr *comparison)
{
    return comparison->op == JN_X_LT || comparison->op == JN_X_GT;
}

static bool side_of(const atom *a, double g)
{
    return a->strict ? g > 0 : g >= 0;
}

/* The first double after t at which c0 + ct·t is on another side than now. */
static double change_time(const atom *a, double now)
{
    const linear_form *f = &a->form;
    if (f->ct == 0)
        return INFINITY;
    double t = -f->c0 / f->ct;
    if (t < now)
        return INFINITY;
    bool before = side_of(a, f->c0 + f->ct * now);
    for (int i = 0; i < 4; i++, t = nextafter(t, INFINITY))
        if (t > now && side_of(a, f->c0 + f->ct * t) != before)
            return t;
    return INFINITY;
}

double jn_next_atom_time(const jn_sim *s)
{
    double first = INFINITY;
    walk w = {s, -1, 0};
    for (const atom *a; (a = next_watched(&w));)
        if (a->kind == ATOM_TIME)
            first = fmin(first, change_time(a, s->t));
    return first;
}

double jn_margin(const jn_sim *s, const jn_expr *comparison, double a, double b)
{
    if (!s->numeric)
        return 0;
    for (int i = 0; i < s->natoms; i++) {
        const atom *c = &s->atom[i];
        if (c->e != comparison || c->kind != ATOM_LINEAR)
            continue;
        double sum = 0;
        for (int k = 0; k < c->form.n; k++)
            sum += fabs(c->form.term[k].c) * jn_numeric_grain(s, c->form.term[k].obs);
        return sum;
    }
    double size = fabs(a) + fabs(b);
    return isfinite(size) && jn_reads_model(s, comparison) ? jn_numeric_unit(s) * size : 0;
}

/* Left − right, and what it is made of. */
static double form_value(jn_sim *s, mode_table *m, const double *z, double t, const linear_form *f,
                         double *size)
{
    double value = f->c0 + f->ct * t;
    *size = fabs(f->c0) + fabs(f->ct * t);
    for (int i = 0; i < f->n; i++) {
        double c = f->term[i].c, sum = 0;
        if (s->numeric) { /* z holds the observables themselves */
            value += c * z[f->term[i].obs];
            *size += fabs(c * z[f->term[i].obs]);
            continue;
        }
        const double *row = jn_mode_table_row(s, m, f->term[i].obs);
        for (int k = 0; k < m->nz; k++) {
            sum += row[k] * z[k];
            *size += fabs(c * row[k] * z[k]);
        }
        value += c * sum;
    }
    return value;
}

static verdict side_verdict(const atom *a, const view *v)
{
    double size, g = form_value(v->s, v->m, v->z, v->t, &a->form, &size);
    bool strict = is_strict(a->e);
    if (strict && v->steady && fabs(g) <= 1e-14 * size)
        return NO;
    if (strict && v->followed && v->t < a->clear_from)
        return NO;
    bool above = a->e->op == JN_X_GT || a->e->op == JN_X_GE;
    return side_of(a, g) == above;
}

bool jn_verdict_as_followed(verdict *out, const view *v, const jn_expr *comparison)
{
    const jn_sim *s = v->s;
    int i = atom_of(s, comparison);
    if (s->numeric || i < 0 || s->atom[i].kind > ATOM_TIME || s->atom[i].reads_prior ||
        comparison->op == JN_X_EQ)
        return false;
    *out = side_verdict(&s->atom[i], v);
    if (i + 1 < s->natoms && s->atom[i + 1].e == comparison) { /* |x| < c: x < c and −x < c */
        bool less = comparison->op == JN_X_LT || comparison->op == JN_X_LE;
        bool all = less == (comparison->arg[0]->op == JN_X_ABS);
        verdict other = side_verdict(&s->atom[i + 1], v);
        *out = all ? *out && other : *out || other;
    }
    return true;
}

/* A rate is a sum of A·z in which large terms may cancel, and what they leave grows with time. */
static double rounding_of_rate(jn_sim *s, mode_table *m, const double *z, const linear_form *f)
{
    double size = 0;
    for (int k = 0; k < f->n; k++) {
        const double *r = jn_mode_table_row(s, m, f->term[k].obs);
        for (int i = 0; i < m->nz; i++)
            for (int l = m->A.start[i]; r[i] != 0 && l < m->A.start[i + 1]; l++)
                size += fabs(f->term[k].c * r[i] * m->A.a[l] * z[m->A.col[l]]);
    }
    return 4e-15 * size;
}

/* Left − right of a comparison that is not linear. */
static double sides_apart(jn_sim *s, const atom *a, const double *z, double t, double *margin)
{
    view v = {.s = s, .m = s->now, .z = z, .t = t};
    double left = jn_evaluate(&v, a->e->arg[0]), right = jn_evaluate(&v, a->e->arg[1]);
    *margin = (a->strict ? -1 : 1) * jn_margin(s, a->e, left, right);
    return left - right;
}

/* The same of a linear one; *size: what it is made of. */
static double form_now(jn_sim *s, const atom *a, double *margin, double *size)
{
    *margin = (a->strict ? -1 : 1) * jn_margin(s, a->e, 0, 0);
    return form_value(s, s->now, s->z, s->t, &a->form, size);
}

void jn_conditions_note(jn_sim *s)
{
    walk w = {s, -1, 0};
    for (atom *a; (a = next_watched(&w));) {
        double value, margin, size = 0;
        if (a->kind == ATOM_LINEAR)
            value = form_now(s, a, &margin, &size);
        else if (a->kind == ATOM_SAMPLED)
            value = sides_apart(s, a, s->z, s->t, &margin);
        else
            continue;
        /* a crossing that rounding may have hidden from the conditions has not been seen */
        bool unseen = a == s->crossed && fabs(value + margin) <= 1e-15 * size;
        bool side = unseen ? a->side : side_of(a, value + margin);
        a->misses = a == s->crossed && side == a->side ? a->misses + 1 : 0;
        a->side = side;
    }
}

/* ---- on a stretch ---------------------------------------------------------------------------- */

/* A run that is not exact looks at the end of what is within rounding all along: to stop there for
 * nothing would cost a new start of the integrator. */
static double find_crossing(const jn_sim *s, crossing *c)
{
    double tau = jn_series_crossing(c);
    if (tau != CROSSING_UNSURE || !s->numeric)
        return tau;
    double g = jn_series_at(c->a, c->n, fmin(1, 2 * c->end / c->length - 1));
    return (c->strict ? g > 0 : g >= 0) != c->start ? c->end : -1;
}

static void observed_series(double *a, jn_sim *s, int obs)
{
    if (s->numeric)
        jn_numeric_series(a, s, obs);
    else
        jn_stretch_series(a, &s->stretch, jn_mode_table_row(s, s->now, obs));
}

static double linear_crossing(jn_sim *s, atom *a, double end, double margin)
{
    double series[PANEL_POINTS] = {0}, scale;
    double value = form_value(s, s->now, s->z, s->t, &a->form, &scale);
    const stretch *p = &s->stretch;
    for (int i = 0; i < a->form.n; i++) {
        double part[PANEL_POINTS];
        observed_series(part, s, a->form.term[i].obs);
        for (int k = 0; k < p->n; k++)
            series[k] += a->form.term[i].c * part[k];
    }
    if (isnan(series[0])) /* nothing determines it in this mode */
        return -1;
    margin = a->strict ? -margin : margin;
    series[0] += margin + a->form.c0 + a->form.ct * (s->t + 0.5 * p->length);
    series[1] += a->form.ct * 0.5 * p->length;
    for (int k = 0; k < p->n; k++)
        scale += fabs(series[k]);
    crossing c = {.a = series,
                  .n = p->n,
                  .length = p->length,
                  .end = end,
                  .strict = a->strict,
                  .start = s->numeric ? a->side : side_of(a, value),
                  .noise = 2e-15 * scale,
                  .t0 = s->t};
    if (!s->numeric && !s->slide) {
        c.noise += p->length * rounding_of_rate(s, s->now, s->z, &a->form);
        if (is_strict(a->e) && fabs(value) <= c.noise)
            c.start = a->e->op == JN_X_LT; /* what does not hold for certain does not hold */
    }
    double tau = find_crossing(s, &c);
    a->clear_from = s->t + c.clear;
    return tau;
}

/* How well values are known depends on how large they are: the place of a crossing is found again
 * with what holds there. */
static double known_crossing(jn_sim *s, atom *a, double end)
{
    jn_numeric_grains_anywhere(s);
    double tau = linear_crossing(s, a, end, jn_margin(s, a->e, 0, 0)), before = -1;
    for (int k = 0; k < 5 && tau >= 0 && fabs(tau - before) > 1e-6 * s->stretch.length; k++) {
        before = tau;
        jn_numeric_grains_at(s, tau);
        tau = linear_crossing(s, a, end, jn_margin(s, a->e, 0, 0));
    }
    return tau;
}

static double sample(jn_sim *s, const atom *a, double *z, double tau)
{
    double margin;
    if (a->reads_model && s->numeric)
        jn_numeric_glance(z, s, tau);
    else if (a->reads_model)
        jn_stretch_at(z, &s->stretch, tau);
    double apart = sides_apart(s, a, z, s->t + tau, &margin);
    return apart + margin;
}

/* Returns what rounding of the time alone may do to a value. */
static double sample_series(double *series, jn_sim *s, atom *a, double *z, double end)
{
    double values[PANEL_POINTS], largest = 0, low = INFINITY, high = -INFINITY;
    for (int i = 0; i < PANEL_POINTS; i++) {
        double u = cos(3.14159265358979323846 * i / PANEL_DEGREE);
        values[i] = sample(s, a, z, 0.5 * end * (1 + u));
        largest = fmax(largest, fabs(values[i]));
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
    }
    jn_series_fit(series, values, PANEL_POINTS);
    if (largest > a->scale)
        a->scale = largest;
    return 8 * (high - low) / end * (nextafter(s->t + end, INFINITY) - (s->t + end));
}

static bool is_smooth(const double *series, double scale, double noise)
{
    double tail = 0;
    if (isnan(series[0]))
        return false;
    for (int k = PANEL_DEGREE - 2; k <= PANEL_DEGREE; k++)
        tail = fmax(tail, fabs(series[k]));
    return tail <= 1e-13 * scale + noise;
}

/* Samples over [0, *end], shortening it until they are smooth; not below a small part of what was
 * smooth before, for there it must be a kink. */
static double sampled_crossing(jn_sim *s, atom *a, double *end)
{
    double *z = jn_alloc((size_t)s->now->nz * sizeof *z), series[PANEL_POINTS];
    double margin, least = a->smooth / 4096;
    double now = sides_apart(s, a, s->z, s->t, &margin) + margin;
    if (isnan(now)) { /* it has lost its value: look at the conditions, soon */
        *end = fmin(*end, a->smooth > 0 ? a->smooth : *end);
        free(z);
        return CROSSING_UNSURE;
    }
    if (a->smooth > 0)
        *end = fmin(*end, 4 * a->smooth);
    bool halved = false;
    double noise = sample_series(series, s, a, z, *end);
    for (; !is_smooth(series, a->scale, noise); noise = sample_series(series, s, a, z, *end)) {
        if (*end <= least || s->t + *end <= nextafter(s->t, INFINITY))
            break;
        *end *= 0.5;
        halved = true;
    }
    if (halved || *end > a->smooth)
        a->smooth = fmax(*end, least);
    bool start = s->numeric ? a->side : side_of(a, now);
    free(z);
    if (isnan(series[0])) /* it loses its value: look at the conditions there */
        return CROSSING_UNSURE;
    crossing c = {.a = series,
                  .n = PANEL_POINTS,
                  .length = *end,
                  .end = *end,
                  .strict = a->strict,
                  .start = start,
                  .noise = 1e-14 * a->scale + noise,
                  .t0 = s->t};
    return find_crossing(s, &c);
}

/* A crossing that a look at it did not confirm is looked at again a little later. */
static double once_more(const atom *a, double tau, double end)
{
    return tau >= 0 && a->misses ? fmin(end, fmax(tau, ldexp(end, 4 * a->misses - 50))) : tau;
}

static double search(jn_sim *s, double *end)
{
    double first = s->slide ? jn_slide_exit(s, *end) : s->numeric ? jn_numeric_exit(s, *end) : -1;
    walk w = {s, -1, 0};
    s->crossed = NULL;
    s->unsure = false;
    for (atom *a; (a = next_watched(&w));) {
        double tau = -1;
        if (s->numeric ? jn_numeric_ignores(s, a->e) : jn_slide_ignores(s, a))
            continue;
        if (a->kind == ATOM_LINEAR)
            tau = s->numeric ? known_crossing(s, a, first < 0 ? *end : first)
                             : linear_crossing(s, a, first < 0 ? *end : first, 0);
        else if (a->kind == ATOM_SAMPLED)
            tau = sampled_crossing(s, a, end);
        if (tau == CROSSING_UNSURE) {
            s->unsure = true;
            if (first < 0)
                s->crossed = a;
        }
        if (s->numeric)
            tau = once_more(a, tau, *end);
        if (tau >= 0 && (first < 0 || tau < first)) {
            first = tau;
            s->crossed = a;
        }
    }
    return first <= *end ? first : -1; /* what lies beyond is looked at later */
}

double jn_first_crossing(jn_sim *s, double *end)
{
    double first = search(s, end);
    if (s->numeric && s->natoms) /* what comes there is looked at with what holds there */
        jn_numeric_grains_at(s, first >= 0 ? first : *end);
    return first;
}
