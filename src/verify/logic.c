/* logic.c: the fence around Z3: the library, a logic and its terms.
 *
 * The library is large, and only proofs need it: it is loaded when the first logic is made, under
 * the name that the build found. Its seed is fixed, so that a question has one answer and one
 * witness; its time is limited, and what it leaves unknown is unknown to us. Only the files logic*.c know it. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "junct/limits.h"
#include "libraries.h"
#include "logic_internal.h"

struct jni_z3 jni_z3;

static bool load(void)
{
    if (z3.tried)
        return z3.found;
    z3.tried = true;
    void *library = dlopen(JN_Z3_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    z3.found = library;
#define X(name)                                                                                    \
    *(void **)&z3.name = library ? dlsym(library, "Z3_" #name) : NULL;                             \
    z3.found = z3.found && z3.name;
    EACH_FUNCTION(X)
#undef X
    return z3.found;
}

/* Without memory it has no result, and what is made of none has no meaning. All else is told by the
 * results. */
static void note_error(Z3_context c, Z3_error_code e)
{
    (void)c;
    if (e == Z3_MEMOUT_FAIL)
        jn_memory_exhausted(0);
}

/* ---- terms --------------------------------------------------------------------------------- */

static term new_term(logic *l)
{
    JN_GROW(l->term, l->nterms, l->cap_terms);
    return l->term[l->nterms++] = jn_alloc(sizeof(struct jni_term));
}

/* Z3 has one formula where the same is written twice; so have we. */
term *jni_logic_place_of(logic *l, Z3_ast a)
{
    int id = (int)z3.get_ast_id(l->c, a);
    if (id >= l->cap_by_id) {
        int cap = 2 * id + 64;
        l->by_id = jn_realloc(l->by_id, (size_t)cap * sizeof(term));
        memset(l->by_id + l->cap_by_id, 0, (size_t)(cap - l->cap_by_id) * sizeof(term));
        l->cap_by_id = cap;
    }
    return &l->by_id[id];
}

term jni_logic_boolean(logic *l, Z3_ast a)
{
    term *at = jni_logic_place_of(l, a);
    if (!*at) {
        *at = new_term(l);
        (*at)->formula = a;
    }
    return *at;
}

/* The term of a form, which it takes. */
term jni_logic_number_of(logic *l, linear *f)
{
    term *bucket = &l->bucket[jni_linear_hash(f) % BUCKETS];
    for (term a = *bucket; a; a = a->next)
        if (jni_linear_equal(&a->of, f)) {
            jni_linear_clear(f);
            return a;
        }
    term a = new_term(l);
    a->of = *f;
    a->next = *bucket;
    return *bucket = a;
}

term jni_logic_new_unknown(logic *l, Z3_ast a)
{
    linear f;
    jni_linear_init(&f);
    jni_linear_unknown(&f, l->nunknowns);
    JN_GROW(l->unknown, l->nunknowns, l->cap_unknowns);
    l->unknown[l->nunknowns++] = (unknown){.formula = a, .scope = l->scope[l->nscopes - 1].id};
    return jni_logic_number_of(l, &f);
}

/* ---- a logic ------------------------------------------------------------------------------- */

logic *jni_logic_new(double until)
{
    if (!load())
        return NULL;
    logic *l = jn_alloc(sizeof *l);
    linear nothing;
    jni_linear_init(&nothing);
    Z3_config config = z3.mk_config();
    l->c = z3.mk_context(config);
    z3.del_config(config);
    if (!l->c)
        jn_memory_exhausted(0);
    z3.set_error_handler(l->c, note_error);
    l->s = z3.mk_solver_for_logic(l->c, z3.mk_string_symbol(l->c, "QF_LRA"));
    z3.solver_inc_ref(l->c, l->s);
    l->p = z3.mk_params(l->c);
    z3.params_inc_ref(l->c, l->p);
    z3.params_set_uint(l->c, l->p, z3.mk_string_symbol(l->c, "random_seed"), 1);
    z3.params_set_uint(l->c, l->p, z3.mk_string_symbol(l->c, "arith.solver"), 2);
    z3.params_set_bool(l->c, l->p, z3.mk_string_symbol(l->c, "ctrl_c"), false);
    z3.solver_set_params(l->c, l->s, l->p);
    l->bools = z3.mk_bool_sort(l->c);
    l->reals = z3.mk_real_sort(l->c);
    l->until = until;
    jni_logic_begin_scope(l);
    l->yes = jni_logic_boolean(l, z3.mk_true(l->c));
    l->no = jni_logic_boolean(l, z3.mk_false(l->c));
    l->zero = jni_logic_number_of(l, &nothing);
    return l;
}

void jni_logic_free(logic *l)
{
    if (!l)
        return;
    jni_logic_forget_model(l);
    while (l->nscopes)
        jni_logic_end_scope(l);
    for (int i = 0; i < l->nterms; i++) {
        if (!l->term[i]->formula)
            jni_linear_clear(&l->term[i]->of);
        free(l->term[i]);
    }
    free(l->term);
    free(l->by_id);
    free(l->unknown);
    free(l->solved);
    free(l->scope);
    z3.params_dec_ref(l->c, l->p);
    z3.solver_dec_ref(l->c, l->s);
    z3.del_context(l->c);
    free(l);
}
