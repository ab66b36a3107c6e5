#ifndef IFTTT_CSQLITE_H
#define IFTTT_CSQLITE_H
#include <sqlite3.h>
#endif
