/* cmd_verify.c: junct verify */
#include "cli.h"
static const cli_option options[] = { CLI_OPTION_END };
static int run(const cli_args *args)
{
    cli_model m;
    int code = cli_model_load(&m, args->operand, CLI_JUNCTION, true);
    if (code == CLI_DONE) {
        jn_verification *v;
        jn_verify_options o = {.seconds = 60};
        jn_status st = jn_verify(&v, m.junction, &o, m.diags);
        code = cli_model_report(&m, st);
        if (code == CLI_DONE) {
            printf("settling %s %d %s\n", jn_proof_name(v->settling.verdict), v->changes, v->settling.why ? v->settling.why : "");
            printf("dead %s %s\n", jn_proof_name(v->dead_ends.verdict), v->dead_ends.why ? v->dead_ends.why : "");
            printf("races %s %s\n", jn_proof_name(v->races.verdict), v->races.why ? v->races.why : "");
            printf("never %d %s\n", v->nnever, v->never_why ? v->never_why : "");
            for (int i = 0; i < v->nasserts; i++) printf("assert %s %s\n", jn_proof_name(v->assertion[i].verdict), v->assertion[i].why ? v->assertion[i].why : "");
            for (int i = 0; i < v->nvague; i++) printf("vague %s\n", v->vague[i].why);
            printf("%g s\n", v->seconds);
            jn_verification_free(v);
        }
    }
    cli_model_clear(&m);
    return code;
}
const cli_command cmd_verify = { .name = "verify", .operand = "FILE", .summary = "Prove that switching settles", .options = options, .run = run };
