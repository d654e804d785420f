/* test_draw.c: drawings, read back from what was written. */
#include "testing.h"

#include <glob.h>
#include <math.h>

#include "junct.h"
#include "junct/draw.h"

/* ---- models -------------------------------------------------------------------------------- */

typedef struct {
    jn_arena *arena;
    jn_diags *diags;
    const jn_source *source;
    jn_graph *graph;
    jn_junction *junction;
} model;

static void load(model *m, const char *name, const char *text)
{
    m->arena = jn_arena_new();
    m->diags = jn_diags_new();
    m->source = jn_source_of(m->arena, name, text, strlen(text));
    CU_ASSERT_EQUAL_FATAL(jn_graph_read(&m->graph, m->source, m->diags), JN_OK);
    CU_ASSERT_EQUAL_FATAL(jn_junction_build(&m->junction, m->graph, false, m->diags), JN_OK);
}

static void load_file(model *m, const char *path)
{
    char *text = test_read_file(path);
    m->arena = NULL;
    load(m, path, text);
    free(text);
}

static void unload(model *m)
{
    jn_junction_free(m->junction);
    jn_graph_free(m->graph);
    jn_diags_free(m->diags);
    jn_arena_free(m->arena);
}

/* Every part drawn, also those that repeat each other. */
static jn_drawing *draw_all(const model *m, const jn_onoff *mode)
{
    jn_drawing *d;
    jn_status status = jn_drawing_make(&d, m->junction, mode, &(jn_draw_options){.unfold = true});
    CU_ASSERT_EQUAL_FATAL(status, JN_OK);
    return d;
}

static void each_example(void (*check)(const char *path))
{
    glob_t found;
    CU_ASSERT_EQUAL_FATAL(glob("examples/*.hbg", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        check(found.gl_pathv[i]);
    globfree(&found);
}

/* ---- reading back -------------------------------------------------------------------------- */

typedef enum { AT_TAIL, AT_HEAD, ENDS } end;
typedef enum { NONE, SOLID, DASHED } look;

/* The strokes of one bond as a file has them, and the middles of their bars. */
typedef struct {
    look look[ENDS];
    jn_point middle[ENDS];
} strokes;

static strokes read_svg(const char *svg, const char *bond)
{
    strokes s = {{NONE, NONE}, {{0, 0}, {0, 0}}};
    char key[256];
    snprintf(key, sizeof key, "data-bond=\"%s\">", bond);
    const char *at = strstr(svg, key);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    const char *stop = strstr(at, "</g>");
    while ((at = strstr(at, "<line class=\"stroke ")) && at < stop) {
        char word[16], where[16];
        double x1, y1, x2, y2;
        CU_ASSERT_EQUAL_FATAL(sscanf(at,
                                     "<line class=\"stroke %15[a-z]\" data-end=\"%15[a-z]\" "
                                     "x1=\"%lf\" y1=\"%lf\" x2=\"%lf\" y2=\"%lf\"",
                                     word, where, &x1, &y1, &x2, &y2),
                              6);
        end e = strcmp(where, "head") == 0 ? AT_HEAD : AT_TAIL;
        CU_ASSERT_EQUAL(s.look[e], NONE);
        s.look[e] = strcmp(word, "solid") == 0 ? SOLID : DASHED;
        s.middle[e] = (jn_point){(x1 + x2) / 2, (y1 + y2) / 2};
        at++;
    }
    return s;
}

static strokes read_tikz(const char *tex, const char *bond)
{
    strokes s = {{NONE, NONE}, {{0, 0}, {0, 0}}};
    char key[256];
    snprintf(key, sizeof key, "%% bond %s: ", bond);
    const char *at = strstr(tex, key);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    const char *stop = strstr(at + 1, "% bond ");
    while ((at = strstr(at, "\\draw[stroke")) && (!stop || at < stop)) {
        char style[32], where[16];
        double x1, y1, x2, y2;
        CU_ASSERT_EQUAL_FATAL(sscanf(at,
                                     "\\draw[%31[a-z,]] (%lf,%lf) -- (%lf,%lf); %% stroke %15[a-z]",
                                     style, &x1, &y1, &x2, &y2, where),
                              6);
        end e = strcmp(where, "head") == 0 ? AT_HEAD : AT_TAIL;
        s.look[e] = strstr(style, "dynamic") ? DASHED : SOLID;
        s.middle[e] = (jn_point){(x1 + x2) / 2, -(y1 + y2) / 2};
        at++;
    }
    return s;
}

/* The box of an element, or of the field that it is a port of, as the file has it. */
static jn_box read_box(const char *svg, const jn_element *e)
{
    jn_box b = {0, 0, 0, 0};
    char key[256];
    snprintf(key, sizeof key, "data-element=\"%s\" data-box=\"",
             e->multiport ? e->multiport->name : e->name);
    const char *at = strstr(svg, key);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    CU_ASSERT_EQUAL(
        sscanf(at + strlen(key), "%lf %lf %lf %lf", &b.left, &b.top, &b.right, &b.bottom), 4);
    return b;
}

static double distance(jn_point p, jn_box b)
{
    double dx = fmax(0, fmax(b.left - p.x, p.x - b.right));
    double dy = fmax(0, fmax(b.top - p.y, p.y - b.bottom));
    return hypot(dx, dy);
}

/* ---- strokes ------------------------------------------------------------------------------- */

/* What the causality says: in the modes of `tail` the effort comes from there, and the stroke
 * stands at the head. */
static look expected(const jn_junction *j, int bond, end e, const jn_onoff *mode)
{
    jn_guards *g = j->ring.guards;
    jn_guard here = e == AT_HEAD ? j->stroke[bond].tail : j->stroke[bond].head;
    const jn_onoff *m = mode ? mode : j->reference;
    if (mode && jn_junction_is_forbidden(j, mode))
        return NONE;
    if (jn_guard_at(g, here, m) && !jn_guard_at(g, j->undetermined[bond], m))
        return SOLID;
    return !mode && !jn_guard_disjoint(g, here, j->allowed) ? DASHED : NONE;
}

static void check_bond(const model *m, int bond, const jn_onoff *mode, const char *svg,
                       const char *tex)
{
    const jn_bond *b = &m->graph->bond[bond];
    strokes s = read_svg(svg, b->name), t = read_tikz(tex, b->name);
    jn_box box[ENDS] = {read_box(svg, &m->graph->element[b->tail]),
                        read_box(svg, &m->graph->element[b->head])};
    for (end e = AT_TAIL; e < ENDS; e++) {
        CU_ASSERT_EQUAL(s.look[e], expected(m->junction, bond, e, mode));
        CU_ASSERT_EQUAL(t.look[e], s.look[e]);
        if (s.look[e] == NONE)
            continue;
        CU_ASSERT(fabs(t.middle[e].x - s.middle[e].x) < 0.02);
        CU_ASSERT(fabs(t.middle[e].y - s.middle[e].y) < 0.02);
        CU_ASSERT(distance(s.middle[e], box[e]) < distance(s.middle[e], box[1 - e]));
    }
}

static bool check_mode(const jn_onoff *mode, void *context)
{
    const model *m = context;
    jn_drawing *d = draw_all(m, mode);
    jn_str svg, tex;
    jn_str_init(&svg);
    jn_str_init(&tex);
    jn_drawing_svg(&svg, d);
    jn_drawing_tikz(&tex, d, true);
    for (int b = 0; b < m->graph->nbonds; b++)
        check_bond(m, b, mode, jn_str_c(&svg), jn_str_c(&tex));
    jn_str_clear(&tex);
    jn_str_clear(&svg);
    jn_drawing_free(d);
    return true;
}

enum { MODES_MAX = 16 };

static void check_strokes(const char *path)
{
    model m;
    load_file(&m, path);
    check_mode(NULL, &m);
    if (1 << m.graph->nswitches <= MODES_MAX)
        jn_guard_each_mode(m.junction->ring.guards, jn_guard_true(), check_mode, &m);
    else
        check_mode(m.junction->reference, &m);
    unload(&m);
}

static void strokes_are_drawn_where_they_belong(void)
{
    each_example(check_strokes);
}

/* ---- places -------------------------------------------------------------------------------- */

static void check_places(const char *path)
{
    model m;
    jn_drawing *d;
    load_file(&m, path);
    CU_ASSERT_EQUAL_FATAL(jn_drawing_new(&d, m.junction, NULL), JN_OK);
    CU_ASSERT_EQUAL(jn_drawing_overlaps(d), 0);
    CU_ASSERT_EQUAL(jn_drawing_hidden(d), 0);
    /* Three legs that each meet two rails and a star point cannot do with less than one. */
    bool three_phases = strcmp(m.graph->name, "inverter") == 0;
    CU_ASSERT_EQUAL(jn_drawing_crossings(d), three_phases ? 1 : 0);
    bool in_rows = strcmp(m.graph->name, "ladder") == 0; /* every other one from right to left */
    CU_ASSERT_EQUAL(jn_drawing_inversions(d), in_rows ? 2 : 0);
    for (int i = 0; i < m.graph->nelements; i++) {
        jn_box b = d->element[i].box;
        CU_ASSERT(b.left >= 0 && b.top >= 0 && b.right <= d->width && b.bottom <= d->height);
    }
    jn_drawing_free(d);
    unload(&m);
}

static void elements_have_places_of_their_own(void)
{
    each_example(check_places);
}

/* A model written in a loop; free it. */
static char *repeat(const char *head, const char *body, int n)
{
    jn_str text;
    jn_str_init(&text);
    jn_str_add(&text, head);
    jn_str_addf(&text, "for k in 1..%d {\n%s}\n", n, body);
    return text.s;
}

/* The elements that are bonded to a junction stand around it, and their strokes keep apart. */
static void a_star_stands_around_its_junction(void)
{
    model m;
    jn_drawing *d;
    char *text = repeat("model star\nSe V = 1\n1 j\nV -> j\n", "R r[k] = 1\nj -> r[k]\n", 19);
    load(&m, "star", text);
    d = draw_all(&m, NULL);
    CU_ASSERT_EQUAL(jn_drawing_overlaps(d) + jn_drawing_hidden(d), 0);
    CU_ASSERT(d->height < d->width);
    int j = jn_graph_find(m.graph, "j"), near = 0;
    for (int a = 0; a < m.graph->nbonds; a++)
        for (int b = a + 1; b < m.graph->nbonds; b++) {
            bool from = m.graph->bond[a].head == j, to = m.graph->bond[b].head == j;
            jn_segment s = jn_drawn_bar(&d->bond[a], from), t = jn_drawn_bar(&d->bond[b], to);
            near += hypot((s.from.x + s.to.x - t.from.x - t.to.x) / 2,
                          (s.from.y + s.to.y - t.from.y - t.to.y) / 2) < 10;
        }
    CU_ASSERT_EQUAL(near, 0);
    jn_drawing_free(d);
    unload(&m);
    free(text);
}

/* Very many of them would make too large a circle. */
static void a_crowd_makes_no_circle(void)
{
    model m;
    jn_drawing *d;
    char *text = repeat("model crowd\nSe V = 1\n1 j\nV -> j\n", "R r[k] = 1\nj -> r[k]\n", 300);
    load(&m, "crowd", text);
    d = draw_all(&m, NULL);
    CU_ASSERT(d->width < 6000); /* a circle of them has 12000 */
    jn_drawing_free(d);
    unload(&m);
    free(text);
}

/* ---- folds --------------------------------------------------------------------------------- */

/* Whatever is drawn for a bond has its strokes, and is bonded alike. */
static void check_folded_bonds(const model *m, const jn_drawing *d, const jn_onoff *mode)
{
    const jn_graph *g = m->graph;
    jn_drawing *all = draw_all(m, mode);
    for (int b = 0; b < g->nbonds; b++) {
        const jn_drawn_bond *x = &d->bond[d->bond[b].as], *y = &all->bond[b];
        const jn_bond *as = &g->bond[d->bond[b].as];
        CU_ASSERT(x->tail == y->tail && x->head == y->head && x->undetermined == y->undetermined);
        CU_ASSERT_EQUAL(d->element[as->tail].in, d->element[g->bond[b].tail].in);
        CU_ASSERT_EQUAL(d->element[as->head].in, d->element[g->bond[b].head].in);
        CU_ASSERT_EQUAL(g->element[as->head].kind, g->element[g->bond[b].head].kind);
    }
    jn_drawing_free(all);
}

static jn_drawing *draw_folded(const model *m, const jn_onoff *mode, int folds, int count)
{
    jn_drawing *d;
    CU_ASSERT_EQUAL_FATAL(jn_drawing_new(&d, m->junction, mode), JN_OK);
    CU_ASSERT_EQUAL_FATAL(d->nfolds, folds);
    CU_ASSERT_EQUAL(jn_drawing_overlaps(d) + jn_drawing_hidden(d), 0);
    if (folds)
        CU_ASSERT_EQUAL(d->fold[0].count, count);
    check_folded_bonds(m, d, mode);
    return d;
}

/* The cells of an arm are one with a count; in a mode those that stand alike. */
static void repeated_parts_fold(void)
{
    model m;
    load_file(&m, "examples/arm.hbg");
    jn_drawing *d = draw_folded(&m, NULL, 1, 8);
    TEST_TEXT("8 \xC3\x97 k = 1 \xE2\x80\xA6 8", d->fold[0].label);
    TEST_TEXT("cell[k].insert", d->element[jn_graph_find(m.graph, "cell[1].insert")].lambda);
    TEST_TEXT("1/100", d->element[jn_graph_find(m.graph, "cell[1].c")].below);
    CU_ASSERT(d->height < 250);
    jn_drawing_free(d);
    /* cells 1 to 4 and 7, 8 in, 5 and 6 by: those two are too few for a frame */
    static const jn_onoff mode[] = {1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0};
    d = draw_folded(&m, mode, 1, 6);
    TEST_TEXT("6 \xC3\x97 k = 1, 2, 3, 4, 7, 8", d->fold[0].label);
    jn_drawing_free(d);
    unload(&m);
}

/* Instances with names of their own and values of their own; a chain; what differs in a bond. */
static void parts_fold_whatever_their_names(void)
{
    static const struct {
        const char *text;
        int folds, count;
    } cases[] = {
        {"submodel Leg(r) {\nports p\nR a = r\n1 p\nI L = 1\np -> a\np -> L\n}\nSe V = 1\n0 n\nV "
         "-> n\n"
         "Leg red(1)\nLeg green(1)\nLeg blue(1)\nLeg white(2)\n"
         "n -> red.p\nn -> green.p\nn -> blue.p\nn -> white.p\n",
         1, 4},
        {"Se V = 1\n0 n[0]\nV -> n[0]\nfor k in 1..6 {\n1 j[k]\n0 n[k]\nI L[k] = 1\nC c[k] = 1\n"
         "n[k - 1] -> j[k] -> n[k] -> c[k]\nj[k] -> L[k]\n}\n",
         0, 0},
        {"Se V = 1\n0 j\nV -> j\nfor k in 1..5 {\nR r[k] = k\nj -> r[k]\n}\n", 1, 5},
        /* one of them gives the flow */
        {"Se V = 1\n1 j\nV -> j\nfor k in 1..5 {\nR r[k] = k\nj -> r[k]\n}\n", 1, 4},
        {"Se V = 1\n1 j\nV -> j\nfor k in 1..3 {\nR r[k] = k\nj -> r[k]\n}\n", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        model m;
        load(&m, "folds", cases[i].text);
        jn_drawing *d = draw_folded(&m, NULL, cases[i].folds, cases[i].count);
        if (i == 0) {
            TEST_TEXT("4 \xC3\x97 red, green, blue, white", d->fold[0].label);
            TEST_TEXT("various", d->element[jn_graph_find(m.graph, "red.a")].below);
            TEST_TEXT("\xE2\x80\xA6.L", d->element[jn_graph_find(m.graph, "red.L")].name);
        }
        jn_drawing_free(d);
        unload(&m);
    }
}

/* A long chain goes on in rows, in turn from left to right and from right to left. */
static void long_chains_go_on_in_rows(void)
{
    model m;
    jn_drawing *d;
    char *text = repeat("model chain\nSe V = 1\n0 n[0]\nV -> n[0]\n",
                        "1 j[k]\n0 n[k]\nI L[k] = 1\nC c[k] = 1\n"
                        "n[k - 1] -> j[k] -> n[k] -> c[k]\nj[k] -> L[k]\n",
                        50);
    load(&m, "chain", text);
    CU_ASSERT_EQUAL_FATAL(jn_drawing_new(&d, m.junction, NULL), JN_OK);
    CU_ASSERT_EQUAL(jn_drawing_overlaps(d) + jn_drawing_hidden(d), 0);
    CU_ASSERT(d->width < 1500 && d->height < 2 * d->width);
    int turns = 0, backwards = 0;
    for (int b = 0; b < m.graph->nbonds; b++) {
        const jn_drawn_bond *x = &d->bond[b];
        const jn_point *p = x->point;
        turns += x->npoints == 4 && p[0].y == p[1].y && p[1].x == p[2].x && p[2].y == p[3].y;
        backwards += x->npoints == 2 && p[1].x < p[0].x - 1;
    }
    CU_ASSERT(turns >= 4);
    CU_ASSERT(backwards > 20 && backwards < 80);
    jn_drawing_free(d);
    unload(&m);
    free(text);
}

/* No room is left that nothing stands in: below each box, but the lowest, there is another one
 * within the length of a bond. */
static void drawings_are_compact(void)
{
    model m;
    jn_drawing *d;
    load_file(&m, "examples/pinnacle.hbg");
    CU_ASSERT_EQUAL_FATAL(jn_drawing_new(&d, m.junction, NULL), JN_OK);
    for (int i = 0; i < m.graph->nelements; i++) {
        double bottom = d->element[i].box.bottom;
        bool lowest = true, near = false;
        for (int k = 0; k < m.graph->nelements; k++) {
            jn_box b = d->element[k].box;
            lowest = lowest && b.bottom <= bottom;
            near = near || (b.bottom > bottom && b.top < bottom + 39);
        }
        CU_ASSERT(lowest || near);
    }
    jn_drawing_free(d);
    unload(&m);
}

/* Many digits say less than a few. */
static void values_stand_below_elements(void)
{
    static const char text[] = "model v\nSe V = -0.7\nR a = 0.70710678118654752\nR b = 1/1000\n"
                               "1 j\nV -> j -> a\nj -> b\n";
    model m;
    jn_drawing *d;
    load(&m, "v", text);
    CU_ASSERT_EQUAL_FATAL(jn_drawing_new(&d, m.junction, NULL), JN_OK);
    TEST_TEXT("-0.7", d->element[jn_graph_find(m.graph, "V")].below);
    TEST_TEXT("\xE2\x89\x88 0.7071", d->element[jn_graph_find(m.graph, "a")].below);
    TEST_TEXT("1/1000", d->element[jn_graph_find(m.graph, "b")].below);
    jn_drawing_free(d);
    unload(&m);
}

/* A plain value has the unit of its domain, any other the one that is written. */
static void units_stand_behind_values(void)
{
    static const char text[] = "model u\ndomain electrical\nSe V = 12\nR a = 2.2k\nC b = 10uF\n"
                               "R c = 3*k\nparam k = 2 Ohm\n1 j\nV -> j -> a\nj -> b\nj -> c\n";
    static const char *const name[] = {"V", "a", "b", "c"};
    static const char *const below[] = {"12 V", "2.2k Ohm", "10uF", "3*k"};
    model m;
    jn_drawing *d;
    load(&m, "u", text);
    CU_ASSERT_EQUAL_FATAL(jn_drawing_new(&d, m.junction, NULL), JN_OK);
    for (int i = 0; i < 4; i++)
        TEST_TEXT(below[i], d->element[jn_graph_find(m.graph, name[i])].below);
    jn_drawing_free(d);
    unload(&m);
}

/* A field is one box with a bond for each port, which the port labels; two of them from one
 * junction lie side by side. */
static void a_field_is_one_box(void)
{
    static const char text[] =
        "domain electrical\nI M(a, b) = [2, 1; 1, 3]\nR W(x, y) = [k, 0; 1, 2 Ohm]\n"
        "param k = 3\nSe V = 6\nX1 s\n1 j\nV -> s -> M.a\nb7: j -> M.b\ns -> W.x\ns -> W.y\n"
        "j -> V2\nSe V2 = 1\n";
    model m;
    jn_drawing *d;
    jn_str out;
    jn_str_init(&out);
    load(&m, "u", text);
    CU_ASSERT_EQUAL_FATAL(jn_drawing_new(&d, m.junction, NULL), JN_OK);
    int a = jn_graph_find(m.graph, "M.a"), b = jn_graph_find(m.graph, "M.b");
    CU_ASSERT(d->element[a].in == a && d->element[b].in == a);
    TEST_TEXT("M", d->element[a].name);
    TEST_TEXT("[2, 1; 1, 3] H", d->element[a].below);
    TEST_TEXT("[k, 0; 1, 2 Ohm]", d->element[jn_graph_find(m.graph, "W.x")].below);
    static const char *const label[] = {NULL, "a", "b7 (b)", "x", "y", NULL};
    for (int i = 0; i < 6; i++)
        if (label[i])
            TEST_TEXT(label[i], d->bond[i].label);
        else
            CU_ASSERT_PTR_NULL(d->bond[i].label);
    const jn_point *x = d->bond[3].point, *y = d->bond[4].point;
    CU_ASSERT(hypot(x[0].x - y[0].x, x[0].y - y[0].y) > 5);
    CU_ASSERT_EQUAL(jn_drawing_overlaps(d) + jn_drawing_hidden(d), 0);
    jn_drawing_svg(&out, d);
    CU_ASSERT_PTR_NOT_NULL(strstr(jn_str_c(&out), "data-element=\"M\""));
    CU_ASSERT_PTR_NULL(strstr(jn_str_c(&out), "data-element=\"M."));
    jn_str_reset(&out);
    jn_drawing_dot(&out, d);
    CU_ASSERT_PTR_NOT_NULL(strstr(jn_str_c(&out), "\"s\" -> \"W\""));
    CU_ASSERT_PTR_NULL(strstr(jn_str_c(&out), "W.x"));
    jn_str_clear(&out);
    jn_drawing_free(d);
    unload(&m);
}

/* The pictures of all modes can be laid over each other. */
static void all_modes_have_one_layout(void)
{
    model m;
    jn_drawing *all, *one;
    load_file(&m, "examples/chopper.hbg");
    CU_ASSERT_EQUAL_FATAL(jn_drawing_new(&all, m.junction, NULL), JN_OK);
    CU_ASSERT_EQUAL_FATAL(jn_drawing_new(&one, m.junction, (const jn_onoff[]){0, 0, 0}), JN_OK);
    for (int i = 0; i < m.graph->nelements; i++)
        CU_ASSERT_EQUAL(memcmp(&all->element[i].box, &one->element[i].box, sizeof(jn_box)), 0);
    jn_drawing_free(one);
    jn_drawing_free(all);
    unload(&m);
}

/* Counting what is in the way is not blind: a box on another one, and on a bond, is seen. */
static void overlaps_are_seen(void)
{
    model m;
    jn_drawing *d;
    load_file(&m, "examples/chopper.hbg");
    CU_ASSERT_EQUAL_FATAL(jn_drawing_new(&d, m.junction, NULL), JN_OK);
    int loop = jn_graph_find(m.graph, "loop"), n = jn_graph_find(m.graph, "n");
    d->element[n].box = d->element[loop].box;
    CU_ASSERT_EQUAL(jn_drawing_overlaps(d), 1);
    const jn_point *p = d->bond[0].point;
    jn_point middle = {(p[0].x + p[1].x) / 2, (p[0].y + p[1].y) / 2};
    d->element[n].box = (jn_box){middle.x - 2, middle.y - 2, middle.x + 2, middle.y + 2};
    CU_ASSERT_EQUAL(jn_drawing_overlaps(d), 0);
    CU_ASSERT_EQUAL(jn_drawing_hidden(d), 1);
    jn_drawing_free(d);
    unload(&m);
}

/* ---- modes --------------------------------------------------------------------------------- */

static void open_junctions_are_null_sources(void)
{
    model m;
    jn_drawing *d;
    load_file(&m, "examples/chopper.hbg");
    CU_ASSERT_EQUAL_FATAL(jn_drawing_new(&d, m.junction, (const jn_onoff[]){1, 0, 0}), JN_OK);
    const jn_drawn_element *s1 = &d->element[jn_graph_find(m.graph, "s1")];
    const jn_drawn_element *s2 = &d->element[jn_graph_find(m.graph, "s2")];
    const jn_drawn_element *clutch = &d->element[jn_graph_find(m.graph, "clutch")];
    TEST_TEXT("X1", s1->kind);
    CU_ASSERT_FALSE(s1->off);
    TEST_TEXT("Sf", s2->kind);
    TEST_TEXT("0", s2->name);
    CU_ASSERT_TRUE(s2->off);
    TEST_TEXT("Se", clutch->kind);
    CU_ASSERT_TRUE(clutch->off);
    TEST_TEXT("100", d->mode);
    jn_drawing_free(d);
    CU_ASSERT_EQUAL_FATAL(jn_drawing_new(&d, m.junction, (const jn_onoff[]){1, 1, 0}), JN_OK);
    CU_ASSERT_TRUE(d->forbidden);
    for (int b = 0; b < m.graph->nbonds; b++)
        CU_ASSERT(d->bond[b].head == JN_DRAWN_NONE && d->bond[b].tail == JN_DRAWN_NONE);
    jn_drawing_free(d);
    unload(&m);
}

/* Two bonds between the same junctions: neither hides the other, and the loop is dotted. */
static void redundant_loops_are_marked(void)
{
    model m;
    jn_drawing *d;
    load(&m, "loop",
         "model m\nSe V = 1\nR r = 1\n0 a\n0 b\nV -> a\nx: a -> b\ny: a -> b\nb -> r\n");
    CU_ASSERT_EQUAL_FATAL(jn_drawing_new(&d, m.junction, NULL), JN_OK);
    const jn_drawn_bond *x = &d->bond[jn_graph_find_bond(m.graph, "x")];
    const jn_drawn_bond *y = &d->bond[jn_graph_find_bond(m.graph, "y")];
    CU_ASSERT(x->undetermined || y->undetermined);
    CU_ASSERT(hypot(x->point[0].x - y->point[0].x, x->point[0].y - y->point[0].y) > 5);
    CU_ASSERT_EQUAL(jn_drawing_overlaps(d), 0);
    jn_drawing_free(d);
    unload(&m);
}

/* ---- hostile text -------------------------------------------------------------------------- */

static void hostile_text_is_escaped(void)
{
    model m;
    jn_drawing *d;
    jn_str out;
    jn_str_init(&out);
    load(&m, "hostile",
         "model m \"<b>&%$#_{}\\\\ ]]> \xE2\x82\xAC \xE6\xBC\xA2\"\n"
         "Se a_very_long_name_of_a_source_that_goes_on_and_on_1234567890 = if(t < 1, 1, 2)\n"
         "R x_ = 1\n1 j\na_very_long_name_of_a_source_that_goes_on_and_on_1234567890 -> j -> x_\n");
    CU_ASSERT_EQUAL_FATAL(jn_drawing_new(&d, m.junction, NULL), JN_OK);
    jn_drawing_svg(&out, d);
    CU_ASSERT_PTR_NOT_NULL(strstr(jn_str_c(&out), "<title>&lt;b&gt;&amp;%$#_{}"));
    CU_ASSERT_PTR_NOT_NULL(strstr(jn_str_c(&out), "if(t &lt; 1, 1, 2)"));
    CU_ASSERT_PTR_NULL(strstr(jn_str_c(&out), "<b>"));
    jn_str_reset(&out);
    jn_drawing_dot(&out, d);
    CU_ASSERT_PTR_NOT_NULL(strstr(jn_str_c(&out), "\"j\" -> \"x_\""));
    CU_ASSERT_EQUAL(jn_drawing_overlaps(d), 0);
    jn_drawing_free(d);
    jn_str_clear(&out);
    unload(&m);
}

void suite_draw(void)
{
    TEST_SUITE("draw");
    TEST_ADD(strokes_are_drawn_where_they_belong);
    TEST_ADD(elements_have_places_of_their_own);
    TEST_ADD(a_star_stands_around_its_junction);
    TEST_ADD(a_crowd_makes_no_circle);
    TEST_ADD(repeated_parts_fold);
    TEST_ADD(parts_fold_whatever_their_names);
    TEST_ADD(long_chains_go_on_in_rows);
    TEST_ADD(drawings_are_compact);
    TEST_ADD(values_stand_below_elements);
    TEST_ADD(units_stand_behind_values);
    TEST_ADD(a_field_is_one_box);
    TEST_ADD(all_modes_have_one_layout);
    TEST_ADD(overlaps_are_seen);
    TEST_ADD(open_junctions_are_null_sources);
    TEST_ADD(redundant_loops_are_marked);
    TEST_ADD(hostile_text_is_escaped);
}
