#include "engine/rows/column.h"

#include <string.h>
#include <strings.h>

#include "engine/lookup/telling.h"
#include "engine/question/asked.h"
#include "engine/words/chars.h"
#include "engine/words/dates.h"
#include "engine/words/names.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

enum { SHORTEST = 3 }; // bytes of a word that counts

// What a column of durations may be called.
#define DURATIONS "duration length time period term min" WORDLIST_SPANS

// What a value has that says how long something is or takes.
#define SPANS                                                                                      \
    WORDLIST_SPANS                                                                                 \
    "s sec secs second seconds min mins h hr hrs night nights until since mm cm m km metre "       \
    "metres meter meters ft foot feet inch inches mile miles yard yards"

// What a column of times may be called.
#define TIMES "date day time due delivery"

// Words that ask, but for those that ask with the word behind them ("how long").
static const char ASKING[] = WORDLIST_ASKING_ALONE WORDLIST_WHEN_GERMAN " wer wo warum ";

// If a question has one of WORDS, the answer is in a column whose name has one of NAMES. A word
// that asks does so if no other one comes before it: "Which room was free when she came?" Where the
// name has one of OTHERS as well, it is of another kind: "Unit price" tells no number of units.
static const struct {
    const char *words, *names, *others;
} KINDS[] = {
    {"much cost costs price pay expensive", COLUMN_PRICE " total", NULL},
    {"earn earns earned paid", COLUMN_PAY, NULL},
    {"when", TIMES " month year", NULL},
    {"where", "place location room city town address warehouse street site", NULL},
    {WORDLIST_WHO, "name owner person supplier author customer contact", NULL},
    {"many", "number quantity qty count pieces pcs stock pairs units amount",
     "price cost costs fee rate"},
    {"phone call telephone", "phone telephone tel mobile number", NULL},
    {"long", DURATIONS, NULL},
    {"far", "distance km miles", NULL},
    {"heavy weigh weighs", COLUMN_WEIGHT, NULL},
    {"tall high", "height", NULL},
    {"old", "age", NULL},
    {"hot warm cold", "temperature temp", NULL},
    {"fast", "speed", NULL},
    {"often", "interval frequency", NULL},
    {"wann", "datum tag zeit", NULL},
    {"kostet kosten", "preis betrag kosten summe", NULL},
    {"lange", "dauer zeit tage wochen monate", NULL},
    {"schwer", "gewicht", NULL},
};

// The word of QUESTION right behind "who", as in "Who owns it?"; *N its bytes, 0: there is none.
static const char *word_behind_who(const char *question, size_t *n)
{
    char stem[WORD_STEM];
    int who = 0;
    for (size_t at = 0; word_next(question, strlen(question), &at, stem, n);) {
        if (who)
            return question + at - *n;
        who = word_is_listed(" who wer ", question + at - *n, *n);
    }
    *n = 0;
    return question;
}

// Whether the column NAME [n] is called after who does what QUESTION asks: "Who owns it?", "Owner".
static int is_of_doer(const char *name, size_t n, const char *question)
{
    size_t bytes;
    const char *verb = word_behind_who(question, &bytes);
    return bytes >= SHORTEST && !word_is_listed(WORDLIST_OF_QUESTIONS, verb, bytes) &&
           word_form_is_in(name, n, verb, bytes);
}

// Words of columns' names that are always short for longer ones.
static const char SHORTENED[] = " ext tel dept qty ref reg temp addr amt ";

// Whether NAME [n], of three or four letters, is short for WORD [n_word]: "Pts" for points, "Dep"
// for departs.
static int is_short_for(const char *name, size_t n, const char *word, size_t n_word)
{
    enum { MOST = 4 };
    size_t had = 0;
    int vowels = 0;
    if (n < SHORTEST || n > MOST || n_word <= n)
        return 0;
    if (!strncasecmp(name, word, n))
        return 1;
    for (size_t i = 0; i < n; i++)
        vowels |= is_one_of(name[i], "aeiouAEIOU");
    for (size_t i = 0; i < n_word; i++)
        had += had < n && !strncasecmp(name + had, word + i, 1);
    return (!vowels || word_is_listed(SHORTENED, name, n)) && had == n &&
           !strncasecmp(name, word, 1) && !strncasecmp(name + n - 1, word + n_word - 1, 1);
}

// Whether WORD [n], a column's name, or one in it that is always short ("phone_ext"), is short for
// a word of QUESTION.
static int word_shortens(const char *word, size_t n, const char *question)
{
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(question, strlen(question), &at, stem, &bytes);)
        if (is_short_for(word, n, question + at - bytes, bytes))
            return 1;
    return 0;
}

static int shortens(const char *name, size_t n, const char *question)
{
    char stem[WORD_STEM];
    size_t bytes;
    n -= n && name[n - 1] == '.';
    int does = word_shortens(name, n, question);
    for (size_t at = 0; !does && word_next(name, n, &at, stem, &bytes);)
        does = word_is_listed(SHORTENED, name + at - bytes, bytes) &&
               word_shortens(name + at - bytes, bytes, question);
    return does;
}

// What may be on the day that a column tells, each with its words.
static const char *const EVENTS[] = {
    "start starts started join joined joins hired hire begin began begins entry since",
    "retire retires retired leave leaves left end ends ended expire expires expired until",
    "born birth birthday",
    "due deadline",
    "deliver delivered delivery arrive arrives arrived arrival",
    "order ordered orders",
    "depart departs departed departure",
    "buy bought purchase purchased acquired",
    "sell sold sale",
};

// Whether the column NAME [n] is of one of these, and QUESTION of others.
static int tells_other(const char *name, size_t n, const char *question)
{
    int own = 0, asked = 0, both = 0;
    for (size_t i = 0; i < sizeof EVENTS / sizeof *EVENTS; i++) {
        const int has = words_any(EVENTS[i], name, n),
                  asks = words_any(EVENTS[i], question, strlen(question));
        own |= has;
        asked |= asks;
        both |= has && asks;
    }
    return own && asked && !both;
}

// Whether QUESTION asks what is to be done: "What do I do when it says E07?"
static int asks_for_remedy(const char *question)
{
    char word[WORD_LISTED];
    int who = 0;
    size_t at = 0;
    for (size_t n; (n = word_small(question, strlen(question), &at, word, sizeof word)) > 0;) {
        if (who && word_is_listed(" do done ", word, n))
            return 1;
        who = word_is_listed(" i we you one to be ", word, n);
    }
    return 0;
}

// Whether one of WORDS is in QUESTION, before any other word that asks.
static int asks_with(const char *words, const char *question)
{
    char stem[WORD_STEM];
    size_t bytes;
    int asks = 0;
    for (size_t at = 0; word_next(question, strlen(question), &at, stem, &bytes);) {
        const int own = word_is_in(words, strlen(words), stem),
                  other = word_is_listed(ASKING, question + at - bytes, bytes);
        if (own && !(other && asks))
            return 1;
        asks |= other;
    }
    return 0;
}

double column_fits(const char *name, size_t n, const char *question)
{
    static const double DOER = 0.75;
    char stem[WORD_STEM];
    size_t bytes;
    double fit = 0;
    for (size_t at = 0; word_next(name, n, &at, stem, &bytes);)
        fit += bytes >= SHORTEST && !word_says_little(name + at - bytes, bytes, stem) &&
               !word_is_listed(WORDLIST_FUNCTION, name + at - bytes, bytes) &&
               word_is_in(question, strlen(question), stem);
    if (!fit && is_of_doer(name, n, question))
        fit = DOER;
    for (size_t i = 0; !fit && i < sizeof KINDS / sizeof *KINDS; i++)
        if (asks_with(KINDS[i].words, question) && words_any(KINDS[i].names, name, n) &&
            !(KINDS[i].others && words_any(KINDS[i].others, name, n)) &&
            !tells_other(name, n, question))
            fit = COLUMN_KIND;
    if (!fit && words_any("do remedy action solution fix correction", name, n) &&
        asks_for_remedy(question) && !asks_with("when where who", question))
        fit = COLUMN_KIND;
    return fit || !shortens(name, n, question) ? fit : COLUMN_KIND;
}

// Words that ask for a column that has another name.
static const struct {
    const char *asks, *names;
} MEANT[] = {
    {" cost costs priced ", COLUMN_PRICE},
    {" earn earns earned earning paid pay pays salary salaries wage wages income ", COLUMN_PAY},
    {" paid pay pays spend spent ", COLUMN_PRICE},
    {" spend spent ", "debit debits expense spending outgoing"},
    {" join joins joined joining start starts started hired begin began ", COLUMN_START},
    {" report reports reporting boss manager supervisor ", "manager supervisor boss superior"},
    {" born birthday ", COLUMN_BIRTH},
    {" weigh weighs ", COLUMN_WEIGHT},
    {" built made ", "year built"},
    {" numbers number ", "no nr num"},
    {" quantity quantities ", "qty"},
    {" extension extensions ", "ext"},
    {" phone telephone ", "phone tel telephone"},
};

// The ways in which a word asks for a column, from the surest on: by its stem, by what each of
// MEANT has for it, by another form of it.
enum { BY_STEM, N_MEANT = sizeof MEANT / sizeof *MEANT, BY_FORM, WAYS };

// Whether WORD [bytes], of STEM, asks for the column NAME [n] in this WAY.
static int asks_for(int way, const char stem[WORD_STEM], const char *word, size_t bytes,
                    const char *name, size_t n)
{
    if (way == BY_STEM)
        return word_is_in(name, n, stem);
    if (way < BY_FORM)
        return word_is_listed(MEANT[way - 1].asks, word, bytes) &&
               words_any(MEANT[way - 1].names, name, n);
    return telling_word(word, bytes, stem, TELLING_BYTES, "") &&
           word_form_is_in(name, n, word, bytes); // "drive", "Driver"
}

int column_way(const char *name, size_t n, const char stem[WORD_STEM], const char *word,
               size_t bytes)
{
    for (int way = 0; way < WAYS; way++)
        if (asks_for(way, stem, word, bytes, name, n))
            return way + 1;
    return 0;
}

int column_falls_short(const char *names, size_t n, const char *asked)
{
    static const char others[] =
        " than before after except without not during within next previous following ";
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(asked, strlen(asked), &at, stem, &bytes);)
        if (word_is_listed(others, asked + at - bytes, bytes) && !word_is_in(names, n, stem))
            return 1;
    return 0;
}

// Whether VALUE [n] is a time of day, as timetables write it.
static int is_clock(const char *value, size_t n)
{
    return n == 5 && is_digit(value[0]) && is_digit(value[1]) && is_one_of(value[2], ":.") &&
           is_digit(value[3]) && is_digit(value[4]);
}

// Whether VALUE [n] begins with a letter and has a digit in its first word: "A-2" is no number.
static int is_id(const char *value, size_t n)
{
    size_t first = 0;
    while (first < n && !is_space(value[first]))
        first++;
    return first && (is_upper(*value) || is_lower(*value)) && word_has_digit(value, first);
}

// Whether NAME [n_name] is of a column of times, or VALUE [n] may be one.
static int may_tell_when(const char *name, size_t n_name, const char *value, size_t n)
{
    enum { LONGEST = 400 }; // bytes of a value
    static const char times[] =
        TIMES WORDLIST_SPANS_OF_DAYS "when dates times hours since until till period term deadline "
                                     "season wann datum tag zeit uhrzeit termin frist seit bis ";
    char own[LONGEST + 1];
    if (n > LONGEST || words_any(times, name, n_name))
        return 1;
    memcpy(own, value, n);
    own[n] = 0;
    return asked_may_be_time(own);
}

// Whether VALUE [n] is a number and what may be its unit, alone: "200 GB", "75 %".
static int is_measure(const char *value, size_t n)
{
    enum { UNIT = 4 }; // bytes
    size_t i = 0;
    while (i < n && (is_digit(value[i]) || is_one_of(value[i], ".,")))
        i++;
    const size_t gap = i < n && value[i] == ' ';
    return i > 0 && gap && n - i - gap <= UNIT && !memchr(value + i + gap, ' ', n - i - gap);
}

// Whether QUESTION says "the" NAME [n], "the evening drill", of what somebody does something to or
// of what lasts, but not "Who is the warden?".
static int is_said_of(const char *name, size_t n, const char *question)
{
    enum { BACK = 3 }; // words, of which the article is one of the first two
    static const char links[] = " is was are were be been becomes became as elected appointed "
                                "named ";
    const char *p = n ? name_stands(question, question, name, n) : NULL;
    if (!p || !word_is_listed(" who whom how ", question, strcspn(question, " ")))
        return 0;
    size_t to = (size_t)(p - question);
    for (int back = 0, article = 0; back < BACK; back++) {
        while (to > 0 && question[to - 1] == ' ')
            to--;
        const size_t from = word_start_before(question, 0, to);
        if (article)
            return from < to && !word_is_listed(links, question + from, to - from);
        article = word_is_listed(" the a an ", question + from, to - from);
        to = from;
    }
    return 0;
}

// Whether VALUE [n] has a capital, as names have, or a letter of another script.
static int has_capital(const char *value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is_upper(value[i]) || (value[i] & 0x80))
            return 1;
    return 0;
}

// Whether NAME [n] is of a column of the numbers of what somebody asks others for: "Order no".
static int numbers_deeds(const char *name, size_t n)
{
    char stem[WORD_STEM];
    size_t at = 0, bytes;
    if (!word_next(name, n, &at, stem, &bytes) ||
        !word_is_listed(" order request purchase ", name + at - bytes, bytes))
        return 0;
    while (word_next(name, n, &at, stem, &bytes))
        if (!word_is_listed(" no nr id number num ", name + at - bytes, bytes))
            return 0;
    return 1;
}

// Whether QUESTION has a word of NAME [n] only as what somebody did: "What did Brandt order?", "Who
// ordered it?", but not "What did the order cost?", "Which order did Brandt place?"
static int is_deed(const char *name, size_t n, const char *question)
{
    const size_t all = strlen(question);
    char stem[WORD_STEM];
    size_t bytes;
    int did = 0, behind = 0, deed = 0; // BEHIND: words behind "did"
    for (size_t at = 0; word_next(question, all, &at, stem, &bytes); behind += did) {
        const char *word = question + at - bytes;
        if (!word_is_in(name, n, stem)) {
            did |= word_is_listed(" did does do ", word, bytes);
            continue;
        }
        size_t next = at, own;
        const int ends =
            !word_next(question, all, &next, stem, &own) ||
            word_is_listed(" in on at from for with by last ", question + next - own, own);
        if (memcmp(word + bytes - 2, "ed", 2) != 0 && !(behind > 1 && ends))
            return 0;
        deed = 1;
    }
    return deed;
}

int column_is_object(const char *name, size_t n_name, const char *value, size_t n,
                     const char *question)
{
    int digits;
    const int letters = name_letters(value, n, &digits);
    if (digits && (!letters || is_id(value, n)) && numbers_deeds(name, n_name) &&
        is_deed(name, n_name, question))
        return 1;
    if (!is_said_of(name, n_name, question))
        return 0;
    if (asks_with(WORDLIST_WHO, question))
        return !has_capital(value, n);
    return words_any("long", question, strlen(question)) && digits && !words_any(SPANS, value, n);
}

int column_tells(const char *name, size_t n_name, const char *value, size_t n, const char *question)
{
    const size_t bytes = strlen(question);
    int digits;
    const int letters = name_letters(value, n, &digits);
    if (words_any("why" WORDLIST_WHY_GERMAN, question, bytes) ||
        column_is_object(name, n_name, value, n, question))
        return 0;
    if (words_any("when", question, bytes) && !words_any("what which who how", question, bytes) &&
        words_any("phone telephone tel mobile fax email e-mail", name, n_name))
        return 0;
    if (asks_with("when wann", question) && !words_any("what which who how", question, bytes) &&
        !may_tell_when(name, n_name, value, n))
        return 0;
    if (asks_with(WORDLIST_WHO, question) && !words_any("what which when how", question, bytes) &&
        (is_measure(value, n) || dates_alone(value, n)))
        return 0;
    if (words_any("many much", question, bytes))
        return digits > 0 && !dates_alone(value, n) &&
               !(words_any("many", question, bytes) &&
                 (is_id(value, n) || numbers_deeds(name, n_name)));
    if (words_any("long", question, bytes) && words_any("how", question, bytes) && !letters)
        return words_any(DURATIONS " long age since", name, n_name) &&
               !(words_any("time", name, n_name) && is_clock(value, n));
    return letters || !words_any(WORDLIST_WHO "where", question, bytes) ||
           words_any("what which when how", question, bytes);
}

int column_is_type(const char *name, size_t n_name, const char *value, size_t n)
{
    static const char types[] =
        " string str text word char integer int number num float double decimal percent bool "
        "boolean flag date time datetime timestamp duration size bytes path file url uri address "
        "list array object map enum uuid ";
    return words_any("type types typ datatype", name, n_name) && word_is_listed(types, value, n);
}
