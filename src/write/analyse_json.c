/* analyse_json.c: the analysis of modes as JSON. Exact numbers are strings, rounded ones numbers;
 * null where a question does not apply or has no answer. */
#include <stdio.h>

#include "analyse_internal.h"

/* ---- parts --------------------------------------------------------------------------------- */

static void put_value(jn_listing *l, const jn_analysis *a, jn_ratfun v)
{
    jn_str_addc(&l->out, '"');
    jni_print_value(&l->out, a, v);
    jn_str_addc(&l->out, '"');
}

static void put_matrix(jn_listing *l, const jn_analysis *a, const char *name, const jn_dense *m)
{
    jn_str_addf(&l->out, ",\n   \"%s\": [", name);
    for (int i = 0; i < m->nrows; i++) {
        jn_str_add(&l->out, i ? ", [" : "[");
        for (int j = 0; j < m->ncols; j++) {
            jn_str_add(&l->out, j ? ", " : "");
            put_value(l, a, jn_dense_get(m, i, j));
        }
        jn_str_addc(&l->out, ']');
    }
    jn_str_addc(&l->out, ']');
}

/* The matrices of u, u̇, …: name, name_1, … */
static void put_series(jn_listing *l, const jn_analysis *a, const char *name, const jn_dense *m,
                       int n)
{
    char numbered[32];
    for (int k = 0; k < n; k++) {
        snprintf(numbered, sizeof numbered, k ? "%s_%d" : "%s", name, k);
        if (k == 0 || !jn_dense_is_zero(&m[k]))
            put_matrix(l, a, numbered, &m[k]);
    }
}

static void put_poly(jn_listing *l, const jn_analysis *a, const jn_poly *p)
{
    if (p->degree < 0) {
        jn_str_add(&l->out, "null");
        return;
    }
    jn_str_addc(&l->out, '[');
    for (int i = 0; i <= p->degree; i++) {
        jn_str_add(&l->out, i ? ", " : "");
        put_value(l, a, p->c[i]);
    }
    jn_str_addc(&l->out, ']');
}

static void put_roots(jn_listing *l, const jn_pole *p, int n)
{
    jn_str_addc(&l->out, '[');
    for (int i = 0; i < n; i++) {
        jn_str_add(&l->out, i ? ", [" : "[");
        jni_print_double(&l->out, p[i].re);
        jn_str_add(&l->out, ", ");
        jni_print_double(&l->out, p[i].im);
        jn_str_addc(&l->out, ']');
    }
    jn_str_addc(&l->out, ']');
}

static void put_combinations(jn_listing *l, const jn_analysis *a, const jn_combination *c, int n)
{
    jn_str text;
    jn_str_init(&text);
    jn_str_addc(&l->out, '[');
    for (int i = 0; i < n; i++) {
        jn_str_reset(&text);
        jni_print_combination(&text, a, &c[i]);
        jn_str_add(&l->out, i ? ", " : "");
        jn_json_string(&l->out, jn_str_c(&text));
    }
    jn_str_addc(&l->out, ']');
    jn_str_clear(&text);
}

static void put_storages(jn_listing *l, const jn_graph *g, const int *storage, int n)
{
    jn_str_addc(&l->out, '[');
    for (int i = 0; i < n; i++) {
        jn_str_add(&l->out, i ? ", " : "");
        jn_json_string(&l->out, g->element[g->storage[storage[i]]].name);
    }
    jn_str_addc(&l->out, ']');
}

/* ---- one mode ------------------------------------------------------------------------------ */

static void put_reachability(jn_listing *l, const jn_analysis *a, const char *name,
                             const jn_dynamics *d, const jn_reachability *r)
{
    jn_str_addf(&l->out, "\"%s\": ", name);
    if (!d->regular) {
        jn_str_add(&l->out, "null");
        return;
    }
    jn_str_addf(&l->out, "{\"exact\": %s, \"complete\": %s", jni_answer_json(r->exact),
                jni_answer_json(r->complete));
    if (r->rank >= 0)
        jn_str_addf(&l->out, ", \"rank\": %d, \"certified\": %s", r->rank,
                    r->certified ? "true" : "false");
    jn_str_add(&l->out, ", \"combinations\": ");
    put_combinations(l, a, r->combination, r->ncombinations);
    jn_str_addc(&l->out, '}');
}

static void put_question(jn_listing *l, const jn_analysis *a, const jn_mode_analysis *r,
                         bool control)
{
    const jn_structural *s = control ? &r->control : &r->observe;
    const char *why = jn_reachability_differs(r, control);
    jn_str_addf(&l->out, ",\n   \"%s\": {", control ? "controllability" : "observability");
    put_reachability(l, a, "generic", &r->generic,
                     control ? &r->generic.control : &r->generic.observe);
    jn_str_add(&l->out, ",\n    ");
    put_reachability(l, a, "values", &r->valued, control ? &r->valued.control : &r->valued.observe);
    jn_str_addf(&l->out, ",\n    \"structural\": {\"holds\": %s, \"unreached\": ",
                jni_answer_json(s->holds));
    put_storages(l, a->graph, s->unreached, s->nunreached);
    jn_str_addf(&l->out, ", \"integral\": %d}", s->nintegral);
    if (why) {
        jn_str_add(&l->out, ", \"differs\": ");
        jn_json_string(&l->out, why);
    }
    jn_str_addc(&l->out, '}');
}

static void put_dependent(jn_listing *l, const jn_analysis *a, const jn_mode_analysis *r)
{
    jn_str text;
    jn_str_init(&text);
    bool first = true;
    jn_str_add(&l->out, ",\n   \"dependent\": {");
    for (int i = 0; i < r->equation.n; i++) {
        jn_combination c;
        if (!jn_mode_dependence(&c, r, a, i))
            continue;
        jn_str_reset(&text);
        jni_print_combination(&text, a, &c);
        jn_str_add(&l->out, first ? "" : ", ");
        jn_json_string(&l->out, a->graph->element[a->graph->storage[i]].name);
        jn_str_add(&l->out, ": ");
        jn_json_string(&l->out, jn_str_c(&text));
        jn_combination_clear(&c);
        first = false;
    }
    jn_str_addc(&l->out, '}');
    jn_str_clear(&text);
}

/* The key, then by output and input what `put` writes. */
typedef void entry_writer(jn_listing *l, const jn_analysis *a, const jn_mode_analysis *r, int e);

static void put_transfer(jn_listing *l, const jn_analysis *a, const jn_mode_analysis *r, int e)
{
    put_value(l, a, jn_mode_dynamics(r)->transfer[e]);
}

static void put_gain(jn_listing *l, const jn_analysis *a, const jn_mode_analysis *r, int e)
{
    jn_ratfun gain = jn_mode_dynamics(r)->gain[e];
    if (gain.id < 0)
        jn_str_add(&l->out, "null");
    else
        put_value(l, a, gain);
}

static void put_zeros(jn_listing *l, const jn_analysis *a, const jn_mode_analysis *r, int e)
{
    (void)a;
    put_roots(l, r->zero[e], r->nzeros[e]);
}

static void put_entries(jn_listing *l, const jn_analysis *a, const jn_mode_analysis *r,
                        const char *name, entry_writer *put)
{
    const jn_dynamics *d = jn_mode_dynamics(r);
    int nu = d->Bz.ncols;
    jn_str_addf(&l->out, ",\n   \"%s\": [", name);
    for (int i = 0; i < d->C.nrows; i++) {
        jn_str_add(&l->out, i ? ", [" : "[");
        for (int j = 0; j < nu; j++) {
            jn_str_add(&l->out, j ? ", " : "");
            put(l, a, r, i * nu + j);
        }
        jn_str_addc(&l->out, ']');
    }
    jn_str_addc(&l->out, ']');
}

static void put_names(jn_listing *l, const jn_graph *g, const int *output, int n)
{
    jn_str_addc(&l->out, '[');
    for (int i = 0; i < n; i++) {
        jn_str_add(&l->out, i ? ", " : "");
        jn_json_string(&l->out, g->output[output[i]].name);
    }
    jn_str_addc(&l->out, ']');
}

/* Those of the whole system, then those of each transfer function. */
static void put_all_zeros(jn_listing *l, const jn_analysis *a, const jn_mode_analysis *r)
{
    const jn_dynamics *d = r->valued.zeros_known ? &r->valued : &r->generic;
    jn_str_add(&l->out, ",\n   \"zeros\": {\"rank\": ");
    if (d->zeros_known)
        jn_str_addf(&l->out, "%d", d->rank);
    else
        jn_str_add(&l->out, "null");
    jn_str_add(&l->out, ", \"polynomial\": ");
    put_poly(l, a, &jn_mode_dynamics(r)->zeros);
    jn_str_add(&l->out, ", \"polynomial_values\": ");
    put_poly(l, a, &r->valued.zeros);
    jn_str_add(&l->out, ", \"roots\": ");
    if (r->valued.zeros_known && r->ninvariant == r->valued.zeros.degree)
        put_roots(l, r->invariant, r->ninvariant);
    else
        jn_str_add(&l->out, "null");
    if (jn_mode_dynamics(r)->transfer_known && r->valued.transfer_known)
        put_entries(l, a, r, "entries", put_zeros);
    jn_str_addc(&l->out, '}');
}

static void put_outputs(jn_listing *l, const jn_analysis *a, const jn_mode_analysis *r)
{
    const jn_dynamics *d = jn_mode_dynamics(r);
    if (r->nopen) {
        jn_str_add(&l->out, ",\n   \"outputs_open\": ");
        put_names(l, a->graph, r->open, r->nopen);
    }
    if (!d->outputs)
        return;
    jn_str_add(&l->out, ",\n   \"outputs\": ");
    put_names(l, a->graph, r->output, r->noutputs);
    put_matrix(l, a, "C", &d->C);
    put_series(l, a, "D", d->D, d->index + 1);
    if (d->transfer_known) {
        put_entries(l, a, r, "transfer", put_transfer);
        put_entries(l, a, r, "gain", put_gain);
    }
    put_all_zeros(l, a, r);
}

/* {"b3.e": "L2.p - V", …} */
static void put_impulses(jn_listing *l, const jn_analysis *a, const jn_impulses *p)
{
    jn_str text;
    jn_str_init(&text);
    jn_str_add(&l->out, p->known ? ",\n   \"impulses\": {" : ",\n   \"impulses\": null");
    for (int i = 0; i < p->n; i++) {
        const jn_impulse *q = &p->impulse[i];
        jn_str_add(&l->out, i ? ", " : "");
        jn_str_reset(&text);
        jn_str_addf(&text, "%s.%c", a->graph->bond[q->bond].name, q->effort ? 'e' : 'f');
        jn_json_string(&l->out, jn_str_c(&text));
        jn_str_reset(&text);
        jni_print_combination(&text, a, &q->area);
        jn_str_add(&l->out, ": ");
        jn_json_string(&l->out, jn_str_c(&text));
    }
    jn_str_add(&l->out, p->known ? "}" : "");
    jn_str_clear(&text);
}

static void put_poles(jn_listing *l, const jn_analysis *a, const jn_mode_analysis *r)
{
    jn_str_add(&l->out, ",\n   \"poles\": ");
    if (!r->valued.regular || r->npoles != r->valued.order) {
        jn_str_add(&l->out, "null");
    } else {
        put_roots(l, r->pole, r->npoles);
        jn_str_add(&l->out, ", \"frequency\": [");
        for (int i = 0; i < r->npoles; i++) {
            jn_str_add(&l->out, i ? ", " : "");
            jni_print_double(&l->out, r->pole[i].frequency);
        }
        jn_str_add(&l->out, "], \"damping\": [");
        for (int i = 0; i < r->npoles; i++) {
            jn_str_add(&l->out, i ? ", " : "");
            jni_print_double(&l->out, r->pole[i].damping);
        }
        jn_str_addc(&l->out, ']');
    }
    jn_str_addf(&l->out, ", \"stable\": %s", jni_answer_json(r->stable));
    if (r->stable != JN_UNKNOWN)
        jn_str_addf(&l->out, ", \"left\": %d, \"axis\": %d, \"right\": %d", r->halves.left,
                    r->halves.axis, r->halves.right);
    if (r->smith_known) {
        jn_str_add(&l->out, ", \"smith\": [");
        for (int i = 0; i < r->smith.nfactors; i++) {
            jn_str_add(&l->out, i ? ", " : "");
            put_poly(l, a, &r->smith.factor[i]);
        }
        jn_str_addc(&l->out, ']');
    }
}

/* x⁺ = Π x⁻ + Σ U_k u^(k); where E is invertible there is no U, and the inputs have no part. */
static void put_jump(jn_listing *l, const jn_analysis *a, const jn_dynamics *d)
{
    if (!d->jump.k)
        return;
    put_matrix(l, a, "jump", &d->jump);
    if (d->index > 0) {
        put_series(l, a, "jump_u", d->U, d->index);
        return;
    }
    jn_dense none;
    jn_dense_init(&none, d->jump.nrows, d->Bz.ncols, d->jump.k);
    put_matrix(l, a, "jump_u", &none);
    jn_dense_clear(&none);
}

static void put_regular(jn_listing *l, const jn_analysis *a, const jn_mode_analysis *r)
{
    const jn_dynamics *d = jn_mode_dynamics(r);
    jn_str_addf(&l->out, ", \"order\": %d, \"index\": %d, \"infinite\": [", d->order, d->index);
    for (int i = 0; i < d->nblocks; i++)
        jn_str_addf(&l->out, "%s%d", i ? ", " : "", d->block[i]);
    jn_str_addc(&l->out, ']');
    if (r->valued.regular)
        jn_str_addf(&l->out, ", \"order_values\": %d, \"index_values\": %d", r->valued.order,
                    r->valued.index);
    else
        jn_str_add(&l->out, ", \"order_values\": null, \"index_values\": null");
    jn_str_add(&l->out, ",\n   \"charpoly\": ");
    put_poly(l, a, &d->charpoly);
    jn_str_add(&l->out, ", \"charpoly_values\": ");
    put_poly(l, a, &r->valued.charpoly);
    put_poles(l, a, r);
    jn_str_addf(&l->out, ",\n   \"controllable\": %s, \"observable\": %s",
                jni_answer_json(d->control.exact), jni_answer_json(d->observe.exact));
    put_question(l, a, r, true);
    if (d->outputs)
        put_question(l, a, r, false);
    put_dependent(l, a, r);
    jn_str_add(&l->out, ",\n   \"states\": ");
    put_storages(l, a->graph, d->state, d->order);
    put_matrix(l, a, "M", &d->J);
    put_series(l, a, "N", d->N, d->index + 1);
    put_outputs(l, a, r);
    put_jump(l, a, d);
    put_impulses(l, a, &r->impulses);
    if (d->loss_known)
        put_matrix(l, a, d->index > 1 ? "loss_without_inputs" : "loss", &d->loss);
}

static void mode(jn_listing *l, const jn_analysis *a, const jn_onoff *m, const jn_mode_analysis *r)
{
    const jn_dynamics *d = jn_mode_dynamics(r);
    jn_str_add(&l->out, l->written++ ? ",\n  {\"mode\": \"" : ",\n \"modes\": [\n  {\"mode\": \"");
    jni_listing_mode(&l->out, l, m);
    jn_str_addf(&l->out, "\", \"status\": \"%s\"", jn_mode_status_name(r->equation.status));
    if (r->equation.reason) {
        jn_str_add(&l->out, ", \"reason\": ");
        jn_json_string(&l->out, r->equation.reason);
    }
    if (r->status_at_values != r->equation.status)
        jn_str_addf(&l->out, ", \"status_values\": \"%s\"",
                    jn_mode_status_name(r->status_at_values));
    if (r->equation.status == JN_MODE_OK) {
        jn_str_addf(&l->out, ", \"regular\": %s",
                    d->known ? d->regular ? "true" : "false" : "null");
        if (d->regular)
            put_regular(l, a, r);
    }
    jn_str_addc(&l->out, '}');
}

/* ---- from one mode to another, begin, end -------------------------------------------------- */

static void passage(jn_listing *l, const jn_analysis *a, const jn_onoff *from, const jn_onoff *to,
                    const jn_passage *t)
{
    jn_str_add(&l->out, ",\n \"passage\": {\"from\": \"");
    jni_listing_mode(&l->out, l, from);
    jn_str_add(&l->out, "\", \"to\": \"");
    jni_listing_mode(&l->out, l, to);
    jn_str_addf(&l->out, "\", \"from_status\": \"%s\", \"to_status\": \"%s\", \"impulse_free\": %s",
                jn_mode_status_name(t->from), jn_mode_status_name(t->to),
                t->known ? t->impulse_free ? "true" : "false" : "null");
    if (t->steady)
        jn_str_add(&l->out, ", \"steady_inputs\": true");
    if (t->why) {
        jn_str_add(&l->out, ", \"why\": ");
        jn_json_string(&l->out, t->why);
    }
    jn_str_add(&l->out, ", \"conditions\": ");
    put_combinations(l, a, t->condition, t->nconditions);
    jn_str_addc(&l->out, '}');
}

static void begin(jn_listing *l, const jn_analysis *a)
{
    (void)a;
    jni_json_head(l);
    jn_str_add(&l->out, ",\n ");
    jni_json_forbidden(l);
}

static void end(jn_listing *l)
{
    jn_str_add(&l->out, l->written ? "]}\n" : "}\n");
}

const jn_analysis_writer jni_analysis_json = {begin, jni_json_across, mode, passage, end};
