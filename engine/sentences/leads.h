// The line that leads in what a sentence is a part of.
//
//     if (leads_list(c, at, &from, &to) || leads_set_in(c, at, &from, &to))
//         ...                                       // "These are needed:", "--quiet"
#ifndef LCTOOL_ENGINE_SENTENCES_LEADS_H
#define LCTOOL_ENGINE_SENTENCES_LEADS_H

#include "engine/lines/lines.h"

// Finds the line, FROM to TO, that leads in the list ("These are needed:") of which the sentence at
// byte AT is a part. Returns 0 if there is none.
int leads_list(const struct lines *c, size_t at, size_t *from, size_t *to);
// Finds the short line, FROM to TO, under which the line of byte AT is indented: a term above its
// definition, or what a list belongs to. Returns 0 if there is none. A title, which has an empty
// line below it, does not count.
int leads_set_in(const struct lines *c, size_t at, size_t *from, size_t *to);
// Whether the sentence text[FROM..TO), the last one of its paragraph, says that something follows:
// "You can change it by the following.", "Use one of the following commands."
int leads_below(const struct lines *c, size_t from, size_t to);

#endif
