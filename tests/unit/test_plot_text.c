/* test_plot_text.c: traces as dots on a terminal, read back dot by dot. */
#include "testing.h"

#include <math.h>

#include "junct/plot.h"

enum { COLUMNS = 40, DOTS = 2 * COLUMNS, ROWS = 36 };

typedef struct {
    bool dot[ROWS][DOTS];
} picture;

/* The letters behind the bar of each line. */
static void read_picture(picture *p, const char *text)
{
    static const int bit[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
    memset(p, 0, sizeof *p);
    int row = 0;
    for (const char *line = text; *line && row < ROWS / 4; line = strchr(line, '\n') + 1) {
        const unsigned char *s = (const unsigned char *)strstr(line, " |");
        if (!s || (const char *)s > strchr(line, '\n'))
            continue;
        s += 2;
        for (int x = 0; *s != '\n'; x++) {
            int dots = *s == ' ' ? 0 : (s[1] & 3) << 6 | (s[2] & 63);
            for (int k = 0; k < 8; k++)
                p->dot[4 * row + k / 2][2 * x + k % 2] = dots & bit[k / 2][k % 2];
            s += *s == ' ' ? 1 : 3;
        }
        row++;
    }
    CU_ASSERT_EQUAL(row, ROWS / 4);
}

static void draw(picture *p, const double *t, const double *v, int n)
{
    const char *const name[] = {"x"};
    const double *const value[] = {v};
    jn_plot plot = {.npoints = n, .t = t, .ntraces = 1, .name = name, .value = value};
    jn_str text;
    jn_str_init(&text);
    jn_plot_text(&text, &plot, COLUMNS + 14);
    read_picture(p, jn_str_c(&text));
    jn_str_clear(&text);
}

/* From corner to corner, without a hole. */
static void a_line_is_drawn_in_text(void)
{
    const double t[] = {0, 2}, v[] = {0, 5};
    picture p;
    draw(&p, t, v, 2);
    CU_ASSERT(p.dot[ROWS - 1][0]);
    CU_ASSERT(p.dot[0][DOTS - 1]);
    for (int x = 0; x < DOTS; x++) {
        int count = 0;
        for (int y = 0; y < ROWS; y++)
            if (p.dot[y][x]) {
                count++;
                CU_ASSERT(abs(y - (ROWS - 1) * (DOTS - 1 - x) / (DOTS - 1)) <= 1);
            }
        CU_ASSERT(count >= 1);
    }
}

/* Two rows of one time are a vertical line; a value that is not finite is a gap. */
static void steps_and_gaps_are_drawn_in_text(void)
{
    const double t[] = {0, 1, 1, 2}, v[] = {0, 0, 1, 1};
    picture p;
    draw(&p, t, v, 4);
    for (int y = 0; y < ROWS; y++)
        CU_ASSERT(p.dot[y][DOTS / 2]);
    CU_ASSERT(!p.dot[0][0] && !p.dot[ROWS - 1][DOTS - 1]);

    const double u[] = {0, 1, 2, 3}, w[] = {1, 1, NAN, 2};
    draw(&p, u, w, 4);
    for (int x = DOTS / 3 + 2; x < DOTS; x++)
        for (int y = 0; y < ROWS; y++)
            CU_ASSERT(!p.dot[y][x]);
}

void suite_plot_text(void)
{
    TEST_SUITE("plot_text");
    TEST_ADD(a_line_is_drawn_in_text);
    TEST_ADD(steps_and_gaps_are_drawn_in_text);
}
