// Command-line options as rows: one row is the parser, the range check, the default, the line of
// --help, the word of the completion and the key of the configuration file.
//
//     struct query { int evidence; const char *read; };
//     static const struct opt rows[] = {
//         {.name = "evidence", .kind = OPT_INT, .at = offsetof(struct query, evidence), .max = 100,
//          .def = "4", .metavar = "N", .help = "print at most N passages"},
//         {.name = "read", .kind = OPT_CHOICE, .at = offsetof(struct query, read),
//          .choices = "cached|fresh|both", .def = "cached", .help = "what is read"},
//         {0}};
//     struct opts *o;
//     opt_new(&o, &e);
//     opt_add(o, "Options", rows, &query, &e);          // writes the defaults into query
//     if (opt_parse(o, argc, argv, &e) < 0) ...          // 1: --help was asked for
//     opt_set(o, "evidence", "7", OPT_FROM_SECTION, &e); // does not replace what the command line gave
//     ... o->operands[0 .. o->n_operands) ...
//     opt_free(o);                                       // strings and lists in query end here
//
// The forms are --name VALUE, --name=VALUE, -n VALUE, -nVALUE, --flag, --no-flag, -fg (flags
// together); options and operands may mix and "--" ends the options. A word is never abbreviated.
#ifndef LCTOOL_CMD_OPT_H
#define LCTOOL_CMD_OPT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "io/err.h"

enum opt_kind {
    OPT_FLAG,   // int 0 or 1
    OPT_INT,    // int
    OPT_U64,    // uint64_t, no range
    OPT_SIZE,   // uint64_t, bytes: a number with K, M, G or T behind it, of 1024 each
    OPT_NUM,    // double
    OPT_STR,    // const char *
    OPT_CHOICE, // const char *, one of choices
    OPT_LIST,   // struct opt_list, one element each time the option is given
    OPT_HELP,   // no target: ends the parse
};

struct opt_list {
    const char **v;
    size_t n, cap;
};

struct opt {
    const char *name; // without "--"; NULL ends a table
    char letter;      // 0: no short form
    enum opt_kind kind;
    size_t at;           // offset of the target
    double min, max;     // of OPT_INT and OPT_NUM, both allowed
    const char *choices; // of OPT_CHOICE: "exact|balanced"
    const char *def;     // the default, in the option's own syntax; NULL: the target stays as it is
    const char *unset;   // shown by --help where def is NULL: what happens then
    const char *metavar; // NULL for flags; of choices that are too many for the column of options,
                         // which stand in the help then, else NULL
    const char *help;    // lower case, no full stop
    int not_config;      // 1: no key of the configuration file
    int may_be_empty;    // OPT_STR: an empty value is one
    // Another name of it, for those who come from another program; not shown by --help.
    const char *also;
};

// Where a value came from; a later one replaces an earlier one, never the other way round.
enum opt_from {
    OPT_FROM_DEFAULT,
    OPT_FROM_COMMON_SECTION, // [lctool]
    OPT_FROM_SECTION,        // [query] for query
    OPT_FROM_COMMAND_LINE,
};

struct opt_group {
    const char *title;
    const struct opt *rows;
    void *target;
    enum opt_from *from; // [rows]
};

struct opts {
    struct opt_group groups[4];
    int n_groups;
    char **operands; // borrowed from argv
    int n_operands;
    char **owned; // strings that targets point to and that are not argv's
    size_t n_owned, cap_owned;
};

int opt_new(struct opts **out, struct err *e);
void opt_free(struct opts *o);

// ROWS and TARGET must outlive O.
int opt_add(struct opts *o, const char *title, const struct opt *rows, void *target, struct err *e);

// ARGV without the program's and the command's name. 0, 1 when --help was given (the rest is not
// looked at), or ERR_USAGE. ARGV must outlive O.
int opt_parse(struct opts *o, int argc, char **argv, struct err *e);

// One value by name. Flags take yes/no, true/false, on/off, 1/0. ERR_USAGE for an unknown name or a
// value that does not fit.
int opt_set(struct opts *o, const char *name, const char *value, enum opt_from from, struct err *e);

// Whether VALUE fits ROW, without storing it.
int opt_check(const struct opt *row, const char *value, struct err *e);

const struct opt *opt_find(const struct opt *rows, const char *name);
enum opt_from opt_from(const struct opts *o, const char *name);

// The options part of --help: "  -n, --max-tokens N   at most N tokens (default: 256)", wrapped at
// 80 columns.
void opt_help(const struct opts *o, FILE *f);

#endif
