// Lists whose heading turns what their items say: what stands below "Removed" is there no longer.
#ifndef LCTOOL_ENGINE_SENTENCES_TURNED_H
#define LCTOOL_ENGINE_SENTENCES_TURNED_H

#include <stddef.h>

struct lines;

// Whether byte AT of C is in an item of a list right below a heading, FROM to TO, that says that
// what is listed below it is not, no longer or not yet so: "### Removed", "Not covered", "Planned
// features".
int turned_above(const struct lines *c, size_t at, size_t *from, size_t *to);
// The heading with fewer marks and a number above it, FROM to TO: "## 3.1.0 - 2024-05-02" above
// byte AT, where "### Removed" begins. 0: there is none.
int turned_version(const struct lines *c, size_t at, size_t *from, size_t *to);

#endif
