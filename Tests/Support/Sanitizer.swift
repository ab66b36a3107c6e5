import Foundation

/// The sanitizer that the tests and the program are built with.
package enum Sanitizer: String {
  case address, thread

  /// Nil for an ordinary build.
  package static let active = ProcessInfo.processInfo.environment["IFTTT_SANITIZER"].flatMap(Self.init)
}
