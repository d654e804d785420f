/* bode.c: responses and sensitivities as text, JSON, CSV and Octave. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "junct/graph.h"
#include "junct/write.h"
#include "steady_internal.h"

static double size_of(const jn_complex *x)
{
    return hypot(x->re, x->im);
}

static double decibel(const jn_complex *x)
{
    return 20 * log10(size_of(x));
}

static void state_name(jn_str *out, const jn_graph *g, int storage)
{
    const jn_element *x = &g->element[g->storage[storage]];
    jn_str_addf(out, "%c(%s)", x->kind == JN_I ? 'p' : 'q', x->name);
}

/* ---- text ---------------------------------------------------------------------------------- */

static void text_head(jn_str *out, const jn_bode *b, const jn_bode_style *s)
{
    jn_str_addf(out, "%s: response of", b->graph->name);
    for (int v = 0; v < b->nvalues; v++)
        jn_str_addf(out, "%s %s", v ? "," : "", b->name[v]);
    jn_str_addf(out, " to %s", s->from);
    if (b->orbit) {
        jn_str_add(out, ", around the orbit of period ");
        jn_prefixed_print(out, b->orbit->period, 8);
        jn_str_addf(out, " (%s)", jn_verdict_name(b->orbit->verdict));
    }
    jn_str_addc(out, '\n');
    if (b->orbit && b->orbit->message)
        jn_str_addf(out, "%s\n", b->orbit->message);
    if (b->error > 0)
        jn_str_addf(out, "by differences of runs: known to about %.1e\n", b->error);
    if (b->why_not_averaged)
        jn_str_addf(out, "no averaged model: %s\n", b->why_not_averaged);
}

static void text_value(jn_str *out, const jn_bode *b, int v)
{
    jn_str_addf(out, "\n%s\n   frequency        real          imag            dB       phase",
                b->name[v]);
    jn_str_add(out, b->averaged ? "   averaged dB   off by\n" : "\n");
    for (int f = 0; f < b->nfrequencies; f++) {
        const jn_complex *x = &b->response[f * b->nvalues + v];
        jn_str t;
        jn_str_init(&t);
        jn_prefixed_print(&t, b->frequency[f], 6);
        jn_str_addf(out, "%12s %13.8g %13.8g %12.5f %11.4f", jn_str_c(&t), x->re, x->im, decibel(x),
                    b->phase[f * b->nvalues + v]);
        jn_str_clear(&t);
        if (b->averaged) {
            const jn_complex *y = &b->averaged[f * b->nvalues + v];
            double apart = hypot(x->re - y->re, x->im - y->im),
                   off = apart > 0 ? apart / size_of(x) : 0;
            jn_str_addf(out, " %13.5f %8.2g %%", decibel(y), 100 * off);
        }
        jn_str_addc(out, '\n');
    }
    if (b->deviation)
        jn_str_addf(out, "the averaged model is off by at most %.2g %% of the largest response\n",
                    100 * b->deviation[v]);
}

/* "p(L)' = -1/C1*q(C1) + 1/2*V" */
static void average_row(jn_str *out, const jn_bode *b, int row)
{
    const jn_graph *g = b->graph;
    const char *const *names = jn_graph_param_names(g);
    bool any = false;
    for (int c = 0; c < g->nstorages + g->nsources; c++) {
        bool is_state = c < g->nstorages;
        int number = is_state ? c : c - g->nstorages;
        jn_ratfun a = is_state ? b->mean_A[row * g->nstorages + number]
                               : b->mean_B[row * g->nsources + number];
        if (jn_ratfun_is_zero(a))
            continue;
        bool minus = jn_ratfun_is_negative(g->field, a);
        jn_str_add(out, any ? (minus ? " - " : " + ") : (minus ? "-" : ""));
        a = minus ? jn_ratfun_neg(g->field, a) : a;
        if (!jn_ratfun_is_one(a)) {
            jn_ratfun_print_factor(out, g->field, a, names, JN_RATFUN_TEXT);
            jn_str_addc(out, '*');
        }
        if (is_state)
            state_name(out, g, number);
        else
            jn_str_add(out, g->element[g->source[number]].name);
        any = true;
    }
    if (!any)
        jn_str_addc(out, '0');
}

static void text_average(jn_str *out, const jn_bode *b)
{
    jn_str_addf(out, "\nthe averaged model: %s\n", b->shares);
    for (int i = 0; i < b->graph->nstorages; i++) {
        jn_str_add(out, "  ");
        state_name(out, b->graph, i);
        jn_str_add(out, "' = ");
        average_row(out, b, i);
        jn_str_addc(out, '\n');
    }
}

/* The tightest one first; the others below it. */
static void text_crossings(jn_str *out, const jn_crossings *c, const char *what, const char *unit)
{
    const jn_crossing *tightest = jn_crossings_tightest(c);
    jn_str_addf(out, "  %s margin %.4f %s at %.8g\n", what, tightest->margin, unit,
                tightest->frequency);
    enum { SHOWN = 6 };
    for (int i = 0; i < c->n && i < SHOWN; i++)
        if (&c->at[i] != tightest)
            jn_str_addf(out, "    also %.4f %s at %.8g\n", c->at[i].margin, unit,
                        c->at[i].frequency);
    if (c->n > SHOWN)
        jn_str_addf(out, "    and at %d higher frequencies\n", c->n - SHOWN);
}

static void text_margins(jn_str *out, const jn_bode *b, int v)
{
    const jn_margins *m = &b->margins[v];
    jn_str_addf(out, "\nmargins of %s as the gain of a loop\n", b->name[v]);
    if (m->gain.n)
        text_crossings(out, &m->gain, "phase", "degrees");
    else
        jn_str_addf(out, "  no phase margin: its size is %s 1 at all these frequencies\n",
                    size_of(&b->response[v]) > 1 ? "above" : "below");
    if (m->phase.n)
        text_crossings(out, &m->phase, "gain", "dB");
    else
        jn_str_add(
            out, "  no gain margin: its phase crosses -180 degrees at none of these frequencies\n");
}

static void write_text(jn_str *out, const jn_bode *b, const jn_bode_style *s)
{
    text_head(out, b, s);
    for (int v = 0; v < b->nvalues; v++)
        text_value(out, b, v);
    if (b->mean_A)
        text_average(out, b);
    for (int v = 0; v < b->nvalues && b->margins; v++)
        text_margins(out, b, v);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void json_pair(jn_str *out, const jn_complex *x)
{
    jn_str_addc(out, '[');
    jni_json_number(out, x->re);
    jn_str_add(out, ", ");
    jni_json_number(out, x->im);
    jn_str_addc(out, ']');
}

static void json_points(jn_str *out, const jn_bode *b, const char *name, const jn_complex *x)
{
    jn_str_addf(out, ",\n \"%s\": [", name);
    for (int f = 0; f < b->nfrequencies; f++) {
        jn_str_add(out, f ? ",\n  {\"f\": " : "\n  {\"f\": ");
        jni_json_number(out, b->frequency[f]);
        for (int v = 0; v < b->nvalues; v++) {
            jn_str_add(out, ", ");
            jn_json_string(out, b->name[v]);
            jn_str_add(out, ": ");
            json_pair(out, &x[f * b->nvalues + v]);
        }
        jn_str_addc(out, '}');
    }
    jn_str_add(out, "]");
}

/* "gain_crossover": f, "phase_margin": x of the tightest, and all of them as a list of pairs. */
static void json_crossings(jn_str *out, const jn_crossings *c, const char *where,
                           const char *margin)
{
    const jn_crossing *tightest = jn_crossings_tightest(c);
    jn_str_addf(out, "\"%s\": ", where);
    jni_json_number(out, tightest ? tightest->frequency : NAN);
    jn_str_addf(out, ", \"%s\": ", margin);
    jni_json_number(out, tightest ? tightest->margin : NAN);
    jn_str_addf(out, ", \"%ss\": [", where);
    for (int i = 0; i < c->n; i++) {
        jn_str_add(out, i ? ", " : "");
        json_pair(out, &(jn_complex){c->at[i].frequency, c->at[i].margin});
    }
    jn_str_addc(out, ']');
}

static void json_margins(jn_str *out, const jn_bode *b)
{
    jn_str_add(out, ",\n \"margins\": {");
    for (int v = 0; v < b->nvalues; v++) {
        jn_str_add(out, v ? ", " : "");
        jn_json_string(out, b->name[v]);
        jn_str_add(out, ": {");
        json_crossings(out, &b->margins[v].gain, "gain_crossover", "phase_margin");
        jn_str_add(out, ", ");
        json_crossings(out, &b->margins[v].phase, "phase_crossover", "gain_margin");
        jn_str_addc(out, '}');
    }
    jn_str_add(out, "}");
}

static void json_matrix(jn_str *out, const jn_graph *g, const char *name, const jn_ratfun *a,
                        int columns)
{
    jn_str value;
    jn_str_init(&value);
    jn_str_addf(out, ", \"%s\": [", name);
    for (int i = 0; i < g->nstorages; i++) {
        for (int c = 0; c < columns; c++) {
            jn_str_reset(&value);
            jn_ratfun_print(&value, g->field, a[i * columns + c], jn_graph_param_names(g),
                            JN_RATFUN_TEXT);
            jn_str_add(out, c ? ", " : i ? ", [" : "[");
            jn_json_string(out, jn_str_c(&value));
        }
        jn_str_add(out, columns ? "]" : i ? ", []" : "[]");
    }
    jn_str_add(out, "]");
    jn_str_clear(&value);
}

static void json_average(jn_str *out, const jn_bode *b)
{
    jn_str_add(out, ",\n \"average\": {\"shares\": ");
    jn_json_string(out, b->shares);
    json_matrix(out, b->graph, "A", b->mean_A, b->graph->nstorages);
    json_matrix(out, b->graph, "B", b->mean_B, b->graph->nsources);
    jn_str_add(out, "}");
}

static void write_json(jn_str *out, const jn_bode *b, const jn_bode_style *s)
{
    jn_str_add(out, "{\"schema\": 1, \"model\": ");
    jn_json_string(out, b->graph->name);
    jn_str_add(out, ", \"from\": ");
    jn_json_string(out, s->from);
    jn_str_add(out, ", \"to\": [");
    for (int v = 0; v < b->nvalues; v++) {
        jn_str_add(out, v ? ", " : "");
        jn_json_string(out, b->name[v]);
    }
    jn_str_add(out, "]");
    if (b->orbit) {
        jn_str_add(out, ", \"period\": ");
        jni_json_number(out, b->orbit->period);
        jn_str_addf(out, ", \"verdict\": \"%s\"", jn_verdict_name(b->orbit->verdict));
    }
    json_points(out, b, "points", b->response);
    if (b->averaged)
        json_points(out, b, "averaged", b->averaged);
    for (int v = 0; v < b->nvalues && b->deviation; v++) {
        jn_str_add(out, v ? ", " : ",\n \"deviation\": {");
        jn_json_string(out, b->name[v]);
        jn_str_add(out, ": ");
        jni_json_number(out, b->deviation[v]);
    }
    jn_str_add(out, b->deviation ? "}" : "");
    if (b->mean_A)
        json_average(out, b);
    if (b->margins)
        json_margins(out, b);
    jn_str_add(out, "}\n");
}

/* ---- CSV and Octave ------------------------------------------------------------------------ */

static void csv_name(jn_str *out, const char *name, const char *what)
{
    jn_str t;
    jn_str_init(&t);
    jn_str_addf(&t, "%s %s", name, what);
    jn_str_addc(out, ',');
    jn_csv_field(out, jn_str_c(&t));
    jn_str_clear(&t);
}

static void csv_number(jn_str *out, double x)
{
    jn_str_addc(out, ',');
    jni_add_number(out, x);
}

static void write_csv(jn_str *out, const jn_bode *b)
{
    static const char *const part[] = {"re", "im", "dB", "phase", "averaged re", "averaged im"};
    jn_str_add(out, "f");
    for (int v = 0; v < b->nvalues; v++)
        for (int i = 0; i < (b->averaged ? 6 : 4); i++)
            csv_name(out, b->name[v], part[i]);
    jn_str_addc(out, '\n');
    for (int f = 0; f < b->nfrequencies; f++) {
        jni_add_number(out, b->frequency[f]);
        for (int v = 0; v < b->nvalues; v++) {
            const jn_complex *x = &b->response[f * b->nvalues + v];
            csv_number(out, x->re);
            csv_number(out, x->im);
            csv_number(out, decibel(x));
            csv_number(out, b->phase[f * b->nvalues + v]);
            if (b->averaged) {
                csv_number(out, b->averaged[f * b->nvalues + v].re);
                csv_number(out, b->averaged[f * b->nvalues + v].im);
            }
        }
        jn_str_addc(out, '\n');
    }
}

static void octave_matrix(jn_str *out, const jn_bode *b, const char *name, const jn_complex *x)
{
    jn_str_addf(out, "%s = [", name);
    for (int f = 0; f < b->nfrequencies; f++) {
        jn_str_add(out, f ? ";\n  " : "");
        for (int v = 0; v < b->nvalues; v++) {
            jn_str_add(out, v ? ", complex(" : "complex(");
            jni_add_number(out, x[f * b->nvalues + v].re);
            jn_str_add(out, ", ");
            jni_add_number(out, x[f * b->nvalues + v].im);
            jn_str_addc(out, ')');
        }
    }
    jn_str_add(out, "];\n");
}

static void write_octave(jn_str *out, const jn_bode *b, const jn_bode_style *s)
{
    jn_str_addf(out, "%% the response of %s to %s\n", b->graph->name, s->from);
    jni_octave_vector(out, "f", b->frequency, b->nfrequencies, 1);
    jn_str_add(out, "names = {");
    for (int v = 0; v < b->nvalues; v++) {
        jn_str_add(out, v ? ", " : "");
        jni_octave_text(out, b->name[v]);
    }
    jn_str_add(out, "};\n");
    octave_matrix(out, b, "response", b->response);
    if (b->averaged)
        octave_matrix(out, b, "averaged", b->averaged);
}

void jn_write_bode(jn_str *out, const jn_bode *b, const char *form, const jn_bode_style *s)
{
    if (strcmp(form, "json") == 0)
        write_json(out, b, s);
    else if (strcmp(form, "csv") == 0)
        write_csv(out, b);
    else if (strcmp(form, "octave") == 0)
        write_octave(out, b, s);
    else
        write_text(out, b, s);
}

/* ---- sensitivities ------------------------------------------------------------------------- */

#define MEAN_ZERO 1e-12 /* parts of the rms, below which a mean is the rounding of what cancels */

static const struct {
    const char *name, *text;
} ways[] = {[JN_SLOPE_NONE] = {"none", "not found"},
            [JN_SLOPE_LINEARISED] = {"linearised", "by the linearisation along the orbit"},
            [JN_SLOPE_PERIODS] = {"periods", "by differences of runs of one period"},
            [JN_SLOPE_ORBITS] = {"orbits", "by orbits on both sides"}};

/* The largest error of what a knob does when it is turned by all of its value, beside the size of the output. */
static double largest_error(const jn_sensitivity *s, jn_slope_way way)
{
    const jn_steady *o = s->orbit;
    double largest = 0;
    for (int v = 0; v < o->nvalues; v++) {
        double size = fmax(fabs(o->value[v].min), fabs(o->value[v].max));
        for (int i = 0; i < s->n && size > 0; i++)
            if (s->way[i] == way)
                largest = fmax(largest, fabs(s->error[i * o->nvalues + v] * s->at[i]) / size);
    }
    return largest;
}

/* The values whose slopes were found in this way, with commas between them; how many. */
static int list_found(jn_str *out, const jn_sensitivity *s, jn_slope_way way)
{
    int count = 0;
    for (int i = 0; i < s->n; i++)
        if (s->way[i] == way)
            jn_str_addf(out, "%s%s", count++ ? ", " : "", s->name[i]);
    return count;
}

/* Which slopes were found in which way, and how well they are known. */
static void tell_ways(jn_str *out, const jn_sensitivity *s)
{
    for (jn_slope_way way = JN_SLOPE_LINEARISED; way <= JN_SLOPE_ORBITS; way++)
        if (list_found(out, s, way))
            jn_str_addf(out, ": %s, known to about %.0e\n", ways[way].text,
                        fmax(largest_error(s, way), 1e-15));
    int lacking = list_found(out, s, JN_SLOPE_NONE);
    if (lacking)
        jn_str_addf(
            out,
            ": no slope: a little more or less of %s, and the orbit passes through other modes\n",
            lacking == 1 ? "it" : "them");
}

static void slope_line(jn_str *out, const jn_sensitivity *s, int i, int v)
{
    const jn_steady_value *of = &s->orbit->value[v];
    double slope = s->slope[i * s->orbit->nvalues + v];
    double size = fmax(fabs(of->min), fabs(of->max));
    jn_str_addf(out, "  %-14s %14.8g ", s->name[i], s->at[i]);
    if (isnan(slope)) {
        jn_str_add(out, "            none\n");
        return;
    }
    double error = s->error[i * s->orbit->nvalues + v];
    bool is_zero = fabs(slope) <= error || fabs(slope * s->at[i]) < 1e-10 * size;
    jn_str_addf(out, "%16.8g   ", is_zero ? 0 : slope);
    if (fabs(of->mean) < MEAN_ZERO * of->rms) /* a share of nothing */
        jn_str_add(out, is_zero ? "nothing\n" : "-\n");
    else
        jn_str_addf(out, "%+.4f %%\n", is_zero ? 0 : slope * s->at[i] / of->mean);
}

static void sensitivity_text(jn_str *out, const jn_sensitivity *s)
{
    const jn_steady *o = s->orbit;
    jn_str_addf(out, "%s: what the means of the orbit do\n", o->graph->name);
    tell_ways(out, s);
    for (int v = 0; v < o->nvalues; v++) {
        const jn_steady_value *of = &o->value[v];
        if (of->drifts) {
            jn_str_addf(out, "\n%s has no mean: it does not have the period of the orbit\n",
                        of->name);
            continue;
        }
        bool is_zero = fabs(of->mean) < MEAN_ZERO * of->rms;
        jn_str_addf(out, "\nmean of %s = %.10g\n  %-14s %14s %16s   %s\n", of->name,
                    is_zero ? 0 : of->mean, "by", "value", "slope", "1 % more of it makes");
        for (int i = 0; i < s->n; i++)
            slope_line(out, s, i, v);
    }
}

static void sensitivity_json(jn_str *out, const jn_sensitivity *s)
{
    const jn_steady *o = s->orbit;
    jn_str_add(out, "{\"schema\": 1, \"model\": ");
    jn_json_string(out, o->graph->name);
    jn_str_add(out, ", \"sensitivity\": {");
    for (int v = 0; v < o->nvalues; v++) {
        jn_str_add(out, v ? ",\n " : "\n ");
        jn_json_string(out, o->value[v].name);
        jn_str_add(out, ": {\"mean\": ");
        jni_json_number(out, o->value[v].mean);
        for (int i = 0; i < s->n; i++) {
            jn_str_add(out, ", ");
            jn_json_string(out, s->name[i]);
            jn_str_add(out, ": ");
            jni_json_number(out, s->slope[i * o->nvalues + v]);
        }
        jn_str_addc(out, '}');
    }
    jn_str_add(out, "},\n \"way\": {");
    for (int i = 0; i < s->n; i++) {
        jn_str_add(out, i ? ", " : "");
        jn_json_string(out, s->name[i]);
        jn_str_addf(out, ": \"%s\"", ways[s->way[i]].name);
    }
    jn_str_add(out, "}, \"error\": {");
    for (int v = 0; v < o->nvalues; v++) {
        jn_str_add(out, v ? ",\n " : "\n ");
        jn_json_string(out, o->value[v].name);
        for (int i = 0; i < s->n; i++) {
            jn_str_add(out, i ? ", " : ": {");
            jn_json_string(out, s->name[i]);
            jn_str_add(out, ": ");
            jni_json_number(out, s->error[i * o->nvalues + v]);
        }
        jn_str_add(out, s->n ? "}" : ": {}");
    }
    jn_str_add(out, "}}\n");
}

static void sensitivity_csv(jn_str *out, const jn_sensitivity *s)
{
    const jn_steady *o = s->orbit;
    jn_str_add(out, "output,by,value,slope,error,way\n");
    for (int v = 0; v < o->nvalues; v++)
        for (int i = 0; i < s->n; i++) {
            jn_csv_field(out, o->value[v].name);
            jn_str_addc(out, ',');
            jn_csv_field(out, s->name[i]);
            csv_number(out, s->at[i]);
            csv_number(out, s->slope[i * o->nvalues + v]);
            csv_number(out, s->error[i * o->nvalues + v]);
            jn_str_addf(out, ",%s\n", ways[s->way[i]].name);
        }
}

void jn_write_sensitivity(jn_str *out, const jn_sensitivity *s, const char *form)
{
    if (strcmp(form, "json") == 0)
        sensitivity_json(out, s);
    else if (strcmp(form, "csv") == 0)
        sensitivity_csv(out, s);
    else
        sensitivity_text(out, s);
}
