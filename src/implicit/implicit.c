/* implicit.c: the single implicit equation E(Λ)ẋ = A(Λ)x + B(Λ)u.
 *
 * The junction structure gives, with Λ and S as in junction.h,
 *
 *     Λ11·Ẋi   =  S11·Zi + S12·Ẋd + S13·Din + S14·U
 *     Λ22·Zd   = −S12ᵀ·Zi                   + S24·U
 *     Λ33·Dout = −S13ᵀ·Zi          + S33·Din + S34·U
 *
 * The laws of the elements close it: Din = L·Dout, Zi = Fi·Xi, Zd = Fd·Xd. Instead of forming
 * H = L(I − S33·L)⁻¹, the third line is written as rows Λ33·Din − L·(…) = 0 and Din is eliminated
 * from the first: the same thing, but sparse, in all modes at once, and where it is impossible
 * the guard says in which modes. Then
 *
 *     E = [Λ11 −S12; 0 0],  A = [K·Fi 0; −S12ᵀ·Fi −Λ22·Fd],  B = [S14 + S13·H·S34; S24].
 *
 * Sources that read the model linearly are eliminated in the same way, by their own laws
 * (feedback.c); then the lower rows of E need not be zero. */
#include <stdlib.h>

#include "implicit_internal.h"

typedef struct {
    jn_implicit *f;
    const jn_junction *j;
    jn_ring ring;
    jn_guard where;           /* the modes that are wanted */
    jn_elimination *elim;     /* columns: those of S */
    int *passive;             /* per row of x: its row in the elimination */
    int *flow_in, *effort_in; /* per resistor: its row of S in either form, −1: none */
    bool *fed;                /* per source: it reads the model linearly */
    jn_diags *d;
} builder;

static bool is_storage_row(const jn_junction *j, int i)
{
    return j->row[i].form == JN_STATE || j->row[i].form == JN_PSEUDO;
}

/* The modes, of those that are wanted, in which row i of S is active. */
static jn_guard active(const builder *b, int i)
{
    return jn_guard_and(b->ring.guards, b->j->Lambda[i], b->where);
}

void jni_implicit_start(jn_implicit *f, const jn_junction *j)
{
    const jn_graph *g = j->graph;
    f->junction = j;
    f->x = jn_alloc((size_t)j->nrows * sizeof *f->x);
    f->state = jn_alloc((size_t)g->nstorages * sizeof *f->state);
    f->pseudo = jn_alloc((size_t)g->nstorages * sizeof *f->pseudo);
    for (int i = 0; i < g->nstorages; i++)
        f->state[i] = f->pseudo[i] = -1;
    while (f->n < j->nrows && is_storage_row(j, f->n)) {
        jn_variable v = j->row[f->n];
        int number = g->element[v.element].number;
        *(v.form == JN_STATE ? &f->state[number] : &f->pseudo[number]) = f->n;
        f->x[f->n++] = v;
    }
    f->ninputs = g->nsources;
}

int jni_implicit_unknowns(int *cols, const bool *fed, const jn_implicit *f)
{
    const jn_junction *j = f->junction;
    int n = 0;
    for (int i = f->n; i < j->ncols; i++)
        if (i < j->nrows || fed[i - j->nrows])
            cols[n++] = i;
    return n;
}

/* ---- eliminating Din ----------------------------------------------------------------------- */

static bool is_constant(const jn_guarded *v)
{
    return v->n == 1 && jn_guard_is_true(v->c[0].guard);
}

/* r := a·b, where b mostly is the same in all modes. */
static void multiply(jn_guarded *r, const jn_guarded *a, const jn_guarded *b, jn_ring ring)
{
    if (is_constant(b))
        jn_guarded_scale(r, a, b->c[0].value, ring);
    else
        jn_guarded_mul(r, a, b, ring);
}

/* Adds factor·(row i of S), in the modes that are wanted. */
static void add_structure(jn_row *out, const builder *b, int i, const jn_guarded *factor)
{
    const jn_row *s = &b->j->S.row[i];
    jn_guarded v;
    jn_guarded_init(&v);
    for (int k = 0; k < s->n; k++) {
        jn_guarded_restrict(&v, &s->e[k].value, b->where, b->ring);
        multiply(&v, &v, factor, b->ring);
        jn_row_add(out, s->e[k].col, &v, b->ring);
    }
    jn_guarded_clear(&v);
}

/* Adds factor·(the input that row i of S stands for), where it is active. */
static void add_input(jn_row *out, const builder *b, int i, const jn_guarded *factor)
{
    jn_guarded v;
    jn_guarded_init(&v);
    jn_guarded_restrict(&v, factor, active(b, i), b->ring);
    jn_row_add(out, i, &v, b->ring);
    jn_guarded_clear(&v);
}

/* The effort of a resistor times a factor, and its flow: one of them is its input to the junction
 * structure, the other its row of S. */
static void add_effort(jn_row *out, const builder *b, int number, const jn_guarded *factor)
{
    if (b->flow_in[number] >= 0)
        add_input(out, b, b->flow_in[number], factor);
    if (b->effort_in[number] >= 0)
        add_structure(out, b, b->effort_in[number], factor);
}

static void add_flow(jn_row *out, const builder *b, int number, const jn_guarded *factor)
{
    if (b->effort_in[number] >= 0)
        add_input(out, b, b->effort_in[number], factor);
    if (b->flow_in[number] >= 0)
        add_structure(out, b, b->flow_in[number], factor);
}

/* e − R·f = 0. Where R is 0 nothing is divided by it: then e = 0 has to do. */
static void write_law(builder *b, int number)
{
    const jn_row *law = &b->f->R.row[number];
    jn_row row;
    jn_guarded v;
    jn_row_init(&row);
    jn_guarded_init(&v);
    jn_guarded_set_case(&v, jn_guard_true(), JN_RATFUN_ONE);
    add_effort(&row, b, number, &v);
    for (int k = 0; k < law->n; k++) {
        jn_guarded_neg(&v, &law->e[k].value, b->ring);
        add_flow(&row, b, law->e[k].col, &v);
    }
    jn_guarded_clear(&v);
    jn_elimination_add(b->elim, &row, false);
}

/* Din − L·(row i of S) = 0 of a resistor on its own, L = R or 1/R. */
static void write_plain_law(builder *b, int i, jn_ratfun R)
{
    jn_row row;
    jn_guarded v;
    jn_row_init(&row);
    jn_guarded_init(&v);
    jn_ratfun L = R;
    if (b->j->row[i].form == JN_EFFORT_IN && jn_ratfun_inv(&L, b->ring.field, R) != JN_OK)
        L = JN_RATFUN_ZERO; /* not zero, unless the field has failed */
    jn_guarded_set_case(&v, jn_guard_true(), jn_ratfun_neg(b->ring.field, L));
    add_structure(&row, b, i, &v);
    jn_guarded_set_case(&v, active(b, i), JN_RATFUN_ONE);
    jn_row_add(&row, i, &v, b->ring);
    jn_guarded_clear(&v);
    jn_elimination_add(b->elim, &row, false);
}

/* The rows of a resistor go together, one or two. */
static void find_resistors(builder *b)
{
    int n = b->j->graph->nresistors;
    b->flow_in = jn_alloc((size_t)n * sizeof *b->flow_in);
    b->effort_in = jn_alloc((size_t)n * sizeof *b->effort_in);
    for (int i = 0; i < n; i++)
        b->flow_in[i] = b->effort_in[i] = -1;
    for (int i = b->f->n; i < b->j->nrows; i++) {
        int number = b->j->graph->element[b->j->row[i].element].number;
        (b->j->row[i].form == JN_FLOW_IN ? b->flow_in : b->effort_in)[number] = i;
    }
}

static void write_resistor(builder *b, int number)
{
    const jn_guarded *alone = jni_law_alone(&b->f->R.row[number], number);
    if (!alone) {
        write_law(b, number);
        return;
    }
    if (b->flow_in[number] >= 0)
        write_plain_law(b, b->flow_in[number], alone->c[0].value);
    if (b->effort_in[number] >= 0)
        write_plain_law(b, b->effort_in[number], alone->c[0].value);
}

static void write_rows(builder *b)
{
    b->elim = jn_elimination_new(b->ring, b->j->ncols + b->f->ninputs);
    if (!b->j->numeric)
        jn_elimination_values(b->elim, b->j->graph->param_value, b->j->graph->nparams);
    b->passive = jn_alloc((size_t)b->f->n * sizeof *b->passive);
    jn_guarded one;
    jn_guarded_init(&one);
    jn_guarded_set_case(&one, jn_guard_true(), JN_RATFUN_ONE);
    for (int i = 0; i < b->f->n; i++) {
        jn_row row;
        jn_row_init(&row);
        add_structure(&row, b, i, &one);
        b->passive[i] = jn_elimination_add(b->elim, &row, true);
    }
    jn_guarded_clear(&one);
    find_resistors(b);
    for (int i = 0; i < b->j->graph->nresistors; i++)
        write_resistor(b, i);
}

static void note_singular(builder *b, int element, jn_guard g)
{
    jn_implicit *f = b->f;
    g = jn_guard_and(b->ring.guards, g, b->j->allowed);
    if (jn_guard_is_false(g))
        return;
    f->singular = jn_guard_or(b->ring.guards, f->singular, g);
    f->singular_at =
        jn_realloc(f->singular_at, (size_t)(f->nsingular + 1) * sizeof *f->singular_at);
    f->singular_at[f->nsingular++] = (struct jn_singular){g, element};
}

/* u − K·(…) − u° = 0; the columns of u° follow those of S. */
static jn_status write_source(builder *b, int number)
{
    const jn_junction *j = b->j;
    jn_guard where = jn_guard_and(b->ring.guards, b->where, j->allowed), open;
    jn_row row;
    jn_guarded v;
    jn_row_init(&row);
    jn_guarded_init(&v);
    jn_status s = jni_feedback_row(&row, &open, b->f, number, where, b->d);
    b->f->binds |= jni_feedback_binds(&row, b->f, number);
    for (int k = 0; k < row.n; k++)
        jn_guarded_neg(&row.e[k].value, &row.e[k].value, b->ring);
    jn_guarded_set_case(&v, where, JN_RATFUN_ONE);
    jn_row_add(&row, j->nrows + number, &v, b->ring);
    jn_guarded_neg(&v, &v, b->ring);
    if (jn_source_role(j->graph, number) == JN_ROLE_BOTH)
        jn_row_add(&row, j->ncols + number, &v, b->ring);
    jn_guarded_clear(&v);
    note_singular(b, j->graph->source[number], open);
    jn_elimination_add(b->elim, &row, false);
    return s;
}

/* Din, and the sources that read the model. */
static void eliminate_inputs(builder *b)
{
    const jn_junction *j = b->j;
    int most = j->ncols - b->f->n;
    int *cols = jn_alloc((size_t)most * sizeof *cols);
    jn_guard *unsolved = jn_alloc((size_t)most * sizeof *unsolved);
    int n = jni_implicit_unknowns(cols, b->fed, b->f);
    jn_eliminate_all(b->elim, cols, n, unsolved);
    for (int i = 0; i < n; i++)
        note_singular(b, j->col[cols[i]].element,
                      jn_guard_and(b->ring.guards, unsolved[i],
                                   cols[i] < j->nrows ? active(b, cols[i]) : b->where));
    free(cols);
    free(unsolved);
}

static jn_status write_sources(builder *b)
{
    jn_status s = JN_OK;
    b->fed = jn_alloc((size_t)b->f->ninputs * sizeof *b->fed);
    for (int k = 0; k < b->f->ninputs && s == JN_OK; k++)
        if ((b->fed[k] = jn_source_is_fed(b->j->graph, k)))
            s = write_source(b, k);
    return s;
}

/* ---- E, A, B ------------------------------------------------------------------------------- */

/* Adds factor·(z of a storage) to row i of A: each state in whichever form it has. `at`: the
 * storage's own column, where the factor has its place. */
static void add_output(builder *b, int i, int at, const jn_guarded *factor)
{
    jn_implicit *f = b->f;
    int number = b->j->graph->element[f->x[at].element].number;
    const jn_row *law = &f->F.row[number];
    jn_guarded v, w;
    jn_guarded_init(&v);
    jn_guarded_init(&w);
    for (int k = 0; k < law->n; k++) {
        int other = law->e[k].col, form[2] = {f->state[other], f->pseudo[other]};
        multiply(&v, factor, &law->e[k].value, b->ring);
        if (other == number)
            jn_matrix_add(&f->A, i, at, &v, b->ring);
        for (int c = 0; c < 2 && other != number; c++)
            if (form[c] >= 0) {
                jn_guarded_restrict(&w, &v, active(b, form[c]), b->ring);
                jn_matrix_add(&f->A, i, form[c], &w, b->ring);
            }
    }
    jn_guarded_clear(&v);
    jn_guarded_clear(&w);
}

/* One coefficient of a solved row goes where its column belongs. */
static void place_coefficient(builder *b, int i, const jn_entry *e)
{
    jn_implicit *f = b->f;
    jn_guarded v;
    if (e->col >= b->j->ncols) {
        jn_matrix_add(&f->B, i, e->col - b->j->ncols, &e->value, b->ring);
        return;
    }
    jn_guarded_init(&v);
    switch (b->j->col[e->col].form) {
    case JN_STATE:
        add_output(b, i, e->col, &e->value);
        break;
    case JN_PSEUDO:
        jn_guarded_neg(&v, &e->value, b->ring);
        jn_matrix_add(&f->E, i, e->col, &v, b->ring);
        break;
    case JN_INPUT:
        if (!b->fed[e->col - b->j->nrows])
            jn_matrix_add(&f->B, i, e->col - b->j->nrows, &e->value, b->ring);
        break;
    default: /* Din: eliminated, but for singular modes, as sources with feedback are */
        break;
    }
    jn_guarded_clear(&v);
}

static void place_rows(builder *b)
{
    jn_implicit *f = b->f;
    jn_guarded v;
    jn_guarded_init(&v);
    jn_matrix_init(&f->E, f->n, f->n);
    jn_matrix_init(&f->A, f->n, f->n);
    jn_matrix_init(&f->B, f->n, f->ninputs);
    for (int i = 0; i < f->n; i++) {
        const jn_row *row = jn_elimination_row(b->elim, b->passive[i]);
        for (int k = 0; k < row->n; k++)
            place_coefficient(b, i, &row->e[k]);
        bool state = f->x[i].form == JN_STATE;
        jn_guarded_set_case(&v, active(b, i), jn_ratfun_int(b->ring.field, state ? 1 : -1));
        if (state)
            jn_matrix_add(&f->E, i, i, &v, b->ring);
        else
            add_output(b, i, i, &v);
    }
    jn_guarded_clear(&v);
    if (!jn_guard_is_true(b->where))
        return; /* nothing to be shown as a function of the mode */
    jn_guard care = jn_guard_minus(b->ring.guards, b->j->allowed, f->singular);
    jn_matrix_tidy(&f->E, care, b->j->Lambda, b->ring);
    jn_matrix_tidy(&f->A, care, b->j->Lambda, b->ring);
    jn_matrix_tidy(&f->B, care, b->j->Lambda, b->ring);
}

/* S22 = S23 = 0: what a storage in derivative causality depends on is never another one, nor a
 * resistor. So the rows of pseudo-states have nothing in E, unless a source puts it there. */
jn_status jni_implicit_check_blocks(const jn_implicit *f, jn_diags *d)
{
    bool has_feedback = jn_graph_has_feedback(f->junction->graph);
    for (int i = 0; i < f->n && !has_feedback; i++)
        if (f->x[i].form == JN_PSEUDO && f->E.row[i].n) {
            jn_diag_add(d, JN_D_INTERNAL, (jn_place){0}, "S22 is not zero");
            return JN_BUG;
        }
    return JN_OK;
}

/* ---- the stage ----------------------------------------------------------------------------- */

jn_status jn_implicit_derive(jn_implicit **out, const jn_junction *j, jn_diags *d)
{
    return jn_implicit_derive_where(out, j, jn_guard_true(), d);
}

jn_status jn_implicit_derive_where(jn_implicit **out, const jn_junction *j, jn_guard where,
                                   jn_diags *d)
{
    if (j->single)
        return jni_implicit_derive_single(out, j, d);
    builder b = {
        .f = jn_alloc(sizeof(jn_implicit)), .j = j, .ring = j->ring, .where = where, .d = d};
    *out = NULL;
    jni_implicit_start(b.f, j);
    jn_status s = jni_implicit_laws(b.f, j, d);
    if (s == JN_OK) {
        b.f->singular = jn_guard_false();
        write_rows(&b);
        s = write_sources(&b);
    }
    if (s == JN_OK) {
        eliminate_inputs(&b);
        place_rows(&b);
        s = jn_junction_check_limits(j, "the equations were", d);
    }
    if (s == JN_OK)
        s = jni_implicit_check_blocks(b.f, d);
    if (s == JN_OK)
        b.f->special = jn_guard_or(b.ring.guards, j->special, jn_junction_special(j, b.elim, d));
    if (s == JN_OK)
        s = jn_junction_check_limits(j, "the equations were", d);
    if (s == JN_OK)
        *out = b.f;
    else
        jn_implicit_free(b.f);
    jn_elimination_free(b.elim);
    free(b.passive);
    free(b.flow_in);
    free(b.effort_in);
    free(b.fed);
    return s;
}

void jn_implicit_free(jn_implicit *f)
{
    if (!f)
        return;
    free(f->x);
    free(f->state);
    free(f->pseudo);
    jn_matrix_clear(&f->E);
    jn_matrix_clear(&f->A);
    jn_matrix_clear(&f->B);
    jn_matrix_clear(&f->F);
    jn_matrix_clear(&f->R);
    free(f->singular_at);
    free(f);
}
