#define _GNU_SOURCE
#include "cmd/ui.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utf8proc.h>

#include "cmd/command.h"
#include "io/clock.h"
#include "io/show.h"

// There is one terminal and one process: its state is the module's.
static struct {
    const char *command;
    int quiet;
    int bar;      // a progress bar stands on the current line
    double drawn; // clock_seconds() of the last progress drawn, 0: none yet
    // The first progress report of what is counted now, from which the rate is taken: when, of how
    // much, and of how much in all.
    double first_seconds;
    uint64_t first_done, first_total;
    int write_errno; // why stdout took no more
} ui;

static volatile sig_atomic_t stop;

// A mapped file that another program cuts, or that its disk does not give, ends in this signal
// where its bytes are read.
static void on_bus_error(int sig)
{
    (void)sig;
    const char *pieces[] = {"lctool: ", ui.command ? ui.command : "", ui.command ? ": " : "",
                            "a file became shorter, or cannot be read any more\n"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        if (write(STDERR_FILENO, pieces[i], strlen(pieces[i])) < 0)
            break;
    _exit(EXIT_FAILED);
}

void ui_start(void)
{
    static char line[8192];
    setvbuf(stderr, line, _IOLBF, sizeof line); // a line at once: others may write there, too
    signal(SIGXFSZ, SIG_IGN);                   // past a limit, writing fails and says so
    signal(SIGBUS, on_bus_error);
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) {
            // The wrong way round, so that writing to a closed stdout stays an error.
            int got = open("/dev/null", fd ? O_RDONLY : O_WRONLY);
            if (got < 0)
                _exit(EXIT_FAILED);
        }
}

void ui_command(const char *name, int quiet)
{
    ui.command = name;
    ui.quiet = quiet;
}

void ui_text(FILE *f, const char *s, size_t n)
{
    const utf8proc_uint8_t *p = (const utf8proc_uint8_t *)s;
    for (size_t i = 0, bytes; i < n; i += bytes) {
        utf8proc_int32_t c;
        const utf8proc_ssize_t got =
            utf8proc_iterate(p + i, n - i < 4 ? (utf8proc_ssize_t)(n - i) : 4, &c);
        bytes = got > 0 ? (size_t)got : 1;
        if (s[i] == '\r' && (i + 1 == n || s[i + 1] == '\n')) // of a line that ends as in DOS
            continue;
        if (got <= 0)
            fputs("\uFFFD", f);
        else if (show_class(c) == SHOW_COMMAND && c != '\n' && c != '\t')
            putc('?', f);
        else if (show_class(c) != SHOW_FRAME)
            fwrite(s + i, 1, bytes, f);
    }
}

void ui_line(FILE *f, const char *s)
{
    for (size_t n; *s; s += n) {
        n = strcspn(s, "\r\n");
        ui_text(f, s, n);
        if (s[n]) {
            putc('?', f);
            n++;
        }
    }
}

static void message(const char *fmt, va_list ap)
{
    char msg[4096];
    ui_progress_end();
    ui_stdout_ok(); // so that on a terminal the message stands after what led to it
    fputs("lctool: ", stderr);
    if (ui.command)
        fprintf(stderr, "%s: ", ui.command);
    vsnprintf(msg, sizeof msg, fmt, ap);
    ui_line(stderr, msg); // whatever a file is called
    fputc('\n', stderr);
}

void ui_error(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    message(fmt, ap);
    va_end(ap);
}

void ui_note(const char *fmt, ...)
{
    if (ui.quiet)
        return;
    va_list ap;
    va_start(ap, fmt);
    message(fmt, ap);
    va_end(ap);
}

void ui_note_cb(void *arg, const char *msg)
{
    (void)arg;
    ui_note("%s", msg);
}

int ui_fail(const struct err *e)
{
    ui_error("%s", e->msg);
    return e->code == ERR_USAGE ? EXIT_USAGE : EXIT_FAILED;
}

int ui_usage(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    message(fmt, ap);
    va_end(ap);
    return EXIT_USAGE;
}

int ui_stdout_ok(void)
{
    int failed = fflush(stdout);
    if (!failed && !ferror(stdout))
        return 1;
    if (!ui.write_errno)
        ui.write_errno = errno;
    return 0;
}

static void end_by(int sig)
{
    signal(sig, SIG_DFL);
    raise(sig);
}

int ui_end(int rc)
{
    // Some file systems tell only in the end that the disk was full.
    if (ui_stdout_ok() && close(STDOUT_FILENO))
        ui.write_errno = errno;
    if (ui.write_errno && ui.write_errno != EPIPE)
        ui_error("cannot write to standard output: %s", strerror(ui.write_errno));
    rc = ui.write_errno ? EXIT_FAILED : rc;
    if (stop && rc)
        end_by(stop); // a shell's loop ends as well
    return rc;
}

static void on_stop(int sig)
{
    if (!stop)
        stop = sig;
}

const volatile sig_atomic_t *ui_catch_stop(int restart)
{
    struct sigaction a = {.sa_handler = on_stop,
                          .sa_flags = (int)SA_RESETHAND | (restart ? SA_RESTART : 0)};
    sigemptyset(&a.sa_mask);
    const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGPIPE};
    const size_t n = sizeof signals / sizeof *signals;
    for (size_t i = 0; i < (restart ? n : n - 1); i++) {
        struct sigaction was;
        if (signals[i] == SIGPIPE) // each further message is one more
            a.sa_flags &= ~(int)SA_RESETHAND;
        // What the shell asked to ignore (nohup, a background job) stays ignored.
        if (!sigaction(signals[i], NULL, &was) && was.sa_handler != SIG_IGN)
            sigaction(signals[i], &a, NULL);
    }
    return &stop;
}

// Of the terminal behind F; 0 when there is none.
static int terminal_columns(FILE *f)
{
    struct winsize w;
    return isatty(fileno(f)) && !ioctl(fileno(f), TIOCGWINSZ, &w) ? w.ws_col : 0;
}

int ui_columns(FILE *f)
{
    enum { USUAL = 100, MOST = 10000 };
    const char *wanted = getenv("COLUMNS");
    char *end;
    const long n = wanted ? strtol(wanted, &end, 10) : 0;
    if (n > 0 && n <= MOST && !*end)
        return (int)n;
    const int there = terminal_columns(f);
    return there > 0 ? there : USUAL;
}

// Seconds left, from the bytes read since the first report of this run; negative: cannot tell.
static double time_left(const struct ui_progress *p)
{
    double seconds = p->seconds - ui.first_seconds;
    uint64_t done = p->done - ui.first_done;
    if (!p->total || p->done > p->total || p->done <= ui.first_done || seconds < 1)
        return -1;
    return (double)(p->total - p->done) * seconds / (double)done;
}

// One line that fits: first the document's name goes, then the bar, then what is left of the tail.
static void draw_bar(const struct ui_progress *p, const char *tail)
{
    // Of the terminal itself: a line that does not fit could not be drawn over.
    enum { NARROW = 80 }; // where its width is not known
    const int columns = terminal_columns(stderr);
    int width = (columns > 0 ? columns : NARROW) - 1, n_tail = (int)strlen(tail), bar = 20;
    int room = width - n_tail - (p->total ? bar + 9 : 0) - 2;
    fputs("\r\033[K", stderr);
    if (room >= 8) {
        // The end of a path tells more than its beginning.
        const char *name = p->what + strlen(p->what);
        while (name > p->what && room > 0)
            room -= (*--name & 0xc0) != 0x80; // a character of UTF-8
        ui_text(stderr, name, strlen(name));
        fputs("  ", stderr);
    }
    if (p->total && width >= n_tail + bar + 9) {
        double part = p->done < p->total ? (double)p->done / (double)p->total : 1;
        int full = (int)(part * bar);
        fprintf(stderr, "[%.*s%*s] %3.0f%%  ", full, "####################", bar - full, "",
                part * 100);
    }
    fprintf(stderr, "%.*s", width, tail);
    fflush(stderr);
    ui.bar = 1;
}

// A bar is drawn with the escape sequences that nearly all terminals know.
static int has_bar(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb");
}

void ui_progress(const struct ui_progress *p)
{
    if (ui.quiet)
        return;
    int terminal = has_bar();
    double now = clock_seconds();
    if (!ui.drawn || p->total != ui.first_total || p->done < ui.first_done) {
        ui.first_done = p->done;
        ui.first_total = p->total;
        ui.first_seconds = p->seconds;
    }
    if (!ui.drawn) {
        ui.drawn = now;
    } else if (now - ui.drawn < (terminal ? 0.1 : 10)) {
        return;
    } else {
        ui.drawn = now;
    }
    char count[UI_BUF], left[UI_BUF], tail[128];
    double remaining = time_left(p);
    snprintf(tail, sizeof tail, "%s tokens  %.0f tokens/s%s%s%s", ui_count(count, p->tokens),
             p->tokens_per_second, remaining >= 0 ? "  " : "",
             remaining >= 0 ? ui_duration(left, remaining) : "", remaining >= 0 ? " left" : "");
    if (terminal)
        draw_bar(p, tail);
    else if (p->seconds > 1 && p->total)
        fprintf(stderr, "%s: %.0f%%  %s\n", p->what, 100 * (double)p->done / (double)p->total,
                tail);
    else if (p->seconds > 1)
        fprintf(stderr, "%s: %s\n", p->what, tail);
}

void ui_progress_end(void)
{
    if (ui.bar) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    ui.bar = 0;
}

const char *ui_bytes(char buf[UI_BUF], uint64_t bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
    double v = (double)bytes;
    int u = 0;
    while (v >= 999.5 && u < 6) {
        v /= 1000;
        u++;
    }
    snprintf(buf, UI_BUF, u && v < 99.95 ? "%.1f %s" : "%.0f %s", v,
             bytes == 1 ? "byte" : units[u]);
    return buf;
}

const char *ui_count(char buf[UI_BUF], uint64_t n)
{
    char digits[UI_BUF];
    int len = snprintf(digits, sizeof digits, "%" PRIu64, n), at = 0;
    for (int i = 0; i < len; i++) {
        if (i && (len - i) % 3 == 0)
            buf[at++] = ',';
        buf[at++] = digits[i];
    }
    buf[at] = 0;
    return buf;
}

const char *ui_duration(char buf[UI_BUF], double seconds)
{
    uint64_t s = seconds < 0 ? 0 : seconds > 1e9 ? 1000000000 : (uint64_t)(seconds + 0.5);
    if (s >= 3600)
        snprintf(buf, UI_BUF, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, s / 3600, s / 60 % 60,
                 s % 60);
    else
        snprintf(buf, UI_BUF, "%" PRIu64 ":%02" PRIu64, s / 60, s % 60);
    return buf;
}
