// The lines by which subtitles are known: what a file of them begins with, and when a cue is shown.
#ifndef LCTOOL_IO_SOURCE_SNIFF_CUE_H
#define LCTOOL_IO_SOURCE_SNIFF_CUE_H

#include <stddef.h>
#include <stdint.h>

static inline int cue_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Whether a document is subtitles, by its first bytes.
int sniff_is_subtitles(const uint8_t *head, size_t n);
// Whether LINE, the first one, says that the file is WebVTT.
int cue_is_vtt(const char *line);
// Whether LINE says when a cue begins and ends, to *START and *END, in milliseconds.
int cue_is_timing(const char *line, int64_t *start, int64_t *end);

#endif
