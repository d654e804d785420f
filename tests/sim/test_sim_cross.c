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

enum { PAIR_SECONDS = 20 };

/* ---- the models ---------------------------------------------------------------------------- */

typedef struct {
    const char *name, *text, *outputs;
    bool linear;
} fragment;

static const char core[] = "Sf drive = 3/2 + 2*sin(4*t)\nC cbus = 1, e0 = 1\nR leak = 1\n0 bus\n"
                           "drive -> bus -> cbus\nbus -> leak\n";

static const fragment fragments[] = {
    {"on",
     "R on_r = if(on(on_s), 4, 2)\nR on_p = 3\nX1 on_s\nbus -> on_r\nbus -> on_s -> on_p\n"
     "switch on_s on, off at 0.37, on at 0.81\n",
     "f(on_r), f(on_p)", false},
    {"prior",
     "R pr_r = 1\nX1 pr_s\nbus -> pr_s -> pr_r\n"
     "switch pr_s off, on when prior(e(bus)) > 6/5, off when prior(e(bus)) < 4/5\n",
     "f(pr_r)", true},
    {"impulse",
     "I im_l = 1/2\nR im_r = 1\nSe im_g = 0\n0 im_n\n1 im_j\nX1 im_s\nX1 im_d\n"
     "bus -> im_s -> im_n -> im_j -> im_l\nim_j -> im_r\nim_g -> im_d -> im_n\n"
     "switch im_s on, off at 0.53, on at 1.73\n"
     "switch im_d off, on when impulse(e(im_n)) < -1/100, off when f(im_d) < 0 or on(im_s)\n",
     "f(im_l)", true},
    {"within",
     "I wi_a = 1/2\nI wi_b = 1/3\nR wi_p = 1\nR wi_q = 1/2\n1 wi_x\n1 wi_y\nX0 wi_c\n"
     "bus -> wi_x -> wi_a\nwi_x -> wi_p\nwi_x -> wi_c -> wi_y -> wi_b\nwi_y -> wi_q\n"
     "automaton wi_c {\nopen off initial\nclosed on\ntorn off\njoined on\n"
     "open -> closed when t >= 0.47\nclosed -> torn when within(f(wi_b)) >= 1/10\n"
     "torn -> joined when t >= 1.31\n}\n",
     "f(wi_a), f(wi_b)", true},
    {"int", "Sf in_u = -3/2*int(e(bus) - 1, 0)\nin_u -> bus\n", "f(in_u)", true},
    {"table", "Sf ta_u = table(\"cross.csv\", \"u\")\nta_u -> bus\n", "f(ta_u)", true},
    {"if", "Sf if_u = if(e(bus) > 11/10, 0.3, 1/5)\nif_u -> bus\n", "f(if_u)", false},
    {"sign", "I si_l = 1/2\nR si_r : e = 4/5*sign(f)\n1 si_j\nbus -> si_j -> si_l\nsi_j -> si_r\n",
     "f(si_l), e(si_r)", false},
    {"abs",
     "I ab_l = 1/2\nR ab_r : e = 2*f*abs(f) + f/5\n1 ab_j\nbus -> ab_j -> ab_l\nab_j -> ab_r\n",
     "f(ab_l)", false},
    {"automaton",
     "R au_r = 2\nX1 au_s\nbus -> au_s -> au_r\n"
     "automaton au_s {\nidle off initial\nbusy on\ntired off\n"
     "idle -> busy when e(bus) > 1.13\nbusy -> tired when e(bus) < 0.9\n"
     "tired -> busy when e(bus) > 1.01 and t > 1.5\n}\n",
     "f(au_r)", true},
    {"pwm",
     "R pw_r = 2\nX1 pw_s\nbus -> pw_s -> pw_r\n"
     "switch pw_s pwm(1/8, 1/2 + 3/10*sin(3*t))\n",
     "f(pw_r)", true},
    {"detachable",
     "Sf de_u = 1/4, detachable\nX1 de_s\nde_u -> de_s -> bus\n"
     "switch de_s on, off at 0.63, on at 1.21\n",
     "f(de_s)", true},
    {"dependent",
     "C ds_c = 1/2, e0 = 1/3\nC ds_d = 1/4\nR ds_r = 5\n0 ds_n\nX1 ds_s\nbus -> ds_d\n"
     "bus -> ds_s -> ds_n -> ds_c\nds_n -> ds_r\n"
     "switch ds_s off, on at 0.71, off at 1.41\n",
     "e(ds_c)", true},
    {"forbidden",
     "Se fo_v = 3\nSe fo_g = 0\nI fo_l = 1/2\n0 fo_n\n1 fo_j\nX1 fo_s\nX1 fo_d\n"
     "fo_v -> fo_s -> fo_n -> fo_j -> bus\nfo_g -> fo_d -> fo_n\nfo_j -> fo_l\n"
     "switch fo_s on, off at 0.29, on at 0.43, off at 0.97, on at 1.77\n"
     "switch fo_d off, on when e(fo_n) < 0, off when f(fo_d) < 0\n",
     "f(fo_l)", true},
    {"sliding",
     "Se sl_v = 3\nC sl_c = 1/2\nR sl_r = 1\nR sl_b = 2\n0 sl_n\n1 sl_f\n1 sl_j\nX1 sl_s\n"
     "sl_v -> sl_s -> sl_f -> sl_n -> sl_c\nsl_f -> sl_r\nsl_n -> sl_j -> bus\nsl_j -> sl_b\n"
     "switch sl_s on, off when e(sl_n) > 3/2, on when e(sl_n) < 3/2\n",
     "e(sl_n), f(sl_f)", true},
    {"accumulation",
     "Se ac_w = -10\nSf ac_u = -prior(f(ac_v))/2\nI ac_m = 1\nTF ac_t = 20\n1 ac_v\nX0 ac_s\n"
     "ac_w -> ac_v -> ac_m\nac_u -> ac_s -> ac_v\nbus -> ac_t -> ac_v\n"
     "signal ac_h = int(f(ac_v), 1/3)\n"
     "switch ac_s off, on when ac_h <= 0 and f(ac_v) < 0, off when prior(f(ac_v)) > 0\n",
     "ac_h, f(ac_v)", true},
    {"discrete",
     "discrete di_n = 0\nSf di_u = -di_n/5\nR di_r = 4\nX1 di_s\ndi_u -> bus\nbus -> di_s -> di_r\n"
     "automaton di_s {\na off initial\nb on\na -> b when e(bus) > 1.07 { di_n = di_n + 1 }\n"
     "b -> a when e(bus) < 0.85 { di_n = di_n/2 }\n}\n",
     "di_n", true},
    {"floor", "Sf fl_u = floor(7*t)/20 - floor(5*t + 1/3)/30\nfl_u -> bus\n", "f(fl_u)", true},
    {"mod",
     "R mo_r = 3\nX1 mo_s\nSf mo_u = mod(t, 3/10)/4\nmo_u -> bus\nbus -> mo_s -> mo_r\n"
     "switch mo_s off, on when mod(t, 7/20) > 1/7, off when mod(t, 7/20) < 1/7\n",
     "f(mo_u), f(mo_r)", true},
    {"steps", "R st_r : e = f*(2 + floor(6*e(bus))/4)\nbus -> st_r\n", "f(st_r)", false},
    {"steps_down", "Sf sd_u = 1/2 - floor(int(e(bus), 1/7)*3)/9\nsd_u -> bus\n", "f(sd_u)", true},
};

enum { FRAGMENTS = sizeof fragments / sizeof *fragments };

/* cube: "" for none, or the coefficient */
static void write_model(jn_str *text, int a, int b, const char *cube)
{
    jn_str_add(text, core);
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

static void test_each_alone(void)
{
    for (int a = 0; a < FRAGMENTS; a++)
        run_pair(a, a);
}

static void test_pairs(void)
{
    for (int a = 0; a < FRAGMENTS; a++)
        for (int b = a + 1; b < FRAGMENTS; b++)
            run_pair(a, b);
}

void suite_sim_cross(void)
{
    TEST_SUITE("sim_cross");
    TEST_ADD(test_each_alone);
    TEST_ADD(test_pairs);
}
