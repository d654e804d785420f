/* test_errors.c: what a person is told about a wrong model, word for word.
 *
 * NAME.hbg is a model, NAME.txt what is said when it is read: errors, warnings or nothing; of those
 * called structure_NAME, when its equations are derived as well. With JUNCT_ACCEPT=1 the texts are
 * written anew: then look at what changed. */
#include <glob.h>

#include "junct/implicit.h"
#include "testing.h"

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* NAME.hbg becomes NAME.txt. */
static void expected_path(char *out, size_t size, const char *model)
{
    snprintf(out, size, "%.*s.txt", (int)(strlen(model) - strlen(".hbg")), model);
}

static void derive(const jn_graph *g, jn_diags *d)
{
    jn_junction *j = NULL;
    jn_implicit *f = NULL;
    CU_ASSERT_EQUAL_FATAL(jn_junction_build(&j, g, false, d), JN_OK);
    CU_ASSERT_EQUAL_FATAL(jn_implicit_derive(&f, j, d), JN_OK);
    jn_implicit_free(f);
    jn_junction_free(j);
}

/* All that is said about a model when it is parsed and built. */
static void diagnose(jn_str *out, const char *path)
{
    char *text = test_read_file(path);
    jn_arena *a = jn_arena_new();
    jn_diags *d = jn_diags_new();
    jn_graph *g = NULL;
    const jn_source *s = jn_source_of(a, base_name(path), text, strlen(text));
    jn_status status = jn_graph_read(&g, s, d);
    CU_ASSERT((status == JN_OK) == (g != NULL));
    CU_ASSERT((status == JN_OK) == (jn_diags_errors(d) == 0));
    if (g && strncmp(base_name(path), "structure_", strlen("structure_")) == 0)
        derive(g, d);
    jn_diags_sort(d);
    jn_diags_render(out, d, false);
    jn_graph_free(g);
    jn_diags_free(d);
    jn_arena_free(a);
    free(text);
}

static void check_model(const char *path)
{
    char expected[1024];
    expected_path(expected, sizeof expected, path);
    jn_str got;
    jn_str_init(&got);
    diagnose(&got, path);
    if (getenv("JUNCT_ACCEPT")) {
        FILE *new_text = fopen(expected, "wb");
        CU_ASSERT_PTR_NOT_NULL_FATAL(new_text);
        fputs(jn_str_c(&got), new_text);
        fclose(new_text);
    }
    FILE *file = fopen(expected, "rb");
    char *text = file ? test_read_file(expected) : NULL;
    TEST_TEXT(text ? text : "(there is no such file)", jn_str_c(&got));
    if (file)
        fclose(file);
    free(text);
    jn_str_clear(&got);
}

static void wrong_models_are_explained(void)
{
    glob_t found;
    CU_ASSERT_EQUAL_FATAL(glob("tests/errors/*.hbg", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        check_model(found.gl_pathv[i]);
    globfree(&found);
}

/* No code without a case. Those from GUARDS_LIMIT on are limits and faults of later stages, whose
 * own tests have them. */
static void every_code_has_a_case(void)
{
    glob_t found;
    CU_ASSERT_EQUAL_FATAL(glob("tests/errors/*.txt", 0, NULL, &found), 0);
    jn_str all;
    jn_str_init(&all);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *text = test_read_file(found.gl_pathv[i]);
        jn_str_add(&all, text);
        free(text);
    }
    for (int code = 0; code < JN_D_GUARDS_LIMIT; code++) {
        char mark[100];
        snprintf(mark, sizeof mark, " [%s]\n", jn_code_slug(code));
        bool covered = strstr(jn_str_c(&all), mark);
        CU_ASSERT(covered);
        if (!covered)
            printf("\ntests/errors has no case of%s", mark);
    }
    jn_str_clear(&all);
    globfree(&found);
}

void suite_errors(void)
{
    TEST_SUITE("errors");
    TEST_ADD(wrong_models_are_explained);
    TEST_ADD(every_code_has_a_case);
}
