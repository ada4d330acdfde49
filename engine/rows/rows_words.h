// Words of questions about rows that a table need not have.
#ifndef LCTOOL_ENGINE_ROWS_ROWS_WORDS_H
#define LCTOOL_ENGINE_ROWS_ROWS_WORDS_H

// What is bought and sold, what the rows of any table are, and those of one of people.
#define ROWS_GOODS " article articles item items product products part parts thing things "
#define ROWS_GENERIC                                                                               \
    ROWS_GOODS                                                                                     \
    " entry entries row rows one ones record records transaction transactions "
#define ROWS_PEOPLE                                                                                \
    " people person persons somebody someone anybody anyone everybody everyone names "
// Those of a table that tells what they work.
#define ROWS_STAFF " employee employees staff worker workers colleague colleagues "
// What asks.
#define ROWS_SMALL                                                                                 \
    " which what who list show name me us all every each the a an of is are was were there do "    \
    "does did have has had with that by from in at on for to can you please and or be been "       \
    "currently still yet already any here their they i we my our you table file sheet "
// What people do in tables, whatever the column's name is.
#define ROWS_WORKS                                                                                 \
    " work works working worked employed based located stationed company firm got get gets "       \
    "scored score scores won play plays played playing live lives living "
// What is done with the rows of any table, if a cell is named.
#define ROWS_COMES " come comes came made located based bought delivered "

// What is done with the rows that a table has, whatever they are called.
#define ROWS_PLACED " place placed made listed recorded registered "

#endif
