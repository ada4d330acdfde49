// Looks up mails by who wrote them, when and about what: "What did Ada say about slugs?", "Who
// wrote the mail of 8 July?" What stands in the heads of mails says little of what is below them,
// and what is below them has hardly ever the name of who wrote it.
#include <string.h>

#include "engine/history/history.h"
#include "engine/lines/lines.h"
#include "engine/lines/message.h"
#include "engine/lookup/telling.h"
#include "engine/question/question.h"
#include "engine/sentences/courtesy.h"
#include "engine/words/dates.h"
#include "engine/words/day.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

enum {
    FEW = 3,    // mails that are quoted, at most,
    SENDERS = 6 // and named
};

// How questions put that somebody wrote something, and what they call it.
static const char SAYS[] = " say says said write writes wrote written send sent tell tells told "
                           "think thinks thought recommend recommends recommended suggest suggests "
                           "suggested propose proposes proposed advise advises advised report "
                           "reported reply replied answer answered ",
                  WROTE[] = " wrote write writes sent sends send mailed ",
                  MAILS[] = " mail email message letter ";
static const char IDLE[] = "about against regarding concerning mail email message letter reply";

// A question after mails: words FROM to TO - 1 of QUESTION name who wrote them, if it does not ask
// for that itself; from byte TOPIC on it says what they are about, or when they were written.
struct mail_question {
    const char *text;
    size_t from, to, topic;
    int who; // 1: it asks for their heads: who wrote them, or their subject
    struct day day;
    int dated; // 1: DAY is there
};

// A mail: its head, and its body without the signature.
struct mail {
    struct texts t;
    struct span_of_text head, body;
};

static size_t next(const char *text, size_t *at, char word[WORD_LISTED])
{
    return word_small(text, strlen(text), at, word, WORD_LISTED);
}

// Reads "What did Ada Pell say about slugs?": 1, or 0 where QUESTION is no such question.
static int parse_what(struct mail_question *m)
{
    char word[WORD_LISTED];
    size_t at = 0, n = next(m->text, &at, word);
    if (!word_is_listed(" what ", word, n) || !(n = next(m->text, &at, word)) ||
        !word_is_listed(" did does do has had ", word, n))
        return 0;
    m->from = m->to = at;
    for (int words = 0; (n = next(m->text, &at, word)) && words <= 3; words++) {
        if (word_is_listed(SAYS, word, n)) {
            m->topic = at;
            return words > 0;
        }
        m->to = at;
    }
    return 0;
}

// Reads "What is the subject of the mail from Ada Pell of 8 July?", likewise.
static int parse_subject(struct mail_question *m)
{
    static const char *const form[] = {" what ", " is was ", " the ", " subject ",
                                       " of ",   " the ",    MAILS,   " from by "};
    char word[WORD_LISTED];
    size_t at = 0, n;
    for (size_t i = 0; i < sizeof form / sizeof *form; i++)
        if (!(n = next(m->text, &at, word)) || !word_is_listed(form[i], word, n))
            return 0;
    m->from = m->to = at;
    while ((n = next(m->text, &at, word)) && !word_is_listed(" about of on dated ", word, n))
        m->to = at;
    m->topic = n ? at : m->to;
    m->who = 1;
    return m->to > m->from;
}

// Reads "Who wrote the mail of 8 July?", "Who wrote on 8 July?" and "Who wrote about slugs?",
// likewise.
static int parse_who(struct mail_question *m)
{
    char word[WORD_LISTED];
    size_t at = 0, n = next(m->text, &at, word);
    int mail = 0;
    if (!word_is_listed(" who ", word, n) || !(n = next(m->text, &at, word)) ||
        !word_is_listed(WROTE, word, n))
        return 0;
    m->who = 1;
    for (m->topic = at; (n = next(m->text, &at, word)); m->topic = at) {
        if (word_is_listed(" about ", word, n))
            return 1;
        mail |= word_is_listed(MAILS, word, n);
        if (word_is_listed(mail ? " of on from dated " : " on ", word, n))
            return m->dated;
        if (!mail && !word_is_listed(" a an the any us them me in ", word, n))
            return 0;
    }
    return 0;
}

// Whether QUESTION has WORD [bytes] of a date, which the head of a mail has in other words.
static int is_of_date(const struct mail_question *m, const char *word, size_t bytes)
{
    return m->dated && (word_is_listed(WORDLIST_DATES, word, bytes) || is_digit(*word) ||
                        dates_say(word, bytes));
}

// Whether the lines of MAIL that are not quoted from another have the word of STEM.
static int says(const struct mail *mail, const struct lines *c, const char stem[WORD_STEM])
{
    for (size_t line = mail->body.from; line < mail->body.to; line = line_end(c, line) + 1)
        if (!line_quoted(c, line) && word_is_in(c->text + line, line_end(c, line) - line, stem))
            return 1;
    return 0;
}

static struct span_of_text field_of(const struct mail *mail, const struct lines *c,
                                    enum message_field field)
{
    return message_line(c, mail->head.from, mail->head.to, field);
}

// Whether WORD [bytes], which stands for nobody, is written in capitals alone, as a name is: "IT".
static int is_initials(const char *word, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (!is_upper(word[i]))
            return 0;
    return bytes > 1;
}

// Whether SENDER of C has all words by which the question names who wrote; a word that mostly
// stands for somebody else has to be of the name, not of the host of an address.
static int is_sender(const struct mail_question *m, const struct lines *c,
                     struct span_of_text sender)
{
    static const char others[] = " i you he she it we they the this a an us ";
    const char *host = memchr(c->text + sender.from, '@', span_bytes(sender));
    const size_t name = host ? (size_t)(host - c->text) - sender.from : span_bytes(sender);
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = m->from; at < m->to && word_next(m->text, m->to, &at, stem, &bytes);) {
        const char *word = m->text + at - bytes;
        const int other = word_is_listed(others, word, bytes);
        if ((other && !is_initials(word, bytes)) ||
            !word_is_in(c->text + sender.from, other ? name : span_bytes(sender), stem))
            return 0;
    }
    return 1;
}

// Whether the question names who wrote, and nothing that the mails are about: "What did Ada write?"
static int asks_for_all(const struct mail_question *m)
{
    static const char idle[] = " in his her their its the a an mail mails email emails message "
                               "messages letter letters ";
    return m->to > m->from && !words_beyond(m->text + m->topic, strlen(m->text + m->topic), idle);
}

// Whether MAIL is by whom the question names, of the day and about what it says.
static int is_meant(const struct mail_question *m, const struct mail *mail, const struct lines *c)
{
    const struct span_of_text sender = field_of(mail, c, MESSAGE_FROM),
                              date = field_of(mail, c, MESSAGE_DATE),
                              subject = field_of(mail, c, MESSAGE_SUBJECT);
    char stem[WORD_STEM];
    struct day day;
    size_t bytes;
    int words = m->dated || asks_for_all(m);
    if (sender.from == sender.to ||
        (m->dated &&
         (!day_of(c->text + date.from, span_bytes(date), &day) || !day_is_same(&day, &m->day))))
        return 0;
    if (!is_sender(m, c, sender))
        return 0;
    for (size_t at = m->topic; word_next(m->text, strlen(m->text), &at, stem, &bytes);) {
        const char *word = m->text + at - bytes;
        if (!telling_word(word, bytes, stem, TELLING_BYTES, IDLE) || is_of_date(m, word, bytes))
            continue;
        if (!says(mail, c, stem) && !word_is_in(c->text + subject.from, span_bytes(subject), stem))
            return 0;
        words++;
    }
    return words > 0;
}

// The next mail of T's document C from byte *AT on: MAIL, and *AT behind it.
static int next_mail(const struct lines *c, size_t *at, struct mail *mail)
{
    size_t from, to;
    while (*at < c->n && !(message_head(c, *at, &mail->head.from, &mail->head.to) &&
                           !message_is_commit(c->text + mail->head.from, span_bytes(mail->head))))
        *at = line_end(c, *at) + 1;
    if (*at >= c->n)
        return 0;
    size_t signature = c->n;
    mail->body = (struct span_of_text){mail->head.to, mail->head.to};
    for (*at = mail->head.to; *at < c->n && !message_head(c, *at, &from, &to);) {
        signature = message_is_signed(c, *at) ? *at : signature;
        *at = line_end(c, *at) + 1;
    }
    mail->body.to = *at < signature ? *at : signature;
    return 1;
}

// Finds the mails that are meant: V [most]. Returns how many there are, MOST + 1 for more, or an
// error.
static int find_mails(const struct lookup *s, const struct mail_question *m, struct mail *v,
                      int most, struct err *e)
{
    struct texts t;
    int rc, n = 0;
    texts_begin(&t, s->k, s->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        const struct lines c = {.text = t.text, .n = t.n};
        struct mail mail = {.t = t};
        for (size_t at = 0; n <= most && next_mail(&c, &at, &mail);)
            if (is_meant(m, &mail, &c)) {
                if (n < most)
                    v[n] = mail;
                n++;
            }
    }
    return rc < 0 ? rc : n;
}

// Whether LINE, which MAIL does not quote from another, has a word that says what is asked for.
static int is_telling(const struct mail_question *m, const struct lines *c, size_t line)
{
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = m->topic; word_next(m->text, strlen(m->text), &at, stem, &bytes);)
        if (telling_word(m->text + at - bytes, bytes, stem, TELLING_BYTES, IDLE) &&
            word_is_in(c->text + line, line_end(c, line) - line, stem))
            return 1;
    return 0;
}

// Whether the line of bytes LINE to END only names who wrote what is quoted below it: "Ada wrote:".
static int names_quoted(const struct mail *mail, const struct lines *c, size_t line, size_t end)
{
    const size_t last = line_trimmed(c, line, end);
    return last > line && c->text[last - 1] == ':' && end + 1 < mail->body.to &&
           line_quoted(c, end + 1);
}

// What MAIL says behind its greeting and what it quotes first; of a long one, from the paragraph on
// that has a word of what is asked for.
static struct span_of_text own_words(const struct mail_question *m, const struct mail *mail,
                                     const struct lines *c)
{
    struct span_of_text s = {mail->body.to, mail->body.to};
    size_t paragraph = mail->body.from, end;
    for (size_t line = mail->body.from; line < mail->body.to; line = end + 1) {
        end = line_end(c, line);
        if (line_is_empty(c, line))
            paragraph = end + 1;
        if (line_is_empty(c, line) || line_quoted(c, line) || courtesy_is(c, line, end) ||
            names_quoted(mail, c, line, end))
            continue;
        if (s.from == s.to)
            s.from = line;
        if (mail->body.to - s.from > LOOKUP_SAID && is_telling(m, c, line)) {
            s.from = paragraph;
            break;
        }
    }
    s.to = s.from < s.to ? line_trimmed(c, s.from, s.to) : s.from;
    return s;
}

// Prints the head of MAIL, as far as it tells, and what it says unless it is asked who wrote it.
static int say_mail(struct lookup *v, const struct mail_question *m, const struct mail *mail,
                    int first, struct err *e)
{
    static const enum message_field fields[] = {MESSAGE_FROM, MESSAGE_DATE, MESSAGE_SUBJECT};
    const struct lines c = {.text = mail->t.text, .n = mail->t.n};
    struct span_of_text s = own_words(m, mail, &c);
    fputs(first ? "" : "\n\n", v->out);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const struct span_of_text field = field_of(mail, &c, fields[i]);
        if (field.from == field.to)
            continue;
        fputs(i ? "\n" : "", v->out);
        lookup_say(v->out, c.text, field);
    }
    int rc = 0;
    if (!m->who && s.from < s.to) {
        fputs("\n\n", v->out);
        rc = lookup_passage(v->out, &mail->t, &s, e);
    }
    return rc ? rc : lookup_add(v, &mail->t, m->who ? mail->head : s, 0, e);
}

int history_mail(struct lookup *v, const char *question, struct err *e)
{
    struct mail mails[SENDERS];
    struct mail_question m = {.text = question_itself(question)};
    m.dated = day_of(m.text, strlen(m.text), &m.day);
    if (!parse_what(&m)) {
        m = (struct mail_question){.text = m.text, .day = m.day, .dated = m.dated};
        if (!parse_who(&m) && !parse_subject(&m))
            return 0;
    }
    const int most = m.who ? SENDERS : FEW, n = find_mails(v, &m, mails, most, e);
    int rc = n < 0 ? n : 0;
    if (n > most)
        return 0;
    for (int i = 0; !rc && i < n; i++)
        rc = say_mail(v, &m, &mails[i], !i, e);
    return rc ? rc : n > 0;
}
