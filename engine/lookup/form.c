#include "engine/lookup/form.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/lookup/events.h"
#include "engine/words/chars.h"
#include "engine/words/dates.h"
#include "engine/words/day.h"
#include "engine/words/names.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

enum { WHAT_MOST = 6 };

// Lists of words (words.h) that the capitals of a form stand for.
static const char TEXTS[] =
    WORDLIST_OF_TEXTS " agreement licence license documents file files list log logs novel table "
                      "index page pages code source letter letters "
                      "minutes mail mails transcript texts archive chronicle collection mailbox "
                      "mailboxes inbox mbox channel ";
static const char LINES[] = " lines line entries entry rows row ";
static const char UNITS[] = " lines line entries entry rows row records record sentences sentence "
                            "places place passages passage ";
static const char MOSTS[] = " words word numbers number ";
static const char HOLDERS[] =
    " variables variable names name constants constant parameters parameter keys key registers "
    "register symbols symbol settings setting macros macro identifiers identifier aliases alias "
    "fields field ";
static const char THREADS[] = " thread threads discussion conversation chat exchange "
                              "correspondence ";
static const char WORD_FOR[] =
    " word term phrase name string expression number code id identifier token ";
static const char WHOLE[] = " in of the this that whole entire all above below here as a total "
                            "within throughout across altogether overall given ";
static const char LINKS[] =
    " directly indirectly way via through ultimately finally following end ";
static const char BETWEEN[] = " or and by at other others another one ones more also them each "
                              "steps terms lines names entries targets definitions assignments ";
static const char NO_WHAT[] = " who that which whose what and or it he she they this these there "
                              "him her them its by for than not with in on how ";

static int is(const struct form_token *t, const char *word, size_t n)
{
    return !t->quoted && t->n == n && !strncasecmp(t->p, word, n);
}

int form_is_among(const struct form_token *t, const char *words)
{
    return !t->quoted && word_is_listed(words, t->p, t->n);
}

// ------------------------------------------------------------------------------ a question's words

// Bytes of the quotation mark at P, and the mark that closes it; 0: there is none.
static size_t quotation(const char *p, const char **close)
{
    static const char *const marks[][2] = {
        {"\"", "\""}, {"'", "'"}, {"`", "`"}, {"\u201c", "\u201d"}, {"\u2018", "\u2019"}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (!strncmp(p, marks[i][0], strlen(marks[i][0]))) {
            *close = marks[i][1];
            return strlen(marks[i][0]);
        }
    return 0;
}

// The token at P; *AFTER: the byte behind it.
static struct form_token token_at(const char *p, const char **after)
{
    static const char sign[] = "\u00a7"; // "\u00a76.5"
    if (begins_with(p, strlen(p), sign) && is_digit(p[strlen(sign)])) {
        *after = p + strlen(sign);
        return (struct form_token){p, strlen(sign), 0};
    }
    const char *close, *end;
    size_t mark = quotation(p, &close), n = strcspn(p, " \t\n,;?");
    if (mark && (end = strstr(p + mark, close)) && end > p + mark) {
        *after = end + strlen(close);
        return (struct form_token){p + mark, (size_t)(end - p) - mark, 1};
    }
    *after = p + n;
    while (n > 0 && strchr(".:!", p[n - 1]))
        n--;
    return (struct form_token){p, n, 0};
}

int form_split(struct form_match *m, const char *p)
{
    for (m->n = 0;;) {
        p += strspn(p, " \t\n,:;");
        if (!*p || *p == '?')
            return 1;
        if (m->n == FORM_TOKENS)
            return 0;
        m->v[m->n] = token_at(p, &p);
        m->n += m->v[m->n].n > 0;
    }
}

int form_number(const struct form_token *t)
{
    enum { DIGITS = 3 };
    const size_t digits = strspn(t->p, "0123456789");
    const int small = t->quoted ? 0 : word_place(WORDLIST_ONE_TO_TWELVE, t->p, t->n);
    return small                                ? small
           : is(t, "twenty", strlen("twenty"))  ? 20
           : digits == t->n && digits <= DIGITS ? atoi(t->p)
                                                : 0;
}

// ---------------------------------------------------------------------- words for one another

static int matches(struct form_match *m, const char *form, int at);

// Whether the words from AT on say only that the whole text is meant or, with LINKED, that one
// thing is reached by way of others; 2: one of them says the latter.
static int says_whole(const struct form_match *m, int at, int linked)
{
    static const char open[] = " in of the within throughout across "; // more is to come
    int links = 0;
    if (at < m->n && form_is_among(&m->v[m->n - 1], open))
        return 0;
    for (; at < m->n; at++) {
        const struct form_token *t = &m->v[at];
        int link = linked && form_is_among(t, LINKS);
        int between = linked && (form_is_among(t, BETWEEN) || form_is_among(t, HOLDERS));
        links |= link;
        if (!link && !between && !form_is_among(t, WHOLE) && !form_is_among(t, TEXTS))
            return 0;
    }
    return 1 + links;
}

// The words FROM to TO as what is asked about; N 0 if they only paraphrase it. ALONE (NAME): they
// have to be called a word ("the word rent"), or be quoted or shaped like a name.
static struct form_token named(const struct form_match *m, int from, int to, int alone)
{
    const struct form_token none = {0}, *v = m->v;
    from += to - from > 1 && form_is_among(&v[from], WORDLIST_ARTICLES);
    int marked = to - from > 1 && form_is_among(&v[from], WORD_FOR);
    from += marked;
    if (to - from > WHAT_MOST || (to - from == 1 && form_is_among(&v[from], WORDLIST_ARTICLES)))
        return none;
    for (int i = from; i < to; i++)
        if (form_is_among(&v[i], NO_WHAT) || (v[i].quoted && to - from > 1))
            return none;
    struct form_token t = {v[from].p, (size_t)(v[to - 1].p - v[from].p) + v[to - 1].n,
                           v[from].quoted || marked};
    return !alone || t.quoted || (to - from == 1 && name_has_shape(t.p, t.n)) ? t : none;
}

// Takes as few words as *OUT as let the rest match.
static int match_what(struct form_match *m, const char *rest, int at, int alone,
                      struct form_token *out)
{
    for (int to = at + 1; to <= m->n && to - at <= WHAT_MOST + 2; to++) {
        struct form_token what = named(m, at, to, alone);
        if (what.n && matches(m, rest, to)) {
            *out = what;
            return 1;
        }
    }
    return 0;
}

static int is_plain_word(const struct form_token *t)
{
    const size_t e_mail = begins_with(t->p, t->n, "e-") || begins_with(t->p, t->n, "E-") ? 2 : 0;
    for (size_t i = e_mail; i < t->n; i++)
        if (!((t->p[i] | 32) >= 'a' && (t->p[i] | 32) <= 'z'))
            return 0;
    return !t->quoted && !form_is_among(t, NO_WHAT) && !form_is_among(t, WORDLIST_ARTICLES);
}

// Whether T says, in a log, that something was done.
static int is_done(const struct form_token *t)
{
    static const char done[] = " sent lost found shut left made broken written taken given begun "
                               "stolen seen kept held met paid sold built gone ";
    return form_is_among(t, done) || (t->n > 4 && !strncasecmp(t->p + t->n - 2, "ed", 2));
}

// The word behind AT, if it belongs to what is done there: "logged in"; else AT + 1.
static int behind_done(const struct form_match *m, int at)
{
    static const char particles[] = " in out on off up down ";
    return at + 1 +
           (at + 1 < m->n && is_done(&m->v[at]) && form_is_among(&m->v[at + 1], particles));
}

// Takes up to four plain words of which none joins others; DONE: one of the last two says what was
// done ("vessels departed", "failed logins"), or the last one, what came to pass ("login
// failures").
static int match_told(struct form_match *m, const char *rest, int at, int done)
{
    enum { TOLD_MOST = 4 };
    static const char others[] = " was were is are has have had been be do does did will can there "
                                 "times all any of from to at before after between on in time ";
    for (int to = at; to < m->n && to - at < TOLD_MOST; to++) {
        const struct form_token *t = &m->v[to];
        if (!is_plain_word(t) || form_is_among(t, others))
            return 0;
        if (done && !is_done(t) && !events_are(t->p, t->n) && (to == at || !is_done(t - 1)))
            continue;
        // "in the log" is no part of it.
        for (int next = to + 1; next <= behind_done(m, to); next++)
            if (matches(m, rest, next)) {
                m->what = (struct form_token){
                    m->v[at].p, (size_t)(m->v[next - 1].p - m->v[at].p) + m->v[next - 1].n, 0};
                return 1;
            }
    }
    return 0;
}

// Takes a plain word, and another one that belongs to it.
static int match_verb(struct form_match *m, const char *rest, int at)
{
    if (at >= m->n || !is_plain_word(&m->v[at]))
        return 0;
    for (int next = at + 1; next <= behind_done(m, at); next++)
        if (matches(m, rest, next)) {
            m->kind = (struct form_token){
                m->v[at].p, (size_t)(m->v[next - 1].p - m->v[at].p) + m->v[next - 1].n, 0};
            return 1;
        }
    return 0;
}

// Takes the words before "'s", without that.
static int match_whose(struct form_match *m, const char *rest, int at)
{
    static const char *const marks[] = {"'s", "\u2019s", "'", "\u2019"};
    if (at >= m->n || form_is_among(&m->v[at], " me us is was are were ") ||
        !match_what(m, rest, at, 0, &m->whom))
        return 0;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const size_t n = strlen(marks[i]);
        if (m->whom.n > n && !memcmp(m->whom.p + m->whom.n - n, marks[i], n)) {
            m->whom.n -= n;
            return 1;
        }
    }
    return 0;
}

// Takes as few words as let the rest match, none of them one that joins something to a thing.
static int match_thing(struct form_match *m, const char *rest, int at)
{
    enum { THING_MOST = 3 };
    static const char joins[] = " of from by about in on to at with for during ";
    for (int to = at + 1; to <= m->n && to - at <= THING_MOST; to++) {
        if (form_is_among(&m->v[to - 1], joins))
            return 0;
        struct form_token what = named(m, at, to, 0);
        if (what.n && matches(m, rest, to)) {
            m->what = what;
            return 1;
        }
    }
    return 0;
}

static int match_text(struct form_match *m, const char *rest, int at)
{
    enum { BEFORE = 3 }; // words, as in "of the whole text"
    int to = at;
    while (to < m->n && to < at + BEFORE && form_is_among(&m->v[to], WHOLE))
        to++;
    return to < m->n && form_is_among(&m->v[to], TEXTS) && matches(m, rest, to + 1);
}

// Takes the word at AT as *OUT, if it FITS and the rest matches.
static int match_one(struct form_match *m, const char *rest, int at, int fits,
                     struct form_token *out)
{
    if (!fits || !matches(m, rest, at + 1))
        return 0;
    *out = m->v[at];
    return 1;
}

// Takes a word for events, with one behind it for what tells of them: "error messages".
static int match_events(struct form_match *m, const char *rest, int at)
{
    static const char told[] = " messages message lines line entries entry events event records "
                               "record ";
    const int is_one = at < m->n && !m->v[at].quoted && events_are(m->v[at].p, m->v[at].n),
              more = is_one && at + 1 < m->n &&
                     (form_is_among(&m->v[at + 1], told) ||
                      (!m->v[at + 1].quoted && events_are(m->v[at + 1].p, m->v[at + 1].n)));
    if (!is_one || !matches(m, rest, at + 1 + more))
        return 0;
    m->events = m->v[at];
    return 1;
}

int form_nth(const struct form_match *m, int at, int *words)
{
    static const char firsts[] = WORDLIST_ORDINALS "eleventh twelfth ",
                      begins[] = " earliest oldest ", ends[] = " last latest newest final ",
                      endings[] = " st nd rd th ";
    const struct form_token *t = &m->v[at];
    *words = 1;
    if (at >= m->n || t->quoted)
        return 0;
    if (at + 1 < m->n && is(t, "most", 4) && is(t + 1, "recent", 6)) {
        *words = 2;
        return -1;
    }
    const size_t digits = strspn(t->p, "0123456789");
    if (digits && digits <= 3 && t->n == digits + 2 &&
        word_is_listed(endings, t->p + digits, t->n - digits))
        return atoi(t->p);
    return form_is_among(t, begins) ? 1
           : form_is_among(t, ends) ? -1
                                    : word_place(firsts, t->p, t->n);
}

static int match_nth(struct form_match *m, const char *rest, int at)
{
    int words;
    const int nth = form_nth(m, at, &words);
    if (!nth || !matches(m, rest, at + words))
        return 0;
    m->nth = nth;
    return 1;
}

// ----------------------------------------------------------------------------- times and days

// The time of day that the words from AT on begin with: *S, and the number of words; 0: none.
static int time_at(const struct form_match *m, int at, struct clock_span *s)
{
    int words = 0;
    const char *p = at < m->n ? m->v[at].p : "";
    const size_t bytes = clock_begins(p, strlen(p), s);
    while (at + words < m->n && m->v[at + words].p < p + bytes)
        words++;
    if (!words || m->v[at + words - 1].p + m->v[at + words - 1].n > p + bytes + 1)
        return 0;
    // "07:41 UTC"
    return words + (at + words < m->n && form_is_among(&m->v[at + words], " utc gmt hours hrs "));
}

// "at 14:16", "between 10:00 and 11:00", "after 5 pm"
static int match_times(struct form_match *m, const char *rest, int at)
{
    enum { DAY = 24 * 60 * 60 };
    static const char from[] = " between from ", to[] = " and to till until ", after[] = " after ",
                      before[] = " before ", since[] = " since from ", until[] = " until till ";
    struct clock_span a, b;
    const struct form_token *t = &m->v[at];
    const int words = at < m->n ? time_at(m, at + 1, &a) : 0;
    int next = at + 1 + words, more;
    if (!words)
        return 0;
    if (form_is_among(t, from) && next < m->n && form_is_among(&m->v[next], to) &&
        (more = time_at(m, next + 1, &b))) {
        a.to = b.from;
        next += 1 + more;
    } else if (form_is_among(t, after) || form_is_among(t, since)) {
        a = (struct clock_span){a.from + form_is_among(t, after), DAY};
    } else if (form_is_among(t, before) || form_is_among(t, until)) {
        a = (struct clock_span){0, a.from - form_is_among(t, before)};
    } else if (!is(t, "at", 2)) {
        return 0;
    }
    if (a.to < a.from || !matches(m, rest, next))
        return 0;
    m->times = a;
    m->timed = 1;
    return 1;
}

// "on 14 March", "of the day", "today"
static int match_day(struct form_match *m, const char *rest, int at)
{
    enum { WORDS = 5 };
    struct day day;
    const int first = at + (at < m->n && form_is_among(&m->v[at], " on of in "));
    for (int to = first + 1; to <= m->n && to - at <= WORDS; to++) {
        const char *p = m->v[first].p;
        const size_t n = (size_t)(m->v[to - 1].p - p) + m->v[to - 1].n;
        const int whole = (to == first + 1 && is(&m->v[first], "today", 5)) ||
                          (to == first + 2 && form_is_among(&m->v[first], " the that this ") &&
                           is(&m->v[first + 1], "day", 3));
        if (!whole && !(day_of(p, n, &day) && dates_alone(p, n)))
            continue;
        if (!matches(m, rest, to))
            continue;
        m->day = (struct form_token){p, n, 0};
        return 1;
    }
    return 0;
}

// Matches what a form has in capitals.
static int match_class(struct form_match *m, const struct form_token *class, const char *rest,
                       int at)
{
    static const struct form_token none = {"", 0, 0};
    const struct form_token *t = at < m->n ? &m->v[at] : &none;
    struct form_token ignored;
    if (is(class, "END", 3))
        return says_whole(m, at, 0) > 0;
    if (is(class, "CHAIN", 5))
        return says_whole(m, at, 1) > 0;
    if (is(class, "LINKED", 6))
        return says_whole(m, at, 1) == 2;
    if (is(class, "WHAT", 4) || is(class, "NAME", 4))
        return match_what(m, rest, at, is(class, "NAME", 4), &m->what);
    if (is(class, "SECTION", 7))
        return match_one(m, rest, at, t->n && form_is_among(t, FORM_SECTIONS), &m->section);
    if (is(class, "THING", 5))
        return match_thing(m, rest, at);
    if (is(class, "WHOM", 4))
        return match_what(m, rest, at, 0, &m->whom);
    if (is(class, "WHOSE", 5))
        return match_whose(m, rest, at);
    if (is(class, "ABOUT", 5))
        return !form_is_among(t, " about on ") && match_what(m, rest, at, 0, &m->about);
    if (is(class, "NTH", 3))
        return match_nth(m, rest, at);
    if (is(class, "TEXT", 4))
        return match_text(m, rest, at);
    if (is(class, "VALUE", 5))
        return match_one(m, rest, at,
                         t->n && !form_is_among(t, NO_WHAT) && !form_is_among(t, WORDLIST_ARTICLES),
                         &m->what);
    if (is(class, "LABEL", 5))
        return match_one(m, rest, at,
                         t->n && !form_is_among(t, NO_WHAT) &&
                             (is_upper(*t->p) || !form_is_among(t, WORDLIST_ARTICLES)),
                         &m->what);
    if (is(class, "N", 1))
        return match_one(m, rest, at, form_number(t) > 0, &m->number);
    if (is(class, "UNIT", 4))
        return match_one(m, rest, at, form_is_among(t, UNITS), &m->unit);
    if (is(class, "LINE", 4))
        return match_one(m, rest, at, form_is_among(t, LINES), &m->unit);
    if (is(class, "TOLD", 4) || is(class, "PLAIN", 5))
        return match_told(m, rest, at, is(class, "TOLD", 4));
    if (is(class, "VERB", 4))
        return match_verb(m, rest, at);
    if (is(class, "TIMES", 5))
        return match_times(m, rest, at);
    if (is(class, "DAY", 3))
        return match_day(m, rest, at);
    if (is(class, "THREAD", 6))
        return match_one(m, rest, at, form_is_among(t, THREADS), &m->thread);
    if (is(class, "MOST", 4))
        return match_one(m, rest, at, form_is_among(t, MOSTS), &m->most);
    if (is(class, "EVENTS", 6))
        return match_events(m, rest, at);
    if (is(class, "HOLDER", 6))
        return match_one(m, rest, at, form_is_among(t, HOLDERS), &ignored);
    return match_one(m, rest, at, t->n && is_plain_word(t), &m->kind);
}

// Whether the words from AT on match FORM.
static int matches(struct form_match *m, const char *form, int at)
{
    form += strspn(form, " ");
    size_t n = strcspn(form, " "), missing = n && form[n - 1] == '?';
    const char *rest = form + n;
    struct form_token words = {form, n - missing, 0};
    if (!n)
        return at == m->n;
    if (missing && matches(m, rest, at))
        return 1;
    if (*form >= 'A' && *form <= 'Z')
        return match_class(m, &words, rest, at);
    for (size_t i = 0; at < m->n && i < words.n; i++) {
        const char *word = words.p + i;
        size_t bytes = strcspn(word, "| ?");
        if (is(&m->v[at], word, bytes) && matches(m, rest, at + 1))
            return 1;
        i += bytes;
    }
    return 0;
}

int form_match(struct form_match *m, const char *form)
{
    const struct form_token none = {0};
    m->what = m->kind = m->section = m->number = m->unit = m->most = m->events = none;
    m->whom = m->about = m->thread = m->day = none;
    m->timed = 0;
    m->nth = 0;
    return matches(m, form, 0);
}

int form_of_what(struct form_match *m, const char *const *forms, size_t n, char *what, size_t most)
{
    for (size_t i = 0; i < n; i++)
        if (form_match(m, forms[i])) {
            if (!m->what.n || m->what.n >= most)
                return 0;
            memcpy(what, m->what.p, m->what.n);
            what[m->what.n] = 0;
            return 1;
        }
    return 0;
}
