/* test_sturdy.c: what goes wrong around the program: odd names, files that must not be lost,
 * signals, streams and memory that are not there. */
#include <glob.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "run.h"

#define CHOPPER "examples/chopper.hbg"
#define BUCK "examples/buck.hbg"

static const char ramp[] = "model m\nSe u = 1\nI L = 1\nu -> L\noutput x = p(L)\n"
                           "simulate to 1 every 1/4\n";

static bool exists(const char *name)
{
    char path[512];
    struct stat s;
    snprintf(path, sizeof path, "%s/%s", run_folder(), name);
    return lstat(path, &s) == 0;
}

static int count_matches(const char *pattern)
{
    char path[512];
    glob_t found;
    snprintf(path, sizeof path, "%s/%s", run_folder(), pattern);
    int n = glob(path, 0, NULL, &found) == 0 ? (int)found.gl_pathc : 0;
    globfree(&found);
    return n;
}

static char *read_result(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", run_folder(), name);
    return test_read_file(path);
}

/* ---- names are data ------------------------------------------------------------------------ */

static const char *const odd_names[] = {
    "-version", "a%b",    "a~b", "a\"b", "&x",   "\\input{x}", "\\immediate\\openout1=pwned",
    "sp ace",   "a`b|c_", "#1{", "$(x)", "q;rm",
};
enum { NODD = sizeof odd_names / sizeof odd_names[0] };

/* A model without the statement `model` is called after its file. */
static void write_odd(const char *name)
{
    char file[256];
    snprintf(file, sizeof file, "%s.hbg", name);
    run_write_file(file, strchr(ramp, '\n') + 1, strlen(strchr(ramp, '\n') + 1));
}

static void any_name_gives_a_pdf(void)
{
    if (system("command -v pdflatex >/dev/null") != 0)
        return;
    for (int i = 0; i < NODD; i++) {
        char pdf[256];
        write_odd(odd_names[i]);
        outcome o = run("report --no-run --pdf -o '%s' '%s/%s.hbg'", run_folder(), run_folder(),
                        odd_names[i]);
        CU_ASSERT_EQUAL(o.code, 0);
        CU_ASSERT(strstr(o.err, "is written") != NULL);
        snprintf(pdf, sizeof pdf, "%s.pdf", odd_names[i]);
        CU_ASSERT(exists(pdf));
        outcome_clear(&o);
    }
    CU_ASSERT(!exists("pwned") && !exists("pwned.tex"));
    CU_ASSERT_EQUAL(count_matches("*.aux") + count_matches("*.log"), 0);
}

static void reports_are_made_side_by_side(void)
{
    if (system("command -v pdflatex >/dev/null") != 0)
        return;
    outcome o =
        run("version >/dev/null; for k in 1 2 3; do '%s' report --no-run --pdf -o '%s' " CHOPPER
            " & done; wait",
            getenv("JUNCT"), run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    CU_ASSERT(strstr(o.err, "is written") != NULL);
    char *pdf = read_result("chopper.pdf");
    CU_ASSERT_EQUAL(strncmp(pdf, "%PDF", 4), 0);
    CU_ASSERT_EQUAL(count_matches("chopper.*"), 3); /* tex, svg, pdf */
    free(pdf);
    outcome_clear(&o);
}

/* Bytes that a terminal or a picture must not see. */
static bool is_clean(const char *text)
{
    for (const unsigned char *s = (const unsigned char *)text; *s; s++)
        if ((*s < ' ' && *s != '\n') || *s == 0x7F ||
            (*s == 0xE2 && s[1] == 0x80 && s[2] >= 0xA8 && s[2] <= 0xAE) ||
            (*s == 0xEF && s[1] == 0xBF && s[2] >= 0xBE))
            return false;
    return true;
}

static void names_open_no_line(void)
{
    static const char *const commands[] = {"matrices --octave --mode ''",
                                           "matrices --octave",
                                           "matrices",
                                           "modes",
                                           "modes --latex",
                                           "check",
                                           "draw",
                                           "modes --json",
                                           "analyse",
                                           "simulate -q",
                                           "verify",
                                           "verify --json",
                                           "page",
                                           "steady --period 1",
                                           "steady --period 1 --octave",
                                           "steady --period 1 --json",
                                           "bode --from u --freq 1 --mode ''",
                                           "bode --from u --freq 1 --mode '' --octave",
                                           "sweep -q --vary L=1,2 --measure 'final(x)'"};
    static const char damped[] = "Se u = 1\nI L = 1\nR r = 1\n1 j\nu -> j -> L\nj -> r\n"
                                 "output x = p(L)\nsimulate to 1 every 1/4\n";
    run_write_file("a\nevil\n\x1b[31m.hbg", damped, sizeof damped - 1);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        outcome o = run("%s '%s/a\nevil\n\x1b[31m.hbg'", commands[i], run_folder());
        CU_ASSERT_EQUAL(o.code, 0);
        CU_ASSERT(is_clean(o.out) && is_clean(o.err));
        CU_ASSERT(strstr(o.out, "\nevil") == NULL);
        outcome_clear(&o);
    }
    outcome o = run("check '%s/no\nevil\x1b[1m.hbg'", run_folder());
    CU_ASSERT_EQUAL(o.code, 2);
    CU_ASSERT(is_clean(o.err) && strstr(o.err, "no?evil?[1m") != NULL);
    outcome_clear(&o);
}

/* U+202E turns the direction round, U+FFFE is no XML, U+2028 ends a line. */
static void titles_are_clean(void)
{
    static const char *const commands[] = {"draw", "check", "modes", "modes --latex",
                                           "report --format md -o"};
    static const char text[] = "model m \"a\xE2\x80\xAE"
                               "b\xEF\xBF\xBE"
                               "c\xE2\x80\xA8"
                               "d\"\nSe u = 1 # \xE2\x80\xAE\nI L = 1\nu -> L\n"
                               "simulate to 1 every 1\n";
    run_write_file("title.hbg", text, sizeof text - 1);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        outcome o = run("%s %s %s/title.hbg", commands[i],
                        strstr(commands[i], "-o") ? run_folder() : "", run_folder());
        CU_ASSERT_EQUAL(o.code, 0);
        CU_ASSERT(is_clean(o.out) && is_clean(o.err));
        outcome_clear(&o);
    }
    char *page = read_result("m.md"), *picture = read_result("m.svg");
    CU_ASSERT(is_clean(page) && strstr(page, "# a?b?c?d\n") != NULL);
    CU_ASSERT(is_clean(picture) && strstr(picture, "a?b?c?d") != NULL);
    free(page);
    free(picture);
}

/* The text of an assert comes back as what ended a run, and in a proof; that of the model in its page. */
static void claims_are_clean(void)
{
    static const char *const commands[] = {"simulate -q --events %s/events.csv -o /dev/null",
                                           "simulate -q --keep-going -o /dev/null --events -",
                                           "verify",
                                           "verify --json",
                                           "page --to 1 -o %s/claims.html",
                                           "report --format md --to 1 -o %s/claims.md"};
    static const int codes[] = {3, 0, 4, 4, 3, 3};
    static const char text[] = "model m # \xE2\x80\xAE\nSe u = 1\nI L = 1\nu -> L\n"
                               "assert p(L) < 1/2 \"never \xE2\x80\xAE\xE2\x80\xA8 above\"\n"
                               "simulate to 1 every 1\n";
    run_write_file("claims.hbg", text, sizeof text - 1);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char line[512];
        snprintf(line, sizeof line, commands[i], run_folder());
        outcome o = run("%s '%s/claims.hbg'", line, run_folder());
        CU_ASSERT_EQUAL(o.code, codes[i]);
        CU_ASSERT(is_clean(o.out) && is_clean(o.err));
        outcome_clear(&o);
    }
    static const char *const files[] = {"events.csv", "claims.html", "claims.md"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char *written = read_result(files[i]);
        CU_ASSERT(is_clean(written) && strstr(written, "never ?? above") != NULL);
        free(written);
    }
}

/* ---- inputs are safe ----------------------------------------------------------------------- */

static void refused_and_kept(const char *arguments, const char *said, const char *file,
                             const char *content)
{
    outcome o = run("%s", arguments);
    CU_ASSERT_EQUAL(o.code, 2);
    if (!strstr(o.err, said))
        printf("\n%s\n%s\n", arguments, o.err);
    CU_ASSERT(strstr(o.err, said) != NULL);
    char *left = read_result(file);
    TEST_TEXT(content, left);
    free(left);
    outcome_clear(&o);
}

static void outputs_replace_no_input(void)
{
    static const char table[] = "t,v\n0,1\n1,2\n", sequence[] = "t,s\n0,1\n";
    static const char model[] = "model m\nSe u = table(\"in.csv\", \"v\")\nR r = 1\nX1 s\n"
                                "u -> s -> r\noutput x = e(r)\nsimulate to 1 every 1/2\n";
    char line[2048];
    const char *f = run_folder();
    run_write_file("in.csv", table, sizeof table - 1);
    run_write_file("seq.csv", sequence, sizeof sequence - 1);
    run_write_file("table.hbg", model, sizeof model - 1);
    run_write_file("m.tex", model, sizeof model - 1);
    snprintf(line, sizeof line, "simulate %s/table.hbg -o %s/in.csv", f, f);
    refused_and_kept(line, "is a table of the model: choose another output", "in.csv", table);
    snprintf(line, sizeof line, "simulate %s/table.hbg --plot %s/../%s/./in.csv", f, f,
             strrchr(f, '/') + 1);
    refused_and_kept(line, "must end in .svg", "in.csv", table);
    snprintf(line, sizeof line, "simulate %s/table.hbg --sequence %s/seq.csv --events %s/seq.csv",
             f, f, f);
    refused_and_kept(line, "is the sequence: choose another output", "seq.csv", sequence);
    snprintf(line, sizeof line, "report %s/m.tex -o %s --no-run", f, f);
    refused_and_kept(line, "is the model itself", "m.tex", model);
    snprintf(line, sizeof line, "modes %s/table.hbg -o %s/table.hbg", f, f);
    refused_and_kept(line, "is the model itself", "table.hbg", model);
    snprintf(line, sizeof line, "check %s/table.hbg -o %s/table.hbg", f, f);
    refused_and_kept(line, "is the model itself", "table.hbg", model);
    snprintf(line, sizeof line, "check --expand %s/table.hbg -o %s/table.hbg", f, f);
    refused_and_kept(line, "is the model itself", "table.hbg", model);
    snprintf(line, sizeof line, "verify %s/table.hbg --write-case %s/table.hbg", f, f);
    refused_and_kept(line, "is the model itself", "table.hbg", model);
    snprintf(line, sizeof line, "verify %s/table.hbg --write-case %s/in.csv", f, f);
    refused_and_kept(line, "is a table of the model", "in.csv", table);
}

/* By another name of the same file. */
static void outputs_replace_no_linked_input(void)
{
    static const char *const commands[] = {"check",
                                           "modes",
                                           "matrices",
                                           "analyse",
                                           "simulate",
                                           "verify",
                                           "steady",
                                           "page",
                                           "bode --from u --freq 1",
                                           "sweep --vary L=1,2"};
    char line[2048], name[512], other[512];
    const char *f = run_folder();
    run_write_file("m.hbg", ramp, sizeof ramp - 1);
    snprintf(name, sizeof name, "%s/m.hbg", f);
    snprintf(other, sizeof other, "%s/other", f);
    CU_ASSERT_EQUAL(link(name, other), 0);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        snprintf(line, sizeof line, "%s %s -o %s", commands[i], name, other);
        refused_and_kept(line, "is the model itself", "m.hbg", ramp);
    }
    unlink(other);
}

static void outputs_replace_no_output(void)
{
    char line[1024];
    const char *f = run_folder();
    run_write_file("m.hbg", ramp, sizeof ramp - 1);
    run_write_file("old", "old", 3);
    snprintf(line, sizeof line, "simulate %s/m.hbg -o %s/old --events %s/./old", f, f, f);
    refused_and_kept(line, "would be written twice", "old", "old");
    snprintf(line, sizeof line, "simulate %s/m.hbg -o %s/new.csv --plot %s/./new.csv", f, f, f);
    refused_and_kept(line, "would be written twice", "m.hbg", ramp);
    CU_ASSERT(!exists("new.csv"));
    snprintf(line, sizeof line, "analyse %s/m.hbg -o %s/old --graph %s/old", f, f, f);
    refused_and_kept(line, "would be written twice", "old", "old");
    outcome o = run("simulate %s/m.hbg -q -o /dev/null --events /dev/null", f);
    CU_ASSERT_EQUAL(o.code, 0);
    outcome_clear(&o);
}

static void links_are_not_followed(void)
{
    char target[512], link[512];
    struct stat s;
    run_write_file("precious", "precious", 8);
    snprintf(target, sizeof target, "%s/precious", run_folder());
    snprintf(link, sizeof link, "%s/link.csv", run_folder());
    CU_ASSERT_EQUAL(symlink(target, link), 0);
    outcome o = run("modes --csv " CHOPPER " -o %s", link);
    CU_ASSERT_EQUAL(o.code, 0);
    char *kept = read_result("precious"), *written = read_result("link.csv");
    TEST_TEXT("precious", kept);
    CU_ASSERT_EQUAL(strncmp(written, "mode,", 4) && strncmp(written, "element", 7), 0);
    CU_ASSERT(lstat(link, &s) == 0 && S_ISREG(s.st_mode));
    free(kept);
    free(written);
    outcome_clear(&o);
    o = run("modes --csv " CHOPPER " -o /dev/stdout");
    CU_ASSERT_EQUAL(o.code, 0);
    CU_ASSERT(strlen(o.out) > 50);
    outcome_clear(&o);
}

/* ---- always answers ------------------------------------------------------------------------ */

/* A grid with a switch in every link: its guards grow for minutes. */
static void write_grid(const char *name, int n)
{
    char *text = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&text, &len);
    fprintf(f, "model grid\nSe V = 10\nR rs = 1\n1 in\nV -> in -> n_0_0\nin -> rs\n");
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            fprintf(f, "0 n_%d_%d\n", i, j);
            for (int d = 0; d < 2; d++)
                if (i + d < n && j + !d < n)
                    fprintf(f,
                            "X1 j%d_%d_%d\nR r%d_%d_%d = 1\nn_%d_%d -> j%d_%d_%d -> n_%d_%d\n"
                            "j%d_%d_%d -> r%d_%d_%d\n",
                            d, i, j, d, i, j, i, j, d, i, j, i + d, j + !d, d, i, j, d, i, j);
        }
    fprintf(f, "simulate to 1 every 1/10\n");
    fclose(f);
    run_write_file(name, text, len);
    free(text);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double processor_time_of_children(void)
{
    struct rusage r;
    getrusage(RUSAGE_CHILDREN, &r);
    return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
           1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

/* Signalled when it has had a third of a second of the processor (or half a second of the clock, where
 * that cannot be read); the processor time it had in all. */
static outcome interrupted(int number, double *seconds, const char *arguments)
{
    char line[1024];
    snprintf(
        line, sizeof line,
        "%s %s/grid.hbg & p=$!; sleep 0.5; k=0; "
        "while [ -r /proc/$p/stat ] && read -r _ _ _ _ _ _ _ _ _ _ _ _ _ u s _ </proc/$p/stat && "
        "[ $((u + s)) -lt 33 ] && [ $k -lt 30 ]; do sleep 0.1; k=$((k + 1)); done; "
        "kill -%d $p; wait $p",
        arguments, run_folder(), number);
    double before = processor_time_of_children();
    outcome o = run("%s", line);
    *seconds = processor_time_of_children() - before;
    return o;
}

/* Within a second, on a machine that has nothing else to do. */
static void signals_are_answered(void)
{
    const double most = 0.5 + 1 + 0.1;
    static const char *const commands[] = {"check",
                                           "modes",
                                           "matrices --json",
                                           "analyse",
                                           "draw -o /dev/null",
                                           "report -o /dev/shm",
                                           "simulate -q --to 1000000 --every 1/1000 -o /dev/null"};
    write_grid("grid.hbg", 6);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        double seconds;
        bool draw = strncmp(commands[i], "draw", 4) == 0;
        outcome o = interrupted(SIGTERM, &seconds, draw ? "draw" : commands[i]);
        CU_ASSERT_EQUAL(o.code, 3);
        CU_ASSERT(seconds < most);
        CU_ASSERT(strstr(o.err, "asked to end (SIGTERM)") != NULL);
        if (o.code != 3 || seconds >= most)
            printf("\n%s: %d after %g s\n%s\n", commands[i], o.code, seconds, o.err);
        if (i == 0) /* what is known without the modes */
            CU_ASSERT(strstr(o.out, "  elements    ") != NULL && !strstr(o.out, "  modes "));
        outcome_clear(&o);
    }
}

/* A table with a row too short is an error of the model, whatever is written of it. */
static void wrong_tables_are_told(void)
{
    static const char table[] = "t,x\n0,1\n1\n";
    static const char text[] =
        "model m\nSe V = table(\"wrong.csv\", \"x\")\nI L = 1\nR r = 1\n1 j\n"
        "V -> j -> L\nj -> r\nsimulate to 1 every 1/10\n";
    static const char *const commands[] = {"simulate -o /dev/null", "page -o /dev/null",
                                           "report -o /dev/shm"};
    run_write_file("wrong.csv", table, sizeof table - 1);
    run_write_file("tabled.hbg", text, sizeof text - 1);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        outcome o = run("%s %s/tabled.hbg", commands[i], run_folder());
        CU_ASSERT_EQUAL(o.code, 1);
        CU_ASSERT(strstr(o.err, "[csv-ragged]") != NULL);
        outcome_clear(&o);
    }
}

/* Commands that go on for hours: what was asked is answered, and no file is left that is no result. */
static void long_commands_are_answered(void)
{
    static const char text[] = "model m\nSe V = 10*sin(t)\nI L = 1\nC c : e = q + q^3\nR r = 1/10\n"
                               "X1 s\n1 j\nV -> j -> L\nj -> c\nj -> s -> r\n"
                               "switch s pwm(1/100, 1/2)\noutput x = q(c)\n"
                               "simulate to 100000 every 1/100\n";
    static const char *const commands[] = {"steady --period 6 --times 1000",
                                           "bode --from V --freq 1 --period 6 --times 1000",
                                           "sweep --vary r=1:2:1000",
                                           "sweep --vary r=1:2:1000 -j 2",
                                           "page -o /dev/null",
                                           "verify --max-seconds 0"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        double seconds;
        if (strstr(commands[i], "verify"))
            write_grid("grid.hbg", 6);
        else
            run_write_file("grid.hbg", text, sizeof text - 1);
        outcome o = interrupted(SIGTERM, &seconds, commands[i]);
        CU_ASSERT_EQUAL(o.code, 3);
        CU_ASSERT(strstr(o.err, "asked to end (SIGTERM)") != NULL ||
                  strstr(o.out, "asked to stop") != NULL);
        if (o.code != 3)
            printf("\n%s: %d after %g s\n%s\n", commands[i], o.code, seconds, o.err);
        outcome_clear(&o);
    }
}

/* Switches in a ring of stores, each of which acts on its neighbours: whether they settle takes long. */
static void write_ring(const char *name, int n)
{
    char *text = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&text, &len);
    fprintf(f, "model ring\nSe V = 10\n1 in\nV -> in -> n0\n0 n%d\nR r = 1\nn%d -> r\n", n, n);
    for (int i = 0; i < n; i++)
        fprintf(
            f,
            "0 n%d\nX1 d%d\nI L%d = %d\nC c%d = 1/%d\nn%d -> d%d -> n%d\nn%d -> L%d\nn%d -> c%d\n"
            "switch d%d off, on when e(c%d) > e(c%d), off when f(d%d) < f(L%d)\n",
            i, i, i, i + 1, i, i + 1, i, i, i + 1, i, i, i, i, i, i, (i + 1) % n, i, (i + 5) % n);
    fprintf(f, "assert f(L3) < 100\n");
    fclose(f);
    run_write_file(name, text, len);
    free(text);
}

/* What was refuted stays so, and gives the exit code; what was not decided is open, and why is said. */
static void proofs_so_far_are_told(void)
{
    double seconds;
    write_ring("grid.hbg", 12);
    outcome o = interrupted(SIGTERM, &seconds, "verify --max-seconds 0");
    CU_ASSERT(o.code == 3 || o.code == 4);
    CU_ASSERT_EQUAL(o.code == 4, strstr(o.out, ": refuted") != NULL);
    CU_ASSERT(strstr(o.out, "open: it was asked to stop") != NULL);
    CU_ASSERT(strstr(o.err, "ring: asked to end (SIGTERM): what was not decided by then is open") !=
              NULL);
    outcome_clear(&o);
}

/* Nobody looks for a signal while a model is waited for: a clock ends it. */
static void what_does_not_look_is_ended(void)
{
    const char *f = run_folder();
    outcome o = run("version >/dev/null; mkfifo %s/fifo; sleep 10 >%s/fifo & w=$!; '%s' check - "
                    "<%s/fifo & p=$!; "
                    "sleep 1; kill -15 $p; wait $p; c=$?; kill $w; exit $c",
                    f, f, getenv("JUNCT"), f);
    CU_ASSERT_EQUAL(o.code, 3);
    CU_ASSERT(strstr(o.err, "asked to end (SIGTERM) in the middle of a computation") != NULL);
    outcome_clear(&o);
}

/* A program that makes the picture of a document, and would take half a minute: it says who it is. */
static void write_slow_program(const char *name)
{
    char text[512], path[512];
    int n =
        snprintf(text, sizeof text, "#!/bin/sh\necho $$ >'%s/pid'\nexec sleep 30\n", run_folder());
    run_write_file(name, text, (size_t)n);
    snprintf(path, sizeof path, "%s/%s", run_folder(), name);
    chmod(path, 0755);
}

/* Another program is waited for: it ends with ours, and what was made for it is removed. */
static void other_programs_end_with_it(void)
{
    static const char *const commands[] = {"report --no-run --pdf -o %s", "draw -o %s/a.pdf",
                                           "draw -o %s/a.png",
                                           "simulate -q --to 1m --plot %s/a.png -o /dev/null"};
    const char *f = run_folder();
    write_slow_program("pdflatex");
    write_slow_program("rsvg-convert");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char line[512];
        snprintf(line, sizeof line, commands[i], f);
        outcome o =
            run("version >/dev/null; cd %s && rm -f pid && cd - >/dev/null; "
                "PATH=%s:$PATH TMPDIR=%s '%s' %s " BUCK " & p=$!; "
                "k=0; while [ ! -s %s/pid ] && [ $k -lt 300 ]; do sleep 0.1; k=$((k + 1)); done; "
                "kill -15 $p; wait $p; c=$?; "
                "kill -0 $(cat %s/pid) 2>/dev/null && c=99; exit $c",
                f, f, f, getenv("JUNCT"), line, f, f);
        CU_ASSERT_EQUAL(o.code, 3);
        CU_ASSERT(strstr(o.err, "asked to end (SIGTERM): there is no ") != NULL);
        CU_ASSERT_EQUAL(count_matches("junct.*") + count_matches("a.p*"), 0);
        outcome_clear(&o);
    }
}

/* Those modes that are done are written, and the file is complete. */
static void modes_so_far_are_written(void)
{
    static const int signals[] = {SIGTERM, 0};
    outcome o = run_and_signal("cut.json.*", signals, 0,
                               "matrices --all --force --json examples/arm.hbg -o '%s/cut.json'",
                               run_folder());
    CU_ASSERT_EQUAL(o.code, 3);
    CU_ASSERT(strstr(o.err, "asked to end (SIGTERM): only ") != NULL);
    CU_ASSERT_EQUAL(count_matches("cut.json*"), 1);
    char *text = read_result("cut.json");
    CU_ASSERT(strlen(text) > 100 && strcmp(text + strlen(text) - 2, "}\n") == 0);
    free(text);
    outcome_clear(&o);
}

/* Memory that ends in the middle of a computation. */
static void no_file_is_left_half(void)
{
    double begin = now();
    write_grid("grid.hbg", 6);
    outcome o = run("version >/dev/null; ulimit -v 150000; '%s' check '%s/grid.hbg' -o '%s/none'",
                    getenv("JUNCT"), run_folder(), run_folder());
#if !defined(__SANITIZE_ADDRESS__)
    CU_ASSERT_EQUAL(o.code, 3);
    TEST_TEXT("junct: out of memory\n", o.err);
    CU_ASSERT(now() - begin < 60);
    CU_ASSERT_EQUAL(count_matches("none*"), 0);
#else
    (void)begin;
#endif
    outcome_clear(&o);
}

/* One law for a junction, written again by each turn of a loop: its source had a longer name each time, 5 GB of them. */
static void laws_written_again_take_no_room(void)
{
    static const char text[] = "model m\nSe V = 1\nR r = 1\n1 a\nX1 d\nV -> a -> d -> r\n"
                               "for i in 1..3000 {\nswitch d diode(1)\n}\n";
    run_write_file("again.hbg", text, sizeof text - 1);
    outcome o = run("version >/dev/null; ulimit -v 500000; '%s' check '%s/again.hbg'",
                    getenv("JUNCT"), run_folder());
#if !defined(__SANITIZE_ADDRESS__)
    CU_ASSERT_EQUAL(o.code, 1);
    CU_ASSERT(strstr(o.err, "again.hbg:8:8: error: 'd' is controlled twice") != NULL);
#endif
    outcome_clear(&o);
}

/* Of each command a short one. */
static const char *const every_command[] = {
    "check " BUCK,
    "modes " BUCK,
    "matrices " BUCK,
    "analyse " BUCK,
    "simulate --to 1m " BUCK,
    "draw " BUCK,
    "page --to 1m " BUCK,
    "steady " BUCK,
    "bode --from V --freq 1k " BUCK,
    "sweep --vary load=1,2 --to 1m " BUCK,
    "verify " BUCK,
    "help",
    "version",
};
enum { NEVERY = sizeof every_command / sizeof every_command[0] };

/* What is said during the run must not end up in the file that got the number of the stream. */
static void closed_streams_do_no_harm(void)
{
    static const char late[] = "model m\nSe u = 1\nI L = 1\nu -> L\noutput x = sqrt(t - 1)\n"
                               "simulate to 1 every 1/4\n";
    run_write_file("m.hbg", late, sizeof late - 1);
    outcome o = run("simulate %s/m.hbg -o %s/x.csv 2>&-", run_folder(), run_folder());
    char *text = read_result("x.csv");
    CU_ASSERT_EQUAL(o.code, 0);
    TEST_TEXT("t,mode,x\n0,,nan\n0.25,,nan\n0.5,,nan\n0.75,,nan\n1,,0\n", text);
    free(text);
    outcome_clear(&o);
    o = run("modes " CHOPPER " >&-");
    CU_ASSERT_EQUAL(o.code, 3);
    CU_ASSERT(strstr(o.err, "cannot write standard output") != NULL);
    outcome_clear(&o);
    for (size_t i = 0; i < NEVERY; i++) {
        o = run("%s >&-", every_command[i]);
        CU_ASSERT_EQUAL(o.code, 3);
        CU_ASSERT(strstr(o.err, "cannot write standard output") != NULL);
        outcome_clear(&o);
        o = run("%s 2>&-", every_command[i]);
        CU_ASSERT_EQUAL(o.code, 0);
        CU_ASSERT(strlen(o.out) > 0);
        outcome_clear(&o);
    }
    o = run("check - <&-");
    CU_ASSERT_EQUAL(o.code, 1);
    outcome_clear(&o);
}

/* A reader that has seen enough is no failure. */
static void pipes_may_close(void)
{
    static const char *const commands[] = {"modes --all --force --csv examples/ladder.hbg",
                                           "matrices --all --force examples/arm.hbg",
                                           "analyse --all --force examples/ladder.hbg",
                                           "simulate -q examples/buck.hbg",
                                           "check " CHOPPER,
                                           "help",
                                           "draw examples/arm.hbg"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        outcome o = run("version >/dev/null; { '%s' %s; echo \"$?\" >'%s/code'; } | true",
                        getenv("JUNCT"), commands[i], run_folder());
        char *code = read_result("code");
        TEST_TEXT("0\n", code);
        TEST_TEXT("", o.err);
        free(code);
        outcome_clear(&o);
    }
    for (size_t i = 0; i < NEVERY; i++) {
        outcome o = run("version >/dev/null; { '%s' %s; echo \"$?\" >'%s/code'; } | true",
                        getenv("JUNCT"), every_command[i], run_folder());
        char *code = read_result("code");
        TEST_TEXT("0\n", code);
        CU_ASSERT(strstr(o.err, "cannot write") == NULL);
        free(code);
        outcome_clear(&o);
    }
}

/* A picture that another program makes takes its name when it is complete. */
static void pictures_are_whole_or_not_there(void)
{
    if (system("command -v rsvg-convert >/dev/null") != 0)
        return;
    outcome o = run("version >/dev/null; ulimit -f 1; '%s' draw -o %s/half.png " BUCK,
                    getenv("JUNCT"), run_folder());
    CU_ASSERT_EQUAL(o.code, 3);
    CU_ASSERT_EQUAL(count_matches("half.png"), 0);
    outcome_clear(&o);
    o = run("draw -o %s/whole.png " BUCK, run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    CU_ASSERT_EQUAL(count_matches("whole.png*"), 1);
    outcome_clear(&o);
}

/* ---- small things -------------------------------------------------------------------------- */

static void small_model(const char *more)
{
    char text[1024];
    int n = snprintf(text, sizeof text, "model m\nSe u = 1\nR r = 1\nX1 s\nu -> s -> r\n%s", more);
    run_write_file("small.hbg", text, (size_t)n);
}

static void times_may_come_in_any_order(void)
{
    small_model("output x = f(r)\nsimulate to 5 every 1\n"
                "switch s off, on at 3, off at 1, on at 2, off at 4\n");
    outcome o = run("simulate -q %s/small.hbg", run_folder());
    TEST_TEXT("t,mode,x\n0,0,0\n1,0,0\n2,0,0\n2,1,1\n3,1,1\n4,1,1\n4,0,0\n5,0,0\n", o.out);
    outcome_clear(&o);
}

static void traces_are_for_other_programs(void)
{
    small_model("output x = f(r)\nsimulate to 2 every 1/2\nswitch s off, on at 1, off at 5/4\n");
    outcome o = run("simulate -q --uniform %s/small.hbg", run_folder());
    TEST_TEXT("t,mode,x\n0,0,0\n0.5,0,0\n1,1,1\n1.5,0,0\n2,0,0\n", o.out);
    outcome_clear(&o);
    o = run("simulate -q --mode-columns --uniform %s/small.hbg", run_folder());
    TEST_TEXT("t,s,x\n0,0,0\n0.5,0,0\n1,1,1\n1.5,0,0\n2,0,0\n", o.out);
    outcome_clear(&o);
}

/* A mass on a spring: nothing comes in, nothing is lost. With tolerances as large as this the run is
 * wrong, and says so. */
static void energies_must_add_up(void)
{
    static const char text[] = "model m\nI m = 1, f0 = 1\nC s : e = q + 10*q^3\n1 v\nv -> m\n"
                               "v -> s\noutput x = q(s)\nsimulate to 2 every 1\n";
    static const struct {
        const char *options;
        int code;
        bool told;
    } each[] = {{"", 0, false},
                {"--rtol 1e-3 --atol 1e-5 --to 100", 0, true},
                {"--rtol 1e-1 --atol 1e-3 --to 1000", 3, true},
                {"--rtol 1e-1 --atol 1e3", 3, true}};
    run_write_file("spring.hbg", text, sizeof text - 1);
    for (size_t i = 0; i < sizeof each / sizeof each[0]; i++) {
        outcome o = run("simulate %s %s/spring.hbg", each[i].options, run_folder());
        CU_ASSERT_EQUAL(o.code, each[i].code);
        CU_ASSERT_EQUAL(strstr(o.err, "the energies do not add up: the residue is ") != NULL,
                        each[i].told);
        CU_ASSERT(strlen(o.out) > 20); /* what was computed is written */
        outcome_clear(&o);
    }
}

/* A law that takes power for every flow: if it has given some, the integration was wrong, and it is named. */
static void laws_that_give_are_named(void)
{
    static const char text[] = "model m\nSe u = 10*sin(7*t)\nI L = 1, f0 = 3\nC c = 1/100\n"
                               "R r : e = 100*f^3\nR plain = 1\n1 j\nu -> j -> L\nj -> r\nj -> c\n"
                               "j -> plain\noutput x = f(r)\nsimulate to 20 every 1\n";
    run_write_file("gives.hbg", text, sizeof text - 1);
    outcome o = run("simulate -q --rtol 1e-1 --atol 1e3 %s/gives.hbg", run_folder());
    CU_ASSERT_EQUAL(o.code, 3);
    CU_ASSERT(strstr(o.err, "the passive laws have given ") && strstr(o.err, "look at 'r'"));
    outcome_clear(&o);
    o = run("simulate -q %s/gives.hbg", run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    TEST_TEXT("", o.err);
    outcome_clear(&o);
}

/* ½·q²/C is 5e319. */
static void energies_beyond_numbers_are_said(void)
{
    static const char text[] = "model m\nC c = 1e-60, q0 = 1e130\nR r = 1e60\n0 n\nn -> c\nn -> r\n"
                               "output q = q(c)\nsimulate to 1 every 1\n";
    run_write_file("large.hbg", text, sizeof text - 1);
    outcome o = run("simulate %s/large.hbg", run_folder());
    CU_ASSERT_EQUAL(o.code, 3);
    CU_ASSERT(strstr(o.err, "energies are larger than any number") != NULL);
    CU_ASSERT(strstr(o.err, "not known") != NULL && strstr(o.err, "nan") == NULL);
    CU_ASSERT(strstr(o.out, "1,,3.678794411714") != NULL);
    outcome_clear(&o);
}

/* A capacitor of next to nothing has the voltage of its source, sin t, and takes C·cos t: less than rounding of
 * what flowed at the start. Where that is not right the energies say so. Below 1e-20 a law may leave of the flow what
 * the tolerance of the voltage makes of it, 1e-11 through 1 ohm, if the voltage is as good as that. */
static void tiny_capacities_are_right_or_said(void)
{
    static const double tiny[] = {1e-12, 1e-15, 1e-17, 1e-19, 1e-20, 1e-22, 1e-25, 1e-30, 1e-60};
    for (size_t i = 0; i < 2 * sizeof tiny / sizeof tiny[0]; i++) {
        char text[256], law[64];
        double t, e = 0, f = 0, C = tiny[i / 2];
        snprintf(law, sizeof law, i % 2 ? "c : e = q/%g + q*abs(q)" : "c = %g, e0 = 3", C);
        int n = snprintf(text, sizeof text,
                         "model m\nSe u = sin(t)\nC %s\nR r = 1\n1 j\nu -> j -> c\nj -> r\n"
                         "output e = e(c), f = f(r)\nsimulate to 2 every 2\n",
                         law);
        run_write_file("tiny.hbg", text, (size_t)n);
        outcome o = run("simulate -q %s/tiny.hbg", run_folder());
        const char *last = strstr(o.out, "\n2,,");
        bool said = o.code == 3 && strstr(o.err, o.err[0] && last ? "do not add up" : "stopped at");
        bool read = last && sscanf(last, "\n%lf,,%lf,%lf", &t, &e, &f) == 3;
        double off = fabs(f - C * cos(2)), e_off = fabs(e - sin(2));
        bool within = i % 2 && C < 1e-20 && e_off < 1e-11 && off < 1e-11;
        bool right = read && ((e_off < 1e-5 && off < 1e-3 * C) || within);
        CU_ASSERT(said || (o.code == 0 && right));
        if (!said && !right)
            printf("\n%s: %d\n%s%s", law, o.code, o.out, o.err);
        outcome_clear(&o);
    }
}

static void missing_tables_exit_with_2(void)
{
    static const char *const commands[] = {"simulate -q",
                                           "report --format md -o %s/r.md",
                                           "report -o %s/r.tex",
                                           "page -o %s/r.html",
                                           "steady",
                                           "steady --period 1",
                                           "bode --from u --freq 1 --period 1",
                                           "sweep -q --vary r=1,2 --measure 'final(x)' -o %s/r.csv",
                                           "sweep -q --vary r=1,2 --steady",
                                           "verify --write-case %s/r.case"};
    static const char text[] = "model m\nSe u = table(\"none.csv\", \"v\")\nR r = 1\nu -> r\n"
                               "output x = e(r)\nsimulate to 1 every 1\n";
    run_write_file("missing.hbg", text, sizeof text - 1);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char line[512];
        snprintf(line, sizeof line, commands[i], run_folder());
        outcome o = run("%s '%s/missing.hbg'", line, run_folder());
        CU_ASSERT_EQUAL(o.code, 2);
        CU_ASSERT(strstr(o.err, "[csv-unreadable]") != NULL);
        CU_ASSERT_EQUAL(count_matches("r.*"), 0);
        outcome_clear(&o);
    }
}

/* An output that begins later has no value before, and is drawn from then on. */
static void outputs_may_begin_late(void)
{
    small_model("switch s on\noutput y = sqrt(t - 2)\nsimulate to 4 every 1\n");
    outcome o = run("simulate -q %s/small.hbg", run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    TEST_TEXT("t,mode,y\n0,1,nan\n1,1,nan\n2,1,0\n3,1,1\n4,1,1.4142135623730951\n", o.out);
    CU_ASSERT(strstr(o.err, "or one of its functions is not defined") != NULL);
    outcome_clear(&o);
    o = run("report --format md -o %s %s/small.hbg", run_folder(), run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    char *picture = read_result("m-run.svg");
    CU_ASSERT(strstr(picture, "nan") == NULL && strstr(picture, "class=\"trace") != NULL);
    free(picture);
    outcome_clear(&o);
}

/* What fits is whole rows. */
static void full_files_end_with_a_row(void)
{
    small_model("output x = f(r), y = t/3\nsimulate to 1 every 1/100000\nswitch s on\n");
    outcome o = run("version >/dev/null; ulimit -f 1000; '%s' simulate -q %s/small.hbg -o %s/f.csv",
                    getenv("JUNCT"), run_folder(), run_folder());
    CU_ASSERT_EQUAL(o.code, 3);
    CU_ASSERT(strstr(o.err, "what could be written is in ") != NULL);
    outcome_clear(&o);
    o = run("version >/dev/null; cat %s/f.csv.* | awk -F, 'NF != 4 { bad++ } END { print NR, bad + "
            "0 }';"
            " tail -c 1 %s/f.csv.* | od -An -c",
            run_folder(), run_folder());
    CU_ASSERT(atoi(o.out) > 1000 && strstr(o.out, " 0\n  \\n\n") != NULL);
    outcome_clear(&o);
}

/* The names t, mode(s), x, y take 20 + 6 + 4*7 bytes, the head of the data 20 + 5; its third word
 * says how many rows of four doubles follow. */
static void full_mat_files_say_how_long(void)
{
    small_model("output x = f(r), y = t/3\nsimulate to 1 every 1/100000\n");
    outcome o = run("version >/dev/null; ulimit -f 1000; '%s' simulate -q %s/small.hbg -o %s/f.mat",
                    getenv("JUNCT"), run_folder(), run_folder());
    CU_ASSERT_EQUAL(o.code, 3);
    outcome_clear(&o);
    o = run("version >/dev/null; cat %s/f.mat.* | wc -c; od -An -td4 -j62 -N4 %s/f.mat.*",
            run_folder(), run_folder());
    long size = 0, rows = 0;
    CU_ASSERT_EQUAL(sscanf(o.out, "%ld %ld", &size, &rows), 2);
    CU_ASSERT(rows > 1000 && size == 79 + 32 * rows);
    outcome_clear(&o);
}

/* With little memory a command is done, or ends with one message; it does not wait for more. */
static void little_memory_is_said(void)
{
    static const char *const commands[] = {"analyse --all " CHOPPER,
                                           "simulate -q " CHOPPER " -o /dev/null",
                                           "draw " CHOPPER,
                                           "simulate -q --method radau examples/clutch.hbg",
                                           "matrices --force --all " CHOPPER,
                                           "verify examples/relay.hbg",
                                           "steady " BUCK,
                                           "bode --sensitivity " BUCK,
                                           "page --to 1m " BUCK,
                                           "sweep -q --vary load=1,2 --to 1m -j 2 " BUCK};
    for (int kb = 50000; kb <= 150000; kb += 20000)
        for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
            outcome o = run("version >/dev/null; ulimit -v %d; timeout 60 '%s' %s >/dev/null", kb,
                            getenv("JUNCT"), commands[i]);
            const char *first = strchr(o.err, '\n');
            bool one_line = !first || first[1] == 0;
            bool done = o.code == 0 || (o.code == 4 && strstr(commands[i], "verify"));
            bool loaded = !strstr(o.err, "[no-solver]");
            bool good = done || !loaded || (o.code == 3 && strstr(o.err, "memory") && one_line);
            if (!good)
                printf("\n%d kB, %s: %d\n%s", kb, commands[i], o.code, o.err);
            CU_ASSERT(good);
            outcome_clear(&o);
        }
}

static int clean_up(void)
{
    run_remove_folder();
    return 0;
}

void suite_sturdy(void)
{
    CU_pSuite suite_ = CU_add_suite("sturdy", NULL, clean_up);
    TEST_ADD(any_name_gives_a_pdf);
    TEST_ADD(reports_are_made_side_by_side);
    TEST_ADD(names_open_no_line);
    TEST_ADD(titles_are_clean);
    TEST_ADD(claims_are_clean);
    TEST_ADD(outputs_replace_no_input);
    TEST_ADD(outputs_replace_no_linked_input);
    TEST_ADD(outputs_replace_no_output);
    TEST_ADD(links_are_not_followed);
    TEST_ADD(signals_are_answered);
    TEST_ADD(long_commands_are_answered);
    TEST_ADD(proofs_so_far_are_told);
    TEST_ADD(wrong_tables_are_told);
    TEST_ADD(what_does_not_look_is_ended);
    TEST_ADD(other_programs_end_with_it);
    TEST_ADD(modes_so_far_are_written);
    TEST_ADD(no_file_is_left_half);
    TEST_ADD(closed_streams_do_no_harm);
    TEST_ADD(pipes_may_close);
    TEST_ADD(pictures_are_whole_or_not_there);
    TEST_ADD(times_may_come_in_any_order);
    TEST_ADD(traces_are_for_other_programs);
    TEST_ADD(energies_must_add_up);
    TEST_ADD(laws_that_give_are_named);
    TEST_ADD(energies_beyond_numbers_are_said);
    TEST_ADD(tiny_capacities_are_right_or_said);
    TEST_ADD(missing_tables_exit_with_2);
    TEST_ADD(outputs_may_begin_late);
    TEST_ADD(full_files_end_with_a_row);
    TEST_ADD(full_mat_files_say_how_long);
    TEST_ADD(laws_written_again_take_no_room);
    TEST_ADD(little_memory_is_said);
}
