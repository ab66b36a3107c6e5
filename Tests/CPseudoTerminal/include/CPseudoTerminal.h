#ifndef IFTTT_CPSEUDOTERMINAL_H
#define IFTTT_CPSEUDOTERMINAL_H

/* Opens a new pseudo-terminal and returns its controlling side; the other side's path is put into `path`.
   -1, with errno set, where there is none. */
int pseudo_terminal_open(char *path, unsigned long size);

#endif
