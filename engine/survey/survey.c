#define _GNU_SOURCE
#include "engine/survey/survey.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/history/history.h"
#include "engine/outline/outline.h"
#include "engine/question/question.h"
#include "engine/question/turn.h"
#include "engine/survey/same_words.h"
#include "engine/survey/surveys.h"
#include "engine/tables/tables.h"
#include "io/mem.h"

// What did not find the answer after all may have begun to say it.
static void unsay(struct lookup *v)
{
    rewind(v->out);
    v->s->n = 0;
}

enum { BY_NAME = 1, VALUE };

// A way to look up what QUESTION asks for; it returns as survey() does.
struct way {
    int (*find)(struct lookup *v, const char *question, struct err *e);
    int itself;  // 1: the question without what is said before it
    int by_name; // BY_NAME: it goes by names alone, whatever else the question says; VALUE: and
                 // finds what something is
};

// Whether one of V's texts tells of a new one, or of another, that QUESTION asks for and the answer
// does not have: 1, 0, or an error.
static int is_told_apart(const struct lookup *v, const char *question, struct err *e)
{
    struct texts t;
    int rc;
    if (!turn_calls_apart(question, v->s->text, v->s->bytes))
        return 0;
    texts_begin(&t, v->k, v->n_k);
    while ((rc = texts_next(&t, e)) > 0)
        if (turn_tells_apart(question, v->s->text, v->s->bytes, t.text, t.n))
            return 1;
    return rc;
}

// Looks QUESTION up by WAYS [n], until one finds something that no word of the question turns.
static int look_up_by(struct lookup *v, const struct way *ways, size_t n, const char *question,
                      struct err *e)
{
    const char *itself = question_itself(question);
    int rc = 0;
    for (size_t i = 0; !rc && i < n; i++) {
        unsay(v);
        if ((rc = ways[i].find(v, ways[i].itself ? itself : question, e)) <= 0 || !ways[i].by_name)
            continue;
        fflush(v->out);
        rc = !turn_left_over(question, v->s->text, v->s->bytes) &&
             !(ways[i].by_name == VALUE && turn_asks_of_change(question, v->s->text, v->s->bytes));
        const int other = rc ? is_told_apart(v, question, e) : 0;
        rc = other < 0 ? other : rc && !other;
    }
    if (!rc)
        unsay(v);
    return rc;
}

// Looks up what a question asks for that has no form of its own: what finds something first says
// it.
static int look_up(struct lookup *v, const char *question, struct err *e)
{
    static const struct way ways[] = {
        {survey_meaning, 1, 0},        {history_mail, 0, 0},    {outline_faq, 0, BY_NAME},
        {outline_made, 1, BY_NAME},    {tables_numbered, 0, 0}, {tables_rows, 1, 0},
        {tables_priced, 1, 0},         {tables_led, 1, VALUE},  {tables_cell, 0, VALUE},
        {survey_code, 1, 0},           {tables_grid, 0, VALUE}, {tables_field, 0, VALUE},
        {tables_nested_key, 1, VALUE}, {tables_pair, 0, VALUE}, {tables_told_of, 0, VALUE},
        {tables_range, 0, 0},          {outline_opening, 1, 0}, {survey_signed, 1, 0},
        {survey_measure, 1, VALUE},    {survey_term, 1, VALUE}, {tables_summed, 1, VALUE},
        {survey_author, 1, 0},         {tables_dated, 1, 0},    {outline_items, 0, 0},
        {tables_aligned, 1, VALUE},    {survey_closing, 1, 0},  {survey_labelled, 1, VALUE},
        {survey_event_day, 1, VALUE},  {history_session, 1, 0}, {outline_lasted, 1, 0},
        {tables_difference, 1, 0},     {survey_defined, 1, 0},
    };
    return look_up_by(v, ways, sizeof ways / sizeof *ways, question, e);
}

static int look_up_role(struct lookup *v, const char *question, struct err *e)
{
    static const struct way ways[] = {{survey_author, 1, 0},    {tables_rows, 1, 0},
                                      {tables_led, 1, VALUE},   {tables_cell, 0, VALUE},
                                      {tables_field, 0, VALUE}, {tables_pair, 0, VALUE},
                                      {survey_closing, 1, 0},   {survey_labelled, 1, VALUE}};
    int rc = survey_meaning_of(v, v->w.what, e);
    if (rc || (rc = survey_role(v, e)))
        return rc;
    return look_up_by(v, ways, sizeof ways / sizeof *ways, question, e);
}

// Looks up who was in the chair, whatever that is called.
static int look_up_chair(struct lookup *v, struct err *e)
{
    static const char *const called[] = {"chair", "chairman", "chairwoman", "chairperson"};
    int rc = 0;
    for (size_t i = 0; !rc && i < sizeof called / sizeof *called; i++) {
        snprintf(v->w.what, sizeof v->w.what, "%s", called[i]);
        rc = survey_role(v, e);
    }
    return rc;
}

static int count(struct lookup *v, struct err *e)
{
    return v->w.unit == UNIT_EVENTS ? history_logged(v, e) : survey_count(v, e);
}

// What answers a question by its form alone. What these do not find is looked up by its words.
static int (*const BY_FORM[])(struct lookup *v, struct err *e) = {
    [WANT_COUNT] = count,
    [WANT_MENTION] = count,
    [WANT_LINES] = count,
    [WANT_N_TOLD] = history_told,
    [WANT_OFTEN_TOLD] = history_told,
    [WANT_TOLD] = history_told,
    [WANT_HAPPENED] = history_happened,
    [WANT_ENDED] = history_outcome,
    [WANT_ENDED_WHEN] = history_outcome,
    [WANT_SUCCEEDED_WHEN] = history_outcome,
    [WANT_FAILED_WHEN] = history_outcome,
    [WANT_FAILED_WHY] = history_outcome,
    [WANT_VERSION_OUT] = history_outcome,
    [WANT_TOOK] = history_outcome,
    [WANT_HIGHEST] = history_highest,
    [WANT_LOWEST] = history_highest,
    [WANT_LONGEST] = history_highest,
    [WANT_SHORTEST] = history_highest,
    [WANT_NUMBER] = outline_kinds,
    [WANT_LIST] = outline_kinds,
    [WANT_SENDERS] = outline_kinds,
    [WANT_N_SENDERS] = outline_kinds,
    [WANT_SUBJECTS] = outline_kinds,
    [WANT_PART] = outline_ends,
    [WANT_PART_WHO] = outline_ends,
    [WANT_PART_WHEN] = outline_ends,
    [WANT_PART_WHERE] = outline_ends,
    [WANT_PART_SUBJECT] = outline_ends,
    [WANT_PART_SAYS] = outline_ends,
    [WANT_ATTENDED] = outline_attended,
    [WANT_ABSENT] = outline_attended,
    [WANT_N_ATTENDED] = outline_attended,
    [WANT_N_ABSENT] = outline_attended,
    [WANT_NEXT_MEETING] = outline_attended,
    [WANT_ENTRY] = history_entry,
    [WANT_ENTRY_FIXED] = history_entry,
    [WANT_ENTRY_REMOVED] = history_entry,
    [WANT_ENTRY_BELOW] = history_entry,
    [WANT_ENTRY_WHO] = history_entry,
    [WANT_DATED] = history_entry,
    [WANT_ENTRIES] = history_entry,
    [WANT_NEWEST] = history_entry,
    [WANT_OLDEST] = history_entry,
    [WANT_ADDED] = history_entry,
    [WANT_FIXED] = history_entry,
    [WANT_REMOVED] = history_entry,
    [WANT_CHANGED] = history_entry, // or "When was invoice 2024-17 issued?"
    [WANT_SECTION] = outline_section,
    [WANT_TITLE] = outline_section,
};

// What answers a question by its form, with the question's words or without; nothing else is looked
// up for it.
static int by_form_alone(struct lookup *v, const char *question, struct err *e)
{
    int rc;
    switch (v->w.want) {
    case WANT_REACHED: // what a table or a record has is surer
        rc = survey_address(v, question, e);
        rc = rc ? rc : look_up(v, question, e);
        return rc ? rc : survey_reached(v, question, e);
    case WANT_VALUE:
        rc = survey_term(v, question_itself(question), e);
        return rc ? rc : survey_chain(v, e);
    case WANT_ROLE:
        return look_up_role(v, question, e);
    case WANT_CHAIR:
        return look_up_chair(v, e);
    case WANT_COMMON:
        return survey_common(v, e);
    case WANT_LED_TO:
        return survey_trail(v, e);
    default:
        return survey_chain(v, e);
    }
}

static int answer(struct lookup *v, const char *question, struct err *e)
{
    const enum want want = v->w.want;
    int (*const find)(struct lookup *, struct err *) =
        want < sizeof BY_FORM / sizeof *BY_FORM ? BY_FORM[want] : NULL;
    int rc = history_diffed(v, question, e);
    if (rc)
        return rc;
    if (want != WANT_NOTHING && !find)
        return by_form_alone(v, question, e);
    rc = find ? find(v, e) : 0;
    if (!rc)
        rc = look_up(v, question, e);
    return !rc && v->w.want == WANT_SECTION ? outline_no_section(v, e) : rc;
}

// answer; of what only names what is asked for, "price of the pump", as a question.
static int answer_asked(struct lookup *v, const char *question, struct err *e)
{
    int rc;
    wanted_parse(&v->w, question);
    if ((rc = answer(v, question, e)) || !question_is_phrase(question))
        return rc;
    const size_t room = strlen(question) + sizeof "What is the ?";
    char *asked = mem_new(room, 1, e);
    if (!asked)
        return ERR_NOMEM;
    snprintf(asked, room, "What is the %.*s?", (int)strcspn(question, "?"), question);
    wanted_parse(&v->w, asked);
    rc = answer(v, asked, e);
    free(asked);
    return rc;
}

// answer_asked; where it finds nothing, also of what the texts call the same.
static int answer_in_words(struct lookup *v, const char *question, struct err *e)
{
    char *same = NULL;
    int rc = answer_asked(v, question, e);
    if (rc || (rc = same_words(v->k, v->n_k, question, &same, e)) <= 0)
        return rc;
    rc = answer_asked(v, same, e);
    free(same);
    return rc;
}

int survey(struct lookup_answer *s, struct kvz *const *k, int n_k, const char *question, int most,
           struct err *e)
{
    struct lookup v = {.k = k, .n_k = n_k, .s = s};
    *s = (struct lookup_answer){.most = most};
    int rc = texts_are_there(k, n_k, e);
    if (rc <= 0)
        return rc;
    s->places = mem_new((size_t)most, sizeof *s->places, e);
    v.out = open_memstream(&s->text, &s->bytes);
    if (!s->places || !v.out)
        rc = err_set(e, ERR_NOMEM, "out of memory (survey)");
    else
        rc = answer_in_words(&v, question, e);
    if (v.out && fclose(v.out) && rc > 0)
        rc = err_set(e, ERR_NOMEM, "out of memory (survey)");
    return rc;
}
