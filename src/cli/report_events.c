/* report_events.c: of the events of a run, those that a reader can take in.
 *
 * All of them when they are few. Of more, the first, and one of each sort with the number of its
 * events: a converter switches ten thousand times in four ways, and the one time that a clutch
 * closes must not be lost among them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_run.h"

enum {
    ALL = 30,       /* so many are listed one by one; */
    FIRST = 10,     /* of more, these */
    SORTS = 30,     /* so many are told apart */
    CAUSE_MAX = 200 /* bytes */
};

struct report_events {
    const jn_graph *graph;
    jn_arena *texts;
    long count;
    bool has_start;
    int nfirst;
    jn_report_event first[ALL];
    int nsorts;
    jn_report_event sort[SORTS];
    const char *sort_cause[SORTS]; /* in full */
    long others;                   /* events of further sorts */
    double *stiffness;             /* per element: of a storage, 1/value */
    jn_str text;
};

/* 1/value of a storage; infinite where that is not a number: nothing it does is small. */
static double find_stiffness(const jn_graph *g, int element)
{
    jn_ratfun value;
    fmpq_t x;
    fmpq_init(x);
    bool known = jn_graph_number(&value, g, element) == JN_OK &&
                 jn_ratfun_get_fmpq(x, g->field, value) && !fmpq_is_zero(x);
    double stiffness = known ? 1 / jn_number_get_d(x) : INFINITY;
    fmpq_clear(x);
    return stiffness;
}

report_events *report_events_new(const jn_graph *g)
{
    report_events *r = jn_alloc(sizeof *r);
    r->graph = g;
    r->texts = jn_arena_new();
    r->stiffness = jn_arena_alloc(r->texts, (size_t)g->nelements * sizeof *r->stiffness);
    for (int i = 0; i < g->nstorages; i++)
        r->stiffness[g->storage[i]] = find_stiffness(g, g->storage[i]);
    jn_str_init(&r->text);
    return r;
}

void report_events_free(report_events *r)
{
    if (!r)
        return;
    jn_str_clear(&r->text);
    jn_arena_free(r->texts);
    free(r);
}

/* ---- texts --------------------------------------------------------------------------------- */

/* What the buffer holds. */
static const char *keep(report_events *r)
{
    const char *text = jn_arena_strndup(r->texts, jn_str_c(&r->text), r->text.len);
    jn_str_reset(&r->text);
    return text;
}

static const char *mode_text(report_events *r, const jn_onoff *mode)
{
    if (mode)
        jn_mode_print(&r->text, r->graph, mode);
    return keep(r);
}

static const char *via_text(report_events *r, const jn_event *e)
{
    bool short_modes = r->graph->nswitches <= JN_REPORT_DIGITS;
    if (!short_modes && e->nvia)
        jn_str_addf(&r->text, "%d mode%s", e->nvia, e->nvia == 1 ? "" : "s");
    for (int i = 0; short_modes && i < e->nvia; i++) {
        jn_str_add(&r->text, i ? ", " : "");
        jn_mode_print(&r->text, r->graph, e->via[i].mode);
        jn_str_add(&r->text, e->via[i].kind == JN_VIA_PINNACLE ? " (pinnacle)" : "");
        jn_str_add(&r->text, e->via[i].forbidden ? JN_REPORT_FORBIDDEN : "");
    }
    return keep(r);
}

/* A long one ends after a word. */
static const char *cause_text(report_events *r, const jn_event *e)
{
    const char *cause = e->cause ? e->cause : "";
    size_t length = strlen(cause);
    bool cut = length > CAUSE_MAX;
    if (cut)
        for (length = CAUSE_MAX; length > 0 && cause[length] != ' ';)
            length--;
    jn_str_addn(&r->text, cause, length);
    jn_str_add(&r->text, cut ? " ..." : "");
    return keep(r);
}

/* Those on the ports: what an impulse does on the way between them follows. */
static void add_impulses(jn_report_event *d, report_events *r, const jn_event *e)
{
    const jn_graph *g = r->graph;
    jn_report_impulse *impulse =
        jn_arena_alloc(r->texts, 2 * (size_t)g->nelements * sizeof *impulse);
    d->impulse = impulse;
    for (int i = 0; i < g->nelements; i++) {
        const jn_element *x = &g->element[i];
        for (int k = 0; k < 2 && jn_kind_is_port(x->kind) && x->nbonds; k++) {
            double area = e->impulse[2 * x->bond[0] + k];
            if (area == 0)
                continue;
            impulse[d->nimpulses++] = (jn_report_impulse){x->name, "ef"[k], area};
            if (jn_kind_is_storage(x->kind))
                d->kick += area * area * r->stiffness[i] / 2;
        }
    }
}

static jn_report_event describe(report_events *r, const jn_event *e)
{
    jn_report_event d = {.t = e->t,
                         .times = 1,
                         .kind = jn_event_kind_name(e->kind),
                         .from = mode_text(r, e->from),
                         .to = mode_text(r, e->to),
                         .via = via_text(r, e),
                         .cause = cause_text(r, e),
                         .lost = e->energy_lost};
    if (e->impulse)
        add_impulses(&d, r, e);
    return d;
}

/* ---- sorts --------------------------------------------------------------------------------- */

static bool is_mode(const char *text, const jn_onoff *mode, int n)
{
    for (int i = 0; mode && i < n; i++)
        if ((text[i] == '1') != (mode[i] != 0))
            return false;
    return true;
}

/* Which one the event is of; -1: none yet. */
static int find_sort(const report_events *r, const jn_event *e)
{
    int n = r->graph->nswitches;
    const char *kind = jn_event_kind_name(e->kind), *cause = e->cause ? e->cause : "";
    for (int i = 0; i < r->nsorts; i++) {
        const jn_report_event *s = &r->sort[i];
        if (strcmp(s->kind, kind) == 0 && is_mode(s->from, e->from, n) &&
            is_mode(s->to, e->to, n) && strcmp(r->sort_cause[i], cause) == 0)
            return i;
    }
    return -1;
}

/* The start is an event only where something happens at it. */
static bool happens(const report_events *r, const jn_event *e)
{
    size_t n = (size_t)r->graph->nswitches;
    return e->kind != JN_EVENT_START || e->nvia > 0 || e->energy_lost != 0 ||
           (e->from && memcmp(e->from, e->to, n) != 0);
}

void report_events_add(report_events *r, const jn_event *e)
{
    if (!happens(r, e))
        return;
    int sort = find_sort(r, e);
    r->count++;
    r->has_start |= e->kind == JN_EVENT_START;
    if (r->nfirst < ALL)
        r->first[r->nfirst++] = describe(r, e);
    if (sort >= 0) {
        r->sort[sort].times++;
        r->sort[sort].lost += e->energy_lost;
    } else if (r->nsorts < SORTS) {
        jn_str_add(&r->text, e->cause ? e->cause : "");
        r->sort_cause[r->nsorts] = keep(r);
        r->sort[r->nsorts++] = describe(r, e);
    } else {
        r->others++;
    }
}

void report_events_give(jn_report_run *told, const report_events *r)
{
    bool all = r->count <= ALL;
    told->events =
        r->count - r->has_start; /* which is in the table, but not counted elsewhere either */
    told->event = r->first;
    told->nevents = all ? r->nfirst : FIRST;
    told->change = r->sort;
    told->nchanges = all ? 0 : r->nsorts;
    told->more_changes = r->others;
}
