#if canImport(Glibc)
  internal import CSystem
  import Glibc
#else
  import Darwin
#endif

/// The start of a program found on PATH, never through a shell.
struct Spawn {
  enum Attachment {
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
  var attachment: Attachment
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
    for (descriptor, source) in [(STDIN_FILENO, input), (STDOUT_FILENO, output)] {
      if let source {
        posix_spawn_file_actions_adddup2(&actions, source, descriptor)
      } else {
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
      }
    }
    if let errors { posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO) }
    if silencesErrors { posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_RDWR, 0) }
    #if canImport(Glibc)
      // Closes all descriptors from this number on, without an upper bound.
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
    switch attachment {
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

/// A child process that this process reaps.
struct Child {
  let id: pid_t

  /// Returns the exit status, or 128 + the signal number; nil while the child is running. Do not call it again after
  /// it has returned a status.
  func reap(blocking: Bool = false) -> Int32? {
    var status: Int32 = 0
    while true {
      let ended = waitpid(id, &status, blocking ? 0 : WNOHANG)
      if ended == id { break }
      if ended == -1 && errno == EINTR { continue }
      return nil
    }
    let signal = status & 0x7f
    return signal == 0 ? status >> 8 & 0xff : 128 + signal
  }

  /// Ends a child that leads its own process group: sends SIGTERM to the group, waits up to `grace`, sends SIGKILL to
  /// the remaining processes and reaps the child.
  func end(grace: Duration, clock: LiveClock) {
    kill(-id, SIGTERM)
    let deadline = clock.monotonic() + grace
    var pause = PollPause()
    while !hasEnded, clock.monotonic() < deadline { Readiness.wait(for: [], atMost: pause.next()) }
    kill(-id, SIGKILL)
    _ = reap(blocking: true)
  }

  /// Whether the child has exited. Does not reap it, so its process and group ids cannot be reused yet.
  var hasEnded: Bool {
    var information = siginfo_t()
    return waitid(P_PID, id_t(id), &information, WEXITED | WNOHANG | WNOWAIT) != 0 || information.si_signo != 0
  }
}

/// Increasing pauses between checks for the end of a process.
struct PollPause {
  private static let backoff = Backoff(base: .milliseconds(1), ceiling: .milliseconds(50))
  private var checks = 0

  mutating func next() -> Duration {
    checks += 1
    return Self.backoff.delay(attempt: checks)
  }
}

/// The parent's end of a child's stdin and stdout. Both are served concurrently so that neither fills up.
struct ChildStreams {
  /// The bytes the child has written so far.
  private(set) var output: [UInt8] = []
  private var rest: ArraySlice<UInt8>
  private var childInput: Pipe
  private var childOutput: Pipe

  init(input: [UInt8]) throws(SystemError) {
    guard var childInput = Pipe.make() else { throw .last("pipe") }
    guard let childOutput = Pipe.make() else {
      let error = SystemError.last("pipe")
      childInput.close()
      throw error
    }
    (rest, self.childInput, self.childOutput) = (input[...], childInput, childOutput)
    Descriptor.unblock(childInput.writeEnd)
    Descriptor.unblock(childOutput.readEnd)
  }

  /// Starts the child on the other ends of the pipes.
  /// - Parameter environment: The variables as `NAME=value`; nil to inherit this program's environment, for commands
  ///   that the user could have started directly.
  mutating func start(_ arguments: [String], environment: [String]?) throws(SystemError) -> pid_t {
    let child = try Spawn(
      arguments: arguments, attachment: .ownGroup, input: childInput.readEnd, output: childOutput.writeEnd,
      environment: environment, closesOthers: environment != nil
    ).start()
    Pipe.close(&childInput.readEnd)
    Pipe.close(&childOutput.writeEnd)
    if rest.isEmpty { Pipe.close(&childInput.writeEnd) }
    return child
  }

  /// Transfers whatever is ready, waiting at most `limit` or until `other` is readable.
  mutating func exchange(atMost limit: Duration, orUntil other: Int32) throws(SystemError) {
    let ready = Readiness.wait(
      for: [.init(childOutput.readEnd, .reading), .init(childInput.writeEnd, .writing), .init(other, .reading)],
      atMost: limit)
    if ready[0] { try receive() }
    if ready[1] { try send() }
  }

  /// Reads the remaining output of a child that has exited.
  mutating func drain() throws(SystemError) {
    while childOutput.readEnd >= 0, try receive() {}
  }

  mutating func close() {
    childInput.close()
    childOutput.close()
  }

  /// Returns false if there was nothing to receive.
  @discardableResult
  private mutating func receive() throws(SystemError) -> Bool {
    switch Chunk.read(from: childOutput.readEnd, call: "read from a program") {
    case .bytes(let more):
      output += more
      return true
    case .end: Pipe.close(&childOutput.readEnd)
    case .nothing: break
    case .failed(let error): throw error
    }
    return false
  }

  private mutating func send() throws(SystemError) {
    let written = rest.withUnsafeBytes { write(childInput.writeEnd, $0.baseAddress, $0.count) }
    if written >= 0 {
      rest = rest.dropFirst(written)
    } else if errno == EPIPE {
      // A program may exit without reading its input.
      rest = []
    } else if errno != EINTR && errno != EAGAIN {
      throw .last("write to a program")
    }
    if rest.isEmpty { Pipe.close(&childInput.writeEnd) }
  }
}
