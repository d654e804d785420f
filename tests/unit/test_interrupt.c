/* test_interrupt.c: a stage that is asked to stop ends soon and says why, whenever it is asked. */
#define _XOPEN_SOURCE 700 /* setitimer */
#include <signal.h>
#include <sys/time.h>

#include "junct.h"
#include "testing.h"

static void ask(int number)
{
    (void)number;
    jn_interrupt();
}

/* The request comes after so many microseconds. */
static void ask_after(long microseconds)
{
    struct itimerval clock = {.it_value = {.tv_usec = microseconds}};
    signal(SIGALRM, ask);
    setitimer(ITIMER_REAL, &clock, NULL);
}

/* A grid with a switch in every link: its guards grow for minutes. */
static void write_grid(jn_str *t, int n)
{
    jn_str_add(t, "model grid\nSe V = 10\nR rs = 1\n1 in\nV -> in -> n_0_0\nin -> rs\n");
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            jn_str_addf(t, "0 n_%d_%d\n", i, j);
            for (int d = 0; d < 2; d++)
                if (i + d < n && j + !d < n)
                    jn_str_addf(t,
                                "X1 j%d_%d_%d\nR r%d_%d_%d = 1\nn_%d_%d -> j%d_%d_%d -> n_%d_%d\n"
                                "j%d_%d_%d -> r%d_%d_%d\n",
                                d, i, j, d, i, j, i, j, d, i, j, i + d, j + !d, d, i, j, d, i, j);
        }
}

static void structure_can_be_interrupted(void)
{
    jn_str text;
    jn_arena *a = jn_arena_new();
    jn_diags *d = jn_diags_new();
    jn_str_init(&text);
    write_grid(&text, 6);
    const jn_source *s = jn_source_of(a, "grid.hbg", text.s, text.len);
    for (int k = 0; k < 40; k++) {
        jn_graph *g = NULL; /* anew: what has failed stays so */
        jn_junction *j = NULL;
        jn_diags *said = jn_diags_new();
        CU_ASSERT_EQUAL_FATAL(jn_graph_read(&g, s, d), JN_OK);
        ask_after(5000 + 7919 * k);
        CU_ASSERT_EQUAL(jn_junction_build(&j, g, true, said), JN_UNABLE);
        CU_ASSERT_PTR_NULL(j);
        CU_ASSERT_EQUAL(jn_diags_errors(said), 1);
        TEST_TEXT("asked to stop before the causality of all modes was known",
                  jn_diags_get(said, 0)->message);
        jn_interrupt_clear();
        jn_diags_free(said);
        jn_graph_free(g);
    }
    jn_diags_free(d);
    jn_arena_free(a);
    jn_str_clear(&text);
}

/* What was asked of one has no effect on the next. */
static void requests_can_be_cleared(void)
{
    static const char text[] = "model m\nSe V = 1\nI L = 1\nX1 s\nV -> s -> L\n";
    jn_arena *a = jn_arena_new();
    jn_diags *d = jn_diags_new();
    jn_graph *g = NULL;
    jn_junction *j = NULL;
    CU_ASSERT_EQUAL_FATAL(jn_graph_read(&g, jn_source_of(a, "m.hbg", text, sizeof text - 1), d),
                          JN_OK);
    jn_interrupt();
    CU_ASSERT(jn_interrupted());
    CU_ASSERT_EQUAL(jn_junction_build(&j, g, true, d), JN_UNABLE);
    jn_interrupt_clear();
    jn_graph_free(g);
    CU_ASSERT_EQUAL_FATAL(jn_graph_read(&g, jn_source_of(a, "m.hbg", text, sizeof text - 1), d),
                          JN_OK);
    CU_ASSERT_EQUAL(jn_junction_build(&j, g, true, d), JN_OK);
    jn_junction_free(j);
    jn_graph_free(g);
    jn_diags_free(d);
    jn_arena_free(a);
}

/* What a stage says when it was asked to stop before it began. */
static jn_status ask_stage(int stage, const jn_graph *g, const jn_junction *j, jn_diags *said)
{
    jn_junction *again = NULL;
    jn_implicit *f = NULL;
    jn_solver *k = NULL;
    jn_sim *sim = NULL;
    switch (stage) {
    case 0:
        return jn_junction_build(&again, g, true, said);
    case 1:
        return jn_implicit_derive(&f, j, said);
    case 2:
        return jn_solver_new(&k, g, &(jn_solver_options){.numeric = true}, said);
    default:
        return jn_sim_new(&sim, g, &(jn_sim_options){0}, said);
    }
}

/* That values were not computed any more is not their fault. */
static void values_are_not_blamed(void)
{
    static const char text[] = "model m\nparam k = 2\nSe V = 1\nI L = 1/k\nTF n = k/3\nR r = k\n"
                               "I M(a, b) = [2, 1; 1, 3]\nX1 s\n1 j\nV -> s -> n -> j -> L\n"
                               "j -> r\nj -> M.a\nj -> M.b\nsimulate to 1 every 1\n";
    jn_arena *a = jn_arena_new();
    jn_diags *d = jn_diags_new();
    const jn_source *source = jn_source_of(a, "m.hbg", text, sizeof text - 1);
    for (int stage = 0; stage < 4; stage++) {
        jn_graph *g = NULL;
        jn_junction *j = NULL;
        jn_diags *said = jn_diags_new();
        CU_ASSERT_EQUAL_FATAL(jn_graph_read(&g, source, d), JN_OK);
        CU_ASSERT_EQUAL_FATAL(jn_junction_build(&j, g, true, d), JN_OK);
        jn_interrupt();
        CU_ASSERT_EQUAL(ask_stage(stage, g, j, said), JN_UNABLE);
        jn_interrupt_clear();
        CU_ASSERT_EQUAL(jn_diags_errors(said), 1);
        TEST_TEXT("interrupted", jn_code_slug(jn_diags_get(said, 0)->code));
        jn_diags_free(said);
        jn_junction_free(j);
        jn_graph_free(g);
    }
    jn_diags_free(d);
    jn_arena_free(a);
}

void suite_interrupt(void)
{
    TEST_SUITE("interrupt");
    TEST_ADD(values_are_not_blamed);
    TEST_ADD(structure_can_be_interrupted);
    TEST_ADD(requests_can_be_cleared);
}
