// Every method of asking on a device: see device_tests.h.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/engine.h"
#include "tests/unit/kernels/device_place.h"
#include "tests/unit/kernels/device_tests.h"
#include "tests/unit/ok.h"
#include "tests/unit/own_dir.h"

static void encode_for(struct device *d, const struct place *p, const char *index,
                       const char *method)
{
    struct model *m = place_model(d, p);
    struct encode_result r;
    const char *const inputs[] = {p->text};
    struct encode_options o =
        place_options(inputs, 1, index, NULL, (struct kvz_recipe){1, 8, 8, 1});
    o.method = method;
    OK(encode_documents(m, &o, &r, e));
    model_close(m);
}

static const struct {
    const char *made_for;
    struct ask_options ask;
} questions[] = {
    {"votes", {.method = "votes"}},
    {"votes", {.method = "votes", .read = READ_BOTH}},
    {"votes", {.method = "votes", .read = READ_SENTENCES}},
    {"votes", {.method = "votes", .read = READ_CACHED_SENTENCES, .sharpen = 1.5f}},
    {"votes", {.method = "votes", .read = READ_SENTENCES, .sentences = 1, .quote = 1e-6f}},
    {"votes", {.method = "votes", .read = READ_SENTENCES, .sentences = 1, .quote = 10}},
    {"votes", {.method = "votes", .hops = 2}},
    {"votes", {.method = "snapkv"}},
    {"votes", {.method = "streaming"}},
    {"votes", {.method = "full"}},
    {"ltri", {.method = "ltri"}},
    {"infllm", {.method = "infllm"}},
    {"infllm", {.method = "infllm", .layer_step = 2, .token_step = 4}},
    {"actqkv", {.method = "actqkv"}},
    {"actqkv", {.method = "actqkv", .token_step = 5}},
    {"quest", {.method = "quest"}},
    {"quest", {.method = "quest", .share = "separate"}},
    {"kt", {.method = "kt"}}, // both layers of two read everything
    {"kt", {.method = "kt", .dense = 1, .preselect = 20}},
    {"kt", {.method = "kt", .dense = -1, .traverse = "recency"}},
    {"cascade", {.method = "cascade"}},
};

// An index made here and asked here, one made there and asked there, and the one made here asked
// there.
void device_ask_methods(void **state)
{
    (void)state;
    struct place p;
    struct device *cpu;
    char made_here[64], made_there[64], here[4096], there[4096];
    const char *method = "";
    place_new(&p);
    place_text(&p, 20);
    place_profile(&p);
    place_cpu(&cpu);
    strcpy(made_here, in_dir("here.kvz"));
    strcpy(made_there, in_dir("there.kvz"));
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        struct ask_options o = questions[i].ask;
        const int is_new = strcmp(questions[i].made_for, method) != 0;
        if (is_new) {
            method = questions[i].made_for;
            unlink(made_here);
            unlink(made_there);
            encode_for(cpu, &p, made_here, method);
            encode_for(tested, &p, made_there, method);
        }
        o.budget = 96;
        o.question = "Which boats were carried under bridge 17?";
        assert_int_equal(place_ask(cpu, &p, made_here, o, here, sizeof here), 0);
        for (int k = is_new ? 0 : 1; k < 2; k++) { // the one made here: once
            assert_int_equal(
                place_ask(tested, &p, k ? made_there : made_here, o, there, sizeof there), 0);
            if (strcmp(there, here) != 0)
                fail_msg("%s (%zu, %s): %s, %s here", o.method, i, k ? "made there" : "made here",
                         there, here);
        }
    }
    unlink(made_here);
    unlink(made_there);
    device_close(cpu);
    place_done();
}
