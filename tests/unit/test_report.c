/* test_report.c: reports as LaTeX and Markdown. */
#include "testing.h"

#include "junct.h"
#include "junct/report.h"

typedef struct {
    jn_arena *arena;
    jn_diags *diags;
    const jn_source *source;
    jn_graph *graph;
    jn_junction *junction;
    jn_implicit *implicit;
    jn_drawing *drawing;
    jn_analysis *analysis;
    jn_str text;
} model;

static void load(model *m, const char *name, const char *text)
{
    m->arena = jn_arena_new();
    m->diags = jn_diags_new();
    m->source = jn_source_of(m->arena, name, text, strlen(text));
    CU_ASSERT_EQUAL_FATAL(jn_graph_read(&m->graph, m->source, m->diags), JN_OK);
    CU_ASSERT_EQUAL_FATAL(jn_junction_build(&m->junction, m->graph, false, m->diags), JN_OK);
    CU_ASSERT_EQUAL_FATAL(jn_implicit_derive(&m->implicit, m->junction, m->diags), JN_OK);
    CU_ASSERT_EQUAL_FATAL(jn_drawing_new(&m->drawing, m->junction, NULL), JN_OK);
    m->analysis = jn_analysis_new(m->implicit);
    jn_str_init(&m->text);
}

static void load_file(model *m, const char *path)
{
    char *text = test_read_file(path);
    load(m, path, text);
    free(text);
}

static void unload(model *m)
{
    jn_str_clear(&m->text);
    jn_analysis_free(m->analysis);
    jn_drawing_free(m->drawing);
    jn_implicit_free(m->implicit);
    jn_junction_free(m->junction);
    jn_graph_free(m->graph);
    jn_diags_free(m->diags);
    jn_arena_free(m->arena);
}

static const char *report(model *m, jn_report_form form, const jn_onoff *mode,
                          const jn_report_run *run)
{
    jn_report r = {.junction = m->junction,
                   .implicit = m->implicit,
                   .source = m->source,
                   .drawing = m->drawing,
                   .picture = "x.svg",
                   .analysis = m->analysis,
                   .mode = mode,
                   .run = run,
                   .run_picture = "run.svg",
                   .detail_picture = "detail.svg",
                   .errata = true};
    jn_str_reset(&m->text);
    jn_report_write(&m->text, &r, form);
    return jn_str_c(&m->text);
}

#define HAS(text, part) CU_ASSERT_PTR_NOT_NULL(strstr((text), (part)))

/* ---- the converter of the paper ------------------------------------------------------------ */

/* Tables 4 and 5, and equations (16), (17) and (20) with their errata mended. */
static void the_converter_of_the_paper_is_reported(void)
{
    model m;
    load_file(&m, "examples/chopper.hbg");
    const char *s = report(&m, JN_REPORT_LATEX, NULL, NULL);
    HAS(s,
        "0 & 0 & derivative \\\\\n0 & 1 & integral \\\\\n1 & 0 & integral \\\\\n1 & 1 & conflict");
    HAS(s, "0 & integral \\\\\n1 & derivative \\\\\n");
    HAS(s, "$\\dot{p}_{L_{1}}$ & $\\lambda_{s1} \\oplus \\lambda_{s2}$ \\\\");
    HAS(s, "$\\dot{p}_{L_{3}}$ & $\\overline{\\lambda_{\\mathrm{clutch}}}$ \\\\");
    HAS(s, "$f_{L_{1},\\mathrm{d}}$ & $\\overline{\\lambda_{s1} \\oplus \\lambda_{s2}}$ \\\\");
    HAS(s, "1\\colon \\dot X_i & \\dot{p}_{L_{1}} & 0 & -a\\,(\\lambda_{s1} \\oplus \\lambda_{s2}) "
           "& 0");
    HAS(s, "-\\frac{R_{1}}{L_{1}}\\,(\\lambda_{s1} \\oplus \\lambda_{s2})");
    HAS(s, "L_{1}\\,(\\mathrm{d}) & 0 & 0 & 0 & "
           "-\\frac{1}{L_{1}}\\,\\overline{\\lambda_{s1} \\oplus \\lambda_{s2}} & 0");
    HAS(s, "Where the published form differs");
    HAS(s, "$G = V$ & 2 & $\\lambda_{s1} \\wedge \\lambda_{s2}$");
    HAS(s, "$\\dot{p}_{L_{1}} = -\\frac{R_{1}}{L_{1}}\\,p_{L_{1}}-\\frac{a}{L_{2}}\\,p_{L_{2}}+V$");
    unload(&m);
}

/* ---- parts --------------------------------------------------------------------------------- */

static void a_chosen_mode_is_reported(void)
{
    model m;
    load_file(&m, "examples/chopper.hbg");
    const char *s = report(&m, JN_REPORT_LATEX, (const jn_onoff[]){1, 0, 1}, NULL);
    HAS(s, "\\subsection{Mode 101 (s1 on, s2 off, clutch on)}");
    CU_ASSERT_PTR_NULL(strstr(s, "{Mode 100"));
    s = report(&m, JN_REPORT_LATEX, (const jn_onoff[]){1, 1, 0}, NULL);
    HAS(s, "\\subsection{Mode 110 (s1 on, s2 on, clutch off)}\n"
           "Forbidden: the sources would have to satisfy $G = V$.");
    unload(&m);
}

/* One by one only those that have equations; names of several letters keep apart. */
static void allowed_modes_are_reported(void)
{
    model m;
    load_file(&m, "examples/rectifier.hbg");
    const char *s = report(&m, JN_REPORT_LATEX, NULL, NULL);
    HAS(s, "{Mode 1001 (");
    CU_ASSERT_PTR_NULL(strstr(s, "{Mode 1100 ("));
    HAS(s, "\\mathrm{load} \\, \\mathrm{Ra}");
    unload(&m);
    load(&m, "never", "model never\nSe a = 1\nSe b = 2\n0 j\na -> j\nb -> j\n");
    s = report(&m, JN_REPORT_LATEX, NULL, NULL);
    HAS(s, "None is allowed.");
    unload(&m);
}

static void reports_may_be_markdown(void)
{
    model m;
    load_file(&m, "examples/chopper.hbg");
    const char *s = report(&m, JN_REPORT_MARKDOWN, NULL, NULL);
    HAS(s, "# Chopper with motor and clutch\n");
    HAS(s, "![causal bond graph](x.svg)");
    HAS(s, "| $`G = V`$ | 2 | $`\\lambda_{s1} \\wedge \\lambda_{s2}`$ |");
    HAS(s, "```math\nA = \\begin{array}");
    unload(&m);
    load_file(&m, "examples/tool.hbg"); /* entries with names are mathematics as well */
    s = report(&m, JN_REPORT_MARKDOWN, NULL, NULL);
    HAS(s, "\n\n$`A_{1,4} = ");
    unload(&m);
}

/* ---- the simulation ------------------------------------------------------------------------ */

static const double run_t[] = {0, 1, 2}, run_i[] = {0, 1, 0.5};
static const double *const run_value[] = {run_i};
static const char *const run_name[] = {"i"};
static const jn_mode_band run_band[] = {{0, "100"}, {1, "010"}};
static const jn_plot run_plot = {.npoints = 3,
                                 .t = run_t,
                                 .ntraces = 1,
                                 .name = run_name,
                                 .value = run_value,
                                 .nbands = 2,
                                 .band = run_band};

/* Losses and times that are only rounding are none. */
static const jn_report_impulse no_impulse = {"L1", 'e', 1e-17}, run_impulse = {"L2", 'e', -2.5};
static const jn_report_event run_event[] = {
    {1e-17, 1, "time", "000", "100", "", "s1: pwm", 1e-18, 1, &no_impulse, 1e-30},
    {1, 1, "state", "100", "010", "000, 110" JN_REPORT_FORBIDDEN, "s2: e(n) < 0", 0.25, 1,
     &run_impulse, 1},
    {1.5e-5, 1, "state", "100", "010", "", "s2", 0, 0, NULL, 0}};

static void a_run_is_reported(void)
{
    const jn_report_run run = {.reached = 2,
                               .events = 3,
                               .modes = 2,
                               .linear = true,
                               .ledger = {3, 1, 1.75, 0.25, 6},
                               .plot = &run_plot,
                               .traces = 1,
                               .nevents = 3,
                               .event = run_event};
    model m;
    load_file(&m, "examples/chopper.hbg");
    const char *s = report(&m, JN_REPORT_LATEX, NULL, &run);
    HAS(s, "\\section{Simulation}\nRun to $t = 2$: 3 events, 2 modes. The modes are linear");
    HAS(s, "\\addplot");
    HAS(s, "$0$ & time & 000 & 100 &  &  &  & s1: pwm \\\\");
    HAS(s, "$1$ & state & 100 & 010 & 000, 110! & e(L2): $-2.5$ & $0.25$ & s2: e(n) \\textless{} 0 "
           "\\\\");
    HAS(s, "$1.5\\cdot 10^{-5}$ & state");
    HAS(s, "A mode with ! is forbidden, and was left at once.");
    HAS(s, "lost in jumps & $0.25$ \\\\");
    HAS(s, "These balance to $10^{-12}$ of the energy moved.");
    CU_ASSERT_PTR_NULL(strstr(s, "stopped early"));
    CU_ASSERT_PTR_NULL(strstr(s, "by sort"));
    s = report(&m, JN_REPORT_MARKDOWN, NULL, &run);
    HAS(s, "![1 trace](run.svg)");
    HAS(s, "| $`1`$ | state | 100 | 010 | 000, 110\\! | e(L2): $`-2.5`$ | $`0.25`$ |");
    CU_ASSERT_PTR_NULL(strstr(s, "detail.svg"));
    unload(&m);
}

/* More than can be listed: one of each sort, and the first. */
static void many_events_are_cut(void)
{
    const jn_report_event sort = {1,   1998, "state",      "100", "010", "", "s2: e(n) < 0",
                                  0.5, 1,    &run_impulse, 1}; /* whose areas differ */
    const jn_report_run run = {.reached = 2,
                               .events = 2000,
                               .ledger = {3, 1, 1, 0, 6},
                               .stopped = "enough",
                               .plot = &run_plot,
                               .detail = &run_plot,
                               .traces = 9,
                               .nevents = 3,
                               .event = run_event,
                               .nchanges = 1,
                               .change = &sort,
                               .more_changes = 2};
    model m;
    load_file(&m, "examples/chopper.hbg");
    const char *s = report(&m, JN_REPORT_MARKDOWN, NULL, &run);
    HAS(s, "The run stopped early: enough.");
    HAS(s, "The plot has the first 1 of 9 outputs.");
    HAS(s, "![1 trace](detail.svg)");
    HAS(s, "| $`1`$ | 1998 | state | 100 | 010 | $`0.5`$ | s2: e(n) \\< 0 |");
    HAS(s, "And 2 events of other sorts.");
    HAS(s, "And 1997 more: junct simulate");
    HAS(s, "These balance to $`10^{0}`$"); /* 1 of 6 */
    unload(&m);
}

/* ---- large and hostile models -------------------------------------------------------------- */

/* A model of 128 switches: a report of some pages, not of hundreds. */
static void large_models_are_reported(void)
{
    model m;
    char *text = test_read_file("examples/arm.hbg");
    char *turns = strstr(text, "1..8 {");
    CU_ASSERT_PTR_NOT_NULL_FATAL(turns);
    jn_str large;
    jn_str_init(&large);
    jn_str_addn(&large, text, (size_t)(turns - text));
    jn_str_add(&large, "1..64 {");
    jn_str_add(&large, turns + strlen("1..8 {"));
    load(&m, "arm64", jn_str_c(&large));
    const char *s = report(&m, JN_REPORT_LATEX, NULL, NULL);
    HAS(s, "(64 terms)");
    HAS(s, "And 58 more tables.");
    HAS(s, "$B$ has 130 rows, 1 column and 1 entry that is not zero:");
    HAS(s, "{The reference mode}");
    HAS(s, "\\ \\cdots\\ +V$"); /* of the coil's equation */
    HAS(s, "\\draw[fold] ");    /* one of 64 cells is drawn */
    CU_ASSERT(strlen(s) < 150000);
    s = report(&m, JN_REPORT_MARKDOWN, NULL, NULL);
    CU_ASSERT(strlen(s) < 150000);
    jn_str_clear(&large);
    free(text);
    unload(&m);
}

/* Nothing of a title or a comment is a command of LaTeX or Markdown. */
static void hostile_text_is_escaped(void)
{
    model m;
    load(&m, "hostile",
         "# \\end{modelfile} ``` ```` \xE6\xBC\xA2 %$&_#{}~^\n"
         "model m \"\\\\input{x} <script> | _a_ *b* `c` 100%\"\nSe x_ = 1\nR r = 1\n"
         "1 j\nx_ -> j -> r\n");
    const char *s = report(&m, JN_REPORT_LATEX, NULL, NULL);
    CU_ASSERT_PTR_NULL(strstr(s, "\\input{x}"));
    HAS(s, "\\textbackslash{}input\\{x\\}");
    HAS(s, "\\modelline{\\# \\textbackslash{}end\\{modelfile\\}");
    s = report(&m, JN_REPORT_MARKDOWN, NULL, NULL);
    HAS(s, "# \\\\input\\{x\\} \\<script\\> \\| \\_a\\_ \\*b\\* \\`c\\` 100%\n");
    HAS(s, "\n`````\n# \\end{modelfile}"); /* a fence longer than those inside */
    unload(&m);
}

void suite_report(void)
{
    TEST_SUITE("report");
    TEST_ADD(the_converter_of_the_paper_is_reported);
    TEST_ADD(a_chosen_mode_is_reported);
    TEST_ADD(allowed_modes_are_reported);
    TEST_ADD(reports_may_be_markdown);
    TEST_ADD(a_run_is_reported);
    TEST_ADD(many_events_are_cut);
    TEST_ADD(large_models_are_reported);
    TEST_ADD(hostile_text_is_escaped);
}
