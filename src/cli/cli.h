/* cli.h: the command line program.
 *
 * A command is one file, cmd_NAME.c, and one line in the table of commands.c. It declares its
 * options; parsing them, help texts, reading the model and writing the result are shared. Only
 * here is anything printed, and only main() exits. */
#ifndef CLI_H
#define CLI_H

#include <stdio.h>
#include <sys/types.h>

#include "junct.h"
#include "junct/trace.h"
#include "junct/write.h"

/* Exit codes: part of the interface. */
enum {
    CLI_DONE = 0,
    CLI_WRONG_MODEL = 1,
    CLI_WRONG_USAGE = 2,
    CLI_STOPPED = 3, /* what was computed is written, and the reason given */
    CLI_REFUTED = 4  /* of proofs: something does not hold */
};

/* ---- commands and options ------------------------------------------------------------------ */

typedef struct {
    const char *name;     /* without the dashes; NULL ends a list */
    char letter;          /* 'o' for -o, or 0 */
    const char *argument; /* "M"; "M..." may be given several times; NULL: a flag */
    const char *help;     /* one line */
} cli_option;

/* Options that several commands have, for their lists. */
/* clang-format off */
#define CLI_OPTION_MODE \
    {"mode", 0, "M", "only this mode: 100 in the order of declaration, or s1=1,s2=0,..."}
#define CLI_OPTION_ALL {"all", 0, NULL, "every mode, one after the other"}
#define CLI_OPTION_FORCE {"force", 0, NULL, "with --all: even if there are more than 4096 modes"}
#define CLI_OPTION_JSON {"json", 0, NULL, "write JSON"}
#define CLI_OPTION_CSV {"csv", 0, NULL, "write comma-separated values"}
#define CLI_OPTION_LATEX {"latex", 0, NULL, "write LaTeX, for a document with amsmath"}
#define CLI_OPTION_OCTAVE {"octave", 0, NULL, "write a program for Octave or MATLAB"}
#define CLI_OPTION_SET \
    {"set", 0, "NAME=VALUE...", "another value for a parameter, an element or a source"}
#define CLI_OPTION_JOBS \
    {"jobs", 'j', "N", "with --all: share the work among N processes, default 1"}
#define CLI_OPTION_SECONDS \
    {"max-seconds", 0, "S", "processor time for what all modes share, default 60; 0: any"}
#define CLI_OPTION_MEMORY \
    {"max-memory", 0, "MB", "memory for it, default 2000; 0: any"}
#define CLI_OPTION_OUTPUT {"output", 'o', "FILE", "write to FILE instead of standard output"}
#define CLI_OPTION_END {NULL, 0, NULL, NULL}
/* clang-format on */

enum { CLI_OPTIONS_MAX = 40, CLI_REPEATED_MAX = 1000 };

typedef struct cli_command cli_command;

typedef struct {
    const cli_command *command;
    const char *operand;                /* NULL: not given */
    bool help;                          /* --help was given */
    const char *value[CLI_OPTIONS_MAX]; /* by option: its argument, "" for a flag, or NULL */
    /* The arguments of options that may be given several times, in the order given, and whose they
     * are. */
    int nrepeated;
    const char *repeated[CLI_REPEATED_MAX];
    int repeated_of[CLI_REPEATED_MAX];
} cli_args;

struct cli_command {
    const char *name;
    const char *operand; /* "FILE", "[COMMAND]" (optional), or NULL: none */
    const char *summary; /* one line */
    const char *details; /* paragraphs, or NULL */
    const cli_option *options;
    int (*run)(const cli_args *args); /* returns the exit code */
};

/* All commands, ended by NULL. */
extern const cli_command *const cli_commands[];
extern const cli_command cmd_check, cmd_modes, cmd_matrices, cmd_analyse, cmd_simulate, cmd_steady,
    cmd_bode, cmd_sweep, cmd_verify, cmd_draw, cmd_report, cmd_page, cmd_new, cmd_help, cmd_version;
/* NULL when there is none of that name, said on standard error. */
const cli_command *cli_find_command(const char *name);

/* Parses what follows the command. False when it is wrong, said on standard error. */
bool cli_parse(cli_args *args, const cli_command *command, int argc, char *const *argv);
/* The argument of an option of the command, "" for a flag that was given, NULL if it was not. */
const char *cli_value(const cli_args *args, const char *option);

/* The arguments of an option that may be given several times, one after the other; *at is 0 before the
 * first. NULL: there are no more. */
const char *cli_next(const cli_args *args, const char *option, int *at);

void cli_help(jn_str *out); /* of the program */
void cli_command_help(jn_str *out, const cli_command *command);

/* UTF-8, or where the reader's locale is another, ASCII. */
void cli_choose_characters(void);
/* In the reader's characters. */
void cli_print_error(const char *s);
/* "junct: …" on standard error. */
void cli_complain(const char *fmt, ...) JN_PRINTF(1, 2);
/* The same, and where to find help; returns CLI_WRONG_USAGE. */
int cli_wrong_usage(const cli_command *command, const char *fmt, ...) JN_PRINTF(2, 3);

/* ---- the model ----------------------------------------------------------------------------- */

typedef struct {
    jn_arena *arena;
    jn_diags *diags;
    const jn_source *source;
    jn_graph *graph;
    jn_junction *junction;
    jn_implicit *implicit;
    jn_limits limits; /* of the stages over all modes */
    bool bonds;       /* their strokes in all modes are asked for; set before the stages are taken */
    bool alone;       /* all modes did not fit into the limits: only one of them is there */
} cli_model;

typedef enum {
    CLI_SOURCE,
    CLI_GRAPH,
    CLI_CHECK, /* the junction structure; without switches, that of the only mode */
    CLI_JUNCTION,
    CLI_IMPLICIT
} cli_stage;

/* Reads a model file and takes it through the stages up to one; shows all diagnostics. Returns
 * the exit code: only with CLI_DONE may results be written. Clear it in any case. */
int cli_model_load(cli_model *m, const char *path, cli_stage upto, bool numeric);
/* Up to the graph; warnings wait for what the next stage has to say. Likewise. */
int cli_model_open(cli_model *m, const char *path);
/* The same for the operand of a command, with the values that its options set; the stages from
 * there on keep within their limits. */
int cli_model_open_within(cli_model *m, const cli_args *args);
/* That, and the stages up to one. */
int cli_model_load_within(cli_model *m, const cli_args *args, cli_stage upto);
/* What can be said of a model whose form of all modes does not fit into the limits: counts of
 * elements, and bounds for the numbers of modes. */
int cli_model_bounds(cli_model *m, const char *path);
/* Whether that is all that can be said: the junction structure of all modes, which was asked for,
 * did not fit. */
bool cli_model_is_beyond(const cli_model *m, const cli_args *args, int code);
/* On from where it stands; likewise. */
int cli_model_advance(cli_model *m, cli_stage upto, bool numeric);
/* From the junction structure to the implicit equation, in the modes of `where`; likewise. */
int cli_model_derive(cli_model *m, jn_guard where);
/* From the graph to the junction structure of one mode; likewise. */
int cli_model_take_mode(cli_model *m, const jn_onoff *mode, bool numeric);
/* The same of two modes: of all that have the switches in which they agree as they have them. */
int cli_model_take_modes(cli_model *m, const jn_onoff *a, const jn_onoff *b, bool numeric);
/* After stages over all modes, which ended with the code: where they did not fit into the limits and
 * a mode was chosen, that mode alone, which is said. */
int cli_model_settle(cli_model *m, int code, const jn_onoff *mode, bool numeric);
void cli_model_clear(cli_model *m);
/* Says which sources read the model, which the equations leave out. */
void cli_model_feedback(cli_model *m);
/* Shows the diagnostics on standard error, once, and turns a stage's status into an exit code. */
int cli_model_report(cli_model *m, jn_status status);

/* The mode that an option names goes to *mode, free it; untouched when it is not given. Returns the
 * exit code. */
int cli_mode_option(jn_onoff **mode, const cli_args *args, const char *option, const jn_graph *g);
/* That of --mode; --all of very many needs --force. */
int cli_mode_choose(jn_onoff **mode, const cli_args *args, const jn_graph *g);
/* Every mode in turn, until f returns false or a signal came, which is said; returns the exit code.
 * They are counted on a terminal that shows nothing else, at every so many. */
int cli_mode_each(const jn_junction *j, int every, bool (*f)(const jn_onoff *m, void *context),
                  void *context);
/* Says how many modes are written, if a signal came; returns the exit code. */
int cli_mode_told(const jn_junction *j, long written);

/* ---- signals ------------------------------------------------------------------------------- */

/* From now on SIGINT, SIGTERM and SIGHUP leave a note, and the command ends early with CLI_STOPPED,
 * within a second. A full disk or a reader that went away become errors of writing; no memory,
 * one message. */
void cli_catch_signals(void);
/* What is done when there is no memory, in any library; it must not return. */
void cli_memory(void (*exhausted)(size_t bytes));
/* "interrupted (SIGINT)"; NULL: none came. Whoever gets one should write what there is, and end. */
const char *cli_signal(void);
/* Around a stage of the library, which a signal may then interrupt. */
void cli_stage_begin(void);
void cli_stage_end(void);
/* What is to be cleared away when there is no time: a file that is being written, a process, a
 * folder for LaTeX (NULL: none; false: its name is too long). */
void cli_watch(jn_sink *s);
void cli_unwatch(const jn_sink *s);
void cli_watch_child(pid_t pid); /* with all of its group */
/* In a copy of the program: signals end it at once, and nothing is its to be cleared away. */
void cli_forget_signals(void);
bool cli_watch_folder(const char *path);
void cli_remove_folder(void); /* the one watched, if any */
#define CLI_LATEX_JOB "document"

/* ---- files --------------------------------------------------------------------------------- */

/* Every file that is read or written is announced before: when the same file is both, or is written
 * twice, that is said, and CLI_WRONG_USAGE returned. The role: "the model itself". */
int cli_reads(const char *path, const char *role);
int cli_writes(const char *path);
int cli_files_of_options(const cli_args *args);
int cli_files_of_model(const jn_graph *g, const char *folder); /* its tables */
void cli_files_clear(void);

/* ---- the result ---------------------------------------------------------------------------- */

/* Standard output, or a file that takes its name only when it is complete. */
typedef struct {
    jn_sink *sink; /* NULL: it could not be opened */
    int code;      /* CLI_DONE, or CLI_STOPPED after a failure */
} cli_output;

/* Says why a file could not be written, if there is anything to be said, and clears that. Returns
 * the exit code. */
int cli_output_told(jn_status status, jn_str *why);
/* path: NULL or "-" for standard output. Returns the exit code. */
int cli_output_open(cli_output *o, const char *path);
/* Writes the text and empties it. False after a failure, which is said when it is closed. */
bool cli_output_put(cli_output *o, jn_str *text);
/* Returns the exit code. */
int cli_output_close(cli_output *o);
/* Gives up: a file is not written. Closing it then returns CLI_STOPPED. */
void cli_output_discard(cli_output *o);
/* All of it in one go; clears the text. */
int cli_output_text(const char *path, jn_str *text);

/* Runs a program of somebody else: `become` turns a child into it, and returns if it cannot. Its exit
 * code, or CLI_NOT_FOUND; −1 when it did not end by itself, which is said, with what is the case then. */
enum { CLI_NOT_FOUND = 125 }; /* 127 is also that of a program whose libraries are missing */
int cli_run_program(const char *name, void (*become)(const void *ctx), const void *ctx,
                    const char *otherwise);

/* The file that an option names must end in .svg, .png or .pdf; returns the exit code. */
int cli_picture_check(const cli_args *args, const char *option);
/* Writes a picture in SVG to such a file (NULL or "-": as SVG to standard output); clears it. Returns
 * the exit code. */
int cli_picture_write(const char *path, jn_str *svg);

/* Columns of text that fit the reader's screen. */
int cli_width(const char *output_path);

/* What is written for every mode. */
typedef struct {
    const jn_junction *junction;
    int every;                                       /* modes between two signs of life */
    int batch;                                       /* modes a worker is given at a time */
    void (*write)(const jn_onoff *m, void *context); /* adds to the text */
    void *context;
    jn_str *text;
    long *written; /* how many modes have been written: the writers count them */
} cli_modes;

/* All bytes, through a pipe; false: the other end is gone. */
bool cli_write_all(int to, const void *data, size_t n);
bool cli_read_all(int from, void *data, size_t n);
/* The number of worker processes that --jobs asks for; returns the exit code. */
int cli_jobs_option(int *jobs, const cli_args *args);
/* Every mode in turn, by that many processes; the output is the same for any number. What goes
 * wrong is said. Returns the exit code, unless closing the output gives a worse one. */
int cli_modes_write(const cli_modes *modes, int jobs, cli_output *o);

/* Writes modes or matrices of the model as the options say: --mode, --all, --force, --numeric,
 * --output and the form. Returns the exit code. */
int cli_list(const cli_args *args, jn_write_what what);
/* Whether --mode, --all, --force and the forms make sense together; returns the exit code. */
int cli_check_write_options(const cli_args *args);
/* Whether people are told what all modes have in common: no single mode, no form for programs. */
bool cli_is_text_of_all(const cli_args *args);
const char *cli_form(const cli_args *args); /* "json", …; "text" when none is chosen */

#endif
