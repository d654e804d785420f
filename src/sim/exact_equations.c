/* exact_equations.c: the equations of one mode, closed.
 *
 * With Zi = Fi·Xi, Zd = Fd·Xd, Din = L·Dout the junction structure of the mode becomes
 *
 *     w  = Xi − S12·Xd                    (the rows of E: conserved in a jump, continuous in u)
 *     Xd = Fd⁻¹·(S21·Fi·Xi + S24·u)
 *     D  = H·(Fi·Xi, D, u)                (resistors, and sources that read the model)
 *     ẇ  = S11·Fi·Xi + S13·D + S14·u
 *
 * so no derivative of u enters the state. It does enter Ẋd, the input of a storage in derivative
 * causality, and through it efforts and flows.
 *
 * A source that reads the model linearly adds the row u = form + its function of time. Where such a
 * row reads a rate Ẋd, this is found together with the rest.
 *
 * Most storages and resistors depend on no other of their kind: only those that do are solved for
 * together, all else is summed up row by row. */
#include <stdlib.h>
#include <string.h>

#include "exact.h"

static srow *rows_alloc(int n)
{
    return jn_alloc((size_t)n * sizeof(srow));
}

static void rows_clear(srow *r, int n)
{
    for (int i = 0; i < n && r; i++)
        jni_srow_clear(&r[i]);
    free(r);
}

/* ---- the junction structure ---------------------------------------------------------------- */

static void read_storages(equations *q, const mode *m, const model *k)
{
    q->integral = jn_alloc((size_t)k->nx * sizeof *q->integral);
    q->derivative = jn_alloc((size_t)k->nx * sizeof *q->derivative);
    q->place = jn_alloc((size_t)k->nx * sizeof *q->place);
    for (int p = 0; p < k->nx; p++) {
        int *list = m->integral[p] ? q->integral : q->derivative;
        int *n = m->integral[p] ? &q->ni : &q->nd;
        q->place[p] = *n;
        list[(*n)++] = p;
    }
}

static void read_feedback(equations *q, jn_sim *s, const mode *m)
{
    q->fb_of = jn_alloc((size_t)q->nu * sizeof *q->fb_of);
    q->fb = jn_alloc((size_t)q->nu * sizeof *q->fb);
    for (int k = 0; k < q->nu; k++) {
        bool has_one = jni_generator_feedback(s->gen, k, m->flows) || m->is_late[k];
        q->fb_of[k] = has_one && !m->is_lost[k] ? q->nfb : -1;
        if (q->fb_of[k] >= 0)
            q->fb[q->nfb++] = k;
    }
}

void jni_equations_read(equations *q, jn_sim *s, mode *m)
{
    const model *k = &s->model;
    *q = (equations){.np = jni_port_count(k), .nr = k->nr, .nu = k->nu, .ns = k->ns};
    q->S = rows_alloc(q->np);
    q->unit = jni_rows_new(m, k, q->np);
    gather sum;
    jni_gather_init(&sum, q->np + 1);
    for (int p = 0; p < q->np; p++)
        jni_rows_unit(q->unit, p, p);
    for (int p = 0; p < q->np; p++) {
        const srow *r = jni_rows_of(s, m, q->unit, jni_mode_out(m, k, p));
        for (int l = 0; l < r->n; l++) /* an output that nothing determines has no value */
            jni_gather_put(&sum, r->col[l] < q->np ? r->col[l] : 0,
                           r->col[l] < q->np ? r->a[l] : NAN);
        jni_gather_take(&q->S[p], &sum);
    }
    jni_gather_clear(&sum);
    read_storages(q, m, k);
    read_feedback(q, s, m);
}

void jni_equations_clear(equations *q, jn_sim *s, mode *m)
{
    jni_rows_free(q->unit, m, &s->model);
    rows_clear(q->S, q->np);
    rows_clear(q->own, q->ni);
    rows_clear(q->Xi, q->ni);
    rows_clear(q->Zi, q->ni);
    rows_clear(q->Xd, q->nd);
    rows_clear(q->dw, q->ni);
    rows_clear(q->ds, q->ns);
    rows_clear(q->dXd, q->nd);
    rows_clear(q->D, q->nr + q->nfb);
    free(q->integral);
    free(q->derivative);
    free(q->place);
    free(q->fb_of);
    free(q->fb);
}

bool jni_equations_integral(const equations *q, int storage)
{
    int place = q->place[storage];
    return place < q->ni && q->integral[place] == storage;
}

/* ---- columns of what is known and unknown -------------------------------------------------- */

static int known_s(const equations *q, int k)
{
    return q->ni + k;
}
static int known_u(const equations *q, int k)
{
    return q->ni + q->ns + k;
}
static int known_du(const equations *q, int k)
{
    return q->ni + q->ns + q->nu + k;
}
static int width_of(const equations *q)
{
    return q->ni + q->ns + 2 * q->nu;
}

/* Unknowns: Xi (of a port of a field what its own z contributes to it), then D, then Ẋd. */
static int unknown_D(const equations *q, int i)
{
    return q->ni + i;
}
static int unknown_dXd(const equations *q, int d)
{
    return q->ni + q->nr + q->nfb + d;
}
static int unknown_count(const equations *q)
{
    return q->ni + q->nr + q->nfb + q->nd;
}

/* A row that is being put together: a over the unknowns, b over what is known. */
typedef struct {
    const equations *q;
    jn_sim *s;
    const mode *m;
    gather a, b;
} law;

/* + c·(the input of a port) */
static void put_input(law *l, double c, int port)
{
    const equations *q = l->q;
    const model *k = &l->s->model;
    if (port < k->nx) {
        bool integral = jni_equations_integral(q, port);
        if (integral)
            jni_gather_put(&l->a, q->place[port], c / l->m->storage[port]);
        else
            jni_gather_put(&l->a, unknown_dXd(q, q->place[port]), c);
    } else if (port < k->nx + k->nr) {
        jni_gather_put(&l->a, unknown_D(q, port - k->nx), c);
    } else {
        int source = port - k->nx - k->nr;
        if (l->m->is_lost[source])
            return; /* what it gives now is its conjugate, taken as zero */
        if (q->fb_of[source] >= 0)
            jni_gather_put(&l->a, unknown_D(q, q->nr + q->fb_of[source]), c);
        else
            jni_gather_put(&l->b, known_u(q, source), c);
    }
}

/* + c·(a row over the inputs of ports); what stays open cancels in the sum, see put_form. */
static void put_row(law *l, double c, const srow *r)
{
    for (int i = 0; i < r->n && r->col[i] < l->q->np; i++)
        put_input(l, c * r->a[i], r->col[i]);
}

/* + c·(z of a storage) */
static void put_output(law *l, double c, int storage)
{
    if (jni_equations_integral(l->q, storage))
        put_input(l, c, storage);
    else
        put_row(l, c, &l->q->S[storage]);
}

/* + c·(the state of a storage) */
static void put_state(law *l, double c, int storage)
{
    const equations *q = l->q;
    if (l->m->M) {
        const srow *M = &l->m->M[storage];
        for (int k = 0; k < M->n; k++)
            put_output(l, c * M->a[k], M->col[k]);
        return;
    }
    if (jni_equations_integral(q, storage))
        jni_gather_put(&l->a, q->place[storage], c);
    else
        put_row(l, c * l->m->storage[storage], &q->S[storage]);
}

static void put_observable(law *l, double c, int obs)
{
    const model *k = &l->s->model;
    int bonds = 2 * k->g->nbonds;
    if (obs < bonds)
        put_row(l, c * jni_bond_sign(l->m, obs), jni_rows_of(l->s, l->m, l->q->unit, obs));
    else if (obs < bonds + k->nx)
        put_state(l, c, obs - bonds);
    else
        jni_gather_put(&l->b, known_s(l->q, obs - bonds - k->nx), c);
}

/* + c·(a form without its constants) */
static void put_form(law *l, double c, const linear_form *f)
{
    int count = jni_obs_count(&l->s->model);
    if (jni_mode_leaves_open(l->s, l->m, f))
        jni_gather_put(&l->b, 0, NAN);
    for (int i = 0; i < f->n && f->term[i].obs < count; i++)
        put_observable(l, c * f->term[i].c, f->term[i].obs);
}

/* ---- the laws ------------------------------------------------------------------------------ */

static void law_of_state(law *l, int i)
{
    const equations *q = l->q;
    const srow *S = &q->S[q->integral[i]];
    jni_gather_put(&l->b, i, 1);
    for (int k = 0; k < S->n; k++)
        if (S->col[k] < l->s->model.nx && !jni_equations_integral(q, S->col[k]))
            put_state(l, S->a[k], S->col[k]);
    const srow *M = l->m->M ? &l->m->M[q->integral[i]] : NULL;
    for (int k = 0; M && k < M->n; k++)
        if (M->col[k] != q->integral[i])
            put_output(l, -M->a[k], M->col[k]);
}

/* + c·(the flow of a resistor) */
static void put_flow(law *l, double c, int r)
{
    const model *k = &l->s->model;
    if (l->m->solved->gives_effort[k->g->resistor[r]])
        put_input(l, c, k->nx + r);
    else
        put_row(l, c, &l->q->S[k->nx + r]);
}

/* Of a field: e = R·f, as a row that is zero beside the unknown. */
static void law_beside(law *l, int r)
{
    const srow *R = &l->m->R[r];
    put_row(l, 1, &l->q->S[l->s->model.nx + r]);
    for (int i = 0; i < R->n; i++)
        put_flow(l, -R->a[i], R->col[i]);
    jni_gather_put(&l->a, unknown_D(l->q, r), 1);
}

/* The same solved for the input of this port, where it has a part in it. */
static void law_of_field(law *l, int r)
{
    const model *k = &l->s->model;
    const srow *R = &l->m->R[r];
    bool gives_effort = l->m->solved->gives_effort[k->g->resistor[r]];
    if (gives_effort && l->m->resistor[r] == 0) {
        law_beside(l, r);
        return;
    }
    double c = gives_effort ? -1 / l->m->resistor[r] : 1;
    if (gives_effort)
        put_row(l, -c, &l->q->S[k->nx + r]);
    for (int i = 0; i < R->n; i++)
        if (R->col[i] != r || !gives_effort)
            put_flow(l, c * R->a[i], R->col[i]);
}

static void law_of_resistor(law *l, int r)
{
    const model *k = &l->s->model;
    if (k->g->element[k->g->resistor[r]].multiport) {
        law_of_field(l, r);
        return;
    }
    double R = l->m->resistor[r];
    bool gives_effort = l->m->solved->gives_effort[k->g->resistor[r]];
    put_row(l, gives_effort ? 1 / R : R, &l->q->S[k->nx + r]);
}

/* value = form + its function of time; where the value is not what the port is given, as a row that
 * is zero beside the unknown. */
static void law_of_source(law *l, int i)
{
    const model *k = &l->s->model;
    int source = l->q->fb[i], element = k->g->source[source];
    const linear_form *f = jni_generator_feedback(l->s->gen, source, l->m->flows);
    bool imposes = l->m->solved->gives_effort[element] != (k->g->element[element].kind == JN_SE);
    double c = imposes ? 1 : -1;
    if (f)
        put_form(l, c, f);
    jni_gather_put(&l->b, known_u(l->q, source), c);
    if (imposes)
        return;
    put_row(l, 1, &l->q->S[k->nx + k->nr + source]);
    jni_gather_put(&l->a, unknown_D(l->q, l->q->nr + i), 1);
}

/* + c·(the rate of a storage) */
static void put_rate(law *l, double c, int storage)
{
    const equations *q = l->q;
    if (jni_equations_integral(q, storage))
        put_row(l, c, &q->S[storage]);
    else
        jni_gather_put(&l->a, unknown_dXd(q, q->place[storage]), c);
}

/* Of a port of a field, from żd = Fd·Ẋ: its own rate, the other ones taken to the right. */
static bool field_rate(law *l, int d)
{
    const equations *q = l->q;
    const model *k = &l->s->model;
    int own = q->derivative[d];
    const srow *S = &q->S[own], *F = &l->m->F[own];
    double scale = 0;
    for (int i = 0; i < F->n; i++)
        if (F->col[i] == own)
            scale = 1 / F->a[i];
    for (int i = 0; i < F->n; i++)
        if (F->col[i] != own)
            put_rate(l, -scale * F->a[i], F->col[i]);
    for (int i = 0; i < S->n; i++) {
        int port = S->col[i], source = port - k->nx - k->nr;
        if (port < k->nx && jni_equations_integral(q, port)) {
            for (int e = 0; e < l->m->F[port].n; e++)
                put_rate(l, scale * S->a[i] * l->m->F[port].a[e], l->m->F[port].col[e]);
        } else if (source >= 0) {
            if (q->fb_of[source] >= 0)
                return false;
            if (!l->m->is_lost[source])
                jni_gather_put(&l->b, known_du(q, source), scale * S->a[i]);
        }
    }
    return true;
}

/* Ẋd = Fd⁻¹·(S21·Fi·Ẋi + S24·u̇), Ẋi being the outputs of the integral storages. */
static bool law_of_rate(law *l, int d)
{
    const equations *q = l->q;
    const model *k = &l->s->model;
    const srow *S = &q->S[q->derivative[d]];
    double F = l->m->storage[q->derivative[d]];
    if (l->m->F)
        return field_rate(l, d);
    for (int i = 0; i < S->n; i++) {
        int port = S->col[i];
        if (port < k->nx && jni_equations_integral(q, port)) {
            put_row(l, F * S->a[i] / l->m->storage[port], &q->S[port]);
        } else if (port >= k->nx + k->nr) {
            int source = port - k->nx - k->nr;
            if (q->fb_of[source] >= 0)
                return false;
            if (!l->m->is_lost[source])
                jni_gather_put(&l->b, known_du(q, source), F * S->a[i]);
        }
    }
    return true;
}

/* ---- closing ------------------------------------------------------------------------------- */

static void take(law *l, srow *a, srow *b)
{
    jni_gather_take(a, &l->a);
    jni_gather_take(b, &l->b);
}

/* Whether some law reads the rate of a dependent storage. */
static bool reads_rates(const equations *q, const srow *a)
{
    for (int i = 0; i < unknown_dXd(q, 0); i++)
        for (int k = 0; k < a[i].n; k++)
            if (a[i].col[k] >= unknown_dXd(q, 0))
                return true;
    return false;
}

/* Xi and D over what is known; rates of dependent storages too, where laws read them. */
static bool solve_laws(equations *q, jn_sim *s, mode *m)
{
    int n = unknown_count(q), first = unknown_dXd(q, 0), width = width_of(q);
    srow *a = rows_alloc(n), *b = rows_alloc(n);
    law l = {.q = q, .s = s, .m = m};
    jni_gather_init(&l.a, n);
    jni_gather_init(&l.b, width + 1);
    for (int i = 0; i < q->ni; i++) {
        law_of_state(&l, i);
        take(&l, &a[i], &b[i]);
    }
    for (int i = 0; i < q->nr + q->nfb; i++) {
        if (i < q->nr)
            law_of_resistor(&l, i);
        else
            law_of_source(&l, i - q->nr);
        take(&l, &a[q->ni + i], &b[q->ni + i]);
    }
    bool with_rates = reads_rates(q, a), ok = true;
    for (int d = 0; d < q->nd && with_rates && ok; d++) {
        ok = law_of_rate(&l, d);
        take(&l, &a[first + d], &b[first + d]);
    }
    ok = ok && jni_solve_coupled(a, b, with_rates ? n : first, width + 1);
    rows_clear(a, n);
    q->own = rows_alloc(q->ni);
    q->D = rows_alloc(q->nr + q->nfb);
    memcpy(q->own, b, (size_t)q->ni * sizeof *b);
    memcpy(q->D, b + q->ni, (size_t)(q->nr + q->nfb) * sizeof *b);
    for (int i = first; i < n; i++)
        jni_srow_clear(&b[i]);
    free(b);
    jni_gather_clear(&l.a);
    jni_gather_clear(&l.b);
    return ok;
}

/* sum += c·(what a port receives through S), but for the rates of dependent storages. */
static void receive(gather *sum, double c, const equations *q, const jn_sim *s, const mode *m,
                    int port)
{
    const srow *S = &q->S[port];
    const model *k = &s->model;
    for (int l = 0; l < S->n; l++) {
        int from = S->col[l];
        double a = c * S->a[l];
        if (from < k->nx) {
            if (jni_equations_integral(q, from))
                jni_gather_add(sum, a, &q->Zi[q->place[from]]);
        } else if (from < k->nx + k->nr) {
            jni_gather_add(sum, a, &q->D[from - k->nx]);
        } else {
            int source = from - k->nx - k->nr;
            if (q->fb_of[source] >= 0)
                jni_gather_add(sum, a, &q->D[q->nr + q->fb_of[source]]);
            else if (!m->is_lost[source])
                jni_gather_put(sum, known_u(q, source), a);
        }
    }
}

/* sum += c·(z of a storage) */
static void add_output(gather *sum, double c, const equations *q, const jn_sim *s, const mode *m,
                       int storage)
{
    if (jni_equations_integral(q, storage))
        jni_gather_add(sum, c, &q->Zi[q->place[storage]]);
    else
        receive(sum, c, q, s, m, storage);
}

/* sum += the state of a storage, x = M·z */
static void close_state(gather *sum, const equations *q, const jn_sim *s, const mode *m,
                        int storage)
{
    const srow *M = m->M ? &m->M[storage] : NULL;
    for (int k = 0; M && k < M->n; k++)
        add_output(sum, M->a[k], q, s, m, M->col[k]);
    if (!M && jni_equations_integral(q, storage))
        jni_gather_add(sum, 1, &q->own[q->place[storage]]);
    else if (!M)
        receive(sum, m->storage[storage], q, s, m, storage);
}

static void close_states(equations *q, const jn_sim *s, const mode *m, gather *sum)
{
    q->Zi = rows_alloc(q->ni);
    q->Xi = rows_alloc(q->ni);
    q->Xd = rows_alloc(q->nd);
    q->dw = rows_alloc(q->ni);
    for (int i = 0; i < q->ni; i++) {
        jni_gather_add(sum, 1 / m->storage[q->integral[i]], &q->own[i]);
        jni_gather_take(&q->Zi[i], sum);
    }
    for (int i = 0; i < q->ni; i++) {
        close_state(sum, q, s, m, q->integral[i]);
        jni_gather_take(&q->Xi[i], sum);
    }
    for (int d = 0; d < q->nd; d++) {
        close_state(sum, q, s, m, q->derivative[d]);
        jni_gather_take(&q->Xd[d], sum);
    }
    for (int i = 0; i < q->ni; i++) {
        receive(sum, 1, q, s, m, q->integral[i]);
        jni_gather_take(&q->dw[i], sum);
    }
}

/* ẋ of a row over (w, s, u); false: it would need more than is known. */
static bool differentiate(gather *sum, const equations *q, const srow *r)
{
    for (int i = 0; i < r->n; i++) {
        int col = r->col[i];
        if (col < q->ni)
            jni_gather_add(sum, r->a[i], &q->dw[col]);
        else if (col < known_u(q, 0))
            jni_gather_add(sum, r->a[i], &q->ds[col - q->ni]);
        else if (col < known_du(q, 0))
            jni_gather_put(sum, col + q->nu, r->a[i]);
        else
            return false;
    }
    return true;
}

/* What is integrated; of a derivative storage's rate it is known once those are. */
static bool rates_of_integrals(equations *q, jn_sim *s, mode *m, gather *sum)
{
    bool ok = true;
    law l = {.q = q, .s = s, .m = m};
    jni_gather_init(&l.a, unknown_count(q));
    jni_gather_init(&l.b, width_of(q) + 1);
    for (int k = 0; k < q->ns; k++) {
        srow a, b;
        put_form(&l, 1, &s->model.integral[k].form);
        take(&l, &a, &b);
        jni_gather_add(sum, 1, &b);
        for (int i = 0; i < a.n; i++) {
            int col = a.col[i];
            if (col < q->ni)
                jni_gather_add(sum, a.a[i], &q->own[col]);
            else if (col < unknown_dXd(q, 0))
                jni_gather_add(sum, a.a[i], &q->D[col - q->ni]);
            else if (q->dXd)
                jni_gather_add(sum, a.a[i], &q->dXd[col - unknown_dXd(q, 0)]);
            else
                ok = false;
        }
        jni_gather_take(&q->ds[k], sum);
        jni_srow_clear(&a);
        jni_srow_clear(&b);
    }
    jni_gather_clear(&l.a);
    jni_gather_clear(&l.b);
    return ok;
}

/* Whether a dependent storage's state depends on an integral, by a source that reads it. */
static bool depends_on_integrals(const equations *q)
{
    for (int d = 0; d < q->nd; d++)
        for (int i = 0; i < q->Xd[d].n; i++)
            if (q->Xd[d].col[i] >= q->ni && q->Xd[d].col[i] < known_u(q, 0))
                return true;
    return false;
}

static bool close_rates(equations *q, jn_sim *s, mode *m, gather *sum)
{
    bool integrals_first = depends_on_integrals(q), ok = true;
    q->ds = rows_alloc(q->ns);
    if (integrals_first)
        ok = rates_of_integrals(q, s, m, sum);
    srow *dXd = rows_alloc(q->nd);
    for (int d = 0; d < q->nd; d++) {
        ok = differentiate(sum, q, &q->Xd[d]) && ok;
        jni_gather_take(&dXd[d], sum);
    }
    q->dXd = dXd;
    if (!integrals_first)
        ok = rates_of_integrals(q, s, m, sum) && ok;
    return ok;
}

bool jni_equations_close(equations *q, jn_sim *s, mode *m)
{
    gather sum;
    if (!solve_laws(q, s, m)) {
        jni_mode_fail(m, "its equations have no unique solution with these values");
        return false;
    }
    jni_gather_init(&sum, width_of(q) + 1);
    close_states(q, s, m, &sum);
    bool ok = close_rates(q, s, m, &sum);
    jni_gather_clear(&sum);
    if (!ok)
        jni_mode_fail(m, "a source needs the second derivative of what it reads");
    return ok;
}
