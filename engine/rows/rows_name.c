#include "engine/rows/rows_name.h"

#include "engine/lookup/lookup.h"
#include "engine/words/words.h"

// The first column from FROM on whose name has one of WORDS, and one of ALSO unless it is NULL; -1:
// there is none.
static int column_with(const char *text, const struct row *head, int from, const char *words,
                       const char *also)
{
    for (int i = from; i < head->n; i++) {
        const char *name = text + head->cells[i].from;
        const size_t n = span_bytes(head->cells[i]);
        if (words_any(words, name, n) && (!also || words_any(also, name, n)))
            return i;
    }
    return -1;
}

// The columns of a person's first and last name; 0: there are no such two.
static int is_of_two(const char *text, const struct row *head, struct rows_name *out)
{
    int first = column_with(text, head, 0, "forename firstname vorname", NULL),
        last = column_with(text, head, 0, "surname lastname nachname", NULL);
    first = first < 0 ? column_with(text, head, 0, "first given christian", "name names") : first;
    last = last < 0 ? column_with(text, head, 0, "last family", "name names") : last;
    if (last < 0 && first >= 0)
        last = column_with(text, head, 0, "name", NULL) == first
                   ? column_with(text, head, first + 1, "name", NULL)
                   : column_with(text, head, 0, "name", NULL);
    if (first < 0 || last < 0 || first == last)
        return 0;
    *out = (struct rows_name){{first, last}, 2, 1, 1, last};
    return 1;
}

struct rows_name rows_name_of(const char *text, const struct row *head)
{
    static const char people[] = "name employee person people member player customer tenant pupil "
                                 "student participant guest patient teacher driver runner rider "
                                 "worker volunteer resident contact colleague",
                      things[] = "name title item product article description model",
                      goods[] = "price cost part article product item stock quantity qty model",
                      numbers[] =
                          "no nr id number num ref code key index sku reg pos rank date day";
    struct rows_name out;
    if (is_of_two(text, head, &out))
        return out;
    // A row in Markdown begins with a mark, so its first cell is empty.
    const int first = head->n > 1 && !span_bytes(head->cells[0]);
    const int numbered = head->n > first + 1 && (!span_bytes(head->cells[first]) ||
                                                 words_any(numbers, text + head->cells[first].from,
                                                           span_bytes(head->cells[first])));
    int name = column_with(text, head, first + 1, things, NULL);
    int person = column_with(text, head, first, people, NULL);
    if (person >= 0 && column_with(text, head, person, "name", NULL) == person &&
        column_with(text, head, first, goods, NULL) >= 0)
        person = -1; // the name of an article
    name = name < 0 && numbered ? (person > first ? person : first + 1) : name;
    return (struct rows_name){{first, name},
                              1 + (name > 0),
                              person == first || (person > 0 && name == person),
                              0,
                              person};
}

int rows_name_has(const struct rows_name *name, int i)
{
    return !i || i == name->column[0] || (name->n > 1 && i == name->column[1]);
}

void rows_name_say(FILE *out, const char *text, const struct rows_name *name, const struct row *r)
{
    const int both =
        name->n > 1 && name->column[1] < r->n && span_bytes(r->cells[name->column[1]]) > 0;
    const int first = name->column[0] < r->n && span_bytes(r->cells[name->column[0]]) > 0;
    if (first)
        lookup_say(out, text, r->cells[name->column[0]]);
    if (first && both)
        fputs(name->full ? " " : ", ", out);
    if (both)
        lookup_say(out, text, r->cells[name->column[1]]);
}
