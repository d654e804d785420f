/* bench_core.c: from a model file to the equations of all modes.
 *
 * Models are written as text and go through every stage. What matters is how cost grows: with the
 * length of a ladder about linearly, and with the number of switches not at all like 2^n. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "junct.h"
#include "junct/write.h"

/* ---- models -------------------------------------------------------------------------------- */

typedef struct {
    jn_str text;
    bool numeric;
    const char *form; /* of the writer, where something is written */
} model;

/* Coils, resistors and capacitors: 3n elements that are no junctions. */
void bench_write_ladder(jn_str *out, int n)
{
    jn_str_addf(out,
                "model ladder\n"
                "Se V = 10\n"
                "0 node[0]\n"
                "V -> node[0]\n"
                "for k in 1..%d {\n"
                "  1 branch[k]\n"
                "  0 node[k]\n"
                "  I L[k] = k/1000\n"
                "  R r[k] = 1/10\n"
                "  C c[k] = 1/(k + 1)\n"
                "  node[k - 1] -> branch[k] -> node[k] -> c[k]\n"
                "  branch[k] -> L[k]\n"
                "  branch[k] -> r[k]\n"
                "}\n",
                n);
}

/* The same with a breaker in each section. */
static void write_switched_ladder(jn_str *out, int n)
{
    jn_str_addf(out,
                "model switched_ladder\n"
                "Se V = 10\n"
                "0 node[0]\n"
                "V -> node[0]\n"
                "for k in 1..%d {\n"
                "  X1 s[k]\n"
                "  0 node[k]\n"
                "  I L[k] = k/1000\n"
                "  R r[k] = 1/10\n"
                "  C c[k] = 1/(k + 1)\n"
                "  node[k - 1] -> s[k] -> node[k] -> c[k]\n"
                "  s[k] -> L[k]\n"
                "  s[k] -> r[k]\n"
                "}\n",
                n);
}

/* An arm of a modular multilevel converter: two switches a cell; `leak` is what lies beside the
 * capacitor, NULL: nothing. */
static void write_cells(jn_str *out, int cells, const char *leak)
{
    jn_str_addf(out,
                "model arm\n"
                "submodel Cell(C0) {\n"
                "  ports p\n"
                "  C c = C0\n"
                "  0 p\n"
                "  X1 insert\n"
                "  X1 bypass\n"
                "  p -> insert -> %s\n"
                "  p -> bypass\n"
                "%s"
                "}\n"
                "Se V = 400\n"
                "I L = 1/100\n"
                "R r = 5\n"
                "1 current\n"
                "V -> current -> L\n"
                "current -> r\n"
                "for k in 1..%d {\n"
                "  Cell cell[k](1/100)\n"
                "  current -> cell[k].p\n"
                "}\n",
                leak ? "x -> c" : "c", leak ? leak : "", cells);
}

static void write_arm(jn_str *out, int cells)
{
    write_cells(out, cells, NULL);
}

static void write_leaking_arm(jn_str *out, int cells)
{
    write_cells(out, cells, "  0 x\n  R leak = 7\n  x -> leak\n");
}

/* The same with a resistor that a switch of the model changes, or one of its own. */
static void write_chosen_arm(jn_str *out, int cells)
{
    write_cells(out, cells, "  0 x\n  R leak = if(on(bypass), 7, 3)\n  x -> leak\n");
}

static void write_warm_arm(jn_str *out, int cells)
{
    write_cells(out, cells,
                "  0 x\n  R leak = if(on(warm), 7, 3)\n  x -> leak\n"
                "  switch warm off, on when e(c) > 9\n");
}

/* ---- work ---------------------------------------------------------------------------------- */

typedef struct {
    jn_arena *arena;
    jn_diags *diags;
    jn_graph *graph;
    jn_junction *junction;
    jn_implicit *implicit;
} stages;

static bool run_stages(stages *s, const model *m)
{
    *s = (stages){.arena = jn_arena_new(), .diags = jn_diags_new()};
    const jn_source *text = jn_source_of(s->arena, "bench", jn_str_c(&m->text), m->text.len);
    return jn_graph_read(&s->graph, text, s->diags) == JN_OK &&
           jn_junction_build(&s->junction, s->graph, m->numeric, s->diags) == JN_OK &&
           jn_implicit_derive(&s->implicit, s->junction, s->diags) == JN_OK;
}

static void clear_stages(stages *s)
{
    jn_implicit_free(s->implicit);
    jn_junction_free(s->junction);
    jn_graph_free(s->graph);
    jn_diags_free(s->diags);
    jn_arena_free(s->arena);
}

static bool nothing(const void *arg, double *count)
{
    (void)arg;
    (void)count;
    return true;
}

/* The text of a model to E, A, B over λ. */
static bool derive(const void *arg, double *count)
{
    (void)count;
    stages s;
    bool ok = run_stages(&s, arg);
    clear_stages(&s);
    return ok;
}

/* The same, and written out. */
static bool derive_and_write(const void *arg, double *count)
{
    (void)count;
    const model *m = arg;
    stages s;
    bool ok = run_stages(&s, m);
    if (ok) {
        const jn_writer *w = jn_writer_find(JN_WRITE_MATRICES, m->form);
        jn_listing l;
        jn_listing_init(&l, s.junction, s.implicit);
        w->begin(&l);
        w->end(&l);
        jn_listing_clear(&l);
    }
    clear_stages(&s);
    return ok;
}

typedef struct {
    const jn_writer *writer;
    jn_listing listing;
    double count;
} walk;

static bool write_mode(const jn_onoff *m, void *context)
{
    walk *w = context;
    w->writer->mode(&w->listing, m);
    jn_str_reset(&w->listing.out);
    w->count++;
    return true;
}

/* junct matrices --all: every mode in a form. */
static bool write_modes(const void *arg, double *count)
{
    const model *m = arg;
    stages s;
    bool ok = run_stages(&s, m);
    if (ok) {
        walk w = {.writer = jn_writer_find(JN_WRITE_MATRICES, m->form)};
        jn_listing_init(&w.listing, s.junction, s.implicit);
        w.listing.by_mode = true;
        w.writer->begin(&w.listing);
        jn_guard_each_mode(s.junction->ring.guards, jn_guard_true(), write_mode, &w);
        w.writer->end(&w.listing);
        jn_listing_clear(&w.listing);
        *count = w.count;
    }
    clear_stages(&s);
    return ok;
}

/* The program from its start to its end, its output thrown away. */
static bool start_program(const void *arg, double *count)
{
    (void)count;
    const char *program = arg;
    int status;
    pid_t child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stdout))
            execl(program, program, "version", (char *)NULL);
        _exit(127);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

/* ---- measurements -------------------------------------------------------------------------- */

typedef void (*writer_of_model)(jn_str *out, int n);

static bench_result measure(bench_work work, writer_of_model write_model, int n, bool numeric,
                            const char *form)
{
    model m = {.numeric = numeric, .form = form};
    jn_str_init(&m.text);
    write_model(&m.text, n);
    bench_result r = bench_run(work, &m);
    jn_str_clear(&m.text);
    return r;
}

static const char *fields(char *room, size_t size, int n, const char *form)
{
    snprintf(room, size, "\"n\": %d, \"form\": \"%s\"", n, form);
    return room;
}

/* From n/2 to n. */
static void report_growth(const char *name, int n, const char *form, double ratio)
{
    char room[80];
    snprintf(room, sizeof room, "\"from\": %d, \"to\": %d, \"form\": \"%s\"", n / 2, n, form);
    bench_report_ratio(name, room, ratio);
}

/* 2, 4, … 1024 sections, and how the time grows from one to the next. */
static void bench_ladder(double *last, bool numeric)
{
    const char *form = numeric ? "numeric" : "symbolic";
    double before = 0;
    char room[80];
    for (int n = 2; n <= 1024; n *= 2) {
        bench_result r = measure(derive, bench_write_ladder, n, numeric, NULL);
        bench_report("ladder", fields(room, sizeof room, n, form), &r, n == 32 ? 0.05 : 0);
        if (n > 2)
            report_growth("ladder", n, form, r.seconds / before);
        before = *last = r.seconds;
    }
}

static void bench_ladders(void)
{
    double symbolic, numeric;
    bench_ladder(&symbolic, false);
    bench_ladder(&numeric, true);
    bench_report_ratio("ladder symbolic/numeric", "\"n\": 1024", symbolic / numeric);
}

/* Twice the switches, squared the modes. */
static void bench_switched(const char *name, writer_of_model write_model, double limit)
{
    double before = 0;
    char room[80];
    for (int n = 16; n <= 64; n *= 2) {
        bench_result r = measure(derive, write_model, n, false, NULL);
        bench_report(name, fields(room, sizeof room, n, "symbolic"), &r, n == 64 ? limit : 0);
        if (n > 16)
            report_growth(name, n, "symbolic", r.seconds / before);
        before = r.seconds;
    }
    static const char *const forms[] = {"text", "json"};
    for (int i = 0; i < 2; i++) {
        bench_result r = measure(derive_and_write, write_model, 64, false, forms[i]);
        bench_report(name, fields(room, sizeof room, 64, forms[i]), &r, 0);
    }
}

/* Values that switches choose are guarded values: they cost little more than plain ones. */
static void bench_chosen_values(void)
{
    static const struct {
        const char *name;
        writer_of_model write;
        double limit; /* of the ratio; with switches of their own there are half as many more */
    } arm[] = {{"chosen by a cell's switch", write_chosen_arm, 2},
               {"chosen by a switch of its own", write_warm_arm, 0}};
    char room[80];
    bench_result plain = measure(derive, write_leaking_arm, 64, false, NULL);
    bench_report("leaking arm", fields(room, sizeof room, 64, "symbolic"), &plain, 0);
    for (int i = 0; i < 2; i++) {
        bench_result r = measure(derive, arm[i].write, 64, false, NULL);
        snprintf(room, sizeof room, "\"n\": 64, \"leak\": \"%s\"", arm[i].name);
        bench_report("leaking arm", room, &r, 0);
        bench_report_guard("leaking arm", room, "ratio", r.seconds / plain.seconds, arm[i].limit);
    }
}

static void bench_every_mode(void)
{
    static const char *const forms[] = {"text", "json", "csv", "latex", "octave"};
    char room[80];
    for (int i = 0; i < 5; i++) {
        bench_result r = measure(write_modes, write_switched_ladder, 12, true, forms[i]);
        bench_report("every mode", fields(room, sizeof room, 12, forms[i]), &r, 0);
    }
}

void bench_core(const char *program)
{
    bench_result empty = bench_run(nothing, NULL);
    bench_report("nothing", "", &empty, 0);
    bench_result start = bench_run(start_program, program);
    bench_report("start-up", "", &start, 0.01);
    bench_ladders();
    bench_switched("switched ladder", write_switched_ladder, 0);
    bench_switched("converter arm", write_arm, 1);
    bench_chosen_values();
    bench_every_mode();
}
