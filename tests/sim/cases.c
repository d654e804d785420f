/* cases.c: children, models from files, and Runge and Kutta. */
#include "cases.h"

#include <math.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- children ------------------------------------------------------------------------------ */

enum { SECONDS = 20 };

static void limit_seconds(void)
{
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = SECONDS}, NULL);
}

static void run_child(case_body *body, jn_method method)
{
    int status = 1;
    pid_t child = fork();
    if (child == 0) {
        unsigned before = CU_get_number_of_failure_records();
        limit_seconds();
        body(method);
        _exit(CU_get_number_of_failure_records() > before);
    }
    bool ended = child > 0 && waitpid(child, &status, 0) == child;
    if (ended && WIFSIGNALED(status))
        printf("\n%s: ended by signal %d%s", method == JN_METHOD_RADAU ? "radau" : "auto",
               WTERMSIG(status), WTERMSIG(status) == SIGPROF ? ": never ends" : "");
    CU_ASSERT(ended && status == 0);
}

void case_alone(case_body *body)
{
    run_child(body, JN_METHOD_AUTO);
}

void case_both(case_body *body)
{
    run_child(body, JN_METHOD_AUTO);
    run_child(body, JN_METHOD_RADAU);
}

void case_check(bool holds, const char *text, const char *file, int line)
{
    if (!holds)
        printf("\n%s:%d: %s does not hold", file, line, text);
    CU_assertImplementation(holds, (unsigned)line, text, file, "", CU_FALSE);
}

/* ---- models -------------------------------------------------------------------------------- */

static char *replaced(char *text, const char *old, const char *new)
{
    char *at = strstr(text, old);
    CHECK(at != NULL);
    if (!at)
        return text;
    size_t size = strlen(text) + strlen(new) + 1;
    char *out = malloc(size);
    if (!out)
        abort();
    snprintf(out, size, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    free(text);
    return out;
}

static void show_errors(const rig *r)
{
    jn_str text;
    jn_str_init(&text);
    jn_diags_render(&text, r->diags, false);
    printf("\n%s", jn_str_c(&text));
    jn_str_clear(&text);
}

bool case_open_with(rig *r, const char *name, const char *old, const char *new, jn_method method)
{
    char path[200];
    snprintf(path, sizeof path, "tests/sim/cases/%s.hbg", name);
    char *text = test_read_file(path);
    if (old)
        text = replaced(text, old, new);
    bool made = rig_new(r, text, &(jn_sim_options){.method = method});
    if (!made)
        show_errors(r);
    limit_seconds();
    CHECK(made);
    free(text);
    return made;
}

bool case_open(rig *r, const char *name, jn_method method)
{
    return case_open_with(r, name, NULL, NULL, method);
}

double case_bound(const rig *r)
{
    return jn_sim_is_linear(r->sim) ? 1e-12 : 1e-9;
}

/* ---- events -------------------------------------------------------------------------------- */

int case_count(const rig *r, jn_event_kind kind)
{
    int n = 0;
    for (int i = 0; i < r->nevents; i++)
        n += r->event[i].kind == kind;
    return n;
}

const rig_event *case_only(const rig *r, jn_event_kind kind)
{
    static const rig_event none;
    int n = case_count(r, kind);
    if (n != 1)
        printf("\n%d events of kind %s instead of one", n, jn_event_kind_name(kind));
    CU_ASSERT_EQUAL(n, 1);
    for (int i = 0; i < r->nevents; i++)
        if (r->event[i].kind == kind)
            return &r->event[i];
    return &none;
}

void case_event(const rig *r, int i, real t, const char *from, const char *to, const char *via)
{
    const rig_event *e = rig_at(r, i);
    CLOSE(e->t, t, 1 + fabsl(t), case_bound(r));
    TEST_TEXT(from, e->from);
    TEST_TEXT(to, e->to);
    TEST_TEXT(via, e->via);
}

/* ---- Runge and Kutta ----------------------------------------------------------------------- */

enum { MAX_STATES = 8 };

static void rk4_step(real *x, int n, case_rates *rates, const void *context, real t, real h)
{
    static const real at[4] = {0, 0.5L, 0.5L, 1}, weight[4] = {1, 2, 2, 1};
    real k[4][MAX_STATES], y[MAX_STATES];
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < n; i++)
            y[i] = x[i] + (s ? at[s] * h * k[s - 1][i] : 0);
        rates(k[s], t + at[s] * h, y, context);
    }
    for (int s = 0; s < 4; s++)
        for (int i = 0; i < n; i++)
            x[i] += h / 6 * weight[s] * k[s][i];
}

void case_follow(real *x, int n, case_rates *rates, const void *context, real from, real to,
                 int steps)
{
    real h = (to - from) / steps;
    for (int i = 0; i < steps; i++)
        rk4_step(x, n, rates, context, from + i * h, h);
}
