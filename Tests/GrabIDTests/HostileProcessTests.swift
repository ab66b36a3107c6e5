import Foundation
import JSON
import Support
import Testing

@testable import GrabID

/// The built plugin against a hostile loopback provider: each kind of attack has its code, and nothing is stored.
@Suite(.enabled(if: PythonTools.python != nil, Comment(rawValue: PythonTools.requirement)))
struct HostileProcessTests {
  private static let provider = Result { try ProviderProcess.hostile() }

  private func run(
    _ command: String, _ mode: String, _ options: JSONObject, _ arguments: [String] = [], in folder: ScratchFolder
  ) throws -> JSONValue {
    let base = try Self.provider.get().base
    var all = options
    all["client-id"] = "lampost-cli"
    all["issuer"] = .string("\(base)/\(mode)")
    all["discovery-url"] = .string("\(base)/\(mode)/.well-known/openid-configuration")
    let params: JSONValue = [
      "command": [.string(command)], "options": .object(command == "complete" ? [:] : all),
      "arguments": .array(arguments.map(JSONValue.string)), "words": [], "output": "json",
    ]
    let python = try #require(PythonTools.python)
    let outcome = try python.run(
      [
        PythonTools.scripts.appending(path: "host.py").path, BuiltProduct.path("ifttt-grab"),
        "\(folder.path)/store.json",
        "command/run", params.text, "--browser", python.path, PythonTools.scripts.appending(path: "visit.py").path,
        base, "-",
      ], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try JSONValue(parsing: Array(outcome.output.utf8))
  }

  private func accounts(in folder: ScratchFolder) throws -> [String] {
    let bytes = Array(try Data(contentsOf: folder.url.appending(path: "store.json")))
    return try JSONValue(parsing: bytes).object?.members.map(\.key).filter {
      !$0.hasPrefix("hosts/") && !$0.hasPrefix("metadata/") && !$0.hasPrefix("keys/")
    } ?? []
  }

  @Test func aCorrectProviderSignsIn() throws {
    let folder = try ScratchFolder()
    #expect(try run("login", "good", ["no-browser": true], in: folder)["items"]?.array?.first?["subject"] == "u-1")
    #expect(try accounts(in: folder).count == 3, "the account, the default account, and the settings")
  }

  @Test(arguments: [
    ("nonce", "authorization_failed", 8), ("no-nonce", "authorization_failed", 8),
    ("audience", "authorization_failed", 7),
    ("empty-audience", "authorization_failed", 7), ("issuer", "authorization_failed", 7),
    ("expired", "authorization_failed", 7),
    ("old", "authorization_failed", 7), ("at-hash", "authorization_failed", 7), ("azp", "authorization_failed", 7),
    ("signature", "authorization_failed", 7), ("none", "authorization_failed", 7), ("hs256", "authorization_failed", 7),
    ("replayed", "authorization_failed", 15), ("mixed-up", "unknown_redirect", 5), ("no-iss", "unknown_redirect", 5),
    ("two-codes", "unknown_redirect", 5), ("no-state", "state_mismatch", 5), ("state", "state_mismatch", 5),
    ("refusal-without-state", "state_mismatch", 5), ("moved", "bad_response", 23), ("html", "bad_response", 23),
    ("cut-off", "network", 11), ("discovery-issuer", "bad_response", 0), ("plain-endpoint", "bad_response", 0),
    ("big", "bad_response", 0),
  ])
  func hostileProvidersDoNotSignIn(_ mode: String, _ code: String, _ number: Int) throws {
    let folder = try ScratchFolder()
    let error = try run("login", mode, ["no-browser": true], in: folder)["error"]
    #expect(error?["data"]?["code"] == .string(code), "\(error?.text ?? "no error")")
    #expect(error?["data"]?["extra"]?["grab_code"]?["number"] == JSONValue(number))
    if FileManager.default.fileExists(atPath: "\(folder.path)/store.json") { #expect(try accounts(in: folder).isEmpty) }
    if number == 5 {
      let asked = try Self.provider.get().curl("\(try Self.provider.get().base)/x/asked")
      #expect(!asked.contains("\"\(mode)\""), "no code was sent")
    }
  }

  @Test func anOpenRedirectIsNotAccepted() throws {
    let folder = try ScratchFolder()
    let url =
      try run("login", "open-redirect", ["print-url": true], in: folder)["items"]?.array?.first?["url"]?.string ?? ""
    let query = try Self.provider.get().visit(url, as: nil)
    let error = try run("complete", "open-redirect", [:], ["https://evil.test/callback?\(query)"], in: folder)["error"]
    #expect(error?["data"]?["code"] == "unknown_redirect" && error?["data"]?["extra"]?["grab_code"]?["number"] == 5)
    let right = try run("complete", "open-redirect", [:], ["http://127.0.0.1/callback?\(query)"], in: folder)
    #expect(right["items"]?.array?.first?["subject"] == "u-1", "a wrong address does not end the sign-in")
  }
}
