/* mode.h: one mode in numbers, and all modes that a run has met.
 *
 *     jn_solved            the junction structure of the mode: a list of steps (src/junction)
 *     floating (mode_floating.c)   what nothing determines, by least norm
 *     rows (mode_rows.c)   every variable as a row over whatever the inputs of ports are made of
 *
 * What an engine adds is its own. */
#ifndef MODE_H
#define MODE_H

#include "junct/solved.h"
#include "model.h"
#include "number.h"
#include "pieces.h"

struct engine;

/* What an engine has found out about a mode in passing. It decides how a solution is followed, hence
 * the last bits of it, and outlives the rest of the mode. */
typedef struct {
    double length; /* that any solution can be followed for at once; 0: not known yet */
    int level;     /* doublings of it that held last */
    int wait, patience; /* before the next is tried again */
    int expanded;       /* stretches made without a matrix */
} lessons;

typedef struct mode {
    jn_onoff *onoff;
    bool flows;    /* prior(x) is x itself in its sources: as it is followed, not as it is asked */
    bool is_given; /* see jni_mode_given */
    bool entered;  /* the run has been in it: more than a candidate */
    jn_mode_status status;
    char *reason;  /* unless ok */
    const jn_solved *solved; /* NULL: there is none */
    int *step_of;  /* per column: its step; −1: an input or free */
    int *port_of;  /* per column: the port whose input it is; −1: none */
    struct {
        srow *row;       /* per column: where it is free, over the inputs of ports; NULL: none is */
        int nnull;       /* directions that stay open, behind these; values are those with none of them */
        srow *open;      /* per column: how it depends on them */
        bool *is_open;   /* per column: even so nothing determines it, or what it depends on */
        bool *is_shared; /* per column: it depends on what is known by least norm only */
    } floating;
    bool *is_held;   /* per branch: a sign of what the mode keeps at 0; NULL: none is */
    bool *integral; /* per storage: in integral causality */
    bool *hastens;  /* likewise: not in it, but only since a resistor comes early. Where the mode makes it
                       jump it moves fast, and no condition sees an impulse. NULL: none does */
    bool *is_lost;  /* per source: it lost its input to others; the mode is forbidden, unless they agree */
    const bool *is_free; /* per column: nothing determines it */
    bool *own_free;      /* where that is more than the structure says: sources agree; else NULL */
    const bool *is_late; /* per source: served as a resistor is */
    double *storage, *resistor; /* values; the model's unless switches change them */
    bool own_values;
    /* Of a model with fields: x = M·z and z = F·x per storage, e = R·f per resistor; else NULL. */
    srow *M, *F, *R;
    int nz; /* of the points of the mode, z */
    const struct engine *engine;
    void *own; /* the engine's */
    struct {
        bool is_made;    /* else forgotten: of the mode only its switches and kind, and entered count */
        lessons learned; /* of one that is forgotten */
        long used;       /* when it was asked for last */
        int visits;      /* since it was made, as the present one */
        size_t bytes;    /* about */
    } cached;
} mode;

/* Columns of the mode: the variable that a port gives, and the one that it is given. */
int jni_mode_out(const mode *m, const model *k, int port);
int jni_mode_in(const mode *m, const model *k, int port);
/* Whether the law of a resistor is flat or has pieces, and the mode gives it what the law gives: then it is inverted. */
static inline bool jni_mode_inverts(const mode *m, const model *k, int r)
{
    int element = k->g->resistor[r];
    return (k->is_flat[r] || k->pieces[r].n) &&
           m->solved->gives_effort[element] == (k->g->element[element].law_of == 'e');
}
/* Likewise one that is steep: its inverse is asked for where another one in series with it is inverted. */
static inline bool jni_mode_may_invert(const mode *m, const model *k, int r)
{
    int element = k->g->resistor[r];
    return jni_mode_inverts(m, k, r) ||
           (k->is_steep[r] &&
            m->solved->gives_effort[element] == (k->g->element[element].law_of == 'e'));
}
/* Sign between an observable of a bond and its column. */
static inline double jni_bond_sign(const mode *m, int obs)
{
    return obs % 2 && m->solved->flow_sign[obs / 2] < 0 ? -1 : 1;
}

/* ---- all modes (mode.c) -------------------------------------------------------------------- */

typedef struct {
    int n, cap, nbuckets;
    mode **mode;
    int *bucket; /* hash: index + 1 */
    mode *last; /* asked for: mostly asked for again */
    long asked;
    size_t bytes; /* of all that are made */
} mode_cache;

/* The mode, made when it is first asked for, or again. It stays what it is until jni_modes_trim. */
mode *jni_mode_get(jn_sim *s, const jn_onoff *onoff, bool flows);
/* A mode that is followed where prior(x) is x cannot be entered with sources of prior values that are in conflict there:
 * the same with these as given, and forbidden. NULL: it has none. */
mode *jni_mode_given(jn_sim *s, const mode *m);
/* Between instants: forgets what was left longest ago, where all of them take too much room. */
void jni_modes_trim(jn_sim *s);
void jni_mode_learned(lessons *l, const mode *m); /* made or not */
void jni_modes_clear(jn_sim *s); /* forgets all of them */
void jni_mode_free(mode *m, jn_sim *s); /* NULL-safe */
uint64_t jni_hash_mode(const jn_onoff *m, int n, int kind);
static inline bool jni_same_mode(const jn_onoff *a, const jn_onoff *b, int n) /* mostly they differ at once */
{
    for (int i = 0; i < n; i++)
        if (a[i] != b[i])
            return false;
    return true;
}
/* Says that a mode has no solution. */
void jni_mode_fail(mode *m, const char *fmt, ...) JN_PRINTF(2, 3);

/* ---- rows (mode_rows.c) -------------------------------------------------------------------- */

/* A family of rows, one per column. The base rows are those of the ports' inputs; every other
 * column follows by its step. */
typedef struct {
    int width;    /* of what the inputs are made of; behind it what stays open */
    srow *base;   /* per port */
    srow *made;   /* per column; NULL: none so far */
    bool *is_made;
    gather sum;
} rows;

rows *jni_rows_new(const mode *m, const model *k, int width); /* all base rows 0 */
void jni_rows_free(rows *r, const mode *m, const model *k);    /* NULL-safe */
/* Has columns from `width` on where nothing determines it. */
const srow *jni_rows_of(jn_sim *s, const mode *m, rows *r, int col);
void jni_rows_unit(rows *r, int port, int col); /* the base row of a port is 1 at col */

/* ---- values that switches change (mode_switched.c) ----------------------------------------- */

bool jni_is_switched_element(const model *m, int element);
/* Exactly, in a mode; false: it is not rational. */
bool jni_switched_value(jn_ratfun *r, model *m, const jn_expr *e, const jn_onoff *on);
void jni_switched_values(mode *to, model *m); /* storages and resistors */

/* ---- fields (mode_fields.c) ---------------------------------------------------------------- */

void jni_mode_fields(mode *to, model *m);
void jni_mode_fields_clear(mode *m, const model *k);
double jni_field_output(const mode *m, int storage, const double *x); /* z of a storage */

/* ---- what nothing determines (mode_floating.c) --------------------------------------------- */

void jni_mode_float(jn_sim *s, mode *m);
void jni_mode_float_clear(mode *m);
/* Whether nothing determines a sum of bond variables, and more; of one each, differences may still be known. */
bool jni_mode_leaves_open(const jn_sim *s, const mode *m, const linear_form *f);
/* Whether no source, law, value or integral reads what stays open; else the mode has no solution. */
bool jni_mode_reads_known(jn_sim *s, mode *m);

/* ---- signs of what is kept at 0 (mode_held.c) ---------------------------------------------- */

void jni_mode_hold(jn_sim *s, mode *m);
bool jni_source_holds(jn_sim *s, int source); /* modes depend on its being 0 */

#endif
