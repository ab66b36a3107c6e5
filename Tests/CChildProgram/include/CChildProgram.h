#ifndef IFTTT_CCHILDPROGRAM_H
#define IFTTT_CCHILDPROGRAM_H

#include <spawn.h>

/* Actions of a child before its program runs: change the working folder; close every descriptor from `first` on. */
int child_program_change_folder(posix_spawn_file_actions_t *actions, const char *folder);
int child_program_close_from(posix_spawn_file_actions_t *actions, int first);

/* Waits until no process has the file open for writing; Linux executes no such file (ETXTBSY). A child that another
   test starts while this process writes the file has it open until its program runs. Returns 0 or an errno value. */
int child_program_wait_for_writers(const char *path);

#endif
