/* report_shorten.c: what is too long to be read in a report is shortened, and the report says so. The
 * commands print all of it. */
#include "report_internal.h"

/* ---- matrices ------------------------------------------------------------------------------ */

static const char *plural(int n, const char *one, const char *many)
{
    return n == 1 ? one : many;
}

void jni_report_count_entries(jn_str *out, const jn_matrix_item *m)
{
    int n = 0;
    for (int i = 0; i < m->nrows; i++)
        n += m->row[i].n;
    jn_str_addf(out, " has %d row%s, %d column%s and %d %s%s\n\n", m->nrows,
                plural(m->nrows, "", "s"), m->ncols, plural(m->ncols, "", "s"), n,
                plural(n, "entry that is not zero", "entries that are not zero"),
                n > JN_REPORT_ENTRIES ? "; the first of them:" : ":");
}

/* ---- pages --------------------------------------------------------------------------------- */

enum { TABLES_MAX = 6 };

static bool is_table(const jn_item *item)
{
    return item && item->kind == JN_ITEM_TABLE;
}

/* A paragraph after an item. */
static jn_line *insert_paragraph(jn_page *p, jn_item *after)
{
    jn_item *note = jn_arena_alloc(p->arena, sizeof *note);
    note->kind = JN_ITEM_PARAGRAPH;
    note->next = after->next;
    after->next = note;
    if (p->last == after)
        p->last = note;
    return &note->line;
}

enum { TERMS_MAX = 20, TERMS_FIRST = 6 };

/* ẋ = a + b + c … + z */
static void shorten_sum(jn_page *p, jn_line *l)
{
    int n = 0, terms = 0;
    for (const jn_span *s = l->first; s; s = s->next)
        terms += s->kind == JN_SPAN_TERM;
    if (terms <= TERMS_MAX)
        return;
    jn_line shorter = {0};
    for (jn_span *s = l->first, *next; s; s = next) {
        next = s->next;
        n += s->kind == JN_SPAN_TERM;
        if (s->kind == JN_SPAN_TERM && n == TERMS_FIRST + 1)
            jn_line_math(p, &shorter, " ... ", "\\ \\cdots\\ ");
        if (s->kind == JN_SPAN_TERM && n > TERMS_FIRST && n < terms)
            continue;
        s->next = NULL;
        if (shorter.last)
            shorter.last->next = s;
        else
            shorter.first = s;
        shorter.last = s;
    }
    *l = shorter;
}

static void shorten_table(jn_page *p, jn_item *item)
{
    jn_table_item *t = &item->table;
    for (int i = 0; i < t->nrows; i++)
        for (int j = 0; j < t->ncols; j++)
            shorten_sum(p, &t->row[i][j]);
    int most = JN_REPORT_ROWS + t->headed, left = t->nrows - most;
    if (left <= 0)
        return;
    t->nrows = most;
    jn_line_text(p, insert_paragraph(p, item), "And %d more.", left);
}

void jni_report_shorten(jn_page *p)
{
    int run = 0;
    for (jn_item *item = p->first, *next; item; item = next) {
        next = item->next;
        run = is_table(item) ? run + 1 : 0;
        if (!is_table(item))
            continue;
        shorten_table(p, item);
        if (run < TABLES_MAX || !is_table(next))
            continue;
        int dropped = 0;
        for (; is_table(next); next = next->next)
            dropped++;
        item->next = next;
        if (!next)
            p->last = item;
        jn_line_text(p, insert_paragraph(p, item), "And %d more tables.", dropped);
    }
}
