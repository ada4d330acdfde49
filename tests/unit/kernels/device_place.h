// A tiny model and a text, for tests that encode on a device and on the processor.
#ifndef LCTOOL_TESTS_UNIT_KERNELS_DEVICE_PLACE_H
#define LCTOOL_TESTS_UNIT_KERNELS_DEVICE_PLACE_H

#include "engine/engine.h"

// A directory with a tiny model, a profile of it that is used where place_profile wrote one, and a
// text of 60 lines.
struct place {
    char model[64], text[64], profile[64];
};

void place_new(struct place *p);
// Another text, of so many lines; one has about 30 tokens.
void place_text(const struct place *p, int lines);
void place_profile(struct place *p);
void place_done(void);

// Small blocks, that REPRESENT stands for; NULL: all keys.
struct encode_options place_options(const char *const *inputs, int n, const char *index,
                                    const char *represent, struct kvz_recipe recipe);
// The text into INDEX, with them, by D.
void place_encode(struct device *d, const struct place *p, const char *index, const char *represent,
                  struct kvz_recipe recipe);
// The model on D.
struct model *place_model(struct device *d, const struct place *p);
// What a model on D makes of an index, or of N of them, asked with O: the answer, which blocks, and
// with VOTES whose votes they have; or the error, whose number comes back.
int place_ask(struct device *d, const struct place *p, const char *index, struct ask_options o,
              char *found, size_t cap);
int place_ask_all(struct device *d, const struct place *p, const char *const *indexes, int n,
                  struct ask_options o, int votes, char *found, size_t cap);
// The processor, exact, one thread.
void place_cpu(struct device **cpu);

#endif
