import Foundation
import JSON
import Support
import Testing
import Text

@testable import GrabID

/// The built `ifttt` with its bundled plugin, against django-oauth-toolkit.
@Suite(.enabled(if: PythonTools.python != nil, Comment(rawValue: PythonTools.requirement)), .serialized)
struct WholeProgramTests {
  private static let provider = Result { try ProviderProcess() }
  private static let installed = Result {
    let program = try InstalledProgram()
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/ifttt-grab")
    try program.bundle(
      "grab", executable: BuiltProduct.path("ifttt-grab"),
      manifest: source.standardizedFileURL.appending(path: "plugin.json"))
    return program
  }
  private let program: InstalledProgram
  private let folder: ScratchFolder
  private let party: ProviderProcess

  init() throws {
    folder = try ScratchFolder()
    party = try Self.provider.get()
    program = try Self.installed.get()
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "home"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  private func ifttt(_ arguments: String..., input: String = "") throws -> Tool.Outcome {
    try #require(Tool(path: program.path)).run(
      arguments, in: folder,
      environment: [
        "IFTTT_HOME": "\(folder.path)/home",
        "IFTTT_GRAB_CLIENT_ID": "ifttt-cli",
        "IFTTT_GRAB_ISSUER": party.issuer, "IFTTT_GRAB_DISCOVERY_URL": party.grabDiscovery, "NO_PROXY": "*",
      ], input: input)
  }

  @Test func signsInShowsConnectionsAndSignsOut() throws {
    let nobody = try ifttt("grab", "status")
    #expect(nobody.status == 4 && nobody.errors.contains("  (GrabID getIdTokenInfo/invalidIdToken 7)\n"))
    let begun = try ifttt("grab", "login", "--print-url", "--scope", "openid profile.read")
    #expect(begun.status == 0 && begun.output.hasPrefix(party.base) && begun.output.hasSuffix("\n"), "\(begun.errors)")
    let query = try party.visit(String(begun.output.dropLast()), as: "alice")
    let done = try ifttt("grab", "complete", "-", "--json", input: "http://127.0.0.1/callback?\(query)\n")
    #expect(done.status == 0, "\(done.errors)")
    #expect(try JSONValue(parsing: Array(done.output.utf8))["account"] == "alice@mail.test")
    #expect(try ifttt("grab", "status").status == 0)
    let listed = try JSONValue(
      parsing: Array(try ifttt("connections", "list", "--provider", "grab", "--json").output.utf8))
    #expect(listed.array?.count == 1 && listed.array?.first?["status"] == "enabled")
    let token = try ifttt("grab", "refresh", "--print")
    #expect(token.status == 0 && token.output.split(separator: "\n").count == 1 && token.output.utf8.count > 20)
    #expect(
      try ifttt("grab", "id-token", "--remote", "--fields", "verified", "--output", "csv", "--no-header").output
        == "local+remote\n")
    let id = try #require(listed.array?.first?["id"]?.string)
    let shown = try JSONValue(parsing: Array(try ifttt("connections", "show", "grab:\(id)", "--json").output.utf8))
    #expect(shown["name"] == "alice@mail.test" && shown["features"]?.array?.first?["id"] == "id-token")
    let disabled = try ifttt("connections", "disable", "grab:\(id)", "--yes")
    #expect(disabled.status == 0, "\(disabled.errors)")
    #expect(try ifttt("grab", "status").status == 4)
    let out = try ifttt("grab", "logout", "--all", "--json")
    #expect(out.status == 0 && out.output.contains(#""account":"alice@mail.test","changed":true"#))
    #expect(try ifttt("grab", "logout", "--json").output.contains(#""changed":false"#))
  }

  /// The browser command signs in and follows the redirect before it exits. Grab may have registered either host.
  @Test(arguments: ["127.0.0.1", "localhost"]) func signsInWithABrowserThatIsFast(_ host: String) throws {
    let port = try SilentPort().number
    let redirect = "http://\(host):\(port)/callback"
    let party = try ProviderProcess("--redirect-uri", redirect)
    let browser = folder.url.appending(path: "browser").path
    try """
    #!/bin/sh
    set -e
    curl -sS --noproxy '*' -c '\(browser).jar' -d username=alice '\(party.base)/signin'
    exec curl -sS --noproxy '*' -m 30 -L -b '\(browser).jar' -o '\(browser).page' "$1"
    """.write(toFile: browser, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: browser)
    let done = try ifttt(
      "grab", "login", "--issuer", party.issuer, "--discovery-url", party.grabDiscovery, "--redirect-uri", redirect,
      "--browser", browser, "--timeout", "60s", "--json")
    #expect(done.status == 0, "\(done.errors)")
    #expect(try JSONValue(parsing: Array(done.output.utf8))["account"] == "alice@mail.test")
  }

  @Test func storedCredentialsAreEncrypted() throws {
    let begun = try ifttt("grab", "login", "--print-url")
    let query = try party.visit(String(begun.output.dropLast()), as: "bob")
    _ = try ifttt("grab", "complete", "?\(query)")
    let token = try ifttt("grab", "refresh", "--print").output.dropLast()
    let code = Percent.items(of: query)?.first { $0.name == "code" }?.value ?? ""
    let listed = try ifttt("connections", "list", "--provider", "grab", "--json")
    let row = try #require(JSONValue(parsing: Array(listed.output.utf8)).array?.first)
    #expect(row["name"] == "bob@mail.test" && row["features"] == [], "a list contains no claims")
    let id = try #require(row["id"]?.string)
    let card = try ifttt("connections", "show", "grab:\(id)").output
    let claims = try JSONValue(parsing: Array(try ifttt("grab", "id-token", "--json").output.utf8))
    // A refreshed ID token may omit the nonce.
    let personal = ["nonce", "token_id", "partner_id"].compactMap { claims[$0]?.string }
    #expect(personal.count > 1 && personal.allSatisfy(card.contains), "\(claims.text)")
    let home = folder.url.appending(path: "home")
    let files = FileManager.default.enumerator(atPath: home.path)?.compactMap { $0 as? String } ?? []
    #expect(files.contains("ifttt.db"))
    for name in files {
      guard let bytes = FileManager.default.contents(atPath: home.appending(path: name).path) else { continue }
      for secret in [String(token), code, "bob@mail.test"] + personal {
        #expect(bytes.firstRange(of: Data(secret.utf8)) == nil, "\(name)")
      }
    }
    _ = try ifttt("grab", "logout", "--all")
    let cache = try #require(files.contains("cache.db") ? Data(contentsOf: home.appending(path: "cache.db")) : nil)
    #expect(cache.firstRange(of: Data(id.utf8)) == nil)
    #expect(try ifttt("connections", "list", "--provider", "grab", "--offline", "--json").output == "[]\n")
  }

  @Test func anUnresponsiveServiceIsReportedBeforeThePluginTimesOut() throws {
    // The system accepts connections, but no process ever reads from them.
    let silent = try SilentPort()
    let outcome = try ifttt(
      "grab", "login", "--discovery-url", "\(silent.base)/about", "--issuer", silent.base, "--no-browser", "--json",
      "--timeout", "5s")
    let error = try JSONValue(parsing: Array(outcome.errors.utf8))["error"]
    #expect(outcome.status == 5 && error?["code"] == "timeout", "\(outcome.errors)")
    #expect(error?["grab_code"] == ["domain": "serviceDiscovery", "name": "network", "number": 11])
  }

  @Test func requestsOfThePluginCannotBeRecorded() throws {
    let run = try ifttt("grab", "login", "--no-browser", "--record", "\(folder.path)/record")
    #expect(run.status == 1 && run.errors.contains("provider 'grab' cannot be recorded"), "\(run.errors)")
  }

  @Test func inAScriptAnErrorIsOneLineOfJSON() throws {
    let outcome = try ifttt("grab", "complete", "?code=c&state=nobody-began-this", "--json")
    #expect(outcome.status == 3 && outcome.output.isEmpty)
    let error = try JSONValue(parsing: Array(outcome.errors.utf8))["error"]
    #expect(error?["code"] == "not_found" && error?["grab_code"]?["name"] == "securityValidationFailed")
    let usage = try ifttt("grab", "login", "--redirect-uri", "http://lampost.test/", "--no-browser")
    #expect(usage.status == 2 && usage.errors.contains("(GrabID loadConfiguration/invalidRedirectUrl 14)"))
  }
}
