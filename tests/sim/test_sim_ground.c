/* test_sim_ground.c: circuits without a ground.
 *
 * No element feels the potential of a circuit as a whole, so one that floats runs as it does with
 * any of its nodes tied to the ground: the same events, the same currents and voltages of parts.
 * In the one that floats the effort of a node is undetermined, and whatever is known of it is a
 * difference: finite ones, impulses, and what sources in conflict drive. */
#include "beside.h"
#include "networks.h"

#include <math.h>

enum { TEXT = 4000 };

static double bound_of(jn_method method)
{
    return method == JN_METHOD_RADAU ? 1e-6 : 1e-9;
}

/* ---- two runs ------------------------------------------------------------------------------ */

typedef struct {
    const char *floating, *grounded;
    jn_method method;
} pair;

static void compare_pair(const void *context)
{
    const pair *p = context;
    static run floating, grounded;
    jn_sim_options o = {.method = p->method};
    beside_run(&grounded, "grounded", p->grounded, &o, true);
    beside_run(&floating, "floating", p->floating, &o, true);
    beside_compare(&grounded, &floating, 0, bound_of(p->method));
    beside_ledger(&floating);
    rig_clear(&grounded.r);
    rig_clear(&floating.r);
}

static void check_pair(const char *name, const char *floating, const char *grounded)
{
    static const jn_method methods[] = {JN_METHOD_AUTO, JN_METHOD_RADAU};
    for (int i = 0; i < 2; i++) {
        pair p = {floating, grounded, methods[i]};
        bool passes = beside_passes(compare_pair, &p, 20);
        if (!passes)
            printf("\n  ^^ %s%s\n%s", name, i ? ", integrated" : "", floating);
        CU_ASSERT(passes);
    }
}

/* ---- circuits ------------------------------------------------------------------------------ */

typedef struct {
    jn_str text, outputs;
    int nparts;
    char nodes[TEXT]; /* that have been written, each between spaces */
} circuit;

static void put_node(circuit *c, const char *node)
{
    char between[40];
    size_t used = strlen(c->nodes);
    snprintf(between, sizeof between, " %s ", node);
    if (strstr(c->nodes, between))
        return;
    snprintf(c->nodes + used, sizeof c->nodes - used, "%s", between);
    jn_str_addf(&c->text, "0 %s\n", node);
}

/* "KIND NAME FROM TO VALUE": an element between two nodes, or a switch (S). */
static void put_part(circuit *c, const char *part)
{
    char kind[4], name[20], from[20], to[20], value[100];
    if (sscanf(part, "%3s %19s %19s %19s %99[^|]", kind, name, from, to, value) != 5)
        abort();
    put_node(c, from);
    put_node(c, to);
    bool is_switch = strcmp(kind, "S") == 0;
    jn_str_addf(&c->outputs, "%s i_%s = f(%s), v_%s = e(%s)", c->nparts++ ? "," : "output", name,
                name, name, name);
    if (is_switch)
        jn_str_addf(&c->text, "X1 %s\n%s -> %s -> %s\nswitch %s %s\n", name, from, name, to, name,
                    value);
    else
        jn_str_addf(&c->text, "1 j_%s\n%s -> j_%s -> %s\n%s %s %s\n", name, from, name, to, kind,
                    name, value);
    if (!is_switch && kind[1])
        jn_str_addf(&c->text, "%s -> j_%s\n", name, name);
    else if (!is_switch)
        jn_str_addf(&c->text, "j_%s -> %s\n", name, name);
}

/* grounds: a letter for each node that is tied to the ground. */
static void put_circuit(jn_str *out, const char *parts, const char *more, const char *grounds)
{
    circuit c = {.nparts = 0};
    jn_str_init(&c.text);
    jn_str_init(&c.outputs);
    for (const char *p = parts; p; p = strchr(p, '|') ? strchr(p, '|') + 1 : NULL)
        put_part(&c, p);
    for (const char *g = grounds; *g; g++)
        jn_str_addf(&c.text, "Se tie_%c = 0\ntie_%c -> %c\n", *g, *g, *g);
    jn_str_addf(out, "%s%s%s\n", jn_str_c(&c.text), more, jn_str_c(&c.outputs));
    jn_str_clear(&c.text);
    jn_str_clear(&c.outputs);
}

typedef struct {
    const char *name, *parts, *more, *grounds;
} known_circuit;

static const known_circuit known[] = {
    {"a coil and its diode", "I l a b = 0.1, f0 = 1|S d b a diode", "", "a"},
    {"a coil, a resistor and a diode with a drop",
     "I l a b = 0.1, f0 = 1|R r b c = 2|S d c a diode(0.7)", "", "b"},
    {"a buck",
     "Se v g a = 24|S s a n pwm(0.2, 1/2)|S d g n diode|I l n o = 1|C c o g = 0.1|R r o g = 4", "",
     "g"},
    {"a buck that runs dry",
     "Se v g a = 24|S s a n pwm(0.2, 1/5)|S d g n diode|I l n o = 0.05|C c o g = 0.1|R r o g = 40",
     "", "n"},
    {"a boost",
     "Se v g a = 12|I l a n = 0.5|S s n g pwm(0.2, 1/2)|S d n o diode|C c o g = 0.1|R r o g = 9",
     "", "g"},
    {"an inverting converter",
     "Se v g a = 12|S s a n pwm(0.2, 2/5)|I l n g = 0.5|S d o n diode|C c o g = 0.1|R r o g = 9",
     "", "o"},
    {"a converter of Cuk",
     "Se v g a = 12|I l a n = 0.5|S s n g pwm(0.2, 2/5)|C k n m = 0.2|S d m g diode|I p m o = "
     "0.4|C c o g "
     "= 0.1|R r o g = 9",
     "", "g"},
    {"a bridge before a coil",
     "Se v a b = 10*sin(7*t)|S d a p diode|S e b p diode|S x n a diode|S y n b diode|I l p q = "
     "0.3|R r q n "
     "= 2",
     "", "n"},
    {"a bridge behind a coil",
     "Se v a c = 10*sin(7*t)|I l c b = 0.2|S d a p diode|S e b p diode|S x n a diode|S y n b "
     "diode|R r p n "
     "= 2|C k p n = 0.3",
     "", "b"},
    {"a bridge with drops behind a coil",
     "Se v a c = 10*sin(7*t)|I l c b = 0.2|S d a p diode(0.7)|S e b p diode(0.7)|S x n a "
     "diode(0.7)|S y n b "
     "diode(0.7)|R r p n = 2|I k p n = 0.3",
     "", "p"},
    {"three phases",
     "Se u s a = 9*sin(6*t)|Se v s b = 9*sin(6*t - 2*pi/3)|Se w s c = 9*sin(6*t + 2*pi/3)|S d a p "
     "diode|S "
     "e b p diode|S f c p diode|S x n a diode|S y n b diode|S z n c diode|R r p n = 2",
     "", "n"},
    {"a half bridge",
     "Se v g a = 10|Se w b g = 10|S s a n pwm(0.4, 1/2)|S h b n diode|S k n a diode|I l n m "
     "= 0.5|R r m g = 1",
     "", "g"},
    {"a thyristor",
     "Se v g a = 10*sin(7*t)|S s a n off, on when mod(t, 2*pi/7) > 0.2 and mod(t, 2*pi/7) < "
     "0.3 and e(s) < 0, off when f(s) < 0|I l n m = 0.3|R r m g = 1",
     "", "g"},
    {"a crowbar",
     "Se v g a = 10|R i a n = 1|C c n g = 0.5|S s n g off, on when e(c) > 8, off when t > 1.9", "",
     "n"},
    {"a condition that is not linear",
     "Se v g a = 3*sin(3*t)|R i a n = 2|R r n g = 1|S d g n off, on when abs(e(d)) < 0.5 and "
     "e(d)^2 > 0.1 and "
     "e(d) < 0, off when f(d) < 0",
     "", "n"},
    {"a source that reads a voltage",
     "Se v g a = 3|R r a n = 2|C c n g = 1|Sf x g n = 0.1*(e(n) - e(g))", "", "n"},
    {"a source that reads one in its own way",
     "Se v g a = 3|R r a n = 2|C c n g = 1|Sf x g n = 0.1*abs(e(n) - e(g))^2", "", "a"},
    {"a law that reads the effort across a switch",
     "Se v g a = 3*sin(5*t)|R r a n : e = (2 + abs(e(d)))*f|C c n g = 1|S d g n diode", "", "a"},
    {"a flyback, which floats in two parts",
     "Se v b a = 12|S s a c pwm(0.2, 2/5)|S d e f diode|C cf f g = 0.2|R r f g = 6",
     "I m = 0.5\n1 pri\n0 mag\n1 sec\nTF T = 2\nc -> pri -> b\npri -> mag\nmag -> m\nmag -> T -> "
     "sec\ng -> sec "
     "-> e\n",
     "cg"},
};

static void floating_converters_run_as_grounded_ones(void)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        jn_str floating, grounded;
        jn_str_init(&floating);
        jn_str_init(&grounded);
        put_circuit(&floating, known[i].parts, known[i].more, "");
        put_circuit(&grounded, known[i].parts, known[i].more, known[i].grounds);
        check_pair(known[i].name, jn_str_c(&floating), jn_str_c(&grounded));
        jn_str_clear(&floating);
        jn_str_clear(&grounded);
    }
}

/* Its value would be that of the node that happens to be taken for the ground. */
static void what_a_node_of_a_floating_circuit_has_is_not_read(void)
{
    static const char *const reader[] = {"Sf x g n = 0.1*e(n)", "Sf x g n = 0.1*abs(e(n))",
                                         "R x g n : e = f*(1 + e(n)^2)", "R x g n = 1 + abs(e(g))"};
    static const jn_method methods[] = {JN_METHOD_AUTO, JN_METHOD_RADAU};
    for (size_t i = 0; i < 2 * sizeof reader / sizeof *reader; i++) {
        char parts[200];
        jn_str text;
        rig r;
        jn_str_init(&text);
        snprintf(parts, sizeof parts, "Se v g a = 3|R r a n = 2|C c n g = 1|%s", reader[i / 2]);
        put_circuit(&text, parts, "", "");
        CU_ASSERT(!rig_new(&r, jn_str_c(&text), &(jn_sim_options){.method = methods[i % 2]}));
        CU_ASSERT(rig_has_error(&r, "run-start"));
        rig_clear(&r);
        jn_str_clear(&text);
    }
}

/* ---- random circuits ----------------------------------------------------------------------- */

static void without(char *text, const char *line)
{
    char *at = strstr(text, line);
    if (!at)
        abort();
    memmove(at, at + strlen(line), strlen(at + strlen(line)) + 1);
}

static void floating_networks_run_as_grounded_ones(void)
{
    enum { MODELS = 30 };
    for (int k = 0; k < MODELS; k++) {
        test_rng r = test_rng_new((uint64_t)(910000 + k));
        jn_str text;
        char floating[TEXT], name[40];
        jn_str_init(&text);
        network_write(&text, &r);
        snprintf(floating, sizeof floating, "%s", jn_str_c(&text));
        without(floating, "Se G = 0\n");
        without(floating, "G -> g\n");
        snprintf(name, sizeof name, "network %d", k);
        check_pair(name, floating, jn_str_c(&text));
        jn_str_clear(&text);
    }
}

void suite_sim_ground(void)
{
    TEST_SUITE("sim_ground");
    TEST_ADD(floating_converters_run_as_grounded_ones);
    TEST_ADD(what_a_node_of_a_floating_circuit_has_is_not_read);
    TEST_ADD(floating_networks_run_as_grounded_ones);
}
