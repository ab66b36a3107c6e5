#include "CBuild.h"

#include <stddef.h>

#define TEXT_OF(token) #token
#define TEXT(token) TEXT_OF(token)

const char *cbuild_commit(void) {
#ifdef IFTTT_COMMIT
  return TEXT(IFTTT_COMMIT);
#else
  return NULL;
#endif
}

const char *cbuild_date(void) {
#ifdef IFTTT_BUILD_DATE
  return TEXT(IFTTT_BUILD_DATE);
#else
  return NULL;
#endif
}
