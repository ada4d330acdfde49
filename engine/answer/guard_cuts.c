#define _GNU_SOURCE
// A text that was written, and is but a part of what was read, which says something else.
#include <string.h>

#include "engine/answer/guard_impl.h"
#include "engine/lines/lines.h"
#include "engine/words/dates.h"
#include "engine/words/wordlist.h"

// Whether the last word of OWN, with the stop behind it, is in READ but a part of another: "set
// meter." of "set meter.target to -16".
static int ends_within_a_word(const struct guard_text *own, const struct guard_text *read)
{
    const size_t end = guard_without_stop(own->text, own->n);
    size_t from = end;
    while (from && !is_space(own->text[from - 1]))
        from--;
    if (end == from || end == own->n || own->text[end] != '.')
        return 0;
    const char *word = own->text + from;
    const size_t bytes = end + 1 - from;
    size_t at = guard_next_place(word, bytes, read, 0);
    const int there = at < read->n;
    for (; at < read->n; at = guard_next_place(word, bytes, read, at + 1))
        if (at + bytes == read->n || !word_has(read->text[at + bytes]))
            return 0;
    return there;
}

// Whether the first word of OWN is in READ but the end of another: "strip-blanks" of "set the
// no-strip-blanks option".
static int begins_within_a_word(const struct guard_text *own, const struct guard_text *read)
{
    size_t from = 0, end;
    while (from < own->n && is_one_of(own->text[from], "\"'`*("))
        from++;
    for (end = from; end < own->n && !is_space(own->text[end]) && own->text[end] != '"';)
        end++;
    const char *word = own->text + from;
    size_t at = guard_next_place(word, end - from, read, 0);
    const int there = at < read->n && end > from + 1;
    for (; at < read->n; at = guard_next_place(word, end - from, read, at + 1))
        if (!at || !(word_has(read->text[at - 1]) || read->text[at - 1] == '-'))
            return 0;
    return there;
}

// Whether OWN is the rest of a sentence of READ behind a word that limits or denies it: "103 and
// 109" of "all trains but 103 and 109".
static int lacks_limit(const struct guard_text *own, const struct guard_text *read)
{
    static const char limits[] = WORDLIST_DENIALS "none but except without unless only ohne nur";
    enum { BEFORE = 3 }; // words
    char stem[WORD_STEM];
    const size_t n = guard_without_stop(own->text, own->n),
                 at = guard_next_place(own->text, n, read, 0);
    size_t from = at;
    if (!n || !at || at == read->n || !is_space(read->text[at - 1]))
        return 0;
    for (int words = 0; from && words <= BEFORE && !is_one_of(read->text[from - 1], ".!?:;\n");
         from--)
        words += is_space(read->text[from - 1]) && from < at;
    while (word_next(read->text, at, &from, stem, NULL))
        if (word_is_in(limits, sizeof limits - 1, stem))
            return 1;
    return 0;
}

// Whether OWN is a part of a row of the table that READ has it from, divided as that.
static int is_of_row(const struct guard_text *own, const struct guard_text *read)
{
    const size_t n = guard_without_stop(own->text, own->n);
    if (!line_has_fields(own->text, n))
        return 0;
    const size_t at = guard_next_place(own->text, n, read, 0);
    return at == read->n || (at && read->text[at - 1] != '\n') ||
           (at + n < read->n && read->text[at + n] != '\n');
}

// Whether the words of TEXT [n] before its first comma or semicolon are QUESTION's: "The arles,".
static int opens_as_asked(const char *text, size_t n, const char *question)
{
    size_t end = 0;
    while (end < n && !is_one_of(text[end], ",;"))
        end++;
    return end < n && !words_beyond(text, end, question);
}

// Whether TEXT [n] begins, but for an article, with a word of QUESTION that says something, and
// goes on.
static int begins_as_asked(const char *text, size_t n, const char *question)
{
    size_t at = 0, bytes;
    char stem[WORD_STEM];
    int there = word_next(text, n, &at, stem, &bytes);
    if (there && word_is_listed(WORDLIST_ARTICLES, text + at - bytes, bytes))
        there = word_next(text, n, &at, stem, &bytes);
    return there && !word_is_listed(WORDLIST_OF_QUESTIONS, text + at - bytes, bytes) &&
           word_is_in(question, strlen(question), stem) && word_next(text, n, &at, stem, NULL);
}

// Whether G's question has a word that says what it is about, and what was read does not. One
// behind "did" may be a verb in another form there.
static int asks_of_other(const struct guarded *g)
{
    static const char verbs[] = " do does did ";
    char stem[WORD_STEM];
    size_t bytes;
    int lacking = 0;
    for (size_t at = 0; word_next(g->question, g->n_question, &at, stem, &bytes);)
        lacking += guard_is_telling(stem) &&
                   !word_is_listed(WORDLIST_OF_QUESTIONS, g->question + at - bytes, bytes) &&
                   !word_is_in(g->read.text, g->read.n, stem);
    return lacking > words_listed(verbs, g->question, g->n_question);
}

// Where the word behind an article is that TEXT [n] begins with; 0: it begins with none.
static size_t behind_article(const char *text, size_t n)
{
    size_t at = 0, bytes;
    char stem[WORD_STEM];
    if (!word_next(text, n, &at, stem, &bytes) || bytes != at || at + 1 >= n || text[at] != ' ')
        return 0;
    return word_is_listed(WORDLIST_ARTICLES, text, bytes) ? at + 1 : 0;
}

// Where the article, or what stands for one, begins that READ has before byte AT; AT: none.
static size_t article_before(const char *read, size_t at)
{
    static const char articles[] =
        WORDLIST_ARTICLES " this that these those my our your his her its their ";
    const size_t end = at && read[at - 1] == ' ' ? at - 1 : 0,
                 from = word_start_before(read, 0, end);
    return from < end && word_is_listed(articles, read + from, end - from) ? from : at;
}

// The next place from byte AT on where READ has TEXT [n], whatever blanks and ends of lines are
// between its words; read->n: there is none.
static size_t next_wrapped(const char *text, size_t n, const struct guard_text *read, size_t at)
{
    for (size_t i, r; at < read->n; at++) {
        for (i = 0, r = at; i < n && r < read->n; i++, r++) {
            if (is_space(text[i]) && is_space(read->text[r])) {
                while (i + 1 < n && is_space(text[i + 1]))
                    i++;
                while (r + 1 < read->n && is_space(read->text[r + 1]))
                    r++;
            } else if (text[i] != read->text[r]) {
                break;
            }
        }
        if (i == n)
            return at;
    }
    return read->n;
}

// Where READ has the sentence TEXT [n], but for the article that this begins with, in the midst of
// one; 0: nowhere.
static size_t place_within(const char *text, size_t n, const struct guard_text *read)
{
    const size_t rest = next_wrapped(text + 1, n - 1, read, 1), article = behind_article(text, n);
    size_t from = rest - 1;
    if (rest == read->n || word_same(text, 1, read->text + from, 1) != 1) {
        from = article ? next_wrapped(text + article, n - article, read, 1) : read->n;
        if (from == read->n)
            return 0;
        from = article_before(read->text, from);
    }
    return from > 1 && read->text[from - 1] == ' ' && word_has(read->text[from - 2]) ? from : 0;
}

// Whether OWN is a name or the like with a clause that tells which, as READ has it behind a comma,
// but nothing that is said of it: "The smith, who made it." of "It was Ada, the smith, who made
// it."
static int is_apposition(const struct guard_text *own, const struct guard_text *read)
{
    static const char relatives[] = " who which whom whose where ";
    enum { NEAR = 4 }; // words
    const size_t n = guard_without_stop(own->text, own->n),
                 rest = n > 1 ? guard_next_place(own->text + 1, n - 1, read, 1) : read->n;
    if (rest < 3 || rest == read->n || memcmp(read->text + rest - 3, ", ", 2) != 0)
        return 0;
    for (int i = 1; i < own->words && i < NEAR; i++)
        if (guard_is_listed(own, i, relatives))
            return 1;
    return 0;
}

// Words behind which stands what belongs to them.
static const char GOVERNS[] = " had have has is was are were be called named by with of to in from "
                              "for about like at on ";
enum { LONG = 10 }; // words

// The byte behind the "No. " or "Yes, " that TEXT [n] begins with; 0: it begins with neither.
static size_t behind_verdict(const char *text, size_t n)
{
    char word[WORD_LISTED];
    size_t at = 0;
    const size_t bytes = word_small(text, n, &at, word, sizeof word);
    return at + 1 < n && is_one_of(text[at], ".,:;") && text[at + 1] == ' ' &&
                   word_is_listed(" yes no ja nein ", word, bytes)
               ? at + 2
               : 0;
}

// Whether OWN is "No." or "Yes," before the end of a long sentence of READ, without the words that
// this begins with: "No. May, the ferry would not sail" of "If we stop it in May, the ferry ...".
static int puts_verdict_before_end(const struct guard_text *own, const struct guard_text *read)
{
    const size_t all = guard_without_stop(own->text, own->n),
                 said = behind_verdict(own->text, own->n), n = all > said ? all - said : 0,
                 from = said && n > 1 ? place_within(own->text + said, n, read) : 0;
    if (!from || words_beyond(own->text + said, n, "") < LONG)
        return 0;
    const size_t word = word_start_before(read->text, 0, from - 1);
    return word_is_listed(GOVERNS, read->text + word, from - 1 - word);
}

// Whether the clause of READ that begins with byte FROM, behind the word at byte WORD, is what
// somebody only thought: "He had hoped that the bird would stay."
static int is_thought(const char *read, size_t word, size_t from)
{
    static const char thoughts[] = " thought believed hoped feared supposed imagined wished dreamt "
                                   "dreamed suspected pretended ";
    if (!word || !word_is_listed(" that ", read + word, from - 1 - word))
        return 0;
    const size_t verb = word_start_before(read, 0, word - 1);
    return word_is_listed(thoughts, read + verb, word - 1 - verb);
}

// Whether G's answer is the end of a sentence from its midst on, and is none without what is before
// it: the question is about something that was not read; the answer is long; or it begins with what
// is asked for, of which the sentence says something else. "The arles, ten shillings as a rule, and
// once a woman had it..." of "with a coin called the arles, ten...".
static int lacks_beginning(const struct guarded *g)
{
    static const char joins[] = " and that but because so as while since or "; // a clause
    const char *text = g->own.text, *read = g->read.text;
    const size_t n = guard_without_stop(text, g->own.n);
    const size_t from = n < 2 ? 0 : place_within(text, n, &g->read);
    if (!from)
        return 0;
    const size_t word = word_start_before(read, 0, from - 1);
    if (is_digit(read[word])) // "3.1 The rent"
        return 0;
    if (asks_of_other(g))
        return 1;
    if (is_thought(read, word, from))
        return 1;
    const int reason = word > 1 && read[word - 2] == ','; // ", for it was old"
    if (word_is_listed(joins, read + word, from - 1 - word) ||
        (reason && word_is_listed(" for ", read + word, from - 1 - word)))
        return 0;
    return words_beyond(text, n, "") >= LONG || opens_as_asked(text, n, g->question) ||
           (word_is_listed(GOVERNS, read + word, from - 1 - word) &&
            begins_as_asked(text, n, g->question));
}

// Whether OWN is a turn of a conversation that READ begins with, with who says it, but not all that
// is said there.
static int cuts_turn(const struct guard_text *own, const struct guard_text *read)
{
    const size_t label = line_label(read->text, read->n), n = guard_without_stop(own->text, own->n);
    const char *said = label && n > label ? memchr(own->text, ':', n) : NULL;
    if (!said || !is_upper(*read->text) ||
        words_beyond(own->text, (size_t)(said - own->text), read->text) > 1)
        return 0;
    const size_t from = (size_t)(said - own->text), at = guard_next_place(said, n - from, read, 0),
                 end = at + n - from;
    return at < read->n && at <= label + 2 && end + 2 < read->n &&
           is_one_of(read->text[end], ".!?") && read->text[end + 1] != '\n';
}

// Whether OWN has a line that begins with the mark of a quotation: it is a copy of somebody else's
// words, and may lack what is replied to them.
static int has_quoted_line(const struct guard_text *own)
{
    return memmem(own->text, own->n, "\n>", 2) != NULL;
}

// Whether OWN is a question of READ without what answers it there: "*Is it in force?*" of "*Is it
// in force?* No."
static int is_unanswered(const struct guard_text *own, const struct guard_text *read)
{
    size_t n = own->n;
    while (n && (is_space(own->text[n - 1]) || is_one_of(own->text[n - 1], "*_\"")))
        n--;
    const size_t at = line_asks(own->text, n) ? guard_next_place(own->text, n, read, 0) : read->n;
    return at < read->n && own->words < read->words && own->n + at + 2 < read->n;
}

// Whether G's answer to a question that asks for no time is but the day that an entry begins with:
// "- *3 June.*" of "- *3 June.* Pictures are copied twice a week."
static int is_only_day(const struct guarded *g)
{
    static const char asks[] = " when date dates day days month months year years wann ";
    const char *text = g->own.text;
    size_t from = 0, to = g->own.n;
    while (from < to && is_one_of(text[from], " -*_+"))
        from++;
    while (to > from && is_one_of(text[to - 1], " .:*_\n"))
        to--;
    return to > from && g->own.words < g->read.words && dates_alone(text + from, to - from) &&
           !words_listed(asks, g->question, g->n_question);
}

int guard_cuts_short(const struct guarded *g)
{
    return is_only_day(g) || has_quoted_line(&g->own) || lacks_beginning(g) ||
           puts_verdict_before_end(&g->own, &g->read) || is_apposition(&g->own, &g->read) ||
           cuts_turn(&g->own, &g->read) || ends_within_a_word(&g->own, &g->read) ||
           begins_within_a_word(&g->own, &g->read) || lacks_limit(&g->own, &g->read) ||
           is_of_row(&g->own, &g->read) || is_unanswered(&g->own, &g->read);
}
