/* status.h: how a call of the library ended.
 *
 * There are two channels. A status says what the caller can do about it; the
 * diagnostics (diag.h) say what the person in front of the model should know. */
#ifndef JUNCT_STATUS_H
#define JUNCT_STATUS_H

typedef enum {
    JN_OK = 0,  /* done */
    JN_INVALID, /* the model, or what was asked of it, is wrong: diagnostics say where */
    JN_UNABLE,  /* right, but beyond a limit (memory, size, convergence) */
    JN_BUG      /* an invariant of the method failed: please report it */
} jn_status;

#if defined(__GNUC__)
#define JN_CHECKED __attribute__((warn_unused_result))
#define JN_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define JN_CHECKED
#define JN_PRINTF(fmt, args)
#endif

#endif
