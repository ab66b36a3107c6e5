import World

/// Waits for messages of a redirect listener and for pasted lines, whichever comes first.
package struct RedirectWait<Message: Sendable> {
  /// What ended a wait.
  enum Event {
    case message(Message)
    /// A line of typed or piped input.
    case line(String)
  }

  /// The maximum length of a line, in bytes. No redirect URL is longer; longer input comes from something else.
  private static var longestLine: Int { 64 * 1024 }

  private let session: Session
  private let listener: RedirectListener<Message>?
  private var takesInput: Bool
  private var input: [UInt8] = []

  init(on listener: RedirectListener<Message>?, takesInput: Bool, in session: Session) {
    (self.listener, self.takesInput, self.session) = (listener, takesInput, session)
  }

  /// Whether an event can still occur.
  var isOpen: Bool { listener != nil || takesInput }

  /// Waits for the next event.
  /// - Parameter deadline: the end of the wait, in monotonic time.
  /// - Returns: nil at the deadline, and possibly earlier.
  mutating func next(until deadline: Duration) throws -> Event? {
    if let line = nextLine() { return .line(line) }
    let awakening = try session.world.input.wait(
      for: listener?.messages.descriptor ?? -1, expectsInput: takesInput,
      atMost: deadline - session.world.clock.monotonic())
    switch awakening {
    case .message: return nextMessage().map { .message($0) }
    case .input:
      let bytes = try session.world.input.readSome()
      input += bytes
      if bytes.isEmpty { takesInput = false }
      return nextLine().map { .line($0) }
    case .timeUp: return nil
    }
  }

  /// A message that has already arrived.
  func nextMessage() -> Message? { listener?.messages.receive() }

  /// The next complete line. The last line may lack its line break.
  private mutating func nextLine() -> String? {
    guard let end = input.firstIndex(of: UInt8(ascii: "\n")) ?? (takesInput ? nil : input.endIndex), !input.isEmpty
    else {
      if input.count > Self.longestLine { (input, takesInput) = ([], false) }
      return nil
    }
    defer { input.removeFirst(min(end + 1, input.count)) }
    return String(decoding: input[..<end], as: UTF8.self)
  }
}
