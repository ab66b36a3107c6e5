import CChildProgram
package import Foundation

/// An installed program that a test runs.
package struct Tool: Sendable {
  package let path: String

  /// Find a program by name, or return nil if it is not on PATH.
  package init?(_ name: String) {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let found = folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let found else { return nil }
    path = found
  }

  /// Use the program at a path, or return nil if the file is not executable.
  package init?(path: String) {
    guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
    self.path = path
  }

  package static func isInstalled(_ name: String) -> Bool { Tool(name) != nil }

  /// The tool, or an error that names it, for tests that are skipped without the tool.
  package static func required(_ name: String) throws -> Tool {
    guard let tool = Tool(name) else { throw MissingTool(name: name) }
    return tool
  }

  package struct MissingTool: Error { package let name: String }

  package struct Outcome: Sendable, Equatable {
    package let status: Int32
    package let output: String
    package let errors: String
    package init(status: Int32, output: String = "", errors: String = "") {
      (self.status, self.output, self.errors) = (status, output, errors)
    }
  }

  /// Run the tool in `folder` and wait for it to exit. Only `PATH` is inherited from the test's environment.
  package func run(
    _ arguments: [String], in folder: ScratchFolder, environment: [String: String] = [:], input: String = ""
  ) throws -> Outcome {
    let name = UUID().uuidString
    let own = ProcessInfo.processInfo.environment
    let base = ["PATH": own["PATH"] ?? "", "TMPDIR": folder.path, "HOME": folder.path, "LC_ALL": "C.UTF-8"]
    // Use files instead of pipes, because a pipe that is not read would block the program.
    let streams = try ["in", "out", "err"].map { try folder.write($0 == "in" ? input : "", to: "\(name).\($0)") }
    let status = try ChildProgram(
      [path] + arguments, environment: base.merging(environment) { $1 }, folder: folder.path,
      input: .file(streams[0].path), output: .file(streams[1].path), errors: .file(streams[2].path)
    ).wait()
    let texts = try streams.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    for stream in streams { try FileManager.default.removeItem(at: stream) }
    return Outcome(status: status, output: texts[1], errors: texts[2])
  }
}

/// A folder that is removed when the test releases it.
package final class ScratchFolder: Sendable {
  package let url: URL
  package var path: String { url.path }

  package init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("ifttt-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// Creates a copy of another folder.
  package init(copying other: ScratchFolder) throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("ifttt-\(UUID().uuidString)")
    try FileManager.default.copyItem(at: other.url, to: url)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Write a file, and create its parent folders.
  @discardableResult package func write(_ text: String, to name: String, isExecutable: Bool = false) throws -> URL {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    if isExecutable {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
      _ = child_program_wait_for_writers(file.path)
    }
    return file
  }
}
