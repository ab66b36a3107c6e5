
#if defined(__linux__)
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

__attribute__((visibility("hidden"))) void arc4random_buf(void *start, size_t count);

/* Fills memory with random bytes. Debian's libexpat.a imports this function, which glibc has since 2.36. */
void arc4random_buf(void *start, size_t count) {
  for (char *place = start; count > 0;) {
    ssize_t filled = getrandom(place, count, 0);
    if (filled < 0 && errno == EINTR) continue;
    /* Only a kernel before 3.17 has no such call. glibc's own function ends the process as well. */
    if (filled < 0) abort();
    place += filled;
    count -= (size_t)filled;
  }
}
#endif
