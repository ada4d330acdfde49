// lctool: the command table, and what every command begins and ends with.
#define _GNU_SOURCE
#include <archive.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "cmd/command.h"
#include "cmd/config.h"
#include "cmd/suggest.h"
#include "cmd/ui.h"
#include "cmd/version.h"
#include "io/mem.h"
#include "kernels/kernels.h"

// Every command, in the order of --help.
static const struct command *const commands[] = {
    &command_encode, &command_query, &command_summarize, &command_inspect, &command_calibrate, NULL,
};

static int version(void)
{
    struct device *d;
    struct err e;
    const char *isa = device_cpu_isa(0);
    printf("lctool %s\n", version_commit());
    printf("cpu       %s\n", isa ? isa : "ref");
    if (device_open(&d, &(struct device_options){.name = "cuda"}, NULL, 0, &e)) {
        printf("backends  cpu\n");
    } else {
        printf("backends  cpu, %s\n", d->label);
        device_close(d);
    }
    printf("zlib      %s\n", zlibVersion());
    printf("archives  %s\n", archive_version_string());
    return EXIT_OK;
}

static int help(void)
{
    printf("usage: lctool COMMAND [options] ...\n"
           "       lctool COMMAND --help | lctool help COMMAND\n"
           "       lctool --version | --help\n\n"
           "Reads a long document once, keeps what the model thought as an index, and answers\n"
           "questions from the few passages each one needs.\n\n");
    for (const struct command *const *c = commands; *c; c++)
        printf("  %-10s %s\n", (*c)->name, (*c)->summary);
    return EXIT_OK;
}

static int command_help(const struct command *c, const struct opts *o)
{
    const char *usage = c->usage;
    for (int first = 1; *usage; first = 0) {
        int n = (int)strcspn(usage, "\n");
        printf("%s lctool %s %.*s\n", first ? "usage:" : "      ", c->name, n, usage);
        usage += n + (usage[n] == '\n');
    }
    char summary[128];
    snprintf(summary, sizeof summary, "%s", c->summary);
    summary[0] = (char)(summary[0] - 'a' + 'A');
    printf("\n%s.\n", summary);
    opt_help(o, stdout);
    return EXIT_OK;
}

static int configure(const struct command *c, struct common *common, struct opts *o, struct err *e)
{
    char path[PATH_MAX];
    int rc = 0;
    if (common->config) {
        rc = config_read(common->config, commands, c, o, e);
    } else if (!(rc = config_path(path, sizeof path, e)) && *path && !access(path, F_OK)) {
        rc = config_read(path, commands, c, o, e);
    }
    if (rc == ERR_IO) // the command line names it, or it is there and says nobody knows what
        rc = e->code = ERR_USAGE;
    return rc;
}

static int run_command(const struct command *c, int argc, char **argv)
{
    struct common common = {0};
    struct opts *o = NULL;
    struct err e;
    int rc;
    ui_command(c->name, 0);
    void *own = mem_new(1, c->own_bytes, &e);
    rc = own ? opt_new(&o, &e) : ERR_NOMEM;
    if (!rc)
        rc = opt_add(o, "Options", c->options, own, &e);
    if (!rc)
        rc = opt_add(o, "Options of every command", common_options, &common, &e);
    if (!rc)
        rc = opt_parse(o, argc, argv, &e);
    if (rc > 0) {
        rc = command_help(c, o);
    } else if (rc || (rc = configure(c, &common, o, &e))) {
        rc = ui_fail(&e);
    } else {
        common.model_given = opt_from(o, "model") >= OPT_FROM_SECTION;
        ui_command(c->name, common.quiet);
        rc = c->run(&common, own, o->operands, o->n_operands);
    }
    opt_free(o);
    free(own);
    return rc;
}

static int unknown(const char *word)
{
    struct suggest s = {.word = word};
    suggest_offer(&s, "--version");
    suggest_offer(&s, "--help");
    for (const struct command *const *c = commands; *c; c++)
        suggest_offer(&s, (*c)->name);
    return ui_usage("unknown %s '%s'%s%s%s", *word == '-' ? "option" : "command", word,
                    s.best ? "; did you mean '" : "; see 'lctool --help'", s.best ? s.best : "",
                    s.best ? "'?" : "");
}

// What takes no more words than N of ARGV: with more it is a usage error, which it returns.
static int surplus(int argc, char **argv, int n)
{
    return argc <= n ? 0 : ui_usage("'%s' is one word too many; see 'lctool --help'", argv[n]);
}

static int asks_help(const char *word)
{
    return !strcmp(word, "--help") || !strcmp(word, "-h");
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2)
        return ui_usage("no command; see 'lctool --help'");
    const char *word = argv[1];
    char flag[] = "--help", *ask_help[] = {flag};
    int is_help = !strcmp(word, "help"), rc;
    if (!strcmp(word, "--version") || !strcmp(word, "-V"))
        return (rc = surplus(argc, argv, 2)) ? rc : version();
    if (asks_help(word) || (is_help && argc == 2))
        return (rc = surplus(argc, argv, 2)) ? rc : help();
    if (is_help && (rc = surplus(argc, argv, 3)))
        return rc;
    if (is_help)
        word = argv[2];
    if (is_help && (asks_help(word) || !strcmp(word, "help")))
        return help();
    for (const struct command *const *c = commands; *c; c++)
        if (!strcmp((*c)->name, word))
            return is_help ? run_command(*c, 1, ask_help) : run_command(*c, argc - 2, argv + 2);
    return unknown(word);
}

int main(int argc, char **argv)
{
    ui_start();
    return ui_end(dispatch(argc, argv));
}
