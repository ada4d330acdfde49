// A summary written from the state that a cascading cache was left in, or from the blocks that
// carry the document: each part of it is represented by the blocks that received most attention
// when it was read.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ask/evidence.h"
#include "engine/encode/summary.h"
#include "engine/summarize/reduce.h"
#include "io/clock.h"
#include "io/mem.h"

enum {
    WORDS = 200,
    SECTION_WORDS = 60,
    BUDGET = 512,
    WINDOW = 128,
    SECTION_TOKENS = 4096,
    MAX_SECTIONS = 24,
    STATE_PASSAGES = 8
};

// Of the blocks FROM .. TO the ones that received most attention, one from each of COUNT equal
// parts, so that they are spread over all of it. PLACES [count]; returns how many.
static int carriers(const struct kvz *k, uint64_t from, uint64_t to, int count,
                    struct place *places, int *tokens, struct err *e)
{
    uint64_t n = to - from;
    int found = 0;
    *tokens = 0;
    if ((uint64_t)count > n)
        count = (int)n;
    for (int i = 0; i < count; i++) {
        uint64_t a = from + n * (uint64_t)i / (uint64_t)count;
        uint64_t z = from + n * (uint64_t)(i + 1) / (uint64_t)count;
        float best = -1;
        uint32_t size = 0;
        for (uint64_t b = a; b < z; b++) {
            struct kvz_block info;
            int rc = kvz_block(k, b, &info, e);
            if (rc)
                return rc;
            if (info.mass <= best || (info.flags & KVZ_SINK))
                continue;
            best = info.mass;
            size = info.n_tokens;
            places[found] = (struct place){.k = k, .block = b};
        }
        if (best >= 0) {
            found++;
            *tokens += (int)size;
        }
    }
    return found;
}

static int cite(struct summary_section *s, const struct place *places, int n, struct err *e)
{
    if (!(s->evidence = mem_new((size_t)n, sizeof *s->evidence, e)))
        return ERR_NOMEM;
    for (int i = 0; i < n; i++) {
        struct kvz_block b;
        int rc = kvz_block(places[i].k, places[i].block, &b, e);
        if (rc || (rc = evidence_of(&s->evidence[s->n_evidence++], places[i].k, 0, places[i].block,
                                    (double)b.mass, e)))
            return rc;
        s->evidence[i].was_read = 1;
    }
    return 0;
}

// One section, from the blocks FROM .. TO of one document, or of everything.
static int from_blocks(struct summarizing *z, uint64_t from, uint64_t to, struct summary_section *s,
                       struct err *e)
{
    int count = z->budget / (int)kvz_meta(z->k)->block, tokens, rc;
    struct places places = {mem_new((size_t)(count > 0 ? count : 1), sizeof *places.v, e), 0, 0};
    if (!places.v)
        return ERR_NOMEM;
    rc = places.n = carriers(z->k, from, to, count > 0 ? count : 1, places.v, &tokens, e);
    places.tokens = tokens;
    struct reading r = {.positions = z->positions,
                        .window = z->o->sections ? 0 : WINDOW,
                        .far = places,
                        .mode = READ_FRESH};
    if (rc >= 0)
        rc = summarize_write(z, &r, z->words, &s->text, e);
    if (!rc)
        rc = cite(s, places.v, places.n, e);
    free(places.v);
    return rc;
}

// Everything, from the summary state. Its tokens stand without gaps, as in the cache that kept
// them: left at one distance they tell the model nothing of their order.
static int from_state(struct summarizing *z, struct summary_section *s, struct err *e)
{
    struct reading r = {.positions = POSITIONS_CONTIGUOUS, .state = 1, .mode = READ_CACHED};
    int rc = summarize_write(z, &r, z->words, &s->text, e), n;
    uint64_t blocks[STATE_PASSAGES];
    struct place places[STATE_PASSAGES];
    if (rc || (rc = n = summary_blocks(z->k, STATE_PASSAGES, blocks, e)) < 0)
        return rc;
    for (int i = 0; i < n; i++)
        places[i] = (struct place){.k = z->k, .block = blocks[i]};
    return cite(s, places, n, e);
}

static int add_section(struct summarizing *z, uint64_t from, uint64_t to, struct err *e)
{
    struct kvz_block a, b;
    struct kvz_document d;
    int rc;
    if ((rc = kvz_block(z->k, from, &a, e)) || (rc = kvz_block(z->k, to - 1, &b, e)) ||
        (rc = kvz_document(z->k, a.document, &d, e)))
        return rc;
    struct summary_section *s = &z->out->sections[z->out->n_sections++];
    *s = (struct summary_section){.document = d.name, .start = a.start, .end = b.end};
    rc = z->from_state ? from_state(z, s, e) : from_blocks(z, from, to, s, e);
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

// Each document in parts of about SECTION_TOKENS tokens.
static int by_sections(struct summarizing *z, struct err *e)
{
    uint64_t n_docs = kvz_n_documents(z->k);
    z->out->sections = mem_new((size_t)n_docs * MAX_SECTIONS, sizeof *z->out->sections, e);
    if (!z->out->sections)
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
    struct kvz_summary is;
    int wants = from && !strcmp(from, "state"), rc;
    if (from && !wants && strcmp(from, "blocks"))
        return err_set(e, ERR_USAGE, "from '%s' is not one of state, blocks", from);
    if (wants && z->o->sections)
        return err_set(e, ERR_USAGE, "sections are written from blocks: the state is of the whole");
    z->out->from = "blocks";
    if (!wants)
        return 0;
    if ((rc = kvz_summary(z->k, &is, e)))
        return rc;
    if (!is.n)
        return err_set(e, ERR_MISMATCH,
                       "%s: has no summary state; --from blocks does without, and 'lctool encode' "
                       "makes one",
                       kvz_path(z->k));
    z->from_state = 1;
    z->out->from = "state";
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
    if (!rc && !kvz_n_blocks(k))
        rc = err_set(e, ERR_FORMAT, "%s: holds no text", kvz_path(k));
    z.chat = chat_find(kvz_meta(k)->template_name);
    z.words = o->words ? o->words : o->sections ? SECTION_WORDS : WORDS;
    z.budget = o->budget ? o->budget : BUDGET;
    if (!rc)
        rc = choose_source(&z, e);
    if (!rc && o->sections)
        rc = by_sections(&z, e);
    else if (!rc && !(s->sections = mem_new(1, sizeof *s->sections, e)))
        rc = ERR_NOMEM;
    else if (!rc)
        rc = add_section(&z, 0, kvz_n_blocks(k), e);
    if (!rc && s->n_sections > 1 && !is_stopped(&z))
        rc = summarize_reduce(&z, e);
    s->seconds = clock_seconds() - start;
    if (rc)
        summary_done(s);
    return rc;
}

static void evidence_done(struct evidence *v, int n)
{
    for (int i = 0; i < n; i++)
        free(v[i].text);
    free(v);
}

void summary_done(struct summary *s)
{
    for (int i = 0; i < s->n_sections; i++) {
        evidence_done(s->sections[i].evidence, s->sections[i].n_evidence);
        free(s->sections[i].text);
    }
    for (int i = 0; i < s->n_statements; i++)
        evidence_done(s->statements[i].evidence, s->statements[i].n_evidence);
    free(s->sections);
    free(s->statements);
    free(s->text);
    *s = (struct summary){0};
}
