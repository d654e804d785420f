/* orbits.c: models whose orbits are looked for. */
#include "orbits.h"

#include <math.h>

void orbit_read(orbit *o, const char *text)
{
    *o = (orbit){.arena = jn_arena_new(), .diags = jn_diags_new()};
    const jn_source *source = jn_source_of(o->arena, "test", text, strlen(text));
    o->status = jn_graph_read(&o->graph, source, o->diags);
    CU_ASSERT_EQUAL_FATAL(o->status, JN_OK);
}

void orbit_find(orbit *o, const char *text, const jn_steady_options *options)
{
    jn_steady_options none = {0};
    orbit_read(o, text);
    o->status = jn_steady_find(&o->orbit, o->graph, options ? options : &none, o->diags);
}

void orbit_clear(orbit *o)
{
    jn_steady_free(o->orbit);
    jn_graph_free(o->graph);
    jn_diags_free(o->diags);
    jn_arena_free(o->arena);
}

const jn_steady_value *orbit_value(const orbit *o, const char *name)
{
    static const jn_steady_value nothing = {.mean = NAN};
    for (int i = 0; o->orbit && i < o->orbit->nvalues; i++)
        if (strcmp(o->orbit->value[i].name, name) == 0)
            return &o->orbit->value[i];
    CU_FAIL("no such value");
    return &nothing;
}

jn_complex orbit_response(const char *text, const char *from, bool duty, const char *to, double f,
                          const jn_steady_options *options)
{
    orbit o;
    jn_bode *b = NULL;
    jn_complex y = {NAN, NAN};
    orbit_read(&o, text);
    jn_bode_options q = {.source = -1, .pwm = -1, .nfrequencies = 1, .frequency = &f};
    if (options)
        q.orbit = *options;
    for (int i = 0; duty && i < o.graph->nswitches; i++)
        if (strcmp(o.graph->switch_name[i], from) == 0)
            q.pwm = i;
    if (!duty)
        q.source = jn_graph_find(o.graph, from);
    CU_ASSERT_EQUAL(jn_bode_find(&b, o.graph, &q, o.diags), JN_OK);
    for (int i = 0; b && i < b->nvalues; i++)
        if (strcmp(b->name[i], to) == 0)
            y = b->response[i];
    jn_bode_free(b);
    orbit_clear(&o);
    return y;
}

static const char *const bonds[CONVERTERS] = {
    /* BUCK */
    "V -> s -> n\nG -> d -> n\nn -> coil -> L\ncoil -> out -> C1\nout -> load\n",
    /* BOOST */
    "V -> coil -> L\ncoil -> n\nn -> s -> G\nn -> d -> out\nout -> C1\nout -> load\n",
    /* BUCK_BOOST: the diode takes the coil's current out of the load */
    "V -> s -> n\nout -> d -> n\nn -> coil -> L\ncoil -> zero\nG -> zero\nout -> C1\nout -> load\n",
    /* CUK */
    "V -> coil -> L\ncoil -> a\na -> s -> zero\nG -> zero\na -> bridge -> C2\nbridge -> b\n"
    "b -> d -> zero\nb -> coil2 -> L2\ncoil2 -> out\nout -> C1\nout -> load\n"};

void orbit_converter(jn_str *text, converter_kind kind, const char *duty, double L, double load)
{
    jn_str_addf(text,
                "model converter\nSe V = 24\nSe G = 0\nI L = %.17g\nC C1 = 100u\nR load = %.17g\n"
                "0 out\n1 coil\nX1 s\nX1 d\n",
                L, load);
    if (kind == CUK)
        jn_str_addf(text, "0 a\n0 b\n0 zero\n1 bridge\n1 coil2\nI L2 = %.17g\nC C2 = 20u\n", L);
    else
        jn_str_add(text, kind == BUCK_BOOST ? "0 n\n0 zero\n" : "0 n\n");
    jn_str_add(text, bonds[kind]);
    jn_str_addf(text, "switch s pwm(100u, %s)\nswitch d diode\n", duty);
    jn_str_add(text, "output v = e(out), i = f(L), taken = f(V)\nsimulate to 1 every 1\n");
}
