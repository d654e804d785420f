/* test_sim_leaks.c: leaks that are hardly there, put into models that have none, or written as laws.
 *
 * A leak of R ohm moves times and values by parts of about 1/R, and no event comes, goes, or leads
 * elsewhere. The reference is the model without leaks, whose bridge is followed exactly. */
#include "cases.h"

#include <math.h>

#define END 0.043

static bool run_bridge(rig *r, const char *name, double R)
{
    static const char *const junction[] = {"plus", "minus", "n1", "n2", "n3", "gnd"};
    jn_str leaks;
    jn_str_init(&leaks);
    for (int k = 0; k < 6 && R > 0; k++)
        jn_str_addf(&leaks, "R leak%d = %g\n%s -> leak%d\n", k, R, junction[k], k);
    bool made = case_open_with(r, name, "# leaks", jn_str_c(&leaks), JN_METHOD_AUTO);
    if (made)
        rig_to(r, END);
    jn_str_clear(&leaks);
    return made;
}

/* At the start a leak makes efforts of what floated without it, at once or in L/R; then all is as it was. */
static const rig_event *next_after(double start, const rig *r, int *i)
{
    while (*i < r->nevents && r->event[*i].t <= start)
        ++*i;
    return *i < r->nevents ? &r->event[(*i)++] : NULL;
}

static void compare_events(const rig *plain, const rig *leaky, double start, double part)
{
    int i = 0, j = 0;
    for (;;) {
        const rig_event *e = next_after(start, plain, &i), *f = next_after(start, leaky, &j);
        CHECK(!e == !f);
        if (!e || !f)
            return;
        CU_ASSERT_STRING_EQUAL(f->to, e->to);
        CLOSE_REL(f->t, e->t, part);
    }
}

static void check_bridge(const char *name)
{
    static const double R[] = {1e6, 1e9, 1e12};
    rig plain, r;
    if (!run_bridge(&plain, name, 0))
        return;
    CU_ASSERT(jn_sim_is_linear(plain.sim));
    for (int k = 0; k < 3; k++) {
        double part = 20 / R[k] + 1e-11;
        if (run_bridge(&r, name, R[k])) {
            compare_events(&plain, &r, 0, part);
            CLOSE(rig_output(&r, "v"), rig_output(&plain, "v"), 560, 5 * part);
            CLOSE(rig_output(&r, "i1"), rig_output(&plain, "i1"), 20, 5 * part);
        }
        rig_clear(&r);
    }
    rig_clear(&plain);
}

/* Where one phase takes over from another, its current begins at what its leak took, and what the next
 * leak takes is known only as well as the effort that a third one makes of a difference of all currents. */
ALONE(leaks_change_no_event_of_a_bridge_on_a_coil)
{
    (void)method;
    check_bridge("bridge_coil");
}

/* At first all diodes conduct, and the three currents add up to nothing but rounding, times the leaks. */
ALONE(leaks_change_no_event_of_a_bridge_on_a_source)
{
    (void)method;
    check_bridge("bridge_source");
}

/* Diodes on coils and sources slide along nothing: a slide would hide all that comes of one of them. */
static void check_no_slide(const rig *r)
{
    CHECK(case_count(r, JN_EVENT_SLIDING) == 0);
}

/* f(L0) beside a load of resistance alone, where no current of before is left: see the case. */
ALONE(a_bridge_with_leaks_goes_on_conducting)
{
    rig r;
    if (case_open(&r, "bridge_leaky_load", method)) {
        rig_to(&r, 0.055);
        CLOSE(rig_output(&r, "v"), -24.792644235965472, 24.8, 1e-7);
        check_no_slide(&r);
    }
    rig_clear(&r);
}

/* The voltage of the load, from a solution without leaks: see the case. */
static void check_ringing(const char *name, double bound)
{
    rig r;
    if (case_open(&r, name, JN_METHOD_AUTO)) {
        rig_to(&r, 0.02);
        CLOSE(rig_output(&r, "v"), 538.4079163455, 540, 200 * bound);
        rig_to(&r, 0.055);
        CLOSE(rig_output(&r, "v"), 535.6160152112, 540, bound);
        rig_to(&r, 0.06);
        CLOSE(rig_output(&r, "v"), 521.7385806696, 540, bound);
        check_no_slide(&r);
    }
    rig_clear(&r);
}

ALONE(diodes_touch_zero_beside_leaks_of_1e9)
{
    (void)method;
    check_ringing("bridge_leaky_rings", 1e-8);
}

/* What currents are off by fades in L/R, 1e-15 s; else it were 1e5 V at a leak, in which no diode conducts. */
ALONE(diodes_touch_zero_beside_leaks_of_1e12)
{
    (void)method;
    check_ringing("bridge_leaky_shuffled", 1e-7);
}

/* ---- leaks that are laws, and leaks behind coils ------------------------------------------- */

#define OMEGA (100 * acos(-1))

/* The noise of the leak's effort is none of the diode's current. */
BOTH(a_leak_that_is_a_law_lets_a_diode_go)
{
    rig r;
    double turn = atan(OMEGA * 0.11e-6);
    if (case_open(&r, "leak_law_peak", method)) {
        rig_to(&r, 0.015);
        CHECK(r.nevents == 3);
        CLOSE_REL(r.event[2].t, 0.005 + turn / OMEGA, 1e-11);
        CLOSE_REL(rig_output(&r, "v3"), 100 * cos(turn), 1e-11);
        rig_to(&r, 0.05);
        CHECK(r.nevents == 7);
        LEDGER(&r);
    }
    rig_clear(&r);
}

BOTH(a_leak_that_is_a_law_lets_a_coil_go)
{
    static const double changes[] = {0.0191051996153798, 0.02004999588748405, 0.0391038383160385};
    rig r;
    if (case_open(&r, "leak_law_coil", method)) {
        rig_to(&r, 0.015);
        CLOSE_REL(rig_output(&r, "iLs0"), 199.46204110743585, 1e-10);
        rig_to(&r, 0.021);
        CLOSE_REL(rig_output(&r, "iLs0"), 10.094235938297487, 1e-10);
        rig_to(&r, 0.0395);
        CHECK(r.nevents == 5);
        for (int k = 0; k < 3; k++)
            CLOSE_REL(r.event[k + 2].t, changes[k], 1e-11);
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* Where the source is 0 all is known as well as the time is, and no better. */
BOTH(a_diode_beside_a_law_passes_the_zero_of_its_source)
{
    const double R = 1 / (1 / 1000.0 + 1 / 1000.01);
    rig r;
    if (case_open(&r, "leak_law_diode", method)) {
        rig_to(&r, 0.005);
        CLOSE_REL(rig_output(&r, "v1"), 100 * 1000 / 1000.1, 1e-11);
        rig_to(&r, 0.035);
        CLOSE_REL(rig_output(&r, "v1"), -100 * R / (R + 0.1), 1e-11);
        CLOSE_REL(rig_output(&r, "v2"), -100 * R / (R + 0.1) * 1000 / 1000.01, 1e-11);
        LEDGER(&r);
    }
    rig_clear(&r);
}

BOTH(what_has_no_bond_to_a_leak_does_not_feel_it)
{
    rig r;
    if (case_open(&r, "leak_apart", method)) {
        for (int k = 1; k < 50; k++) {
            double t = 1e-3 * k, v = 325 * sin(OMEGA * t);
            rig_to(&r, t);
            CLOSE(rig_output(&r, "v1"), fmax(v, 0), 325, 1e-11);
            CLOSE(rig_output(&r, "v2"), 10 * sin(OMEGA * (t - 5e-12) - 2), 10, 1e-11);
        }
        LEDGER(&r);
    }
    rig_clear(&r);
}

BOTH(a_coil_before_a_leak_is_as_fast_as_its_source)
{
    rig r;
    if (case_open(&r, "leak_behind_coil", method)) {
        for (int k = 1; k < 50; k++) {
            double v = 325 * sin(OMEGA * 1e-3 * k);
            rig_to(&r, 1e-3 * k);
            CLOSE(rig_output(&r, "v3"), v, 325, 1e-11);
            CLOSE(rig_output(&r, "v5"), fmin(v, 0), 325, 1e-11);
        }
        LEDGER(&r);
    }
    rig_clear(&r);
}

BOTH(a_coil_before_a_leak_that_is_a_law_as_well)
{
    rig r;
    if (case_open(&r, "leak_law_of_coil", method)) {
        for (int k = 1; k < 50; k++) {
            rig_to(&r, 1e-3 * k);
            CLOSE(rig_output(&r, "v1"), 325 * sin(OMEGA * 1e-3 * k), 325, 1e-11);
        }
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* How far its first current would get in a while is no scale of what a capacitor holds. */
BOTH(what_is_full_at_once_is_followed_for_long)
{
    rig r;
    if (case_open(&r, "law_fills_at_once", method)) {
        rig_to(&r, 1e8);
        CLOSE_REL(rig_output(&r, "v2"), 0.0951625819639, 1e-11);
        CLOSE_REL(jn_sim_ledger(r.sim).dissipated, -0.5 * expm1(-0.2), 1e-8);
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* ---- leaks at some nodes only -------------------------------------------------------------- */

#define PHASE(name, at, shift, more)                                                               \
    "1 j" name "\nstar -> j" name " -> " at "\nSe u" name " = U*sin(2*pi*F*t + 0.3 - " shift       \
    "*2*pi/3)\nu" name " -> j" name "\n" more
#define DIODE(name, from, to) "X1 " name "\n" from " -> " name " -> " to "\nswitch " name " diode\n"
#define LOAD(from, to, values)                                                                     \
    values "1 load\n" from " -> load -> " to "\nload -> r\nload -> l\noutput i = f(load)\n"

/* Three diodes from sources to a load on the star point, which floats. */
#define THREE_PULSES                                                                               \
    "model pulses\nparam U = 244\nparam F = 60\nSe G = 0\n0 star\n0 a\n0 b\n0 c\n0 plus\n0 "       \
    "gnd\nG -> "                                                                                   \
    "gnd\n" PHASE("1", "a", "0", "") PHASE("2", "b", "1", "") PHASE("3", "c", "2", "")             \
        DIODE("da", "a", "plus") DIODE("db", "b", "plus") DIODE("dc", "c", "plus")                 \
            LOAD("plus", "star", "R r = 9.09\nI l = 0.0824\n")

/* Where one source overtakes another, the leaks at both ends have nothing but the rounding of the two. */
ALONE(a_diode_takes_over_where_leaks_have_nothing)
{
    static const char *const to[] = {"100", "010", "001"};
    real pi = acosl(-1);
    rig plain = {0}, r = {0};
    (void)method;
    bool made = rig_new(&plain, THREE_PULSES, NULL) &&
                rig_new(&r, THREE_PULSES "R k = 1e9\nc -> k\nR m = 1e8\nplus -> m\n", NULL);
    CHECK(made);
    if (made) {
        int first = 0;
        rig_to(&plain, END);
        rig_to(&r, END);
        while (first < r.nevents && r.event[first].t == 0)
            first++;
        CHECK(r.nevents - first == 8);
        for (int k = 0; first + k < r.nevents; k++) {
            CLOSE(r.event[first + k].t, (pi / 6 - 0.3L + k * 2 * pi / 3) / (120 * pi), 1, 1e-10);
            TEST_TEXT(to[k % 3], r.event[first + k].to);
        }
        CLOSE(rig_output(&r, "i"), rig_output(&plain, "i"), 30, 1e-7);
    }
    rig_clear(&r);
    rig_clear(&plain);
}

#define BEHIND(name, R)                                                                            \
    "I l" name " = 0.00271\nR r" name " = " R "\nj" name " -> l" name "\nj" name " -> r" name "\n"
#define SIX_PULSES                                                                                 \
    "model six\nparam U = 119\nparam F = 50\nSe G = 0\n0 star\n0 a\n0 b\n0 c\n0 plus\n0 gnd\nG "   \
    "-> "                                                                                          \
    "gnd\n" PHASE("1", "a", "0", BEHIND("1", "0.97")) PHASE("2", "b", "1", BEHIND("2", "0.207"))   \
        PHASE("3", "c", "2", BEHIND("3", "0.896")) DIODE("d1", "a", "plus")                        \
            DIODE("d2", "gnd", "a") DIODE("d3", "b", "plus") DIODE("d4", "gnd", "b")               \
                DIODE("d5", "c", "plus") DIODE("d6", "gnd", "c")                                   \
                    LOAD("plus", "gnd", "R r = 4.28\nI l = 0.00506\n")

/* The efforts at the leaks are solved for at each point, and scatter there by more than is known of it. */
ALONE(a_stretch_is_not_shortened_for_what_scatters)
{
    rig plain = {0}, r = {0};
    (void)method;
    bool made = rig_new(&plain, SIX_PULSES, &(jn_sim_options){.span = 0.05}) &&
                rig_new(&r,
                        SIX_PULSES "R k = 1e5\ngnd -> k\nR m = 1e7\nstar -> m\nR n = 1e7\na -> n\n"
                                   "R o = 1e7\nc -> o\n",
                        &(jn_sim_options){.span = 0.05});
    CHECK(made);
    if (made) {
        rig_to(&plain, 0.02);
        rig_to(&r, 0.02);
        compare_events(&plain, &r, 1e-8, 1e-5);
        CLOSE(rig_output(&r, "i"), rig_output(&plain, "i"), 30, 1e-5);
    }
    rig_clear(&r);
    rig_clear(&plain);
}

/* ---- leaks that settle together ------------------------------------------------------------ */

/* Six diodes behind coils on a load of three elements, or two and two capacitors. */
#define LINE(name, at, shift, R)                                                                   \
    PHASE(name, at, shift,                                                                         \
          "I l" name " = 0.465e-3\nR r" name " = " R "\nj" name " -> l" name "\nj" name            \
          " -> r" name "\n")
#define SIX_OF_COILS                                                                               \
    "model coils\nparam U = 362\nparam F = 60\nSe G = 0\n0 star\n0 a\n0 b\n0 c\n0 plus\n0 "        \
    "gnd\nG -> "                                                                                   \
    "gnd\n" LINE("1", "a", "0", "0.143") LINE("2", "b", "1", "0.228")                              \
        LINE("3", "c", "2", "0.0695") DIODE("d1", "a", "plus") DIODE("d2", "gnd", "a")             \
            DIODE("d3", "b", "plus") DIODE("d4", "gnd", "b") DIODE("d5", "c", "plus")              \
                DIODE("d6", "gnd", "c") "output i = f(j1)\n"
#define COIL "R r = 8.68\nI l = 6m\n1 load\nplus -> load -> gnd\nload -> r\nload -> l\n"
#define DOUBLER                                                                                    \
    "model doubler\nSe G = 0\n0 star\n0 a\n0 plus\n0 gnd\nG -> gnd\n1 j\nstar -> j -> a\nSe u = "  \
    "65.3*sin(2*pi*50*t + 0.1)\nI l = 0.229m\nR r = 0.0842\nu -> j\nj -> l\nj -> "                 \
    "r\n" DIODE("d1", "a", "plus")                                                                 \
        DIODE("d2", "gnd", "a") "1 high\nplus -> high -> star\nC c = 0.121m\nhigh -> c\n1 "        \
                                "low\nstar -> low -> gnd\nC d = "                                  \
                                "0.949m\nlow -> d\n1 load\nplus -> load -> gnd\nR k = 129\nload "  \
                                "-> k\noutput i = f(load)\n"

/* A leak from one node to another. */
#define ACROSS(name, R, from, to)                                                                  \
    "R k" name " = " R "\n1 x" name "\n" from " -> x" name " -> " to "\nx" name " -> k" name "\n"
#define LEAK(name, law, at) "R k" name law "\n" at " -> k" name "\n"

/* The events, and a current to a part of that of the model without leaks. A run that stops is a failure of rig_to. */
static void check_with(const char *plain_text, const char *text, double part)
{
    rig plain = {0}, r = {0};
    bool made = rig_new(&plain, plain_text, NULL) && rig_new(&r, text, NULL);
    CHECK(made);
    if (made) {
        rig_to(&plain, 0.05);
        rig_to(&r, 0.05);
        compare_events(&plain, &r, 1e-8, part);
        CLOSE(rig_output(&r, "i"), rig_output(&plain, "i"), 30, 10 * part);
    }
    rig_clear(&r);
    rig_clear(&plain);
}

/* Where a diode lets go, the currents of two coils become what leaks let pass, both within 1e-12 s. Were but one of
 * them there at once, the other one would have the diode conduct again. */
ALONE(leaks_of_one_size_settle_together)
{
    (void)method;
    check_with(SIX_OF_COILS COIL,
               SIX_OF_COILS COIL ACROSS("1", "1e9", "a", "plus") ACROSS("2", "1e9", "gnd", "a")
                   ACROSS("3", "1e9", "b", "plus") ACROSS("4", "1e9", "gnd", "b")
                       ACROSS("5", "1e9", "c", "plus") ACROSS("6", "1e9", "gnd", "c"),
               1e-7);
}

/* A coil without a leak is tied to one whose current settles, and has an impulse of that. */
ALONE(what_settles_is_no_impulse_elsewhere)
{
    (void)method;
    check_with(SIX_OF_COILS COIL,
               SIX_OF_COILS COIL LEAK("1", " : f = e/1e8", "a") LEAK("2", " : f = e/1e8", "b")
                   LEAK("3", " : f = e/1e9", "plus"),
               1e-6);
}

/* Leaks hold the current of its coil at 6e-11 A, of 33 A at first. The accuracy of steps is not that of such a
 * current, and a diode would conduct 2 us late. */
ALONE(what_a_leak_leaves_of_a_current_is_known)
{
    (void)method;
    check_with(DOUBLER,
               DOUBLER LEAK("1", " = 1e12", "gnd") LEAK("2", " = 1e12", "star")
                   LEAK("3", " = 1e12", "a") LEAK("4", " = 1e12", "plus"),
               1e-9);
}

/* ---- small resistors ----------------------------------------------------------------------- */

#define WIRE(name, at, shift) PHASE(name, at, shift, "R r" name " = 1n\nj" name " -> r" name "\n")
#define SIX_OF_WIRES                                                                               \
    "model wires\nparam U = 111\nparam F = 50\nSe G = 0\n0 star\n0 a\n0 b\n0 c\n0 plus\n0 "        \
    "gnd\nG -> "                                                                                   \
    "gnd\n" WIRE("1", "a", "0") WIRE("2", "b", "1") WIRE("3", "c", "2") DIODE("d1", "a", "plus")   \
        DIODE("d2", "gnd", "a") DIODE("d3", "b", "plus") DIODE("d4", "gnd", "b")                   \
            DIODE("d5", "c", "plus")                                                               \
                DIODE("d6", "gnd", "c") "R r = 5.24\n1 load\nplus -> load -> gnd\nload -> r\n"

/* One phase takes over from another in 1e-12 s: until their difference has driven the current through both wires. Had
 * the step gone on it would have been 1e8 A. */
ALONE(currents_pass_from_wire_to_wire)
{
    rig r = {0};
    real pi = acosl(-1), lasts = 2e-9L * sqrtl(3) / 2 / 5.24L / (100 * pi);
    (void)method;
    CHECK(rig_new(&r, SIX_OF_WIRES, &(jn_sim_options){.method = JN_METHOD_RADAU, .span = 0.05}));
    if (r.sim) {
        rig_to(&r, 0.05);
        CHECK(r.nevents == 31);
        for (int k = 0; k + 2 < r.nevents; k += 2) {
            real middle = (pi / 6 - 0.3L + k / 2 * pi / 3) / (100 * pi);
            CLOSE(0.5 * (r.event[k + 1].t + r.event[k + 2].t), middle, 1, 1e-15);
            CLOSE(r.event[k + 2].t - r.event[k + 1].t, lasts, 1e-12, 1e-3);
        }
        LEDGER(&r);
    }
    rig_clear(&r);
}

void suite_sim_leaks(void)
{
    TEST_SUITE("sim_leaks");
    TEST_ADD(leaks_change_no_event_of_a_bridge_on_a_coil);
    TEST_ADD(leaks_change_no_event_of_a_bridge_on_a_source);
    TEST_ADD(a_bridge_with_leaks_goes_on_conducting);
    TEST_ADD(diodes_touch_zero_beside_leaks_of_1e9);
    TEST_ADD(diodes_touch_zero_beside_leaks_of_1e12);
    TEST_ADD(a_leak_that_is_a_law_lets_a_diode_go);
    TEST_ADD(a_leak_that_is_a_law_lets_a_coil_go);
    TEST_ADD(a_diode_beside_a_law_passes_the_zero_of_its_source);
    TEST_ADD(what_has_no_bond_to_a_leak_does_not_feel_it);
    TEST_ADD(a_coil_before_a_leak_is_as_fast_as_its_source);
    TEST_ADD(a_coil_before_a_leak_that_is_a_law_as_well);
    TEST_ADD(what_is_full_at_once_is_followed_for_long);
    TEST_ADD(a_diode_takes_over_where_leaks_have_nothing);
    TEST_ADD(a_stretch_is_not_shortened_for_what_scatters);
    TEST_ADD(leaks_of_one_size_settle_together);
    TEST_ADD(what_settles_is_no_impulse_elsewhere);
    TEST_ADD(what_a_leak_leaves_of_a_current_is_known);
    TEST_ADD(currents_pass_from_wire_to_wire);
}
