#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension SystemError {
  static func message(for number: Int32) -> String {
    String(cString: strerror(number))
  }
}
