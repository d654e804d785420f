/* mode.c: modes as people write them. */
#include <stdlib.h>
#include <string.h>

#include "junct/junction.h"

static jn_status refuse(char **why, jn_str *message)
{
    *why = message->s;
    return JN_INVALID;
}

static jn_status parse_digits(jn_onoff *m, const jn_graph *g, const char *text, char **why)
{
    jn_str message;
    jn_str_init(&message);
    size_t n = strlen(text);
    if (n != (size_t)g->nswitches) {
        jn_str_addf(&message, "mode '%s' has %zu digit%s, the model has %d switch%s", text, n,
                    n == 1 ? "" : "s", g->nswitches, g->nswitches == 1 ? "" : "es");
        return refuse(why, &message);
    }
    for (size_t i = 0; i < n; i++)
        m[i] = text[i] == '1';
    return JN_OK;
}

static int find_switch(const jn_graph *g, const char *name, size_t len)
{
    for (int i = 0; i < g->nswitches; i++) {
        const char *s = g->element[g->sw[i]].name;
        if (strlen(s) == len && memcmp(s, name, len) == 0)
            return i;
    }
    return -1;
}

/* One "name=0" or "name=1" of a list; *text moves behind it and its comma. */
static jn_status parse_setting(jn_onoff *m, bool *named, const jn_graph *g, const char **text,
                               jn_str *message)
{
    const char *s = *text;
    size_t len = strcspn(s, ",");
    const char *eq = memchr(s, '=', len);
    *text = s[len] ? s + len + 1 : s + len;
    if (!eq && len == strlen(s)) {
        jn_str_addf(
            message,
            "'%s' is no mode: write a digit 0 or 1 for every switch, or switch=0,switch=1,…", s);
        return JN_INVALID;
    }
    if (!eq || eq + 2 != s + len || (eq[1] != '0' && eq[1] != '1')) {
        jn_str_addf(message, "'%.*s' is not of the form switch=0 or switch=1", (int)len, s);
        return JN_INVALID;
    }
    int i = find_switch(g, s, (size_t)(eq - s));
    if (i < 0) {
        jn_str_addf(message, "there is no switch '%.*s'", (int)(eq - s), s);
        return JN_INVALID;
    }
    if (named[i]) {
        jn_str_addf(message, "switch '%.*s' is set twice", (int)(eq - s), s);
        return JN_INVALID;
    }
    named[i] = true;
    m[i] = eq[1] == '1';
    return JN_OK;
}

static jn_status parse_settings(jn_onoff *m, const jn_graph *g, const char *text, char **why)
{
    bool *named = jn_alloc((size_t)g->nswitches * sizeof *named);
    jn_str message;
    jn_str_init(&message);
    jn_status s = JN_OK;
    while (s == JN_OK && *text)
        s = parse_setting(m, named, g, &text, &message);
    for (int i = 0; i < g->nswitches && s == JN_OK; i++)
        if (!named[i]) {
            jn_str_addf(&message, "switch '%s' is not set: name every switch",
                        g->element[g->sw[i]].name);
            s = JN_INVALID;
        }
    free(named);
    return s == JN_OK ? s : refuse(why, &message);
}

jn_status jn_mode_parse(jn_onoff *m, const jn_graph *g, const char *text, char **why)
{
    *why = NULL;
    if (text[strspn(text, "01")] == 0)
        return parse_digits(m, g, text, why);
    return parse_settings(m, g, text, why);
}

void jn_mode_print(jn_str *out, const jn_graph *g, const jn_onoff *m)
{
    for (int i = 0; i < g->nswitches; i++)
        jn_str_addc(out, m[i] ? '1' : '0');
}
