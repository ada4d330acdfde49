// What the bytes of a text say of its character set.
#include "io/source/tally.h"

#include <stdio.h>
#include <string.h>

#include <utf8proc.h>

void tally_begin(struct doc_tally *t)
{
    memset(t, 0, sizeof *t);
}

// Bytes that are no character of UTF-8. Windows-1252 has characters where Latin-1 has controls, but
// for five of them.
static void count_bad(struct doc_tally *t, const uint8_t *p, size_t n)
{
    t->n_bad += n;
    for (size_t i = 0; i < n; i++) {
        t->n_controls += p[i] >= 0x80 && p[i] < 0xa0;
        t->not_windows |= memchr("\x81\x8d\x8f\x90\x9d", p[i], 5) != NULL;
    }
}

static size_t length_by_lead(uint8_t lead)
{
    return lead < 0xc2 || lead > 0xf4 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

void tally_end(struct doc_tally *t)
{
    count_bad(t, t->part, t->n_part);
    t->n_part = 0;
}

void tally_add(struct doc_tally *t, const void *text, size_t n)
{
    const uint8_t *p = text;
    for (size_t i = 0; i < n; i++) {
        if (t->n_part && (p[i] & 0xc0) != 0x80)
            tally_end(t);
        if (p[i] < 0x80)
            continue;
        t->part[t->n_part++] = p[i];
        if (t->n_part < length_by_lead(t->part[0]))
            continue;
        utf8proc_int32_t c;
        if (utf8proc_iterate(t->part, (utf8proc_ssize_t)t->n_part, &c) < 0) {
            tally_end(t);
            continue;
        }
        t->n_wide++;
        t->n_part = 0;
    }
}

int tally_is_utf8(const struct doc_tally *t)
{
    return t->n_bad <= t->n_wide;
}

const char *tally_says(const struct doc_tally *t, char *buf, size_t cap)
{
    if (tally_is_utf8(t))
        snprintf(buf, cap, "is not all UTF-8; %llu byte%s taken as %s",
                 (unsigned long long)t->n_bad, t->n_bad == 1 ? " is" : "s are",
                 t->n_bad == 1 ? "it is" : "they are");
    else
        snprintf(buf, cap, "is not UTF-8; its bytes are taken as they are; %s",
                 t->not_windows  ? "give its --charset"
                 : t->n_controls ? "if it comes from Windows, give --charset cp1252"
                                 : "if it is Latin-1, give --charset latin1");
    return t->n_bad ? buf : NULL;
}
