/* trace_mat.c: a trace as a MAT-file of level 4.
 *
 * Such a file is a list of matrices, each stored by columns behind its sizes. A row of the trace
 * is therefore a column of `data`: the matrix grows at its end, and its width is written once
 * more when it is known. Sizes are 32 bits wide: longer traces are refused. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace_internal.h"

enum {
    NUMBERS = 0,
    CHARACTERS = 1,
    BYTES = 50,
    BIG_ENDIAN_FILE = 1000,
    HEAD_WORDS = 5,
    COLUMNS_WORD = 2
};

/* Type, rows, columns, no imaginary part, length of the name with its end. */
static void write_head(jn_sink *s, int type, int32_t rows, int32_t columns, const char *name)
{
    int32_t head[HEAD_WORDS] = {type + (is_little_endian() ? 0 : BIG_ENDIAN_FILE), rows, columns, 0,
                                (int32_t)strlen(name) + 1};
    jn_sink_put(s, head, sizeof head);
    jn_sink_put(s, name, strlen(name) + 1);
}

static int count(const jn_columns *c)
{
    return 1 + c->nswitches + c->nvalues;
}

static void name_of(jn_str *out, const jn_columns *c, int i)
{
    jn_str_reset(out);
    if (i == 0)
        jn_str_add(out, "t");
    else if (i <= c->nswitches)
        jn_str_addf(out, "mode(%s)", c->switch_name[i - 1]);
    else
        jn_str_add(out, c->value_name[i - 1 - c->nswitches]);
}

/* One line a name, padded with spaces, by columns; one byte a character. */
static void write_names(jn_sink *s, const jn_columns *c)
{
    int n = count(c);
    size_t width = 0;
    jn_str name;
    jn_str_init(&name);
    for (int i = 0; i < n; i++) {
        name_of(&name, c, i);
        width = name.len > width ? name.len : width;
    }
    char *text = jn_alloc((size_t)n * width);
    memset(text, ' ', (size_t)n * width);
    for (int i = 0; i < n; i++) {
        name_of(&name, c, i);
        for (size_t k = 0; k < name.len; k++)
            text[k * (size_t)n + (size_t)i] = name.s[k];
    }
    write_head(s, CHARACTERS + BYTES, n, (int32_t)width, "names");
    jn_sink_put(s, text, (size_t)n * width);
    free(text);
    jn_str_clear(&name);
}

static void begin(jn_trace *t)
{
    write_names(t->sink, &t->columns);
    write_head(t->sink, NUMBERS, count(&t->columns), 0, "data");
    uint64_t head = jn_sink_written(t->sink) - sizeof "data" - HEAD_WORDS * sizeof(int32_t);
    jn_sink_rows(t->sink, (size_t)count(&t->columns) * sizeof(double));
    jn_sink_count_at(t->sink, head + COLUMNS_WORD * sizeof(int32_t), NULL);
}

static void row(jn_trace *t, double time, const jn_onoff *mode, const double *value)
{
    if (t->rows == INT32_MAX)
        jn_sink_fail(t->sink, EFBIG);
    size_t n = (size_t)count(&t->columns);
    char *start = jn_sink_room(t->sink, n * sizeof time), *at = start;
    memcpy(at, &time, sizeof time);
    for (int i = 0; i < t->columns.nswitches; i++) {
        double on = mode[i] ? 1 : 0;
        memcpy(at += sizeof on, &on, sizeof on);
    }
    if (t->columns.nvalues)
        memcpy(at + sizeof time, value, (size_t)t->columns.nvalues * sizeof *value);
    jn_sink_used(t->sink, n * sizeof time);
}

const trace_form jni_trace_mat = {begin, row, true};
