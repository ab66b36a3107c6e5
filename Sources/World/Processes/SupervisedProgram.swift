#if canImport(Glibc)
  internal import CSystem
  import Glibc

  /// A program that runs under a supervisor process. The supervisor adopts and kills all descendants the program
  /// leaves behind, in any session, even if this program itself is killed.
  struct SupervisedProgram {
    private var process = supervisor()

    /// Starts the program with these streams and no other descriptors.
    init(_ start: ProgramStart, input: Int32, output: Int32, errors: Int32) throws(SystemError) {
      var arguments = ([start.path] + start.arguments).map { strdup($0) } + [nil]
      var environment = start.environment.map { strdup($0) } + [nil]
      defer { for word in arguments + environment { free(word) } }
      var process = supervisor()
      let limits = supervisor_limits(
        file: start.limits?.fileSize ?? 0, memory: start.limits?.memory ?? 0, time: start.limits?.seconds ?? 0)
      let run = { (rules: Int32) in
        supervisor_start(start.path, &arguments, &environment, [input, output, errors], rules, limits, &process)
      }
      let number =
        try start.confinement.map { (confinement) throws(SystemError) in try confinement.withRules(run) } ?? run(-1)
      self.process = process
      guard number == 0 else { throw SystemError(number: number, call: start.path) }
    }

    /// Whether the program and all of its descendants have ended.
    var hasEnded: Bool { Child(id: process.id).hasEnded }

    /// Waits for the program to end. Call it only once.
    /// - Returns: The program's exit status, or 128 + the signal number, and whether descendants outlived it.
    mutating func reap() -> (status: Int32, leftBehind: Bool) {
      let status = Child(id: process.id).reap(blocking: true) ?? 128 + SIGKILL
      // A supervisor that was killed has not killed the rest of the program's group. The group's number cannot have
      // been reused this soon.
      kill(-process.program, SIGKILL)
      var byte: UInt8 = 0
      let leftBehind = read(process.report, &byte, 1) == 1
      Pipe.close(&process.orders)
      Pipe.close(&process.report)
      return (status, leftBehind)
    }

    /// Sends SIGTERM to the program's group, waits up to `grace`, then sends SIGKILL to whatever remains.
    mutating func end(grace: Duration, clock: LiveClock) {
      order(SUPERVISOR_TERMINATE)
      wait(atMost: grace, clock)
      order(SUPERVISOR_KILL)
      // The program may have stopped its supervisor.
      kill(process.id, SIGCONT)
      wait(atMost: .seconds(5), clock)
      if !hasEnded { kill(process.id, SIGKILL) }
      _ = reap()
    }

    private func order(_ order: Int) {
      var byte = UInt8(order)
      _ = write(process.orders, &byte, 1)
    }

    private func wait(atMost limit: Duration, _ clock: LiveClock) {
      let deadline = clock.monotonic() + limit
      var pause = Backoff()
      while !hasEnded, clock.monotonic() < deadline { Readiness.wait(for: [], atMost: pause.next()) }
    }
  }
#else
  import Darwin

  /// A program that leads a process group. On this system, a descendant that leaves the group outlives the program, and
  /// resource limits are not set.
  struct SupervisedProgram {
    private let child: Child

    /// Starts the program with these streams and no other descriptors.
    init(_ start: ProgramStart, input: Int32, output: Int32, errors: Int32) throws(SystemError) {
      child = Child(
        id: try Spawn(
          program: start.path, arguments: [start.path] + start.arguments, place: .ownGroup, input: input,
          output: output, errors: errors, environment: start.environment, closesOthers: true
        ).start())
    }

    /// Whether the program has ended.
    var hasEnded: Bool { child.hasEnded }

    /// Waits for the program to end. Call it only once.
    /// - Returns: The exit status, or 128 + the signal number, and whether other processes of its group outlived it.
    mutating func reap() -> (status: Int32, leftBehind: Bool) {
      let status = child.reap(blocking: true) ?? 128 + SIGKILL
      // The group's number cannot have been reused this soon.
      return (status, kill(-child.id, SIGKILL) == 0)
    }

    /// Sends SIGTERM to the group, waits up to `grace`, then sends SIGKILL to whatever remains.
    mutating func end(grace: Duration, clock: LiveClock) { child.end(grace: grace, clock: clock) }
  }
#endif
