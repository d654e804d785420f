/* test_sim_random.c: random linear hybrid models, run by the simulator and by the un-reduced
 * equations of their modes.
 *
 * A model from the generator gets positive values, initial states, sources that change in time,
 * and switches that change at given times or with a state. The reference (unreduced.h) knows the
 * event iteration as method.md tells it, and nothing else of the simulator. */
#include "rig.h"
#include "property/random_model.h"
#include "unreduced.h"

#include <math.h>

enum { MAX_SWITCHES = 7, MAX_TIMES = 3, MAX_EVENTS = 200 };

#define END 2.0

typedef ur_real real;

/* ---- what is added to the model ------------------------------------------------------------ */

static real two(real t)
{
    return 2 + 0 * t;
}

static real negative(real t)
{
    return -1 / 3.0L + 0 * t;
}

static real ramp(real t)
{
    return t - 1;
}

static real wave(real t)
{
    return 2 * sinl(3 * t);
}

static real fading(real t)
{
    return expl(-t) * cosl(5 * t);
}

static const struct {
    const char *text;
    real (*value)(real t);
} inputs[] = {{"2", two},
              {"-1/3", negative},
              {"t - 1", ramp},
              {"2*sin(3*t)", wave},
              {"exp(-t)*cos(5*t)", fading}};

/* A switch changes at given times (in 1/16 s), or follows a state with a hysteresis. */
typedef struct {
    bool on; /* at the start */
    int ntimes, time[MAX_TIMES];
    int storage; /* −1: by time */
    int above;   /* on above this, off below its negative; in 1/37 */
} control;

typedef struct {
    model m;
    rig r;
    jn_junction *junction;
    jn_implicit *implicit;
    int nswitches, nsources;
    int input[UR_INPUTS]; /* per source: which of the above */
    control sw[MAX_SWITCHES];
    ur_mode mode[1 << MAX_SWITCHES];
    bool known[1 << MAX_SWITCHES];
} trial;

static int number_of(const model *m, int element, bool (*is)(const model *m, int element))
{
    int n = 0;
    for (int i = 0; i < element; i++)
        n += is(m, i);
    return n;
}

static bool is_input_used(const trial *t, int k, int nsources)
{
    for (int i = 0; i < nsources; i++)
        if (t->input[i] == k)
            return true;
    return false;
}

/* Constants that agree are in no conflict, which the reference does not know: each is used once. */
static int choose_input(const trial *t, test_rng *r, int nsources)
{
    enum { CONSTANTS = 2 };
    int k = test_rng_int(r, 0, 4);
    return k < CONSTANTS && is_input_used(t, k, nsources) ? k + CONSTANTS : k;
}

/* Positive and complete: every passive network has one solution in every allowed mode. */
static void give_values(trial *t, test_rng *r)
{
    model *m = &t->m;
    for (int i = 0; i < m->nsymbols; i++) {
        m->symbol[i].given = true;
        fmpq_abs(m->symbol[i].value, m->symbol[i].value);
    }
    for (int i = 0; i < m->nelements; i++) {
        model_element *x = &m->element[i];
        if (x->kind == JN_R)
            x->coefficient = abs(x->coefficient);
        if (model_is_storage(m, i) && test_rng_chance(r, 70))
            snprintf(x->initial, sizeof x->initial, "%s0 = %d/%d", x->kind == JN_I ? "p" : "q",
                     test_rng_int(r, -9, 9), test_rng_int(r, 1, 4));
        if (model_is_source(m, i)) {
            int source = number_of(m, i, model_is_source), k = choose_input(t, r, source);
            t->input[source] = k;
            snprintf(x->input, sizeof x->input, "%s", inputs[k].text);
        }
    }
}

static void choose_controls(trial *t, test_rng *r)
{
    int nstorages = model_count(&t->m, model_is_storage);
    int by_state = test_rng_chance(r, 50) ? 40 : 0;
    for (int s = 0; s < t->nswitches; s++) {
        control *c = &t->sw[s];
        *c = (control){.on = test_rng_chance(r, 50), .storage = -1};
        if (nstorages && test_rng_chance(r, by_state)) {
            c->storage = test_rng_int(r, 0, nstorages - 1);
            c->above = test_rng_int(r, 1, 60);
            continue;
        }
        int from = 0;
        for (c->ntimes = 0; c->ntimes < MAX_TIMES && test_rng_chance(r, 60); c->ntimes++)
            c->time[c->ntimes] = from = test_rng_int(r, from + 1, from + 12);
    }
}

static const char *storage_variable(const trial *t, int storage, char *room, size_t size)
{
    int i = 0;
    while (!model_is_storage(&t->m, i) || number_of(&t->m, i, model_is_storage) != storage)
        i++;
    const model_element *x = &t->m.element[i];
    snprintf(room, size, "%s(%s)", x->kind == JN_I ? "p" : "q", x->name);
    return room;
}

static void put_controls(jn_str *text, const trial *t)
{
    for (int i = 0; i < t->m.nelements; i++) {
        if (!model_is_switch(&t->m, i))
            continue;
        const control *c = &t->sw[number_of(&t->m, i, model_is_switch)];
        char name[40];
        jn_str_addf(text, "switch %s %s", t->m.element[i].name, c->on ? "on" : "off");
        for (int k = 0; k < c->ntimes; k++)
            jn_str_addf(text, ", %s at %d/16", c->on == (k % 2 == 1) ? "on" : "off", c->time[k]);
        if (c->storage >= 0) {
            storage_variable(t, c->storage, name, sizeof name);
            jn_str_addf(text, ", on when %s > %d/37, off when %s < -%d/37", name, c->above, name,
                        c->above);
        }
        jn_str_addc(text, '\n');
    }
}

/* ---- the reference ------------------------------------------------------------------------- */

typedef enum { GOES_ON, FORBIDDEN, ENDLESS, UNCLEAR } outcome;

typedef struct {
    real t;
    int mode; /* switch 0 is the lowest bit */
} happening;

typedef struct {
    trial *trial;
    real t, x[UR_STATES], most;
    int mode;
    int nevents;
    happening event[MAX_EVENTS];
    outcome end;
} reference;

static void read_inputs(real *u, real t, const void *context)
{
    const trial *k = context;
    for (int i = 0; i < k->nsources; i++)
        u[i] = inputs[k->input[i]].value(t);
}

static ur_mode *mode_of(trial *t, int mode)
{
    jn_onoff onoff[MAX_SWITCHES];
    for (int s = 0; s < t->nswitches; s++)
        onoff[s] = mode >> s & 1;
    if (!t->known[mode])
        ur_mode_init(&t->mode[mode], t->implicit, onoff);
    t->known[mode] = true;
    return &t->mode[mode];
}

static bool fires(const control *c, bool on, const real *x)
{
    real level = c->above / 37.0L;
    return c->storage >= 0 && (on ? x[c->storage] < -level : x[c->storage] > level);
}

/* The switches that change when the states are x. */
static int changes(const trial *t, int mode, const real *x)
{
    int change = 0;
    for (int s = 0; s < t->nswitches; s++)
        if (fires(&t->sw[s], mode >> s & 1, x))
            change |= 1 << s;
    return change;
}

/* A value so near to its level that rounding decides. */
static bool on_a_level(const trial *t, const real *x)
{
    for (int s = 0; s < t->nswitches; s++) {
        const control *c = &t->sw[s];
        if (c->storage >= 0 && fabsl(fabsl(x[c->storage]) - c->above / 37.0L) < 1e-7L)
            return true;
    }
    return false;
}

/* A forbidden candidate is the end, unless a condition may yet fire on what would be infinite
 * there: that is asked of models whose answer is known, not of these. */
static outcome forbidden_end(const trial *t)
{
    for (int s = 0; s < t->nswitches; s++)
        if (t->sw[s].storage >= 0)
            return UNCLEAR;
    return FORBIDDEN;
}

/* method.md §5: no condition here asks for prior values, so a mode is either mythical or final. */
static outcome iterate(reference *f, int candidate)
{
    for (int turn = 0; turn <= 1 << f->trial->nswitches; turn++) {
        ur_mode *m = mode_of(f->trial, candidate);
        real x[UR_STATES];
        if (m->status != JN_MODE_OK)
            return forbidden_end(f->trial);
        memcpy(x, f->x, sizeof x);
        if (!ur_jump(x, m, f->t, read_inputs, f->trial))
            return UNCLEAR;
        int change = changes(f->trial, candidate, x);
        if (turn > 0 && change == 0 && on_a_level(f->trial, x))
            return UNCLEAR;
        if (change == 0) {
            memcpy(f->x, x, sizeof x);
            f->mode = candidate;
            return GOES_ON;
        }
        candidate ^= change;
    }
    return ENDLESS;
}

static outcome happen(reference *f, int candidate)
{
    if (f->nevents == MAX_EVENTS)
        return UNCLEAR;
    outcome o = iterate(f, candidate);
    if (o == GOES_ON)
        f->event[f->nevents++] = (happening){f->t, f->mode};
    return o;
}

/* The next time at which a switch changes, in 1/16 s, after `now`. */
static int next_time(const trial *t, int now)
{
    int next = 1 << 20;
    for (int s = 0; s < t->nswitches; s++)
        for (int k = 0; k < t->sw[s].ntimes; k++)
            if (t->sw[s].time[k] > now && t->sw[s].time[k] < next)
                next = t->sw[s].time[k];
    return next;
}

static int timed_changes(const trial *t, int now)
{
    int change = 0;
    for (int s = 0; s < t->nswitches; s++)
        for (int k = 0; k < t->sw[s].ntimes; k++)
            if (t->sw[s].time[k] == now)
                change |= 1 << s;
    return change;
}

/* Bisection between f->t, where nothing fires, and f->t + h, where something does. */
static outcome locate(reference *f, real h)
{
    ur_mode *m = mode_of(f->trial, f->mode);
    real lo = 0, hi = h, x[UR_STATES];
    for (int k = 0; k < 60; k++) {
        real mid = (lo + hi) / 2;
        memcpy(x, f->x, sizeof x);
        ur_step(x, m, f->t, mid, read_inputs, f->trial, NULL);
        if (changes(f->trial, f->mode, x))
            hi = mid;
        else
            lo = mid;
    }
    ur_step(f->x, m, f->t, hi, read_inputs, f->trial, NULL);
    f->t += hi;
    return happen(f, f->mode ^ changes(f->trial, f->mode, f->x));
}

/* One step of 1/512 s at most; *h is what is left of it after an event. */
static outcome advance_step(reference *f, real *h)
{
    ur_mode *m = mode_of(f->trial, f->mode);
    real x[UR_STATES], stage[UR_STAGES][UR_STATES], start = f->t;
    memcpy(x, f->x, sizeof x);
    ur_step(x, m, f->t, *h, read_inputs, f->trial, stage);
    for (int i = 0; i < UR_STAGES; i++) {
        if (!changes(f->trial, f->mode, stage[i]))
            continue;
        if (!changes(f->trial, f->mode, x))
            return UNCLEAR; /* crossed and back within the step */
        outcome o = locate(f, *h);
        *h -= f->t - start;
        return o;
    }
    memcpy(f->x, x, sizeof x);
    f->t += *h;
    *h = 0;
    for (int i = 0; i < m->n; i++)
        f->most = fmaxl(f->most, fabsl(x[i]));
    return GOES_ON;
}

/* To n/16 s; the events of that time included. */
static void advance_reference(reference *f, int n)
{
    for (int k = (int)(f->t * 512); k < 32 * n && f->end == GOES_ON; k++) {
        real h = 1 / 512.0L;
        while (h > 1e-15L && f->end == GOES_ON)
            f->end = advance_step(f, &h);
        if (f->end == GOES_ON)
            f->t = (k + 1) / 512.0L;
    }
    int change = timed_changes(f->trial, n);
    if (f->end == GOES_ON && change)
        f->end = happen(f, f->mode ^ change);
}

static void start_reference(reference *f, trial *t)
{
    *f = (reference){.trial = t, .most = 1};
    for (int s = 0; s < t->nswitches; s++)
        f->mode |= t->sw[s].on << s;
    const jn_graph *g = t->r.graph;
    for (int i = 0; i < g->nstorages; i++) {
        jn_ratfun v;
        if (g->element[g->storage[i]].initial &&
            jn_expr_ratfun(&v, g->field, g->element[g->storage[i]].initial) == JN_OK)
            f->x[i] = jn_ratfun_get_d(g->field, v);
    }
    f->end = iterate(f, f->mode);
}

/* ---- comparing ----------------------------------------------------------------------------- */

static struct {
    int models, events, forbidden, unclear, refused;
    double worst;
} seen;

static bool differs(const trial *t, const char *what, double got, real expected)
{
    printf("\n  %s: got %.15g, expected %.15Lg at t = %.15g", what, got, expected,
           jn_sim_time(t->r.sim));
    return false;
}

static bool same_state(const trial *t, const reference *f)
{
    const double *x = jn_sim_state(t->r.sim);
    for (int i = 0; i < t->r.graph->nstorages; i++) {
        double error = (double)(fabsl(x[i] - f->x[i]) / f->most);
        seen.worst = fmax(seen.worst, error);
        if (!(error <= 1e-9))
            return differs(t, t->r.graph->element[t->r.graph->storage[i]].name, x[i], f->x[i]);
    }
    return true;
}

static bool same_events(const trial *t, const reference *f)
{
    int n = t->r.nevents - 1;
    for (int i = 0; i < n && i < f->nevents; i++) {
        const rig_event *e = &t->r.event[i + 1];
        if (!(fabs(e->t - (double)f->event[i].t) <= 1e-8))
            return differs(t, "time of an event", e->t, f->event[i].t);
        for (int s = 0; s < t->nswitches; s++)
            if (e->to[s] - '0' != (f->event[i].mode >> s & 1))
                return differs(t, "a switch after an event", e->to[s] - '0', f->event[i].t);
    }
    return n == f->nevents || differs(t, "number of events", n, f->nevents);
}

/* The reference has come to its end at a time the simulator should not get past. */
static bool same_end(trial *t, const reference *f)
{
    jn_stop why = rig_try(&t->r, END);
    if (f->end == FORBIDDEN && why != JN_STOP_FORBIDDEN)
        return differs(t, "stop for a forbidden mode", why, JN_STOP_FORBIDDEN);
    if (f->end == ENDLESS && why != JN_STOP_LOOP)
        return differs(t, "stop for an endless loop", why, JN_STOP_LOOP);
    return fabs(t->r.stop.t - (double)f->t) < 1e-8 || differs(t, "time of stop", t->r.stop.t, f->t);
}

static bool compare_run(trial *t, reference *f)
{
    for (int now = 0, next; now < (int)(END * 16) && f->end == GOES_ON; now = next) {
        next = next_time(t, now);
        if (next > now + 4)
            next = now + 4;
        advance_reference(f, next);
        if (f->end != GOES_ON)
            break;
        if (rig_try(&t->r, next / 16.0) != JN_STOP_NONE) {
            printf("\n  stopped: %s", t->r.message);
            return differs(t, "stop", t->r.stop.t, f->t);
        }
        if (!same_state(t, f) || !same_events(t, f))
            return false;
    }
    seen.unclear += f->end == UNCLEAR;
    seen.forbidden += f->end == FORBIDDEN;
    return f->end == GOES_ON || f->end == UNCLEAR || same_end(t, f);
}

/* ---- one model ----------------------------------------------------------------------------- */

static bool derive(trial *t)
{
    return jn_junction_build(&t->junction, t->r.graph, true, t->r.diags) == JN_OK &&
           jn_implicit_derive(&t->implicit, t->junction, t->r.diags) == JN_OK;
}

/* The run, when both start; else whether they agree that it cannot. */
static bool run_model(trial *t, bool made)
{
    static reference f;
    if (!t->r.graph || !derive(t))
        return false;
    start_reference(&f, t);
    if (f.end == UNCLEAR)
        return true;
    if (f.end != GOES_ON || !made) {
        seen.refused++;
        if (made == (f.end == GOES_ON))
            return true;
        printf("\n  the simulator %s, the reference says %d", made ? "starts" : "refuses", f.end);
        return false;
    }
    seen.models++;
    bool good = compare_run(t, &f);
    seen.events += f.nevents;
    LEDGER(&t->r);
    return good;
}

static bool run_trial(uint64_t stream)
{
    static trial t;
    jn_str text;
    test_rng r = test_rng_new(stream);
    memset(&t, 0, sizeof t);
    model_init(&t.m);
    do
        model_random(&t.m, &r);
    while (model_count(&t.m, model_is_switch) > MAX_SWITCHES ||
           model_count(&t.m, model_is_source) > UR_INPUTS ||
           model_count(&t.m, model_is_storage) > UR_STATES);
    t.nswitches = model_count(&t.m, model_is_switch);
    t.nsources = model_count(&t.m, model_is_source);
    give_values(&t, &r);
    choose_controls(&t, &r);
    jn_str_init(&text);
    model_text(&text, &t.m, &r);
    put_controls(&text, &t);
    unsigned failures = CU_get_number_of_failures();
    bool good = run_model(&t, rig_new(&t.r, jn_str_c(&text), NULL));
    if (!good || CU_get_number_of_failures() > failures)
        printf("\n  JUNCT_SEED=%llu, stream %llu:\n%s", (unsigned long long)test_seed(),
               (unsigned long long)stream, jn_str_c(&text));
    for (int k = 0; k < 1 << MAX_SWITCHES; k++)
        if (t.known[k])
            ur_mode_clear(&t.mode[k]);
    jn_implicit_free(t.implicit);
    jn_junction_free(t.junction);
    rig_clear(&t.r);
    model_clear(&t.m);
    jn_str_clear(&text);
    return good && CU_get_number_of_failures() == failures;
}

static void random_trajectories_agree_with_the_reference(void)
{
    const char *factor = getenv("JUNCT_MODELS");
    int n = 1000 * (factor ? atoi(factor) : 1), bad = 0;
    for (int i = 0; i < n && bad < 3; i++)
        bad += !run_trial(7000000 + (uint64_t)i);
    CU_ASSERT_EQUAL(bad, 0);
}

static int finish(void)
{
    printf("\n  random runs: %d models, %d events, %d came to a forbidden mode, %d cannot start, "
           "%d left undecided; worst error %.1e",
           seen.models, seen.events, seen.forbidden, seen.refused, seen.unclear, seen.worst);
    return 0;
}

void suite_sim_random(void)
{
    CU_pSuite suite_ = CU_add_suite("sim_random", NULL, finish);
    TEST_ADD(random_trajectories_agree_with_the_reference);
}
