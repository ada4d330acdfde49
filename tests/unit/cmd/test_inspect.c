// What inspect says of an index.
#include "tests/unit/cache/kvz_make.h"

#include <fcntl.h>

#include "cmd/inspect.h"
#include "cmd/ui.h"

// What inspect_index prints of PATH, and its exit status; to be freed.
static char *said(const char *path, int json, int *status)
{
    const struct inspect_options o = {.json = json};
    char *text;
    size_t n;
    fflush(stdout);
    const int was = dup(1), fd = open(in_dir("said"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    assert_true(was >= 0 && fd >= 0 && dup2(fd, 1) == 1);
    *status = inspect_index(path, &o);
    fflush(stdout);
    assert_int_equal(dup2(was, 1), 1);
    close(was);
    close(fd);
    OK(file_slurp(in_dir("said"), 1 << 20, &text, &n, e));
    return text;
}

static void says(const char *path, int json, const char *what, int does)
{
    int status;
    char *text = said(path, json, &status);
    if (status != EXIT_OK || (strstr(text, what) != NULL) != does)
        fail_msg("%d: '%s' in\n%s", status, what, text);
    free(text);
}

static void vectors_of_sentences_are_told(void **state)
{
    (void)state;
    char path[128];
    make_index_and(make_path(path, "with.kvz"), 1, 3, 2, SHORT_SUMMARY);
    says(path, 0,
         "\nsentences   5 by tiny-embedder, 7 dimensions\n"
         "            9 of their words, 3 dimensions\n",
         1);
    says(path, 0, "\n  SENT ", 1);
    says(path, 1,
         "\"sentences\": {\"vectors\": 5, \"embedder\": \"tiny-embedder\", "
         "\"digest\": \"fedcba9876543210\", \"dimensions\": 7, \"words\": 9, \"word_dimensions\": "
         "3}, \"sections\": [",
         1);
    make_index(make_path(path, "without.kvz"), 1, 3, 2);
    says(path, 0, "sentences", 0);
    says(path, 1, "sentences", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_of_sentences_are_told),
    };
    return cmocka_run_group_tests(tests, own_dir_make_quick, own_dir_remove);
}
