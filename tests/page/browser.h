/* browser.h: a browser without a window, driven by the DevTools protocol over a pipe. */
#ifndef BROWSER_H
#define BROWSER_H

#include <json-c/json.h>

#include "junct/base.h"

typedef struct browser browser;

browser *browser_open(void); /* NULL: this machine has none */
void browser_close(browser *b);

/* Opens a file, by its absolute path, and waits until it is loaded. */
bool browser_load(browser *b, const char *path);
/* The value of an expression of JavaScript in the page; a promise is waited for. NULL, and a
 * complaint, when it throws. Release it with json_object_put. */
json_object *browser_value(browser *b, const char *expression);
bool browser_true(browser *b, const char *expression);
double browser_number(browser *b, const char *expression);
/* width 0: as it was. */
void browser_look(browser *b, int width, int height, bool dark);
bool browser_shot(browser *b, const char *path); /* PNG */

/* What was said on the console or went wrong since the last load; "" when it is silent. */
const char *browser_complaints(const browser *b);
int browser_requests(const browser *b); /* since the last load, the file itself included */

#endif
