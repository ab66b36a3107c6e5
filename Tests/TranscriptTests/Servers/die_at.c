/* Kills the process with SIGKILL before its Nth change to a file, where N is DIE_AT, so that a test can try every N. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static void step(void) {
  static int done = 0, last = -1;
  if (last < 0) {
    const char *text = getenv("DIE_AT");
    last = text ? atoi(text) : 0;
  }
  if (++done == last) kill(getpid(), SIGKILL);
}

#define WRAP(result, name, parameters, arguments)                                                                     \
  result name parameters {                                                                                            \
    static result (*real) parameters;                                                                                 \
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name);                                                             \
    step();                                                                                                           \
    return real arguments;                                                                                            \
  }

WRAP(ssize_t, pwrite64, (int file, const void *bytes, size_t count, off_t at), (file, bytes, count, at))
WRAP(ssize_t, pwrite, (int file, const void *bytes, size_t count, off_t at), (file, bytes, count, at))
WRAP(ssize_t, write, (int file, const void *bytes, size_t count), (file, bytes, count))
WRAP(int, fsync, (int file), (file))
WRAP(int, fdatasync, (int file), (file))
WRAP(int, ftruncate64, (int file, off_t size), (file, size))
WRAP(int, ftruncate, (int file, off_t size), (file, size))
WRAP(int, rename, (const char *old, const char *new), (old, new))
WRAP(int, link, (const char *old, const char *new), (old, new))
WRAP(int, unlink, (const char *path), (path))
WRAP(int, renameat2, (int from, const char *old, int to, const char *new, unsigned flags), (from, old, to, new, flags))
WRAP(int, mkdir, (const char *path, mode_t mode), (path, mode))
WRAP(int, rmdir, (const char *path), (path))
