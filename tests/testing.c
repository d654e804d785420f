/* testing.c: seeds, random numbers, comparisons. */
#include "testing.h"

#include <time.h>

uint64_t test_seed(void)
{
    static uint64_t seed;
    static bool known;
    if (!known) {
        const char *s = getenv("JUNCT_SEED");
        if (!s)
            seed = 20130313;
        else if (strcmp(s, "random") == 0)
            seed = (uint64_t)time(NULL);
        else
            seed = strtoull(s, NULL, 10);
        known = true;
    }
    return seed;
}

/* splitmix64 */
uint64_t test_rng_next(test_rng *r)
{
    uint64_t z = (r->state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

test_rng test_rng_new(uint64_t stream)
{
    test_rng r = {test_seed() * 0x9E3779B97F4A7C15u + stream};
    test_rng_next(&r);
    return r;
}

int test_rng_int(test_rng *r, int lo, int hi)
{
    return lo + (int)(test_rng_next(r) % (uint64_t)(hi - lo + 1));
}

bool test_rng_chance(test_rng *r, int percent)
{
    return test_rng_int(r, 0, 99) < percent;
}

void test_equal_text(const char *expected, const char *got, const char *file, int line)
{
    bool same = strcmp(expected, got) == 0;
    if (!same)
        printf("\n%s:%d: expected:\n%s\n---- got:\n%s\n----\n", file, line, expected, got);
    CU_assertImplementation(same, (unsigned)line, "texts are equal", file, "", CU_FALSE);
}

char *test_read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f) {
        fprintf(stderr, "tests: cannot read %s\n", path);
        CU_FAIL("a file that should be there");
        return calloc(1, 1);
    }
    size_t len = 0, cap = 1 << 16, n;
    char *s = malloc(cap);
    while (s && (n = fread(s + len, 1, cap - len - 1, f)) > 0) {
        len += n;
        if (cap - len < 2)
            s = realloc(s, cap *= 2);
    }
    if (!s)
        abort();
    s[len] = 0;
    fclose(f);
    return s;
}
