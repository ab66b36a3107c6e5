#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension SystemError {
  /// The error of this thread's last failed system call, from `errno`.
  static func last(_ call: String) -> SystemError { SystemError(number: errno, call: call) }

  /// The system's message for an `errno` value.
  package static func message(for number: Int32) -> String {
    number == notRegular ? "not a regular file" : String(cString: strerror(number))
  }
}
