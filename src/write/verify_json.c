/* verify_json.c: proofs about switching as JSON. Exact numbers are strings. */
#include <stdlib.h>

#include "junct/write_verify.h"
#include "steady_internal.h"
#include "verify_internal.h"
#include "write_internal.h"

static void put_place(jn_str *out, jn_place place)
{
    jn_str text;
    int line, column;
    if (!place.source)
        return;
    jn_str_init(&text);
    jn_place_line(&line, &column, place);
    jn_str_addf(&text, "%s:%d:%d", place.source->name, line, column);
    jn_str_add(out, ", \"place\": ");
    jn_json_string(out, jn_str_c(&text));
    jn_str_clear(&text);
}

static void put_number(jn_str *out, const fmpq_t c)
{
    jn_str_addc(out, '"');
    jni_print_exact(out, c);
    jn_str_addc(out, '"');
}

/* A name and its number, the next of an object. */
static void put_field(jn_str *out, bool *first, const char *name, const fmpq_t c)
{
    jn_str_add(out, *first ? "" : ", ");
    *first = false;
    jn_json_string(out, name);
    jn_str_add(out, ": ");
    put_number(out, c);
}

static void put_state(jn_str *out, const jn_graph *g, const jn_witness *w)
{
    bool first = true;
    jn_str name;
    jn_str_init(&name);
    jn_str_add(out, "\"state\": {");
    for (int i = 0; i < w->nx; i++) {
        jn_str_reset(&name);
        jni_print_state_name(&name, g, i);
        put_field(out, &first, jn_str_c(&name), w->x + i);
    }
    for (int i = 0; i < w->nd; i++)
        put_field(out, &first, g->discrete[i].name, w->discrete + i);
    for (int i = 0; i < w->ns; i++) {
        jn_str_reset(&name);
        jn_str_addf(&name, "int %d", i + 1);
        put_field(out, &first, jn_str_c(&name), w->integral + i);
    }
    jn_str_addc(out, '}');
    jn_str_clear(&name);
}

static void put_inputs(jn_str *out, const jn_graph *g, const jn_witness *w)
{
    bool first = true;
    jn_str name;
    jn_str_init(&name);
    jn_str_add(out, ", \"inputs\": {");
    for (int i = 0; i < w->nu; i++)
        put_field(out, &first, g->element[g->source[i]].name, w->input + i);
    put_field(out, &first, "t", w->t);
    for (int i = 0; i < w->ntimes; i++) {
        jn_str_reset(&name);
        jn_expr_print(&name, g, w->time[i].e);
        put_field(out, &first, jn_str_c(&name), w->time[i].value);
    }
    first = true;
    jn_str_add(out, "}, \"before\": {");
    for (int i = 0; i < w->nu; i++)
        put_field(out, &first, g->element[g->source[i]].name, w->before + i);
    first = true;
    jn_str_add(out, "}, \"rates\": {");
    for (int i = 0; i < w->nu; i++)
        put_field(out, &first, g->element[g->source[i]].name, w->rate + i);
    jn_str_addc(out, '}');
    jn_str_clear(&name);
}

static void put_mode(jn_str *out, const jn_graph *g, const jn_onoff *m)
{
    jn_str_addc(out, '"');
    jn_mode_print(out, g, m);
    jn_str_addc(out, '"');
}

static void put_start(jn_str *out, const jn_graph *g, const jn_witness *w)
{
    jn_str_add(out, ", \"start\": \"");
    for (int k = 0; k < g->nswitches; k++)
        jn_str_addc(out, g->automaton[k].state[w->start[k]].on ? '1' : '0');
    jn_str_add(out, "\", \"automata\": {");
    for (int k = 0; k < g->nswitches; k++) {
        jn_str_add(out, k ? ", " : "");
        jn_json_string(out, g->element[g->automaton[k].element].name);
        jn_str_add(out, ": ");
        jn_json_string(out, g->automaton[k].state[w->start[k]].name);
    }
    jn_str_addc(out, '}');
}

static void put_fired(jn_str *out, const jn_graph *g, const struct jn_witness_step *s)
{
    jn_str text;
    jn_str_init(&text);
    jn_str_addc(out, '[');
    for (int i = 0; i < s->nfired; i++) {
        const jn_automaton *a = &g->automaton[s->fired[i].automaton];
        jn_str_reset(&text);
        jn_str_addf(&text, "%s: ", g->element[a->element].name);
        jn_expr_print(&text, g, a->transition[s->fired[i].transition].when);
        jn_str_add(out, i ? ", " : "");
        jn_json_string(out, jn_str_c(&text));
    }
    jn_str_addc(out, ']');
    jn_str_clear(&text);
}

/* Only the ends that there are. */
static void put_ranges(jn_str *out, const jn_graph *g, const jn_witness *w)
{
    jn_str name;
    jn_str_init(&name);
    jn_str_add(out, ", \"ranges\": {");
    for (int i = 0; i < w->nranges; i++) {
        const struct jn_witness_range *r = &w->range[i];
        bool first = true;
        jn_str_reset(&name);
        jni_print_varied_name(&name, g, r->number);
        jn_str_add(out, i ? ", " : "");
        jn_json_string(out, jn_str_c(&name));
        jn_str_add(out, ": {");
        if (r->has_low)
            put_field(out, &first, r->low_included ? "from" : "above", r->low);
        if (r->has_high)
            put_field(out, &first, r->high_included ? "to" : "below", r->high);
        jn_str_addc(out, '}');
    }
    jn_str_addc(out, '}');
    jn_str_clear(&name);
}

/* What a claim compares, where it fails. */
static void put_values(jn_str *out, const jn_graph *g, const jn_witness *w)
{
    jn_str name;
    jn_str_init(&name);
    jn_str_add(out, ", \"values\": {");
    for (int i = 0; i < w->nvalues; i++) {
        jn_str_reset(&name);
        jn_expr_print(&name, g, w->value[i].e);
        jn_str_add(out, i ? ", " : "");
        jn_json_string(out, jn_str_c(&name));
        jn_str_add(out, ": ");
        jni_json_number(out, w->value[i].value);
    }
    jn_str_addc(out, '}');
    jn_str_clear(&name);
}

static void put_witness(jn_str *out, const jn_graph *g, const jn_witness *w)
{
    jn_str_add(out, ", \"witness\": {");
    put_state(out, g, w);
    put_inputs(out, g, w);
    put_start(out, g, w);
    jn_str_add(out, ", \"modes\": [");
    for (int i = 0; i < w->nsteps; i++) {
        jn_str_add(out, i ? ", " : "");
        put_mode(out, g, w->step[i].mode);
    }
    jn_str_add(out, "], \"fires\": [");
    for (int i = 0; i < w->nsteps; i++) {
        jn_str_add(out, i ? ", " : "");
        put_fired(out, g, &w->step[i]);
    }
    jn_str_addc(out, ']');
    if (w->is_start)
        jn_str_add(out, ", \"at_start\": true");
    if (w->against_flow)
        jn_str_add(out, ", \"against_flow\": true");
    if (w->nvalues)
        put_values(out, g, w);
    if (w->nranges)
        put_ranges(out, g, w);
    if (w->cycle >= 0)
        jn_str_addf(out, ", \"cycle\": %d", w->cycle);
    if (w->shrinks) {
        jn_str_add(out, ", \"factor\": ");
        put_number(out, w->factor);
    }
    jn_str_add(out, "}");
}

static void put_finding(jn_str *out, const jn_graph *g, const jn_finding *f)
{
    jn_str_addf(out, "\"verdict\": \"%s\"", jn_proof_name(f->verdict));
    if (f->why) {
        jn_str_add(out, ", \"why\": ");
        jn_json_string(out, f->why);
    }
    put_place(out, f->place);
    if (f->witness)
        put_witness(out, g, f->witness);
}

static void put_never(jn_str *out, const jn_verification *v)
{
    jn_str text;
    jn_str_init(&text);
    jn_str_add(out, ",\n \"never\": [");
    for (int i = 0; i < v->nnever; i++) {
        jn_str_reset(&text);
        jni_print_never(&text, v->graph, &v->never[i]);
        jn_str_add(out, i ? ",\n  {\"what\": " : "{\"what\": ");
        jn_json_string(out, jn_str_c(&text));
        put_place(out, v->never[i].place);
        jn_str_addc(out, '}');
    }
    jn_str_addc(out, ']');
    if (!v->never_known) {
        jn_str_add(out, ", \"never_open\": ");
        jn_json_string(out, v->never_why);
    }
    jn_str_clear(&text);
}

static void put_asserts(jn_str *out, const jn_verification *v)
{
    jn_str_add(out, ",\n \"asserts\": [");
    for (int i = 0; i < v->nasserts; i++) {
        jn_str_add(out, i ? ",\n  {\"text\": " : "{\"text\": ");
        jn_json_string(out, v->graph->assertion[i].text);
        jn_str_add(out, ", ");
        put_finding(out, v->graph, &v->assertion[i]);
        jn_str_addc(out, '}');
    }
    jn_str_addc(out, ']');
}

static void put_successors(jn_str *out, const jn_verification *v)
{
    if (!v->has_successors)
        return;
    jn_str_add(out, ",\n \"successors\": [");
    for (int i = 0; i < v->nsuccessors; i++) {
        jn_str_add(out, i ? ", [" : "[");
        put_mode(out, v->graph, v->successor[i].from);
        jn_str_add(out, ", ");
        put_mode(out, v->graph, v->successor[i].to);
        jn_str_addc(out, ']');
    }
    jn_str_addc(out, ']');
}

static void put_vague(jn_str *out, const jn_verification *v)
{
    jn_str_add(out, ",\n \"not_linear\": [");
    for (int i = 0; i < v->nvague; i++) {
        jn_str_add(out, i ? ", {\"why\": " : "{\"why\": ");
        jn_json_string(out, v->vague[i].why);
        put_place(out, v->vague[i].place);
        jn_str_addc(out, '}');
    }
    jn_str_addc(out, ']');
}

void jn_verify_json(jn_str *out, const jn_verification *v)
{
    const jn_graph *g = v->graph;
    jn_str_add(out, "{\"schema\": 1, \"model\": ");
    jn_json_string(out, g->name);
    jn_str_add(out, ", \"switches\": [");
    for (int k = 0; k < g->nswitches; k++) {
        jn_str_add(out, k ? ", " : "");
        jn_json_string(out, g->switch_name[k]);
    }
    jn_str_add(out, "],\n \"settling\": {");
    put_finding(out, g, &v->settling);
    if (v->settling.verdict == JN_PROVED)
        jn_str_addf(out, ", \"changes\": %d, \"changes_found\": %d", v->changes, v->changes_found);
    jn_str_add(out, "},\n \"dead_ends\": {");
    put_finding(out, g, &v->dead_ends);
    jn_str_add(out, "},\n \"races\": {");
    put_finding(out, g, &v->races);
    if (v->race_end && v->races.witness) {
        jn_str_add(out, ", \"one_by_one\": ");
        put_mode(out, g, v->race_end);
        jn_str_add(out, ", \"differs\": ");
        jn_json_string(out, v->race_differs);
    }
    jn_str_addc(out, '}');
    put_never(out, v);
    put_asserts(out, v);
    put_successors(out, v);
    put_vague(out, v);
    jn_str_add(out, "}\n");
}
