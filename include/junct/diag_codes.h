/* diag_codes.h: every message a person can get, once.
 *
 * X(code, severity, slug, message, advice): message and advice are printf formats; the
 * arguments of jn_diag_add fill the message's conversions, then the advice's. Advice that
 * comes out empty is left away. Every code has a test case in tests/errors. */

/* ---- syntax -------------------------------------------------------------------------------- */

X(CHARACTER_UNEXPECTED, ERROR, "character-unexpected", "unexpected %s", "%s")
X(OPERATOR_UNKNOWN, ERROR, "operator-unknown", "there is no operator '%s'", "write %s")
X(TEXT_OPEN, ERROR, "text-open", "this text has no closing quote",
  "a text ends with '\"' on the line it begins on")
X(TEXT_ESCAPE, ERROR, "text-escape", "unknown escape in a text",
  "write \\\" for a quote, \\\\ for a backslash; between folders '/' will do")
X(LINE_GOES_ON, ERROR, "line-goes-on", "nothing may follow '\\' on its line",
  "put the rest on the next line")
X(COMMENT_MARK, ERROR, "comment-mark", "a comment begins with '#', not with '/%c'", "")
X(NUMBER_MALFORMED, ERROR, "number-malformed", "'%s' is not a number", "%s")
X(NUMBER_DIGITS, ERROR, "number-digits", "%s has too many digits",
  "a number may have up to %d digits when it is written out")
X(UNIT_UNKNOWN, ERROR, "unit-unknown", "there is no unit '%s'", "%s")
X(NAME_RESERVED, ERROR, "name-reserved", "'%s' is a word of the language and cannot be a name",
  "call it '%s1' or '%s_', for example")
X(EXPECTED, ERROR, "expected", "expected %s, found %s", "%s")
X(STATEMENT_UNKNOWN, ERROR, "statement-unknown", "no statement begins with %s", "%s")
X(STATEMENT_TRAILING, ERROR, "statement-trailing", "expected the end of the statement, found %s",
  "%s")
X(KIND_UNKNOWN, ERROR, "kind-unknown", "unknown element kind '%s'", "%s")
X(OPTION_UNKNOWN, ERROR, "option-unknown", "unknown option '%s'", "%s")
X(LAW_VARIABLE, ERROR, "law-variable", "a law gives e, f, p or q, not '%s'",
  "write ': e = …' with the flow f on the right, for example")
X(LABEL_CHAIN, ERROR, "label-chain", "a label names one bond, but this chain has %d",
  "put the bond to be named '%s' on a line of its own")
X(SWITCH_START, ERROR, "switch-start", "a switch must first say whether it starts on or off",
  "write 'switch %s %s, %s %s …'")
X(PWM_ARGUMENTS, ERROR, "pwm-arguments",
  "pwm takes two or three values (period, duty cycle, phase), not %d",
  "write pwm(50e-6, 1/2), for example")
X(CLAUSE_TWICE, ERROR, "clause-twice", "'%s' is given twice", "keep one of them")
X(COMPARISON_CHAIN, ERROR, "comparison-chain", "comparisons do not chain",
  "write 'a < b and b < c' for a < b < c")
X(BRACKET_OPEN, ERROR, "bracket-open", "this '%c' is never closed",
  "add the '%c'; a line that goes on ends in '\\'")
X(BLOCK_OPEN, ERROR, "block-open", "this '{' is never closed", "put a '}' after the last line of %s")
X(BLOCK_STRAY, ERROR, "block-stray", "this '}' closes nothing", "remove it")
X(NESTING_DEEP, ERROR, "nesting-deep", "%s: more than %d levels", "%s")

/* ---- graph --------------------------------------------------------------------------------- */

/* names */
X(NAME_UNKNOWN, ERROR, "name-unknown", "there is no %s '%s'", "%s")
X(NAME_KIND, ERROR, "name-kind", "'%s' is %s, not %s %s", "%s")
X(NAME_TWICE, ERROR, "name-twice", "'%s' is declared twice", "%s")
X(NAME_DOTTED, ERROR, "name-dotted", "a name that is declared cannot have dots",
  "what belongs to a submodel is declared inside it")
X(NAME_EXPECTED, ERROR, "name-expected", "'%s' takes the name of %s %s, not a value",
  "to use a value in several places, declare a signal")
X(INTEGER, ERROR, "integer",
  "expected a whole number of at most 2000000000 that is known in advance",
  "use numbers, variables of loops and arguments of the submodel")

/* submodels and loops */
X(STATEMENT_NESTED, ERROR, "statement-nested", "'%s' cannot stand inside a submodel or a loop",
  "move it to the top level of the file")
X(STATEMENT_TWICE, ERROR, "statement-twice", "there is more than one '%s'", "keep one of them")
X(PORTS_OUTSIDE, ERROR, "ports-outside", "'ports' must stand directly in a submodel",
  "outside a submodel any element can be bonded by its name")
X(PORT_UNKNOWN, ERROR, "port-unknown", "the port '%s' is not an element of the submodel %s",
  "a port is the name of an element, usually of a junction")
X(PORT_MISSING, ERROR, "port-missing", "'%s' is not a port of the submodel %s",
  "write 'ports %s' in %s")
X(SUBMODEL_ARGUMENTS, ERROR, "submodel-arguments",
  "arguments of the submodel %s: %d expected, %d given", "give one value for each")
X(SUBMODEL_RECURSIVE, ERROR, "submodel-recursive", "the submodel %s contains itself: %s",
  "a submodel cannot be part of itself; use 'for' to repeat something")
X(SUBMODEL_UNUSED, WARNING, "submodel-unused", "the submodel %s is never used",
  "it has not been checked")
X(LOOP_EMPTY, WARNING, "loop-empty", "this loop is never run: %ld..%ld",
  "the first number must not be greater than the last")
X(TOO_LARGE, ERROR, "too-large", "the model has more than %d %s", "make it smaller")

/* bonds */
X(MODEL_EMPTY, ERROR, "model-empty", "the model has no bonds",
  "declare elements ('R R1 = 5') and bond them ('a -> b')")
X(BOND_SELF, ERROR, "bond-self", "'%s' is bonded to itself", "a bond joins two elements")
X(BOND_COUNT, ERROR, "bond-count", "%s '%s' has %s instead of %s", "%s")
X(BOND_DIRECTION, ERROR, "bond-direction", "both bonds of %s '%s' %s",
  "turn one around: power enters through one bond and leaves through the other")
X(BOND_AWAY, WARNING, "bond-away", "this bond points away from %s '%s'",
  "power is counted into I, C and R: usually the bond is drawn towards them")
X(SOURCE_SWITCHED, WARNING, "source-switched",
  "while '%s' is off it stops the %s that %s '%s' imposes: such modes are forbidden",
  "write '%s %s = …, detachable' if the switch disconnects the source, or put it elsewhere")
X(STOP_TURNED, WARNING, "stop-turned",
  "'%s' points the wrong way: its gap shrinks while f(%s) is positive",
  "turn the bonds at '%s' round, or count the gap the other way")
X(BOND_BOOLEAN, ERROR, "bond-boolean", "'%s' is not declared, so it belongs to no junction",
  "declare the junction: 'X1 %s' or 'X0 %s'")
X(ELEMENT_UNCONNECTED, WARNING, "element-unconnected", "'%s' is not bonded to anything",
  "it is left out; if it belongs to the model, bond it: 'a -> b'")
X(JUNCTION_ONE_BOND, WARNING, "junction-one-bond", "the junction %s '%s' has only one bond",
  "a junction joins several bonds; was one forgotten?")
X(MODEL_PIECES, WARNING, "model-pieces",
  "the model is in %d pieces: no bonds lead from '%s' to '%s'",
  "was a bond forgotten? Pieces may be coupled by signals, though")

/* elements */
X(VALUE_SIGN, ERROR, "value-sign", "the value of %s '%s' must be positive",
  "a storage element divides by its value")
X(VALUE_ZERO, ERROR, "value-zero", "the value of %s '%s' is zero",
  "a ratio of zero couples nothing: leave the element out")
X(VALUE_ZERO_R, ERROR, "value-zero-r", "the value of %s '%s' is zero",
  "leave it out: it dissipates nothing")
X(FIELD_KIND, ERROR, "field-kind", "%s '%s' cannot have named ports",
  "only I, C and R can be fields")
X(FIELD_MATRIX, ERROR, "field-matrix", "the matrix of '%s' does not fit its %d ports",
  "write %d rows of %d entries, or the lower half: rows of 1, 2, … entries")
X(FIELD_VALUE, ERROR, "field-value", "the value of the field '%s' is a matrix",
  "write '= [2, 1; 1, 3]', for example")
X(MATRIX_PLAIN, ERROR, "matrix-plain", "'%s' has no ports to which the matrix could belong",
  "name them: '%s(a, b) = …'")
X(FIELD_ASYMMETRIC, ERROR, "field-asymmetric",
  "the matrix of '%s' is not symmetric: row %d, column %d and row %d, column %d differ",
  "without symmetry a storage would create energy; the lower half alone is enough")
X(FIELD_VARIES, ERROR, "field-varies",
  "an entry of a field must be an exact value that does not change in time",
  "it may be made of numbers and parameters by + - * / and whole powers, and of switches by if(on(s), 2, 1)")
X(FIELD_PORT_OPEN, ERROR, "field-port-open", "port '%s' of the field '%s' has no bond",
  "bond it: 'j -> %s'; at a junction of its own it is held at 0 by an Se or Sf of 0")
X(FIELD_INITIAL, ERROR, "field-initial", "a field of %d ports needs %d initial values",
  "write '%s = [1, 0]', for example")
X(INITIAL_LIST, ERROR, "initial-list", "'%s' of '%s' is one value, not a list",
  "only fields have lists")
X(FIELD_INDEFINITE, WARNING, "field-indefinite", "the matrix of '%s' is not positive definite",
  "the field can give back more energy than was put in")
X(FIELD_SINGULAR, ERROR, "field-singular", "the matrix of '%s' is singular",
  "its ports depend on each other: write them as one, joined by transformers")
X(VALUE_NEGATIVE, WARNING, "value-negative", "the value of %s '%s' is negative",
  "it supplies energy instead of dissipating it")
X(VALUE_OF_JUNCTION, ERROR, "value-of-junction", "a junction has no value",
  "remove '= …' from '%s'")
X(VALUE_AND_LAW, ERROR, "value-and-law", "'%s' has both a value and a law", "keep one of them")
X(LAW_KIND, ERROR, "law-kind", "%s '%s' cannot have a non-linear law",
  "only I, C and R can; a source takes any expression after '='")
X(LAW_OF, ERROR, "law-of", "the law of %s relates %c and %c; it cannot give %c",
  "R relates e and f, C relates e and q, I relates f and p")
X(LAW_USES, ERROR, "law-uses", "this law gives %c by %c and cannot use %s",
  "R relates e and f, C relates e and q (and f), I relates f and p (and e)")
X(LAW_DIRECTION, ERROR, "law-direction",
  "the bond of '%s', which has a non-linear law, points away",
  "turn it around: the law counts power into the element")
X(OPTION_KIND, ERROR, "option-kind", "'%s' is an option of %s, but '%s' is %s", "remove it")
X(OPTION_TWICE, ERROR, "option-twice", "the option '%s' is given twice", "keep one of them")
X(OPTION_BOTH, ERROR, "option-both", "'%s' and '%s' both give the initial value",
  "keep one of them")
X(PARAM_CYCLE, ERROR, "param-cycle", "the value of parameter '%s' depends on itself",
  "give one of them a number")
X(PARAM_IRRATIONAL, ERROR, "param-irrational", "a parameter must be an exact number",
  "use + - * / and whole powers here; 'signal' takes any function")
X(PARAM_UNUSED, WARNING, "param-unused", "the parameter '%s' is never used", "remove it")
X(DIVISION_BY_ZERO, ERROR, "division-by-zero", "this divides by zero",
  "check the numbers of the parameters in it")
X(NUMBER_LARGE, ERROR, "number-large", "this value is too long to be computed exactly",
  "use smaller powers")

/* expressions */
X(VALUE_EXPECTED, ERROR, "value-expected", "expected a value, but this is a condition",
  "if(condition, 1, 0) makes a value of it")
X(CONDITION_EXPECTED, ERROR, "condition-expected", "expected a condition, but this is a value",
  "compare it with something: 'x > 0'")
X(CONSTANT_EXPECTED, ERROR, "constant-expected", "%s cannot change in time",
  "use numbers, parameters and functions of them")
X(TEXT_EXPECTED, ERROR, "text-expected", "%s of a table is a text",
  "write table(\"file.csv\", \"column\")")
X(TEXT_MISPLACED, ERROR, "text-misplaced", "a text cannot stand here", "only 'table' takes texts")
X(FUNCTION_UNKNOWN, ERROR, "function-unknown", "there is no function '%s'", "%s")
X(FUNCTION_ARGUMENTS, ERROR, "function-arguments", "%s takes %s; arguments given: %d", "")
X(EXPRESSION_LARGE, ERROR, "expression-large",
  "this expression is too large: more than %d operations, or more than %d nested",
  "split it with 'signal' statements")
X(VARIABLE_AMBIGUOUS, ERROR, "variable-ambiguous", "'%s' is %s: it has no single %s",
  "name one of its bonds, 'b1: x -> y', and write %s(b1)")
X(VARIABLE_KIND, ERROR, "variable-kind", "'%s' is %s: %s(…) is a variable of %s",
  "e(…) and f(…) are variables of every element")
X(VARIABLE_BOOLEAN, ERROR, "variable-boolean", "'%s' belongs to no junction: there is no %s(%s)",
  "on(%s) tells whether it is ON")
X(VARIABLE_UNCONNECTED, ERROR, "variable-unconnected",
  "%s(%s) has no value: nothing is bonded to it",
  "bond it to a junction")
X(READING_OUTSIDE, ERROR, "reading-outside",
  "'%s' has a meaning only in the conditions of switches and automata", "")
X(READING_NESTED, ERROR, "reading-nested",
  "'prior', 'within' and 'impulse' cannot be nested", "keep one of them")
X(IMPULSE_OF, ERROR, "impulse-of", "an impulse is that of an effort or a flow",
  "write impulse(e(x)) or impulse(f(x))")
X(UNIT_AMBIGUOUS, ERROR, "unit-ambiguous", "'%s' in this unit is also the name of a value",
  "put spaces around the '%c' to compute with '%s', or give that value another name")
X(UNITS_DIFFER, ERROR, "units-differ", "%s and %s cannot be the same here",
  "write both in the same unit; variables have the units of their domain")
X(UNIT_CONTRADICTS, ERROR, "unit-contradicts", "this is in %s, but the %s of '%s' is in %s",
  "change the unit, or the domain of '%s'%s")
X(UNIT_SCALED, ERROR, "unit-scaled", "values are shown in %s: an output is not converted",
  "scale the expression, and leave the unit out")
X(DOMAIN_UNKNOWN, ERROR, "domain-unknown", "there is no domain '%s'", "%s")
X(DOMAIN_OF, ERROR, "domain-of", "'%s' is %s: it belongs to no domain",
  "name elements or junctions on one side of it")
X(DOMAINS_MEET, ERROR, "domains-meet", "two domains meet here: %s and %s",
  "put a TF or GY between them")
X(SIGNAL_CYCLE, ERROR, "signal-cycle", "the signal '%s' depends on itself",
  "break the cycle with int(…)")
X(SIGNALS_LARGE, ERROR, "signals-large",
  "with its signals written out, this is more than %d operations, or more than %d nested",
  "signals are computed where they are read: read them less often, or a shorter chain of them")
X(OUTPUT_TWICE, ERROR, "output-twice", "there are two outputs '%s'",
  "%s")
X(ASSERT_CONSTANT, WARNING, "assert-constant", "this condition does not depend on the run",
  "assert something about variables of elements, switches or time")
X(BOUND_CONSTANT, ERROR, "bound-constant", "nothing is bounded here",
  "bound a variable of an element or a parameter: 'bound 0 <= e(C1) <= 100'")
X(BOUND_EMPTY, ERROR, "bound-empty", "no value is within this bound", "the smaller value stands first")
X(NOT_POSITIVE, ERROR, "not-positive", "%s must be positive", "")

/* switches */
X(SWITCH_KIND, ERROR, "switch-kind", "'%s' is %s and cannot be switched",
  "declare '%s' as X0 or X1")
X(SWITCH_TWICE, ERROR, "switch-twice", "'%s' is controlled twice",
  "one switch or automaton statement for each junction")
X(BOOLEAN_UNREAD, WARNING, "boolean-unread", "'%s' belongs to no junction, and nothing reads it",
  "declare 'X1 %s', or read it with on(%s)")
X(LAW_REVERSE, ERROR, "law-reverse", "a %s has no reverse diode", "only a transistor can have one")
X(LAW_DROP, ERROR, "law-drop", "only an X1 can be a diode with a drop",
  "write 'diode'; for a loss, bond an R or a source")
X(LAW_OUTSIDE, ERROR, "law-outside",
  "this %s needs something beside its junction, which belongs to a submodel",
  "write this statement in the submodel")
X(PWM_DUTY, ERROR, "pwm-duty", "the duty cycle must be between 0 and 1",
  "it is the part of the period in which the switch is on")
X(PWM_LATE, WARNING, "pwm-late", "the phase of a pwm is a delay in seconds; this one is longer than the period",
  "write a third of a period as 'T/3', not as '1/3'")
X(PWM_PHASE, ERROR, "pwm-phase", "the phase is more than %d periods",
  "whole periods change nothing: leave them out")
X(PWM_LONG, WARNING, "pwm-long",
  "the period of this modulation, %.6g, is longer than the run that 'simulate' asks for, %.6g",
  "a period is a time, 1/f of a frequency f")
X(STATES_NONE, ERROR, "states-none", "the automaton of '%s' has no states",
  "declare them: 'NAME on' or 'NAME off'")
X(STATE_TWICE, ERROR, "state-twice", "the state '%s' is declared twice",
  "choose another name for one of them")
X(STATE_INITIAL, ERROR, "state-initial", "no state is the initial one",
  "mark one: '%s %s initial'")
X(STATE_INITIALS, ERROR, "state-initials", "'%s' and '%s' are both initial",
  "mark only one")
X(STATE_UNKNOWN, ERROR, "state-unknown", "there is no state '%s'", "%s")
X(STATE_EXPECTED, ERROR, "state-expected", "the second argument of 'in' is the name of a state",
  "write in(clutch, open), for example")
X(STATE_UNREACHABLE, WARNING, "state-unreachable", "the state '%s' is never reached",
  "no transitions lead there from '%s'")
X(TRANSITION_SELF, ERROR, "transition-self", "this transition leads from '%s' to itself",
  "it would fire for ever; remove it, or let it set something: '{ n = n + 1 }'")
X(SET_TWICE, ERROR, "set-twice", "this transition sets '%s' twice",
  "all values are read before any is set; keep one of them")
X(DISCRETE_UNSET, WARNING, "discrete-unset", "no transition sets the discrete variable '%s'",
  "set it, 'a -> b when … { %s = … }', or make it a parameter")

/* ---- junction and implicit ----------------------------------------------------------------- */
X(ALL_FORBIDDEN, ERROR, "all-forbidden", "no mode is allowed: %s",
  "two sources must not fix the same variable; put a storage or a resistor between them")
X(SWITCH_IDLE, WARNING, "switch-idle", "switch '%s' changes nothing in any allowed mode",
  "check how '%s' is bonded")
X(LOOP_REDUNDANT, WARNING, "loop-redundant",
  "%s in a redundant loop: %s variables are not determined",
  "the equations of the elements are still right; a circuit without a ground is such a loop")
X(VALUE_SPECIAL, WARNING, "value-special",
  "%s is 0 with the values given: %ssymbolic results hold for other values",
  "ask for --numeric, which computes with the values given")
X(GUARDS_LIMIT, ERROR, "guards-limit", "the Boolean functions of %d switches grow too large",
  "split the model, or declare switches that act together next to each other")
X(SECONDS_LIMIT, ERROR, "seconds-limit",
  "the form of all modes of %d switches takes more than %g s of processor time",
  "allow more with --max-seconds, or ask for one mode with --mode")
X(MEGABYTES_LIMIT, ERROR, "megabytes-limit",
  "the form of all modes of %d switches takes more than %g MB of memory",
  "allow more with --max-memory, or ask for one mode with --mode")
X(INTERRUPTED, ERROR, "interrupted", "asked to stop before %s known", "")
X(TERMS_LIMIT, ERROR, "terms-limit", "the coefficients grow too long to be written out",
  "give the parameters values and ask for --numeric")
X(FEEDBACK, WARNING, "feedback",
  "the source '%s' does not read the model linearly: here it is an input, without its feedback",
  "poles and stability are those without it; a run includes the feedback")
X(VALUE_DIVIDES, ERROR, "value-divides", "the value of '%s' divides by zero with the numbers given",
  "change the parameters it is made of")
X(INTERNAL, ERROR, "internal", "an invariant of the method failed: %s",
  "this is a bug of junct: please report it together with the model")

/* ---- simulation ---------------------------------------------------------------------------- */
X(VALUE_MISSING, ERROR, "value-missing", "'%s' has no value, so the model cannot be run",
  "write '%s = …' in the model, or give it with --set")
X(RUN_UNSWITCHED, WARNING, "run-unswitched", "nothing switches '%s': it stays ON in the run",
  "write 'switch %s …', or play modes with a sequence")
X(RUN_NONLINEAR, ERROR, "run-nonlinear", "'%s' is not linear: this method cannot follow it",
  "leave the choice of the method to junct (--method auto)")
X(RUN_INTEGRAL, ERROR, "run-integral", "this is an integral of something that is not linear",
  "leave the choice of the method to junct (--method auto)")
X(RUN_START, ERROR, "run-start", "the run cannot start: %s", "%s")
X(EXPRESSION_ADDS, ERROR, "expression-adds",
  "int(…) and table(…) cannot be added to a model that has been built",
  "declare it as a signal in the model, and read that")

/* ---- proofs -------------------------------------------------------------------------------- */
X(BOUND_CONTRADICTION, ERROR, "bound-contradiction",
  "no state that lasts is within this bound and the others",
  "widen one of the bounds: what holds for no state at all proves nothing")
X(NO_SOLVER, ERROR, "no-solver", "the solver Z3 cannot be loaded",
  "install it (libz3-dev in Debian and Ubuntu)")

/* ---- periodic operation -------------------------------------------------------------------- */
X(STEADY_APERIODIC, ERROR, "steady-aperiodic", "the model is not periodic: '%s' does not repeat",
  "give the period with --period, if it is periodic nevertheless")
X(STEADY_PERIODS, ERROR, "steady-periods",
  "the periods %.10g and %.10g of the model have no common multiple",
  "make their ratio a simple fraction, or give the period with --period")
X(STEADY_TIMELESS, ERROR, "steady-timeless", "nothing in the model gives a period",
  "give it with --period, or ask for --free if the model oscillates by itself (bode: or for one mode, "
  "with --mode)")
X(STEADY_CLOCKED, ERROR, "steady-clocked",
  "the model has a clock, of period %.10g: its oscillations are not free", "leave --free out")

/* ---- files of comma-separated values ------------------------------------------------------- */
X(CSV_UNREADABLE, ERROR, "csv-unreadable", "%s", "")
X(CSV_EMPTY, ERROR, "csv-empty", "%s: %s", "write a row of column names and the rows below it")
X(CSV_LARGE, ERROR, "csv-large", "%s: more than %d %s", "leave out columns or rows")
X(CSV_QUOTE_OPEN, ERROR, "csv-quote-open", "this quote is never closed",
  "close it; inside it, a quote is written twice")
X(CSV_QUOTE_STRAY, ERROR, "csv-quote-stray", "a quote in the middle of a field",
  "put the whole field in quotes, and write a quote inside it twice")
X(CSV_RAGGED, ERROR, "csv-ragged", "this row has %d field%s, the header %d",
  "every row has one field for each column")
X(CSV_NAME_TWICE, ERROR, "csv-name-twice", "there are two columns '%s'", "rename one of them")
X(CSV_NUMBER, ERROR, "csv-number", "'%s' is not a number", "%s")
X(CSV_RANGE, ERROR, "csv-range", "'%s' is not a finite number", "write a number a double can hold")
X(CSV_COLUMN, ERROR, "csv-column", "there is no column '%s'", "%s")
X(CSV_ORDER, ERROR, "csv-order", "%s after %s: the column '%s' must ascend",
  "sort the rows, and keep one for each value")

/* ---- sequences of modes -------------------------------------------------------------------- */
X(SEQUENCE_COLUMN, ERROR, "sequence-column", "'%s' is no switch of the model", "%s")
X(SEQUENCE_VALUE, ERROR, "sequence-value", "'%s' is neither 0 nor 1", "0 is off, 1 is on")
X(SEQUENCE_EARLY, ERROR, "sequence-early", "a run begins at t = 0, but this is %s",
  "shift the times: the first mode is the one at t = 0")
X(SEQUENCE_FORBIDDEN, ERROR, "sequence-forbidden", "mode %s is forbidden: %s",
  "play only modes in which no sources are in conflict")

/* ---- sweeps -------------------------------------------------------------------------------- */
X(SWEEP_VARY, ERROR, "sweep-vary", "%s", "%s")
X(SWEEP_NAME, ERROR, "sweep-name", "'%s': %s", "%s")
X(SWEEP_MEASURE, ERROR, "sweep-measure", "%s", "%s")
X(SWEEP_QUESTION, ERROR, "sweep-question", "%s", "%s")
