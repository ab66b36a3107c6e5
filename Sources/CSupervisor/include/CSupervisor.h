#ifndef IFTTT_CSUPERVISOR_H
#define IFTTT_CSUPERVISOR_H

#if defined(__linux__)
#include <spawn.h>
#include <sys/types.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/* A running supervisor, as its parent sees it. */
struct supervisor {
  /* Of the supervisor itself, which is a child of the caller. It exits with the program's exit status, or 128 plus the
     number of the signal that ended it, once no descendant of the program is left. */
  pid_t id;
  /* Of the program, which leads a process group of its own. */
  pid_t program;
  /* Takes the orders below, one byte each. Closing it, which the end of the caller also does, means SUPERVISOR_KILL two
     seconds later. */
  int orders;
  /* Readable after the supervisor has exited: one byte if descendants had outlived a program that ended by itself. */
  int report;
};

enum {
  /* Sends SIGTERM to the program's process group. */
  SUPERVISOR_TERMINATE = 'T',
  /* Kills the program and all of its descendants. */
  SUPERVISOR_KILL = 'K',
};

/* Starts a program below a process of its own that no descendant of the program can leave: it adopts those whose parents
   ended, whatever session and process group they moved to, and kills them when the program ends or its own parent does.

   The program gets `streams` as its standard streams and no other descriptor. `arguments` and `environment` end with a null
   pointer. Gives 0, or the number of the error that prevented the start; then nothing is left of it. */
int supervisor_start(const char *path, char *_Nullable const *_Nonnull arguments,
                     char *_Nullable const *_Nonnull environment, const int streams[_Nonnull 3],
                     struct supervisor *started);

/* posix_spawn_file_actions_addclosefrom_np, which glibc declares only to C programs that ask for its extensions: closes all
   descriptors from this one on in a program that is started otherwise. */
int spawn_close_from(posix_spawn_file_actions_t *actions, int first);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
#endif
