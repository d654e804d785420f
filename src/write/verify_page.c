/* verify_page.c: proofs about switching, in sentences. */
#include <stdlib.h>
#include <string.h>

#include "junct/write_verify.h"
#include "verify_internal.h"
#include "write_internal.h"

/* ---- pieces of sentences ------------------------------------------------------------------- */

void jni_print_exact(jn_str *out, const fmpq_t c)
{
    char *text = fmpq_get_str(NULL, 10, c);
    jn_str_add(out, text);
    flint_free(text);
}

/* With what it is about, where the exact number is long. */
static void add_number(jn_str *out, const fmpq_t c)
{
    enum { READABLE = 12 };
    size_t before = out->len;
    jni_print_exact(out, c);
    if (out->len - before > READABLE)
        jn_str_addf(out, " (%.6g)", jn_number_get_d(c));
}

void jni_print_state_name(jn_str *out, const jn_graph *g, int storage)
{
    const jn_element *x = &g->element[g->storage[storage]];
    jn_str_addf(out, "%c(%s)", x->kind == JN_I ? 'p' : 'q', x->name);
}

static bool is_zero_vector(const fmpq *a, int n)
{
    for (int i = 0; i < n; i++)
        if (!fmpq_is_zero(a + i))
            return false;
    return true;
}

static void add_item(jn_str *out, bool *first)
{
    jn_str_add(out, *first ? "" : ", ");
    *first = false;
}

/* "p(L) = 1/3, q(C1) = 0" */
static void add_state(jn_str *out, const jn_graph *g, const fmpq *x, bool *first)
{
    for (int i = 0; i < g->nstorages; i++) {
        add_item(out, first);
        jni_print_state_name(out, g, i);
        jn_str_add(out, " = ");
        add_number(out, x + i);
    }
}

static bool is_constant(const jn_element *x)
{
    return x->input && !jn_expr_varies(x->input);
}

/* "rising by 1/1000 a second" */
static void add_rate(jn_str *out, const fmpq *rate)
{
    fmpq_t much;
    fmpq_init(much);
    fmpq_abs(much, rate);
    jn_str_add(out, fmpq_sgn(rate) < 0   ? "falling by "
                    : fmpq_sgn(rate) > 0 ? "rising by "
                                         : "still");
    if (fmpq_sgn(rate)) {
        jni_print_exact(out, much);
        jn_str_add(out, " a second");
    }
    fmpq_clear(much);
}

/* How fast it changes, where that matters. */
static void add_rates(jn_str *out, const jn_witness *w, int source)
{
    const fmpq *rate = w->rate + source, *before = w->rate_before + source;
    if (fmpq_is_zero(rate) && fmpq_is_zero(before))
        return;
    jn_str_addc(out, ' ');
    add_rate(out, rate);
    if (w->is_start || fmpq_equal(rate, before))
        return;
    jn_str_add(out, " (until then ");
    add_rate(out, before);
    jn_str_addc(out, ')');
}

/* Inputs that are not what the model file says anyway. */
static void add_inputs(jn_str *out, const jn_graph *g, const jn_witness *w, bool *first)
{
    for (int i = 0; i < g->nsources; i++) {
        const jn_element *x = &g->element[g->source[i]];
        bool jumps = !w->is_start && !fmpq_equal(w->before + i, w->input + i);
        bool known = w->follows[i] || (is_constant(x) && !jumps);
        if (known && !w->is_free[i])
            continue;
        add_item(out, first);
        jn_str_addf(out, "%s = ", x->name);
        add_number(out, w->input + i);
        if (jumps) {
            jn_str_add(out, " (until then ");
            add_number(out, w->before + i);
            jn_str_addc(out, ')');
        }
        add_rates(out, w, i);
    }
    for (int i = 0; i < w->ntimes; i++) {
        add_item(out, first);
        jn_expr_print(out, g, w->time[i].e);
        jn_str_add(out, " = ");
        add_number(out, w->time[i].value);
    }
}

/* By the signal that is this integral, where there is one. */
static void add_integral_name(jn_str *out, const jn_graph *g, int k)
{
    for (int i = 0; i < g->nsignals; i++)
        if (g->signal[i].expr->op == JN_X_INT && g->signal[i].expr->index == k) {
            jn_str_addf(out, "%s = ", g->signal[i].name);
            return;
        }
    jn_str_addf(out, g->nintegrals > 1 ? "integral %d = " : "the integral = ", k + 1);
}

static void add_others(jn_str *out, const jn_graph *g, const jn_witness *w, bool *first)
{
    for (int i = 0; i < g->ndiscretes; i++) {
        add_item(out, first);
        jn_str_addf(out, "%s = ", g->discrete[i].name);
        add_number(out, w->discrete + i);
    }
    for (int i = 0; i < g->nintegrals; i++) {
        add_item(out, first);
        add_integral_name(out, g, i);
        add_number(out, w->integral + i);
    }
}

static void add_mode(jn_str *out, const jn_graph *g, const int *state)
{
    for (int k = 0; k < g->nswitches; k++)
        jn_str_addc(out, g->automaton[k].state[state[k]].on ? '1' : '0');
}

/* The states of automata that have more than ON and OFF. */
static void add_automata(jn_str *out, const jn_graph *g, const int *state)
{
    bool first = true;
    for (int k = 0; k < g->nswitches; k++)
        if (g->automaton[k].nstates > 2) {
            jn_str_addf(out, "%s%s %s", first ? " (" : ", ",
                        g->element[g->automaton[k].element].name,
                        g->automaton[k].state[state[k]].name);
            first = false;
        }
    jn_str_add(out, first ? "" : ")");
}

/* "d turns on because e(n) < 0" */
static void add_fired(jn_str *out, const jn_graph *g, jn_fired f)
{
    const jn_automaton *a = &g->automaton[f.automaton];
    const jn_transition *t = &a->transition[f.transition];
    const char *name = g->element[a->element].name;
    if (a->nstates <= 2 && a->state[t->to].on != a->state[t->from].on)
        jn_str_addf(out, "%s turns %s", name, a->state[t->to].on ? "on" : "off");
    else if (t->to == t->from)
        jn_str_addf(out, "%s sets its values", name);
    else
        jn_str_addf(out, "%s goes from %s to %s", name, a->state[t->from].name,
                    a->state[t->to].name);
    jn_str_add(out, " because ");
    jn_expr_print(out, g, t->when);
}

static void add_text(jn_page *p, jn_line *line, jn_str *text)
{
    jn_line_text(p, line, "%s", jn_str_c(text));
    jn_str_reset(text);
}

/* ---- a witness ----------------------------------------------------------------------------- */

static void tell_start(jn_str *out, const jn_graph *g, const jn_witness *w)
{
    bool first = true;
    jn_str_add(out, w->is_start ? "As the model starts, in mode " : "From mode ");
    add_mode(out, g, w->start);
    add_automata(out, g, w->start);
    if (g->nstorages)
        jn_str_add(out, is_zero_vector(w->x, w->nx) && g->nstorages > 3 ? " with all p and q = 0"
                                                                        : " with ");
    if (g->nstorages && !(is_zero_vector(w->x, w->nx) && g->nstorages > 3))
        add_state(out, g, w->x, &first);
    else
        first = !g->nstorages;
    jn_str rest;
    bool none = true;
    jn_str_init(&rest);
    add_inputs(&rest, g, w, &none);
    add_others(&rest, g, w, &none);
    if (rest.len)
        jn_str_addf(out, "%s%s", first ? " with " : " and ", jn_str_c(&rest));
    jn_str_clear(&rest);
}

/* What time does first. */
static void tell_clock(jn_str *out, const jn_graph *g, const jn_witness *w)
{
    bool first = true;
    for (int k = 0; k < g->nswitches; k++) {
        int to = w->step[0].state[k];
        if (to == w->start[k])
            continue;
        jn_str_addf(out, "%s%s %s", first ? " the clock turns " : ", ",
                    g->element[g->automaton[k].element].name,
                    g->automaton[k].state[to].on ? "on" : "off");
        first = false;
    }
    if (!first)
        jn_str_add(out, ";");
}

static const char *kind_of(const struct jn_witness_step *s)
{
    return s->commits ? "its jump counts" : "it is only asked";
}

static void tell_step(jn_str *out, const jn_graph *g, const jn_witness *w, int i)
{
    const struct jn_witness_step *s = &w->step[i];
    if (i > 0) {
        jn_str_add(out, ", which leads to mode ");
        add_mode(out, g, s->state);
        add_automata(out, g, s->state);
        if (s->nfired)
            jn_str_addf(out, " (%s); there", kind_of(s));
    }
    for (int k = 0; k < s->nfired; k++) {
        jn_str_add(out, k ? " and " : " ");
        add_fired(out, g, s->fired[k]);
    }
}

static void tell_end(jn_str *out, const jn_graph *g, const jn_witness *w)
{
    if (w->cycle < 0)
        return;
    jn_str_add(out, ", which leads to mode ");
    add_mode(out, g, w->step[w->cycle].state);
    if (w->shrinks) {
        jn_str_add(out, " again, where every p and q has become ");
        jni_print_exact(out, w->factor);
        jn_str_add(out, " of what it was when this mode was met before");
    } else {
        jn_str_add(out, " again with the same state");
    }
    jn_str_add(out, w->shrinks
                        ? "; from there the same changes follow each other again, without end"
                        : ", and so on for ever");
}

void jni_print_varied_name(jn_str *out, const jn_graph *g, int number)
{
    if (number < g->nstorages)
        jni_print_state_name(out, g, number);
    else
        jn_str_add(out, g->element[g->source[number - g->nstorages]].name);
}

/* "3/8 < p(L) <= 1" */
static void add_range(jn_str *out, const jn_graph *g, const struct jn_witness_range *r)
{
    if (r->has_low && r->has_high) {
        jni_print_exact(out, r->low);
        jn_str_add(out, r->low_included ? " <= " : " < ");
    }
    jni_print_varied_name(out, g, r->number);
    if (r->has_high) {
        jn_str_add(out, r->high_included ? " <= " : " < ");
        jni_print_exact(out, r->high);
    } else {
        jn_str_add(out, r->low_included ? " >= " : " > ");
        jni_print_exact(out, r->low);
    }
}

static void tell_ranges(jn_str *out, const jn_graph *g, const jn_witness *w)
{
    for (int i = 0; i < w->nranges; i++) {
        jn_str_add(out,
                   i ? i + 1 == w->nranges ? ", or for " : ", for " : " The same happens for ");
        add_range(out, g, &w->range[i]);
    }
    if (w->nranges)
        jn_str_add(out, w->nranges > 1                   ? ", all else being as it is."
                        : g->nstorages + g->nsources > 1 ? ", all else being as it is."
                                                         : ".");
}

static void tell_flow(jn_str *out, const jn_graph *g, const jn_witness *w)
{
    jn_str_add(out, " In mode ");
    add_mode(out, g, w->start);
    add_automata(out, g, w->start);
    jn_str_add(out, " the state does not go there by itself: something has to take it there.");
}

/* What a claim compares, where it fails. */
static void tell_values(jn_str *out, const jn_graph *g, const jn_witness *w)
{
    for (int i = 0; i < w->nvalues; i++) {
        jn_str_add(out, i ? i + 1 == w->nvalues ? " and " : ", " : ", with ");
        jn_expr_print(out, g, w->value[i].e);
        jn_str_addf(out, " = %.6g", w->value[i].value);
    }
}

/* Nothing fires in the one candidate that there is. */
static void tell_lasting(jn_str *out, const jn_graph *g, const jn_witness *w)
{
    bool is_clock =
        memcmp(w->start, w->step[0].state, (size_t)g->nswitches * sizeof *w->start) != 0;
    jn_str_add(out, is_clock ? " that leads to mode " : " mode ");
    add_mode(out, g, w->step[0].state);
    if (w->is_dead)
        jn_str_add(out, is_clock ? ", which no condition leaves" : " is left by no condition");
    else if (!is_clock)
        jn_str_add(out, " lasts there");
}

static void tell_witness(jn_page *p, const jn_graph *g, const jn_witness *w)
{
    jn_str text;
    jn_str_init(&text);
    tell_start(&text, g, w);
    jn_str_add(&text, ":");
    tell_clock(&text, g, w);
    if (w->nsteps == 1 && !w->step[0].nfired)
        tell_lasting(&text, g, w);
    for (int i = 0; i < w->nsteps; i++)
        tell_step(&text, g, w, i);
    tell_end(&text, g, w);
    tell_values(&text, g, w);
    if (w->is_dead)
        jn_str_add(&text, ", and there sources are in conflict");
    if (w->is_replayed)
        jn_str_add(&text, w->is_dead ? ". A run stops there." : ". A run does the same.");
    else
        jn_str_addf(&text, ". A run does not: %s.", w->replay);
    if (w->against_flow)
        tell_flow(&text, g, w);
    tell_ranges(&text, g, w);
    add_text(p, jn_page_paragraph(p), &text);
    jn_str_clear(&text);
}

/* ---- the answers --------------------------------------------------------------------------- */

static void tell_place(jn_str *out, jn_place place)
{
    int line, column;
    if (!place.source)
        return;
    jn_place_line(&line, &column, place);
    jn_str_addf(out, " (line %d)", line);
}

static void tell_open(jn_page *p, jn_line *line, const jn_finding *f)
{
    jn_str text;
    jn_str_init(&text);
    jn_str_addf(&text, "open: %s", f->why ? f->why : "not known");
    tell_place(&text, f->place);
    jn_str_addc(&text, '.');
    add_text(p, line, &text);
    jn_str_clear(&text);
}

static void answer(jn_page *p, const jn_graph *g, const char *question, const jn_finding *f,
                   const char *proved, const char *refuted)
{
    jn_line *line = jn_page_paragraph(p);
    jn_line_text(p, line, "%s: ", question);
    if (f->verdict == JN_OPEN)
        tell_open(p, line, f);
    else
        jn_line_text(p, line, "%s", f->verdict == JN_PROVED ? proved : refuted);
    if (f->witness)
        tell_witness(p, g, f->witness);
}

static void tell_settling(jn_page *p, const jn_verification *v)
{
    char proved[160];
    if (v->changes_found < v->changes)
        jn_format(
            proved, sizeof proved,
            "proved. Every instant ends, after %d change%s at most; the longest found takes %d.",
            v->changes, v->changes == 1 ? "" : "s", v->changes_found);
    else if (v->changes == 0)
        jn_format(proved, sizeof proved, "proved. Nothing but time changes a switch.");
    else
        jn_format(proved, sizeof proved, "proved. Every instant ends, after %d change%s at most.",
                  v->changes, v->changes == 1 ? "" : "s");
    answer(p, v->graph, "Settling", &v->settling, proved,
           "refuted. There are instants that never end.");
}

/* Of instants that never end nothing is said: what they would end in is not known. */
static void tell_race(jn_page *p, const jn_verification *v)
{
    bool all_end = v->settling.verdict == JN_PROVED;
    answer(p, v->graph, "Races", &v->races,
           all_end
               ? "proved. Where several changes come together their order does not matter."
               : "proved where instants end. Where several changes come together and the instant "
                 "ends, their order does not matter; of instants that never end nothing is said.",
           "refuted. Taken one after the other, changes that come together may end elsewhere.");
    if (!v->races.witness || !v->race_end)
        return;
    jn_str text;
    jn_str_init(&text);
    size_t n = (size_t)v->graph->nswitches;
    const jn_witness *w = v->races.witness;
    bool same = !memcmp(v->race_end, w->step[w->nsteps - 1].mode, n);
    jn_mode_print(&text, v->graph, v->race_end);
    if (same)
        jn_str_addf(&text, " as well, but with %s", v->race_differs);
    jn_line_text(p, jn_page_paragraph(p), "One after the other, they end in mode %s.",
                 jn_str_c(&text));
    jn_str_clear(&text);
}

void jni_print_never(jn_str *out, const jn_graph *g, const jn_never *n)
{
    const jn_automaton *a = n->automaton >= 0 ? &g->automaton[n->automaton] : NULL;
    switch (n->kind) {
    case JN_NEVER_CONDITION:
        jn_str_add(out, "the condition ");
        jn_expr_print(out, g, a->transition[n->transition].when);
        jn_str_addf(out, " of %s, from %s to %s", g->element[a->element].name,
                    a->state[a->transition[n->transition].from].name,
                    a->state[a->transition[n->transition].to].name);
        return;
    case JN_NEVER_SWITCH:
        jn_str_addf(out, "the switch %s", g->element[a->element].name);
        return;
    case JN_NEVER_MODE:
        jn_str_add(out, "mode ");
        jn_mode_print(out, g, n->mode);
        return;
    }
}

static void tell_never(jn_page *p, const jn_verification *v)
{
    static const char *const title[] = {"Conditions that never hold", "Modes that never last",
                                        "Switches that never change"};
    if (!v->never_known) {
        jn_line_text(p, jn_page_paragraph(p), "What never happens: open: %s.", v->never_why);
        return;
    }
    for (int kind = JN_NEVER_CONDITION; kind <= JN_NEVER_SWITCH; kind++) {
        jn_line *line = NULL;
        for (int i = 0; i < v->nnever; i++) {
            jn_str text;
            if ((int)v->never[i].kind != kind)
                continue;
            jn_str_init(&text);
            jn_str_add(&text, line ? "; " : "");
            jni_print_never(&text, v->graph, &v->never[i]);
            tell_place(&text, v->never[i].place);
            if (!line) {
                line = jn_page_paragraph(p);
                jn_line_text(p, line, "%s: ", title[kind]);
            }
            add_text(p, line, &text);
            jn_str_clear(&text);
        }
        if (line)
            jn_line_text(p, line, ".");
    }
}

static void tell_asserts(jn_page *p, const jn_verification *v)
{
    for (int i = 0; i < v->nasserts; i++) {
        jn_str text;
        jn_str_init(&text);
        jn_str_addf(&text, "Assert \"%s\"", v->graph->assertion[i].text);
        answer(p, v->graph, jn_str_c(&text), &v->assertion[i], "proved, in every mode that lasts.",
               "refuted.");
        jn_str_clear(&text);
    }
}

static void tell_assumptions(jn_page *p, const jn_verification *v)
{
    jn_str text;
    jn_str_init(&text);
    jn_str_addf(
        &text,
        "Taken for granted: an instant begins in a mode that lasts%s, when the clock moves a "
        "switch, an input jumps, or the state comes to the other side of a condition.",
        v->graph->nbounds ? ", within the bounds" : "");
    if (v->nvague) {
        jn_str_add(&text, " Not looked into, so that its value may be anything:");
        for (int i = 0; i < v->nvague; i++) {
            jn_str_addf(&text, "%s %s", i ? ";" : "", v->vague[i].why);
            tell_place(&text, v->vague[i].place);
        }
        jn_str_addc(&text, '.');
    }
    add_text(p, jn_page_paragraph(p), &text);
    jn_str_clear(&text);
}

void jn_verify_page(jn_page *p, const jn_verification *v)
{
    tell_settling(p, v);
    answer(p, v->graph, "Dead ends", &v->dead_ends,
           "proved. No instant ends where sources are in conflict.",
           "refuted. There are instants that end where sources are in conflict.");
    tell_race(p, v);
    tell_asserts(p, v);
    tell_never(p, v);
    tell_assumptions(p, v);
}

void jn_verify_text(jn_str *out, const jn_verification *v, int width)
{
    const jn_graph *g = v->graph;
    jn_page *p = jn_page_new(g->field, jn_graph_param_names(g), jn_graph_switch_names(g));
    jni_page_title(p, g);
    jn_verify_page(p, v);
    jn_page_text(out, p, width);
    jn_page_free(p);
}
