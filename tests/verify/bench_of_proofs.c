/* bench_of_proofs.c: a model from its text, verified. */
#include "bench_of_proofs.h"

static const jn_verify_options usual = {.seconds = 120};

void proof_ask(proof_rig *r, const jn_verify_options *options)
{
    jn_junction_options numeric = {.numeric = true};
    CU_ASSERT_EQUAL_FATAL(jn_junction_build_with(&r->junction, r->graph, &numeric, r->diags),
                          JN_OK);
    jn_status st = jn_verify(&r->v, r->junction, options ? options : &usual, r->diags);
    CU_ASSERT((st == JN_OK) == (r->v != NULL));
}

void proof_read(proof_rig *r, const char *text)
{
    *r = (proof_rig){.arena = jn_arena_new(), .diags = jn_diags_new()};
    const jn_source *s = jn_source_of(r->arena, "test", text, strlen(text));
    jn_status st = jn_graph_read(&r->graph, s, r->diags);
    if (st != JN_OK) {
        jn_str said;
        jn_str_init(&said);
        jn_diags_render(&said, r->diags, false);
        fprintf(stderr, "%s", jn_str_c(&said));
        jn_str_clear(&said);
    }
    CU_ASSERT_EQUAL_FATAL(st, JN_OK);
}

void proof_new(proof_rig *r, const char *text, const jn_verify_options *options)
{
    proof_read(r, text);
    proof_ask(r, options);
}

void proof_example(proof_rig *r, const char *name, const char *set)
{
    char path[200];
    snprintf(path, sizeof path, "examples/%s.hbg", name);
    char *text = test_read_file(path);
    proof_read(r, text);
    if (set) {
        const char *equals = strchr(set, '='), *why = NULL;
        char *key = jn_arena_strndup(r->arena, set, (size_t)(equals - set));
        fmpq_t value;
        fmpq_init(value);
        CU_ASSERT_EQUAL(jn_number_parse(value, equals + 1, strlen(equals + 1)), JN_OK);
        CU_ASSERT_EQUAL(jn_graph_set(r->graph, key, value, &why), JN_OK);
        fmpq_clear(value);
    }
    proof_ask(r, NULL);
    free(text);
}

void proof_clear(proof_rig *r)
{
    jn_verification_free(r->v);
    jn_junction_free(r->junction);
    jn_graph_free(r->graph);
    jn_diags_free(r->diags);
    jn_arena_free(r->arena);
}

bool proof_has_error(const proof_rig *r, const char *slug)
{
    for (int i = 0; i < jn_diags_count(r->diags); i++)
        if (!strcmp(jn_code_slug(jn_diags_get(r->diags, i)->code), slug))
            return true;
    return false;
}
