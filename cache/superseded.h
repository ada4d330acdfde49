// Documents that were read again later, under the same name, when most of them had stayed: the
// index keeps both, and what is asked is answered by the last one (kvz_is_superseded).
#ifndef LCTOOL_CACHE_SUPERSEDED_H
#define LCTOOL_CACHE_SUPERSEDED_H

#include <stddef.h>

#include "io/err.h"

// Whether a text is another one as it was before: half of the lines of EARLIER [n_earlier] or more,
// blank ones aside, are lines of LATER [n_later] as well; or both are prose, and seven in ten of
// the different words of each are words of the other. 1, 0, or an error; of texts of more than some
// megabytes it is not told (0).
int superseded_by(const char *earlier, size_t n_earlier, const char *later, size_t n_later,
                  struct err *e);

#endif
