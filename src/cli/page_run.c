/* page_run.c: a run of the model for its page: rows as `junct simulate` writes them, and at some
 * instants the power of every bond and the energy of every storage.
 *
 * These instants are evenly spaced output times, and both sides of the first events: few enough to
 * be sent by mail, and what happens at an event is among them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "page_run.h"

struct page_run {
    run run; /* names and probes of the values; its rows are ours */
    page_keep keep;
    jn_plot trace;
    jn_html_run told;
    const char **unit;
    char *why_not;         /* NULL: it was run */
    const jn_probe **bond; /* effort and flow of each */
    float *power, *energy;
    int instants_max; /* evenly spaced, and as many at events */
    int event_frames;
    bool at_event; /* its first row is written */
    double lost;   /* in jumps, before the event that is going on */
    double last_row;
};

void page_run_free(page_run *r)
{
    if (!r)
        return;
    if (r->run.graph) {
        page_keep_clear(&r->keep);
        jn_sim_free(r->run.sim);
        run_clear(&r->run);
    }
    free(r->unit);
    free(r->bond);
    free(r->power);
    free(r->energy);
    free(r->why_not);
    free(r);
}

/* ---- instants ------------------------------------------------------------------------------ */

static jn_status make_bond_probes(page_run *r)
{
    int n = r->run.graph->nbonds;
    jn_status status = JN_OK;
    r->bond = jn_alloc(2 * (size_t)n * sizeof *r->bond);
    r->power = jn_alloc((size_t)n * sizeof *r->power);
    for (int i = 0; i < 2 * n && status == JN_OK; i++)
        status = jn_sim_probe_bond(&r->bond[i], r->run.sim, i / 2, i % 2 == 0);
    return status;
}

/* Linear storages: half of their state times what they answer with, which goes for each port of a
 * field as well. What another law has stored is not known from one instant. */
static float energy_of(const page_run *r, int storage, double x)
{
    const jn_graph *g = r->run.graph;
    const jn_element *e = &g->element[g->storage[storage]];
    int bond = e->bond[0];
    if (e->nonlinear || (e->modulated && !e->ncases))
        return NAN;
    double answer = jn_sim_value(r->run.sim, r->bond[2 * bond + (e->kind == JN_I)]);
    bool inwards = g->bond[bond].head == g->storage[storage];
    return (float)((e->kind == JN_I && !inwards ? -1 : 1) * x * answer / 2);
}

/* Before an event the ledger has its jump already: only the states are still those before it. */
static jn_ledger ledger_now(const page_run *r, bool before)
{
    jn_ledger l = jn_sim_ledger(r->run.sim);
    if (before) {
        l.lost = r->lost;
        l.supplied = l.stored + l.dissipated + l.lost;
    }
    return l;
}

static void take_frame(page_run *r, bool before)
{
    jn_sim *s = r->run.sim;
    const jn_graph *g = r->run.graph;
    const double *x = jn_sim_state(s);
    for (int b = 0; b < g->nbonds; b++) { /* a flow of heat is a power by itself */
        bool heat = g->bond[b].domain == JN_DOMAIN_THERMAL;
        double effort = heat ? 1 : jn_sim_value(s, r->bond[2 * b]);
        r->power[b] = (float)(effort * jn_sim_value(s, r->bond[2 * b + 1]));
    }
    for (int i = 0; i < g->nstorages; i++)
        r->energy[i] = energy_of(r, i, x[i]);
    page_keep_frame(&r->keep, (jn_html_frame){.t = jn_sim_time(s),
                                              .mode = jn_sim_mode(s),
                                              .power = r->power,
                                              .energy = r->energy,
                                              .ledger = ledger_now(r, before)});
}

/* ---- rows and events ----------------------------------------------------------------------- */

static const double *read_values(page_run *r)
{
    run *x = &r->run;
    if (!x->probe)
        return jn_sim_state(x->sim);
    for (int i = 0; i < x->nvalues; i++)
        x->value[i] = jn_sim_value(x->sim, x->probe[i]);
    return x->value;
}

static void write_row(page_run *r)
{
    double t = jn_sim_time(r->run.sim), at;
    const double *value = read_values(r);
    bool bent = false;
    int looks = r->run.looks ? run_looks_row(&bent, r->run.looks, t, value) : 0;
    for (int i = 0; i < looks && bent; i++) {
        const double *seen = run_looks_get(r->run.looks, i, &at);
        page_keep_row(&r->keep, at, seen);
    }
    page_keep_row(&r->keep, t, value);
    page_keep_mode(&r->keep, t, jn_sim_mode(r->run.sim));
    r->last_row = t;
}

/* Both sides of an event, while there is room for them. */
static void event_frame(page_run *r, bool before)
{
    if (r->event_frames < r->instants_max) {
        take_frame(r, before);
        r->event_frames++;
    }
}

static void before_event(void *ctx)
{
    page_run *r = ctx;
    write_row(r);
    event_frame(r, true);
    r->at_event = true;
}

static void on_event(const jn_event *e, void *ctx)
{
    page_run *r = ctx;
    page_keep_event(&r->keep, e);
}

static void finish_event(page_run *r)
{
    if (!r->at_event)
        return;
    write_row(r);
    event_frame(r, false);
    r->at_event = false;
    r->lost = jn_sim_ledger(r->run.sim).lost;
}

/* ---- the run ------------------------------------------------------------------------------- */

static void advance(page_run *r, double t)
{
    run *x = &r->run;
    jn_stopped why;
    do {
        why = (jn_stopped){0};
        jn_status status = jn_sim_advance_event(x->sim, t, &why);
        finish_event(r);
        if (status != JN_OK)
            x->reason =
                run_reason(why.message ? why.message : "the run cannot go on", jn_sim_time(x->sim));
        else if (cli_signal())
            x->reason = strdup(cli_signal());
        if (x->progress)
            run_show_progress(x);
    } while (!x->reason && why.why == JN_STOP_EVENT);
}

static void look_before(page_run *r, double to)
{
    run *x = &r->run;
    double from = jn_sim_time(x->sim);
    for (int i = 0; i < run_looks_count(x->looks) && !x->reason; i++) {
        double t = run_looks_time(x->looks, from, to, i);
        if (t < to && t > jn_sim_time(x->sim))
            advance(r, t);
        if (!x->reason && jn_sim_time(x->sim) == t && t > r->last_row)
            run_looks_take(x->looks, t, read_values(r));
    }
}

static void run_through(page_run *r)
{
    run *x = &r->run;
    x->looks = run_looks_new(&x->times, x->graph->nstorages, x->nvalues);
    double count = ceil(x->times.to / x->times.every);
    uint64_t apart = (uint64_t)ceil(count / r->instants_max);
    write_row(r);
    take_frame(r, false);
    r->lost = jn_sim_ledger(x->sim).lost;
    for (uint64_t k = 1; !x->reason && jn_sim_time(x->sim) < x->times.to; k++) {
        look_before(r, run_time(&x->times, k));
        if (!x->reason)
            advance(r, run_time(&x->times, k));
        if (jn_sim_time(x->sim) > r->last_row)
            write_row(r);
        if (k % apart == 0 || jn_sim_time(x->sim) >= x->times.to)
            take_frame(r, false);
    }
    page_keep_end(&r->keep, jn_sim_time(x->sim));
    if (x->progress)
        run_hide_progress();
}

/* ---- before and after ---------------------------------------------------------------------- */

/* As many instants as fit, whatever the size of the model. */
static void plan_instants(page_run *r, const jn_graph *g)
{
    int most = PAGE_SHOWN / (2 * (g->nbonds + g->nstorages + 4));
    r->instants_max = most < PAGE_INSTANTS_MIN   ? PAGE_INSTANTS_MIN
                      : most > PAGE_INSTANTS_MAX ? PAGE_INSTANTS_MAX
                                                 : most;
    r->energy = jn_alloc((size_t)g->nstorages * sizeof *r->energy + 1);
}

static void find_units(page_run *r, const jn_graph *g)
{
    r->unit = jn_alloc((size_t)r->run.nvalues * sizeof *r->unit + 1);
    for (int i = 0; i < r->run.nvalues; i++)
        r->unit[i] = run_unit(g, i);
}

static void tell(page_run *r)
{
    run *x = &r->run;
    page_keep *k = &r->keep;
    r->trace = (jn_plot){.npoints = k->nrows,
                         .t = k->t,
                         .ntraces = k->ntraces,
                         .name = x->name,
                         .value = (const double *const *)k->value};
    r->told = (jn_html_run){.to = x->times.to,
                            .stopped = x->reason,
                            .linear = jn_sim_is_linear(x->sim),
                            .modes = jn_sim_modes_seen(x->sim),
                            .events = jn_sim_events(x->sim),
                            .rows = k->rows,
                            .trace = &r->trace,
                            .unit = r->unit,
                            .nevents = k->nevents,
                            .event = k->event,
                            .nframes = k->nframes,
                            .frame = k->frame,
                            .nchanges = k->too_many ? 0 : k->nchanges,
                            .change_t = k->change_t,
                            .change_mode = k->change_mode,
                            .ncolumns = k->too_many ? PAGE_COLUMNS : 0,
                            .duty = k->duty};
}

static int simulate(page_run *r, run_plan *p, cli_model *m)
{
    run *x = &r->run;
    const jn_graph *g = m->graph;
    run_init(x, g);
    x->progress = isatty(STDERR_FILENO);
    page_keep_init(&r->keep, g, x->nvalues);
    plan_instants(r, g);
    find_units(r, g);
    p->sim.before_event = before_event;
    p->sim.on_event = on_event;
    p->sim.ctx = r;
    int code = run_shown_new(x, &r->why_not, p, m);
    if (code != CLI_DONE || r->why_not)
        return code;
    if (make_bond_probes(r) != JN_OK)
        return CLI_WRONG_MODEL;
    r->keep.to = x->times.to;
    run_through(r);
    run_say_stopped(x);
    tell(r);
    return CLI_DONE;
}

int page_run_new(page_run **out, cli_model *m, const cli_args *args)
{
    run_plan p;
    page_run *r = jn_alloc(sizeof *r);
    *out = r;
    int code = run_shown_plan(&p, &r->why_not, m, args);
    if (code == CLI_DONE && !r->why_not)
        code = simulate(r, &p, m);
    run_plan_clear(&p);
    return code;
}

void page_run_give(jn_html *page, page_run *r)
{
    page->run = r->why_not ? NULL : &r->told;
    page->not_run = r->why_not;
}

bool page_run_stopped(const page_run *r)
{
    return r && r->run.reason;
}
