#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/cursor.h"
#include "io/file.h"
#include "io/hash.h"
#include "tests/unit/own_dir.h"

static void maps(void **state)
{
    (void)state;
    struct err e = {0};
    struct file_map m;
    assert_int_equal(file_replace(NULL, "m", "hello", 5, &e), 0);
    assert_int_equal(file_map(&m, "m", &e), 0);
    assert_int_equal(m.bytes, 5);
    assert_memory_equal(m.data, "hello", 5);
    // The map is of the file that was there, whatever takes its name.
    assert_int_equal(file_replace(NULL, "m", "other", 5, &e), 0);
    assert_memory_equal(m.data, "hello", 5);
    file_unmap(&m);
    file_unmap(&m);
    assert_int_equal(file_replace(NULL, "m", "", 0, &e), 0);
    assert_int_equal(file_map(&m, "m", &e), 0);
    assert_true(!m.data && !m.bytes);
    assert_int_equal(file_map(&m, "missing", &e), ERR_IO);
    assert_string_equal(e.msg, "missing: No such file or directory");
    assert_int_equal(file_map(&m, ".", &e), ERR_IO);
    assert_string_equal(e.msg, ".: not a regular file");
}

static void writes_and_reads(void **state)
{
    (void)state;
    struct err e = {0};
    char buf[16] = {0};
    int fd = open("w", O_RDWR | O_CREAT, 0600);
    assert_true(fd >= 0);
    assert_int_equal(file_write(fd, "abc", 3, "w", &e), 0);
    assert_int_equal(file_pwrite(fd, "XY", 2, 5, "w", &e), 0);
    assert_int_equal(file_pread(fd, buf, 7, 0, "w", &e), 0);
    assert_memory_equal(buf, "abc\0\0XY", 7);
    assert_int_equal(file_pread(fd, buf, 3, 5, "w", &e), ERR_FORMAT);
    assert_string_equal(e.msg, "w: ends at byte 7, where more was expected");
    assert_int_equal(file_pread(fd, buf, 0, 99, "w", &e), 0);
    close(fd);
    fd = open("w", O_RDONLY);
    assert_int_equal(file_write(fd, "abc", 3, "w", &e), ERR_IO);
    assert_int_equal(file_pwrite(fd, "abc", 3, 0, "w", &e), ERR_IO);
    close(fd);
    assert_int_equal(file_pread(fd, buf, 1, 0, "w", &e), ERR_IO);
}

// Names in the current directory that begin with NAME.
static int beside(const char *name)
{
    DIR *d = opendir(".");
    assert_non_null(d);
    int n = 0;
    for (const struct dirent *one; (one = readdir(d));)
        n += !strncmp(one->d_name, name, strlen(name));
    closedir(d);
    return n;
}

static void replaces_what_it_saw(void **state)
{
    (void)state;
    struct err e = {0};
    struct file_seen there, none;
    assert_int_equal(file_replace(NULL, "seen", "old", 3, &e), 0);
    file_see(&there, "seen");
    file_see(&none, "unseen");
    assert_int_equal(file_replace(&there, "seen", "new", 3, &e), 0);
    assert_int_equal(file_replace(&there, "seen", "newer", 5, &e), ERR_IO);
    assert_non_null(strstr(e.msg, "seen: something else has changed this file meanwhile"));
    assert_int_equal(file_replace(&none, "unseen", "new", 3, &e), 0);
    assert_int_equal(file_replace(&none, "unseen", "newer", 5, &e), ERR_IO);
    assert_non_null(strstr(e.msg, "unseen: something else has made this file meanwhile"));
    assert_int_equal(beside("seen") + beside("unseen"), 2);
    assert_int_equal(unlink("seen"), 0);
    assert_int_equal(file_replace(&there, "seen", "again", 5, &e), 0);
}

static void replaces_or_leaves(void **state)
{
    (void)state;
    struct err e = {0};
    char *p;
    size_t n;
    struct stat st;
    assert_int_equal(file_replace(NULL, "r", "older", 5, &e), 0);
    assert_int_equal(chmod("r", 0600), 0);
    assert_int_equal(file_replace(NULL, "r", "old", 3, &e), 0);
    assert_true(!stat("r", &st) && (st.st_mode & 0777) == 0600);
    assert_int_equal(file_replace(NULL, "no/such/dir/r", "x", 1, &e), ERR_IO);
    // A full disk, as far as a process can have one: no file may grow beyond 10 bytes.
    struct rlimit old, small;
    getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = 10;
    setrlimit(RLIMIT_FSIZE, &small);
    sighandler_t was = signal(SIGXFSZ, SIG_IGN);
    int rc = file_replace(NULL, "r", "much longer than ten bytes", 26, &e);
    signal(SIGXFSZ, was);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_int_equal(rc, ERR_IO);
    assert_int_equal(beside("r"), 1); // nothing is left
    assert_int_equal(file_slurp("r", 100, &p, &n, &e), 0);
    assert_true(n == 3 && !strcmp(p, "old"));
    free(p);
}

static void replaces_beside_others(void **state)
{
    (void)state;
    struct err e = {0};
    enum { WRITERS = 4, TIMES = 25 };
    static const char *const text[WRITERS] = {"a", "bb", "ccc", "dddd"};
    pid_t pid[WRITERS];
    for (int i = 0; i < WRITERS; i++)
        if (!(pid[i] = fork())) {
            int rc = 0;
            for (int k = 0; k < TIMES && !rc; k++)
                rc = file_replace(NULL, "p", text[i], strlen(text[i]), NULL);
            _exit(rc != 0);
        }
    for (int i = 0; i < WRITERS; i++) {
        int status;
        assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
        assert_int_equal(status, 0);
    }
    char *p;
    size_t n;
    assert_int_equal(file_slurp("p", 100, &p, &n, &e), 0);
    assert_true(n && n <= WRITERS && !strcmp(p, text[n - 1]));
    free(p);
    assert_int_equal(beside("p"), 1);

    // What a killed process of the same number left is not written to, nor where a link leads.
    char left[64];
    snprintf(left, sizeof left, "p.%ld.tmp", (long)getpid());
    assert_int_equal(symlink("elsewhere", left), 0);
    assert_int_equal(chmod("p", 0604), 0);
    mode_t was = umask(027);
    assert_int_equal(file_replace(NULL, "p", "new", 3, &e), 0);
    assert_int_equal(file_replace(NULL, "q", "new", 3, &e), 0);
    umask(was);
    assert_int_equal(access("elsewhere", F_OK), -1);
    assert_int_equal(beside("p"), 2);
    struct stat st;
    // What is replaced keeps its mode, what is new has the one that the user's mask leaves.
    assert_true(!stat("p", &st) && st.st_size == 3 && (st.st_mode & 0777) == 0604);
    assert_true(!stat("q", &st) && st.st_size == 3 && (st.st_mode & 0777) == 0640);
    unlink(left);
}

// Where a link leads that somebody has put in the way is not written to.
static void follows_no_link(void **state)
{
    (void)state;
    struct err e = {0};
    struct file_new f;
    assert_int_equal(symlink("elsewhere", "l.tmp"), 0);
    assert_int_equal(file_new_open(&f, "l", &e), ERR_IO);
    assert_non_null(strstr(e.msg, "l.tmp: cannot create"));
    assert_int_equal(access("elsewhere", F_OK), -1);
    file_new_drop(&f);
    unlink("l.tmp");
    assert_int_equal(file_new_open(&f, "l", &e), 0);
    assert_int_equal(file_new_commit(&f, "l", &e), 0);
    assert_int_equal(access("l", F_OK), 0);
}

static void slurps(void **state)
{
    (void)state;
    struct err e = {0};
    char *p, big[20000];
    size_t n;
    memset(big, 'x', sizeof big);
    assert_int_equal(file_replace(NULL, "s", big, sizeof big, &e), 0);
    assert_int_equal(file_slurp("s", sizeof big, &p, &n, &e), 0);
    assert_int_equal(n, sizeof big);
    assert_int_equal(p[n], 0);
    assert_memory_equal(p, big, n);
    free(p);
    assert_int_equal(file_slurp("s", sizeof big - 1, &p, &n, &e), ERR_FORMAT);
    assert_null(p);
    assert_int_equal(file_slurp("missing", 1, &p, &n, &e), ERR_IO);
    assert_int_equal(file_slurp(".", 1, &p, &n, &e), ERR_IO);
    assert_int_equal(file_slurp("/dev/null", 1, &p, &n, &e), 0);
    assert_true(n == 0 && p[0] == 0);
    free(p);
}

static void makes_directories(void **state)
{
    (void)state;
    struct err e = {0};
    struct stat st;
    assert_int_equal(file_mkdirs("a/b/c", &e), 0);
    assert_int_equal(file_mkdirs("a/b/c/", &e), 0);
    assert_true(!stat("a/b/c", &st) && S_ISDIR(st.st_mode));
    assert_int_equal(file_replace(NULL, "a/f", "", 0, &e), 0);
    assert_int_equal(file_mkdirs("a/f/d", &e), ERR_IO);
    assert_int_equal(file_mkdirs("a/f", &e), ERR_IO);
    assert_string_equal(e.msg, "a/f: is not a directory");
    static const char *const places[][2] = {
        {"a/f", "a"}, {"f", "."}, {"/f", "/"}, {"a/b/", "a/b"}, {"", "."}};
    char dir_of[64];
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        assert_int_equal(file_dir(dir_of, sizeof dir_of, places[i][0], &e), 0);
        assert_string_equal(dir_of, places[i][1]);
    }
    assert_int_equal(file_dir(dir_of, 4, "a/bc/f", &e), ERR_IO);
    assert_int_equal(file_dir(dir_of, 5, "a/bc/f", &e), 0);
    assert_int_equal(file_sync_dir("a/f", &e), 0);
    assert_int_equal(file_sync_dir("f", &e), 0);
    assert_int_equal(file_sync_dir("/f", &e), 0);
    assert_int_equal(file_sync_dir("no/f", &e), ERR_IO);
}

static void cursor_stays_inside(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {1,  2, 3, 4,    5,    6, 7, 8, 9, 10, 11, 12,   13,  14,
                                    15, 0, 0, 0x80, 0x3f, 0, 0, 0, 0, 0,  0,  0xf0, 0xbf};
    struct cursor c = {bytes, sizeof bytes, 0};
    assert_int_equal(cursor_u8(&c), 1);
    assert_int_equal(cursor_u16(&c), 0x0302);
    assert_int_equal(cursor_u32(&c), 0x07060504);
    assert_true(cursor_u64(&c) == 0x0f0e0d0c0b0a0908u);
    assert_true(cursor_f32(&c) == 1);
    assert_true(cursor_f64(&c) == -1);
    assert_true(!c.bad && c.left == 0);
    assert_non_null(cursor_bytes(&c, 0));
    assert_int_equal(cursor_u8(&c), 0);
    assert_int_equal(c.bad, 1);
    // Once bad, always bad; nothing is consumed by what fails.
    c = (struct cursor){bytes, 7, 0};
    assert_true(cursor_u64(&c) == 0 && c.bad && c.left == 7);
    assert_int_equal(cursor_u8(&c), 0);
    assert_null(cursor_bytes(&c, 0));
    c = (struct cursor){bytes, 7, 0};
    assert_null(cursor_bytes(&c, SIZE_MAX));
}

static void hashes(void **state)
{
    (void)state;
    struct err e;
    struct hash *h;
    // XXH3-64 of nothing, a published value.
    assert_true(hash64("", 0) == 0x2d06800538d394c2u);
    assert_int_equal(hash_new(&h, &e), 0);
    assert_true(hash_value(h) == hash64("", 0));
    char text[1000];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)(i * 7);
    for (size_t i = 0, n; i < sizeof text; i += n) {
        n = i % 13 + 1 < sizeof text - i ? i % 13 + 1 : sizeof text - i;
        hash_update(h, text + i, n);
        assert_true(hash_value(h) == hash64(text, i + n));
    }
    hash_free(h);
    hash_free(NULL);
}

static void keeps_messages_whole(void **state)
{
    (void)state;
    struct err e;
    char longer[3000];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    assert_int_equal(err_set(&e, ERR_FORMAT, "%s", longer), ERR_FORMAT);
    assert_int_equal(strlen(e.msg), sizeof e.msg - 1);
    assert_int_equal(err_set(NULL, ERR_USAGE, "x"), ERR_USAGE);
    assert_int_equal(err_io(NULL, "x"), ERR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps),
        cmocka_unit_test(writes_and_reads),
        cmocka_unit_test(replaces_or_leaves),
        cmocka_unit_test(replaces_what_it_saw),
        cmocka_unit_test(replaces_beside_others),
        cmocka_unit_test(follows_no_link),
        cmocka_unit_test(slurps),
        cmocka_unit_test(makes_directories),
        cmocka_unit_test(cursor_stays_inside),
        cmocka_unit_test(hashes),
        cmocka_unit_test(keeps_messages_whole),
    };
    return cmocka_run_group_tests(tests, own_dir_enter, own_dir_leave);
}
