// Writes JSON, one value after the other, into a stream; the writer keeps track of commas.
//
//     struct json j;
//     json_init(&j, stdout);
//     json_object(&j);
//       json_str(json_key(&j, "question"), q, strlen(q));
//       json_array(json_key(&j, "blocks")); json_int(&j, 7); json_end(&j);
//     json_end(&j);
//     json_line(&j);                      // newline: JSON Lines
//
// Strings may hold any bytes: what is not UTF-8 becomes U+FFFD, control characters are escaped,
// also those that turn the direction of text.
#ifndef LCTOOL_IO_JSON_H
#define LCTOOL_IO_JSON_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json {
    FILE *f;
    int depth;
    int after_key;
    char kind[32]; // '{' or '[' of each open level
    int count[32]; // values written in it
};

void json_init(struct json *j, FILE *f);
void json_object(struct json *j);
void json_array(struct json *j);
void json_end(struct json *j);                          // closes the innermost object or array
struct json *json_key(struct json *j, const char *key); // J, for the value, which comes next
void json_str(struct json *j, const char *s, size_t n);
void json_cstr(struct json *j, const char *s); // NULL becomes null
void json_int(struct json *j, int64_t v);
void json_uint(struct json *j, uint64_t v);
void json_num(struct json *j, double v); // shortest of %.9g; NaN and infinities become null
void json_bool(struct json *j, int v);
void json_null(struct json *j);
void json_line(struct json *j); // ends the line and flushes

#endif
