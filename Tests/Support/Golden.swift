import Foundation

/// A committed file with the expected result of a test.
package enum Golden {
  /// The difference between `text` and the file `name` in the folder `Goldens` next to the test, as a failure
  /// message; nil if they are equal. If `RECORD=1` is set in the environment, the file is written instead, unless
  /// `CI` is set.
  package static func difference(_ text: String, from name: String, beside test: String = #filePath) throws -> String? {
    let folder = URL(fileURLWithPath: test).deletingLastPathComponent().appendingPathComponent("Goldens")
    let file = folder.appendingPathComponent(name)
    let environment = ProcessInfo.processInfo.environment
    if environment["RECORD"] == "1", environment["CI"] == nil {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      return nil
    }
    guard let data = FileManager.default.contents(atPath: file.path) else { return "\(name) has not been recorded" }
    let golden = String(decoding: data, as: UTF8.self)
    guard golden != text else { return nil }
    let pairs = zip(golden.components(separatedBy: "\n") + ["end"], text.components(separatedBy: "\n") + ["end"])
    guard let (number, pair) = pairs.enumerated().first(where: { $1.0 != $1.1 }) else { return "\(name) differs" }
    return "\(name), line \(number + 1): recorded \(pair.0.debugDescription), now \(pair.1.debugDescription)"
  }
}
