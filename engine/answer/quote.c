#define _GNU_SOURCE
#include "engine/answer/quote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/sentences/heading.h"
#include "engine/words/chars.h"
#include "engine/words/dates.h"
#include "engine/words/day.h"
#include "engine/words/marks.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"
#include "io/mem.h"

// Words that every sentence may have, whatever it says.
static const char FUNCTION[] = WORDLIST_FUNCTION "not sure ";

// Whether TEXT is nothing but the day that QUESTION, which asks for no time, names: "Sat 6 Sept."
static int is_day_named(const char *question, const char *text)
{
    static const char times[] = " when day weekday date ";
    struct day own, named;
    const size_t n = strlen(text), n_question = strlen(question);
    return dates_alone(text, n) && day_of(text, n, &own) && day_of(question, n_question, &named) &&
           day_is_same(&own, &named) && !words_listed(times, question, n_question);
}

static int says_nothing(const struct quote *q, const char *text)
{
    if (q->asked && is_day_named(q->asked, text))
        return 1;
    return (q->asked && words_known(text, q->asked, FUNCTION)) ||
           (q->news && *q->news && !words_any(q->news, text, strlen(text)));
}

int quote_is_better(const struct quote *q, const char *text, size_t n, int n_tokens)
{
    return q->n && (q->always || q->cost >= (double)q->doubt * n_tokens || line_asks(text, n) ||
                    says_nothing(q, n ? text : ""));
}

static const char FENCE[] = "```"; // of code

// Whether TEXT is code between fences behind which a sentence goes on that began above it.
static int is_within(const char *text)
{
    static const char blank[] = " \t\n";
    const char *end;
    text += strspn(text, blank);
    if (strncmp(text, FENCE, strlen(FENCE)) != 0 || !(end = strstr(text + strlen(FENCE), FENCE)))
        return 0;
    end += strlen(FENCE);
    return is_lower(end[strspn(end, blank)]);
}

// Whether TEXT [n], above what BELOW begins, is the numbered title of a section and no item of a
// list, after which the next one comes: "4. THE LAKE".
static int is_numbered_title(const char *text, size_t n, const char *below)
{
    const size_t number = strspn(text, "0123456789."),
                 title = number + strspn(text + number, " \t");
    return line_is_numbered(text, n) && title < n && is_upper(text[title]) &&
           !memchr(text, '\n', n) && !line_is_item(below, strlen(below));
}

// Whether TEXT [n], above an empty line, ends with what heads nothing.
static int ends_other(const char *text, size_t n)
{
    struct lines c;
    lines_of_text(&c, text, n);
    return heading_never(&c, line_start(&c, n));
}

size_t quote_heading(const char *text)
{
    const char *gap = strstr(text, "\n\n");
    const size_t n = gap ? (size_t)(gap - text) : 0;
    const char *line = gap ? memrchr(text, '\n', n) : NULL; // the end of the one above the last
    if (!n || is_one_of(text[n - 1], ".!,:;)\"") ||
        (line_is_item(text, n) && !is_numbered_title(text, n, gap + strspn(gap, "\n"))) ||
        (n > strlen(FENCE) && !memcmp(text + n - strlen(FENCE), FENCE, strlen(FENCE))) ||
        *(line ? line + 1 : text) == '>' || // what is replied to
        ends_other(text, n) || !gap[strspn(gap, " \t\r\n\f")] || is_within(gap + 2))
        return 0;
    return n + 2;
}

static const char *const *marks_of(const char *text)
{
    // The last ones also open, or close, a quotation that the text only closes, or opens.
    static const char *const plain[] = {"\"", "\""}, *const curled[][2] = {
                                                         {"\u201c", "\u201d"},
                                                         {"\u201c\"", "\u201d"},
                                                         {"\u201c", "\"\u201d"},
                                                         {"\u201c\"", "\"\u201d"}};
    const size_t n = strlen(text);
    const int lacks = marks_lack_opening(text, n) + 2 * marks_lack_closing(text, n);
    return lacks || (n && (text[0] == '"' || text[n - 1] == '"')) ? curled[lacks] : plain;
}

const char *quote_opens(const char *text)
{
    return marks_of(text)[0];
}

const char *quote_closes(const char *text)
{
    return marks_of(text)[1];
}

const char *quote_inside(const char *text, size_t *n)
{
    static const char *const both[][2] = {{"\u201c", "\u201d"}, {"\"", "\""}};
    *n = strlen(text);
    for (int i = 0; i < 2; i++) {
        const size_t opens = strlen(both[i][0]), closes = strlen(both[i][1]);
        if (*n >= opens + closes && !memcmp(text, both[i][0], opens) &&
            !memcmp(text + *n - closes, both[i][1], closes)) {
            *n -= opens + closes;
            return text + opens;
        }
    }
    return text;
}

size_t quote_drop(char *text, const char *said)
{
    const size_t heading = quote_heading(text);
    size_t n, own;
    const char *first = quote_inside(said + quote_heading(said), &n);
    char *quoted = text + heading, *inside = quoted + (quote_inside(quoted, &own) - quoted);
    if (inside == quoted || !n || n >= own || memcmp(inside, first, n) != 0 ||
        !is_one_of(first[n - 1], ".!?\"") || !is_space(inside[n]))
        return 0;
    while (n < own && is_space(inside[n]))
        n++;
    memmove(inside, inside + n, strlen(inside + n) + 1);
    memmove(text, quoted, strlen(quoted) + 1);
    return n + heading;
}

// Whether each line of TEXT that says something has the mark of what a mail quotes.
static int is_marked(const char *text)
{
    int marked = 0;
    for (size_t n; *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        if (n && *text != '>')
            return 0;
        marked |= n > 0;
    }
    return marked;
}

// Takes these marks from TEXT, with the blank behind those of a line.
static void drop_marks(char *text)
{
    char *to = text;
    while (*text) {
        text += strspn(text, ">");
        text += *text == ' ';
        size_t n = strcspn(text, "\n");
        n += text[n] == '\n';
        memmove(to, text, n);
        to += n;
        text += n;
    }
    *to = 0;
}

void quote_whole(char *text, size_t heading)
{
    if (is_marked(text + heading))
        drop_marks(text + heading);
    size_t n = strlen(text + heading);
    const char *whole = marks_whole(text + heading, &n);
    memmove(text + heading, whole, n);
    text[heading + marks_drop_bold_end(text + heading, n)] = 0;
}

int quote_behind(char **both, const char *before, const char *mark, const char *text, struct err *e)
{
    char *copy = strdup(text);
    int n = -1;
    if (copy) {
        const size_t heading = quote_heading(copy);
        const char *own = copy + heading;
        quote_whole(copy, heading);
        n = asprintf(both, "%s\n%s%.*s%s%s%s", before, mark, (int)heading, copy, quote_opens(own),
                     own, quote_closes(own));
    }
    if (n < 0)
        *both = NULL;
    free(copy);
    return n < 0 ? err_set(e, ERR_NOMEM, "out of memory (an answer)") : n;
}

int quote_apart(char **both, const char *text, size_t n, struct err *e)
{
    const char *rest = text + n + strspn(text + n, " \n");
    char *own, *first = NULL;
    while (n && is_space(text[n - 1]))
        n--;
    *both = NULL;
    if (!(own = strndup(text, n)))
        return err_set(e, ERR_NOMEM, "out of memory (an answer)");
    int rc = quote_behind(&first, "", "", own, e);
    if (rc >= 0)
        rc = quote_behind(both, first + 1, "", rest, e); // nothing is before it
    free(first);
    free(own);
    return rc;
}

int news_new(char **out, const char *sentence, const char *led, const char *question, struct err *e)
{
    char *known;
    if (asprintf(&known, "%s %s %s", FUNCTION, question, led) < 0)
        return err_set(e, ERR_NOMEM, "out of memory (words of a question)");
    int rc = (*out = mem_new(strlen(sentence) + 2, 1, e)) ? 0 : ERR_NOMEM;
    if (!rc)
        words_new(sentence, known, *out);
    free(known);
    return rc;
}
