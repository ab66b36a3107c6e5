#if canImport(Glibc)
  internal import CSystem
  import Glibc
#else
  import Darwin
#endif

/// A real process with pipes for its three standard streams, under its own supervisor.
final class LiveProgram: RunningProgram {
  private var child: SupervisedProgram
  private let interruption: any Interruption
  private let clock: LiveClock
  private var input: Pipe
  private var output: Pipe
  private var errors: Pipe
  private var unsent: ArraySlice<UInt8> = []
  private var closesInput = false
  private var status: Int32?
  private(set) var leftBehind = false

  init(_ start: ProgramStart, interruption: any Interruption) throws(SystemError) {
    // A child that ends while this program writes to it must not end this program. Set here as well, because callers
    // without a live `World` have not ignored SIGPIPE yet.
    signal(SIGPIPE, SIG_IGN)
    var pipes: [Pipe] = []
    for _ in 0..<3 {
      guard let pipe = Pipe.make() else {
        let error = SystemError.last("pipe")
        for index in pipes.indices { pipes[index].close() }
        throw error
      }
      pipes.append(pipe)
    }
    (input, output, errors) = (pipes[0], pipes[1], pipes[2])
    do throws(SystemError) {
      child = try SupervisedProgram(
        start, input: input.readEnd, output: output.writeEnd, errors: errors.writeEnd)
    } catch {
      for index in pipes.indices { pipes[index].close() }
      throw error
    }
    self.interruption = interruption
    clock = LiveClock(interruption: interruption)
    Pipe.close(&input.readEnd)
    Pipe.close(&output.writeEnd)
    Pipe.close(&errors.writeEnd)
    for end in [input.writeEnd, output.readEnd, errors.readEnd] { Descriptor.unblock(end) }
  }

  deinit { end(grace: .zero) }

  func send(_ bytes: [UInt8]) {
    guard input.writeEnd >= 0, !closesInput else { return }
    unsent += bytes
    flush()
  }

  var hasUnsentInput: Bool { !unsent.isEmpty }

  func closeInput() {
    closesInput = true
    flush()
  }

  func next(atMost limit: Duration, noticesInterruption: Bool) throws(SystemError) -> ProgramEvent {
    let deadline = clock.monotonic() + limit
    var pause = PollPause()
    while true {
      if noticesInterruption, interruption.isInterrupted { return .interrupted }
      let left = deadline - clock.monotonic()
      // The pause is short because a grandchild may hold the output open after the child itself has ended.
      let ready = Readiness.wait(
        for: [
          .init(output.readEnd, .reading), .init(errors.readEnd, .reading),
          .init(unsent.isEmpty ? -1 : input.writeEnd, .writing),
          .init(noticesInterruption ? interruption.descriptor : -1, .reading),
        ], atMost: status == nil ? max(.zero, min(left, pause.next())) : .zero)
      if ready[2] { flush() }
      // Report stderr before stdout, so that messages precede the results they explain.
      if ready[1], let event = try event(&errors.readEnd, ProgramEvent.errors) { return event }
      if ready[0] {
        if let event = try event(&output.readEnd, ProgramEvent.output) { return event }
        if output.readEnd < 0 { return .outputEnded }
      }
      if let status, !ready[0], !ready[1] { return .ended(status: status) }
      if status == nil, child.hasEnded { reap() }
      if status == nil, left <= .zero { return .timeUp }
    }
  }

  func end(grace: Duration) {
    if status == nil {
      child.end(grace: grace, clock: clock)
      status = 128 + SIGKILL
    }
    input.close()
    output.close()
    errors.close()
  }

  /// The descriptors that can become readable; -1 for a closed one.
  var readable: [Int32] { [output.readEnd, errors.readEnd] }

  private func reap() {
    let end = child.reap()
    (status, leftBehind) = (end.status, end.leftBehind)
  }

  private func event(
    _ end: inout Int32, _ make: ([UInt8]) -> ProgramEvent
  ) throws(SystemError) -> ProgramEvent? {
    switch Chunk.read(from: end, call: "read from a program") {
    case .bytes(let bytes): return make(bytes)
    case .end: Pipe.close(&end)
    case .nothing: break
    case .failed(let error): throw error
    }
    return nil
  }

  private func flush() {
    while !unsent.isEmpty, input.writeEnd >= 0 {
      let written = unsent.withUnsafeBytes { write(input.writeEnd, $0.baseAddress, $0.count) }
      if written >= 0 {
        unsent = unsent.dropFirst(written)
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        // The program no longer reads. Its output reports whether it has ended.
        unsent = []
        Pipe.close(&input.writeEnd)
      }
    }
    if closesInput { Pipe.close(&input.writeEnd) }
  }
}

#if canImport(Glibc)
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
      var pause = PollPause()
      while !hasEnded, clock.monotonic() < deadline { Readiness.wait(for: [], atMost: pause.next()) }
    }
  }
#else
  /// A program that leads a process group. On this system, a descendant that leaves the group outlives the program, and
  /// resource limits are not set.
  struct SupervisedProgram {
    private let child: Child

    /// Starts the program with these streams and no other descriptors.
    init(_ start: ProgramStart, input: Int32, output: Int32, errors: Int32) throws(SystemError) {
      child = Child(
        id: try Spawn(
          program: start.path, arguments: [start.path] + start.arguments, attachment: .ownGroup, input: input,
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
