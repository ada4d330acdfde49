// SmolLM2-135M-Instruct, and all-MiniLM-L6-v2, where 'make model' has put them.
//
//     char path[REAL_MODEL_PATH];
//     if (!real_model_find(path))
//         skip();
#ifndef LCTOOL_TESTS_UNIT_REAL_MODEL_H
#define LCTOOL_TESTS_UNIT_REAL_MODEL_H

enum { REAL_MODEL_PATH = 4096 };

// 1 with its path; 0, having said so, where it has not been fetched.
int real_model_find(char path[REAL_MODEL_PATH]);
int real_embedder_find(char path[REAL_MODEL_PATH]);

#endif
