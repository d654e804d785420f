/* lex.c: bytes into tokens.
 *
 * Any byte may come. What cannot be part of a model is reported once, here, and becomes T_BAD,
 * on which the parser gives up the line without a word; a slip whose meaning is plain ("==")
 * is reported and read as what it means. */
#include <stdio.h>
#include <string.h>

#include "junct/ratfun.h"
#include "junct/unit.h"
#include "syntax_internal.h"

static const char *const bom = "\xEF\xBB\xBF";

void jni_lexer_init(lexer *l, jn_arena *a, const jn_source *s, jn_diags *d)
{
    *l = (lexer){.source = s, .arena = a, .diags = d, .line_start = true, .statement_start = true};
    if (s->len >= 3 && memcmp(s->text, bom, 3) == 0)
        l->at = l->last_end = 3;
}

/* ---- looking at bytes ---------------------------------------------------------------------- */

/* The byte i places on; 0 behind the end. */
static unsigned char peek(const lexer *l, size_t i)
{
    return l->at + i < l->source->len ? (unsigned char)l->source->text[l->at + i] : 0;
}

static bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_space(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static const char *here(const lexer *l)
{
    return l->source->text + l->at;
}

static bool starts_with(const lexer *l, const char *word)
{
    size_t n = strlen(word);
    return l->source->len - l->at >= n && memcmp(here(l), word, n) == 0;
}

static jn_place place(const lexer *l, size_t offset, size_t length)
{
    return (jn_place){l->source, offset, length};
}

/* The token that begins at start and ends here. */
static token token_from(lexer *l, token_type type, size_t start)
{
    token t = {type, l->line_start, start, l->at - start, NULL};
    l->line_start = type == T_NEWLINE;
    if (type == T_NEWLINE)
        l->brackets = 0;
    l->brackets += (type == T_OPEN_INDEX) - (type == T_CLOSE_INDEX);
    l->statement_start =
        type == T_NEWLINE || type == T_OPEN_BLOCK || (type == T_SEMICOLON && l->brackets <= 0);
    l->last_end = l->at;
    return t;
}

/* ---- white space, comments, line ends ------------------------------------------------------ */

/* A backslash at the end of a line joins it to the next. */
static bool skip_line_join(lexer *l)
{
    size_t i = 1;
    while (is_space(peek(l, i)))
        i++;
    if (l->at + i < l->source->len && peek(l, i) != '\n')
        return false;
    l->at += i + (l->at + i < l->source->len);
    return true;
}

static void skip_space(lexer *l)
{
    for (;;) {
        if (is_space(peek(l, 0)))
            l->at++;
        else if (peek(l, 0) != '\\' || !skip_line_join(l))
            return;
    }
}

/* The comment's text: without '#', one space after it, and white space at the end. */
static const char *comment_text(lexer *l)
{
    const char *begin = here(l) + 1, *end = begin;
    const char *text_end = l->source->text + l->source->len;
    while (end < text_end && *end != '\n')
        end++;
    l->at += (size_t)(end - begin) + 1;
    if (begin < end && *begin == ' ')
        begin++;
    while (end > begin && is_space((unsigned char)end[-1]))
        end--;
    return jn_arena_strndup(l->arena, begin, (size_t)(end - begin));
}

/* Marks of other languages too, which are reported. */
static bool at_comment(const lexer *l)
{
    return peek(l, 0) == '#' || (peek(l, 0) == '/' && (peek(l, 1) == '/' || peek(l, 1) == '*'));
}

/* A line's end stands right behind its last token: there the caret points when something is
 * missing. A comment without a line end after it still ends its line. */
static token line_end(lexer *l)
{
    if (at_comment(l) && peek(l, 0) != '#' && !l->quiet)
        jn_diag_add(l->diags, JN_D_COMMENT_MARK, place(l, l->at, 2), (int)peek(l, 1));
    const char *comment = at_comment(l) ? comment_text(l) : NULL;
    bool end_of_file = l->at >= l->source->len;
    if (!end_of_file)
        l->at++;
    size_t start = l->last_end;
    token t = token_from(l, end_of_file && !comment ? T_END : T_NEWLINE, start);
    t.length = 1;
    t.text = comment;
    return t;
}

/* ---- numbers ------------------------------------------------------------------------------- */

static void skip_digits(lexer *l)
{
    while (is_digit(peek(l, 0)))
        l->at++;
}

/* 12, 0.1, .5, 2., 1e-3; but in "1..5" the dots are not the number's. */
static void skip_number(lexer *l)
{
    skip_digits(l);
    if (peek(l, 0) == '.' && peek(l, 1) != '.') {
        l->at++;
        skip_digits(l);
    }
    if (peek(l, 0) == 'e' || peek(l, 0) == 'E') {
        size_t sign = peek(l, 1) == '+' || peek(l, 1) == '-';
        if (is_digit(peek(l, 1 + sign))) {
            l->at += 1 + sign;
            skip_digits(l);
        }
    }
}

static bool continues_word(const lexer *l)
{
    unsigned char c = peek(l, 0);
    return is_letter(c) || is_digit(c) || (c == '.' && is_digit(peek(l, 1)));
}

/* How long the unit is that stands here, or i bytes on. */
static size_t unit_length(const lexer *l, jn_unit *u, size_t i)
{
    return jn_unit_scan(u, here(l) + i, l->source->len - l->at - i);
}

/* "u" of 100u, "uF" of 4.7uF: a unit follows only a prefix, or a space. */
static void skip_prefix(lexer *l)
{
    jn_unit u;
    int ten;
    size_t n = unit_length(l, &u, 0), before = l->at;
    if (n && u.prefixed) {
        l->at += n;
        return;
    }
    l->at += jn_prefix_scan(&ten, here(l), l->source->len - l->at);
    if (continues_word(l) || peek(l, 0) >= 0x80)
        l->at = before;
}

/* The spaces, and the unit behind them; false when there is none. */
static bool skip_unit(lexer *l)
{
    jn_unit u;
    size_t spaces = 0;
    while (peek(l, spaces) == ' ' || peek(l, spaces) == '\t')
        spaces++;
    size_t n = spaces ? unit_length(l, &u, spaces) : 0;
    l->at += n ? spaces + n : 0;
    return n;
}

/* What those may have meant who are used to other programs, 4meg, or to resistors, 4k7; NULL: none
 * of these. */
static const char *other_notation(lexer *l, const char *text, size_t length)
{
    size_t digits = strspn(text, "0123456789."), rest = digits + 1;
    int ten;
    if (digits == 0 || digits >= length)
        return NULL;
    const char *tail = text + digits;
    if (length - digits == 3 && strchr("mM", tail[0]) && strchr("eE", tail[1]) &&
        strchr("gG", tail[2]))
        return jn_arena_printf(l->arena, "a million is 'M': '%sM'",
                               jni_clipped(l->arena, text, digits));
    if (jn_prefix_scan(&ten, tail, 1) == 1 && rest < length &&
        rest + strspn(text + rest, "0123456789") == length && !memchr(text, '.', digits))
        return jn_arena_printf(l->arena, "write '%s.%s%c'", jni_clipped(l->arena, text, digits),
                               jni_clipped(l->arena, text + rest, length - rest), *tail);
    return NULL;
}

static void malformed_number(lexer *l, size_t start)
{
    jn_unit u;
    size_t number = l->at - start, unit = unit_length(l, &u, 0);
    l->at += unit;
    while (continues_word(l))
        l->at++;
    if (l->quiet)
        return;
    const char *text = l->source->text + start;
    const char *advice = "numbers are written 12, 0.5, 1e-3 or 100u, a product needs '*', a name "
                         "begins with a letter";
    const char *other = other_notation(l, text, l->at - start);
    if (other)
        advice = other;
    else if (unit && l->at - start == number + unit)
        advice = jn_arena_printf(l->arena, "put a space before the unit: '%s %s'",
                                 jni_clipped(l->arena, text, number),
                                 jni_clipped(l->arena, text + number, unit));
    jn_diag_add(l->diags, JN_D_NUMBER_MALFORMED, place(l, start, l->at - start),
                jni_clipped(l->arena, text, l->at - start), advice);
}

static token number(lexer *l)
{
    jn_unit unit;
    size_t start = l->at;
    bool is_value = !l->statement_start;
    skip_number(l);
    skip_prefix(l);
    if (continues_word(l) || unit_length(l, &unit, 0)) {
        malformed_number(l, start);
        return token_from(l, T_BAD, start);
    }
    const char *text = l->source->text;
    size_t end = l->at;
    bool spaced = is_value && skip_unit(l);
    token t = token_from(l, T_NUMBER, start);
    t.text = jn_arena_strndup(l->arena, text + start, end - start);
    if (spaced) {
        const char *word = text + end + strspn(text + end, " \t");
        t.text = jn_arena_printf(l->arena, "%s %.*s", t.text, (int)(text + l->at - word), word);
    }
    if (l->quiet)
        return t;
    fmpq_t value;
    fmpq_init(value);
    if (jn_quantity_parse(value, &unit, NULL, t.text, strlen(t.text)) != JN_OK)
        jn_diag_add(l->diags, JN_D_NUMBER_DIGITS, place(l, start, t.length),
                    jni_clipped(l->arena, t.text, t.length), JN_NUMBER_DIGITS);
    fmpq_clear(value);
    return t;
}

/* ---- names and texts ----------------------------------------------------------------------- */

static token name(lexer *l)
{
    size_t start = l->at;
    while (is_letter(peek(l, 0)) || is_digit(peek(l, 0)))
        l->at++;
    token t = token_from(l, T_NAME, start);
    t.text = jn_arena_strndup(l->arena, l->source->text + start, t.length);
    t.type = strcmp(t.text, "and") == 0   ? T_AND
             : strcmp(t.text, "or") == 0  ? T_OR
             : strcmp(t.text, "not") == 0 ? T_NOT
                                          : T_NAME;
    return t;
}

static void unexpected_character(lexer *l);

/* One character of a text; false when it was wrong, and reported. */
static bool text_character(lexer *l, jn_str *out)
{
    size_t start = l->at;
    if (peek(l, 0) == '\\') {
        l->at++;
        unsigned char c = peek(l, 0);
        if (c)
            l->at += (size_t)jn_utf8_length(here(l), l->source->text + l->source->len);
        if (c == '"' || c == '\\') {
            jn_str_addc(out, (char)c);
            return true;
        }
        if (!l->quiet)
            jn_diag_add(l->diags, JN_D_TEXT_ESCAPE, place(l, start, l->at - start));
        return false;
    }
    int n = peek(l, 0) == '\t' ? 1 : jn_utf8_length(here(l), l->source->text + l->source->len);
    if (n == 0) {
        unexpected_character(l);
        return false;
    }
    jn_str_addn(out, here(l), (size_t)n);
    l->at += (size_t)n;
    return true;
}

static token text(lexer *l)
{
    size_t start = l->at++;
    jn_str content;
    jn_str_init(&content);
    bool good = true;
    while (l->at < l->source->len && peek(l, 0) != '"' && peek(l, 0) != '\n' && peek(l, 0) != '\r')
        good &= text_character(l, &content);
    bool closed = peek(l, 0) == '"';
    l->at += closed;
    if (!closed && good && !l->quiet)
        jn_diag_add(l->diags, JN_D_TEXT_OPEN, place(l, start, l->at - start));
    token t = token_from(l, closed ? T_TEXT : T_BAD, start);
    t.text = jn_arena_strndup(l->arena, jn_str_c(&content), content.len);
    jn_str_clear(&content);
    return t;
}

/* ---- signs --------------------------------------------------------------------------------- */

/* Longer ones first. A sign with advice is of another language, and read as what it means if
 * that is clear. */
static const struct {
    const char *sign;
    token_type type;
    const char *advice;
} signs[] = {
    {"->", T_ARROW, NULL},
    {"..", T_DOTS, NULL},
    {"<=", T_LE, NULL},
    {">=", T_GE, NULL},
    {"==", T_EQ, "'='"},
    {"!=", T_EQ, "'not a = b' for 'a != b'"},
    {"<>", T_EQ, "'not a = b' for 'a <> b'"},
    {"=<", T_LE, "'<='"},
    {"=>", T_BAD, "'>=' in a condition, '->' for a bond or a transition"},
    {"&&", T_AND, "'and'"},
    {"||", T_OR, "'or'"},
    {"**", T_POWER, "'^'"},
    {"&", T_AND, "'and'"},
    {"|", T_OR, "'or'"},
    {"!", T_NOT, "'not'"},
    {"~", T_NOT, "'not'"},
    {".", T_DOT, NULL},
    {",", T_COMMA, NULL},
    {":", T_COLON, NULL},
    {";", T_SEMICOLON, NULL},
    {"(", T_OPEN, NULL},
    {")", T_CLOSE, NULL},
    {"[", T_OPEN_INDEX, NULL},
    {"]", T_CLOSE_INDEX, NULL},
    {"{", T_OPEN_BLOCK, NULL},
    {"}", T_CLOSE_BLOCK, NULL},
    {"+", T_PLUS, NULL},
    {"-", T_MINUS, NULL},
    {"*", T_TIMES, NULL},
    {"/", T_OVER, NULL},
    {"^", T_POWER, NULL},
    {"<", T_LT, NULL},
    {"=", T_EQ, NULL},
    {">", T_GT, NULL},
};

/* Characters that word processors and web pages put in place of the language's own. */
static const struct {
    const char *character, *instead;
} lookalikes[] = {
    {"−", "-"},  {"–", "-"},   {"—", "-"},  {"×", "*"},   {"·", "*"},  {"÷", "/"},
    {"→", "->"}, {"≤", "<="},  {"≥", ">="}, {"“", "\""},  {"”", "\""}, {"„", "\""},
    {"'", "\""}, {"∧", "and"}, {"∨", "or"}, {"¬", "not"}, {"π", "pi"}, {"\xC2\xA0", " "},
    {"²", "^2"}, {"³", "^3"},  {"…", ".."}, {"µ", "u"},   {"μ", "u"},
};

static const char *advice_for_character(lexer *l, const char *c, size_t length)
{
    for (size_t i = 0; i < sizeof lookalikes / sizeof *lookalikes; i++)
        if (strlen(lookalikes[i].character) == length &&
            memcmp(lookalikes[i].character, c, length) == 0)
            return jn_arena_printf(l->arena, "write '%s' instead", lookalikes[i].instead);
    if (*c == '%')
        return "a percentage is a fraction: 0.5 or 1/2 for 50 %";
    return "names are made of the letters a to z, A to Z, digits and '_'";
}

/* Reports the character here and goes past it, and past others of its sort after it. */
static void unexpected_character(lexer *l)
{
    const char *c = here(l);
    int length = jn_utf8_length(c, l->source->text + l->source->len);
    size_t start = l->at++;
    char shown[32];
    if (length)
        snprintf(shown, sizeof shown, "character '%.*s'", length, c);
    else
        snprintf(shown, sizeof shown, "byte 0x%02X", (unsigned char)*c);
    const char *advice =
        length ? advice_for_character(l, c, (size_t)length) : "a model file is plain text in UTF-8";
    while (peek(l, 0) >= 0x80 || (peek(l, 0) == (unsigned char)*c && l->at < l->source->len))
        l->at++;
    if (!l->quiet)
        jn_diag_add(l->diags, JN_D_CHARACTER_UNEXPECTED, place(l, start, l->at - start), shown,
                    advice);
}

static token sign(lexer *l)
{
    size_t start = l->at;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (!starts_with(l, signs[i].sign))
            continue;
        l->at += strlen(signs[i].sign);
        if (signs[i].advice && !l->quiet)
            jn_diag_add(l->diags, JN_D_OPERATOR_UNKNOWN, place(l, start, l->at - start),
                        signs[i].sign, signs[i].advice);
        return token_from(l, signs[i].type, start);
    }
    unexpected_character(l);
    return token_from(l, T_BAD, start);
}

/* A backslash that is not at the end of its line is reported. When only a comment follows, the
 * line is joined to the next all the same: then true. */
static bool misplaced_line_join(lexer *l)
{
    size_t start = l->at++;
    if (!l->quiet)
        jn_diag_add(l->diags, JN_D_LINE_GOES_ON, place(l, start, 1));
    while (is_space(peek(l, 0)))
        l->at++;
    if (peek(l, 0) != '#')
        return false;
    comment_text(l);
    l->at += l->at < l->source->len;
    return true;
}

/* A dot begins a number unless it follows a name: ".5", but "c1.a". */
static bool at_number(const lexer *l)
{
    if (is_digit(peek(l, 0)))
        return true;
    if (peek(l, 0) != '.' || !is_digit(peek(l, 1)))
        return false;
    unsigned char before = l->at ? (unsigned char)l->source->text[l->at - 1] : 0;
    return !is_letter(before) && !is_digit(before) && before != ']';
}

token jni_lexer_next(lexer *l)
{
    skip_space(l);
    while (peek(l, 0) == '\\') {
        size_t start = l->at;
        if (!misplaced_line_join(l))
            return token_from(l, T_BAD, start);
        skip_space(l);
    }
    unsigned char c = peek(l, 0);
    if (l->at >= l->source->len || c == '\n' || at_comment(l))
        return line_end(l);
    if (at_number(l))
        return number(l);
    if (is_letter(c))
        return name(l);
    if (c == '"')
        return text(l);
    return sign(l);
}
