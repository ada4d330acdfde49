// A question that is looked up in all of a document. The index is made in memory, with nothing but
// what a survey reads of it, so that the document's text ends where memory does.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "cache/reader.h"
#include "engine/history/history.h"
#include "engine/outline/outline.h"
#include "engine/survey/definition.h"
#include "engine/survey/spelling.h"
#include "engine/survey/survey.h"
#include "engine/survey/surveys.h"
#include "engine/tables/tables.h"
#include "io/hash.h"
#include "tests/fuzz/text.h"

// With the sanitizers: nobody may read these bytes.
__attribute__((weak)) void __asan_poison_memory_region(const volatile void *p, size_t n);

enum { LINES = 32, PLACES = 4 };

// The parts of the index: the document, its name, the directory and, behind a gap, the text, so
// that a byte too early is seen as well as one too far.
enum { BLOCK = 64, NAMES = sizeof(struct disk_document), DIR = NAMES + 16, GAP = 16 };

// The index of the document TEXT [n]: K, without a file. Its memory, to be freed.
static uint8_t *make_index(struct kvz *k, const uint8_t *text, size_t n)
{
    static char path[] = "x.kvz";
    static const char names[] = "x.txt\0text";
    static uint64_t text_at;
    static struct fitted none;
    const size_t n_blocks = n / BLOCK + (n % BLOCK > 0);
    const size_t end = DIR + n_blocks * sizeof(struct disk_block), begin = end + GAP;
    const struct disk_document d = {.name_bytes = 5,
                                    .format_off = 6,
                                    .format_bytes = 4,
                                    .bytes = n,
                                    .n_blocks = n_blocks,
                                    .n_tokens = n_blocks};
    uint8_t *all = malloc(begin + n);
    must(all != NULL);
    memset(all, 0, begin);
    memcpy(all, &d, sizeof d);
    memcpy(all + NAMES, names, sizeof names);
    for (size_t i = 0; i < n_blocks; i++) {
        const size_t start = i * BLOCK, left = n - start;
        struct disk_block b = {.token = i,
                               .start = start,
                               .end = start + (left < BLOCK ? left : BLOCK),
                               .bytes = BLOCK,
                               .n_tokens = 1};
        b.check = hash64(&b, sizeof b - sizeof b.check);
        memcpy(all + DIR + i * sizeof b, &b, sizeof b);
    }
    if (n)
        memcpy(all + begin, text, n);
    if (__asan_poison_memory_region)
        __asan_poison_memory_region(all + end, GAP);
    *k = (struct kvz){.path = path,
                      .map = {all, begin + n},
                      .head = {.n_documents = 1, .n_blocks = n_blocks, .n_tokens = n_blocks},
                      .meta.block = 1,
                      .fitted = &none,
                      .text_at = &text_at,
                      .text_ok = 1,
                      .docs_ok = 1};
    k->of[S_NAMES] = (struct disk_section){.tag = TAG_NAMES, .off = NAMES};
    k->of[S_DIR] = (struct disk_section){.tag = TAG_DIR, .off = DIR};
    k->of[S_BLOCKS] = (struct disk_section){.tag = TAG_BLOCKS, .bytes = BLOCK};
    k->of[S_TEXT] = (struct disk_section){.tag = TAG_TEXT, .off = begin, .bytes = n};
    return all;
}

static void must_be_places(const struct lookup_answer *s, size_t n)
{
    must(s->n <= s->most);
    for (int i = 0; i < s->n; i++) {
        const struct lookup_place *p = &s->places[i];
        must(p->from <= p->to && p->to <= n && p->start <= p->end && p->end <= n);
    }
}

// Those that a question without another form may be answered by: survey() asks one after the other
// until it is.
static void look_up(struct kvz *k, const char *question, size_t n)
{
    static int (*const lookups[])(struct lookup * v, const char *q, struct err *e) = {
        tables_numbered,  tables_led,      tables_cell,      tables_priced,  tables_grid,
        tables_field,     tables_pair,     survey_term,      outline_items,  outline_faq,
        survey_meaning,   history_mail,    tables_rows,      survey_code,    outline_made,
        survey_measure,   tables_told_of,  tables_range,     survey_signed,  survey_author,
        tables_summed,    tables_aligned,  tables_dated,     survey_closing, survey_labelled,
        survey_event_day, outline_opening, tables_nested_key};
    for (size_t i = 0; i < sizeof lookups / sizeof *lookups; i++) {
        struct lookup_place places[PLACES];
        struct lookup_answer s = {.places = places, .most = PLACES};
        struct lookup v = {.k = &k, .n_k = 1, .s = &s};
        must((v.out = open_memstream(&s.text, &s.bytes)) != NULL);
        must(lookups[i](&v, question, NULL) >= 0);
        must_be_places(&s, n);
        must(!fclose(v.out));
        free(s.text);
    }
}

static int is_word(const void *ctx, const char *word, size_t n)
{
    (void)ctx;
    (void)word;
    return n % 2 != 0;
}

static void mend(struct kvz *k, const char *question)
{
    char *mended;
    must(!spelling_mended(&mended, question, &k, 1, is_word, NULL, NULL));
    must(!mended || strcmp(mended, question) != 0);
    free(mended);
}

// What the statement TEXT [n] defines.
static void read_definition(const char *text, size_t n)
{
    struct definition d;
    const char *p = text;
    size_t at = 0, bytes;
    if (!definition_parse(&d, text, n))
        return;
    must(d.name >= text && d.n_name <= n - (size_t)(d.name - text));
    must(d.value >= text && d.n_value <= n - (size_t)(d.value - text));
    char *name = fuzz_text_string(d.name, d.n_name);
    definition_is_of(&d, name);
    definition_rests_on(&d, name);
    free(name);
    must(definition_sole(&d, &p) <= n);
    while ((bytes = definition_next(&d, &at, &p)))
        must(bytes <= n);
}

static void read_definitions(const uint8_t *text, size_t n)
{
    const uint8_t *end;
    for (int i = 0; i < LINES && n; i++) {
        const size_t bytes = (end = memchr(text, '\n', n)) ? (size_t)(end - text) : n;
        char *line = fuzz_text_copy(text, bytes);
        read_definition(line, bytes);
        free(line);
        text += bytes + (end != NULL);
        n -= bytes + (end != NULL);
    }
}

static int read_survey(const uint8_t *data, size_t bytes)
{
    const uint8_t *text;
    size_t n;
    const size_t first = fuzz_text_question(data, bytes, &text, &n);
    char *question = fuzz_text_string(data, first);
    struct kvz k, *one = &k;
    struct lookup_answer s;
    uint8_t *memory = make_index(&k, text, n);
    const int rc = survey(&s, &one, 1, question, PLACES, NULL);
    must(rc >= 0);
    must_be_places(&s, n);
    lookup_answer_done(&s);
    look_up(&k, question, n);
    mend(&k, question);
    read_definitions(text, n);
    free(memory);
    free(question);
    return rc > 0;
}

const struct fuzz_target fuzz_survey = {.name = "survey",
                                        .runs = 3000,
                                        .seed = fuzz_text_seed,
                                        .mutate = fuzz_text_mutate,
                                        .read = read_survey};
