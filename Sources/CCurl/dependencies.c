#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "CCurl.h"

#ifdef __linux__
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A shared library in memory, as it is in the file (elf(5)). */
typedef struct {
  const char *start;
  size_t size;
} image;

/* Returns `count` bytes at an offset in the file; NULL if the file does not have them. */
static const void *part(image file, size_t offset, size_t count) {
  return offset <= file.size && count <= file.size - offset ? file.start + offset : NULL;
}

static const ElfW(Ehdr) *header_of(image file) {
  const ElfW(Ehdr) *header = part(file, 0, sizeof *header);
  const unsigned char class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
  if (header == NULL || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != class ||
      header->e_phentsize != sizeof(ElfW(Phdr)) || header->e_phoff % _Alignof(ElfW(Phdr)) != 0)
    return NULL;
  return header;
}

/* Returns where the file has what will be at an address in memory; SIZE_MAX if it does not have it. */
static size_t offset_of(const ElfW(Phdr) *segments, size_t count, size_t address) {
  for (const ElfW(Phdr) *segment = segments; segment < segments + count; segment++)
    if (segment->p_type == PT_LOAD && address >= segment->p_vaddr && address - segment->p_vaddr < segment->p_filesz)
      return segment->p_offset + (address - segment->p_vaddr);
  return SIZE_MAX;
}

static int open_dependencies_of(image file) {
  const ElfW(Ehdr) *header = header_of(file);
  if (header == NULL) return 0;
  const ElfW(Phdr) *segments = part(file, header->e_phoff, header->e_phnum * sizeof *segments);
  if (segments == NULL) return 0;
  const ElfW(Dyn) *entries = NULL;
  size_t count = 0, names = SIZE_MAX;
  for (size_t i = 0; i < header->e_phnum; i++) {
    if (segments[i].p_type != PT_DYNAMIC || segments[i].p_offset % _Alignof(ElfW(Dyn)) != 0) continue;
    entries = part(file, segments[i].p_offset, segments[i].p_filesz);
    count = segments[i].p_filesz / sizeof *entries;
  }
  if (entries == NULL) return 0;
  for (size_t i = 0; i < count; i++)
    if (entries[i].d_tag == DT_STRTAB) names = offset_of(segments, header->e_phnum, entries[i].d_un.d_ptr);
  int opened = 0;
  for (size_t i = 0; i < count; i++) {
    if (entries[i].d_tag != DT_NEEDED || names >= file.size || entries[i].d_un.d_val >= file.size - names) continue;
    size_t offset = names + entries[i].d_un.d_val;
    if (memchr(file.start + offset, '\0', file.size - offset) == NULL) continue;
    /* If this fails, opening the library itself fails too, and its error is reported. */
    if (dlopen(file.start + offset, RTLD_LAZY | RTLD_LOCAL) != NULL) opened++;
  }
  return opened;
}

static int open_dependencies_of_file(const char *path) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return -1;
  struct stat status;
  void *start = MAP_FAILED;
  if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
    start = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  close(descriptor);
  if (start == MAP_FAILED) return 0;
  int opened = open_dependencies_of((image){start, (size_t)status.st_size});
  munmap(start, (size_t)status.st_size);
  return opened;
}

int ccurl_open_dependencies(const char *name) {
  if (strchr(name, '/') != NULL) return open_dependencies_of_file(name);
  void *program = dlopen(NULL, RTLD_LAZY);
  Dl_serinfo sizes;
  if (program == NULL || dlinfo(program, RTLD_DI_SERINFOSIZE, &sizes) != 0) return -1;
  Dl_serinfo *folders = malloc(sizes.dls_size);
  if (folders == NULL) return -1;
  int opened = -1;
  if (dlinfo(program, RTLD_DI_SERINFOSIZE, folders) == 0 && dlinfo(program, RTLD_DI_SERINFO, folders) == 0) {
    for (unsigned int i = 0; i < folders->dls_cnt && opened < 0; i++) {
      char path[PATH_MAX];
      int length = snprintf(path, sizeof path, "%s/%s", folders->dls_serpath[i].dls_name, name);
      if (length > 0 && (size_t)length < sizeof path) opened = open_dependencies_of_file(path);
    }
  }
  free(folders);
  return opened;
}
#else
int ccurl_open_dependencies(const char *name) {
  (void)name;
  return -1;
}
#endif
