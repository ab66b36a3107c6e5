/* A shim, because these functions are declared only if GNU extensions are enabled. */
#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include "CChildProgram.h"

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
