/* diag_render.c: a diagnostic as a person sees it.
 *
 *     chopper.hbg:12:1: error: unknown element kind 'Q' [kind-unknown]
 *        12 | Q  L1 = 3
 *           | ^
 *           = help: kinds are Se Sf I C R TF GY 0 1 X0 X1
 *
 * A source line may hold anything: tabs become spaces, bytes that cannot be shown '?', and of
 * a long line only the part around the caret is copied, so the cost of a line has a bound. */
#include <stdio.h>
#include <string.h>

#include "junct/diag.h"

enum {
    LINE_WIDTH = 100, /* characters of a source line that are shown */
    LEFT_OF_CARET = 60,
    TAB_STOP = 4,
    NUMBER_WIDTH = 5 /* of the line number */
};

/* ---- steps of a character ------------------------------------------------------------------ */

/* Moves over at most `most` characters, well formed or not, within the line; returns how many. */
static int step_forward(const char **p, const char *end, int most)
{
    int n = 0;
    for (; n < most && *p < end && **p != '\n'; n++) {
        int length = jn_utf8_length(*p, end);
        *p += length ? length : 1;
    }
    return n;
}

static int step_back(const char **p, const char *begin, int most)
{
    int n = 0;
    for (; n < most && begin < *p && (*p)[-1] != '\n'; n++) {
        int length = 1;
        for (int k = 2; k <= 4 && *p - begin >= k; k++)
            if (jn_utf8_length(*p - k, *p) == k)
                length = k;
        *p -= length;
    }
    return n;
}

/* ---- the part of a line that is shown ------------------------------------------------------ */

typedef struct {
    const char *begin, *end; /* of the part */
    bool cut_left, cut_right;
} excerpt;

static excerpt excerpt_around(const jn_source *s, const char *caret)
{
    const char *text_end = s->text + s->len;
    excerpt x = {caret, caret, false, false};
    int left = step_back(&x.begin, s->text, LINE_WIDTH);
    int right = step_forward(&x.end, text_end, LINE_WIDTH);
    if (left + right > LINE_WIDTH) {
        left = left < LEFT_OF_CARET ? left : LEFT_OF_CARET;
        x.begin = x.end = caret;
        step_back(&x.begin, s->text, left);
        step_forward(&x.end, text_end, LINE_WIDTH - left);
    }
    x.cut_left = x.begin > s->text && x.begin[-1] != '\n';
    x.cut_right = x.end < text_end && *x.end != '\n';
    while (!x.cut_right && x.end > caret && strchr(" \t\r", x.end[-1]))
        x.end--;
    return x;
}

/* The characters from p to end as they are shown, for a line that is `column` wide so far;
 * returns the new width. */
static int add_shown(jn_str *out, const char *p, const char *end, int column)
{
    while (p < end) {
        int n = jn_utf8_length(p, end), shown = jn_utf8_shown(p, end);
        int width = 1;
        if (*p == '\t') {
            width = TAB_STOP - column % TAB_STOP;
            jn_str_fill(out, ' ', width);
        } else if (shown == 0) {
            jn_str_addc(out, '?');
        } else {
            char character[5] = {0};
            memcpy(character, p, (size_t)n);
            width = jn_utf8_width(character);
            jn_str_add(out, character);
        }
        column += width;
        p += n ? n : 1;
    }
    return column;
}

/* ---- one place ----------------------------------------------------------------------------- */

/* Escape sequences, empty without colour. */
typedef struct {
    const char *bold, *error, *warning, *note, *caret, *off;
} palette;

static const palette plain = {"", "", "", "", "", ""};
static const palette coloured = {"\033[1m",    "\033[1;31m", "\033[1;35m",
                                 "\033[1;36m", "\033[1;32m", "\033[0m"};

static void add_place(jn_str *out, jn_place place, const palette *c)
{
    if (!place.source)
        return;
    int line, column;
    jn_place_line(&line, &column, place);
    jn_str_add(out, c->bold);
    const char *name = place.source->name;
    add_shown(out, name, name + strlen(name), 0);
    jn_str_addf(out, ":%d:%d: %s", line, column, c->off);
}

/* The source line and the caret below it. */
static void add_line(jn_str *out, jn_place place, const palette *c)
{
    const jn_source *s = place.source;
    if (!s)
        return;
    int line, column;
    jn_place_line(&line, &column, place);
    const char *caret = s->text + (place.offset < s->len ? place.offset : s->len);
    excerpt x = excerpt_around(s, caret);
    const char *last = caret + place.length < x.end ? caret + place.length : x.end;

    jn_str shown;
    jn_str_init(&shown);
    int from = add_shown(&shown, x.begin, caret, 0);
    int to = last > caret ? add_shown(&shown, caret, last, from) : from;
    add_shown(&shown, last > caret ? last : caret, x.end, to);
    char number[16];
    int gutter = snprintf(number, sizeof number, "%*d", NUMBER_WIDTH, line);
    jn_str_addf(out, "%s | %s%s%s\n", number, x.cut_left ? "…" : "", jn_str_c(&shown),
                x.cut_right ? "…" : "");
    jn_str_clear(&shown);
    jn_str_fill(out, ' ', gutter);
    jn_str_add(out, " | ");
    jn_str_fill(out, ' ', from + x.cut_left);
    jn_str_add(out, c->caret);
    jn_str_addc(out, '^');
    jn_str_fill(out, '~', to - from - 1);
    jn_str_addf(out, "%s\n", c->off);
}

static void add_diag(jn_str *out, const jn_diag *g, const palette *c)
{
    add_place(out, g->place, c);
    bool error = g->severity == JN_ERROR;
    jn_str_addf(out, "%s%s:%s %s [%s]\n", error ? c->error : c->warning,
                error ? "error" : "warning", c->off, g->message, jn_code_slug(g->code));
    add_line(out, g->place, c);
    if (g->advice)
        jn_str_addf(out, "%*s = %shelp:%s %s\n", NUMBER_WIDTH, "", c->note, c->off, g->advice);
    for (int i = 0; i < g->nnotes; i++) {
        add_place(out, g->notes[i].place, c);
        jn_str_addf(out, "%snote:%s %s\n", c->note, c->off, g->notes[i].message);
        add_line(out, g->notes[i].place, c);
    }
    if (g->more_notes)
        jn_str_addf(out, "%*s = %snote:%s and %d more places\n", NUMBER_WIDTH, "", c->note, c->off,
                    g->more_notes);
}

void jn_diags_render(jn_str *out, const jn_diags *d, bool colour)
{
    for (int i = 0; i < jn_diags_count(d); i++)
        add_diag(out, jn_diags_get(d, i), colour ? &coloured : &plain);
}
