/* write_verify.h: proofs about switching as text, JSON, LaTeX and pictures. */
#ifndef JUNCT_WRITE_VERIFY_H
#define JUNCT_WRITE_VERIFY_H

#include "junct/page.h"
#include "junct/verify.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The answers, in sentences. */
void jn_verify_page(jn_page *p, const jn_verification *v);
void jn_verify_text(jn_str *out, const jn_verification *v, int width);
void jn_verify_json(jn_str *out, const jn_verification *v);
/* Which modes can follow which at an instant, in SVG. */
void jn_verify_graph(jn_str *out, const jn_verification *v);
void jn_verify_graph_tikz(jn_str *out, const jn_verification *v); /* no wider than a page */
/* Where instants end, over a plane of two states, in SVG. */
void jn_verify_plane(jn_str *out, const jn_plane *p);
void jn_verify_plane_tikz(jn_str *out, const jn_plane *p);

#ifdef __cplusplus
}
#endif

#endif
