import Foundation
import Support
import Testing

/// The example of a partner's server in `Examples/service`, as a process that runs until the object is released.
final class PartnerServer {
  static let folder = Checkout.path("Examples/service")
  static let definition = "\(folder)/definition.json"
  static let serviceKey = "lampost-demo-key"
  static let clientSecret = "lampost-demo-secret"

  let url: String
  private let running: Running

  init(_ options: [String] = []) throws {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let words = ["/usr/bin/env", "python3", "-B", "\(Self.folder)/service.py", "--stop-with-stdin"] + options
    running = try Running(words, environment: ["PATH": path, "LC_ALL": "C.UTF-8"])
    let line = running.read(until: "\n")
    guard let url = line.dropLast().split(separator: " ").last, url.hasPrefix("http://") else {
      throw Failed(words: "the server did not start: \(line)\(running.readToEnd(running.errors))")
    }
    self.url = String(url)
  }

  struct Failed: Error { var words: String }

  deinit {
    running.endInput()
    running.wait()
  }

  /// The rules that `--break` accepts. Rules with an asterisk concern the sign-in of users.
  static let rules: [(name: String, needsSignIn: Bool)] = {
    let outcome = try? Tool("python3")?.run(["-B", "\(folder)/service.py", "--list-rules"], in: ScratchFolder())
    return (outcome?.output ?? "").split(separator: "\n").compactMap { line in
      guard let word = line.split(separator: " ").first else { return nil }
      return (String(word.filter { $0 != "*" }), word.hasSuffix("*"))
    }
  }()

  /// The definition for a server without sign-in.
  static func definitionWithoutSignIn(in folder: TemporaryFolder) throws -> String {
    let text = try String(contentsOfFile: definition, encoding: .utf8)
    return folder.write("definition.json", text.replacingOccurrences(of: "oauth2", with: "none"))
  }

  /// Do what a person's browser does with a URL, and follow redirects.
  static func browse(_ url: String) throws {
    let outcome = try Tool.required("curl").run(["-sS", "-L", "-o", "/dev/null", url], in: ScratchFolder())
    #expect(outcome.status == 0, "\(outcome.errors)")
  }
}
