// Sentences of a document, across its blocks.
#ifndef LCTOOL_ENGINE_PASSAGE_SENTENCE_H
#define LCTOOL_ENGINE_PASSAGE_SENTENCE_H

#include "cache/kvz.h"
#include "engine/lines/lines.h"
#include "io/err.h"

struct stretch;

// A sentence of a document.
struct sentence {
    int index;           // which of the indexes
    uint32_t document;   // of the index
    uint64_t start, end; // bytes of the document
    char *text;  // NUL-terminated; of a part of a list, the line that leads the list in stands
                 // before it, on a line of its own
    size_t own;  // byte of TEXT where the sentence itself begins, when it refers with "it" or the
                 // like to the sentence before, which TEXT has too; else 0
    size_t said; // byte of TEXT where the reply to quoted text begins; 0: there is no quoted text
    int names_columns; // 1: it ends with the head of a table, whose rows follow
    int signs, heads;  // 1: it only signs a message, is only the head of one
    int signature;     // 1: it is below the line that divides a signature from its message
    int greets;        // 1: it only greets in a letter, or closes it
    int titles;        // 1: it is of what the document begins with before its first sentence
    int margin;        // 1: it is no text, but the header or the number of a page
    int of_commit;     // 1: TEXT begins with who made its commit, when, or its name, as was asked
    int turned;        // 1: TEXT begins with the heading that turns what its item says
};
// The sentence around *TOKEN of BLOCK, complete even where it goes on into the block before or
// after it, with the text that it says little without (company_extend). TOKEN NULL: all of the
// block.
int sentence_around(struct sentence *v, const struct kvz *k, uint64_t block, const uint32_t *token,
                    struct err *e);
// sentence_around, to be read and quoted for QUESTION, unless that is NULL, with the ON sentences
// behind it: of one that is too long, wherever it begins and ends, the clauses with what is asked
// for. Dots stand for what is left out, before, behind or below the line that leads it in; lines
// that are quoted keep their marks, by which a model judges worse.
int sentence_asked(struct sentence *v, const struct kvz *k, uint64_t block, const uint32_t *token,
                   int on, const char *question, struct err *e);
// Puts the heading above V, which is around a token of BLOCK, or a line that V's is indented under,
// and an empty line before its text, if that has a word of QUESTION that V lacks.
int sentence_headed(struct sentence *v, const struct kvz *k, uint64_t block, const char *question,
                    struct err *e);
// Puts above V, which is around a token of BLOCK and is or ends with an item of a list, the heading
// that turns what it says ("### Removed"), and that of the version whose part this is.
int sentence_turned(struct sentence *v, const struct kvz *k, uint64_t block, struct err *e);
// A: the text of BLOCK, of the next one, with which a sentence of it may begin, and of as many
// BLOCKS above it as there are in its document, in whole lines.
int sentence_text_above(struct stretch *a, const struct kvz *k, uint64_t block, uint64_t blocks,
                        struct err *e);
// LINE: what stands above bytes FROM to TO of NEAR, the text around BLOCK, and is read with them:
// the line that names the columns of the table that they are a row of, or the first line of the
// record that they are in ("Name: ..."); "" when there is none.
int sentence_above(char line[LONGEST_SENTENCE], const struct kvz *k, uint64_t block,
                   const struct stretch *near, size_t from, size_t to, struct err *e);
// The first token of each sentence of BLOCK: TOKENS [*n], at most MOST.
int sentence_tokens(const struct kvz *k, uint64_t block, uint32_t *tokens, int most, int *n,
                    struct err *e);
// As sentence_around, with the next ON sentences, as far as there are any.
int sentence_and_next(struct sentence *v, const struct kvz *k, uint64_t block, uint32_t token,
                      int on, struct err *e);
// Stands in it for what is left out.
#define SENTENCE_DOTS "\u2026"
// Leaves out of V the line that leads it in, where SAID [n_said], beside which V is read, has it.
// Returns whether it did.
int sentence_leave_out(struct sentence *v, const char *said, size_t n_said);
void sentence_done(struct sentence *v);
// Whether they have bytes of a document in common.
int sentences_overlap(const struct sentence *a, const struct sentence *b);

#endif
