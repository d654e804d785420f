/* trial.c: carrying a random model through the library and the oracle. */
#include "trial.h"

#include <stdarg.h>

/* ---- reporting ----------------------------------------------------------------------------- */

void trial_mode(jn_onoff *mode, const trial *t, int k)
{
    for (int s = 0; s < t->nswitches; s++)
        mode[s] = k >> (t->nswitches - 1 - s) & 1;
}

bool trial_fails(trial *t, int k, const char *fmt, ...)
{
    jn_str what;
    va_list args;
    jn_onoff mode[TRIAL_SWITCHES];
    jn_str_init(&what);
    va_start(args, fmt);
    jn_str_vaddf(&what, fmt, args);
    va_end(args);
    printf("\n%s: JUNCT_SEED=%llu, model %d, %s", t->test, (unsigned long long)test_seed(),
           t->index, t->numeric ? "numeric" : "symbolic");
    if (k >= 0) {
        trial_mode(mode, t, k);
        printf(", mode ");
        for (int s = 0; s < t->nswitches; s++)
            printf("%d", mode[s]);
    }
    printf(": %s\n%s", jn_str_c(&what), jn_str_c(&t->text));
    CU_assertImplementation(CU_FALSE, 0, "the model above", t->test, "", CU_FALSE);
    jn_str_clear(&what);
    t->failed = true;
    return false;
}

int trial_models(int usual)
{
    const char *factor = getenv("JUNCT_MODELS");
    long n = factor ? strtol(factor, NULL, 10) : 1;
    return n < 1 ? usual : (int)(n * usual);
}

void trial_count(trial_tally *y, const trial *t)
{
    y->models++;
    y->modes += t->nmodes;
    for (int k = 0; k < t->nmodes; k++)
        y->forbidden += t->oracle[k].forbidden;
}

void trial_tally_print(const char *suite, const trial_tally *y)
{
    printf("\n  %s: %d models, %d modes, %d forbidden", suite, y->models, y->modes, y->forbidden);
    if (y->singular)
        printf(", %d singular", y->singular);
}

/* ---- values -------------------------------------------------------------------------------- */

static void find_param_values(trial *t)
{
    const model *m = t->model;
    t->param_value = jn_alloc((size_t)t->graph->nparams * sizeof *t->param_value + 1);
    for (int p = 0; p < t->graph->nparams; p++) {
        t->param_value[p].id = -1;
        for (int i = 0; i < m->nsymbols; i++) {
            const model_symbol *s = &m->symbol[i];
            if (strcmp(s->name, t->graph->param[p].name) == 0)
                t->param_value[p] =
                    jn_ratfun_fmpq(t->graph->field, t->numeric && s->given ? s->value : s->generic);
        }
    }
}

static struct trial_number *number_slot(trial *t, int id)
{
    if (id >= t->nnumbers) {
        int n = 2 * id + 16;
        t->number = jn_realloc(t->number, (size_t)n * sizeof *t->number);
        for (int i = t->nnumbers; i < n; i++) {
            t->number[i].known = false;
            fmpq_init(t->number[i].value);
        }
        t->nnumbers = n;
    }
    return &t->number[id];
}

bool trial_number_of(fmpq_t v, trial *t, jn_ratfun a)
{
    struct trial_number *x = number_slot(t, a.id);
    if (!x->known) {
        jn_field *field = t->graph->field;
        jn_ratfun r = JN_RATFUN_ZERO;
        x->known = true;
        x->finite = jn_ratfun_put(&r, field, a, t->param_value, t->graph->nparams) == JN_OK &&
                    jn_ratfun_get_fmpq(x->value, field, r);
    }
    fmpq_set(v, x->value);
    return x->finite;
}

bool trial_is(trial *t, jn_ratfun a, const fmpq_t expected)
{
    fmpq_t v;
    fmpq_init(v);
    bool is = trial_number_of(v, t, a) && fmpq_equal(v, expected);
    fmpq_clear(v);
    return is;
}

bool trial_is_si(trial *t, jn_ratfun a, slong expected)
{
    fmpq_t v;
    fmpq_init(v);
    fmpq_set_si(v, expected, 1);
    bool is = trial_is(t, a, v);
    fmpq_clear(v);
    return is;
}

/* ---- the library --------------------------------------------------------------------------- */

static bool fails_with_messages(trial *t, const char *stage)
{
    jn_str messages;
    jn_str_init(&messages);
    jn_diags_render(&messages, t->diags, false);
    trial_fails(t, -1, "%s refuses the model:\n%s", stage, jn_str_c(&messages));
    jn_str_clear(&messages);
    return false;
}

/* Did the reader see what was written? */
static bool same_graph(trial *t)
{
    const model *m = t->model;
    const jn_graph *g = t->graph;
    if (g->nelements != m->nelements || g->nbonds != m->nbonds)
        return trial_fails(t, -1, "%d elements, %d bonds", g->nelements, g->nbonds);
    for (int i = 0; i < m->nelements; i++)
        if (g->element[i].kind != m->element[i].kind ||
            strcmp(g->element[i].name, m->element[i].name) != 0)
            return trial_fails(t, -1, "element %d is %s", i, g->element[i].name);
    for (int b = 0; b < m->nbonds; b++)
        if (g->bond[b].tail != m->bond[b].tail || g->bond[b].head != m->bond[b].head)
            return trial_fails(t, -1, "bond %d goes from %s to %s", b,
                               g->element[g->bond[b].tail].name, g->element[g->bond[b].head].name);
    return true;
}

static bool run_library(trial *t)
{
    t->arena = jn_arena_new();
    t->diags = jn_diags_new();
    const jn_source *source = jn_source_of(t->arena, "random.hbg", t->text.s, t->text.len);
    if (jn_graph_read(&t->graph, source, t->diags) != JN_OK)
        return fails_with_messages(t, "the graph");
    if (!same_graph(t))
        return false;
    if (jn_junction_build(&t->junction, t->graph, t->numeric, t->diags) != JN_OK)
        return fails_with_messages(t, "the junction structure");
    find_param_values(t);
    return true;
}

bool trial_derive(trial *t)
{
    if (jn_implicit_derive(&t->implicit, t->junction, t->diags) != JN_OK)
        return fails_with_messages(t, "the implicit equation");
    return true;
}

/* ---- the oracle ---------------------------------------------------------------------------- */

/* Resistors wish what they get in the reference mode when all of them ask for their flow. */
static void find_wishes(trial *t)
{
    oracle reference;
    oracle_init(&reference, t->model, t->numeric, t->junction->reference, NULL);
    for (int x = 0; x < t->model->nelements; x++)
        t->conductance[x] =
            t->model->element[x].kind == JN_R && !oracle_as_wished(&reference, t->model, x);
    oracle_clear(&reference);
}

static void run_oracle(trial *t)
{
    find_wishes(t);
    t->oracle = jn_alloc((size_t)t->nmodes * sizeof *t->oracle);
    for (int k = 0; k < t->nmodes; k++) {
        jn_onoff mode[TRIAL_SWITCHES];
        trial_mode(mode, t, k);
        oracle_init(&t->oracle[k], t->model, t->numeric, mode, t->conductance);
    }
}

bool trial_run(trial *t, const model *m, bool numeric, test_rng *r, const char *test, int index)
{
    memset(t, 0, sizeof *t);
    t->model = m;
    t->numeric = numeric;
    t->test = test;
    t->index = index;
    t->nswitches = model_count(m, model_is_switch);
    t->nmodes = 1 << t->nswitches;
    jn_str_init(&t->text);
    model_text(&t->text, m, r);
    if (!run_library(t))
        return false;
    run_oracle(t);
    return true;
}

void trial_clear(trial *t)
{
    for (int k = 0; t->oracle && k < t->nmodes; k++)
        oracle_clear(&t->oracle[k]);
    for (int i = 0; i < t->nnumbers; i++)
        fmpq_clear(t->number[i].value);
    free(t->oracle);
    free(t->number);
    free(t->param_value);
    jn_implicit_free(t->implicit);
    jn_junction_free(t->junction);
    jn_graph_free(t->graph);
    jn_diags_free(t->diags);
    jn_arena_free(t->arena);
    jn_str_clear(&t->text);
}

void trial_each(const trial_plan *p)
{
    bool good = true;
    for (int i = 0, n = trial_models(p->usual); i < n && good; i++) {
        test_rng r = test_rng_new(p->stream + (uint64_t)i);
        model m;
        trial t;
        model_init(&m);
        (p->make ? p->make : model_random_of)(&m, &r, i);
        good = trial_run(&t, &m, p->numeric, &r, p->test, i) && p->check(&t, &r);
        if (good)
            trial_count(p->tally, &t);
        trial_clear(&t);
        model_clear(&m);
    }
    CU_ASSERT(good);
}
