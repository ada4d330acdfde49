#include "cmd/answer_json.h"

#include <stdio.h>
#include <string.h>

#include "cmd/passage.h"
#include "io/json.h"

int answer_is_none(const struct answer *a)
{
    return a->finish && !strcmp(a->finish, "unanswered");
}

static void json_numbers(struct json *j, const struct answer *a, const struct session *s, int art)
{
    json_object(json_key(j, "tokens"));
    json_int(json_key(j, "question"), a->question_tokens);
    json_int(json_key(j, "answer"), a->answer_tokens);
    json_int(json_key(j, "read"), a->read_tokens);
    json_uint(json_key(j, "document"), a->document_tokens);
    json_end(j);
    if (art) {
        json_object(json_key(j, "art"));
        json_uint(json_key(j, "read"), a->art_read);
        json_uint(json_key(j, "blocks"), a->art_blocks);
        json_end(j);
    }
    json_object(json_key(j, "seconds"));
    json_num(json_key(j, "open"), s->open_seconds);
    json_num(json_key(j, "first_token"), a->first_token_seconds);
    json_num(json_key(j, "total"), a->total_seconds);
    json_end(j);
}

static void json_indexes(struct json *j, const struct session *s)
{
    json_key(j, "index");
    if (s->n_named == 1) {
        json_cstr(j, kvz_path(s->indexes[0]));
        return;
    }
    json_array(j);
    for (int i = 0; i < s->n_indexes; i++)
        json_cstr(j, kvz_path(s->indexes[i]));
    json_end(j);
}

void answer_json(const char *question, const struct answer *a, const struct session *s, int art)
{
    const struct kvz_meta *meta = kvz_meta(s->indexes[0]);
    int several = s->n_named > 1;
    struct json j;
    json_init(&j, stdout);
    json_object(&j);
    json_cstr(json_key(&j, "question"), question);
    json_key(&j, "asked");
    if (a->asked)
        json_cstr(&j, a->asked);
    else
        json_null(&j);
    json_key(&j, "answer");
    if (answer_is_none(a))
        json_null(&j);
    else
        json_str(&j, a->text, a->text_bytes);
    json_key(&j, "alternative");
    if (a->alternative)
        json_cstr(&j, a->alternative);
    else
        json_null(&j);
    json_key(&j, "changed");
    if (a->changed)
        json_cstr(&j, a->changed);
    else
        json_null(&j);
    json_num(json_key(&j, "score"), a->score);
    json_key(&j, "evidence");
    passage_json(&j, a->evidence, a->n_evidence, s->indexes, s->n_named);
    json_array(json_key(&j, "blocks"));
    for (int i = 0; i < a->n_choices; i++)
        json_uint(&j, a->choices[i].block);
    json_end(&j);
    if (several) { // a block's number means something within its own index only
        json_array(json_key(&j, "block_indexes"));
        for (int i = 0; i < a->n_choices; i++)
            json_cstr(&j, kvz_path(s->indexes[a->choices[i].index]));
        json_end(&j);
    }
    json_numbers(&j, a, s, art);
    json_indexes(&j, s);
    json_cstr(json_key(&j, "model"), meta->model);
    json_cstr(json_key(&j, "method"), meta->method);
    json_cstr(json_key(&j, "select"), a->select);
    json_cstr(json_key(&j, "finish"), a->finish);
    json_end(&j);
    json_line(&j);
}

void answer_json_error(const char *question, const char *msg)
{
    struct json j;
    json_init(&j, stdout);
    json_object(&j);
    json_cstr(json_key(&j, "question"), question);
    json_cstr(json_key(&j, "error"), msg);
    json_end(&j);
    json_line(&j);
}
