/* test_sim_mixed.c: features by the handful, with numbers taken at random.
 *
 * Two to five fragments (fragments.h) are bonded to the bus, and their numbers are changed: each
 * may be multiplied by something near 1. Of every model
 *
 *   no run crashes, or takes more than twenty seconds of processor time,
 *   a run that cannot begin, or that stops, says where,
 *   Radau's method, and a cube of coefficient 0 beside it, stop and switch as the first run does,
 *   and have its values; in one go as with rows.
 *
 * JUNCT_MIXED=N runs N models instead of 200, JUNCT_MIXED=N,K the K-th alone, JUNCT_MIXED=N,K+ from the
 * K-th on; JUNCT_THOROUGH runs 10,000. JUNCT_MIXED_SAVE=FOLDER keeps them as files. */
#include <ctype.h>
#include <math.h>

#include "beside.h"
#include "fragments.h"

enum { MODELS = 200, THOROUGH = 10000, SECONDS = 20, MOST = 5 };

typedef struct {
    test_rng rng;
    jn_str text;
    int n, fragment[MOST];
} mixture;

/* ---- models -------------------------------------------------------------------------------- */

/* Whether a number begins here: not within a name, not an exponent, not a junction. */
static bool begins_number(const char *text, const char *at)
{
    char before = at > text ? at[-1] : '\n';
    return isdigit((unsigned char)*at) && !isalnum((unsigned char)before) && before != '_' &&
           before != '.' && before != '\n' && before != '^' && before != '"';
}

/* The text, its numbers changed a little. */
static void add_changed(mixture *x, const char *text)
{
    for (const char *at = text; *at;) {
        if (!begins_number(text, at)) {
            jn_str_addc(&x->text, *at++);
            continue;
        }
        int length = (int)strspn(at, "0123456789.");
        bool is_zero = strtod(at, NULL) == 0;
        if (!is_zero && test_rng_chance(&x->rng, 40))
            jn_str_addf(&x->text, "(%d/97*%.*s)", test_rng_int(&x->rng, 71, 131), length, at);
        else
            jn_str_addf(&x->text, "%.*s", length, at);
        at += length;
    }
}

static bool has(const mixture *x, int one)
{
    for (int i = 0; i < x->n; i++)
        if (x->fragment[i] == one)
            return true;
    return false;
}

static void mixture_init(mixture *x, int number)
{
    *x = (mixture){.rng = test_rng_new((uint64_t)(5300000 + number))};
    jn_str_init(&x->text);
    int n = test_rng_int(&x->rng, 2, MOST);
    while (x->n < n) {
        int one = test_rng_int(&x->rng, 0, nfragments - 1);
        if (!has(x, one))
            x->fragment[x->n++] = one;
    }
    add_changed(x, fragment_core);
    for (int i = 0; i < x->n; i++)
        add_changed(x, fragments[x->fragment[i]].text);
    jn_str_add(&x->text, "output v = e(bus)");
    for (int i = 0; i < x->n; i++)
        jn_str_addf(&x->text, ", %s", fragments[x->fragment[i]].outputs);
    jn_str_addc(&x->text, '\n');
}

/* ---- runs ---------------------------------------------------------------------------------- */

/* A message of the simulator has a place in the model; one of a run names a time. */
static void check_words(const run *x, bool begun)
{
    bool ok = begun ? x->ran || strstr(x->r.message, "t = ") : jn_diags_count(x->r.diags) > 0;
    for (int i = 0; !begun && i < jn_diags_count(x->r.diags); i++) {
        const jn_diag *d = jn_diags_get(x->r.diags, i);
        ok = ok && (d->severity != JN_ERROR || d->place.source);
    }
    if (!ok)
        printf("\n    %s: a message without a place: %s", x->what, x->r.message);
    CU_ASSERT(ok);
}

/* Where runs stop they do so for one reason at one time. */
static void check_stops(const run *a, const run *b)
{
    bool same = a->ran == b->ran &&
                (a->ran || (a->r.stop.why == b->r.stop.why &&
                            fabs(a->r.stop.t - b->r.stop.t) <= 1e-7 * (1 + a->r.stop.t)));
    if (!same)
        printf("\n    %s: %s\n    %s: %s", a->what, a->ran ? "ran" : a->r.message, b->what,
               b->ran ? "ran" : b->r.message);
    CU_ASSERT(same);
}

static void check_beside(const run *first, bool begun, const char *what, const char *text,
                         jn_method method, bool rows)
{
    static run other;
    bool begins = beside_try(
        &other, what, text, &(jn_sim_options){.method = method, .folder = "tests/sim/cases"}, rows);
    check_words(&other, begins);
    if (begins != begun)
        printf("\n    %s %s, but %s %s", first->what, begun ? "begins" : "does not begin", what,
               begins ? "does" : "does not");
    CU_ASSERT_EQUAL(begins, begun);
    if (begins && begun) {
        check_stops(first, &other);
        beside_compare(first, &other, rows ? 0 : BESIDE_ROWS - 1, 1e-7);
    }
    rig_clear(&other.r);
}

static void keep(const mixture *x, int number)
{
    const char *folder = getenv("JUNCT_MIXED_SAVE");
    char path[400];
    snprintf(path, sizeof path, "%s/mixed-%d.hbg", folder ? folder : ".", number);
    FILE *f = folder ? fopen(path, "w") : NULL;
    if (f) {
        fprintf(f, "model mixed\n%ssimulate to %g every 1/50\n", jn_str_c(&x->text), BESIDE_END);
        fclose(f);
    }
}

static void check_mixture(const void *context)
{
    static run first;
    mixture x;
    jn_str cube;
    unsigned before = CU_get_number_of_failure_records();
    mixture_init(&x, *(const int *)context);
    jn_str_init(&cube);
    jn_str_addf(&cube, "%sR cube : f = 0*e^3\nbus -> cube\n", jn_str_c(&x.text));
    const char *text = jn_str_c(&x.text);
    keep(&x, *(const int *)context);
    bool begun =
        beside_try(&first, "auto", text, &(jn_sim_options){.folder = "tests/sim/cases"}, true);
    check_words(&first, begun);
    check_beside(&first, begun, "auto in one go", text, JN_METHOD_AUTO, false);
    check_beside(&first, begun, "radau", text, JN_METHOD_RADAU, true);
    check_beside(&first, begun, "cube 0", jn_str_c(&cube), JN_METHOD_AUTO, true);
    beside_ledger(&first);
    for (int i = 0; CU_get_number_of_failure_records() > before && i < x.n; i++)
        printf("%s%s", i ? ", " : "\n    of ", fragments[x.fragment[i]].name);
    rig_clear(&first.r);
    jn_str_clear(&x.text);
    jn_str_clear(&cube);
}

static bool passes(int number)
{
    bool good = beside_passes(check_mixture, &number, SECONDS);
    if (!good)
        printf("\n  ^^ mixture %d", number);
    return good;
}

static void random_mixtures_agree_in_both_engines(void)
{
    const char *asked = getenv("JUNCT_MIXED");
    int models = asked ? atoi(asked) : getenv("JUNCT_THOROUGH") ? THOROUGH : MODELS, broken = 0;
    const char *from = asked ? strchr(asked, ',') : NULL;
    bool is_only = from && !strchr(from, '+');
    for (int k = from ? atoi(from + 1) : 0; k < models; k++) {
        broken += !passes(k);
        if (is_only)
            break;
    }
    if (broken)
        printf("\n%d of %d mixtures fail\n", broken, models);
    CU_ASSERT_EQUAL(broken, 0);
}

/* Rows between the last bounce and the limit; a step beside a slide; an event that was told with the other side of a
 * slide; a controller that switches soon after the limit; one that switches between bounces, at a time that makes
 * another series of theirs. */
static void mixtures_that_failed_pass(void)
{
    static const int number[] = {703, 2548, 3539, 3963, 6357, 6828};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        CU_ASSERT(passes(number[i]));
}

void suite_sim_mixed(void)
{
    TEST_SUITE("sim_mixed");
    TEST_ADD(random_mixtures_agree_in_both_engines);
    TEST_ADD(mixtures_that_failed_pass);
}
