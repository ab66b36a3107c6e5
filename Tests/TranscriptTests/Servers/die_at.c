/* Kills the process with SIGKILL before its Nth change to a file, where N is DIE_AT, so that a test can try every N.
 *
 * fsync and fdatasync are not steps: SIGKILL leaves the page cache as it is, so a process that is killed before one of
 * them leaves the same files as one that is killed before its next change. A new file is not a step by itself, but
 * it is one if it is that next change, so that this state is not left out. */
#define _GNU_SOURCE
/* With it, some C libraries define open as an inline function. */
#undef _FORTIFY_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

/* Whether fsync or fdatasync was called after the last step. */
static int synced = 0;

static void step(void) {
  static int done = 0, last = -1;
  if (last < 0) {
    const char *text = getenv("DIE_AT");
    last = text ? atoi(text) : 0;
  }
  if (++done == last) kill(getpid(), SIGKILL);
  synced = 0;
}

#define WRAP(result, name, parameters, arguments)                                                                     \
  result name parameters {                                                                                            \
    static result (*real) parameters;                                                                                 \
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name);                                                             \
    step();                                                                                                           \
    return real arguments;                                                                                            \
  }

#define WRAP_SYNC(name)                                                                                               \
  int name(int file) {                                                                                                \
    static int (*real)(int);                                                                                          \
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name);                                                             \
    synced = 1;                                                                                                       \
    return real(file);                                                                                                \
  }

#define WRAP_OPEN(name)                                                                                               \
  int name(const char *path, int flags, ...) {                                                                        \
    static int (*real)(const char *, int, ...);                                                                       \
    mode_t mode = 0;                                                                                                  \
    if (flags & O_CREAT) {                                                                                            \
      va_list rest;                                                                                                   \
      va_start(rest, flags);                                                                                          \
      mode = va_arg(rest, mode_t);                                                                                    \
      va_end(rest);                                                                                                   \
      if (synced && access(path, F_OK) != 0) step();                                                                  \
    }                                                                                                                 \
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name);                                                             \
    return real(path, flags, mode);                                                                                   \
  }

WRAP(ssize_t, pwrite64, (int file, const void *bytes, size_t count, off_t at), (file, bytes, count, at))
WRAP(ssize_t, pwrite, (int file, const void *bytes, size_t count, off_t at), (file, bytes, count, at))
WRAP(ssize_t, write, (int file, const void *bytes, size_t count), (file, bytes, count))
WRAP(int, ftruncate64, (int file, off_t size), (file, size))
WRAP(int, ftruncate, (int file, off_t size), (file, size))
WRAP(int, rename, (const char *old, const char *new), (old, new))
WRAP(int, link, (const char *old, const char *new), (old, new))
WRAP(int, unlink, (const char *path), (path))
WRAP(int, renameat2, (int from, const char *old, int to, const char *new, unsigned flags), (from, old, to, new, flags))
WRAP(int, mkdir, (const char *path, mode_t mode), (path, mode))
WRAP(int, rmdir, (const char *path), (path))
WRAP_SYNC(fsync)
WRAP_SYNC(fdatasync)
WRAP_OPEN(open)
WRAP_OPEN(open64)
