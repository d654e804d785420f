/* test_sim_slides.c: sliding beside every other feature, in both engines.
 *
 * Most models have the relay of test_sim_mean.c: 4 V feed a capacitor (1 F) through 1 Ω while it is
 * below 2 V, a leak of 2.5 Ω and a load of t/10 A empty it. From then on it needs, on the mean,
 *
 *     i = 0.8 + t/10
 *
 * and what the other feature does is known by hand. */
#include "cases.h"

#include <math.h>

#define FEED(level)                                                                                \
    "R r = 1\nC c = 1, e0 = 1.9\nR leak = 2.5\n1 in\n0 n\nX1 s\nV -> s -> in -> n -> c\n"          \
    "in -> r\nn -> leak\nswitch s on, off when e(n) > " level ", on when e(n) < " level "\n"
#define RELAY "Se V = 4\nSf w = -t/10\nw -> n\n" FEED("2")
#define VI "output v = e(n), i = f(r)"

typedef struct {
    const char *name;
    double value;
} expected;

typedef struct {
    const char *what, *text;
    double t;
    int slides; /* events of that kind; −1: any number */
    expected want[6];
} model;

static void check_model(const model *x, jn_method method)
{
    rig r;
    unsigned before = CU_get_number_of_failure_records();
    bool ok =
        rig_new(&r, x->text, &(jn_sim_options){.method = method, .folder = "tests/sim/cases"});
    CHECK(ok);
    if (ok) {
        rig_to(&r, x->t);
        for (const expected *e = x->want; e->name; e++) {
            double value = rig_output(&r, e->name);
            CHECK(fabs(value - e->value) <= 1e-9 * (1 + fabs(e->value)));
            if (!(fabs(value - e->value) <= 1e-9 * (1 + fabs(e->value))))
                printf("\n    %s = %.15g, not %.15g", e->name, value, e->value);
        }
        CHECK(x->slides < 0 || case_count(&r, JN_EVENT_SLIDING) == x->slides);
        if (!r.graph->nmultiports)
            LEDGER(&r);
        CHECK(jn_sim_residue(r.sim) <= 1e-9);
    }
    if (CU_get_number_of_failure_records() > before)
        printf("\n  ^^ %s\n", x->what);
    rig_clear(&r);
}

static void check_all(const model *x, int n, jn_method method)
{
    for (int i = 0; i < n; i++)
        check_model(&x[i], method);
}

#define CHECK_ALL(list, method) check_all(list, (int)(sizeof(list) / sizeof *(list)), method)

/* ---- detachable sources -------------------------------------------------------------------- */

#define BY_CURRENT                                                                                 \
    "Sf V = 3, detachable\nC c = 1\nR leak = 1\n0 n\nX1 s\nV -> s -> n -> c\nn -> leak\n"
#define BESIDE_RELAY                                                                               \
    RELAY "Sf d = -1/2, detachable\nX1 k\nd -> k -> n\nswitch k on, off at 2, on at 3\n" VI "\n"

BOTH(detachable_sources_slide)
{
    static const model list[] = {
        {"a current that is detached in turn",
         BY_CURRENT "switch s on, off when e(n) > 2, on when e(n) < 2\noutput v = e(n), i = f(s)\n",
         4,
         1,
         {{"v", 2}, {"i", 2}}},
        {"a voltage; the junction is at 0 meanwhile",
         "Se V = 3, detachable\nC c = 1\nR leak = 1\nR r = 1\n0 n\n1 line\nX0 s\n"
         "V -> s -> line -> n -> c\nline -> r\nn -> leak\n"
         "switch s on, off when e(n) > 1, on when e(n) < 1\noutput v = e(n), i = f(line), u = "
         "e(s)\n",
         4,
         1,
         {{"v", 1}, {"i", 1}, {"u", 2}}},
        /* 3a − (1 − a)/2 − 1 = 1 */
        {"two that take turns on one surface",
         BY_CURRENT "Sf W = -1\nW -> n\nX1 q\nSf Z = -1/2, detachable\nZ -> q -> n\n"
                    "switch s on, off when e(n) > 1, on when e(n) < 1\n"
                    "switch q off, on when e(n) > 1, off when e(n) < 1\n"
                    "output v = e(n), i = f(s), z = f(q)\n",
         4,
         1,
         {{"v", 1}, {"i", 15 / 7.0}, {"z", -1 / 7.0}}},
        {"one that goes elsewhere", BESIDE_RELAY, 2.5, 1, {{"v", 2}, {"i", 1.05}}},
        {"and comes again", BESIDE_RELAY, 3.5, 1, {{"v", 2}, {"i", 1.65}}}};
    CHECK_ALL(list, method);
}

/* ---- fields -------------------------------------------------------------------------------- */

#define MATRIX(entry)                                                                              \
    "Se V = 4\nR r = 1\nC c = 1\nC d = 1\nR F(a, b) = [" entry                                     \
    ", 1; 1, 3]\n1 in\n0 n\n0 m\nX1 s\n"                                                           \
    "V -> s -> in -> n -> c\nin -> r\nn -> F.a\nm -> F.b\nm -> d\n"                                \
    "switch s on, off when e(n) > 1, on when e(n) < 1\noutput v = e(n), i = f(r), b = e(m)\n"

BOTH(fields_slide)
{
    static const model list[] = {
        /* q_b = e_a + 3·e_b falls by e_b/2; i = e_a/2 + e_b' */
        {"a C-field",
         "Se V = 4\nR r = 1\nC F(a, b) = [2, 1; 1, 3]\nR leak = 2\nR lb = 2\n1 in\n0 n\n0 m\nX1 s\n"
         "V -> s -> in -> n -> F.a\nin -> r\nn -> leak\nm -> lb\nm -> F.b\n"
         "switch s on, off when e(n) > 1, on when e(n) < 1\n"
         "output v = e(n), sum = f(r) + e(m)/6\n",
         3,
         1,
         {{"v", 1}, {"sum", 0.5}}},
        {"an R-field", MATRIX("2"), 60, 1, {{"v", 1}, {"i", 0.5}, {"b", 0.5}}},
        {"an I-field under two frictions",
         "Se F = 1\nI M(a, b) = [2, 1; 1, 3], f0 = [1, 1]\nR fa : e = 2*sign(f)\nR fb : e = "
         "sign(f)\n"
         "1 u\n1 v\nF -> u -> M.a\nu -> fa\nv -> M.b\nv -> fb\n"
         "output x = f(M.a), y = f(M.b), ha = e(fa), hb = e(fb)\n",
         10,
         -1,
         {{"x", 0}, {"y", 0}, {"ha", 1}, {"hb", 0}}},
        {"an I-field elsewhere, with an entry that a switch chooses",
         RELAY "I M(a, b) = [if(on(z), 2, 4), 1; 1, 3], f0 = [1, 1]\n1 u\n1 v\nu -> M.a\nv -> M.b\n"
               "switch z on, off at 1.5\n" VI ", x = 4*f(M.a) + f(M.b), y = f(M.a) + 3*f(M.b)\n",
         3,
         1,
         {{"v", 2}, {"i", 1.1}, {"x", 3}, {"y", 4}}}};
    CHECK_ALL(list, method);
}

/* With a the share of ON: no flow into d, and what comes in is what the field takes. */
static double field_gap(double a, double *b)
{
    *b = (a / 5 + (1 - a) / 11) / (2 * a / 5 + 4 * (1 - a) / 11);
    return 3 * a - (3 - *b) * (a / 5 + (1 - a) / 11);
}

BOTH(an_entry_of_a_field_slides)
{
    double near = 0, far = 1, b;
    for (int i = 0; i < 60; i++)
        *(field_gap(0.5 * (near + far), &b) < 0 ? &near : &far) = 0.5 * (near + far);
    model x = {"chosen by the relay itself",
               MATRIX("if(on(s), 2, 4)"),
               100,
               1,
               {{"v", 1}, {"i", 3 * near}, {"b", b}}};
    check_model(&x, method);
}

/* ---- dependent storages, ratios, values ---------------------------------------------------- */

BOTH(dependent_storages_slide)
{
    static const model list[] = {
        {"two capacitors side by side",
         RELAY "C c2 = 2, e0 = 1.9\nn -> c2\n" VI "\n",
         3,
         1,
         {{"v", 2}, {"i", 1.1}}},
        {"one behind a transformer",
         RELAY "C c2 = 1/8, e0 = 3.8\nTF k = 1/2\nn -> k -> c2\n" VI ", v2 = e(c2)\n",
         3,
         1,
         {{"v", 2}, {"i", 1.1}, {"v2", 4}}},
        /* 0.3·t at u is 0.15·t beyond the gear */
        {"two masses and a gear",
         "Se F = 3*t/10\nI a = 1, f0 = 1\nI b = 1, f0 = 2\nTF k = 2\nR h : e = 2*sign(f)\n1 v\n1 "
         "u\n"
         "F -> v -> a\nv -> k -> u -> b\nu -> h\noutput va = f(a), vb = f(b), h = e(h)\n",
         3,
         1,
         {{"va", 0}, {"vb", 0}, {"h", 0.45}}}};
    CHECK_ALL(list, method);
}

#define THROUGH(source, ratio, what)                                                               \
    "Se V = " source "\nR r = 1\nC c = 1, e0 = 0.9\nR leak = 2\nTF k = " ratio                     \
    "\n1 in\n0 n\n0 m\n"                                                                           \
    "in -> r\nin -> m -> k -> n -> c\nn -> leak\n" what                                            \
    "switch s on, off when e(n) > 1, on when e(n) < 1\noutput v = e(n), i = f(r), l = f(leak)\n"

BOTH(ratios_and_values_slide)
{
    static const model list[] = {
        {"through a transformer that turns",
         THROUGH("4", "1 + t/10", "X1 s\nV -> s -> in\n"),
         3,
         1,
         {{"v", 1}, {"i", 0.5 / 1.3}, {"l", 0.5}}},
        /* a·0.6 − (1 − a)·0.8 = 0.5; i is 0.6 or −0.4 */
        {"by the ratio itself",
         THROUGH("1.6", "if(on(s), 1, 2)", "V -> in\n"),
         8,
         1,
         {{"v", 1}, {"i", (1.3 * 0.6 - 0.1 * 0.4) / 1.4}, {"l", 0.5}}},
        /* 3a = a + 2(1 − a) */
        {"with a load that goes along",
         "Se V = 4\nR r = 1\nC c = 1\nR load = if(on(s), 1, 1/2)\n1 in\n0 n\nX1 s\n"
         "V -> s -> in -> n -> c\nin -> r\nn -> load\n"
         "switch s on, off when e(n) > 1, on when e(n) < 1\n"
         "output v = e(n), i = f(r), l = f(load)\n",
         5,
         1,
         {{"v", 1}, {"i", 1.5}, {"l", 1.5}}}};
    CHECK_ALL(list, method);
}

/* ---- what is read -------------------------------------------------------------------------- */

#define TORN(limit)                                                                                \
    "I a = 1, f0 = 4\nI b = 1\n1 ja\n1 jb\nX0 k\nja -> a\nja -> k -> jb -> b\n"                    \
    "automaton k {\nopen off initial\nclosed on\ntorn off\nopen -> closed when t >= 1\n"           \
    "closed -> torn when within(f(b)) >= " limit "\n}\n"

BOTH(what_reads_jumps_and_the_past_slides)
{
    static const model list[] = {
        {"a jump elsewhere is cut short",
         RELAY TORN("1") VI ", va = f(a), vb = f(b)\n",
         3,
         1,
         {{"v", 2}, {"i", 1.1}, {"va", 3}, {"vb", 1}}},
        {"where the mean says so",
         RELAY TORN("f(r)") VI ", va = f(a), vb = f(b)\n",
         3,
         1,
         {{"v", 2}, {"i", 1.1}, {"va", 3.1}, {"vb", 0.9}}},
        {"a relay of prior values",
         "Se V = 4\nSf w = -t/10\nw -> n\nR r = 1\nC c = 1, e0 = 1.9\nR leak = 2.5\n1 in\n0 n\nX1 "
         "s\n"
         "V -> s -> in -> n -> c\nin -> r\nn -> leak\n"
         "switch s on, off when prior(e(n)) > 2, on when prior(e(n)) < 2\n" VI "\n",
         3,
         1,
         {{"v", 2}, {"i", 1.1}}},
        {"a load from a table",
         "Se V = 4\nSf w = -table(\"reference.csv\", \"load\")\nw -> n\n" FEED("2") VI "\n",
         1.5,
         1,
         {{"v", 2}, {"i", 1}}}};
    CHECK_ALL(list, method);
}

static void friction_slides_under_a_sequence(void)
{
    static const jn_method methods[] = {JN_METHOD_AUTO, JN_METHOD_RADAU};
    static const double at[] = {0, 2.5, 3.5};
    static const jn_onoff mode[] = {0, 1, 0};
    for (int k = 0; k < 2; k++) {
        rig r;
        CU_ASSERT_FATAL(rig_new(
            &r,
            "Se F = 3*sin(t)\nI a = 1\nI b = 1, f0 = 2\nR h : e = sign(f)\n1 v\n"
            "1 u\nX0 k\nF -> v -> a\nv -> k -> u -> b\nu -> h\n"
            "output va = f(a), vb = f(b), h = e(h)\n",
            &(jn_sim_options){
                .method = methods[k], .nsequence = 3, .sequence_t = at, .sequence_mode = mode}));
        rig_to(&r, 2.25); /* b has come to rest at 2 */
        CLOSE(rig_output(&r, "vb"), 0, 1, 1e-12);
        CLOSE(rig_output(&r, "h"), 0, 1, 1e-12);
        rig_to(&r, 3); /* half of a's momentum, and 3·sin t − 1 for both */
        CLOSE_REL(rig_output(&r, "va"), 1.5L * (1 - cosl(3)) - 0.25L, 1e-9);
        CLOSE_REL(rig_output(&r, "vb"), 1.5L * (1 - cosl(3)) - 0.25L, 1e-9);
        rig_to(&r, 3.75); /* b alone again */
        CLOSE_REL(rig_output(&r, "vb"), 1.5L * (1 - cosl(3.5L)) - 0.5L - 0.25L, 1e-9);
        LEDGER(&r);
        rig_clear(&r);
    }
}

/* ---- several surfaces ---------------------------------------------------------------------- */

#define THREE(start)                                                                               \
    "Se V = 10\n0 V0\nV -> V0\nR a = 100\nR b = 100\nR d = 100\n1 ja\n1 jb\n1 jd\n"                \
    "for k in 1..3 {\nR r[k] = 10\nC c[k] = 1/10" start                                            \
    "\n0 n[k]\n1 in[k]\nX1 s[k]\nR l[k] = 10\n"                                                    \
    "V0 -> s[k] -> in[k] -> n[k] -> c[k]\nin[k] -> r[k]\nn[k] -> l[k]\n"                           \
    "switch s[k] on, off when e(n[k]) > (1 + k)/2, on when e(n[k]) < (1 + k)/2\n}\n"               \
    "n[1] -> ja -> n[2] -> jb -> n[3]\nn[3] -> jd -> n[1]\nja -> a\njb -> b\njd -> d\n"            \
    "output v1 = e(n[1]), v2 = e(n[2]), v3 = e(n[3])\n"                                            \
    "output i1 = f(r[1]), i2 = f(r[2]), i3 = f(r[3])\n"
#define RING                                                                                       \
    {                                                                                              \
        {"v1", 1}, {"v3", 2}, {"i1", 0.085}, {"i2", 0.15},                                         \
        {                                                                                          \
            "i3", 0.215                                                                            \
        }                                                                                          \
    }

BOTH(three_surfaces_are_slid_on_at_once)
{
    static const model list[] = {
        {"one after the other", THREE(""), 10, -1, RING},
        {"all from the start", THREE(", e0 = (1 + k)/2"), 10, -1, RING},
        {"a relay, and a friction that it pulls at",
         RELAY "I m = 1, f0 = 1/5\nR h : e = 3*sign(f)\n1 x\nn -> x -> m\nx -> h\n" VI
               ", x = f(m), h = e(h)\n",
         3,
         -1,
         {{"v", 2}, {"i", 1.1}, {"x", 0}, {"h", 2}}}};
    CHECK_ALL(list, method);
}

/* ---- a switch that draws another along ----------------------------------------------------- */

#define BUCK(read)                                                                                 \
    "Se V = 10\nSe G = 0\nI L = 1\nC c = 1\nR load = 2\n0 n\n1 j\n0 o\nX1 s\nX1 d\n"               \
    "V -> s -> n -> j -> L\nG -> d -> n\nj -> o -> c\no -> load\nswitch d diode\n"                 \
    "switch s on, off when " read " > 1, on when " read " < 1\n"                                   \
    "output i = f(L), v = e(c), is = f(s), id = f(d)\n"
#define HELD                                                                                       \
    {                                                                                              \
        {"i", 1}, {"v", 2}, {"is", 0.2},                                                           \
        {                                                                                          \
            "id", 0.8                                                                              \
        }                                                                                          \
    }

/* Current control without hysteresis: the diode takes over whenever the transistor opens. The last is
 * to follow 1 − t, but through diode and load it falls no faster than by 1/2 + 2i: until i = 1/4, at 3/4.
 * From there on i = (exp(−2(t − 3/4)) − 1/2)/2, until the diode lets go. */
BOTH(a_diode_slides_with_its_transistor)
{
    static const model list[] = {
        {"current", BUCK("f(L)"), 60, 1, HELD},
        {"prior current", BUCK("prior(f(L))"), 60, 1, HELD},
        {"a reference that falls",
         "Se V = 10\nSe G = 0\nI L = 1\nR load = 2\n0 n\n1 j\nX1 s\nX1 d\nV -> s -> n -> j -> L\n"
         "G -> d -> n\nj -> load\nswitch d diode(1/2)\n"
         "switch s on, off when f(L) > 1 - t, on when f(L) < 1 - t\noutput i = f(L), id = f(d)\n",
         1,
         2,
         {{"i", 0.053265329856316711}, {"id", 0.053265329856316711}}}};
    CHECK_ALL(list, method);
}

/* Elsewhere a transistor closes onto a diode that conducts: its sources are in conflict in a candidate that
 * is only asked, and the slide goes on. Its current rises towards 6 and falls towards 0, at a rate of 2. */
BOTH(a_conflict_elsewhere_does_not_interrupt_a_slide)
{
    rig r;
    CHECK(rig_new(&r,
                  RELAY "Se dv = 6\nSe dg = 0\nI l = 1/2\nR q = 1\n0 dn\n1 j\nX1 k\nX1 d\n"
                        "dv -> k -> dn -> j -> l\ndg -> d -> dn\nj -> q\nswitch d diode\n"
                        "switch k on, off when f(l) > 3, on when f(l) < 2\n"
                        "switch z on, off at 9\n" VI ", z = if(on(z), 1, 0)\n",
                  &(jn_sim_options){.method = method}));
    if (r.sim) {
        rig_to(&r, 3);
        CHECK(case_count(&r, JN_EVENT_SLIDING) == 1);
        real t = logl(2) / 2, falls = logl(1.5L) / 2, rises = logl(4 / 3.0L) / 2;
        int i = 2; /* after the start and the slide */
        for (; t < 3; i += 2) {
            case_event(&r, i, t, "0101", "0011", "mythical 0001");
            t += falls;
            if (t < 3)
                case_event(&r, i + 1, t, "0011", "0101", "forbidden 0111");
            t += rises;
        }
        CLOSE_REL(rig_output(&r, "v"), 2, 1e-9);
        CLOSE_REL(rig_output(&r, "i"), 1.1L, 1e-9);
    }
    rig_clear(&r);
}

/* ---- references that are not smooth -------------------------------------------------------- */

/* 8 V feed it, and it follows ref: i = ref/2.5 + ref'. */
static void check_reference(const char *form, const char *ref, double t, double v, double rate,
                            int slides, jn_method method)
{
    char text[900];
    snprintf(text, sizeof text,
             "Se V = %s\nR r = 1\nC c = 1, e0 = 1\nR leak = 2.5\n1 in\n0 n\n%s\nin -> n -> c\n"
             "in -> r\nn -> leak\nSf one = 1\nC clock = 1\none -> clock\nsignal ref = %s\n" VI "\n",
             strncmp(form, "X1", 2) ? form : "8", strncmp(form, "X1", 2) ? "V -> in" : form, ref);
    model x = {ref, text, t, slides, {{"v", v}, {"i", v / 2.5 + rate}}};
    check_model(&x, method);
}

static void check_references(const char *form, jn_method method)
{
    static const struct {
        const char *ref;
        double t, v, rate;
        int slides;
    } list[] = {
        {"2 + max(0, t - 1.3)/4", 3, 2.425, 0.25, 1},
        {"2 + abs(t - 1.3)/4", 3, 2.425, 0.25, 1},
        {"2 + if(q(clock) > 1.3, (q(clock) - 1.3)/4, 0)", 3, 2.425, 0.25, 1},
        {"2 + abs(q(clock) - 1.3)/4", 3, 2.425, 0.25, 1},
        {"2 + min(sin(t), 1/2)/3", 1.7, 2 + 0.5 / 3, 0, 1},
        {"2 - if(t > 1.3, 1/2, 0)", 6, 1.5, 0, 3}, /* it ends, and begins at 1.5 */
        {"2 - if(q(clock) > 1.3, 1/2, 0)", 6, 1.5, 0, 3},
        {"2 + if(t > 1.3, 1/2, 0)", 3, 2.5, 0, -1},
        {"2 + floor(t)/4", 2.9, 2.5, 0, -1},
        {"table(\"reference.csv\", \"ref\")", 1.5, 2.25, 0.5, 1},
        {"table(\"reference.csv\", \"ref\")", 5, 2.1, -0.4, 1},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        check_reference(form, list[i].ref, list[i].t, list[i].v, list[i].rate, list[i].slides,
                        method);
}

BOTH(a_switch_slides_along_a_reference)
{
    check_references("X1 s\nV -> s -> in\n"
                     "switch s on, off when e(n) > ref, on when e(n) < ref",
                     method);
}

BOTH(a_source_slides_along_a_reference)
{
    check_references("if(e(n) < ref, 8, 0)", method);
}

/* ---- steps elsewhere ------------------------------------------------------------------------- */

/* Steps of 1/10 at (k − 101/291)/5 into RC = 1, up to t = 2. */
static double after_steps(void)
{
    double sum = 0;
    for (int k = 1; k <= 10; k++)
        sum += 0.1 * (1 - exp(-(2 - (k - 101 / 291.0) / 5)));
    return sum;
}

/* A moment is where an argument reaches a whole number, which is the end of one step and the beginning of the
 * next: whatever the two sums are rounded to (101/97/3 makes them differ), it goes there once, and the slide goes on. */
BOTH(a_step_elsewhere_does_not_end_a_slide)
{
    static const char *const list[] = {"floor(5*t + (101/97*1)/3)/10",
                                       "-(floor(-5*t - (101/97*1)/3) + 1)/10",
                                       "(5*t + (101/97*1)/3 - mod(5*t + (101/97*1)/3, 1))/10"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        char text[800];
        rig r;
        snprintf(text, sizeof text,
                 "model steps\n" RELAY "Se U = %s\nR ur = 1\nC uc = 1\n1 uj\nU -> uj -> uc\n"
                 "uj -> ur\n" VI "\n",
                 list[i]);
        if (rig_new(&r, text, &(jn_sim_options){.method = method})) {
            rig_to(&r, 2);
            CHECK(r.nevents == 2 && case_count(&r, JN_EVENT_SLIDING) == 1);
            CLOSE(rig_state(&r, "uc"), after_steps(), 1, 1e-9);
            LEDGER(&r);
        }
        rig_clear(&r);
    }
}

void suite_sim_slides(void)
{
    TEST_SUITE("sim_slides");
    TEST_ADD(detachable_sources_slide);
    TEST_ADD(fields_slide);
    TEST_ADD(an_entry_of_a_field_slides);
    TEST_ADD(dependent_storages_slide);
    TEST_ADD(ratios_and_values_slide);
    TEST_ADD(what_reads_jumps_and_the_past_slides);
    TEST_ADD(friction_slides_under_a_sequence);
    TEST_ADD(three_surfaces_are_slid_on_at_once);
    TEST_ADD(a_diode_slides_with_its_transistor);
    TEST_ADD(a_conflict_elsewhere_does_not_interrupt_a_slide);
    TEST_ADD(a_switch_slides_along_a_reference);
    TEST_ADD(a_source_slides_along_a_reference);
    TEST_ADD(a_step_elsewhere_does_not_end_a_slide);
}
