import Text

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Real processes, with this program's stderr and a filtered copy of its environment.
package final class LiveProcesses: Processes {
  private let interruption: any Interruption
  private let environment: Environment
  private let grace: Duration
  private let outputLimit: Int

  /// Creates the effect.
  /// - Parameters:
  ///   - grace: The time between SIGTERM and SIGKILL.
  ///   - outputLimit: The maximum output of a program, in bytes.
  package init(
    interruption: any Interruption, environment: Environment, grace: Duration = .seconds(2),
    outputLimit: Int = 16 << 20
  ) {
    self.interruption = interruption
    self.environment = environment
    self.grace = grace
    self.outputLimit = outputLimit
  }

  package var id: Int32 { getpid() }

  package func problem(finding program: String) -> SystemError? {
    // posix_spawnp searches the PATH of this process, whatever the environment of the new program is.
    let search = ProgramSearch(
      Environment.live[.path], in: LiveFiles(interruption: interruption), skipsRelative: false)
    return search.problem(finding: program)
  }

  /// Runs a program and waits for it.
  /// - Throws: ``SystemError``: `ETIMEDOUT` after the limit, `EINTR` once interrupted, `EFBIG` for too much output,
  ///   `ENOENT` if there is no such program. In the first three cases, the program and its children have been ended.
  package func run(
    _ arguments: [String], input: [UInt8], limit: Duration, seeing variables: EnvironmentFilter
  ) throws(SystemError) -> ProcessResult {
    // Check before the start: this installs the signal handlers, so no signal can end this program and leave the
    // child running.
    guard !interruption.isInterrupted else { throw SystemError(number: EINTR, call: arguments.first ?? "") }
    let clock = LiveClock(interruption: interruption)
    let deadline = clock.monotonic() + limit
    var streams = try ChildStreams(input: input)
    defer { streams.close() }
    let child = Child(id: try streams.start(arguments, environment: environment.visible(variables)))
    do throws(SystemError) {
      var pause = PollPause()
      while true {
        let left = deadline - clock.monotonic()
        let failure: Int32? =
          interruption.isInterrupted
          ? EINTR : left <= .zero ? ETIMEDOUT : streams.output.count > outputLimit ? EFBIG : nil
        if let failure { throw SystemError(number: failure, call: arguments[0]) }
        // The pause is short because a grandchild may hold the output open after the child itself has ended.
        try streams.exchange(atMost: min(left, pause.next()), orUntil: interruption.descriptor)
        if let status = child.reap() {
          try streams.drain()
          return ProcessResult(status: status, output: streams.output)
        }
      }
    } catch {
      streams.close()
      child.end(grace: grace, clock: clock)
      throw error
    }
  }

  package func runAtTerminal(_ arguments: [String], environment: [String]) throws(SystemError) -> Int32 {
    guard !interruption.isInterrupted else { throw SystemError(number: EINTR, call: arguments.first ?? "") }
    let child = Child(
      id: try Spawn(
        arguments: arguments, attachment: .ownTerminal, input: STDIN_FILENO, output: STDERR_FILENO,
        environment: environment, closesOthers: true
      ).start())
    var pause = PollPause()
    while true {
      if let status = child.reap() { return status }
      if interruption.isInterrupted {
        // Ctrl-C has reached the program as well, but other signals have not.
        kill(child.id, SIGTERM)
        _ = child.reap(blocking: true)
        throw SystemError(number: EINTR, call: arguments[0])
      }
      Readiness.wait(for: [.init(interruption.descriptor, .reading)], atMost: pause.next())
    }
  }

  package var program: String? { CurrentExecutable.file }

  package func become(_ program: ReplacementProgram) throws(SystemError) { try program.start() }

  package func start(_ start: ProgramStart) throws(SystemError) -> any RunningProgram {
    // Check before the start: this installs the signal handlers, so no signal can end this program and leave the
    // child running.
    guard !interruption.isInterrupted else { throw SystemError(number: EINTR, call: start.path) }
    return try LiveProgram(start, interruption: interruption)
  }

  package func wait(for programs: [any RunningProgram], atMost limit: Duration) {
    // The descriptor stays readable after the first interrupt, so exclude it from then on.
    let interruption = interruption.isInterrupted ? -1 : interruption.descriptor
    let descriptors = programs.flatMap { ($0 as? LiveProgram)?.readable ?? [] } + [interruption]
    // The pause is short because a program may end while another one holds its output open, or may accept input
    // again.
    Readiness.wait(for: descriptors.map { .init($0, .reading) }, atMost: min(limit, .milliseconds(20)))
  }

  package func openBrowser(_ url: String, with command: String?) throws(SystemError) {
    var failure = SystemError(number: ENOENT, call: "start a browser")
    for command in BrowserCommand.candidates(named: command, environment: environment, url: url) {
      do throws(SystemError) {
        let browser = Child(
          id: try Spawn(
            arguments: command, attachment: .ownSession, silencesErrors: true,
            environment: environment.visible(.desktop),
            closesOthers: true
          ).start())
        try watchStart(of: browser, command[0])
        return
      } catch {
        failure = error
      }
    }
    throw failure
  }

  /// The time in which a launcher is expected to report that it found nothing to launch. A browser that stays open is
  /// left running.
  private static let startingTime = Duration.seconds(1)

  /// Waits briefly to detect a failed start.
  /// - Throws: ``SystemError`` if the browser exits with a failure within that time.
  private func watchStart(of browser: Child, _ name: String) throws(SystemError) {
    let clock = LiveClock(interruption: interruption)
    let end = clock.monotonic() + Self.startingTime
    var pause = PollPause()
    while !interruption.isInterrupted, clock.monotonic() < end {
      if let status = browser.reap() {
        guard status != 0 else { return }
        throw SystemError(exitStatus: status, of: name)
      }
      Readiness.wait(for: [], atMost: pause.next())
    }
  }

  package func interruptThisProgram() { kill(getpid(), SIGTERM) }

  package func startAgain(_ arguments: [String]) throws(SystemError) {
    guard let path = CurrentExecutable.path else { throw SystemError(number: ENOENT, call: "find this program") }
    _ = try Spawn(
      program: path, arguments: ["ifttt"] + arguments, attachment: .ownSession, silencesErrors: true, closesOthers: true
    ).start()
  }

  package func startAgain(_ arguments: [String], log: String) throws(SystemError) -> any BackgroundProgram {
    guard let path = CurrentExecutable.path else { throw SystemError(number: ENOENT, call: "find this program") }
    let file = open(log, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .last("create \(log)") }
    defer { close(file) }
    let spawn = Spawn(
      program: path, arguments: ["ifttt"] + arguments, attachment: .ownSession, errors: file,
      closesOthers: true)
    return LiveBackgroundProgram(
      Child(id: try spawn.start()), grace: grace, clock: LiveClock(interruption: interruption))
  }
}

private final class LiveBackgroundProgram: BackgroundProgram {
  private let child: Child
  private let grace: Duration
  private let clock: LiveClock
  private var knownStatus: Int32?

  init(_ child: Child, grace: Duration, clock: LiveClock) {
    (self.child, self.grace, self.clock) = (child, grace, clock)
  }

  var id: Int32 { child.id }

  var status: Int32? {
    if knownStatus == nil { knownStatus = child.reap() }
    return knownStatus
  }

  /// The leader of a session also leads a process group.
  func end() { if status == nil { child.end(grace: grace, clock: clock) } }
}

/// The commands that can open a page for the user, in order of preference.
package enum BrowserCommand {
  /// Returns the argument lists of the commands to try.
  ///
  /// `BROWSER` is a colon-separated list of commands in which `%s` stands for the URL. A command without `%s` gets
  /// the URL as its last argument. No shell parses the commands, so the URL always stays a single argument.
  ///
  /// - Parameter command: A command that replaces all others; nil for the user's `BROWSER` and the system's default.
  package static func candidates(named command: String? = nil, environment: Environment, url: String) -> [[String]] {
    if let command { return filled(command[...], with: url).map { [$0] } ?? [] }
    #if os(macOS)
      let system = ["open", url]
    #else
      let system = ["xdg-open", url]
    #endif
    let named = (environment[.browser] ?? "").split(separator: ":").compactMap { filled($0, with: url) }
    return named + [system]
  }

  /// Returns nil for an empty command.
  private static func filled(_ command: Substring, with url: String) -> [String]? {
    let words = command.split(separator: " ").map(String.init)
    guard !words.isEmpty else { return nil }
    let filled = words.map { $0.replacing("%s", by: url) }
    return filled == words ? words + [url] : filled
  }
}
