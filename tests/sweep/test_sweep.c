/* test_sweep.c: sweeps from a program: values, draws, measures against closed forms, what is wrong
 * with a question, and how rows are dealt out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "junct.h"
#include "testing.h"

typedef struct {
    jn_arena *arena;
    jn_diags *diags;
    jn_graph *graph;
    jn_sweep *sweep;
} bench;

static const char rc[] =
    "model rc\nparam k = 2\nSe V = 5\nR r = 1\nC c = 1\n1 loop\nX1 s\nV -> loop -> r\n"
    "loop -> s -> c\nswitch s on, off when e(c) > 4, on when e(c) < 1\n"
    "output v = e(c), twice = k*e(c)\nsimulate to 2 every 1\n";

static jn_status make(bench *b, const char *model, const jn_sweep_question *q)
{
    *b = (bench){.arena = jn_arena_new(), .diags = jn_diags_new()};
    const jn_source *text = jn_source_of(b->arena, "model", model, strlen(model));
    CU_ASSERT_EQUAL_FATAL(jn_graph_read(&b->graph, text, b->diags), JN_OK);
    return jn_sweep_new(&b->sweep, b->graph, q, b->diags);
}

static void clear(bench *b)
{
    jn_sweep_free(b->sweep);
    jn_graph_free(b->graph);
    jn_diags_free(b->diags);
    jn_arena_free(b->arena);
}

static const char *row(bench *b, uint64_t i, double *value)
{
    const char *status = "interrupted";
    if (!jn_sweep_row(b->sweep, i, value, &status))
        return "interrupted";
    return status;
}

static void close_to(double got, double expected, double bound)
{
    CU_ASSERT(fabs(got - expected) <= bound * fabs(expected));
}

/* ---- values -------------------------------------------------------------------------------- */

static void a_grid_has_every_combination(void)
{
    const char *vary[] = {"r=1:3:5", "c=log:1m:1:4", "V=7,-2"}, *measure[] = {"final(v)"};
    jn_sweep_question q = {.nvary = 3, .vary = vary, .nmeasures = 1, .measure = measure};
    bench b;
    double x[4];
    CU_ASSERT_EQUAL_FATAL(make(&b, rc, &q), JN_OK);
    CU_ASSERT_EQUAL(jn_sweep_rows(b.sweep), 40);
    CU_ASSERT_EQUAL(jn_sweep_columns(b.sweep), 4);
    TEST_TEXT("final(v)", jn_sweep_column(b.sweep, 3));
    for (int i = 0; i < 40; i++) {
        static const double r[] = {1, 1.5, 2, 2.5, 3}, c[] = {1e-3, 1e-2, 1e-1, 1}, v[] = {7, -2};
        TEST_TEXT("ok", row(&b, (uint64_t)i, x));
        CU_ASSERT_EQUAL(x[0], r[i / 8]);
        CU_ASSERT_EQUAL(x[1], c[i / 2 % 4]);
        CU_ASSERT_EQUAL(x[2], v[i % 2]);
    }
    clear(&b);
}

/* The same whoever asks, in any order; about the mean and deviation that were asked for. */
static void draws_are_functions_of_seed_and_number(void)
{
    enum { N = 2000 };
    const char *vary[] = {"V=normal(5,2)", "k=uniform(1,3)", "r=1,2"}, *measure[] = {"k", "V - 1"};
    const char *plain[] = {"k + 0*k"};
    jn_sweep_question q = {.nvary = 3,
                           .vary = vary,
                           .nmeasures = 1,
                           .measure = plain,
                           .samples = N,
                           .seed = 3,
                           .to = 1e-3};
    bench b, c;
    double x[4], y[4], sum = 0, square = 0, low = 9, high = 0, middle = 0, last = 0;
    (void)measure;
    CU_ASSERT_EQUAL_FATAL(make(&b, rc, &q), JN_OK);
    CU_ASSERT_EQUAL_FATAL(make(&c, rc, &q), JN_OK);
    CU_ASSERT_EQUAL(jn_sweep_rows(b.sweep), 2 * N);
    for (int i = 0; i < N; i++) {
        TEST_TEXT("ok", row(&b, (uint64_t)i, x));
        row(&c, (uint64_t)(N + (N - 1 - i)), y); /* another point of the grid, from the end */
        CU_ASSERT_EQUAL(y[2], 2);
        row(&c, (uint64_t)(N + i), y);
        CU_ASSERT(x[0] == y[0] && x[1] == y[1] && x[3] == x[1]);
        CU_ASSERT(x[0] != last);
        last = x[0];
        sum += x[0] / N;
        square += (x[0] - 5) * (x[0] - 5) / N;
        low = fmin(low, x[1]);
        high = fmax(high, x[1]);
        middle += x[1] / N;
    }
    CU_ASSERT(fabs(sum - 5) < 5 * 2 / sqrt(N) && fabs(square - 4) < 5 * 4 * sqrt(2.0 / N));
    CU_ASSERT(low > 1 && low < 1.01 && high < 3 && high > 2.99);
    CU_ASSERT(fabs(middle - 2) < 5 * 0.6 / sqrt(N));
    clear(&b);
    clear(&c);
}

/* ---- measures ------------------------------------------------------------------------------ */

/* v rises as 5(1 − e^(−t/r)) to 4, then stays: there the switch is open. */
static void measures_are_known(void)
{
    const char *vary[] = {"r=0.5,1"};
    const char *measure[] = {"mean(v)",       "m2 = mean(v)*2 - min(twice, 0)",
                             "first(v > 3)",  "count(s)",
                             "count(events)", "energy(dissipated)/energy(supplied)",
                             "mean(on(s))",   "max(v) < 3.9",
                             "V9 = k*k",      "rms(v)^2",
                             "e(c)"};
    jn_sweep_question q = {.nvary = 1, .vary = vary, .nmeasures = 11, .measure = measure, .to = 3};
    bench b;
    double x[12];
    CU_ASSERT_EQUAL_FATAL(make(&b, rc, &q), JN_OK);
    for (int i = 0; i < 2; i++) {
        double r = i ? 1 : 0.5, end = r * log(5);
        TEST_TEXT("ok", row(&b, (uint64_t)i, x));
        double integral = 5 * (end - r * 0.8) + 4 * (3 - end);
        close_to(x[1], integral / 3, 1e-12);
        close_to(x[2], 2 * integral / 3, 1e-12);
        close_to(x[3], r * log(2.5), 1e-12);
        CU_ASSERT_EQUAL(x[4], 1);
        CU_ASSERT_EQUAL(x[5], 1);
        double charge = 4, supplied = 5 * charge, stored = 8;
        close_to(x[6], (supplied - stored) / supplied, 1e-12);
        close_to(x[7], end / 3, 1e-12);
        CU_ASSERT_EQUAL(x[8], 0);
        CU_ASSERT_EQUAL(x[9], 4);
        double square = 25 * (end - 2 * r * 0.8 + r * (1 - 0.04) / 2) + 16 * (3 - end);
        close_to(x[10], square / 3, 1e-12);
        close_to(x[11], 4, 1e-12);
    }
    clear(&b);
}

/* A window, a restart between rows, and the starts of storages. */
static void measures_may_begin_late(void)
{
    const char *vary[] = {"q0(c)=0,2", "f0(l)=1,3"}, *measure[] = {"mean(v)", "start = max(i)"};
    jn_sweep_question q = {
        .nvary = 2, .vary = vary, .nmeasures = 2, .measure = measure, .from = 1, .to = 2};
    bench b;
    double x[4];
    CU_ASSERT_EQUAL_FATAL(make(&b,
                               "model two\nR r = 1\nC c = 1\nI l = 2\nR q = 1\nr -> c\nl -> q\n"
                               "output v = e(c), i = f(l)\n",
                               &q),
                          JN_OK);
    for (int k = 0; k < 8; k++) { /* twice */
        int i = k % 4;
        TEST_TEXT("ok", row(&b, (uint64_t)i, x));
        double q0 = i / 2 ? 2 : 0, f0 = i % 2 ? 3 : 1;
        CU_ASSERT(fabs(x[2] - q0 * (exp(-1) - exp(-2))) < 1e-12);
        close_to(x[3], f0 * exp(-0.5), 1e-12);
    }
    clear(&b);
}

static void each_period_is_read(void)
{
    const char *vary[] = {"d=1/4,1/2"};
    jn_sweep_question q = {.nvary = 1, .vary = vary, .each_period = "p(l)", .periods = 3, .to = 1};
    bench b;
    double x[4];
    CU_ASSERT_EQUAL_FATAL(
        make(&b,
             "model ramp\nparam d = 1/2\nSe V = if(on(s), 1, 0)\nI l = 1\nV -> l\n"
             "switch s pwm(0.1, d)\n",
             &q),
        JN_OK);
    for (int i = 0; i < 2; i++) {
        TEST_TEXT("ok", row(&b, (uint64_t)i, x));
        for (int k = 0; k < 3; k++)
            close_to(x[1 + k], (7 + k) * 0.1 * (i ? 0.5 : 0.25), 1e-10);
    }
    clear(&b);
}

static void modes_and_orbits_are_measured(void)
{
    static const char text[] =
        "model buck\nSe V = 24\nSe G = 0\nI L = 100u\nC C1 = 100u\nR load = 1\n"
        "0 n\n0 out\n1 coil\nX1 s\nX1 d\nV -> s -> n\nG -> d -> n\n"
        "n -> coil -> L\ncoil -> out -> C1\nout -> load\n"
        "switch s pwm(100u, 1/2)\nswitch d diode\noutput v = e(out)\n";
    const char *vary[] = {"load=1,10"}, *orbit[] = {"mean(v)", "multipliers"};
    const char *of_mode[] = {"poles", "stable", "order"};
    static const jn_onoff mode[] = {1, 0};
    jn_sweep_question q = {
        .nvary = 1, .vary = vary, .nmeasures = 2, .measure = orbit, .kind = JN_SWEEP_STEADY};
    bench b;
    double x[8];
    CU_ASSERT_EQUAL_FATAL(make(&b, text, &q), JN_OK);
    TEST_TEXT("ok", row(&b, 0, x));
    close_to(x[1], 12, 1e-10);
    close_to(x[2], 0.392946555834, 1e-9);
    close_to(fabs(x[3]), 0.462030784070, 1e-9);
    TEST_TEXT("ok", row(&b, 1, x));
    close_to(x[1], 15.8464153423221, 1e-9);
    close_to(x[2], 0.650674626017, 1e-9);
    clear(&b);
    q = (jn_sweep_question){.nvary = 1,
                            .vary = vary,
                            .nmeasures = 3,
                            .measure = of_mode,
                            .kind = JN_SWEEP_ANALYSE,
                            .mode = mode};
    CU_ASSERT_EQUAL_FATAL(make(&b, text, &q), JN_OK);
    TEST_TEXT("ok", row(&b, 0, x));
    close_to(x[1], -5000, 1e-12);
    close_to(fabs(x[2]), sqrt(1e8 - 25e6), 1e-12);
    CU_ASSERT(x[5] == 1 && x[6] == 2);
    clear(&b);
}

/* ---- rows that fail, questions that are wrong ---------------------------------------------- */

static void rows_may_fail(void)
{
    const char *vary[] = {"c=0,1"}, *measure[] = {"mean(v)", "first(v > 100)"};
    jn_sweep_question q = {.nvary = 1, .vary = vary, .nmeasures = 2, .measure = measure};
    bench b;
    double x[3];
    CU_ASSERT_EQUAL_FATAL(make(&b, rc, &q), JN_OK);
    CU_ASSERT(strcmp(row(&b, 0, x), "ok") != 0);
    CU_ASSERT(x[0] == 0 && isnan(x[1]) && isnan(x[2]));
    TEST_TEXT("ok", row(&b, 1, x));
    CU_ASSERT(x[1] > 0 && isnan(x[2])); /* it never gets there, and that is an answer */
    clear(&b);
    q.seconds = 1e-9;
    vary[0] = "r=1,2";
    q.to = 1e6;
    CU_ASSERT_EQUAL_FATAL(make(&b,
                               "model many\nparam r = 1\nSe V = 1\nI l = 1\nX1 s\nV -> s -> l\n"
                               "switch s pwm(r/100, 1/2)\noutput v = f(l)\n",
                               &q),
                          JN_OK);
    CU_ASSERT(strstr(row(&b, 0, x), "took longer") != NULL);
    clear(&b);
}

typedef struct {
    const char *vary, *measure, *slug, *part; /* of the message */
    size_t column;                            /* where it points to, from 0 */
} wrong;

static void check_wrong(const wrong *w)
{
    jn_sweep_question q = {.nvary = 1, .vary = &w->vary, .nmeasures = 1, .measure = &w->measure};
    bench b;
    CU_ASSERT_EQUAL(make(&b, rc, &q), JN_INVALID);
    CU_ASSERT_PTR_NULL(b.sweep);
    CU_ASSERT_FATAL(jn_diags_count(b.diags) > 0);
    const jn_diag *d = jn_diags_get(b.diags, 0);
    TEST_TEXT(w->slug, jn_code_slug(d->code));
    if (!strstr(d->message, w->part) || (d->place.source && d->place.offset != w->column))
        printf("\n%s | %s: %s at %zu\n", w->vary, w->measure, d->message, d->place.offset);
    CU_ASSERT(strstr(d->message, w->part) != NULL);
    CU_ASSERT(!d->place.source || d->place.offset == w->column);
    clear(&b);
}

/* Being asked to stop is no fault of the question. */
static void a_question_may_be_interrupted(void)
{
    const char *vary = "r=1,2", *measure = "v";
    jn_sweep_question q = {.nvary = 1, .vary = &vary, .nmeasures = 1, .measure = &measure};
    bench b;
    CU_ASSERT_EQUAL(make(&b, rc, &q), JN_OK);
    jn_sweep_free(b.sweep);
    jn_interrupt();
    CU_ASSERT_EQUAL(jn_sweep_new(&b.sweep, b.graph, &q, b.diags), JN_UNABLE);
    jn_interrupt_clear();
    CU_ASSERT_EQUAL_FATAL(jn_diags_count(b.diags), 1);
    TEST_TEXT("interrupted", jn_code_slug(jn_diags_get(b.diags, 0)->code));
    clear(&b);
}

static void wrong_questions_are_explained(void)
{
    static const wrong each[] = {
        {"r", "v", "sweep-vary", "what is varied", 0},
        {"r=", "v", "sweep-vary", "a number", 2},
        {"r=1:2", "v", "sweep-vary", "a count", 5},
        {"r=1:2:0", "v", "sweep-vary", "whole number", 6},
        {"r=1:2:99999999", "v", "sweep-vary", "whole number", 6},
        {"r=1:2:1.5", "v", "sweep-vary", "whole number", 6},
        {"r=1:2:3:4", "v", "sweep-vary", "not expected", 7},
        {"r=log:0:1:3", "v", "sweep-vary", "logarithmic", 6},
        {"r=log:1", "v", "sweep-vary", "logarithmic", 6},
        {"r=1,x", "v", "sweep-vary", "a number", 4},
        {"r=normal(1)", "v", "sweep-vary", "second number", 10},
        {"r=normal(1,0)", "v", "sweep-vary", "deviation", 9},
        {"r=uniform(2,1)", "v", "sweep-vary", "not below", 10},
        {"q=1,2", "v", "sweep-name", "no parameter", 0},
        {"p0(c)=x", "v", "sweep-vary", "a number", 6},
        {"p0(r)=1,2", "v", "sweep-name", "no I or C", 0},
        {"r=uniform(1,2)", "v", "sweep-question", "how many", 0},
        {"r=1,2", "mean(", "expected", "", 5},
        {"r=1,2", "mean(w)", "name-unknown", "w", 5},
        {"r=1,2", "maen(v)", "sweep-measure", "maen", 0},
        {"r=1,2", "mean(mean(v))", "sweep-measure", "in a measure", 5},
        {"r=1,2", "first(v)", "sweep-measure", "condition", 6},
        {"r=1,2", "v > 1", "sweep-measure", "condition", 0},
        {"r=1,2", "count(r)", "sweep-measure", "switch", 6},
        {"r=1,2", "energy(dark)", "sweep-measure", "energy", 7},
        {"r=1,2", "energy()", "sweep-measure", "one word", 0},
        {"r=1,2", "int(v)", "expression-adds", "int", 0},
        {"r=1,2", "x = mean(v) + atan2(max(v), 1)", "sweep-measure", "cannot be done", 14},
        {"r=1,2", "multiplier", "sweep-measure", "periodic orbits", 0},
    };
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        check_wrong(&each[i]);
}

static void a_table_knows_its_question(void)
{
    const char *vary[] = {"r=1,2"}, *measure[] = {"v"};
    jn_sweep_question q = {.nvary = 1, .vary = vary, .nmeasures = 1, .measure = measure};
    bench b, c;
    CU_ASSERT_EQUAL_FATAL(make(&b, rc, &q), JN_OK);
    CU_ASSERT_EQUAL_FATAL(make(&c, rc, &q), JN_OK);
    TEST_TEXT(jn_sweep_fingerprint(b.sweep), jn_sweep_fingerprint(c.sweep));
    clear(&c);
    q.from = 1;
    CU_ASSERT_EQUAL_FATAL(make(&c, rc, &q), JN_OK);
    CU_ASSERT(strcmp(jn_sweep_fingerprint(b.sweep), jn_sweep_fingerprint(c.sweep)) != 0);
    clear(&c);
    clear(&b);
}

/* ---- dealing ------------------------------------------------------------------------------- */

/* Workers that come back in any order, and die at times: every row leaves once, in order, but for
 * those that kill whoever takes them. */
static void work_is_dealt_once(void)
{
    enum { ROWS = 3000, WORKERS = 5 };
    test_rng rng = test_rng_new(1200);
    jn_deal *d = jn_deal_new(7, ROWS, WORKERS);
    jn_batch out[WORKERS];
    bool busy[WORKERS] = {false};
    int given_up = 0;
    jn_batch late = {0}; /* one that was lost, and comes back all the same */
    uint64_t next = 7;
    jn_str text;
    jn_str_init(&text);
    while (!jn_deal_is_over(d)) {
        int w = test_rng_int(&rng, 0, WORKERS - 1);
        if (!busy[w]) {
            busy[w] = jn_deal_take(d, &out[w]);
            continue;
        }
        busy[w] = false;
        bool deadly = false;
        for (int k = 0; k < out[w].count; k++)
            deadly = deadly || (out[w].first + (uint64_t)k) % 1000 == 500;
        jn_str rows;
        jn_str_init(&rows);
        bool dies = deadly || test_rng_chance(&rng, 5), lost = dies && jn_deal_lost(d, out[w]);
        given_up += lost && deadly;
        if (dies && out[w].count > 1)
            late = out[w];
        else if (late.count)
            jn_deal_return(d, late, "late\n", 5); /* not looked at: others have its rows */
        for (int k = 0; k < out[w].count; k++)
            jn_str_addf(&rows, "%llu\n", (unsigned long long)out[w].first + (unsigned)k);
        if (!dies || lost)
            jn_deal_return(d, out[w], jn_str_c(&rows), rows.len);
        jn_str_clear(&rows);
        while (jn_deal_next(d, &text))
            continue;
        for (const char *at = jn_str_c(&text); *at; at = strchr(at, '\n') + 1)
            CU_ASSERT_EQUAL(strtoull(at, NULL, 10), next++);
        jn_str_reset(&text);
    }
    CU_ASSERT_EQUAL(next, ROWS);
    CU_ASSERT_EQUAL(jn_deal_done(d), ROWS);
    CU_ASSERT_EQUAL(given_up, 3);
    jn_str_clear(&text);
    jn_deal_free(d);
}

void suite_sweep(void)
{
    TEST_SUITE("sweep");
    TEST_ADD(a_grid_has_every_combination);
    TEST_ADD(draws_are_functions_of_seed_and_number);
    TEST_ADD(measures_are_known);
    TEST_ADD(measures_may_begin_late);
    TEST_ADD(each_period_is_read);
    TEST_ADD(modes_and_orbits_are_measured);
    TEST_ADD(rows_may_fail);
    TEST_ADD(wrong_questions_are_explained);
    TEST_ADD(a_question_may_be_interrupted);
    TEST_ADD(a_table_knows_its_question);
    TEST_ADD(work_is_dealt_once);
}
