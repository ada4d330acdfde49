// Courtesies of letters and mails, which say nothing: how they begin and how they end.
#ifndef LCTOOL_ENGINE_SENTENCES_COURTESY_H
#define LCTOOL_ENGINE_SENTENCES_COURTESY_H

#include "engine/lines/lines.h"

// Whether text[FROM..TO) of C, on lines of its own, is nothing but a greeting ("Dear all,") or what
// closes a letter, with the name below it or without ("With thanks,\nHarriet"); or what a speaker
// asks to be told, which another one does ("ADA: So tell me about the mill.").
int courtesy_is(const struct lines *c, size_t from, size_t to);
// Whether it is the greeting, or what closes a letter.
int courtesy_greets(const struct lines *c, size_t from, size_t to);
int courtesy_closes(const struct lines *c, size_t from, size_t to);

#endif
