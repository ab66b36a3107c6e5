#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// This program's side of a child's standard input and output, both served at once so that neither fills up.
struct ChildStreams {
  /// What the child has written so far.
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
    Pipe.unblock(childInput.writeEnd)
    Pipe.unblock(childOutput.readEnd)
  }

  /// Starts the child on the other ends.
  /// - Parameter environment: `NAME=value`; nil for this program's own, as for a program that the user might have started.
  mutating func start(_ arguments: [String], environment: [String]?) throws(SystemError) -> pid_t {
    let child = try Spawn(
      arguments: arguments, place: .ownGroup, input: childInput.readEnd, output: childOutput.writeEnd,
      environment: environment, closesOthers: environment != nil
    ).start()
    Pipe.close(&childInput.readEnd)
    Pipe.close(&childOutput.writeEnd)
    if rest.isEmpty { Pipe.close(&childInput.writeEnd) }
    return child
  }

  /// Moves what can be moved now, waiting for it no longer than `limit` or until `other` is readable.
  mutating func exchange(atMost limit: Duration, orUntil other: Int32) throws(SystemError) {
    let ready = Readiness.wait(
      for: [.init(childOutput.readEnd, .reading), .init(childInput.writeEnd, .writing), .init(other, .reading)],
      atMost: limit)
    if ready[0] { try receive() }
    if ready[1] { try send() }
  }

  /// Takes what is still in the pipe of a child that has ended.
  mutating func drain() throws(SystemError) {
    while childOutput.readEnd >= 0, try receive() {}
  }

  mutating func close() {
    childInput.close()
    childOutput.close()
  }

  /// False where there was nothing to receive.
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
      // A program need not read its input.
      rest = []
    } else if errno != EINTR && errno != EAGAIN {
      throw .last("write to a program")
    }
    if rest.isEmpty { Pipe.close(&childInput.writeEnd) }
  }
}
