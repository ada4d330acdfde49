// What a command that computes needs: a device, a model, and the indexes it reads.
//
//     struct session s;
//     if (!session_open(&s, common, paths, n, &e)) ... ask(s.model, s.indexes, s.n_indexes, ...)
//     session_close(&s);                     // also after a failure
#ifndef LCTOOL_CMD_SESSION_H
#define LCTOOL_CMD_SESSION_H

#include "cmd/command.h"
#include "engine/engine.h"

struct session {
    struct device *device;
    struct model *model;
    struct device *embeds;     // that the embedder computes on,
    struct embedder *embedder; // NULL: none is used
    struct kvz **indexes;
    int n_indexes;
    int n_named;         // with those that failed, and those named twice: what is printed has the
                         // form of several indexes if more than one was named
    int n_failed;        // indexes that could not be used, which has been said
    double open_seconds; // indexes, model and embedder
};

// After kvz_open has failed: replaces the message of E when PATH is an index that is still being
// written or was interrupted, or a directory.
void session_explain(const char *path, struct err *e);

// Opens PATHS, then the model they were made for (or the one that was asked for), and checks that
// they belong together. Without paths: the model that C names. Of several indexes those that are
// damaged or made for another model are left out; an error only when none is left. A file that is
// named twice is opened once.
int session_open(struct session *s, const struct common *c, char *const *paths, int n_paths,
                 struct err *e);
// Opens the embedder that C names; else, for indexes, the first one that made the vectors of one
// and is there, for a new index the only one there is, and for the index GROWS, which need not
// exist, the one that made its vectors before that. GROWS NULL: no index grows. Not finding one is
// no error, nor is a damaged one for indexes unless it was named: what keeps vectors from being
// used is said.
int session_embed(struct session *s, const struct common *c, const char *grows, struct err *e);
void session_close(struct session *s);

#endif
