#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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
    Pipe.unblock(childInput.writeEnd)
    Pipe.unblock(childOutput.readEnd)
  }

  /// Starts the child on the other ends of the pipes.
  /// - Parameter environment: The variables as `NAME=value`; nil to inherit this program's environment, for commands
  ///   that the user could have started directly.
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

  /// Transfers whatever is ready, waiting at most `limit` or until `other` is readable.
  mutating func exchange(atMost limit: Duration, orUntil other: Int32) throws(SystemError) {
    let ready = Readiness.wait(
      for: [.init(childOutput.readEnd, .reading), .init(childInput.writeEnd, .writing), .init(other, .reading)],
      atMost: limit)
    if ready[0] { try receive() }
    if ready[1] { try send() }
  }

  /// Reads what is left in the pipe of a child that has exited.
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
