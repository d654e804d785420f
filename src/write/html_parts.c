/* html_parts.c: the files of src/page. */
#include "html_internal.h"

#include "page_parts.def"
