// Inside of survey(): what looks answers up in what tells of events one after the other, in logs,
// mails, change logs and diffs, a file each. All return as survey() does.
#ifndef LCTOOL_ENGINE_HISTORY_HISTORY_H
#define LCTOOL_ENGINE_HISTORY_HISTORY_H

#include "engine/lookup/lookup.h"

// How many errors, warnings and the like a log has, and which (logged.c).
int history_logged(struct lookup *v, struct err *e);
// The same by words of the log's own: vessels departed (told.c).
int history_told(struct lookup *v, struct err *e);
// The lines of a log of a time of day (happened.c).
int history_happened(struct lookup *v, struct err *e);
// How something in it ended, when, why, and how long it took (outcome.c).
int history_outcome(struct lookup *v, struct err *e);
// When somebody came into a system, or left it (session.c).
int history_session(struct lookup *v, const char *question, struct err *e);
// Its line with the highest or the lowest number behind a word (highest.c).
int history_highest(struct lookup *v, struct err *e);
// The first and the last of the lines of logs (ends_log.c).
int history_ends_of_log(struct lookup *v, struct err *e);
// Mails by who wrote them, when and about what (mail.c).
int history_mail(struct lookup *v, const char *question, struct err *e);
// What a diff says of what was before, and is now (diffed.c).
int history_diffed(struct lookup *v, const char *question, struct err *e);
// What an entry of a change log says, and which entries there are (entry.c).
int history_entry(struct lookup *v, struct err *e);

#endif
