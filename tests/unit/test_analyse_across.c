/* test_analyse_across.c: all modes at once: known answers, and counts against going through all
 * modes one by one. */
#include "analysed.h"

static void check_count(const analysed *x, jn_guard g, const char *expected)
{
    fmpz_t count;
    fmpz_init(count);
    jn_guard_count(count, x->junction->ring.guards, g);
    char *s = fmpz_get_str(NULL, 10, count);
    TEST_TEXT(expected, s);
    flint_free(s);
    fmpz_clear(count);
}

static jn_across *across_of(analysed *x)
{
    jn_across *c = NULL;
    CU_ASSERT_EQUAL_FATAL(jn_analyse_across(&c, x->analysis), JN_OK);
    return c;
}

/* See test_analyse.c for the modes one by one: orders 1 (001), 2 (101, 011, 000), 3 (100, 010);
 * only 000 is not stable. E and A are the same in 100 and 010, and in 101 and 011; B never is. */
static void converter_has_its_known_guards(void)
{
    analysed x;
    analysed_init(&x, "examples/chopper.hbg", false);
    jn_across *c = across_of(&x);
    CU_ASSERT_EQUAL_FATAL(c->norders, 3);
    CU_ASSERT_EQUAL(c->min_order, 1);
    check_count(&x, c->modes[0], "1");
    check_count(&x, c->modes[1], "3");
    check_count(&x, c->modes[2], "2");
    check_count(&x, c->dependent[0], "2");
    check_count(&x, c->dependent[1], "0");
    check_count(&x, c->dependent[2], "3");
    check_count(&x, c->some_unreached, "4");
    CU_ASSERT(c->stability_decided);
    check_count(&x, c->stable, "5");
    check_count(&x, c->unstable, "1");
    check_count(&x, c->pole_at_zero, "1");
    CU_ASSERT_EQUAL(fmpz_get_si(c->equations.count), 6);
    CU_ASSERT_EQUAL(fmpz_get_si(c->dynamics.count), 4);
    CU_ASSERT_EQUAL(c->dynamics.of[4], c->dynamics.of[2]);
    CU_ASSERT_EQUAL(c->dynamics.of[5], c->dynamics.of[3]);
    CU_ASSERT_EQUAL(c->dynamics.of[6], -1);
    CU_ASSERT_EQUAL_FATAL(c->nexclusive, 1);
    CU_ASSERT(c->exclusive[0].on && c->exclusive[0].n == 2);
    CU_ASSERT_EQUAL(c->ncomplementary, 0);
    jn_across_free(c);
    analysed_clear(&x);
}

/* ---- counting classes ---------------------------------------------------------------------- */

typedef struct {
    analysed *x;
    jn_mode mode;
    int n, cap;
    jn_ratfun **seen;
} census;

/* Compares with every equation seen so far. */
static bool take(const jn_onoff *m, void *context)
{
    census *c = context;
    jn_implicit_mode(&c->mode, c->x->implicit, m);
    if (c->mode.status != JN_MODE_OK)
        return true;
    size_t n = (size_t)c->mode.n * (size_t)c->mode.n, b = (size_t)(c->mode.n * c->mode.ninputs);
    jn_ratfun *v = jn_alloc((2 * n + b) * sizeof *v);
    memcpy(v, c->mode.E, n * sizeof *v);
    memcpy(v + n, c->mode.A, n * sizeof *v);
    memcpy(v + 2 * n, c->mode.B, b * sizeof *v);
    for (int k = 0; k < c->n; k++)
        if (memcmp(c->seen[k], v, (2 * n + b) * sizeof *v) == 0) {
            free(v);
            return true;
        }
    JN_GROW(c->seen, c->n, c->cap);
    c->seen[c->n++] = v;
    return true;
}

/* An arm of seven cells has 2^14 modes, too many to be listed: what is counted on diagrams is what
 * one finds by looking at them all. */
static void modes_fall_into_classes(void)
{
    char *text = test_read_file("examples/arm.hbg"), *at;
    while ((at = strstr(text, "1..8")) || (at = strstr(text, "cell[8]")))
        *strchr(at, '8') = '7';
    char path[] = "/tmp/junct-arm7-XXXXXX";
    int file = mkstemp(path);
    FILE *f = file < 0 ? NULL : fdopen(file, "w");
    CU_ASSERT_FATAL(f != NULL);
    fputs(text, f);
    fclose(f);
    free(text);
    analysed x;
    analysed_init(&x, path, false);
    remove(path);
    census c = {.x = &x};
    jn_mode_init(&c.mode);
    jn_guard_each_mode(x.junction->ring.guards, jn_guard_true(), take, &c);
    jn_across *a = across_of(&x);
    CU_ASSERT(a->equations.known && a->equations.nlisted == 0);
    CU_ASSERT_EQUAL(fmpz_get_si(a->equations.count), c.n);
    CU_ASSERT(c.n > 1000);
    for (int k = 0; k < c.n; k++)
        free(c.seen[k]);
    free(c.seen);
    jn_mode_clear(&c.mode);
    jn_across_free(a);
    analysed_clear(&x);
}

/* f(R1) sees the shaft; the load only while the clutch is closed, when it is no state of its own.
 */
static void outputs_observe_the_state(void)
{
    analysed x;
    analysed_init(&x, "tests/models/analyse_meshed.hbg", false);
    jn_across *c = across_of(&x);
    CU_ASSERT_FATAL(c->outputs_known);
    check_count(&x, c->unobserved[0], "0");
    check_count(&x, c->unobserved[1], "1");
    check_count(&x, c->some_unobserved, "1");
    CU_ASSERT(jn_guard_equal(
        c->unobserved[1],
        jn_guard_not(x.junction->ring.guards, jn_guard_switch(x.junction->ring.guards, 0))));
    jn_across_free(c);
    analysed_clear(&x);
    /* The converter's outputs see everything in every mode. */
    analysed_init(&x, "examples/chopper.hbg", false);
    c = across_of(&x);
    CU_ASSERT(c->outputs_known && jn_guard_is_false(c->some_unobserved));
    jn_across_free(c);
    analysed_clear(&x);
}

/* A storage that no longer moves need not be empty: the pole at zero counts. */
static void what_stands_still_has_a_pole_at_zero(void)
{
    analysed x;
    analysed_init(&x, "tests/models/analyse_still.hbg", false);
    jn_across *c = across_of(&x);
    CU_ASSERT(c->stability_decided);
    check_count(&x, c->stable, "0");
    check_count(&x, c->pole_at_zero, "1");
    check_count(&x, c->lossless, "0");
    jn_across_free(c);
    analysed_clear(&x);
}

void suite_analyse_across(void)
{
    TEST_SUITE("analyse_across");
    TEST_ADD(converter_has_its_known_guards);
    TEST_ADD(modes_fall_into_classes);
    TEST_ADD(outputs_observe_the_state);
    TEST_ADD(what_stands_still_has_a_pole_at_zero);
}
