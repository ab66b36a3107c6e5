#if canImport(Glibc)
  internal import CSystem
  import Glibc
#else
  import Darwin
#endif

/// Starts a program found on PATH, never through a shell.
struct Spawn {
  enum Place {
    /// In a new process group together with its children, so that all of them can be ended together. The group is in
    /// the background and cannot read from the terminal.
    case ownGroup
    /// In a new session, detached from the terminal and its Ctrl-C. The program outlives this one.
    case ownSession
    /// In this program's process group, so that it can read from the terminal and gets its Ctrl-C.
    case ownTerminal
  }

  /// The file to execute; nil for the first argument.
  var program: String?
  var arguments: [String]
  var place: Place
  /// The child's standard streams. If nil, stdin and stdout are /dev/null, and stderr is inherited.
  var input: Int32?
  var output: Int32?
  var errors: Int32?
  var silencesErrors = false
  /// The variables as `NAME=value`; nil to inherit this program's variables.
  var environment: [String]?
  /// Whether to close all descriptors above the standard streams. Otherwise a reader that waits for the end of a pipe
  /// would also wait for the child.
  var closesOthers = false

  /// - Throws: ``SystemError``: `ENOENT` if there is no such program.
  func start() throws(SystemError) -> pid_t {
    guard let program = program ?? arguments.first, !arguments.contains(where: { $0.utf8.contains(0) }) else {
      throw SystemError(number: EINVAL, call: "start a program")
    }
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (descriptor, given) in [(STDIN_FILENO, input), (STDOUT_FILENO, output)] {
      if let given {
        posix_spawn_file_actions_adddup2(&actions, given, descriptor)
      } else {
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
      }
    }
    if let errors { posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO) }
    if silencesErrors { posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_RDWR, 0) }
    #if canImport(Glibc)
      // This closes all of them, without an upper bound.
      if closesOthers { spawn_close_from(&actions, STDERR_FILENO + 1) }
    #endif

    // Signals that this program ignores (SIGPIPE, SIGXFSZ) or that one of its threads blocks must be reset in
    // children.
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    var flags = Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
    switch place {
    case .ownGroup: flags |= Int32(POSIX_SPAWN_SETPGROUP)
    case .ownSession: flags |= newSession
    case .ownTerminal: break
    }
    #if !canImport(Glibc)
      if closesOthers {
        // CLOEXEC_DEFAULT would otherwise also close the inherited stderr.
        if errors == nil, !silencesErrors { posix_spawn_file_actions_addinherit_np(&actions, STDERR_FILENO) }
        flags |= Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
      }
    #endif
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    var variables = (environment ?? []).map { strdup($0) } + [nil]
    defer { for variable in variables { free(variable) } }
    let error =
      environment == nil
      ? posix_spawnp(&child, program, &actions, &attributes, &words, Environment.block)
      : posix_spawnp(&child, program, &actions, &attributes, &words, &variables)
    guard error == 0 else { throw SystemError(number: error, call: program) }
    return child
  }
}

#if canImport(Glibc)
  /// POSIX_SPAWN_SETSID, which glibc declares only for C programs that define _GNU_SOURCE.
  private let newSession: Int32 = 0x80
#else
  private let newSession = Int32(POSIX_SPAWN_SETSID)
#endif
