/* test_verify_explored.c: the longest cascade, found by trying.
 *
 * Knows nothing of formulas. From every point of a grid of states (dyadic numbers, so that doubles are
 * exact), in all states of the automata and for all inputs of a grid, an instant of a run is settled;
 * that leaves a mode that lasts. From there the clock turns switches, in every combination, and inputs
 * jump to every other value; where no storage is tied to another, the state also moves a hair to either side.
 * The longest cascade that comes of it is never longer than what is proved. For the converters and the half
 * wave it is just as long; of the bridge the grid meets 2 changes where 5 are proved to be the most. */
#include <math.h>

#include "bench_of_proofs.h"

enum { MOST = 8 };

typedef struct {
    const jn_graph *g;
    jn_sim *sim;
    const double *inputs; /* of the free source, up to a NaN; NULL: there is none */
    int free_source, tried, longest;
    bool is_anywhere; /* the flow may not lead there */
    jn_stop why;      /* the last instant stopped; NONE: it did not */
    double x[MOST], before[MOST], input[MOST], none[MOST];
    int state[MOST], left[MOST];
    jn_mode_numbers *mode; /* per mode, its number in binary; n = 0: not asked for yet */
    bool given[MOST];
} explorer;

static bool settle(explorer *e)
{
    jn_stopped stop;
    jn_instant_from from = {.lasting = e->state,
                            .left = e->left,
                            .x = e->x,
                            .integral = e->none,
                            .discrete = e->none,
                            .before = e->before,
                            .input = e->input,
                            .given = e->given,
                            .t = 1};
    e->why = jn_sim_instant(e->sim, &from, &stop) == JN_OK ? JN_STOP_NONE : stop.why;
    return e->why == JN_STOP_NONE;
}

/* ---- from a mode that lasts ---------------------------------------------------------------- */

/* A run may refuse the energy of a jump; the changes up to there count all the same. */
static void try_instant(explorer *e)
{
    settle(e);
    CU_ASSERT(e->why != JN_STOP_LOOP);
    CU_ASSERT(e->why != JN_STOP_FORBIDDEN || e->is_anywhere);
    int changes = jn_sim_instant_changes(e->sim);
    e->tried++;
    if (changes > e->longest)
        e->longest = changes;
}

/* Every combination of the switches that have a clock. */
static void turn_switches(explorer *e, int k)
{
    if (k == e->g->nswitches) {
        try_instant(e);
        return;
    }
    e->left[k] = e->state[k];
    turn_switches(e, k + 1);
    if (e->g->automaton[k].ntimes) {
        e->left[k] = 1 - e->state[k];
        turn_switches(e, k + 1);
    }
    e->left[k] = e->state[k];
}

static void jump_inputs(explorer *e)
{
    double before = e->input[e->free_source];
    turn_switches(e, 0);
    for (const double *u = e->inputs; u && !isnan(*u); u++) {
        e->input[e->free_source] = *u;
        turn_switches(e, 0);
    }
    e->input[e->free_source] = before;
}

static const jn_mode_numbers *present_mode(explorer *e)
{
    int number = 0;
    for (int k = 0; k < e->g->nswitches; k++)
        number = 2 * number + (jn_sim_mode(e->sim)[k] != 0);
    jn_mode_numbers *m = &e->mode[number];
    jn_diags *d = jn_diags_new();
    if (m->n == 0)
        CU_ASSERT_EQUAL(jn_sim_matrices(m, e->sim, NULL, d), JN_OK);
    jn_diags_free(d);
    return m;
}

/* Every state fits the mode: E is the identity. */
static bool is_free_mode(const jn_mode_numbers *m)
{
    bool is_free = m->status == JN_MODE_OK;
    for (int i = 0; is_free && i < m->n * m->n; i++)
        is_free = m->E[i] == (i % (m->n + 1) == 0);
    return is_free;
}

/* A hair to either side, wherever the flow goes: settling is proved for any state that fits a mode. Dead
 * ends are proved only for those that the flow can reach. */
static void move_state(explorer *e)
{
    e->is_anywhere = true;
    for (int i = 0; i < e->g->nstorages; i++)
        for (int side = -1; side <= 1; side += 2) {
            double at = e->x[i];
            e->x[i] = at + side * 0x1p-10;
            turn_switches(e, 0);
            e->x[i] = at;
        }
    e->is_anywhere = false;
}

/* ---- the grid ------------------------------------------------------------------------------ */

static void begin_here(explorer *e)
{
    explorer start = *e;
    memcpy(e->left, e->state, sizeof e->left);
    memcpy(e->before, e->input, sizeof e->before);
    if (settle(e)) {
        memcpy(e->state, jn_sim_automata(e->sim), (size_t)e->g->nswitches * sizeof *e->state);
        memcpy(e->x, jn_sim_state(e->sim), (size_t)e->g->nstorages * sizeof *e->x);
        const jn_mode_numbers *m = present_mode(e);
        jump_inputs(e);
        if (is_free_mode(m))
            move_state(e);
    }
    start.tried = e->tried;
    start.longest = e->longest;
    *e = start;
}

static void all_automata(explorer *e, int k)
{
    if (k == e->g->nswitches) {
        begin_here(e);
        return;
    }
    for (int s = 0; s < e->g->automaton[k].nstates; s++) {
        e->state[k] = s;
        all_automata(e, k + 1);
    }
}

static void all_states(explorer *e, int i)
{
    static const double grid[] = {-4, -0.25, 0, 0.25, 4};
    if (i == e->g->nstorages) {
        all_automata(e, 0);
        return;
    }
    for (size_t k = 0; k < sizeof grid / sizeof *grid; k++) {
        e->x[i] = grid[k];
        all_states(e, i + 1);
    }
}

static void all_inputs(explorer *e)
{
    for (const double *u = e->inputs; u && !isnan(*u); u++) {
        e->input[e->free_source] = *u;
        all_states(e, 0);
    }
    if (!e->inputs)
        all_states(e, 0);
}

static void explore(explorer *e, const jn_graph *g, bool is_bounded)
{
    static const double volts[] = {-8, -1, 0, 1, 8, NAN};
    jn_sim_options o = {.idle = true};
    jn_diags *d = jn_diags_new();
    *e = (explorer){.g = g, .inputs = is_bounded ? volts : NULL};
    CU_ASSERT_FATAL(g->nstorages <= MOST && g->nsources <= MOST && g->nswitches <= MOST);
    e->free_source = g->element[jn_graph_find(g, "V")].number;
    e->given[e->free_source] = true;
    e->input[e->free_source] = 4;
    e->mode = jn_alloc(((size_t)1 << g->nswitches) * sizeof *e->mode);
    CU_ASSERT_EQUAL_FATAL(jn_sim_new(&e->sim, g, &o, d), JN_OK);
    all_inputs(e);
    for (int i = 0; i < 1 << g->nswitches; i++)
        if (e->mode[i].n)
            jn_mode_numbers_clear(&e->mode[i]);
    free(e->mode);
    jn_sim_free(e->sim);
    jn_diags_free(d);
}

/* ---- converters ---------------------------------------------------------------------------- */

#define HEAD "model m\nSe V = 4\nSe G = 0\nI L = 1\nC C1 = 1\nR load = 2\nX1 s\nX1 d\n"
#define CLOCK "switch s off, on at 1, off at 2\n"
#define BUCK                                                                                       \
    HEAD "0 n\n0 out\n1 coil\nV -> s -> n\nG -> d -> n\nn -> coil -> L\ncoil -> out -> C1\n"       \
         "out -> load\nswitch d diode\n" CLOCK
#define BOOST                                                                                      \
    HEAD "0 n\n0 out\n1 coil\nV -> coil -> L\ncoil -> n\nn -> s -> G\nn -> d -> out -> C1\n"       \
         "out -> load\nswitch d diode\n" CLOCK
#define BUCK_BOOST                                                                                 \
    HEAD "0 n\n0 out\nV -> s -> n -> L\nout -> d -> n\nout -> C1\nout -> load\nswitch d "          \
         "diode\n" CLOCK
#define HALF_WAVE                                                                                  \
    "model m\nSe V = 4\nC C1 = 1\nR load = 2\n0 n\nX1 d\nV -> d -> n -> C1\nn -> load\n"           \
    "switch d diode\nbound -8 <= e(V) <= 8\n"
#define BRIDGE                                                                                     \
    "model m\nSe V = 4\nSe G = 0\nC C1 = 1\nR load = 2\nR Ra = 64\nR Rb = 64\n1 source\n0 a\n"     \
    "0 b\n0 plus\n0 minus\nX1 d1\nX1 d2\nX1 d3\nX1 d4\nV -> source -> a\nb -> source\n"            \
    "G -> minus\na -> d1 -> plus\nb -> d2 -> plus\nminus -> d3 -> a\nminus -> d4 -> b\n"           \
    "plus -> C1\nplus -> load\na -> Ra\nb -> Rb\nswitch d1 diode\nswitch d2 diode\n"               \
    "switch d3 diode\nswitch d4 diode\nbound -8 <= e(V) <= 8\n"

static void proved_is_explored(void)
{
    static const struct {
        const char *text;
        bool is_bounded;
        int longest, proved;
    } model[] = {{BUCK, false, 2, 2},
                 {BOOST, false, 2, 2},
                 {BUCK_BOOST, false, 2, 2},
                 {HALF_WAVE, true, 2, 2},
                 {BRIDGE, true, 2, 5}};
    for (size_t i = 0; i < sizeof model / sizeof *model; i++) {
        proof_rig r;
        explorer e;
        jn_verify_options o = {.seconds = 60, .only_settling = true};
        proof_new(&r, model[i].text, &o);
        CU_ASSERT_EQUAL(r.v->settling.verdict, JN_PROVED);
        explore(&e, r.graph, model[i].is_bounded);
        CU_ASSERT(e.tried > 200);
        CU_ASSERT(e.longest <= r.v->changes);
        CU_ASSERT_EQUAL(e.longest, model[i].longest);
        CU_ASSERT_EQUAL(r.v->changes, model[i].proved);
        proof_clear(&r);
    }
}

void suite_verify_explored(void)
{
    TEST_SUITE("verify_explored");
    TEST_ADD(proved_is_explored);
}
