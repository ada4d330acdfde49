// When something is that a document announces, by the line of its day alone: "When is the
// conference?", where the head of it has a line "Thursday 12 and Friday 13 June". The words of the
// question stand in many sentences that tell other times.
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/outline/list.h"
#include "engine/question/question.h"
#include "engine/survey/surveys.h"
#include "engine/words/chars.h"
#include "engine/words/day.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

enum {
    HEAD = 1200, // bytes of a document that its day may be in
    WORDS = 3    // of what is asked for
};

// Words that a day may have beside its date.
static const char BESIDE[] = WORDLIST_DATES WORDLIST_EACH_DAY
    " at on from to until till between and the of st nd rd th am pm a m p o clock noon midday "
    "midnight date day time when hours hrs h uhr ";

// The name of what QUESTION asks the day of: "conference" of "When is the conference?", "wedding"
// of "When does the wedding take place?"; no bytes: it asks for something else.
static struct span_of_text event_of(const char *question)
{
    static const char *const forms[] = {
        "when is ",     "when does ",       "when will ",      "when are ",        "what date is ",
        "what day is ", "on what date is ", "on what day is ", "on which day is ", NULL};
    static const char articles[] = " the this our their your his her ",
                      ends[] = " take takes taking took be held on place happen being going ";
    const struct span_of_text none = {0};
    const char *rest = question_behind(question, forms);
    char stem[WORD_STEM];
    size_t at = 0, bytes, n = rest ? strcspn(rest, "?") : 0;
    struct span_of_text name = none;
    int words = 0;
    if (!rest || !word_next(rest, n, &at, stem, &bytes) ||
        !word_is_listed(articles, rest + at - bytes, bytes))
        return none;
    while (word_next(rest, n, &at, stem, &bytes)) {
        const char *word = rest + at - bytes;
        if (word_is_listed(ends, word, bytes)) {
            while (word_next(rest, n, &at, stem, &bytes))
                if (!word_is_listed(ends, rest + at - bytes, bytes))
                    return none;
            break;
        }
        if (++words > WORDS || word_has_digit(word, bytes) || is_upper(*word))
            return none;
        const size_t from = (size_t)(word - question);
        name = (struct span_of_text){span_bytes(name) ? name.from : from, from + bytes};
    }
    return name;
}

// Whether TEXT [n], a line, is nothing but a day, or some, with times or without.
static int is_day(const char *text, size_t n)
{
    char stem[WORD_STEM];
    size_t bytes;
    struct day d;
    if (!day_of(text, n, &d))
        return 0;
    for (size_t at = 0; word_next(text, n, &at, stem, &bytes);) {
        const char *word = text + at - bytes;
        size_t digits = 0;
        while (digits < bytes && is_digit(word[digits]))
            digits++;
        if (digits < bytes && !word_is_listed(BESIDE, word + digits, bytes - digits))
            return 0;
    }
    return 1;
}

// Whether TEXT [n], what stands above a day, has all of NAME [of bytes] but its last word: "the
// annual meeting" and "the next meeting" are others than "the meeting".
static int has_rest(const char *text, size_t n, const char *name, size_t bytes)
{
    char stem[WORD_STEM];
    size_t own;
    for (size_t at = 0; word_next(name, bytes, &at, stem, &own) && at < bytes;)
        if (!word_form_is_in(text, n, name + at - own, own))
            return 0;
    return 1;
}

// Whether TEXT [n] announces NAME [of bytes], by its last word or another one for that.
static int announces(const char *text, size_t n, const char *name, size_t bytes)
{
    static const char *const events[] = {" conference forum congress symposium summit convention ",
                                         " wedding married marriage marry ",
                                         " party celebration anniversary birthday ",
                                         " class course workshop lesson seminar training webinar ",
                                         " concert recital performance show gig ",
                                         " trip tour excursion outing walk hike ",
                                         " meeting assembly agm session ",
                                         " fair festival fete market exhibition ",
                                         " event ",
                                         " race match tournament regatta ",
                                         " talk lecture reading ",
                                         " reunion gathering ",
                                         " ceremony service "};
    // Their day is that on which they come out.
    static const char news[] = " news newsletter bulletin gazette journal circular magazine press ";
    const size_t from = word_start_before(name, 0, bytes);
    const char *word = name + from;
    if (words_listed(news, text, n))
        return 0;
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (word_is_listed(events[i], word, bytes - from))
            return has_rest(text, n, name, bytes) && (words_listed(events[i], text, n) ||
                                                      word_form_is_in(text, n, word, bytes - from));
    return 0;
}

// Whether LINE of C heads a part of what is announced: "## Thursday 12 June", "FRIDAY 21 JUNE".
static int heads_part(const struct lines *c, struct span_of_text line)
{
    const char *text = c->text + line.from;
    int small = 0;
    for (size_t i = 0; i < span_bytes(line); i++)
        small |= is_lower(text[i]);
    return *text == '#' || !small;
}

// The only day in the head of C that has a line of its own; no bytes: there is none, or several.
static struct span_of_text day_of_head(const struct lines *c)
{
    const struct span_of_text none = {0};
    struct span_of_text found = none;
    for (struct span_of_text line = list_next_said(c, 0); line.from < c->n && line.from < HEAD;
         line = list_next_said(c, line.to + 1)) {
        if (!is_day(c->text + line.from, span_bytes(line)) || heads_part(c, line))
            continue;
        if (span_bytes(found))
            return none;
        found = line;
    }
    return found;
}

// What is asked for.
struct event {
    const char *name; // [n]
    size_t n;
};

// The day of C if it announces the event ARG.
static int find_day(const struct lines *c, const void *arg, struct span_of_text *s)
{
    const struct event *event = arg;
    *s = day_of_head(c);
    return announces(c->text, s->from, event->name, event->n);
}

int survey_event_day(struct lookup *v, const char *question, struct err *e)
{
    const struct span_of_text name = event_of(question);
    const struct event event = {question + name.from, span_bytes(name)};
    struct lookup_found f;
    int rc;
    if (!event.n)
        return 0;
    if ((rc = lookup_find_only(v, find_day, &event, &f, e)) != 1)
        return rc < 0 ? rc : 0;
    while (is_one_of(f.t.text[f.at.from], " \t#*_"))
        f.at.from++;
    while (is_one_of(f.t.text[f.at.to - 1], " \t\r*_"))
        f.at.to--;
    lookup_words(v->out, f.t.text, f.at);
    return (rc = lookup_add(v, &f.t, f.at, 0, e)) ? rc : 1;
}
