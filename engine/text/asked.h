// What kind of answer an English question asks for, and whether a text can give one: "how many" and
// "when" want a number or a time, "who" a name.
#ifndef LCTOOL_ENGINE_ASKED_H
#define LCTOOL_ENGINE_ASKED_H

// What is added to how likely TEXT makes QUESTION, nats a token: 0, or less where TEXT has nothing
// of the kind that is asked for.
double asked_fit(const char *question, const char *text);

#endif
