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

int real_model_find(char path[REAL_MODEL_PATH])
{
    static const char NAME[] = "SmolLM2-135M-Instruct.Q4_1.gguf";
    char dir[REAL_MODEL_PATH - sizeof NAME];
    struct err e;
    if (config_models_dir(dir, sizeof dir, &e))
        fail_msg("%s", e.msg);
    snprintf(path, REAL_MODEL_PATH, "%s/%s", dir, NAME);
    if (!access(path, R_OK))
        return 1;
    print_message("no %s: run 'make model'\n", path);
    return 0;
}
