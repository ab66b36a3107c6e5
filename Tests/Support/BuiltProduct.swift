import Foundation

/// The programs that were built together with the tests.
package enum BuiltProduct {
  /// The path of a built program. `IFTTT_BINARY` selects another `ifttt` to test, such as the release build.
  package static func path(_ name: String) -> String {
    if name == "ifttt", let binary = ProcessInfo.processInfo.environment["IFTTT_BINARY"] { return binary }
    // On Linux, the tests are an executable next to the others. On macOS, they are a bundle next to them, named as an
    // argument.
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
