/* latex.h: from LaTeX to PDF. */
#ifndef CLI_LATEX_H
#define CLI_LATEX_H

#include "cli.h"

/* Makes a PDF of a document; what goes wrong is said on standard error. Returns the exit code. */
int cli_latex(const char *pdf, const jn_str *document);

#endif
