/* sink.c: a stream of bytes into a file that takes its name when it is complete.
 *
 * A symbolic link of that name is replaced, not followed: what it leads to may be anybody's. Pipes,
 * devices and what the system shows as open files (/dev/stdout) are written in place. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "junct/trace.h"

enum { BUFFER_SIZE = 1 << 20 };

struct jn_sink {
    int fd;
    char *name;               /* for messages */
    char *target, *temporary; /* NULL: written in place */
    bool standard_output;
    int error;        /* errno of the first failure; 0: none */
    uint64_t flushed; /* bytes that have been written */
    char *buffer;
    size_t used, size;
    bool flushing;      /* the buffer is on its way */
    bool rows;          /* the beginning alone is of use: rows of data */
    uint64_t origin;    /* where they begin, */
    size_t row;         /* and their bytes; 0: lines of text */
    uint64_t last_line; /* the end of the last one that has been written */
    uint64_t count_at;  /* where their number stands; 0: nowhere, */
    const char *behind; /* as text with this behind it; NULL: in 32 bits */
};

static void sink_free(jn_sink *s)
{
    free(s->name);
    free(s->target);
    free(s->temporary);
    free(s->buffer);
    free(s);
}

/* ---- opening ------------------------------------------------------------------------------- */

static mode_t usual_permissions(const char *target)
{
    struct stat s;
    if (stat(target, &s) == 0)
        return s.st_mode & 0777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* A link to an open file that is in no folder any more (/dev/stdout may be one) has nothing that
 * could take its place. */
static bool has_name(const char *path)
{
    char *behind = realpath(path, NULL);
    free(behind);
    return behind != NULL;
}

static bool is_open_file(const char *path)
{
    return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
}

static bool written_in_place(const char *path)
{
    struct stat at;
    if (stat(path, &at) != 0)
        return false;
    return !S_ISREG(at.st_mode) || is_open_file(path) || !has_name(path);
}

static void open_temporary(jn_sink *s, const char *path)
{
    s->target = jn_strdup(path);
    jn_str name;
    jn_str_init(&name);
    jn_str_addf(&name, "%s.XXXXXX", s->target);
    s->temporary = name.s;
    s->fd = mkstemp(s->temporary);
    if (s->fd >= 0)
        fchmod(s->fd, usual_permissions(s->target));
}

jn_status jn_sink_open(jn_sink **out, const char *path, jn_str *why)
{
    jn_sink *s = jn_alloc(sizeof *s);
    s->standard_output = strcmp(path, "-") == 0;
    s->name = jn_strdup(s->standard_output ? "standard output" : path);
    if (s->standard_output)
        s->fd = STDOUT_FILENO;
    else if (written_in_place(path))
        s->fd = open(path, O_WRONLY | O_CLOEXEC);
    else
        open_temporary(s, path);
    if (s->fd < 0) {
        jn_str_addf(why, "cannot write %s: %s", path, strerror(errno));
        sink_free(s);
        *out = NULL;
        return JN_INVALID;
    }
    s->size = BUFFER_SIZE;
    s->buffer = jn_alloc(s->size);
    *out = s;
    return JN_OK;
}

void jn_sink_rows(jn_sink *s, size_t row)
{
    s->rows = true;
    s->row = row;
    s->origin = jn_sink_written(s);
}

void jn_sink_count_at(jn_sink *s, uint64_t offset, const char *behind)
{
    s->count_at = offset;
    s->behind = behind;
}

/* ---- writing ------------------------------------------------------------------------------- */

/* The end of the last line in what has just been written. */
static void note_lines(jn_sink *s, const char *bytes, size_t n)
{
    size_t i = n;
    while (s->rows && s->row == 0 && i > 0 && bytes[i - 1] != '\n')
        i--;
    if (i > 0)
        s->last_line = s->flushed + i;
}

static void write_all(jn_sink *s, const char *bytes, size_t n)
{
    while (n > 0 && !s->error) {
        ssize_t written = write(s->fd, bytes, n);
        if (written > 0) {
            note_lines(s, bytes, (size_t)written);
            s->flushed += (uint64_t)written;
            bytes += written;
            n -= (size_t)written;
        } else if (written < 0 && errno != EINTR) {
            s->error = errno;
        }
    }
}

void jn_sink_flush(jn_sink *s)
{
    s->flushing = true;
    write_all(s, s->buffer, s->used);
    s->used = 0;
    s->flushing = false;
}

char *jn_sink_room(jn_sink *s, size_t n)
{
    if (s->size - s->used < n)
        jn_sink_flush(s);
    if (s->size < n) {
        s->buffer = jn_realloc(s->buffer, n);
        s->size = n;
    }
    return s->buffer + s->used;
}

void jn_sink_used(jn_sink *s, size_t used)
{
    s->used += used;
}

void jn_sink_put(jn_sink *s, const void *bytes, size_t n)
{
    memcpy(jn_sink_room(s, n), bytes, n);
    jn_sink_used(s, n);
}

uint64_t jn_sink_written(const jn_sink *s)
{
    return s->flushed + s->used;
}

void jn_sink_fail(jn_sink *s, int error)
{
    if (!s->error)
        s->error = error;
}

bool jn_sink_failed(const jn_sink *s)
{
    return s->error != 0;
}

bool jn_sink_is_file(const jn_sink *s)
{
    return s->temporary != NULL;
}

const char *jn_sink_temporary(const jn_sink *s)
{
    return s->temporary;
}

/* ---- closing ------------------------------------------------------------------------------- */

/* The end of the last whole row in the file. */
static uint64_t end_of_rows(const jn_sink *s)
{
    if (s->row == 0)
        return s->last_line;
    uint64_t behind = s->flushed > s->origin ? s->flushed - s->origin : 0;
    return s->flushed < s->origin ? s->flushed : s->origin + behind / s->row * s->row;
}

/* In digits, then what comes behind them, then blanks. */
static size_t print_count(char *out, uint64_t rows, const char *behind)
{
    size_t n = 0, size = JN_COUNT_DIGITS + strlen(behind);
    memset(out, ' ', size);
    for (uint64_t rest = rows; n == 0 || rest; rest /= 10)
        n++;
    for (size_t i = n; i-- > 0; rows /= 10)
        out[i] = (char)('0' + rows % 10);
    memcpy(out + n, behind, strlen(behind));
    return size;
}

/* Also after a failure: what has been written is to be usable. */
static void write_count(jn_sink *s)
{
    uint64_t end = end_of_rows(s), rows = end > s->origin ? (end - s->origin) / s->row : 0;
    int32_t binary = (int32_t)rows;
    char text[2 * JN_COUNT_DIGITS];
    size_t size = s->behind ? print_count(text, rows, s->behind) : sizeof binary;
    const void *bytes = s->behind ? (const void *)text : &binary;
    if (pwrite(s->fd, bytes, size, (off_t)s->count_at) != (ssize_t)size)
        jn_sink_fail(s, errno);
}

/* After a failure half a row may be in the file. */
static void cut_to_rows(jn_sink *s)
{
    if (s->rows && s->temporary && ftruncate(s->fd, (off_t)end_of_rows(s)) != 0)
        jn_sink_fail(s, errno);
}

/* Some file systems find out only here that they are full. */
static void finish(jn_sink *s)
{
    jn_sink_flush(s);
    if (s->error)
        cut_to_rows(s);
    if (s->count_at)
        write_count(s);
    if (s->temporary && !s->error && fsync(s->fd) != 0 && errno != EINVAL && errno != EROFS)
        s->error = errno;
    if (!s->standard_output && close(s->fd) != 0)
        jn_sink_fail(s, errno);
    if (s->temporary && !s->error && rename(s->temporary, s->target) != 0)
        s->error = errno;
}

jn_status jn_sink_close(jn_sink *s, jn_str *why)
{
    finish(s);
    int error = s->error;
    if (error && error != EPIPE)
        jn_str_addf(why, "cannot write %s: %s", s->name, strerror(error));
    if (error && s->temporary)
        jn_str_addf(why, "; what could be written is in %s", s->temporary);
    sink_free(s);
    return error ? JN_UNABLE : JN_OK;
}

/* Nothing but calls that are allowed in a signal handler, which may have come at any moment. */
void jn_sink_abandon(jn_sink *s)
{
    if (s->rows && !s->flushing)
        write_all(s, s->buffer, s->used);
    if (s->rows)
        cut_to_rows(s);
    if (s->count_at)
        write_count(s);
    if (s->temporary && (!s->rows || rename(s->temporary, s->target) != 0))
        unlink(s->temporary);
}

void jn_sink_discard(jn_sink *s)
{
    if (!s)
        return;
    if (!s->standard_output)
        close(s->fd);
    if (s->temporary)
        unlink(s->temporary);
    sink_free(s);
}
