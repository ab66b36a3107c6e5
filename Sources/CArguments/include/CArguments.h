#ifndef IFTTT_CARGUMENTS_H
#define IFTTT_CARGUMENTS_H

/* The arguments of the process, which end with NULL. */
char *_Nullable *_Nonnull process_arguments(void);

#endif
