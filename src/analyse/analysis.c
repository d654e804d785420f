/* analysis.c: what the analysis of all modes of a model shares. */
#include <stdlib.h>
#include <string.h>

#include "analyse_internal.h"

/* A number for each parameter that no coincidence will make special: the ranks they give are at
 * most the generic ones, and are used as lower bounds only. */
static long random_value(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return 1000003 + (long)(*state >> 34);
}

static bool is_param(const jn_graph *g, const char *name)
{
    for (int p = 0; p < g->nparams; p++)
        if (strcmp(g->param[p].name, name) == 0)
            return true;
    return false;
}

/* The Laplace variable is called s, with as many underscores as it takes to be the only one. */
static const char **list_names(jn_analysis *a)
{
    const jn_graph *g = a->graph;
    size_t n = (size_t)g->nparams + 1 + (size_t)a->nconstants;
    const char **names = jn_arena_alloc(a->arena, n * sizeof *names);
    const char *s = "s";
    for (int p = 0; p < g->nparams; p++)
        names[p] = g->param[p].name;
    while (is_param(g, s))
        s = jn_arena_printf(a->arena, "%s_", s);
    names[g->nparams] = s;
    for (int i = 0; i < a->nconstants; i++)
        names[g->nparams + 1 + i] = a->constant[i];
    return names;
}

/* What it would warn of has been said of the symbolic structure. */
static jn_junction *build_with_values(const jn_junction *symbolic)
{
    const jn_graph *g = symbolic->graph;
    jn_junction *j = NULL;
    jn_diags *unsaid = jn_diags_new();
    const jn_junction_options all = {
        .numeric = true, .setting = symbolic->setting, .no_bonds = true};
    jn_status s = symbolic->single
                      ? jn_junction_build_mode(&j, g, true, symbolic->reference, unsaid)
                      : jn_junction_build_with(&j, g, &all, unsaid);
    if (s != JN_OK)
        j = NULL;
    jn_diags_free(unsaid);
    return j;
}

jn_analysis *jn_analysis_new(const jn_implicit *f)
{
    const jn_graph *g = f->junction->graph;
    jn_analysis *a = jn_alloc(sizeof *a);
    uint64_t state = 20130917;
    *a = (jn_analysis){.implicit = f, .graph = g, .field = f->junction->ring.field};
    a->arena = jn_arena_new();
    a->s = g->nparams;
    jni_output_constants(a);
    a->names = list_names(a);
    a->generic = jn_arena_alloc(a->arena, (size_t)g->nparams * sizeof *a->generic);
    for (int p = 0; p < g->nparams; p++)
        a->generic[p] = jn_ratfun_int(a->field, random_value(&state));
    int *output = jn_arena_alloc(a->arena, (size_t)g->noutputs * sizeof *output);
    for (int i = 0; i < g->noutputs; i++)
        if (jni_outputs_linear(a, g->output[i].expr))
            output[a->noutputs++] = i;
        else
            a->nskipped++;
    a->output = output;
    int *fed = jn_arena_alloc(a->arena, (size_t)g->nsources * sizeof *fed);
    for (int i = 0; i < g->nsources; i++)
        if (jn_source_is_fed(g, i))
            fed[a->nfed++] = i;
    a->fed = fed;
    if (!jn_guard_is_false(f->special))
        a->with_values = build_with_values(f->junction);
    return a;
}

void jn_analysis_free(jn_analysis *a)
{
    if (!a)
        return;
    jn_junction_free(a->with_values);
    jn_arena_free(a->arena);
    free(a->constant);
    free(a->constant_value);
    free(a);
}
