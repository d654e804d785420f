/* latex.c: a LaTeX document to PDF, by pdflatex, and its errors in plain words.
 *
 * The names of models and files are no part of the command: pdflatex reads one fixed name in a
 * folder of its own, may not run other programs, and has a limit of time. So any name will do, and
 * several reports can be made at once. The folder is removed however it ends. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "latex.h"

enum { RUNS_MAX = 4 };

/* ---- the folder ---------------------------------------------------------------------------- */

static int make_folder(jn_str *folder)
{
    const char *tmp = getenv("TMPDIR");
    jn_str_addf(folder, "%s/junct.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (mkdtemp(folder->s) && cli_watch_folder(folder->s))
        return CLI_DONE;
    cli_complain("cannot make a folder %s: %s", folder->s, strerror(errno));
    return CLI_STOPPED;
}

static char *path_in(const char *folder, const char *ending)
{
    jn_str path;
    jn_str_init(&path);
    jn_str_addf(&path, "%s/" CLI_LATEX_JOB "%s", folder, ending);
    return path.s;
}

static int write_document(const char *folder, const jn_str *document)
{
    char *path = path_in(folder, ".tex");
    FILE *f = fopen(path, "wbx");
    bool good = f && fwrite(jn_str_c(document), 1, document->len, f) == document->len;
    good = f && fclose(f) == 0 && good;
    if (!good)
        cli_complain("cannot write %s: %s", path, strerror(errno));
    free(path);
    return good ? CLI_DONE : CLI_STOPPED;
}

/* The bytes of a file in the folder; none if it cannot be read. */
static bool read_back(jn_str *out, const char *folder, const char *ending)
{
    char *path = path_in(folder, ending), piece[4096];
    FILE *f = fopen(path, "rb");
    size_t n;
    jn_str_add(out, "");
    while (f && (n = fread(piece, 1, sizeof piece, f)) > 0)
        jn_str_addn(out, piece, n);
    if (f)
        fclose(f);
    free(path);
    return f != NULL;
}

/* ---- pdflatex ------------------------------------------------------------------------------ */

static void become_pdflatex(const void *folder)
{
    int null = open("/dev/null", O_RDWR);
    if (null < 0 || chdir(folder) != 0)
        _exit(1);
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    setenv("max_print_line", "1000", 1); /* whole lines in the log */
    setenv("openout_any", "p", 1);       /* no files but in this folder */
    execlp("pdflatex", "pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape",
           "-jobname=" CLI_LATEX_JOB, CLI_LATEX_JOB ".tex", (char *)NULL);
}

/* ---- its log ------------------------------------------------------------------------------- */

/* The first error in a log: from "! " to the end of its line. */
static void complain_of_log(const char *folder, const char *pdf)
{
    jn_str log;
    jn_str_init(&log);
    read_back(&log, folder, ".log");
    const char *error = strncmp(log.s, "! ", 2) == 0 ? log.s : strstr(log.s, "\n! ");
    if (!error) {
        cli_complain("pdflatex failed: %s is not written", pdf);
    } else {
        error += *error == '\n' ? 3 : 2;
        int length = (int)strcspn(error, "\n");
        cli_complain("pdflatex stopped, and %s is not written: %.*s", pdf, length, error);
        if (strstr(error, "not found") && strstr(error, "not found") < error + length)
            cli_complain("install LaTeX's usual packages (Debian, Ubuntu: "
                         "texlive-latex-recommended texlive-pictures)");
    }
    jn_str_clear(&log);
}

static bool wants_another_run(const char *folder)
{
    jn_str log;
    jn_str_init(&log);
    read_back(&log, folder, ".log");
    bool wanted = strstr(log.s, "Rerun to get") || strstr(log.s, "Table widths have changed") ||
                  strstr(log.s, "rerunfilecheck Warning: File");
    jn_str_clear(&log);
    return wanted;
}

static int run_until_settled(const char *folder, const char *pdf)
{
    for (int run = 0; run < RUNS_MAX; run++) {
        int code = cli_run_program("pdflatex", become_pdflatex, folder, "there is no PDF");
        if (code == CLI_NOT_FOUND)
            cli_complain("no PDF: pdflatex is not installed (Debian, Ubuntu: apt-get install "
                         "texlive-latex-recommended texlive-pictures)");
        else if (code > 0)
            complain_of_log(folder, pdf);
        if (code != 0)
            return CLI_STOPPED;
        if (run > 0 && !wants_another_run(folder))
            break;
    }
    return CLI_DONE;
}

/* ---- the whole ----------------------------------------------------------------------------- */

int cli_latex(const char *pdf, const jn_str *document)
{
    jn_str folder, bytes;
    jn_str_init(&folder);
    jn_str_init(&bytes);
    int code = make_folder(&folder);
    if (code == CLI_DONE)
        code = write_document(folder.s, document);
    if (code == CLI_DONE)
        code = run_until_settled(folder.s, pdf);
    if (code == CLI_DONE && !read_back(&bytes, folder.s, ".pdf")) {
        cli_complain("pdflatex wrote nothing: there is no %s", pdf);
        code = CLI_STOPPED;
    }
    cli_remove_folder();
    if (code == CLI_DONE)
        code = cli_output_text(pdf, &bytes);
    jn_str_clear(&bytes);
    jn_str_clear(&folder);
    return code;
}
