#ifndef IFTTT_CSUPERVISOR_H
#define IFTTT_CSUPERVISOR_H

#if defined(__linux__)
/* No system header is included here. Swift would otherwise attribute the types of <spawn.h> to this module or to Glibc,
   depending on the order in which files are compiled. */

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/* A running supervisor, as seen by its parent. */
struct supervisor {
  /* The process id of the supervisor, which is a child of the caller. It exits when no descendant of the program is
     left. Its exit status is that of the program, or 128 plus the number of the signal that ended the program. */
  int id;
  /* The process id of the program, which leads its own process group. */
  int program;
  /* Accepts the orders below, one byte each. When it is closed, also by the end of the caller, SUPERVISOR_KILL follows
     two seconds later. */
  int orders;
  /* Readable after the supervisor has exited: one byte if the program ended by itself and descendants outlived it. */
  int report;
};

/* The limits of each process of a program; 0 for none. */
struct supervisor_limits {
  /* The size of a file that it writes, in bytes: RLIMIT_FSIZE. */
  unsigned long file;
  /* The address space in bytes: RLIMIT_AS. */
  unsigned long memory;
  /* The processor time in seconds: RLIMIT_CPU. */
  unsigned long time;
};

enum {
  /* Sends SIGTERM to the program's process group. */
  SUPERVISOR_TERMINATE = 'T',
  /* Kills the program and all of its descendants. */
  SUPERVISOR_KILL = 'K',
};

/* Starts a program under a supervisor process that no descendant of the program can escape. The supervisor adopts
   orphaned descendants in any session and process group. It kills them when the program or the caller ends.

   The program gets `streams` as its standard streams and no other descriptor. `arguments` and `environment` end with a
   null pointer. `rules` are those of confinement.h that the program is confined by, or -1. Returns 0, or the error
   number if the start failed; no process is left then. */
int supervisor_start(const char *path, char *_Nullable const *_Nonnull arguments,
                     char *_Nullable const *_Nonnull environment, const int streams[_Nonnull 3], int rules,
                     struct supervisor_limits limits, struct supervisor *started);

/* posix_spawn_file_actions_addclosefrom_np, which glibc declares only with its extensions enabled. In a program started
   with posix_spawn, it closes all descriptors from `first` on. `actions` is a posix_spawn_file_actions_t. */
int spawn_close_from(void *actions, int first);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
#endif
