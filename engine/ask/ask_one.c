// One question: probe pass -> votes -> read pass -> answer -> evidence.
#include "engine/ask/ask.h"
#include "engine/ask/chosen.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ask/alternative.h"
#include "engine/ask/asking.h"
#include "engine/ask/bridge.h"
#include "engine/ask/choose.h"
#include "engine/ask/evidence.h"
#include "engine/ask/focus.h"
#include "engine/ask/follow.h"
#include "engine/ask/hop.h"
#include "engine/ask/judge.h"
#include "engine/ask/latest.h"
#include "engine/ask/likelihood.h"
#include "engine/ask/target.h"
#include "engine/ask/titled.h"
#include "engine/ask/votes.h"
#include "engine/encode/summary_state.h"
#include "engine/passage/sentence.h"
#include "engine/question/question.h"
#include "engine/words/letter.h"
#include "io/clock.h"
#include "io/file.h"
#include "io/mem.h"
#include "io/show.h"

// A small model left alone with a question likes to answer from memory.
static const char LEAD[] = "According to the text above: ";

static const float ART_DIRECTION = 0.001f;
enum { ART_PATIENCE = 8 };
enum { MAX_TOKENS = 256, BUDGET = 512, WINDOW = 128, EVIDENCE = 4, MAX_QUESTION = 4096 };

int ask_check(const struct model *m, const struct kvz *k, struct err *e)
{
    const struct kvz_meta *t = kvz_meta(k);
    const struct model_info *f = &m->info;
    if (t->n_layers != (uint32_t)f->n_layers || t->n_kv_heads != (uint32_t)f->n_kv_heads ||
        t->head_dim != (uint32_t)f->head_dim || t->n_heads != (uint32_t)f->n_heads)
        return err_set(e, ERR_MISMATCH,
                       "%s: made for another model (%s, %s, %u layers, %u heads); name that one "
                       "with --model, or encode the documents anew",
                       kvz_path(k), file_name(t->model_path), t->arch, t->n_layers, t->n_heads);
    if (t->model_digest != f->digest)
        return err_set(
            e, ERR_MISMATCH,
            "%s: made for another model file of the same shape (%s, weights %016llx; this "
            "one is %s, %016llx); name the first with --model, or encode the documents anew",
            kvz_path(k), file_name(t->model_path), (unsigned long long)t->model_digest,
            file_name(f->path), (unsigned long long)f->digest);
    if (t->tokenizer_digest != f->tokenizer_digest)
        return err_set(
            e, ERR_MISMATCH,
            "%s: made with another tokenizer, that of %s; name that one with --model, or "
            "encode the documents anew",
            kvz_path(k), file_name(t->model_path));
    enum positions p;
    char shown[2 * sizeof t->positions];
    if (positions_parse(t->positions, &p, NULL))
        return err_set(e, ERR_FORMAT, "%s: made at positions '%s', which are not known here",
                       kvz_path(k),
                       show_bytes(t->positions, strlen(t->positions), shown, sizeof shown));
    return 0;
}

int ask_chat(const struct chat **out, const struct kvz *k, const char *asked, struct err *e)
{
    const char *name = asked ? asked : kvz_meta(k)->template_name;
    char shown[2 * sizeof kvz_meta(k)->template_name];
    if ((*out = chat_find(name)))
        return 0;
    if (asked)
        return err_set(e, ERR_USAGE, "template '%s' is not known", asked);
    return err_set(e, ERR_FORMAT, "%s: made with template '%s', which is not known here",
                   kvz_path(k), show_bytes(name, strlen(name), shown, sizeof shown));
}

// The value of an option where 0 is the default DEF, and below 0 none.
static int or_default(int given, int def)
{
    return given < 0 ? 0 : given ? given : def;
}

int ask_is_blank(const char *question)
{
    const size_t n = strlen(question);
    for (size_t at = 0; at < n; at++)
        if (((unsigned char)question[at] & 0xc0) != 0x80 && letter_at(question + at, n - at))
            return 0;
    return 1;
}

int ask_passages(const struct ask_options *o)
{
    return or_default(o->n_evidence, EVIDENCE);
}

int ask_max_tokens(const struct ask_options *o)
{
    return o->max_tokens ? o->max_tokens : MAX_TOKENS;
}

// With a method that reads the summary state: it stands for blocks and window, because it spans the
// document to its end. A document no longer than the sinks is all in sight without one.
static int setup_state(struct asking *q, struct err *e)
{
    int lacks = summary_state_lacks(q->k[0], e);
    if (lacks < 0)
        return lacks;
    if (lacks)
        return err_set(e, ERR_MISMATCH, "%s: has no summary state; 'lctool encode' makes one",
                       kvz_path(q->k[0]));
    if (q->n_k > 1)
        return err_set(e, ERR_USAGE, "method 'cascade' asks one index at a time");
    q->how.positions = q->o->positions ? q->how.positions : POSITIONS_CONTIGUOUS;
    q->how.window = 0;
    q->how.mode = READ_CACHED;
    return 0;
}

static int setup_art(struct asking *q, struct err *e)
{
    const struct ask_options *o = q->o;
    if (o->art_scale <= 0)
        return o->art_dir > 0 || o->art_patience > 0
                   ? err_set(e, ERR_USAGE,
                             "--art-dir and --art-patience do nothing without --art-scale")
                   : 0;
    if (q->how.parts.traverse != TRAVERSE_IMPORTANCE)
        return err_set(e, ERR_USAGE,
                       "--art-scale wants the order of importance: --traverse importance");
    if (read_text_only(q->how.mode))
        return err_set(e, ERR_USAGE, "--art-scale is about stored blocks: --read cached or both");
    q->how.art = (struct art){.scale = (float)o->art_scale,
                              .direction = o->art_dir > 0 ? (float)o->art_dir : ART_DIRECTION,
                              .patience = o->art_patience > 0 ? o->art_patience : ART_PATIENCE,
                              .block = (int)kvz_meta(q->k[0])->block};
    return 0;
}

// Refuses options that need a choice for each layer where there is none.
static int check_layers(const struct asking *q, struct err *e)
{
    const struct method *p = &q->how.parts;
    const char *what = p->share == SHARE_HEAD ? "--head-select-mode separate"
                       : p->token_step        ? "--token-step"
                                              : NULL,
               *named = what               ? what
                        : q->o->layer_step ? "--layer-step"
                                           : NULL;
    if (named && p->scope != SCOPE_LAYER)
        return err_set(e, ERR_USAGE, "%s wants a choice for each layer: --scope layer", named);
    if (!what)
        return 0;
    if (read_text_only(q->how.mode))
        return err_set(e, ERR_USAGE, "%s is about stored blocks: --read cached or both", what);
    if (p->share == SHARE_HEAD && p->select == SELECT_SIMILARITY)
        return err_set(e, ERR_USAGE, "%s wants heads that vote: --select vote or exact", what);
    if (p->share == SHARE_HEAD &&
        (q->how.positions == POSITIONS_ORIGINAL || p->traverse != TRAVERSE_DOCUMENT))
        return err_set(e, ERR_USAGE,
                       "%s has no order that all heads share: --positions window or contiguous, "
                       "--traverse document",
                       what);
    return 0;
}

// q->how.doubt: only a greedy answer of one sentence, of the model's own words, is replaced by what
// was read.
static float doubt(const struct asking *q)
{
    const struct ask_options *o = q->o;
    const struct heads *h = q->m->heads;
    if (!read_sentences_only(q->how.mode) ||
        or_default(o->sentences, h ? h->answer_sentences : 0) != 1 || o->quote < 0 || o->temp > 0 ||
        o->answer_prefix)
        return 0;
    return o->quote > 0 ? o->quote : h ? h->quote : 0;
}

// q->how.parts: those of the index, changed by the method that the question names, and by the parts
// that it names one by one.
static int setup_method(struct asking *q, struct err *e)
{
    const struct ask_options *o = q->o;
    struct method *p = &q->how.parts;
    const struct {
        enum method_part part;
        const char *name;
    } asked[] = {{PART_SELECT, o->select},     {PART_PROBE, o->probe}, {PART_REDUCE, o->reduce},
                 {PART_VOTERS, o->voters},     {PART_SCOPE, o->scope}, {PART_ALLOT, o->allot},
                 {PART_TRAVERSE, o->traverse}, {PART_SHARE, o->share}};
    int rc = method_of_index(p, kvz_meta(q->k[0]), q->m, e);
    if (!rc)
        rc = method_for_question(p, o->method, q->m, kvz_path(q->k[0]), e);
    for (size_t i = 0; !rc && i < sizeof asked / sizeof *asked; i++)
        rc = method_set(p, asked[i].part, asked[i].name, e);
    p->likelihood = o->likelihood ? o->likelihood : p->likelihood;
    p->rerank = o->rerank ? o->rerank : p->rerank;
    p->echo = or_default(o->echo, p->echo);
    p->dense = or_default(o->dense, p->dense);
    p->layer_step = o->layer_step ? o->layer_step : p->layer_step;
    p->token_step = or_default(o->token_step, p->token_step);
    p->preselect = or_default(o->preselect, p->preselect);
    return rc;
}

static int setup(struct asking *q, struct err *e)
{
    const struct ask_options *o = q->o;
    const struct kvz_meta *t = kvz_meta(q->k[0]);
    int rc;
    for (int i = 0; i < q->n_k; i++) {
        if ((rc = ask_check(q->m, q->k[i], e)))
            return rc;
        q->a->document_tokens += kvz_n_tokens(q->k[i]);
    }
    if ((rc = ask_chat(&q->how.chat, q->k[0], o->template_name, e)) || (rc = setup_method(q, e)) ||
        (rc = positions_parse(o->positions ? o->positions : t->positions, &q->how.positions, e)))
        return rc;
    if (q->n_k > 1 && q->how.positions == POSITIONS_ORIGINAL)
        return err_set(e, ERR_USAGE, "several indexes have no common original positions");
    q->how.window = or_default(o->window, WINDOW);
    q->how.budget = o->blocks ? o->blocks * (int)t->block : o->budget ? o->budget : BUDGET;
    q->how.n_evidence = ask_passages(o);
    q->how.max_tokens = ask_max_tokens(o);
    // The profile says how blocks are read that heads have chosen for all layers.
    const struct method *p = &q->how.parts;
    int others = p->scope == SCOPE_LAYER || p->dense > 0 || p->allot == ALLOT_ALL ||
                 p->select == SELECT_NONE;
    q->how.mode = o->read ? o->read : others || !q->m->heads ? READ_CACHED : q->m->heads->read;
    // The profile's is for the few sentences that it was measured with.
    float copy = q->m->heads && read_sentences_only(q->how.mode) ? q->m->heads->copy : 0;
    q->how.copy = o->copy < 0 ? 0 : o->copy > 0 ? o->copy : copy;
    q->how.doubt = doubt(q);
    // Nor where all is read is anything chosen that ought to stand out.
    const int chosen = !p->state && p->allot != ALLOT_ALL;
    q->how.sharpen = o->sharpen > 0 ? o->sharpen : q->m->heads && chosen ? q->m->heads->sharpen : 0;
    if (p->state && (rc = setup_state(q, e)))
        return rc;
    if ((rc = setup_art(q, e)) || (rc = check_layers(q, e)))
        return rc;
    if ((rc = target_find(q, e)) ||
        (rc = prompt_text(&q->prompts.ranked, q->m, asking_ranked(q), TOK_PLAIN, e)) ||
        (rc = prompt_probe(&q->prompts.probe, q->m, asking_ranked(q), p->echo, e)))
        return rc;
    const char *lead = o->lead ? o->lead : strcmp(q->how.chat->name, "raw") ? LEAD : NULL;
    return prompt_question(&q->prompts.read, q->m, q->how.chat, lead, o->question, o->answer_prefix,
                           e);
}

// ------------------------------------------------------------------------------ the choice

// Tells the kernel which blocks will be read, so that the disk works meanwhile.
static void announce(const struct places *p)
{
    for (int i = 0; i < p->n; i++)
        kvz_will_need(p->v[i].k, &p->v[i].block, 1);
}

// Fills in q->votes.preselected: in each layer the blocks that receive most of the question's
// attention, over the keys of all tokens and heads (SnapKV, arXiv:2404.14469, section 4).
static int preselect(struct asking *q, struct err *e)
{
    struct method p = q->how.parts;
    int n_layers = q->m->info.n_layers;
    if (!p.preselect)
        return 0;
    p.select = SELECT_EXACT;
    p.probe = PROBE_TOKENS;
    p.reduce = REDUCE_POOL;
    p.voters = VOTERS_ALL;
    int rc = ballot_new(&q->votes.ballot, q->m, q->k, q->n_k, &p, q->o->question, e);
    if (!rc)
        rc = votes_cast(q, e);
    size_t n = rc ? 0 : (size_t)q->votes.ballot->n_blocks;
    int64_t *order = mem_new(n, sizeof *order, e);
    q->votes.preselected = mem_new((size_t)(n_layers + 1), n, e);
    if (!rc && (!order || !q->votes.preselected))
        rc = ERR_NOMEM;
    for (int l = 0; !rc && l <= n_layers; l++) {
        double entropy;
        int voters;
        rc = ballot_layer(q->votes.ballot, l < n_layers ? l : -1, -1, order, &entropy, &voters, e);
        for (size_t i = 0; !rc && i < n && i < (size_t)p.preselect; i++)
            q->votes.preselected[(size_t)l * n + (size_t)order[i]] = 1;
    }
    free(order);
    ballot_free(q->votes.ballot);
    q->votes.ballot = NULL;
    votes_forget(q);
    return rc;
}

// *MOST: how many of the first blocks in the order of the votes can be looked at: as many as fit
// the budget, with those between them that are in sight anyway, evidence, and blocks whose
// sentences are judged. 0: that is not known, or the device does not count votes and so need not
// know it.
static int looked_at(const struct asking *q, int64_t *most, struct err *e)
{
    const struct method *p = &q->how.parts;
    *most = 0;
    if (!q->m->device->ops->elect || p->allot == ALLOT_ALL || p->dense > 0 || p->preselect ||
        q->o->hops > 1 || q->target.n || q->o->embedder) // whose vectors may name any block
        return 0;
    int64_t n = q->how.n_evidence + likelihood_judged(p->likelihood, INT_MAX, -INFINITY) + 1,
            least = INT64_MAX;
    for (int i = 0; i < q->n_k; i++) {
        const int64_t full = kvz_meta(q->k[i])->block;
        struct kvz_block b;
        for (uint64_t j = 0; j < kvz_n_blocks(q->k[i]); j++) {
            int rc = kvz_block(q->k[i], j, &b, e);
            if (rc)
                return rc;
            n += (int64_t)b.n_tokens < full || b.end <= b.start || (b.flags & KVZ_SINK);
        }
        n += 1 + q->how.window / full;
        least = full < least ? full : least;
    }
    *most = n + 1 + q->how.budget / least;
    return 0;
}

static int find_blocks(struct asking *q, struct err *e)
{
    int rc;
    for (int i = 0; i < q->n_k; i++)
        kvz_will_search(q->k[i]);
    if ((rc = preselect(q, e)) ||
        (rc = ballot_new(&q->votes.ballot, q->m, q->k, q->n_k, &q->how.parts, asking_ranked(q), e)))
        return rc;
    q->a->select = method_part(&q->how.parts, PART_SELECT);
    if ((rc = looked_at(q, &q->votes.ballot->most, e)) || (rc = votes_cast(q, e)) ||
        (rc = target_first(q, e)) || (rc = latest_first(q->votes.ballot, e)))
        return rc;
    if ((rc = likelihood_rank(q, e)) || (rc = titled_below(q, e)) || (rc = hop_further(q, e)) ||
        (rc = bridge_over(q, e)) || (rc = follow_on(q, e)))
        return rc;
    judge_done(&q->judged.judge); // what is read next needs its memory
    if ((rc = choose_blocks(q, e)))
        return rc;
    announce(&q->chosen.far);
    for (int i = 0; q->chosen.by_layer.v && i < q->m->info.n_layers * q->chosen.by_layer.lanes; i++)
        announce(&q->chosen.by_layer.v[i]);
    return 0;
}

// --------------------------------------------------------------------------------- the read pass

// How many sentences of an answer are worth reading: one for each thing that is asked for.
static int profile_sentences(const struct asking *q)
{
    int n = q->m->heads ? q->m->heads->answer_sentences : 0;
    return question_for_several(q->o->question) && q->a->n_choices ? n * q->a->n_choices : n;
}

// How many sentences the answer has; 0: as many as it gets.
static int answer_sentences(const struct asking *q)
{
    return or_default(q->o->sentences, profile_sentences(q));
}

// Nats a token from which on an answer gives way to what was read: where it has one sentence, or
// one for each of several things. 0: never.
static float least_doubt(const struct asking *q)
{
    const int each = question_for_several(q->o->question) && !q->o->answer_prefix &&
                     !q->o->sentences && profile_sentences(q);
    return each || answer_sentences(q) == 1 ? q->how.doubt : 0;
}

static int answer(struct asking *q, double start, struct err *e)
{
    const struct ask_options *o = q->o;
    struct reading r = {.m = q->m,
                        .chat = q->how.chat,
                        .home = q->k[q->chosen.home],
                        .positions = q->how.positions,
                        .window = q->how.window,
                        .far = q->chosen.far,
                        .layers = q->chosen.by_layer.v,
                        .lanes = q->chosen.by_layer.lanes,
                        .state = q->how.parts.state,
                        .traverse = q->how.parts.traverse,
                        .art = q->how.art,
                        .mode = q->how.mode,
                        .sharpen = q->how.sharpen,
                        .copy = q->how.copy,
                        .doubt = least_doubt(q),
                        .in_its_words =
                            q->a->n_choices && focus_goes_on(q, q->votes.ballot->order[0]),
                        .question = &q->prompts.read,
                        .prefix = &q->judged.prefix,
                        .sentences = &q->read.sentences,
                        .excerpts = &q->read.excerpts,
                        .asked = o->question,
                        .quoted = 1 + q->chosen.lead.found,
                        .copied = q->chosen.lead.found,
                        .several = question_for_several(o->question),
                        .shown = &q->read.shown,
                        .w = {.max_tokens = q->how.max_tokens,
                              .sentences = answer_sentences(q),
                              .goes_on = o->answer_prefix != NULL,
                              .draft.most = o->draft,
                              .sampler = {.temp = o->temp, .top_p = o->top_p, .state = o->seed},
                              .stop = o->stop,
                              .text = o->text,
                              .arg = o->arg,
                              .token_step = q->chosen.by_layer.v ? q->how.parts.token_step : 0,
                              .retrieve = choose_anew,
                              .retrieve_arg = q}};
    int rc = read_sentences_only(q->how.mode) ? chosen_read(&q->read.sentences, q, e) : 0;
    r.news = q->said.news;
    r.unsaid = q->said.unsaid;
    r.apart = q->said.apart;
    r.copied &= !q->said.in_order;
    // A model that is likely to be wrong says so best in the document's words.
    r.in_its_words |= q->said.verbatim || (q->a->unsure && !o->quote);
    if (!rc)
        rc = read_and_write(&r, e);
    q->a->text = r.w.out;
    q->a->text_bytes = r.w.out_bytes;
    q->a->answer_tokens = r.w.n_tokens;
    q->a->finish = r.w.finish;
    q->a->read_tokens = r.read_tokens;
    if (!rc && r.w.token_step)
        rc = choose_account(q, e);
    if (!rc)
        rc = alternative_say(q, e);
    if (!rc)
        rc = alternative_say_several(q, e);
    q->a->art_read = r.art_read[0];
    q->a->art_blocks = r.art_read[1];
    q->a->first_token_seconds = r.first_token - start;
    return rc;
}

// Sets answer.score: from the signs where sentences were judged, else from the votes alone, of
// which SURE give one half.
static int find_score(struct asking *q, struct err *e)
{
    static const double SURE = 4;
    const double votes = fmax(q->votes.ballot->score[q->votes.ballot->order[0]], 0);
    struct signs *s = &q->judged.signs;
    int rc = q->judged.n && q->near ? near_least(q->near, q, q->judged.text, &s->least, e) : 0;
    q->a->score = q->judged.n ? confidence_of(s) : votes / (votes + SURE);
    return rc;
}

// The default of min_score: the profile's limit where sentences are judged and read, else 0.
static double usual_score(const struct asking *q)
{
    const struct heads *h = q->m->heads;
    return h && q->judged.n && read_sentences_only(q->how.mode) ? (double)h->min_score : 0;
}

// Whether nothing is to be answered: the score is below min_score or, by default, what was found
// has so little of what is asked for that it is about something else, however near.
static int is_declined(const struct asking *q)
{
    const double s = q->o->min_score;
    return s > 0 ? q->a->score < s : !s && confidence_plain(&q->judged.signs) < usual_score(q);
}

// Makes the answer an empty one, "unanswered".
static int decline(struct answer *a, struct err *e)
{
    a->finish = "unanswered";
    for (int i = 0; i < a->n_choices; i++)
        free(a->choices[i].votes);
    a->n_choices = 0;
    return (a->text = mem_new(1, 1, e)) ? 0 : ERR_NOMEM;
}

int ask_one(struct model *m, struct kvz *const *indexes, int n_indexes, const struct ask_options *o,
            struct answer *a, int write, struct err *e)
{
    struct asking q = {.m = m, .k = indexes, .n_k = n_indexes, .o = o, .a = a};
    double start = clock_seconds();
    *a = (struct answer){0};
    int rc = setup(&q, e);
    if (!rc) {
        a->question_tokens = q.prompts.read.question_to - q.prompts.read.question_from;
        if (a->question_tokens == 0)
            rc = err_set(e, ERR_UNSUPPORTED, "the question is empty");
        else if (q.prompts.read.n > MAX_QUESTION)
            rc = err_set(e, ERR_UNSUPPORTED, "the question has %d tokens; at most %d make one",
                         a->question_tokens, MAX_QUESTION);
    }
    if (!rc)
        rc = find_blocks(&q, e);
    const int has_score = !rc && q.votes.ballot->n_blocks, first = o->min_score > 0;
    a->unsure = !rc && usual_score(&q) > 0 && confidence_plain(&q.judged.signs) < EVEN;
    if (has_score && first) // else when the answer is there, which does not wait for it
        rc = find_score(&q, e);
    if (!rc && write && is_declined(&q))
        rc = decline(a, e);
    else if (!rc && write)
        rc = answer(&q, start, e);
    if (!rc && has_score && !first)
        rc = find_score(&q, e);
    a->doubtful = !rc && usual_score(&q) > 0 && a->score < EVEN;
    if (!rc)
        rc = evidence_gather(&q, e);
    a->total_seconds = clock_seconds() - start;
    asking_done(&q);
    if (rc)
        answer_done(a);
    return rc;
}

void answer_done(struct answer *a)
{
    for (int i = 0; i < a->n_evidence; i++)
        free(a->evidence[i].text);
    for (int i = 0; i < a->n_choices; i++)
        free(a->choices[i].votes);
    free(a->evidence);
    free(a->choices);
    free(a->text);
    free(a->alternative);
    free(a->changed);
    free(a->asked);
    *a = (struct answer){0};
}
