/* trace.c: the trace of a run, in any form; as CSV here, as .npy and .mat in files of their own. */
#include <stdlib.h>
#include <string.h>

#include "junct/write.h"
#include "trace_internal.h"

/* ---- CSV ----------------------------------------------------------------------------------- */

static void begin_csv(jn_trace *t)
{
    jn_str line;
    jn_str_init(&line);
    jn_str_add(&line, t->columns.mode_columns ? "t" : "t,mode");
    for (int i = 0; t->columns.mode_columns && i < t->columns.nswitches; i++) {
        jn_str_addc(&line, ',');
        jn_csv_field(&line, t->columns.switch_name[i]);
    }
    for (int i = 0; i < t->columns.nvalues; i++) {
        jn_str_addc(&line, ',');
        jn_csv_field(&line, t->columns.value_name[i]);
    }
    jn_str_addc(&line, '\n');
    jn_sink_rows(t->sink, 0);
    jn_sink_put(t->sink, line.s, line.len);
    jn_str_clear(&line);
}

/* At most JN_DECIMAL_MAX bytes are written to. */
static char *put_number(char *at, const jn_trace *t, printed *last, double x)
{
    if (!last->length || memcmp(&last->value, &x, sizeof x) != 0) { /* by its bits: −0 is not 0 */
        last->value = x;
        last->length = jn_decimals_print(last->text, t->decimals, x);
    }
    memcpy(at, last->text, sizeof last->text); /* of a size that is known: faster than its length */
    return at + last->length;
}

static void row_csv(jn_trace *t, double time, const jn_onoff *mode, const double *value)
{
    int nswitches = t->columns.nswitches, nvalues = t->columns.nvalues;
    size_t most = ((size_t)nvalues + 1) * (JN_DECIMAL_MAX + 1) + 2 * (size_t)nswitches + 2;
    char *start = jn_sink_room(t->sink, most), *at = start;
    bool apart = t->columns.mode_columns;
    at = put_number(at, t, &t->last[0], time);
    if (!apart)
        *at++ = ',';
    for (int i = 0; i < nswitches; i++) {
        if (apart)
            *at++ = ',';
        *at++ = mode[i] ? '1' : '0';
    }
    for (int i = 0; i < nvalues; i++) {
        *at++ = ',';
        at = put_number(at, t, &t->last[i + 1], value[i]);
    }
    *at++ = '\n';
    jn_sink_used(t->sink, (size_t)(at - start));
}

const trace_form jni_trace_csv = {begin_csv, row_csv, false};

/* ---- any form ------------------------------------------------------------------------------ */

static const trace_form *form_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    if (dot && strcmp(dot, ".npy") == 0)
        return &jni_trace_npy;
    if (dot && strcmp(dot, ".mat") == 0)
        return &jni_trace_mat;
    return &jni_trace_csv;
}

jn_status jn_trace_open(jn_trace **out, const char *path, const jn_columns *c, jn_str *why)
{
    jn_trace *t = jn_alloc(sizeof *t);
    t->form = form_of(path);
    t->columns = *c;
    *out = NULL;
    jn_status status = jn_sink_open(&t->sink, path, why);
    if (status == JN_OK && t->form->seeks && !jn_sink_is_file(t->sink)) {
        jn_str_addf(why, "cannot write %s: this form needs a regular file", path);
        status = JN_INVALID;
    }
    if (status != JN_OK) {
        jn_trace_discard(t);
        return status;
    }
    t->decimals = jn_decimals_new();
    t->last = jn_alloc(((size_t)c->nvalues + 1) * sizeof *t->last);
    t->form->begin(t);
    *out = t;
    return JN_OK;
}

bool jn_trace_row(jn_trace *t, double time, const jn_onoff *mode, const double *value)
{
    t->form->row(t, time, mode, value);
    t->rows++;
    return !jn_sink_failed(t->sink);
}

uint64_t jn_trace_rows(const jn_trace *t)
{
    return t->rows;
}

jn_sink *jn_trace_sink(jn_trace *t)
{
    return t->sink;
}

jn_status jn_trace_close(jn_trace *t, jn_str *why)
{
    jn_status status = jn_sink_close(t->sink, why);
    t->sink = NULL;
    jn_trace_discard(t);
    return status;
}

void jn_trace_discard(jn_trace *t)
{
    if (!t)
        return;
    jn_sink_discard(t->sink);
    jn_decimals_free(t->decimals);
    free(t->last);
    free(t);
}
