import Foundation
import Support

/// The Python packages that the tests use as a reference, in a build folder that `script/bootstrap test` fills.
enum PythonTools {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
    .standardizedFileURL
  static let scripts = root.appending(path: "Tests/GrabIDTests/Python")
  static let python = Tool(path: root.appending(path: ".build/oidc/bin/python").path)
  static let requirement = "skipped: needs the Python packages of script/bootstrap test"

  /// The output of a script in `Python/`.
  static func output(of script: String) throws -> Data {
    guard let python else { throw Failed(reason: requirement) }
    let outcome = try python.run([scripts.appending(path: script).path], in: ScratchFolder())
    guard outcome.status == 0 else { throw Failed(reason: outcome.errors) }
    return Data(outcome.output.utf8)
  }

  struct Failed: Error { let reason: String }
}
