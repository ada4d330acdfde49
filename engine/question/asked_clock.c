// Whether a question asks for a time of day, or for what is of every month or the like, and a text
// tells none or is of another.
#include <string.h>

#include "engine/question/asked_impl.h"
#include "engine/words/chars.h"
#include "engine/words/clock.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

// Whether QUESTION asks for the time of day: "What time does it begin?", not "What time limit".
static int asks_for_clock(const char *question)
{
    static const char *const words[] = {" what ", " time "};
    static const char verbs[] =
        " am are can could did do does had has have is may might must shall "
        "should was were will would and ";
    const char *behind = asked_behind(question, words, 2);
    char word[ASKED_LONGEST + 1];
    size_t at = 0;
    return behind && asked_next_word(behind, &at, word) && asked_is(word, verbs);
}

// The bytes of a time of day in digits at TEXT: "14:16", "2 pm", "7.15", "0612", in the ROW of a
// table "1735", too, which may be a year elsewhere; 0: there is none.
static size_t clock_at(const char *text, int row)
{
    struct clock_span s;
    const size_t bytes = clock_begins(text, strlen(text), &s);
    if (bytes)
        return bytes;
    const size_t n = strspn(text, "0123456789");
    const char *minutes = n == 4 ? text + 2 : text + n + 1;
    const int hour = n ? text[0] - '0' : 0, two = n == 2 || n == 4;
    const int may = n == 4 ? row || text[0] == '0' || strncmp(text + n, " h", 2) == 0
                           : (n == 1 || n == 2) && text[n] == '.' && is_digit(minutes[0]) &&
                                 is_digit(minutes[1]) && !is_digit(minutes[2]);
    return may && minutes[0] < '6' && (two ? 10 * hour + text[1] - '0' : hour) <= 24 ? n : 0;
}

// Whether TEXT begins with two hours: "9-5".
static int is_from_to(const char *text)
{
    const size_t n = strspn(text, "0123456789");
    const char *p = text + n;
    const size_t mark = *p == '-' ? 1 : begins_with(p, strlen(p), "\u2013") ? 3 : 0;
    const size_t to = mark ? strspn(p + mark, "0123456789") : 0;
    return n <= 2 && to && to <= 2 && !is_one_of(p[mark + to], "-/%") &&
           !(p[mark + to] == '.' && is_digit(p[mark + to + 1]));
}

// Whether the number that ends at byte AT of TEXT, behind "at" or the like, is an hour: nothing is
// counted by it, as in "at eight" and "from 9 to 5", not "at 9 places".
static int is_hour(const char *text, size_t at)
{
    static const char behind[] =
        " to till until and or in on each every sharp precisely prompt o for at by from when the "
        "bis uhr h hrs hours ";
    char word[ASKED_LONGEST + 1];
    return text[at] != ' ' || (!asked_next_word(text, &at, word) || asked_is(word, behind) ||
                               asked_is(word, WORDLIST_EACH_DAY));
}

// Whether TEXT tells a time of day, in whatever words.
static int has_clock(const char *text)
{
    static const char alone[] = " noon midday midnight clock dawn dusk daybreak sunrise sunset "
                                "nightfall mittag mitternacht ",
                      half[] = " morning afternoon evening hour ",
                      meals[] = " breakfast lunch tea supper dinner school work church dark ",
                      ends[] = " after before until till ",
                      before[] = " at by till until to from before after about around past between "
                                 "half quarter um ab bis ";
    char word[ASKED_LONGEST + 1], last[ASKED_LONGEST + 1] = "";
    const int row = strpbrk(text, "|\t") || strstr(text, "  ");
    for (size_t at = 0; text[at];) {
        if (is_digit(text[at]) && (!at || !(word_has(text[at - 1]) || text[at - 1] == '.')) &&
            (clock_at(text + at, row) || is_from_to(text + at)))
            return 1;
        at += is_digit(text[at]) ? strspn(text + at, "0123456789") : 1;
    }
    for (size_t at = 0; asked_next_word(text, &at, word); memcpy(last, word, sizeof last)) {
        const int digits = word_has_digit(word, strlen(word)) && strlen(word) < 3;
        if (asked_is(word, alone) || (asked_is(last, " the every ") && asked_is(word, half)) ||
            (asked_is(last, ends) && asked_is(word, meals)) || asked_is(word, " hourly ") ||
            (asked_is(last, before) &&
             (digits || asked_tells(ASKED_NUMBER, word) || asked_is(word, " one two past ")) &&
             is_hour(text, at)))
            return 1;
    }
    return 0;
}

int asked_lacks_clock(const char *question, const char *text)
{
    return asks_for_clock(question) && !has_clock(text);
}

// The word behind the first of LIST in TEXT from byte *AT on, to WORD: "ticket" of "a weekly
// ticket". Returns 0 where there is none.
static int behind_any(const char *text, size_t *at, const char *list, char word[ASKED_LONGEST + 1])
{
    while (asked_next_word(text, at, word))
        if (asked_is(word, list)) {
            size_t next = *at;
            return asked_next_word(text, &next, word);
        }
    return 0;
}

// Whether TEXT has WORD right before PERIOD, in small letters: "last year".
static int has_both(const char *text, const char *word, const char *period)
{
    char own[ASKED_LONGEST + 1];
    int behind = 0;
    for (size_t at = 0; asked_next_word(text, &at, own); behind = !strcmp(own, word))
        if (behind && !strcmp(own, period))
            return 1;
    return 0;
}

// Whether TEXT is about another year, month or the like than QUESTION as seen from the same day:
// last year where it asks for this year.
static int is_of_other_turn(const char *question, const char *text)
{
    static const char *const turns[] = {"this", "last", "next"}, *const periods[] = {
                                                                     "year", "month", "week",
                                                                     "term", "season"};
    enum { TURNS = sizeof turns / sizeof *turns, PERIODS = sizeof periods / sizeof *periods };
    for (int p = 0; p < PERIODS; p++) {
        int own = 0, both = 0, others = 0;
        for (int t = 0; t < TURNS; t++) {
            const int asked = has_both(question, turns[t], periods[p]),
                      said = has_both(text, turns[t], periods[p]);
            own |= asked;
            both |= asked && said;
            others |= said;
        }
        if (own && others && !both)
            return 1;
    }
    return 0;
}

int asked_of_other_period(const char *question, const char *text)
{
    // What is of each, and the words by which a text is about that.
    static const struct {
        const char *each, *said;
    } periods[] = {{" hourly ", " hourly hour hours stunde stunden "},
                   {" daily ", " daily day days nightly tag "},
                   {" weekly ", " weekly week weeks woche "},
                   {" monthly ", " monthly month months monat "},
                   {" quarterly ", " quarterly quarter quarters three "},
                   {" yearly annual annually ", " yearly annual annually year years annum jahr "}};
    enum { ALL = sizeof periods / sizeof *periods };
    char thing[ASKED_LONGEST + 1], word[ASKED_LONGEST + 1];
    for (int i = 0; i < ALL; i++) {
        size_t own = 0;
        if (!behind_any(question, &own, periods[i].each, thing) ||
            asked_has_any(text, periods[i].said))
            continue;
        for (int k = 0; k < ALL; k++)
            for (size_t at = 0; k != i && behind_any(text, &at, periods[k].each, word);)
                if (asked_has_form(thing, word))
                    return 1;
    }
    return is_of_other_turn(question, text);
}
