// The vectors of sentences: they come out as they went in, last through resuming and growing only
// where they are put again, and their damage harms nothing else.
#include "tests/unit/cache/kvz_make.h"

#include "cache/format.h"
#include "io/hash.h"

static void are_those_of(const struct kvz_sentences *is, const struct kvz_sentences *want)
{
    assert_int_equal(is->n, want->n);
    assert_int_equal(is->dim, want->dim);
    assert_true(is->digest == want->digest);
    assert_string_equal(is->name, want->name);
    assert_memory_equal(is->v, want->v, want->n * sizeof *want->v);
    assert_memory_equal(is->scale, want->scale, want->n * sizeof *want->scale);
    assert_memory_equal(is->vector, want->vector, want->n * want->dim);
    assert_int_equal((uintptr_t)is->v % 64, 0);
    assert_int_equal((uintptr_t)is->scale % 64, 0);
    assert_int_equal((uintptr_t)is->vector % 64, 0);
}

// Of the index PATH; WANT NULL: none.
static void has(const char *path, const struct kvz_sentences *want)
{
    struct kvz *k;
    struct kvz_sentences is;
    OK(kvz_open(&k, path, e));
    for (int again = 0; again < 2; again++) {
        OK(kvz_sentences(k, &is, e));
        if (want)
            are_those_of(&is, want);
        else
            assert_int_equal(is.n, 0);
    }
    const struct kvz_section last = kvz_section_at(k, kvz_n_sections(k) - 1);
    assert_int_equal(!strcmp(last.tag, "SENT"), want != NULL);
    kvz_close(k);
    assert_int_equal(kvz_verify(path, NULL, NULL, NULL), 0);
}

static void they_come_back(void **state)
{
    (void)state;
    char path[128], name[KVZ_NAME_MAX];
    make_path(path, "back.kvz");
    struct kvz_sentences s = make_sentences();
    struct kvz_writer *w = make_begun(path);
    OK(kvz_put_sentences(w, &s, e));
    make_finished(w);
    has(path, &s);
    // One alone, of the longest name, in the place of others.
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = 0;
    w = make_begun(path);
    OK(kvz_put_sentences(w, &s, e));
    s.n = 1;
    s.name = name;
    OK(kvz_put_sentences(w, &s, e));
    make_finished(w);
    has(path, &s);
    // None in the place of others, and none at all.
    w = make_begun(path);
    OK(kvz_put_sentences(w, &s, e));
    OK(kvz_put_sentences(w, &(struct kvz_sentences){0}, e));
    make_finished(w);
    has(path, NULL);
    make_finished(make_begun(path));
    has(path, NULL);
}

static void they_must_make_sense(void **state)
{
    (void)state;
    char path[128], name[KVZ_NAME_MAX + 1];
    make_path(path, "sense.kvz");
    const struct kvz_sentences good = make_sentences();
    struct kvz_writer *w = make_begun(path);
    OK(kvz_put_sentences(w, &good, e));
    memset(name, 'n', sizeof name);
    name[KVZ_NAME_MAX] = 0;
    static const struct kvz_sentence orders[][2] = {{{5, 1, 0}, {4, 1, 0}},
                                                    {{0, 1, 2}, {0, 1, 0}},
                                                    {{0, 0, 0}, {1, 1, 0}},
                                                    {{0, 1, 0}, {1, 0, 0}}};
    static const struct kvz_sentence unwritten[][1] = {
        {{0, 1, 1}}, {{0, 1, 3}}, {{0, 1000, 0}}, {{1000, 1, 0}}, {{UINT64_MAX, 2, 2}}};
    static const float scales[] = {-1, NAN, INFINITY};
    struct kvz_sentences s = good;
    s.name = name;
    REFUSED(ERR_USAGE, "no sense", kvz_put_sentences(w, &s, e));
    s.name = good.name;
    s.dim = 0;
    REFUSED(ERR_USAGE, "no sense", kvz_put_sentences(w, &s, e));
    s.dim = DISK_DIM_MAX + 1;
    REFUSED(ERR_USAGE, "no sense", kvz_put_sentences(w, &s, e));
    s.dim = good.dim;
    s.n = UINT64_MAX;
    REFUSED(ERR_USAGE, "no sense", kvz_put_sentences(w, &s, e));
    s.n = 1;
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        s.scale = &scales[i];
        REFUSED(ERR_USAGE, "no sense", kvz_put_sentences(w, &s, e));
    }
    s.scale = good.scale;
    for (size_t i = 0; i < sizeof unwritten / sizeof *unwritten; i++) {
        s.v = unwritten[i];
        REFUSED(ERR_USAGE, i == 1 ? "document 3" : "not written yet", kvz_put_sentences(w, &s, e));
    }
    s.n = 2;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        s.v = orders[i];
        REFUSED(ERR_USAGE, "no sense", kvz_put_sentences(w, &s, e));
    }
    make_finished(w); // with what was put before
    has(path, &good);
}

// A checkpoint does not keep them: whoever goes on puts them again, and the index is the same.
static void a_resumed_run_puts_them_again(void **state)
{
    (void)state;
    char path[128], whole[128];
    make_path(path, "resumed.kvz");
    make_path(whole, "whole.kvz");
    const struct kvz_sentences s = make_sentences();
    struct kvz_meta m = make_meta(1);
    struct kvz_writer *w = make_begun(whole);
    OK(kvz_put_sentences(w, &s, e));
    make_finished(w);
    for (int puts = 0; puts < 2; puts++) {
        void *back;
        size_t n;
        w = make_begun(path);
        OK(kvz_put_sentences(w, &s, e));
        make_checkpoint(w, "mark", 5);
        kvz_writer_close(w);
        OK(kvz_resume(&w, path, &m, make_channels, &back, &n, e));
        free(back);
        if (puts)
            OK(kvz_put_sentences(w, &s, e));
        make_finished(w);
        has(path, puts ? &s : NULL);
    }
    make_same_files(path, whole);
}

// Likewise an index that grows; those of its documents are still to be had from what it was.
static void an_index_that_grows_puts_them_again(void **state)
{
    (void)state;
    char path[128], whole[128];
    make_path(path, "grown.kvz");
    make_path(whole, "both.kvz");
    const struct kvz_sentences s = make_sentences();
    struct kvz_sentences first = s, old;
    first.n = 3;
    struct kvz_meta m = make_meta(1);
    struct kvz_writer *w = make_begun(whole);
    OK(kvz_put_sentences(w, &s, e));
    make_finished(w);
    for (int puts = 0; puts < 2; puts++) {
        struct kvz *k;
        OK(kvz_create(&w, path, &m, make_channels, e));
        make_document(w, "book.txt", 3);
        OK(kvz_put_sentences(w, &first, e));
        make_finished(w);
        OK(kvz_append(&w, path, &m, make_channels, e));
        OK(kvz_open(&k, path, e));
        OK(kvz_sentences(k, &old, e));
        are_those_of(&old, &first);
        OK(kvz_put_sentences(w, &old, e)); // copied
        kvz_close(k);
        REFUSED(ERR_USAGE, "document 2", kvz_put_sentences(w, &s, e));
        make_document(w, "empty", 0);
        make_document(w, "letters/b.txt", 2);
        if (puts)
            OK(kvz_put_sentences(w, &s, e));
        make_finished(w);
        has(path, puts ? &s : &first);
    }
    make_same_files(path, whole);
    OK(kvz_append(&w, path, &m, make_channels, e));
    make_finished(w);
    has(path, NULL);
}

// An index whose sentences are damaged is opened and read, and says so where they are asked for.
static void damage_harms_nothing_else(void **state)
{
    (void)state;
    char path[128];
    struct kvz *k;
    struct kvz_sentences s = make_sentences();
    float kv[2 * HEADS * BLOCK * DIM];
    struct kvz_writer *w = make_begun(make_path(path, "damaged.kvz"));
    OK(kvz_put_sentences(w, &s, e));
    make_finished(w);
    make_damaged_end(path);
    OK(kvz_open(&k, path, e));
    for (int again = 0; again < 2; again++) {
        REFUSED(ERR_FORMAT, "section SENT is damaged", kvz_sentences(k, &s, e));
        assert_int_equal(s.n, 0);
    }
    OK(kvz_read_kv(k, 4, 0, kv, kv + HEADS * BLOCK * DIM, BLOCK, e));
    kvz_close(k);
    make_verified(path, "section SENT is damaged");
}

// R29, of a name that fills its field, every checksum being right.
static void a_name_has_an_end(void **state)
{
    (void)state;
    char path[128], name[KVZ_NAME_MAX];
    struct kvz_sentences s = make_sentences();
    struct kvz *k;
    size_t n;
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = 0;
    s.name = name;
    struct kvz_writer *w = make_begun(make_path(path, "name.kvz"));
    OK(kvz_put_sentences(w, &s, e));
    make_finished(w);
    char *p = make_slurp(path, &n);
    struct disk_header *h = (struct disk_header *)(void *)p;
    struct disk_section *table = (struct disk_section *)(void *)(p + h->table_off),
                        *last = &table[h->n_sections - 1];
    p[last->off + offsetof(struct disk_sentences, name) + sizeof name - 1] = 'n';
    last->check = hash64(p + last->off, last->bytes);
    h->table_check = hash64(table, h->n_sections * sizeof *table);
    h->check = hash64(h, offsetof(struct disk_header, check));
    OK(file_replace(NULL, path, p, n, e));
    free(p);
    OK(kvz_open(&k, path, e));
    REFUSED(ERR_FORMAT, "section SENT is wrong", kvz_sentences(k, &s, e));
    kvz_close(k);
    make_verified(path, "section SENT is wrong");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_come_back),
        cmocka_unit_test(they_must_make_sense),
        cmocka_unit_test(a_resumed_run_puts_them_again),
        cmocka_unit_test(an_index_that_grows_puts_them_again),
        cmocka_unit_test(damage_harms_nothing_else),
        cmocka_unit_test(a_name_has_an_end),
    };
    return cmocka_run_group_tests(tests, own_dir_make_quick, own_dir_remove);
}
