/* closest.c: "did you mean …?" */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "junct/diag.h"

enum {
    WORD_MAX = 40,      /* longer words are not compared */
    SLIP = WORD_MAX + 1 /* a letter wrong, missing, too many or swapped; a wrong case counts 1 */
};

static int min(int a, int b)
{
    return a < b ? a : b;
}

static int substitution(char a, char b)
{
    if (a == b)
        return 0;
    return tolower((unsigned char)a) == tolower((unsigned char)b) ? 1 : SLIP;
}

/* The edit distance with swaps of neighbours. */
static int distance(const char *a, int m, const char *b, int n)
{
    int d[WORD_MAX + 1][WORD_MAX + 1];
    for (int i = 0; i <= m; i++)
        d[i][0] = SLIP * i;
    for (int j = 0; j <= n; j++)
        d[0][j] = SLIP * j;
    for (int i = 1; i <= m; i++) {
        for (int j = 1; j <= n; j++) {
            int best = d[i - 1][j - 1] + substitution(a[i - 1], b[j - 1]);
            best = min(best, min(d[i - 1][j], d[i][j - 1]) + SLIP);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = min(best, d[i - 2][j - 2] + SLIP);
            d[i][j] = best;
        }
    }
    return d[m][n];
}

const char *jn_closest(const char *word, const char *const *list, int n)
{
    size_t len = strlen(word);
    if (len > WORD_MAX)
        return NULL;
    /* One slip in three letters, three at most; a wrong case is always forgiven. */
    int best = SLIP * (min((int)len / 3, 3) + 1);
    const char *found = NULL;
    for (int i = 0; i < n; i++) {
        size_t other = strlen(list[i]);
        if (other > WORD_MAX || abs((int)len - (int)other) * SLIP >= best)
            continue;
        int d = distance(word, (int)len, list[i], (int)other);
        if (d < best) {
            best = d;
            found = list[i];
        }
    }
    return found;
}
