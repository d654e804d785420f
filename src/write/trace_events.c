/* trace_events.c: the events of a run as comma-separated values. */
#include <stdlib.h>
#include <string.h>

#include "junct/trace.h"
#include "junct/write.h"

struct jn_event_log {
    jn_sink *sink;
    const jn_graph *graph;
    jn_decimals *decimals;
    jn_str line, field;
};

jn_status jn_event_log_open(jn_event_log **out, const char *path, const jn_graph *g, jn_str *why)
{
    static const char head[] = "t,kind,from,to,switches,via,cause,impulse areas,energy lost\n";
    jn_event_log *l = jn_alloc(sizeof *l);
    l->graph = g;
    *out = NULL;
    jn_status status = jn_sink_open(&l->sink, path, why);
    if (status != JN_OK) {
        jn_event_log_discard(l);
        return status;
    }
    l->decimals = jn_decimals_new();
    jn_sink_rows(l->sink, 0);
    jn_sink_put(l->sink, head, sizeof head - 1);
    *out = l;
    return JN_OK;
}

/* ---- fields -------------------------------------------------------------------------------- */

static void add_number(jn_str *out, const jn_event_log *l, double x)
{
    char text[JN_DECIMAL_MAX];
    jn_str_addn(out, text, (size_t)jn_decimals_print(text, l->decimals, x));
}

/* What the field buffer holds, as the next field of the row. */
static void end_field(jn_event_log *l)
{
    jn_str_addc(&l->line, ',');
    jn_csv_field(&l->line, jn_str_c(&l->field));
    jn_str_reset(&l->field);
}

/* Between the items of a field. */
static void separate(jn_str *out)
{
    if (out->len)
        jn_str_add(out, "; ");
}

static void add_switches(jn_event_log *l, const jn_event *e)
{
    for (int i = 0; e->from && i < l->graph->nswitches; i++) {
        if (e->from[i] == e->to[i])
            continue;
        separate(&l->field);
        jn_str_addf(&l->field, "%s=%d", l->graph->switch_name[i], e->to[i]);
    }
}

static void add_via(jn_event_log *l, const jn_event *e)
{
    for (int i = 0; i < e->nvia; i++) {
        separate(&l->field);
        jn_str_add(&l->field, e->via[i].kind == JN_VIA_MYTHICAL ? "mythical " : "pinnacle ");
        jn_mode_print(&l->field, l->graph, e->via[i].mode);
        jn_str_add(&l->field, e->via[i].forbidden ? " (forbidden)" : "");
    }
}

static void add_cause(jn_event_log *l, const jn_event *e)
{
    jn_str_add(&l->field, e->cause ? e->cause : "");
    if (e->kind != JN_EVENT_ZENO || e->nlimits == 0)
        return;
    separate(&l->field);
    jn_str_add(&l->field, "events accumulate at t = ");
    add_number(&l->field, l, e->limit);
}

static void add_impulses(jn_event_log *l, const jn_event *e)
{
    for (int i = 0; e->impulse && i < 2 * l->graph->nbonds; i++) {
        if (e->impulse[i] == 0)
            continue;
        separate(&l->field);
        jn_str_addf(&l->field, "%s.%c=", l->graph->bond[i / 2].name, i % 2 ? 'f' : 'e');
        add_number(&l->field, l, e->impulse[i]);
    }
}

bool jn_event_log_add(jn_event_log *l, const jn_event *e)
{
    jn_str_reset(&l->line);
    add_number(&l->line, l, e->t);
    jn_str_addf(&l->line, ",%s,", jn_event_kind_name(e->kind));
    if (e->from)
        jn_mode_print(&l->line, l->graph, e->from);
    jn_str_addc(&l->line, ',');
    jn_mode_print(&l->line, l->graph, e->to);
    add_switches(l, e);
    end_field(l);
    add_via(l, e);
    end_field(l);
    add_cause(l, e);
    end_field(l);
    add_impulses(l, e);
    end_field(l);
    jn_str_addc(&l->line, ',');
    add_number(&l->line, l, e->energy_lost);
    jn_str_addc(&l->line, '\n');
    jn_sink_put(l->sink, l->line.s, l->line.len);
    return !jn_sink_failed(l->sink);
}

jn_sink *jn_event_log_sink(jn_event_log *l)
{
    return l->sink;
}

/* ---- closing ------------------------------------------------------------------------------- */

jn_status jn_event_log_close(jn_event_log *l, jn_str *why)
{
    jn_status status = jn_sink_close(l->sink, why);
    l->sink = NULL;
    jn_event_log_discard(l);
    return status;
}

void jn_event_log_discard(jn_event_log *l)
{
    if (!l)
        return;
    jn_sink_discard(l->sink);
    jn_decimals_free(l->decimals);
    jn_str_clear(&l->line);
    jn_str_clear(&l->field);
    free(l);
}
