/* bench_models.c: families of switched networks that grow. */
#include "bench_models.h"

/* Half-bridge cells in series; inserted and bypassed in turn. */
static void write_arm(jn_str *out, int n)
{
    jn_str_addf(out,
                "model arm\n"
                "Se V = 400\n"
                "I L = 1/100\n"
                "R r = 5\n"
                "1 current\n"
                "V -> current -> L\n"
                "current -> r\n"
                "for k in 1..%d {\n"
                "  C c[k] = 1/100\n"
                "  0 p[k]\n"
                "  X1 insert[k]\n"
                "  X1 bypass[k]\n"
                "  p[k] -> insert[k] -> c[k]\n"
                "  p[k] -> bypass[k]\n"
                "  current -> p[k]\n"
                "}\n",
                n);
}

static bool arm_is_on(int s, int n)
{
    (void)n;
    return s % 4 == 0 || s % 4 == 3;
}

/* Full bridges in series, each with a capacitor of its own. */
static void write_bridges(jn_str *out, int n)
{
    jn_str_addf(out,
                "model bridges\n"
                "Se G = 0\n"
                "I L = 1/100\n"
                "R r = 5\n"
                "1 load\n"
                "0 node[0]\n"
                "G -> node[0]\n"
                "for k in 1..%d {\n"
                "  C c[k] = 1/100\n"
                "  0 node[k]\n"
                "  0 plus[k]\n"
                "  0 minus[k]\n"
                "  1 link[k]\n"
                "  X1 s1[k]\n"
                "  X1 s2[k]\n"
                "  X1 s3[k]\n"
                "  X1 s4[k]\n"
                "  plus[k] -> link[k] -> minus[k]\n"
                "  link[k] -> c[k]\n"
                "  plus[k] -> s1[k] -> node[k - 1]\n"
                "  minus[k] -> s2[k] -> node[k - 1]\n"
                "  plus[k] -> s3[k] -> node[k]\n"
                "  minus[k] -> s4[k] -> node[k]\n"
                "}\n"
                "node[%d] -> load -> node[0]\n"
                "load -> L\n"
                "load -> r\n",
                n, n);
}

static bool bridges_are_on(int s, int n)
{
    (void)n;
    return s % 4 == 0 || s % 4 == 3;
}

/* A leg of n levels: n − 1 capacitors, 2(n − 1) switches in a chain, two clamps to each level
 * within. */
static void write_clamped_leg(jn_str *out, int n)
{
    jn_str_addf(out,
                "model clamped_leg\n"
                "Se V = 400\n"
                "Se G = 0\n"
                "I L = 1/100\n"
                "R r = 5\n"
                "1 load\n"
                "R rs = 1/10\n"
                "1 supply\n"
                "for k in 0..%d { 0 dc[k] }\n"
                "for k in 0..%d { 0 chain[k] }\n"
                "for k in 1..%d {\n"
                "  C c[k] = 1/100\n"
                "  1 link[k]\n"
                "  dc[k - 1] -> link[k] -> dc[k]\n"
                "  link[k] -> c[k]\n"
                "}\n"
                "for k in 1..%d {\n"
                "  X1 s[k]\n"
                "  chain[k - 1] -> s[k] -> chain[k]\n"
                "}\n"
                "for k in 1..%d {\n"
                "  X1 up[k]\n"
                "  X1 down[k]\n"
                "  dc[k] -> up[k] -> chain[k]\n"
                "  chain[%d + k] -> down[k] -> dc[k]\n"
                "}\n",
                n - 1, 2 * (n - 1), n - 1, 2 * (n - 1), n - 2, n - 1);
    jn_str_addf(out,
                "V -> supply -> dc[0]\n"
                "supply -> rs\n"
                "G -> dc[%d]\n"
                "dc[0] -> chain[0]\n"
                "chain[%d] -> dc[%d]\n"
                "chain[%d] -> load -> dc[%d]\n"
                "load -> L\n"
                "load -> r\n",
                n - 1, 2 * (n - 1), n - 1, n - 1, n - 1);
}

/* The output at the top: the upper half of the chain. */
static bool clamped_leg_is_on(int s, int n)
{
    return s < n - 1;
}

/* n phases to n loads, a switch for each pair. */
static void write_matrix_converter(jn_str *out, int n)
{
    jn_str_addf(out,
                "model matrix_converter\n"
                "for i in 1..%d {\n"
                "  Se V[i] = i\n"
                "  0 in[i]\n"
                "  V[i] -> in[i]\n"
                "  0 out[i]\n"
                "  1 load[i]\n"
                "  I L[i] = 1/100\n"
                "  R r[i] = i\n"
                "  out[i] -> load[i] -> L[i]\n"
                "  load[i] -> r[i]\n"
                "}\n"
                "for i in 1..%d { for j in 1..%d {\n"
                "  X1 s[i*%d + j]\n"
                "  in[i] -> s[i*%d + j] -> out[j]\n"
                "} }\n",
                n, n, n, n + 1, n + 1);
}

static bool matrix_converter_is_on(int s, int n)
{
    return s / n == s % n;
}

/* Nodes with a capacitor behind a switch, joined by resistors to closed loops. */
static void write_cell_grid(jn_str *out, int n)
{
    int w = n + 1;
    jn_str_addf(out,
                "model cell_grid\n"
                "Se V = 10\n"
                "R rs = 1\n"
                "1 in\n"
                "for i in 1..%d { for j in 1..%d {\n"
                "  0 node[i*%d + j]\n"
                "  X1 s[i*%d + j]\n"
                "  C c[i*%d + j] = 1/100\n"
                "  node[i*%d + j] -> s[i*%d + j] -> c[i*%d + j]\n"
                "} }\n"
                "V -> in -> node[%d]\n"
                "in -> rs\n",
                n, n, w, w, w, w, w, w, w + 1);
    for (int down = 0; down < 2; down++)
        jn_str_addf(out,
                    "for i in 1..%d { for j in 1..%d {\n"
                    "  1 %c[i*%d + j]\n"
                    "  R r%c[i*%d + j] = 1\n"
                    "  node[i*%d + j] -> %c[i*%d + j] -> node[i*%d + j + %d]\n"
                    "  %c[i*%d + j] -> r%c[i*%d + j]\n"
                    "} }\n",
                    down ? n - 1 : n, down ? n : n - 1, down ? 'd' : 'a', w, down ? 'd' : 'a', w, w,
                    down ? 'd' : 'a', w, w, down ? w : 1, down ? 'd' : 'a', w, down ? 'd' : 'a', w);
}

/* Nodes with a capacitor, joined by switches alone: closed ones join capacitors, and loops of them
 * are redundant. */
static void write_link_grid(jn_str *out, int n)
{
    int w = n + 1;
    jn_str_addf(out,
                "model link_grid\n"
                "Se V = 10\n"
                "R rs = 1\n"
                "1 in\n"
                "for i in 1..%d { for j in 1..%d {\n"
                "  0 node[i*%d + j]\n"
                "  C c[i*%d + j] = 1/100\n"
                "  node[i*%d + j] -> c[i*%d + j]\n"
                "} }\n"
                "V -> in -> node[%d]\n"
                "in -> rs\n",
                n, n, w, w, w, w, w + 1);
    for (int down = 0; down < 2; down++)
        jn_str_addf(out,
                    "for i in 1..%d { for j in 1..%d {\n"
                    "  X1 %c[i*%d + j]\n"
                    "  node[i*%d + j] -> %c[i*%d + j] -> node[i*%d + j + %d]\n"
                    "} }\n",
                    down ? n - 1 : n, down ? n : n - 1, down ? 'd' : 'a', w, w, down ? 'd' : 'a', w,
                    w, down ? w : 1);
}

static bool all_are_on(int s, int n)
{
    (void)s;
    (void)n;
    return true;
}

const bench_family bench_families[] = {
    {"arm", write_arm, arm_is_on, {64, 128, 256}},
    {"cascaded bridges", write_bridges, bridges_are_on, {16, 32, 64}},
    {"clamped leg", write_clamped_leg, clamped_leg_is_on, {9, 17, 33}},
    {"matrix converter", write_matrix_converter, matrix_converter_is_on, {6, 8, 12}},
    {"grid of switched cells", write_cell_grid, all_are_on, {6, 8, 10}},
    {"grid of switched links", write_link_grid, all_are_on, {4, 5, 10}},
    {NULL, NULL, NULL, {0}},
};
