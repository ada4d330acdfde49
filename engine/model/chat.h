// Chat templates: what stands before the document and after the question, one row per family.
//
//     const struct chat *c = chat_detect(text, n);                // from the GGUF; NULL: unknown
//     chat_default_system(text, n, system, sizeof system);        // what it says when nobody does
//     chat_head(c, system, buf, sizeof buf);                      // before the document
//     ... document ...  then CHAT_JOIN, the question (plain text), then
//     chat_tail(c, buf, sizeof buf);                              // after the question
//
// Head and tail are tokenised with TOK_SPECIAL, the head with TOK_START as well: the tokenizer
// brings the BOS, which no head contains. Document, join and question never are: nothing in them
// can end a turn. They form ONE user turn: head + document + join + question + tail.
#ifndef LCTOOL_ENGINE_MODEL_CHAT_H
#define LCTOOL_ENGINE_MODEL_CHAT_H

#include <stddef.h>

#define CHAT_JOIN "\n\n"

struct chat {
    const char *name;     // "chatml", "llama-3", "raw", ...
    const char *has[3];   // a template text of this family holds all of these (none: found by name)
    const char *lacks[3]; // ...and none of these. "\n" is a line end or its escape
    int system_inside;    // the system message stands inside the user's turn, after user_open
    int system_always;    // its frame is written even when there is none
    const char *system_open, *system_close;
    const char *user_open, *user_close;
    const char *assistant_open;
};

// The row that fits the Jinja text of a GGUF (tokenizer.chat_template), or NULL when none does.
// Templates that let the caller choose whether the model thinks first give the row that does not.
const struct chat *chat_detect(const char *template_text, size_t n);
const struct chat *chat_find(const char *name); // NULL: no such name
const struct chat *chat_at(size_t i);           // NULL past the last; for tests

// The system message a template text inserts when the caller gives none (SmolLM2's names itself),
// written to BUF; length, or 0 when it inserts none, or one that changes with the date.
size_t chat_default_system(const char *template_text, size_t n, char *buf, size_t cap);

// SYSTEM NULL or "": none. Each returns the length written (NUL-terminated, cut at CAP - 1).
size_t chat_head(const struct chat *c, const char *system, char *buf, size_t cap);
size_t chat_tail(const struct chat *c, char *buf, size_t cap);

#endif
