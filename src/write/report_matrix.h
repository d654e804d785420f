/* report_matrix.h: the matrices of a report, in both forms. */
#ifndef WRITE_REPORT_MATRIX_H
#define WRITE_REPORT_MATRIX_H

#include "junct/page.h"

/* Blocks of columns that fit on a line. */
typedef struct {
    int n;      /* 0: it is too large, and its entries are listed */
    int end[4]; /* after the last column of each */
    int width;  /* of the last one, in columns of text */
    bool whole; /* all columns might fit as well: LaTeX measures it */
} jn_report_split;
jn_report_split jni_report_split_matrix(const jn_page *p, const jn_matrix_item *m);

/* Some columns as an array of LaTeX with labels, and the names of blocks where it has them. */
void jni_report_array(jn_str *out, const jn_page *p, const jn_matrix_item *m, int from, int to);
/* The entries that the array has only names for, a paragraph each. */
void jni_report_named(jn_str *out, const jn_page *p, const jn_matrix_item *m);

#endif
