/* diag_codes.h: every message a person can get, once.
 *
 * X(code, severity, slug, message, advice): message and advice are printf formats; the
 * arguments of jn_diag_add fill the message's conversions, then the advice's. Advice that
 * comes out empty is left away. Every code has a test case in tests/errors. */

/* ---- syntax ------------------------------------------------------------------------------ */

X(CHARACTER_UNEXPECTED, ERROR, "character-unexpected", "unexpected %s", "%s")
X(OPERATOR_UNKNOWN, ERROR, "operator-unknown", "there is no operator '%s'", "write %s")
X(TEXT_OPEN, ERROR, "text-open", "this text has no closing quote",
  "a text ends with '\"' on the line it begins on")
X(TEXT_ESCAPE, ERROR, "text-escape", "unknown escape in a text",
  "write \\\" for a quote, \\\\ for a backslash; between folders '/' will do")
X(LINE_GOES_ON, ERROR, "line-goes-on", "only the end of the line may follow '\\'",
  "put the rest on the next line")
X(NUMBER_MALFORMED, ERROR, "number-malformed", "'%s' is not a number", "%s")
X(NUMBER_DIGITS, ERROR, "number-digits", "%s has too many digits",
  "a number may have up to %d digits when it is written out")
X(NAME_RESERVED, ERROR, "name-reserved", "'%s' is a word of the language and cannot be a name",
  "call it '%s1' or '%s_', for example")
X(EXPECTED, ERROR, "expected", "expected %s, found %s", "%s")
X(STATEMENT_UNKNOWN, ERROR, "statement-unknown", "no statement begins with %s", "%s")
X(STATEMENT_TRAILING, ERROR, "statement-trailing", "unexpected %s after the end of the statement",
  "%s")
X(KIND_UNKNOWN, ERROR, "kind-unknown", "unknown element kind '%s'", "%s")
X(OPTION_UNKNOWN, ERROR, "option-unknown", "unknown option '%s'", "%s")
X(LAW_VARIABLE, ERROR, "law-variable", "a law gives e, f, p or q, not '%s'",
  "write ': e = …' with the flow f on the right, for example")
X(LABEL_CHAIN, ERROR, "label-chain", "a label names one bond, but this chain has %d",
  "put the bond to be named '%s' on a line of its own")
X(SWITCH_START, ERROR, "switch-start", "a switch first says whether it starts on or off",
  "write 'switch %s off, %s %s …'")
X(PWM_ARGUMENTS, ERROR, "pwm-arguments",
  "pwm takes a period, a duty cycle and perhaps a phase, but here are %d values",
  "write pwm(50e-6, 1/2), for example")
X(CLAUSE_TWICE, ERROR, "clause-twice", "'%s' is given twice", "keep one of them")
X(COMPARISON_CHAIN, ERROR, "comparison-chain", "comparisons do not chain",
  "write 'a < b and b < c' for a < b < c")
X(BRACKET_OPEN, ERROR, "bracket-open", "this '%c' is never closed",
  "add the '%c'; a line that goes on ends in '\\'")
X(BLOCK_OPEN, ERROR, "block-open", "this '{' is never closed", "put a '}' after the last line of %s")
X(BLOCK_STRAY, ERROR, "block-stray", "this '}' closes nothing", "remove it")
X(NESTING_DEEP, ERROR, "nesting-deep", "%s: more than %d levels", "%s")

/* ---- graph ------------------------------------------------------------------------------- */

/* ---- junction and implicit ------------------------------------------------------------------ */
X(ALL_FORBIDDEN, ERROR, "all-forbidden", "no mode is allowed: %s",
  "two sources must not fix the same variable; put a storage or a resistor between them")
X(SWITCH_IDLE, WARNING, "switch-idle", "switch '%s' changes nothing in any allowed mode",
  "check how '%s' is bonded")
X(LOOP_REDUNDANT, WARNING, "loop-redundant",
  "bond %s lies in a redundant loop%s: its variables are not determined",
  "the equations of the elements are right all the same; leave the bond out if it is not needed")
X(GUARDS_LIMIT, ERROR, "guards-limit", "the Boolean functions of %d switches grow too large",
  "split the model, or declare switches that act together next to each other")
X(TERMS_LIMIT, ERROR, "terms-limit", "the coefficients grow too long to be written out",
  "give the parameters values and ask for --numeric")
X(VALUE_DIVIDES, ERROR, "value-divides", "the value of '%s' divides by zero with the numbers given",
  "change the parameters it is made of")
X(INTERNAL, ERROR, "internal", "an invariant of the method failed: %s",
  "this is a bug of junct: please report it together with the model")
