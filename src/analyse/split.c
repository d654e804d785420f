/* split.c: the finite part of a mode's pencil, the short way.
 *
 * The equation of a mode has differential rows (i) and algebraic rows (d), one of the latter for
 * each storage in derivative causality:
 *
 *     Eii ẋi + Eid ẋd = Aii xi + Aid xd + Bi u
 *                   0 = Adi xi + Add xd + Bd u.
 *
 * (A source that reads the model may put rates into the latter: then this way is barred.) Add is
 * diagonal and invertible, so xd = Xd xi + Ud u, and the rest is
 *
 *     M0 ẋi = (Aii + Aid Xd) xi + (Bi + Aid Ud) u − Eid Ud u̇,     M0 = Eii + Eid Xd.
 *
 * Where M0 is invertible, and for positive I and C it always is, the pencil has index 1 (0 without
 * algebraic rows) and xi are its states. V = [1; Xd] spans the consistent states, P = M0⁻¹ Ei
 * finds among them the one with the same momenta and charges, and U0 is the response to u. */
#include <stdlib.h>

#include "analyse_internal.h"

typedef struct {
    const jn_pencil *p;
    jn_algebra *k;
    int n, m, r, nd;
    int *i, *d; /* rows and columns of either kind */
    jn_dense Xd, Ud, M0;
    jn_dense Ui; /* the response of xi to u */
} work;

static void take(jn_dense *out, const work *w, const jn_dense *from, bool differential, bool states)
{
    jn_dense rows;
    int nrows = differential ? w->r : w->nd, ncols = states ? w->r : w->nd;
    jn_dense_init(&rows, nrows, from->ncols, w->k);
    jn_dense_rows(&rows, from, differential ? w->i : w->d);
    jn_dense_init(out, nrows, ncols, w->k);
    jn_dense_cols(out, &rows, states ? w->i : w->d);
    jn_dense_clear(&rows);
}

static void take_rows(jn_dense *out, const work *w, const jn_dense *from, bool differential)
{
    jn_dense_init(out, differential ? w->r : w->nd, from->ncols, w->k);
    jn_dense_rows(out, from, differential ? w->i : w->d);
}

/* Xd = −Add⁻¹ Adi, Ud = −Add⁻¹ Bd */
static bool solve_algebraic(work *w)
{
    jn_dense Add, Adi, Bd;
    take(&Add, w, &w->p->A, false, false);
    take(&Adi, w, &w->p->A, false, true);
    take_rows(&Bd, w, &w->p->B, false);
    jn_dense_init(&w->Xd, w->nd, w->r, w->k);
    jn_dense_init(&w->Ud, w->nd, w->m, w->k);
    bool good = jn_dense_solve(&w->Xd, &Add, &Adi) && jn_dense_solve(&w->Ud, &Add, &Bd);
    jn_dense_neg(&w->Xd, &w->Xd);
    jn_dense_neg(&w->Ud, &w->Ud);
    jn_dense_clear(&Add);
    jn_dense_clear(&Adi);
    jn_dense_clear(&Bd);
    return good;
}

/* V, and the columns that M0⁻¹ is applied to: [K | Bi + Aid Ud | Ei | −Eid Ud]. */
static bool solve_differential(jn_dynamics *out, work *w)
{
    jn_dense K, Aid, N0, Ei, Eid, N1, rhs, all;
    take(&K, w, &w->p->A, true, true);
    take(&Aid, w, &w->p->A, true, false);
    take(&Eid, w, &w->p->E, true, false);
    take(&w->M0, w, &w->p->E, true, true);
    take_rows(&N0, w, &w->p->B, true);
    take_rows(&Ei, w, &w->p->E, true);
    jn_dense_addmul(&w->M0, &Eid, &w->Xd);
    jn_dense_addmul(&K, &Aid, &w->Xd);
    jn_dense_addmul(&N0, &Aid, &w->Ud);
    jn_dense_init(&N1, w->r, w->m, w->k);
    jn_dense_mul(&N1, &Eid, &w->Ud);
    jn_dense_neg(&N1, &N1);

    int cols = w->r + w->m + w->n + w->m;
    jn_dense_init(&rhs, w->r, cols, w->k);
    jn_dense_init(&all, w->r, cols, w->k);
    jn_dense_put(&rhs, 0, 0, &K);
    jn_dense_put(&rhs, 0, w->r, &N0);
    jn_dense_put(&rhs, 0, w->r + w->m, &Ei);
    jn_dense_put(&rhs, 0, w->r + w->m + w->n, &N1);
    bool good = jn_dense_solve(&all, &w->M0, &rhs);
    if (good) {
        jn_dense_init(&out->J, w->r, w->r, w->k);
        jn_dense_init(&out->Bz, w->r, w->m, w->k);
        jn_dense_init(&out->P, w->r, w->n, w->k);
        jn_dense_take(&out->J, &all, 0, 0);
        jn_dense_take(&out->Bz, &all, 0, w->r); /* N0 yet */
        jn_dense_take(&out->P, &all, 0, w->r + w->m);
        jn_dense_init(&w->Ui, w->r, w->m, w->k);
        jn_dense_take(&w->Ui, &all, 0, w->r + w->m + w->n);
        jn_dense_addmul(&out->Bz, &out->J, &w->Ui);
    }
    jn_dense *const done[] = {&K, &Aid, &N0, &Ei, &Eid, &N1, &rhs, &all};
    for (size_t i = 0; i < sizeof done / sizeof done[0]; i++)
        jn_dense_clear(done[i]);
    return good;
}

/* Rows i of m := a, rows d := b. */
static void scatter(jn_dense *m, const work *w, const jn_dense *a, const jn_dense *b)
{
    for (int j = 0; j < m->ncols; j++) {
        for (int i = 0; i < w->r; i++)
            jn_dense_set(m, w->i[i], j, jn_dense_get(a, i, j));
        for (int i = 0; i < w->nd; i++)
            jn_dense_set(m, w->d[i], j, jn_dense_get(b, i, j));
    }
}

static void fill(jn_dynamics *out, work *w)
{
    jn_dense one;
    out->regular = true;
    out->order = w->r;
    out->index = w->nd > 0;
    out->nblocks = w->nd;
    out->block = jn_alloc((size_t)w->nd * sizeof *out->block);
    for (int i = 0; i < w->nd; i++)
        out->block[i] = 1;
    out->state = jn_alloc((size_t)w->r * sizeof *out->state);
    for (int i = 0; i < w->r; i++)
        out->state[i] = w->i[i];
    jn_dense_init(&one, w->r, w->r, w->k);
    jn_dense_identity(&one);
    jn_dense_init(&out->V, w->n, w->r, w->k);
    scatter(&out->V, w, &one, &w->Xd);
    jn_dense_clear(&one);
    if (out->index == 0)
        return;
    out->U = jn_alloc(sizeof *out->U);
    jn_dense_init(&out->U[0], w->n, w->m, w->k);
    jn_dense_addmul(&w->Ud, &w->Xd, &w->Ui);
    scatter(&out->U[0], w, &w->Ui, &w->Ud);
}

static bool has_rates(const work *w)
{
    for (int i = 0; i < w->nd; i++)
        for (int j = 0; j < w->n; j++)
            if (!jn_dense_is_zero_at(&w->p->E, w->d[i], j))
                return true;
    return false;
}

bool jni_pencil_split(jn_dynamics *d, const jn_pencil *p, const bool *integral)
{
    work w = {.p = p, .k = p->E.k, .n = p->E.nrows, .m = p->B.ncols};
    w.i = jn_alloc((size_t)w.n * sizeof *w.i);
    w.d = jn_alloc((size_t)w.n * sizeof *w.d);
    for (int s = 0; s < w.n; s++)
        if (integral[s])
            w.i[w.r++] = s;
        else
            w.d[w.nd++] = s;
    bool good = !has_rates(&w) && solve_algebraic(&w) && solve_differential(d, &w);
    if (good)
        fill(d, &w);
    jn_dense_clear(&w.Xd);
    jn_dense_clear(&w.Ud);
    jn_dense_clear(&w.M0);
    jn_dense_clear(&w.Ui);
    free(w.i);
    free(w.d);
    return good;
}
