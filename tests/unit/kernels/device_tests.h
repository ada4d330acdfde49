// Every operation of a device against kernels/cpu/ref.c, on random and adversarial shapes: for the
// CUDA backend, emulated or real. All memory is the device's own.
#ifndef LCTOOL_TESTS_UNIT_KERNELS_DEVICE_TESTS_H
#define LCTOOL_TESTS_UNIT_KERNELS_DEVICE_TESTS_H

#include "kernels/kernels.h"

// What is tested; PRODUCT_TOLERANCE is relative to the sum of the absolute weights of a row, for
// activations between -1 and 1.
extern struct device *tested;
extern double product_tolerance;

void device_matmul(void **state);
void device_embed(void **state);
void device_rmsnorm(void **state);
void device_gate(void **state);
void device_cache(void **state);
void device_transfers(void **state);
void device_stored(void **state);
void device_keep(void **state);
void device_attend(void **state);
void device_attend_nan(void **state);
void device_scan(void **state);
void device_scan_names(void **state);
void device_scan_mass(void **state);
void device_elect(void **state);
void device_elect_most(void **state);
void device_similar(void **state);
void device_divide(void **state);
void device_best(void **state);
void device_favour(void **state);
void device_draw(void **state);
void device_unusable(void **state);
void device_coded(void **state);
void device_coded_damage(void **state);
void device_coded_names(void **state);
void device_coded_ends(void **state);
void device_attend_art(void **state);
void device_attend_art_alone(void **state);

// The golden tiny models on the device: logits as transformers has them, in chunks and one by one.
void device_models(void **state);
// Tokens one by one, whatever the device makes of passes that are alike.
void device_steps(void **state);
// Encodes in passes of several chunks, and beside a thread that writes: what is made alone.
void device_rows(void **state);
// Encodes with blocks retrieved on the way.
void device_encode_topk(void **state);
// Encodes a text on the device and on the processor and asks both: same blocks, same answers.
void device_ask(void **state);
// Every method, of indexes made here and there: same blocks, same answers.
void device_ask_methods(void **state);
// Votes with words, over several indexes, too: what is read is named, and no score of another block
// comes back.
void device_ask_words(void **state);
// The same with spans and a second vote.
void device_ask_spans(void **state);
// The same of an index that the device decodes, whole and damaged.
void device_ask_coded(void **state);
// Blocks of a question decoded together.
void device_ask_together(void **state);
// The same with blocks that single tokens may leave unread.
void device_ask_art(void **state);
// Answers that copy, and those that say nothing twice: tokens alone come back, not logits.
void device_ask_copies(void **state);
void device_write(void **state);
// Questions on a device made new, of which the N-th allocation or (WAITS) the N-th wait fails, for
// each N that there is: the processor's answer, or an error that says of what operation, and how
// much memory was needed. MAKE opens it so and tells whether the N-th of the device before came.
void device_ask_failing(int waits, int (*make)(int waits, int n));
// Answers drawn with a temperature.
void device_ask_drawn(void **state);

#endif
