#include "engine/tables/kind.h"

#include <string.h>

#include "engine/lookup/telling.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

// Columns of what somebody is to a thing, and the words of questions that such a one answers.
static const struct {
    const char *names, *asks;
} PERSONS[] = {
    {"owner contact",
     "responsible charge accountable assigned allotted taking takes took taken care look looks "
     "looking handle handles handled handling deal deals dealt dealing manage manages managed lead "
     "leads leading led run runs running keep keeps work works working worked hold holds doing "
     "complete completes completed finish finishes finished carry carries carried belong belongs"},
    {"supplier", "supply supplies supplied deliver delivers delivered provide provides provided "
                 "sell sells sold send sends sent company firm"},
    {"author", "write writes wrote written book"},
    {"customer", "order orders ordered buy buys bought pay pays paid place placed book booked "
                 "company firm"},
};

// The same for times, of which a question has to have one, and none of OTHERS: what is due then may
// have been done at another time.
static const struct {
    const char *names, *asks, *others;
} TIMES[] = {
    {"due deadline",
     " due deadline ready finish finished done complete completed expected required needed need "
     "needs must should shall have has end ends ended until submit submitted handed hand reply "
     "answer paid pay ",
     " was were did "},
    {"delivery",
     " deliver delivers delivered delivery deliveries arrive arrives arrived come comes "
     "came get got received restocked stock supplied sent ",
     ""},
};

// Columns of places, and what one does at the place of a thing to have it or to bring it there.
static const char PLACES[] = "place location room city town address warehouse street site",
                  FINDS[] = " find get see meet look keep store put leave go sit stand stay reach "
                            "collect fetch buy borrow live work send write post return deliver "
                            "ship bring take hand submit apply pay park enter ";

// Whether QUESTION asks where one does something to a thing that text[LINE) has not, whatever place
// that is of: "Where do you turn the water off?"
static int asks_for_other_deed(const char *text, struct span_of_text line, const char *question)
{
    static const char MODALS[] = " do does can could should must may shall ",
                      ONE[] = " i you we one they somebody someone ";
    char stem[WORD_STEM];
    size_t bytes;
    int told = 0; // words of "where do you"
    for (size_t at = 0; word_next(question, strlen(question), &at, stem, &bytes);) {
        const char *word = question + at - bytes;
        if (told == 3)
            return !word_is_listed(FINDS, word, bytes) &&
                   !word_form_is_in(text + line.from, span_bytes(line), word, bytes);
        const char *next = !told ? " where " : told == 1 ? MODALS : ONE;
        told =
            word_is_listed(next, word, bytes) ? told + 1 : word_is_listed(" where ", word, bytes);
    }
    return 0;
}

// Words with which any question may ask who.
static const char WHO[] = TELLING_NOTHING
    " who whom whose person people someone somebody named called currently today still exactly ";

// Whether WORD [n] tells what was done: that a row has it, too, "rejected", makes nobody in it the
// one who did it.
static int is_done(const char *word, size_t n)
{
    static const char others[] = " bought broke built chose drew found gave left lost made paid "
                                 "said saw sent sold told won wrote ";
    return (n > 2 && !memcmp(word + n - 2, "ed", 2)) || word_is_listed(others, word, n);
}

// Whether WORD [bytes], of STEM, is one of ASKS or of the column NAME.
static int is_of_column(const char *text, struct span_of_text name, const char *asks,
                        const char *word, size_t bytes, const char stem[WORD_STEM])
{
    return word_is_in(asks, strlen(asks), stem) ||
           word_form_is_in(text + name.from, span_bytes(name), word, bytes);
}

// Whether QUESTION asks who did what is of another column: "Who rejected it?"
static int asks_for_other_doer(const char *text, struct span_of_text name, const char *question,
                               const char *asks)
{
    char stem[WORD_STEM];
    size_t bytes;
    int who = 0;
    for (size_t at = 0; word_next(question, strlen(question), &at, stem, &bytes);) {
        const char *word = question + at - bytes;
        if (who && !word_is_listed(" has have had ", word, bytes))
            return is_done(word, bytes) && !is_of_column(text, name, asks, word, bytes, stem);
        who |= word_is_listed(" who ", word, bytes);
    }
    return 0;
}

// Whether ASKED has a word that neither ASKS nor the column NAME nor R has.
static int leaves_over(const char *text, const struct table_row *r, struct span_of_text name,
                       const char *asked, const char *asks)
{
    enum { LEAST = 3 };
    const struct span_of_text title = table_title(text, r->head.from);
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(asked, strlen(asked), &at, stem, &bytes);) {
        const char *word = asked + at - bytes;
        if (telling_word(word, bytes, stem, LEAST, WHO) &&
            !is_of_column(text, name, asks, word, bytes, stem) &&
            !word_form_is_in(text + r->line.from, span_bytes(r->line), word, bytes) &&
            !word_form_is_in(text + r->head.from, span_bytes(r->head), word, bytes) &&
            !word_form_is_in(text + title.from, span_bytes(title), word, bytes))
            return 1;
    }
    return 0;
}

int kind_is_other(const char *text, const struct table_row *r, struct span_of_text name,
                  const char *question, const char *asked)
{
    const char *own = text + name.from;
    const size_t n = strlen(asked);
    if (words_any("who", asked, n) && !words_any("when", asked, n))
        for (size_t i = 0; i < sizeof PERSONS / sizeof *PERSONS; i++)
            if (words_any(PERSONS[i].names, own, span_bytes(name)))
                return asks_for_other_doer(text, name, question, PERSONS[i].asks) ||
                       leaves_over(text, r, name, asked, PERSONS[i].asks);
    if (words_any("where", asked, n) && words_any(PLACES, own, span_bytes(name)) &&
        !words_any("what which who how when", asked, n))
        return asks_for_other_deed(text, r->line, question);
    if (words_any("when", asked, n) && !words_any("what which who how", asked, n))
        for (size_t i = 0; i < sizeof TIMES / sizeof *TIMES; i++)
            if (words_any(TIMES[i].names, own, span_bytes(name)))
                return !words_listed(TIMES[i].asks, asked, n) ||
                       words_listed(TIMES[i].others, asked, n);
    return 0;
}
