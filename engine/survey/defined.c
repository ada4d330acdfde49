// What a sentence says that something is: "What is Nettle?", where one begins "Nettle is a ..." or
// "Cyclic Redundancy Check (CRC) is a ...". Of the many sentences that have the word, the first one
// of these tells it, unless more is asked, or the one that is meant: "What is the rent?"
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/lookup/form.h"
#include "engine/sentences/cut.h"
#include "engine/survey/surveys.h"
#include "engine/words/chars.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

enum {
    LEAST = 5,   // words of a sentence that says what something is
    BEFORE = 80, // bytes of a name before what it is called in brackets
    LONGEST = 600
};

static const char *const QUESTIONS[] = {"what is|are WHAT END", "what's WHAT END",
                                        "what do|does WHAT mean|denote END",
                                        "what do|does WHAT stand for END"},
                         *const OTHERS[] = {"what is|are the WHAT END", "what's the WHAT END"};

// Whether what is at byte AT of C, behind a name, says what that is: "is a", "are those".
static int says_what(const struct lines *c, size_t at)
{
    static const char be[] = " is are ", kinds[] = " a an the one any those another part both ";
    char word[WORD_LISTED];
    size_t n;
    if (at >= c->n || !is_space(c->text[at]) ||
        !(n = word_small(c->text, c->n, &at, word, sizeof word)) || !word_is_listed(be, word, n))
        return 0;
    n = word_small(c->text, c->n, &at, word, sizeof word);
    return word_is_listed(kinds, word, n);
}

// Whether the sentence of C that begins with byte FROM has nothing before byte AT but an article.
static int begins_sentence(const struct lines *c, size_t from, size_t at)
{
    while (from < at && (is_space(c->text[from]) || is_one_of(c->text[from], "-*\"'`")))
        from++;
    while (at > from && is_one_of(c->text[at - 1], " *\"'`"))
        at--;
    return from == at || word_is_listed(WORDLIST_ARTICLES, c->text + from, at - from);
}

// Whether byte AT of C begins a line below one that is so short that it is a heading: a text of
// pages has no empty line between them.
static int is_below_heading(const struct lines *c, size_t at)
{
    const size_t line = line_start(c, at), above = line > 0 ? line_start(c, line - 1) : 0;
    return line == at && line > 0 && 2 * (line - above) < line_end(c, line) - line;
}

// Whether S of C is the name that a sentence begins with and says the kind of: S becomes that.
static int is_defined(const struct texts *t, const struct lines *c, const void *unused,
                      struct span_of_text *s)
{
    size_t from, to, at = s->to;
    char word[WORD_LISTED];
    int words = 0;
    (void)t, (void)unused;
    const int called =
        s->from > 1 && c->text[s->from - 1] == '(' && at < c->n && c->text[at] == ')';
    while (at < c->n && is_one_of(c->text[at], "*\"'`)"))
        at++;
    if (!called && at + 1 < c->n && c->text[at] == ' ' && c->text[at + 1] == '(') {
        const char *close = memchr(c->text + at, ')', c->n - at < BEFORE ? c->n - at : BEFORE);
        at = close ? (size_t)(close + 1 - c->text) : at;
    }
    if (!says_what(c, at))
        return 0;
    cut_sentence(c, s->from, &from, &to);
    from = past_spaces(c->text, from, s->from);
    from = is_below_heading(c, s->from) ? s->from : from;
    if (to - from > LONGEST || line_asks(c->text + from, to - from) ||
        (called ? s->from - from > BEFORE || !is_upper(c->text[from])
                : !begins_sentence(c, from, s->from)))
        return 0;
    for (size_t i = from; word_small(c->text, to, &i, word, sizeof word);)
        words++;
    *s = (struct span_of_text){from, line_trimmed(c, from, to)};
    return words >= LEAST;
}

int survey_defined(struct lookup *v, const char *question, struct err *e)
{
    struct lookup_found found;
    struct form_match m;
    char what[WANTED_BYTES];
    if (!form_split(&m, question) ||
        form_of_what(&m, OTHERS, sizeof OTHERS / sizeof *OTHERS, what, sizeof what) ||
        !form_of_what(&m, QUESTIONS, sizeof QUESTIONS / sizeof *QUESTIONS, what, sizeof what) ||
        !what[1])
        return 0;
    for (char *p = what; *p; p++)
        *p = to_small(*p);
    const int n = lookup_find_named(v, what, is_defined, NULL, &found, 1, e);
    return n > 0 ? lookup_say_found(v, &found, 1, 1, e) : n;
}
