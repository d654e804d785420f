/* test_guard.c: guards against truth tables.
 *
 * For up to 8 switches every answer is worked out mode by mode from a table of bytes; bit
 * n − 1 − s of a table's index is the switch s. The diagrams are tried in random orders. */
#include "testing.h"

#include <flint/flint.h>

#include "junct/guard.h"

enum { MOST_SWITCHES = 8, MOST_MODES = 1 << MOST_SWITCHES, POOL = 12 };

typedef struct {
    jn_guard g;
    uint8_t t[MOST_MODES];
} sample;

typedef struct {
    int n, modes;
    jn_guards *g;
    test_rng rng;
    sample pool[POOL];
} lab;

static bool is_on(const lab *l, int mode, int s)
{
    return mode >> (l->n - 1 - s) & 1;
}

static void set_mode(jn_onoff *m, const lab *l, int mode)
{
    for (int s = 0; s < l->n; s++)
        m[s] = is_on(l, mode, s);
}

static bool agrees(const lab *l, jn_guard a, const uint8_t *t)
{
    jn_onoff m[MOST_SWITCHES];
    for (int mode = 0; mode < l->modes; mode++) {
        set_mode(m, l, mode);
        if (jn_guard_at(l->g, a, m) != t[mode])
            return false;
    }
    return true;
}

static void shuffle(int *order, int n, test_rng *rng)
{
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = test_rng_int(rng, 0, i), keep = order[i];
        order[i] = order[j];
        order[j] = keep;
    }
}

static void from_table(lab *l, sample *x)
{
    jn_onoff m[MOST_SWITCHES];
    x->g = jn_guard_false();
    for (int mode = 0; mode < l->modes; mode++) {
        set_mode(m, l, mode);
        if (x->t[mode])
            x->g = jn_guard_or(l->g, x->g, jn_guard_mode(l->g, m));
    }
}

/* A random table of a random density, made independent of some switches. */
static void random_sample(lab *l, sample *x)
{
    int percent = test_rng_int(&l->rng, 0, 100);
    int ignored = 0;
    for (int bit = 1; bit < l->modes; bit <<= 1)
        ignored |= test_rng_chance(&l->rng, 25) ? bit : 0;
    for (int mode = 0; mode < l->modes; mode++)
        x->t[mode] = test_rng_chance(&l->rng, percent);
    for (int mode = 0; mode < l->modes; mode++)
        x->t[mode] = x->t[mode & ~ignored];
    from_table(l, x);
}

static void open_lab(lab *l, int n, uint64_t stream)
{
    int order[MOST_SWITCHES];
    *l = (lab){.n = n, .modes = 1 << n, .rng = test_rng_new(stream)};
    shuffle(order, n, &l->rng);
    l->g = jn_guards_new(n, stream % 3 ? order : NULL);
    for (int i = 0; i < POOL; i++)
        random_sample(l, &l->pool[i]);
}

/* Runs a check in many spaces of 0 to 8 switches. */
static void in_many_labs(void (*check)(lab *l), int count, uint64_t stream)
{
    for (int i = 0; i < count; i++) {
        lab l;
        open_lab(&l, i % (MOST_SWITCHES + 1), stream + (uint64_t)i);
        check(&l);
        CU_ASSERT(!jn_guards_failed(l.g));
        jn_guards_free(l.g);
    }
}

static sample *pick(lab *l)
{
    return &l->pool[test_rng_int(&l->rng, 0, POOL - 1)];
}

/* ---- building ------------------------------------------------------------------------------ */

static void check_operators(lab *l)
{
    for (int round = 0; round < 40; round++) {
        const sample *a = pick(l), *b = pick(l), *c = pick(l);
        sample r;
        int op = test_rng_int(&l->rng, 0, 5);
        for (int m = 0; m < l->modes; m++) {
            bool x = a->t[m], y = b->t[m], z = c->t[m];
            bool value[] = {!x, x && y, x || y, x != y, x && !y, x ? y : z};
            r.t[m] = value[op];
        }
        r.g = op == 0   ? jn_guard_not(l->g, a->g)
              : op == 1 ? jn_guard_and(l->g, a->g, b->g)
              : op == 2 ? jn_guard_or(l->g, a->g, b->g)
              : op == 3 ? jn_guard_xor(l->g, a->g, b->g)
              : op == 4 ? jn_guard_minus(l->g, a->g, b->g)
                        : jn_guard_ite(l->g, a->g, b->g, c->g);
        CU_ASSERT(agrees(l, r.g, r.t));
        *pick(l) = r;
    }
}

static void check_constants_and_switches(lab *l)
{
    uint8_t t[MOST_MODES];
    memset(t, 1, sizeof t);
    CU_ASSERT(agrees(l, jn_guard_true(), t));
    CU_ASSERT(jn_guard_is_true(jn_guard_true()) && jn_guard_is_false(jn_guard_false()));
    CU_ASSERT(jn_guards_size(l->g) == l->n);
    for (int s = 0; s < l->n; s++) {
        for (int m = 0; m < l->modes; m++)
            t[m] = is_on(l, m, s);
        CU_ASSERT(agrees(l, jn_guard_switch(l->g, s), t));
    }
}

static void check_cofactors(lab *l)
{
    for (int round = 0; round < 10 && l->n > 0; round++) {
        const sample *a = pick(l);
        int s = test_rng_int(&l->rng, 0, l->n - 1), bit = 1 << (l->n - 1 - s);
        bool on = test_rng_chance(&l->rng, 50);
        uint8_t t[MOST_MODES];
        for (int m = 0; m < l->modes; m++)
            t[m] = a->t[on ? m | bit : m & ~bit];
        CU_ASSERT(agrees(l, jn_guard_cofactor(l->g, a->g, s, on), t));
    }
}

/* Of the modes that differ from a mode only in the member switches: does one, do all hold? */
static void check_quantifiers(lab *l)
{
    for (int round = 0; round < 10; round++) {
        const sample *a = pick(l);
        bool member[MOST_SWITCHES];
        int free_bits = 0;
        for (int s = 0; s < l->n; s++) {
            member[s] = test_rng_chance(&l->rng, 40);
            free_bits |= member[s] << (l->n - 1 - s);
        }
        uint8_t some[MOST_MODES] = {0}, all[MOST_MODES];
        memset(all, 1, sizeof all);
        for (int m = 0; m < l->modes; m++)
            for (int other = 0; other < l->modes; other++)
                if (((m ^ other) & ~free_bits) == 0) {
                    some[m] |= a->t[other];
                    all[m] &= a->t[other];
                }
        CU_ASSERT(agrees(l, jn_guard_exists(l->g, a->g, member), some));
        CU_ASSERT(agrees(l, jn_guard_forall(l->g, a->g, member), all));
    }
}

static void check_simplify(lab *l)
{
    for (int round = 0; round < 10; round++) {
        const sample *a = pick(l), *care = pick(l);
        jn_guard r = jn_guard_simplify(l->g, a->g, care->g);
        jn_guard wrong = jn_guard_and(l->g, jn_guard_xor(l->g, r, a->g), care->g);
        uint8_t none[MOST_MODES] = {0};
        CU_ASSERT(agrees(l, wrong, none));
    }
}

/* ---- asking -------------------------------------------------------------------------------- */

static void check_relations(lab *l)
{
    for (int round = 0; round < 20; round++) {
        const sample *a = pick(l), *b = pick(l);
        bool equal = true, implies = true, disjoint = true;
        for (int m = 0; m < l->modes; m++) {
            equal &= a->t[m] == b->t[m];
            implies &= !a->t[m] || b->t[m];
            disjoint &= !(a->t[m] && b->t[m]);
        }
        CU_ASSERT(jn_guard_equal(a->g, b->g) == equal);
        CU_ASSERT(jn_guard_implies(l->g, a->g, b->g) == implies);
        CU_ASSERT(jn_guard_disjoint(l->g, a->g, b->g) == disjoint);
    }
}

static int table_support(const lab *l, const uint8_t *t)
{
    int bits = 0;
    for (int bit = 1; bit < l->modes; bit <<= 1)
        for (int m = 0; m < l->modes; m++)
            if (t[m] != t[m ^ bit])
                bits |= bit;
    return bits;
}

static int guard_support(const lab *l, jn_guard a)
{
    bool member[MOST_SWITCHES];
    int bits = 0;
    jn_guard_support(member, l->g, a);
    for (int s = 0; s < l->n; s++)
        bits |= member[s] << (l->n - 1 - s);
    return bits;
}

static void check_support_and_count(lab *l)
{
    fmpz_t count;
    fmpz_init(count);
    for (int i = 0; i < POOL; i++) {
        const sample *a = &l->pool[i];
        unsigned long modes = 0;
        for (int m = 0; m < l->modes; m++)
            modes += a->t[m];
        jn_guard_count(count, l->g, a->g);
        CU_ASSERT(fmpz_equal_ui(count, modes));
        CU_ASSERT(guard_support(l, a->g) == table_support(l, a->t));
    }
    fmpz_clear(count);
}

static int ones(int bits)
{
    int n = 0;
    for (; bits; bits &= bits - 1)
        n++;
    return n;
}

static void check_best_mode(lab *l)
{
    for (int i = 0; i < POOL; i++) {
        const sample *a = &l->pool[i];
        jn_onoff m[MOST_SWITCHES], expected[MOST_SWITCHES];
        int best = -1;
        for (int mode = 0; mode < l->modes; mode++)
            if (a->t[mode] && (best < 0 || ones(mode) >= ones(best)))
                best = mode;
        CU_ASSERT(jn_guard_best_mode(m, l->g, a->g) == (best >= 0));
        if (best < 0)
            continue;
        set_mode(expected, l, best);
        CU_ASSERT(memcmp(m, expected, (size_t)l->n) == 0);
    }
}

typedef struct {
    const lab *l;
    const uint8_t *t;
    int next; /* the mode looked for from here on */
    int calls, most_calls;
} visitor;

static bool expect_next(const jn_onoff *m, void *ctx)
{
    visitor *v = ctx;
    jn_onoff expected[MOST_SWITCHES];
    while (v->next < v->l->modes && !v->t[v->next])
        v->next++;
    CU_ASSERT(v->next < v->l->modes);
    set_mode(expected, v->l, v->next++);
    CU_ASSERT(memcmp(m, expected, (size_t)v->l->n) == 0);
    return ++v->calls < v->most_calls;
}

static void check_each_mode(lab *l)
{
    for (int i = 0; i < POOL; i++) {
        const sample *a = &l->pool[i];
        int modes = 0;
        for (int m = 0; m < l->modes; m++)
            modes += a->t[m];
        visitor v = {.l = l, .t = a->t, .most_calls = MOST_MODES + 1};
        jn_guard_each_mode(l->g, a->g, expect_next, &v);
        CU_ASSERT(v.calls == modes);
        v = (visitor){.l = l, .t = a->t, .most_calls = 3};
        jn_guard_each_mode(l->g, a->g, expect_next, &v);
        CU_ASSERT(v.calls == (modes < 3 ? modes : 3));
    }
}

/* ---- tidying ------------------------------------------------------------------------------- */

/* Is there a function of the kept switches that is 1 where must[m] and 0 where !may[m]? And
 * which is the least? */
static bool least_function(uint8_t *least, const lab *l, const uint8_t *must, const uint8_t *may,
                           int kept)
{
    bool exists = true;
    memset(least, 0, MOST_MODES);
    for (int m = 0; m < l->modes; m++)
        for (int other = 0; other < l->modes; other++)
            if (((m ^ other) & kept) == 0) {
                least[m] |= must[other];
                exists &= !must[other] || may[m];
            }
    return exists;
}

static void check_tidy(lab *l)
{
    for (int round = 0; round < 12; round++) {
        const sample *a = pick(l), *care = pick(l), *taken = pick(l);
        bool with_taken = round % 2;
        uint8_t must[MOST_MODES], may[MOST_MODES], least[MOST_MODES];
        for (int m = 0; m < l->modes; m++) {
            must[m] = a->t[m] && care->t[m];
            may[m] = must[m] || (!care->t[m] && !(with_taken && taken->t[m]));
        }
        jn_guard r = jn_guard_tidy(l->g, a->g, care->g, with_taken ? taken->g : jn_guard_false());
        int kept = guard_support(l, r);
        /* It is the least function of its switches, and none of them can go. */
        CU_ASSERT(least_function(least, l, must, may, kept));
        CU_ASSERT(agrees(l, r, least));
        for (int bit = 1; bit < l->modes; bit <<= 1)
            if (kept & bit)
                CU_ASSERT(!least_function(least, l, must, may, kept & ~bit));
        if (!with_taken)
            CU_ASSERT((kept & ~table_support(l, a->t)) == 0);
    }
}

static void tidying_shrinks_a_converter(void)
{
    jn_guards *g = jn_guards_new(3, NULL);
    jn_guard none = jn_guard_false();
    jn_guard s1 = jn_guard_switch(g, 0), s2 = jn_guard_switch(g, 1), s3 = jn_guard_switch(g, 2);
    jn_guard care = jn_guard_not(g, jn_guard_and(g, s1, s2)), not3 = jn_guard_not(g, s3);
    CU_ASSERT(jn_guard_equal(jn_guard_tidy(g, jn_guard_or(g, s1, s2), care, none),
                             jn_guard_xor(g, s1, s2)));
    CU_ASSERT(jn_guard_equal(jn_guard_tidy(g, jn_guard_and(g, not3, care), care, none), not3));
    CU_ASSERT(jn_guard_is_true(jn_guard_tidy(g, care, care, none)));
    CU_ASSERT(jn_guard_equal(jn_guard_tidy(g, jn_guard_minus(g, s1, s2), care, none), s1));
    /* λ1 would do, if the modes with both ON were not taken by another case. */
    CU_ASSERT(jn_guard_equal(jn_guard_tidy(g, jn_guard_minus(g, s1, s2), care, s2),
                             jn_guard_minus(g, s1, s2)));
    jn_guards_free(g);
}

/* ---- the tests ----------------------------------------------------------------------------- */

static void operators_agree_with_truth_tables(void)
{
    in_many_labs(check_constants_and_switches, 18, 100);
    in_many_labs(check_operators, 60, 200);
}

static void cofactors_and_quantifiers_agree_with_truth_tables(void)
{
    in_many_labs(check_cofactors, 40, 300);
    in_many_labs(check_quantifiers, 40, 400);
}

static void simplifying_keeps_what_is_cared_for(void)
{
    in_many_labs(check_simplify, 40, 500);
    jn_guards *g = jn_guards_new(3, NULL);
    jn_guard a = jn_guard_switch(g, 0), b = jn_guard_switch(g, 1), c = jn_guard_switch(g, 2);
    jn_guard choice = jn_guard_ite(g, a, jn_guard_xor(g, b, c), c);
    CU_ASSERT(
        jn_guard_equal(jn_guard_simplify(g, choice, jn_guard_and(g, a, b)), jn_guard_not(g, c)));
    CU_ASSERT(jn_guard_equal(jn_guard_simplify(g, choice, jn_guard_not(g, a)), c));
    CU_ASSERT(jn_guard_equal(jn_guard_simplify(g, c, jn_guard_or(g, a, c)), c));
    jn_guards_free(g);
}

static void questions_agree_with_truth_tables(void)
{
    in_many_labs(check_relations, 40, 600);
    in_many_labs(check_support_and_count, 40, 700);
}

static void modes_are_counted_and_found(void)
{
    in_many_labs(check_best_mode, 40, 800);
    in_many_labs(check_each_mode, 40, 900);
}

static void tidying_keeps_functions(void)
{
    in_many_labs(check_tidy, 60, 1000);
}

/* Guards stay what they are while the library collects what others left behind. */
static void guards_are_kept(void)
{
    lab l;
    open_lab(&l, MOST_SWITCHES, 1100);
    for (int round = 0; round < 3000; round++) {
        sample x;
        random_sample(&l, &x);
        jn_guard_tidy(l.g, x.g, pick(&l)->g, pick(&l)->g);
        if (round % 50 == 0)
            for (int i = 0; i < POOL; i++)
                CU_ASSERT(agrees(&l, l.pool[i].g, l.pool[i].t));
    }
    jn_guards_free(l.g);
}

static void spaces_are_independent(void)
{
    lab small, large;
    open_lab(&small, 3, 1200);
    open_lab(&large, 8, 1201);
    check_operators(&small);
    check_operators(&large);
    check_quantifiers(&small);
    jn_guards_free(large.g);
    check_operators(&small);
    check_support_and_count(&small);
    open_lab(&large, 7, 1202);
    check_tidy(&large);
    jn_guards_free(small.g);
    check_tidy(&large);
    jn_guards_free(large.g);
    jn_guards_free(NULL);
}

/* A product of (λi | λ(i+n)), with the two halves declared one after the other: 2^n nodes. */
static jn_guard wide(jn_guards *g, int from, int to, int n)
{
    jn_guard a = jn_guard_true();
    for (int i = from; i < to; i++)
        a = jn_guard_and(g, a, jn_guard_or(g, jn_guard_switch(g, i), jn_guard_switch(g, i + n)));
    return a;
}

static void limits_are_kept(void)
{
    jn_guards *g = jn_guards_new(40, NULL);
    jn_guards_limit(g, 3000);
    CU_ASSERT(!jn_guards_failed(g));
    CU_ASSERT(jn_guard_is_false(wide(g, 0, 11, 20)));
    CU_ASSERT(jn_guards_failed(g));
    CU_ASSERT(jn_guard_is_false(jn_guard_or(g, jn_guard_switch(g, 1), jn_guard_switch(g, 2))));
    jn_guards_free(g);
}

/* The table itself runs full within one operation. Another space is not affected. */
static void limits_are_kept_within_an_operation(void)
{
    jn_guards *g = jn_guards_new(40, NULL), *other = jn_guards_new(40, NULL);
    jn_guard kept = wide(other, 0, 4, 20);
    jn_guards_limit(g, 50000);
    jn_guards_limit(other, 60000);
    jn_guard a = wide(g, 0, 10, 20), b = wide(g, 10, 20, 20);
    CU_ASSERT(!jn_guards_failed(g));
    CU_ASSERT(jn_guard_is_false(jn_guard_and(g, a, b)));
    CU_ASSERT(jn_guards_failed(g));
    CU_ASSERT(!jn_guards_failed(other));
    CU_ASSERT(jn_guard_equal(wide(other, 0, 4, 20), kept));
    /* New nodes: an odd number of switches is ON in half of the modes. */
    jn_guard odd = jn_guard_false();
    for (int s = 0; s < 40; s++)
        odd = jn_guard_xor(other, odd, jn_guard_switch(other, s));
    fmpz_t count;
    fmpz_init(count);
    jn_guard_count(count, other, odd);
    CU_ASSERT(fmpz_equal_ui(count, 1ul << 39));
    fmpz_clear(count);
    jn_guards_free(g);
    jn_guards_free(other);
}

/* The end of a ladder of 300 stages, two rails and a rung each: 900 switches. The number of
 * modes in which it is reached follows by a recurrence over the stages. */
static void a_ladder_stays_small(void)
{
    enum { STAGES = 300 };
    jn_guards *g = jn_guards_new(3 * STAGES, NULL);
    jn_guard upper = jn_guard_true(), lower = jn_guard_true();
    /* From the far end: is the end reached from the upper, the lower rail here? */
    fmpz_t from[4], next[4], count; /* modes by (lower, upper) as two bits */
    for (int i = 0; i < 4; i++) {
        fmpz_init_set_ui(from[i], i == 3);
        fmpz_init(next[i]);
    }
    fmpz_init(count);
    for (int stage = STAGES - 1; stage >= 0; stage--) {
        jn_guard top = jn_guard_and(g, jn_guard_switch(g, 3 * stage), upper);
        jn_guard bottom = jn_guard_and(g, jn_guard_switch(g, 3 * stage + 1), lower);
        jn_guard rung = jn_guard_switch(g, 3 * stage + 2);
        upper = jn_guard_or(g, top, jn_guard_and(g, rung, bottom));
        lower = jn_guard_or(g, bottom, jn_guard_and(g, rung, top));
        for (int i = 0; i < 4; i++)
            fmpz_zero(next[i]);
        for (int i = 0; i < 4; i++)
            for (int m = 0; m < 8; m++) {
                int reached = i & m & 3, both = m & 4 && reached ? 3 : reached;
                fmpz_add(next[both], next[both], from[i]);
            }
        for (int i = 0; i < 4; i++)
            fmpz_swap(from[i], next[i]);
    }
    jn_guard_count(count, g, upper);
    fmpz_add(from[1], from[1], from[3]);
    CU_ASSERT(fmpz_equal(count, from[1]));

    jn_onoff m[3 * STAGES];
    CU_ASSERT(jn_guard_best_mode(m, g, jn_guard_not(g, upper)));
    int off = 0;
    for (int s = 0; s < 3 * STAGES; s++)
        off += !m[s];
    CU_ASSERT(off == 2 && !m[3 * STAGES - 2] && !m[3 * STAGES - 3]);
    CU_ASSERT(!jn_guard_at(g, upper, m));
    CU_ASSERT(jn_guard_nodes(g, upper) <= 12 * STAGES);
    for (int i = 0; i < 4; i++) {
        fmpz_clear(from[i]);
        fmpz_clear(next[i]);
    }
    fmpz_clear(count);
    jn_guards_free(g);
}

/* A grid of 5 rails and 8 columns, with a rung between neighbouring rails in each column: is
 * the end of the last rail reached from the start of the first? The operations have many more
 * intermediate results than a small cache can hold; if they were lost, this would not end. */
static void a_large_grid_ends(void)
{
    enum { RAILS = 5, COLUMNS = 8, EACH = 2 * RAILS - 1 };
    jn_guards *g = jn_guards_new(EACH * COLUMNS, NULL);
    jn_guard reached[RAILS];
    for (int i = 0; i < RAILS; i++)
        reached[i] = i == RAILS - 1 ? jn_guard_true() : jn_guard_false();
    for (int s = EACH * (COLUMNS - 1); s >= 0; s -= EACH) {
        for (int i = 0; i < RAILS; i++)
            reached[i] = jn_guard_and(g, jn_guard_switch(g, s + i), reached[i]);
        for (int step = 0; step < RAILS * (RAILS - 1); step++) {
            int i = step % (RAILS - 1);
            jn_guard both = jn_guard_and(g, jn_guard_switch(g, s + RAILS + i),
                                         jn_guard_or(g, reached[i], reached[i + 1]));
            reached[i] = jn_guard_or(g, reached[i], both);
            reached[i + 1] = jn_guard_or(g, reached[i + 1], both);
        }
    }
    /* Down all rungs of the first column, then along the last rail. */
    jn_onoff m[EACH * COLUMNS] = {0};
    for (int i = 0; i < RAILS - 1; i++)
        m[RAILS + i] = 1;
    for (int s = 0; s < EACH * COLUMNS; s += EACH)
        m[s + RAILS - 1] = 1;
    CU_ASSERT(jn_guard_at(g, reached[0], m));
    m[RAILS] = 0;
    CU_ASSERT(!jn_guard_at(g, reached[0], m));
    CU_ASSERT(jn_guard_nodes(g, reached[0]) < 20000);
    CU_ASSERT(!jn_guards_failed(g));
    jn_guards_free(g);
}

void suite_guard(void)
{
    TEST_SUITE("guard");
    TEST_ADD(operators_agree_with_truth_tables);
    TEST_ADD(cofactors_and_quantifiers_agree_with_truth_tables);
    TEST_ADD(simplifying_keeps_what_is_cared_for);
    TEST_ADD(questions_agree_with_truth_tables);
    TEST_ADD(modes_are_counted_and_found);
    TEST_ADD(tidying_keeps_functions);
    TEST_ADD(tidying_shrinks_a_converter);
    TEST_ADD(guards_are_kept);
    TEST_ADD(spaces_are_independent);
    TEST_ADD(limits_are_kept);
    TEST_ADD(limits_are_kept_within_an_operation);
    TEST_ADD(a_ladder_stays_small);
    TEST_ADD(a_large_grid_ends);
}
