/* latex.c: names and text in LaTeX. */
#include <string.h>

#include "junct/ratfun.h"

typedef struct {
    const char *name;
    unsigned code; /* the Unicode letter */
} letter;

static const letter greek[] = {
    {"alpha", 0x3B1},   {"beta", 0x3B2},   {"gamma", 0x3B3}, {"delta", 0x3B4},   {"epsilon", 0x3B5},
    {"zeta", 0x3B6},    {"eta", 0x3B7},    {"theta", 0x3B8}, {"iota", 0x3B9},    {"kappa", 0x3BA},
    {"lambda", 0x3BB},  {"mu", 0x3BC},     {"nu", 0x3BD},    {"xi", 0x3BE},      {"pi", 0x3C0},
    {"rho", 0x3C1},     {"sigma", 0x3C3},  {"tau", 0x3C4},   {"upsilon", 0x3C5}, {"phi", 0x3C6},
    {"chi", 0x3C7},     {"psi", 0x3C8},    {"omega", 0x3C9}, {"Gamma", 0x393},   {"Delta", 0x394},
    {"Theta", 0x398},   {"Lambda", 0x39B}, {"Xi", 0x39E},    {"Pi", 0x3A0},      {"Sigma", 0x3A3},
    {"Upsilon", 0x3A5}, {"Phi", 0x3A6},    {"Psi", 0x3A8},   {"Omega", 0x3A9},   {"Omega", 0x2126},
};
enum { NGREEK = sizeof greek / sizeof greek[0] };

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define NUMERALS "0123456789"

/* ---- symbols ------------------------------------------------------------------------------- */

/* A word of letters: one letter in italics, a Greek letter by its name, the rest upright. */
static void add_word(jn_str *out, const char *s, size_t len)
{
    for (int i = 0; i < NGREEK; i++)
        if (strlen(greek[i].name) == len && memcmp(greek[i].name, s, len) == 0) {
            jn_str_addf(out, "\\%s", greek[i].name);
            return;
        }
    jn_str_addf(out, len == 1 ? "%.*s" : "\\mathrm{%.*s}", (int)len, s);
}

/* One index: 3, n, load, L1. Letters carry the digits that follow them as their own index. */
static void add_index(jn_str *out, const char *s, size_t len)
{
    const char *end = s + len;
    if (len == 0)
        jn_str_add(out, "\\_");
    while (s < end) {
        size_t digits = strspn(s, NUMERALS);
        jn_str_addn(out, s, digits);
        s += digits;
        size_t letters = strspn(s, LETTERS);
        if (letters == 0)
            continue;
        add_word(out, s, letters);
        s += letters;
        digits = strspn(s, NUMERALS);
        if (digits)
            jn_str_addf(out, "_{%.*s}", (int)digits, s);
        s += digits;
    }
}

/* What follows the word a name begins with: 12, _load, [3], [3][4]_x. */
static void add_indices(jn_str *out, const char *s, const char *end)
{
    jn_str_add(out, "_{");
    for (bool first = true; s < end; first = false) {
        if (!first)
            jn_str_addc(out, ',');
        s += *s == '_' || *s == '[';
        size_t len = strcspn(s, "_[].");
        add_index(out, s, len);
        s += len;
        s += *s == ']';
    }
    jn_str_addc(out, '}');
}

void jn_latex_symbol(jn_str *out, const char *name)
{
    if (strcmp(name, "pi") == 0) {
        jn_str_add(out, "\\pi ");
        return;
    }
    if (strspn(name, LETTERS NUMERALS "_[].") != strlen(name)) {
        jn_str_add(out, "\\text{");
        jn_latex_text(out, name);
        jn_str_addc(out, '}');
        return;
    }
    for (const char *s = name;; s++) {
        size_t len = strcspn(s, "."), letters = strspn(s, LETTERS);
        if (letters)
            add_word(out, s, letters);
        else
            jn_str_add(out, "{}"); /* something to carry the index */
        if (letters < len)
            add_indices(out, s + letters, s + len);
        s += len;
        if (!*s)
            break;
        jn_str_addc(out, '.');
    }
}

/* ---- text ---------------------------------------------------------------------------------- */

static const char *escaped(char c)
{
    switch (c) {
    case '\\':
        return "\\textbackslash{}";
    case '^':
        return "\\textasciicircum{}";
    case '~':
        return "\\textasciitilde{}";
    case '<':
        return "\\textless{}";
    case '>':
        return "\\textgreater{}";
    case '|':
        return "\\textbar{}";
    case '%':
        return "\\%";
    case '$':
        return "\\$";
    case '&':
        return "\\&";
    case '_':
        return "\\_";
    case '#':
        return "\\#";
    case '{':
        return "\\{";
    case '}':
        return "\\}";
    default:
        return NULL;
    }
}

/* The code point at s and its length in bytes; a byte that is not UTF-8 gives code 0. */
static int decode(unsigned *code, const char *s)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *p = (const unsigned char *)s;
    int len = p[0] < 0x80 ? 1 : p[0] < 0xC2 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
    *code = len == 1 ? p[0] : p[0] & (0x7Fu >> len);
    for (int i = 1; i < len; i++) {
        if ((p[i] & 0xC0) != 0x80)
            len = 0;
        else
            *code = *code << 6 | (p[i] & 0x3F);
    }
    if (len == 0 || *code < least[len] || *code > 0x10FFFF) {
        *code = 0;
        return 1;
    }
    return len;
}

static bool is_among(unsigned code, const unsigned *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == code)
            return true;
    return false;
}

/* What LaTeX knows in text without further packages; the rest would stop it. */
static bool is_known(unsigned code)
{
    static const unsigned sign[] = {0x2013, 0x2014, 0x2018, 0x2019, 0x201C,
                                    0x201D, 0x2020, 0x2022, 0x2026, 0x20AC};
    static const unsigned strange[] = {0x126, 0x127, 0x138, 0x13F, 0x140,
                                       0x149, 0x166, 0x167, 0x17F};
    enum { SIGNS = sizeof sign / sizeof sign[0], STRANGE = sizeof strange / sizeof strange[0] };
    bool latin = code >= 0xA0 && code <= 0x17F && !is_among(code, strange, STRANGE);
    return latin || is_among(code, sign, SIGNS);
}

/* The signs of mathematics that are met in text. */
static const char *math_sign(unsigned code)
{
    switch (code) {
    case 0x2190:
        return "\\leftarrow";
    case 0x2192:
        return "\\to";
    case 0x2212:
        return "-";
    case 0x221E:
        return "\\infty";
    case 0x2248:
        return "\\approx";
    case 0x2260:
        return "\\ne";
    case 0x2264:
        return "\\le";
    case 0x2265:
        return "\\ge";
    default:
        return NULL;
    }
}

static void add_character(jn_str *out, unsigned code, const char *s, int len)
{
    for (int i = 0; i < NGREEK; i++)
        if (greek[i].code == code) {
            jn_str_addf(out, "\\ensuremath{\\%s}", greek[i].name);
            return;
        }
    if (code == 0)
        jn_str_addc(out, '?');
    else if (math_sign(code))
        jn_str_addf(out, "\\ensuremath{%s}", math_sign(code));
    else if (is_known(code))
        jn_str_addn(out, s, (size_t)len);
    else
        jn_str_addf(out, "[U+%04X]", code);
}

void jn_latex_text(jn_str *out, const char *text)
{
    unsigned code;
    int len;
    for (const char *s = text; *s; s += len) {
        len = decode(&code, s);
        const char *escape = escaped(*s);
        if (escape)
            jn_str_add(out, escape);
        else if (*s == '-' && s[1] == '-')
            jn_str_add(out, "-{}"); /* not a dash */
        else if (code >= 0x80 || code == 0)
            add_character(out, code, s, len);
        else
            jn_str_addc(out, code < 0x20 || code == 0x7F ? ' ' : *s);
    }
}
