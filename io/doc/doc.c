#define _GNU_SOURCE
#include "io/doc/doc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/doc/doc_impl.h"
#include "io/mem.h"
#include "io/show.h"

// A part of a book that is an archive: its place among the members, and the name that gives the order.
struct chapter {
    char *name;
    size_t place;
};

struct doc_reader {
    char **inputs;
    int n_inputs, at_input, n_listed;
    char *stdin_name;
    int forced; // the kind of every document is known to be `kind`
    enum doc_kind kind;
    char *text_charset; // of plain texts; NULL: their bytes are taken as they are
    doc_note_fn *note;
    void *note_arg;

    struct file_set *seen;       // files that have been read, under whatever name
    struct doc_walk *walk;       // below the current input
    struct doc_file file;        // the file that is open in source
    struct doc_source *source;
    char *source_name;
    struct doc_archive *members; // of the source, where it is an archive
    enum doc_kind book;          // DOC_EPUB, DOC_DOCX, DOC_ODT, or 0: every member is a document
    int has_text;                // a member of the book has been found that is
    struct chapter *chapters;    // of a book that can be read out of order
    size_t n_chapters, cap_chapters, at_chapter;

    struct doc_stream *stream;   // bytes of the current document, NULL when there is none
    struct doc_charset *charset;
    struct doc_html *html;
    struct doc_pdf *pdf;
    struct doc_mail *mail;
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
    mail_close(r->mail);
    pdf_close(r->pdf);
    html_close(r->html);
    charset_close(r->charset);
    free(r->name);
    r->mail = NULL;
    r->pdf = NULL;
    r->html = NULL;
    r->charset = NULL;
    r->name = NULL;
    r->stream = NULL;
}

// What a user might not expect of a text that is read as it is.
static void note_bytes(struct doc_reader *r, const struct doc_stream *s, enum doc_kind kind, const char *name)
{
    if (r->forced || r->text_charset)
        return;
    if (kind == DOC_BINARY)
        note(r, "%s: is not text; its bytes are taken as they are", name);
    else if (kind == DOC_TEXT && !sniff_is_utf8(s->head, s->n_head))
        note(r, "%s: is not UTF-8; its bytes are taken as they are; if it is Latin-1, give --charset latin1", name);
}

// Takes over NAME. The stream has been peeked at. ERR_UNSUPPORTED of a PDF says that this one cannot be read.
static int open_document(struct doc_reader *r, struct doc_stream *s, enum doc_kind kind, char *name,
                         uint64_t bytes, struct doc_info *info, struct err *e)
{
    static const char *const formats[] = {
        [DOC_HTML] = "html", [DOC_PDF] = "pdf", [DOC_MAIL] = "mail", [DOC_UTF16] = "utf-16", [DOC_UNSUPPORTED] = NULL};
    char charset[64] = "UTF-16";
    int rc = 0, flags = 0;
    r->name = name;
    if (kind == DOC_HTML) {
        int known = sniff_charset(s->head, s->n_head, charset, sizeof charset);
        flags = CHARSET_NO_NUL | (known ? 0 : CHARSET_GUESSED);
        if (!known && r->text_charset)
            snprintf(charset, sizeof charset, "%s", r->text_charset);
    }
    if (kind == DOC_PDF)
        rc = pdf_open(&r->pdf, s, name, e);
    if (kind == DOC_MAIL)
        rc = mail_open(&r->mail, s, e);
    if ((kind == DOC_TEXT || kind == DOC_BINARY) && r->text_charset)
        rc = charset_open(&r->charset, s, r->text_charset, 0, e);
    if (kind == DOC_HTML || kind == DOC_UTF16)
        rc = charset_open(&r->charset, s, charset, flags, e);
    if (!rc && kind == DOC_HTML)
        rc = html_open(&r->html, r->charset, e);
    if (rc) {
        close_document(r);
        return rc;
    }
    note_bytes(r, s, kind, name);
    if (r->pdf && pdf_complaint(r->pdf))
        note(r, "%s: pdftotext found an error (%s); some text may be missing", name, pdf_complaint(r->pdf));
    r->stream = s;
    *info = (struct doc_info){
        .name = name,
        .format = formats[kind] ? formats[kind] : "text",
        .source_bytes = bytes,
    };
    return 1;
}

static int is_book(enum doc_kind kind)
{
    return kind == DOC_EPUB || kind == DOC_DOCX || kind == DOC_ODT;
}

static int is_archive(enum doc_kind kind)
{
    return kind == DOC_TAR || kind == DOC_ZIP || kind == DOC_7ZIP || is_book(kind);
}

static struct doc_sniffed look(const struct doc_reader *r, const struct doc_stream *s,
                               const char *name)
{
    struct doc_sniffed is = sniff(s->head, s->n_head, name);
    if (r->forced && !is_archive(is.kind))
        is.kind = r->kind;
    return is;
}

static int refuse(const struct doc_sniffed *is, const char *name, struct err *e)
{
    if (!is->tool)
        return err_set(e, ERR_UNSUPPORTED, "%s: is %s, not a text", name, is->what);
    return err_set(e, ERR_UNSUPPORTED, "%s: is %s; convert it first (%s %s)", name, is->what,
                   is->tool, name);
}

// ---- archives

static int by_name(const void *a, const void *b)
{
    const struct chapter *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

static int is_chapter(enum doc_kind book, const struct doc_member *m)
{
    if (!m->is_file)
        return 0;
    if (book == DOC_DOCX)
        return !strcmp(m->name, "word/document.xml");
    if (book == DOC_ODT)
        return !strcmp(m->name, "content.xml");
    // By the name alone, which is what sniff() goes by when there are no bytes.
    return sniff(NULL, 0, m->name).kind == DOC_HTML;
}

// Lists the chapters of the open book in the order of their names.
static int list_chapters(struct doc_reader *r, struct err *e)
{
    struct doc_member m;
    int rc;
    for (size_t place = 0; (rc = members_next(r->members, &m, e)) == 1; place++) {
        if (!is_chapter(r->book, &m))
            continue;
        void *chapters = r->chapters;
        if (mem_grow(&chapters, &r->cap_chapters, r->n_chapters + 1, sizeof *r->chapters, e))
            return ERR_NOMEM;
        r->chapters = chapters;
        char *name = mem_strdup(m.name, e);
        if (!name)
            return ERR_NOMEM;
        r->chapters[r->n_chapters++] = (struct chapter){name, place};
    }
    if (r->n_chapters)
        qsort(r->chapters, r->n_chapters, sizeof *r->chapters, by_name);
    return rc;
}

static int open_members(struct doc_reader *r, enum doc_kind kind, struct err *e)
{
    int rc = members_open(&r->members, r->source, kind, e);
    r->book = is_book(kind) ? kind : 0;
    r->has_text = 0;
    if (!rc && r->book && source_can_seek(r->source))
        rc = list_chapters(r, e);
    return rc;
}

static void close_source(struct doc_reader *r)
{
    members_close(r->members);
    r->members = NULL;
    for (size_t i = 0; i < r->n_chapters; i++)
        free(r->chapters[i].name);
    free(r->chapters);
    r->chapters = NULL;
    r->n_chapters = r->cap_chapters = r->at_chapter = 0;
    if (r->source)
        r->done += r->file.is_regular ? r->file.size : source_at(r->source);
    source_close(r->source);
    r->source = NULL;
    free(r->source_name);
    r->source_name = NULL;
}

// Moves to the next chapter of a book, from the beginning of the file: 1, 0 or an error.
static int next_chapter(struct doc_reader *r, struct doc_member *m, struct err *e)
{
    if (r->at_chapter == r->n_chapters)
        return 0;
    size_t place = r->chapters[r->at_chapter++].place;
    members_close(r->members);
    r->members = NULL;
    int rc = members_open(&r->members, r->source, r->book, e);
    for (size_t i = 0; !rc && i <= place; i++) {
        rc = members_next(r->members, m, e);
        if (rc == 0)
            rc = err_set(e, ERR_FORMAT, "%s: changed while it was read", r->source_name);
        rc = rc == 1 ? 0 : rc;
    }
    return rc ? rc : 1;
}

// The text of a word processor, which is a document under the name of its file.
static int open_word(struct doc_reader *r, struct doc_stream *s, uint64_t bytes, struct doc_info *info, struct err *e)
{
    char *name = mem_strdup(r->source_name, e);
    int rc = name ? open_document(r, s, DOC_HTML, name, bytes, info, e) : ERR_NOMEM;
    info->format = r->book == DOC_DOCX ? "docx" : "odt";
    return rc;
}

// At the end of a book: an Office file may be something else than a text.
static int check_text(struct doc_reader *r, struct err *e)
{
    if (!r->book || r->book == DOC_EPUB || r->has_text)
        return 0;
    if (!r->file.in_dir)
        return err_set(e, ERR_UNSUPPORTED, "%s: is an Office document without a text; convert it first "
                       "(libreoffice --convert-to txt %s)", r->source_name, r->source_name);
    note(r, "%s: is an Office document without a text; passed over", r->source_name);
    return 0;
}

// The next member that is a document: 1, 0 after the last, or an error.
static int next_member(struct doc_reader *r, struct doc_info *info, struct err *e)
{
    struct doc_member m;
    int rc;
    if (r->book && !r->n_chapters && source_can_seek(r->source))
        return check_text(r, e);
    while ((rc = r->n_chapters ? next_chapter(r, &m, e) : members_next(r->members, &m, e)) == 1) {
        if (!m.is_file || (r->book && !is_chapter(r->book, &m)))
            continue;
        struct doc_stream *s = members_stream(r->members);
        if ((rc = stream_peek(s, e)))
            return rc;
        r->has_text = 1;
        if (r->book == DOC_DOCX || r->book == DOC_ODT)
            return open_word(r, s, m.size, info, e);
        struct doc_sniffed is = look(r, s, m.name);
        const char *inner = m.name;
        while (*inner == '/' || !strncmp(inner, "./", 2))
            inner += *inner == '/' ? 1 : 2;
        if (is_archive(is.kind) || is.kind == DOC_UNSUPPORTED || is.kind == DOC_BINARY) {
            note(r, "%s/%s: is %s; passed over", r->source_name, inner,
                 is_archive(is.kind) ? "an archive within an archive"
                 : is.what           ? is.what
                                     : "not text");
            continue;
        }
        char *name = NULL;
        if (asprintf(&name, "%s/%s", r->source_name, inner) < 0)
            return err_set(e, ERR_NOMEM, "out of memory (name of a document)");
        rc = open_document(r, s, is.kind, name, m.size, info, e);
        if (rc != ERR_UNSUPPORTED || is.kind != DOC_PDF)
            return rc;
        note(r, "%s; passed over", e->msg);
    }
    return rc ? rc : check_text(r, e);
}

// ---- files

// Whether F, which is IS, is no document: a directory may hold such files.
static int passes_over(const struct doc_file *f, const struct doc_sniffed *is)
{
    return f->in_dir && (is->kind == DOC_UNSUPPORTED || is->kind == DOC_BINARY);
}

// Opens r->file: 1 when it is a document, 0 when it is an archive or has been passed over.
static int open_file(struct doc_reader *r, struct doc_info *info, struct err *e)
{
    const char *path = r->file.path;
    r->source_name = show_name(path ? path : r->stdin_name, e);
    if (!r->source_name)
        return ERR_NOMEM;
    int rc = source_open(&r->source, path, r->source_name, e);
    if (rc)
        return rc;
    struct doc_stream *s = source_stream(r->source);
    if ((rc = stream_peek(s, e)))
        return rc;
    struct doc_sniffed is = look(r, s, r->source_name);
    if (is_archive(is.kind))
        return open_members(r, is.kind, e);
    if (is.kind == DOC_UNSUPPORTED && !r->file.in_dir)
        return refuse(&is, r->source_name, e);
    if (passes_over(&r->file, &is)) {
        note(r, "%s: is %s; passed over", r->source_name, is.what ? is.what : "not text");
        r->file.size = 0; // nor is it in the total
        close_source(r);
        return 0;
    }
    char *name = mem_strdup(r->source_name, e);
    if (!name)
        return ERR_NOMEM;
    rc = open_document(r, s, is.kind, name, source_size(r->source), info, e);
    if (rc != ERR_UNSUPPORTED || is.kind != DOC_PDF || !r->file.in_dir)
        return rc;
    note(r, "%s; passed over", e->msg);
    close_source(r);
    return 0;
}

// Whether r->file is one that was there before, named twice or through a link: 1, 0 or an error.
static int was_seen(struct doc_reader *r, struct err *e)
{
    int rc = file_set_add(r->seen, r->file.dev, r->file.ino, e);
    if (rc > 0) {
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
        if ((rc = walk_open(&r->walk, input, r->note, r->note_arg, e)))
            return rc;
    }
    *at_end = 1;
    return 0;
}

// ---- opening the list

// That a PDF that was named has a text that can be read.
static int check_pdf(struct doc_stream *s, const char *path, struct err *e)
{
    struct doc_pdf *pdf;
    char *name = show_name(path, e);
    int rc = name ? pdf_open(&pdf, s, name, e) : ERR_NOMEM;
    if (!rc)
        pdf_close(pdf);
    free(name);
    return rc;
}

// What is wrong with a file is to be known before the first is read for hours. Returns 1 when it
// will be read, 0 when it will be passed over.
static int check_file(const struct doc_reader *r, const struct doc_file *f, struct err *e)
{
    if (access(f->path, R_OK))
        return err_io(e, "%s", f->path);
    if (!f->is_regular)
        return 1;
    struct doc_source *s;
    int will_read = 1;
    int rc = source_open(&s, f->path, f->path, e);
    if (rc)
        return rc;
    rc = stream_peek(source_stream(s), e);
    if (!rc) {
        struct doc_sniffed is = look(r, source_stream(s), f->path);
        will_read = !passes_over(f, &is);
        if (will_read && is.kind == DOC_UNSUPPORTED)
            rc = refuse(&is, f->path, e);
        else if (is.kind == DOC_PDF && !f->in_dir)
            rc = check_pdf(source_stream(s), f->path, e);
    }
    source_close(s);
    return rc ? rc : will_read;
}

static int check_input(struct doc_reader *r, int input, int *unknown, struct err *e)
{
    struct doc_walk *w;
    struct doc_file f;
    int rc = walk_open(&w, r->inputs[input], NULL, NULL, e);
    if (rc)
        return rc;
    while ((rc = walk_next(w, &f, e)) == 1) {
        f.in_dir |= is_listed(r, input);
        if ((rc = check_file(r, &f, e)) < 0)
            break;
        r->total += rc ? f.size : 0;
        *unknown |= !f.is_regular;
    }
    walk_close(w);
    return rc;
}

static int set_options(struct doc_reader *r, const struct doc_options *o, struct err *e)
{
    r->n_listed = o->n_listed;
    r->note = o->note;
    r->note_arg = o->note_arg;
    r->stdin_name = mem_strdup(o->name ? o->name : "stdin", e);
    if (!r->stdin_name)
        return ERR_NOMEM;
    if (o->charset && !charset_known(o->charset))
        return err_set(e, ERR_USAGE, "the character set '%s' is not known here; 'iconv -l' lists those that are", o->charset);
    if (o->charset && !(r->text_charset = mem_strdup(o->charset, e)))
        return ERR_NOMEM;
    if (!o->format)
        return 0;
    r->forced = 1;
    r->kind = strcmp(o->format, "html") ? DOC_TEXT : DOC_HTML;
    if (r->kind == DOC_TEXT && strcmp(o->format, "text"))
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
        else if ((rc = check_input(r, i, &unknown, e)))
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
    close_source(r);
    walk_close(r->walk);
    file_set_free(r->seen);
    for (int i = 0; i < r->n_inputs; i++)
        free(r->inputs[i]);
    free(r->inputs);
    free(r->stdin_name);
    free(r->text_charset);
    free(r);
}

int doc_next(struct doc_reader *r, struct doc_info *info, struct err *e)
{
    int rc, at_end;
    close_document(r);
    for (;;) {
        if (r->members && (rc = next_member(r, info, e)))
            return rc;
        close_source(r);
        if ((rc = next_file(r, info, &at_end, e)) || at_end)
            return rc;
    }
}

ssize_t doc_read(struct doc_reader *r, void *buf, size_t cap, struct err *e)
{
    if (!r->stream)
        return 0;
    if (r->pdf)
        return pdf_read(r->pdf, buf, cap, e);
    if (r->mail)
        return mail_read(r->mail, buf, cap, e);
    if (r->html)
        return html_read(r->html, buf, cap, e);
    if (r->charset)
        return charset_read(r->charset, buf, cap, e);
    return stream_read(r->stream, buf, cap, e);
}

void doc_progress(const struct doc_reader *r, uint64_t *done, uint64_t *total)
{
    *done = r->done;
    *total = r->total;
    if (!r->source)
        return;
    uint64_t at = source_at(r->source);
    if (r->pdf && !r->members) // was read at once
        at = (uint64_t)((double)r->file.size * pdf_part(r->pdf));
    if (r->n_chapters) // read out of order
        at = (uint64_t)((double)r->file.size * (double)r->at_chapter / (double)r->n_chapters);
    *done += r->file.is_regular && at > r->file.size ? r->file.size : at;
}
