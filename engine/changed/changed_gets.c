// How a sentence says that something gets another number, with only the new one beside it.
#include "engine/changed/changed_impl.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

static const char CHANGES[] = CHANGED_VERBS;
enum { FAR = 12 }; // tokens

// The number that begins at token I of T, behind "about", the day of a week or the like; -1: there
// is none.
static int number_at(const struct changed_tokens *t, int i)
{
    static const char before[] = " about at for from on only the " WORDLIST_DAYS
                                 " mon tue tues wed weds thu thur thurs fri sat sun ";
    while (i < t->n && !t->v[i].is_number && changed_is(t, i, before))
        i++;
    return i < t->n && t->v[i].is_number ? i : -1;
}

// The number that token I, a verb, is said to bring something to by those who decide it, "we have
// decided to reduce the fee to 20 pounds": its token; -1: there is none.
static int sets(const struct changed_tokens *t, int i)
{
    static const char verbs[] = " raise lower reduce increase extend shorten change ",
                      open[] = " not never no would could might may should if unless propose "
                               "proposed suggest suggested want wants hope ";
    const int led = changed_is(t, i - 1, " we i will shall must ") ||
                    (changed_is(t, i - 1, " to ") && changed_is(t, i - 2, " decided agreed had "));
    const int to = led && changed_is(t, i, verbs) ? changed_first(t, i + 1, FAR, " to ") : -1;
    if (to < 0 || changed_first(t, 0, t->n, open) >= 0)
        return -1;
    for (int k = i + 1; k <= to + 2 && k < t->n; k++)
        if (t->v[k].is_number)
            return k > to ? k : -1;
    return -1;
}

// The token that may say how something is brought to a number, before the "to" at token I: "raised
// to 40", "raised by 10 to 40", "raised by 10 pounds to 40".
static int verb_before(const struct changed_tokens *t, int i)
{
    for (int by = i - 3; by <= i - 2; by++)
        if (changed_is(t, by, " by ") && t->v[by + 1].is_number)
            return by - 1;
    return i - 1;
}

// The number of the day that something is, whose verb is token I, behind how much later or earlier
// that is: "The fair is therefore a week later, Friday 29 March". -1: there is none.
static int shifts(const struct changed_tokens *t, int i)
{
    static const char verbs[] = " is are be takes happens comes ",
                      units[] = WORDLIST_SPANS_IN_YEAR " fortnight ",
                      between[] = " a an be hence just now one only place then therefore thus to ";
    int unit = i + 1;
    if (!changed_is(t, i, verbs))
        return -1;
    while (changed_is(t, unit, between) || (unit < t->n && t->v[unit].is_number))
        unit++;
    const int to = changed_is(t, unit, units) && changed_is(t, unit + 1, " later earlier ")
                       ? number_at(t, unit + 2)
                       : -1;
    return to >= 0 && changed_value_at(t, to).month ? to : -1;
}

// The number of the day that something moves to, or is moved to, whose "to" is token I: "The feast
// moves, by a week, to 12 May", "Outage moved to Sat 22 June", "put back to 3 May". -1: there is
// none.
static int moves(const struct changed_tokens *t, int i)
{
    if (!changed_is(t, i, " to until till "))
        return -1;
    static const char verbs[] = " moved postponed shifted slipped rescheduled rearranged ";
    const int verb = changed_first(t, i - FAR / 2, FAR / 2, verbs), // "be moved back a week, to"
        moved = (changed_is(t, i - 1, verbs) && !changed_is(t, i - 2, " had ")) ||
                (verb > 0 && verb < i && changed_is(t, verb - 1, " be ")),
              put = changed_is(t, i - 1, " back forward off ") &&
                    changed_is(t, i - 2, " put brought pushed "),
              to = number_at(t, i + 1);
    return (moved || put || changed_first(t, i - FAR / 2, FAR / 2, " moves ") > 0) && to >= 0 &&
                   changed_value_at(t, to).month
               ? to
               : -1;
}

int changed_does(const char *word, size_t n)
{
    static const char verbs[] = " begins closes costs ends expires lasts opens pays starts takes ";
    return word_is_listed(verbs, word, n);
}

// The number of what something does or will be now whose "now" is token I: "now ends on 30 June",
// "now costs 25 pounds", "would now be from 25 April". -1: there is none.
static int does_now(const struct changed_tokens *t, int i)
{
    if (i + 1 >= t->n || !changed_is(t, i, " now "))
        return -1;
    if (changed_is(t, i + 1, " be ") && changed_is(t, i - 1, " will would shall "))
        return number_at(t, i + 2);
    if (!changed_does(t->text + t->v[i + 1].at.from, span_bytes(t->v[i + 1].at)))
        return -1;
    const int at = i + 2 + changed_is(t, i + 2, " on ");
    return at < t->n && t->v[at].is_number ? at : -1;
}

int changed_has_amount(const char *word, size_t n)
{
    static const char words[] = " amount charge cost date deadline fee figure fine limit number "
                                "price quota rate rent salary subscription total wage ";
    return word_is_listed(words, word, n);
}

// The new number of what is called new at token I: "Their new price is 25 pounds", "New price:
// 5,900". -1: there is none.
static int is_new(const struct changed_tokens *t, int i)
{
    static const char whose[] = " a an her his its my our the their your ";
    if (!changed_is(t, i, " new ") || i + 1 >= t->n ||
        !changed_has_amount(t->text + t->v[i + 1].at.from, span_bytes(t->v[i + 1].at)) ||
        !(i == 0 || t->v[i].is_capital || changed_is(t, i - 1, whose)))
        return -1;
    return number_at(t, i + 2 + changed_is(t, i + 2, " is was of will ") +
                            changed_is(t, i + 3, " be "));
}

// The number that something has from a day on, which token I leads to: "The charge for a second car
// is 20 pounds from the first Monday in April". -1: there is none.
static int is_from(const struct changed_tokens *t, int i)
{
    enum { NEAR = 6 }; // tokens: "20 pounds a year with effect from"
    if (!changed_is(t, i, " from "))
        return -1;
    int at = i - 1;
    while (at > 0 && at > i - NEAR && !t->v[at].is_number)
        at--;
    if (at < 1 || !t->v[at].is_number || !changed_is(t, at - 1, " is are be becomes become "))
        return -1;
    return changed_first(t, i + 1, FAR / 2, WORDLIST_MONTHS " now ") > 0 ? at : -1;
}

int changed_from_day(const struct changed_tokens *t)
{
    enum { LED = 5, DAY = 6 }; // tokens: "B. With effect from", "the first Monday in May"
    const int from = changed_first(t, 0, LED, " from "),
              month = from < 0 ? -1 : changed_first(t, from + 1, DAY, WORDLIST_MONTHS);
    return month < 0 ? 0 : month + 1 + (month + 1 < t->n && t->v[month + 1].number >= 1000);
}

// The number that something has from a day on that its sentence begins with, whose verb is token I:
// "With effect from 1 January 2024 the rent is 92 pounds". -1: there is none.
static int is_dated(const struct changed_tokens *t, int i)
{
    const int behind = changed_from_day(t);
    if (!behind || i <= behind || !changed_is(t, i, " is are be becomes become "))
        return -1;
    const int at = i + 1 + changed_is(t, i + 1, " to ") + changed_is(t, i + 2, " be ");
    return at < t->n && t->v[at].is_number ? at : -1;
}

// Whether the verb at token I of T stands right behind what it is of, as notes are written: "Plus
// reduced to 25 pounds".
static int is_bare(const struct changed_tokens *t, int i)
{
    enum { FEW = 5 }; // tokens
    static const char others[] = CHANGED_IS "he i it she that they this we which who had have has ";
    return i > 0 && t->text[t->v[i - 1].at.to] == ' ' && changed_first(t, i - FEW, FEW, others) < 0;
}

// Whether T tells of a way to a number whose "to" is token I: "is raised to", "goes up to", "rises
// to", "has fallen to".
static int leads_to(const struct changed_tokens *t, int i)
{
    static const char does[] = " rises falls drops climbs ", done[] = " risen fallen dropped ",
                      ways[] = " up down ";
    const int verb = verb_before(t, i);
    if (!changed_is(t, i, " to "))
        return 0;
    if (changed_is(t, verb, ways))
        return changed_is(t, verb - 1, " goes go comes come ") ||
               (changed_is(t, verb - 1, " gone come ") && changed_is(t, verb - 2, " has have "));
    return changed_is(t, verb, does) ||
           (changed_is(t, verb, done) && changed_is(t, verb - 1, " has have ")) ||
           (changed_is(t, verb, CHANGES) &&
            (is_bare(t, verb) || changed_first(t, verb - 2, 2, " is are been be ") >= 0) &&
            !changed_is(t, verb - 2, " had "));
}

int changed_gets(const struct changed_tokens *t, int i)
{
    int (*const ways[])(const struct changed_tokens *, int) = {sets,   moves,   shifts,  does_now,
                                                               is_new, is_from, is_dated};
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        const int at = ways[w](t, i);
        if (at >= 0)
            return at;
    }
    static const char since[] = " now therefore ";
    const int is_now =
        changed_is(t, i, " becomes ") ||
        (changed_is(t, i, " read ") &&
         changed_is(t, changed_is(t, i - 1, " have ") ? i - 2 : i - 1, " should ")) ||
        (changed_is(t, i, since) && changed_is(t, i - 1, " is are ")) || leads_to(t, i);
    // "Is now on Friday, 4 May".
    const int most = changed_is(t, i, since) && changed_is(t, i + 1, " on ") ? i + 3 : i + 2;
    for (int k = i + 1; is_now && k < t->n && k <= most; k++)
        if (t->v[k].is_number)
            return k;
    return -1;
}
