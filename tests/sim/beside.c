/* beside.c: making runs, and finding the first place in which two of them differ. */
#include "beside.h"

#include <math.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- runs ---------------------------------------------------------------------------------- */

/* No event of a fragment is at one of these times. */
double beside_time(int k)
{
    return k + 1 == BESIDE_ROWS ? BESIDE_END : BESIDE_END * (k + 0.739) / BESIDE_ROWS;
}

static void read_row(run *x, int k)
{
    for (int i = 0; i < x->noutputs; i++) {
        const jn_probe *p;
        x->row[k][i] = NAN;
        if (jn_sim_probe(&p, x->r.sim, x->r.graph->output[i].expr) == JN_OK)
            x->row[k][i] = jn_sim_value(x->r.sim, p);
    }
}

static void fail(const run *x, const char *why)
{
    printf("\n    %s: %s", x->what, why);
    CU_ASSERT(!"the run goes through");
}

static const char *first_error(const run *x)
{
    for (int i = 0; i < jn_diags_count(x->r.diags); i++)
        if (jn_diags_get(x->r.diags, i)->severity == JN_ERROR)
            return jn_code_slug(jn_diags_get(x->r.diags, i)->code);
    return "refused without a word";
}

bool beside_try(run *x, const char *what, const char *text, const jn_sim_options *o, bool rows)
{
    jn_sim_options with_span = o ? *o : (jn_sim_options){0};
    with_span.span = BESIDE_END; /* else the first advance tells it: the rows */
    *x = (run){0};
    snprintf(x->what, sizeof x->what, "%s", what);
    if (!rig_new(&x->r, text, &with_span))
        return false;
    x->noutputs = x->r.graph->noutputs;
    for (int k = rows ? 0 : BESIDE_ROWS - 1; k < BESIDE_ROWS; k++) {
        if (rig_try(&x->r, beside_time(k)) != JN_STOP_NONE)
            return true;
        read_row(x, k);
    }
    return x->ran = true;
}

void beside_run(run *x, const char *what, const char *text, const jn_sim_options *o, bool rows)
{
    if (!beside_try(x, what, text, o, rows))
        fail(x, first_error(x));
    else if (!x->ran)
        fail(x, x->r.message);
}

/* ---- comparing ----------------------------------------------------------------------------- */

/* Bounces near the limit are told or not as an engine sees fit. */
static bool near_limit(const rig *r, double t)
{
    for (int i = 0; i < r->nevents; i++)
        if (r->event[i].kind == JN_EVENT_ZENO)
            return t < r->event[i].t && t > r->event[i].t - 0.02;
    return false;
}

static const rig_event *next_event(const run *x, int *i)
{
    while (*i < x->r.nevents && near_limit(&x->r, x->r.event[*i].t))
        ++*i;
    return *i < x->r.nevents ? &x->r.event[(*i)++] : NULL;
}

static bool same_event(const rig_event *a, const rig_event *b, double bound)
{
    return fabs(a->t - b->t) <= bound * (1 + a->t) && a->kind == b->kind &&
           strcmp(a->from, b->from) == 0 && strcmp(a->to, b->to) == 0 &&
           strcmp(a->via, b->via) == 0;
}

static void show_event(const char *what, const rig_event *e)
{
    if (e)
        printf("\n        %s: %.12g %s %s>%s (%s) %s", what, e->t, jn_event_kind_name(e->kind),
               e->from, e->to, e->via, e->cause);
    else
        printf("\n        %s: no more events", what);
}

void beside_events(const run *a, const run *b, double bound)
{
    int i = 0, j = 0;
    const rig_event *e, *f;
    do {
        e = next_event(a, &i);
        f = next_event(b, &j);
    } while (e && f && same_event(e, f, bound));
    if (e || f) {
        printf("\n    events differ after %d:", i - 1);
        show_event(a->what, e);
        show_event(b->what, f);
    }
    CU_ASSERT(!e && !f);
}

/* The run is past the last bounce that it tells, and not yet at the limit: it coasts there. */
static bool coasts(const rig *r, double t)
{
    for (int i = 1; i < r->nevents; i++)
        if (r->event[i].kind == JN_EVENT_ZENO && t > r->event[i - 1].t && t < r->event[i].t)
            return true;
    return false;
}

void beside_rows(const run *a, const run *b, int from, double bound)
{
    for (int k = from; k < BESIDE_ROWS; k++)
        for (int i = 0; i < a->noutputs; i++) {
            double x = a->row[k][i], y = b->row[k][i];
            if (fabs(x - y) <= bound * (1 + fabs(x)) || coasts(&a->r, beside_time(k)) ||
                coasts(&b->r, beside_time(k)))
                continue;
            printf("\n    %s at %.6g: %s %.15g, %s %.15g", a->r.graph->output[i].name,
                   beside_time(k), a->what, x, b->what, y);
            CU_ASSERT(!"the values agree");
            return;
        }
}

void beside_compare(const run *a, const run *b, int from_row, double bound)
{
    if (a->ran && b->ran) {
        beside_events(a, b, bound);
        beside_rows(a, b, from_row, bound);
    }
}

/* Radau's runs keep their balance to the tolerance of their steps. */
void beside_ledger(const run *x)
{
    if (!x->ran)
        return;
    jn_ledger l = jn_sim_ledger(x->r.sim);
    double residue = l.supplied - l.stored - l.dissipated - l.lost;
    if (!(fabs(residue) <= 1e-8 * (1 + l.moved)))
        printf("\n    %s: residue %.2e of %.2e moved", x->what, residue, l.moved);
    CU_ASSERT(fabs(residue) <= 1e-8 * (1 + l.moved));
}

/* ---- processes ----------------------------------------------------------------------------- */

int beside_outcome(int (*body)(const void *context), const void *context, int seconds)
{
    int status = 1;
    pid_t child = fork();
    if (child == 0) {
        setitimer(ITIMER_VIRTUAL, &(struct itimerval){.it_value.tv_sec = seconds}, NULL);
        int outcome = body(context);
        _exit(outcome);
    }
    bool ended = child > 0 && waitpid(child, &status, 0) == child;
    if (ended && WIFSIGNALED(status))
        printf("\n    ended by signal %d%s", WTERMSIG(status),
               WTERMSIG(status) == SIGVTALRM ? ": never ends" : "");
    return ended && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

typedef struct {
    void (*body)(const void *context);
    const void *context;
} asserting;

static int count_failures(const void *context)
{
    const asserting *a = context;
    unsigned before = CU_get_number_of_failure_records();
    a->body(a->context);
    return CU_get_number_of_failure_records() > before;
}

bool beside_passes(void (*body)(const void *context), const void *context, int seconds)
{
    return beside_outcome(count_failures, &(asserting){body, context}, seconds) == 0;
}
