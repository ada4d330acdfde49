#define _GNU_SOURCE
#include "io/form/pdf.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/form/mail.h"
#include "io/mem.h"
#include "io/show.h"
#include "io/source/stream.h"

// The limits on time and memory; a PDF that needs more counts as made to do harm.
enum { CPU_SECONDS = 600 };
static const rlim_t MEMORY_BYTES = (rlim_t)4 << 30, TEXT_BYTES = (rlim_t)1 << 30;

enum { IN_BYTES = 1 << 16, SAID_BYTES = 4096, LINE_BYTES = 200 };
enum { LOOK_MS = 100, REST_MS = 2 }; // between looks whether we are to stop, or the child has ended

struct doc_pdf {
    int text;       // all of it, in memory that is a file
    uint64_t n, at; // its bytes
    char complaint[LINE_BYTES];
};

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

#define TO_TEXT "-enc", "UTF-8", "-eol", "unix", "-", "-", NULL
static const char *const all_pages[] = {"pdftotext", TO_TEXT};
static const char *const first_page[] = {"pdftotext", "-l", "1", TO_TEXT};

// The child reads from a socket: when it has ended, sending to a socket returns an error, where
// writing to a pipe would raise a signal. It writes to files, so that it never waits for us.
static int start(struct child *c, const char *const *argv, int text, int said, const char *name,
                 struct err *e)
{
    extern char **environ;
    int in[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in))
        return err_io(e, "%s: cannot start pdftotext", name);
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
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &usual);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    int rc = posix_spawnp(&c->pid, argv[0], &files, &how, (char *const *)argv, environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    close(in[1]);
    if (!rc) {
        limit(c->pid, RLIMIT_CPU, CPU_SECONDS);
        limit(c->pid, RLIMIT_AS, MEMORY_BYTES);
        limit(c->pid, RLIMIT_FSIZE, TEXT_BYTES);
        c->in = in[0];
        return 0;
    }
    close(in[0]);
    errno = rc;
    return rc == ENOENT ? err_set(e, ERR_UNSUPPORTED,
                                  "%s: is a PDF, which pdftotext reads; install it first (package "
                                  "poppler-utils)",
                                  name)
                        : err_io(e, "%s: cannot start pdftotext", name);
}

static int stopped(const char *name, struct err *e)
{
    return err_set(e, ERR_INTERRUPTED, "%s: pdftotext was stopped", name);
}

// All of the document, or as much as the child takes: it may see at once that it is none. Nothing
// here waits in a call that goes on by itself after the signal that stops us.
static int feed(struct child *c, struct doc_stream *from, const char *name, struct err *e)
{
    static const char why[] = "cannot be given to pdftotext";
    uint8_t buf[IN_BYTES];
    struct pollfd room = {.fd = c->in, .events = POLLOUT};
    ssize_t n;
    while ((n = stream_read(from, buf, sizeof buf, e)) > 0)
        for (ssize_t at = 0, sent; at < n; at += sent) {
            if (is_stopped(c))
                return stopped(name, e);
            poll(&room, 1, LOOK_MS);
            sent = send(c->in, buf + at, (size_t)(n - at), MSG_NOSIGNAL | MSG_DONTWAIT);
            if (sent < 0 && (errno == EPIPE || errno == ECONNRESET))
                return 0;
            if (sent < 0 && errno != EINTR && errno != EAGAIN)
                return err_io(e, "%s: %s", name, why);
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
static void find_complaint(int said, char line[LINE_BYTES])
{
    char buf[SAID_BYTES + 1];
    ssize_t n = pread(said, buf, SAID_BYTES, 0);
    buf[n > 0 ? n : 0] = 0;
    *line = 0;
    for (char *p = buf, *end; *p && !*line; p = *end ? end + 1 : end) {
        end = strchrnul(p, '\n');
        if (end != p && strncmp(p, "Syntax Warning", 14))
            show_bytes(p, (size_t)(end - p), line, LINE_BYTES);
    }
}

static int failed(int status, const char *said, const char *name, struct err *e)
{
    int sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (sig == SIGINT || sig == SIGTERM || sig == SIGHUP) // what stops us, too
        return stopped(name, e);
    if (sig == SIGXCPU)
        return err_set(e, ERR_UNSUPPORTED,
                       "%s: is a PDF that keeps pdftotext busy for more than %d minutes", name,
                       CPU_SECONDS / 60);
    if (sig == SIGXFSZ)
        return err_set(e, ERR_UNSUPPORTED, "%s: is a PDF of more than %d MiB of text", name,
                       (int)(TEXT_BYTES >> 20));
    if (sig)
        return err_set(e, ERR_UNSUPPORTED, "%s: is a PDF that ends pdftotext (%s)", name,
                       strsignal(sig));
    if (strstr(said, "ncorrect password"))
        return err_set(e, ERR_UNSUPPORTED,
                       "%s: is an encrypted PDF; decrypt it first (qpdf --decrypt --password=... "
                       "%s plain.pdf)",
                       name, name);
    return err_set(e, ERR_UNSUPPORTED, "%s: is a PDF that pdftotext cannot read (%s)", name,
                   *said ? said : "it gives no reason");
}

// ---- the text

// Every page ends with a form feed, also one of which only the picture is there.
static int has_text(struct doc_pdf *p)
{
    char buf[4096];
    ssize_t n;
    for (uint64_t at = 0; (n = pread(p->text, buf, sizeof buf, (off_t)at)) > 0; at += (uint64_t)n)
        for (ssize_t i = 0; i < n; i++)
            if (!strchr(" \t\n\f", buf[i]) || !buf[i])
                return 1;
    return 0;
}

static int convert(struct doc_pdf *p, const char *const *argv, int said, struct doc_stream *from,
                   const char *name, const volatile sig_atomic_t *stop, struct err *e)
{
    struct child c = {.stop = stop};
    int rc = start(&c, argv, p->text, said, name, e);
    if (rc)
        return rc;
    rc = feed(&c, from, name, e);
    int status = reap(&c, rc < 0);
    if (rc)
        return rc;
    find_complaint(said, p->complaint);
    if (status && is_stopped(&c))
        return stopped(name, e);
    if (status)
        return failed(status, p->complaint, name, e);
    off_t n = lseek(p->text, 0, SEEK_END);
    if (n < 0)
        return err_io(e, "%s: the text that pdftotext gives", name);
    p->n = (uint64_t)n;
    return 0;
}

static void pdf_close(void *self)
{
    struct doc_pdf *p = self;
    if (!p)
        return;
    if (p->text >= 0)
        close(p->text);
    free(p);
}

// What pdftotext, called by ARGV, makes of FROM, be it nothing.
static int open_text(struct doc_pdf **out, const char *const *argv, struct doc_stream *from,
                     const char *name, const volatile sig_atomic_t *stop, struct err *e)
{
    *out = NULL;
    struct doc_pdf *p = mem_new(1, sizeof *p, e);
    if (!p)
        return ERR_NOMEM;
    p->text = memfd_create("text", MFD_CLOEXEC);
    int said = memfd_create("messages", MFD_CLOEXEC);
    int rc = p->text < 0 || said < 0 ? err_io(e, "%s: no room for its text", name)
                                     : convert(p, argv, said, from, name, stop, e);
    if (said >= 0)
        close(said);
    if (rc)
        pdf_close(p);
    else
        *out = p;
    return rc;
}

int pdf_begins_with_text(struct doc_stream *from, const char *name,
                         const volatile sig_atomic_t *stop, struct err *e)
{
    struct doc_pdf *p;
    int rc = open_text(&p, first_page, from, name, stop, e);
    if (!rc)
        rc = has_text(p);
    pdf_close(p);
    return rc;
}

static double pdf_part(const void *self)
{
    const struct doc_pdf *p = self;
    return (double)p->at / (double)p->n;
}

static ssize_t pdf_read(void *self, void *buf, size_t cap, struct err *e)
{
    struct doc_pdf *p = self;
    ssize_t n = pread(p->text, buf, cap, (off_t)p->at);
    if (n < 0)
        return err_io(e, "the text that pdftotext gave");
    p->at += (uint64_t)n;
    return n;
}

int pdf_open(struct doc_form *out, const struct form_from *from, struct err *e)
{
    const char *name = from->name;
    struct doc_pdf *p;
    int rc = open_text(&p, all_pages, from->stream, name, from->holder->stop, e);
    if (!rc && !has_text(p))
        rc = err_set(e, ERR_UNSUPPORTED,
                     "%s: is a PDF without text, scanned perhaps; give it one first (ocrmypdf %s "
                     "text.pdf)",
                     name, name);
    if (rc)
        pdf_close(p);
    else
        *out = (struct doc_form){.self = p,
                                 .read = pdf_read,
                                 .close = pdf_close,
                                 .complaint = *p->complaint ? p->complaint : NULL,
                                 .part = pdf_part};
    return rc;
}
