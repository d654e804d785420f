/* cmd_report.c: junct report */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "junct/write_verify.h"
#include "latex.h"
#include "report_run.h"

static const cli_option options[] = {
    {"output", 'o', "PATH", "a folder (default: the working one), or a file: x.pdf, x.tex, x.md"},
    {"pdf", 0, NULL, "also make a PDF, with pdflatex"},
    {"format", 0, "F", "latex (the default) or md, Markdown for code hosts"},
    {"mode", 0, "M", "the equations of this mode, not of the reference mode or all"},
    RUN_OPTIONS,
    {"no-run", 0, NULL, "leave the simulation out"},
    {"verify", 0, NULL, "also what is proved about switching, as junct verify does it"},
    {"errata", 0, NULL, "also say where the published form of the method is corrected"},
    CLI_OPTION_SECONDS,
    CLI_OPTION_MEMORY,
    CLI_OPTION_END,
};

/* ".pdf", ".tex", ".md"; NULL: it names a folder. */
static const char *ending_of(const char *output)
{
    static const char *const endings[] = {".pdf", ".tex", ".md"};
    size_t length = strlen(output);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t n = strlen(endings[i]);
        if (length > n && output[length - n - 1] != '/' &&
            strcmp(output + length - n, endings[i]) == 0)
            return endings[i];
    }
    return NULL;
}

/* "x.docx", which somebody may take for a file: letters behind a dot, unless it is there as a folder
 * or a slash says so. "run-1.2" is a folder, and so is "..". */
static bool looks_like_a_file(const char *output)
{
    struct stat s;
    const char *slash = strrchr(output, '/'), *name = slash ? slash + 1 : output;
    const char *dot = strrchr(name, '.');
    if (!dot || dot == name || !isalpha((unsigned char)dot[1]))
        return false;
    return !(stat(output, &s) == 0 && S_ISDIR(s.st_mode));
}

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

/* ---- the files ----------------------------------------------------------------------------- */

typedef struct {
    jn_str folder, name; /* of the files, without their endings */
    jn_report report;
    jn_report_form form;
    bool pdf;
    bool alone;                                  /* nothing but the PDF is wanted */
    jn_str picture, run_picture, detail_picture; /* names of the files */
    jn_str modes_picture, plane_picture;
    struct jn_report_plane plane;
} writing;

static int write_file(const writing *w, const char *name, jn_str *text)
{
    jn_str path;
    jn_str_init(&path);
    jn_str_addf(&path, "%s/%s", w->folder.s, name);
    int code = cli_writes(path.s);
    if (code == CLI_DONE)
        code = cli_output_text(path.s, text);
    jn_str_clear(text);
    jn_str_clear(&path);
    return code;
}

static int write_pdf(const writing *w, const jn_str *document)
{
    jn_str path;
    jn_str_init(&path);
    jn_str_addf(&path, "%s/%s.pdf", w->folder.s, w->name.s);
    int code = cli_writes(path.s);
    if (code == CLI_DONE)
        code = cli_latex(path.s, document);
    jn_str_clear(&path);
    return code;
}

static int write_plot(const writing *w, const char *name, const jn_plot *p)
{
    jn_str text;
    jn_str_init(&text);
    jn_plot_svg(&text, p);
    return write_file(w, name, &text);
}

/* The drawing goes beside the report: Markdown shows it, and a large one has no room elsewhere. */
static int write_pictures(const writing *w)
{
    const jn_report_run *shown = w->form == JN_REPORT_MARKDOWN ? w->report.run : NULL;
    int code = CLI_DONE;
    bool beside = w->report.drawing && (!w->alone || !jn_report_has_room(w->report.drawing));
    if (beside) {
        jn_str text;
        jn_str_init(&text);
        jn_drawing_svg(&text, w->report.drawing);
        code = write_file(w, w->report.picture, &text);
    }
    if (code == CLI_DONE && w->report.switching_picture) {
        jn_str text;
        jn_str_init(&text);
        jn_verify_graph(&text, w->report.switching);
        code = write_file(w, w->report.switching_picture, &text);
    }
    if (code == CLI_DONE && w->report.plane && w->form == JN_REPORT_MARKDOWN) {
        jn_str text;
        jn_str_init(&text);
        jn_verify_plane(&text, w->report.plane->is);
        code = write_file(w, w->report.plane_picture, &text);
    }
    if (code == CLI_DONE && shown)
        code = write_plot(w, w->report.run_picture, shown->plot);
    if (code == CLI_DONE && shown && shown->detail)
        code = write_plot(w, w->report.detail_picture, shown->detail);
    return code;
}

static int write_report(const writing *w)
{
    jn_str text, name, document;
    jn_str_init(&text);
    jn_str_init(&name);
    jn_str_init(&document);
    jn_str_addf(&name, "%s.%s", w->name.s, w->form == JN_REPORT_LATEX ? "tex" : "md");
    jn_report_write(&text, &w->report, w->form);
    if (w->pdf)
        jn_str_addn(&document, text.s, text.len);
    int code = w->alone ? CLI_DONE : write_file(w, name.s, &text);
    if (code == CLI_DONE && w->pdf)
        code = write_pdf(w, &document);
    jn_str_clear(&document);
    jn_str_clear(&name);
    jn_str_clear(&text);
    return code;
}

static void name_pictures(writing *w)
{
    jn_str_addf(&w->picture, "%s.svg", w->name.s);
    jn_str_addf(&w->run_picture, "%s-run.svg", w->name.s);
    jn_str_addf(&w->detail_picture, "%s-detail.svg", w->name.s);
    jn_str_addf(&w->modes_picture, "%s-modes.svg", w->name.s);
    jn_str_addf(&w->plane_picture, "%s-plane.svg", w->name.s);
    const jn_verification *v = w->report.switching;
    if (v && v->has_successors && w->form == JN_REPORT_MARKDOWN)
        w->report.switching_picture = w->modes_picture.s;
    w->report.plane_picture = w->plane_picture.s;
    w->report.picture = w->picture.s;
    w->report.run_picture = w->run_picture.s;
    w->report.detail_picture = w->detail_picture.s;
}

static int write_files(writing *w)
{
    jn_str_init(&w->picture);
    jn_str_init(&w->run_picture);
    jn_str_init(&w->detail_picture);
    jn_str_init(&w->modes_picture);
    jn_str_init(&w->plane_picture);
    name_pictures(w);
    int code = make_folder(w->folder.s);
    if (code == CLI_DONE)
        code = write_pictures(w);
    if (code == CLI_DONE)
        code = write_report(w);
    jn_str_clear(&w->picture);
    jn_str_clear(&w->run_picture);
    jn_str_clear(&w->detail_picture);
    jn_str_clear(&w->modes_picture);
    jn_str_clear(&w->plane_picture);
    return code;
}

/* ---- switching ----------------------------------------------------------------------------- */

enum { VERIFY_SECONDS = 60 };

/* With the values put in, whatever form the equations have. */
static int verify(jn_verification **out, jn_plane **plane, const jn_witness **around, cli_model *m,
                  const cli_args *args)
{
    int x, y;
    jn_junction *numeric = NULL;
    jn_junction_options values = {.numeric = true, .limits = m->limits};
    char *folder = run_folder(args->operand);
    jn_verify_options o = {.seconds = VERIFY_SECONDS, .successors = true, .folder = folder};
    jn_status st = jn_junction_build_with(&numeric, m->graph, &values, m->diags);
    if (st == JN_OK)
        jn_junction_unlimited(numeric);
    if (st == JN_OK)
        st = jn_verify(out, numeric, &o, m->diags);
    if (st == JN_OK && jn_plane_choose(around, &x, &y, *out))
        st = jn_plane_new(plane, m->graph, *around, NULL, x, y, folder, m->diags);
    jn_junction_free(numeric);
    free(folder);
    return cli_model_report(m, st);
}

/* ---- the report ---------------------------------------------------------------------------- */

static int analyse_and_write(writing *w, const cli_model *m)
{
    jn_drawing *drawing = NULL;
    if (jn_drawing_new(&drawing, m->junction, m->alone ? w->report.mode : NULL) != JN_OK)
        cli_complain("Graphviz cannot lay out this graph: the report has no drawing");
    jn_analysis *analysis = jn_analysis_new(m->implicit);
    w->report.junction = m->junction;
    w->report.implicit = m->implicit;
    w->report.source = m->source;
    w->report.drawing = drawing;
    w->report.analysis = analysis;
    int code = write_files(w);
    jn_analysis_free(analysis);
    jn_drawing_free(drawing);
    return code;
}

/* Where the report is, and how far its run came. */
static void say_written(const writing *w)
{
    const jn_report_run *r = w->report.run;
    const char *ending = w->form == JN_REPORT_MARKDOWN ? "md" : w->pdf ? "pdf" : "tex";
    fprintf(stderr, "%s/%s.%s is written", w->folder.s, w->name.s, ending);
    if (r)
        fprintf(stderr, ", with a run to t = %.10g", r->reached);
    fputs(".\n", stderr);
}

/* "reports/x.pdf" is a file in a folder, "reports" a folder. */
static void name_files(writing *w, const char *output, const char *model)
{
    const char *ending = output ? ending_of(output) : NULL,
               *slash = output ? strrchr(output, '/') : NULL;
    jn_str_init(&w->folder);
    jn_str_init(&w->name);
    if (!ending) {
        jn_str_add(&w->folder, output ? output : ".");
        jn_str_add(&w->name, model);
        return;
    }
    const char *name = slash ? slash + 1 : output;
    jn_str_addf(&w->folder, "%.*s", slash ? (int)(slash - output) : 1, slash ? output : ".");
    if (slash == output)
        jn_str_add(&w->folder, "/.");
    jn_str_addn(&w->name, name, strlen(name) - strlen(ending));
    w->alone = strcmp(ending, ".pdf") == 0;
    w->pdf = w->pdf || w->alone;
}

/* All modes; where they do not fit into the limits, the one that was chosen. */
static int take_stages(cli_model *m, const jn_onoff *mode)
{
    int code = cli_model_settle(m, cli_model_advance(m, CLI_IMPLICIT, false), mode, false);
    if (code == CLI_DONE && m->alone)
        code = cli_model_derive(m, jn_guard_true());
    if (code == CLI_DONE)
        jn_junction_unlimited(m->junction);
    return code;
}

static int report(const cli_args *args, cli_model *m, jn_report_form form)
{
    writing w = {.form = form, .pdf = cli_value(args, "pdf")};
    name_files(&w, cli_value(args, "output"), m->graph->name);
    w.report.nset = args->nrepeated;
    w.report.set = args->repeated;
    w.report.errata = cli_value(args, "errata");
    jn_onoff *mode = NULL;
    report_run *simulation = NULL;
    jn_verification *switching = NULL;
    jn_plane *plane = NULL;
    m->bonds = true;
    int code = cli_mode_option(&mode, args, "mode", m->graph);
    if (code == CLI_DONE)
        code = take_stages(m, mode);
    if (code == CLI_DONE && !cli_value(args, "no-run"))
        code = report_run_new(&simulation, m, args);
    if (simulation)
        report_run_give(&w.report, simulation);
    w.report.mode = mode;
    if (code == CLI_DONE && cli_value(args, "verify"))
        code = verify(&switching, &plane, &w.plane.around, m, args);
    w.report.switching = switching;
    w.plane.is = plane;
    w.report.plane = plane ? &w.plane : NULL;
    if (code == CLI_DONE)
        code = analyse_and_write(&w, m);
    if (code == CLI_DONE)
        say_written(&w);
    if (code == CLI_DONE && (m->alone || (w.report.run && w.report.run->stopped)))
        code = CLI_STOPPED;
    report_run_free(simulation);
    jn_plane_free(plane);
    jn_verification_free(switching);
    free(mode);
    jn_str_clear(&w.folder);
    jn_str_clear(&w.name);
    return code;
}

/* The form that a file name asks for, and the options must not ask for another. */
static int check_name(const cli_args *args, bool *markdown)
{
    const char *output = cli_value(args, "output"), *ending = output ? ending_of(output) : NULL;
    bool is_md = ending && strcmp(ending, ".md") == 0;
    if (output && strcmp(output, "-") == 0)
        return cli_wrong_usage(args->command,
                               "'-o -': a report is made of files; name a folder or a "
                               "file, x.pdf, x.tex or x.md");
    if (output && !ending && looks_like_a_file(output))
        return cli_wrong_usage(
            args->command,
            "'-o %s': a report can be x.pdf, x.tex or x.md; for a folder of that "
            "name write '%s/'",
            output, output);
    if (!ending)
        return CLI_DONE;
    if (cli_value(args, "format") && *markdown != is_md)
        return cli_wrong_usage(args->command, "'%s' and '--format %s' are two forms", output,
                               cli_value(args, "format"));
    if (cli_value(args, "pdf") && is_md)
        return cli_wrong_usage(args->command, "'%s' is not LaTeX: '--pdf' needs it", output);
    *markdown = is_md;
    return CLI_DONE;
}

static int run_command(const cli_args *args)
{
    static const char *const of_run[] = {"to", "every", "sequence"};
    const char *form = cli_value(args, "format");
    bool markdown = form && (strcmp(form, "md") == 0 || strcmp(form, "markdown") == 0);
    if (form && !markdown && strcmp(form, "latex") != 0)
        return cli_wrong_usage(args->command, "'--format %s': latex or md", form);
    if (markdown && cli_value(args, "pdf"))
        return cli_wrong_usage(args->command, "'--pdf' needs '--format latex'");
    for (size_t i = 0; i < sizeof of_run / sizeof of_run[0]; i++)
        if (cli_value(args, "no-run") && cli_value(args, of_run[i]))
            return cli_wrong_usage(args->command, "choose one of '--no-run' and '--%s'", of_run[i]);
    int code = check_name(args, &markdown);
    if (code != CLI_DONE)
        return code;
    cli_model m;
    code = cli_model_open_within(&m, args);
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
        "The report and the drawing are named after the model, chopper.tex, chopper.svg, unless\n"
        "a file is named: -o x.pdf writes that file alone. It has the drawn bond graph,\n"
        "causality, forbidden modes, the matrices of all modes, and the equations of single\n"
        "modes: of each if there are at most 16, else of the reference mode. If the model says\n"
        "for how long it runs, it is run, and its outputs, energies and events are in the\n"
        "report. Where the limits do not allow all modes to be examined, a report with --mode\n"
        "is about that mode alone, and the exit code is 3.",
    .options = options,
    .run = run_command,
};
