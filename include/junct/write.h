/* write.h: results as text, JSON, CSV, LaTeX and Octave.
 *
 * A writer of a form ("text", "json", …) appends to a growing text. Some results are as many as
 * there are modes; so writing goes in steps, and the caller may pass on and reset the text after
 * each of them:
 *
 *     jn_listing l;
 *     jn_listing_init(&l, junction, implicit);
 *     const jn_writer *w = jn_writer_find(JN_WRITE_MATRICES, "json");
 *     w->begin(&l);
 *     w->mode(&l, m);   for every mode that is wanted; none: l.by_mode is false
 *     w->end(&l);
 *     … l.out …
 *     jn_listing_clear(&l); */
#ifndef JUNCT_WRITE_H
#define JUNCT_WRITE_H

#include "junct/implicit.h"
#include "junct/page.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The causality of a storage or resistor in all modes. */
typedef struct {
    int element;
    const char *yes, *no; /* "integral", "derivative"; "resistance", "conductance" */
    bool is_static;       /* the same in all allowed modes */
    bool usual;           /* whether it is `yes` in the reference mode */
    jn_guard guard;       /* the modes of `yes`: right where a mode is allowed, as shown in Λ */
} jn_causality;

typedef struct {
    jn_str out;
    const jn_junction *junction;
    const jn_implicit *implicit; /* NULL: only causality and forbidden modes */
    jn_formulas *formulas;
    /* Set by the caller before the first step: */
    bool by_mode;        /* single modes are wanted */
    bool one_mode;       /* only one of them: all there is to say of it, instead of a row */
    bool assume_allowed; /* guards may be anything in the forbidden modes (JN_WRITE_MODES) */
    int width;           /* columns of text; 100 unless set */
    /* For the writers: */
    int npassive; /* storages and resistors, in file order */
    jn_causality *passive;
    int ndynamic; /* those of them in dynamic causality */
    const jn_causality **dynamic;
    long written;  /* modes so far */
    jn_mode mode;  /* the one being written */
    jn_page *page; /* rows gathered for a table */
    jn_table_item *rows;
} jn_listing;

void jn_listing_init(jn_listing *l, const jn_junction *j, const jn_implicit *f);
void jn_listing_clear(jn_listing *l);

typedef enum {
    JN_WRITE_MODES,   /* forbidden modes, causality, truth tables; a row per mode */
    JN_WRITE_MATRICES /* Λ, S, E, A, B over λ; E, A, B of a mode. Needs l->implicit */
} jn_write_what;

typedef struct {
    void (*begin)(jn_listing *l);
    void (*mode)(jn_listing *l, const jn_onoff *m);
    void (*end)(jn_listing *l);
} jn_writer;

/* Tables of modes have so many rows, then the next one begins. A power of two, so that many modes are a
 * whole number of tables. */
enum { JN_MODES_TABLE = 32 };

/* form: "text", "json", "csv", "latex" or "octave"; NULL when there is no such writer. */
const jn_writer *jn_writer_find(jn_write_what what, const char *form);

/* What a model has, in a few lines of text; j may be NULL. */
void jn_write_summary(jn_str *out, const jn_graph *g, const jn_junction *j, int width);

/* ---- parts --------------------------------------------------------------------------------- */

/* A string of JSON with its quotes; bytes that are not UTF-8 become U+FFFD. */
void jn_json_string(jn_str *out, const char *s);
/* A field of CSV, in quotes where it needs them. */
void jn_csv_field(jn_str *out, const char *s);
/* The number of modes of a guard, exact. */
void jn_write_count(jn_str *out, jn_guards *g, jn_guard a);
/* "s1 on, s2 off", or for many switches how many are on. */
void jn_write_onoff(jn_str *out, const jn_graph *g, const jn_onoff *m);

/* The variables of a row and a column of S, and of a state of the implicit equation. */
jn_symbol jn_symbol_output(const jn_graph *g, jn_variable v); /* ṗ_L1, f_L1 (d), f_R1 */
jn_symbol jn_symbol_input(const jn_graph *g, jn_variable v);  /* f_L1, ṗ_L1 (d), e_R1, V */
jn_symbol jn_symbol_state(const jn_graph *g, jn_variable v, bool dot);

#ifdef __cplusplus
}
#endif

#endif
