/* test_sim_diodes.c: networks of ideal diodes, against their laws and against solutions by hand.
 *
 * A diode that is ON carries no current backwards, one that is OFF has no voltage forwards: in every row,
 * whatever the events were that led there. A passive network has one solution that satisfies these laws, so
 * that an event that was missed, or one that should not be, breaks a law in some row, or the energies do not
 * add up. Random networks are checked so.
 *
 * JUNCT_DIODES=N checks N of them; JUNCT_DIODES=N,K the K-th alone, with its text. */
#include "beside.h"
#include "cases.h"
#include "networks.h"

#include <math.h>

enum { MODELS = 300, SECONDS = 10, DIODES = 12, ROWS = 200, STOPS_PER_MILLE = 10 };

#define END 20.0

/* ---- laws ---------------------------------------------------------------------------------- */

/* What is read of a run: current and voltage of every diode, in every row. */
typedef struct {
    rig *r;
    int ndiodes, nrows;
    const jn_probe *current_of[DIODES], *voltage_of[DIODES];
    struct {
        double t;
        double current[DIODES], voltage[DIODES];
        bool on[DIODES];
    } row[ROWS];
} record;

static const jn_probe *probe(rig *r, char what, const char *diode)
{
    char text[40];
    const jn_probe *p = NULL;
    snprintf(text, sizeof text, "%c(%s)", what, diode);
    CHECK(jn_sim_probe_text(&p, r->sim, text, r->diags) == JN_OK);
    return p;
}

static void begin(record *x, rig *r)
{
    *x = (record){.r = r, .ndiodes = r->graph->nswitches};
    for (int k = 0; k < x->ndiodes; k++) {
        x->current_of[k] = probe(r, 'f', r->graph->switch_name[k]);
        x->voltage_of[k] = probe(r, 'e', r->graph->switch_name[k]);
    }
}

static void read_row(record *x)
{
    rig *r = x->r;
    int row = x->nrows++;
    x->row[row].t = jn_sim_time(r->sim);
    for (int k = 0; k < x->ndiodes; k++) {
        x->row[row].on[k] = jn_sim_mode(r->sim)[k];
        x->row[row].current[k] = jn_sim_value(r->sim, x->current_of[k]);
        x->row[row].voltage[k] = jn_sim_value(r->sim, x->voltage_of[k]);
    }
}

/* Whether the run gets to the end, read at rows on the way. */
static bool read_rows(record *x, double end)
{
    for (int k = 1; k <= ROWS; k++) {
        if (rig_try(x->r, k == ROWS ? end : end * k / ROWS) != JN_STOP_NONE)
            return false;
        read_row(x);
    }
    return true;
}

static void find_largest(double *current, double *voltage, const record *x)
{
    *current = *voltage = 1e-6;
    for (int i = 0; i < x->nrows; i++)
        for (int k = 0; k < x->ndiodes; k++) {
            *current = fmax(*current, fabs(x->row[i].current[k]));
            *voltage = fmax(*voltage, fabs(x->row[i].voltage[k]));
        }
}

/* The effort of a diode is counted backwards. */
static bool laws_hold(const record *x)
{
    double current, voltage;
    find_largest(&current, &voltage, x);
    for (int i = 0; i < x->nrows; i++)
        for (int k = 0; k < x->ndiodes; k++) {
            double f = x->row[i].current[k], e = x->row[i].voltage[k];
            bool on = x->row[i].on[k];
            if (on ? f >= -1e-6 * current && fabs(e) <= 1e-6 * voltage
                   : e >= -1e-6 * voltage && fabs(f) <= 1e-6 * current)
                continue;
            printf("\n    t = %.6g: %s is %s with f = %.6g of %.3g, e = %.6g of %.3g", x->row[i].t,
                   x->r->graph->switch_name[k], on ? "ON" : "OFF", f, current, e, voltage);
            return false;
        }
    return true;
}

static bool energies_add_up(const rig *r)
{
    jn_ledger l = jn_sim_ledger(r->sim);
    double residue = l.supplied - l.stored - l.dissipated - l.lost;
    bool small = fabs(residue) <= 1e-8 * l.moved + 1e-12;
    if (!small)
        printf("\n    residue %.2e of %.2e moved", residue, l.moved);
    return small;
}

/* ---- random networks ----------------------------------------------------------------------- */

typedef enum { HOLDS, STOPS, BROKEN } outcome;

static outcome follow(rig *r)
{
    static record x;
    begin(&x, r);
    if (!read_rows(&x, END)) {
        printf("\n    stopped at %.9g: %s", r->stop.t, r->message);
        return STOPS;
    }
    bool laws = laws_hold(&x), energies = energies_add_up(r);
    return laws && energies ? HOLDS : BROKEN;
}

static void show_refusal(const rig *r)
{
    for (int i = 0; i < jn_diags_count(r->diags); i++)
        if (jn_diags_get(r->diags, i)->severity == JN_ERROR)
            printf("\n    refused: %s", jn_diags_get(r->diags, i)->message);
}

static int check_network(const void *text)
{
    rig r;
    outcome o = STOPS;
    if (rig_new(&r, text, &(jn_sim_options){.span = END}))
        o = follow(&r);
    else
        show_refusal(&r);
    rig_clear(&r);
    return o;
}

static int check_model(int k, bool shown)
{
    test_rng r = test_rng_new((uint64_t)(900000 + k));
    jn_str text;
    jn_str_init(&text);
    network_write(&text, &r);
    int o = beside_outcome(check_network, jn_str_c(&text), SECONDS);
    if (o != HOLDS)
        printf("\n  ^^ model %d %s", k, o == STOPS ? "stops" : "is wrong");
    if (shown || (o != HOLDS && o != STOPS))
        printf("\n%s", jn_str_c(&text));
    jn_str_clear(&text);
    return o;
}

static void laws_hold_in_random_networks(void)
{
    const char *asked = getenv("JUNCT_DIODES");
    int only = asked && strchr(asked, ',') ? atoi(strchr(asked, ',') + 1) : -1;
    int models = asked ? atoi(asked) : MODELS, wrong = 0, stops = 0;
    for (int k = 0; k < models; k++)
        if (only < 0 || k == only) {
            int o = check_model(k, k == only);
            stops += o == STOPS;
            wrong += o != HOLDS && o != STOPS;
        }
    if (wrong || stops)
        printf("\n%d of %d models are wrong, %d stop\n", wrong, models, stops);
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(1000 * stops <= models * STOPS_PER_MILLE + 999);
}

void suite_sim_diodes(void)
{
    TEST_SUITE("sim_diodes");
    TEST_ADD(laws_hold_in_random_networks);
}
