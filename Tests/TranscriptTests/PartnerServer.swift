import Foundation
import Support
import Testing

/// The partner service of `Examples/service`, until the object is released.
final class PartnerServer {
  let url: String
  static let key = "lampost-demo-key"
  private let running: Running

  static let isAvailable = Tool.isInstalled("python3") && Tool.isInstalled("curl")

  init(_ options: String...) throws {
    let program = Checkout.path("Examples/service/service.py")
    running = try Running(
      [Tool.required("python3").path, "-B", program, "--stop-with-stdin"] + options,
      environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
    let line = running.read(until: "\n")
    let address = line.split(separator: " ").last.map { $0.trimmingCharacters(in: .newlines) }
    url = try #require(address, "the service did not start: \(running.readToEnd(running.errors))")
  }

  deinit {
    running.endInput()
    running.wait()
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
    let setup = try Self.curl("-X", "POST", "-H", "IFTTT-Service-Key: \(Self.key)", "\(url)/ifttt/v1/test/setup")
    let body = try JSONSerialization.jsonObject(with: Data(setup.utf8)) as? [String: Any]
    return try #require((body?["data"] as? [String: Any])?["accessToken"] as? String)
  }
}
