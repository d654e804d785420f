/* pieces.h: laws that jump or stay the same, piece by piece; see model_pieces.c. */
#ifndef PIECES_H
#define PIECES_H

#include "model.h"

/* Where a law rises, or the wall at which it jumps. */
typedef struct law_piece {
    double low, high; /* of the variable that the law reads; equal: a wall */
    double centre;    /* where the law has no slope; NAN: nowhere */
    int end; /* −1, 1: beyond it there is nothing, since the law goes no lower, or no higher */
} law_piece;

/* Between two pieces. */
typedef struct law_knot {
    double given;        /* what the law gives there */
    bool is_step;        /* the law stays the same from the one to the other, and its inverse jumps */
    const jn_expr *node; /* an expression that goes one way below, and another above */
} law_knot;

typedef struct law_pieces {
    int n; /* knots, with a piece on either side; 0: the law has no walls and no steps */
    law_piece *piece;
    law_knot *knot;
} law_pieces;

void jni_pieces_find(model *m); /* m->pieces */
void jni_pieces_clear(model *m);
/* What tells on which piece each law is, once all other branches are there. */
void jni_pieces_branch(branches *b);
bool jni_pieces_have_steps(const law_pieces *p);
/* A point of the piece itself, where the law has its value. */
double jni_piece_inside(const law_piece *p, double x);

#endif
