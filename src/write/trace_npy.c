/* trace_npy.c: a trace as an array of records in NumPy's format .npy.
 *
 * The file begins with a line that describes the array as a Python literal, padded with spaces to
 * a multiple of 64 bytes. How many records follow is known at the end only: the line has room for
 * any number, and is written once more then. */
#include <stdlib.h>
#include <string.h>

#include "trace_internal.h"

enum {
    COUNT_WIDTH = 20, /* digits of any 64-bit number */
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

static void describe(jn_str *out, const jn_trace *t, uint64_t rows)
{
    char order = is_little_endian() ? '<' : '>';
    jn_str_addf(out, "{'descr': [('t', '%cf8'), ('mode', '|S%d')", order, mode_width(t));
    for (int i = 0; i < t->columns.nvalues; i++) {
        jn_str_add(out, ", (");
        add_text(out, t->columns.value_name[i]);
        jn_str_addf(out, ", '%cf8')", order);
    }
    size_t end = out->len;
    jn_str_addf(out, "], 'fortran_order': False, 'shape': (%llu,), }", (unsigned long long)rows);
    /* As long as it will ever be. */
    size_t fixed = strlen("], 'fortran_order': False, 'shape': (,), }") + COUNT_WIDTH;
    jn_str_fill(out, ' ', (int)(end + fixed - out->len));
}

static void write_number(jn_str *out, size_t n, int bytes)
{
    for (int i = 0; i < bytes; i++)
        jn_str_addc(out, (char)(n >> 8 * i & 0xFF));
}

static void make_header(jn_str *out, const jn_trace *t, uint64_t rows)
{
    jn_str text;
    jn_str_init(&text);
    describe(&text, t, rows);
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
}

static void begin(jn_trace *t)
{
    jn_str header;
    jn_str_init(&header);
    make_header(&header, t, 0);
    jn_sink_put(t->sink, header.s, header.len);
    t->data_offset = header.len;
    jn_str_clear(&header);
}

static size_t row_bytes(const jn_trace *t)
{
    return ((size_t)t->columns.nvalues + 1) * sizeof(double) + (size_t)mode_width(t);
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

static void end(jn_trace *t)
{
    jn_str header;
    jn_str_init(&header);
    make_header(&header, t, jn_trace_whole_rows(t, row_bytes(t)));
    jn_sink_rewrite(t->sink, 0, header.s, header.len);
    jn_str_clear(&header);
}

const trace_form jn_trace_npy = {begin, row, end, true};
