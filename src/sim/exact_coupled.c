/* exact_coupled.c: the equations of a mode that have to be solved together. */
#include <stdlib.h>

#include "exact.h"

typedef struct {
    srow *a, *b;
    int n, width;
    int count, *number; /* those that are solved together, and the place of each; −1: not one */
    int *which;
} coupled;

/* The right-hand side of i, with what is known of the others. */
static void put_known(gather *sum, const coupled *c, int i)
{
    jni_gather_add(sum, 1, &c->b[i]);
    for (int l = 0; l < c->a[i].n; l++)
        if (c->number[c->a[i].col[l]] < 0)
            jni_gather_add(sum, c->a[i].a[l], &c->b[c->a[i].col[l]]);
}

/* b of i := that. */
static void keep_known(gather *sum, coupled *c, int i)
{
    srow r;
    put_known(sum, c, i);
    jni_gather_take(&r, sum);
    jni_srow_clear(&c->b[i]);
    c->b[i] = r;
}

static void right_sides(coupled *c)
{
    gather sum;
    jni_gather_init(&sum, c->width);
    for (int k = 0; k < c->count; k++)
        keep_known(&sum, c, c->which[k]);
    jni_gather_clear(&sum);
}

/* ---- what is no part of a loop ------------------------------------------------------------- */

/* Of each, which read it: start[k] … start[k + 1] in reader; waits: how many it waits for. */
typedef struct {
    int *start, *reader, *waits;
} readers;

static void find_readers(readers *r, const coupled *c)
{
    r->start = jn_alloc((size_t)(c->count + 2) * sizeof *r->start);
    r->waits = jn_alloc((size_t)c->count * sizeof *r->waits);
    for (int k = 0; k < c->count; k++)
        for (int l = 0; l < c->a[c->which[k]].n; l++) {
            int of = c->number[c->a[c->which[k]].col[l]];
            if (of >= 0) {
                r->start[of + 2]++;
                r->waits[k]++;
            }
        }
    for (int k = 0; k < c->count; k++)
        r->start[k + 2] += r->start[k + 1];
    r->reader = jn_alloc((size_t)r->start[c->count + 1] * sizeof *r->reader);
    int *at = r->start + 1;
    for (int k = 0; k < c->count; k++)
        for (int l = 0; l < c->a[c->which[k]].n; l++) {
            int of = c->number[c->a[c->which[k]].col[l]];
            if (of >= 0)
                r->reader[at[of]++] = k;
        }
}

/* Puts in, one after the other, what reads only what is known by then: all but loops and what they lead to. */
static void put_in(coupled *c)
{
    readers r = {0};
    gather sum;
    int *ready = jn_alloc((size_t)c->count * sizeof *ready), n = 0, left = 0;
    find_readers(&r, c);
    jni_gather_init(&sum, c->width);
    for (int k = 0; k < c->count; k++)
        if (!r.waits[k])
            ready[n++] = k;
    for (int done = 0; done < n; done++) {
        int k = ready[done];
        c->number[c->which[k]] = -1;
        keep_known(&sum, c, c->which[k]);
        for (int l = r.start[k]; l < r.start[k + 1]; l++)
            if (--r.waits[r.reader[l]] == 0)
                ready[n++] = r.reader[l];
    }
    for (int k = 0; k < c->count; k++)
        if (r.waits[k]) {
            c->number[c->which[k]] = left;
            c->which[left++] = c->which[k];
        }
    c->count = left;
    jni_gather_clear(&sum);
    free(ready);
    free(r.start);
    free(r.reader);
    free(r.waits);
}

/* What each depends on, itself or through others: count × width. Without that, rounding would tie a
 * charge to a source that it has nothing to do with. */
static bool *find_reach(const coupled *c)
{
    size_t n = (size_t)c->count, wide = (size_t)c->width;
    bool *reach = jn_alloc(n * wide * sizeof *reach), changed = true;
    for (size_t k = 0; k < n; k++)
        for (int l = 0; l < c->b[c->which[k]].n; l++)
            reach[k * wide + (size_t)c->b[c->which[k]].col[l]] = true;
    while (changed) {
        changed = false;
        for (size_t k = 0; k < n; k++)
            for (int l = 0; l < c->a[c->which[k]].n; l++) {
                int from = c->number[c->a[c->which[k]].col[l]];
                for (size_t i = 0; i < wide && from >= 0; i++)
                    if (reach[(size_t)from * wide + i] && !reach[k * wide + i])
                        changed = reach[k * wide + i] = true;
            }
    }
    return reach;
}

/* 1 − a, entry by entry: dense. */
static bool solve_dense(coupled *c)
{
    size_t n = (size_t)c->count, wide = (size_t)c->width;
    bool *reach = find_reach(c);
    double *M = jn_alloc(n * n * sizeof *M), *rhs = jn_alloc(n * wide * sizeof *rhs);
    for (size_t k = 0; k < n; k++) {
        const srow *a = &c->a[c->which[k]], *b = &c->b[c->which[k]];
        M[k * n + k] += 1;
        for (int l = 0; l < a->n; l++)
            if (c->number[a->col[l]] >= 0)
                M[k * n + (size_t)c->number[a->col[l]]] -= a->a[l];
        for (int l = 0; l < b->n; l++)
            rhs[k * wide + (size_t)b->col[l]] = b->a[l];
    }
    bool ok = jni_dense_solve_well(M, rhs, c->count, c->width);
    gather sum;
    jni_gather_init(&sum, c->width);
    for (size_t k = 0; k < n && ok; k++) {
        for (size_t l = 0; l < wide; l++)
            if (reach[k * wide + l] && rhs[k * wide + l] != 0)
                jni_gather_put(&sum, (int)l, rhs[k * wide + l]);
        jni_srow_clear(&c->b[c->which[k]]);
        jni_gather_take(&c->b[c->which[k]], &sum);
    }
    jni_gather_clear(&sum);
    free(reach);
    free(M);
    free(rhs);
    return ok;
}

/* ---- sparse -------------------------------------------------------------------------------- */

static void make_matrix(sparse_pattern *p, double **value, const coupled *c)
{
    int n = c->count, *fill = jn_alloc((size_t)(n + 1) * sizeof *fill);
    for (int k = 0; k < n; k++) {
        const srow *a = &c->a[c->which[k]];
        bool own = false;
        for (int l = 0; l < a->n; l++)
            if (c->number[a->col[l]] >= 0) {
                fill[c->number[a->col[l]] + 1]++;
                own |= c->number[a->col[l]] == k;
            }
        fill[k + 1] += !own;
    }
    for (int k = 0; k < n; k++)
        fill[k + 1] += fill[k];
    *p = (sparse_pattern){n, fill, jn_alloc((size_t)fill[n] * sizeof *p->row)};
    *value = jni_doubles(fill[n]);
    int *at = jn_alloc((size_t)n * sizeof *at);
    for (int k = 0; k < n; k++)
        at[k] = fill[k];
    for (int k = 0; k < n; k++) {
        const srow *a = &c->a[c->which[k]];
        bool own = false;
        for (int l = 0; l < a->n; l++) {
            int col = c->number[a->col[l]];
            if (col < 0)
                continue;
            own |= col == k;
            p->row[at[col]] = k;
            (*value)[at[col]++] = (col == k) - a->a[l];
        }
        if (!own) {
            p->row[at[k]] = k;
            (*value)[at[k]++] = 1;
        }
    }
    free(at);
}

static void append(srow *r, int *cap, int col, double a)
{
    if (r->n == *cap) {
        *cap = *cap ? 2 * *cap : 4;
        r->col = jn_realloc(r->col, (size_t)*cap * sizeof *r->col);
        r->a = jn_realloc(r->a, (size_t)*cap * sizeof *r->a);
    }
    r->col[r->n] = col;
    r->a[r->n++] = a;
}

/* One right-hand side for each column that stands on the right. */
static bool solve_columns(coupled *c, sparse_lu *lu)
{
    int n = c->count;
    bool ok = true, *used = jn_alloc((size_t)c->width * sizeof *used);
    double *rhs = jni_doubles(n);
    int *cap = jn_alloc((size_t)n * sizeof *cap);
    srow *out = jn_alloc((size_t)n * sizeof *out);
    for (int k = 0; k < n; k++)
        for (int l = 0; l < c->b[c->which[k]].n; l++)
            used[c->b[c->which[k]].col[l]] = true;
    int *next = jn_alloc((size_t)n * sizeof *next); /* rows are sorted: walk along all of them */
    for (int col = 0; col < c->width && ok; col++) {
        if (!used[col])
            continue;
        for (int k = 0; k < n; k++) {
            const srow *b = &c->b[c->which[k]];
            bool here = next[k] < b->n && b->col[next[k]] == col;
            rhs[k] = here ? b->a[next[k]++] : 0;
        }
        ok = jni_lu_solve_real(lu, rhs, 1);
        for (int k = 0; k < n && ok; k++)
            if (rhs[k] != 0)
                append(&out[k], &cap[k], col, rhs[k]);
    }
    for (int k = 0; k < n; k++) {
        jni_srow_clear(&c->b[c->which[k]]);
        c->b[c->which[k]] = out[k];
    }
    free(next);
    free(out);
    free(cap);
    free(rhs);
    free(used);
    return ok;
}

static bool solve_sparse(coupled *c)
{
    sparse_pattern p;
    double *value;
    make_matrix(&p, &value, c);
    sparse_lu *lu = jni_lu_new(&p, 1);
    bool ok = jni_lu_factor_real(lu, value) && solve_columns(c, lu);
    jni_lu_free(lu);
    free(p.start);
    free(p.row);
    free(value);
    return ok;
}

bool jni_solve_coupled(srow *a, srow *b, int n, int width)
{
    enum { FEW = 24 };
    coupled c = {.a = a, .b = b, .n = n, .width = width};
    c.number = jn_alloc((size_t)n * sizeof *c.number);
    c.which = jn_alloc((size_t)n * sizeof *c.which);
    bool ok = true;
    for (int i = 0; i < n; i++) {
        c.number[i] = a[i].n ? c.count : -1;
        if (a[i].n)
            c.which[c.count++] = i;
    }
    if (c.count > FEW)
        put_in(&c);
    right_sides(&c);
    if (c.count)
        ok = c.count <= FEW ? solve_dense(&c) : solve_sparse(&c);
    for (int i = 0; i < n && ok; i++)
        for (int l = 0; l < b[i].n && a[i].n; l++)
            ok = ok && isfinite(b[i].a[l]);
    free(c.number);
    free(c.which);
    return ok;
}
