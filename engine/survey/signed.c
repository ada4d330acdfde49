// Who signed, and as what: "Who is Mary Stone?", where the end of a contract has what each of two
// parties signed in a column of its own, "Name: Mary Stone      Name: Adam Lowe" and such lines
// above and below. Read line by line, they give each of them the other's title.
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/survey/surveys.h"
#include "engine/words/chars.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"

enum {
    LABEL = 24, // bytes of a label
    LEFT = 200, // bytes of a line on the left, at most
    ABOVE = 16, // lines above the names that may be of the block,
    BELOW = 32, // and below them
    SIDES = 2
};

// Lines that two parties signed side by side.
struct block {
    struct lines c;
    size_t top, end;                 // bytes of its first line and behind its last one
    size_t column;                   // where the right one begins
    struct span_of_text name[SIDES]; // who signed
};

// What a question asks of them.
struct signing {
    const char *question;
    int signs;          // 1: it has "signed" or the like,
    int who;            // and asks who did, not after somebody
    const char *labels; // words of the label that is asked for; NULL: all of them
};

// ---------------------------------------------------------------------------------- the two sides

// The half of LINE on SIDE of B; an empty span: it has none. -1: the line is not divided there.
static int half_of(const struct block *b, struct span_of_text line, int side,
                   struct span_of_text *half)
{
    const char *text = b->c.text;
    size_t at = line.from;
    while (at < line.to && line_width(text + line.from, at - line.from) < b->column)
        at++;
    if (at > line.from + 1 && at < line.to && !(is_space(text[at - 1]) && is_space(text[at - 2])))
        return -1;
    half->from = side ? at : line.from;
    half->to = side ? line.to : at;
    half->from = line_words(&b->c, half->from, half->to);
    half->to = line_trimmed(&b->c, half->from, half->to);
    return 0;
}

// The label that text[S] begins with, up to a colon; an empty span: none.
static struct span_of_text label_of(const char *text, struct span_of_text s)
{
    struct span_of_text label = {s.from, s.from};
    for (size_t i = s.from; i < s.to && i - s.from <= LABEL; i++) {
        if (text[i] == ':')
            label.to = i;
        if (!is_lower(text[i]) && !is_upper(text[i]) && !is_one_of(text[i], " ()/"))
            break;
    }
    return label;
}

// The byte of LINE where the label that it begins with begins again behind a gap; line.to: it does
// not.
static size_t again_at(const struct lines *c, struct span_of_text line)
{
    const size_t from = line_words(c, line.from, line.to);
    const struct span_of_text label = label_of(c->text, (struct span_of_text){from, line.to});
    const size_t n = span_bytes(label) + 1;
    for (size_t at = label.to + 3; n > 1 && at + n <= line.to; at++)
        if (c->text[at - 1] == ' ' && c->text[at - 2] == ' ' &&
            !memcmp(c->text + at, c->text + from, n))
            return at;
    return line.to;
}

// Whether both halves of LINE begin with the same label: HALF [SIDES].
static int is_pair(const struct block *b, struct span_of_text line, struct span_of_text half[SIDES])
{
    if (half_of(b, line, 0, &half[0]) || half_of(b, line, 1, &half[1]))
        return 0;
    const struct span_of_text a = label_of(b->c.text, half[0]), z = label_of(b->c.text, half[1]);
    return span_bytes(a) && span_bytes(a) == span_bytes(z) &&
           !memcmp(b->c.text + a.from, b->c.text + z.from, span_bytes(a)) &&
           (span_bytes(half[0]) > span_bytes(a) + 1 || span_bytes(half[1]) > span_bytes(a) + 1);
}

// Extends B upwards over lines that both sides have words in, and empty ones between.
static void extend_up(struct block *b)
{
    struct span_of_text half[SIDES];
    size_t at = b->top;
    for (int lines = 0; lines < ABOVE && at > 0; lines++) {
        at = line_start(&b->c, at - 1);
        if (line_is_empty(&b->c, at))
            continue;
        const struct span_of_text line = line_at(&b->c, at);
        if (half_of(b, line, 0, &half[0]) || half_of(b, line, 1, &half[1]) ||
            !span_bytes(half[0]) || !span_bytes(half[1]))
            return;
        b->top = at;
    }
}

// Extends it downwards over lines with a label each, those directly below that go on with one of
// these, and empty ones between.
static void extend_down(struct block *b)
{
    struct span_of_text half[SIDES];
    int directly = 1, lines = 0;
    for (size_t at = b->end + 1; at < b->c.n && lines < BELOW; lines++) {
        const struct span_of_text line = line_at(&b->c, at);
        if (line_is_empty(&b->c, at)) {
            directly = 0;
        } else if (is_pair(b, line, half)) {
            directly = 1;
            b->end = line.to;
        } else if (directly && !half_of(b, line, 0, &half[0]) && !half_of(b, line, 1, &half[1]) &&
                   (!span_bytes(half[0]) || !span_bytes(half[1]))) {
            b->end = line.to;
        } else {
            return;
        }
        at = line.to + 1;
    }
}

// The block whose names are in LINE of C: B; 0: there are none.
static int block_at(const struct lines *c, struct span_of_text line, struct block *b)
{
    const size_t right = again_at(c, line);
    struct span_of_text half[SIDES];
    if (right == line.to || right - line.from > LEFT)
        return 0;
    *b = (struct block){.c = *c, .top = line.from, .end = line.to};
    b->column = line_width(c->text + line.from, right - line.from);
    if (!is_pair(b, line, half))
        return 0;
    const struct span_of_text label = label_of(c->text, half[0]);
    if (!words_any("name names", c->text + label.from, span_bytes(label)))
        return 0;
    for (int side = 0; side < SIDES; side++) {
        b->name[side] =
            (struct span_of_text){half[side].from + span_bytes(label) + 1, half[side].to};
        b->name[side].from = line_words(c, b->name[side].from, half[side].to);
    }
    extend_up(b);
    extend_down(b);
    return b->top < line.from || b->end > line.to;
}

// --------------------------------------------------------------------------- what is asked

// Words of such questions that say nothing of what is asked for.
static const char IDLE[] = " who whom what when where which is was are were did does do has the of "
                           "a an on for in by s sign signs signed signing behalf hold holds have "
                           "mr mrs ms dr ";
// What is signed, and what parties are called.
static const char SIGNED[] =
    " agreement contract lease deed document side sides both party parties customer supplier "
    "seller buyer vendor purchaser landlord tenant lessor lessee employer employee client "
    "contractor provider company lender borrower licensor licensee ";

// Whether G's question names somebody as NAME of TEXT is called, and has no other words but those
// of the label that it asks for.
static int names(const struct signing *g, const char *text, struct span_of_text name)
{
    const size_t n = strlen(g->question);
    char stem[WORD_STEM], last[WORD_STEM] = {0};
    size_t bytes;
    for (size_t at = name.from; word_next(text, name.to, &at, stem, &bytes);)
        memcpy(last, stem, sizeof last);
    if (!*last || !word_is_in(g->question, n, last))
        return 0;
    for (size_t at = 0; word_next(g->question, n, &at, stem, &bytes);) {
        const char *word = g->question + at - bytes;
        if (!word_is_listed(IDLE, word, bytes) &&
            !word_is_in(text + name.from, span_bytes(name), stem) &&
            !(g->labels && word_is_listed(g->labels, word, bytes)) &&
            !(g->signs && word_is_listed(SIGNED, word, bytes)))
            return 0;
    }
    return 1;
}

// Whether G's question, who signed, has no other words but those of TEXT's S.
static int is_of_side(const struct signing *g, const char *text, struct span_of_text s)
{
    const size_t n = strlen(g->question);
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; word_next(g->question, n, &at, stem, &bytes);) {
        const char *word = g->question + at - bytes;
        if (!word_is_listed(IDLE, word, bytes) && !word_is_listed(SIGNED, word, bytes) &&
            !(s.to > s.from && word_is_in(text + s.from, span_bytes(s), stem)))
            return 0;
    }
    return 1;
}

// Reads what QUESTION may ask of such lines: 1, or 0 where it asks for something else.
static int read_question(struct signing *g, const char *question)
{
    static const struct {
        const char *asks, *labels;
    } all[] = {{" title position role function office capacity ", " title position role function "
                                                                  "office capacity "},
               {" when date day ", " date dated day "},
               {" where place ", " place "}};
    const size_t n = strlen(question);
    *g = (struct signing){.question = question};
    const int asks = words_listed(WORDLIST_WHO "what when where which ", question, n);
    for (size_t i = 0; asks && i < sizeof all / sizeof *all && !g->labels; i++)
        if (words_listed(all[i].asks, question, n))
            g->labels = all[i].labels;
    g->signs = words_listed(" signed signs sign ", question, n);
    g->who = g->signs && words_listed(" who ", question, n);
    return asks;
}

// ------------------------------------------------------------------------------------- the answer

// Prints what B says on SIDE, or those lines of it that G asks for; returns how many.
static int say_side(FILE *out, const struct block *b, int side, const struct signing *g)
{
    const char *text = b->c.text;
    struct span_of_text half;
    int said = 0, within = !g->labels;
    for (size_t at = b->top; at < b->end; at = line_end(&b->c, at) + 1) {
        if (half_of(b, line_at(&b->c, at), side, &half) || !span_bytes(half))
            continue;
        const struct span_of_text label = label_of(text, half);
        if (span_bytes(label) && g->labels)
            within = words_any(g->labels, text + label.from, span_bytes(label));
        if (!within)
            continue;
        fputs(!said++ ? "" : span_bytes(label) ? "; " : " ", out);
        lookup_words(out, text, half);
    }
    return said;
}

// The last line on B's SIDE above the first one with a label, where the party stands.
static struct span_of_text party_of(const struct block *b, int side)
{
    struct span_of_text half, party = {0};
    for (size_t at = b->top; at < b->end; at = line_end(&b->c, at) + 1) {
        if (half_of(b, line_at(&b->c, at), side, &half) || !span_bytes(half))
            continue;
        if (span_bytes(label_of(b->c.text, half)))
            break;
        party = half;
    }
    return party;
}

// Says what B has on the sides that G asks for: 1, or 0 where it asks for none.
static int say_block(struct lookup *s, const struct block *b, const struct signing *g)
{
    const char *text = b->c.text;
    int said = 0, own[SIDES], n = 0;
    for (int side = 0; side < SIDES; side++)
        n += own[side] =
            g->who ? span_bytes(party_of(b, side)) && is_of_side(g, text, party_of(b, side))
                   : names(g, text, b->name[side]);
    if (!n && g->who && is_of_side(g, text, (struct span_of_text){0}))
        own[0] = own[1] = 1;
    for (int side = 0; side < SIDES; side++) {
        if (!own[side])
            continue;
        fputs(said ? "\n" : "", s->out);
        const int lines = say_side(s->out, b, side, g);
        if (lines && g->labels) {
            fputs(" (", s->out);
            lookup_words(s->out, text, b->name[side]);
            fputc(')', s->out);
        }
        said += lines;
    }
    return said > 0;
}

int survey_signed(struct lookup *s, const char *question, struct err *e)
{
    struct signing g;
    struct texts t;
    struct block b;
    int rc;
    if (!read_question(&g, question))
        return 0;
    texts_begin(&t, s->k, s->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        const struct lines c = {.text = t.text, .n = t.n};
        for (struct span_of_text line = line_at(&c, 0); line.from < c.n;
             line = line_at(&c, line.to + 1)) {
            if (!memchr(c.text + line.from, ':', span_bytes(line)) || !block_at(&c, line, &b) ||
                !say_block(s, &b, &g))
                continue;
            rc = lookup_add(s, &t, (struct span_of_text){b.top, b.end}, 0, e);
            return rc ? rc : 1;
        }
    }
    return rc;
}
