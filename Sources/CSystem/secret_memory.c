/* glibc declares explicit_bzero, and Darwin memset_s, only with these. */
#define _DEFAULT_SOURCE
#define __STDC_WANT_LIB_EXT1__ 1
#include "secret_memory.h"

#include <string.h>

#if defined(__linux__)
#include <sys/prctl.h>
#else
#include <sys/resource.h>
#endif

void secret_memory_hide(void) {
#if defined(__linux__)
  /* A limit of the size would not apply to a dump into a pipe, such as systemd-coredump's. */
  prctl(PR_SET_DUMPABLE, 0);
#else
  struct rlimit limit;
  if (getrlimit(RLIMIT_CORE, &limit) != 0) return;
  limit.rlim_cur = 0;
  setrlimit(RLIMIT_CORE, &limit);
#endif
}

void secret_memory_clear(void *start, size_t count) {
#if defined(__APPLE__)
  memset_s(start, count, 0, count);
#else
  explicit_bzero(start, count);
#endif
}
