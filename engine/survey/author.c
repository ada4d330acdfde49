// Who wrote the text: "Who is the author of this book?", where its title page has "Author: Ada
// Moss", or "by Ada Moss", with a date or without: "By Ada Moss, 3 May 2024"; and when, by that
// date or by "Published: 3 May 2024". The words of the question stand in so many other places that
// these are not found, or nowhere.
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/outline/list.h"
#include "engine/question/question.h"
#include "engine/survey/surveys.h"
#include "engine/words/chars.h"
#include "engine/words/dates.h"
#include "engine/words/names.h"
#include "engine/words/words.h"

enum {
    LABELS = 4000, // bytes of a document that its author may be called in by a label,
    PAGE = 2000    // and that its title page may have
};

// What somebody may be the author of.
static const char TEXTS[] = " book text document novel report paper article work story essay "
                            "manual guide memoir history thesis publication page webpage post blog "
                            "column review tutorial recipe ";

// Whether QUESTION asks when that was written.
static int asks_when(const char *question)
{
    static const char *const forms[] = {"when was ", "on what date was ", NULL};
    static const char made[] = " written published posted ";
    const char *rest = question_behind(question, forms);
    return rest && words_listed(made, rest, strlen(rest)) &&
           question_things(rest, TEXTS, " this the written published posted ") == 1;
}

// Whether QUESTION asks who wrote what it is put to.
static int asks_author(const char *question)
{
    static const char *const wholes[] = {"who wrote this",     "who is the author",
                                         "who was the author", "who's the author",
                                         "who is its author",  NULL};
    static const char *const forms[] = {"who wrote ",
                                        "who has written ",
                                        "who authored ",
                                        "who is the author of ",
                                        "who was the author of ",
                                        "who's the author of ",
                                        "what is the name of the author of ",
                                        "by whom was ",
                                        "by whom is ",
                                        "who was ", // "the book written by"
                                        NULL};
    const char *rest = question_behind(question, wholes);
    if (rest && !rest[strspn(rest, " ?.!")])
        return 1;
    rest = question_behind(question, forms);
    return rest && question_things(rest, TEXTS, " this the written by ") == 1;
}

// S without white space and the marks of emphasis around it.
static struct span_of_text bare(const char *text, struct span_of_text s)
{
    while (s.from < s.to && is_one_of(text[s.from], " \t#*_"))
        s.from++;
    while (s.to > s.from && is_one_of(text[s.to - 1], " \t\r*_"))
        s.to--;
    return s;
}

// S of TEXT, a name, without the date behind it: "Ada Moss, 3 May 2024", "Ada Moss | May 3, 2024",
// "Ada Moss on 3 May 2024".
static struct span_of_text without_date(const char *text, struct span_of_text s)
{
    static const char *const before[] = {", ", " | ", " on ", " - ", " \u2013 ", " \u00b7 ", " ("};
    for (size_t i = s.from; i < s.to; i++)
        for (size_t j = 0; j < sizeof before / sizeof *before; j++) {
            const size_t n = strlen(before[j]), all = s.to - i;
            struct span_of_text date = {i + n, s.to};
            date.to -= all > n && text[s.to - 1] == ')';
            if (all > n && !memcmp(text + i, before[j], n) &&
                dates_alone(text + date.from, span_bytes(date)))
                return (struct span_of_text){s.from, i};
        }
    return s;
}

// The byte of S in TEXT behind "by", "written by" or the like, that it begins with, at its end or
// before a blank; s.from: it does not.
static size_t behind_by(const char *text, struct span_of_text s)
{
    static const char made[] = " written posted published text story words report ";
    size_t at = s.from, n = 0;
    while (at + n < s.to && text[at + n] != ' ')
        n++;
    if (word_is_listed(made, text + at, n) && at + n < s.to) {
        at += n + 1;
        for (n = 0; at + n < s.to && text[at + n] != ' ';)
            n++;
    }
    return word_is_listed(" by ", text + at, n) ? at + n : s.from;
}

// Whether LINE of C calls the author by a label: "Author: Ada Moss".
static int is_labelled(const struct lines *c, struct span_of_text line)
{
    static const char labels[] = " author authors writer ";
    const struct span_of_text s = bare(c->text, line);
    const char *colon = memchr(c->text + s.from, ':', span_bytes(s));
    const size_t at = colon ? (size_t)(colon - c->text) : s.from;
    return colon && word_is_listed(labels, c->text + s.from, at - s.from) &&
           name_of_person(
               c->text, without_date(c->text, bare(c->text, (struct span_of_text){at + 1, s.to})));
}

// Whether LINE of C, and what is below it where that is "by" alone, says by whom it all is, apart
// from what follows: S.
static int says_by(const struct lines *c, struct span_of_text line, struct span_of_text *s)
{
    *s = bare(c->text, line);
    const size_t by = behind_by(c->text, *s);
    if (by == s->from)
        return 0;
    struct span_of_text name = bare(c->text, (struct span_of_text){by, s->to});
    if (by == s->to) {
        name = bare(c->text, list_next_said(c, line.to + 1));
        s->to = name.to;
    }
    const size_t end = line_end(c, name.to);
    name = without_date(c->text, name);
    return name_of_person(c->text, name) && !is_one_of(c->text[name.to - 1], ".,") &&
           line_is_bare(c, end + 1);
}

// Where the text of C calls its author: *S; 0: nowhere, or it is a list of texts, with one each.
static int find_author(const struct lines *c, const void *arg, struct span_of_text *s)
{
    int found = 0, labels = 0;
    (void)arg;
    for (struct span_of_text line = line_at(c, 0); line.from < c->n && line.from < LABELS;
         line = line_at(c, line.to + 1)) {
        struct span_of_text by;
        if (is_labelled(c, line)) {
            *s = bare(c->text, line);
            found = 1;
            labels++;
        } else if (!found && line.from < PAGE && says_by(c, line, &by)) {
            *s = by;
            found = 1;
        }
    }
    return found && labels < 2;
}

// Whether LINE of C says when it was written, beside by whom, or by a label: "Published: 3 May
// 2024".
static int is_dated(const struct lines *c, struct span_of_text line, struct span_of_text *s)
{
    static const char labels[] = " published posted date written ";
    if (says_by(c, line, s))
        return span_bytes(without_date(c->text, *s)) < span_bytes(*s);
    *s = bare(c->text, line);
    const char *colon = memchr(c->text + s->from, ':', span_bytes(*s));
    const size_t at = colon ? (size_t)(colon - c->text) : s->from;
    return colon && word_is_listed(labels, c->text + s->from, at - s->from) &&
           dates_alone(colon + 1, s->to - at - 1);
}

// Where the text of C says when it was written: the only such line of its title page, *S.
static int find_date(const struct lines *c, const void *arg, struct span_of_text *s)
{
    int n = 0;
    (void)arg;
    for (struct span_of_text line = line_at(c, 0); line.from < c->n && line.from < PAGE;
         line = line_at(c, line.to + 1)) {
        struct span_of_text own;
        if (!is_dated(c, line, &own))
            continue;
        *s = own;
        n++;
    }
    return n == 1;
}

int survey_author(struct lookup *v, const char *question, struct err *e)
{
    struct lookup_found f;
    lookup_find_fn *const find = asks_author(question) ? find_author
                                 : asks_when(question) ? find_date
                                                       : NULL;
    const int rc = find ? lookup_find_only(v, find, NULL, &f, e) : 0;
    return rc == 1 ? lookup_say_quoted(v, &f, e) : rc < 0 ? rc : 0;
}
