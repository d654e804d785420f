/* ascii.c: text for terminals that know nothing but ASCII.
 *
 * What the tool itself prints has a spelling there: the dot of a derivative becomes a d before the
 * letter, Greek letters their names. Anything else, from a title say, becomes '?'. */
#include <string.h>

#include "junct/base.h"
#include "junct/diag.h"

static const struct {
    const char *character, *spelling;
} spellings[] = {
    {"ṗ", "dp"},    {"ẋ", "dx"},  {"λ", "lambda"}, {"Λ", "Lambda"}, {"…", "..."}, {"→", "->"},
    {"←", "<-"},    {"−", "-"},   {"–", "-"},      {"—", "-"},      {"·", "*"},   {"×", "x"},
    {"≈", "~"},     {"≤", "<="},  {"≥", ">="},     {"≠", "/="},     {"∞", "inf"}, {"“", "\""},
    {"”", "\""},    {"‘", "'"},   {"’", "'"},      {"⊕", "^"},      {"¬", "!"},   {"π", "pi"},
    {"ω", "omega"}, {"ε", "eps"}, {"δ", "delta"},  {"Δ", "Delta"},  {"²", "^2"},  {"³", "^3"},
    {"µ", "u"},     {"Ω", "Ohm"}, {"°", "deg"},
};

static const char dot_above[] = "\xCC\x87"; /* combining, behind its letter */

static const char *spelling_of(const char *s, size_t n)
{
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++)
        if (strlen(spellings[i].character) == n && memcmp(spellings[i].character, s, n) == 0)
            return spellings[i].spelling;
    return "?";
}

void jn_str_add_ascii(jn_str *t, const char *s)
{
    const char *end = s + strlen(s);
    while (s < end) {
        int n = jn_utf8_length(s, end);
        bool dotted = n == 1 && strncmp(s + 1, dot_above, 2) == 0;
        if (dotted)
            jn_str_addc(t, 'd');
        if (n > 1)
            jn_str_add(t, spelling_of(s, (size_t)n));
        else
            jn_str_addc(t, n == 1 || strchr("\n\t\r\033", *s) ? *s : '?');
        s += dotted ? 3 : n ? n : 1;
    }
}
