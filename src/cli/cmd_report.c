/* cmd_report.c: junct report */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "junct/report.h"
#include "latex.h"

static const cli_option options[] = {
    {"output", 'o', "DIR", "write into this folder (default: the working directory)"},
    {"pdf", 0, NULL, "also make a PDF, with pdflatex"},
    {"format", 0, "F", "latex (the default) or md, Markdown for code hosts"},
    {"mode", 0, "M", "the equations of this mode, not of the reference mode or all"},
    CLI_OPTION_END,
};

/* The folder, made if it is not there. */
static int make_folder(const char *folder)
{
    struct stat s;
    if (mkdir(folder, 0777) == 0 || (stat(folder, &s) == 0 && S_ISDIR(s.st_mode)))
        return CLI_DONE;
    cli_complain("cannot make the folder %s: %s", folder,
                 strerror(errno == EEXIST ? ENOTDIR : errno));
    return CLI_STOPPED;
}

static int write_file(const char *folder, const char *name, const char *ending, jn_str *text)
{
    jn_str path;
    jn_str_init(&path);
    jn_str_addf(&path, "%s/%s.%s", folder, name, ending);
    int code = cli_output_text(path.s, text);
    jn_str_clear(&path);
    return code;
}

/* The drawing goes beside the report: Markdown shows it, and a large one has no room elsewhere. */
static int write_files(const jn_report *r, jn_report_form form, const char *folder)
{
    const char *name = r->junction->graph->name;
    jn_str text;
    jn_str_init(&text);
    int code = CLI_DONE;
    if (r->drawing) {
        jn_drawing_svg(&text, r->drawing);
        code = write_file(folder, name, "svg", &text);
    }
    if (code == CLI_DONE) {
        jn_str_reset(&text);
        jn_report_write(&text, r, form);
        code = write_file(folder, name, form == JN_REPORT_LATEX ? "tex" : "md", &text);
    }
    jn_str_clear(&text);
    return code;
}

static int report(const cli_args *args, const cli_model *m, jn_report_form form)
{
    const char *folder = cli_value(args, "output"), *mode_text = cli_value(args, "mode");
    jn_onoff *mode = NULL;
    jn_drawing *drawing = NULL;
    int code = CLI_DONE;
    if (mode_text)
        code = cli_mode_parse(&mode, m->graph, mode_text);
    if (code == CLI_DONE)
        code = make_folder(folder ? folder : ".");
    if (code == CLI_DONE) {
        if (jn_drawing_new(&drawing, m->junction, NULL) != JN_OK)
            cli_complain("Graphviz cannot lay out this graph: the report has no drawing");
        jn_str picture;
        jn_str_init(&picture);
        jn_str_addf(&picture, "%s.svg", m->graph->name);
        jn_analysis *analysis = jn_analysis_new(m->implicit);
        jn_report r = {.junction = m->junction,
                       .implicit = m->implicit,
                       .source = m->source,
                       .drawing = drawing,
                       .picture = picture.s,
                       .analysis = analysis,
                       .mode = mode};
        code = write_files(&r, form, folder ? folder : ".");
        jn_analysis_free(analysis);
        jn_str_clear(&picture);
    }
    if (code == CLI_DONE && cli_value(args, "pdf"))
        code = cli_latex(folder ? folder : ".", m->graph->name);
    if (code == CLI_DONE && cli_value(args, "pdf"))
        cli_latex_tidy(folder ? folder : ".", m->graph->name);
    jn_drawing_free(drawing);
    free(mode);
    return code;
}

static int run(const cli_args *args)
{
    const char *form = cli_value(args, "format");
    bool markdown = form && (strcmp(form, "md") == 0 || strcmp(form, "markdown") == 0);
    if (form && !markdown && strcmp(form, "latex") != 0)
        return cli_wrong_usage(args->command, "'--format %s': latex or md", form);
    if (markdown && cli_value(args, "pdf"))
        return cli_wrong_usage(args->command, "'--pdf' needs '--format latex'");
    cli_model m;
    int code = cli_model_load(&m, args->operand, CLI_IMPLICIT, false);
    if (code == CLI_DONE)
        code = report(args, &m, markdown ? JN_REPORT_MARKDOWN : JN_REPORT_LATEX);
    cli_model_clear(&m);
    return code;
}

const cli_command cmd_report = {
    .name = "report",
    .operand = "FILE",
    .summary = "Write a report in LaTeX or Markdown",
    .details =
        "The report and the drawing are called after the model: boost.tex, boost.svg. It has\n"
        "the drawn bond graph, causality, forbidden modes, the matrices of all modes, and\n"
        "the equations of single modes: of each if there are at most 16, else of the\n"
        "reference mode.",
    .options = options,
    .run = run,
};
