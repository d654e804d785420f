/* report_run.c: the section on the simulation: how it went, its energies, its events. */
#include <math.h>
#include <string.h>

#include "report_internal.h"
#include "write_internal.h"

enum { IMPULSES_MAX = 6 }; /* of one event */

#define NOISE 1e-12 /* the part of all that is moved that rounding may leave */

/* ---- how it went --------------------------------------------------------------------------- */

static const char *plural(long n)
{
    return n == 1 ? "" : "s";
}

void jni_report_course(jn_page *p, const jn_report *r)
{
    const jn_report_run *run = r->run;
    jn_line *line = jn_page_paragraph(p);
    if (!run) {
        jn_line_text(p, line, "The model was not run: %s.", r->not_run);
        return;
    }
    jn_line_text(p, line, "Run to ");
    jn_line_math(p, line, "t = ", "t = ");
    jni_line_number(p, line, 9, run->reached);
    jn_line_text(p, line, ": %ld event%s, %d mode%s. %s", run->events, plural(run->events),
                 run->modes, plural(run->modes),
                 run->linear ? "The modes are linear and were followed by their exact solutions."
                             : "The equations were integrated numerically.");
    if (run->sequence)
        jn_line_text(p, jn_page_paragraph(p), "The modes are those of %s; no automaton acts.",
                     run->sequence);
    if (run->stopped)
        jn_line_text(p, jn_page_paragraph(p), "The run stopped early: %s.", run->stopped);
    if (run->plot->ntraces < run->traces)
        jn_line_text(p, jn_page_paragraph(p), "The plot has the first %d of %d %s.",
                     run->plot->ntraces, run->traces,
                     r->junction->graph->noutputs ? "outputs" : "states");
}

/* ---- energy -------------------------------------------------------------------------------- */

/* The residue is what rounding left: its digits mean nothing, its size does. */
static void add_residue(jn_page *p, const jn_ledger *l)
{
    double residue = fabs(l->supplied - l->stored - l->dissipated - l->lost);
    double part = l->moved > 0 ? residue / l->moved : 0;
    if (!isfinite(residue))
        return;
    jn_line *line = jn_page_paragraph(p);
    jn_line_text(p, line, "These balance to ");
    int power = (int)ceil(log10(part <= NOISE ? NOISE : part));
    jn_line_math(p, line, jn_arena_printf(p->arena, "1e%d", power),
                 jn_arena_printf(p->arena, "10^{%d}", power));
    jn_line_text(p, line, " of the energy moved.");
}

void jni_report_ledger(jn_page *p, const jn_graph *g, const jn_ledger *l)
{
    const char *unit = jn_graph_energy_unit(g);
    const struct {
        const char *name;
        double energy;
    } entry[] = {{"supplied by the sources", l->supplied},
                 {"stored, more than at the start", l->stored},
                 {"dissipated in resistors", l->dissipated},
                 {"lost in jumps", l->lost}};
    jn_line_text(p, jn_page_heading(p, 1), "Energy");
    jn_table_item *t = jn_page_table(p, 2, false);
    for (size_t i = 0; i < sizeof entry / sizeof entry[0]; i++) {
        bool noise = fabs(entry[i].energy) <= NOISE * l->moved;
        jn_line *row = jn_table_row(p, t);
        jn_line_text(p, &row[0], "%s", entry[i].name);
        jni_line_number(p, &row[1], 6, noise ? 0 : entry[i].energy);
        if (unit)
            jn_line_text(p, &row[1], " %s", unit);
    }
    add_residue(p, l);
}

/* ---- events -------------------------------------------------------------------------------- */

typedef struct {
    bool times, modes, via, impulses, lost, cause; /* the columns that this table has */
    double no_time, no_loss, no_kick;              /* what rounding may leave of zero */
} columns;

/* The areas of an event that stands for many differ from one to the next. */
static bool has_impulses(const columns *c, const jn_report_event *e)
{
    return e->times == 1 && e->nimpulses > 0 && !(e->kick <= c->no_kick);
}

static columns choose_columns(const jn_report_event *e, int n, const jn_report_run *run)
{
    columns c = {.modes = true};
    c.no_time = NOISE * run->reached;
    c.no_loss = NOISE * run->ledger.moved;
    c.no_kick = NOISE * c.no_loss; /* energies go with the square of an area */
    for (int i = 0; i < n; i++) {
        c.times = c.times || e[i].times > 1;
        c.modes = c.modes && *e[i].to && strlen(e[i].to) <= JN_REPORT_DIGITS;
        c.cause = c.cause || *e[i].cause;
        c.via = c.via || *e[i].via;
        c.impulses = c.impulses || has_impulses(&c, &e[i]);
        c.lost = c.lost || fabs(e[i].lost) > c.no_loss;
    }
    return c;
}

static int add_heads(const char **head, const columns *c)
{
    int n = 0;
    head[n++] = c->times ? "first t" : "t";
    if (c->times)
        head[n++] = "times";
    head[n++] = "kind";
    if (c->modes)
        head[n++] = "from";
    if (c->modes)
        head[n++] = "to";
    if (c->via)
        head[n++] = "via";
    if (c->impulses)
        head[n++] = "impulse areas";
    if (c->lost)
        head[n++] = "lost";
    if (c->cause)
        head[n++] = "cause";
    return n;
}

/* e(L2): −0.5, e(L3): 0.5 */
static void add_impulses(jn_page *p, jn_line *line, const jn_report_event *e)
{
    for (int i = 0; i < e->nimpulses && i < IMPULSES_MAX; i++) {
        const jn_report_impulse *x = &e->impulse[i];
        jn_line_text(p, line, "%s%c(%s): ", i ? ", " : "", x->variable, x->element);
        jni_line_number(p, line, 4, x->area);
    }
    if (e->nimpulses > IMPULSES_MAX)
        jn_line_text(p, line, " and %d more", e->nimpulses - IMPULSES_MAX);
}

static void add_event(jn_page *p, jn_line *cell, const columns *c, const jn_report_event *e)
{
    jni_line_number(p, cell++, 7, fabs(e->t) <= c->no_time ? 0 : e->t);
    if (c->times)
        jn_line_text(p, cell++, "%ld", e->times);
    jn_line_text(p, cell++, "%s", e->kind);
    if (c->modes)
        jn_line_text(p, cell++, "%s", e->from);
    if (c->modes)
        jn_line_text(p, cell++, "%s", e->to);
    if (c->via)
        jn_line_text(p, cell++, "%s", e->via);
    if (c->impulses && has_impulses(c, e))
        add_impulses(p, cell, e);
    cell += c->impulses;
    if (c->lost && fabs(e->lost) <= c->no_loss)
        cell++;
    else if (c->lost)
        jni_line_number(p, cell++, 4, e->lost);
    if (c->cause)
        jn_line_text(p, cell, "%s", e->cause);
}

static bool mentions_forbidden(const jn_report_event *e, int n)
{
    for (int i = 0; i < n; i++)
        if (strstr(e[i].via, JN_REPORT_FORBIDDEN))
            return true;
    return false;
}

static void add_events(jn_page *p, const jn_report_event *e, int n, const jn_report_run *run)
{
    const char *head[9];
    columns c = choose_columns(e, n, run);
    jn_table_item *t = jni_report_table(p, add_heads(head, &c), head);
    for (int i = 0; i < n; i++)
        add_event(p, jn_table_row(p, t), &c, &e[i]);
}

static void explain_forbidden(jn_page *p, const jn_report_run *run)
{
    if (mentions_forbidden(run->event, run->nevents) ||
        mentions_forbidden(run->change, run->nchanges))
        jn_line_text(p, jn_page_paragraph(p),
                     "A mode with " JN_REPORT_FORBIDDEN " is forbidden, and was left at once.");
}

void jni_report_events(jn_page *p, const jn_report_run *run)
{
    if (run->nevents == 0)
        return;
    if (run->nchanges) {
        jn_line_text(p, jn_page_heading(p, 1), "Events by sort");
        add_events(p, run->change, run->nchanges, run);
        if (run->more_changes)
            jn_line_text(p, jn_page_paragraph(p), "And %ld event%s of other sorts.",
                         run->more_changes, plural(run->more_changes));
    }
    jn_line_text(p, jn_page_heading(p, 1), run->nchanges ? "The first events" : "Events");
    add_events(p, run->event, run->nevents, run);
    explain_forbidden(p, run);
    long more = run->events - run->nevents;
    if (more > 0)
        jn_line_text(p, jn_page_paragraph(p), "And %ld more: junct simulate --events writes all.",
                     more);
}
