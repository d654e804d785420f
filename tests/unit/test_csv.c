/* test_csv.c: reading comma-separated values, and what is said about wrong ones. */
#include "testing.h"

#include <math.h>
#include <unistd.h>

#include "junct/csv.h"

/* One file that is read, with its arena and diagnostics. */
typedef struct {
    char path[64];
    jn_arena *arena;
    jn_diags *diags;
    const jn_csv *csv;
    jn_status status;
} sample;

static void write_bytes(char path[64], const char *text, size_t length)
{
    strcpy(path, "/tmp/junct-csv-XXXXXX");
    int fd = mkstemp(path);
    if (fd < 0 || write(fd, text, length) != (ssize_t)length || close(fd) != 0)
        abort();
}

static void sample_read(sample *s, const char *text)
{
    write_bytes(s->path, text, strlen(text));
    s->arena = jn_arena_new();
    s->diags = jn_diags_new();
    s->status = jn_csv_read(&s->csv, s->arena, s->path, s->diags);
    CU_ASSERT_EQUAL(s->status == JN_OK, s->csv != NULL);
    CU_ASSERT_EQUAL(s->status == JN_OK, jn_diags_errors(s->diags) == 0);
    unlink(s->path);
}

static void sample_clear(sample *s)
{
    jn_diags_free(s->diags);
    jn_arena_free(s->arena);
}

/* "LINE:COLUMN slug" of every diagnostic, with spaces between them. */
static void add_places(jn_str *out, const jn_diags *d)
{
    for (int i = 0; i < jn_diags_count(d); i++) {
        const jn_diag *g = jn_diags_get(d, i);
        int line = 0, column = 0;
        if (g->place.source)
            jn_place_line(&line, &column, g->place);
        jn_str_addf(out, "%s%d:%d %s", i ? " " : "", line, column, jn_code_slug(g->code));
    }
}

static void check_places(const char *expected, const sample *s, int line)
{
    jn_str got;
    jn_str_init(&got);
    add_places(&got, s->diags);
    test_equal_text(expected, jn_str_c(&got), __FILE__, line);
    jn_str_clear(&got);
}

/* What is said when the columns t (ascending) and x are read. */
static void check_columns(const char *expected, const char *text, int line)
{
    sample s;
    const double *t, *x;
    sample_read(&s, text);
    if (s.status == JN_OK) {
        int bad = jn_csv_ascending(&t, s.arena, s.csv, "t", s.diags) != JN_OK;
        bad |= jn_csv_numbers(&x, s.arena, s.csv, "x", s.diags) != JN_OK;
        CU_ASSERT_EQUAL(bad, *expected != 0);
    }
    check_places(expected, &s, line);
    sample_clear(&s);
}
#define SAID(expected, text) check_columns((expected), (text), __LINE__)

/* ---- right files --------------------------------------------------------------------------- */

static void columns_are_found_by_name(void)
{
    sample s;
    const double *t, *x;
    sample_read(&s, "x,t,\"a \"\"b\"\", c\"\n1.5,0,u\n-2e-3,1, v w \n.5,1e2,\"\"\n");
    CU_ASSERT_EQUAL_FATAL(s.status, JN_OK);
    CU_ASSERT_EQUAL(s.csv->nrows, 3);
    CU_ASSERT_EQUAL(s.csv->ncolumns, 3);
    TEST_TEXT("a \"b\", c", s.csv->name[2]);
    CU_ASSERT_EQUAL(jn_csv_find(s.csv, "t"), 1);
    CU_ASSERT_EQUAL(jn_csv_find(s.csv, "T"), -1);
    CU_ASSERT_EQUAL_FATAL(jn_csv_ascending(&t, s.arena, s.csv, "t", s.diags), JN_OK);
    CU_ASSERT_EQUAL_FATAL(jn_csv_numbers(&x, s.arena, s.csv, "x", s.diags), JN_OK);
    CU_ASSERT(t[0] == 0 && t[1] == 1 && t[2] == 100);
    CU_ASSERT(x[0] == 1.5 && x[1] == -2e-3 && x[2] == 0.5);
    TEST_TEXT("v w", jn_csv_text(s.csv, 1, 2));
    TEST_TEXT("", jn_csv_text(s.csv, 2, 2));
    sample_clear(&s);
}

/* A byte order mark, ends of lines of other systems, empty lines, spaces, no end of the last line.
 */
static void other_systems_do_no_harm(void)
{
    SAID("", "\xEF\xBB\xBFt,x\r\n\r\n0,1\r\n 1 ,\t2");
    SAID("", "\n\nt,x\r0,1\r\r1,2\r");
    SAID("", "\"t\",\"x\"\n\"0\",\"1\"\n");
}

static void places_count_rows_of_the_file(void)
{
    sample s;
    int line, column;
    sample_read(&s, "t,x\n\n0,\"a\nb\"\n\n1, c\n");
    CU_ASSERT_EQUAL_FATAL(s.status, JN_OK);
    jn_place_line(&line, &column, jn_csv_place(s.csv, 0, 1));
    CU_ASSERT(line == 3 && column == 3);
    CU_ASSERT_EQUAL(jn_csv_place(s.csv, 0, 1).length, 5);
    jn_place_line(&line, &column, jn_csv_place(s.csv, 1, 1));
    CU_ASSERT(line == 6 && column == 4);
    sample_clear(&s);
}

/* ---- wrong files --------------------------------------------------------------------------- */

static void wrong_rows_are_reported(void)
{
    SAID("0:0 csv-empty", "");
    SAID("0:0 csv-empty", "\n \n\n");
    SAID("0:0 csv-empty", "t,x\n");
    SAID("3:1 csv-ragged 5:1 csv-ragged", "t,x\n0,1\n1\n2,3\n3,4,5\n");
    SAID("2:3 csv-quote-open", "t,x\n0,\"1\n1,2\n");
    SAID("3:4 csv-quote-stray", "t,x\n0,1\n1,2\"3\n");
    SAID("1:5 csv-name-twice", "t,x,t\n0,1,2\n");
}

static void wrong_numbers_are_reported(void)
{
    SAID("2:3 csv-number 4:3 csv-number", "t,x\n0,one\n1,2\n2,\n");
    SAID("2:3 csv-range 3:3 csv-range 4:3 csv-range", "t,x\n0,inf\n1,NaN\n2,1e999\n");
    SAID("2:3 csv-number 3:3 csv-number", "t,x\n0,0x10\n1,\"1,5\"\n");
    SAID("3:1 csv-order 4:1 csv-order", "t,x\n1,0\n1,0\n0,0\n");
    SAID("1:1 csv-column", "t,y\n0,1\n");
}

static void the_nearest_column_is_named(void)
{
    sample s;
    int column;
    sample_read(&s, "t,torque,speed\n0,1,2\n");
    CU_ASSERT_EQUAL(jn_csv_column(&column, s.csv, "torqeu", s.diags), JN_INVALID);
    CU_ASSERT_EQUAL(jn_csv_column(&column, s.csv, "power", s.diags), JN_INVALID);
    TEST_TEXT("did you mean 'torque'?", jn_diags_get(s.diags, 0)->advice);
    TEST_TEXT("the columns are t, torque, speed", jn_diags_get(s.diags, 1)->advice);
    sample_clear(&s);
    sample_read(&s, "t;x\n0;1\n");
    CU_ASSERT_EQUAL(jn_csv_column(&column, s.csv, "t", s.diags), JN_INVALID);
    TEST_TEXT("separate the fields with commas", jn_diags_get(s.diags, 0)->advice);
    sample_clear(&s);
}

static void files_that_cannot_be_read_are_reported(void)
{
    const jn_csv *c;
    char path[64];
    jn_arena *a = jn_arena_new();
    jn_diags *d = jn_diags_new();
    CU_ASSERT_EQUAL(jn_csv_read(&c, a, "no-such-file.csv", d), JN_INVALID);
    write_bytes(path, "t\0", 3);
    CU_ASSERT_EQUAL(jn_csv_read(&c, a, path, d), JN_INVALID);
    unlink(path);
    CU_ASSERT_EQUAL(jn_diags_errors(d), 2);
    CU_ASSERT_EQUAL(jn_diags_get(d, 0)->code, JN_D_CSV_UNREADABLE);
    CU_ASSERT_EQUAL(jn_diags_get(d, 1)->code, JN_D_CSV_UNREADABLE);
    jn_diags_free(d);
    jn_arena_free(a);
}

static void too_many_columns_are_refused(void)
{
    jn_str text;
    sample s;
    jn_str_init(&text);
    for (int i = 0; i <= JN_CSV_MAX_COLUMNS; i++)
        jn_str_addf(&text, "%sc%d", i ? "," : "", i);
    sample_read(&s, text.s);
    check_places("0:0 csv-large", &s, __LINE__);
    sample_clear(&s);
    jn_str_clear(&text);
}

/* Anything at all is read or refused, never both. */
static void random_bytes_do_no_harm(void)
{
    static const char letters[] = "tx0,1\"\n\r ;.e-";
    test_rng rng = test_rng_new(31);
    for (int i = 0; i < 300; i++) {
        char text[64];
        int n = test_rng_int(&rng, 0, 60);
        for (int k = 0; k < n; k++)
            text[k] = letters[test_rng_int(&rng, 0, (int)sizeof letters - 2)];
        text[n] = 0;
        sample s;
        sample_read(&s, text);
        for (int row = -1; s.csv && row < s.csv->nrows; row++)
            for (int k = 0; k < s.csv->ncolumns; k++) {
                jn_place p = jn_csv_place(s.csv, row, k);
                CU_ASSERT(p.offset + p.length <= s.csv->source->len);
            }
        sample_clear(&s);
    }
}

void suite_csv(void)
{
    TEST_SUITE("csv");
    TEST_ADD(columns_are_found_by_name);
    TEST_ADD(other_systems_do_no_harm);
    TEST_ADD(places_count_rows_of_the_file);
    TEST_ADD(wrong_rows_are_reported);
    TEST_ADD(wrong_numbers_are_reported);
    TEST_ADD(the_nearest_column_is_named);
    TEST_ADD(files_that_cannot_be_read_are_reported);
    TEST_ADD(too_many_columns_are_refused);
    TEST_ADD(random_bytes_do_no_harm);
}
