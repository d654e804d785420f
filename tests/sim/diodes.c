/* diodes.c: reading the diodes of a run, and their laws. */
#include "diodes.h"

#include "cases.h"

#include <math.h>

/* Of the largest current or voltage of any diode in the run. */
#define LAW 1e-8

static const jn_probe *probe(rig *r, char what, const char *name)
{
    char text[40];
    const jn_probe *p = NULL;
    snprintf(text, sizeof text, "%c(%s)", what, name);
    CHECK(jn_sim_probe_text(&p, r->sim, text, r->diags) == JN_OK);
    return p;
}

void diodes_begin(diode_record *x, rig *r)
{
    *x = (diode_record){.r = r};
    for (int k = 0; k < r->graph->nswitches && x->ndiodes < DIODE_MOST; k++)
        if (r->graph->automaton[k].given) {
            const char *name = r->graph->switch_name[k];
            x->diode[x->ndiodes++] = (diode){name, k, probe(r, 'f', name), probe(r, 'e', name)};
        }
}

static void read_row(diode_record *x)
{
    rig *r = x->r;
    int row = x->nrows++;
    x->row[row].t = jn_sim_time(r->sim);
    for (int k = 0; k < x->ndiodes; k++) {
        const diode *d = &x->diode[k];
        x->row[row].on[k] = jn_sim_mode(r->sim)[d->number];
        x->row[row].current[k] = jn_sim_value(r->sim, d->current);
        x->row[row].voltage[k] = jn_sim_value(r->sim, d->voltage);
    }
}

bool diodes_read(diode_record *x, double end)
{
    for (int k = 1; k <= DIODE_ROWS; k++) {
        if (rig_try(x->r, k == DIODE_ROWS ? end : end * k / DIODE_ROWS) != JN_STOP_NONE)
            return false;
        read_row(x);
    }
    return true;
}

static void find_largest(double *current, double *voltage, const diode_record *x)
{
    *current = *voltage = 1e-6;
    for (int i = 0; i < x->nrows; i++)
        for (int k = 0; k < x->ndiodes; k++) {
            *current = fmax(*current, fabs(x->row[i].current[k]));
            *voltage = fmax(*voltage, fabs(x->row[i].voltage[k]));
        }
}

/* The effort of a diode is counted backwards. */
bool diodes_hold(const diode_record *x)
{
    double current, voltage;
    find_largest(&current, &voltage, x);
    for (int i = 0; i < x->nrows; i++)
        for (int k = 0; k < x->ndiodes; k++) {
            double f = x->row[i].current[k], e = x->row[i].voltage[k];
            bool on = x->row[i].on[k];
            if (on ? f >= -LAW * current && fabs(e) <= LAW * voltage
                   : e >= -LAW * voltage && fabs(f) <= LAW * current)
                continue;
            printf("\n    t = %.6g: %s is %s with f = %.6g of %.3g, e = %.6g of %.3g", x->row[i].t,
                   x->diode[k].name, on ? "ON" : "OFF", f, current, e, voltage);
            return false;
        }
    return true;
}

bool diodes_balance(const rig *r)
{
    jn_ledger l = jn_sim_ledger(r->sim);
    double residue = l.supplied - l.stored - l.dissipated - l.lost;
    bool small = fabs(residue) <= 1e-8 * l.moved + 1e-12;
    if (!small)
        printf("\n    residue %.2e of %.2e moved", residue, l.moved);
    return small;
}
