/* trace_internal.h: what the forms of a trace share. */
#ifndef TRACE_INTERNAL_H
#define TRACE_INTERNAL_H

#include "junct/trace.h"

typedef struct {
    void (*begin)(jn_trace *t);
    void (*row)(jn_trace *t, double time, const jn_onoff *mode, const double *value);
    bool seeks; /* something in its beginning is known at the end only */
} trace_form;

extern const trace_form jni_trace_csv, jni_trace_npy, jni_trace_mat;

static inline bool is_little_endian(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one == 1;
}

/* A number as a column had it last: the rows before and after an event mostly agree. */
typedef struct {
    double value;
    int length; /* 0: there was none yet */
    char text[JN_DECIMAL_MAX];
} printed;

struct jn_trace {
    const trace_form *form;
    jn_sink *sink;
    jn_columns columns;
    uint64_t rows;
    jn_decimals *decimals; /* CSV */
    printed *last;         /* CSV: of the time, then of each value */
};

#endif
