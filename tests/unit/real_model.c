#define _GNU_SOURCE
#include "tests/unit/real_model.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include "cmd/config.h"

static int find(char path[REAL_MODEL_PATH], const char *name)
{
    char dir[REAL_MODEL_PATH - 64];
    struct err e;
    if (config_models_dir(dir, sizeof dir, &e))
        fail_msg("%s", e.msg);
    snprintf(path, REAL_MODEL_PATH, "%s/%s", dir, name);
    if (!access(path, R_OK))
        return 1;
    print_message("no %s: run 'make model'\n", path);
    return 0;
}

int real_model_find(char path[REAL_MODEL_PATH])
{
    return find(path, "SmolLM2-135M-Instruct.Q4_1.gguf");
}

int real_embedder_find(char path[REAL_MODEL_PATH])
{
    return find(path, "../embedders/all-MiniLM-L6-v2.Q8_0.gguf");
}
