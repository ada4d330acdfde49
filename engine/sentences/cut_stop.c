#define _GNU_SOURCE
// Where a stop is: whether a sentence ends.
#include "engine/sentences/cut_impl.h"

#include <string.h>

#include "engine/lines/code.h"
#include "engine/lines/comment.h"
#include "engine/lines/leader.h"
#include "engine/lines/line_cells.h"
#include "engine/lines/lines.h"
#include "engine/lines/object.h"
#include "engine/lines/speaker.h"
#include "engine/words/chars.h"
#include "engine/words/dates.h"
#include "engine/words/shortened.h"
#include "engine/words/words.h"

enum { NEAR = 1024 }; // bytes that are looked through for the beginning or the end of a line

// Bytes of the stop at byte I, with a quotation mark or bracket behind it; 0: there is none.
static size_t stop_at(const struct lines *c, size_t i)
{
    static const char *const wide[] = {"\u3002", "\uff01", "\uff1f"}, *const close[] = {"\u201d",
                                                                                        "\u2019"};
    size_t left = c->n - i, bytes = 0;
    for (int w = 0; w < 3; w++)
        if (left >= 3 && !memcmp(c->text + i, wide[w], 3))
            return 3;
    if (!is_one_of(c->text[i], ".!?"))
        return 0;
    for (bytes = 1; bytes < left;)
        if (is_one_of(c->text[i + bytes], ".!?\"')]"))
            bytes++;
        else if (bytes + 3 <= left && (!memcmp(c->text + i + bytes, close[0], 3) ||
                                       !memcmp(c->text + i + bytes, close[1], 3)))
            bytes += 3;
        else
            break;
    return bytes;
}

// The byte behind the number of a clause with which the line at byte AT begins, before byte END:
// "Section 3.1. ", "\u00a7 7 ", "4.2 "; 0: it does not.
static size_t past_clause(const struct lines *c, size_t at, size_t end)
{
    static const char *const names[] = {"Section ", "SECTION ", "Article ", "ARTICLE ", "Chapter ",
                                        "CHAPTER ", "Clause ",  "Rule ",    "\u00a7 "};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t n = strlen(names[i]);
        at += end - at > n && !memcmp(c->text + at, names[i], n) ? n : 0;
    }
    const size_t number = at;
    while (at < end && (is_digit(c->text[at]) || c->text[at] == '.'))
        at++;
    if (at == number || !is_digit(c->text[number]) || at == end || c->text[at] != ' ')
        return 0;
    while (at < end && c->text[at] == ' ')
        at++;
    return at;
}

// Whether the line of byte I begins so near that its number may stand before that: *LINE. One whole
// book may be on a line.
static int begins_near(const struct lines *c, size_t i, size_t *line)
{
    const size_t from = i > NEAR ? i - NEAR : 0;
    const struct lines near = {.text = c->text + from, .n = c->n - from};
    *line = from + line_start(&near, i - from);
    return !*line || c->text[*line - 1] == '\n';
}

// Whether the line at byte LINE has nothing but a date before the stop at byte I, and the entry of
// that day behind it, from byte NEXT on: "Sat 3 Sept. Rain."
static int heads_day(const struct lines *c, size_t line, size_t i, size_t next)
{
    const size_t from = line_words(c, line, i);
    return from < i && dates_alone(c->text + from, i - from) &&
           !memchr(c->text + i, '\n', next - i);
}

int cut_runs_in(const struct lines *c, size_t i, size_t next)
{
    enum { WORDS = 4, LONGEST = 40 };
    // What sentences have and such headings hardly ever; articles only behind what is done:
    // "Resetting the lamp."
    static const char articles[] = " the a an ";
    static const char others[] = " it he she they you we i this that no each every all any "
                                 "is are was were be has have had must shall may can will does do "
                                 "did der die das ist sind hat haben muss darf kann wird gilt ";
    size_t at = 0, line;
    char word[WORD_LISTED];
    int words = 0, doing = 0;
    if (!begins_near(c, i, &line))
        return 0;
    if (heads_day(c, line, i, next))
        return 1;
    const size_t from = past_clause(c, line_words(c, line, i), next);
    if (from && from == next) // the number's own stop
        return 1;
    if (!from || from >= i || i - from > LONGEST || !is_upper(c->text[from]) ||
        memchr(c->text + i, '\n', next - i))
        return 0;
    for (size_t n;
         words <= WORDS && (n = word_small(c->text + from, i - from, &at, word, sizeof word));
         words++) {
        doing |= !words && n > 4 && !memcmp(word + n - 3, "ing", 3);
        if (word_is_listed(others, word, n) || is_digit(*word) ||
            (!doing && word_is_listed(articles, word, n)))
            return 0;
    }
    return words && words <= WORDS;
}

// Whether the stop at byte I ends the name of who speaks behind it.
static int names_speaker(const struct lines *c, size_t i)
{
    size_t line;
    return i > 1 && is_upper(c->text[i - 1]) && is_upper(c->text[i - 2]) &&
           begins_near(c, i, &line) && line + speaker_at(c, line) == i + 1;
}

// Whether the word of bytes FROM to TO is of minutes, which a number is before: "It took 40 min."
static int is_minutes(const struct lines *c, size_t from, size_t to)
{
    static const char minutes[] = "min";
    return to - from == strlen(minutes) && !memcmp(c->text + from, minutes, to - from) &&
           from > 1 && c->text[from - 1] == ' ' && is_digit(c->text[from - 2]);
}

// Whether the stop at byte I, with NEXT behind it, belongs to the word before it: the number of a
// heading or clause, a name in a play, or an abbreviation.
static int is_label(const struct lines *c, size_t i, size_t next)
{
    size_t from = i, letters = 0, line;
    while (from > 0 && !is_space(c->text[from - 1]) && !is_one_of(c->text[from - 1], "([\"'"))
        from--;
    if ((shortened_word(c->text + from, i - from, c->text + next, c->n - next) &&
         !is_minutes(c, from, i)) ||
        (i - from == 1 && from > 0 && c->text[from - 1] == '(' && is_lower(c->text[from])))
        return 1;
    for (size_t j = from; j < i; j++)
        letters += !is_digit(c->text[j]) && c->text[j] != '.';
    return (!letters && i > from && begins_near(c, i, &line) && line_words(c, line, i) == from) ||
           cut_runs_in(c, i, next) || names_speaker(c, i);
}

// Whether the stop at byte I, with NEXT behind it, is of an abbreviation that has to do with a
// bracket: it is all that stands in one ("Col. (ret.) Ada Holm"), or is before one that begins or
// is followed by a small letter ("Holm Bros. (est. 1888)", "3 km. (2 miles) along"). A bracket of
// up to four letters may number an item: "(iii)".
static int is_with_bracket(const struct lines *c, size_t i, size_t next)
{
    enum { WORD = 5, LONG = 80, NUMBER = 4 };
    size_t from = i, to = next + 1, letters = 0, others = 0;
    while (from > 0 && i - from <= WORD &&
           (is_lower(c->text[from - 1]) || is_upper(c->text[from - 1])))
        from--;
    const size_t bytes = i - from;
    if (!bytes || bytes > WORD)
        return 0;
    if (from > 0 && c->text[from - 1] == '(' && c->text[i + 1] == ')')
        return bytes != 3 || memcmp(c->text + from, "etc", 3);
    if (next >= c->n || c->text[next] != '(')
        return 0;
    for (; to < c->n && to - next < LONG && c->text[to] != ')'; to++) {
        letters += is_lower(c->text[to]) || is_upper(c->text[to]);
        others += is_one_of(c->text[to], " .\n");
    }
    if (to + 1 >= c->n || c->text[to] != ')' || !letters)
        return 0;
    if (is_lower(c->text[next + 1]) && others)
        return 1;
    const int name = is_upper(c->text[next + 1]) && is_lower(c->text[next + 2]);
    return (name || to - next - 1 > NUMBER) && c->text[to + 1] == ' ' && is_lower(c->text[to + 2]);
}

// Whether the stop at byte I is one of the dots that lead to a column or a page ("Adler, Berta
// ..... 55").
static int leads_on(const struct lines *c, size_t i)
{
    enum { DOTS = 5 }; // more than an ellipsis behind a stop
    size_t dots = 0;
    while (dots < DOTS && dots <= i && c->text[i - dots] == '.')
        dots++;
    return dots == DOTS || (dots == 1 && i > 0 && is_space(c->text[i - 1]));
}

// Whether the stop at byte I is behind a bracket or a word that is never abbreviated: then even a
// small letter after it may begin a sentence ("anacron runs it.").
static int is_full_word(const struct lines *c, size_t i)
{
    enum { LETTERS = 4 };
    static const char shortened[][7] = {"approx", "resp", "incl", "excl", "vols", "figs", "secs"};
    size_t from = i;
    if (i > 0 && c->text[i - 1] == ')')
        return 1;
    while (from > 0 && (is_lower(c->text[from - 1]) || is_upper(c->text[from - 1])))
        from--;
    for (size_t s = 0; s < sizeof shortened / sizeof *shortened; s++)
        if (i - from == strlen(shortened[s]) && !memcmp(c->text + from, shortened[s], i - from))
            return 0;
    return i - from >= LETTERS && (from == 0 || c->text[from - 1] != '.');
}

// Where the line of byte I ends, if that is so near that it may be a row of a table; 0: it is not.
static size_t ends_near(const struct lines *c, size_t i)
{
    const size_t to = c->n - i > NEAR ? i + NEAR : c->n;
    while (i < to && c->text[i] != '\n')
        i++;
    return i == c->n || (i < to && c->text[i] == '\n') ? i : 0;
}

// Whether the stop at byte I is within a row of a table ("138,000;C. Abbadie;opens 9 May"): the
// line above or below has as many cells, or dots that lead to its value, too.
static int is_in_row(const struct lines *c, size_t i)
{
    const size_t end = ends_near(c, i);
    size_t from, above, below;
    if (!end || line_trimmed(c, i, end) == i + 1 || !begins_near(c, i, &from))
        return 0;
    if (leader_is_among(c, from))
        return 1;
    const char *row = c->text + from;
    if (from && begins_near(c, from - 1, &above) &&
        lines_divide_alike(c->text + above, from - 1 - above, row, end - from))
        return 1;
    return end + 1 < c->n && (below = ends_near(c, end + 1)) > 0 &&
           lines_divide_alike(row, end - from, c->text + end + 1, below - end - 1);
}

// The last byte of what a note's mark that ends with byte I, "[6]", is behind; I: there is none.
static size_t before_note(const struct lines *c, size_t i)
{
    size_t from = i;
    if (c->text[i] != ']')
        return i;
    while (from > 0 && is_digit(c->text[from - 1]))
        from--;
    return from > 1 && from < i && c->text[from - 1] == '[' && !is_space(c->text[from - 2])
               ? from - 2
               : i;
}

// Whether text[FROM..) begins with a reference in brackets: "[Ada Lind, The Mill, p. 7]". *END: the
// byte behind it.
static int is_reference(const struct lines *c, size_t from, size_t *end)
{
    enum { LONG = 200 };
    static const char *const pages[] = {"p. ", "pp. ", "vol. ", "Vol. ", "cit.", "Cit."};
    const size_t most = c->n - from < LONG ? c->n - from : LONG;
    const char *text = c->text + from, *close = *text == '[' ? memchr(text, ']', most) : NULL;
    if (!close || memmem(text, (size_t)(close - text), "\n\n", 2))
        return 0;
    *end = from + (size_t)(close - text) + 1;
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        if (memmem(text, (size_t)(close - text), pages[i], strlen(pages[i])))
            return 1;
    return 0;
}

// Whether byte I ends a reference in brackets that stands behind the stop of a sentence, to which
// it belongs.
static int ends_reference(const struct lines *c, size_t i)
{
    enum { LONG = 200 };
    size_t from = i, end;
    if (c->text[i] != ']')
        return 0;
    while (from > 0 && i - from < LONG && c->text[from] != '[')
        from--;
    if (!is_reference(c, from, &end) || end != i + 1)
        return 0;
    while (from > 0 && is_space(c->text[from - 1]))
        from--;
    for (size_t left = 0; from > 0 && left < 8; left++)
        if (stop_at(c, --from))
            return 1;
        else if (!is_one_of(c->text[from], "\"')\x80\x9d\x99\xe2"))
            return 0;
    return 0;
}

// Whether byte I stands within a line of code, or of a text in it: "if [ ! -d build ]; then". In a
// comment stops end sentences.
static int is_in_code(const struct lines *c, size_t i)
{
    size_t line;
    const size_t end = ends_near(c, i);
    return end && begins_near(c, i, &line) && line_trimmed(c, i, end) > i + 1 &&
           code_is(c, line, end) && !code_comment(c, line) && code_at(c, line);
}

int cut_stop_ends(const struct lines *c, size_t i)
{
    size_t next = i + 1, end;
    if ((unsigned char)c->text[i] >= 0x80 && i >= 2 && stop_at(c, i - 2) == 3)
        return 1;
    if (object_divides(c, i))
        return 1;
    if (!is_space(c->text[next]))
        return 0;
    const int refers = ends_reference(c, i);
    const size_t last = before_note(c, i);
    size_t stop = last;
    while (stop > 0 && last - stop < 4 && is_one_of(c->text[stop], "\"')]\x80\x9d\x99\xe2"))
        stop--;
    if (!refers && (!stop_at(c, stop) || stop + stop_at(c, stop) != last + 1 || leads_on(c, stop)))
        return 0;
    if (comment_closes(c, next) || comment_goes_on(c, next))
        return 0;
    while (next < c->n && is_space(c->text[next]))
        next++;
    if (refers)
        return next == c->n || !is_lower(c->text[next]);
    if (next < c->n && is_reference(c, next, &end))
        return 0;
    if (is_label(c, stop, next) || is_with_bracket(c, stop, next) || is_in_row(c, stop))
        return 0;
    return (next == c->n || !is_lower(c->text[next]) || is_full_word(c, stop)) && !is_in_code(c, i);
}
