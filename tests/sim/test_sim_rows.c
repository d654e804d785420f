/* test_sim_rows.c: which rows are asked for does not influence a run, not by one bit.
 *
 * Each model is run in one go, and again with stops in between: few, many, at odd times, and so many
 * that every step has some. Events are the same to the bit, and so are states and energies where two
 * runs stop at the same time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

typedef struct {
    const char *name; /* of an example, unless there is a text */
    double to;
    const char *text;
} subject;

static const subject subjects[] = {
    {"buck", 2e-3, NULL},
    {"boost_peak", 1e-3, NULL},
    {"rectifier", 0.1, NULL},
    {"cistern", 20, NULL},
    {"hoist", 3, NULL},
    {"stickslip", 20, NULL},
    {"ball", 3, NULL},
    {"relay", 3, NULL},
    {"topple", 0.5, NULL},
    {"bitank", 0.05, NULL},
    {"an integral", 20,
     "model integral\nSe u = sin(3*t)\nR r = 1\nI m = 1\nX1 s\nu -> s -> r\ns -> m\n"
     "switch s on, off when int(f(r)) > 1/5, on when sin(t) < 0\n"
     "simulate to 20 every 0.1\n"},
    {"a law that sticks", 7,
     "model law\nSe u = 25*sin(pi/2*t)\nI m = 1\nR d : e = sign(f)*(5 + 10*exp(-2*abs(f))) + f\n"
     "1 v\nu -> v -> m\nv -> d\nsimulate to 7 every 0.1\n"},
    {"inertias on one shaft", 12,
     "model shaft\nSe u = 3*sin(5*t)\nI a = 1\nI b = 2\nR r : e = f^3\n1 va\n1 vb\nTF n = 2\n"
     "u -> va -> a\nva -> n -> vb -> b\nX1 s\nvb -> s -> r\nswitch s on, off when f(a) > 1/2,"
     " on when f(a) < -1/2\nsimulate to 12 every 0.1\n"},
    {"levels that meet", 12,
     "model levels\nSf pump = max(sin(t), 0)\nC a = 1, e0 = 2\nC b = 2\n0 na\n0 nb\n1 pipe\n"
     "R valve : f = sign(e)*sqrt(abs(e))\nR out : f = e^3/10\npump -> na -> a\nna -> pipe -> nb\n"
     "pipe -> valve\nnb -> b\nnb -> out\nsimulate to 12 every 0.1\n"},
};

/* Stops of a run, as parts of it. */
static const double parts[] = {1.0 / 7.3, 1.0 / 13, 1.0 / 400, 1.0 / 2999};

static bool open(rig *r, const subject *from, jn_method method)
{
    char path[200], *text = NULL;
    jn_sim_options o = {.method = method};
    if (from->text)
        return rig_new(r, from->text, &o);
    snprintf(path, sizeof path, "examples/%s.hbg", from->name);
    text = test_read_file(path);
    bool ok = text && rig_new(r, text, &o);
    free(text);
    return ok;
}

static bool same(const double *a, const double *b, int n)
{
    return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

static bool same_events(const rig *a, const rig *b)
{
    bool ok = a->nevents == b->nevents;
    for (int i = 0; ok && i < a->nevents; i++) {
        const rig_event *x = &a->event[i], *y = &b->event[i];
        ok = same(&x->t, &y->t, 1) && x->kind == y->kind && strcmp(x->to, y->to) == 0 &&
             strcmp(x->via, y->via) == 0 && same(&x->lost, &y->lost, 1) &&
             (!x->state || same(x->state, y->state, a->graph->nstorages));
    }
    return ok;
}

static void check_parts(const subject *of, jn_method method, rig *whole)
{
    enum { MEETINGS = 5 }; /* where all runs stop */
    int n = whole->graph->nstorages;
    double to = of->to;
    double *state = calloc((size_t)(MEETINGS * n + 1), sizeof *state), supplied[MEETINGS];
    for (int k = 0; k < MEETINGS; k++) {
        rig_to(whole, to * (k + 1) / MEETINGS);
        memcpy(state + k * n, jn_sim_state(whole->sim), (size_t)n * sizeof *state);
        supplied[k] = jn_sim_ledger(whole->sim).supplied;
    }
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        rig r;
        bool ok = open(&r, of, method);
        double t = 0;
        for (int k = 0; ok && k < MEETINGS; k++) {
            double meet = to * (k + 1) / MEETINGS;
            for (; t < meet; t += parts[p] * to)
                rig_to(&r, t);
            rig_to(&r, meet);
            ok = same(jn_sim_state(r.sim), state + k * n, n) &&
                 jn_sim_ledger(r.sim).supplied == supplied[k];
        }
        if (!ok || !same_events(whole, &r))
            printf("\n%s: differs with rows of %g of the run", of->name, parts[p]);
        CHECK(ok && same_events(whole, &r));
        rig_clear(&r);
    }
    free(state);
}

BOTH(rows_do_not_influence_a_run)
{
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        rig r;
        bool ok = open(&r, &subjects[i], method);
        CHECK(ok);
        if (ok)
            check_parts(&subjects[i], method, &r);
        rig_clear(&r);
    }
}

/* The end of the run is not in the model: then the caller says how long it will be. */
BOTH(nor_where_the_caller_says_how_long_it_is)
{
    const char *text = "model relax\nSe u = 3\nR r = 1\nC c = 1\nR leak : f = e^3/10\nX1 s\n"
                       "0 n\nu -> s -> n\ns -> r\nn -> c\nn -> leak\n"
                       "switch s on, off when e(n) > 3/2, on when e(n) < 1\n";
    jn_sim_options o = {.method = method, .span = 10};
    double x[2];
    for (int often = 0; often < 2; often++) {
        rig r;
        bool ok = rig_new(&r, text, &o);
        CHECK(ok);
        for (int k = 1; ok && k <= 1000; k++)
            if (often || k == 1000)
                rig_to(&r, 0.01 * k);
        x[often] = ok ? rig_state(&r, "c") : NAN;
        rig_clear(&r);
    }
    CHECK(same(&x[0], &x[1], 1));
}

void suite_sim_rows(void)
{
    TEST_SUITE("sim_rows");
    TEST_ADD(rows_do_not_influence_a_run);
    TEST_ADD(nor_where_the_caller_says_how_long_it_is);
}
