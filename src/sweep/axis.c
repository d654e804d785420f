/* axis.c: what is varied: its values in order, or a distribution to draw from.
 *
 * A draw is a function of the seed, the number of the sample and that of the axis, not of what was
 * drawn before: any worker can make any row. */
#include <math.h>
#include <string.h>

#include "sweep_internal.h"

/* ---- reading ------------------------------------------------------------------------------- */

typedef struct {
    const jn_source *source;
    jn_diags *d;
    size_t at;
} reader;

static bool fail(const reader *r, size_t from, size_t to, const char *message, const char *advice)
{
    jn_diag_add(r->d, JN_D_SWEEP_VARY, (jn_place){r->source, from, to > from ? to - from : 1},
                message, advice);
    return false;
}

static void skip_spaces(reader *r)
{
    r->at += strspn(r->source->text + r->at, " \t");
}

static bool accept(reader *r, char c)
{
    skip_spaces(r);
    if (r->source->text[r->at] != c)
        return false;
    r->at++;
    skip_spaces(r);
    return true;
}

static bool read_number(reader *r, fmpq_t x)
{
    skip_spaces(r);
    size_t from = r->at, len = strcspn(r->source->text + from, ":,() \t");
    r->at += len;
    if (jn_ratio_parse(x, r->source->text + from, len) == JN_OK)
        return true;
    return fail(r, from, r->at, "a number should stand here",
                "such as 0.1, 1/3 or 100u; a unit is not written");
}

static bool read_count(reader *r, int *count)
{
    size_t from = r->at;
    fmpq_t x;
    fmpq_init(x);
    bool good = read_number(r, x);
    if (good && (!fmpz_is_one(fmpq_denref(x)) || fmpz_cmp_si(fmpq_numref(x), 1) < 0 ||
                 fmpz_cmp_si(fmpq_numref(x), AXIS_MOST) > 0))
        good = fail(r, from, r->at, "the count is a whole number from 1 to 1000000",
                    "FROM:TO:COUNT has both ends among its COUNT values");
    if (good)
        *count = (int)fmpz_get_si(fmpq_numref(x));
    fmpq_clear(x);
    return good;
}

/* ---- grids and lists ----------------------------------------------------------------------- */

static void fill_even(axis *a, const fmpq_t from, const fmpq_t to)
{
    fmpq_t x, share;
    fmpq_init(x);
    fmpq_init(share);
    for (int k = 0; k < a->count; k++) {
        fmpq_set_si(share, k, a->count > 1 ? (ulong)a->count - 1 : 1);
        fmpq_sub(x, to, from);
        fmpq_mul(x, x, share);
        fmpq_add(x, x, from);
        a->value[k] = jn_number_get_d(x);
    }
    fmpq_clear(share);
    fmpq_clear(x);
}

/* With more digits on the way, so that decades come out as they are written. */
static void fill_log(axis *a, double from, double to)
{
    for (int k = 0; k < a->count; k++) {
        long double share = a->count > 1 ? (long double)k / (a->count - 1) : 0;
        a->value[k] = (double)((long double)from * powl((long double)to / from, share));
    }
    a->value[a->count - 1] = a->count > 1 ? to : from;
}

/* "1:100:20", after its first number. */
static bool read_grid(reader *r, jn_arena *arena, axis *a, fmpq_t from, size_t start)
{
    fmpq_t to;
    fmpq_init(to);
    bool good = read_number(r, to);
    if (good && !accept(r, ':'))
        good = fail(r, r->at, r->at, "a count should follow", "write FROM:TO:COUNT");
    good = good && read_count(r, &a->count);
    if (good && a->is_log && fmpq_sgn(from) * fmpq_sgn(to) <= 0)
        good = fail(r, start, r->at, "a logarithmic grid does not reach or pass 0",
                    "give both ends the same sign");
    if (good) {
        a->value = jn_arena_alloc(arena, (size_t)a->count * sizeof *a->value);
        if (a->is_log)
            fill_log(a, jn_number_get_d(from), jn_number_get_d(to));
        else
            fill_even(a, from, to);
    }
    fmpq_clear(to);
    return good;
}

/* "1,2,5", after its first number. */
static bool read_list(reader *r, jn_arena *arena, axis *a, fmpq_t x)
{
    size_t most = 1;
    for (const char *c = r->source->text; *c; c++)
        most += *c == ',';
    a->value = jn_arena_alloc(arena, most * sizeof *a->value);
    a->value[a->count++] = jn_number_get_d(x);
    while (accept(r, ',')) {
        if (!read_number(r, x))
            return false;
        a->value[a->count++] = jn_number_get_d(x);
    }
    return true;
}

static bool read_values(reader *r, jn_arena *arena, axis *a)
{
    size_t start = r->at;
    fmpq_t x;
    fmpq_init(x);
    bool good = read_number(r, x);
    if (good && accept(r, ':'))
        good = read_grid(r, arena, a, x, start);
    else if (good && a->is_log)
        good = fail(r, start, r->at, "a logarithmic grid has two ends and a count",
                    "write log:FROM:TO:COUNT");
    else if (good)
        good = read_list(r, arena, a, x);
    fmpq_clear(x);
    return good;
}

/* ---- distributions ------------------------------------------------------------------------- */

/* "(a, b)" */
static bool read_pair(reader *r, axis *a)
{
    size_t from = r->at;
    fmpq_t x, y;
    fmpq_init(x);
    fmpq_init(y);
    bool good = read_number(r, x);
    if (good && !accept(r, ','))
        good = fail(r, r->at, r->at, "a second number should follow",
                    "write uniform(FROM,TO) or normal(MEAN,DEVIATION)");
    good = good && read_number(r, y);
    if (good && !accept(r, ')'))
        good = fail(r, r->at, r->at, "a closing bracket should follow", "");
    if (good && a->drawn == DRAWN_UNIFORM && fmpq_cmp(x, y) >= 0)
        good = fail(r, from, r->at - 1, "the first end is not below the second", "");
    if (good && a->drawn == DRAWN_NORMAL && fmpq_sgn(y) <= 0)
        good = fail(r, from, r->at - 1, "the deviation is not positive", "");
    a->a = jn_number_get_d(x);
    a->b = jn_number_get_d(y);
    fmpq_clear(y);
    fmpq_clear(x);
    return good;
}

static bool starts_with(reader *r, const char *word)
{
    size_t n = strlen(word);
    if (strncmp(r->source->text + r->at, word, n))
        return false;
    r->at += n;
    return true;
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* "R1", or "p0(L)". */
static bool read_name(reader *r, jn_arena *arena, axis *a)
{
    static const char *const starts[] = {"p0(", "q0(", "f0(", "e0("};
    const char *text = r->source->text, *equals = strchr(text, '=');
    size_t len = equals ? (size_t)(equals - text) : 0;
    while (len && (text[len - 1] == ' ' || text[len - 1] == '\t'))
        len--;
    if (!len)
        return fail(r, 0, r->source->len, "this does not say what is varied",
                    "write NAME=FROM:TO:COUNT, NAME=1,2,5 or NAME=normal(MEAN,DEVIATION)");
    a->name = a->target = jn_arena_strndup(arena, text, len);
    a->place = (jn_place){r->source, 0, len};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (!strncmp(a->name, starts[i], strlen(starts[i])) && a->name[len - 1] == ')') {
            a->target = jn_arena_strndup(arena, a->name + 3, len - 4);
            a->sets = i < 2 ? SETS_STATE : SETS_START;
        }
    r->at = (size_t)(equals - text) + 1;
    return true;
}

bool jni_axis_read(axis *a, jn_arena *arena, const char *text, jn_diags *d)
{
    reader r = {jn_source_of(arena, "--vary", text, strlen(text)), d, 0};
    *a = (axis){0};
    if (!read_name(&r, arena, a))
        return false;
    skip_spaces(&r);
    bool good;
    if (starts_with(&r, "uniform(") || starts_with(&r, "normal(")) {
        a->drawn = text[r.at - 2] == 'm' ? DRAWN_UNIFORM : DRAWN_NORMAL;
        good = read_pair(&r, a);
    } else {
        a->is_log = starts_with(&r, "log:");
        good = read_values(&r, arena, a);
    }
    skip_spaces(&r);
    if (good && r.at < r.source->len)
        good = fail(&r, r.at, r.source->len, "this is not expected here",
                    "write FROM:TO:COUNT, log:FROM:TO:COUNT, a list 1,2,5, uniform(FROM,TO) or "
                    "normal(MEAN,DEVIATION)");
    return good;
}

/* ---- draws --------------------------------------------------------------------------------- */

/* The finaliser of splitmix64: every bit of x changes about half of the result's. */
static uint64_t mix(uint64_t x)
{
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

/* Between 0 and 1, neither of them. */
static double uniform(uint64_t seed, uint64_t sample, int k, int which)
{
    uint64_t x = mix(mix(mix(seed) + sample) + 2 * (uint64_t)k + (uint64_t)which);
    return ((double)(x >> 12) + 0.5) * 0x1p-52;
}

double jni_axis_draw(const axis *a, uint64_t seed, uint64_t sample, int k)
{
    double u = uniform(seed, sample, k, 0);
    if (a->drawn == DRAWN_UNIFORM)
        return a->a + (a->b - a->a) * u;
    double angle = 2 * JN_PI * uniform(seed, sample, k, 1); /* Box and Muller */
    return a->a + a->b * sqrt(-2 * log(u)) * cos(angle);
}

/* ---- setting ------------------------------------------------------------------------------- */

const char *jni_axis_set(const axis *a, jn_graph *g, const jn_decimals *p, double value)
{
    char text[JN_DECIMAL_MAX];
    const char *why = NULL;
    fmpq_t x;
    fmpq_init(x);
    int len = jn_decimals_print(text, p, value);
    jn_status status = jn_ratio_parse(x, text, (size_t)len) == JN_OK ? JN_OK : JN_BUG;
    if (status == JN_OK && a->sets == SETS_VALUE)
        status = jn_graph_set(g, a->target, x, &why);
    else if (status == JN_OK)
        status = jn_graph_set_initial(g, a->target, a->sets == SETS_STATE, x, &why);
    fmpq_clear(x);
    return status == JN_OK ? NULL : why ? why : "the value is not finite";
}
