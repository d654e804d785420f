/* unit.c: SI prefixes and units: one table, read greedily. */
#include <math.h>
#include <string.h>

#include "junct/ratfun.h"
#include "junct/unit.h"

/* ---- the tables ---------------------------------------------------------------------------- */

static const struct {
    const char *text;
    int ten;
} prefixes[] = {{"f", -15}, {"p", -12}, {"n", -9}, {"u", -6}, {"\xC2\xB5", -6}, {"\xCE\xBC", -6},
                {"m", -3},  {"k", 3},   {"M", 6},  {"G", 9},  {"T", 12}};

enum { NPREFIXES = sizeof prefixes / sizeof *prefixes };

/* Coherent units first, those that one writes most before others of the same dimension: that is
 * the order in which a unit is given its name. Of an unlike pair N*m and J the shorter is meant,
 * unless it was named: jn_unit_print is told powers only. */
static const struct {
    const char *word;
    signed char power[JN_UNIT_BASES];
    bool prefix; /* may have one */
    short ten, pi;
    short over, under;
} units[] = {
    {"V", {2, 1, -3, -1, 0}, true, 0, 0, 1, 1},
    {"A", {0, 0, 0, 1, 0}, true, 0, 0, 1, 1},
    {"Ohm", {2, 1, -3, -2, 0}, true, 0, 0, 1, 1},
    {"H", {2, 1, -2, -2, 0}, true, 0, 0, 1, 1},
    {"F", {-2, -1, 4, 2, 0}, true, 0, 0, 1, 1},
    {"Wb", {2, 1, -2, -1, 0}, true, 0, 0, 1, 1},
    {"C", {0, 0, 1, 1, 0}, true, 0, 0, 1, 1},
    {"S", {-2, -1, 3, 2, 0}, true, 0, 0, 1, 1},
    {"N", {1, 1, -2, 0, 0}, true, 0, 0, 1, 1},
    {"m", {1, 0, 0, 0, 0}, true, 0, 0, 1, 1},
    {"kg", {0, 1, 0, 0, 0}, false, 0, 0, 1, 1},
    {"s", {0, 0, 1, 0, 0}, true, 0, 0, 1, 1},
    {"Pa", {-1, 1, -2, 0, 0}, true, 0, 0, 1, 1},
    {"W", {2, 1, -3, 0, 0}, true, 0, 0, 1, 1},
    {"J", {2, 1, -2, 0, 0}, true, 0, 0, 1, 1},
    {"K", {0, 0, 0, 0, 1}, true, 0, 0, 1, 1},
    {"Hz", {0, 0, -1, 0, 0}, true, 0, 0, 1, 1},
    {"rad", {0, 0, 0, 0, 0}, true, 0, 0, 1, 1},
    {"ohm", {2, 1, -3, -2, 0}, true, 0, 0, 1, 1},
    {"\xCE\xA9", {2, 1, -3, -2, 0}, true, 0, 0, 1, 1},     /* Ω */
    {"\xE2\x84\xA6", {2, 1, -3, -2, 0}, true, 0, 0, 1, 1}, /* the sign for ohm */
    {"Nm", {2, 1, -2, 0, 0}, true, 0, 0, 1, 1},
    {"Ns", {1, 1, -1, 0, 0}, true, 0, 0, 1, 1},
    {"As", {0, 0, 1, 1, 0}, true, 0, 0, 1, 1},
    {"Vs", {2, 1, -2, -1, 0}, true, 0, 0, 1, 1},
    {"g", {0, 1, 0, 0, 0}, true, -3, 0, 1, 1},
    {"cm", {1, 0, 0, 0, 0}, false, -2, 0, 1, 1},
    {"l", {3, 0, 0, 0, 0}, true, -3, 0, 1, 1},
    {"L", {3, 0, 0, 0, 0}, true, -3, 0, 1, 1},
    {"bar", {-1, 1, -2, 0, 0}, true, 5, 0, 1, 1},
    {"min", {0, 0, 1, 0, 0}, false, 0, 0, 60, 1},
    {"h", {0, 0, 1, 0, 0}, false, 0, 0, 3600, 1},
    {"Ah", {0, 0, 1, 1, 0}, true, 0, 0, 3600, 1},
    {"Wh", {2, 1, -2, 0, 0}, true, 0, 0, 3600, 1},
    {"rpm", {0, 0, -1, 0, 0}, false, 0, 1, 1, 30},
    {"rev", {0, 0, 0, 0, 0}, false, 0, 1, 2, 1},
    {"deg", {0, 0, 0, 0, 0}, false, 0, 1, 1, 180},
};

enum { NUNITS = sizeof units / sizeof *units, NCOHERENT = 18 };

const char *jn_unit_word(int i)
{
    return i < NUNITS ? units[i].word : NULL;
}

/* ---- reading ------------------------------------------------------------------------------- */

static bool is_letter(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80;
}

static size_t starts_with(const char *s, size_t len, const char *word)
{
    size_t n = strlen(word);
    return n <= len && memcmp(s, word, n) == 0 ? n : 0;
}

size_t jn_prefix_scan(int *ten, const char *s, size_t len)
{
    if (len == 0 || !is_letter((unsigned char)s[0]))
        return 0;
    for (int i = 0; i < NPREFIXES; i++) {
        size_t n = starts_with(s, len, prefixes[i].text);
        if (n) {
            *ten = prefixes[i].ten;
            return n;
        }
    }
    return 0;
}

/* Signs that are not ASCII but no letters either end a word. */
static size_t word_length(const char *s, size_t len)
{
    size_t n = 0;
    while (n < len && is_letter((unsigned char)s[n]) && !starts_with(s + n, len - n, "\xC2\xB7") &&
           !starts_with(s + n, len - n, "\xC2\xB2") && !starts_with(s + n, len - n, "\xC2\xB3"))
        n++;
    return n;
}

static int find_unit(const char *s, size_t len)
{
    for (int i = 0; i < NUNITS; i++)
        if (strlen(units[i].word) == len && memcmp(units[i].word, s, len) == 0)
            return i;
    return -1;
}

/* One word: a unit, or a prefix and a unit that may have one. */
static bool word_unit(jn_unit *u, const char *s, size_t len)
{
    int ten = 0, i = find_unit(s, len);
    *u = jn_unit_none();
    if (i < 0) {
        size_t n = jn_prefix_scan(&ten, s, len);
        i = n ? find_unit(s + n, len - n) : -1;
        if (i < 0 || !units[i].prefix)
            return false;
        u->prefixed = true;
    }
    memcpy(u->power, units[i].power, sizeof u->power);
    u->prefixed =
        u->prefixed || strcmp(units[i].word, "kg") == 0 || strcmp(units[i].word, "cm") == 0;
    u->ten = (short)(ten + units[i].ten);
    u->pi = units[i].pi;
    u->over = units[i].over;
    u->under = units[i].under;
    return true;
}

/* "^2", "^-1", "²"; 0: none. */
static size_t exponent_scan(int *exponent, const char *s, size_t len)
{
    *exponent = 1;
    for (int i = 2; i <= 3; i++) {
        if (starts_with(s, len, i == 2 ? "\xC2\xB2" : "\xC2\xB3")) {
            *exponent = i;
            return 2;
        }
    }
    if (len < 2 || s[0] != '^')
        return 0;
    size_t sign = s[1] == '-';
    if (len < 2 + sign || s[1 + sign] < '1' || s[1 + sign] > '9')
        return 0;
    *exponent = (s[1 + sign] - '0') * (sign ? -1 : 1);
    return 2 + sign;
}

/* u·v^power with the factors; false when it is out of all proportion. */
static bool multiply(jn_unit *u, const jn_unit *v, int power)
{
    enum { FACTOR_MAX = 1000000, POWER_MAX = 60 };
    for (int i = 0; i < JN_UNIT_BASES; i++) {
        int sum = u->power[i] + power * v->power[i];
        if (sum > POWER_MAX || sum < -POWER_MAX)
            return false;
        u->power[i] = (signed char)sum;
    }
    u->ten = (short)(u->ten + power * v->ten);
    u->pi = (short)(u->pi + power * v->pi);
    for (int k = power < 0 ? -power : power; k > 0; k--) {
        u->over *= power > 0 ? v->over : v->under;
        u->under *= power > 0 ? v->under : v->over;
        if (u->over > FACTOR_MAX || u->under > FACTOR_MAX)
            return false;
    }
    return u->ten < 1000 && u->ten > -1000;
}

static bool may_end_here(const char *s, size_t len)
{
    if (len == 0 || starts_with(s, len, "\xC2\xB7"))
        return true;
    unsigned char c = (unsigned char)s[0];
    if (c == '.') /* 1 s..2 s is a range, V.a a name */
        return len > 1 && s[1] == '.';
    return !is_letter(c) && !(c >= '0' && c <= '9') && !strchr("_([", c);
}

/* A word and its power, after "*", "/", "·" or nothing. */
static size_t factor_scan(jn_unit *u, const char *s, size_t len, int sign)
{
    jn_unit v;
    int exponent;
    size_t n = len && is_letter((unsigned char)s[0]) ? word_length(s, len) : 0;
    if (n == 0 || !word_unit(&v, s, n))
        return 0;
    n += exponent_scan(&exponent, s + n, len - n);
    if (!may_end_here(s + n, len - n) || !multiply(u, &v, sign * exponent))
        return 0;
    u->prefixed = v.prefixed;
    return n;
}

size_t jn_unit_scan(jn_unit *u, const char *s, size_t len)
{
    *u = jn_unit_none();
    size_t at = factor_scan(u, s, len, 1);
    bool prefixed = u->prefixed;
    while (at > 0 && at < len) {
        size_t dot = starts_with(s + at, len - at, "\xC2\xB7");
        size_t sign = dot ? dot : s[at] == '*' || s[at] == '/';
        jn_unit longer = *u;
        size_t n =
            sign ? factor_scan(&longer, s + at + sign, len - at - sign, s[at] == '/' ? -1 : 1) : 0;
        if (n == 0)
            break;
        *u = longer;
        at += sign + n;
    }
    u->prefixed = prefixed;
    return at;
}

/* ---- numbers ------------------------------------------------------------------------------- */

/* How much of the text is the number itself, without prefix and unit. */
static size_t number_length(const char *s, size_t len)
{
    size_t n = 0;
    while (n < len && ((s[n] >= '0' && s[n] <= '9') || s[n] == '.'))
        n++;
    if (n < len && (s[n] == 'e' || s[n] == 'E'))
        for (n++; n < len && ((s[n] >= '0' && s[n] <= '9') || s[n] == '+' || s[n] == '-'); n++)
            ;
    return n;
}

static void scale_by(fmpq_t value, long over, long under, int ten)
{
    fmpz_t power;
    fmpz_init(power);
    fmpz_set_ui(power, 10);
    fmpz_pow_ui(power, power, (ulong)(ten < 0 ? -ten : ten));
    if (ten < 0)
        fmpq_div_fmpz(value, value, power);
    else
        fmpq_mul_fmpz(value, value, power);
    fmpz_set_si(power, over);
    fmpq_mul_fmpz(value, value, power);
    fmpz_set_si(power, under);
    fmpq_div_fmpz(value, value, power);
    fmpz_clear(power);
}

jn_status jn_quantity_parse(fmpq_t value, jn_unit *u, bool *has_unit, const char *s, size_t len)
{
    size_t n = number_length(s, len), spaces = 0;
    int ten = 0;
    *u = jn_unit_none();
    if (has_unit)
        *has_unit = false;
    jn_status status = jn_number_parse(value, s, n);
    if (n == len)
        return status;
    size_t unit = n < len && s[n] != ' ' ? jn_unit_scan(u, s + n, len - n) : 0;
    if (unit == 0 || !u->prefixed) { /* a prefix alone, then perhaps a space and a unit */
        *u = jn_unit_none();
        n += jn_prefix_scan(&ten, s + n, len - n);
        while (n + spaces < len && s[n + spaces] == ' ')
            spaces++;
        unit = spaces ? jn_unit_scan(u, s + n + spaces, len - n - spaces) : 0;
    }
    if (has_unit)
        *has_unit = unit > 0;
    if (status || n + spaces + unit != len || (spaces && !unit))
        return JN_INVALID;
    scale_by(value, u->over, u->under, ten + u->ten);
    return JN_OK;
}

static bool plain_number(fmpq_t value, const char *s, size_t len)
{
    jn_unit u;
    bool has_unit;
    return jn_quantity_parse(value, &u, &has_unit, s, len) == JN_OK && !has_unit;
}

jn_status jn_ratio_parse(fmpq_t value, const char *s, size_t len)
{
    size_t sign = len && (*s == '-' || *s == '+');
    const char *slash = len ? memchr(s, '/', len) : NULL;
    size_t first = slash ? (size_t)(slash - s) : len;
    fmpq_t below;
    fmpq_init(below);
    bool good = plain_number(value, s + sign, first - sign);
    if (good && slash) {
        good = plain_number(below, slash + 1, len - first - 1) && !fmpq_is_zero(below);
        if (good)
            fmpq_div(value, value, below);
    }
    fmpq_clear(below);
    if (good && *s == '-')
        fmpq_neg(value, value);
    return good ? JN_OK : JN_INVALID;
}

/* ---- dimensions ---------------------------------------------------------------------------- */

jn_unit jn_unit_none(void)
{
    return (jn_unit){.over = 1, .under = 1};
}

bool jn_unit_same(const jn_unit *a, const jn_unit *b)
{
    return memcmp(a->power, b->power, sizeof a->power) == 0;
}

jn_unit jn_unit_times(const jn_unit *a, const jn_unit *b, int power)
{
    jn_unit product = jn_unit_none();
    for (int i = 0; i < JN_UNIT_BASES; i++)
        product.power[i] = (signed char)(a->power[i] + power * b->power[i]);
    return product;
}

static bool print_named(jn_str *out, const jn_unit *u)
{
    for (int i = 0; i < NCOHERENT - 2; i++) { /* Hz and rad: 1/s and 1 are less surprising */
        if (memcmp(u->power, units[i].power, sizeof u->power) == 0) {
            jn_str_add(out, units[i].word);
            return true;
        }
    }
    return false;
}

static void print_powers(jn_str *out, const jn_unit *u, int sign)
{
    static const char *const base[] = {"m", "kg", "s", "A", "K"};
    static const int order[] = {1, 0, 2, 3, 4}; /* kg*m^2/s^2 */
    bool first = true;
    for (int k = 0; k < JN_UNIT_BASES; k++) {
        int power = sign * u->power[order[k]];
        if (power <= 0)
            continue;
        jn_str_addf(out, "%s%s", sign < 0 ? "/" : first ? "" : "*", base[order[k]]);
        if (power > 1)
            jn_str_addf(out, "^%d", power);
        first = false;
    }
    if (first && sign > 0)
        jn_str_add(out, "1");
}

void jn_unit_print(jn_str *out, const jn_unit *u)
{
    if (print_named(out, u))
        return;
    print_powers(out, u, 1);
    print_powers(out, u, -1);
}

void jn_prefixed_print(jn_str *out, double x, int digits)
{
    static const char prefix[] = "fpnum kMGT";
    int power = x != 0 ? (int)floor(log10(fabs(x)) / 3 + 1e-12) : 0;
    if (power < -5 || power > 4 || !isfinite(x)) {
        jn_str_addf(out, "%.*g", digits, x);
        return;
    }
    jn_str_addf(out, "%.*g", digits, x / pow(10, 3 * power));
    if (power)
        jn_str_addc(out, prefix[power + 5]);
}
