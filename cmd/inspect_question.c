#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/inspect.h"
#include "cmd/passage.h"
#include "cmd/session.h"
#include "cmd/ui.h"
#include "io/json.h"
#include "io/mem.h"

enum { VOTES_SHOWN = 12 };

// A choice with what the index says about its block.
struct shown {
    const struct choice *choice;
    struct kvz_block block;
    struct kvz_document document;
    char *text; // owned
};

static int look_up(const struct session *s, const struct choice *c, struct shown *v, struct err *e)
{
    const struct kvz *k = s->indexes[c->index];
    int rc;
    v->choice = c;
    v->text = NULL;
    if ((rc = kvz_block(k, c->block, &v->block, e)) ||
        (rc = kvz_document(k, v->block.document, &v->document, e)))
        return rc;
    if (!(v->text = mem_new(v->block.end - v->block.start + 1, 1, e)))
        return ERR_NOMEM;
    return kvz_read_text(k, c->block, v->text, e);
}

static void show_text(const struct shown *v, int number)
{
    printf("[%d] block %" PRIu64 "  ", number, v->choice->block);
    passage_words(stdout, v->document.name, strlen(v->document.name), 1000);
    printf(":%" PRIu64 "-%" PRIu64 "  %.2f\n    ", v->block.start, v->block.end, v->choice->score);
    passage_words(stdout, v->text, v->block.end - v->block.start, ui_columns(stdout) - 4);
    putchar('\n');
    for (int i = 0; i < v->choice->n_votes && i < VOTES_SHOWN; i++) {
        const struct vote *vote = &v->choice->votes[i];
        printf("    layer %d head %d: its choice number %d, z %.2f\n", vote->layer, vote->head,
               vote->rank, vote->score);
    }
}

static void show_json(struct json *j, const struct shown *v)
{
    json_object(j);
    json_uint(json_key(j, "block"), v->choice->block);
    json_num(json_key(j, "score"), v->choice->score);
    json_cstr(json_key(j, "document"), v->document.name);
    json_uint(json_key(j, "start"), v->block.start);
    json_uint(json_key(j, "end"), v->block.end);
    json_str(json_key(j, "text"), v->text, v->block.end - v->block.start);
    json_array(json_key(j, "votes"));
    for (int i = 0; i < v->choice->n_votes; i++) {
        const struct vote *vote = &v->choice->votes[i];
        json_object(j);
        json_int(json_key(j, "layer"), vote->layer);
        json_int(json_key(j, "head"), vote->head);
        json_num(json_key(j, "score"), vote->score);
        json_int(json_key(j, "rank"), vote->rank);
        json_end(j);
    }
    json_end(j);
    json_end(j);
}

static void all_text(const struct answer *a, const struct shown *v)
{
    printf("chosen by %s\n", a->select ? a->select : "nothing");
    for (int i = 0; i < a->n_choices; i++)
        show_text(&v[i], i + 1);
}

static void all_json(const char *question, const struct answer *a, const struct shown *v)
{
    struct json j;
    json_init(&j, stdout);
    json_object(&j);
    json_cstr(json_key(&j, "question"), question);
    json_cstr(json_key(&j, "select"), a->select);
    json_array(json_key(&j, "choices"));
    for (int i = 0; i < a->n_choices; i++)
        show_json(&j, &v[i]);
    json_end(&j);
    json_end(&j);
    json_line(&j);
}

// Collects everything before anything is printed, so that an error leaves no half of an object.
static int show_all(const struct session *s, const char *question, const struct answer *a, int json,
                    struct err *e)
{
    struct shown *v = mem_new((size_t)a->n_choices, sizeof *v, e);
    int rc = v ? 0 : ERR_NOMEM;
    for (int i = 0; !rc && i < a->n_choices; i++)
        rc = look_up(s, &a->choices[i], &v[i], e);
    if (!rc && json)
        all_json(question, a, v);
    else if (!rc)
        all_text(a, v);
    for (int i = 0; v && i < a->n_choices; i++)
        free(v[i].text);
    free(v);
    return rc;
}

int inspect_question(const struct common *c, const char *path, const struct inspect_options *o)
{
    char *paths[] = {(char *)(uintptr_t)path};
    struct session s;
    struct answer a = {0};
    struct err e;
    struct ask_options ask = {.question = o->question, .stop = ui_catch_stop(0)};
    int rc = session_open(&s, c, paths, 1, &e);
    if (!rc && !(rc = session_embed(&s, c, NULL, &e)))
        ask.embedder = s.embedder;
    if (!rc)
        rc = ask_choose(s.model, s.indexes, 1, &ask, &a, &e);
    if (!rc)
        rc = show_all(&s, o->question, &a, o->json, &e);
    if (rc)
        rc = ui_fail(&e);
    answer_done(&a);
    session_close(&s);
    return rc;
}
