/* browser.c: Chromium, headless. Messages are JSON, each ended by a zero byte; it reads them from
 * its file number 3 and writes to 4. */
#include "browser.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIMEOUT_MS = 60000 };

struct browser {
    pid_t pid;
    int to, from;
    int next;      /* number of a call */
    char *session; /* of the page */
    bool loaded;
    int requests;
    jn_str complaints, input;
    char folder[64];
};

/* ---- starting and ending ------------------------------------------------------------------- */

static const char *find_program(void)
{
    static const char *const names[] = {"chromium", "chromium-browser", "google-chrome"};
    char command[128];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", names[i]);
        if (system(command) == 0)
            return names[i];
    }
    return NULL;
}

/* The pipes may have the numbers 3 or 4 already: they are moved out of the way first. */
static void become(const char *program, const char *folder, int in, int out)
{
    char data[128];
    snprintf(data, sizeof data, "--user-data-dir=%s", folder);
    int high_in = fcntl(in, F_DUPFD, 10), high_out = fcntl(out, F_DUPFD, 10);
    int null = open("/dev/null", O_RDWR);
    dup2(null, 0);
    dup2(null, 1);
    dup2(null, 2);
    dup2(high_in, 3);
    dup2(high_out, 4);
    setpgid(0, 0); /* its helpers end with it */
    execlp(program, program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
           "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-pipe", data,
           (char *)NULL);
    _exit(127);
}

static json_object *call(browser *b, const char *method, json_object *params);

static const char *text_of(json_object *o, const char *key)
{
    json_object *found;
    return o && json_object_object_get_ex(o, key, &found) ? json_object_get_string(found) : NULL;
}

static void enable(browser *b, const char *domain)
{
    char method[64];
    snprintf(method, sizeof method, "%s.enable", domain);
    json_object_put(call(b, method, NULL));
}

static bool open_tab(browser *b)
{
    json_object *params = json_object_new_object();
    json_object_object_add(params, "url", json_object_new_string("about:blank"));
    json_object *target = call(b, "Target.createTarget", params);
    if (!target)
        return false;
    params = json_object_new_object();
    json_object_object_add(params, "targetId", json_object_new_string(text_of(target, "targetId")));
    json_object_object_add(params, "flatten", json_object_new_boolean(1));
    json_object *attached = call(b, "Target.attachToTarget", params);
    b->session = strdup(text_of(attached, "sessionId"));
    json_object_put(attached);
    json_object_put(target);
    static const char *const domains[] = {"Page", "Runtime", "Log", "Network"};
    for (size_t i = 0; i < sizeof domains / sizeof *domains; i++)
        enable(b, domains[i]);
    return true;
}

browser *browser_open(void)
{
    const char *program = find_program();
    int there[2], back[2];
    if (!program || pipe(there) != 0 || pipe(back) != 0)
        return NULL;
    browser *b = jn_alloc(sizeof *b);
    strcpy(b->folder, "/tmp/junct-browser.XXXXXX");
    if (!mkdtemp(b->folder))
        abort();
    b->pid = fork();
    if (b->pid == 0)
        become(program, b->folder, there[0], back[1]);
    setpgid(b->pid, b->pid);
    signal(SIGPIPE, SIG_IGN);
    close(there[0]);
    close(back[1]);
    b->to = there[1];
    b->from = back[0];
    if (!open_tab(b)) {
        browser_close(b);
        return NULL;
    }
    return b;
}

void browser_close(browser *b)
{
    if (!b)
        return;
    char command[128];
    close(b->to);
    close(b->from);
    kill(-b->pid, SIGTERM);
    poll(NULL, 0, 200);
    kill(-b->pid, SIGKILL);
    waitpid(b->pid, NULL, 0);
    snprintf(command, sizeof command, "rm -rf '%s'", b->folder);
    if (system(command) != 0)
        fprintf(stderr, "%s stays\n", b->folder);
    jn_str_clear(&b->complaints);
    jn_str_clear(&b->input);
    free(b->session);
    free(b);
}

/* ---- messages ------------------------------------------------------------------------------ */

/* The next message; NULL when none comes. */
static json_object *receive(browser *b)
{
    char *end;
    while (!(end = b->input.len ? memchr(b->input.s, 0, b->input.len) : NULL)) {
        struct pollfd p = {.fd = b->from, .events = POLLIN};
        char piece[65536];
        if (poll(&p, 1, TIMEOUT_MS) <= 0)
            return NULL;
        ssize_t n = read(b->from, piece, sizeof piece);
        if (n <= 0)
            return NULL;
        jn_str_addn(&b->input, piece, (size_t)n);
    }
    json_object *message = json_tokener_parse(b->input.s);
    size_t used = (size_t)(end - b->input.s) + 1;
    memmove(b->input.s, b->input.s + used, b->input.len - used);
    b->input.len -= used;
    return message;
}

static void take_event(browser *b, json_object *message)
{
    const char *method = text_of(message, "method");
    if (!method)
        return;
    if (strcmp(method, "Page.loadEventFired") == 0)
        b->loaded = true;
    if (strcmp(method, "Network.requestWillBeSent") == 0)
        b->requests++;
    if (strcmp(method, "Runtime.consoleAPICalled") == 0 ||
        strcmp(method, "Runtime.exceptionThrown") == 0 || strcmp(method, "Log.entryAdded") == 0)
        jn_str_addf(&b->complaints, "%s\n", text_of(message, "params"));
}

static void send_call(browser *b, const char *method, json_object *params)
{
    json_object *message = json_object_new_object();
    json_object_object_add(message, "id", json_object_new_int(++b->next));
    json_object_object_add(message, "method", json_object_new_string(method));
    if (b->session)
        json_object_object_add(message, "sessionId", json_object_new_string(b->session));
    if (params)
        json_object_object_add(message, "params", params);
    const char *text = json_object_to_json_string(message);
    size_t length = strlen(text) + 1;
    while (length > 0) {
        ssize_t n = write(b->to, text, length);
        if (n <= 0)
            break;
        text += n;
        length -= (size_t)n;
    }
    json_object_put(message);
}

/* The result of a call; what happens meanwhile is noted. */
static json_object *call(browser *b, const char *method, json_object *params)
{
    send_call(b, method, params);
    for (;;) {
        json_object *message = receive(b), *id, *result;
        if (!message)
            return NULL;
        if (json_object_object_get_ex(message, "id", &id) && json_object_get_int(id) == b->next) {
            if (!json_object_object_get_ex(message, "result", &result)) {
                jn_str_addf(&b->complaints, "%s\n", json_object_to_json_string(message));
                result = NULL;
            }
            json_object_get(result);
            json_object_put(message);
            return result;
        }
        take_event(b, message);
        json_object_put(message);
    }
}

/* ---- the page ------------------------------------------------------------------------------ */

bool browser_load(browser *b, const char *path)
{
    jn_str url;
    jn_str_init(&url);
    jn_str_addf(&url, "file://%s", path);
    b->loaded = false;
    b->requests = 0;
    jn_str_reset(&b->complaints);
    json_object *params = json_object_new_object();
    json_object_object_add(params, "url", json_object_new_string(url.s));
    json_object_put(call(b, "Page.navigate", params));
    jn_str_clear(&url);
    while (!b->loaded) {
        json_object *message = receive(b);
        if (!message)
            return false;
        take_event(b, message);
        json_object_put(message);
    }
    return true;
}

json_object *browser_value(browser *b, const char *expression)
{
    json_object *params = json_object_new_object(), *inner, *value = NULL;
    json_object_object_add(params, "expression", json_object_new_string(expression));
    json_object_object_add(params, "returnByValue", json_object_new_boolean(1));
    json_object_object_add(params, "awaitPromise", json_object_new_boolean(1));
    json_object *result = call(b, "Runtime.evaluate", params);
    if (result && json_object_object_get_ex(result, "exceptionDetails", &inner))
        jn_str_addf(&b->complaints, "%s\n", json_object_to_json_string(inner));
    else if (result && json_object_object_get_ex(result, "result", &inner) &&
             json_object_object_get_ex(inner, "value", &value))
        json_object_get(value);
    json_object_put(result);
    return value;
}

bool browser_true(browser *b, const char *expression)
{
    json_object *value = browser_value(b, expression);
    bool truth = value && json_object_get_boolean(value);
    json_object_put(value);
    return truth;
}

double browser_number(browser *b, const char *expression)
{
    json_object *value = browser_value(b, expression);
    double x = value ? json_object_get_double(value) : -1;
    json_object_put(value);
    return x;
}

void browser_look(browser *b, int width, int height, bool dark)
{
    char text[256];
    if (width) {
        snprintf(text, sizeof text,
                 "{\"width\":%d,\"height\":%d,\"deviceScaleFactor\":1,\"mobile\":%s}", width,
                 height, width < 600 ? "true" : "false");
        json_object_put(call(b, "Emulation.setDeviceMetricsOverride", json_tokener_parse(text)));
    }
    snprintf(text, sizeof text,
             "{\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"%s\"}]}",
             dark ? "dark" : "light");
    json_object_put(call(b, "Emulation.setEmulatedMedia", json_tokener_parse(text)));
}

static unsigned digit_of(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (unsigned)(at - digits) : 0;
}

bool browser_shot(browser *b, const char *path)
{
    json_object *result = call(b, "Page.captureScreenshot", NULL);
    const char *data = text_of(result, "data");
    FILE *f = data ? fopen(path, "wb") : NULL;
    for (; f && *data; data += 4) {
        unsigned bits = digit_of(data[0]) << 18 | digit_of(data[1]) << 12 | digit_of(data[2]) << 6 |
                        digit_of(data[3]);
        fputc((int)(bits >> 16 & 255), f);
        if (data[2] != '=')
            fputc((int)(bits >> 8 & 255), f);
        if (data[3] != '=')
            fputc((int)(bits & 255), f);
    }
    json_object_put(result);
    return f && fclose(f) == 0;
}

const char *browser_complaints(const browser *b)
{
    return jn_str_c(&b->complaints);
}

int browser_requests(const browser *b)
{
    return b->requests;
}
