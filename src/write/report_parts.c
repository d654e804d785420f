/* report_parts.c: the files of reports/parts. */
#include "report_parts.h"

#include "report_parts.def"
