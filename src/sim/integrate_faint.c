/* integrate_faint.c: laws whose slope fades, as that of a diode that blocks.
 *
 * f = Is·(exp(e/0.026) − 1) has no slope that a double could hold from e = −1 on: beside Is the exponential is
 * rounding. Where all diodes of a bridge block, nothing determines then how they share the voltage, nor does
 * Newton's method find a way. So a little is added to such a law,
 *
 *     f = L(e) + δ·e,
 *
 * where δ·e is about the rounding of the flows there are. It is the limit of equal small conductances, as across
 * switches that are open: the voltage is shared evenly. */
#include <math.h>

#include "integrate.h"

static double size_of(const integrate *n, int obs)
{
    return fmax(n->size.largest[obs], n->size.beside[obs]);
}

bool jni_faint_widen(integrate *n)
{
    const model *k = &n->s->model;
    bool any = false;
    for (int r = 0; r < k->nr; r++) {
        int own = jni_law_reads(&k->g->element[k->g->resistor[r]]);
        /* a voltage that has hardly begun is no measure: by what it comes to, it would make of δ a law of its own */
        double given = size_of(n, own ^ 1), size = fmax(size_of(n, own), 1);
        double slope = FAINT_PART * fmax(given, k->faint[r]) / size;
        if (!(k->faint[r] > 0 && slope > FAINT_GROWS * n->faint[r] && isfinite(slope)))
            continue;
        n->faint[r] = slope;
        any = true;
    }
    return any;
}

void jni_faint_find(integrate *n, const mode *m)
{
    const model *k = &n->s->model;
    for (int r = 0; r < k->nr; r++) {
        int element = k->g->resistor[r];
        bool is_own = m->solved->gives_effort[element] == (k->g->element[element].law_of == 'e');
        n->is_of_others[n->k.first_r + r] = k->faint[r] > 0 && is_own;
    }
}
