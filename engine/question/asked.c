#define _GNU_SOURCE
#include "engine/question/asked.h"

#include <string.h>
#include <strings.h>

#include "engine/lines/lines.h"
#include "engine/question/asked_impl.h"
#include "engine/question/question.h"
#include "engine/words/chars.h"
#include "engine/words/dates.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

// What a text loses that has nothing of the kind asked for, in nats a token.
static const double MISSES = 0.5;

// What one gains that has the day of the month on which something is, whenever that is asked for,
// likewise: "seven days after it was due" is a time, too.
static const double DAY = 1;

// What one gains, likewise, that tells when something begins or ends, or its term, if that is asked
// for: a contract is called by what it is in few of its clauses.
static const double TERM = 1;

// What one gains, likewise, that has a number of what is asked how many there are of.
static const double COUNTS = 0.5;

// Words that deny something.
static const char DENIALS[] = WORDLIST_DENIALS " none nobody nothing keiner nichts niemand ";

// Whether TEXT has a day by its place in a month: "on the third day of each month", "by the 1st of
// the month".
static int has_day_of_month(const char *text)
{
    enum { BETWEEN = 2 }; // words, as in "last working day of"
    static const char ordinals[] =
        " first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
        "thirteenth fourteenth fifteenth twentieth thirtieth last ";
    char word[ASKED_LONGEST + 1];
    int since = BETWEEN + 1, of = 0;
    for (size_t at = 0; asked_next_word(text, &at, word); since++) {
        const size_t n = strspn(word, "0123456789");
        if (of && asked_is(word, " each every the a any month "))
            return 1;
        of = since <= BETWEEN && asked_is(word, " of in ");
        if (asked_is(word, ordinals) || (n && n <= 2 && asked_is(word + n, " st nd rd th ")))
            since = -1;
        else if (since <= BETWEEN && !of &&
                 !asked_is(word, " day working business calendar weekday "))
            since = BETWEEN;
    }
    return 0;
}

// Whether TEXT says that something is possible, or has to be, and nothing of how: "The buzzer can
// be silenced."
static int tells_no_way(const char *text)
{
    static const char *const possible[] = {" can be ",    " may be ",    " could be ",
                                           " must be ",   " has to be ", " have to be ",
                                           " should be ", " is possible"};
    int may = 0;
    for (size_t i = 0; i < sizeof possible / sizeof *possible; i++)
        may |= strstr(text, possible[i]) != NULL;
    return may && !asked_has_any(text, " by with using through via in under at ");
}

double asked_fit(const char *question, const char *text)
{
    const enum asked_kind asked = asked_kind(question);
    // Of what month is asked for another sentence may tell.
    if (asked == ASKED_TIME && !asked_for_date(question) &&
        !dates_say(question, strlen(question)) && !asked_for_bound(question) &&
        has_day_of_month(text))
        return DAY;
    if (asked_says_when(question, text) || asked_says_term(question, text))
        return TERM;
    return asked_tells(asked, text) && !asked_only_denied(question, text) &&
                   !asked_no_birth(question, text) && !asked_only_took(question, text) &&
                   !asked_only_by_end(question, text) && !asked_only_ahead(question, text) &&
                   !asked_is_to_do(question, text) && !asked_lacks_clock(question, text) &&
                   !asked_where_by_numbers(question, text) &&
                   !(asked_for_steps(question) && tells_no_way(text))
               ? 0
               : -MISSES;
}

// Whether QUESTION asks what, or how much, an amount of money is, and TEXT has no amount: "What is
// the rent?"
static int lacks_sum(const char *question, const char *text)
{
    char word[ASKED_LONGEST + 1];
    size_t at = 0;
    return asked_word(question_clause(question), &at, word) && asked_is(word, " what how ") &&
           asked_lacks_money(question, text) && !asked_has_amount(text);
}

double asked_fit_alone(const char *question, const char *text)
{
    const double fit = asked_fit(question, text);
    if (asked_counts(question, text))
        return fit + COUNTS;
    return fit - (lacks_sum(question, text) ? MISSES : 0);
}

int asked_lacks_value(const char *question, const char *text)
{
    return asked_lacks_money(question, text) || asked_lacks_clock(question, text) ||
           asked_lacks_place(question, text, 0) || asked_lacks_death(question, text);
}

int asked_misses(const char *question, const char *text, double fit)
{
    return (fit < 0 && asked_kind(question) != ASKED_NAME) || asked_is_to_do(question, text);
}

int asked_left_out(const char *question, const char *answer, const char *sentence)
{
    const enum asked_kind asked = asked_kind(question);
    if (asked_for_year(question) && asked_has_year(sentence))
        return !asked_has_year(answer);
    // Five votes are no date.
    if (asked_for_date(question) && dates_say(sentence, strlen(sentence)))
        return dates_fix(sentence, strlen(sentence)) ? !dates_fix(answer, strlen(answer))
                                                     : !dates_say(answer, strlen(answer));
    // A name may be the first word of an answer, where any word is as large.
    return asked != ASKED_NAME && !asked_tells(asked, answer) && asked_tells(asked, sentence);
}

int asked_default_left_out(const char *question, const char *text)
{
    static const char *const says[] = {
        "default is", "defaults to", "default value is", "default are", "defaults are",
        "default: ",  "by default",  "default value: ",  "default ("};
    if (!asked_has_any(question, " default defaults "))
        return 0;
    for (size_t i = 0; i < sizeof says / sizeof *says; i++)
        if (strcasestr(text, says[i]))
            return 0;
    return 1;
}

int asked_hours_left_out(const char *question, const char *text)
{
    static const char opens[] = " open opens opening close closes closing closed shut shuts ",
                      says[] = " daily till until ";
    static const char *const hours[] = {"opening hours", "opening times", "hours of opening"};
    int asks = asked_kind(question) == ASKED_TIME && asked_has_any(question, opens);
    for (size_t i = 0; i < sizeof hours / sizeof *hours; i++)
        asks |= strcasestr(question, hours[i]) != NULL;
    return asks && !((asked_has_any(text, opens) || asked_has_any(text, says)) &&
                     asked_tells(ASKED_TIME, text));
}

int asked_what(const char *question)
{
    char word[ASKED_LONGEST + 1];
    size_t at = 0;
    question = question_itself(question);
    if (!asked_word(question, &at, word))
        return 0;
    // "Was" is a word of both languages.
    if (asked_is(word, " was "))
        return asked_next_word(question, &at, word) &&
               asked_is(
                   word,
                   " ist sind war waren wird steht stand kostet kosten hat haben darf muss soll "
                   "sollte kann macht passiert geschieht gilt ");
    return asked_is(word, WORDLIST_ASKING WORDLIST_ASKING_GERMAN);
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

int asked_for_account(const char *question)
{
    char word[ASKED_LONGEST + 1];
    size_t at = 0;
    question = question_clause(question);
    if (asked_kind(question) == ASKED_REASON)
        return 1;
    return asked_next_word(question, &at, word) && asked_is(word, " how wie ") &&
           asked_next_word(question, &at, word) &&
           asked_is(word, " do does did is are was were can could should would has have had to "
                          "kann wird wurde ist hat ");
}

int asked_for_cause(const char *question)
{
    return asked_for_account(question) ||
           (asked_what(question) && asked_has_any(question, " cause causes caused causing "));
}

int asked_says_cause(const char *question, const char *text)
{
    return !asked_for_account(question) && asked_for_cause(question) &&
           asked_has_any(text, " cause causes caused causing because ");
}

// Whether QUESTION asks what can be done: "What can I do about the smell?"
static int asks_what_to_do(const char *question)
{
    char word[ASKED_LONGEST + 1];
    size_t at = 0;
    question = question_clause(question);
    return asked_next_word(question, &at, word) && asked_is(word, " what was ") &&
           asked_next_word(question, &at, word) &&
           asked_is(word, " can do should must kann soll muss ") &&
           asked_next_word(question, &at, word) && asked_is(word, " i you we one ich man wir ") &&
           asked_has_any(question, " do tun machen ");
}

// Whether TEXT may tell what to do: it says what one should, or begins a clause with a verb that
// one is told to do.
static int tells_to_do(const char *text)
{
    static const char should[] = " should must need needs have has ought please ",
                      before[] = " and or then please also first next always never ",
                      verbs[] =
                          " add adjust allow apply ask attach avoid bring buy call change charge "
                          "check choose clean clear click close connect contact copy cut delete "
                          "disconnect do drain dry edit empty ensure enter feed fill find fit fix "
                          "follow get give go hold inform insert install keep leave let lift "
                          "loosen lower make move notify obtain open pay phone place plug pour "
                          "press pull push put raise reboot reduce refit reload remove rename "
                          "repeat replace report reset restart restore return ring rinse run see "
                          "select send set shut sit slacken speak start stop switch take tell "
                          "tighten top try turn type undo unplug unscrew update upgrade use wait "
                          "wash wipe write ";
    char word[ASKED_LONGEST + 1], last[ASKED_LONGEST + 1] = "";
    for (size_t at = 0; asked_next_word(text, &at, word); memcpy(last, word, sizeof last)) {
        size_t from = at - strlen(word);
        while (from && !word_has(text[from - 1]) && !is_one_of(text[from - 1], ".,;:!?"))
            from--;
        const int begins = !from || is_one_of(text[from - 1], ".,;:!?") || asked_is(last, before);
        if (asked_is(word, should) || (begins && asked_is(word, verbs)))
            return 1;
    }
    return 0;
}

// The bytes of TEXT [n] up to the question that it quotes, with no more behind it than who asks it:
// '"Where is he?" said Agnes.'; N: it quotes none.
static size_t without_asker(const char *text, size_t n)
{
    static const char verbs[] = " said says asked asks cried called whispered replied shouted "
                                "enquired inquired wondered demanded ";
    enum { LONGEST = 40 }; // bytes behind the question
    size_t mark = n;
    while (mark > 0 && n - mark < LONGEST && text[mark - 1] != '?')
        mark--;
    const size_t quote = mark ? quotation_mark(text + mark, n - mark) : 0, rest = mark + quote;
    if (!mark || text[mark - 1] != '?' || !quote || rest == n || text[rest] != ' ' ||
        !words_listed(verbs, text + rest, n - rest))
        return n;
    for (size_t i = rest; i < n; i++)
        if (quotation_mark(text + i, n - i) && text[i] != '\'')
            return n;
    return mark;
}

int asked_only_asks(const char *question, const char *text)
{
    static const char about[] = " question questions ask asks asked asking query queries wonder "
                                "wonders wondered say says said write wrote written title titles "
                                "call called riddle suggest suggests suggested propose proposes "
                                "proposed request requests requested want wants wanted reply "
                                "replies replied fragt frage fragen ";
    size_t n = strlen(text);
    while (n && is_one_of(text[n - 1], " \n\t\r\"*_"))
        n--;
    n = without_asker(text, n);
    return line_asks(text, n) && !words_listed(about, question, strlen(question));
}

// Whether TEXT [n] has a word of QUESTION that says something.
static int has_word_of(const char *question, const char *text, size_t n)
{
    enum { LEAST = 3 }; // bytes
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(question, strlen(question), &at, stem, &bytes);)
        if (bytes >= LEAST && word_is_in(text, n, stem) &&
            (word_is_listed(" born died ", question + at - bytes, bytes) ||
             (!word_is_common(stem) &&
              !word_is_listed(WORDLIST_OF_QUESTIONS, question + at - bytes, bytes))))
            return 1;
    return 0;
}

int asked_shares_word(const char *question, const char *text)
{
    return has_word_of(question, text, strlen(text));
}

int asked_begins_asking(const char *question, const char *text)
{
    char own[ASKED_LONGEST + 1], word[ASKED_LONGEST + 1];
    const char *mark = strchr(text, '?'), *stop = strpbrk(text, ".!?\n");
    size_t at = 0, first = 0;
    if (!mark || mark != stop || mark[1] != ' ' || !asked_next_word(text, &at, word) ||
        !asked_is(word, WORDLIST_ASKING " can could would will ") ||
        !asked_word(question_clause(question), &first, own))
        return 0;
    return strcmp(word, own) != 0 && has_word_of(question, text, (size_t)(mark - text)) &&
           !has_word_of(question, mark, strlen(mark));
}

int asked_reports(const char *question, const char *text)
{
    enum { BETWEEN = 3 }; // words
    static const char asking[] =
        " ask asked asks wondered wonders inquired enquired wissen fragte ";
    char word[ASKED_LONGEST + 1];
    int since = BETWEEN;
    if (asked_has_any(question, " ask asked asks asking wonder wondered fragen fragte ") ||
        strstr(text, ". ")) // another sentence may tell it
        return 0;
    for (size_t at = 0; asked_next_word(text, &at, word); since++) {
        if (asked_is(word, asking))
            since = -1;
        else if (since < BETWEEN &&
                 asked_is(word, WORDLIST_ASKING WORDLIST_ASKING_GERMAN " whether if ob was "))
            return 1;
    }
    return 0;
}

// Whether QUESTION asks whose something is, and TEXT names nobody as its owner.
static int tells_no_owner(const char *question, const char *text)
{
    static const char owned[] = " his her hers their theirs my mine our ours your yours belong "
                                "belongs belonged belonging own owns owned owner owners "
                                "gehört gehörte gehören sein seine ihr ihre ";
    return asked_has_any(question, " whose wessen ") && !asked_has_any(text, owned) &&
           !strstr(text, "'s") && !strstr(text, "’s") && !strstr(text, "s' ") &&
           !strstr(text, "s’ ");
}

int asked_only_named(const char *question, const char *text)
{
    static const char articles[] = " the a an der die das den dem des ein eine im am vom zum zur ";
    enum { SHORTEST = 4 }; // bytes of a word that counts
    char stem[WORD_STEM];
    size_t bytes, first = 0;
    int names = 0, lacking = 0, named = 1; // named: no article is before the word
    question = question_clause(question);
    for (size_t at = 0; word_next(question, strlen(question), &at, stem, &bytes);) {
        const char *word = question + at - bytes;
        const int tells = first && bytes >= SHORTEST && !word_is_common(stem),
                  may_be_name = named && is_upper(*word);
        first = at;
        named = !word_is_listed(articles, word, bytes);
        if (!tells)
            continue;
        if (!word_is_in(text, strlen(text), stem))
            lacking++;
        else if (may_be_name)
            names++;
        else
            return 0;
    }
    return names == 1 && lacking;
}

int asked_said_again(const char *question, const char *text)
{
    static const char little[] = WORDLIST_ARTICLES WORDLIST_BEFORE_ASKING
        " of for to in on at by and or is are was were be been may can must shall should will ";
    const size_t n = strlen(text), n_question = strlen(question);
    char stem[WORD_STEM];
    size_t bytes, at = 0, words = 0;
    if (!asked_what(question))
        return 0;
    while (at < n && (is_digit(text[at]) || is_one_of(text[at], " .)#*=-")))
        at++; // the number, or the mark, of a heading
    for (; word_next(text, n, &at, stem, &bytes); words++)
        if (!word_is_in(question, n_question, stem) &&
            !word_is_listed(little, text + at - bytes, bytes))
            return 0;
    return words > 1;
}

int asked_reason_left_out(const char *question, const char *text)
{
    static const char words[] =
        " because reason reasons due owing weil grund gr\xc3\xbcnde aufgrund ";
    return asked_kind(question) == ASKED_REASON && !asked_has_any(text, words);
}

int asked_way_left_out(const char *question, const char *text)
{
    static const char to[] = "To ";
    if (!asked_for_steps(question))
        return 0;
    for (const char *p = text; (p = strstr(p, to)); p++)
        if ((p == text || p[-1] == '\n' || (p > text + 1 && is_one_of(p[-2], ".!?:"))) &&
            is_lower(p[strlen(to)]))
            return 0;
    return 1;
}

int asked_answered(const char *question, const char *text)
{
    if (asked_ends_with_holder(question, text) || tells_no_owner(question, text))
        return 0;
    if (((asked_for_steps(question) || asks_what_to_do(question)) && tells_no_way(text)) ||
        (asks_what_to_do(question) && !tells_to_do(text)) || asked_reports(question, text))
        return 0;
    if (asked_kind(question) == ASKED_REASON && !asked_tells(ASKED_REASON, text))
        return 0;
    return !(asked_what(question) && !asked_has_any(question, DENIALS) &&
             asked_has_any(text, DENIALS));
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
        const size_t n = strcspn(row, "\t;|");
        const struct span_of_text v = span_trimmed(row, (struct span_of_text){0, n});
        int letters = 0;
        for (size_t i = v.from; i < v.to; i++)
            letters += is_lower(row[i]) || is_upper(row[i]);
        if (n < (size_t)(end - row) && letters >= SHORTEST &&
            is_named(question, row + v.from, span_bytes(v)))
            return 1;
        row += n + (n < (size_t)(end - row));
    }
    return 0;
}
