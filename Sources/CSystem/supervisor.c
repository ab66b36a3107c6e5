/* The supervisor of one program. It is forked from a process that may have several threads and does not call exec.
   After the fork it may therefore call only async-signal-safe functions: no allocation, no stdio. */

#if defined(__linux__)
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "confinement.h"
#include "supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The descriptors of the supervisor; all higher ones are closed. */
enum { INPUT = 3, OUTPUT, ERRORS, ORDERS, REPORT, RULES, FIRST_UNUSED };

/* The supervisor's report to its parent about the start. */
struct start {
  int failure;
  pid_t program;
};

static void close_from(unsigned first) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
#endif
  /* The fallback before Linux 5.9, or if a system call filter rejects close_range. */
  struct rlimit limit;
  rlim_t end = getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 1024;
  if (end > 1 << 20) end = 1 << 20;
  for (rlim_t descriptor = first; descriptor < end; descriptor++) close((int)descriptor);
}

static void on_child(int number) { (void)number; }

static void set_signals(void (*handler)(int), void (*of_children)(int)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  for (int number = 1; number < NSIG; number++) {
    action.sa_handler = number == SIGCHLD ? of_children : handler;
    /* Fails for SIGKILL, SIGSTOP and the C library's own signals, as intended. */
    sigaction(number, &action, NULL);
  }
}

static ssize_t write_once(int descriptor, const void *bytes, size_t count) {
  ssize_t written;
  do written = write(descriptor, bytes, count);
  while (written < 0 && errno == EINTR);
  return written;
}

/* The parent of a process: the fourth field of /proc/ID/stat. The name before it may contain any character. */
static pid_t parent_of(const char *id) {
  char path[48], text[1024];
  size_t length = strlen(id);
  if (length > 20) return -1;
  memcpy(path, "/proc/", 6);
  memcpy(path + 6, id, length);
  memcpy(path + 6 + length, "/stat", 6);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  if (count <= 0) return -1;
  text[count] = 0;
  const char *place = strrchr(text, ')');
  /* ") S 1234 " */
  if (!place || place + 4 >= text + count) return -1;
  pid_t parent = 0;
  for (place += 4; *place >= '0' && *place <= '9'; place++) parent = parent * 10 + (*place - '0');
  return parent;
}

/* Kills the children of this process. Their ids cannot be reused before they are waited for. */
static void kill_children(void) {
  struct entry {
    uint64_t inode;
    int64_t offset;
    unsigned short length;
    unsigned char type;
    char name[];
  };
  static _Alignas(struct entry) char entries[32768];
  pid_t own = getpid();
  int folder = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  long count;
  while ((count = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0) {
    for (long place = 0; place < count;) {
      const struct entry *entry = (const struct entry *)(entries + place);
      place += entry->length;
      if (entry->name[0] < '1' || entry->name[0] > '9' || parent_of(entry->name) != own) continue;
      pid_t id = 0;
      for (const char *digit = entry->name; *digit; digit++) id = id * 10 + (*digit - '0');
      kill(id, SIGKILL);
    }
  }
  close(folder);
}

/* Waits until a child ends, an order arrives or the time has passed. SIGCHLD is unblocked only here. */
static int wait_for(int orders, long milliseconds) {
  sigset_t none;
  sigemptyset(&none);
  struct pollfd entry = {.fd = orders, .events = POLLIN};
  struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000};
  return ppoll(&entry, 1, milliseconds < 0 ? NULL : &time, &none) > 0;
}

/* Kills the remaining children until there are none. The children of a child that ends become this process's own.
   Returns whether any were left. */
static int sweep(pid_t program) {
  int found = 0;
  /* A fork bomb may be faster for a while; the limit keeps the parent from waiting forever. */
  for (int round = 0; round < 4000; round++) {
    pid_t ended;
    while ((ended = waitpid(-1, NULL, WNOHANG)) > 0) {}
    if (ended < 0 && errno == ECHILD) return found;
    found = 1;
    if (round == 0) kill(-program, SIGKILL);
    kill_children();
    wait_for(-1, 5);
  }
  return found;
}

static long milliseconds_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static _Noreturn void supervise(pid_t program) {
  int status = 0, has_ended = 0, is_ordered = 0;
  /* When the parent is gone, the program's stdin is closed; give the program time to end by itself. */
  long deadline = -1;
  while (!has_ended && !is_ordered) {
    int of_child;
    pid_t ended;
    while ((ended = waitpid(-1, &of_child, WNOHANG)) > 0) {
      if (ended == program) {
        status = of_child;
        has_ended = 1;
      }
    }
    if (has_ended) break;
    if (deadline >= 0) {
      long left = deadline - milliseconds_now();
      is_ordered = left <= 0;
      if (left > 0) wait_for(-1, left);
      continue;
    }
    if (!wait_for(ORDERS, -1)) continue;
    char order;
    ssize_t count = read(ORDERS, &order, 1);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count != 1) {
      deadline = milliseconds_now() + 2000;
    } else if (order == SUPERVISOR_TERMINATE) {
      kill(-program, SIGTERM);
    } else {
      is_ordered = 1;
    }
  }
  if (is_ordered) kill(program, SIGKILL);
  int was_left_behind = sweep(program);
  if (is_ordered) _exit(128 + SIGKILL);
  if (was_left_behind) write_once(REPORT, "L", 1);
  _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

/* A limit that the caller has lowered further stays. A program without a permitted limit must not be started. */
static int limit(int resource, unsigned long value) {
  struct rlimit present;
  if (value == 0) return 0;
  if (getrlimit(resource, &present) != 0) return errno;
  if (present.rlim_max < value) return 0;
  present.rlim_cur = present.rlim_max = value;
  return setrlimit(resource, &present) == 0 ? 0 : errno;
}

/* Executes the program. Returns only if that fails, with the error number. Until then it shares the supervisor's
   memory. */
static int become(const char *path, char *const *arguments, char *const *environment, int is_confined,
                  struct supervisor_limits limits, pid_t supervisor) {
  setpgid(0, 0);
  /* If the supervisor is killed, the program is killed too. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != supervisor) _exit(127);
  int failure = is_confined ? confinement_enforce(RULES) : 0;
  if (!failure) failure = limit(RLIMIT_FSIZE, limits.file);
  if (!failure) failure = limit(RLIMIT_AS, limits.memory);
  if (!failure) failure = limit(RLIMIT_CPU, limits.time);
  if (failure) return failure;
  for (int stream = 0; stream < 3; stream++) {
    if (dup2(INPUT + stream, stream) < 0) return errno;
  }
  close_from(3);
  /* The program must not inherit signals that the caller ignores or blocks. */
  set_signals(SIG_DFL, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(path, arguments, environment);
  return errno;
}

/* Moves the required descriptors to their positions and closes all others. Returns an error number, or 0. */
static int keep_descriptors(const int streams[3], int orders, int report, int rules) {
  /* Without rules, the last position gets a copy of another descriptor, which is closed with the rest. */
  const int given[] = {streams[0], streams[1], streams[2], orders, report, rules < 0 ? report : rules};
  int moved[FIRST_UNUSED - INPUT];
  /* Move them out of the way first, because they may occupy each other's positions. */
  for (int place = INPUT; place < FIRST_UNUSED; place++) {
    moved[place - INPUT] = fcntl(given[place - INPUT], F_DUPFD_CLOEXEC, FIRST_UNUSED);
    if (moved[place - INPUT] < 0) return errno;
  }
  for (int place = INPUT; place < FIRST_UNUSED; place++) {
    if (dup3(moved[place - INPUT], place, O_CLOEXEC) < 0) return errno;
  }
  close_from(FIRST_UNUSED);
  /* The supervisor must not hold the caller's output open: a reader may wait for its end. */
  int null = open("/dev/null", O_RDWR);
  if (null < 0) return errno;
  for (int stream = 0; stream < 3; stream++) dup2(null, stream);
  close(null);
  return 0;
}

static _Noreturn void run_supervisor(const char *path, char *const *arguments, char *const *environment,
                                     const int streams[3], int orders, int report, int rules,
                                     struct supervisor_limits limits) {
  /* Leave the caller's process group, because the caller handles Ctrl-C and decides whether to end the program. */
  setpgid(0, 0);
  set_signals(SIG_IGN, on_child);
  struct start start = {.failure = keep_descriptors(streams, orders, report, rules), .program = -1};
  if (start.failure) {
    write_once(report, &start, sizeof start);
    _exit(127);
  }
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  /* The supervisor holds a copy of the caller's memory, which the program must not read. */
  prctl(PR_SET_DUMPABLE, 0);
  pid_t own = getpid();
  volatile int failure = 0;
  pid_t program = vfork();
  if (program == 0) {
    failure = become(path, arguments, environment, rules >= 0, limits, own);
    _exit(127);
  }
  start.failure = program < 0 ? errno : failure;
  start.program = program;
  write_once(REPORT, &start, sizeof start);
  if (start.failure) _exit(127);
  close(INPUT);
  close(OUTPUT);
  close(ERRORS);
  close(RULES);
  supervise(program);
}

/* Waits for the supervisor's report about the start. The program may have stopped its supervisor, so continue it. */
static int read_start(int report, pid_t supervisor, struct start *start) {
  for (int round = 0; round < 100; round++) {
    struct pollfd entry = {.fd = report, .events = POLLIN};
    int ready = poll(&entry, 1, 200);
    if (ready < 0 && errno != EINTR) return errno;
    if (ready > 0) {
      ssize_t count = read(report, start, sizeof *start);
      if (count < 0 && errno == EINTR) continue;
      return count == sizeof *start ? start->failure : EIO;
    }
    kill(supervisor, SIGCONT);
  }
  return ETIMEDOUT;
}

int supervisor_start(const char *path, char *const *arguments, char *const *environment, const int streams[3],
                     int rules, struct supervisor_limits limits, struct supervisor *started) {
  int orders[2], report[2];
  if (pipe2(orders, O_CLOEXEC) != 0) return errno;
  if (pipe2(report, O_CLOEXEC) != 0) {
    int failure = errno;
    close(orders[0]);
    close(orders[1]);
    return failure;
  }
  /* Block all signals until the supervisor has set its own handlers. */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t id = fork();
  if (id == 0) run_supervisor(path, arguments, environment, streams, orders[0], report[1], rules, limits);
  int failure = id < 0 ? errno : 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(orders[0]);
  close(report[1]);
  struct start start = {.failure = 0, .program = -1};
  if (!failure) failure = read_start(report[0], id, &start);
  if (failure) {
    close(orders[1]);
    close(report[0]);
    if (id > 0) {
      /* The program, if it was started, is killed with its supervisor. */
      kill(id, SIGKILL);
      while (waitpid(id, NULL, 0) < 0 && errno == EINTR) {}
    }
    return failure;
  }
  fcntl(report[0], F_SETFL, fcntl(report[0], F_GETFL) | O_NONBLOCK);
  *started = (struct supervisor){.id = id, .program = start.program, .orders = orders[1], .report = report[0]};
  return 0;
}

int spawn_close_from(void *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
#endif
