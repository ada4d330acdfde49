#define _GNU_SOURCE
#include "io/doc/doc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/archive/archive.h"
#include "io/archive/level.h"
#include "io/doc/blank.h"
#include "io/doc/check.h"
#include "io/doc/seen.h"
#include "io/doc/walk.h"
#include "io/form/form.h"
#include "io/form/html.h"
#include "io/form/mail.h"
#include "io/mem.h"
#include "io/show.h"
#include "io/source/charset.h"
#include "io/source/sniff.h"
#include "io/source/sniff_charset.h"
#include "io/source/source.h"
#include "io/source/stream.h"
#include "io/source/tally.h"

// How deep archives within archives are read; one that is deeper is more likely a trap than a
// document.
enum { LEVELS = 5 };

struct doc_reader {
    char **inputs;
    int n_inputs, at_input, n_listed;
    char *stdin_name;
    const char *out;
    struct doc_said said; // by the user
    char *text_charset;   // of plain texts; NULL: their bytes are taken as they are
    doc_note_fn *note;
    void *note_arg;
    const volatile sig_atomic_t *stop;

    struct file_set *seen;          // files that have been read, under whatever name
    struct doc_walk *walk;          // below the current input
    struct doc_file file;           // the file that is open
    struct doc_level level[LEVELS]; // it, its member that is open, that one's member, ...
    int n_levels;

    int is_open; // the current document, which has not been read to its end
    enum doc_kind kind;
    struct doc_charset *charset;
    struct doc_tally tally; // of a text whose bytes are taken as they are
    int was_noted;          // that it is not UTF-8
    struct doc_form form;
    struct doc_blank blank;
    char *name;
    uint64_t done, total;
};

__attribute__((format(printf, 2, 3))) static void note(struct doc_reader *r, const char *fmt, ...)
{
    char msg[1024];
    if (!r->note)
        return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    r->note(r->note_arg, msg);
}

// ---- the current document

static void close_document(struct doc_reader *r)
{
    form_close(&r->form);
    charset_close(r->charset);
    free(r->name);
    r->charset = NULL;
    r->name = NULL;
    r->is_open = 0;
}

// Whether the bytes of the text are taken as they are, though the user has not asked for that.
static int takes_bytes(const struct doc_reader *r)
{
    return !r->said.is_said && !r->text_charset && (r->kind == DOC_TEXT || r->kind == DOC_BINARY);
}

// That the text is not UTF-8, by what T has counted of it.
static void note_charset(struct doc_reader *r, const struct doc_tally *t)
{
    char buf[256];
    const char *says = tally_says(t, buf, sizeof buf);
    if (says)
        note(r, "%s: %s", r->name, says);
}

// Notes what a user might not expect of a text that is taken as it is, if its first bytes tell.
static void note_head(struct doc_reader *r, const struct doc_stream *s)
{
    tally_begin(&r->tally);
    r->was_noted = 0;
    if (!takes_bytes(r))
        return;
    if (r->kind == DOC_BINARY) {
        const char *utf16 = sniff_utf16(s->head, s->n_head);
        note(r, "%s: is not %s; its bytes are taken as they are%s%s", r->name,
             utf16 ? "UTF-8" : "text", utf16 ? "; it looks like --charset " : "",
             utf16 ? utf16 : "");
        r->was_noted = 1;
        return;
    }
    struct doc_tally head;
    tally_begin(&head);
    tally_add(&head, s->head, s->n_head);
    if ((r->was_noted = !tally_is_utf8(&head)))
        note_charset(r, &head);
}

// Opens the character set of S, where its bytes are not taken as they are, or by its form.
static int open_charset(struct doc_reader *r, struct doc_stream *s, enum doc_kind kind,
                        struct err *e)
{
    const char *given = r->text_charset;
    if (kind == DOC_WIDE)
        return charset_open(&r->charset, s, sniff_mark(s->head, s->n_head), 0, e);
    if (kind == DOC_HTML)
        return charset_open_html(&r->charset, s, given, e);
    if (kind == DOC_TEXINFO && !given)
        return charset_open_marked(&r->charset, s, e);
    if (given && (kind == DOC_TEXT || kind == DOC_BINARY || kind == DOC_TEXINFO))
        return charset_open(&r->charset, s, given, 0, e);
    return 0;
}

// Takes over NAME. The stream has been peeked at. ERR_UNSUPPORTED of what another program reads
// says that this one cannot be read.
static int open_document(struct doc_reader *r, struct doc_stream *s, enum doc_kind kind, char *name,
                         uint64_t bytes, struct doc_info *info, struct err *e)
{
    const struct mail_holder holder = {r->note, r->note_arg, r->stop, 0, form_open};
    r->name = name;
    r->kind = kind;
    if (kind == DOC_MAIL)
        stream_skip_mark(s);
    if (kind == DOC_TEXT && !r->text_charset)
        stream_blank_mark(s);
    int rc = open_charset(r, s, kind, e);
    if (!rc)
        rc = form_open(&r->form, kind, &(struct form_from){s, r->charset, name, &holder}, e);
    if (rc) {
        close_document(r);
        return rc;
    }
    blank_begin(&r->blank);
    note_head(r, s);
    if (r->form.complaint)
        note(r, "%s: %s", name, r->form.complaint);
    r->is_open = 1;
    *info = (struct doc_info){
        .name = name,
        .format = kind == DOC_WIDE ? sniff_mark(s->head, s->n_head) : r->form.format,
        .source_bytes = bytes,
        .readers = source_readers(r->level[0].source),
    };
    return 1;
}

// ---- levels

static struct doc_level *top(struct doc_reader *r)
{
    return &r->level[r->n_levels - 1];
}

static void close_top(struct doc_reader *r)
{
    if (r->n_levels == 1)
        r->done += r->file.is_regular ? r->file.size : source_at(r->level[0].source);
    level_close(top(r));
    r->n_levels--;
}

// A file that the user named; others may be passed over.
static int was_named(const struct doc_reader *r)
{
    return r->n_levels == 1 && !r->file.in_dir;
}

// The only input: it is handed out even without a text, of which an error tells.
static int is_all(const struct doc_reader *r)
{
    return r->n_inputs == 1 && was_named(r);
}

// Opens what stands at the top, of BYTES: 1 when it is a document, 0 when it is an archive or has
// been passed over.
static int open_top(struct doc_reader *r, uint64_t bytes, struct doc_info *info, struct err *e)
{
    struct doc_level *l = top(r);
    struct doc_stream *s = source_stream(l->source);
    int rc = stream_peek(s, e);
    if (rc)
        return rc;
    struct doc_sniffed is = check_kind(&r->said, s, l->name);
    if (sniff_is_archive(is.kind) && r->n_levels < LEVELS) {
        rc = level_unpack(l, is.kind, e);
        if (!rc && l->lacks)
            note(r, "%s: %s", l->name, l->lacks);
        return rc;
    }
    if (sniff_is_archive(is.kind))
        is = (struct doc_sniffed){DOC_UNSUPPORTED, "an archive too deep within archives", NULL};
    if (is.kind == DOC_UNSUPPORTED && was_named(r))
        return check_refuse(&is, l->name, e);
    if (!was_named(r) && check_is_no_text(&is)) {
        note(r, "%s: is %s; passed over", l->name, is.what ? is.what : "not text");
        if (r->n_levels == 1)
            r->file.size = 0; // it does not count in the total either
        close_top(r);
        return 0;
    }
    char *name = mem_strdup(l->name, e);
    if (!name)
        return ERR_NOMEM;
    rc = open_document(r, s, is.kind, name, bytes, info, e);
    if (rc != ERR_UNSUPPORTED || (is.kind != DOC_PDF && is.kind != DOC_MANUAL) || was_named(r))
        return rc;
    note(r, "%s; passed over", e->msg);
    close_top(r);
    return 0;
}

// Opens r->file: as open_top.
static int open_file(struct doc_reader *r, struct doc_info *info, struct err *e)
{
    const char *path = r->file.path;
    struct doc_level *l = &r->level[0];
    if (!(l->name = show_name(path ? path : r->stdin_name, e)))
        return ERR_NOMEM;
    int rc = source_open(&l->source, path, l->name, r->stop, e);
    // It cannot be read; or looks compressed, and is not.
    if ((rc == ERR_IO || rc == ERR_FORMAT) && r->file.in_dir) {
        note(r, "%s; passed over", e->msg);
        r->done += rc == ERR_FORMAT ? r->file.size : 0; // the other is not in the total
        rc = 0;
    } else if (!rc) {
        r->n_levels = 1;
    }
    if (!r->n_levels) {
        level_close(l);
        return rc;
    }
    return open_top(r, source_size(l->source), info, e);
}

// ---- archives

// The text of a word processor, which is a document under the name of its file.
static int open_word(struct doc_reader *r, struct doc_stream *s, uint64_t bytes,
                     struct doc_info *info, struct err *e)
{
    const struct doc_level *l = top(r);
    char *name = mem_strdup(l->name, e);
    int rc = name ? open_document(r, s, DOC_HTML, name, bytes, info, e) : ERR_NOMEM;
    info->format = l->book == DOC_DOCX ? "docx" : "odt";
    return rc;
}

// What a member of the archive at the top is called, to be freed; NULL: out of memory.
static char *member_name(struct doc_reader *r, const struct doc_member *m, struct err *e)
{
    const char *inner = m->name;
    char *name;
    while (*inner == '/' || !strncmp(inner, "./", 2))
        inner += *inner == '/' ? 1 : 2;
    if (asprintf(&name, "%s/%s", top(r)->name, inner) >= 0)
        return name;
    err_set(e, ERR_NOMEM, "out of memory (name of a document)");
    return NULL;
}

// Passes over a member that is encrypted: 0 or an error.
static int skip_locked(struct doc_reader *r, const struct doc_member *m, struct err *e)
{
    char *name = member_name(r, m, e);
    if (!name)
        return ERR_NOMEM;
    top(r)->is_locked = 1;
    note(r, "%s: is encrypted; passed over", name);
    free(name);
    return 0;
}

// Opens a member of the archive at the top, whose stream is S: as open_top.
static int open_member(struct doc_reader *r, const struct doc_member *m, struct doc_stream *s,
                       struct doc_info *info, struct err *e)
{
    struct doc_level *in = top(r) + 1;
    if (!(in->name = member_name(r, m, e)))
        return ERR_NOMEM;
    int rc = source_over(&in->source, s, in->name, e);
    if (!rc) {
        r->n_levels++;
        return open_top(r, m->size, info, e);
    }
    if (rc == ERR_FORMAT) { // it looks compressed, and is not
        note(r, "%s; passed over", e->msg);
        rc = 0;
    }
    level_close(in);
    return rc;
}

// After the last member: an Office file may be something else than a text, and what would be one
// may be encrypted.
static int end_archive(struct doc_reader *r, struct err *e)
{
    const struct doc_level *l = top(r);
    const int is_word = l->book == DOC_DOCX || l->book == DOC_ODT;
    if (is_word && !l->has_text) {
        if (was_named(r))
            return err_set(e, ERR_UNSUPPORTED,
                           "%s: is an Office document without a text; convert it first "
                           "(libreoffice --convert-to txt %s)",
                           l->name, l->name);
        note(r, "%s: is an Office document without a text; passed over", l->name);
    }
    if (l->is_locked && !l->has_begun && was_named(r))
        return err_set(e, ERR_UNSUPPORTED, "%s: is encrypted; unpack it first", l->name);
    if (!l->has_given && !l->is_locked && !is_word && !is_all(r))
        note(r, "%s: " WALK_NO_TEXT, l->name);
    close_top(r);
    return 0;
}

// The next step in the archive at the top: 1 when a document is open, 0 to go on, or an error.
static int next_member(struct doc_reader *r, struct doc_info *info, struct err *e)
{
    struct doc_level *l = top(r);
    struct doc_member m;
    int rc = level_next(l, &m, e);
    if (rc < 0)
        return rc;
    if (!rc)
        return end_archive(r, e);
    if (m.is_encrypted)
        return skip_locked(r, &m, e);
    struct doc_stream *s = members_stream(l->members);
    if ((rc = stream_peek(s, e)))
        return rc;
    l->has_text = 1;
    return l->book == DOC_DOCX || l->book == DOC_ODT ? open_word(r, s, m.size, info, e)
                                                     : open_member(r, &m, s, info, e);
}

// What was not named but stands in an archive or a directory, and is damaged at its head or cannot
// be read, costs only itself: closes it after a note. What has been handed out of a damaged one
// cannot be taken back; then, and where what was named is damaged, 0.
static int gives_up_archive(struct doc_reader *r, int rc, const struct err *e)
{
    int at = r->n_levels - 1;
    while (at > 0 && source_from_failed(r->level[at].source))
        at--;
    if (at < 0 || (at == 0 && !r->file.in_dir) ||
        (rc != ERR_UNSUPPORTED && (rc != ERR_FORMAT || r->level[at].has_begun)))
        return 0;
    note(r, "%s; %s passed over", e->msg, r->level[at].has_begun ? "the rest is" : "it is");
    while (r->n_levels > at)
        close_top(r);
    return 1;
}

// ---- files

// Whether r->file is one that was there before, named twice or through a link: 1, 0 or an error.
static int was_seen(struct doc_reader *r, struct err *e)
{
    int rc = file_set_add(r->seen, r->file.dev, r->file.ino, e);
    if (rc > 0) {
        walk_found(r->walk);
        r->done += r->file.size;
        char *name = show_name(r->file.path, e);
        if (!name)
            return ERR_NOMEM;
        note(r, "%s: was there before under this name or another; passed over", name);
        free(name);
    }
    return rc;
}

static int is_listed(const struct doc_reader *r, int input)
{
    return input >= r->n_inputs - r->n_listed;
}

// Moves to the next file and opens it: as open_file, or -1 in *AT_END when there is none.
static int next_file(struct doc_reader *r, struct doc_info *info, int *at_end, struct err *e)
{
    int rc;
    *at_end = 0;
    while (r->walk || r->at_input < r->n_inputs) {
        if (r->walk) {
            if ((rc = walk_next(r->walk, &r->file, e)) < 0)
                return rc;
            if (rc) {
                r->file.in_dir |= is_listed(r, r->at_input - 1);
                if (r->file.is_regular && (rc = was_seen(r, e)))
                    return rc < 0 ? rc : 0;
                return open_file(r, info, e);
            }
            walk_close(r->walk);
            r->walk = NULL;
            continue;
        }
        const char *input = r->inputs[r->at_input++];
        if (!strcmp(input, "-")) {
            r->file = (struct doc_file){0};
            return open_file(r, info, e);
        }
        if ((rc = walk_open(&r->walk, input, r->out, r->note, r->note_arg, e)))
            return rc;
        if (r->n_inputs == 1) // an error says so
            walk_found(r->walk);
    }
    *at_end = 1;
    return 0;
}

// ---- opening the list

static int set_options(struct doc_reader *r, const struct doc_options *o, struct err *e)
{
    r->n_listed = o->n_listed;
    r->note = o->note;
    r->note_arg = o->note_arg;
    r->stop = o->stop;
    r->out = o->out;
    r->stdin_name = mem_strdup(o->name ? o->name : "stdin", e);
    if (!r->stdin_name)
        return ERR_NOMEM;
    if (o->charset && !charset_known(o->charset))
        return err_set(e, ERR_USAGE,
                       "the character set '%s' is not known here; 'iconv -l' lists those that are",
                       o->charset);
    if (o->charset && !(r->text_charset = mem_strdup(o->charset, e)))
        return ERR_NOMEM;
    if (!o->format)
        return 0;
    r->said = (struct doc_said){1, strcmp(o->format, "html") ? DOC_TEXT : DOC_HTML};
    if (r->said.kind == DOC_TEXT && strcmp(o->format, "text"))
        return err_set(e, ERR_USAGE, "format '%s' is not known; 'text' and 'html' are", o->format);
    return 0;
}

static int take_inputs(struct doc_reader *r, const char *const *inputs, int n_inputs, struct err *e)
{
    int n_stdin = 0, unknown = 0, rc;
    r->inputs = mem_new((size_t)n_inputs, sizeof *r->inputs, e);
    if (!r->inputs)
        return ERR_NOMEM;
    for (; r->n_inputs < n_inputs; r->n_inputs++)
        if (!(r->inputs[r->n_inputs] = mem_strdup(inputs[r->n_inputs], e)))
            return ERR_NOMEM;
    for (int i = 0; i < n_inputs; i++) {
        if (!strcmp(inputs[i], "-"))
            n_stdin++;
        else if ((rc = check_input(&r->said, inputs[i], is_listed(r, i), r->stop, &r->total,
                                   &unknown, e)))
            return rc;
    }
    if (n_stdin > 1)
        return err_set(e, ERR_USAGE, "-: standard input can be read only once");
    if (n_stdin || unknown)
        r->total = 0;
    return 0;
}

int doc_open(struct doc_reader **out, const char *const *inputs, int n_inputs,
             const struct doc_options *o, struct err *e)
{
    *out = NULL;
    struct doc_reader *r = mem_new(1, sizeof *r, e);
    if (!r)
        return ERR_NOMEM;
    int rc = set_options(r, o, e);
    if (!rc)
        rc = file_set_new(&r->seen, e);
    if (!rc)
        rc = take_inputs(r, inputs, n_inputs, e);
    if (rc) {
        doc_close(r);
        return rc;
    }
    *out = r;
    return 0;
}

void doc_close(struct doc_reader *r)
{
    if (!r)
        return;
    close_document(r);
    while (r->n_levels)
        close_top(r);
    walk_close(r->walk);
    file_set_free(r->seen);
    for (int i = 0; i < r->n_inputs; i++)
        free(r->inputs[i]);
    free(r->inputs);
    free(r->stdin_name);
    free(r->text_charset);
    free(r);
}

// Opens the next document: as doc_next, also where it has no text.
static int next_document(struct doc_reader *r, struct doc_info *info, struct err *e)
{
    int rc, at_end = 0;
    close_document(r);
    if (r->n_levels && !top(r)->members) // it was the document
        close_top(r);
    do
        rc = r->n_levels ? next_member(r, info, e) : next_file(r, info, &at_end, e);
    while (rc < 0 ? gives_up_archive(r, rc, e) : !rc && !at_end);
    for (int i = 0; rc > 0 && i < r->n_levels; i++)
        r->level[i].has_begun = 1;
    return rc;
}

// A file that somebody cut meanwhile: a log that is rotated, a copy that is not finished.
static void note_shorter(struct doc_reader *r)
{
    const struct doc_source *s = r->level[0].source;
    const int is_text = r->charset || r->kind == DOC_TEXT || r->kind == DOC_BINARY;
    if (r->n_levels == 1 && is_text && r->blank.state != BLANK_NO_TEXT && source_can_seek(s) &&
        source_at(s) < source_size(s))
        note(r, "%s: became shorter while it was read; the rest is missing", r->name);
}

// A text that is not in the character set that was given for it, or that its mark tells; or is not
// UTF-8 only where it has gone on.
static void note_replaced(struct doc_reader *r)
{
    char buf[256];
    const int was_given = r->charset && (r->kind != DOC_HTML || r->text_charset);
    const char *says = was_given ? charset_says(r->charset, buf, sizeof buf) : NULL;
    if (says)
        note(r, "%s: %s", r->name, says);
    tally_end(&r->tally);
    if (takes_bytes(r) && !r->was_noted)
        note_charset(r, &r->tally);
}

// XML that a program has not finished writing: the archive around it may be whole.
static void note_cut(struct doc_reader *r)
{
    if (html_is_cut(&r->form, top(r)->book))
        note(r, "%s: its XML is cut short; the rest is missing", r->name);
}

// Whether there is text in the document that has been opened: 1, 0 or an error. Passes over it, if
// not; a chapter of a book may be a picture.
static int has_text(struct doc_reader *r, struct err *e)
{
    const int rc = blank_look(&r->blank, r->form.read, r->form.self, e);
    if (!rc && !(r->n_levels > 1 && r->level[r->n_levels - 2].book))
        note(r, "%s: has no text; passed over", r->name);
    return rc;
}

int doc_next(struct doc_reader *r, struct doc_info *info, struct err *e)
{
    int rc;
    while ((rc = next_document(r, info, e)) == 1 && !is_all(r))
        if ((rc = has_text(r, e)))
            break;
    if (rc > 0)
        walk_found(r->walk);
    for (int i = 0; rc > 0 && i < r->n_levels; i++)
        r->level[i].has_given = 1;
    return rc;
}

ssize_t doc_read(struct doc_reader *r, void *buf, size_t cap, struct err *e)
{
    if (!r->is_open)
        return 0;
    unsigned long long hole;
    ssize_t n = blank_read(&r->blank, r->form.read, r->form.self, buf, cap, e);
    if (blank_tells_hole(&r->blank, &hole))
        note(r, "%s: begins with %llu NUL bytes, which are left out", r->name, hole);
    if (n > 0 && takes_bytes(r))
        tally_add(&r->tally, buf, (size_t)n);
    if (n)
        return n;
    note_shorter(r);
    note_replaced(r);
    note_cut(r);
    r->is_open = 0;
    return 0;
}

void doc_progress(const struct doc_reader *r, uint64_t *done, uint64_t *total)
{
    *done = r->done;
    *total = r->total;
    if (!r->n_levels)
        return;
    const struct doc_form *f = r->n_levels == 1 && r->form.part ? &r->form : NULL;
    const uint64_t at = level_done(&r->level[0], f ? f->part(f->self) : -1, r->file.size);
    *done += r->file.is_regular && at > r->file.size ? r->file.size : at;
}
