#include "cmd/passage.h"

#include <inttypes.h>
#include <string.h>
#include <utf8proc.h>

#include "cmd/ui.h"

enum { WORDS_MAX = 2048 }; // bytes of one line of words

void passage_words(FILE *f, const char *text, size_t bytes, int columns)
{
    char line[WORDS_MAX] = "";
    size_t at = 0, fits = 0; // bytes in line; those that leave room for the ellipsis
    int used = 0, space = 0, cut = 0;
    for (size_t i = 0; i < bytes && !cut;) {
        utf8proc_int32_t c;
        utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)text + i,
                                              (utf8proc_ssize_t)(bytes - i), &c);
        if (n <= 0) {
            n = 1;
            c = 0xFFFD;
        }
        i += (size_t)n;
        if (c <= ' ' || c == 0x7F || (c >= 0x80 && c <= 0xA0) || c == 0x2028 || c == 0x2029) {
            space = at > 0;
            continue;
        }
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

void passage_print(FILE *f, const struct evidence *ev, int n, struct kvz *const *indexes)
{
    int columns = ui_columns(f);
    for (int i = 0; i < n; i++) {
        char tail[96];
        int used = snprintf(tail, sizeof tail, ":%" PRIu64 "-%" PRIu64 "  %.2f  ", ev[i].start, ev[i].end,
                            ev[i].score);
        used += fprintf(f, "[%d] ", i + 1);
        if (indexes) {
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
        passage_words(f, ev[i].text + from, ev[i].text_bytes - from, columns - used > 40 ? columns - used : 40);
        fputc('\n', f);
    }
}

void passage_json(struct json *j, const struct evidence *ev, int n, struct kvz *const *indexes)
{
    json_array(j);
    for (int i = 0; i < n; i++) {
        json_object(j);
        json_key(j, "document");
        json_cstr(j, ev[i].document);
        json_key(j, "start");
        json_uint(j, ev[i].start);
        json_key(j, "end");
        json_uint(j, ev[i].end);
        json_key(j, "score");
        json_num(j, ev[i].score);
        json_key(j, "text");
        json_str(j, ev[i].text, ev[i].text_bytes);
        json_key(j, "focus");
        json_object(j);
        json_key(j, "start");
        json_uint(j, ev[i].focus_start);
        json_key(j, "end");
        json_uint(j, ev[i].focus_end);
        json_end(j);
        json_key(j, "read");
        json_bool(j, ev[i].was_read);
        if (indexes) {
            json_key(j, "index");
            json_cstr(j, kvz_path(indexes[ev[i].index]));
        }
        json_end(j);
    }
    json_end(j);
}
