// A directory of a test group's own; a program has one at a time.
//
//     OK(encode(in_dir("a.txt"), in_dir("a.kvz"), e));
//     return cmocka_run_group_tests(tests, own_dir_make, own_dir_remove);
//
// or one that is the current one while the group runs:
//
//     return cmocka_run_group_tests(tests, own_dir_enter, own_dir_leave);
#ifndef LCTOOL_TESTS_UNIT_OWN_DIR_H
#define LCTOOL_TESTS_UNIT_OWN_DIR_H

int own_dir_make(void **state);
// In memory where that can be had, for tests that wait for the disk hundreds of times.
int own_dir_make_quick(void **state);
int own_dir_remove(void **state); // with all that is in it

int own_dir_enter(void **state);
int own_dir_leave(void **state);

const char *own_dir(void); // its path, in less than 32 bytes; valid until it is removed
// The path of NAME in it; good for the next seven calls.
char *in_dir(const char *name);

#endif
