/* design_space.c: a sweep from a program.
 *
 *     cc design_space.c $(pkg-config --cflags --libs junct) -o design_space
 *
 * A coil is charged through a switch that turns off at 1 A. Which coil and which resistance keep the
 * peak of the power in the resistor lowest while the current still gets there within a millisecond?
 * The program asks for every pair, and for one pair that cannot get there. It prints
 *
 *     12 rows of 2 values and 2 measures
 *     L = 0.001, R = 2: peak 2.000000 W, 1 A after 0.202733 ms
 *     L = 0.002, R = 20: never
 */
#include <junct.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char model[] = "model charge\n"
                            "Se V = 6\n"
                            "I  L = 1m\n"
                            "R  R = 5\n"
                            "1  loop\n"
                            "X1 s\n"
                            "V -> s -> loop -> L\n"
                            "loop -> R\n"
                            "switch s on, off when f(L) > 1\n"
                            "output i = f(L), power = e(R)*f(R)\n";

/* Columns of a row: what is varied, then the measures. */
enum { COIL, RESISTANCE, PEAK, WHEN, COLUMNS };

static void find_best(jn_sweep *s)
{
    double row[COLUMNS], best[COLUMNS] = {[PEAK] = INFINITY}, never[COLUMNS] = {0};
    const char *status;
    for (uint64_t i = 0; i < jn_sweep_rows(s); i++) {
        if (!jn_sweep_row(s, i, row, &status) || strcmp(status, "ok"))
            continue;
        if (isnan(row[WHEN]))
            memcpy(never, row, sizeof row);
        else if (row[PEAK] < best[PEAK] * (1 - 1e-9))
            memcpy(best, row, sizeof row);
    }
    printf("L = %g, R = %g: peak %.6f W, 1 A after %.6f ms\n", best[COIL], best[RESISTANCE],
           best[PEAK], 1e3 * best[WHEN]);
    printf("L = %g, R = %g: never\n", never[COIL], never[RESISTANCE]);
}

int main(void)
{
    static const char *const vary[] = {"L=1m,2m", "R=2:20:6"};
    static const char *const measure[] = {"max(power)", "first(i >= 1)"};
    jn_sweep_question q = {.nvary = 2, .vary = vary, .nmeasures = 2, .measure = measure, .to = 1e-3};
    jn_arena *a = jn_arena_new();
    jn_diags *d = jn_diags_new();
    const jn_source *text = jn_source_of(a, "charge", model, strlen(model));
    jn_graph *g = NULL;
    jn_sweep *s = NULL;
    jn_status status = jn_graph_read(&g, text, d);
    if (status == JN_OK)
        status = jn_sweep_new(&s, g, &q, d);
    if (status == JN_OK) {
        printf("%llu rows of %d values and %d measures\n", (unsigned long long)jn_sweep_rows(s),
               jn_sweep_nvaried(s), jn_sweep_columns(s) - jn_sweep_nvaried(s));
        find_best(s);
    }
    if (jn_diags_errors(d)) {
        jn_str said;
        jn_str_init(&said);
        jn_diags_render(&said, d, false);
        fputs(jn_str_c(&said), stderr);
        jn_str_clear(&said);
    }
    jn_sweep_free(s);
    jn_graph_free(g);
    jn_diags_free(d);
    jn_arena_free(a);
    return status == JN_OK ? 0 : 1;
}
