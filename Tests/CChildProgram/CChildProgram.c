/* A shim, because these functions are declared only if GNU extensions are enabled. */
#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include "CChildProgram.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int child_program_change_folder(posix_spawn_file_actions_t *actions, const char *folder) {
  return posix_spawn_file_actions_addchdir_np(actions, folder);
}

int child_program_close_from(posix_spawn_file_actions_t *actions, int first) {
#ifdef __APPLE__
  /* On macOS, POSIX_SPAWN_CLOEXEC_DEFAULT closes the descriptors. */
  (void)actions, (void)first;
  return 0;
#else
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
#endif
}

int child_program_wait_for_writers(const char *path) {
#ifdef F_SETLEASE
  int file = open(path, O_RDONLY | O_CLOEXEC), result;
  if (file < 0) return errno;
  /* The kernel grants a read lease only if the file is not open for writing anywhere. */
  while ((result = fcntl(file, F_SETLEASE, F_RDLCK)) != 0 && errno == EAGAIN) usleep(1000);
  if (result == 0) fcntl(file, F_SETLEASE, F_UNLCK);
  close(file);
#else
  (void)path;
#endif
  return 0;
}
