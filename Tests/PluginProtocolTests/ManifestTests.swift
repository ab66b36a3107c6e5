import PluginProtocol
import Testing

/// What a `plugin.json` has to be, and what it must not be.
@Suite struct ManifestTests {
  private func read(_ text: String) throws(ManifestError) -> Manifest { try Manifest(parsing: Array(text.utf8)) }

  static let least = #"{"schema_version":1,"name":"shelf","version":"1.2.0","summary":"Things","kind":"command"}"#

  @Test func theLeast() throws {
    let manifest = try read(Self.least)
    #expect(
      manifest
        == Manifest(
          name: try #require(PluginName(parsing: "shelf")), version: "1.2.0", summary: "Things", kind: .command))
    #expect(manifest.executable == "ifttt-shelf")
    #expect(manifest.commands == nil)
  }

  @Test func everything() throws {
    let manifest = try read(
      #"""
      {"schema_version": 1, "name": "shelf", "version": "1.2.0-rc.1+7", "summary": "Things on a shelf", "vendor": "Lampost",
       "kind": "provider", "executable": "shelf.py", "protocol": ["1"], "capabilities": ["connections/list"],
       "credentials": ["accounts", "account/*"], "hosts": ["https://api.lampost.test"], "environment": ["LAMPOST_REGION"],
       "commands": {"name": "shelf", "summary": "Look after it"}, "unknown": {"members": "are ignored"}}
      """#)
    #expect(manifest.kind == .provider)
    #expect(manifest.vendor == "Lampost")
    #expect(manifest.executable == "shelf.py")
    #expect(manifest.protocols == ["1"])
    #expect(manifest.capabilities == ["connections/list"])
    #expect(manifest.hosts == ["https://api.lampost.test"])
    #expect(manifest.environment == ["LAMPOST_REGION"])
    #expect(manifest.commands == ManifestCommand(name: "shelf", summary: "Look after it"))
  }

  @Test func credentialsByNameAndByBeginning() throws {
    var manifest = try read(Self.least)
    #expect(!manifest.mayAsk(for: "accounts"))
    manifest.credentials = ["accounts", "account/*"]
    #expect(manifest.mayAsk(for: "accounts"))
    #expect(manifest.mayAsk(for: "account/ann"))
    #expect(!manifest.mayAsk(for: "account"))
    #expect(!manifest.mayAsk(for: "accounts2"))
    manifest.credentials = ["*"]
    #expect(manifest.mayAsk(for: "anything"))
  }

  /// The member that is changed, what it becomes, and the reason.
  static let faults: [(member: String, value: String?, reason: String)] = [
    ("schema_version", "2", "it has schema_version 2, and only 1 is known"),
    ("schema_version", "\"1\"", "'schema_version' of the manifest is not a number"),
    ("schema_version", nil, "the manifest has no 'schema_version'"),
    ("name", nil, "the manifest has no 'name'"),
    ("name", "\"Shelf\"", "'name' must be a lower-case letter, then at most 31 lower-case letters, digits and hyphens"),
    ("name", "7", "'name' of the manifest is not a text"),
    ("version", nil, "the manifest has no 'version'"),
    ("version", "\"1 2\"", "'version' may have letters, digits, '.', '+', '-' and '_', at most 64"),
    ("summary", nil, "the manifest has no 'summary'"),
    ("summary", "\"\"", "'summary' of the manifest is not a text"),
    ("summary", #""a\u001b[31mb""#, "'summary' of the manifest has a control character"),
    ("summary", #""a\nb""#, "'summary' of the manifest has a control character"),
    ("summary", #""a\u202eb""#, "'summary' of the manifest has a mark that turns text around"),
    ("kind", nil, "the manifest has no 'kind'"),
    ("kind", "\"daemon\"", "'kind' is neither 'provider' nor 'command'"),
    ("kind", "\"provider\"", "'protocol' is missing, which a provider needs"),
    ("executable", "\"bin/x\"", "'executable' must be the name of a file in the same folder"),
    ("executable", "\"..\"", "'executable' must be the name of a file in the same folder"),
    ("executable", "\"plugin.json\"", "'executable' must be the name of a file in the same folder"),
    ("executable", "\"-rf\"", "'executable' must be the name of a file in the same folder"),
    ("protocol", "\"1\"", "'protocol' of the manifest is not a list"),
    ("credentials", "[1]", "'credentials' of the manifest is not a list of texts"),
    ("credentials", "[\"a b\"]", "'credentials' has a name that is none: 'a b'"),
    ("credentials", "[\"a*b\"]", "'credentials' has a name that is none: 'a*b'"),
    ("environment", "[\"A=B\"]", "'environment' has a name that is none: 'A=B'"),
    ("environment", "[\"1A\"]", "'environment' has a name that is none: '1A'"),
    ("hosts", "[\"\"]", "'hosts' has an empty entry"),
    ("commands", "[]", "'commands' is no JSON object"),
    ("commands", #"{"name":"other","summary":"x"}"#, "'commands' has another name than the plugin"),
  ]

  @Test(arguments: faults) func isRefused(member: String, value: String?, reason: String) throws {
    var members = [
      ("schema_version", "1"), ("name", "\"shelf\""), ("version", "\"1\""), ("summary", "\"Things\""),
      ("kind", "\"command\""),
    ].filter { $0.0 != member }
    if let value { members.append((member, value)) }
    let text = "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
    #expect(throws: ManifestError(reason)) { _ = try read(text) }
  }

  @Test func whatIsNoManifestAtAll() {
    #expect(throws: ManifestError("the manifest is no JSON object")) { _ = try read("[]") }
    #expect(throws: ManifestError.self) { _ = try read("{") }
    let long = "{\"x\":\"" + String(repeating: "a", count: Manifest.sizeLimit) + "\"}"
    #expect(throws: ManifestError("it is longer than 1 MiB")) { _ = try read(long) }
  }
}
