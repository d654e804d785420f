/* test_verify_sound.c: what a proof must cover, one small model each, with its answer by hand. */
#include "bench_of_proofs.h"

static const jn_verify_options usual = {.seconds = 60};

static int count_never(const jn_verification *v, int kind, int automaton, int transition)
{
    int n = 0;
    for (int i = 0; i < v->nnever; i++)
        n += (int)v->never[i].kind == kind && v->never[i].automaton == automaton &&
             (transition < 0 || v->never[i].transition == transition);
    return n;
}

/* ---- the model's own start ----------------------------------------------------------------- */

/* Both switches are ON and stay so: no mode that lasts leads there, but the model starts there. */
static void start_is_a_dead_end(void)
{
    proof_rig r;
    proof_new(
        &r,
        "model m\nSe V = 1\nSe W = 2\n0 n\nR q = 1\nX1 a\nX1 b\nV -> a -> n\nW -> b -> n\nn -> q\n"
        "switch a on\nswitch b on, off at 1\n",
        &usual);
    CU_ASSERT_EQUAL(r.v->dead_ends.verdict, JN_REFUTED);
    CU_ASSERT_PTR_NOT_NULL_FATAL(r.v->dead_ends.witness);
    CU_ASSERT(r.v->dead_ends.witness->is_start);
    CU_ASSERT(r.v->dead_ends.witness->is_replayed);
    CU_ASSERT_EQUAL(r.v->settling.verdict, JN_PROVED);
    proof_clear(&r);
}

/* The relay of examples/relay.hbg at 10.9 V: it buzzes from the start, and no mode ever lasts. */
#define RELAY(V, more)                                                                             \
    "model m\nSe V = " V "\nR Ri = 2\nR load = 10\nR coil = 10\n0 n\n1 line\nX1 contact\n"         \
    "V -> line -> n\nline -> Ri\nn -> load\nn -> contact -> coil\n"                                \
    "switch contact off, on when e(n) > 9, off when e(n) < 7.8\n" more

static void start_never_ends(void)
{
    proof_rig r;
    proof_new(&r, RELAY("10.9", ""), &usual);
    CU_ASSERT_EQUAL(r.v->settling.verdict, JN_REFUTED);
    CU_ASSERT_PTR_NOT_NULL_FATAL(r.v->settling.witness);
    CU_ASSERT(r.v->settling.witness->is_start);
    CU_ASSERT_EQUAL(r.v->settling.witness->cycle,
                    1); /* the first candidate has not moved yet: it is another */
    CU_ASSERT(r.v->settling.witness->is_replayed);
    CU_ASSERT(r.v->is_vacuous);
    CU_ASSERT(!r.v->never_known);
    proof_clear(&r);
}

/* The start takes more changes than any later instant: all diodes begin the wrong way. */
static void start_counts(void)
{
    proof_rig r;
    proof_new(&r,
              "model m\nSe V = 1\nR q = 1\n1 loop\nX1 a\nX1 b\nV -> a -> b -> loop -> q\n"
              "switch a off, on when e(V) > 0\nswitch b off, on when f(b) = 0 and on(a)\n",
              &usual);
    CU_ASSERT_EQUAL(r.v->settling.verdict, JN_PROVED);
    CU_ASSERT_EQUAL(r.v->changes, 2);
    proof_clear(&r);
}

/* ---- nothing to prove it for --------------------------------------------------------------- */

#define DIODE                                                                                      \
    "model m\nSe V = 10\nI L = 1, p0 = 1\nR r = 1\n1 loop\nX1 d\nV -> d -> loop -> L\nloop -> r\n" \
    "switch d diode\n"

/* The current of a diode is never negative: the bound leaves states, but none that lasts. */
static void bounds_without_a_mode_that_lasts(void)
{
    proof_rig r;
    proof_new(&r, DIODE "bound p(L) <= -1\nassert f(L) > 100\n", &usual);
    CU_ASSERT_PTR_NOT_NULL_FATAL(r.v);
    CU_ASSERT(r.v->is_vacuous);
    CU_ASSERT_EQUAL(r.v->settling.verdict, JN_OPEN);
    CU_ASSERT_EQUAL(r.v->dead_ends.verdict, JN_OPEN);
    CU_ASSERT_EQUAL(r.v->assertion[0].verdict, JN_OPEN);
    CU_ASSERT_EQUAL(jn_verification_verdict(r.v), JN_OPEN);
    proof_clear(&r);
    proof_new(&r, DIODE "bound p(L) >= 1\nassert f(L) > 0\n", &usual);
    CU_ASSERT(!r.v->is_vacuous);
    CU_ASSERT_EQUAL(jn_verification_verdict(r.v), JN_PROVED);
    proof_clear(&r);
}

/* ---- clocks -------------------------------------------------------------------------------- */

#define TWO_CLOCKS(phase)                                                                          \
    "model m\nSe V = 1\n0 n\nR q = 1\nR p = 1\n1 i\n1 k\nX1 a\nX1 b\nV -> n\nn -> a -> q\n"        \
    "n -> b -> p\nswitch a pwm(2, 1/4)\nswitch b pwm(3, 1/6, " phase ")\n"                         \
    "assert not (on(a) and on(b))\n"

/* ON in [0, 1/2), [2, 5/2), [4, 9/2) of 6, and for 1/2 from the phase and 3 later. */
static void periods_of_two_and_three(void)
{
    static const struct {
        const char *text;
        jn_proof verdict;
    } model[] = {{TWO_CLOCKS("1/2"), JN_PROVED},  {TWO_CLOCKS("3/2"), JN_PROVED},
                 {TWO_CLOCKS("1/4"), JN_REFUTED}, {TWO_CLOCKS("1"), JN_REFUTED},
                 {TWO_CLOCKS("-5/2"), JN_PROVED}, {TWO_CLOCKS("49/100"), JN_REFUTED}};
    for (size_t i = 0; i < sizeof model / sizeof *model; i++) {
        proof_rig r;
        proof_new(&r, model[i].text, &usual);
        CU_ASSERT_EQUAL(r.v->assertion[0].verdict, model[i].verdict);
        proof_clear(&r);
    }
}

/* The duty is read as the period begins; the current may have turned since. */
static void duty_is_held(void)
{
    proof_rig r;
    proof_new(&r,
              "model m\nSe V = -10\nI L = 1, p0 = 5\n1 loop\nX1 s\nR q = 1\n0 n\nV -> loop -> L\n"
              "Se U = 1\nU -> s -> q\nswitch s pwm(1, f(L)/10)\nassert not (on(s) and f(L) < -1)\n",
              &usual);
    CU_ASSERT_EQUAL(r.v->assertion[0].verdict, JN_REFUTED);
    proof_clear(&r);
}

/* Two modulations that read the same wave are complementary. */
static void duties_of_one_wave(void)
{
    proof_rig r;
    proof_new(
        &r,
        "model m\nSe V = 1\n0 n\nR q = 1\nR p = 1\nX1 a\nX1 b\nV -> n\nn -> a -> q\nn -> b -> p\n"
        "switch a pwm(1, 1/2 + sin(t)/4)\nswitch b pwm(1, 1/4 + sin(t)/4)\n"
        "assert on(a) or not on(b)\nassert not on(b) or not on(a)\n",
        &usual);
    CU_ASSERT_EQUAL(r.v->assertion[0].verdict, JN_PROVED);
    CU_ASSERT_EQUAL(r.v->assertion[1].verdict, JN_REFUTED);
    proof_clear(&r);
}

/* ---- time ---------------------------------------------------------------------------------- */

#define TWO_BOOLEANS(a, b)                                                                         \
    "model m\nSe V = 1\nR q = 1\nX1 s\nV -> s -> q\n"                                              \
    "switch a off, on when " a " > 3/4, off when " a " < 1/4\n"                                    \
    "switch b off, on when " b " > 0, off when " b " < -1/4\nassert not on(a) or on(b)\n"

static void one_signal_has_one_value(void)
{
    proof_rig r;
    proof_new(&r, TWO_BOOLEANS("sin(2*t)", "sin(2*t)"), &usual);
    CU_ASSERT_EQUAL(r.v->assertion[0].verdict, JN_PROVED);
    proof_clear(&r);
    proof_new(&r, TWO_BOOLEANS("sin(2*t)", "sin(3*t)"), &usual);
    CU_ASSERT_EQUAL(r.v->assertion[0].verdict, JN_REFUTED);
    proof_clear(&r);
}

#define STEPS(V)                                                                                   \
    "model m\nSe V = " V "\nR q = 1\nX1 s\nV -> s -> q\nswitch s on\n"                             \
    "switch a off, on when e(V) > 1/2, off when e(V) < 1/4\n"                                      \
    "switch b off, on when e(V) > 3/2 and not on(a), off when e(V) < 1/4\n"

/* b turns on only if V jumps over what turns a on. */
static void steps_of_time_jump(void)
{
    proof_rig r;
    proof_new(&r, STEPS("2*floor(t)"), &usual);
    CU_ASSERT(r.v->never_known);
    CU_ASSERT_EQUAL(count_never(r.v, JN_NEVER_CONDITION, 2, 0), 0);
    proof_clear(&r);
    proof_new(&r, STEPS("2*sin(t)"), &usual);
    CU_ASSERT(r.v->never_known);
    CU_ASSERT_EQUAL(count_never(r.v, JN_NEVER_CONDITION, 2, 0), 1);
    proof_clear(&r);
}

#define WAVES(more) "model m\nSe V = 1\nR q = 1\nX1 s\nV -> s -> q\nswitch s on, off at 1\n" more

/* The greatest sum is √2 = 1.414213…, also where it is told at a time that has one. */
static void sines_stand_on_a_circle(void)
{
    static const struct {
        const char *text;
        jn_proof verdict;
    } model[] = {{WAVES("assert sin(t) + cos(t) <= 1.45\n"), JN_PROVED},
                 {WAVES("assert sin(t) + cos(t) <= 1.414214\n"), JN_PROVED},
                 {WAVES("assert sin(t) + cos(t) <= 1.414213\n"), JN_REFUTED},
                 {WAVES("assert sin(t) <= 1/2 or cos(t) <= 0.86603\n"), JN_PROVED},
                 {WAVES("assert sin(t) <= 1/2 or cos(t) <= 0.866\n"), JN_REFUTED},
                 {WAVES("assert abs(sin(t)) + abs(cos(t)) >= 1\n"), JN_OPEN}, /* by a hair */
                 {WAVES("assert sin(t) - sin(t + 0.3) <= 0.298877\n"), JN_PROVED},
                 {WAVES("assert sin(t) - sin(t + 0.3) <= 0.298876\n"), JN_REFUTED}};
    for (size_t i = 0; i < sizeof model / sizeof *model; i++) {
        proof_rig r;
        proof_new(&r, model[i].text, &usual);
        CU_ASSERT_EQUAL(r.v->assertion[0].verdict, model[i].verdict);
        const jn_witness *w = r.v->assertion[0].witness;
        for (int k = 0; w && k + 1 < w->ntimes && i < 6; k += 2) {
            double a = jn_number_get_d(w->time[k].value), b = jn_number_get_d(w->time[k + 1].value);
            CU_ASSERT_DOUBLE_EQUAL(a * a + b * b, 1, 1e-12);
        }
        proof_clear(&r);
    }
}

/* Of two claims the second knows the sine that the first has met. */
static void a_sine_is_one_in_all_claims(void)
{
    proof_rig r;
    proof_new(&r, WAVES("assert sin(t) <= 1\nassert sin(t) <= 1\nassert cos(t) >= -1\n"), &usual);
    for (int i = 0; i < r.v->nasserts; i++)
        CU_ASSERT_EQUAL(r.v->assertion[i].verdict, JN_PROVED);
    proof_clear(&r);
}

/* The sine rises through 0 where the cosine is 1: then the lower switch is open. Where it is −1 the sine falls. */
static void a_circle_turns_one_way(void)
{
    static const char text[] =
        "model m\nSe V = 1\nSe W = 2\n0 n\nR q = 1\nX1 a\nX1 b\nV -> a -> n\nW -> b -> n\nn -> q\n"
        "automaton a {\n  idle off initial\n  up on\n  done off\n  idle -> up when sin(t) > 0\n"
        "  up -> done when sin(t) > 1/2\n  done -> idle when sin(t) < 0\n}\n"
        "switch b off, on when cos(t) < 0, off when cos(t) > 0\n";
    proof_rig r;
    proof_new(&r, text, &usual);
    CU_ASSERT_EQUAL(r.v->settling.verdict, JN_PROVED);
    CU_ASSERT(r.v->dead_ends.verdict != JN_REFUTED);
    proof_clear(&r);
}

/* Both turn on where the charge rises through 1, or only the first of them. From V it comes there, but not from a V
 * below 1: then it only falls through. */
#define RISES(V)                                                                                   \
    "model m\nSe V = " V "\nC c = 1\nR r = 1\n1 i\nV -> i -> r\ni -> c\nSe U = 1\nR p = 1\n"       \
    "R q = 1\n0 n\nX1 a\nX1 b\nU -> n\nn -> a -> p\nn -> b -> q\n"                                 \
    "switch a off, on when q(c) > 1 and not on(b), off when q(c) < 0\n"                            \
    "switch b off, on when q(c) > 1 and not on(a), off when q(c) < 0\n"

static void a_state_goes_with_the_flow(void)
{
    proof_rig r;
    proof_new(&r, RISES("10*sin(t)"), &usual);
    CU_ASSERT_EQUAL(r.v->races.verdict, JN_REFUTED);
    proof_clear(&r);
    proof_new(&r, RISES("sin(t)/2"), &usual);
    CU_ASSERT_EQUAL(r.v->races.verdict, JN_PROVED);
    proof_clear(&r);
}

/* Without sines a race is told wherever the state goes, and whether the flow of its mode takes it there: towards 5 it does,
 * towards 1/2 it never comes from below 1 to above. */
static void a_refutation_says_whether_a_run_goes_there(void)
{
    static const struct {
        const char *text;
        bool against;
    } model[] = {{RISES("5"), false}, {RISES("1/2"), true}};
    for (size_t i = 0; i < sizeof model / sizeof *model; i++) {
        proof_rig r;
        proof_new(&r, model[i].text, &usual);
        CU_ASSERT_EQUAL(r.v->races.verdict, JN_REFUTED);
        CU_ASSERT_PTR_NOT_NULL_FATAL(r.v->races.witness);
        CU_ASSERT_EQUAL(r.v->races.witness->against_flow, model[i].against);
        proof_clear(&r);
    }
}

/* What an integral does is known as well: it comes to 2 from below where it sums up 3, and never where it sums up −3. */
#define SUMS(V)                                                                                    \
    "model m\nSe V = " V                                                                           \
    "\nR r = 1\n1 i\nV -> i -> r\nsignal z = int(f(r), 0)\nSe U = 1\nR p = 1\n"                    \
    "R q = 1\n0 n\nX1 a\nX1 b\nU -> n\nn -> a -> p\nn -> b -> q\n"                                 \
    "switch a off, on when z > 2 and not on(b), off when z < 0\n"                                  \
    "switch b off, on when z > 2 and not on(a), off when z < 0\n"

static void an_integral_goes_with_what_it_sums_up(void)
{
    for (int falls = 0; falls < 2; falls++) {
        proof_rig r;
        proof_new(&r, falls ? SUMS("-3") : SUMS("3"), &usual);
        CU_ASSERT_EQUAL(r.v->races.verdict, JN_REFUTED);
        CU_ASSERT_PTR_NOT_NULL_FATAL(r.v->races.witness);
        CU_ASSERT_EQUAL(r.v->races.witness->against_flow, falls);
        proof_clear(&r);
    }
}

/* ---- what a race ends in ------------------------------------------------------------------- */

#define TOGETHER(sets_a, sets_b)                                                                   \
    "model m\nSe V = 1\nR q = 1\nX1 s\nV -> s -> q\nbound -5 <= e(V) <= 5\n"                       \
    "discrete n = 0\ndiscrete k = 0\nautomaton s {\n  a on initial\n  b on\n"                      \
    "  a -> b when e(V) > 1 { " sets_a " }\n  b -> a when e(V) < 0\n}\n"                           \
    "automaton w {\n  x off initial\n  y off\n  x -> y when e(V) > 1 { " sets_b " }\n"             \
    "  y -> x when e(V) < 0\n}\n"

/* The mode is the same whichever goes first; 2 n + 1 is not, and 3 k + 1 beside n is. */
static void a_race_for_a_value_is_one(void)
{
    proof_rig r;
    proof_new(&r, TOGETHER("n = 2", "n = 2*n + 1"), &usual);
    CU_ASSERT_EQUAL(r.v->races.verdict, JN_REFUTED);
    CU_ASSERT_PTR_NOT_NULL_FATAL(r.v->race_differs);
    CU_ASSERT_EQUAL(strncmp(r.v->race_differs, "n = ", 4), 0);
    proof_clear(&r);
    proof_new(&r, TOGETHER("n = 2", "k = 3*k + 1"), &usual);
    CU_ASSERT_EQUAL(r.v->races.verdict, JN_PROVED);
    proof_clear(&r);
}

/* Both b and c are on: what differs is only where the automaton is. */
static void a_race_for_a_state_is_one(void)
{
    proof_rig r;
    proof_new(
        &r,
        "model m\nSe V = 1\nR q = 1\nX1 s\nV -> s -> q\nbound -5 <= e(V) <= 5\n"
        "automaton s {\n  a on initial\n  b on\n  c on\n  a -> b when e(V) > 1 and in(w, x)\n"
        "  a -> c when e(V) > 1 and in(w, y)\n  b -> a when e(V) < 0\n  c -> a when e(V) < 0\n}\n"
        "automaton w {\n  x off initial\n  y off\n  x -> y when e(V) > 1\n  y -> x when e(V) < "
        "0\n}\n",
        &usual);
    CU_ASSERT_EQUAL(r.v->races.verdict, JN_REFUTED);
    CU_ASSERT_PTR_NOT_NULL_FATAL(r.v->race_differs);
    CU_ASSERT_STRING_EQUAL(r.v->race_differs, "s in c instead of b");
    proof_clear(&r);
}

/* A capacitor between two ideal diodes in series. Where one of them holds with nothing to carry, the other turns on only if the
 * source overtakes the capacitor, and then carries its current: they do not let go together. */
static void diodes_in_series_do_not_race(void)
{
    static const char text[] =
        "model m\nSe V = 10*sin(100*pi*t)\nSe G = 0\nC c = 1/1000\nR load = 50\n0 plus\n0 minus\n"
        "0 out\n1 dc\nX1 d1\nX1 d2\nV -> d1 -> plus\nminus -> d2 -> G\nplus -> dc -> minus\n"
        "dc -> out\nout -> c\nout -> load\nswitch d1 diode\nswitch d2 diode\n";
    proof_rig r;
    proof_new(&r, text, &usual);
    CU_ASSERT_EQUAL(r.v->settling.verdict, JN_PROVED);
    CU_ASSERT(r.v->races.verdict != JN_REFUTED);
    proof_clear(&r);
}

/* ---- what is not linear ---------------------------------------------------------------------- */

/* Between −1 and 1 a square is never above 2. The solver knows of no squares, but a run does. */
static void a_run_has_the_last_word(void)
{
    proof_rig r;
    proof_new(
        &r,
        "model m\nSe V = 2\nR r = 1\nC c = 1\n1 i\nV -> i -> r\ni -> c\nX1 s\nSe W = 1\nR w = 1\n"
        "W -> s -> w\nswitch s off, on when q(c)*q(c) > 2 and q(c) < 1 and q(c) > -1, "
        "off when q(c) < 2\n",
        &usual);
    CU_ASSERT_EQUAL(r.v->settling.verdict, JN_OPEN);
    CU_ASSERT_PTR_NOT_NULL_FATAL(r.v->settling.witness);
    CU_ASSERT(!r.v->settling.witness->is_replayed);
    proof_clear(&r);
}

/* ---- claims ---------------------------------------------------------------------------------- */

/* Both closed the sources are in conflict, and the diode lets go at once: no mode that lasts. */
static void what_a_conflict_ends_does_not_last(void)
{
    proof_rig r;
    proof_new(&r,
              "model m\nSe V = 24\nSe G = 0\nI L = 1/1000\nR r = 2\n0 n\n1 path\nX1 s\nX1 d\n"
              "V -> s -> n\nG -> d -> n\nn -> path -> L\npath -> r\nswitch s pwm(1, 1/2)\n"
              "switch d diode\nassert not (on(s) and on(d))\nassert not on(s) or on(d)\n",
              &usual);
    CU_ASSERT_EQUAL(r.v->assertion[0].verdict, JN_PROVED);
    CU_ASSERT_EQUAL(r.v->assertion[1].verdict, JN_REFUTED);
    proof_clear(&r);
}

/* The second diode never conducts: 2/3 of a sine beside 5/6 of it. Where both are 0 it would carry nothing, for no time. */
static void a_moment_is_no_mode_that_lasts(void)
{
    proof_rig r;
    proof_new(&r,
              "model m\nSe A = 3*sin(t)\nSe B = 2*sin(t)\nR r = 1\nR q = 1\n0 n\nX1 a\nX1 b\n1 i\n"
              "1 k\nA -> i -> a -> n\ni -> r\nB -> k -> b -> n\nk -> q\nR z = 5\nn -> z\n"
              "switch a diode\nswitch b diode\nassert not on(b) or on(a)\nassert on(a) or on(b)\n",
              &usual);
    CU_ASSERT_EQUAL(r.v->assertion[0].verdict, JN_PROVED);
    CU_ASSERT_EQUAL(r.v->assertion[1].verdict, JN_REFUTED);
    proof_clear(&r);
}

/* The diode is off from 2 on, and above 2 the node is shorted. At 2 the charge falls: a moment, though a charge that stayed there would
 * make it last. */
static void a_moment_is_over_as_the_flow_goes(void)
{
    proof_rig r;
    proof_new(&r,
              "model m\nSe G = 0\nSe V = 2\n0 n\nC c = 1, q0 = -2\nR r = 1\nn -> c\nn -> r\nX1 d\n"
              "V -> d -> n\nswitch d diode\nX1 s\nG -> s -> n\n"
              "switch s off, on when e(n) > 2, off when e(n) < 0\nassert on(d) or e(n) <= 1\n",
              &usual);
    CU_ASSERT_EQUAL(r.v->assertion[0].verdict, JN_PROVED);
    proof_clear(&r);
}

/* Towards 3 the switch stays open until the charge is 2; closed it begins with 2, and the second claim fails in that moment.
 * Towards 1 it is the other way round: the third ends with it. */
#define CROSSES(V)                                                                                 \
    "model m\nSe V = " V "\nC c = 1\nR r = 1\n1 i\nV -> i -> r\ni -> c\nSe U = 1\nR p = 1\n"       \
    "X1 s\nU -> s -> p\nswitch s off, on when q(c) > 2, off when q(c) < 2\n"                       \
    "assert on(s) or q(c) < 2\nassert not on(s) or q(c) > 2\nassert not on(s) or q(c) >= 2\n"

static void a_claim_counts_as_a_mode_begins_and_ends(void)
{
    for (int to = 1; to <= 3; to += 2) {
        proof_rig r;
        proof_new(&r, to == 1 ? CROSSES("1") : CROSSES("3"), &usual);
        CU_ASSERT_EQUAL(r.v->assertion[0].verdict, JN_REFUTED);
        CU_ASSERT_EQUAL(r.v->assertion[1].verdict, JN_REFUTED);
        CU_ASSERT_EQUAL(r.v->assertion[2].verdict, JN_PROVED);
        proof_clear(&r);
    }
}

/* ---- what counts for no time --------------------------------------------------------------- */

/* The contact of a collision closes and opens at one instant: no mode with it on lasts, but it changes. */
static void pinnacles_are_changes(void)
{
    proof_rig r;
    proof_example(&r, "collision", NULL);
    CU_ASSERT(r.v->never_known);
    for (int i = 0; i < r.v->nnever; i++)
        CU_ASSERT(r.v->never[i].kind != JN_NEVER_SWITCH);
    proof_clear(&r);
}

/* ---- bounds hold a hair beyond as well ----------------------------------------------------- */

/* Where q(c) < 0 the relay b never rests, nor does it where q(d) > 2 while g is off; but g turns on before d is
 * so full, so that no instant begins there. It takes the exact question to know the latter, and there the
 * bound must also hold a hair beyond. */
static void bounds_hold_where_the_state_goes(void)
{
#define RESTLESS(more)                                                                             \
    "model m\nSe V = 1\nC c = 1\nR r = 1\n1 j\nV -> j -> c\nj -> r\nSe W = 1\nC d = 1\nR k = 1\n"  \
    "1 h\nW -> h -> d\nh -> k\nswitch g off, on when q(d) > 1 and q(d) <= 2\n"                     \
    "switch b off, on when q(c) < 0 or q(d) > 2 and not on(g), "                                   \
    "off when q(c) < 0 or q(d) > 2 and not on(g)\n" more
    proof_rig r;
    proof_new(&r, RESTLESS(""), &usual);
    CU_ASSERT_EQUAL(r.v->settling.verdict, JN_REFUTED);
    proof_clear(&r);
    proof_new(&r, RESTLESS("bound q(c) >= 0\n"), &usual);
    CU_ASSERT_EQUAL(r.v->settling.verdict, JN_PROVED);
    proof_clear(&r);
}

/* ---- loops that were worked out by hand ---------------------------------------------------- */

#define HOT(off)                                                                                   \
    "model m\nSe V = 10\nC c = 1\nR r = if(on(hot), 2, 1)\n1 i\nV -> i -> c\ni -> r\n"             \
    "switch hot off, on when f(r) > 4, off when f(r) < " off "\nbound 0 <= q(c) <= 10\n"

/* A resistor that doubles halves its current: from 4 … 6 to 2 … 3. */
static void a_value_that_is_chosen_buzzes(void)
{
    proof_rig r;
    proof_new(&r, HOT("3"), &usual);
    CU_ASSERT_EQUAL(r.v->settling.verdict, JN_REFUTED);
    double q = jn_number_get_d(r.v->settling.witness->x);
    CU_ASSERT(q > 4 && q < 6);
    proof_clear(&r);
    proof_new(&r, HOT("2"), &usual);
    CU_ASSERT_EQUAL(jn_verification_verdict(r.v), JN_PROVED);
    CU_ASSERT_EQUAL(r.v->changes, 1);
    proof_clear(&r);
}

/* The second coil is open, its flow 0: its momentum is M/L = 1/2 of the first one's. */
static void coils_share_a_field(void)
{
    proof_rig r;
    proof_new(&r,
              "model m\nSe V = 10\nI M(a, b) = [2, 1; 1, 3]\nR r = 1\n1 la\n1 lb\nX1 s\n"
              "V -> la -> M.a\nla -> r\nSe W = 0\nW -> s -> lb -> M.b\n"
              "switch s off, on at 1, off at 2\nassert on(s) or f(M.b) = 0\n"
              "assert on(s) or p(M.b) = p(M.a)/2\nassert on(s) or p(M.b) = p(M.a)\n",
              &usual);
    CU_ASSERT_EQUAL(r.v->assertion[0].verdict, JN_PROVED);
    CU_ASSERT_EQUAL(r.v->assertion[1].verdict, JN_PROVED);
    CU_ASSERT_EQUAL(r.v->assertion[2].verdict, JN_REFUTED);
    proof_clear(&r);
}

/* A transition back to its own state sets something, once in an instant, however long its condition holds. */
static void counting_is_one_change(void)
{
    proof_rig r;
    proof_new(
        &r,
        "model m\nSe V = 1\nR q = 1\nX1 s\nV -> s -> q\nbound -1 <= e(V) <= 1\ndiscrete n = 0\n"
        "automaton s {\n  a on initial\n  a -> a when e(V) > 1/2 { n = n + 1 }\n}\n",
        &usual);
    CU_ASSERT_EQUAL(r.v->settling.verdict, JN_PROVED);
    CU_ASSERT_EQUAL(r.v->changes, 1);
    proof_clear(&r);
}

/* ---- what is not followed is not proved ---------------------------------------------------- */

/* After s come c and d, and then b closes onto a: a conflict, in the fourth candidate of the instant. */
static void a_dead_end_beyond_what_is_followed(void)
{
    static const char text[] =
        "model m\nSe V = 1\nSe W = 2\n0 n\nR q = 1\nX1 a\nX1 b\nV -> a -> n\nW -> b -> n\nn -> q\n"
        "switch a on\nswitch s off, on at 1, off at 2\n"
        "switch c off, on when on(s), off when not on(s)\n"
        "switch d off, on when on(c), off when not on(c)\n"
        "switch b off, on when on(d), off when not on(d)\n";
    for (int most = 2; most <= 6; most++) {
        jn_verify_options o = {.seconds = 60, .most_changes = most};
        proof_rig r;
        proof_new(&r, text, &o);
        CU_ASSERT_EQUAL(r.v->dead_ends.verdict, most < 4 ? JN_OPEN : JN_REFUTED);
        if (r.v->dead_ends.witness)
            CU_ASSERT_EQUAL(r.v->dead_ends.witness->nsteps, 4);
        proof_clear(&r);
    }
}

/* ---- an instant that never ends is no answer to the rest ------------------------------------ */

static void the_rest_is_answered(void)
{
    proof_rig r;
    proof_new(&r, RELAY("12", "bound 0 <= e(V) <= 12\nassert e(n) <= 10\n"), &usual);
    CU_ASSERT_EQUAL(r.v->settling.verdict, JN_REFUTED);
    CU_ASSERT_EQUAL(r.v->dead_ends.verdict, JN_PROVED);
    CU_ASSERT_EQUAL(r.v->races.verdict, JN_PROVED);
    CU_ASSERT(r.v->never_known);
    CU_ASSERT_EQUAL(r.v->assertion[0].verdict, JN_PROVED);
    proof_clear(&r);
}

/* ---- a switch that nothing switches stays ON ------------------------------------------------ */

static void what_nothing_switches_stays(void)
{
    proof_rig r;
    proof_new(&r,
              "model m\nSe V = 1\nR r = 1\nX1 s\nX1 u\nV -> s -> u -> r\n"
              "switch s off, on at 1, off at 2\nassert on(u)\n",
              &usual);
    CU_ASSERT_EQUAL(r.v->assertion[0].verdict, JN_PROVED);
    int warned = 0;
    for (int i = 0; i < jn_diags_count(r.diags); i++)
        warned += !strcmp(jn_code_slug(jn_diags_get(r.diags, i)->code), "run-unswitched");
    CU_ASSERT_EQUAL(warned, 1);
    proof_clear(&r);
}

/* ---- many switches -------------------------------------------------------------------------- */

/* Cells of a converter arm, each bypassed by a clock or fed through its diode: 16 switches, of which no
 * instant changes more than 9 times; unrolled that would be beyond reach. */
static void an_arm_of_diodes_settles(void)
{
    static const char arm[] =
        "model arm\nSe V = 100\nI L = 1/100\nR r = 1\n1 current\nV -> current -> L\ncurrent -> r\n"
        "for k in 1..8 {\n  0 a[k]\n  0 plus[k]\n  X1 low[k]\n  X1 d[k]\n  C c[k] = 1/100\n"
        "  current -> a[k]\n  a[k] -> low[k]\n  a[k] -> d[k] -> plus[k] -> c[k]\n"
        "  switch low[k] off, on at k, off at k + 1/2\n  switch d[k] diode\n}\n";
    jn_verify_options o = {.only_settling = true, .most_changes = 3};
    proof_rig r;
    proof_new(&r, arm, &o);
    CU_ASSERT_EQUAL(r.v->settling.verdict, JN_PROVED);
    CU_ASSERT_EQUAL(r.v->dead_ends.verdict, JN_PROVED);
    CU_ASSERT(r.v->changes >= 9 && r.v->changes_found <= r.v->changes);
    proof_clear(&r);
}

/* ---- runs ---------------------------------------------------------------------------------- */

/* All comparisons are of equal sides. a turns on, b follows, a turns off, b follows; now both have moved,
 * and equal sides move nothing on: it ends where it began, and does not go on for ever. */
static void what_has_moved_is_another_candidate(void)
{
    static const char text[] = "model m\nSe V = 0\nR q = 1\nX1 s\nV -> s -> q\nswitch s on\n"
                               "switch a off, on when f(q) >= 0, off when on(b)\n"
                               "switch b off, on when on(a), off when not on(a)\n";
    proof_rig r;
    jn_sim *s = NULL;
    jn_sim_options o = {0};
    proof_read(&r, text);
    CU_ASSERT_EQUAL(jn_sim_new(&s, r.graph, &o, r.diags), JN_OK);
    jn_sim_free(s);
    proof_ask(&r, &usual);
    CU_ASSERT_EQUAL(r.v->changes, 4);
    CU_ASSERT(r.v->settling.verdict != JN_REFUTED);
    proof_clear(&r);
}

void suite_verify_sound(void)
{
    TEST_SUITE("verify_sound");
    TEST_ADD(start_is_a_dead_end);
    TEST_ADD(start_never_ends);
    TEST_ADD(start_counts);
    TEST_ADD(bounds_without_a_mode_that_lasts);
    TEST_ADD(periods_of_two_and_three);
    TEST_ADD(duty_is_held);
    TEST_ADD(duties_of_one_wave);
    TEST_ADD(one_signal_has_one_value);
    TEST_ADD(steps_of_time_jump);
    TEST_ADD(sines_stand_on_a_circle);
    TEST_ADD(a_sine_is_one_in_all_claims);
    TEST_ADD(a_circle_turns_one_way);
    TEST_ADD(a_state_goes_with_the_flow);
    TEST_ADD(a_refutation_says_whether_a_run_goes_there);
    TEST_ADD(an_integral_goes_with_what_it_sums_up);
    TEST_ADD(a_race_for_a_value_is_one);
    TEST_ADD(a_race_for_a_state_is_one);
    TEST_ADD(diodes_in_series_do_not_race);
    TEST_ADD(a_run_has_the_last_word);
    TEST_ADD(what_a_conflict_ends_does_not_last);
    TEST_ADD(a_moment_is_no_mode_that_lasts);
    TEST_ADD(a_moment_is_over_as_the_flow_goes);
    TEST_ADD(a_claim_counts_as_a_mode_begins_and_ends);
    TEST_ADD(pinnacles_are_changes);
    TEST_ADD(bounds_hold_where_the_state_goes);
    TEST_ADD(a_value_that_is_chosen_buzzes);
    TEST_ADD(coils_share_a_field);
    TEST_ADD(counting_is_one_change);
    TEST_ADD(a_dead_end_beyond_what_is_followed);
    TEST_ADD(the_rest_is_answered);
    TEST_ADD(what_nothing_switches_stays);
    TEST_ADD(an_arm_of_diodes_settles);
    TEST_ADD(what_has_moved_is_another_candidate);
}
