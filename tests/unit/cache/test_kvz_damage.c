// Damaged indexes: verify sees every flipped bit, and reading says what is damaged, by name.
#include "tests/unit/cache/damage.h"

#include "io/hash.h"

// What is read from the file is what was written or is refused. Returns how much is refused.
static int believe_no_lie(size_t at)
{
    uint64_t items[ITEMS];
    int n = damage_read(damage.path, items), refused_items = 0;
    if (n < 0)
        return 1;
    assert_int_equal(n, damage.n_items);
    for (int i = 0; i < n; i++) {
        if (items[i] && items[i] != damage.items[i])
            fail_msg("byte %zu flipped: item %d is read and wrong", at, i);
        refused_items += !items[i];
    }
    return refused_items;
}

static void every_flipped_byte_is_found(void **state)
{
    (void)state;
    size_t n_read = 0;
    damage_undo();
    for (size_t i = 0; i < damage.n; i++) {
        damage_put_byte(i, damage.good[i] ^ (uint8_t)(1 << i % 8));
        if (kvz_verify(damage.path, NULL, NULL, NULL) == 0)
            fail_msg("verify does not see a flipped bit in byte %zu", i);
        // Padding is only looked at by verify.
        if (i < 4096 || damage.good[i] || i % 16 == 0)
            n_read += believe_no_lie(i) > 0;
        damage_put_byte(i, damage.good[i]);
    }
    assert_int_equal(kvz_verify(damage.path, NULL, NULL, NULL), 0);
    assert_true(n_read > 4096);
}

static void a_cut_file_is_refused(void **state)
{
    (void)state;
    struct kvz *k;
    for (size_t i = 0; i < 300; i++) {
        size_t border = i < 3 * (damage.n / 4096 + 1)
                            ? i / 3 * 4096 + i % 3 - (i > 2)
                            : (size_t)(fabsf(make_noise(i)) * (float)damage.n);
        size_t n = border < damage.n ? border : damage.n - 1;
        damage_put(damage.good, n);
        REFUSED(ERR_FORMAT, "damage.kvz: ", kvz_open(&k, damage.path, e));
        REFUSED(ERR_FORMAT, "damage.kvz: ", (int)kvz_verify(damage.path, NULL, NULL, e));
    }
    uint8_t *more = calloc(damage.n + 1, 1);
    memcpy(more, damage.good, damage.n);
    damage_put(more, damage.n + 1);
    free(more);
    REFUSED(ERR_FORMAT, "bytes long instead of", kvz_open(&k, damage.path, e));
    damage_put((const uint8_t *)"GGUF", 4);
    REFUSED(ERR_FORMAT, "not a .kvz index", kvz_open(&k, damage.path, e));
    damage_put(damage.good, 0);
    REFUSED(ERR_FORMAT, "not a .kvz index", kvz_open(&k, damage.path, e));
    unlink(damage.path);
    REFUSED(ERR_IO, "damage.kvz", kvz_open(&k, damage.path, e));
    REFUSED(ERR_IO, "damage.kvz", (int)kvz_verify(damage.path, NULL, NULL, e));
    damage_undo();
}

static void random_lies_do_no_harm(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 3000; i++) {
        memcpy(damage.bad, damage.good, damage.n);
        for (uint64_t j = 0; j <= i % 3; j++) {
            float a = fabsf(make_noise(i * 9 + j)), b = fabsf(make_noise(i * 9 + j + 4));
            struct disk_section s = {.bytes = 64}; // the header
            uint32_t which = (uint32_t)(a * (float)(damage_header()->n_sections + 0.999f));
            if (which < damage_header()->n_sections)
                memcpy(&s, damage.good + damage_header()->table_off + which * sizeof s, sizeof s);
            size_t at = s.off + (size_t)(b * 0.999f * (float)s.bytes);
            damage.bad[at] = i % 2 ? (uint8_t)(a * 1e6f) : (uint8_t)(damage.bad[at] + 1 - i % 5);
        }
        damage_seal();
        damage_put(damage.bad, damage.n);
        damage_complain();
    }
    damage_undo();
}

static void damage_is_named(void **state)
{
    (void)state;
    struct disk_section dir = damage_section(TAG_DIR);
    struct disk_block b;
    struct disk_short_chunk c;
    char want[200];
    memcpy(&b, damage.good + dir.off + 4 * sizeof b, sizeof b);
    memcpy(&c, damage.good + b.off + disk_head_bytes(FORM_SHORT, 1), sizeof c);
    // The chunk of the last layer ends where the record does.
    size_t at = b.off + b.bytes - c.bytes / 2;
    damage_put_byte(at, (uint8_t)~damage.good[at]);
    assert_int_equal(damage_complain(), 1);
    snprintf(want, sizeof want, "block 4 layer 1 damaged: letters/b.txt bytes %d-%d (",
             (int)b.start, (int)b.end);
    assert_memory_equal(damage.said, want, strlen(want));
    struct kvz *k;
    float x[2 * HEADS * BLOCK * DIM];
    const struct kvz_kv side[] = {{3, x, x + HEADS * BLOCK * DIM, BLOCK},
                                  {4, x, x + HEADS * BLOCK * DIM, BLOCK}};
    OK(kvz_open(&k, damage.path, e));
    snprintf(want, sizeof want, "block 4 layer 1 (letters/b.txt bytes %d-%d)", (int)b.start,
             (int)b.end);
    REFUSED(ERR_FORMAT, want, kvz_read_kv(k, 4, 1, x, x + HEADS * BLOCK * DIM, BLOCK, e));
    REFUSED(ERR_FORMAT, want, kvz_read_kvs(k, 1, side, 2, e));
    OK(kvz_read_kvs(k, 0, side, 2, e));
    OK(kvz_read_kv(k, 4, 0, x, x + HEADS * BLOCK * DIM, BLOCK, e));
    OK(kvz_read_kv(k, 3, 1, x, x + HEADS * BLOCK * DIM, BLOCK, e));
    kvz_close(k);
    damage_undo();
}

// A section from the future: refused when it must be understood, passed over when it need not be.
static void unknown_sections(void **state)
{
    (void)state;
    struct disk_header h;
    memcpy(&h, damage.good, sizeof h);
    size_t table = h.n_sections * sizeof(struct disk_section), n = h.table_off + 4096 + table + 32;
    for (uint32_t required = 0; required < 2; required++) {
        uint8_t *p = calloc(n, 1);
        memcpy(p, damage.good, h.table_off);
        struct disk_section s = {DISK_TAG('X', 'T', 'R', 'A'), required, h.table_off, 10, 0};
        memset(p + s.off, 'x', 10);
        s.check = hash64(p + s.off, 10);
        struct disk_header more = h;
        more.n_sections++;
        more.file_bytes = n;
        more.table_off += 4096;
        memcpy(p + more.table_off, damage.good + h.table_off, table);
        memcpy(p + more.table_off + table, &s, sizeof s);
        more.table_check = hash64(p + more.table_off, table + 32);
        more.check = hash64(&more, offsetof(struct disk_header, check));
        memcpy(p, &more, sizeof more);
        damage_put(p, n);
        struct kvz *k;
        if (required) {
            REFUSED(ERR_UNSUPPORTED, "needs section XTRA", kvz_open(&k, damage.path, e));
        } else {
            assert_int_equal(damage_complain(), 0);
            assert_int_equal(believe_no_lie(0), 0);
            damage_put_byte(s.off + 3, 'y');
            assert_int_equal(damage_complain(), 1);
            assert_non_null(strstr(damage.said, "section XTRA is damaged"));
            assert_int_equal(believe_no_lie(0), 0);
        }
        free(p);
    }
    damage_undo();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_flipped_byte_is_found),
        cmocka_unit_test(a_cut_file_is_refused),
        cmocka_unit_test(random_lies_do_no_harm),
        cmocka_unit_test(damage_is_named),
        cmocka_unit_test(unknown_sections),
    };
    const struct CMUnitTest narrow[] = {
        cmocka_unit_test(every_flipped_byte_is_found),
        cmocka_unit_test(random_lies_do_no_harm),
    };
    const struct CMUnitTest codec_3[] = {
        cmocka_unit_test(a_cut_file_is_refused),
        cmocka_unit_test(random_lies_do_no_harm),
        cmocka_unit_test(damage_is_named),
    };
    const struct CMUnitTest codec_5[] = {
        cmocka_unit_test(a_cut_file_is_refused),
        cmocka_unit_test(every_flipped_byte_is_found),
        cmocka_unit_test(random_lies_do_no_harm),
        cmocka_unit_test(damage_is_named),
    };
    const struct CMUnitTest short_state[] = {
        cmocka_unit_test(every_flipped_byte_is_found),
    };
    int failed = cmocka_run_group_tests(tests, damage_init_1, damage_done);
    failed += cmocka_run_group_tests(narrow, damage_init_narrow, damage_done);
    failed += cmocka_run_group_tests(codec_3, damage_init_3, damage_done);
    failed += cmocka_run_group_tests(codec_5, damage_init_5, damage_done);
    return failed + cmocka_run_group_tests(short_state, damage_init_short, damage_done);
}
