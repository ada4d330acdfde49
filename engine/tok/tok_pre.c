// Pre-tokenisers: the regular expressions by which byte-level BPE vocabularies cut text, as the
// tokenizer.json files of the field define them, each with the names that GGUF files give it.
//
// S stands where they say \s: the White_Space property. PCRE2's own \s has U+180E as well. None
// looks behind, and none matches nothing: tok_stream.c rests on both.
#include <stdio.h>
#include <string.h>

#include "engine/tok/tok_impl.h"

#define S                                                                                          \
    "\\t-\\r "                                                                                     \
    "\\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}"
#define SPACES       "[" S "]+(?![^" S "])|[" S "]+"
#define CONTRACTIONS "'s|'t|'re|'ve|'m|'ll|'d"

#define GPT2 CONTRACTIONS "| ?\\p{L}+| ?\\p{N}+| ?[^" S "\\p{L}\\p{N}]+|" SPACES

// Since cl100k: a word takes any one character before it, line ends stay together.
#define LINES "[" S "]*[\\r\\n]+|" SPACES
#define WORDS(digits, after)                                                                       \
    "[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|" digits "| ?[^" S "\\p{L}\\p{N}]+" after "*|" LINES
#define CL100K(digits) "(?i:" CONTRACTIONS ")|" WORDS(digits, "[\\r\\n]")

// Since o200k: a word begins with its capitals.
#define UPPER "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]"
#define LOWER "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]"
#define CASED(digits, suffix)                                                                      \
    "[^\\r\\n\\p{L}\\p{N}]?" UPPER "*" LOWER "+" suffix "|[^\\r\\n\\p{L}\\p{N}]?" UPPER "+" LOWER  \
    "*" suffix "|" digits "| ?[^" S "\\p{L}\\p{N}]+[\\r\\n/]*|" LINES

// Letters with two cases as deepseek-llm lists them, and what it takes for Han.
// clang-format off
#define DEEPSEEK_LETTERS \
    "A-Za-z\\x{b5}\\x{c0}-\\x{d6}\\x{d8}-\\x{f6}\\x{f8}-\\x{1ba}\\x{1bc}-\\x{1bf}" \
    "\\x{1c4}-\\x{293}\\x{295}-\\x{2af}\\x{370}-\\x{373}\\x{376}\\x{377}\\x{37b}-\\x{37d}" \
    "\\x{37f}\\x{386}\\x{388}-\\x{38a}\\x{38c}\\x{38e}-\\x{3a1}\\x{3a3}-\\x{3f5}" \
    "\\x{3f7}-\\x{481}\\x{48a}-\\x{52f}\\x{531}-\\x{556}\\x{10a0}-\\x{10c5}\\x{13a0}-\\x{13f5}" \
    "\\x{13f8}-\\x{13fd}\\x{1c90}-\\x{1cba}\\x{1cbd}-\\x{1cbf}\\x{1d00}-\\x{1d2b}" \
    "\\x{1d6b}-\\x{1d77}\\x{1d79}-\\x{1d9a}\\x{1e00}-\\x{1f15}\\x{1f18}-\\x{1f1d}" \
    "\\x{1f20}-\\x{1f45}\\x{1f48}-\\x{1f4d}\\x{1f50}-\\x{1f57}\\x{1f59}\\x{1f5b}\\x{1f5d}" \
    "\\x{1f5f}-\\x{1f7d}\\x{1f80}-\\x{1fb4}\\x{1fb6}-\\x{1fbc}\\x{1fbe}\\x{1fc2}-\\x{1fc4}" \
    "\\x{1fc6}-\\x{1fcc}\\x{1fd0}-\\x{1fd3}\\x{1fd6}-\\x{1fdb}\\x{1fe0}-\\x{1fec}" \
    "\\x{1ff2}-\\x{1ff4}\\x{1ff6}-\\x{1ffc}\\x{2102}\\x{2107}\\x{210a}-\\x{2113}\\x{2115}" \
    "\\x{2119}-\\x{211d}\\x{2124}\\x{2126}\\x{2128}\\x{212a}-\\x{212d}\\x{212f}-\\x{2134}" \
    "\\x{2139}\\x{213c}-\\x{213f}\\x{2145}-\\x{2149}\\x{214e}\\x{2183}\\x{2184}" \
    "\\x{2c00}-\\x{2c7b}\\x{2c7e}-\\x{2ce4}\\x{2ceb}-\\x{2cee}\\x{2cf2}\\x{2cf3}" \
    "\\x{a640}-\\x{a66d}\\x{a680}-\\x{a69b}\\x{a722}-\\x{a76f}\\x{a771}-\\x{a787}" \
    "\\x{a78b}-\\x{a78e}\\x{ab70}-\\x{abbf}\\x{fb00}-\\x{fb06}\\x{fb13}-\\x{fb17}" \
    "\\x{ff21}-\\x{ff3a}\\x{ff41}-\\x{ff5a}\\x{10400}-\\x{1044f}\\x{104b0}-\\x{104d3}" \
    "\\x{104d8}-\\x{104fb}\\x{10c80}-\\x{10cb2}\\x{10cc0}-\\x{10cf2}\\x{118a0}-\\x{118df}" \
    "\\x{1e900}-\\x{1e943}"
// clang-format on
#define DEEPSEEK_HAN "[一-龥ࠀ-一가-퟿]+"

static const struct pre pres[] = {
    {" gpt-2 mpt olmo jais phi-2 roberta-bpe trillion granite-docling ", .re = {GPT2}},
    {" smollm starcoder refact command-r codeshell exaone minerva-7b ", .re = {"\\p{N}", GPT2}},
    {" llama-bpe llama3 llama-v3 falcon3 falcon-h1 smaug-bpe dbrx ", .whole = 1, .bos = 1,
     .re = {CL100K("\\p{N}{1,3}")}},
    {" chatglm-bpe glm4 ", .re = {CL100K("\\p{N}{1,3}")}},
    {" qwen2 stablelm2 hunyuan deepseek-r1-qwen megrez ", .re = {CL100K("\\p{N}")}},
    {" tekken ", .whole = 1, .bos = 1, .re = {CASED("\\p{N}", "")}},
    {" gpt-4o llama4 ", .re = {CASED("\\p{N}{1,3}", "(?i:" CONTRACTIONS ")?")}},
    {" deepseek-coder ",
     .re = {"[\\r\\n]", "[" S "]?\\p{L}+", "[" S "]?\\p{P}+", DEEPSEEK_HAN, "\\p{N}"}},
    // "white space at the end of the piece": when it is not at the end, then neither is any shorter
    // run of the same white space, so the search goes on behind all of it.
    {" deepseek-llm ",
     .re = {"[\\r\\n]", "[" S "]?[" DEEPSEEK_LETTERS "]+", "[" S "]?[!-/:-~！-／：-～‘-‟　-。]+",
            "[" S "]++(?:\\z|(*SKIP)(*FAIL))", DEEPSEEK_HAN, "\\p{N}"}},
    {" deepseek-v3 deepseek-r1 ",
     .re = {"\\p{N}{1,3}", "[一-龥぀-ゟ゠-ヿ]+",
            "[!-/:-@\\[-`{-~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+|"
            " ?[\\p{P}\\p{S}]+[\\r\\n]*|" LINES}},
    // Falcon also sets runs of digits apart, but only after the cut into bytes, where they have a
    // space before them at most: its merges never join the two, so nothing changes.
    {" falcon ", .re = {"[\\p{P}$+<=>^~|`]+", GPT2, "[0-9][0-9][0-9]"}},
    {" default ", .re = {"[\\p{P}$+<=>^~|]+", GPT2, "\\p{N}+", "[0-9][0-9][0-9]"}},
};

int tok_is_space(uint32_t c)
{
    return (c >= 9 && c <= 13) || c == ' ' || c == 0x85 || c == 0xa0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
           c == 0x205f || c == 0x3000;
}

const struct pre *tok_pre_find(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof pres / sizeof *pres; i++)
        for (const char *p = pres[i].names; p[1]; p = strchr(p + 1, ' '))
            if (strcspn(p + 1, " ") == n && !memcmp(p + 1, name, n))
                return &pres[i];
    return NULL;
}

const char *tok_pre_list(char *buf, size_t cap)
{
    size_t at = 0;
    *buf = 0;
    for (size_t i = 0; i < sizeof pres / sizeof *pres && at < cap; i++)
        at += (size_t)snprintf(buf + at, cap - at, "%s%.*s", i ? ", " : "",
                               (int)strcspn(pres[i].names + 1, " "), pres[i].names + 1);
    return buf;
}
