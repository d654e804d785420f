/* test_latex.c: names and text in LaTeX. */
#include "testing.h"

#include <junct/ratfun.h>

static void names_become_latex(void)
{
    static const char *const pair[][2] = {
        {"a", "a"},
        {"L1", "L_{1}"},
        {"L12", "L_{12}"},
        {"R_load", "R_{\\mathrm{load}}"},
        {"R_1", "R_{1}"},
        {"p_L1", "p_{L_{1}}"},
        {"alpha", "\\alpha"},
        {"Omega_n", "\\Omega_{n}"},
        {"tau2", "\\tau_{2}"},
        {"clutch", "\\mathrm{clutch}"},
        {"Rload1", "\\mathrm{Rload}_{1}"},
        {"R1a", "R_{1a}"},
        {"c[3].C", "c_{3}.C"},
        {"arm1[2].cell[30].C0", "\\mathrm{arm}_{1,2}.\\mathrm{cell}_{30}.C_{0}"},
        {"m[1][2]", "m_{1,2}"},
        {"x_", "x_{\\_}"},
        {"_x", "{}_{x}"},
        {"50%_{x}", "\\text{50\\%\\_\\{x\\}}"},
    };
    jn_str s;
    jn_str_init(&s);
    for (size_t i = 0; i < sizeof pair / sizeof pair[0]; i++) {
        jn_str_reset(&s);
        jn_latex_symbol(&s, pair[i][0]);
        TEST_TEXT(pair[i][1], jn_str_c(&s));
    }
    jn_str_clear(&s);
}

static void texts_become_latex(void)
{
    static const char *const pair[][2] = {
        {"", ""},
        {"Boost converter, 12 V", "Boost converter, 12 V"},
        {"100% & $5 #1 a_b {x}", "100\\% \\& \\$5 \\#1 a\\_b \\{x\\}"},
        {"a\\b^c~d", "a\\textbackslash{}b\\textasciicircum{}c\\textasciitilde{}d"},
        {"<|>", "\\textless{}\\textbar{}\\textgreater{}"},
        {"Größe – naïve", "Größe – naïve"},
        {"λ in Ω", "\\ensuremath{\\lambda} in \\ensuremath{\\Omega}"},
        {"Ħħ ĸ Ŀŀ ŉ Ŧŧ ſ", "[U+0126][U+0127] [U+0138] [U+013F][U+0140] [U+0149] [U+0166][U+0167] "
                           "[U+017F]"},
        {"x ≈ −1 ≤ ∞", "x \\ensuremath{\\approx} \\ensuremath{-}1 \\ensuremath{\\le} "
                       "\\ensuremath{\\infty}"},
        {"漢 \xF0\x9F\x98\x80", "[U+6F22] [U+1F600]"},
        {"bad \xC3( \xFF \xE2\x82", "bad ?( ? ??"},
        {"--all\ttab\n", "-{}-all tab "},
    };
    jn_str s;
    jn_str_init(&s);
    for (size_t i = 0; i < sizeof pair / sizeof pair[0]; i++) {
        jn_str_reset(&s);
        jn_latex_text(&s, pair[i][0]);
        TEST_TEXT(pair[i][1], jn_str_c(&s));
    }
    jn_str_clear(&s);
}

void suite_latex(void)
{
    TEST_SUITE("latex");
    TEST_ADD(names_become_latex);
    TEST_ADD(texts_become_latex);
}
