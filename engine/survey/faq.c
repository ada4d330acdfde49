#define _GNU_SOURCE
// Looks up what is said below a heading that asks the same question, or that tells how to do what
// is asked: "Why does it leak?", "How do I replace the cartridge?" below "5.2 Replacing the
// cartridge", or that names what is made: "How do I make flatbread?", "What do I need for it?"
// below "Flatbread". To votes and to a judge such a heading, and what repeats its words, is better
// than its answer.
#include <string.h>
#include <strings.h>

#include "engine/survey/list.h"
#include "engine/survey/lookups.h"
#include "engine/survey/telling.h"
#include "engine/text/asked.h"
#include "engine/text/heading.h"
#include "engine/text/lines.h"
#include "engine/text/question.h"
#include "engine/text/turn.h"
#include "engine/text/wordlist.h"
#include "engine/text/words.h"

enum {
    LONG = 120,  // bytes of a heading
    WORDS = 16,  // that tell what is asked for
    WHOLE = 2000 // bytes of steps that an answer prints
};

// What kind of answer is asked for; THINGS: what something is made of.
enum kind { NONE, WHAT, WHO, WHERE, WHEN, WHY, HOW_MUCH, STEPS, THINGS, WHETHER };

// The words of a question, or of a heading, that tell what it asks for.
struct asks {
    enum kind kind;
    char stem[WORDS][WORD_STEM];
    int n;
    int denies; // "Can I not copy hidden files?"
    int names;  // 1: what is made, or made of something; a heading that tells of that names it
};

// A heading, and the text below it.
struct answer_below {
    struct texts t;
    struct span_of_text head, text;
    int more; // words that the question lacks
    int same; // how many others are as good
};

static const char IDLE[] = "tell know want need there";

static const char MAKES[] = " make cook bake prepare brew ",
                  MADE[] = " made cooked baked prepared brewed ";

// Whether the question TEXT [n] asks what something is made of: "What are the ingredients of ...",
// "What do I need for ...", "What goes into ..."; *BEHIND: the byte behind the words that tell
// that.
static int asks_things(const char *text, size_t n, size_t *behind)
{
    static const char *const forms[] = {"what are the ingredients of ",
                                        "what are the ingredients for ",
                                        "what are the ingredients in ",
                                        "which ingredients go into ",
                                        "what ingredients go into ",
                                        "which ingredients do i need for ",
                                        "what ingredients do i need for ",
                                        "what do i need for ",
                                        "what do you need for ",
                                        "what do i need to make ",
                                        "what do you need to make ",
                                        "what goes into ",
                                        "what goes in ",
                                        "list the ingredients of ",
                                        "list the ingredients for "};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (n > strlen(forms[i]) && !strncasecmp(text, forms[i], strlen(forms[i]))) {
            *behind = strlen(forms[i]);
            return 1;
        }
    return 0;
}

// Whether the question TEXT [*n], of how something is done behind its byte *BEHIND, asks how
// something is made: "make flatbread", "is flatbread made"; takes that word from it.
static int asks_making(const char *text, size_t *n, size_t *behind)
{
    char word[WORD_LISTED];
    size_t at = *behind, bytes = word_small(text, *n, &at, word, sizeof word), last = 0;
    if (word_is_listed(MAKES, word, bytes)) {
        *behind = at;
        return 1;
    }
    if (!word_is_listed(" is are was were ", word, bytes))
        return 0;
    for (size_t from = at; word_small(text, *n, &from, word, sizeof word);)
        last = from;
    if (!last)
        return 0;
    for (last -= 1; last > at && !is_space(text[last - 1]); last--)
        ;
    bytes = word_small(text, *n, &(size_t){last}, word, sizeof word);
    if (!word_is_listed(MADE, word, bytes))
        return 0;
    *behind = at;
    *n = last;
    return 1;
}

// The kind of the question TEXT [n]; *BEHIND: the byte behind the words that tell that.
static enum kind kind_of(const char *text, size_t n, size_t *behind)
{
    static const struct {
        enum kind kind;
        const char *words;
    } kinds[] = {
        {WHAT, " what which "},
        {WHO, WORDLIST_WHO},
        {WHERE, " where "},
        {WHEN, " when "},
        {WHY, " why "},
        {WHETHER, " is are was were do does did can could may must should will has have "}};
    char word[WORD_LISTED];
    size_t at = 0, bytes = word_small(text, n, &at, word, sizeof word);
    *behind = at;
    if (asks_things(text, n, behind))
        return THINGS;
    if (asked_how(text, n)) {
        // "how to", or "how do I"
        bytes = word_small(text, n, behind, word, sizeof word);
        if (!word_is_listed(" to ", word, bytes))
            word_small(text, n, behind, word, sizeof word);
        return STEPS;
    }
    if (word_is_listed(" how ", word, bytes))
        return HOW_MUCH;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (word_is_listed(kinds[i].words, word, bytes))
            return kinds[i].kind;
    return NONE;
}

static int has(const struct asks *a, const char stem[WORD_STEM])
{
    for (int i = 0; i < a->n; i++)
        if (!memcmp(a->stem[i], stem, WORD_STEM))
            return 1;
    return 0;
}

// Adds the telling words of TEXT [n] to A; of steps the first word is one whatever it is.
static void add_words(struct asks *a, const char *text, size_t n)
{
    char stem[WORD_STEM];
    size_t bytes;
    int first = a->kind == STEPS && !a->names;
    for (size_t at = 0; a->n < WORDS && word_next(text, n, &at, stem, &bytes); first = 0)
        if ((first || telling_word(text + at - bytes, bytes, stem, TELLING_BYTES, IDLE)) &&
            !has(a, stem))
            memcpy(a->stem[a->n++], stem, WORD_STEM);
}

static void read_asked(struct asks *a, const char *text, size_t n)
{
    size_t behind;
    *a = (struct asks){.kind = kind_of(text, n, &behind), .denies = turn_denies(text, n)};
    a->names = a->kind == THINGS;
    if ((a->kind == STEPS || a->kind == HOW_MUCH) && asks_making(text, &n, &behind)) {
        a->kind = STEPS;
        a->names = 1;
    }
    if (a->kind != NONE)
        add_words(a, text + behind, n - behind);
}

// The bytes of what marks the heading TEXT [n]: "## ", "(7) ", "3.13: ", "5.2 ", "Q: ".
static size_t mark_of(const char *text, size_t n)
{
    size_t i = 0;
    while (i < n && is_one_of(text[i], "#* "))
        i++;
    const size_t q = i + (i < n && text[i] == 'Q');
    size_t at = q + (q < n && text[q] == '(');
    const size_t number = at;
    while (at < n && (is_digit(text[at]) || text[at] == '.'))
        at++;
    if (at == number && q == i)
        return i;
    while (at < n && is_one_of(text[at], "):.]"))
        at++;
    if (at >= n || !is_space(text[at]))
        return i;
    while (at < n && is_space(text[at]))
        at++;
    return at;
}

// Whether the line that begins with byte LINE stands apart like a heading: short, below an empty
// line, without a stop and without gaps between cells.
static int stands_apart(const struct cut *c, size_t line, struct span_of_text *s)
{
    const size_t end = line_end(c, line);
    *s = (struct span_of_text){line, line_trimmed(c, line, end)};
    while (s->from < s->to && is_space(c->text[s->from]))
        s->from++;
    const size_t n = span_bytes(*s);
    if (!n || n >= LONG || line_quoted(c, line) ||
        (line && !line_is_bare(c, line_start(c, line - 1))) ||
        is_one_of(c->text[s->to - 1], ".!;:,|"))
        return 0;
    const size_t mark = mark_of(c->text + s->from, n);
    return !memmem(c->text + s->from + mark, n - mark, "  ", 2) &&
           !memchr(c->text + s->from, '\t', n);
}

// The last number in the mark TEXT [n] of a heading; 0: there is none.
static int number_in(const char *text, size_t n)
{
    int number = 0;
    for (size_t i = 0; i < n; i++)
        if (is_digit(text[i]))
            number = (i && is_digit(text[i - 1]) ? 10 * (number % 10000) : 0) + text[i] - '0';
    return number;
}

// Whether text[AT..END) begins with the number that follows the one of HEAD's mark [mark], marked
// as that: "(8)" behind "(7)".
static int is_next(const struct cut *c, struct span_of_text head, size_t mark, size_t at,
                   size_t end)
{
    const size_t own = mark_of(c->text + at, end - at);
    return own && number_in(c->text + head.from, mark) &&
           number_in(c->text + at, own) == number_in(c->text + head.from, mark) + 1 &&
           is_digit(c->text[at]) == is_digit(c->text[head.from]);
}

// Where the text below HEAD, on the line that begins with byte LINE, begins; n: below it another
// one follows at once, as in a table of contents.
static size_t text_below(const struct cut *c, struct span_of_text head, size_t line)
{
    const size_t mark = mark_of(c->text + head.from, span_bytes(head));
    do
        line = line_end(c, line) + 1;
    while (line < c->n && line_is_bare(c, line));
    if (line >= c->n)
        return c->n;
    const size_t to = line_trimmed(c, line, line_end(c, line));
    return is_next(c, head, mark, line, to) ||
                   (line_asks(c->text + line, to - line) && mark_of(c->text + line, to - line))
               ? c->n
               : line;
}

// Whether the heading S is of a part of what HEAD heads: "### Method" below "## Flatbread".
static int is_within(const struct cut *c, struct span_of_text head, struct span_of_text s)
{
    const int level = heading_level(c->text + head.from, span_bytes(head));
    return level && heading_level(c->text + s.from, span_bytes(s)) > level;
}

// Where the text below HEAD that begins with byte LINE ends: before the next line that asks, is the
// next by its number, or is a heading of no part of it.
static size_t text_end(const struct cut *c, struct span_of_text head, size_t line)
{
    const size_t mark = mark_of(c->text + head.from, span_bytes(head));
    struct span_of_text s;
    size_t from, to;
    for (size_t at = line_end(c, line) + 1; at < c->n; at = line_end(c, at) + 1) {
        if (line_is_empty(c, at) || !line_is_bare(c, line_start(c, at - 1)))
            continue;
        if (is_next(c, head, mark, at, line_end(c, at)) ||
            (stands_apart(c, at, &s) && !is_within(c, head, s) &&
             (line_asks(c->text + s.from, span_bytes(s)) || heading_is(c, at, &from, &to) ||
              (mark && mark_of(c->text + s.from, span_bytes(s))))))
            return at;
    }
    return c->n;
}

// How many words the heading TEXT [n] has that Q lacks, if it asks the same, tells how to do it, or
// names what is made; -1: it does not.
static int words_more(const struct asks *q, const char *text, size_t n)
{
    enum { MORE = 2 };
    const size_t mark = mark_of(text, n);
    struct asks own;
    read_asked(&own, text + mark, n - mark);
    const int same = own.kind == q->kind;
    if (!same && q->names) {
        if (line_asks(text, n))
            return -1;
        own = (struct asks){.kind = WHAT, .denies = own.denies};
        add_words(&own, text + mark, n - mark);
    } else if (!same) {
        // "Replacing the cartridge", "Replace the cartridge"
        own = (struct asks){.kind = STEPS, .denies = own.denies};
        add_words(&own, text + mark, n - mark);
        if (q->kind != STEPS || line_asks(text, n) || !own.n ||
            memcmp(own.stem[0], q->stem[0], WORD_STEM) != 0)
            return -1;
    }
    if (own.denies != q->denies)
        return -1;
    for (int i = 0; i < q->n; i++)
        if (!has(&own, q->stem[i]))
            return -1;
    const int more = own.n - q->n;
    return more <= MORE + (same ? q->n : 0) ? more : -1;
}

// Looks at all lines of T's document for the heading of Q: BEST, if it is better than that.
static void find_below(struct answer_below *best, const struct texts *t, const struct asks *q)
{
    const struct cut c = {.text = t->text, .n = t->n};
    struct span_of_text s;
    for (size_t line = 0; line < c.n; line = line_end(&c, line) + 1) {
        if (!stands_apart(&c, line, &s) || (q->names && !heading_is(&c, line, &s.from, &s.to)))
            continue;
        const int more = words_more(q, c.text + s.from, span_bytes(s));
        const size_t text = more < 0 ? c.n : text_below(&c, s, line);
        if (text == c.n || (best->t.text && more > best->more))
            continue;
        best->same = best->t.text && more == best->more ? best->same + 1 : 0;
        if (best->same)
            continue;
        best->t = *t;
        best->head = s;
        best->more = more;
        best->text.from = text;
        best->text.to = line_trimmed(&c, text, text_end(&c, s, text));
    }
}

// Cuts S of T's document to the first list in it, if it has one.
static void cut_to_list(const struct texts *t, struct span_of_text *s)
{
    struct list l;
    struct cut c;
    cut_text(&c, t->text, s->to);
    for (struct span_of_text line = list_next_said(&c, s->from); line.from < s->to;
         line = list_next_said(&c, line.to + 1))
        if (list_is_item(&c, line) && !list_is_row(&c, line) && list_at(&l, &c, line, NULL)) {
            *s = (struct span_of_text){l.at.from, l.at.to < s->to ? l.at.to : s->to};
            return;
        }
}

int survey_faq(struct surveying *v, const char *question, struct err *e)
{
    enum { LEAST = 2 }; // words that tell what is asked for
    const char *itself = question_itself(question);
    struct answer_below best = {0};
    struct texts t;
    struct asks q;
    int rc;
    read_asked(&q, itself, strlen(itself));
    if (q.kind == NONE || q.n < (q.names ? 1 : LEAST))
        return 0;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0)
        find_below(&best, &t, &q);
    if (rc < 0 || !best.t.text || best.same)
        return rc;
    if (q.kind == THINGS)
        cut_to_list(&best.t, &best.text);
    survey_say(v->out, best.t.text, best.head);
    fputs("\n\n", v->out);
    rc = q.kind == STEPS && span_bytes(best.text) <= WHOLE
             ? survey_quote(v->out, &best.t, best.text, e)
             : survey_passage(v->out, &best.t, &best.text, e);
    if (rc || (rc = survey_add(v, &best.t, best.text, 0, e)))
        return rc;
    return 1;
}
