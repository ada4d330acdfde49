#define _GNU_SOURCE
#include "engine/lines/fence.h"

#include <string.h>

#include "engine/lines/lines.h"
#include "engine/words/chars.h"

enum { FAR = 2048 }; // bytes that are looked through for the fence above a line

int fence_is(const struct lines *c, size_t line)
{
    static const char fence[] = "```";
    const size_t end = line_end(c, line), at = line_words(c, line, end);
    return begins_with(c->text + at, end - at, fence) &&
           !memmem(c->text + at + strlen(fence), end - at - strlen(fence), fence, strlen(fence));
}

// Whether the fence on the line that begins with byte LINE is the first one of its code: it names a
// language, or has a gap, or what leads it in, only above it.
static int opens(const struct lines *c, size_t line)
{
    const size_t end = line_end(c, line);
    if (c->text[line_trimmed(c, line, end) - 1] != '`')
        return 1;
    return !line_is_bare(c, end + 1) &&
           (line_is_bare_above(c, line) || c->text[line_trimmed(c, 0, line) - 1] == ':');
}

int fence_holds(const struct lines *c, size_t line)
{
    const size_t first = line > FAR ? line - FAR : 0;
    if (fence_is(c, line))
        return 1;
    for (const char *mark; (mark = memrchr(c->text + first, '`', line - first));) {
        const size_t above = line_start(c, (size_t)(mark - c->text));
        if (fence_is(c, above))
            return opens(c, above);
        if (above <= first)
            return 0;
        line = above;
    }
    return 0;
}
