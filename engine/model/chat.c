#include "engine/model/chat.h"

#include <string.h>

#define CHATML                                                                                     \
    .system_open = "<|im_start|>system\n", .system_close = "<|im_end|>\n",                         \
    .user_open = "<|im_start|>user\n", .user_close = "<|im_end|>\n"
#define LLAMA3(role) "<|start_header_id|>" role "<|end_header_id|>\n\n"

// In the order of trial: a family before those whose marks it shares.
static const struct chat chats[] = {
    {"raw", .system_open = "", .system_close = "\n\n", .user_open = "", .user_close = "",
     .assistant_open = ""},

    // An empty thought is how these are told not to think.
    {"qwen-nothink",
     {"<|im_start|>assistant\n", "enable_thinking", "<think>\n\n</think>\n\n"},
     {"## Metadata"},
     CHATML,
     .assistant_open = "<|im_start|>assistant\n<think>\n\n</think>\n\n"},
    {"qwen-think",
     {"<|im_start|>assistant\n<think>\n"},
     {"enable_thinking", "## Metadata"},
     CHATML,
     .assistant_open = "<|im_start|>assistant\n<think>\n"},
    {"chatml",
     {"<|im_start|>", "<|im_end|>", "assistant"},
     {"enable_thinking", "## Metadata", "<|im_sep|>"},
     CHATML,
     .assistant_open = "<|im_start|>assistant\n"},
    {"internlm2", CHATML, .assistant_open = "<|im_start|>assistant\n"}, // its text is chatml's

    // The date is the one the template falls back on: an index must not depend on the day.
    {"llama-3.1",
     {"<|start_header_id|>", "<|eot_id|>", "Cutting Knowledge Date"},
     .system_always = 1,
     .system_open =
         LLAMA3("system") "Cutting Knowledge Date: December 2023\nToday Date: 26 Jul 2024\n\n",
     .system_close = "<|eot_id|>",
     .user_open = LLAMA3("user"),
     .user_close = "<|eot_id|>",
     .assistant_open = LLAMA3("assistant")},
    {"llama-3",
     {"<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"},
     .system_open = LLAMA3("system"),
     .system_close = "<|eot_id|>",
     .user_open = LLAMA3("user"),
     .user_close = "<|eot_id|>",
     .assistant_open = LLAMA3("assistant")},
    {"llama-2",
     {"[INST] ", "<<SYS>>"},
     .system_inside = 1,
     .system_open = "<<SYS>>\n",
     .system_close = "\n<</SYS>>\n\n",
     .user_open = "[INST] ",
     .user_close = " [/INST]",
     .assistant_open = ""},

    {"mistral-v7",
     {"[SYSTEM_PROMPT] ", "[INST] "},
     .system_open = "[SYSTEM_PROMPT] ",
     .system_close = "[/SYSTEM_PROMPT]",
     .user_open = "[INST] ",
     .user_close = "[/INST]",
     .assistant_open = ""},
    {"mistral-v7-tekken",
     {"[SYSTEM_PROMPT]", "[INST]"},
     {"[INST] ", "[THINK]"},
     .system_open = "[SYSTEM_PROMPT]",
     .system_close = "[/SYSTEM_PROMPT]",
     .user_open = "[INST]",
     .user_close = "[/INST]",
     .assistant_open = ""},
    {"mistral-v1",
     {"[INST] ", " [/INST]"},
     {"<<SYS>>"},
     .system_inside = 1,
     .system_open = "",
     .system_close = "\n\n",
     .user_open = "[INST] ",
     .user_close = " [/INST]",
     .assistant_open = ""},
    {"mistral-v3",
     {"[INST] ", "[/INST]"},
     {"<<SYS>>", "[SYSTEM_PROMPT]"},
     .system_inside = 1,
     .system_open = "",
     .system_close = "\n\n",
     .user_open = "[INST] ",
     .user_close = "[/INST]",
     .assistant_open = ""},
    {"mistral-v3-tekken",
     {"[INST]", "[/INST]"},
     {"<<SYS>>", "[SYSTEM_PROMPT]"},
     .system_inside = 1,
     .system_open = "",
     .system_close = "\n\n",
     .user_open = "[INST]",
     .user_close = "[/INST]",
     .assistant_open = ""},

    {"phi-3",
     {"<|user|>", "<|end|>", "<|assistant|>"},
     {"<|im_start|>"},
     .system_open = "<|system|>\n",
     .system_close = "<|end|>\n",
     .user_open = "<|user|>\n",
     .user_close = "<|end|>\n",
     .assistant_open = "<|assistant|>\n"},
    {"zephyr",
     {"<|user|>\n", "eos_token", "<|assistant|>"},
     {"<|end|>", "[gMASK]"},
     .system_open = "<|system|>\n",
     .system_close = "</s>\n",
     .user_open = "<|user|>\n",
     .user_close = "</s>\n",
     .assistant_open = "<|assistant|>\n"},
    {"gemma",
     {"<start_of_turn>", "<end_of_turn>", "model"},
     .system_inside = 1,
     .system_open = "",
     .system_close = "\n\n",
     .user_open = "<start_of_turn>user\n",
     .user_close = "<end_of_turn>\n",
     .assistant_open = "<start_of_turn>model\n"},
};

// Bytes of the text at S that NEEDLE matches, or 0. A line end in a template is written as itself
// or, inside a Jinja string, as an escape.
static size_t match_at(const char *s, size_t n, const char *needle)
{
    size_t i = 0;
    for (; *needle; needle++) {
        if (i < n && s[i] == *needle)
            i++;
        else if (*needle == '\n' && n - i >= 2 && s[i] == '\\' && s[i + 1] == 'n')
            i += 2;
        else
            return 0;
    }
    return i;
}

static int contains(const char *s, size_t n, const char *needle)
{
    for (size_t i = 0; i < n; i++)
        if (match_at(s + i, n - i, needle))
            return 1;
    return 0;
}

static int fits(const struct chat *c, const char *s, size_t n)
{
    for (int i = 0; i < 3; i++) {
        if (c->has[i] && !contains(s, n, c->has[i]))
            return 0;
        if (c->lacks[i] && contains(s, n, c->lacks[i]))
            return 0;
    }
    return c->has[0] != NULL;
}

const struct chat *chat_detect(const char *template_text, size_t n)
{
    for (size_t i = 0; i < sizeof chats / sizeof *chats; i++)
        if (fits(&chats[i], template_text, n))
            return &chats[i];
    return NULL;
}

const struct chat *chat_find(const char *name)
{
    for (size_t i = 0; i < sizeof chats / sizeof *chats; i++)
        if (!strcmp(chats[i].name, name))
            return &chats[i];
    return NULL;
}

const struct chat *chat_at(size_t i)
{
    return i < sizeof chats / sizeof *chats ? &chats[i] : NULL;
}

static size_t append(char *buf, size_t cap, size_t at, const char *s)
{
    size_t n = strlen(s);
    if (!cap)
        return 0;
    n = n < cap - 1 - at ? n : cap - 1 - at;
    memcpy(buf + at, s, n);
    buf[at + n] = 0;
    return at + n;
}

// A Jinja string up to CLOSE or its end. Returns its length in BUF, 0 when CLOSE does not come.
static size_t unescape(const char *s, size_t n, const char *close, char *buf, size_t cap)
{
    size_t k = 0;
    for (size_t i = 0; i < n && k + 1 < cap; i++) {
        if (match_at(s + i, n - i, close)) {
            buf[k] = 0;
            return k;
        }
        if (s[i] == '\'' || s[i] == '"' || s[i] == '{')
            break;
        if (s[i] == '\\' && i + 1 < n) {
            i++;
            buf[k++] = s[i] == 'n' ? '\n' : s[i] == 't' ? '\t' : s[i];
        } else {
            buf[k++] = s[i];
        }
    }
    buf[0] = 0;
    return 0;
}

// Where the frame of a system message is closed within the string that opens it, what stands
// between is the template's own.
size_t chat_default_system(const char *template_text, size_t n, char *buf, size_t cap)
{
    const struct chat *c = chat_detect(template_text, n);
    if (!cap)
        return 0;
    buf[0] = 0;
    if (!c || !*c->system_open || c->system_always)
        return 0;
    for (size_t i = 0; i < n; i++) {
        size_t open = match_at(template_text + i, n - i, c->system_open);
        size_t k =
            open ? unescape(template_text + i + open, n - i - open, c->system_close, buf, cap) : 0;
        if (k)
            return k;
    }
    return 0;
}

size_t chat_head(const struct chat *c, const char *system, char *buf, size_t cap)
{
    size_t at = 0;
    int has = system && *system;
    if (cap)
        buf[0] = 0;
    if (c->system_inside)
        at = append(buf, cap, at, c->user_open);
    if (has || c->system_always) {
        at = append(buf, cap, at, c->system_open);
        at = append(buf, cap, at, has ? system : "");
        at = append(buf, cap, at, c->system_close);
    }
    if (!c->system_inside)
        at = append(buf, cap, at, c->user_open);
    return at;
}

size_t chat_tail(const struct chat *c, char *buf, size_t cap)
{
    if (cap)
        buf[0] = 0;
    size_t at = append(buf, cap, 0, c->user_close);
    return append(buf, cap, at, c->assistant_open);
}
