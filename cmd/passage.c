#define _GNU_SOURCE
#include "cmd/passage.h"

#include <inttypes.h>
#include <string.h>
#include <utf8proc.h>

#include "cmd/ui.h"
#include "io/show.h"

enum { WORDS_MAX = 2048 }; // bytes of one line of words

void passage_words(FILE *f, const char *text, size_t bytes, int columns)
{
    char line[WORDS_MAX] = "";
    size_t at = 0, fits = 0; // bytes in line; those that leave room for the ellipsis
    int used = 0, space = 0, cut = 0;
    for (size_t i = 0; i < bytes && !cut;) {
        utf8proc_int32_t c;
        utf8proc_ssize_t n =
            utf8proc_iterate((const utf8proc_uint8_t *)text + i, (utf8proc_ssize_t)(bytes - i), &c);
        if (n <= 0) {
            n = 1;
            c = 0xFFFD;
        }
        i += (size_t)n;
        if (c <= ' ' || c == 0x7F || (c >= 0x80 && c <= 0xA0) || c == 0x2028 || c == 0x2029) {
            space = at > 0;
            continue;
        }
        if (show_class(c) != SHOW_TEXT) // would turn round what follows
            continue;
        int width = utf8proc_charwidth(c) + space;
        if (used + width > columns || at + 8 > sizeof line) {
            cut = 1;
            break;
        }
        if (space)
            line[at++] = ' ';
        at += (size_t)utf8proc_encode_char(c, (utf8proc_uint8_t *)line + at);
        used += width;
        space = 0;
        if (used < columns)
            fits = at;
    }
    fwrite(line, 1, cut ? fits : at, f);
    if (cut && columns > 0)
        fputs("…", f);
}

enum { STEP = 4, TAB = 8 };

// The indentation of the line TEXT [n], in columns and *BYTES; 0 for a line without words.
static size_t set_in(const char *text, size_t n, size_t *bytes)
{
    size_t columns = 0;
    for (*bytes = 0; *bytes < n && (text[*bytes] == ' ' || text[*bytes] == '\t'); ++*bytes)
        columns = text[*bytes] == ' ' ? columns + 1 : (columns / TAB + 1) * TAB;
    return *bytes < n && text[*bytes] != '\n' ? columns : 0;
}

// The byte where the line after that of byte AT of TEXT [n] begins.
static size_t next_line(const char *text, size_t n, size_t at)
{
    const char *end = memchr(text + at, '\n', n - at);
    return end ? (size_t)(end - text) + 1 : n;
}

// How many different indentations TEXT [n] has; the first MOST of them go to DEPTH, in order. That
// of its first line, which has lost its white space, is 0.
static size_t find_depths(const char *text, size_t n, size_t *depth, size_t most)
{
    size_t n_depths = 1, bytes;
    depth[0] = 0;
    for (size_t at = next_line(text, n, 0); at < n && n_depths < most;
         at = next_line(text, n, at)) {
        const size_t own = set_in(text + at, n - at, &bytes);
        size_t i = 0;
        while (i < n_depths && depth[i] < own)
            i++;
        if (i < n_depths && depth[i] == own)
            continue;
        memmove(depth + i + 1, depth + i, (n_depths - i) * sizeof *depth);
        depth[i] = own;
        n_depths++;
    }
    return n_depths;
}

// The least indentation of the lines of TEXT [n] up to one without words, if the first one has a
// gap between cells, so that the others stand below these; else 0.
static size_t set_in_table(const char *text, size_t n)
{
    size_t bytes, least = set_in(text, n, &bytes);
    const size_t end = next_line(text, n, 0);
    if (!least || !memmem(text + bytes, end - bytes, "   ", 3))
        return 0;
    for (size_t at = end, own; at < n; at = next_line(text, n, at)) {
        own = set_in(text + at, n - at, &bytes);
        if (at + bytes == n || text[at + bytes] == '\n')
            break;
        least = own < least ? own : least;
    }
    return least;
}

// How many of the indentations DEPTH [n] are less than COLUMNS.
static size_t rank_of(const size_t *depth, size_t n, size_t columns)
{
    size_t rank = 0;
    while (rank < n && depth[rank] < columns)
        rank++;
    return rank;
}

void passage_answer(FILE *f, const char *text, size_t bytes)
{
    enum { DEPTHS = 8 }; // as many are those of a table
    size_t depth[DEPTHS], skip, table = 0;
    const size_t n_depths = find_depths(text, bytes, depth, DEPTHS);
    size_t at = next_line(text, bytes, 0);
    ui_text(f, text, at);
    for (size_t end, apart = 0; at < bytes; at = end) {
        end = next_line(text, bytes, at);
        const size_t own = set_in(text + at, end - at, &skip);
        table = apart ? set_in_table(text + at, bytes - at) : table;
        apart = at + skip < bytes && text[at + skip] == '\n';
        const size_t in = STEP * rank_of(depth, n_depths, table ? table : own),
                     wanted = table && own ? in + own - table : in;
        if (own > wanted && n_depths < DEPTHS) {
            fprintf(f, "%*s", (int)wanted, "");
            at += skip;
        }
        ui_text(f, text + at, end - at);
    }
}

// The page on which the sentence that is shown begins, counted from 1; 0 where the document has no
// pages. Each ends with a form feed in the text that the index keeps of a PDF.
static uint64_t page_of(const struct evidence *ev, struct kvz *const *indexes, int n_named)
{
    struct kvz *k = n_named ? indexes[ev->index] : NULL;
    struct kvz_block b;
    struct kvz_document d;
    struct err e;
    const char *text;
    uint64_t bytes, end = ev->focus_start, page = 1;
    if (!k || kvz_block(k, ev->block, &b, &e) || kvz_document(k, b.document, &d, &e) ||
        strcmp(d.format, "pdf") || kvz_document_text(k, b.document, &text, &bytes, &e) || !text)
        return 0;
    while (end < bytes && strchr(" \n\f", text[end]) && text[end])
        end++;
    if (end > bytes)
        return 0;
    for (const char *p = text; (p = memchr(p, '\f', (size_t)(text + end - p))); p++)
        page++;
    return page;
}

// Which of the documents of its name the passage is of, counted from 1 in the order in which they
// were read; 0 where its index has but one of that name.
static uint64_t version_of(const struct evidence *ev, struct kvz *const *indexes, int n_named)
{
    const struct kvz *k = n_named ? indexes[ev->index] : NULL;
    struct kvz_block b;
    struct kvz_document d;
    struct err e;
    uint64_t versions = 0, own = 0;
    if (!k || kvz_block(k, ev->block, &b, &e))
        return 0;
    for (uint64_t i = 0; i < kvz_n_documents(k); i++)
        if (!kvz_document(k, i, &d, &e) && !strcmp(d.name, ev->document)) {
            versions++;
            own = i == b.document ? versions : own;
        }
    return versions > 1 ? own : 0;
}

void passage_print(FILE *f, const struct evidence *ev, int n, struct kvz *const *indexes,
                   int n_named)
{
    int columns = ui_columns(f);
    for (int i = 0; i < n; i++) {
        char page[32] = "", version[32] = "", tail[160];
        const uint64_t number = page_of(&ev[i], indexes, n_named),
                       which = version_of(&ev[i], indexes, n_named);
        if (number)
            snprintf(page, sizeof page, ", page %" PRIu64, number);
        if (which)
            snprintf(version, sizeof version, " (version %" PRIu64 ")", which);
        int used = snprintf(tail, sizeof tail, "%s:%" PRIu64 "-%" PRIu64 "%s  %.2f  ", version,
                            ev[i].start, ev[i].end, page, ev[i].score);
        used += fprintf(f, "[%d] ", i + 1);
        if (n_named > 1) {
            const char *path = kvz_path(indexes[ev[i].index]);
            passage_words(f, path, strlen(path), WORDS_MAX);
            fputs(": ", f);
            used += (int)strlen(path) + 2;
        }
        passage_words(f, ev[i].document, strlen(ev[i].document), WORDS_MAX);
        used += (int)strlen(ev[i].document);
        fputs(tail, f);
        size_t from = (size_t)(ev[i].focus_start - ev[i].start);
        if (from) {
            fputs("…", f);
            used++;
        }
        passage_words(f, ev[i].text + from, ev[i].text_bytes - from,
                      columns - used > 40 ? columns - used : 40);
        fputc('\n', f);
    }
}

void passage_json(struct json *j, const struct evidence *ev, int n, struct kvz *const *indexes,
                  int n_named)
{
    json_array(j);
    for (int i = 0; i < n; i++) {
        const uint64_t page = page_of(&ev[i], indexes, n_named),
                       version = version_of(&ev[i], indexes, n_named);
        json_object(j);
        json_cstr(json_key(j, "document"), ev[i].document);
        if (version) {
            json_uint(json_key(j, "version"), version);
        }
        json_uint(json_key(j, "start"), ev[i].start);
        json_uint(json_key(j, "end"), ev[i].end);
        if (page) {
            json_uint(json_key(j, "page"), page);
        }
        json_num(json_key(j, "score"), ev[i].score);
        json_str(json_key(j, "text"), ev[i].text, ev[i].text_bytes);
        json_object(json_key(j, "focus"));
        json_uint(json_key(j, "start"), ev[i].focus_start);
        json_uint(json_key(j, "end"), ev[i].focus_end);
        json_end(j);
        json_bool(json_key(j, "read"), ev[i].was_read);
        if (n_named > 1) {
            json_cstr(json_key(j, "index"), kvz_path(indexes[ev[i].index]));
        }
        json_end(j);
    }
    json_end(j);
}
