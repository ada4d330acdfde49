// An index in the making: killed and resumed, grown, written to a full disk.
#include "tests/unit/cache/kvz_make.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "cache/writer.h"
#include "io/hash.h"

// What an encoder does, one step at a time: documents of these many blocks.
static const int book[] = {4, 0, 3};
enum { N_STEPS = 3 + 4 + 0 + 3 + 3 };

struct steps {
    uint64_t doc, block, bytes, open; // the caller's own state, saved in checkpoints
};

static void step(struct kvz_writer *w, struct steps *s)
{
    const char *names[] = {"book.txt", "empty", "letters/b.txt"};
    if (!s->open) {
        OK(kvz_begin_document(w, names[s->doc], "text", e));
        s->open = 1;
        s->block = s->bytes = 0;
    } else if (s->block < (uint64_t)book[s->doc]) {
        OK(make_block(w, &s->bytes, e));
        s->block++;
    } else {
        OK(kvz_end_document(w, s->bytes + 2, 99 + s->bytes, e));
        s->open = 0;
        s->doc++;
    }
}

static void add_garbage(const char *path, const char *file, size_t n)
{
    char name[160];
    snprintf(name, sizeof name, "%s.part/%s", path, file);
    FILE *f = fopen(name, "ab");
    assert_non_null(f);
    while (n--)
        fputc(0xa5, f);
    fclose(f);
}

static void killed_run(uint32_t codec)
{
    char whole[128], path[128];
    make_path(whole, "whole.kvz");
    make_path(path, "resumed.kvz");
    make_index(whole, codec, book[0], book[2]);
    struct kvz_meta m = make_meta(codec);
    for (int at = 0; at <= N_STEPS; at++)
        for (int more = at % 3; more < 3; more += 2) { // steps after the checkpoint, lost
            struct kvz_writer *w;
            struct steps s = {0}, saved;
            OK(kvz_create(&w, path, &m, make_channels, e));
            assert_false(kvz_part_exists(path));
            for (int i = 0; i < at; i++)
                step(w, &s);
            make_checkpoint(w, &s, sizeof s);
            for (int i = at; i < at + more && i < N_STEPS; i++)
                step(w, &s);
            kvz_writer_close(w);
            assert_true(kvz_part_exists(path));
            assert_true(access(path, F_OK));
            add_garbage(path, "data", (size_t)more * 777);
            add_garbage(path, "spool", (size_t)more * 5000);

            void *back;
            size_t bytes;
            OK(kvz_resume(&w, path, &m, make_channels, &back, &bytes, e));
            assert_int_equal(bytes, sizeof saved);
            memcpy(&saved, back, sizeof saved);
            free(back);
            for (int i = at; i < N_STEPS; i++)
                step(w, &saved);
            OK(kvz_finish(w, NULL, e));
            kvz_writer_close(w);
            make_same_files(path, whole);
            assert_false(kvz_part_exists(path));
            unlink(path);
        }
}

static void a_killed_run_ends_in_the_same_bytes(void **state)
{
    (void)state;
    killed_run(1);
    killed_run(4);
    killed_run(5);
    killed_run(MAKE_NARROW);
}

static struct kvz_writer *half_done(const char *path)
{
    struct kvz_writer *w;
    struct steps s = {0};
    struct kvz_meta m = make_meta(1);
    OK(kvz_create(&w, path, &m, make_channels, e));
    for (int i = 0; i < 4; i++)
        step(w, &s);
    make_checkpoint(w, &s, sizeof s);
    return w;
}

static void other_settings_are_refused(void **state)
{
    (void)state;
    char path[128], done[128];
    make_path(path, "other.kvz");
    make_path(done, "other-done.kvz");
    kvz_writer_close(half_done(path));
    make_index(done, 1, 2, 1);
    const struct kvz_meta good = make_meta(1);
    struct kvz_meta m[9];
    for (int i = 0; i < 9; i++)
        m[i] = good;
    m[0].model_digest++;
    m[1].tokenizer_digest++;
    m[2].window++;
    strcpy(m[3].method, "infllm");
    m[4].recipe.level = 5;
    m[5].recipe = (struct kvz_recipe){0, 16, 16, 6};
    strcpy(m[6].params, "span=4\n");
    m[7].n_channels = 1;
    strcpy(m[8].model, "Other"); // names are for people
    strcpy(m[8].model_path, "/elsewhere");
    const char *says[] = {"model digest",         "tokenizer",  "window",  "method", "level",
                          "not 16 and 16 (--kv,", "parameters", "channels"};
    struct kvz_writer *w;
    for (int i = 0; i < 8; i++) {
        REFUSED(ERR_MISMATCH, says[i], make_resumed(path, &m[i], e));
        REFUSED(ERR_MISMATCH, says[i], kvz_append(&w, done, &m[i], make_channels, e));
    }
    struct kvz_channel other[CHANNELS];
    memcpy(other, make_channels, sizeof other);
    other[1].head = 1;
    REFUSED(ERR_MISMATCH, "index channel 1", kvz_append(&w, done, &good, other, e));
    char part[160];
    snprintf(part, sizeof part, "%s.part", done);
    assert_int_equal(access(part, F_OK), -1);
    OK(make_resumed(path, &m[8], e));
    OK(kvz_part_remove(path, e));
}

static void overwrite(const char *path, const char *data, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, n, f), n);
    fclose(f);
}

// With the checksum that fits the N bytes of S.
static void overwrite_state(const char *path, char *s, size_t n)
{
    const uint64_t check = hash64(s + STATE_CHECKED, n - STATE_CHECKED);
    memcpy(s + offsetof(struct state_head, check), &check, sizeof check);
    overwrite(path, s, n);
}

static void a_damaged_directory_is_refused(void **state)
{
    (void)state;
    char path[128], name[160];
    struct kvz_meta m = make_meta(1);
    make_path(path, "dir.kvz");
    kvz_writer_close(half_done(path));
    size_t n, damaged = 0, all = 0;
    snprintf(name, sizeof name, "%s.part/state", path);
    char *s = make_slurp(name, &n);
    for (size_t i = 0; i < n; i += i < 300 ? 1 : 37) {
        s[i] ^= 4;
        overwrite(name, s, n);
        assert_int_not_equal(make_resumed(path, &m, NULL), 0);
        s[i] ^= 4;
    }
    for (size_t cut = 0; cut < n; cut += 101) {
        overwrite(name, s, cut);
        assert_int_equal(make_resumed(path, &m, NULL), ERR_FORMAT);
    }
    overwrite(name, s, n);
    OK(make_resumed(path, &m, e));

    // The name of a document that does not end, though the checksum is right.
    static const char end_of_name[] = "book.txt";
    char *doc = memmem(s, n, end_of_name, sizeof end_of_name);
    assert_non_null(doc);
    doc[sizeof end_of_name - 1] = 'x';
    overwrite_state(name, s, n);
    REFUSED(ERR_FORMAT, "dir.kvz.part: its checkpoint is damaged", make_resumed(path, &m, e));
    doc[sizeof end_of_name - 1] = 0;
    overwrite_state(name, s, n);
    OK(make_resumed(path, &m, e));
    free(s);

    // A checkpoint that outlived its data, and a spool that changed under it.
    struct kvz_writer *w;
    void *back;
    size_t bytes;
    OK(kvz_resume(&w, path, &m, make_channels, &back, &bytes, e));
    free(back);
    OK(kvz_end_document(w, 1000, 0, e));
    snprintf(name, sizeof name, "%s.part/spool", path);
    int fd = open(name, O_RDWR);
    assert_int_equal(pwrite(fd, "x", 1, 40), 1);
    close(fd);
    REFUSED(ERR_FORMAT, "spool", kvz_finish(w, NULL, e));
    kvz_writer_close(w);
    assert_true(access(path, F_OK));
    // Damaged before it goes on, it does not.
    REFUSED(ERR_FORMAT, "spool: is damaged", make_resumed(path, &m, e));
    kvz_writer_close(half_done(path));
    snprintf(name, sizeof name, "%s.part/data", path);
    s = make_slurp(name, &n);
    for (size_t i = 4096; i < n; i += 61) {
        s[i] ^= 4;
        overwrite(name, s, n);
        const int rc = make_resumed(path, &m, NULL);
        assert_true(rc == ERR_FORMAT || !rc); // the zeros between records have no checksum
        damaged += rc != 0;
        all++;
        s[i] ^= 4;
    }
    overwrite(name, s, n);
    free(s);
    assert_true(damaged * 10 > all * 9);
    OK(make_resumed(path, &m, e));
    assert_int_equal(truncate(name, 4096 + 64), 0);
    REFUSED(ERR_FORMAT, "less than", make_resumed(path, &m, e));
    unlink(name);
    assert_false(kvz_part_exists(path));
    OK(kvz_part_remove(path, e));
    OK(kvz_part_remove(path, e)); // nothing there is nothing to do
}

static void assert_mode(const char *path, const char *behind, mode_t mode)
{
    char name[160];
    struct stat st;
    snprintf(name, sizeof name, "%s%s", path, behind);
    assert_int_equal(stat(name, &st), 0);
    assert_int_equal(st.st_mode & 0777, mode);
}

// An index that only its owner may read stays so, and so does what it is made of meanwhile.
static void nobody_else_gets_to_read_it(void **state)
{
    (void)state;
    char path[128];
    make_path(path, "private.kvz");
    const struct kvz_meta m = make_meta(1);
    const mode_t was = umask(022);
    const struct {
        mode_t index, dir, file;
    } modes[] = {{0600, 0700, 0600}, {0640, 0750, 0640}, {0444, 0755, 0644}, {0664, 0775, 0664}};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        for (int grows = 0; grows < 2; grows++) {
            struct kvz_writer *w;
            make_index(path, 1, 2, 1);
            assert_int_equal(chmod(path, modes[i].index), 0);
            if (grows) {
                OK(kvz_append(&w, path, &m, make_channels, e));
                make_document(w, "more", 1);
                make_checkpoint(w, "", 1);
            } else {
                w = half_done(path);
                OK(kvz_end_document(w, 1000, 0, e));
            }
            assert_mode(path, ".part", modes[i].dir);
            assert_mode(path, ".part/data", modes[i].file);
            assert_mode(path, ".part/spool", modes[i].file);
            assert_mode(path, ".part/state", modes[i].file);
            OK(kvz_finish(w, NULL, e));
            kvz_writer_close(w);
            assert_mode(path, "", modes[i].index);
            unlink(path);
        }
    const struct {
        unsigned readers;
        mode_t index, dir;
    } new[] = {{0444, 0644, 0755},
               {0440, 0640, 0750},
               {0400, 0600, 0700},
               {0404, 0604, 0705},
               {0, 0600, 0700}};
    for (size_t i = 0; i < sizeof new / sizeof *new; i++) {
        struct kvz_writer *w = half_done(path);
        kvz_writer_narrow(w, 0444);
        assert_false(kvz_writer_narrow(w, new[i].readers));
        kvz_writer_narrow(w, 0444);
        OK(kvz_end_document(w, 1000, 0, e));
        assert_mode(path, ".part", new[i].dir);
        assert_mode(path, ".part/data", new[i].index);
        assert_mode(path, ".part/spool", new[i].index);
        OK(kvz_finish(w, NULL, e));
        kvz_writer_close(w);
        assert_mode(path, "", new[i].index);
        if (!i) { // one that replaces another keeps its mode
            w = half_done(path);
            assert_false(kvz_writer_narrow(w, 0444));
            assert_true(kvz_writer_narrow(w, 0400));
            OK(kvz_end_document(w, 1000, 0, e));
            OK(kvz_finish(w, NULL, e));
            kvz_writer_close(w);
            assert_mode(path, "", 0644);
        }
        unlink(path);
    }
    umask(was);
}

// The index is whole, and what is not ours stays.
static void a_file_of_others_stays(void **state)
{
    (void)state;
    char path[128], name[160];
    make_path(path, "others.kvz");
    struct kvz_writer *w = half_done(path);
    snprintf(name, sizeof name, "%s.part/mine", path);
    overwrite(name, "x", 1);
    OK(kvz_end_document(w, 1000, 0, e));
    OK(kvz_finish(w, NULL, e));
    assert_non_null(kvz_writer_stays(w));
    assert_non_null(strstr(kvz_writer_stays(w), "others.kvz.part: cannot remove: "));
    kvz_writer_close(w);
    assert_int_equal(kvz_verify(path, NULL, NULL, NULL), 0);
    assert_int_equal(access(name, F_OK), 0);
    REFUSED(ERR_IO, "not empty", kvz_part_remove(path, e));
    unlink(name);
    OK(kvz_part_remove(path, e));
    unlink(path);
}

static void one_writer_at_a_time(void **state)
{
    (void)state;
    char path[128];
    make_path(path, "lock.kvz");
    struct kvz_meta m = make_meta(1);
    struct kvz_writer *w = half_done(path), *other;
    REFUSED(ERR_IO, "another process", kvz_create(&other, path, &m, make_channels, e));
    // Before it looks for the index, which the other one may replace.
    REFUSED(ERR_IO, "another process", kvz_append(&other, path, &m, make_channels, e));
    REFUSED(ERR_IO, "another process", make_resumed(path, &m, e));
    REFUSED(ERR_IO, "another process", kvz_part_remove(path, e));
    kvz_writer_close(w);
    OK(make_resumed(path, &m, e));
    OK(kvz_part_remove(path, e));
}

static void place_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

// Other programs do not know of the lock: what they put in the index's place stays.
static void what_others_put_there_stays(void **state)
{
    (void)state;
    char path[128], size = 0;
    make_path(path, "taken.kvz");
    struct kvz_meta m = make_meta(1);
    for (int there = 0; there <= 1; there++) {
        if (there)
            place_text(path, "old");
        struct kvz_writer *w;
        OK(kvz_create(&w, path, &m, make_channels, e));
        make_document(w, "book.txt", 3);
        make_checkpoint(w, &size, sizeof size);
        place_text(path, "not mine");
        REFUSED(ERR_IO, there ? "changed this file meanwhile" : "made this file meanwhile",
                kvz_finish(w, NULL, e));
        kvz_writer_close(w);
        size_t n;
        char *text = make_slurp(path, &n);
        assert_int_equal(n, 8);
        assert_memory_equal(text, "not mine", n);
        free(text);
        assert_int_equal(kvz_part_exists(path), 1);

        unlink(path);
        void *back;
        OK(kvz_resume(&w, path, &m, make_channels, &back, &n, e));
        free(back);
        OK(kvz_finish(w, NULL, e));
        kvz_writer_close(w);
        assert_int_equal(kvz_verify(path, NULL, NULL, NULL), 0);
        unlink(path);
    }
}

static void grown(uint32_t codec)
{
    char whole[128], path[128];
    struct kvz_meta m = make_meta(codec);
    make_path(whole, "both.kvz");
    make_path(path, "grown.kvz");
    make_index(whole, codec, 7, 4);
    struct kvz_writer *w;
    OK(kvz_create(&w, path, &m, make_channels, e));
    make_document(w, "book.txt", 7);
    OK(kvz_finish(w, NULL, e));
    kvz_writer_close(w);
    char before[128];
    make_path(before, "before.kvz");
    char cmd[300];
    snprintf(cmd, sizeof cmd, "cp '%s' '%s'", path, before);
    assert_int_equal(system(cmd), 0);

    // Killed half way: the finished index is as it was.
    OK(kvz_append(&w, path, &m, make_channels, e));
    assert_int_equal(kvz_writer_n_blocks(w), 7);
    make_document(w, "empty", 0);
    make_checkpoint(w, "mark", 5);
    uint64_t bytes = 0;
    OK(kvz_begin_document(w, "lost", "text", e));
    OK(make_block(w, &bytes, e));
    kvz_writer_close(w);
    make_same_files(path, before);

    void *back;
    size_t n;
    OK(kvz_resume(&w, path, &m, make_channels, &back, &n, e));
    assert_string_equal(back, "mark");
    free(back);
    make_document(w, "letters/b.txt", 4);
    OK(kvz_finish(w, NULL, e));
    kvz_writer_close(w);
    make_same_files(path, whole);
}

static void a_grown_index_is_the_index_of_both(void **state)
{
    (void)state;
    grown(1);
    grown(5);
    grown(MAKE_NARROW);
}

// Puts a section that readers pass over before all others of the index PATH.
static void put_section_first(const char *path)
{
    size_t n;
    char *old = make_slurp(path, &n), *s = calloc(1, n + DISK_PAGE + sizeof(struct disk_section));
    assert_non_null(s);
    struct disk_header h;
    memcpy(&h, old, sizeof h);
    memcpy(s + 2 * DISK_PAGE, old + DISK_PAGE, h.table_off - DISK_PAGE);
    struct disk_section *table = (struct disk_section *)(void *)(s + h.table_off + DISK_PAGE);
    memcpy(table + 1, old + h.table_off, h.n_sections * sizeof *table);
    *table = (struct disk_section){DISK_TAG('M', 'O', 'R', 'E'), 0, DISK_PAGE, 1, hash64("", 1)};
    for (uint32_t i = 1; i <= h.n_sections; i++) {
        struct disk_section *of = &table[i];
        of->off += DISK_PAGE;
        struct disk_block *b = (struct disk_block *)(void *)(s + of->off);
        struct disk_channel *c = (struct disk_channel *)(void *)(s + of->off);
        for (size_t j = 0; of->tag == TAG_DIR && j < of->bytes / sizeof *b; j++) {
            b[j].off += DISK_PAGE;
            b[j].check = hash64(&b[j], sizeof *b - sizeof b->check);
        }
        for (size_t j = 0; of->tag == TAG_CHANNELS && j < of->bytes / sizeof *c; j++)
            c[j].off += DISK_PAGE;
        if (!(of->flags & SECTION_SELF))
            of->check = hash64(s + of->off, of->bytes);
    }
    h.n_sections++;
    h.table_off += DISK_PAGE;
    h.table_check = hash64(table, h.n_sections * sizeof *table);
    h.file_bytes = h.table_off + h.n_sections * sizeof *table;
    h.check = hash64(&h, sizeof h - sizeof h.check);
    memcpy(s, &h, sizeof h);
    overwrite(path, s, h.file_bytes);
    free(old);
    free(s);
}

// The blocks of an index that grows are copied to where lctool has them.
static void an_index_of_another_layout_does_not_grow(void **state)
{
    (void)state;
    char path[128];
    struct kvz_meta m = make_meta(1);
    struct kvz_writer *w;
    make_index(make_path(path, "layout.kvz"), 1, 2, 1);
    put_section_first(path);
    assert_int_equal(kvz_verify(path, NULL, NULL, NULL), 0);
    REFUSED(ERR_UNSUPPORTED, "do not come first", kvz_append(&w, path, &m, make_channels, e));
    unlink(path);
}

// Index vectors of an index that an earlier version made have eight bits; those of what it grows to
// have four, and what they say is the same.
static void an_index_of_an_earlier_version_grows_narrow(void **state)
{
    (void)state;
    char path[128], cmd[200];
    struct kvz *k;
    struct kvz_run was, is;
    snprintf(cmd, sizeof cmd, "cp tests/golden/kvz/wide-few.kvz '%s'", make_path(path, "few.kvz"));
    assert_int_equal(system(cmd), 0);
    OK(kvz_open(&k, "tests/golden/kvz/wide-few.kvz", e));
    const struct kvz_meta *m = kvz_meta(k);
    OK(kvz_run(k, 0, &was, e));
    const uint32_t dim = was.channel.dim;
    struct kvz_channel c[64];
    struct kvz_writer *w;
    struct kvz *grown;
    assert_true(m->n_channels <= 64);
    for (uint32_t i = 0; i < m->n_channels; i++) {
        struct kvz_run r;
        OK(kvz_run(k, i, &r, e));
        c[i] = r.channel;
    }
    OK(kvz_append(&w, path, m, c, e));
    OK(kvz_finish(w, NULL, e));
    kvz_writer_close(w);
    OK(kvz_open(&grown, path, e));
    OK(kvz_run(grown, 0, &is, e));
    assert_memory_equal(&is.channel, &was.channel, sizeof is.channel);
    assert_true(is.n == was.n && is.bytes < was.bytes);
    assert_memory_equal(is.token, was.token, is.n);
    for (uint64_t b = 0; b < kvz_n_blocks(k); b++)
        for (uint32_t d = 0; d < dim; d++) {
            float least = INFINITY, most = -INFINITY;
            for (uint64_t i = was.start[b]; i < was.start[b + 1]; i++) {
                const float x = was.scale[i] * was.vectors[i * dim + d];
                least = fminf(least, x);
                most = fmaxf(most, x);
            }
            for (uint64_t i = was.start[b]; i < was.start[b + 1]; i++)
                assert_true(fabsf(was.scale[i] * was.vectors[i * dim + d] -
                                  is.scale[i] * is.vectors[i * dim + d]) <=
                            (most - least) / 30 + is.scale[i]);
        }
    kvz_close(grown);
    kvz_close(k);
    assert_int_equal(kvz_verify(path, NULL, NULL, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_killed_run_ends_in_the_same_bytes),
        cmocka_unit_test(other_settings_are_refused),
        cmocka_unit_test(a_damaged_directory_is_refused),
        cmocka_unit_test(nobody_else_gets_to_read_it),
        cmocka_unit_test(a_file_of_others_stays),
        cmocka_unit_test(one_writer_at_a_time),
        cmocka_unit_test(what_others_put_there_stays),
        cmocka_unit_test(a_grown_index_is_the_index_of_both),
        cmocka_unit_test(an_index_of_an_earlier_version_grows_narrow),
        cmocka_unit_test(an_index_of_another_layout_does_not_grow),
    };
    return cmocka_run_group_tests(tests, own_dir_make_quick, own_dir_remove);
}
