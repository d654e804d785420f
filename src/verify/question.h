/* question.h: a model and one of its instants, written as logic.
 *
 *     logic*.c   formulas and the solver; linear.c: linear forms
 *     terms.c    numbers as terms, equalities of some modes; guards.c: Boolean functions of λ
 *     laws.c     the laws of the model between the variables of its bonds; norm.c: what these do not determine
 *     agree.c    sources that are tied to each other, and whether they are in conflict
 *     expression.c, value.c, condition.c   what expressions read, what they are worth, whether conditions hold
 *     wave.c     sines and cosines of time; circle.c: solutions in which they are those of an angle
 *     moment.c   solutions in which all that depends on time is that of one time
 *     flow.c     where the state goes as the flow takes it
 *     begin.c    where an instant begins: in a mode that lasts, or as the model starts
 *     unroll.c   an instant: one candidate after the other
 *     clock.c    what time alone does to switches
 *     witness.c  reading a solution, and trying it in a run; simple.c: a readable one
 *     range.c    how far the same happens as in a witness
 *     case.c     a model that begins in a witness
 *     rank.c     the order in which automata move
 *     session.c  a question of some kind, and what it is asked with
 *     settle.c, order.c, never.c, claims.c   the questions themselves
 *     verify.c   all of them */
#ifndef QUESTION_H
#define QUESTION_H

#include "junct/verify.h"
#include "logic.h"

/* ---- the question -------------------------------------------------------------------------- */

/* What is outside of linear arithmetic: it may be anything, and is said. */
typedef struct {
    jn_place place;
    const char *why;
} vague;

typedef struct question {
    const jn_graph *g;
    const jn_junction *j;
    logic *l;
    jn_arena *arena; /* for all that is made on the way */
    bool jumps;      /* some storage is dependent in some mode */
    bool conflicts;  /* in some mode sources are in conflict */
    bool is_first;   /* the instant in which the model starts */
    bool is_within;  /* not where an instant begins, but any candidate of any instant */
    bool is_near;    /* instants begin where a mode can be left, not just anywhere: see unroll.c */
    bool floats;     /* in some mode something is determined by least norm only */
    term t;
    int ntimes, cap_times; /* expressions of time alone, each a number of its own */
    struct time_term {
        const jn_expr *e;
        int sample;          /* 0: at the instant; else at some time before: see clock.c */
        term is[2], slow[2]; /* until the instant, and from then on; and what it does there */
    } * times;
    int ncircles, cap_circles; /* sines of one frequency, each a combination of two: see wave.c */
    struct circle {
        double speed,
            unit[2]; /* unit: what a coefficient may be besides 0, per axis; 0: not known yet */
        int sample;
        term sine, cosine, slow_sine[2], slow_cosine[2];
    } * circle;
    term
        early; /* t is within the periods that it is known to stand in: what is shown is (clock.c) */
    const char *folder; /* of tables */
    struct table_points {
        int n; /* −1: it cannot be read */
        const double *t, *value;
    } * table;             /* NULL: none was asked for yet */
    int nhairs, cap_hairs; /* what waves may be off by: see wave.c */
    term *hair;
    int nwaiting, cap_waiting; /* laws of some modes, until those of all modes are known */
    struct waiting_law {
        term when, a, b;
    } * waiting;
    int nvague, cap_vague;
    int vague_values; /* how often a value was met that may be anything */
    vague *vague;
    term *wave_rate; /* per source that is a sine: how fast it changes; NULL: not asked yet */
    term *turning;   /* per such source: how fast it does as its circle turns */
    bool *is_free;   /* per source: a bound is all that is known of it */
    char *partial;   /* some mode may have no solution, which would not be noticed; NULL: none */
    jn_place partial_at;
    /* Modes whose sources are tied to each other, but agree; and those that are in no conflict (agree.c). */
    jn_guard agreed, allowed;
    const struct unrolled *instant; /* the one that is asked about: see flow.c */
    int flow_scale;      /* x' is how far the state goes in 10^−scale, where there are no sines */
    bool flows_straight; /* x' = ẋ, not but for a hair */
    jn_guard *gives_way; /* per source: it lost its input to others, and does not agree */
} question;

void *jni_room(question *q, size_t bytes);
term *jni_terms(question *q, int n);
void jni_vague(question *q, jn_place place, const char *why);
/* Exact constants. */
term jni_constant_term(question *q, jn_ratfun c);
term jni_times(question *q, jn_ratfun c, term a);
term jni_minus(question *q, term a, term b);
jn_ratfun jni_known_number(question *q, jn_ratfun c); /* parameters put in; id < 0: not a number */
term jni_sum_terms(question *q, term *a, int n);
jn_ratfun jni_only_number(question *q, jn_value v); /* the same in all modes; id < 0: it is not */
/* a = b under a condition. What holds always is solved at once; the rest waits for jni_laws_end. */
void jni_equal_if(question *q, term when, term a, term b);
void jni_zero_if(question *q, term when, term a);
term jni_either(question *q, term when, term a, term b); /* a or b, as a number of its own */

/* ---- the laws (laws.c) --------------------------------------------------------------------- */

/* Efforts and flows of all bonds. */
typedef struct {
    term *e, *f;
} bonds;

/* One point of the model: a mode, a state, inputs; and around a jump what else its values have. */
typedef enum { PHASE_BEFORE, PHASE_AFTER } phase;

typedef struct view {
    question *q;
    term **state; /* per switch and state of its automaton: it is there */
    term *lambda; /* per switch */
    term *x, *integral, *discrete;
    term *input;              /* per source: what it says; given where the model does not say it */
    term *rate;               /* per source: how fast; NULL: not known, also for one of them */
    const bonds *value;       /* finite parts */
    const bonds *impulse;     /* of the jump into it; NULL: none */
    const bonds *conflict;    /* what is driven without bound; NULL: nothing */
    const bonds *area;        /* of the last jump that counts; NULL: there was none */
    const struct view *prior; /* what prior(x) reads; NULL: x itself */
    /* Where it goes from here, a hair away: every value is v + ε·v', with ε as small as you like; the
     * same laws hold for v'. NULL: nowhere. */
    struct view *slow;
    phase phase;
    int sample;  /* only expressions of time are read, as they were some time before */
    bool is_own; /* of what prior(x) reads: x itself */
    term slow_t;
    term fresh; /* the automaton whose condition is asked has moved already */
    /* Not a point, but one of two: */
    term when;
    const struct view *yes, *no;
} view;

bonds *jni_any_bonds(question *q);                          /* new ones, without laws */
term jni_rate_of(question *q, const bonds *v, int storage); /* ẋ */
/* Values of the state v->x, the inputs being what the sources say; also of v->slow. */
void jni_laws_finite(view *v);
/* Only those of v->slow. */
void jni_laws_slow(view *v);
/* The jump from one state to another. */
const bonds *jni_laws_impulse(const view *v, term *from, term *to);
/* What sources that are in conflict drive. */
const bonds *jni_laws_conflict(const view *v);
/* Of what nothing else determines (norm.c). */
void jni_least_norm(question *q, const bonds *v, term *lambda);
/* Once all families of a point have been laid down. */
void jni_laws_end(question *q);
term jni_guard_term(question *q, jn_guard g, term *lambda);

/* ---- conflicts (agree.c) ------------------------------------------------------------------- */

/* Sets q->agreed, q->allowed, q->gives_way. */
void jni_find_agreeing(question *q);
/* The sources that are tied to each other differ, with the inputs that they have, or vary with time. */
term jni_apart(const view *v);

/* ---- values (expression.c, value.c, condition.c) --------------------------------------------- */

/* In the order in which they decide. */
enum { CONFLICT, CONFLICT_SLOW, IMPULSE, IMPULSE_SLOW, FINITE, FINITE_SLOW, PARTS };

/* A value is one of several linear forms, whose conditions exclude each other. */
typedef struct {
    term when;
    term part[PARTS]; /* NULL: 0 */
    jn_ratfun number; /* the value, where it is one; id < 0: it is not */
} way;

typedef struct {
    int n;
    way *way;
} value;

value jni_value_of(const view *v, const jn_expr *e);
/* The finite part, and how it goes on. */
term jni_finite(const view *v, const value *x);
term jni_finite_slow(const view *v, const value *x);

way jni_minus_way(question *q, way a, way b);

typedef struct {
    term negative, zero, positive;
} signs;
signs jni_signs_of(question *q, const way *a);

/* Three-valued: neither yes nor no where it cannot be told. */
typedef struct {
    term yes, no;
    term conflict, impulse; /* it was decided by a conflict; by an impulse or a conflict */
} truth;

truth jni_truth_of(const view *v, const jn_expr *condition);
/* Whether nothing but switches and states of automata decide it. */
bool jni_expr_is_logic(const question *q, const jn_expr *e);
bool jni_expr_reads_model(const question *q, const jn_expr *e);
bool jni_expr_reads_only_past(const question *q, const jn_expr *e);
bool jni_expr_is_of_time(const question *q, const jn_expr *e); /* nothing else decides it */
/* Of an expression that is linear in one part, with constant coefficients: that part. NULL: it is not. */
const jn_expr *jni_only_part(question *q, const jn_expr *e);
bool jni_is_wave(question *q, const jn_expr *e); /* sin(a·t + b), or cos */
/* How far sines may be off what stands for them: far more than a double of 1 is. */
#define JNI_HAIR 0x1p-40
/* What it is worth, until the instant and from then on, and what it does there (wave.c). */
struct time_term;
void jni_wave_of(struct time_term *out, question *q, const jn_expr *e);
term jni_wave_rate(question *q, const jn_expr *e); /* how fast it changes */
/* Those of the whole model: what holds of them is said once, not within some scope. */
void jni_meet_waves(question *q);
/* Asks for a solution whose sines and cosines are those of some time; and keeps them as they were told, in scopes
 * that are counted (circle.c). */
answer jni_ask_true(question *q);
term jni_circle_at(question *q, const struct circle *o,
                   double t);                   /* where it stands and goes at a time */
bool jni_pin_circles(question *q, int *scopes); /* false: what was told is no such solution */
/* As the circles turn, and the state with them, but for a hair. */
term jni_turning(question *q);
/* Numbers of a question that belong to one time, but may be those of any in logic; and a time at which they are what a
 * solution says, kept in a scope that is counted (moment.c). */
bool jni_is_loose(question *q);
bool jni_pin_moment(question *q, int *scopes); /* false: none was found */
bool jni_reads_clock(
    const question *q); /* t stands in a source, condition, claim or bound, and not in a sine */
/* The state goes where the flow of the mode that lasts takes it, until the instant and, where that goes on, beyond; true
 * where no sine says how fast (flow.c). */
term jni_follows_flow(question *q);
term jni_goes_with_flow(
    const view *v); /* v->slow is where the flow of its mode takes it, in its phase */
/* Without sines: of what was told, a solution in which it does; true: there is one, and it stays, in a scope of its own. */
bool jni_prefer_flow(question *q);
bool jni_is_against_flow(question *q); /* what was told is none */
/* The value of a constant expression; id < 0: it is none. */
jn_ratfun jni_expr_constant(question *q, const jn_expr *e);
jn_ratfun jni_function_of(question *q, jn_expr_op op, jn_ratfun a,
                          jn_ratfun b); /* sin(a), a^b; id < 0: none */
double jni_expr_at(question *q, const jn_expr *e,
                   double t);                   /* of an expression of time; NAN: it has none */
jn_ratfun jni_of_double(question *q, double v); /* exactly; id < 0: not finite */
/* x0 of the int(x, x0) of that number; NULL: 0 */
const jn_expr *jni_integral_start(const jn_graph *g, int k);
const jn_expr *jni_integral(const jn_graph *g,
                            int k); /* int(x, x0) itself; NULL: it stands nowhere */

/* ---- where it begins (begin.c) ------------------------------------------------------------- */

struct unrolled;
void jni_begin(struct unrolled *u, const jn_sim *sim);
/* A mode that lasts, alone; within a push. */
view *jni_lasting(question *q);
view jni_going_nowhere(const view *v); /* the same point, at the moment itself */
/* One that has lasted for some time, however short, or does from now on. */
view *jni_lasting_while(question *q, phase when);
term *jni_reals(question *q, int n);
term **jni_table(question *q); /* per switch */
term *jni_lambda_of(question *q, term **state);
/* The slow part of a view, its state and inputs still open. */
view *jni_new_slow(const view *v);

/* ---- an instant (unroll.c) ----------------------------------------------------------------- */

typedef struct {
    term **may; /* per switch and transition: it holds, and starts where the automaton is */
    term **conflict, **impulse; /* likewise, decided by a conflict; by an impulse or a conflict */
} holding;

/* One candidate mode, and what comes of it. */
typedef struct pass {
    view at;                /* the candidate */
    view after;             /* once its jump counts */
    view *before;           /* what prior(x) reads in it: a point, or one of two */
    term *from, *slow_from; /* x_s, from which it is entered */
    term *fresh, *once;     /* per switch: it has moved; it has set something without moving */
    holding in, then;       /* in the candidate, and once its jump counts */
    term **fires,
        **fires_after; /* per switch and transition: taken in the candidate; taken after */
    term **holds;      /* per switch and transition: it may be taken, in either */
    term mythical;     /* something fires in the candidate */
    term pinnacle;     /* nothing does, it is not forbidden, and something fires then */
    term changes;      /* either */
    term dead;         /* nothing does, and the sources are in conflict */
    term settles;      /* none of these */
    term together;     /* several automata move */
} pass;

typedef struct unrolled {
    question *q;
    bool one_by_one;          /* of what fires together only one is taken */
    view start;               /* the mode until the instant, and a state that fits it */
    term **left;              /* the automata as time leaves them */
    term *fresh, *once;       /* per switch: it has moved; it has set something without moving */
    view begun;               /* the same, going to where the instant begins */
    term *input, *slow_input; /* per source: a value that is not given */
    term *rate, *slow_rate;   /* per source, from the instant on */
    int n, cap;
    pass **pass;
} unrolled;

unrolled *jni_unroll(question *q, const jn_sim *sim); /* sim: an idle one */
/* Another way through the same instant, from its beginning. */
unrolled *jni_unroll_again(const unrolled *from, bool one_by_one);
void jni_unroll_more(unrolled *u); /* one candidate more */
void jni_unrolled_free(unrolled *u);
/* The automata and the state are the same before candidates a and b. */
term jni_same_pass(const unrolled *u, int a, int b);

/* ---- the clock (clock.c) ------------------------------------------------------------------- */

/* Relates the automata that time moves, before and after something happens. */
void jni_clock(question *q, term **before, term **after);

/* ---- witnesses (witness.c) ----------------------------------------------------------------- */

/* What the solver told last, up to n candidates; ε: how far the state goes. */
jn_witness *jni_witness_read(const unrolled *u, int n, int cycle, const fmpq_t epsilon);
jn_witness *jni_witness_lasting(const view *v);
/* What a run should make of it. */
typedef enum { ENDS, NEVER_ENDS, ENDS_DEAD } outcome;
/* It returns to an earlier candidate; with another state: see jni_witness_shrinks. */
enum { RETURNS = -3, SHRINKS = -2 };

/* A run that tries instants. */
typedef struct replayer replayer;
jn_status jni_replayer_new(replayer **out, const jn_graph *g, const char *folder,
                           jn_diags *d) JN_CHECKED;
void jni_replayer_free(replayer *r); /* NULL-safe */
const jn_sim *jni_replayer_sim(const replayer *r);
/* Whether a run does the same; sets w->is_replayed and w->replay. */
bool jni_witness_try(jn_witness *w, replayer *r, outcome expected);
/* After that: what a claim compares, as the run has it. */
enum { MOST_VALUES = 6 };
void jni_witness_note_values(jn_witness *w, replayer *r, const jn_expr *claim);
/* A part of it repeats itself with a smaller or larger state; sets cycle and factor. */
bool jni_witness_shrinks(jn_witness *w);

/* ---- questions ----------------------------------------------------------------------------- */

typedef struct {
    question *q;
    unrolled *u;
    jn_verification *v;
    replayer *replayer;
    const jn_verify_options *o;
    bool is_complete; /* u is as long as any cascade that ends */
    term ends;        /* the cascade does not come back to a candidate that it has met */
    const struct jni_order *order; /* of automata, NULL: none is known */
    bool is_finite;                /* every cascade is known to end */
    bool never_dead;               /* no candidate is a dead end */
    bool meets;         /* some candidate is one in which sources that may change are equal */
    bool only_proofs;   /* what is not proved is asked again: no witness is wanted */
    int known_changes;  /* no cascade is longer, by another question; 0: not known */
    bool is_endless;    /* there are cascades that do */
    double until;       /* processor time: not beyond */
    bool any_direction; /* of what is shown the state may go anywhere */
    bool flows;         /* there is a solution in which it goes with the flow */
} session;

/* Where instants begin: in any state that fits a mode; where a mode is left; as the model starts; in any candidate. */
typedef enum { WIDE, NEAR, FIRST, WITHIN } kind_of_question;
/* With s->o, s->v and s->until given. All sessions try what they find in one run: the first that begins makes it. */
jn_status jni_session_begin(session *s, const jn_junction *j, kind_of_question kind, replayer **run,
                            jn_diags *d) JN_CHECKED;
void jni_session_end(session *s); /* also of one that did not begin */
/* A model as a question, without an instant; NULL: there is no solver. */
question *jni_question_new(const jn_junction *j, double until, kind_of_question kind);
void jni_question_free(question *q); /* NULL-safe */

/* Under the assumption, and with all changes before candidate n: */
answer jni_ask_at(session *s, int n, term assumption);
void jni_verify_settling(session *s);
/* What is known of the order in which automata move, from any candidate on (rank.c); most: changes of an
 * instant, −1: not known. */
struct jni_order *jni_find_order(session *s, int *most);
void jni_order_free(struct jni_order *o); /* NULL-safe */
/* The same, of candidate i of an instant; o: NULL for nothing. */
void jni_assume_order(unrolled *u, const struct jni_order *o, int i);
/* Whether no candidate at all is a dead end. */
bool jni_is_never_dead(session *s);
void jni_verify_order(session *s);
void jni_verify_never(session *s, session *first); /* first: the same for the model's start */
void jni_verify_asserts(session *s);
void jni_verify_successors(session *s);
/* Asserts the bounds. */
void jni_bounds_of(const view *v);
/* The same for inputs that may have jumped. */
void jni_bounds_of_inputs(question *q, term *input, term *slow); /* slow: NULL for none */
void jni_find_free_sources(question *q);
/* Not decided: for want of time, or because of what is not linear. */
const char *jni_unknown(const session *s); /* why a question was not answered */
void jni_open(jn_finding *f, session *s);
void jni_open_off_circle(jn_finding *f);
/* The solver told an instant of n candidates (0: until it ends; and where it returns to): refuted if a run does the
 * same, else open. */
void jni_refute(jn_finding *f, session *s, int n, int cycle, outcome expected);
void jni_refute_told(jn_finding *f, session *s, int n, int cycle,
                     outcome expected); /* numbers as they are */
/* Where a run did otherwise than a solution that goes with the flow: another one, going anywhere. */
bool jni_again_anywhere(jn_finding *f, session *s);
/* The same for a mode that lasts; may_conflict: or one in which a run stops at once, because sources
 * are in conflict. */
void jni_refute_lasting(jn_finding *f, session *s, const view *v, bool may_conflict);
/* One more condition; true: it can be met, and stays, in a scope of its own. */
bool jni_also(logic *l, term a);
/* Asks again for a solution with simple numbers (simple.c); false: none is one of the model. */
bool jni_simplify(session *s);
/* How far the same happens, from what the solver told (range.c). */
void jni_find_ranges(jn_witness *w, session *s, int steps);
/* The candidate to which candidate n returns, in the solution told; 0: none. */
int jni_returns_to(const unrolled *u, int n);
/* Nothing was found, and nothing can be. */
void jni_prove(jn_finding *f, session *s);
char *jni_text(const char *fmt, ...) JN_PRINTF(1, 2);

#endif
