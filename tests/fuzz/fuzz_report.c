/* fuzz_report.c: any bytes as a model file, out of the drawings and reports.
 *
 * Layout is slow, so models stay small. SVG must stay well-formed whatever the names and titles:
 * the number of its tags is known. */
#include <stdlib.h>
#include <string.h>

#include "junct/report.h"
#include "patience.h"

enum { MAX_SIZE = 2000, MAX_ELEMENTS = 12, MAX_SWITCHES = 3, MAX_TERMS = 200 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static long count(const char *s, char c)
{
    long n = 0;
    for (; *s; s++)
        n += *s == c;
    return n;
}

static void write_drawing(const jn_drawing *d)
{
    jn_str out;
    jn_str_init(&out);
    jn_drawing_svg(&out, d);
    if (count(jn_str_c(&out), '<') != count(jn_str_c(&out), '>'))
        abort();
    jn_drawing_tikz(&out, d, true);
    jn_drawing_dot(&out, d);
    jn_str_clear(&out);
}

static void write_all(const jn_junction *j, const jn_implicit *f, const jn_source *s)
{
    jn_drawing *all = NULL, *one = NULL;
    jn_str out;
    jn_str_init(&out);
    if (jn_drawing_new(&all, j, NULL) == JN_OK)
        write_drawing(all);
    if (jn_drawing_new(&one, j, j->reference) == JN_OK)
        write_drawing(one);
    jn_report r = {.junction = j, .implicit = f, .source = s, .drawing = all, .picture = "x.svg"};
    jn_report_write(&out, &r, JN_REPORT_LATEX);
    jn_report_write(&out, &r, JN_REPORT_MARKDOWN);
    jn_str_clear(&out);
    jn_drawing_free(one);
    jn_drawing_free(all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > MAX_SIZE || memchr(data, 0, size))
        return 0;
    begin_patience();
    jn_arena *a = jn_arena_new();
    jn_diags *d = jn_diags_new();
    jn_graph *g = NULL;
    jn_junction *j = NULL;
    jn_implicit *f = NULL;
    const jn_source *s = jn_source_of(a, "fuzz", (const char *)data, size);
    if (jn_graph_read(&g, s, d) == JN_OK && g->nelements <= MAX_ELEMENTS &&
        g->nswitches <= MAX_SWITCHES) {
        jn_field_limit(g->field, MAX_TERMS);
        if (jn_junction_build(&j, g, false, d) == JN_OK && jn_implicit_derive(&f, j, d) == JN_OK)
            write_all(j, f, s);
    }
    jn_implicit_free(f);
    jn_junction_free(j);
    jn_graph_free(g);
    jn_diags_free(d);
    jn_arena_free(a);
    return 0;
}
