/* column_heap.c: columns that wait for their turn, the cheapest first. */
#include "column_heap.h"

static bool before(jni_task a, jni_task b)
{
    return a.cost != b.cost ? a.cost < b.cost : a.col < b.col;
}

void jni_column_push(jni_column_heap *h, jni_task t)
{
    JN_GROW(h->t, h->n, h->cap);
    int i = h->n++;
    for (; i > 0 && before(t, h->t[(i - 1) / 2]); i = (i - 1) / 2)
        h->t[i] = h->t[(i - 1) / 2];
    h->t[i] = t;
}

jni_task jni_column_pop(jni_column_heap *h)
{
    jni_task top = h->t[0], last = h->t[--h->n];
    int i = 0;
    for (;;) {
        int child = 2 * i + 1;
        if (child >= h->n)
            break;
        if (child + 1 < h->n && before(h->t[child + 1], h->t[child]))
            child++;
        if (!before(h->t[child], last))
            break;
        h->t[i] = h->t[child];
        i = child;
    }
    h->t[i] = last;
    return top;
}
