/* html.c: a page for a browser: its parts from src/page, and the model as JSON between them.
 *
 * Data and program are apart. What a model says stands in one element that is no program, and the
 * page only ever shows it as text; the page's policy allows the program by its hash and nothing
 * else, from nowhere. So no name or title can become markup. */
#include <string.h>

#include "html_internal.h"
#include "junct/write.h"

/* Only '<' could end the element or begin another: JSON has another way to write it. */
void jni_html_string(jn_str *out, const char *s)
{
    if (!s) {
        jn_str_add(out, "null");
        return;
    }
    jn_str text;
    jn_str_init(&text);
    jn_json_string(&text, s);
    for (const char *p = text.s; *p;) {
        size_t n = strcspn(p, "<");
        jn_str_addn(out, p, n);
        p += n;
        if (*p == '<') {
            jn_str_add(out, "\\u003c");
            p++;
        }
    }
    jn_str_clear(&text);
}

void jn_html_data(jn_str *out, const jn_html *h)
{
    jn_str_add(out, "{\"schema\":1,\n");
    jni_html_model(out, h);
    if (h->run) {
        jn_str_add(out, ",\n\"run\":");
        jni_html_run_write(out, h->run, h->implicit->junction->graph);
    }
    jn_str_add(out, ",\n\"notRun\":");
    jni_html_string(out, h->not_run);
    jn_str_add(out, "}\n");
}

void jn_html_write(jn_str *out, const jn_html *h)
{
    jn_str_add(out, jni_page_head);
    jn_html_data(out, h);
    jn_str_add(out, jni_page_tail);
}
