// Subtitles (SubRip's .srt, WebVTT's .vtt) to text: what is said, without the numbers of the cues
// and with a time where a minute has gone by. A sentence goes on over several cues, so these are
// put together: a line each for what a speaker says, and for what is said after a pause.
#include "io/form/subtitles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/bytes.h"
#include "io/mem.h"
#include "io/source/charset.h"
#include "io/source/sniff_cue.h"
#include "io/source/stream.h"

enum {
    LINE_BYTES = 4096, // of a line; the rest is left out
    LONG = 400,        // bytes of a paragraph that ends with the next full stop,
    LONGEST = 800,     // and with the next cue
    PAUSE = 3000,      // milliseconds
    AT_ONCE = 50,
    MARKED = 60000, // from one time that is said to the next
};

struct doc_subtitles {
    struct doc_charset *chars;
    struct charset_bytes in;

    struct bytes line;     // as it is in the file, and a NUL
    int any;               // a line has been read
    int is_vtt, in_cue;    // a VTT's lines between its cues are no text
    int64_t start, end_at; // milliseconds: of the cue,
    int64_t last;          // and where the one before ended
    int64_t marked;        // the last time that has been said
    int n_lines;           // of the cue, until now
    struct bytes speaker;  // of the cue's text, empty where it does not say
    struct bytes of;       // who said the last line that was put
    struct bytes text;     // of the line, without what is no text
    struct bytes previous; // the same of the line before
    size_t n_paragraph;    // bytes of the line of OUT that may go on; 0: none
    char end;              // its last byte

    struct bytes out;
    size_t at_out;
};

// ---- lines

// The next one, without its end: 1, 0 after the last, or an error.
static int next_line(struct doc_subtitles *s, struct err *e)
{
    int rc = 0, any = 0;
    s->line.n = 0;
    for (;;) {
        const int next = charset_byte(s->chars, &s->in, e);
        if (next < -1)
            return next + 1;
        if (next < 0)
            break;
        const char byte = (char)next;
        s->in.at++;
        any = 1;
        if (byte == '\n')
            break;
        if (byte != '\r' && s->line.n < LINE_BYTES && (rc = bytes_put(&s->line, &byte, 1, e)))
            return rc;
    }
    rc = bytes_put(&s->line, "", 1, e);
    return rc ? rc : any;
}

// ---- what a line says

// Where a character reference stands at *P, puts the character into T and moves *P behind it.
static int put_entity(struct bytes *t, const char **p, int *is_one, struct err *e)
{
    static const struct {
        const char *name, *text;
    } entities[] = {{"&amp;", "&"},   {"&lt;", "<"}, {"&gt;", ">"}, {"&nbsp;", " "},
                    {"&quot;", "\""}, {"&lrm;", ""}, {"&rlm;", ""}};
    *is_one = 0;
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
        const size_t n = strlen(entities[i].name);
        if (strncmp(*p, entities[i].name, n) != 0)
            continue;
        *p += n;
        *is_one = 1;
        return bytes_puts(t, entities[i].text, e);
    }
    return 0;
}

// The byte behind the tag at P, "<i>", "</v>", "<00:01:02.500>", or the style "{\an8}"; NULL: it is
// none.
static const char *behind_tag(const char *p)
{
    const char *close = strchr(p, *p == '<' ? '>' : '}');
    const int is_tag = *p == '<' ? p[1] == '/' || (p[1] | 0x20) >= 'a' || cue_is_digit(p[1])
                                 : *p == '{' && p[1] == '\\';
    return is_tag && close ? close + 1 : NULL;
}

// Whoever "<v.loud Ann Reed>" at P, which ends before byte END, says is speaking.
static int take_speaker(struct doc_subtitles *s, const char *p, const char *end, struct err *e)
{
    p += strcspn(p, " \t>");
    p += strspn(p, " \t");
    s->speaker.n = 0;
    return p + 1 < end ? bytes_put(&s->speaker, p, (size_t)(end - 1 - p), e) : 0;
}

// The text of the line, a NUL behind it, in S->text.
static int take_text(struct doc_subtitles *s, struct err *e)
{
    const char *p = (const char *)s->line.p, *behind;
    int rc = 0, is_one;
    s->text.n = 0;
    p += strspn(p, " \t");
    while (!rc && *p) {
        if ((*p == '<' || *p == '{') && (behind = behind_tag(p))) {
            if (!strncasecmp(p, "<v", 2) && strchr(" \t.", p[2]))
                rc = take_speaker(s, p, behind, e);
            p = behind;
        } else if (!(rc = put_entity(&s->text, &p, &is_one, e)) && !is_one) {
            rc = bytes_put(&s->text, p++, 1, e);
        }
    }
    while (s->text.n && strchr(" \t", s->text.p[s->text.n - 1]))
        s->text.n--;
    return rc ? rc : bytes_put(&s->text, "", 1, e);
}

static int is_same(const struct bytes *a, const struct bytes *b)
{
    return a->n == b->n && (!a->n || !memcmp(a->p, b->p, a->n));
}

static int copy_bytes(struct bytes *to, const struct bytes *from, struct err *e)
{
    to->n = 0;
    return bytes_put(to, from->p, from->n, e);
}

// Whether TEXT begins as what another speaker says does.
static int is_turn(const char *text)
{
    return !strncmp(text, "- ", 2) || !strncmp(text, ">>", 2) ||
           !strncmp(text, "\u2013 ", sizeof "\u2013 " - 1);
}

// Ends the line of OUT that may go on.
static int end_paragraph(struct doc_subtitles *s, struct err *e)
{
    const int any = s->n_paragraph > 0;
    s->n_paragraph = 0;
    return any ? bytes_puts(&s->out, "\n", e) : 0;
}

// Says when the cue begins, where nothing has said so for a while.
static int put_time(struct doc_subtitles *s, struct err *e)
{
    if (s->marked >= 0 && s->start < s->marked + MARKED && s->start >= s->marked)
        return 0;
    char text[64];
    const long long at = s->start / 1000;
    snprintf(text, sizeof text, "%s[%lld:%02lld:%02lld]\n\n", s->marked < 0 ? "" : "\n", at / 3600,
             at / 60 % 60, at % 60);
    s->marked = s->start;
    return bytes_puts(&s->out, text, e);
}

// The text of the line, behind what was said before or in a line of its own.
static int put_text(struct doc_subtitles *s, struct err *e)
{
    const char *text = (const char *)s->text.p;
    const size_t n = s->text.n - 1;
    int rc = 0;
    const int stops = s->end && strchr(".!?", s->end) != NULL;
    if (s->n_paragraph &&
        (!is_same(&s->speaker, &s->of) || (s->n_lines == 1 && s->start - s->last > PAUSE) ||
         is_turn(text) || s->n_paragraph > LONGEST || (s->n_paragraph > LONG && stops)))
        rc = end_paragraph(s, e);
    if (!rc && !s->n_paragraph) {
        if (!(rc = put_time(s, e)) && s->speaker.n &&
            !(rc = bytes_put(&s->out, s->speaker.p, s->speaker.n, e)))
            rc = bytes_puts(&s->out, ": ", e);
    } else if (!rc) {
        rc = bytes_puts(&s->out, " ", e);
    }
    if (!rc && !(rc = bytes_put(&s->out, text, n, e)))
        rc = copy_bytes(&s->of, &s->speaker, e);
    s->n_paragraph += n + 1;
    s->end = text[n - 1];
    return rc;
}

// A line within a cue. Captions that roll up say the last line of a cue again in the next one.
static int take_said(struct doc_subtitles *s, struct err *e)
{
    int rc = take_text(s, e);
    if (rc || s->text.n < 2)
        return rc;
    const int again = !s->n_lines++ && s->start <= s->last + AT_ONCE && s->start >= s->last &&
                      is_same(&s->text, &s->previous);
    if (!again)
        rc = put_text(s, e);
    return rc ? rc : copy_bytes(&s->previous, &s->text, e);
}

static int take_line(struct doc_subtitles *s, struct err *e)
{
    const char *line = (const char *)s->line.p;
    int64_t start, end;
    if (!s->any++) {
        line += strncmp(line, "\xef\xbb\xbf", 3) ? 0 : 3;
        s->is_vtt = cue_is_vtt(line);
    }
    if (cue_is_timing(line, &start, &end)) {
        s->last = s->end_at;
        s->start = start;
        s->end_at = end;
        s->n_lines = 0;
        s->speaker.n = 0;
        s->in_cue = 1;
        return 0;
    }
    if (!*line) {
        s->in_cue = 0;
        return 0;
    }
    const size_t digits = strspn(line, "0123456789");
    if (!s->in_cue && (s->is_vtt || !line[digits + strspn(line + digits, " \t")]))
        return 0;
    return take_said(s, e);
}

// ---- the whole

static ssize_t subtitles_read(void *self, void *buf, size_t cap, struct err *e)
{
    struct doc_subtitles *s = self;
    while (s->at_out == s->out.n) {
        s->at_out = s->out.n = 0;
        int rc = next_line(s, e);
        if (rc < 0 || (!rc && !s->n_paragraph))
            return rc;
        if ((rc = rc ? take_line(s, e) : end_paragraph(s, e)))
            return rc;
    }
    return stream_give(buf, cap, s->out.p, s->out.n, &s->at_out);
}

static void subtitles_close(void *self)
{
    struct doc_subtitles *s = self;
    charset_close(s->chars);
    free(s->line.p);
    free(s->speaker.p);
    free(s->of.p);
    free(s->text.p);
    free(s->previous.p);
    free(s->out.p);
    free(s);
}

int subtitles_open(struct doc_form *out, const struct form_from *from, struct err *e)
{
    struct doc_subtitles *s = mem_new(1, sizeof *s, e);
    if (!s)
        return ERR_NOMEM;
    s->marked = -1;
    const int rc = charset_open_marked(&s->chars, from->stream, e);
    if (rc)
        subtitles_close(s);
    else
        *out = (struct doc_form){.self = s, .read = subtitles_read, .close = subtitles_close};
    return rc;
}
