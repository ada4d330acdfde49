#define _GNU_SOURCE
// Looks up how something is made, of what, and of how much: "How do I make flatbread?", "What are
// the ingredients of flatbread?", "How much flour does flatbread need?" It stands below the only
// heading that names the thing, "Flatbread", or, where nothing is named, below the only one that is
// called so: "Ingredients".
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/lookup/telling.h"
#include "engine/lookup/wanted.h"
#include "engine/outline/amounts.h"
#include "engine/outline/below.h"
#include "engine/outline/list.h"
#include "engine/question/asked.h"
#include "engine/question/question.h"
#include "engine/question/turn.h"
#include "engine/sentences/heading.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

enum {
    LEAST = 3,   // bytes of a word that names something
    WHOLE = 2000 // bytes below a heading that are said
};

enum making { NOTHING, STEPS, THINGS, AMOUNT };

struct made {
    enum making want;
    struct telling name;   // what is made,
    int only;              // 1: it is not named, as there may be one thing alone
    char of[WANTED_BYTES]; // AMOUNT: of what
};

static const char IDLE[] = TELLING_NOTHING "recipe";

// ------------------------------------------------------------------------ what a question asks for

// "What are the ingredients of ...", "What do I need for ...", "What goes into ..."; BEHIND that.
static int asks_things(const char *text, size_t *behind)
{
    static const char *const forms[] = {"what are the ingredients of ",
                                        "what are the ingredients for ",
                                        "what are the ingredients in ",
                                        "list the ingredients of ",
                                        "list the ingredients for ",
                                        "which ingredients go into ",
                                        "what ingredients go into ",
                                        "which ingredients do i need for ",
                                        "what ingredients do i need for ",
                                        "what do i need for ",
                                        "what do you need for ",
                                        "what do we need for ",
                                        "what do i need to make ",
                                        "what do you need to make ",
                                        "what is needed for ",
                                        "what goes into ",
                                        "what goes in ",
                                        "what are the ingredients",
                                        "which are the ingredients",
                                        "list the ingredients",
                                        "list all ingredients",
                                        "list all the ingredients",
                                        "which ingredients do i need",
                                        "what ingredients do i need",
                                        "which ingredients are needed",
                                        "what ingredients are needed",
                                        NULL};
    static const char places[] = " first last next then now here there "; // "What goes in first?"
    const char *rest = question_behind(text, forms);
    *behind = rest ? (size_t)(rest - text) : 0;
    return rest && !word_is_listed(places, rest, strcspn(rest, " ?"));
}

// "How do I make ...", "How to bake ...", "How is ... made?"; what is between BEHIND and TO is
// made.
static int asks_steps(const char *text, size_t n, size_t *behind, size_t *to)
{
    static const char makes[] = " make cook bake prepare brew ",
                      made[] = " made cooked baked prepared brewed ";
    char word[WORD_LISTED];
    size_t at = asked_how(text, n), bytes;
    if (at) {
        bytes = word_small(text, n, &at, word, sizeof word);
        *behind = at;
        *to = n;
        return word_is_listed(makes, word, bytes);
    }
    bytes = word_small(text, n, &at, word, sizeof word);
    if (!word_is_listed(" how ", word, bytes))
        return 0;
    bytes = word_small(text, n, &at, word, sizeof word);
    if (!word_is_listed(" is are was were ", word, bytes))
        return 0;
    *behind = *to = at;
    for (size_t next = at; (bytes = word_small(text, n, &next, word, sizeof word)); at = next)
        *to = at;
    at = *to;
    bytes = word_small(text, n, &at, word, sizeof word);
    return word_is_listed(made, word, bytes);
}

// Reads what there is so much of, M->of, at byte *AT of TEXT [n], and moves behind the word that
// joins it to what has it; *DOES: that is "does". 0: there is none.
static int read_of(struct made *m, const char *text, size_t n, size_t *at, int *does)
{
    static const char joins[] = " do does is are goes go should ";
    const size_t of = *at;
    char word[WORD_LISTED];
    size_t end = of, bytes;
    while ((bytes = word_small(text, n, at, word, sizeof word)) &&
           !word_is_listed(joins, word, bytes))
        end = *at;
    *does = word_is_listed(" do does ", word, bytes);
    if (!bytes || end == of || end - of >= sizeof m->of)
        return 0;
    memcpy(m->of, text + of, end - of);
    m->of[end - of] = 0;
    return 1;
}

// "How much flour do I need for ...", "How many eggs does ... take?"; what is between BEHIND and TO
// is made. That may be nothing: "How much flour do I need?"
static int asks_amount(struct made *m, const char *text, size_t n, size_t *behind, size_t *to)
{
    static const char *const how[] = {"how much ", "how many ", NULL};
    static const char joins[] = " for in into make ",
                      passed[] = " i you we one there needed required used put use need take to ",
                      takes[] = " need needs take use require contain have hold ";
    char word[WORD_LISTED];
    size_t bytes;
    int does, joined = 0;
    const char *rest = question_behind(text, how);
    size_t at = rest ? (size_t)(rest - text) : 0;
    if (!rest || !read_of(m, text, n, &at, &does))
        return 0;
    for (*behind = at; (bytes = word_small(text, n, &at, word, sizeof word)); *behind = at) {
        const int is_join = word_is_listed(joins, word, bytes);
        joined |= is_join;
        if (!is_join && !word_is_listed(passed, word, bytes))
            break;
    }
    *to = n;
    if (joined || !bytes)
        return !joined == !bytes;
    do { // "does the cake need?"
        *to = at;
        bytes = word_small(text, n, &at, word, sizeof word);
    } while (bytes && !word_is_listed(takes, word, bytes));
    return does && bytes;
}

static int read_made(struct made *m, const char *text)
{
    const size_t n = strlen(text);
    size_t behind = 0, to = n;
    *m = (struct made){.want = NOTHING};
    if (asks_things(text, &behind))
        m->want = THINGS;
    else if (asks_steps(text, n, &behind, &to))
        m->want = STEPS;
    else if (asks_amount(m, text, n, &behind, &to))
        m->want = AMOUNT;
    if (m->want == NOTHING || turn_denies(text, n))
        return 0;
    telling_add(&m->name, text + behind, to - behind, LEAST, IDLE, 0);
    m->only = !m->name.n &&
              (m->want == AMOUNT || (m->want == THINGS && words_any("ingredients", text, n)));
    return m->name.n > 0 || m->only;
}

// ----------------------------------------------------------------------------------- what is there

// Whether TEXT [n] says that what is below it are ingredients, and for how many: "Ingredients (for
// 4 people):".
static int heads_ingredients(const char *text, size_t n)
{
    static const char others[] = " the list of for serves people persons servings portions ";
    char word[WORD_LISTED];
    size_t at = 0, bytes;
    int is = 0;
    while ((bytes = word_small(text, n, &at, word, sizeof word))) {
        const int names = word_is_listed(" ingredients ", word, bytes);
        if (!names && !word_is_listed(others, word, bytes) && !is_digit(*word))
            return 0;
        is |= names;
    }
    return is;
}

// How many words the heading S has beside those that name what ASKED is about; -1: it does not name
// that.
static int words_more(const void *asked, const struct lines *c, struct span_of_text s)
{
    enum { MORE = 2 };
    const struct made *m = asked;
    const char *text = c->text + s.from;
    const size_t n = span_bytes(s), mark = below_mark(text, n);
    if (m->only)
        return heads_ingredients(text, n) ? 0 : -1;
    struct telling own = {.n = 0};
    size_t from, to;
    telling_add(&own, text + mark, n - mark, LEAST, IDLE, 0);
    if (own.n > m->name.n + MORE || !telling_has_all(&own, &m->name) || line_asks(text, n) ||
        turn_denies(text, n) || !heading_is(c, line_start(c, s.from), &from, &to))
        return -1;
    return own.n - m->name.n;
}

// The first list from S.from on that ends before S.to; 0: there is none.
static int first_list(struct list *l, const struct lines *c, struct span_of_text s)
{
    for (struct span_of_text line = list_next_said(c, s.from); line.from < s.to;
         line = list_next_said(c, line.to + 1))
        if (list_is_item(c, line) && !list_is_row(c, line) && list_at(l, c, line, NULL))
            return l->at.to <= s.to;
    return 0;
}

// Cuts the text of B to its first list, if it has one, or the amounts above its first steps.
static void cut_to_list(struct below *b)
{
    struct list l;
    struct lines c;
    lines_of_text(&c, b->t.text, b->t.n);
    const int listed = first_list(&l, &c, b->text);
    const struct span_of_text amounts = amounts_in(&c, b->text);
    if (span_bytes(amounts) && (!listed || list_is_numbered(&l, &c)))
        b->text = amounts;
    else if (listed)
        b->text = l.at;
}

// Whether ITEM of C has WHAT, and not only something else that is made of it: "lamb stock" is no
// lamb.
static int has_thing(const struct lines *c, struct span_of_text item, const char *what)
{
    static const char products[] = " stock broth juice oil zest sauce paste powder vinegar syrup "
                                   "peel cream butter flour milk leaves seeds ";
    char stem[WORD_STEM];
    size_t bytes, behind = 0; // the byte behind a word of WHAT, right before
    for (size_t at = item.from; word_next(c->text, item.to, &at, stem, &bytes);) {
        const size_t from = at - bytes;
        if (behind && behind + 1 == from && word_is_listed(products, c->text + from, bytes) &&
            !word_is_in(what, strlen(what), stem))
            return 0;
        behind = word_is_in(what, strlen(what), stem) ? at : 0;
    }
    return words_all(what, c->text + item.from, span_bytes(item));
}

// Cuts the text of B to the only item of its lists that has so much of WHAT, in one line; 0: there
// is no such one. What is done with it, in lists that are numbered, does not count.
static int cut_to_item(struct below *b, const char *what)
{
    struct span_of_text s = b->text, item;
    struct list l;
    struct lines c;
    int n = 0, amount;
    lines_of_text(&c, b->t.text, b->t.n);
    const struct span_of_text amounts = amounts_in(&c, s);
    for (item = list_next_said(&c, amounts.from); item.from < amounts.to;
         item = list_next_said(&c, item.to + 1))
        if (amounts_line(&c, item, &amount) && amount && has_thing(&c, item, what)) {
            b->text = (struct span_of_text){list_said_at(&c, item), item.to};
            n++;
        }
    for (; first_list(&l, &c, s); s.from = l.at.to)
        while (!list_is_numbered(&l, &c) && list_next(&l, &c, &item))
            if (has_thing(&c, item, what)) {
                b->text = (struct span_of_text){list_said_at(&c, item), item.to};
                n++;
            }
    return n == 1 && line_end(&c, b->text.from) >= b->text.to &&
           words_beyond(c.text + b->text.from, span_bytes(b->text), what) > 0; // how much there is
}

// Whether the text of B, which was WHOLE before it was cut to a list, may be of ingredients: WHOLE
// says so, or the list says how much there is of something.
static int may_be_ingredients(const struct below *b, struct span_of_text whole)
{
    static const char word[] = "ngredient";
    const char *text = b->t.text;
    for (size_t i = b->text.from; i < b->text.to; i++)
        if (is_digit(text[i]))
            return 1;
    return memmem(text + whole.from, span_bytes(whole), word, strlen(word)) != NULL;
}

int outline_made(struct lookup *v, const char *question, struct err *e)
{
    struct below b;
    struct made m;
    if (!read_made(&m, question))
        return 0;
    int rc = below_find(&b, v, words_more, &m, e);
    if (rc <= 0)
        return rc;
    const struct span_of_text whole = b.text;
    if (m.want == THINGS)
        cut_to_list(&b);
    if (m.want == THINGS && words_any("ingredients", question, strlen(question)) &&
        !may_be_ingredients(&b, whole))
        return 0;
    if (m.want == AMOUNT && !cut_to_item(&b, m.of))
        return 0;
    return below_say(v, &b, m.want == STEPS ? WHOLE : 0, e);
}
