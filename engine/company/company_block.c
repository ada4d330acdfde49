// Blocks of lines that tell how somebody is reached: "Ada Moss", "Tel. 555 112", "Treasurer".
#include "engine/company/company_impl.h"

#include <string.h>

#include "engine/lines/lines.h"
#include "engine/words/phone.h"
#include "engine/words/text_span.h"

enum { BLOCK_WIDE = 48 }; // bytes of its lines, at most

// Whether TEXT [n] is nothing but two to five words that begin with capitals.
static int is_name(const char *text, size_t n)
{
    enum { LEAST = 2, MOST = 5 };
    int words = 0;
    for (size_t i = 0; i < n; i++) {
        const int begins = !i || text[i - 1] == ' ';
        words += begins;
        if (!(is_upper(text[i]) || (unsigned char)text[i] >= 0x80 ||
              (!begins && (is_lower(text[i]) || is_one_of(text[i], " .'-")))))
            return 0;
    }
    return words >= LEAST && words <= MOST && text[n - 1] != '.';
}

// Whether TEXT [n] is a telephone number or an address of mail.
static int is_reached(const char *text, size_t n)
{
    char line[BLOCK_WIDE + 1];
    if (n > BLOCK_WIDE)
        return 0;
    memcpy(line, text, n);
    line[n] = 0;
    return memchr(text, '@', n) != NULL || phone_is_there(line);
}

int company_block(const struct lines *c, size_t *from, size_t *to)
{
    enum { LEAST = 3, MOST = 8 }; // lines
    size_t top = line_start(c, *from), end = top;
    int lines = 0, reached = 0;
    while (lines++ < MOST && !line_is_bare_above(c, top))
        top = line_start(c, top - 1);
    const struct span_of_text name = span_trimmed(c->text, line_at(c, top));
    if (lines > MOST || !span_bytes(name) || !is_name(c->text + name.from, span_bytes(name)))
        return 0;
    lines = 0;
    for (size_t line = top; line < c->n && !line_is_bare(c, line); line = line_end(c, line) + 1) {
        const struct span_of_text own = span_trimmed(c->text, line_at(c, line));
        const char *text = c->text + own.from;
        const size_t n = span_bytes(own);
        if (++lines > MOST || n > BLOCK_WIDE || is_one_of(text[n - 1], ".!?:;") ||
            line_is_item(text, n) || line_quoted(c, line) || (lines > 1 && is_name(text, n)))
            return 0;
        reached |= is_reached(text, n);
        end = own.to;
    }
    if (lines < LEAST || !reached || *to > end)
        return 0;
    *from = name.from;
    *to = end;
    return 1;
}
