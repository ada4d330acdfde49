#define _GNU_SOURCE
// Who is the managing agent? Of many sentences about the agent, the one that has a name right
// beside these words: "the managing agent, Messrs Tarrant and Sons", "Tarrant (managing agent)",
// "Treasurer: Colm Dacey", "The Foundation is the license steward".
#include <stdlib.h>
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/outline/list.h"
#include "engine/survey/surveys.h"
#include "engine/words/chars.h"
#include "engine/words/letter.h"
#include "engine/words/names.h"
#include "engine/words/words.h"

enum {
    MOST = 3,    // sentences that an answer prints
    MANY = 8,    // names from which on nothing is printed
    LONGEST = 80 // bytes of a name
};

// A name that is called so, and the first sentence that says it.
struct bearer {
    char name[LONGEST];
    struct texts t;
    struct span_of_text sentence;
    int times;
    // The number of the last place that says so, from 1, and of the last one that says that it was
    // given the role then; 0: none does.
    int last, elected;
};

// Capitalised words that are not names.
static const char NO_NAMES[] =
    " it he she this that there the who what which if when where as in on only not no you i we "
    "they "
    "these those such each every any all both nobody everyone everybody one or and but here for by "
    "at an a its their his her our your my from to of with than unless until after before because "
    "der die das ein eine er sie es wer was wenn im am zu von dem den des und oder nur kein keine "
    "jeder jede alle bei mit ";
// Words between a name and the role.
static const char ARTICLES[] = " the a an our its their his her my your der die das ein eine unser "
                               "unsere ";
static const char BE[] = " is was are were be becomes became remains ist war wird bleibt sind ";

// Words that say that somebody was given the role.
static const char ELECTED[] =
    " elected reelected appointed reappointed chosen named made confirmed ";

static int is_letter(char c)
{
    return is_lower(c) || is_upper(c) || is_one_of(c, "'-.&") || is_digit(c) ||
           (unsigned char)c >= 0x80;
}

// The first byte of the word of TEXT that ends before byte TO.
static size_t word_before(const char *text, size_t to)
{
    while (to > 0 && is_letter(text[to - 1]))
        to--;
    return to;
}

static size_t word_behind(const char *text, size_t n, size_t from)
{
    while (from < n && is_letter(text[from]))
        from++;
    return from;
}

static int begins_name(const char *text, size_t from, size_t to)
{
    const int beyond =
        (unsigned char)text[from] >= 0xc3 && !letter_is_small(text + from, to - from);
    return to > from + 1 && (is_upper(text[from]) || beyond) &&
           !word_is_listed(NO_NAMES, text + from, to - from);
}

// Bytes of the name that begins at byte AT of TEXT, as far as its words are capitalised, *WORDS of
// them; 0: there is none.
static size_t name_at(const char *text, size_t n, size_t at, int *words)
{
    size_t end = at;
    *words = 0;
    for (size_t from = at; from < n && from < at + LONGEST;) {
        const size_t to = word_behind(text, n, from);
        const int joint =
            *words && word_is_listed(" and of de van von und ", text + from, to - from);
        if (!begins_name(text, from, to) && !joint && !(*words && text[from] == '&'))
            break;
        if (!joint) {
            end = to;
            ++*words;
        }
        if (to >= n || text[to] != ' ') {
            if (to >= n || text[to] != '\n')
                break;
        }
        from = past_spaces(text, to, n);
    }
    while (end > at && is_one_of(text[end - 1], ".-'"))
        end--;
    return end - at;
}

// The first byte of the name that ends before byte TO of TEXT; TO: there is none.
static size_t name_before(const char *text, size_t to)
{
    size_t first = to;
    for (size_t end = to; end > 0;) {
        const size_t from = word_before(text, end);
        if (!begins_name(text, from, end) || to - from >= LONGEST)
            break;
        first = from;
        if (!from || !is_one_of(text[from - 1], " \n"))
            break;
        for (end = from - 1; end > 0 && is_space(text[end - 1]);)
            end--;
    }
    return first;
}

static size_t back_over_spaces(const char *text, size_t at)
{
    while (at > 0 && is_space(text[at - 1]))
        at--;
    return at;
}

// Whether the word text[FROM..TO) says that somebody was given the role, or once more.
static int is_elected(const char *text, size_t from, size_t to)
{
    from += begins_with(text + from, to - from, "re-") ? strlen("re-") : 0;
    return word_is_listed(ELECTED, text + from, to - from);
}

// Finds the name *NAME of who was given the role that begins behind byte TO of TEXT: "Ada Moss was
// elected treasurer", "they appointed Ada Moss as treasurer". Returns its bytes, 0 if there is
// none.
static size_t elected_before(const char *text, size_t to, size_t *name)
{
    static const char small[] = " has have had been is was were be then unanimously also ";
    size_t from = word_before(text, to);
    int was = 0;
    if (word_is_listed(" as to ", text + from, to - from)) {
        to = back_over_spaces(text, from);
        from = word_before(text, to);
    }
    if (!is_elected(text, from, to)) {
        *name = name_before(text, to);
        const size_t verb = back_over_spaces(text, *name);
        from = word_before(text, verb);
        return is_elected(text, from, verb) ? to - *name : 0;
    }
    for (;; was = 1) {
        to = back_over_spaces(text, from);
        from = word_before(text, to);
        if (!word_is_listed(small, text + from, to - from))
            break;
    }
    *name = was ? name_before(text, to) : to;
    return to - *name;
}

// Finds the name *NAME before the role at byte AT of T: "Ottaway (chair)", "the Foundation is the
// steward"; *ELECTED: whether it says that this was given the role. Returns its bytes, 0 if there
// is none.
static size_t named_before(const struct texts *t, size_t at, size_t *name, int *elected)
{
    const char *text = t->text;
    size_t to = back_over_spaces(text, at);
    to -= to > 0 && text[to - 1] == '"';
    to = back_over_spaces(text, to);
    size_t from = word_before(text, to);
    if (word_is_listed(ARTICLES, text + from, to - from))
        to = back_over_spaces(text, from);
    const size_t own = elected_before(text, to, name);
    if ((*elected = own > 0))
        return own;
    if (to > 0 && is_one_of(text[to - 1], ",(")) {
        to = back_over_spaces(text, to - 1);
    } else {
        from = word_before(text, to);
        const int to_be = word_is_listed(" be ", text + from, to - from);
        if (!to_be && !word_is_listed(BE, text + from, to - from))
            return 0;
        to = back_over_spaces(text, from);
        from = word_before(text, to);
        if (to_be && word_is_listed(" to ", text + from, to - from)) // "We appoint her to be ..."
            to = back_over_spaces(text, from);
    }
    to -= to > 0 && text[to - 1] == ')';
    *name = name_before(text, to);
    return to - *name;
}

// Whether the role of bytes AT to END stands alone on a line, without a mark, that is not the first
// one of its block: it belongs to the lines above it, and heads none.
static int is_in_block(const struct texts *t, size_t at, size_t end)
{
    const struct lines c = {.text = t->text, .n = t->n};
    const size_t line = line_start(&c, at);
    return line && line_trimmed(&c, line, line_end(&c, line)) == end &&
           line + line_indentation(&c, line) == at && !line_is_bare_above(&c, line);
}

// Whether the line that begins with byte LINE is nothing but a name of two words at least.
static int is_name(const struct lines *c, size_t line)
{
    int words;
    const size_t from = line_words(c, line, line_end(c, line)),
                 to = line_trimmed(c, from, line_end(c, line));
    return name_at(c->text, to, from, &words) == to - from && words > 1;
}

// Finds the name *NAME above a role in its block, with how to reach who bears it: "Ada Moss", "Tel.
// 555 112", "Treasurer". No other line there is a name. Returns its bytes, 0 if there is none.
static size_t named_above(const struct texts *t, size_t at, size_t end, size_t *name)
{
    enum { LINES = 8 };
    const struct lines c = {.text = t->text, .n = t->n};
    size_t top = line_start(&c, at), line;
    int reached = 0, lines = 0;
    if (!is_in_block(t, at, end))
        return 0;
    for (; lines < LINES && !line_is_bare_above(&c, top); lines++)
        top = line_start(&c, top - 1);
    if (lines == LINES || !is_name(&c, top))
        return 0;
    for (line = line_end(&c, top) + 1; line < c.n && lines < LINES && !line_is_bare(&c, line);
         line = line_end(&c, line) + 1) {
        if (is_name(&c, line))
            return 0;
        for (size_t i = line; i < line_end(&c, line); i++)
            reached |= is_digit(c.text[i]) || c.text[i] == '@';
    }
    *name = line_words(&c, top, line_end(&c, top));
    return reached ? line_trimmed(&c, *name, line_end(&c, top)) - *name : 0;
}

// Whether nothing but marks ("## ") is before byte AT on its line.
static int is_alone(const char *text, size_t at)
{
    while (at > 0 && is_one_of(text[at - 1], " \t#*=_"))
        at--;
    return !at || text[at - 1] == '\n';
}

// Finds the name behind the role, which begins at byte FIRST and ends before byte AT.
static size_t named_behind(const struct texts *t, size_t first, size_t at, size_t *name)
{
    static const char now[] = " at present currently now presently today derzeit zurzeit ";
    const char *text = t->text;
    size_t n = t->n, bytes;
    int words, least = 1;
    at += at < n && text[at] == '"';
    if (at < n && text[at] == ':') {
        const size_t line = first ? back_over_spaces(text, first) : 0;
        if (line && !memchr(text + line, '\n', first - line) && !is_one_of(text[line - 1], "*-#"))
            return 0;
        at++;
    } else if (at < n && is_one_of(text[at], ",(")) {
        at++;
    } else if (at < n && text[at] == ' ' &&
               word_is_listed(BE, text + at + 1, word_behind(text, n, at + 1) - at - 1)) {
        at = word_behind(text, n, at + 1);
    } else {
        least = 2; // "our treasurer Colm Dacey"
    }
    *name = past_spaces(text, at, n);
    while (least == 1 && word_is_listed(now, text + *name, word_behind(text, n, *name) - *name))
        *name = past_spaces(text, word_behind(text, n, *name), n);
    if (least > 1 && (*name == at ||
                      (memchr(text + at, '\n', *name - at) &&
                       (!is_alone(text, first) ||
                        (memmem(text + at, *name - at, "\n\n", 2) && is_in_block(t, first, at))))))
        return 0;
    bytes = name_at(text, n, *name, &words);
    return words >= least ? bytes : 0;
}

// Whether the role of bytes AT to END of T is another one by the words around it, as its holder has
// it no more, or not quite: "the former treasurer", "formerly the treasurer", "treasurer-elect".
static int is_another(const struct texts *t, size_t at, size_t end)
{
    static const char once[] = " formerly previously ehemals fr\u00fcher ",
                      before[] = " former formerly previous previously ex late outgoing departing "
                                 "retiring retired past then erstwhile acting interim temporary "
                                 "provisional deputy vice assistant associate incoming future "
                                 "designated honorary co sub ehemals ",
                      german[] = "ehemalige fr\u00fchere bisherige kommissarische "
                                 "stellvertretende k\u00fcnftige",
                      behind[] = " elect emeritus emerita designate until till bis ";
    const char *text = t->text;
    size_t to = back_over_spaces(text, at), from = word_before(text, to),
           next = past_spaces(text, end + (end < t->n && text[end] == '-'), t->n);
    if (word_is_listed(behind, text + next, word_behind(text, t->n, next) - next))
        return 1;
    if (word_is_listed(ARTICLES, text + from, to - from)) {
        to = back_over_spaces(text, from);
        from = word_before(text, to);
        return word_is_listed(once, text + from, to - from);
    }
    to -= to > from && text[to - 1] == '-';
    return word_is_listed(before, text + from, to - from) ||
           words_any(german, text + from, to - from);
}

// Counts NAME [n] once more among the bearers V [MANY], at place number PLACE; returns their
// number.
static int keep(struct bearer *v, int n, const struct texts *t, size_t name, size_t bytes,
                struct span_of_text sentence, int place, int elected)
{
    char own[LONGEST] = "";
    int i = 0;
    memcpy(own, t->text + name, bytes < LONGEST ? bytes : LONGEST - 1);
    while (i < n && strcmp(v[i].name, own) != 0)
        i++;
    if (i == MANY)
        return n;
    if (i == n) {
        v[n++] = (struct bearer){.t = *t, .sentence = sentence};
        memcpy(v[i].name, own, LONGEST);
    }
    v[i].times++;
    v[i].last = place;
    v[i].elected = elected ? place : v[i].elected;
    return n;
}

// The sentence around the role at byte AT of T, with that of NAME where this stands in another one,
// below a heading: "Manufacturer" alone on a line; or with the list there of all who are so.
static struct span_of_text said_at(const struct texts *t, size_t at, size_t name)
{
    struct list l;
    struct lines c;
    lines_of_text(&c, t->text, t->n);
    const size_t end = line_end(&c, at);
    struct span_of_text s = texts_sentence(t->text, t->n, at);
    const struct span_of_text named = texts_sentence(t->text, t->n, name);
    s.from = named.from < s.from ? named.from : s.from;
    s.to = named.to > s.to ? named.to : s.to;
    if (name > end && list_is_heading(&c, line_at(&c, line_start(&c, at))) &&
        list_at(&l, &c, list_next_said(&c, end + 1), NULL))
        s.to = l.at.to;
    return s;
}

// Whether the line of C that begins with byte LINE begins an item of a list.
static int begins_item(const struct lines *c, size_t line)
{
    const size_t end = line_end(c, line), words = line_words(c, line, end);
    return line_is_item(c->text + words, end - words);
}

// Finds who is called so where it is asked for without "of" and more, OF: the name beside the role
// of bytes AT to END of T, in a sentence that follows one about OF in the same paragraph or item of
// a list: "The mill goes on. Ada Moss is the keeper." *SAID: both. Returns the name's bytes, 0 if
// there is none.
static size_t named_below(const struct texts *t, size_t at, size_t end, const char *of,
                          size_t *name, struct span_of_text *said)
{
    const size_t next = past_spaces(t->text, end, t->n);
    const struct lines c = {.text = t->text, .n = t->n};
    int elected;
    if (is_another(t, at, end) || word_is_listed(" of for at in to on ", t->text + next,
                                                 word_behind(t->text, t->n, next) - next))
        return 0;
    const size_t own = named_before(t, at, name, &elected),
                 verb = own ? past_spaces(t->text, *name + own, at) : at;
    if (!word_is_listed(BE, t->text + verb, word_behind(t->text, at, verb) - verb))
        return 0;
    *said = texts_sentence(t->text, t->n, at);
    size_t top = line_start(&c, said->from), about = said->to, bytes;
    while (top > 0 && at - top < LONGEST_SENTENCE && !line_is_empty(&c, line_start(&c, top - 1)) &&
           !begins_item(&c, top))
        top = line_start(&c, top - 1);
    for (size_t p = top; name_next(of, t->text, at, &p, &bytes); p += bytes)
        about = p;
    if (about >= *name)
        return 0;
    said->from = texts_sentence(t->text, t->n, about).from;
    return own;
}

// Finds the one who is called WHAT, "keeper of the mill", where that is said in two sentences: V.
// Returns the number of them.
static int find_below(struct lookup *s, const char *what, struct bearer *v, struct err *e)
{
    static const char joint[] = " of ";
    const char *of = strstr(what, joint);
    char role[LONGEST];
    struct texts t;
    int rc, n = 0;
    if (!of || of == what || (size_t)(of - what) >= sizeof role)
        return 0;
    memcpy(role, what, (size_t)(of - what));
    role[of - what] = 0;
    of += strlen(joint);
    of += begins_with(of, strlen(of), "the ") ? strlen("the ") : 0;
    texts_begin(&t, s->k, s->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        struct span_of_text said;
        size_t bytes, name, own;
        for (size_t at = 0; name_next(role, t.text, t.n, &at, &bytes); at += bytes)
            if ((own = named_below(&t, at, at + bytes, of, &name, &said)))
                n = keep(v, n, &t, name, own, said, 1, 0);
    }
    return rc < 0 ? rc : n == 1;
}

static int find_bearers(struct lookup *s, struct bearer *v, struct err *e)
{
    struct texts t;
    int rc, n = 0, place = 0;
    texts_begin(&t, s->k, s->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        size_t bytes, name = 0, own;
        for (size_t at = 0; name_next(s->w.what, t.text, t.n, &at, &bytes); at += bytes) {
            int elected = 0;
            if (is_another(&t, at, at + bytes) ||
                (!(own = named_above(&t, at, at + bytes, &name)) &&
                 !(own = named_behind(&t, at, at + bytes, &name)) &&
                 !(own = named_before(&t, at, &name, &elected))))
                continue;
            n = keep(v, n, &t, name, own, said_at(&t, at, name), ++place, elected);
        }
    }
    return rc < 0 ? rc : n;
}

// Counts the one of V [N] most often that was given the role behind all places with another one.
static void prefer_elected(struct bearer *v, int n)
{
    int newest = 0, most = 0, others = 0;
    for (int i = 0; i < n; i++) {
        newest = v[i].elected > v[newest].elected ? i : newest;
        most = v[i].times > most ? v[i].times : most;
    }
    for (int i = 0; i < n; i++)
        others = i != newest && v[i].last > others ? v[i].last : others;
    if (v[newest].elected > others)
        v[newest].times = most + 1;
}

static int by_times(const void *a, const void *b)
{
    const struct bearer *x = a, *y = b;
    return y->times - x->times;
}

int survey_role(struct lookup *s, struct err *e)
{
    struct bearer *v = calloc(MANY, sizeof *v);
    int rc = 0, n = v ? find_bearers(s, v, e) : err_set(e, ERR_NOMEM, "out of memory (survey)");
    n = n ? n : find_below(s, s->w.what, v, e);
    if (n > 0 && n < MANY) {
        prefer_elected(v, n);
        qsort(v, (size_t)n, sizeof *v, by_times);
        for (int i = 0; !rc && i < n && i < MOST; i++) {
            fputs(i ? "\n" : "", s->out);
            if (!(rc = lookup_quote(s->out, &v[i].t, v[i].sentence, e)))
                rc = lookup_add(s, &v[i].t, v[i].sentence, 0, e);
        }
    }
    free(v);
    return n < 0 ? n : rc ? rc : n > 0 && n < MANY;
}
