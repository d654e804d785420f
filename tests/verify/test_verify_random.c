/* test_verify_random.c: what is proved of random small networks is what runs do.
 *
 * Networks of at most four switches and three storages are made up, verified, and then gone through
 * by runs, which know nothing of formulas: from random states an instant is settled, which leaves a
 * mode that lasts; then the clock turns some switches, and the next instant must do what was proved
 * of it, in no more changes than were proved. A state in which settling is refuted is not tried
 * again here: it must have been confirmed by the proof's own replay. */
#include "bench_of_proofs.h"
#include "property/trial.h"

enum { MODELS = 100, TRIES = 40 }; /* with JUNCT_MODELS=5 500 of them */

/* ---- networks ------------------------------------------------------------------------------ */

static int pick(test_rng *r, int lo, int hi)
{
    return test_rng_int(r, lo, hi);
}

/* A law for the junction `name` that lies at the node `node`. */
static void add_law(jn_str *t, test_rng *r, const char *name, int node)
{
    switch (pick(r, 0, 4)) {
    case 0:
        jn_str_addf(t, "switch %s diode\n", name);
        break;
    case 1:
        jn_str_addf(t, "switch %s off, on at 1, off at 2\n", name);
        break;
    case 2:
        jn_str_addf(t, "switch %s off, on when e(n%d) > %d, off when e(n%d) < %d\n", name, node,
                    pick(r, -2, 4), node, pick(r, -4, 3));
        break;
    case 3:
        jn_str_addf(t, "switch %s off, on when e(%s) < %d, off when f(%s) < %d\n", name, name,
                    pick(r, -2, 0), name, pick(r, -1, 2));
        break;
    default:
        jn_str_addf(t, "switch %s on, off when f(%s) > %d, on when prior(e(n%d)) < %d\n", name,
                    name, pick(r, 1, 4), node, pick(r, -3, 3));
        break;
    }
}

static void make_network(jn_str *t, test_rng *r)
{
    int nodes = pick(r, 1, 2), storages = 0;
    jn_str_addf(t, "model m\nSe V = %d\nSe G = 0\n0 ground\nG -> ground\n", pick(r, 1, 9));
    for (int i = 0; i < nodes; i++) {
        jn_str_addf(t, "0 n%d\nX1 d%d\nground -> d%d -> n%d\n", i, i, i, i);
        add_law(t, r, i ? "d1" : "d0", i);
        if (storages < 2 && test_rng_chance(r, 60)) {
            jn_str_addf(t, "C c%d = 1/%d\nn%d -> c%d\n", i, pick(r, 1, 4), i, i);
            storages++;
        }
        jn_str_addf(t, "R r%d = %d\nn%d -> r%d\n", i, pick(r, 1, 5), i, i);
    }
    jn_str_add(t, "X1 s\nV -> s -> n0\n");
    if (test_rng_chance(r, 50)) {
        jn_str_addf(t, "I L = 1/%d\ns -> L\n", pick(r, 1, 4));
        storages++;
    }
    if (test_rng_chance(r, 30))
        jn_str_addf(t, "R rs = %d\ns -> rs\n", pick(r, 1, 3));
    add_law(t, r, "s", 0);
    if (nodes == 2 && test_rng_chance(r, 50)) {
        jn_str_add(t, "X1 b\nn0 -> b -> n1\n");
        add_law(t, r, "b", 1);
    } else if (nodes == 2) {
        jn_str_addf(t, "1 b\nn0 -> b -> n1\nI Lb = 1/%d\nb -> Lb\n", pick(r, 1, 3));
    }
}

/* ---- runs ---------------------------------------------------------------------------------- */

typedef struct {
    const jn_graph *g;
    jn_sim *sim;
    int state[8], left[8];
    double x[8], u[8], none[8];
    bool given[8];
} attempt;

/* The state of each automaton whose switch is as in the mode; false: it is not told by it. */
static void read_states(attempt *t)
{
    for (int k = 0; k < t->g->nswitches; k++)
        for (int s = 0; s < t->g->automaton[k].nstates; s++)
            if (t->g->automaton[k].state[s].on == (bool)jn_sim_mode(t->sim)[k])
                t->state[k] = s;
}

static jn_stop go(attempt *t)
{
    jn_stopped stop;
    jn_instant_from from = {.lasting = t->state,
                            .left = t->left,
                            .x = t->x,
                            .integral = t->none,
                            .discrete = t->none,
                            .before = t->u,
                            .input = t->u,
                            .given = t->given,
                            .t = 1};
    return jn_sim_instant(t->sim, &from, &stop) == JN_OK ? JN_STOP_NONE : stop.why;
}

static bool is_timed(const jn_graph *g, int k)
{
    return g->automaton[k].ntimes > 0;
}

/* From a mode that lasts: what the next instant does. */
static jn_stop disturb(attempt *t, test_rng *r)
{
    const jn_graph *g = t->g;
    for (int k = 0; k < g->nswitches; k++)
        t->state[k] = t->left[k] = pick(r, 0, g->automaton[k].nstates - 1);
    for (int i = 0; i < g->nstorages; i++)
        t->x[i] = pick(r, -6, 6);
    if (go(t) != JN_STOP_NONE)
        return JN_STOP_INTERRUPTED; /* that was no state to begin with */
    read_states(t);
    memcpy(t->x, jn_sim_state(t->sim), (size_t)g->nstorages * sizeof *t->x);
    memcpy(t->left, t->state, sizeof t->left);
    for (int k = 0; k < g->nswitches; k++)
        if (is_timed(g, k) && test_rng_chance(r, 60))
            t->left[k] = 1 - t->left[k];
    return go(t);
}

static void try_runs(const proof_rig *p, test_rng *r, const char *text)
{
    attempt t = {.g = p->graph};
    jn_sim_options o = {.idle = true};
    jn_diags *d = jn_diags_new();
    if (jn_sim_new(&t.sim, p->graph, &o, d) == JN_OK) {
        for (int i = 0; i < TRIES; i++) {
            jn_stop why = disturb(&t, r);
            bool loop = why == JN_STOP_LOOP && p->v->settling.verdict == JN_PROVED;
            bool dead = why == JN_STOP_FORBIDDEN && p->v->dead_ends.verdict == JN_PROVED;
            if (loop || dead)
                fprintf(stderr, "%s in\n%s", loop ? "a loop" : "a dead end", text);
            CU_ASSERT(!loop);
            CU_ASSERT(!dead);
            if (why == JN_STOP_NONE && p->v->settling.verdict == JN_PROVED)
                CU_ASSERT(jn_sim_instant_changes(t.sim) <= p->v->changes);
        }
        jn_sim_free(t.sim);
    }
    jn_diags_free(d);
}

static void proofs_hold_in_runs(void)
{
    test_rng r = test_rng_new(1811);
    int proved = 0, refuted = 0, open = 0;
    int models = trial_models(MODELS);
    for (int i = 0; i < models; i++) {
        proof_rig p;
        jn_str text;
        jn_verify_options o = {.seconds = 0.3, .most_changes = 8, .only_settling = true};
        jn_str_init(&text);
        make_network(&text, &r);
        proof_new(&p, jn_str_c(&text), &o);
        CU_ASSERT_PTR_NOT_NULL_FATAL(p.v);
        proved += p.v->settling.verdict == JN_PROVED;
        refuted += p.v->settling.verdict == JN_REFUTED;
        open += p.v->settling.verdict == JN_OPEN;
        if (p.v->settling.verdict == JN_REFUTED)
            CU_ASSERT(p.v->settling.witness->is_replayed);
        try_runs(&p, &r, jn_str_c(&text));
        proof_clear(&p);
        jn_str_clear(&text);
    }
    CU_ASSERT(proved > models / 2);
    CU_ASSERT(refuted > 0);
    printf("(%d proved, %d refuted, %d open) ", proved, refuted, open);
}

void suite_verify_random(void)
{
    TEST_SUITE("verify_random");
    TEST_ADD(proofs_hold_in_runs);
}
