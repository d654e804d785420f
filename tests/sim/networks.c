/* networks.c: choosing branches, and shuffling what they are written with. */
#include "networks.h"

#include <math.h>
#include <stdarg.h>

enum { LINES = 100, LENGTH = 400, NODES = 6 };

static const char *const node[NODES] = {"g", "n1", "n2", "n3", "n4", "n5"};

typedef enum { RESISTOR, INDUCTOR, CAPACITOR, SOURCE, COIL_SOURCE, DIODE, KINDS } branch_kind;

typedef struct {
    test_rng *rng;
    int nlines, nbranches, ndiodes;
    char line[LINES][LENGTH];
    char probes[LENGTH];
} network;

static void put(network *n, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(n->line[n->nlines++], LENGTH, format, args);
    va_end(args);
}

/* As many between 1 and 2 as between 10 and 20. */
static double value(network *n, double lo, double hi)
{
    double share = test_rng_int(n->rng, 0, 1 << 20) / (double)(1 << 20);
    return lo * pow(hi / lo, share);
}

/* ---- branches ------------------------------------------------------------------------------ */

static void put_diode(network *n, const char *a, const char *b)
{
    int k = n->nbranches;
    size_t used = strlen(n->probes);
    put(n, "X1 d%d", k);
    put(n, "%s -> d%d -> %s", a, k, b);
    put(n, "switch d%d diode", k);
    snprintf(n->probes + used, LENGTH - used, "%s i_d%d = f(d%d), v_d%d = e(d%d)",
             n->ndiodes ? "," : "", k, k, k, k);
    n->ndiodes++;
}

static void put_source(network *n)
{
    int k = n->nbranches;
    double size = value(n, 1, 10), speed = value(n, 1, 5), phase = value(n, 0.1, 6);
    put(n, "Se v%d = %.3g*sin(%.3g*t + %.3g)", k, size, speed, phase);
    put(n, "v%d -> j%d", k, k);
}

static void put_element(network *n, const char *kind, char name, double lo, double hi)
{
    int k = n->nbranches;
    put(n, "%s %c%d = %.3g", kind, name, k, value(n, lo, hi));
    put(n, "j%d -> %c%d", k, name, k);
}

static void put_branch(network *n, branch_kind kind, const char *a, const char *b)
{
    n->nbranches++;
    if (kind == DIODE) {
        put_diode(n, a, b);
        return;
    }
    put(n, "1 j%d", n->nbranches);
    put(n, "%s -> j%d -> %s", a, n->nbranches, b);
    if (kind == SOURCE || kind == COIL_SOURCE)
        put_source(n);
    if (kind == RESISTOR || kind == SOURCE)
        put_element(n, "R", 'r', kind == RESISTOR ? 0.3 : 0.1, kind == RESISTOR ? 10 : 1);
    if (kind == INDUCTOR || kind == COIL_SOURCE)
        put_element(n, "I", 'l', 0.1, kind == INDUCTOR ? 3 : 1);
    if (kind == CAPACITOR)
        put_element(n, "C", 'c', 0.1, 3);
}

/* ---- networks ------------------------------------------------------------------------------ */

static void put_tree(network *n, int nodes)
{
    for (int i = 1; i < nodes; i++)
        put_branch(n, (branch_kind)test_rng_int(n->rng, 0, KINDS - 1),
                   node[test_rng_int(n->rng, 0, i - 1)], node[i]);
}

/* Of what closes loops, three in eight are diodes. */
static void put_more(network *n, int nodes)
{
    for (int wanted = test_rng_int(n->rng, 2, 5); wanted > 0; wanted--) {
        int a = test_rng_int(n->rng, 0, nodes - 1), b = test_rng_int(n->rng, 0, nodes - 2);
        int kind = test_rng_int(n->rng, 0, KINDS + 1);
        put_branch(n, kind < KINDS ? (branch_kind)kind : DIODE, node[a], node[b + (b >= a)]);
    }
}

static void choose(network *n, test_rng *r)
{
    *n = (network){.rng = r};
    int nodes = test_rng_int(r, 3, NODES);
    for (int i = 0; i < nodes; i++)
        put(n, "0 %s", node[i]);
    put(n, "Se G = 0");
    put(n, "G -> g");
    put_tree(n, nodes);
    put_more(n, nodes);
    put(n, "output%s", n->probes);
    put(n, "simulate to 20 every 0.1");
}

void network_write(jn_str *text, test_rng *r)
{
    static network n;
    int order[LINES];
    do
        choose(&n, r);
    while (n.ndiodes == 0);
    for (int i = 0; i < n.nlines; i++) {
        int at = test_rng_int(r, 0, i);
        order[i] = order[at];
        order[at] = i;
    }
    for (int i = 0; i < n.nlines; i++)
        jn_str_addf(text, "%s\n", n.line[order[i]]);
}
