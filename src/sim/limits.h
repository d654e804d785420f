/* limits.h: every tolerance of a run, with its reason. */
#ifndef LIMITS_H
#define LIMITS_H

#include <float.h>

/* ---- rounding ------------------------------------------------------------------------------ */

/* A sum of products of doubles is off by about the roundings of its terms: this many units in the
 * last place of the sum of their sizes. Long sums round like their square root; short ones have
 * been through a propagation before, which rounds as well. */
#define NOISE_OF_SUM (9 * DBL_EPSILON)
/* What happens to be 0 is not known to be: only what nothing in the mode makes other than 0 has no noise. */
#define NOISE_OF_ANY DBL_MIN
/* Bounds of error are what sums come to mostly, not at most. Where switches would change for ever, what is no
 * clearer than so many times its bound has nothing to say. */
#define CLEAR_OF_LOOP 16
/* Where the sign of a rate decides on which side a mode goes on, it has to be clear of this part of its terms. */
#define RATE_OF_CHOICE 1e-9
/* What was larger once may have left its rounding behind: so much of the largest value counts. */
#define NOISE_OF_PAST 1e-2
/* A rate is a sum in which large terms may cancel; what they leave grows with time. */
#define NOISE_OF_RATE (18 * DBL_EPSILON)
/* The state after a jump is solved for: conditions of 1e5 cost as many digits. In parts of the
 * states before and after it. */
#define NOISE_OF_JUMP 1e-11
/* A state that comes to an instant is off by no more than this part of the largest of its kind. */
#define OFF_OF_MOST 1e-9
/* A current that is cut off where it is no more than this part of what it may be off by does not jump: a crossing
 * is mostly found much better than that. */
#define NO_JUMP 1e-3
/* How far sources that ought to agree may be apart, in parts of their values. */
#define NOISE_OF_CONFLICT 1e-12
/* Parts of sizes of energies: a change of the state below it is none. Its root is that of states. */
#define NOISE_OF_ENERGY 1e-24
/* A jump of passive elements that gains more than this part of the energy around is a bug. */
#define GAIN_OF_JUMP 1e-9

/* A passive law that gives more power than this part of the most it has taken up is not kept. */
#define GAIN_OF_LAW 1e-6
/* Where all is at rest: energies below this part of what efforts and flows could have stored are
 * none. */
#define REST_OF_POSSIBLE 1e-9

/* Of all energy that went anywhere, the part that may be lost to rounding and still be small. */
#define ROUNDED_OF_GROSS 1e-8

/* What is faster than this, beside the time that is to be followed, leaves no digits in one matrix
 * of doubles for what is slow. */
#define STIFFEST 1e8

/* A while that is short beside the run: what moves so little that it would take longer to get anywhere
 * stands still as far as step sizes and tolerances are concerned. */
#define SHORT_WHILE 0.025

/* ---- the integrator ------------------------------------------------------------------------ */

/* Relative error of a step, unless asked for otherwise: what follows from doubles with room for
 * the roundings of nine stages. The absolute one is a thousandth of that of the largest value. */
#define STEP_RTOL 1e-11
#define STEP_FLOOR 1e-3
/* What rounding of all the others makes of an unknown by slopes that are those of one point: this part of it at most. */
#define MOST_SPREAD 1e-6
/* What a storage would hold after such a part of a short while, as fast as it is filled, sets its scale
 * where it holds nothing. */
#define SCALE_OF_WHILE 1e-2
/* ... and states that are no more than this part of that hold nothing. */
#define NOTHING_BESIDE 1e-6
/* Steps that are no longer than so many times what tells two times apart, so many of them in a row,
 * lead nowhere: a source or a state grows without bound. */
#define CREEPING 64
#define CREEPING_STEPS 200
/* Radau's method keeps well within its tolerance; this part of it is what values are known to. */
#define NOISE_OF_STEP 0.1
/* ... and not less than this part of the largest value there was. */
#define NOISE_OF_PEAK 0.1
/* What a resistor is given must be known to this part of what there is elsewhere: else events would
 * be missed, and the run says so instead. */
#define LOST_IN_NOISE 1e-3
/* ... where it cannot be served early instead. With leaks of one size at many places some would be and others
 * not, were this the same: then those that are take rates from those that are not, and are known no better. */
#define EARLY_IN_NOISE 1e-6
/* What settles in no time may at first be so many times as large as what there is elsewhere. */
#define SETTLES_WITHIN 1e3
/* An impulse counts when it is clear of the errors of the states around it by this factor. */
#define CLEAR_OF_STEP 100

/* Between the nodes of a step, or the samples of a comparison, a term of time goes no further beyond what they see of it
 * than this part of what it moves through there: else the step is too long... */
#define BRIEF_BEYOND 0.5
/* ... but for this part of all that it is added to, which is beyond what is asked of a step. */
#define BRIEF_LEAST 1e-12

/* √x and x^p, p < 1, are infinitely steep at 0. They are rounded off there, within this part of the
 * largest x there was: levels that meet are level to that part. The rest is for a start at nothing. */
#define STEEP_PART 1e-12
/* ... or within this part of how far x may be off: about the rounding of what it is a difference of. */
#define STEEP_NOISE 1e-3
/* ... or within so much of what the tolerances of steps make of it: what a step is not asked to tell is no reason
 * for a law to bend there, and Newton's method would go to and fro in it. */
#define STEEP_TOLERANCE 4
#define STEEP_LEAST 1e-26

/* A law that is this nearly the same on both sides of a kink, to rounding, is the same. */
#define SAME_LAW 1e-14

/* A law is flat at 0 where its slope, so near to it, is no more than this part of that at 1. */
#define FLAT_NEAR 1e-40
#define FLAT_SLOPE 1e-9
/* To one that is inverted no more is added than this part of what it has given... */
#define FLAT_PART 1e-13
/* ... and has no value where that alone would make up more than this part of it. */
#define FLAT_MOST 1e-9

/* ---- sliding and accumulation -------------------------------------------------------------- */

/* Rates on both sides of a surface are the same where they differ by no more than this part of what they are: on a kink
 * they do not differ, and the solution goes through it. */
#define SAME_RATE 1e-12
/* Jumps into the modes on both sides are one where the states after them differ by energies below
 * this part of what there is. */
#define SAME_STATE 1e-18
/* A share that is as close to 0 or 1 has come to it; so has one that Newton's method leaves there. */
#define SHARE_SLACK 1e-9
/* Shares whose equations are as close to dependent ones as this part of their coefficients are not
 * determined: differences of rates are known to about 1e-12. */
#define REGULAR_SHARES 1e-9
/* The mean of rates on both sides is known to this part of these, however little is left of them; and what it makes of
 * a state in a step. */
#define NOISE_OF_MIX (64 * DBL_EPSILON)
/* How far a share along a stretch may be off: it is solved for, to about the roundings of doubles. */
#define NOISE_OF_SHARE 1e-12
/* The last coefficients of its series are this small where the series can be trusted; what leaves
 * [0, 1] by it is then found by a few steps of Newton's method. */
#define SMOOTH_SHARE 1e-7
/* So many instants within such a part of the time are too many. */
#define MOST_CROWD 500
#define CROWD_OF_EVENT 2
#define CROWD_SPAN 1e-9
/* A surface that is come back to after such a part of the time before has not been left: on a
 * solution that is integrated a crossing is known as well as this. */
#define SAME_POINT 1e-9
#define SAME_TIME (64 * DBL_EPSILON) /* times that can hardly be told apart */
/* Changes at one instant before it is said that they never end, even if no state comes twice
 * (a counter makes each of them new). */
#define MOST_CHANGES 10000
/* Events whose limit is within this part of the time itself accumulate. What is compared there comes to be equal
 * with the square of the time that is left, as the height of a bounce does: a value that is known to 1e-15 of what
 * it was leaves times known to the root of that, 3e-8. Intervals must be clear of it by some tens for their ratio
 * to be known... */
#define ZENO_INTERVAL 1e-6
/* ... and where values are known to STEP_RTOL, 1e-11, as those of integrated runs and slides, of its root, 3e-6. */
#define ZENO_SLIDING 3e-5
/* What is extrapolated as if there were no more events, but for this part of how far it goes, has no
 * part in them. */
#define ZENO_BYSTANDER 1e-3
/* ... if each of the last ones was at most so much of the one before. */
#define ZENO_RATIO 0.999
/* Extrapolated states are known to this part of how far they have come. */
#define ZENO_NOISE 1e-7
/* ... and no better than this part of what the energy there was would make them. */
#define ZENO_PAST 1e-8

/* ---- states -------------------------------------------------------------------------------- */

/* Larger ones have no energy, nor noise, that a double holds. */
#define MOST_STATE 1e140
/* Likewise: what is smaller is at rest. */
#define LEAST_STATE 1e-140
/* Values that are this far apart have no sums of both in which the smaller one is left, nor products and squares
 * that a double holds. */
#define LEAST_RATIO 1e-100

/* ---- memory ----------------------------------------------------------------------------------- */

/* Megabytes for the modes that were met, and the part of them that is kept when that is too little.
 * A mode of an arm of 64 cells takes 0.05: modes that come again in turn are all there in most runs,
 * and making one again takes ten times as long as an event. */
#define MODES_MEGABYTES 400
#define MODES_KEPT 0.75

/* ---- conditions ---------------------------------------------------------------------------- */

/* `=` holds where the sides differ by no more: a crossing is met on its far side. */
#define EQUAL_SIDES 1e-12
/* Factors that cancel leave no more than this part of themselves: the mode keeps their sum at 0. */
#define HELD_ROUNDING 1e-13
/* A sampled comparison is smooth when the last coefficients of its series are this small. */
#define SMOOTH_TAIL 1e-13
#define SMOOTH_NOISE 1e-14

#endif
