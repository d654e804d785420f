/* test_solved.c: what a solver of single modes can be told: sources that follow the model,
 * resistors whose effort comes first, ratios that depend on switches or pass through zero. */
#include "testing.h"

#include "junct.h"

typedef struct {
    jn_arena *arena;
    jn_diags *diags;
    jn_graph *graph;
    jn_solver *solver;
    jn_solved *mode;
} rig;

static bool open_rig(rig *r, const char *text)
{
    *r = (rig){.arena = jn_arena_new(), .diags = jn_diags_new()};
    const jn_source *s = jn_source_of(r->arena, "test", text, strlen(text));
    jn_status status = jn_graph_read(&r->graph, s, r->diags);
    CU_ASSERT_EQUAL_FATAL(status, JN_OK);
    return status == JN_OK;
}

static bool solve(rig *r, const jn_solver_options *o, const char *mode)
{
    jn_onoff m[8] = {0};
    for (int i = 0; mode[i]; i++)
        m[i] = mode[i] == '1';
    if (!r->solver && jn_solver_new(&r->solver, r->graph, o, r->diags) != JN_OK)
        return false;
    jn_solved_free(r->mode);
    return jn_solver_mode(&r->mode, r->solver, m) == JN_OK;
}

static void close_rig(rig *r)
{
    jn_solved_free(r->mode);
    jn_solver_free(r->solver);
    jn_graph_free(r->graph);
    jn_diags_free(r->diags);
    jn_arena_free(r->arena);
}

/* The row of S that an element has, as text: "-1*V + R". */
static char *row_of(const rig *r, const char *name)
{
    const jn_graph *g = r->graph;
    const jn_solved *m = r->mode;
    int x = jn_graph_find(g, name);
    int col = m->gives_effort[x] ? m->port_effort[x] : m->port_flow[x];
    jn_str out;
    jn_str_init(&out);
    for (int i = 0; i < m->nsteps; i++) {
        if (m->step[i].col != col)
            continue;
        for (int e = 0; e < g->nelements; e++) /* in file order */
            for (int t = m->step[i].first; t < m->step[i].end; t++) {
                if (m->term[t].col != m->port_effort[e] && m->term[t].col != m->port_flow[e])
                    continue;
                jn_str_add(&out, out.len ? " + " : "");
                jn_ratfun_print(&out, g->field, m->term[t].c, jn_graph_param_names(g),
                                JN_RATFUN_TEXT);
                jn_str_addf(&out, "*%s", g->element[e].name);
            }
    }
    if (!out.len)
        jn_str_addc(&out, '0');
    return out.s;
}

static void check_row(const rig *r, const char *name, bool effort, const char *row)
{
    char *text = row_of(r, name);
    TEST_TEXT(row, text);
    CU_ASSERT_EQUAL(r->mode->gives_effort[jn_graph_find(r->graph, name)], effort);
    free(text);
}

/* ---- tests --------------------------------------------------------------------------------- */

static const char two_sources[] = "model m\nSe V = 1\nSe W = 2\nX1 s\n0 n\nC c = 1\nV -> n\n"
                                  "W -> s -> n\nn -> c\n";

static void conflict_has_its_reason(void)
{
    rig r;
    if (open_rig(&r, two_sources) && solve(&r, NULL, "1")) {
        CU_ASSERT(r.mode->forbidden);
        CU_ASSERT_EQUAL_FATAL(r.mode->nreasons, 1);
        CU_ASSERT_EQUAL(r.mode->reason[0].source, jn_graph_find(r.graph, "W"));
        CU_ASSERT_EQUAL_FATAL(r.mode->reason[0].nterms, 1);
        CU_ASSERT(jn_ratfun_is_one(r.mode->reason[0].term[0].coefficient));
        CU_ASSERT(solve(&r, NULL, "0") && !r.mode->forbidden && r.mode->nreasons == 0);
        check_row(&r, "c", true, "1*V");
        check_row(&r, "W", false, "0");
    }
    close_rig(&r);
}

/* A source that follows the model is no cause of conflict: it gets what is left, and storages go
 * before it. */
static void late_sources_come_after_storages(void)
{
    const bool late[] = {true, true};
    jn_solver_options o = {.late = late};
    rig r;
    if (open_rig(&r, two_sources) && solve(&r, &o, "1")) {
        CU_ASSERT(!r.mode->forbidden && r.mode->nreasons == 0);
        check_row(&r, "c", false, "1*V + 1*W");
        check_row(&r, "V", true, "1*c");
        check_row(&r, "W", true, "1*c");
    }
    close_rig(&r);
}

/* Where one of two late sources can impose its value it does. */
static void late_sources_impose_if_they_can(void)
{
    const bool late[] = {true};
    jn_solver_options o = {.late = late};
    rig r;
    if (open_rig(&r, "model m\nSe V = 1\nR r = 1\n1 n\nI l = 1\nV -> n -> r\nn -> l\n") &&
        solve(&r, &o, "")) {
        check_row(&r, "V", false, "1*l");
        check_row(&r, "l", true, "1*V + -1*r");
    }
    close_rig(&r);
}

static const char two_resistors[] = "model m\nSe V = 1\nR a = 1\nR b = 2\n1 n\nV -> n -> a\n"
                                    "n -> b\n";

static void resistors_may_want_their_effort(void)
{
    const bool effort_first[] = {true, false};
    jn_solver_options o = {.effort_first = effort_first};
    rig r, s;
    if (open_rig(&r, two_resistors) && solve(&r, NULL, "")) {
        check_row(&r, "a", false, "1*b");
        check_row(&r, "b", true, "1*V + -1*a");
    }
    if (open_rig(&s, two_resistors) && solve(&s, &o, "")) {
        check_row(&s, "a", true, "1*V + -1*b");
        check_row(&s, "b", false, "1*a");
    }
    close_rig(&r);
    close_rig(&s);
}

/* The ratio is 2 with the switch OFF and 3 with it ON; the model's own value for the other one. */
static jn_ratfun ratio_of_mode(void *ctx, int element, const jn_onoff *m)
{
    const jn_graph *g = ctx;
    if (strcmp(g->element[element].name, "n") != 0)
        return (jn_ratfun){-1};
    return jn_ratfun_int(g->field, m[0] ? 3 : 2);
}

static void ratios_may_depend_on_switches(void)
{
    rig r;
    bool switched[16] = {false};
    if (open_rig(&r, "model m\nSe V = 1\nTF n = 7\nTF k = 5\nX1 s\nI l = 1\nI p = 1\n1 a\n0 b\n"
                     "V -> b -> n -> a -> l\nb -> k -> s -> p\n")) {
        jn_solver_options o = {
            .numeric = true, .value = ratio_of_mode, .switched = switched, .ctx = r.graph};
        switched[jn_graph_find(r.graph, "n")] = true;
        CU_ASSERT(solve(&r, &o, "0"));
        check_row(&r, "l", true, "1/2*V");
        check_row(&r, "p", false, "0");
        CU_ASSERT(solve(&r, &o, "1"));
        check_row(&r, "l", true, "1/3*V");
        check_row(&r, "p", true, "1/5*V");
        CU_ASSERT(solve(&r, &o, "0"));
        check_row(&r, "l", true, "1/2*V");
    }
    close_rig(&r);
}

/* Whether no coefficient divides by a modulated ratio: with 0 for it, all are defined. */
static bool is_safe_at_zero(const rig *r, const char *name)
{
    const jn_graph *g = r->graph;
    jn_ratfun *value = jn_alloc((size_t)g->nparams * sizeof *value), v;
    bool safe = true;
    for (int i = 0; i < g->nparams; i++)
        value[i] = strcmp(g->param[i].name, name) == 0 ? JN_RATFUN_ZERO : (jn_ratfun){-1};
    for (int i = 0; i < r->mode->nterms; i++)
        safe = safe && jn_ratfun_put(&v, g->field, r->mode->term[i].c, value, g->nparams) == JN_OK;
    free(value);
    return safe;
}

/* The loop through the transformer can be solved for a variable behind it or before it. */
static void nothing_divides_by_a_modulation(void)
{
    jn_solver_options o = {.numeric = true};
    rig r;
    if (open_rig(&r, "model m\nSe V = 1\nTF n = sin(t)\nI l = 1\nC c = 1\nR r = 1\n1 a\n0 b\n"
                     "1 d\n0 e\nV -> a -> l\na -> e -> n -> b -> c\nb -> d -> r\n") &&
        solve(&r, &o, "")) {
        CU_ASSERT(is_safe_at_zero(&r, "n"));
        check_row(&r, "l", true, "1*V + -n*c");
        check_row(&r, "c", false, "n*l + -1*r");
    }
    close_rig(&r);
}

/* 50,000 bonds at one junction: no row and no column is walked for a single entry. */
static void junctions_may_have_many_bonds(void)
{
    rig r;
    if (open_rig(&r, "model m\nSe V = 1\nR r = 1\n1 in\n0 hub\nV -> in -> hub\nin -> r\n"
                     "for k in 1..50000 {\n  1 b[k]\n  C c[k] = 1\n  hub -> b[k] -> c[k]\n}\n") &&
        solve(&r, NULL, "")) {
        CU_ASSERT_EQUAL(r.mode->nsteps, 2 * r.graph->nbonds - (2 + 50000));
        check_row(&r, "r", true, "1*V + -1*c[1]"); /* c[1] is the state, the others are not */
        check_row(&r, "c[50000]", true, "1*c[1]");
    }
    close_rig(&r);
}

/* A cell of an arm is bypassed, then blocks: only what belongs to it changes, and what comes out does not
 * tell in which mode the solver was before. */
static void modes_follow_each_other(void)
{
    jn_solver_options o = {.numeric = true, .follow = true};
    rig r;
    if (open_rig(&r, "model m\nSe V = 1\nI l = 1\n1 i\nV -> i -> l\nfor k in 1..2 {\n  C c[k] = 1\n"
                     "  0 p[k]\n  X1 in[k]\n  X1 by[k]\n  i -> p[k]\n  p[k] -> in[k] -> c[k]\n"
                     "  p[k] -> by[k]\n}\n")) {
        CU_ASSERT(solve(&r, &o, "1010"));
        check_row(&r, "l", true, "1*V + -1*c[1] + -1*c[2]");
        CU_ASSERT(solve(&r, &o, "0110"));
        check_row(&r, "l", true, "1*V + -1*c[2]");
        check_row(&r, "c[1]", false, "0");
        CU_ASSERT(solve(&r, &o, "0010")); /* no current: l has no voltage of its own */
        check_row(&r, "l", false, "0");
        CU_ASSERT(solve(&r, &o, "1110")); /* c[1] is shorted */
        check_row(&r, "c[1]", true, "0");
        CU_ASSERT(solve(&r, &o, "1010"));
        check_row(&r, "l", true, "1*V + -1*c[1] + -1*c[2]");
        check_row(&r, "c[1]", false, "1*l");
    }
    close_rig(&r);
}

/* All currents of a chain of closed switches in terms of inputs are n²/2 terms: too many to keep. */
static void long_chains_are_eliminated_mode_by_mode(void)
{
    jn_solver_options o = {.numeric = true, .follow = true};
    jn_onoff on[1000];
    rig r;
    memset(on, 1, sizeof on);
    if (open_rig(&r,
                 "model m\nSe V = 1\nR r = 1\n1 in\n0 n[0]\nC c[0] = 1\nV -> in -> n[0] -> c[0]\n"
                 "in -> r\nfor k in 1..1000 {\n  X1 s[k]\n  0 n[k]\n  C c[k] = 1\n"
                 "  n[k - 1] -> s[k] -> n[k] -> c[k]\n}\n") &&
        jn_solver_new(&r.solver, r.graph, &o, r.diags) == JN_OK) {
        CU_ASSERT_EQUAL(jn_solver_mode(&r.mode, r.solver, on), JN_OK);
        CU_ASSERT(r.mode->nterms < 30 * r.graph->nbonds);
        check_row(&r, "c[1000]", true, "1*c[0]");
    }
    close_rig(&r);
}

void suite_solved(void)
{
    TEST_SUITE("solved");
    TEST_ADD(conflict_has_its_reason);
    TEST_ADD(late_sources_come_after_storages);
    TEST_ADD(late_sources_impose_if_they_can);
    TEST_ADD(resistors_may_want_their_effort);
    TEST_ADD(ratios_may_depend_on_switches);
    TEST_ADD(nothing_divides_by_a_modulation);
    TEST_ADD(junctions_may_have_many_bonds);
    TEST_ADD(modes_follow_each_other);
    TEST_ADD(long_chains_are_eliminated_mode_by_mode);
}
