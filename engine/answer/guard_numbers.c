// Numbers of a text that was written: whether they were read, and of what.
#include <string.h>

#include "engine/answer/guard_impl.h"
#include "engine/text/chars.h"

// Whether TEXT [n] has the digits RUN [bytes], no more and no fewer, somewhere.
static int has_digits(const char *text, size_t n, const char *run, size_t bytes)
{
    for (size_t i = 0, end; i < n; i = end + 1) {
        for (end = i; end < n && is_digit(text[end]);)
            end++;
        if (end - i == bytes && !memcmp(text + i, run, bytes))
            return 1;
    }
    return 0;
}

int guard_invents_number(const char *text, size_t n, const char *read, size_t n_read,
                         const char *question)
{
    for (size_t i = 0, end; i < n; i = end + 1) {
        for (end = i; end < n && is_digit(text[end]);)
            end++;
        if (end > i && i && text[i - 1] != '\n' && !has_digits(read, n_read, text + i, end - i) &&
            !has_digits(question, strlen(question), text + i, end - i))
            return 1;
    }
    return 0;
}

// Bytes FROM to TO of TEXT: a sentence with two semicolons or more, which divide it into parts.
struct parts {
    const char *text;
    size_t from, to;
};

// The end of the part of P that begins with byte AT.
static size_t part_end(const struct parts *p, size_t at)
{
    const char *end = memchr(p->text + at, ';', p->to - at);
    return end ? (size_t)(end - p->text) : p->to;
}

// Finds the first sentence of TEXT [n] that has parts, without what leads them in with a colon.
static int find_parts(struct parts *p, const char *text, size_t n)
{
    for (size_t from = 0, i; from < n; from = i + 1) {
        int semicolons = 0;
        size_t first = from;
        for (i = from; i < n && text[i] != '\n'; i++) {
            const int space = i + 1 == n || is_space(text[i + 1]);
            if (is_one_of(text[i], ".!?") && space)
                break;
            semicolons += text[i] == ';';
            if (text[i] == ':' && space && !semicolons)
                first = i + 1;
        }
        *p = (struct parts){text, first, i};
        if (semicolons > 1)
            return 1;
    }
    return 0;
}

// How many parts of P have the number RUN [bytes]; *PART: where the last of these begins.
static int parts_with(const struct parts *p, const char *run, size_t bytes, size_t *part)
{
    int n = 0;
    for (size_t at = p->from, end; at < p->to; at = end + 1) {
        end = part_end(p, at);
        if (!has_digits(p->text + at, end - at, run, bytes))
            continue;
        *part = at;
        n++;
    }
    return n;
}

int guard_crosses_parts(const char *text, size_t n, const char *read, size_t n_read)
{
    struct parts p;
    size_t own = 0, part = 0;
    int numbers = 0;
    char stem[WORD_STEM];
    if (!find_parts(&p, read, n_read))
        return 0;
    for (size_t i = 0, end; i < n; i = end + 1) {
        for (end = i; end < n && is_digit(text[end]);)
            end++;
        if (end == i || (i && text[i - 1] == '\n'))
            continue;
        if (parts_with(&p, text + i, end - i, &part) != 1 || (numbers && part != own))
            return 0;
        own = part;
        numbers++;
    }
    if (!numbers)
        return 0;
    const size_t own_end = part_end(&p, own);
    for (size_t at = 0; word_next(text, n, &at, stem, NULL);)
        if (guard_is_telling(stem) && !is_digit(*stem) &&
            word_is_in(read + p.from, p.to - p.from, stem) &&
            !word_is_in(read + own, own_end - own, stem) && !word_is_in(read, p.from, stem) &&
            !word_is_in(read + p.to, n_read - p.to, stem))
            return 1;
    return 0;
}
