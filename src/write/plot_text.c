/* plot_text.c: traces as dots on a terminal: a letter has two columns and four rows of them
 * (Braille). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot_internal.h"

enum { ROWS = 9, LABEL = 11, MIN_COLUMNS = 20 };

typedef struct {
    jn_str *out;
    const jn_plot *plot;
    int columns; /* letters of a line */
    unsigned char *dots;
    double low, high;
} canvas;

static void set_dot(canvas *c, int x, int y)
{
    static const unsigned char bit[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
    if (x >= 0 && x < 2 * c->columns && y >= 0 && y < 4 * ROWS)
        c->dots[y / 4 * c->columns + x / 2] |= bit[y % 4][x % 2];
}

static int column_at(const canvas *c, double t)
{
    const jn_plot *p = c->plot;
    double span = p->t[p->npoints - 1] - p->t[0];
    return span > 0 ? (int)((t - p->t[0]) / span * (2 * c->columns - 1) + 0.5) : 0;
}

static int row_at(const canvas *c, double v)
{
    return (int)((c->high - v) / (c->high - c->low) * (4 * ROWS - 1) + 0.5);
}

/* A line from point to point; across a gap there is none. */
static void draw_trace(canvas *c, int trace)
{
    const jn_plot *p = c->plot;
    const double *v = p->value[trace];
    for (int i = 1; i < p->npoints; i++) {
        if (!isfinite(v[i - 1]) || !isfinite(v[i]))
            continue;
        int x0 = column_at(c, p->t[i - 1]), x1 = column_at(c, p->t[i]);
        int y0 = row_at(c, v[i - 1]), y1 = row_at(c, v[i]);
        int steps = abs(y1 - y0) > x1 - x0 ? abs(y1 - y0) : x1 - x0;
        for (int k = 0; k <= steps; k++)
            set_dot(c, steps ? x0 + (x1 - x0) * k / steps : x0,
                    steps ? y0 + (y1 - y0) * k / steps : y0);
    }
}

/* Zero is shown unless the trace stays far from it. */
static void find_range(canvas *c, int trace)
{
    const jn_plot *p = c->plot;
    c->low = INFINITY;
    c->high = -INFINITY;
    for (int i = 0; i < p->npoints; i++)
        if (isfinite(p->value[trace][i])) {
            c->low = fmin(c->low, p->value[trace][i]);
            c->high = fmax(c->high, p->value[trace][i]);
        }
    if (c->low > c->high)
        c->low = c->high = 0;
    if (c->low > 0 && c->low < c->high / 2)
        c->low = 0;
    if (!(c->high - c->low > 1e-12 * fabs(c->high))) {
        c->low -= 1;
        c->high += 1;
    }
}

static void add_letter(jn_str *out, unsigned char dots)
{
    if (dots == 0) {
        jn_str_addc(out, ' ');
        return;
    }
    unsigned code = 0x2800u + dots;
    const char letter[3] = {(char)(0xE0 | code >> 12), (char)(0x80 | (code >> 6 & 63)),
                            (char)(0x80 | (code & 63))};
    jn_str_addn(out, letter, 3);
}

static void write_canvas(const canvas *c)
{
    for (int r = 0; r < ROWS; r++) {
        if (r == 0 || r == ROWS - 1)
            jn_str_addf(c->out, "%*.5g |", LABEL, r == 0 ? c->high : c->low);
        else
            jn_str_addf(c->out, "%*s |", LABEL, "");
        int last = c->columns - 1;
        while (last >= 0 && c->dots[r * c->columns + last] == 0)
            last--;
        for (int x = 0; x <= last; x++)
            add_letter(c->out, c->dots[r * c->columns + x]);
        jn_str_addc(c->out, '\n');
    }
}

static void write_times(const canvas *c)
{
    const jn_plot *p = c->plot;
    jn_str end;
    jn_str_init(&end);
    jn_str_addf(&end, "t = %.5g", p->t[p->npoints - 1]);
    jn_str_addf(c->out, "%*s +", LABEL, "");
    jn_str_fill(c->out, '-', c->columns);
    jn_str_addf(c->out, "\n%*s  %-*.5g%s\n", LABEL, "", c->columns - (int)end.len, p->t[0], end.s);
    jn_str_clear(&end);
}

void jn_plot_text(jn_str *out, const jn_plot *p, int width)
{
    if (p->npoints == 0)
        return;
    int columns = width - LABEL - 3;
    canvas c = {out, p, columns < MIN_COLUMNS ? MIN_COLUMNS : columns, NULL, 0, 0};
    size_t size = (size_t)c.columns * ROWS;
    c.dots = jn_alloc(size);
    for (int k = 0; k < p->ntraces; k++) {
        memset(c.dots, 0, size);
        find_range(&c, k);
        draw_trace(&c, k);
        const char *unit = p->unit ? p->unit[k] : NULL;
        jn_str_addf(out, "%*s  %s%s%s\n", LABEL, "", p->name[k], unit ? " in " : "",
                    unit ? unit : "");
        write_canvas(&c);
    }
    write_times(&c);
    free(c.dots);
}
