/* test_sim_copies.c: a copy goes on as its original does, to the last bit, wherever it is made.
 *
 * A run is copied at many odd times. From each on the two are taken in the same few steps to the next one, and
 * are the same there: time, mode, states, energies, what there is to say of a stop. So is a copy of the copy. All
 * that decides how a run goes on has to be carried over for that, and for each room of it some model shows when
 * it is not: laws that bend, storages that do, frictions that stick, diodes, bounces, sources by hand. */
#include <math.h>

#include "beside.h"
#include "fragments.h"
#include "networks.h"

enum { COPIES = 9, STEPS = 3, SECONDS = 40 };

/* ---- two runs ------------------------------------------------------------------------------ */

static bool same_bits(const double *a, const double *b, int n)
{
    for (int i = 0; i < n; i++)
        if (a[i] != b[i] && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

static bool same_work(const jn_graph *g, const jn_sim *a, const jn_sim *b)
{
    bool same = true;
    for (int k = 0; k < g->nsources; k++)
        same &= jn_sim_jump_work(a, k) == jn_sim_jump_work(b, k);
    return same;
}

static bool same_present(const jn_graph *g, const jn_sim *a, const jn_sim *b)
{
    size_t n = (size_t)g->nswitches;
    jn_ledger l = jn_sim_ledger(a), k = jn_sim_ledger(b);
    return jn_sim_time(a) == jn_sim_time(b) && jn_sim_events(a) == jn_sim_events(b) &&
           !memcmp(jn_sim_mode(a), jn_sim_mode(b), n) &&
           !memcmp(jn_sim_automata(a), jn_sim_automata(b), n * sizeof(int)) &&
           same_bits(jn_sim_state(a), jn_sim_state(b), g->nstorages) &&
           same_bits(jn_sim_integrals(a), jn_sim_integrals(b), g->nintegrals) &&
           same_bits(jn_sim_discretes(a), jn_sim_discretes(b), g->ndiscretes) &&
           same_bits(&l.supplied, &k.supplied, 1) && same_bits(&l.dissipated, &k.dissipated, 1) &&
           same_bits(&l.lost, &k.lost, 1) && same_bits(&l.moved, &k.moved, 1) && same_work(g, a, b);
}

static jn_status go_on(jn_sim *s, double from, double to, char *why)
{
    jn_stopped stop = {.message = ""};
    jn_status status = JN_OK;
    for (int i = 1; i <= STEPS && status == JN_OK; i++)
        status = jn_sim_advance(s, from + (to - from) * i / STEPS, &stop);
    snprintf(why, 200, "%s", status == JN_OK ? "" : stop.message);
    return status;
}

static double time_of(int k)
{
    return BESIDE_END * (k + 0.317 * (k % 3)) / COPIES;
}

/* From one time to the next, as the original does, which may stop on the way. */
static bool goes_alike(const jn_graph *g, jn_sim *s, jn_sim *copy, int k, jn_status *status)
{
    char why[200], own[200];
    *status = go_on(s, time_of(k), time_of(k + 1), why);
    jn_status other = go_on(copy, time_of(k), time_of(k + 1), own);
    bool same = other == *status && strcmp(why, own) == 0 && same_present(g, s, copy);
    if (!same)
        printf("\n    the copy at t = %.6g has gone another way: by t = %.17g, %.17g %s %s",
               time_of(k), jn_sim_time(s), jn_sim_time(copy), why, own);
    return same;
}

typedef struct {
    const char *text;
    jn_method method;
} subject;

static void copy_often(const void *context)
{
    const subject *x = context;
    jn_sim_options o = {.method = x->method, .span = BESIDE_END, .folder = "tests/sim/cases"};
    jn_status status = JN_OK;
    rig r;
    if (!rig_new(&r, x->text, &o)) {
        CU_ASSERT(!"the model can be run");
        rig_clear(&r);
        return;
    }
    jn_sim *s = r.sim;
    for (int k = 0; k < COPIES && status == JN_OK; k++) {
        jn_sim *first = jn_sim_copy(s, NULL);
        jn_sim *copy = k % 2 ? jn_sim_copy(first, NULL) : first;
        CU_ASSERT(same_present(r.graph, s, copy));
        bool same = goes_alike(r.graph, s, copy, k, &status);
        CU_ASSERT(same);
        if (copy != first)
            jn_sim_free(first);
        jn_sim_free(copy);
        if (!same)
            break;
    }
    rig_clear(&r);
}

static void check(const char *name, const char *text)
{
    static const jn_method methods[] = {JN_METHOD_AUTO, JN_METHOD_RADAU};
    for (int i = 0; i < 2; i++) {
        subject x = {text, methods[i]};
        bool passes = beside_passes(copy_often, &x, SECONDS);
        if (!passes)
            printf("\n  ^^ %s%s\n%s", name, i ? ", integrated" : "", text);
        CU_ASSERT(passes);
    }
}

/* ---- models -------------------------------------------------------------------------------- */

static const char *const known[] = {
    "1 v1\nI m1 = 1, f0 = -0.5\nv1 -> m1\n1 v2\nI m2 : f = p/2 + 0.01*p^3, p0 = 2\nv2 -> m2\n0 j2\n"
    "j2 -> v1\nR C2 : e = sign(f)*(0.3+0.5*exp(-abs(f)/0.3))\nj2 -> C2\nv2 -> j2\n",
    "1 v1\nI m1 = 1, f0 = -0.5\nv1 -> m1\n1 v2\nI m2 : f = p/2 + 0.01*p^3, p0 = 2\nv2 -> m2\n0 j2\n"
    "j2 -> v1\nR C2 : e = sign(f)*(0.3+0.5*exp(-abs(f)/0.3))\nj2 -> C2\n",
    "1 v\nI m : f = p/0.7 + 0.02*p^3, p0 = 1\nv -> m\nSe F = 2*sin(3*t)\nF -> v\nR c : e = "
    "0.4*f + 0.3*f*abs(f)\nv -> c\nC s : e = q + q^3\nv -> s\n",
};

static void copies_of_laws_that_bend_go_on_alike(void)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        check("a law that bends", known[i]);
}

static void copies_of_each_feature_go_on_alike(void)
{
    for (int i = 0; i < nfragments; i++) {
        jn_str text;
        jn_str_init(&text);
        jn_str_addf(&text, "%s%soutput v = e(bus)\n", fragment_core, fragments[i].text);
        check(fragments[i].name, jn_str_c(&text));
        jn_str_clear(&text);
    }
}

static void copies_of_networks_go_on_alike(void)
{
    enum { MODELS = 20 };
    for (int k = 0; k < MODELS; k++) {
        test_rng r = test_rng_new((uint64_t)(920000 + k));
        char name[40];
        jn_str text;
        jn_str_init(&text);
        network_write(&text, &r);
        snprintf(name, sizeof name, "network %d", k);
        check(name, jn_str_c(&text));
        jn_str_clear(&text);
    }
}

void suite_sim_copies(void)
{
    TEST_SUITE("sim_copies");
    TEST_ADD(copies_of_laws_that_bend_go_on_alike);
    TEST_ADD(copies_of_each_feature_go_on_alike);
    TEST_ADD(copies_of_networks_go_on_alike);
}
