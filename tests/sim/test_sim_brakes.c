/* test_sim_brakes.c: brakes and clutches beside dry friction.
 *
 * What a brake has to hold depends on what a friction beside it bears, and that is known only once the friction
 * is known to stick or not. All references are by hand: a body at rest is in balance, and one that moves has a
 * constant acceleration. */
#include "rig.h"

#include <math.h>

/* Two masses at rest, pulled by −0.4 and 0.9, with a friction up to 2 between them and a brake up to 1 on the second
 * one: the friction bears 0.4, the brake 0.5, and nothing moves. With the friction on one of its sides the brake would
 * have to bear −1.1 or 2.9. */
static void a_brake_is_asked_when_frictions_are_known(void)
{
    static const char *const frictions[] = {"R c : e = 2*sign(f)",
                                            "Se c = 2*sign(f(b) - f(a))"}; /* the latter exactly */
    static const char *const brakes[] = {
        "brake(1)", "on, off when abs(e(k)) > 1", "on, off when not (e(k) < 1 and e(k) > -1)",
        "on, off when e(k)^2 > 1", "on, off when e(k) > 1 or e(k) < -1"};
    for (size_t i = 0; i < 2 * sizeof brakes / sizeof *brakes; i++) {
        jn_str text;
        rig r;
        jn_str_init(&text);
        jn_str_addf(&text,
                    "I a = 1\nI b = 1\nSe F = -0.4\nSe G = 0.9\n%s\n1 va\n1 vb\n0 j\nX0 k\n"
                    "F -> va -> a\nG -> vb -> b\nvb -> j -> va\n%s\nvb -> k\nswitch k %s\n"
                    "output v = f(a), w = f(b), e = e(c), h = e(k)\n",
                    frictions[i % 2], i % 2 ? "c -> j" : "j -> c", brakes[i / 2]);
        CU_ASSERT_FATAL(rig_new(&r, jn_str_c(&text), NULL));
        for (double t = 0; t < 2; t++) {
            rig_to(&r, t);
            CLOSE(rig_output(&r, "v"), 0, 1, 1e-14);
            CLOSE(rig_output(&r, "w"), 0, 1, 1e-14);
            CLOSE(rig_output(&r, "e"), 0.4L, 1, 1e-12);
            CLOSE(rig_output(&r, "h"), 0.5L, 1, 1e-12);
        }
        rig_clear(&r);
        jn_str_clear(&text);
    }
}

/* A pair of 1/2 and 1 stuck together by a friction of 2, thrown with −1 against a pull of F from t = 0 on, which is
 * on the upper one. At t = 1.5/F it comes to stand. The friction cannot give the brake on the lower one more than 2;
 * without it F moves both again with F/1.5, if it gives the brake more than 1. */
static void a_pair_that_turns_round_is_not_held_beyond_the_limit(void)
{
    static const double pull[] = {0.9, 1.1, 1.9, 2.04, 2.9}; /* the last: it sticks up to 3·2 */
    for (size_t i = 0; i < sizeof pull / sizeof *pull; i++) {
        jn_str text;
        rig r;
        double f = pull[i], stands = 1.5 / f;
        jn_str_init(&text);
        jn_str_addf(&text,
                    "I a = 0.5, f0 = -1\nI b = 1, f0 = -1\nSe F = %g\nR c : e = 2*sign(f)\n1 va\n"
                    "1 vb\n0 j\nX0 k\nva -> a\nF -> vb -> b\nvb -> j -> va\nj -> c\nva -> k\n"
                    "switch k brake(1)\noutput v = f(a), w = f(b), h = e(k)\n",
                    f);
        CU_ASSERT_FATAL(rig_new(&r, jn_str_c(&text), NULL));
        rig_to(&r, stands + 1);
        bool held = f < 1;
        CLOSE(rig_output(&r, "v"), held ? 0 : f / 1.5L, 1, 1e-10);
        CLOSE(rig_output(&r, "w"), held ? 0 : f / 1.5L, 1, 1e-10);
        CLOSE(rig_output(&r, "h"), held ? f : 0, 1, 1e-10);
        LEDGER(&r);
        rig_clear(&r);
        jn_str_clear(&text);
    }
}

/* A body that rubs with 2 on one that sticks to the ground with up to 3 is stopped by a clutch, at −0.2, or by a brake
 * when it stands. Then nothing says what the frictions bear, and of all that is possible the least is taken: they are
 * 0, and the clutch or brake bears the force on the body. */
static void what_is_stopped_beside_a_friction_leaves_it(void)
{
    static const char *const stops[] = {"off, on when f(b) > -0.2", "brake(2)", "on"};
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        jn_str text;
        rig r;
        jn_str_init(&text);
        jn_str_addf(&text,
                    "I a = 0.5\nI b = 1, f0 = %g\nSe F = 0.5*cos(t)\nR g : e = 3*sign(f)\n"
                    "R c : e = 2*sign(f)\n1 va\n1 vb\n0 j\nX0 k\nva -> a\nva -> g\nF -> vb -> b\n"
                    "vb -> j -> va\nj -> c\nvb -> k\nswitch k %s\n"
                    "output v = f(a), w = f(b), e = e(c), d = e(g), h = e(k)\n",
                    i == 2 ? 0 : -0.5, stops[i]);
        CU_ASSERT_FATAL(rig_new(&r, jn_str_c(&text), NULL));
        for (double t = 0.5; t < 5; t += 0.5) {
            rig_to(&r, t);
            CLOSE(rig_output(&r, "v"), 0, 1, 1e-14);
            CLOSE(rig_output(&r, "w"), 0, 1, 1e-14);
            CLOSE(rig_output(&r, "e"), 0, 1, 1e-12);
            CLOSE(rig_output(&r, "d"), 0, 1, 1e-12);
            CLOSE(rig_output(&r, "h"), 0.5L * cosl(t), 1, 1e-12);
        }
        LEDGER(&r);
        rig_clear(&r);
        jn_str_clear(&text);
    }
}

/* A mass of 2 that sticks with up to 2, on a spring and with a damper, pulled by t − 1, is held by a clutch in between.
 * It stays until t = 3, and then p' = t − 1 − 2 − 44 x − p/20, x' = p/2 from rest: p = Σ a_n τⁿ/n!. */
static void what_sticks_after_a_clutch_costs_no_time(void)
{
    static const char text[] =
        "I m = 2\nSe F = t-1\nC K = 1/44\nR D = 0.1\nR c : e = 2*sign(f)\n1 v\nX0 b\nSf z = 0\n"
        "F -> v -> m\nv -> K\nv -> D\nv -> c\nv -> b -> z\nswitch b off, on at 0.7, off at 1.3\n"
        "output w = f(m)\nsimulate to 4 every 1\n";
    rig r;
    CU_ASSERT_FATAL(rig_ends(text, NULL, 4));
    CU_ASSERT_FATAL(rig_new(&r, text, NULL));
    rig_to(&r, 2.9);
    CLOSE(rig_output(&r, "w"), 0, 1, 1e-15);
    rig_to(&r, 4);
    long double a[40] = {0, 0, 1}, p = 0, factorial = 1;
    for (int n = 0; n < 40; n++) {
        if (n > 2)
            a[n] = -22 * a[n - 2] - a[n - 1] / 20;
        factorial *= n ? n : 1;
        p += a[n] / factorial;
    }
    CLOSE(rig_output(&r, "w"), p / 2, 1, 1e-12);
    LEDGER(&r);
    rig_clear(&r);
}

/* A bench of two sources and a coil of 0.3 at −1 A on a diode, whose current is 0 just after one of the sources has
 * stepped, at t = π − 1, and falls from there: it lets go at once. Then j = i + 1 has j' = −(j + 2 sin 2τ)/0.9. */
static void what_is_zero_after_a_step_of_time_goes_on(void)
{
    static const char text[] =
        "0 n\n1 j\nn -> j\nSe V = 2*sin(2*t+2)\nV -> j\nR r = 1\nj -> r\n1 k\nk -> n\n"
        "Se W = if(sin(1*t+1) > 0, 2, -0.5)\nW -> k\nR s = 0.5\nk -> s\n1 l\nn -> l\nI L = 0.3, f0 "
        "= "
        "-1\n"
        "l -> L\nX1 D\nn -> D\nswitch D diode\noutput i = f(L)\n";
    for (int exact = 0; exact < 2; exact++) {
        rig r;
        jn_sim_options o = {.method = exact ? JN_METHOD_EXACT : JN_METHOD_RADAU};
        CU_ASSERT_FATAL(rig_new(&r, text, &o));
        rig_to(&r, 2);
        CLOSE(rig_output(&r, "i"), -1, 1, 1e-12);
        CU_ASSERT_STRING_EQUAL(rig_mode(&r), "1");
        for (int k = 1; k < 11; k++) {
            long double tau = 0.1L * k, a = 1 / 0.9L;
            long double j =
                -2 * a * (a * sinl(2 * tau) - 2 * cosl(2 * tau) + 2 * expl(-a * tau)) / (a * a + 4);
            rig_to(&r, (double)(tau + 2.14159265358979323846L));
            CLOSE(rig_output(&r, "i"), j - 1, 1, 1e-11);
            CU_ASSERT_STRING_EQUAL(rig_mode(&r), "0");
        }
        LEDGER(&r);
        rig_clear(&r);
    }
}

/* A mass of 1/2 at 2 m/s, on whose brake nothing acts as long as it moves, meets a wall that gives back 0.6: where the
 * brake is held at the wall's speed the two are in conflict, and it lets go. With a drag of 0.1 v³ v is
 * 1/√(1/4 + 0.4 t), and the wall is reached at √(1/4 + 0.4 t) = 0.54; without, at t = 0.1. */
static void a_brake_beside_a_wall_is_passed_over(void)
{
    static const jn_method method[] = {JN_METHOD_RADAU, JN_METHOD_EXACT, JN_METHOD_AUTO};
    for (int i = 0; i < 3; i++) {
        jn_str text;
        rig r;
        jn_sim_options o = {.method = method[i]};
        bool drags = i == 2;
        long double met = drags ? (0.54L * 0.54L - 0.25L) / 0.4L : 0.1L;
        long double back = 0.6L * (drags ? 1 / 0.54L : 2);
        jn_str_init(&text);
        jn_str_addf(&text,
                    "I m = 0.5, f0 = 2\n1 v\nv -> m\nsignal x = int(f(m), 0)\nX0 b\nv -> b\n"
                    "switch b brake(0.5)\nX0 w\nv -> w\nSf s = -0.6*prior(f(m))\nw -> s\n"
                    "switch w off, on when x > 0.2 and f(m) > 0, off when prior(f(m)) < 0\n"
                    "%soutput v = f(m)\n",
                    drags ? "R q : e = 0.1*f^3\nv -> q\n" : "");
        CU_ASSERT_FATAL(rig_new(&r, jn_str_c(&text), &o));
        for (int k = 1; k <= 8; k++) {
            double t = 0.25 * k;
            long double later = drags ? 0.4L * (t - met) : 0;
            rig_to(&r, t);
            CLOSE(rig_output(&r, "v"), -1 / sqrtl(1 / (back * back) + later), 1, 1e-10);
        }
        CU_ASSERT_EQUAL(r.nevents, 2);
        CLOSE(rig_at(&r, 1)->t, met, 1, 1e-11);
        LEDGER(&r);
        rig_clear(&r);
        jn_str_clear(&text);
    }
}

/* A mass at rest on two frictions, that nothing pulls, and a clutch to the ground for a while: all that moves energy is
 * rounding, and is none. */
static void energies_of_what_sticks_add_up(void)
{
    rig r;
    CU_ASSERT_FATAL(rig_new(
        &r,
        "I m = 1\nR c : e = sign(f)\nR d : e = 0.3*sign(f)\n0 a\n0 b\n1 v\nX0 k\nSf z = 0\n"
        "v -> m\nv -> a -> c\nv -> b -> d\nv -> k -> z\nswitch k off, on at 1.1, off at 1.9\n"
        "output w = f(m)\nsimulate to 4 every 0.05\n",
        NULL));
    for (int k = 1; k <= 80; k++) {
        rig_to(&r, 0.05 * k);
        CLOSE(rig_output(&r, "w"), 0, 1, 1e-14);
        CU_ASSERT(jn_sim_residue(r.sim) < 1e-9);
    }
    rig_clear(&r);
}

/* A ball from 5 m on a floor that gives back 1/2 rests from t = 3 on; a body beside it, slowed by 1 from 3.0001 m/s, stands
 * 0.1 ms later, which is no bounce. */
static void what_stands_just_after_a_limit_is_no_part_of_it(void)
{
    static const char *const slowed[] = {"Se c = sign(f(a))", "R c : e = sign(f)"};
    for (int i = 0; i < 2; i++) { /* the former exactly */
        jn_str text;
        rig r;
        jn_str_init(&text);
        jn_str_addf(
            &text,
            "Se g = -10\nI b = 1\n1 v\nX0 h\nSf s = -0.5*prior(f(b))\ng -> v -> b\nv -> h -> s\n"
            "signal y = int(f(b), 5)\n"
            "switch h off, on when y < 0 and f(b) < 0, off when prior(f(b)) > 0\n"
            "I a = 1, f0 = 3.0001\n1 w\n%s\nw -> a\nw -> c\n"
            "output y, v = f(b), w = f(a), e = e(h)\nsimulate to 4 every 0.5\n",
            slowed[i]);
        CU_ASSERT_FATAL(rig_new(&r, jn_str_c(&text), NULL));
        rig_to(&r, 2.5);
        CLOSE(rig_output(&r, "w"), 0.5001L, 1, 1e-12);
        rig_to(&r, 4);
        CLOSE(rig_output(&r, "y"), 0, 1, 1e-10);
        CLOSE(rig_output(&r, "v"), 0, 1, 1e-12);
        CLOSE(rig_output(&r, "w"), 0, 1, 1e-12);
        CLOSE(fabs(rig_output(&r, "e")), 10, 1, 1e-10);
        LEDGER(&r);
        rig_clear(&r);
        jn_str_clear(&text);
    }
}

/* Two masses of 1, one on the other with a friction of 3, are pushed by 1 at a wall 1 m away that gives back 1/2 to the one
 * below. From u before an impact they stick after 3u/14, and meet the wall with u/√7 after (2/√7 − 1/2)·u in all: at rest
 * from t = 2 + (2/√7 − 1/2)/(1 − 1/√7) on. */
static void masses_that_slip_at_each_bounce_come_to_rest(void)
{
    rig r;
    long double part = 1 / sqrtl(7), rest = 2 + (2 * part - 0.5L) / (1 - part);
    CU_ASSERT_FATAL(
        rig_new(&r,
                "I a = 1\nI b = 1\nSe F = 1\nR c : e = 3*sign(f)\n1 va\n1 vb\n0 j\nX0 h\n"
                "Sf s = -0.5*prior(f(a))\nF -> va -> a\nva -> j -> vb\nvb -> b\nj -> c\n"
                "va -> h -> s\nsignal x = int(f(a), 0)\n"
                "switch h off, on when x > 1 and f(a) > 0, off when prior(f(a)) < 0\n"
                "output x, v = f(a), w = f(b), e = e(h)\nsimulate to 8 every 1\n",
                NULL));
    rig_to(&r, 8);
    CLOSE(rig_output(&r, "x"), 1, 1, 1e-9);
    CLOSE(rig_output(&r, "v"), 0, 1, 1e-12);
    CLOSE(rig_output(&r, "w"), 0, 1, 1e-12);
    CLOSE(fabs(rig_output(&r, "e")), 1, 1, 1e-10);
    bool found = false;
    for (int i = 0; i < r.nevents; i++)
        if (r.event[i].kind == JN_EVENT_ZENO) {
            found = true;
            CLOSE(r.event[i].t, rest, 1, 1e-8);
        }
    CU_ASSERT(found);
    CU_ASSERT(jn_sim_residue(r.sim) < 1e-9);
    rig_clear(&r);
}

/* Balls whose last bounce gives back what was rounding: they rest on their floors from √(2h/g)·(1 + ε)/(1 − ε) on, and
 * what they press with is their weight. */
static void a_ball_whose_speed_is_rounding_rests(void)
{
    static const struct {
        double restitution, mass, floor, g, height;
    } ball[] = {
        {0.01, 9.151142340712413, 0, 51.26597896712289, 0.010268374537190374},
        {0.01, 0.2601103725131366, 0, 16.87108598159756, 1.5625284693492325},
        {0.02, 6.511558863977829, -364.1863333886794, 22.200347716113356, 0.01125792029821898},
        {0.3, 6.550260059295376, -46331.62123349297, 8.555471792978182, 0.020335447046544965},
        {0.1, 7.649673342222757, 51465.08215380629, 2.4286408073635157, 0.8269163987535796}};
    for (size_t i = 0; i < sizeof ball / sizeof *ball; i++) {
        double e = ball[i].restitution, m = ball[i].mass, f = ball[i].floor, g = ball[i].g;
        double rests = sqrt(2 * ball[i].height / g) * (1 + e) / (1 - e);
        jn_str text;
        rig r;
        jn_str_init(&text);
        jn_str_addf(&text,
                    "Se g = -%.17g\nI b = %.17g\nSf s = -%g*prior(f(b))\n1 v\nX0 k\ng -> v -> b\n"
                    "v -> k -> s\nsignal y = int(f(b), %.17g)\nswitch k off, "
                    "on when y < %.17g and f(b) < 0, off when prior(f(b)) > 0\n"
                    "R q : f = e^3\nSe o = 1\n0 j\no -> j -> q\noutput y, v = f(b), h = e(k)\n"
                    "simulate to %.17g every %.17g\n",
                    g * m, m, e, f + ball[i].height, f, 2 * rests, rests);
        CU_ASSERT_FATAL(rig_new(&r, jn_str_c(&text), NULL));
        rig_to(&r, 2 * rests);
        CLOSE(rig_output(&r, "y"), f, fmax(fabs(f), 1), 1e-11);
        CLOSE(rig_output(&r, "v"), 0, 1, 1e-12);
        CLOSE_REL(fabs(rig_output(&r, "h")), g * m, 1e-9);
        CLOSE_REL(r.event[r.nevents - 1].t, rests, 1e-3);
        LEDGER(&r);
        rig_clear(&r);
        jn_str_clear(&text);
    }
}

void suite_sim_brakes(void)
{
    TEST_SUITE("sim_brakes");
    TEST_ADD(a_brake_is_asked_when_frictions_are_known);
    TEST_ADD(a_pair_that_turns_round_is_not_held_beyond_the_limit);
    TEST_ADD(what_is_stopped_beside_a_friction_leaves_it);
    TEST_ADD(what_sticks_after_a_clutch_costs_no_time);
    TEST_ADD(what_is_zero_after_a_step_of_time_goes_on);
    TEST_ADD(a_brake_beside_a_wall_is_passed_over);
    TEST_ADD(energies_of_what_sticks_add_up);
    TEST_ADD(what_stands_just_after_a_limit_is_no_part_of_it);
    TEST_ADD(masses_that_slip_at_each_bounce_come_to_rest);
    TEST_ADD(a_ball_whose_speed_is_rounding_rests);
}
