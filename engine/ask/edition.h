// Documents that are of one year each, as their titles say: "Tariff 2023", "Annual report 2024". A
// sentence of one of them that tells no year is of that year.
#ifndef LCTOOL_ENGINE_ASK_EDITION_H
#define LCTOOL_ENGINE_ASK_EDITION_H

#include <stdint.h>

#include "cache/kvz.h"
#include "io/err.h"

struct edition {
    int index; // which of the indexes
    uint32_t document;
};

struct editions {
    struct edition *v; // [n] those of another year than is asked for
    int n;
};

// Which documents of indexes K [n_k] are of another year than QUESTION asks about: none where it
// has no year, or more than one, where no title has that year, or of more than a thousand
// documents.
int editions_find(struct editions *a, struct kvz *const *k, int n_k, const char *question,
                  struct err *e);
// Whether TEXT, of DOCUMENT of the index INDEX, is of such a one, and tells no year itself.
int editions_are_other(const struct editions *a, int index, uint32_t document, const char *text);
void editions_done(struct editions *a);

#endif
