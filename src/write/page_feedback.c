/* page_feedback.c: which sources read the model, and what has become of them in the equations. */
#include "write_internal.h"

static void add_source(jn_page *p, const jn_graph *g, int source, jn_role role)
{
    const jn_element *x = &g->element[g->source[source]];
    jn_line *line = jn_page_paragraph(p);
    jn_str value;
    jn_str_init(&value);
    jn_expr_print(&value, g, x->input);
    jn_line_text(p, line,
                 role == JN_ROLE_UNFOLLOWED ? "The source "
                 : role == JN_ROLE_BOTH     ? "E and A include what the source "
                                            : "E and A include the source ");
    jn_line_name(p, line, x->name);
    jn_line_text(p, line, " = %s%s", jn_str_c(&value),
                 role == JN_ROLE_UNFOLLOWED
                     ? " reads the model, but not linearly, or by an integral: it is an input "
                       "here, and its feedback is left out."
                 : role == JN_ROLE_BOTH ? " reads; as an input it stands for the rest."
                                        : "; it is no input.");
    jn_str_clear(&value);
}

void jni_page_feedback(jn_page *p, const jn_graph *g)
{
    for (int k = 0; k < g->nsources; k++) {
        jn_role role = jn_source_role(g, k);
        if (role != JN_ROLE_INPUT)
            add_source(p, g, k, role);
    }
}

void jni_json_feedback(jn_listing *l)
{
    static const char *const word[] = {[JN_ROLE_FEEDBACK] = "included",
                                       [JN_ROLE_BOTH] = "both",
                                       [JN_ROLE_UNFOLLOWED] = "left out"};
    const jn_graph *g = jni_listing_graph(l);
    bool first = true;
    for (int k = 0; k < g->nsources; k++) {
        jn_role role = jn_source_role(g, k);
        if (role == JN_ROLE_INPUT)
            continue;
        jn_str_add(&l->out, first ? ",\n \"feedback\": {" : ", ");
        jn_json_string(&l->out, g->element[g->source[k]].name);
        jn_str_addf(&l->out, ": \"%s\"", word[role]);
        first = false;
    }
    jn_str_add(&l->out, first ? "" : "}");
}
