#define _GNU_SOURCE
#include "engine/words/irregular.h"

#include <stdint.h>
#include <string.h>

#include "engine/words/chars.h"

// In the order of their bytes. Forms that are more often another word ("bore", "lay", "lives",
// "rose", "wound") are not among them, nor are those with another first letter ("went").
static const struct irregular forms[] = {
    {"became", "become"},  {"began", "begin"},     {"begun", "begin"},   {"bitten", "bite"},
    {"blew", "blow"},      {"blown", "blow"},      {"bought", "buy"},    {"bred", "breed"},
    {"broke", "break"},    {"broken", "break"},    {"brought", "bring"}, {"built", "build"},
    {"burnt", "burn"},     {"calves", "calf"},     {"came", "come"},     {"caught", "catch"},
    {"children", "child"}, {"chose", "choose"},    {"chosen", "choose"}, {"clung", "cling"},
    {"crept", "creep"},    {"dealt", "deal"},      {"drank", "drink"},   {"drawn", "draw"},
    {"dreamt", "dream"},   {"drew", "draw"},       {"driven", "drive"},  {"drove", "drive"},
    {"drunk", "drink"},    {"dug", "dig"},         {"eaten", "eat"},     {"fallen", "fall"},
    {"fed", "feed"},       {"feet", "foot"},       {"fell", "fall"},     {"felt", "feel"},
    {"fled", "flee"},      {"flew", "fly"},        {"flown", "fly"},     {"flung", "fling"},
    {"forbade", "forbid"}, {"forgave", "forgive"}, {"forgot", "forget"}, {"fought", "fight"},
    {"found", "find"},     {"froze", "freeze"},    {"frozen", "freeze"}, {"gave", "give"},
    {"geese", "goose"},    {"given", "give"},      {"grew", "grow"},     {"grown", "grow"},
    {"halves", "half"},    {"heard", "hear"},      {"held", "hold"},     {"hid", "hide"},
    {"hidden", "hide"},    {"hooves", "hoof"},     {"hung", "hang"},     {"kept", "keep"},
    {"knelt", "kneel"},    {"knew", "know"},       {"knives", "knife"},  {"known", "know"},
    {"leapt", "leap"},     {"learnt", "learn"},    {"led", "lead"},      {"left", "leave"},
    {"lent", "lend"},      {"lit", "light"},       {"loaves", "loaf"},   {"lost", "lose"},
    {"made", "make"},      {"meant", "mean"},      {"men", "man"},       {"met", "meet"},
    {"mice", "mouse"},     {"oxen", "ox"},         {"paid", "pay"},      {"ran", "run"},
    {"rang", "ring"},      {"ridden", "ride"},     {"risen", "rise"},    {"rode", "ride"},
    {"rung", "ring"},      {"said", "say"},        {"sang", "sing"},     {"sank", "sink"},
    {"sat", "sit"},        {"saw", "see"},         {"scarves", "scarf"}, {"seen", "see"},
    {"sent", "send"},      {"sewn", "sew"},        {"shaken", "shake"},  {"shelves", "shelf"},
    {"shone", "shine"},    {"shook", "shake"},     {"shot", "shoot"},    {"shown", "show"},
    {"shrank", "shrink"},  {"shrunk", "shrink"},   {"slept", "sleep"},   {"slid", "slide"},
    {"sold", "sell"},      {"sought", "seek"},     {"sown", "sow"},      {"spelt", "spell"},
    {"spent", "spend"},    {"spilt", "spill"},     {"spoilt", "spoil"},  {"spoke", "speak"},
    {"spoken", "speak"},   {"spun", "spin"},       {"stole", "steal"},   {"stolen", "steal"},
    {"stood", "stand"},    {"struck", "strike"},   {"stuck", "stick"},   {"stung", "sting"},
    {"sung", "sing"},      {"sunk", "sink"},       {"swam", "swim"},     {"swept", "sweep"},
    {"swollen", "swell"},  {"swore", "swear"},     {"sworn", "swear"},   {"swum", "swim"},
    {"swung", "swing"},    {"taken", "take"},      {"taught", "teach"},  {"teeth", "tooth"},
    {"thieves", "thief"},  {"thought", "think"},   {"threw", "throw"},   {"thrown", "throw"},
    {"told", "tell"},      {"took", "take"},       {"tore", "tear"},     {"torn", "tear"},
    {"undone", "undo"},    {"wept", "weep"},       {"wharves", "wharf"}, {"withheld", "withhold"},
    {"wives", "wife"},     {"woke", "wake"},       {"woken", "wake"},    {"wolves", "wolf"},
    {"women", "woman"},    {"won", "win"},         {"wore", "wear"},     {"worn", "wear"},
    {"wove", "weave"},     {"woven", "weave"},     {"written", "write"}, {"wrote", "write"},
};

enum { FORMS = sizeof forms / sizeof *forms, LETTERS = 26 };

// Where the forms with each letter begin, and end with the last one.
static const unsigned char starts[LETTERS + 1] = {0,  0,   13,  21,  30,  31,  47,  52,  59,
                                                  59, 59,  64,  72,  77,  77,  78,  79,  79,
                                                  85, 129, 140, 141, 141, 156, 156, 156, 156};

const struct irregular *irregular_next(const struct irregular *f)
{
    f = f ? f + 1 : forms;
    return f < forms + FORMS ? f : NULL;
}

size_t irregular_bytes(const char word[IRREGULAR_LONGEST])
{
    return strnlen(word, IRREGULAR_LONGEST);
}

// WORD as a number, which has the order of its bytes.
static uint64_t key_of(const char word[IRREGULAR_LONGEST])
{
    const unsigned char *b = (const unsigned char *)word;
    return (uint64_t)b[0] << 56 | (uint64_t)b[1] << 48 | (uint64_t)b[2] << 40 |
           (uint64_t)b[3] << 32 | (uint64_t)b[4] << 24 | (uint64_t)b[5] << 16 |
           (uint64_t)b[6] << 8 | b[7];
}

const char *irregular_base(const char *word, size_t n, size_t *bytes)
{
    char padded[IRREGULAR_LONGEST] = {0};
    if (n < 3 || n > IRREGULAR_LONGEST || !is_lower(*word))
        return NULL;
    size_t from = starts[*word - 'a'], to = starts[*word - 'a' + 1];
    memcpy(padded, word, n);
    const uint64_t key = key_of(padded);
    while (from < to) {
        const size_t at = (from + to) / 2;
        const uint64_t own = key_of(forms[at].form);
        if (own == key) {
            *bytes = irregular_bytes(forms[at].base);
            return forms[at].base;
        }
        if (own < key)
            from = at + 1;
        else
            to = at;
    }
    return NULL;
}
