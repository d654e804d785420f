/* test_sim_stiff.c: leaks, snubbers and wires that are hardly there, put into random circuits of diodes.
 *
 * They move values and times by parts of about 200/R, and no more. The reference is the circuit without them, which
 * is followed exactly. Where it blocks, a diode may conduct what a leak takes, and be told of; so not all events are
 * compared, but what conducts: shortly after every event of the reference, halfway to the next one, and shortly before
 * that. An event that comes too late or too early, that is missed, or that should not be, changes a current there.
 *
 * JUNCT_STIFF=N checks N circuits; JUNCT_STIFF=N,K the K-th alone, with its texts. */
#include "beside.h"
#include "circuits.h"

#include <math.h>

enum { CIRCUITS = 40, SECONDS = 10, MOST_READ = 600, MOST_CURRENTS = 40 };

typedef enum { KEEPS, STOPS, DIFFERS, OUTCOMES } outcome;

typedef struct {
    int nread, ncurrents;
    double t[MOST_READ], current[MOST_READ][MOST_CURRENTS], largest;
} readings;

typedef struct {
    const char *plain, *stiff;
    double end, part; /* of all values, that these may differ by */
    jn_method method;
} pair;

/* ---- reading ------------------------------------------------------------------------------- */

static bool start(rig *r, const char *text, double end, jn_method method)
{
    return rig_new(r, text, &(jn_sim_options){.span = end, .method = method});
}

static bool read_all(readings *x, rig *r)
{
    const jn_probe *probe[MOST_CURRENTS];
    x->ncurrents = r->graph->noutputs;
    for (int k = 0; k < x->ncurrents; k++)
        if (jn_sim_probe(&probe[k], r->sim, r->graph->output[k].expr) != JN_OK)
            return false;
    for (int i = 0; i < x->nread; i++) {
        if (rig_try(r, x->t[i]) != JN_STOP_NONE)
            return false;
        for (int k = 0; k < x->ncurrents; k++) {
            x->current[i][k] = jn_sim_value(r->sim, probe[k]);
            x->largest = fmax(x->largest, fabs(x->current[i][k]));
        }
    }
    return true;
}

/* Beside every event that lasts. */
static void choose_times(readings *x, const rig *r, double end, double beside)
{
    for (int i = 0; i < r->nevents; i++) {
        double from = r->event[i].t, to = i + 1 < r->nevents ? r->event[i + 1].t : end;
        if (to - from < 8 * beside || x->nread + 3 > MOST_READ)
            continue;
        x->t[x->nread++] = from + beside;
        x->t[x->nread++] = 0.5 * (from + to);
        x->t[x->nread++] = to - beside;
    }
}

static bool read_plain(readings *x, const pair *p)
{
    rig r;
    bool ok = start(&r, p->plain, p->end, JN_METHOD_EXACT) && rig_try(&r, p->end) == JN_STOP_NONE;
    if (ok)
        choose_times(x, &r, p->end, fmax(p->part, 1e-6) * p->end);
    rig_clear(&r);
    ok = ok && start(&r, p->plain, p->end, JN_METHOD_EXACT);
    ok = ok && read_all(x, &r);
    if (ok)
        rig_clear(&r);
    return ok;
}

/* ---- comparing ----------------------------------------------------------------------------- */

static outcome compare(const readings *a, const readings *b, const rig *r, double bound)
{
    for (int i = 0; i < a->nread; i++)
        for (int k = 0; k < a->ncurrents; k++) {
            double x = a->current[i][k], y = b->current[i][k];
            if (fabs(x - y) <= bound * a->largest)
                continue;
            printf("\n    %s at %.12g: %.12g, expected %.12g: off by %.1e of %.3g, bound %.1e",
                   r->graph->output[k].name, a->t[i], y, x, fabs(x - y), a->largest, bound);
            return DIFFERS;
        }
    return KEEPS;
}

/* Whether every event begins where the one before ended. */
static bool tells_all(const rig *r)
{
    for (int i = 1; i < r->nevents; i++)
        if (strcmp(r->event[i].from, r->event[i - 1].to) != 0)
            return false;
    return true;
}

static int check_pair(const void *context)
{
    static readings plain, stiff;
    const pair *p = context;
    rig r;
    outcome o = STOPS;
    if (!read_plain(&plain, p)) {
        printf("\n    the circuit itself cannot be followed");
        return STOPS;
    }
    stiff.nread = plain.nread;
    memcpy(stiff.t, plain.t, sizeof stiff.t);
    if (start(&r, p->stiff, p->end, p->method) && read_all(&stiff, &r))
        o = tells_all(&r) ? compare(&plain, &stiff, &r, 20 * p->part + 1e-7) : DIFFERS;
    else
        printf("\n    stopped at %.9g: %s", r.stop.t, r.message);
    rig_clear(&r);
    return (int)o;
}

static void show(const char *what, const circuit *c)
{
    printf("\n--- %s\n%s", what, jn_str_c(&c->text));
}

/* One circuit, and one of the things that are put into it; a child that crashes or never ends stops, too. */
static outcome check_variant(int k, circuit_variant v, bool shown)
{
    static const double sizes[] = {1e6, 1e9, 1e9, 1e12};
    static const char *const word[] = {"is kept", "stops", "differs"};
    test_rng r = test_rng_new((uint64_t)(700000 + k)), again = r;
    circuit plain, stiff;
    circuit_begin(&plain, &r, k % 5 < 2);
    circuit_begin(&stiff, &again, k % 5 < 2);
    double size = sizes[test_rng_int(&again, 0, v == WIRES ? 2 : 3)];
    double part = circuit_add(&stiff, v, size);
    circuit_end(&plain);
    circuit_end(&stiff);
    pair p = {jn_str_c(&plain.text), jn_str_c(&stiff.text), plain.end, part,
              test_rng_chance(&again, 50) ? JN_METHOD_RADAU : JN_METHOD_AUTO};
    int code = beside_outcome(check_pair, &p, SECONDS);
    outcome o = code >= 0 && code < OUTCOMES ? (outcome)code : STOPS;
    if (o != KEEPS)
        printf("\n  ^^ circuit %d with variant %d of %g, %s: %s", k, (int)v, size,
               p.method == JN_METHOD_RADAU ? "radau" : "auto", word[o]);
    if (shown) {
        show("plain", &plain);
        show("stiff", &stiff);
    }
    circuit_clear(&plain);
    circuit_clear(&stiff);
    return o;
}

static void what_is_hardly_there_changes_nothing(void)
{
    const char *asked = getenv("JUNCT_STIFF");
    int only = asked && strchr(asked, ',') ? atoi(strchr(asked, ',') + 1) : -1;
    int circuits = asked ? atoi(asked) : CIRCUITS, n[OUTCOMES] = {0};
    for (int k = 0; k < circuits; k++)
        for (int v = 0; v < CIRCUIT_VARIANTS; v++)
            if (only < 0 || k == only)
                n[check_variant(k, (circuit_variant)v, k == only)]++;
    if (n[STOPS] + n[DIFFERS])
        printf("\nof %d runs %d stop, %d differ\n", n[KEEPS] + n[STOPS] + n[DIFFERS], n[STOPS],
               n[DIFFERS]);
    CU_ASSERT_EQUAL(n[STOPS], 0);
    CU_ASSERT_EQUAL(n[DIFFERS], 0);
}

/* Where a diode lets a coil go and another one takes it at once, a leak between them has its current of the coil. */
static void a_circuit_that_stopped_runs_through(void)
{
    CU_ASSERT_EQUAL(check_variant(207, LEAKS_EVERYWHERE, false), KEEPS);
}

void suite_sim_stiff(void)
{
    TEST_SUITE("sim_stiff");
    TEST_ADD(what_is_hardly_there_changes_nothing);
    TEST_ADD(a_circuit_that_stopped_runs_through);
}
