/* latex.h: from LaTeX to PDF. */
#ifndef CLI_LATEX_H
#define CLI_LATEX_H

#include "cli.h"

/* Makes folder/name.pdf from folder/name.tex; what goes wrong is said on standard error. Returns
 * the exit code. */
int cli_latex(const char *folder, const char *name);
/* Removes the files that LaTeX leaves beside the PDF. */
void cli_latex_tidy(const char *folder, const char *name);

#endif
