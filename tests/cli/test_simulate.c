/* test_simulate.c: `junct simulate` as a user sees it: options, files, signals, exit codes. Whether
 * the numbers are right is tested elsewhere. */
#include "run.h"

#include <glob.h>
#include <math.h>
#include <signal.h>

#include "junct/base.h"

/* A mass that a unit force accelerates until it is stopped. */
static const char ramp[] = "model ramp\n"
                           "param F = 1\n"
                           "param k = 2*F\n"
                           "Se V = F\n"
                           "I m = 1\n"
                           "X1 s\n"
                           "V -> s -> m\n"
                           "switch s on, off at 1/2\n"
                           "signal twice = k*f(m)\n"
                           "output f = f(m), twice\n"
                           "simulate to 1 every 1/4\n";

/* For ever, with an event every millisecond. */
static const char endless[] = "model endless\n"
                              "Se V = 1\n"
                              "C c = 1\n"
                              "R r = 1\n"
                              "X1 s\n"
                              "V -> s -> c\n"
                              "s -> r\n"
                              "switch s pwm(1/1000, 1/2)\n"
                              "output e(c)\n"
                              "simulate to 1e9 every 1/1000\n";

static const char *write_model(const char *text)
{
    static char path[256];
    run_write_file("m.hbg", text, strlen(text));
    snprintf(path, sizeof path, "%s/m.hbg", run_folder());
    return path;
}

static void refused(int line, int code, const char *said, const char *model, const char *options)
{
    char arguments[1024];
    snprintf(arguments, sizeof arguments, "simulate %s %s", write_model(model), options);
    run_refused(__FILE__, line, code, said, arguments);
}
#define SIMULATE_REFUSED(code, said, options) refused(__LINE__, (code), (said), ramp, (options))

static int count_files(const char *pattern)
{
    char path[256];
    glob_t found;
    snprintf(path, sizeof path, "%s/%s", run_folder(), pattern);
    int n = glob(path, 0, NULL, &found) == 0 ? (int)found.gl_pathc : 0;
    globfree(&found);
    return n;
}

static char *read_result(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", run_folder(), name);
    return test_read_file(path);
}

/* Compares traces with every number rounded to nine decimals. */
static void equal_rounded(const char *expected, const char *got, int line)
{
    char *text = malloc(2 * strlen(got) + 1), *out = text;
    if (!text)
        abort();
    for (const char *s = got; *s;) {
        size_t length = strcspn(s, ",\n");
        bool number = memchr(s, '.', length) && strspn(s, "0123456789+-.e") == length;
        if (number)
            out += sprintf(out, "%.9g", rint(strtod(s, NULL) * 1e9) / 1e9);
        else
            out += sprintf(out, "%.*s", (int)length, s);
        s += length;
        if (*s)
            *out++ = *s++;
    }
    *out = 0;
    test_equal_text(expected, text, __FILE__, line);
    free(text);
}
#define TEST_ROWS(expected, got) equal_rounded((expected), (got), __LINE__)

/* ---- usage --------------------------------------------------------------------------------- */

static void wrong_options_exit_with_2(void)
{
    SIMULATE_REFUSED(2, "--to x: this is not a number", "--to x");
    SIMULATE_REFUSED(2, "--to 0: it must be positive", "--to 0");
    SIMULATE_REFUSED(2, "--every -1/2: it must be positive", "--every -1/2");
    SIMULATE_REFUSED(2, "--method exat: did you mean 'exact'?", "--method exat");
    SIMULATE_REFUSED(2, "the methods are auto, exact, radau", "--method x");
    SIMULATE_REFUSED(2, "cannot both go to standard output", "--events -");
    SIMULATE_REFUSED(2, "'--plot-only' belongs to '--plot'", "--plot-only f");
    SIMULATE_REFUSED(2, "no output 'twcie' to be plotted; did you mean 'twice'?",
                     "--plot /dev/null --plot-only twcie");
    SIMULATE_REFUSED(2, "option '--to' is given twice", "--to 1 --to 2");
}

static void wrong_values_exit_with_2(void)
{
    SIMULATE_REFUSED(2, "--set V: write NAME=VALUE", "--set V");
    SIMULATE_REFUSED(2, "'1/0' is not a number", "--set m=1/0");
    SIMULATE_REFUSED(2, "no parameter or element speed", "--set speed=1");
    SIMULATE_REFUSED(2, "no parameter or element M; did you mean 'm'?", "--set M=1");
    SIMULATE_REFUSED(2, "then I m is zero", "--set m=0");
    SIMULATE_REFUSED(2, "s has no number of its own", "--set s=1");
}

static void times_must_be_known(void)
{
    static const char text[] = "model m\nSe V = 1\nI m = 1\nV -> m\n";
    refused(__LINE__, 2, "the end of the run is not known: give --to", text, "");
}

/* A thousand rows where nobody says how many, at the times one would write. */
static void without_a_step_there_are_a_thousand_rows(void)
{
    static const char *const end[] = {"simulate to 3/10", "", "simulate to 3 every 1/7"},
                             *const options[] = {"", "--to 0.3", "--to 0.3 --every 3/10000"};
    for (int i = 0; i < 3; i++) {
        char text[100];
        snprintf(text, sizeof text, "model m\nSe V = 1\nI m = 1\nV -> m\n%s\n", end[i]);
        outcome o = run("simulate %s -q %s", write_model(text), options[i]);
        CU_ASSERT_EQUAL(o.code, 0);
        int rows = 0;
        for (const char *c = o.out; *c; c++)
            rows += *c == '\n';
        CU_ASSERT_EQUAL(rows, 1 + 1001);
        CU_ASSERT_PTR_NOT_NULL(strstr(o.out, "\n0.0009,,"));
        outcome_clear(&o);
    }
    outcome o = run("simulate %s -q",
                    write_model("model m\nSe V = 1\nI m = 1\nV -> m\nsimulate to 2*pi\n"));
    CU_ASSERT_EQUAL(o.code, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(o.out, "\n6.283185307179586,,"));
    outcome_clear(&o);
}

static void missing_values_exit_with_1(void)
{
    static const char text[] = "model m\nSe V = 1\nI m\nV -> m\nsimulate to 1 every 1\n";
    refused(__LINE__, 1, "'m' has no value", text, "");
    outcome o = run("simulate %s -q --set m=2", write_model(text));
    CU_ASSERT_EQUAL(o.code, 0);
    TEST_ROWS("t,mode,p(m)\n0,,0\n1,,1\n", o.out);
    outcome_clear(&o);
}

/* ---- traces -------------------------------------------------------------------------------- */

static void events_have_two_rows(void)
{
    outcome o = run("simulate %s", write_model(ramp));
    CU_ASSERT_EQUAL(o.code, 0);
    TEST_ROWS("t,mode,f,twice\n"
              "0,1,0,0\n"
              "0.25,1,0.25,0.5\n"
              "0.5,1,0.5,1\n"
              "0.5,0,0,0\n"
              "0.75,0,0,0\n"
              "1,0,0,0\n",
              o.out);
    CU_ASSERT(strstr(o.err, "ramp: t = 1, 6 rows, 1 event") != NULL);
    CU_ASSERT(strstr(o.err, "\n  supplied                   0.125\n") != NULL);
    CU_ASSERT(strstr(o.err, "\n  lost in jumps              0.125\n") != NULL);
    CU_ASSERT(strstr(o.err, "\n  residue ") != NULL);
    outcome_clear(&o);
}

static void quiet_says_nothing(void)
{
    outcome o = run("simulate %s --quiet -o %s/q.csv", write_model(ramp), run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    TEST_TEXT("", o.out);
    TEST_TEXT("", o.err);
    outcome_clear(&o);
}

/* Three tenths are not 0.30000000000000004, and the end is a row even if no step leads there. */
static void times_are_computed_not_summed(void)
{
    outcome o = run("simulate %s -q --to 1.05 --every 1/10 | cut -d, -f1 | uniq | tr '\\n' ' '",
                    write_model(ramp));
    TEST_TEXT("t 0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1 1.05 ", o.out);
    outcome_clear(&o);
}

static void values_can_be_set(void)
{
    outcome o = run("simulate %s -q --to 1/4 --set F=3 --set m=3/2 | tail -n 1", write_model(ramp));
    TEST_ROWS("0.25,1,0.5,3\n", o.out); /* f = 3/(3/2)/4, and k = 2·F follows */
    outcome_clear(&o);
    o = run("simulate %s -q --to 1/4 --set V=-1e0 | tail -n 1", write_model(ramp));
    TEST_ROWS("0.25,1,-0.25,-0.5\n", o.out);
    outcome_clear(&o);
}

static void every_file_is_written(void)
{
    outcome o = run("simulate %s -o %s/x.npy --events %s/e.csv --plot %s/p.svg --plot-only f",
                    write_model(ramp), run_folder(), run_folder(), run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    TEST_TEXT("", o.out);
    outcome_clear(&o);
    char *events = read_result("e.csv"), *npy = read_result("x.npy"), *svg = read_result("p.svg");
    CU_ASSERT_EQUAL(memcmp(npy, "\x93NUMPY", 6), 0);
    CU_ASSERT(strstr(npy + 10, "('twice', '<f8')], 'fortran_order': False, 'shape': (6,), }") !=
              NULL);
    CU_ASSERT(strstr(events, "t,kind,from,to,switches,via,cause,impulse areas,energy lost\n") ==
              events);
    CU_ASSERT(strstr(events, "\n0,start,") != NULL);
    CU_ASSERT(strstr(events, "\n0.5,time,1,0,s=0,") != NULL);
    const char *lost = strrchr(events, ',');
    CU_ASSERT_DOUBLE_EQUAL(strtod(lost ? lost + 1 : "", NULL), 0.125, 1e-12);
    CU_ASSERT(strstr(svg, "</svg>") != NULL);
    CU_ASSERT_EQUAL(count_files("x.npy*") + count_files("e.csv*") + count_files("p.svg*"), 3);
    free(events);
    free(npy);
    free(svg);
}

/* ---- sequences ----------------------------------------------------------------------------- */

static const char two_switches[] = "model two\n"
                                   "Se V = 1\nSe G = 0\nI m = 1\n0 n\nX1 a\nX1 b\n"
                                   "V -> a -> n\nG -> b -> n\nn -> m\n"
                                   "switch a on\nswitch b off\n"
                                   "output f = f(m)\nsimulate to 1 every 1/2\n";

static void sequence_refused(int line, const char *said, const char *sequence)
{
    char arguments[1024];
    run_write_file("seq.csv", sequence, strlen(sequence));
    snprintf(arguments, sizeof arguments, "simulate %s --sequence %s/seq.csv",
             write_model(two_switches), run_folder());
    run_refused(__FILE__, line, 1, said, arguments);
}
#define SEQUENCE_REFUSED(said, sequence) sequence_refused(__LINE__, (said), (sequence))

static void wrong_sequences_are_refused(void)
{
    SEQUENCE_REFUSED("seq.csv:3:5: error: mode 11 is forbidden: G = V", "t,a,b\n0,1,0\n0.5,1,1\n");
    SEQUENCE_REFUSED("seq.csv:2:5: error: '2' is neither 0 nor 1", "t,a,b\n0,1,2\n");
    SEQUENCE_REFUSED("seq.csv:1:5: error: 'c' is no switch of the model", "t,a,c\n0,1,0\n");
    SEQUENCE_REFUSED("seq.csv:1:1: error: there is no column 'b'", "t,a\n0,1\n");
    SEQUENCE_REFUSED("seq.csv:1:1: error: there is no column 't'", "a,b\n0,1\n");
    SEQUENCE_REFUSED("seq.csv:3:1: error: 0 after 0.5", "t,a,b\n0.5,1,0\n0,0,0\n");
    SEQUENCE_REFUSED("seq.csv:2:1: error: a run begins at t = 0, but this is -1",
                     "t,a,b\n-1,1,0\n");
    SEQUENCE_REFUSED("seq.csv:3:1: error: this row has 2 fields", "t,a,b\n0,1,0\n1,0\n");
    refused(__LINE__, 2, "cannot read no-such.csv", two_switches, "--sequence no-such.csv");
    refused(__LINE__, 2, "the model has no switches",
            "model m\nSe V = 1\nI m = 1\nV -> m\nsimulate to 1 every 1\n", "--sequence x.csv");
}

/* The model is never what a run writes. */
static void models_are_not_overwritten(void)
{
    static const char *const options[] = {"-o", "--events", "--plot"};
    for (int i = 0; i < 3; i++) {
        const char *path = write_model(ramp);
        outcome o = run("simulate %s %s %s/./m.hbg", path, options[i], run_folder());
        CU_ASSERT_EQUAL(o.code, 2);
        CU_ASSERT(strstr(o.err, "is the model itself: choose another output") != NULL);
        char *text = read_result("m.hbg");
        TEST_TEXT(ramp, text);
        free(text);
        outcome_clear(&o);
    }
}

static void undetermined_outputs_are_said(void)
{
    static const char floating[] = "model m\nSe u = 1\n0 a\n0 b\nX1 s\nR r = 1\n"
                                   "u -> a -> s -> b\na -> r\n"
                                   "switch s on, off at 1\noutput v = e(b)\n"
                                   "simulate to 2 every 1\n";
    outcome o = run("simulate %s", write_model(floating));
    CU_ASSERT_EQUAL(o.code, 0);
    TEST_TEXT("t,mode,v\n0,1,1\n1,1,1\n1,0,1\n2,0,1\n", o.out);
    CU_ASSERT(strstr(o.err, "Nothing determines e(b): taken as shared evenly, first in mode 0 at "
                            "t = 1 (--strict stops there).") != NULL);
    outcome_clear(&o);
    o = run("simulate %s -q --strict", write_model(floating));
    CU_ASSERT_EQUAL(o.code, 3);
    CU_ASSERT(strstr(o.err, "the output 'v' has no value at t = 1 in mode 0") != NULL);
    outcome_clear(&o);
}

static void what_does_nothing_is_said(void)
{
    outcome o = run("simulate %s -q --rtol 1e-3", write_model(ramp));
    CU_ASSERT_EQUAL(o.code, 0);
    CU_ASSERT(strstr(o.err, "--rtol changes nothing: the model is followed exactly\n") != NULL);
    outcome_clear(&o);
    const char *still = "model m\nSe u = 1\nR r = 1\nX1 s\nu -> s -> r\nsimulate to 1 every 1\n";
    o = run("simulate %s -q", write_model(still));
    CU_ASSERT_EQUAL(o.code, 0);
    CU_ASSERT(strstr(o.err, "m.hbg:4:4: warning: nothing switches 's': it stays ON") != NULL);
    outcome_clear(&o);
}

static void sequences_are_played(void)
{
    static const char sequence[] = "t,b,a\n0,0,1\n0.5,1,0\n";
    run_write_file("seq.csv", sequence, strlen(sequence));
    outcome o =
        run("simulate %s -q --sequence %s/seq.csv", write_model(two_switches), run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    TEST_ROWS("t,mode,f\n0,10,0\n0.5,10,0.5\n0.5,01,0.5\n1,01,0.5\n", o.out);
    outcome_clear(&o);
}

/* Two diodes of equal drops share (5 - 0.7)/(1 + 1) evenly, whether their automata or a sequence closes them; of drops
 * that differ, no sequence can close both. */
static void a_sequence_plays_what_a_run_lasts_in(void)
{
    static const char parallel[] =
        "model par\nSe V = 5\nR r = 1\n0 n\n0 m\n1 j\nR load = 1\nX1 d1\nX1 d2\nV -> j -> n\n"
        "j -> r\nn -> d1 -> m\nn -> d2 -> m\nm -> load\nswitch d1 diode(0.7)\n"
        "switch d2 diode(%s)\noutput f(d1), f(d2)\nsimulate to 1 every 1\n";
    static const char sequence[] = "t,d1,d2\n0,1,1\n";
    char equal[600], other[600];
    snprintf(equal, sizeof equal, parallel, "7/10");
    snprintf(other, sizeof other, parallel, "4/5");
    run_write_file("seq.csv", sequence, strlen(sequence));
    outcome o = run("simulate %s -q --sequence %s/seq.csv", write_model(equal), run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    TEST_ROWS("t,mode,f(d1),f(d2)\n0,11,1.075,1.075\n1,11,1.075,1.075\n", o.out);
    outcome_clear(&o);
    snprintf(equal, sizeof equal, "--sequence %s/seq.csv", run_folder());
    refused(__LINE__, 1, "mode 11 is forbidden", other, equal);
}

/* 144 switches, each of which can join two of 24 nodes: the form of all modes would not end. Only the modes
 * of the sequence are asked for. */
static void a_sequence_asks_for_its_own_modes(void)
{
    static const char converter[] =
        "model m\nfor i in 1..12 {\n  Se V[i] = i\n  0 in[i]\n  V[i] -> in[i]\n  0 out[i]\n"
        "  1 load[i]\n  I L[i] = 1\n  R r[i] = 1\n  out[i] -> load[i] -> L[i]\n"
        "  load[i] -> r[i]\n}\n"
        "for i in 1..12 { for j in 1..12 {\n  X1 s[i*13 + j]\n"
        "  in[i] -> s[i*13 + j] -> out[j]\n} }\n"
        "output f = f(L[1])\nsimulate to 1 every 1\n";
    jn_str sequence;
    jn_str_init(&sequence);
    jn_str_add(&sequence, "t");
    for (int k = 0; k < 144; k++)
        jn_str_addf(&sequence, ",\"s[%d]\"", 13 * (k / 12 + 1) + k % 12 + 1);
    jn_str_add(&sequence, "\n0");
    for (int k = 0; k < 144; k++)
        jn_str_add(&sequence, k / 12 == k % 12 ? ",1" : ",0");
    jn_str_add(&sequence, "\n");
    run_write_file("seq.csv", sequence.s, sequence.len);
    outcome o = run("simulate %s -q --mode-columns --sequence %s/seq.csv", write_model(converter),
                    run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    CU_ASSERT(strstr(o.out, ",0.6321205588285577\n") != NULL); /* 1 - 1/e */
    outcome_clear(&o);
    jn_str_clear(&sequence);
}

static void wrong_tables_are_refused(void)
{
    static const char text[] = "model m\nSe V = table(\"v.csv\", \"v\")\nI m = 1\nV -> m\n"
                               "simulate to 1 every 1\n";
    refused(__LINE__, 2, "/v.csv: No such file or directory", text, "");
    run_write_file("v.csv", "t,v\n0,1\n1,x\n", 12);
    refused(__LINE__, 1, "/v.csv:3:3: error: 'x' is not a number", text, "");
    run_write_file("v.csv", "t,u\n0,1\n1,2\n", 12);
    refused(__LINE__, 1, "/v.csv:1:1: error: there is no column 'v'", text, "");
}

/* As in a model; a unit that is none of time is none here. */
static void times_may_have_units(void)
{
    static const char *const options[] = {"--to 1/2 --every 1/8", "--to 500ms --every '125 ms'",
                                          "--to '0.5 s' --every 125000us",
                                          "--to 500m --every 125m"};
    outcome first = run("simulate %s -q %s", write_model(ramp), options[0]);
    CU_ASSERT_EQUAL(first.code, 0);
    for (int i = 1; i < 4; i++) {
        outcome o = run("simulate %s -q %s", write_model(ramp), options[i]);
        TEST_TEXT(first.out, o.out);
        outcome_clear(&o);
    }
    outcome_clear(&first);
    SIMULATE_REFUSED(2, "--to 5mV: this is not a number; a time is written 5m, 1/200 or 5ms",
                     "--to 5mV");
    SIMULATE_REFUSED(2, "--rtol 1s: this is not a number", "--rtol 1s");
    SIMULATE_REFUSED(2, "--to -5m: it must be positive", "--to=-5m");
}

/* A stop tells its time once, and a time that is another one stays. */
static void a_stop_tells_its_time_once(void)
{
    static const char model[] = "Se V = 1\nR r = 1\nC c = 1\n1 j\nV -> j -> r\nj -> c\n"
                                "assert e(c) < 1/2 \"%s\"\nsimulate to 1\n";
    static const char *const said[][2] = {
        {"half", "m: stopped at t = 0.693147180559945: the assert \"half\" does not hold\n"},
        {"at t = 3",
         "m: stopped at t = 0.693147180559945: the assert \"at t = 3\" does not hold\n"}};
    char text[256];
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text, model, said[i][0]);
        outcome o = run("simulate %s -q -o %s/s.csv", write_model(text), run_folder());
        CU_ASSERT_EQUAL(o.code, 3);
        TEST_TEXT(said[i][1], o.err + strlen("junct: "));
        outcome_clear(&o);
    }
}

/* ---- early ends ---------------------------------------------------------------------------- */

/* The last line of a trace is whole: it has all its columns and its end. */
static void check_whole(const char *text, int commas)
{
    size_t length = strlen(text);
    CU_ASSERT(length > 1 && text[length - 1] == '\n');
    int n = 0;
    for (const char *s = text + length - 1; s-- > text && *s != '\n';)
        n += *s == ',';
    CU_ASSERT_EQUAL(n, commas);
}

static void ended_by(const int *signals, int ignored, const char *name)
{
    outcome o = run_and_signal("long_events.csv.*", signals, ignored,
                               "simulate %s -o %s/long.csv --events %s/long_events.csv",
                               write_model(endless), run_folder(), run_folder());
    CU_ASSERT_EQUAL(o.code, 3);
    CU_ASSERT(strstr(o.err, "junct: endless: stopped at t = ") != NULL);
    CU_ASSERT(strstr(o.err, name) != NULL);
    CU_ASSERT(strstr(o.err, "\n  supplied ") != NULL);
    CU_ASSERT_EQUAL(count_files("long*"), 2);
    char *trace = read_result("long.csv"), *events = read_result("long_events.csv");
    check_whole(trace, 2);
    CU_ASSERT(strncmp(trace, "t,mode,", 7) == 0);
    CU_ASSERT(strstr(events, "\n0.0005,time,1,0,") != NULL);
    free(trace);
    free(events);
    outcome_clear(&o);
}

/* Also when one request comes as two signals, as from timeout(1). */
static void signals_end_a_run_in_order(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    static const char *const names[] = {"SIGINT", "SIGTERM", "SIGHUP"};
    for (int i = 0; i < 3; i++) {
        ended_by((int[]){ends[i], 0}, 0, names[i]);
        ended_by((int[]){ends[i], ends[i], ends[i], 0}, 0, names[i]);
    }
    ended_by((int[]){SIGINT, SIGTERM, SIGHUP, 0}, 0, "(SIG"); /* whichever comes first */
}

static void ignored_signals_stay_so(void)
{
    ended_by((int[]){SIGHUP, SIGTERM, 0}, SIGHUP, "SIGTERM");
    ended_by((int[]){SIGINT, SIGTERM, 0}, SIGINT, "SIGTERM");
}

static void full_disks_exit_with_3(void)
{
    SIMULATE_REFUSED(3, "cannot write /dev/full: No space left on device", "-o /dev/full");
    SIMULATE_REFUSED(3, "cannot write standard output: No space left on device", ">/dev/full");
    SIMULATE_REFUSED(3, "cannot write /dev/full: No space left on device",
                     "-o /dev/null --events /dev/full");
    SIMULATE_REFUSED(3, "cannot write /dev/full", "-o /dev/null --plot /dev/full");
    SIMULATE_REFUSED(3, "cannot write no-such-folder/x.csv", "-o no-such-folder/x.csv");
}

/* A file that cannot grow is not called done; what has been written is kept aside. */
static void limits_of_files_are_noticed(void)
{
    outcome o = run("version >/dev/null; ulimit -f 4096; '%s' simulate %s -o %s/big.csv",
                    getenv("JUNCT"), write_model(endless), run_folder());
    CU_ASSERT_EQUAL(o.code, 3);
    CU_ASSERT(strstr(o.err, "big.csv: File too large; what could be written is in ") != NULL);
    CU_ASSERT_EQUAL(count_files("big.csv"), 0);
    CU_ASSERT_EQUAL(count_files("big.csv.*"), 1);
    outcome_clear(&o);
}

static void a_reader_may_go_away(void)
{
    outcome o = run("simulate %s -q | head -n 2", write_model(endless));
    TEST_TEXT("t,mode,e(c)\n0,1,0\n", o.out);
    TEST_TEXT("", o.err);
    outcome_clear(&o);
}

static void an_integrand_that_is_not_linear_is_pointed_at(void)
{
    static const char text[] = "model m\nSe u = 1\nI L = 1\nu -> L\n"
                               "signal y = int(f(L)^2, 0)\noutput y\nsimulate to 1 every 1\n";
    run_write_file("square.hbg", text, sizeof text - 1);
    outcome o = run("simulate --method exact %s/square.hbg", run_folder());
    CU_ASSERT_EQUAL(o.code, 1);
    CU_ASSERT(strstr(o.err, "square.hbg:5:16: error: this is an integral of") != NULL);
    outcome_clear(&o);
}

static int clean_up(void)
{
    run_remove_folder();
    return 0;
}

/* A mode that counts for no time before the run has begun: there is no row to show it in. */
static void a_run_may_begin_with_a_pinnacle(void)
{
    static const char text[] = "model p\nSe V = 1\nI L = 1\nX1 s\nV -> s -> L\n"
                               "switch s off, on when prior(f(L)) < 1\nsimulate to 1 every 1\n";
    run_write_file("begin.hbg", text, sizeof text - 1);
    outcome o = run("simulate -q --pinnacles '%s/begin.hbg' -o -", run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    CU_ASSERT(strncmp(o.out, "t,mode,p(L)\n0,1,0\n1,1,", 22) == 0);
    outcome_clear(&o);
    /* and a second instant at that time may have some */
    static const char again[] = "model m\n1 j2\n1 j3\nj2 -> j3\nR r4 = 1e9\nb5: j3 -> r4\nC c6 = "
                                "1\nj2 -> c6\nC c7 = 3, q0 = 7\nj2 -> c7\n"
                                "switch y8 off, on when t >= 8/5 or (t)^2 >= int(e(b5)), off when "
                                "t >= 1/3 or prior(f(c6)) < 3\n"
                                "output v = e(c7)\nsimulate to 1 every 1/10\n";
    run_write_file("again.hbg", again, sizeof again - 1);
    o = run("simulate -q --pinnacles '%s/again.hbg' -o -", run_folder());
    CU_ASSERT_EQUAL(o.code, 1); /* its switch changes for ever there */
    CU_ASSERT(strstr(o.err, "the run cannot start") != NULL);
    outcome_clear(&o);
}

/* The rows of examples/pinnacle.hbg at t = 1, by conservation: a bounce leaves 0.6 of the speed; the relief
 * valve joins a mass of 1/100 at rest to the piston's mass of 1; the momentum that the shut cylinder would have
 * to take says whether there is one more bounce. */
static void put_bounces(jn_str *rows)
{
    const double mass = 1, oil = 0.01;
    double speed = 4;
    jn_str_addf(rows, "1,100,%.9g,0\n", speed);
    while (mass * speed > 0.25) {
        speed *= 0.6;
        jn_str_addf(rows, "1,001,%.9g,0\n", speed);
        if (speed > 0.375) {
            speed *= mass / (mass + oil);
            jn_str_addf(rows, "1,010,%.9g,%.9g\n", speed, speed);
        }
    }
    jn_str_addf(rows, "1,000,0,0\n");
}

/* Two masses stick until the second has a speed of 1: momentum 4 stays, and no row says 2 and 2. */
static void a_jump_that_is_cut_short_has_no_row(void)
{
    static const char *text =
        "I a = 1, f0 = 4\nI b = 1\n1 ja\n1 jb\nX0 c\nja -> a\nja -> c -> jb -> b\n"
        "automaton c {\nopen off initial\nclosed on\ntorn off\nopen -> closed when t >= 1\n"
        "closed -> torn when within(f(b)) >= 1\n}\noutput va = f(a), vb = f(b)\n"
        "simulate to 2 every 2\n";
    for (int method = 0; method < 2; method++) {
        outcome o = run("simulate %s -q --pinnacles --method %s", write_model(text),
                        method ? "radau" : "exact");
        CU_ASSERT_EQUAL(o.code, 0);
        TEST_ROWS("t,mode,va,vb\n0,0,4,0\n1,0,4,0\n1,0,3,1\n2,0,3,1\n", o.out);
        outcome_clear(&o);
    }
}

static void each_pinnacle_has_a_row(void)
{
    jn_str rows, two;
    jn_str_init(&rows);
    jn_str_init(&two);
    jn_str_addf(&two, "t,mode,velocity,relief\n0,100,4,0\n1,100,4,0\n1,000,0,0\n2,000,0,0\n");
    jn_str_addf(&rows, "t,mode,velocity,relief\n0,100,4,0\n");
    put_bounces(&rows);
    jn_str_addf(&rows, "2,000,0,0\n");
    for (int method = 0; method < 2; method++) {
        const char *name = method ? "radau" : "exact";
        outcome o =
            run("simulate examples/pinnacle.hbg --every 2 -q --pinnacles --method %s", name);
        CU_ASSERT_EQUAL(o.code, 0);
        TEST_ROWS(jn_str_c(&rows), o.out);
        outcome_clear(&o);
        o = run("simulate examples/pinnacle.hbg --every 2 -q --method %s", name);
        TEST_ROWS(jn_str_c(&two), o.out);
        outcome_clear(&o);
    }
    jn_str_clear(&rows);
    jn_str_clear(&two);
}

/* Several diodes turn at one instant, one after the other: each event comes from where the one before led. */
static void events_at_one_instant_follow_each_other(void)
{
    outcome o =
        run("simulate tests/sim/cases/diodes_charge_resonantly.hbg --to 2.8 --every 2.8 -q");
    jn_str modes;
    jn_str_init(&modes);
    CU_ASSERT_EQUAL(o.code, 0);
    for (const char *at = strchr(o.out, '\n'); at && at[1]; at = strchr(at + 1, '\n')) {
        const char *mode = strchr(at, ',');
        jn_str_addf(&modes, "%.3s ", mode ? mode + 1 : "");
    }
    TEST_TEXT("100 100 110 010 011 011 ", jn_str_c(&modes));
    jn_str_clear(&modes);
    outcome_clear(&o);
}

void suite_simulate(void)
{
    CU_pSuite suite_ = CU_add_suite("simulate", NULL, clean_up);
    TEST_ADD(wrong_options_exit_with_2);
    TEST_ADD(wrong_values_exit_with_2);
    TEST_ADD(times_must_be_known);
    TEST_ADD(without_a_step_there_are_a_thousand_rows);
    TEST_ADD(missing_values_exit_with_1);
    TEST_ADD(events_have_two_rows);
    TEST_ADD(quiet_says_nothing);
    TEST_ADD(times_are_computed_not_summed);
    TEST_ADD(values_can_be_set);
    TEST_ADD(every_file_is_written);
    TEST_ADD(wrong_sequences_are_refused);
    TEST_ADD(sequences_are_played);
    TEST_ADD(a_sequence_plays_what_a_run_lasts_in);
    TEST_ADD(a_sequence_asks_for_its_own_modes);
    TEST_ADD(what_does_nothing_is_said);
    TEST_ADD(models_are_not_overwritten);
    TEST_ADD(undetermined_outputs_are_said);
    TEST_ADD(wrong_tables_are_refused);
    TEST_ADD(times_may_have_units);
    TEST_ADD(a_stop_tells_its_time_once);
    TEST_ADD(signals_end_a_run_in_order);
    TEST_ADD(ignored_signals_stay_so);
    TEST_ADD(full_disks_exit_with_3);
    TEST_ADD(limits_of_files_are_noticed);
    TEST_ADD(a_reader_may_go_away);
    TEST_ADD(a_run_may_begin_with_a_pinnacle);
    TEST_ADD(each_pinnacle_has_a_row);
    TEST_ADD(events_at_one_instant_follow_each_other);
    TEST_ADD(a_jump_that_is_cut_short_has_no_row);
    TEST_ADD(an_integrand_that_is_not_linear_is_pointed_at);
}
