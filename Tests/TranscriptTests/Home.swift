import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A user's home folder, and the built program run with it.
final class Home {
  let folder = TemporaryFolder()
  /// The working folder of the program, so that a bare name refers to a file in it.
  let workplace = TemporaryFolder()
  var environment: [String: String]
  static let program = BuiltProduct.path("ifttt")

  struct Outcome {
    /// The exit status, or the negative signal number.
    var status: Int32
    var output: [UInt8]
    var errors: String
    var text: String { String(decoding: output, as: UTF8.self) }

    /// The `code` of the single error line in JSON output.
    var code: String? {
      let line = errors.split(separator: "\n").last.map(String.init) ?? ""
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return (object?["error"] as? [String: Any])?["code"] as? String
    }
  }

  init(_ server: Server? = nil, _ environment: [String: String] = [:]) {
    let base = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "IFTTT_HOME": folder.path]
    self.environment = base.merging(server?.environment ?? [:]) { $1 }.merging(environment) { $1 }
  }

  /// Run the program and wait for it to exit.
  /// - Parameters:
  ///   - more: Variables in addition to the home's own.
  ///   - output: The file for stdout, instead of returning it.
  func run(
    _ words: [String], _ more: [String: String] = [:], input: String? = nil, output: String? = nil
  ) throws -> Outcome {
    try run(bytes: words.map { Array($0.utf8) }, more, input: input, output: output)
  }

  func run(_ words: String...) throws -> Outcome { try run(words) }

  func run(
    bytes words: [[UInt8]], _ more: [String: String] = [:], input: String? = nil, output: String? = nil
  ) throws -> Outcome {
    // Use files instead of pipes, because a pipe that is not read would block the program. The files are outside of
    // its own folder, which it may not be able to use.
    let streams = TemporaryFolder()
    let paths = [
      input.map { streams.write("in", $0) } ?? "/dev/null", output ?? streams.write("out", ""),
      streams.write("err", ""),
    ]
    let variables = environment.merging(more) { $1 }
    let id = try spawn([Array(Self.program.utf8)] + words, environment: variables, folder: workplace.path) { actions in
      for (target, path) in paths.enumerated() {
        posix_spawn_file_actions_addopen(&actions, Int32(target), path, target == 0 ? O_RDONLY : O_WRONLY, 0)
      }
    }
    let status = exitStatus(of: id)
    let written = output == nil ? FileManager.default.contents(atPath: paths[1]) ?? Data() : Data()
    return Outcome(status: status, output: Array(written), errors: streams.text("err") ?? "")
  }

  /// Start the program with pipes.
  func start(_ words: [String], _ more: [String: String] = [:]) throws -> Running {
    try Running([Self.program] + words, environment: environment.merging(more) { $1 })
  }

  func start(onTerminal words: [String], _ more: [String: String] = [:]) throws -> Running {
    try Running(onTerminal: [Self.program] + words, environment: environment.merging(more) { $1 })
  }

  /// Run a script of `PrivateDisk` on this home, with the credentials of a service and an access token.
  /// - Returns: The lines of its output, followed by those of its errors, each with the prefix "! ".
  func run(onPrivateDisk script: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> [String] {
    let tokens = ["IFTTT_USER_ID": Known.user, "IFTTT_ACCESS_TOKEN": Known.accessToken]
    let outcome = try PrivateDisk.run(
      script, home: folder.path, program: Self.program, environment: environment.merging(tokens) { $1 })
    #expect(!outcome.errors.contains("mount"), "\(outcome.errors)", sourceLocation: sourceLocation)
    // SQLite's message for an error code that it no longer has.
    #expect(!outcome.errors.contains("not an error"), "\(outcome.errors)", sourceLocation: sourceLocation)
    return outcome.output.split(separator: "\n").map(String.init)
      + outcome.errors.split(separator: "\n").map { "! \($0)" }
  }

  func keepUserToken(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let outcome = try run(["token", "set", "--user-token-file", "-"], input: Known.userToken + "\n")
    #expect(outcome.status == 0, sourceLocation: sourceLocation)
  }

  /// Whether the store and every encrypted row in it are intact.
  func isIntact() throws -> Bool { try run("store", "check").status == 0 }

  /// The ids of the tracked connections in the cache.
  func tracked() throws -> [String] {
    let listing = try run("connections", "list", "--offline", "--fields", "id", "-o", "tsv", "--no-header")
    return listing.text.split(separator: "\n").map(String.init)
  }
}
