import HTTP
import JSON
import Sandbox
import World

/// The contents of a sandbox that are accepted are the same when they are written and read again, and every page and
/// list of them can be served.
enum SeedProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    guard let seed = try? SandboxSeed(parsing: bytes) else { return nil }
    let written = seed.json
    guard let again = try? SandboxSeed(parsing: written.bytes) else { return "a seed that cannot be read again" }
    guard again.json == written else { return "a seed that changes" }
    var emulator = Emulator(state: .seed, seed: seed)
    for target in targets(of: written) {
      var headers = [Header("Host", "127.0.0.1")]
      if let credentials = seed.credentials {
        headers.append(Header("IFTTT-Service-Key", credentials.serviceKey))
        if let user = credentials.user { headers.append(Header("Authorization", "Bearer \(user.userToken)")) }
      }
      guard let request = Request(receivedMethod: "GET", target: target, headers: headers, body: []) else { continue }
      let response = emulator.response(to: request, target: target, at: Timestamp(milliseconds: 1_800_000_000_000))
      if let problem = SandboxProperties.problem(of: response) { return "\(target): \(problem)" }
    }
    return nil
  }

  private static func targets(of seed: JSONValue) -> [String] {
    func ids(_ key: String) -> [String] { (seed[key]?.array ?? []).prefix(5).compactMap { $0["id"]?.string } }
    return ["/v2/me", "/v1/me"]
      + ids("connections").flatMap { ["/v2/connections/\($0)", "/connections/\($0)", "/connect/\($0)"] }
      + ids("services").flatMap { ["/v1/services/\($0)/applets", "/\($0)"] } + ids("applets").map { "/applets/\($0)" }
  }
}
