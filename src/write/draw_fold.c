/* draw_fold.c: parts of a drawing that repeat each other are drawn once.
 *
 * What a loop or a submodel repeats was declared at one place of the text. So the elements that
 * share their place with others are taken out of the graph, the most frequent first; what hangs
 * together among them are its parts. A part with one element of each place can be compared with
 * another one place by place: kinds, bonds, what they lead to outside, strokes, switches. Those
 * that are alike are folded. A chain, whose turns are bonded to each other, is one part, and stays. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "draw_internal.h"

enum { FOLD_MIN = 4, LISTED_MAX = 24 }; /* parts; characters of a list of them */

typedef struct {
    jn_drawing *d;
    int *order; /* elements, by place, port and number */
    int *rank;  /* per element: the number of its place in this order */
    int *times; /* per element: how often its place is used */
    int *root;  /* per element: of the part it is in; −1: it stands outside */
    int nparts;
    int *first;  /* per part: where its elements begin in member; one more at the end */
    int *member; /* by rank in each part */
    int *part;   /* numbers of parts, like ones side by side */
} folding;

static const folding *sorted; /* what qsort compares; one thread */

/* ---- places -------------------------------------------------------------------------------- */

static int compare_places(const jn_element *a, const jn_element *b)
{
    if (a->place.offset != b->place.offset)
        return a->place.offset < b->place.offset ? -1 : 1;
    return a->kind != b->kind ? (a->kind > b->kind) - (a->kind < b->kind)
                              : (a->port > b->port) - (a->port < b->port);
}

static int by_place(const void *x, const void *y)
{
    int a = *(const int *)x, b = *(const int *)y;
    const jn_element *e = sorted->d->graph->element;
    int c = compare_places(&e[a], &e[b]);
    return c ? c : (a > b) - (a < b);
}

static void find_places(folding *f)
{
    const jn_graph *g = f->d->graph;
    for (int i = 0; i < g->nelements; i++)
        f->order[i] = i;
    sorted = f;
    qsort(f->order, (size_t)g->nelements, sizeof *f->order, by_place);
    for (int i = 0, k = 0, rank = 0; i < g->nelements; i = k, rank++) {
        while (k < g->nelements &&
               compare_places(&g->element[f->order[i]], &g->element[f->order[k]]) == 0)
            k++;
        for (int j = i; j < k; j++) {
            f->rank[f->order[j]] = rank;
            f->times[f->order[j]] = k - i;
        }
    }
}

/* ---- parts --------------------------------------------------------------------------------- */

static int root_of(folding *f, int element)
{
    while (f->root[element] != element)
        element = f->root[element] = f->root[f->root[element]];
    return element;
}

static void join(folding *f, int a, int b)
{
    if (f->root[a] >= 0 && f->root[b] >= 0)
        f->root[root_of(f, a)] = root_of(f, b);
}

static int by_part(const void *x, const void *y)
{
    int a = *(const int *)x, b = *(const int *)y;
    if (sorted->root[a] != sorted->root[b])
        return sorted->root[a] < sorted->root[b] ? -1 : 1;
    return (sorted->rank[a] > sorted->rank[b]) - (sorted->rank[a] < sorted->rank[b]);
}

/* What hangs together among the elements that are repeated so often. */
static void find_parts(folding *f, int times)
{
    const jn_graph *g = f->d->graph;
    int n = 0;
    for (int i = 0; i < g->nelements; i++)
        f->root[i] = f->times[i] >= times && f->d->element[i].fold < 0 ? i : -1;
    for (int b = 0; b < g->nbonds; b++)
        join(f, g->bond[b].tail, g->bond[b].head);
    for (int m = 0; m < g->nmultiports; m++)
        for (int k = 1; k < g->multiport[m].nports; k++)
            join(f, g->multiport[m].element[0], g->multiport[m].element[k]);
    for (int i = 0; i < g->nelements; i++)
        if (f->root[i] >= 0) {
            f->root[i] = root_of(f, i);
            f->member[n++] = i;
        }
    sorted = f;
    qsort(f->member, (size_t)n, sizeof *f->member, by_part);
    f->nparts = 0;
    for (int i = 0; i < n; i++)
        if (i == 0 || f->root[f->member[i]] != f->root[f->member[i - 1]])
            f->first[f->nparts++] = i;
    f->first[f->nparts] = n;
}

/* ---- comparing ----------------------------------------------------------------------------- */

static int compare_numbers(int a, int b)
{
    return (a > b) - (a < b);
}

/* What an end of a bond is, seen from a part: an element of the part by its place, or one outside. */
static int compare_ends(const folding *f, int a, int b)
{
    bool inside = f->root[a] >= 0;
    int c = compare_numbers(inside, f->root[b] >= 0);
    return c ? c : inside ? compare_numbers(f->rank[a], f->rank[b]) : compare_numbers(a, b);
}

static int compare_bonds(const folding *f, int a, int b)
{
    const jn_bond *p = &f->d->graph->bond[a], *q = &f->d->graph->bond[b];
    const jn_drawn_bond *x = &f->d->bond[a], *y = &f->d->bond[b];
    int c = compare_ends(f, p->tail, q->tail);
    c = c ? c : compare_ends(f, p->head, q->head);
    c = c ? c : compare_numbers((int)x->tail, (int)y->tail);
    c = c ? c : compare_numbers((int)x->head, (int)y->head);
    return c ? c : compare_numbers(x->undetermined, y->undetermined);
}

static int compare_elements(const folding *f, int a, int b)
{
    const jn_element *p = &f->d->graph->element[a], *q = &f->d->graph->element[b];
    int c = compare_numbers(f->rank[a], f->rank[b]);
    c = c ? c : compare_numbers(f->d->element[a].state, f->d->element[b].state);
    c = c ? c : compare_numbers(p->nbonds, q->nbonds);
    for (int i = 0; i < p->nbonds && !c; i++)
        c = compare_bonds(f, p->bond[i], q->bond[i]);
    return c;
}

/* Two elements of one place: turns of a loop that are bonded to each other. */
static bool is_chain(const folding *f, int part)
{
    for (int i = f->first[part] + 1; i < f->first[part + 1]; i++)
        if (f->rank[f->member[i]] == f->rank[f->member[i - 1]])
            return true;
    return false;
}

static int compare_parts(const folding *f, int a, int b)
{
    const int *p = f->member + f->first[a], *q = f->member + f->first[b];
    int n = f->first[a + 1] - f->first[a];
    int c = compare_numbers(n, f->first[b + 1] - f->first[b]);
    for (int i = 0; i < n && !c; i++)
        c = compare_elements(f, p[i], q[i]);
    return c;
}

static int by_likeness(const void *x, const void *y)
{
    int a = *(const int *)x, b = *(const int *)y, c = compare_parts(sorted, a, b);
    return c ? c
             : compare_numbers(sorted->member[sorted->first[a]], sorted->member[sorted->first[b]]);
}

/* ---- names --------------------------------------------------------------------------------- */

/* What the parts are told apart by: where their names differ. */
typedef struct {
    int before, after; /* bytes in front of it and behind it, the same in all names */
    bool index;        /* it is the number in brackets */
} difference;

static int same_beginning(const char *a, const char *b, int most)
{
    int n = 0;
    while (n < most && a[n] && a[n] == b[n])
        n++;
    return n;
}

static int same_end(const char *a, const char *b, int most)
{
    int la = (int)strlen(a), lb = (int)strlen(b), n = 0;
    while (n < most && n < la && n < lb && a[la - 1 - n] == b[lb - 1 - n])
        n++;
    return n;
}

/* Digits in front of and behind it belong to it. */
static void widen_to_number(difference *x, const char *name)
{
    int length = (int)strlen(name);
    while (x->before > 0 && isdigit((unsigned char)name[x->before - 1]))
        x->before--;
    while (x->after > 0 && isdigit((unsigned char)name[length - x->after]))
        x->after--;
    x->index = x->before > 0 && name[x->before - 1] == '[' && x->after > 0 &&
               name[length - x->after] == ']';
}

static const char *name_of(const folding *f, int part, int i)
{
    return f->d->graph->element[f->member[f->first[part] + i]].name;
}

static difference find_difference(const folding *f, const int *part, int count, int i)
{
    const char *name = name_of(f, part[0], i);
    difference x = {(int)strlen(name), (int)strlen(name), false};
    for (int k = 1; k < count; k++) {
        x.before = same_beginning(name, name_of(f, part[k], i), x.before);
        x.after = same_end(name, name_of(f, part[k], i), x.after);
    }
    widen_to_number(&x, name);
    return x;
}

static void add_different(jn_str *out, const char *name, difference x)
{
    jn_str_addn(out, name + x.before, strlen(name) - (size_t)(x.before + x.after));
}

/* The numbers 1, 2, 3, … without a gap. */
static bool is_range(const folding *f, const int *part, int count, difference x)
{
    for (int k = 1; k < count && x.index; k++)
        if (atoi(name_of(f, part[k], 0) + x.before) !=
            atoi(name_of(f, part[k - 1], 0) + x.before) + 1)
            return false;
    return x.index;
}

/* "64 × k = 1 … 64", "5 × k = 1, 3, 4, …", "4 × left, right, …" */
static const char *label_of(const folding *f, const int *part, int count)
{
    difference x = find_difference(f, part, count, 0);
    jn_str text;
    jn_str_init(&text);
    jn_str_addf(&text, "%d \xC3\x97 %s", count, x.index ? "k = " : "");
    size_t begin = text.len;
    if (is_range(f, part, count, x)) {
        add_different(&text, name_of(f, part[0], 0), x);
        jn_str_add(&text, " \xE2\x80\xA6 ");
        add_different(&text, name_of(f, part[count - 1], 0), x);
    } else
        for (int k = 0; k < count; k++) {
            if (text.len > begin + LISTED_MAX) {
                jn_str_add(&text, ", \xE2\x80\xA6");
                break;
            }
            jn_str_add(&text, k ? ", " : "");
            add_different(&text, name_of(f, part[k], 0), x);
        }
    const char *label = jn_arena_strndup(f->d->arena, text.s, text.len);
    jn_str_clear(&text);
    return label;
}

/* "cell[k].insert" for all of them. */
static const char *common_name(const folding *f, const int *part, int count, int i)
{
    difference x = find_difference(f, part, count, i);
    const char *name = name_of(f, part[0], i);
    return jn_arena_printf(f->d->arena, "%.*s%s%s", x.before, name, x.index ? "k" : "\xE2\x80\xA6",
                           name + strlen(name) - x.after);
}

/* ---- folding ------------------------------------------------------------------------------- */

static void set_common_text(const folding *f, const int *part, int count, int i)
{
    const jn_drawing *d = f->d;
    int element = f->member[f->first[part[0]] + i];
    jn_drawn_element *x = &d->element[element];
    const jn_multiport *field = d->graph->element[element].multiport;
    const char *name = common_name(f, part, count, i);
    if (field) /* without its port */
        name = jn_arena_strndup(d->arena, name,
                                strlen(name) - 1 -
                                    strlen(jni_draw_port_name(&d->graph->element[element])));
    bool same = true;
    for (int k = 1; k < count && x->below; k++) {
        const char *other = d->element[f->member[f->first[part[k]] + i]].below;
        same = same && other && strcmp(other, x->below) == 0;
    }
    if (x->lambda)
        x->lambda = name;
    else if (x->name)
        x->name = name;
    else
        x->below = name;
    if (x->name && x->below && !same)
        x->below = "various";
}

/* The bonds of a part, in the order of its elements; returns how many. */
static int bonds_of(int *out, const folding *f, int part)
{
    const jn_graph *g = f->d->graph;
    int n = 0;
    for (int i = f->first[part]; i < f->first[part + 1]; i++) {
        const jn_element *e = &g->element[f->member[i]];
        for (int k = 0; k < e->nbonds; k++) {
            int other = g->bond[e->bond[k]].tail == f->member[i] ? g->bond[e->bond[k]].head
                                                                 : g->bond[e->bond[k]].tail;
            if (f->root[other] < 0 || f->rank[other] > f->rank[f->member[i]])
                out[n++] = e->bond[k];
        }
    }
    return n;
}

static int most_bonds(const folding *f, int part)
{
    int n = 0;
    for (int i = f->first[part]; i < f->first[part + 1]; i++)
        n += f->d->graph->element[f->member[i]].nbonds;
    return n;
}

static void fold(folding *f, const int *part, int count)
{
    jn_drawing *d = f->d;
    int n = f->first[part[0] + 1] - f->first[part[0]], nbonds = 0, most = most_bonds(f, part[0]);
    int *element = jn_arena_alloc(d->arena, (size_t)(count * n) * sizeof *element);
    int *bond = jn_arena_alloc(d->arena, (size_t)(count * most) * sizeof *bond + 1);
    for (int i = 0; i < n; i++)
        set_common_text(f, part, count, i);
    for (int k = 0; k < count; k++) {
        memcpy(element + k * n, f->member + f->first[part[k]], (size_t)n * sizeof *element);
        nbonds = bonds_of(bond + k * nbonds, f, part[k]);
        for (int i = 0; i < n; i++) {
            d->element[element[k * n + i]].in = d->element[element[i]].in;
            d->element[element[k * n + i]].fold = d->nfolds;
        }
        for (int i = 0; i < nbonds; i++)
            d->bond[bond[k * nbonds + i]].as = bond[i];
    }
    d->fold[d->nfolds++] = (jn_fold){.count = count,
                                     .nelements = n,
                                     .nbonds = nbonds,
                                     .element = element,
                                     .bond = bond,
                                     .label = label_of(f, part, count)};
}

static void fold_parts(folding *f)
{
    int n = 0;
    for (int p = 0; p < f->nparts; p++)
        if (!is_chain(f, p))
            f->part[n++] = p;
    sorted = f;
    qsort(f->part, (size_t)n, sizeof *f->part, by_likeness);
    for (int i = 0, k = 0; i < n; i = k) {
        while (k < n && compare_parts(f, f->part[i], f->part[k]) == 0)
            k++;
        if (k - i >= FOLD_MIN)
            fold(f, f->part + i, k - i);
    }
}

/* The next smaller number of times that a place is used; 0: none that would do. */
static int next_times(const folding *f, int below)
{
    int most = 0;
    for (int i = 0; i < f->d->graph->nelements; i++)
        if (f->times[i] < below && f->times[i] > most)
            most = f->times[i];
    return most >= FOLD_MIN ? most : 0;
}

void jni_draw_fold(jn_drawing *d)
{
    size_t n = (size_t)d->graph->nelements + 1;
    int *all = jn_alloc(7 * n * sizeof *all);
    folding f = {.d = d,
                 .order = all,
                 .rank = all + n,
                 .times = all + 2 * n,
                 .root = all + 3 * n,
                 .first = all + 4 * n,
                 .member = all + 5 * n,
                 .part = all + 6 * n};
    d->fold = jn_arena_alloc(d->arena, (n / FOLD_MIN + 1) * sizeof *d->fold);
    find_places(&f);
    for (int times = next_times(&f, (int)n); times; times = next_times(&f, times)) {
        find_parts(&f, times);
        fold_parts(&f);
    }
    free(all);
}

jn_box jni_fold_label(const jn_fold *f)
{
    double width = jni_draw_text_width(f->label, JN_DRAW_SIZE_BELOW);
    return (jn_box){f->box.left + 4, f->box.top + 1, f->box.left + 4 + width,
                    f->box.top + JNI_FOLD_LABEL};
}
