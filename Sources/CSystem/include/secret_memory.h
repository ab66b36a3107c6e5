#ifndef IFTTT_CSECRETMEMORY_H
#define IFTTT_CSECRETMEMORY_H

/* Protects secrets in the memory of this process. */

#include <stddef.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/* Prevents core dumps of this process. On Linux, other processes of the same user can no longer read its memory either;
   programs that it executes are not affected. */
void secret_memory_hide(void);

/* Overwrites memory with zeros. The compiler does not remove this call, although the memory is not read afterwards. */
void secret_memory_clear(void *start, size_t count);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
