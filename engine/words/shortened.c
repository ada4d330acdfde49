#include "engine/words/shortened.h"

#include <string.h>

#include "engine/words/chars.h"

static int is_in(const char *word, size_t n, const char *const *list, size_t n_list)
{
    for (size_t i = 0; i < n_list; i++)
        if (n == strlen(list[i]) && !memcmp(word, list[i], n))
            return 1;
    return 0;
}

#define IS_IN(word, n, list) is_in(word, n, list, sizeof(list) / sizeof *(list))

// Whether WORD [n] is a title or a rank: a capital and small letters without a vowel ("Cllr").
// Those that follow a name may well end a sentence.
static int is_title(const char *word, size_t n)
{
    static const char *const behind[] = {"Ltd", "Rd", "Blvd", "Kft", "Srl"};
    size_t i = 1;
    if (IS_IN(word, n, behind))
        return 0;
    while (i < n && is_lower(word[i]) && !is_one_of(word[i], "aeiouy"))
        i++;
    return n > 1 && i == n && is_upper(word[0]) && !is_one_of(word[0], "AEIOUY");
}

// Whether WORD [n] is an abbreviation that comes before what it belongs to.
static int stands_before(const char *word, size_t n)
{
    static const char *const words[] = {
        "Messrs", "Prof", "Rev",  "Hon",  "Capt", "No",   "Nos",  "Art", "Sec", "Fig", "vs",
        "cf",     "e.g",  "i.e",  "Dipl", "Mag",  "Mlle", "bzw",  "ggf", "vgl", "Vgl", "evtl",
        "inkl",   "Abb",  "Hrsg", "MR",   "MRS",  "DR",   "CAPT", "REV", "PROF"};
    for (size_t i = 0; i + 1 < n; i++)
        if (word[i] == '.' && word[i + 1] == '-') // "Dipl.-Ing."
            return 1;
    return is_title(word, n) || IS_IN(word, n, words);
}

// Whether WORD [n] is an abbreviation that comes before a number, or ends the name of a column.
static int is_of_number(const char *word, size_t n)
{
    static const char *const words[] = {
        "p",   "pp",  "S",      "Nr",  "nr",   "Abs",  "Ziff",  "Kap", "Bd",  "Tel", "tel",
        "Vol", "vol", "ch",     "ca",  "Apt",  "Str",  "str",   "nos", "no",  "ref", "Ref",
        "ext", "Ext", "approx", "fig", "figs", "para", "paras", "Jan", "Feb", "Mar", "Apr",
        "Jun", "Jul", "Aug",    "Sep", "Sept", "Oct",  "Nov",   "Dec", "min", "max"};
    size_t from = n;
    while (from > 0 && (is_lower(word[from - 1]) || is_upper(word[from - 1])))
        from--;
    return IS_IN(word + from, n - from, words) ||
           (n - from > 3 && !memcmp(word + n - 3, "str", 3)); // "Dorfstr. 7"
}

// Whether WORD [n] comes before a mark that NEXT [n_next] begins with: capitals, digits and hyphens
// ("ref. KL-7", "no. AB-C 12"), with a digit among them or divided. NEXT may be incomplete while a
// text is being written.
static int is_of_mark(const char *word, size_t n, const char *next, size_t n_next)
{
    static const char *const words[] = {"no", "nos", "nr", "Nr", "ref", "Ref"};
    size_t end = 0, marks = 0;
    for (; end < n_next && (is_upper(next[end]) || is_digit(next[end]) || next[end] == '-'); end++)
        marks += !is_upper(next[end]);
    if (!end || !is_upper(*next) || !IS_IN(word, n, words))
        return 0;
    return end == n_next ||
           (marks && next[end - 1] != '-' && !is_lower(next[end]) && next[end] != '\'');
}

// Whether WORD [n] says what somebody did in the year that NEXT begins with: "b. 1775", "fl. 1620".
static int is_of_year(const char *word, size_t n, const char *next, size_t n_next)
{
    enum { LEAST = 3, MOST = 4 }; // digits of a year
    static const char *const words[] = {"b",   "d",    "m",   "c",   "r",  "fl",
                                        "bap", "bapt", "bur", "abt", "est"};
    size_t digits = 0;
    while (digits < n_next && is_digit(next[digits]))
        digits++;
    return digits >= LEAST && digits <= MOST && IS_IN(word, n, words);
}

// Whether WORD [n] is an ordinal number as German writes it, with a stop, and NEXT something that
// is counted so.
static int is_ordinal(const char *word, size_t n, const char *next, size_t n_next)
{
    static const char *const words[] = {
        "Januar",     "J\u00e4nner", "Februar", "M\u00e4rz", "April",        "Mai",
        "Juni",       "Juli",        "August",  "September", "Oktober",      "November",
        "Dezember",   "Jahrhundert", "Stock",   "Etage",     "Obergeschoss", "Klasse",
        "Lebensjahr", "Semester",    "Quartal", "Auflage",   "Halbjahr",     "Weltkrieg"};
    size_t end = 0;
    if (!n || n > 2 || !is_digit(word[0]) || !is_digit(word[n - 1]))
        return 0;
    while (end < n_next &&
           (is_lower(next[end]) || is_upper(next[end]) || (unsigned char)next[end] >= 0x80))
        end++;
    // NEXT may be incomplete while a text is being written.
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (end && (end == strlen(words[i]) || (end == n_next && end < strlen(words[i]))) &&
            !memcmp(next, words[i], end))
            return 1;
    return 0;
}

// Whether WORD [n] is "etc" in the title of a law, of which NEXT goes on: "the Party Wall etc.
// Act".
static int is_of_law(const char *word, size_t n, const char *next, size_t n_next)
{
    static const char *const words[] = {"etc"}, *const laws[] = {"Act",   "Acts",        "Bill",
                                                                 "Order", "Regulations", "Rules"};
    size_t end = 0;
    while (end < n_next && (is_lower(next[end]) || is_upper(next[end])))
        end++;
    return IS_IN(word, n, words) && IS_IN(next, end, laws);
}

int shortened_word(const char *word, size_t n, const char *next, size_t n_next)
{
    const int letter = n_next > 1 && (is_upper(next[0]) || is_lower(next[0])) && next[1] == '.';
    const int cited = n == 2 && n_next > 2 && word[1] == 'p' && is_one_of(*word, "oO") &&
                      is_one_of(*next, "cC") && !memcmp(next + 1, "it", 2); // "op. cit."
    return stands_before(word, n) || cited || (n == 1 && is_upper(*word)) ||
           (n == 1 && is_lower(*word) && letter) || // "z. B."
           (n_next && (is_digit(*next) || *next == '|') && is_of_number(word, n)) ||
           is_of_mark(word, n, next, n_next) || is_of_year(word, n, next, n_next) ||
           is_ordinal(word, n, next, n_next) || is_of_law(word, n, next, n_next);
}

int shortened_stop(const char *text, size_t n, const char *next, size_t n_next)
{
    static const char *const also[] = {"Inc", "Ltd", "approx"};
    size_t from = n - 1, digits = 0;
    while (from > 0 && !is_one_of(text[from - 1], " \n(\""))
        from--;
    size_t word = n - 1 - from;
    if (shortened_word(text + from, word, next, n_next))
        return 1;
    for (size_t i = from; i + 1 < n; i++)
        digits += is_digit(text[i]);
    if (word && digits == word)
        return from == 0 || text[from - 1] == '\n';
    return IS_IN(text + from, word, also) || word == 1 || memchr(text + from, '.', word) != NULL;
}
