import Foundation
import Support
import Testing

/// The built program as the completion scripts find it: in a folder of the search path and with its own home. Every
/// base URL and proxy points to a server that detects connections, and all errors are recorded.
struct CompletionProgram {
  private let folder: ScratchFolder
  private let detector: ConnectionDetector
  /// The folder for the search path.
  var path: String { folder.path }
  var home: String { folder.path + "/home" }

  init() throws {
    folder = try ScratchFolder()
    detector = try ConnectionDetector()
    let bases = ["CONNECT", "LOCATION", "API", "WEB", "REALTIME", "WEBHOOKS"].map { "IFTTT_\($0)_URL" }
    let addresses = (bases + ["HTTPS_PROXY", "HTTP_PROXY"]).map { "export \($0)='\(detector.address)'\n" }.joined()
    try folder.write(
      """
      #!/bin/sh
      export IFTTT_HOME='\(folder.path)/home'
      \(addresses)
      '\(BuiltProduct.path("ifttt"))' "$@" 2>>'\(folder.path)/complaints'
      status=$?
      [ "$status" = 0 ] || echo "exit code $status: $*" >>'\(folder.path)/complaints'
      exit "$status"
      """, to: "ifttt", isExecutable: true)
  }

  /// Runs the program and returns its stdout.
  @discardableResult
  func run(_ arguments: String...) throws -> String {
    let tool = try #require(Tool(path: path + "/ifttt"))
    return try tool.run(arguments, in: folder).output
  }

  /// All output to stderr so far, and every exit code other than 0.
  var complaints: String { (try? String(contentsOfFile: folder.path + "/complaints", encoding: .utf8)) ?? "" }

  var hasUsedNetwork: Bool { detector.hasConnection }
}
