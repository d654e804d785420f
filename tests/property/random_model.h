/* random_model.h: hybrid bond graphs made up at random, as a plain description and as text.
 *
 * The text goes through the whole library; the oracle works from the description, so it does not
 * depend on the reader. Elements and bonds stand in the description in the order of the text. */
#ifndef RANDOM_MODEL_H
#define RANDOM_MODEL_H

#include <flint/fmpq.h>

#include "junct/guard.h"
#include "junct/syntax.h"
#include "testing.h"

enum { MODEL_ELEMENTS = 96, MODEL_BONDS = 128, MODEL_SYMBOLS = 128, MODEL_NAME = 24, MODEL_LINKS = 32 };

/* A symbol of the matrices: an element's own, or a "param". */
typedef struct {
    char name[MODEL_NAME];
    bool is_param;
    bool given;     /* the text has a value for it */
    fmpq_t value;   /* that value; small numbers, so that coefficients cancel now and then */
    fmpq_t generic; /* stands for the symbol where it is kept: large, cancels only by structure */
} model_symbol;

/* One way of a value that switches choose: under its condition, [not] on(a), alone or with
 * [not] on(b), it is num/den, or num/den·symbol. */
typedef struct {
    enum { CHOICE_ONE, CHOICE_AND, CHOICE_OR, CHOICE_ALWAYS } join;
    int sw[2]; /* elements */
    bool negated[2];
    int num, den, symbol; /* symbol −1: none */
} model_choice;

enum { MODEL_CHOICES = 3, MODEL_READS = 3 };

/* What a source reads: factor times e, f of a port, p or q of a storage. */
typedef struct {
    int element;
    char what;
    int factor;
} model_read;

typedef struct {
    jn_kind kind;
    char name[MODEL_NAME];
    int symbol;             /* −1: a source or a junction */
    int coefficient, power; /* its value is coefficient · symbol^power, unless there are choices: */
    int field, port;        /* of the field F1, F2, …; 0: it is a port of none */
    int nchoices;           /* the first that holds; the last always does */
    model_choice choice[MODEL_CHOICES];
    int priority;
    bool detachable;
    char input[32];   /* the value of a source as written; empty: none */
    int nreads;       /* of a source: it is the sum of these, and with `beside` something of its own */
    model_read read[MODEL_READS];
    bool beside;
    char initial[16]; /* of a storage: "p0 = 1/2"; empty: none */
} model_element;

typedef struct {
    int tail, head;
} model_bond;

/* An entry beside the diagonal of a field's matrix: what z or f of b adds to x or e of a. */
typedef struct {
    int a, b;   /* elements */
    int symbol; /* its value; −1: */
    model_choice choice[2];
} model_link;

typedef struct {
    int nelements, nbonds, nsymbols;
    model_element element[MODEL_ELEMENTS];
    model_bond bond[MODEL_BONDS];
    model_symbol symbol[MODEL_SYMBOLS];
    int nfields, nlinks;
    model_link link[MODEL_LINKS];
} model;

void model_init(model *m); /* empty */
void model_clear(model *m);
void model_copy(model *to, const model *from); /* both initialised */

/* Building one; each returns the new number. */
int model_add_element(model *m, jn_kind kind, const char *name);
int model_add_bond(model *m, int tail, int head);
int model_add_param(model *m, const char *name);

void model_random(model *m, test_rng *r);
/* The same with switches that choose values, and some that belong to no junction. */
void model_random_switched(model *m, test_rng *r);
/* And with some elements joined to fields; their order is then that of the model for good. */
void model_random_fields(model *m, test_rng *r);
/* Makes some of its sources read the model. */
void model_add_feedback(model *m, test_rng *r);
/* Each sort in turn. */
void model_random_of(model *m, test_rng *r, int index);

/* The same graph under other names. */
void model_rename(model *m, test_rng *r);
/* The same graph with its statements in another order; from[i] is the old number of the element
 * that is now number i. */
void model_permute(model *m, int *from, test_rng *r);
/* Gives every storage a priority of its own. */
void model_distinct_priorities(model *m, test_rng *r);

/* As a model file. The generator chooses how it is laid out. */
void model_text(jn_str *out, const model *m, test_rng *r);

bool model_is_port(const model *m, int element);
bool model_is_storage(const model *m, int element);
bool model_is_source(const model *m, int element);
bool model_is_switch(const model *m, int element);
int model_count(const model *m, bool (*is)(const model *m, int element));
/* The bond of a 1-port element. */
int model_port_bond(const model *m, int element);

/* The value of an I, C, R, TF or GY. numeric: with the values of the text where it has them;
 * otherwise every symbol has its generic value. */
void model_value(fmpq_t v, const model *m, int element, bool numeric, const jn_onoff *mode);
void model_link_value(fmpq_t v, const model *m, const model_link *l, bool numeric,
                      const jn_onoff *mode);
/* The same graph with its elements in another order. */
void model_reorder(model *m, const int *from);
/* Whether some value depends on a switch. */
bool model_asks(const model *m, int sw);

#endif
