/* controller.c: a digital controller, written in C, in closed loop with a converter.
 *
 *     cc controller.c $(pkg-config --cflags --libs junct) -o controller
 *
 * Every 20 us the program samples the current in the coil of a buck converter, lets a PI controller
 * find how long the transistor is to conduct, and turns it on and off; the diode follows its own
 * law. At 2 ms the supply rises. Before that, a copy of the run tells what would have come of it
 * had the wanted current been raised instead. It prints
 *
 *     t = 0.4 ms  i = 3.867755 A  v = 7.404089 V  duty = 0.325498
 *     t = 0.8 ms  i = 4.641437 A  v = 9.788488 V  duty = 0.410504
 *     t = 1.2 ms  i = 4.871441 A  v = 10.671755 V  duty = 0.445550
 *     t = 1.6 ms  i = 4.952685 A  v = 11.000648 V  duty = 0.458734
 *     t = 2.0 ms  i = 4.982522 A  v = 11.122546 V  duty = 0.463620
 *     t = 4.0 ms  i = 7.993745 A  v = 16.976390 V  duty = 0.707116  with 8 A
 *     t = 2.4 ms  i = 5.055869 A  v = 11.666686 V  duty = 0.393770
 *     t = 2.8 ms  i = 5.022060 A  v = 11.513113 V  duty = 0.384058
 *     t = 3.2 ms  i = 5.007761 A  v = 11.446009 V  duty = 0.381700
 *     t = 3.6 ms  i = 5.002695 A  v = 11.422196 V  duty = 0.380924
 *     t = 4.0 ms  i = 5.000934 A  v = 11.413921 V  duty = 0.380657
 */
#include <junct.h>
#include <stdio.h>
#include <string.h>

static const char model[] = "model buck\n"
                            "Se V = 24\n"
                            "Se G = 0\n"
                            "I  L = 100u\n"
                            "C  c = 100u\n"
                            "R  load = 2\n"
                            "0  n\n"
                            "0  out\n"
                            "1  coil\n"
                            "X1 s\n"
                            "X1 d\n"
                            "V -> s -> n\n"
                            "G -> d -> n\n"
                            "n -> coil -> L\n"
                            "coil -> out -> c\n"
                            "out -> load\n"
                            "switch s off\n"
                            "switch d off, on when e(n) < 0, off when f(d) < 0\n";

static const double period = 20e-6;

/* A PI controller of the current; what it gives is a share of the period. */
typedef struct {
    double wanted, integral, duty;
} controller;

static void control(controller *c, double current)
{
    double error = c->wanted - current;
    c->duty = 0.05 * error + c->integral;
    if (c->duty >= 0 && c->duty <= 1) /* else it would wind up */
        c->integral += 0.01 * error;
    c->duty = c->duty < 0 ? 0 : c->duty > 1 ? 1 : c->duty;
}

/* The converter, and what is read of it. */
typedef struct {
    jn_sim *sim;
    int transistor;
    const jn_probe *i, *v;
} plant;

static jn_status connect(plant *p, const jn_graph *g, jn_diags *d)
{
    p->transistor = g->element[jn_graph_find(g, "s")].number;
    jn_status s = jn_sim_probe_text(&p->i, p->sim, "f(L)", d);
    return s == JN_OK ? jn_sim_probe_text(&p->v, p->sim, "e(out)", d) : s;
}

/* One period: sample, on, off. */
static jn_status run_period(plant *p, controller *c, long k)
{
    jn_stopped stop;
    double start = (double)k * period;
    control(c, jn_sim_value(p->sim, p->i));
    jn_status s = jn_sim_set_switch(p->sim, p->transistor, c->duty > 0, &stop);
    if (s == JN_OK && c->duty > 0 && c->duty < 1) {
        s = jn_sim_advance(p->sim, start + c->duty * period, &stop);
        if (s == JN_OK)
            s = jn_sim_set_switch(p->sim, p->transistor, false, &stop);
    }
    return s == JN_OK ? jn_sim_advance(p->sim, (double)(k + 1) * period, &stop) : s;
}

static jn_status run_periods(plant *p, controller *c, long from, long to)
{
    jn_status s = JN_OK;
    for (long k = from; k < to && s == JN_OK; k++)
        s = run_period(p, c, k);
    return s;
}

static void show(plant *p, const controller *c, const char *remark)
{
    printf("t = %.1f ms  i = %.6f A  v = %.6f V  duty = %.6f%s\n", 1e3 * jn_sim_time(p->sim),
           jn_sim_value(p->sim, p->i), jn_sim_value(p->sim, p->v), c->duty, remark);
}

/* With 8 A instead, on a copy: neither the run nor its controller knows of it. */
static jn_status look_ahead(const plant *p, controller c, const jn_graph *g, jn_diags *d)
{
    plant other = {.sim = jn_sim_copy(p->sim, NULL)};
    jn_status s = connect(&other, g, d);
    c.wanted = 8;
    if (s == JN_OK)
        s = run_periods(&other, &c, 100, 200);
    if (s == JN_OK)
        show(&other, &c, "  with 8 A");
    jn_sim_free(other.sim);
    return s;
}

static jn_status follow(jn_sim *sim, const jn_graph *g, jn_diags *d)
{
    plant p = {.sim = sim};
    controller c = {.wanted = 5};
    jn_stopped stop;
    jn_status s = connect(&p, g, d);
    for (long k = 0; k < 200 && s == JN_OK; k += 20) {
        if (k == 100) {
            s = look_ahead(&p, c, g, d);
            if (s == JN_OK)
                s = jn_sim_set_input(sim, jn_graph_find(g, "V"), 30, &stop);
        }
        if (s == JN_OK)
            s = run_periods(&p, &c, k, k + 20);
        if (s == JN_OK)
            show(&p, &c, "");
    }
    return s;
}

int main(void)
{
    jn_arena *arena = jn_arena_new();
    jn_diags *diags = jn_diags_new();
    jn_graph *graph = NULL;
    jn_sim *sim = NULL;
    const jn_sim_options options = {.method = JN_METHOD_AUTO};

    jn_status status =
        jn_graph_read(&graph, jn_source_of(arena, "buck", model, strlen(model)), diags);
    if (status == JN_OK)
        status = jn_sim_new(&sim, graph, &options, diags);
    if (status == JN_OK)
        status = follow(sim, graph, diags);

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
