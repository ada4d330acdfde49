// Writing an answer, token by token.
#include "engine/answer/writing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/answer/guard.h"
#include "engine/answer/verdict.h"
#include "engine/model/sample.h"
#include "engine/question/asked.h"
#include "engine/words/shortened.h"
#include "io/mem.h"

int write_tokens(struct stream *s, const uint32_t *ids, int n, float *logits, struct err *e)
{
    for (int at = 0; at < n;) {
        int take = n - at < s->o.chunk ? n - at : s->o.chunk;
        int last = at + take == n;
        int rc = forward(s,
                         &(struct forward){.tokens = ids + at,
                                           .n = take,
                                           .logits = last ? logits : NULL,
                                           .n_logits = last && logits ? 1 : 0},
                         e);
        if (rc)
            return rc;
        at += take;
    }
    return 0;
}

static int emit(struct writing *w, const char *text, size_t n, struct err *e)
{
    if (!n)
        return 0;
    int rc = MEM_GROW(w->out, w->out_cap, w->out_bytes + n + 1, e);
    if (rc)
        return rc;
    memcpy(w->out + w->out_bytes, text, n);
    w->out_bytes += n;
    w->out[w->out_bytes] = 0;
    if (w->text && !w->quote.n && !w->words)
        w->text(w->arg, text, n);
    return 0;
}

// Whether the last tokens say the same thing over again, a long one twice, a short one three times:
// greedy writing of a small model can fall into a circle, which it never leaves.
static int goes_in_circles(const struct writing *w)
{
    enum { SHORTEST = 6, LONG = 16, LONGEST = 80 };
    for (int p = SHORTEST; p <= LONGEST; p++) {
        const uint32_t *end = w->ids + w->n_tokens;
        int copies = p < LONG ? 3 : 2;
        if (copies * p <= w->n_tokens && !memcmp(end - (copies - 1) * p, end - copies * p,
                                                 (size_t)((copies - 1) * p) * sizeof *end))
            return 1;
    }
    return 0;
}

// Rules out the token ID.
static int forbid(struct writing *w, uint32_t id, struct err *e)
{
    struct bonuses *b = &w->bonuses;
    for (size_t i = 0; i < b->n; i++)
        if (b->v[i].id == id) {
            b->v[i].by = -INFINITY;
            return 0;
        }
    return bonuses_add(b, id, -INFINITY, e);
}

// Rules out tokens that would repeat no_repeat tokens in a row. Only summaries ask for this,
// because digits and names may well come twice in an answer.
static int forbid_repeats(struct writing *w, struct err *e)
{
    int n = w->no_repeat - 1, rc = 0;
    if (n < 0 || w->n_tokens < n)
        return 0;
    const uint32_t *last = w->ids + w->n_tokens - n;
    for (int i = 0; !rc && i + n < w->n_tokens; i++)
        if (!memcmp(w->ids + i, last, (size_t)n * sizeof *last))
            rc = forbid(w, w->ids[i + n], e);
    return rc;
}

static int is_blank(char c)
{
    return c == ' ' || c == '\n';
}

// How many blanks TEXT [n] begins with, and the LINES that end among them.
static size_t blanks(const char *text, size_t n, int *lines)
{
    size_t i = 0;
    for (*lines = 0; i < n && is_blank(text[i]); i++)
        *lines += text[i] == '\n';
    return i;
}

int write_sentence_ends(const char *text, size_t n, const char *next, size_t n_next)
{
    size_t all = n;
    int lines = 0, more;
    size_t skip = blanks(next, n_next, &more);
    for (; n && is_blank(text[n - 1]); n--)
        lines += text[n - 1] == '\n';
    if (n && lines + more > 1)
        return lines < 2 && text[n - 1] != ':';
    if (skip == n_next || (!skip && n == all) || (next[skip] >= 'a' && next[skip] <= 'z'))
        return 0;
    while (n && strchr("\"')]*", text[n - 1]))
        n--;
    if (!n || !strchr(".!?", text[n - 1]))
        return 0;
    return text[n - 1] != '.' || !shortened_stop(text, n, next + skip, n_next - skip);
}

int write_begin(struct writing *w, const char *text, struct err *e)
{
    return emit(w, text, strlen(text), e);
}

static int device_chooses(const struct writing *w)
{
    return w->s->d->ops->best != NULL;
}

// Fills in the bonuses for the token to be written.
static int next_bonuses(struct writing *w, struct err *e)
{
    w->bonuses.n = 0;
    int rc = copies_favour(&w->copies, w->ids, w->n_tokens, &w->bonuses, e);
    return rc ? rc : forbid_repeats(w, e);
}

// Runs N tokens, a chunk at most, and finds what the next one is chosen from.
static int run_last(struct writing *w, const uint32_t *ids, int n, struct err *e)
{
    int anew = w->n_tokens && w->token_step && w->n_tokens % w->token_step == 0;
    struct draw draw;
    struct forward f = {
        .tokens = ids, .n = n, .retrieve = anew ? w->retrieve : NULL, .arg = w->retrieve_arg};
    int rc = next_bonuses(w, e);
    if (rc)
        return rc;
    if (!device_chooses(w)) {
        f.logits = w->logits;
        f.n_logits = 1;
        rc = forward(w->s, &f, e);
        bonuses_apply(&w->bonuses, w->logits);
        return rc;
    }
    f.best = &w->best;
    f.cost = w->quote.n ? &w->cost : NULL;
    f.favour = w->bonuses.v;
    f.n_favour = (int)w->bonuses.n;
    if (w->sampler.temp > 0) {
        draw = sample_draw(&w->sampler);
        f.draw = &draw;
    }
    return forward(w->s, &f, e);
}

// The logits of the token to be written.
static float *next_logits(const struct writing *w)
{
    return w->logits + (size_t)w->draft.held * (size_t)w->s->m->info.n_vocab;
}

// The cost of the chosen token ID, nats.
static double next_cost(const struct writing *w, uint32_t id)
{
    struct device *d = w->s->d;
    float cost = w->cost;
    if (!device_chooses(w)) // then its memory is plain
        d->ops->cost(d, &cost, &(struct best){.id = id}, next_logits(w), w->s->m->info.n_vocab);
    return (double)cost;
}

// Adds the bonuses to the logits of what was run.
static int favour_next(struct writing *w, struct err *e)
{
    int rc = next_bonuses(w, e);
    bonuses_apply(&w->bonuses, next_logits(w));
    return rc;
}

// Makes room for N tokens more.
static int make_room(struct writing *w, int n, struct err *e)
{
    return w->room && w->s->n_local + n > w->s->cap ? stream_widen(w->s, w->room, e) : 0;
}

// Runs the token ID, which was written last, and guesses behind it: no more tokens than would be
// run one by one.
static int run_written(struct writing *w, uint32_t id, struct err *e)
{
    if (draft_holds(&w->draft, id))
        return favour_next(w, e);
    int rc = draft_end(&w->draft, w->s, e);
    if (rc)
        return rc;
    if (!device_chooses(w) && !w->token_step)
        draft_guess(&w->draft, w->s, w->ids, w->n_tokens, w->max_tokens - w->n_tokens - 1);
    if ((rc = make_room(w, 1 + w->draft.n, e)))
        return rc;
    if (!w->draft.n)
        return run_last(w, &id, 1, e);
    rc = draft_run(&w->draft, w->s, id, w->logits, e);
    return rc ? rc : favour_next(w, e);
}

int write_prompt(struct writing *w, const uint32_t *ids, int n, struct err *e)
{
    int before = (n - 1) / w->s->o.chunk * w->s->o.chunk;
    int rc = write_tokens(w->s, ids, before, NULL, e);
    return rc ? rc : run_last(w, ids + before, n - before, e);
}

// Appends MOST tokens, or as many as there are, of the sentence that was read, behind those with
// its first SKIP bytes; *SAID: how many.
static int write_read(struct writing *w, size_t skip, int most, int *said, struct err *e)
{
    struct tok_text *text;
    size_t n, at = 0;
    int rc = tok_text_new(&text, w->s->m->tok, 0, e);
    if (rc)
        return rc;
    *said = 0;
    for (int i = 0; !rc && i < w->quote.n && *said < most; i++) {
        const char *s = tok_text_push(text, w->quote.ids[i], &n);
        if (at >= skip)
            rc = emit(w, s, n, e);
        *said += at >= skip;
        at += n;
    }
    const char *s = tok_text_end(text, &n);
    if (!rc)
        rc = emit(w, s, n, e);
    tok_text_free(text);
    return rc;
}

// Ends what was written with byte BYTES, or with the last one before it that is not blank.
static void cut_at(struct writing *w, size_t bytes)
{
    w->out_bytes = bytes;
    while (w->out_bytes && is_blank(w->out[w->out_bytes - 1]))
        w->out_bytes--;
    w->out[w->out_bytes] = 0;
}

// Puts BEFORE and BEHIND around what was written from byte FROM on.
static int enclose(struct writing *w, size_t from, const char *before, const char *behind,
                   struct err *e)
{
    const size_t n = strlen(before), own = w->out_bytes - from;
    int rc = emit(w, before, n, e);
    if (rc)
        return rc;
    memmove(w->out + from + n, w->out + from, own);
    memcpy(w->out + from, before, n);
    return emit(w, behind, strlen(behind), e);
}

// Makes two quotations of what was read, one of each place that it is of; 0: it is of one, or
// nothing of the second one was read.
static int quote_places(struct writing *w, struct err *e)
{
    char *both;
    int said;
    const size_t all = w->out_bytes;
    if (!w->quote.apart)
        return 0;
    int rc = write_read(w, 0, w->quote.apart, &said, e);
    if (rc)
        return rc;
    const size_t first = w->out_bytes - all;
    cut_at(w, all);
    if (first >= all || !first)
        return 0;
    if ((rc = quote_apart(&both, w->out, first, e)) < 0)
        return rc;
    w->out_bytes = 0;
    const int failed = emit(w, both, (size_t)rc, e);
    free(both);
    return failed ? failed : 1;
}

// Replaces the answer by the sentence that was read, in quotation marks below its heading, as much
// of it as an answer may have; dots say that it goes on. The heading is what is left out first.
static int write_quote(struct writing *w, struct err *e)
{
    int is_cut = w->quote.n > w->max_tokens;
    w->finish = "quoted";
    w->out_bytes = 0;
    int rc = emit(w, "", 1, e); // there may be no tokens with text
    w->out_bytes = 0;
    if (rc || (rc = write_read(w, 0, w->quote.n, &w->n_tokens, e)))
        return rc;
    cut_at(w, w->out_bytes);
    if (!is_cut && (rc = quote_places(w, e)))
        return rc < 0 ? rc : 0;
    size_t heading = quote_heading(w->out);
    if (is_cut) {
        const size_t all = w->out_bytes - heading;
        w->out_bytes = 0;
        if ((rc = write_read(w, heading, w->max_tokens, &w->n_tokens, e)))
            return rc;
        is_cut = w->out_bytes < all;
        heading = 0;
    }
    cut_at(w, w->out_bytes);
    quote_whole(w->out, heading);
    w->out_bytes = strlen(w->out);
    if (is_cut && (rc = emit(w, "\u2026", strlen("\u2026"), e)))
        return rc;
    const char *own = w->out + heading;
    return enclose(w, heading, quote_opens(own), quote_closes(own), e);
}

// Whether the answer says less than the sentence that was read, or another thing, in *DOES: its
// numbers come in another order than there, so that it says of one what is said of another; or it
// leaves out what was asked for, says yes where that says no, or ends where a quotation is cut, or
// is but what heads that.
static int distorts(struct writing *w, int *does, struct err *e)
{
    const size_t own = w->out_bytes;
    int said;
    *does = 0;
    if (!w->quote.n || !own)
        return 0;
    int rc = emit(w, "", 1, e); // a byte that ends the answer
    if (!rc && !(rc = write_read(w, 0, w->quote.n, &said, e))) {
        const char *read = w->out + own + 1;
        const size_t n = w->out_bytes - own - 1;
        *does = guard_disorder(w->out, own, read, n) || guard_cut_off(w->out, own, read, n) ||
                guard_heading(w->out, own, read, n) ||
                (w->quote.asked && (asked_left_out(w->quote.asked, w->out, read) ||
                                    verdict_is_other(w->out, own, read, n, w->quote.asked) ||
                                    guard_garbled(w->out, own, read, n, w->quote.asked)));
    }
    w->out_bytes = own;
    w->out[own] = 0;
    return rc;
}

// Whether TEXT [n] ends with a quotation mark that none in it opens.
static int ends_quoted(const char *text, size_t n)
{
    int marks = 0;
    for (size_t i = 0; i < n; i++)
        marks += text[i] == '"';
    return marks % 2 && text[n - 1] == '"';
}

// Cuts from an answer of one sentence the words at its beginning that say nothing (guard_lead), and
// the quotation marks around what it says.
static void drop_lead(struct writing *w)
{
    const size_t lead = w->out_bytes ? guard_lead(w->out) : 0;
    if (!lead)
        return;
    const int quoted = w->out[lead - 1] == '"';
    memmove(w->out, w->out + lead, w->out_bytes - lead + 1);
    w->out_bytes -= lead;
    if (quoted && ends_quoted(w->out, w->out_bytes))
        w->out[--w->out_bytes] = 0;
    if (*w->out >= 'a' && *w->out <= 'z')
        *w->out = (char)(*w->out - 'a' + 'A');
}

// Says what the callback has not got yet.
static void say_new(struct writing *w)
{
    if (w->text && w->out_bytes > w->told)
        w->text(w->arg, w->out + w->told, w->out_bytes - w->told);
    w->told = w->out_bytes;
}

// An answer that may give way to a quotation is held back until it is known which of the two is
// said; one that goes in circles is none.
static int say_held_back(struct writing *w, struct err *e)
{
    int distorted, circles = !strcmp(w->finish, "repeat"), rc = distorts(w, &distorted, e);
    if (rc)
        return rc;
    if ((circles || distorted || quote_is_better(&w->quote, w->out, w->out_bytes, w->n_tokens)) &&
        strcmp(w->finish, "interrupted") != 0)
        rc = write_quote(w, e);
    else
        drop_lead(w);
    if (!rc)
        say_new(w);
    return rc;
}

int write_quotation(struct writing *w, struct err *e)
{
    if (w->stop && *w->stop) {
        w->finish = "interrupted";
        return (w->out = mem_new(1, 1, e)) ? 0 : ERR_NOMEM;
    }
    int rc = write_quote(w, e);
    if (!rc)
        say_new(w);
    return rc;
}

// Why the sentence that was written last is not said; NULL: it is.
static const char *why_unsaid(const struct writing *w)
{
    if (w->told && guard_repeats(w->out, w->told, w->out_bytes))
        return "repeat";
    return w->grounds && guard_strays(w->out + w->told, w->out_bytes - w->told, w->grounds)
               ? "strays"
               : NULL;
}

// A summary is said sentence by sentence, up to one that is not to be said; what that makes the
// finish, else NULL.
static const char *say_sentence(struct writing *w)
{
    const char *why = why_unsaid(w);
    if (!why && guard_enough(w->out, w->out_bytes, w->words))
        why = "words";
    if (why)
        cut_at(w, strcmp(why, "words") ? w->told : w->out_bytes);
    say_new(w);
    return why;
}

// What is left of a summary when nothing more is written: a whole sentence, or one without an end,
// which is said only where there is no other. Returns the finish.
static const char *say_rest(struct writing *w)
{
    const char *why = NULL;
    if (!strcmp(w->finish, "interrupted"))
        say_new(w);
    else if (w->told && strcmp(w->finish, "end") != 0)
        cut_at(w, w->told);
    else
        why = say_sentence(w);
    return why && strcmp(why, "strays") == 0 ? why : w->finish;
}

// Why nothing more is written behind the SAID-th sentence; NULL: it goes on.
static const char *why_no_sentence(struct writing *w, int said)
{
    if (w->words)
        return say_sentence(w);
    if (!w->sentences || said < w->sentences)
        return NULL;
    cut_at(w, w->out_bytes);
    return "sentences";
}

static int ends_line(const struct writing *w)
{
    return w->out_bytes && w->out[w->out_bytes - 1] == '\n';
}

// Why nothing is written behind the last token; NULL: it goes on.
static const char *why_no_more(const struct writing *w)
{
    if (goes_in_circles(w) || (ends_line(w) && guard_circles(w->out, w->out_bytes)))
        return "repeat";
    return w->stop && *w->stop ? "interrupted" : NULL;
}

// Chooses the next token from what has been run.
static int choose_token(struct writing *w, uint32_t *id, struct err *e)
{
    return device_chooses(w) ? sample_best(&w->best, id, e)
                             : sample(&w->sampler, next_logits(w), w->s->m->info.n_vocab, id, e);
}

// Ends the answer: with the bytes that TEXT still holds back, and a quotation instead if that is
// better.
static int end_answer(struct writing *w, struct tok_text *text, struct err *e)
{
    size_t n;
    const char *s = tok_text_end(text, &n);
    int rc = emit(w, s, n, e);
    if (!rc && w->quote.n)
        return say_held_back(w, e);
    if (!rc && w->words)
        w->finish = say_rest(w);
    return rc;
}

// Writes TEXT [n], that of a token; an answer that nothing was begun of has no blanks before it.
static int emit_token(struct writing *w, const char *text, size_t n, struct err *e)
{
    int lines;
    const size_t skip = w->out_bytes || w->goes_on ? 0 : blanks(text, n, &lines);
    return emit(w, text + skip, n - skip, e);
}

int write_answer(struct writing *w, struct err *e)
{
    const struct model *m = w->s->m;
    struct tok_text *text;
    int said = 0, rc = tok_text_new(&text, m->tok, 0, e);
    if (rc)
        return rc;
    w->finish = "length";
    if (!(w->ids = mem_new((size_t)w->max_tokens, sizeof *w->ids, e)))
        rc = ERR_NOMEM;
    while (!rc && w->n_tokens < w->max_tokens) {
        uint32_t id;
        size_t n;
        if ((rc = choose_token(w, &id, e)))
            break;
        if (tok_is_end(m->tok, id)) {
            w->finish = "end";
            break;
        }
        const char *s = tok_text_push(text, id, &n);
        const char *why =
            write_sentence_ends(w->out, w->out_bytes, s, n) ? why_no_sentence(w, ++said) : NULL;
        if (why) {
            w->finish = why;
            break;
        }
        w->ids[w->n_tokens++] = id;
        if (w->quote.n)
            w->quote.cost += next_cost(w, id);
        if ((rc = emit_token(w, s, n, e)))
            break;
        if ((why = why_no_more(w))) {
            w->finish = why;
            break;
        }
        if (w->n_tokens < w->max_tokens)
            rc = run_written(w, id, e);
    }
    if (!rc)
        rc = draft_end(&w->draft, w->s, e);
    if (!rc)
        rc = end_answer(w, text, e);
    if (!rc && !w->out && !(w->out = mem_new(1, 1, e)))
        rc = ERR_NOMEM;
    tok_text_free(text);
    free(w->ids);
    w->ids = NULL;
    return rc;
}
