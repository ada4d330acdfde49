// Questions after what something is, means or does, and texts that begin with that.
#define _GNU_SOURCE
#include <string.h>
#include <strings.h>

#include "engine/question/asked.h"
#include "engine/question/question.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

// The thing whose meaning QUESTION asks for ("What is a Larger Work?"), in *N bytes; NULL: it does
// not ask for one.
static const char *asked_meaning(const char *question, size_t *n)
{
    static const char *const before[] = {"what is meant by ", "what is the meaning of ",
                                         "what are ",         "what is ",
                                         "what does ",        "what do ",
                                         "who are ",          "define "};
    static const char *const articles[] = {"the ", "an ", "a "};
    static const char *const behind[] = {" stand for", " refer to", " mean"};
    const char *p = question_itself(question);
    size_t b = 0, said = 0, end = 0;
    while (b < sizeof before / sizeof *before && strncasecmp(p, before[b], strlen(before[b])) != 0)
        b++;
    if (b == sizeof before / sizeof *before)
        return NULL;
    p += strlen(before[b]);
    for (size_t i = 0; i < sizeof articles / sizeof *articles; i++)
        if (!strncasecmp(p, articles[i], strlen(articles[i]))) {
            p += strlen(articles[i]);
            break;
        }
    *n = strcspn(p, "?\n");
    while (*n > 0 && strchr(" .", p[*n - 1]))
        --*n;
    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++) {
        end = strlen(behind[i]);
        if (*n > end && !strncasecmp(p + *n - end, behind[i], end)) {
            *n -= end;
            said = 1;
            break;
        }
    }
    while (*n > 0 && strchr("\"'", *p)) {
        p++;
        --*n;
    }
    while (*n > 0 && strchr("\"'", p[*n - 1]))
        --*n;
    return *n && (said || !strstr(before[b], " do")) ? p : NULL;
}

// What kind of thing something may be called by.
static const char DOERS[] = " command option program function tool script key button switch flag ";

// What QUESTION asks the doings of, without what kind of thing it is: "at" of "What does the at
// command do?", in *N bytes; NULL: it does not ask for any.
static const char *asked_doing(const char *question, size_t *n)
{
    static const char before[] = "what does ", behind[] = " do", the[] = "the ";
    const char *p = question_itself(question);
    const size_t skip = strlen(before), end = strlen(behind);
    if (strncasecmp(p, before, skip) != 0)
        return NULL;
    p += skip;
    p += strncasecmp(p, the, strlen(the)) ? 0 : strlen(the);
    *n = strcspn(p, "?\n");
    if (*n <= end || strncasecmp(p + *n - end, behind, end) != 0)
        return NULL;
    *n -= end;
    size_t last = *n;
    while (last > 0 && p[last - 1] != ' ')
        last--;
    if (last > 1 && word_is_listed(DOERS, p + last, *n - last))
        *n = last - 1;
    return p;
}

// Whether TEXT begins with TERM [n] and what it does: "The at executes a command".
static int says_doing(const char *text, const char *term, size_t n)
{
    static const char the[] = "the ";
    char word[WORD_LISTED];
    size_t at = 0;
    text += strncasecmp(text, the, strlen(the)) ? 0 : strlen(the);
    if (strncasecmp(text, term, n) != 0 || text[n] != ' ')
        return 0;
    text += n;
    const size_t end = strlen(text);
    size_t bytes = word_small(text, end, &at, word, sizeof word);
    if (word_is_listed(DOERS, word, bytes))
        bytes = word_small(text, end, &at, word, sizeof word);
    return bytes > 3 && text[at - 1] == 's' && text[at - 2] != 's' &&
           !word_is_listed(" does always perhaps sometimes this ", word, bytes);
}

int asked_does(const char *question, const char *text)
{
    size_t n;
    const char *term = asked_doing(question, &n);
    if (!term)
        return 0;
    const char *below = strstr(text, "\n\n"); // a heading
    return says_doing(text, term, n) || (below && says_doing(below + 2, term, n));
}

// Whether TEXT begins with TERM [n] and what that is.
static int defines(const char *text, const char *term, size_t n)
{
    enum { LINE = 32 }; // bytes behind a term on a line of its own
    static const char *const verbs[] = {"means ", "mean ",   "shall mean ", "consists ",
                                        "is ",    "are ",    "refers ",     "stands ",
                                        "was ",   "denotes "};
    while (*text && !((*text | 32) >= 'a' && (*text | 32) <= 'z') && (unsigned char)*text < 0x80)
        text++;
    if (!strncasecmp(text, "the ", 4) || !strncasecmp(text, "an ", 3) ||
        !strncasecmp(text, "a ", 2))
        text += strcspn(text, " ") + 1;
    text += *text == '"';
    n -= strncasecmp(text, term, n) != 0 && term[n - 1] == 's'; // the singular
    if (!n || strncasecmp(text, term, n) != 0)
        return 0;
    text += n;
    text += *text == 's';
    if ((*text | 32) >= 'a' && (*text | 32) <= 'z')
        return 0;
    const size_t rest = strcspn(text, "\n");
    if (text[rest] == '\n' && rest <= LINE)
        return 1;
    text += strspn(text, " \"'):,");
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (!strncmp(text, verbs[i], strlen(verbs[i])))
            return 1;
    return 0;
}

// How many bytes of TERM [n] are before what it is of: "quorum" of "quorum of the meeting"; 0: it
// is of nothing.
static size_t before_of(const char *term, size_t n)
{
    static const char of[] = " of ";
    const char *at = memmem(term, n, of, strlen(of));
    return at ? (size_t)(at - term) : 0;
}

// What stands behind the number and the title of a clause that TEXT begins with: "3. Rent. The rent
// is"; NULL: there is none.
static const char *behind_title(const char *text)
{
    enum { TITLE = 40 }; // bytes
    const char *title = text + strspn(text, "0123456789.() ");
    const size_t n = strcspn(title, ".:;,\n");
    return title > text && n && n <= TITLE && begins_with(title + n, strlen(title + n), ". ")
               ? title + n + 2
               : NULL;
}

int asked_defines(const char *question, const char *text)
{
    size_t n;
    const char *term = asked_meaning(question, &n);
    if (!term)
        return 0;
    const size_t head = before_of(term, n);
    const char *own = behind_title(text);
    return defines(text, term, n) || (head && defines(text, term, head)) ||
           (own && defines(own, term, n));
}
