/* orbit.c: the options that say which orbit is meant. */
#include "orbit.h"

#include <stdlib.h>
#include <string.h>

static int read_count(int *to, const cli_args *args, const char *option)
{
    enum { MOST = 1000 };
    const char *text = cli_value(args, option);
    char *end;
    if (!text)
        return CLI_DONE;
    long n = strtol(text, &end, 10);
    if (end == text || *end || n < 1 || n > MOST)
        return cli_wrong_usage(args->command, "--%s %s: a whole number from 1 to %d is meant",
                               option, text, MOST);
    *to = (int)n;
    return CLI_DONE;
}

int orbit_plan_read(orbit_plan *p, const cli_args *args)
{
    *p = (orbit_plan){0};
    int code = run_plan_read_method(&p->plan, args);
    if (code == CLI_DONE)
        code = run_read_seconds(&p->guard, args);
    if (code == CLI_DONE)
        code = run_positive_option(&p->o.period, args, "period");
    if (code == CLI_DONE)
        code = run_positive_option(&p->o.settle, args, "settle");
    if (code == CLI_DONE)
        code = read_count(&p->o.times, args, "times");
    if (code == CLI_DONE)
        code = read_count(&p->o.nharmonics, args, "harmonics");
    p->o.is_free = cli_value(args, "free");
    if (code == CLI_DONE && p->o.is_free && (p->o.period > 0 || p->o.times))
        code = cli_wrong_usage(args->command, "'--free' has no clock: leave out '--%s'",
                               p->o.period > 0 ? "period" : "times");
    p->o.method = p->plan.sim.method;
    p->o.rtol = p->plan.sim.rtol;
    p->o.atol = p->plan.sim.atol;
    p->o.folder = p->plan.sim.folder;
    p->o.interrupted = run_interrupted;
    p->o.ctx = &p->guard;
    return code;
}

void orbit_plan_clear(orbit_plan *p)
{
    run_plan_clear(&p->plan);
}

int orbit_told(const jn_steady *o, jn_status status)
{
    if (status == JN_OK)
        return CLI_DONE;
    if (o->message && !cli_signal())
        cli_complain("%s: no periodic orbit was found. %s", o->graph->name, o->message);
    else
        cli_complain("%s: no periodic orbit was found: %s", o->graph->name,
                     cli_signal() ? cli_signal() : "the search ended");
    return CLI_STOPPED;
}
