/* analyse_page.c: the analysis of one mode as a page; text and LaTeX. */
#include "analyse_internal.h"

enum { DIGITS = 6 }; /* of poles and zeros */

/* ---- order, index, poles ------------------------------------------------------------------- */

static void add_structure(jn_page *p, jn_table_item *t, const jn_mode_analysis *r)
{
    const jn_dynamics *d = jn_mode_dynamics(r);
    jn_line_text(p, jni_table_field(p, t, "order"), "%d of %d storage%s", d->order, r->equation.n,
                 r->equation.n == 1 ? "" : "s");
    jn_line *line = jni_table_field(p, t, "index");
    jn_line_text(p, line, "%d", d->index);
    if (d->nblocks) {
        jn_line_text(p, line, "; %d infinite eigenvalue%s in %s of size ", r->equation.n - d->order,
                     r->equation.n - d->order == 1 ? "" : "s",
                     d->nblocks == 1 ? "a block" : "blocks");
        for (int i = 0; i < d->nblocks; i++)
            if (i == 0 || d->block[i] != d->block[i - 1]) {
                int count = 1;
                while (i + count < d->nblocks && d->block[i + count] == d->block[i])
                    count++;
                jn_line_text(p, line, "%s%d", i ? ", " : "", d->block[i]);
                if (count > 1)
                    jn_line_text(p, line, " (%d times)", count);
            }
    }
    bool both = r->generic.known && r->valued.regular;
    if (r->status_at_values != JN_MODE_OK)
        jn_line_text(p, jni_table_field(p, t, "at the values"), "the mode is %s",
                     jn_mode_status_name(r->status_at_values));
    if (both && (r->generic.order != r->valued.order || r->generic.index != r->valued.index))
        jn_line_text(p, jni_table_field(p, t, "at the values"), "order %d, index %d",
                     r->valued.order, r->valued.index);
}

static void add_poly(jn_page *p, jn_table_item *t, const char *name, const jn_analysis *a,
                     const jn_poly *q)
{
    jni_line_poly(p, jni_table_field(p, t, name), a, q);
}

static void add_polynomials(jn_page *p, jn_table_item *t, const jn_analysis *a,
                            const jn_mode_analysis *r)
{
    add_poly(p, t, "det(sE - A)", a, &jn_mode_dynamics(r)->charpoly);
    if (r->generic.known && r->valued.regular)
        add_poly(p, t, "with values", a, &r->valued.charpoly);
    for (int i = 0; i < r->smith.nfactors && r->smith.nfactors > 1; i++)
        add_poly(p, t, i ? "" : "Smith form", a, &r->smith.factor[i]);
    jn_line *line = jni_table_field(p, t, "stable");
    jn_line_text(p, line, "%s", jni_answer_word(r->stable));
    if (r->stable != JN_UNKNOWN)
        jn_line_text(p, line, "; poles: %d left of, %d on, %d right of the imaginary axis",
                     r->halves.left, r->halves.axis, r->halves.right);
}

static void add_poles(jn_page *p, const jn_mode_analysis *r)
{
    if (r->npoles == 0)
        return;
    jn_line_text(p, jn_page_heading(p, 2), "Poles");
    jn_table_item *t = jn_page_table(p, 3, true);
    jn_line *row = jn_table_row(p, t);
    jn_line_text(p, &row[0], "pole");
    jn_line_text(p, &row[1], "frequency (rad/s)");
    jn_line_text(p, &row[2], "damping");
    for (int i = 0; i < r->npoles; i++) {
        row = jn_table_row(p, t);
        jni_line_complex(p, &row[0], DIGITS, r->pole[i].re, r->pole[i].im, false);
        jni_line_number(p, &row[1], DIGITS, r->pole[i].frequency);
        jni_line_number(p, &row[2], DIGITS, r->pole[i].damping);
    }
}

/* ---- controllability and observability ----------------------------------------------------- */

static void add_exact(jn_page *p, jn_line *line, const jn_reachability *x, int order)
{
    jn_line_text(p, line, "%s", jni_answer_word(x->exact));
    if (x->rank >= 0 && x->exact != JN_YES)
        jn_line_text(p, line, " (rank %s%d of %d)", x->certified ? "" : "at least ", x->rank,
                     order);
    if (x->complete != JN_UNKNOWN)
        jn_line_text(p, line, "; completely, with the infinite eigenvalues: %s",
                     jni_answer_word(x->complete));
}

static void add_structural(jn_page *p, jn_line *line, const jn_graph *g, const jn_structural *s,
                           bool control)
{
    jn_line_text(p, line, "%s", jni_answer_word(s->holds));
    if (s->nunreached) {
        jn_line_text(p, line,
                     control ? "; no causal path from a source to "
                             : "; no causal path to an output from ");
        for (int i = 0; i < s->nunreached; i++) {
            jn_line_text(p, line, "%s", i ? ", " : "");
            jn_line_name(p, line, g->element[g->storage[s->unreached[i]]].name);
        }
    }
    if (s->nintegral)
        jn_line_text(p, line, "; %d state%s keep%s integral causality", s->nintegral,
                     s->nintegral == 1 ? "" : "s", s->nintegral == 1 ? "s" : "");
}

static bool same_reachability(const jn_reachability *a, const jn_reachability *b)
{
    return a->exact == b->exact && a->complete == b->complete &&
           (a->exact == JN_YES || a->rank == b->rank);
}

static void add_reachability(jn_page *p, jn_table_item *t, const jn_analysis *a,
                             const jn_mode_analysis *r, bool control)
{
    const jn_dynamics *d = jn_mode_dynamics(r);
    const jn_reachability *x = control ? &d->control : &d->observe;
    const jn_reachability *valued = control ? &r->valued.control : &r->valued.observe;
    add_exact(p, jni_table_field(p, t, control ? "controllable" : "observable"), x, d->order);
    if (r->generic.known && r->valued.regular && !same_reachability(valued, x)) {
        add_exact(p, jni_table_field(p, t, "at the values"), valued, r->valued.order);
        x = valued;
    }
    for (int i = 0; i < x->ncombinations; i++)
        jni_line_combination(p,
                             jni_table_field(p, t,
                                             i         ? ""
                                             : control ? "no input changes"
                                                       : "no output shows"),
                             a, &x->combination[i]);
    if (!a->nfed)
        add_structural(p, jni_table_field(p, t, "by causal paths"), a->graph,
                       control ? &r->control : &r->observe, control);
    const char *why = jn_reachability_differs(r, control);
    if (why)
        jn_line_text(p, jni_table_field(p, t, "they differ"), "%s", why);
}

/* ---- equations ----------------------------------------------------------------------------- */

static void add_dependent(jn_page *p, const jn_analysis *a, const jn_mode_analysis *r)
{
    jn_table_item *t = NULL;
    for (int i = 0; i < r->equation.n; i++) {
        jn_combination c;
        if (!jn_mode_dependence(&c, r, a, i))
            continue;
        if (!t) {
            jn_line_text(p, jn_page_heading(p, 2), "Dependent storages");
            t = jn_page_table(p, 1, false);
        }
        jn_line *line = jn_table_row(p, t);
        jn_line_symbol(p, line, jni_storage_symbol(a->graph, i, false));
        jn_line_math(p, line, " = ", " = ");
        jni_line_combination(p, line, a, &c);
        jn_combination_clear(&c);
    }
}

static void add_reduced(jn_page *p, const jn_analysis *a, const jn_dynamics *d)
{
    if (d->order == 0)
        return;
    jn_line_text(p, jn_page_heading(p, 2), "State equation");
    jn_table_item *t = jn_page_table(p, 1, false);
    for (int i = 0; i < d->order; i++) {
        jn_line *line = jn_table_row(p, t);
        jn_line_symbol(p, line, jni_storage_symbol(a->graph, d->state[i], true));
        jn_line_math(p, line, " = ", " = ");
        jni_line_sum(p, line, a, &d->J, d->state, d->N, d->index + 1, i);
    }
}

static void add_outputs(jn_page *p, const jn_analysis *a, const jn_mode_analysis *r)
{
    const jn_dynamics *d = jn_mode_dynamics(r);
    if (!d->outputs)
        return;
    jn_line_text(p, jn_page_heading(p, 2), "Outputs");
    jn_table_item *t = jn_page_table(p, 1, false);
    for (int i = 0; i < d->C.nrows; i++) {
        jn_line *line = jn_table_row(p, t);
        jn_line_name(p, line, a->graph->output[r->output[i]].name);
        jn_line_math(p, line, " = ", " = ");
        jni_line_sum(p, line, a, &d->C, d->state, d->D, d->index + 1, i);
    }
}

static void add_roots(jn_page *p, jn_line *line, const jn_pole *root, int n)
{
    for (int i = 0; i < n; i++) {
        jn_line_text(p, line, "%s", i ? ", " : "");
        jni_line_complex(p, line, DIGITS, root[i].re, root[i].im, false);
    }
}

static void add_zeros(jn_page *p, jn_line *line, const jn_mode_analysis *r, int entry)
{
    if (!r->valued.transfer_known)
        return;
    add_roots(p, line, r->zero[entry], r->nzeros[entry]);
    if (r->nzeros[entry] == 0)
        jn_line_text(p, line, "none");
}

static void add_transfer(jn_page *p, const jn_analysis *a, const jn_mode_analysis *r)
{
    const jn_graph *g = a->graph;
    const jn_dynamics *d = jn_mode_dynamics(r);
    jn_table_item *t = NULL;
    int nu = d->Bz.ncols;
    for (int e = 0; d->transfer_known && e < d->C.nrows * nu; e++) {
        if (jn_ratfun_is_zero(d->transfer[e]))
            continue;
        if (!t) {
            jn_line_text(p, jn_page_heading(p, 2), "Transfer functions that are not zero");
            t = jn_page_table(p, 5, true);
            jn_line *head = jn_table_row(p, t);
            const char *const names[] = {"output", "input", "gain", "zeros", "G(s)"};
            for (int k = 0; k < 5; k++)
                jn_line_text(p, &head[k], "%s", names[k]);
        }
        jn_line *row = jn_table_row(p, t);
        jn_line_name(p, &row[0], g->output[r->output[e / nu]].name);
        jn_line_name(p, &row[1], g->element[g->source[e % nu]].name);
        if (d->gain[e].id < 0)
            jn_line_text(p, &row[2], "infinite");
        else
            jn_line_value(p, &row[2], d->gain[e]);
        add_zeros(p, &row[3], r, e);
        jn_line_value(p, &row[4], d->transfer[e]);
    }
}

/* Those of the whole system: the polynomial, then its roots at the values. */
static void add_invariant(jn_page *p, jn_table_item *t, const jn_analysis *a,
                          const jn_mode_analysis *r)
{
    const jn_dynamics *d = r->generic.zeros_known ? &r->generic : &r->valued;
    if (!d->zeros_known)
        return;
    jn_line *line = jni_table_field(p, t, "invariant zeros");
    if (d->zeros.degree == 0)
        jn_line_text(p, line, "none");
    else
        jni_line_poly(p, line, a, &d->zeros);
    if (d->rank < d->Bz.ncols && d->rank < r->noutputs)
        jn_line_text(p, line, "; G(s) has rank %d only", d->rank);
    if (r->valued.zeros_known && r->valued.rank != d->rank)
        jn_line_text(p, line, ", at the values rank %d", r->valued.rank);
    if (d == &r->generic && r->valued.zeros_known && r->valued.zeros.degree > 0)
        add_poly(p, t, "with values", a, &r->valued.zeros);
    if (r->ninvariant)
        add_roots(p, jni_table_field(p, t, "at s ="), r->invariant, r->ninvariant);
}

static void add_open(jn_page *p, jn_table_item *t, const jn_analysis *a, const jn_mode_analysis *r)
{
    if (r->nopen == 0)
        return;
    jn_line *line = jni_table_field(p, t, "outputs left out");
    for (int i = 0; i < r->nopen; i++) {
        jn_line_text(p, line, "%s", i ? ", " : "");
        jn_line_name(p, line, a->graph->output[r->open[i]].name);
    }
    jn_line_text(p, line, ": a bond in a redundant loop is not determined");
}

/* ---- the page ------------------------------------------------------------------------------ */

static void add_head(jn_page *p, const jn_listing *l, const jn_onoff *m)
{
    const jn_graph *g = jni_listing_graph(l);
    jn_str text;
    jn_str_init(&text);
    if (g->nswitches) {
        jn_str_add(&text, ": mode ");
        jni_listing_mode(&text, l, m);
        jn_str_add(&text, " (");
        jn_write_onoff(&text, g, m);
        jn_str_addc(&text, ')');
    }
    jn_line_text(p, jn_page_heading(p, 1), "%s%s", g->name, jn_str_c(&text));
    jn_str_clear(&text);
}

void jni_page_mode_analysis(jn_page *p, const jn_listing *l, const jn_analysis *a,
                            const jn_onoff *m, const jn_mode_analysis *r)
{
    const jn_dynamics *d = jn_mode_dynamics(r);
    add_head(p, l, m);
    jni_page_feedback(p, a->graph);
    if (r->equation.status != JN_MODE_OK) {
        jn_line_text(p, jn_page_paragraph(p), "%s: %s.",
                     r->equation.status == JN_MODE_FORBIDDEN ? "Forbidden; it would need"
                                                             : "Singular",
                     r->equation.reason ? r->equation.reason : "");
        return;
    }
    if (!d->regular) {
        jn_line_text(p, jn_page_paragraph(p), "%s.",
                     d->known ? "The pencil sE - A is not regular: det(sE - A) is zero" : d->why);
        return;
    }
    jn_table_item *t = jn_page_table(p, 2, false);
    add_structure(p, t, r);
    add_polynomials(p, t, a, r);
    add_reachability(p, t, a, r, true);
    if (d->outputs) {
        add_reachability(p, t, a, r, false);
        add_invariant(p, t, a, r);
    }
    add_open(p, t, a, r);
    if (a->nskipped)
        jn_line_text(p, jni_table_field(p, t, "outputs left out"), "%d, not linear", a->nskipped);
    add_poles(p, r);
    add_dependent(p, a, r);
    add_reduced(p, a, d);
    add_outputs(p, a, r);
    add_transfer(p, a, r);
    jni_page_jump(p, a, r);
}
