/* steady_text.c: orbits as a text to be read. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "junct/graph.h"
#include "steady_internal.h"

void jni_steady_mode_digits(jn_str *out, const jn_steady *o, const jn_steady_mode *m)
{
    jn_mode_print(out, o->graph, m->mode);
}

bool jni_steady_efficiency(double *x, const jn_steady *o, int load)
{
    double given = 0, taken = NAN;
    for (int i = 0; i < o->npowers; i++) {
        if (i < o->graph->nsources)
            given += fmax(0, o->power[i].power);
        if (o->power[i].element == load)
            taken = o->power[i].power;
    }
    *x = given > 1e-13 * o->energy.moved / o->period ? taken / given : NAN;
    return load >= 0 && isfinite(*x);
}

/* ---- columns ------------------------------------------------------------------------------- */

static int width_of(const char *s)
{
    int n = 0;
    for (; *s; s++)
        n += (*s & 0xC0) != 0x80;
    return n;
}

static void cell(jn_str *out, const char *text, int width, bool right)
{
    int pad = width - width_of(text);
    if (right && width > 0 && pad < 1) /* columns stay apart */
        pad = 1;
    if (right)
        jn_str_fill(out, ' ', pad);
    jn_str_add(out, text);
    if (!right)
        jn_str_fill(out, ' ', pad);
}

/* What is below the rounding of something as large as `size` is nothing. */
static void number(jn_str *out, double x, double size, int width)
{
    char text[40];
    jn_format(text, sizeof text, "%.8g", fabs(x) < 1e-13 * size ? 0 : x);
    cell(out, isfinite(x) ? text : "-", width, true);
}

static void engineering(jn_str *out, double x, int width)
{
    jn_str t;
    jn_str_init(&t);
    jn_prefixed_print(&t, x, 6);
    cell(out, jn_str_c(&t), width, true);
    jn_str_clear(&t);
}

/* ---- parts --------------------------------------------------------------------------------- */

static void head(jn_str *out, const jn_steady *o)
{
    jn_str_addf(out, "%s: ", o->graph->name);
    if (o->is_free)
        jn_str_add(out, "oscillates by itself");
    else if (o->times > 1)
        jn_str_addf(out, "periodic orbit of %d periods of the clock", o->times);
    else
        jn_str_add(out, "periodic orbit");
    jn_str_add(out, ", period ");
    jn_prefixed_print(out, o->period, 10);
    jn_str_addf(out, " (frequency ");
    jn_prefixed_print(out, 1 / o->period, 7);
    jn_str_addf(out, ")\n%s; one period closes to %.1e of the states, after %d step%s of Newton\n",
                o->is_exact ? "followed exactly" : "integrated", o->residue, o->newton_steps,
                o->newton_steps == 1 ? "" : "s");
    if (o->offset > 0) {
        jn_str_add(out, "times and phases count from t = ");
        jn_prefixed_print(out, o->offset, 10);
        jn_str_add(out, ", where this orbit begins, not from t = 0\n");
    }
    if (o->message)
        jn_str_addf(out, "%s\n", o->message);
}

/* ---- modes --------------------------------------------------------------------------------- */

enum {
    MODES_MAX = 40,  /* one after the other; beyond that only */
    MODES_FIRST = 6, /* these, and the modes by the time they take, */
    SORTS_MAX = 20,  /* of which so many */
    MULTIPLIERS_MAX = 40,
    SORTS_KNOWN = 2000 /* among the first of those that come up */
};

static void mode_cell(jn_str *out, const jn_steady *o, const jn_steady_mode *m, int width)
{
    jn_str t;
    jn_str_init(&t);
    jni_steady_mode_digits(&t, o, m);
    jn_str_add(out, "  ");
    cell(out, jn_str_c(&t), width, false);
    jn_str_clear(&t);
}

static void modes_in_turn(jn_str *out, const jn_steady *o, int n, int width)
{
    jn_str_add(out, "\n  ");
    cell(out, "mode", width, false);
    jn_str_add(out, "        from          to       lasts\n");
    for (int i = 0; i < n; i++) {
        const jn_steady_mode *m = &o->mode[i];
        mode_cell(out, o, m, width);
        engineering(out, m->from, 12);
        engineering(out, m->to, 12);
        engineering(out, m->to - m->from, 12);
        jn_str_addf(out, "  %5.1f %%%s\n", 100 * (m->to - m->from) / o->period,
                    m->slides ? "  slides" : "");
    }
}

/* All times of one mode in one period; those that slide apart from those that do not. */
typedef struct {
    const jn_steady_mode *m;
    int first, times;
    double lasts;
} sort_of_mode;

static int by_mode(const void *a, const void *b, size_t n)
{
    const sort_of_mode *x = a, *y = b;
    int order = memcmp(x->m->mode, y->m->mode, n);
    return order ? order : x->m->slides - y->m->slides;
}

static int by_time(const void *a, const void *b)
{
    const sort_of_mode *x = a, *y = b;
    return x->lasts != y->lasts ? (x->lasts < y->lasts ? 1 : -1) : x->first - y->first;
}

static int gather_modes(sort_of_mode *sort, const jn_steady *o)
{
    int n = 0;
    size_t width = (size_t)o->graph->nswitches * sizeof *o->mode[0].mode;
    for (int i = 0; i < o->nmodes; i++) {
        sort_of_mode x = {&o->mode[i], i, 0, 0};
        int k = 0;
        while (k < n && by_mode(&sort[k], &x, width) != 0)
            k++;
        if (k == n && n == SORTS_KNOWN)
            continue;
        if (k == n)
            sort[n++] = x;
        sort[k].times++;
        sort[k].lasts += x.m->to - x.m->from;
    }
    qsort(sort, (size_t)n, sizeof *sort, by_time);
    return n;
}

static void modes_by_time(jn_str *out, const jn_steady *o, int width)
{
    sort_of_mode *sort = jn_alloc((size_t)o->nmodes * sizeof *sort);
    int n = gather_modes(sort, o);
    jn_str_addf(out, "  … and %d more (--json has all); in one period:\n\n  ",
                o->nmodes - MODES_FIRST);
    cell(out, "mode", width, false);
    jn_str_add(out, "       times      in all     on average\n");
    for (int i = 0; i < n && i < SORTS_MAX; i++) {
        mode_cell(out, o, sort[i].m, width);
        jn_str_addf(out, "%12d", sort[i].times);
        engineering(out, sort[i].lasts, 12);
        engineering(out, sort[i].lasts / sort[i].times, 15);
        jn_str_addf(out, "  %5.1f %%%s\n", 100 * sort[i].lasts / o->period,
                    sort[i].m->slides ? "  slides" : "");
    }
    if (n > SORTS_MAX)
        jn_str_addf(out, "  … and %s%d others\n", n == SORTS_KNOWN ? "at least " : "",
                    n - SORTS_MAX);
    free(sort);
}

static void modes(jn_str *out, const jn_steady *o)
{
    int width = 4;
    bool many = o->nmodes > MODES_MAX;
    if (!o->graph->nswitches && o->nmodes == 1 && !o->mode[0].slides)
        return;
    for (int i = 0; i < o->nmodes; i++) {
        jn_str t;
        jn_str_init(&t);
        jni_steady_mode_digits(&t, o, &o->mode[i]);
        width = width_of(jn_str_c(&t)) > width ? width_of(jn_str_c(&t)) : width;
        jn_str_clear(&t);
    }
    modes_in_turn(out, o, many ? MODES_FIRST : o->nmodes, width);
    if (many)
        modes_by_time(out, o, width);
    if (!o->graph->nswitches)
        return;
    jn_str_add(out, "  switches:");
    for (int i = 0; i < o->graph->nswitches; i++)
        jn_str_addf(out, " %s", o->graph->switch_name[i]);
    jn_str_addc(out, '\n');
}

static void start(jn_str *out, const jn_steady *o)
{
    const jn_graph *g = o->graph;
    jn_str_add(out, "\nstart\n");
    for (int i = 0; i < o->nstates; i++) {
        const jn_element *x = &g->element[g->storage[i]];
        jn_str_addf(out, "  %c(%s) = %.15g\n", x->kind == JN_I ? 'p' : 'q', x->name, o->start[i]);
    }
    for (int i = 0; i < o->nintegrals; i++)
        jn_str_addf(out, "  integral %d = %.15g\n", i + 1, o->integral[i]);
    for (int i = 0; i < o->ndiscretes; i++)
        jn_str_addf(out, "  %s = %.15g\n", g->discrete[i].name, o->discrete[i]);
}

/* The size of a multiplier; near 1 it is the difference that tells. */
static void put_size(jn_str *out, double size)
{
    double apart = size - 1;
    if (apart != 0 && fabs(apart) < 1e-4)
        jn_str_addf(out, "1 %c %.2g", apart < 0 ? '-' : '+', fabs(apart));
    else
        jn_str_addf(out, "%.6g", size);
}

static void put_shrinking(jn_str *out, double size)
{
    if (size > 0.999)
        jn_str_addf(out, ": in the long run a deviation loses %.2g of itself in each period",
                    1 - size);
    else
        jn_str_addf(out, ": in the long run a deviation shrinks to %.4g of itself in each period",
                    size);
}

static void verdict(jn_str *out, const jn_steady *o)
{
    static const char *const say[] = {
        "stable",
        "unstable (fold): a multiplier beyond +1; neighbours leave on one side",
        "unstable (flip): a multiplier beyond -1; neighbours alternate: look for twice the period",
        "unstable (Neimark-Sacker): a pair beyond the unit circle; neighbours turn around it",
        "neutral: a multiplier on the unit circle; some neighbours neither come nor go",
        "not known whether it is stable: its multipliers were not found",
    };
    bool is_vague = o->verdict == JN_ORBIT_UNKNOWN && o->nmultipliers;
    jn_str_addf(out, "%s",
                is_vague
                    ? "not known whether it is stable: its multipliers are not known well enough"
                    : say[o->verdict]);
    if (o->verdict == JN_ORBIT_STABLE && o->nmultipliers) {
        double size = hypot(o->multiplier[0].re, o->multiplier[0].im);
        if (size > fmax(1e-12, o->multiplier_error))
            put_shrinking(out, size);
        else
            jn_str_add(out, ": a deviation is gone after one period");
    }
    jn_str_addc(out, '\n');
}

static void multipliers(jn_str *out, const jn_steady *o)
{
    jn_str_addf(out, "\nmultipliers%s\n", o->is_free ? " (and 1, along the orbit)" : "");
    int n = o->nmultipliers > MULTIPLIERS_MAX ? MULTIPLIERS_MAX / 2 : o->nmultipliers;
    int i = 0;
    for (; i < n; i++) {
        const jn_complex *x = &o->multiplier[i];
        double size = hypot(x->re, x->im);
        if (size < fmax(1e-13, o->multiplier_error))
            jn_str_add(out, "  0\n");
        else if (fabs(x->im) <= 1e-14 * size)
            jn_str_addf(out, "  %.12g\n", x->re);
        else if (x->im > 0 && i + 1 < o->nmultipliers) { /* its mate goes with it */
            jn_str_addf(out, "  %.12g +- %.12gj   (size ", x->re, x->im);
            put_size(out, size);
            jn_str_add(out, ")\n");
            i++;
        } else {
            jn_str_addf(out, "  %.12g %+.12gj   (size ", x->re, x->im);
            put_size(out, size);
            jn_str_add(out, ")\n");
        }
    }
    if (i < o->nmultipliers)
        jn_str_addf(out, "  … and %d that are no larger (--json has all)\n", o->nmultipliers - i);
    if (o->multiplier_error > 0)
        jn_str_addf(out, "  (by differences of the run: known to about %.1e)\n",
                    o->multiplier_error);
    verdict(out, o);
}

static int name_width(const jn_steady *o)
{
    int width = 6;
    for (int i = 0; i < o->nvalues; i++) {
        int unit = o->value[i].unit ? width_of(o->value[i].unit) + 3 : 0;
        width = fmax(width, width_of(o->value[i].name) + unit);
    }
    return width;
}

static void value_name(jn_str *out, const jn_steady_value *v, int width)
{
    jn_str t;
    jn_str_init(&t);
    jn_str_addf(&t, v->unit ? "%s [%s]" : "%s", v->name, v->unit);
    cell(out, jn_str_c(&t), width, false);
    jn_str_clear(&t);
}

static double size_of(const jn_steady_value *v)
{
    return fmax(fabs(v->min), fabs(v->max));
}

static void values(jn_str *out, const jn_steady *o)
{
    static const char *const title[] = {"mean", "rms", "min", "max", "ripple"};
    int width = name_width(o);
    if (!o->nvalues)
        return;
    jn_str_add(out, "\n  ");
    cell(out, "output", width, false);
    for (int k = 0; k < 5; k++)
        cell(out, title[k], 14, true);
    jn_str_add(out, "\n");
    for (int i = 0; i < o->nvalues; i++) {
        const jn_steady_value *v = &o->value[i];
        const double each[] = {v->mean, v->rms, v->min, v->max, v->max - v->min};
        jn_str_add(out, "  ");
        value_name(out, v, width);
        for (int k = 0; k < 5; k++)
            number(out, each[k], size_of(v), 14);
        jn_str_addc(out, '\n');
    }
}

static void harmonics(jn_str *out, const jn_steady *o)
{
    enum { SHOWN = 5 };
    int width = name_width(o), n = o->nharmonics < SHOWN ? o->nharmonics : SHOWN;
    if (!o->nvalues)
        return;
    jn_str_add(out, "\n  ");
    cell(out, "amplitude", width, false);
    for (int h = 1; h <= n; h++)
        jn_str_addf(out, "%13s%d", "h", h);
    jn_str_add(out, "           THD\n");
    for (int i = 0; i < o->nvalues; i++) {
        jn_str_add(out, "  ");
        value_name(out, &o->value[i], width);
        for (int h = 0; h < n; h++)
            number(out, o->value[i].amplitude[h], size_of(&o->value[i]), 14);
        if (isfinite(o->value[i].thd))
            jn_str_addf(out, "%12.4g %%", 100 * o->value[i].thd);
        else
            jn_str_addf(out, "%14s", "-");
        jn_str_addc(out, '\n');
    }
}

static void energy(jn_str *out, const jn_steady *o, const jn_steady_style *s)
{
    const jn_graph *g = o->graph;
    double efficiency, moved = o->energy.moved / o->period;
    const double each[] = {o->energy.supplied, o->energy.dissipated, o->energy.lost};
    static const char *const say[] = {"supplied ", " = dissipated ", " + lost in jumps "};
    jn_str_add(out, "\nenergy of one period: ");
    for (int i = 0; i < 3; i++) {
        jn_str_add(out, say[i]);
        number(out, each[i], o->energy.moved, 0);
    }
    jn_str_add(out, "\nmean power\n");
    for (int i = 0; i < o->npowers; i++) {
        const jn_element *e = &g->element[o->power[i].element];
        double power = o->power[i].power;
        bool gives = (i < g->nsources) == (power >= 0);
        jn_str_addf(out, "  %-12s %s ", e->name, gives ? "gives" : "takes");
        number(out, fabs(power), moved, 14);
        jn_str_add(out, e->domain == JN_DOMAIN_THERMAL ? "  temperature times heat flow, no power\n"
                                                       : "\n");
    }
    if (jni_steady_efficiency(&efficiency, o, s->load))
        jn_str_addf(out, "  efficiency, with %s as the load: %.6g %%\n", g->element[s->load].name,
                    100 * efficiency);
    else if (s->load >= 0)
        jn_str_addf(out, "  efficiency, with %s as the load: none, because no source gives power\n",
                    g->element[s->load].name);
}

void jni_write_steady_text(jn_str *out, const jn_steady *o, const jn_steady_style *s)
{
    if (o->status != JN_STEADY_FOUND)
        return;
    head(out, o);
    modes(out, o);
    start(out, o);
    multipliers(out, o);
    values(out, o);
    harmonics(out, o);
    energy(out, o, s);
}
