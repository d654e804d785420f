/* steady_plot.c: an orbit over one or more of its periods. */
#include <stdlib.h>

#include "junct/graph.h"
#include "junct/plot.h"
#include "steady_internal.h"

typedef struct {
    int npoints;
    double *t, *value; /* value: one trace after the other */
    const double **trace;
    const char **name, **unit;
    jn_mode_band *band;
    int nbands;
    jn_str *mode;
} picture;

static void add_points(picture *p, const jn_steady *o, int periods)
{
    int points = 0, at = 0;
    for (int i = 0; i < o->npieces; i++)
        points += o->piece[i].n;
    p->npoints = points * periods;
    p->t = jn_alloc((size_t)p->npoints * sizeof *p->t);
    p->value = jn_alloc((size_t)(p->npoints * o->nvalues) * sizeof *p->value);
    for (int k = 0; k < periods; k++)
        for (int i = 0; i < o->npieces; i++)
            for (int n = 0; n < o->piece[i].n; n++, at++) {
                p->t[at] = o->piece[i].t[n] + k * o->period;
                for (int v = 0; v < o->nvalues; v++)
                    p->value[v * p->npoints + at] = o->piece[i].value[n * o->nvalues + v];
            }
}

static void add_modes(picture *p, const jn_steady *o, int periods)
{
    if (!o->graph->nswitches)
        return;
    p->nbands = o->nmodes * periods;
    p->band = jn_alloc((size_t)p->nbands * sizeof *p->band);
    p->mode = jn_alloc((size_t)o->nmodes * sizeof *p->mode);
    for (int i = 0; i < o->nmodes; i++) {
        jn_str_init(&p->mode[i]);
        jni_steady_mode_digits(&p->mode[i], o, &o->mode[i]);
    }
    for (int i = 0; i < p->nbands; i++)
        p->band[i] = (jn_mode_band){o->mode[i % o->nmodes].from + i / o->nmodes * o->period,
                                    jn_str_c(&p->mode[i % o->nmodes])};
}

void jn_plot_steady(jn_str *svg, const jn_steady *o, int periods)
{
    picture p = {0};
    add_points(&p, o, periods);
    add_modes(&p, o, periods);
    p.trace = jn_alloc((size_t)o->nvalues * sizeof *p.trace);
    p.name = jn_alloc((size_t)o->nvalues * sizeof *p.name);
    p.unit = jn_alloc((size_t)o->nvalues * sizeof *p.unit);
    for (int i = 0; i < o->nvalues; i++) {
        p.trace[i] = p.value + i * p.npoints;
        p.name[i] = o->value[i].name;
        p.unit[i] = o->value[i].unit;
    }
    jn_plot_svg(svg,
                &(jn_plot){.title = o->graph->title ? o->graph->title : o->graph->name,
                           .npoints = p.npoints,
                           .t = p.t,
                           .ntraces = o->nvalues,
                           .name = p.name,
                           .unit = p.unit,
                           .value = p.trace,
                           .nbands = p.nbands,
                           .band = p.band,
                           .nswitches = o->graph->nswitches < JN_PLOT_ROWS ? o->graph->nswitches
                                                                           : JN_PLOT_ROWS,
                           .switch_name = o->graph->switch_name,
                           .changes = p.nbands});
    for (int i = 0; p.mode && i < o->nmodes; i++)
        jn_str_clear(&p.mode[i]);
    free(p.t);
    free(p.value);
    free(p.trace);
    free(p.name);
    free(p.unit);
    free(p.band);
    free(p.mode);
}
