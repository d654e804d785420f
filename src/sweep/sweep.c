/* sweep.c: one question, asked for many values.
 *
 * A row is a function of its number: the number says which point of the grid it is and which sample
 * of the random draws; the graph gets these values, and an answerer (a run, an orbit, a mode) finds
 * the leaves of the measures. Nothing is carried from one row to the next but what costs time to make
 * again: the structure of modes that were met. So rows may be computed by anyone in any order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sweep_internal.h"

/* ---- the question -------------------------------------------------------------------------- */

static const char *const *copy_texts(jn_arena *a, const char *const *text, int n)
{
    const char **to = jn_arena_alloc(a, (size_t)n * sizeof *to);
    for (int i = 0; i < n; i++)
        to[i] = jn_arena_strndup(a, text[i], strlen(text[i]));
    return to;
}

static void copy_question(jn_sweep *s, const jn_sweep_question *q)
{
    s->q = *q;
    jn_arena *a = s->g->arena; /* diagnostics have places in them */
    s->q.vary = copy_texts(a, q->vary, q->nvary);
    s->q.measure = copy_texts(a, q->measure, q->nmeasures);
    if (q->each_period)
        s->q.each_period = jn_arena_strndup(a, q->each_period, strlen(q->each_period));
    if (q->mode)
        s->q.mode = jn_arena_dup(s->arena, q->mode, (size_t)s->g->nswitches * sizeof *q->mode);
}

static bool read_axes(jn_sweep *s, jn_diags *d)
{
    bool good = true;
    s->axis = jn_arena_alloc(s->arena, (size_t)s->q.nvary * sizeof *s->axis);
    for (int i = 0; i < s->q.nvary; i++) {
        axis *a = &s->axis[i];
        bool read = jni_axis_read(a, s->g->arena, s->q.vary[i], d);
        for (int k = 0; k < i && read; k++)
            if (s->axis[k].target && !strcmp(s->axis[k].target, a->target) &&
                (s->axis[k].sets == SETS_VALUE) == (a->sets == SETS_VALUE)) {
                jn_diag_add(d, JN_D_SWEEP_NAME, a->place, a->name, "it is varied already", "");
                read = false;
            }
        good = good && read;
    }
    s->naxes = s->q.nvary;
    return good;
}

/* p0 and f0 are of an I, q0 and e0 of a C; NULL: it is one of them, or nothing at all. */
static const char *other_start(const jn_sweep *s, const axis *a)
{
    int e = a->sets == SETS_VALUE ? -1 : jn_graph_find(s->g, a->target);
    if (e < 0 || !jn_kind_is_storage(s->g->element[e].kind))
        return NULL;
    bool is_i = s->g->element[e].kind == JN_I, of_i = *a->name == 'p' || *a->name == 'f';
    if (is_i == of_i)
        return NULL;
    char meant = is_i ? (a->sets == SETS_STATE ? 'p' : 'f') : (a->sets == SETS_STATE ? 'q' : 'e');
    return jn_arena_printf(s->arena, "write '%c0(%s)'", meant, a->target);
}

/* Whether it can have any of its values: others may be wrong, and are rows that say so. */
static bool check_axis(jn_sweep *s, int k, jn_diags *d)
{
    const axis *a = &s->axis[k];
    const char *why = NULL;
    int tries = a->drawn ? 8 : a->count;
    const char *meant = other_start(s, a);
    if (meant) {
        jn_diag_add(d, JN_D_SWEEP_NAME, a->place, a->name,
                    *a->name == 'p' || *a->name == 'f' ? "only an I starts from a momentum or flow"
                                                       : "only a C starts from a charge or effort",
                    meant);
        return false;
    }
    for (int i = 0; i < tries && i < 100; i++) {
        double x = a->drawn ? jni_axis_draw(a, s->q.seed, (uint64_t)i, k) : a->value[i];
        why = jni_axis_set(a, s->g, s->decimals, x);
        if (!why)
            return true;
    }
    if (jn_interrupted()) {
        jn_diag_add(d, JN_D_INTERRUPTED, (jn_place){0}, "what is varied was");
        return false;
    }
    const char *closest =
        jn_graph_find(s->g, a->target) < 0 ? jn_graph_closest_value(s->g, a->target) : NULL;
    jn_diag_add(d, JN_D_SWEEP_NAME, a->place, a->name, why,
                closest ? jn_arena_printf(s->arena, "did you mean '%s'?", closest) : "");
    return false;
}

static bool multiply(uint64_t *rows, uint64_t by)
{
    if (by && *rows > (uint64_t)JN_SWEEP_MAX_ROWS / by)
        return false;
    *rows *= by;
    return true;
}

static bool count_rows(jn_sweep *s, jn_diags *d)
{
    int drawn = 0;
    bool fits = true;
    s->rows = 1;
    for (int i = 0; i < s->naxes; i++) {
        drawn += s->axis[i].drawn != DRAWN_NOT;
        if (!s->axis[i].drawn)
            fits = fits && multiply(&s->rows, (uint64_t)s->axis[i].count);
    }
    if (drawn && !s->q.samples) {
        jn_diag_add(d, JN_D_SWEEP_QUESTION, (jn_place){0},
                    "it is not said how many random samples are drawn",
                    "give --samples N, and --seed S for other draws");
        return false;
    }
    if (!drawn && s->q.samples) {
        jn_diag_add(d, JN_D_SWEEP_QUESTION, (jn_place){0}, "nothing is drawn at random",
                    "vary something as in --vary 'R1=normal(10,1)', or leave --samples away");
        return false;
    }
    s->samples = drawn ? s->q.samples : 1;
    fits = fits && multiply(&s->rows, s->samples);
    if (!fits)
        jn_diag_add(d, JN_D_SWEEP_QUESTION, (jn_place){0}, "there are more than 10^12 rows", "");
    return fits;
}

/* ---- columns ------------------------------------------------------------------------------- */

static void name_list(jn_sweep *s, const measure *m)
{
    for (int i = 0; i < m->ncolumns; i++)
        s->column[s->ncolumns++] =
            jn_arena_printf(s->arena, "%s %d %s", m->name, i / 2 + 1, i % 2 ? "im" : "re");
}

static void name_columns(jn_sweep *s)
{
    int n = s->naxes + s->q.periods;
    for (int i = 0; i < s->measures.nmeasures; i++)
        n += s->measures.measure[i].ncolumns;
    s->column = jn_arena_alloc(s->arena, (size_t)n * sizeof *s->column);
    for (int i = 0; i < s->naxes; i++)
        s->column[s->ncolumns++] = s->axis[i].name;
    for (int i = 0; i < s->measures.nmeasures; i++) {
        const measure *m = &s->measures.measure[i];
        if (m->list >= 0)
            name_list(s, m);
        else
            s->column[s->ncolumns++] = m->name;
    }
    for (int i = 0; i < s->q.periods; i++)
        s->column[s->ncolumns++] = jn_arena_printf(s->arena, "%s @%d", s->q.each_period, i + 1);
    s->row = jn_arena_alloc(s->arena, (size_t)s->ncolumns * sizeof *s->row);
}

static bool check_names(const jn_sweep *s, jn_diags *d)
{
    for (int i = 0; i < s->ncolumns; i++)
        for (int k = s->naxes; k < i; k++)
            if (!strcmp(s->column[i], s->column[k])) {
                jn_diag_add(d, JN_D_SWEEP_NAME, (jn_place){0}, s->column[i],
                            "two measures have this name", "");
                return false;
            }
    return true;
}

static void make_answer(jn_sweep *s)
{
    answer *a = &s->answer;
    a->leaf = jn_arena_alloc(s->arena, (size_t)s->measures.nleaves * sizeof *a->leaf);
    a->nlist = s->g->nstorages;
    a->list = jn_arena_alloc(s->arena, 2 * (size_t)a->nlist * sizeof *a->list);
    a->each = jn_arena_alloc(s->arena, (size_t)s->q.periods * sizeof *a->each);
    jn_str_init(&a->status);
}

/* ---- making it ----------------------------------------------------------------------------- */

static bool check_question(jn_sweep *s, jn_diags *d)
{
    if (s->q.each_period && s->q.kind != JN_SWEEP_RUN) {
        jn_diag_add(d, JN_D_SWEEP_QUESTION, (jn_place){0}, "each period is one of runs",
                    "leave --steady and --analyse away");
        return false;
    }
    s->q.periods = s->q.each_period ? s->q.periods > 0 ? s->q.periods : 32 : 0;
    return true;
}

static bool make(jn_sweep *s, jn_diags *d)
{
    bool good = check_question(s, d);
    good = read_axes(s, d) && good;
    good = jni_measures_read(&s->measures, s->g->arena, s->g, &s->q, d) && good;
    if (!good)
        return false;
    for (int i = 0; i < s->naxes; i++)
        good = check_axis(s, i, d) && good;
    good = good && count_rows(s, d);
    if (!good)
        return false;
    name_columns(s);
    make_answer(s);
    return check_names(s, d) && s->answerer->begin(s, d) == JN_OK;
}

jn_status jn_sweep_new(jn_sweep **out, jn_graph *g, const jn_sweep_question *q, jn_diags *d)
{
    static const answerer *const answerers[] = {[JN_SWEEP_RUN] = &jni_answer_run,
                                                [JN_SWEEP_STEADY] = &jni_answer_steady,
                                                [JN_SWEEP_ANALYSE] = &jni_answer_analyse};
    jn_sweep *s = jn_alloc(sizeof *s);
    *out = NULL;
    s->arena = jn_arena_new();
    s->g = g;
    s->answerer = answerers[q->kind];
    s->decimals = jn_decimals_new();
    copy_question(s, q);
    s->fingerprint = jni_fingerprint_of(s); /* the graph has the values that it is given */
    if (!make(s, d)) {
        jn_sweep_free(s);
        return jn_interrupted() ? JN_UNABLE : JN_INVALID;
    }
    *out = s;
    return JN_OK;
}

void jn_sweep_free(jn_sweep *s)
{
    if (!s)
        return;
    s->answerer->end(s);
    jn_str_clear(&s->answer.status);
    jni_measures_clear(&s->measures);
    jn_decimals_free(s->decimals);
    jn_arena_free(s->arena);
    free(s);
}

/* ---- asking about it ----------------------------------------------------------------------- */

uint64_t jn_sweep_rows(const jn_sweep *s)
{
    return s->rows;
}

int jn_sweep_columns(const jn_sweep *s)
{
    return s->ncolumns;
}

int jn_sweep_nvaried(const jn_sweep *s)
{
    return s->naxes;
}

const char *jn_sweep_column(const jn_sweep *s, int column)
{
    return s->column[column];
}

jn_sweep_axis jn_sweep_axis_of(const jn_sweep *s, int varied)
{
    const axis *a = &s->axis[varied];
    return (jn_sweep_axis){a->name, a->drawn ? 0 : a->count, a->is_log, a->value};
}

int jn_sweep_each_period(const jn_sweep *s, int *first)
{
    *first = s->ncolumns - s->q.periods;
    return s->q.periods;
}

const char *jn_sweep_fingerprint(const jn_sweep *s)
{
    return s->fingerprint;
}

/* ---- a row --------------------------------------------------------------------------------- */

/* The last axis is fastest; within a point of the grid, the samples. */
void jni_sweep_values(double *value, const jn_sweep *s, uint64_t row)
{
    uint64_t sample = row % s->samples, point = row / s->samples;
    for (int i = s->naxes - 1; i >= 0; i--) {
        const axis *a = &s->axis[i];
        if (a->drawn) {
            value[i] = jni_axis_draw(a, s->q.seed, sample, i);
        } else {
            value[i] = a->value[point % (uint64_t)a->count];
            point /= (uint64_t)a->count;
        }
    }
}

/* One value may only be right beside another that is yet to come: those that were refused are
 * tried again. */
const char *jni_sweep_set(jn_sweep *s, const double *value)
{
    const char *why = NULL;
    for (int turn = 0; turn < 2; turn++) {
        why = NULL;
        for (int i = 0; i < s->naxes; i++) {
            const char *refused = jni_axis_set(&s->axis[i], s->g, s->decimals, value[i]);
            why = why ? why : refused;
        }
        if (!why)
            break;
    }
    return why;
}

bool jni_sweep_is_late(const jn_sweep *s)
{
    return !s->answer.interrupted && s->q.seconds > 0 &&
           (double)(clock() - s->started) > s->q.seconds * CLOCKS_PER_SEC;
}

bool jni_sweep_interrupted(void *ctx)
{
    jn_sweep *s = ctx;
    if (s->q.sim.interrupted && s->q.sim.interrupted(s->q.sim.ctx)) {
        s->answer.interrupted = true;
        return true;
    }
    return jni_sweep_is_late(s);
}

void jni_sweep_tell_impulses(answer *to, const metered *m, double area, double integral,
                             double span)
{
    if (to->status.len && !to->is_partial)
        return;
    to->is_partial = true;
    jn_str_addf(&to->status, "%s'%s' has impulses, and is measured between them",
                to->status.len ? "; " : "", m->text);
    if ((m->what & JN_METER_INTEGRAL) && isfinite(area) && isfinite(integral))
        jn_str_addf(&to->status, ": with them its mean is %.10g", (integral + area) / span);
}

void jni_sweep_why(jn_str *out, const jn_diags *d)
{
    for (int i = 0; i < jn_diags_count(d); i++)
        if (jn_diags_get(d, i)->severity == JN_ERROR) {
            jn_str_add(out, jn_diags_get(d, i)->message);
            return;
        }
}

/* What is wrong with the start of a run may be a matter of the values of this row. */
static bool is_wrong_everywhere(const jn_diags *d)
{
    for (int i = 0; i < jn_diags_count(d); i++)
        if (jn_diags_get(d, i)->severity == JN_ERROR && jn_diags_get(d, i)->code != JN_D_RUN_START)
            return true;
    return false;
}

jn_status jni_sweep_try(jn_sweep *s, jn_status (*answer_first)(jn_sweep *s, jn_diags *d),
                        jn_diags *d)
{
    jn_diags *said = jn_diags_new();
    jn_status st = JN_OK;
    jni_sweep_values(s->row, s, 0);
    s->started = clock();
    if (!jni_sweep_set(s, s->row))
        st = answer_first(s, said);
    bool wrong = st == JN_INVALID && is_wrong_everywhere(said);
    for (int i = 0; i < jn_diags_count(said); i++)
        if (wrong || jn_diags_get(said, i)->severity == JN_WARNING)
            jn_diag_copy(d, jn_diags_get(said, i));
    jn_diags_free(said);
    return wrong ? JN_INVALID : JN_OK;
}

static void fill(double *value, jn_sweep *s)
{
    int at = s->naxes;
    for (int i = 0; i < s->measures.nmeasures; i++) {
        const measure *m = &s->measures.measure[i];
        bool undefined = false;
        if (m->list < 0)
            value[at++] = jni_measure_value(m->tree, s->answer.leaf, &undefined);
        if (undefined && !s->answer.status.len)
            jn_str_addf(&s->answer.status, "'%s' is no number with these values", m->name);
        for (int k = 0; k < m->ncolumns && m->list >= 0; k++)
            value[at++] = s->answer.list[k];
    }
    for (int i = 0; i < s->q.periods; i++)
        value[at++] = s->answer.each[i];
}

static void forget_answer(jn_sweep *s)
{
    answer *a = &s->answer;
    for (int i = 0; i < s->measures.nleaves; i++)
        a->leaf[i] = NAN;
    for (int i = 0; i < 2 * a->nlist; i++)
        a->list[i] = NAN;
    for (int i = 0; i < s->q.periods; i++)
        a->each[i] = NAN;
    jn_str_reset(&a->status);
    a->is_partial = false;
    a->interrupted = false;
}

static void find_constants(jn_sweep *s)
{
    for (int i = 0; i < s->measures.nleaves; i++)
        if (s->measures.leaf[i].kind == LEAF_CONSTANT) {
            double value = jn_sim_constant(s->g, s->measures.leaf[i].e);
            s->answer.leaf[i] = isfinite(value) ? value : NAN;
        }
}

/* One that is no number, sqrt(-1), leaves its field empty. */
static void tell_constants(jn_sweep *s)
{
    jn_str text;
    for (int i = 0; i < s->measures.nleaves && !s->answer.status.len; i++) {
        const leaf *l = &s->measures.leaf[i];
        if (l->kind != LEAF_CONSTANT || !isnan(s->answer.leaf[i]))
            continue;
        jn_str_init(&text);
        jn_expr_print(&text, s->g, l->e);
        jn_str_addf(&s->answer.status, "'%s' is no number with these values", jn_str_c(&text));
        jn_str_clear(&text);
    }
}

bool jn_sweep_row(jn_sweep *s, uint64_t row, double *value, const char **status)
{
    answer *a = &s->answer;
    s->started = clock();
    forget_answer(s);
    jni_sweep_values(value, s, row);
    const char *why = jni_sweep_set(s, value);
    if (why) {
        jn_str_add(&a->status, why);
    } else {
        find_constants(s);
        s->answerer->row(a, s);
    }
    if (a->status.len && !a->is_partial) /* nothing is claimed of what went wrong */
        for (int i = 0; i < s->measures.nleaves; i++)
            a->leaf[i] = NAN;
    fill(value, s);
    tell_constants(s);
    *status = a->status.len ? jn_str_c(&a->status) : "ok";
    return !a->interrupted;
}
