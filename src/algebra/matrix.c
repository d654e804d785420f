/* matrix.c: sparse rows and matrices of guarded values. */
#include <stdlib.h>
#include <string.h>

#include "junct/guarded.h"

/* ---- rows ---------------------------------------------------------------------------------- */

void jn_row_init(jn_row *r)
{
    *r = (jn_row){0};
}

void jn_row_clear(jn_row *r)
{
    for (int i = 0; i < r->n; i++)
        jn_guarded_clear(&r->e[i].value);
    free(r->e);
    *r = (jn_row){0};
}

void jn_row_copy(jn_row *to, const jn_row *from)
{
    jn_row_clear(to);
    to->n = to->cap = from->n;
    to->e = jn_alloc((size_t)from->n * sizeof *to->e);
    for (int k = 0; k < from->n; k++) {
        to->e[k].col = from->e[k].col;
        jn_guarded_set(&to->e[k].value, &from->e[k].value);
    }
}

/* The place of a column, or where it would stand. */
static int find(const jn_row *r, int col)
{
    int lo = 0, hi = r->n;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (r->e[mid].col < col)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

const jn_guarded *jn_row_get(const jn_row *r, int col)
{
    int i = find(r, col);
    return i < r->n && r->e[i].col == col ? &r->e[i].value : NULL;
}

static void remove_at(jn_row *r, int i)
{
    jn_guarded_clear(&r->e[i].value);
    memmove(&r->e[i], &r->e[i + 1], (size_t)(r->n - i - 1) * sizeof *r->e);
    r->n--;
}

void jn_row_add(jn_row *r, int col, const jn_guarded *v, jn_ring ring)
{
    if (jn_guarded_is_zero(v))
        return;
    int i = find(r, col);
    if (i == r->n || r->e[i].col != col) {
        JN_GROW(r->e, r->n, r->cap);
        memmove(&r->e[i + 1], &r->e[i], (size_t)(r->n - i) * sizeof *r->e);
        r->n++;
        r->e[i].col = col;
        jn_guarded_init(&r->e[i].value);
    }
    jn_guarded_add(&r->e[i].value, &r->e[i].value, v, ring);
    if (jn_guarded_is_zero(&r->e[i].value))
        remove_at(r, i);
}

/* A merge of the two rows into new memory: linear in their lengths. */
void jn_row_submul(jn_row *r, const jn_guarded *c, const jn_row *p, jn_ring ring)
{
    jn_row sum = {.cap = r->n + p->n};
    jn_guarded minus_c;
    jn_guarded_init(&minus_c);
    jn_guarded_neg(&minus_c, c, ring);
    sum.e = jn_alloc((size_t)sum.cap * sizeof *sum.e);
    int i = 0, j = 0;
    while (i < r->n || j < p->n) {
        jn_entry *to = &sum.e[sum.n];
        jn_guarded_init(&to->value);
        if (j == p->n || (i < r->n && r->e[i].col < p->e[j].col)) {
            *to = r->e[i++];
            sum.n++;
            continue;
        }
        to->col = p->e[j].col;
        jn_guarded_mul(&to->value, &minus_c, &p->e[j].value, ring);
        if (i < r->n && r->e[i].col == to->col) {
            jn_guarded_add(&to->value, &r->e[i].value, &to->value, ring);
            jn_guarded_clear(&r->e[i++].value);
        }
        j++;
        if (!jn_guarded_is_zero(&to->value))
            sum.n++;
    }
    free(r->e);
    *r = sum;
    jn_guarded_clear(&minus_c);
}

void jn_row_restrict(jn_row *r, jn_guard g, jn_ring ring)
{
    int n = 0;
    for (int i = 0; i < r->n; i++) {
        jn_guarded_restrict(&r->e[i].value, &r->e[i].value, g, ring);
        if (!jn_guarded_is_zero(&r->e[i].value))
            r->e[n++] = r->e[i];
    }
    r->n = n;
}

/* ---- matrices ------------------------------------------------------------------------------ */

void jn_matrix_init(jn_matrix *m, int nrows, int ncols)
{
    m->nrows = nrows;
    m->ncols = ncols;
    m->row = jn_alloc((size_t)nrows * sizeof *m->row);
}

void jn_matrix_clear(jn_matrix *m)
{
    for (int i = 0; i < m->nrows; i++)
        jn_row_clear(&m->row[i]);
    free(m->row);
    *m = (jn_matrix){0};
}

const jn_guarded *jn_matrix_get(const jn_matrix *m, int i, int j)
{
    return jn_row_get(&m->row[i], j);
}

void jn_matrix_add(jn_matrix *m, int i, int j, const jn_guarded *v, jn_ring ring)
{
    jn_row_add(&m->row[i], j, v, ring);
}

void jn_matrix_tidy(jn_matrix *m, jn_guard care, const jn_guard *prefer, jn_ring ring)
{
    for (int i = 0; i < m->nrows; i++) {
        jn_row *r = &m->row[i];
        int n = 0;
        for (int k = 0; k < r->n; k++) {
            jn_guarded_tidy(&r->e[k].value, &r->e[k].value, care, prefer[i], ring);
            if (!jn_guarded_is_zero(&r->e[k].value))
                r->e[n++] = r->e[k];
        }
        r->n = n;
    }
}

int jn_matrix_entries(const jn_matrix *m)
{
    int n = 0;
    for (int i = 0; i < m->nrows; i++)
        n += m->row[i].n;
    return n;
}
