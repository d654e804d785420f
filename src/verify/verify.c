/* verify.c: proofs about switching.
 *
 * At one instant switches make each other change. Here that is a transition system over the states of
 * automata, which are Booleans, and the state, the inputs and whatever else is read, which are real
 * numbers; all that happens is linear in them, so that it can be written as formulas of linear
 * arithmetic and be decided. The laws of the model stand in them as they are (laws.c), for all modes
 * at once; the iteration of an instant is unrolled as far as it goes (unroll.c). Then:
 *
 *     settling     is there an instant of k changes, for k = 1, 2, …?
 *     dead ends    one that ends where sources are in conflict?
 *     races        one that ends elsewhere if changes are taken one after the other?
 *     never        one in which this condition holds, that ends in this mode, that moves this switch?
 *     asserts      a mode that lasts in which the claim does not hold?
 *
 * Each is asked for instants that begin in a mode that lasts, and for the one in which the model starts.
 *
 * No to such a question is a proof. A yes comes with a state, which is tried in a run before anybody
 * is told. Where neither comes, or the model is not linear and the run does otherwise, it is open. */
#include "question.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

const char *jn_proof_name(jn_proof v)
{
    static const char *const name[] = {"proved", "refuted", "open"};
    return name[v];
}

char *jni_text(const char *fmt, ...)
{
    jn_str t;
    va_list args;
    jn_str_init(&t);
    va_start(args, fmt);
    jn_str_vaddf(&t, fmt, args);
    va_end(args);
    return t.s;
}

/* ---- verdicts ------------------------------------------------------------------------------ */

static void open_by_vague(jn_finding *f, const question *q)
{
    f->verdict = JN_OPEN;
    f->place = q->vague[0].place;
    f->why = jni_text("%s, so more is taken to be possible than a run does", q->vague[0].why);
}

const char *jni_unknown(const session *s)
{
    bool is_late = jni_logic_is_late(s->q->l);
    bool is_over = s->until > 0 && jn_processor_seconds() >= s->until;
    return jn_interrupted() ? "it was asked to stop"
           : is_late && s->is_endless && !is_over
               ? "little time was spent on it, since some instants never "
                 "end: repair those first"
           : is_late ? "there was not time enough"
                     : "the solver does not decide it";
}

void jni_open(jn_finding *f, session *s)
{
    f->verdict = JN_OPEN;
    f->why = jni_text("%s", jni_unknown(s));
}

void jni_open_off_circle(jn_finding *f)
{
    f->verdict = JN_OPEN;
    f->why = jni_text("a state was found where it may be otherwise, but not shown that inputs of "
                      "that kind and a flow to "
                      "that state go together");
}

static void conclude(jn_finding *f, session *s, jn_witness *w, outcome expected)
{
    const question *q = s->q;
    jn_witness_free(f->witness);
    free(f->why);
    f->why = NULL;
    f->witness = w;
    f->verdict = jni_witness_try(w, s->replayer, expected) ? JN_REFUTED : JN_OPEN;
    if (f->verdict == JN_OPEN && q->nvague)
        open_by_vague(f, q);
    else if (f->verdict == JN_OPEN)
        f->why = jni_text("a state was found, but a run from there does otherwise");
}

void jni_refute_lasting(jn_finding *f, session *s, const view *v, bool may_conflict)
{
    int kept = 0;
    bool is_true = jni_pin_circles(s->q, &kept), is_told = jni_hold(s->q->l);
    for (; kept; kept--)
        jni_pop(s->q->l);
    if (!is_told) {
        jni_open(f, s);
        return;
    }
    if (!is_true) {
        jni_open_off_circle(f);
        return;
    }
    conclude(f, s, jni_witness_lasting(v), ENDS);
    if (f->verdict != JN_REFUTED && may_conflict)
        conclude(f, s, jni_witness_lasting(v), ENDS_DEAD);
}

/* How many candidates the instant takes that the solver told. */
static int length(const unrolled *u)
{
    int n = 0;
    while (n < u->n - 1 && jni_told(u->q->l, u->pass[n]->changes))
        n++;
    return n + 1;
}

static double largest(const fmpq *a, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(jn_number_get_d(a + i)));
    return most;
}

/* How far a witness stands from the one it is a hair away from, beside what that has. */
static double hair_of(const jn_witness *w, const jn_witness *at)
{
    double moved = 0, size = largest(at->x, at->nx);
    for (int i = 0; i < w->nx; i++)
        moved = fmax(moved, fabs(jn_number_get_d(w->x + i) - jn_number_get_d(at->x + i)));
    return size > 0 ? moved / size : 0;
}

/* The instant as it was told, at steps of the solver. */
typedef struct {
    jn_finding *f;
    session *s;
    int n, cycle;
    outcome expected;
    bool against_flow;
    jn_witness *at; /* with nothing as small as you like */
} telling;

/* "As small as you like" is a number in a run: one that is clear of rounding, but not by much. is_hair: nor beside what
 * the state is. */
static void conclude_with(const telling *c, double factor, bool is_hair)
{
    enum { A_HAIR = 100 };
    fmpq_t epsilon;
    fmpq_init(epsilon);
    if (factor < 1)
        fmpq_set_si(epsilon, 1, (ulong)(1 / factor + 0.5));
    else
        fmpq_set_si(epsilon, (slong)factor, 1);
    bool shrinks = c->cycle == SHRINKS;
    jn_witness *w = jni_witness_read(c->s->u, c->n, shrinks ? -1 : c->cycle, epsilon);
    w->against_flow = c->against_flow;
    bool is_small = A_HAIR * hair_of(w, c->at) <= 1;
    if (is_small == is_hair && (!shrinks || jni_witness_shrinks(w)))
        conclude(c->f, c->s, w, c->expected);
    else
        jn_witness_free(w);
    fmpq_clear(epsilon);
}

void jni_refute_told(jn_finding *f, session *s, int n, int cycle, outcome expected)
{
    static const double factor[] = {1e-3, 1, 1e3, 1e6, 1e-6};
    const size_t factors = s->q->is_near ? sizeof factor / sizeof *factor : 1;
    if (!jni_hold(s->q->l)) { /* stopped while it was read: all would be 0 */
        jni_open(f, s);
        return;
    }
    telling c = {f, s, n, cycle, expected, !s->flows && jni_is_against_flow(s->q), NULL};
    if (cycle == RETURNS)
        c.cycle = jni_returns_to(s->u, n);
    if (!n)
        c.n = length(s->u);
    fmpq_t none;
    fmpq_init(none);
    c.at = jni_witness_read(s->u, c.n, -1, none);
    fmpq_clear(none);
    for (int is_hair = 1; is_hair >= 0; is_hair--)
        for (size_t i = 0; i < factors && f->verdict != JN_REFUTED; i++)
            conclude_with(&c, factor[i], is_hair);
    jn_witness_free(c.at);
    if (f->verdict == JN_REFUTED)
        jni_find_ranges(f->witness, s, c.n);
}

bool jni_again_anywhere(jn_finding *f, session *s)
{
    if (f->verdict == JN_REFUTED || !s->flows || s->any_direction)
        return false;
    s->any_direction = true;
    bool found = jni_ask_true(s->q) == LOGIC_YES && jni_simplify(s);
    s->any_direction = false;
    return found;
}

void jni_refute(jn_finding *f, session *s, int n, int cycle, outcome expected)
{
    if (!jni_simplify(s)) {
        jni_open_off_circle(f);
        return;
    }
    jni_refute_told(f, s, n, cycle, expected);
    if (jni_again_anywhere(f, s))
        jni_refute_told(f, s, n, cycle, expected);
}

void jni_prove(jn_finding *f, session *s)
{
    f->verdict = JN_PROVED;
    if (s->q->partial) {
        f->verdict = JN_OPEN;
        f->place = s->q->partial_at;
        f->why = jni_text("%s", s->q->partial);
    }
}

static jn_proof worse(jn_proof a, jn_proof b)
{
    if (a == JN_REFUTED || b == JN_REFUTED)
        return JN_REFUTED;
    return a == JN_OPEN || b == JN_OPEN ? JN_OPEN : JN_PROVED;
}

jn_proof jn_verification_verdict(const jn_verification *v)
{
    jn_proof all = worse(worse(v->settling.verdict, v->dead_ends.verdict), v->races.verdict);
    for (int i = 0; i < v->nasserts; i++)
        all = worse(all, v->assertion[i].verdict);
    return all;
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void copy_vague(jn_verification *v, const question *q)
{
    v->nvague = q->nvague;
    v->vague = jn_alloc((size_t)q->nvague * sizeof *v->vague + 1);
    for (int i = 0; i < q->nvague; i++) {
        v->vague[i].place = q->vague[i].place;
        v->vague[i].why = jn_strdup(q->vague[i].why);
    }
}

/* Whether any state is within the bounds. */
static jn_status check_bounds(session *s, jn_diags *d)
{
    const jn_graph *g = s->q->g;
    if (!g->nbounds || jni_ask_true(s->q) != LOGIC_NO)
        return JN_OK;
    jn_diag_add(d, JN_D_BOUND_CONTRADICTION, g->bound[g->nbounds - 1].place);
    for (int i = 0; i < g->nbounds - 1; i++)
        jn_diag_note(d, g->bound[i].place, "together with this one");
    return JN_INVALID;
}

/* Any candidate of any instant: the order in which automata move may settle the matter, and helps if it
 * does not. */
static void ask_within(session *s, session *wide, session *near)
{
    jn_verification *v = s->v;
    int most;
    wide->order = near->order = jni_find_order(s, &most);
    wide->is_finite = near->is_finite = most >= 0;
    wide->never_dead = near->never_dead = !s->q->conflicts || jni_is_never_dead(s);
    if (!wide->is_finite || !wide->never_dead) {
        v->settling.verdict = v->dead_ends.verdict = JN_OPEN;
        return;
    }
    jni_prove(&v->settling, s);
    jni_prove(&v->dead_ends, s);
    v->changes = most;
}

/* Whether it is answered: what is proved for more states is proved. */
static bool is_settled(const jn_verification *v)
{
    return v->settling.verdict == JN_PROVED && v->dead_ends.verdict == JN_PROVED;
}

static void forget(jn_finding *f)
{
    jn_witness_free(f->witness);
    free(f->why);
    *f = (jn_finding){0};
}

/* The exact question, once more from the start. */
static void ask_nearly(session *s)
{
    jn_verification *v = s->v;
    bool settled = is_settled(v);
    int changes = v->changes;
    if (!settled) {
        forget(&v->settling);
        forget(&v->dead_ends);
    }
    jn_verification kept = *v;
    jni_verify_settling(s);
    v->changes_found = v->changes;
    if (settled) { /* that answer stands; the exact one may need more time than there is */
        forget(&v->settling);
        forget(&v->dead_ends);
        v->settling = kept.settling;
        v->dead_ends = kept.dead_ends;
        v->changes = s->is_complete ? v->changes : changes;
    }
    if (!s->o->only_settling)
        jni_verify_order(s);
}

/* ---- the first instant --------------------------------------------------------------------- */

/* Of two answers to the same question the worse one counts; of two refutations one that a run comes to. */
static bool counts_more(const jn_finding *a, const jn_finding *b)
{
    if (a->verdict == JN_REFUTED && b->verdict == JN_REFUTED)
        return b->witness && b->witness->against_flow;
    return a->verdict == JN_REFUTED || (a->verdict == JN_OPEN && b->verdict == JN_PROVED);
}

static void join(jn_finding *to, jn_finding *from)
{
    bool more = counts_more(from, to);
    jn_finding drop = more ? *to : *from;
    if (more)
        *to = *from;
    forget(&drop);
}

/* The model's own start is one more instant, from nowhere. */
static void ask_first(session *s)
{
    jni_verify_settling(s);
    if (!s->o->only_settling)
        jni_verify_order(s);
}

static void join_first(session *s, jn_verification *all)
{
    jn_verification *v = s->v;
    bool own = counts_more(&v->races, &all->races);
    join(&all->settling, &v->settling);
    join(&all->dead_ends, &v->dead_ends);
    join(&all->races, &v->races);
    if (own) {
        free(all->race_end);
        free(all->race_differs);
        all->race_end = v->race_end;
        all->race_differs = v->race_differs;
    } else {
        free(v->race_end);
        free(v->race_differs);
    }
    if (v->changes > all->changes_found)
        all->changes_found = v->changes;
    if (v->changes > all->changes)
        all->changes = v->changes;
}

/* ---- nothing to prove it for --------------------------------------------------------------- */

static void open_vacuous(jn_finding *f, const jn_verification *v)
{
    if (f->verdict != JN_PROVED)
        return;
    f->verdict = JN_OPEN;
    f->why =
        jni_text(v->graph->nbounds
                     ? "within the bounds no mode lasts, so that there is nothing to prove it for"
                     : "no mode lasts, so that there is nothing to prove it for");
    f->place = v->graph->nbounds ? v->graph->bound[0].place : (jn_place){0};
}

static void tell_vacuous(jn_verification *v)
{
    open_vacuous(&v->settling, v);
    open_vacuous(&v->dead_ends, v);
    open_vacuous(&v->races, v);
    for (int i = 0; i < v->nasserts; i++)
        open_vacuous(&v->assertion[i], v);
}

/* ---- all questions --------------------------------------------------------------------------- */

/* How many changes there are is worth a part of the time, how it ends more of it. */
static double part_of(const jn_verify_options *o, double share)
{
    enum { USUALLY = 60 };
    return share * (o->seconds > 0 ? o->seconds : USUALLY);
}

/* All questions, once the sessions have begun. */
static void ask_all(session *within, session *wide, session *near, session *first)
{
    jn_verification *v = wide->v;
    const jn_verify_options *o = wide->o;
    v->is_vacuous = jni_ask_true(near->q) == LOGIC_NO;
    jni_verify_asserts(wide);
    ask_first(first);
    jni_logic_hurry(within->q->l, part_of(o, 1.0 / 3));
    ask_within(within, wide, near);
    if (!is_settled(v)) {
        forget(&v->settling);
        forget(&v->dead_ends);
        jni_verify_settling(wide);
        near->known_changes = is_settled(v) ? v->changes : 0;
    }
    if (o->only_settling && is_settled(v))
        jni_logic_hurry(near->q->l, part_of(o, 0.1));
    ask_nearly(near);
    join_first(first, v);
    session *exact = near->is_complete || !wide->is_complete ? near : wide;
    if (!o->only_settling)
        jni_verify_never(exact, first);
    if (!o->only_settling && o->successors)
        jni_verify_successors(exact);
    if (v->is_vacuous)
        tell_vacuous(v);
    copy_vague(v, near->q);
}

jn_status jn_verify(jn_verification **out, const jn_junction *j, const jn_verify_options *o,
                    jn_diags *d)
{
    double began = jn_processor_seconds();
    jn_verification *v = jn_alloc(sizeof *v), of_first = {.graph = j->graph};
    session wide = {.o = o, .v = v, .until = o->seconds > 0 ? began + o->seconds : 0};
    session near = wide, first = wide, within = wide;
    replayer *run = NULL;
    wide.only_proofs = true;
    first.v = &of_first;
    v->graph = j->graph;
    *out = NULL;
    jn_status st = jni_session_begin(&wide, j, WIDE, &run, d);
    if (st == JN_OK)
        st = check_bounds(&wide, d);
    if (st == JN_OK)
        st = jni_session_begin(&near, j, NEAR, &run, d);
    if (st == JN_OK)
        st = jni_session_begin(&first, j, FIRST, &run, d);
    if (st == JN_OK)
        st = jni_session_begin(&within, j, WITHIN, &run, d);
    if (st == JN_OK) {
        ask_all(&within, &wide, &near, &first);
        v->seconds = jn_processor_seconds() - began;
        *out = v;
    } else {
        jn_verification_free(v);
    }
    jni_order_free((struct jni_order *)wide.order);
    jni_session_end(&within);
    jni_session_end(&first);
    jni_session_end(&near);
    jni_session_end(&wide);
    jni_replayer_free(run);
    return st;
}

static void clear_finding(jn_finding *f)
{
    free(f->why);
    jn_witness_free(f->witness);
}

void jn_verification_free(jn_verification *v)
{
    if (!v)
        return;
    clear_finding(&v->settling);
    clear_finding(&v->dead_ends);
    clear_finding(&v->races);
    for (int i = 0; i < v->nasserts; i++)
        clear_finding(&v->assertion[i]);
    for (int i = 0; i < v->nnever; i++)
        free(v->never[i].mode);
    for (int i = 0; i < v->nsuccessors; i++) {
        free(v->successor[i].from);
        free(v->successor[i].to);
    }
    for (int i = 0; i < v->nvague; i++)
        free(v->vague[i].why);
    free(v->vague);
    free(v->successor);
    free(v->successors_why);
    free(v->never);
    free(v->never_why);
    free(v->assertion);
    free(v->race_end);
    free(v->race_differs);
    free(v);
}
