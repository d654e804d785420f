/* models.c: whole models and whole commands, made at random, against the program.
 *
 *     models GRAMMAR JUNCT FOLDER SEED COUNT
 *
 * libFuzzer finds its way through bytes; this knows the language. A model is a connected bond graph
 * with bonds as many as its elements need, and statements of the grammar around it. The program
 * must end by itself with an exit code that it knows, whatever it is given; an input on which it
 * does not is kept in the folder, and named. Build JUNCT with sanitizers: `make fuzz` does. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    RULES_MAX = 1000,
    NAMES_MAX = 400,
    DEPTH_MAX = 7,
    TEXT_MAX = 60000,
    ARGS_MAX = 32,
    TELL_EVERY = 1000, /* runs */
    SECONDS_MAX = 3,   /* of processor time: then it is asked to end, */
    SECONDS_MORE = 10, /* and must, with sanitizers and all */
    SECONDS_WAIT = 600 /* of the clock, for one that waits for ever */
};

static uint64_t state;

static unsigned pick(unsigned n)
{
    state += 0x9E3779B97F4A7C15u;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (unsigned)((z ^ (z >> 31)) % n);
}

/* ---- the grammar --------------------------------------------------------------------------- */

static struct {
    char *rule, *text;
    char *trait; /* of the models that it is for; NULL: of all */
} rules[RULES_MAX];
static int nrules;
static char trait[32]; /* of the model that is being made */

static void read_grammar(const char *path)
{
    char line[2048];
    FILE *f = fopen(path, "r");
    while (f && nrules < RULES_MAX && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        char *colon = strchr(line, ':');
        if (line[0] == '#' || !colon)
            continue;
        *colon = 0;
        char *only = strchr(line, '?');
        if (only)
            *only++ = 0;
        rules[nrules].trait = only ? strdup(only) : NULL;
        rules[nrules].rule = strdup(line);
        rules[nrules++].text = strdup(colon + 1 + (colon[1] == ' '));
    }
    if (!f || nrules == 0) {
        fprintf(stderr, "models: no grammar in %s\n", path);
        exit(2);
    }
    fclose(f);
}

/* A text of the rule; deep inside, the shortest, so that it ends. */
static const char *choose(const char *rule, int depth)
{
    const char *found = NULL;
    unsigned n = 0;
    for (int i = 0; i < nrules; i++) {
        if (strcmp(rules[i].rule, rule) != 0 ||
            (rules[i].trait && strcmp(rules[i].trait, trait) != 0))
            continue;
        n++;
        if (!found || (depth > DEPTH_MAX ? strlen(rules[i].text) < strlen(found) : pick(n) == 0))
            found = rules[i].text;
    }
    return found;
}

/* ---- names --------------------------------------------------------------------------------- */

static struct {
    char kind, text[16];
    char shared;     /* of a junction: '0', one effort, or '1', one flow */
    bool controlled; /* a switch that has its statement */
    bool pulsed;     /* that statement has a pwm(...) */
} names[NAMES_MAX];
static int nnames, nswitches, nstatements;
#define KINDS "SICRTJXYWVDOLBGPE"
static bool missing; /* a name was asked for, and there is none of its kind */

static const char *declare(char kind)
{
    int k = nnames < NAMES_MAX - 1 ? nnames++ : nnames - 1;
    names[k].kind = kind;
    names[k].shared = 0;
    names[k].controlled = names[k].pulsed = false;
    snprintf(names[k].text, sizeof names[k].text, "%c%d", kind + ('a' - 'A'), k);
    return names[k].text;
}

static bool fits(int i, char kind)
{
    bool junction = names[i].shared != 0, free = names[i].kind == 'X' && !names[i].controlled;
    switch (kind) {
    case 'E':
        return names[i].kind && strchr("SICR", names[i].kind);
    case 'O':
        return junction && names[i].shared == '0';
    case 'L':
        return junction && names[i].shared == '1';
    case 'W':
        return free;
    case 'D':
        return names[i].pulsed;
    case 'V':
        return free && names[i].shared == '1';
    default:
        return names[i].kind == kind;
    }
}

/* One of a kind, see the head of the grammar. −1: none. */
static int find_name(char kind)
{
    int found = -1;
    unsigned n = 0;
    for (int i = 0; i < nnames; i++)
        if (fits(i, kind) && pick(++n) == 0)
            found = i;
    return found;
}

static const char *any_name(char kind)
{
    int k = find_name(kind);
    missing = missing || k < 0;
    if (k >= 0 && strchr("WV", kind))
        names[k].controlled = true;
    return k < 0 ? "nothing" : names[k].text;
}

/* ---- texts --------------------------------------------------------------------------------- */

static char text[TEXT_MAX];
static size_t length;

static void add(const char *s, size_t n)
{
    if (length + n + 1 >= TEXT_MAX)
        return;
    memcpy(text + length, s, n);
    length += n;
    text[length] = 0;
}

static void add_all(const char *s)
{
    add(s, strlen(s));
}

static void expand(const char *rule, int depth);

/* What stands between < and >. */
static void expand_word(const char *word, int depth)
{
    char number[16];
    if (strcmp(word, "n") == 0 || strcmp(word, "k") == 0) {
        snprintf(number, sizeof number, "%u", word[0] == 'k' ? (unsigned)nstatements : 1 + pick(9));
        add_all(number);
    } else if (strcmp(word, "mode") == 0) {
        for (int i = 0; i < nswitches; i++)
            add_all(pick(2) ? "1" : "0");
    } else if (word[1] == 0 && strchr(KINDS, word[0])) {
        add_all(any_name(word[0]));
    } else {
        expand(word, depth + 1);
    }
}

static bool is_word(const char *s, size_t *n)
{
    *n = strspn(s + 1, "abcdefghijklmnopqrstuvwxyz" KINDS);
    return *n > 0 && s[1 + *n] == '>';
}

/* A name that is declared here is known behind it only. */
static void expand_text(const char *s, int depth)
{
    size_t n;
    int declared = -1;
    char kind = 0;
    for (; *s; s++) {
        if (*s == '<' && is_word(s, &n)) {
            char word[64];
            snprintf(word, sizeof word, "%.*s", (int)n, s + 1);
            expand_word(word, depth);
            s += n + 1;
        } else if (*s == '@' && s[1] && strchr("GPBY", s[1])) {
            kind = *++s;
            add_all(declare(kind));
            declared = nnames - 1;
            names[declared].kind = '-';
        } else if (*s == '\\' && s[1] == 'n') {
            add("\n", 1);
            s++;
        } else if (*s == '\\' && s[1] == 'x') {
            nswitches++;
            s++;
        } else {
            add(s, 1);
        }
    }
    if (declared >= 0)
        names[declared].kind = kind;
}

static void expand(const char *rule, int depth)
{
    const char *s = choose(rule, depth);
    if (s)
        expand_text(s, depth);
}

/* ---- models -------------------------------------------------------------------------------- */

static const char *try_element(const char *rule)
{
    const char *s = choose(rule, 0), *at = strchr(s, '@');
    char kind = rule[0] == 't' ? 'T' : rule[0] == 'j' ? 'J' : rule[1] == 'w' ? 'X' : s[0];
    add(s, (size_t)(at - s));
    const char *name = declare('-');
    int k = nnames - 1;
    names[k].shared = strchr("JX", kind) ? at[-2] : 0;
    snprintf(names[k].text, sizeof names[k].text, "%c%d", kind + ('a' - 'A'), k);
    add_all(name);
    expand_text(at + 1, 0);
    names[k].kind = kind;
    add("\n", 1);
    return name;
}

/* Declares an element of a rule; returns its name. What it needs may come later, or not at all:
 * then another is tried. */
static const char *add_element(const char *rule)
{
    const char *name = NULL;
    size_t length_before = length;
    int names_before = nnames;
    for (int tries = 0; tries < 20 && (tries == 0 || missing); tries++) {
        missing = false;
        length = length_before;
        nnames = names_before;
        name = try_element(rule);
    }
    return name;
}

static void add_bond(const char *from, const char *to)
{
    if (pick(5) == 0) {
        add_all(declare('B'));
        add_all(": ");
    }
    add_all(from);
    add_all(" -> ");
    add_all(to);
    add("\n", 1);
}

static const char *any_junction(void)
{
    int plain = find_name('J'), controlled = find_name('X');
    bool take = controlled >= 0 && (plain < 0 || pick(2));
    return names[take ? controlled : plain].text;
}

static void add_graph(void)
{
    add_element(pick(3) ? "junction" : "switched");
    for (unsigned n = pick(6); n > 0; n--) {
        const char *before = any_junction();
        const char *new = add_element(pick(5) < 3 ? "junction" : "switched");
        const char *through = pick(5) == 0 ? add_element("through") : NULL;
        bool turned = pick(2);
        if (through) {
            add_bond(turned ? new : before, through);
            add_bond(through, turned ? before : new);
        } else {
            add_bond(turned ? new : before, turned ? before : new);
        }
    }
    for (unsigned n = 1 + pick(8); n > 0; n--) {
        static const char *const rule[] = {"source", "storage", "storage", "other", "other"};
        unsigned k = pick(5);
        const char *element = add_element(rule[k]), *junction = any_junction();
        add_bond(k == 0 ? element : junction, k == 0 ? junction : element);
    }
}

/* One that speaks of something that is not there is left out. */
static void add_statement(const char *rule)
{
    size_t length_before = length;
    int names_before = nnames, switches_before = nswitches;
    bool controlled[NAMES_MAX];
    for (int i = 0; i < nnames; i++)
        controlled[i] = names[i].controlled;
    missing = false;
    nstatements++;
    expand(rule, 0);
    add("\n", 1);
    if (!missing)
        return;
    length = length_before;
    nnames = names_before;
    nswitches = switches_before;
    text[length] = 0;
    for (int i = 0; i < nnames; i++)
        names[i].controlled = controlled[i];
}

static void make_model(void)
{
    nnames = nswitches = nstatements = 0;
    length = 0;
    expand("trait", 0);
    snprintf(trait, sizeof trait, "%.*s", (int)length, text);
    length = 0;
    add_all("model m \"");
    expand("text", 0);
    length = strchr(text, '\\') ? strlen("model m \"") : length; /* no escapes in titles */
    add_all("\"\n");
    add_statement("begin");
    add_graph();
    for (unsigned n = 1 + pick(8); n > 0; n--)
        add_statement(pick(60) == 0 ? "broken" : "statement");
    expand("end", 0);
    add("\n", 1);
    for (int i = 0; i < nnames; i++) {
        char pulses[64];
        snprintf(pulses, sizeof pulses, "switch %s pwm(", names[i].text);
        names[i].pulsed = strstr(text, pulses) != NULL;
        nswitches += names[i].kind == 'X' || names[i].kind == 'Y';
    }
}

/* A command that speaks of something the model has. */
static void make_command(char *command, size_t size)
{
    missing = true;
    for (int tries = 0; tries < 20 && missing; tries++) {
        missing = false;
        length = 0;
        text[0] = 0;
        expand("command", 0);
    }
    snprintf(command, size, "%s", text);
}

/* ---- files beside the model ---------------------------------------------------------------- */

static void write_text(const char *path, const char *s)
{
    FILE *f = fopen(path, "w");
    if (!f || fputs(s, f) < 0 || fclose(f) != 0)
        exit(2);
}

/* A table over time, and a sequence of modes for the switches that go by names of their own. */
static void write_tables(void)
{
    write_text("table.csv", "t,u,x\n0,1,0\n0.25,2,1\n0.5,-1,3\n0.625,4,4\n1,0,9\n");
    length = 0;
    add_all("t");
    for (int i = 0; i < nnames; i++) {
        if (names[i].kind == 'X' || names[i].kind == 'Y') {
            add_all(",");
            add_all(names[i].text);
        }
    }
    for (unsigned row = 0, rows = 1 + pick(4); row < rows; row++) {
        char t[16];
        snprintf(t, sizeof t, "\n%u.%u", row / 2, row % 2 * 5);
        add_all(t);
        for (int i = 0; i < nnames; i++)
            if (names[i].kind == 'X' || names[i].kind == 'Y')
                add_all(pick(2) ? ",1" : ",0");
    }
    add_all("\n");
    write_text("sequence.csv", text);
}

/* ---- the program --------------------------------------------------------------------------- */

static void become_junct(const char *junct, char *line)
{
    char *args[ARGS_MAX] = {(char *)junct};
    int n = 1;
    bool whole = false;
    for (char *word = strtok(line, " "); word && n < ARGS_MAX - 2; word = strtok(NULL, " ")) {
        whole = whole || strcmp(word, "!") == 0;
        if (strcmp(word, "!") != 0)
            args[n++] = word;
    }
    if (!whole)
        args[n++] = "model.hbg";
    int model = open("model.hbg", O_RDONLY), null = open("/dev/null", O_WRONLY);
    int log = open("log", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(model, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    execv(junct, args);
    _exit(126);
}

static double seconds_of(clockid_t clock)
{
    struct timespec t = {0};
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Waits for a child, and sees that it ends. Its time is its processor's, since the machine may be
 * busy with something else. */
static int watch(pid_t child)
{
    int status = 0;
    bool asked = false;
    clockid_t clock;
    double begin = seconds_of(CLOCK_MONOTONIC);
    bool timed = clock_getcpuclockid(child, &clock) == 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
        double spent = timed ? seconds_of(clock) : 0;
        if (spent > SECONDS_MAX && !asked)
            asked = kill(child, SIGTERM) == 0;
        if (spent > SECONDS_MAX + SECONDS_MORE ||
            seconds_of(CLOCK_MONOTONIC) > begin + SECONDS_WAIT)
            kill(child, SIGKILL);
    }
    return status;
}

/* Its exit code, or −1 when a signal ended it or it would not end. */
static int run_junct(const char *junct, const char *command)
{
    char line[TEXT_MAX];
    snprintf(line, sizeof line, "%s", command);
    pid_t child = fork();
    if (child == 0)
        become_junct(junct, line);
    int status = watch(child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* What the program says when it, or a process of its own, is at fault. A sanitizer ends a process
 * with 1, which is also the code for a model that is wrong. (That the search for leaks did not work is
 * no fault.) */
static bool tells_of_fault(const char *line)
{
    static const char *const words[] = {
        "ERROR: AddressSanitizer", "ERROR: LeakSanitizer", "ERROR: UndefinedBehaviorSanitizer",
        "Sanitizer: CHECK failed", "runtime error: ",      "[internal]"};
    bool found = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        found = found || strstr(line, words[i]);
    return found;
}

/* "FILE:LINE:COLUMN: error: ...", or one that speaks of what the model has nowhere. */
static bool has_place(const char *line)
{
    if (strstr(line, "[steady-timeless]"))
        return true;
    const char *error = strstr(line, ": error: ");
    const char *s = error;
    while (s && s > line && (s[-1] == ':' || (s[-1] >= '0' && s[-1] <= '9')))
        s--;
    return error && s < error && *s == ':' && strchr(s + 1, ':') < error;
}

/* What was said fits how the program ended: nothing of a fault; something, unless all went well; and
 * whoever is told that the model is wrong is told where. */
static bool log_fits(int code)
{
    char line[4096];
    bool fault = false, said = false, placed = false;
    FILE *f = fopen("log", "r");
    while (f && fgets(line, sizeof line, f)) {
        fault = fault || tells_of_fault(line);
        said = true;
        placed = placed || has_place(line);
    }
    if (f)
        fclose(f);
    return !fault && (code == 0 || said) && (code != 1 || placed);
}

/* An exit code that the command may have: 4 says that something is refuted. */
static bool is_known(int code, const char *command)
{
    return code >= 0 && code < (strncmp(command, "verify", 6) == 0 ? 5 : 4);
}

static void keep(const char *command, uint64_t number)
{
    char path[64], line[TEXT_MAX];
    snprintf(path, sizeof path, "failed-%llu.hbg", (unsigned long long)number);
    rename("model.hbg", path);
    snprintf(line, sizeof line, "%s %s\n", command, path);
    snprintf(path, sizeof path, "failed-%llu.args", (unsigned long long)number);
    write_text(path, line);
    snprintf(path, sizeof path, "failed-%llu.log", (unsigned long long)number);
    rename("log", path);
    printf("models: failed: junct %s", line);
    fflush(stdout);
}

static long ended[6]; /* by exit code; the last: that failed */

static void tell(uint64_t runs, uint64_t seed)
{
    printf("models: %llu runs from seed %llu: %ld done, %ld wrong model, %ld wrong usage, "
           "%ld stopped early, %ld refuted, %ld failed\n",
           (unsigned long long)runs, (unsigned long long)seed, ended[0], ended[1], ended[2],
           ended[3], ended[4], ended[5]);
    fflush(stdout);
}

static void try_one(const char *junct, uint64_t number)
{
    char command[1000];
    state = number * 0xD1342543DE82EF95u;
    make_model();
    write_text("model.hbg", text);
    make_command(command, sizeof command);
    write_tables();
    int code = run_junct(junct, command);
    bool good = is_known(code, command) && log_fits(code);
    if (!good)
        keep(command, number);
    ended[good ? code : 5]++;
}

int main(int argc, char *argv[])
{
    if (argc != 6) {
        fputs("usage: models GRAMMAR JUNCT FOLDER SEED COUNT\n", stderr);
        return 2;
    }
    char *junct = realpath(argv[2], NULL);
    uint64_t seed = strtoull(argv[4], NULL, 10), count = strtoull(argv[5], NULL, 10);
    read_grammar(argv[1]);
    mkdir(argv[3], 0777);
    if (!junct || chdir(argv[3]) != 0)
        return 2;
    for (uint64_t k = 0; k < count; k++) {
        try_one(junct, seed + k);
        if ((k + 1) % TELL_EVERY == 0 && k + 1 < count)
            tell(k + 1, seed);
    }
    tell(count, seed);
    free(junct);
    return ended[5] ? 1 : 0;
}
