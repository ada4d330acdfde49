// What a model loses where keys and values of a text are stored more coarsely than they are: how
// much its predictions of what follows in the text, of questions about it and of their answers
// change.
//
//     struct store *t;
//     if (store_new(&t, b, 0, &e)) ...                          // reads text number 0, and answers once
//     store_part(t, 7, 0, 2, &loss, &e)                         // the keys of kv head 2 of layer 7, at a bit and a half
//     store_all(t, 215, 200, &fit, &loss, &e)                   // all, as an index of these bits has them
//     store_free(t);
#ifndef LCTOOL_ENGINE_CALIBRATE_MEASURE_STORE_H
#define LCTOOL_ENGINE_CALIBRATE_MEASURE_STORE_H

#include "cache/kvz.h"
#include "engine/calibrate/measure.h"

struct store;
// ERR_FORMAT: a user's text has too few tokens.
int store_new(struct store **out, struct measure *b, int i, struct err *e);
void store_free(struct store *t);

// LOSS: the mean divergence of what is predicted from what is predicted with exact keys and values,
// nats. Keys, or values, of a kv head of a layer as the codec has them at STORE_COARSE hundredths
// of a bit on average over all.
enum { STORE_COARSE = 150 };
int store_part(struct store *t, int layer, int is_v, int head, double *loss, struct err *e);
// A kv head of a layer, whose keys and values outside the sinks are their mean.
int store_head(struct store *t, int layer, int head, double *loss, struct err *e);
// All of them as an index has them; hundredths of a bit.
int store_all(struct store *t, uint32_t k_bits, uint32_t v_bits, const struct kvz_fit *fit,
              double *loss, struct err *e);

#endif
