/* test_page.c: `junct page` in a real browser: what a click shows is what the program says of that
 * mode; the run plays; nothing complains, and nothing in a model becomes markup.
 *
 * PAGE_SHOTS names a folder for pictures of some pages, to be looked at. */
#include <glob.h>
#include <json-c/json.h>
#include <math.h>
#include <sys/stat.h>

#include "browser.h"
#include "cli/run.h"

static browser *chromium;

static bool have_browser(void)
{
    if (!chromium)
        printf("SKIPPED: there is no Chromium here ");
    return chromium != NULL;
}

/* ---- pages --------------------------------------------------------------------------------- */

static const char *page_path(void)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/page.html", run_folder());
    return path;
}

static void make_page(const char *model, const char *options)
{
    outcome o = run("page %s -o %s %s", model, page_path(), options);
    CU_ASSERT(o.code == 0 || o.code == 3); /* 3: a run that ends early, and says why */
    if (o.code != 0 && o.code != 3)
        printf("%s: %s", model, o.err);
    outcome_clear(&o);
}

static void check_silent(const char *model)
{
    const char *said = browser_complaints(chromium);
    CU_ASSERT_EQUAL(strlen(said), 0);
    if (*said)
        printf("%s: %.1000s\n", model, said);
    CU_ASSERT_EQUAL(browser_requests(chromium), 1);
}

static void open_page(const char *model, const char *options)
{
    make_page(model, options);
    CU_ASSERT_FATAL(browser_load(chromium, page_path()));
    CU_ASSERT(browser_true(chromium, "document.querySelectorAll('#picture .bond').length > 0"));
}

/* ---- modes --------------------------------------------------------------------------------- */

/* Clicks the switches until the page shows this mode. */
static const char choose_mode[] =
    "((mode) => { const sw = document.querySelectorAll('#switches button');"
    " [...mode].forEach((c, i) => { if ((sw[i].getAttribute('aria-checked') === 'true') !== (c === "
    "'1'))"
    " sw[i].click(); }); })";

static void choose(const char *mode)
{
    jn_str text;
    jn_str_init(&text);
    jn_str_addf(&text, "%s('%s')", choose_mode, mode);
    json_object_put(browser_value(chromium, text.s));
    jn_str_clear(&text);
}

/* "A 0 1 -R1/L1" of each entry that is not zero, sorted. */
static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *sorted(char **line, int n)
{
    jn_str all;
    jn_str_init(&all);
    jn_str_add(&all, "");
    qsort(line, (size_t)n, sizeof *line, by_text);
    for (int i = 0; i < n; i++) {
        jn_str_addf(&all, "%s\n", line[i]);
        free(line[i]);
    }
    free(line);
    return all.s ? all.s : strdup("");
}

static char *shown_entries(void)
{
    json_object *list = browser_value(
        chromium, "[...document.querySelectorAll('#equations [data-matrix]')].map(x => "
                  "`${x.dataset.matrix} ${x.dataset.row} ${x.dataset.col} ${x.dataset.value}`)");
    int n = list ? (int)json_object_array_length(list) : 0;
    char **line = jn_alloc((size_t)n * sizeof *line + 1);
    for (int i = 0; i < n; i++)
        line[i] = strdup(json_object_get_string(json_object_array_get_idx(list, (size_t)i)));
    json_object_put(list);
    return sorted(line, n);
}

static json_object *member(json_object *o, const char *key)
{
    json_object *v = NULL;
    json_object_object_get_ex(o, key, &v);
    return v;
}

typedef struct {
    char **line;
    int n, cap;
} lines;

static void add_entries(lines *l, json_object *mode, const char *key)
{
    json_object *matrix = member(mode, key);
    for (size_t i = 0; matrix && i < json_object_array_length(matrix); i++) {
        json_object *row = json_object_array_get_idx(matrix, i);
        for (size_t k = 0; k < json_object_array_length(row); k++) {
            const char *value = json_object_get_string(json_object_array_get_idx(row, k));
            if (strcmp(value, "0") == 0)
                continue;
            char *text = jn_alloc(strlen(value) + 64);
            sprintf(text, "%s %d %d %s", key, (int)i, (int)k, value);
            JN_GROW(l->line, l->n, l->cap);
            l->line[l->n++] = text;
        }
    }
}

/* What `junct matrices --mode` says; *forbidden gets the reason, or NULL. */
static char *true_entries(const char *model, const char *mode, char **forbidden)
{
    outcome o = run("matrices %s --mode %s --json", model, mode);
    json_object *all = json_tokener_parse(o.out);
    json_object *one = json_object_array_get_idx(member(all, "modes"), 0);
    json_object *reason = member(one, "reason");
    lines l = {0};
    *forbidden = reason ? strdup(json_object_get_string(reason)) : NULL;
    add_entries(&l, one, "E");
    add_entries(&l, one, "A");
    add_entries(&l, one, "B");
    json_object_put(all);
    outcome_clear(&o);
    return sorted(l.line, l.n);
}

/* "b1 tail", … of the strokes that are drawn, as in the SVG of the mode; of parts that are drawn
 * once, one after the other is chosen. */
static char *shown_strokes(void)
{
    json_object *text = browser_value(
        chromium,
        "(() => { const m = JSON.parse(document.getElementById('data').textContent), found = [];"
        " const look = () => document.querySelectorAll('#picture .bond').forEach(g => {"
        " const [tail, head] = g.querySelectorAll('.stroke'); const name = "
        "m.bonds[g.dataset.bond].name;"
        " found[g.dataset.bond] = [[tail, 'tail'], [head, 'head']]"
        "  .filter(([x]) => !x.classList.contains('gone'))"
        "  .map(([, end]) => `${name} ${end}\\n`).join(''); });"
        " look();"
        " for (const picker of document.querySelectorAll('#parts input'))"
        "  for (let k = 1; k <= Number(picker.max); k++) {"
        "   picker.value = k; picker.dispatchEvent(new Event('input')); look(); }"
        " return found.join(''); })()");
    char *copy = strdup(text ? json_object_get_string(text) : "?");
    json_object_put(text);
    return copy;
}

static char *true_strokes(const char *model, const char *mode)
{
    outcome o = run("draw %s --unfold --mode %s", model, mode);
    jn_str all;
    jn_str_init(&all);
    jn_str_add(&all, "");
    for (const char *p = o.out; (p = strstr(p, "data-bond=\"")); p++) {
        const char *end = strstr(p, "</g>"), *name = p + 11;
        for (const char *s = p; (s = strstr(s, "data-end=\"")) && s < end; s++)
            jn_str_addf(&all, "%.*s %.4s\n", (int)strcspn(name, "\""), name, s + 10);
    }
    outcome_clear(&o);
    return all.s ? all.s : strdup("");
}

static void check_formulas(const char *model, const char *mode)
{
    char *script = test_read_file("tests/page/values.js");
    json_object *wrong = browser_value(chromium, script);
    CU_ASSERT(wrong && json_object_array_length(wrong) == 0);
    if (!wrong || json_object_array_length(wrong))
        printf("%s %s: %s\n", model, mode, wrong ? json_object_to_json_string(wrong) : "");
    json_object_put(wrong);
    free(script);
}

static void check_mode(const char *model, const char *mode)
{
    char *reason, *entries = true_entries(model, mode, &reason);
    choose(mode);
    char *shown = shown_entries();
    TEST_TEXT(entries, shown);
    if (reason && strchr(reason, '=')) {
        json_object *said =
            browser_value(chromium, "document.getElementById('reason').textContent");
        TEST_TEXT(reason, said ? json_object_get_string(said) : "nothing");
        json_object_put(said);
    } else {
        char *strokes = true_strokes(model, mode), *drawn = shown_strokes();
        TEST_TEXT(strokes, drawn);
        free(strokes);
        free(drawn);
    }
    check_formulas(model, mode);
    free(entries);
    free(shown);
    free(reason);
}

static void check_random_modes(const char *model, int times)
{
    test_rng rng = test_rng_new(0x9a9e);
    int n = (int)browser_number(chromium, "document.querySelectorAll('#switches button').length");
    char *mode = jn_alloc((size_t)n + 1);
    for (int k = 0; k < times && n > 0; k++) {
        for (int i = 0; i < n; i++)
            mode[i] = test_rng_chance(&rng, 50) ? '1' : '0';
        check_mode(model, mode);
    }
    free(mode);
}

/* ---- tests --------------------------------------------------------------------------------- */

static void modes_are_shown(void)
{
    static const char *const models[] = {"chopper", "inverter", "cuk", "hbridge", "hydraulic"};
    char path[128];
    if (!have_browser())
        return;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        snprintf(path, sizeof path, "examples/%s.hbg", models[i]);
        open_page(path, "--no-run");
        check_random_modes(path, 6);
        check_silent(path);
    }
}

/* The nearest allowed modes of a forbidden one, and one of them taken. */
static void forbidden_modes_are_told(void)
{
    if (!have_browser())
        return;
    open_page("examples/chopper.hbg", "--no-run");
    check_mode("examples/chopper.hbg", "111");
    json_object *list = browser_value(
        chromium, "[...document.querySelectorAll('#nearest button')].map(x => x.textContent)");
    TEST_TEXT("[ \"turn s2 off\", \"turn s1 off\" ]", json_object_to_json_string(list));
    json_object_put(list);
    CU_ASSERT(browser_true(chromium, "(document.querySelector('#nearest button').click(), "
                                     "document.getElementById('status').children.length === 0)"));
    CU_ASSERT(
        browser_true(chromium, "document.getElementById('mode-shown').textContent === 'mode 101'"));
    check_silent("chopper");
}

/* A junction of the drawing is a switch as well, by pointer and by key. */
static void junctions_of_the_drawing_are_switches(void)
{
    if (!have_browser())
        return;
    open_page("examples/chopper.hbg", "--no-run");
    const char *turned = "document.getElementById('mode-shown').textContent";
    json_object_put(browser_value(chromium,
                                  "document.querySelector('#picture .switch').dispatchEvent("
                                  "new MouseEvent('click', {bubbles: true}))"));
    json_object *shown = browser_value(chromium, turned);
    TEST_TEXT("mode 000", json_object_get_string(shown));
    json_object_put(shown);
    json_object_put(browser_value(chromium,
                                  "document.querySelectorAll('#picture .switch')[2].dispatchEvent("
                                  "new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}))"));
    shown = browser_value(chromium, turned);
    TEST_TEXT("mode 001", json_object_get_string(shown));
    json_object_put(shown);
}

/* L1 of the chopper under the pointer: its box, its one bond, its rows and its columns. */
static void an_element_lights_up(void)
{
    if (!have_browser())
        return;
    open_page("examples/chopper.hbg", "--no-run");
    json_object_put(browser_value(
        chromium, "[...document.querySelectorAll('#picture [data-element]')]"
                  ".find(x => x.textContent.includes('L1'))"
                  ".dispatchEvent(new PointerEvent('pointerover', {bubbles: true}))"));
    CU_ASSERT_EQUAL(
        browser_number(chromium, "document.querySelectorAll('#picture .element.lit').length"), 1);
    CU_ASSERT_EQUAL(
        browser_number(chromium, "document.querySelectorAll('#picture .bond.lit').length"), 1);
    CU_ASSERT(browser_number(chromium, "document.querySelectorAll('#views tr.lit').length") >= 3);
    CU_ASSERT(browser_number(chromium, "document.querySelectorAll('#views th.lit').length") >= 2);
    CU_ASSERT(browser_true(chromium, "document.querySelectorAll('.equation.lit').length === 1"));
    json_object_put(browser_value(
        chromium, "document.body.dispatchEvent(new PointerEvent('pointerover', {bubbles: true}))"));
    CU_ASSERT_EQUAL(browser_number(chromium, "document.querySelectorAll('.lit').length"), 0);
    check_silent("chopper");
}

/* Tabs by arrows, switches and all that is pressed by Tab and Enter; what has the focus shows it. */
static void keys_are_enough(void)
{
    if (!have_browser())
        return;
    open_page("examples/chopper.hbg", "--no-run");
    json_object_put(browser_value(chromium, "document.getElementById('tab-mode').focus()"));
    for (int i = 0; i < 2; i++)
        json_object_put(browser_value(chromium,
                                      "document.activeElement.dispatchEvent(new KeyboardEvent("
                                      "'keydown', {key: 'ArrowRight', bubbles: true}))"));
    CU_ASSERT(browser_true(chromium,
                           "document.activeElement.id === 'tab-all' && "
                           "document.activeElement.getAttribute('aria-selected') === 'true'"));
    CU_ASSERT(browser_true(chromium,
                           "[...document.querySelectorAll('#picture .switch')]"
                           ".every(x => x.tabIndex === 0 && x.getAttribute('aria-label'))"));
    CU_ASSERT(browser_true(chromium,
                           "[...document.styleSheets].some(s => [...s.cssRules].some("
                           "r => r.selectorText && r.selectorText.includes(':focus-visible')))"));
    check_silent("chopper");
}

/* Modes passed at an instant stand in the list of events: mythical ones, forbidden ones, pinnacles. */
static void events_tell_what_was_passed(void)
{
    if (!have_browser())
        return;
    const char *text = "document.querySelector('.events').textContent";
    char question[200];
    open_page("examples/diode_inductor.hbg", "");
    snprintf(question, sizeof question, "%s.includes('mythical')", text);
    CU_ASSERT(browser_true(chromium, question));
    open_page("examples/pinnacle.hbg", "");
    snprintf(question, sizeof question, "%s.includes('pinnacle: its jump counts')", text);
    CU_ASSERT(browser_true(chromium, question));
}

/* Heat flow is a power by itself: a bond of 2 kW at 295 K shows 2 kW. */
static void heat_is_a_power(void)
{
    if (!have_browser())
        return;
    static const char model[] =
        "model heat\ndomain thermal\nSf heater = 2 kW\nC air = 100 kJ/K, e0 = 295 K\n0 room\n"
        "heater -> room -> air\nsimulate to 10 every 1\n";
    char path[128];
    run_write_file("heat.hbg", model, sizeof model - 1);
    snprintf(path, sizeof path, "%s/heat.hbg", run_folder());
    open_page(path, "");
    CU_ASSERT(browser_true(chromium, "document.getElementById('power-key').textContent"
                                     ".includes('the widest is 2 kW')"));
}

/* Every view of every example: nothing complains, and without its run it is small. */
static void every_example_has_a_page(void)
{
    glob_t found;
    struct stat s;
    if (!have_browser() || glob("examples/*.hbg", 0, NULL, &found) != 0)
        return;
    CU_ASSERT(found.gl_pathc > 10);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *model = found.gl_pathv[i];
        open_page(model, "");
        json_object_put(browser_value(chromium,
                                      "for (const tab of ['run', 'all', 'words', 'mode']) "
                                      "document.getElementById('tab-' + tab).click()"));
        check_silent(model);
        make_page(model, "--no-run");
        CU_ASSERT(stat(page_path(), &s) == 0 && s.st_size < 400000);
        if (s.st_size >= 400000)
            printf("%s: %ld bytes\n", model, (long)s.st_size);
    }
    globfree(&found);
}

static void move_slider(int value)
{
    char text[256];
    snprintf(text, sizeof text,
             "(() => { const s = document.getElementById('slider'); s.value = %d;"
             " s.dispatchEvent(new Event('input')); })()",
             value);
    json_object_put(browser_value(chromium, text));
}

/* Plots, events, and a player that moves until it is stopped. */
static void a_run_is_played(void)
{
    if (!have_browser())
        return;
    open_page("examples/clutch.hbg", "");
    CU_ASSERT(browser_true(chromium, "(document.getElementById('tab-run').click(), "
                                     "document.querySelectorAll('.chart canvas').length >= 2)"));
    CU_ASSERT(browser_true(chromium, "document.querySelectorAll('.events tbody tr').length > 0"));
    const char *time = "Number(document.getElementById('slider').value)";
    json_object_put(browser_value(chromium, "document.getElementById('play').click()"));
    json_object_put(browser_value(chromium, "new Promise(done => setTimeout(done, 700))"));
    double first = browser_number(chromium, time);
    json_object_put(browser_value(chromium, "new Promise(done => setTimeout(done, 700))"));
    double second = browser_number(chromium, time);
    CU_ASSERT(first > 0 && second > first && second < 1000);
    json_object_put(browser_value(chromium, "document.getElementById('play').click()"));
    double third = browser_number(chromium, time);
    json_object_put(browser_value(chromium, "new Promise(done => setTimeout(done, 300))"));
    CU_ASSERT_EQUAL(browser_number(chromium, time), third);
    check_silent("clutch");
}

/* 12 V on 2 Ω and 1 H: the source gives 12·6·(1 − exp(−2t)), of which 2 i² goes to the resistor. */
static void powers_are_shown(void)
{
    static const char model[] = "model rl\nSe V = 12\nI L = 1\nR R1 = 2\n1 j\n"
                                "in: V -> j\nj -> L\nout: j -> R1\nsimulate to 1 every 0.01\n";
    char path[128], text[64];
    if (!have_browser())
        return;
    run_write_file("rl.hbg", model, sizeof model - 1);
    snprintf(path, sizeof path, "%s/rl.hbg", run_folder());
    open_page(path, "");
    move_slider(500);
    double i = 6 * (1 - exp(-1));
    const double power[] = {12 * i, (12 - 2 * i) * i, 2 * i * i};
    json_object *said = browser_value(
        chromium, "[...document.querySelectorAll('#picture .bond title')].map(x => x.textContent)");
    for (int b = 0; b < 3; b++) {
        snprintf(text, sizeof text, ": %.4g along the arrow", power[b]);
        const char *shown = json_object_get_string(json_object_array_get_idx(said, (size_t)b));
        CU_ASSERT_PTR_NOT_NULL(strstr(shown, text));
        if (!strstr(shown, text))
            printf("'%s', not '%s'\n", shown, text);
    }
    json_object_put(said);
    CU_ASSERT(browser_true(chromium, "[...document.querySelectorAll('.power')].every("
                                     "x => parseFloat(x.style.strokeWidth) > 0)"));
}

/* Clutch I = 2, 3 at 100, 20: a jump that loses 3840 at 1 s, and nothing before it. */
static void the_ledger_adds_up(void)
{
    if (!have_browser())
        return;
    open_page("examples/clutch.hbg", "");
    json_object *lost = browser_value(
        chromium,
        "JSON.parse(document.getElementById('data').textContent).run.ledger.map(x => x[3])"
        ".filter((x, i, all) => i === 0 || x !== all[i - 1])");
    TEST_TEXT("[ 0, 3840 ]", json_object_to_json_string(lost));
    json_object_put(lost);
    lost = browser_value(
        chromium, "(() => { const r = JSON.parse(document.getElementById('data').textContent).run;"
                  " return r.ledger.every(([a, b, c, d]) => Math.abs(a - b - c - d) < 1e-6); })()");
    CU_ASSERT(json_object_get_boolean(lost));
    json_object_put(lost);
}

/* What a plot says at a time is what the trace has there. */
static void plots_say_what_the_trace_has(void)
{
    if (!have_browser())
        return;
    open_page("examples/capacitors.hbg", "");
    outcome o = run("simulate examples/capacitors.hbg -q");
    const char *last = strrchr(o.out, '\n');
    for (last--; last > o.out && last[-1] != '\n';)
        last--;
    double final = strtod(strrchr(last, ',') + 1, NULL);
    json_object_put(browser_value(chromium, "document.getElementById('tab-run').click()"));
    move_slider(1000);
    double shown = browser_number(
        chromium, "(() => { const m = JSON.parse(document.getElementById('data').textContent);"
                  " const b = atob(m.run.traces[m.run.traces.length - 1].value);"
                  " const v = new DataView(Uint8Array.from(b, c => c.charCodeAt(0)).buffer);"
                  " return v.getFloat32(v.byteLength - 4, true); })()");
    CU_ASSERT_DOUBLE_EQUAL(shown, final, 1e-6 * (1 + (final < 0 ? -final : final)));
    CU_ASSERT(browser_true(chromium, "[...document.querySelectorAll('.trace output')].every("
                                     "x => x.textContent !== '')"));
    outcome_clear(&o);
}

/* No two numbers at the axes overlap, not even at the origin, and lines are joined without points:
 * mitred, the peaks of a ripple are needles that reach beyond its values. */
static void axes_and_peaks_are_drawn_cleanly(void)
{
    if (!have_browser())
        return;
    open_page("examples/boost_peak.hbg", "");
    browser_look(chromium, 1300, 1300, false);
    json_object_put(browser_value(chromium, "document.getElementById('tab-run').click()"));
    json_object_put(browser_value(chromium, "new Promise(done => setTimeout(done, 400))"));
    static const char overlapping[] =
        "[...document.querySelectorAll('.chart')].map(chart => {"
        " const box = [...chart.querySelectorAll('.dygraph-axis-label')].filter(x => x.textContent)"
        ".map(x => { const r = document.createRange(); r.selectNodeContents(x);"
        " return r.getBoundingClientRect(); });"
        " return box.length < 4 || box.some((a, i) => box.slice(i + 1).some(b => a.left < b.right "
        "&&"
        " b.left < a.right && a.top < b.bottom && b.top < a.bottom)); }).filter(x => x).length";
    CU_ASSERT_EQUAL(browser_number(chromium, overlapping), 0);
    CU_ASSERT(browser_true(chromium, "[...document.querySelectorAll('.chart')].every(chart => "
                                     "[...chart.querySelectorAll('canvas')].some(x => "
                                     "x.getContext('2d').lineJoin === 'round'))"));
    browser_look(chromium, 0, 0, false);
    check_silent("boost_peak");
}

static void hostile_text_stays_text(void)
{
    static const char model[] =
        "model x \"</script><script>window.hacked=1</script><img src=x onerror=alert(1)> &lt; "
        "\\\\u003c\"\n"
        "Se V = 1\nI L = 1\nR R1 = 1\n1 j\nV -> j -> L\nj -> R1\n# <b>text</b> </script>\n"
        "output i = f(L)\nsimulate to 1 every 0.1\n";
    char path[128];
    if (!have_browser())
        return;
    run_write_file("hostile.hbg", model, sizeof model - 1);
    snprintf(path, sizeof path, "%s/hostile.hbg", run_folder());
    open_page(path, "");
    json_object *title = browser_value(chromium, "document.querySelector('h1').textContent");
    TEST_TEXT("</script><script>window.hacked=1</script><img src=x onerror=alert(1)> &lt; \\u003c",
              json_object_get_string(title));
    json_object_put(title);
    CU_ASSERT(browser_true(chromium, "window.hacked === undefined"));
    CU_ASSERT_EQUAL(browser_number(chromium, "document.querySelectorAll('img, b').length"), 0);
    CU_ASSERT_EQUAL(browser_number(chromium, "document.querySelectorAll('script').length"), 3);
    json_object *text = browser_value(chromium, "document.getElementById('text').textContent");
    TEST_TEXT(model, json_object_get_string(text));
    json_object_put(text);
    check_silent("hostile");
}

/* The policy lets no script in that was not there when the program was built. */
static void the_policy_allows_only_its_own(void)
{
    if (!have_browser())
        return;
    open_page("examples/chopper.hbg", "--no-run");
    CU_ASSERT(browser_true(
        chromium,
        "(() => { const s = document.createElement('script'); s.textContent = 'window.in = 1';"
        " document.body.append(s); return window.in === undefined; })()"));
    CU_ASSERT(strlen(browser_complaints(chromium)) > 0);
}

/* 2^128 modes: still right, and quick to turn a switch. */
static void an_arm_of_many_cells_is_shown(void)
{
    if (!have_browser())
        return;
    char *text = test_read_file("examples/arm.hbg"), path[128];
    struct stat s;
    jn_str model;
    jn_str_init(&model);
    const char *loop = strstr(text, "1..8 {");
    CU_ASSERT_PTR_NOT_NULL_FATAL(loop);
    jn_str_addf(&model, "%.*s1..64 {%s", (int)(loop - text), text, loop + 6);
    run_write_file("arm64.hbg", model.s, model.len);
    snprintf(path, sizeof path, "%s/arm64.hbg", run_folder());
    open_page(path, "--no-run");
    check_random_modes(path, 2);
    double middle = browser_number(
        chromium,
        "(() => { const sw = [...document.querySelectorAll('#switches button')];"
        " const took = []; for (let i = 0; i < 21; i++) { const t = performance.now();"
        " sw[(37 * i) % sw.length].click(); document.body.offsetHeight;"
        " took.push(performance.now() - t); } return took.sort((a, b) => a - b)[10]; })()");
    double drawn = browser_number(chromium, "performance.getEntriesByType('navigation')[0]"
                                            ".domContentLoadedEventEnd");
    CU_ASSERT(stat(page_path(), &s) == 0 && s.st_size < 400000);
    printf("%.0f kB, drawn after %.0f ms, a switch of 128 turns in %.1f ms ",
           (double)s.st_size / 1000, drawn, middle);
    CU_ASSERT(middle < 50);
    check_silent("arm64");
    jn_str_clear(&model);
    free(text);
}

/* Eight cells in one frame: each can be chosen, is told apart, and comes up when its switch is
 * pointed at; --unfold draws them all. */
static void folded_parts_can_be_chosen(void)
{
    const char *name =
        "document.querySelectorAll('#picture .switch')[0].getAttribute('aria-label')";
    if (!have_browser())
        return;
    open_page("examples/arm.hbg", "");
    CU_ASSERT_EQUAL(browser_number(chromium, "document.querySelectorAll('#picture .fold').length"),
                    1);
    CU_ASSERT_EQUAL(
        browser_number(chromium, "document.querySelectorAll('#picture .switch').length"), 2);
    json_object_put(browser_value(chromium,
                                  "(() => { const p = document.querySelector('#parts input');"
                                  " p.value = 3; p.dispatchEvent(new Event('input')); })()"));
    json_object *text = browser_value(chromium, name);
    TEST_TEXT("cell[3].insert", json_object_get_string(text));
    json_object_put(text);
    json_object_put(browser_value(chromium,
                                  "document.querySelector('#picture .switch').dispatchEvent("
                                  "new MouseEvent('click', {bubbles: true}))"));
    CU_ASSERT(browser_true(chromium, "document.querySelectorAll('#switches button')[4]"
                                     ".getAttribute('aria-checked') === 'false'"));
    json_object_put(browser_value(chromium,
                                  "document.querySelectorAll('#switches button')[15]"
                                  ".dispatchEvent(new Event('pointerover', {bubbles: true}))"));
    text = browser_value(chromium, name);
    TEST_TEXT("cell[8].insert", json_object_get_string(text));
    json_object_put(text);
    check_silent("arm");
    open_page("examples/arm.hbg", "--no-run --unfold");
    CU_ASSERT_EQUAL(
        browser_number(chromium, "document.querySelectorAll('#picture .switch').length"), 16);
}

/* ---- pictures, for people ------------------------------------------------------------------ */

static void shoot(const char *name, const char *tab, int width, int height, bool dark)
{
    char path[512], click[128];
    browser_look(chromium, width, height, dark);
    snprintf(click, sizeof click, "document.getElementById('tab-%s').click()", tab);
    json_object_put(browser_value(chromium, click));
    json_object_put(browser_value(chromium, "new Promise(done => setTimeout(done, 400))"));
    snprintf(path, sizeof path, "%s/%s-%s-%s-%d.png", getenv("PAGE_SHOTS"), name, tab,
             dark ? "dark" : "light", width);
    CU_ASSERT(browser_shot(chromium, path));
}

static void pictures_are_taken_if_asked(void)
{
    static const char *const models[] = {"chopper", "inverter", "bitank",
                                         "arm",     "hbridge",  "clutch"};
    static const char *const tabs[] = {"mode", "run", "all", "words"};
    char path[128];
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        snprintf(path, sizeof path, "examples/%s.hbg", models[i]);
        open_page(path, "");
        move_slider(400);
        for (size_t k = 0; k < sizeof tabs / sizeof *tabs; k++) {
            shoot(models[i], tabs[k], 1400, 1000, k % 2);
            shoot(models[i], tabs[k], 390, 1200, k % 2 == 0);
        }
    }
}

/* ---- the suite ----------------------------------------------------------------------------- */

static int start(void)
{
    chromium = browser_open();
    return 0;
}

static int finish(void)
{
    browser_close(chromium);
    run_remove_folder();
    return 0;
}

void suite_page(void)
{
    CU_pSuite suite_ = CU_add_suite("page", start, finish);
    TEST_ADD(modes_are_shown);
    TEST_ADD(forbidden_modes_are_told);
    TEST_ADD(junctions_of_the_drawing_are_switches);
    TEST_ADD(an_element_lights_up);
    TEST_ADD(keys_are_enough);
    TEST_ADD(events_tell_what_was_passed);
    TEST_ADD(heat_is_a_power);
    TEST_ADD(folded_parts_can_be_chosen);
    TEST_ADD(every_example_has_a_page);
    TEST_ADD(a_run_is_played);
    TEST_ADD(powers_are_shown);
    TEST_ADD(the_ledger_adds_up);
    TEST_ADD(plots_say_what_the_trace_has);
    TEST_ADD(axes_and_peaks_are_drawn_cleanly);
    TEST_ADD(hostile_text_stays_text);
    TEST_ADD(the_policy_allows_only_its_own);
    TEST_ADD(an_arm_of_many_cells_is_shown);
    if (getenv("PAGE_SHOTS"))
        TEST_ADD(pictures_are_taken_if_asked);
}
