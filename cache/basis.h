// What codecs 3 to 5 know about the keys and values of a model before it sees a block: section
// BASE of kvz.5. It is measured once, on the first tokens that are read, and kept in the file.
//
//     if (basis_make(&bytes, &meta, &sample, packer, pool, &e)) ...  // the writer, once
//     if (basis_open(&b, bytes.p, bytes.n, &meta, NULL, &e)) ...   // bytes nobody vouches for
//     basis_close(b);
#ifndef LCTOOL_CACHE_BASIS_H
#define LCTOOL_CACHE_BASIS_H

#include <stddef.h>
#include <stdint.h>

#include "cache/basis_inverse.h"
#include "cache/kvz.h"
#include "cache/pack.h"
#include "cache/rounding.h"
#include "io/bytes.h"
#include "io/err.h"
#include "kernels/coded.h"
#include "kernels/mix.h"
#include "kernels/pool.h"
#include "kernels/rans.h"

enum {
    BASIS_BITS = RANS_BITS, // of a probability
    BASIS_TABLES_MAX = 128,
    BASIS_WIDTH_MAX = MIX_ROWS_MAX / 2, // of a group that is mixed, elements
    BASIS_LIVE_MAX = MIX_ROWS_MAX,      // channels of a group that is mixed: keys' and values'
    BASIS_Q_MAX = 1 << 17,              // magnitude of a coefficient, in steps
    BASIS_JOINT_MAX = 4,                // coefficients of a symbol
    BASIS_SYMBOLS_MAX = 256,
    BASIS_SHIFT_MAX = 12,
    BASIS_MOST_MAX = 126, // an escape counts one more, in 8 bits
    BASIS_MIXED = 1,      // flags of the section: it has matrices
    BASIS_PACKED = 2,     // all but its head is packed with deflate
};

// How the coefficients of a channel are coded. A coefficient q is (level << shift) + rest: the rest
// is stored as it is, the level is -most .. most, or comes as an escape. N_JOINT levels, of
// consecutive tokens, are one symbol.
struct basis_table {
    unsigned n_joint, most, shift;
    unsigned n; // symbols: (2 most + 2) to the power of n_joint
    uint16_t freq[BASIS_SYMBOLS_MAX], start[BASIS_SYMBOLS_MAX];
    uint32_t slots[RANS_SLOTS];
    struct rounding rounding; // encoding only
};

// Heads that are mixed together: channel c is rows[c] of the matrix, or element channel[c] alone.
struct basis_group {
    uint32_t n_live;         // channels that are stored at all
    const uint8_t *table;    // [n_live] of basis.tables
    const uint16_t *channel; // [n_live] which of the group's channels
    const int8_t *rows;      // [n_live][width], in the section; NULL: no matrix
    uint8_t *panel; // of codecs 4 and 5: [n_live / 4 rounded up][panel_width][4] rows + 128
    // To make coefficients of elements, encoding only: [n_live / BASIS_PANEL rounded
    // up][width][BASIS_PANEL], 0 behind the last channel. Where groups are paired keys' have it for
    // both: [2 width] elements less their mean, keys then values, to coefficients in steps.
    float *inverse;
};

struct basis_part {    // keys or values of a layer
    float step, unit;  // an element is mean + (step * unit) * the sum of its rows
    const float *mean; // [n_kv_heads][head_dim]
    struct basis_group *groups;
};

// The memory that the parts, and what a device gets, point into: one array of each kind for all of
// them.
struct basis_room {
    float *means;       // [2 n_layers][n_kv_heads * head_dim]
    uint8_t *tables;    // [2 n_layers][n_kv_heads * head_dim], as far as channels are stored
    uint16_t *channels; // likewise
    struct basis_group *groups; // [2 n_layers][n_groups]
    uint8_t *unpacked;          // the section, where it is packed in the file
    struct coded_table *device_tables;
    struct coded_layer *device_layers;
    struct coded_group *device_groups;
};

struct basis {
    uint32_t codec;
    uint32_t n_layers, n_kv_heads, head_dim;
    uint32_t group, n_groups; // heads in a group
    uint32_t panel_width;     // elements of a group, rounded up
    int paired; // codec 5, with matrices: a group of values has the channels of the keys beside it
    uint32_t n_tables;
    struct basis_table *tables;
    struct rans_code *codes;   // [n_tables][BASIS_SYMBOLS_MAX]; encoding only
    struct basis_part *parts;  // [n_layers][2]
    struct coded_basis device; // all of it, as a device takes it
    struct basis_room own;
};

// Checks all of it (R23). DATA stays borrowed. WRITER: with what the writer needs, which these
// threads make; or NULL.
int basis_open(struct basis **out, const uint8_t *data, uint64_t bytes, const struct kvz_meta *m,
               struct pool *writer, struct err *e);
void basis_close(struct basis *b); // accepts NULL

// Whether nothing is stored of a kv head but in blocks that are sinks: its keys and values are the
// mean.
int basis_is_near(const struct basis *b, uint32_t layer, uint32_t head);

// Fills b->device, of a basis that is otherwise complete; CHECK: the section's checksum.
int basis_for_device(struct basis *b, uint64_t check, struct err *e);

// What a basis is made from.
struct basis_sample {
    const float *const *k, *const *v; // [n_layers] -> [n_kv_heads][stride][head_dim]
    uint32_t n, stride, skip;         // tokens; the first SKIP of them are unlike the others
    int mix;                          // with matrices, which a short index does not pay for
    const struct kvz_fit *fit; // what differs between layers and heads; NULL: they are all alike
};
// Appends the section to OUT. Codes with m->recipe.k_bits and v_bits hundredths of a bit an
// element, which are an average of what is stored. P: codecs 4 and 5 pack the section with it; NULL
// leaves it as it is.
int basis_make(struct bytes *out, const struct kvz_meta *m, const struct basis_sample *s,
               struct packer *p, struct pool *pool, struct err *e);

#endif
