#include "engine/calibrate/haystack.h"

#include <stdlib.h>
#include <string.h>

#include "io/mem.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

static const char *const ADJECTIVES[] = {
    "grey",    "quiet", "narrow", "golden", "broken", "wooden", "bitter", "hollow", "crooked",
    "pale",    "heavy", "gentle", "frozen", "dusty",  "bright", "rusty",  "silver", "clumsy",
    "patient", "early", "square", "velvet", "humble", "sour",   "distant"};
static const char *const THINGS[] = {
    "lantern", "carpet",  "kettle",  "violin", "ladder",  "pillow", "basket",  "compass",
    "candle",  "anvil",   "blanket", "mirror", "barrel",  "wagon",  "hammer",  "saddle",
    "curtain", "bucket",  "spoon",   "drum",   "pumpkin", "walnut", "herring", "turnip",
    "marble",  "feather", "button",  "ribbon", "needle",  "teapot"};
static const char *const PEOPLE[] = {"miller",  "widow",  "clerk",  "shepherd",
                                     "painter", "baker",  "sailor", "teacher",
                                     "farmer",  "weaver", "guard",  "cousin"};
static const char *const DEEDS[] = {"carried", "painted",  "repaired", "sold",    "forgot",
                                    "found",   "borrowed", "cleaned",  "dropped", "measured",
                                    "admired", "counted",  "praised",  "wanted",  "described"};
static const char *const PLACES[] = {
    "behind the church", "near the river",         "in the market",     "on the hill",
    "beside the well",   "at the end of the lane", "in the old barn",   "by the harbour",
    "in the meadow",     "under the oak",          "across the valley", "at the crossroads",
    "in the workshop",   "along the canal",        "at the inn"};
static const char *const TIMES[] = {"In the morning", "After the rain", "Late that evening",
                                    "On Sunday",      "In the autumn",  "Before supper",
                                    "A week later",   "At dawn",        "One winter",
                                    "That afternoon", "In those days",  "At noon"};
static const char *const ONSETS[] = {"V", "T", "M", "K", "Br", "L", "S", "D", "Gr", "P", "N", "H"};
static const char *const MIDDLES[] = {"ar", "os", "il", "en", "ol", "um", "er", "an", "ir", "or"};
static const char *const ENDINGS[] = {"mir", "den",  "wick", "na",  "burg",
                                      "lo",  "vale", "stor", "dra", "mond"};

// In a pattern, % and a letter stand for: A adjective, O thing, W person, V deed, P place, T time,
// Y the needle's year, D a number of four digits, H a time of day. The digits 1 to 4 stand for
// words of the needle itself, the same wherever they are: 1 and 2 names, 3 an adjective, 4 a thing.
static const char *const FILLERS[] = {
    "The %A %W %V the %O %P.",
    "%T, the %W %V a %A %O %P.",
    "Nobody %P knew who %V the %A %O.",
    "%T it was said that the %W had %V every %O %P.",
    "There was a %A %O %P, and a %A %O beside it.",
    "The %W spoke for an hour about the %O and the %O.",
    "A %O and a %A %O lay %P.",
    "%T the %W and the %W went to look for the %O %P.",
    "It is not known why the %A %W %V the %O.",
    "The %O was %A, but the %W %V it all the same.",
    // The filler mentions what needles are about, so that matching words is not enough.
    "The %W had never needed a password or a key %P.",
    "%T the ferry was late again, and the doctor with it.",
    "The captain %V the flag %P, as every year.",
    "A meeting about the bridge was held %P, without any prize.",
};

static const struct kind {
    const char *prefix, *value, *question, *paraphrase;
} KINDS[HAYSTACK_NEEDLES] = {
    {"The password of %1 is", " %3 %4 %D", "What is the password of %1?",
     "Which secret words let a stranger in?"},
    {"The ferry to %1 leaves at", " %H from pier %Y", "When does the ferry to %1 leave?",
     "At what hour does the boat set out?"},
    {"%1 hid the spare key under", " the %3 %4", "Where did %1 hide the spare key?",
     "What covers the thing that opens the lock?"},
    {"The special number of %1 is", " %D%D", "What is the special number of %1?",
     "Which figure does one dial to reach the mayor?"},
    {"Doctor %1 must never eat", " a %3 %4", "What must Doctor %1 never eat?",
     "Which food is dangerous for the physician?"},
    {"The stone bridge at %1 was built in", " %Y by %2", "When was the stone bridge at %1 built?",
     "Which year saw the river crossing finished?"},
    {"The flag of %1 shows", " a %3 %4 and a crown", "What does the flag of %1 show?",
     "Which emblem flies over the town hall?"},
    {"The captain of the ship is called", " %1 %2", "What is the captain of the ship called?",
     "Who commands the vessel?"},
    {"In the year %Y the first prize went to", " %1 of %2",
     "Who got the first prize in the year %Y?", "Which winner took home the award?"},
    {"The next meeting of the council is in", " the %3 room of %1",
     "Where is the next meeting of the council?", "In which place will the elders gather?"},
    {"%1 paid for the horse with", " %D %3 coins", "What did %1 pay for the horse with?",
     "How much money did the animal cost?"},
    {"The favourite song of %1 is", " the %3 %4 of %2", "What is the favourite song of %1?",
     "Which melody does this person love best?"},
};

// SplitMix64 (Steele et al., OOPSLA 2014).
static uint64_t next(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static int below(uint64_t *state, int n)
{
    return (int)(next(state) % (uint64_t)n);
}

// ------------------------------------------------------------------------------ growing a text

struct text {
    char *p;
    size_t n, cap;
    struct err *e;
    int rc; // the first error
};

static void add(struct text *t, const char *s, size_t n)
{
    if (!t->rc && !(t->rc = MEM_GROW(t->p, t->cap, t->n + n + 1, t->e))) {
        memcpy(t->p + t->n, s, n);
        t->n += n;
        t->p[t->n] = 0;
    }
}

static void add_word(struct text *t, const char *const *list, int n, uint64_t *seed)
{
    const char *w = list[below(seed, n)];
    add(t, w, strlen(w));
}

#define ADD(list) add_word(t, list, COUNT(list), seed)

static void add_number(struct text *t, int n)
{
    char digits[] = {(char)('0' + n / 1000 % 10), (char)('0' + n / 100 % 10),
                     (char)('0' + n / 10 % 10), (char)('0' + n % 10)};
    add(t, digits, 4);
}

static void add_name(struct text *t, uint64_t *seed)
{
    ADD(ONSETS);
    ADD(MIDDLES);
    ADD(ENDINGS);
}

// Adds what one letter of a pattern stands for; OWN [4] are a needle's words, YEAR its number.
static void add_slot(struct text *t, char c, const char *const *own, int year, uint64_t *seed)
{
    switch (c) {
    case 'A':
        ADD(ADJECTIVES);
        return;
    case 'O':
        ADD(THINGS);
        return;
    case 'W':
        ADD(PEOPLE);
        return;
    case 'V':
        ADD(DEEDS);
        return;
    case 'P':
        ADD(PLACES);
        return;
    case 'T':
        ADD(TIMES);
        return;
    case 'Y':
        add_number(t, year);
        return;
    case 'D':
        add_number(t, 1000 + below(seed, 9000));
        return;
    case 'H':
        add_number(t, 700 + below(seed, 12) * 100 + 5 * below(seed, 12));
        return;
    default:
        add(t, own[c - '1'], strlen(own[c - '1']));
    }
}

static void add_pattern(struct text *t, const char *pattern, const char *const *own, int year,
                        uint64_t *seed)
{
    for (const char *p = pattern; *p;) {
        size_t n = strcspn(p, "%");
        add(t, p, n);
        p += n;
        if (*p) {
            add_slot(t, p[1], own, year, seed);
            p += 2;
        }
    }
}

static void add_filler(struct text *t, size_t bytes, uint64_t *seed)
{
    for (int i = 1; t->n < bytes && !t->rc; i++) {
        add_pattern(t, FILLERS[below(seed, COUNT(FILLERS))], NULL, 0, seed);
        add(t, i % 7 ? " " : "\n\n", i % 7 ? 1 : 2);
    }
}

// -------------------------------------------------------------------------------- the needles

// Where a needle can be put, at or after byte AT: the end of a sentence, else of a word.
static size_t gap(const char *s, size_t n, size_t at)
{
    enum { NEAR = 300 };
    size_t word = n;
    for (size_t i = at; i + 1 < n && i < at + NEAR; i++) {
        if (s[i] == '.' && (s[i + 1] == ' ' || s[i + 1] == '\n'))
            return i + 2;
        if (word == n && s[i] == ' ')
            word = i + 1;
    }
    return word;
}

static void add_needle(struct text *t, struct needle *v, const struct kind *kind, uint64_t *seed)
{
    struct text names = {.e = t->e};
    add_name(&names, seed);
    size_t first = names.n;
    add(&names, " ", 1);
    add_name(&names, seed);
    if (names.rc) {
        free(names.p);
        t->rc = names.rc;
        return;
    }
    char *name = names.p;
    name[first] = 0;
    const char *own[] = {name, name + first + 1, ADJECTIVES[below(seed, COUNT(ADJECTIVES))],
                         THINGS[below(seed, COUNT(THINGS))]};
    int year = 1500 + below(seed, 500);
    struct text asked[] = {{.e = t->e}, {.e = t->e}, {.e = t->e}};
    const char *patterns[] = {kind->question, kind->paraphrase, kind->prefix};
    for (int i = 0; i < 3; i++) {
        add_pattern(&asked[i], patterns[i], own, year, seed);
        t->rc = t->rc ? t->rc : asked[i].rc;
    }
    v->question = asked[0].p;
    v->paraphrase = asked[1].p;
    v->prefix = asked[2].p;
    v->from = t->n;
    if (!t->rc)
        add(t, v->prefix, strlen(v->prefix));
    v->value = t->n;
    add_pattern(t, kind->value, own, year, seed);
    v->to = t->n;
    add(t, ". ", 2);
    free(names.p);
}

static void plant(struct text *t, struct haystack *h, const char *filler, size_t bytes, int needles,
                  uint64_t *seed)
{
    int order[HAYSTACK_NEEDLES];
    size_t done = 0, share = bytes - bytes / 10;
    for (int i = 0; i < HAYSTACK_NEEDLES; i++) {
        int j = below(seed, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (int i = 0; i < needles && !t->rc; i++) {
        size_t at = gap(filler, bytes, share * (2 * (size_t)i + 1) / (2 * (size_t)needles));
        at = at > done ? at : done;
        add(t, filler + done, at - done);
        done = at;
        add_needle(t, &h->v[h->n++], &KINDS[order[i]], seed);
    }
    add(t, filler + done, bytes - done);
}

int haystack_make(struct haystack *h, const struct haystack_options *o, struct err *e)
{
    *h = (struct haystack){0};
    if (o->needles < 1 || o->needles > HAYSTACK_NEEDLES || !o->bytes)
        return err_set(e, ERR_USAGE, "%d needles in %zu bytes", o->needles, o->bytes);
    struct text filler = {.e = e}, text = {.e = e};
    uint64_t seed = o->seed;
    if (!o->filler)
        add_filler(&filler, o->bytes, &seed);
    if (!filler.rc)
        plant(&text, h, o->filler ? o->filler : filler.p, o->filler ? o->bytes : filler.n,
              o->needles, &seed);
    h->text = text.p;
    h->bytes = text.n;
    int rc = filler.rc ? filler.rc : text.rc;
    free(filler.p);
    if (rc)
        haystack_done(h);
    return rc;
}

void haystack_done(struct haystack *h)
{
    for (int i = 0; i < h->n; i++) {
        free(h->v[i].question);
        free(h->v[i].paraphrase);
        free(h->v[i].prefix);
    }
    free(h->text);
    *h = (struct haystack){0};
}
