/* report_internal.h: the parts of a report, and how a form writes them. */
#ifndef WRITE_REPORT_INTERNAL_H
#define WRITE_REPORT_INTERNAL_H

#include "junct/report.h"

/* One form: each function appends a part. */
typedef struct {
    void (*begin)(jn_str *out, const jn_report *r);
    void (*page)(jn_str *out, const jn_page *p);
    void (*listing)(jn_str *out, const jn_source *s);
    void (*drawing)(jn_str *out, const jn_report *r);
    void (*plot)(jn_str *out, const jn_plot *p, const char *picture); /* or its file */
    void (*end)(jn_str *out);
    void (*switching)(jn_str *out, const jn_report *r); /* which modes can follow which */
    void (*plane)(jn_str *out, const jn_report *r);     /* where instants end */
} jn_report_writer;

extern const jn_report_writer jni_report_latex, jni_report_markdown;

/* Headings of a report: sections are level 0; those of pages, 1 and 2, lie below. */
enum { JN_REPORT_SECTION = 0 };
void jni_report_section(jn_page *p, const char *title);

/* Sections: each adds to a page. */
void jni_report_summary(jn_page *p, jn_listing *l);         /* counts, forbidden modes */
void jni_report_elements(jn_page *p, const jn_graph *g);    /* elements, parameters, switches */
void jni_report_set_values(jn_page *p, const jn_report *r); /* those that differ from the file */
void jni_report_blocks(jn_page *p, const jn_junction *j); /* names the blocks of S, the last item */
void jni_report_properties(jn_page *p, const jn_analysis *a, jn_guard modes);
void jni_report_notation(jn_page *p);
void jni_report_errata(jn_page *p);
void jni_report_course(jn_page *p, const jn_report *r); /* of a run, or why there is none */
void jni_report_events(jn_page *p, const jn_report_run *run);
void jni_report_ledger(jn_page *p, const jn_graph *g, const jn_ledger *l);

/* A table that begins with the heads of its columns. */
jn_table_item *jni_report_table(jn_page *p, int n, const char *const *head);

/* Lines of a model file; false at the end. */
bool jni_report_next_line(const char **line, size_t *length, const char **at, const char *end);

/* Adds text with mathematics between dollars: "where $E$ is invertible". */
void jni_report_marked(jn_page *p, jn_line *line, const char *s);
/* " has 3 rows, 1 column and 2 entries that are not zero", before a list of them. */
void jni_report_count_entries(jn_str *out, const jn_matrix_item *m);
/* Cuts long tables, and long runs of tables, and says so. */
void jni_report_shorten(jn_page *p);

enum {
    JN_REPORT_MODE_DIGITS = 16, /* a mode of more switches is not named by them */
    JN_REPORT_ENTRIES = 15,     /* of a matrix that is listed */
    JN_REPORT_ROWS = 30,        /* of a table */
    JN_REPORT_LINES = 300       /* of a model file */
};

/* What matrices may take, in either form; labels stand in subscripts. */
#define JN_REPORT_ROOM                                                              \
    {                                                                               \
        .line = 88, .separation = 2, .label_percent = 70, .rows = 40, .cols = 176, \
        .blocks = 4, .entry = 44                                                    \
    }

#endif
