/* circuits.c: nodes, branches between them, and switches.
 *
 * A branch is a 1-junction with elements in series. Node 0 is the ground. Of a dual circuit all that is written here is read
 * with efforts for flows: nodes become bodies, switches contacts and ratchets between them, coils springs, a leak a
 * damper that hardly drags. */
#include "circuits.h"

#include <math.h>
#include <stdarg.h>

static int pick(circuit *c, int n)
{
    return test_rng_int(c->rng, 0, n - 1);
}

/* As many between 1 and 2 as between 10 and 20. */
static double between(circuit *c, double lo, double hi)
{
    return lo * pow(hi / lo, pick(c, 1001) / 1000.0);
}

static int node(circuit *c)
{
    jn_str_addf(&c->text, "%c n%d\n", c->is_dual ? '1' : '0', c->nnodes);
    return c->nnodes++;
}

static void branch(circuit *c, int from, int to)
{
    int k = c->nbranches++;
    jn_str_addf(&c->text, "%c b%d\nn%d -> b%d -> n%d\n", c->is_dual ? '0' : '1', k, from, k, to);
}

/* One of the last branch, of a kind 'R', 'I' or 'C'. */
static void put_element(circuit *c, char kind, const char *name, int number, const char *at,
                        double value)
{
    char dual = kind == 'I' ? 'C' : kind == 'C' ? 'I' : 'R';
    jn_str_addf(&c->text, "%c %s%d = %.4g\n%s -> %s%d\n", c->is_dual ? dual : kind, name, number,
                c->is_dual && kind == 'R' ? 1 / value : value, at, name, number);
}

static void put(circuit *c, char kind, double value)
{
    char at[20], name[] = {(char)(kind | ' '), '_', 0};
    snprintf(at, sizeof at, "b%d", c->nbranches - 1);
    put_element(c, kind, name, c->nbranches - 1, at, value);
}

static void put_source(circuit *c, const char *format, ...)
{
    va_list args;
    int k = c->nbranches - 1;
    jn_str_addf(&c->text, "%s v%d = ", c->is_dual ? "Sf" : "Se", k);
    va_start(args, format);
    jn_str_vaddf(&c->text, format, args);
    va_end(args);
    jn_str_addf(&c->text, "\nv%d -> b%d\n", k, k);
}

static void put_switch(circuit *c, int from, int to, const char *law)
{
    int k = c->nswitches++;
    jn_str_addf(&c->text, "%s s%d\nn%d -> s%d -> n%d\nswitch s%d %s\n", c->is_dual ? "X0" : "X1", k,
                from, k, to, k, law);
    c->switched[k][0] = from;
    c->switched[k][1] = to;
}

/* ---- loads and lines ----------------------------------------------------------------------- */

static void put_filter(circuit *c, int from, int to)
{
    int middle = node(c);
    branch(c, from, middle);
    put(c, 'I', between(c, 1e-3, 5e-2));
    branch(c, middle, to);
    put(c, 'C', between(c, 1e-4, 3e-3));
    branch(c, middle, to);
    put(c, 'R', between(c, 5, 100));
}

static void put_load(circuit *c, int from, int to, bool takes_steps)
{
    enum { RESISTANCE, COIL, FILTER, CAPACITOR };
    int kind = pick(c, takes_steps ? 4 : 3);
    if (kind == FILTER) {
        put_filter(c, from, to);
        return;
    }
    branch(c, from, to);
    put(c, 'R', between(c, 2, 50));
    if (kind == COIL)
        put(c, 'I', between(c, 5e-3, 0.2));
    if (kind == CAPACITOR) {
        branch(c, from, to);
        put(c, 'C', between(c, 1e-4, 3e-3));
    }
}

/* Phases from a star point, of one frequency: the nodes at their ends. True: they have coils. */
static bool put_phases(circuit *c, int star, int *ends, int n, bool has_resistors)
{
    double U = between(c, 50, 400), L = between(c, 1e-4, 5e-3);
    int F = pick(c, 2) ? 50 : 60, with = pick(c, 4);
    bool has_coils = with & 1;
    for (int k = 0; k < n; k++) {
        ends[k] = node(c);
        branch(c, star, ends[k]);
        put_source(c, "%.4g*sin(2*pi*%d*t + 0.3 - %d*2*pi/3)", U, F, k);
        if (has_coils)
            put(c, 'I', L);
        if (with & 2 || has_resistors)
            put(c, 'R', between(c, 0.05, 1));
    }
    return has_coils;
}

/* ---- circuits ------------------------------------------------------------------------------ */

/* n phases on n pairs of diodes; one phase: its other end has the second pair. */
static void put_bridge(circuit *c, int n)
{
    int ends[3], star = node(c), plus = node(c);
    bool smooth = put_phases(c, star, ends, n, false);
    if (n == 1)
        ends[n++] = star;
    for (int k = 0; k < n; k++) {
        put_switch(c, ends[k], plus, "diode");
        put_switch(c, 0, ends[k], "diode");
    }
    put_load(c, plus, 0, smooth);
}

static void put_half_wave(circuit *c)
{
    int end, plus;
    bool smooth = put_phases(c, 0, &end, 1, false);
    plus = node(c);
    put_switch(c, end, plus, "diode");
    if (pick(c, 2))
        put_switch(c, 0, plus, "diode");
    put_load(c, plus, 0, smooth);
}

static void put_doubler(circuit *c)
{
    int star = node(c), end, plus = node(c);
    put_phases(c, star, &end, 1, true);
    put_switch(c, end, plus, "diode");
    put_switch(c, 0, end, "diode");
    branch(c, plus, star);
    put(c, 'C', between(c, 1e-4, 1e-3));
    branch(c, star, 0);
    put(c, 'C', between(c, 1e-4, 1e-3));
    branch(c, plus, 0);
    put(c, 'R', between(c, 50, 500));
}

/* Cut off at a voltage each way. */
static void put_clamp(circuit *c)
{
    int end, high = node(c), low = node(c);
    put_phases(c, 0, &end, 1, true);
    branch(c, 0, high);
    put_source(c, "%.4g", between(c, 5, 100));
    branch(c, low, 0);
    put_source(c, "%.4g", between(c, 5, 100));
    put_switch(c, end, high, "diode");
    put_switch(c, low, end, "diode");
    branch(c, end, 0);
    put(c, 'R', between(c, 20, 200));
}

static void put_converter(circuit *c, bool rises)
{
    char law[60];
    int in = node(c), middle = node(c), out = node(c);
    snprintf(law, sizeof law, "pwm(1/10000, %.3g)", between(c, 0.2, 0.8));
    c->end = 2e-3;
    branch(c, 0, in);
    put_source(c, "%.4g", between(c, 10, 100));
    if (rises) {
        put_switch(c, middle, 0, law);
        put_switch(c, middle, out, "diode");
        branch(c, in, middle);
    } else {
        put_switch(c, in, middle, law);
        put_switch(c, 0, middle, "diode");
        branch(c, middle, out);
    }
    put(c, 'I', between(c, 2e-5, 1e-3));
    branch(c, out, 0);
    put(c, 'C', between(c, 5e-6, 3e-4));
    branch(c, out, 0);
    put(c, 'R', between(c, 2, 200));
}

void circuit_begin(circuit *c, test_rng *r, bool is_dual)
{
    *c = (circuit){.rng = r, .nnodes = 1, .end = 0.05, .is_dual = is_dual};
    jn_str_init(&c->text);
    jn_str_addf(&c->text, "model circuit\n%s G = 0\n%c n0\nG -> n0\n", c->is_dual ? "Sf" : "Se",
                c->is_dual ? '1' : '0');
    switch (pick(c, 8)) {
    case 0:
        put_half_wave(c);
        break;
    case 1:
        put_doubler(c);
        break;
    case 2:
        put_clamp(c);
        break;
    case 3:
        put_converter(c, true);
        break;
    case 4:
        put_converter(c, false);
        break;
    case 5:
        put_bridge(c, 1);
        break;
    default:
        put_bridge(c, 3);
    }
}

/* ---- what is hardly there ------------------------------------------------------------------ */

static void put_leak(circuit *c, int at, double R, bool is_law)
{
    int k = c->added++;
    char node[20];
    snprintf(node, sizeof node, "n%d", at);
    if (is_law)
        jn_str_addf(&c->text, "R k%d : %s/%g\n%s -> k%d\n", k, c->is_dual ? "e = f" : "f = e", R,
                    node, k);
    else
        put_element(c, 'R', "k", k, node, R);
}

static void put_across(circuit *c, const int nodes[2], double R, double C)
{
    int k = c->added++;
    char at[20];
    snprintf(at, sizeof at, "x%d", k);
    jn_str_addf(&c->text, "%c %s\nn%d -> %s -> n%d\n", c->is_dual ? '0' : '1', at, nodes[0], at,
                nodes[1]);
    put_element(c, 'R', "k", k, at, R);
    if (C > 0)
        put_element(c, 'C', "q", k, at, C);
}

static void put_wires(circuit *c, double R)
{
    for (int k = 0; k < c->nbranches; k++) {
        char at[20];
        snprintf(at, sizeof at, "b%d", k);
        put_element(c, 'R', "k", k, at, R);
    }
}

double circuit_add(circuit *c, circuit_variant v, double size)
{
    double least = size;
    for (int n = 0; n < c->nnodes && v <= LEAKS_AS_LAWS; n++) {
        double R = v == LEAKS_OF_ALL_SIZES ? size * pow(10, pick(c, 3)) : size;
        if (v != LEAKS_HERE_AND_THERE || pick(c, 2))
            put_leak(c, n, R, v == LEAKS_AS_LAWS);
    }
    for (int k = 0; k < c->nswitches && (v == LEAKS_ACROSS || v == SNUBBERS); k++)
        put_across(c, c->switched[k], size, v == SNUBBERS ? pow(10, -6 - 3 * pick(c, 3)) : 0);
    if (v == WIRES)
        put_wires(c, 1 / size);
    return 200 / least;
}

void circuit_end(circuit *c)
{
    for (int k = 0; k < c->nbranches; k++)
        jn_str_addf(&c->text, "output j%d = %c(b%d)\n", k, c->is_dual ? 'e' : 'f', k);
}

void circuit_clear(circuit *c)
{
    jn_str_clear(&c->text);
}
