import Foundation

/// The repository's files.
package enum Checkout {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL

  package static func path(_ path: String) -> String { root.appendingPathComponent(path).path }

  package static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The paths of the files in a folder, sorted.
  package static func files(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path).sorted()
      .map { "\(folder)/\($0)" }
  }

  /// The paths of all Swift files of the program, sorted.
  package static func sources() throws -> [String] {
    let folder = root.appendingPathComponent("Sources").path
    return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }.sorted()
      .map { "Sources/\($0)" }
  }
}
