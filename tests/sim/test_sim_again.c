/* test_sim_again.c: runs that are copied, and runs that begin again with other values.
 *
 * Every model of examples and of tests/sim/cases, with both engines: a copy and its original go on
 * to the same bits, whatever has happened to one of them does not reach the other, a run that
 * begins again is to the bit a new one, and so is one that forgets its modes. */
#include <dirent.h>
#include <math.h>

#include "rig.h"

/* ---- models -------------------------------------------------------------------------------- */

typedef struct {
    jn_arena *arena;
    jn_diags *diags;
    jn_graph *graph;
    double end;
} bench;

static bool bench_open(bench *b, const char *path)
{
    *b = (bench){.arena = jn_arena_new(), .diags = jn_diags_new()};
    const jn_source *source;
    const char *why;
    jn_ratfun end;
    fmpq_t number;
    if (jn_source_read(&source, b->arena, path, &why) != JN_OK ||
        jn_graph_read(&b->graph, source, b->diags) != JN_OK)
        return false;
    fmpq_init(number);
    b->end = 1;
    if (b->graph->to && jn_expr_ratfun(&end, b->graph->field, b->graph->to) == JN_OK &&
        jn_ratfun_get_fmpq(number, b->graph->field, end))
        b->end = fmpq_get_d(number);
    fmpq_clear(number);
    return true;
}

static void bench_close(bench *b)
{
    jn_graph_free(b->graph);
    jn_diags_free(b->diags);
    jn_arena_free(b->arena);
}

static jn_sim *begin(bench *b, jn_method method)
{
    jn_sim *s = NULL;
    jn_sim_options o = {.method = method, .folder = "examples"};
    return jn_sim_new(&s, b->graph, &o, b->diags) == JN_OK ? s : NULL;
}

typedef void visit(const char *path, jn_method method);

static void visit_folder(const char *folder, visit *v)
{
    DIR *d = opendir(folder);
    CU_ASSERT_PTR_NOT_NULL_FATAL(d);
    for (const struct dirent *e; (e = readdir(d));) {
        char path[512];
        size_t n = strlen(e->d_name);
        if (n < 5 || strcmp(e->d_name + n - 4, ".hbg") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        v(path, JN_METHOD_AUTO);
        v(path, JN_METHOD_RADAU);
    }
    closedir(d);
}

static void visit_all(visit *v)
{
    visit_folder("examples", v);
    visit_folder("tests/sim/cases", v);
}

/* ---- comparing ----------------------------------------------------------------------------- */

static bool same_bits(const double *a, const double *b, int n)
{
    for (int i = 0; i < n; i++)
        if (a[i] != b[i] && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

static bool same_present(const jn_graph *g, const jn_sim *a, const jn_sim *b)
{
    size_t n = (size_t)g->nswitches;
    jn_ledger l = jn_sim_ledger(a), k = jn_sim_ledger(b);
    return jn_sim_time(a) == jn_sim_time(b) && jn_sim_events(a) == jn_sim_events(b) &&
           jn_sim_modes_seen(a) == jn_sim_modes_seen(b) &&
           !memcmp(jn_sim_mode(a), jn_sim_mode(b), n) &&
           !memcmp(jn_sim_automata(a), jn_sim_automata(b), n * sizeof(int)) &&
           same_bits(jn_sim_state(a), jn_sim_state(b), g->nstorages) &&
           same_bits(jn_sim_integrals(a), jn_sim_integrals(b), g->nintegrals) &&
           same_bits(jn_sim_discretes(a), jn_sim_discretes(b), g->ndiscretes) &&
           same_bits(&l.supplied, &k.supplied, 1) && same_bits(&l.dissipated, &k.dissipated, 1) &&
           same_bits(&l.lost, &k.lost, 1) && same_bits(&l.moved, &k.moved, 1);
}

/* Some steps on, at odd times; where it stops it stays. */
static bool go_on(jn_sim *s, double from, double to)
{
    jn_stopped stop;
    for (int i = 1; i <= 7; i++)
        if (jn_sim_advance(s, from + (to - from) * i / 7, &stop) != JN_OK)
            return false;
    return true;
}

/* ---- copies -------------------------------------------------------------------------------- */

/* Copies at a third, goes on with the original to two thirds, copies once more; then the copies
 * follow. */
static void copy_one(const char *path, jn_method method)
{
    bench b;
    if (!bench_open(&b, path)) {
        bench_close(&b);
        return;
    }
    double span = fmin(b.end, 0.5); /* long runs are long enough by then */
    jn_sim *s = begin(&b, method);
    if (s && go_on(s, 0, 0.31 * span)) {
        jn_sim *first = jn_sim_copy(s, NULL);
        CU_ASSERT(same_present(b.graph, s, first));
        bool on = go_on(s, 0.31 * span, 0.67 * span);
        jn_sim *second = on ? jn_sim_copy(s, NULL) : NULL;
        CU_ASSERT_EQUAL(go_on(first, 0.31 * span, 0.67 * span), on);
        if (!same_present(b.graph, s, first))
            printf("\n%s: the copy has gone another way\n", path);
        CU_ASSERT(same_present(b.graph, s, first));
        jn_sim_free(first);
        if (second) {
            on = go_on(s, 0.67 * span, span);
            CU_ASSERT_EQUAL(go_on(second, 0.67 * span, span), on);
            if (!same_present(b.graph, s, second))
                printf("\n%s: the second copy has gone another way\n", path);
            CU_ASSERT(same_present(b.graph, s, second));
        }
        jn_sim_free(second);
    }
    jn_sim_free(s);
    bench_close(&b);
}

static void copies_go_on_alike(void)
{
    visit_all(copy_one);
}

/* The original is gone, the copy goes on; what is set in one does not reach the other. */
static void a_copy_is_its_own(void)
{
    rig r;
    bool made = rig_new(&r,
                        "model rc\nSe V = 5\nR r = 1\nC c = 1\nX1 s\nV -> s -> r\ns -> c\n"
                        "switch s on, off when e(c) > 4\n",
                        NULL);
    CU_ASSERT_FATAL(made);
    rig_to(&r, 1);
    jn_sim *copy = jn_sim_copy(r.sim, NULL);
    jn_stopped stop;
    CU_ASSERT_EQUAL(jn_sim_set_input(r.sim, jn_graph_find(r.graph, "V"), -2, &stop), JN_OK);
    rig_to(&r, 1.5);
    long double v = 5 * -expm1l(-1);
    CLOSE_REL(rig_state(&r, "c"), -2 + (v + 2) * expl(-0.5L), 1e-12);
    int told = r.nevents;
    jn_sim_free(r.sim);
    r.sim = NULL;
    CU_ASSERT_EQUAL(jn_sim_advance(copy, 1.5, &stop), JN_OK);
    CLOSE_REL(jn_sim_state(copy)[0], 5 * -expm1l(-1.5L), 1e-13);
    CU_ASSERT_EQUAL(jn_sim_advance(copy, 3, &stop), JN_OK);
    CLOSE_REL(jn_sim_state(copy)[0], 4, 1e-13);
    CU_ASSERT_EQUAL(jn_sim_mode(copy)[0], 0);
    CU_ASSERT_EQUAL(r.nevents, told); /* the copy tells nobody */
    jn_sim_free(copy);
    rig_clear(&r);
}

static void count_event(const jn_event *e, void *context)
{
    (void)e;
    ++*(int *)context;
}

static void a_copy_tells_its_events(void)
{
    rig r;
    int count = 0;
    jn_sim_options tells = {.on_event = count_event, .ctx = &count};
    bool made =
        rig_new(&r, "model m\nSe u = 1\nI m = 1\nX1 s\nu -> s -> m\nswitch s pwm(1, 1/2)\n", NULL);
    CU_ASSERT_FATAL(made);
    rig_to(&r, 2.25);
    jn_sim *copy = jn_sim_copy(r.sim, &tells);
    jn_stopped stop;
    CU_ASSERT_EQUAL(jn_sim_advance(copy, 4.25, &stop), JN_OK);
    CU_ASSERT_EQUAL(count, 4);
    CLOSE_REL(jn_sim_state(copy)[0], 0.25, 1e-13); /* OFF is a clamp */
    jn_sim_free(copy);
    rig_clear(&r);
}

/* ---- beginning again ----------------------------------------------------------------------- */

/* Every value that can be another is: times 9/8, or, for `ratios`, also those of TF and GY. */
static void change_values(jn_graph *g, bool ratios)
{
    fmpq_t number, factor;
    const char *why;
    fmpq_init(number);
    fmpq_init(factor);
    fmpq_set_si(factor, 9, 8);
    for (int i = 0; i < g->nparams; i++) {
        const jn_param *p = &g->param[i];
        jn_kind kind = p->element >= 0 ? g->element[p->element].kind : JN_0;
        bool is_ratio = kind == JN_TF || kind == JN_GY;
        if (p->element < 0 || p->value.id < 0 || is_ratio != ratios ||
            !jn_ratfun_get_fmpq(number, g->field, p->value))
            continue;
        fmpq_mul(number, number, factor);
        if (jn_graph_set(g, p->name, number, &why) != JN_OK)
            continue;
    }
    fmpq_clear(number);
    fmpq_clear(factor);
}

/* Runs, changes values, begins again; beside it a new run of a graph changed in the same way. */
static void again_one(const char *path, jn_method method)
{
    bench b, fresh;
    bool ok = bench_open(&b, path) && bench_open(&fresh, path);
    CU_ASSERT_FATAL(ok);
    double span = fmin(b.end, 0.3);
    jn_sim *s = begin(&b, method);
    for (int round = 0; s && round < 3; round++) {
        go_on(s, 0, span);
        if (round) {
            change_values(b.graph, round == 2);
            change_values(fresh.graph, round == 2);
        }
        jn_sim *new = begin(&fresh, method);
        jn_status status = jn_sim_restart(s, NULL, b.diags);
        CU_ASSERT_EQUAL(status == JN_OK, new != NULL);
        if (status != JN_OK || !new) {
            jn_sim_free(new);
            break;
        }
        bool on = go_on(s, 0, span);
        CU_ASSERT_EQUAL(go_on(new, 0, span), on);
        if (!same_present(b.graph, s, new))
            printf("\n%s: round %d differs from a new run\n", path, round);
        CU_ASSERT(same_present(b.graph, s, new));
        jn_sim_free(new);
    }
    jn_sim_free(s);
    bench_close(&b);
    bench_close(&fresh);
}

static void runs_begin_again_to_the_bit(void)
{
    visit_all(again_one);
}

static const char decay[] = "model decay\nparam k = 2\nR r = k\nC c = 3, e0 = 4\nSe V = 0\nX1 s\n"
                            "V -> s -> r\ns -> c\nswitch s on, off at 10\nsignal a = int(e(c), 1)\n"
                            "discrete n = 5\noutput charge = q(c)\noutput area = a\n";

/* Values, states, and all that was set in between. */
static void values_may_change_between_runs(void)
{
    rig r;
    const char *why;
    jn_stopped stop;
    const jn_probe *charge;
    fmpq_t one;
    bool made = rig_new(&r, decay, NULL);
    CU_ASSERT_FATAL(made);
    jn_status status = jn_sim_probe_text(&charge, r.sim, "k*charge0 + 0*t", r.diags);
    CU_ASSERT_EQUAL(status, JN_INVALID);
    status = jn_sim_probe_text(&charge, r.sim, "k*q(c)", r.diags);
    CU_ASSERT_EQUAL_FATAL(status, JN_OK);
    rig_to(&r, 6);
    CLOSE_REL(jn_sim_value(r.sim, charge), 2 * 12 * expl(-1), 1e-13);
    CU_ASSERT_EQUAL(jn_sim_set_input(r.sim, jn_graph_find(r.graph, "V"), 7, &stop), JN_OK);
    fmpq_init(one);
    fmpq_set_si(one, 1, 1);
    CU_ASSERT_EQUAL(jn_graph_set(r.graph, "k", one, &why), JN_OK);
    fmpq_clear(one);
    CU_ASSERT_EQUAL(jn_sim_restart(r.sim, NULL, r.diags), JN_OK);
    CU_ASSERT_EQUAL(jn_sim_time(r.sim), 0);
    rig_to(&r, 6); /* V is 0 again, k is 1: so is the probe's */
    CLOSE_REL(jn_sim_value(r.sim, charge), 12 * expl(-2), 1e-13);
    const double q[] = {30}, area[] = {100}, n[] = {8};
    const int off[] = {0};
    const jn_sim_start from = {q, area, n, off};
    CU_ASSERT_EQUAL(jn_sim_restart(r.sim, &from, r.diags), JN_OK);
    CU_ASSERT_EQUAL(jn_sim_mode(r.sim)[0], 0);
    CU_ASSERT_EQUAL(jn_sim_discretes(r.sim)[0], 8);
    rig_to(&r, 2);
    CLOSE_REL(jn_sim_value(r.sim, charge), 30, 1e-14);
    CLOSE_REL(jn_sim_integrals(r.sim)[0], 100 + 20, 1e-13);
    rig_clear(&r);
}

/* One that cannot begin says why, and can begin later. */
static void what_cannot_begin_says_so(void)
{
    rig r;
    const char *why;
    fmpq_t two;
    bool made = rig_new(&r,
                        "model two\nSe V = 2\nSe G = 1\nparam a = 1\nI L = 1\n0 n\nX1 s\nX1 d\n"
                        "V -> s -> n\nG -> d -> n\nn -> L\n"
                        "switch s on, off when a > 1.5\nswitch d off, on when a > 1.5\n",
                        NULL);
    CU_ASSERT_FATAL(made);
    const int both[] = {1, 1}, one[] = {0, 1};
    int on = strcmp(r.graph->automaton[0].state[1].name, "on") ? 0 : 1;
    CU_ASSERT_EQUAL(on, 1);
    jn_sim_start from = {.automaton = both};
    CU_ASSERT_EQUAL(jn_sim_restart(r.sim, &from, r.diags), JN_INVALID);
    CU_ASSERT(rig_has_error(&r, "run-start"));
    from.automaton = one;
    CU_ASSERT_EQUAL(jn_sim_restart(r.sim, &from, r.diags), JN_OK);
    TEST_TEXT("01", rig_mode(&r));
    fmpq_init(two);
    fmpq_set_si(two, 2, 1);
    CU_ASSERT_EQUAL(jn_graph_set(r.graph, "a", two, &why), JN_OK);
    fmpq_clear(two);
    CU_ASSERT_EQUAL(jn_sim_restart(r.sim, NULL, r.diags), JN_OK);
    TEST_TEXT("01", rig_mode(&r)); /* both conditions hold now */
    rig_to(&r, 1);
    CLOSE_REL(rig_state(&r, "L"), 1, 1e-14);
    rig_clear(&r);
}

/* ---- forgotten modes ----------------------------------------------------------------------- */

/* What is told of events: the efforts at all storages, before and after them. */
typedef struct {
    jn_sim *sim;
    int nprobes;
    const jn_probe *probe[64];
    int count;
    double sum;
} listener;

static void listen(void *ctx)
{
    listener *l = ctx;
    for (int i = 0; i < l->nprobes; i++)
        l->sum = 0.9 * l->sum + jn_sim_value(l->sim, l->probe[i]);
    l->count++;
}

static void listen_after(const jn_event *e, void *ctx)
{
    (void)e;
    listen(ctx);
}

static void begin_listening(listener *l, bench *b, jn_method method, double megabytes)
{
    jn_sim_options o = {.method = method,
                        .folder = "examples",
                        .modes_megabytes = megabytes,
                        .before_event = listen,
                        .on_event = listen_after,
                        .ctx = l};
    *l = (listener){0};
    if (jn_sim_new(&l->sim, b->graph, &o, b->diags) != JN_OK)
        return;
    for (int i = 0; i < b->graph->nstorages && i < 64; i++) {
        char text[300];
        snprintf(text, sizeof text, "e(%s)", b->graph->element[b->graph->storage[i]].name);
        if (jn_sim_probe_text(&l->probe[i], l->sim, text, b->diags) != JN_OK)
            break;
        l->nprobes++;
    }
}

/* With no room at all every mode is made anew when it comes again. A copy on the way does not know
 * more than its original. */
static void forget_one(const char *path, jn_method method)
{
    bench b;
    listener rich, poor;
    if (!bench_open(&b, path)) {
        bench_close(&b);
        return;
    }
    double span = fmin(b.end, 0.5);
    begin_listening(&rich, &b, method, 0);
    begin_listening(&poor, &b, method, 1e-9);
    CU_ASSERT_EQUAL(!rich.sim, !poor.sim);
    bool on = rich.sim && go_on(rich.sim, 0, 0.6 * span);
    if (rich.sim)
        CU_ASSERT_EQUAL(go_on(poor.sim, 0, 0.6 * span), on);
    if (on) {
        jn_sim *copy = jn_sim_copy(poor.sim, NULL);
        jn_sim_free(jn_sim_copy(rich.sim, NULL)); /* it, too, begins a new stretch */
        on = go_on(rich.sim, 0.6 * span, span);
        CU_ASSERT_EQUAL(go_on(poor.sim, 0.6 * span, span), on);
        CU_ASSERT_EQUAL(go_on(copy, 0.6 * span, span), on);
        CU_ASSERT(same_present(b.graph, rich.sim, copy));
        jn_sim_free(copy);
    }
    bool same = !rich.sim || same_present(b.graph, rich.sim, poor.sim);
    if (!same)
        printf("\n%s: forgetting its modes it has gone another way\n", path);
    CU_ASSERT(same);
    CU_ASSERT(rich.count == poor.count && same_bits(&rich.sum, &poor.sum, 1));
    jn_sim_free(poor.sim);
    jn_sim_free(rich.sim);
    bench_close(&b);
}

static void forgetting_modes_changes_no_bit(void)
{
    visit_all(forget_one);
}

/* An arm whose cells turn one after the other; 30 states, so that stretches are made both without
 * and with matrices. */
static const char arm[] =
    "model arm\nSe V = 40\nI L = 1/100\nR r = 5\n1 current\nV -> current -> L\ncurrent -> r\n"
    "signal duty = 1/2 + 2/5*sin(314*t)\n"
    "for k in 1..29 {\n"
    "  C c[k] = 1/100, e0 = 1\n  0 p[k]\n  X1 insert[k]\n  X1 bypass[k]\n"
    "  p[k] -> insert[k] -> c[k]\n  p[k] -> bypass[k]\n  current -> p[k]\n"
    "  switch insert[k] pwm(1/1000, duty, k/29000)\n"
    "  switch bypass[k] on, on when not on(insert[k]), off when on(insert[k])\n"
    "}\noutput i = f(L)\n";

static const char bent_arm[] =
    "model arm\nSe V = 40\nI L = 1/100\nR r : e = 5*f + f^3/10\n1 current\n"
    "V -> current -> L\ncurrent -> r\nsignal duty = 1/2 + 2/5*sin(314*t)\n"
    "for k in 1..15 {\n"
    "  C c[k] = 1/100, e0 = 1\n  0 p[k]\n  X1 insert[k]\n  X1 bypass[k]\n"
    "  p[k] -> insert[k] -> c[k]\n  p[k] -> bypass[k]\n  current -> p[k]\n"
    "  switch insert[k] pwm(1/1000, duty, k/15000)\n"
    "  switch bypass[k] on, on when not on(insert[k]), off when on(insert[k])\n"
    "}\noutput i = f(L)\n";

static void bound_kept_modes(const char *text, double some, double end)
{
    const double megabytes[] = {0, some, 1e-9};
    jn_arena *arena = jn_arena_new();
    jn_diags *d = jn_diags_new();
    jn_graph *g = NULL;
    jn_sim *s[3] = {0};
    CU_ASSERT_EQUAL_FATAL(jn_graph_read(&g, jn_source_of(arena, "arm", text, strlen(text)), d),
                          JN_OK);
    for (int i = 0; i < 3; i++) {
        jn_sim_options o = {.modes_megabytes = megabytes[i]};
        CU_ASSERT_EQUAL_FATAL(jn_sim_new(&s[i], g, &o, d), JN_OK);
        CU_ASSERT(go_on(s[i], 0, end));
        CU_ASSERT(same_present(g, s[0], s[i]));
    }
    int seen = jn_sim_modes_seen(s[0]);
    CU_ASSERT(seen > 100);
    CU_ASSERT(jn_sim_modes_kept(s[0]) >= seen);
    CU_ASSERT(jn_sim_modes_kept(s[1]) < seen / 4 && jn_sim_modes_kept(s[1]) > 4);
    CU_ASSERT(jn_sim_modes_kept(s[2]) <= 4); /* the present one, and what the last instant asked */
    for (int i = 0; i < 3; i++)
        jn_sim_free(s[i]);
    jn_graph_free(g);
    jn_diags_free(d);
    jn_arena_free(arena);
}

static void kept_modes_are_bounded(void)
{
    bound_kept_modes(arm, 0.4, 0.042);
}

/* The same with a load that is not linear, and half the cells: this arm is integrated. */
static void kept_modes_are_bounded_when_integrated(void)
{
    bound_kept_modes(bent_arm, 0.35, 0.042);
}

void suite_sim_again(void)
{
    TEST_SUITE("sim_again");
    TEST_ADD(copies_go_on_alike);
    TEST_ADD(a_copy_is_its_own);
    TEST_ADD(a_copy_tells_its_events);
    TEST_ADD(runs_begin_again_to_the_bit);
    TEST_ADD(values_may_change_between_runs);
    TEST_ADD(what_cannot_begin_says_so);
    TEST_ADD(forgetting_modes_changes_no_bit);
    TEST_ADD(kept_modes_are_bounded);
    TEST_ADD(kept_modes_are_bounded_when_integrated);
}
