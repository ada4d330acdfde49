#include "engine/summarize/summarizing.h"

#include <stdio.h>

enum { NO_REPEAT = 5 }; // a small model left to itself says the same sentence over again

// A small model that is not told how a summary begins goes on with the text, its headings first.
static const char BEGIN[] = "The text is about";

int summarize_write(struct summarizing *z, struct reading *r, int words, char **out, struct err *e)
{
    struct prompt p = {0};
    char ask[256];
    snprintf(ask, sizeof ask,
             "Summarize the text above in your own words, in at most %d words. Say what it is "
             "about and its main points.",
             words);
    r->m = z->m;
    r->chat = z->chat;
    r->home = z->k;
    r->question = &p;
    r->w = (struct writing){.max_tokens = words * 2,
                            .words = words,
                            .no_repeat = NO_REPEAT,
                            .draft.most = z->o->draft,
                            .stop = z->o->stop,
                            .text = z->o->text,
                            .arg = z->o->arg};
    int rc = prompt_question(&p, z->m, z->chat, NULL, ask, BEGIN, e);
    if (!rc)
        rc = write_begin(&r->w, BEGIN, e);
    if (!rc)
        rc = read_and_write(r, e);
    *out = r->w.out;
    z->out->read_tokens += (uint64_t)r->read_tokens;
    prompt_done(&p);
    return rc;
}
