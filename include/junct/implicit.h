/* implicit.h: the single implicit equation E(Λ)ẋ = A(Λ)x + B(Λ)u, and one mode of it.
 *
 *     [Λ11  −S12] [Ẋi]   [ K·Fi        0      ] [Xi]   [S14 + S13·H·S34]
 *     [ 0     0 ] [Ẋd] = [ −S12ᵀ·Fi  −Λ22·Fd ] [Xd] + [S24            ] U
 *
 * with H = L(I − S33·L)⁻¹ on the active rows, K = S11 − S13·H·S13ᵀ. Sources that read the model
 * linearly are part of E and A: of U only that is left which they have of their own. */
#ifndef JUNCT_IMPLICIT_H
#define JUNCT_IMPLICIT_H

#include "junct/junction.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a source is in the equations, by its number. */
typedef enum {
    JN_ROLE_INPUT,     /* its value does not depend on the model: U */
    JN_ROLE_FEEDBACK,  /* it reads the model linearly: its column of B is zero */
    JN_ROLE_BOTH,      /* likewise, with a part of its own, which U stands for */
    JN_ROLE_UNFOLLOWED /* it reads the model in another way, with int(…) or not linearly: U, as if it
                        * did not; what is said of the equations is said without this feedback */
} jn_role;
jn_role jn_source_role(const jn_graph *g, int source);
bool jn_source_is_fed(const jn_graph *g, int source);  /* FEEDBACK or BOTH */
bool jn_graph_has_feedback(const jn_graph *g);         /* some source is more than an input */

typedef struct jn_implicit {
    const jn_junction *junction; /* must outlive it */
    int n;                       /* rows, and columns of E and A: states and pseudo-states */
    jn_variable *x;
    int *state, *pseudo; /* per storage: its row in either form, −1 where it never has it */
    int ninputs; /* columns of B: the graph's sources in order */
    jn_matrix E, A, B;
    /* The laws of the elements, by their numbers in their class: z = F·x of storages, e = R·f of
     * resistors; of a structure of one mode that mode's. */
    jn_matrix F, R;
    /* A source that reads the model determines a storage in derivative causality, or reads the rate
     * of one: then order and impulses do not follow from causality. */
    bool binds;
    /* Special values: those of the junction structure, and where a loop of resistors has them. */
    jn_guard special;
    /* The modes in which a loop of resistors, or of sources that read the model, has no unique
     * solution, and the element at which that shows. */
    jn_guard singular;
    int nsingular;
    struct jn_singular {
        jn_guard guard;
        int element; /* a resistor or a source */
    } *singular_at;
} jn_implicit;

/* Of a junction structure of one mode: that mode's, by a plain elimination. */
jn_status jn_implicit_derive(jn_implicit **out, const jn_junction *j, jn_diags *d) JN_CHECKED;
/* In the modes of `where` only; in the others it is empty. Where resistors are meshed every mode
 * has coefficients of its own, and one mode takes a small part of the time that all of them do. */
jn_status jn_implicit_derive_where(jn_implicit **out, const jn_junction *j, jn_guard where,
                                   jn_diags *d) JN_CHECKED;
void jn_implicit_free(jn_implicit *f); /* NULL-safe */

/* ---- one mode ------------------------------------------------------------------------------ */

typedef enum { JN_MODE_OK, JN_MODE_FORBIDDEN, JN_MODE_SINGULAR } jn_mode_status;
const char *jn_mode_status_name(jn_mode_status s); /* "ok", "forbidden", "singular" */

/* One row and column per storage element in file order, one column of B per source. */
typedef struct {
    jn_mode_status status;
    char *reason; /* "G = V"; NULL when ok */
    int n, ninputs;
    jn_ratfun *E, *A, *B; /* row by row; zero unless ok */
    jn_ratfun *F;         /* n×n, z = F·x; zero unless ok */
    bool *integral;       /* per storage */
    bool *resistance;     /* per resistor */
} jn_mode;

void jn_mode_init(jn_mode *m);
void jn_mode_clear(jn_mode *m);
/* May be called again on the same object: its memory is used again. */
void jn_implicit_mode(jn_mode *out, const jn_implicit *f, const jn_onoff *m);

/* ---- in plain doubles ---------------------------------------------------------------------- */

/* E ẋ = A x + B u of one mode with the values that the graph has now. */
typedef struct {
    jn_mode_status status; /* unless it is ok all entries are 0 */
    int n, ninputs;
    double *E, *A, *B; /* row by row: n × n, n × n, n × ninputs, as in jn_mode */
} jn_mode_numbers;

/* The junction structure of that mode alone is derived, exactly; then it is rounded. INVALID, with
 * diagnostics: a value is missing, or an element has none because it is not linear. */
jn_status jn_graph_mode_numbers(jn_mode_numbers *out, const jn_graph *g, const jn_onoff *m,
                                jn_diags *d) JN_CHECKED;
void jn_mode_numbers_clear(jn_mode_numbers *m);

#ifdef __cplusplus
}
#endif

#endif
