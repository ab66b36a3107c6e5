#ifndef IFTTT_CCONFINEMENT_H
#define IFTTT_CCONFINEMENT_H

/* Limits the files that a program can open, with Landlock (Linux 5.13 or later). From version 6 on (Linux 6.12), the program also
   cannot send signals to other programs or connect to their abstract sockets. It keeps no capability but CAP_DAC_OVERRIDE.
   The limits also apply to all programs that it starts, and cannot be lifted again. */

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

enum {
  /* Reading files, listing folders and executing programs. */
  CONFINEMENT_READ = 0,
  /* Also creating, changing and removing files and folders, but not executing them. */
  CONFINEMENT_WRITE = 1,
  /* Reading and writing devices, such as /dev/null and terminals. */
  CONFINEMENT_DEVICES = 2,
  /* Only listing folders. */
  CONFINEMENT_LIST = 3,
};

/* The version of the system's Landlock; 0 if it has none. */
int confinement_version(void);

/* Makes rules that allow nothing. Returns a descriptor, or minus the error number. */
int confinement_begin(void);

/* Allows access to a file, or to a folder with everything in it. Returns 0, or the error number: ENOENT for a path that does
   not exist. */
int confinement_allow(int rules, const char *path, int access);

/* Applies the rules to the calling thread and whatever it executes. Returns 0, or the error number. Async-signal-safe. */
int confinement_enforce(int rules);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
