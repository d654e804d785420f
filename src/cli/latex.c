/* latex.c: a LaTeX document to PDF, by pdflatex, and its errors in plain words. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "latex.h"

enum { RUNS_MAX = 4, NOT_FOUND = 127 };

/* Runs it in the folder, silently; returns its exit code, or −1. */
static int run_once(const char *folder, const char *name)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_RDWR);
        if (null < 0 || chdir(folder) != 0)
            _exit(1);
        dup2(null, STDIN_FILENO);
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        setenv("max_print_line", "1000", 1); /* whole lines in the log */
        execlp("pdflatex", "pdflatex", "-interaction=nonstopmode", "-halt-on-error",
               "-no-shell-escape", name, (char *)NULL);
        _exit(errno == ENOENT ? NOT_FOUND : 1);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

static char *read_log(const char *folder, const char *name)
{
    jn_str path, text;
    char piece[4096];
    jn_str_init(&path);
    jn_str_init(&text);
    jn_str_addf(&path, "%s/%s.log", folder, name);
    FILE *f = fopen(path.s, "r");
    jn_str_add(&text, "");
    while (f && fgets(piece, sizeof piece, f))
        jn_str_add(&text, piece);
    if (f)
        fclose(f);
    jn_str_clear(&path);
    return text.s;
}

/* The first error in a log: from "! " to the end of its line. */
static void complain_of_log(const char *folder, const char *name)
{
    char *log = read_log(folder, name);
    const char *error = strncmp(log, "! ", 2) == 0 ? log : strstr(log, "\n! ");
    if (!error) {
        cli_complain("pdflatex failed on %s/%s.tex", folder, name);
    } else {
        error += *error == '\n' ? 3 : 2;
        int length = (int)strcspn(error, "\n");
        cli_complain("pdflatex stopped at %s/%s.tex: %.*s", folder, name, length, error);
        if (strstr(error, "not found") && strstr(error, "not found") < error + length)
            cli_complain("install LaTeX's usual packages (Debian, Ubuntu: "
                         "texlive-latex-recommended texlive-pictures)");
    }
    free(log);
}

static bool wants_another_run(const char *folder, const char *name)
{
    char *log = read_log(folder, name);
    bool wanted = strstr(log, "Rerun to get") || strstr(log, "Table widths have changed") ||
                  strstr(log, "rerunfilecheck Warning: File");
    free(log);
    return wanted;
}

int cli_latex(const char *folder, const char *name)
{
    for (int run = 0; run < RUNS_MAX; run++) {
        int code = run_once(folder, name);
        if (code == NOT_FOUND) {
            cli_complain("no PDF: pdflatex is not installed (Debian, Ubuntu: apt-get install "
                         "texlive-latex-recommended texlive-pictures)");
            return CLI_STOPPED;
        }
        if (code != 0) {
            complain_of_log(folder, name);
            return CLI_STOPPED;
        }
        if (run > 0 && !wants_another_run(folder, name))
            break;
    }
    return CLI_DONE;
}

void cli_latex_tidy(const char *folder, const char *name)
{
    static const char *const ending[] = {"aux", "log", "out", "toc"};
    jn_str path;
    jn_str_init(&path);
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++) {
        jn_str_reset(&path);
        jn_str_addf(&path, "%s/%s.%s", folder, name, ending[i]);
        unlink(path.s);
    }
    jn_str_clear(&path);
}
