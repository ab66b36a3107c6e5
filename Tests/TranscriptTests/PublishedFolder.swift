import Foundation
import Support
import Testing

/// A folder with published plugins, an author's sources and keys, and the home of a user who installs them.
final class PublishedFolder {
  let home = Home(nil, ["IFTTT_PROFILE": "sandbox"])
  /// The user's working folder, in which everything is made.
  var folder: TemporaryFolder { home.workplace }
  var site: String { folder["site"] }

  init() {
    home.environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]
    home.environment["TMPDIR"] = folder["tmp"]
    try? FileManager.default.createDirectory(atPath: folder["tmp"], withIntermediateDirectories: false)
  }

  @discardableResult
  func run(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> Home.Outcome {
    try home.run(words)
  }

  /// Run a command that must succeed, and return its output.
  @discardableResult
  func succeed(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
    let outcome = try home.run(words)
    #expect(outcome.status == 0, "\(words): \(outcome.errors)", sourceLocation: sourceLocation)
    return outcome.text
  }

  /// Write the source of the plugin `try`, which prints its version.
  func write(_ version: String, in name: String = "source") throws {
    try FileManager.default.createDirectory(atPath: folder[name], withIntermediateDirectories: true)
    folder.write(
      "\(name)/plugin.json",
      #"{"schema_version":1,"name":"try","version":"\#(version)","summary":"Tries","kind":"command"}"#)
    folder.write("\(name)/ifttt-try", "#!/bin/sh\necho \(version)\n", mode: 0o755)
  }

  /// Publish a version of the plugin `try`.
  func publish(_ version: String, key: String? = nil) throws {
    try write(version)
    let outcome = try home.run(
      ["plugin", "package", "./source", "--directory", "site", "--index", "site/index.json"]
        + (key.map { ["--sign", $0] } ?? []))
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  /// Run a tool in the working folder.
  @discardableResult
  func tool(_ name: String, _ arguments: String..., in subfolder: String = ".") throws -> String {
    let script = "cd \"$1\" && shift && exec \"$@\" 2>&1"
    let scratch = try ScratchFolder()
    let outcome = try Tool.required("sh").run(
      ["-c", script, "sh", folder[subfolder], name] + arguments, in: scratch,
      environment: [
        "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@a.test",
        "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@a.test",
      ])
    #expect(outcome.status == 0, "\(name) \(arguments): \(outcome.output)\(outcome.errors)")
    return outcome.output.trimmingCharacters(in: .newlines)
  }

  /// The files that commands have left in the temporary folder.
  var leftovers: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder["tmp"])) ?? ["?"] }

  func value(_ field: String) throws -> String {
    let text = try succeed("plugin", "show", "try", "-o", "tsv", "--no-header", "--fields", field)
    return text.trimmingCharacters(in: .newlines)
  }
}
