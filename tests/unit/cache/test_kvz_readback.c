// The text of documents is read back while an index is written, whether it is new, resumed or
// grows.
#include "tests/unit/cache/kvz_make.h"

#include <fcntl.h>

enum { MOST = 512 };

static uint32_t block_bytes(uint64_t block)
{
    uint32_t sum = 0;
    for (uint32_t t = 0; t < make_n_tokens(block); t++)
        sum += make_token_bytes(block, t);
    return sum;
}

// TEXT [*returned]: of N blocks, the first of which is FIRST.
static uint64_t text_of(uint64_t first, int n, char text[MOST])
{
    uint64_t at = 0;
    for (uint64_t b = first; b < first + (uint64_t)n; b++)
        for (uint32_t i = 0; i < block_bytes(b); i++)
            text[at++] = make_text(b, i);
    assert_true(at <= MOST);
    return at;
}

// In pieces of every length, in both directions.
static void is_text(struct kvz_writer *w, uint64_t document, uint64_t first, int n)
{
    char want[MOST], got[MOST + 1];
    uint64_t bytes, is = text_of(first, n, want);
    OK(kvz_writer_text_bytes(w, document, &bytes, e));
    assert_int_equal(bytes, is);
    for (uint64_t piece = 1; piece <= is; piece += 1 + piece / 3)
        for (int back = 0; back < 2; back++)
            for (uint64_t i = 0; i + piece <= is; i += piece) {
                const uint64_t from = back ? is - piece - i : i;
                memset(got, 'x', sizeof got);
                OK(kvz_writer_read_text(w, document, from, piece, got, e));
                assert_memory_equal(got, want + from, piece);
                assert_int_equal(got[piece], 'x');
            }
    OK(kvz_writer_read_text(w, document, bytes, 0, NULL, e));
    REFUSED(ERR_USAGE, "so far", kvz_writer_read_text(w, document, bytes, 1, got, e));
    REFUSED(ERR_USAGE, "so far", kvz_writer_read_text(w, document, 1, SIZE_MAX, got, e));
    REFUSED(ERR_USAGE, "so far", kvz_writer_read_text(w, document, UINT64_MAX, 2, got, e));
}

static void not_yet(struct kvz_writer *w, uint64_t document)
{
    uint64_t bytes;
    char c;
    REFUSED(ERR_USAGE, "not written", kvz_writer_text_bytes(w, document, &bytes, e));
    REFUSED(ERR_USAGE, "not written", kvz_writer_read_text(w, document, 0, 1, &c, e));
}

static void what_was_written_is_read(void **state)
{
    (void)state;
    char path[128];
    struct kvz_writer *w;
    struct kvz_meta m = make_meta(1);
    uint64_t bytes = 0;
    OK(kvz_create(&w, make_path(path, "new.kvz"), &m, make_channels, e));
    not_yet(w, 0);
    OK(kvz_begin_document(w, "book.txt", "text", e));
    is_text(w, 0, 0, 0);
    for (int i = 1; i <= 4; i++) { // while it grows
        OK(make_block(w, &bytes, e));
        is_text(w, 0, 0, i);
    }
    not_yet(w, 1);
    OK(kvz_end_document(w, bytes + 2, 1, e));
    is_text(w, 0, 0, 4);
    not_yet(w, 1);
    make_document(w, "empty", 0);
    make_document(w, "letters/b.txt", 3);
    is_text(w, 2, 4, 3);
    is_text(w, 1, 4, 0);
    is_text(w, 0, 0, 4);
    OK(kvz_finish(w, NULL, e));
    kvz_writer_close(w);
    assert_int_equal(kvz_verify(path, NULL, NULL, NULL), 0);
}

// A writer that goes on reads what was there before it.
static void what_was_there_is_read(void **state)
{
    (void)state;
    char path[128];
    struct kvz_writer *w;
    struct kvz_meta m = make_meta(4);
    uint64_t bytes = 0;
    void *back;
    size_t n;
    make_index(make_path(path, "old.kvz"), 4, 5, 2);
    for (int looks = 0; looks < 2; looks++) { // before the checkpoint, too
        OK(kvz_append(&w, path, &m, make_channels, e));
        if (looks) {
            is_text(w, 2, 5, 2);
            is_text(w, 0, 0, 5);
        }
        OK(kvz_begin_document(w, "more", "text", e));
        bytes = 0;
        OK(make_block(w, &bytes, e));
        OK(make_block(w, &bytes, e));
        make_checkpoint(w, "mark", 5);
        OK(make_block(w, &bytes, e));
        if (looks)
            is_text(w, 3, 7, 3);
        kvz_writer_close(w);

        OK(kvz_resume(&w, path, &m, make_channels, &back, &n, e));
        free(back);
        is_text(w, 3, 7, 2);
        is_text(w, 0, 0, 5);
        is_text(w, 1, 5, 0);
        is_text(w, 2, 5, 2);
        not_yet(w, 4);
        OK(make_block(w, &bytes, e));
        is_text(w, 3, 7, 3);
        kvz_writer_close(w);
    }
    OK(kvz_part_remove(path, e));
}

// Damage to the spool behind the writer's back is an error, or is not in what is read.
static void damage_is_seen(void **state)
{
    (void)state;
    char path[128], name[160], want[MOST], got[MOST];
    struct kvz_meta m = make_meta(1);
    struct kvz_writer *w;
    size_t n, seen = 0;
    void *back;
    OK(kvz_create(&w, make_path(path, "spoilt.kvz"), &m, make_channels, e));
    make_document(w, "book.txt", 3);
    make_checkpoint(w, "mark", 5);
    kvz_writer_close(w);
    snprintf(name, sizeof name, "%s.part/spool", path);
    free(make_slurp(name, &n));
    const uint64_t bytes = text_of(0, 3, want);
    const int fd = open(name, O_RDWR);
    assert_true(fd >= 0);
    for (size_t at = 0; at < n; at++) {
        OK(kvz_resume(&w, path, &m, make_channels, &back, &(size_t){0}, e));
        free(back);
        uint8_t was, is;
        assert_int_equal(pread(fd, &was, 1, (off_t)at), 1);
        is = was ^ 4;
        assert_int_equal(pwrite(fd, &is, 1, (off_t)at), 1);
        const int rc = kvz_writer_read_text(w, 0, 0, bytes, got, NULL);
        assert_true(rc == ERR_FORMAT || rc == ERR_USAGE || !rc);
        if (!rc)
            assert_memory_equal(got, want, bytes);
        seen += rc != 0;
        assert_int_equal(pwrite(fd, &was, 1, (off_t)at), 1);
        kvz_writer_close(w);
    }
    close(fd);
    assert_true(seen > n / 2);
    OK(kvz_part_remove(path, e));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_is_read),
        cmocka_unit_test(what_was_there_is_read),
        cmocka_unit_test(damage_is_seen),
    };
    return cmocka_run_group_tests(tests, own_dir_make_quick, own_dir_remove);
}
