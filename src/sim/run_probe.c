/* probe.c: reading values while a model runs. */
#include <math.h>
#include <stdlib.h>

#include "sim_internal.h"

struct jn_probe {
    const jn_expr *e; /* NULL: a linear form alone */
    bool linear;
    linear_form form;
};

static jn_probe *add_probe(jn_sim *s)
{
    s->probe = jn_realloc(s->probe, (size_t)(s->nprobes + 1) * sizeof *s->probe);
    return s->probe[s->nprobes++] = jn_alloc(sizeof(jn_probe));
}

void jn_probe_free(jn_probe *p)
{
    jn_form_clear(&p->form);
    free(p);
}

jn_status jn_sim_probe(const jn_probe **out, jn_sim *s, const jn_expr *e)
{
    if (jn_expr_is_condition(e))
        return JN_INVALID;
    jn_probe *p = add_probe(s);
    p->e = e;
    p->linear = jn_form_of(&p->form, s, e);
    *out = p;
    return JN_OK;
}

jn_status jn_sim_probe_bond(const jn_probe **out, jn_sim *s, int bond, bool effort)
{
    if (bond < 0 || bond >= s->g->nbonds)
        return JN_INVALID;
    jn_probe *p = add_probe(s);
    p->linear = true;
    p->form.term = jn_alloc(sizeof *p->form.term);
    p->form.term[0] = (struct form_term){effort ? jn_obs_effort(s, bond) : jn_obs_flow(s, bond), 1};
    p->form.n = p->form.cap = 1;
    *out = p;
    return JN_OK;
}

double jn_sim_value(jn_sim *s, const jn_probe *p)
{
    if (!p->linear) {
        view v = jn_present(s);
        return jn_evaluate(&v, p->e);
    }
    double sum = p->form.c0 + p->form.ct * s->t;
    for (int i = 0; i < p->form.n; i++)
        sum += p->form.term[i].c * jn_observed(s, s->now, p->form.term[i].obs, s->z);
    return sum;
}
