#define _GNU_SOURCE
#include "io/form/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/mem.h"
#include "io/show.h"
#include "io/source/stream.h"

// The limits on time and memory; a document that needs more counts as made to do harm.
enum { CPU_SECONDS = 600 };
static const rlim_t MEMORY_BYTES = (rlim_t)4 << 30, TEXT_BYTES = (rlim_t)1 << 30;

enum { IN_BYTES = 1 << 16, SAID_BYTES = 4096 };
enum { LOOK_MS = 100, REST_MS = 2 }; // between looks whether we are to stop, or the child has ended

// ---- the child

struct child {
    pid_t pid;
    int in; // our end of what it reads
    const volatile sig_atomic_t *stop;
};

static int is_stopped(const struct child *c)
{
    return c->stop && *c->stop;
}

// At the soft limit comes a signal that names the limit; at the hard one, a little later, one that
// may have any reason.
static void limit(pid_t pid, int resource, rlim_t most)
{
    struct rlimit now;
    if (!prlimit(pid, resource, NULL, &now) && now.rlim_max > most)
        prlimit(pid, resource, &(struct rlimit){most, most + 1}, NULL);
}

// The child reads from a socket: when it has ended, sending to a socket returns an error, where
// writing to a pipe would raise a signal. It writes to files, so that it never waits for us. 1; 0:
// P is not there; or an error.
static int start(struct child *c, const struct program *p, int text, int said, const char *name,
                 struct err *e)
{
    extern char **environ;
    int in[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in))
        return err_io(e, "%s: cannot start %s", name, p->argv[0]);
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGXFSZ);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&how);
    posix_spawn_file_actions_adddup2(&files, in[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, text, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, said, STDERR_FILENO);
    if (p->directory)
        posix_spawn_file_actions_addchdir_np(&files, p->directory);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &usual);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    int rc = posix_spawnp(&c->pid, p->argv[0], &files, &how, (char *const *)p->argv, environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    close(in[1]);
    if (!rc) {
        limit(c->pid, RLIMIT_CPU, CPU_SECONDS);
        limit(c->pid, RLIMIT_AS, MEMORY_BYTES);
        limit(c->pid, RLIMIT_FSIZE, TEXT_BYTES);
        c->in = in[0];
        return 1;
    }
    close(in[0]);
    errno = rc;
    return rc == ENOENT || rc == EACCES ? 0 : err_io(e, "%s: cannot start %s", name, p->argv[0]);
}

static int stopped(const struct program *p, const char *name, struct err *e)
{
    return err_set(e, ERR_INTERRUPTED, "%s: %s was stopped", name, p->argv[0]);
}

// All of the document, or as much as the child takes: it may see at once that it is none. Nothing
// here waits in a call that goes on by itself after the signal that stops us.
static int feed(struct child *c, const struct program *p, struct doc_stream *from, const char *name,
                struct err *e)
{
    uint8_t buf[IN_BYTES];
    struct pollfd room = {.fd = c->in, .events = POLLOUT};
    ssize_t n;
    while ((n = stream_read(from, buf, sizeof buf, e)) > 0)
        for (ssize_t at = 0, sent; at < n; at += sent) {
            if (is_stopped(c))
                return stopped(p, name, e);
            poll(&room, 1, LOOK_MS);
            sent = send(c->in, buf + at, (size_t)(n - at), MSG_NOSIGNAL | MSG_DONTWAIT);
            if (sent < 0 && (errno == EPIPE || errno == ECONNRESET))
                return 0;
            if (sent < 0 && errno != EINTR && errno != EAGAIN)
                return err_io(e, "%s: cannot be given to %s", name, p->argv[0]);
            sent = sent < 0 ? 0 : sent;
        }
    return (int)n;
}

// Ends the child, at once when nobody wants its text any more, and returns its status.
static int reap(struct child *c, int at_once)
{
    int status = 0;
    close(c->in);
    while (!waitpid(c->pid, &status, WNOHANG)) {
        if (at_once || is_stopped(c))
            kill(c->pid, SIGKILL);
        poll(NULL, 0, REST_MS);
    }
    return status;
}

// ---- what it said

// The first line that tells of an error, fit for a terminal; "" where there is none.
static void find_complaint(const struct program *p, int said, char line[PROGRAM_LINE])
{
    char buf[SAID_BYTES + 1];
    ssize_t n = pread(said, buf, SAID_BYTES, 0);
    buf[n > 0 ? n : 0] = 0;
    *line = 0;
    for (char *at = buf, *end; *at && !*line; at = *end ? end + 1 : end) {
        end = strchrnul(at, '\n');
        if (end != at && strncmp(at, p->warns, strlen(p->warns)) != 0)
            show_bytes(at, (size_t)(end - at), line, PROGRAM_LINE);
    }
}

static int failed(const struct program *p, int status, const char *said, const char *name,
                  struct err *e)
{
    int sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (sig == SIGINT || sig == SIGTERM || sig == SIGHUP) // what stops us, too
        return stopped(p, name, e);
    if (sig == SIGXCPU)
        return err_set(e, ERR_UNSUPPORTED, "%s: is %s that keeps %s busy for more than %d minutes",
                       name, p->kind, p->argv[0], CPU_SECONDS / 60);
    if (sig == SIGXFSZ)
        return err_set(e, ERR_UNSUPPORTED, "%s: is %s of more than %d MiB of text", name, p->kind,
                       (int)(TEXT_BYTES >> 20));
    if (sig)
        return err_set(e, ERR_UNSUPPORTED, "%s: is %s that ends %s (%s)", name, p->kind, p->argv[0],
                       strsignal(sig));
    return err_set(e, ERR_UNSUPPORTED, "%s: is %s that %s cannot read (%s)", name, p->kind,
                   p->argv[0], *said ? said : "it gives no reason");
}

// ---- the text

static int convert(struct program_text *t, const struct program *p, int said,
                   struct doc_stream *from, const char *name, const volatile sig_atomic_t *stop,
                   char complaint[PROGRAM_LINE], struct err *e)
{
    struct child c = {.stop = stop};
    int rc = start(&c, p, t->text, said, name, e);
    if (rc <= 0)
        return rc;
    rc = feed(&c, p, from, name, e);
    int status = reap(&c, rc < 0);
    if (rc)
        return rc;
    find_complaint(p, said, complaint);
    if (status && is_stopped(&c))
        return stopped(p, name, e);
    if (status && !(WIFEXITED(status) && WEXITSTATUS(status) <= p->harmless))
        return failed(p, status, complaint, name, e);
    if (*complaint)
        snprintf(t->note, sizeof t->note, "%s found an error (%s); some text may be missing",
                 p->argv[0], complaint);
    off_t n = lseek(t->text, 0, SEEK_END);
    if (n < 0)
        return err_io(e, "%s: the text that %s gives", name, p->argv[0]);
    t->n = (uint64_t)n;
    return 1;
}

int program_run(struct program_text **out, const struct program *p, struct doc_stream *from,
                const char *name, const volatile sig_atomic_t *stop, char complaint[PROGRAM_LINE],
                struct err *e)
{
    *out = NULL;
    *complaint = 0;
    struct program_text *t = mem_new(1, sizeof *t, e);
    if (!t)
        return ERR_NOMEM;
    t->text = memfd_create("text", MFD_CLOEXEC);
    int said = memfd_create("messages", MFD_CLOEXEC);
    int rc = t->text < 0 || said < 0 ? err_io(e, "%s: no room for its text", name)
                                     : convert(t, p, said, from, name, stop, complaint, e);
    if (said >= 0)
        close(said);
    if (rc > 0)
        *out = t;
    else
        program_close(t);
    return rc;
}

void program_close(void *self)
{
    struct program_text *t = self;
    if (!t)
        return;
    if (t->text >= 0)
        close(t->text);
    free(t);
}

int program_has_text(const struct program_text *t)
{
    char buf[4096];
    ssize_t n;
    for (uint64_t at = 0; (n = pread(t->text, buf, sizeof buf, (off_t)at)) > 0; at += (uint64_t)n)
        for (ssize_t i = 0; i < n; i++)
            if (!strchr(" \t\n\f", buf[i]) || !buf[i])
                return 1;
    return 0;
}

static double program_part(const void *self)
{
    const struct program_text *t = self;
    return t->n ? (double)t->at / (double)t->n : 1;
}

static ssize_t program_read(void *self, void *buf, size_t cap, struct err *e)
{
    struct program_text *t = self;
    ssize_t n = pread(t->text, buf, cap, (off_t)t->at);
    if (n < 0)
        return err_io(e, "the text that a program gave");
    t->at += (uint64_t)n;
    return n;
}

void program_give(struct doc_form *out, struct program_text *t)
{
    *out = (struct doc_form){.self = t,
                             .read = program_read,
                             .close = program_close,
                             .complaint = *t->note ? t->note : NULL,
                             .part = program_part};
}
