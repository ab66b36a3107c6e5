import Foundation

/// Finds the programs that were built together with the tests.
package enum BuiltProduct {
  /// `IFTTT_BINARY` names another `ifttt` to test, such as the release build.
  package static func path(_ name: String) -> String {
    if name == "ifttt", let binary = ProcessInfo.processInfo.environment["IFTTT_BINARY"] { return binary }
    // On Linux the tests are a program beside the others; on macOS a bundle beside them, named as an argument.
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
    let tests = URL(fileURLWithPath: bundle)
    let parts = tests.pathComponents
    guard let inside = parts.firstIndex(where: { $0.hasSuffix(".xctest") }) else {
      return tests.deletingLastPathComponent().appendingPathComponent(name).path
    }
    return URL(fileURLWithPath: NSString.path(withComponents: Array(parts[..<inside])))
      .appendingPathComponent(name).path
  }
}
