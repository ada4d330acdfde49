// How somebody is reached: "What is the vet's phone number?", by the only sentence or line that has
// both who is meant and a number, or an address, of that kind: "- Vet: Teme Vets, 01584 496 0159";
// by such a block of lines; or by what a mail gives as its sender's own.
#include <string.h>

#include "engine/company/company.h"
#include "engine/lines/lines.h"
#include "engine/lines/message.h"
#include "engine/question/asked.h"
#include "engine/survey/surveys.h"
#include "engine/words/chars.h"
#include "engine/words/names.h"
#include "engine/words/words.h"

// Whether S of TEXT, of LOOKUP_SAID bytes at most, has what QUESTION asks for.
static int tells(const char *question, const char *text, struct span_of_text s)
{
    char said[LOOKUP_SAID + 1];
    if (span_bytes(s) > LOOKUP_SAID || words_any("iban bic swift", text + s.from, span_bytes(s)))
        return 0; // the number of an account
    memcpy(said, text + s.from, span_bytes(s));
    said[span_bytes(s)] = 0;
    return asked_left_out(question, "", said);
}

// The name of SENDER of TEXT, without the address behind it.
static struct span_of_text name_of(const char *text, struct span_of_text sender)
{
    const char *address = memchr(text + sender.from, '<', span_bytes(sender));
    sender.to = address ? (size_t)(address - text) : sender.to;
    return sender;
}

// Whether all words of WHOM, of which there are some, are in SENDER of TEXT.
static int is_by(const char *whom, const char *text, struct span_of_text sender)
{
    return words_any(whom, text + sender.from, span_bytes(sender)) &&
           words_all(whom, text + sender.from, span_bytes(sender));
}

// Whether bytes S of TEXT have no other letters than those of the name of a number: "Tel. 01632".
static int is_bare(const char *text, struct span_of_text s)
{
    static const char names[] = " tel telephone phone mobile mob cell home telefon mobil handy ";
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = s.from; word_next(text, s.to, &at, stem, &bytes);)
        if (!is_digit(text[at - bytes]) && !word_is_listed(names, text + at - bytes, bytes))
            return 0;
    return 1;
}

// The passage of the mail from byte BODY on in which its sender gives the number or the address of
// LINE as their own: a signature, "my number is ...", "Ring me:" and below it nothing but the
// number. {0}: another's may be meant.
static struct span_of_text own_at(const struct lines *c, size_t body, struct span_of_text line)
{
    static const char calls[] = "ring call phone reach number text dial";
    const char *text = c->text;
    size_t from, to;
    if (message_part_of(c, line.from, &from, &to) == MESSAGE_SIGNATURE) {
        from = message_is_signed(c, from) ? line_end(c, from) + 1 : from;
        return line.to - from > LOOKUP_SAID ? line : (struct span_of_text){from, line.to};
    }
    if (words_any("my", text + line.from, span_bytes(line)) &&
        words_any("number phone mobile telephone address email", text + line.from,
                  span_bytes(line)))
        return line;
    const size_t above = line.from > body ? line_start(c, line.from - 1) : line.from;
    const size_t n = line.from - above;
    return is_bare(text, line) && words_any("me my", text + above, n) &&
                   words_any(calls, text + above, n)
               ? (struct span_of_text){above, line.to}
               : (struct span_of_text){0};
}

// Whether LINE of TEXT is the last line of F, the passage found.
static int is_again(const struct lookup_found *f, const char *text, struct span_of_text line)
{
    const size_t n = span_bytes(line);
    return span_bytes(f->at) >= n && !memcmp(f->t.text + f->at.to - n, text + line.from, n);
}

// Finds what mails by those who are meant give as their own: FOUND. Returns how many numbers or
// addresses that are, 2 for more and where several senders may be meant, or an error.
static int find_own(struct lookup *v, const char *question, struct lookup_found *found,
                    struct err *e)
{
    struct texts t;
    struct lookup_found who = {0};
    int rc, n = 0;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        const struct lines c = {.text = t.text, .n = t.n};
        size_t from, body = 0;
        int meant = 0; // 1: the line is of a mail by whom is meant
        for (struct span_of_text line = {0}; n < 2 && line.from < t.n; line.from = line.to + 1) {
            line = line_at(&c, line.from);
            if (message_head(&c, line.from, &from, &body)) {
                const struct span_of_text sender =
                    name_of(t.text, message_line(&c, from, body, MESSAGE_FROM));
                meant = is_by(v->w.whom, t.text, sender);
                n = meant && who.at.to && !span_is_alike(who.t.text, who.at, t.text, sender) ? 2
                                                                                             : n;
                who = meant ? (struct lookup_found){t, sender} : who;
                line.to = body > line.to ? body - 1 : line.to;
                continue;
            }
            line.to = line_trimmed(&c, line.from, line.to);
            const struct span_of_text own =
                meant && !line_quoted(&c, line.from) && tells(question, t.text, line)
                    ? own_at(&c, body, line)
                    : (struct span_of_text){0};
            if (own.to && !(n && is_again(found, t.text, line))) {
                *found = (struct lookup_found){t, own};
                n++;
            }
            line.to = line_end(&c, line.from);
        }
    }
    return rc < 0 ? rc : n;
}

// Whether LINE of C is hardly more than a name, "Ada Orth", and says not what somebody is.
static int is_name(const struct lines *c, struct span_of_text line)
{
    enum { WORDS = 3 };
    static const char titles[] =
        " director manager head officer chair chairman president secretary "
        "treasurer engineer assistant sales office department ";
    char stem[WORD_STEM];
    size_t bytes;
    int n = 0;
    for (size_t at = line.from; word_next(c->text, line.to, &at, stem, &bytes); n++) {
        const char *word = c->text + at - bytes;
        if (!(is_upper(*word) || (unsigned char)*word >= 0x80) ||
            word_is_listed(titles, word, bytes))
            return 0;
    }
    for (size_t i = line.from; i < line.to; i++)
        if (is_one_of(c->text[i], ",;:@()"))
            return 0;
    return n > 0 && n <= WORDS;
}

// Whether the line that the name at byte AT of C begins is that name, and of the few lines right
// below it, before another name, one tells what QUESTION asks: *S, as somebody signs.
static int signed_at(const struct lines *c, size_t at, const char *question, struct span_of_text *s)
{
    enum { LINES = 4 };
    const struct span_of_text name = line_at(c, at);
    struct span_of_text line = name;
    if (line_words(c, name.from, name.to) != at || !is_name(c, name))
        return 0;
    for (int i = 0; i < LINES && line.to + 1 < c->n; i++) {
        line = line_at(c, line.to + 1);
        if (line_is_empty(c, line.from) || is_name(c, line))
            return 0;
        if (!tells(question, c->text, line))
            continue;
        *s = (struct span_of_text){name.from, line_trimmed(c, line.from, line.to)};
        return 1;
    }
    return 0;
}

int survey_reached(struct lookup *v, const char *question, struct err *e)
{
    struct lookup_found found;
    struct texts t;
    int rc, n = 0, signs = 0;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        size_t bytes, at = 0;
        while (n < 2 && name_next(v->w.whom, t.text, t.n, &at, &bytes)) {
            struct span_of_text s = texts_sentence(t.text, t.n, at);
            const struct lines c = {.text = t.text, .n = t.n};
            at += bytes;
            const int is_signed = signed_at(&c, at - bytes, question, &s);
            if (!is_signed && !tells(question, t.text, s) &&
                !(company_block(&c, &s.from, &s.to) && tells(question, t.text, s)))
                continue;
            if (n && span_is_alike(found.t.text, found.at, t.text, s))
                continue; // signed so again
            if (n && is_signed < signs)
                continue;
            n = is_signed > signs ? 1 : n + 1; // how somebody signs counts more than what is said
            signs = is_signed;
            found = (struct lookup_found){t, s};
            at = s.to > at ? s.to : at;
        }
    }
    n = rc >= 0 && !n ? find_own(v, question, &found, e) : n;
    if (rc < 0 || n != 1)
        return rc < 0 ? rc : n < 0 ? n : 0;
    return lookup_say_found(v, &found, 1, 1, e);
}
