#include "engine/text/label.h"

#include "engine/text/chars.h"
#include "engine/text/lines.h"

const char *label_at(const struct cut *c, size_t at, size_t *n)
{
    size_t end = line_end(c, at), first = line_words(c, at, end);
    *n = line_label(c->text + first, end - first);
    return *n ? c->text + first : NULL;
}

// Whether labels are the same except for their numbers: "Invoice 7" and "Invoice 12" belong to two
// records, and are not parts of one.
static int labels_are_alike(const char *a, size_t n_a, const char *b, size_t n_b)
{
    size_t i = 0, j = 0;
    while (i < n_a && j < n_b) {
        if (is_digit(a[i]) != is_digit(b[j]) || (!is_digit(a[i]) && a[i] != b[j]))
            return 0;
        for (const size_t from = i++; i < n_a && is_digit(a[from]) && is_digit(a[i]);)
            i++;
        for (const size_t from = j++; j < n_b && is_digit(b[from]) && is_digit(b[j]);)
            j++;
    }
    return i == n_a && j == n_b;
}

int label_is_other(const struct cut *c, size_t at, size_t from, size_t to)
{
    size_t n, m;
    const char *own = label_at(c, at, &n), *other;
    if (own && line_quoted(c, at) != line_quoted(c, from))
        return 0;
    for (; own && from < to; from = line_end(c, from) + 1)
        if ((other = label_at(c, from, &m)) && labels_are_alike(own, n, other, m))
            return 0;
    return own != NULL;
}

int label_is_there(const struct cut *c, size_t at)
{
    size_t n;
    return label_at(c, at, &n) != NULL;
}

// Whether the line that begins with byte AT has the same label as the next labelled line below byte
// FROM or, with UP, above it, before an empty line.
static int label_comes_again(const struct cut *c, size_t at, size_t from, int up)
{
    for (size_t line = from; up ? line > 0 : line_end(c, line) + 1 < c->n;) {
        line = up ? line_start(c, line - 1) : line_end(c, line) + 1;
        if (line_words(c, line, line_end(c, line)) == line_end(c, line))
            return 0;
        if (label_is_there(c, line))
            return !label_is_other(c, at, line, line_end(c, line));
    }
    return 0;
}

int label_turns(const struct cut *c, size_t above, size_t at)
{
    return line_end(c, above) + 1 == at && label_is_other(c, at, above, at) &&
           label_is_there(c, above) &&
           (label_comes_again(c, at, above, 1) || label_comes_again(c, above, at, 0));
}
