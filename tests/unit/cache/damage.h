// An index that is spoilt in one place or another, written again, and looked at.
//
//     damage.bad[at] ^= 1;
//     damage_seal();                       // checksums hide it
//     damage_put(damage.bad, damage.n);
//     assert_true(damage_complain() > 0);  // and damage.said says what of
//     damage_undo();
#ifndef LCTOOL_TESTS_UNIT_CACHE_DAMAGE_H
#define LCTOOL_TESTS_UNIT_CACHE_DAMAGE_H

#include "cache/format.h"
#include "tests/unit/cache/kvz_make.h"

enum { ITEMS = 512 };

struct damage {
    char path[128];
    uint8_t *good, *bad; // the file, and a copy to spoil
    size_t n;
    uint64_t items[ITEMS];
    int n_items;
    char said[16384]; // what verify found, a line each
};

extern struct damage damage;

// Of a group of tests: an index of five blocks in a directory of its own, by the codec of this
// number, or with narrow index vectors, with vectors of sentences, and with a summary state: with
// codec 1 it has keys and values of its own unless it is short.
int damage_init_1(void **state);
int damage_init_2(void **state);
int damage_init_3(void **state);
int damage_init_5(void **state);
int damage_init_narrow(void **state);
int damage_init_short(void **state);
int damage_done(void **state);

// Puts N bytes on the disk without waiting for it; one byte there; the good file again.
void damage_put(const uint8_t *data, size_t n);
void damage_put_byte(size_t at, uint8_t byte);
void damage_undo(void);

// Of the good file.
const struct disk_header *damage_header(void);
struct disk_section damage_section(uint32_t tag);
// Makes all checksums of damage.bad right again, taking lengths and positions from the good file.
void damage_seal(void);

// All that can be read, as one hash an item; 0: refused. Returns their number, or the error of
// kvz_open.
int damage_read(const char *path, uint64_t items[ITEMS]);
// Reads all of the file and verifies it; what was said is in damage.said.
int64_t damage_complain(void);

#endif
