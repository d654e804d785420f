/* junct.h: hybrid bond graphs, from a model file to the equations of all its modes.
 *
 *     jn_diags *d = jn_diags_new();
 *     jn_graph *g;       jn_graph_read(&g, source, d)            the bond graph
 *     jn_junction *j;    jn_junction_build(&j, g, false, d)      causality, Λ(λ), S(λ), forbidden modes
 *     jn_implicit *f;    jn_implicit_derive(&f, j, d)            E(Λ)ẋ = A(Λ)x + B(Λ)u
 *     jn_mode m;         jn_implicit_mode(&m, f, onoff)          one mode of it
 *     jn_sim *s;         jn_sim_new(&s, g, &options, d)          a run of it: sim.h, examples/api
 *
 * Every stage takes a const input and returns a new result; each is freed on its own, the last
 * one first. The library never prints and never exits. It is not thread-safe: all objects
 * belong to one thread. */
#ifndef JUNCT_H
#define JUNCT_H

#include "junct/base.h"
#include "junct/limits.h"
#include "junct/diag.h"
#include "junct/csv.h"
#include "junct/guard.h"
#include "junct/formula.h"
#include "junct/ratfun.h"
#include "junct/unit.h"
#include "junct/guarded.h"
#include "junct/eliminate.h"
#include "junct/plain.h"
#include "junct/syntax.h"
#include "junct/expr.h"
#include "junct/graph.h"
#include "junct/junction.h"
#include "junct/solved.h"
#include "junct/implicit.h"
#include "junct/analyse.h"
#include "junct/sim.h"
#include "junct/verify.h"
#include "junct/periodic.h"
#include "junct/page.h"
#include "junct/write.h"
#include "junct/write_periodic.h"
#include "junct/draw.h"
#include "junct/plot.h"
#include "junct/html.h"
#include "junct/report.h"
#include "junct/trace.h"
#include "junct/chart.h"
#include "junct/sweep.h"

#define JN_VERSION "0.1.0"

#endif
