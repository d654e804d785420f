/* output.c: where results go: standard output, or a file that takes its name when it is complete
 * (jn_sink), so that nobody ever reads half a result. */
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli.h"

enum { DEFAULT_WIDTH = 100, MIN_WIDTH = 40, MAX_WIDTH = 1000 };

/* Nothing is to be said when a reader has gone away (head, less): it has what it wanted. */
int cli_output_told(jn_status status, jn_str *why)
{
    bool gone = status != JN_OK && why->len == 0;
    if (why->len)
        cli_complain("%s", why->s);
    jn_str_clear(why);
    return status == JN_OK || gone ? CLI_DONE : CLI_STOPPED;
}

int cli_output_open(cli_output *o, const char *path)
{
    jn_str why;
    jn_str_init(&why);
    *o = (cli_output){0};
    o->code = cli_output_told(jn_sink_open(&o->sink, path ? path : "-", &why), &why);
    if (o->sink)
        cli_watch(o->sink);
    return o->code;
}

/* What is read while it is being written (less, head) goes out at once. */
bool cli_output_put(cli_output *o, jn_str *text)
{
    if (o->sink && text->len)
        jn_sink_put(o->sink, text->s, text->len);
    if (o->sink && !jn_sink_is_file(o->sink))
        jn_sink_flush(o->sink);
    jn_str_reset(text);
    return o->sink && !jn_sink_failed(o->sink);
}

int cli_output_close(cli_output *o)
{
    if (!o->sink)
        return o->code;
    jn_str why;
    jn_str_init(&why);
    cli_unwatch(o->sink);
    o->code = cli_output_told(jn_sink_close(o->sink, &why), &why);
    o->sink = NULL;
    return o->code;
}

void cli_output_discard(cli_output *o)
{
    if (o->sink) {
        cli_unwatch(o->sink);
        jn_sink_discard(o->sink);
    }
    o->sink = NULL;
    o->code = CLI_STOPPED;
}

int cli_output_text(const char *path, jn_str *text)
{
    cli_output o;
    if (cli_output_open(&o, path) == CLI_DONE)
        cli_output_put(&o, text);
    jn_str_clear(text);
    return cli_output_close(&o);
}

int cli_width(const char *output_path)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    int width = columns ? atoi(columns) : 0;
    if (output_path)
        return DEFAULT_WIDTH;
    if (width <= 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        width = size.ws_col;
    if (width <= 0)
        return DEFAULT_WIDTH;
    return width < MIN_WIDTH ? MIN_WIDTH : width > MAX_WIDTH ? MAX_WIDTH : width;
}
