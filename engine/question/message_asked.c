#include "engine/question/message_asked.h"

#include <limits.h>
#include <string.h>

#include "engine/lines/message.h"
#include "engine/question/asked.h"
#include "engine/sentences/heading.h"
#include "engine/words/chars.h"
#include "engine/words/dates.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"
#include "io/utf8.h"

static const char ASKS_WHO[] = WORDLIST_WHO WORDLIST_WHO_GERMAN,
                  ASKS_WHEN[] = " when " WORDLIST_WHEN_GERMAN;

// Whether one of the words FROM to TO - 1 of QUESTION, from 0, is one of WORDS.
static int has_one(const char *question, const char *words, int from, int to)
{
    char word[WORD_LISTED + 1];
    size_t at = 0, n;
    for (int i = 0; i < to; i++) {
        if (!(n = word_small(question, strlen(question), &at, word, WORD_LISTED)))
            return 0;
        if (i >= from && word_is_listed(words, word, n))
            return 1;
    }
    return 0;
}

static const char SAYS[] = " write writes wrote written send sends sent say says said ask asks "
                           "asked tell tells told mail mails mailed reply replied replies "
                           "answer answered report reported reports announce announced schrieb "
                           "geschrieben schreibt schickte geschickt sagte gesagt fragte ";

// Whether QUESTION asks who wrote something or when.
static int asks_for_writer(const char *question)
{
    return (has_one(question, ASKS_WHO, 0, 1) || has_one(question, ASKS_WHEN, 0, 1)) &&
           has_one(question, SAYS, 1, INT_MAX);
}

// Whether QUESTION asks who, and SENTENCE is of one who speaks of himself: who wrote it is asked
// for.
static int asks_who_speaks(const char *question, const char *sentence)
{
    static const char self[] = " my myself mine me ich mich mir mein meine ";
    char word[WORD_LISTED + 1];
    size_t n;
    if (!has_one(question, ASKS_WHO, 0, 2))
        return 0;
    for (size_t at = 0; (n = word_small(sentence, strlen(sentence), &at, word, WORD_LISTED));)
        if (word_is_listed(self, word, n) || (n == 1 && sentence[at - 1] == 'I'))
            return 1;
    return 0;
}

// Whether QUESTION asks for the FIELD of a commit, whatever was done in it. Who is, does or will do
// something, or when, is told by what the commit says.
static int asks_of_commit(const char *question, enum message_field field)
{
    static const char today[] = " is are does do will can may must should ";
    const int done = !has_one(question, today, 1, 2);
    return (field == MESSAGE_FROM && done && has_one(question, ASKS_WHO, 0, 2)) ||
           (field == MESSAGE_DATE && done && has_one(question, ASKS_WHEN, 0, 2)) ||
           (field == MESSAGE_COMMIT && has_one(question, " commit ", 0, INT_MAX) &&
            has_one(question, WORDLIST_WHO " which what when ", 0, 2));
}

int message_asked_of_commit(const char *question)
{
    return asks_of_commit(question, MESSAGE_FROM) || asks_of_commit(question, MESSAGE_DATE) ||
           asks_of_commit(question, MESSAGE_COMMIT);
}

// Whether TEXT [n] has a capitalised word of QUESTION, other than its first one, that SENTENCE
// lacks.
static int names_writer(const char *text, size_t n, const char *question, const char *sentence)
{
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(question, strlen(question), &at, stem, &bytes);)
        if (at > bytes && is_upper(question[at - bytes]) && word_is_in(text, n, stem) &&
            !word_is_in(sentence, strlen(sentence), stem))
            return 1;
    return 0;
}

// Whether QUESTION asks what somebody said: "What does Ada propose?"; *NAME: where the name begins.
static int asks_what_is_said(const char *question, size_t *name)
{
    static const char others[] = " recommend propose suggest advise offer promise think complain "
                                 "want warn mention recommended proposed suggested explain ";
    char word[WORD_LISTED + 1];
    size_t at = 0, n = strlen(question);
    if (!has_one(question, " what ", 0, 1) || !has_one(question, " did does do has had ", 1, 2))
        return 0;
    for (int i = 0; i < 2; i++)
        word_small(question, n, &at, word, WORD_LISTED);
    for (*name = at; *name < n && is_space(question[*name]);)
        ++*name;
    return is_upper(question[*name]) &&
           (has_one(question, SAYS, 3, INT_MAX) || has_one(question, others, 3, INT_MAX));
}

int message_asked_of_body(const char *question)
{
    static const char asks[] =
        " what which how where why when wann wo wie welche welcher welches " WORDLIST_WHY_GERMAN,
                      of_head[] = " mail mails email emails message messages letter subject title "
                                  "thread topic sender recipient recipients list address addresses "
                                  "cc day date time betreff adresse tag datum uhrzeit ";
    size_t name;
    return asks_what_is_said(question, &name) ||
           (has_one(question, asks, 0, 2) && !has_one(question, of_head, 0, INT_MAX) &&
            !has_one(question, SAYS, 0, INT_MAX));
}

int message_may_sign(const char *question, const char *text, size_t n)
{
    static const char reached[] =
        " phone phones telephone mobile tel fax number numbers call reach contact address mail "
        "email website web homepage url company firm work works job post position role title key "
        "fingerprint motto signature sign signs signed telefon telefonnummer nummer adresse ";
    return has_one(question, ASKS_WHO, 0, 2) || has_one(question, reached, 1, INT_MAX) ||
           (!has_one(question, " did ", 1, 2) && names_writer(text, n, question, ""));
}

int message_of_another(const char *question, const char *sentence)
{
    const char *end = strchr(sentence, '\n');
    char stem[WORD_STEM];
    size_t name, bytes;
    if (end && message_is_commit(sentence, (size_t)(end - sentence))) { // who made it is below
        sentence = end + 1;
        end = strchr(sentence, '\n');
    }
    if (!end || message_field_of(sentence, (size_t)(end - sentence)) != MESSAGE_FROM ||
        !asks_what_is_said(question, &name))
        return 0;
    // "Dr. Ada Pell" may write as "Ada".
    for (size_t at = name; word_next(question, strlen(question), &at, stem, &bytes);) {
        if (!is_upper(question[at - bytes]))
            break;
        if (word_is_in(sentence, (size_t)(end - sentence), stem))
            return 0;
    }
    return 1;
}

int message_may_tell(const char *question, const char *sentence)
{
    return asks_for_writer(question) || asks_who_speaks(question, sentence) ||
           message_asked_of_commit(question) ||
           names_writer(question, strlen(question), question, sentence);
}

// Finds the line, FROM to TO, of the head TEXT [n] that is FIELD. The subject of a commit is the
// last one, behind the fields.
static int line_of(const char *text, size_t n, enum message_field field, size_t *from, size_t *to)
{
    const int subject = field == MESSAGE_SUBJECT && message_is_commit(text, n);
    for (size_t at = 0, end; at < n; at = end + 1) {
        const char *stop = memchr(text + at, '\n', n - at);
        end = stop ? (size_t)(stop - text) : n;
        while (at < end && is_one_of(text[at], "> "))
            at++;
        const enum message_field is = message_field_of(text + at, end - at);
        *from = at;
        *to = end;
        if (subject ? is == MESSAGE_NONE && end == n : is == field)
            return 1;
    }
    return 0;
}

size_t message_told(const char *text, size_t n, const char *question, const char *sentence,
                    char *out)
{
    enum { FIELD = (MESSAGE_TOLD - 1) / MESSAGE_OTHER - 1 };
    const int commit = message_is_commit(text, n);
    int tells = !commit && (asks_for_writer(question) || asks_who_speaks(question, sentence) ||
                            (asked_for_date(question) && !dates_fix(sentence, strlen(sentence))));
    size_t bytes = 0, from, to;
    for (int field = 0; field < MESSAGE_OTHER; field++) {
        if (!line_of(text, n, field, &from, &to))
            continue;
        const size_t own = utf8_fit(text + from, to - from, FIELD);
        const int told = (commit && asks_of_commit(question, field)) ||
                         names_writer(text + from, own, question, sentence) ||
                         asked_heads(text + from, own, 1, question, sentence);
        tells |= told;
        if (commit && !told && field != MESSAGE_SUBJECT)
            continue;
        for (int gap = 0; bytes && gap < 1 + (commit && field == MESSAGE_SUBJECT); gap++)
            out[bytes++] = '\n';
        memcpy(out + bytes, text + from, own);
        bytes += own;
    }
    return tells ? bytes : 0;
}
