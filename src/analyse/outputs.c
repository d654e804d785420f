/* outputs.c: the outputs of a mode, y = Cx x + Cd ẋ + D u.
 *
 * An output statement may be any sum of efforts, flows, momenta and displacements with constant
 * factors. Efforts and flows are first written in terms of the inputs of the ports; the laws of
 * the elements then turn z into x, and the resistors' inputs Din into z and u by
 * (1 − L S33) Din = L (S31 Zi + S34 U). The effort of an inductor in integral causality comes out
 * by its equation, in derivative causality as ṗ. */
#include <stdlib.h>
#include <string.h>

#include "analyse_internal.h"

/* ---- which outputs are linear -------------------------------------------------------------- */

bool jni_outputs_linear(const jn_analysis *a, const jn_expr *e)
{
    jn_linear l;
    bool linear = jn_expr_linear_in(&l, a->graph, e, jni_output_constant, a) && l.n &&
                  l.rest != JN_REST_VARIES;
    jn_linear_clear(&l);
    return linear;
}

/* ---- values of elements -------------------------------------------------------------------- */

/* What couples two elements, in a mode. */
static jn_ratfun value_between(const jn_analysis *a, int x, int y, const jn_onoff *m)
{
    const jn_graph *g = a->graph;
    jn_value v = jn_graph_between(g, x, y);
    jn_ratfun r = jn_graph_value_in(g, v, m), number;
    if (a->implicit->junction->numeric &&
        jn_ratfun_put(&number, a->field, r, g->param_value, g->nparams) == JN_OK)
        r = number;
    return r;
}

/* Numbers all of them: then a mesh of resistors is solved as such. */
static bool has_only_numbers(const jn_analysis *a, const jn_onoff *m)
{
    bool numbers = a->implicit->junction->numeric;
    for (int i = 0; i < a->graph->nelements && numbers; i++)
        numbers = jn_ratfun_is_const(a->field, value_between(a, i, i, m));
    for (int i = 0; i < a->graph->nmultiports && numbers; i++) {
        const jn_multiport *f = &a->graph->multiport[i];
        for (int k = 0; k < f->nports * f->nports && numbers; k++)
            numbers = jn_ratfun_is_const(a->field, value_between(a, f->element[k / f->nports],
                                                                 f->element[k % f->nports], m));
    }
    return numbers;
}

/* Adds factor·x of a storage, as it reads in z: x = M·z. */
static void add_in_z(jn_ratfun *z, const jn_analysis *a, int number, jn_ratfun factor,
                     const jn_onoff *m)
{
    const jn_graph *g = a->graph;
    int element = g->storage[number];
    const jn_multiport *f = g->element[element].multiport;
    for (int k = 0; k < (f ? f->nports : 1) && !jn_ratfun_is_zero(factor); k++) {
        int other = f ? f->element[k] : element, at = g->element[other].number;
        jn_ratfun v = value_between(a, element, other, m);
        z[at] = jn_ratfun_add(a->field, z[at], jn_ratfun_mul(a->field, factor, v));
    }
}

/* ---- walking an output --------------------------------------------------------------------- */

/* Where the terms of an output go: to one of three places, the others being NULL. */
typedef struct {
    const jn_analysis *a;
    const jn_junction *j;
    bool *wanted; /* the columns that occur */
    jn_row *row;  /* by column, in all modes; and per state */
    jn_ratfun *state;
    const jn_ports *ports; /* per input of a port and per state; and what is left open */
    jn_ratfun *sum, *open;
} walker;

static void add_ports(walker *w, int col, jn_ratfun factor)
{
    jn_field *k = w->a->field;
    const jn_ratfun *v = w->ports->of[col];
    for (int i = 0; i < w->ports->width; i++) {
        jn_ratfun *to = i < w->ports->size ? &w->sum[i] : &w->open[i];
        *to = jn_ratfun_add(k, *to, jn_ratfun_mul(k, factor, v[i]));
    }
}

static void add_column(walker *w, int bond, bool effort, jn_ratfun factor)
{
    int col = 2 * bond + !effort;
    if (!effort && w->j->flow_sign[bond] < 0)
        factor = jn_ratfun_neg(w->a->field, factor);
    if (w->wanted) {
        w->wanted[col] = true;
    } else if (w->ports) {
        add_ports(w, col, factor);
    } else {
        jn_guarded v;
        jn_guarded_init(&v);
        jn_guarded_set_case(&v, jn_guard_true(), factor);
        jn_row_add(w->row, col, &v, w->j->ring);
        jn_guarded_clear(&v);
    }
}

static void add_state(walker *w, int number, jn_ratfun factor)
{
    jn_field *k = w->a->field;
    if (w->ports)
        w->sum[w->ports->size + number] = jn_ratfun_add(k, w->sum[w->ports->size + number], factor);
    if (w->row)
        w->state[number] = jn_ratfun_add(k, w->state[number], factor);
}

/* Adds an expression; additive constants are of no interest here. */
static void walk(walker *w, const jn_expr *e)
{
    jn_linear l;
    jn_expr_linear_in(&l, w->a->graph, e, jni_output_constant, w->a);
    for (int i = 0; i < l.n; i++)
        if (l.term[i].bond >= 0)
            add_column(w, l.term[i].bond, l.term[i].effort, l.term[i].c);
        else
            add_state(w, l.term[i].storage, l.term[i].c);
    jn_linear_clear(&l);
}

/* ---- the laws of the elements -------------------------------------------------------------- */

typedef struct {
    const jn_analysis *a;
    const jn_onoff *m;
    const jn_mode *mode;
    jn_algebra *k;
    int *port;            /* rows of S: of resistors, then of storages */
    jn_dense left, right; /* left·Din = right·(z, u) */
} meshes;

static void add_to(const meshes *w, jn_dense *to, int row, int col, jn_ratfun c)
{
    jn_dense_set(to, row, col, jn_algebra_add(w->k, jn_dense_get(to, row, col), c));
}

/* Adds factor·(row of S of a resistor) to an equation. */
static void add_structure(meshes *w, int row, int resistor, jn_ratfun factor)
{
    const jn_junction *j = w->a->implicit->junction;
    const jn_graph *g = j->graph;
    int nr = g->nresistors, ns = g->nstorages, from = w->port[resistor];
    jn_ratfun minus = jn_ratfun_neg(w->a->field, factor);
    for (int c = 0; c < nr; c++)
        add_to(w, &w->left, row, c,
               jn_algebra_mul(w->k, factor, jni_structure_at(j, w->m, from, w->port[c])));
    for (int c = 0; c < ns; c++)
        add_to(w, &w->right, row, c,
               jn_algebra_mul(w->k, minus, jni_structure_at(j, w->m, from, w->port[nr + c])));
    for (int c = 0; c < g->nsources; c++)
        add_to(w, &w->right, row, ns + c,
               jn_algebra_mul(w->k, minus, jni_structure_at(j, w->m, from, j->nrows + c)));
}

/* factor·(effort or flow of a resistor): its input, or its row of S. */
static void add_variable(meshes *w, int row, int resistor, bool effort, jn_ratfun factor)
{
    if (effort == w->mode->resistance[resistor])
        add_to(w, &w->left, row, resistor, factor);
    else
        add_structure(w, row, resistor, factor);
}

/* e − R·f = 0, divided by −R where a resistor on its own gives its flow. */
static void write_law(meshes *w, int row)
{
    const jn_row *law = &w->a->implicit->R.row[row];
    const jn_ring ring = w->a->implicit->junction->ring;
    jn_ratfun scale = JN_RATFUN_ONE;
    if (law->n == 1 && !w->mode->resistance[row]) {
        jn_ratfun R = jn_ratfun_neg(ring.field, jn_guarded_at(&law->e[0].value, w->m, ring));
        if (jn_ratfun_is_zero(R) || jn_ratfun_inv(&scale, ring.field, R) != JN_OK)
            scale = JN_RATFUN_ONE;
    }
    add_variable(w, row, row, true, scale);
    for (int k = 0; k < law->n; k++) {
        jn_ratfun R = jn_ratfun_neg(ring.field, jn_guarded_at(&law->e[k].value, w->m, ring));
        add_variable(w, row, law->e[k].col, false, jn_algebra_mul(w->k, scale, R));
    }
}

/* Din = D·(z of all storages, u): an nresistors × (nstorages + nsources) matrix. */
static bool solve_resistors(jn_dense *D, const jn_analysis *a, const jn_onoff *m,
                            const jn_mode *mode, jn_algebra *k)
{
    const jn_graph *g = a->graph;
    int nr = g->nresistors, ns = g->nstorages;
    meshes w = {.a = a, .m = m, .mode = mode, .k = k};
    jn_dense_init(&w.left, nr, nr, k);
    jn_dense_init(&w.right, nr, ns + g->nsources, k);
    jn_dense_init(D, nr, ns + g->nsources, k);
    w.port = jn_alloc((size_t)(nr + ns) * sizeof *w.port);
    for (int i = 0; i < nr + ns; i++)
        w.port[i] = jni_structure_row(a->implicit->junction, mode,
                                      i < nr ? g->resistor[i] : g->storage[i - nr]);
    for (int i = 0; i < nr; i++)
        write_law(&w, i);
    bool good = jn_dense_solve(D, &w.left, &w.right) && !k->spent;
    jn_dense_clear(&w.left);
    jn_dense_clear(&w.right);
    free(w.port);
    return good;
}

/* Adds factor·z of a storage, as it reads in x. */
static void add_in_x(jn_ratfun *x, const jn_analysis *a, const jn_mode *mode, int number,
                     jn_ratfun factor)
{
    const jn_row *law = &a->implicit->F.row[number];
    for (int k = 0; k < law->n && !jn_ratfun_is_zero(factor); k++) {
        int at = law->e[k].col;
        jn_ratfun F = mode->F[(size_t)number * (size_t)mode->n + (size_t)at];
        x[at] = jn_ratfun_add(a->field, x[at], jn_ratfun_mul(a->field, factor, F));
    }
}

/* One output: from the inputs of the ports to x, ẋ and u. */
static void close_output(jn_outputs *o, int row, const jn_analysis *a, const jn_mode *mode,
                         const jn_ratfun *sum, const jn_dense *D)
{
    const jn_graph *g = a->graph;
    jn_field *k = a->field;
    int ns = g->nstorages, nu = g->nsources, nr = g->nresistors;
    for (int i = 0; i < ns; i++) {
        jn_ratfun z = sum[i];
        if (!mode->integral[i]) {
            o->dx[row * ns + i] = z;
            z = JN_RATFUN_ZERO;
        }
        for (int r = 0; r < nr && D; r++)
            z = jn_ratfun_add(k, z, jn_ratfun_mul(k, sum[ns + r], jn_dense_get(D, r, i)));
        add_in_x(o->x + row * ns, a, mode, i, z);
        o->x[row * ns + i] = jn_ratfun_add(k, o->x[row * ns + i], sum[ns + nr + nu + i]);
    }
    for (int i = 0; i < nu; i++) {
        jn_ratfun u = sum[ns + nr + i];
        for (int r = 0; r < nr && D; r++)
            u = jn_ratfun_add(k, u, jn_ratfun_mul(k, sum[ns + r], jn_dense_get(D, r, ns + i)));
        o->u[row * nu + i] = u;
    }
}

/* Whose inputs stand in the output, and whose states. */
static void note_reads(jn_outputs *o, int row, const jn_analysis *a, const jn_mode *mode,
                       const jn_ratfun *sum)
{
    const jn_graph *g = a->graph;
    int ns = g->nstorages, nr = g->nresistors;
    bool *reads = o->reads + row * (ns + nr);
    jn_ratfun *x = jn_alloc((size_t)ns * sizeof *x);
    for (int i = 0; i < ns; i++) {
        x[i] = jn_ratfun_add(a->field, x[i], sum[ns + nr + g->nsources + i]);
        if (mode->integral[i])
            add_in_x(x, a, mode, i, sum[i]);
    }
    for (int i = 0; i < ns; i++)
        reads[i] = !jn_ratfun_is_zero(x[i]) || (!mode->integral[i] && !jn_ratfun_is_zero(sum[i]));
    free(x);
    for (int r = 0; r < nr; r++)
        reads[ns + r] = !jn_ratfun_is_zero(sum[ns + r]);
}

/* What the output reads of the states' z when nothing moves and nothing flows through resistors:
 * the inputs themselves, and p, q, in derivative causality by way of z = S zi. */
static void read_inputs(jn_outputs *o, int row, const jn_analysis *a, const jn_onoff *m,
                        const jn_mode *mode, const jn_ratfun *sum)
{
    const jn_junction *j = a->implicit->junction;
    const jn_graph *g = a->graph;
    jn_field *k = a->field;
    int ns = g->nstorages;
    jn_ratfun *z = o->z + row * ns;
    jn_ratfun *states = jn_alloc((size_t)ns * sizeof *states);
    for (int i = 0; i < ns; i++)
        add_in_z(states, a, i, sum[ns + g->nresistors + g->nsources + i], m);
    for (int i = 0; i < ns; i++) {
        jn_ratfun read = states[i];
        if (mode->integral[i]) {
            z[i] = jn_ratfun_add(k, z[i], jn_ratfun_add(k, sum[i], read));
            continue;
        }
        int from = jni_structure_row(j, mode, g->storage[i]);
        for (int c = 0; c < ns && !jn_ratfun_is_zero(read); c++)
            if (mode->integral[c])
                z[c] = jn_ratfun_add(
                    k, z[c],
                    jn_ratfun_mul(
                        k, read,
                        jni_structure_at(j, m, from, jni_structure_row(j, mode, g->storage[c]))));
    }
    free(states);
}

static bool mentions_resistor(const jn_ratfun *sum, const jn_graph *g)
{
    for (int r = 0; r < g->nresistors; r++)
        if (!jn_ratfun_is_zero(sum[g->nstorages + r]))
            return true;
    return false;
}

/* What is read: the outputs, then the sources that read the model. */
static const jn_expr *expression(const jn_analysis *a, int i)
{
    const jn_graph *g = a->graph;
    return i < a->noutputs ? g->output[a->output[i]].expr
                           : g->element[g->source[a->fed[i - a->noutputs]]].input;
}

/* The columns that some of them reads. */
static bool *list_wanted(const jn_analysis *a)
{
    bool *wanted = jn_alloc(2 * (size_t)a->graph->nbonds * sizeof *wanted);
    walker w = {.a = a, .j = a->implicit->junction, .wanted = wanted};
    for (int i = 0; i < a->noutputs + a->nfed; i++)
        walk(&w, expression(a, i));
    return wanted;
}

static void alloc_outputs(jn_outputs *o, const jn_analysis *a)
{
    const jn_graph *g = a->graph;
    size_t n = (size_t)a->noutputs + (size_t)a->nfed, ns = (size_t)g->nstorages;
    size_t nu = (size_t)g->nsources;
    *o = (jn_outputs){0};
    o->number = jn_alloc(n * sizeof *o->number);
    o->open = jn_alloc(n * sizeof *o->open);
    o->x = jn_alloc(n * ns * sizeof *o->x);
    o->dx = jn_alloc(n * ns * sizeof *o->dx);
    o->z = jn_alloc(n * ns * sizeof *o->z);
    o->u = jn_alloc(n * nu * sizeof *o->u);
    o->reads = jn_alloc(n * (ns + (size_t)g->nresistors) * sizeof *o->reads);
}

/* Those that are determined have rows, outputs first; where a source reads what is not, the mode
 * is singular. */
static void read_all(jn_outputs *o, const jn_analysis *a, const jn_onoff *m, const jn_mode *mode,
                     jn_algebra *k)
{
    const jn_graph *g = a->graph;
    jn_ports ports;
    bool *wanted = list_wanted(a);
    walker w = {.a = a, .j = a->implicit->junction, .ports = &ports};
    jni_ports_solve(&ports, w.j, m, wanted);

    jn_dense D;
    bool solved = false, solvable = true;
    for (int i = 0; i < a->noutputs + a->nfed; i++) {
        int number = i < a->noutputs ? a->output[i] : -1;
        w.sum = jn_alloc((size_t)(ports.size + g->nstorages) * sizeof *w.sum);
        w.open = jn_alloc((size_t)ports.width * sizeof *w.open);
        walk(&w, expression(a, i));
        bool resistor = mentions_resistor(w.sum, g);
        if (resistor && !solved) {
            solvable = solve_resistors(&D, a, m, mode, k);
            solved = true;
        }
        if (number < 0 || (!jni_ports_is_open(&ports, w.open) && (solvable || !resistor))) {
            close_output(o, o->n, a, mode, w.sum, resistor && solvable ? &D : NULL);
            read_inputs(o, o->n, a, m, mode, w.sum);
            note_reads(o, o->n, a, mode, w.sum);
            o->number[o->n++] = number;
        } else {
            o->open[o->nopen++] = number;
        }
        free(w.sum);
        free(w.open);
    }
    if (solved)
        jn_dense_clear(&D);
    jni_ports_clear(&ports);
    free(wanted);
}

void jni_outputs_of(jn_outputs *o, const jn_analysis *a, const jn_onoff *m, const jn_mode *mode)
{
    alloc_outputs(o, a);
    if (a->noutputs == 0)
        return;
    jn_algebra k = {.field = a->field, .numeric = has_only_numbers(a, m)};
    jn_algebra_renew(&k, JN_ALGEBRA_BUDGET);
    read_all(o, a, m, mode, &k);
    if (a->nfed && !jni_close_outputs(o, a, &k))
        while (o->n > 0) /* too long: as if nothing determined them */
            o->open[o->nopen++] = o->number[--o->n];
}

void jni_outputs_clear(jn_outputs *o)
{
    free(o->number);
    free(o->open);
    free(o->x);
    free(o->dx);
    free(o->z);
    free(o->u);
    free(o->reads);
}

static bool has_output(const jn_outputs *o, int number)
{
    for (int i = 0; i < o->n; i++)
        if (o->number[i] == number)
            return true;
    return false;
}

static void move_output(jn_outputs *o, int to, int from, const jn_graph *g)
{
    size_t ns = (size_t)g->nstorages, nu = (size_t)g->nsources, nr = (size_t)g->nresistors;
    size_t t = (size_t)to, f = (size_t)from;
    o->number[to] = o->number[from];
    memmove(o->x + t * ns, o->x + f * ns, ns * sizeof *o->x);
    memmove(o->dx + t * ns, o->dx + f * ns, ns * sizeof *o->dx);
    memmove(o->z + t * ns, o->z + f * ns, ns * sizeof *o->z);
    memmove(o->u + t * nu, o->u + f * nu, nu * sizeof *o->u);
    memmove(o->reads + t * (ns + nr), o->reads + f * (ns + nr), (ns + nr) * sizeof *o->reads);
}

static void keep_common(jn_outputs *o, const jn_outputs *other, const jn_graph *g)
{
    int n = 0;
    for (int i = 0; i < o->n; i++)
        if (has_output(other, o->number[i]))
            move_output(o, n++, i, g);
        else
            o->open[o->nopen++] = o->number[i];
    o->n = n;
}

void jni_outputs_common(jn_outputs *a, jn_outputs *b, const jn_graph *g)
{
    keep_common(a, b, g);
    keep_common(b, a, g);
}

void jni_output_row(jn_row *row, jn_ratfun *state, const jn_analysis *a, int output)
{
    walker w = {.a = a, .j = a->implicit->junction, .row = row, .state = state};
    walk(&w, a->graph->output[output].expr);
}
