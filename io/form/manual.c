#define _GNU_SOURCE
#include "io/form/manual.h"

#include <string.h>
#include <unistd.h>

#include "io/form/mail.h"
#include "io/form/program.h"
#include "io/source/stream.h"

static const char *const argv[] = {"mandoc", "-T", "utf8", NULL};
// It runs where a page that names another file, ".so secret", finds none but itself.
static const struct program MANDOC = {argv, "a page of a manual", "mandoc: WARNING", 4,
                                      "/proc/self/fd"};

enum { LETTER = 4, PIECE = 1 << 15 }; // bytes of a letter in UTF-8; that are read at once

// What was read, on its way back to where it was read from.
struct strike {
    struct program_text *t;
    uint64_t to; // where it is written to
    size_t n;
    char out[PIECE];
    size_t n_letter; // of the last letter, over which the next one may be struck
    char letter[LETTER];
};

static int put_back(struct strike *s, struct err *e)
{
    for (size_t at = 0; at < s->n;) {
        const ssize_t n = pwrite(s->t->text, s->out + at, s->n - at, (off_t)(s->to + at));
        if (n < 0)
            return err_io(e, "the text that mandoc gave");
        at += (size_t)n;
    }
    s->to += s->n;
    s->n = 0;
    return 0;
}

static int put_letter(struct strike *s, struct err *e)
{
    if (s->n + LETTER > sizeof s->out && put_back(s, e))
        return e->code;
    memcpy(s->out + s->n, s->letter, s->n_letter);
    s->n += s->n_letter;
    s->n_letter = 0;
    return 0;
}

static int take(struct strike *s, char c, struct err *e)
{
    if (c == '\b') {
        s->n_letter = 0;
        return 0;
    }
    const int goes_on = ((unsigned char)c & 0xc0) == 0x80 && s->n_letter && s->n_letter < LETTER;
    if (!goes_on && put_letter(s, e))
        return e->code;
    s->letter[s->n_letter++] = c;
    return 0;
}

// Leaves of the text only what is struck last where letters are struck over one another. What is
// written back is no longer than what was read.
static int unstrike(struct program_text *t, struct err *e)
{
    struct strike s = {.t = t};
    char in[PIECE];
    ssize_t n;
    int rc = 0;
    for (uint64_t at = 0; !rc && (n = pread(t->text, in, sizeof in, (off_t)at)) != 0;
         at += (uint64_t)n) {
        if (n < 0)
            return err_io(e, "the text that mandoc gave");
        for (ssize_t i = 0; !rc && i < n; i++)
            rc = take(&s, in[i], e);
    }
    if (rc || (rc = put_letter(&s, e)) || (rc = put_back(&s, e)))
        return rc;
    t->n = s.to;
    return ftruncate(t->text, (off_t)s.to) ? err_io(e, "the text that mandoc gave") : 0;
}

int manual_open(struct doc_form *out, const struct form_from *from, struct err *e)
{
    struct program_text *t;
    char complaint[PROGRAM_LINE];
    int rc = program_run(&t, &MANDOC, from->stream, from->name, from->holder->stop, complaint, e);
    if (rc <= 0)
        return rc;
    if ((rc = unstrike(t, e))) {
        program_close(t);
        return rc;
    }
    program_give(out, t);
    return 1;
}
