/* report_markdown.c: a report as Markdown, for code hosts: tables with bars, mathematics as
 * $`…`$ in a line and in blocks named math, which GitHub and GitLab both set. */
#include <string.h>

#include "page_latex.h"
#include "report_internal.h"

/* ---- lines --------------------------------------------------------------------------------- */

/* Text that stays text: no mark-up, no HTML, one line. */
static void add_text(jn_str *out, const char *s)
{
    for (; *s; s++) {
        if (strchr("\\`*_{}[]<>#|$~&!", *s))
            jn_str_addc(out, '\\');
        jn_str_addc(out, (unsigned char)*s < ' ' ? ' ' : *s);
    }
}

static void add_line(jn_str *out, const jn_page *p, const jn_line *l)
{
    jni_latex_line(out, p, l, &jni_latex_markdown);
}

/* ---- items --------------------------------------------------------------------------------- */

static void add_rule(jn_str *out, int ncols)
{
    jn_str_addc(out, '|');
    for (int j = 0; j < ncols; j++)
        jn_str_add(out, " --- |");
    jn_str_addc(out, '\n');
}

static void write_table(jn_str *out, const jn_page *p, const jn_table_item *t)
{
    if (t->nrows <= t->headed)
        return;
    if (!t->headed) { /* a head is needed; it may be empty */
        jn_str_addc(out, '|');
        for (int j = 0; j < t->ncols; j++)
            jn_str_add(out, "  |");
        jn_str_addc(out, '\n');
        add_rule(out, t->ncols);
    }
    for (int i = 0; i < t->nrows; i++) {
        jn_str_addc(out, '|');
        for (int j = 0; j < t->ncols; j++) {
            jn_str_addc(out, ' ');
            add_line(out, p, &t->row[i][j]);
            jn_str_add(out, " |");
        }
        jn_str_addc(out, '\n');
        if (t->headed && i == 0)
            add_rule(out, t->ncols);
    }
    jn_str_addc(out, '\n');
}

static void write_entries(jn_str *out, const jn_page *p, const jn_matrix_item *m)
{
    add_line(out, p, &m->label);
    jni_report_count_entries(out, m);
    jn_str_add(out, "| row | column | value |\n");
    add_rule(out, 3);
    jni_latex_entries(out, p, m, &jni_latex_markdown);
    jn_str_addc(out, '\n');
}

/* Browsers scroll: a matrix that need not be listed is not split. */
static const jn_item *write_matrix(jn_str *out, const jn_page *p, const jn_item *item)
{
    const jn_matrix_item *m = &item->matrix;
    const jni_latex_room *room = &jni_latex_markdown.room;
    jni_latex_split s = jni_latex_split_matrix(p, m, room);
    if (s.n == 0 || (s.n > 2 && jni_latex_is_sparse(m))) {
        write_entries(out, p, m);
        return item;
    }
    jn_str_add(out, "```math\n");
    jni_latex_math(out, p, &m->label);
    jn_str_add(out, " = ");
    jni_latex_array(out, p, m, 0, m->ncols, room);
    jn_str_add(out, "\n```\n\n");
    jni_latex_named(out, p, m, &jni_latex_markdown);
    return item;
}

static void begin_heading(jn_str *out, const jn_item *item)
{
    jn_str_fill(out, '#', 2 + item->level);
    jn_str_addc(out, ' ');
}

const jni_latex_form jni_latex_markdown = {
    .who = JN_FOR_ALL,
    .math_on = "$`",
    .math_off = "`$",
    .text = add_text,
    .shortens = true,
    .room = JN_REPORT_ROOM,
    .entry = {"| ", " | ", " | ", " |\n"},
    .entries = JN_REPORT_ENTRIES,
    .begin_heading = begin_heading,
    .end_heading = "\n\n",
    .table = write_table,
    .matrices = write_matrix,
};

static void write_page(jn_str *out, const jn_page *p)
{
    jni_latex_page(out, p, &jni_latex_markdown);
}

/* ---- the other parts ----------------------------------------------------------------------- */

static void begin(jn_str *out, const jn_report *r)
{
    const jn_graph *g = r->junction->graph;
    jn_str_add(out, "# ");
    add_text(out, g->title ? g->title : g->name);
    jn_str_add(out, "\n\nHybrid bond graph `");
    for (const char *s = g->name; *s; s++)
        jn_str_addc(out, *s == '`' ? '\'' : *s); /* a file may be called anything */
    jn_str_add(out, "`: causality and equations of all modes.\n\n");
}

static void end(jn_str *out)
{
    (void)out;
}

/* A fence longer than any run of backticks in the text. */
static int fence_length(const jn_source *s)
{
    int longest = 2, run = 0;
    for (size_t i = 0; i < s->len; i++) {
        run = s->text[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest + 1;
}

static void add_model_line(jn_str *out, const char *line, size_t length)
{
    const char *end = line + length - (length > 0 && line[length - 1] == '\r');
    while (line < end) {
        const char *tab = memchr(line, '\t', (size_t)(end - line));
        size_t n = (size_t)((tab ? tab : end) - line);
        jn_str_add_shown(out, line, n);
        if (tab)
            jn_str_addc(out, '\t');
        line += n + (tab != NULL);
    }
}

static void write_listing(jn_str *out, const jn_source *s)
{
    const char *line, *at = s->text, *stop = s->text + s->len;
    size_t length;
    int n = 0, fence = fence_length(s);
    jn_str_fill(out, '`', fence);
    jn_str_addc(out, '\n');
    while (n++ < JN_REPORT_LINES && jni_report_next_line(&line, &length, &at, stop)) {
        add_model_line(out, line, length);
        jn_str_addc(out, '\n');
    }
    jn_str_fill(out, '`', fence);
    jn_str_add(out, "\n\n");
}

/* The name of a file as an address: what might end it or mean something there is encoded. */
static void add_address(jn_str *out, const char *name)
{
    for (const char *s = name; *s; s++) {
        bool plain = (*s >= '0' && *s <= '9') || (*s >= 'a' && *s <= 'z') ||
                     (*s >= 'A' && *s <= 'Z') || strchr("-._", *s);
        jn_str_addf(out, plain ? "%c" : "%%%02X", (unsigned char)*s);
    }
}

static void write_drawing(jn_str *out, const jn_report *r)
{
    if (!r->picture)
        return;
    jn_str_add(out, "![causal bond graph](");
    add_address(out, r->picture);
    jn_str_add(out, ")\n\n");
}

static void write_plot(jn_str *out, const jn_plot *p, const char *picture)
{
    if (!picture)
        return;
    jn_str_addf(out, "![%d trace%s](", p->ntraces, p->ntraces == 1 ? "" : "s");
    add_address(out, picture);
    jn_str_add(out, ")\n\n");
}

static void write_switching(jn_str *out, const jn_report *r)
{
    if (!r->switching_picture)
        return;
    jn_str_add(out, "![Modes that can follow each other at an instant](");
    add_address(out, r->switching_picture);
    jn_str_add(out, ")\n\n");
}

static void write_plane(jn_str *out, const jn_report *r)
{
    jn_str_add(out, "![Where an instant ends, over two states](");
    add_address(out, r->plane_picture);
    jn_str_add(out, ")\n\n");
}

const jn_report_writer jni_report_markdown = {
    begin, write_page, write_listing, write_drawing, write_plot, end, write_switching, write_plane};
