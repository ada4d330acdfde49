#include "io/source/sniff_cue.h"

#include <string.h>

// The time at *P, which moves behind it, in milliseconds: "1:02:03,450", "02:03.450".
static int time_at(const char **p, int64_t *ms)
{
    enum { MOST = 100000 };
    int64_t all = 0, part = 0;
    int parts = 0, digits = 0;
    const char *s = *p;
    for (;; s++) {
        if (cue_is_digit(*s) && part < MOST) {
            part = part * 10 + *s - '0';
            digits++;
        } else if (*s == ':' && digits && parts < 2) {
            all = (all + part) * 60;
            part = digits = 0;
            parts++;
        } else {
            break;
        }
    }
    if (!parts || !digits || (*s != ',' && *s != '.') || !cue_is_digit(s[1]))
        return 0;
    *ms = (all + part) * 1000;
    for (int64_t unit = 100; cue_is_digit(*++s); unit /= 10)
        *ms += unit * (*s - '0');
    *p = s;
    return 1;
}

int cue_is_timing(const char *line, int64_t *start, int64_t *end)
{
    line += strspn(line, " \t");
    if (!time_at(&line, start))
        return 0;
    line += strspn(line, " \t");
    if (strncmp(line, "-->", 3) != 0)
        return 0;
    line += 3 + strspn(line + 3, " \t");
    return time_at(&line, end);
}

static const char VTT[] = "WEBVTT";

int cue_is_vtt(const char *line)
{
    const size_t n = sizeof VTT - 1;
    return !strncmp(line, VTT, n) && (!line[n] || strchr(" \t\r\n", line[n]));
}

int sniff_is_subtitles(const uint8_t *head, size_t n)
{
    char text[256];
    int64_t start, end;
    size_t bom = n >= 3 && !memcmp(head, "\xef\xbb\xbf", 3) ? 3 : 0;
    n -= bom;
    n = n < sizeof text - 1 ? n : sizeof text - 1;
    memcpy(text, head + bom, n);
    text[n] = 0;
    if (cue_is_vtt(text))
        return 1;
    const char *p = text + strspn(text, " \t\r\n");
    const size_t digits = strspn(p, "0123456789");
    p += digits + strspn(p + digits, " \t\r");
    return digits && *p == '\n' && cue_is_timing(p + 1, &start, &end);
}
