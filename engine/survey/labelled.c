// What a line says behind a label that is another word for what is asked for: "Who makes it?",
// where there is "Manufacturer: Larkfield Ltd", "Who is the customer?", where there is "Bill to:".
#include <string.h>
#include <strings.h>

#include "engine/lines/lines.h"
#include "engine/outline/list.h"
#include "engine/question/question.h"
#include "engine/survey/surveys.h"
#include "engine/words/chars.h"
#include "engine/words/words.h"

// What questions begin with, of which things they go on, at the LEAST so many, and the labels that
// tell what they ask for, the best first.
static const struct alias {
    const char *forms[12]; // to NULL, as labels are
    const char *things;
    int least;
    const char *labels[12];
} ALIASES[] = {
    {{"who makes ", "who made ", "who manufactures ", "who produces ", "who is the maker of "},
     " it medicine tablet tablets drug machine device product appliance car boat pump boiler unit "
     "model cream drops toy game radio camera bike food drink wine beer tent ",
     1,
     {"manufacturer", "manufactured by", "made by", "producer", "maker"}},
    {{"who is the customer", "who is the client", "who is the buyer", "who is billed",
      "who is the invoice ", "who is the bill "},
     " invoice bill ",
     0,
     {"bill to", "billed to", "invoice to", "sold to", "customer", "client", "buyer"}},
    {{"how much is still to be paid", "how much is to be paid", "how much is left to be paid",
      "how much is left to pay", "how much is outstanding", "how much is owed"},
     "",
     0,
     {"amount due", "balance due", "total due", "amount payable", "total payable", "to pay",
      "balance outstanding", "amount outstanding"}},
    {{"how much do I ", "how much do we ", "what do I ", "what do we "},
     " pay owe total altogether overall ",
     1,
     {"amount due", "balance due", "total due", "amount payable", "total payable", "to pay",
      "total", "grand total", "total premium"}},
    {{"what did we ", "what did I ", "how much did we ", "how much did I "},
     " pay altogether total ",
     2,
     {"total paid", "total", "grand total", "total price", "total payable", "total premium"}},
    {{"what is the total of ", "what is the total on ", "what is the total amount of ",
      "what is the sum of ", "what is the full amount of "},
     " invoice bill receipt quote quotation estimate ",
     1,
     {"grand total", "invoice total", "total payable", "total amount", "total due", "total"}},
    {{"what is the invoice total", "what is the total invoice ", "what is the bill total"},
     " amount sum ",
     0,
     {"grand total", "invoice total", "total payable", "total amount", "total due", "total"}},
    {{"who is insured", "who is covered", "who is the policyholder", "who is the insured"},
     " policy insurance person ",
     0,
     {"policyholder", "policy holder", "insured", "insured person", "named insured"}},
    {{"which car ", "which vehicle ", "which boat ", "what car ", "what vehicle ", "what boat "},
     " insured covered for policy insurance certificate ",
     1,
     {"insured vehicle", "vehicle insured", "vehicle", "car", "boat", "vessel"}},
};

// Words that such a question may have beside these.
static const char BESIDE[] = " the a an this these that my our your his her its it is be have to "
                             "still in all now by under with about up addressed sent for ";

// The labels that tell what QUESTION asks for; NULL: there are none.
static const char *const *labels_for(const char *question)
{
    for (size_t i = 0; i < sizeof ALIASES / sizeof *ALIASES; i++) {
        const char *rest = question_behind(question, ALIASES[i].forms);
        if (rest && question_things(rest, ALIASES[i].things, BESIDE) >= ALIASES[i].least)
            return ALIASES[i].labels;
    }
    return NULL;
}

// Where the value of the line that begins with byte AT of C begins, if the line has LABEL, with a
// colon or a gap behind it; 0: it has not.
static size_t value_at(const struct lines *c, struct span_of_text line, const char *label)
{
    const size_t n = strlen(label);
    size_t at = list_said_at(c, line);
    while (at < line.to && is_one_of(c->text[at], "*_|- "))
        at++;
    if (line.to - at < n || strncasecmp(c->text + at, label, n) != 0)
        return 0;
    at += n;
    size_t own = at;
    while (own < line.to && is_one_of(c->text[own], " \t*_"))
        own++;
    if (own < line.to && is_one_of(c->text[own], ":|"))
        at = own + 1;
    else if (own - at < LINE_SPREAD || own == line.to)
        return 0;
    while (at < line.to && is_one_of(c->text[at], " \t*_"))
        at++;
    return at;
}

// Whether VALUE of TEXT is another thing than QUESTION calls what it asks for: a boat for a car.
static int is_other(const char *text, struct span_of_text value, const char *question)
{
    static const char *const things[] = {"car",     "van",       "boat",    "bike",
                                         "bicycle", "motorbike", "caravan", "lorry",
                                         "trailer", "scooter",   "tractor"};
    const size_t n = strlen(question);
    int other = 0;
    for (size_t i = 0; i < sizeof things / sizeof *things; i++) {
        const size_t bytes = strlen(things[i]);
        if (!words_stand_in(text + value.from, span_bytes(value), things[i], bytes))
            continue;
        if (words_stand_in(question, n, things[i], bytes))
            return 0;
        other = 1;
    }
    return other;
}

// The lines of C with a label, ARG, and what they say.
static int find_label(const struct lines *c, const void *arg, struct span_of_text *s)
{
    int found = 0;
    for (struct span_of_text line = list_next_said(c, 0); line.from < c->n;
         line = list_next_said(c, line.to + 1)) {
        const size_t value = value_at(c, line, arg);
        if (!value)
            continue;
        struct span_of_text own = {list_said_at(c, line), line.to};
        if (value >= line.to) { // it is below
            const struct span_of_text below = line_at(c, line.to + 1);
            if (line_is_empty(c, below.from))
                continue;
            own.to = below.to;
        }
        *s = own;
        found++;
    }
    return found;
}

int survey_labelled(struct lookup *v, const char *question, struct err *e)
{
    const char *const *labels = labels_for(question);
    struct lookup_found f;
    int rc = 0;
    for (; labels && *labels && !rc; labels++)
        rc = lookup_find_only(v, find_label, *labels, &f, e);
    if (rc != 1 || is_other(f.t.text, f.at, question))
        return rc < 0 ? rc : 0;
    return lookup_say_quoted(v, &f, e);
}
