#define _GNU_SOURCE
// Looks up what is said below a heading that asks the same question, or that tells how to do what
// is asked: "Why does it leak?", "How do I replace the cartridge?" below "5.2 Replacing the
// cartridge". To votes and to a judge such a heading, and what repeats its words, is better than
// its answer.
#include <string.h>
#include <strings.h>

#include "engine/lines/lines.h"
#include "engine/lookup/telling.h"
#include "engine/outline/below.h"
#include "engine/question/asked.h"
#include "engine/question/question.h"
#include "engine/question/turn.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

// What kind of answer is asked for.
enum kind { NONE, WHAT, WHO, WHERE, WHEN, WHY, HOW_MUCH, STEPS, WHETHER, IF };

// What a question, or a heading, asks for.
struct asks {
    enum kind kind;
    struct telling words;
    int denies; // "Can I not copy hidden files?"
};

static const char IDLE[] = TELLING_NOTHING "tell know want need there appliance device machine ";
enum {
    LEAST = 3, // bytes of a word that tells something
    WORDS = 2  // that tell what is asked for, at least; of steps one that is all of a heading
};

// Bytes of the words with which TEXT [n] asks what holds in a case, or names that: "What should I
// do if", "If"; 0: it does neither.
static size_t asked_if(const char *text, size_t n)
{
    static const char *const begins[] = {"if ",
                                         "what if ",
                                         "what should i do if ",
                                         "what should you do if ",
                                         "what do i do if ",
                                         "what must i do if ",
                                         "what shall i do if ",
                                         "what happens if ",
                                         "what to do if "};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        const size_t bytes = strlen(begins[i]);
        if (n > bytes && !strncasecmp(text, begins[i], bytes))
            return bytes;
    }
    return 0;
}

// The kind of the question TEXT [n]; *BEHIND: the byte behind the words that tell that.
static enum kind kind_of(const char *text, size_t n, size_t *behind)
{
    static const struct {
        enum kind kind;
        const char *words;
    } kinds[] = {
        {WHAT, " what which "},
        {WHO, WORDLIST_WHO},
        {WHERE, " where "},
        {WHEN, " when "},
        {WHY, " why "},
        {WHETHER, " is are was were do does did can could may must should will has have "}};
    char word[WORD_LISTED];
    size_t at = 0, bytes = word_small(text, n, &at, word, sizeof word);
    *behind = asked_if(text, n);
    if (*behind)
        return IF;
    *behind = at;
    const size_t how = asked_how(text, n);
    if (how) {
        *behind = how;
        return STEPS;
    }
    if (word_is_listed(" how ", word, bytes))
        return HOW_MUCH;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (word_is_listed(kinds[i].words, word, bytes))
            return kinds[i].kind;
    return NONE;
}

// Adds the words of TEXT [n] that tell one case from another to A, common ones as well: "use it
// up", "stop using it".
static void add_case(struct telling *a, const char *text, size_t n)
{
    static const char idle[] =
        " the you your i my me we our it its is are am was were been be has have "
        "had a an of to in on at and or that this than should would could can "
        "may must do does did if any some too ";
    size_t bytes;
    for (size_t at = 0; a->n < TELLING_WORDS && word_next(text, n, &at, a->stem[a->n], &bytes);)
        a->n += !word_is_listed(idle, text + at - bytes, bytes);
}

// Adds the telling words of TEXT [n] to A; of steps the first word is one whatever it is.
static void add_words(struct asks *a, const char *text, size_t n)
{
    if (a->kind == IF)
        add_case(&a->words, text, n);
    else
        telling_add(&a->words, text, n, LEAST, IDLE, a->kind == STEPS);
}

static void read_asked(struct asks *a, const char *text, size_t n)
{
    size_t behind;
    *a = (struct asks){.kind = kind_of(text, n, &behind), .denies = turn_denies(text, n)};
    if (a->kind != NONE)
        add_words(a, text + behind, n - behind);
}

// How many words the heading S has that the question ASKED lacks, if it asks the same or tells how
// to do it; -1: it does neither.
static int words_more(const void *asked, const struct lines *c, struct span_of_text s)
{
    enum { MORE = 2 };
    const struct asks *q = asked;
    const char *text = c->text + s.from;
    const size_t n = span_bytes(s), mark = below_mark(text, n);
    struct asks own;
    read_asked(&own, text + mark, n - mark);
    const int same = own.kind == q->kind;
    if (!same) {
        // "Replacing the cartridge", "Replace the cartridge"
        own = (struct asks){.kind = STEPS, .denies = own.denies};
        add_words(&own, text + mark, n - mark);
        if (q->kind != STEPS || line_asks(text, n) || !own.words.n ||
            memcmp(own.words.stem[0], q->words.stem[0], WORD_STEM) != 0)
            return -1;
    }
    if (own.denies != q->denies || !telling_has_all(&own.words, &q->words))
        return -1;
    const int more = own.words.n - q->words.n;
    if (q->words.n < WORDS && more) // "Descaling" alone tells how to descale
        return -1;
    return more <= MORE + (same ? q->words.n : 0) ? more : -1;
}

int outline_faq(struct lookup *v, const char *question, struct err *e)
{
    enum { WHOLE = 2000 }; // bytes of steps that are said
    const char *itself = question_itself(question);
    struct below best;
    struct asks q;
    read_asked(&q, itself, strlen(itself));
    if (q.kind == NONE || q.words.n < (q.kind == STEPS ? 1 : WORDS))
        return 0;
    int rc = below_find(&best, v, words_more, &q, e);
    return rc > 0 ? below_say(v, &best, q.kind == STEPS ? WHOLE : 0, e) : rc;
}
