/* cmd_verify.c: junct verify */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "junct/write_verify.h"

enum { DEFAULT_SECONDS = 60 };

static const cli_option options[] = {
    CLI_OPTION_JSON,
    CLI_OPTION_SET,
    {"max-seconds", 0, "S", "processor time for all questions, default 60; 0: any"},
    {"max-changes", 0, "N", "of one instant, default 40"},
    CLI_OPTION_OUTPUT,
    CLI_OPTION_END,
};

static int run(const cli_args *args)
{
    cli_model m;
    int code = cli_model_load(&m, args->operand, CLI_JUNCTION, true);
    if (code == CLI_DONE) {
        jn_verification *v;
        jn_verify_options o = {.seconds = getenv("SEC") ? atof(getenv("SEC")) : DEFAULT_SECONDS};
        jn_status st = jn_verify(&v, m.junction, &o, m.diags);
        code = cli_model_report(&m, st);
        if (code == CLI_DONE) {
            jn_str out;
            jn_str_init(&out);
            if (cli_value(args, "json"))
                jn_verify_json(&out, v);
            else
                jn_verify_text(&out, v, 100);
            code = cli_output_text(cli_value(args, "output"), &out);
            jn_verification_free(v);
        }
    }
    cli_model_clear(&m);
    return code;
}

const cli_command cmd_verify = {
    .name = "verify",
    .operand = "FILE",
    .summary = "Prove that switching settles",
    .options = options,
    .run = run,
};
