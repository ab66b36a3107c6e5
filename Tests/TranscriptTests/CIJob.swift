import Foundation
import Support
import Testing

/// A release for the CI examples: an archive of the built program with the name that they use, and its checksum.
struct LocalRelease {
  private let folder: ScratchFolder
  let checksum: String

  static let name = "ifttt-0.1.0-linux-x86_64"
  /// Packed once, because the program is large.
  static let shared = Result { try LocalRelease() }

  var archive: String { "\(folder.path)/\(Self.name).tar.gz" }
  /// The URL that takes the place of the release's page.
  var url: String { "file://\(folder.path)" }
  /// The texts of an example that a user replaces too.
  var replacements: [String: String] {
    ["https://github.com/OWNER/ifttt/releases/download/v0.1.0": url, "CHECKSUM ": "\(checksum) "]
  }

  private init() throws {
    folder = try ScratchFolder()
    let script = """
      set -eu
      mkdir -p \(Self.name)/bin
      cp -L "$1" \(Self.name)/bin/ifttt
      tar -cf - \(Self.name) | gzip -1 >\(Self.name).tar.gz
      rm -r \(Self.name)
      sha256sum \(Self.name).tar.gz | tee SHA256SUMS
      """
    let outcome = try Tool.required("bash").run(["-c", script, "bash", Home.program], in: folder)
    checksum = String(outcome.output.prefix { $0 != " " })
    try #require(outcome.status == 0 && checksum.utf8.count == 64, "\(outcome.errors)")
  }
}

/// A job of a CI example, whose steps run as GitHub's or GitLab's runner runs them (packaging/release/tests/jobs.py).
///
/// No containers are started: a job's image is this machine, and a service is the program itself.
struct CIJob {
  enum Engine: String { case github, gitlab }

  struct Outcome {
    /// Whether all steps succeeded.
    let succeeds: Bool
    /// The names of the steps that ran; GitHub only.
    let steps: [String]
    let log: String
    /// The job summary; GitHub only.
    let summary: String
    /// The folder of the job, with its files.
    let workspace: String

    func file(_ name: String) -> String? { try? String(contentsOfFile: "\(workspace)/\(name)", encoding: .utf8) }
  }

  static let hasYAML =
    Tool("python3").flatMap { try? $0.run(["-c", "import yaml"], in: ScratchFolder()).status } == 0

  let engine: Engine
  let file: String
  let job: String
  /// Texts of the file, and what takes their place.
  var replacements: [String: String] = [:]
  /// The values of expressions; GitHub only.
  var values: [String: String] = [:]
  /// The workspace of the job that this one needs; GitLab only.
  var needed: String?

  init(_ engine: Engine, _ file: String, _ job: String) {
    (self.engine, self.file, self.job) = (engine, file, job)
  }

  /// - Parameters:
  ///   - folder: has the files of the repository in `checkout`, and stand-ins for other programs in `bin`.
  func run(in folder: ScratchFolder, _ environment: [String: String] = [:]) throws -> Outcome {
    let release = try LocalRelease.shared.get()
    let jobFolder = "\(folder.path)/job-\(UUID().uuidString)"
    var settings: [String: Any] = [
      "folder": jobFolder, "checkout": "\(folder.path)/checkout", "replace": replacements, "values": values,
      "action": Checkout.path("."), "archive": release.archive,
    ]
    settings["needs"] = needed
    let text = String(decoding: try JSONSerialization.data(withJSONObject: settings), as: UTF8.self)
    let path = "\(folder.path)/bin:\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
    let outcome = try Tool.required("python3").run(
      Python.arguments + [
        Checkout.path("packaging/release/tests/jobs.py"), engine.rawValue, "\(folder.path)/checkout/\(file)", job, text,
      ],
      in: folder, environment: ["PATH": path, "IFTTT_HOME": "\(folder.path)/home"].merging(environment) { $1 })
    try #require(outcome.status == 0, "\(outcome.errors)\(outcome.output)")
    let result = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    return Outcome(
      succeeds: result["status"] as? String == "success", steps: result["steps"] as? [String] ?? [],
      log: result["log"] as? String ?? "", summary: result["summary"] as? String ?? "",
      workspace: "\(jobFolder)/workspace")
  }
}
