/* rig.c: building, running and reading a model. */
#include "rig.h"

#include <math.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* A run that never ends must not hold up the tests: the signal ends the runner, whose last line
 * names the test. All runs here take seconds at most, even with sanitizers. */
enum { SECONDS = 120 };

/* ---- events -------------------------------------------------------------------------------- */

static void put_mode(char *out, const rig *r, const jn_onoff *m)
{
    int n = r->graph->nswitches < RIG_MODE ? r->graph->nswitches : RIG_MODE - 1;
    for (int i = 0; i < n; i++)
        out[i] = (char)('0' + m[i]);
    out[n] = 0;
}

static void put_via(char *out, const rig *r, const jn_event *e)
{
    size_t len = 0;
    *out = 0;
    for (int i = 0; i < e->nvia && len < RIG_VIA; i++) {
        const struct jn_via *v = &e->via[i];
        const char *word = v->kind == JN_VIA_PINNACLE ? "pinnacle"
                           : v->forbidden             ? "forbidden"
                                                      : "mythical";
        char mode[RIG_MODE];
        put_mode(mode, r, v->mode);
        len += (size_t)snprintf(out + len, RIG_VIA - len, "%s%s %s", i ? ", " : "", word, mode);
    }
}

static void keep_clock(void *context)
{
    rig *r = context;
    r->before = jn_sim_time(r->sim);
}

static double *copy_of(const double *from, int n)
{
    double *to = jn_alloc((size_t)n * sizeof *to + 1);
    memcpy(to, from, (size_t)n * sizeof *to);
    return to;
}

/* Each event begins where the one before has ended: none is left out. */
static void check_chain(const rig *r)
{
    const rig_event *last = &r->event[r->nevents - 1], *before = last - 1;
    bool follows = last->kind == JN_EVENT_START || !strcmp(before->to, last->from);
    CU_ASSERT(follows);
    if (!follows)
        printf("\n  the event at t = %.17g begins in %s, the one before ended in %s", last->t,
               last->from, before->to);
}

/* The start is told before there is a simulation to read from. */
static void keep_event(const jn_event *e, void *context)
{
    rig *r = context;
    JN_GROW(r->event, r->nevents, r->cap);
    rig_event *k = &r->event[r->nevents++];
    *k = (rig_event){.t = e->t, .before = r->before, .kind = e->kind, .lost = e->energy_lost};
    k->nlimits = e->nlimits;
    k->limit = e->limit;
    put_mode(k->from, r, e->from);
    put_mode(k->to, r, e->to);
    check_chain(r);
    put_via(k->via, r, e);
    snprintf(k->cause, sizeof k->cause, "%s", e->cause ? e->cause : "");
    if (e->impulse)
        k->impulse = copy_of(e->impulse, 2 * r->graph->nbonds);
    if (r->sim)
        k->state = copy_of(jn_sim_state(r->sim), r->graph->nstorages);
}

const rig_event *rig_at(const rig *r, int i)
{
    static const rig_event none;
    CU_ASSERT(i >= 0 && i < r->nevents);
    return i >= 0 && i < r->nevents ? &r->event[i] : &none;
}

double rig_impulse(const rig *r, int event, const char *bond, bool effort)
{
    const rig_event *e = rig_at(r, event);
    int b = jn_graph_find_bond(r->graph, bond);
    CU_ASSERT(b >= 0);
    return e->impulse && b >= 0 ? e->impulse[2 * b + !effort] : 0;
}

void rig_log(jn_str *out, const rig *r)
{
    for (int i = 0; i < r->nevents; i++) {
        const rig_event *e = &r->event[i];
        jn_str_addf(out, "%.3f %s %s>%s", e->t, jn_event_kind_name(e->kind), e->from, e->to);
        if (e->via[0])
            jn_str_addf(out, " (%s)", e->via);
        jn_str_addc(out, '\n');
    }
}

/* ---- building ------------------------------------------------------------------------------ */

static void show_diags(const rig *r)
{
    jn_str text;
    jn_str_init(&text);
    jn_diags_render(&text, r->diags, false);
    printf("\n%s", jn_str_c(&text));
    jn_str_clear(&text);
}

/* A run that takes more processor time than this never ends; 0: no limit. */
static void limit_seconds(int n)
{
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = n}, NULL);
}

bool rig_new(rig *r, const char *text, const jn_sim_options *options)
{
    *r = (rig){.arena = jn_arena_new(), .diags = jn_diags_new()};
    limit_seconds(SECONDS);
    const char *whole = jn_arena_strndup(r->arena, text, strlen(text));
    const jn_source *source = jn_source_of(r->arena, "rig", whole, strlen(whole));
    if (jn_graph_read(&r->graph, source, r->diags) != JN_OK) {
        show_diags(r);
        CU_ASSERT(!"the model can be read");
        return false;
    }
    jn_sim_options o = {0};
    if (options)
        o = *options;
    o.before_event = keep_clock;
    o.on_event = keep_event;
    o.ctx = r;
    r->status = jn_sim_new(&r->sim, r->graph, &o, r->diags);
    return r->status == JN_OK;
}

bool rig_example(rig *r, const char *name)
{
    char path[200];
    snprintf(path, sizeof path, "examples/%s.hbg", name);
    char *text = test_read_file(path);
    bool made = rig_new(r, text, NULL);
    free(text);
    if (!made)
        show_diags(r);
    CU_ASSERT(made);
    return made;
}

bool rig_ends(const char *text, const jn_sim_options *options, double t)
{
    rig r;
    int status = 1;
    pid_t child = fork();
    if (child == 0) {
        if (rig_new(&r, text, options)) {
            limit_seconds(20);
            rig_try(&r, t);
        }
        _exit(0);
    }
    bool ends = child > 0 && waitpid(child, &status, 0) == child && status == 0;
    if (!ends)
        printf("\na run to t = %g does not end:\n%s", t, text);
    CU_ASSERT(ends);
    return ends;
}

void rig_clear(rig *r)
{
    limit_seconds(0);
    jn_sim_free(r->sim);
    jn_graph_free(r->graph);
    jn_diags_free(r->diags);
    jn_arena_free(r->arena);
    for (int i = 0; i < r->nevents; i++) {
        free(r->event[i].impulse);
        free(r->event[i].state);
    }
    free(r->event);
}

bool rig_has_error(const rig *r, const char *slug)
{
    for (int i = 0; i < jn_diags_count(r->diags); i++)
        if (strcmp(jn_code_slug(jn_diags_get(r->diags, i)->code), slug) == 0)
            return true;
    return false;
}

/* ---- running and reading ------------------------------------------------------------------- */

jn_stop rig_try(rig *r, double t)
{
    r->stop = (jn_stopped){0};
    r->message[0] = 0;
    r->status = jn_sim_advance(r->sim, t, &r->stop);
    if (r->stop.message)
        snprintf(r->message, sizeof r->message, "%s", r->stop.message);
    return r->stop.why;
}

void rig_to(rig *r, double t)
{
    rig_try(r, t);
    if (r->status != JN_OK)
        printf("\nto t = %g: stopped at %.17g: %s\n", t, r->stop.t, r->message);
    CU_ASSERT_EQUAL(r->status, JN_OK);
    CU_ASSERT_EQUAL(jn_sim_time(r->sim), t);
}

double rig_output(rig *r, const char *name)
{
    for (int i = 0; i < r->graph->noutputs; i++) {
        const jn_probe *probe;
        if (strcmp(r->graph->output[i].name, name) != 0)
            continue;
        if (jn_sim_probe(&probe, r->sim, r->graph->output[i].expr) == JN_OK)
            return jn_sim_value(r->sim, probe);
    }
    printf("\nno output %s\n", name);
    CU_ASSERT(!"the output can be read");
    return 0;
}

double rig_state(const rig *r, const char *element)
{
    int x = jn_graph_find(r->graph, element);
    CU_ASSERT(x >= 0 && jn_kind_is_storage(r->graph->element[x].kind));
    return x >= 0 ? jn_sim_state(r->sim)[r->graph->element[x].number] : 0;
}

const char *rig_mode(const rig *r)
{
    static char mode[RIG_MODE];
    put_mode(mode, r, jn_sim_mode(r->sim));
    return mode;
}

/* ---- comparing ----------------------------------------------------------------------------- */

/* A line that fails in a loop is printed again only when it has become ten times worse. */
static bool worth_printing(const char *file, int line, long double error)
{
    enum { LINES = 64 };
    static struct {
        const char *file;
        int line;
        long double worst;
    } seen[LINES];
    int i = 0;
    while (i < LINES - 1 && seen[i].file && (seen[i].file != file || seen[i].line != line))
        i++;
    if (seen[i].file && error < 10 * seen[i].worst)
        return false;
    seen[i].file = file;
    seen[i].line = line;
    seen[i].worst = error;
    return true;
}

void rig_close(double got, long double expected, double scale, double bound, const char *what,
               const char *file, int line)
{
    long double error = fabsl((long double)got - expected), size = fabs(scale);
    bool good = error <= (long double)bound * size;
    if (!good && worth_printing(file, line, error))
        printf("\n%s:%d: %s = %.17g, expected %.20Lg: off by %.2Le, bound %.0e of %.3Lg", file,
               line, what, got, expected, error, bound, size);
    CU_assertImplementation(good, (unsigned)line, what, file, "", CU_FALSE);
}

void rig_close_relative(double got, long double expected, double bound, const char *what,
                        const char *file, int line)
{
    rig_close(got, expected, (double)expected, bound, what, file, line);
}

/* Energy in the storages at given states. */
static long double energy(const rig *r, const double *x)
{
    long double sum = 0;
    for (int i = 0; i < r->graph->nstorages; i++) {
        jn_ratfun v;
        if (jn_graph_number(&v, r->graph, r->graph->storage[i]) != JN_OK)
            return NAN;
        sum += (long double)x[i] * x[i] / (2 * jn_ratfun_get_d(r->graph->field, v));
    }
    return sum;
}

/* What the model gave at the start, before any jump. */
static long double initial_energy(const rig *r)
{
    long double sum = 0;
    for (int i = 0; i < r->graph->nstorages; i++) {
        const jn_element *x = &r->graph->element[r->graph->storage[i]];
        jn_ratfun v, given;
        if (!x->initial)
            continue;
        if (jn_graph_number(&v, r->graph, r->graph->storage[i]) != JN_OK ||
            jn_expr_ratfun(&given, r->graph->field, x->initial) != JN_OK ||
            jn_ratfun_put(&given, r->graph->field, given, r->graph->param_value,
                          r->graph->nparams) != JN_OK)
            return NAN;
        long double value = jn_ratfun_get_d(r->graph->field, v),
                    start = jn_ratfun_get_d(r->graph->field, given);
        sum += x->initial_is_state ? start * start / (2 * value) : start * start * value / 2;
    }
    return sum;
}

/* Where nothing goes in or out, or what goes in comes out elsewhere at once, the scale of rounding
 * is the energy that is there; 1e-6 is far less than any model here handles. */
void rig_ledger(const rig *r, const char *file, int line)
{
    jn_ledger l = jn_sim_ledger(r->sim);
    long double start = initial_energy(r), stored = energy(r, jn_sim_state(r->sim)) - start;
    double residue = l.supplied - l.stored - l.dissipated - l.lost, lost = 0;
    double scale = l.moved + (double)start + 1e-6;
    for (int i = 0; i < r->nevents; i++)
        lost += r->event[i].lost;
    rig_close(residue, 0, scale, 1e-9, "residue of the ledger", file, line);
    rig_close(l.lost, lost, scale, 1e-9, "lost, summed over the events", file, line);
    rig_close(l.stored, stored, scale, 1e-9, "stored", file, line);
}
