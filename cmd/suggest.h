// "did you mean": the known word nearest to a mistyped one, or that begins as a shortened one does.
//
//     struct suggest s = {.word = "evidnce"};
//     for (...) suggest_offer(&s, names[i]);
//     if (s.best) printf("did you mean '%s'?", s.best);
#ifndef LCTOOL_CMD_SUGGEST_H
#define LCTOOL_CMD_SUGGEST_H

struct suggest {
    const char *word;
    const char *best;  // NULL while nothing offered is near enough
    unsigned distance; // of best: letters more, less, other or exchanged with the next one
};

void suggest_offer(struct suggest *s, const char *name);

#endif
