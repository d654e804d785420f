/* files.c: which files a command reads and which it writes: none is both, and none is written
 * twice. Files are told apart by what they are, not by how they are written: ./x is x. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"

typedef struct {
    char *path;
    const char *role; /* of an input: "the model itself"; NULL: an output */
    bool exists;
    dev_t dev; /* the file's, or where there is none, its folder's */
    ino_t ino;
    const char *name; /* in that folder */
} known_file;

static known_file *known;
static int nknown, cap;

static void identify(known_file *f)
{
    struct stat s;
    const char *slash = strrchr(f->path, '/');
    f->name = slash ? slash + 1 : f->path;
    f->exists = stat(f->path, &s) == 0;
    if (!f->exists) {
        char *folder = jn_strdup(slash ? f->path : ".");
        if (slash)
            folder[slash == f->path ? 1 : slash - f->path] = 0;
        if (stat(folder, &s) != 0)
            s.st_dev = s.st_ino = 0;
        free(folder);
    }
    f->dev = s.st_dev;
    f->ino = s.st_ino;
}

static bool same_file(const known_file *a, const known_file *b)
{
    return a->exists == b->exists && a->dev == b->dev && a->ino == b->ino &&
           (a->exists || strcmp(a->name, b->name) == 0);
}

/* Devices and pipes keep what they had. */
static bool is_replaced(const char *path)
{
    struct stat s;
    return stat(path, &s) != 0 || S_ISREG(s.st_mode);
}

static int remember(const char *path, const char *role)
{
    known_file f = {.path = jn_strdup(path), .role = role};
    identify(&f);
    for (int i = 0; i < nknown; i++) {
        if ((role && known[i].role) || !same_file(&known[i], &f))
            continue;
        const char *what = role ? role : known[i].role;
        const char *written = role ? known[i].path : path;
        if (what)
            cli_complain("'%s' is %s: choose another output", written, what);
        else
            cli_complain("'%s' would be written twice: choose another output", written);
        free(f.path);
        return CLI_WRONG_USAGE;
    }
    JN_GROW(known, nknown, cap);
    known[nknown++] = f;
    return CLI_DONE;
}

int cli_reads(const char *path, const char *role)
{
    return strcmp(path, "-") == 0 || !is_replaced(path) ? CLI_DONE : remember(path, role);
}

int cli_writes(const char *path)
{
    return !is_replaced(path) ? CLI_DONE : remember(path, NULL);
}

void cli_files_clear(void)
{
    for (int i = 0; i < nknown; i++)
        free(known[i].path);
    free(known);
    known = NULL;
    nknown = cap = 0;
}

/* ---- those that options and the model name ------------------------------------------------- */

int cli_files_of_options(const cli_args *args)
{
    static const char *const written[] = {"output", "events", "plot", "graph", "write-case"};
    const char *sequence = cli_value(args, "sequence");
    int code = CLI_DONE;
    /* `check --format` may well write the model anew. */
    bool anew = args->command == &cmd_check && cli_value(args, "format");
    if (args->operand && !anew && args->command != &cmd_help)
        code = cli_reads(args->operand, "the model itself");
    if (code == CLI_DONE && sequence)
        code = cli_reads(sequence, "the sequence");
    for (size_t i = 0; code == CLI_DONE && i < sizeof written / sizeof *written; i++) {
        const char *path = cli_value(args, written[i]);
        if (path && args->command != &cmd_report) /* whose output is a folder */
            code = cli_writes(path);
    }
    return code;
}

int cli_files_of_model(const jn_graph *g, const char *folder)
{
    int code = CLI_DONE;
    for (int i = 0; code == CLI_DONE && i < g->ntables; i++) {
        const char *file = g->table[i].file;
        char *path = folder && file[0] != '/' ? jn_arena_printf(g->arena, "%s/%s", folder, file)
                                              : jn_arena_printf(g->arena, "%s", file);
        code = cli_reads(path, "a table of the model");
    }
    return code;
}
