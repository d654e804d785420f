/* control.c: controllability and observability of the finite part, exact.
 *
 * The reachable space of ż = J z + B u is the smallest one that holds B and that J maps into
 * itself. Its dimension is bounded from both sides, cheaply:
 *
 * - from above by the states that some chain of non-zero entries leads to from an input: the
 *   others are autonomous whatever the values;
 * - from below by the rank modulo a prime, with random numbers for the parameters.
 *
 * Where the two meet, as they nearly always do, that is the proof, and the uncontrollable
 * combinations are the unreached states themselves. Where they do not, the space is computed over
 * ℚ(params). Observability is the same question of Jᵀ and Cᵀ. */
#include <stdlib.h>

#include <flint/nmod_mat.h>
#include <flint/ulong_extras.h>

#include "analyse_internal.h"

enum { EXACT_MAX = 64 }; /* states up to which the reachable space is computed over ℚ */

/* ---- from above ---------------------------------------------------------------------------- */

/* reached[i]: a chain of entries leads from a column of B to row i. Returns how many are. */
static int reach(bool *reached, const jn_dense *J, const jn_dense *B)
{
    int n = J->nrows, count = 0, done = 0;
    int *queue = jn_alloc((size_t)n * sizeof *queue);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < B->ncols && !reached[i]; j++)
            if (!jn_dense_is_zero_at(B, i, j)) {
                reached[i] = true;
                queue[count++] = i;
            }
    while (done < count) {
        int from = queue[done++];
        for (int i = 0; i < n; i++)
            if (!reached[i] && !jn_dense_is_zero_at(J, i, from)) {
                reached[i] = true;
                queue[count++] = i;
            }
    }
    free(queue);
    return count;
}

/* ---- from below ---------------------------------------------------------------------------- */

static bool residue(mp_limb_t *r, nmod_t mod, const fmpq_t c)
{
    mp_limb_t den = fmpz_fdiv_ui(fmpq_denref(c), mod.n);
    *r = nmod_mul(fmpz_fdiv_ui(fmpq_numref(c), mod.n), den ? n_invmod(den, mod.n) : 0, mod);
    return den != 0;
}

/* The matrix with random numbers for its parameters, modulo a prime. */
static bool residues(nmod_mat_t r, const jn_dense *m, const jn_analysis *a)
{
    bool good = true;
    fmpq_t c;
    fmpq_init(c);
    for (int i = 0; i < m->nrows && good; i++)
        for (int j = 0; j < m->ncols && good; j++) {
            jn_ratfun v;
            if (jn_dense_is_zero_at(m, i, j))
                continue;
            if (m->k->numeric)
                fmpq_set(c, fmpq_mat_entry(m->q, i, j));
            else
                good =
                    jn_ratfun_put(&v, a->field, jn_dense_get(m, i, j), a->generic, a->s) == JN_OK &&
                    jn_ratfun_get_fmpq(c, a->field, v);
            good = good && residue(&nmod_mat_entry(r, i, j), r->mod, c);
        }
    fmpq_clear(c);
    return good;
}

/* An echelon basis that grows: row k leads in column lead[k]. */
typedef struct {
    nmod_mat_t row;
    int *lead, n;
} basis;

/* Adds v, reduced; false when it is in the span already. v is overwritten. */
static bool extend(basis *b, mp_limb_t *v, int n)
{
    nmod_t mod = b->row->mod;
    for (int k = 0; k < b->n; k++) {
        mp_limb_t f = nmod_neg(v[b->lead[k]], mod);
        for (int i = 0; i < n && f; i++)
            v[i] = nmod_add(v[i], nmod_mul(f, nmod_mat_entry(b->row, k, i), mod), mod);
    }
    int lead = 0;
    while (lead < n && v[lead] == 0)
        lead++;
    if (lead == n)
        return false;
    mp_limb_t inverse = n_invmod(v[lead], mod.n);
    for (int i = 0; i < n; i++)
        nmod_mat_entry(b->row, b->n, i) = nmod_mul(v[i], inverse, mod);
    b->lead[b->n++] = lead;
    return true;
}

/* to := J·from */
static void apply(mp_limb_t *to, const nmod_mat_t J, const mp_limb_t *from)
{
    slong n = nmod_mat_nrows(J);
    for (slong i = 0; i < n; i++) {
        to[i] = 0;
        for (slong j = 0; j < n; j++)
            if (nmod_mat_entry(J, i, j) && from[j])
                to[i] = nmod_add(to[i], nmod_mul(nmod_mat_entry(J, i, j), from[j], J->mod), J->mod);
    }
}

/* The dimension of the space that the columns of B generate under J: take them, then the images
 * of whatever was new. */
static int generated(const nmod_mat_t J, const nmod_mat_t B)
{
    int n = (int)nmod_mat_nrows(J), m = (int)nmod_mat_ncols(B);
    basis b = {.lead = jn_alloc((size_t)n * sizeof *b.lead)};
    mp_limb_t *vector = jn_alloc((size_t)n * (size_t)n * sizeof *vector); /* the new ones */
    mp_limb_t *next = jn_alloc((size_t)n * sizeof *next);
    nmod_mat_init(b.row, n, n, J->mod.n);
    for (int j = 0; j < m + b.n && b.n < n; j++) {
        mp_limb_t *kept = vector + (size_t)b.n * (size_t)n;
        if (j < m)
            for (int i = 0; i < n; i++)
                next[i] = nmod_mat_entry(B, i, j);
        else
            apply(next, J, vector + (size_t)(j - m) * (size_t)n);
        for (int i = 0; i < n; i++)
            kept[i] = next[i];
        extend(&b, next, n);
    }
    int rank = b.n;
    nmod_mat_clear(b.row);
    free(vector);
    free(next);
    free(b.lead);
    return rank;
}

int jni_krylov_rank(const jn_dense *J, const jn_dense *B, const jn_analysis *a)
{
    const mp_limb_t prime = n_nextprime(UWORD(1) << 61, 1);
    nmod_mat_t j, b;
    nmod_mat_init(j, J->nrows, J->ncols, prime);
    nmod_mat_init(b, B->nrows, B->ncols, prime);
    int rank = residues(j, J, a) && residues(b, B, a) ? generated(j, b) : -1;
    nmod_mat_clear(j);
    nmod_mat_clear(b);
    return rank;
}

/* ---- exactly ------------------------------------------------------------------------------- */

/* Initialises w: a basis of the vectors w with wᵀ B = wᵀ J B = … = 0. */
static void annihilators(jn_dense *w, const jn_dense *J, const jn_dense *B)
{
    jn_dense space, image, both, t;
    jn_dense_image(&space, B, NULL);
    for (int before = -1; before < space.ncols && !J->k->spent;) {
        before = space.ncols;
        jn_dense_init(&image, J->nrows, space.ncols, J->k);
        jn_dense_mul(&image, J, &space);
        jn_dense_init(&both, J->nrows, 2 * space.ncols, J->k);
        jn_dense_put(&both, 0, 0, &space);
        jn_dense_put(&both, 0, space.ncols, &image);
        jn_dense_clear(&space);
        jn_dense_image(&space, &both, NULL);
        jn_dense_clear(&image);
        jn_dense_clear(&both);
    }
    jn_dense_init(&t, space.ncols, space.nrows, J->k);
    jn_dense_transpose(&t, &space);
    jn_dense_kernel(w, &t);
    jn_dense_clear(&t);
    jn_dense_clear(&space);
}

/* Initialises w: the same from above and below, else exactly. */
static void find_annihilators(jn_dense *w, jn_reachability *r, const jn_dense *J, const jn_dense *B,
                              const jn_analysis *a)
{
    int n = J->nrows, missing = 0;
    bool *reached = jn_alloc((size_t)n * sizeof *reached);
    int above = reach(reached, J, B), below = jni_krylov_rank(J, B, a);
    bool exact = below != above && n <= EXACT_MAX;
    jn_algebra_renew(J->k, JN_ALGEBRA_BUDGET);
    if (exact) {
        annihilators(w, J, B);
        if (J->k->spent)
            jn_dense_clear(w);
        else
            r->rank = n - w->ncols;
        exact = !J->k->spent;
        jn_algebra_renew(J->k, JN_ALGEBRA_BUDGET);
    }
    r->certified = exact || below == above;
    if (!exact) {
        r->rank = below;
        jn_dense_init(w, n, n - above, J->k);
        for (int i = 0; i < n; i++)
            if (!reached[i])
                jn_dense_set(w, i, missing++, JN_RATFUN_ONE);
    }
    r->exact = r->rank < 0 ? JN_UNKNOWN : r->rank == n ? JN_YES : r->certified ? JN_NO : JN_UNKNOWN;
    free(reached);
}

/* ---- the questions ------------------------------------------------------------------------- */

static void new_combination(jn_combination *c, int n, int m)
{
    c->x = jn_alloc((size_t)n * sizeof *c->x);
    c->u = jn_alloc((size_t)m * sizeof *c->u);
}

/* wᵀ z = wᵀ xs − wᵀ Us u */
static void control_combination(jn_combination *c, const jn_dynamics *d, const jn_dense *w, int k)
{
    int m = d->Bz.ncols;
    new_combination(c, d->V.nrows, m);
    for (int i = 0; i < d->order; i++) {
        jn_ratfun f = jn_dense_get(w, i, k);
        c->x[d->state[i]] = f;
        for (int j = 0; j < m && d->index > 0; j++)
            c->u[j] = jn_ratfun_sub(
                d->V.k->field, c->u[j],
                jn_ratfun_mul(d->V.k->field, f, jn_dense_get(&d->U[0], d->state[i], j)));
    }
}

static int rank_of_both(const jn_dense *a, const jn_dense *b, bool below)
{
    jn_dense both;
    jn_dense_init(&both, a->nrows + (below ? b->nrows : 0), a->ncols + (below ? 0 : b->ncols),
                  a->k);
    jn_dense_put(&both, 0, 0, a);
    jn_dense_put(&both, below ? a->nrows : 0, below ? 0 : a->ncols, b);
    int rank = jn_dense_rref(&both, NULL);
    jn_dense_clear(&both);
    return rank;
}

static jn_answer complete_answer(const jn_reachability *r, const jn_dense *E, const jn_dense *B,
                                 bool below)
{
    if (r->exact != JN_YES)
        return r->exact;
    int rank = rank_of_both(E, B, below);
    bool spent = E->k->spent;
    jn_algebra_renew(E->k, JN_ALGEBRA_BUDGET);
    return spent ? JN_UNKNOWN : rank == E->nrows ? JN_YES : JN_NO;
}

void jni_controllability(jn_reachability *r, const jn_dynamics *d, const jn_pencil *p,
                         const jn_analysis *a)
{
    jn_dense w;
    find_annihilators(&w, r, &d->J, &d->Bz, a);
    r->ncombinations = w.ncols;
    r->combination = jn_alloc((size_t)w.ncols * sizeof *r->combination);
    for (int k = 0; k < w.ncols; k++)
        control_combination(&r->combination[k], d, &w, k);
    r->complete = complete_answer(r, &p->E, &p->B, false);
    jn_dense_clear(&w);
}

void jni_observability(jn_reachability *r, const jn_dynamics *d, const jn_pencil *p,
                       const jn_dense *Cx, const jn_analysis *a)
{
    jn_dense w, Jt, Ct, x;
    jn_dense_init(&Jt, d->order, d->order, d->J.k);
    jn_dense_init(&Ct, d->order, d->C.nrows, d->J.k);
    jn_dense_transpose(&Jt, &d->J);
    jn_dense_transpose(&Ct, &d->C);
    find_annihilators(&w, r, &Jt, &Ct, a);
    jn_dense_init(&x, d->V.nrows, w.ncols, d->J.k);
    jn_dense_mul(&x, &d->V, &w);
    r->ncombinations = w.ncols;
    r->combination = jn_alloc((size_t)w.ncols * sizeof *r->combination);
    for (int k = 0; k < w.ncols; k++) {
        new_combination(&r->combination[k], x.nrows, d->Bz.ncols);
        for (int i = 0; i < x.nrows; i++)
            r->combination[k].x[i] = jn_dense_get(&x, i, k);
    }
    r->complete = Cx ? complete_answer(r, &p->E, Cx, true) : JN_UNKNOWN;
    jn_dense_clear(&w);
    jn_dense_clear(&Jt);
    jn_dense_clear(&Ct);
    jn_dense_clear(&x);
}
