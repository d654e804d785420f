/* test_sim_fields.c: runs with fields, with values that switches choose, and with units, against
 * answers worked out by hand; each with both engines. */
#include "testing.h"

#include <math.h>

#include "cases.h"

static const real pi = 3.14159265358979323846264338327950288L;

/* ---- examples ------------------------------------------------------------------------------ */

static bool open_example(rig *r, const char *name, jn_method method)
{
    char path[100];
    snprintf(path, sizeof path, "examples/%s.hbg", name);
    char *text = test_read_file(path);
    bool good = rig_new(r, text, &(jn_sim_options){.method = method});
    free(text);
    CU_ASSERT(good);
    return good;
}

/* The current of the secondary turns while all four diodes conduct: cos(wt) = 1 - wL·i/V. */
BOTH(the_transformer_has_its_answer)
{
    rig r;
    real w = 100 * pi, first = acosl(1 - pi / 30) / w, later = acosl(1 - 2 * pi / 30) / w;
    if (open_example(&r, "transformer", method)) {
        double bound = case_bound(&r);
        rig_to(&r, 0.012);
        CLOSE(rig_output(&r, "i"), 2 - 30 / (pi / 2) * (1 - cosl(w * 0.002L)), 2, bound);
        double area[2];
        for (int k = 0; k < 2; k++) {
            rig_to(&r, 0.02 + 0.01 * k);
            area[k] = rig_output(&r, "area");
        }
        CLOSE((area[1] - area[0]) / 0.01, 2 / pi * (30 - pi), 17, bound);
        rig_to(&r, 0.04);
        for (int k = 0; k < 4; k++) {
            CLOSE(rig_at(&r, 1 + 2 * k)->t, 0.01L * k + (k ? later : first), 0.01, bound);
            TEST_TEXT(k % 2 ? "1001" : "0110", rig_at(&r, 1 + 2 * k)->to);
        }
        for (int k = 0; k < 3; k++) {
            CLOSE(rig_at(&r, 2 + 2 * k)->t, 0.01L * (k + 1), 0.01, bound);
            TEST_TEXT("1111", rig_at(&r, 2 + 2 * k)->to);
        }
        CU_ASSERT_EQUAL(r.nevents, 8);
        CLOSE(rig_output(&r, "i"), -2, 2, bound);
        CU_ASSERT(jn_sim_ledger(r.sim).lost == 0);
    }
    rig_clear(&r);
}

/* Two modes of vibration until the clamp closes at π/2, one of them after it. */
BOTH(the_tool_has_its_answer)
{
    rig r;
    if (open_example(&r, "tool", method)) {
        double bound = case_bound(&r);
        for (double t = 0.25; t < 5; t += 0.25) {
            rig_to(&r, t);
            bool held = t > (double)(pi / 2);
            real x = (cosl(2 * t) + cosl(4 * t)) / 2, y = (cosl(2 * t) - cosl(4 * t)) / 2;
            real after = -0.6L + 0.6L * cosl(sqrtl(10) * (t - pi / 2));
            CLOSE(rig_output(&r, "x"), held ? after : x, 1, bound);
            CLOSE(rig_output(&r, "y"), held ? -1 : y, 1, bound);
            CLOSE(rig_output(&r, "force"), held ? -10 - 6 * after : -6 * x + 10 * y, 10, bound);
            CLOSE(rig_output(&r, "energy"), 5, 5, bound);
        }
        CLOSE(rig_at(&r, 1)->t, pi / 2, 1, bound);
        CU_ASSERT_EQUAL(r.nevents, 2);
        CU_ASSERT(fabs(jn_sim_ledger(r.sim).lost) < bound);
    }
    rig_clear(&r);
}

BOTH(the_heater_has_its_answer)
{
    rig r;
    if (open_example(&r, "heater", method)) {
        double bound = case_bound(&r);
        real t = 1000 * logl(30 / 8.0L), cools = 5000 / 3.0L * logl(1.5L),
             warms = 1000 * logl(1.5L);
        rig_to(&r, 500);
        CLOSE(rig_output(&r, "temperature"), 30 * (1 - expl(-0.5L)), 30, bound);
        CLOSE(rig_output(&r, "heating"), (60 - 30 * (1 - expl(-0.5L))) / 0.02L, 3000, bound);
        rig_to(&r, 1500);
        CLOSE(rig_output(&r, "temperature"), 10 + 12 * expl(-(1500 - t) * 3 / 5000), 30, bound);
        CLOSE(rig_output(&r, "heating"), (50 - 12 * expl(-(1500 - t) * 3 / 5000)) / 0.1L, 500,
              bound);
        rig_to(&r, 6000);
        for (int k = 1; k < 10; k++) {
            CLOSE(rig_at(&r, k)->t, t, 1000, bound);
            TEST_TEXT(k % 2 ? "1" : "0", rig_at(&r, k)->to);
            t += k % 2 ? cools : warms;
        }
        CU_ASSERT_EQUAL(r.nevents, 10);
    }
    rig_clear(&r);
}

BOTH(the_car_has_its_answer)
{
    rig r;
    if (open_example(&r, "car", method)) {
        double bound = case_bound(&r);
        real shift = 0.6L * pi, joined = 420 / 13.0L * pi;
        rig_to(&r, 1);
        CLOSE(rig_output(&r, "engine"), 100, 100, bound);
        CLOSE(rig_output(&r, "speed"), 2.5, 2.5, bound);
        rig_to(&r, 2);
        TEST_TEXT("01", rig_mode(&r));
        CLOSE(rig_output(&r, "engine"), 60 * pi, 100, bound);
        CLOSE(rig_output(&r, "speed"), 1.5L * pi, 5, bound);
        rig_to(&r, 5);
        CLOSE(rig_at(&r, 1)->t, shift, 1, bound);
        CLOSE(rig_at(&r, 2)->t, shift + 0.3L, 1, bound);
        CLOSE(rig_at(&r, 2)->lost, 1350 / 13.0L * pi * pi, 1000, bound);
        CLOSE(rig_output(&r, "engine"), joined + 100 / 3.25L * (5 - shift - 0.3L), 100, bound);
        CLOSE(rig_output(&r, "speed"), (joined + 100 / 3.25L * (5 - shift - 0.3L)) / 20, 5, bound);
        CU_ASSERT_EQUAL(r.nevents, 3);
        TEST_TEXT("m/s", r.graph->output[0].unit);
        TEST_TEXT("rad/s", r.graph->output[1].unit);
    }
    rig_clear(&r);
}

/* ---- resistors that are 0 in some modes ---------------------------------------------------- */

/* A text with %s for the value of the resistor r; `s` switches. */
static bool open_with(rig *r, const char *text, const char *value, jn_method method)
{
    jn_str whole;
    jn_str_init(&whole);
    jn_str_addf(&whole, text, value);
    bool good = rig_new(r, jn_str_c(&whole), &(jn_sim_options){.method = method});
    jn_str_clear(&whole);
    CU_ASSERT(good);
    return good;
}

/* As written, through a signal, with a root beside it, over a parameter; and a resistor of 1e-9 in
 * the place of 0, whose run ends near that with 0. */
static const char *const zero[] = {"if(on(s), 0, 4)", "if(not on(s), 4, 0)", "value",
                                   "if(on(s), 0, sqrt(16))", "if(on(s), one - 1, 4)"};
enum { ZEROS = sizeof zero / sizeof *zero };
static const char nearly[] = "if(on(s), 1e-9, 4)";

#define VALUES "signal value = if(on(s), 0, 4)\nparam one = 1\noutput one = one\n"

/* A capacitor of 1/2 F on 6 V: at t = 1 it takes the rest of its charge at once. */
static const char charged[] = VALUES "Se V = 6\nC c = 1/2\nR r = %s\n1 loop\nV -> loop -> r\n"
                                     "loop -> c\nswitch s off, on at 1, off at 2\n"
                                     "output u = e(c), i = f(r), w = e(r)\n";

BOTH(a_short_charges_a_capacitor)
{
    for (int k = 0; k < ZEROS; k++) {
        rig r;
        real before = 6 * (1 - expl(-0.5L));
        if (open_with(&r, charged, zero[k], method)) {
            double bound = case_bound(&r);
            rig_to(&r, 1.5);
            CLOSE(rig_output(&r, "u"), 6, 6, bound);
            CLOSE(rig_output(&r, "i"), 0, 6, bound);
            CLOSE(rig_output(&r, "w"), 0, 6, bound);
            CLOSE(rig_at(&r, 1)->lost, (6 - before) * (6 - before) / 4, 6, bound);
            rig_to(&r, 3);
            CLOSE(rig_output(&r, "u"), 6, 6, bound);
            LEDGER(&r);
        }
        rig_clear(&r);
    }
    rig r;
    if (open_with(&r, charged, nearly, method)) {
        rig_to(&r, 1.5);
        CLOSE(rig_output(&r, "u"), 6, 6, 1e-9);
    }
    rig_clear(&r);
}

/* Two capacitors, 1 F at 10 V and 3 F at 2 V, meet at 4 V; the resistor's bond either way. */
BOTH(a_short_joins_capacitors)
{
    static const char text[] = VALUES "C a = 1, e0 = 10\nC b = 3, e0 = 2\nR r = %s\n0 m\n0 n\n"
                                      "1 l\nm -> a\nn -> b\nm -> l -> n\nl -> r\n"
                                      "switch s off, on at 1, off at 2\n"
                                      "output u = e(a), v = e(b), i = f(r)\n";
    for (int turned = 0; turned < 2; turned++)
        for (int k = 0; k <= ZEROS; k++) {
            rig r;
            jn_str whole;
            jn_str_init(&whole);
            const char *arrow = strstr(text, "l -> r\n");
            jn_str_addf(&whole, "%.*s%s%s", (int)(arrow - text), text,
                        turned ? "r -> l\n" : "l -> r\n", arrow + 7);
            if (open_with(&r, jn_str_c(&whole), k < ZEROS ? zero[k] : nearly, method)) {
                double bound = k < ZEROS ? case_bound(&r) : 1e-8;
                real rest = 8 * expl(-1 / 3.0L); /* 4 Ohm, 3/4 F */
                rig_to(&r, 0.999);
                real i = 2 * expl(-0.999L / 3);
                CLOSE(rig_output(&r, "i"), turned ? -i : i, 2, bound); /* into r */
                rig_to(&r, 1.5);
                CLOSE(rig_output(&r, "u"), 4, 4, bound);
                CLOSE(rig_output(&r, "v"), 4, 4, bound);
                if (k < ZEROS)
                    CLOSE(rig_at(&r, 1)->lost, rest * rest * 3 / 8, 10, bound);
                rig_to(&r, 2.5);
                CLOSE(rig_output(&r, "u"), 4, 4, bound);
            }
            rig_clear(&r);
            jn_str_clear(&whole);
        }
}

/* A current of 6 A divides between a, and r that is 0 in some modes. */
BOTH(a_short_divides_currents)
{
    static const char text[] = VALUES "Sf J = 6\nR a = 2\nR r = %s\n0 n\nJ -> n -> a\n"
                                      "switch s off, on at 1, off at 2\n"
                                      "output i = f(r), j = f(a), u = e(n)\n";
    static const char *const bond[] = {"n -> r\n", "r -> n\n"};
    static const real i[] = {2, 6, 2}, u[] = {8, 0, 8};
    for (int k = 0; k <= 2 * ZEROS + 1; k++) {
        rig r;
        jn_str whole;
        jn_str_init(&whole);
        jn_str_addf(&whole, "%s%s", text, bond[k % 2]);
        if (open_with(&r, jn_str_c(&whole), k / 2 < ZEROS ? zero[k / 2] : nearly, method)) {
            double bound = k / 2 < ZEROS ? case_bound(&r) : 1e-8;
            for (int n = 0; n < 3; n++) {
                rig_to(&r, n + 0.5);
                CLOSE(rig_output(&r, "i"), i[n], 6, bound);
                CLOSE(rig_output(&r, "j"), 6 - i[n], 6, bound);
                CLOSE(rig_output(&r, "u"), u[n], 8, bound);
            }
        }
        rig_clear(&r);
        jn_str_clear(&whole);
    }
}

/* Two shorts in parallel share the current evenly, as two of 1e-9 do; without values for it they
 * would be in a loop that leaves it open. */
BOTH(parallel_shorts_share)
{
    static const char text[] =
        VALUES "Sf J = 6\nR a = if(on(s), 0, 3)\nR r = %s\n0 n\nJ -> n -> a\n"
               "n -> r\nswitch s off, on at 1\n"
               "output i = f(r), j = f(a), u = e(n)\n";
    rig r;
    if (open_with(&r, text, zero[0], method)) {
        rig_to(&r, 2);
        CLOSE(rig_output(&r, "i"), 3, 6, case_bound(&r));
        CLOSE(rig_output(&r, "j"), 3, 6, case_bound(&r));
        CLOSE(rig_output(&r, "u"), 0, 6, case_bound(&r));
        CU_ASSERT(jn_sim_shared(r.sim) != NULL);
    }
    rig_clear(&r);
}

/* Two sources that a short joins are in conflict, like any two; if they agree they are not. */
BOTH(a_short_makes_sources_conflict)
{
    static const char text[] = VALUES "Se V = 6\nSe W = 2\nR r = %s\n1 loop\nV -> loop -> r\n"
                                      "loop -> W\nswitch s off, on at 1\noutput i = f(r)\n";
    rig r;
    if (open_with(&r, text, zero[0], method)) {
        CU_ASSERT_EQUAL(rig_try(&r, 2), JN_STOP_FORBIDDEN);
        CLOSE(r.stop.t, 1, 1, 1e-15);
        CU_ASSERT_PTR_NOT_NULL(strstr(r.message, "W = V"));
        CLOSE(rig_output(&r, "i"), 1, 1, 1e-12);
    }
    rig_clear(&r);
}

/* A diode lets go when a short would put a higher voltage behind it: its mode is only asked. */
BOTH(a_short_and_a_diode_agree)
{
    static const char text[] = VALUES
        "Se V = 6\nSe W = 10\nR a = 2\nR r = %s\n1 left\n1 right\n0 n\nX1 d\nV -> left -> d\n"
        "left -> a\nd -> n\nW -> right -> n\nright -> r\nR load = 4\nn -> load\n"
        "switch d diode\nswitch s off, on at 1, off at 2\noutput i = f(d), u = e(n)\n";
    for (int k = 0; k <= ZEROS; k++) {
        rig r;
        if (open_with(&r, text, k < ZEROS ? zero[k] : nearly, method)) {
            double bound = k < ZEROS ? case_bound(&r) : 1e-8;
            real u = (6 / 2.0L + 10 / 4.0L) / (1 / 2.0L + 1 / 4.0L + 1 / 4.0L);
            rig_to(&r, 0.5);
            CLOSE(rig_output(&r, "u"), u, 10, bound);
            CLOSE(rig_output(&r, "i"), (6 - u) / 2, 10, bound);
            rig_to(&r, 1.5);
            CLOSE(rig_output(&r, "u"), 10, 10, bound);
            CLOSE(rig_output(&r, "i"), 0, 10, bound);
            rig_to(&r, 2.5);
            CLOSE(rig_output(&r, "i"), (6 - u) / 2, 10, bound);
        }
        rig_clear(&r);
    }
}

/* Two resistors on one bond, one of them 0 in some modes, and a diagonal field as both. */
BOTH(a_short_among_resistors_is_no_division)
{
    static const char *const text[] = {
        VALUES "Sf J = 6\nR r = %s\n1 x\nR a = 1\n0 n\nJ -> n -> a\nn -> x -> r\nR b = 2\nx -> b\n"
               "switch s off, on at 1\noutput u = e(n), i = f(b)\n",
        VALUES "Sf J = 6\nR F(r, b) = [%s, 0; 0, 2]\n1 x\nR a = 1\n0 n\nJ -> n -> a\n"
               "n -> x -> F.r\nx -> F.b\nswitch s off, on at 1\n"
               "output u = e(n), i = f(F.b)\n"};
    for (int form = 0; form < 2; form++) {
        rig r;
        if (open_with(&r, text[form], zero[0], method)) {
            rig_to(&r, 0.5);
            CLOSE(rig_output(&r, "u"), 36 / 7.0L, 6, case_bound(&r));
            rig_to(&r, 1.5);
            CLOSE(rig_output(&r, "u"), 4, 6, case_bound(&r));
            CLOSE(rig_output(&r, "i"), 2, 6, case_bound(&r));
        }
        rig_clear(&r);
    }
}

/* Where a ratio is 0 nothing passes: a coil behind the transformer stands, one behind a gyrator
 * keeps its current. */
BOTH(a_ratio_of_zero_passes_nothing_on)
{
    static const char text[] =
        "Se V = 6\nR a = 2\nTF n = if(on(s), 0, 3)\nI L = 4\nR b = 9\n1 left\n1 right\n"
        "V -> left -> n -> right -> L\nleft -> a\nright -> b\nswitch s on, off at 1, on at 2\n"
        "output i = f(left), j = f(L)\n";
    /* f_left = f_right/3: 6 = 2 f/3 + 3 (4 f' + 9 f), 12 f' = 6 - 83/3 f */
    rig r;
    if (rig_new(&r, text, &(jn_sim_options){.method = method})) {
        double bound = case_bound(&r);
        real end = 18 / 83.0L * (1 - expl(-83 / 36.0L));
        rig_to(&r, 0.5);
        CLOSE(rig_output(&r, "i"), 3, 3, bound); /* e_left = 0·e_right */
        CLOSE(rig_output(&r, "j"), 0, 3, bound); /* f_right = 0·f_left */
        rig_to(&r, 1.999999999);
        CLOSE(rig_output(&r, "j"), end, 3, 1e-8);
        CLOSE(rig_output(&r, "i"), end / 3, 3, 1e-8);
        rig_to(&r, 2.5);
        CLOSE(rig_output(&r, "j"), 0, 3, bound); /* its flow is held at 0 */
        CLOSE(rig_at(&r, 2)->lost, 2 * end * end, 1, bound);
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* ---- fields among other things ------------------------------------------------------------- */

#define VARIED(start)                                                                              \
    "C c = if(on(s), 1, 4), " start "\nR r = 1\n0 n\nn -> c\nn -> r\nswitch s off, on at 1\n"      \
    "output q = q(c), e = e(c)\n"
#define VARIED_FIELD(start)                                                                        \
    "C c(a, b) = [if(on(s), 1, 4), 0; 0, 1]" start "\nR r = 1\nR z = 1\n0 n\n0 m\nn -> c.a\n"      \
    "n -> r\nm -> c.b\nm -> z\nswitch s off, on at 1\noutput q = q(c.a), e = e(c.a)\n"

/* A capacitor of 4 F and 4 C on 1 Ohm that becomes one of 1 F: its charge stays, and who changed it
 * has done work; the same with a field of it, and with its effort given. */
BOTH(a_storage_may_change_its_value)
{
    static const char *const text[] = {VARIED("q0 = 4"), VARIED("e0 = 1"),
                                       VARIED_FIELD(", q0 = [4, 0]"),
                                       VARIED_FIELD(", e0 = [1, 0]")};
    for (int k = 0; k < 4; k++) {
        rig r;
        real q = 4 * expl(-0.25L), end = q * expl(-1);
        if (rig_new(&r, text[k], &(jn_sim_options){.method = method})) {
            double bound = case_bound(&r);
            rig_to(&r, 2);
            CLOSE(rig_output(&r, "q"), end, 4, bound);
            CLOSE(rig_output(&r, "e"), end, 4, bound);
            jn_ledger l = jn_sim_ledger(r.sim);
            CLOSE(l.supplied, q * q / 2 - q * q / 8, 4, bound);
            CLOSE(l.stored, end * end / 2 - 2, 4, bound);
            CLOSE(l.dissipated, 2 - q * q / 8 + q * q / 2 - end * end / 2, 4, bound);
            CLOSE(l.lost, 0, 1, bound);
            CU_ASSERT(jn_sim_residue(r.sim) < bound);
        }
        rig_clear(&r);
    }
}

/* Nothing is given: they begin empty. 1 A into 1 Ohm and what is 4 F at first. */
BOTH(a_storage_that_changes_may_begin_empty)
{
    static const char *const text[] = {VARIED("priority 1") "Sf J = 1\nJ -> n\n",
                                       VARIED_FIELD("") "Sf J = 1\nJ -> n\n"};
    for (int k = 0; k < 2; k++) {
        rig r;
        if (rig_new(&r, text[k], &(jn_sim_options){.method = method})) {
            rig_to(&r, 0.5);
            CLOSE(rig_output(&r, "q"), 4 * -expm1l(-0.125L), 4, case_bound(&r));
        }
        rig_clear(&r);
    }
}

/* Two coils of one loop, with and then against each other: 2 + 3 + 2 = 7 H become 3 H, the flux of
 * the loop stays, and the current with 6 V and 4 Ohm goes on from there. */
BOTH(ports_of_a_field_may_depend)
{
    static const char text[] =
        "Se V = 6\nI M(a, b) = [2, if(on(s), -1, 1); if(on(s), -1, 1), 3]\nR r = 4\n1 loop\n"
        "V -> loop -> M.a\nloop -> M.b\nloop -> r\nswitch s off, on at 1\n"
        "output i = f(r), flux = p(M.a) + p(M.b)\n";
    rig r;
    if (rig_new(&r, text, &(jn_sim_options){.method = method})) {
        double bound = case_bound(&r);
        real i = 1.5L * (1 - expl(-4 / 7.0L)), after = 1.5L + (7 * i / 3 - 1.5L) * expl(-2 / 3.0L);
        rig_to(&r, 0.5);
        CLOSE(rig_output(&r, "i"), 1.5L * (1 - expl(-2 / 7.0L)), 1, bound);
        rig_to(&r, 1.5);
        CLOSE(rig_output(&r, "i"), after, 1, bound);
        CLOSE(rig_output(&r, "flux"), 3 * after, 1, bound);
        jn_ledger l = jn_sim_ledger(r.sim);
        CLOSE(l.supplied - l.stored - l.dissipated - l.lost, 0, 10, bound);
    }
    rig_clear(&r);
}

/* A body in a plane: a gyroscopic field turns its velocity, a drag that grows with the square of
 * the speed slows it down: 5/(1 + 5 t), turned by 2 t. */
static const char drag[] = "I mx = 1, f0 = 3\nI my = 1, f0 = 4\nR G(x, y) = [0, -2; 2, 0]\n"
                           "R dx : e = f*sqrt(f(mx)^2 + f(my)^2)\n"
                           "R dy : e = f*sqrt(f(mx)^2 + f(my)^2)\n1 x\n1 y\nx -> mx\ny -> my\n"
                           "x -> G.x\ny -> G.y\nx -> dx\ny -> dy\noutput x = f(mx), y = f(my)\n";

ALONE(gyroscopic_forces_turn_and_drag_slows)
{
    rig r;
    if (rig_new(&r, drag, &(jn_sim_options){.method = method})) {
        for (int k = 1; k <= 8; k++) {
            real t = k / 4.0L, speed = 5 / (1 + 5 * t), angle = atan2l(4, 3) - 2 * t;
            rig_to(&r, (double)t);
            CLOSE(rig_output(&r, "x"), speed * cosl(angle), 1, 1e-8);
            CLOSE(rig_output(&r, "y"), speed * sinl(angle), 1, 1e-8);
        }
        jn_ledger l = jn_sim_ledger(r.sim);
        CLOSE(l.dissipated, (25 - 25 / 121.0L) / 2, 12, 1e-8);
    }
    rig_clear(&r);
}

/* The currents of the coils [2 1; 1 3] on 4 and 1 Ohm with u on the first, a little later. */
static void coils_step(real i[2], real u, real h)
{
    real k[4][2], at[2];
    for (int n = 0; n < 4; n++) {
        real step = n == 0 ? 0 : n == 3 ? h : h / 2;
        for (int c = 0; c < 2; c++)
            at[c] = i[c] + (n ? step * k[n - 1][c] : 0);
        real a = u - 4 * at[0], b = -at[1];
        k[n][0] = (3 * a - b) / 5;
        k[n][1] = (2 * b - a) / 5;
    }
    for (int c = 0; c < 2; c++)
        i[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
}

/* A field without a diagonal only turns efforts into flows: q' = -q/5 - 10/2, and between two resistors
 * q' = (2*10 - 5*q)/19. */
BOTH(a_field_may_have_no_diagonal)
{
    static const char *const text[] = {"R r = 5\n0 n\nV -> M.a\nn -> M.b\nn -> c\nn -> r\n",
                                       "R r = 5\nR k = 3\n1 u\n1 n\nV -> u -> M.a\nu -> r\n"
                                       "n -> c\nn -> M.b\nn -> k\n"};
    const real q[] = {-25 * (1 - expl(-0.2L)), 4 * (1 - expl(-5 / 19.0L))};
    for (int k = 0; k < 2; k++) {
        char all[400];
        rig r;
        snprintf(all, sizeof all, "Se V = 10\nC c = 1\nR M(a, b) = [0, 2; -2, 0]\n%s", text[k]);
        bool good = rig_new(&r, all, &(jn_sim_options){.method = method});
        CU_ASSERT(good);
        if (good) {
            rig_to(&r, 1);
            CLOSE(jn_sim_state(r.sim)[0], q[k], 5, case_bound(&r));
        }
        rig_clear(&r);
    }
}

/* A relay holds the current of the first coil at 1 A: from there on the second is on its own, and
 * has the time constant 3. */
BOTH(a_field_may_slide)
{
    static const char text[] =
        "Se V = if(f(M.a) > 1, 0, 6)\nI M(a, b) = [2; 1, 3]\nR r = 4\nR q = 1\n1 loop\n1 second\n"
        "V -> loop -> M.a\nloop -> r\nsecond -> M.b\nsecond -> q\n"
        "output i = f(M.a), j = f(M.b)\n";
    rig r;
    if (rig_new(&r, text, &(jn_sim_options){.method = method})) {
        double bound = case_bound(&r);
        real i[2] = {0, 0}, t = 0, h = 1e-4L;
        while (i[0] < 1) {
            coils_step(i, 6, h);
            t += h;
        }
        for (int k = 0; k < 5; k++) { /* Newton's method, back to where it is 1 */
            real back = (i[0] - 1) / ((3 * (6 - 4 * i[0]) + i[1]) / 5);
            coils_step(i, 6, -back);
            t -= back;
        }
        rig_to(&r, 3);
        CLOSE(rig_output(&r, "i"), 1, 1, 1e-9);
        CLOSE(rig_output(&r, "j"), i[1] * expl(-(3 - t) / 3), 1, 10 * bound);
        CLOSE(rig_at(&r, 1)->t, t, 1, 10 * bound);
    }
    rig_clear(&r);
}

/* The second coil on a diode and 1 Ohm: while the first is switched on it is blocked (its flux is
 * p_a/2), and carries i_a/3 from one moment to the next when the first is switched off. */
BOTH(a_field_and_a_diode_agree)
{
    static const char text[] =
        "Se V = 6\nI M(a, b) = [2; 1, 3]\nR r = 4\nR q = 1\nX1 q1\n1 loop\n1 second\nX1 d\n"
        "V -> q1 -> loop -> M.a\nloop -> r\nsecond -> M.b\nsecond -> d -> q\n"
        "switch q1 on, off at 1\nswitch d diode\n"
        "output i = f(M.a), j = f(M.b), flux = p(M.b)\n";
    rig r;
    if (rig_new(&r, text, &(jn_sim_options){.method = method})) {
        double bound = case_bound(&r);
        real i = 1.5L * (1 - expl(-2)), j = i / 3;
        rig_to(&r, 0.5);
        CLOSE(rig_output(&r, "i"), 1.5L * (1 - expl(-1)), 1, bound);
        CLOSE(rig_output(&r, "j"), 0, 1, bound);
        CLOSE(rig_output(&r, "flux"), 1.5L * (1 - expl(-1)), 1, bound);
        rig_to(&r, 2);
        CLOSE(rig_output(&r, "i"), 0, 1, bound);
        CLOSE(rig_output(&r, "j"), j * expl(-1 / 3.0L), 1, bound);
        CLOSE(rig_at(&r, 1)->lost, i * i - 3 * j * j / 2, 1, bound);
        TEST_TEXT("01", rig_mode(&r));
    }
    rig_clear(&r);
}

void suite_sim_fields(void)
{
    TEST_SUITE("sim_fields");
    TEST_ADD(the_transformer_has_its_answer);
    TEST_ADD(the_tool_has_its_answer);
    TEST_ADD(the_heater_has_its_answer);
    TEST_ADD(the_car_has_its_answer);
    TEST_ADD(a_short_charges_a_capacitor);
    TEST_ADD(a_short_joins_capacitors);
    TEST_ADD(a_short_divides_currents);
    TEST_ADD(parallel_shorts_share);
    TEST_ADD(a_short_makes_sources_conflict);
    TEST_ADD(a_short_and_a_diode_agree);
    TEST_ADD(a_short_among_resistors_is_no_division);
    TEST_ADD(a_ratio_of_zero_passes_nothing_on);
    TEST_ADD(a_storage_may_change_its_value);
    TEST_ADD(a_storage_that_changes_may_begin_empty);
    TEST_ADD(ports_of_a_field_may_depend);
    TEST_ADD(gyroscopic_forces_turn_and_drag_slows);
    TEST_ADD(a_field_may_have_no_diagonal);
    TEST_ADD(a_field_may_slide);
    TEST_ADD(a_field_and_a_diode_agree);
}
