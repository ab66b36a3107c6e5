#ifndef IFTTT_CCHILDPROGRAM_H
#define IFTTT_CCHILDPROGRAM_H

#include <spawn.h>

/* What a child is to do before its program runs: go to another folder; close every descriptor from `first` on. */
int child_program_change_folder(posix_spawn_file_actions_t *actions, const char *folder);
int child_program_close_from(posix_spawn_file_actions_t *actions, int first);

#endif
