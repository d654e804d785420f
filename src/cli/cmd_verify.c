/* cmd_verify.c: junct verify */
#include <stdlib.h>
#include <string.h>

#include "junct/write_verify.h"
#include "run.h"

enum { DEFAULT_SECONDS = 60, MOST_CHANGES = 200 };

static const cli_option options[] = {
    {"graph", 0, "FILE", "draw which modes can follow which: .svg, .png or .pdf"},
    {"plot", 0, "X,Y", "draw where instants end over two states, with -o: p(mx),p(my)"},
    {"at", 0, "X=VALUE,...", "with --plot: other states than in what was found: p(J)=1/2"},
    {"write-case", 0, "FILE", "write a model that begins in the first state that was found"},
    {"max-seconds", 0, "S", "processor time for all questions, default 60; 0: any"},
    {"max-changes", 0, "N", "how long a cascade is followed, default 40"},
    CLI_OPTION_JSON,
    CLI_OPTION_SET,
    CLI_OPTION_OUTPUT,
    CLI_OPTION_END,
};

/* ---- options ------------------------------------------------------------------------------- */

static int read_limits(jn_verify_options *o, const cli_args *args)
{
    const char *seconds = cli_value(args, "max-seconds"), *changes = cli_value(args, "max-changes");
    char *end = NULL;
    o->seconds = seconds ? jn_strtod(seconds, &end) : DEFAULT_SECONDS;
    if (seconds && (*end || end == seconds || !(o->seconds >= 0)))
        return cli_wrong_usage(args->command, "--max-seconds %s: a number of seconds is meant",
                               seconds);
    o->most_changes = changes ? (int)strtol(changes, &end, 10) : 0;
    if (changes && (*end || o->most_changes < 1 || o->most_changes > MOST_CHANGES))
        return cli_wrong_usage(args->command, "--max-changes %s: a number from 1 to %d is meant",
                               changes, MOST_CHANGES);
    return CLI_DONE;
}

/* The storage that p(NAME), q(NAME) or NAME means; −1: none. */
static int storage_named(const jn_graph *g, const char *text, size_t length)
{
    if (length > 3 && text[1] == '(' && text[length - 1] == ')') {
        text += 2;
        length -= 3;
    }
    for (int i = 0; i < g->nstorages; i++) {
        const char *name = g->element[g->storage[i]].name;
        if (strlen(name) == length && !strncmp(name, text, length))
            return i;
    }
    return -1;
}

static int read_plane(int *x, int *y, const cli_args *args, const jn_graph *g)
{
    const char *text = cli_value(args, "plot"), *comma = text ? strchr(text, ',') : NULL;
    *x = *y = -1;
    if (!text)
        return CLI_DONE;
    if (comma) {
        *x = storage_named(g, text, (size_t)(comma - text));
        *y = storage_named(g, comma + 1, strlen(comma + 1));
    }
    return *x >= 0 && *y >= 0 && *x != *y
               ? CLI_DONE
               : cli_wrong_usage(args->command,
                                 "--plot %s: two states are meant, as in --plot 'p(L1),q(C1)'",
                                 text);
}

/* The states of a witness, to be changed; NULL: zeros. */
static fmpq *new_state(const jn_witness *w, int n)
{
    fmpq *x = jn_alloc((size_t)n * sizeof *x + 1);
    for (int i = 0; i < n; i++) {
        fmpq_init(x + i);
        if (w)
            fmpq_set(x + i, w->x + i);
    }
    return x;
}

static void free_state(fmpq *x, int n)
{
    for (int i = 0; i < n; i++)
        fmpq_clear(x + i);
    free(x);
}

/* --at 'p(J)=1/2,q(C)=3' */
static int read_at(fmpq *state, const cli_args *args, const jn_graph *g)
{
    const char *text = cli_value(args, "at");
    while (text && *text) {
        size_t length = strcspn(text, ","), name = strcspn(text, "=");
        int i = name < length ? storage_named(g, text, name) : -1;
        if (i < 0 || jn_number_parse(state + i, text + name + 1, length - name - 1) != JN_OK)
            return cli_wrong_usage(
                args->command, "--at %s: values of states are meant, as in --at 'p(L1)=1/2'", text);
        text += length + (text[length] == ',');
    }
    return CLI_DONE;
}

/* Before time is spent on the answers. */
static int check_at(const cli_args *args, const jn_graph *g)
{
    fmpq *state = new_state(NULL, g->nstorages);
    int code = read_at(state, args, g);
    free_state(state, g->nstorages);
    return code;
}

/* ---- results ------------------------------------------------------------------------------- */

/* What is looked at in a plane: the first thing that was refuted, or found and not confirmed. */
static const jn_witness *first_witness(const jn_verification *v)
{
    const jn_finding *in_order[] = {&v->settling, &v->dead_ends, &v->races};
    for (size_t i = 0; i < sizeof in_order / sizeof *in_order; i++)
        if (in_order[i]->verdict == JN_REFUTED && in_order[i]->witness)
            return in_order[i]->witness;
    for (int i = 0; i < v->nasserts; i++)
        if (v->assertion[i].verdict == JN_REFUTED && v->assertion[i].witness)
            return v->assertion[i].witness;
    return NULL;
}

static int write_plane(const cli_args *args, cli_model *m, const jn_verification *v, int x, int y,
                       const char *folder)
{
    const jn_witness *w = first_witness(v);
    jn_plane *p = NULL;
    if (!w) {
        cli_complain("nothing was refuted: there is no state to draw a plane around");
        return CLI_DONE;
    }
    fmpq *state = new_state(w, w->nx);
    int code = read_at(state, args, m->graph);
    if (code == CLI_DONE)
        code = cli_model_report(m, jn_plane_new(&p, m->graph, w, state, x, y, folder, m->diags));
    free_state(state, w->nx);
    if (code == CLI_DONE) {
        jn_str svg;
        jn_str_init(&svg);
        jn_verify_plane(&svg, p);
        code = cli_picture_write(cli_value(args, "output"), &svg);
    }
    jn_plane_free(p);
    return code;
}

/* 1 + the number of the assert whose witness it is; 0: of none. */
static int claim_of(const jn_verification *v, const jn_witness *w)
{
    for (int i = 0; i < v->nasserts; i++)
        if (v->assertion[i].witness == w)
            return i + 1;
    return 0;
}

/* Where only the order of changes matters, the instant ends. */
static int write_case(const cli_args *args, cli_model *m, const jn_verification *v,
                      const char *folder)
{
    const char *path = cli_value(args, "write-case");
    const jn_witness *w = first_witness(v);
    jn_str text, says;
    if (!path)
        return CLI_DONE;
    if (!w) {
        cli_complain("nothing was refuted: there is no state to write a case of");
        return CLI_DONE;
    }
    jn_str_init(&text);
    jn_str_init(&says);
    jn_case_options o = {.ends = w == v->races.witness, .claim = claim_of(v, w), .folder = folder};
    jn_status st = jn_verify_case(&text, &says, m->graph, m->source, w, &o, m->diags);
    int code = st == JN_UNABLE ? CLI_STOPPED : cli_model_report(m, st);
    if (st == JN_UNABLE)
        cli_complain("%s is not written: %s", path, jn_str_c(&says));
    else if (code == CLI_DONE)
        code = cli_output_text(path, &text);
    if (st == JN_OK && code == CLI_DONE && says.len)
        cli_complain("%s is written; tried at once: %s", path, jn_str_c(&says));
    jn_str_clear(&text);
    jn_str_clear(&says);
    return code;
}

static int write_graph(const cli_args *args, const jn_verification *v)
{
    const char *path = cli_value(args, "graph");
    jn_str svg;
    if (!path)
        return CLI_DONE;
    if (v->successors_why)
        cli_complain("%s: the graph of modes %s", v->successors_why,
                     v->has_successors ? "is not complete" : "is not drawn");
    if (!v->has_successors)
        return CLI_DONE; /* what is refuted or open says so in the exit code */
    jn_str_init(&svg);
    jn_verify_graph(&svg, v);
    return cli_picture_write(path, &svg);
}

static int write_answers(const cli_args *args, const jn_verification *v, const char *path)
{
    jn_str out;
    jn_str_init(&out);
    if (cli_value(args, "json"))
        jn_verify_json(&out, v);
    else
        jn_verify_text(&out, v, cli_width(path));
    return cli_output_text(path, &out);
}

static int exit_code(const cli_model *m, const jn_verification *v)
{
    jn_proof all = jn_verification_verdict(v);
    if (all != JN_PROVED && cli_signal())
        cli_complain("%s: %s: what was not decided by then is open", m->graph->name, cli_signal());
    return all == JN_PROVED ? CLI_DONE : all == JN_REFUTED ? CLI_REFUTED : CLI_STOPPED;
}

static int verify(const cli_args *args, cli_model *m, jn_verify_options *o)
{
    jn_verification *v = NULL;
    int x, y, code = read_plane(&x, &y, args, m->graph);
    if (code == CLI_DONE)
        code = check_at(args, m->graph);
    if (code != CLI_DONE)
        return code;
    char *folder = run_folder(args->operand);
    o->folder = folder;
    cli_stage_begin();
    jn_status st = jn_verify(&v, m->junction, o, m->diags);
    cli_stage_end();
    code = cli_model_report(m, st);
    if (code == CLI_DONE)
        code = write_answers(args, v, x >= 0 ? NULL : cli_value(args, "output"));
    if (code == CLI_DONE && x >= 0)
        code = write_plane(args, m, v, x, y, o->folder);
    if (code == CLI_DONE)
        code = write_graph(args, v);
    if (code == CLI_DONE)
        code = write_case(args, m, v, o->folder);
    if (code == CLI_DONE)
        code = exit_code(m, v);
    jn_verification_free(v);
    free(folder);
    return code;
}

static int run_command(const cli_args *args)
{
    jn_verify_options o = {.successors = cli_value(args, "graph")};
    cli_model m;
    int code = read_limits(&o, args);
    if (code == CLI_DONE)
        code = cli_picture_check(args, "graph");
    if (code == CLI_DONE && cli_value(args, "plot") && !cli_value(args, "output"))
        code = cli_wrong_usage(args->command, "'--plot' needs '-o FILE' for the picture");
    if (code == CLI_DONE && cli_value(args, "at") && !cli_value(args, "plot"))
        code = cli_wrong_usage(args->command, "'--at' needs '--plot'");
    if (code == CLI_DONE && cli_value(args, "plot"))
        code = cli_picture_check(args, "output");
    if (code != CLI_DONE)
        return code;
    code = cli_model_load(&m, args->operand, CLI_GRAPH, true);
    if (code == CLI_DONE)
        code = run_set_values(m.graph, args);
    m.bonds = true;
    if (code == CLI_DONE)
        code = cli_model_advance(&m, CLI_JUNCTION, true);
    if (code == CLI_DONE)
        code = verify(args, &m, &o);
    cli_model_clear(&m);
    return code;
}

const cli_command cmd_verify = {
    .name = "verify",
    .operand = "FILE",
    .summary = "Prove that switching settles, or find a state where it does not",
    .details =
        "For all states and modes at once: do the changes of an instant always come to an end,\n"
        "never in a conflict of sources, whatever their order; what never happens; do the\n"
        "model's asserts hold, within its bounds. Each answer is proved, refuted with an exact\n"
        "state that a run confirms, or open with the reason. Exit code 4: something is refuted,\n"
        "3: something is open.",
    .options = options,
    .run = run_command,
};
