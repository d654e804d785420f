/* test_stroke_random.c: the causal strokes of random models obey the rules of causality in every
 * allowed mode, and are left open only where the laws leave a bond open. */
#include "trial.h"

static trial_tally tally;

/* Whether an element receives the effort on one of its bonds. */
static bool receives_effort(const trial *t, int bond, int element, const jn_onoff *mode)
{
    const jn_stroke *s = &t->junction->stroke[bond];
    bool is_head = t->model->bond[bond].head == element;
    return jn_guard_at(t->junction->ring.guards, is_head ? s->tail : s->head, mode);
}

typedef struct {
    int bonds, received; /* efforts it receives */
    bool undetermined;
} surroundings;

static surroundings look_around(const trial *t, int k, int element, const jn_onoff *mode)
{
    surroundings s = {0};
    for (int b = 0; b < t->model->nbonds; b++) {
        if (t->model->bond[b].tail != element && t->model->bond[b].head != element)
            continue;
        s.bonds++;
        s.received += receives_effort(t, b, element, mode);
        s.undetermined |= t->oracle[k].undetermined[b];
    }
    return s;
}

static bool check_bonds(trial *t, int k, const jn_onoff *mode)
{
    jn_guards *guards = t->junction->ring.guards;
    for (int b = 0; b < t->model->nbonds; b++) {
        bool open = jn_guard_at(guards, t->junction->undetermined[b], mode);
        int strokes = jn_guard_at(guards, t->junction->stroke[b].tail, mode) +
                      jn_guard_at(guards, t->junction->stroke[b].head, mode);
        if (open != t->oracle[k].undetermined[b])
            return trial_fails(t, k, "bond %d is %sdetermined", b + 1, open ? "" : "not ");
        if (!open && strokes != 1)
            return trial_fails(t, k, "bond %d has %d strokes", b + 1, strokes);
    }
    return true;
}

/* A port imposes its effort unless the junction structure determines it. */
static bool check_port(trial *t, int k, int x, const jn_onoff *mode)
{
    int b = model_port_bond(t->model, x);
    const oracle *o = &t->oracle[k];
    if (o->undetermined[b] || receives_effort(t, b, x, mode) == o->effort_out[o->port_of[x]])
        return true;
    return trial_fails(t, k, "the stroke at %s", t->model->element[x].name);
}

/* An OFF X0 imposes e = 0 on its bonds, but receives the effort of a source that it lets go;
 * an OFF X1 is the dual. */
static bool check_off(trial *t, int k, int x, const jn_onoff *mode)
{
    jn_kind kind = t->model->element[x].kind;
    for (int b = 0; b < t->model->nbonds; b++) {
        const model_bond *bond = &t->model->bond[b];
        if ((bond->tail != x && bond->head != x) || t->oracle[k].undetermined[b])
            continue;
        const model_element *other = &t->model->element[bond->tail == x ? bond->head : bond->tail];
        bool let_go = other->detachable && other->kind == (kind == JN_X0 ? JN_SE : JN_SF);
        if (receives_effort(t, b, x, mode) != ((kind == JN_X1) != let_go))
            return trial_fails(t, k, "the stroke of bond %d at %s, which is OFF", b + 1,
                               t->model->element[x].name);
    }
    return true;
}

/* A ratio of zero: the first bond has no effort, whatever there is on the second. */
static bool check_zero_ratio(trial *t, int k, int x, const jn_onoff *mode)
{
    int in = 0;
    fmpq_t v;
    fmpq_init(v);
    while (t->model->bond[in].head != x)
        in++;
    model_value(v, t->model, x, t->numeric, mode);
    bool zero = fmpq_is_zero(v);
    fmpq_clear(v);
    return !zero || t->oracle[k].undetermined[in] || !receives_effort(t, in, x, mode) ||
           trial_fails(t, k, "the stroke into %s", t->model->element[x].name);
}

static bool check_junction(trial *t, int k, int x, const jn_onoff *mode)
{
    surroundings s = look_around(t, k, x, mode);
    bool good = true;
    if (s.undetermined)
        return true;
    switch (t->model->element[x].kind) {
    case JN_0:
    case JN_X0:
    case JN_TF:
        good = s.received == 1;
        break;
    case JN_1:
    case JN_X1:
        good = s.bonds - s.received == 1;
        break;
    case JN_GY:
        good = s.received != 1;
        break;
    default:
        break;
    }
    if (good && (t->model->element[x].kind == JN_TF || t->model->element[x].kind == JN_GY))
        return check_zero_ratio(t, k, x, mode);
    return good ||
           trial_fails(t, k, "%s receives %d efforts", t->model->element[x].name, s.received);
}

static bool check_mode(trial *t, int k)
{
    jn_onoff mode[TRIAL_SWITCHES];
    trial_mode(mode, t, k);
    bool good = check_bonds(t, k, mode);
    for (int x = 0, sw = 0; x < t->model->nelements && good; x++) {
        if (model_is_port(t->model, x))
            good = check_port(t, k, x, mode);
        else if (t->model->element[x].kind == JN_BOOLEAN)
            sw++;
        else if (model_is_switch(t->model, x) && !mode[sw++])
            good = check_off(t, k, x, mode);
        else
            good = check_junction(t, k, x, mode);
    }
    return good;
}

static bool check_strokes(trial *t)
{
    for (int k = 0; k < t->nmodes; k++)
        if (!t->oracle[k].forbidden && !check_mode(t, k))
            return false;
    return true;
}

/* The same with the structure of each mode alone in place of that of all. */
static bool check_single_strokes(trial *t)
{
    jn_junction *all = t->junction;
    bool good = true;
    for (int k = 0; k < t->nmodes && good; k++) {
        jn_onoff mode[TRIAL_SWITCHES];
        trial_mode(mode, t, k);
        good = jn_junction_build_mode(&t->junction, t->graph, t->numeric, mode, t->diags) == JN_OK;
        good = good ? t->oracle[k].forbidden || check_mode(t, k)
                    : trial_fails(t, k, "one mode: it is refused");
        jn_junction_free(t->junction);
    }
    t->junction = all;
    return good;
}

static void strokes_of_models(int usual, bool (*check)(trial *t), const char *test)
{
    bool good = true;
    for (int i = 0, n = trial_models(usual); i < n && good; i++) {
        test_rng r = test_rng_new(3000000 + (uint64_t)i);
        model m;
        trial t;
        model_init(&m);
        model_random_of(&m, &r, i);
        good = trial_run(&t, &m, i % 2 == 0, &r, test, i) && check(&t);
        if (good)
            trial_count(&tally, &t);
        trial_clear(&t);
        model_clear(&m);
    }
    CU_ASSERT(good);
}

static void strokes_are_right(void)
{
    strokes_of_models(1500, check_strokes, "strokes");
}

static void single_strokes_are_right(void)
{
    strokes_of_models(500, check_single_strokes, "strokes of single modes");
}

static int finish(void)
{
    trial_tally_print("strokes", &tally);
    return 0;
}

void suite_stroke_random(void)
{
    CU_pSuite suite_ = CU_add_suite("stroke_random", NULL, finish);
    TEST_ADD(strokes_are_right);
    TEST_ADD(single_strokes_are_right);
}
