// Who wrote a letter, by the name below what closes it, "With kind regards,", and who somebody is,
// by the line below that name: "Who is the head teacher?"
#include <string.h>

#include "engine/lines/lines.h"
#include "engine/outline/list.h"
#include "engine/question/question.h"
#include "engine/sentences/courtesy.h"
#include "engine/survey/surveys.h"
#include "engine/words/letter.h"
#include "engine/words/names.h"

// A role that is asked for; NULL: who wrote it is.
struct role {
    const char *text; // [n]
    size_t n;
};

// The role that QUESTION asks for, "head teacher" of "Who is the head teacher?"; NULL: none.
static struct role role_asked(const char *question)
{
    static const char *const forms[] = {"who is the ", "who was the ", "who's the ", NULL};
    enum { LONGEST = 40 };
    const char *role = question_behind(question, forms);
    const size_t n = role ? strcspn(role, "?\n") : 0;
    return n && n <= LONGEST ? (struct role){role, n} : (struct role){0};
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

// Reads what closes a letter on LINE of C: 1, where a name is below it, *NAME; *ROLE is the line
// right below that.
static int read_closing(const struct lines *c, struct span_of_text line, struct span_of_text *name,
                        struct span_of_text *role)
{
    const size_t to = line_trimmed(c, line.from, line.to);
    if (to == line.from || !is_one_of(c->text[to - 1], ",.") ||
        !courtesy_closes(c, line.from, line.to))
        return 0;
    const struct span_of_text below = list_next_said(c, line.to + 1),
                              next = line_at(c, below.to + 1 < c->n ? below.to + 1 : c->n);
    *name = span_trimmed(c->text, below);
    *role = next.from < c->n ? span_trimmed(c->text, next) : (struct span_of_text){0, 0};
    return span_bytes(*name) && name_of_person(c->text, *name) &&
           !is_one_of(c->text[name->to - 1], ",.");
}

// The closings of C: the name, and of one with the role that is asked for that, too.
static int find_closing(const struct lines *c, const void *arg, struct span_of_text *s)
{
    const struct role *asked = arg;
    struct span_of_text line, name, role;
    int some = 0;
    for (size_t at = 0; at < c->n; at = line.to + 1) {
        line = line_at(c, at);
        if (!read_closing(c, line, &name, &role) ||
            (asked->text && (span_bytes(role) != asked->n ||
                             !letters_same(c->text + role.from, asked->text, asked->n))))
            continue;
        *s = (struct span_of_text){name.from, asked->text ? role.to : name.to};
        some++;
    }
    return some;
}

int survey_closing(struct lookup *v, const char *question, struct err *e)
{
    const struct role role = role_asked(question);
    struct lookup_found f;
    if (!role.text && !asks_writer(question))
        return 0;
    const int rc = lookup_find_only(v, find_closing, &role, &f, e);
    return rc == 1 ? lookup_say_quoted(v, &f, e) : rc < 0 ? rc : 0;
}
