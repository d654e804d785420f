/* report.c: the sections of a report, in order.
 *
 * The formulas of all modes share one page, so that the names of long guards (its lets) are
 * introduced once; single modes have none. */
#include <stdlib.h>
#include <string.h>

#include "analyse_internal.h"
#include "junct/write_verify.h"
#include "report_internal.h"
#include "write_internal.h"

void jni_report_section(jn_page *p, const char *title)
{
    jn_line_text(p, jn_page_heading(p, JN_REPORT_SECTION), "%s", title);
}

void jni_report_marked(jn_page *p, jn_line *line, const char *s)
{
    for (bool math = false; *s; math = !math) {
        int n = (int)strcspn(s, "$");
        const char *part = jn_arena_printf(p->arena, "%.*s", n, s);
        if (math)
            jn_line_math(p, line, part, part);
        else
            jn_line_text(p, line, "%s", part);
        s += n + (s[n] == '$');
    }
}

/* ---- sections ------------------------------------------------------------------------------ */

typedef struct {
    jn_str *out;
    const jn_report *r;
    const jn_report_writer *w;
    jn_listing listing;
} writing;

static void write_page(writing *w, jn_page *p)
{
    jni_report_shorten(p);
    w->w->page(w->out, p);
    jn_page_free(p);
}

/* Tables before the drawing: they fill the first page, where it would mostly not fit. */
static void write_model(writing *w)
{
    const jn_graph *g = w->r->junction->graph;
    jn_page *p = jni_listing_page(&w->listing);
    jni_report_section(p, "Model");
    jni_report_summary(p, &w->listing);
    jni_report_elements(p, g);
    if (w->r->nset)
        jni_report_set_values(p, w->r);
    jn_line_text(p, jn_page_heading(p, 1), "Bond graph");
    write_page(w, p);
    if (w->r->drawing)
        w->w->drawing(w->out, w->r);
    if (!w->r->source)
        return;
    p = jni_listing_page(&w->listing);
    jn_line_text(p, jn_page_heading(p, 1), "Model file");
    write_page(w, p);
    w->w->listing(w->out, w->r->source);
}

/* Only one mode is known of many. */
static bool is_of_one_mode(const writing *w)
{
    return w->r->junction->single && w->r->junction->graph->nswitches > 0;
}

static void write_equations(writing *w)
{
    jn_listing *l = &w->listing;
    jn_page *p = jni_listing_page(l);
    jni_report_section(p, "Causality");
    jni_page_add_reasons(p, l);
    jni_page_add_causality(p, l);
    jni_report_section(p, "Equations of all modes");
    jni_page_add_structure(p, l);
    jni_report_blocks(p, w->r->junction);
    jni_page_add_equation(p, l);
    jni_page_add_exceptions(p, l);
    jn_page_lets(p, l->formulas);
    write_page(w, p);
}

/* "Mode 100 (s1 on, …)"; the digits of very many switches go below a heading that names it. */
static void add_mode_heading(jn_page *p, const writing *w, const jn_onoff *m)
{
    const jn_junction *j = w->r->junction;
    const jn_graph *g = j->graph;
    bool reference = memcmp(m, j->reference, (size_t)g->nswitches) == 0;
    jn_str digits, switches;
    jn_str_init(&digits);
    jn_str_init(&switches);
    jn_mode_print(&digits, g, m);
    jn_write_onoff(&switches, g, m);
    jn_line *head = jn_page_heading(p, 1);
    if (g->nswitches == 0)
        jn_line_text(p, head, "The only mode");
    else if (g->nswitches <= JN_REPORT_MODE_DIGITS)
        jn_line_text(p, head, "Mode %s (%s)", jn_str_c(&digits), jn_str_c(&switches));
    else
        jn_line_text(p, head, reference ? "The reference mode" : "The mode that was chosen");
    if (g->nswitches > JN_REPORT_MODE_DIGITS)
        jn_line_text(p, jn_page_paragraph(p), "%s (%s)", jn_str_c(&digits), jn_str_c(&switches));
    jn_str_clear(&digits);
    jn_str_clear(&switches);
}

static bool write_mode(const jn_onoff *m, void *context)
{
    writing *w = context;
    jn_page *p = jni_listing_page(&w->listing);
    add_mode_heading(p, w, m);
    jni_page_add_mode(p, &w->listing, m);
    write_page(w, p);
    return true;
}

/* The modes that are written one by one: that which was chosen, all that are allowed if there are
 * few, else the reference mode. */
static jn_guard chosen_modes(const jn_report *r)
{
    const jn_junction *j = r->junction;
    int n = j->graph->nswitches;
    if (r->mode)
        return jn_guard_mode(j->ring.guards, r->mode);
    if (n < 31 && 1 << n <= JN_REPORT_ALL_MODES)
        return j->allowed;
    return jn_guard_mode(j->ring.guards, j->reference);
}

static void write_modes(writing *w)
{
    const jn_junction *j = w->r->junction;
    jn_guard modes = chosen_modes(w->r);
    bool all = !w->r->mode && jn_guard_equal(modes, j->allowed);
    jn_page *p = jni_listing_page(&w->listing);
    jni_report_section(p, all ? "The modes one by one" : "Single modes");
    if (!all && !w->r->mode)
        jn_line_text(p, jn_page_paragraph(p),
                     "The reference mode. Others: junct matrices with --mode or --all.");
    if (all && !jn_guard_is_false(j->forbidden))
        jn_line_text(p, jn_page_paragraph(p), "%s",
                     jn_guard_is_false(modes) ? "None is allowed."
                                              : "The allowed ones; the others have no equations.");
    write_page(w, p);
    jn_guard_each_mode(j->ring.guards, modes, write_mode, w);
    if (w->r->analysis) {
        p = jni_analysis_page(&w->listing, w->r->analysis);
        jni_report_properties(p, w->r->analysis, modes);
        write_page(w, p);
    }
}

static void write_plot(writing *w, const char *heading, const jn_plot *plot, const char *picture)
{
    if (plot->npoints == 0 || plot->ntraces == 0)
        return;
    jn_page *p = jni_listing_page(&w->listing);
    jn_line_text(p, jn_page_heading(p, 1), "%s", heading);
    write_page(w, p);
    w->w->plot(w->out, plot, picture);
}

static void write_run(writing *w)
{
    const jn_report_run *run = w->r->run;
    jn_page *p = jni_listing_page(&w->listing);
    jni_report_section(p, "Simulation");
    jni_report_course(p, w->r);
    write_page(w, p);
    if (!run)
        return;
    write_plot(w, w->r->junction->graph->noutputs ? "Outputs" : "States", run->plot,
               w->r->run_picture);
    if (run->detail)
        write_plot(w, "The last changes of the mode", run->detail, w->r->detail_picture);
    p = jni_listing_page(&w->listing);
    jni_report_events(p, run);
    jni_report_ledger(p, w->r->junction->graph, &run->ledger);
    write_page(w, p);
}

/* Verdicts, and which modes can follow which at an instant. */
static void write_switching(writing *w)
{
    jn_page *p = jni_listing_page(&w->listing);
    jni_report_section(p, "Switching");
    jn_line_text(p, jn_page_paragraph(p),
                 "What can happen at one instant, for all states, inputs and modes at once.");
    jn_verify_page(p, w->r->switching);
    write_page(w, p);
    if (w->r->switching->has_successors)
        w->w->switching(w->out, w->r);
    if (!w->r->plane)
        return;
    const jn_graph *g = w->r->junction->graph;
    const jn_witness *around = w->r->plane->around;
    jn_str says;
    jn_str_init(&says);
    jn_str_add(&says, "Where an instant ends that begins in mode ");
    for (int k = 0; k < g->nswitches; k++)
        jn_str_addc(&says, g->automaton[k].state[around->start[k]].on ? '1' : '0');
    jn_str_add(&says, ", over two states, all else being as in what was found:");
    p = jni_listing_page(&w->listing);
    jn_line_text(p, jn_page_paragraph(p), "%s", jn_str_c(&says));
    write_page(w, p);
    w->w->plane(w->out, w->r);
    jn_str_clear(&says);
}

static void write_appendix(writing *w)
{
    jn_page *p = jni_listing_page(&w->listing);
    jni_report_notation(p);
    if (w->r->errata)
        jni_report_errata(p);
    write_page(w, p);
}

void jn_report_write(jn_str *out, const jn_report *r, jn_report_form form)
{
    writing w = {.out = out, .r = r};
    w.w = form == JN_REPORT_LATEX ? &jni_report_latex : &jni_report_markdown;
    jn_listing_init(&w.listing, r->junction, r->implicit);
    w.w->begin(out, r);
    write_model(&w);
    if (!is_of_one_mode(&w))
        write_equations(&w);
    write_modes(&w);
    if (r->run || r->not_run)
        write_run(&w);
    if (r->switching)
        write_switching(&w);
    write_appendix(&w);
    w.w->end(out);
    jn_listing_clear(&w.listing);
}

/* ---- shared by the forms ------------------------------------------------------------------- */

bool jni_report_next_line(const char **line, size_t *length, const char **at, const char *end)
{
    if (*at >= end)
        return false;
    *line = *at;
    const char *newline = memchr(*at, '\n', (size_t)(end - *at));
    *length = (size_t)((newline ? newline : end) - *line);
    *at = newline ? newline + 1 : end;
    return true;
}
