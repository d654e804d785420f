/* page_latex.h: a page as LaTeX, wherever it is put.
 *
 * One walk goes over the page; what it writes into is a form: any document with amsmath (the
 * listings of --latex), the document of a report, Markdown. A form says how lines are marked, how
 * much room there is, and how it sets headings, tables and matrices. */
#ifndef WRITE_PAGE_LATEX_H
#define WRITE_PAGE_LATEX_H

#include "junct/page.h"

/* How much of a matrix fits, in columns of text: LaTeX alone knows how wide a formula is. */
typedef struct {
    int line;          /* in one line */
    int separation;    /* of columns */
    int label_percent; /* of the width of a label as text */
    int rows, cols;    /* at most; a larger matrix is listed by its entries */
    int blocks;        /* of columns, at most JNI_LATEX_BLOCKS; likewise */
    int entry;         /* a longer entry gets a name, and is told below */
} jni_latex_room;

enum { JNI_LATEX_BLOCKS = 4 };

typedef struct jni_latex_form {
    jn_item_for who; /* whose remarks are written, beside those for all */
    const char *math_on, *math_off;
    void (*text)(jn_str *out, const char *s); /* outside of mathematics */
    bool shortens;                            /* long formulas lose their middle */
    bool fits;                                /* it knows \fit, for what is wider than the line */
    jni_latex_room room;
    const char *entry[4]; /* of a list: before its row, its column, its value, and after it */
    int entries;          /* in a list, at most */
    void (*begin_heading)(jn_str *out, const jn_item *item);
    const char *end_heading;
    void (*table)(jn_str *out, const jn_page *p, const jn_table_item *t);
    /* A matrix, and those after it that stand beside it; returns the last of them. */
    const jn_item *(*matrices)(jn_str *out, const jn_page *p, const jn_item *item);
} jni_latex_form;

extern const jni_latex_form jni_latex_listing, jni_latex_report, jni_latex_markdown;

/* page_latex.c */
void jni_latex_page(jn_str *out, const jn_page *p, const jni_latex_form *form);
/* A row of a table; fractions get some room below them. */
void jni_latex_row(jn_str *out, const jn_page *p, const jn_table_item *t, int i,
                   const jni_latex_form *form);

/* page_latex_line.c */
/* A line in running text; spans of mathematics that touch share their marks. */
void jni_latex_line(jn_str *out, const jn_page *p, const jn_line *l, const jni_latex_form *form);
void jni_latex_math(jn_str *out, const jn_page *p, const jn_line *l); /* inside mathematics */
int jni_latex_width(const jn_page *p, const jn_line *l); /* as text */

/* page_latex_matrix.c */
/* Blocks of columns that fit on a line. */
typedef struct {
    int n;                     /* 0: it is too large, and its entries are listed */
    int end[JNI_LATEX_BLOCKS]; /* after the last column of each */
    int width;                 /* of the last one */
    int whole;                 /* width of all columns */
} jni_latex_split;
jni_latex_split jni_latex_split_matrix(const jn_page *p, const jn_matrix_item *m,
                                       const jni_latex_room *room);
/* The width of all columns without their labels. */
int jni_latex_bare_width(const jn_page *p, const jn_matrix_item *m, const jni_latex_room *room);
bool jni_latex_is_sparse(const jn_matrix_item *m);

/* Some columns as an array, with labels and the names of blocks where it has them; or bare. */
void jni_latex_array(jn_str *out, const jn_page *p, const jn_matrix_item *m, int from, int to,
                     const jni_latex_room *room);
void jni_latex_bare_array(jn_str *out, const jn_page *p, const jn_matrix_item *m);
/* The entries that the array has only names for, a paragraph each. */
void jni_latex_named(jn_str *out, const jn_page *p, const jn_matrix_item *m,
                     const jni_latex_form *form);
/* All entries that are not zero, a line of the list each. */
void jni_latex_entries(jn_str *out, const jn_page *p, const jn_matrix_item *m,
                       const jni_latex_form *form);

#endif
