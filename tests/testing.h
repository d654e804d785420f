/* testing.h: what every test file includes.
 *
 * A file tests/<folder>/test_NAME.c defines one function `void suite_NAME(void)` that adds its
 * suite and tests to CUnit; the Makefile collects them by file name. A test is named by what it
 * shows, in words, `a_slide_ends_where_its_share_does`: with the name of its suite that says what
 * is wrong when it fails. */
#ifndef TESTING_H
#define TESTING_H

#include <CUnit/CUnit.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Random tests: the same numbers every time, unless JUNCT_SEED names another seed or says
 * "random". A test that fails prints the seed it ran with. */
typedef struct {
    uint64_t state;
} test_rng;

uint64_t test_seed(void);               /* the run's seed; printed once at the start */
test_rng test_rng_new(uint64_t stream); /* a generator of its own for each stream */
uint64_t test_rng_next(test_rng *r);
int test_rng_int(test_rng *r, int lo, int hi); /* uniform, both ends included */
bool test_rng_chance(test_rng *r, int percent);

/* A CUnit assertion that says what was expected and what came, whole. */
void test_equal_text(const char *expected, const char *got, const char *file, int line);
#define TEST_TEXT(expected, got) test_equal_text((expected), (got), __FILE__, __LINE__)

/* The whole of a file; aborts when it cannot be read. free() it. */
char *test_read_file(const char *path);

#define TEST_SUITE(name) CU_pSuite suite_ = CU_add_suite((name), NULL, NULL)
#define TEST_ADD(fn) CU_add_test(suite_, #fn, (fn))

#endif
