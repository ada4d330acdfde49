#include "engine/question/teller.h"

#include <string.h>
#include <strings.h>

#include "engine/lines/chat_lines.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

enum {
    SEEN = 256 * 1024, // bytes that are looked at
    HEAD = 1000,       // bytes: who is interviewed may be told here
    LABEL = 40,        // bytes
    LONGEST = 100,     // bytes of a line of the head
    LABEL_WORDS = 4,
    TURNS = 4,    // by which one is known to speak
    EVERY = 400,  // bytes that have at least one "I" where somebody tells something
    SHORTEST = 3, // bytes of a word that may be a name
};

// Labels in the head of a document.
static const char TELLERS[] = " author diarist interviewee narrator speaker witness ";
// Words of a label that are no names.
static const char NO_NAMES[] = TELLER_TITLES
    "answer answers diarist guest host interviewee narrator question respondent speaker witness ";

static int is_name_byte(char c)
{
    return word_has(c) || is_one_of(c, " .'-");
}

// Bytes of the time in brackets and of the marks of emphasis that TEXT [n] begins with.
static size_t before_label(const char *text, size_t n)
{
    size_t at = 0;
    for (; at < n && is_one_of(text[at], " *_["); at++)
        if (text[at] == '[')
            while (at < n && text[at] != ']')
                at++;
    return at;
}

static size_t after_marks(const char *text, size_t n, size_t at)
{
    while (at < n && is_one_of(text[at], "*_"))
        at++;
    return at;
}

// The label of who speaks on the line TEXT [n]: "DOT KOWALCZYK:", "**Ines:**", "Q.". *SAID: the
// byte behind it. All of its words have capitals.
static struct span_of_text label_of(const char *text, size_t n, size_t *said)
{
    const struct span_of_text none = {0, 0};
    struct span_of_text when, who;
    if (chat_line(text, n, &when, &who)) {
        *said = who.to + 1;
        return who;
    }
    size_t from = before_label(text, n), to = from, words = 0;
    if (from + 1 < n && is_one_of(text[from], "QA") && text[from + 1] == '.') {
        *said = from + 2;
        return (struct span_of_text){from, from + 1};
    }
    for (; to < n && to - from <= LABEL && is_name_byte(text[to]); to++)
        if (to == from || is_one_of(text[to - 1], " -")) {
            words += text[to] != ' ';
            if (is_lower(text[to]) || is_digit(text[to]))
                return none;
        }
    size_t end = after_marks(text, n, to);
    if (to == from || to - from > LABEL || words > LABEL_WORDS || end >= n || text[end] != ':')
        return none;
    end = after_marks(text, n, end + 1);
    if (end < n && !is_space(text[end]))
        return none;
    *said = end;
    return (struct span_of_text){from, to};
}

// How many words of TEXT [n] are "I".
static size_t count_own(const char *text, size_t n)
{
    size_t count = 0;
    const char *at = text, *end = text + n;
    for (; at < end && (at = memchr(at, 'I', (size_t)(end - at))); at++)
        count += (at == text || !word_has(at[-1])) && (at + 1 == end || !word_has(at[1]));
    return count;
}

static struct speaker *speaker_of(struct teller *t, const char *label, size_t n)
{
    for (int i = 0; i < t->n_v; i++)
        if (t->v[i].n == n && !strncasecmp(t->v[i].label, label, n))
            return &t->v[i];
    if (t->n_v == TELLER_SPEAKERS)
        return NULL;
    t->v[t->n_v] = (struct speaker){.label = label, .n = n};
    return &t->v[t->n_v++];
}

// A line that says who tells the document: "Narrator: Dorothy "Dot" Kowalczyk". Where somebody is
// called that through a whole conversation, it is what he says.
static void see_head(struct teller *t, const char *label, size_t n, size_t from, size_t to)
{
    while (to > from && is_space(t->text[to - 1]))
        to--;
    if (!word_is_listed(TELLERS, label, n) || to == from || to - from > LONGEST ||
        is_one_of(t->text[to - 1], ".!?"))
        return;
    size_t end = from;
    while (end < to && !is_one_of(t->text[end], ",;("))
        end++;
    t->head = (struct span_of_text){from, end};
    t->heads++;
}

// Takes in who speaks, line by line.
static void see_speakers(struct teller *t)
{
    struct speaker *now = NULL;
    for (size_t at = 0, end, said; at < t->n; at = end + 1) {
        const char *line = t->text + at, *stop = memchr(line, '\n', t->n - at);
        end = stop ? (size_t)(stop - t->text) : t->n;
        const struct span_of_text label = label_of(line, end - at, &said);
        const size_t n = label.to - label.from, own = count_own(line, end - at);
        if (n) {
            now = speaker_of(t, line + label.from, n);
            see_head(t, line + label.from, n, at + said, end);
        }
        t->own += own;
        if (!now)
            continue;
        now->turns += n > 0;
        now->bytes += end - at;
        now->own += own;
        now->asks += n > 0 && memchr(line, '?', end - at);
    }
}

// Who says more than all others, tells of himself, and is asked by them; NULL: nobody.
static const struct speaker *who_mostly_speaks(const struct teller *t)
{
    const struct speaker *most = NULL;
    size_t bytes = 0;
    int turns = 0, asks = 0;
    for (int i = 0; i < t->n_v; i++) {
        const struct speaker *s = &t->v[i];
        if (s->turns < TURNS)
            continue;
        bytes += s->bytes;
        turns += s->turns;
        asks += s->asks;
        if (!most || s->bytes > most->bytes)
            most = s;
    }
    if (!most || 2 * most->bytes <= bytes || most->own * EVERY < most->bytes)
        return NULL;
    return 3 * (asks - most->asks) >= turns - most->turns ? most : NULL;
}

// Takes the words of text[FROM..TO) with capitals, titles aside, for the name.
static void take_name(struct teller *t, size_t from, size_t to)
{
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = from; t->n_name < TELLER_NAME && word_next(t->text, to, &at, stem, &bytes);) {
        const size_t word = at - bytes;
        if (word_is_listed(" and ", t->text + word, bytes)) { // two of them
            t->n_name = 0;
            return;
        }
        if (bytes >= SHORTEST && !is_lower(t->text[word]) &&
            !word_is_listed(NO_NAMES, t->text + word, bytes))
            t->name[t->n_name++] = (struct span_of_text){word, at};
    }
}

// Behind the last word of the run of words with capitals that begins with byte FROM of the text.
static size_t run_end(const struct teller *t, size_t from, size_t n)
{
    size_t at = from, end = from;
    while (at < n && is_upper(t->text[at])) {
        while (at < n && word_has(t->text[at]))
            at++;
        end = at;
        at += at < n && (t->text[at] == ' ' || t->text[at] == '-');
    }
    return end;
}

// Whether the run text[FROM..TO) is who has WHO's label: it has all of its words, or the label is
// its initials, of the first and the last word and any between.
static int is_labelled(const struct teller *t, size_t from, size_t to, const struct speaker *who)
{
    char stem[WORD_STEM];
    size_t bytes, initials = 0, words = 0, all = 1;
    int first = 0, last = 0;
    for (size_t at = from; word_next(t->text, to, &at, stem, &bytes); words++) {
        last = initials < who->n && t->text[at - bytes] == who->label[initials];
        first |= last && !words;
        initials += (size_t)last;
    }
    for (size_t at = 0; all && word_next(who->label, who->n, &at, stem, &bytes);)
        all = bytes >= SHORTEST &&
              word_form_is_in(t->text + from, to - from, who->label + at - bytes, bytes);
    return words > 1 && (all || (first && last && initials == who->n && initials > 1));
}

// Whether another speaker than WHO has WORD [n]; a label that is WHO's and more, or of which his is
// the initials, is his where he was called that once.
static int is_of_another(const struct teller *t, const struct speaker *who, const char *word,
                         size_t n)
{
    for (int i = 0; i < t->n_v; i++) {
        const struct speaker *s = &t->v[i];
        const size_t from = (size_t)(s->label - t->text);
        const int in_full = s->turns == 1 && (word_form_is_in(s->label, s->n, who->label, who->n) ||
                                              is_labelled(t, from, from + s->n, who));
        if (s != who && !in_full && word_form_is_in(s->label, s->n, word, n) &&
            !word_form_is_in(who->label, who->n, word, n))
            return 1;
    }
    return 0;
}

// Takes for WHO's name what the beginning of the text calls him, and the label otherwise.
static void take_label(struct teller *t, const struct speaker *who)
{
    const size_t head = t->n < HEAD ? t->n : HEAD, label = (size_t)(who->label - t->text);
    for (size_t at = 0, end; at < head && !t->n_name; at = end > at ? end : at + 1) {
        end = at && word_has(t->text[at - 1]) ? at : run_end(t, at, head);
        if (end > at && is_labelled(t, at, end, who))
            take_name(t, at, end);
    }
    int n = 0;
    for (int i = 0; i < t->n_name; i++)
        if (!is_of_another(t, who, t->text + t->name[i].from, t->name[i].to - t->name[i].from))
            t->name[n++] = t->name[i];
    t->n_name = n;
    t->in_head = n > 0;
    if (!n)
        take_name(t, label, label + who->n);
}

// The byte behind the one of BEGINS, in whatever case, that TEXT [n] begins with; 0: none.
static size_t behind_any(const char *text, size_t n, const char *const *begins)
{
    for (; *begins; begins++)
        if (begins_alike(text, n, *begins))
            return strlen(*begins);
    return 0;
}

// Takes for the name what the head says of whom it is that answers, behind "deposition of" or
// before
// ", having been sworn".
static void take_witness(struct teller *t)
{
    static const char *const before[] = {"deposition of ",
                                         "testimony of ",
                                         "evidence of ",
                                         "examination of ",
                                         "interview with ",
                                         "interview of ",
                                         NULL},
                             *const behind[] = {", having been ", ", being ", ", sworn",
                                                ", called as ", NULL};
    enum { FAR = 4 * HEAD };
    const size_t head = t->n < FAR ? t->n : FAR;
    for (size_t at = 0, end; at < head && !t->n_name; at = end > at ? end : at + 1) {
        end = at;
        if (at && word_has(t->text[at - 1]))
            continue;
        const size_t lead = behind_any(t->text + at, head - at, before), from = at + lead;
        end = run_end(t, from, head);
        if (lead && begins_with(t->text + end, head - end, ". ")) // a title
            end = run_end(t, end + 2, head);
        if (end > from && (lead || behind_any(t->text + end, head - end, behind)))
            take_name(t, from, end);
    }
}

void teller_find(struct teller *t, const struct named_text *d)
{
    *t = (struct teller){.text = d->text, .n = d->n < SEEN ? d->n : SEEN};
    see_speakers(t);
    if (t->heads == 1 && t->own * EVERY >= t->n)
        take_name(t, t->head.from, t->head.to);
    t->in_head = t->n_name > 0;
    const struct speaker *who = t->heads ? NULL : who_mostly_speaks(t);
    if (who && who->n == 1 && *who->label == 'A')
        take_witness(t);
    else if (who)
        take_label(t, who);
}

// Whether S takes turns, and says something of himself: it is no label of a form.
static int takes_turns(const struct speaker *s)
{
    enum { LEAST = 2 };
    return s->turns >= LEAST && s->own;
}

int teller_is_talk(const struct teller *t)
{
    enum { LEAST = 8 }; // turns of all
    size_t bytes = 0;
    int several = 0, turns = 0;
    for (int i = 0; i < t->n_v; i++)
        if (takes_turns(&t->v[i])) {
            several++;
            turns += t->v[i].turns;
            bytes += t->v[i].bytes;
        }
    return !t->n_name && several > 1 && turns >= LEAST && 2 * bytes > t->n;
}

int teller_take(struct teller *t, int i)
{
    const struct speaker *who = &t->v[i];
    const size_t label = (size_t)(who->label - t->text);
    t->n_name = 0;
    if (takes_turns(who))
        take_name(t, label, label + who->n);
    return t->n_name > 0;
}

int teller_is_only(const struct teller *t, int i, const char *name, size_t n)
{
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(name, n, &at, stem, &bytes);) {
        int shared = word_is_listed(TELLER_TITLES, name + at - bytes, bytes);
        for (int k = 0; k < t->n_v; k++)
            shared |= k != i && t->v[k].turns > 1 &&
                      word_form_is_in(t->v[k].label, t->v[k].n, name + at - bytes, bytes);
        if (!shared)
            return 1;
    }
    return 0;
}
