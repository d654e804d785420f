/* graphviz.c: the fence around Graphviz.
 *
 * Traps: coordinates count upwards; a length attribute is in inches, a coordinate in points;
 * agattr must declare an attribute before agset; without its plugins gvLayout fails with a
 * message on standard error, so messages are switched off. A line's route is a chain of Bézier
 * curves even where it is straight: its knots are every third point. Labels must be empty: the
 * fonts found for text outlive their context and are then read. Every context leaks the text of
 * its configuration file, which LeakSanitizer is told to pass over.
 *
 * Only drawings need it, and it brings many other libraries along: so it is loaded with the first
 * one, under the name that the build found, and stays. */
#include <dlfcn.h>
#include <graphviz/gvc.h>
#include <stdio.h>
#include <stdlib.h>

#include "graphviz.h"
#include "libraries.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1 /* as gcc says */
#endif
#endif

#ifdef __SANITIZE_ADDRESS__
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libgvc\n";
}
const char *__lsan_default_options(void);
const char *__lsan_default_options(void)
{
    return "print_suppressions=0";
}
#endif

/* ---- the library --------------------------------------------------------------------------- */

static struct {
    bool tried;
    GVC_t *(*context)(void);
    int (*layout)(GVC_t *c, graph_t *g, const char *engine);
    int (*free_layout)(GVC_t *c, graph_t *g);
    int (*free_context)(GVC_t *c);
    Agdesc_t *directed;
    Agraph_t *(*open)(char *name, Agdesc_t kind, Agdisc_t *d);
    int (*close)(Agraph_t *g);
    Agsym_t *(*attr)(Agraph_t *g, int kind, char *name, const char *value);
    int (*set)(void *object, char *name, const char *value);
    Agnode_t *(*node)(Agraph_t *g, char *name, int create);
    Agedge_t *(*edge)(Agraph_t *g, Agnode_t *tail, Agnode_t *head, char *name, int create);
    Agraph_t *(*part)(Agraph_t *g, char *name, int create);
    Agnode_t *(*in_part)(Agraph_t *g, Agnode_t *node, int create);
    agerrlevel_t (*set_messages)(agerrlevel_t level);
} gv;

/* All that is used, in the order of the members; dlsym also looks in what gvc is made of. */
static jn_status load(void)
{
    const struct {
        void *member;
        const char *symbol;
    } needed[] = {
        {&gv.context, "gvContext"},
        {&gv.layout, "gvLayout"},
        {&gv.free_layout, "gvFreeLayout"},
        {&gv.free_context, "gvFreeContext"},
        {&gv.directed, "Agdirected"},
        {&gv.open, "agopen"},
        {&gv.close, "agclose"},
        {&gv.attr, "agattr"},
        {&gv.set, "agset"},
        {&gv.node, "agnode"},
        {&gv.edge, "agedge"},
        {&gv.part, "agsubg"},
        {&gv.in_part, "agsubnode"},
        {&gv.set_messages, "agseterr"},
    };
    enum { COUNT = sizeof needed / sizeof needed[0] };
    void *library = gv.tried ? NULL : dlopen(JN_GRAPHVIZ_LIBRARY, RTLD_NOW | RTLD_GLOBAL);
    bool all = true;
    for (int i = 0; i < COUNT; i++) {
        void **member = needed[i].member;
        if (library)
            *member = dlsym(library, needed[i].symbol);
        all = all && *member;
    }
    gv.tried = true;
    return all ? JN_OK : JN_UNABLE;
}

/* ---- the graph ----------------------------------------------------------------------------- */

static void set_number(void *object, const char *attribute, double value)
{
    char text[32];
    jn_format(text, sizeof text, "%.4f", value);
    gv.set(object, (char *)attribute, text);
}

typedef struct {
    int kind;
    const char *name, *value;
} setting;

static const setting layered[] = {
    {AGRAPH, "rankdir", "LR"},
    {AGRAPH, "ranksep", "0.6"},
    {AGRAPH, "nodesep", "0.32"},
};

static const setting springs[] = {
    {AGRAPH, "overlap", "prism"},
    {AGRAPH, "sep", "+14,14"},
    {AGRAPH, "esep", "+6,6"},
    {AGRAPH, "K", "0.8"},
};

static void declare(Agraph_t *g, const setting *s, size_t n)
{
    static const setting common[] = {
        {AGNODE, "shape", "box"}, {AGNODE, "fixedsize", "true"}, {AGNODE, "label", ""},
        {AGNODE, "width", "1"},   {AGNODE, "height", "1"},       {AGEDGE, "arrowhead", "none"},
        {AGEDGE, "tailport", ""}, {AGEDGE, "headport", ""},      {AGEDGE, "minlen", "1"},
    };
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++)
        gv.attr(g, common[i].kind, (char *)common[i].name, (char *)common[i].value);
    for (size_t i = 0; i < n; i++)
        gv.attr(g, s[i].kind, (char *)s[i].name, (char *)s[i].value);
}

/* Routes around boxes are cheap in layers; elsewhere their cost grows with the square of the boxes.
 */
enum { ROUTED_MAX = 60 };

static void add_node(Agraph_t *g, Agnode_t **node, const jn_layout_task *t, int i)
{
    char name[24];
    snprintf(name, sizeof name, "n%d", i);
    node[i] = gv.node(g, name, 1);
    set_number(node[i], "width", t->width[i] / 72);
    set_number(node[i], "height", t->height[i] / 72);
    if (!t->group || t->group[i] < 0)
        return;
    snprintf(name, sizeof name, "cluster%d", t->group[i]);
    gv.in_part(gv.part(g, name, 1), node[i], 1);
}

static Agraph_t *build(const jn_layout_task *t, jn_layout_engine engine, Agnode_t **node,
                       Agedge_t **edge)
{
    Agraph_t *g = gv.open("bondgraph", *gv.directed, NULL);
    if (engine == JN_LAYOUT_LAYERED)
        declare(g, layered, sizeof layered / sizeof layered[0]);
    else
        declare(g, springs, sizeof springs / sizeof springs[0]);
    bool routed = engine == JN_LAYOUT_LAYERED || t->nboxes <= ROUTED_MAX;
    gv.attr(g, AGRAPH, "splines", routed ? "polyline" : "line");
    if (t->variant & JN_LAYOUT_IN_ORDER)
        gv.attr(g, AGRAPH, "ordering", "out");
    for (int k = 0; k < t->nboxes; k++)
        add_node(g, node, t, t->variant & JN_LAYOUT_BOXES_BACK ? t->nboxes - 1 - k : k);
    for (int k = 0; k < t->nlines; k++) {
        int i = t->variant & JN_LAYOUT_LINES_BACK ? t->nlines - 1 - k : k;
        edge[i] = gv.edge(g, node[t->tail[i]], node[t->head[i]], NULL, 1);
        if (t->tail[i] == t->apart || t->head[i] == t->apart)
            gv.set(edge[i], "minlen", "2");
        if (t->variant & JN_LAYOUT_SIDEWAYS) {
            gv.set(edge[i], "tailport", "e");
            gv.set(edge[i], "headport", "w");
        }
    }
    return g;
}

/* ---- the result ---------------------------------------------------------------------------- */

static jn_point flipped(Agraph_t *g, pointf p)
{
    boxf bb = GD_bb(g);
    return (jn_point){p.x - bb.LL.x, bb.UR.y - p.y};
}

static void read_line(jn_layout *out, jn_arena *a, Agraph_t *g, int line, Agedge_t *e)
{
    const splines *route = ED_spl(e);
    if (!route || route->size == 0)
        return;
    const bezier *curve = &route->list[0];
    int n = ((int)curve->size + 2) / 3;
    out->npoints[line] = n;
    out->point[line] = jn_arena_alloc(a, (size_t)n * sizeof **out->point);
    for (int i = 0; i < n; i++)
        out->point[line][i] = flipped(g, curve->list[3 * i]);
}

static void read_layout(jn_layout *out, jn_arena *a, const jn_layout_task *t, Agraph_t *g,
                        Agnode_t **node, Agedge_t **edge)
{
    boxf bb = GD_bb(g);
    out->width = bb.UR.x - bb.LL.x;
    out->height = bb.UR.y - bb.LL.y;
    out->centre = jn_arena_alloc(a, (size_t)t->nboxes * sizeof *out->centre);
    out->npoints = jn_arena_alloc(a, (size_t)t->nlines * sizeof *out->npoints);
    out->point = jn_arena_alloc(a, (size_t)t->nlines * sizeof *out->point);
    for (int i = 0; i < t->nboxes; i++)
        out->centre[i] = flipped(g, ND_coord(node[i]));
    for (int i = 0; i < t->nlines; i++)
        read_line(out, a, g, i, edge[i]);
}

jn_status jni_layout_find(jn_layout *out, jn_arena *a, const jn_layout_task *t,
                          jn_layout_engine engine)
{
    if (load() != JN_OK)
        return JN_UNABLE;
    GVC_t *context = gv.context();
    Agnode_t **node = jn_alloc((size_t)t->nboxes * sizeof *node);
    Agedge_t **edge = jn_alloc((size_t)t->nlines * sizeof *edge);
    gv.set_messages(AGMAX);
    Agraph_t *g = build(t, engine, node, edge);
    jn_status status = JN_UNABLE;
    jn_locale before = jn_locale_enter(); /* it reads its attributes as numbers */
    if (gv.layout(context, g, engine == JN_LAYOUT_LAYERED ? "dot" : "sfdp") == 0) {
        read_layout(out, a, t, g, node, edge);
        gv.free_layout(context, g);
        status = JN_OK;
    }
    jn_locale_leave(before);
    gv.close(g);
    gv.free_context(context);
    free(node);
    free(edge);
    return status;
}
