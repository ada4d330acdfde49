#include "engine/ask/judge.h"

#include <stdlib.h>
#include <string.h>

#include "io/mem.h"

enum {
    QUESTION = 64,                // tokens: of a longer question the first ones count
    TEXT = 128,                   // of a longer text likewise
    JOIN = 8,                     // that an empty line is, at most
    ONE = TEXT + JOIN + QUESTION, // of a text and the question
    PASS =
        1024, // of the texts that run at once: a pass of few rows costs several times as much a row
    LENT_LEAST = 6, // that two texts begin with: of fewer there is little to save
};

// Brings what is read before each text into the stream, as far as it has been run before, be it
// when the document was read; the rest joins the first pass.
static int read_before(struct judge *j, const struct kvz *index, struct err *e)
{
    const struct prompt *b = &j->before;
    struct stream_options o = {.window = b->n, .chunk = j->most, .room = b->n + ONE};
    int rc = stream_new(&j->s, j->m, &o, e);
    if (rc)
        return rc;
    const int common = prefix_share(j->prefix, index, j->s, b->ids, b->n, e);
    if (common < 0)
        return common;
    rc = prompt_ids(&j->p, b->ids + common, b->n - common, e);
    j->groups[0] = j->p.n;
    return rc;
}

int judge_new(struct judge *j, const struct judging *of, struct err *e)
{
    *j = (struct judge){.m = of->m,
                        .prefix = of->prefix,
                        .question = of->question,
                        .n_q = of->n_question < QUESTION ? of->n_question : QUESTION};
    int rc = prompt_head(&j->before, of->m, of->chat, e);
    if (!rc && of->before)
        rc = prompt_text(&j->before, of->m, of->before, TOK_PLAIN, e);
    if (rc)
        return rc;
    j->most = j->before.n + PASS;
    size_t most = (size_t)j->most;
    if (!(j->texts = mem_new((size_t)of->texts, sizeof *j->texts, e)) ||
        !(j->groups = mem_new(most + 1, sizeof *j->groups, e)) ||
        !(j->lent = mem_new((size_t)of->texts, sizeof *j->lent, e)) ||
        !(j->rows = mem_new(most, sizeof *j->rows, e)) ||
        !(j->targets = mem_new(most, sizeof *j->targets, e)) ||
        !(j->log_probs = mem_new(most, sizeof *j->log_probs, e)) ||
        !(j->likelihood = mem_new((size_t)of->texts, sizeof *j->likelihood, e)) ||
        !(j->tokens = mem_new((size_t)of->texts * QUESTION, sizeof *j->tokens, e)))
        return ERR_NOMEM;
    return read_before(j, of->index, e);
}

void judge_done(struct judge *j)
{
    prompt_done(&j->p);
    prompt_done(&j->one);
    prompt_done(&j->before);
    for (int i = 0; i < j->n; i++)
        free(j->texts[i]);
    free(j->texts);
    free(j->groups);
    free(j->lent);
    free(j->rows);
    free(j->targets);
    free(j->log_probs);
    free(j->likelihood);
    free(j->tokens);
    stream_free(j->s);
    *j = (struct judge){0};
}

// How many tokens of the pass can be kept (forward.stay): of the first texts, which are the
// likeliest to be the best ones. Clearing memory for all of them would take too long.
static int staying(const struct judge *j)
{
    int g = 0;
    while (g < j->n_groups && j->groups[g + 1] - j->groups[0] <= ONE)
        g++;
    return j->groups[g];
}

// Of a single text: brings its first tokens into the stream, too, as far as they have been run
// before. Returns their number, or an error.
static int begin(struct judge *j, struct err *e)
{
    const int before = j->before.n, n = j->p.n - j->n_q; // the question's rows are asked for
    if (j->n_groups > 1 || j->groups[0] || !j->prefix || !j->prefix->s ||
        prefix_common(j->prefix, j->before.ids, before) < before)
        return 0;
    const uint32_t *own = j->prefix->p.ids + before;
    int common = 0;
    while (common < n && before + common < j->prefix->p.n && own[common] == j->p.ids[common])
        common++;
    int rc = common ? stream_append(j->s, j->prefix->s, before, common, e) : 0;
    return rc ? rc : common;
}

int judge_end(struct judge *j, struct err *e)
{
    if (j->ran || !j->n_groups)
        return 0;
    const int common = begin(j, e), n = j->p.n - common, n_rows = j->n_groups * j->n_q;
    if (common < 0)
        return common;
    const int only[] = {0, n};
    for (int i = 0; i < n_rows; i++)
        j->rows[i] -= common;
    int rc = forward(j->s,
                     &(struct forward){.tokens = j->p.ids + common,
                                       .n = n,
                                       .log_probs = j->log_probs,
                                       .targets = j->targets,
                                       .n_logits = n_rows,
                                       .rows = j->rows,
                                       .groups = common ? only : j->groups,
                                       .n_groups = j->n_groups,
                                       .lent = j->lent,
                                       .stay = common ? n : staying(j)},
                     e);
    stream_rewind(j->s, j->s->n_local - j->before.n);
    const int first = j->n - j->n_groups;
    double *own = j->likelihood + first, *tokens = j->tokens + (size_t)first * (size_t)j->n_q;
    for (int i = 0; i < n_rows; i++) {
        own[i / j->n_q] += j->log_probs[i] / j->n_q;
        tokens[i] = j->log_probs[i];
    }
    j->ran = 1;
    return rc;
}

// Cuts the prefix to what is read before the texts, with room for a text of TEXT tokens.
static int keep_before(struct judge *j, int text, struct err *e)
{
    struct prefix *b = j->prefix;
    const int n = j->before.n, most = n + text;
    if (b->s && b->s->cap >= most && prefix_common(b, j->before.ids, n) == n) {
        stream_rewind(b->s, b->p.n - n);
        b->p.n = n;
        return 0;
    }
    prefix_done(b);
    int rc = prompt_ids(&b->p, j->before.ids, n, e);
    if (!rc)
        rc = stream_new(&b->s, j->m, &(struct stream_options){.chunk = most, .room = most}, e);
    return rc ? rc : stream_append(b->s, j->s, 0, n, e);
}

// Appends tokens of the pass to the prefix.
static int keep_tokens(struct judge *j, struct lent v, struct err *e)
{
    struct prefix *b = j->prefix;
    int rc = prompt_ids(&b->p, j->p.ids + v.from, v.n, e);
    return rc ? rc : stream_append(b->s, j->s, j->before.n - j->groups[0] + v.from, v.n, e);
}

int judge_keep(struct judge *j, int i, struct err *e)
{
    const int g = i - (j->n - j->n_groups);
    struct prefix *b = j->prefix;
    if (!b || !j->ran || g < 0 || j->groups[g + 1] > staying(j) || !j->m->device->ops->plain)
        return 0;
    const struct lent own = {j->groups[g], j->groups[g + 1] - j->groups[g]};
    int rc = keep_before(j, j->lent[g].n + own.n, e);
    if (!rc && j->lent[g].n)
        rc = keep_tokens(j, j->lent[g], e);
    return rc ? rc : keep_tokens(j, own, e);
}

// j->one: the text, an empty line, the question.
static int judge_prompt(struct judge *j, const char *text, struct err *e)
{
    struct prompt *p = &j->one;
    p->n = 0;
    int rc = prompt_text(p, j->m, text, TOK_PLAIN, e);
    p->n = p->n < TEXT ? p->n : TEXT;
    if (!rc)
        rc = prompt_text(p, j->m, "\n\n", TOK_PLAIN, e);
    // A token has to stand before the question's, for whose first one it is asked.
    if (!rc && !p->n)
        rc = err_set(e, ERR_UNSUPPORTED, "%s: a vocabulary without a line end", j->m->info.path);
    return rc ? rc : prompt_ids(p, j->question, j->n_q, e);
}

// The most that a text of the pass can lend to j->one, whose question's rows have to be its own.
static struct lent lendable(const struct judge *j)
{
    struct lent best = {0};
    for (int g = 0; g < j->n_groups; g++) {
        const int from = j->groups[g], end = j->groups[g + 1];
        int n = 0;
        while (n < j->one.n - 1 - j->n_q && from + n < end && j->p.ids[from + n] == j->one.ids[n])
            n++;
        if (!j->lent[g].n && n >= LENT_LEAST && n > best.n)
            best = (struct lent){from, n};
    }
    return best;
}

// Begins another pass.
static void next_pass(struct judge *j)
{
    if (j->ran)
        j->p.n = j->n_groups = j->groups[0] = j->ran = 0;
}

int judge_known(const struct judge *j, const char *text)
{
    for (int i = 0; i < j->n; i++)
        if (!strcmp(j->texts[i], text))
            return i;
    return -1;
}

int judge_text(struct judge *j, const char *text, struct err *e)
{
    const int known = judge_known(j, text);
    if (known >= 0)
        return known;
    int rc = judge_prompt(j, text, e);
    next_pass(j);
    if (!rc && j->p.n + j->one.n > j->most)
        rc = judge_end(j, e);
    next_pass(j);
    const struct lent lent = lendable(j);
    // The last token predicts nothing that counts.
    if (rc || (rc = prompt_ids(&j->p, j->one.ids + lent.n, j->one.n - 1 - lent.n, e)))
        return rc;
    if (!(j->texts[j->n] = mem_strdup(text, e)))
        return ERR_NOMEM;
    for (int i = 0; i < j->n_q; i++) {
        j->rows[j->n_groups * j->n_q + i] = j->p.n - j->n_q + i;
        j->targets[j->n_groups * j->n_q + i] = j->question[i];
    }
    j->lent[j->n_groups] = lent;
    j->groups[++j->n_groups] = j->p.n;
    return j->n++;
}
