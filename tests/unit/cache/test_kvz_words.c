// The vectors of the words of sentences: they come out as they went in, belong to the sentences
// that were put before them, and their damage harms nothing else.
#include "tests/unit/cache/kvz_make.h"

#include "cache/format.h"

// Of the index PATH; WANT NULL: none.
static void has(const char *path, const struct kvz_words *want)
{
    struct kvz *k;
    struct kvz_words is;
    OK(kvz_open(&k, path, e));
    for (int again = 0; again < 2; again++) {
        OK(kvz_words(k, &is, e));
        assert_int_equal(is.n, want ? want->n : 0);
        if (!want)
            continue;
        assert_int_equal(is.n_sentences, want->n_sentences);
        assert_int_equal(is.dim, want->dim);
        assert_int_equal(is.wide, want->wide);
        assert_memory_equal(is.basis, want->basis, (size_t)is.dim * is.wide * sizeof *is.basis);
        assert_memory_equal(is.first, want->first, (is.n_sentences + 1) * sizeof *is.first);
        assert_memory_equal(is.vector, want->vector, is.n * is.dim);
        assert_int_equal((uintptr_t)is.basis % 64, 0);
        assert_int_equal((uintptr_t)is.first % 64, 0);
        assert_int_equal((uintptr_t)is.vector % 64, 0);
    }
    const struct kvz_section last = kvz_section_at(k, kvz_n_sections(k) - 1);
    assert_int_equal(!strcmp(last.tag, "WORD"), want != NULL);
    kvz_close(k);
    assert_int_equal(kvz_verify(path, NULL, NULL, NULL), 0);
}

// With sentences.
static struct kvz_writer *begun(const char *path)
{
    const struct kvz_sentences s = make_sentences();
    struct kvz_writer *w = make_begun(path);
    OK(kvz_put_sentences(w, &s, e));
    return w;
}

static void they_come_back(void **state)
{
    (void)state;
    char path[128];
    make_path(path, "back.kvz");
    struct kvz_words v = make_words();
    struct kvz_writer *w = begun(path);
    OK(kvz_put_words(w, &v, e));
    make_finished(w);
    has(path, &v);
    // One of the last sentence alone, of all dimensions, in the place of others.
    static const uint64_t last[SENTENCES + 1] = {0, 0, 0, 0, 0, 1};
    static int16_t basis[SENTENCE_DIM * SENTENCE_DIM];
    w = begun(path);
    OK(kvz_put_words(w, &v, e));
    v.n = 1;
    v.dim = SENTENCE_DIM;
    v.basis = basis;
    v.first = last;
    OK(kvz_put_words(w, &v, e));
    make_finished(w);
    has(path, &v);
    make_finished(begun(path));
    has(path, NULL);
}

// Others, or none, in the place of the sentences take their words away.
static void they_go_with_their_sentences(void **state)
{
    (void)state;
    char path[128];
    make_path(path, "gone.kvz");
    const struct kvz_words v = make_words();
    const struct kvz_sentences s = make_sentences(), none = {0};
    for (int some = 0; some < 2; some++) {
        struct kvz_writer *w = begun(path);
        OK(kvz_put_words(w, &v, e));
        OK(kvz_put_sentences(w, some ? &s : &none, e));
        if (!some)
            REFUSED(ERR_USAGE, "no sense", kvz_put_words(w, &v, e));
        make_finished(w);
        has(path, NULL);
    }
}

static void they_must_make_sense(void **state)
{
    (void)state;
    char path[128];
    make_path(path, "sense.kvz");
    const struct kvz_words good = make_words();
    struct kvz_writer *w = begun(path);
    OK(kvz_put_words(w, &good, e));
    static const uint64_t bad[][SENTENCES + 1] = {
        {1, 2, 2, 5, 6, 9}, {0, 2, 1, 5, 6, 9}, {0, 2, 2, 5, 6, 8}, {0, 2, 2, 5, 10, 9}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct kvz_words v = good;
        v.first = bad[i];
        REFUSED(ERR_USAGE, "no sense", kvz_put_words(w, &v, e));
    }
    struct kvz_words wrong[] = {good, good, good, good, good, good};
    wrong[0].n = 0;
    wrong[1].n = UINT64_MAX;
    wrong[2].n_sentences = SENTENCES - 1;
    wrong[3].dim = 0;
    wrong[4].dim = SENTENCE_DIM + 1;
    wrong[5].wide = SENTENCE_DIM + 1;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        REFUSED(ERR_USAGE, "no sense", kvz_put_words(w, &wrong[i], e));
    make_finished(w); // with what was put before
    has(path, &good);
}

static void damage_harms_nothing_else(void **state)
{
    (void)state;
    char path[128];
    struct kvz *k;
    struct kvz_words v = make_words();
    struct kvz_sentences s;
    struct kvz_writer *w = begun(make_path(path, "damaged.kvz"));
    OK(kvz_put_words(w, &v, e));
    make_finished(w);
    make_damaged_end(path);
    OK(kvz_open(&k, path, e));
    for (int again = 0; again < 2; again++) {
        REFUSED(ERR_FORMAT, "section WORD is damaged", kvz_words(k, &v, e));
        assert_int_equal(v.n, 0);
    }
    OK(kvz_sentences(k, &s, e));
    assert_int_equal(s.n, SENTENCES);
    kvz_close(k);
    make_verified(path, "section WORD is damaged");
}

// Damaged sentences are one place, although their words cannot be read either.
static void their_sentences_are_found_once(void **state)
{
    (void)state;
    char path[128];
    struct kvz *k;
    struct kvz_words v = make_words();
    size_t n;
    struct kvz_writer *w = begun(make_path(path, "sentences.kvz"));
    OK(kvz_put_words(w, &v, e));
    make_finished(w);
    char *p = make_slurp(path, &n);
    OK(kvz_open(&k, path, e));
    const struct kvz_section at = kvz_section_at(k, kvz_n_sections(k) - 2);
    kvz_close(k);
    assert_string_equal(at.tag, "SENT");
    p[at.off + at.bytes - 1] ^= 4;
    OK(file_replace(NULL, path, p, n, e));
    make_verified(path, "section SENT is damaged");
    OK(kvz_open(&k, path, e));
    REFUSED(ERR_FORMAT, "section SENT is damaged", kvz_words(k, &v, e));
    assert_int_equal(v.n, 0);
    kvz_close(k);
    free(p);
    make_damaged_end(path); // of the words, too
    char said[1024] = "";
    assert_int_equal(kvz_verify(path, make_hear, said, NULL), 2);
    assert_non_null(strstr(said, "section WORD is damaged"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_come_back),
        cmocka_unit_test(they_go_with_their_sentences),
        cmocka_unit_test(they_must_make_sense),
        cmocka_unit_test(damage_harms_nothing_else),
        cmocka_unit_test(their_sentences_are_found_once),
    };
    return cmocka_run_group_tests(tests, own_dir_make_quick, own_dir_remove);
}
