/* analyse_subject.c: a random model with outputs, carried up to its analysis. */
#include "analyse_subject.h"

bool subject_fails(const subject *x, const char *what)
{
    printf("\n%s: JUNCT_SEED=%llu, model %d, %s, mode ", x->test, (unsigned long long)test_seed(),
           x->index, x->numeric ? "numeric" : "symbolic");
    for (int s = 0; x->graph && s < x->graph->nswitches; s++)
        printf("%d", x->mode[s]);
    printf(": %s\n%s", what, jn_str_c(&x->text));
    CU_assertImplementation(CU_FALSE, 0, "the model above", x->test, "", CU_FALSE);
    return false;
}

/* ---- a model ------------------------------------------------------------------------------- */

static void choose_outputs(subject *x, test_rng *r)
{
    int n = 0, candidate[MODEL_ELEMENTS];
    x->states_read = test_rng_chance(r, 50);
    for (int e = 0; e < x->m.nelements; e++)
        if (x->states_read ? model_is_storage(&x->m, e) : model_is_port(&x->m, e))
            candidate[n++] = e;
    x->noutputs = n ? test_rng_int(r, 1, 3) : 0;
    for (int i = 0; i < x->noutputs; i++) {
        x->output[i].element = candidate[test_rng_int(r, 0, n - 1)];
        x->output[i].effort = test_rng_chance(r, 50);
        const model_element *e = &x->m.element[x->output[i].element];
        char letter = x->states_read        ? e->kind == JN_I ? 'p' : 'q'
                      : x->output[i].effort ? 'e'
                                            : 'f';
        jn_str_addf(&x->text, "\noutput y__%d = %c(%s)\n", i, letter, e->name);
    }
}

bool subject_init(subject *x, const char *test, int index, uint64_t stream, bool numeric)
{
    test_rng r = test_rng_new(stream + (uint64_t)index);
    *x = (subject){.test = test, .index = index, .numeric = numeric};
    x->arena = jn_arena_new();
    x->diags = jn_diags_new();
    jn_str_init(&x->text);
    model_init(&x->m);
    model_random_of(&x->m, &r, index);
    for (int i = 0; i < x->m.nsymbols; i++)
        x->m.symbol[i].given = true;
    model_text(&x->text, &x->m, &r);
    choose_outputs(x, &r);
    const jn_source *source = jn_source_of(x->arena, "random", jn_str_c(&x->text), x->text.len);
    if (jn_graph_read(&x->graph, source, x->diags) != JN_OK ||
        jn_junction_build(&x->junction, x->graph, numeric, x->diags) != JN_OK ||
        jn_implicit_derive(&x->implicit, x->junction, x->diags) != JN_OK)
        return false;
    x->analysis = jn_analysis_new(x->implicit);
    if (jn_analyse_across(&x->across, x->analysis) != JN_OK)
        return false;
    x->value = jn_alloc((size_t)(x->graph->nparams + 1) * sizeof *x->value);
    for (int p = 0; p <= x->graph->nparams; p++) {
        x->value[p].id = -1;
        for (int i = 0; i < x->m.nsymbols && p < x->graph->nparams; i++)
            if (strcmp(x->m.symbol[i].name, x->graph->param[p].name) == 0)
                x->value[p] = jn_ratfun_fmpq(x->graph->field, numeric ? x->m.symbol[i].value
                                                                      : x->m.symbol[i].generic);
    }
    return true;
}

void subject_clear(subject *x)
{
    jn_across_free(x->across);
    jn_analysis_free(x->analysis);
    jn_implicit_free(x->implicit);
    jn_junction_free(x->junction);
    jn_graph_free(x->graph);
    jn_diags_free(x->diags);
    jn_arena_free(x->arena);
    jn_str_clear(&x->text);
    model_clear(&x->m);
    free(x->value);
}

bool subject_number(fmpq_t c, const subject *x, jn_ratfun v)
{
    jn_field *k = x->graph->field;
    return jn_ratfun_put(&v, k, v, x->value, x->graph->nparams + 1) == JN_OK &&
           jn_ratfun_get_fmpq(c, k, v);
}

void subject_links(fmpq_mat_t laws, slong row, const subject *x, const oracle *o, int element,
                   slong factor)
{
    fmpq_t v;
    fmpq_init(v);
    for (int i = 0; i < x->m.nlinks; i++) {
        const model_link *l = &x->m.link[i];
        if (l->a != element)
            continue;
        model_link_value(v, &x->m, l, x->numeric, x->mode);
        fmpq_mul_si(v, v, -factor);
        fmpq_set(
            fmpq_mat_entry(laws, row, 2 * o->port_of[l->b] + (x->m.element[element].kind != JN_C)),
            v);
    }
    fmpq_clear(v);
}
