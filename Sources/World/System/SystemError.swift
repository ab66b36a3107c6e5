#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A failed system call.
package struct SystemError: Error, Equatable, CustomStringConvertible {
  package let number: Int32
  package let call: String
  /// The exit status of a program that started and failed; nil for a failed system call.
  package private(set) var exitStatus: Int32?
  package init(number: Int32, call: String) { (self.number, self.call) = (number, call) }
  /// - Parameter exitStatus: A nonzero exit status; 128 + the signal number for a program ended by a signal.
  package init(exitStatus: Int32, of program: String) {
    (number, call, self.exitStatus) = (0, program, exitStatus)
  }
  /// The number for a file that is neither regular nor a link to a regular file. No system call uses it.
  package static let notRegular: Int32 = -1
  package var isNotRegular: Bool { number == Self.notRegular }
  /// Whether a file or the output of a program is larger than the limit.
  package var isTooLarge: Bool { number == EFBIG }
  /// The system call or program, with the system's message for the number or the exit status.
  package var description: String {
    exitStatus.map { "\(call): exit status \($0)" } ?? "\(call): \(SystemError.message(for: number))"
  }
}

extension SystemError {
  /// The error of this thread's last failed system call, from `errno`.
  static func last(_ call: String) -> SystemError { SystemError(number: errno, call: call) }

  /// The system's message for an `errno` value.
  package static func message(for number: Int32) -> String {
    number == notRegular ? "not a regular file" : String(cString: strerror(number))
  }
}
