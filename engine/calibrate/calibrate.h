// Inside of calibrate(): which heads a profile names.
#ifndef LCTOOL_ENGINE_CALIBRATE_H
#define LCTOOL_ENGINE_CALIBRATE_H

#include "engine/calibrate/measure.h"
#include "engine/engine.h"

// Sorts the heads R [n] by how much better they rank the block that answers a question than those
// that answer others (others - rank), and gives a weight to those at least half as good as the
// best, one of each layer (Ltri-LLM, section 3.5: heads of one layer say the same). It is the
// square of that: it takes a clear lead to find what shares no word with the question, and heads
// that go by words outvote the others where all count the same. Those with a weight come first.
// Returns how many they are: 0 when none is good enough, at most 16.
int calibrate_choose(struct calibrate_head *r, int n);

// The way to divide blocks into spans whose RANK, the mean log rank of the right block, is the
// least; the usual one (theta 0.9, phi 0.1) unless another is clearly better. Indexes of
// span_thetas and span_phis.
void calibrate_division(const double rank[SPAN_THETAS][SPAN_PHIS], int *theta, int *phi);

// The smallest lambda, in steps of a quarter from 1 to 20, with which N spans of LENGTH tokens and
// attention RATIO (span.h) keep at most MOST vectors in all (Ltri-LLM, section 3.3); 0, the usual
// one, where none does.
double calibrate_lambda(const double *length, const double *ratio, int n, double most);

// The index in measure_sharpens of the one with which most answers were RIGHT from stored keys and
// values, the least of equal ones.
int calibrate_sharpen(const int right[SHARPENS][N_READ_MODES]);

// The way to read in which most of the ASKED answers were RIGHT [N_READ_MODES]; the stored keys and
// values unless another way is clearly better.
enum read_mode calibrate_read(const int right[], int asked);

// The steps of N parts of a model, from what the answers lose when each of them alone is stored
// coarsely: 1 for the half that loses least, down to 0.1 for the others as the power POWER of their
// losses says.
int calibrate_steps(const double *loss, int n, double power, float *steps, struct err *e);

// Measures how keys and values are best stored with BITS hundredths of a bit each on average
// (calibrate_store.c). MORE is told how many layers are done, first with steps, then with heads,
// and says whether there is time for another; where there was not for all of the first, all of R is
// NULL, and where not for all of the second, no head is near.
int calibrate_storing(struct measure *b, struct calibrate_storing *r, uint32_t bits,
                      int (*more)(void *arg, int done), void *arg, struct err *e);
void calibrate_storing_done(struct calibrate_storing *r);

#endif
