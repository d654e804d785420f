/* limits.h: every tolerance of a run, with its reason.
 *
 * "This part of" a quantity means: the tolerance is the constant times that quantity. */
#ifndef LIMITS_H
#define LIMITS_H

#include <float.h>

/* ---- rounding ------------------------------------------------------------------------------ */

/* A sum of products of doubles is off by about the roundings of its terms: this many units in the
 * last place of the sum of their magnitudes. Errors of long sums grow like the square root of their
 * length; the terms of short ones come out of a propagation, which rounds as well. */
#define NOISE_OF_SUM (9 * DBL_EPSILON)
/* A value may be 0 by chance. Only one that the structure of the mode keeps at 0 is known without any
 * error; every other one has at least this bound. */
#define NOISE_OF_ANY DBL_MIN
/* Bounds of error hold for most sums, not for all. Where switches would change for ever, a difference
 * decides nothing unless it is this many times its bound. */
#define CLEAR_OF_LOOP 16
/* Where the sign of a rate decides in which mode the run goes on, the rate has to exceed this part of
 * the terms that it is the sum of. */
#define RATE_OF_CHOICE 1e-9
/* A variable that was larger before still carries the rounding of that time: it counts as this part of
 * its largest value at least. */
#define NOISE_OF_PAST 1e-2
/* In a rate large terms may cancel; the rounding they leave grows with the time that is followed. */
#define NOISE_OF_RATE (18 * DBL_EPSILON)
/* The state after a jump is the solution of linear equations; a condition number of 1e5 costs as many
 * digits. In parts of the states before and after the jump. */
#define NOISE_OF_JUMP 1e-11
/* A state is never taken to be off by more than this part of the largest of its kind. */
#define OFF_OF_MOST 1e-9
/* A current that is cut off while it is below this part of its own bound of error has been 0 already:
 * there is no jump. Crossings are mostly found far better than their bounds say. */
#define NO_JUMP 1e-3
/* Sources that ought to agree may differ by this part of their values. */
#define NOISE_OF_CONFLICT 1e-12
/* What nothing determines cancels in a sum that is determined, but for rounding: up to this part of its terms. */
#define OPEN_PART 1e-9
/* A jump that changes the energy by less than this part of what there is changes nothing. (Energies are
 * squares: in states that is 1e-12.) */
#define NOISE_OF_ENERGY 1e-24
/* A jump of passive elements that gains more than this part of the energy around it is a bug. */
#define GAIN_OF_JUMP 1e-9

/* A law said to be passive that has given back more than this part of the most it had taken up is not. */
#define GAIN_OF_LAW 1e-6
/* Near rest: a residue below this part of the energy that the efforts and flows could have stored
 * says nothing. */
#define REST_OF_POSSIBLE 1e-9
/* ... and so is what a law gives below this part of what all storages would hold: a few roundings. */
#define ROUNDED_REST 1e-15

/* What is crossed at once, and gets clear of noise only after this part of a stretch, tells no time. */
#define TIMELESS 1e-3

/* Of all energy that went to and fro, the part that may be lost to rounding without being a fault. */
#define ROUNDED_OF_GROSS 1e-8

/* Rate times duration of a stretch: beyond this, one matrix exponential in doubles holds no digits of
 * what is slow. */
#define STIFFEST 1e8

/* The part of a run that counts as a short while: a state that would take longer to get anywhere
 * stands still as far as step sizes and tolerances are concerned. */
#define SHORT_WHILE 0.025

/* ---- the integrator ------------------------------------------------------------------------ */

/* Relative error of a step, unless another is asked for: as small as doubles allow, with room for the
 * rounding of nine stages. The absolute error is STEP_FLOOR of it, of the largest value so far. */
#define STEP_RTOL 1e-11
#define STEP_FLOOR 1e-3
/* Rows of a step hold to this part of what is asked for of unknowns: as far may each of them be off. */
#define PART_OF_ASKED 0.1
/* The error that rounding of all other unknowns makes in one, estimated by the slopes at one point,
 * counts up to this part of its size: slopes may be steep at just that point. */
#define MOST_SPREAD 1e-6
/* A storage that holds nothing yet has the scale of what flows into it during this part of the time that
 * is asked for... */
#define SCALE_OF_WHILE 1e-2
/* ... and one that holds less than this part of that scale counts as holding nothing. */
#define NOTHING_BESIDE 1e-6
/* Steps of no more than this many spacings of doubles, this many of them in a row, lead nowhere: a
 * source or a state grows without bound. */
#define CREEPING 64
#define CREEPING_STEPS 200
/* Just before a pole is this part of the time before it: what has no pole there moves no further meanwhile. */
#define NEAR_POLE 1e-9
/* Radau's method does better than its tolerance: values are known to this part of it, ... */
#define NOISE_OF_STEP 0.1
/* ... relative to this part of the largest value so far, at least. */
#define NOISE_OF_PEAK 0.1
/* What an interpolation of values leaves out that were solved for at each point is scatter if it is no more than this
 * part of them, and does not fall with the length: leaks that are known as well as this are not served early. */
#define SCATTER_OF_SOLVED 1e-6
/* What a resistor is given must be known to this part of the largest value of its kind. Otherwise events
 * could be missed, and the run stops and says so. */
#define LOST_IN_NOISE 1e-3
/* A bound of noise beyond this part of the largest value of its kind is no rounding any more: a condition that it alone keeps
 * from being decided, for longer than such a part of the run, stops it (run_hidden.c). */
#define HIDDEN_IN_NOISE 1e-6
#define HIDDEN_WHILE 1e-3
/* A resistor that misses this is served early in the elimination (see serve_early in run.c). The bound is
 * lower than the one above: among leaks of one size at many places, those that are served early take
 * accuracy from those that are not. */
#define EARLY_IN_NOISE 1e-6
/* Within this part of a stretch energies are not those of its series, which knows 1e-15 of the largest power on it: more
 * than a millionth of what there is at its start. Two points are as good as twice this part to the fourth power. */
#define FIRST_OF_STRETCH 1e-6
/* Flows that are no more than this part of what the efforts there are would drive through any resistor are none yet, and
 * have no accuracy to lose; efforts likewise. */
#define NOISE_OF_NOTHING 1e-14
/* A transient that is over at once may begin with values this many times those around it. */
#define SETTLES_WITHIN 1e3
/* Resistors whose values differ by less than this factor are leaks alike: what settles beside them does so together. */
#define ALIKE 1e3
/* ... if that takes no more than this part of the time that is asked for. */
#define SETTLES_IN 1e-4
/* A leak may have had the largest effort there is, and get that of the other sign. */
#define RELAXED_BY 2
/* After so many of its time constants, and those of what it is coupled to, it is where the mode has it. */
#define SETTLED_AFTER 4
/* An impulse is one if it exceeds the errors of the states around it by this factor. */
#define CLEAR_OF_STEP 100

/* Between the nodes of a step, or the samples of a comparison, a term of time may go beyond the values at the
 * nodes by this part of their range; if it goes further, the step is too long... */
#define BRIEF_BEYOND 0.5
/* ... unless that is less than this part of the sum it belongs to, which no step is accurate to. */
#define BRIEF_LEAST 1e-12

/* √x and x^p with p < 1 are infinitely steep at 0. They are rounded off there, within this part of the
 * largest x so far: two levels that meet are level to that part. */
#define STEEP_PART 1e-12
/* ... or within this part of the error of x, about the rounding of the terms that x is the difference of; */
#define STEEP_NOISE 1e-3
/* ... or within this many times what the tolerances of steps make of x: a step that need not tell two values
 * apart must not see a bend between them, or Newton's method goes to and fro. */
#define STEEP_TOLERANCE 4
/* The least of these, for a start at 0. */
#define STEEP_LEAST 1e-26

/* A law whose values on the two sides of a kink agree to this part is smooth there. */
#define SAME_LAW 1e-14

/* A law is flat at 0 if its slope at FLAT_NEAR is no more than this part of its slope at 1. */
#define FLAT_NEAR 1e-40
#define FLAT_SLOPE 1e-9
/* ... and of that within this part of 1 no more than such a part as well: else it is steep farther out. */
#define FLAT_WITHIN 1e-3
/* To a flat law that has to be inverted a slope is added (integrate_flat.c): this part of the largest value that
 * it has had... */
#define FLAT_PART 1e-13
/* ... and where that slope alone would have to give more than this part of the value asked for, the law has
 * no such value. */
#define FLAT_MOST 1e-9

/* A ratio whose inverse is so many times as large as it was, and then as large with the other sign, was 0 in between. */
#define RATIO_OF_POLE 1e4

/* To a law whose slope fades, as that of a diode, a slope is added that gives this part of the largest it has given
 * where it is given the largest: somewhat more than the rounding of that. */
#define FAINT_PART 1e-14
/* ... and another one only where it would be so many times as large: each is a small jump of what it determines. */
#define FAINT_GROWS 4
/* Where a law has come to its end, as that of a check valve against which the flow is driven, its inverse is by so many
 * times beyond all that there is: more than anything could ask for, and little enough to leave its digits to what
 * is a share of it. */
#define BEYOND_ALL 16
/* ... and further than this part of all there is the law cannot be asked to go. */
#define MOST_BEYOND 1e-6

/* ---- sliding and accumulation -------------------------------------------------------------- */

/* Rates on the two sides of a surface that differ by no more than this part are the same: the surface is a
 * kink, and the solution goes through it. */
#define SAME_RATE 1e-12
/* Jumps into the modes on both sides are the same jump if the states after them differ by less than this
 * part of the energy there is. */
#define SAME_STATE 1e-18
/* A share this close to 0 or 1 counts as 0 or 1. */
#define SHARE_SLACK 1e-9
/* The equations of shares are independent if their pivots exceed this part of their coefficients:
 * differences of rates are known to about 1e-12. */
#define REGULAR_SHARES 1e-9
/* A mean of rates on both sides is known to this part of those rates, however small the mean is. */
#define NOISE_OF_MIX (64 * DBL_EPSILON)
/* A change of a share that is none: shares are about 1, and the rates that decide on them are sums of some tens of terms. */
#define SAME_SHARE 1e-13
/* The error of a share along a stretch: it is solved for, to about the rounding of doubles. */
#define NOISE_OF_SHARE 1e-12
/* The series of a share along a stretch is trusted if its last coefficients are no larger than this. Where the
 * share leaves [0, 1] is then found by a few steps of Newton's method. */
#define SMOOTH_SHARE 1e-7
/* More instants than MOST_CROWD within the part CROWD_SPAN of the time are too many. An instant that is an
 * event counts as CROWD_OF_EVENT of them. */
#define MOST_CROWD 500
#define CROWD_OF_EVENT 2
/* After so many nothing is taken to rest on a surface that was asked at the same time. */
#define CROWD_TIRED 100
#define CROWD_SPAN 1e-9
/* A run that returns to a surface within this part of the time before has not left it: an integrated solution
 * locates crossings no better. */
#define SAME_POINT 1e-9
/* Times within this part of each other are the same. */
#define SAME_TIME (64 * DBL_EPSILON)
/* Changes at one instant before the run stops because they never end, even if no state occurs twice
 * (a counter makes each of them new). */
#define MOST_CHANGES 10000
/* Events accumulate if their limit is within this part of the time itself. What is compared there vanishes like
 * the square of the time that is left, as the height of a bounce does: a value that is known to 1e-15
 * locates times to the root of that, 3e-8. The intervals must be some tens of times longer, so that their
 * ratio is known... */
#define ZENO_INTERVAL 1e-6
/* ... and where values are known to STEP_RTOL only, in integrated runs and slides, 3e-6 takes the place of 3e-8. */
#define ZENO_SLIDING 3e-5
/* A floor at 300 blurs bounces sooner than one at 0. Where ratios of intervals begin to scatter by more than ZENO_BLUR,
 * their limit is known no better later on; it has to be within ZENO_BLURRED of the time then. */
#define ZENO_BLUR 1e-6
#define ZENO_BLURRED 1e-3
/* What is extrapolated is surely known to so many times what two extrapolations differ by. */
#define ZENO_UNSURE 10
/* Something else that happens before the limit comes first, while what accumulates is still followed, until it is
 * within this part of these. */
#define ZENO_NEAREST 0.1
/* A state that differs by less than this part of its change from what it would be without the events takes no
 * part in their accumulation. */
#define ZENO_BYSTANDER 1e-3
/* Each of the last intervals must have been at most this part of the one before. */
#define ZENO_RATIO 0.999
/* Extrapolated states are known to this part of the distance they are extrapolated over, ... */
#define ZENO_NOISE 1e-7
/* ... and no better than this part of what the energy so far could have made them. */
#define ZENO_PAST 1e-8
/* Events that nothing is seen to cross at are lost in rounding. Such a one counts as 2, any other takes 1 from that; so
 * many are too many. What jumps at them is no more than this part of what the energy so far could have made it. */
#define MOST_UNSEEN 16
/* ... Where something is crossed later, such an event comes within this part of the time until then. */
#define CLEARLY_BEFORE 0.999
#define ZENO_UNSEEN 1e-3

/* Swings across a surface that a slide replaces have become so much shorter than they were... */
#define CHATTER_SHRUNK 0.1
/* ... at one rate, within this factor, while they became shorter by it ... */
#define CHATTER_APART 2
/* ... and lose this part of their length at most, each: about 2/part of them would follow until they are a third of what
 * they are, and ġ is that part of what it could be. A step of the integrator takes thirty times as long. */
#define CHATTER_LOSS 1e-5
#define CHATTER_LOSS_OF_STEPS 3e-4
/* What a relay does to ġ itself is no more than this part of it. */
#define SAME_SWING 1e-6
/* Where a run rests on a surface of this kind nothing has swung: a swing would take this part of a short while, which leaves
 * half of the digits of a difference of rates; g is brought back by this part of the rate of ġ. */
#define SWING_OF_WHILE 1e-5
#define SWING_AT_REST 0.1
/* Parts of a swing: a difference from which ġ is differentiated once more, and how fast ġ is brought to 0, which takes a
 * quarter of the room that there is for shares at most; and g, beside the rate at which swings died down: faster, it would
 * be its rounding that shares follow. */
#define SWING_STEP 3
#define SWING_BACK 0.5
#define SWING_FADES 5

/* ---- states -------------------------------------------------------------------------------- */

/* The squares of larger states, and the errors of these, are beyond doubles. */
#define MOST_STATE 1e140
/* Likewise, smaller states are at rest. */
#define LEAST_STATE 1e-140
/* Values that differ by this factor cannot be in one model: in their sums the smaller one is lost, and their
 * products and squares leave the range of doubles. */
#define LEAST_RATIO 1e-100

/* ---- memory ----------------------------------------------------------------------------------- */

/* Megabytes for the modes that a run has met, and the part of them that is kept when these are used up. A
 * mode of an arm of 64 cells takes 0.05 MB, and making one anew takes ten times as long as an event. */
#define MODES_MEGABYTES 400
#define MODES_KEPT 0.75

/* ---- conditions ---------------------------------------------------------------------------- */

/* `=` holds where the sides differ by no more than this part: a crossing is met on its far side. */
#define EQUAL_SIDES 1e-12
/* A sum that is no more than this part of its terms is kept at 0 by the mode. */
#define HELD_ROUNDING 1e-13
/* A sampled comparison is smooth if the last coefficients of its series are no larger than this part, */
#define SMOOTH_TAIL 1e-13
/* and it is known to this part of its largest value. */
#define SMOOTH_NOISE 1e-14

#endif
