#include "engine/passage/clause.h"

#include "engine/lines/lines.h"
#include "engine/words/chars.h"
#include "engine/words/text_span.h"
#include "engine/words/words.h"

enum { SHORTEST = 4 }; // bytes of a word that counts, unless it is a number

// How surely a clause ends behind byte I, 0 to MARKS.
enum { MARKS = 4 };
static int clause_ends(const struct lines *c, size_t i)
{
    static const char dash[] = "\u2014";
    const size_t n = sizeof dash - 1;
    const int last = i + 1 >= c->n || is_space(c->text[i + 1]);
    if (!last && !is_one_of(c->text[i], "-\x94"))
        return 0;
    if (is_one_of(c->text[i], ";:") || (i + 1 >= n && !memcmp(c->text + i + 1 - n, dash, n)) ||
        (i > 1 && c->text[i] == '-' && c->text[i - 1] == '-' &&
         (last || !is_space(c->text[i - 2])))) // but not "--all"
        return MARKS;
    return c->text[i] == ',' ? MARKS - 1 : c->text[i] == ')' ? MARKS - 2 : last;
}

// The byte behind the clause of S that begins with byte AT, at a mark of RANK or more.
static size_t clause_end(const struct lines *c, struct span_of_text s, size_t at, int rank)
{
    while (at < s.to && clause_ends(c, at) < rank)
        at++;
    return at < s.to ? at + 1 : s.to;
}

// The marks at which S falls into clauses that are not too long; 0: it does at none.
static int rank_of(const struct lines *c, struct span_of_text s)
{
    for (int rank = MARKS; rank > 0; rank--) {
        size_t longest = 0;
        for (size_t at = s.from, end; at < s.to; at = end) {
            end = clause_end(c, s, at, rank);
            longest = end - at > longest ? end - at : longest;
        }
        if (longest <= LONGEST_SENTENCE)
            return rank;
    }
    return 0;
}

// How many words of QUESTION that say something TEXT [n] has.
static int n_asked(const char *question, const char *text, size_t n)
{
    char stem[WORD_STEM];
    size_t bytes;
    int count = 0;
    for (size_t at = 0; word_next(question, strlen(question), &at, stem, &bytes);) {
        const char *word = question + at - bytes;
        if (word_has_digit(word, bytes) || (bytes >= SHORTEST && !word_is_common(stem)))
            count += word_is_in(text, n, stem);
    }
    return count;
}

// The clauses of S that have what is asked for, no more of them than it takes.
static struct span_of_text best_clauses(const struct lines *c, struct span_of_text s, int rank,
                                        const char *question, size_t at)
{
    struct span_of_text best = {s.from, clause_end(c, s, s.from, rank)};
    int most = -1;
    for (size_t from = s.from; from < s.to; from = clause_end(c, s, from, rank))
        for (size_t to = from; to < s.to;) {
            to = clause_end(c, s, to, rank);
            if (to - from > LONGEST_SENTENCE)
                break;
            const int score =
                2 * n_asked(question, c->text + from, to - from) + (from <= at && at < to);
            if (score > most || (score == most && to - from < span_bytes(best))) {
                best = (struct span_of_text){from, to};
                most = score;
            }
        }
    return best;
}

// The byte where the clause of S before byte AT begins.
static size_t clause_before(const struct lines *c, struct span_of_text s, size_t at, int rank)
{
    size_t from = s.from;
    for (size_t next; (next = clause_end(c, s, from, rank)) < at;)
        from = next;
    return from;
}

// Widens PART, clauses of S, by as many before it as there is room for up to MOST bytes.
static void fill_before(const struct lines *c, struct span_of_text s, int rank,
                        struct span_of_text *part, size_t most)
{
    for (size_t from; part->from > s.from; part->from = from)
        if (part->to - (from = clause_before(c, s, part->from, rank)) > most)
            break;
}

// Widens PART to as many as there is room for: first those before it, which say what it is about;
// where they are but words, without a mark between them, as many behind it.
static struct span_of_text fill(const struct lines *c, struct span_of_text s, int rank,
                                struct span_of_text part)
{
    const size_t half = (LONGEST_SENTENCE + span_bytes(part)) / 2;
    fill_before(c, s, rank, &part, rank > 1 ? LONGEST_SENTENCE : half);
    for (size_t to; part.to < s.to; part.to = to)
        if ((to = clause_end(c, s, part.to, rank)) - part.from > LONGEST_SENTENCE)
            break;
    fill_before(c, s, rank, &part, LONGEST_SENTENCE);
    return part;
}

void clause_choose(const struct lines *c, const char *question, size_t at, size_t *from, size_t *to)
{
    const struct span_of_text s = {*from, *to};
    const int rank = span_bytes(s) > LONGEST_SENTENCE ? rank_of(c, s) : 0;
    if (!rank)
        return;
    const struct span_of_text part = fill(c, s, rank, best_clauses(c, s, rank, question, at));
    *to = line_trimmed(c, part.from, part.to);
    for (*from = part.from; *from < *to && is_space(c->text[*from]);)
        ++*from;
}
