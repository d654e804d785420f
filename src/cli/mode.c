/* mode.c: a mode that the user named. */
#include <stdlib.h>

#include "cli.h"

int cli_mode_parse(jn_onoff **mode, const jn_graph *g, const char *text)
{
    char *why = NULL;
    *mode = jn_alloc((size_t)g->nswitches * sizeof **mode);
    if (jn_mode_parse(*mode, g, text, &why) == JN_OK)
        return CLI_DONE;
    cli_complain("--mode %s: %s", text, why);
    free(why);
    free(*mode);
    *mode = NULL;
    return CLI_WRONG_USAGE;
}
