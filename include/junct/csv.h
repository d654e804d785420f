/* csv.h: reading files of comma-separated values: tables, sequences of modes.
 *
 *     const jn_csv *c;
 *     jn_csv_read(&c, arena, "load.csv", d)
 *     const double *t, *x;
 *     jn_csv_ascending(&t, arena, c, "t", d)       a column of numbers, each larger than the last
 *     jn_csv_numbers(&x, arena, c, "torque", d)    a column of numbers
 *
 * The first row names the columns. Fields may stand in quotes; spaces around them, empty lines,
 * the ends of lines of any system and a byte order mark do no harm. What is wrong is reported
 * with its place, all of it in one go. Everything lives in the arena, the text of the file as
 * well: it must outlive the diagnostics. */
#ifndef JUNCT_CSV_H
#define JUNCT_CSV_H

#include "junct/diag.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Files with more, or of more than JN_SOURCE_MAX bytes, are refused. */
#define JN_CSV_MAX_COLUMNS 10000
#define JN_CSV_MAX_FIELDS (16 << 20)

typedef struct {
    const jn_source *source;
    int nrows, ncolumns; /* rows below the header, of which there is one at least */
    const char *const *name;
    /* By rows, the header's first: where a field begins in the file, and its text. */
    const struct jn_csv_cell {
        uint32_t offset, text;
    } * field;
    const char *texts;
} jn_csv;

jn_status jn_csv_read(const jn_csv **out, jn_arena *a, const char *path, jn_diags *d) JN_CHECKED;

/* The number of a column, −1: none of that name. */
int jn_csv_find(const jn_csv *c, const char *name);
/* The same; one that is missing is reported together with the nearest name. */
jn_status jn_csv_column(int *column, const jn_csv *c, const char *name, jn_diags *d) JN_CHECKED;
/* A field as text, without its quotes, and its place. Row −1 is the header. */
const char *jn_csv_text(const jn_csv *c, int row, int column);
jn_place jn_csv_place(const jn_csv *c, int row, int column);

/* All numbers of a column; a field that is not a finite number is reported. */
jn_status jn_csv_numbers(const double **out, jn_arena *a, const jn_csv *c, const char *name,
                         jn_diags *d) JN_CHECKED;
/* The same of a column in which every number is larger than the one before. */
jn_status jn_csv_ascending(const double **out, jn_arena *a, const jn_csv *c, const char *name,
                           jn_diags *d) JN_CHECKED;

#ifdef __cplusplus
}
#endif

#endif
