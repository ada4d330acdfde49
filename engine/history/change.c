#include "engine/history/change.h"

#include "engine/lines/lines.h"
#include "engine/words/words.h"

static const char *const WORDS[] = {
    [CHANGE_ADDED] = " add adds added adding addition additions introduce introduces introduced "
                     "introducing implement implements implemented bring brings brought support "
                     "supports supported gain gains gained get gets got new first now feature "
                     "features ",
    [CHANGE_FIXED] = " fix fixes fixed fixing bugfix bugfixes bugs correct corrects corrected "
                     "repair repairs repaired resolve resolves resolved ",
    [CHANGE_REMOVED] = " remove removes removed removing removal drop drops dropped dropping "
                       "delete deletes deleted ",
    [CHANGE_OTHER] = " changed update updated improve improves improved improvements rework "
                     "reworked rename renamed deprecate deprecates deprecated faster revert "
                     "reverts reverted disable disabled planned will ",
    [CHANGE_DENIED] = " no not without never lack lacks missing cannot ",
};

// What the first word of TEXT[s] that says so says was done.
static enum change said(const char *text, struct span_of_text s)
{
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = s.from; word_next(text, s.to, &at, stem, &bytes);)
        for (int i = CHANGE_ADDED; i <= CHANGE_DENIED; i++)
            if (word_is_listed(WORDS[i], text + at - bytes, bytes))
                return (enum change)i;
    return CHANGE_UNSAID;
}

int change_is_heading(const struct lines *c, struct span_of_text s)
{
    enum { FEW = 2 };
    char stem[WORD_STEM];
    int words = 0;
    if (!line_says_something(c->text + s.from, span_bytes(s)) || is_space(c->text[s.from]) ||
        line_is_item(c->text + s.from, span_bytes(s)))
        return 0;
    for (size_t at = s.from; word_next(c->text, s.to, &at, stem, NULL);)
        words++;
    return c->text[s.from] == '#' || c->text[s.to - 1] == ':' ||
           (words <= FEW && !is_one_of(c->text[s.to - 1], ".,;"));
}

// What the heading above byte AT, below the line at byte TOP, says was done. The lines above
// ABOVE's are not looked through again.
static enum change headed(const struct lines *c, size_t top, size_t at, struct change_above *above)
{
    const size_t first = line_start(c, top), own = line_start(c, at);
    enum change says = CHANGE_UNSAID;
    for (size_t line = own; line > first;) {
        if (above->top == top && above->line == line) {
            says = above->says;
            break;
        }
        const size_t end = line - 1;
        line = line_start(c, end);
        const struct span_of_text heading = {line, line_trimmed(c, line, end)};
        if (line > first && change_is_heading(c, heading)) {
            says = said(c->text, heading);
            break;
        }
    }
    *above = (struct change_above){top, own, says};
    return says;
}

enum change change_of(const struct lines *c, size_t top, struct span_of_text item,
                      struct change_above *above)
{
    const enum change own = said(c->text, item), headed_by = headed(c, top, item.from, above);
    return own == CHANGE_UNSAID || headed_by == CHANGE_FIXED || headed_by == CHANGE_REMOVED ||
                   (own == CHANGE_DENIED && headed_by == CHANGE_ADDED)
               ? headed_by
               : own;
}
