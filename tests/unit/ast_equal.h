/* ast_equal.h: comparing trees of the syntax, for tests. */
#ifndef AST_EQUAL_H
#define AST_EQUAL_H

#include "junct/syntax.h"

/* The same tree? Places and layout do not count. */
bool ast_equal(const jn_ast_block *a, const jn_ast_block *b);

#endif
