/* sweep_table.c: the rows of a sweep in their file.
 *
 * A sweep may take days, so that what was computed must outlive whatever ends it. Rows are appended to
 * NAME.part as they come, in order; a row that was cut off, by a full disk or a kill, is cut away.
 * NAME.part.id holds the fingerprint of the question. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sweep.h"

struct sweep_table {
    int fd;
    const char *path;
    char *part, *id;      /* NULL: written in place */
    uint64_t rows, found; /* whole rows; those that were there */
    off_t whole;          /* bytes of whole rows */
    int error;            /* errno of what failed; 0: nothing did */
};

static char *with_end(const char *path, const char *end)
{
    size_t size = strlen(path) + strlen(end) + 1;
    char *joined = jn_alloc(size);
    snprintf(joined, size, "%s%s", path, end);
    return joined;
}

static void table_free(sweep_table *t)
{
    if (t->fd > STDERR_FILENO)
        close(t->fd);
    free(t->part);
    free(t->id);
    free(t);
}

/* ---- writing ------------------------------------------------------------------------------- */

/* Returns how many bytes were written; fewer: errno. */
static size_t write_all(int fd, const char *p, size_t n)
{
    size_t done = 0;
    while (done < n) {
        ssize_t got = write(fd, p + done, n - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    return done;
}

static void count_rows(sweep_table *t, const char *text, size_t n)
{
    size_t last = 0;
    for (size_t i = 0; i < n; i++)
        if (text[i] == '\n') {
            t->rows++;
            last = i + 1;
        }
    t->whole += (off_t)last;
}

bool sweep_table_put(sweep_table *t, jn_str *text)
{
    if (t->error)
        return false;
    size_t n = text->len, done = write_all(t->fd, jn_str_c(text), n);
    if (done < n)
        t->error = errno ? errno : EIO;
    count_rows(t, jn_str_c(text), done);
    if (done < n && t->part && ftruncate(t->fd, t->whole) != 0)
        t->error = errno;
    jn_str_reset(text);
    return done == n;
}

/* ---- what is there already ----------------------------------------------------------------- */

/* Of a field in quotes a line end is part; statuses are shown texts without any. */
static bool next_line(FILE *f, jn_str *line)
{
    int c;
    jn_str_reset(line);
    while ((c = getc(f)) != EOF && c != '\n')
        jn_str_addc(line, (char)c);
    return c == '\n';
}

/* The rows that are whole and in order, below the right header. */
static bool measure_part(sweep_table *t, const char *header)
{
    FILE *f = fopen(t->part, "r");
    jn_str line;
    jn_str_init(&line);
    bool good = f && next_line(f, &line) && line.len + 1 == strlen(header) &&
                !strncmp(jn_str_c(&line), header, line.len);
    t->whole = good ? (off_t)line.len + 1 : 0;
    while (good && next_line(f, &line)) {
        char *end;
        unsigned long long row = strtoull(jn_str_c(&line), &end, 10);
        if (*end != ',' || row != t->rows)
            break;
        t->rows++;
        t->whole += (off_t)line.len + 1;
    }
    jn_str_clear(&line);
    if (f)
        fclose(f);
    t->found = t->rows;
    return good;
}

static bool is_same_question(const sweep_table *t, const char *fingerprint)
{
    char text[64] = "";
    FILE *f = fopen(t->id, "r");
    bool same =
        f && fgets(text, sizeof text, f) && !strncmp(text, fingerprint, strlen(fingerprint));
    if (f)
        fclose(f);
    return same;
}

void sweep_table_each(const sweep_table *t, void (*f)(const char *line, void *ctx), void *ctx)
{
    FILE *file = t->part && t->found ? fopen(t->part, "r") : NULL;
    jn_str line;
    jn_str_init(&line);
    if (file)
        next_line(file, &line);
    for (uint64_t i = 0; file && i < t->found && next_line(file, &line); i++)
        f(jn_str_c(&line), ctx);
    jn_str_clear(&line);
    if (file)
        fclose(file);
}

/* ---- opening ------------------------------------------------------------------------------- */

static bool is_in_place(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && !S_ISREG(s.st_mode);
}

static bool lock(int fd)
{
    struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_SETLK, &l) == 0 || (errno != EACCES && errno != EAGAIN);
}

static bool write_id(const sweep_table *t, const char *fingerprint)
{
    FILE *f = fopen(t->id, "w");
    bool good = f && fprintf(f, "%s\n", fingerprint) > 0;
    return f && fclose(f) == 0 && good;
}

/* A table that is begun, or gone on with. Returns the exit code. */
static int open_part(sweep_table *t, const jn_sweep *s, bool anew, jn_str *header)
{
    bool there = access(t->part, F_OK) == 0;
    if (there && !anew && !is_same_question(t, jn_sweep_fingerprint(s))) {
        cli_complain("%s is the beginning of another sweep: remove it, or give --restart", t->part);
        return CLI_WRONG_USAGE;
    }
    t->fd = open(t->part, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (t->fd >= 0 && !lock(t->fd)) {
        cli_complain("%s is being written by another process", t->part);
        return CLI_WRONG_USAGE;
    }
    if (t->fd < 0)
        t->error = errno;
    else if (!(there && !anew && measure_part(t, jn_str_c(header))))
        t->whole = 0;
    if (!t->error && (ftruncate(t->fd, t->whole) != 0 || lseek(t->fd, 0, SEEK_END) < 0))
        t->error = errno;
    if (!t->error && !write_id(t, jn_sweep_fingerprint(s)))
        t->error = errno;
    if (!t->error && !t->whole) {
        sweep_table_put(t, header);
        t->rows = 0;
    }
    if (t->error)
        cli_complain("%s: %s", t->part, strerror(t->error));
    return t->error ? CLI_STOPPED : CLI_DONE;
}

static int open_table(sweep_table *t, const jn_sweep *s, bool anew, jn_str *header)
{
    if (!t->path)
        t->fd = STDOUT_FILENO;
    else if (is_in_place(t->path))
        t->fd = open(t->path, O_WRONLY | O_CLOEXEC);
    else {
        t->part = with_end(t->path, ".part");
        t->id = with_end(t->part, ".id");
        return open_part(t, s, anew, header);
    }
    if (t->fd < 0) {
        cli_complain("%s: %s", t->path, strerror(errno));
        return CLI_STOPPED;
    }
    sweep_table_put(t, header);
    t->rows = 0;
    return CLI_DONE;
}

sweep_table *sweep_table_open(int *code, const char *path, const jn_sweep *s, bool anew)
{
    sweep_table *t = jn_alloc(sizeof *t);
    jn_str header;
    jn_str_init(&header);
    *t = (sweep_table){.fd = -1, .path = path && strcmp(path, "-") != 0 ? path : NULL};
    jn_sweep_header(&header, s);
    *code = open_table(t, s, anew, &header);
    jn_str_clear(&header);
    if (*code == CLI_DONE)
        return t;
    table_free(t);
    return NULL;
}

uint64_t sweep_table_rows(const sweep_table *t)
{
    return t->rows;
}

/* ---- closing ------------------------------------------------------------------------------- */

static void take_name(sweep_table *t)
{
    if (close(t->fd) != 0 || rename(t->part, t->path) != 0)
        t->error = errno;
    t->fd = -1;
    if (!t->error)
        unlink(t->id);
}

int sweep_table_close(sweep_table *t, bool complete, uint64_t rows)
{
    if (complete && t->part && !t->error)
        take_name(t);
    unsigned long long have = (unsigned long long)t->rows, all = (unsigned long long)rows;
    bool reader_gone = t->error == EPIPE && !t->path;
    if (t->error && !reader_gone)
        cli_complain("cannot write %s: %s", t->path ? t->path : "standard output",
                     strerror(t->error));
    if (t->part && (t->error || !complete))
        cli_complain("%llu of %llu rows are in %s; the same command goes on from there", have, all,
                     t->part);
    else if (!complete && !reader_gone)
        cli_complain("%llu of %llu rows are written", have, all);
    bool stopped = !reader_gone && (t->error || !complete); /* who has seen enough is no failure */
    int code = stopped ? CLI_STOPPED : CLI_DONE;
    table_free(t);
    return code;
}
