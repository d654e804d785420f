/* test_memory.c: when memory runs out, at any moment, it is told once and nothing else happens.
 *
 * Every example goes through all stages in a process of its own, whose allocator fails at the n-th
 * call: each of the first calls, then ever fewer, up to the last; with JUNCT_THOROUGH=1 each of
 * them. Some examples go through what takes longer: proofs, orbits, responses, sweeps, pictures. */
#include <glob.h>
#include <limits.h>
#include <sys/wait.h>
#include <unistd.h>

#include "junct.h"
#include "junct/draw.h"
#include "junct/html.h"
#include "junct/periodic.h"
#include "junct/report.h"
#include "junct/sim.h"
#include "junct/sweep.h"
#include "junct/verify.h"
#include "junct/write.h"
#include "junct/write_verify.h"
#include "testing.h"

enum { TOLD = 42, RAN_THROUGH = 0, EACH = 40, EACH_LONG = 12 };

static long calls, fails_at;

static void *counting_calloc(size_t count, size_t bytes)
{
    return ++calls == fails_at ? NULL : calloc(count, bytes);
}

static void *counting_realloc(void *p, size_t bytes)
{
    return ++calls == fails_at ? NULL : realloc(p, bytes);
}

static void told(size_t bytes)
{
    (void)bytes;
    _exit(calls == fails_at ? TOLD : 1); /* once, and at once */
}

static const jn_memory failing = {counting_calloc, counting_realloc, told};

/* ---- the stages ---------------------------------------------------------------------------- */

static void simulate(const jn_graph *g, jn_diags *d)
{
    jn_sim *s = NULL;
    jn_stopped why = {0};
    if (jn_sim_new(&s, g, &(jn_sim_options){.folder = "examples"}, d) == JN_OK)
        for (int k = 0; k < 3 && jn_sim_advance_event(s, 1e-3, &why) == JN_OK; k++)
            ;
    jn_sim_free(s);
}

static void write_all(const jn_junction *j, const jn_implicit *f)
{
    static const char *const forms[] = {"text", "json", "csv", "latex", "octave"};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const jn_writer *w = jn_writer_find(JN_WRITE_MATRICES, forms[i]);
        jn_listing l;
        jn_listing_init(&l, j, f);
        w->begin(&l);
        w->end(&l);
        jn_listing_clear(&l);
    }
}

/* What is done with a model and its structure. */
typedef void stages(jn_graph *g, const jn_junction *j, const jn_implicit *f, const jn_source *s,
                    jn_diags *d);

static void usual_stages(jn_graph *g, const jn_junction *j, const jn_implicit *f,
                         const jn_source *s, jn_diags *d)
{
    (void)s;
    jn_analysis *analysis = jn_analysis_new(f);
    write_all(j, f);
    jn_analysis_free(analysis);
    simulate(g, d);
}

static void find_orbit(jn_graph *g, const jn_junction *j, const jn_implicit *f, const jn_source *s,
                       jn_diags *d)
{
    const jn_expr *out[1] = {g->output[0].expr};
    const double frequency[] = {100, 1000};
    jn_bode *bode = NULL;
    (void)j;
    (void)f;
    (void)s;
    jn_bode_options o = {.orbit = {.nvalues = 1, .value = out, .name = &g->output[0].name},
                         .source = g->source[0],
                         .pwm = -1,
                         .nfrequencies = 2,
                         .frequency = frequency};
    if (jn_bode_find(&bode, g, &o, d) == JN_OK)
        jn_bode_free(bode);
}

/* An oscillation of the model's own. */
static void find_free_orbit(jn_graph *g, const jn_junction *j, const jn_implicit *f,
                            const jn_source *s, jn_diags *d)
{
    const jn_expr *out[1] = {g->output[0].expr};
    jn_steady *orbit = NULL;
    (void)j;
    (void)f;
    (void)s;
    jn_steady_options o = {.nvalues = 1, .value = out, .name = &g->output[0].name, .is_free = true};
    if (jn_steady_find(&orbit, g, &o, d) == JN_OK)
        jn_steady_free(orbit);
}

static void find_slopes(jn_graph *g, const jn_junction *j, const jn_implicit *f, const jn_source *s,
                        jn_diags *d)
{
    const jn_expr *out[1] = {g->output[0].expr};
    jn_sensitivity *slopes = NULL;
    (void)j;
    (void)f;
    (void)s;
    jn_steady_options o = {.nvalues = 1, .value = out, .name = &g->output[0].name};
    if (jn_sensitivity_find(&slopes, g, &o, d) == JN_OK)
        jn_sensitivity_free(slopes);
}

static void sweep(jn_graph *g, const jn_junction *j, const jn_implicit *f, const jn_source *s,
                  jn_diags *d)
{
    const char *const vary[] = {"load=1,2"}, *const measure[] = {"mean(v)"};
    jn_sweep_question q = {
        .nvary = 1, .vary = vary, .nmeasures = 1, .measure = measure, .to = 1e-3};
    jn_sweep *w = NULL;
    jn_str text;
    (void)j;
    (void)f;
    (void)s;
    jn_str_init(&text);
    if (jn_sweep_new(&w, g, &q, d) == JN_OK)
        for (uint64_t i = 0; i < jn_sweep_rows(w); i++)
            if (!jn_sweep_row_text(&text, w, i))
                break;
    jn_sweep_free(w);
    jn_str_clear(&text);
}

static void prove(jn_graph *g, const jn_junction *j, const jn_implicit *f, const jn_source *s,
                  jn_diags *d)
{
    jn_verification *v = NULL;
    jn_str text;
    (void)g;
    (void)f;
    (void)s;
    jn_str_init(&text);
    if (jn_verify(&v, j, &(jn_verify_options){.successors = true}, d) == JN_OK) {
        jn_verify_text(&text, v, 80);
        jn_verify_json(&text, v);
        jn_verify_graph(&text, v);
    }
    jn_verification_free(v);
    jn_str_clear(&text);
}

static void show(jn_graph *g, const jn_junction *j, const jn_implicit *f, const jn_source *s,
                 jn_diags *d)
{
    jn_drawing *drawing = NULL;
    jn_str text;
    (void)g;
    (void)d;
    jn_str_init(&text);
    if (jn_drawing_new(&drawing, j, NULL) == JN_OK) {
        jn_html_write(&text, &(jn_html){.implicit = f, .source = s, .drawing = drawing});
        jn_report_write(&text, &(jn_report){.junction = j, .implicit = f, .source = s},
                        JN_REPORT_LATEX);
        jn_drawing_svg(&text, drawing);
    }
    jn_drawing_free(drawing);
    jn_str_clear(&text);
}

static void run_stages(const char *path, bool numeric, stages *more)
{
    jn_arena *a = jn_arena_new();
    jn_diags *d = jn_diags_new();
    const jn_source *s;
    const char *why;
    jn_graph *g = NULL;
    jn_junction *j = NULL;
    jn_implicit *f = NULL;
    if (jn_source_read(&s, a, path, &why) == JN_OK && jn_graph_read(&g, s, d) == JN_OK &&
        jn_junction_build(&j, g, numeric, d) == JN_OK && jn_implicit_derive(&f, j, d) == JN_OK)
        more(g, j, f, s, d);
    jn_implicit_free(f);
    jn_junction_free(j);
    jn_graph_free(g);
    jn_diags_free(d);
    jn_arena_free(a);
}

/* ---- failing ------------------------------------------------------------------------------- */

/* In a process of its own; its exit code, or −1 when a signal ended it. */
static int run_failing(const char *path, bool numeric, stages *more, long n)
{
    pid_t child = fork();
    if (child == 0) {
        calls = 0;
        fails_at = n;
        jn_memory_set(&failing);
        run_stages(path, numeric, more);
        _exit(calls < n ? RAN_THROUGH : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void fail_everywhere(const char *path, bool numeric, stages *more, long each)
{
    int code = TOLD;
    long n = 1, tried = 0;
    if (getenv("JUNCT_THOROUGH"))
        each = LONG_MAX;
    for (; code == TOLD; n += 1 + n / each, tried++)
        code = run_failing(path, numeric, more, n);
    CU_ASSERT_EQUAL(code, RAN_THROUGH); /* beyond its last call */
    CU_ASSERT(tried > 2 * EACH_LONG);
    if (code != RAN_THROUGH)
        printf("\n%s: allocation %ld: %d\n", path, n, code);
}

static void memory_may_run_out_anywhere(void)
{
    glob_t found;
    fflush(NULL);
    CU_ASSERT_EQUAL_FATAL(glob("examples/*.hbg", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        fail_everywhere(found.gl_pathv[i], false, usual_stages, EACH);
    globfree(&found);
}

static void memory_may_run_out_in_what_takes_longer(void)
{
    static const struct {
        const char *path;
        bool numeric;
        stages *more;
    } all[] = {{"examples/buck.hbg", false, find_orbit},
               {"examples/stickslip.hbg", false, find_free_orbit},
               {"examples/buck.hbg", false, find_slopes},
               {"examples/buck.hbg", false, sweep},
               {"examples/relay.hbg", true, prove},
               {"examples/rod_threshold.hbg", true, prove},
               {"examples/chopper.hbg", false, show}};
    fflush(NULL);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        fail_everywhere(all[i].path, all[i].numeric, all[i].more, EACH_LONG);
}

void suite_memory(void)
{
    TEST_SUITE("memory");
    TEST_ADD(memory_may_run_out_anywhere);
    TEST_ADD(memory_may_run_out_in_what_takes_longer);
}
