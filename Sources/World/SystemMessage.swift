#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension SystemError {
  /// The error that the last failed system call of this thread left in `errno`.
  static func last(_ call: String) -> SystemError { SystemError(number: errno, call: call) }

  /// The system's own words for a number of `errno`.
  package static func message(for number: Int32) -> String {
    number == notRegular ? "not a regular file" : String(cString: strerror(number))
  }
}
