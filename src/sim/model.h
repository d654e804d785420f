/* model.h: what a run takes from the graph, once.
 *
 * Everything a condition, signal or output can read comes down to observables: the effort or flow
 * of a bond, the state of a storage, an integral, a discrete variable. Expressions that are linear
 * in them become linear forms; those that go on in another way when something crosses something
 * (if, abs, sign, min, max) have branches, floor and mod have steps; what a source gives as a function of time is a sum of
 * quasi-polynomials, the output of a linear generator. */
#ifndef MODEL_H
#define MODEL_H

#include <math.h>

#include "junct/sim.h"
#include "limits.h"

/* ---- linear forms (model_observe.c) -------------------------------------------------------- */

/* c0 + ct·t + Σ c_i·observable_i */
typedef struct {
    double c0, ct;
    int n, cap;
    struct form_term {
        int obs;
        double c;
    } * term; /* by number of the observable, ascending */
} linear_form;

/* ---- the model ----------------------------------------------------------------------------- */

typedef struct {
    int n;
    const double *t, *value;
} table_data;

/* Expressions that stand in a list, by what they are (model_place.c). */
typedef struct {
    int n, nslots; /* a power of 2 */
    struct expr_place {
        const jn_expr *e; /* NULL: free */
        int place;
    } * slot;
} expr_places;

int jni_place_of(const expr_places *t, const jn_expr *e); /* −1: it is not there */
void jni_place_put(expr_places *t, const jn_expr *e, int place);
void jni_places_clear(expr_places *t);

typedef struct model {
    const jn_graph *g;
    const char *folder;         /* of tables; NULL: the working directory */
    jn_arena *arena;            /* for comparisons that nobody wrote: those of branches */
    int nx, nu, nr, ns, nd;     /* storages, sources, resistors, integrals, discrete variables
                                   (the graph's, then the levels of steps) */
    double *storage, *resistor; /* values; of what is not linear, what it is like */
    bool has_active;            /* some of them are negative: jumps and runs may gain energy */
    bool is_passive;            /* no resistor or damper gives power away, whatever it is given */
    signed char *early;         /* per resistor, where its value is too far from those around it for
                                   doubles: served before the storages, 1 given its effort, −1 its
                                   flow; 0: it is not */
    bool *is_flat;              /* per resistor: its law has no slope at 0 */
    double *faint;              /* likewise: what it gives where its slope has faded; 0: it does not */
    bool *is_steep;             /* likewise: it is infinitely steep there */
    struct law_pieces *pieces;  /* per resistor: of a law that jumps or stays the same: see pieces.h */
    struct integral {
        const jn_expr *of; /* what is integrated */
        double start;
        bool is_linear;    /* it is this form: */
        linear_form form;
    } *integral;
    int *common;                /* per bond variable: the first that a junction makes equal to it */
    table_data *table;
    double *number; /* ratfuns as doubles, by id; NaN: not yet */
    int nnumbers;
    struct {
        int n, cap;
        struct steep {
            const jn_expr *e;
            double near; /* where its argument is as good as 0: see jni_note_steep */
        } * item;
        expr_places at;
    } steep; /* roots and powers in laws */
    struct {
        int n, cap;
        struct step {
            const jn_expr *node, *argument; /* argument: of floor */
            const jn_expr *reaches_next,
                *reaches_own; /* argument − 1 >= level, argument >= level */
        } * item;
        expr_places at; /* of every place where one is written */
    } steps;            /* floor and mod */
    struct {
        int n, cap;
        struct brief {
            const jn_expr *e, *whole; /* e: a term of an expression of time alone */
            int element;              /* in whose law or value; −1: in what is integrated */
        } * item;
    } brief; /* what may last but a short while */
    struct {
        int n, cap;
        linear_form **item; /* NULL: it is no sum */
        expr_places at;
    } sums; /* of bond variables, as far as they were asked for: see jni_sum_of */
} model;

/* Ports by number: storages, resistors, sources, as the graph numbers them. */
static inline int jni_port_count(const model *m)
{
    return m->nx + m->nr + m->nu;
}
static inline int jni_port_element(const model *m, int p)
{
    return p < m->nx           ? m->g->storage[p]
           : p < m->nx + m->nr ? m->g->resistor[p - m->nx]
                               : m->g->source[p - m->nx - m->nr];
}

/* Reads values, integrals and, unless they are given, tables. Takes these over. */
jn_status jni_model_init(model *m, const jn_graph *g, const char *folder, table_data *tables,
                         jn_diags *d) JN_CHECKED;
void jni_model_clear(model *m);
double jni_number_of(model *m, jn_ratfun a);
double jni_constant(model *m, const jn_expr *e); /* of an expression of constants */

/* ---- observables (model_observe.c) --------------------------------------------------------- */

static inline int jni_obs_effort(int bond)
{
    return 2 * bond;
}
static inline int jni_obs_flow(int bond)
{
    return 2 * bond + 1;
}
static inline int jni_obs_state(const model *m, int storage)
{
    return 2 * m->g->nbonds + storage;
}
static inline int jni_obs_integral(const model *m, int k)
{
    return 2 * m->g->nbonds + m->nx + k;
}
static inline int jni_obs_discrete(const model *m, int k)
{
    return 2 * m->g->nbonds + m->nx + m->ns + k;
}
/* All but the discrete variables, which are no function of the state. */
static inline int jni_obs_count(const model *m)
{
    return 2 * m->g->nbonds + m->nx + m->ns;
}

/* Marks the observables that an expression reads. */
void jni_mark_read(bool *is_read, const model *m, const jn_expr *e);
/* Whether an operation occurs in an expression or in the signals it reads. What is integrated
 * stands for itself. */
bool jni_mentions(const model *m, const jn_expr *e, jn_expr_op op);
/* Whether an expression reads the state: more than time, constants and discrete variables. */
bool jni_reads_model(const model *m, const jn_expr *e);
/* Whether it reads the model's past, and nothing of its present. */
bool jni_reads_only_past(const model *m, const jn_expr *e);
/* Whether it has one value throughout, that of the signals it reads included. */
bool jni_is_constant(const model *m, const jn_expr *e);
/* Whether it depends on nothing but constants and which switches are ON. */
bool jni_is_switched(const model *m, const jn_expr *e);
/* Whether switches choose the value of a storage or resistor, or what a port of a field is to itself;
 * what it is then, in a mode. */
bool jni_has_choice(const model *m, int element);
double jni_number_in(model *m, int element, const jn_onoff *onoff);

void jni_form_clear(linear_form *f);
/* The expression as a linear form; false when it is not linear. prior(x) counts as x. */
bool jni_form_of(linear_form *f, model *m, const jn_expr *e);
void jni_form_add(linear_form *f, double c, const linear_form *g); /* f += c·g */
/* The same form, of variables that no junction makes equal: for telling whether two are one. */
void jni_form_reduce(linear_form *to, const model *m, const linear_form *f);
void jni_common_find(model *m); /* m->common */

/* ---- sums (model_sum.c) -------------------------------------------------------------------- */

/* An expression that sums up more than one variable, of now; NULL: it does not. It lives as long as the model. */
const linear_form *jni_sum_of(model *m, const jn_expr *e);
void jni_sums_clear(model *m);

/* ---- tables (model_table.c) ---------------------------------------------------------------- */

jn_status jni_tables_read(model *m, jn_diags *d) JN_CHECKED;
double jni_table_at(const model *m, int table, double t);
/* The slope at t of the line that goes on from there. */
double jni_table_slope(const model *m, int table, double t);
/* The first point after t of tables over time in an expression; infinity: none. Between points they are
 * linear. */
double jni_tables_next(const model *m, const jn_expr *e, double t);

/* ---- branches (model_branch.c) ------------------------------------------------------------- */

/* Which way a branch takes: a share of the way it takes when its condition holds. It is 0 or 1,
 * settled at events and held in between, so that what is followed in between is smooth; something
 * between them only while the run slides along the surface on which the condition changes. */
typedef struct branches branches;
branches *jni_branches_new(model *m);
void jni_branches_free(branches *b); /* NULL-safe */
bool jni_is_branching(jn_expr_op op);
/* Those of an expression and of the signals it reads. */
void jni_branches_collect(branches *b, const jn_expr *e);
/* The first branch of a node, added unless it is there; −1: it is not there. */
int jni_branch_add(branches *b, const jn_expr *node);
int jni_branch_of(const branches *b, const jn_expr *node);
int jni_branches_count(const branches *b);
const jn_expr *jni_branch_condition(const branches *b, int i);
const jn_expr *jni_branch_node(const branches *b, int i);
/* if and sign jump; abs, min and max have a kink. */
bool jni_branch_jumps(const branches *b, int i);
/* The two ways of a node, given its first branch: scale times the way, NULL: scale alone. */
const jn_expr *jni_branch_way(const branches *b, int i, bool truth, double *scale);
double jni_branch_share(const branches *b, int i);
void jni_branch_set(branches *b, int i, double share);
/* Its share is found by the engine, such that the sides of its condition are equal: where they
 * depend on it at once. */
bool jni_branch_is_free(const branches *b, int i);
void jni_branch_free(branches *b, int i, bool is_free); /* with all that it turns together with */
/* Of the simple ones that turn on one surface the first leads: where it is free, so are they, by its share. */
void jni_branch_follow(branches *b, int i, int leader, bool is_turned);
int jni_branch_leader(const branches *b, int i, bool *is_turned);
void jni_branch_set_all(branches *b, int i, double share); /* one, and the others with it */
bool jni_branch_is_simple(const branches *b, int i);       /* it jumps on one comparison */
long jni_branches_version(const branches *b);              /* grows when a share changes */
model *jni_branches_model(const branches *b);
/* The resistor whose law alone has a branch, where that turns at 0 of the variable that the law reads, or wherever
 * if it is inverted piece by piece; −1: there is none. Seamless: the law is the same whichever way is held. */
typedef enum {
    BRANCH_OF_LAW,
    BRANCH_SEAMLESS,
    BRANCH_OF_PIECES, /* turns elsewhere, in a law that is inverted piece by piece */
    BRANCH_OF_INVERSE /* tells the pieces apart, where it is */
} branch_place;
void jni_branch_own(branches *b, int i, int law, branch_place where);
int jni_branch_law(const branches *b, int i);
branch_place jni_branch_place(const branches *b, int i);
bool jni_branch_is_seamless(const branches *b, int i);
void jni_seams_find(branches *b); /* of all branches, when all are there (model_seam.c) */

/* ---- flat laws (model_flat.c) -------------------------------------------------------------- */

/* The variable of its bond that a resistor's law is written for. */
static inline int jni_law_reads(const jn_element *x)
{
    return x->law_of == 'e' ? jni_obs_flow(x->bond[0]) : jni_obs_effort(x->bond[0]);
}
void jni_flat_find(model *m); /* m->is_flat, m->faint */

/* ---- what lasts but a short while (model_brief.c) ------------------------------------------ */

void jni_briefs_find(model *m); /* m->brief */

/* ---- passive laws (model_passive.c) -------------------------------------------------------- */

/* Whether a law reads nothing but these two observables. */
bool jni_reads_only(const model *m, const jn_expr *law, int own, int other);
bool jni_is_passive(model *m); /* all of the resistors, and of the storages that are damped */
bool jni_is_damped(const model *m, int storage); /* its law reads the rate of its state */

/* ---- steps (model_step.c) ------------------------------------------------------------------ */

void jni_steps_find(model *m);
int jni_step_of(const model *m, const jn_expr *e); /* −1: it is none */
int jni_step_discrete(const model *m, int step);   /* the discrete variable of its level */

#endif
