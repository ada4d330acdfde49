// A directory of a test group's own, which is the current one while the group runs.
//
//     return cmocka_run_group_tests(tests, own_dir_enter, own_dir_leave);
#ifndef LCTOOL_TESTS_OWN_DIR_H
#define LCTOOL_TESTS_OWN_DIR_H

int own_dir_enter(void **state);
int own_dir_leave(void **state); // removes it with all that is in it

#endif
