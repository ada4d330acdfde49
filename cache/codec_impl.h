// The codecs that have files of their own; codec.c holds the table.
#ifndef LCTOOL_CACHE_CODEC_IMPL_H
#define LCTOOL_CACHE_CODEC_IMPL_H

#include "cache/codec.h"

extern const struct codec codec_rotated, codec_coded, codec_coded_wide, codec_coded_paired;

#endif
