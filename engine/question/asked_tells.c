// Whether a text has what is of some kind: a number, a span, a time, a name, a reason.
#include <string.h>

#include "engine/question/asked_impl.h"
#include "engine/words/chars.h"
#include "engine/words/phone.h"
#include "engine/words/wordlist.h"

// Lists of words (words.h).
// Numbers in words; the first one of some things is no amount.
#define COUNTS_IN_WORDS                                                                            \
    WORDLIST_ONE_TO_TWELVE                                                                         \
    " thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty "    \
    "sixty seventy eighty ninety hundred thousand million dozen half once twice quarter "          \
    "ein eine einen einem einer eins zwei drei vier sechs sieben acht neun zehn elf "              \
    "dreizehn vierzehn sechzehn siebzehn achtzehn neunzehn zwanzig "                               \
    "hundert tausend halb halbe doppelt "
#define AMOUNTS_IN_WORDS                                                                           \
    COUNTS_IN_WORDS                                                                                \
    " second third fourth fifth sixth seventh eighth ninth tenth twentieth thirtieth daily "       \
    "weekly monthly yearly annually hourly "
static const char NUMBERS[] = AMOUNTS_IN_WORDS "first ", AMOUNTS[] = AMOUNTS_IN_WORDS,
                  COUNTS[] = COUNTS_IN_WORDS;
static const char WHEN[] = WORDLIST_DATES WORDLIST_MONTHS_GERMAN
    " christmas easter "
    "morning evening noon midnight night dawn dusk sunrise sunset midday before after until once "
    "when soon immediately always never every " WORDLIST_SPANS_OF_DAYS WORDLIST_EACH_DAY
    "weekday weekdays weekend weekends today tonight yesterday tomorrow "
    "montag montags dienstag dienstags "
    "mittwoch mittwochs donnerstag donnerstags freitag freitags samstag samstags sonntag sonntags "
    "werktags sonnabend ostern weihnachten morgens vormittags mittags nachmittags abends nachts "
    "vor nach bis seit wenn sobald tag tage tagen woche wochen monat monate monaten jahr jahre "
    "jahren immer nie sofort jeden jedes jede ";
static const char REASONS[] =
    " because since due owing thanks so therefore thus hence reason reasons cause caused "
    "lest otherwise weil da denn damit deshalb darum wegen daher grund um sonst aufgrund ";

// What is long, in time or in space, is so much of one of these, or lasts for ever.
static const char SPANS[] = WORDLIST_SPANS
    " second seconds sec secs min mins hr hrs night nights fortnight quarter yr yrs decade decades "
    "century centuries term terms season seasons session sessions cm mm km metre metres meter "
    "meters centimetre centimetres foot feet ft inch inches mile miles yard yards page pages line "
    "lines word words character characters letter letters byte bytes octet octets bits chapter "
    "chapters "
    "sekunde sekunden minute minuten stunde stunden tag tage tagen woche wochen monat monate "
    "monaten jahr jahre jahren ",
                  ENDLESS[] = " until till forever ever always indefinitely permanently permanent "
                              "lifetime life unlimited perpetual bis immer unbegrenzt ";

// Whether nothing of its clause is before byte AT of TEXT.
static int begins_clause(const char *text, size_t at)
{
    while (at && is_space(text[at - 1]))
        at--;
    return !at || !word_has(text[at - 1]);
}

// Whether "one", before byte AT of TEXT, counts nothing: it stands for something that was said,
// "the old one is ...", or says which, "upon one side", "One morning the mill ...".
static int is_pronoun(const char *text, size_t at)
{
    char word[ASKED_LONGEST + 1];
    const int begins = begins_clause(text, at - (sizeof "one" - 1));
    return is_one_of(text[at], ".,;:!?") || !asked_next_word(text, &at, word) ||
           asked_is(word, ASKED_VERBS) || asked_is(word, " of that who which side hand another ") ||
           (begins && text[at] && !is_one_of(text[at], ".;!?") &&
            asked_is(word, " day morning evening night afternoon "));
}

// Whether "once", before byte AT of TEXT, is no number of times but says when: "once it is given".
static int is_as_soon(const char *text, size_t at)
{
    char word[ASKED_LONGEST + 1];
    return !is_one_of(text[at], ".,;:!?") && asked_next_word(text, &at, word) &&
           !asked_is(word,
                     " a an every per each in daily weekly monthly yearly or and for only during "
                     "before after at on ");
}

// Whether the number at byte AT of TEXT, which ends before byte END, only calls something so: the
// section that it heads, "16.3 The Company ...", or one that is referred to, "in Schedule 3".
static int is_of_section(const char *text, size_t at, size_t end)
{
    static const char sections[] =
        " section sections clause clauses article articles chapter schedule annex appendix exhibit "
        "paragraph part page pages figure table note footnote item no nr ";
    enum { LETTERS = 4 };
    size_t from = at;
    while (from && is_one_of(text[from - 1], " \t#(\"*"))
        from--;
    if (!from || text[from - 1] == '\n') {
        const size_t digits = end;
        while (is_digit(text[end]) || is_one_of(text[end], ".)"))
            end++;
        size_t word = 0; // "The", "SALARY", but not "GB"
        while (word < LETTERS && is_space(text[end]) &&
               (is_upper(text[end + 1 + word]) || (word && is_lower(text[end + 1 + word]))))
            word++;
        return end > digits && is_space(text[end]) &&
               (text[end + 1] == '"' || word == LETTERS ||
                (is_upper(text[end + 1]) && is_lower(text[end + 2])));
    }
    const size_t to = from - (text[from - 1] == '.');
    from = word_start_before(text, 0, to);
    return word_is_listed(sections, text + from, to - from);
}

// Whether the number TEXT[AT .. END) is of a date: "7th", beside a month, or a year behind "in" or
// the like.
static int is_of_date(const char *text, size_t at, size_t end)
{
    static const char months[] = WORDLIST_MONTHS WORDLIST_MONTHS_GERMAN WORDLIST_MONTHS_SHORT,
                      years[] = " in since by until from year im seit bis ab ";
    char word[ASKED_LONGEST + 1];
    size_t behind = end, from = at;
    if (asked_next_word(text, &behind, word) &&
        (asked_is(word, months) ||
         (behind == end + strlen(word) && asked_is(word, " st nd rd th ")) ||
         (asked_is(word, " of ") && asked_next_word(text, &behind, word) &&
          asked_is(word, months))))
        return 1;
    for (int is_of = 1; is_of; is_of = word_is_listed(" of ", text + from, behind - from)) {
        // "December, 1954", but not "In March, 12 boats"
        while (from && (is_space(text[from - 1]) || (end - at == 4 && text[from - 1] == ',')))
            from--;
        behind = from;
        from = word_start_before(text, 0, behind);
    }
    return word_is_listed(months, text + from, behind - from) ||
           (end - at == 4 && is_one_of(text[at], "12") && is_one_of(text[at + 1], "056789") &&
            word_is_listed(years, text + from, behind - from));
}

// The end of the years that the number TEXT[AT .. END) begins, "1994-95"; 0: it does not.
static size_t years_end(const char *text, size_t at, size_t end)
{
    const size_t behind = end + 1;
    return end - at == 4 && is_one_of(text[at], "12") && text[end] == '-' &&
                   strspn(text + behind, "0123456789") == 2
               ? behind + 2
               : 0;
}

int asked_has_digits(const char *text, int dates)
{
    for (size_t at = 0, end; text[at]; at = end) {
        for (end = at; is_digit(text[end]);)
            end++;
        const size_t years = dates ? 0 : years_end(text, at, end);
        if (years) {
            end = years;
            continue;
        }
        if (end > at && !is_of_section(text, at, end) && (dates || !is_of_date(text, at, end)))
            return 1;
        // The rest of "16.3", of "Schedule 3.1"
        while (end > at && (is_digit(text[end]) || (text[end] == '.' && is_digit(text[end + 1]))))
            end++;
        end += end == at;
    }
    return 0;
}

// Whether the word before byte AT of TEXT, a number, is a part of what something looks like: "a
// three-legged stool".
static int is_of_looks(const char *text, size_t at)
{
    size_t end = at;
    while (text[at] == '-' && word_has(text[end + 1]))
        end++;
    return end > at + 2 && !strncmp(text + end - 1, "ed", 2);
}

// Whether what is behind byte AT of TEXT, a number, makes it an hour: "four in the morning".
static int is_hour(const char *text, size_t at)
{
    static const char *const behind[] = {" o'clock",          " o\u2019clock",   " in the morning",
                                         " in the afternoon", " in the evening", " at night"};
    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++)
        if (!strncmp(text + at, behind[i], strlen(behind[i])))
            return 1;
    return 0;
}

// Whether TEXT has a number in words, one of WORDS, that is no hour where HOURS is 0.
static int has_number_word(const char *text, const char *words, int hours)
{
    char word[ASKED_LONGEST + 1];
    int is_at = 0; // behind "at"
    for (size_t at = 0; asked_next_word(text, &at, word); is_at = asked_is(word, " at "))
        if (asked_is(word, words) && !is_of_looks(text, at) && (hours || !is_hour(text, at)) &&
            !(asked_is(word, " one ") && is_pronoun(text, at)) &&
            !(asked_is(word, " once ") && (is_at || is_as_soon(text, at))))
            return 1;
    return 0;
}

static int has_number(const char *text)
{
    return asked_has_digits(text, 1) || has_number_word(text, NUMBERS, 1);
}

// Whether WORD, before byte AT of TEXT, is written as one that tells a time is but for capitals: a
// tag, no "Tag", what may be, not in May, and HR, which keeps records for no hour.
static int is_other_word(const char *text, size_t at, const char *word)
{
    static const char small[] = " tag may march ";
    if (at < strlen(word))
        return 0;
    const int capital = is_upper(text[at - strlen(word)]);
    return asked_is(word, small) ? !capital : asked_is(word, " hr ") && capital;
}

// Whether TEXT says how long something is: "4 m", "90min", "2:25", "a few days", "until May".
static int has_span(const char *text)
{
    char word[ASKED_LONGEST + 1];
    size_t before = 0; // digits of the word before, if it has nothing else
    for (size_t at = 0; asked_next_word(text, &at, word);) {
        const size_t digits = strspn(word, "0123456789");
        if ((asked_is(word, SPANS) && !is_other_word(text, at, word)) || asked_is(word, ENDLESS) ||
            (before && asked_is(word, " h m ")) || (digits && is_lower(word[digits])) ||
            (digits && text[at] == ':' && is_digit(text[at + 1])))
            return 1;
        before = word[digits] ? 0 : digits;
    }
    return 0;
}

static int has_mail_address(const char *text)
{
    for (const char *at = text; (at = strchr(at, '@')); at++)
        if (at > text && word_has(at[-1]) && word_has(at[1]))
            return 1;
    return 0;
}

// Whether TEXT has a word with a capital in the middle of a sentence, one that is not of a date.
static int has_name(const char *text)
{
    char word[ASKED_LONGEST + 1];
    for (const char *p = text; *p; p++) {
        size_t at = 0;
        if (*p >= 'A' && *p <= 'Z' && p - text > 1 && p[1] >= 'a' && p[1] <= 'z' &&
            strchr(" (", p[-1]) && !strchr(".!?:\n\"", p[-2]) && asked_next_word(p, &at, word) &&
            !asked_is(word, WORDLIST_DATES))
            return 1;
    }
    return 0;
}

int asked_has_when(const char *text)
{
    char word[ASKED_LONGEST + 1];
    for (size_t at = 0; asked_next_word(text, &at, word);)
        if (asked_is(word, WHEN) && !is_other_word(text, at, word))
            return 1;
    return 0;
}

// Whether "since", before byte AT of TEXT, says from when on something is so, and not why: "since
// 1931", "since 2 May", "since cast 31.", "since the war.", "ever since".
static int is_since_when(const char *text, size_t at)
{
    char word[ASKED_LONGEST + 1], next[ASKED_LONGEST + 1];
    size_t first = at, behind;
    if (is_one_of(text[at], ".,;:!?)") || !asked_next_word(text, &first, word))
        return 1;
    const size_t digits = strspn(word, "0123456789");
    if (digits && !word[digits] &&
        (is_of_date(text, first - digits, first) || (digits == 4 && is_one_of(*word, "12"))))
        return 1;
    if (asked_is(word, WORDLIST_DATES WORDLIST_MONTHS_GERMAN " then when yesterday noon "))
        return !is_other_word(text, first, word);
    behind = first;
    if (asked_is(word, " the his her their our its that ") &&
        asked_next_word(text, &behind, next) && is_one_of(text[behind], ".,;:!?)"))
        return 1; // no verb follows: "since the war."
    behind = first;
    if (!digits && (!asked_next_word(text, &behind, next) || !is_digit(*next)))
        return 0;
    // "Since cast 31.", but not "since 20 people came".
    return !text[digits ? first : behind] || is_one_of(text[digits ? first : behind], ".,;:!?)");
}

static int has_reason(const char *text)
{
    char word[ASKED_LONGEST + 1];
    for (size_t at = 0; asked_next_word(text, &at, word);)
        if (asked_is(word, REASONS) && !(asked_is(word, " since ") && is_since_when(text, at)))
            return 1;
    return 0;
}

int asked_tells(enum asked_kind asked, const char *text)
{
    switch (asked) {
    case ASKED_NUMBER:
        return has_number(text);
    case ASKED_SPAN:
        return has_span(text);
    case ASKED_PHONE:
        return phone_is_there(text);
    case ASKED_MAIL:
        return has_mail_address(text);
    case ASKED_TIME:
        return has_number(text) || asked_has_when(text);
    case ASKED_NAME:
        return has_name(text);
    case ASKED_REASON:
        return has_reason(text);
    default:
        return 1;
    }
}

int asked_has_number_word(const char *text)
{
    return has_number_word(text, AMOUNTS, 1);
}

int asked_has_count(const char *text)
{
    return asked_has_digits(text, 0) || has_number_word(text, COUNTS, 0);
}

int asked_has_amount(const char *text)
{
    return asked_has_digits(text, 0) || asked_has_number_word(text);
}
