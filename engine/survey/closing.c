// Who wrote a letter, by the name below what closes it, "With kind regards,", and who somebody is,
// by the line below that name: "Who is the head teacher?"
#include <string.h>

#include "engine/question/question.h"
#include "engine/survey/list.h"
#include "engine/survey/lookups.h"
#include "engine/text/courtesy.h"
#include "engine/text/letter.h"
#include "engine/text/lines.h"
#include "engine/text/names.h"

// What stands below the closing of a letter: the name, and in ROLE the line right below it.
struct closing {
    struct texts t;
    struct span_of_text name, role;
};

// The bytes of the role that QUESTION asks for, "head teacher" of "Who is the head teacher?";
// *ROLE. 0: it asks for none.
static size_t role_asked(const char *question, const char **role)
{
    static const char *const forms[] = {"who is the ", "who was the ", "who's the ", NULL};
    enum { LONGEST = 40 };
    *role = question_behind(question, forms);
    const size_t n = *role ? strcspn(*role, "?\n") : 0;
    return n <= LONGEST ? n : 0;
}

// Whether QUESTION asks who wrote what it is put to, called as letters are or not at all.
static int asks_writer(const char *question)
{
    static const char *const forms[] = {
        "who wrote ", "who has written ",      "who signed ",
        "who sent ",  "who is the sender of ", "who is the author of ",
        NULL};
    static const char letters[] = " letter note newsletter circular invitation card notice it ";
    const char *rest = question_behind(question, forms);
    const int n = rest ? question_things(rest, letters, " this the ") : -1;
    return n == 0 || n == 1; // "Who wrote this?"
}

// Reads what closes a letter on LINE of C: 1, where a name is below it.
static int read_closing(const struct cut *c, struct span_of_text line, struct closing *out)
{
    const size_t to = line_trimmed(c, line.from, line.to);
    if (to == line.from || !is_one_of(c->text[to - 1], ",.") ||
        !courtesy_closes(c, line.from, line.to))
        return 0;
    const struct span_of_text below = list_next_said(c, line.to + 1),
                              next = line_at(c, below.to + 1 < c->n ? below.to + 1 : c->n);
    out->name = span_trimmed(c->text, below);
    out->role = next.from < c->n ? span_trimmed(c->text, next) : (struct span_of_text){0, 0};
    return span_bytes(out->name) && name_of_person(c->text, out->name) &&
           !is_one_of(c->text[out->name.to - 1], ",.");
}

// Finds the closings of all texts, or those with a ROLE [n]: 1 with *FOUND, 0 where there is none,
// more where there are several, or an error.
static int find_closing(const struct surveying *v, const char *role, size_t n,
                        struct closing *found, struct err *e)
{
    struct texts t;
    int rc, some = 0;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0) {
        const struct cut c = {.text = t.text, .n = t.n};
        struct span_of_text line;
        for (size_t at = 0; at < c.n; at = line.to + 1) {
            struct closing own = {.t = t};
            line = line_at(&c, at);
            if (!read_closing(&c, line, &own) ||
                (role &&
                 (span_bytes(own.role) != n || !letters_same(t.text + own.role.from, role, n))))
                continue;
            *found = own;
            some++;
        }
    }
    return rc < 0 ? rc : some;
}

int survey_closing(struct surveying *v, const char *question, struct err *e)
{
    struct closing own;
    const char *role;
    const size_t n = role_asked(question, &role);
    if (!n && !asks_writer(question))
        return 0;
    int rc = find_closing(v, n ? role : NULL, n, &own, e);
    if (rc != 1)
        return rc < 0 ? rc : 0;
    const struct span_of_text s = {own.name.from, n ? own.role.to : own.name.to};
    if ((rc = survey_quote(v->out, &own.t, s, e)) || (rc = survey_add(v, &own.t, s, 0, e)))
        return rc;
    return 1;
}
