/* test_cli.c: exit codes, messages, files and the text of the program. What stands in JSON is
 * tested in test_json.c. */
#include "junct/base.h"
#include "run.h"

#include <sys/stat.h>

#define CHOPPER "examples/chopper.hbg"

/* ---- usage --------------------------------------------------------------------------------- */

static void usage_errors_exit_with_2(void)
{
    REFUSED(2, "usage: junct COMMAND", "");
    REFUSED(2, "this version has no command 'frobnicate'; it has new, check", "frobnicate");
    REFUSED(2, "--from 1: mode '1' has 1 digit, the model has 3 switches",
            "analyse " CHOPPER " --from 1 --to 100");
    REFUSED(2, "did you mean 'modes'?", "modse " CHOPPER);
    REFUSED(2, "did you mean 'simulate'?", "sim " CHOPPER);
    REFUSED(2, "it has new, check", "s " CHOPPER); /* there are three */
    REFUSED(2, "'-o x.pdf': a page is a file for browsers, x.html", "page -o x.pdf " CHOPPER);
    REFUSED(2, "the duty cycle of a switch s is 'duty(s)'",
            "bode --from duty --freq 1 examples/buck.hbg");
    REFUSED(2, "'check' needs a FILE", "check");
    REFUSED(2, "takes one FILE", "check " CHOPPER " " CHOPPER);
    REFUSED(2, "'modes' has no option '--moed'; did you mean '--mode'?",
            "modes --moed 100 " CHOPPER);
    REFUSED(2, "has no option '-x'", "modes -x " CHOPPER);
    REFUSED(2, "needs M behind it", "modes " CHOPPER " --mode");
    REFUSED(2, "takes no argument", "modes " CHOPPER " --json=1");
    REFUSED(2, "given twice", "modes --mode 100 --mode 010 " CHOPPER);
    REFUSED(2, "choose one of '--json' and '--csv'", "modes --csv --json " CHOPPER);
    REFUSED(2, "choose one of '--mode' and '--all'", "matrices --all --mode 100 " CHOPPER);
    REFUSED(2, "belongs to '--all'", "matrices --force " CHOPPER);
    REFUSED(2, "no command 'nothing'", "help nothing");
    REFUSED(2, "comes first", "--json modes " CHOPPER);
}

static void wrong_modes_exit_with_2(void)
{
    REFUSED(2, "2 digits", "modes --mode 10 " CHOPPER);
    REFUSED(2, "10x", "matrices --mode 10x " CHOPPER);
    REFUSED(2, "no switch 's9'", "matrices --mode s9=1 " CHOPPER);
    REFUSED(2, "'s2' is not set", "matrices --mode s1=1 " CHOPPER);
}

static void options_stand_anywhere(void)
{
    outcome a = run("modes --mode 100 --csv " CHOPPER);
    outcome b = run("modes " CHOPPER " --csv --mode=s2=0,clutch=0,s1=1");
    outcome c = run("modes --csv --mode 100 -- " CHOPPER);
    outcome d = run("modes --csv --mode 100 - <" CHOPPER);
    CU_ASSERT_EQUAL(a.code, 0);
    TEST_TEXT("mode,status,reason,L1,L2,L3,R1,R2\n"
              "100,ok,,integral,integral,integral,resistance,resistance\n",
              a.out);
    TEST_TEXT(a.out, b.out);
    TEST_TEXT(a.out, c.out);
    TEST_TEXT(a.out, d.out);
    outcome_clear(&a);
    outcome_clear(&b);
    outcome_clear(&c);
    outcome_clear(&d);
}

/* All elements, not only those whose causality changes. */
static void one_mode_is_told_whole(void)
{
    outcome a = run("modes --mode 010 " CHOPPER), b = run("modes --mode 110 --latex " CHOPPER);
    TEST_TEXT("  mode        010\n"
              "  status      ok\n"
              "  integral    L1, L2, L3\n"
              "  resistance  R1, R2\n",
              a.out);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.out, "needs & $G = V$"));
    outcome_clear(&a);
    outcome_clear(&b);
}

static void help_and_version_exit_with_0(void)
{
    static const char *const pairs[][2] = {
        {"help", "--help"}, {"help modes", "modes --help"}, {"version", "--version"}};
    for (int i = 0; i < 3; i++) {
        outcome a = run("%s", pairs[i][0]), b = run("%s", pairs[i][1]);
        CU_ASSERT_EQUAL(a.code, 0);
        CU_ASSERT_EQUAL(b.code, 0);
        CU_ASSERT(a.out[0] != 0);
        TEST_TEXT(a.out, b.out);
        outcome_clear(&a);
        outcome_clear(&b);
    }
}

/* ---- wrong models -------------------------------------------------------------------------- */

static void unreadable_files_are_refused(void)
{
    char arguments[256];
    REFUSED(2, "cannot read no-such-file.hbg", "check no-such-file.hbg");
    REFUSED(2, "cannot read tests", "check tests");
    run_write_file("nul.hbg", "model m\0", 8);
    snprintf(arguments, sizeof arguments, "check %s/nul.hbg", run_folder());
    REFUSED(1, "NUL byte", arguments);
}

static void wrong_models_exit_with_1(void)
{
    static const char *const commands[] = {"check", "check --format", "modes", "matrices --json",
                                           "matrices --all"};
    static const char text[] = "model m\nSe V\nI L\nV -> -> L\nI I I\n";
    char arguments[256];
    run_write_file("wrong.hbg", text, strlen(text));
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        snprintf(arguments, sizeof arguments, "%s %s/wrong.hbg", commands[i], run_folder());
        REFUSED(1, "wrong.hbg:4:", arguments);
        REFUSED(1, "2 errors, 0 warnings\n", arguments);
    }
}

/* ---- files --------------------------------------------------------------------------------- */

static void full_devices_exit_with_3(void)
{
    REFUSED(3, "cannot write /dev/full", "matrices -o /dev/full " CHOPPER);
    REFUSED(3, "cannot write standard output", "modes " CHOPPER " >/dev/full");
    REFUSED(3, "cannot write standard output", "modes --all " CHOPPER " >/dev/full");
    REFUSED(3, "cannot write standard output", "help >/dev/full");
    REFUSED(3, "cannot write no-such-folder/x", "modes -o no-such-folder/x " CHOPPER);
}

static int count_files(const char *pattern)
{
    char command[256];
    snprintf(command, sizeof command, "ls -d %s/%s 2>/dev/null | wc -l", run_folder(), pattern);
    FILE *f = popen(command, "r");
    int n = -1;
    if (!f || fscanf(f, "%d", &n) != 1)
        abort();
    pclose(f);
    return n;
}

static void files_are_written_whole_or_not_at_all(void)
{
    char path[256];
    outcome direct = run("modes " CHOPPER), o = run("modes -o %s/result " CHOPPER, run_folder());
    snprintf(path, sizeof path, "%s/result", run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    TEST_TEXT("", o.out);
    char *written = test_read_file(path);
    TEST_TEXT(direct.out, written);
    outcome_clear(&o);
    free(written);

    chmod(path, 0640);
    run_write_file("wrong.hbg", "model m\nI I I\n", 14);
    o = run("modes -o %s %s/wrong.hbg", path, run_folder());
    CU_ASSERT_EQUAL(o.code, 1);
    written = test_read_file(path);
    TEST_TEXT(direct.out, written);
    outcome_clear(&o);
    free(written);

    struct stat s;
    o = run("modes --csv -o %s " CHOPPER, path);
    CU_ASSERT_EQUAL(stat(path, &s), 0);
    CU_ASSERT_EQUAL(s.st_mode & 0777, 0640);
    CU_ASSERT_EQUAL(count_files("result*"), 1);
    outcome_clear(&o);
    outcome_clear(&direct);
}

static void a_reader_may_go_away(void)
{
    outcome o = run("modes --all --force --csv examples/ladder.hbg | head -n 1");
    CU_ASSERT_EQUAL(o.code, 0); /* head's */
    TEST_TEXT("", o.err);
    CU_ASSERT(strncmp(o.out, "mode,status", 11) == 0);
    outcome_clear(&o);
}

/* ---- text ---------------------------------------------------------------------------------- */

static void check_counts(void)
{
    outcome o = run("check " CHOPPER);
    CU_ASSERT_EQUAL(o.code, 0);
    TEST_TEXT("", o.err);
    TEST_TEXT("chopper: Chopper with motor and clutch\n"
              "======================================\n"
              "\n"
              "  elements    15: 2 Se, 3 I, 2 R, 1 GY, 1 0-junction, 3 1-junctions, 1 X0, 2 X1\n"
              "  bonds       14\n"
              "  states      3: L1, L2, L3\n"
              "  inputs      2: V, G\n"
              "  parameters  6, all with values\n"
              "  switches    3: s1, s2, clutch\n"
              "  modes       2^3 = 8: 6 allowed, 2 forbidden\n"
              "  forbidden   s1 & s2\n"
              "  reference   100 (s1 on, s2 off, clutch off)\n",
              o.out);
    outcome_clear(&o);
}

/* A law or a modulation is a value; a model without switches has one mode. */
static void check_counts_values(void)
{
    static const char symbols[] = "model m\nSe V = 1\nR a\nR b = 2\nR v : e = f^3\n1 j\n"
                                  "V -> j -> a\nj -> b\nj -> v\n";
    outcome o = run("check tests/models/numeric_pendulum.hbg");
    CU_ASSERT_PTR_NOT_NULL(strstr(o.out, "  parameters  6, all with values\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(o.out, "  modes       2^0 = 1, allowed\n"));
    outcome_clear(&o);
    run_write_file("symbols.hbg", symbols, sizeof symbols - 1);
    o = run("check %s/symbols.hbg", run_folder());
    CU_ASSERT_PTR_NOT_NULL(strstr(o.out, "  parameters  3, 1 without a value: a\n"));
    outcome_clear(&o);
}

/* Every reason, at its source. */
static void check_says_all_reasons(void)
{
    static const char text[] =
        "model m\nSe a = 1\nSe b = 2\nSf c = 1\nSf d = 3\nR r = 1\n0 j\n1 k\n"
        "a -> j\nb -> j\nc -> k\nd -> k\nj -> r\n";
    run_write_file("never.hbg", text, sizeof text - 1);
    outcome o = run("check %s/never.hbg", run_folder());
    CU_ASSERT_EQUAL(o.code, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(o.err, "never.hbg:3:4: error: no mode is allowed: b = a"));
    CU_ASSERT_PTR_NOT_NULL(strstr(o.err, "never.hbg:5:4: note: and d = c"));
    outcome_clear(&o);
}

/* Rounded numbers are mathematics: minus signs and powers of ten. */
static void latex_has_numbers(void)
{
    outcome o = run("analyse " CHOPPER " --mode 101 --latex");
    CU_ASSERT_PTR_NOT_NULL(strstr(o.out, "$-499.833$ & $499.833$ & $1$ \\\\"));
    outcome_clear(&o);
    o = run("analyse examples/ladder.hbg --mode 10000000 --latex");
    CU_ASSERT_PTR_NOT_NULL(strstr(o.out, "\\,\\mathrm{i}$"));
    CU_ASSERT_PTR_NULL(strstr(o.out, "e+"));
    outcome_clear(&o);
}

/* Where there is one mode there is no other with the same equations, nor a list of them. */
static void one_mode_is_not_compared(void)
{
    outcome o = run("analyse tests/models/analyse_cancel.hbg");
    CU_ASSERT_PTR_NOT_NULL(strstr(o.out, "1 different (E, A)."));
    CU_ASSERT_PTR_NULL(strstr(o.out, "Modes with the same"));
    outcome_clear(&o);
    o = run("analyse " CHOPPER);
    CU_ASSERT_PTR_NOT_NULL(strstr(o.out, "Modes with the same E and A"));
    outcome_clear(&o);
}

static void check_formats_a_model(void)
{
    outcome once = run("check --format " CHOPPER);
    CU_ASSERT_EQUAL(once.code, 0);
    run_write_file("once.hbg", once.out, strlen(once.out));
    outcome twice = run("check --format %s/once.hbg", run_folder());
    TEST_TEXT(once.out, twice.out);
    outcome before = run("matrices --json " CHOPPER);
    outcome after = run("matrices --json %s/once.hbg", run_folder());
    TEST_TEXT(before.out, after.out);
    outcome_clear(&once);
    outcome_clear(&twice);
    outcome_clear(&before);
    outcome_clear(&after);
}

/* As in table 5 of the paper. */
static void modes_has_truth_tables(void)
{
    outcome o = run("modes " CHOPPER);
    CU_ASSERT_EQUAL(o.code, 0);
    CU_ASSERT(strstr(o.out, "Why modes are forbidden\n"
                            "  needs  modes  where\n"
                            "  -----  -----  -------\n"
                            "  G = V  2      s1 & s2\n") != NULL);
    CU_ASSERT(strstr(o.out, "  L1       integral, else derivative  s1 ^ s2\n"
                            "  L3       integral, else derivative  !clutch\n") != NULL);
    CU_ASSERT(strstr(o.out, "  s1  s2  L1\n"
                            "  --  --  ----------\n"
                            "  0   0   derivative\n"
                            "  0   1   integral\n"
                            "  1   0   integral\n"
                            "  1   1   conflict\n"
                            "\n"
                            "  clutch  L3\n"
                            "  ------  ----------\n"
                            "  0       integral\n"
                            "  1       derivative\n") != NULL);
    outcome_clear(&o);
}

static void modes_lists_every_mode(void)
{
    outcome o = run("modes --all " CHOPPER);
    TEST_TEXT("  mode  status     L1           L3           needs\n"
              "  ----  ---------  -----------  -----------  -----\n"
              "  000   ok         derivative   integral\n"
              "  001   ok         derivative   derivative\n"
              "  010   ok         integral     integral\n"
              "  011   ok         integral     derivative\n"
              "  100   ok         integral     integral\n"
              "  101   ok         integral     derivative\n"
              "  110   forbidden  -            -            G = V\n"
              "  111   forbidden  -            -            G = V\n",
              o.out);
    outcome_clear(&o);
}

static void matrices_of_a_mode_are_readable(void)
{
    outcome o = run("matrices --mode 101 " CHOPPER);
    CU_ASSERT_EQUAL(o.code, 0);
    TEST_TEXT("chopper: mode 101 (s1 on, s2 off, clutch on)\n"
              "============================================\n"
              "\n"
              "  integral    L1, L2\n"
              "  derivative  L3\n"
              "  resistance  R1, R2\n"
              "\n"
              "E ẋ = A x + B u\n"
              "\n"
              "E\n"
              "      ṗ_L1  ṗ_L2  ṗ_L3\n"
              "  L1     1     .     .\n"
              "  L2     .     1     1\n"
              "  L3     .     .     .\n"
              "\n"
              "A\n"
              "        p_L1    p_L2   p_L3\n"
              "  L1  -R1/L1   -a/L2      .\n"
              "  L2    a/L1  -R2/L2      .\n"
              "  L3       .    1/L2  -1/L3\n"
              "\n"
              "B\n"
              "      V  G\n"
              "  L1  1  .\n"
              "  L2  .  .\n"
              "  L3  .  .\n"
              "\n"
              "Equations\n"
              "  ṗ_L1 = -R1/L1*p_L1 - a/L2*p_L2 + V\n"
              "  ṗ_L2 + ṗ_L3 = a/L1*p_L1 - R2/L2*p_L2\n"
              "  0 = 1/L2*p_L2 - 1/L3*p_L3\n",
              o.out);
    outcome_clear(&o);
    o = run("matrices --mode 110 " CHOPPER);
    CU_ASSERT(strstr(o.out, "Forbidden: the sources would have to satisfy G = V.\n") != NULL);
    outcome_clear(&o);
}

static void a_model_without_switches_has_one_mode(void)
{
    static const char text[] = "model m\nSe V = 1\nI L = 2\nV -> L\n";
    run_write_file("plain.hbg", text, strlen(text));
    outcome o = run("modes --csv --all %s/plain.hbg", run_folder());
    TEST_TEXT("mode,status,reason,L\n,ok,,integral\n", o.out);
    outcome_clear(&o);
    o = run("matrices --numeric --mode '' %s/plain.hbg", run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    CU_ASSERT(strstr(o.out, "  ṗ_L = V\n") != NULL);
    outcome_clear(&o);
}

/* Two resistors that cancel: the loop through them has a solution only while s is off. */
static void singular_modes_say_so(void)
{
    static const char text[] = "model m\nparam k\nSe V\nI L\nR a = k\nR b = -k\n1 p\n0 n\nX0 s\n"
                               "V -> p -> a\np -> n -> b\nn -> s -> L\n";
    run_write_file("singular.hbg", text, strlen(text));
    outcome o = run("matrices --csv --all %s/singular.hbg", run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    CU_ASSERT(strstr(o.out, "0,status,,,ok\n") != NULL);
    CU_ASSERT(strstr(o.out, "1,status,,,singular\n") != NULL);
    CU_ASSERT(strstr(o.out, "1,A,") == NULL);
    outcome_clear(&o);
    o = run("matrices %s/singular.hbg", run_folder());
    CU_ASSERT(strstr(o.out, "Singular where s: a loop of resistors with a ") != NULL);
    outcome_clear(&o);
}

static void text_fits_the_width(void)
{
    char command[256];
    snprintf(command, sizeof command, "COLUMNS=60 '%s' matrices " CHOPPER, getenv("JUNCT"));
    FILE *f = popen(command, "r");
    char line[1024];
    int lines = 0;
    while (f && fgets(line, sizeof line, f)) {
        int width = 0;
        for (const char *s = line; *s && *s != '\n'; s++)
            width += (*s & 0xC0) != 0x80;
        CU_ASSERT(width <= 60);
        lines++;
    }
    CU_ASSERT(lines > 40);
    if (f)
        pclose(f);
}

/* ---- many modes ---------------------------------------------------------------------------- */

static void all_modes_need_force_when_they_are_many(void)
{
    REFUSED(2, "2^16 modes: '--all --force'", "modes --all examples/arm.hbg");
    outcome o = run("modes --all --force --csv examples/arm.hbg | wc -l");
    CU_ASSERT_EQUAL(atoi(o.out), 65536 + 1);
    outcome_clear(&o);
}

/* 2^128 modes: nothing but --all may go through them. */
static void modes_are_not_enumerated(void)
{
    char *arm = test_read_file("examples/arm.hbg"), *range = strstr(arm, "1..8");
    CU_ASSERT_PTR_NOT_NULL_FATAL(range);
    char *larger = malloc(strlen(arm) + 8);
    sprintf(larger, "%.*s1..64%s", (int)(range - arm), arm, range + 4);
    run_write_file("arm64.hbg", larger, strlen(larger));
    outcome o = run("modes %s/arm64.hbg", run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    CU_ASSERT(strstr(o.out, "2^128 = 340282366920938463463374607431768211456, all allowed") !=
              NULL);
    CU_ASSERT(strlen(o.out) < 100000);
    outcome_clear(&o);
    free(larger);
    free(arm);
}

/* ---- other forms --------------------------------------------------------------------------- */

static int count(const char *text, const char *part)
{
    int n = 0;
    for (const char *s = text; (s = strstr(s, part)); s += strlen(part))
        n++;
    return n;
}

static void csv_has_rows_of_one_length(void)
{
    outcome o = run("matrices --csv " CHOPPER);
    CU_ASSERT(strstr(o.out, "\nA,L1 pseudo,L1 pseudo,!(s1 ^ s2),-1/L1\n") != NULL);
    CU_ASSERT(strstr(o.out, "\nLambda,L1 state,L1 state,s1 ^ s2,1\n") != NULL);
    CU_ASSERT_EQUAL(count(o.out, ","), 4 * count(o.out, "\n"));
    outcome_clear(&o);
    o = run("matrices --csv --mode 100 --numeric " CHOPPER);
    CU_ASSERT(strstr(o.out, "mode,matrix,row,column,value\n100,status,,,ok\n") == o.out);
    CU_ASSERT(strstr(o.out, "\n100,A,L1,L1,-500\n") != NULL);
    CU_ASSERT_EQUAL(count(o.out, ","), 4 * count(o.out, "\n"));
    outcome_clear(&o);
}

static void latex_is_balanced(void)
{
    static const char *const commands[] = {"matrices", "matrices --mode 100", "modes",
                                           "modes --all"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        outcome o = run("%s --latex " CHOPPER, commands[i]);
        CU_ASSERT_EQUAL(o.code, 0);
        CU_ASSERT(count(o.out, "\\begin{") > 0);
        CU_ASSERT_EQUAL(count(o.out, "\\begin{"), count(o.out, "\\end{"));
        CU_ASSERT_EQUAL(count(o.out, "{"), count(o.out, "}"));
        CU_ASSERT_EQUAL(count(o.out, "\\left("), count(o.out, "\\right)"));
        CU_ASSERT_EQUAL(count(o.out, "$") % 2, 0);
        outcome_clear(&o);
    }
}

static void octave_is_a_function_of_the_switches(void)
{
    outcome o = run("matrices --octave " CHOPPER);
    CU_ASSERT_EQUAL(strncmp(o.out, "function model_ = chopper\n", 26), 0);
    CU_ASSERT(strstr(o.out, "    if xor(lambda(1), lambda(2)), M(1, 1) = -p.R1/p.L1; end\n") !=
              NULL);
    CU_ASSERT(strstr(o.out, "    if ~lambda(3), M(3, 3) = -p.R2/p.L3; end\n") != NULL);
    CU_ASSERT(strstr(o.out, "    is = (lambda(1) && lambda(2));\n") != NULL);
    CU_ASSERT_EQUAL(count(o.out, "("), count(o.out, ")"));
    CU_ASSERT_EQUAL(count(o.out, "\nfunction "), 4);
    outcome_clear(&o);
    o = run("matrices --octave --numeric --mode 100 " CHOPPER);
    CU_ASSERT(strstr(o.out, "modes(1).A = [-500, -5, 0; 100, 0, 0; 0, 0, -1];\n") != NULL);
    outcome_clear(&o);
}

/* c[1].R and c_1__R would be the same identifier; end is a keyword. */
static void octave_names_are_identifiers(void)
{
    static const char text[] = "model m\nsubmodel K() {\nports a\n1 a\nR R = 2\na -> R\n}\n"
                               "Se V = 1\n1 n\nI end = 2\nR k_R = 3\nV -> n -> end\nn -> k_R\n"
                               "K k()\nn -> k.a\n";
    run_write_file("names.hbg", text, strlen(text));
    outcome o = run("matrices --octave %s/names.hbg", run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    CU_ASSERT(strstr(o.out, "    p.end_ = 2;\n") != NULL);
    CU_ASSERT(strstr(o.out, "    p.k_R = 3;\n") != NULL);
    CU_ASSERT(strstr(o.out, "    p.k_R_2 = 2;\n") != NULL);
    outcome_clear(&o);
}

/* ---- special values ------------------------------------------------------------------------ */

/* What is said on standard error, and what stands in what is written. */
static void check_special(const char *arguments, const char *said, const char *written)
{
    outcome o = run("%s", arguments);
    CU_ASSERT_EQUAL(o.code, 0);
    CU_ASSERT(strstr(o.err, said) != NULL);
    CU_ASSERT(strstr(o.out, written) != NULL);
    outcome_clear(&o);
}

static void special_values_are_told(void)
{
    static const char idle[] = "switch 'x' changes nothing";
    static const char warning[] = "n - 1 is 0 with the values given: where x, symbolic";
    check_special("check tests/models/special_source.hbg", warning, "2: 1 allowed, 1 forbidden");
    check_special("check --numeric tests/models/special_source.hbg", idle, "2, all allowed");
    check_special("modes --mode 1 --csv tests/models/special_source.hbg", warning, "1,forbidden,");
    check_special("modes --mode 1 --csv --numeric tests/models/special_source.hbg", "", "1,ok,");
    check_special("matrices --mode 1 --csv tests/models/special_ring.hbg",
                  "n - 1 is 0 with the values given: in this mode symbolic", "1,status,,,ok");
    check_special("analyse --mode 1 --json tests/models/special_ring.hbg", warning,
                  "\"charpoly\": [\"0\", \"1\"], \"charpoly_values\": [\"12/35\", \"1\"]");
    check_special("analyse --mode '' --json tests/models/special_conflict.hbg", "n - 1 is 0",
                  "\"status_values\": \"forbidden\"");
    check_special("check tests/models/special_allowed.hbg", "no mode is allowed for others",
                  "2^0 = 1, allowed");
}

/* ---- meshes of resistors ------------------------------------------------------------------- */

enum { MESH = 9 };

/* A grid of resistors, 1 each, with a switch in the middle of every row: no two modes have a
 * coefficient in common, and as formulas they cannot be written out. */
static void write_mesh(const char *name)
{
    jn_str text;
    jn_str_init(&text);
    jn_str_add(&text, "model mesh\nSe V = 10\nR rs = 1\nC c = 1/100\n1 in\nV -> in -> n_0_0\n"
                      "in -> rs\n");
    for (int i = 0; i < MESH; i++)
        for (int j = 0; j < MESH; j++) {
            jn_str_addf(&text, "0 n_%d_%d\n", i, j);
            for (int down = 0; down < 2; down++) {
                int k = i + down, l = j + !down;
                if (k == MESH || l == MESH)
                    continue;
                jn_str_addf(&text, "%s j%d_%d_%d\nR r%d_%d_%d = 1\n",
                            !down && j == MESH / 2 ? "X1" : "1", down, i, j, down, i, j);
                jn_str_addf(&text, "n_%d_%d -> j%d_%d_%d -> n_%d_%d\nj%d_%d_%d -> r%d_%d_%d\n", i,
                            j, down, i, j, k, l, down, i, j, down, i, j);
            }
        }
    jn_str_addf(&text, "n_%d_%d -> c\noutput v = e(n_%d_%d)\n", MESH - 1, MESH - 1, MESH / 2,
                MESH / 2);
    run_write_file(name, text.s, text.len);
    jn_str_clear(&text);
}

static void meshes_are_no_burden_for_one_mode(void)
{
    write_mesh("mesh.hbg");
    outcome o = run("check %s/mesh.hbg", run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    outcome_clear(&o);
    o = run("matrices %s/mesh.hbg", run_folder());
    CU_ASSERT_EQUAL(o.code, 3);
    CU_ASSERT(strstr(o.err, "[terms-limit]") != NULL);
    outcome_clear(&o);
    o = run("analyse --numeric --mode 111111111 %s/mesh.hbg", run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    CU_ASSERT(strstr(o.out, "observable       yes") != NULL);
    outcome_clear(&o);
}

/* A source and a resistor in series with a capacitor: A = (3 - 1)/(r*c). */
#define RC "R r = 1\nC c = 1\n1 j\nu -> j -> c\nj -> r\noutput v = e(c)\n"
#define FEEDBACK "model rc\nSe u = 3*e(c)\n" RC
#define SQUARE "model rc\nSe u = e(c)^2\n" RC
#define INTEGRAL "model rc\nSe u = 2*int(e(c))\n" RC

static void values_are_set(void)
{
    run_write_file("rc.hbg", FEEDBACK, sizeof FEEDBACK - 1);
    outcome o = run("matrices --numeric --set r=5 --set c=2 %s/rc.hbg", run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    CU_ASSERT(strstr(o.out, "  c  1/5\n") != NULL);
    outcome_clear(&o);
    o = run("analyse --mode '' --set r=5 %s/rc.hbg", run_folder());
    CU_ASSERT(strstr(o.out, "with values       s - 2/5\n") != NULL);
    outcome_clear(&o);
    REFUSED(2, "--set r: write NAME=VALUE", "analyse --set r " CHOPPER);
}

static void feedback_of(const char *text, bool included, const char *said, const char *word)
{
    static const char *const command[] = {"matrices", "analyse", "analyse --mode ''",
                                          "matrices --mode ''"};
    run_write_file("rc.hbg", text, strlen(text));
    for (int i = 0; i < 4; i++) {
        outcome o = run("%s %s/rc.hbg", command[i], run_folder());
        CU_ASSERT_EQUAL(o.code, 0);
        CU_ASSERT((strstr(o.err, "[feedback]") == NULL) == included);
        CU_ASSERT(strstr(o.out, said) != NULL);
        outcome_clear(&o);
        o = run("%s --latex %s/rc.hbg", command[i], run_folder());
        CU_ASSERT(strstr(o.out, included ? "E and A include the source" : "The source") != NULL);
        outcome_clear(&o);
        o = run("%s --json %s/rc.hbg", command[i], run_folder());
        CU_ASSERT(strstr(o.out, word) != NULL);
        outcome_clear(&o);
    }
}

static void feedback_is_told(void)
{
    feedback_of(FEEDBACK, true, "E and A include the source u = 3*e(c); it is no input.",
                "\"feedback\": {\"u\": \"included\"}");
    feedback_of(SQUARE, false, "The source u = e(c)^2 reads the model, but not linearly,",
                "\"feedback\": {\"u\": \"left out\"}");
    feedback_of(INTEGRAL, false, "The source u = 2*int(e(c), 0) reads the model, but not linearly,",
                "\"feedback\": {\"u\": \"left out\"}");
    outcome o = run("matrices " CHOPPER);
    CU_ASSERT(strstr(o.err, "[feedback]") == NULL);
    outcome_clear(&o);
}

/* With both switches open the node between them floats, and so does the source that follows it. */
static void floating_feedback_is_singular(void)
{
    static const char text[] =
        "model open\nSe V = 2\nSe W = e(n)\nR r = 1\nI L = 1\nI M = 1\nX1 s\n"
        "X1 k\n0 n\n1 j\nV -> s -> n -> k -> L\nW -> j -> r\nj -> M\n";
    run_write_file("open.hbg", text, sizeof text - 1);
    outcome o = run("analyse --all --csv %s/open.hbg | grep status", run_folder());
    TEST_TEXT("00,status,,,singular\n01,status,,,ok\n10,status,,,ok\n11,status,,,ok\n", o.out);
    outcome_clear(&o);
    o = run("matrices --mode 00 %s/open.hbg", run_folder());
    CU_ASSERT(strstr(o.out, "the feedback through W has no unique solution") != NULL);
    outcome_clear(&o);
}

static int clean_up(void)
{
    run_remove_folder();
    return 0;
}

void suite_cli(void)
{
    CU_pSuite suite_ = CU_add_suite("cli", NULL, clean_up);
    TEST_ADD(usage_errors_exit_with_2);
    TEST_ADD(wrong_modes_exit_with_2);
    TEST_ADD(options_stand_anywhere);
    TEST_ADD(one_mode_is_told_whole);
    TEST_ADD(help_and_version_exit_with_0);
    TEST_ADD(unreadable_files_are_refused);
    TEST_ADD(wrong_models_exit_with_1);
    TEST_ADD(full_devices_exit_with_3);
    TEST_ADD(files_are_written_whole_or_not_at_all);
    TEST_ADD(a_reader_may_go_away);
    TEST_ADD(check_counts);
    TEST_ADD(latex_has_numbers);
    TEST_ADD(one_mode_is_not_compared);
    TEST_ADD(check_counts_values);
    TEST_ADD(check_says_all_reasons);
    TEST_ADD(check_formats_a_model);
    TEST_ADD(modes_has_truth_tables);
    TEST_ADD(modes_lists_every_mode);
    TEST_ADD(matrices_of_a_mode_are_readable);
    TEST_ADD(a_model_without_switches_has_one_mode);
    TEST_ADD(singular_modes_say_so);
    TEST_ADD(text_fits_the_width);
    TEST_ADD(all_modes_need_force_when_they_are_many);
    TEST_ADD(modes_are_not_enumerated);
    TEST_ADD(csv_has_rows_of_one_length);
    TEST_ADD(latex_is_balanced);
    TEST_ADD(octave_is_a_function_of_the_switches);
    TEST_ADD(octave_names_are_identifiers);
    TEST_ADD(special_values_are_told);
    TEST_ADD(meshes_are_no_burden_for_one_mode);
    TEST_ADD(values_are_set);
    TEST_ADD(feedback_is_told);
    TEST_ADD(floating_feedback_is_singular);
}
