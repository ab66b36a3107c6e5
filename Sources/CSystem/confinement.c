#if defined(__linux__)
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel's interface (linux/landlock.h). The header is missing on systems that are older than the kernels they may run
   on, hence the declarations here. The numbers are the same on all architectures. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446, VERSION_FLAG = 1, RULE_PATH_BENEATH = 1 };

enum {
  EXECUTE = 1 << 0,
  WRITE_FILE = 1 << 1,
  READ_FILE = 1 << 2,
  READ_DIR = 1 << 3,
  /* Removing and making files, folders, sockets, pipes, devices and links. */
  REMOVE_AND_MAKE = ((1 << 13) - 1) & ~0xf,
  MAKE_DEVICES = 1 << 6 | 1 << 11,
  REFER = 1 << 13,     /* since version 2 */
  TRUNCATE = 1 << 14,  /* since version 3 */
  IOCTL_DEV = 1 << 15, /* since version 5 */
  /* The rights that a file can have. */
  OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV,
};

enum {
  /* Connecting to abstract sockets, and sending signals, outside of the confined programs. Since version 6. */
  SCOPE_ABSTRACT_SOCKETS = 1 << 0,
  SCOPE_SIGNALS = 1 << 1,
};

/* Older versions know only the first members, and accept the others if they are zero. */
struct ruleset {
  uint64_t handled;
  /* TCP is not restricted: plugins send requests to their hosts. */
  uint64_t handled_network;
  uint64_t scoped;
};

struct path_rule {
  uint64_t allowed;
  int32_t parent;
} __attribute__((packed));

int confinement_version(void) {
  long version = syscall(CREATE_RULESET, NULL, (size_t)0, VERSION_FLAG);
  return version > 0 ? (int)version : 0;
}

/* The rights that this system's version knows. */
static uint64_t known(void) {
  int version = confinement_version();
  uint64_t rights = EXECUTE | WRITE_FILE | READ_FILE | READ_DIR | REMOVE_AND_MAKE;
  if (version >= 2) rights |= REFER;
  if (version >= 3) rights |= TRUNCATE;
  if (version >= 5) rights |= IOCTL_DEV;
  return rights;
}

int confinement_begin(void) {
  struct ruleset ruleset = {.handled = known()};
  if (confinement_version() >= 6) ruleset.scoped = SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS;
  long rules = syscall(CREATE_RULESET, &ruleset, sizeof ruleset, 0);
  return rules < 0 ? -errno : (int)rules;
}

int confinement_allow(int rules, const char *path, int access) {
  int file = open(path, O_PATH | O_CLOEXEC);
  if (file < 0) return errno;
  uint64_t rights = READ_FILE | READ_DIR;
  switch (access) {
    case CONFINEMENT_READ: rights |= EXECUTE; break;
    case CONFINEMENT_LIST: rights = READ_DIR; break;
    case CONFINEMENT_WRITE: rights |= WRITE_FILE | TRUNCATE | REFER | (REMOVE_AND_MAKE & ~MAKE_DEVICES); break;
    default: rights |= WRITE_FILE | TRUNCATE | IOCTL_DEV; break;
  }
  struct stat status;
  if (fstat(file, &status) == 0 && !S_ISDIR(status.st_mode)) rights &= OF_FILES;
  struct path_rule rule = {.allowed = rights & known(), .parent = file};
  int failure = syscall(ADD_RULE, rules, RULE_PATH_BENEATH, &rule, 0) == 0 ? 0 : errno;
  /* A pipe or socket, such as that of <(command), needs no rule. */
  if (failure == EBADFD) failure = 0;
  close(file);
  return failure;
}

/* Keeps only the capability to open files whatever their owner, which the rules limit. With others, root could read the
   memory and the environment of other processes, or change the kernel. Programs that set the user id regain none. */
static int drop_capabilities(void) {
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++) {
    /* Fails without CAP_SETPCAP, as in a container. PR_SET_NO_NEW_PRIVS then keeps the capabilities from returning. */
    if (capability != CAP_DAC_OVERRIDE) prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  }
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct held[_LINUX_CAPABILITY_U32S_3];
  if (syscall(SYS_capget, &header, held) != 0) return errno;
  for (int word = 0; word < _LINUX_CAPABILITY_U32S_3; word++) {
    held[word].permitted &= word == CAP_TO_INDEX(CAP_DAC_OVERRIDE) ? CAP_TO_MASK(CAP_DAC_OVERRIDE) : 0;
    held[word].effective = held[word].permitted;
    held[word].inheritable = 0;
  }
  return syscall(SYS_capset, &header, held) == 0 ? 0 : errno;
}

int confinement_enforce(int rules) {
  /* Without this, a set-user-ID program could be confused by its limits. */
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  if (syscall(RESTRICT_SELF, rules, 0) != 0) return errno;
  return drop_capabilities();
}
#else
#include "confinement.h"

#include <errno.h>

int confinement_version(void) { return 0; }
int confinement_begin(void) { return -ENOSYS; }
int confinement_allow(int rules, const char *path, int access) {
  (void)rules, (void)path, (void)access;
  return ENOSYS;
}
int confinement_enforce(int rules) {
  (void)rules;
  return ENOSYS;
}
#endif
