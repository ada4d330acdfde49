// Whether a sentence says little by itself.
#include <string.h>

#include "engine/company/company_impl.h"
#include "engine/lines/label.h"
#include "engine/lines/lines.h"
#include "engine/sentences/heading.h"

// Whether TEXT [n] ends with a part of speech, as the head of an entry in a dictionary does: the
// stop there does not end a sentence.
static int is_entry(const char *text, size_t n)
{
    static const char *const parts[] = {" n.",    " v.",       " vt.",   " vi.",   " adj.",
                                        " adv.",  " pron.",    " prep.", " conj.", " interj.",
                                        " abbr.", " abbrev.",  " pl.",   " pref.", " suff.",
                                        "pl.n.",  "adj.,adv.", "n.,v.",  "v.,n."};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        const size_t own = strlen(parts[p]);
        if (n > own && !memcmp(text + n - own, parts[p], own))
            return 1;
    }
    return 0;
}

// Whether one pair of brackets is around all of TEXT [n].
static int is_in_brackets(const char *text, size_t n)
{
    return n > 1 && text[0] == '(' && memchr(text, ')', n) == text + n - 1;
}

// Whether TEXT [n] ends with a stop. A bracket is one behind a sentence in it, or around all of
// it, but not behind a word of a heading: "Papanasi (curd doughnuts)". The mark of emphasis is
// behind a stop, too, but not that of bold words, which may be a heading: "**Rent.**".
static int ends_with_stop(const char *text, size_t n)
{
    if (n > 2 && is_one_of(text[n - 1], "*_") && is_one_of(text[n - 2], ".!?"))
        return 1;
    if (n > 1 && text[n - 1] == ')')
        return is_in_brackets(text, n) || is_one_of(text[n - 2], ".!?");
    return n && is_one_of(text[n - 1], ".!?;,");
}

int company_says_little(const struct lines *c, size_t from, size_t to, int *stops)
{
    size_t end = line_trimmed(c, from, to);
    const char *text = c->text + from;
    *stops = ends_with_stop(text, end - from) && !is_entry(text, end - from);
    // "3. Rent" and "(3) Rent" head a section as well.
    const int item = line_is_item(text, end - from) && !is_digit(text[*text == '(']);
    return end - from < (size_t)(*stops ? COMPANY_BARE : COMPANY_SHORT) && !item &&
           !line_has_fields(text, end - from) && !label_row(text, end - from);
}

size_t company_next_after(const struct lines *c, size_t to, int *lines)
{
    *lines = 0;
    for (size_t n; to < c->n && (n = white_space(c->text + to, c->n - to)) > 0; to += n)
        *lines += c->text[to] == '\n';
    return to;
}

int company_is_remark(const struct lines *c, size_t from, size_t to)
{
    return is_in_brackets(c->text + from, line_trimmed(c, from, to) - from);
}

size_t company_word_end(const struct lines *c, size_t at)
{
    while (at < c->n && (is_lower(c->text[at]) || is_upper(c->text[at])))
        at++;
    return at;
}

int company_counts(const struct lines *c, size_t from, size_t to)
{
    const size_t word = company_word_end(c, from) - from;
    int lines;
    return word &&
           heading_counts(c->text + from, c->n - from, c->text + from, word) + 1 == to - from &&
           company_next_after(c, to, &lines) < c->n && lines < 2;
}
