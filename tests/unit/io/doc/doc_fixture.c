#define _GNU_SOURCE
#include "tests/unit/io/doc/doc_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <archive.h>
#include <archive_entry.h>
#include <cmocka.h>

#include "io/doc/doc.h"
#include "io/file.h"

void put_bytes(const char *path, const void *p, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(p, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

void put_text(const char *path, const char *s)
{
    put_bytes(path, s, strlen(s));
}

void put_utf16(const char *path, const char *ascii, int is_big)
{
    const size_t n = strlen(ascii);
    char *p = calloc(n + 1, 2);
    assert_non_null(p);
    memcpy(p, is_big ? "\xfe\xff" : "\xff\xfe", 2);
    for (size_t i = 0; i < n; i++)
        p[2 + 2 * i + (size_t)is_big] = ascii[i];
    put_bytes(path, p, 2 * n + 2);
    free(p);
}

char *slurp(const char *path, size_t *n)
{
    char *p;
    struct err e;
    assert_int_equal(file_slurp(path, 1 << 28, &p, n, &e), 0);
    return p;
}

int zip_deflates_all;

void put_archive(const char *path, enum format format, const char *filter, const struct member *m,
                 size_t n)
{
    struct archive *a = archive_write_new();
    if (format == RAW)
        archive_write_set_format_raw(a);
    else if (format == TAR)
        archive_write_set_format_pax_restricted(a);
    else if (format == ZIP)
        archive_write_set_format_zip(a);
    else
        archive_write_set_format_7zip(a);
    if (filter)
        assert_int_equal(archive_write_add_filter_by_name(a, filter), ARCHIVE_OK);
    assert_int_equal(archive_write_open_filename(a, path), ARCHIVE_OK);
    for (size_t i = 0; i < n; i++) {
        size_t bytes = m[i].n ? m[i].n : strlen(m[i].text);
        struct archive_entry *e = archive_entry_new();
        archive_entry_set_pathname(e, m[i].name);
        archive_entry_set_size(e, (int64_t)bytes);
        archive_entry_set_filetype(e, AE_IFREG);
        archive_entry_set_perm(e, 0644);
        if (format == ZIP && !strcmp(m[i].name, "mimetype") && !zip_deflates_all)
            archive_write_zip_set_compression_store(a);
        assert_int_equal(archive_write_header(a, e), ARCHIVE_OK);
        assert_int_equal(archive_write_data(a, m[i].text, bytes), bytes);
        archive_entry_free(e);
        if (format == ZIP)
            archive_write_zip_set_compression_deflate(a);
    }
    assert_int_equal(archive_write_close(a), ARCHIVE_OK);
    archive_write_free(a);
}

void put_packed(const char *path, const char *filter, const void *p, size_t n)
{
    put_archive(path, RAW, filter, &(struct member){"x", p, n}, 1);
}

void lock_member(const char *path, size_t member)
{
    enum { FLAGS = 6, LIST_FLAGS = 8, ENCRYPTED = 1 }; // bytes, from the start of each entry
    size_t n;
    char *p = slurp(path, &n), *at = p, *list = memmem(p, n, "PK\1\2", 4);
    for (size_t i = 0; at && list && i < member; i++) {
        at = memmem(at + 4, n - (size_t)(at + 4 - p), "PK\3\4", 4);
        list = memmem(list + 4, n - (size_t)(list + 4 - p), "PK\1\2", 4);
    }
    assert_true(at && list);
    at[FLAGS] |= ENCRYPTED;
    list[LIST_FLAGS] |= ENCRYPTED;
    put_bytes(path, p, n);
    free(p);
}

char notes[4096];

static void on_note(void *arg, const char *msg)
{
    (void)arg;
    size_t n = strlen(notes);
    snprintf(notes + n, sizeof notes - n, "%s\n", msg);
}

char *read_all(const char *const *inputs, int n, const char *format, size_t step, struct err *e)
{
    struct doc_reader *r;
    struct doc_info info;
    char *text = NULL, *buf = malloc(step);
    size_t bytes;
    int rc;
    ssize_t got = 0;
    assert_non_null(buf);
    notes[0] = 0;
    *e = (struct err){0};
    struct doc_options o = {.format = format, .note = on_note};
    if ((rc = doc_open(&r, inputs, n, &o, e))) {
        assert_true(rc == e->code && e->msg[0] && !r);
        free(buf);
        return NULL;
    }
    FILE *f = open_memstream(&text, &bytes);
    assert_non_null(f);
    while ((rc = doc_next(r, &info, e)) == 1) {
        fprintf(f, "%s|%s|", info.name, info.format);
        while ((got = doc_read(r, buf, step, e)) > 0)
            fwrite(buf, 1, (size_t)got, f);
        fputc(';', f);
        if (got < 0)
            break;
    }
    rc = got < 0 ? (int)got : rc;
    if (!rc) {
        uint64_t done, total;
        doc_progress(r, &done, &total);
        assert_true(total == 0 || done == total);
    }
    doc_close(r);
    fclose(f);
    free(buf);
    if (rc) {
        assert_true(rc == e->code && e->msg[0]);
        free(text);
        return NULL;
    }
    return text;
}

void expect_as(const char *input, const char *format, const char *expected)
{
    static const size_t steps[] = {1, 7, 1 << 16};
    for (size_t i = 0; i < 3; i++) {
        struct err e;
        char *text = read_all(&input, 1, format, steps[i], &e);
        if (!text)
            fail_msg("%s: %s", input, e.msg);
        assert_string_equal(text, expected);
        free(text);
    }
}

void expect(const char *input, const char *expected)
{
    expect_as(input, NULL, expected);
}

void expect_error(const char *input, int code, const char *why)
{
    struct err e;
    char *text = read_all(&input, 1, NULL, 1000, &e);
    if (text || e.code != code || !strstr(e.msg, why))
        fail_msg("%s: expected %d '%s', got %d '%s' (%s)", input, code, why, e.code, e.msg,
                 text ? text : "");
}

int fails(const char *input, const char *text)
{
    struct err e;
    char *got = read_all(&input, 1, NULL, 1000, &e);
    if (got)
        assert_string_equal(got, text);
    free(got);
    return !got;
}

void expect_stdin(const char *path, const char *expected)
{
    char cmd[128];
    snprintf(cmd, sizeof cmd, "cat %s", path);
    int keep = dup(STDIN_FILENO);
    FILE *p = popen(cmd, "r");
    assert_non_null(p);
    dup2(fileno(p), STDIN_FILENO);
    struct err e;
    char *text = read_all((const char *const[]){"-"}, 1, NULL, 999, &e);
    dup2(keep, STDIN_FILENO);
    close(keep);
    pclose(p);
    if (!text)
        fail_msg("%s: %s", path, e.msg);
    assert_string_equal(text, expected);
    free(text);
}
