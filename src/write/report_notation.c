/* report_notation.c: the appendix: what the signs mean, and where the published form differs. */
#include "report_internal.h"

typedef struct {
    const char *text, *latex, *meaning;
} entry;

static const entry notation[] = {
    {"e, f", "e,\\ f", "effort and flow of a bond; e f is the power along its half-arrow"},
    {"p, q", "p,\\ q", "momentum of an I, displacement of a C: the states"},
    {"λ", "\\lambda", "the switches; 1 is ON. A mode is one value of all of them"},
    {"∧ ∨ ⊕", "\\wedge\\ \\vee\\ \\oplus", "and, or, exclusive or; a bar negates"},
    {"Xi, Xd", "X_i,\\ X_d", "states of storages in integral and in derivative causality"},
    {"Zi, Zd", "Z_i,\\ Z_d", "the conjugates of their derivatives: f of an I, e of a C"},
    {"Din, Dout", "D_{in},\\ D_{out}",
     "inputs of the junction structure from the resistors, and "
     "its outputs to them"},
    {"U", "U", "the sources' values"},
    {"Λ(λ)", "\\Lambda(\\lambda)", "diagonal: 1 in the modes in which the row's equation is there"},
    {"S(λ)", "S(\\lambda)", "the junction structure, solved for its outputs"},
    {"E, A, B", "E,\\ A,\\ B", "the implicit equation, one for all modes"},
    {"x (d)", "x_{\\mathrm{d}}", "a variable of derivative causality (a pseudo-state)"},
};

static const struct {
    const char *meaning;
} marks[] = {
    {"Drawings: a bar across the end of a bond is its causal stroke; the element at that end "
     "receives the effort. A solid bar stands as in the reference mode; a dashed one at the other "
     "end says that some mode turns it round. A dotted bond is left open by a redundant loop."},
    {"The reference mode is the one with the most storages in integral causality, among those the "
     "one with the most switches ON. It is only a convention."},
    {"Forbidden modes: sources would have to agree that do not. There, the matrices are a "
     "convention: 0 in a state's guard and 1 in the pseudo-state's."},
};

void jni_report_notation(jn_page *p)
{
    jni_report_section(p, "Notation");
    jn_table_item *t = jn_page_table(p, 2, false);
    for (size_t i = 0; i < sizeof notation / sizeof notation[0]; i++) {
        jn_line *row = jn_table_row(p, t);
        jn_line_math(p, &row[0], notation[i].text, notation[i].latex);
        jn_line_text(p, &row[1], "%s", notation[i].meaning);
    }
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        jn_line_text(p, jn_page_paragraph(p), "%s", marks[i].meaning);
    jni_report_marked(p, jn_page_paragraph(p),
                      "With $H = L\\,(I - S_{33} L)^{-1}$ on the active rows and "
                      "$K = S_{11} - S_{13} H S_{13}^{T}$, where "
                      "$D_{in} = L\\,D_{out},\\ Z_i = F_i X_i,\\ Z_d = F_d X_d$, the implicit "
                      "equation consists of "
                      "$\\Lambda_{11}\\dot X_i - S_{12}\\dot X_d = K F_i X_i + (S_{14} + S_{13} H "
                      "S_{34})\\,U$ and "
                      "$0 = -S_{12}^{T} F_i X_i - \\Lambda_{22} F_d X_d + S_{24}\\,U$.");
}

/* ---- errata -------------------------------------------------------------------------------- */

static const char *const errata[] = {
    ("(12) states $K$ with a plus sign while writing $S_{13}^T$; (9) and (15) are right."),
    ("(10) has $+S_{12}^T$ where it is $-S_{12}^T$."),
    ("$H$ does not exist as printed where a diagonal entry of $\\Lambda$ is zero: take the active "
     "rows."),
    ("(18) puts $R^{-1}$ into $L$ although (16) has efforts as $D_{in}$; hence (20) to (29) carry "
     "$1/(L_1 R_1)$ where it is $R_1/L_1$, likewise for $R_2$."),
    ("Row 4 of (20) needs the negation of $\\lambda_1\\oplus\\lambda_2$."),
    ("(28) and (29) flip the sign of $\\frac{a}{L_1}\\,p_{L_1}$; (20) to (22) are right."),
    ("(25) lists the forbidden mode as an ordinary one, with $V = -G$; it is $V = G$."),
};

void jni_report_errata(jn_page *p)
{
    jn_line_text(p, jn_page_heading(p, 1), "Where the published form differs");
    jn_line_text(p, jn_page_paragraph(p),
                 "The method is that of Margetts, Ngwompo and Fortes da Cruz, Construction and "
                 "analysis of causally dynamic hybrid bond graphs, Proc. IMechE Part I 227, 2013. "
                 "Against that text, with its numbers of equations, this report has corrected:");
    jn_table_item *t = jn_page_table(p, 2, false);
    for (size_t i = 0; i < sizeof errata / sizeof errata[0]; i++) {
        jn_line *row = jn_table_row(p, t);
        jn_line_text(p, &row[0], "(%c)", (char)('a' + i));
        jni_report_marked(p, &row[1], errata[i]);
    }
}
