// A profile as a file: what lctool-profile(5) specifies.
//
//     struct heads *h;
//     if (profile_read(&h, "model.ini", &e)) ...    // "model.ini:7: layer 40 of 30"
//     if (profile_write("copy.ini", NULL, h, NULL, NULL, &e)) ...
//     profile_free(h);
#ifndef LCTOOL_ENGINE_MODEL_PROFILE_H
#define LCTOOL_ENGINE_MODEL_PROFILE_H

#include "engine/model/heads.h"

// ERR_USAGE names file and line of the first mistake.
int profile_read(struct heads **out, const char *path, struct err *e);
void profile_free(struct heads *h); // of profile_read; accepts NULL

// Writes H; NOTES [h->n], may be NULL, are remarks for people beside each head, and ABOUT a line at
// the top (NULL: none). The file is replaced atomically, but not where it is no longer what WAS saw
// there (NULL: whatever it is), which is ERR_IO; its directory must be there.
struct file_seen;
int profile_write(const char *path, const struct file_seen *was, const struct heads *h,
                  const char *about, const char *const *notes, struct err *e);

#endif
