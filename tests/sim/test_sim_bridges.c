/* test_sim_bridges.c: bridges of ideal diodes between inductors, against currents that are followed
 * by hand.
 *
 * The reference knows, for every phase of a bridge, whether it is tied to the positive rail, to the
 * negative one or to none, and nothing of junctions. Its currents are followed by Runge and Kutta
 * in steps of a microsecond, and where a current or a voltage changes its sign is found by
 * bisection. */
#include "cases.h"

#include <complex.h>
#include <math.h>

#define STEP 1e-6L

enum { MAX_EVENTS = 200 };

typedef struct {
    int n;
    real t[MAX_EVENTS];
    char mode[MAX_EVENTS][8]; /* from then on */
    real star;                /* of three phases: the star point's effort in the end */
} history;

static real pi(void)
{
    return acosl(-1);
}

/* ---- three phases -------------------------------------------------------------------------- */

typedef enum { OFF, UPPER, LOWER } tie;

static const real line = 1e-3L, load = 20;

typedef struct {
    tie at[3];
    real leak; /* of the star point; 0: none */
} b6_mode;

static real phase(int k, real t)
{
    static const int shift[] = {0, -1, 1};
    return 325 * cosl(100 * pi() * t + 0.3L + shift[k] * 2 * pi() / 3);
}

static real rail(const b6_mode *m, const real *i)
{
    real sum = 0;
    for (int k = 0; k < 3; k++)
        sum += m->at[k] == UPPER ? i[k] : 0;
    return load * sum;
}

/* The star point follows from currents that add up to 0, or to that of the leak. */
static real star(const b6_mode *m, real t, const real *i)
{
    real sum = 0;
    int n = 0;
    if (m->leak > 0)
        return -m->leak * (i[0] + i[1] + i[2]);
    for (int k = 0; k < 3; k++)
        if (m->at[k] != OFF) {
            sum += (m->at[k] == UPPER ? rail(m, i) : 0) - phase(k, t);
            n++;
        }
    return sum / n;
}

static void b6_rates(real *di, real t, const real *i, const void *mode)
{
    const b6_mode *m = mode;
    real s = star(m, t, i);
    for (int k = 0; k < 3; k++)
        di[k] =
            m->at[k] == OFF ? 0 : (phase(k, t) + s - (m->at[k] == UPPER ? rail(m, i) : 0)) / line;
}

/* What a phase is tied to, were it to change: its current has changed its sign, or its voltage has
 * left the range between the rails. */
static tie b6_tie(const b6_mode *m, int k, real t, const real *i)
{
    real v = phase(k, t) + star(m, t, i);
    switch (m->at[k]) {
    case UPPER:
        return i[k] < 0 ? OFF : UPPER;
    case LOWER:
        return i[k] > 0 ? OFF : LOWER;
    default:
        return v > rail(m, i) ? UPPER : v < 0 ? LOWER : OFF;
    }
}

static bool b6_holds(const b6_mode *m, real t, const real *i)
{
    for (int k = 0; k < 3; k++)
        if (b6_tie(m, k, t, i) != m->at[k])
            return false;
    return true;
}

static void note(history *h, real t, const b6_mode *m)
{
    if (h->n == MAX_EVENTS)
        abort();
    h->t[h->n] = t;
    for (int k = 0; k < 3; k++) {
        h->mode[h->n][k] = (char)('0' + (m->at[k] == UPPER));
        h->mode[h->n][k + 3] = (char)('0' + (m->at[k] == LOWER));
    }
    h->mode[h->n++][6] = 0;
}

/* Over the instant: those change whose sign has, until none does. */
static void b6_settle(b6_mode *m, real t, real *i)
{
    for (int rounds = 0; rounds < 10 && !b6_holds(m, t, i); rounds++)
        for (int k = 0; k < 3; k++) {
            tie next = b6_tie(m, k, t, i);
            if (m->at[k] != OFF && next == OFF)
                i[k] = 0;
            m->at[k] = next;
        }
}

/* Where the mode ceases to hold between t and t + STEP. */
static real b6_end(const b6_mode *m, real t, const real *from, real *i)
{
    real lo = 0, hi = STEP;
    for (int k = 0; k < 60; k++) {
        real mid = (lo + hi) / 2;
        memcpy(i, from, 3 * sizeof *i);
        case_follow(i, 3, b6_rates, m, t, t + mid, 1);
        *(b6_holds(m, t + mid, i) ? &lo : &hi) = mid;
    }
    memcpy(i, from, 3 * sizeof *i);
    case_follow(i, 3, b6_rates, m, t, t + hi, 1);
    return t + hi;
}

static void b6_reference(history *h, real *i, real leak, real to)
{
    /* the highest and the lowest phase begin, and the third as its voltage says */
    b6_mode m = {{UPPER, OFF, LOWER}, leak};
    real t = 0;
    b6_settle(&m, t, i);
    note(h, t, &m);
    while (t < to) {
        real from[3], step = fminl(STEP, to - t);
        memcpy(from, i, sizeof from);
        case_follow(i, 3, b6_rates, &m, t, t + step, 1);
        if (b6_holds(&m, t + step, i)) {
            t += step;
            continue;
        }
        t = b6_end(&m, t, from, i);
        b6_settle(&m, t, i);
        note(h, t, &m);
    }
    h->star = star(&m, t, i);
}

static void compare_history(const rig *r, const history *h, double bound)
{
    CU_ASSERT_EQUAL(r->nevents, h->n);
    if (r->nevents != h->n)
        printf("\n%d events instead of %d", r->nevents, h->n);
    for (int k = 0; k < h->n && k < r->nevents; k++) {
        if (strcmp(h->mode[k], r->event[k].to) != 0) {
            printf("\nevent %d at %.9g: %s instead of %s at %.9Lg", k, r->event[k].t,
                   r->event[k].to, h->mode[k], h->t[k]);
            CU_ASSERT(!"the modes are those of the reference");
            return;
        }
        CLOSE(r->event[k].t, h->t[k], 0.01, bound);
    }
}

static void check_b6(int power, const history *h, const real *i, double bound, jn_method method)
{
    rig r;
    char leak[20];
    snprintf(leak, sizeof leak, "leak = 1e%d", power);
    if (case_open_with(&r, "b6", "leak = 1e6", leak, method)) {
        rig_to(&r, 0.1);
        compare_history(&r, h, bound);
        CLOSE(rig_output(&r, "ia"), i[0], 30, 10 * bound);
        CLOSE(rig_output(&r, "ib"), i[1], 30, 10 * bound);
        CLOSE(rig_output(&r, "star"), h->star, 325, 100 * bound);
        CLOSE(rig_output(&r, "leaks"), rig_output(&r, "star") / powl(10, power), 30, 1e-14);
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* A leak of 100 Ω is felt; one of 10⁴ Ω and more moves the times by less than its share. From 10¹⁰ Ω
 * on, doubles do not hold what it takes of the currents beside them. */
BOTH(a_leak_at_the_star_point_changes_no_event)
{
    history none = {0}, some = {0};
    real without[3] = {0}, with[3] = {0};
    b6_reference(&none, without, 0, 0.1L);
    b6_reference(&some, with, 100, 0.1L);
    CU_ASSERT_EQUAL(none.n, some.n);
    check_b6(2, &some, with, 1e-8, method);
    CU_ASSERT_EQUAL(none.n, 62);
    for (int power = 4; power <= 14; power++)
        check_b6(power, &none, without, 1e-8 + pow(10, -power), method);
}

/* ---- one phase, inductors on both sides ---------------------------------------------------- */

/* Both pairs of diodes conduct, or the one that carries a positive or a negative line current. */
typedef enum { ALL, POSITIVE, NEGATIVE } pairs;

static const char *const pair_mode[] = {"1111", "1001", "0110"};

static real sign_of(pairs p)
{
    return p == NEGATIVE ? -1 : 1;
}

static real bridge_drop; /* of each diode */

/* x: current of the line, of the load */
static void bridge_rates(real *dx, real t, const real *x, const void *mode)
{
    pairs p = *(const pairs *)mode;
    real v = 100 * cosl(100 * pi() * t);
    if (p == ALL) {
        dx[0] = 100 * v;
        dx[1] = -500 * x[1] - 2 * bridge_drop / 0.02L;
    } else {
        dx[1] = (sign_of(p) * v - 10 * x[1] - 2 * bridge_drop) / 0.03L;
        dx[0] = sign_of(p) * dx[1];
    }
}

static bool bridge_holds(pairs p, real t, const real *x)
{
    real dx[2];
    bridge_rates(dx, t, x, &p);
    return p == ALL ? fabsl(x[0]) <= x[1] : 10 * x[1] + 0.02L * dx[1] >= -2 * bridge_drop;
}

static void note_pairs(history *h, real t, pairs p)
{
    if (h->n == MAX_EVENTS)
        abort();
    h->t[h->n] = t;
    snprintf(h->mode[h->n++], sizeof h->mode[0], "%s", pair_mode[p]);
}

static real bridge_end(pairs p, real t, const real *from, real *x)
{
    real lo = 0, hi = STEP;
    for (int k = 0; k < 60; k++) {
        real mid = (lo + hi) / 2;
        memcpy(x, from, 2 * sizeof *x);
        case_follow(x, 2, bridge_rates, &p, t, t + mid, 1);
        *(bridge_holds(p, t + mid, x) ? &lo : &hi) = mid;
    }
    memcpy(x, from, 2 * sizeof *x);
    case_follow(x, 2, bridge_rates, &p, t, t + hi, 1);
    return t + hi;
}

static void bridge_reference(history *h, real *x, real to)
{
    pairs p = POSITIVE;
    real t = 0;
    note_pairs(h, t, p);
    while (t < to) {
        real from[2], step = fminl(STEP, to - t);
        memcpy(from, x, sizeof from);
        case_follow(x, 2, bridge_rates, &p, t, t + step, 1);
        if (bridge_holds(p, t + step, x)) {
            t += step;
            continue;
        }
        t = bridge_end(p, t, from, x);
        p = p != ALL ? ALL : x[0] > 0 ? POSITIVE : NEGATIVE;
        note_pairs(h, t, p);
    }
}

BOTH(two_coils_are_joined_by_a_bridge)
{
    rig r;
    history h = {0};
    real x[2] = {0};
    bridge_reference(&h, x, 0.1L);
    if (case_open(&r, "bridge_coils", method)) {
        rig_to(&r, 0.1);
        compare_history(&r, &h, 1e-8);
        CLOSE(rig_output(&r, "iac"), x[0], 10, 1e-8);
        CLOSE(rig_output(&r, "idc"), x[1], 10, 1e-8);
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* While all four conduct their drops are tied to each other, and agree. */
BOTH(a_bridge_of_diodes_with_drops_commutates)
{
    rig r;
    history h = {0};
    real x[2] = {0};
    bridge_drop = 5;
    bridge_reference(&h, x, 0.1L);
    if (case_open(&r, "bridge_drops", method)) {
        rig_to(&r, 0.1);
        compare_history(&r, &h, 1e-8);
        CLOSE(rig_output(&r, "iac"), x[0], 10, 1e-8);
        CLOSE(rig_output(&r, "idc"), x[1], 10, 1e-8);
        LEDGER(&r);
    }
    bridge_drop = 0;
    rig_clear(&r);
}

/* 5 V through 1 and 1 ohm: with equal drops of 0.7 half of 2.15 each, else the lower one takes all. */
static void check_beside(const char *second, double current, bool is_shared, jn_method method)
{
    rig r;
    if (case_open_with(&r, "diodes_beside", "diode(0.7)  # second", second, method)) {
        rig_to(&r, 1);
        CLOSE(rig_output(&r, "i1"), current, 1, 1e-12);
        CLOSE(rig_output(&r, "i2"), 2.15 - current, 1, 1e-12);
        CU_ASSERT_EQUAL(jn_sim_shared(r.sim) != NULL, is_shared);
        LEDGER(&r);
    }
    rig_clear(&r);
}

BOTH(diodes_side_by_side_share_if_their_drops_are_equal)
{
    check_beside("diode(0.7)", 1.075, true, method);
    check_beside("diode(7/10)", 1.075, true, method);
    check_beside("diode(0.8)", 2.15, false, method);
}

/* ---- snubbers ------------------------------------------------------------------------------ */

static void buck_with(char *text, size_t size, const char *snubber, bool has_diode)
{
    snprintf(text, size,
             "model buck\nSe V = 24\nSe G = 0\nI L = 100u\nC Co = 100u\nR Ro = 1\nX1 s\nX1 d\n0 n\n"
             "1 ind\n0 out\nn -> ind -> L\nind -> out -> Co\nout -> Ro\nG -> d -> n\n%s%s"
             "switch s pwm(10u, 1/2)\nswitch d diode\noutput i = f(L), u = e(Co)\n",
             has_diode ? "X1 d2\nV -> d2 -> s -> n\nswitch d2 diode\n" : "V -> s -> n\n", snubber);
}

/* Each cycle the diode waits until the node has come down, 2e-14 s at most: as without a snubber. It
 * begins empty, or charged while no current flows anywhere, so that there is nothing to compare with. */
static void check_snubber(const char *capacity, const char *start, bool has_diode)
{
    rig plain, r;
    char text[700], snubber[120];
    buck_with(text, sizeof text, "", has_diode);
    bool made = rig_new(&plain, text, NULL);
    snprintf(snubber, sizeof snubber,
             "R Rs = 1\nC Cs = %s%s\n1 snub\nn -> snub -> Rs\nsnub -> Cs\n", capacity, start);
    buck_with(text, sizeof text, snubber, has_diode);
    bool ends = rig_ends(text, NULL, 99e-6);
    if (rig_new(&r, text, NULL) && made && ends) {
        rig_to(&plain, 99e-6);
        rig_to(&r, 99e-6);
        CU_ASSERT_STRING_EQUAL(rig_mode(&r), rig_mode(&plain));
        CLOSE_REL(rig_output(&r, "i"), rig_output(&plain, "i"), 1e-7);
        CLOSE_REL(rig_output(&r, "u"), rig_output(&plain, "u"), 1e-7);
        LEDGER(&r);
    }
    rig_clear(&plain);
    rig_clear(&r);
}

static void a_snubber_that_is_hardly_there_changes_nothing(void)
{
    static const char *const capacity[] = {"1e-14", "1e-15", "1e-17", "1e-19"};
    for (size_t i = 0; i < sizeof capacity / sizeof *capacity; i++)
        for (int has_diode = 0; has_diode < 2; has_diode++) {
            check_snubber(capacity[i], "", has_diode);
            check_snubber(capacity[i], ", e0 = 24", has_diode);
        }
}

/* 3e-21 s is less than what doubles can tell at 60 µs: there is a way on, or a true reason. */
static void a_snubber_faster_than_times_can_be_told_apart_is_named(void)
{
    rig r;
    char text[700];
    buck_with(text, sizeof text, "R Rs = 1\nC Cs = 3e-21\n1 snub\nn -> snub -> Rs\nsnub -> Cs\n",
              false);
    if (rig_ends(text, NULL, 99e-6) && rig_new(&r, text, NULL)) {
        CU_ASSERT_EQUAL(rig_try(&r, 99e-6), JN_STOP_NUMERICS);
        CU_ASSERT(strstr(r.message, "'Rs': what happens there takes less time") != NULL);
        rig_clear(&r);
    }
}

/* ---- a diode that begins to conduct -------------------------------------------------------- */

static long
    asked; /* how often the integrator has asked whether to go on: once for each step it tries */

static bool count_steps(void *context)
{
    (void)context;
    return ++asked > 1000;
}

/* 20·sin(100πt) behind a diode of drop d, 1/2 Ω and 10 mH, into 1 mF with 50 Ω: rates of (i, v). */
static const real feed[2][2] = {{-50, -100}, {1000, -20}};

/* (s − A)⁻¹·(b, 0). */
static void respond(complex long double *x, complex long double s, real b)
{
    complex long double det = (s - feed[0][0]) * (s - feed[1][1]) - feed[0][1] * feed[1][0];
    x[0] = b * (s - feed[1][1]) / det;
    x[1] = b * feed[1][0] / det;
}

/* What the sine and the drop make of it in the long run. */
static void forced(real *x, real d, real t)
{
    complex long double wave[2], level[2];
    respond(wave, 100 * pi() * I, 20 * 100);
    respond(level, 0, -d * 100);
    for (int k = 0; k < 2; k++)
        x[k] = cimagl(wave[k] * cexpl(100 * pi() * I * t)) + creall(level[k]);
}

/* While it conducts: from (0, 0) at sin(100πt₀) = d/20 on. e^(Aτ) = (e^(aτ)(A − b) − e^(bτ)(A − a))/(a − b). */
static void half_wave(real *x, real d, real t)
{
    real start = asinl(d / 20) / (100 * pi()), at[2];
    real half = (feed[0][0] + feed[1][1]) / 2;
    complex long double det = feed[0][0] * feed[1][1] - feed[0][1] * feed[1][0];
    complex long double a = half + csqrtl(half * half - det), b = 2 * half - a;
    complex long double ea = cexpl(a * (t - start)), eb = cexpl(b * (t - start));
    forced(at, d, start);
    forced(x, d, t);
    for (int k = 0; k < 2; k++) {
        real moved = feed[k][0] * at[0] + feed[k][1] * at[1];
        x[k] -= creall((ea * (moved - b * at[k]) - eb * (moved - a * at[k])) / (a - b));
    }
}

/* As it begins to conduct nothing flows, and what drives the current is the rounding of 20·sin − d: that is no
 * rate to follow. How it is rounded depends on the drop, how long steps may be on the end of the run. */
static void a_drop_is_passed_in_few_steps(void)
{
    static const double end[] = {0.0002, 0.0004, 0.001, 0.004};
    for (int tenths = 4; tenths <= 10; tenths++)
        for (int k = 0; k < 4; k++) {
            rig r;
            char text[300];
            snprintf(text, sizeof text,
                     "model half\nSe V = 20*sin(100*pi*t)\nI L = 10m\nR r = 1/2\n1 loop\nX1 d\n"
                     "C c = 1000u\nR load = 50\n0 out\nout -> c\nout -> load\n"
                     "V -> loop -> r\nloop -> L\nloop -> d -> out\n"
                     "switch d diode(%d/10)\noutput i = f(L), v = e(c)\n",
                     tenths);
            asked = 0;
            jn_sim_options o = {.method = JN_METHOD_RADAU, .interrupted = count_steps};
            if (rig_new(&r, text, &o)) {
                rig_to(&r, end[k]);
                real x[2];
                half_wave(x, tenths / 10.0L, end[k]);
                CLOSE_REL(rig_output(&r, "i"), x[0], 1e-9);
                CLOSE_REL(rig_output(&r, "v"), x[1], 1e-9);
                CU_ASSERT(asked < 50);
                LEDGER(&r);
            }
            rig_clear(&r);
        }
}

/* di/dt = 2 + 3/2·cos 5t − i·|i|, from nothing, for a while of each period of 3/29. */
static real chopped(real t)
{
    enum { STEPS = 2000 };
    real period = 3 / 29.0L, since = floorl(t / period) * period;
    real duty = 0.5L + 9 / 25.0L * sinl(5 * since), end = fminl(t, since + duty * period);
    real h = (end - since) / STEPS, i = 0;
    for (int k = 0; k < STEPS; k++) {
        real rate[4], at = since + k * h;
        for (int s = 0; s < 4; s++) {
            real part = s == 0 ? 0 : s == 3 ? h : h / 2, x = i + (s ? part * rate[s - 1] : 0);
            rate[s] = 2 + 1.5L * cosl(5 * (at + part)) - x * fabsl(x);
        }
        i += h / 6 * (rate[0] + 2 * rate[1] + 2 * rate[2] + rate[3]);
    }
    return t < since + duty * period ? i : 0;
}

/* Each time the coil is cut off its leak sees a spike of 10⁸ V that is over in 10⁻⁸ s. Times of samples are rounded
 * to 10⁻¹⁶ s, which is no reason to follow it in ten thousand pieces. */
static void a_spike_is_passed_in_few_steps(void)
{
    rig r;
    asked = 0;
    jn_sim_options o = {.interrupted = count_steps};
    if (rig_new(
            &r,
            "model spike\nSe V = 2 + 3/2*cos(5*t)\n0 n\nR l = 4\nV -> n -> l\n1 c\nX1 s\n0 q\n"
            "n -> s -> q -> c\n"
            "switch s pwm(3/29, 1/2 + 9/25*sin(5*t))\nR leak = 1e9\n1 beside\nn -> beside -> q\n"
            "beside -> leak\nI L = 1\nR r : e = f*abs(f)\nc -> L\nc -> r\noutput i = f(L)\n",
            &o)) {
        static const double at[] = {0.01, 0.14, 0.55, 0.63, 0.72, 0.93, 0.96};
        for (int k = 0; k < 7; k++) {
            rig_to(&r, at[k]);
            CLOSE(rig_output(&r, "i"), chopped(at[k]), 1, 1e-8);
        }
        CU_ASSERT(asked < 1000);
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* ---- commutation where a source passes zero ------------------------------------------------ */

/* The current of 1 ohm and 1 H after `halves` half waves of A·sin(w·t), of which every second one drives it and the
 * others let it decay through the freewheeling diode. */
static real half_wave_current(real A, real w, int halves)
{
    real decay = expl(-pi() / w), driven = A * w * (1 + decay) / (1 + w * w), i = 0;
    for (int k = 0; k < halves; k++)
        i = i * decay + (k % 2 ? 0 : driven);
    return i;
}

/* What is 0 there is known to rounding only: which of the diodes conducts is said by how it goes on. */
static void rectify(double A, const char *frequency, double w, jn_method method)
{
    enum { HALVES = 60 };
    jn_sim_options o = {.method = method};
    char text[400];
    rig r;
    snprintf(text, sizeof text,
             "model half_wave\nSe V = %.17g*sin(%s*t)\nSe G = 0\nI L = 1\nR r = 1\n0 n\n1 l\nX1 "
             "d\nX1 fw\n"
             "V -> d -> n -> l\nG -> fw -> n\nl -> L\nl -> r\nswitch d diode\nswitch fw diode\n",
             A, frequency);
    CU_ASSERT_FATAL(rig_new(&r, text, &o));
    rig_to(&r, (HALVES - 0.5) * JN_PI / w);
    CU_ASSERT_EQUAL(r.nevents, HALVES + 1); /* the start, and that d conducts from then on */
    rig_to(&r, HALVES * JN_PI / w);
    CLOSE_REL(rig_state(&r, "L"), half_wave_current((real)A, (real)w, HALVES),
              method == JN_METHOD_EXACT ? 1e-12 : 1e-8);
    for (int i = 0; i + 1 < r.nevents; i++) {
        CU_ASSERT_STRING_EQUAL(r.event[i + 1].to, i % 2 ? "01" : "10");
        CLOSE(r.event[i + 1].t, i * JN_PI / w, HALVES * JN_PI / w, 1e-12);
    }
    rig_clear(&r);
}

BOTH(diodes_commutate_where_a_source_passes_zero)
{
    static const double amplitude[] = {1, 10, 12, 230, 311, 325};
    for (int i = 0; i < 6; i++) {
        rectify(amplitude[i], "100*pi", 100 * JN_PI, method);
        rectify(amplitude[i], "120*pi", 120 * JN_PI, method);
        rectify(amplitude[i], "2", 2, method);
    }
}

/* ---- a bridge whose coil runs dry ---------------------------------------------------------- */

#define H_BRIDGE                                                                                   \
    "model dry\nSe V = 10.3\nSe G = 0\n0 p\n0 g\n0 a\n0 b\nV -> p\nG -> g\nX1 sa\nX1 sb\nX1 "      \
    "d1\nX1 d2\n"                                                                                  \
    "X1 d3\nX1 d4\np -> sa -> a\nb -> sb -> g\na -> d1 -> p\ng -> d2 -> a\nb -> d3 -> p\ng -> d4 " \
    "-> b\n"                                                                                       \
    "1 j\nI l = 6.5e-05\nR r = 146\na -> j -> b\nj -> l\nj -> r\nswitch d1 diode\nswitch d2 "      \
    "diode\n"                                                                                      \
    "switch d3 diode\nswitch d4 diode\nswitch sa pwm(1/10000, 0.592)\nswitch sb pwm(1/10000, "     \
    "0.592)\n"

/* V/R before, 2·V/R·exp(−R·t/L) − V/R after: it is 0 after ln 2·L/R, as far as the clock can tell such a time. What is
 * left of it there drives nothing through the other two diodes. */
BOTH(a_current_ends_to_the_rounding_of_the_time)
{
    enum { PERIODS = 60 };
    rig r;
    if (rig_new(&r, H_BRIDGE, &(jn_sim_options){.method = method})) {
        real dry = logl(2) * 6.5e-5L / 146;
        rig_to(&r, PERIODS * 1e-4 - 1e-6);
        CHECK(r.nevents == 3 * PERIODS);
        for (int k = 0; k < PERIODS && 3 * k + 2 < r.nevents; k++) {
            CLOSE(r.event[3 * k + 2].t, k * 1e-4L + 0.592e-4L + dry, 1e-4, case_bound(&r));
            TEST_TEXT("000000", r.event[3 * k + 2].to);
        }
    }
    rig_clear(&r);
}

void suite_sim_bridges(void)
{
    TEST_SUITE("sim_bridges");
    TEST_ADD(a_leak_at_the_star_point_changes_no_event);
    TEST_ADD(two_coils_are_joined_by_a_bridge);
    TEST_ADD(a_bridge_of_diodes_with_drops_commutates);
    TEST_ADD(diodes_side_by_side_share_if_their_drops_are_equal);
    TEST_ADD(a_snubber_that_is_hardly_there_changes_nothing);
    TEST_ADD(a_snubber_faster_than_times_can_be_told_apart_is_named);
    TEST_ADD(a_drop_is_passed_in_few_steps);
    TEST_ADD(a_spike_is_passed_in_few_steps);
    TEST_ADD(diodes_commutate_where_a_source_passes_zero);
    TEST_ADD(a_current_ends_to_the_rounding_of_the_time);
}
