/* picture.c: a picture in SVG to the form that its file name asks for; PNG and PDF by rsvg-convert.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

static const char *ending_of(const char *path)
{
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    return dot && (!slash || dot > slash) ? dot : "";
}

static bool is_converted(const char *ending)
{
    return strcmp(ending, ".png") == 0 || strcmp(ending, ".pdf") == 0;
}

int cli_picture_check(const cli_args *args, const char *option)
{
    const char *path = cli_value(args, option);
    if (!path || strcmp(path, "-") == 0)
        return CLI_DONE;
    const char *ending = ending_of(path);
    if (!*ending || strcmp(ending, ".svg") == 0 ||
        is_converted(ending)) /* none says nothing else */
        return CLI_DONE;
    return cli_wrong_usage(args->command, "'--%s %s': the name must end in .svg, .png or .pdf",
                           option, path);
}

/* ---- converting ---------------------------------------------------------------------------- */

typedef struct {
    FILE *svg, *picture; /* nameless: they are gone however it ends */
    const char *form;
} conversion;

/* PNG has two dots for a point, for today's screens. */
static void become_converter(const void *ctx)
{
    const conversion *c = ctx;
    dup2(fileno(c->svg), STDIN_FILENO);
    dup2(fileno(c->picture), STDOUT_FILENO);
    execlp("rsvg-convert", "rsvg-convert", "--format", c->form, "--zoom",
           strcmp(c->form, "png") == 0 ? "2" : "1", (char *)NULL);
}

static bool give(FILE *f, const jn_str *svg)
{
    return f && fwrite(jn_str_c(svg), 1, svg->len, f) == svg->len && fflush(f) == 0 &&
           fseek(f, 0, SEEK_SET) == 0;
}

static bool take(jn_str *out, FILE *f)
{
    char piece[4096];
    size_t n;
    rewind(f);
    while ((n = fread(piece, 1, sizeof piece, f)) > 0)
        jn_str_addn(out, piece, n);
    return !ferror(f) && out->len > 0;
}

/* What there is not is said. */
static int convert(jn_str *out, const jn_str *svg, const char *form, const char *path)
{
    conversion c = {tmpfile(), tmpfile(), form};
    int code = -1;
    if (!c.picture || !give(c.svg, svg))
        cli_complain("no %s: no temporary file: %s", path, strerror(errno));
    else
        code = cli_run_program("rsvg-convert", become_converter, &c, "there is no picture");
    if (code == CLI_NOT_FOUND)
        cli_complain("no %s: rsvg-convert is not installed (Debian, Ubuntu: apt-get install "
                     "librsvg2-bin); .svg needs nothing",
                     path);
    else if (code > 0 || (code == 0 && !take(out, c.picture)))
        cli_complain("rsvg-convert failed: %s is not written", path);
    if (c.svg)
        fclose(c.svg);
    if (c.picture)
        fclose(c.picture);
    return code == 0 && out->len > 0 ? CLI_DONE : CLI_STOPPED;
}

int cli_picture_write(const char *path, jn_str *svg)
{
    const char *ending = path ? ending_of(path) : "";
    if (!is_converted(ending))
        return cli_output_text(path, svg);
    jn_str picture;
    jn_str_init(&picture);
    int code = convert(&picture, svg, ending + 1, path);
    if (code == CLI_DONE)
        code = cli_output_text(path, &picture);
    jn_str_clear(&picture);
    jn_str_clear(svg);
    return code;
}
