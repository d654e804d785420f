/* plot_latex.c: a plot for a document with pgfplots: axes for each group of traces, the modes as
 * bands at their foot. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "junct/ratfun.h"
#include "plot_internal.h"

enum {
    COLUMNS = 160,      /* to which traces are thinned: TeX is slow */
    BAND_LABEL_MAX = 12 /* bands with room for their mode */
};

static const char *const colour[] = {"blue!75!black", "red!80!black",    "green!45!black",
                                     "violet",        "orange!80!black", "teal"};
enum { COLOURS = sizeof colour / sizeof colour[0] };

static void add_trace(jn_str *out, const jn_plot *p, int trace)
{
    int *index, n = jn_plot_thin(&index, p, trace, COLUMNS);
    jn_str_addf(out, "\\addplot[color=%s,thick,unbounded coords=jump] coordinates {",
                colour[trace % COLOURS]);
    for (int i = 0; i < n; i++) {
        double v = p->value[trace][index[i]];
        jn_str_addf(out, "%s(%.9g,", i % 8 ? "" : "\n", p->t[index[i]]);
        if (isfinite(v))
            jn_str_addf(out, "%.6g)", v);
        else
            jn_str_add(out, "nan)");
    }
    jn_str_add(out, "\n};\n\\addlegendentry{$");
    jn_latex_symbol(out, p->name[trace]);
    jn_str_add(out, "$}\n");
    free(index);
}

static void add_events(jn_str *out, const jn_plot *p)
{
    for (int i = 1; i < p->nbands && p->nbands <= JN_PLOT_MARKS_MAX; i++)
        jn_str_addf(out,
                    "\\draw[black!45,dotted] ({axis cs:%.9g,0}|-{rel axis cs:0,0}) -- "
                    "({axis cs:%.9g,0}|-{rel axis cs:0,1});\n",
                    p->band[i].from, p->band[i].from);
}

/* A strip below the last axes. */
static void add_bands(jn_str *out, const jn_plot *p)
{
    static const char *const shade[JN_PLOT_SHADES] = {"blue!15",   "orange!25", "green!18",
                                                      "violet!18", "yellow!35", "teal!18"};
    double first = p->t[0], last = p->t[p->npoints - 1];
    for (int i = 0; i < p->nbands && p->nbands <= JN_PLOT_BANDS_MAX; i++) {
        double from = p->band[i].from, to = i + 1 < p->nbands ? p->band[i + 1].from : last;
        jn_str_addf(out,
                    "\\fill[%s] ({axis cs:%.9g,0}|-{rel axis cs:0,-0.10}) rectangle "
                    "({axis cs:%.9g,0}|-{rel axis cs:0,-0.02});\n",
                    shade[jn_plot_mode_shade(p, i)], from, to);
        if ((to - from) * BAND_LABEL_MAX > last - first)
            jn_str_addf(out,
                        "\\node[font=\\tiny] at ({axis cs:%.9g,0}|-{rel axis cs:0,-0.06}) {%s};\n",
                        (from + to) / 2, p->band[i].mode);
    }
}

static void add_axes(jn_str *out, const jn_plot *p, const int *group, int wanted, bool is_last)
{
    jn_str_addf(out,
                "\\begin{tikzpicture}\n\\begin{axis}[scale only axis,width=0.86\\linewidth,"
                "height=38mm,xmin=%.9g,xmax=%.9g,clip=false,grid=major,grid style={black!12},"
                "legend style={draw=none,fill=none,at={(1,1.02)},anchor=south east,"
                "legend columns=-1,font=\\small,/tikz/every even column/.append style={column "
                "sep=4mm}},legend cell align=left,tick label style={font=\\footnotesize},"
                "xticklabel style={/pgf/number format/fixed,/pgf/number format/precision=6%s}%s]\n",
                p->t[0], p->t[p->npoints - 1], is_last && p->nbands ? ",yshift=-5mm" : "",
                is_last ? ",xlabel={$t$}" : "");
    add_events(out, p);
    for (int i = 0; i < p->ntraces; i++)
        if (group[i] == wanted)
            add_trace(out, p, i);
    if (is_last)
        add_bands(out, p);
    jn_str_add(out, "\\end{axis}\n\\end{tikzpicture}\\par\n");
}

void jn_plot_latex(jn_str *out, const jn_plot *p)
{
    if (p->npoints == 0)
        return;
    int *group = jn_alloc((size_t)p->ntraces * sizeof *group);
    int n = jn_plot_group(group, p);
    jn_str_add(out, "\\begin{center}\n");
    for (int g = 0; g < n; g++)
        add_axes(out, p, group, g, g + 1 == n);
    jn_str_add(out, "\\end{center}\n");
    free(group);
}
