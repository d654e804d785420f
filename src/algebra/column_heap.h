/* column_heap.h: columns that wait for their turn in an elimination, the cheapest first.
 *
 * The cost of a column changes as others go. A column may stand here several times, with old costs;
 * whoever takes it looks at what it costs now. */
#ifndef COLUMN_HEAP_H
#define COLUMN_HEAP_H

#include "junct/base.h"

typedef struct {
    long cost;
    int col;
} jni_task;

typedef struct {
    int n, cap;
    jni_task *t;
} jni_column_heap; /* zeroed: empty; free(t) ends it */

void jni_column_push(jni_column_heap *h, jni_task t);
jni_task jni_column_pop(jni_column_heap *h); /* of those with equal costs the first column */

#endif
