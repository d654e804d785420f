/* test_report_pages.c: `junct report` and `junct draw` as a user runs them, PDFs seen as images. */
#include <glob.h>
#include "run.h"

#include <sys/stat.h>
#include <unistd.h>

#include "junct/base.h"

/* ---- images -------------------------------------------------------------------------------- */

typedef struct {
    int width, height;
    unsigned char *grey;
} image;

/* A page at 40 dots an inch, in grey. False when there is no such page. */
static bool read_page(image *p, const char *pdf, int page)
{
    char command[1024];
    snprintf(command, sizeof command, "pdftoppm -gray -r 40 -f %d -l %d '%s' 2>/dev/null", page,
             page, pdf);
    FILE *pipe = popen(command, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(pipe);
    int depth = 0;
    p->grey = NULL;
    bool found = fscanf(pipe, "P5 %d %d %d", &p->width, &p->height, &depth) == 3 && depth == 255;
    if (found) {
        size_t size = (size_t)p->width * (size_t)p->height;
        fgetc(pipe);
        p->grey = malloc(size);
        CU_ASSERT_EQUAL(fread(p->grey, 1, size, pipe), size);
    }
    pclose(pipe);
    return found;
}

enum { DARK = 200, MARGIN = 15 }; /* 15 dots: less than 10 mm */

static bool is_dark(const image *p, int x, int y)
{
    return p->grey[y * p->width + x] < DARK;
}

static void check_page(const image *p)
{
    long dark = 0, outside = 0;
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            bool margin =
                x < MARGIN || y < MARGIN || x >= p->width - MARGIN || y >= p->height - MARGIN;
            dark += is_dark(p, x, y);
            outside += margin && is_dark(p, x, y);
        }
    CU_ASSERT(dark > 100); /* not blank: more than a page number */
    CU_ASSERT_EQUAL(outside, 0);
}

/* Every page; returns how many. */
static int check_pages(const char *pdf)
{
    image p;
    int n = 0;
    while (read_page(&p, pdf, n + 1)) {
        check_page(&p);
        free(p.grey);
        n++;
    }
    return n;
}

/* ---- reports ------------------------------------------------------------------------------- */

static void check_report(const char *path, const char *name)
{
    char pdf[512];
    outcome o = run("report '%s' -o '%s/r' --pdf", path, run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    TEST_TEXT("", o.out);
    outcome_clear(&o);
    snprintf(pdf, sizeof pdf, "%s/r/%s.pdf", run_folder(), name);
    CU_ASSERT(check_pages(pdf) > 3);
}

static void reports_have_their_pages(void)
{
    check_report("examples/chopper.hbg", "chopper");
    check_report("examples/arm.hbg", "arm");
    check_report("examples/rectifier.hbg", "rectifier");
}

/* Names, titles and comments that mean something to LaTeX, and letters it may not know. */
static void hostile_text_is_set(void)
{
    static const char text[] =
        "# \\end{modelfile} \\end{document} %$&_#{}~^\\ \xE6\xBC\xA2\xE5\xAD\x97 \xF0\x9F\x98\x80\n"
        "# \xC4\x85\xC4\x91\xC5\x8B\xC3\xBE\xC2\xAB\xC2\xBB\xC5\x82\xC3\x9F\xC2\xB5\xC2\xB0\n"
        "model m_ \"%$&_#{}\\\\ \xCE\xBB <\xC4\x86uk> ^~ \xE6\xBC\xA2\"\n"
        "Se V_ = if(t < 1, 1, 2)\nI _ = 1\nR R__1_x = 2\n"
        "C a_very_long_name_of_a_capacitor_which_goes_on_and_on_and_on_and_on_and_on_1 = 3\n"
        "1 j\nX1 s_1\nV_ -> s_1 -> j -> _\nj -> R__1_x\n"
        "j -> a_very_long_name_of_a_capacitor_which_goes_on_and_on_and_on_and_on_and_on_1\n";
    char path[512];
    run_write_file("hostile.hbg", text, sizeof text - 1);
    snprintf(path, sizeof path, "%s/hostile.hbg", run_folder());
    check_report(path, "m_");
}

/* ---- the sample ---------------------------------------------------------------------------- */

/* Places depend on the version of Graphviz, and the last digits of traces on the processor: lines
 * with coordinates are left out. */
static char *without_places(const char *s)
{
    static const char *const place[] = {"\\draw", "\\node", "\\fill", "\\useas", "\\begin{", "("};
    jn_str out;
    jn_str_init(&out);
    jn_str_add(&out, "");
    while (*s) {
        size_t n = strcspn(s, "\n");
        bool left_out = false;
        for (size_t i = 0; i < sizeof place / sizeof place[0]; i++)
            left_out = left_out || strncmp(s, place[i], strlen(place[i])) == 0;
        if (!left_out)
            jn_str_addn(&out, s, n + (s[n] == '\n'));
        s += n + (s[n] == '\n');
    }
    return out.s;
}

static void check_sample(const char *file)
{
    char path[512], kept_path[512];
    snprintf(path, sizeof path, "%s/sample/%s", run_folder(), file);
    snprintf(kept_path, sizeof kept_path, "reports/sample/%s", file);
    char *made = test_read_file(path), *kept = test_read_file(kept_path);
    char *want = without_places(kept), *have = without_places(made);
    TEST_TEXT(want, have); /* out of date? make sample */
    free(have);
    free(want);
    free(kept);
    free(made);
}

static void the_sample_is_current(void)
{
    static const char *const form[] = {"latex", "md"};
    for (int i = 0; i < 2; i++) {
        outcome o =
            run("report examples/chopper.hbg -o '%s/sample' --format %s", run_folder(), form[i]);
        CU_ASSERT_EQUAL(o.code, 0);
        outcome_clear(&o);
    }
    check_sample("chopper.tex");
    check_sample("chopper.md");
}

/* ---- the simulation ------------------------------------------------------------------------ */

/* The Markdown report of a model; free it. Checks the exit code. */
static char *markdown(int code, const char *path, const char *name, const char *options)
{
    char file[512];
    outcome o = run("report '%s' -o '%s/run' --format md %s", path, run_folder(), options);
    CU_ASSERT_EQUAL(o.code, code);
    outcome_clear(&o);
    snprintf(file, sizeof file, "%s/run/%s.md", run_folder(), name);
    return test_read_file(file);
}

static void check_markdown(int code, const char *path, const char *name, const char *options,
                           const char *part)
{
    char *text = markdown(code, path, name, options);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, part));
    free(text);
}

/* Of 40000 events those that stand out are told; in the picture the converter's switches are grey
 * throughout, on for half of the time, and the clutch is closed once. */
static void reports_run_the_model(void)
{
    char *text = markdown(0, "examples/chopper.hbg", "chopper", ""), path[512];
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "| 1 | state | 010 | 011 |"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "clutch open: t \\>= 0.5 |"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "![3 traces](chopper-detail.svg)"));
    free(text);
    snprintf(path, sizeof path, "%s/run/chopper-run.svg", run_folder());
    text = test_read_file(path);
    const char *chopping = strstr(text, "<title>s1</title>"),
               *clutch = strstr(text, "<title>clutch</title>"), *bar;
    CU_ASSERT_FATAL(chopping && clutch);
    CU_ASSERT_PTR_NOT_NULL(strstr(chopping, "fill-opacity=\"0.50\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "40001 changes"));
    double from = 0, to = 0, x, width; /* of 622 points from 70 on for the second that it takes */
    for (bar = clutch; (bar = strstr(bar + 1, "<rect class=\"on\""));) {
        CU_ASSERT_EQUAL(
            sscanf(bar, "<rect class=\"on\" x=\"%lf\" y=\"%*f\" width=\"%lf\"", &x, &width), 2);
        from = from > 0 ? from : x;
        to = x + width;
    }
    CU_ASSERT_DOUBLE_EQUAL((from - 70) / 622, 0.288, 0.003);
    CU_ASSERT_DOUBLE_EQUAL((to - 70) / 622, 0.5, 0.003);
    free(text);
}

static void reports_take_options_of_runs(void)
{
    static const char no_value[] = "model a\nSe V = 1\nI L\n1 j\nV -> j -> L\n"
                                   "simulate to 1 every 0.1\n";
    static const char no_end[] = "model b\nSe V = 1\nI L = 1\n1 j\nV -> j -> L\n";
    char a[512], b[512];
    run_write_file("a.hbg", no_value, sizeof no_value - 1);
    run_write_file("b.hbg", no_end, sizeof no_end - 1);
    snprintf(a, sizeof a, "%s/a.hbg", run_folder());
    snprintf(b, sizeof b, "%s/b.hbg", run_folder());
    check_markdown(0, a, "a", "", "The model was not run: 'L' has no value");
    check_markdown(0, b, "b", "", "The model was not run: the model does not say for how long");
    check_markdown(0, b, "b", "--to 2 --every 1/8", "Run to $`t = 2`$: 0 events, 1 mode.");
    check_markdown(0, "examples/ball.hbg", "ball", "", "| zeno |");
    char *text = markdown(0, "examples/ball.hbg", "ball", "--no-run");
    CU_ASSERT_PTR_NULL(strstr(text, "Simulation"));
    free(text);
    REFUSED(2, "--to x: this is not a number", "report examples/ball.hbg --to x");
    REFUSED(2, "choose one of '--no-run' and '--to'", "report examples/ball.hbg --no-run --to 1");
}

/* Other values are those of the whole report, and it says which they are. */
static void reports_take_other_values(void)
{
    char *text = markdown(0, "examples/clutch.hbg", "clutch", "--set J1=6 --set J2=2");
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "differ from the model file: J1 = 6, J2 = 2."));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "| I, inertia | 6 | f0 = 100 |"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "| e(J1): $`-120`$, e(J2): $`120`$ | $`4800`$ |"));
    free(text);
    text = markdown(0, "examples/clutch.hbg", "clutch", "--set J1=6 --no-run");
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "| I, inertia | 6 | f0 = 100 |"));
    free(text);
    REFUSED(2, "no parameter or element J3", "report examples/clutch.hbg --set J3=1");
}

static void reports_play_a_sequence(void)
{
    static const char sequence[] = "t,clutch\n0,0\n1/2,1\n", later[] = "t,clutch\n0,0\n0.25,1\n";
    char options[512];
    run_write_file("wrong.csv", sequence, sizeof sequence - 1);
    run_write_file("seq.csv", later, sizeof later - 1);
    snprintf(options, sizeof options, "--sequence '%s/seq.csv'", run_folder());
    char *text = markdown(0, "examples/clutch.hbg", "clutch", options);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "seq.csv; no automaton acts."));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "| $`0.25`$ | time | 0 | 1 | e(J1): $`-96`$"));
    free(text);
    outcome o = run("report examples/clutch.hbg --sequence '%s/wrong.csv'", run_folder());
    CU_ASSERT_EQUAL(o.code, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(o.err, "wrong.csv:3:1"));
    outcome_clear(&o);
}

/* The jump of an uncharged capacitor by what rounding leaves at the start is none. */
static void reports_tell_of_impulses(void)
{
    char *text = markdown(0, "examples/rectifier.hbg", "rectifier", "");
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "### Events\n\n| t | kind | from | to | cause |"));
    free(text);
    check_markdown(0, "examples/ball.hbg", "ball", "",
                   "| $`1`$ | state | 0 | 0 | 1 (pinnacle) | "
                   "e(rebound): $`15`$, e(m): $`15`$ | $`37.5`$ |");
}

/* ---- files --------------------------------------------------------------------------------- */

static void reports_are_files_or_folders(void)
{
    outcome o = run("report examples/clutch.hbg -o '%s/new' --format md", run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    outcome_clear(&o);
    char path[512];
    snprintf(path, sizeof path, "%s/new/clutch.md", run_folder());
    CU_ASSERT_EQUAL(access(path, R_OK), 0);
    snprintf(path, sizeof path, "%s/new/clutch.svg", run_folder());
    CU_ASSERT_EQUAL(access(path, R_OK), 0);
    REFUSED(2, "latex or md", "report examples/clutch.hbg --format html");
    REFUSED(2, "'--pdf' needs '--format latex'", "report examples/clutch.hbg --format md --pdf");
    REFUSED(2, "--mode 11", "report examples/clutch.hbg --mode 11");
    REFUSED(3, "cannot make the folder", "report examples/clutch.hbg -o Makefile");
}

/* A file of another form is not made into a folder of that name. */
static void reports_have_no_other_forms(void)
{
    char options[768], path[512];
    struct stat s;
    REFUSED(2,
            "'-o x.docx': a report can be x.pdf, x.tex or x.md; for a folder of that name write "
            "'x.docx/'",
            "report examples/clutch.hbg --no-run -o x.docx");
    REFUSED(2, "can be x.pdf, x.tex or x.md",
            "report examples/clutch.hbg --no-run -o /tmp/a.d/x.PDF");
    REFUSED(2, "made of files", "report examples/clutch.hbg --no-run -o -");
    CU_ASSERT(stat("x.docx", &s) != 0);
    for (int i = 0; i < 3; i++) {
        static const char *const folder[] = {"x.docx/", "x.docx", "run-1.2"};
        snprintf(path, sizeof path, "%s/%s", run_folder(), folder[i]);
        snprintf(options, sizeof options, "report examples/clutch.hbg --no-run -o %s", path);
        outcome o = run(options);
        CU_ASSERT_EQUAL(o.code, 0);
        CU_ASSERT(stat(path, &s) == 0 && S_ISDIR(s.st_mode));
        outcome_clear(&o);
    }
}

/* A file that is named is that file, and nothing else is written. */
static void reports_go_by_the_name_of_the_model(void)
{
    char path[512], pattern[512];
    glob_t found;
    outcome o = run("report examples/clutch.hbg --no-run -o '%s/one/my.pdf'", run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(o.err, "/one/my.pdf is written."));
    outcome_clear(&o);
    snprintf(pattern, sizeof pattern, "%s/one/*", run_folder());
    CU_ASSERT_EQUAL_FATAL(glob(pattern, 0, NULL, &found), 0);
    CU_ASSERT_EQUAL(found.gl_pathc, 1);
    snprintf(path, sizeof path, "%s/one/my.pdf", run_folder());
    TEST_TEXT(path, found.gl_pathv[0]);
    globfree(&found);
    o = run("report examples/clutch.hbg --no-run -o '%s/one/my.md'", run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    outcome_clear(&o);
    snprintf(path, sizeof path, "%s/one/my.md", run_folder());
    char *text = test_read_file(path);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "(my.svg)"));
    free(text);
    REFUSED(2, "are two forms", "report examples/clutch.hbg -o x.pdf --format md");
    REFUSED(2, "are two forms", "report examples/clutch.hbg -o x.md --format latex");
    REFUSED(2, "'--pdf' needs it", "report examples/clutch.hbg -o x.md --pdf");
}

/* ---- sizes of type ------------------------------------------------------------------------- */

enum { FONTS_MAX = 400, ZOOM = 3, LEAST = 6 };

/* The smallest letter on the pages from the matrices on, in points, and what it stands in; pdftohtml
 * gives three times the size. */
static double smallest_letter(char text[64], const char *pdf)
{
    int size[FONTS_MAX] = {0}, least = 1000;
    bool counts = false;
    char command[600], line[4096];
    snprintf(command, sizeof command, "pdftohtml -xml -i -zoom %d -stdout '%s'", ZOOM, pdf);
    FILE *f = popen(command, "r");
    while (f && fgets(line, sizeof line, f)) {
        int id, points;
        const char *font = strstr(line, "<fontspec id=\""), *of = strstr(line, " font=\"");
        if (font && sscanf(font, "<fontspec id=\"%d\" size=\"%d\"", &id, &points) == 2 &&
            id < FONTS_MAX)
            size[id] = points;
        counts = counts || strstr(line, "Junction structure");
        if (counts && of && sscanf(of, " font=\"%d\"", &id) == 1 && id < FONTS_MAX &&
            size[id] < least) {
            least = size[id];
            snprintf(text, 64, "%.60s", of);
        }
    }
    if (f)
        pclose(f);
    return counts ? (double)least / ZOOM : 0;
}

static void letters_of_all_kinds_are_set(void)
{
    static const char *const models[] = {"chopper", "rectifier", "hbridge", "pinnacle",
                                         "planetary"};
    char path[512], text[64] = "";
    if (system("command -v pdftohtml >/dev/null 2>&1") != 0) {
        printf("SKIPPED: there is no pdftohtml here ");
        return;
    }
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        outcome o = run("report examples/%s.hbg -o '%s/letters.pdf'", models[i], run_folder());
        CU_ASSERT_EQUAL(o.code, 0);
        outcome_clear(&o);
        snprintf(path, sizeof path, "%s/letters.pdf", run_folder());
        double least = smallest_letter(text, path);
        CU_ASSERT(least > LEAST - 0.2); /* the size is rounded */
        if (least <= LEAST - 0.2)
            printf("%s: %.1f points in %s\n", models[i], least, text);
    }
}

/* Without LaTeX the document is still written, and the message says what to install. */
static void a_missing_latex_is_told(void)
{
    char path[512], *search = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    outcome o = run("report examples/clutch.hbg -o '%s' --pdf", run_folder());
    setenv("PATH", search, 1);
    free(search);
    CU_ASSERT_EQUAL(o.code, 3);
    CU_ASSERT_PTR_NOT_NULL(strstr(o.err, "texlive-latex-recommended"));
    outcome_clear(&o);
    snprintf(path, sizeof path, "%s/clutch.tex", run_folder());
    CU_ASSERT_EQUAL(access(path, R_OK), 0);
}

/* ---- drawings ------------------------------------------------------------------------------ */

static void drawings_have_all_forms(void)
{
    static const char *const form[][2] = {
        {"svg", "<svg "}, {"tex", "\\documentclass"}, {"dot", "digraph "}, {"pdf", "%PDF"}};
    for (size_t i = 0; i < sizeof form / sizeof form[0]; i++) {
        char path[512];
        outcome o =
            run("draw examples/chopper.hbg --mode 100 -o '%s/d.%s'", run_folder(), form[i][0]);
        CU_ASSERT_EQUAL(o.code, 0);
        TEST_TEXT("", o.err);
        outcome_clear(&o);
        snprintf(path, sizeof path, "%s/d.%s", run_folder(), form[i][0]);
        FILE *f = fopen(path, "rb");
        CU_ASSERT_PTR_NOT_NULL_FATAL(f);
        char start[32] = "";
        CU_ASSERT(fread(start, 1, sizeof start - 1, f) > 0);
        CU_ASSERT_EQUAL(strncmp(start, form[i][1], strlen(form[i][1])), 0);
        fclose(f);
    }
    outcome o = run("draw examples/chopper.hbg");
    CU_ASSERT_EQUAL(strncmp(o.out, "<svg ", 5), 0);
    outcome_clear(&o);
    o = run("draw examples/chopper.hbg --mode 110");
    CU_ASSERT_EQUAL(o.code, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(o.err, "mode 110 is forbidden"));
    CU_ASSERT_PTR_NULL(strstr(o.out, "class=\"stroke"));
    outcome_clear(&o);
    REFUSED(2, "must end in .svg, .png, .pdf, .tex or .dot", "draw examples/chopper.hbg -o x.jpg");
    REFUSED(2, "must end in .svg, .png or .pdf",
            "simulate examples/clutch.hbg --plot x.csv -o /dev/null");
    REFUSED(2, "must end in .svg, .png or .pdf", "analyse examples/chopper.hbg --graph x.dot");
    REFUSED(2, "written, symbols or none", "draw examples/chopper.hbg --values all");
    REFUSED(2, "--mode 1", "draw examples/chopper.hbg --mode 1");
}

static int clean(void)
{
    run_remove_folder();
    return 0;
}

void suite_report_pages(void)
{
    CU_pSuite suite_ = CU_add_suite("report_pages", NULL, clean);
    TEST_ADD(reports_have_their_pages);
    TEST_ADD(hostile_text_is_set);
    TEST_ADD(the_sample_is_current);
    TEST_ADD(reports_run_the_model);
    TEST_ADD(reports_take_options_of_runs);
    TEST_ADD(reports_take_other_values);
    TEST_ADD(reports_play_a_sequence);
    TEST_ADD(reports_tell_of_impulses);
    TEST_ADD(reports_are_files_or_folders);
    TEST_ADD(reports_have_no_other_forms);
    TEST_ADD(reports_go_by_the_name_of_the_model);
    TEST_ADD(letters_of_all_kinds_are_set);
    TEST_ADD(a_missing_latex_is_told);
    TEST_ADD(drawings_have_all_forms);
}
