// Inside of calibrate(): which heads a profile names.
#ifndef LCTOOL_ENGINE_CALIBRATE_H
#define LCTOOL_ENGINE_CALIBRATE_H

#include "engine/engine.h"

// Sorts the heads R [n] by how much better they rank the block that answers a question than those
// that answer others (others - rank), and gives a weight to those at least half as good as the best,
// one of each layer (Ltri-LLM, section 3.5: heads of one layer say the same). It is the square of that: it
// takes a clear lead to find what shares no word with the question, and heads that go by words outvote
// the others where all count the same. Those with a weight come first. Returns how many they are: 0
// when none is good enough, at most 16.
int calibrate_choose(struct calibrate_head *r, int n);

// The way to read in which most of the ASKED answers were RIGHT [N_READ_MODES]; the stored keys and
// values unless another way is clearly better.
enum read_mode calibrate_read(const int right[], int asked);

#endif
