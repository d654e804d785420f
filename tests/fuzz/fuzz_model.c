/* fuzz_model.c: any bytes as a model file, through every stage and out of every writer.
 *
 * Beyond what the sanitizers see, three things must hold: formatting keeps the meaning of a file
 * and is idempotent, a refused model says why, and no stage finds an invariant of the method
 * broken. An input that breaks one of them aborts.
 *
 * Work per input is bounded, so that the search sees many of them: models with long loops are only
 * parsed, those above the sizes below only built, and coefficients may not grow long. */
#include <stdlib.h>
#include <string.h>

#include "unit/ast_equal.h"
#include "junct/write.h"
#include "patience.h"

enum { MAX_TURN_DIGITS = 2, MAX_ELEMENTS = 60, MAX_SWITCHES = 12, MAX_TERMS = 500, MAX_MODES = 8 };
enum { NARROW = 60 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* A stage may refuse a model, but not without an error, nor because of itself. */
static bool passed(jn_status s, const jn_diags *d)
{
    require(s != JN_BUG);
    require(s == JN_OK || jn_diags_errors(d) > 0);
    return s == JN_OK;
}

/* ---- the language -------------------------------------------------------------------------- */

static void check_format(jn_arena *a, const jn_ast_block *model)
{
    jn_str once, twice;
    jn_ast_block again;
    jn_diags *d = jn_diags_new();
    jn_str_init(&once);
    jn_str_init(&twice);
    jn_syntax_format(&once, model);
    const jn_source *s = jn_source_of(a, "formatted", jn_str_c(&once), once.len);
    require(jn_syntax_parse(&again, a, s, d) == JN_OK);
    require(ast_equal(model, &again));
    jn_syntax_format(&twice, &again);
    require(strcmp(jn_str_c(&once), jn_str_c(&twice)) == 0);
    jn_str_clear(&twice);
    jn_str_clear(&once);
    jn_diags_free(d);
}

/* A loop's last turn, where it is written as a number. */
static bool is_long(const jn_ast_expr *last)
{
    return last->op == JN_AST_NUMBER &&
           (strlen(last->text) > MAX_TURN_DIGITS || strspn(last->text, "0123456789") == 0 ||
            last->text[strspn(last->text, "0123456789")]);
}

static bool has_long_loop(const jn_ast_block *b)
{
    bool found = false;
    for (int i = 0; i < b->n && !found; i++) {
        const jn_ast *x = b->item[i];
        if (x->kind == JN_AST_SUBMODEL)
            found = has_long_loop(&x->u.submodel.body);
        else if (x->kind == JN_AST_FOR)
            found = is_long(x->u.loop.to) || has_long_loop(&x->u.loop.body);
    }
    return found;
}

/* ---- the writers --------------------------------------------------------------------------- */

typedef struct {
    const jn_writer *writer;
    jn_listing *listing;
    int count;
} walk;

static bool write_mode(const jn_onoff *m, void *context)
{
    walk *w = context;
    w->writer->mode(w->listing, m);
    return ++w->count < MAX_MODES;
}

static void write_listing(jn_write_what what, const char *form, const jn_implicit *f, bool by_mode)
{
    jn_listing l;
    const jn_writer *w = jn_writer_find(what, form);
    if (!w)
        return;
    jn_listing_init(&l, f->junction, f);
    l.by_mode = by_mode;
    l.assume_allowed = by_mode; /* either way is seen once */
    if (by_mode)
        l.width = NARROW;
    w->begin(&l);
    if (by_mode)
        jn_guard_each_mode(f->junction->ring.guards, jn_guard_true(), write_mode,
                           &(walk){w, &l, 0});
    w->end(&l);
    jn_listing_clear(&l);
}

static void write_all(const jn_implicit *f)
{
    static const char *const forms[] = {"text", "json", "csv", "latex", "octave"};
    jn_str summary;
    jn_str_init(&summary);
    jn_write_summary(&summary, f->junction->graph, f->junction, NARROW);
    jn_str_clear(&summary);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        write_listing(JN_WRITE_MODES, forms[i], f, false);
        write_listing(JN_WRITE_MODES, forms[i], f, true);
        write_listing(JN_WRITE_MATRICES, forms[i], f, false);
        write_listing(JN_WRITE_MATRICES, forms[i], f, true);
    }
}

/* ---- the stages ---------------------------------------------------------------------------- */

static void derive(const jn_graph *g, bool numeric, jn_diags *d)
{
    jn_junction *j = NULL;
    jn_implicit *f = NULL;
    if (passed(jn_junction_build(&j, g, numeric, d), d) && passed(jn_implicit_derive(&f, j, d), d))
        write_all(f);
    jn_implicit_free(f);
    jn_junction_free(j);
}

/* The mode with every second switch ON, alone: as the structure of all modes has it. */
static void derive_one(const jn_graph *g, bool numeric, jn_diags *d)
{
    jn_junction *j = NULL, *all = NULL;
    jn_implicit *f = NULL;
    jn_onoff *m = jn_alloc((size_t)g->nswitches);
    for (int i = 0; i < g->nswitches; i++)
        m[i] = i % 2 == 0;
    if (passed(jn_junction_build_mode(&j, g, numeric, m, d), d) &&
        passed(jn_implicit_derive(&f, j, d), d) &&
        passed(jn_junction_build(&all, g, numeric, d), d))
        require(jn_guard_is_true(j->forbidden) == jn_junction_is_forbidden(all, m));
    jn_implicit_free(f);
    jn_junction_free(j);
    jn_junction_free(all);
    free(m);
}

static void read_model(const jn_source *s, jn_diags *d)
{
    jn_graph *g = NULL;
    if (passed(jn_graph_read(&g, s, d), d) && g->nelements <= MAX_ELEMENTS &&
        g->nswitches <= MAX_SWITCHES) {
        jn_field_limit(g->field, MAX_TERMS);
        derive(g, false, d);
        derive_one(g, false, d);
        derive(g, true, d);
    }
    jn_graph_free(g);
}

/* Spelt out, its laws are a right model, too, with the same switches and bonds. */
static void check_expansion(jn_arena *a, const jn_ast_block *model, const jn_source *s)
{
    jn_diags *d = jn_diags_new();
    jn_graph *g = NULL, *again = NULL;
    jn_ast_block expanded;
    jn_str text;
    jn_str_init(&text);
    if (jn_graph_build(&g, model, s, d) == JN_OK && g->nelements <= MAX_ELEMENTS) {
        require(jn_graph_expand(&expanded, a, model, s, d) == JN_OK);
        jn_syntax_format(&text, &expanded);
        const jn_source *spelt_out = jn_source_of(a, "spelt out", jn_str_c(&text), text.len);
        require(jn_graph_read(&again, spelt_out, d) == JN_OK);
        require(g->nbonds == again->nbonds && g->nswitches == again->nswitches);
    }
    jn_graph_free(again);
    jn_graph_free(g);
    jn_str_clear(&text);
    jn_diags_free(d);
}

static void render(jn_diags *d)
{
    jn_str text;
    jn_str_init(&text);
    jn_diags_sort(d);
    jn_diags_render(&text, d, true);
    jn_str_clear(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (memchr(data, 0, size)) /* refused where files are read */
        return 0;
    begin_patience();
    jn_arena *a = jn_arena_new();
    jn_diags *d = jn_diags_new(), *parsing = jn_diags_new();
    jn_ast_block model;
    const jn_source *s = jn_source_of(a, "fuzz", (const char *)data, size);
    bool good = passed(jn_syntax_parse(&model, a, s, parsing), parsing);
    if (good)
        check_format(a, &model);
    if (good && !has_long_loop(&model))
        check_expansion(a, &model, s);
    if (!has_long_loop(&model))
        read_model(s, d);
    render(parsing);
    render(d);
    jn_diags_free(parsing);
    jn_diags_free(d);
    jn_arena_free(a);
    return 0;
}
