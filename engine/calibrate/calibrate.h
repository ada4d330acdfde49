// Inside of calibrate(): how measurements (measure.h) become the numbers of a profile.
#ifndef LCTOOL_ENGINE_CALIBRATE_CALIBRATE_H
#define LCTOOL_ENGINE_CALIBRATE_CALIBRATE_H

#include "engine/calibrate/measure.h"
#include "engine/engine.h"

// Chooses the heads that vote. A head's merit is how much better it ranks the block that answers a
// question than blocks that answer others (others - rank). R [n] is sorted by it, and the best head
// of each layer (Ltri-LLM, section 3.5: heads of one layer say the same) gets the square of its
// merit as weight if that is at least half of the best one's. The square, because heads that find
// what shares no word with the question have a clear lead, and would be outvoted by heads that go
// by words if all counted alike. Those with a weight come first. Returns their number, 0 to 16.
int calibrate_choose(struct calibrate_head *r, int n);

// The indexes, in span_thetas and span_phis, of the division into spans with the smallest RANK, the
// mean log rank of the right block; those of the default (theta 0.9, phi 0.1) unless another is
// clearly better.
void calibrate_division(const double rank[SPAN_THETAS][SPAN_PHIS], int *theta, int *phi);

// The smallest lambda, in steps of a quarter from 1 to 20, with which N spans of LENGTH [n] tokens
// and attention RATIO [n] (span.h) keep at most MOST vectors in all (Ltri-LLM, section 3.3); 0, the
// default, when none does.
double calibrate_lambda(const double *length, const double *ratio, int n, double most);

// The index, in measure_sharpens, of the factor with which most answers from stored keys and values
// were RIGHT; the smallest of equal ones.
int calibrate_sharpen(const int right[SHARPENS][N_READ_MODES]);

// The read mode in which most of the ASKED answers were RIGHT [N_READ_MODES]; READ_CACHED unless
// another one is clearly better.
enum read_mode calibrate_read(const int right[], int asked);

// STEPS [n] of N parts of a model from LOSS [n], what answers lose when one part alone is stored
// coarsely: (loss / median loss) to the power of -POWER, kept between 0.1 and 1.
int calibrate_steps(const double *loss, int n, double power, float *steps, struct err *e);

// Measures how coarsely keys and values can be stored with BITS hundredths of a bit an element on
// average (calibrate_store.c). MORE is told how many layers are done, first for the steps, then for
// the near heads, and says whether there is time for another. R has NULL pointers only when time
// ran out before the steps, and no near heads when it ran out after that.
int calibrate_storing(struct measure *b, struct calibrate_storing *r, uint32_t bits,
                      int (*more)(void *arg, int done), void *arg, struct err *e);
void calibrate_storing_done(struct calibrate_storing *r);

#endif
