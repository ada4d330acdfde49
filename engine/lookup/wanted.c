#include "engine/lookup/wanted.h"

#include <string.h>

#include "engine/lookup/form.h"
#include "engine/question/question.h"
#include "engine/words/chars.h"

#define OFTEN         "how often|many times? "
#define BE            " is|are|was|were "
#define DO            " does|do|did "
#define OCCURS        " occur|appear|stand|recur|come|turn|show up? "
#define HAVE          " mention|mentions|contain|contains|include|includes "
#define WITH          " that|which? with|having|have|containing|mentioning "
#define SHOW          " list|show|give|print|find|quote|display me|us? all|every|each? of? the? "
#define FORMED        " coded|encoded|different|distinct|unique|single|individual? MOST "
#define SET           " set|equal|assigned? to? the? value? VALUE CHAIN"
#define ALL_HOLDERS   "find|list|name|give|show me? all|every|each? the? HOLDER "
#define DEPENDS       " rest|depend|rely|build|rests|depends|relies|builds "
#define IN_SECTION    " the? SECTION LABEL "
#define HAS           " mention|mentions|contain|contains|use|uses|need|needs|discuss|call for? "
#define TELL_ME       "what|show|tell|give|print|quote|read|list? is|was|me|us? "
#define THE_NTH       " the? NTH THING END "
#define THE_NTH_FROM  " the? NTH THING from|by|of WHOM END "
#define THE_NTH_ABOUT " the? NTH THING in|of? the? thread|discussion? about|on ABOUT END "
#define HOW_MANY_CAME "how many people|persons|members|attendees|participants? "
#define WHO_CAME      "who|which|what people|persons|members? attended|joined "
#define NEXT_MEETING  " the? next? meeting after|following "
#define PEOPLE        " everyone|everybody|people|persons|those "
#define SENT          " sent|wrote|written "
#define MAILS         " a|an|any? message|messages|mail|mails|email|emails|e-mail|e-mails "
#define IN_THREAD     " in|to|of the|this email|mail? THREAD about|on? ABOUT? END "
#define WHOSE_NTH     " WHOSE NTH THING END "
#define THEN          " TIMES? DAY? TIMES? END "
#define MOST_OF       " highest|largest|greatest|biggest|maximum|peak|top "
#define LEAST_OF      " lowest|smallest|minimum|least "
#define LONGEST       " slowest|longest "
#define SHORTEST      " fastest|shortest|quickest "
#define DONE          " was|were|has|have|had been? "
#define REACH         " phone|telephone|mobile|email|e-mail|mail number|address? "
#define RELEASE       " the? release|version "
#define RELEASES      " releases|versions "
// With what it is a release of, in KIND.
#define NAMED_RELEASE " the? KIND? KIND? release|version? NAME "
#define LEVEL         " that|which? with|have|has|of|at|on the? log? level|severity "
#define LOGS          " log|write|report|record|have|show|produce|give|raise "
#define OF_PROGRAM    " from|by WHOM "
#define FIXED         " fixed|corrected|repaired "
#define BRINGS        " bring|have|contain|include|list|make|get "
#define GONE          " removed|dropped|deleted "
#define DEFINED       " the? term|definition|target|variable? WHAT "
#define WELL          " successfully|correctly|properly|well|ok|okay|through|out? "
#define REFUSED       " refused|rejected|aborted|cancelled|canceled|killed|denied "

// Forms that ask for what is the most (or the least) of its kind, and for what took the longest
// time (or the shortest).
// clang-format off
#define FORMS_OF_MOST(want, most)                                       \
    {want, TELL_ME "the?" most "PLAIN" THEN},                           \
    {want, "when" BE "the?" most "PLAIN" THEN},                         \
    {want, "when" BE "the? PLAIN the|at? its?" most THEN}
#define FORMS_OF_LENGTH(want, most)                                     \
    {want, "what|which|when is|was the" most "PLAIN" THEN},             \
    {want, "show|tell|give|print|find me|us? the" most "PLAIN" THEN},   \
    {want, "how long did the" most "PLAIN take|last|run" THEN},         \
    {want, "how long was|is the" most "PLAIN" THEN},                    \
    {want, "which|what PLAIN is|was the?" most THEN},                   \
    {want, "which|what PLAIN took|lasted|ran the?" most THEN}
// clang-format on

// The first form that a question matches says what it wants.
static const struct {
    enum want want;
    const char *form;
} FORMS[] = {
    {WANT_COUNT, OFTEN BE " WHAT mentioned|cited END"},
    {WANT_COUNT, OFTEN BE " WHAT referred to END"},
    {WANT_COUNT, OFTEN BE " NAME used|found|written|repeated|named|listed|printed|there END"},
    {WANT_COUNT, OFTEN DO " NAME " OCCURS " END"},
    {WANT_COUNT, OFTEN DO " WHAT " OCCURS " in|throughout TEXT END"},
    {WANT_COUNT, OFTEN DO " TEXT mention|contain|name|cite|say|use WHAT END"},
    {WANT_COUNT,
     "how many mentions of WHAT are|does|can|stand? there|be|TEXT? found|have|contain? END"},
    {WANT_COUNT, "how many occurrences|instances|appearances of NAME are|does|can|stand? "
                 "there|be|TEXT? found|have? END"},
    {WANT_COUNT,
     "how many occurrences|instances|appearances of WHAT are? there? in|throughout TEXT END"},
    {WANT_COUNT, "count all|every? the? occurrences|occurrence|mentions|mention of WHAT END"},
    {WANT_COUNT, "how many UNIT in|of? TEXT?" HAVE "WHAT END"},
    {WANT_COUNT, "how many NAME UNIT are|were? there? END"},
    {WANT_COUNT, "how many EVENTS are|were? there? END"},
    {WANT_COUNT, "how many EVENTS" BE "there? in TEXT END"},
    {WANT_COUNT, "how many EVENTS in TEXT END"},
    {WANT_COUNT, "how many EVENTS" BE "logged|reported|recorded|written END"},
    {WANT_COUNT, "how many EVENTS occurred|happened|appeared|appear|occur END"},
    {WANT_COUNT, "how many EVENTS" DO "TEXT have|contain|show|report END"},
    {WANT_COUNT, "count all|every? the? EVENTS END"},
    {WANT_COUNT, "what? is? the? number of EVENTS END"},
    {WANT_COUNT, "how many LINE are|were? there? in|of? TEXT?" LEVEL "EVENTS are|were? there? END"},
    {WANT_COUNT, "how many LINE in|of? TEXT?" WITH "WHAT END"},
    {WANT_COUNT, "count all|every? the? LINE in|of? TEXT?" WITH "WHAT END"},
    {WANT_COUNT, "how many NAME UNIT" DO "TEXT have|contain|show END"},
    {WANT_COUNT, "in how many UNIT" BE "WHAT mentioned END"},
    {WANT_COUNT, "in how many UNIT" DO "WHAT" OCCURS "END"},
    {WANT_MENTION, DO " TEXT ever? mention|name|cite WHAT at? all|anywhere|somewhere? END"},
    {WANT_MENTION, DO " TEXT ever? refer to WHAT at? all|anywhere|somewhere? END"},
    {WANT_MENTION, DO " TEXT contain|have|use NAME at? all|anywhere|somewhere? END"},
    {WANT_MENTION, DO " NAME " OCCURS " at? all|anywhere|somewhere? END"},
    {WANT_MENTION, BE " WHAT ever? mentioned|cited at? all|anywhere|somewhere? END"},
    {WANT_MENTION, BE " WHAT ever? referred to at? all|anywhere|somewhere? END"},
    {WANT_MENTION, BE " there a|any mention of WHAT at? all|anywhere|somewhere? END"},
    {WANT_LINES, SHOW "LINE in|of? TEXT?" LEVEL "EVENTS END"},
    {WANT_LINES, "which|what LINE in|of? TEXT?" LEVEL "EVENTS END"},
    {WANT_LINES, "which|what UNIT in|of? TEXT?" HAVE "WHAT END"},
    {WANT_LINES, "in|on which|what UNIT" BE "WHAT mentioned END"},
    {WANT_LINES, "in|on which|what UNIT" DO "WHAT" OCCURS "END"},
    {WANT_LINES, "which|what LINE in|of? TEXT? have|has|with WHAT END"},
    {WANT_LINES, SHOW "UNIT in|of? TEXT? that|which?" HAVE "WHAT END"},
    {WANT_COUNT, "how many EVENTS" DO "WHOM" LOGS THEN},
    {WANT_COUNT, "how many EVENTS" OF_PROGRAM THEN},
    {WANT_COUNT, "how many EVENTS are|were there?" OF_PROGRAM THEN},
    {WANT_COUNT, "how many EVENTS" BE "logged|reported|recorded|written" OF_PROGRAM THEN},
    {WANT_LINES, "which|what EVENTS" DO "WHOM" LOGS THEN},
    {WANT_LINES, "which|what EVENTS are|were there?" OF_PROGRAM THEN},
    {WANT_LINES, "which|what EVENTS" BE "logged|reported|recorded|written" OF_PROGRAM THEN},
    {WANT_LINES, SHOW "EVENTS" OF_PROGRAM THEN},
    {WANT_LINES, SHOW "LINE in|of? TEXT?" WITH "WHAT END"},
    {WANT_LINES, SHOW "LINE in|of? TEXT? that|which has WHAT END"},
    {WANT_LINES, "list|show|give|print|find me? all|every|each of? the? NAME LINE END"},
    {WANT_LINES, SHOW "EVENTS END"},
    {WANT_LINES, "which|what EVENTS" BE "there END"},
    {WANT_LINES, "which|what EVENTS" BE "logged|reported|recorded|written END"},
    {WANT_LINES, "which|what EVENTS" BE "there? in TEXT END"},
    {WANT_LINES, "what" BE "all? the EVENTS in TEXT END"},
    {WANT_LINES, SHOW "mentions|mention|occurrences of WHAT END"},
    {WANT_LINES, "where in? TEXT?" BE "WHAT mentioned END"},
    {WANT_COMMON, "which|what N?" FORMED
                  "is|are|was|were|come|comes|stand|stands|occur|occurs|appear|appears|turn|turns "
                  "the|up? most common|often|frequent|frequently one|ones? END"},
    {WANT_COMMON,
     "which|what N?" FORMED BE "used|repeated|said|written most often|frequently? END"},
    {WANT_COMMON, "which|what N?" FORMED BE "the? commonest one|ones? END"},
    {WANT_COMMON, "which|what N?" FORMED DO "TEXT use|have|say|contain|repeat most often? END"},
    {WANT_COMMON, "which|what" BE "the? N? most common|frequent|used|repeated" FORMED "END"},
    {WANT_COMMON, "which|what" BE "the? N? commonest" FORMED "END"},
    {WANT_COMMON, "list|give|name|show me? the? N? most common|frequent|used" FORMED "END"},
    {WANT_HOLDERS, "which|what HOLDER have|has|hold|holds|get|gets|take|takes|carry|share the? "
                   "value? VALUE CHAIN"},
    {WANT_HOLDERS, "which|what HOLDER" BE SET},
    {WANT_HOLDERS, "which|what HOLDER equal|equals VALUE CHAIN"},
    {WANT_HOLDERS, "which|what HOLDER get|gets|take|takes|have|inherit|inherits their|its? "
                   "value|values from VALUE CHAIN"},
    {WANT_HOLDERS, ALL_HOLDERS "that|which|with have|hold|are|is?" SET},
    {WANT_HOLDERS, ALL_HOLDERS "set|equal|assigned to? the? value? VALUE CHAIN"},
    {WANT_VALUE,
     "what|which is|was the? final|effective|resolved|ultimate value of the? HOLDER? VALUE END"},
    {WANT_VALUE, "what|which is|was the? value of the? HOLDER? VALUE LINKED"},
    {WANT_VALUE, "what|which value" DO "the? HOLDER? VALUE end up with|at|as END"},
    {WANT_VALUE, "what|which value" DO "the? HOLDER? VALUE have|hold|get|take LINKED"},
    {WANT_VALUE, "what" DO "the? HOLDER? VALUE resolve|expand|evaluate to CHAIN"},
    {WANT_RESTS_ON, "on which|what other? defined? KIND" DO DEFINED DEPENDS "LINKED"},
    {WANT_RESTS_ON, "which|what other? defined? KIND" DO DEFINED DEPENDS "on LINKED"},
    {WANT_RESTING, "which|what other? defined? KIND" DEPENDS "on" DEFINED "LINKED"},
    {WANT_LED_TO, "which|what KIND" DO "the? KIND? NAME lead|belong to|back to? CHAIN"},
    {WANT_LED_TO, "to which|what KIND" DO "the? KIND? NAME lead|belong CHAIN"},
    {WANT_LED_TO, "which|what KIND is|was|stands|stood behind the? KIND? NAME CHAIN"},
    {WANT_LED_TO, "to which|what KIND can the? KIND? NAME be traced back? CHAIN"},
    {WANT_LED_TO, "which|what KIND can the? KIND? NAME be traced back? to CHAIN"},
    {WANT_SECTION, "what" DO IN_SECTION
                   "say|state|provide|contain|regulate|cover|lay|require|mean down|about? END"},
    {WANT_SECTION, "what" DO IN_SECTION "say|state|provide|require|tell|contain us|me? "
                   "about|on|of|regarding|concerning|for ABOUT END"},
    {WANT_SECTION, "what" DO "the SECTION on|about|for|of|called ABOUT say|state|contain END"},
    {WANT_SECTION, "what" DO "the ABOUT SECTION say|state|contain END"},
    {WANT_SECTION, "what is|are" IN_SECTION "about? END"},
    {WANT_SECTION,
     "what" DO "the NTH KIND of|in" IN_SECTION "say|state|provide|require|contain END"},
    {WANT_SECTION, TELL_ME "the NTH KIND of|in" IN_SECTION "END"},
    {WANT_SECTION, "what is|stands in|under" IN_SECTION "END"},
    {WANT_SECTION, "what happens|happened in" IN_SECTION "END"},
    {WANT_TITLE, "what is the? title|heading|name of" IN_SECTION "END"},
    {WANT_TITLE, "what|how is" IN_SECTION "called|titled|named|entitled END"},
    {WANT_SECTION, "what is said|stated|regulated|written in|under|by" IN_SECTION "END"},
    {WANT_SECTION,
     "what is said|stated|regulated|written about|on|of ABOUT in|under|by" IN_SECTION "END"},
    {WANT_SECTION,
     "quote|read|show|give|summarize|summarise|explain|describe me|us?" IN_SECTION "END"},
    {WANT_SECTION, IN_SECTION "END"},
    {WANT_SECTION, "was steht in|unter" IN_SECTION "END"},
    {WANT_SECTION, "was sagt|regelt|besagt" IN_SECTION "END"},
    {WANT_ENTRY, "what changed|changes|happened in|with" RELEASE "VALUE END"},
    {WANT_ENTRY_FIXED,
     "what|which bugs|errors|problems|issues?" BE FIXED "in|with|by" RELEASE "VALUE END"},
    {WANT_ENTRY_FIXED,
     "what|which bugs|errors|problems|issues?" BE FIXED "in|with|by" NAMED_RELEASE "END"},
    {WANT_ENTRY_FIXED, "what" DO RELEASE "VALUE fix|correct|repair END"},
    {WANT_ENTRY_REMOVED, "what|which features|options?" BE GONE "in|with|by" RELEASE "VALUE END"},
    {WANT_ENTRY_REMOVED, "what|which features|options?" BE GONE "in|with|by" NAMED_RELEASE "END"},
    {WANT_ENTRY_REMOVED, "what" DO RELEASE "VALUE remove|drop|delete END"},
    {WANT_ENTRY, "what" BE "new|changed|added|improved in|with" RELEASE "VALUE END"},
    {WANT_ENTRY, "what changed|changes in|with" NAMED_RELEASE "END"},
    {WANT_ENTRY, "what" BE "new|changed|added in|with" NAMED_RELEASE "END"},
    {WANT_ENTRY, "what" BE "the changes|news|fixes in|of|with" NAMED_RELEASE "END"},
    {WANT_ENTRY, "what" BE "the changes|news|fixes in|of|with" RELEASE "VALUE END"},
    {WANT_ENTRY, "what" DO RELEASE "VALUE change|add|bring|improve END"},
    {WANT_DATED, "when" BE RELEASE "VALUE released|published|made|issued|tagged|finished END"},
    {WANT_DATED, "when" DO RELEASE "VALUE come|appear out? END"},
    {WANT_DATED, "when" BE NAMED_RELEASE "released|published|issued|tagged END"},
    {WANT_DATED, "when" DO NAMED_RELEASE "come|appear out? END"},
    {WANT_DATED, "what" BE "the date of" RELEASE "VALUE END"},
    {WANT_DATED, "what" BE "the release? date of|for" NAMED_RELEASE "END"},
    {WANT_DATED, "on? what|which date|day" BE NAMED_RELEASE "released|published|issued END"},
    {WANT_ENTRIES, "which|what" RELEASES "came|come|appeared out? in VALUE END"},
    {WANT_ENTRIES, "which|what" RELEASES BE "released|published|made in VALUE END"},
    {WANT_ENTRIES, "which|what" RELEASES BE "described|listed|mentioned|covered|there END"},
    {WANT_NEWEST, "what|which" BE "the newest|latest|last|current|recent" RELEASE "END"},
    {WANT_NEWEST, "what|which" BE "the most recent" RELEASE "END"},
    {WANT_NEWEST, "what|which" BE "the newest|latest|last|current" RELEASE "of KIND END"},
    {WANT_NEWEST, "what|which" BE "the newest|latest|last|current KIND release|version END"},
    {WANT_OLDEST, "what|which" BE "the oldest|first|earliest" RELEASE "mentioned|listed? END"},
    {WANT_ADDED, "which|what" RELEASE "brought|added|introduced|got WHAT END"},
    {WANT_FIXED, "which|what" RELEASE "fixed WHAT END"},
    {WANT_REMOVED, "which|what" RELEASE "removed|dropped WHAT END"},
    {WANT_ADDED, "in|with which|what" RELEASE BE "WHAT added|introduced END"},
    {WANT_FIXED, "in|with which|what" RELEASE BE "WHAT fixed END"},
    {WANT_REMOVED, "in|with which|what" RELEASE BE "WHAT removed|dropped END"},
    {WANT_CHANGED, "in|with which|what" RELEASE BE "WHAT changed END"},
    {WANT_CHANGED, "in|with which|what" RELEASE DO "WHAT change END"},
    {WANT_PART_WHO, "who" BE "the NTH THING from|by END"},
    {WANT_PART_WHO, "who sent|wrote" THE_NTH},
    {WANT_PART_WHO, "who sent|wrote" THE_NTH_ABOUT},
    {WANT_PART_WHO, "what|who" BE "the sender|author of" THE_NTH},
    {WANT_PART_WHERE, "from? where" BE "the NTH THING written|sent|posted from? END"},
    {WANT_PART_WHEN, "when" BE "the NTH THING sent|written|held|made|logged|reported|recorded END"},
    {WANT_PART_WHEN,
     "when" DO "the NTH THING happen|occur|come|arrive|appear|start|take in|place? END"},
    {WANT_PART_WHEN, "when" BE "the NTH THING from|by WHOM sent|written END"},
    {WANT_PART_WHEN, "when" DO "the NTH THING from|by WHOM come|arrive in? END"},
    {WANT_PART_WHEN, "when" BE "the NTH THING" THEN},
    {WANT_PART_WHEN, "when" DO "the NTH THING happen|occur" THEN},
    {WANT_PART_WHEN, "when" BE THE_NTH_FROM},
    {WANT_PART_WHEN, "what" BE "the date|time|day of" THE_NTH},
    {WANT_PART_WHEN, "what" BE "the date|time|day of" THE_NTH_FROM},
    {WANT_PART_SUBJECT, "what" BE "the subject|title|topic|heading of" THE_NTH},
    {WANT_PART_SUBJECT, "what" BE "the subject|title|topic of" THE_NTH_FROM},
    {WANT_PART_SAYS, "what" BE "the NTH THING about END"},
    {WANT_PART_SAYS, "what" BE "the NTH THING from|by WHOM about END"},
    {WANT_PART_SAYS, "what" DO "the NTH THING say|contain|tell END"},
    {WANT_PART_WHEN, "when" BE "WHOSE NTH THING sent|written? END"},
    {WANT_PART_WHEN, "when did WHOM send|write his|her|their|the NTH THING END"},
    {WANT_PART_WHEN, "what" BE "the date|time|day of" WHOSE_NTH},
    {WANT_PART_SUBJECT, "what" BE "the subject|title|topic of" WHOSE_NTH},
    {WANT_PART_SAYS, "what" BE "WHOSE NTH THING about END"},
    {WANT_PART_SAYS, "what" DO "WHOSE NTH THING say|contain|tell END"},
    {WANT_PART, "what|show|tell|give|print|quote|read is|was|me|us?" WHOSE_NTH},
    {WANT_PART, WHOSE_NTH},
    {WANT_PART, TELL_ME "the? NTH THING" THEN},
    {WANT_PART, TELL_ME THE_NTH_ABOUT},
    {WANT_PART, TELL_ME THE_NTH_FROM},
    {WANT_CHAIR, "who" BE "in the chair END"},
    {WANT_CHAIR, "who took the chair END"},
    {WANT_ATTENDED, WHO_CAME "the? NTH meeting END"},
    {WANT_ATTENDED, WHO_CAME "WHAT END"},
    {WANT_ATTENDED, "who" BE "present at|on|in? the? NTH meeting END"},
    {WANT_ATTENDED, "who" BE "present at|on|in? WHAT END"},
    {WANT_ATTENDED, WHO_CAME "the? meeting? on|in WHAT END"},
    {WANT_ATTENDED, "who" BE "present? at|in the? NTH meeting END"},
    {WANT_ATTENDED, "who" BE "present? at|in WHAT END"},
    {WANT_ATTENDED, "who" BE "present? at|in the? meeting on|in WHAT END"},
    {WANT_ABSENT, "who" BE "absent|missing at|on|from|in? the? NTH meeting END"},
    {WANT_ABSENT, "who" BE "absent|missing at|on|from|in? WHAT END"},
    {WANT_ABSENT, "who" BE "absent|missing at|from the meeting on|in WHAT END"},
    {WANT_ATTENDED, "who was|were present|there END"},
    {WANT_ABSENT, "who" BE "absent|missing|away END"},
    {WANT_ABSENT, "who sent|gave apologies for|to|at? WHAT END"},
    {WANT_ABSENT, "who sent|gave their? apologies END"},
    {WANT_N_ATTENDED, HOW_MANY_CAME "were|was present|there END"},
    {WANT_N_ATTENDED, HOW_MANY_CAME "were|was present at|in WHAT END"},
    {WANT_N_ATTENDED, HOW_MANY_CAME "attended END"},
    {WANT_N_ATTENDED, HOW_MANY_CAME "attended WHAT END"},
    {WANT_N_ABSENT, HOW_MANY_CAME "were|was absent|missing END"},
    {WANT_N_ABSENT, HOW_MANY_CAME "were|was absent|missing at|from WHAT END"},
    {WANT_N_ABSENT, HOW_MANY_CAME "sent|gave their? apologies END"},
    {WANT_NEXT_MEETING, "when is|was|will" NEXT_MEETING "the? NTH meeting|one be? held? END"},
    {WANT_NEXT_MEETING, "when is|was|will" NEXT_MEETING "WHAT be? held? END"},
    {WANT_NEXT_MEETING, "what|which" BE "the? date|day of" NEXT_MEETING "the? NTH meeting|one END"},
    {WANT_NEXT_MEETING, "what|which" BE "the? date|day of" NEXT_MEETING "WHAT END"},
    {WANT_NEXT_MEETING, "when do|will|shall|are we|they|you meet|meeting again|next END"},
    {WANT_NEXT_MEETING, "when do|will|shall we|they|you next meet END"},
    {WANT_SENDERS, "who" BE "all? the senders|correspondents|participants END"},
    {WANT_SENDERS, "who" BE "all? the senders|correspondents|participants" IN_THREAD},
    {WANT_SENDERS, "who" SENT "the|any? messages|mails|emails|e-mails END"},
    {WANT_SENDERS, "who" SENT "any|an? mail|email|e-mail END"},
    {WANT_SENDERS, "who" SENT "the|any? messages|mails|emails|e-mails" IN_THREAD},
    {WANT_SENDERS, "who all? takes|took|participated|participates|joined|wrote part?" IN_THREAD},
    {WANT_SENDERS, "who" BE "involved" IN_THREAD},
    {WANT_SENDERS, SHOW "senders|correspondents|participants END"},
    {WANT_SENDERS, SHOW "senders|correspondents|participants" IN_THREAD},
    {WANT_SENDERS, SHOW PEOPLE "who|that has|have?" SENT MAILS "END"},
    {WANT_SENDERS, SHOW PEOPLE "who|that takes|took|participated|wrote part?" IN_THREAD},
    {WANT_N_SENDERS, "how many different? people|persons has|have?" SENT MAILS "END"},
    {WANT_N_SENDERS, "how many different? people|persons took|participated|wrote part?" IN_THREAD},
    {WANT_N_SENDERS, "how many different? senders|correspondents|participants" BE "there? END"},
    {WANT_N_SENDERS,
     "how many different? senders|correspondents|participants" BE "there?" IN_THREAD},
    {WANT_SUBJECTS, SHOW "subjects|threads END"},
    {WANT_SUBJECTS,
     "what|which" BE "all? the subjects|threads of? the|all? messages|mails|emails? END"},
    {WANT_ROLE, "who" BE "the WHAT END"},
    {WANT_ROLE, "what" BE "the name of the WHAT END"},
    {WANT_CHAIR, "who chaired|led the|this meeting END"},
    {WANT_CHAIR, "who presided over|at the|this meeting END"},
    {WANT_REACHED, "what" BE "the? WHOSE" REACH "END"},
    {WANT_REACHED, "what" BE "the" REACH "of|for the? WHOM END"},
    {WANT_NUMBER, "how many KIND are|were there? END"},
    {WANT_NUMBER, "how many KIND" BE "there? in TEXT END"},
    {WANT_NUMBER, "how many KIND" DO "TEXT have|contain|list|describe END"},
    {WANT_NUMBER, "how many KIND" DO "WHOM write|send|post|make|author END"},
    {WANT_NUMBER, "how many KIND has|have WHOM written|sent|posted|made|authored END"},
    {WANT_NUMBER, "how many KIND are|were|come|came|is? from|by WHOM END"},
    {WANT_NUMBER, "how many of the KIND are|were|come|came from|by WHOM END"},
    {WANT_NUMBER, "how many KIND" BE "written|sent|made|authored by WHOM END"},
    {WANT_NUMBER,
     "how many KIND" BE "there? in|to the|this? email|mail? THREAD about|on? ABOUT? END"},
    {WANT_NUMBER, "how many KIND" BE "about|on ABOUT END"},
    {WANT_NUMBER, "how many KIND" HAS "WHAT END"},
    {WANT_NUMBER, "count all|every? the? KIND END"},
    {WANT_NUMBER, "what? is? the? number of KIND END"},
    {WANT_LIST, "which|what KIND" HAS "WHAT END"},
    {WANT_LIST, SHOW "KIND that|which" HAS "WHAT END"},
    {WANT_LIST, "which|what KIND" DO "WHOM write|send|make|author END"},
    {WANT_LIST, "which|what KIND" BE "from|by WHOM END"},
    {WANT_LIST, "which|what KIND" BE "about|on ABOUT END"},
    {WANT_LIST, SHOW "KIND from|by WHOM END"},
    {WANT_LIST, SHOW "KIND about|on ABOUT END"},
    {WANT_LIST, "which|what KIND" BE "there END"},
    {WANT_LIST, "which|what KIND" BE "there? in TEXT END"},
    {WANT_LIST, "which|what KIND" DO "TEXT have|contain|list|describe END"},
    {WANT_LIST, "what|which" BE "all? the KIND END"},
    {WANT_LIST, "name|enumerate|tell"
                " me? all|every|each? of? the? KIND END"},
    {WANT_LIST, SHOW "KIND END"},
    {WANT_ROLE, "wer ist|war|sind der|die|das WHAT END"},
    {WANT_COUNT, "how many EVENTS are|were? there?" THEN},
    {WANT_COUNT, "how many EVENTS" BE "logged|reported|recorded|written" THEN},
    {WANT_COUNT, "how many EVENTS occurred|happened|appeared" THEN},
    {WANT_LINES, SHOW "EVENTS" THEN},
    {WANT_LINES, "which|what EVENTS" BE "there|logged|reported|recorded" THEN},
    {WANT_LINES, "which|what EVENTS occurred|happened|appeared" THEN},
    {WANT_HAPPENED, "what happened|happens|occurred TIMES DAY? END"},
    {WANT_HAPPENED, "what happened|happens|occurred DAY TIMES? END"},
    {WANT_HAPPENED, "what" BE "logged|recorded|reported|written TIMES DAY? END"},
    {WANT_HAPPENED, "what" DO "TEXT say|show|report|tell TIMES DAY? END"},
    {WANT_HAPPENED, SHOW "events|messages|lines|entries|records|log logged? TIMES DAY? END"},
    FORMS_OF_MOST(WANT_HIGHEST, MOST_OF),
    FORMS_OF_MOST(WANT_LOWEST, LEAST_OF),
    FORMS_OF_LENGTH(WANT_LONGEST, LONGEST),
    FORMS_OF_LENGTH(WANT_SHORTEST, SHORTEST),
    {WANT_N_TOLD, "how many PLAIN" DONE "VERB" THEN},
    {WANT_N_TOLD, "how many TOLD are|were? there?" THEN},
    {WANT_N_TOLD, "count all|every? the? TOLD" THEN},
    {WANT_N_TOLD, "what? is|was? the? number of TOLD" THEN},
    {WANT_OFTEN_TOLD, OFTEN DONE "the? PLAIN been? VERB" THEN},
    {WANT_OFTEN_TOLD, OFTEN "did the? PLAIN VERB" THEN},
    {WANT_TOLD, "which|what PLAIN" DONE "VERB" THEN},
    {WANT_TOLD, "which|what TOLD" THEN},
    {WANT_TOLD, SHOW "PLAIN that|which was|were|has|have? been? VERB" THEN},
    {WANT_TOLD, SHOW "TOLD" THEN},
    {WANT_ENDED, "did the? WHAT work|succeed|fail|finish|complete|pass|crash|abort" WELL THEN},
    {WANT_ENDED, "did the? WHAT end|run|go successfully|well|ok|okay|badly|through|wrong" THEN},
    {WANT_ENDED, "was|were|is the? WHAT successful|unsuccessful|ok|okay|completed|finished" THEN},
    {WANT_ENDED, "was|were|is the? WHAT" REFUSED THEN},
    {WANT_ENDED, "has|have the? WHAT succeeded|failed|finished|completed|worked|crashed" WELL THEN},
    {WANT_ENDED, "how did the? WHAT end|go|finish|turn out?" THEN},
    {WANT_ENDED,
     "what|which" BE "the? final|exit|end? status|code|outcome|result of|for the? WHAT" THEN},
    {WANT_ENDED, "did the? WHAT DAY work|succeed|fail|finish|complete|crash" WELL "END"},
    {WANT_ENDED, "how did the? WHAT DAY end|go|finish END"},
    {WANT_ENDED_WHEN, "when did the? WHAT finish|complete|end|exit successfully?" THEN},
    {WANT_ENDED_WHEN, "when was|were the? WHAT finished|completed|done" THEN},
    {WANT_SUCCEEDED_WHEN, "when did the? WHAT succeed" THEN},
    {WANT_FAILED_WHEN, "when did the? WHAT fail|crash|abort" THEN},
    {WANT_FAILED_WHEN, "when was|were the? WHAT" REFUSED THEN},
    {WANT_FAILED_WHY, "why did the? WHAT fail|crash|abort|exit|panic" THEN},
    {WANT_FAILED_WHY, "why did the? WHAT DAY fail|crash|abort|exit END"},
    {WANT_FAILED_WHY, "why did the? WHAT not work|succeed|finish|complete" THEN},
    {WANT_FAILED_WHY, "why was|were|is the? WHAT unsuccessful" THEN},
    {WANT_FAILED_WHY, "why was|were|is the? WHAT" REFUSED THEN},
    {WANT_FAILED_WHY, "why has|have the? WHAT failed|crashed|aborted" THEN},
    {WANT_VERSION_OUT, "which|what version|release of the? WHAT was|were KIND out?" THEN},
    {WANT_TOOK, "how long did the? WHAT take|last|run" THEN},
    {WANT_ENTRY_FIXED, "what|which ABOUT" BE FIXED "in|with|by" RELEASE "VALUE END"},
    {WANT_ENTRY_FIXED, "what|which ABOUT" BE FIXED "in|with|by" NAMED_RELEASE "END"},
    {WANT_ENTRY_REMOVED, "what|which ABOUT" BE GONE "in|with|by" RELEASE "VALUE END"},
    {WANT_ENTRY_REMOVED, "what|which ABOUT" BE GONE "in|with|by" NAMED_RELEASE "END"},
    {WANT_ENTRY_BELOW, "what" BE "ABOUT in|with|by" RELEASE "VALUE END"},
    {WANT_ENTRY_BELOW, "what" BE "ABOUT in|with|by" NAMED_RELEASE "END"},
    {WANT_ENTRY_BELOW, "what|which WHOM" BE "ABOUT in|with|by" RELEASE "VALUE END"},
    {WANT_ENTRY_BELOW, "what|which WHOM" BE "ABOUT in|with|by" NAMED_RELEASE "END"},
    {WANT_ENTRY_BELOW, "what|which ABOUT" BE "there? in|of" RELEASE "VALUE END"},
    {WANT_ENTRY_BELOW, "what|which ABOUT" BE "there? in|of" NAMED_RELEASE "END"},
    {WANT_ENTRY_BELOW, "what are|were the ABOUT of|in" RELEASE "VALUE END"},
    {WANT_ENTRY_BELOW, "what are|were the ABOUT of|in" NAMED_RELEASE "END"},
    {WANT_ENTRY_BELOW, "what|which ABOUT" DO RELEASE "VALUE" BRINGS "END"},
    {WANT_ENTRY_BELOW, "what|which ABOUT" DO NAMED_RELEASE BRINGS "END"},
    {WANT_ENTRY_WHO, "who released|made|published|issued" RELEASE "VALUE END"},
    {WANT_ENTRY_WHO, "who released|made|published|issued" NAMED_RELEASE "END"},
    {WANT_ENTRY_WHO, "who|whom was|were" RELEASE "VALUE released|made|published|issued by END"},
    {WANT_ENTRY_WHO, "by whom was|were" NAMED_RELEASE "released|made|published|issued END"},
};

static int keep(char out[WANTED_BYTES], const struct form_token *t)
{
    if (t->n >= WANTED_BYTES)
        return 0;
    if (t->n)
        memcpy(out, t->p, t->n);
    out[t->n] = 0;
    return 1;
}

static enum wanted_unit unit_of(const struct form_token *t)
{
    static const char sentences[] = " sentences sentence places place passages passage ";
    return !t->n ? UNIT_PLACES : form_is_among(t, sentences) ? UNIT_SENTENCES : UNIT_LINES;
}

// How many are asked for if the question does not say: one word, or some.
static int how_many(const struct form_match *m)
{
    enum { SOME = 10 };
    return m->number.n                                ? form_number(&m->number)
           : form_is_among(&m->most, " word number ") ? 1
                                                      : SOME;
}

void wanted_keep_word(char words[WANTED_BYTES], const char *word, size_t n)
{
    const size_t at = strlen(words);
    if (at + n + 2 > WANTED_BYTES)
        return;
    memcpy(words + at, word, n);
    strcpy(words + at + n, " ");
}

enum { WHOLE = 512 }; // bytes of a question that are written in full

// QUESTION, or in OUT what it is in full: "What is new?" for "What's new?".
static const char *in_full(const char *question, char out[WHOLE])
{
    static const char *const asks[] = {"what", "who", "when", "where", NULL};
    static const char *const marks[] = {"'s ", "\u2019s ", NULL};
    const char *mark = question_behind(question, asks);
    const char *rest = mark ? question_behind(mark, marks) : NULL;
    if (!rest || strlen(question) + sizeof " is " > WHOLE)
        return question;
    const size_t n = (size_t)(mark - question);
    memcpy(out, question, n);
    strcpy(out + n, " is ");
    strcat(out, rest);
    return out;
}

// QUESTION, or in OUT what it is with "when": "When did it end?" for "At what time did it end?".
static const char *with_when(const char *question, char out[WHOLE])
{
    static const char *const times[] = {
        "at what time ", "at which time ", "what time ",     "on what day ",
        "on which day ", "on what date ",  "on which date ", NULL};
    static const char *const verbs[] = {"did ", "was ", "were ", NULL};
    const char *rest = question_behind(question, times);
    if (!rest || !question_behind(rest, verbs) || strlen(rest) + sizeof "when " > WHOLE)
        return question;
    strcpy(out, "when ");
    strcat(out, rest);
    return out;
}

int wanted_parse(struct wanted *w, const char *question)
{
    struct form_match m;
    char full[WHOLE];
    *w = (struct wanted){0};
    if (!form_split(&m, with_when(in_full(question_itself(question), full), full)))
        return 0;
    for (size_t i = 0; i < sizeof FORMS / sizeof *FORMS; i++) {
        if (!form_match(&m, FORMS[i].form))
            continue;
        if (!keep(w->what, m.events.n ? &m.events : &m.what) || !keep(w->kind, &m.kind) ||
            !keep(w->section, &m.section) || !keep(w->whom, &m.whom) || !keep(w->about, &m.about) ||
            !keep(w->day, &m.day))
            return 0;
        w->want = FORMS[i].want;
        w->unit = m.events.n ? UNIT_EVENTS : unit_of(&m.unit);
        w->timed = m.timed;
        w->times = m.times;
        w->exact = m.what.quoted;
        w->thread = m.thread.n > 0;
        w->n = m.nth ? m.nth : how_many(&m);
        w->nth = m.nth;
        w->numbers = form_is_among(&m.most, " number numbers ");
        return 1;
    }
    return 0;
}

int wanted_is_literal(const struct wanted *w)
{
    int small = 1;
    for (const char *p = w->what; *p; p++) {
        if (*p == ' ' && !w->exact)
            return 0;
        small &= is_lower(*p) != 0;
    }
    return *w->what && (w->exact || !small);
}
