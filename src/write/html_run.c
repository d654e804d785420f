/* html_run.c: a run for its page: rows, events, what the graph shows at chosen instants.
 *
 * Long lists of numbers are bytes in base64: as short as rounded text, read in no time, and the
 * times keep every digit. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html_internal.h"

/* ---- base64 -------------------------------------------------------------------------------- */

void jni_html_bytes(jn_str *out, const unsigned char *p, size_t n)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    jn_str_addc(out, '"');
    for (size_t i = 0; i < n; i += 3) {
        uint32_t bits = (uint32_t)p[i] << 16;
        bits |= i + 1 < n ? (uint32_t)p[i + 1] << 8 : 0;
        bits |= i + 2 < n ? p[i + 2] : 0;
        const char four[4] = {digit[bits >> 18], digit[bits >> 12 & 63],
                              i + 1 < n ? digit[bits >> 6 & 63] : '=',
                              i + 2 < n ? digit[bits & 63] : '='};
        jn_str_addn(out, four, 4);
    }
    jn_str_addc(out, '"');
}

/* The bytes of one number, whatever their order on this machine. */
static void put_bytes(unsigned char *to, uint64_t bits, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = (unsigned char)(bits >> 8 * i);
}

void jni_html_doubles(jn_str *out, const double *x, int n)
{
    unsigned char *bytes = jn_alloc((size_t)n * 8 + 1);
    for (int i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        put_bytes(bytes + 8 * (size_t)i, bits, 8);
    }
    jni_html_bytes(out, bytes, (size_t)n * 8);
    free(bytes);
}

void jni_html_floats(jn_str *out, const float *x, int n)
{
    unsigned char *bytes = jn_alloc((size_t)n * 4 + 1);
    for (int i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        put_bytes(bytes + 4 * (size_t)i, bits, 4);
    }
    jni_html_bytes(out, bytes, (size_t)n * 4);
    free(bytes);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static void write_trace(jn_str *out, const jn_html_run *r)
{
    const jn_plot *p = r->trace;
    int *group = jn_alloc((size_t)p->ntraces * sizeof *group);
    float *value = jn_alloc((size_t)p->npoints * sizeof *value + 1);
    jn_plot_group(group, p);
    jn_str_add(out, ",\n\"t\":");
    jni_html_doubles(out, p->t, p->npoints);
    jn_str_add(out, ",\n\"traces\":[");
    for (int k = 0; k < p->ntraces; k++) {
        jn_str_add(out, k ? ",\n{\"name\":" : "{\"name\":");
        jni_html_string(out, p->name[k]);
        jn_str_add(out, ",\"unit\":");
        jni_html_string(out, r->unit ? r->unit[k] : NULL);
        for (int i = 0; i < p->npoints; i++)
            value[i] = (float)p->value[k][i];
        jn_str_addf(out, ",\"axes\":%d,\"value\":", group[k]);
        jni_html_floats(out, value, p->npoints);
        jn_str_addc(out, '}');
    }
    jn_str_addc(out, ']');
    free(value);
    free(group);
}

/* ---- modes --------------------------------------------------------------------------------- */

/* Per change the switches that turn; the first gives all that are on. */
static void write_changes(jn_str *out, const jn_html_run *r, int nswitches)
{
    jn_str_add(out, ",\n\"changeTimes\":");
    jni_html_doubles(out, r->change_t, r->nchanges);
    jn_str_add(out, ",\n\"turned\":[");
    for (int i = 0; i < r->nchanges; i++) {
        const jn_onoff *now = r->change_mode + (size_t)i * (size_t)nswitches;
        const char *separator = "";
        jn_str_add(out, i ? ",[" : "[");
        for (int s = 0; s < nswitches; s++)
            if (now[s] != (i ? now[s - nswitches] : 0)) {
                jn_str_addf(out, "%s%d", separator, s);
                separator = ",";
            }
        jn_str_addc(out, ']');
    }
    jn_str_addc(out, ']');
}

static void write_duty(jn_str *out, const jn_html_run *r, int nswitches)
{
    jn_str_addf(out, ",\n\"columns\":%d,\"duty\":", r->ncolumns);
    jni_html_floats(out, r->duty, r->ncolumns * nswitches);
}

/* ---- events -------------------------------------------------------------------------------- */

static void write_event(jn_str *out, const jn_html_event *e)
{
    jn_str_addf(out, "{\"t\":%.17g,\"kind\":", e->t);
    jni_html_string(out, e->kind);
    jn_str_add(out, ",\"cause\":");
    jni_html_string(out, e->cause);
    jn_str_add(out, ",\"from\":");
    jni_html_string(out, e->from);
    jn_str_add(out, ",\"to\":");
    jni_html_string(out, e->to);
    jn_str_add(out, ",\"via\":[");
    for (int i = 0; i < e->nvia; i++)
        jn_str_addf(out, "%s[\"%s\",%d,%d]", i ? "," : "", e->via[i].mode, e->via[i].pinnacle,
                    e->via[i].forbidden);
    jn_str_addf(out, "],\"lost\":%.6g}", isfinite(e->lost) ? e->lost : 0);
}

static void write_events(jn_str *out, const jn_html_run *r)
{
    jn_str_add(out, ",\n\"list\":[");
    for (int i = 0; i < r->nevents; i++) {
        jn_str_add(out, i ? ",\n" : "");
        write_event(out, &r->event[i]);
    }
    jn_str_addc(out, ']');
}

/* ---- instants ------------------------------------------------------------------------------ */

typedef struct {
    const jn_html_run *run;
    const jn_graph *graph;
    float *all;
} frames;

/* One list of all instants, one after the other. */
static void write_per(jn_str *out, frames *f, const char *key, int n, bool power)
{
    for (int i = 0; i < f->run->nframes; i++)
        memcpy(f->all + (size_t)i * (size_t)n,
               power ? f->run->frame[i].power : f->run->frame[i].energy,
               (size_t)n * sizeof *f->all);
    jn_str_addf(out, ",\n\"%s\":", key);
    jni_html_floats(out, f->all, f->run->nframes * n);
}

static void write_ledger(jn_str *out, const frames *f)
{
    jn_str_add(out, ",\n\"ledger\":[");
    for (int i = 0; i < f->run->nframes; i++) {
        jn_ledger l = f->run->frame[i].ledger;
        jn_str_addf(out, "%s[%.7g,%.7g,%.7g,%.7g]", i ? "," : "", l.supplied, l.stored,
                    l.dissipated, l.lost);
    }
    jn_str_addc(out, ']');
}

static void write_frames(jn_str *out, const jn_html_run *r, const jn_graph *g)
{
    size_t most = (size_t)(g->nbonds > g->nstorages ? g->nbonds : g->nstorages) + 1;
    frames f = {r, g, jn_alloc(most * (size_t)r->nframes * sizeof(float) + 1)};
    double *t = jn_alloc((size_t)r->nframes * sizeof *t + 1);
    for (int i = 0; i < r->nframes; i++)
        t[i] = r->frame[i].t;
    jn_str_add(out, ",\n\"instants\":");
    jni_html_doubles(out, t, r->nframes);
    jn_str_add(out, ",\n\"modes\":[");
    for (int i = 0; i < r->nframes; i++) {
        jn_str_add(out, i ? ",\"" : "\"");
        jn_mode_print(out, g, r->frame[i].mode);
        jn_str_addc(out, '"');
    }
    jn_str_addc(out, ']');
    write_per(out, &f, "power", g->nbonds, true);
    write_per(out, &f, "energy", g->nstorages, false);
    write_ledger(out, &f);
    free(t);
    free(f.all);
}

void jni_html_run_write(jn_str *out, const jn_html_run *r, const jn_graph *g)
{
    jn_str_addf(out,
                "{\"from\":%.17g,\"to\":%.17g,\"linear\":%s,\"visited\":%d,\"events\":%ld,"
                "\"rows\":%ld,\"stopped\":",
                r->from, r->to, r->linear ? "true" : "false", r->modes, r->events, r->rows);
    jni_html_string(out, r->stopped);
    write_trace(out, r);
    if (r->nchanges)
        write_changes(out, r, g->nswitches);
    else
        write_duty(out, r, g->nswitches);
    write_events(out, r);
    write_frames(out, r, g);
    jn_str_addc(out, '}');
}
