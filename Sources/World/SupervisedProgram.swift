#if canImport(Glibc)
  internal import CSupervisor
  import Glibc

  /// A started program below a supervisor: a process of this program's own that adopts and kills whatever the program leaves
  /// behind, in whichever session, also when this program itself is killed.
  struct SupervisedProgram {
    private var process = supervisor()

    /// Starts it with these streams and no other descriptor.
    init(_ start: ProgramStart, input: Int32, output: Int32, errors: Int32) throws(SystemError) {
      var arguments = ([start.path] + start.arguments).map { strdup($0) } + [nil]
      var environment = start.environment.map { strdup($0) } + [nil]
      defer { for word in arguments + environment { free(word) } }
      let number = supervisor_start(start.path, &arguments, &environment, [input, output, errors], &process)
      guard number == 0 else { throw SystemError(number: number, call: start.path) }
    }

    /// Whether the program and all of its descendants are gone.
    var hasEnded: Bool { Child(id: process.id).hasEnded }

    /// Waits for the end. To be called once.
    /// - Returns: the program's exit status, or 128 + the signal's number, and whether descendants had outlived it.
    mutating func reap() -> (status: Int32, leftBehind: Bool) {
      let status = Child(id: process.id).reap(blocking: true) ?? 128 + SIGKILL
      // A supervisor that was killed killed nothing but the program. A group that is gone cannot have its number reused
      // within this moment.
      kill(-process.program, SIGKILL)
      var byte: UInt8 = 0
      let leftBehind = read(process.report, &byte, 1) == 1
      Pipe.close(&process.orders)
      Pipe.close(&process.report)
      return (status, leftBehind)
    }

    /// SIGTERM for the program's group, at most `grace`, then SIGKILL for all that is left.
    mutating func end(grace: Duration, clock: LiveClock) {
      order(SUPERVISOR_TERMINATE)
      wait(atMost: grace, clock)
      order(SUPERVISOR_KILL)
      // A program may have stopped its supervisor.
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

  /// A started program that leads a process group. Here a descendant that leaves the group outlives it.
  struct SupervisedProgram {
    private let child: Child

    /// Starts it with these streams and no other descriptor.
    init(_ start: ProgramStart, input: Int32, output: Int32, errors: Int32) throws(SystemError) {
      child = Child(
        id: try Spawn(
          program: start.path, arguments: [start.path] + start.arguments, place: .ownGroup, input: input,
          output: output, errors: errors, environment: start.environment, closesOthers: true
        ).start())
    }

    /// Whether the program is gone.
    var hasEnded: Bool { child.hasEnded }

    /// Waits for the end. To be called once.
    /// - Returns: the exit status, or 128 + the signal's number, and whether processes of its group had outlived it.
    mutating func reap() -> (status: Int32, leftBehind: Bool) {
      let status = child.reap(blocking: true) ?? 128 + SIGKILL
      // A group that is gone cannot have its number reused within this moment.
      return (status, kill(-child.id, SIGKILL) == 0)
    }

    /// SIGTERM for the group, at most `grace`, then SIGKILL for all that is left.
    mutating func end(grace: Duration, clock: LiveClock) { child.end(grace: grace, clock: clock) }
  }
#endif
