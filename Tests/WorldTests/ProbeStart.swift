#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

#if canImport(Glibc)
  typealias FileActions = posix_spawn_file_actions_t
  /// POSIX_SPAWN_SETSID, which glibc shows only to those who ask for GNU extensions.
  private let newSessionFlag: Int16 = 0x80
#else
  typealias FileActions = posix_spawn_file_actions_t?
  private let newSessionFlag = Int16(POSIX_SPAWN_SETSID)
#endif

extension Probe {
  static func pipe() -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    #if canImport(Glibc)
      _ = Glibc.pipe(&ends)
    #else
      _ = Darwin.pipe(&ends)
    #endif
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  static func start(
    _ words: [String], environment: [String], newSession: Bool, streams: (inout FileActions) -> Void
  ) throws -> pid_t {
    #if canImport(Glibc)
      var actions = FileActions()
      var attributes = posix_spawnattr_t()
    #else
      var actions: FileActions
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    streams(&actions)
    // Whatever the test runner ignores or blocks, the probe starts as from a shell.
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    let flags = Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK)
    posix_spawnattr_setflags(&attributes, flags | (newSession ? newSessionFlag : 0))
    var arguments = words.map { strdup($0) } + [nil]
    // Swift's runtime else takes SIGQUIT on a terminal for a crash to report.
    let coverage = getenv("LLVM_PROFILE_FILE").map { ["LLVM_PROFILE_FILE=" + String(cString: $0)] } ?? []
    let base = ["PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no"] + coverage
    var variables = (base + environment).map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var id: pid_t = 0
    let error = posix_spawnp(&id, words[0], &actions, &attributes, &arguments, &variables)
    guard error == 0 else { throw ProbeFailure(number: error) }
    return id
  }
}

func readByte(_ descriptor: Int32, _ byte: inout UInt8) -> Bool {
  while true {
    let count = read(descriptor, &byte, 1)
    if count == 1 { return true }
    // The controlling side of a terminal that nobody has open any more answers EIO.
    if count == 0 || errno != EINTR { return false }
  }
}
