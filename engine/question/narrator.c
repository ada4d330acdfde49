// memmem
#define _GNU_SOURCE
#include "engine/question/narrator.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/question/anew.h"
#include "engine/words/chars.h"
#include "engine/words/text_span.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"
#include "io/mem.h"

enum {
    SEEN = 256 * 1024, // bytes that are looked at
    HEAD = 1000,       // bytes: who is interviewed may be told here
    SPEAKERS = 32,     // no conversation has more
    LABEL = 40,        // bytes
    LONGEST = 100,     // bytes of a line of the head
    LABEL_WORDS = 4,
    TURNS = 4,    // by which one is known to speak
    EVERY = 400,  // bytes that have at least one "I" where somebody tells something
    NAME = 8,     // words of a name
    SHORTEST = 3, // bytes of a word that may be a name
};

static const char TITLES[] = " dr madam miss mr mrs ms prof professor sir ";
// Labels in the head of a document.
static const char TELLERS[] = " author diarist interviewee narrator witness ";
// Words of a label that are no names.
static const char NO_NAMES[] =
    " answer answers diarist dr guest host interviewee madam miss mr mrs "
    "ms narrator prof professor question respondent sir speaker witness ";
// Who tells it, without a name.
static const char ROLES[] = " diarist interviewee narrator ";

struct speaker {
    const char *label; // [n]
    size_t n;
    int turns, asks;
    size_t bytes, own; // of all turns; how many of their words are "I"
};

// Who tells a document.
struct teller {
    const char *text; // [n]
    size_t n;
    struct speaker v[SPEAKERS];
    int n_v;
    size_t own;               // how many "I" the whole text has
    struct span_of_text head; // the name in the head; empty: it has none
    int heads;
    struct span_of_text name[NAME];
    int n_name;
};

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
    if (t->n_v == SPEAKERS)
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

// Whether another speaker than WHO has WORD [n]; a label that is WHO's and more is his where he was
// called that once.
static int is_of_another(const struct teller *t, const struct speaker *who, const char *word,
                         size_t n)
{
    for (int i = 0; i < t->n_v; i++) {
        const struct speaker *s = &t->v[i];
        const int in_full = s->turns == 1 && word_form_is_in(s->label, s->n, who->label, who->n);
        if (s != who && !in_full && word_form_is_in(s->label, s->n, word, n) &&
            !word_form_is_in(who->label, who->n, word, n))
            return 1;
    }
    return 0;
}

// Takes the words of text[FROM..TO) with capitals, titles aside, for the name.
static void take_name(struct teller *t, size_t from, size_t to)
{
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = from; t->n_name < NAME && word_next(t->text, to, &at, stem, &bytes);) {
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
// its initials.
static int is_labelled(const struct teller *t, size_t from, size_t to, const struct speaker *who)
{
    char stem[WORD_STEM];
    size_t bytes, initials = 0, words = 0, all = 1;
    for (size_t at = from; word_next(t->text, to, &at, stem, &bytes); words++)
        initials += words < who->n && t->text[at - bytes] == who->label[words];
    for (size_t at = 0; all && word_next(who->label, who->n, &at, stem, &bytes);)
        all = bytes >= SHORTEST &&
              word_form_is_in(t->text + from, to - from, who->label + at - bytes, bytes);
    return words > 1 && (all || (initials == words && words == who->n));
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
    if (!n)
        take_name(t, label, label + who->n);
}

// Finds who tells D.
static void find_teller(struct teller *t, const struct named_text *d)
{
    *t = (struct teller){.text = d->text, .n = d->n < SEEN ? d->n : SEEN};
    see_speakers(t);
    if (t->heads == 1 && t->own * EVERY >= t->n)
        take_name(t, t->head.from, t->head.to);
    const struct speaker *who = t->heads ? NULL : who_mostly_speaks(t);
    if (who)
        take_label(t, who);
}

// ---- The question

// Whether the question has no capitals but the first.
static int is_small(const struct anew *q)
{
    for (int i = 1; i < q->n_words; i++)
        if (is_upper(q->question[q->v[i].from]))
            return 0;
    return 1;
}

// Bytes of the I-th word without a curled "'s".
static size_t bare(const struct anew *q, int i)
{
    const size_t n = q->v[i].to - q->v[i].from;
    return n > 4 && !memcmp(q->question + q->v[i].to - 4, "\xe2\x80\x99s", 4) ? n - 4 : n;
}

// Whether the I-th word is one of T's name.
static int is_of_name(const struct teller *t, const struct anew *q, int i)
{
    if (i >= q->n_words)
        return 0;
    const char *word = q->question + q->v[i].from;
    const size_t n = bare(q, i);
    const int may_be = is_upper(*word) || is_small(q);
    for (int k = 0; may_be && k < t->n_name; k++)
        if (t->name[k].to - t->name[k].from == n &&
            !strncasecmp(t->text + t->name[k].from, word, n))
            return !word_is_listed(WORDLIST_OF_QUESTIONS, word, n);
    return 0;
}

// Whether no more than a blank and MARKS are between word I and the one before it.
static int is_behind(const struct anew *q, int i, const char *marks)
{
    return i > 0 && i < q->n_words &&
           q->v[i - 1].to + strspn(q->question + q->v[i - 1].to, marks) == q->v[i].from;
}

static int is_joined(const struct anew *q, int i)
{
    return is_behind(q, i, " -\"");
}

// Whether the I-th word, one of T's name, is of another speaker's name, too: "Kowalczyk" of Stan.
static int is_shared(const struct teller *t, const struct anew *q, int i)
{
    for (int k = 0; k < t->n_v; k++) {
        const struct speaker *s = &t->v[k];
        char stem[WORD_STEM];
        size_t bytes, at = 0;
        int others = 0;
        while (word_next(s->label, s->n, &at, stem, &bytes)) {
            int own = word_is_listed(TITLES, s->label + at - bytes, bytes);
            for (int j = 0; j < t->n_name; j++)
                own |= t->name[j].to - t->name[j].from == bytes &&
                       !strncasecmp(t->text + t->name[j].from, s->label + at - bytes, bytes);
            others += !own;
        }
        if (others && word_form_is_in(s->label, s->n, q->question + q->v[i].from, bare(q, i)))
            return 1;
    }
    return 0;
}

// Whether the I-th word belongs to a name beside it without being of it: "Stan" of "Stan
// Kowalczyk".
static int is_capital(const struct anew *q, int i)
{
    return i > 0 && i < q->n_words && is_upper(q->question[q->v[i].from]);
}

// Behind the name of T that begins with word I, at *FIRST with its title or article; I: none does.
static int name_end(const struct teller *t, const struct anew *q, int i, int *first)
{
    int end = i;
    *first = i;
    if (anew_is(q, i, ROLES) && anew_is(q, i - 1, " the ")) {
        *first = i - 1;
        return i + 1;
    }
    while (is_of_name(t, q, end) && (end == i || is_joined(q, end)))
        end++;
    if (end == i)
        return i;
    const int titled = is_behind(q, i, " .") && anew_is(q, i - 1, TITLES);
    *first = i - titled;
    const int more = is_joined(q, end) && is_capital(q, end),
              less = titled ? end == i + 1 && is_shared(t, q, i)
                            : is_joined(q, i) && is_capital(q, i - 1);
    return more || less ? i : end;
}

// A question as it is written anew: how many names are replaced, and the last one of them.
struct told {
    struct anew w;
    int names;
    struct span_of_text name;
};

// Behind the name of another speaker that "and" joins to the name of T before word I; I: none is.
static int partner_end(const struct teller *t, const struct anew *q, int i)
{
    int end = i + 1;
    if (!anew_is(q, i, " and ") || !is_capital(q, end))
        return i;
    const char *word = q->question + q->v[end].from;
    for (int k = 0; k < t->n_v; k++)
        if (t->v[k].turns && word_form_is_in(t->v[k].label, t->v[k].n, word, bare(q, end))) {
            for (end++; is_joined(q, end) && is_capital(q, end); end++)
                ;
            return end;
        }
    return i;
}

// Takes over the name of words FIRST to *END, with a partner's. Returns whether it was the subject
// or the object.
static int take_name_of(struct told *a, const struct teller *t, int first, int *end)
{
    static const char before[] = " about at by for from of on than to with ";
    const struct anew *q = &a->w;
    const int last = *end - 1, both = partner_end(t, q, *end);
    const size_t to = q->v[last].to;
    const int curled = bare(q, last) < to - q->v[last].from,
              straight = !strncmp(q->question + to, "'s", 2) && !word_has(q->question[to + 2]),
              owns = curled || straight || !strncmp(q->question + to, "' ", 2),
              object = anew_is(q, first - 1, before) ||
                       (*end == q->n_words && !anew_is(q, first - 1, WORDLIST_HELPING));
    const size_t behind = both > *end ? q->v[both - 1].to : to + (straight ? 2 : owns && !curled);
    a->names++;
    a->name = (struct span_of_text){q->v[first].from, to};
    anew_put(&a->w, q->v[first].from, behind,
             both > *end ? "we"
             : owns      ? "my"
             : object    ? "me"
                         : "I");
    *end = both;
    return !owns;
}

// Whether the question asks for something else than who somebody is: it has another word that
// says something.
static int asks_on(const char *question)
{
    static const char little[] = WORDLIST_OF_QUESTIONS " about am describe full held interview "
                                                       "interviewed interviewer name names "
                                                       "recorded recording tell ";
    struct anew q = {.question = question};
    int left = 0;
    anew_words(&q);
    for (int i = 0; i < q.n_words; i++)
        left += !anew_is(&q, i, little) && !anew_is(&q, i, ROLES);
    return left > 0;
}

// QUESTION as T tells it, to OUT, and where his name is in it; 0: it is not there.
static int as_told(const struct teller *t, const char *question, char *out,
                   struct span_of_text *name)
{
    struct told a = {.w = {.question = question, .text = out}};
    struct anew *q = &a.w;
    int named = 0; // and nobody else since then
    anew_words(q);
    for (int i = 0, end, first; i<q->n_words; i = end> i ? end : i + 1) {
        end = name_end(t, q, i, &first);
        if (end > i)
            named = take_name_of(&a, t, first, &end);
        else if (named && anew_is(q, i, " he she "))
            anew_put(q, q->v[i].from, q->v[i].to, "I");
        else
            named &= !is_capital(q, i);
    }
    anew_end(q);
    *name = a.name;
    return a.names > 0 && asks_on(out);
}

// Whether another document than WHICH of D [n] has NAME [bytes].
static int others_have(const struct named_text *d, int n, int which, const char *name, size_t bytes)
{
    for (int i = 0; i < n; i++)
        if (i != which && memmem(d[i].text, d[i].n, name, bytes))
            return 1;
    return 0;
}

int narrator_asked(char **out, int *which, const char *question, const struct named_text *d, int n,
                   struct err *e)
{
    struct teller t;
    *out = NULL;
    *which = -1;
    // No name is shorter than what takes its place.
    char *text = mem_new(strlen(question) + 1, 1, e);
    if (!text)
        return ERR_NOMEM;
    struct span_of_text name = {0};
    for (int i = 0; i < n && *which < 0; i++) {
        find_teller(&t, &d[i]);
        if (t.n_name && as_told(&t, question, text, &name))
            *which = i;
    }
    if (*which < 0 || others_have(d, n, *which, question + name.from, name.to - name.from))
        free(text);
    else
        *out = text;
    return 0;
}
