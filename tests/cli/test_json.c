/* test_json.c: what the program writes as JSON, read back and computed a second way.
 *
 * The entries over λ and the matrices of a single mode come from two different functions of the
 * program. Here the guards of the entries are evaluated by a small reader of formulas of our own,
 * mode by mode, and the active rows and columns must be the mode's matrices. */
#include "run.h"

#include <json-c/json.h>

/* ---- access -------------------------------------------------------------------------------- */

static json_object *at(json_object *o, const char *key)
{
    json_object *v = NULL;
    json_object_object_get_ex(o, key, &v);
    return v;
}

static json_object *item(json_object *o, size_t i)
{
    return json_object_array_get_idx(o, i);
}

static size_t length(json_object *o)
{
    return o ? json_object_array_length(o) : 0;
}

static const char *string(json_object *o)
{
    return o ? json_object_get_string(o) : "";
}

/* The program's output, parsed strictly. */
static json_object *run_json(const char *arguments)
{
    outcome o = run("%s", arguments);
    CU_ASSERT_EQUAL(o.code, 0);
    json_tokener *t = json_tokener_new();
    json_tokener_set_flags(t, JSON_TOKENER_STRICT);
    json_object *result = json_tokener_parse_ex(t, o.out, (int)strlen(o.out) + 1);
    CU_ASSERT_EQUAL(json_tokener_get_error(t), json_tokener_success);
    if (!result)
        printf("\njunct %s: not JSON: %.200s\n", arguments, o.out);
    json_tokener_free(t);
    outcome_clear(&o);
    return result;
}

/* ---- formulas: | below ^ below & below ! --------------------------------------------------- */

typedef struct {
    const char *s;
    json_object *switches, *lets;
    const char *mode;
} formula;

static bool read_or(formula *f);

static void skip(formula *f)
{
    while (*f->s == ' ')
        f->s++;
}

static bool value_of_name(formula *f, const char *name, size_t len)
{
    for (size_t i = 0; i < length(f->switches); i++) {
        const char *s = string(item(f->switches, i));
        if (strlen(s) == len && memcmp(s, name, len) == 0)
            return f->mode[i] == '1';
    }
    for (size_t i = 0; i < length(f->lets); i++) {
        const char *s = string(item(item(f->lets, i), 0));
        if (strlen(s) == len && memcmp(s, name, len) == 0) {
            formula inner = *f;
            inner.s = string(item(item(f->lets, i), 1));
            return read_or(&inner);
        }
    }
    CU_FAIL("a guard names something unknown");
    return false;
}

static bool read_unit(formula *f)
{
    skip(f);
    if (*f->s == '!') {
        f->s++;
        return !read_unit(f);
    }
    if (*f->s == '(') {
        f->s++;
        bool v = read_or(f);
        skip(f);
        CU_ASSERT_EQUAL(*f->s, ')');
        f->s++;
        return v;
    }
    size_t len = strcspn(f->s, " &|^!()");
    const char *name = f->s;
    f->s += len;
    if (len == 1 && (*name == '0' || *name == '1'))
        return *name == '1';
    return value_of_name(f, name, len);
}

static bool next_is(formula *f, char c)
{
    skip(f);
    if (*f->s != c)
        return false;
    f->s++;
    return true;
}

static bool read_and(formula *f)
{
    bool v = read_unit(f);
    while (next_is(f, '&'))
        v &= read_unit(f);
    return v;
}

static bool read_xor(formula *f)
{
    bool v = read_and(f);
    while (next_is(f, '^'))
        v ^= read_and(f);
    return v;
}

static bool read_or(formula *f)
{
    bool v = read_xor(f);
    while (next_is(f, '|'))
        v |= read_xor(f);
    return v;
}

static bool holds(json_object *model, const char *guard, const char *mode)
{
    formula f = {guard, at(model, "switches"), at(model, "let"), mode};
    bool v = read_or(&f);
    CU_ASSERT_EQUAL(*f.s, 0);
    return v;
}

/* ---- two ways ------------------------------------------------------------------------------ */

/* The entry of a matrix over λ in one mode. */
static const char *entry(json_object *model, json_object *matrix, int row, int col,
                         const char *mode)
{
    json_object *entries = at(matrix, "entries");
    const char *value = "0";
    int found = 0;
    for (size_t i = 0; i < length(entries); i++) {
        json_object *e = item(entries, i);
        if (json_object_get_int(item(e, 0)) != row || json_object_get_int(item(e, 1)) != col)
            continue;
        for (size_t c = 0; c < length(item(e, 2)); c++)
            if (holds(model, string(item(item(item(e, 2), c), 0)), mode)) {
                value = string(item(item(item(e, 2), c), 1));
                found++;
            }
    }
    CU_ASSERT(found <= 1);
    return value;
}

/* The row of a storage that is active in a mode: of its state, or of its pseudo-state. */
static int active_row(json_object *model, json_object *mode, const char *element)
{
    const char *causality = string(at(at(mode, "causality"), element));
    const char *form = strcmp(causality, "integral") == 0 ? "state" : "pseudo";
    json_object *states = at(model, "states");
    for (size_t i = 0; i < length(states); i++)
        if (strcmp(string(at(item(states, i), "element")), element) == 0 &&
            strcmp(string(at(item(states, i), "form")), form) == 0)
            return (int)i;
    CU_FAIL("no row for a storage");
    return 0;
}

static void compare_matrix(json_object *model, json_object *mode, const char *name, bool inputs)
{
    const char *digits = string(at(mode, "mode"));
    json_object *states = at(mode, "states"), *dense = at(mode, name);
    CU_ASSERT_EQUAL(length(dense), length(states));
    for (size_t i = 0; i < length(dense); i++) {
        int row = active_row(model, mode, string(item(states, i)));
        CU_ASSERT_EQUAL(length(item(dense, i)), length(inputs ? at(model, "inputs") : states));
        for (size_t j = 0; j < length(item(dense, i)); j++) {
            int col = inputs ? (int)j : active_row(model, mode, string(item(states, j)));
            TEST_TEXT(string(item(item(dense, i), j)),
                      entry(model, at(model, name), row, col, digits));
        }
    }
}

static void compare_mode(json_object *model, json_object *mode, int *forbidden)
{
    const char *digits = string(at(mode, "mode")), *status = string(at(mode, "status"));
    bool should = holds(model, string(at(at(model, "forbidden"), "guard")), digits);
    CU_ASSERT_EQUAL(should, strcmp(status, "forbidden") == 0);
    *forbidden += should;
    if (should) {
        int reasons = 0;
        json_object *list = at(at(model, "forbidden"), "reasons");
        for (size_t i = 0; i < length(list); i++)
            if (holds(model, string(at(item(list, i), "guard")), digits))
                reasons +=
                    strcmp(string(at(mode, "reason")), string(at(item(list, i), "relation"))) == 0;
        CU_ASSERT(reasons >= 1);
        return;
    }
    if (strcmp(status, "ok") != 0)
        return;
    compare_matrix(model, mode, "E", false);
    compare_matrix(model, mode, "A", false);
    compare_matrix(model, mode, "B", true);
}

static void single_modes_agree_with_the_guards(void)
{
    static const char *const names[] = {"chopper",   "buck",      "cuk",   "hbridge",
                                        "hydraulic", "rectifier", "clutch"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        char arguments[128];
        sprintf(arguments, "matrices --json --all examples/%s.hbg", names[k]);
        json_object *model = run_json(arguments), *modes = at(model, "modes");
        int forbidden = 0;
        CU_ASSERT_EQUAL(length(modes), (size_t)1 << length(at(model, "switches")));
        for (size_t i = 0; i < length(modes); i++)
            compare_mode(model, item(modes, i), &forbidden);
        CU_ASSERT_EQUAL(atoi(string(at(at(model, "forbidden"), "count"))), forbidden);
        json_object_put(model);
    }
}

/* ---- facts --------------------------------------------------------------------------------- */

/* The table of the converter's modes, from the paper with its errata. */
static void chopper_has_the_known_matrices(void)
{
    static const struct {
        const char *mode, *E, *A, *B;
    } known[] = {
        {"100", "[[\"1\",\"0\",\"0\"],[\"0\",\"1\",\"0\"],[\"0\",\"0\",\"1\"]]",
         "[[\"-R1/L1\",\"-a/L2\",\"0\"],[\"a/L1\",\"0\",\"0\"],[\"0\",\"0\",\"-R2/L3\"]]",
         "[[\"1\",\"0\"],[\"0\",\"0\"],[\"0\",\"0\"]]"},
        {"011", "[[\"1\",\"0\",\"0\"],[\"0\",\"1\",\"1\"],[\"0\",\"0\",\"0\"]]",
         "[[\"-R1/L1\",\"-a/L2\",\"0\"],[\"a/L1\",\"-R2/L2\",\"0\"],[\"0\",\"1/L2\",\"-1/L3\"]]",
         "[[\"0\",\"1\"],[\"0\",\"0\"],[\"0\",\"0\"]]"},
        {"000", "[[\"0\",\"0\",\"0\"],[\"0\",\"1\",\"0\"],[\"0\",\"0\",\"1\"]]",
         "[[\"-1/L1\",\"0\",\"0\"],[\"0\",\"0\",\"0\"],[\"0\",\"0\",\"-R2/L3\"]]",
         "[[\"0\",\"0\"],[\"0\",\"0\"],[\"0\",\"0\"]]"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char arguments[128];
        sprintf(arguments, "matrices --json --mode %s examples/chopper.hbg", known[i].mode);
        json_object *model = run_json(arguments), *mode = item(at(model, "modes"), 0);
        TEST_TEXT(known[i].mode, string(at(mode, "mode")));
        TEST_TEXT(known[i].E,
                  json_object_to_json_string_ext(at(mode, "E"), JSON_C_TO_STRING_NOSLASHESCAPE));
        TEST_TEXT(known[i].A,
                  json_object_to_json_string_ext(at(mode, "A"), JSON_C_TO_STRING_NOSLASHESCAPE));
        TEST_TEXT(known[i].B,
                  json_object_to_json_string_ext(at(mode, "B"), JSON_C_TO_STRING_NOSLASHESCAPE));
        json_object_put(model);
    }
}

static void the_schema_is_kept(void)
{
    json_object *model = run_json("matrices --json examples/chopper.hbg");
    CU_ASSERT_EQUAL(json_object_get_int(at(model, "schema")), 1);
    TEST_TEXT("chopper", string(at(model, "model")));
    TEST_TEXT("clutch", string(item(at(model, "switches"), 2)));
    TEST_TEXT("G", string(item(at(model, "inputs"), 1)));
    TEST_TEXT("pseudo", string(at(item(at(model, "states"), 3), "form")));
    json_object *forbidden = at(model, "forbidden"), *reason = item(at(forbidden, "reasons"), 0);
    TEST_TEXT("s1 & s2", string(at(forbidden, "guard")));
    TEST_TEXT("2", string(at(forbidden, "count")));
    TEST_TEXT("G = V", string(at(reason, "relation")));
    TEST_TEXT("s1 ^ s2", string(at(item(at(model, "Lambda"), 0), "guard")));
    json_object *S = at(model, "S");
    CU_ASSERT_EQUAL(length(at(S, "rows")), 7);
    CU_ASSERT_EQUAL(length(at(S, "cols")), 9);
    TEST_TEXT("input", string(at(item(at(S, "cols"), 7), "form")));
    TEST_TEXT("flow-in", string(at(item(at(S, "rows"), 5), "form")));
    TEST_TEXT("-a", entry(model, S, 0, 1, "100"));
    TEST_TEXT("0", entry(model, S, 0, 1, "001"));
    CU_ASSERT_PTR_NULL(at(model, "modes"));
    json_object_put(model);
}

static void modes_have_json_too(void)
{
    json_object *model = run_json("modes --json --all examples/chopper.hbg");
    TEST_TEXT("6", string(at(model, "allowed")));
    TEST_TEXT("100", string(at(model, "reference")));
    CU_ASSERT_EQUAL(length(at(model, "modes")), 8);
    TEST_TEXT("derivative", string(at(at(item(at(model, "modes"), 0), "causality"), "L1")));
    TEST_TEXT("G = V", string(at(item(at(model, "modes"), 6), "reason")));
    json_object *L1 = item(at(model, "causality"), 0);
    CU_ASSERT_FALSE(json_object_get_boolean(at(L1, "static")));
    CU_ASSERT(holds(model, string(at(L1, "integral")), "100"));
    CU_ASSERT(!holds(model, string(at(L1, "integral")), "000"));
    json_object_put(model);
}

static void titles_are_escaped(void)
{
    static const char text[] = "model m \"a \xC3\xA4 \\\"b\\\"\"\nSe V = 1\nR r = 1\nV -> r\n";
    run_write_file("title.hbg", text, strlen(text));
    char arguments[128];
    snprintf(arguments, sizeof arguments, "matrices --json %s/title.hbg", run_folder());
    json_object *model = run_json(arguments);
    TEST_TEXT("a \xC3\xA4 \"b\"", string(at(model, "title")));
    json_object_put(model);
}

static void numbers_are_put_in_exactly(void)
{
    json_object *model = run_json("matrices --json --numeric --mode 100 examples/chopper.hbg");
    json_object *A = at(item(at(model, "modes"), 0), "A");
    TEST_TEXT("-500", string(item(item(A, 0), 0)));
    TEST_TEXT("-5", string(item(item(A, 0), 1)));
    json_object_put(model);
}

static int clean_up(void)
{
    run_remove_folder();
    return 0;
}

void suite_json(void)
{
    CU_pSuite suite_ = CU_add_suite("json", NULL, clean_up);
    TEST_ADD(single_modes_agree_with_the_guards);
    TEST_ADD(chopper_has_the_known_matrices);
    TEST_ADD(the_schema_is_kept);
    TEST_ADD(modes_have_json_too);
    TEST_ADD(titles_are_escaped);
    TEST_ADD(numbers_are_put_in_exactly);
}
