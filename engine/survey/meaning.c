// What a contract or a licence says that a term means: "What is Covered Software?", where it has
// '"Covered Software" means ...', or the term alone and its meaning beside it, in which case "When
// is the Commencement Date?" asks for that, too; and who or what is called so in brackets: "Who is
// the Landlord?", where it has 'Ada Lind, of Bexford ("the Landlord")'. Of the many sentences that
// have the term, these define it. In a list of terms each is on a line of its own, with what it
// means set in below it; in a dictionary it has marks (headword.h).
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/lookup/form.h"
#include "engine/sentences/cut.h"
#include "engine/survey/headword.h"
#include "engine/survey/surveys.h"
#include "engine/words/chars.h"
#include "engine/words/letter.h"
#include "engine/words/words.h"

enum {
    FEW = 3,        // definitions that an answer prints; of more, none
    LONGEST = 1500, // bytes of a definition
    BETWEEN = 60,   // bytes between a term and its verb
    BRACKET = 80    // bytes of a bracket, before and behind what something is called
};

static const char *const QUESTIONS[] = {"what is|are the? meaning|definition of WHAT END",
                                        "what do|does WHAT mean|denote END",
                                        "what do|does WHAT stand for END",
                                        "what is|are meant|understood by WHAT END",
                                        "what is|are WHAT END",
                                        "what's WHAT END",
                                        "define WHAT END",
                                        "the? definition|meaning of WHAT END",
                                        "what counts|qualifies as a|an|the? WHAT END",
                                        "how is|are WHAT defined END",
                                        "who is|are members|part of WHAT END",
                                        "who belongs to WHAT END"};
// Those that ask for what a term stands for, if they have it with the text's capitals.
static const char *const NAMED[] = {"when|where|who is|are WHAT END",
                                    "how much|long is|are WHAT END", "how many is|are WHAT END",
                                    "how high|large|big is|are WHAT END",
                                    ("how long|many|much ABOUT until|before|for it|this|that|they "
                                     "count|counts|qualify|qualifies as a|an? WHAT END")};

// ------------------------------------------------------------------------- a term that is quoted

// Bytes of the mark before byte AT of TEXT that opens a quotation; 0: there is none.
static size_t opened(const char *text, size_t at)
{
    static const char *const marks[] = {"\u201c", "\u201e", "\u2018", "\u00ab",
                                        "**",     "*",      "\"",     "'"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const size_t n = strlen(marks[i]);
        if (at >= n && !memcmp(text + at - n, marks[i], n))
            return n;
    }
    return 0;
}

// Bytes of the mark that TEXT [n] begins with and that closes a quotation.
static size_t closed(const char *text, size_t n)
{
    static const char *const marks[] = {"\u201d", "\u201c", "\u2019", "\u00bb",
                                        "**",     "*",      "\"",     "'"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (begins_with(text, n, marks[i]))
            return strlen(marks[i]);
    return 0;
}

// Extends S, a term in C, to the quotation that it is all of, but for an article; 0: it is in none.
static int is_quoted(const struct lines *c, struct span_of_text *s)
{
    static const char *const articles[] = {"the ", "The ", "a ", "an ", "der ", "die ", "das "};
    const size_t close = closed(c->text + s->to, c->n - s->to);
    size_t open = opened(c->text, s->from);
    for (size_t i = 0; !open && i < sizeof articles / sizeof *articles; i++) {
        const size_t n = strlen(articles[i]);
        if (s->from > n && !memcmp(c->text + s->from - n, articles[i], n)) {
            open = opened(c->text, s->from - n);
            open += open ? n : 0;
        }
    }
    s->from -= open;
    s->to += close;
    return open && close;
}

// ------------------------------------------------------------------------------- '"Rent" means'

// The byte behind the verb that defines a term at byte AT of TEXT; 0: there is none.
static size_t past_verb(const char *text, size_t at, size_t end)
{
    static const char *const verbs[] = {
        "means",      "mean",        "shall mean", "has the meaning", "have the meaning",
        "will mean",  "refers to",   "refer to",   "shall have the",  "shall refer to",
        "is defined", "are defined", "denotes",    "denote",          "bedeutet",
        "bezeichnet"};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        const size_t n = strlen(verbs[i]);
        if (end - at > n && !memcmp(text + at, verbs[i], n) && !word_has(text[at + n]))
            return at + n;
    }
    return 0;
}

// The byte behind the verb that defines the quoted term which ends before byte AT of C: '"Rent"
// means', '"Rent" of a Lot, and "Fee", mean'; 0: none does.
static size_t verb_of(const struct lines *c, size_t at)
{
    size_t behind;
    const size_t end = c->n - at < BETWEEN ? c->n : at + BETWEEN;
    for (size_t i = at; i < end; i++) {
        if (is_one_of(c->text[i], ".:;?!") || (c->text[i] == '\n' && line_is_empty(c, i + 1)))
            return 0;
        if (is_space(c->text[i]) && (behind = past_verb(c->text, i + 1, c->n)))
            return behind;
        if (is_space(c->text[i]) && (behind = past_spaces(c->text, i, end)) > i + 1)
            i = behind - 2;
    }
    return 0;
}

// Whether text[FROM..TO) is nothing but the number or mark of a clause: "1.4. ", "(a) ", "- ".
static int is_number(const char *text, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if ((is_lower(text[i]) || is_upper(text[i])) &&
            (i + 1 == to || !is_one_of(text[i + 1], ".)") || (i > from && word_has(text[i - 1]))))
            return 0;
    return 1;
}

// Where the definition begins whose quoted term begins with byte AT of C: with the line, or with
// the sentence ('In this lease, "Rent" means'). C->N: no definition begins so.
static size_t definition_start(const struct lines *c, size_t at)
{
    size_t from, to;
    const size_t line = past_spaces(c->text, line_start(c, at), at);
    if (is_number(c->text, line, at))
        return line;
    cut_whole(c, at, &from, &to);
    from = past_spaces(c->text, from, at);
    return is_number(c->text, from, at) ||
                   (is_upper(c->text[from]) && memchr(c->text + from, ',', at - from))
               ? from
               : c->n;
}

// Whether another definition begins with byte AT of C: '"Fee" means', '(b) "Fee" means'.
static int begins_another(const struct lines *c, size_t at)
{
    enum { NUMBER = 8, MARK = 3 }; // bytes, at most
    const size_t end = line_end(c, at);
    for (size_t i = at; i < end && i - at <= NUMBER; i++)
        for (size_t n = 1; n <= MARK && i + n < end; n++) {
            if (opened(c->text, i + n) != n || !is_upper(c->text[i + n]) ||
                !is_number(c->text, at, i))
                continue;
            for (i += n; i < end; i++)
                if ((n = closed(c->text + i, end - i)))
                    return verb_of(c, i + n) > 0;
            return 0;
        }
    return 0;
}

// Where the definition ends that begins with byte START of C and whose verb ends before byte AT:
// with its sentence, or with the list that this leads in.
static size_t definition_end(const struct lines *c, size_t start, size_t at)
{
    size_t from, to, end = at;
    for (int more = 1; more;) {
        at = past_spaces(c->text, end, c->n);
        if (at == c->n)
            break;
        if (is_one_of(c->text[end - 1], ";,") && begins_another(c, at))
            return end - 1;
        cut_whole(c, at, &from, &to);
        if (to <= at || to - start > LONGEST)
            break;
        end = line_trimmed(c, at, to);
        more = is_one_of(c->text[end - 1], ":;,") || line_is_open(c->text + at, end - at);
    }
    return end;
}

// ------------------------------------------------------------------------------ 'A *rent* is'

// Whether the term S of C, in bold or in italics, begins a sentence but for an article, and this
// says what it is: S becomes the sentence.
static int is_said(const struct lines *c, struct span_of_text *s)
{
    static const char *const verbs[] = {" is ", " are ", "\nis ", "\nare "};
    size_t from, to;
    int says = 0;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        says |= begins_with(c->text + s->to, c->n - s->to, verbs[i]);
    if (!says || c->text[s->from] != '*')
        return 0;
    cut_whole(c, s->from, &from, &to);
    from = past_spaces(c->text, from, s->from);
    const size_t before = line_trimmed(c, from, s->from);
    if (before > from && !word_is_listed(" a an the ", c->text + from, before - from))
        return 0;
    *s = (struct span_of_text){from, line_trimmed(c, from, to)};
    return 1;
}

// ----------------------------------------------------------------------- '"Rent"   what is paid'

// Whether the quoted term S of C begins its line, but for the number of a clause, and its meaning
// stands on the line behind a gap, a colon or a dash.
static int has_meaning_beside(const struct lines *c, struct span_of_text s)
{
    static const char *const signs[] = {":", "-", "\u2013", "\u2014", "="};
    const size_t line = line_start(c, s.from), end = line_end(c, s.to);
    size_t width, at = s.to + line_gap(c->text + s.to, end - s.to, 0, &width);
    if (c->text[s.from] == '*' || !is_number(c->text, line, s.from))
        return 0;
    int beside = width > 1;
    for (size_t i = 0; !beside && i < sizeof signs / sizeof *signs; i++) {
        const size_t n = strlen(signs[i]);
        beside = begins_with(c->text + at, end - at, signs[i]) && at + n < end &&
                 is_space(c->text[at + n]);
        at += beside ? n : 0;
    }
    return beside && line_says_something(c->text + at, end - at);
}

// ----------------------------------------------------------------------- 'Rent:  The sum paid'

// Whether the term S of C, in no quotation marks, begins its line, and what it is begins behind a
// colon: with an article, where a label before some value has none.
static int has_thing_beside(const struct lines *c, struct span_of_text s)
{
    static const char *const articles[] = {"The ", "A ", "An ", "Any ", "Each "};
    const size_t line = line_start(c, s.from), end = line_end(c, s.to);
    if (past_spaces(c->text, line, s.from) != s.from || s.to == end || c->text[s.to] != ':')
        return 0;
    const size_t at = past_spaces(c->text, s.to + 1, end);
    for (size_t i = 0; at > s.to + 1 && i < sizeof articles / sizeof *articles; i++)
        if (begins_with(c->text + at, end - at, articles[i]))
            return 1;
    return 0;
}

// ------------------------------------------------------------------- 'Rent', and its meaning below

// Whether the line that begins with byte LINE of C may be a term, or several ("We, Us"), with what
// it means set in right below it, and nothing more but paragraphs set in as much: *END of the first
// one.
static int has_meaning_below(const struct lines *c, size_t line, size_t *end)
{
    enum { TERMS = 60 }; // bytes
    const size_t in = line_indentation(c, line), line_to = line_end(c, line);
    size_t at = line_to + 1;
    const size_t first = past_spaces(c->text, line, line_to),
                 last = line_trimmed(c, first, line_to);
    if (first == last || last - first > TERMS || !word_has(c->text[last - 1]) || at >= c->n ||
        letter_is_small(c->text + first, last - first) ||
        line_is_item(c->text + first, last - first))
        return 0;
    const size_t below = line_indentation(c, at), words = past_spaces(c->text, at, c->n);
    if (line_is_empty(c, at) || below <= in || letter_is_small(c->text + words, c->n - words) ||
        line_is_item(c->text + words, line_end(c, at) - words))
        return 0;
    for (; at < c->n && !line_is_empty(c, at) && line_indentation(c, at) == below;
         at = line_end(c, at) + 1)
        *end = line_trimmed(c, at, line_end(c, at));
    for (at = line_past_empty(c, at); at < c->n && line_indentation(c, at) == below;)
        at = line_past_empty(c, line_end(c, at) + 1);
    return c->text[*end - 1] == '.' && (at >= c->n || line_indentation(c, at) <= in);
}

// Whether the line that begins with byte LINE of C has another term above or below it in its list.
static int is_of_terms(const struct lines *c, size_t line, size_t end)
{
    const size_t in = line_indentation(c, line);
    size_t at = line_past_empty(c, line_end(c, end) + 1), unused;
    if (at < c->n && line_indentation(c, at) == in && has_meaning_below(c, at, &unused))
        return 1;
    for (at = line; at > 0;) {
        at = line_start(c, at - 1);
        if (!line_is_empty(c, at) && line_indentation(c, at) <= in)
            return line_indentation(c, at) == in && has_meaning_below(c, at, &unused);
    }
    return 0;
}

// Whether S of C is a term in a list of these: it becomes the line and what is below it.
static int is_listed_term(const struct lines *c, struct span_of_text *s)
{
    const size_t line = line_start(c, s->from), first = past_spaces(c->text, line, s->from),
                 before = line_trimmed(c, first, s->from),
                 behind = past_spaces(c->text, s->to, line_end(c, s->to));
    size_t end;
    if ((before > first && c->text[before - 1] != ',') ||
        (behind < line_end(c, s->to) && c->text[behind] != ',') ||
        !has_meaning_below(c, line, &end) || !is_of_terms(c, line, end))
        return 0;
    *s = (struct span_of_text){first, end};
    return 1;
}

// --------------------------------------------------------------------------- '("the Landlord")'

// Whether text[FROM..TO), a part of a bracket, says no more than that something is called so.
static int only_calls(const char *text, size_t from, size_t to)
{
    static const char words[] =
        " the a an this our we us you your hereinafter hereafter herein called referred to as and "
        "or collectively together each individually jointly either in short for below also "
        "nachfolgend nachstehend im folgenden genannt und oder der die das ";
    char word[WORD_LISTED];
    int quoted = 0;
    for (size_t at = from, n; (n = word_small(text, to, &at, word, sizeof word)) > 0;) {
        const size_t begin = at - n;
        quoted = opened(text, begin) ? 1 : quoted;
        if (!quoted && !word_is_listed(words, word, n))
            return 0;
        quoted = quoted && !closed(text + at, to - at);
    }
    return 1;
}

// The byte behind the bracket that the quoted term S of C stands in, if this only says that
// something is called so; else 0.
static size_t is_called(const struct lines *c, struct span_of_text s)
{
    size_t from = s.from, to = s.to;
    while (from > 0 && s.from - from < BRACKET && !is_one_of(c->text[from - 1], "()"))
        from--;
    while (to < c->n && to - s.to < BRACKET && !is_one_of(c->text[to], "()"))
        to++;
    return from > 0 && to < c->n && c->text[from - 1] == '(' && c->text[to] == ')' &&
                   only_calls(c->text, from, s.from) && only_calls(c->text, s.to, to)
               ? to + 1
               : 0;
}

// The sentence of T around byte AT, which ends with the BRACKET in it where hardly more follows:
// "..., and".
static struct span_of_text called_so(const struct texts *t, size_t at, size_t bracket)
{
    enum { REST = 5 };
    struct span_of_text s = texts_sentence(t->text, t->n, at);
    if (s.to > bracket && s.to - bracket <= REST && is_one_of(t->text[bracket], ",;"))
        s.to = bracket;
    return s;
}

// ------------------------------------------------------------------------------------------------

// The definition of the term S of C, or who or what is called so: *S; 0: it is neither, or it
// is not as NAMED stands there, where that is not NULL.
static int find_meaning(const struct texts *t, const struct lines *c, const void *named,
                        struct span_of_text *s)
{
    if (named &&
        (span_bytes(*s) != strlen(named) || memcmp(t->text + s->from, named, span_bytes(*s)) != 0))
        return 0;
    const int capital =
        !letter_is_small(t->text + s->from, span_bytes(*s)) && !is_digit(t->text[s->from]);
    size_t behind, start;
    if (headword_entry(c, s))
        return 1;
    if (!is_quoted(c, s)) {
        if (capital && is_listed_term(c, s))
            return 1;
        if (!capital || !has_thing_beside(c, *s))
            return 0;
        s->to = definition_end(c, s->from, s->to);
        return 1;
    }
    if (capital && (behind = is_called(c, *s))) {
        *s = called_so(t, s->from, behind);
        return 1;
    }
    if (is_said(c, s))
        return 1;
    if (!(behind = verb_of(c, s->to)) && has_meaning_beside(c, *s))
        behind = s->to;
    if (!behind || (start = definition_start(c, s->from)) == c->n)
        return 0;
    *s = (struct span_of_text){start, definition_end(c, start, behind)};
    return 1;
}

// Finds the definitions of WHAT, in small letters, or of NAMED, as it stands there: V [FEW].
// Returns their number, or an error.
static int find_meanings(const struct lookup *s, const char *what, const char *named,
                         struct lookup_found *v, struct err *e)
{
    return lookup_find_named(s, what, find_meaning, named, v, FEW, e);
}

// What is whoever's who asks is "your" in a text that turns to the reader: 1, or 0 where WHAT is
// not.
static int turn_owner(char what[WANTED_BYTES + 1])
{
    static const char my[] = "my ", our[] = "our ", your[] = "your ";
    const size_t n = begins_with(what, strlen(what), my)    ? strlen(my)
                     : begins_with(what, strlen(what), our) ? strlen(our)
                                                            : 0;
    const size_t rest = strlen(what + n) + 1;
    if (!n || strlen(your) + rest > WANTED_BYTES + 1)
        return 0;
    memmove(what + strlen(your), what + n, rest);
    memcpy(what, your, strlen(your));
    return 1;
}

// WHAT's plural instead of its singular, or the other way round.
static void turn_number(char what[WANTED_BYTES + 1])
{
    const size_t n = strlen(what);
    if (n > 1 && what[n - 1] == 's')
        what[n - 1] = 0;
    else if (n)
        memcpy(what + n, "s", 2);
}

// Writes the string WHAT to OUT in small letters; 0: it is empty, or too long.
static int in_small(const char *what, char out[WANTED_BYTES + 1])
{
    const size_t n = strlen(what);
    if (!n || n >= WANTED_BYTES)
        return 0;
    for (size_t i = 0; i <= n; i++)
        out[i] = is_upper(what[i]) ? (char)(what[i] | 32) : what[i];
    return 1;
}

int survey_meaning_of(struct lookup *v, const char *what, struct err *e)
{
    struct lookup_found found[FEW];
    char small[WANTED_BYTES + 1];
    if (!in_small(what, small))
        return 0;
    int n = find_meanings(v, small, NULL, found, e);
    if (!n && turn_owner(small))
        n = find_meanings(v, small, NULL, found, e);
    if (!n) {
        turn_number(small);
        n = find_meanings(v, small, NULL, found, e);
    }
    return lookup_say_found(v, found, n, FEW, e);
}

int survey_meaning(struct lookup *v, const char *question, struct err *e)
{
    struct lookup_found found[FEW];
    struct form_match m;
    char what[WANTED_BYTES], small[WANTED_BYTES + 1];
    if (!form_split(&m, question))
        return 0;
    if (form_of_what(&m, QUESTIONS, sizeof QUESTIONS / sizeof *QUESTIONS, what, sizeof what))
        return survey_meaning_of(v, what, e);
    if (!form_of_what(&m, NAMED, sizeof NAMED / sizeof *NAMED, what, sizeof what) ||
        !is_upper(*what) || !in_small(what, small))
        return 0;
    return lookup_say_found(v, found, find_meanings(v, small, what, found, e), FEW, e);
}
