/* words.c: the words of the language. */
#include <string.h>

#include "syntax_internal.h"

#define LIST(array)                                                                                \
    {                                                                                              \
        array, (int)(sizeof(array) / sizeof *(array))                                              \
    }

static const char *const statements[] = {"model",    "param",    "switch",   "automaton", "signal",
                                         "output",   "simulate", "submodel", "ports",     "for",
                                         "discrete", "assert",   "bound",    "domain"};
static const char *const options[] = {"p0", "f0", "q0", "e0", "priority", "detachable"};
static const char *const kinds[] = {"Se", "Sf", "I", "C", "R", "TF", "GY", "0", "1", "X0", "X1"};
static const char *const laws[] = {"diode", "transistor", "thyristor", "brake", "stop"};
static const char *const others[] = {"and", "or", "not", "when", "t", "pi"};

const word_list jni_statement_words = LIST(statements);
const word_list jni_option_words = LIST(options);
const word_list jni_kind_words = LIST(kinds);
const word_list jni_law_words = LIST(laws);
static const word_list other_words = LIST(others);

bool jni_word_in(word_list list, const char *word)
{
    for (int i = 0; i < list.n; i++)
        if (strcmp(list.word[i], word) == 0)
            return true;
    return false;
}

bool jni_word_reserved(const char *word)
{
    return jni_word_in(jni_statement_words, word) || jni_word_in(other_words, word);
}

bool jni_kind_of(jn_kind *kind, const char *word)
{
    for (int i = 0; i < jni_kind_words.n; i++) {
        if (strcmp(kinds[i], word) == 0) {
            *kind = (jn_kind)i;
            return true;
        }
    }
    return false;
}

const char *jn_kind_name(jn_kind kind)
{
    return kind == JN_BOOLEAN ? "Boolean" : kinds[kind];
}
