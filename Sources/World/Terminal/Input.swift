/// The stdin of the program.
package protocol Input: AnyObject {
  /// Readable while input is available; -1 if input is always available.
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
