#if defined(__linux__)
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

/* Functions of glibc 2.36 that statically linked libraries import: libexpat and libstdc++. With these, the program also runs
   with glibc 2.35 (Ubuntu 22.04). They are not called from Swift. */

__attribute__((visibility("hidden"))) void arc4random_buf(void *start, size_t count);
__attribute__((visibility("hidden"))) uint32_t arc4random(void);

void arc4random_buf(void *start, size_t count) {
  for (char *next = start; count > 0;) {
    ssize_t filled = getrandom(next, count, 0);
    if (filled < 0 && errno == EINTR) continue;
    /* Only a kernel before 3.17 has no such call. glibc's own function ends the process as well. */
    if (filled < 0) abort();
    next += filled;
    count -= (size_t)filled;
  }
}

uint32_t arc4random(void) {
  uint32_t number;
  arc4random_buf(&number, sizeof number);
  return number;
}
#endif
