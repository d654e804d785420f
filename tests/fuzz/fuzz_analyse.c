/* fuzz_analyse.c: any bytes as a model file, through the analysis and out of its writers.
 *
 * Modes are analysed one by one, from one to the next, and all at once, over the parameters and at
 * values. Work per input is bounded: models stay small, and their coefficients short. */
#include <string.h>

#include "junct/write_analyse.h"
#include "patience.h"

enum { MAX_SIZE = 2000, MAX_ELEMENTS = 20, MAX_SWITCHES = 4, MAX_TERMS = 100, MAX_MODES = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
    const jn_analysis_writer *writer;
    const jn_analysis *analysis;
    jn_listing *listing;
    jn_mode_analysis result;
    const jn_onoff *reference;
    int count;
} walk;

static bool analyse_mode(const jn_onoff *m, void *context)
{
    walk *w = context;
    jn_passage t;
    jn_analyse_mode(&w->result, w->analysis, m);
    w->writer->mode(w->listing, w->analysis, m, &w->result);
    jn_analyse_passage(&t, w->analysis, w->reference, m);
    w->writer->passage(w->listing, w->analysis, w->reference, m, &t);
    jn_passage_clear(&t);
    return ++w->count < MAX_MODES;
}

static void write_form(const char *form, const jn_analysis *a, const jn_across *c)
{
    const jn_junction *j = a->implicit->junction;
    jn_listing l;
    jn_listing_init(&l, j, a->implicit);
    walk w = {jn_analysis_writer_find(form), a, &l, {.npoles = 0}, j->reference, 0};
    jn_mode_analysis_init(&w.result);
    w.writer->begin(&l, a);
    if (c)
        w.writer->across(&l, c);
    else
        jn_guard_each_mode(j->ring.guards, jn_guard_true(), analyse_mode, &w);
    w.writer->end(&l);
    jn_mode_analysis_clear(&w.result);
    jn_listing_clear(&l);
}

static void analyse(const jn_implicit *f)
{
    static const char *const forms[] = {"text", "json", "csv", "latex"};
    jn_analysis *a = jn_analysis_new(f);
    jn_across *c = NULL;
    bool known = jn_analyse_across(&c, a) == JN_OK;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        write_form(forms[i], a, NULL);
        if (known)
            write_form(forms[i], a, c);
    }
    jn_across_free(c);
    jn_analysis_free(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > MAX_SIZE || memchr(data, 0, size))
        return 0;
    begin_patience();
    jn_arena *a = jn_arena_new();
    jn_diags *d = jn_diags_new();
    jn_graph *g = NULL;
    const jn_source *s = jn_source_of(a, "fuzz", (const char *)data, size);
    if (jn_graph_read(&g, s, d) == JN_OK && g->nelements <= MAX_ELEMENTS &&
        g->nswitches <= MAX_SWITCHES) {
        jn_field_limit(g->field, MAX_TERMS);
        for (int numeric = 0; numeric < 2; numeric++) {
            jn_junction *j = NULL;
            jn_implicit *f = NULL;
            if (jn_junction_build(&j, g, numeric, d) == JN_OK &&
                jn_implicit_derive(&f, j, d) == JN_OK)
                analyse(f);
            jn_implicit_free(f);
            jn_junction_free(j);
        }
    }
    jn_graph_free(g);
    jn_diags_free(d);
    jn_arena_free(a);
    return 0;
}
