/* test_plot.c: plots: thinning, axes, what is written. */
#include "testing.h"

#include <math.h>

#include "junct/plot.h"

enum { MANY = 100000, COLUMNS = 50 };

static int count_of(const char *text, const char *what)
{
    int n = 0;
    for (const char *s = text; (s = strstr(s, what)); s++)
        n++;
    return n;
}

/* Both sides of a jump stay, at one time, also where neither is the least or the greatest. */
static void thinning_keeps_jumps_upright(void)
{
    static const double t[] = {0, 1, 2, 3, 3, 4, 5, 6}, v[] = {5, 9, 4, 2, 7, 6, 0, 5};
    static const double *const value[] = {v};
    static const char *const name[] = {"v"};
    jn_plot p = {.npoints = 8, .t = t, .ntraces = 1, .name = name, .value = value};
    int *index, n = jn_plot_thin(&index, &p, 0, 1);
    bool before = false, after = false;
    for (int i = 0; i < n; i++) {
        before = before || index[i] == 3;
        after = after || index[i] == 4;
    }
    CU_ASSERT(before && after);
    CU_ASSERT_EQUAL(n, 6); /* and the first, the last, the least and the greatest */
    free(index);
}

/* A long noisy trace with two lone peaks: they survive, and the ends do. */
static void thinning_keeps_what_is_seen(void)
{
    static double t[MANY], v[MANY];
    test_rng rng = test_rng_new(1);
    for (int i = 0; i < MANY; i++) {
        t[i] = i * 1e-3;
        v[i] = test_rng_int(&rng, -100, 100);
    }
    int high = test_rng_int(&rng, 1, MANY - 2), low = test_rng_int(&rng, 1, MANY - 2);
    v[high] = 1000;
    v[low] = -1000;
    const double *const value[] = {v};
    const char *const name[] = {"x"};
    jn_plot p = {.npoints = MANY, .t = t, .ntraces = 1, .name = name, .value = value};
    int *index, n = jn_plot_thin(&index, &p, 0, COLUMNS);
    bool saw_high = false, saw_low = false;
    CU_ASSERT(n <= 4 * COLUMNS);
    CU_ASSERT_EQUAL(index[0], 0);
    CU_ASSERT_EQUAL(index[n - 1], MANY - 1);
    for (int i = 0; i < n; i++) {
        saw_high = saw_high || index[i] == high;
        saw_low = saw_low || index[i] == low;
        CU_ASSERT(i == 0 || index[i] > index[i - 1]);
    }
    CU_ASSERT_TRUE(saw_high);
    CU_ASSERT_TRUE(saw_low);
    free(index);
}

/* How often the line of the first trace in a document turns, and how many points it has. */
static int turns_in_latex(int *points, const jn_plot *p)
{
    jn_str out;
    jn_str_init(&out);
    jn_plot_latex(&out, p);
    int turns = 0;
    double before = 0, last = 0;
    *points = 0;
    const char *s = strstr(jn_str_c(&out), "coordinates {"), *end = s ? strstr(s, "};") : NULL;
    for (s = s ? strchr(s, '(') : NULL; s && s < end; s = strchr(s + 1, '(')) {
        double v = strtod(strchr(s, ',') + 1, NULL);
        turns += *points > 1 && (v - last) * (last - before) < 0;
        before = last;
        last = v;
        ++*points;
    }
    jn_str_clear(&out);
    return turns;
}

/* Ripples in a document: 200 periods are 200, a slope beside them needs few points. 1000 are so
 * close that the line fills its band: in every half millimetre it goes all the way. */
static void ripples_keep_their_pace(void)
{
    static double t[MANY], v[MANY];
    const double *const value[] = {v};
    const char *const name[] = {"x"};
    jn_plot p = {.npoints = MANY, .t = t, .ntraces = 1, .name = name, .value = value};
    int points;
    for (int periods = 200; periods <= 1000; periods += 800) {
        for (int i = 0; i < MANY; i++) {
            t[i] = (double)i / (MANY - 1);
            v[i] = sin(2 * 3.14159265358979 * periods * t[i]);
        }
        int turns = turns_in_latex(&points, &p);
        CU_ASSERT(turns >= (periods > 200 ? 900 : 400) && points < 4000);
        CU_ASSERT(periods > 200 || turns <= 402);
    }
    for (int i = 0; i < MANY; i++)
        v[i] = t[i] < 0.5 ? t[i] : 2 * t[i] - 0.5;
    CU_ASSERT_EQUAL(turns_in_latex(&points, &p), 0);
    CU_ASSERT(points <= 5);
}

/* A short trace keeps every point, also both of an event. */
static void short_traces_keep_every_point(void)
{
    const double t[] = {0, 1, 1, 2}, v[] = {0, 1, 5, 6};
    const double *const value[] = {v};
    const char *const name[] = {"x"};
    jn_plot p = {.npoints = 4, .t = t, .ntraces = 1, .name = name, .value = value};
    int *index;
    CU_ASSERT_EQUAL(jn_plot_thin(&index, &p, 0, 100), 4);
    free(index);
}

static void outputs_of_one_kind_share_axes(void)
{
    const double t[] = {0, 1}, a[] = {0, 10}, b[] = {0, -30}, c[] = {0, 0.01}, zero[] = {0, 0};
    const double *const value[] = {a, b, c, zero};
    const char *const name[] = {"a", "b", "c", "zero"};
    jn_plot p = {.npoints = 2, .t = t, .ntraces = 4, .name = name, .value = value};
    int group[4];
    CU_ASSERT_EQUAL(jn_plot_group(group, &p), 2);
    CU_ASSERT_EQUAL(group[0], group[1]);
    CU_ASSERT_NOT_EQUAL(group[0], group[2]);
    CU_ASSERT_EQUAL(group[3], 0);
}

/* Two of about the same size that move little: on common axes both would be flat. */
static void what_moves_little_has_axes_of_its_own(void)
{
    const double t[] = {0, 1}, a[] = {5.5, 5.6}, b[] = {32, 32.001}, still[] = {6, 6};
    const double *const value[] = {a, b, still};
    const char *const name[] = {"a", "b", "still"};
    jn_plot p = {.npoints = 2, .t = t, .ntraces = 3, .name = name, .value = value};
    int group[3];
    CU_ASSERT_EQUAL(jn_plot_group(group, &p), 2);
    CU_ASSERT_NOT_EQUAL(group[0], group[1]);
    CU_ASSERT_EQUAL(group[0], group[2]);
}

/* What is written at the axis of time: 20 to 100 for 0.02992 to 0.03, 0 to 400 for 0 to 4e-4. */
static void times_are_written_short(void)
{
    const double late[] = {0.02992, 0.03}, early[] = {0, 4e-4}, plain[] = {0, 1}, v[] = {0, 1};
    const double end[] = {0.019450001, 0.02};
    const double *const value[] = {v};
    const char *const name[] = {"x"};
    jn_plot p = {.npoints = 2, .ntraces = 1, .name = name, .value = value};
    const struct {
        const double *t;
        const char *latex, *range, *ticks, *svg;
    } example[] = {{late, "xlabel={$t - 0.0299\\,\\mathrm{s}$ in $\\mathrm{\\mu s}$}",
                    "xmin=20,xmax=100,", "{$20$,$30$,$40$,", ">t \xE2\x88\x92 0.0299 s</text>"},
                   {early, "xlabel={$t$ in $\\mathrm{\\mu s}$}", "xmin=0,xmax=400,",
                    "{$0$,$50$,$100$,", ">400 \xC2\xB5s</text>"},
                   {end, "xlabel={$t$ in $\\mathrm{ms}$}", "xmin=19.450001,xmax=20,",
                    "xticklabels={$19.5$,$19.6$,$19.7$,$19.8$,$19.9$,$20$}", ">t</text>"},
                   {plain, "xlabel={$t$ in $\\mathrm{s}$}", "xmin=0,xmax=1,", "{$0$,$0.1$,$0.2$,",
                    ">t</text>"}};
    jn_str out;
    jn_str_init(&out);
    for (size_t i = 0; i < sizeof example / sizeof example[0]; i++) {
        p.t = example[i].t;
        jn_str_reset(&out);
        jn_plot_latex(&out, &p);
        CU_ASSERT_PTR_NOT_NULL(strstr(jn_str_c(&out), example[i].latex));
        CU_ASSERT_PTR_NOT_NULL(strstr(jn_str_c(&out), example[i].range));
        CU_ASSERT_PTR_NOT_NULL(strstr(jn_str_c(&out), example[i].ticks));
        jn_str_reset(&out);
        jn_plot_svg(&out, &p);
        CU_ASSERT_PTR_NOT_NULL(strstr(jn_str_c(&out), example[i].svg));
    }
    jn_str_clear(&out);
}

static void ticks_are_round_numbers(void)
{
    double first, step;
    CU_ASSERT_EQUAL(jn_plot_ticks(&first, &step, 0, 1, 5), 6);
    CU_ASSERT_DOUBLE_EQUAL(first, 0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(step, 0.2, 1e-12);
    CU_ASSERT_EQUAL(jn_plot_ticks(&first, &step, -37, 61, 5), 5);
    CU_ASSERT_DOUBLE_EQUAL(first, -20, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(step, 20, 1e-12);
    CU_ASSERT_EQUAL(jn_plot_ticks(&first, &step, 3, 3, 5), 1); /* nothing to divide */
}

static void plots_are_well_formed(void)
{
    const double t[] = {0, 1, 1, 2, 3}, a[] = {0, 1, 5, NAN, 2}, b[] = {1, 1, 1, 1, 900};
    const double *const value[] = {a, b};
    const char *const name[] = {"i_<1>", "v"};
    const jn_mode_band band[] = {{0, "10"}, {1, "01"}};
    jn_plot p = {.title = "a & b",
                 .npoints = 5,
                 .t = t,
                 .ntraces = 2,
                 .name = name,
                 .value = value,
                 .nbands = 2,
                 .band = band,
                 .nswitches = 2,
                 .switch_name = (const char *const[]){"up", "d<own>"}};
    jn_str out;
    jn_str_init(&out);
    jn_plot_svg(&out, &p);
    const char *s = jn_str_c(&out);
    CU_ASSERT_EQUAL(count_of(s, "data-trace="), 2);
    CU_ASSERT_EQUAL(count_of(s, "class=\"frame\""), 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(s, "a &amp; b"));
    CU_ASSERT_PTR_NOT_NULL(strstr(s, "i_&lt;1&gt;"));
    CU_ASSERT_PTR_NULL(strstr(s, "nan"));
    const char *path = strstr(s, " d=\"M");
    CU_ASSERT_PTR_NOT_NULL_FATAL(path);
    CU_ASSERT_PTR_NOT_NULL(strchr(path + 5, 'M')); /* a gap: the path begins anew */
    CU_ASSERT_EQUAL(count_of(s, "class=\"event\""), 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(s, ">up</text>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(s, ">d&lt;own&gt;</text>"));
    CU_ASSERT_EQUAL(count_of(s, "<rect class=\"on\""), 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(s, ">2 s</text>"));
    jn_str_reset(&out);
    jn_plot_latex(&out, &p);
    s = jn_str_c(&out);
    CU_ASSERT_EQUAL(count_of(s, "\\begin{axis}"), 2);
    CU_ASSERT_EQUAL(count_of(s, "\\addplot"), 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(s, "(1,5)"));
    jn_str_clear(&out);
}

/* Many traces: their names stay inside of the picture, and their lines can be told apart. */
static void many_traces_are_told_apart(void)
{
    enum { N = 12 };
    const double t[] = {0, 1}, v[] = {0, 2e6};
    const double *value[N];
    const char *name[N];
    for (int i = 0; i < N; i++) {
        value[i] = v;
        name[i] = "a_long_name";
    }
    jn_plot p = {.npoints = 2, .t = t, .ntraces = N, .name = name, .value = value};
    jn_str out;
    jn_str_init(&out);
    jn_plot_svg(&out, &p);
    int found = 0;
    for (const char *s = jn_str_c(&out); (s = strstr(s, "a_long_name</text>")); s++, found++) {
        const char *x = s;
        while (strncmp(x, "x=\"", 3) != 0)
            x--;
        CU_ASSERT(strtod(x + 3, NULL) < 720 - 7 * 11);
    }
    CU_ASSERT_EQUAL(found, N);
    CU_ASSERT_EQUAL(count_of(jn_str_c(&out), "trace c1 again\" data-trace"), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(jn_str_c(&out), ">1.5e6</text>"));
    jn_str_clear(&out);
}

/* The switches as rows: where bands tell it exactly, and where only shares of columns are known. */
static void switches_have_rows(void)
{
    const double t[] = {0, 4e-3}, v[] = {0, 12e3};
    const double *const value[] = {v};
    const char *const name[] = {"p"}, *const unit[] = {"Pa"}, *const sw[] = {"a", "b"};
    const jn_mode_band band[] = {{0, "10"}, {1e-3, "11"}, {2e-3, "01"}, {3e-3, "11"}};
    jn_plot p = {.npoints = 2, .t = t, .ntraces = 1, .name = name, .value = value, .unit = unit};
    p.nbands = 4;
    p.band = band;
    p.nswitches = 2;
    p.switch_name = sw;
    jn_str out;
    jn_str_init(&out);
    jn_plot_svg(&out, &p);
    const char *s = jn_str_c(&out);
    CU_ASSERT_EQUAL(count_of(s, "<rect class=\"on\""), 3); /* a twice, b once */
    CU_ASSERT_PTR_NOT_NULL(strstr(s, "x=\"70.00\" y=\"240.00\" width=\"311.00\""));
    CU_ASSERT_EQUAL(count_of(s, "fill-opacity"), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(s, ">10 kPa</text>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(s, ">2 ms</text>"));
    const float share[] = {0.25f, 0.25f, 0, 1, 0, 0, 0, 0.5f};
    p.ncolumns = 4;
    p.share = share;
    p.changes = 40000;
    p.nmore = 3;
    jn_str_reset(&out);
    jn_plot_svg(&out, &p);
    s = jn_str_c(&out);
    CU_ASSERT_EQUAL(count_of(s, "<rect class=\"on\""), 3);
    CU_ASSERT_EQUAL(count_of(s, "fill-opacity=\"0.25\""), 1);
    CU_ASSERT_EQUAL(count_of(s, "fill-opacity=\"0.50\""), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(s, "40000 changes"));
    CU_ASSERT_PTR_NOT_NULL(strstr(s, "3 more switches"));
    jn_str_reset(&out);
    jn_plot_latex(&out, &p);
    CU_ASSERT_EQUAL(count_of(jn_str_c(&out), "\\fill[teal!"), 3);
    CU_ASSERT_PTR_NOT_NULL(strstr(jn_str_c(&out), "$ in $\\mathrm{ms}$"));
    jn_str_clear(&out);
}

/* A switch that turns in about every column would beat against them; the columns are as dark as it is
 * on, whatever the two grids are, and a slow switch beside it keeps its edges. */
static void fast_switches_make_no_pattern(void)
{
    enum { N = 700 };
    static float share[2 * N];
    const double t[] = {0, 1}, v[] = {0, 1};
    const double *const value[] = {v};
    const char *const name[] = {"p"}, *const sw[] = {"fast", "slow"};
    jn_plot p = {.npoints = 2, .t = t, .ntraces = 1, .name = name, .value = value};
    p.nswitches = 2;
    p.switch_name = sw;
    p.share = share;
    p.ncolumns = N;
    p.changes = 640;
    for (int i = 0; i < 100 * N; i++) /* 320 periods, on in half of each */
        share[i / 100] += fmod(320.0 * i / (100 * N), 1) < 0.5 ? 0.01f : 0;
    for (int c = N / 2; c < N; c++)
        share[N + c] = 1;
    jn_str out;
    jn_str_init(&out);
    jn_plot_svg(&out, &p);
    const char *s = jn_str_c(&out);
    int halves = count_of(s, "fill-opacity=\"0.5") + count_of(s, "fill-opacity=\"0.45");
    CU_ASSERT(halves > 0);
    CU_ASSERT_EQUAL(count_of(s, "fill-opacity"), halves);
    CU_ASSERT_EQUAL(count_of(s, "x=\"381.00\""), 1); /* in the middle */
    jn_str_clear(&out);
}

/* Traces of other units have axes of their own, however alike their sizes are. */
static void units_stand_at_the_axes(void)
{
    const double t[] = {0, 1}, v[] = {0, 2};
    const double *const value[] = {v, v, v};
    const char *const name[] = {"a", "b", "c"}, *const unit[] = {"A", "V", "A"};
    jn_plot p = {.npoints = 2, .t = t, .ntraces = 3, .name = name, .value = value, .unit = unit};
    int group[3];
    CU_ASSERT_EQUAL(jn_plot_group(group, &p), 2);
    CU_ASSERT(group[0] == 0 && group[1] == 1 && group[2] == 0);
}

static double height_of(const char *svg, const char *text)
{
    const char *end = strstr(svg, text), *y = end;
    while (y && y > svg && strncmp(y, " y=\"", 4) != 0)
        y--;
    return y ? strtod(y + 4, NULL) : NAN;
}

/* A unit that stands above the numbers is clear of one at the very top. */
static void units_are_clear_of_numbers(void)
{
    const double t[] = {0, 1}, v[] = {0, 1 / 1.0399};
    const double *const value[] = {v};
    const char *const name[] = {"a"}, *const unit[] = {"m/s"};
    jn_plot p = {.npoints = 2, .t = t, .ntraces = 1, .name = name, .value = value, .unit = unit};
    jn_str out;
    jn_str_init(&out);
    jn_plot_svg(&out, &p);
    CU_ASSERT(height_of(jn_str_c(&out), ">1</text>") - height_of(jn_str_c(&out), ">m/s</text>") >=
              11);
    jn_str_clear(&out);
}

static void nothing_is_drawn_of_nothing(void)
{
    jn_plot p = {.npoints = 0};
    jn_str out;
    jn_str_init(&out);
    jn_plot_svg(&out, &p);
    CU_ASSERT_PTR_NOT_NULL(strstr(jn_str_c(&out), "</svg>"));
    jn_str_reset(&out);
    jn_plot_latex(&out, &p);
    TEST_TEXT("", jn_str_c(&out));
    jn_str_clear(&out);
}

void suite_plot(void)
{
    TEST_SUITE("plot");
    TEST_ADD(thinning_keeps_what_is_seen);
    TEST_ADD(thinning_keeps_jumps_upright);
    TEST_ADD(short_traces_keep_every_point);
    TEST_ADD(outputs_of_one_kind_share_axes);
    TEST_ADD(what_moves_little_has_axes_of_its_own);
    TEST_ADD(times_are_written_short);
    TEST_ADD(ticks_are_round_numbers);
    TEST_ADD(plots_are_well_formed);
    TEST_ADD(many_traces_are_told_apart);
    TEST_ADD(switches_have_rows);
    TEST_ADD(fast_switches_make_no_pattern);
    TEST_ADD(ripples_keep_their_pace);
    TEST_ADD(units_stand_at_the_axes);
    TEST_ADD(units_are_clear_of_numbers);
    TEST_ADD(nothing_is_drawn_of_nothing);
}
