// What a file is, by its first bytes and by what the user says, and what is wrong with it.
#define _GNU_SOURCE
#include "io/doc/check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/doc/walk.h"
#include "io/form/form.h"
#include "io/form/mail.h"
#include "io/form/pdf.h"
#include "io/show.h"
#include "io/source/sniff.h"
#include "io/source/source.h"

struct doc_sniffed check_kind(const struct doc_said *said, const struct doc_stream *s,
                              const char *name)
{
    struct doc_sniffed is = sniff_document(s->head, s->n_head, name);
    if (said->is_said && !sniff_is_archive(is.kind))
        is.kind = said->kind;
    return is;
}

int check_refuse(const struct doc_sniffed *is, const char *name, struct err *e)
{
    if (!is->tool)
        return err_set(e, ERR_UNSUPPORTED, "%s: is %s, not a text", name, is->what);
    const size_t n = strcspn(is->tool, "*");
    return err_set(e, ERR_UNSUPPORTED, "%s: is %s; convert it first (%.*s%s%s%s)", name, is->what,
                   (int)n, is->tool, is->tool[n] ? "" : " ", name,
                   is->tool[n] ? is->tool + n + 1 : "");
}

int check_is_no_text(const struct doc_sniffed *is)
{
    return is->kind == DOC_UNSUPPORTED || is->kind == DOC_BINARY;
}

// That any page has text.
static int check_pages(const char *path, const char *name, const volatile sig_atomic_t *stop,
                       struct err *e)
{
    struct doc_source *s;
    struct doc_form pdf = {0};
    int rc = source_open(&s, path, path, NULL, e);
    if (rc)
        return rc;
    const struct mail_holder holder = {.stop = stop, .open = form_open};
    rc = form_open(&pdf, DOC_PDF, &(struct form_from){source_stream(s), NULL, name, &holder}, e);
    form_close(&pdf);
    source_close(s);
    return rc;
}

// That a PDF that was named, S, has a text that can be read. As a rule its first page tells, in a
// moment; a cover may be a picture.
static int check_pdf(struct doc_stream *s, const char *path, const volatile sig_atomic_t *stop,
                     struct err *e)
{
    char *name = show_name(path, e);
    int rc = name ? pdf_begins_with_text(s, name, stop, e) : ERR_NOMEM;
    if (!rc)
        rc = check_pages(path, name, stop, e);
    free(name);
    return rc < 0 ? rc : 0;
}

// 1 when F will be read, or passed over when its turn comes, 0 when it is no text.
static int check_file(const struct doc_said *said, const struct doc_file *f,
                      const volatile sig_atomic_t *stop, struct err *e)
{
    if (access(f->path, R_OK))
        return f->in_dir ? 0 : err_io(e, "%s", f->path);
    if (!f->is_regular)
        return 1;
    struct doc_source *s;
    int will_read = 1;
    int rc = source_open(&s, f->path, f->path, NULL, e);
    if (rc)
        return !f->in_dir ? rc : rc == ERR_FORMAT ? 1 : rc == ERR_IO ? 0 : rc;
    rc = stream_peek(source_stream(s), e);
    if (!rc) {
        struct doc_sniffed is = check_kind(said, source_stream(s), f->path);
        will_read = !f->in_dir || !check_is_no_text(&is);
        if (will_read && is.kind == DOC_UNSUPPORTED)
            rc = check_refuse(&is, f->path, e);
        else if (is.kind == DOC_PDF && !f->in_dir)
            rc = check_pdf(source_stream(s), f->path, stop, e);
    }
    source_close(s);
    return rc == ERR_FORMAT && f->in_dir ? 1 : rc ? rc : will_read;
}

int check_input(const struct doc_said *said, const char *input, int is_listed,
                const volatile sig_atomic_t *stop, uint64_t *bytes, int *unknown, struct err *e)
{
    struct doc_walk *w;
    struct doc_file f;
    int rc = walk_open(&w, input, NULL, NULL, NULL, e);
    if (rc)
        return rc;
    while ((rc = walk_next(w, &f, e)) == 1) {
        f.in_dir |= is_listed;
        if ((rc = check_file(said, &f, stop, e)) < 0)
            break;
        *bytes += rc ? f.size : 0;
        *unknown |= !f.is_regular;
    }
    walk_close(w);
    return rc;
}
