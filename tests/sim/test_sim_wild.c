/* test_sim_wild.c: random switched networks, run by every engine.
 *
 * One to four capacitors, each with a leak, are joined by branches taken at random: resistors,
 * coils, diodes, switches under all kinds of control, converter legs, dry and turbulent laws. Of
 * every model
 *
 *   each run ends, within a bound of processor time, and its energies add up,
 *   every diode keeps its law in every row,
 *   exact and Radau's runs, and one with a cube of coefficient 0, have the same events and values,
 *   leaks and snubbers of 1e9 ohm and 1e-9 farad put in change no event.
 *
 * JUNCT_WILD=N runs N models instead of 300, JUNCT_WILD=N,K the K-th alone. A model that fails is
 * printed, with its number; together with the seed that names it. */
#include "beside.h"

#include <math.h>

enum { NODES = 4, BRANCHES = 6, MODELS = 300, SECONDS = 20, DIODES = 8 };

typedef enum { PLAIN, CUBE, STIFF } variant;

typedef struct {
    test_rng rng;
    variant variant;
    jn_str text, outputs;
    int nnodes, nextras, nswitches, ndiodes;
    bool linear;
    char diode[DIODES][16];
} network;

/* ---- pieces -------------------------------------------------------------------------------- */

static int any(network *w, int lo, int hi)
{
    return test_rng_int(&w->rng, lo, hi);
}

/* Across a switch, in the stiff variant: a leak, and a capacitor behind a resistor. */
static void put_stiff(network *w, const char *from, const char *to)
{
    if (w->variant != STIFF)
        return;
    int k = w->nextras++;
    jn_str_addf(
        &w->text,
        "R zl%d = 1e9\n1 zx%d\n%s -> zx%d -> %s\nzx%d -> zl%d\n"
        "R zr%d = 1e9\nC zc%d = 1e-9\n1 zy%d\n%s -> zy%d -> %s\nzy%d -> zr%d\nzy%d -> zc%d\n",
        k, k, from, k, to, k, k, k, k, k, from, k, to, k, k, k, k);
}

static void put_diode(network *w, const char *name)
{
    jn_str_addf(&w->text, "switch %s off, on when e(%s) < 0, off when f(%s) < 0\n", name, name,
                name);
    jn_str_addf(&w->outputs, ", f(%s), e(%s)", name, name);
    snprintf(w->diode[w->ndiodes++], sizeof w->diode[0], "%s", name);
}

static void put_times(network *w, const char *s)
{
    int at = 0, n = any(w, 1, 4);
    bool on = test_rng_chance(&w->rng, 50);
    jn_str_addf(&w->text, "switch %s %s", s, on ? "on" : "off");
    for (int i = 0; i < n; i++) {
        at += any(w, 3, 17);
        on = !on;
        jn_str_addf(&w->text, ", %s at %d/31", on ? "on" : "off", at);
    }
    jn_str_addc(&w->text, '\n');
}

static void put_thresholds(network *w, const char *s, const char *form)
{
    int node = any(w, 0, w->nnodes - 1), level = any(w, 2, 14);
    jn_str_addf(&w->text, "switch %s on, off when ", s);
    jn_str_addf(&w->text, form, node, level + any(w, 1, 3));
    jn_str_add(&w->text, ", on when ");
    form = strncmp(form, "prior", 5) == 0 ? "prior(e(n%d)) < %d/7" : "e(n%d) < %d/7";
    jn_str_addf(&w->text, form, node, level);
    jn_str_addc(&w->text, '\n');
}

static void put_memory(network *w, const char *s)
{
    int node = any(w, 0, w->nnodes - 1), level = any(w, 2, 12);
    jn_str_addf(&w->text,
                "automaton %s {\nidle off initial\nbusy on\ntired off\nagain on\n"
                "idle -> busy when e(n%d) > %d/7\nbusy -> tired when t > %d/13\n"
                "tired -> again when e(n%d) < %d/11 and t > %d/13\n}\n",
                s, node, level, any(w, 3, 9), node, level, any(w, 10, 20));
}

/* A relay without hysteresis: it may slide. */
static void put_relay(network *w, const char *s, int node)
{
    int level = any(w, 3, 12);
    jn_str_addf(&w->text, "switch %s on, off when e(n%d) > %d/9, on when e(n%d) < %d/9\n", s, node,
                level, node, level);
}

static void put_control(network *w, const char *s, int node)
{
    switch (any(w, 0, 6)) {
    case 0:
    case 1:
        put_times(w, s);
        break;
    case 2:
        put_thresholds(w, s, "e(n%d) > %d/7");
        break;
    case 3:
        put_thresholds(w, s, "prior(e(n%d)) > %d/7");
        break;
    case 4:
        put_memory(w, s);
        break;
    case 5:
        jn_str_addf(&w->text, "switch %s pwm(%d/29, 1/2 + %d/25*sin(5*t))\n", s, any(w, 3, 9),
                    any(w, 0, 9));
        break;
    default:
        put_relay(w, s, node);
        break;
    }
}

static void put_resistor(network *w, const char *name, const char *at)
{
    jn_str_addf(&w->text, "R %s = %d/4\n%s -> %s\n", name, any(w, 1, 16), at, name);
}

static void put_coil(network *w, int k, const char *at)
{
    jn_str_addf(&w->text, "I i%d = %d/8\n%s -> i%d\n", k, any(w, 1, 12), at, k);
}

/* ---- branches ------------------------------------------------------------------------------ */

static void put_law(network *w, int k, const char *at)
{
    w->linear = false;
    if (test_rng_chance(&w->rng, 50))
        jn_str_addf(&w->text, "R y%d : e = %d/8*sign(f)\n", k, any(w, 1, 8));
    else
        jn_str_addf(&w->text, "R y%d : e = %d/4*f*abs(f)\n", k, any(w, 1, 8));
    jn_str_addf(&w->text, "%s -> y%d\n", at, k);
}

/* A leg of a converter: a switch, the diode that takes over, a coil. */
static void put_leg(network *w, int k, const char *from, const char *to)
{
    char s[16], d[16], x[16], r[16], q[16];
    snprintf(s, sizeof s, "s%d", k);
    snprintf(d, sizeof d, "d%d", k);
    snprintf(x, sizeof x, "x%d", k);
    snprintf(r, sizeof r, "r%d", k);
    snprintf(q, sizeof q, "q%d", k);
    jn_str_addf(&w->text, "Se g%d = 0\n0 %s\n1 %s\nX1 %s\nX1 %s\n", k, q, x, s, d);
    jn_str_addf(&w->text, "%s -> %s -> %s -> %s -> %s\ng%d -> %s -> %s\n", from, s, q, x, to, k, d,
                q);
    put_coil(w, k, x);
    put_resistor(w, r, x);
    put_control(w, s, 0);
    put_diode(w, d);
    put_stiff(w, from, q);
    w->nswitches += 2;
}

/* A branch through a junction x: a 1, or a switch or diode that is itself the junction. */
static void put_branch(network *w, int k, const char *from, const char *to, int node)
{
    char x[16], r[16];
    int kind = any(w, 0, 6);
    if (kind == 6 && w->nswitches < 4) {
        put_leg(w, k, from, to);
        return;
    }
    bool switched = kind >= 3 && w->nswitches < 5;
    snprintf(x, sizeof x, "%s%d", switched ? "s" : "x", k);
    snprintf(r, sizeof r, "r%d", k);
    jn_str_addf(&w->text, "%s %s\n%s -> %s -> %s\n", switched ? "X1" : "1", x, from, x, to);
    put_resistor(w, r, x);
    if (!switched && kind >= 1)
        put_coil(w, k, x);
    if (!switched && kind == 2)
        put_law(w, k, x);
    if (switched) {
        w->nswitches++;
        put_stiff(w, from, to);
    }
    if (switched && kind == 3)
        put_diode(w, x);
    else if (switched)
        put_control(w, x, node);
}

/* Positive throughout: a leg whose diode and switch both conduct would short it. */
static void put_source(network *w)
{
    static const char *const wave[] = {"3", "5/2 + 2*sin(6*t)", "2 + 3/2*cos(5*t)", "4*exp(-t)",
                                       "1 + t"};
    jn_str_addf(&w->text, "Se V = %s\n0 in\nV -> in\n", wave[any(w, 0, 4)]);
}

/* A value that follows a switch, a counter, an integral: what else a source can be. */
static void put_extra(network *w)
{
    switch (any(w, 0, 7)) {
    case 0:
        jn_str_add(&w->text, "Sf fi = -int(e(n0) - 1, 0)/2\nfi -> n0\n");
        break;
    case 1:
        jn_str_add(&w->text, "Sf ft = table(\"cross.csv\", \"u\")\nft -> n0\n");
        break;
    case 2:
        jn_str_addf(
            &w->text,
            "discrete count = 0\nSf fc = -count/9\nfc -> n0\nX1 sc\nR rc = 3\nn0 -> sc -> rc\n"
            "automaton sc {\na off initial\nb on\na -> b when e(n0) > %d/5 { count = count + 1 }\n"
            "b -> a when e(n0) < 3/5\n}\n",
            any(w, 4, 8));
        break;
    case 3:
        jn_str_add(&w->text, "Sf fd = 1/3, detachable\nX1 sd\nfd -> sd -> n0\nswitch sd on, off at "
                             "5/7, on at 9/7\n");
        break;
    default:
        break;
    }
}

static void write_network(network *w)
{
    w->nnodes = any(w, 1, NODES);
    w->linear = true;
    put_source(w);
    for (int i = 0; i < w->nnodes; i++)
        jn_str_addf(&w->text,
                    "C c%d = %d/8, e0 = %d/10\nR l%d = %d\n0 n%d\nn%d -> c%d\nn%d -> l%d\n", i,
                    any(w, 2, 16), 2 * any(w, -4, 9) + 1, i, any(w, 1, 9), i, i, i, i, i);
    int branches = any(w, w->nnodes, BRANCHES);
    for (int k = 0; k < branches; k++) {
        char from[16] = "in", to[16];
        int a = k <= w->nnodes ? k - 1 : any(w, -1, w->nnodes - 1);
        int b = k < w->nnodes ? k : any(w, 0, w->nnodes - 1);
        if (a == b)
            a = -1;
        if (a >= 0)
            snprintf(from, sizeof from, "n%d", a);
        snprintf(to, sizeof to, "n%d", b);
        put_branch(w, k, from, to, b);
    }
    put_extra(w);
    if (w->variant == CUBE)
        jn_str_add(&w->text, "R cube : f = 0*e^3\nn0 -> cube\n");
    jn_str_addf(&w->text, "output e(n0)%s", jn_str_c(&w->outputs));
    for (int i = 1; i < w->nnodes; i++)
        jn_str_addf(&w->text, ", e(n%d)", i);
    jn_str_addc(&w->text, '\n');
}

static void network_init(network *w, int number, variant v)
{
    *w = (network){.rng = test_rng_new((uint64_t)(900000 + number)), .variant = v};
    jn_str_init(&w->text);
    jn_str_init(&w->outputs);
    write_network(w);
}

static void network_clear(network *w)
{
    jn_str_clear(&w->text);
    jn_str_clear(&w->outputs);
}

/* ---- checking ------------------------------------------------------------------------------ */

/* Outputs 1 + 2d and 2 + 2d are current and backward voltage of diode d. */
static void check_diodes(const network *w, const run *x)
{
    for (int k = 0; k < BESIDE_ROWS; k++)
        for (int d = 0; d < w->ndiodes; d++) {
            double f = x->row[k][1 + 2 * d], e = x->row[k][2 + 2 * d];
            if (f >= -1e-8 && e >= -1e-8 && fabs(e * f) <= 1e-8)
                continue;
            printf("\n    t = %.6g: %s carries %.9g at %.9g backwards", beside_time(k), w->diode[d],
                   f, e);
            CU_ASSERT(!"the diode keeps its law");
            return;
        }
}

/* The last of the events that follow each other within what a leak of 1e9 ohm takes to settle. */
static const rig_event *settled_event(const rig *r, int *i)
{
    while (*i + 1 < r->nevents && r->event[*i + 1].t - r->event[*i].t < 1e-6)
        ++*i;
    return *i < r->nevents ? &r->event[(*i)++] : NULL;
}

static void show_event(const char *what, const rig_event *e)
{
    if (e)
        printf("\n        %s: %.9g to %s: %s", what, e->t, e->to, e->cause);
    else
        printf("\n        %s: no more events", what);
}

/* The same modes at the same times, but for what 1e-9 can do. */
static void compare_stiff(const run *plain, const run *stiff)
{
    int i = 0, j = 0;
    const rig_event *e, *f;
    do {
        e = settled_event(&plain->r, &i);
        f = settled_event(&stiff->r, &j);
    } while (e && f && strcmp(e->to, f->to) == 0 && fabs(e->t - f->t) <= 1e-5);
    if (e || f) {
        printf("\n    leaks and snubbers change event %d:", i - 1);
        show_event("plain", e);
        show_event("stiff", f);
    }
    CU_ASSERT(!e && !f);
}

/* JUNCT_WILD_SAVE=FOLDER: the models as files. */
static void save(const network *w, int number, const char *what)
{
    const char *folder = getenv("JUNCT_WILD_SAVE");
    char path[400];
    snprintf(path, sizeof path, "%s/wild-%d-%s.hbg", folder ? folder : ".", number, what);
    FILE *f = folder ? fopen(path, "w") : NULL;
    if (f) {
        fprintf(f, "model wild\n%ssimulate to %g every 1/10\n", jn_str_c(&w->text), BESIDE_END);
        fclose(f);
    }
}

static void run_variant(network *w, run *x, int number, variant v, const char *what,
                        jn_method method)
{
    network_init(w, number, v);
    save(w, number, what);
    beside_run(x, what, jn_str_c(&w->text),
               &(jn_sim_options){.method = method, .folder = "tests/sim/cases"}, true);
    beside_ledger(x);
}

static void check_network(const void *context)
{
    static run first, other;
    static const struct {
        variant variant;
        const char *what;
        jn_method method;
    } others[] = {{PLAIN, "radau", JN_METHOD_RADAU},
                  {CUBE, "cube 0", JN_METHOD_AUTO},
                  {STIFF, "stiff", JN_METHOD_AUTO}};
    int number = *(const int *)context;
    network w, v;
    unsigned before = CU_get_number_of_failure_records();
    run_variant(&w, &first, number, PLAIN, "auto", JN_METHOD_AUTO);
    if (first.ran && w.linear && !jn_sim_is_linear(first.r.sim))
        printf("\n    a linear model is not followed exactly");
    CU_ASSERT(!first.ran || !w.linear || jn_sim_is_linear(first.r.sim));
    if (first.ran)
        check_diodes(&w, &first);
    for (int i = 0; i < 3; i++) {
        run_variant(&v, &other, number, others[i].variant, others[i].what, others[i].method);
        if (others[i].variant != STIFF)
            beside_compare(&first, &other, 0, 1e-8);
        else if (first.ran && other.ran)
            compare_stiff(&first, &other);
        rig_clear(&other.r);
        network_clear(&v);
    }
    if (CU_get_number_of_failure_records() > before)
        printf("\n%s", jn_str_c(&w.text));
    rig_clear(&first.r);
    network_clear(&w);
}

static void wild_networks_agree_in_both_engines(void)
{
    const char *asked = getenv("JUNCT_WILD");
    int models = asked ? atoi(asked) : MODELS, only = -1, broken = 0;
    if (asked && strchr(asked, ','))
        only = atoi(strchr(asked, ',') + 1);
    for (int k = 0; k < models; k++) {
        if (only >= 0 && k != only)
            continue;
        bool passes = beside_passes(check_network, &k, SECONDS);
        if (!passes)
            printf("\n  ^^ network %d", k);
        broken += !passes;
    }
    if (broken)
        printf("\n%d of %d networks fail\n", broken, models);
    CU_ASSERT_EQUAL(broken, 0);
}

void suite_sim_wild(void)
{
    TEST_SUITE("sim_wild");
    TEST_ADD(wild_networks_agree_in_both_engines);
}
