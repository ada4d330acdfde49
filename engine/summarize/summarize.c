// A summary written from the sentences that say most of a document, or from the state that a
// cascading cache was left in.
#include <stdlib.h>
#include <string.h>

#include "engine/ask/ask.h"
#include "engine/encode/summary_state.h"
#include "engine/summarize/points.h"
#include "engine/summarize/reduce.h"
#include "engine/summarize/say.h"
#include "io/clock.h"
#include "io/mem.h"

enum {
    WORDS = 200,
    SECTION_WORDS = 60,
    BUDGET = 512,
    SECTION_TOKENS = 4096,
    MAX_SECTIONS = 24,
    STATE_PASSAGES = 8
};

// What the model's sentences may rest on.
struct sources {
    struct kvz *k;
    struct points points;
};

static int rest(void *arg, const char *sentence, size_t n, struct summary_statement *t,
                struct evidence *v, struct err *e)
{
    const struct sources *s = arg;
    const struct point *best;
    int rc = points_best(&best, &s->points, sentence, n, e);
    (void)t;
    if (rc || !best)
        return rc;
    rc = point_evidence(v, best, s->k, e);
    return rc ? rc : 1;
}

// One section, from the blocks of RANGE, of one document or of everything.
static int from_blocks(struct summarizing *z, const struct block_range *range,
                       struct summary_section *s, struct err *e)
{
    struct sources of = {.k = z->k};
    char *text = NULL;
    int rc = 0;
    if (z->quote != QUOTE_ALWAYS &&
        !(rc = points_new(&of.points, z->k, range->first, range->end, z->budget * 3 / 4, 0, e)))
        rc = points_text(&text, &of.points, e);
    struct reading r = {.mode = READ_FRESH, .text = text};
    struct say y = {.from = &r,
                    .read = z->quote == QUOTE_STRAYS ? text : NULL,
                    .first = range->first,
                    .end = range->end,
                    .words = z->words,
                    .told = !z->o->sections,
                    .rest = rest,
                    .arg = &of};
    rc = rc ? rc : summary_say(z, &y, &s->said, e);
    free(text);
    points_done(&of.points);
    return rc;
}

// Everything, from the summary state. Its tokens stand without gaps, as in the cache that kept
// them: left at one distance they tell the model nothing of their order.
static int from_state(struct summarizing *z, const struct block_range *range,
                      struct summary_section *s, struct err *e)
{
    struct reading r = {.positions = POSITIONS_CONTIGUOUS, .state = 1, .mode = READ_CACHED};
    uint64_t blocks[STATE_PASSAGES];
    struct sources of = {.k = z->k};
    int n = summary_state_blocks(z->k, STATE_PASSAGES, blocks, e);
    int rc = n < 0 ? n : points_of_blocks(&of.points, z->k, blocks, n, e);
    struct say y = {.from = &r,
                    .first = range->first,
                    .end = range->end,
                    .words = z->words,
                    .told = 1,
                    .rest = rest,
                    .arg = &of};
    rc = rc ? rc : summary_say(z, &y, &s->said, e);
    points_done(&of.points);
    return rc;
}

static int add_section(struct summarizing *z, uint64_t from, uint64_t to, struct err *e)
{
    struct kvz_block a, b;
    struct kvz_document d;
    int rc;
    if ((rc = kvz_block(z->k, from, &a, e)) || (rc = kvz_block(z->k, to - 1, &b, e)) ||
        (rc = kvz_document(z->k, a.document, &d, e)))
        return rc;
    struct block_range *range = &z->ranges[z->out->n_sections];
    struct summary_section *s = &z->out->sections[z->out->n_sections++];
    *range = (struct block_range){from, to};
    *s = (struct summary_section){.document = d.name, .start = a.start, .end = b.end};
    rc = z->from_state ? from_state(z, range, s, e) : from_blocks(z, range, s, e);
    if (rc)
        return rc;
    if (z->o->section)
        z->o->section(z->o->arg, s);
    return 0;
}

static int is_stopped(const struct summarizing *z)
{
    return z->o->stop && *z->o->stop;
}

static int room_for(struct summarizing *z, size_t sections, struct err *e)
{
    z->out->sections = mem_new(sections, sizeof *z->out->sections, e);
    z->ranges = mem_new(sections, sizeof *z->ranges, e);
    return z->out->sections && z->ranges ? 0 : ERR_NOMEM;
}

// Each document in parts of about SECTION_TOKENS tokens.
static int by_sections(struct summarizing *z, struct err *e)
{
    uint64_t n_docs = kvz_n_documents(z->k);
    if (room_for(z, (size_t)n_docs * MAX_SECTIONS, e))
        return ERR_NOMEM;
    for (uint64_t i = 0; i < n_docs && !is_stopped(z); i++) {
        struct kvz_document d;
        int rc = kvz_document(z->k, i, &d, e);
        if (rc)
            return rc;
        uint64_t parts = (d.n_tokens + SECTION_TOKENS - 1) / SECTION_TOKENS;
        parts = parts > MAX_SECTIONS ? MAX_SECTIONS : parts;
        for (uint64_t p = 0; p < parts && d.n_blocks && !is_stopped(z); p++) {
            uint64_t from = d.first_block + d.n_blocks * p / parts;
            uint64_t to = d.first_block + d.n_blocks * (p + 1) / parts;
            if (from < to && (rc = add_section(z, from, to, e)))
                return rc;
        }
    }
    return 0;
}

// What the whole is written from.
static int choose_source(struct summarizing *z, struct err *e)
{
    const char *from = z->o->from;
    int wants = from && !strcmp(from, "state"), lacks = 0;
    if (from && !wants && strcmp(from, "blocks"))
        return err_set(e, ERR_USAGE, "from '%s' is not one of state, blocks", from);
    if (wants && z->o->sections)
        return err_set(e, ERR_USAGE, "sections are written from blocks: the state is of the whole");
    z->out->from = "blocks";
    if (!wants)
        return 0;
    if ((lacks = summary_state_lacks(z->k, e)) < 0)
        return lacks;
    if (lacks)
        return err_set(e, ERR_MISMATCH,
                       "%s: has no summary state; --from blocks does without, and 'lctool encode' "
                       "makes one",
                       kvz_path(z->k));
    z->from_state = 1;
    z->out->from = "state";
    return 0;
}

// When the document is quoted, as the caller or else the model's profile says.
static int choose_quote(struct summarizing *z, struct err *e)
{
    static const char *const NAMES[] = {
        [QUOTE_NEVER] = "never", [QUOTE_STRAYS] = "strays", [QUOTE_ALWAYS] = "always"};
    const char *quote = z->o->quote;
    z->quote = !z->from_state && z->m->heads && z->m->heads->quote > 0 ? QUOTE_ALWAYS : QUOTE_NEVER;
    if (!quote)
        return 0;
    size_t i = 0, n = sizeof NAMES / sizeof *NAMES;
    while (i < n && strcmp(quote, NAMES[i]))
        i++;
    if (i == n)
        return err_set(e, ERR_USAGE, "quote '%s' is not one of never, strays, always", quote);
    z->quote = (enum quote_when)i;
    if (z->quote != QUOTE_NEVER && z->from_state)
        return err_set(e, ERR_USAGE, "nothing is quoted from the state: it has no sentences");
    return 0;
}

int summarize(struct model *m, struct kvz *k, const struct summarize_options *o, struct summary *s,
              struct err *e)
{
    struct summarizing z = {.m = m, .k = k, .o = o, .out = s};
    double start = clock_seconds();
    *s = (struct summary){0};
    int rc = ask_check(m, k, e);
    if (!rc)
        rc = positions_parse(kvz_meta(k)->positions, &z.positions, e);
    if (!rc)
        rc = ask_chat(&z.chat, k, NULL, e);
    if (!rc && !kvz_n_blocks(k))
        rc = err_set(e, ERR_FORMAT, "%s: holds no text", kvz_path(k));
    z.words = o->words ? o->words : o->sections ? SECTION_WORDS : WORDS;
    z.budget = o->budget ? o->budget : BUDGET;
    if (!rc)
        rc = choose_source(&z, e);
    if (!rc)
        rc = choose_quote(&z, e);
    if (!rc && o->sections)
        rc = by_sections(&z, e);
    else if (!rc && !(rc = room_for(&z, 1, e)))
        rc = add_section(&z, 0, kvz_n_blocks(k), e);
    if (!rc && s->n_sections > 1 && !is_stopped(&z))
        rc = summarize_reduce(&z, e);
    s->seconds = clock_seconds() - start;
    free(z.ranges);
    if (rc)
        summary_done(s);
    return rc;
}

void summary_done(struct summary *s)
{
    for (int i = 0; i < s->n_sections; i++)
        summary_text_done(&s->sections[i].said);
    summary_text_done(&s->whole);
    free(s->sections);
    *s = (struct summary){0};
}
