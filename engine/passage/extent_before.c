#define _GNU_SOURCE
// What a question wants read before a sentence: who "he" is, what "therefore" follows from, when.
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/passage/extent_before.h"
#include "engine/question/asked.h"
#include "engine/question/question.h"
#include "engine/words/clock.h"
#include "engine/words/words.h"

// Whether the sentence from byte AT of C on has a pronoun for somebody behind its first comma and,
// but for its first word, no name before that: "With this in mind, he started".
static int goes_on_to_person(const struct lines *c, size_t at)
{
    static const char *const words[] = {"he", "she", "they"};
    for (size_t i = at + 1; i < c->n && !is_one_of(c->text[i], ".!?:;\"") && !is_upper(c->text[i]);
         i++) {
        if (c->text[i] != ',' || i + 2 >= c->n || !is_space(c->text[i + 1]))
            continue;
        for (i += 2; i < c->n && is_space(c->text[i]);)
            i++;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (begins_with(c->text + i, c->n - i, words[k]) && i + strlen(words[k]) < c->n &&
                is_space(c->text[i + strlen(words[k])]))
                return 1;
        return 0;
    }
    return 0;
}

// Whether byte AT of C begins a sentence with a pronoun for somebody, or leaves out who is meant:
// "Now the secretary, in place of ..."
static int begins_with_person(const struct lines *c, size_t at)
{
    static const char *const words[] = {"He ",      "She ",     "They ",
                                        "Now the ", "Now our ", "Also the "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (begins_with(c->text + at, c->n - at, words[i]))
            return 1;
    return goes_on_to_person(c, at);
}

// Whether a whole sentence of the same paragraph, from byte *FIRST on, stands before F that may be
// read with it.
static int has_before(const struct extent *f, size_t *first)
{
    const struct lines *c = &f->c;
    const size_t end = line_trimmed(c, 0, f->from);
    size_t last;
    if (!end || cut_ends_paragraph(c, 0, end) || !is_one_of(c->text[end - 1], ".!?"))
        return 0;
    cut_sentence(c, end - 1, first, &last);
    return f->to - *first <= 2 * LONGEST_SENTENCE && vicinity_is_whole(&f->near, *first, end);
}

// Whether QUESTION asks who somebody is, or did something.
static int asks_who(const char *question)
{
    static const char *const who[] = {"who ", NULL};
    return question_behind(question_clause(question), who) != NULL;
}

// Where QUESTION asks who, and what is read begins with "he" or the like: F begins with the
// sentence of the same paragraph that this goes on from.
static void find_person(struct extent *f, const char *question)
{
    enum { MOST = 3 }; // sentences
    const struct lines *c = &f->c;
    for (int i = 0;
         i < MOST && f->lead >= f->lead_end && asks_who(question) && begins_with_person(c, f->from);
         i++) {
        size_t first;
        if (!has_before(f, &first))
            return;
        f->from = first;
    }
}

// Whether byte AT of C, maybe within quotation marks, begins a sentence that says why something was
// done.
static int begins_with_reason(const struct lines *c, size_t at)
{
    static const char *const words[] = {"To ", "Because ", "So that ", "For fear ", "Lest "};
    static const char *const marks[] = {"\"", "'", "\u201c", "\u2018"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        at += begins_with(c->text + at, c->n - at, marks[i]) ? strlen(marks[i]) : 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (begins_with(c->text + at, c->n - at, words[i]))
            return 1;
    return 0;
}

// Whether text[FROM..TO) of C says what follows from what stands before it, and nothing else why.
static int follows_from(const struct lines *c, size_t from, size_t to)
{
    static const char then[] = " therefore thus hence accordingly consequently ",
                      why[] = " because since as due owing for to ";
    return words_listed(then, c->text + from, to - from) &&
           !words_listed(why, c->text + from, to - from);
}

// Where QUESTION asks why, and the sentence of F tells no reason: F begins with the one before it
// where that does. "To see who came. I have opened the gate these six years."
static void find_reason(struct extent *f, const char *question)
{
    const struct lines *c = &f->c;
    size_t first;
    if (f->lead >= f->lead_end && asked_reason_left_out(question, "") &&
        !memmem(c->text + f->from, f->to - f->from, "because", strlen("because")) &&
        has_before(f, &first) && (begins_with_reason(c, first) || follows_from(c, f->from, f->to)))
        f->from = first;
}

// Whether text[FROM..TO) of C has nothing of what QUESTION asks for.
static int lacks(const struct lines *c, size_t from, size_t to, const char *question)
{
    char text[2 * LONGEST_SENTENCE + 1];
    const size_t n = to - from < sizeof text ? to - from : sizeof text - 1;
    memcpy(text, c->text + from, n);
    text[n] = 0;
    return asked_no_time(question, text) || asked_lacking(question, text);
}

// Where the sentence of F is in an entry that begins with its time, and that has what QUESTION asks
// for: F begins with the entry. "0905  Fog. Radar lost picture."
static void find_entry(struct extent *f, const char *question)
{
    const struct lines *c = &f->c;
    const size_t line = line_start(c, f->from), end = line_end(c, line);
    struct clock_span time;
    if (line < f->from && f->to <= end && f->to - line <= LONGEST_SENTENCE &&
        clock_of_entry(c->text + line, end - line, &time) && lacks(c, f->from, f->to, question) &&
        !lacks(c, line, f->to, question))
        f->from = line;
}

void extent_before(struct extent *f, const char *question)
{
    find_person(f, question);
    find_reason(f, question);
    find_entry(f, question);
}
