#include "tests/fuzz/text.h"

#include <string.h>

static const char *const seeds[] = {
    // Prose, broken into lines, with a section that is asked for.
    "What does section 2 say?\n"
    "House rules of the Aune Mill\n\n1. Keys\n\nThe key to the cellar hangs behind the door. It is "
    "brass, and\nwhoever takes it signs the book (see p. 4, No. 7, e.g. \"A. Nagel,\n3 May\"). Dr. "
    "Ole Vik keeps the spare one.\n\n2. Geese\n\nGeese are not allowed in the mill after the first "
    "frost! Why?\nBecause of the flour. They may stay in the yard, though, un-\ntil the gate is "
    "shut:\n\n- at 19:30 in winter,\n- at 21:00 in summer;\n- never on the day of the fair.\n\n"
    "3. Rent\n\nIt is paid by the tenant.\n",
    // The same name again and again.
    "How often is the rent mentioned?\n"
    "The rent is 120. Who pays the rent? The tenant pays the rent on the first day.\n\nThe "
    "r\xc3\xa4"
    "nt is no rent. \xe2\x80\x9cRent\xe2\x80\x9d means what is paid. Rents rise, renting does "
    "not.\n",
    // A log, and what throws in it.
    "What are the three most frequent words?\n"
    "2024-03-04 10:00:01,123 INFO  [pool-1] gate opened id=g-17 by=una kg=12.5\n"
    "2024-03-04 10:00:02,007 WARN  [pool-1] gate slow id=g-17 ms=4711\n"
    "2024-03-04 10:00:02,950 ERROR [pool-2] gate lost id=g-18\n"
    "java.net.SocketTimeoutException: connect timed out\n\tat mill.Gate.open(Gate.java:17)\n"
    "\tat mill.Main.main(Main.java:3)\nCaused by: java.io.IOException: gone\n\t... 2 more\n"
    "Mar  4 10:00:03 mill sshd[4711]: gate closed\r\nMar  4 10:00:04 mill kernel: gate gate\r\n",
    // A label that is another word, a day that is announced, and who was there.
    "Who is the customer?\n"
    "INVOICE\n\nBill to:\nMr Bo Grey\nHull\n\nTOTAL      40.00\n**Amount due:**  15.00\n"
    "Amount due:",
    "When is the conference?\n"
    "# Soils Forum\n\n**Thursday 12 and Friday 13 June 2025**\n\n## 12 June\n9 am: coffee\n\n## 13 "
    "June",
    "Who was absent?\n"
    "COUNCIL\n\nPresent: Ann (Chair), Bob\nIn attendance: Cy\nApologies: Dee\n\n1. "
    "Roof\nApologies:",
    // Its pairs.
    "Who is the driver of manifest M-20932?\n"
    "10:02 manifest M-20931 closed parcels=12 kg=77.0 driver=ida.nagel\n"
    "10:04 manifest M-20932 closed parcels=845 kg=5977.0 driver=sam.okoro\n"
    "10:09 manifest M-20933 opened parcels=0 kg=0 driver=\n",
    // Cells: quoted, with marks and line ends in them.
    "What is the price of hinge pin 80 mm?\n"
    "article,pack,\"price, EUR\",stock,delivered\n\"hinge pin 60 mm\",46 pcs,74.97,528,7.1.2023\n"
    "hinge pin 80 mm,36 pcs,126.41,259,10.11.2023\n\"bolt \"\"M8\"\"\",10 pcs,0.99,,9.4.2023\n"
    "\"nut,\nround\",5 pcs,1.20,3,9.4.2023\n",
    "What does error code 3 mean?\n"
    "Code;Meaning;Error of\r\n1;The grinder is blocked;grinder\r\n3;\"Pump \"\"A\"\" fault;\nwater "
    "is "
    "low\";pump\r\n30;Door;door\r\n",
    "When does lunch start for Year 1?\n"
    "| Time | Reception and Year 1 | Years 2 to 6 |\n|------|:-----|-----:|\n| Gates open | 8.35 | "
    "8.30 |\n| Lunch | 11.50 | 12.20 |\n| Play \\| games | `a|b` | |\n",
    "How long does the Wool programme take?\n"
    "Table 3. Programmes\n\nProgramme       Temperature   Duration\n---------       -----------   "
    "--------\nCottons         90 C          2 h 25\nWool            30 C          0 h 41\n"
    "Quick           40 C\n                              with care\n\nProgramme\tTemp\tNote\n"
    "Cottons\t90\t\nWool\t30\tby hand\n",
    // One that ends where the text does.
    "What is the capacity of Rovers?\n"
    "Club       Capacity\n------     --------\nTown       900\nRovers     2400",
    "When is nightly run?\n"
    ".. list-table::\n   :header-rows: 1\n\n   * - Hook\n     - When it is run\n   * - nightly\n"
    "     - at 02:45\n   * - weekly\n     - on Sundays,\n       after nightly\n\n.. note::\n\n   "
    "See ``hooks``.\n\n=====  =====\nInput  Output\n=====  =====\nA      B\n=====  =====\n",
    // Settings and records.
    "What is the port of the service geese?\n"
    "# Services; see README\nservices:\n  - name: mill\n    port: 8080  # as ever\n    hosts: [a, "
    "b]"
    "\n  - name: geese\n    port: 9090\n    env:\n      HOME: \"/srv/geese\"\n      # DEBUG: 1\n"
    "logging:\n  level: info\n",
    "What is the email of Una Vik?\n"
    "{\n  \"people\": [\n    {\n      \"name\": \"Ida Nagel\",\n      \"email\": "
    "\"ida@x.example\",\n"
    "      \"age\": 41\n    },\n    {\n      \"name\": \"Una Vik\",\n      \"email\": "
    "\"una@x.example"
    "\",\n      \"tags\": [\"a\", \"b\"]\n    }\n  ]\n}\n",
    "What is the price of Silver Letters?\n"
    "<?xml version=\"1.0\"?>\n<!-- albums -->\n<albums>\n  <album id=\"7\" year='1999'>\n    "
    "<title>"
    "Silver Letters</title>\n    <price>12.50</price>\n  </album>\n  <album>\n    <title>A &amp; B"
    "</title>\n    <p>It <b>was</b> <a href=\"https://x.example\">here</a>.</p>\n  </album>\n"
    "</albums>\n",
    "What is the phone of Eva Mo?\n"
    "Name: Kai Mo\nPhone: 555 0117\nTown: Vik\n\nName: Eva Mo\nPhone: 555 0118\nTown: Aune\nNote: "
    "moved\n\nName: Per Lund\nTown: Mo\n",
    "What is the final value of depth?\n"
    "[mill]\n# depth of the wheel, in cm\ndepth = base\nbase = 40\n;width=12\n#height = 3\nspeed: "
    "fast // never\n\nexport GEESE=\"no\"\n",
    // Names that lead to names.
    "What is the final value of X2?\n"
    "LET X1 = 12345\nLET X2 = the value of X1\nWrite to 5 Mill Lane.\nCopy X2 to X3. X4 is set to "
    "X3; \"Rent\" means what the tenant pays.\nPut to X5. X6 := $X4 -> %X7\nX8 is assigned to "
    "X9.\n",
    "Which user does request r-81c9 lead to?\n"
    "request r-81c9 opened session s-77\nsession s-77 belongs to account a-3\naccount a-3 is of "
    "user "
    "una.vik\nrequest r-81ca opened session s-78\n",
    // Programs.
    "What does MILL_FAST mean?\n"
    "/* The mill.\n * It grinds; see \"geese.h\".\n */\n#include <stdio.h>\n\n#define MILL_FAST  2 "
    "// "
    "turns a second, if there\n                     // is water\n#define MILL_SLOW  1\n\n// Opens "
    "the"
    " gate: 0, or -1.\nstatic int open_gate(struct gate *g, int n)\n{\n    for (int i = 0; i < n; "
    "i++) // each\n        g[i].open = 1; /* now */\n    return g ? 0 : -1;\n}\n",
    "What does grind -q do?\n"
    "MILL(1)\t\t\tUser Commands\n\nNAME\n       grind - grinds\n\nOPTIONS\n       -q, --quiet or "
    "-s\n"
    "              Says  nothing  of  the  rent,\twhich is\n              120 by de\xe2\x80\x90\n  "
    "  "
    "          fault.\n\n       -v     Says more.\n\nmill 2.1\t\t  2024-03-04\t\t\t1\n\f\nMILL(1)"
    "\t\t\tUser Commands\n\n       --geese=N\n              How many. The default is 3.\n",
    // Words and options that are told by marks.
    "What is a bogle?\n"
    "= B =\n\n   :bogle: /bog'l/, n.\n\n   [from bog]\n\n   1. A wet place.\n\n   :bogler: n.\n\n  "
    " Who "
    "lives there.\n\nBOGLE, n. A ghost.\n\nbogle::\n\tA heron.\n",
    "What is the default of max_sacks?\n"
    "### `max_sacks` (number)\n\nThe default is 40.\n\n3.2. max_sacks\n\nType: number\nDefault: "
    "3\n\n"
    "max_sacks =N\n----\nSee max_sacks.\n",
    "What is GER?\n"
    "The Great Edge Runner (GER) is a stone.\n1 GER\nGER is the stone that rolls on and on, "
    "(GER).\n",
    "What does section 1 say?\n"
    "* 1. Oiling the wheel\n* 2. The sails\n\n1. Oiling the wheel\n====\n\nWith oil of fl-\nax. "
    "The "
    "flax is dear.\n\n2. The sails\n\nThe wheel is oiled: see Oiling the wheel. For the wheel that "
    "is "
    "oiled, see section 1. See \"The sails\".\n",
    // Change logs.
    "Which version added the dark theme?\n"
    "# Changelog\n\n## [2.1.0] - 2024-05-06\n\n### Added\n\n- A dark theme (#17), by @una.\n- "
    "`grind "
    "-q`\n\n### Fixed\n\n- The gate did not shut (fixes #12).\n\n## [2.0.0] - 2023-11-30\n\n- No "
    "dark"
    " theme yet.\n- Removed: geese\n\n## 1.9\n* first\n",
    "What changed in version 1.3-1?\n"
    "mill (1.3-1) unstable; urgency=medium\n\n  * New upstream release. (Closes: #123456)\n  * "
    "debian/control: geese\n    go on here.\n\n -- Una Vik <una@x.example>  Mon, 04 Mar 2024 "
    "10:00:00"
    " +0100\n\nmill (1.2-2) unstable; urgency=low\n\n  [ Ida Nagel ]\n  * Fix it.\n\n -- Ida Nagel "
    "<ida@x.example>  Tue, 05 Dec 2023 09:00:00 +0100\n",
    // Messages.
    "Who is the treasurer?\n"
    "From una@x.example Mon Mar  4 10:00:00 2024\nFrom: Una Vik <una@x.example>\nTo: "
    "ida@x.example\n"
    "Date: Mon, 4 Mar 2024 10:00:00 +0100\nSubject: Besuch im Caf\xc3\xa9\n\nHello Ida,\n\nour "
    "treasurer Colm Dacey is ill. Can you come on 7 March?\n\n> Who pays the rent?\n> > The "
    "tenant.\n"
    "> He says so.\n\nI do. See you there!\n\nUna\n-- \nUna Vik\nAune Mill\n\nFrom ida@x.example "
    "Tue "
    "Mar  5 10:00:00 2024\nVon: Ida Nagel\nDatum: 5. M\xc3\xa4rz\nBetreff: Re: Besuch im "
    "Caf\xc3\xa9\n"
    "\nOn Mon, 4 Mar 2024, Una wrote:\n> Can you come?\nYes.\nIda (alto 2)\n",
    "How many lines mention Fixes?\n"
    "commit 858e8ab6b719 (HEAD -> main, tag: v2.7.3)\nMerge: 7ab12cd 9ef34a0\nAuthor:     Tomek Z "
    "<t@"
    "x.example>\nAuthorDate: Mon Nov 18 11:24:00 2024 +0100\nCommit:     Jun H <j@x.example>\n"
    "CommitDate: Mon Nov 18 11:25:00 2024 +0100\n\n    gate: shut it\n\n    It was open.\n\n    "
    "Fixes:"
    " #12\n    Reviewed-by: Bashir Odeh\n\ncommit c9d98c765a52\nAuthor: Kofi A "
    "<k@x.example>\nDate:   "
    "Fri Feb 14 19:20 2025\n\n    Fixes the wheel\n",
    "List all lines that mention Ada.\n"
    "[10:02] Ada: is the mill open?\n[10:02] Ole: yes\n[10:03] Ada: and the geese :)\n[10:04] * "
    "Una "
    "joins\n\nADA. Who is there?\nOLE. It is I.\nADA. Come in.\n\nINTERVIEWER: When was it?\nUNA: "
    "In "
    "1987. It rained.\n",
    "Who took part in the chat?\n"
    "12/03/2023, 10:02 - Ada Pell: is it open?\n12/03/2023, 10:03 - Ole: yes\nand no\n"
    "12/03/2023, 10:05 - Ada Pell: so\n",
    // Logs, minutes, letters.
    "Which gates were opened before 10:10 am on 14 March?\n"
    "Mar 14 05:58:02 gw gate[11]: gate 2 opened, load 37.2 kW\nMar 14 10:00:00 gw gate[11]: gate 3 "
    "opened, load 61.4 kW\nMar 14 10:20:00 gw gate[11]: not opened: load 41.8 kW\n",
    "What was the highest load of the day?\n"
    "10:00:01 load 37.2 kW\n10:00:02 load=-61.4 kW\n10:00:05 load: 41.8 kW\n10:00:09 up\n",
    "What happened between 10:00 and 10:00:05?\n"
    "10:00:01 [main] up\n10:00:02 [main] down\n10:00:05 PM late\n",
    "How many meetings mention the roof?\n"
    "MINUTES\n\n==========\n\nMeeting of\n17 January 2023\n\nPresent: Una\n\nRoof\n\n==========\n\n"
    "21.3.23\n\nNot here: Una\n\n==========\n\nMill\n\nDate: 16 May 2023\nRoofs\n",
    "Where was the last letter written?\n"
    "Vigo, 12 May 1911\n\nDear Bea,\n\nSpain.\n\nNora\n\nFunchal, Madeira, 27 May "
    "1911\n\nDear Bea,\n\nNo hens.\n\nNora\n",
    // Rows of a day, of most of a column, and numbers in mails.
    "Which vet has the most visits?\n"
    "## Visits 2024\n\n| No | Date | Vet |\n|---|---|---|\n| 1 | 2024-01-03 | Osei |\n"
    "| 2 | 2024-01-05 | Ray |\n| 3 | 2024-01-05 | Osei |\n",
    "Which visits were on 5 January?\n"
    "## Visits 2024\n\nNo | Date | Vet\n---|---|---\n1 | 2024-01-05 | Osei / Ray\n"
    "2 | 2024-01-05 | Ray\n3 | 2024-01-07 | a\n",
    "What is Ada's phone number?\n"
    "From: Ada <a@x>\nDate: Mon, 8 Jan 2024 10:00\nSubject: x\n\nOn Sat, 11 Feb 2023 10:18, Ada "
    "wrote:\n> 2012 3456\n\nring me\nTel. 07700 900 382\n\n-- \nAda\n01632 960 417\n",
    // Recipes.
    "How much butter do I need for the crumble?\n"
    "# Kitchen\n\n## Plum crumble\n\nServes 6.\n\nIngredients:\n- 900 g plums\n- 120 g "
    "butter\n- salt\n\n### Method\n\n1. Halve the plums.\n2. Add the butter.\n\n## Ham\n",
    "What are the ingredients of the rum punch?\n"
    "Rum punch\n\n(a) 2 cl rum\n(b) lime\n\nHow do I make it?\n\nStir.\n\nPunch\n=====\n* tea\n",
    // Markup.
    "What does section 1.2 say?\n"
    "@node Gates, Geese\n@section 1.2 Gates\nUse @samp{-d} or @code{mill @var{n}}.\n\n=head2 "
    "Geese\n\n"
    "C<reverse> is B<not> I<it>.\n\n=over 4\n\n=item * one\n\n\\section{Rent}\n\\emph{two} "
    "\\textbf{"
    "three\n\n1.2 Wheels\n==========\n\nThey *turn* `often`__ and |so| on [1]_.\n\n.. _geese:\n\n"
    "1.3 Ends\n========\n\nDone.\n",
    "What are the two most frequent words?\n"
    "@book{nagel1999,\n  author = {Nagel, Ida},\n  title = {The {Mill} of \"Aune\"},\n  year = "
    "1999\n}"
    "\n\n\xef\xbb\xbfWEBVTT\n\n00:01.000 --> 00:02.500\nThe mill\n\nBEGIN:VCARD\nFN:Una "
    "Vik\nTEL;TYPE="
    "cell:555\nEND:"
    "VCARD\n\n\xe7\xa3\xa8\xe5\x9d\x8a\xe5\x9c\xa8\xe5\x93\xaa\xe9\x87\x8c\xef\xbc\x9f"
    "\xe5\x9c\xa8\xe6\xb2\xb3\xe8\xbe\xb9\xe3\x80\x82\n\nz. B. am 1. April, Nr. 7\xc2\xa0"
    "m. \xc3\x84rger! \xc2\xbbJa?\xc2\xab Nein\xe2\x80\xa6\n",
};

int fuzz_text_seed(int i, struct bytes *out)
{
    if (i >= (int)(sizeof seeds / sizeof *seeds))
        return 0;
    fuzz_add(out, seeds[i], strlen(seeds[i]));
    return 1;
}

static const char *const words[] = {
    "\n",
    "\n\n",
    "\r\n",
    "\f",
    " ",
    "  ",
    "\t",
    "\xc2\xa0",
    "\xc3",
    "\xc3\xa9",
    "\xe2\x80\x90\n",
    "\xe3\x80\x82",
    "\xf0\x9f",
    ".",
    ". ",
    "?",
    ":",
    ": ",
    ",",
    ";",
    "|",
    "\\|",
    "\"",
    "'",
    "`",
    "-",
    "- ",
    "\n-- \n",
    "-\n",
    "*",
    "* - ",
    "#",
    "# ",
    "\n## ",
    "//",
    "/*",
    "*/",
    "<!--",
    "-->",
    ">",
    "> ",
    "<",
    "</",
    "/>",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "@",
    "@samp{",
    "C<",
    "\\",
    "=",
    " = ",
    " -> ",
    " to ",
    " is ",
    "It ",
    "The ",
    "Copy ",
    "Put ",
    "mean",
    "Who ",
    "When ",
    "How many ",
    "How do I make ",
    " go into ",
    "What is the ",
    "value of ",
    "section ",
    "version ",
    "1",
    "1. ",
    "2024-03-04",
    "3.14",
    "No. ",
    "\nFrom: ",
    "\nSubject: ",
    "\ncommit 858e8ab",
    "a) ",
    "e.g. ",
    "\n---\n",
    "\n|---|\n",
    "\n=====\n",
    "\n    ",
    NULL,
};

size_t fuzz_text_mutate(struct fuzz_random *r, uint8_t *data, size_t n, size_t cap)
{
    return fuzz_mutate_bytes(r, data, n, cap, words);
}

char *fuzz_text_copy(const void *p, size_t n)
{
    char *copy = malloc(n);
    must(copy || !n);
    if (n)
        memcpy(copy, p, n);
    return copy;
}

char *fuzz_text_string(const void *p, size_t n)
{
    const char *nul = memchr(p, 0, n);
    const size_t bytes = nul ? (size_t)(nul - (const char *)p) : n;
    char *copy = malloc(bytes + 1);
    must(copy != NULL);
    memcpy(copy, p, bytes);
    copy[bytes] = 0;
    return copy;
}

size_t fuzz_text_question(const uint8_t *data, size_t bytes, const uint8_t **text, size_t *n)
{
    const uint8_t *end = bytes ? memchr(data, '\n', bytes) : NULL;
    const size_t first = end ? (size_t)(end - data) : bytes, behind = first + (end != NULL);
    *text = data + behind;
    *n = bytes - behind;
    return first;
}
