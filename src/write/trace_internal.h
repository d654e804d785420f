/* trace_internal.h: what the forms of a trace share. */
#ifndef TRACE_INTERNAL_H
#define TRACE_INTERNAL_H

#include "junct/trace.h"

typedef struct {
    void (*begin)(jn_trace *t);
    void (*row)(jn_trace *t, double time, const jn_onoff *mode, const double *value);
    void (*end)(jn_trace *t); /* also after a failure, for what has been written */
    bool seeks;               /* its beginning is written anew at the end */
} trace_form;

extern const trace_form jn_trace_csv, jn_trace_npy, jn_trace_mat;

static inline bool is_little_endian(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one == 1;
}

struct jn_trace {
    const trace_form *form;
    jn_sink *sink;
    jn_columns columns;
    uint64_t rows;
    uint64_t data_offset;  /* of the first row, in the binary forms */
    jn_decimals *decimals; /* CSV */
};

/* Binary forms: the rows that have reached the file, after flushing. Fewer than were asked for when
 * writing failed. */
uint64_t jn_trace_whole_rows(jn_trace *t, size_t row_bytes);

#endif
