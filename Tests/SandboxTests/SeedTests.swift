import Foundation
import HTTP
import JSON
import Sandbox
import Testing

/// Seed files: written, read back, and rejected with the location of the error.
@Suite struct SeedTests {
  private static let built = SandboxSeed(.plain).json

  @Test(arguments: BuiltInSeed.allCases) func aBuiltInSeedRoundTrips(_ seed: BuiltInSeed) throws {
    let built = SandboxSeed(seed).json
    let read = try SandboxSeed(parsing: built.bytes)
    var (first, second) = (Emulator(state: SandboxState(seed)), Emulator(state: .seed, seed: read))
    let headers: [[Header]] = [[], [.key], [.token], [.secondToken], [.otherKey], [.otherToken], [.key, .invite]]
    let ids = SandboxFixtures.ownConnectionIDs + [SandboxFixtures.foreignConnectionID, "L0000001"]
    var targets = ids.map { "/v2/connections/\($0)" }
    targets += ["/v2/me", "/v1/services/lampost/applets", "/v1/services/orchard/applets", "/v1/services/none/applets"]
    targets += ["/v2/account/find?email=kai@mail.test", "/v2/account/find?email=no@mail.test"]
    for target in targets {
      for headers in headers {
        let request = request(.get, target, headers, host: "127.0.0.1")
        let responses = (
          first.response(to: request, at: EmulatorSession.now), second.response(to: request, at: EmulatorSession.now)
        )
        #expect(responses.0 == responses.1, "\(target)")
      }
    }
    #expect(read.json["users"] == built["users"] && read.credentials == SandboxSeed(seed).credentials)
  }

  @Test func generatedConnectionsAreNumbered() {
    var seed = SandboxSeed(.unusual)
    seed.generated = 10
    var emulator = Emulator(state: .seed, seed: seed)
    func status(_ id: String) -> Int {
      emulator.response(to: request(.get, "/v2/connections/\(id)", [.token]), at: EmulatorSession.now).status
    }
    #expect(["L0000001", "L0000010", "Kd7Rn2Qx"].map(status) == [200, 200, 200])
    #expect(
      ["L0000000", "L0000011", "L000001", "l0000001", "L00000011", "L+000001"].map(status)
        == [Int](repeating: 404, count: 6))
    let on = emulator.response(to: request(.get, "/v2/connections/L0000002", [.token]), at: EmulatorSession.now).json
    #expect(on["user_status"] == "enabled" && on["name"] == "Load 0000002")
    let off = emulator.response(
      to: request(.post, "/v2/connections/L0000002/disable", [.token]), at: EmulatorSession.now)
    #expect(off.json["user_status"] == "disabled")
  }

  @Test func acceptsAnEmptySeed() throws {
    let seed = try SandboxSeed(parsing: Array(#"{"format":1}"#.utf8))
    #expect(seed.credentials == nil)
    var emulator = Emulator(state: .seed, seed: seed)
    #expect(emulator.response(to: request(.get, "/v2/connections/Kd7Rn2Qx"), at: EmulatorSession.now).status == 404)
  }

  /// A JSON pointer to the replaced value, the new value, and the resulting error.
  @Test(arguments: [
    ("/format", "2", "format is not 1"),
    ("/services/0/id", "\"\"", "services[0].id is empty or contains a space, a slash or a control character"),
    ("/services/1/id", "\"lampost\"", "services[1] repeats an id, key or token of an earlier entry"),
    ("/services/0/platforms", "[\"windows\"]", "services[0].platforms[0] is not one of ios, android"),
    ("/services/1/invite_code", "\"x\"", "services[1].invite_code requires that the service has a key"),
    ("/users/0/service", "\"skyglass\"", "users[0].service is not a service with a key"),
    ("/users/0/login", "7", "users[0].login is not a string"),
    ("/users/1/user_token", "null", "users[1].user_token is missing"),
    ("/connections/0/services/0", "\"nowhere\"", "connections[0].services[0] is not a known service"),
    ("/connections/0/services", "[]", "connections[0].services is empty; the first service is the owner"),
    ("/connections/0/enabled_count", "-1", "connections[0].enabled_count is not a whole number of at least 0"),
    (
      "/connections/0/published_at", "\"yesterday\"",
      "connections[0].published_at is not a time such as 2026-01-31T12:00:00+01:00, with whole hours from UTC"
    ),
    ("/connections/0/published_at", "\"2026-02-30T12:00:00Z\"", "connections[0].published_at is not a time"),
    ("/connections/0/features/0/title", "null", "connections[0].features[0].title is missing"),
    (
      "/connections/0/features/0/fields/0/type", "\"COLOUR\"", "connections[0].features[0].fields[0].type is not one of"
    ),
    (
      "/connections/0/features/0/fields/0/preset", "\"x\"",
      "connections[0].features[0].fields[0].preset is not an object"
    ),
    (
      "/connections/0/features/0/triggers/0/service", "\"x\"",
      "connections[0].features[0].triggers[0].service is not a known service"
    ),
    (
      "/connections/0/users/u-5521/status", "\"on\"",
      "connections[0].users.u-5521.status is not one of enabled, disabled"
    ),
    (
      "/connections/0/users/u-5521/features/0/feature", "\"x\"",
      "connections[0].users.u-5521.features[0].feature is not a feature of this connection"
    ),
    (
      "/connections/0/users/u-5521/features/0/values", "[]",
      "connections[0].users.u-5521.features[0].values has fewer values than there are fields"
    ),
    (
      "/connections/0/users/u-5521/features/0/triggers", "[]",
      "connections[0].users.u-5521.features[0].triggers has fewer entries than the feature"
    ),
    (
      "/connections/0/features/0/triggers/0/validation", "true",
      "connections[0].features[0].triggers[0].validation is not one of contextual"
    ),
    (
      "/connections/0/features/0/actions/0/validation", "\"contextual\"",
      "connections[0].features[0].actions[0].validation is only for triggers"
    ),
    ("/applets/0/users", "{\"nobody\":{}}", "applets[0].users.nobody is not a known user"),
    ("/applets/0/services/0", "\"skyglass\"", "applets[0].services[0] is not a service with a key"),
    ("/accounts", "{}", "accounts is not an array"),
    ("/users/0/email", "\"a b\"", "users[0].email is empty or contains a space or a control character"),
    (
      "/connections/0/features/0/fields/0/options", "[{\"value\":1}]",
      "connections[0].features[0].fields[0].options[0].value is not a string"
    ),
    (
      "/connections/0/features/0/queries/0/rows/0", "{\"a\":{\"type\":\"query\"}}",
      "connections[0].features[0].queries[0].rows[0].a is not a query with \"fields\" and \"data\""
    ),
    (
      "/connections/0/features/0/queries/0/page_size", "0",
      "connections[0].features[0].queries[0].page_size is not from 1 to 100"
    ),
    ("/connections/0/nmae", "1", "connections[0].nmae is not a known key; use one of: id, name,"),
  ])
  func errorsNameTheirLocation(_ pointer: String, _ value: String, _ text: String) throws {
    let parts = pointer.split(separator: "/").map(String.init)
    let changed = Self.replaced(Self.built, parts[...], by: try JSONValue(parsing: Array(value.utf8)))
    let problem = #expect(throws: SeedError.self) { try SandboxSeed(parsing: changed.bytes) }
    #expect(problem?.description.hasPrefix(text) == true, "\(String(describing: problem))")
  }

  @Test(arguments: ["", "[]", "{", "{\"format\":1,\"connectons\":[]}"])
  func rejectsOtherFiles(_ text: String) {
    #expect(throws: SeedError.self) { try SandboxSeed(parsing: Array(text.utf8)) }
  }

  private static func replaced(_ json: JSONValue, _ path: ArraySlice<String>, by value: JSONValue) -> JSONValue {
    guard let first = path.first else { return value }
    switch json {
    case .array(var elements):
      guard let index = Int(first) else { return json }
      elements[index] = replaced(elements[index], path.dropFirst(), by: value)
      return .array(elements)
    case .object(var object):
      object[first] = replaced(object[first] ?? .null, path.dropFirst(), by: value)
      return .object(object)
    default: return value
    }
  }
}
