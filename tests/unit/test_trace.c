/* test_trace.c: shortest decimals, and the files of a run, read back. */
#include "testing.h"

#include <glob.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "junct/csv.h"
#include "junct/trace.h"

/* ---- decimals ------------------------------------------------------------------------------ */

static void print(char out[JN_DECIMAL_MAX + 1], const jn_decimals *p, double x)
{
    int n = jn_decimals_print(out, p, x);
    CU_ASSERT(n > 0 && n <= JN_DECIMAL_MAX);
    out[n] = 0;
}

static void known_numbers_print_as_known(void)
{
    static const struct {
        double x;
        const char *text;
    } known[] = {
        {0, "0"},
        {-0.0, "-0"},
        {1, "1"},
        {-1, "-1"},
        {100, "100"},
        {0.1, "0.1"},
        {0.3, "0.3"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1e-5, "0.00001"},
        {1.5e-6, "1.5e-6"},
        {123456.789, "123456.789"},
        {1e16, "10000000000000000"},
        {1e17, "1e17"},
        {1e22, "1e22"},
        {1e23, "1e23"},
        {9007199254740992.0, "9007199254740992"},
        {5e-324, "5e-324"},
        {2.2250738585072014e-308, "2.2250738585072014e-308"},
        {2.225073858507201e-308, "2.225073858507201e-308"},
        {1.7976931348623157e308, "1.7976931348623157e308"},
        {-1e-100, "-1e-100"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        {NAN, "nan"},
    };
    jn_decimals *p = jn_decimals_new();
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char text[JN_DECIMAL_MAX + 1];
        print(text, p, isnan(known[i].x) ? fabs(known[i].x) : known[i].x);
        TEST_TEXT(known[i].text, text);
    }
    jn_decimals_free(p);
}

/* Any bits; subnormal numbers; powers of two; short decimals; times k·DT. */
static double random_double(test_rng *r, int kind)
{
    uint64_t bits = test_rng_next(r);
    double x;
    if (kind == 1)
        bits &= ~((uint64_t)0x7FF << 52);
    if (kind == 2)
        bits &= (uint64_t)0xFFF << 52;
    memcpy(&x, &bits, sizeof x);
    if (kind == 3)
        x = (double)(bits % 1000000) / pow(10, (double)test_rng_int(r, 0, 20));
    if (kind == 4)
        x = (double)(bits % 100000000) * 1e-5;
    return x;
}

/* Digits between the first and the last that are not zero. */
static int significant(const char *text)
{
    int n = 0, zeros = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text < '0' || *text > '9')
            continue;
        zeros = *text == '0' ? zeros + (n > 0) : 0;
        n += n > 0 || *text != '0';
    }
    return n - zeros;
}

/* The fewest digits that the C library needs; %.*g is rounded correctly there. */
static int fewest_digits(char text[64], double x)
{
    int digits = 0;
    do
        snprintf(text, 64, "%.*g", ++digits, x);
    while (digits < 17 && strtod(text, NULL) != x);
    return significant(text);
}

static void decimals_read_back_exactly(void)
{
    enum { COUNT = 1000000 };
    jn_decimals *p = jn_decimals_new();
    test_rng rng = test_rng_new(47);
    int wrong = 0;
    for (int i = 0; i < COUNT && wrong < 5; i++) {
        double x = random_double(&rng, i % 5);
        if (!isfinite(x))
            continue;
        char text[JN_DECIMAL_MAX + 1], *end;
        print(text, p, x);
        double back = strtod(text, &end);
        if (memcmp(&x, &back, sizeof x) != 0 || *end) {
            printf("\n%a printed as %s\n", x, text);
            wrong++;
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
    jn_decimals_free(p);
}

/* As few digits as can be, and of those the nearest: no other is as short and nearer, which is what
 * the library prints with that many digits. */
static void decimals_are_shortest_and_nearest(void)
{
    enum { COUNT = 60000 };
    jn_decimals *p = jn_decimals_new();
    test_rng rng = test_rng_new(48);
    int wrong = 0;
    for (int i = 0; i < COUNT && wrong < 5; i++) {
        double x = random_double(&rng, i % 5);
        if (!isfinite(x) || x == 0)
            continue;
        char text[JN_DECIMAL_MAX + 1], library[64], same[64];
        print(text, p, x);
        int digits = significant(text);
        bool shortest = digits <= fewest_digits(library, x);
        snprintf(same, sizeof same, "%.*g", digits, x);
        /* At a power of two the nearest of so many digits may lie beyond the nearer end. */
        bool nearest = strtod(same, NULL) != x || strtold(same, NULL) == strtold(text, NULL);
        if (!shortest || !nearest) {
            printf("\n%a printed as %s, the library prints %s\n", x, text, same);
            wrong++;
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
    jn_decimals_free(p);
}

/* ---- files --------------------------------------------------------------------------------- */

static char folder[] = "/tmp/junct-trace-XXXXXX";

/* In one buffer: until the next call. */
static const char *in_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int make_folder(void)
{
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    int failed = system(command);
    strcpy(folder, "/tmp/junct-trace-XXXXXX");
    return failed;
}

static int count_files(void)
{
    glob_t found;
    char pattern[64];
    snprintf(pattern, sizeof pattern, "%s/*", folder);
    int n = glob(pattern, 0, NULL, &found) == 0 ? (int)found.gl_pathc : 0;
    globfree(&found);
    return n;
}

static const char *const switches[] = {"s", "d"}, *const values[] = {"v", "i"};
static const jn_columns columns = {2, switches, 2, values, false};

/* Row k of the trace that is written and read back. */
static double value_at(int k, int column)
{
    return column == 0 ? k / 10.0 : column == 1 ? sin(k) : -1e-300 * k;
}

static void write_rows(jn_trace *t, int rows)
{
    for (int k = 0; k < rows; k++) {
        const jn_onoff mode[] = {k % 2, k % 3 == 0};
        const double value[] = {value_at(k, 1), value_at(k, 2)};
        CU_ASSERT(jn_trace_row(t, value_at(k, 0), mode, value));
    }
}

static void write_trace(const char *path, int rows)
{
    jn_trace *t;
    jn_str why;
    jn_str_init(&why);
    CU_ASSERT_EQUAL_FATAL(jn_trace_open(&t, path, &columns, &why), JN_OK);
    write_rows(t, rows);
    CU_ASSERT_EQUAL(jn_trace_rows(t), (uint64_t)rows);
    CU_ASSERT_EQUAL(jn_trace_close(t, &why), JN_OK);
    TEST_TEXT("", jn_str_c(&why));
    jn_str_clear(&why);
    CU_ASSERT_EQUAL(count_files(), 1);
}

static void csv_reads_back(void)
{
    enum { ROWS = 40000 }; /* more than the buffer holds */
    jn_arena *a = jn_arena_new();
    jn_diags *d = jn_diags_new();
    const jn_csv *c;
    const double *t, *v, *i;
    const char *path = in_folder("x.csv");
    write_trace(path, ROWS);
    CU_ASSERT_EQUAL_FATAL(jn_csv_read(&c, a, path, d), JN_OK);
    CU_ASSERT_EQUAL_FATAL(c->nrows, ROWS);
    CU_ASSERT_EQUAL_FATAL(jn_csv_ascending(&t, a, c, "t", d), JN_OK);
    CU_ASSERT_EQUAL_FATAL(jn_csv_numbers(&v, a, c, "v", d), JN_OK);
    CU_ASSERT_EQUAL_FATAL(jn_csv_numbers(&i, a, c, "i", d), JN_OK);
    int wrong = 0;
    for (int k = 0; k < ROWS; k++)
        wrong += t[k] != value_at(k, 0) || v[k] != value_at(k, 1) || i[k] != value_at(k, 2);
    CU_ASSERT_EQUAL(wrong, 0);
    TEST_TEXT("01", jn_csv_text(c, 0, 1));
    TEST_TEXT("11", jn_csv_text(c, 3, 1));
    jn_diags_free(d);
    jn_arena_free(a);
    unlink(path);
}

/* The whole file as bytes. */
static unsigned char *read_bytes(const char *path, size_t *length)
{
    struct stat s;
    FILE *f = fopen(path, "rb");
    if (!f || stat(path, &s) != 0)
        abort();
    unsigned char *bytes = malloc((size_t)s.st_size + 1);
    *length = fread(bytes, 1, (size_t)s.st_size, f);
    fclose(f);
    return bytes;
}

/* A number that a column had before is printed as it was then: it has to be the very same. */
static void repeated_numbers_are_told_apart(void)
{
    static const double rows[][3] = {
        {0, 0, 0.1}, {0, -0.0, 0.1}, {0, -0.0, NAN}, {1, 0, NAN}, {1, 0.5, 1}};
    static const char expected[] = "t,mode,v,i\n0,01,0,0.1\n0,01,-0,0.1\n0,01,-0,nan\n"
                                   "1,01,0,nan\n1,01,0.5,1\n";
    const char *path = in_folder("x.csv");
    const jn_onoff mode[] = {false, true};
    jn_trace *t;
    jn_str why;
    size_t length;
    jn_str_init(&why);
    CU_ASSERT_EQUAL_FATAL(jn_trace_open(&t, path, &columns, &why), JN_OK);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        CU_ASSERT(jn_trace_row(t, rows[k][0], mode, rows[k] + 1));
    CU_ASSERT_EQUAL(jn_trace_close(t, &why), JN_OK);
    jn_str_clear(&why);
    char *text = (char *)read_bytes(path, &length);
    text[length] = 0;
    TEST_TEXT(expected, text);
    free(text);
    unlink(path);
}

/* As NumPy's format description says: magic, version, length of the description, a multiple of 64.
 */
static void npy_is_as_numpy_wants_it(void)
{
    enum { ROWS = 3, RECORD = 8 + 2 + 8 + 8 };
    const char *path = in_folder("x.npy");
    size_t length;
    write_trace(path, ROWS);
    unsigned char *bytes = read_bytes(path, &length);
    CU_ASSERT_EQUAL(memcmp(bytes, "\x93NUMPY\x01\x00", 8), 0);
    size_t header = 10 + bytes[8] + 256u * bytes[9];
    CU_ASSERT_EQUAL(header % 64, 0);
    CU_ASSERT_EQUAL_FATAL(length, header + ROWS * RECORD);
    CU_ASSERT_EQUAL(bytes[header - 1], '\n');
    bytes[header - 1] = 0;
    const char *text = (const char *)bytes + 10;
    const char *expected = "{'descr': [('t', '<f8'), ('mode', '|S2'), ('v', '<f8'), ('i', '<f8')], "
                           "'fortran_order': False, 'shape': (3,), }";
    CU_ASSERT_EQUAL(strncmp(text, expected, strlen(expected)), 0);
    CU_ASSERT_EQUAL(strspn(text + strlen(expected), " "), strlen(text) - strlen(expected));
    double x[2];
    memcpy(x, bytes + header + RECORD + 10, sizeof x);
    CU_ASSERT(x[0] == value_at(1, 1) && x[1] == value_at(1, 2));
    CU_ASSERT_EQUAL(memcmp(bytes + header + RECORD + 8, "10", 2), 0);
    free(bytes);
    unlink(path);
}

static void mat_is_a_list_of_two_matrices(void)
{
    enum { ROWS = 4, NAMES = 5, WIDTH = 7 };
    const char *path = in_folder("x.mat");
    size_t length;
    int32_t head[5];
    double x[NAMES];
    write_trace(path, ROWS);
    unsigned char *bytes = read_bytes(path, &length), *at = bytes;
    CU_ASSERT_EQUAL_FATAL(length, 2 * sizeof head + 6 + NAMES * WIDTH + 5 + ROWS * sizeof x);
    memcpy(head, at, sizeof head);
    CU_ASSERT(head[0] == 51 && head[1] == NAMES && head[2] == WIDTH && head[3] == 0 &&
              head[4] == 6);
    TEST_TEXT("names", (const char *)at + sizeof head);
    at += sizeof head + 6;
    CU_ASSERT_EQUAL(memcmp(at, "tmmvi oo  ", 10), 0); /* the first letters, then the second */
    at += NAMES * WIDTH;
    memcpy(head, at, sizeof head);
    CU_ASSERT(head[0] == 0 && head[1] == NAMES && head[2] == ROWS && head[4] == 5);
    memcpy(x, at + sizeof head + 5 + 3 * sizeof x, sizeof x);
    CU_ASSERT(x[0] == value_at(3, 0) && x[1] == 1 && x[2] == 1 && x[3] == value_at(3, 1));
    free(bytes);
    unlink(path);
}

/* ---- failures ------------------------------------------------------------------------------ */

static void full_devices_are_noticed(void)
{
    jn_trace *t;
    jn_str why;
    jn_str_init(&why);
    CU_ASSERT_EQUAL_FATAL(jn_trace_open(&t, "/dev/full", &columns, &why), JN_OK);
    CU_ASSERT_EQUAL(jn_trace_close(t, &why), JN_UNABLE);
    TEST_TEXT("cannot write /dev/full: No space left on device", jn_str_c(&why));
    jn_str_reset(&why);
    CU_ASSERT_EQUAL(jn_trace_open(&t, "/dev/null/x.csv", &columns, &why), JN_INVALID);
    CU_ASSERT_PTR_NULL(t);
    CU_ASSERT(strstr(jn_str_c(&why), "cannot write /dev/null/x.csv") != NULL);
    jn_str_clear(&why);
}

/* A trace that was given up leaves nothing, and the file of an earlier run as it was. */
static void discarded_files_leave_nothing(void)
{
    jn_trace *t;
    jn_str why;
    const char *path = in_folder("old.csv");
    FILE *f = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fputs("old", f);
    fclose(f);
    jn_str_init(&why);
    CU_ASSERT_EQUAL_FATAL(jn_trace_open(&t, path, &columns, &why), JN_OK);
    write_rows(t, 40000); /* more than what is kept back */
    jn_trace_discard(t);
    CU_ASSERT_EQUAL(count_files(), 1);
    char *text = test_read_file(path);
    TEST_TEXT("old", text);
    free(text);
    unlink(path);
    jn_str_clear(&why);
}

/* ---- events -------------------------------------------------------------------------------- */

static jn_graph *make_graph(jn_arena *a, jn_diags *d)
{
    static const char text[] = "model m\nSe V = 1\nI L = 1\nX1 s\nX1 d\n0 n\nR r = 1\nin: V -> s\n"
                               "s -> n\nn -> d\nd -> r\nout: n -> L\n";
    jn_graph *g = NULL;
    CU_ASSERT_EQUAL_FATAL(jn_graph_read(&g, jn_source_of(a, "m", text, strlen(text)), d), JN_OK);
    return g;
}

static void events_are_rows(void)
{
    jn_arena *a = jn_arena_new();
    jn_diags *d = jn_diags_new();
    jn_graph *g = make_graph(a, d);
    double impulse[32] = {0};
    impulse[2 * jn_graph_find_bond(g, "in")] = -0.25;
    impulse[2 * jn_graph_find_bond(g, "out") + 1] = 3;
    const jn_onoff off[] = {0, 0}, first[] = {1, 0}, both[] = {1, 1};
    const struct jn_via via[] = {{JN_VIA_MYTHICAL, true, both, NULL},
                                 {JN_VIA_PINNACLE, false, off, NULL}};
    const jn_event start = {.kind = JN_EVENT_START, .from = off, .to = off, .cause = ""};
    const jn_event jump = {.t = 0.1,
                           .kind = JN_EVENT_STATE,
                           .from = off,
                           .to = first,
                           .nvia = 2,
                           .via = via,
                           .cause = "s: \"x\" < 1, y",
                           .impulse = impulse,
                           .energy_lost = 0.5};
    const jn_event zeno = {
        .t = 2, .kind = JN_EVENT_ZENO, .from = first, .to = first, .nlimits = 1, .limit = 2.5};
    jn_event_log *l;
    jn_str why;
    jn_str_init(&why);
    const char *path = in_folder("events.csv");
    CU_ASSERT_EQUAL_FATAL(jn_event_log_open(&l, path, g, &why), JN_OK);
    CU_ASSERT(jn_event_log_add(l, &start) && jn_event_log_add(l, &jump) &&
              jn_event_log_add(l, &zeno));
    CU_ASSERT_EQUAL(jn_event_log_close(l, &why), JN_OK);
    char *text = test_read_file(path);
    TEST_TEXT("t,kind,from,to,switches,via,cause,impulse areas,energy lost\n"
              "0,start,00,00,,,,,0\n"
              "0.1,state,00,10,s=1,mythical 11 (forbidden); pinnacle 00,\"s: \"\"x\"\" < 1, y\","
              "in.e=-0.25; out.f=3,0.5\n"
              "2,zeno,10,10,,,events accumulate at t = 2.5,,0\n",
              text);
    free(text);
    unlink(path);
    jn_str_clear(&why);
    jn_graph_free(g);
    jn_diags_free(d);
    jn_arena_free(a);
}

void suite_trace(void)
{
    CU_pSuite suite_ = CU_add_suite("trace", make_folder, remove_folder);
    TEST_ADD(known_numbers_print_as_known);
    TEST_ADD(decimals_read_back_exactly);
    TEST_ADD(decimals_are_shortest_and_nearest);
    TEST_ADD(csv_reads_back);
    TEST_ADD(repeated_numbers_are_told_apart);
    TEST_ADD(npy_is_as_numpy_wants_it);
    TEST_ADD(mat_is_a_list_of_two_matrices);
    TEST_ADD(full_devices_are_noticed);
    TEST_ADD(discarded_files_leave_nothing);
    TEST_ADD(events_are_rows);
}
