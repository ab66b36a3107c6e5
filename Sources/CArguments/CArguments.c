#include "CArguments.h"

static char *none[] = {0};
static char **arguments = none;

/* glibc and Darwin pass the arguments of main to every initializer. */
__attribute__((constructor)) static void remember(int count, char *words[]) {
  if (count > 0) arguments = words;
}

char **process_arguments(void) { return arguments; }
