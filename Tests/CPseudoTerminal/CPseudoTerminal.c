/* A shim, because these functions are declared only if GNU extensions are enabled. */
#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include "CPseudoTerminal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int pseudo_terminal_open(char *path, unsigned long size) {
  int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0) return -1;
  fcntl(terminal, F_SETFD, FD_CLOEXEC);
  if (grantpt(terminal) == 0 && unlockpt(terminal) == 0 && ptsname_r(terminal, path, size) == 0) return terminal;
  close(terminal);
  return -1;
}
