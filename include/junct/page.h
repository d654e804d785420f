/* page.h: results as a page to be read, before it is text or LaTeX.
 *
 * A page is a list of headings, paragraphs, tables and labelled matrices. What stands in them
 * are lines of spans; a span keeps its meaning (a formula of the switches, a value under guards,
 * the flow of an element), so that each writer sets it in its own way. A page is built once from
 * the results and walked by every writer: see write.h.
 *
 * Everything lives in the page's arena; text is copied into it. */
#ifndef JUNCT_PAGE_H
#define JUNCT_PAGE_H

#include "junct/formula.h"
#include "junct/guarded.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- lines of spans ------------------------------------------------------------------------ */

/* A variable of an element: its letter and its name, ṗ_L1; for a pseudo-state with (d) behind
 * it. Without a letter it is the element's name alone, as for an input. */
typedef struct {
    char letter; /* 'e', 'f', 'p', 'q' or 0 */
    bool dot;    /* its derivative */
    bool pseudo;
    const char *name;
} jn_symbol;

/* A value and the formula of the modes in which it holds. */
typedef struct {
    const jn_formula *guard;
    jn_ratfun value;
} jn_page_case;

typedef enum {
    JN_SPAN_TEXT,    /* text */
    JN_SPAN_MATH,    /* text; latex: the same as mathematics */
    JN_SPAN_SYMBOL,  /* symbol */
    JN_SPAN_FORMULA, /* formula */
    JN_SPAN_VALUE,   /* ncases, cases: a guarded value; no cases: zero */
    JN_SPAN_TERM     /* value·symbol as a term of a sum; first: it is the sum's first */
} jn_span_kind;

typedef struct jn_span {
    struct jn_span *next;
    jn_span_kind kind;
    const char *text, *latex;
    jn_symbol symbol;
    const jn_formula *formula;
    int ncases;
    const jn_page_case *cases;
    jn_ratfun value;
    bool first;
} jn_span;

typedef struct {
    jn_span *first, *last;
} jn_line;

/* ---- items --------------------------------------------------------------------------------- */

typedef struct { /* rows of lines; a long table may go on in a later item */
    int ncols;
    bool headed;       /* the first row is its heading */
    bool continues;    /* the table before: text leaves out its heading */
    const int *widths; /* at least so many characters a column, or NULL */
    int nrows, cap;
    jn_line **row;
} jn_table_item;

typedef struct { /* an entry that is not zero */
    int col;
    jn_line line;
} jn_cell;

typedef struct {
    int n, cap;
    jn_cell *cell; /* by column, ascending */
} jn_cell_row;

typedef struct { /* sparse; rules separate the blocks */
    jn_line label;
    int nrows, ncols;
    jn_line *row_label, *col_label;
    bool *rule_above, *rule_before; /* per row, per column */
    /* Mathematics that names a block, at its first row or column, else NULL; NULL: no names. */
    const char **row_block, **col_block;
    jn_cell_row *row;
} jn_matrix_item;

typedef enum { JN_ITEM_HEADING, JN_ITEM_PARAGRAPH, JN_ITEM_TABLE, JN_ITEM_MATRIX } jn_item_kind;

/* Text labels its matrices and explains its signs; LaTeX names the vectors instead. */
typedef enum { JN_FOR_ALL, JN_FOR_TEXT, JN_FOR_LATEX } jn_item_for;

typedef struct jn_item {
    struct jn_item *next;
    jn_item_kind kind;
    jn_item_for who;
    int level;    /* heading: 1, 2 */
    jn_line line; /* heading, paragraph */
    jn_table_item table;
    jn_matrix_item matrix;
} jn_item;

/* A formula that is long, and the name that stands for it on the page. */
typedef struct {
    const jn_formula *formula;
    jn_formula name; /* JN_FORMULA_NAME; numbered by jn_page_lets */
} jn_page_name;

typedef struct {
    jn_arena *arena;
    jn_item *first, *last;
    int nnames, names_cap;
    jn_page_name **name;
    /* What the spans are made of; not owned. */
    jn_field *field;
    const char *const *params, *const *switches;
} jn_page;

/* field and params are needed for values, switches for formulas; else they may be NULL. */
jn_page *jn_page_new(jn_field *field, const char *const *params, const char *const *switches);
void jn_page_free(jn_page *p); /* NULL-safe */

/* ---- building: each adds at the end -------------------------------------------------------- */

jn_line *jn_page_heading(jn_page *p, int level);
jn_line *jn_page_paragraph(jn_page *p);
jn_line *jn_page_remark(jn_page *p, jn_item_for who); /* a paragraph for some writers only */
jn_table_item *jn_page_table(jn_page *p, int ncols, bool headed);
/* What the formulas on the page call _1, _2, …: the lets of f, then the long guards of the
 * page's values. Comes last. */
void jn_page_lets(jn_page *p, const jn_formulas *f);
jn_matrix_item *jn_page_matrix(jn_page *p, int nrows, int ncols);

jn_line *jn_table_row(jn_page *p, jn_table_item *t); /* the cells of a new row */
jn_line *jn_matrix_cell(jn_page *p, jn_matrix_item *m, int row, int col); /* columns in order */

void jn_line_text(jn_page *p, jn_line *l, const char *fmt, ...) JN_PRINTF(3, 4);
void jn_line_math(jn_page *p, jn_line *l, const char *text, const char *latex);
void jn_line_symbol(jn_page *p, jn_line *l, jn_symbol s);
void jn_line_name(jn_page *p, jn_line *l, const char *name); /* a symbol without a letter */
void jn_line_formula(jn_page *p, jn_line *l, const jn_formula *f);
void jn_line_value(jn_page *p, jn_line *l, jn_ratfun value); /* in all modes */
/* Long guards get a name: see jn_page_lets. */
void jn_line_cases(jn_page *p, jn_line *l, const jn_guarded *v, jn_formulas *f);
void jn_line_term(jn_page *p, jn_line *l, jn_ratfun value, jn_symbol s, bool first);

/* ---- writing ------------------------------------------------------------------------------- */

/* Lines of at most `width` columns where that can be. A guard g in a matrix is written [g]: 1 in
 * the modes where it holds, 0 in the others; a zero is a dot. */
void jn_page_text(jn_str *out, const jn_page *p, int width);
/* Whether texts are spelled in ASCII from now on, for terminals that know nothing else. */
void jn_page_text_ascii(bool only);
/* For a document with amsmath. */
void jn_page_latex(jn_str *out, const jn_page *p);

#ifdef __cplusplus
}
#endif

#endif
