/* test_verify_oracle.c: proofs about random small models against going through all cases.
 *
 * Models of at most four switches, three storages and two inputs are made up: networks of resistors,
 * storages, transformers and sources with diodes, relays, clocks and conditions on what was before.
 * Each is verified, and each is searched exhaustively (exhaustive.h), which knows nothing of formulas,
 * solvers or runs. Verdicts must be the same, and so must the length of the longest cascade. What is
 * refuted must have been confirmed by a run. */
#include "bench_of_proofs.h"
#include "exhaustive.h"
#include "property/trial.h"

/* With JUNCT_MODELS=6 720 of them, of which more than 500 can be compared. */
enum { MODELS = 120, MOST_CHANGES = 12 };

/* ---- models -------------------------------------------------------------------------------- */

static int pick(test_rng *r, int lo, int hi)
{
    return test_rng_int(r, lo, hi);
}

typedef struct {
    test_rng *r;
    jn_str text;
    int nodes, switches, storages, inputs;
    bool is_bounded;
} making;

/* Something to read, of the junction `name` or the node `node`. */
static void add_reading(making *m, const char *name, int node)
{
    switch (pick(m->r, 0, 4)) {
    case 0:
        jn_str_addf(&m->text, "e(n%d)", node);
        break;
    case 1:
        jn_str_addf(&m->text, "abs(e(n%d))", node);
        break;
    case 2:
        jn_str_addf(&m->text, "f(%s)", name);
        break;
    case 3:
        jn_str_addf(&m->text, "e(%s)", name);
        break;
    default:
        jn_str_addf(&m->text, "e(n%d) - 2*e(n0)", node);
        break;
    }
}

static void add_comparison(making *m, const char *name, int node)
{
    static const char *const sign[] = {"<", ">", "<=", ">="};
    bool prior = test_rng_chance(m->r, 15);
    jn_str_add(&m->text, prior ? "prior(" : "");
    add_reading(m, name, node);
    jn_str_addf(&m->text, "%s %s %d", prior ? ")" : "", sign[pick(m->r, 0, 3)], pick(m->r, -3, 3));
}

static void add_condition(making *m, const char *name, int node)
{
    static const char *const also[] = {" and ", " or "};
    add_comparison(m, name, node);
    if (test_rng_chance(m->r, 25)) {
        jn_str_add(&m->text, also[pick(m->r, 0, 1)]);
        if (m->switches > 1 && test_rng_chance(m->r, 50))
            jn_str_addf(&m->text, "%son(s0)", test_rng_chance(m->r, 50) ? "not " : "");
        else
            add_comparison(m, name, node);
    }
}

/* A law for the junction `name` that lies at the node `node`. */
static void add_law(making *m, const char *name, int node)
{
    int a = pick(m->r, 0, 3);
    switch (pick(m->r, 0, 6)) {
    case 0:
    case 1:
        jn_str_addf(&m->text, "switch %s diode\n", name);
        break;
    case 2:
        jn_str_addf(&m->text,
                    a == 3   ? "switch %s pwm(2, 1/2)\n"
                    : a == 2 ? "switch %s pwm(3, 1/3, 1/2)\n"
                             : "switch %s off, on at 1, off at 2\n",
                    name);
        break;
    case 3:
        jn_str_addf(&m->text, "switch %s off, on when e(n%d) > %d, off when e(n%d) < %d\n", name,
                    node, a, node, a - pick(m->r, 0, 2));
        break;
    default:
        jn_str_addf(&m->text, "switch %s off, on when ", name);
        add_condition(m, name, node);
        jn_str_add(&m->text, ", off when ");
        add_condition(m, name, node);
        jn_str_add(&m->text, "\n");
        break;
    }
}

static void add_switch(making *m, const char *from, const char *to, int node)
{
    char name[16];
    snprintf(name, sizeof name, "s%d", m->switches++);
    jn_str_addf(&m->text, "X1 %s\n%s -> %s -> %s\n", name, from, name, to);
    if (m->storages < 3 && test_rng_chance(m->r, 25))
        jn_str_addf(&m->text, "I L%d = 1/%d\n%s -> L%d\n", m->switches, pick(m->r, 1, 3), name,
                    m->switches),
            m->storages++;
    else if (test_rng_chance(m->r, 25))
        jn_str_addf(&m->text, "R rs%d = %d\n%s -> rs%d\n", m->switches, pick(m->r, 1, 3), name,
                    m->switches);
    add_law(m, name, node);
}

static void add_node(making *m, int i)
{
    jn_str_addf(&m->text, "0 n%d\n", i);
    if (m->storages < 3 && test_rng_chance(m->r, 50))
        jn_str_addf(&m->text, "C c%d = 1/%d, q0 = %d\nn%d -> c%d\n", i, pick(m->r, 1, 4),
                    pick(m->r, -2, 2), i, i),
            m->storages++;
    if (test_rng_chance(m->r, 80))
        jn_str_addf(&m->text, "R r%d = %d\nn%d -> r%d\n", i, pick(m->r, 1, 5), i, i);
}

static void add_source(making *m)
{
    static const char *const kind[] = {"Se", "Sf"};
    bool flow = test_rng_chance(m->r, 25);
    int u = pick(m->r, 0, 6);
    m->is_bounded = test_rng_chance(m->r, 35);
    jn_str_addf(&m->text, "%s V = %d\n", kind[flow], u);
    if (m->is_bounded)
        jn_str_addf(&m->text, "bound %d <= %c(V) <= %d\n", u - pick(m->r, 0, 8), flow ? 'f' : 'e',
                    u + pick(m->r, 0, 4));
}

static void add_claims(making *m)
{
    if (test_rng_chance(m->r, 30))
        jn_str_addf(&m->text, "bound %d <= e(n0) <= %d\n", pick(m->r, -9, -1), pick(m->r, 0, 9));
    jn_str_add(&m->text, "assert ");
    add_comparison(m, "s0", 0);
    jn_str_add(&m->text, "\nassert on(s0) or ");
    add_comparison(m, "s0", 0);
    jn_str_add(&m->text, "\n");
}

static void make_model(making *m)
{
    char name[16];
    jn_str_add(&m->text, "model m\nSe G = 0\n0 ground\nG -> ground\n");
    m->nodes = pick(m->r, 1, 2);
    for (int i = 0; i < m->nodes; i++)
        add_node(m, i);
    add_source(m);
    jn_str_add(&m->text, "0 supply\nV -> supply\n");
    add_switch(m, "supply", "n0", 0);
    for (int i = 0; i < m->nodes; i++)
        if (test_rng_chance(m->r, 70)) {
            snprintf(name, sizeof name, "n%d", i);
            add_switch(m, "ground", name, i);
        }
    if (m->nodes == 2 && test_rng_chance(m->r, 50))
        add_switch(m, "n0", "n1", 1);
    else if (m->nodes == 2 && test_rng_chance(m->r, 50))
        jn_str_addf(&m->text, "TF tf = 1/%d\nn0 -> tf -> n1\n", pick(m->r, 1, 3));
    else if (m->nodes == 2)
        jn_str_addf(&m->text, "1 b\nn0 -> b -> n1\nR Rb = %d\nb -> Rb\n", pick(m->r, 1, 3));
    add_claims(m);
}

/* ---- verdicts ------------------------------------------------------------------------------ */

typedef struct {
    int proved, refuted, open, other; /* other: not what all cases say */
} tally;

/* Open is no wrong answer where the search has no end either. */
static bool count(tally *t, const jn_finding *f, exhaustive_verdict all)
{
    t->proved += f->verdict == JN_PROVED;
    t->refuted += f->verdict == JN_REFUTED;
    t->open += f->verdict == JN_OPEN;
    bool same = all == EXHAUSTIVE_HOLDS   ? f->verdict == JN_PROVED
                : all == EXHAUSTIVE_FAILS ? f->verdict == JN_REFUTED && f->witness->is_replayed
                                          : f->verdict != JN_PROVED;
    t->other += !same;
    return same;
}

typedef struct {
    tally settling, dead_ends, races, asserts;
    int compared, longer, agreeing;
} comparison;

static bool compare(comparison *c, const jn_verification *v, const exhaustive_answer *a)
{
    bool same = count(&c->settling, &v->settling, a->settling);
    same &= count(&c->dead_ends, &v->dead_ends, a->dead_ends);
    if (a->settling == EXHAUSTIVE_HOLDS)
        same &= count(&c->races, &v->races, a->races);
    for (int i = 0; i < v->nasserts; i++)
        same &= count(&c->asserts, &v->assertion[i], a->assertion[i]);
    bool as_long = v->settling.verdict != JN_PROVED || v->changes == a->changes;
    c->longer += !as_long;
    c->compared++;
    c->agreeing += a->agrees;
    return same && as_long;
}

static void tell(const jn_verification *v, const exhaustive_answer *a, int i, const char *text)
{
    fprintf(stderr, "model %d: verify %s %s %s %d", i, jn_proof_name(v->settling.verdict),
            jn_proof_name(v->dead_ends.verdict), jn_proof_name(v->races.verdict), v->changes);
    fprintf(stderr, ", all cases %d %d %d %d (0 holds, 1 fails)\n", a->settling, a->dead_ends,
            a->races, a->changes);
    for (int k = 0; k < a->nasserts; k++)
        fprintf(stderr, "assert %d: %s %d\n", k, jn_proof_name(v->assertion[k].verdict),
                a->assertion[k]);
    fprintf(stderr, "%s\n", text);
}

static void one_model(comparison *c, test_rng *r, int i)
{
    making m = {.r = r};
    proof_rig p;
    exhaustive_answer a;
    jn_verify_options usual = {.seconds = 60, .most_changes = MOST_CHANGES};
    exhaustive_options all = {MOST_CHANGES, 20000, true};
    jn_str_init(&m.text);
    make_model(&m);
    proof_read(&p, jn_str_c(&m.text));
    exhaustive_ask(&a, p.graph, &all);
    if (a.is_able && !a.is_vacuous) {
        proof_ask(&p, &usual);
        CU_ASSERT_PTR_NOT_NULL_FATAL(p.v);
        bool same = compare(c, p.v, &a);
        CU_ASSERT(same);
        if (!same)
            tell(p.v, &a, i, jn_str_c(&m.text));
    }
    exhaustive_clear(&a);
    proof_clear(&p);
    jn_str_clear(&m.text);
}

static void print_tally(const char *of, const tally *t)
{
    printf("\n    %-10s %4d proved %4d refuted %4d open %4d wrong", of, t->proved, t->refuted,
           t->open, t->other);
}

static void verdicts_are_those_of_all_cases(void)
{
    test_rng r = test_rng_new(2911);
    comparison c = {0};
    int models = trial_models(MODELS);
    for (int i = 0; i < models; i++)
        one_model(&c, &r, i);
    printf("\n    %d models compared, %d with sources that agree", c.compared, c.agreeing);
    print_tally("settling", &c.settling);
    print_tally("dead ends", &c.dead_ends);
    print_tally("races", &c.races);
    print_tally("asserts", &c.asserts);
    printf("\n    %d of another length ", c.longer);
    CU_ASSERT(c.compared >= (models < 6 * MODELS ? models * 3 / 5 : 500));
}

void suite_verify_oracle(void)
{
    TEST_SUITE("verify_oracle");
    TEST_ADD(verdicts_are_those_of_all_cases);
}
