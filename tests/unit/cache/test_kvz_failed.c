// Writing an index fails: on a full disk, at a name that is taken, with a block that is not one.
#include "tests/unit/cache/kvz_make.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "cache/writer.h"
#include "io/hash.h"

static void a_full_disk_leaves_no_index(void **state)
{
    (void)state;
    char path[128], whole[128], dir[160];
    make_path(path, "full.kvz");
    make_path(whole, "full-whole.kvz");
    uint64_t size = make_index(whole, 1, 4, 3);
    struct kvz_meta m = make_meta(1);
    struct rlimit old, less;
    struct kvz_writer *w;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    for (uint64_t room = 5000; room < size; room += 2311) {
        struct err why = {0};
        const uint64_t s = 0;
        OK(kvz_create(&w, path, &m, make_channels, e));
        make_checkpoint(w, &s, sizeof s);
        less = old;
        less.rlim_cur = room;
        setrlimit(RLIMIT_FSIZE, &less);
        uint64_t bytes = 0;
        int rc = kvz_begin_document(w, "book.txt", "text", &why);
        for (int i = 0; i < 7 && !rc; i++)
            rc = make_block(w, &bytes, &why);
        if (!rc)
            rc = kvz_end_document(w, bytes, 0, &why);
        if (!rc)
            rc = kvz_finish(w, NULL, &why);
        kvz_writer_close(w);
        setrlimit(RLIMIT_FSIZE, &old);
        assert_int_equal(rc, ERR_IO);
        assert_non_null(strstr(why.msg, "cannot write"));
        assert_true(access(path, F_OK));
        OK(make_resumed(path, &m, e));
    }
    OK(kvz_part_remove(path, e));

    // Nor half a copy of an index that was to grow, nor an empty directory, neither of which can be
    // resumed from.
    snprintf(dir, sizeof dir, "%s.part", whole);
    for (int grows = 0; grows < 2; grows++) {
        struct err why = {0};
        less.rlim_cur = grows ? 5000 : 1000;
        setrlimit(RLIMIT_FSIZE, &less);
        int rc = grows ? kvz_append(&w, whole, &m, make_channels, &why)
                       : kvz_create(&w, whole, &m, make_channels, &why);
        setrlimit(RLIMIT_FSIZE, &old);
        assert_int_equal(rc, ERR_IO);
        assert_non_null(strstr(why.msg, "data: cannot write"));
        assert_true(access(dir, F_OK));
    }
    assert_int_equal(kvz_verify(whole, NULL, NULL, NULL), 0);

    make_path(path, "no/such/dir/x.kvz");
    REFUSED(ERR_IO, "cannot create", kvz_create(&w, path, &m, make_channels, e));
    // Something else has the name of the directory.
    make_path(path, "taken.kvz");
    snprintf(dir, sizeof dir, "%s.part", path);
    OK(file_replace(NULL, dir, "x", 1, e));
    REFUSED(ERR_IO, "taken.kvz.part", kvz_create(&w, path, &m, make_channels, e));
    REFUSED(ERR_IO, "taken.kvz.part", kvz_part_remove(path, e));
    // Or it is a link to what is not ours.
    char other[128], kept[160];
    mkdir(make_path(other, "other"), 0777);
    snprintf(kept, sizeof kept, "%s/data", other);
    OK(file_replace(NULL, kept, "x", 1, e));
    snprintf(dir, sizeof dir, "%s.part", make_path(path, "linked.kvz"));
    assert_int_equal(symlink(other, dir), 0);
    REFUSED(ERR_IO, "linked.kvz.part", kvz_create(&w, path, &m, make_channels, e));
    REFUSED(ERR_IO, "linked.kvz.part", kvz_part_remove(path, e));
    assert_int_equal(access(kept, F_OK), 0);
    // And the name of the index is that of a directory.
    make_path(path, "isdir.kvz");
    mkdir(path, 0777);
    OK(kvz_create(&w, path, &m, make_channels, e));
    REFUSED(ERR_IO, "cannot rename", kvz_finish(w, NULL, e));
    kvz_writer_close(w);
}

// How much room it takes is said, and the checkpoint before it stays.
static void a_checkpoint_without_room(void **state)
{
    (void)state;
    enum { PIECE = 1 << 26, PIECES = 17 }; // more than a gigabyte, as of large models
    char path[128];
    struct kvz_meta m = make_meta(1);
    struct rlimit old, less;
    struct kvz_writer *w;
    struct kvz_checkpoint *c;
    struct err why = {0};
    uint64_t s = 7, *saved;
    size_t bytes;
    void *piece = calloc(1, PIECE);
    OK(kvz_create(&w, make_path(path, "roomy.kvz"), &m, make_channels, e));
    OK(kvz_begin_document(w, "book.txt", "text", e));
    make_checkpoint(w, &s, sizeof s);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    for (size_t room = 0; room <= 20000; room += 20000) {
        less = old;
        less.rlim_cur = room;
        setrlimit(RLIMIT_FSIZE, &less);
        OK(kvz_checkpoint_begin(&c, w, e));
        for (int i = 0; i < PIECES; i++)
            OK(kvz_checkpoint_put(c, piece, PIECE, e));
        const int rc = kvz_checkpoint_end(c, &why);
        setrlimit(RLIMIT_FSIZE, &old);
        assert_int_equal(rc, ERR_IO);
        assert_non_null(strstr(why.msg, "roomy.kvz.part/state.tmp: cannot write: "));
        assert_non_null(strstr(why.msg, "; a checkpoint takes 1140.9 MB here"));
    }
    free(piece);
    kvz_writer_close(w);
    OK(kvz_resume(&w, path, &m, make_channels, (void **)&saved, &bytes, e));
    assert_int_equal(bytes, sizeof s);
    assert_memory_equal(saved, &s, sizeof s);
    free(saved);
    kvz_writer_close(w);
}

static void a_failed_block_leaves_no_trace(void **state)
{
    (void)state;
    char whole[128], path[128];
    make_path(whole, "trace-whole.kvz");
    make_path(path, "trace.kvz");
    struct kvz_meta m = make_meta(1);
    for (int i = 0; i < 2; i++) {
        struct kvz_writer *w;
        uint64_t bytes = 0;
        OK(kvz_create(&w, i ? path : whole, &m, make_channels, e));
        OK(kvz_begin_document(w, "a", "text", e));
        OK(make_block(w, &bytes, e));
        if (i) {
            float x[HEADS * 2 * DIM] = {0}, bad[HEADS * 2 * DIM] = {[3] = NAN}, mass[2] = {1, -1};
            const float *good[LAYERS] = {x, x}, *nan2[LAYERS] = {x, bad}, *ms[LAYERS] = {x, x};
            const float *vec[CHANNELS] = {x, bad};
            uint32_t ids[2] = {1, 2}, token_bytes[2] = {1, 1}, n[CHANNELS] = {2, 0};
            const struct kvz_block_in in = {.n_tokens = 2,
                                            .tokens = ids,
                                            .token_bytes = token_bytes,
                                            .text = "ab",
                                            .k = good,
                                            .v = good,
                                            .kv_stride = 2,
                                            .mass = ms,
                                            .vectors = vec,
                                            .n_vectors = n};
            struct kvz_block_in b = in;
            b.v = nan2;
            REFUSED(ERR_FORMAT, "block 1 cannot be stored: layer 1: a value",
                    kvz_add_block(w, &b, e));
            b = in;
            b.mass = (const float *const[]){x, mass};
            REFUSED(ERR_FORMAT, "layer 1: the attention", kvz_add_block(w, &b, e));
            b = in;
            b.n_vectors = (const uint32_t[]){2, 2};
            REFUSED(ERR_FORMAT, "block 1 layer 1: an index vector", kvz_add_block(w, &b, e));
            b = in;
            b.n_vectors = (const uint32_t[]){3, 0};
            REFUSED(ERR_USAGE, "token 2 of 2", kvz_add_block(w, &b, e));
            b = in;
            b.n_tokens = BLOCK + 1;
            REFUSED(ERR_USAGE, "7 tokens", kvz_add_block(w, &b, e));
            b = in;
            b.flags = 8;
            REFUSED(ERR_USAGE, "flags 8", kvz_add_block(w, &b, e));
        }
        OK(make_block(w, &bytes, e));
        OK(kvz_end_document(w, bytes, 0, e));
        OK(kvz_finish(w, NULL, e));
        kvz_writer_close(w);
    }
    make_same_files(path, whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_full_disk_leaves_no_index),
                                       cmocka_unit_test(a_checkpoint_without_room),
                                       cmocka_unit_test(a_failed_block_leaves_no_trace)};
    return cmocka_run_group_tests(tests, own_dir_make_quick, own_dir_remove);
}
