#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#if defined(__linux__)
#include <errno.h>
#include <link.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

/* Functions of newer versions of glibc that statically linked libraries import. With these, the program also runs with glibc
   2.34 (RHEL 9, Amazon Linux 2023). They are not called from Swift. */

/* glibc 2.36: libexpat and libstdc++. */
__attribute__((visibility("hidden"))) void arc4random_buf(void *start, size_t count);
__attribute__((visibility("hidden"))) uint32_t arc4random(void);

void arc4random_buf(void *start, size_t count) {
  for (char *next = start; count > 0;) {
    ssize_t filled = getrandom(next, count, 0);
    if (filled < 0 && errno == EINTR) continue;
    /* Only a kernel before 3.17 has no such call. glibc's own function ends the process as well. */
    if (filled < 0) abort();
    next += filled;
    count -= (size_t)filled;
  }
}

uint32_t arc4random(void) {
  uint32_t number;
  arc4random_buf(&number, sizeof number);
  return number;
}

/* glibc 2.35, where it no longer sets errno: Swift's overlay of the C library. The squares of floats cannot overflow a double. */
__attribute__((visibility("hidden"))) float hypotf(float x, float y) {
  if (isinf(x) || isinf(y)) return INFINITY;
  return (float)sqrt((double)x * x + (double)y * y);
}

/* glibc 2.35: libgcc, which finds with it the tables that unwind a stack, for the line of a crash. */
#ifdef DLFO_EH_SEGMENT_TYPE
typedef struct {
  uintptr_t address;
  struct dl_find_object *found;
} search;

static int contains(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  search *search = context;
  struct dl_find_object found = {0};
  int is_found = 0;
  for (size_t i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
    uintptr_t start = object->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;
    if (segment->p_type == DLFO_EH_SEGMENT_TYPE) found.dlfo_eh_frame = (void *)start;
    if (segment->p_type != PT_LOAD || search->address < start || search->address >= end) continue;
    is_found = 1;
    found.dlfo_map_start = (void *)start;
    found.dlfo_map_end = (void *)end;
  }
  if (is_found) *search->found = found;
  return is_found;
}

__attribute__((visibility("hidden"))) int _dl_find_object(void *address, struct dl_find_object *result) {
  search search = {(uintptr_t)address, result};
  return dl_iterate_phdr(contains, &search) ? 0 : -1;
}
#endif
#endif
