/* deal.c: which worker computes what, and in which order it leaves.
 *
 * Batches grow and shrink so that a worker asks seldom, and none is left with much at the end: a batch
 * is a share of what is left, within bounds. Those that are out or wait for an earlier one are kept
 * in a ring of slots; where there is none free, nobody gets more until the earliest is back. */
#include <stdlib.h>
#include <string.h>

#include "sweep_internal.h"

enum { BATCH_MOST = 64, SLOTS_EACH = 4 };

typedef enum { SLOT_FREE, SLOT_OUT, SLOT_AGAIN, SLOT_BACK } slot_state;

typedef struct {
    slot_state state;
    jn_batch batch;
    bool lost_before;
    jn_str text;
} slot;

struct jn_deal {
    uint64_t rows, next, done; /* all; the first that was never dealt; those that have left */
    int workers, nslots;
    slot *slot; /* in the order of rows, from `head` on */
    int head, used;
};

jn_deal *jn_deal_new(uint64_t first, uint64_t rows, int workers)
{
    jn_deal *d = jn_alloc(sizeof *d);
    *d = (jn_deal){.rows = rows, .next = first, .done = first, .workers = workers};
    /* a batch that comes back in pieces needs a slot for each of its rows */
    d->nslots = SLOTS_EACH * workers + BATCH_MOST * workers;
    d->slot = jn_alloc((size_t)d->nslots * sizeof *d->slot);
    for (int i = 0; i < d->nslots; i++)
        jn_str_init(&d->slot[i].text);
    return d;
}

void jn_deal_free(jn_deal *d)
{
    if (!d)
        return;
    for (int i = 0; i < d->nslots; i++)
        jn_str_clear(&d->slot[i].text);
    free(d->slot);
    free(d);
}

static slot *slot_at(jn_deal *d, int i)
{
    return &d->slot[(d->head + i) % d->nslots];
}

static int batch_size(const jn_deal *d)
{
    uint64_t left = d->rows - d->next, n = left / (8 * (uint64_t)d->workers);
    n = n < 1 ? 1 : n > BATCH_MOST ? BATCH_MOST : n;
    return (int)(n < left ? n : left);
}

bool jn_deal_take(jn_deal *d, jn_batch *b)
{
    for (int i = 0; i < d->used; i++)
        if (slot_at(d, i)->state == SLOT_AGAIN) {
            slot_at(d, i)->state = SLOT_OUT;
            *b = slot_at(d, i)->batch;
            return true;
        }
    if (d->next == d->rows || d->used >= SLOTS_EACH * d->workers)
        return false;
    slot *s = slot_at(d, d->used++);
    s->state = SLOT_OUT;
    s->lost_before = false;
    s->batch = *b = (jn_batch){d->next, batch_size(d)};
    d->next += (uint64_t)b->count;
    return true;
}

static slot *slot_of(jn_deal *d, jn_batch b)
{
    for (int i = 0; i < d->used; i++)
        if (slot_at(d, i)->batch.first == b.first && slot_at(d, i)->batch.count == b.count &&
            slot_at(d, i)->state == SLOT_OUT)
            return slot_at(d, i);
    return NULL;
}

void jn_deal_return(jn_deal *d, jn_batch b, const char *text, size_t len)
{
    slot *s = slot_of(d, b);
    if (!s)
        return;
    jn_str_reset(&s->text);
    jn_str_addn(&s->text, text, len);
    s->state = SLOT_BACK;
}

/* In place of a slot, one for each of its rows. */
static void split(jn_deal *d, slot *whole)
{
    int at = (int)((whole - d->slot - d->head + d->nslots) % d->nslots), n = whole->batch.count;
    uint64_t first = whole->batch.first;
    for (int i = d->used - 1; i > at; i--) {
        slot moved = *slot_at(d, i);
        *slot_at(d, i) = *slot_at(d, i + n - 1);
        *slot_at(d, i + n - 1) = moved;
    }
    d->used += n - 1;
    for (int i = 0; i < n; i++) {
        slot *s = slot_at(d, at + i);
        s->state = SLOT_AGAIN;
        s->batch = (jn_batch){first + (uint64_t)i, 1};
        s->lost_before = n == 1;
    }
}

bool jn_deal_lost(jn_deal *d, jn_batch b)
{
    slot *s = slot_of(d, b);
    if (!s)
        return false;
    if (s->batch.count == 1 && s->lost_before)
        return true;
    split(d, s);
    return false;
}

bool jn_deal_next(jn_deal *d, jn_str *text)
{
    slot *s = slot_at(d, 0);
    if (!d->used || s->state != SLOT_BACK)
        return false;
    jn_str_addn(text, jn_str_c(&s->text), s->text.len);
    jn_str_reset(&s->text);
    s->state = SLOT_FREE;
    d->done += (uint64_t)s->batch.count;
    d->head = (d->head + 1) % d->nslots;
    d->used--;
    return true;
}

uint64_t jn_deal_done(const jn_deal *d)
{
    return d->done;
}

bool jn_deal_is_over(const jn_deal *d)
{
    return d->done == d->rows;
}
