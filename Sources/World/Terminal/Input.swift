#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The stdin of the program.
package protocol Input: AnyObject {
  /// The descriptor that is readable while input is available; -1 if input is always available.
  var descriptor: Int32 { get }
  /// Reads everything to the end, at most `limit` bytes.
  func readAll(limit: Int) throws(InputError) -> [UInt8]
  /// Returns bytes as soon as any arrive; empty at the end of input.
  func readSome() throws(InputError) -> [UInt8]
  /// Reads one line without its line ending; nil at the end of input.
  func readLine() throws(InputError) -> String?
  /// Reads one line from the terminal without echo. The echo is restored in all cases.
  /// - Parameter prompt: Shows the prompt. It is called once the echo is off, because a program that controls this one
  ///   may respond as soon as it sees the prompt.
  func readSecret(prompt: () -> Void) throws(InputError) -> String?
  /// Waits for the first of several events.
  /// - Parameters:
  ///   - descriptor: The descriptor of a ``Mailbox`` whose messages end the wait; -1 for none.
  ///   - expectsInput: Whether input, or the end of input, ends the wait.
  /// - Throws: ``InputError/interrupted``.
  func wait(for descriptor: Int32, expectsInput: Bool, atMost limit: Duration) throws(InputError) -> WakeReason
  /// Discards type-ahead at a terminal, so that it cannot respond to a prompt that was not yet shown. Has no effect
  /// on a pipe.
  func discardTypeAhead()
}

extension Input {
  package var descriptor: Int32 { -1 }

  /// Whether ``readSome()`` returns at once.
  package var isReadable: Bool {
    descriptor < 0 || Readiness.wait(for: [.init(descriptor, .reading)], atMost: .zero)[0]
  }
}

/// The event that ended a wait.
package enum WakeReason: Sendable, Equatable { case message, input, timeUp }

package enum InputError: Error, Equatable {
  case interrupted
  case tooLong(limit: Int)
  case notUTF8
  case system(SystemError)
}

/// A stdin whose reads can be interrupted.
package final class LiveInput: Input {
  /// The maximum length of a line that ``readLine()`` and ``readSecret(prompt:)`` accept, in bytes.
  package static let lineLimit = 1 << 20

  package let descriptor: Int32
  private let interruption: any Interruption
  /// Bytes that were read but not yet returned: those after the last line.
  private var pending: ArraySlice<UInt8> = []
  /// The line being typed while the program also waits for other events.
  private var typed = LineEditor()

  package init(descriptor: Int32 = STDIN_FILENO, interruption: any Interruption) {
    (self.descriptor, self.interruption) = (descriptor, interruption)
  }

  package func readAll(limit: Int) throws(InputError) -> [UInt8] {
    var bytes = pending
    pending = []
    while bytes.count <= limit, try readMore(into: &bytes, from: descriptor) {}
    guard bytes.count <= limit else { throw .tooLong(limit: limit) }
    return Array(bytes)
  }

  package func readSome() throws(InputError) -> [UInt8] {
    var bytes = pending
    pending = []
    if bytes.isEmpty, typed.hasEnded {
      typed = LineEditor()
      return []
    }
    if bytes.isEmpty { _ = try readMore(into: &bytes, from: descriptor) }
    return Array(bytes)
  }

  package func readLine() throws(InputError) -> String? {
    try line(from: descriptor)
  }

  package func readSecret(prompt: () -> Void) throws(InputError) -> String? {
    guard isatty(descriptor) == 1 else {
      let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
      guard terminal >= 0 else { throw .system(.last("open /dev/tty")) }
      defer { close(terminal) }
      let pendingInput = pending
      pending = []
      defer { pending = pendingInput }
      return try secret(from: terminal, prompt)
    }
    return try secret(from: descriptor, prompt)
  }

  package func wait(
    for messages: Int32, expectsInput: Bool, atMost limit: Duration
  ) throws(InputError) -> WakeReason {
    let clock = LiveClock(interruption: interruption)
    let end = clock.monotonic() + limit
    while expectsInput, pending.isEmpty, !typed.hasEnded, LineEditor.canEdit(descriptor) {
      if let wakeReason = try waitForTyping(or: messages, until: end, clock) { return wakeReason }
    }
    while true {
      guard !interruption.isInterrupted else { throw .interrupted }
      let hasInput = expectsInput && (!pending.isEmpty || typed.hasEnded)
      let left = end - clock.monotonic()
      let ready = Readiness.wait(
        for: [
          .init(messages, .reading), .init(expectsInput ? descriptor : -1, .reading),
          .init(interruption.descriptor, .reading),
        ], atMost: hasInput ? .zero : max(.zero, left))
      if ready[2] { continue }
      if ready[0] { return .message }
      if ready[1] || hasInput { return .input }
      if left <= .zero { return .timeUp }
    }
  }

  package func discardTypeAhead() {
    guard isatty(descriptor) == 1 else { return }
    (pending, typed) = ([], LineEditor())
    tcflush(descriptor, TCIFLUSH)
  }

  /// Waits as ``wait(for:expectsInput:atMost:)`` does, at a terminal and without its limit on the length of a line.
  /// - Returns: nil after a signal that stopped this process or moved it to the background.
  private func waitForTyping(
    or messages: Int32, until end: Duration, _ clock: LiveClock
  ) throws(InputError) -> WakeReason? {
    guard !interruption.isInterrupted else { throw .interrupted }
    let mode = try NoEchoMode(on: descriptor, deliversCharacters: true)
    let wakeReason = Result { () throws(InputError) in
      try readTyping(or: messages, orUntil: mode.descriptor, until: end, clock)
    }
    let signal = mode.end()
    if signal != 0 { raise(signal) }
    return try wakeReason.get()
  }

  private func readTyping(
    or messages: Int32, orUntil other: Int32, until end: Duration, _ clock: LiveClock
  ) throws(InputError) -> WakeReason? {
    while true {
      let left = end - clock.monotonic()
      let ready = Readiness.wait(
        for: [
          .init(messages, .reading), .init(descriptor, .reading), .init(interruption.descriptor, .reading),
          .init(other, .reading),
        ], atMost: max(.zero, left))
      guard !interruption.isInterrupted else { throw .interrupted }
      if ready[3] { return nil }
      if ready[0] { return .message }
      if ready[1] {
        switch Chunk.read(from: descriptor, call: "read") {
        case .bytes(let bytes):
          let echo = typed.receive(bytes)
          // If the echo cannot be written, ignore it: the typed input is still valid.
          _ = echo.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        case .end: return .input
        case .nothing: continue
        case .failed(let error): throw .system(error)
        }
        pending += typed.takeLines()
        if !pending.isEmpty || typed.hasEnded { return .input }
      } else if left <= .zero {
        return .timeUp
      }
    }
  }

  /// Reads a line without echo. Ctrl-Z, Ctrl-\ and a hang-up take effect only after the echo has been restored. If
  /// the program continues afterward, it waits for the line again.
  private func secret(from terminal: Int32, _ prompt: () -> Void) throws(InputError) -> String? {
    var hasPrompted = false
    while true {
      // Check first: this installs the signal handlers, so no signal can end the program while the echo is off.
      guard !interruption.isInterrupted else { throw .interrupted }
      let mode = try NoEchoMode(on: terminal)
      if !hasPrompted { prompt() }
      hasPrompted = true
      let result = Result { () throws(InputError) in try line(from: terminal, orUntil: mode.descriptor) }
      let signal = mode.end()
      if signal != 0 { raise(signal) }
      if signal == 0 || interruption.isInterrupted || result != .failure(.interrupted) { return try result.get() }
    }
  }

  private func line(from descriptor: Int32, orUntil other: Int32 = -1) throws(InputError) -> String? {
    var searched = 0
    while true {
      if let end = pending.dropFirst(searched).firstIndex(of: UInt8(ascii: "\n")) {
        defer { pending = pending[(end + 1)...] }
        return try Self.text(pending[..<end])
      }
      searched = pending.count
      guard searched <= Self.lineLimit else { throw .tooLong(limit: Self.lineLimit) }
      guard try readMore(into: &pending, from: descriptor, orUntil: other) else { break }
    }
    guard !pending.isEmpty else { return nil }
    defer { pending = [] }
    return try Self.text(pending)
  }

  /// Returns the line without a trailing carriage return.
  private static func text(_ line: ArraySlice<UInt8>) throws(InputError) -> String {
    let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    let text = String(decoding: line, as: UTF8.self)
    // Decoding repairs invalid UTF-8, but a token or an id must not be changed silently.
    guard text.utf8.elementsEqual(line) else { throw .notUTF8 }
    return text
  }

  /// Returns false at the end of input.
  private func readMore(
    into bytes: inout ArraySlice<UInt8>, from descriptor: Int32, orUntil other: Int32 = -1
  ) throws(InputError) -> Bool {
    while true {
      let ready = Readiness.wait(
        for: [.init(descriptor, .reading), .init(interruption.descriptor, .reading), .init(other, .reading)],
        atMost: nil)
      if ready[1] || ready[2] || interruption.isInterrupted { throw .interrupted }
      guard ready[0] else { continue }
      switch Chunk.read(from: descriptor, call: "read") {
      case .bytes(let more):
        bytes += more
        return true
      case .end: return false
      case .nothing: continue
      case .failed(let error): throw .system(error)
      }
    }
  }
}
