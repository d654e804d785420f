/* trace_npy.c: a trace as an array of records in NumPy's format .npy.
 *
 * The file begins with a line that describes the array as a Python literal, padded with spaces to
 * a multiple of 64 bytes. How many records follow is known at the end only: the line has room for
 * any number, which is put in then. */
#include <stdlib.h>
#include <string.h>

#include "trace_internal.h"

enum {
    ALIGNMENT = 64,
    VERSION_1_MAX = 65535 /* bytes of the description */
};

/* NumPy has no byte strings of length zero. */
static int mode_width(const jn_trace *t)
{
    return t->columns.nswitches > 0 ? t->columns.nswitches : 1;
}

static void add_text(jn_str *out, const char *s)
{
    jn_str_addc(out, '\'');
    for (; *s; s++) {
        if (*s == '\'' || *s == '\\')
            jn_str_addc(out, '\\');
        jn_str_addc(out, *s);
    }
    jn_str_addc(out, '\'');
}

static const char behind_count[] = ",), }";

/* With the number of records still missing; returns where it belongs. */
static size_t describe(jn_str *out, const jn_trace *t)
{
    char order = is_little_endian() ? '<' : '>';
    jn_str_addf(out, "{'descr': [('t', '%cf8'), ('mode', '|S%d')", order, mode_width(t));
    for (int i = 0; i < t->columns.nvalues; i++) {
        jn_str_add(out, ", (");
        add_text(out, t->columns.value_name[i]);
        jn_str_addf(out, ", '%cf8')", order);
    }
    jn_str_add(out, "], 'fortran_order': False, 'shape': (");
    size_t at = out->len;
    jn_str_fill(out, ' ', JN_COUNT_DIGITS + (int)sizeof behind_count - 1);
    return at;
}

static void write_number(jn_str *out, size_t n, int bytes)
{
    for (int i = 0; i < bytes; i++)
        jn_str_addc(out, (char)(n >> 8 * i & 0xFF));
}

static size_t make_header(jn_str *out, const jn_trace *t)
{
    jn_str text;
    jn_str_init(&text);
    size_t at = describe(&text, t);
    int length_bytes = text.len + ALIGNMENT > VERSION_1_MAX ? 4 : 2;
    size_t before = 8 + (size_t)length_bytes;
    size_t total = (before + text.len + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    jn_str_fill(&text, ' ', (int)(total - before - text.len - 1));
    jn_str_addc(&text, '\n');
    jn_str_addn(out, "\x93NUMPY", 6);
    jn_str_addc(out, length_bytes == 4 ? 2 : 1);
    jn_str_addc(out, 0);
    write_number(out, text.len, length_bytes);
    jn_str_addn(out, text.s, text.len);
    jn_str_clear(&text);
    return before + at;
}

static size_t row_bytes(const jn_trace *t)
{
    return ((size_t)t->columns.nvalues + 1) * sizeof(double) + (size_t)mode_width(t);
}

static void begin(jn_trace *t)
{
    jn_str header;
    jn_str_init(&header);
    size_t at = make_header(&header, t);
    jn_sink_put(t->sink, header.s, header.len);
    jn_sink_rows(t->sink, row_bytes(t));
    jn_sink_count_at(t->sink, at, behind_count);
    jn_str_clear(&header);
}

static void row(jn_trace *t, double time, const jn_onoff *mode, const double *value)
{
    size_t width = (size_t)mode_width(t), values = (size_t)t->columns.nvalues * sizeof *value;
    char *at = jn_sink_room(t->sink, row_bytes(t));
    memcpy(at, &time, sizeof time);
    at[sizeof time] = 0;
    for (int i = 0; i < t->columns.nswitches; i++)
        at[sizeof time + (size_t)i] = mode[i] ? '1' : '0';
    if (values)
        memcpy(at + sizeof time + width, value, values);
    jn_sink_used(t->sink, row_bytes(t));
}

const trace_form jni_trace_npy = {begin, row, true};
