/* write_analyse.h: the results of the analysis as text, LaTeX, JSON, CSV, and as a picture.
 *
 *     const jn_analysis_writer *w = jn_analysis_writer_find("json");
 *     w->begin(&l, a);
 *     w->across(&l, c);  or  w->mode(&l, a, m, &result) …  or  w->passage(&l, a, from, to, &t)
 *     w->end(&l);
 *
 * As in write.h, l.out may be passed on and reset after each step. */
#ifndef JUNCT_WRITE_ANALYSE_H
#define JUNCT_WRITE_ANALYSE_H

#include "junct/analyse.h"
#include "junct/write.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    void (*begin)(jn_listing *l, const jn_analysis *a);
    void (*across)(jn_listing *l, const jn_across *c);
    void (*mode)(jn_listing *l, const jn_analysis *a, const jn_onoff *m, const jn_mode_analysis *r);
    void (*passage)(jn_listing *l, const jn_analysis *a, const jn_onoff *from, const jn_onoff *to,
                    const jn_passage *t);
    void (*end)(jn_listing *l);
} jn_analysis_writer;

/* form: "text", "latex", "json" or "csv"; NULL when there is no such writer. */
const jn_analysis_writer *jn_analysis_writer_find(const char *form);

/* The modes as a graph in SVG: an edge for every switch that one can turn; forbidden modes struck
 * out; an arrow head marks a move that needs impulses in general. UNABLE for more than
 * JN_MODE_GRAPH_MAX modes. */
#define JN_MODE_GRAPH_MAX 256
jn_status jn_write_mode_graph(jn_str *out, const jn_analysis *a) JN_CHECKED;

#ifdef __cplusplus
}
#endif

#endif
