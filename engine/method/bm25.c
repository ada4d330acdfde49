#include "engine/method/bm25.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/words/chars.h"
#include "engine/words/wordlist.h"
#include "engine/words/words.h"
#include "io/mem.h"
#include "kernels/pool.h"

enum {
    MAX_WORDS = 64,
    SLOTS = 256,   // a quarter of them in use at most
    TOGETHER = 32, // blocks that a thread counts at a time
};
static const double K1 = 1.2, B = 0.75;
// The least cover of a block that has a rare number of the question, or both words of a name: of a
// thousand similar records it is the one that is asked for, in whatever words.
static const double NUMBERED = 0.5;

struct word {
    char stem[WORD_STEM];
    int in_blocks;
    int numbers; // it is a number or has one
    int named;   // 1 and the number of the word that makes a name with it ("Nagel" of "Ida Nagel");
                 // 0: none
    int in_named; // blocks that have both
    double idf;
};

struct bm25 {
    struct word words[MAX_WORDS]; // of the question, then others, each once
    int n_words, n_asked;         // of them all, and of the question
    uint8_t slots[SLOTS]; // 1 and the number of a word, at or after the place of its stem; 0: empty
    struct word_starts starts; // of all words
    int64_t n_blocks;
    uint16_t *count;  // [n_blocks][n_words]
    uint32_t *length; // [n_blocks] words
    double mean;
};

// The slot of a stem, or the empty one where it would be.
static size_t slot_of(const struct bm25 *b, const char stem[WORD_STEM])
{
    uint64_t x = 0;
    memcpy(&x, stem, WORD_STEM);
    size_t at = (size_t)((x * 0x9e3779b97f4a7c15u) >> 56);
    while (b->slots[at] && memcmp(b->words[b->slots[at] - 1].stem, stem, WORD_STEM) != 0)
        at = (at + 1) % SLOTS;
    return at;
}

// The number of a word, or -1.
static int find(const struct bm25 *b, const char stem[WORD_STEM])
{
    return b->slots[slot_of(b, stem)] - 1;
}

static void count_words(const struct bm25 *b, const char *text, size_t bytes, int64_t row)
{
    size_t at = 0;
    char stem[WORD_STEM];
    uint16_t *count = b->count + row * b->n_words;
    uint32_t passed;
    while (word_next_of(&b->starts, text, bytes, &at, stem, &passed)) {
        int w = find(b, stem);
        b->length[row] += passed + 1;
        if (w >= 0 && count[w] < UINT16_MAX)
            count[w]++;
    }
    b->length[row] += passed;
}

struct block_text {
    const char *p; // NULL: it has been counted
    size_t bytes;
};

// The blocks of all indexes whose words are still to be counted.
struct counting {
    const struct bm25 *b;
    struct block_text *texts; // [b->n_blocks]
};

static void count_task(void *ctx, int task, int thread)
{
    (void)thread;
    const struct counting *c = ctx;
    const int64_t first = (int64_t)task * TOGETHER, left = c->b->n_blocks - first;
    for (int64_t row = first; row < first + (left < TOGETHER ? left : TOGETHER); row++)
        if (c->texts[row].p)
            count_words(c->b, c->texts[row].p, c->texts[row].bytes, row);
}

// Gives a word that is cut between two blocks ("invoice 20|41") to the first one, whole.
static void share_word(struct block_text *a, struct block_text *b)
{
    if (!a->bytes || !word_has(b->p[-1]))
        return;
    while (b->bytes && word_has(*b->p)) {
        a->bytes++;
        b->p++;
        b->bytes--;
    }
}

// Where the text of an index's blocks is, those from ROW on. It is in one place, or, of older
// indexes, in their records: then their words are counted as they are read.
static int find_text(const struct bm25 *b, struct kvz *k, int64_t row, struct block_text *texts,
                     struct err *e)
{
    const char *all;
    uint64_t left, n_blocks = kvz_n_blocks(k);
    uint64_t document = 0;
    int rc = kvz_text(k, &all, &left, e);
    for (uint64_t i = 0; !rc && i < n_blocks; i++, row++) {
        struct kvz_block info;
        if ((rc = kvz_block(k, i, &info, e)))
            break;
        size_t bytes = (size_t)(info.end - info.start);
        if (all && bytes > left)
            return err_set(e, ERR_FORMAT, "%s: section TEXT is too short", kvz_path(k));
        if (all) {
            texts[row] = (struct block_text){all, bytes};
            if (i && info.document == document)
                share_word(&texts[row - 1], &texts[row]);
            document = info.document;
            all += bytes;
            left -= bytes;
            continue;
        }
        char *text = mem_new(bytes + 1, 1, e);
        if (!text)
            return ERR_NOMEM;
        if (!(rc = kvz_read_text(k, i, text, e)))
            count_words(b, text, bytes, row);
        free(text);
    }
    return rc;
}

static int count_all(const struct bm25 *b, struct kvz *const *indexes, int n_indexes, int threads,
                     struct err *e)
{
    struct counting c = {b, mem_new((size_t)b->n_blocks, sizeof *c.texts, e)};
    const int n_tasks = (int)(b->n_blocks / TOGETHER) + 1;
    struct pool *pool = NULL;
    int rc = c.texts ? 0 : ERR_NOMEM;
    int64_t row = 0;
    for (int i = 0; !rc && i < n_indexes; row += (int64_t)kvz_n_blocks(indexes[i++]))
        rc = find_text(b, indexes[i], row, c.texts, e);
    if (!rc && !(rc = pool_new(&pool, threads < n_tasks ? threads : n_tasks, e)))
        pool_run(pool, n_tasks, count_task, &c);
    pool_free(pool);
    free(c.texts);
    return rc;
}

// Words that ask, and say nothing of what is asked for.
static const char ASKING[] = WORDLIST_ASKING "are did do does in is of the to was were allowed";

// Whether block ROW has word W and the one that makes a name with it.
static int has_name(const struct bm25 *b, int64_t row, int w)
{
    const uint16_t *count = b->count + row * b->n_words;
    return b->words[w].named && count[w] > 0 && count[b->words[w].named - 1] > 0;
}

static void add_block(struct bm25 *b, int64_t row, int w)
{
    b->words[w].in_blocks += b->count[row * b->n_words + w] > 0;
    b->words[w].in_named += has_name(b, row, w);
}

// Computes in how many blocks each word is, its idf, and the mean number of words of a block.
static void sum_up(struct bm25 *b)
{
    for (int64_t row = 0; row < b->n_blocks; row++) {
        for (int w = 0; w < b->n_words; w++)
            add_block(b, row, w);
        b->mean += (double)b->length[row] / (double)b->n_blocks;
    }
    for (int w = 0; w < b->n_words; w++) {
        double n = b->words[w].in_blocks;
        b->words[w].idf = log(1 + ((double)b->n_blocks - n + 0.5) / (n + 0.5));
        if (!b->words[w].in_blocks && word_is_in(ASKING, sizeof ASKING - 1, b->words[w].stem))
            b->words[w].idf =
                0; // "who" of a text without it is no word that the text is asked about
    }
}

// Whether a word in N blocks is rare.
static int are_few(const struct bm25 *b, int n)
{
    enum { FEW = 3, SHARE = 100 }; // blocks, and one in so many of them
    return n > 0 && (n <= FEW || n <= b->n_blocks / SHARE);
}

static int is_rare(const struct bm25 *b, int word)
{
    return are_few(b, b->words[word].in_blocks);
}

static double score_of(const struct bm25 *b, int64_t row, double *cover)
{
    int is_one = 0; // of the few that are asked for
    double sum = 0, has = 0, all = 0,
           scale = K1 * (1 - B + (b->mean > 0 ? B * b->length[row] / b->mean : 0));
    for (int w = 0; w < b->n_words; w++) {
        double tf = b->count[row * b->n_words + w], idf = b->words[w].idf;
        sum += tf > 0 ? idf * tf * (K1 + 1) / (tf + scale) : 0;
        has += tf > 0 ? idf : 0;
        all += idf;
        is_one |= tf > 0 && b->words[w].numbers && is_rare(b, w);
        is_one |= has_name(b, row, w) && are_few(b, b->words[w].in_named);
    }
    *cover = all > 0 ? has / all : 0;
    if (is_one && *cover < NUMBERED)
        *cover = NUMBERED;
    return sum;
}

static void add_words(struct bm25 *b, const char *text)
{
    char stem[WORD_STEM];
    size_t bytes;
    for (size_t at = 0; b->n_words < MAX_WORDS && word_next(text, strlen(text), &at, stem, &bytes);)
        if (find(b, stem) < 0) {
            size_t slot = slot_of(b, stem);
            b->words[b->n_words].numbers = word_has_digit(text + at - bytes, bytes);
            word_starts_add(&b->starts, stem, b->words[b->n_words].numbers);
            memcpy(b->words[b->n_words++].stem, stem, WORD_STEM);
            b->slots[slot] = (uint8_t)b->n_words;
        }
}

// Which words of TEXT, all of which are in B, make a name: two with capitals, one behind the other
// ("Ida Nagel", "Nagel, Ida").
static void add_names(struct bm25 *b, const char *text)
{
    char stem[WORD_STEM];
    size_t bytes, end = 0;
    int last = -1;
    for (size_t at = 0; word_next(text, strlen(text), &at, stem, &bytes); end = at) {
        const size_t from = at - bytes, apart = from - end;
        const int own = find(b, stem),
                  capital = is_upper(text[from]) && !word_is_in(ASKING, sizeof ASKING - 1, stem);
        const int behind =
            (apart == 1 && text[end] == ' ') || (apart == 2 && !strncmp(text + end, ", ", 2));
        if (capital && last >= 0 && own >= 0 && own != last && behind)
            b->words[own].named = last + 1;
        last = capital ? own : -1;
    }
}

int bm25_new(struct bm25 **out, struct kvz *const *indexes, int n_indexes, const char *question,
             const char *others, int threads, struct err *e)
{
    *out = NULL;
    struct bm25 *b = mem_new(1, sizeof *b, e);
    if (!b)
        return ERR_NOMEM;
    add_words(b, question);
    add_names(b, question);
    b->n_asked = b->n_words;
    add_words(b, others);
    for (int i = 0; i < n_indexes; i++)
        b->n_blocks += (int64_t)kvz_n_blocks(indexes[i]);
    b->count = mem_new((size_t)b->n_blocks * (size_t)b->n_words, sizeof *b->count, e);
    b->length = mem_new((size_t)b->n_blocks, sizeof *b->length, e);
    int rc = b->count && b->length ? count_all(b, indexes, n_indexes, threads, e) : ERR_NOMEM;
    if (rc) {
        bm25_free(b);
        return rc;
    }
    sum_up(b);
    *out = b;
    return 0;
}

// OWN's word becomes what B has counted of it, 0: B has not.
static int know(struct word *own, const struct bm25 *b)
{
    const int w = find(b, own->stem);
    if (w >= 0)
        *own = b->words[w];
    return w >= 0;
}

int bm25_of(struct bm25 **out, const struct bm25 *b, const char *question, const char *others,
            struct err *e)
{
    *out = NULL;
    if (!b)
        return 0;
    struct bm25 *own = mem_new(1, sizeof *own, e);
    if (!own)
        return ERR_NOMEM;
    add_words(own, question);
    own->n_asked = own->n_words;
    add_words(own, others);
    own->n_blocks = b->n_blocks;
    int known = 1;
    for (int w = 0; known && w < own->n_words; w++)
        known = know(&own->words[w], b);
    if (known)
        *out = own;
    else
        bm25_free(own);
    return 0;
}

void bm25_free(struct bm25 *b)
{
    if (!b)
        return;
    free(b->count);
    free(b->length);
    free(b);
}

void bm25_scores(const struct bm25 *b, double *score, double *cover)
{
    for (int64_t row = 0; row < b->n_blocks; row++)
        score[row] = score_of(b, row, &cover[row]);
}

// Which of the words TEXT has, to HAS [n_words].
static void find_all(const struct bm25 *b, const char *text, unsigned char *has)
{
    char stem[WORD_STEM];
    memset(has, 0, (size_t)b->n_words);
    for (size_t at = 0; word_next(text, strlen(text), &at, stem, NULL);) {
        int w = find(b, stem);
        if (w >= 0)
            has[w] = 1;
    }
}

double bm25_cover(const struct bm25 *b, const char *text)
{
    unsigned char has[MAX_WORDS];
    double own = 0, all = 0;
    find_all(b, text, has);
    for (int w = 0; w < b->n_asked; w++) {
        own += has[w] ? b->words[w].idf : 0;
        all += b->words[w].idf;
    }
    return all > 0 ? own / all : 0;
}

// A word's weight where the question is whether a text has it, not which text does: in a short
// document no word is rare.
static double weight(const struct word *w)
{
    static const double LEAST = 1;
    return LEAST + w->idf;
}

// The weight of all of the question's words.
static double all_weight(const struct bm25 *b)
{
    double all = 0;
    for (int w = 0; w < b->n_asked; w++)
        all += weight(&b->words[w]);
    return all;
}

double bm25_said(const struct bm25 *b, const char *text)
{
    unsigned char has[MAX_WORDS];
    double own = 0, all = all_weight(b);
    find_all(b, text, has);
    for (int w = 0; w < b->n_asked; w++)
        own += has[w] ? weight(&b->words[w]) : 0;
    return all > 0 ? own / all : 0;
}

double bm25_nowhere(const struct bm25 *b)
{
    double own = 0, all = all_weight(b);
    for (int w = 0; w < b->n_asked; w++)
        own += b->words[w].in_blocks ? 0 : weight(&b->words[w]);
    return all > 0 ? own / all : 0;
}

int bm25_lacks(const struct bm25 *b, const char *text)
{
    unsigned char has[MAX_WORDS];
    int lacks = 0;
    find_all(b, text, has);
    for (int w = 0; w < b->n_words; w++)
        lacks |= has[w] && !b->words[w].in_blocks;
    return lacks;
}

double bm25_rare(const struct bm25 *b, const char *text)
{
    unsigned char has[MAX_WORDS];
    double sum = 0;
    find_all(b, text, has);
    for (int w = b->n_asked; w < b->n_words; w++)
        sum += has[w] && is_rare(b, w) ? b->words[w].idf : 0;
    return sum;
}

double bm25_rare_in(const struct bm25 *b, int64_t block)
{
    const uint16_t *count = b->count + block * b->n_words;
    double sum = 0;
    for (int w = b->n_asked; w < b->n_words; w++)
        sum += count[w] && is_rare(b, w) ? b->words[w].idf : 0;
    return sum;
}
