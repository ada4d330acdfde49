// Groups of fields: lines with labels that are parts of a whole.
#include "engine/sentences/label_group.h"

#include "engine/lines/label.h"
#include "engine/lines/lines.h"
#include "engine/sentences/cut.h"
#include "engine/words/chars.h"

// Whether text[FROM..TO) opens a brace that it does not close.
static int opens_brace(const struct lines *c, size_t from, size_t to)
{
    int open = 0;
    for (; from < to; from++)
        open += (c->text[from] == '{') - (c->text[from] == '}');
    return open > 0;
}

// Where the line begins that leads in the fields from byte TOP on: a label without a value, the
// head of a section, what opens a brace ("@book{knots,"). TOP: there is none.
static size_t fields_lead(const struct lines *c, size_t top)
{
    const size_t above = top > 0 ? line_start(c, top - 1) : top,
                 last = top > 0 ? line_trimmed(c, above, top) : top;
    return last > above && (c->text[last - 1] == ':' || opens_brace(c, above, last) ||
                            (c->text[above] == '[' && c->text[last - 1] == ']'))
               ? above
               : top;
}

// Whether text[FROM..TO) is a numbered item of a list, with the stop of a sentence: it says what it
// says without the others.
static int is_numbered_sentence(const struct lines *c, size_t from, size_t to)
{
    return line_start(c, from) == from && line_is_numbered(c->text + from, to - from) &&
           is_one_of(c->text[to - 1], ".!?");
}

int label_group(const struct lines *c, size_t *from, size_t *to)
{
    const size_t trimmed = line_trimmed(c, *from, *to);
    size_t top = line_start(c, trimmed > *from ? trimmed - 1 : *from), end = line_end(c, top);
    for (; top > *from && !line_says_something(c->text + top, end - top); end = line_end(c, top))
        top = line_start(c, top - 1); // a bracket that closes
    if (!label_is_there(c, top) || is_numbered_sentence(c, *from, trimmed))
        return 0;
    const int lines = label_run(c, top, &top, &end, 1);
    const size_t lead = label_begins_record(c, top) ? top : fields_lead(c, top);
    size_t sentence, goes_on;
    cut_sentence(c, top, &sentence, &goes_on);
    if (lead == top && sentence < top && goes_on > top) // broken prose
        return 0;
    top = lead;
    const int alone = lines == 1 && line_words(c, top, line_end(c, top)) >= *from;
    top = top < *from ? top : *from;
    cut_sentence(c, line_trimmed(c, top, end) - 1, &sentence, &goes_on);
    end = goes_on > end && goes_on - top <= LONGEST_SENTENCE ? goes_on : end; // a broken line
    if (alone || end - top > LONGEST_SENTENCE)
        return 0;
    *from = top;
    *to = end;
    return 1;
}
