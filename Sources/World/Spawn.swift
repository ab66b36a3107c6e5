#if canImport(Glibc)
  internal import CSupervisor
  import Glibc
#else
  import Darwin
#endif

/// Starts a program found on PATH, never through a shell.
struct Spawn {
  enum Place {
    /// With its children in a process group, so that all can be ended together. It is in the background of the
    /// terminal, from which it cannot read.
    case ownGroup
    /// Away from the terminal and its Ctrl-C: it outlives this program.
    case ownSession
  }

  /// What is started, where that is not the first word.
  var program: String?
  var arguments: [String]
  var place: Place
  /// The child's standard streams; nil for /dev/null, and for this program's own standard error.
  var input: Int32?
  var output: Int32?
  var errors: Int32?
  var silencesErrors = false
  /// `NAME=value`; nil for this program's own variables.
  var environment: [String]?
  /// Whether the child gets none of the descriptors above its standard streams: a reader that waits for the end of a pipe
  /// would wait for the child too.
  var closesOthers = false

  /// - Throws: ``SystemError``; `ENOENT` where there is no such program.
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
      // However high its number.
      if closesOthers { spawn_close_from(&actions, STDERR_FILENO + 1) }
    #endif

    // What this program ignores (SIGPIPE, SIGXFSZ) or a thread of it blocks, its children must not.
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    var flags = Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
    switch place {
    case .ownGroup: flags |= Int32(POSIX_SPAWN_SETPGROUP)
    case .ownSession: flags |= newSession
    }
    #if !canImport(Glibc)
      if closesOthers {
        // It would close this program's own standard error too.
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
  /// POSIX_SPAWN_SETSID, which glibc declares only to C programs that ask for GNU extensions.
  private let newSession: Int32 = 0x80
#else
  private let newSession = Int32(POSIX_SPAWN_SETSID)
#endif
