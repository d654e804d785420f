/* charger.c: running a model from a program.
 *
 *     cc charger.c $(pkg-config --cflags --libs junct) -o charger
 *
 * A battery charger keeps a capacitor between 9 V and 10 V. The program follows it from event to
 * event, lowers the supply on the way, and reads values as it goes. It prints
 *
 *     t = 1.000000  mode 1  v = 7.277770
 *     t = 2.259006  mode 0  v = 10.000000  event
 *     t = 3.312611  mode 1  v = 9.000000  event
 *     the supply falls to 10 V
 *     t = 100.000000  mode 1  v = 9.090909
 *     residue of the energies below 1e-9: yes
 */
#include <junct.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char model[] = "model charger\n"
                            "C  c = 1/1000\n"
                            "R  r = 1000\n"
                            "R  load = 10000\n"
                            "Se V = 12\n"
                            "0  n\n"
                            "X1 s\n"
                            "V -> s -> n\n"
                            "s -> r\n"
                            "n -> c\n"
                            "n -> load\n"
                            "switch s on, off when e(c) > 10, on when e(c) < 9\n"
                            "output v = e(c)\n";

static void show(jn_sim *s, const jn_probe *v, const char *remark)
{
    printf("t = %.6f  mode %d  v = %.6f%s\n", jn_sim_time(s), jn_sim_mode(s)[0], jn_sim_value(s, v),
           remark);
}

/* To a time, and twice to the next event; then with another input to the end. */
static jn_status follow(jn_sim *s, const jn_graph *g)
{
    const jn_probe *v;
    jn_stopped why;
    jn_status status = jn_sim_probe(&v, s, g->output[0].expr);
    if (status == JN_OK)
        status = jn_sim_advance(s, 1, &why);
    if (status == JN_OK)
        show(s, v, "");
    for (int i = 0; i < 2 && status == JN_OK; i++) {
        status = jn_sim_advance_event(s, 100, &why);
        if (status == JN_OK)
            show(s, v, why.why == JN_STOP_EVENT ? "  event" : "");
    }
    if (status == JN_OK) {
        puts("the supply falls to 10 V");
        status = jn_sim_set_input(s, jn_graph_find(g, "V"), 10, &why);
    }
    if (status == JN_OK)
        status = jn_sim_advance(s, 100, &why);
    if (status == JN_OK)
        show(s, v, "");
    return status;
}

static void check_energies(const jn_sim *s)
{
    jn_ledger l = jn_sim_ledger(s);
    double residue = l.supplied - l.stored - l.dissipated - l.lost;
    printf("residue of the energies below 1e-9: %s\n",
           fabs(residue) < 1e-9 * l.moved ? "yes" : "no");
}

int main(void)
{
    jn_arena *arena = jn_arena_new();
    jn_diags *diags = jn_diags_new();
    jn_graph *graph = NULL;
    jn_sim *sim = NULL;
    const jn_sim_options options = {.method = JN_METHOD_AUTO};

    jn_status status =
        jn_graph_read(&graph, jn_source_of(arena, "charger", model, strlen(model)), diags);
    if (status == JN_OK)
        status = jn_sim_new(&sim, graph, &options, diags);
    if (status == JN_OK)
        status = follow(sim, graph);
    if (status == JN_OK)
        check_energies(sim);

    jn_str text; /* warnings, and errors if there were any */
    jn_str_init(&text);
    jn_diags_render(&text, diags, false);
    fputs(jn_str_c(&text), stderr);
    jn_str_clear(&text);

    jn_sim_free(sim);
    jn_graph_free(graph);
    jn_diags_free(diags);
    jn_arena_free(arena);
    return status == JN_OK ? 0 : 1;
}
