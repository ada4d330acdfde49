#include "engine/sentences/courtesy.h"

#include <string.h>

#include "engine/lines/label.h"
#include "engine/lines/lines.h"
#include "engine/words/words.h"

enum { LONG = 80 }; // bytes

static const char GREETS[] = " dear hi hello hey hallo liebe lieber moin servus ",
                  CLOSES[] = " yours sincerely faithfully truly regards wishes thanks love "
                             "greetings cheers respectfully cordially gratefully affectionate "
                             "affectionately loving obedient devoted grüße grüßen gruß gruss "
                             "gruessen dank hochachtungsvoll ",
                  // What may stand beside those.
    FILLS[] = " with best kind kindest warm warmest many my our all the and very your ever most "
              "in from so for advance much lots of brother sister son daughter father mother "
              "friend servant cousin uncle aunt husband wife mit freundlichen freundlichem "
              "herzlichen herzliche viele liebe vielen besten beste ";

// Whether TEXT [n] is a greeting and whom it is for.
static int greets(const char *text, size_t n)
{
    enum { MOST = 6 };
    char word[WORD_LISTED];
    size_t at = 0, bytes = word_small(text, n, &at, word, sizeof word);
    int words = 1;
    if (word_is_listed(" my ", word, bytes))
        bytes = word_small(text, n, &at, word, sizeof word);
    if (word_is_listed(" sehr ", word, bytes)) {
        bytes = word_small(text, n, &at, word, sizeof word);
        if (!word_is_listed(" geehrte geehrter ", word, bytes))
            return 0;
    } else if (!word_is_listed(GREETS, word, bytes)) {
        return 0;
    }
    while (word_small(text, n, &at, word, sizeof word))
        words++;
    return words > 1 && words <= MOST;
}

// How many words TEXT [n] has that close a letter; 0 where it has another one.
static int closing_words(const char *text, size_t n)
{
    char word[WORD_LISTED];
    int words = 0, closes = 0;
    for (size_t at = 0, bytes; (bytes = word_small(text, n, &at, word, sizeof word)); words++) {
        const int own = word_is_listed(CLOSES, word, bytes);
        if (!own && !word_is_listed(FILLS, word, bytes))
            return 0;
        closes |= own;
    }
    return closes ? words : 0;
}

// The bytes of text[FROM..TO) of C, without white space at its end, if it is short and on lines of
// its own; 0: it is not. *PART: where its first line, or what is before its first comma, ends;
// *REST: where the words behind that begin.
static size_t apart(const struct lines *c, size_t from, size_t to, size_t *part, size_t *rest)
{
    const size_t last = line_trimmed(c, from, to), n = last - from;
    const char *text = c->text + from;
    if (last <= from || n >= LONG || line_words(c, line_start(c, from), last) != from ||
        line_trimmed(c, from, line_end(c, last - 1)) != last)
        return 0;
    for (*part = 0; *part < n && !is_one_of(text[*part], ",\n!:");)
        ++*part;
    for (*rest = *part + (*part < n && text[*part] != '\n'); *rest < n && is_space(text[*rest]);)
        ++*rest;
    return n;
}

int courtesy_greets(const struct lines *c, size_t from, size_t to)
{
    size_t part, rest;
    const size_t n = apart(c, from, to, &part, &rest);
    return n && rest == n && part < n && greets(c->text + from, part);
}

int courtesy_closes(const struct lines *c, size_t from, size_t to)
{
    size_t part, rest;
    const size_t n = apart(c, from, to, &part, &rest);
    const char *text = c->text + from;
    const int words = n ? closing_words(text, part) : 0;
    if (!words || rest == n)
        return words > 0;
    // "Love, Actually" is none.
    return (words > 1 || memchr(text + part, '\n', rest - part)) && !is_lower(text[rest]) &&
           !is_one_of(text[n - 1], ".!?:;,") && !memchr(text + rest, '\n', n - rest);
}

// Whether text[FROM..TO) is a speaker's, and says only that another one shall tell of something.
static int asks_to_tell(const struct lines *c, size_t from, size_t to)
{
    static const char before[] =
        " so and now well okay ok please then maybe perhaps could can would "
        "will you just ";
    const size_t last = line_trimmed(c, from, to);
    size_t label, at = from;
    char word[WORD_LISTED];
    if (last <= from || last - from >= LONG || label_at(c, from, &label) != c->text + from ||
        !is_upper(c->text[from]) || c->text[from + label] != ':' || line_end(c, from) < last)
        return 0;
    size_t bytes;
    for (at += label; (bytes = word_small(c->text, last, &at, word, sizeof word)) &&
                      word_is_listed(before, word, bytes);)
        continue;
    return word_is_listed(" tell ", word, bytes) &&
           (bytes = word_small(c->text, last, &at, word, sizeof word)) &&
           word_is_listed(" me us ", word, bytes) &&
           (bytes = word_small(c->text, last, &at, word, sizeof word)) &&
           word_is_listed(" about of more ", word, bytes) &&
           !line_asks(c->text + from, last - from);
}

int courtesy_is(const struct lines *c, size_t from, size_t to)
{
    return courtesy_greets(c, from, to) || courtesy_closes(c, from, to) ||
           asks_to_tell(c, from, to);
}
