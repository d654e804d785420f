#!/bin/sh
# mutate.sh [WORD...]: breaks central lines, one at a time, and sees that a test fails.
#
# A test is worth having when it fails once the code is wrong. Each line of the table below has a
# file, a text of it that occurs once, what it becomes, and the suites that must notice. The work is done
# on a copy of the sources below build/mutate. With words, only lines that contain one of them. It tells
# the first test that failed for each.
set -eu
{ # read as a whole: this file may change meanwhile
cd "$(dirname "$0")/.."
copy=build/mutate
table=$(mktemp)
trap 'rm -f "$table"' EXIT
cat >"$table" <<'END'
src/algebra/guard_ops.c|h = f == h ? 0 : h;|h = f == h ? 1 : h;|guard
src/algebra/guard_ops.c|int low = exclusive_or(t, branch(t, f, at, 0), branch(t, g, at, 0));|int low = exclusive_or(t, branch(t, f, at, 0), branch(t, g, at, 1));|guard
src/algebra/guarded.c|jn_guard both = jn_guard_and(ring.guards, a->c[i].guard, b->c[j].guard);|jn_guard both = jn_guard_or(ring.guards, a->c[i].guard, b->c[j].guard);|junction
src/algebra/number.c|if (half > 0 \|\| (half == 0 && fmpz_is_odd(quotient)))|if (half >= 0)|number
src/algebra/lapack.c|if (fabs(A[i * n + k]) > fabs(A[pivot * n + k]))|if (fabs(A[i * n + k]) < fabs(A[pivot * n + k]))|lapack
src/junction/laws.c|write_ratio(b, out, false, &v, in, false);|write_ratio(b, in, false, &v, out, false);|junction_random
src/junction/laws.c|l->b->g->bond[bond].head == l->element ? 1 : -1|l->b->g->bond[bond].head == l->element ? 1 : 1|junction_random
src/implicit/implicit.c|jn_guarded_neg(&v, &e->value, b->ring);|jn_guarded_set(&v, &e->value);|implicit_random
src/implicit/feedback.c|jn_ratfun c = turned ? jn_ratfun_neg(k, t->c) : t->c;|jn_ratfun c = t->c;|feedback_random
src/implicit/feedback.c|*open = to_structure(out, &row, f, where);|*open = to_structure(out, &row, f, where), *open = jn_guard_false();|=cli
src/implicit/implicit.c|if (i < j->nrows \|\| fed[i - j->nrows])|if (i < j->nrows)|feedback_random
src/analyse/feedback.c|jn_ratfun_sub(a->field, jn_dense_get(left, k, i), o->u[row * nu + i]));|jn_ratfun_add(a->field, jn_dense_get(left, k, i), o->u[row * nu + i]));|=analyse
src/sim/mode_structure.c|if (same \|\| !k->n) {|if (same \|\| k->n) {|sim_again
src/sim/run_copy.c|own->side = g->side;|own->side = 0;|sim_again
src/sim/run_copy.c|to->zeno = from->zeno;|to->zeno.n = from->zeno.n;|sim_again
src/graph/automata.c|(jn_transition){.from = c->on ? OFF : ON,|(jn_transition){.from = c->on ? ON : OFF,|graph
src/graph/automata.c|large = fmpq_sgn(period) > 0 && fmpq_cmp(phase, period) > 0;|large = fmpq_sgn(period) > 0 && fmpq_cmp(phase, period) < 0;|errors
src/base/utf8.c|return n > 0 && !is_hidden(code_point(s, n)) ? n : 0;|return n;|sturdy
src/base/memory.c|if (!p)|if (!p && bytes > 1000000)|memory
src/write/sink.c|return !S_ISREG(at.st_mode) \|\| is_open_file(path) \|\| !has_name(path);|return true;|=trace
src/write/sink.c|while (s->rows && s->row == 0 && i > 0 && bytes[i - 1] != '\\n')|while (false)|sturdy
src/write/svg.c|jn_str_add(out, "&lt;");|jn_str_add(out, "<");|draw
src/write/csv.c|jn_str_add(out, *s == '"' ? "\\"\\"" : (char[]){*s, 0});|jn_str_addc(out, *s);|=csv =trace
src/cli/files.c|return a->exists == b->exists && a->dev == b->dev|return a == b && a->dev == b->dev|sturdy
src/cli/signals.c|setitimer(ITIMER_REAL, &clock, NULL);|(void)clock;|sturdy
src/cli/signals.c|signal(SIGPIPE, SIG_IGN);|signal(SIGPIPE, SIG_DFL);|sturdy
src/cli/main.c|if (fcntl(fd, F_GETFD) < 0 && open|if (fcntl(fd, F_GETFD) < -1 && open|sturdy
src/cli/model.c|jn_diags_get(d, i)->code != JN_D_CSV_UNREADABLE)|jn_diags_get(d, i)->code == JN_D_CSV_UNREADABLE)|sturdy
src/algebra/eliminate.c|l = add_line(e, &part, role, c.guard);|l = add_line(e, &part, role, rest);|=eliminate
src/algebra/guard.c|return g->failed ? jn_guard_false() : (jn_guard){node};|return (jn_guard){node};|=guard =eliminate =interrupt
src/sim/run_meter.c|sum += w[i] * g * g;|sum += w[i] * g;|sim_meter sweep
src/sim/number_series.c|if (fabs(a[0]) > rest)|if (fabs(a[0]) > rest * 0.5)|sim_meter
src/sweep/sweep.c|value[i] = a->value[point % (uint64_t)a->count];|value[i] = a->value[row % (uint64_t)a->count];|sweep
src/sweep/deal.c|slot_at(d, i)->batch.count == b.count &&|true &&|sweep
src/sweep/axis.c|uint64_t x = mix(mix(mix(seed) + sample)|uint64_t x = mix(mix(mix(seed) + sample / 2)|sweep
src/implicit/laws.c|s = add_value(&row, k, r, field->element[i], field->element[k]);|s = i == k ? add_value(&row, k, r, field->element[i], field->element[k]) : JN_OK;|implicit_random
src/implicit/laws.c|s = add_value(row, g->element[field->element[k]].number, r, element, field->element[k]);|s = add_value(row, g->element[field->element[k]].number, r, field->element[k], element);|implicit_random
src/sim/mode_fields.c|a[i] = coupling(to, m, f->element[i / n], f->element[i % n]);|a[i] = i % (n + 1) ? 0 : coupling(to, m, f->element[i / n], f->element[i % n]);|sim_fields
src/sim/integrate_residual.c|e = jni_minus(e, jni_scaled(n->w.col[m->solved->port_flow[other]], row->a[c]));|e = jni_minus(e, jni_scaled(n->w.col[m->solved->port_flow[other]], -row->a[c]));|sim_fields
src/sim/exact_equations.c|put_flow(l, c * R->a[i], R->col[i]);|put_flow(l, -c * R->a[i], R->col[i]);|sim_fields
src/sim/integrate.c|switched += stored_by(s, m, x, i) - stored_by(s, from, x, i);|switched += 0;|sim_fields
src/sim/mode_floating.c|for (int i = 0; i < m->solved->nshorted; i++) {|for (int i = 0; i < 0; i++) {|sim_fields
src/junction/laws.c|jn_guard zero = shorted ? jni_shorted_guard(b->j, p->element) : jn_guard_false();|jn_guard zero = jn_guard_false();|junction_random
src/junction/shorted.c|zero = jn_guard_and(j->ring.guards, zero, jn_guard_and(j->ring.guards, row, col));|zero = jn_guard_and(j->ring.guards, zero, row);|junction_random implicit_random
src/junction/solved_laws.c|if (k->g->bond[bond].head == x->element)|if (k->g->bond[bond].head != x->element)|sim_fields solved_random
src/analyse/outputs.c|for (int k = 0; k < (f ? f->nports : 1) && !jn_ratfun_is_zero(factor); k++) {|for (int k = 0; k < 1 && !jn_ratfun_is_zero(factor); k++) {|analyse_random
src/graph/units.c|if (m.is == KNOWN && !jn_unit_same(&m.unit, &none))|if (false)|errors
src/graph/graph.c|if (s == JN_INVALID)|if (s != JN_OK)|=interrupt
src/sim/model.c|read_integrals(m, g->assertion[i].condition);|(void)g;|=sim_promises
src/sim/model_step.c|node(m, JN_X_DIV, e->arg[0], e->arg[1])|node(m, JN_X_MUL, e->arg[0], e->arg[1])|=sim_promises
src/sim/model_step.c|collect(m, g->assertion[i].condition);|(void)g;|=sim_promises
src/sim/run_slide_engine.c|beyond = share > 0.5 ? share - 1 : share;|beyond = share > 0.5 ? share - 0.9 : share;|=sim_sliding =sim_slides
src/sim/run_slide_pattern.c|if (c->was->state[k] != c->state[k] && reads_automaton(s->model.g, e, k))|if (c->was->state[k] != c->state[k] && k < 0)|=sim_sliding
src/sim/run_clock.c|reads = reads \|\| jni_mentions(&s->model, a->pwm_duty, of_run[i]);|(void)of_run[i];|=sim_events
src/verify/claims.c|if (b->x->op == (x->kind == JN_SE ? JN_X_EFFORT : JN_X_FLOW) && b->x->index == x->bond[0])|if (b->x->op == (x->kind == JN_SF ? JN_X_EFFORT : JN_X_FLOW) && b->x->index == x->bond[0])|=verify
src/verify/claims.c|else if (a == LOGIC_NO)|else if (a == LOGIC_UNKNOWN)|=verify
src/verify/settle.c|if (jni_told(u->q->l, jni_same_pass(u, i, n)))|if (!jni_told(u->q->l, jni_same_pass(u, i, n)))|=verify =verify_sound =verify_rod =verify_random
src/verify/settle.c|s->is_complete = a == LOGIC_NO;|s->is_complete = a != LOGIC_YES;|=verify_lost
src/verify/verify.c|if (!jni_hold(s->q->l)) { /* stopped|if (false) { /* stopped|=verify_lost
src/verify/verify.c|if (!is_told) {|if (false) {|=verify_lost
src/verify/verify.c|jni_witness_try(w, s->replayer, expected) ? JN_REFUTED : JN_OPEN;|jni_witness_try(w, s->replayer, expected) \|\| w ? JN_REFUTED : JN_OPEN;|=verify_sound
src/verify/order.c|equal_where(q, here, e.discrete, v->discrete, q->g->ndiscretes);|(void)v;|=verify_sound
src/verify/order.c|jni_not(q->l, jni_iff(q->l, a->state[k][s], b->state[k][s])));|jni_false(q->l));|=verify_sound
src/verify/flow.c|v->phase == PHASE_AFTER ? on|v->phase != PHASE_AFTER ? on|=verify_sound
src/verify/claims.c|a = fails_while(s, f, claim, PHASE_BEFORE);|a = LOGIC_NO;|=verify_sound
src/verify/claims.c|answer a = fails_while(s, f, claim, PHASE_AFTER);|answer a = LOGIC_NO;|=verify_sound
src/verify/begin.c|v->conflict = jni_laws_conflict(v);|(void)0;|=verify_sound
src/verify/begin.c|jni_assert(q->l, jni_goes_with_flow(v));|(void)0;|=verify_sound
src/verify/moment.c|return q->instant ? among(v, 3) : among(v + 1, 1);|return among(v, 3);|=verify_time
src/verify/moment.c|cut_moment(q, when);|(void)cut_moment;|=verify_time
src/periodic/orbit.c|return q->map.stop.why == JN_STOP_NONE && closes_by_itself(q, k);|return q->map.stop.why == JN_STOP_NONE;|periodic_orbits
src/cli/cmd_simulate.c|return share <= wrong ? CLI_DONE : CLI_STOPPED;|return CLI_DONE;|sturdy
src/cli/files.c|bool anew = args->command == &cmd_check && cli_value(args, "format");|bool anew = args->command == &cmd_check;|sturdy
src/cli/files.c|"graph", "write-case"};|"graph"};|sturdy
src/cli/sweep_table.c|bool stopped = !reader_gone && (t->error|bool stopped = (t->error|sturdy
src/write/draw_text.c|x->in = f->element[0];|x->in = element;|draw
END

mkdir -p $copy
git ls-files | tar -cf - -T - | tar -xmf - -C $copy
build() {
    make -s -C $copy CC="${CC:-cc}" WERROR= build/junct build/tests/run-tests >$copy/make.log 2>&1
}
# By processor time: the machine may be busy, and a suite that never ends has noticed.
passes() {
    (cd $copy && ulimit -t 300 && build/tests/run-tests $1 >run.log 2>&1 </dev/null)
}
build || { cat $copy/make.log; exit 1; }

# Suites that fail anyhow would notice everything.
for suite in $(sed 's/.*|//' "$table" | tr ' ' '\n' | sort -u); do
    wanted=$([ $# -gt 0 ] || echo yes)
    for word; do
        ! grep -F -- "$word" "$table" | sed 's/.*|//' | grep -qw "$suite" || wanted=yes
    done
    [ "$wanted" != yes ] || passes "$suite" || { echo "mutate: $suite fails as it is"; exit 1; }
done

# Replaces a text that must be there exactly once.
replace() {
    FROM=$2 TO=$3 awk '
        BEGIN { from = ENVIRON["FROM"]; to = ENVIRON["TO"] }
        (at = index($0, from)) { $0 = substr($0, 1, at - 1) to substr($0, at + length(from)); n++ }
        { print }
        END { exit n != 1 }' "$1"
}

survived=0 tried=0
while IFS= read -r line; do
    wanted=$([ $# -gt 0 ] || echo yes)
    for word; do
        case $line in *"$word"*) wanted=yes ;; esac
    done
    [ "$wanted" = yes ] || continue
    fields=$(printf '%s\n' "$line" | sed 's/\\|/\x01/g')
    file=$(printf '%s\n' "$fields" | cut -d'|' -f1)
    from=$(printf '%s\n' "$fields" | cut -d'|' -f2 | tr '\001' '|' | sed 's/\\\\/\\/g')
    to=$(printf '%s\n' "$fields" | cut -d'|' -f3 | tr '\001' '|' | sed 's/\\\\/\\/g')
    suites=$(printf '%s\n' "$fields" | cut -d'|' -f4)
    tried=$((tried + 1))
    cp $copy/"$file" $copy/unbroken
    if ! replace $copy/unbroken "$from" "$to" >$copy/"$file"; then
        echo "mutate: $file does not have this once: $from"
        survived=$((survived + 1))
    elif ! build; then
        echo "mutate: it does not compile: $file: $to"
        survived=$((survived + 1))
    elif passes "$suites"; then
        echo "mutate: nobody noticed: $file: $to"
        survived=$((survived + 1))
    else
        by=$(awk '/^ *Test: / { name = $2 } /FAILED$/ { print name; exit }' $copy/run.log)
        echo "$file: $to: ${by:-it crashes or does not end}"
    fi
    cp $copy/unbroken $copy/"$file"
done <"$table"
echo "mutate: $tried lines broken, $((tried - survived)) noticed"
[ $survived = 0 ]
exit
}
