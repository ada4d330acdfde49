#define _GNU_SOURCE
#include "engine/text/asked.h"

#include <string.h>
#include <strings.h>

#include "engine/text/chars.h"
#include "engine/text/dates.h"
#include "engine/text/lines.h"
#include "engine/text/phone.h"
#include "engine/text/question.h"
#include "engine/text/wordlist.h"
#include "engine/text/words.h"

enum asked_kind { ANYTHING, NUMBER, SPAN, PHONE, MAIL, TIME, NAME, REASON };

enum { LONGEST = WORD_LISTED + 1 };

// What a text loses that has nothing of the kind asked for, in nats a token.
static const double MISSES = 0.5;

// What one gains that has the day of the month on which something is, whenever that is asked for,
// likewise: "seven days after it was due" is a time, too.
static const double DAY = 1;

// Lists of words (words.h).
static const char BEFORE[] = WORDLIST_BEFORE_ASKING " until since bis seit ab um ";
static const char VERBS[] = " do does did is are was were am be can could should would shall will "
                            "to may might must has have had ";
static const char TIMES[] = " time year date day month hour ";
static const char AMOUNTS[] =
    " cost costs price charge charged fee fine rent number limit maximum minimum amount "
    "rate temperature percentage age discount deposit salary distance length width "
    "height speed weight size budget port pay paid ";
static const char PHONES[] = " phone telephone mobile fax telefonnummer handynummer faxnummer ",
                  MAILS[] = " email mail emailadresse mailadresse ",
                  PLACES[] = " number address adresse emailadresse mailadresse telefonnummer "
                             "handynummer faxnummer ";
// Numbers in words; the first one of some things is no amount.
#define AMOUNTS_IN_WORDS                                                                           \
    WORDLIST_ONE_TO_TWELVE                                                                         \
    " thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty "    \
    "sixty seventy eighty ninety hundred thousand million dozen half once twice second third "     \
    "fourth fifth sixth seventh eighth ninth tenth twentieth thirtieth daily weekly monthly "      \
    "yearly annually hourly quarter "                                                              \
    "ein eine einen einem einer eins zwei drei vier sechs sieben acht neun zehn elf "              \
    "dreizehn vierzehn sechzehn siebzehn achtzehn neunzehn zwanzig "                               \
    "hundert tausend halb halbe doppelt "
static const char NUMBERS[] = AMOUNTS_IN_WORDS "first ", COUNTS[] = AMOUNTS_IN_WORDS;
static const char WHEN[] = WORDLIST_DATES WORDLIST_MONTHS_GERMAN
    " christmas easter "
    "morning evening noon midnight night dawn dusk sunrise sunset midday before after until once "
    "when soon day days week "
    "weeks month months year years immediately always never every "
    "mondays tuesdays wednesdays thursdays fridays saturdays sundays weekday weekdays weekend "
    "weekends today tonight yesterday tomorrow "
    "montag montags dienstag dienstags "
    "mittwoch mittwochs donnerstag donnerstags freitag freitags samstag samstags sonntag sonntags "
    "werktags sonnabend ostern weihnachten morgens vormittags mittags nachmittags abends nachts "
    "vor nach bis seit wenn sobald tag tage tagen woche wochen monat monate monaten jahr jahre "
    "jahren immer nie sofort jeden jedes jede ";
static const char REASONS[] =
    " because since due owing thanks so therefore thus hence reason reasons cause caused "
    "lest otherwise weil da denn damit deshalb darum wegen daher grund um sonst aufgrund ";

// What is long, in time or in space, is so much of one of these, or lasts for ever.
static const char SPANS[] =
    " second seconds sec secs minute minutes min mins hour hours hr hrs day days night nights week "
    "weeks fortnight month months quarter year years yr yrs decade decades century centuries term "
    "terms season seasons session sessions cm mm km metre metres meter meters centimetre "
    "centimetres foot feet ft inch inches mile miles yard yards page pages line lines word words "
    "character characters letter letters byte bytes chapter chapters "
    "sekunde sekunden minute minuten stunde stunden tag tage tagen woche wochen monat monate "
    "monaten jahr jahre jahren ",
                  ENDLESS[] = " until till forever ever always indefinitely permanently permanent "
                              "lifetime life unlimited perpetual bis immer unbegrenzt ";

// Words that deny something.
static const char DENIALS[] = WORDLIST_DENIALS " none nobody nothing keiner nichts niemand ";

// Copies the next word of TEXT from *AT on to WORD, in small letters; a word that is too long for
// any of the lists becomes one that none of them has. Returns 0 at the end.
static int next_word(const char *text, size_t *at, char word[LONGEST + 1])
{
    const size_t n = word_small(text, strlen(text), at, word, LONGEST);
    word[n] = 0;
    return n > 0;
}

static int is(const char *word, const char *list)
{
    return word_is_listed(list, word, strlen(word));
}

static int has_any(const char *text, const char *list)
{
    return words_listed(list, text, strlen(text));
}

// The first word of QUESTION, from byte AT 0 on, or the next one behind "in" or the like. Returns 0
// if it has none.
static int asking_word(const char *question, size_t *at, char word[LONGEST + 1])
{
    return next_word(question, at, word) && (!is(word, BEFORE) || next_word(question, at, word));
}

// What QUESTION asks for if it asks how somebody can be reached: "What is the phone number of ...?"
static enum asked_kind asked_to_reach(const char *question)
{
    if (!has_any(question, PLACES))
        return ANYTHING;
    return has_any(question, PHONES) ? PHONE : has_any(question, MAILS) ? MAIL : ANYTHING;
}

// What a German question asks for.
static enum asked_kind asked_in_german(const char *question, size_t at, const char *first)
{
    char word[LONGEST + 1];
    if (is(first, WORDLIST_WHEN_GERMAN))
        return TIME;
    if (is(first, WORDLIST_WHY_GERMAN))
        return REASON;
    if (is(first, " wieviel wieviele "))
        return NUMBER;
    const int how = is(first, " wie ");
    const enum asked_kind reach = asked_to_reach(question);
    if (reach != ANYTHING)
        return reach;
    if ((!how && !is(first, " was ")) || !next_word(question, &at, word))
        return ANYTHING;
    if (how && is(word, " lange lang "))
        return SPAN;
    return is(word,
              how ? " viel viele vielen oft hoch tief alt breit weit schwer " : " kostet kosten ")
               ? NUMBER
               : ANYTHING;
}

static enum asked_kind asked_for(const char *question)
{
    char word[LONGEST + 1];
    size_t at = 0;
    question = question_clause(question);
    if (!asking_word(question, &at, word))
        return ANYTHING;
    if (is(word, WORDLIST_WHO))
        return NAME;
    if (is(word, " when "))
        return TIME;
    if (is(word, " why "))
        return REASON;
    if (is(word, WORDLIST_WHEN_GERMAN WORDLIST_WHY_GERMAN " wieviel wieviele wie was "))
        return asked_in_german(question, at, word);
    const int how = is(word, " how ");
    if ((!how && !is(word, " what which ")) || !next_word(question, &at, word))
        return ANYTHING;
    if (how)
        return is(word, VERBS) ? ANYTHING : is(word, " long ") ? SPAN : NUMBER;
    const enum asked_kind reach = asked_to_reach(question);
    if (reach != ANYTHING)
        return reach;
    return is(word, TIMES) ? TIME : has_any(question, AMOUNTS) ? NUMBER : ANYTHING;
}

// Whether "one", before byte AT of TEXT, stands for something that was said: "the old one is ...".
static int is_pronoun(const char *text, size_t at)
{
    char word[LONGEST + 1];
    return is_one_of(text[at], ".,;:!?") || !next_word(text, &at, word) || is(word, VERBS) ||
           is(word, " of that who which ");
}

// Whether "once", before byte AT of TEXT, is no number of times but says when: "once it is given".
static int is_as_soon(const char *text, size_t at)
{
    char word[LONGEST + 1];
    return !is_one_of(text[at], ".,;:!?") && next_word(text, &at, word) &&
           !is(word, " a an every per each in daily weekly monthly yearly or and for only during "
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
    for (from = to; from && word_has(text[from - 1]);)
        from--;
    return word_is_listed(sections, text + from, to - from);
}

// Whether the number TEXT[AT .. END) is of a date: beside a month, or a year behind "in" or the
// like.
static int is_of_date(const char *text, size_t at, size_t end)
{
    static const char months[] = WORDLIST_MONTHS WORDLIST_MONTHS_GERMAN,
                      years[] = " in since by until from year im seit bis ab ";
    char word[LONGEST + 1];
    size_t behind = end, from = at;
    if (next_word(text, &behind, word) &&
        (is(word, months) ||
         (is(word, " of ") && next_word(text, &behind, word) && is(word, months))))
        return 1;
    for (int is_of = 1; is_of; is_of = word_is_listed(" of ", text + from, behind - from)) {
        while (from && is_space(text[from - 1]))
            from--;
        for (behind = from; from && word_has(text[from - 1]);)
            from--;
    }
    return word_is_listed(months, text + from, behind - from) ||
           (end - at == 4 && is_one_of(text[at], "12") && is_one_of(text[at + 1], "056789") &&
            word_is_listed(years, text + from, behind - from));
}

// Whether TEXT has a number in digits that says how much something is; with DATES, or is of a date.
static int has_digits(const char *text, int dates)
{
    for (size_t at = 0, end; text[at]; at = end) {
        for (end = at; is_digit(text[end]);)
            end++;
        if (end > at && !is_of_section(text, at, end) && (dates || !is_of_date(text, at, end)))
            return 1;
        // The rest of "16.3", of "Schedule 3.1"
        while (end > at && (is_digit(text[end]) || (text[end] == '.' && is_digit(text[end + 1]))))
            end++;
        end += end == at;
    }
    return 0;
}

// Whether TEXT has a number in words, one of WORDS.
static int has_number_word(const char *text, const char *words)
{
    char word[LONGEST + 1];
    int is_at = 0; // behind "at"
    for (size_t at = 0; next_word(text, &at, word); is_at = is(word, " at "))
        if (is(word, words) && !(is(word, " one ") && is_pronoun(text, at)) &&
            !(is(word, " once ") && (is_at || is_as_soon(text, at))))
            return 1;
    return 0;
}

static int has_number(const char *text)
{
    return has_digits(text, 1) || has_number_word(text, NUMBERS);
}

// Whether TEXT says how long something is: "4 m", "90min", "2:25", "a few days", "until May".
static int has_span(const char *text)
{
    char word[LONGEST + 1];
    size_t before = 0; // digits of the word before, if it has nothing else
    for (size_t at = 0; next_word(text, &at, word);) {
        const size_t digits = strspn(word, "0123456789");
        if (is(word, SPANS) || is(word, ENDLESS) || (before && is(word, " h m ")) ||
            (digits && is_lower(word[digits])) ||
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
    char word[LONGEST + 1];
    for (const char *p = text; *p; p++) {
        size_t at = 0;
        if (*p >= 'A' && *p <= 'Z' && p - text > 1 && p[1] >= 'a' && p[1] <= 'z' &&
            strchr(" (", p[-1]) && !strchr(".!?:\n\"", p[-2]) && next_word(p, &at, word) &&
            !is(word, WORDLIST_DATES))
            return 1;
    }
    return 0;
}

static int tells(enum asked_kind asked, const char *text)
{
    switch (asked) {
    case NUMBER:
        return has_number(text);
    case SPAN:
        return has_span(text);
    case PHONE:
        return phone_is_there(text);
    case MAIL:
        return has_mail_address(text);
    case TIME:
        return has_number(text) || has_any(text, WHEN);
    case NAME:
        return has_name(text);
    case REASON:
        return has_any(text, REASONS);
    default:
        return 1;
    }
}

// Whether TEXT has a day by its place in a month: "on the third day of each month", "by the 1st of
// the month".
static int has_day_of_month(const char *text)
{
    enum { BETWEEN = 2 }; // words, as in "last working day of"
    static const char ordinals[] =
        " first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
        "thirteenth fourteenth fifteenth twentieth thirtieth last ";
    char word[LONGEST + 1];
    int since = BETWEEN + 1, of = 0;
    for (size_t at = 0; next_word(text, &at, word); since++) {
        const size_t n = strspn(word, "0123456789");
        if (of && is(word, " each every the a any month "))
            return 1;
        of = since <= BETWEEN && is(word, " of in ");
        if (is(word, ordinals) || (n && n <= 2 && is(word + n, " st nd rd th ")))
            since = -1;
        else if (since <= BETWEEN && !of && !is(word, " day working business calendar weekday "))
            since = BETWEEN;
    }
    return 0;
}

double asked_fit(const char *question, const char *text)
{
    const enum asked_kind asked = asked_for(question);
    // Of what month is asked for another sentence may tell.
    if (asked == TIME && !asked_for_date(question) && !dates_say(question, strlen(question)) &&
        has_day_of_month(text))
        return DAY;
    return tells(asked, text) ? 0 : -MISSES;
}

// Whether QUESTION asks for the year: "In which year did it freeze?"
static int asks_for_year(const char *question)
{
    char word[LONGEST + 1];
    size_t at = 0;
    question = question_clause(question);
    return asking_word(question, &at, word) && is(word, " what which welchem ") &&
           next_word(question, &at, word) && is(word, " year jahr ");
}

// Whether TEXT has a year in four digits, of any age.
static int has_year(const char *text)
{
    for (size_t at = 0; text[at];) {
        const size_t n = strspn(text + at, "0123456789");
        if (n == 4 && is_one_of(text[at], "12") && (!at || !word_has(text[at - 1])))
            return 1;
        at += n ? n : 1;
    }
    return 0;
}

int asked_left_out(const char *question, const char *answer, const char *sentence)
{
    const enum asked_kind asked = asked_for(question);
    if (asks_for_year(question) && has_year(sentence))
        return !has_year(answer);
    // Five votes are no date.
    if (asked_for_date(question) && dates_say(sentence, strlen(sentence)))
        return dates_fix(sentence, strlen(sentence)) ? !dates_fix(answer, strlen(answer))
                                                     : !dates_say(answer, strlen(answer));
    // A name may be the first word of an answer, where any word is as large.
    return asked != NAME && !tells(asked, answer) && tells(asked, sentence);
}

int asked_no_time(const char *question, const char *text)
{
    static const char conditions[] = " if unless whenever while during wenn falls ";
    if (asks_for_year(question))
        return !has_year(text) && !has_any(text, " year years jahr jahre ");
    if (!asked_for_date(question))
        return asked_for(question) == TIME && !tells(TIME, text) && !has_any(text, conditions);
    return !dates_say(text, strlen(text)) && !strpbrk(text, "0123456789") && !has_any(text, WHEN);
}

// Whether TEXT has a number that is of no date.
static int has_amount(const char *text)
{
    return has_digits(text, 0) || has_number_word(text, COUNTS);
}

int asked_lacking(const char *question, const char *text)
{
    switch (asked_for(question)) {
    case NUMBER:
        return !has_amount(text) && !has_any(text, " no none free keine kostenlos ");
    case SPAN:
        return !has_span(text) && !has_amount(text);
    case PHONE:
    case MAIL:
        return !tells(asked_for(question), text);
    default:
        return asked_for_version(question)
                   ? !has_digits(text, 1) && !has_any(text, " version versions release releases ")
                   : asked_no_time(question, text);
    }
}

int asked_default_left_out(const char *question, const char *text)
{
    static const char *const says[] = {
        "default is", "defaults to", "default value is", "default are", "defaults are",
        "default: ",  "by default",  "default value: ",  "default ("};
    if (!has_any(question, " default defaults "))
        return 0;
    for (size_t i = 0; i < sizeof says / sizeof *says; i++)
        if (strcasestr(text, says[i]))
            return 0;
    return 1;
}

int asked_what(const char *question)
{
    char word[LONGEST + 1];
    size_t at = 0;
    question = question_itself(question);
    if (!asking_word(question, &at, word))
        return 0;
    // "Was" is a word of both languages.
    if (is(word, " was "))
        return next_word(question, &at, word) &&
               is(word,
                  " ist sind war waren wird steht stand kostet kosten hat haben darf muss soll "
                  "sollte kann macht passiert geschieht gilt ");
    return is(word, WORDLIST_ASKING WORDLIST_ASKING_GERMAN);
}

size_t asked_how(const char *text, size_t n)
{
    char word[WORD_LISTED];
    size_t at = 0, bytes = word_small(text, n, &at, word, sizeof word);
    if (!word_is_listed(" how wie ", word, bytes))
        return 0;
    bytes = word_small(text, n, &at, word, sizeof word);
    if (word_is_listed(" to ", word, bytes))
        return at;
    if (!word_is_listed(" do does can could should would must may kann soll muss ", word, bytes))
        return 0;
    bytes = word_small(text, n, &at, word, sizeof word);
    return word_is_listed(" i you we one my me ich man wir ", word, bytes) ? at : 0;
}

int asked_for_steps(const char *question)
{
    const char *clause = question_clause(question);
    return asked_how(clause, strlen(clause)) > 0;
}

// Whether QUESTION asks what can be done: "What can I do about the smell?"
static int asks_what_to_do(const char *question)
{
    char word[LONGEST + 1];
    size_t at = 0;
    question = question_clause(question);
    return next_word(question, &at, word) && is(word, " what was ") &&
           next_word(question, &at, word) && is(word, " can do should must kann soll muss ") &&
           next_word(question, &at, word) && is(word, " i you we one ich man wir ") &&
           has_any(question, " do tun machen ");
}

int asked_for_version(const char *question)
{
    char word[LONGEST + 1];
    size_t at = 0;
    question = question_clause(question);
    if (!asking_word(question, &at, word))
        return 0;
    return is(word, " what which welche welcher welchem ") && next_word(question, &at, word) &&
           is(word, " version versions release releases ");
}

int asked_for_date(const char *question)
{
    static const char were[] = " did was were has have had wurde wurden war waren hat haben hatte ";
    char word[LONGEST + 1];
    size_t at = 0;
    question = question_clause(question);
    if (!asking_word(question, &at, word))
        return 0;
    if (is(word, " what which welchem "))
        return next_word(question, &at, word) &&
               is(word, " date day month year tag datum monat jahr ") &&
               next_word(question, &at, word) && is(word, were);
    return is(word, " when wann ") && next_word(question, &at, word) && is(word, were);
}

// Whether TEXT says that something is possible, and nothing of how: "The buzzer can be silenced."
static int tells_no_way(const char *text)
{
    static const char *const possible[] = {" can be ", " may be ", " could be ", " is possible"};
    int may = 0;
    for (size_t i = 0; i < sizeof possible / sizeof *possible; i++)
        may |= strstr(text, possible[i]) != NULL;
    return may && !has_any(text, " by with using through via ");
}

// Whether TEXT only tells that somebody asked what QUESTION, which is not about asking, asks: "She
// asked when the boiler would be mended."
static int reports_question(const char *question, const char *text)
{
    enum { BETWEEN = 3 }; // words
    static const char asking[] = " asked asks wondered wonders inquired enquired wissen fragte ";
    char word[LONGEST + 1];
    int since = BETWEEN;
    if (has_any(question, " ask asked asks asking wonder wondered fragen fragte "))
        return 0;
    for (size_t at = 0; next_word(text, &at, word); since++) {
        if (is(word, asking))
            since = -1;
        else if (since < BETWEEN &&
                 is(word, WORDLIST_ASKING WORDLIST_ASKING_GERMAN " whether if ob was "))
            return 1;
    }
    return 0;
}

int asked_answered(const char *question, const char *text)
{
    if (((asked_for_steps(question) || asks_what_to_do(question)) && tells_no_way(text)) ||
        reports_question(question, text))
        return 0;
    if (asked_for(question) == REASON && !tells(REASON, text))
        return 0;
    return !(asked_what(question) && !has_any(question, DENIALS) && has_any(text, DENIALS));
}

// Whether CELL [n] is in QUESTION as whole words.
static int is_named(const char *question, const char *cell, size_t n)
{
    for (const char *p = question; *p; p++)
        if (!strncasecmp(p, cell, n) && !word_has(p[n]) && (p == question || !word_has(p[-1])))
            return 1;
    return 0;
}

int asked_row(const char *question, const char *text)
{
    enum { SHORTEST = 4 };
    const char *row = strrchr(text, '\n'), *end = text + strlen(text);
    if (!row || !line_has_fields(row + 1, (size_t)(end - row - 1)))
        return 0;
    row++;
    while (row < end) {
        size_t n = strcspn(row, "\t;|"), from = 0, to = n;
        int letters = 0;
        while (from < to && is_space(row[from]))
            from++;
        while (to > from && is_space(row[to - 1]))
            to--;
        for (size_t i = from; i < to; i++)
            letters += is_lower(row[i]) || is_upper(row[i]);
        if (n < (size_t)(end - row) && letters >= SHORTEST &&
            is_named(question, row + from, to - from))
            return 1;
        row += n + (n < (size_t)(end - row));
    }
    return 0;
}
