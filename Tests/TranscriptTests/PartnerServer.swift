import Foundation
import Support
import Testing

/// The example of a partner's server in `Examples/service`, as a process that runs until the object is released.
///
/// No lock is needed: tests that share a server only send it requests.
final class PartnerServer: @unchecked Sendable {
  static let folder = Checkout.path("Examples/service")
  static let definition = "\(folder)/definition.json"
  static let serviceKey = "lampost-demo-key"
  static let clientSecret = "lampost-demo-secret"
  static let isAvailable = Tool.isInstalled("python3") && Tool.isInstalled("curl")

  let url: String
  private let running: Running

  init(_ options: [String] = []) throws {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let words = Python.command("\(Self.folder)/service.py", ["--stop-with-stdin"] + options)
    running = try Running(words, environment: ["PATH": path, "LC_ALL": "C.UTF-8"])
    let line = running.read(until: "\n")
    guard let url = line.dropLast().split(separator: " ").last, url.hasPrefix("http://") else {
      throw Failed(reason: "the server did not start: \(line)\(running.readToEnd(running.errors))")
    }
    self.url = String(url)
  }

  struct Failed: Error { var reason: String }

  deinit {
    running.endInput()
    running.wait()
  }
}

// MARK: Rules

extension PartnerServer {
  /// The rules that `--break` accepts. Rules with an asterisk concern the sign-in of users.
  static let rules: [(name: String, needsSignIn: Bool)] = {
    let words = Python.arguments + ["\(folder)/service.py", "--list-rules"]
    let outcome = try? Tool("python3")?.run(words, in: ScratchFolder())
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
}

// MARK: Requests

extension PartnerServer {
  /// Do what a person's browser does with a URL, and follow redirects.
  static func browse(_ url: String) throws {
    let outcome = try Tool.required("curl").run(["-sS", "-L", "-o", "/dev/null", url], in: ScratchFolder())
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  /// The body of the response to a request.
  @discardableResult
  static func curl(_ words: String...) throws -> String {
    let outcome = try Tool.required("curl").run(
      ["--silent", "--show-error", "--max-time", "600"] + words, in: ScratchFolder())
    try #require(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }

  /// The `data` of an endpoint that shows the state, such as `/scenes`.
  func shown(_ path: String) throws -> [[String: Any]] {
    let body = try JSONSerialization.jsonObject(with: Data(Self.curl(url + path).utf8)) as? [String: Any]
    return try #require(body?["data"] as? [[String: Any]])
  }

  /// Switch a lamp on, which is a new event.
  func press(_ lamp: String) throws { try Self.curl("--fail", "-X", "POST", "\(url)/lamps/\(lamp)/on") }

  /// The webhooks it received, such as `connection/enabled`.
  func webhooks() throws -> [String] {
    try shown("/webhooks").map { "\($0["type"] as? String ?? "")/\($0["event"] as? String ?? "")" }
  }

  /// A token of its user.
  func accessToken() throws -> String {
    let setup = try Self.curl("-X", "POST", "-H", "IFTTT-Service-Key: \(Self.serviceKey)", "\(url)/ifttt/v1/test/setup")
    let body = try JSONSerialization.jsonObject(with: Data(setup.utf8)) as? [String: Any]
    return try #require((body?["data"] as? [String: Any])?["accessToken"] as? String)
  }

  /// A refresh token of its user, from a sign-in without a browser. The server must run with `--auto-allow`.
  func refreshToken() throws -> String {
    let redirect = "http://127.0.0.1:1/callback"
    let query = "client_id=ifttt&response_type=code&scope=ifttt&state=s&redirect_uri=\(redirect)"
    let location = try Self.curl(
      "--output", "/dev/null", "--write-out", "%{redirect_url}", "\(url)/oauth/authorize?\(query)")
    let code = try #require(
      URLComponents(string: location)?.queryItems?.first { $0.name == "code" }?.value, "\(location)")
    let text = try Self.curl(
      "--data",
      "grant_type=authorization_code&code=\(code)&client_id=ifttt&client_secret=\(Self.clientSecret)&redirect_uri=\(redirect)",
      "\(url)/oauth/token")
    let tokens = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    return try #require(tokens?["refresh_token"] as? String, "\(text)")
  }
}
