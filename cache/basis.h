// What codecs 3 to 5 know about the keys and values of a model before they see a block: section
// BASE of kvz.5. It is learnt once, from the first tokens that are read, and kept in the file.
//
//     if (basis_make(&bytes, &meta, &sample, packer, pool, &e)) ...  // the writer, once
//     if (basis_open(&b, bytes.p, bytes.n, &meta, NULL, &e)) ...   // bytes that may be damaged
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
#include "kernels/codec/mix.h"
#include "kernels/pool.h"
#include "kernels/codec/rans.h"

enum {
    BASIS_BITS = RANS_BITS, // of a probability
    BASIS_TABLES_MAX = 128,
    BASIS_WIDTH_MAX = MIX_ROWS_MAX / 2, // elements of a group that has a matrix
    BASIS_LIVE_MAX = MIX_ROWS_MAX,      // channels of such a group: keys' and values'
    BASIS_Q_MAX = 1 << 17,              // magnitude of a coefficient, in steps
    BASIS_JOINT_MAX = 4,                // coefficients in a symbol
    BASIS_SYMBOLS_MAX = 256,
    BASIS_SHIFT_MAX = 12,
    BASIS_MOST_MAX = 126, // an escape counts as one more; together at most 8 bits
    BASIS_MIXED = 1,      // flags of the section: it has matrices
    BASIS_PACKED = 2,     // all but its head is packed with deflate
};

// How the coefficients of a channel are coded. A coefficient q is (level << shift) + rest. The rest
// is stored as it is; the level is -most .. most, or an escape. N_JOINT levels, of consecutive
// tokens, are one symbol.
struct basis_table {
    unsigned n_joint, most, shift;
    unsigned n; // symbols: (2 most + 2) to the power of n_joint
    uint16_t freq[BASIS_SYMBOLS_MAX], start[BASIS_SYMBOLS_MAX];
    uint32_t slots[RANS_SLOTS];
    struct rounding rounding; // encoding only
};

// Heads that are coded together: channel c is along rows[c] of the matrix or, without a matrix, is
// element channel[c].
struct basis_group {
    uint32_t n_live;         // number of stored channels
    const uint8_t *table;    // [n_live] indexes in basis.tables
    const uint16_t *channel; // [n_live] indexes among all channels of the group
    const int8_t *rows;      // [n_live][width], in the section; NULL: no matrix
    uint8_t *panel; // of codecs 4 and 5: [n_live / 4 rounded up][panel_width][4] rows + 128
    // Encoding only: turns elements into coefficients. [n_live / BASIS_PANEL rounded
    // up][width][BASIS_PANEL], 0 behind the last channel. If groups are paired, that of the keys
    // serves both: from [2 width] elements less their mean, keys then values, to coefficients in
    // steps.
    float *inverse;
};

struct basis_part {    // keys or values of a layer
    float step, unit;  // an element is mean + (step * unit) * sum of coefficients times rows
    const float *mean; // [n_kv_heads][head_dim]
    struct basis_group *groups;
};

// The memory that the parts, and the device's structs, point into: one array of each kind.
struct basis_room {
    float *means;       // [2 n_layers][n_kv_heads * head_dim]
    uint8_t *tables;    // [2 n_layers][n_kv_heads * head_dim], filled as far as channels are stored
    uint16_t *channels; // likewise
    struct basis_group *groups; // [2 n_layers][n_groups]
    uint8_t *unpacked;          // the section, if it is packed in the file
    struct coded_table *device_tables;
    struct coded_layer *device_layers;
    struct coded_group *device_groups;
};

struct basis {
    uint32_t codec;
    uint32_t n_layers, n_kv_heads, head_dim;
    uint32_t group, n_groups; // group: heads in a group
    uint32_t panel_width;     // elements of a group, rounded up
    int paired; // 1: codec 5 with matrices; a group of values shares the channels of the keys
                // beside it
    uint32_t n_tables;
    struct basis_table *tables;
    struct rans_code *codes;   // [n_tables][BASIS_SYMBOLS_MAX]; encoding only
    struct basis_part *parts;  // [n_layers][2]
    struct coded_basis device; // the same for a device
    struct basis_room own;
};

// Checks all of it (R23). DATA stays borrowed. WRITER: threads that also make what encoding needs;
// NULL: only decoding is wanted.
int basis_open(struct basis **out, const uint8_t *data, uint64_t bytes, const struct kvz_meta *m,
               struct pool *writer, struct err *e);
void basis_close(struct basis *b); // accepts NULL

// Whether keys and values of a kv head are stored in sinks only, and are their mean elsewhere.
int basis_is_near(const struct basis *b, uint32_t layer, uint32_t head);

// Fills in b->device of a basis that is otherwise complete; CHECK: the section's checksum.
int basis_for_device(struct basis *b, uint64_t check, struct err *e);

// What a basis is made from.
struct basis_sample {
    const float *const *k, *const *v; // [n_layers] -> [n_kv_heads][stride][head_dim]
    uint32_t n, stride, skip;         // tokens; the first SKIP of them are unlike the others
    int mix;                          // 1: with matrices; a short index does not pay for them
    const struct kvz_fit *fit;        // differences between layers and heads; NULL: all alike
};
// Appends the section to OUT. m->recipe.k_bits and v_bits are hundredths of a bit an element,
// averages over what is stored. P packs the section for codecs 4 and 5; NULL: it is not packed.
int basis_make(struct bytes *out, const struct kvz_meta *m, const struct basis_sample *s,
               struct packer *p, struct pool *pool, struct err *e);

#endif
