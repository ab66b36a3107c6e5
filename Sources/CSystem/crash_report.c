#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "crash_report.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

#if defined(__APPLE__)
#include <mach-o/getsect.h>
#include <mach-o/ldsyms.h>
#include <mach-o/loader.h>
#else
#include <elf.h>
#include <link.h>
#endif

/* Everything here may run in a signal handler, after the heap was damaged: no function that allocates or locks. */

static char name[64];

/* The line to print. A line that does not fit is cut. */
typedef struct {
  char bytes[2048];
  size_t count;
} line;

static void append(line *line, const char *text) {
  for (; *text != '\0' && line->count < sizeof line->bytes - 1; text++) line->bytes[line->count++] = *text;
}

static void append_hex(line *line, uintptr_t number) {
  char digits[sizeof number * 2 + 1];
  size_t first = sizeof digits - 1;
  digits[first] = '\0';
  do {
    digits[--first] = "0123456789abcdef"[number & 15];
    number >>= 4;
  } while (number != 0);
  append(line, digits + first);
}

static void append_bytes(line *line, const uint8_t *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    char pair[] = {"0123456789abcdef"[bytes[i] >> 4], "0123456789abcdef"[bytes[i] & 15], '\0'};
    append(line, pair);
  }
}

#if defined(__APPLE__)

static uintptr_t start_of_program(void) { return (uintptr_t)&_mh_execute_header; }

static uintptr_t end_of_program(void) {
  unsigned long size = 0;
  const uint8_t *text = getsegmentdata(&_mh_execute_header, "__TEXT", &size);
  return (uintptr_t)text + size;
}

/* The linker's UUID, by which a dSYM is found. */
static void append_build(line *line) {
  const char *next = (const char *)(&_mh_execute_header + 1);
  for (uint32_t i = 0; i < _mh_execute_header.ncmds; i++) {
    const struct load_command *command = (const struct load_command *)next;
    if (command->cmd == LC_UUID) append_bytes(line, ((const struct uuid_command *)command)->uuid, 16);
    next += command->cmdsize;
  }
}

#else

extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));
extern const char etext __attribute__((visibility("hidden")));

static uintptr_t start_of_program(void) { return (uintptr_t)&__ehdr_start; }

static uintptr_t end_of_program(void) { return (uintptr_t)&etext; }

/* The build id of the linker, by which a debugger finds the symbol file. */
static void append_build(line *line) {
  const char *base = (const char *)&__ehdr_start;
  const ElfW(Phdr) *segments = (const ElfW(Phdr) *)(base + __ehdr_start.e_phoff);
  for (int i = 0; i < __ehdr_start.e_phnum; i++) {
    if (segments[i].p_type != PT_NOTE) continue;
    const char *next = base + segments[i].p_vaddr, *end = next + segments[i].p_memsz;
    while (end - next > (ptrdiff_t)sizeof(ElfW(Nhdr))) {
      const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)next;
      const char *owner = next + sizeof *note, *content = owner + ((note->n_namesz + 3) & ~3u);
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(owner, "GNU", 4) == 0)
        append_bytes(line, (const uint8_t *)content, note->n_descsz);
      next = content + ((note->n_descsz + 3) & ~3u);
    }
  }
}

#endif

static void report(int number);

static _Unwind_Reason_Code append_frame(struct _Unwind_Context *context, void *line) {
  int is_exact = 0;
  uintptr_t address = _Unwind_GetIPInfo(context, &is_exact), start = start_of_program();
  if (_Unwind_GetRegionStart(context) == (uintptr_t)report) return _URC_NO_REASON;
  /* The address to which a call returns may belong to the next line, or to the next function. */
  if (!is_exact) address--;
  /* Offsets in other files, such as the C library's, say nothing without those files. */
  if (address >= start && address < end_of_program()) {
    append(line, " 0x");
    append_hex(line, address - start);
  }
  return _URC_NO_REASON;
}

static const struct {
  int number;
  const char *name;
} signals[] = {
    {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGILL, "SIGILL"},
    {SIGTRAP, "SIGTRAP"}, {SIGFPE, "SIGFPE"}, {SIGABRT, "SIGABRT"},
};
enum { SIGNALS = sizeof signals / sizeof signals[0] };

static void report(int number) {
  line line = {.count = 0};
  append(&line, name);
  append(&line, " crashed: ");
  for (int i = 0; i < SIGNALS; i++)
    if (signals[i].number == number) append(&line, signals[i].name);
  append(&line, ", build ");
  size_t before = line.count;
  append_build(&line);
  if (line.count == before) append(&line, "unknown");
  append(&line, ", at");
  _Unwind_Backtrace(append_frame, &line);
  line.bytes[line.count++] = '\n';
  ssize_t written = write(STDERR_FILENO, line.bytes, line.count);
  (void)written;
  /* SA_RESETHAND restored the default action. It takes effect when this function returns. */
  raise(number);
}

void crash_report_install(const char *program) {
  strncpy(name, program, sizeof name - 1);
  /* A stack that has overflowed has no space for the handler. */
  static char stack[64 * 1024];
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&alternate, NULL);
  struct sigaction action = {.sa_handler = report, .sa_flags = SA_ONSTACK | SA_RESETHAND};
  for (int i = 0; i < SIGNALS; i++) sigaction(signals[i].number, &action, NULL);
}
