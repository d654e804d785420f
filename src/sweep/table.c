/* table.c: rows as text, and what tells one question from another. */
#include <math.h>
#include <string.h>

#include "sweep_internal.h"

#include "junct/write.h"

void jn_sweep_header(jn_str *out, const jn_sweep *s)
{
    jn_str_add(out, "run");
    for (int i = 0; i < s->ncolumns; i++) {
        jn_str_addc(out, ',');
        jn_csv_field(out, s->column[i]);
    }
    jn_str_add(out, ",status\n");
}

static void add_row(jn_str *out, const jn_sweep *s, uint64_t row, const char *status)
{
    char text[JN_DECIMAL_MAX];
    jn_str_addf(out, "%llu", (unsigned long long)row);
    for (int i = 0; i < s->ncolumns; i++) {
        jn_str_addc(out, ',');
        if (!isnan(s->row[i]))
            jn_str_addn(out, text, (size_t)jn_decimals_print(text, s->decimals, s->row[i]));
    }
    jn_str_addc(out, ',');
    jn_csv_field(out, status);
    jn_str_addc(out, '\n');
}

bool jn_sweep_row_text(jn_str *out, jn_sweep *s, uint64_t row)
{
    const char *status;
    if (!jn_sweep_row(s, row, s->row, &status))
        return false;
    add_row(out, s, row, status);
    return true;
}

void jn_sweep_row_lost(jn_str *out, jn_sweep *s, uint64_t row, const char *status)
{
    jni_sweep_values(s->row, s, row);
    for (int i = s->naxes; i < s->ncolumns; i++)
        s->row[i] = NAN;
    add_row(out, s, row, status);
}

/* ---- the fingerprint ----------------------------------------------------------------------- */

/* FNV-1a, with 64 bits. */
static uint64_t add_bytes(uint64_t h, const void *data, size_t n)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 0x100000001B3u;
    return h;
}

static uint64_t add_text(uint64_t h, const char *text)
{
    return add_bytes(h, text ? text : "", text ? strlen(text) + 1 : 1);
}

static uint64_t add_numbers(uint64_t h, const jn_sweep_question *q)
{
    const double x[] = {q->to, q->from, q->period, q->sim.rtol, q->sim.atol, q->seconds};
    const uint64_t n[] = {
        q->kind,    q->samples,    q->seed,       (uint64_t)q->periods,      (uint64_t)q->times,
        q->is_free, q->sim.method, q->sim.strict, (uint64_t)q->sim.nsequence};
    return add_bytes(add_bytes(h, x, sizeof x), n, sizeof n);
}

/* The model by its text, and by values that were set since. */
static uint64_t add_model(uint64_t h, const jn_graph *g)
{
    const jn_source *source = g->nelements ? g->element[0].place.source : NULL;
    jn_str text;
    fmpq_t x;
    jn_str_init(&text);
    fmpq_init(x);
    for (int i = 0; i < g->nparams; i++)
        if (g->param[i].value.id >= 0 && jn_ratfun_get_fmpq(x, g->field, g->param[i].value)) {
            char *number = fmpq_get_str(NULL, 10, x);
            jn_str_addf(&text, "%s ", number);
            flint_free(number);
        }
    for (int i = 0; i < g->nsources; i++)
        if (g->element[g->source[i]].input)
            jn_expr_print(&text, g, g->element[g->source[i]].input);
    fmpq_clear(x);
    h = add_text(h, jn_str_c(&text));
    jn_str_clear(&text);
    return source ? add_bytes(h, source->text, source->len) : h;
}

static uint64_t add_modes(uint64_t h, const jn_sweep *s)
{
    size_t n = (size_t)s->g->nswitches * sizeof(jn_onoff), rows = (size_t)s->q.sim.nsequence;
    if (s->q.mode)
        h = add_bytes(h, s->q.mode, n);
    if (rows)
        h = add_bytes(h, s->q.sim.sequence_t, rows * sizeof(double));
    return rows ? add_bytes(h, s->q.sim.sequence_mode, rows * n) : h;
}

const char *jni_fingerprint_of(const jn_sweep *s)
{
    uint64_t h = add_model(0xCBF29CE484222325u, s->g);
    for (int i = 0; i < s->q.nvary; i++)
        h = add_text(h, s->q.vary[i]);
    h = add_text(h, "measures");
    for (int i = 0; i < s->q.nmeasures; i++)
        h = add_text(h, s->q.measure[i]);
    h = add_text(h, s->q.each_period);
    h = add_modes(add_numbers(h, &s->q), s);
    return jn_arena_printf(s->arena, "%016llx", (unsigned long long)h);
}
