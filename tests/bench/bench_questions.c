/* bench_questions.c: what the program takes for each question, family by family.
 *
 * Questions about a mode, and a run of a few events, cost in proportion to the model: they are guarded as
 * ratios to a loop of fixed work, with their memory. Questions about all modes are asked with a limit of
 * two seconds: they answer, or say within the limit what is open (exit code 3). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "bench_models.h"

typedef struct {
    const char *program, *folder, *arguments;
} job;

typedef struct {
    const char *name, *arguments; /* $D: the folder */
    double loops, megabytes;      /* what it may take */
} question;

static const question questions[] = {
    {"simulate", "simulate -q $D/model.hbg --sequence $D/modes.csv --to 1 --every 1", 60, 100},
    {"modes --mode", "modes $D/model.hbg --mode $(cat $D/mode)", 10, 30},
    {"matrices --mode", "matrices $D/model.hbg --mode $(cat $D/mode)", 10, 30},
    {"analyse --mode", "analyse $D/model.hbg --mode $(cat $D/mode)", 100, 60},
    {"check", "check $D/model.hbg --max-seconds 2", 400, 400},
    {"modes", "modes $D/model.hbg --max-seconds 2", 400, 400},
};

static bool ask(const void *arg, double *count)
{
    const job *j = arg;
    jn_str command;
    jn_str_init(&command);
    jn_str_addf(&command, "D=%s; %s %s -o $D/answer 2>/dev/null", j->folder, j->program,
                j->arguments);
    int status = system(jn_str_c(&command));
    jn_str_clear(&command);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    *count = code;
    return code == 0 || code == 3;
}

/* ---- files --------------------------------------------------------------------------------- */

static void write_file(const char *folder, const char *name, const jn_str *text)
{
    char path[120];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    if (!f)
        return;
    fputs(jn_str_c(text), f);
    fclose(f);
}

/* The family's mode and all OFF in turn. */
static void write_sequence(jn_str *out, const bench_family *f, int n, const jn_graph *g)
{
    jn_str_add(out, "t");
    for (int i = 0; i < g->nswitches; i++)
        jn_str_addf(out, ",\"%s\"", g->switch_name[i]);
    for (int row = 0; row < 5; row++) {
        jn_str_addf(out, "\n%g", row / 10.0);
        for (int i = 0; i < g->nswitches; i++)
            jn_str_add(out, row % 2 == 0 && f->is_on(i, n) ? ",1" : ",0");
    }
    jn_str_add(out, "\n");
}

static bool write_files(const char *folder, const bench_family *f, int n)
{
    jn_str text, mode, sequence;
    jn_arena *arena = jn_arena_new();
    jn_diags *d = jn_diags_new();
    jn_graph *g = NULL;
    jn_str_init(&text);
    jn_str_init(&mode);
    jn_str_init(&sequence);
    f->write(&text, n);
    bool ok = jn_graph_read(&g, jn_source_of(arena, "bench", text.s, text.len), d) == JN_OK;
    for (int i = 0; ok && i < g->nswitches; i++)
        jn_str_add(&mode, f->is_on(i, n) ? "1" : "0");
    if (ok) {
        write_sequence(&sequence, f, n, g);
        write_file(folder, "model.hbg", &text);
        write_file(folder, "mode", &mode);
        write_file(folder, "modes.csv", &sequence);
    }
    jn_str_clear(&text);
    jn_str_clear(&mode);
    jn_str_clear(&sequence);
    jn_graph_free(g);
    jn_diags_free(d);
    jn_arena_free(arena);
    return ok;
}

/* ---- measurements -------------------------------------------------------------------------- */

/* Returns the seconds it took; `before`: those of half the size or so, 0: there is none. */
static double measure(const job *j, const question *q, const bench_family *f, int i, double before)
{
    char name[80], room[80];
    bench_result r = bench_run(ask, j);
    snprintf(name, sizeof name, "%s, %s", f->name, q->name);
    snprintf(room, sizeof room, "\"n\": %d, \"answered\": %s", f->size[i],
             r.count == 0 ? "true" : "false");
    bench_report(name, room, &r, 0);
    snprintf(room, sizeof room, "\"n\": %d", f->size[i]);
    bench_report_guard(name, room, "loops", bench_loops(r.seconds), q->loops);
    bench_report_guard(name, room, "megabytes", (double)r.peak_kib / 1024, q->megabytes);
    if (before > 0 && r.count == 0)
        bench_report_guard(name, room, "exponent",
                           log(r.seconds / before) / log((double)f->size[i] / f->size[i - 1]), 0);
    return r.count == 0 ? r.seconds : 0;
}

static void measure_family(const char *program, const char *folder, const bench_family *f)
{
    enum { NQUESTIONS = sizeof questions / sizeof questions[0] };
    double before[NQUESTIONS] = {0};
    for (int i = 0; i < BENCH_SIZES; i++) {
        if (!write_files(folder, f, f->size[i]))
            continue;
        for (int k = 0; k < NQUESTIONS; k++) {
            job j = {.program = program, .folder = folder, .arguments = questions[k].arguments};
            before[k] = measure(&j, &questions[k], f, i, before[k]);
        }
    }
}

void bench_questions(const char *program)
{
    static const char *const files[] = {"model.hbg", "mode", "modes.csv", "answer"};
    char folder[] = "/tmp/junct-bench-XXXXXX", path[80];
    if (!mkdtemp(folder))
        return;
    for (const bench_family *f = bench_families; f->name; f++)
        measure_family(program, folder, f);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    rmdir(folder);
}
