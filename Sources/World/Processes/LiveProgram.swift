#if canImport(Glibc)
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
        for place in pipes.indices { pipes[place].close() }
        throw error
      }
      pipes.append(pipe)
    }
    (input, output, errors) = (pipes[0], pipes[1], pipes[2])
    do throws(SystemError) {
      child = try SupervisedProgram(
        start, input: input.readEnd, output: output.writeEnd, errors: errors.writeEnd)
    } catch {
      for place in pipes.indices { pipes[place].close() }
      throw error
    }
    self.interruption = interruption
    clock = LiveClock(interruption: interruption)
    Pipe.close(&input.readEnd)
    Pipe.close(&output.writeEnd)
    Pipe.close(&errors.writeEnd)
    for end in [input.writeEnd, output.readEnd, errors.readEnd] { Pipe.unblock(end) }
  }

  deinit { end(grace: .zero) }

  func send(_ bytes: [UInt8]) {
    guard input.writeEnd >= 0, !closesInput else { return }
    unsent += bytes
    flush()
  }

  func closeInput() {
    closesInput = true
    flush()
  }

  func next(atMost limit: Duration, noticesInterruption: Bool) throws(SystemError) -> ProgramEvent {
    let deadline = clock.monotonic() + limit
    var pause = Backoff()
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
