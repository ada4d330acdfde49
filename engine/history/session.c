// When somebody came into a system and left it: "When did Jonas log out?", by the lines of its log
// that tell of it, as they are written by sshd, logind and the like: "session closed for user
// jonas". Most other lines have his name as well, and none of them the words of the question.
#define _GNU_SOURCE
#include <string.h>
#include <strings.h>

#include "engine/history/history.h"
#include "engine/lookup/events.h"
#include "engine/lookup/form.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

enum { LINES = 8, NAME = 64 }; // lines that an answer quotes, at most; bytes of a name

// What is asked: when NAME came in, or left.
struct session {
    char name[NAME];
    int leaves;
    int nth; // 1: the first time, -1: the last, 0: each
};

// What stands around a name in the lines that tell of it, and elsewhere in them. The first row of
// which there are any counts: the same session may be told of in several ways.
static const struct wording {
    int leaves;
    const char *before, *behind, *has;
} WORDINGS[] = {
    {0, " for ", " from ", "Accepted "}, // "Accepted publickey for jonas from 10.0.0.14"
    {0, "session opened for user ", "", ""},
    {0, " of user ", "", "New session "},
    {0, "", " logged in", ""},
    {0, "", " logged on", ""},
    {0, "", " signed in", ""},
    {1, "session closed for user ", "", ""},
    {1, "Disconnected from user ", "", ""},
    {1, "", " logged out", ""},
    {1, "", " logged off", ""},
    {1, "", " signed out", ""},
};

enum { ROWS = sizeof WORDINGS / sizeof *WORDINGS };

static int read_question(struct session *s, const char *question)
{
    static const struct {
        int leaves, nth;
        const char *form;
    } forms[] = {
        {1, -1, "when did WHAT last log|sign out|off|of END"},
        {1, 0, "when did WHAT log|sign out|off|of END"},
        {1, 0, "when did WHAT logout|logoff|disconnect END"},
        {1, -1, "when was WHAT last logged|signed out|off END"},
        {1, 0, "when was WHAT logged|signed|disconnected out|off? END"},
        {0, -1, "when did WHAT last log|sign in|on END"},
        {0, 1, "when did WHAT first log|sign in|on END"},
        {0, 0, "when did WHAT log|sign in|on END"},
        {0, 0, "when did WHAT login|logon|connect END"},
    };
    struct form_match m;
    if (!form_split(&m, question))
        return 0;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (form_match(&m, forms[i].form)) {
            *s = (struct session){.leaves = forms[i].leaves, .nth = forms[i].nth};
            if (m.what.n >= NAME || memchr(m.what.p, ' ', m.what.n))
                return 0;
            memcpy(s->name, m.what.p, m.what.n);
            return m.what.n > 0;
        }
    return 0;
}

// Whether the byte C may be one of a user's name.
static int is_of_name(char c)
{
    return word_has(c) || is_one_of(c, "-_@");
}

// Whether LINE of TEXT tells of S by row I of WORDINGS. Those of cron and sudo are no sessions that
// somebody has.
static int tells(const char *text, struct span_of_text line, const struct session *s, int i)
{
    const struct wording *w = &WORDINGS[i];
    const size_t n = strlen(s->name), before = strlen(w->before), behind = strlen(w->behind);
    const char *p = text + line.from, *end = text + line.to;
    if (memmem(p, (size_t)(end - p), "(cron:", 6) || memmem(p, (size_t)(end - p), "(sudo", 5) ||
        !memmem(p, (size_t)(end - p), w->has, strlen(w->has)))
        return 0;
    for (const char *at = p; at + n <= end; at++)
        if (!strncasecmp(at, s->name, n) && (at == p || !is_of_name(at[-1])) &&
            (at + n == end || !is_of_name(at[n])) && (size_t)(at - p) >= before &&
            !memcmp(at - before, w->before, before) && (size_t)(end - at) >= n + behind &&
            !strncasecmp(at + n, w->behind, behind))
            return 1;
    return 0;
}

// The lines of V's logs that tell of S by row I: FOUND [LINES], or the first or the last of them.
// Returns their number, or an error.
static int find_lines(const struct lookup *v, const struct session *s, int i,
                      struct lookup_found *found, struct err *e)
{
    struct texts t;
    int rc, n = 0;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        struct span_of_text line;
        if (!events_log(&t) || events_are_said(&t))
            continue;
        for (size_t at = 0; at < t.n; at = line.to + 1) {
            line = texts_line(t.text, t.n, at);
            if (!tells(t.text, line, s, i))
                continue;
            if (n < LINES || s->nth < 0)
                found[s->nth < 0 ? 0 : n] = (struct lookup_found){t, line};
            n++;
        }
    }
    return rc < 0 ? rc : n && s->nth ? 1 : n;
}

int history_session(struct lookup *v, const char *question, struct err *e)
{
    struct lookup_found found[LINES];
    struct session s;
    int n = 0;
    if (!read_question(&s, question))
        return 0;
    for (int i = 0; !n && i < ROWS; i++)
        if (WORDINGS[i].leaves == s.leaves)
            n = find_lines(v, &s, i, found, e);
    return lookup_say_found(v, found, n, LINES, e);
}
