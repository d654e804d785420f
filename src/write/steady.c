/* steady.c: orbits as JSON, CSV and Octave, and as a picture. The text is in steady_text.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "junct/graph.h"
#include "junct/plot.h"
#include "junct/write.h"
#include "steady_internal.h"

void jni_add_number(jn_str *out, double x)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        jn_format(text, sizeof text, "%.*g", digits, x);
        if (jn_strtod(text, NULL) == x)
            break;
    }
    jn_str_add(out, text);
}

/* JSON has no infinity and nothing that is no number. */
void jni_json_number(jn_str *out, double x)
{
    if (isfinite(x))
        jni_add_number(out, x);
    else
        jn_str_add(out, "null");
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void field(jn_str *out, const char *before, const char *name, double x)
{
    jn_str_addf(out, "%s\"%s\": ", before, name);
    jni_json_number(out, x);
}

static void json_start(jn_str *out, const jn_steady *o)
{
    const jn_graph *g = o->graph;
    jn_str_add(out, ",\n \"start\": {");
    for (int i = 0; i < o->nstates; i++) {
        const jn_element *x = &g->element[g->storage[i]];
        jn_str name;
        jn_str_init(&name);
        jn_str_addf(&name, "%c(%s)", x->kind == JN_I ? 'p' : 'q', x->name);
        jn_str_add(out, i ? ", " : "");
        jn_json_string(out, jn_str_c(&name));
        jn_str_add(out, ": ");
        jni_json_number(out, o->start[i]);
        jn_str_clear(&name);
    }
    jn_str_add(out, "}");
    for (int i = 0; i < o->nintegrals; i++) {
        jn_str_add(out, i ? ", " : ",\n \"integrals\": [");
        jni_json_number(out, o->integral[i]);
    }
    jn_str_add(out, o->nintegrals ? "]" : "");
    for (int i = 0; i < o->ndiscretes; i++) {
        jn_str_add(out, i ? ", " : ",\n \"discrete\": {");
        jn_json_string(out, g->discrete[i].name);
        jn_str_add(out, ": ");
        jni_json_number(out, o->discrete[i]);
    }
    jn_str_add(out, o->ndiscretes ? "}" : "");
}

static void json_modes(jn_str *out, const jn_steady *o)
{
    jn_str_add(out, ",\n \"modes\": [");
    for (int i = 0; i < o->nmodes; i++) {
        jn_str_add(out, i ? ", {\"mode\": \"" : "{\"mode\": \"");
        jni_steady_mode_digits(out, o, &o->mode[i]);
        field(out, "\", ", "from", o->mode[i].from);
        field(out, ", ", "to", o->mode[i].to);
        jn_str_add(out, o->mode[i].slides ? ", \"slides\": true}" : "}");
    }
    jn_str_add(out, "]");
}

static void json_multipliers(jn_str *out, const jn_steady *o)
{
    jn_str_add(out, ",\n \"multipliers\": [");
    for (int i = 0; i < o->nmultipliers; i++) {
        jn_str_add(out, i ? ", [" : "[");
        jni_json_number(out, o->multiplier[i].re);
        jn_str_add(out, ", ");
        jni_json_number(out, o->multiplier[i].im);
        jn_str_add(out, "]");
    }
    jn_str_addf(out, "], \"verdict\": \"%s\", \"stable\": %s", jn_verdict_name(o->verdict),
                o->verdict == JN_ORBIT_STABLE    ? "true"
                : o->verdict == JN_ORBIT_UNKNOWN ? "null"
                                                 : "false");
    field(out, ", ", "multiplier_error", o->multiplier_error);
}

static void json_values(jn_str *out, const jn_steady *o)
{
    jn_str_add(out, ",\n \"outputs\": {");
    for (int i = 0; i < o->nvalues; i++) {
        const jn_steady_value *v = &o->value[i];
        jn_str_add(out, i ? ",\n  " : "\n  ");
        jn_json_string(out, v->name);
        field(out, ": {", "mean", v->mean);
        field(out, ", ", "rms", v->rms);
        field(out, ", ", "min", v->min);
        field(out, ", ", "max", v->max);
        field(out, ", ", "thd", v->thd);
        if (v->impulses != 0)
            field(out, ", ", "impulse", v->impulse);
        jn_str_add(out, ", \"harmonics\": [");
        for (int h = 0; h < o->nharmonics; h++) {
            jn_str_add(out, h ? ", [" : "[");
            jni_json_number(out, v->amplitude[h]);
            jn_str_add(out, ", ");
            jni_json_number(out, v->phase[h]);
            jn_str_add(out, "]");
        }
        jn_str_add(out, "]}");
    }
    jn_str_add(out, "}");
}

static void json_energy(jn_str *out, const jn_steady *o, const jn_steady_style *s)
{
    field(out, ",\n \"energy\": {", "supplied", o->energy.supplied);
    field(out, ", ", "dissipated", o->energy.dissipated);
    field(out, ", ", "lost", o->energy.lost);
    field(out, ", ", "stored", o->energy.stored);
    jn_str_add(out, "},\n \"power\": {");
    for (int i = 0; i < o->npowers; i++) {
        jn_str_add(out, i ? ", " : "");
        jn_json_string(out, o->graph->element[o->power[i].element].name);
        jn_str_add(out, ": ");
        jni_json_number(out, o->power[i].power);
    }
    jn_str_add(out, "}");
    double efficiency;
    jni_steady_efficiency(&efficiency, o, s->load);
    if (s->load >= 0) /* null: no source gives any power */
        field(out, ", ", "efficiency", efficiency);
}

static void write_json(jn_str *out, const jn_steady *o, const jn_steady_style *s)
{
    static const char *const status[] = {"found", "none", "stopped"};
    jn_str_add(out, "{\"schema\": 1, \"model\": ");
    jn_json_string(out, o->graph->name);
    jn_str_addf(out, ", \"status\": \"%s\"", status[o->status]);
    if (o->message) {
        jn_str_add(out, ", \"message\": ");
        jn_json_string(out, o->message);
    }
    if (o->status == JN_STEADY_FOUND) {
        field(out, ", ", "period", o->period);
        jn_str_addf(out, ", \"times\": %d, \"free\": %s", o->times, o->is_free ? "true" : "false");
        field(out, ", ", "offset", o->offset);
        field(out, ", ", "residue", o->residue);
        json_start(out, o);
        json_modes(out, o);
        json_multipliers(out, o);
        json_values(out, o);
        json_energy(out, o, s);
    }
    jn_str_add(out, "}\n");
}

/* ---- CSV: a row per value ------------------------------------------------------------------ */

static void write_csv(jn_str *out, const jn_steady *o)
{
    jn_str_add(out, "name,mean,rms,min,max,ripple,thd");
    for (int h = 1; h <= o->nharmonics; h++)
        jn_str_addf(out, ",amplitude%d,phase%d", h, h);
    jn_str_addc(out, '\n');
    for (int i = 0; i < o->nvalues; i++) {
        const jn_steady_value *v = &o->value[i];
        const double each[] = {v->mean, v->rms, v->min, v->max, v->max - v->min, v->thd};
        jn_csv_field(out, v->name);
        for (size_t k = 0; k < sizeof each / sizeof *each; k++) {
            jn_str_addc(out, ',');
            jni_add_number(out, each[k]);
        }
        for (int h = 0; h < o->nharmonics; h++) {
            jn_str_addc(out, ',');
            jni_add_number(out, v->amplitude[h]);
            jn_str_addc(out, ',');
            jni_add_number(out, v->phase[h]);
        }
        jn_str_addc(out, '\n');
    }
}

/* ---- Octave -------------------------------------------------------------------------------- */

void jni_octave_vector(jn_str *out, const char *name, const double *x, int n, int step)
{
    jn_str_addf(out, "%s = [", name);
    for (int i = 0; i < n; i++) {
        jn_str_add(out, i ? "; " : "");
        jni_add_number(out, x[i * step]);
    }
    jn_str_add(out, "];\n");
}

void jni_octave_text(jn_str *out, const char *s)
{
    jn_str_addc(out, '\'');
    for (; *s; s++)
        jn_str_addf(out, *s == '\'' ? "''" : "%c", *s);
    jn_str_addc(out, '\'');
}

static void write_octave(jn_str *out, const jn_steady *o)
{
    double *column = jn_alloc((size_t)(o->nvalues + o->nmultipliers) * sizeof *column);
    static const char *const name[] = {"mean_", "rms_", "min_", "max_", "thd"};
    jn_str_addf(out, "%% the periodic orbit of %s\n", o->graph->name);
    jn_str_add(out, "period = ");
    jni_add_number(out, o->period);
    jn_str_add(out, ";\n");
    jni_octave_vector(out, "start", o->start, o->nstates, 1);
    jn_str_add(out, "multipliers = [");
    for (int i = 0; i < o->nmultipliers; i++) {
        jn_str_add(out, i ? "; complex(" : "complex(");
        jni_add_number(out, o->multiplier[i].re);
        jn_str_add(out, ", ");
        jni_add_number(out, o->multiplier[i].im);
        jn_str_add(out, ")");
    }
    jn_str_add(out, "];\nnames = {");
    for (int i = 0; i < o->nvalues; i++) {
        jn_str_add(out, i ? ", " : "");
        jni_octave_text(out, o->value[i].name);
    }
    jn_str_add(out, "};\n");
    for (int k = 0; k < 5; k++) {
        for (int i = 0; i < o->nvalues; i++) {
            const jn_steady_value *v = &o->value[i];
            const double each[] = {v->mean, v->rms, v->min, v->max, v->thd};
            column[i] = each[k];
        }
        jni_octave_vector(out, name[k], column, o->nvalues, 1);
    }
    free(column);
}

void jn_write_steady(jn_str *out, const jn_steady *o, const char *form, const jn_steady_style *s)
{
    if (strcmp(form, "json") == 0)
        write_json(out, o, s);
    else if (strcmp(form, "csv") == 0)
        write_csv(out, o);
    else if (strcmp(form, "octave") == 0)
        write_octave(out, o);
    else
        jni_write_steady_text(out, o, s);
}
