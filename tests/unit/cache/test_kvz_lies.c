// Hostile indexes: reading never believes a lie that a checksum covers. Each rule of kvz(5) is
// broken.
#include "tests/unit/cache/damage.h"

// Where the parts of SUMM begin.
enum {
    SUMM_TOKENS = sizeof(struct disk_summary),
    SUMM_SCORES = SUMM_TOKENS + LAYERS * HEADS * HELD * 4,
    SUMM_LENGTHS = SUMM_SCORES + LAYERS * HEADS * HELD * 4,
    SUMM_CHUNKS = SUMM_LENGTHS + LAYERS * (HELD + SLOTS - 1) / SLOTS * 4,
};

// And those of SENT.
enum { SENT_ENTRIES = 128, SENT_SCALES = 256 };

// And those of WORD.
enum { WORD_FIRST = 128, WORD_VECTORS = 192 };

// Every checksum right, but one field is a lie. AT counts from the section (0: from the file).
static const struct lie {
    const char *rule;
    uint32_t tag;
    size_t at, bytes;
    uint64_t value;
    const char *says;
} lies[] = {
#define OF(s, f) offsetof(struct s, f), sizeof(((struct s *)0)->f)
    {"R1", 0, 1000, 1, 1, "header is damaged"},
    {"R5", 0, OF(disk_header, version), 5, "newer version (format 5"},
    {"R4", 0, OF(disk_header, version), 0, "header is damaged"},
    {"R4", 0, OF(disk_header, file_bytes), 99999, "instead of 99999"},
    {"R3", 0, OF(disk_header, table_off), 4096, "section table"},
    {"R3", 0, OF(disk_header, table_off), UINT64_MAX - 4095, "section table"},
    {"R3", 0, OF(disk_header, n_sections), 6, "section table"},
    {"R3", 0, OF(disk_header, n_sections), UINT32_MAX, "section table"},
    {"R9", 0, OF(disk_header, n_documents), 1, "wrong length"},
    {"R11", 0, OF(disk_header, n_blocks), UINT64_MAX / 64, "wrong length"},
    {"R9", 0, OF(disk_header, n_tokens), 5, "blocks of another"},
    {"R9", 0, OF(disk_header, n_tokens), 500, "no document"},
    {"R8", TAG_META, OF(disk_meta, n_layers), 0, "layers: 0 is not between"},
    {"R8", TAG_META, OF(disk_meta, n_layers), 1 << 30, "layers"},
    {"R8", TAG_META, OF(disk_meta, block), 4097, "block: 4097"},
    {"R8", TAG_META, OF(disk_meta, head_dim), 70000, "head dimensions"},
    {"R8", TAG_META, OF(disk_meta, sinks), 1 << 30, "sinks: 1073741824 is not between 0 and"},
    {"R8", TAG_META, OF(disk_meta, window), UINT32_MAX, "window"},
    {"R8", TAG_META, OF(disk_meta, chunk), (1 << 20) + 1, "chunk: 1048577"},
    {"R8", TAG_META, OF(disk_meta, topk), 4097, "topk: 4097"},
    {"R8", TAG_META, OF(disk_meta, codec), 6, "codec 6 is unknown"},
    {"R8", TAG_META, OF(disk_meta, k_bits), 4, "4 bits"},
    {"R8", TAG_META, OF(disk_meta, n_channels), 1, "CHNL has the wrong length"},
    {"R8", TAG_META, OF(disk_meta, n_channels), 1 << 20, "index channels"},
    {"R10", TAG_DOCS, OF(disk_document, name_off), 40, "name of document 0"},
    {"R10", TAG_DOCS, OF(disk_document, name_bytes), 3, "name of document 0"},
    {"R10", TAG_DOCS, OF(disk_document, format_off), UINT64_MAX, "name of document 0"},
    {"R9", TAG_DOCS, OF(disk_document, first_block), 1, "blocks of another"},
    {"R9", TAG_DOCS, OF(disk_document, n_blocks), UINT64_MAX, "blocks of another"},
    {"R9", TAG_DOCS, OF(disk_document, n_blocks), 2, "blocks of another"},
    {"R11", TAG_DOCS, OF(disk_document, bytes), 3, "directory is wrong"},
    {"R11", TAG_DIR, OF(disk_block, off), 64, "directory is wrong"},
    {"R11", TAG_DIR, OF(disk_block, off), UINT64_MAX - 63, "directory is wrong"},
    {"R11", TAG_DIR, OF(disk_block, off), 4097, "directory is wrong"},
    {"R12", TAG_DIR, OF(disk_block, off), 4096 + 64, "not where it should be"},
    {"R11", TAG_DIR, OF(disk_block, bytes), UINT64_MAX, "directory is wrong"},
    {"R13", TAG_DIR, OF(disk_block, bytes), 8, "too short"},
    {"R11", TAG_DIR, OF(disk_block, token), UINT64_MAX, "directory is wrong"},
    {"R11", TAG_DIR, OF(disk_block, document), 1, "directory is wrong"},
    {"R11", TAG_DIR, OF(disk_block, document), UINT64_MAX, "directory is wrong"},
    {"R11", TAG_DIR, OF(disk_block, n_tokens), 0, "directory is wrong"},
    {"R11", TAG_DIR, OF(disk_block, n_tokens), BLOCK + 1, "directory is wrong"},
    {"R13", TAG_DIR, OF(disk_block, n_tokens), BLOCK - 1, "that of another block"},
    {"R11", TAG_DIR, OF(disk_block, end), UINT64_MAX, "directory is wrong"},
    {"R11", TAG_DIR, OF(disk_block, mass), 0x7fc00000, "directory is wrong"},
    {"R13", TAG_BLOCKS, OF(disk_record, tag), 0, "that of another block"},
    {"R13", TAG_BLOCKS, OF(disk_record, block), 1, "that of another block"},
    {"R13", TAG_BLOCKS, OF(disk_record, n_layers), 3, "that of another block"},
    {"R13", TAG_BLOCKS, OF(disk_record, form), 3, "head is damaged"},
    {"R14", TAG_BLOCKS, OF(disk_record, tokens_bytes), UINT64_MAX, "parts are not where"},
    {"R14", TAG_BLOCKS, OF(disk_record, tokens_bytes), 1, "parts are not where"},
    {"R16", TAG_BLOCKS, OF(disk_record, tokens_raw), UINT64_MAX, "parts are not where"},
    {"R16", TAG_BLOCKS, OF(disk_record, tokens_raw), 70, "unpack"},
    {"R14", TAG_BLOCKS, sizeof(struct disk_record) + OF(disk_short_chunk, bytes), UINT32_MAX,
     "parts are not"},
    {"R17", TAG_BLOCKS, sizeof(struct disk_record) + OF(disk_short_chunk, codec), 7, "codec 7"},
    {"R17", TAG_BLOCKS, sizeof(struct disk_record) + OF(disk_short_chunk, codec), 3, "codec 3"},
    {"R20", TAG_CHANNELS, OF(disk_channel, off), 0, "index channel 0 is not where"},
    {"R20", TAG_CHANNELS, OF(disk_channel, n), UINT64_MAX, "index channel 0 is not where"},
    {"R20", TAG_CHANNELS, OF(disk_channel, bytes), 1, "index channel 0 is not where"},
    {"R20", TAG_CHANNELS, OF(disk_channel, dim), 0, "index channel 0 is not where"},
    {"R20", TAG_CHANNELS, OF(disk_channel, layer), 2, "index channel 0 is not where"},
    {"R21", TAG_VECTORS, 0, 8, 1, "index channel 0 (layer 0 head 1) is wrong"},
    {"R21", TAG_VECTORS, 8, 8, UINT64_MAX, "index channel 0 (layer 0 head 1) is wrong"},
    {"R21", TAG_VECTORS, 64, 4, 0x7f800000, "index channel 0 (layer 0 head 1) is wrong"},
    {"R21", TAG_VECTORS, 64, 4, 0xbf800000, "index channel 0 (layer 0 head 1) is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, form), 1, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, form), 2, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, n_caches), 0, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, n_caches), 2, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, n_caches), 65, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, slots), 0, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, slots), 5, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, slots), UINT32_MAX, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, seen), HELD - 1, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, seen), 1000, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, n), 0, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, n), HELD - 1, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, n), UINT32_MAX, "section SUMM is wrong"},
    {"R26", TAG_SUMMARY, SUMM_TOKENS, 4, 4, "section SUMM is wrong"},
    {"R26", TAG_SUMMARY, SUMM_TOKENS + (HELD - 1) * 4, 4, 1000, "section SUMM is wrong"},
    {"R26", TAG_SUMMARY, SUMM_SCORES, 4, 0xbf800000, "section SUMM is wrong"},
    {"R26", TAG_SUMMARY, SUMM_SCORES, 4, 0x7fc00000, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, SUMM_LENGTHS, 4, 1, "section SUMM is wrong"},
    {"R27", TAG_SUMMARY, SUMM_CHUNKS, 1, 0xff, "summary state, layer 0"},
    {"R27", TAG_SUMMARY, SUMM_CHUNKS + 1, 1, 5, "summary state, layer 0"},
    {"R28", TAG_TEXT, 0, 1, 0, "section TEXT differs from block"},
    {"R29", TAG_SENTENCES, OF(disk_sentences, n), 0, "section SENT is wrong"},
    {"R29", TAG_SENTENCES, OF(disk_sentences, n), SENTENCES - 1, "section SENT is wrong"},
    {"R29", TAG_SENTENCES, OF(disk_sentences, n), UINT64_MAX, "section SENT is wrong"},
    {"R29", TAG_SENTENCES, OF(disk_sentences, n), UINT64_C(1) << 60, "section SENT is wrong"},
    {"R29", TAG_SENTENCES, OF(disk_sentences, dim), 0, "section SENT is wrong"},
    {"R29", TAG_SENTENCES, OF(disk_sentences, dim), SENTENCE_DIM + 1, "section SENT is wrong"},
    {"R29", TAG_SENTENCES, OF(disk_sentences, dim), DISK_DIM_MAX + 1, "section SENT is wrong"},
    {"R1", TAG_SENTENCES, OF(disk_sentences, zero), 1, "section SENT is wrong"},
    {"R1", TAG_SENTENCES, offsetof(struct disk_sentences, name) + 20, 1, 'x',
     "section SENT is wrong"},
    {"R29", TAG_SENTENCES, offsetof(struct disk_sentences, name) + 63, 1, 'x',
     "section SENT is wrong"},
    {"R1", TAG_SENTENCES, sizeof(struct disk_sentences), 1, 1, "section SENT is wrong"},
    {"R1", TAG_SENTENCES, SENT_SCALES - 1, 1, 1, "section SENT is wrong"},
    {"R1", TAG_SENTENCES, SENT_SCALES + SENTENCES * 4, 1, 1, "section SENT is wrong"},
    {"R30", TAG_SENTENCES, SENT_ENTRIES, 8, 10, "section SENT is wrong"},
    {"R30", TAG_SENTENCES, SENT_ENTRIES, 8, UINT64_MAX, "section SENT is wrong"},
    {"R30", TAG_SENTENCES, SENT_ENTRIES + 8, 4, 0, "section SENT is wrong"},
    {"R30", TAG_SENTENCES, SENT_ENTRIES + 8, 4, UINT32_MAX, "section SENT is wrong"},
    {"R30", TAG_SENTENCES, SENT_ENTRIES + 12, 4, 1, "section SENT is wrong"},
    {"R30", TAG_SENTENCES, SENT_ENTRIES + 4 * 16, 8, UINT64_MAX, "section SENT is wrong"},
    {"R30", TAG_SENTENCES, SENT_ENTRIES + 4 * 16, 8, 1000, "section SENT is wrong"},
    {"R30", TAG_SENTENCES, SENT_ENTRIES + 4 * 16 + 12, 4, 3, "section SENT is wrong"},
    {"R30", TAG_SENTENCES, SENT_ENTRIES + 4 * 16 + 12, 4, UINT32_MAX, "section SENT is wrong"},
    {"R31", TAG_SENTENCES, SENT_SCALES, 4, 0xbf800000, "section SENT is wrong"},
    {"R31", TAG_SENTENCES, SENT_SCALES + 4 * 4, 4, 0x7f800000, "section SENT is wrong"},
    {"R31", TAG_SENTENCES, SENT_SCALES + 4 * 4, 4, 0x7fc00000, "section SENT is wrong"},
    {"R32", TAG_WORDS, OF(disk_words, n), 0, "section WORD is wrong"},
    {"R32", TAG_WORDS, OF(disk_words, n), N_WORDS - 1, "section WORD is wrong"},
    {"R32", TAG_WORDS, OF(disk_words, n), UINT64_MAX, "section WORD is wrong"},
    {"R32", TAG_WORDS, OF(disk_words, n_sentences), SENTENCES - 1, "section WORD is wrong"},
    {"R32", TAG_WORDS, OF(disk_words, n_sentences), UINT64_C(1) << 60, "section WORD is wrong"},
    {"R32", TAG_WORDS, OF(disk_words, dim), 0, "section WORD is wrong"},
    {"R32", TAG_WORDS, OF(disk_words, dim), WORD_DIM + 1, "section WORD is wrong"},
    {"R32", TAG_WORDS, OF(disk_words, dim), SENTENCE_DIM + 1, "section WORD is wrong"},
    {"R32", TAG_WORDS, OF(disk_words, wide), SENTENCE_DIM - 1, "section WORD is wrong"},
    {"R32", TAG_WORDS, OF(disk_words, wide), UINT32_MAX, "section WORD is wrong"},
    {"R1", TAG_WORDS, sizeof(struct disk_words), 1, 1, "section WORD is wrong"},
    {"R1", TAG_WORDS, WORD_FIRST - 1, 1, 1, "section WORD is wrong"},
    {"R1", TAG_WORDS, WORD_VECTORS - 1, 1, 1, "section WORD is wrong"},
    {"R33", TAG_WORDS, WORD_FIRST, 8, 1, "section WORD is wrong"},
    {"R33", TAG_WORDS, WORD_FIRST + 2 * 8, 8, 1, "section WORD is wrong"},
    {"R33", TAG_WORDS, WORD_FIRST + 3 * 8, 8, UINT64_MAX, "section WORD is wrong"},
    {"R33", TAG_WORDS, WORD_FIRST + SENTENCES * 8, 8, N_WORDS - 1, "section WORD is wrong"},
    {"R33", TAG_WORDS, WORD_FIRST + SENTENCES * 8, 8, N_WORDS + 1, "section WORD is wrong"},
};

static void tell(const struct lie *of, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct lie *l = &of[i];
        memcpy(damage.bad, damage.good, damage.n);
        memcpy(damage.bad + (l->tag ? damage_section(l->tag).off : 0) + l->at, &l->value, l->bytes);
        damage_seal();
        damage_put(damage.bad, damage.n);
        if (damage_complain() == 0 || !strstr(damage.said, l->says))
            fail_msg("lie %zu against %s: '%s' does not say '%s'", i, l->rule, damage.said,
                     l->says);
    }
    damage_undo();
}

static void no_rule_is_broken_unseen(void **state)
{
    (void)state;
    tell(lies, sizeof lies / sizeof *lies);
}

// The same of section BASE: of an index with codec 3.
static const struct lie base_lies[] = {
    {"R8", TAG_META, OF(disk_meta, k_bits), 9, "0.09 bits"},
    {"R8", TAG_META, OF(disk_meta, codec), 1, "600 bits"},
    {"R23", TAG_BASE, 0, 4, 0, "BASE is wrong"},
    {"R23", TAG_BASE, 0, 4, 3, "BASE is wrong"},
    {"R23", TAG_BASE, 4, 4, 0, "BASE is wrong"},
    {"R23", TAG_BASE, 4, 4, 129, "BASE is wrong"},
    {"R23", TAG_BASE, 8, 4, 2, "BASE is damaged"}, // packed, and of no length
    {"R23", TAG_BASE, 8, 4, 4, "BASE is wrong"},
    {"R23", TAG_BASE, 12, 4, 1, "BASE is wrong"},
    {"R23", TAG_BASE, 16, 1, 3, "BASE is wrong"},
    {"R23", TAG_BASE, 17, 1, 0, "BASE is wrong"},
    {"R23", TAG_BASE, 17, 1, 128, "BASE is wrong"},
    {"R23", TAG_BASE, 18, 1, 13, "BASE is wrong"},
    {"R23", TAG_BASE, 20, 2, 0, "BASE is wrong"},
    {"R23", TAG_BASE, 20, 2, 4000, "BASE is wrong"},
    {"R17", TAG_BLOCKS, sizeof(struct disk_record) + OF(disk_short_chunk, codec), 1, "codec 1"},
};

static void no_rule_of_codec_3_is_broken_unseen(void **state)
{
    (void)state;
    tell(base_lies, sizeof base_lies / sizeof *base_lies);
}

// Nor may what a chunk says of itself break it, whoever believes it: readers of keys and values,
// verify, and the division of bytes among heads.
static void a_chunk_that_lies_of_itself_is_refused(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        uint8_t value;
        const char *says;
    } of[] = {
        [CODEC_INT8] = {0, 0xff, "unknown flags"},
        [CODEC_ROTATED] = {1, 0, "unknown flags"},
        [CODEC_CODED] = {3, 0xff, "wrong length"},
    };
    struct disk_record r;
    struct kvz *k;
    float x[2 * HEADS * BLOCK * DIM];
    uint64_t bytes[2 * LAYERS * HEADS];
    struct disk_block b; // the last, which is no sink
    memcpy(&b, damage.good + damage_section(TAG_DIR).off + 4 * sizeof b, sizeof b);
    memcpy(&r, damage.good + b.off, sizeof r);
    const uint64_t mass = disk_align(disk_head_bytes(FORM_SHORT, LAYERS) + r.tokens_bytes, 8);
    const size_t chunk = b.off + disk_align(mass + r.n_tokens, 8);
    OK(kvz_open(&k, damage.path, e));
    const uint32_t codec = kvz_meta(k)->recipe.codec;
    OK(kvz_head_bytes(k, bytes, e));
    kvz_close(k);
    memset(damage.bad + chunk + of[codec].at, of[codec].value, 2);
    damage_seal();
    damage_put(damage.bad, damage.n);
    assert_true(damage_complain() > 0);
    assert_non_null(strstr(damage.said, of[codec].says));
    OK(kvz_open(&k, damage.path, e));
    REFUSED(ERR_FORMAT, of[codec].says, kvz_read_kv(k, 4, 0, x, x + HEADS * BLOCK * DIM, BLOCK, e));
    REFUSED(ERR_FORMAT, of[codec].says, kvz_head_bytes(k, bytes, e));
    kvz_close(k);
    damage_undo();
}

// Where another thread looks at BASE, kvz_opened says what is wrong with it, and so does every
// block that is read.
static void a_base_that_another_thread_makes_is_checked(void **state)
{
    (void)state;
    static float x[LAYERS * HEADS * DIM * 64];
    struct kvz *k;
    memcpy(damage.bad, damage.good, damage.n);
    damage.bad[damage_section(TAG_BASE).off + 4] = 0;
    damage_seal();
    damage_put(damage.bad, damage.n);
    REFUSED(ERR_FORMAT, "BASE is wrong", kvz_open(&k, damage.path, e));
    OK(kvz_open_beside(&k, damage.path, e));
    REFUSED(ERR_FORMAT, "BASE is wrong", kvz_opened(k, e));
    REFUSED(ERR_FORMAT, "BASE is wrong", kvz_read_kv(k, 0, 0, x, x, 64, e));
    kvz_close(k);
    damage_undo();
}

// The same of a narrow run, channel 0: scales of five blocks at 64, bounds at 128.
static const struct lie narrow_lies[] = {
    {"R20", TAG_CHANNELS, OF(disk_channel, kind), 1, "index channel 0 is not where"},
    {"R20", TAG_CHANNELS, OF(disk_channel, kind), DISK_NARROW + 2, "index channel 0 is not where"},
    {"R20", TAG_CHANNELS, OF(disk_channel, dim), DIM - 1, "index channel 0 is not where"},
    {"R21", TAG_VECTORS, 0, 8, 1, "index channel 0 (layer 0 head 1) is wrong"},
    {"R21", TAG_VECTORS, 8, 8, UINT64_MAX, "index channel 0 (layer 0 head 1) is wrong"},
    {"R21", TAG_VECTORS, 16, 8, BLOCK + 7, "index channel 0 (layer 0 head 1) is wrong"},
    {"R21", TAG_VECTORS, 64 + 16, 4, 0x7fc00000, "index channel 0 (layer 0 head 1) is wrong"},
    {"R21", TAG_VECTORS, 64 + 16, 4, 0xbf800000, "index channel 0 (layer 0 head 1) is wrong"},
    {"R21", TAG_VECTORS, 128, 2, 0x80, "index channel 0 (layer 0 head 1) is wrong"},
    {"R21", TAG_VECTORS, 128, 2, 0xff81, "index channel 0 (layer 0 head 1) is wrong"},
    {"R21", TAG_VECTORS, 128 + 79, 1, 0xff, "index channel 0 (layer 0 head 1) is wrong"},
};

static void no_rule_of_a_narrow_run_is_broken_unseen(void **state)
{
    (void)state;
    assert_int_equal(damage_section(TAG_CHANNELS).bytes, CHANNELS * sizeof(struct disk_channel));
    tell(narrow_lies, sizeof narrow_lies / sizeof *narrow_lies);
}

// The same of section SUMM in its short form.
static const struct lie short_lies[] = {
    {"R25", TAG_SUMMARY, OF(disk_summary, form), 0, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, form), 2, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, n), HELD - 1, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, OF(disk_summary, n), HELD + 1, "section SUMM is wrong"},
    {"R25", TAG_SUMMARY, sizeof(struct disk_summary), 1, 0xff, "section SUMM is wrong"},
    {"R27", TAG_DIR, OF(disk_block, token), 15, "no block has token"},
};

static void no_rule_of_a_short_state_is_broken_unseen(void **state)
{
    (void)state;
    tell(short_lies, sizeof short_lies / sizeof *short_lies);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_rule_is_broken_unseen),
        cmocka_unit_test(a_chunk_that_lies_of_itself_is_refused),
    };
    const struct CMUnitTest codec_2[] = {
        cmocka_unit_test(a_chunk_that_lies_of_itself_is_refused),
    };
    const struct CMUnitTest narrow[] = {
        cmocka_unit_test(no_rule_of_a_narrow_run_is_broken_unseen),
    };
    const struct CMUnitTest codec_3[] = {
        cmocka_unit_test(no_rule_of_codec_3_is_broken_unseen),
        cmocka_unit_test(a_chunk_that_lies_of_itself_is_refused),
        cmocka_unit_test(a_base_that_another_thread_makes_is_checked),
    };
    const struct CMUnitTest codec_5[] = {
        cmocka_unit_test(a_base_that_another_thread_makes_is_checked),
    };
    const struct CMUnitTest short_state[] = {
        cmocka_unit_test(no_rule_of_a_short_state_is_broken_unseen),
    };
    int failed = cmocka_run_group_tests(tests, damage_init_1, damage_done);
    failed += cmocka_run_group_tests(codec_2, damage_init_2, damage_done);
    failed += cmocka_run_group_tests(narrow, damage_init_narrow, damage_done);
    failed += cmocka_run_group_tests(codec_3, damage_init_3, damage_done);
    failed += cmocka_run_group_tests(codec_5, damage_init_5, damage_done);
    return failed + cmocka_run_group_tests(short_state, damage_init_short, damage_done);
}
