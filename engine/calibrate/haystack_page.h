// A haystack as the tokens of a model, with the template's head before it.
#ifndef LCTOOL_ENGINE_CALIBRATE_HAYSTACK_PAGE_H
#define LCTOOL_ENGINE_CALIBRATE_HAYSTACK_PAGE_H

#include "engine/calibrate/haystack.h"
#include "engine/model/model.h"

struct page {
    struct haystack h;
    uint32_t *ids;
    size_t *at;  // [n] the byte of the text where each begins
    int n, head; // tokens in all, tokens before the text
};

int page_make(struct page *p, const struct model *m, const struct haystack_options *o,
              struct err *e);
void page_done(struct page *p);

// The token that BYTE of the text is in.
int page_token(const struct page *p, size_t byte);

// The tokens of a needle's answer: their count, which may be 0.
int page_value(const struct page *p, const struct needle *v, const uint32_t **value);

#endif
