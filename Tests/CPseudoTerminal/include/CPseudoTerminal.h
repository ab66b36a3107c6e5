#ifndef IFTTT_CPSEUDOTERMINAL_H
#define IFTTT_CPSEUDOTERMINAL_H

/* Opens a new pseudo-terminal, returns its controlling side, and writes the other side's path to `path`.
   Returns -1 and sets errno if it fails. */
int pseudo_terminal_open(char *path, unsigned long size);

#endif
