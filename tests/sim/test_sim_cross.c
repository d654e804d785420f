/* test_sim_cross.c: every feature alone and beside every other, through every engine.
 *
 * A model is a bus (a capacitor with a leak, driven by a wave) and one or two fragments bonded to
 * it. A fragment is one feature, with names of its own; whatever two fragments do to each other
 * they do through the bus. Each model is run
 *
 *   linear          exactly (where no law of it forbids that) and by Radau's method,
 *   with a cube     of coefficient 0 at the bus, which changes nothing but the engine,
 *   with a cube     of coefficient 1/50, in one go and stopping for 97 rows,
 *
 * and within each of these lines events and values must agree. A run whose modes merely follow
 * each other is also played from a sequence. Each pair runs in a process of its own, so that one
 * that crashes or never ends is named and leaves the rest alone. */
#include "beside.h"
#include "fragments.h"

enum { PAIR_SECONDS = 20 };

/* ---- the models ----------------------------------------------------------------------------- */

/* cube: "" for none, or the coefficient */
static void write_model(jn_str *text, int a, int b, const char *cube)
{
    jn_str_add(text, fragment_core);
    jn_str_add(text, fragments[a].text);
    if (a != b)
        jn_str_add(text, fragments[b].text);
    if (*cube)
        jn_str_addf(text, "R cube : f = %s*e^3\nbus -> cube\n", cube);
    jn_str_addf(text, "output v = e(bus), %s", fragments[a].outputs);
    if (a != b)
        jn_str_addf(text, ", %s", fragments[b].outputs);
    jn_str_addc(text, '\n');
}

/* ---- sequences ----------------------------------------------------------------------------- */

/* Whether modes and times are all there is to the events; an automaton that steps without its
 * switch, a state that was set, a slide are more. */
static bool is_sequence(const run *x, int a, int b)
{
    if (strcmp(fragments[a].name, "discrete") == 0 || strcmp(fragments[b].name, "discrete") == 0)
        return false;
    for (int i = 0; i < x->r.nevents; i++) {
        jn_event_kind k = x->r.event[i].kind;
        if (strstr(x->r.event[i].via, "pinnacle") || k == JN_EVENT_SLIDING || k == JN_EVENT_ZENO)
            return false;
    }
    return x->ran && x->r.graph->nswitches > 0;
}

static void play_sequence(const run *x, const char *text, jn_method method)
{
    int n = x->r.nevents, width = x->r.graph->nswitches;
    double *t = jn_alloc((size_t)n * sizeof *t);
    jn_onoff *mode = jn_alloc((size_t)(n * width) * sizeof *mode);
    for (int i = 0; i < n; i++) {
        t[i] = x->r.event[i].t;
        for (int s = 0; s < width; s++)
            mode[i * width + s] = (jn_onoff)(x->r.event[i].to[s] - '0');
    }
    run played;
    beside_run(&played, "sequence", text,
               &(jn_sim_options){.method = method,
                                 .folder = "tests/sim/cases",
                                 .nsequence = n,
                                 .sequence_t = t,
                                 .sequence_mode = mode},
               true);
    if (played.ran)
        beside_rows(x, &played, 0, 1e-9);
    rig_clear(&played.r);
    free(t);
    free(mode);
}

/* ---- pairs --------------------------------------------------------------------------------- */

static void run_with(run *x, const char *what, int a, int b, const char *cube, jn_method method,
                     bool rows)
{
    jn_str text;
    jn_str_init(&text);
    write_model(&text, a, b, cube);
    beside_run(x, what, jn_str_c(&text),
               &(jn_sim_options){.method = method, .folder = "tests/sim/cases"}, rows);
    jn_str_clear(&text);
}

/* Which rows are asked for does not matter. */
static void check_whole(const run *rows, int a, int b, jn_method method)
{
    static run whole;
    run_with(&whole, "in one go", a, b, "", method, false);
    beside_compare(rows, &whole, BESIDE_ROWS - 1, 1e-9);
    rig_clear(&whole.r);
}

static void check_linear(int a, int b)
{
    static run first, radau, cube;
    bool linear = fragments[a].linear && fragments[b].linear;
    run_with(&first, linear ? "exact" : "auto", a, b, "", linear ? JN_METHOD_EXACT : JN_METHOD_AUTO,
             true);
    run_with(&radau, "radau", a, b, "", JN_METHOD_RADAU, true);
    run_with(&cube, "cube 0", a, b, "0", JN_METHOD_AUTO, true);
    beside_compare(&first, &radau, 0, 1e-9);
    beside_compare(&first, &cube, 0, 1e-9);
    check_whole(&first, a, b, linear ? JN_METHOD_EXACT : JN_METHOD_AUTO);
    check_whole(&radau, a, b, JN_METHOD_RADAU);
    beside_ledger(&first);
    beside_ledger(&radau);
    if (is_sequence(&first, a, b)) {
        jn_str text;
        jn_str_init(&text);
        write_model(&text, a, b, "");
        play_sequence(&first, jn_str_c(&text), linear ? JN_METHOD_EXACT : JN_METHOD_AUTO);
        jn_str_clear(&text);
    }
    rig_clear(&first.r);
    rig_clear(&radau.r);
    rig_clear(&cube.r);
}

static void check_cubic(int a, int b)
{
    static run rows, whole;
    run_with(&rows, "cube with rows", a, b, "1/50", JN_METHOD_AUTO, true);
    run_with(&whole, "cube in one go", a, b, "1/50", JN_METHOD_RADAU, false);
    beside_compare(&rows, &whole, BESIDE_ROWS - 1, 1e-9);
    beside_ledger(&rows);
    rig_clear(&rows.r);
    rig_clear(&whole.r);
}

static void check_pair(const void *pair)
{
    const int *p = pair;
    check_linear(p[0], p[1]);
    check_cubic(p[0], p[1]);
}

/* JUNCT_CROSS=sign,pwm runs one pair (or one feature alone). */
static bool is_wanted(int a, int b)
{
    const char *only = getenv("JUNCT_CROSS");
    if (!only)
        return true;
    char name[80];
    snprintf(name, sizeof name, "%s,%s", fragments[a].name, fragments[b].name);
    return strcmp(only, a == b ? fragments[a].name : name) == 0;
}

static void run_pair(int a, int b)
{
    if (!is_wanted(a, b))
        return;
    bool passes = beside_passes(check_pair, (int[2]){a, b}, PAIR_SECONDS);
    if (!passes)
        printf("\n  ^^ %s%s%s\n", fragments[a].name, a == b ? " alone" : " beside ",
               a == b ? "" : fragments[b].name);
    CU_ASSERT(passes);
}

static void each_feature_works_alone(void)
{
    for (int a = 0; a < nfragments; a++)
        run_pair(a, a);
}

static void every_pair_of_features_works(void)
{
    for (int a = 0; a < nfragments; a++)
        for (int b = a + 1; b < nfragments; b++)
            run_pair(a, b);
}

void suite_sim_cross(void)
{
    TEST_SUITE("sim_cross");
    TEST_ADD(each_feature_works_alone);
    TEST_ADD(every_pair_of_features_works);
}
